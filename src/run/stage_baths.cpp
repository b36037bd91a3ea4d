// SPDX-License-Identifier: BSD-3-Clause
#include "stage_builder.hpp"

#include "shadow/core/log.hpp"
#include "shadow/core/text.hpp"
#include "shadow/integrators/registry.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {

/// Parameters of a bath by species must be given for all species, and for no others.
template <int Dim>
void StageBuilder<Dim>::refuse_species(const Setup<Dim>& setup) const {
    const Parameters& table = stage_.plan.integrator;
    const std::vector<std::string> given = stage_.integrator->bath_species();
    if (given.empty()) return;
    std::string key = "friction";
    for (const ParameterInfo& info : find_integrator(table.text("method"))->descriptor.parameters)
        if (info.name == "period" || info.name == "time") key = info.name;
    std::vector<std::string> known;
    for (const Species& of : setup.start.species_table) known.push_back(of.name);
    const auto has = [](const std::vector<std::string>& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (const std::string& name : given)
        if (!has(known, name)) {
            const auto near = nearest(name, known);
            table.table(key).fail(
                name, fmt::format("unknown species {} (the system has {}); {}", in_quotes(name, 60),
                                  quoted_list(known),
                                  near ? fmt::format("did you mean {}?", in_quotes(*near))
                                       : std::string("use one of these")));
        }
    for (const std::string& name : known)
        if (!has(given, name))
            table.fail(key, fmt::format("{} by species without that of {} (each has its own); "
                                        "give it{}",
                                        key, in_quotes(name, 60),
                                        key == "friction" ? ", 0 where it has none" : ""));
}

/// Warnings for the observables that follow particles in time, once for all of them.
template <int Dim>
void StageBuilder<Dim>::warn_in_time() const {
    const Integrator& method = *stage_.integrator;
    const auto warn = [this](const std::vector<std::string>& types, const std::string& text) {
        if (types.empty()) return;
        std::string all = stage_.plan.prefix();
        for (std::size_t k = 0; k < types.size(); ++k)
            all += (k == 0 ? "" : k + 1 < types.size() ? ", " : " and ") + types[k];
        log::warning(all + " " + text);
    };
    const std::string with = "with " + stage_.plan.integrator.text("method");
    std::vector<std::string> all = in_time_;
    all.insert(all.end(), rows_in_time_.begin(), rows_in_time_.end());
    if (method.pair_radius() > 0.0)
        warn(all, with + " (friction and noise between pairs change the dynamics, and transport "
                         "momentum and energy that the fluxes do not include); for transport "
                         "coefficients of the fluid alone sample it in a stage at constant energy, "
                         "for example with method = \"verlet\"");
    else if (method.moves_with_momenta() && method.claims().stochastic &&
             !stage_.conserves_momentum())
        warn(all, with + " (friction and noise change the dynamics; transport coefficients are not "
                         "those of the fluid alone); for these sample it in a stage at constant "
                         "energy, for example with method = \"verlet\"");
    else if (method.moves_with_momenta() && method.bath_kT().value_or(0.0) > 0.0)
        warn(rows_in_time_,
             with + " (the bath exchanges energy, and correlations of the energy decay as the bath "
                    "does); for the dynamics of the fluid alone sample it in a stage at constant "
                    "energy, for example with method = \"verlet\"");
    const std::string field = run_.model.forces.template name_without_virial<Dim>();
    if (!field.empty())
        warn(in_time_,
             "with " + field +
                 " (it is an average over all directions and positions, which a field makes "
                 "inequivalent); look at one direction by itself in the trajectory");
}

template class StageBuilder<1>;
template class StageBuilder<2>;
template class StageBuilder<3>;

} // namespace shadow
