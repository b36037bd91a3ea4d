// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiments.hpp"

namespace shadow::models {

const std::vector<Experiment>& experiments() {
    static const std::vector<Experiment> rows = {
        {"resonant_oscillator", "steps of half periods of an oscillator that is kicked",
         "Leimkuhler and Reich 2004, figure 10.1", resonant_oscillator},
        {"aliased_oscillator", "the slow oscillator that a method takes a fast one for",
         "Leimkuhler and Reich 2004, exercises 10.2 and 10.3", aliased_oscillator},
        {"mollified_oscillator", "mollified kicks, without resonances",
         "Leimkuhler and Reich 2004, exercise 10.4", mollified_oscillator},
        {"slow_fast_resonances", "large steps of a slow and a fast oscillator, linear",
         "Leimkuhler and Reich 2004, figures 10.2 and 10.3", slow_fast_resonances},
        {"slow_fast_nonlinear", "the same, nonlinear: errors are large there, but do not grow",
         "Leimkuhler and Reich 2004, figure 10.4", slow_fast_nonlinear},
        {"slow_fast_reduced", "the slow motion alone, with the action of the fast one",
         "Leimkuhler and Reich 2004, figure 10.5", slow_fast_reduced},
        {"reversible_averaging", "stable with all steps, if the average is long and follows",
         "Leimkuhler and Reich 2004, figure 10.6", reversible_averaging},
        {"reversible_averaging_nonlinear", "reversible averaging RA-0 and RA-1, nonlinear",
         "Leimkuhler and Reich 2004, figure 10.7", reversible_averaging_nonlinear},
        {"impulses", "resonances of impulses with all kinetic energy in the fast part",
         "Leimkuhler and Reich 2004, eq. 10.23", impulses},
        {"mollified_impulses", "what mollified impulses leave of them",
         "Leimkuhler and Reich 2004, figure 10.8", mollified_impulses},
        {"stiff_ring", "a stiff spring is no constraint if it vibrates",
         "Leimkuhler and Reich 2004, exercise 10.6", stiff_ring_averages},
        {"two_fast_modes", "which crossings of two fast frequencies are unstable",
         "Leimkuhler and Reich 2004, exercise 10.5", two_fast_modes},
        {"semi_explicit_stability",
         "a stiff part that is implicit leaves the explicit one its stability",
         "Modin 2009, Paper V, figure 2 and theorem 6", semi_explicit_stability},
        {"semi_explicit_springs", "two particles on a weak spring and a stiff one, damped",
         "Modin 2009, Paper V, figure 3", semi_explicit_springs},
        {"semi_explicit_pendulum", "a pendulum on a stiff rod",
         "Modin 2009, Paper V, figures 4 and 5", semi_explicit_pendulum},
    };
    return rows;
}

} // namespace shadow::models
