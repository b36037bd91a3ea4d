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
    std::vector<std::uint32_t> atoms; ///< ids, ascending
    std::vector<MoleculeTerm> terms;  ///< in the order of the forces
};

/// All of them, by their first atoms. Rows of parameters are those of the forces, one after the
/// other.
[[nodiscard]] std::vector<BondedMolecule>
bonded_molecules(std::span<const BondedDescription> forces, std::size_t particles);

} // namespace shadow
