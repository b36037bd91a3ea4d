# SPDX-License-Identifier: BSD-3-Clause
"""Averages at other temperatures and pressures of liquids that mdrun has simulated, also with a boost."""
import json
import math
import subprocess

import h5py
import numpy as np
import pytest
from conftest import MDRUN
from shadow_results import analysis, stages
from test_mdreweight import MESSAGE, call, states


LIQUID = """\
seed = {seed}
[system]
dimension = 3
units = "{units}"
box = {{ density = {density} }}
lattice = {{ type = "fcc", repeat = [3, 3, 3] }}
velocity = {{ temperature = {temperature} }}
[[species]]
name = "Ar"
mass = {mass}
[[force]]
type = "lennard-jones"
epsilon = {epsilon}
sigma = {sigma}
cutoff = {cutoff}
truncation = "force-shift"
[integrator]
{method}
dt = {dt}
temperature = {temperature}
{barostat}
[run]
steps = {steps}
[[observe]]
type = "thermo"
every = 10
[output]
prefix = "{name}"
[compute]
device = "cpu"
threads = 1
"""
REDUCED = {"units": "lj", "density": 0.7, "epsilon": 1.0, "sigma": 1.0, "cutoff": 2.0, "dt": 0.005,
           "mass": 1.0, "method": 'method = "baoab"\nfriction = 2.0', "barostat": "", "steps": 15_000}
#: epsilon/k_B = 119.8 K, 1 ps = 0.46 of the unit of time
ARGON = {"units": "real", "density": 0.018, "epsilon": 0.238067, "sigma": 3.405, "cutoff": 6.8,
         "dt": 10.0, "mass": 39.948, "method": 'method = "baoab"\nfriction = 1e-3', "steps": 2000}


def liquid(folder, name, **settings):
    if not MDRUN:
        pytest.skip("mdrun is not built (SHADOW_MDRUN is empty)")
    (folder / f"{name}.toml").write_text(LIQUID.format(name=name, **{**REDUCED, **settings}))
    subprocess.run([MDRUN, f"{name}.toml", "--quiet", "--summary", f"{name}.json"], cwd=folder,
                   check=True, capture_output=True)
    return folder / f"{name}.h5"


def test_a_liquid_is_the_one_that_is_simulated(tmp_path, capsys):
    files = [liquid(tmp_path, f"t{k}", seed=k, temperature=t) for k, t in enumerate((1.0, 1.2, 1.1))]
    found = [states(capsys, tmp_path, *runs, "--temperature", 1.1)[0][0]["averages"]
             for runs in (files[:2], files[2:])]
    for name in ("potential_energy", "pressure", "heat_capacity"):
        a, b = (f[name] for f in found)
        assert abs(a["mean"] - b["mean"]) < 3 * math.hypot(a["error"], b["error"]), name
    # The run itself says the same, but for the mean kinetic part of the pressure.
    summary = json.loads((tmp_path / "t2.json").read_text())["stages"][0]
    for name, of in (("potential_energy", summary["averages"]["potential_energy"]["mean"]),
                     ("pressure", summary["averages"]["pressure"]["mean"]),
                     ("heat_capacity", summary["fluctuations"]["heat_capacity"]["value"])):
        assert abs(found[1][name]["mean"] - of) < 2 * found[1][name]["error"], name


def test_runs_with_boosts_and_without_are_one_mixture(tmp_path, capsys):
    """Energies are -275 on average, with a standard deviation of 8."""
    boost = "[boost]\nthreshold = {}\nwidth = 30.0\nleast_slope = 0.75\nside = \"{}\""
    settings = [boost.format(-265.0, "below"), boost.format(-275.0, "both"), ""]
    files = [liquid(tmp_path, f"b{k}", seed=k, temperature=1.0, barostat=b) for k, b in enumerate(settings)]
    found = []
    for runs in (files[:1], files[1:2], files[2:], files):  # status 1: heat capacities are rough
        assert call(capsys, *runs, "--json", tmp_path / "r.json")[0] < 2
        found += json.loads((tmp_path / "r.json").read_text())["states"]
    assert [f["temperature"] for f in found] == [1.0] * 4
    for name in ("potential_energy", "pressure"):
        a, b, c, together = (f["averages"][name] for f in found)
        for one in (a, b, together):
            assert abs(one["mean"] - c["mean"]) < 4 * math.hypot(one["error"], c["error"]), name
        assert together["error"] < min(one["error"] for one in (a, b, c))
    # The runs themselves say the same.
    for k, run in enumerate(found[:2]):
        summary = json.loads((tmp_path / f"b{k}.json").read_text())["stages"][0]
        energy, told = run["averages"]["potential_energy"], summary["averages"]["potential_energy"]
        assert abs(energy["mean"] - told["mean"]) < energy["error"]
        with h5py.File(files[k]) as h:
            assert np.mean(h["observables/boost_energy/value"][:] != 0.0) > 0.5
            # Row 0, of the crystal, has most of the weight: whoever begins at it must see that.
            stage = stages.stages(h)[0]
            assert analysis.averages(h, stage)["potential_energy"].discarded * 1501 == \
                pytest.approx(told["discarded"]["steps"] / 10)
    assert call(capsys, *files, "-o", tmp_path / "u.npz")[0] < 2
    written = np.load(tmp_path / "u.npz")
    assert sorted(written["boosted"]) == [False, True, True]
    assert written["N_k"].sum() == len(written["time"]) and written["N_k"][~written["boosted"]].sum() > 700
    status, said = call(capsys, *files, "--mbar", tmp_path / "u.parquet")
    assert status == 2 and MESSAGE.fullmatch(said.err)


def test_runs_of_a_density_and_without_are_one_mixture(tmp_path, capsys):
    """Of the total energy, so that momenta have weights, too: averages at two temperatures, and how their
    configuration integrals compare."""
    density = ('method = "nose-density"\nmass = 20.0\nthreshold = -115.0\nwidth = 30.0\nleast_slope = 0.85\n')
    plain = 'method = "nose-poincare"\nmass = 20.0\n'
    files = [liquid(tmp_path, f"d{k}", seed=k, temperature=1.0, method=m) for k, m in enumerate((density, plain))]
    files.append(liquid(tmp_path, "d2", seed=5, temperature=1.15, method=plain))
    found = []
    for runs in (files[:1], files[1:], files):
        assert call(capsys, *runs, "--temperature", "1.0", "1.1", "--json", tmp_path / "r.json")[0] < 2
        found.append(json.loads((tmp_path / "r.json").read_text()))
    alone, without, together = (f["states"] for f in found)
    for k in range(2):
        for name in ("potential_energy", "pressure", "heat_capacity", "kinetic_energy"):
            a, b, c = (s[k]["averages"].get(name) for s in (alone, without, together))
            if a is None:
                continue
            for one in (a, c):
                assert abs(one["mean"] - b["mean"]) < 4 * math.hypot(one["error"], b["error"]), (k, name)
    rise = [s[1]["averages"]["reduced_free_energy"]["mean"] - s[0]["averages"]["reduced_free_energy"]["mean"]
            for s in (alone, without, together)]
    error = [s[1]["averages"]["reduced_free_energy"]["error"] for s in (alone, without, together)]
    assert abs(rise[0] - rise[1]) < 4 * math.hypot(error[0], error[1])
    assert abs(rise[2] - rise[1]) < 4 * math.hypot(error[2], error[1])
    assert [run.get("of_total") for run in found[2]["runs"]].count(True) == 1
    assert found[0]["remarks"] == [] or "bath" not in " ".join(found[0]["remarks"])


def test_a_pressure_that_has_changed_is_what_it_became(tmp_path, capsys):
    barostat = "[barostat]\npressure = {}\ntime = 1.0\ncompressibility = 0.1"
    ramp, plain = (liquid(tmp_path, f"p{k}", seed=k, temperature=1.0, steps=20_000, barostat=barostat.format(p))
                   for k, p in enumerate(("[[0, 1.0], [5000, 1.5]]", "1.5")))
    found = []
    for file in (ramp, plain):
        assert call(capsys, file, "--json", tmp_path / "r.json")[0] < 2
        found.append(json.loads((tmp_path / "r.json").read_text()))
    assert found[0]["runs"][0]["discarded"] >= 500
    a, b = (f["states"][0]["averages"]["volume"] for f in found)
    assert found[0]["states"][0]["pressure"] == 1.5
    assert abs(a["mean"] - b["mean"]) < 4 * math.hypot(a["error"], b["error"])


def test_a_density_has_a_temperature_that_is_judged(tmp_path, capsys):
    """Kinetic energies are those of a hotter bath, more or less as energies go."""
    density = 'method = "nose-density"\nmass = 20.0\nthreshold = -115.0\nwidth = 30.0\nleast_slope = 0.85\n'
    file = liquid(tmp_path, "run", seed=2, temperature=1.0, method=density)
    def remarks():
        call(capsys, file, "--json", tmp_path / "r.json")
        return " ".join(json.loads((tmp_path / "r.json").read_text())["remarks"])
    assert "the temperature in" not in remarks()
    with h5py.File(file, "r+") as h:
        plain = h["observables/temperature/value"][300:].mean()
        h["observables/temperature/value"][:] *= 1.05
    assert plain > 1.02 and "the temperature in" in remarks()


def test_the_work_of_a_barostat_is_in_the_units_of_the_run(tmp_path, capsys):
    """Enthalpies of the run at its own state, with the kinetic energy that a bath has on average."""
    file = liquid(tmp_path, "npt", seed=3, temperature=100.0, **{
        **ARGON, "barostat": "[barostat]\npressure = 500.0\ntime = 1000.0\ncompressibility = 2e-4"})
    found, said = states(capsys, tmp_path, file, "--equilibration", 0)
    assert "isobaric_heat_capacity [kcal mol-1/K]" in said
    with h5py.File(file) as h:
        series = {name: h[f"observables/{name}/value"][:] for name in ("enthalpy", "kinetic_energy")}
        freedom, kT = 3 * 108, 100.0 * 0.0019872042586408316
    exact = np.mean(series["enthalpy"] - series["kinetic_energy"]) + 0.5 * freedom * kT
    assert found[0]["averages"]["enthalpy"]["mean"] == pytest.approx(exact, rel=1e-9)
