// SPDX-License-Identifier: BSD-3-Clause
// The reference of keys is complete: inputs that use every table, force, integrator and observable
// are read, and what was asked for, as which type and with which default, is what is described.
#include "src/run/reference.hpp"

#include "src/core/parameter_node.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include "shadow/core/error.hpp"
#include "shadow/forces/bonded.hpp"
#include "shadow/forces/field.hpp"
#include "shadow/io/toml.hpp"
#include "shadow/run/catalogue.hpp"
#include "shadow/run/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace shadow;

namespace {

using Node = Parameters::Node;

const std::string liquid = R"(
[system]
dimension = 3
box = { density = 0.6 }
lattice = { type = "fcc", repeat = [3, 3, 3] }
)";
const std::string plane = R"(
[system]
dimension = 2
box = { density = 0.6 }
lattice = { type = "square", repeat = [9, 9] }
)";
const std::string slab = R"(
[system]
dimension = 3
box = { lengths = [9, 9, 9], periodic = [false, true, true] }
lattice = { type = "sc", repeat = [6, 6, 6], constant = 1.5 }
)";

const std::string pore = R"(
[system]
dimension = 3
box = { lengths = [9, 9, 9], periodic = [true, true, false] }
lattice = { type = "sc", repeat = [6, 6, 6], constant = 1.5 }
)";
const std::string ions = R"(
[[species]]
name = "A"
charge = 1.0
fraction = 0.5
[[species]]
name = "B"
charge = -1.0
fraction = 0.5
)";
const std::string salt = R"(
[system]
dimension = 3
box = { periodic = false }
lattice = { type = "sc", repeat = [2, 2, 2], constant = 1.5 }
)" + ions;
const std::string plasma = R"(
[system]
dimension = 2
box = { density = 0.6 }
lattice = { type = "square", repeat = [8, 8] }
)" + ions;
/// Molecules of four atoms, bonded in one way, which is called AA.
std::string molecules(const BondedInfo& info) {
    std::string atoms = "0";
    for (int k = 1; k < members_of(info.kind); ++k) atoms += ", " + std::to_string(k);
    return R"(
[system]
dimension = 3
lattice = { type = "sc", repeat = [3, 3, 3], constant = 4.0 }
[[molecule]]
count = 27
atoms = ["A", "A", "A", "A"]
places = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]]
)" + std::string(name(info.kind)) +
           "s = [{ atoms = [" + atoms + "], type = \"AA\" }]\n" +
           (info.kind == BondedKind::bond ? "exclude = 3\n" : "");
}

const std::string coefficients = R"(
[system]
dimension = 3
file = "coefficients.data"
exclude = 3
)";

const std::string bent_chains = R"(
[system]
dimension = 3
lattice = { type = "sc", repeat = [3, 3, 3], constant = 4.0 }
[[species]]
name = "A"
[[species]]
name = "B"
mass = 3.0
[[molecule]]
count = 27
atoms = ["A", "B", "A", "A"]
places = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]]
bonds = [{ atoms = [0, 1] }, { atoms = [1, 2] }, { atoms = [2, 3] }]
angles = [{ atoms = [0, 1, 2] }]
exclude = 3
[[force]]
type = "harmonic-bond"
k = 1.0
r0 = 1.0
[[force]]
type = "cosine-angle"
k = 1.0
)";

const std::string fast_chains = bent_chains + "level = \"fast\"\n";

const std::string force = "[[force]]\ntype = \"wca\"\nepsilon = 1\nsigma = 1\n";
const std::string linear_force =
    "[[force]]\ntype = \"uniform-field\"\nstrength = [0.0, 0.0, 0.1]\nlevel = \"fast\"\n";
const std::string method = "[integrator]\nmethod = \"verlet\"\ndt = 0.001\n";
const std::string run_table = "[run]\nsteps = 100_000\n";

/// What the key of an entry takes beside its example.
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

/// The lines of an entry's required keys, and of one more.
std::string lines(const Entry& entry, const ParameterInfo* more) {
    const auto found = needs.find(entry.kind + " " + (more ? more->name : ""));
    const std::string also = found == needs.end() ? "" : found->second;
    std::string text;
    if (entry.descriptor.name == "cosine-field" && !(more && more->name == "periods"))
        text += "periods = [1, 0, 0]\n";       // or it would be no wave
    if (entry.descriptor.name == "buckingham") // its examples have no barrier
        return "a = 1000.0\nrho = 0.2\nc = 1.0\ncutoff = 2.5\n" +
               (more && !more->required() ? more->name + " = " + example_of(*more) + "\n" : "") +
               also;
    if (entry.descriptor.name == "bonded-distribution" && !(more && more->name == "range"))
        text += "range = [0.5, 1.5]\n"; // or bonds might have any length
    if (entry.descriptor.name == "splitting" && more && more->name == "mollifier")
        return "dt = 0.005\nword = \"M½ F½ A1 F½ M½\"\nmollifier = \"long-average\"\n";
    if (entry.descriptor.name == "msd" && more && more->name == "atoms")
        text += "of = \"molecules\"\n";
    for (const ParameterInfo& key : entry.descriptor.parameters) {
        const bool replaced = (more && more->meaning.starts_with("instead of " + key.name + ":")) ||
                              ("\n" + also).find("\n" + key.name + " = ") != std::string::npos;
        // Of a bath one of its mass and its period.
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

/// An input with nothing special but this entry.
std::string input_with(const Entry& entry, const ParameterInfo* more) {
    const Descriptor& d = entry.descriptor;
    const bool is_force = entry.kind == "force", is_method = entry.kind == "integrator";
    // Methods that know the fast motion of molecules.
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
    if (entry.kind == "observe")
        text += "[[observe]]\ntype = \"" + d.name + "\"\n" + lines(entry, more);
    return text;
}

/// Inputs for the keys of tables.
std::vector<std::string> inputs_for_tables() {
    return {
        "title = \"t\"\nseed = 3\n" + plane + R"(
velocity = { temperature = 1.0 }
[[stage]]
name = "minimise"
steps = 5
integrator = { method = "minimize" }
[[stage]]
name = "sample"
equilibration = 10
integrator = { method = "verlet", dt = 0.001 }
trajectory = { every = 100 }
observe = [{ type = "thermo" }]
until = [{ quantity = "pressure", error = 0.1, max_steps = 1000 }]
[output]
prefix = "p"
overwrite = true
report = false
trajectory = { every = 10, fields = ["position"] }
checkpoint = { every = 10 }
log = { every = 100, per_particle = true }
[compute]
device = "cpu"
skin = 0.3
)" + force,
        R"(
[system]
dimension = 1
units = "akma"
box = { lengths = [20.0], periodic = true }
lattice = { type = "random", count = 4, min_distance = 2.0 }
[run]
equilibration = "auto"
wall_time = "1 h"
until = { quantity = "temperature", error = 0.1, max_steps = 100 }
[[observe]]
type = "thermo"
)" + method,
        plane + force + method + R"(
[run]
equilibration = 10
[[run.until]]
quantity = "temperature"
error = 0.1
max_steps = 1000
[[observe]]
type = "thermo"
)",
        plane + force + R"(
[[stage]]
name = "sample"
wall_time = "1 h"
velocity = { temperature = 1.0 }
integrator = { method = "verlet", dt = 0.001 }
observe = [{ type = "thermo" }]
until = { quantity = "pressure", error = 0.1, max_steps = 100 }
)",
        plane + force + R"(
[integrator]
method = "baoab"
dt = 0.001
temperature = 1.0
friction = 1.0
[barostat]
pressure = 1.0
time = 1.0
compressibility = 0.1
every = 5
axes = ["x", "y"]
)" + run_table,
        plane + force + R"(
[integrator]
method = "baoab"
dt = 0.001
temperature = 1.0
friction = 1.0
[barostat]
type = "monte-carlo"
pressure = 1.0
amplitude = 0.01
every = 5
axes = ["y"]
)" + run_table,
        plane + force + R"(
[[stage]]
name = "pressure"
steps = 40
integrator = { method = "baoab", dt = 0.001, temperature = 1.0, friction = 1.0 }
barostat = { pressure = 1.0, time = 1.0, compressibility = 0.1 }
)",
        plane + force + R"(
[integrator]
method = "nose-hoover"
dt = 0.001
temperature = 1.0
period = 1.0
[barostat]
type = "mtk"
pressure = 1.0
period = 2.0
axes = ["x", "y"]
)" + run_table,
        salt + R"(
[integrator]
method = "baoab"
dt = 0.001
temperature = 1.0
friction = { A = 1.0, B = [[0, 1.0], [10, 0.0]] }
[[force]]
type = "wca"
epsilon = 1.0
sigma = 1.0
)" + run_table,
        salt + R"(
[integrator]
method = "nose-hoover"
dt = 0.001
temperature = 1.0
period = { A = 0.3, B = 1.0 }
[[force]]
type = "wca"
epsilon = 1.0
sigma = 1.0
)" + run_table,
        salt + R"(
[integrator]
method = "bussi"
dt = 0.001
temperature = 1.0
time = { A = 0.3, B = 1.0 }
[[force]]
type = "wca"
epsilon = 1.0
sigma = 1.0
)" + run_table,
        plane + force + R"(
[integrator]
method = "verlet"
dt = 0.001
[barostat]
type = "deform"
rates = [0.1, -0.1]
every = 5
)" + run_table,
        plane + force + R"(
[integrator]
method = "nose-poincare"
dt = 0.001
temperature = 1.0
mass = 1.0
[barostat]
type = "nose-poincare-andersen"
pressure = 1.0
period = 2.0
)" + run_table,
        plane + force + R"(
[integrator]
method = "nose-hoover"
dt = 0.001
temperature = 1.0
period = 1.0
chain = 1
[shear]
rate = 0.1
flow = "x"
gradient = "y"
[[observe]]
type = "shear-flow"
)" + run_table,
        plane + force + R"(
[integrator]
method = "baoab"
dt = 0.001
temperature = 1.0
friction = 1.0
[boost]
threshold = 1.0
width = 10.0
least_slope = 0.2
side = "both"
)" + run_table,
        plane + force + R"(
[[stage]]
name = "flat"
steps = 40
integrator = { method = "baoab", dt = 0.001, temperature = 1.0, friction = 1.0 }
boost = { threshold = 1.0, width = 10.0 }
)",
        plane + force + R"(
[[stage]]
name = "flow"
steps = 40
integrator = { method = "verlet", dt = 0.001 }
shear = { rate = [[0, 0.1], [10, 0.2]] }
)",
        "[system]\ndimension = 1\nlattice = { type = \"chain\", repeat = [4], constant = 1.5 }\n" +
            method + run_table,
        "[system]\ndimension = 3\nfile = \"start.xyz\"\nframe = 0\n"
        "file_units = \"lj\"\nmagnetic_field = [0.0, 0.0, 2.0]\n[[species]]\nname = \"A\"\n"
        "charge = 1.0\n" +
            method + run_table,
        "[system]\ndimension = 2\nlattice = { type = \"honeycomb\", repeat = [2, 2], constant = "
        "1.5, "
        "species = [\"A\", \"A\"] }\n[[species]]\nname = \"A\"\n" +
            method + run_table,
        salt + method + run_table + R"(
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
pairs = [{ species = ["A", "B"], epsilon = 2.0, r_min = 1.0, cutoff = 2.0, inner = 1.8 }]
cutoff = 2.5
truncation = "smooth-c1"
inner = 2.0
)",
        R"(
[system]
dimension = 3
box = { periodic = false }
lattice = { type = "sc", repeat = [4, 4, 4], constant = 1.2, jitter = 0.1 }
[[molecule]]
name = "chain"
count = 4
atoms = ["A", "A"]
repeat = 8
exclude = 3
scale_14 = { lj = 0.5, coulomb = 0.5 }
bonds = [{ atoms = [0, 1] }, { atoms = [1, 2], type = "between" }]
angles = [{ atoms = [0, 1, 2] }]
dihedrals = [{ atoms = [0, 1, 2, 3] }]
impropers = [{ atoms = [0, 1, 2, 3], type = "b" }]
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.2
pairs_14 = [{ species = ["A", "A"], epsilon = 0.5 }]
[[force]]
type = "harmonic-bond"
k = 10.0
r0 = 1.2
[[force]]
type = "cosine-angle"
k = 1.0
[[force]]
type = "periodic-dihedral"
k = 1.0
n = 1
phase = 0.0
[[force]]
type = "harmonic-improper"
k = 1.0
phi0 = 0.0
)" + method +
            run_table,
        R"(
[system]
dimension = 3
box = { density = 0.6, tilt = { xy = 0.5 } }
lattice = { type = "fcc", repeat = [3, 3, 3] }
)" + method +
            run_table,
        R"(
[system]
dimension = 3
box = { lengths = [9, 9, 9] }
lattice = { type = "insertion", distance = 0.8 }
[[molecule]]
count = 3
atoms = ["A", "A"]
exclude = 0
bonds = [{ atoms = [0, 1], length = 1.0 }]
grow = { length = 1.0, distance = 1.0 }
[[force]]
type = "harmonic-bond"
k = 10.0
r0 = 1.0
)" + method +
            run_table,
        "[system]\ndimension = 3\nfile = \"start.data\"\nexclude = 3\n"
        "scale_14 = { lj = 0.5, coulomb = 0.5 }\n"
        "[[force]]\ntype = \"harmonic-bond\"\nk = 1.0\nr0 = 1.0\n" +
            method + run_table,
        plane + method + run_table + R"(
[[force]]
type = "uniform-field"
strength = [1.0, 0.0]
modulation = { period = 1.0, phase = 0.5 }
[[force]]
type = "uniform-field"
strength = [0.0, 1.0]
modulation = { points = [[0.0, 1.0], [1.0, 2.0]] }
)",
        plane + R"([[step_sum]]
type = "formula"
cutoff = 2.0
u = "1/r^2"
[integrator]
method = "adaptive-verlet"
objective = "pair-sum"
dt = 0.002
)" + run_table};
}

struct Asked {
    KeyType type = KeyType::none;
    std::set<std::string> words, defaults;
};
using Table = std::map<std::string, Asked>;

/// "x = <value>" as TOML.
std::string value_text(const std::shared_ptr<Node>& value) {
    auto table = std::make_shared<Node>();
    table->entries.push_back({"x", "", value});
    return Parameters(table).resolved();
}

/// "force[1].pairs[0]" is "force.pairs", "stage[0].integrator" is "integrator"; and for what has
/// types, "integrator verlet".
std::string place_of(const Node& table) {
    std::string path;
    for (std::size_t i = 0; i < table.path.size(); ++i)
        if (table.path[i] == '[')
            i = table.path.find(']', i);
        else
            path += table.path[i];
    if (path == "stage.until") path = "run.until";
    if (path.starts_with("step_sum")) path = "force" + path.substr(8);
    if (path == "stage.integrator" || path == "stage.barostat" || path == "stage.shear" ||
        path == "stage.boost" || path == "stage.observe")
        path = path.substr(6);
    for (const char* selector : {"type", "method"})
        if (path == "force" || path == "integrator" || path == "observe")
            if (const auto* entry = table.find(selector)) return path + " " + entry->value->text;
    return path.empty() ? "input" : path;
}

void collect(const Node& table, std::map<std::string, Table>& all) {
    for (const auto* entries : {&table.entries, &table.defaults})
        for (const Node::Entry& entry : *entries) {
            if (entry.value->kind == Node::Kind::table) collect(*entry.value, all);
            for (const auto& element : entry.value->elements)
                if (element->kind == Node::Kind::table) collect(*element, all);
        }
    Table& place = all[place_of(table)];
    for (const Node::Asked& asked : table.asked) {
        Asked& known = place[asked.key];
        known.type = known.type | asked.type;
        known.words.insert(asked.words.begin(), asked.words.end());
    }
    for (const Node::Entry& taken : table.defaults)
        if (taken.value->kind != Node::Kind::table)
            place[taken.key].defaults.insert(value_text(taken.value));
}

/// Reads all inputs; by place, what was asked for.
std::map<std::string, Table> everything_asked() {
    const TemporaryFolder folder;
    folder.write("start.xyz", "1\n\nA 0 0 0\n");
    folder.write("start.data", "four\n\n4 atoms\n1 atom types\n3 bonds\n1 bond types\n"
                               "0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nMasses\n\n1 1.0\n\n"
                               "Atoms # bond\n\n1 1 1 1 1 1\n2 1 1 2 1 1\n3 1 1 3 1 1\n"
                               "4 1 1 4 1 1\n\nBonds\n\n1 1 1 2\n2 1 2 3\n3 1 3 4\n");
    folder.write("coefficients.data",
                 "two\n\n2 atoms\n1 atom types\n1 bonds\n1 bond types\n"
                 "0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nMasses\n\n1 1.0\n\n"
                 "Bond Coeffs # harmonic\n\n1 1.0 1.0\n\n"
                 "Atoms # bond\n\n1 1 1 1 1 1\n2 1 1 2 1 1\n\nBonds\n\n1 1 1 2\n");
    std::string rows;
    for (double r = 0.9; r < 2.6; r += 0.02)
        rows += std::to_string(r) + " " + std::to_string(std::exp(-r)) + "\n";
    folder.write("u.dat", rows);
    folder.write("in.toml", "");
    std::map<std::string, Table> all;
    const auto read = [&](const std::string& text) {
        INFO(text);
        const Parameters root = read_toml_text(text, "in.toml");
        RunOptions options;
        options.input = folder / "in.toml";
        REQUIRE_NOTHROW(check_input(root, options));
        collect(root.node(), all);
    };
    for (const std::string& text : inputs_for_tables()) read(text);
    for (const Entry& entry : catalogue()) {
        if (entry.kind == "table") continue;
        read(input_with(entry, nullptr));
        for (const ParameterInfo& key : entry.descriptor.parameters)
            if (!key.required() && !key.name.starts_with("pairs")) read(input_with(entry, &key));
    }
    return all;
}

/// The value of a default that is one, as `value_text`; of words about it, "".
std::string default_text(const ParameterInfo& key) {
    try {
        return read_toml_text("x = " + key.default_value, "").resolved();
    } catch (const InputError&) {
        return "";
    }
}

/// A text whose words depend on what else there is.
bool has_words_of_its_own(const std::string& key) {
    return key != "type" && key != "method" && key != "quantity" && !key.ends_with("level");
}

void compare(const std::string& place, const ParameterInfo& key, const Asked& asked) {
    INFO(place << ": " << key.name << " is described as " << name(key.type) << ", read as "
               << name(asked.type));
    CHECK(key.type == asked.type);
    if (key.required()) CHECK(asked.defaults.empty());
    const std::string value = default_text(key);
    for (const std::string& taken : asked.defaults)
        if (!value.empty()) CHECK(taken == value);
    if (has_words_of_its_own(key.name))
        CHECK(std::set<std::string>(key.words.begin(), key.words.end()) == asked.words);
}

} // namespace

TEST_CASE("every key that is read is described, every described key is read") {
    std::map<std::string, Table> asked = everything_asked();
    std::set<std::string> potential_numbers;
    for (const Entry& entry : catalogue())
        if (entry.kind == "force")
            for (const ParameterInfo& key : entry.descriptor.parameters)
                potential_numbers.insert(key.name);
    for (const Entry& entry : catalogue()) {
        const Descriptor& d = entry.descriptor;
        const std::string place = entry.kind == "table" ? d.name : entry.kind + " " + d.name;
        // Their other keys are those of what has a type.
        if (place == "force" || place == "step_sum" || place == "integrator" || place == "observe")
            continue;
        REQUIRE(asked.contains(place));
        Table& table = asked[place];
        if (entry.kind != "table") table.erase(entry.kind == "integrator" ? "method" : "type");
        for (const ParameterInfo& key : d.parameters) {
            INFO(place << ": not read: " << key.name);
            REQUIRE(table.contains(key.name));
            compare(place, key, table[key.name]);
            table.erase(key.name);
        }
        for (const auto& [name, about] : table) {
            INFO(place << ": " << name << " is read and not described");
            CHECK((place.starts_with("force.pairs") && potential_numbers.contains(name)));
        }
        asked.erase(place);
    }
    for (const auto& [place, table] : asked) {
        // With names that the user gives.
        if (place.ends_with(".parameters") || place.ends_with(".friction") ||
            place.ends_with(".period") || place.ends_with("integrator.time"))
            continue;
        INFO(place << " is not described");
        CHECK(table.empty());
    }
}

TEST_CASE("a key has a meaning, and an example that is one") {
    for (const Entry& entry : catalogue())
        for (const ParameterInfo& key : entry.descriptor.parameters) {
            INFO(entry.descriptor.name << " " << key.name);
            CHECK_FALSE(key.meaning.empty());
            CHECK_NOTHROW(read_toml_text(key.name + " = " + example_of(key), "in.toml"));
        }
}

TEST_CASE("what several forces, integrators or observables have in common is said in one place") {
    for (const Entry& table : catalogue()) {
        const std::string& kind = table.descriptor.name;
        if (kind != "force" && kind != "integrator" && kind != "observe") continue;
        for (const ParameterInfo& key : table.descriptor.parameters) {
            if (key.name == "type" || key.name == "method") continue;
            const auto has_it = [&](const Entry& entry) {
                const auto& keys = entry.descriptor.parameters;
                return entry.kind == kind &&
                       std::any_of(keys.begin(), keys.end(),
                                   [&](const auto& k) { return k.name == key.name; });
            };
            INFO(kind << " " << key.name);
            CHECK(std::count_if(catalogue().begin(), catalogue().end(), has_it) > 1);
        }
    }
}
