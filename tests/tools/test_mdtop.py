# SPDX-License-Identifier: BSD-3-Clause
"""What mdtop shows of runs that are complete, on their way, replaced, and of files that are none."""
import errno
import fcntl
import os
import pty
import re
import select
import subprocess
import sys
import time

import h5py
import numpy as np
import pytest
from conftest import (LIQUID, MDRUN, correlated, describe_run, load, source, write_array, write_results,
                      write_series)
from shadow_results.statistics import estimate
from shadow_results.text import with_error
from shadow_results.working import WorkingFile

mdtop = load("mdtop")
TOOL = str(source / "tools/mdtop")


def results(path, last, every=2):
    """A run of 1000 steps, as far as `last`."""
    write_results(path, np.zeros((1, 2, 2)), np.full(2, 5.0))
    describe_run(path)
    step = np.arange(0, last + 1, every)
    write_series(path, "temperature", step, 1 + 0.1 * correlated(501, 1, 1)[:len(step)])
    write_series(path, "kinetic_energy", step, 50 + correlated(501, 1, 1)[:len(step)])
    write_series(path, "conserved_energy", step, -9 + 0.01 * correlated(501, 3, 2)[:len(step)])
    write_array(path, "rdf", {"r": [1, 2, 3]}, np.ones((1, 3)), [[0.1, 0.2, 0.3]],
                step=(last,))
    return path


def once(capsys, path):
    status = mdtop.main([str(path), "--once"])
    return status, capsys.readouterr()


def test_a_complete_run_is_summed_up(tmp_path, capsys):
    path = results(tmp_path / "a.h5", 1000)
    status, said = once(capsys, path)
    assert status == 0 and "\033" not in said.out
    for word in ("a test", "complete", "step 1000 of 1000", "100.0 %", "method verlet",
                 "conserved energy drifts by", "rdf: 3 numbers, 77 samples, median error 0.2"):
        assert word in said.out, word
    with h5py.File(path) as file:
        e = estimate(file["observables/temperature/value"][...])
    line, = [l for l in said.out.splitlines() if l.startswith("temperature")]
    assert line.split()[1:3] == list(with_error(e.mean, e.error))
    spark = line.split()[-1]
    assert len(spark) == mdtop.LOOKS and spark[0] > spark[-1]  # the error shrinks


def test_long_numbers_stay_apart(tmp_path, capsys):
    path = results(tmp_path / "a.h5", 1000)
    value = -1234.5 + 1e-9 * correlated(501, 1, 3)
    write_series(path, "potential_energy", np.arange(0, 1001, 2), value)
    line, = [l for l in once(capsys, path)[1].out.splitlines() if l.startswith("potential energy")]
    e = estimate(value)
    mean, error = with_error(e.mean, e.error)
    assert len(mean) + len(error) > 28  # more than a row of the table had
    assert line.split()[2:4] == [mean, error]


def test_a_run_on_its_way_and_one_that_stopped(tmp_path, capsys):
    path = results(tmp_path / "a.h5", 400)
    assert "not running" in once(capsys, path)[1].out
    with open(tmp_path / "a.h5.part", "wb") as part:
        fcntl.flock(part, fcntl.LOCK_EX)  # as mdrun
        os.utime(part.name, (1e9, 1e9))
        said = once(capsys, path)[1].out
        assert "  running, written" in said and "step 400 of 1000" in said and " 40.0 %" in said
    said = once(capsys, path)[1].out
    assert "  not running, written" in said and "the run was killed" in said
    assert "no process of this machine holds a.h5.part, written 2001-09-09" in said


def test_a_working_file_that_is_new_is_not_disturbed(tmp_path):
    """mdrun makes it and locks it; a reader between both would stop the run."""
    working = WorkingFile(tmp_path / "a.h5")
    assert working.state() == "absent"
    (tmp_path / "a.h5.part").touch()
    assert working.state() == "held"


def test_who_follows_a_run_sees_it_killed(tmp_path):
    path = results(tmp_path / "a.h5", 400)
    part = open(tmp_path / "a.h5.part", "wb")
    fcntl.flock(part, fcntl.LOCK_EX)
    os.utime(part.name, (1e9, 1e9))
    process = subprocess.Popen([sys.executable, "-u", TOOL, path, "--interval", "0.05"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    try:
        assert "  running, written" in process.stdout.readline()
        part.close()  # nothing is written any more
        seen = ""
        while "the run was killed" not in seen:
            seen = process.stdout.readline()
            assert seen, "mdtop ended early"
    finally:
        process.kill()
        process.wait()


def test_without_locks_the_state_is_unknown(tmp_path, capsys, monkeypatch):
    path = results(tmp_path / "a.h5", 400)
    (tmp_path / "a.h5.part").touch()
    os.utime(tmp_path / "a.h5.part", (1e9, 1e9))

    def no_locks(file, how):
        raise OSError(errno.ENOLCK, "no locks")
    monkeypatch.setattr(fcntl, "flock", no_locks)
    said = once(capsys, path)[1].out
    assert "  running or killed, written" in said and "a.h5.part was written 2001-09-09" in said


@pytest.mark.skipif(not MDRUN, reason="mdrun is not built (SHADOW_MDRUN is empty)")
def test_a_run_that_is_killed_is_seen_to_be(tmp_path, capsys):
    (tmp_path / "in.toml").write_text(LIQUID.replace("steps = 3000", "steps = 100_000_000").replace(
        "[output]", '[output]\ncheckpoint = { every = "0.1 s" }'))
    run = subprocess.Popen([MDRUN, "in.toml", "--quiet"], cwd=tmp_path, stdin=subprocess.DEVNULL)
    try:
        while run.poll() is None and not (tmp_path / "out.h5").exists():
            time.sleep(0.05)
        assert run.poll() is None
        assert "  running, written" in once(capsys, tmp_path / "out.h5")[1].out
    finally:
        run.kill()
        run.wait()
    while time.time() - os.stat(tmp_path / "out.h5.part").st_mtime < 1:
        time.sleep(0.1)
    assert "the run was killed" in once(capsys, tmp_path / "out.h5")[1].out


STAGED = """\
[[stage]]
name = "relax"
steps = 500
integrator = { method = "minimize" }
[[stage]]
name = "warm"
steps = 300
integrator = { method = "baoab" }
[[stage]]
name = "sample"
until = { quantity = "temperature", error = 1e-3, max_steps = 2000 }
integrator = { method = "verlet" }
"""


@pytest.mark.parametrize("last, firsts, lasts, says", [
    (100, [0], [],
     ["step 100\n", "stage 1 of 3: relax (minimize), 100 of at most 500 steps", "20.0 %"]),
    (196, [0, 96], [96], ["step 196\n", "stage 2 of 3: warm (baoab), 100 of 300 steps", "33.3 %"]),
    (396, [0, 96], [96, 396], ["stage 2 of 3: warm (baoab), 300 steps, done"]),
    (896, [0, 96, 396], [96, 396],
     ["step 896\n", "stage 3 of 3: sample (verlet), 500 of at most 2000 steps", "25.0 %",
      "not running"]),
    (1000, [0, 96, 396], [96, 396, 1001],
     ["step 1001 of 1001", "complete", "stage 3 of 3: sample (verlet), 605 steps, done"])])
def test_the_running_stage_is_shown_with_how_far_it_is(last, firsts, lasts, says, tmp_path, capsys):
    path = write_results(tmp_path / "a.h5", np.zeros((1, 2, 2)), np.full(2, 5.0))
    describe_run(path, STAGED)
    write_series(path, "temperature", np.arange(0, last + 1, 2), np.ones(last // 2 + 1))
    with h5py.File(path, "a") as file:
        file["parameters/stage/first_step"] = np.array(firsts)
        file["parameters/stage/last_step"] = np.array(lasts, dtype=int)
    said = once(capsys, path)[1].out
    for words in says:
        assert words in said


def test_many_arrays_do_not_fill_the_screen(tmp_path, capsys):
    path = results(tmp_path / "a.h5", 1000)
    for k in range(20):
        write_array(path, f"array_{k}", {"r": [1, 2, 3]}, np.ones((1, 3)), np.ones((1, 3)))
    assert "and 11 more" in once(capsys, path)[1].out


def test_a_file_without_rows_yet(tmp_path, capsys):
    path = write_results(tmp_path / "a.h5", np.zeros((0, 2, 2)), None, {"pressure": np.zeros(0)})
    status, said = once(capsys, path)
    assert status == 0 and "no rows yet" in said.out


@pytest.mark.parametrize("name", ["text.h5", "missing.h5", "empty.h5"])
def test_files_that_are_no_results_are_refused(tmp_path, capsys, name):
    (tmp_path / "text.h5").write_text("not HDF5")
    h5py.File(tmp_path / "empty.h5", "w").close()
    status, said = once(capsys, tmp_path / name)
    assert status == 2 and re.fullmatch(r"mdtop: [^\n]+ \([^\n]+\); [^\n]+\n", said.err)


def test_plain_letters_where_the_terminal_has_no_others(tmp_path):
    path = results(tmp_path / "a.h5", 1000)
    said = subprocess.run([sys.executable, TOOL, path, "--once"], capture_output=True, check=True,
                          env={**os.environ, "PYTHONIOENCODING": "ascii"}).stdout
    assert said.isascii() and b"step 1000 of 1000  ####" in said and b"?" not in said


def test_a_file_that_is_replaced_is_read_again(tmp_path):
    path = results(tmp_path / "a.h5", 400)
    os.utime(path, (1e9, 1e9))
    process = subprocess.Popen([sys.executable, "-u", TOOL, path, "--interval", "0.05"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    try:
        assert "not running" in process.stdout.readline()
        newer = results(tmp_path / "b.h5", 600)
        os.utime(newer, (1e9 + 10, 1e9 + 10))
        os.replace(newer, path)
        seen = ""
        while "step 600" not in seen:
            seen = process.stdout.readline()
            assert seen, "mdtop ended early"
        # 200 steps in 10 seconds by the times of the file, and 400 to go.
        assert "20 steps/s, 20 s left" in seen
        os.replace(results(tmp_path / "c.h5", 1000), path)
        rest = process.communicate(timeout=60)[0]
    finally:
        process.kill()
    assert process.returncode == 0 and "step 1000 of 1000" in rest and "\033" not in rest


def screen(path, term):
    """What appears on a terminal until q is pressed, and the status."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([sys.executable, TOOL, path, "--interval", "0.05"], stdin=theirs,
                               stdout=theirs, env={**os.environ, "TERM": term})
    os.close(theirs)
    seen, pressed, end = b"", False, time.monotonic() + 60
    try:
        while time.monotonic() < end:
            if select.select([ours], [], [], 0.05)[0]:
                try:
                    seen += os.read(ours, 65536)
                except OSError:  # the other side is closed
                    break
            if b"rdf" in seen and not pressed:
                os.write(ours, b"q")
                pressed = True
    finally:
        os.close(ours)
        process.kill()
    return seen.decode(), process.wait()


def test_a_terminal_is_cleared_and_q_quits(tmp_path):
    seen, status = screen(results(tmp_path / "a.h5", 400), "xterm")
    assert status == 0 and "\033[2J" in seen and "\033[1m" in seen and "step 400" in seen


def test_a_dumb_terminal_gets_text_alone(tmp_path):
    seen, status = screen(results(tmp_path / "a.h5", 400), "dumb")
    assert status == 0 and "\033" not in seen and "step 400" in seen
