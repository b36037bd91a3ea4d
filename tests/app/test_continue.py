# SPDX-License-Identifier: BSD-3-Clause
"""Job scripts: `--continue`, and a wall time after which a run ends with its checkpoint."""

import re
import signal

import h5py
import pytest
from harness import contents, mdrun
from runs import LIQUID, ONE_STEP, Folder, one_stage, refuse_difference, staged, stop
from test_restart import BAOAB, MINIMIZE, VERLET


def go(folder, *more):
    return mdrun(*folder.arguments("--continue", "--progress=none", *more), cwd=folder.path)


def test_it_starts_goes_on_and_says_that_it_is_finished(tmp_path):
    text = one_stage(BAOAB, 40)
    whole, pieces = Folder(tmp_path / "whole", text), Folder(tmp_path / "pieces", text)
    whole.run()
    first = go(pieces, "--set", "run.steps=13")
    assert first.status == 0 and "the run starts" in first.err
    # What `overwrite` allows is to start, and there is a checkpoint to go on from.
    second = go(pieces, "--set", "output.overwrite=true")
    assert second.status == 0 and "resumed at step 13" in second.err
    refuse_difference(whole, pieces)
    before = contents(pieces.path)
    third = go(pieces)
    assert third.status == 0 and "finished at step 40" in third.err
    after = contents(pieces.path)
    assert all(after[name] == before[name] for name in ("out.h5", "out.checkpoint.h5"))
    (pieces.path / "out.h5").unlink()
    gone = go(pieces)
    assert gone.status == 2 and "out.h5 is missing (the run is finished at step 40" in gone.err


@pytest.mark.parametrize("how", ["--continue", "--resume"])
def test_results_that_are_gone_are_told_whatever_was_asked_for(tmp_path, how):
    folder = Folder(tmp_path / "run", one_stage(BAOAB, 40))
    folder.run("--set", "run.steps=13")
    (folder.path / "out.h5").unlink()
    result = mdrun(*folder.arguments(how), cwd=folder.path)
    assert result.status == 2 and "out.h5 is missing" in result.err and "--resume" not in result.err, result.err
    assert re.search(r"\(the results that \S*out.checkpoint.h5 continues are gone\); restore them, or", result.err), result.err
    (folder.path / "out.checkpoint.h5").unlink()  # as it says
    folder.run("--continue")
    assert folder.step_of_checkpoint() == 40


@pytest.mark.parametrize("text", [
    one_stage(BAOAB, 6),
    staged(("relax", MINIMIZE.replace("1e-3", "1e-12"), 3), ("warm", BAOAB, 2),
           ("none", VERLET, 0), ("sample", VERLET, 3),
           system=LIQUID.replace("5] }", "5], jitter = 0.05 }")),
], ids=["a run", "stages"])
def test_a_wall_time_stops_with_a_checkpoint(text, tmp_path):
    """Each process stops after a step, and the last ends with the bits of one that never did."""
    whole, pieces = Folder(tmp_path / "whole", text), Folder(tmp_path / "pieces", text)
    whole.run()
    last = whole.step_of_checkpoint()
    for step in range(1, last + 1):
        result = go(pieces, "--set", f"run.{ONE_STEP}")
        assert result.status == (75 if step < last else 0), result.err
        assert ("wall time is over" in result.err and "--continue" in result.err) == (step < last)
        assert pieces.step_of_checkpoint() == step
    refuse_difference(whole, pieces)


def test_a_wall_time_that_has_no_room_for_tuning(tmp_path):
    """The rules decide for good: a run that tries again in each process never begins."""
    folder = Folder(tmp_path / "run", one_stage(VERLET, 40_000), "compute.tune=full", f"run.{ONE_STEP}",
                    "system.lattice.repeat=[9, 9, 9]")  # fewer particles need no lists on a GPU
    for step in (0, 1):
        result = go(folder)
        assert result.status == 75
        assert "wall time is too short for a trial" in result.err
        assert folder.step_of_checkpoint() == step


def test_a_wall_time_of_a_stage(tmp_path):
    text = staged(("warm", BAOAB, 30), ("sample", VERLET, 30))
    folder = Folder(tmp_path / "run", text, f"stage.1.{ONE_STEP}")
    assert go(folder).status == 75
    assert folder.step_of_checkpoint() == 31


def test_a_run_that_is_done_in_time_is_done(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(VERLET, 1), f"run.{ONE_STEP}")
    assert go(folder).status == 0


@pytest.mark.parametrize("rows", [True, False], ids=["measured", "nothing measured"])
def test_results_without_a_checkpoint(rows, tmp_path):
    """As of a run that was killed between its first results and its first checkpoint."""
    folder = Folder(tmp_path / "run", one_stage(VERLET, 20))
    folder.run()
    folder.checkpoint.unlink()
    if not rows:
        with h5py.File(folder.path / "out.h5", "r+") as file:
            datasets = []
            file.visititems(lambda name, item: datasets.append(item) if name.startswith(
                ("observables/", "particles/")) and name.endswith(("/step", "/time", "/value"))
                else None)
            for dataset in datasets:
                dataset.resize(0, axis=0)
    before = contents(folder.path)
    result = go(folder)
    if rows:
        assert result.status == 2
        assert "out.h5" in result.message() and "without a checkpoint" in result.message()
        assert contents(folder.path) == before
        assert go(folder, "--set", "output.overwrite=true").status == 0
    else:
        assert result.status == 0, result.err


def test_a_damaged_checkpoint_is_no_reason_to_start(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(VERLET, 20))
    folder.run()
    folder.checkpoint.write_bytes(folder.checkpoint.read_bytes()[:1000])
    before = contents(folder.path)
    result = go(folder, "--set", "output.overwrite=true")
    assert result.status == 2 and "checkpoint" in result.message()
    assert contents(folder.path) == before


def test_a_closed_terminal_leaves_a_checkpoint(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(VERLET, 100_000_000))
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # a run under nohup would go on
    process = folder.start("--continue")
    signal.signal(signal.SIGHUP, before)
    assert stop(process, signal.SIGHUP) == 129
    step = folder.step_of_checkpoint()
    result = go(folder, "--set", f"run.{ONE_STEP}")
    assert result.status == 75 and f"resumed at step {step}" in result.err
