// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/particle_system.hpp"

#include "kernels/ops/origin_pairs.hpp"

#include <algorithm>
#include <cmath>

namespace shadow {

/// About how many pairs a measurement visits that goes through pairs one by one: those of some
/// particles, the origins, which change in turn.
inline constexpr double max_origin_pairs = 4e6;

/// One particle out of this many is an origin.
[[nodiscard]] inline std::int64_t origin_stride(std::int64_t particles) {
    const auto n = static_cast<double>(particles);
    return static_cast<std::int64_t>(std::ceil(n / std::clamp(max_origin_pairs / n, 1.0, n)));
}

/// The pairs of the next measurement, after `measured` earlier ones.
template <int Dim>
[[nodiscard]] OriginPairs<Dim> choose_origins(ParticleSystem<Dim>& system, std::int64_t measured) {
    OriginPairs<Dim> pairs{};
    pairs.position = system.particles().position;
    pairs.particles = system.size();
    pairs.stride = origin_stride(system.size());
    pairs.first = measured % pairs.stride;
    const Box<Dim>& box = system.box();
    for (std::size_t d = 0; d < Dim; ++d)
        if (box.periodic()[d]) {
            pairs.length[d] = box.lengths()[d];
            pairs.inverse_length[d] = 1.0 / box.lengths()[d];
        }
    pairs.sliding = box.sliding();
    return pairs;
}

} // namespace shadow
