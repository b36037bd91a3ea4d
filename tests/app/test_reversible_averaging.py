# SPDX-License-Identifier: BSD-3-Clause
"""Reversible averaging of molecules with light atoms: against NumPy, backwards, and what is refused."""

import numpy as np
import pytest
from bent_molecules import BENT, MASS, PLACES, fast_force, last_state, slow_force, write_start
from harness import mdrun
from runs import Folder, refuse_difference

VELOCITY = 0.3 * np.sin(np.arange(21.0)).reshape(7, 3)
LIGHT = MASS < 1.5
METHOD = 'method = "reversible-averaging"\ndt = 0.06\ninner = 6\nlight_mass = 1.5'
INPUT = BENT.replace("METHOD", METHOD)


def light_step(q, v, dt, others):
    v = v + 0.5 * dt * LIGHT * fast_force(q) / MASS
    q = q + dt * np.where(LIGHT, v, v if others else 0.0)
    return q, v + 0.5 * dt * LIGHT * fast_force(q) / MASS


def mean_force(q, v, dt, inner):
    """On heavy atoms, which stay, from dt before now to dt after."""
    total = np.zeros_like(q)
    for sign in (1.0, -1.0):
        x, u = q, v
        for k in range(inner + 1):
            total = total + (0.5 if k in (0, inner) else 1.0) * fast_force(x)
            x, u = light_step(x, u, sign * dt / inner, False)
    return np.where(LIGHT, 0.0, total) / (2 * inner)


def by_the_book(q, v, dt, inner, steps):
    for _ in range(steps):
        v = v + 0.5 * dt * mean_force(q, v, dt, inner) / MASS
        v = v + 0.5 * dt * slow_force(q) / MASS
        for _ in range(inner):
            q, v = light_step(q, v, dt / inner, True)
        v = v + 0.5 * dt * slow_force(q) / MASS
        v = v + 0.5 * dt * mean_force(q, v, dt, inner) / MASS
    return q, v


def run(path, text, velocity=VELOCITY, places=PLACES, threads=1):
    folder = Folder(path, text, f"compute.threads={threads}")
    write_start(folder.path, velocity, places)
    folder.run()
    return folder


def test_heavy_atoms_feel_the_mean_force(tmp_path):
    folder = run(tmp_path / "run", INPUT)
    x, v = last_state(folder.path)
    xs, vs = by_the_book(PLACES, VELOCITY, 0.06, 6, 30)
    assert np.abs(vs - VELOCITY).max() > 0.3
    assert np.abs(x - xs).max() < 1e-9
    assert np.abs(v - vs).max() < 1e-9


def test_it_goes_back_the_way_it_came(tmp_path):
    x, v = last_state(run(tmp_path / "forth", INPUT).path)
    x, v = last_state(run(tmp_path / "back", INPUT, -v, x).path)
    assert np.abs(x - PLACES).max() < 1e-9
    assert np.abs(v + VELOCITY).max() < 1e-9


def test_its_error_is_of_second_order(tmp_path):
    """Of places after a time of 0.24; fast steps get shorter, too."""
    exact = by_the_book(PLACES, VELOCITY, 0.24 / 2048, 1, 2048)[0]
    error = []
    for dt in (0.03, 0.015, 0.0075):
        text = INPUT.replace("dt = 0.06", f"dt = {dt}").replace("steps = 30", f"steps = {round(0.24 / dt)}")
        error.append(np.abs(last_state(run(tmp_path / str(dt), text).path)[0] - exact).max())
    assert 3.2 < error[0] / error[1] < 4.8 and 3.5 < error[1] / error[2] < 4.5, error


def test_threads_do_not_change_bits(tmp_path):
    one, other = (run(tmp_path / f"{n}", INPUT, threads=n) for n in (1, 2))
    refuse_difference(one, other)


@pytest.mark.parametrize("change, says", [
    (('level = "fast"', 'level = "slow"'), ('reversible-averaging without a bonded force of level "fast"',)),
    (('cutoff = inf', 'cutoff = inf\nlevel = "fast"'), ('with lennard-jones of level "fast" (light atoms are followed',)),
    (("light_mass = 1.5", "light_mass = 1.0"), ("light_mass = 1 of atoms with masses from 1 to 2", "none are light")),
    (("light_mass = 1.5", "light_mass = 3.0"), ("light_mass = 3 of atoms with masses from 1 to 2", "all are light")),
    (("light_mass = 1.5", ""), ("light_mass",)),
    (("light_mass = 1.5", "light_mass = -1.0"), ("light_mass = -1 is out of range",)),
    (("inner = 6", "inner = 0"), ("inner = 0 is out of range",)),
    (("inner = 6", "inner = [2, 3]"), ("inner",)),
])
def test_what_cannot_be_averaged(change, says, tmp_path):
    (tmp_path / "in.toml").write_text(INPUT.replace(*change))
    write_start(tmp_path, VELOCITY)
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2
    assert all(part in result.err for part in says), result.err
