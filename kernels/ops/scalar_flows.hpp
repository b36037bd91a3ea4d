// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/barostat.hpp"
#include "kernels/ops/box_motion.hpp"
#include "kernels/ops/density_bath.hpp"
#include "kernels/ops/explicit_nose.hpp"
#include "kernels/ops/fire.hpp"
#include "kernels/ops/generalized_bath.hpp"
#include "kernels/ops/nose_hoover.hpp"
#include "kernels/ops/nose_poincare.hpp"
#include "kernels/ops/recursive_bath.hpp"
#include "kernels/ops/scalars.hpp"
#include "kernels/ops/separated_bath.hpp"
#include "kernels/ops/species_chains.hpp"
#include "kernels/ops/step_control.hpp"

#include <cmath>
#include <variant>

namespace shadow {

/// Energy of the variables that a method adds, without the work on them: pi^2 / (2 mass) + g_kT ln
/// s - work, or that of a chain or a generalized bath, or 0; for mollified kicks the energy at the
/// averages minus that at the positions, minus the work of box changes and the heat of rescaled
/// momenta; the energy of a boost, or of a density as a function of `total`, kinetic and potential
/// energy; and that of a box with a mass, by one of its Hamiltonians, and of its chain. The
/// conserved quantity of every method is kinetic + potential - bath heat + this.
struct ExtendedEnergy {
    double bath_mass = 0.0; ///< 0: the method has no s and pi
    double g_kT = 0.0;
    NoseHooverChain chain = {}, box_chain = {};
    SpeciesChains species_chains = {};
    BoxMotion box = {};
    AndersenBox andersen = {};
    GeneralizedBath generalized = {};
    RecursiveBath recursive = {}; ///< its thermostats after the first
    Boost density = {};           ///< of the total energy

    SHADOW_INLINE double operator()(const Scalars& x, double total) const {
        const double work = x[Scalar::box_work] + x[Scalar::bath_heat] + x[Scalar::shear_work];
        const double other = x[Scalar::mollified] - x[Scalar::unmollified] +
                             (density.any() ? density.energy(total) : x[Scalar::boost]) - work +
                             box.energy(x) + box_chain.energy(x) + andersen.energy(x) +
                             recursive.further_energy(x);
        if (generalized.size > 0) return generalized.energy(x) - x[Scalar::work] + other;
        if (species_chains.species > 0) return species_chains.energy(x) - x[Scalar::work] + other;
        if (chain.length > 0) return chain.energy(x) - x[Scalar::work] + other;
        if (bath_mass == 0.0) return other;
        const double pi = x[Scalar::pi];
        return 0.5 * pi * pi / bath_mass + g_kT * log(x[Scalar::s]) - x[Scalar::work] + other;
    }
};

/// Multiplies momenta by a factor with the given square, and adds the heat: all momenta, or those
/// of a species, with separate slots for factor and kinetic energy.
struct Rescaling {
    Scalar factor = Scalar::momentum_factor, kinetic = Scalar::kinetic;

    SHADOW_INLINE void operator()(const Scalars& x, double square, bool turned = false) const {
        x[factor] = turned ? -sqrt(square) : sqrt(square);
        x[Scalar::bath_heat] += 0.5 * x[kinetic] * (square - 1.0);
    }
};

/// The rescaling of all momenta in a step such that the kinetic energy is that of a canonical
/// ensemble (Bussi, Donadio and Parrinello 2007, J. Chem. Phys. 126, 014101, eq. A7).
/// Scalar::squares has one term less than there are degrees of freedom.
struct RescaleMomenta {
    double kT, decay; ///< exp(-dt / time)
    Rescaling rescale = {};

    SHADOW_INLINE void operator()(const Scalars& x) const {
        x[rescale.factor] = 1.0;
        if (!(x[rescale.kinetic] > 0.0)) return;
        const double noise = sqrt((1.0 - decay) * kT / x[rescale.kinetic]),
                     along = sqrt(decay) + noise * x[Scalar::normal],
                     square = along * along + noise * noise * x[Scalar::squares];
        rescale(x, square, along < 0.0);
    }
};

/// The same without noise: twice the kinetic energy approaches `wanted` by a fraction of the
/// difference (Berendsen et al. 1984, J. Chem. Phys. 81, 3684, eq. 11).
struct CoupleWeakly {
    double wanted, part;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        x[Scalar::momentum_factor] = 1.0;
        if (!(x[Scalar::kinetic] > 0.0)) return;
        Rescaling{}(x, 1.0 + part * (wanted / x[Scalar::kinetic] - 1.0));
    }
};

/// Every functor that `System::advance` accepts.
using ScalarFlow = std::variant<
    NosePoincareFirst, NosePoincareSecond, NosePoincareSlow, NosePoincareChange,
    GeneralizedBathFirst, GeneralizedBathSecond, GeneralizedBathChange,
    ExplicitNoseFirst<RecursiveBath>, ExplicitNoseDrift<RecursiveBath>,
    ExplicitNoseSecond<RecursiveBath>, ExplicitNoseChange, ExplicitNoseFirst<DensityBath>,
    ExplicitNoseDrift<DensityBath>, ExplicitNoseSecond<DensityBath>, SeparatedNoseKick,
    SeparatedNoseDrift, NoseHooverFirst, NoseHooverSecond, NoseHooverTemperature, NoseHooverNoise,
    SpeciesChainsFirst, SpeciesChainsSecond, SpeciesChainsTemperature, RescaleMomenta, CoupleWeakly,
    ProposeVolume, AcceptVolume, ProposeMove, AcceptMove, BeginDeformation, EndDeformation,
    ChangePressure, MoveBoxFirst, MoveBoxSecond, BeginSteps, AdaptStep, StepDensityFirst,
    StepDensitySecond, ScaleByEnergy, PoincareKick, PoincareEnd, ControlFire>;

} // namespace shadow
