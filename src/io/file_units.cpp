// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/raw_system.hpp"

#include "shadow/system/units.hpp"

#include <algorithm>

namespace shadow {

const std::vector<FileUnits>& file_units() {
    // ASE's time is Angstrom sqrt(u/eV), from CODATA 2018.
    static const std::vector<FileUnits> all = {{"lj", "lj", 0.0},
                                               {"akma", nullptr, units_named("akma").femtoseconds},
                                               {"lammps-real", "real", 1.0},
                                               {"lammps-metal", "metal", 1000.0},
                                               {"ase", nullptr, 10.180505710759414}};
    return all;
}

std::string units_called(std::string_view word) {
    for (const FileUnits& units : file_units())
        if (word == units.name || (units.style && word == units.style)) return units.name;
    return "";
}

namespace {

/// Finds units by name or by the style of LAMMPS, which `system.units` uses.

const FileUnits& find(const std::string& word) {
    const std::string name = units_called(word);
    return *std::find_if(file_units().begin(), file_units().end(),
                         [&](const FileUnits& u) { return name == u.name; });
}

} // namespace

void convert_units(RawSystem& raw, const LoadOptions& options) {
    if (!options.file_units.empty() && !raw.units.empty() && options.file_units != raw.units)
        refuse_file(raw.name, fmt::format("the file is in units {}", raw.units),
                    fmt::format("the input says `file_units = \"{}\"`", options.file_units),
                    "remove file_units");
    if (raw.units.empty()) raw.units = options.file_units;
    if (raw.units.empty()) raw.units = options.units;
    raw.units = units_called(raw.units);
    const double from = find(raw.units).femtoseconds, to = find(options.units).femtoseconds;
    if (from == to) return;
    const auto in_electronvolts = [](const std::string& name) {
        return name == "lammps-metal" || name == "metal" || name == "ase";
    };
    if (!raw.topology.coefficients.empty() &&
        in_electronvolts(raw.units) != in_electronvolts(options.units))
        refuse_file(
            raw.name, fmt::format("coefficients in units {}", raw.units),
            fmt::format("the input says `units = \"{}\"`, which has a different unit of energy",
                        options.units),
            "change `system.units`, or give the forces by hand");
    if (from == 0.0 || to == 0.0)
        refuse_file(raw.name, fmt::format("the file is in units {}", raw.units),
                    fmt::format("the input says `units = \"{}\"`, and reduced units have no scale",
                                options.units),
                    "give a file in units of the input, or change `system.units`");
    for (std::array<double, 3>& velocity : raw.velocity)
        for (double& component : velocity) component *= to / from;
}

} // namespace shadow
