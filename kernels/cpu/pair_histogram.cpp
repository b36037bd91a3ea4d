// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/dispatch.hpp"
#include "kernels/cpu/threads.hpp"
#include "kernels/ops/cells.hpp"

#include <mutex>
#include <vector>

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim>                                                                             \
    void count_pairs(const PairHistogram<Dim>& pairs, int a, int b, std::int64_t first,            \
                     std::int64_t last, std::int64_t* histogram);                                  \
    }
SHADOW_EACH_SET(SHADOW_DECLARE)

template <int Dim>
void CountPairs<Dim>::on_cpu(const Backend& backend) const {
    constexpr std::int64_t grain = 64;
    const auto bins = static_cast<std::size_t>(pairs.bins);
    std::mutex mutex;
    cpu::parallel_ranges(
        backend.threads(), pairs.chosen(), grain, [&](std::int64_t begin, std::int64_t end) {
            std::vector<std::int64_t> mine(4 * bins);
            SHADOW_DISPATCH(backend, count_pairs, pairs, a, b, begin, end, mine.data());
            const std::lock_guard lock(mutex);
            for (std::size_t k = 0; k < mine.size(); ++k) histogram[k % bins] += mine[k];
        });
}

template struct CountPairs<1>;
template struct CountPairs<2>;
template struct CountPairs<3>;

} // namespace shadow
