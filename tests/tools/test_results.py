# SPDX-License-Identifier: BSD-3-Clause
"""Statistics, stages and arrays as the tools read them from a result file."""
import json
import subprocess

import h5py
import numpy as np
import pytest
from conftest import LIQUID, MDRUN, correlated, describe_run, write_array, write_results, write_series
from hypothesis import given, settings, strategies as st
from shadow_results import analysis, maxwell
from shadow_results.chart import thin, tick_labels, ticks
from shadow_results.figures import kind_of, unit_symbols
from shadow_results.results import Frame, observables, open_results, read_arrays, scalars
from shadow_results.stages import begun, complete, last_step, running, stages, total_steps
from shadow_results.statistics import drift, equilibration, estimate
from shadow_results.text import plain, with_error


def test_numbers_are_those_of_the_engine(run):
    summary = json.loads((run / "out.json").read_text())
    with open_results(run / "out.h5") as file:
        stage = stages(file)[0]
        least = max(analysis.slow_motion(file, stage).values())  # twice that, two steps a row
        for name, told in summary["averages"].items():
            series = analysis.stage_series(file, name, stage)
            assert len(series.time) == 1501
            e = estimate(series.value[:, 0], None, least)
            # Sums of 1501 numbers in another order: 1e-13 of their size, of which
            # errors are a 1e-5 part.
            assert e.mean == pytest.approx(told["mean"], rel=1e-12)
            assert e.error == pytest.approx(told["error"], rel=1e-6)
            assert e.inefficiency == pytest.approx(told["inefficiency"], rel=1e-6)
            assert e.independent_samples == pytest.approx(told["independent_samples"], rel=1e-6)
            assert e.discarded == told.get("discarded", {}).get("steps", 0) // 2
        line = analysis.conserved(file, stage)
    told = summary["conserved"]
    assert line.drift.slope == pytest.approx(told["drift"], rel=1e-5)
    assert line.drift.error == pytest.approx(told["drift_error"], rel=1e-5)
    assert line.drift.fluctuation == pytest.approx(told["fluctuation"], rel=1e-5)


def test_numbers_of_steps_that_follow_the_motion_are_those_of_the_engine(tmp_path):
    if not MDRUN:
        pytest.skip("mdrun is not built (SHADOW_MDRUN is empty)")
    (tmp_path / "in.toml").write_text(LIQUID.replace('method = "verlet"', 'method = "adaptive-verlet"\nobjective = "kinetic-energy"\npower = 2.0'))
    subprocess.run([MDRUN, "in.toml", "--quiet", "--summary", "out.json"], cwd=tmp_path, check=True, capture_output=True)
    told = json.loads((tmp_path / "out.json").read_text())["averages"]
    with open_results(tmp_path / "out.h5") as file:
        found = analysis.averages(file, stages(file)[0])
        plain_mean = np.mean(analysis.stage_series(file, "potential_energy", stages(file)[0]).value)
    for name in ("potential_energy", "temperature"):
        assert found[name].discarded == pytest.approx(told[name].get("discarded", {}).get("fraction", 0.0), rel=1e-12)
        assert found[name].mean == pytest.approx(told[name]["mean"], rel=1e-12)
        assert found[name].error == pytest.approx(told[name]["error"], rel=1e-6)
    assert abs(plain_mean - told["potential_energy"]["mean"]) > 0.3 * told["potential_energy"]["error"]


def test_errors_of_a_correlated_series_are_known():
    # An AR(1) series with decay time t counts (1 + a) / (1 - a) rows as one, about 2 t.
    time, count = 10, 40_000
    a = np.exp(-1 / time)
    exact = np.sqrt((1 + a) / (1 - a) / count)
    ratios = []
    for seed in range(8):
        e = estimate(correlated(count, time, seed), 0)
        assert e.plateau and not e.warning()
        ratios += [e.error / exact, e.error_autocorrelation / exact]
    # Each error is known to sqrt(1 / blocks), 5 to 10 %; 16 of them to 3 %, and blocking leaves out
    # some percent of the correlation.
    assert np.mean(ratios) == pytest.approx(1.0, abs=0.12)


def test_a_start_out_of_equilibrium_is_discarded():
    values = correlated(4000, 3, 1)
    assert estimate(values).discarded < 400
    values += 30 * np.exp(-np.arange(4000) / 100)
    e = estimate(values)
    assert 300 < e.discarded < 1500  # after 3 to 15 decay times: 30 falls to 1.5, and to 1e-5
    assert abs(e.mean) < 5 * e.error


def test_short_and_constant_series():
    assert estimate([]).samples == 0
    assert estimate([3.0]).warning() == "too few samples for an error"
    assert estimate(np.full(10, 7.0)).error == 0.0
    # 5 independent samples: some such series look like noise, most do not.
    warned = [bool(estimate(correlated(200, 20, seed), 0).warning()) for seed in range(40)]
    assert np.mean(warned) > 0.9


def test_a_drift_is_found_with_its_error():
    time = 0.1 * np.arange(5000)
    line = drift(time, 3e-3 * time + 0.1 * correlated(5000, 5, 3))
    assert line.slope == pytest.approx(3e-3, abs=5 * line.error)
    # sigma sqrt(12 g / n) / T with g = 2 * 5 rows: 1.1e-4 * ... within a factor of 1.5
    exact = 0.1 * np.sqrt(12 * 10 / 5000) / 500
    assert exact / 1.5 < line.error < exact * 1.5


STAGED = """\
[[stage]]
name = "relax"
steps = 500
integrator = { method = "minimize", dt = 0.01 }
[[stage]]
name = "warm"
steps = 300
integrator = { method = "baoab", dt = 0.004 }
[[stage]]
name = "sample"
steps = 1000
integrator = { method = "verlet", dt = 0.002 }
"""


def staged(path, last, first_steps=(), last_steps=()):
    """Rows each 10 steps of a run whose minimisation arrived after 96 of its steps; and what the
    run says of its stages."""
    path = write_results(path, np.zeros((1, 2, 2)), np.full(2, 5.0))
    describe_run(path, STAGED)
    step = np.arange(0, last + 1, 10)
    time = np.where(step < 96, 0, np.where(step < 396, (step - 96) * 0.004,
                                           1.2 + (step - 396) * 0.002))
    write_series(path, "total_energy", step, np.arange(len(step)))
    with h5py.File(path, "a") as file:
        file["observables/total_energy/time"][...] = time
        if first_steps:
            file["parameters/stage/first_step"] = np.array(first_steps, dtype=int)
            file["parameters/stage/last_step"] = np.array(last_steps, dtype=int)
    return path


def test_stages_are_told_apart(tmp_path):
    path = staged(tmp_path / "a.h5", 1396, (0, 96, 396), (96, 396, 1396))
    with open_results(path) as file:
        assert [(s.first, s.last) for s in stages(file)] == [(0, 96), (96, 396), (396, 1396)]
        assert total_steps(file) == 1396 and last_step(file) == 1390 and complete(file)
        rows = [analysis.stage_series(file, "total_energy", s).step for s in stages(file)]
    assert [(r[0], r[-1]) for r in rows] == [(0, 90), (100, 390), (400, 1390)]


def test_a_run_on_its_way_has_the_stages_that_began(tmp_path):
    with open_results(staged(tmp_path / "a.h5", 60, (0,))) as file:
        assert [s.name for s in begun(file)] == ["relax"] and running(file) == 0
        assert stages(file)[0].limit == 500
        assert total_steps(file) is None and not complete(file)
    with open_results(staged(tmp_path / "b.h5", 200, (0, 96), (96,))) as file:
        assert [s.name for s in begun(file)] == ["relax", "warm"] and running(file) == 1
        assert total_steps(file) == 1396 and not complete(file)
    with open_results(staged(tmp_path / "c.h5", 96, (0, 96), (96,))) as file:
        assert [s.name for s in begun(file)] == ["relax"] and running(file) == 1


def test_a_file_that_does_not_tell_is_taken_by_its_input(tmp_path):
    with open_results(staged(tmp_path / "a.h5", 600)) as file:
        assert [(s.first, s.last) for s in stages(file)] == [(0, 500), (500, 800), (800, 1800)]
        assert running(file) == 1 and total_steps(file) == 1800 and not complete(file)


@pytest.mark.parametrize("until", ["{ quantity = 'pressure', error = 1e-3, max_steps = 900 }",
                                   "[{ quantity = 'pressure', error = 1e-3, max_steps = 900 }, "
                                   "{ quantity = 'temperature', error = 1e-3 }]"])
def test_a_stage_that_may_end_early_has_a_limit(tmp_path, until):
    path = write_results(tmp_path / "a.h5", np.zeros((1, 2, 2)), np.full(2, 5.0))
    describe_run(path, f"[integrator]\nmethod = 'verlet'\n[run]\nuntil = {until}\n")
    with h5py.File(path, "a") as file:
        file["parameters/stage/first_step"] = [0]
        file["parameters/stage/last_step"] = np.zeros(0, dtype=int)
    with open_results(path) as file:
        assert stages(file)[0].limit == 900 and stages(file)[0].last is None
        assert total_steps(file) is None and not complete(file)


def test_arrays_are_no_series(tmp_path):
    path = write_results(tmp_path / "a.h5", np.zeros((1, 2, 2)), None, {"pressure": np.ones(4)})
    write_array(path, "rdf", {"r": [1, 2, 3]}, np.ones((1, 3)), np.full((1, 3), np.inf))
    with open_results(path) as file:
        assert observables(file) == scalars(file) == ["pressure"]
        array, = read_arrays(file)
    assert array.axes[0].name == "r" and array.value.shape == (1, 3)


@settings(max_examples=100, deadline=None)
@given(st.floats(-1e3, 1e3), st.floats(1e-6, 1e6), st.integers(3, 8))
def test_ticks_lie_within_and_have_different_labels(low, size, count):
    places, step = ticks(low, low + size, count)
    labels, _ = tick_labels(places, step)
    assert 1 <= len(places) <= 3 * count
    assert all(low - 1e-6 * size <= p <= low + size * (1 + 1e-6) for p in places)
    assert len(set(labels)) == len(labels)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5000))
def test_thinning_keeps_extremes_and_order(seed, count):
    y = np.random.default_rng(seed).standard_normal(count)
    x, z = thin(np.arange(count), y, 100)
    assert len(x) <= max(102, min(count, 100))
    assert z.min() == y.min() and z.max() == y.max() and np.all(np.diff(x) > 0)
    assert np.array_equal(z, y[x.astype(int)])


def test_maxwell_boltzmann_passes_and_tampering_is_seen(tmp_path):
    random = np.random.default_rng(3)
    for dimension in (1, 2, 3):
        path = write_results(tmp_path / f"{dimension}.h5", random.random((1, 5000, dimension)),
                             None)
        with h5py.File(path, "a") as file:
            mass = random.choice([1.0, 4.0], 5000)
            file["particles/all/mass"] = mass
            velocity = random.standard_normal((5000, dimension)) * np.sqrt(1.7 / mass)[:, None]
            file["particles/all/velocity/value"][0] = velocity
            found, kT = maxwell.compare(Frame(file, 0))
            assert kT == pytest.approx(1.7, rel=5 * np.sqrt(2 / 5000 / dimension))
            assert len(found) == dimension + 1 and all(c.agrees() for c in found)
            # Bins hold probability 1 in all, theirs and the theory's (to a percent of width).
            middle, density, _ = found[0].histogram()
            assert np.sum(density) * (middle[1] - middle[0]) == pytest.approx(1.0)
            file["particles/all/velocity/value"][0, :, 0] = np.abs(velocity[:, 0])
            found, _ = maxwell.compare(Frame(file, 0))
            assert not found[1].agrees()
            speed = np.linalg.norm(velocity, axis=1)[:, None]
            file["particles/all/velocity/value"][0] = velocity / speed
            found, _ = maxwell.compare(Frame(file, 0))
            assert not found[0].agrees()


def test_distribution_functions_against_integrals():
    for dimension in (1, 2, 3):
        x = np.linspace(1e-9, 3.0, 400_001)
        # The density of one dimension diverges as x^-1/2 at zero: start at 0.1.
        begin = np.searchsorted(x, 0.1)
        density = maxwell.energy_density(x[begin:], dimension)
        area = np.sum(density[1:] + density[:-1]) * (x[1] - x[0]) / 2
        ends = maxwell.energy_cdf(x[[begin, -1]], dimension)
        assert area == pytest.approx(ends[1] - ends[0], abs=1e-8)


def test_chances_of_kolmogorov():
    # Kolmogorov's distribution: 5 % at 1.358, 1 % at 1.628 (Stephens 1970, table 1).
    n = 10**8
    assert maxwell.chance(1.358 / np.sqrt(n), n) == pytest.approx(0.05, abs=2e-4)
    assert maxwell.chance(1.628 / np.sqrt(n), n) == pytest.approx(0.01, abs=1e-4)
    assert maxwell.chance(0.0, 10) == 1.0


@pytest.mark.parametrize("mean, error, text", [
    (0.65026, 0.019046, ("0.650", "0.019")),
    (-7580.994976, 0.00129, ("−7580.9950", "0.0013")),
    (1.2345e-9, 2e-11, ("1.234×10⁻⁹", "0.020×10⁻⁹")),
    (3.0, 0.0, ("3", "0")),
    (3.0, np.inf, ("3", "∞")),
])
def test_means_have_the_digits_of_their_errors(mean, error, text):
    assert with_error(mean, error) == text


@pytest.mark.parametrize("unit, text", [
    ("1/sigma^3", "σ⁻³"), ("1/sigma", "σ⁻¹"), ("epsilon/k_B", "ε/k_B"), ("kcal mol-1", "kcal mol-1"),
    ("Angstrom^2/(48.88821 fs)", "Angstrom²/(48.88821 fs)"), ("sigma sqrt(m/epsilon)", "τ"),
    ("sigma sqrt(epsilon/m)", "σ √(ε/m)"), ("sqrt(epsilon/m)/sigma", "√(ε/m)/σ"), ("", "")])
def test_units_as_symbols(unit, text):
    assert unit_symbols(unit) == text


def test_plain_numbers():
    assert [plain(x) for x in (0.0, 1.5, 1e6, 1e-7, -2.5e12)] == \
        ["0", "1.5", "1000000", "1×10⁻⁷", "−2.5×10¹²"]


def test_an_array_of_a_stage_with_axes_of_its_own_is_known():
    assert kind_of("velocity_distribution_A_stage_2") == ("velocity_distribution", "A")
    assert kind_of("rdf_stage_12") == ("rdf", "")
    assert kind_of("rdf_A_B") == ("rdf", "A_B")
