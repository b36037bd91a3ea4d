// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/error.hpp"
#include "shadow/io/load.hpp"

#include <cmath>
#include <cstdlib>

namespace shadow {

/// What every loaded system must be, whatever the file was.
template <int Dim>
void require_sound(const LoadedSystem<Dim>& loaded) {
    const Snapshot<Dim>& s = loaded.snapshot;
    const std::size_t n = s.size();
    if (n == 0 || s.momentum.size() != n || s.image.size() != n || s.species.size() != n)
        std::abort();
    for (std::size_t i = 0; i < n; ++i) {
        if (s.species[i] >= s.species_table.size()) std::abort();
        if (!(s.species_table[s.species[i]].mass > 0.0)) std::abort();
        for (std::size_t d = 0; d < Dim; ++d) {
            const double x = s.position[i][d], origin = loaded.box.origin()[d];
            if (!std::isfinite(x) || !std::isfinite(s.momentum[i][d])) std::abort();
            if (loaded.box.periodic()[d] && (x < origin || x > origin + loaded.box.lengths()[d]))
                std::abort();
        }
    }
}

/// Runs a reader; it may refuse the file, and nothing else. With and without declared species.
template <class Load>
void try_to_load(Load load) {
    const std::vector<Species> declared{{"A", 1.0, 0.0}, {"B", 2.0, -1.0}};
    for (const LoadOptions& options : {LoadOptions{}, LoadOptions{declared, 0}}) {
        try {
            require_sound(load(options));
        } catch (const InputError&) {
        }
    }
}

} // namespace shadow
