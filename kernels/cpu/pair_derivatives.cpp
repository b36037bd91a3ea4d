// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/pair_derivatives.hpp"

#include "kernels/cpu/dispatch.hpp"
#include "kernels/cpu/threads.hpp"

#include <algorithm>
#include <vector>

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim>                                                                             \
    PairDerivatives sum_pair_derivatives(const SumPairDerivatives<Dim>& op, std::int64_t first,    \
                                         std::int64_t last);                                       \
    }
SHADOW_DECLARE(sse)
SHADOW_DECLARE(avx2)
SHADOW_DECLARE(avx512)

namespace cpu {

template <int Dim>
PairDerivatives sum_pair_derivatives(const Backend& backend, const SumPairDerivatives<Dim>& op) {
    constexpr std::int64_t leaf = 64; // cells that are added up before they meet others
    const std::int64_t cells = op.pairs.chosen(), leaves = (cells + leaf - 1) / leaf;
    std::vector<PairDerivatives> parts(static_cast<std::size_t>(leaves));
    parallel_ranges(backend.threads(), leaves, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t k = begin; k < end; ++k)
            parts[static_cast<std::size_t>(k)] = SHADOW_DISPATCH(
                backend, sum_pair_derivatives, op, k * leaf, std::min(cells, (k + 1) * leaf));
    });
    PairDerivatives sum{};
    for (const PairDerivatives& part : parts) sum = op.combine(sum, part);
    return sum;
}

#define SHADOW_SUM_DERIVATIVES(Dim)                                                                \
    template PairDerivatives sum_pair_derivatives(const Backend&, const SumPairDerivatives<Dim>&);
SHADOW_SUM_DERIVATIVES(1)
SHADOW_SUM_DERIVATIVES(2)
SHADOW_SUM_DERIVATIVES(3)

} // namespace cpu

} // namespace shadow
