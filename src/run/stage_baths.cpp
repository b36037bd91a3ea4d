// SPDX-License-Identifier: BSD-3-Clause
#include "stage_builder.hpp"

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

template class StageBuilder<1>;
template class StageBuilder<2>;
template class StageBuilder<3>;

} // namespace shadow
