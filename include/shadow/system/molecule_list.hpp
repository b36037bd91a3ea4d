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
    std::vector<std::array<int, Dim>> turns; ///< box lengths to add to make it whole
    bool is_chain = false;                   ///< its bonds are a path through all of its atoms
};

/// All connected molecules, in the order of their first particles, without single particles. Turns
/// are those of `start`: bonds do not break, so they hold as long as images are counted.
template <int Dim>
[[nodiscard]] std::vector<ConnectedMolecule<Dim>>
connected_molecules(const Topology& topology, const Box<Dim>& box, const Snapshot<Dim>& start);

/// Two neighbours in a term that are not neighbours in the molecule made whole: it extends around
/// the box and is bonded to its own image, like a network of bonds through all faces.
template <int Dim>
[[nodiscard]] std::optional<std::array<std::uint32_t, 2>>
endless_bond(const std::vector<ConnectedMolecule<Dim>>& molecules, const Topology& topology,
             const Box<Dim>& box, const Snapshot<Dim>& start);

} // namespace shadow
