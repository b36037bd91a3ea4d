# SPDX-License-Identifier: BSD-3-Clause
import json
import math

import h5py
import numpy as np
import pytest
from conftest import INPUT, describe_run, load
from shadow_results.merging import probability
from shadow_results.pooled import merged
from shadow_results.sources import of_values, one_run
from shadow_results.statistics import equilibration, estimate

mdmerge = load("mdmerge")


def correlated(a, rows, seed, mean=0.0, start=0.0):
    """x_t = a x_(t-1) + sqrt(1 - a^2) xi about `mean`; `start` decays over 20 rows."""
    random = np.random.default_rng(seed)
    x = np.empty(rows)
    x[0] = random.normal()
    noise = math.sqrt(1.0 - a * a) * random.normal(size=rows)
    for t in range(1, rows):
        x[t] = a * x[t - 1] + noise[t]
    return mean + x + start * np.exp(-np.arange(rows) / 20.0)


def results(path, every=10, unit="epsilon", **series):
    with h5py.File(path, "w") as file:
        for name, values in series.items():
            group = file.create_group(f"observables/{name}")
            group["step"] = every * np.arange(len(values))
            group["value"] = values
            group["value"].attrs["unit"] = unit
    return str(path)


def test_errors_of_one_series_are_those_of_theory():
    for a in (0.0, 0.9):
        exact = math.sqrt((1 + a) / (1 - a) / 5000)
        errors, others, discarded = [], [], 0
        for seed in range(60):
            x = correlated(a, 5000, seed)
            e = estimate(x, 0)
            errors.append(e.error / exact)
            others.append(e.error_autocorrelation / exact)
            discarded += equilibration(x)
        assert abs(np.mean(errors) - 1) < 0.08
        assert abs(np.mean(others) - 1) < 0.08
        assert discarded < 0.02 * 60 * 5000


def test_a_start_is_left_out():
    skipped = [equilibration(correlated(0.5, 3000, seed, start=20.0)) for seed in range(20)]
    assert min(skipped) >= 30 and max(skipped) < 1000


def test_runs_that_agree_are_pooled(tmp_path, capsys):
    files = [results(tmp_path / f"{k}.h5", pressure=correlated(0.8, rows, k, 2.5),
                     momentum=np.zeros((rows, 3)))
             for k, rows in enumerate((2000, 4000, 6000))]
    assert mdmerge.main([*files, "--equilibration", "0", "--json", str(tmp_path / "m.json")]) == 0
    assert "pressure" in capsys.readouterr().out
    merged = json.loads((tmp_path / "m.json").read_text())
    assert set(merged) == {"pressure"}
    pooled = np.concatenate([h5py.File(f, "r")["observables/pressure/value"][:] for f in files])
    r = merged["pressure"]
    assert r["mean"] == pytest.approx(pooled.mean(), rel=1e-12)
    # Inefficiency 9, 12000 rows in all; three errors known to 10 % each, and the larger of two.
    assert abs(r["error"] / math.sqrt(9 / 12000) - 1) < 0.25
    assert r["freedom"] == 2 and r["probability"] > 1e-3
    assert r["reliable"]


def test_chi2_has_its_distribution():
    """Of four runs that agree: mean 3, and P is uniform."""
    chi2, p = [], []
    for seed in range(100):
        runs = [one_run(*of_values(correlated(0.5, 2000, 10 * seed + k), 0), 1) for k in range(4)]
        r = merged(runs)
        chi2.append(r["chi2"])
        p.append(r["probability"])
    # Standard deviation sqrt(6 / 100) = 0.25, and errors which are too large by their choice, 5 %.
    assert 2.0 < np.mean(chi2) < 4.0
    # Uniform: 0.5 +- 0.029.
    assert abs(np.mean(p) - 0.5) < 0.15


def test_p_values():
    # Abramowitz and Stegun, table 26.8.
    for chi2, freedom, p in ((3.84146, 1, 0.05), (5.99146, 2, 0.05), (18.3070, 10, 0.05),
                             (29.5883, 10, 0.001)):
        assert probability(chi2, freedom) == pytest.approx(p, rel=0.07)


def test_runs_that_disagree_are_said_to(tmp_path, capsys):
    files = [results(tmp_path / f"{k}.h5", u=correlated(0.5, 3000, k, mean=0.5 * (k == 2)))
             for k in range(3)]
    assert mdmerge.main(files) == 1
    assert "runs disagree" in capsys.readouterr().out


def test_errors_that_are_doubtful_hide_no_difference(tmp_path, capsys):
    """Three short runs whose slow motion leaves few independent samples, at 0, 0 and 50."""
    files = [results(tmp_path / f"{k}.h5", u=correlated(0.99, 400, k, mean=50.0 * (k == 2)))
             for k in range(3)]
    assert mdmerge.main([*files, "--equilibration", "0", "--json", str(tmp_path / "m.json")]) == 1
    assert "runs disagree" in capsys.readouterr().out
    found = json.loads((tmp_path / "m.json").read_text())["u"]
    assert not found["reliable"] and "runs disagree" in found["warning"]


@pytest.mark.parametrize("energies, status", [((5.0, 5.0, 5.001), 0), ((5.0, 5.0, 6.0), 1)])
def test_runs_that_conserve_different_energies_are_said_to(energies, status, tmp_path, capsys):
    """The errors of kinetic and potential energies are 0.03: only the second difference matters."""
    files = []
    for k, energy in enumerate(energies):
        kinetic = correlated(0.5, 3000, k)
        total = energy + 1e-5 * correlated(0.5, 3000, 10 + k)
        files.append(results(tmp_path / f"{k}.h5", kinetic_energy=kinetic, total_energy=total,
                             conserved_energy=total))
    assert mdmerge.main(files) == status
    assert ("the runs have different energies" in capsys.readouterr().out) == bool(status)


def test_what_a_bath_conserves_is_no_average(tmp_path, capsys):
    files = [results(tmp_path / f"{k}.h5", kinetic_energy=correlated(0.5, 3000, k),
                     total_energy=2 * correlated(0.5, 3000, 5 + k),
                     conserved_energy=k + 1e-5 * correlated(0.5, 3000, 9 + k)) for k in range(2)]
    assert mdmerge.main(files) == 0
    out = capsys.readouterr().out
    line = next(x for x in out.splitlines() if x.startswith("conserved_energy"))
    assert "warning" not in out and line.split()[-2:] == ["-", "-"]


def test_a_minimisation_has_no_averages(tmp_path, capsys):
    path = results(tmp_path / "a.h5", u=correlated(0.5, 101, 1))
    describe_run(path, INPUT.replace('"verlet"', '"minimize"'))
    assert mdmerge.main([path]) == 2
    assert "is a minimisation" in capsys.readouterr().err


def test_units_are_told_and_must_be_the_same(tmp_path, capsys):
    files = [results(tmp_path / f"{k}.h5", u=correlated(0.5, 3000, k)) for k in range(2)]
    assert mdmerge.main(files + ["--json", str(tmp_path / "m.json")]) == 0
    assert "u [epsilon] " in capsys.readouterr().out
    assert json.loads((tmp_path / "m.json").read_text())["u"]["unit"] == "epsilon"
    other = results(tmp_path / "c.h5", unit="kcal mol-1", u=correlated(0.5, 3000, 3))
    assert mdmerge.main([*files, other]) == 2
    assert "unit kcal mol-1 in" in capsys.readouterr().err


def test_rows_count_by_the_steps_they_span(tmp_path):
    one = results(tmp_path / "a.h5", every=1, u=np.tile([0.0, 2.0], 500))
    two = results(tmp_path / "b.h5", every=3, u=np.tile([4.0, 6.0], 500))
    mdmerge.main([one, two, "--equilibration", "0", "--json", str(tmp_path / "m.json")])
    assert json.loads((tmp_path / "m.json").read_text())["u"]["mean"] == pytest.approx(4.0)


def test_earlier_stages_are_left_out(tmp_path):
    x = np.concatenate([np.full(100, 50.0), correlated(0.0, 1000, 3)])
    files = [results(tmp_path / "a.h5", u=x), results(tmp_path / "b.h5", u=x + 1e-3)]
    mdmerge.main([*files, "--from", "1000", "--equilibration", "0", "--json",
                  str(tmp_path / "m.json")])
    runs = json.loads((tmp_path / "m.json").read_text())["u"]["runs"]
    assert [r["samples"] for r in runs] == [1000, 1000]
    assert runs[0]["mean"] == pytest.approx(x[100:].mean(), rel=1e-12)


@pytest.mark.parametrize("arguments, says", [
    (["a.h5", "a.h5"], "hold the same run, a.h5"),
    (["a.h5", "b.h5", "--quantity", "v"], "v: not in all files (they have u)"),
    (["a.h5", "c.h5"], "no scalar or array in common"),
    (["a.h5", "none.h5"], "cannot be read"),
    (["a.h5", "b.h5", "--from", "99999"], "0 rows"),
    (["a.h5", "b.h5", "--equilibration", "100"], "nothing is left"),
    (["a.h5", "b.h5", "--equilibration", "-1"], "--equilibration -1"),
])
def test_what_cannot_be_merged(arguments, says, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    results("a.h5", u=correlated(0.0, 100, 1))
    results("b.h5", u=correlated(0.0, 100, 2))
    results("c.h5", w=correlated(0.0, 100, 3))
    assert mdmerge.main(arguments) == 2
    assert says in capsys.readouterr().err
