# SPDX-License-Identifier: BSD-3-Clause
"""Molecules: their energies and forces against NumPy, how they start, what is refused."""

import math
import pathlib
import subprocess
import sys

import h5py
import numpy as np
import pytest
from harness import mdrun
from runs import BAOAB, CHAIN_FORCES, CHAINS, FORCE, THERMO, Folder, one_stage, refuse_difference

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
        "periodic-dihedral": sum(1.4 * (1 + np.cos(3 * dihedral(x, *range(i, i + 4)) - 20 * degree))
                                 for i in range(2)),
    }


def forces(x, h=1e-5):
    """By differences, which leave h^2 / 6 of the third derivative: some 1e-7."""
    f = np.zeros_like(x)
    for index in np.ndindex(*x.shape):
        up, down = x.copy(), x.copy()
        up[index] += h
        down[index] -= h
        f[index] = -(sum(energies(up).values()) - sum(energies(down).values())) / (2 * h)
    return f


#: As species have charges, the five atoms of the chain are five species.
NAMED = VACUUM.replace('"C", "C", "C", "C", "C"', '"C0", "C1", "C2", "C3", "C4"')


def vacuum(tmp_path):
    folder = Folder(tmp_path / "run", NAMED)
    (folder.path / "start.xyz").write_text(start_text())
    return folder


def test_energies_and_forces_are_those_of_numpy(tmp_path):
    folder = vacuum(tmp_path)
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        everything = file["particles/all"]
        places, force = everything["position/value"][...], everything["force/value"][...]
        assert np.abs(places[-1] - places[0]).max() > 0.1
        for k, x in enumerate(places):
            terms = energies(x)
            for name, energy in terms.items():
                found = file[f"observables/potential_energy_{name}/value"][k]
                assert found == pytest.approx(energy, rel=1e-10, abs=1e-10), name
            total = sum(terms.values())
            assert file["observables/potential_energy/value"][k] == pytest.approx(total, rel=1e-10)
            assert everything["potential_energy/value"][k].sum() == pytest.approx(total, rel=1e-10)
            assert np.abs(force[k] - forces(x)).max() < 1e-5
        energy = file["observables/total_energy/value"][...]
        momentum = file["observables/momentum/value"][...]
    # Verlet: h^2 times the fastest frequency squared over eight, of energies of some units.
    assert np.ptp(energy) < 2e-3
    assert np.abs(momentum).max() < 1e-12


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


def test_a_data_file_is_the_same_as_tables(tmp_path):
    """Frames of both runs have the same bits."""
    first = vacuum(tmp_path)
    first.run()
    system, rest = VACUUM.split("[[molecule]]")[0], VACUUM[VACUUM.index("[[force]]"):]
    text = system.replace('"start.xyz"', '"start.data"\nexclude = 3') + rest
    folder = Folder(tmp_path / "data", text.replace('of = "dihedral"', 'of = "1"'))
    (folder.path / "start.data").write_text(DATA)
    said = folder.run().err
    assert "Dihedral Coeffs are not read" in said
    with h5py.File(first.path / "out.h5") as a, h5py.File(folder.path / "out.h5") as b:
        assert np.array_equal(a["particles/all/position/value"][...],
                              b["particles/all/position/value"][...])


def test_the_bits_of_chains_do_not_depend_on_threads(tmp_path):
    text = one_stage(BAOAB, 200, THERMO, CHAINS, FORCE + CHAIN_FORCES)
    one = Folder(tmp_path / "one", text)
    two = Folder(tmp_path / "two", text, "compute.threads=2")
    one.run()
    two.run()
    refuse_difference(one, two)


def test_bonds_are_kicked_more_often_than_pairs(tmp_path):
    """RESPA with bonds inside has the energy of Verlet with the short step."""
    levelled = FORCE + 'level = "slow"\n' + CHAIN_FORCES.replace("[[force]]", '[[force]]\nlevel = "fast"')
    levelled = levelled.replace("k = 400.0", "k = 4000.0")
    drift = {}
    for name, method in (("respa", 'method = "respa"\ndt = 0.008\ninner = 4'),
                         ("verlet", 'method = "verlet"\ndt = 0.008')):
        folder = Folder(tmp_path / name, one_stage(method, 200, THERMO, CHAINS, levelled),
                        "compute.precision=double")
        folder.run()
        with h5py.File(folder.path / "out.h5") as file:
            drift[name] = np.ptp(file["observables/total_energy/value"][...])
    assert drift["respa"] < 0.25 * drift["verlet"]


def check(tmp_path, text):
    (tmp_path / "in.toml").write_text(text)
    (tmp_path / "start.xyz").write_text(start_text())
    (tmp_path / "start.data").write_text(DATA)
    return mdrun("in.toml", "--check", cwd=tmp_path)


MELT = one_stage(BAOAB, 10, THERMO, CHAINS, FORCE + CHAIN_FORCES)


@pytest.mark.parametrize("text, says", [
    (MELT.replace("exclude = 1\n", ""), "without `exclude`"),
    (MELT.replace("count = 32", "count = 31"), "512 places for 496 atoms"),
    (MELT.replace("[0, 1, 2] }", "[0, 1, 16] }"), "counted from 0"),
    (MELT.replace(CHAIN_FORCES, ""), '"bond" without a force'),
    (MELT.replace('harmonic-bond"\nk = 400.0\nr0', 'fene-bond"\nk = 30.0\nr_max').replace("1.1\n", "0.9\n"),
     "infinite from r_max on"),
    (MELT.replace('type = "sc"', 'type = "fcc"').replace("8, 8, 8", "8, 4, 4"), "from neighbour to neighbour"),
    (MELT.replace('type = "thermo"', 'type = "heat-flux"'), "cosine-angle"),
    (MELT.replace('type = "thermo"', 'type = "configurational"'), "harmonic-bond"),
    (VACUUM, "atom \"C\""),
    (VACUUM.replace('"C", "C", "C", "C", "C"', '"C1", "C0", "C2", "C3", "C4"'), "order of the file"),
    (NAMED.replace('"start.xyz"', '"start.xyz"\nexclude = 3'), "beside [[molecule]]"),
    (NAMED.replace('"start.xyz"', '"start.data"').replace("[1, 2, 3, 4] }]", "[4, 2, 3, 1] }]"),
     "that bonds other particles"),
    (VACUUM.replace("dimension = 3", "dimension = 2"), "2"),
], ids=["no exclude", "count", "atom number", "no force", "too long", "no path", "heat flux",
        "configurational", "no such atom", "order", "exclude twice", "other bonds", "plane"])
def test_refused(text, says, tmp_path):
    result = check(tmp_path, text)
    assert result.status == 2
    assert says in result.err


def test_a_file_with_bonds_needs_exclude(tmp_path):
    text = VACUUM.split("[[molecule]]")[0].replace('"start.xyz"', '"start.data"')
    result = check(tmp_path, text + VACUUM[VACUUM.index("[[force]]"):])
    assert result.status == 2
    assert "without `exclude`" in result.err


def test_messages_name_atoms_as_the_data_file_does(tmp_path):
    """Its ids are counted from 1."""
    system = VACUUM.split("[[molecule]]")[0].replace('"start.xyz"', '"start.data"\nexclude = 3')
    rest = VACUUM[VACUUM.index("[[force]]"):]
    fene = rest.replace('"harmonic-bond"\nof = "bond"\nk = 80.0\nr0 = 1.1',
                        '"fene-bond"\nof = "bond"\nk = 30.0\nr_max = 1.12')
    assert "fene-bond of particles 3, 4 at the start" in check(tmp_path, system + fene).err
    tables = VACUUM[VACUUM.index("[[molecule]]"):].replace(
        '"C", "C", "C", "C", "C"', '"C0", "C1", "C2", "C4", "C3"')
    said = check(tmp_path, system.replace("exclude = 3\n", "") + tables).message()
    assert 'particle 4 of the file is of species "C3"' in said


def test_results_hand_over_their_bonds(tmp_path):
    """A run from the results of another has the forces of one that never stopped."""
    first = Folder(tmp_path / "first", one_stage(BAOAB, 100, THERMO, CHAINS, FORCE + CHAIN_FORCES))
    first.run()
    with h5py.File(first.path / "out.h5") as file:
        topology = file["parameters/topology"]
        bonds, excluded = topology["bonds"][...], topology["excluded"][...]
        assert bonds.shape == (32 * 15, 2) and np.array_equal(bonds, excluded)
        assert list(topology["bonds_types"].asstr()) == ["bond"]
        energy = file["observables/potential_energy/value"][-1]
    start = """\
[system]
dimension = 3
file = "../first/NAME"
"""
    tables = CHAINS[CHAINS.index("[[molecule]]"):]
    tool = pathlib.Path(__file__).parents[2] / "tools/mdexport"
    subprocess.run([sys.executable, tool, first.path / "out.h5", "--to", "lammps-data"], check=True)
    for name, more in (("out.data", ""), ("out.h5", ""), ("out.checkpoint.h5", ""), ("out.h5", tables)):
        named = start.replace("NAME", name) + ("exclude = 1\n" if name == "out.data" else "")
        text = one_stage(BAOAB, 0, THERMO, named + more, FORCE + CHAIN_FORCES)
        folder = Folder(tmp_path / f"next_{name}_{len(more)}", text)
        folder.run()
        with h5py.File(folder.path / "out.h5") as file:
            assert file["observables/potential_energy/value"][0] == pytest.approx(energy, rel=1e-6)


WATER = """\
[system]
dimension = 3
box = { lengths = [12.0, 12.0, 12.0] }
lattice = { type = "sc", repeat = [3, 3, 3], constant = 4.0 }
[[species]]
name = "O"
charge = -0.8
[[species]]
name = "H"
charge = 0.5
[[species]]
name = "X"
charge = 0.3
[[molecule]]
count = 27
atoms = ["O", "H", "X"]
places = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [-0.3, 0.9, 0.0]]
exclude = 2
bonds = [{ atoms = [0, 1] }, { atoms = [0, 2] }]
[[force]]
type = "harmonic-bond"
k = 100.0
r0 = 1.0
[[force]]
type = "coulomb-dsf"
alpha = 0.25
cutoff = 5.0
[integrator]
method = "verlet"
dt = 0.001
[run]
steps = 0
[[observe]]
type = "energy-terms"
[compute]
precision = "double"
[output]
prefix = "out"
trajectory = { every = 1 }
"""


def test_damped_charges_of_molecules(tmp_path):
    """Against all pairs, selves and excluded pairs in NumPy."""
    folder = Folder(tmp_path / "run", WATER)
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        x = file["particles/all/position/value"][0]
        found = {name: file[f"observables/potential_energy_{name}/value"][0]
                 for name in ("coulomb-dsf", "coulomb-dsf_excluded")}
    q = np.tile([-0.8, 0.5, 0.3], 27)
    dx = x[:, None] - x
    dx -= 12.0 * np.round(dx / 12.0)
    r = np.linalg.norm(dx, axis=-1)
    i, j = np.triu_indices(81, 1)
    r, qq, alike = r[i, j], q[i] * q[j], i // 3 == j // 3
    erfc = np.vectorize(math.erfc)
    end = math.erfc(0.25 * 5.0) / 5.0
    slope = -(end + 0.5 / math.sqrt(math.pi) * math.exp(-1.25**2)) / 5.0
    damped = np.where(r < 5.0, erfc(0.25 * r) / r - end - slope * (r - 5.0), 0.0)
    alone = -np.sum(q**2) * ((end - 5.0 * slope) / 2 + 0.25 / math.sqrt(math.pi))
    assert found["coulomb-dsf"] == pytest.approx(np.sum((qq * damped)[~alike]) + alone, rel=1e-10)
    assert found["coulomb-dsf_excluded"] == pytest.approx(np.sum((qq * (damped - 1 / r))[alike]), rel=1e-10)


def wrapped(images):
    """The data file in a periodic box of length 10, with a face through the second bond."""
    x = PLACES[:, 0] - 1.3
    rows = [f"{k + 1} 1 {min(k, 6) + 1} {CHARGES[k]} {x[k] % 10.0} {y} {z}"
            + (f" {int(x[k] // 10.0)} 0 0\n" if images else "\n")
            for k, (_, y, z) in enumerate(PLACES.tolist())]
    before, after = DATA[:DATA.index("Atoms")], DATA[DATA.index("\nBonds\n"):]
    return before.replace("-50 50", "0 10") + "Atoms # full\n\n" + "".join(rows) + after


@pytest.mark.parametrize("box, images, says", [
    ("periodic = false", False, "is 10 long and this one open"),
    ("lengths = [10.0, 10.0, 10.0], periodic = false", False, "is 10 long and this one open"),
    ("lengths = [30.0, 10.0, 10.0]", True, "is 10 long and this one 30"),
    ("periodic = false", True, None)])
def test_bonds_through_a_face_are_not_torn(box, images, says, tmp_path):
    """Where the input opens the box of a file, images make molecules whole."""
    system = VACUUM.split("[[molecule]]")[0].replace("periodic = false", box).replace(
        '"start.xyz"', '"start.data"\nexclude = 3')
    folder = Folder(tmp_path / "run", system + VACUUM[VACUUM.index("[[force]]"):])
    (folder.path / "start.data").write_text(wrapped(images))
    if says:
        result = mdrun(*folder.arguments("--check"), cwd=folder.path)
        assert result.status == 2
        for part in ("a bond torn along x", says, "atoms 2 and 3 are 9.6 apart"):
            assert part in result.message()
        return
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        found = file["observables/potential_energy/value"][0]
        assert found == pytest.approx(sum(energies(PLACES).values()), rel=1e-9)


def test_a_renamed_bond_is_named(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(BAOAB, 20, THERMO, CHAINS, FORCE + CHAIN_FORCES))
    folder.run()
    text = (folder.path / "in.toml").read_text()
    (folder.path / "in.toml").write_text(text.replace("[0, 1] }", '[0, 1], type = "AA" }'))
    said = mdrun(*folder.arguments("--resume"), cwd=folder.path).message()
    assert 'the bond of atoms 0, 1 was of type "bond" and is of type "AA" now' in said


def test_a_changed_file_is_not_gone_on_with(tmp_path):
    text = VACUUM.split("[[molecule]]")[0].replace('"start.xyz"', '"start.data"\nexclude = 3').replace(
        "box = { periodic = false }\n", "").replace("cutoff = inf", "cutoff = 3.0")
    rest = VACUUM[VACUUM.index("[[force]]"):].replace("cutoff = inf", "cutoff = 3.0").replace(
        '[[force]]\ntype = "coulomb"\n', "")
    folder = Folder(tmp_path / "run", text + rest)
    (folder.path / "start.data").write_text(DATA)
    folder.run("--set", "run.steps=20")
    for old, new, why in (("-50 50 xlo", "-50 51 xlo", "another box"),
                          ("\n4 1 4 5\n", "\n4 1 3 5\n", "the bond of atoms 3, 5 was not there")):
        (folder.path / "start.data").write_text(DATA.replace(old, new))
        result = mdrun(*folder.arguments("--resume"), cwd=folder.path)
        assert result.status == 2 and why in result.err
    (folder.path / "start.data").write_text(DATA)
    folder.run("--resume")
