# SPDX-License-Identifier: BSD-3-Clause
"""Baths that act between pairs: what they conserve, the fluid of Groot and Warren, and what is said of them."""

import json

import h5py
import numpy as np
import pytest
from harness import DEVICE, mdrun
from runs import LIQUID, MIXTURE, THERMO, Folder, one_stage, refuse_thread_differences

BATHS = {"dpd": "friction = 4.5\nradius = 1.0", "lowe-andersen": "rate = 0.4\nradius = 1.0"}
#: The fluid of Groot and Warren (1997): density 3, a = 25.
SOFT = """\
seed = 11
[system]
dimension = 3
box = { density = 3.0 }
lattice = { type = "sc", repeat = [8, 8, 8], jitter = 0.2 }
velocity = { temperature = 1.0 }
"""
REPULSION = """\
[[force]]
type = "harmonic-contact"
stiffness = 25.0
diameter = 1.0
"""


def method(name, dt):
    return f'method = "{name}"\ndt = {dt}\ntemperature = 1.0\n{BATHS[name]}'


def averages(folder):
    stage = json.loads((folder.path / "summary.json").read_text())["stages"][-1]
    return {key: (a["mean"], a["error"]) for key, a in stage["averages"].items()}, stage


@pytest.mark.skipif(DEVICE == "cuda", reason="long averages, on a CPU")
@pytest.mark.parametrize("name", BATHS)
def test_the_fluid_of_groot_and_warren(name, tmp_path):
    """Pressure of Allen's program dpd (Computer Simulation of Liquids, second edition, 2017; its wiki, 2024): 23.637(2)
    by Lowe's thermostat and 23.635(2) by Shardlow's. The temperature is off by what the step does to Verlet's momenta."""
    folder = Folder(tmp_path / "run", one_stage(method(name, 0.02), 2500, THERMO, SOFT, REPULSION))
    folder.run()
    found, stage = averages(folder)
    assert stage["degrees_of_freedom"] == 3 * 512 - 3
    assert "NVT, total momentum zero" in stage["ensemble"]
    assert stage["verdict"]["conserved"]["passed"], stage["verdict"]
    temperature, error = found["temperature"]
    # (omega dt)^2/4, with omega^2 = <F^2>/(3 m kT), the mean second derivative by a direction: some 80 for the g(r) of a
    # fluid of density 3, so 0.008; and density times it in the pressure.
    assert -0.012 - 4.0 * error < temperature - 1.0 < 4.0 * error
    pressure, error = found["pressure"]
    assert abs(pressure - 23.636) < 0.03 + 4.0 * error


@pytest.mark.parametrize("precision", ["double", "mixed"])
@pytest.mark.parametrize("name", BATHS)
def test_momentum_is_conserved(name, precision, tmp_path):
    folder = Folder(tmp_path / "run", one_stage(method(name, 0.01), 300, THERMO, SOFT, REPULSION),
                    f"compute.precision={precision}")
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        momentum = file["observables/momentum/value"][:]
    # 300 times 3200 pairs, each of whose sides rounds an impulse below 0.3 by some 1e-15 of it (coordinates of 6,
    # distances of 0.5); in mixed precision forces of 25 and less, times dt, by 6e-8. Five times what these add up to.
    bound = 5.0 * np.sqrt(300 * 3200) * (3e-16 if precision == "double" else 25.0 * 0.01 * 6e-8)
    assert np.abs(momentum - momentum[0]).max() < bound


@pytest.mark.parametrize("name", BATHS)
def test_the_bits_do_not_depend_on_threads(name, tmp_path):
    refuse_thread_differences(tmp_path, one_stage(method(name, 0.01), 40, system=LIQUID + MIXTURE))


def test_more_exchanges_than_a_step_has_are_warned_of(tmp_path):
    text = one_stage(method("lowe-andersen", 0.02).replace("0.4", "40.0"), 2, THERMO, SOFT, REPULSION)
    folder = Folder(tmp_path / "run", text)
    assert "partners within radius" in folder.run().err
    quiet = Folder(tmp_path / "quiet", text.replace("40.0", "0.4"))
    assert "partners within radius" not in quiet.run().err


def test_friction_beyond_a_step_ends_the_run(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(method("dpd", 0.02).replace("4.5", "450.0"), 200, THERMO, SOFT, REPULSION))
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert result.status != 0
    assert "friction between pairs" in result.err and "smaller dt" in result.err
