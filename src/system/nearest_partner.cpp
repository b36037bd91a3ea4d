// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/nearest_partner.hpp"

#include <cmath>
#include <limits>

namespace shadow {

template <int Dim>
Partner nearest_partner(const Snapshot<Dim>& snapshot, const Box<Dim>& box, std::uint32_t id) {
    Partner best{id, std::numeric_limits<double>::infinity()};
    for (std::size_t j = 0; j < snapshot.size(); ++j) {
        if (j == id) continue;
        double square = 0.0;
        for (std::size_t d = 0; d < Dim; ++d) {
            double delta = snapshot.position[j][d] - snapshot.position[id][d];
            if (box.periodic()[d])
                delta -= box.lengths()[d] * std::nearbyint(delta / box.lengths()[d]);
            square += delta * delta;
        }
        const double distance = std::isfinite(square) ? std::sqrt(square) : 0.0;
        if (distance < best.distance) best = {static_cast<std::uint32_t>(j), distance};
    }
    return best;
}

template Partner nearest_partner(const Snapshot<1>&, const Box<1>&, std::uint32_t);
template Partner nearest_partner(const Snapshot<2>&, const Box<2>&, std::uint32_t);
template Partner nearest_partner(const Snapshot<3>&, const Box<3>&, std::uint32_t);

} // namespace shadow
