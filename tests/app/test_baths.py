# SPDX-License-Identifier: BSD-3-Clause
"""Thermostats: what each samples of a liquid, and what is said of one that samples nothing."""

import json

import h5py
import numpy as np
import pytest
from harness import DEVICE
from runs import BAOAB, LIQUID, THERMO, Folder, averaging_all, one_stage, staged

DT = 'dt = 0.004\ntemperature = 1.0\n'
BATHS = {"gjf": "friction = 2.0", "baoa": "friction = 2.0", "andersen": "rate = 4.0",
         "andersen together": "rate = 2.0\ntogether = true", "bussi": "time = 0.2", "nose-hoover-langevin": "period = 0.3\nfriction = 5.0", "brownian": "friction = 80.0",
         "dpd": "friction = 4.0\nradius = 2.0", "lowe-andersen": "rate = 1.0\nradius = 1.5"}
#: They conserve momentum.
CONSERVING = ("bussi", "nose-hoover-langevin", "dpd", "lowe-andersen")
FREE = LIQUID.replace("5, 5, 5", "6, 6, 6")


def method(name):
    return f'method = "{name.split()[0]}"\n' + DT + BATHS[name]


def series(folder, name):
    with h5py.File(folder.path / "out.h5") as file:
        return file[f"observables/{name}/value"][:]


def summary(folder):
    return json.loads((folder.path / "summary.json").read_text())["stages"]


def averages(path, integrator):
    """Of 108 particles: mean and error of each average, and of the variance of K."""
    small = LIQUID.replace("5, 5, 5", "3, 3, 3")
    folder = Folder(path, staged(("warm", BAOAB, 2000), ("sample", integrator, 60_000), system=small))
    folder.run()
    stage = summary(folder)[-1]
    assert stage["verdict"]["passed"], stage["verdict"]
    found = {key: (a["mean"], a["error"]) for key, a in stage["averages"].items()}
    kinetic = series(folder, "kinetic_energy")[400:]
    blocks = kinetic[:len(kinetic) // 20 * 20].reshape(20, -1).var(axis=1)
    found["variance of K"] = (blocks.mean(), blocks.std() / np.sqrt(19))
    return found


@pytest.fixture(scope="module")
def of_baoab(tmp_path_factory):
    return averages(tmp_path_factory.mktemp("baoab") / "run", method("gjf").replace("gjf", "baoab"))


@pytest.mark.skipif(DEVICE == "cuda", reason="long averages, on a CPU")
@pytest.mark.parametrize("name", BATHS)
def test_a_liquid_in_every_bath_is_that_of_baoab(name, of_baoab, tmp_path):
    """Means of T, U and P, and the variance of K, within 4.5 errors of both."""
    found, expected = averages(tmp_path / "run", method(name)), of_baoab
    for quantity in ("temperature", "potential_energy", "pressure"):
        (a, error_a), (b, error_b) = found[quantity], expected[quantity]
        # The kinetic energy of baoab and gjf is too small by (omega dt)^2 / 4, some 1e-3 here.
        bias = 2e-3 if quantity == "temperature" else 0.0
        assert abs(a - b) < 4.5 * np.hypot(error_a, error_b) + bias, (quantity, found[quantity], expected[quantity])
    variance, error = found["variance of K"]
    freedom = 3 * 108 - (3 if name in CONSERVING else 0)
    assert abs(variance - 0.5 * freedom) < 5.0 * error + 0.01 * freedom


def test_collisions_come_one_by_one_or_together(tmp_path):
    """Free particles: without collisions in a step the kinetic energy stays to the bit."""
    for together, least, most in ((False, 0.0, 0.0), (True, 0.8, 0.99)):
        integrator = f'method = "andersen"\ndt = 0.01\ntemperature = 2.0\nrate = 10.0\ntogether = {str(together).lower()}'
        folder = Folder(tmp_path / str(together), one_stage(integrator, 400, THERMO.replace("5", "1"), FREE, ""))
        folder.run()
        kinetic = series(folder, "kinetic_energy")
        same = np.mean(np.abs(np.diff(kinetic)) < 1e-9 * kinetic[1:])
        assert least <= same <= most, (together, same)
        conserved = series(folder, "conserved_energy")
        assert np.ptp(conserved) < 1e-9 * kinetic[0]


def test_weak_coupling_is_called_what_it_is(tmp_path):
    integrator = 'method = "berendsen"\ndt = 0.004\ntemperature = 1.3\ntime = 0.1'
    folder = Folder(tmp_path / "run", averaging_all(one_stage(integrator, 8000)))
    result = folder.run()
    stage = summary(folder)[0]
    assert "no ensemble" in stage["ensemble"] and "no ensemble" in result.err
    assert not stage["fluctuations"]
    assert not stage["verdict"]["passed"] and "berendsen samples no ensemble" in result.out
    kinetic = series(folder, "kinetic_energy")[400:]
    freedom = stage["degrees_of_freedom"]
    assert abs(2.0 * kinetic.mean() / freedom - 1.3) < 0.01
    # A canonical kinetic energy has the variance g (kT)^2 / 2.
    assert kinetic.var() < 0.8 * 0.5 * freedom * 1.3**2
    conserved = series(folder, "conserved_energy")
    assert np.ptp(conserved) < 0.01 * freedom


def test_rates_of_collisions_follow_a_table(tmp_path):
    """No ensemble and no collisions as long as the rate is small."""
    integrator = 'method = "andersen"\ndt = 0.01\ntemperature = 2.0\nrate = [[0, 1e-9], [100, 1e-9], [101, 50.0]]'
    folder = Folder(tmp_path / "run", one_stage(integrator, 200, THERMO.replace("5", "1"), FREE, ""))
    folder.run()
    kinetic = series(folder, "kinetic_energy")
    assert np.ptp(kinetic[:100]) < 1e-9 * kinetic[0]
    assert np.all(np.diff(kinetic[102:]) != 0.0)
