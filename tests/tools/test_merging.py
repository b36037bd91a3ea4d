# SPDX-License-Identifier: BSD-3-Clause
"""Averaged arrays of independent runs, merged by mdmerge."""
import json
import subprocess

import h5py
import numpy as np
import pytest
from conftest import LIQUID, MDRUN, correlated, load, write_array, write_series
from shadow_results.merging import agreement, independent_share, probability
from shadow_results.results import open_results, read_arrays

mdmerge = load("mdmerge")
BINS = 60


def measured(path, samples, name="rdf", axes=None, stages=1):
    """An array as a run keeps it, from its samples (rows, bins...): mean and standard error."""
    mean = samples.mean(axis=0)
    error = samples.std(axis=0, ddof=1) / np.sqrt(len(samples))
    axes = axes or {"r": np.arange(samples.shape[1])}
    write_array(path, name, axes, np.stack([np.zeros_like(mean)] * (stages - 1) + [mean]),
                np.stack([error] * stages), stage=range(stages),
                step=1000 * np.arange(1, stages + 1))
    with h5py.File(path, "a") as file:
        file[f"averages/{name}/samples"][...] = len(samples)
    return str(path)


def merge(tmp_path, *arguments):
    status = mdmerge.main([*arguments, "--json", str(tmp_path / "m.json"),
                           "--h5", str(tmp_path / "m.h5")])
    return status, json.loads((tmp_path / "m.json").read_text())


def test_the_mean_of_all_samples_comes_out(tmp_path, capsys):
    all_samples = 3.0 + np.random.default_rng(1).normal(size=(1000, BINS))
    parts = np.split(all_samples, [150, 400])
    files = [measured(tmp_path / f"{k}.h5", part, stages=2) for k, part in enumerate(parts)]
    status, found = merge(tmp_path, *files)
    assert status == 0 and "rdf" in capsys.readouterr().out
    rdf = found["rdf"]
    assert np.allclose(rdf["value"], all_samples.mean(axis=0), rtol=1e-14)
    exact = np.sqrt(sum(part.var(axis=0, ddof=1) * len(part) for part in parts)) / 1000
    assert np.allclose(rdf["error"], exact, rtol=1e-13)
    assert rdf["samples"] == 1000 and [r["samples"] for r in rdf["runs"]] == [150, 250, 600]
    assert rdf["axes"]["r"] == list(range(BINS)) and rdf["reliable"]
    # The other tools read it as the results of one run.
    with open_results(tmp_path / "m.h5") as file:
        array, = read_arrays(file)
    assert array.samples == [1000] and array.axes[0].unit == "sigma"
    assert array.value.tolist() == [rdf["value"]] and array.error.tolist() == [rdf["error"]]


def test_merging_in_steps_is_merging_at_once(tmp_path):
    random = np.random.default_rng(2)
    files = [measured(tmp_path / f"{k}.h5", random.normal(size=(100 + 50 * k, 4, BINS)), "f",
                      {"k": np.arange(4), "lag": np.arange(BINS)}) for k in range(3)]
    once = merge(tmp_path, *files)[1]["f"]
    merge(tmp_path, *files[:2])
    (tmp_path / "m.h5").rename(tmp_path / "first.h5")
    steps = merge(tmp_path, str(tmp_path / "first.h5"), files[2])[1]["f"]
    for part in ("value", "error"):
        assert np.allclose(once[part], steps[part], rtol=1e-13)
    assert once["samples"] == steps["samples"]


def test_bins_that_a_run_does_not_know_come_from_the_others(tmp_path):
    random = np.random.default_rng(3)
    one, two = random.normal(size=(100, BINS)), random.normal(size=(300, BINS))
    one[:, 0] = np.nan
    two[:, 1] = one[:, 1] = np.nan
    two[:, 2] = 0.0
    files = [measured(tmp_path / "a.h5", one), measured(tmp_path / "b.h5", two)]
    with h5py.File(files[0], "a") as file:
        file["averages/rdf/error"][0, 3] = np.inf
    rdf = merge(tmp_path, *files)[1]["rdf"]
    assert rdf["value"][0] == pytest.approx(two[:, 0].mean(), rel=1e-14)
    assert rdf["value"][1] is None and rdf["error"][1] is None
    assert rdf["value"][2] == pytest.approx(one[:, 2].mean() / 4, rel=1e-14)
    assert rdf["value"][3] is not None and rdf["error"][3] is None
    assert rdf["freedom"] <= BINS - 4


def test_bins_where_a_run_has_no_row_have_the_errors_of_the_others(tmp_path):
    files = [measured(tmp_path / f"{name}.h5", np.random.default_rng(k).normal(size=(100, BINS)))
             for k, name in enumerate("ab")]
    with h5py.File(files[0], "a") as one, h5py.File(files[1], "a") as two:
        for file, bins in ((one, [4, 5]), (two, [5])):
            file["averages/rdf/value"][0, bins] = 0.0
            file["averages/rdf/error"][0, bins] = np.inf
        other = two["averages/rdf/error"][0, 4]
    rdf = merge(tmp_path, *files)[1]["rdf"]
    assert rdf["error"][4] == pytest.approx(other / 2, rel=1e-14)
    assert rdf["value"][5] == 0.0 and rdf["error"][5] is None


def smooth(random, runs, width):
    """Standard normal numbers (runs, BINS) which are correlated over `width` bins."""
    noise = random.normal(size=(runs, BINS + width - 1))
    return np.array([np.convolve(row, np.ones(width) / np.sqrt(width), "valid") for row in noise])


@pytest.mark.parametrize("width", [1, 5, 15])
def test_the_chance_is_uniform_for_runs_that_agree(width):
    """Also where neighbouring bins vary together."""
    random = np.random.default_rng(width)
    chances = []
    for _ in range(400):
        value = smooth(random, 3, width)
        chances.append(agreement(value, np.ones_like(value), np.ones(BINS, bool)).probability)
    # Uniform: 0.5 +- 0.014, and 20 +- 4.4 below 0.05; the number of independent bins is an estimate.
    assert abs(np.mean(chances) - 0.5) < 0.07
    assert np.sum(np.array(chances) < 0.05) < 40
    assert np.sum(np.array(chances) < 1e-3) <= 4


def test_bins_that_vary_together_count_as_one():
    random = np.random.default_rng(5)
    for width in (1, 5, 15):
        # Of a moving average rho_k = 1 - k / width.
        rho = 1 - np.arange(1, width) / width
        exact = 1 / (1 + 2 * np.sum(rho**2))
        share = np.mean([independent_share(smooth(random, 3, width)) for _ in range(100)])
        assert share == pytest.approx(exact, rel=0.25)
    assert independent_share(np.ones((2, 50))) < 0.05


def test_runs_that_disagree_are_said_to(tmp_path, capsys):
    random = np.random.default_rng(6)
    files = [measured(tmp_path / f"{k}.h5", random.normal(size=(400, BINS))
                      + 0.5 * (k == 1) * (np.arange(BINS) % 7 == 0)) for k in range(3)]
    assert mdmerge.main(files) == 1
    assert "runs disagree" in capsys.readouterr().out


def test_few_samples_are_no_proof(tmp_path, capsys):
    random = np.random.default_rng(7)
    files = [measured(tmp_path / f"{k}.h5", random.normal(size=(10, BINS)) + k) for k in range(2)]
    assert mdmerge.main(files) == 0
    assert "too few independent samples" in capsys.readouterr().out
    files = [measured(tmp_path / f"{k}.h5", random.normal(size=(400, BINS)) + k, "f")
             for k in range(2, 4)]
    assert mdmerge.main(files) == 1
    for k, path in enumerate(files):  # by a scalar that walks
        write_series(path, "pressure", np.arange(500), correlated(500, 100, k))
    assert mdmerge.main(files) == 0


def test_too_few_samples_explain_no_difference_away(tmp_path, capsys):
    """Errors that are unreliable and means that differ by more than these: both are said."""
    random = np.random.default_rng(7)
    files = [measured(tmp_path / f"{k}.h5", random.normal(size=(10, BINS)) + 2 * k) for k in range(2)]
    for k, path in enumerate(files):
        write_series(path, "pressure", np.arange(500), correlated(500, 100, k) + 4 * k)
        write_series(path, "temperature", np.arange(500), correlated(500, 100, 5 + k))
    assert merge(tmp_path, *files, "--equilibration", "0", "--quantity", "rdf", "--quantity",
                 "pressure")[0] == 0
    said = capsys.readouterr().out
    assert said.count("runs differ by more than their errors") == 2, said


def test_lags_that_a_run_holds_too_seldom_prove_nothing(tmp_path):
    """The rows end at time 5, so only lags to 0.1 have fifty windows."""
    random = np.random.default_rng(8)
    lag = 0.01 * np.arange(1, BINS + 1)
    files = [measured(tmp_path / f"{k}.h5", random.normal(size=(100, BINS)) + k * (lag > 0.1),
                      "msd", {"lag": lag}) for k in range(2)]
    status, found = merge(tmp_path, *files)
    assert status == 0 and found["msd"]["freedom"] <= 10


@pytest.mark.parametrize("change, says", [
    ("same", "hold the same run, b.h5"), ("axis", "other axes"), ("unit", "other axes or units"),
    ("output", "would destroy what is read"), ("folder", "cannot be written")])
def test_what_cannot_be_merged(change, says, tmp_path, capsys):
    samples = np.random.default_rng(9).normal(size=(2, 100, BINS))
    one = measured(tmp_path / "a.h5", samples[0])
    axes = {"r": np.arange(BINS) + 1} if change == "axis" else None
    two = measured(tmp_path / "b.h5", samples[0 if change == "same" else 1], axes=axes)
    if change == "unit":
        with h5py.File(two, "a") as file:
            file["averages/rdf/value"].attrs["unit"] = "1/sigma"
    out = {"output": one, "folder": str(tmp_path / "none/m.h5")}.get(change,
                                                                   str(tmp_path / "m.h5"))
    assert mdmerge.main([one, two, "--h5", out]) == 2
    assert says in capsys.readouterr().err


def test_p_of_a_fraction_of_a_bin():
    assert probability(0.0, 0.0) == 1.0
    assert probability(1.0, 0.5) < probability(1.0, 1.0) < probability(1.0, 2.0)


@pytest.mark.skipif(not MDRUN, reason="mdrun is not built (SHADOW_MDRUN is empty)")
def test_runs_of_mdrun(tmp_path, capsys):
    text = LIQUID.replace("[output]", '[[observe]]\ntype = "rdf"\nevery = 20\nbins = 30\n'
                          '[[observe]]\ntype = "vacf"\nevery = 2\nlongest = 100\n[output]')
    (tmp_path / "in.toml").write_text(text)
    files = []
    for seed, steps in ((1, 1500), (2, 2500)):
        subprocess.run([MDRUN, "in.toml", "--quiet", "--set", f"seed={seed}", "--set",
                        f"run.steps={steps}", "--set", "run.equilibration=0", "--set",
                        f"output.prefix=s{seed}"], cwd=tmp_path,
                       check=True, capture_output=True)
        files.append(str(tmp_path / f"s{seed}.h5"))
    status, found = merge(tmp_path, *files)
    assert status in (0, 1)  # whether two short runs from a lattice agree is not the question
    assert {"rdf", "vacf", "diffusion_green_kubo", "pressure"} <= found.keys()
    value, samples = [], []
    for path in files:
        with h5py.File(path) as file:
            value.append(file["averages/rdf/value"][-1])
            samples.append(file["averages/rdf/samples"][-1])
    assert samples == [76, 126]
    exact = np.average(value, axis=0, weights=samples)
    assert np.allclose(found["rdf"]["value"], exact, rtol=1e-14)
