// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/bonded.hpp"

#include <string>

/// Parts from which the inputs of reference_inputs.hpp are made.
namespace shadow::test::reference {

inline const std::string liquid = R"(
[system]
dimension = 3
box = { density = 0.6 }
lattice = { type = "fcc", repeat = [3, 3, 3] }
)";
inline const std::string plane = R"(
[system]
dimension = 2
box = { density = 0.6 }
lattice = { type = "square", repeat = [9, 9] }
)";
inline const std::string slab = R"(
[system]
dimension = 3
box = { lengths = [9, 9, 9], periodic = [false, true, true] }
lattice = { type = "sc", repeat = [6, 6, 6], constant = 1.5 }
)";

inline const std::string pore = R"(
[system]
dimension = 3
box = { lengths = [9, 9, 9], periodic = [true, true, false] }
lattice = { type = "sc", repeat = [6, 6, 6], constant = 1.5 }
)";
inline const std::string ions = R"(
[[species]]
name = "A"
charge = 1.0
fraction = 0.5
[[species]]
name = "B"
charge = -1.0
fraction = 0.5
)";
inline const std::string salt = R"(
[system]
dimension = 3
box = { periodic = false }
lattice = { type = "sc", repeat = [2, 2, 2], constant = 1.5 }
)" + ions;
inline const std::string plasma = R"(
[system]
dimension = 2
box = { density = 0.6 }
lattice = { type = "square", repeat = [8, 8] }
)" + ions;
/// Molecules of four atoms with one kind of bonded term, of type AA.
inline std::string molecules(const BondedInfo& info) {
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

inline const std::string coefficients = R"(
[system]
dimension = 3
file = "coefficients.data"
exclude = 3
)";

inline const std::string bent_chains = R"(
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

inline const std::string fast_chains = bent_chains + "level = \"fast\"\n";

inline const std::string force = "[[force]]\ntype = \"wca\"\nepsilon = 1\nsigma = 1\n";
inline const std::string linear_force =
    "[[force]]\ntype = \"uniform-field\"\nstrength = [0.0, 0.0, 0.1]\nlevel = \"fast\"\n";
inline const std::string method = "[integrator]\nmethod = \"verlet\"\ndt = 0.001\n";
inline const std::string run_table = "[run]\nsteps = 100_000\n";

} // namespace shadow::test::reference
