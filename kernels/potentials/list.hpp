// SPDX-License-Identifier: BSD-3-Clause

/// The list of all potentials, the only place that names them. It declares their names only, so
/// that a change of a formula recompiles only the files that evaluate it; formulas.hpp includes it
/// again for the formulas. Pair loops on CPUs are one translation unit for each of `Interactions`,
/// written from this file by cmake/ShadowTileKernels.cmake.
#if defined(SHADOW_FORMULAS)
#include "kernels/potentials/coulomb.hpp"
#include "kernels/potentials/damped_shifted_force.hpp"
#include "kernels/potentials/harmonic_contact.hpp"
#include "kernels/potentials/inverse_power.hpp"
#include "kernels/potentials/lennard_jones.hpp"
#include "kernels/potentials/logarithmic.hpp"
#include "kernels/potentials/morse.hpp"
#include "kernels/potentials/wca.hpp"
#endif

#if !defined(SHADOW_POTENTIAL_LIST)
#define SHADOW_POTENTIAL_LIST

#include <type_traits>

namespace shadow {

template <class T>
struct LennardJones;
template <class T>
struct Morse;
template <class T>
struct InversePower;
template <class T>
struct WeeksChandlerAndersen;
template <class T>
struct HarmonicContact;
template <class T>
struct Coulomb;
template <class T>
struct DampedShiftedForce;
template <class T>
struct Logarithmic;

template <template <class> class... P>
struct PotentialList {
    static constexpr int size = sizeof...(P);
};

using Potentials = PotentialList<LennardJones, Morse, InversePower, WeeksChandlerAndersen,
                                 HarmonicContact, Coulomb, DampedShiftedForce, Logarithmic>;

template <template <class> class Potential>
struct Truncated;
struct Tabulated;
template <template <class> class Potential>
struct Plain;
template <template <class> class Dispersion, template <class> class Electrostatic>
struct PlainSum;
template <template <class> class Dispersion, template <class> class Electrostatic>
struct SwitchedSum;

/// The interactions for which pair loops are compiled. An interaction I is a template `I::Of<T>`
/// whose members are all of type T, the first being the squared cut-off; `(r2, ending)` evaluates
/// it.
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

/// All potentials with any ending, in the order of `Potentials`, and curves.
using GeneralInteractions = detail::MakeInteractions<Potentials, Tabulated>::Type;

/// First the general ones, then the hot cases.
using Interactions = detail::MakeInteractions<Potentials, Tabulated, Plain<LennardJones>,
                                              PlainSum<LennardJones, Coulomb>,
                                              PlainSum<LennardJones, DampedShiftedForce>,
                                              SwitchedSum<LennardJones, DampedShiftedForce>>::Type;

/// Indices in `Interactions`.
inline constexpr int tabulated = Potentials::size;
inline constexpr int plain_lennard_jones = Potentials::size + 1;
inline constexpr int plain_lennard_jones_coulomb = Potentials::size + 2;
inline constexpr int plain_lennard_jones_dsf = Potentials::size + 3;
inline constexpr int switched_lennard_jones_dsf = Potentials::size + 4;

template <template <class> class P>
struct PotentialTag {};

namespace detail {
template <template <class> class Q, template <class> class... P>
constexpr int potential_index(PotentialList<P...>) {
    int index = 0, found = -1;
    ((found = std::is_same_v<PotentialTag<P>, PotentialTag<Q>> ? index : found, ++index), ...);
    return found;
}
} // namespace detail

/// The index in `Potentials`.
template <template <class> class P>
inline constexpr int potential_index = detail::potential_index<P>(Potentials{});

} // namespace shadow

#endif
