# SPDX-License-Identifier: BSD-3-Clause
"""Published experiments (inputs/seeds) give the numbers that are known of them."""
import h5py
import numpy as np
import pytest
from shipped import needs_mdrun, run_input

pytestmark = needs_mdrun


def run(tmp_path, name, *settings, status=0):
    return h5py.File(run_input(f"seeds/{name}", tmp_path / "run", "output.overwrite=true", *settings, status=status))


def chain_energy(file):
    """Of one half of the ring."""
    return 0.5 * file["observables/total_energy/value"][:]


@pytest.mark.parametrize("dt, steps, known", [(0.2, 64_030, 7.34e-5), (0.1, 128_060, 3.62e-5), (0.05, 256_100, 1.80e-5)])
def test_energy_of_the_fpu_chain(tmp_path, dt, steps, known):
    """A method of first order; the energy of the start to six digits."""
    with run(tmp_path, "fpu_chain", "integrator.method=symplectic-euler-b", f"integrator.dt={dt}", f"run.steps={steps}",
             "observe.0.every=2", "output.trajectory.every=100000") as file:
        energy = chain_energy(file)
    assert abs(energy[0] - 4.81527e-3) < 0.5e-8
    # Half a unit of the last digit, and what lies between two samples: some 1e-3 of the swing.
    assert abs(np.abs(energy - energy[0]).max() - known) < 0.005e-5 + 2e-3 * known


def test_modes_of_the_fpu_chain(tmp_path):
    with run(tmp_path, "fpu_chain") as file:
        energy = chain_energy(file)
        group = file["particles/all"]
        place, velocity = group["position/value"][:, :, 0], group["velocity/value"][:, :, 0]
    # The ring keeps the symmetry of two chains; the second half is that between the walls.
    moved = place - (np.arange(64) + 0.5)
    moved -= 64.0 * np.round(moved / 64.0)
    assert np.abs(moved[:, 33:] + moved[:, 31:0:-1]).max() < 1e-8
    moved, velocity = moved[:, 32:], velocity[:, 32:]
    modes = []
    for k in (1, 2, 3):
        shape = np.sqrt(2 / 32) * np.sin(np.pi * k * np.arange(32) / 32)
        omega = 2 * np.sin(np.pi * k / 64)
        modes.append(0.5 * ((velocity @ shape) ** 2 + (omega * (moved @ shape)) ** 2))
    # Half of the last digit, and the time between two frames: a third of a period of the first mode.
    assert abs(modes[0].min() - 1.906e-3) < 0.002e-3
    assert abs(modes[1].max() - 2.67e-3) < 0.01e-3
    assert abs(modes[2].max() - 5.3e-4) < 0.05e-4
    assert np.abs(energy - energy[0]).max() < 1e-10


@pytest.mark.parametrize("method, ratio, steps, status, known, error", [
    ("respa", 5.43, 1500, 0, 1.0, 5e-5),
    ("respa", 5.486, 250, 3, 1.0257, 5e-4),
    ("mollified-impulse", 5.46, 1500, 0, 1.0, 5e-5),
    ("mollified-impulse", 5.486, 3000, 3, 1.0018, 5e-4)])
def test_resonances_of_a_slow_and_a_fast_oscillator(tmp_path, method, ratio, steps, status, known, error):
    """Growth in a step; what grows is told to explode (status 3)."""
    with run(tmp_path, "slow_fast_pair", f"integrator.method={method}", f"integrator.dt={0.1 * ratio}", f"run.steps={steps}",
             status=status) as file:
        energy = file["observables/total_energy/value"][:]
    # The energy swings within some steps: the largest of 25.
    most = np.log([part.max() for part in np.array_split(energy, len(energy) // 25)])[1:]
    slope = np.polyfit(25.0 * np.arange(len(most)), most, 1)[0]
    assert abs(np.exp(0.5 * slope) - known) < error


@pytest.mark.parametrize("angle, status, known", [(2.3, 0, 1.0), (2.9997, 3, 1.16098), (4.7, 0, 1.0), (6.0047, 3, 1.34393),
                                                  (7.85, 0, 1.0), (9.0191, 3, 1.54732)])
def test_resonances_of_an_oscillator_that_is_followed_exactly(tmp_path, angle, status, known):
    """Growth in a step: of the energy, after some that let the other eigenvector go; where it is none the energy swings."""
    with run(tmp_path, "perturbed_oscillator", f"integrator.dt={0.1 * angle}", f"run.steps={30 if status else 3000}",
             status=status) as file:
        energy = file["observables/total_energy/value"][:]
    if known == 1.0:
        assert energy[1500:].max() == pytest.approx(energy[:1500].max(), rel=1e-2)
    else:
        assert np.exp(0.5 * np.log(energy[24] / energy[12]) / 12) == pytest.approx(known, abs=1e-4)


@pytest.mark.parametrize("method, known, error", [
    ("verlet", 1.27e-2, 0.005e-2), ("triple-jump", 6.25e-5, 0.005e-5), ("mclachlan-4", 2.13e-6, 0.005e-6),
    ("blanes-moan-4", 3.54e-7, 0.005e-7), ("blanes-moan-4-drift", 6.16e-9, 0.006e-9), ("yoshida-6", 2.62e-8, 0.005e-8),
    ("kahan-li-6", 3.47e-9, 0.005e-9), ("blanes-moan-6", 1.64e-10, 0.005e-10),
    # Rounding of 160 steps of 31 flows near 1, by 1e-16 each, at random and carried along the orbit.
    ("mclachlan-8", 7.4e-13, 1e-13)])
def test_kepler_by_every_method(tmp_path, method, known, error):
    with run(tmp_path, "kepler", f"integrator.method={method}") as file:
        place = file["particles/all/position/value"][-1, :, :2]
    assert abs(np.linalg.norm(place[0] - place[1] - [0.7, 0.0]) - known) < error


def energy_error(tmp_path, name, time, method, dt):
    with run(tmp_path, name, f"integrator.method={method}", f"integrator.dt={dt}", f"run.steps={round(time / dt)}") as file:
        energy = file["observables/total_energy/value"][:]
    return np.abs(energy - energy[0])


@pytest.mark.parametrize("dt, known, error", [(0.01, 2.29e-3, 0.005e-3), (0.02, 9.4e-3, 0.05e-3)])
def test_lennard_jones_oscillator(tmp_path, dt, known, error):
    swing = energy_error(tmp_path, "lj_oscillator", 5000.0, "verlet", dt)
    assert abs(swing.max() - known) < error
    half = len(swing) // 2
    assert swing[half:].max() < 1.001 * swing[:half].max()


@pytest.mark.parametrize("method, dt, known, error", [
    ("verlet", 0.1, 4.15e-3, 0.005e-3), ("verlet", 0.05, 1.03e-3, 0.005e-3),
    ("symplectic-euler-a", 0.1, 5.81e-2, 0.006e-2), ("symplectic-euler-b", 0.1, 5.81e-2, 0.006e-2),
    ("symplectic-euler-a", 0.05, 2.79e-2, 0.005e-2), ("symplectic-euler-b", 0.05, 2.79e-2, 0.005e-2)])
def test_morse_oscillator(tmp_path, method, dt, known, error):
    assert abs(energy_error(tmp_path, "morse_oscillator", 200.0, method, dt).max() - known) < error
