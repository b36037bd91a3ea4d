# SPDX-License-Identifier: BSD-3-Clause
"""The same systems in each of the units of atoms: every number that a run writes, times the unit that stands beside
it, in SI. The conversions here are made of SI's constants alone."""

import json
import os
import pathlib
import re
import subprocess
import sys

import h5py
import numpy as np
import pytest
from harness import edited, mdrun
from runs import Folder

AVOGADRO, CHARGE, BOLTZMANN = 6.02214076e23, 1.602176634e-19, 1.380649e-23
GRAM = 1e-3 / AVOGADRO  # kg, of one g/mol
KILOCALORIE = 4184.0 / AVOGADRO
AKMA_TIME = 1e-10 * np.sqrt(GRAM / KILOCALORIE)

#: One energy and one unit of time, in SI.
SYSTEMS = {"akma": (KILOCALORIE, AKMA_TIME), "real": (KILOCALORIE, 1e-15), "metal": (CHARGE, 1e-12)}
SYMBOLS = {"kcal mol-1": KILOCALORIE, "eV": CHARGE, "48.88821 fs": AKMA_TIME, "AKMA": AKMA_TIME, "fs": 1e-15,
           "ps": 1e-12, "Angstrom": 1e-10, "u": GRAM, "K": 1.0, "atm": 101325.0, "bar": 1e5, "k_B": BOLTZMANN,
           "e": CHARGE}


def in_si(unit):
    """A unit as results write it, such as "kcal mol-1/(Angstrom (48.88821 fs) K)" or "Angstrom ps-1"."""
    pattern = "|".join(re.escape(s) for s in sorted(SYMBOLS, key=len, reverse=True))
    product = re.sub(rf"(?<![\w.])({pattern})(-1)?(?!\w)",
                     lambda m: f"({SYMBOLS[m[1]]!r})" + ("**-1" if m[2] else ""), unit)
    product = re.sub(r"(?<=[)\d])\s+(?=\()", "*", product.replace("^", "**"))
    return eval(product, {"__builtins__": {}}) if unit else 1.0


def test_units_are_read_as_they_are_written():
    assert in_si("kcal mol-1/(Angstrom (48.88821 fs) K)") == pytest.approx(KILOCALORIE / 1e-10 / AKMA_TIME)
    assert in_si("Angstrom^2/(48.88821 fs)^2") == pytest.approx(1e-20 / AKMA_TIME**2)
    assert in_si("Angstrom ps-1") == pytest.approx(1e2)
    assert in_si("eV ps/Angstrom") == pytest.approx(CHARGE * 1e-2)


#: Argon and krypton under a field that is an acceleration and a wave in time. Numbers in braces differ.
INPUT = """\
seed = 3
[system]
dimension = 3
units = "{units}"
box = {{ density = 0.0203 }}
lattice = {{ type = "fcc", repeat = [3, 3, 3] }}
velocity = {{ temperature = 120.0 }}
[[species]]
name = "Ar"
mass = 39.948
fraction = 0.5
[[species]]
name = "Kr"
mass = 83.798
fraction = 0.5
[[force]]
type = "lennard-jones"
epsilon = {epsilon}
sigma = 3.405
cutoff = 8.0
truncation = "force-shift"
[integrator]
{method}
[run]
steps = 60
[output]
prefix = "out"
trajectory = {{ every = 20, fields = ["position", "velocity", "force", "potential_energy", "stress"] }}
[compute]
precision = "double"
{observe}"""

FIELD = """\
[[force]]
type = "uniform-field"
coupling = "mass"
strength = [{acceleration}, 0.0, 0.0]
modulation = {{ period = {period}, phase = 0.3 }}
"""

OBSERVE = """\
[[observe]]
type = "thermo"
every = 2
[[observe]]
type = "stress"
every = 2
[[observe]]
type = "configurational"
every = 2
[[observe]]
type = "velocity-distribution"
every = 5
largest = {largest}
[[observe]]
type = "msd"
every = 2
longest = 20
[[observe]]
type = "vacf"
every = 2
origins = 4
longest = 20
"""
VISCOSITY = """\
[[observe]]
type = "viscosity"
every = 2
window = 10
"""

VERLET = 'method = "verlet"\ndt = {dt}'
METHODS = {
    "verlet": VERLET,
    "verlet in a field": VERLET,
    "baoab": 'method = "baoab"\ndt = {dt}\ntemperature = 120.0\nfriction = {friction}',
    "nose-poincare": 'method = "nose-poincare"\ndt = {dt}\ntemperature = 120.0\nmass = {bath}',
}


def filled(text, units):
    """The template in one system of units, of numbers in SI."""
    energy, time = SYSTEMS[units]
    return text.format(
        units=units, epsilon=repr(0.238 * KILOCALORIE / energy), dt=repr(4e-15 / time), friction=repr(1e13 * time),
        largest=repr(1500.0 * time / 1e-10), period=repr(80e-15 / time),
        acceleration=repr(1e15 * time**2 / 1e-10), bath=repr(1e-45 / (energy * time**2)))


def results(path):
    """Every number with a unit, in SI, by the name of its dataset; masses in g/mol."""
    found = {}

    def take(name, item):
        if not isinstance(item, h5py.Dataset) or item.dtype.kind != "f":
            return
        owner = item.parent["value"] if name.endswith("/error") else item
        unit = owner.attrs.get("unit", b"")
        found[name] = item[()] * in_si(unit.decode() if isinstance(unit, bytes) else str(unit))

    with h5py.File(path) as file:
        for group in ("observables", "averages", "particles"):
            file[group].visititems(lambda name, item, group=group: take(f"{group}/{name}", item))
    return found


def assert_agree(found, expected):
    """Rounding grows in 60 steps of a liquid from 1e-16 to 1e-13 at most (Lyapunov times of 100 steps and more);
    numbers of one array are compared with the largest, and stresses with what cancels in them."""
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        finite = np.isfinite(values)
        assert np.array_equal(finite, np.isfinite(found[name])), name
        scale = np.max(np.abs(values[finite]), initial=0.0)
        if "momentum" in name:  # zero, but for rounding of 108 particles of 1e-24 kg m/s each
            scale = 1e-22
        np.testing.assert_allclose(found[name][finite], values[finite], rtol=1e-9, atol=1e-9 * scale, err_msg=name)


def text_of(method):
    field = method.endswith("field")
    observe = OBSERVE + ("" if field else VISCOSITY)
    text = INPUT.replace("{method}", METHODS[method]).replace("{observe}", (FIELD if field else "") + observe)
    return text.replace("type = \"configurational\"\nevery = 2", "type = \"rdf\"\nevery = 20") if field else text


@pytest.fixture(scope="module", params=METHODS)
def runs(request, tmp_path_factory):
    folders = {}
    for units in SYSTEMS:
        path = tmp_path_factory.mktemp("units") / units
        folders[units] = Folder(path, filled(text_of(request.param), units))
        folders[units].run()
    return folders


@pytest.mark.parametrize("units", ["real", "metal"])
def test_all_results_are_those_of_akma(runs, units):
    expected = results(runs["akma"].path / "out.h5")
    assert "averages/msd/value" in expected and "particles/all/velocity/value" in expected
    assert_agree(results(runs[units].path / "out.h5"), expected)


@pytest.mark.parametrize("units", ["real", "metal"])
def test_so_is_the_summary(runs, units):
    def numbers(folder):
        summary = folder.averages()
        stage = summary["stages"][0]
        found = {"masses": [s["mass"] for s in summary["system"]["species"]],
                 "time": stage["time"] * in_si(stage["time_unit"]),
                 "drift": stage["conserved"]["drift"] * in_si(stage["conserved"]["drift_unit"])}
        for kind in ("averages", "fluctuations"):
            for name, a in stage[kind].items():
                if name != "conserved_energy":  # of a Nosé bath it is near zero
                    found[name] = a.get("mean", a.get("value")) * in_si(a["unit"])
        return found

    expected, found = numbers(runs["akma"]), numbers(runs[units])
    assert found.keys() == expected.keys()
    assert found["masses"] == pytest.approx([39.948, 83.798], rel=1e-14)
    for name, value in expected.items():
        # Derivatives from fluctuations, and a drift, are what is left of larger numbers.
        assert found[name] == pytest.approx(value, rel=1e-6), name


def test_energies_and_pressures_by_hand(runs):
    """Temperature, kinetic energy, P V = 2 K / 3 + W of the last frame, from its velocities in SI."""
    for units, folder in runs.items():
        with h5py.File(folder.path / "out.h5") as file:
            frame = file["particles/all"]
            velocity = frame["velocity/value"][-1] * in_si(frame["velocity/value"].attrs["unit"])
            mass = frame["mass"][...] * GRAM
            stress = frame["stress/value"][-1] * in_si(frame["stress/value"].attrs["unit"])
            volume = np.prod(np.diag(frame["box/edges/value"][-1])) * 1e-30
            series = file["observables"]
            row = list(series["pressure/step"]).index(60)

            def last(name):
                return series[name]["value"][row] * in_si(series[name]["value"].attrs["unit"])

            kinetic = 0.5 * np.sum(mass[:, None] * velocity**2)
            assert last("kinetic_energy") == pytest.approx(kinetic, rel=1e-12)
            # Where momentum is conserved the centre of mass has no heat; a field gives it some, of which two
            # directions are left; a bath with friction moves it.
            centre = mass @ velocity / mass.sum()
            freedom = {"nve": 3 * len(mass) - 3, "field": 3 * len(mass) - 2, "bath": 3 * len(mass)}
            inner = {"nve": velocity - centre, "field": velocity - centre * [0, 1, 1], "bath": velocity}
            assert any(last("temperature") == pytest.approx(
                np.sum(mass[:, None] * inner[kind]**2) / (freedom[kind] * BOLTZMANN), rel=1e-9) for kind in freedom)
            pressure = -stress[:, :3].sum() / (3 * volume)
            assert last("pressure") == pytest.approx(pressure, rel=1e-9), units


def export(folder, kind):
    tool = pathlib.Path(__file__).resolve().parents[2] / "tools" / "mdexport"
    subprocess.run([sys.executable, str(tool), "out.h5", "--to", kind], cwd=folder.path, check=True,
                   env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})


def test_flat_files_say_how_they_become_kilojoules_and_bars(runs):
    """Of the last row: m v^2 / 2 with masses in g/mol and velocities in nm/ps is an energy in kJ/mol."""
    for units, folder in runs.items():
        if "field" in (folder.path / "in.toml").read_text():
            continue
        export(folder, "physical-validation")
        flat = folder.path / "out.flat"
        run = json.loads((flat / "run.json").read_text())
        unit = run["units"]
        velocity = np.loadtxt(flat / "velocity.dat").reshape(-1, 108, 3)[-1]
        velocity *= unit["length_conversion"] / unit["time_conversion"]
        kinetic = 0.5 * np.sum(np.array(run["system"]["mass"])[:, None] * velocity**2)
        found = np.loadtxt(flat / "kinetic_energy.dat")[-1] * unit["energy_conversion"]
        assert found == pytest.approx(kinetic, rel=1e-9)
        assert unit["kb"] * unit["energy_conversion"] == pytest.approx(BOLTZMANN * AVOGADRO * 1e-3, rel=1e-9)
        with h5py.File(folder.path / "out.h5") as file:
            pressure = file["observables/pressure/value"]
            expected = pressure[-1] * in_si(pressure.attrs["unit"]) * 1e-5
        assert np.loadtxt(flat / "pressure.dat")[-1] * unit["pressure_conversion"] == pytest.approx(expected, rel=1e-9)
        assert unit["energy_str"] == {"akma": "kcal mol-1", "real": "kcal mol-1", "metal": "eV"}[units]


def test_the_tools_know_the_energies_of_velocities(runs):
    """kT of a frame, as the report has it: in units of energy of the run."""
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
    from shadow_results import maxwell
    from shadow_results.results import Frame
    for units, folder in runs.items():
        with h5py.File(folder.path / "out.h5") as file:
            _, kT = maxwell.compare(Frame(file, -1))
            kinetic = file["observables/kinetic_energy/value"][-1]
        assert kT == pytest.approx(2 * kinetic / (3 * 108), rel=1e-9), units


@pytest.mark.parametrize("suffix", [".h5", ".checkpoint.h5", ".data", ".xyz"])
def test_a_run_goes_on_in_other_units(tmp_path, suffix):
    """From metal to the others, by each kind of file; masses and velocities are what they were."""
    first = Folder(tmp_path / "first", filled(text_of("verlet"), "metal"))
    first.run()
    if suffix in (".data", ".xyz"):
        export(first, "lammps-data" if suffix == ".data" else "xyz")
    with h5py.File(first.path / "out.h5") as file:
        velocity = file["particles/final/velocity/value"][-1] * 1e2
    for units in SYSTEMS:
        text = re.sub(r"box = .*\nlattice = .*\nvelocity = .*\n", f'file = "../first/out{suffix}"\n',
                      filled(text_of("verlet"), units)).replace("fraction = 0.5\n", "")
        text = text.split("[[observe]]")[0].replace("steps = 60", "steps = 0")
        folder = Folder(tmp_path / units, text)
        said = folder.run()
        assert "where the file has" not in said.err, said.err
        with h5py.File(folder.path / "out.h5") as file:
            frame = file["particles/final"]
            found = frame["velocity/value"][-1] * in_si(frame["velocity/value"].attrs["unit"])
            np.testing.assert_allclose(found, velocity, rtol=1e-12)
            np.testing.assert_allclose(np.sort(np.unique(np.round(frame["mass"][...], 9))), [39.948, 83.798])


def test_an_error_of_pressure_is_asked_for_in_its_units(tmp_path):
    """The error of the summary, by which a stage ends, in atm or bar."""
    errors = {}
    for units in SYSTEMS:
        text = edited(("steps = 60", "until = { quantity = \"pressure\", error = 1e30, max_steps = 2000 }"),
                      base=filled(text_of("verlet"), units))
        folder = Folder(tmp_path / units, text)
        folder.run()
        until = json.loads((folder.path / "summary.json").read_text())["stages"][0]["until"]
        pressure = {"akma": 101325.0, "real": 101325.0, "metal": 1e5}[units]
        errors[units] = until["targets"]["pressure"]["error"] * pressure
    assert errors["real"] == pytest.approx(errors["akma"], rel=1e-3)
    assert errors["metal"] == pytest.approx(errors["akma"], rel=1e-3)


def test_the_log_has_the_units(tmp_path):
    Folder(tmp_path / "run", filled(text_of("verlet"), "metal")).run()
    log = (tmp_path / "run" / "out.log").read_text()
    assert "time in ps; temperature in K; energies in eV; pressure in bar" in log
    assert "(mass 39.948, charge 0)" in mdrun("in.toml", "--check", cwd=tmp_path / "run").out
