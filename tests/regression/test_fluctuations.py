# SPDX-License-Identifier: BSD-3-Clause
"""Heat capacity, thermal pressure coefficient and compressibilities of a liquid from fluctuations, at
constant energy and at constant temperature, against the differences of two runs at neighbouring energies
or densities; and the configurational temperature."""
import json
import math
import os
import subprocess

import pytest

MDRUN = os.environ.get("SHADOW_MDRUN")
pytestmark = pytest.mark.skipif(not MDRUN, reason="mdrun is not built (SHADOW_MDRUN is empty)")

LIQUID = """\
seed = 5
[system]
dimension = 3
box = { density = DENSITY }
lattice = { type = "fcc", repeat = [4, 4, 4] }
velocity = { temperature = START }
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
truncation = "force-shift"
[integrator]
METHOD
dt = 0.004
[run]
steps = 60_000
equilibration = 4000
[[observe]]
type = "thermo"
every = 10
[[observe]]
type = "configurational"
every = 10
[compute]
device = "cpu"
threads = 1
"""


@pytest.fixture
def run(tmp_path):
    def run_method(name, method, start, density=0.8):
        path = tmp_path / f"{name}.toml"
        path.write_text(LIQUID.replace("START", str(start)).replace("METHOD", method)
                        .replace("DENSITY", str(density)))
        done = subprocess.run([MDRUN, path, "--quiet", "--summary", tmp_path / f"{name}.json"],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        summary = json.loads((tmp_path / f"{name}.json").read_text())
        return summary["averages"], summary["fluctuations"]
    return run_method


def agree(one, two):
    """Values with errors, within four of them."""
    return abs(one[0] - two[0]) < 4.0 * math.hypot(one[1], two[1])


def test_fluctuations_are_derivatives(run):
    cold, cold_derived = run("cold", 'method = "verlet"', 1.9)
    hot, hot_derived = run("hot", 'method = "verlet"', 2.1)

    def difference(name):
        a, b = cold[name], hot[name]
        return b["mean"] - a["mean"], math.hypot(a["error"], b["error"])

    rise, rise_error = difference("temperature")
    between = 0.5 * (cold["temperature"]["mean"] + hot["temperature"]["mean"])
    _, bath_derived = run("bath", f'method = "baoab"\ntemperature = {between}\nfriction = 0.5', 2.0)
    for name, of in (("heat_capacity", "total_energy"),
                     ("thermal_pressure_coefficient", "pressure")):
        change, change_error = difference(of)
        slope = change / rise
        exact = slope, abs(slope) * math.hypot(rise_error / rise, change_error / change)
        found = [(derived[name]["value"], derived[name]["error"])
                 for derived in (cold_derived, hot_derived, bath_derived)]
        print(name, "by difference", exact, "cold, hot, bath", found)
        # Between the two, 6 % apart in temperature, the derivatives are halfway to their errors.
        middle = (0.5 * (found[0][0] + found[1][0]), 0.5 * math.hypot(found[0][1], found[1][1]))
        assert agree(middle, exact)
        assert agree(found[2], exact)
        # And it is worth something: the ideal gas would be far off.
        ideal = 1.5 * 255 if name == "heat_capacity" else 0.8
        assert exact[0] - ideal > 20 * exact[1] and middle[0] - ideal > 10 * middle[1]


def test_compressibilities_are_derivatives(run):
    energy, micro = run("energy", 'method = "verlet"', 2.0)
    mean = energy["temperature"]["mean"]
    bath = f'method = "baoab"\ntemperature = {mean}\nfriction = 3.0'
    thin, _ = run("thin", bath, 1.9, 0.77)
    dense, _ = run("dense", bath, 1.9, 0.83)
    middle, canonical = run("middle", bath, 1.9)

    def value(derived, name):
        return derived[name]["value"], derived[name]["error"]

    # 1 / beta_T = rho dP/drho, by central differences.
    per_density = 0.8 / 0.06
    bulk = per_density * (dense["pressure"]["mean"] - thin["pressure"]["mean"])
    bulk_error = per_density * math.hypot(dense["pressure"]["error"], thin["pressure"]["error"])
    exact = 1 / bulk, bulk_error / bulk ** 2
    isothermal = value(canonical, "isothermal_compressibility")
    print("isothermal, by difference", exact, "by fluctuations", isothermal)
    assert agree(isothermal, exact)
    assert isothermal[1] < 0.1 * isothermal[0]  # worth something: the ideal gas has 18 times it
    adiabatic, other = (value(derived, "adiabatic_compressibility") for derived in (micro, canonical))
    print("adiabatic, NVE and NVT", adiabatic, other)
    assert agree(adiabatic, other)
    assert agree(value(micro, "isothermal_compressibility"), exact)
    assert adiabatic[0] < 0.8 * exact[0]
    for averages, derived in ((middle, canonical), (energy, micro)):
        kinetic = averages["temperature"]["mean"], averages["temperature"]["error"]
        found = value(derived, "configurational_temperature")
        print("temperature", kinetic, "configurational", found)
        assert found[1] < 0.01 * kinetic[0]
        assert agree(found, kinetic)
