// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/bonded.hpp"

#include "kernels/bonded/molecule_groups.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shadow {

/// Particles that bonded forces connect.
struct BondedMolecule {
    std::vector<std::uint32_t> atoms; ///< ids, ascending until `bring_together`
    std::vector<MoleculeTerm> terms;  ///< in the order of the forces
};

/// All molecules, in the order of their first atoms; `with_single_atoms`: also particles without
/// such a force. Rows of parameters are those of the forces, one after the other.
[[nodiscard]] std::vector<BondedMolecule>
bonded_molecules(std::span<const BondedDescription> forces, std::size_t particles,
                 bool with_single_atoms = false);

/// The number of members of a term of one of these forces.
[[nodiscard]] int members_in(const MoleculeTerm& term, std::span<const BondedDescription> forces);

/// Puts the atoms of a molecule into an order in which those of one term are near each other
/// (Cuthill and McKee 1969, Proc. 24th Natl. Conf. ACM, 157; reversed).
void bring_together(BondedMolecule& molecule, std::span<const BondedDescription> forces);

} // namespace shadow
