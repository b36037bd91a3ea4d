// SPDX-License-Identifier: BSD-3-Clause
#include "src/system/placed_points.hpp"

#include "shadow/core/error.hpp"

#include "kernels/philox.hpp"

#include <fmt/format.h>

namespace shadow {

template <int Dim>
Points<Dim> random_points(std::int64_t count, double min_distance,
                          const std::array<double, Dim>& lengths,
                          const std::array<bool, Dim>& periodic, std::uint64_t seed) {
    constexpr std::uint64_t trials = 20'000;
    const auto stream = static_cast<std::uint32_t>(RandomStream::placement);
    PlacedPoints<Dim> placed(count, min_distance, lengths, periodic);
    for (std::int64_t i = 0; i < count; ++i) {
        bool added = false;
        for (std::uint64_t trial = 0; trial < trials && !added; ++trial) {
            std::array<double, Dim> point;
            for (std::size_t d = 0; d < Dim; ++d) {
                const Philox draw(seed, stream, static_cast<std::uint32_t>(i), trial,
                                  static_cast<std::uint32_t>(d / 2));
                point[d] = lengths[d] * draw.uniform(static_cast<int>(d % 2));
            }
            added = placed.has_room(point);
            if (added) placed.add(point);
        }
        if (!added)
            throw InputError(fmt::format(
                "no room for particle {} of {} (none of {} random positions is at least {} away "
                "from the others); lower min_distance or the density, or start from a lattice",
                i + 1, count, trials, min_distance));
    }
    return placed.take();
}

template Points<1> random_points<1>(std::int64_t, double, const std::array<double, 1>&,
                                    const std::array<bool, 1>&, std::uint64_t);
template Points<2> random_points<2>(std::int64_t, double, const std::array<double, 2>&,
                                    const std::array<bool, 2>&, std::uint64_t);
template Points<3> random_points<3>(std::int64_t, double, const std::array<double, 3>&,
                                    const std::array<bool, 3>&, std::uint64_t);

} // namespace shadow
