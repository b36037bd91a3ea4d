// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/world.hpp"

#include <algorithm>

/// Bonded particles for tests of forces.
namespace shadow::test {

/// A path that starts at a particle at the border; each next particle is the nearest one not yet
/// used.
template <int Dim>
std::vector<std::uint32_t> path_through(const Vectors<Dim>& points, const Box<Dim>& box,
                                        std::size_t length) {
    const auto first = std::min_element(points.begin(), points.end());
    std::vector<std::uint32_t> path = {static_cast<std::uint32_t>(first - points.begin())};
    while (path.size() < length) {
        std::uint32_t best = 0;
        double least = HUGE_VAL;
        for (std::uint32_t j = 0; j < points.size(); ++j) {
            const double r = length_of<Dim>(between<Dim>(points[path.back()], points[j], box));
            if (r < least && std::find(path.begin(), path.end(), j) == path.end()) {
                least = r;
                best = j;
            }
        }
        path.push_back(best);
    }
    return path;
}

/// Chains of `length` particles along such a path, with all possible bonds, angles, dihedrals and
/// impropers, of two alternating types.
template <int Dim>
Topology chains(const Vectors<Dim>& points, const Box<Dim>& box, std::size_t particles,
                std::size_t length, const std::vector<BondedKind>& kinds) {
    const std::vector<std::uint32_t> path = path_through<Dim>(points, box, particles);
    Topology topology;
    for (const BondedKind kind : kinds) {
        const auto span = static_cast<std::size_t>(members_of(kind));
        for (std::size_t k = 0; k + span <= particles; ++k) {
            if (k / length != (k + span - 1) / length) continue;
            BondedGroup& group = topology.group(kind, k % 2 == 0 ? "even" : "odd");
            for (std::size_t m = 0; m < span; ++m) group.members.push_back(path[k + m]);
        }
    }
    return topology;
}

} // namespace shadow::test
