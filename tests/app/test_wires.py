# SPDX-License-Identifier: BSD-3-Clause
"""Charges in a pore or a channel, periodic along it alone."""

import h5py
import numpy as np
import pytest
from harness import edited, mdrun
from runs import BAOAB, Folder, refuse_difference

PORE = """\
seed = 3
[system]
dimension = 3
box = { lengths = [6.0, 6.0, 9.0], periodic = [false, false, true] }
lattice = { type = "rock-salt", repeat = [1, 1, 3], species = ["A", "B"], constant = 3.0, jitter = 0.1 }
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
height = 5.0
[[force]]
type = "harmonic-trap"
stiffness = [4.0, 4.0, 0.0]
centre = [0.75, 0.75, 0.0]
[integrator]
method = "verlet"
dt = 0.002
[run]
steps = 160
[[observe]]
type = "thermo"
every = 10
[output]
prefix = "out"
trajectory = { every = 20, fields = ["position", "force", "potential_energy", "stress"] }
"""
VERLET = 'method = "verlet"\ndt = 0.002'
#: A plane of ions in a channel along x.
CHANNEL = edited(
    ("dimension = 3", "dimension = 2"),
    ("[6.0, 6.0, 9.0], periodic = [false, false, true]", "[9.0, 6.0], periodic = [true, false]"),
    ('"rock-salt", repeat = [1, 1, 3], species = ["A", "B"], constant = 3.0',
     '"checkerboard", repeat = [3, 1], species = ["A", "B"], constant = 3.0'),
    ("stiffness = [4.0, 4.0, 0.0]\ncentre = [0.75, 0.75, 0.0]",
     "stiffness = [0.0, 4.0]\ncentre = [0.0, 1.5]"),
    base=PORE)


def pore(tmp_path, *edits, name="run", base=PORE):
    return Folder(tmp_path / name, edited(*edits, base=base))


@pytest.mark.parametrize("base", [PORE, CHANNEL], ids=["pore", "channel"])
def test_energy_is_conserved_and_the_wire_is_told(base, tmp_path):
    folder = pore(tmp_path, base=base)
    checked = mdrun(*folder.arguments("--check"), cwd=folder.path)
    assert "wires of height 5 sigma, moments up to order" in checked.out, checked.err
    assert "error by images" in checked.out
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        total = file["observables/total_energy/value"][...]
        kinetic = file["observables/kinetic_energy/value"][...]
        potential = file["observables/potential_energy/value"][...]
        own = file["particles/all/potential_energy/value"][...]
        force = file["particles/all/force/value"][...]
    along = 0 if base is CHANNEL else 2
    assert np.ptp(kinetic) > 1.0  # it moves
    assert np.ptp(total) < 0.01 * np.ptp(kinetic)
    own = own.reshape(len(own), -1).sum(axis=1)
    assert own == pytest.approx(potential[::2], rel=1e-6)
    # Nothing pushes all particles along the wire.
    assert np.abs(force.sum(axis=1)[:, along]).max() < 1e-4 * np.abs(force).max()


@pytest.mark.parametrize("method", [VERLET, BAOAB])
@pytest.mark.parametrize("base", [PORE, CHANNEL], ids=["pore", "channel"])
def test_a_resumed_run_has_the_same_bits(base, method, tmp_path):
    method = method.replace("0.004", "0.002")
    whole = pore(tmp_path, (VERLET, method), name="whole", base=base)
    whole.run("--set", "compute.threads=1")
    cut = pore(tmp_path, (VERLET, method), name="cut", base=base)
    cut.run("--set", "compute.threads=2", "--set", "run.steps=80")
    cut.run("--resume", "--set", "run.steps=160")
    refuse_difference(whole, cut)


@pytest.mark.parametrize("type", ["coulomb-pme", "coulomb-ewald"])
def test_charges_that_leave_the_wire_end_the_run(type, tmp_path):
    folder = pore(tmp_path, ("height = 5.0", "height = 1.9"), ("coulomb-pme", type),
                  ("stiffness = [4.0, 4.0, 0.0]", "stiffness = [0.1, 0.1, 0.0]"),
                  ("temperature = 1.0", "temperature = 30.0"))
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert result.status not in (0, 2), result.err
    message = result.message()
    assert "has left the wire of charges (two are more than height = 1.9 apart across z" in message
    assert "give a larger height" in message


@pytest.mark.parametrize(
    "edits, words",
    [
        ([("charge = -2.0", "charge = -1.0")], "make it neutral"),
        ([("charge = -2.0", "charge = -1.0"), ("height = 5.0", "background = true")],
         "make it neutral"),
        ([("height = 5.0", "background = true")], "a background in a box with open directions"),
        ([("height = 5.0", "height = 1.0")], "apart along x at the start"),
        ([("height = 5.0", "height = 1e9")], "is out of range"),
        ([("height = 5.0", "height = -1.0")], "height"),
        ([("height = 5.0", "vacuum = 0.1")], "is out of range"),
        ([("periodic = [false, false, true]", "periodic = [false, false, false]")], "open box"),
        ([("periodic = [false, false, true]", "periodic = true"),
          ("stiffness = [4.0, 4.0, 0.0]", "stiffness = [0.0, 0.0, 0.0]")], "periodic box"),
    ])
def test_wires_that_are_not_are_refused(edits, words, tmp_path):
    folder = pore(tmp_path, *edits)
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert result.status == 2, result.err
    assert any(words in match.group(0) for match in result.errors()), result.err
