# SPDX-License-Identifier: BSD-3-Clause
"""Runs that are killed, run out of disk or are asked for a checkpoint lose nothing behind it."""

import random
import shutil
import signal

import h5py
import pytest
from harness import mdrun
from runs import ARRAYS, BAOAB, THERMO, VERLET, Folder, one_stage, refuse_difference, stop, wait_for

#: Steps between two samples of those arrays of ARRAYS that count each measurement.
EVERY = {"rdf": 10, "density_map": 9, "velocity_distribution": 5}


def refuse_lost_rows(folder):
    """What is published reaches the checkpoint at least, and holds all that was measured by then."""
    step = folder.step_of_checkpoint()
    if step == 0:  # the set-up writes it before the rows of step 0 are measured
        return
    with h5py.File(folder.path / "out.h5", "r") as file:
        for name, rows in (("observables/temperature", 5), ("particles/all/position", 100)):
            assert [row for row in file[name]["step"][:] if row <= step] == \
                list(range(0, step + 1, rows))
        for name, group in file.get("averages", {}).items():
            assert group["step"][-1] >= step, name
            if name in EVERY:
                # Up to some step they belong to the equilibration, and are forgotten.
                last, begin = group["step"][-1], group["equilibration_steps"][-1]
                assert group["samples"][-1] == last // EVERY[name] - begin // EVERY[name] + (begin == 0), name


def kill_while(folder, moment, step):
    """Kills a run at a step: when there is a checkpoint of it, while the next one is written, or when results of a later step are there."""
    process = folder.start(*(["--resume"] if folder.checkpoint.exists() else []))
    wait_for(lambda: process.poll() is not None or folder.step_of_checkpoint() >= step)
    results, working = folder.path / "out.h5", folder.path / "out.checkpoint.h5.tmp"
    before = results.stat().st_ino if results.exists() else None
    reached = {"after": lambda: True, "writing": working.exists,
               "published": lambda: results.exists() and results.stat().st_ino != before}[moment]
    wait_for(lambda: process.poll() is not None or reached())
    return stop(process, signal.SIGKILL)


@pytest.mark.parametrize("text", [one_stage(BAOAB, 6000), one_stage(BAOAB, 6000, THERMO + ARRAYS)], ids=["series", "arrays"])
def test_kills_lose_nothing_behind_the_checkpoint(text, tmp_path):
    sets = ["output.checkpoint={every=200}"]
    whole, killed = Folder(tmp_path / "whole", text), Folder(tmp_path / "killed", text, *sets)
    whole.run()
    random.seed(20)
    kills = 0
    for step in range(0, 5000, 250):
        kills += kill_while(killed, random.choice(["after", "writing", "published"]), step) != 0
        assert killed.step_of_checkpoint() >= step
        refuse_lost_rows(killed)
    assert kills >= 5, "too few kills came before the end: the run is too short for this test"
    killed.run("--resume")
    refuse_difference(whole, killed)


def test_a_disk_that_fills_in_the_middle_of_averaging(small_disk, tmp_path):
    """The run stops cleanly; where there is room it ends with the bits of one that had it at once."""
    text = one_stage(BAOAB, 1500, THERMO + ARRAYS)
    sets = ["output.checkpoint={every=60}", "output.trajectory={every=5}"]
    whole, full = Folder(tmp_path / "whole", text, *sets), Folder(tmp_path / "full", text, *sets)
    whole.run()
    result = mdrun(*full.arguments("--set", f"output.prefix={small_disk}/out"), cwd=full.path)
    assert result.status == 4
    message = result.message()
    assert "space" in message or "full" in message
    assert "out.checkpoint.h5" in message and "make room" in message
    for name in ("out.h5", "out.checkpoint.h5"):
        shutil.copy(small_disk / name, full.path)
    step = full.step_of_checkpoint()
    assert 0 < step < 1500 and f"(step {step})" in message
    with h5py.File(full.path / "out.h5") as file:
        assert file["averages/rdf/step"][-1] >= step
    full.run("--resume")
    refuse_difference(whole, full)


def test_sigusr1_writes_a_checkpoint_and_goes_on(tmp_path):
    text = one_stage(VERLET, 6000)
    whole, asked = Folder(tmp_path / "whole", text), Folder(tmp_path / "asked", text)
    whole.run()
    process = asked.start()
    wait_for(asked.checkpoint.exists)
    before = asked.checkpoint.stat().st_ino
    process.send_signal(signal.SIGUSR1)
    wait_for(lambda: asked.checkpoint.stat().st_ino != before)
    assert 0 < asked.step_of_checkpoint() < 6000, "the run ended before the signal"
    assert process.communicate(timeout=60) and process.returncode == 0
    refuse_difference(whole, asked)
