// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/boosted.hpp"

#include <fmt/format.h>
#include <utility>

namespace shadow {

const Descriptor& boost_table() {
    using enum KeyType;
    static const Descriptor descriptor{
        "boost",
        "Flattens the potential energy, so that barriers are crossed more often, as in accelerated "
        "molecular dynamics; averages are reweighted to the original potential. In a run with "
        "stages it is [stage.boost]",
        "V' = E + c y + (1 - c) y / sqrt(1 + (y/w)^2) with y = V - E, weights exp((V' - V) / kT); "
        "V "
        "is the potential energy of the whole system, E the threshold, w the width and c the least "
        "slope",
        "Hamelberg, Mongan and McCammon 2004, J. Chem. Phys. 120, 11919; Leimkuhler and Reich "
        "2004, section 11.4.2",
        {{"threshold", number, "energy", "",
          "E; with side = \"below\" somewhat above the mean of potential_energy", "-1200.0"},
         {"width", number, "energy", "",
          "w: energy over which the factor of forces falls to c; a larger width changes V less",
          "50.0"},
         {"least_slope", number, "", "0.0 below, required above",
          "c: the minimum factor of forces; with 0, V' stays within w of E", "0.2"},
         {"side",
          text,
          "",
          "\"below\"",
          "where V is flattened: below E wells become shallower, above it barriers become lower",
          "\"below\"",
          {"below", "above", "both"}}}};
    return descriptor;
}

namespace {

/// `usual`: the default side; the smallest slope may be left out where energies above the threshold
/// are not changed, unless `needs_slope`.
Boost read_shape(const Parameters& params, const std::string& usual, bool needs_slope) {
    Boost boost;
    boost.threshold = params.number("threshold");
    boost.width = params.positive("width");
    const std::string side = params.choice("side", {"below", "above", "both"}, usual);
    boost.below = side != "above";
    boost.above = side != "below";
    boost.least_slope = boost.above || needs_slope ? params.number("least_slope")
                                                   : params.number("least_slope", 0.0);
    return boost;
}

void require_slope(const Parameters& params, double slope, const std::string& what,
                   const std::string& range) {
    if (!(slope < 1.0) || slope < 0.0)
        params.fail(
            "least_slope",
            fmt::format("least_slope is {} ({} multiplied by as little as that); give a number {}",
                        slope, what, range));
}

} // namespace

Boost read_boost(const Parameters& params) {
    const Boost boost = read_shape(params, "below", false);
    require_slope(params, boost.least_slope, "forces are", "from 0 to below 1");
    if (boost.above && boost.least_slope == 0.0)
        params.fail("least_slope", "least_slope = 0 above the threshold (nothing would prevent "
                                   "overlaps of particles); give it more, for example 0.2");
    return boost;
}

Boost read_density(const Parameters& params) {
    const Boost boost = read_shape(params, "above", true);
    require_slope(params, boost.least_slope, "1/temperature of the bath is", "above 0 and below 1");
    if (boost.least_slope == 0.0)
        params.fail("least_slope", "least_slope = 0 of a density (its bath would have no "
                                   "temperature); give it more, for example 0.5");
    return boost;
}

std::string unfit_for_boost(const Integrator& method) {
    const auto kT = method.bath_kT();
    if (!method.takes_time())
        return "it looks for the least energy of forces as they are); put it into a stage with a "
               "thermostat";
    if (method.boosts()) return "it has weights of its own, by a density); use for example baoab";
    if (!kT)
        return "weights are those of a temperature, which no bath keeps); use for example baoab";
    if (!(*kT > 0.0)) return "weights are those of a temperature); give one above zero";
    if (method.steady_from() > 0)
        return "its temperature changes, and weights are those of one); change it in a stage "
               "before";
    const char* const other = "); use for example baoab";
    for (const auto& [unfit, why] :
         {std::pair{!method.samples_ensemble(),
                    "it samples no ensemble, in which there are weights"},
          {method.adapts(), "its steps follow the motion, and rows have weights by that"},
          {method.has_output_state(),
           "what it shows is processed, and kicks have the boost of what is not"},
          {method.light_mass() > 0.0, "it follows light atoms with shorter steps"}})
        if (unfit) return std::string(why) + other;
    for (const Flow& flow : method.word()) {
        const bool known = flow.kind == FlowKind::drift || flow.kind == FlowKind::kick ||
                           flow.kind == FlowKind::bath;
        if (!known) return std::string("it is not made of drifts, kicks and baths") + other;
        if (flow.kind == FlowKind::kick && flow.level != all_levels)
            return std::string(
                       "it kicks with forces of one level, and the factor of forces is that "
                       "of all") +
                   other;
    }
    return "";
}

Boosted::Boosted(std::unique_ptr<Integrator> method, const Boost& boost)
    : AroundMethod(std::move(method)), boost_(boost) {
    boost_.kT = *this->method().bath_kT();
}

/// Weights are relative to the weight at the start.
void Boosted::prepare(System& system) {
    system.set_boost(boost_);
    system.set_scalar(Scalar::boost_reference, 0.0);
    system.measure_potential();
    system.set_scalar(Scalar::boost_reference, system.scalar(Scalar::boost));
    AroundMethod::prepare(system);
}

/// Also here, because `prepare` is not called when a run is resumed.
void Boosted::step(System& system) {
    system.set_boost(boost_);
    method().step(system);
}

} // namespace shadow
