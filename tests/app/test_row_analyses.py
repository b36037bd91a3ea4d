# SPDX-License-Identifier: BSD-3-Clause
"""Correlations in time and distributions of numbers that other observables measure: against NumPy, from the rows of the same
run, and against what is known of particles in a trap."""

import math

import h5py
import numpy as np
import pytest
from harness import BASE, DEVICE, edited, mdrun, place
from runs import BAOAB, FORCE, LIQUID, OUTPUT, THERMO, VERLET, Folder, one_stage, staged

STRESS = '[[observe]]\ntype = "stress"\nevery = 5\n'


def analysis(kind, of, keys=""):
    return f'[[observe]]\ntype = "{kind}"\nof = {of}\n{keys}\n'


def correlation(of, keys="window = 10"):
    return analysis("time-correlation", of, keys)


def distribution(of, keys):
    return analysis("distribution", of, keys)


def results(folder, stage=-1):
    """Series, and arrays of a stage, as they are in the file."""
    with h5py.File(folder.path / "out.h5") as file:
        series = {name: (item["step"][:], item["value"][:]) for name, item in file["observables"].items()}
        arrays = {name: {part: item[part][stage] if part in ("value", "error", "samples") else item[part][:]
                         for part in item} for name, item in file["averages"].items()}
    return series, arrays


def residuals(rows):
    """What each row is away from the mean of those before, with the variance of independent rows."""
    n = np.arange(1, len(rows))
    return (rows[1:] - np.cumsum(rows)[:-1] / n) * np.sqrt(n / (n + 1))


def expect_correlation(found, a, b, window, levels, interval):
    """`found` is that of these rows, at all lags of all levels."""
    x, y = residuals(a), residuals(b)
    lags, values, unit = [], [], 1
    for level in range(levels):
        for lag in range(window // 2 if level else 0, window):
            lags.append(lag * unit * interval)
            values.append((x[:len(x) - lag] * y[lag:]).mean() if lag < len(x) else np.nan)
        x, y = (z[:len(z) // 2 * 2].reshape(-1, 2).mean(axis=1) for z in (x, y))
        unit *= 2
    np.testing.assert_allclose(found["lag"], lags, rtol=1e-12)
    np.testing.assert_allclose(found["value"], values, rtol=1e-9, atol=1e-12 * np.std(a) * np.std(b))
    assert found["samples"] == len(a)


def expect_distribution(found, beyond, rows, low, high, bins):
    counts, edges = np.histogram(rows, bins, (low, high))
    np.testing.assert_allclose(found["value"], counts / len(rows) / np.diff(edges), rtol=1e-12)
    np.testing.assert_allclose(beyond["value"], 1.0 - counts.sum() / len(rows), atol=1e-12)
    assert found["samples"] == beyond["samples"] == len(rows)


@pytest.mark.parametrize("precision", ["double", "mixed"])
@pytest.mark.parametrize("units", ["lj", "real"])
def test_they_are_those_of_the_rows_in_the_file(units, precision, tmp_path):
    """In the units in which these are written: of `real` pressures are in atm."""
    system, force, dt = LIQUID, FORCE, "dt = 0.004"
    if units == "real":
        system = LIQUID.replace("dimension = 3", 'dimension = 3\nunits = "real"').replace("0.8 ", "0.0203 ").replace(
            "temperature = 1.0", "temperature = 120.0") + '[[species]]\nname = "Ar"\nmass = 39.948\n'
        force = FORCE.replace("epsilon = 1.0", "epsilon = 0.238").replace("sigma = 1.0", "sigma = 3.405").replace("2.5", "8.5")
        dt = "dt = 8.0"
    low, high = (-1.0, 0.0) if units == "lj" else (-500.0, 1500.0)
    observe = (correlation('["pressure", "pressure_xy"]') + THERMO + STRESS + correlation('["pressure"]', "window = 8\nlongest = 200")
               + distribution('["pressure"]', f"range = [{low}, {high}]\nbins = 13") + correlation('["pressure_xy", "pressure"]'))
    folder = Folder(tmp_path / "run", one_stage(f'method = "verlet"\n{dt}', 400, observe, system, force),
                    f"compute.precision={precision}", "run.equilibration=0")
    folder.run()
    series, arrays = results(folder)
    rows = {name: series[name][1] for name in ("pressure", "pressure_xy")}
    assert len(rows["pressure"]) == 81
    interval = 5 * float(dt.split()[-1])
    for a, b in (("pressure", "pressure_xy"), ("pressure_xy", "pressure")):
        expect_correlation(arrays[f"time_correlation_{a}_{b}"], rows[a], rows[b], 10, 1, interval)
    expect_correlation(arrays["time_correlation_pressure"], rows["pressure"], rows["pressure"], 8, 4, interval)
    expect_distribution(arrays["distribution_pressure"], arrays["distribution_pressure_outside"], rows["pressure"], low, high, 13)
    assert 0.0 < arrays["distribution_pressure_outside"]["value"] < 1.0
    with h5py.File(folder.path / "out.h5") as file:
        unit = file["averages/time_correlation_pressure/value"].attrs["unit"]
        assert unit == ("epsilon^2/sigma^6" if units == "lj" else "atm^2")
        unit = file["averages/distribution_pressure/value"].attrs["unit"]
        assert unit == ("sigma^3/epsilon" if units == "lj" else "1/atm")


def test_each_stage_has_its_own(tmp_path):
    """With other rows, without what is left out, and none in a stage that does not ask."""
    stages = (("one", VERLET, 200, 0, 5, 10), ("two", BAOAB, 400, 90, 4, 20), ("three", VERLET, 60, 0, 5, 0))
    text = LIQUID + FORCE
    for name, integrator, steps, left_out, every, window in stages:
        observe = THERMO.replace("5", str(every))
        if window:
            observe = (correlation('["total_energy"]', f"window = {window}") + observe
                       + distribution('["temperature"]', "range = [0.2, 1.8]\nbins = 9"))
        text += (f'[[stage]]\nname = "{name}"\nsteps = {steps}\nequilibration = {left_out}\n[stage.integrator]\n{integrator}\n'
                 + observe.replace("[[observe]]", "[[stage.observe]]"))
    folder = Folder(tmp_path / "run", text + OUTPUT)
    folder.run()
    series, _ = results(folder)
    for stage, (name, first, last) in enumerate((("time_correlation_total_energy", 0, 200),
                                                 ("time_correlation_total_energy_stage_1", 290, 600))):
        rows = {quantity: value[(step >= first) & (step <= last)] for quantity, (step, value) in series.items()}
        with h5py.File(folder.path / "out.h5") as file:
            curve = file[f"averages/{name}"]
            assert len(curve["value"]) == 1
            found = {"lag": curve["lag"][:], "value": curve["value"][0], "samples": curve["samples"][0]}
            assert len(file["averages/distribution_temperature/value"]) == 2
            density, beyond = ({part: file[f"averages/distribution_temperature{end}/{part}"][stage] for part in ("value", "samples")}
                               for end in ("", "_outside"))
        every, window = stages[stage][4:]
        expect_correlation(found, rows["total_energy"], rows["total_energy"], window, 1, every * 0.004)
        expect_distribution(density, beyond, rows["temperature"], 0.2, 1.8, 9)


@pytest.mark.parametrize("method, says", [
    ("verlet", ""), ("baoab", "msd and time-correlation with baoab (friction and noise change the dynamics"),
    ("dpd", "msd and time-correlation with dpd (friction and noise between pairs"),
    *[(bath, f"time-correlation with {bath} (the bath exchanges energy") for bath in ("bussi", "berendsen", "nose-hoover")]])
def test_correlations_beside_a_bath_are_warned_of_once_in_a_stage(method, says, tmp_path):
    keys = {"baoab": "friction = 1.0", "dpd": "friction = 1.0\nradius = 1.5", "bussi": "time = 0.5", "berendsen": "time = 0.5",
            "nose-hoover": "period = 0.5"}
    bath = f'method = "{method}"\ndt = 0.004' + (f"\ntemperature = 1.0\n{keys[method]}" if method in keys else "")
    observe = THERMO + correlation('["temperature"]', "window = 4") + correlation('["pressure"]', "window = 4")
    text = staged(("one", bath, 40), ("two", bath, 40)).replace(THERMO.replace("[[", "[[stage."), (
        observe + '[[observe]]\ntype = "msd"\nevery = 5\nwindow = 4\n').replace("[[observe]]", "[[stage.observe]]"))
    told = [line for line in Folder(tmp_path / "run", text).run().err.splitlines() if "at constant energy" in line]
    assert len(told) == (2 if says else 0), told
    for line, stage in zip(told, ("one", "two")):
        assert line.startswith(f"mdrun: warning: stage {stage}: {says}"), line


def test_a_range_in_which_few_rows_are_is_told(tmp_path):
    """More than half of them are outside."""
    observe = THERMO + "".join(distribution(f'["{name}"]', f"range = {of}\nbins = 5") for name, of in (
        ("temperature", [9.0, 10.0]), ("kinetic_energy", [0.0, 1e9]), ("potential_energy", [0.0, 1.0])))
    folder = Folder(tmp_path / "run", one_stage(VERLET, 400, observe), "run.equilibration=0")
    told = [line for line in folder.run().err.splitlines() if "outside" in line]
    assert told == [f"mdrun: warning: distribution_{name}: 100 % of 81 rows are outside its range (its bins contain only "
                    "the others); give it a wider range" for name in ("temperature", "potential_energy")]
    with h5py.File(folder.path / "out.h5") as file:
        energies = np.sort(file["observables/potential_energy/value"][:])
    for part, warned in ((0.45, True), (0.55, False)):
        above = float(energies[int((1.0 - part) * len(energies))]) - 1e-9
        result = Folder(tmp_path / str(part), one_stage(VERLET, 400, THERMO + distribution(
            '["potential_energy"]', f"range = [{above!r}, 0.0]\nbins = 5")), "run.equilibration=0").run()
        assert ("% of 81 rows" in result.err) == warned, result.err


TRAP = """\
seed = 11
[system]
dimension = {dimension}
box = {{ periodic = false }}
lattice = {{ type = "{lattice}", repeat = {repeat}, constant = 1.0 }}
velocity = {{ temperature = 1.0 }}
[[force]]
type = "harmonic-trap"
stiffness = {stiffness}
[integrator]
method = "baoab"
dt = 0.05
temperature = 1.0
friction = 0.5
[run]
steps = 60_000
equilibration = 400
[[observe]]
type = "thermo"
every = 4
[output]
prefix = "out"
"""


@pytest.mark.skipif(DEVICE == "cuda", reason="60000 steps, on a CPU")
@pytest.mark.parametrize("dimension, lattice", [(1, "chain"), (2, "square"), (3, "sc")])
def test_energies_in_a_trap(dimension, lattice, tmp_path):
    """n oscillators (m = k = kT = 1) under Langevin: correlations of x and v are those of a damped one (Chandrasekhar 1943), so
    those of energies, sums of squares, n/2 of their squares; the potential energy has a gamma distribution of shape n/2."""
    repeat = {1: [16], 2: [4, 4], 3: [4, 2, 2]}[dimension]
    text = TRAP.format(dimension=dimension, lattice=lattice, repeat=repeat, stiffness=[1.0] * dimension)
    shape = 8 * dimension
    text += (correlation('["potential_energy"]', "window = 40") + correlation('["kinetic_energy"]', "window = 40")
             + correlation('["kinetic_energy", "potential_energy"]', "window = 16\nlongest = 600")
             + distribution('["potential_energy"]', f"range = [{shape - 5}, {shape + 4}]\nbins = 12"))
    folder = Folder(tmp_path / "run", text)
    folder.run()
    _, arrays = results(folder)
    fast = math.sqrt(1.0 - 0.25**2)

    def exact(name, t):
        swing, turn = np.cos(fast * t), np.sin(fast * t)
        factor = {"potential_energy": swing + 0.25 / fast * turn, "kinetic_energy": swing - 0.25 / fast * turn,
                  "kinetic_energy_potential_energy": turn / fast}[name]
        return shape * (np.exp(-0.25 * t) * factor) ** 2

    for name in ("potential_energy", "kinetic_energy", "kinetic_energy_potential_energy"):
        found = arrays[f"time_correlation_{name}"]
        near = found["lag"] < 3.1  # above them averages over rows
        distance = (found["value"] - exact(name, found["lag"]))[near] / found["error"][near]
        assert np.abs(distance).max() < 4.0, (name, distance)
        # Some three independent lags.
        assert 0.05 < (distance**2).mean() < 4.0, (name, distance)
        assert found["error"][near].max() < 0.1 * shape
        late = found["lag"] > 12.0
        assert (np.abs(found["value"])[late] < 4.0 * found["error"][late] + 0.02 * shape).all()

    def below(x):
        return 1.0 - math.exp(-x) * sum(x**k / math.factorial(k) for k in range(shape))

    edges = np.linspace(shape - 5, shape + 4, 13)
    density = np.diff([below(x) for x in edges]) / np.diff(edges)
    found, beyond = (arrays[f"distribution_potential_energy{end}"] for end in ("", "_outside"))
    assert np.abs((found["value"] - density) / found["error"]).max() < 4.0
    assert abs(beyond["value"] - 1.0 + (density * np.diff(edges)).sum()) < 4.0 * beyond["error"]
    assert 0.0 < beyond["error"] < 0.05


@pytest.mark.parametrize("more, name", [
    ("\n[barostat]\npressure = 1.0\ntime = 0.5\ncompressibility = 0.15\nevery = 10\n", "volume"),
    ("\n[shear]\nrate = 0.4\n", "potential_energy")], ids=["barostat", "shear"])
def test_boxes_may_change(more, name, tmp_path):
    observe = THERMO + correlation(f'["{name}"]', "window = 4") + distribution(f'["{name}"]', "range = [-1e4, 1e4]")
    folder = Folder(tmp_path / "run", one_stage(BAOAB + more, 100, observe))
    folder.run()
    series, arrays = results(folder)
    rows = series[name][1]
    expect_correlation(arrays[f"time_correlation_{name}"], rows, rows, 4, 1, 0.02)


def test_nothing_follows_from_the_errors_of_others(tmp_path):
    """Of a table that measures, a force or a method, which may be where the quantity comes from."""
    asks = correlation('["pressure", "potential_energy_lennard-jones"]', "window = 2") + "[output]"
    base = edited(("[output]", asks), ("[[observe]]", '[[observe]]\ntype = "energy-terms"\nevery = 5\n[[observe]]'))
    (tmp_path / "in.toml").write_text(base)
    assert mdrun("in.toml", "--check", cwd=tmp_path).status == 0
    for wrong in (("every = 5", "every = -5"), ("epsilon = 1.0", "epsilon = -1.0"), ("dt = 0.004", "dt = -0.004")):
        text = edited(wrong, base=base)
        (tmp_path / "in.toml").write_text(text)
        result = mdrun("in.toml", "--check", cwd=tmp_path)
        assert result.status == 2
        assert result.error()["where"] == "in.toml:%d:%d" % place(text, wrong[1])


def test_lags_beyond_the_rows_are_unknown(tmp_path):
    """And a run that is made longer goes on: the default window does not depend on it."""
    folder = Folder(tmp_path / "run", edited(("[output]", correlation('["pressure"]', "window = 4\nlongest = 20") + "[output]"),
                                             base=BASE))
    folder.run()
    _, arrays = results(folder)
    found = arrays["time_correlation_pressure"]
    assert np.isnan(found["value"][-1]) and np.isinf(found["error"]).all()
