# SPDX-License-Identifier: BSD-3-Clause
"""Averages in the summary, and runs that end when their errors are small enough."""

import importlib
import json
import os
import pathlib
import signal

import h5py
import numpy as np
import pytest
from harness import mdrun
from runs import BAOAB, STOPS, VERLET, Folder, one_stage, refuse_difference, staged

NOSE = 'method = "nose-poincare"\ndt = 0.002\ntemperature = 1.0\nmass = 500.0'
DAMPED = 'method = "baoab"\ndt = 0.004\ntemperature = 0.0\nfriction = 1.0'

SMALL = """\
seed = 7
[system]
dimension = 3
box = { density = 0.8 }
lattice = { type = "fcc", repeat = [4, 4, 4] }
velocity = { temperature = 2.0 }
"""
TWO = ('[{ quantity = "temperature", error = 0.02, max_steps = 200_000 }, '
       '{ quantity = "pressure", error = 0.08 }]')


def until(value, integrator=BAOAB):
    text = one_stage(integrator, 1, system=SMALL).replace("every = 100 }", "every = 1000 }")
    return text.replace("steps = 1\n", f"until = {value}\n")


def summary(folder):
    return json.loads((folder.path / "summary.json").read_text())


def test_a_run_ends_when_all_errors_are_reached(tmp_path):
    folder = Folder(tmp_path / "run", until(TWO))
    result = folder.run()
    says = summary(folder)
    steps = says["stages"][0]["steps"]
    # The first look is at 128 samples, each 5 steps; each later one a quarter further.
    assert 640 <= steps < 200_000 and steps % 5 == 0
    assert says["until"]["reached"]
    targets = says["until"]["targets"]
    for name, target in (("temperature", 0.02), ("pressure", 0.08)):
        average = says["averages"][name]
        assert targets[name]["target"] == target
        error = max(average["error"], average["error_autocorrelation"])
        assert targets[name]["error"] == error <= target
        assert average["independent_samples"] >= 100
        assert 640 <= targets[name]["steps"] <= steps
    decided = says["until"]["decided_by"]
    assert targets[decided]["steps"] == max(t["steps"] for t in targets.values()) == steps
    assert f"{decided} last" in result.err
    assert f"until: reached after {steps} steps, decided by {decided}" in result.out
    assert folder.steps("pressure")[-1] == steps


def test_a_run_that_was_stopped_ends_at_the_same_step(tmp_path):
    whole, pieces = Folder(tmp_path / "whole", until(TWO)), Folder(tmp_path / "pieces", until(TWO))
    whole.run()
    statuses = []
    pieces.sets.append("output.checkpoint={every=50}")
    for part in (0.1, 0.3, 0.6):
        step = int(part * whole.step_of_checkpoint())
        statuses.append(pieces.stop_at(step, signal.SIGTERM, *(["--resume"] if statuses else [])))
        assert statuses[-1] in (0, STOPS[signal.SIGTERM])
    pieces.run("--resume")
    assert any(statuses), "no signal came before the end: the run is too short for this test"
    refuse_difference(whole, pieces)
    assert summary(whole)["until"] == summary(pieces)["until"]


def test_max_steps_come_first(tmp_path):
    short = TWO.replace("200_000", "700")
    folder, whole = Folder(tmp_path / "run", until(short)), Folder(tmp_path / "whole", until(TWO))
    result = folder.run()
    assert "max_steps = 700 are done before" in result.err
    assert "until: max_steps = 700 came first" in result.out
    assert not summary(folder)["until"]["reached"]
    assert summary(folder)["stages"][0]["steps"] == 700
    # With more of them it ends as if it had had them at once.
    (folder.path / "in.toml").write_text(until(TWO))
    folder.run("--resume")
    whole.run()
    refuse_difference(whole, folder)
    assert summary(whole)["until"] == summary(folder)["until"]


def test_smaller_errors_go_on(tmp_path):
    tight = until(TWO.replace("0.02", "0.003"))
    folder, whole = Folder(tmp_path / "run", until(TWO)), Folder(tmp_path / "whole", tight)
    folder.run()
    first = summary(folder)["stages"][0]["steps"]
    assert "finished at step" in folder.run("--resume").err
    (folder.path / "in.toml").write_text(tight)
    folder.run("--resume")
    whole.run()
    assert first < summary(folder)["stages"][0]["steps"] < 200_000
    refuse_difference(whole, folder)


def test_a_stage_ends_when_its_error_is_reached(tmp_path):
    text = staged(("warm", BAOAB, 1), ("sample", VERLET, 50), system=SMALL)
    text = text.replace("steps = 1\n", 'until = { quantity = "temperature", error = 0.03, '
                                       'max_steps = 100_000 }\n', 1)
    folder = Folder(tmp_path / "run", text)
    folder.run()
    warm, sample = summary(folder)["stages"]
    # Energies that relax more slowly may have decided: an error counts where there are samples of these, too.
    assert warm["until"]["reached"] and warm["until"]["decided_by"] in ("temperature", "potential_energy")
    assert 640 <= warm["steps"] < 100_000 and sample["steps"] == 50
    assert "until" not in sample
    (folder.path / "in.toml").write_text(text.replace("0.03", "0.003"))
    result = mdrun(*folder.arguments("--resume"), cwd=folder.path)
    assert result.status == 2
    assert '"warm" has smaller errors' in result.message()


def test_a_second_stage_looks_by_its_own_steps_and_rarest_samples(tmp_path):
    # At 128 samples of every = 20, 13 steps after the start of the run, and each time a quarter more.
    text = staged(("warm", BAOAB, 13), ("sample", BAOAB, 7), system=SMALL)
    more = '[[stage.observe]]\ntype = "configurational"\nevery = 20\n[output]'
    text = text.replace("[output]", more).replace("steps = 7\n", (
        'until = [{ quantity = "temperature", error = 9.0, max_steps = 50_000 }, '
        '{ quantity = "laplacian", error = 1e9 }]\n'))
    folder = Folder(tmp_path / "run", text)
    folder.run()
    sample = summary(folder)["stages"][1]
    looks = [128]
    while looks[-1] < 2000:
        looks.append(looks[-1] + (looks[-1] + 3) // 4)
    assert sample["until"]["reached"] and sample["steps"] in [20 * look for look in looks]
    assert all(target["steps"] <= sample["steps"] for target in sample["until"]["targets"].values())


def test_equilibration_is_left_out_of_averages(tmp_path):
    text = one_stage(BAOAB, 2000, system=SMALL)
    found = {}
    for name, key in (("auto", '"auto"'), ("none", "0"), ("fixed", "500")):
        folder = Folder(tmp_path / name, text.replace("steps = 2000",
                                                      f"steps = 2000\nequilibration = {key}"))
        folder.run()
        found[name] = summary(folder)["averages"]["temperature"]
        with h5py.File(folder.path / "out.h5", "r") as file:
            series = file["observables/temperature/value"][:]
        skipped = found[name]["discarded"]["steps"] // 5
        assert found[name]["mean"] == pytest.approx(np.mean(series[skipped:]), rel=1e-12)
        assert found[name]["discarded"]["fraction"] == pytest.approx(skipped / len(series))
        assert found[name]["discarded"]["time"] == pytest.approx(skipped * 5 * 0.004)
    assert found["none"]["discarded"]["steps"] == 0
    assert found["fixed"]["discarded"]["steps"] == 500
    assert len({average["mean"] for average in found.values()}) >= 2


def test_errors_are_those_of_the_tool_that_merges(tmp_path, monkeypatch):
    """The same estimators, written anew with NumPy, on the rows of the file."""
    source = pathlib.Path(os.environ.get("SHADOW_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
    monkeypatch.syspath_prepend(str(source / "tools"))
    sources = importlib.import_module("shadow_results.sources")
    folder = Folder(tmp_path / "run", one_stage(BAOAB, 3000, system=SMALL))
    folder.run()
    compared = 0
    with h5py.File(folder.path / "out.h5", "r") as file:
        slow = sources.Source(file, 0).slowest(None)
    assert slow > 5.0  # a bath brings and takes energy
    for name, average in summary(folder)["averages"].items():
        with h5py.File(folder.path / "out.h5", "r") as file:
            run = sources.one_run(*sources.of_values(file[f"observables/{name}/value"][:], None), 5, slow)
        assert run["mean"] == pytest.approx(average["mean"], rel=1e-12)
        for error in ("error", "error_autocorrelation"):
            assert run[error] == pytest.approx(average[error], rel=1e-6)
        assert 5 * run["discarded"] == average["discarded"]["steps"]
        compared += 1
    assert compared >= 6


@pytest.mark.parametrize("method, ensemble", [(VERLET, "NVE"), (BAOAB, "NVT"), (NOSE, "NVT"),
                                              (DAMPED, None)],
                         ids=["verlet", "baoab", "nose", "damped"])
def test_fluctuations_are_those_of_the_ensemble(method, ensemble, tmp_path):
    folder = Folder(tmp_path / "run", one_stage(method, 3000, system=SMALL))
    folder.run()
    found = summary(folder)["fluctuations"]
    if ensemble is None:
        assert not found
        return
    assert set(found) == {"heat_capacity", "thermal_pressure_coefficient"}
    with h5py.File(folder.path / "out.h5", "r") as file:
        K, U = (file[f"observables/{name}_energy/value"][:] for name in ("kinetic", "potential"))
    skip = len(K) - len(K) * (1 - max(a["discarded"]["fraction"] for name, a in
                                      summary(folder)["averages"].items()
                                      if name in ("kinetic_energy", "potential_energy",
                                                  "pressure")))
    skip = int(round(skip / 2)) * 2  # samples, in blocks of two
    f = summary(folder)["system"]["degrees_of_freedom"]
    K, U = K[skip:], U[skip:]
    capacity = f / 2 / (1 - f / 2 * np.var(K) / np.mean(K) ** 2)
    if ensemble == "NVT":
        capacity = f / 2 + np.var(U)
    quantity = found["heat_capacity"]
    assert quantity["formula"].startswith(ensemble)
    # The bias that the jackknife takes off is a part of the error.
    assert abs(quantity["value"] - capacity) < quantity["error"]


def test_without_thermo_there_are_no_fluctuations(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(VERLET, 50, observe=""))
    folder.run()
    assert summary(folder)["fluctuations"] == {}
