# SPDX-License-Identifier: BSD-3-Clause
"""Pair potentials as formulas and tables: the same run as with a compiled one, and restarts."""

import h5py
import numpy as np
import pytest
from curve_inputs import YUKAWA, formula, lennard_jones, made, mie, series, table, write_rows
from harness import mdrun
from runs import BAOAB, refuse_difference

ENDS = ["cutoff = 2.5\n", 'cutoff = 2.5\ntruncation = "shift"\n', 'cutoff = 2.5\ntruncation = "force-shift"\n',
        'cutoff = 2.5\ntruncation = "smooth-c2"\ninner = 2.0\n',
        'cutoff = 2.5\ntruncation = "shift"\nsplit = { inner = 1.3, outer = 1.7 }\n']


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("other", [formula, mie, table])
def test_it_is_the_run_of_the_compiled_potential(tmp_path, other, end):
    """For 40 steps, in which a force off by 1e-6 moves particles by less than 1e-7; rows of a file 0.002 apart
    are good to h^3 u''''/24, some 1e-5 of the force. What a smooth end adds at its kink is below that."""
    precise = 2e-5 if other is table else 3e-6
    compiled, curves = made(tmp_path, lennard_jones(end), "lj"), made(tmp_path, other(end), "curve")
    compiled.run()
    curves.run()
    a, b = series(compiled), series(curves)
    for name in ["potential_energy", "pressure", "total_energy", "hypervirial"]:
        if name in a:
            # The second derivative of a cubic spline is good to h^2, its slope to h^3.
            tolerance = 2e-4 if name == "hypervirial" else precise
            assert b[name] == pytest.approx(a[name], rel=tolerance, abs=tolerance * np.max(np.abs(a[name])))
    with h5py.File(compiled.path / "out.h5") as one, h5py.File(curves.path / "out.h5") as two:
        for name in ["position", "velocity", "potential_energy", "stress"]:
            x, y = (file[f"particles/all/{name}/value"][1] for file in (one, two))
            assert y == pytest.approx(x, abs=10 * precise * np.max(np.abs(x)))


def test_tails_are_those_of_the_compiled_potential(tmp_path):
    tail = "cutoff = 2.5\ntail = true\n"
    folders = [made(tmp_path, lennard_jones(tail), "lj"), made(tmp_path, formula(tail), "formula")]
    for folder in folders:
        folder.run()
    a, b = (series(folder) for folder in folders)
    for name in ["potential_energy", "pressure"]:
        assert b[name] == pytest.approx(a[name], rel=3e-6)


def test_a_shared_table_has_both_tails(tmp_path):
    """With nearly the same cut-off they are two passes: a difference of 1e-9 of what is there."""
    tail = "tail = true\ncutoff = "
    one = made(tmp_path, lennard_jones(tail + "2.5\n") + YUKAWA.replace("CUTOFF", "2.5"), "one")
    two = made(tmp_path, lennard_jones(tail + "2.5\n") + YUKAWA.replace("CUTOFF", "2.500000001"), "two")
    for folder in (one, two):
        folder.run()
    a, b = (series(folder) for folder in (one, two))
    for name in ["potential_energy", "pressure"]:
        assert a[name] == pytest.approx(b[name], rel=3e-6)


def test_a_reaction_field_shares_the_pass_of_dispersion(tmp_path):
    """Dispersion and a reaction field: one pass and two, against the sum in NumPy."""
    field = '[[force]]\ntype = "reaction-field"\nepsilon_rf = 78.5\ncutoff = 2.5\n'
    one = made(tmp_path, lennard_jones("cutoff = 2.5\n") + field, "one")
    two = made(tmp_path, lennard_jones("cutoff = 2.4\n") + field, "two")
    for folder in (one, two):
        folder.run()
    with h5py.File(one.path / "out.h5") as file:
        x, species = file["particles/all/position/value"][0], file["particles/all/species"][()]
        length = np.diag(file["particles/all/box/edges/value"][0])
    charge = np.where(species == np.min(species), 0.8, -1.2)
    sigma = np.array([[1.0, 0.95], [0.95, 0.9]])
    epsilon = np.array([[1.0, 1.3], [1.3, 0.6]])
    kind = (species != np.min(species)).astype(int)
    for folder, cutoff in ((one, 2.5), (two, 2.4)):
        lj = rf = 0.0
        for i in range(len(x)):
            d = x[i + 1:] - x[i]
            d -= length * np.round(d / length)
            r = np.sqrt(np.sum(d * d, axis=1))
            e, s = epsilon[kind[i], kind[i + 1:]], sigma[kind[i], kind[i + 1:]]
            p = (s / r) ** 6
            lj += np.sum((4 * e * (p * p - p))[r < cutoff])
            inside = r < 2.5
            k, c = (78.5 - 1) / (2 * 78.5 + 1) / 2.5**3, 3 * 78.5 / (2 * 78.5 + 1) / 2.5
            rf += np.sum((charge[i] * charge[i + 1:] * (1 / r + k * r * r - c))[inside])
        values = series(folder)
        assert values["potential_energy_lennard-jones"][0] == pytest.approx(lj, rel=1e-9)
        assert values["potential_energy_reaction-field"][0] == pytest.approx(rf, rel=1e-9)
        assert values["potential_energy"][0] == pytest.approx(lj + rf, rel=1e-9)


def test_a_resumed_run_and_another_number_of_threads_have_the_same_bits(tmp_path):
    whole, cut = (made(tmp_path, formula("cutoff = 2.5\n"), name, method=BAOAB) for name in ("whole", "cut"))
    whole.run()
    cut.run("--set", "compute.threads=2", "--set", "run.steps=20")
    cut.run("--resume", "--set", "run.steps=40")
    refuse_difference(whole, cut)


def test_another_file_is_another_run(tmp_path):
    folder = made(tmp_path, table("cutoff = 2.5\n"), "run")
    folder.run()
    write_rows(folder, first=0.62)
    result = mdrun("in.toml", "--resume", "--set", "run.steps=60", cwd=folder.path)
    assert result.status == 2
    assert "check_sum" in result.message()
