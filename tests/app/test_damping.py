# SPDX-License-Identifier: BSD-3-Clause
"""Friction without noise: motions known in closed form, what it takes, and restarts."""

import json

import h5py
import numpy as np
import pytest
from harness import mdrun
from runs import (BAOAB, CHAIN_FORCES, CHAINS, FORCE, LIQUID, MIXTURE, THERMO, VERLET, Folder, one_stage, refuse_difference,
                  refuse_thread_differences, staged)

METHODS = ["damped-verlet", "damped-exponential", "damped-heun", "damped-midpoint", "damped-lobatto"]
PLANE = LIQUID.replace("dimension = 3", "dimension = 2").replace('"fcc", repeat = [5, 5, 5]', '"square", repeat = [20, 20], jitter = 0.02')


def method(name, dt=0.004, friction=0.5):
    return f'method = "{name}"\ndt = {dt}\nfriction = {friction}'


def left(name, x):
    """What a step leaves of momenta."""
    if name == "damped-heun":
        return 1.0 - x + x * x / 2.0
    return (1.0 - x / 2.0) / (1.0 + x / 2.0) if name in ("damped-midpoint", "damped-lobatto") else np.exp(-x)


def series(folder, name):
    with h5py.File(folder.path / "out.h5") as file:
        return file[f"observables/{name}/value"][:]


@pytest.mark.parametrize("name", METHODS)
def test_free_particles_come_to_rest(name, tmp_path):
    """Each velocity by the same factor, with a friction that changes from step to step; and all their energy is taken."""
    points = [[2, 5.0], [12, 55.0]]
    folder = Folder(tmp_path / "run", one_stage(method(name, 0.01, points), 15, system=LIQUID, force=""), "output.trajectory.every=1")
    result = folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        v = file["particles/all/velocity/value"][:]
    expected = np.cumprod(left(name, 0.01 * np.interp(np.arange(15) + 0.5, *np.transpose(points))))
    # 15 factors, each of some functions and products.
    assert np.allclose(v[1:] / v[0], expected[:, None, None], rtol=1e-14, atol=0.0)
    kinetic = series(folder, "kinetic_energy")
    stage = json.loads((folder.path / "summary.json").read_text())["stages"][0]
    assert stage["ensemble"] == "damped motion"
    assert stage["friction_energy"] == pytest.approx(kinetic[0] - kinetic[-1], rel=1e-12)
    assert "friction has taken an energy of" in result.out
    assert "conserved: total energy plus what friction took" in result.out


@pytest.mark.parametrize("system, force", [(LIQUID + MIXTURE, FORCE), (PLANE + MIXTURE, FORCE), (CHAINS, FORCE + CHAIN_FORCES)],
                         ids=["mixture", "plane", "chains"])
@pytest.mark.parametrize("name", METHODS)
def test_a_liquid_with_a_momentum_cools(name, system, force, tmp_path):
    """The momentum of the whole by the factor of each step; the energy goes where the conserved one says, to order dt^2."""
    swing = []
    for dt in (0.004, 0.002):
        text = staged(("warm", BAOAB, 50), ("cool", method(name, dt, 2.0), round(0.4 / dt)), system=system, force=force)
        folder = Folder(tmp_path / str(dt), text, 'compute.precision="double"')
        folder.run()
        momentum, conserved, total = (series(folder, key)[-round(0.4 / dt) // 5 - 1:] for key in ("momentum", "conserved_energy", "total_energy"))
        steps = 5 * np.arange(len(momentum))
        np.testing.assert_allclose(momentum, momentum[0] * left(name, 2.0 * dt)**steps[:, None], rtol=0.0, atol=1e-10 * np.abs(momentum).max())
        summary = json.loads((folder.path / "summary.json").read_text())
        taken = summary["stages"][1]["friction_energy"]
        assert taken == pytest.approx(conserved[-1] - total[-1], rel=1e-9)
        assert "friction_energy" not in summary["stages"][0]
        swing.append(np.ptp(conserved[1:]))  # the first row ends the stage before
        assert swing[-1] < 0.01 * taken
    assert 2.5 < swing[0] / swing[1] < 6.0


@pytest.mark.parametrize("name", METHODS)
def test_damped_motion_goes_on_bitwise(name, tmp_path):
    """Also what friction has taken, of a stage that is over."""
    text = staged(("before", VERLET, 3), ("cool", method(name, 0.004, "[[0, 0.5], [8, 4.0]]"), 10), ("after", VERLET, 4), system=LIQUID + MIXTURE)
    whole, pieces = Folder(tmp_path / "whole", text), Folder(tmp_path / "pieces", text)
    whole.run()
    pieces.run_in_pieces()
    assert pieces.step_of_checkpoint() == 17
    refuse_difference(whole, pieces)
    assert whole.averages()["stages"][1]["friction_energy"] > 0.0


def test_threads_leave_no_trace(tmp_path):
    refuse_thread_differences(tmp_path, one_stage(method("damped-exponential"), 40, system=LIQUID + MIXTURE))


@pytest.mark.parametrize("keys, says", [
    ("friction = 0.0", "friction = 0 is out of range"), ("friction = -1.0", "friction = -1 is out of range"),
    ("", "friction"), ("friction = 1.0\ntemperature = 1.0", "temperature")])
def test_what_friction_refuses(keys, says, tmp_path):
    (tmp_path / "in.toml").write_text(one_stage(f'method = "damped-verlet"\ndt = 0.004\n{keys}', 10))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and says in result.err, result.err


@pytest.mark.parametrize("word, keys, says", [
    ("D½ A½ B1 A½ D½", "", "a word with friction (D, X, Y, K or R) but no friction"),
    ("D½ A½ B1 A½ D½", "friction = 0.0", "friction = 0 for a word with a bath"),
    ("D½ A½ B1 A½ D½", "friction = 1.0\ntemperature = 1.0", "temperature for a word without a bath"),
    ("D½ A½ B1 A½ O1 D½", "friction = 1.0\ntemperature = 1.0", "counts friction twice"),
    ("D½ A½ K1 A½ D½", "friction = 1.0", "counts friction twice"),
    ("A½ K½ B½ A½", "friction = 1.0", "counts forces twice")])
def test_words_that_are_refused(word, keys, says, tmp_path):
    (tmp_path / "in.toml").write_text(one_stage(f'method = "splitting"\nword = "{word}"\ndt = 0.004\n{keys}', 10))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and says in result.err, result.err


def test_a_word_of_its_own_is_the_method(tmp_path):
    named = Folder(tmp_path / "named", one_stage(method("damped-lobatto"), 20))
    word = Folder(tmp_path / "word", one_stage('method = "splitting"\nword = "B½ Y½ A1 X½ B½"\ndt = 0.004\nfriction = 0.5', 20))
    named.run()
    assert "order 2" in word.run().err
    np.testing.assert_array_equal(series(named, "total_energy"), series(word, "total_energy"))


def test_no_pressure_is_held_without_noise(tmp_path):
    text = one_stage(method("damped-verlet") + "\n[barostat]\npressure = 1.0\ntime = 1.0\ncompressibility = 0.1\n", 40)
    (tmp_path / "in.toml").write_text(text)
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and "at zero temperature" in result.err, result.err
