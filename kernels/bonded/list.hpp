// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/bonded/angles.hpp"
#include "kernels/bonded/bonds.hpp"
#include "kernels/bonded/dihedrals.hpp"
#include "kernels/bonded/excluded_charges.hpp"
#include "kernels/bonded/scaled_potential.hpp"
#include "kernels/bonded/tabulated_pair.hpp"
#include "kernels/potentials/list.hpp"

#include <cstdint>
#include <type_traits>

/// The list of all bonded potentials, the only place that names them.
namespace shadow {

template <class... F>
struct BondedList {
    static constexpr int size = sizeof...(F);
};

namespace detail {
/// The forms, followed by each pair potential, scaled.
template <class... F, template <class> class... P>
BondedList<F..., ScaledPotential<P>...> with_scaled(BondedList<F...>, PotentialList<P...>);
} // namespace detail

using OwnForms = BondedList<HarmonicBond, FeneBond, MorseBond, HarmonicAngle, CosineAngle,
                            UreyBradley, PeriodicDihedral, RyckaertBellemans, HarmonicImproper,
                            ExcludedDampedCharges, TabulatedPair>;
using BondedForms = decltype(detail::with_scaled(OwnForms{}, Potentials{}));

/// Indices in `BondedForms`: the internal forms are the last of `OwnForms`, and the first of
/// `Potentials` follows them.
inline constexpr int excluded_charges_form = OwnForms::size - 2;
inline constexpr int tabulated_pair_form = OwnForms::size - 1;
inline constexpr int first_scaled_form = OwnForms::size;

template <class Form>
struct BondedTag {
    using type = Form;
};

/// Does the form have loops for each instruction set of a CPU? Of scaled pairs only those that
/// force fields use: compiling the others would take longer than they will ever run.
template <class Form>
inline constexpr bool is_batched = true;
template <template <class> class P>
inline constexpr bool is_batched<ScaledPotential<P>> =
    std::is_same_v<P<double>, LennardJones<double>> || std::is_same_v<P<double>, Coulomb<double>>;

/// Calls `use(BondedTag<Form>{})` for the form at `index` in the list.
template <class... F, class Use>
SHADOW_INLINE void visit_bonded(BondedList<F...>, std::int32_t index, const Use& use) {
    std::int32_t k = 0;
    ((k++ == index ? use(BondedTag<F>{}) : void()), ...);
}

} // namespace shadow
