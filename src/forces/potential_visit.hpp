// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/potentials/formulas.hpp"
#include "kernels/potentials/self_energy.hpp"

/// From a position in `Potentials` to the template at that position.
namespace shadow {

namespace detail {
template <template <class> class... P, class F>
void visit_potential(PotentialList<P...>, int index, const F& f) {
    int k = 0;
    ((k++ == index ? f(PotentialTag<P>{}) : void()), ...);
}
} // namespace detail

/// Calls f(PotentialTag<P>{}) for the potential at `index`.
template <class F>
void visit_potential(int index, const F& f) {
    detail::visit_potential(Potentials{}, index, f);
}

template <template <class> class P>
inline constexpr bool has_tail = requires(const double* p) {
    P<double>::tail_integral(p, 1.0, 3);
};

template <template <class> class P>
inline constexpr bool has_self_energy = requires(const double* p) {
    SelfEnergy<P>::of(p, 1.0);
};

template <template <class> class P>
inline constexpr bool has_implied_cutoff = requires(const double* p) {
    P<double>::implied_cutoff(p);
};

} // namespace shadow
