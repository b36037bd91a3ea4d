// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/views.hpp"

#include <cstdint>

/// Groups of molecules of one kind: they have the same terms between atoms of the same masses, so
/// that loops can treat several of them alike.
namespace shadow {

/// Molecules of a group, on a GPU and on a CPU.
inline constexpr int molecules_per_warp = 32, molecules_per_pack = 8;

/// A bonded term of all molecules of a kind.
struct MoleculeTerm {
    std::int32_t form;      ///< index in `BondedForms`
    std::int32_t row;       ///< index of its parameters in `MoleculeGroupsView::rows`
    std::int32_t member[4]; ///< atoms of the molecule, counted from 0
};

struct MoleculeKind {
    std::int32_t atoms, first_atom; ///< the latter in `MoleculeGroupsView::inverse_mass`
    std::int32_t first_term, last_term;
    std::int32_t first_constraint, last_constraint;
    /// The largest difference of the indices of constraints on one atom, and of atoms of one term.
    std::int32_t constraint_band, atom_band;

    [[nodiscard]] SHADOW_INLINE std::int32_t constraints() const {
        return last_constraint - first_constraint;
    }
};

/// As many molecules of a kind as a group can hold, or the rest.
struct MoleculeGroup {
    std::int32_t kind, count;
    std::int64_t first;        ///< index of its atoms in `MoleculeGroupsView::id`
    std::int64_t first_number; ///< index of its work memory, on a GPU
};

/// Which atoms are light, and how their motion is followed.
struct LightMotion {
    double mass = 0.0; ///< atoms of smaller mass are light
    int steps = 1;     ///< number of steps
};

template <int Dim>
struct MoleculeGroupsView {
    const MoleculeKind* kind;
    const MoleculeTerm* term;       ///< those of one form are consecutive
    const MoleculeTerm* constraint; ///< terms that have a rest; -1 for members they lack
    const double* rows;
    const double* inverse_mass;
    const MoleculeGroup* group;
    const std::uint32_t* id; ///< [group][atom][molecule]; a part group repeats its last one
    const std::int32_t* index_of_id;
    std::int64_t group_count;
    const BoxView<Dim>* box;
};

} // namespace shadow
