# SPDX-License-Identifier: BSD-3-Clause
"""When the machine or the simulation fails: the exit status, and that nothing is lost."""

import os
import pathlib
import re
import signal
import subprocess
import time

import pytest
from harness import BASE, DEVICE, MDRUN, contents, mdrun

h5py = pytest.importorskip("h5py")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in.toml").write_text(BASE)
    return tmp_path


def last_step(path):
    """Of the trajectory; the file must open, and -1 says that it holds no frame yet."""
    with h5py.File(path) as file:
        steps = file["particles/all/position/step"]
        return int(steps[-1]) if len(steps) > 0 else -1


def test_a_folder_that_is_not_there_is_made(folder):
    result = mdrun("in.toml", "--quiet", "--set", "output.prefix=results/one/out", "--summary",
                   "tables/s.json", cwd=folder)
    assert (result.status, result.err) == (0, "")
    assert last_step(folder / "results/one/out.h5") == 20
    assert (folder / "tables/s.json").exists()


def test_no_folder_is_made_for_an_input_that_is_wrong(folder):
    before = contents(folder)
    assert mdrun("in.toml", "--set", "output.prefix=results/out", "--set", "integrator.dt=-1",
                 cwd=folder).status == 2
    assert contents(folder) == before


def test_a_folder_that_is_a_file(folder):
    (folder / "file").write_text("x")
    before = contents(folder)
    result = mdrun("in.toml", "--set", "output.prefix=file/out", cwd=folder)
    assert result.status == 2
    assert "file" in result.message()
    assert contents(folder) == before


def test_a_checkpoint_that_is_a_folder(folder):
    (folder / "out.checkpoint.h5").mkdir()
    before = contents(folder)
    result = mdrun("in.toml", "--set", "output.prefix=out", cwd=folder)
    assert result.status == 2
    assert "out.checkpoint.h5 is a folder" in result.message()
    assert contents(folder) == before


def test_a_folder_that_may_not_be_written(folder):
    locked = folder / "locked"
    locked.mkdir()
    if os.geteuid() == 0:
        # Root may write anywhere but on a read-only file system.
        made = subprocess.run(["mount", "-t", "tmpfs", "-o", "ro,size=1m", "tmpfs", locked],
                              stderr=subprocess.DEVNULL)
        if made.returncode != 0:
            pytest.skip("cannot mount a read-only tmpfs")
    else:
        locked.chmod(0o555)
    try:
        result = mdrun("in.toml", "--set", "output.prefix=locked/out", cwd=folder)
        assert result.status == 2
        assert "locked" in result.message()
        assert list(locked.iterdir()) == []
    finally:
        if os.geteuid() == 0:
            subprocess.run(["umount", locked], check=True)
        else:
            locked.chmod(0o755)


def test_results_are_not_destroyed_unless_told(folder):
    assert mdrun("in.toml", "--quiet", cwd=folder).status == 0
    before = contents(folder)
    result = mdrun("in.toml", cwd=folder)
    assert result.status == 2
    assert "out.h5" in result.message()
    assert "overwrite" in result.message()
    assert contents(folder) == before
    assert mdrun("in.toml", "--quiet", "--set", "output.overwrite=true", cwd=folder).status == 0


def test_a_foreign_file_of_the_name_of_the_results_stays(folder):
    (folder / "out.h5").write_bytes(b"precious")
    assert mdrun("in.toml", cwd=folder).status == 2
    assert (folder / "out.h5").read_bytes() == b"precious"


def test_a_disk_that_is_full_from_the_start(folder, small_disk):
    (small_disk / "ballast").write_bytes(bytes((8 << 20) - 65536))
    result = mdrun("in.toml", "--set", f"output.prefix={small_disk}/out", cwd=folder)
    assert result.status == 4
    assert "space" in result.message() or "full" in result.message()


def test_a_disk_that_fills_up_keeps_the_last_good_state(folder, small_disk):
    result = mdrun("in.toml", "--set", f"output.prefix={small_disk}/out", "--set",
                   "output.trajectory.every=1", "--set", "run.steps=2000", "--set",
                   "output.checkpoint.every=5", cwd=folder)
    assert result.status == 4
    assert "space" in result.message() or "full" in result.message()
    assert "checkpoint" in result.message()
    # What was published before is whole, and the run can go on where there is room.
    assert last_step(small_disk / "out.h5") >= 0
    for name in ("out.h5", "out.checkpoint.h5"):
        (folder / name).write_bytes((small_disk / name).read_bytes())
    last = last_step(folder / "out.h5") + 10
    result = mdrun("in.toml", "--resume", "--quiet", "--set", "output.trajectory.every=1", "--set",
                   f"run.steps={last}", cwd=folder)
    assert result.status == 0, result.err
    assert last_step(folder / "out.h5") == last


@pytest.mark.parametrize("device", ["cuda", "cuda:99"])
def test_an_absent_gpu(folder, device):
    if device == "cuda" and "none" not in mdrun("--devices", cwd=folder).out:
        pytest.skip("there is a GPU")
    before = contents(folder)
    result = mdrun("in.toml", "--set", f"compute.device={device}", cwd=folder)
    assert result.status == 4
    assert 'use device = "c' in result.message()
    assert contents(folder) == before


def test_resume_without_a_checkpoint(folder):
    before = contents(folder)
    result = mdrun("in.toml", "--resume", cwd=folder)
    assert result.status == 2
    assert "checkpoint" in result.message()
    assert contents(folder) == before


def test_resume_from_a_checkpoint_of_another_system(folder):
    assert mdrun("in.toml", "--quiet", cwd=folder).status == 0
    before = contents(folder)
    for key in ["system.lattice.repeat=[4,5,5]", "system.dimension=2", "force[0].epsilon=1.1",
                "seed=8"]:
        sets = ["--set", key]
        if "dimension" in key:
            sets += ["--set", 'system.lattice={ type="square", repeat=[20,20] }']
        result = mdrun("in.toml", "--resume", *sets, cwd=folder)
        assert result.status == 2, key
        assert "checkpoint" in result.message()
        assert contents(folder) == before


def test_resume_from_a_checkpoint_that_may_not_be_read(folder):
    assert mdrun("in.toml", "--quiet", cwd=folder).status == 0
    checkpoint = folder / "out.checkpoint.h5"
    checkpoint.chmod(0)
    # Root reads everything unless this is taken away.
    program = folder / "limited"
    limit = "setpriv --bounding-set=-dac_override,-dac_read_search --" if os.geteuid() == 0 else ""
    program.write_text(f'#!/bin/sh\nexec {limit} "{MDRUN}" "$@"\n')
    program.chmod(0o755)
    result = mdrun("in.toml", "--resume", cwd=folder, program=program)
    if "setpriv" in result.err:
        pytest.skip("cannot take the rights of root away")
    assert result.status == 2
    assert "cannot be read" in result.message() and "ermission" in result.message()


@pytest.mark.parametrize("damage", ["truncated", "noise", "empty", "results instead"])
def test_resume_from_a_damaged_checkpoint(folder, damage):
    assert mdrun("in.toml", "--quiet", cwd=folder).status == 0
    checkpoint = folder / "out.checkpoint.h5"
    data = checkpoint.read_bytes()
    checkpoint.write_bytes({
        "truncated": data[: len(data) // 2],
        "noise": os.urandom(4096),
        "empty": b"",
        "results instead": (folder / "out.h5").read_bytes(),
    }[damage])
    before = contents(folder)
    result = mdrun("in.toml", "--resume", "--set", "run.steps=40", cwd=folder)
    assert result.status == 2
    assert "out.checkpoint.h5" in result.message()
    assert contents(folder) == before


def test_resume_goes_on_bitwise(folder):
    assert mdrun("in.toml", "--quiet", "--set", "run.steps=40", "--set", "output.prefix=whole",
                 cwd=folder).status == 0
    assert mdrun("in.toml", "--quiet", cwd=folder).status == 0
    result = mdrun("in.toml", "--quiet", "--resume", "--set", "run.steps=40", cwd=folder)
    assert result.status == 0, result.err
    with h5py.File(folder / "whole.h5") as whole, h5py.File(folder / "out.h5") as parts:
        for name in ["particles/all/position/value", "particles/all/velocity/value",
                     "observables/total_energy/value"]:
            assert whole[name][()].tobytes() == parts[name][()].tobytes(), name


def test_resume_of_a_finished_run_changes_nothing(folder):
    assert mdrun("in.toml", "--quiet", cwd=folder).status == 0
    with h5py.File(folder / "out.h5") as file:
        before = file["particles/all/position/value"][()].tobytes()
    result = mdrun("in.toml", "--quiet", "--resume", cwd=folder)
    assert result.status == 0, result.err
    with h5py.File(folder / "out.h5") as file:
        assert file["particles/all/position/value"][()].tobytes() == before


def test_a_step_too_large_names_who_collided_and_saves_the_last_good_state(folder):
    result = mdrun("in.toml", "--set", "integrator.dt=0.5", "--set", "run.steps=1000", "--set",
                   "output.checkpoint.every=1", cwd=folder)
    assert result.status == 3
    message = result.message()
    assert "step" in message and "particle" in message and "checkpoint" in message
    assert (folder / "out.checkpoint.h5").exists()
    with h5py.File(folder / "out.h5") as file:
        assert "observables" in file


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("dt", [0.3, 3.0, 30.0])
def test_who_has_no_place_any_more_is_not_called_a_partner(folder, dt, device):
    if device == "cuda" and DEVICE != "cuda":
        pytest.skip("there is no GPU")
    result = mdrun("in.toml", "--set", f"integrator.dt={dt}", "--set", "run.steps=3000", "--set",
                   f"compute.device={device}", "--set", "observe.0.every=1000", cwd=folder)
    assert result.status == 3
    assert not re.search(r"at distance 0(?!\.)", result.message())


def start(folder, *arguments):
    """A run that has begun: its first checkpoint is written, or, with --resume, read."""
    log = folder / "log"
    with open(log, "wb") as err:
        process = subprocess.Popen([MDRUN, "in.toml", "--progress=none", *arguments], cwd=folder,
                                   stdout=subprocess.DEVNULL, stderr=err)

    def begun():
        if "--resume" in arguments:
            return b"resumed at step" in log.read_bytes()
        return (folder / "out.checkpoint.h5").exists()

    deadline = time.monotonic() + 60.0
    while not begun():
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return process


LONG = ["--set", "run.steps=100_000_000"]


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_stops_after_a_checkpoint(folder, number, status):
    process = start(folder, *LONG)
    process.send_signal(number)
    assert process.wait(timeout=60) == status
    assert "checkpoint" in (folder / "log").read_text()
    assert last_step(folder / "out.h5") >= -1  # it may have stopped before its first frame
    with h5py.File(folder / "out.checkpoint.h5"):
        pass
    process = start(folder, *LONG, "--resume")
    process.send_signal(number)
    assert process.wait(timeout=60) == status


def test_sigusr1_writes_a_checkpoint_and_goes_on(folder):
    process = start(folder, *LONG, "--set", "output.checkpoint.every=10")
    path = folder / "out.checkpoint.h5"
    try:
        before = path.stat().st_mtime_ns
        process.send_signal(signal.SIGUSR1)
        deadline = time.monotonic() + 30.0
        while path.stat().st_mtime_ns == before:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()


def test_a_killed_run_leaves_whole_files_and_resumes(folder):
    process = start(folder, *LONG)
    process.kill()
    process.wait()
    with h5py.File(folder / "out.checkpoint.h5"):
        pass
    if (folder / "out.h5").exists():
        assert last_step(folder / "out.h5") >= -1
    process = start(folder, *LONG, "--resume")
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == 143


def test_no_temporary_file_is_left_behind(folder):
    assert mdrun("in.toml", "--quiet", "--summary", "s.json", cwd=folder).status == 0
    left = {path.name for path in pathlib.Path(folder).iterdir()}
    assert left <= {"in.toml", "out.h5", "out.checkpoint.h5", "out.h5.part", "out.log",
                    "s.json"}
