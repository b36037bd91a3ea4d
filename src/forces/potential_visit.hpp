// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/potentials/list.hpp"
#include "kernels/potentials/self_energy.hpp"

/// From a position in `Potentials` to the template standing there, and back.
namespace shadow {

template <template <class> class P>
struct PotentialTag {};

namespace detail {
template <template <class> class... P, class F>
void visit_potential(PotentialList<P...>, int index, const F& f) {
    int k = 0;
    ((k++ == index ? f(PotentialTag<P>{}) : void()), ...);
}
template <template <class> class Q, template <class> class... P>
constexpr int potential_index(PotentialList<P...>) {
    int index = 0, found = -1;
    ((found = std::is_same_v<PotentialTag<P>, PotentialTag<Q>> ? index : found, ++index), ...);
    return found;
}
} // namespace detail

/// Calls f(PotentialTag<P>{}) for the potential at `index`.
template <class F>
void visit_potential(int index, const F& f) {
    detail::visit_potential(Potentials{}, index, f);
}

template <template <class> class P>
inline constexpr int potential_index = detail::potential_index<P>(Potentials{});

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
