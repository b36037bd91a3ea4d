// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"
#include "shadow/system/topology.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace shadow {

/// Particles that bonds, angles, dihedrals or impropers connect.
template <int Dim>
struct ConnectedMolecule {
    std::vector<std::uint32_t> atoms;        ///< ids; of a chain from end to end, else ascending
    std::vector<std::array<int, Dim>> turns; ///< lengths of the box that make it whole
    bool is_chain = false;                   ///< its bonds are a path through all of its atoms
};

/// All of them, in the order of their first particles; those of one particle are left out. Turns
/// are those of `start`: bonds do not tear, so that they hold as long as images are counted.
template <int Dim>
[[nodiscard]] std::vector<ConnectedMolecule<Dim>>
connected_molecules(const Topology& topology, const Box<Dim>& box, const Snapshot<Dim>& start);

/// Two particles next to each other in a term that are not so in the whole molecule: it goes around
/// the box and comes back to itself, like a net of bonds through all faces.
template <int Dim>
[[nodiscard]] std::optional<std::array<std::uint32_t, 2>>
endless_bond(const std::vector<ConnectedMolecule<Dim>>& molecules, const Topology& topology,
             const Box<Dim>& box, const Snapshot<Dim>& start);

} // namespace shadow
