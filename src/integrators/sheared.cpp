// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/sheared.hpp"

#include "shadow/integrators/nose_hoover.hpp"
#include "shadow/integrators/nose_hoover_langevin.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {
namespace {

const std::vector<std::string> directions{"x", "y", "z"};

std::int32_t read_direction(const Parameters& params, const char* key, int dimension,
                            const std::string& usual) {
    const std::vector<std::string> some(directions.begin(), directions.begin() + dimension);
    const std::string chosen = params.choice(key, some, usual);
    return static_cast<std::int32_t>(std::find(some.begin(), some.end(), chosen) - some.begin());
}

} // namespace

const Descriptor& shear_table() {
    using enum KeyType;
    static const Descriptor descriptor{
        "shear",
        "A fluid in shear, in a box whose periodic images slide over each other; momenta, "
        "velocities and the temperature are relative to the flow. In a run with stages it is "
        "[stage.shear]",
        "flow along x with the gradient along y: dx/dt = p_x/m + rate y, dp_x/dt = F_x - rate p_y; "
        "images above are rate L_y t further along x",
        "Lees and Edwards 1972, J. Phys. C 5, 1921; Evans and Morriss 1984, Phys. Rev. A 30, 1528",
        {{"rate", number | rows, "1/time", "",
          "velocity gradient across the flow; 0 keeps the images where they are; or rows [step of "
          "the stage, value], linear in between",
          "[[0, 0.0], [10_000, 0.5]]"},
         {"flow", text, "", "\"x\"", "direction of the flow", "\"x\"", directions},
         {"gradient", text, "", "\"y\"", "direction of the velocity gradient", "\"y\"",
          directions}}};
    return descriptor;
}

ShearSettings read_shear(const Parameters& params, int dimension) {
    if (dimension == 1)
        params.fail("rate", "shear in one dimension (there is no direction across the flow); "
                            "remove it");
    ShearSettings settings;
    settings.rate = Ramp::read(params, "rate", [](double) {});
    settings.flow = read_direction(params, "flow", dimension, directions[0]);
    settings.gradient = read_direction(params, "gradient", dimension, directions[1]);
    if (settings.flow == settings.gradient)
        params.fail("gradient", fmt::format("flow and gradient both along {} (a shear flows across "
                                            "its gradient); give two directions",
                                            directions[static_cast<std::size_t>(settings.flow)]));
    return settings;
}

std::string unfit_for_shear(const Integrator& method) {
    if (method.has_bath_variables()) return "its momenta are not those of the motion";
    if (method.adapts()) return "its steps follow the motion, and a shear advances evenly";
    if (method.has_output_state()) return "its output is not the state from which it continues";
    if (method.scales_species()) return "it scales the momenta of each species apart";
    if (!method.moves_with_momenta()) return "its particles have no momenta";
    if (method.light_mass() > 0.0) return "it follows light atoms with shorter steps";
    if (const auto* chain = dynamic_cast<const NoseHoover*>(&method); chain && chain->length() > 1)
        return "its thermostats of thermostats take the steady friction that a shear needs for "
               "heat, and the temperature is off: chain = 1 has none";
    if (dynamic_cast<const NoseHooverLangevin*>(&method))
        return "friction on its thermostat wears off what takes the heat of a shear";
    for (const Flow& flow : method.word()) {
        const bool known = flow.kind == FlowKind::drift || flow.kind == FlowKind::kick ||
                           (flow.kind == FlowKind::bath && !is_of_pairs(flow.bath));
        if (!known) return "it is not made of drifts, kicks and baths of single particles";
    }
    return "";
}

void Sheared::prepare(System& system) {
    system.set_shear(shear_rate_at(system.step()));
    AroundMethod::prepare(system);
}

/// Also here, because `prepare` is not called when a run is resumed.
void Sheared::step(System& system) {
    system.set_shear(settings_.rate.at(middle_of_step(system)));
    method().step(system);
}

Claims Sheared::claims() const {
    Claims claims = method().claims();
    claims.symmetric = claims.symplectic = claims.conserves_spin = false;
    return claims;
}

} // namespace shadow
