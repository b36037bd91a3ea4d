// SPDX-License-Identifier: BSD-3-Clause
#include "potential_visit.hpp"
#include "read_force.hpp"

namespace shadow {

PotentialTraits potential_traits(int index) {
    PotentialTraits traits;
    visit_potential(index, [&]<template <class> class P>(PotentialTag<P>) {
        traits.info = &P<double>::info;
        traits.kernel = index;
        if constexpr (has_implied_cutoff<P>) traits.implied_cutoff = &P<double>::implied_cutoff;
        if constexpr (requires(const double* p) { P<double>::problem(p); })
            traits.problem = &P<double>::problem;
        traits.has_tail = has_tail<P>;
        traits.bare = index == potential_index<Coulomb> || index == potential_index<Logarithmic>;
        if constexpr (requires { SelfEnergy<P>::equation; })
            traits.self_energy = SelfEnergy<P>::equation;
    });
    return traits;
}

} // namespace shadow
