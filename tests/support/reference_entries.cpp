// SPDX-License-Identifier: BSD-3-Clause
#include "reference_inputs.hpp"
#include "reference_systems.hpp"

#include "shadow/forces/field.hpp"
#include "shadow/io/toml.hpp"
#include "shadow/observables/registry.hpp"

#include <algorithm>
#include <map>

namespace shadow::test::reference {
namespace {

/// Lines that the key of an entry needs besides its example.
const std::map<std::string, std::string> needs = {
    {"force inner", "truncation = \"smooth-c2\"\n"},
    {"force parameters", "u = \"epsilon/r^3\"\n"},
    {"observe accuracy", "method = \"fft\"\n"},
    {"integrator temperature", "friction = 1.0\nword = \"B½ A½ O1 |\"\n"},
    {"integrator friction", "temperature = 1.0\nword = \"B½ A½ O1 |\"\n"},
    {"integrator offset", "objective = \"potential-energy\"\n"},
    {"integrator velocity_time", "objective = \"arclength\"\n"},
    {"integrator radius", "temperature = 1.0\nfriction = 1.0\nword = \"B½ A½ Q1 |\"\n"},
    {"integrator inner", "word = \"(B½ A1 B½)^n\"\n"}};

/// The lines of an entry's required keys and of one more key.
std::string lines(const Entry& entry, const ParameterInfo* more) {
    const auto found = needs.find(entry.kind + " " + (more ? more->name : ""));
    const std::string also = found == needs.end() ? "" : found->second;
    std::string text;
    if (entry.descriptor.name == "cosine-field" && !(more && more->name == "periods"))
        text += "periods = [1, 0, 0]\n";       // otherwise there would be no wave
    if (entry.descriptor.name == "buckingham") // its examples give no barrier
        return "a = 1000.0\nrho = 0.2\nc = 1.0\ncutoff = 2.5\n" +
               (more && !more->required() ? more->name + " = " + example_of(*more) + "\n" : "") +
               also;
    if (entry.descriptor.name == "bonded-distribution" && !(more && more->name == "range"))
        text += "range = [0.5, 1.5]\n"; // otherwise bonds could have any length
    if (entry.descriptor.name == "splitting" && more && more->name == "mollifier")
        return "dt = 0.005\nword = \"M½ F½ A1 F½ M½\"\nmollifier = \"long-average\"\n";
    if (entry.descriptor.name == "msd" && more && more->name == "atoms")
        text += "of = \"molecules\"\n";
    for (const ParameterInfo& key : entry.descriptor.parameters) {
        const bool replaced = (more && more->meaning.starts_with("instead of " + key.name + ":")) ||
                              ("\n" + also).find("\n" + key.name + " = ") != std::string::npos;
        // A bath needs either its mass or its period.
        const bool needed = key.required() || (key.default_value == "that of period" &&
                                               !(more && more->default_value == "that of mass"));
        if ((needed && !replaced) || &key == more)
            text += key.name + " = " + example_of(key) + "\n";
    }
    return text + also;
}

std::string system_for(const Entry& entry, const ParameterInfo* more) {
    const std::string& name = entry.descriptor.name;
    for (const BondedInfo* info : bonded_infos())
        if (name == info->name) return molecules(*info);
    if (name == "data-coefficients") return coefficients;
    const bool layer = more && (more->name == "height" || more->name == "vacuum");
    if (name == "coulomb-pme" || name == "coulomb-ewald") return (layer ? pore : liquid) + ions;
    if (name == "logarithmic-pme" || name == "logarithmic-ewald") return plasma;
    if (name.starts_with("coulomb") || name == "logarithmic" || name == "gravity" ||
        name == "reaction-field")
        return salt;
    if (name.starts_with("bond-") || name == "positional-correlation") return plane;
    if (name == "bonded-distribution" || name == "molecule-size" || name == "molecular-pressure" ||
        (name == "msd" && more && (more->name == "of" || more->name == "atoms")))
        return bent_chains;
    bool open = false;
    for (const FieldInfo* info : field_infos())
        open = open || (name == info->name && info->in_open_directions);
    const bool asks = more && (more->name == "range" || more->name == "wave_vector");
    if (asks && more->name == "range") return slab;
    return open || asks ? pore : liquid;
}

} // namespace

std::string input_with(const Entry& entry, const ParameterInfo* more) {
    const Descriptor& d = entry.descriptor;
    const bool is_force = entry.kind == "force", is_method = entry.kind == "integrator";
    // Methods that treat the fast motion of molecules.
    const bool averages =
        d.name == "splitting"
            ? more && more->name == "mollifier"
            : std::any_of(d.parameters.begin(), d.parameters.end(), [](auto& key) {
                  return key.name == "mollifier" || key.name == "light_mass";
              });
    const bool of_molecules = averages || d.name.find("-explicit") != std::string::npos;
    std::string text = of_molecules ? fast_chains : system_for(entry, more);
    text += run_table;
    text += is_force ? "[[force]]\ntype = \"" + d.name + "\"\n" + lines(entry, more) : force;
    if (d.name.ends_with("exact-harmonic")) text += linear_force;
    text += is_method ? "[integrator]\nmethod = \"" + d.name + "\"\n" + lines(entry, more) : method;
    if (d.name == "shear-flow") text += "[shear]\nrate = 0.1\n";
    if (entry.kind == "observe" && is_analysis(read_toml_text("type = \"" + d.name + "\"", "t")))
        text += "[[observe]]\ntype = \"thermo\"\n";
    if (entry.kind == "observe")
        text += "[[observe]]\ntype = \"" + d.name + "\"\n" + lines(entry, more);
    return text;
}

} // namespace shadow::test::reference
