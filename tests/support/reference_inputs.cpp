// SPDX-License-Identifier: BSD-3-Clause
#include "reference_inputs.hpp"

#include "reference_systems.hpp"

namespace shadow::test::reference {

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

} // namespace shadow::test::reference
