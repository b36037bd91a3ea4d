// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/bond_correlation.hpp"

#include "kernels/cpu/threads.hpp"

#include <mutex>
#include <vector>

namespace shadow::cpu {

template <class Real>
void add_bond_products(const Backend& backend, const BondProducts<Real>& op) {
    std::mutex mutex;
    const auto& pairs = op.pairs;
    const auto some = [&](std::int64_t begin, std::int64_t end) {
        std::vector<std::int64_t> mine(2 * static_cast<std::size_t>(op.bins));
        for (std::int64_t o = begin; o < end; ++o)
            for (std::int64_t j = 0; j < pairs.particles; ++j) {
                std::int64_t product = 0;
                const std::int32_t k = op.pair(pairs.first + o * pairs.stride, j, product);
                if (k < 0) continue;
                ++mine[static_cast<std::size_t>(k)];
                mine[static_cast<std::size_t>(op.bins + k)] += product;
            }
        const std::lock_guard lock(mutex);
        for (std::size_t k = 0; k < mine.size(); ++k) op.sums[k] += mine[k];
    };
    parallel_ranges(backend.threads(), pairs.origins(), 1, some);
}

template void add_bond_products(const Backend&, const BondProducts<double>&);

} // namespace shadow::cpu
