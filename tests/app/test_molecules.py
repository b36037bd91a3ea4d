# SPDX-License-Identifier: BSD-3-Clause
"""Molecules: their energies and forces against NumPy, threads, levels, what is refused."""

import math

import h5py
import numpy as np
import pytest
from molecule_inputs import NAMED, SCALE, SCALED, VACUUM, check, energies, scaled_energies, vacuum
from runs import (BAOAB, CHAIN_FORCES, CHAINS, FORCE, STIFF_CHAIN_FORCES, THERMO, Folder, one_stage,
                  refuse_difference)


def forces(energies_of, x, h=1e-5):
    """By differences, which leave h^2 / 6 of the third derivative: some 1e-7."""
    f = np.zeros_like(x)
    for index in np.ndindex(*x.shape):
        up, down = x.copy(), x.copy()
        up[index] += h
        down[index] -= h
        f[index] = -(sum(energies_of(up).values()) - sum(energies_of(down).values())) / (2 * h)
    return f


#: One of the two scaled pairs has parameters of its own.
OWN = SCALED.replace("cutoff = inf\n", """cutoff = inf
pairs_14 = [{ species = ["C0", "C3"], epsilon = 0.3, sigma = 1.0 }]
""", 1)


def own_energies(x):
    lj = sum(4 * epsilon * ((sigma / r)**12 - (sigma / r)**6) for epsilon, sigma, r in
             ((0.3, 1.0, np.linalg.norm(x[0] - x[3])), (0.8, 1.1, np.linalg.norm(x[1] - x[4]))))
    return {**scaled_energies(x, 0.5, 0.8333), "lennard-jones_14": 0.5 * lj}


@pytest.mark.parametrize("text, energies_of", [
    (NAMED, energies), (SCALED, lambda x: scaled_energies(x, 0.5, 0.8333)), (OWN, own_energies)],
    ids=["excluded", "scaled", "parameters of their own"])
def test_energies_and_forces_are_those_of_numpy(text, energies_of, tmp_path):
    folder = vacuum(tmp_path, text)
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        everything = file["particles/all"]
        places, force = everything["position/value"][...], everything["force/value"][...]
        assert np.abs(places[-1] - places[0]).max() > 0.1
        names = {name.removeprefix("potential_energy_") for name in file["observables"]
                 if name.startswith("potential_energy_")}
        assert names == set(energies_of(places[0]))
        for k, x in enumerate(places):
            terms = energies_of(x)
            for name, energy in terms.items():
                found = file[f"observables/potential_energy_{name}/value"][k]
                assert found == pytest.approx(energy, rel=1e-10, abs=1e-10), name
            total = sum(terms.values())
            assert file["observables/potential_energy/value"][k] == pytest.approx(total, rel=1e-10)
            assert everything["potential_energy/value"][k].sum() == pytest.approx(total, rel=1e-10)
            assert np.abs(force[k] - forces(energies_of, x)).max() < 1e-5
        energy = file["observables/total_energy/value"][...]
        momentum = file["observables/momentum/value"][...]
    # Verlet: h^2 times the fastest frequency squared over eight, of energies of some units.
    assert np.ptp(energy) < 2e-3
    assert np.abs(momentum).max() < 1e-12


def test_the_bits_of_chains_do_not_depend_on_threads(tmp_path):
    text = one_stage(BAOAB, 200, THERMO, CHAINS, FORCE + CHAIN_FORCES)
    one = Folder(tmp_path / "one", text)
    two = Folder(tmp_path / "two", text, "compute.threads=2")
    one.run()
    two.run()
    refuse_difference(one, two)


def test_bonds_are_kicked_more_often_than_pairs(tmp_path):
    """RESPA with bonds inside has the energy of Verlet with the short step."""
    drift = {}
    for name, method in (("respa", 'method = "respa"\ndt = 0.008\ninner = 4'),
                         ("verlet", 'method = "verlet"\ndt = 0.008')):
        folder = Folder(tmp_path / name, one_stage(method, 200, THERMO, CHAINS, STIFF_CHAIN_FORCES),
                        "compute.precision=double")
        folder.run()
        with h5py.File(folder.path / "out.h5") as file:
            drift[name] = np.ptp(file["observables/total_energy/value"][...])
    assert drift["respa"] < 0.25 * drift["verlet"]


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
    (NAMED.replace('"start.xyz"', '"start.xyz"\nexclude = 3'), "together with [[molecule]]"),
    (NAMED.replace('"start.xyz"', '"start.xyz"\n' + SCALE), "`scale_14` together with [[molecule]]"),
    (SCALED.replace("exclude = 3", "exclude = 4"), "together with exclude = 4"),
    (SCALED.replace("lj = 0.5", "lj = 2.0"), "lj = 2"),
    (OWN.replace(SCALE, ""), "where no pairs are scaled"),
    (NAMED.replace('"start.xyz"', '"start.data"').replace("[1, 2, 3, 4] }]", "[4, 2, 3, 1] }]"),
     "that bonds other particles"),
    (VACUUM.replace("dimension = 3", "dimension = 2"), "2"),
], ids=["no exclude", "count", "atom number", "no force", "too long", "no path", "heat flux",
        "configurational", "no such atom", "order", "exclude twice", "scale twice", "scale beyond 3", "scale factor", "none scaled",
        "other bonds", "plane"])
def test_refused(text, says, tmp_path):
    result = check(tmp_path, text)
    assert result.status == 2
    assert says in result.err


GROWN = """\
seed = 3
[system]
dimension = 3
box = { density = 0.85 }
lattice = { type = "insertion", distance = 0.8 }
velocity = { temperature = 1.0 }
[[molecule]]
count = 12
atoms = ["A"]
repeat = 40
bonds = [{ atoms = [0, 1] }]
exclude = 0
grow = { length = 0.97, distance = 1.02 }
"""
MELT_FORCES = """\
[[force]]
type = "wca"
epsilon = 1.0
sigma = 1.0
[[force]]
type = "fene-bond"
k = 30.0
r_max = 1.5
"""


def test_a_grown_melt_runs(tmp_path):
    """The start as the file has it, and bonds that hold in a bath."""
    folder = Folder(tmp_path / "run", one_stage(
        BAOAB, 2000, THERMO + '[[observe]]\ntype = "molecule-size"\nevery = 100\n', GROWN, MELT_FORCES))
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        x = file["particles/all/position/value"][...]
        length = (480 / 0.85)**(1 / 3)
        ends = file["observables/end_to_end_distance/value"][0]
        temperature = file["observables/temperature/value"][-20:]
    start = x[0].reshape(12, 40, 3)
    bonds = np.diff(start, axis=1)
    bonds -= length * np.round(bonds / length)
    np.testing.assert_allclose(np.linalg.norm(bonds, axis=-1), 0.97, rtol=1e-10)
    assert np.linalg.norm(bonds[:, 1:] + bonds[:, :-1], axis=-1).min() >= 1.02 - 1e-12
    assert ends == pytest.approx(np.linalg.norm(bonds.sum(axis=1), axis=-1).mean(), rel=1e-10)
    i, j = np.triu_indices(480, 3)
    apart = x[0][i] - x[0][j]
    apart -= length * np.round(apart / length)
    assert np.linalg.norm(apart, axis=-1).min() >= 0.8
    # What the start had more is gone after 8 relaxation times; sqrt(2 / 1440) = 0.037 at each time.
    assert abs(temperature.mean() - 1.0) < 0.15


@pytest.mark.parametrize("old, new, says", [
    ("distance = 0.8 ", "distance = 1.1 ", "dead ends"),
    ("distance = 0.8 ", "distance = -0.8 ", "distance -0.8"),
    ("distance = 0.8 ", "distance = nan ", "nan"),
    ("distance = 0.8 ", "distance = 0.8, count = 3 ", "count"),
    ("density = 0.85", "periodic = true", "box.density"),
    ("distance = 1.02", "distance = 1.93", "in a line"),
    ("length = 0.97", "length = 3.0", "lengthen the box"),
    ("grow = {", "unused = {", "neither `places` nor `grow`"),
], ids=["too dense", "negative", "nan", "count", "no region", "straight", "small box", "no way"])
def test_insertion_refused(old, new, says, tmp_path):
    assert old in GROWN
    result = check(tmp_path, one_stage(BAOAB, 10, THERMO, GROWN.replace(old, new), MELT_FORCES))
    assert result.status == 2
    assert says in result.err


def test_a_file_needs_no_walk(tmp_path):
    text = VACUUM.replace('atoms = ["C", "C", "C", "C", "C"]',
                          'atoms = ["C0", "C1", "C2", "C3", "C4"]\ngrow = { length = 1.0, distance = 1.0 }')
    result = check(tmp_path, text)
    assert result.status == 2 and "grow together with system.file" in result.err


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
