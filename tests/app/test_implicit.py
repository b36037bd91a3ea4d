# SPDX-License-Identifier: BSD-3-Clause
"""Bonded forces that are implicit: against NumPy, with steps beyond half of their periods, and what is refused."""

import json

import h5py
import numpy as np
import pytest
from bent_molecules import BENT, MASS, PLACES, fast_force, last_state, slow_force, write_start
from harness import mdrun
from runs import CHAINS, STIFF_CHAIN_FORCES, THERMO, Folder, one_stage, refuse_thread_differences

VELOCITY = 0.3 * np.sin(np.arange(21.0)).reshape(7, 3)


def implicit_force(q, v, t, theta, given):
    """f(x) with x = q + (theta - 1/2) t v + theta t^2 (f(x) + given) / 2m, by Newton's method."""
    push = 0.5 * theta * t * t / MASS
    start = q + (theta - 0.5) * t * v
    x = start
    for _ in range(20):
        left = x - start - push * (fast_force(x) + given)
        slope = np.zeros((x.size, x.size))
        for k in range(x.size):
            moved = x.astype(complex).ravel()
            moved[k] += 1e-30j
            slope[:, k] = ((moved.reshape(x.shape) - push * fast_force(moved.reshape(x.shape))).imag / 1e-30).ravel()
        x = x - np.linalg.solve(slope, left.ravel()).reshape(x.shape)
    return fast_force(x)


def implicit_explicit(q, v, dt):
    v = v + 0.5 * dt * slow_force(q) / MASS
    q = q + 0.5 * dt * v
    v = v + dt * implicit_force(q, v, dt, 0.5, 0.0) / MASS
    q = q + 0.5 * dt * v
    return q, v + 0.5 * dt * slow_force(q) / MASS


def semi_explicit(theta):
    def step(q, v, dt):
        """As Modin 2009, Paper V, eq. 5 with alpha = 1/2, prints it: A explicit at q + dt v / 2, B at the mean by theta."""
        a = slow_force(q + 0.5 * dt * v)
        b = implicit_force(q + 0.5 * dt * v, v, dt, theta, a)
        both = (a + b) / MASS
        return q + dt * v + 0.5 * dt * dt * both, v + dt * both
    return step


@pytest.mark.parametrize("method, step", [('method = "implicit-explicit"', implicit_explicit),
                                          ('method = "semi-explicit"', semi_explicit(0.5)),
                                          ('method = "semi-explicit"\ntheta = 0.8', semi_explicit(0.8)),
                                          ('method = "splitting"\nword = "S½ I½ I½ S½"', None)])
def test_molecules_move_with_implicit_forces(method, step, tmp_path):
    """Steps of a quarter of the fastest period, 0.22."""
    dt = 0.055
    folder = Folder(tmp_path / "run", BENT.replace("METHOD", f"{method}\ndt = {dt}"))
    write_start(folder.path, VELOCITY)
    folder.run()
    q, v = PLACES, VELOCITY
    for _ in range(30):
        if step:
            q, v = step(q, v, dt)
            continue
        v = v + 0.5 * dt * slow_force(q) / MASS
        for _ in range(2):
            q = q + 0.25 * dt * v
            v = v + 0.5 * dt * implicit_force(q, v, 0.5 * dt, 0.5, 0.0) / MASS
            q = q + 0.25 * dt * v
        v = v + 0.5 * dt * slow_force(q) / MASS
    x, u = last_state(folder.path)
    assert np.abs(v - VELOCITY).max() > 0.3
    assert np.abs(x - q).max() < 1e-9
    assert np.abs(u - v).max() < 1e-9


def energies(path, method, dt, time=0.12, forces=STIFF_CHAIN_FORCES, *options):
    text = one_stage(f"{method}\ndt = {dt}", round(time / dt), THERMO.replace("5", "1"), CHAINS, forces)
    folder = Folder(path, text, "compute.precision=double", *options)
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        return {name: file[f"observables/{name}/value"][...] for name in ("total_energy", "conserved_energy", "kinetic_energy")}


@pytest.mark.parametrize("method", ["implicit-explicit", "semi-explicit"])
def test_the_energy_is_that_of_small_steps_to_second_order(method, tmp_path):
    """Periods of bonds are 0.07."""
    error = []
    for dt in (0.004, 0.002, 0.001):
        energy = energies(tmp_path / str(dt), f'method = "{method}"', dt)["total_energy"]
        error.append(np.abs(energy - energy[0]).max())
    assert 3.3 < error[0] / error[1] < 4.7 and 3.6 < error[1] / error[2] < 4.4, error


@pytest.mark.parametrize("method, degrees", [("implicit-explicit", 15), ("semi-explicit", 18)])
def test_angular_momentum(method, degrees, tmp_path):
    """Where it is not conserved it counts as heat."""
    folder = Folder(tmp_path / "run", BENT.replace("METHOD", f'method = "{method}"\ndt = 0.03'))
    write_start(folder.path, VELOCITY)
    result = folder.run()
    assert f"{degrees} degrees of freedom" in result.err, result.err
    with h5py.File(folder.path / "out.h5") as file:
        x, v = (file[f"particles/all/{name}/value"][...] for name in ("position", "velocity"))
    spin = np.cross(x, MASS * v).sum(axis=1)
    change = np.abs(spin - spin[0]).max()
    assert change < 1e-11 if method == "implicit-explicit" else change > 1e-4


def test_theta_above_one_half_damps(tmp_path):
    kinetic = {theta: energies(tmp_path / str(theta), f'method = "semi-explicit"\ntheta = {theta}', 0.01, 2.0)["total_energy"]
               for theta in (0.5, 0.8)}
    assert kinetic[0.8][-1] < kinetic[0.5][-1] - 10.0 * np.ptp(kinetic[0.5][-50:])


@pytest.mark.parametrize("precision", ["double", "mixed"])
@pytest.mark.parametrize("method", ["implicit-explicit", "semi-explicit"])
def test_the_bits_of_implicit_chains_do_not_depend_on_threads(method, precision, tmp_path):
    text = one_stage(f'method = "{method}"\ndt = 0.02', 100, THERMO, CHAINS, STIFF_CHAIN_FORCES)
    refuse_thread_differences(tmp_path, text, f"compute.precision={precision}")


@pytest.mark.parametrize("method, change, says", [
    ("implicit-explicit", ('level = "fast"', 'level = "slow"'),
     ('implicit-explicit without a bonded force of level "fast" (no force would be implicit)', 'give level = "fast"')),
    ("implicit-explicit", ('cutoff = inf', 'cutoff = inf\nlevel = "fast"'),
     ('implicit-explicit with lennard-jones of level "fast" (implicit forces are found molecule by molecule, so they must be bonded)',
      'give it the level "slow"')),
    ("implicit-explicit", ('[system]', 'levels = ["fast"]\n[system]'),
     ('implicit-explicit with lennard-jones of level "fast"', 'write levels = ["fast", "slow"], and level = "fast" for bonded forces alone')),
    ("semi-explicit", ('level = "fast"', 'level = "slow"'), ('semi-explicit without a bonded force of level "fast"',)),
    ("semi-explicit", ('dt = 0.1', 'dt = 0.1\ntheta = 0.4'), ("theta = 0.4 is out of range", "from 0.5 to 1")),
    ("semi-explicit", ('dt = 0.1', 'dt = 0.1\ntheta = 1.5'), ("theta = 1.5 is out of range",)),
    ("implicit-explicit", ('dt = 0.1', 'dt = 0.1\ntheta = 0.6'), ('unknown key "theta"',)),
    ("implicit-explicit", ('dt = 0.1', 'dt = 0.1\ninner = 4'), ('unknown key "inner"',)),
    ("splitting", ('dt = 0.1', 'dt = 0.1\nword = "S½ A½ F1 I1 A½ S½"'), ("the word counts forces twice",)),
    ("splitting", ('dt = 0.1', 'dt = 0.1\nword = "B½ J1 A1 B½"'), ("the word counts forces twice",)),
    ("splitting", ('dt = 0.1', 'dt = 0.1\nword = "A½ G[1/24]½ A½ J½"'), ("the word counts forces twice",)),
])
def test_what_implicit_forces_cannot_be(method, change, says, tmp_path):
    text = BENT.replace("METHOD", f'method = "{method}"\ndt = 0.1').replace(*change)
    (tmp_path / "in.toml").write_text(text)
    write_start(tmp_path, np.zeros((7, 3)))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2
    assert all(part in result.err for part in says), result.err


def test_a_step_for_which_implicit_forces_have_no_solution(tmp_path):
    """Springs far shorter than at rest give way to the side, within so long a step anywhere; there are no other forces."""
    text = BENT.replace("METHOD", 'method = "implicit-explicit"\ndt = 0.5').replace("r0 = 1.0", "r0 = 3.0").replace("epsilon = 0.7", "epsilon = 1e-9")
    folder = Folder(tmp_path / "run", text)
    write_start(folder.path, VELOCITY)
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert result.status == 3, result.err
    assert "implicit forces may have no solution within so long a step" in result.err, result.err


def test_what_loses_energy_to_its_steps_samples_no_ensemble(tmp_path):
    text = one_stage('method = "semi-explicit"\ndt = 0.004\ntheta = 0.8', 40, THERMO, CHAINS, STIFF_CHAIN_FORCES)
    folder = Folder(tmp_path / "run", text)
    result = folder.run()
    assert "losing energy to its steps" in result.out
    stage = json.loads((folder.path / "summary.json").read_text())["stages"][0]
    assert "theta = 0.5" in stage["verdict"]["equilibrium"]["message"], stage["verdict"]
