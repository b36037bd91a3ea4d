// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/potentials/coulomb.hpp"
#include "kernels/potentials/damped_shifted_force.hpp"
#include "kernels/potentials/harmonic_contact.hpp"
#include "kernels/potentials/inverse_power.hpp"
#include "kernels/potentials/lennard_jones.hpp"
#include "kernels/potentials/logarithmic.hpp"
#include "kernels/potentials/morse.hpp"
#include "kernels/potentials/tabulated.hpp"
#include "kernels/potentials/truncation.hpp"
#include "kernels/potentials/wca.hpp"

/// The one place that names all potentials.
namespace shadow {

template <template <class> class... P>
struct PotentialList {
    static constexpr int size = sizeof...(P);
};

using Potentials = PotentialList<LennardJones, Morse, InversePower, WeeksChandlerAndersen,
                                 HarmonicContact, Coulomb, DampedShiftedForce, Logarithmic>;

/// What the pair loops are compiled for. An interaction I is a template `I::Of<T>` whose members
/// are all of type T, the first being the squared cut-off; `(r2, ending)` evaluates it.
template <class... I>
struct InteractionList {
    static constexpr int size = sizeof...(I);
};

namespace detail {
template <class List, class... Fused>
struct MakeInteractions;
template <template <class> class... P, class... More>
struct MakeInteractions<PotentialList<P...>, More...> {
    using Type = InteractionList<Truncated<P>..., More...>;
};
} // namespace detail

/// Every potential with any ending: those of `Potentials`, in that order, and curves.
using GeneralInteractions = detail::MakeInteractions<Potentials, Tabulated>::Type;

/// First the general ones, then the hot cases.
using Interactions = detail::MakeInteractions<Potentials, Tabulated, Plain<LennardJones>,
                                              PlainSum<LennardJones, Coulomb>,
                                              PlainSum<LennardJones, DampedShiftedForce>,
                                              SwitchedSum<LennardJones, DampedShiftedForce>>::Type;

/// Positions in `Interactions`.
inline constexpr int tabulated = Potentials::size;
inline constexpr int plain_lennard_jones = Potentials::size + 1;
inline constexpr int plain_lennard_jones_coulomb = Potentials::size + 2;
inline constexpr int plain_lennard_jones_dsf = Potentials::size + 3;
inline constexpr int switched_lennard_jones_dsf = Potentials::size + 4;

/// Numbers in one row of an interaction's table.
template <class Interaction>
inline constexpr int field_count =
    static_cast<int>(sizeof(typename Interaction::template Of<double>) / sizeof(double));

/// How many of them, from the first, an evaluation with this ending reads for each pair of species.
template <class Interaction>
constexpr int fields_read(Ending ending) {
    if constexpr (requires { Interaction::fields_that_differ; })
        return Interaction::fields_that_differ;
    else if constexpr (Interaction::always_shifted)
        return field_count<Interaction>;
    else
        return Interaction::fields_read(ending);
}

} // namespace shadow
