# SPDX-License-Identifier: BSD-3-Clause
"""Two small molecules in a vacuum: as tables, as a data file, and their energies by NumPy."""

import numpy as np
from harness import mdrun
from runs import Folder

#: One chain of four and one bent molecule of three, far enough from each other to tell them apart.
VACUUM = """\
[system]
dimension = 3
box = { periodic = false }
file = "start.xyz"
[[molecule]]
count = 1
atoms = ["C", "C", "C", "C", "C"]
bonds = [{ atoms = [0, 1] }, { atoms = [1, 2] }, { atoms = [2, 3] }, { atoms = [3, 4] }]
angles = [{ atoms = [0, 1, 2] }, { atoms = [1, 2, 3] }, { atoms = [2, 3, 4] }]
dihedrals = [{ atoms = [0, 1, 2, 3] }, { atoms = [1, 2, 3, 4] }]
exclude = 3
[[molecule]]
name = "bent"
count = 1
atoms = ["O", "H", "H"]
bonds = [{ atoms = [0, 1], type = "OH" }, { atoms = [0, 2], type = "OH" }]
angles = [{ atoms = [1, 0, 2], type = "HOH" }]
exclude = 2
[[force]]
type = "lennard-jones"
epsilon = 0.8
sigma = 1.1
cutoff = inf
[[force]]
type = "coulomb"
[[force]]
type = "harmonic-bond"
of = "bond"
k = 80.0
r0 = 1.1
[[force]]
type = "morse-bond"
of = "OH"
depth = 30.0
a = 1.7
r0 = 0.9
[[force]]
type = "harmonic-angle"
of = "angle"
k = 20.0
theta0 = 112.0
[[force]]
type = "cosine-angle"
of = "HOH"
k = 9.0
[[force]]
type = "urey-bradley"
of = "HOH"
k = 15.0
r0 = 1.5
[[force]]
type = "periodic-dihedral"
k = 1.4
n = 3
phase = 20.0
[integrator]
method = "verlet"
dt = 0.002
[run]
steps = 300
[[observe]]
type = "thermo"
every = 10
[[observe]]
type = "energy-terms"
every = 10
[compute]
precision = "double"
[output]
prefix = "out"
trajectory = { every = 10, fields = ["position", "velocity", "force", "potential_energy"] }
"""
PLACES = np.array([[0.0, 0.0, 0.0], [1.1, 0.1, 0.0], [1.5, 1.1, 0.1], [2.6, 1.2, 0.3], [3.0, 2.2, 0.0],
                   [1.0, 3.0, 2.0], [1.9, 3.1, 2.1], [0.6, 3.8, 2.2]])
CHARGES = np.array([0.2, -0.2, 0.0, 0.1, -0.1, -0.8, 0.4, 0.4])
EXCLUDED = {(0, 1), (1, 2), (2, 3), (3, 4), (0, 2), (1, 3), (2, 4), (0, 3), (1, 4), (5, 6), (5, 7), (6, 7)}


def start_text(charges=CHARGES):
    rows = [f"{kind} {x} {y} {z} {q}" for kind, (x, y, z), q in
            zip(["C0", "C1", "C2", "C3", "C4", "O", "H", "H"], PLACES.tolist(), charges)]
    return "8\nProperties=species:S:1:pos:R:3:charge:R:1\n" + "\n".join(rows) + "\n"


def distance(x, i, j):
    return np.linalg.norm(x[i] - x[j])


def angle(x, i, j, k):
    a, b = x[i] - x[j], x[k] - x[j]
    return np.arccos(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def dihedral(x, i, j, k, l):
    first, middle, last = x[j] - x[i], x[k] - x[j], x[l] - x[k]
    left, right = np.cross(first, middle), np.cross(middle, last)
    return np.arctan2(np.linalg.norm(middle) * (first @ right), left @ right)


def energies(x):
    """By term."""
    pairs = [(i, j) for i in range(8) for j in range(i + 1, 8) if (i, j) not in EXCLUDED]
    r = np.array([distance(x, i, j) for i, j in pairs])
    q = np.array([CHARGES[i] * CHARGES[j] for i, j in pairs])
    degree = np.pi / 180.0
    return {
        "lennard-jones": np.sum(4 * 0.8 * ((1.1 / r)**12 - (1.1 / r)**6)),
        "coulomb": np.sum(q / r),
        "harmonic-bond": sum(40.0 * (distance(x, i, i + 1) - 1.1)**2 for i in range(4)),
        "morse-bond": sum(30.0 * (1 - np.exp(-1.7 * (distance(x, 5, i) - 0.9)))**2 for i in (6, 7)),
        "harmonic-angle": sum(10.0 * (angle(x, i, i + 1, i + 2) - 112 * degree)**2 for i in range(3)),
        "cosine-angle": 9.0 * (1 + np.cos(angle(x, 6, 5, 7))),
        "urey-bradley": 7.5 * (distance(x, 6, 7) - 1.5)**2,
        "periodic-dihedral": sum(1.4 * (1 + np.cos(3 * dihedral(x, *range(i, i + 4)) - 20 * degree))
                                 for i in range(2)),
    }


def scaled_energies(x, lj, coulomb):
    """The same where the pairs at the ends of dihedrals are scaled."""
    r, q = np.array([[distance(x, i, i + 3), CHARGES[i] * CHARGES[i + 3]] for i in range(2)]).T
    return {**energies(x), "lennard-jones_14": lj * np.sum(4 * 0.8 * ((1.1 / r)**12 - (1.1 / r)**6)),
            "coulomb_14": coulomb * np.sum(q / r)}


#: As species have charges, the five atoms of the chain are five species.
NAMED = VACUUM.replace('"C", "C", "C", "C", "C"', '"C0", "C1", "C2", "C3", "C4"')
SCALE = "scale_14 = { lj = 0.5, coulomb = 0.8333 }\n"
SCALED = NAMED.replace("exclude = 3\n", "exclude = 3\n" + SCALE)


def vacuum(tmp_path, text=NAMED):
    folder = Folder(tmp_path / "run", text)
    (folder.path / "start.xyz").write_text(start_text())
    return folder


DATA = """\
five and three

8 atoms
7 atom types
6 bonds
2 bond types
4 angles
2 angle types
2 dihedrals
1 dihedral types
-50 50 xlo xhi
-50 50 ylo yhi
-50 50 zlo zhi

Masses

""" + "".join(f"{k} 1.0 # {name}\n" for k, name in
              enumerate(["C0", "C1", "C2", "C3", "C4", "O", "H"], 1)) + """
Bond Type Labels

1 bond
2 OH

Angle Type Labels

1 angle
2 HOH

Dihedral Coeffs

1 1.0 2.0 3.0

Atoms # full

""" + "".join(f"{k + 1} 1 {min(k, 6) + 1} {CHARGES[k]} {x} {y} {z}\n"
              for k, (x, y, z) in reversed(list(enumerate(PLACES.tolist())))) + """
Bonds

""" + "".join(f"{i + 1} 1 {i + 1} {i + 2}\n" for i in range(4)) + """\
5 OH 6 7
6 2 6 8

Angles

""" + "".join(f"{i + 1} 1 {i + 1} {i + 2} {i + 3}\n" for i in range(3)) + """\
4 HOH 7 6 8

Dihedrals

1 1 1 2 3 4
2 1 2 3 4 5
"""


def check(tmp_path, text):
    (tmp_path / "in.toml").write_text(text)
    (tmp_path / "start.xyz").write_text(start_text())
    (tmp_path / "start.data").write_text(DATA)
    return mdrun("in.toml", "--check", cwd=tmp_path)
