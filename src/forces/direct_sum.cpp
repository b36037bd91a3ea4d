// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/direct_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shadow {

template <int Dim>
DirectSum<Dim>::DirectSum(const ForcePlan& forces, const Box<Dim>& box,
                          const Snapshot<Dim>& particles, bool pair_is_double)
    : size_(particles.size()) {
    const double single = std::numeric_limits<float>::epsilon();
    DirectContext<Dim> context{box, particles, forces.excluded,
                               pair_is_double ? std::numeric_limits<double>::epsilon() : single,
                               0.0};
    for (std::size_t d = 0; d < Dim; ++d) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (const auto& x : particles.position)
            low = std::min(low, x[d]), high = std::max(high, x[d]);
        context.extent =
            std::max({context.extent, high - low, box.periodic()[d] ? box.lengths()[d] : 0.0});
    }
    std::sort(context.excluded.begin(), context.excluded.end());
    forces.each([&](const auto& force) { forces_.push_back(force.direct(context)); });
}

template <int Dim>
DirectTotals<Dim> DirectSum<Dim>::operator()(std::size_t particle) const {
    DirectTotals<Dim> sums;
    for (const DirectForce<Dim>& force : forces_) force(sums, particle);
    return sums;
}

template class DirectSum<1>;
template class DirectSum<2>;
template class DirectSum<3>;

} // namespace shadow
