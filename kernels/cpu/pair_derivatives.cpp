// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/ops/pair_derivatives.hpp"

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
SHADOW_EACH_SET(SHADOW_DECLARE)

/// The sum does not depend on threads if particles of a cell are in a fixed order.
template <int Dim>
PairDerivatives SumPairDerivatives<Dim>::on_cpu(const Backend& backend) const {
    constexpr std::int64_t leaf = 64; // cells summed together first
    const std::int64_t cells = pairs.chosen(), leaves = (cells + leaf - 1) / leaf;
    std::vector<PairDerivatives> parts(static_cast<std::size_t>(leaves));
    cpu::parallel_ranges(backend.threads(), leaves, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t k = begin; k < end; ++k)
            parts[static_cast<std::size_t>(k)] = SHADOW_DISPATCH(
                backend, sum_pair_derivatives, *this, k * leaf, std::min(cells, (k + 1) * leaf));
    });
    PairDerivatives sum{};
    for (const PairDerivatives& part : parts) sum = combine(sum, part);
    return sum;
}

template struct SumPairDerivatives<1>;
template struct SumPairDerivatives<2>;
template struct SumPairDerivatives<3>;

} // namespace shadow
