# SPDX-License-Identifier: BSD-3-Clause
"""The potential energy by its terms and the stress of particles, against NumPy from the frames of the same run."""

import math

import h5py
import numpy as np
import pytest
from analysis_run import box_lengths
from harness import mdrun
from runs import Folder

CUTOFF, ALPHA = 2.4, 0.4
START = """\
seed = 5
[system]
dimension = DIM
box = { density = 0.7 }
lattice = { type = "LATTICE", repeat = REPEAT, jitter = 0.02 }
velocity = { temperature = 0.8 }
[[species]]
name = "A"
mass = 1.0
charge = 0.5
fraction = 0.5
[[species]]
name = "B"
mass = 2.5
charge = -0.5
fraction = 0.5
"""
LENNARD_JONES = f'[[force]]\ntype = "lennard-jones"\nepsilon = 1.0\nsigma = 1.0\ncutoff = {CUTOFF}\n'
CHARGES = f'[[force]]\ntype = "coulomb-dsf"\nalpha = {ALPHA}\ncutoff = {CUTOFF}\n'
REPULSION = '[[force]]\ntype = "wca"\nepsilon = 0.5\nsigma = 0.9\n'
END = """\
[integrator]
METHOD
[run]
steps = 30
equilibration = 0
[[observe]]
type = "thermo"
every = 10
[[observe]]
type = "energy-terms"
every = 10
[output]
prefix = "out"
trajectory = { every = 10, fields = ["position", "velocity", "stress"] }
"""
VERLET = 'method = "verlet"\ndt = 0.003'
NOSE = 'method = "nose-poincare"\ndt = 0.003\ntemperature = 0.8\nmass = 0.5'
RESPA = 'method = "respa"\ndt = 0.004\ninner = 2'
BAOAB = 'method = "baoab"\ndt = 0.003\ntemperature = 0.8\nfriction = 1.0'


erfc = np.vectorize(math.erfc)


def lennard_jones(r, q):
    return 4 * (r ** -12 - r ** -6) - 4 * (CUTOFF ** -12 - CUTOFF ** -6), 48 * r ** -13 - 24 * r ** -7


def damped(r):
    """v = erfc(alpha r)/r and its slope."""
    v = erfc(ALPHA * r) / r
    return v, -v / r - 2 * ALPHA / np.sqrt(np.pi) * np.exp(-(ALPHA * r) ** 2) / r


def charges(r, q):
    (v, slope), (v_end, slope_end) = damped(r), damped(CUTOFF)
    return q * (v - v_end - slope_end * (r - CUTOFF)), -q * (slope - slope_end)


def repulsion(r, q):
    near, x = r < 0.9 * 2 ** (1 / 6), r / 0.9
    return near * (2 * (x ** -12 - x ** -6) + 0.5), near * (24 * x ** -13 - 12 * x ** -7) / 0.9


def own_energy(q):
    """Of charges by themselves."""
    v, slope = damped(CUTOFF)
    return -(q ** 2 * ((v - CUTOFF * slope) / 2 + ALPHA / np.sqrt(np.pi))).sum()


def pairs(x, length, q):
    d = x[:, None] - x[None]
    d -= length * np.round(d / length)
    r = np.sqrt((d ** 2).sum(axis=2))
    np.fill_diagonal(r, np.inf)
    return d, r, np.outer(q, q)


#: Forces and their terms; those of the first and the second are computed in one pass.
CASES = {
    "one pass": ([LENNARD_JONES + 'truncation = "shift"\n', CHARGES],
                 {"lennard-jones": lennard_jones, "coulomb-dsf": charges}),
    "three": ([CHARGES, LENNARD_JONES + 'truncation = "shift"\n', REPULSION],
              {"coulomb-dsf": charges, "lennard-jones": lennard_jones, "wca": repulsion}),
    "two of a type": ([REPULSION, REPULSION], {"wca": repulsion, "wca_2": repulsion}),
    "one": ([CHARGES], {"coulomb-dsf": charges}),
}


def start(dimension):
    lattice, repeat = {2: ("triangular", [8, 8]), 3: ("fcc", [4, 4, 4])}[dimension]
    return START.replace("DIM", str(dimension)).replace("LATTICE", lattice).replace("REPEAT", str(repeat))


def read(path):
    with h5py.File(path) as file:
        series = {name: item["value"][:] for name, item in file["observables"].items()}
        frames = {name: file[f"particles/all/{name}/value"][:] for name in ("position", "velocity", "stress")}
        assert file["particles/all/stress/value"].attrs["quantity"] == "energy"
        return series, frames, np.ravel(file["particles/all/species"][()]), box_lengths(file["particles/all"])


@pytest.mark.parametrize("precision, digits", [("double", 1e-9), ("mixed", 2e-4)])
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("name, method", [("one pass", VERLET), ("one pass", NOSE), ("three", BAOAB),
                                          ("two of a type", VERLET), ("one", NOSE)])
def test_terms_and_stress_are_those_of_pairs(tmp_path, name, method, dimension, precision, digits):
    forces, terms = CASES[name]
    text = start(dimension) + "".join(forces) + END.replace("METHOD", method)
    folder = Folder(tmp_path / "run", text, f"compute.precision={precision}")
    folder.run()
    series, frames, species, length = read(folder.path / "out.h5")
    q, mass = np.where(species == 0, 0.5, -0.5), np.where(species == 0, 1.0, 2.5)
    assert {n for n in series if n.startswith("potential_energy_")} == {f"potential_energy_{n}" for n in terms}
    both = [(a, b) for a in range(dimension) for b in range(a, dimension)]
    both.sort(key=lambda ab: (ab[0] != ab[1], ab))  # xx, yy, zz, xy, xz, yz
    for k, x in enumerate(frames["position"]):
        d, r, qq = pairs(x, length, q)
        v = frames["velocity"][k]
        if method != BAOAB:
            v = v - np.average(v, axis=0, weights=mass)
        pressure = np.einsum("i,ia,ib->iab", mass, v, v)
        for term, potential in terms.items():
            u, f = (np.where(r < CUTOFF, part, 0.0) for part in potential(np.where(r < CUTOFF, r, 1.0), qq))
            own = own_energy(q) if term == "coulomb-dsf" else 0.0
            assert series[f"potential_energy_{term}"][k] == pytest.approx(0.5 * u.sum() + own, rel=1e-9), term
            pressure += 0.5 * np.einsum("ij,ija,ijb->iab", f / r, d, d)
        stress = -np.array([pressure[:, a, b] for a, b in both]).T
        assert np.allclose(frames["stress"][k], stress, rtol=1e-9, atol=1e-9)
        total = sum(series[f"potential_energy_{term}"][k] for term in terms)
        assert total == pytest.approx(series["potential_energy"][k], rel=digits)
        trace = frames["stress"][k][:, :dimension].sum()
        assert -trace / dimension / length.prod() == pytest.approx(series["pressure"][k], rel=digits, abs=digits)


def test_the_motion_of_the_whole_is_no_stress(tmp_path):
    # A bath has given the start a momentum, which Verlet keeps.
    forces = "".join(CASES["one pass"][0])
    first = Folder(tmp_path / "first", start(2) + forces + END.replace("METHOD", BAOAB.replace("friction = 1.0", "friction = 50.0")))
    first.run()
    system = '[system]\ndimension = 2\nfile = "../first/out.h5"\n'
    folder = Folder(tmp_path / "run", system + forces + END.replace("METHOD", VERLET), "compute.precision=double")
    folder.run()
    series, frames, species, length = read(folder.path / "out.h5")
    mass = np.where(species == 0, 1.0, 2.5)
    assert np.abs(np.average(frames["velocity"][0], axis=0, weights=mass)).max() > 1e-3
    trace = frames["stress"][:, :, :2].sum(axis=(1, 2))
    assert -trace / 2 / length.prod() == pytest.approx(series["pressure"], rel=1e-9)


def test_parts_of_a_split_force_are_terms(tmp_path):
    split = LENNARD_JONES + 'truncation = "shift"\nsplit = { inner = 1.5, outer = 2.0 }\n'
    text = start(3) + split + END.replace("METHOD", RESPA)
    folder = Folder(tmp_path / "run", text, "compute.precision=double")
    folder.run()
    series = read(folder.path / "out.h5")[0]
    for part in ("fast", "slow"):
        assert series[f"potential_energy_lennard-jones_{part}"] == \
            pytest.approx(series[f"potential_energy_{part}"], rel=1e-10)


def test_a_term_has_its_correction_for_the_cut_off(tmp_path):
    text = start(3) + LENNARD_JONES + "tail = true\n" + END.replace("METHOD", VERLET)
    folder = Folder(tmp_path / "run", text, "compute.precision=double")
    folder.run()
    series = read(folder.path / "out.h5")[0]
    assert series["potential_energy_lennard-jones"] == pytest.approx(series["potential_energy"], rel=1e-10)


def test_stress_in_the_frames_does_not_change_a_run_that_is_resumed(tmp_path):
    text = start(2) + "".join(CASES["one pass"][0]) + END.replace("METHOD", VERLET)
    whole, parts = Folder(tmp_path / "whole", text), Folder(tmp_path / "parts", text)
    whole.run()
    parts.run("--set", "run.steps=10")
    parts.run("--resume")
    with h5py.File(whole.path / "out.h5") as one, h5py.File(parts.path / "out.h5") as other:
        for name in ("particles/all/stress", "observables/potential_energy_coulomb-dsf"):
            assert (one[f"{name}/value"][:] == other[f"{name}/value"][:]).all()


#: Forces that one table sums, each with its mean-field correction.
TAILS = [LENNARD_JONES + "tail = true\n",
         f'[[force]]\ntype = "mie"\nepsilon = 1.0\nsigma = 1.0\nn = 14\nm = 7\ncutoff = {CUTOFF}\ntail = true\n',
         f'[[force]]\ntype = "yukawa"\na = 1.0\nkappa = 2.0\ncutoff = {CUTOFF}\ntail = true\n']


@pytest.mark.parametrize("order", [(0, 1), (1, 0), (0, 1, 2), (2, 1)])
def test_each_term_has_its_own_tail(tmp_path, order):
    """As it has where it is the only force; and their sum is the potential energy."""
    def energies(name, forces):
        folder = Folder(tmp_path / name, start(3) + forces + END.replace("METHOD", VERLET), "compute.precision=double", "run.steps=10")
        folder.run()
        with h5py.File(folder.path / "out.h5") as file:
            return {key: file[f"observables/{key}/value"][0] for key in file["observables"] if key.startswith("potential_energy")}

    together = energies("together", "".join(TAILS[k] for k in order))
    for k in order:
        alone = energies(f"alone{k}", TAILS[k])
        (name,) = set(alone) - {"potential_energy"}
        assert together[name] == pytest.approx(alone[name], rel=1e-5), name
    total = together.pop("potential_energy")
    assert total == pytest.approx(sum(together.values()), rel=1e-6)


def test_terms_of_no_force_are_refused(tmp_path):
    (tmp_path / "in.toml").write_text(start(2) + END.replace("METHOD", VERLET))
    assert "energy-terms of a system without forces" in mdrun("in.toml", cwd=tmp_path).message()
