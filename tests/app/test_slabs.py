# SPDX-License-Identifier: BSD-3-Clause
"""Charges between walls, periodic along the walls alone."""

import h5py
import numpy as np
import pytest
from harness import mdrun
from runs import BAOAB, Folder, refuse_difference

SLIT = """\
seed = 3
[system]
dimension = 3
box = { lengths = [6.0, 6.0, 6.0], periodic = [true, true, false] }
lattice = { type = "rock-salt", repeat = [2, 2, 2], species = ["A", "B"], constant = 3.0, jitter = 0.1 }
velocity = { temperature = 1.0 }
[[species]]
name = "A"
charge = 2.0
[[species]]
name = "B"
charge = -2.0
mass = 2.0
[[force]]
type = "wca"
epsilon = 1.0
sigma = 1.0
[[force]]
type = "coulomb-pme"
height = HEIGHT
[[force]]
type = "wall-93"
epsilon = 1.0
sigma = 1.0
point = [0.0, 0.0, -2.0]
normal = [0.0, 0.0, 1.0]
[[force]]
type = "wall-93"
epsilon = 1.0
sigma = 1.0
point = [0.0, 0.0, 6.5]
normal = [0.0, 0.0, -1.0]
[integrator]
METHOD
[run]
steps = 200
[[observe]]
type = "thermo"
every = 10
[[observe]]
type = "energy-terms"
every = 10
[output]
prefix = "out"
trajectory = { every = 20, fields = ["position", "force", "potential_energy", "stress"] }
"""
VERLET = 'method = "verlet"\ndt = 0.002'


def slit(tmp_path, *edits, name="run"):
    text = SLIT
    for old, new in (*edits, ("METHOD", VERLET), ("HEIGHT", "8.5")):
        text = text.replace(old, new)
    return Folder(tmp_path / name, text)


def test_energy_is_conserved_and_the_layer_is_told(tmp_path):
    folder = slit(tmp_path)
    checked = mdrun(*folder.arguments("--check"), cwd=folder.path)
    assert "layers of height 8.5 sigma" in checked.out and "error by images" in checked.out
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        total = file["observables/total_energy/value"][...]
        kinetic = file["observables/kinetic_energy/value"][...]
        potential = file["observables/potential_energy/value"][...]
        own = file["particles/all/potential_energy/value"][...].reshape(len(total) // 2 + 1, -1).sum(axis=1)
        position = file["particles/all/position/value"][...]
        force = file["particles/all/force/value"][...]
    assert np.ptp(kinetic) > 3.0  # it moves
    assert np.ptp(total) < 0.01 * np.ptp(kinetic)
    assert own == pytest.approx(potential[::2], rel=1e-6)
    assert position[..., 2].min() > -2.0 and position[..., 2].max() < 6.5
    # Nothing pushes all particles along the walls.
    assert np.abs(force.sum(axis=1)[:, :2]).max() < 1e-4 * np.abs(force).max()


@pytest.mark.parametrize("method", [VERLET, BAOAB])
def test_a_resumed_run_has_the_same_bits(method, tmp_path):
    method = method.replace("0.004", "0.002")
    whole = slit(tmp_path, ("METHOD", method), name="whole")
    whole.run("--set", "compute.threads=1")
    cut = slit(tmp_path, ("METHOD", method), name="cut")
    cut.run("--set", "compute.threads=2", "--set", "run.steps=80")
    cut.run("--resume", "--set", "run.steps=200")
    refuse_difference(whole, cut)


def test_charges_that_leave_the_layer_end_the_run(tmp_path):
    folder = slit(tmp_path, ("HEIGHT", "4.9"), ("temperature = 1.0", "temperature = 30.0"))
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert result.status not in (0, 2), result.err
    message = result.message()
    assert "has left the layer of charges (two are more than height = 4.9 apart along z" in message
    assert "larger height" in message


def test_a_net_charge_is_refused(tmp_path):
    for more in ("", "background = true\n"):
        folder = slit(tmp_path, ("charge = -2.0", "charge = -1.0"), ("height = HEIGHT\n", more),
                      name="more" if more else "none")
        result = mdrun(*folder.arguments(), cwd=folder.path)
        assert result.status == 2
        assert "make it neutral" in result.message()
