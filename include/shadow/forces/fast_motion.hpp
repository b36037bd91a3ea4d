// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/averaged_molecules.hpp"
#include "shadow/forces/harmonic_motion.hpp"
#include "shadow/forces/implicit_molecules.hpp"
#include "shadow/forces/light_atoms.hpp"

#include <memory>

namespace shadow {

/// The motion under the forces of the first level alone, as methods need it; null where no method
/// needs it.
template <int Dim>
struct FastMotion {
    std::unique_ptr<AveragedMolecules<Dim>> averaged;
    std::unique_ptr<HarmonicMotion<Dim>> exact;
    std::unique_ptr<ImplicitMolecules<Dim>> implicit;
    std::unique_ptr<LightAtoms<Dim>> light;

    [[nodiscard]] std::size_t bytes() const {
        const auto of = [](const auto& part) { return part ? part->bytes() : 0; };
        return of(averaged) + of(exact) + of(implicit) + of(light);
    }
};

} // namespace shadow
