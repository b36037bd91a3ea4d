# SPDX-License-Identifier: BSD-3-Clause
"""Averages at other temperatures and pressures: of oscillators, of which all is known."""
import json
import math
import re

import h5py
import numpy as np
import pytest
from conftest import describe_run, load, write_results, write_series
from shadow_results.reweighting import Mixture, NoOverlap, Rows
from shadow_results.statistics import estimate

mdreweight = load("mdreweight")
MESSAGE = re.compile(r"mdreweight: [^\n]+ \([^\n]+\); [^\n]+\n")

MODES = 60      # U = (T/2) sum x^2 has a Gamma distribution: mean MODES T/2, C = MODES/2
FREEDOM = 40.0  # of momenta
PARTICLES = 20  # p(V) ~ V^PARTICLES exp(-PV/T): mean (PARTICLES + 1) T/P
VIRIAL = 0.05   # times U is the configurational part of the pressure


def oscillators(random, temperature, rows, memory=0.0, modes=MODES):
    """Energies of harmonic oscillators whose places are AR(1) series."""
    if not memory:
        return temperature * random.gamma(modes / 2, size=rows)
    a = math.exp(-1.0 / memory)
    x = random.normal(size=(rows, modes))
    x[1:] *= math.sqrt(1.0 - a * a)
    for t in range(1, rows):
        x[t] += a * x[t - 1]
    return 0.5 * temperature * (x * x).sum(axis=1)


def mixture(random, temperatures, rows, memory=0.0):
    energies = [oscillators(random, t, rows, memory) for t in temperatures]
    g = [max(1.0, estimate(u, 0).inefficiency) if memory else 1.0 for u in energies]
    u = np.concatenate(energies)
    return u, Mixture([u / t for t in temperatures],
                      [Rows(k, rows, n, 2.0 * n if memory else 0.0) for k, n in enumerate(g)])


def distances(seed, temperatures, target, rows, memory=0.0):
    """Of energy, heat capacity and free energy from what is exact, in errors; and the results."""
    u, found = mixture(np.random.default_rng(seed), temperatures, rows, memory)
    at = found.at(u / target)
    exact = (MODES / 2 * target, MODES / 2, -MODES / 2 * math.log(target / temperatures[0]))
    results = at.mean(u), at.variance(u / target), at.free_energy()
    return [(r.value - e) / r.error for r, e in zip(results, exact)], results


@pytest.mark.parametrize("temperatures, target, rows, memory, repetitions", [
    ((1.0,), 1.05, 1000, 0.0, 200), ((1.0, 1.3), 1.15, 1000, 0.0, 200),
    ((1.0, 1.2, 1.45), 1.3, 400, 0.0, 200), ((1.0, 1.3), 1.15, 1500, 2.0, 80)])
def test_errors_are_those_of_repetitions(temperatures, target, rows, memory, repetitions):
    found = np.array([distances(seed, temperatures, target, rows, memory)[0]
                      for seed in range(repetitions)])
    # The mean of squares is 1 +- sqrt(2/n); with it 0.15 for errors that are rough themselves. Of the
    # mean, of which the bias is a part, 1/sqrt(n); of that inside one error, sqrt(0.68 0.32 / n).
    n = repetitions
    assert np.all(np.abs(np.sqrt(np.mean(found**2, axis=0)) - 1) < 0.15 + 1.5 * math.sqrt(2.0 / n))
    assert np.all(np.abs(found.mean(axis=0)) < 4.0 / math.sqrt(n) + 0.15)
    assert np.all(np.abs((np.abs(found) < 1).mean(axis=0) - 0.683) < 0.05 + 3 * 0.47 / math.sqrt(n))


def test_what_is_hardly_sampled_is_not_told():
    """Far above and below one run errors by the weights are too small by several times."""
    for target in (1.4, 0.65):
        for seed in range(20):
            wrong, (energy, heat, _) = distances(seed, (1.0,), target, 1000)
            assert not energy.known and not heat.known and "nearer" in energy.warning
    # A little above, of the variance, whose errors are too small by a half.
    assert all(distances(seed, (1.0,), 1.15, 1000)[1][1].warning for seed in range(20))


def test_states_far_apart_have_no_weights():
    with pytest.raises(NoOverlap) as gap:
        mixture(np.random.default_rng(1), (1.0, 1.2, 5.0, 5.5), 500)
    assert gap.value.groups == [[0, 1], [2, 3]]


def test_weights_are_those_of_direct_iteration():
    random = np.random.default_rng(3)
    u, found = mixture(random, (1.0, 1.25, 1.5), 300)
    f, reduced = np.zeros(3), np.array([u / t for t in (1.0, 1.25, 1.5)])
    for _ in range(2000):
        density = 300 * np.exp(f[:, None] - reduced).sum(axis=0)
        f = -np.log((np.exp(-reduced) / density).sum(axis=1))
        f -= f[0]
    assert np.allclose(found.free_energy, f, atol=1e-8)
    assert np.allclose(found.overlap().sum(axis=1), 1.0)


def test_energies_of_any_size_have_weights():
    random = np.random.default_rng(4)
    energies = [oscillators(random, t, 500) - 1e6 for t in (1.0, 1.2)]
    u = np.concatenate(energies)
    found = Mixture([u, u / 1.2], [Rows(0, 500), Rows(1, 500)])
    r = found.at(u / 1.1).mean(u + 1e6)
    assert abs(r.value - MODES / 2 * 1.1) < 4 * r.error


# ---- the tool -------------------------------------------------------------------------------

def canonical(path, seed, temperature=1.0, pressure=None, rows=1500, ensemble=None, forces="2.5",
              count=PARTICLES, text="", shift=0.0, length=5.0):
    """A run of oscillators; with a pressure, in a box that they do not feel."""
    random = np.random.default_rng(seed)
    write_results(path, random.uniform(0, 5, (1, count, 3)), np.full(3, length))
    barostat = f"[barostat]\npressure = {pressure}\n" if pressure is not None else ""
    describe_run(path, f'[system]\ndimension = 3\n[[force]]\ntype = "morse"\ncutoff = {forces}\n'
                 f'[integrator]\nmethod = "baoab"\n{text or f"temperature = {temperature}"}\n'
                 f"{barostat}[run]\nsteps = {10 * rows}\n", seed=seed)
    step = 10 * np.arange(rows)
    u = oscillators(random, temperature, rows) + shift
    kinetic = temperature * random.gamma(FREEDOM / 2, size=rows)
    volume = np.full(rows, length**3)
    if pressure is not None:
        volume = temperature / pressure * random.gamma(PARTICLES + 1, size=rows)
        write_series(path, "volume", step, volume, unit="sigma^3")
        write_series(path, "enthalpy", step, u + kinetic + pressure * volume)
    write_series(path, "potential_energy", step, u)
    write_series(path, "temperature", step, 2 * kinetic / FREEDOM, unit="epsilon/k_B")
    write_series(path, "total_energy", step, u + kinetic)
    write_series(path, "pressure", step, 2 * kinetic / (3 * volume) + VIRIAL * (u - shift),
                 unit="epsilon/sigma^3")
    with h5py.File(path, "a") as file:
        stage = file.create_group("parameters/stage")
        stage["first_step"], stage["last_step"] = [0], [10 * rows]
        kind = ensemble or ("NVT" if pressure is None else "NPT")
        stage["ensemble"] = [f"{kind}, total momentum fluctuates"]
        stage["bath_temperature"] = [0.0 if kind == "NVE" else temperature]
        stage["degrees_of_freedom"] = [FREEDOM]
        file["parameters/species/name"], file["parameters/species/mass"] = ["A", "B"], [1.0, 1.0]
    return str(path)


def call(capsys, *arguments):
    try:
        status = mdreweight.main([str(a) for a in arguments])
    except SystemExit as end:  # of argparse
        status = end.code
    return status, capsys.readouterr()


def states(capsys, tmp_path, *arguments):
    status, said = call(capsys, *arguments, "-o", tmp_path / "r.json")
    assert status == 0, said
    return json.loads((tmp_path / "r.json").read_text())["states"], said.out


def near(result, exact):
    """Four errors: some thirty comparisons fail by chance once in 500 choices of seeds."""
    return abs(result["mean"] - exact) < 4.0 * result["error"]


def test_runs_at_constant_volume(tmp_path, capsys):
    files = [canonical(tmp_path / f"{k}.h5", k, t) for k, t in enumerate((1.3, 1.0))]
    found, said = states(capsys, tmp_path, *files, "--temperature", 1.15, 1.0)
    assert [s["temperature"] for s in found] == [1.15, 1.0] and "heat_capacity [k_B]" in said
    for state in found:
        t, a = state["temperature"], state["averages"]
        assert near(a["potential_energy"], MODES / 2 * t)
        assert near(a["heat_capacity"], MODES / 2 + FREEDOM / 2)
        assert near(a["pressure"], FREEDOM * t / (3 * 125) + VIRIAL * MODES / 2 * t)
        assert 1000 < state["effective_samples"] < 3000
    assert near(found[0]["averages"]["reduced_free_energy"], -MODES / 2 * math.log(1.15))
    assert found[1]["averages"]["reduced_free_energy"]["mean"] == 0.0
    found, _ = states(capsys, tmp_path, files[0], "--quantity", "total_energy", "--equilibration", 0)
    assert list(found[0]["averages"]) == ["total_energy", "heat_capacity"]
    with h5py.File(files[0]) as file:
        u = file["observables/potential_energy/value"][:]
    assert found[0]["averages"]["total_energy"]["mean"] == pytest.approx(u.mean() + FREEDOM / 2 * 1.3)


def test_runs_at_constant_pressure(tmp_path, capsys):
    grid = ((1.0, 1.0), (1.15, 1.0), (1.0, 1.3), (1.15, 1.3))
    files = [canonical(tmp_path / f"{k}.h5", k, *state) for k, state in enumerate(grid)]
    found, said = states(capsys, tmp_path, *files, "--temperature", 1.08, "--pressure", 1.1, 1.2)
    assert [(s["temperature"], s["pressure"]) for s in found] == [(1.08, 1.1), (1.08, 1.2)]
    for state in found:
        t, p, a = state["temperature"], state["pressure"], state["averages"]
        v = (PARTICLES + 1) * t / p
        assert near(a["potential_energy"], MODES / 2 * t) and near(a["volume"], v)
        assert near(a["enthalpy"], (MODES + FREEDOM) / 2 * t + p * v)
        assert near(a["isobaric_heat_capacity"], (MODES + FREEDOM) / 2 + PARTICLES + 1)
        # Of V, 1/V has the mean P/(PARTICLES T).
        assert near(a["pressure"], FREEDOM * p / (3 * PARTICLES) + VIRIAL * MODES / 2 * t)
        free = -(MODES / 2 + PARTICLES + 1) * math.log(t) + (PARTICLES + 1) * math.log(p)
        assert near(a["reduced_free_energy"], free)


def test_a_temperature_out_of_reach_has_no_answer(tmp_path, capsys):
    file = canonical(tmp_path / "a.h5", 1)
    status, said = call(capsys, file, "--temperature", 1.0, 2.0, "--json", tmp_path / "r.json")
    assert status == 1 and "unknown" in said.out and "simulate longer, or nearer" in said.out
    found = json.loads((tmp_path / "r.json").read_text())["states"]
    assert found[1]["averages"]["potential_energy"]["mean"] is None
    assert found[0]["averages"]["potential_energy"]["mean"] is not None


@pytest.mark.parametrize("temperature", [1e-2, 1e-3, 1e-5, 1e-9, 1e-90])
def test_a_single_row_with_weight_is_no_answer(temperature, tmp_path, capsys):
    """The weights of all others underflow, so that nothing is left of which an error is made."""
    file = canonical(tmp_path / "a.h5", 1)
    status, said = call(capsys, file, "--temperature", temperature, "--json", tmp_path / "r.json")
    found = json.loads((tmp_path / "r.json").read_text())["states"][0]
    assert status == 1 and found["effective_samples"] == pytest.approx(1.0) and not said.err
    assert len(found["averages"]) == 4
    assert all(r["mean"] is None and r["error"] is None for r in found["averages"].values())
    # Of a number that does not depend on the weights there is one.
    write_series(file, "kinetic_energy", 10 * np.arange(1500), np.arange(1500.0))
    assert call(capsys, file, "--temperature", temperature, "--quantity", "kinetic_energy", "--json",
                tmp_path / "r.json")[0] == 1
    kinetic = json.loads((tmp_path / "r.json").read_text())["states"][0]["averages"]["kinetic_energy"]
    assert (kinetic["mean"], kinetic["error"]) == (pytest.approx(0.5 * FREEDOM * temperature), 0.0)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("temperature", ["1e-300", "1e-320"])
def test_a_temperature_at_which_energies_are_no_numbers(temperature, tmp_path, capsys):
    status, said = call(capsys, canonical(tmp_path / "a.h5", 1), "--temperature", temperature)
    assert status == 2 and MESSAGE.fullmatch(said.err) and "more than 1e+100 kT there" in said.err, said


def test_a_series_without_squares_has_an_estimate():
    values = np.zeros(1000)
    values[7] = 1e-160
    assert estimate(values, 0).error == 0.0


def test_a_start_and_a_ramp_are_left_out(tmp_path, capsys):
    file = canonical(tmp_path / "a.h5", 1, text="temperature = [[0, 2.0], [4000, 1.0], [9000, 1.0]]")
    with h5py.File(file, "a") as h:
        h["observables/potential_energy/value"][:400] += 50.0
    call(capsys, file, "--json", tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text())["runs"][0]["discarded"] >= 400
    status, said = call(capsys, canonical(tmp_path / "b.h5", 2,
                                          text="temperature = [[0, 2.0], [90_000, 1.0]]"))
    assert status == 2 and "its bath or a field changes for 1500 of them" in said.err


def test_runs_that_disagree_are_said_to(tmp_path, capsys):
    files = [canonical(tmp_path / f"{k}.h5", k, t, shift=3.0 * k) for k, t in enumerate((1.0, 1.2))]
    status, said = call(capsys, *files)
    assert status == 1 and "errors from that of all runs together" in said.out


def test_runs_that_move_together_are_said_to(tmp_path, capsys):
    """Oscillators with the same noise at two temperatures."""
    files = [canonical(tmp_path / f"{k}.h5", 7, t) for k, t in enumerate((1.0, 1.2))]
    assert "move together" in call(capsys, *files)[1].out
    other = canonical(tmp_path / "c.h5", 8, 1.2)
    assert "warning" not in call(capsys, files[0], other)[1].out


def test_reduced_potentials_are_those_of_pymbar(tmp_path, capsys):
    """u_kn and N_k: states that were sampled first, in the order of the rows."""
    files = [canonical(tmp_path / f"{k}.h5", k, 1.0 + 0.1 * (k % 2), 1.0) for k in range(3)]
    status, said = call(capsys, *files, "--temperature", 1.05, "--equilibration", 10, "--mbar",
                        tmp_path / "u.npz")
    assert status == 0, said
    with np.load(tmp_path / "u.npz") as found, h5py.File(files[1]) as file:
        assert found["N_k"].tolist() == [2980, 1490, 0]
        assert found["temperature"].tolist() == [1.0, 1.1, 1.05] and set(found["pressure"]) == {1.0}
        u = (file["observables/potential_energy/value"][10:] + file["observables/volume/value"][10:])
        assert np.allclose(found["u_kn"][:, 2980:], u / np.array([[1.0], [1.1], [1.05]]), rtol=1e-14)


OTHERS = [
    ({"pressure": 1.0}, "ensemble NVT, total momentum fluctuates and NPT"),
    ({"count": 24}, "particles A: 10 B: 10 and A: 12 B: 12"), ({"forces": "3.0"}, "cutoff of morse"),
    ({"length": 6.0}, "box 5 x 5 x 5 and 6 x 6 x 6"), ({"ensemble": "NVE"}, "has no bath"),
    ({"temperature": 9.0}, "do not overlap (those at T = 1 and those at T = 9"),
    ({"rows": 1}, "has 1 rows, too few"), ({"shift": math.nan}, "is not finite")]


@pytest.mark.parametrize("change, says", OTHERS)
def test_other_runs_are_refused(change, says, tmp_path, capsys):
    files = canonical(tmp_path / "a.h5", 1), canonical(tmp_path / "b.h5", 2, **change)
    status, said = call(capsys, *files)
    assert status == 2 and says in said.err and MESSAGE.fullmatch(said.err), said


def test_a_run_that_failed_is_refused(tmp_path, capsys):
    file = canonical(tmp_path / "a.h5", 1)
    with h5py.File(file, "a") as a:
        a["parameters/failed"] = "the box would grow (it is large); give it a longer period"
        del a["parameters/stage/last_step"]
    status, said = call(capsys, file)
    assert status == 2 and "of a run that failed (the box would grow, " in said.err and MESSAGE.fullmatch(said.err), said


@pytest.mark.parametrize("arguments, says", [
    ("a.h5 a.h5", "hold the same run"), ("a.h5 --temperature 0", "--temperature 0 (not above zero)"),
    ("a.h5 --temperature nan", "not finite"), ("a.h5 --pressure 1", "at constant volume"),
    ("a.h5 --quantity volume", "volume: not in stage run of a.h5"), ("none.h5", "no such file"),
    ("a.h5 --quantity temperature", "depends on momenta"), ("bad.h5", "not HDF5, or damaged"),
    ("a.h5 --quantity sparse", "have 0 steps in common"), ("a.h5 --stage melt", "--stage melt: not in"),
    ("a.h5 --equilibration 5000", "5000 at its start"), ("a.h5 --equilibration -1", "0 or more"),
    ("a.h5 --mbar u.txt", "end it with .npz"), ("a.h5 --json a.h5", "is read"),
    ("a.h5 --mbar u.npz --json ./u.npz", "written twice"), ("a.h5 --mbar no/u.npz", "no folder no"),
    ("bare.h5", "potential_energy: not in")])
def test_wishes_that_cannot_be_fulfilled(arguments, says, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_series(canonical("a.h5", 1), "sparse", 10 * np.arange(5) + 5, np.arange(5.0))
    with h5py.File(canonical("bare.h5", 2), "a") as file:
        del file["observables/potential_energy"]
    (tmp_path / "bad.h5").write_bytes((tmp_path / "a.h5").read_bytes()[:5000])
    status, said = call(capsys, *arguments.split())
    assert status == 2 and says in said.err and MESSAGE.fullmatch(said.err), said
    assert not (tmp_path / "u.npz").exists()


@pytest.mark.parametrize("arguments", ["", "--temperature 1", "a.h5 --temperature"])
def test_empty_lists_are_refused(arguments, capsys):
    assert call(capsys, *arguments.split())[0] == 2


# ---- real runs ------------------------------------------------------------------------------
