// SPDX-License-Identifier: BSD-3-Clause
#include "nose_entries.hpp"

#include "shadow/integrators/density_nose.hpp"
#include "shadow/integrators/explicit_nose.hpp"
#include "shadow/integrators/generalized_nose.hpp"
#include "shadow/integrators/nose_poincare.hpp"
#include "shadow/integrators/separated_nose.hpp"

namespace shadow {
namespace {

using enum KeyType;

const ParameterInfo mass = {
    "mass", number, "energy time^2", "that of period", "Q of the bath variable; or from period",
    "10.0"};
const ParameterInfo swing_period = {
    "period",
    number,
    "time",
    "that of mass",
    "t of the oscillations of the temperature: Q = 2 f kT (t / 2 pi)^2 for f degrees of freedom; "
    "about the period of the particles, 0.3 in a liquid, since slower oscillations do not couple "
    "to them",
    "0.3"};
const ParameterInfo scaling_chain = {"chain",
                                     integer,
                                     "",
                                     "1",
                                     "number of thermostats, each of which scales those before it; "
                                     "2 or more sample even a single oscillator canonically",
                                     "2"};
IntegratorEntry generalized_nose(GeneralizedNose::Bath bath, const ParameterInfo& dt,
                                 const ParameterInfo& temperature, const ParameterInfo& order) {
    const bool balls = bath == GeneralizedNose::Bath::balls;
    return entry_of<GeneralizedNose>(
        {balls ? "nose-balls" : "nose-vertex",
         balls ? "As nose-poincare, with a bath of three soft balls, which samples even a single "
                 "oscillator canonically"
               : "As nose-poincare, with a bath of two more oscillators, which samples even a "
                 "single oscillator canonically",
         balls
             ? "H = s [sum p^2/(2 m s^2) + V(q) + (1 + |x|^2) pi^2/(2 Q) + kT (|x|^2/2 + sum "
               "r_ij^-12) + f |y|^2/(2 Q) + f kT ln s - E], x the positions of the balls"
             : "H = s [sum p^2/(2 m s^2) + V(q) + (1 + |x|^2) pi^2/(2 Q) + kT |x|^2/2 + f (y1^2 + "
               "y2^2/3)/(2 Q) + f kT ln s - E]",
         GeneralizedNose({}, bath).claims().citation,
         {dt, temperature, mass, swing_period, order}},
        bath);
}

IntegratorEntry explicit_nose(const ParameterInfo& dt, const ParameterInfo& temperature,
                              const ParameterInfo& order) {
    return entry_of<ExplicitNose>(
        {"nose-explicit",
         "As nose-poincare, from exact flows only, with a chain of thermostats that samples even a "
         "single oscillator canonically",
         "H = s [sum p^2/(2 m s^2) + V(q) + sum_j pi_j^2/(2 Q (s_(j+1) ... s_M)^2) + f kT ln s + "
         "kT sum_(j>1) ((j - 1) ln s_j + (f + 16) (ln s_j)^2/2) - E], s = s_1 ... s_M",
         ExplicitNose({}).claims().citation,
         {dt, temperature, mass, swing_period, scaling_chain, order}});
}

IntegratorEntry density_nose(const ParameterInfo& dt, const ParameterInfo& order) {
    return entry_of<DensityNose>(
        {"nose-density",
         "Generalized density dynamics: as nose-poincare, for a density of the total energy that "
         "is flatter than Boltzmann's, so that one run covers many temperatures; averages are "
         "reweighted to its temperature",
         "H = s [sum p^2/(2 m s^2) + V(q) - G(E0 - pi^2/(2 Q) - f kT ln s)], G the inverse of F(H) "
         "= E + c y + (1 - c) y/sqrt(1 + (y/w)^2), y = H - E; density exp(-F/kT) F'",
         DensityNose({}).claims().citation,
         {dt,
          {"temperature", number, "temperature", "",
           "of the averages; the bath has this temperature over F'", "1.0"},
          mass,
          swing_period,
          {"threshold", number, "energy", "",
           "E, a total energy of the whole system; about its mean at the temperature", "-1200.0"},
          {"width", number, "energy", "",
           "w: over which F' falls to c; a standard deviation of the total energy or more",
           "100.0"},
          {"least_slope", number, "", "",
           "c: the minimum of F'; the bath has the temperature over F'", "0.8"},
          {"side",
           text,
           "",
           "\"above\"",
           "where F is flatter; above E a run covers temperatures from `temperature` to "
           "`temperature`/c",
           "\"both\"",
           {"below", "above", "both"}},
          order}});
}

IntegratorEntry separated_nose(const ParameterInfo& temperature) {
    return entry_of<SeparatedNose>(
        {"nose-separated",
         "Constant temperature by the separated Nosé Hamiltonian: Verlet's method in a scaled "
         "time, in which a step is s dt long",
         "H = sum p^2/(2 m) + y^2/(2 Q) + s^2 [V(q) + f kT ln s - E] = 0, y = s pi",
         SeparatedNose({}).claims().citation,
         {{"dt", number, "time", "", "the step where s is 1, as at the start", "0.005"},
          temperature,
          mass,
          swing_period}});
}

} // namespace

Descriptor nose_poincare(const ParameterInfo& dt, const ParameterInfo& temperature,
                         const ParameterInfo& order) {
    return {"nose-poincare",
            "Constant temperature by the Nosé-Poincaré Hamiltonian, symplectic and in real time",
            "H = s [sum p^2/(2 m s^2) + V(q) + pi^2/(2 Q) + g kT ln s - E]",
            NosePoincare({}).claims().citation,
            {dt, temperature, mass, swing_period, order}};
}

std::vector<IntegratorEntry> nose_entries(const ParameterInfo& dt, const ParameterInfo& temperature,
                                          const ParameterInfo& order) {
    return {generalized_nose(GeneralizedNose::Bath::vertex, dt, temperature, order),
            generalized_nose(GeneralizedNose::Bath::balls, dt, temperature, order),
            explicit_nose(dt, temperature, order), density_nose(dt, order),
            separated_nose(temperature)};
}

} // namespace shadow
