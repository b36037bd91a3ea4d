// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/experiment.hpp"

/// The experiments, each in the file of its systems; registry.cpp lists them.
namespace shadow::models {

// Leimkuhler and Reich 2004, chapters 2 to 7 and 9.
[[nodiscard]] Results lj_wall();
[[nodiscard]] Results oscillator_methods();
[[nodiscard]] Results morse_methods();
[[nodiscard]] Results kepler_midpoint();
[[nodiscard]] Results kepler_shadow();
[[nodiscard]] Results reduced_kepler();
[[nodiscard]] Results exponentially_small_drift();
[[nodiscard]] Results adiabatic_invariant();
[[nodiscard]] Results fpu_splitting();
[[nodiscard]] Results repulsive_gas();
[[nodiscard]] Results chart_switching();
[[nodiscard]] Results magnetic_charge();
[[nodiscard]] Results arenstorf_orbit();
[[nodiscard]] Results two_planets();
[[nodiscard]] Results solar_system();
[[nodiscard]] Results adaptive_kepler();
[[nodiscard]] Results poincare_kepler();
[[nodiscard]] Results soft_impact_oscillator();
[[nodiscard]] Results switched_methods();
[[nodiscard]] Results differentiated_control();
[[nodiscard]] Results constrained_collision();

// Leimkuhler and Reich 2004, chapter 8.
[[nodiscard]] Results sprung_top();
[[nodiscard]] Results lagrangian_top();
[[nodiscard]] Results free_body_orders();
[[nodiscard]] Results sphere_on_spring();

// Leimkuhler and Reich 2004, chapter 10.
[[nodiscard]] Results resonant_oscillator();
[[nodiscard]] Results aliased_oscillator();
[[nodiscard]] Results mollified_oscillator();
[[nodiscard]] Results slow_fast_resonances();
[[nodiscard]] Results slow_fast_nonlinear();
[[nodiscard]] Results slow_fast_reduced();
[[nodiscard]] Results reversible_averaging();
[[nodiscard]] Results reversible_averaging_nonlinear();
[[nodiscard]] Results mollified_impulses();
[[nodiscard]] Results impulses();
[[nodiscard]] Results stiff_ring_averages();
[[nodiscard]] Results two_fast_modes();

// Leimkuhler and Reich 2004, chapter 11.
[[nodiscard]] Results nose_oscillator();
[[nodiscard]] Results nose_double_well();
[[nodiscard]] Results nose_weights();
[[nodiscard]] Results generalized_baths();
[[nodiscard]] Results rescaled_double_well();

// Modin 2009, thesis and Papers I to IV; Modin and Söderlind 2011.
[[nodiscard]] Results dropped_pendulum_energy();
[[nodiscard]] Results unbalanced_rotor();
[[nodiscard]] Results scaled_kepler();
[[nodiscard]] Results scaled_drift();
[[nodiscard]] Results doubled_system();
[[nodiscard]] Results two_walls_contact();
[[nodiscard]] Results four_ball_billiard();
[[nodiscard]] Results free_body();
[[nodiscard]] Results damped_pendulum();
[[nodiscard]] Results damped_elastic_pendulum();

// Ortolan 2011.
[[nodiscard]] Results lie_body();
[[nodiscard]] Results spherical_pendulum();
[[nodiscard]] Results double_spherical_pendulum();
[[nodiscard]] Results dipole_array();

// Schmitt and Steinmann.
[[nodiscard]] Results sphere_flow();

// Modin 2009, Paper V.
[[nodiscard]] Results semi_explicit_stability();
[[nodiscard]] Results semi_explicit_springs();
[[nodiscard]] Results semi_explicit_pendulum();

} // namespace shadow::models
