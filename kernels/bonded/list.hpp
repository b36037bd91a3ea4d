// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/bonded/angles.hpp"
#include "kernels/bonded/bonds.hpp"
#include "kernels/bonded/dihedrals.hpp"
#include "kernels/bonded/excluded_charges.hpp"

#include <cstdint>

/// The one place that names all bonded potentials.
namespace shadow {

template <class... F>
struct BondedList {
    static constexpr int size = sizeof...(F);
};

using BondedForms =
    BondedList<HarmonicBond, FeneBond, MorseBond, HarmonicAngle, CosineAngle, UreyBradley,
               PeriodicDihedral, RyckaertBellemans, HarmonicImproper, ExcludedDampedCharges>;

template <class Form>
struct BondedTag {
    using type = Form;
};

/// Calls `use(BondedTag<Form>{})` for the one at position `index` of the list.
template <class... F, class Use>
SHADOW_INLINE void visit_bonded(BondedList<F...>, std::int32_t index, const Use& use) {
    std::int32_t k = 0;
    ((k++ == index ? use(BondedTag<F>{}) : void()), ...);
}

} // namespace shadow
