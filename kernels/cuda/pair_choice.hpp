// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/pair_force.hpp"
#include "kernels/potentials/formulas.hpp"

/// Selects the compiled pair kernel that a payload needs.
namespace shadow::cuda {

namespace detail {
template <class Interaction, bool WithEnergy, class Launch>
void choose_species(std::int32_t species_count, const Launch& launch) {
    if (species_count == 1)
        launch.template operator()<Interaction, true, WithEnergy>();
    else
        launch.template operator()<Interaction, false, WithEnergy>();
}

/// Tries the interactions one after another. Only the hot ones have a kernel without energies.
template <class Payload, class Launch, class... I>
void choose_interaction(InteractionList<I...>, const Payload& payload, const Launch& launch) {
    std::int32_t position = 0;
    const bool with_energy = payload.energy != nullptr;
    const auto attempt = [&]<class This>(InteractionList<This>) {
        if (position++ != payload.interaction) return;
        if (This::always_shifted && !with_energy)
            choose_species<This, !This::always_shifted>(payload.species_count, launch);
        else
            choose_species<This, true>(payload.species_count, launch);
    };
    (attempt(InteractionList<I>{}), ...);
}
} // namespace detail

/// Calls `launch.operator()<Interaction, OneSpecies, WithEnergy>()` with the choices that the
/// payload needs.
template <int Dim, class Pair, class Launch>
void choose_pair_kernel(const PairForcePayload<Dim, Pair>& payload, const Launch& launch) {
    detail::choose_interaction(Interactions{}, payload, launch);
}

} // namespace shadow::cuda
