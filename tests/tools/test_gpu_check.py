# SPDX-License-Identifier: BSD-3-Clause
"""tools/gpu-check with programs that do what they are told: its order, its limits, and that what
was found is written down whatever happens."""
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import source, write_results

from gpu_check.measurement import Measurement
from gpu_check.session import Session
from gpu_check.steps import Check

CHECK = source / "tools/gpu-check"

#: mdrun: a GPU is there or not; results are those of its device.
MDRUN = r"""
import json, os, pathlib, sys
words = sys.argv[1:]
gpu = os.environ.get("FAKE_GPU", "yes") == "yes"
found = {"no": "cuda     none (no GPU)", "old": "cuda:0   a fake, cannot be used (it is old)"}
if "--version" in words:
    sys.exit(print("mdrun 0"))
if "--devices" in words:
    sys.exit(print(found.get(os.environ.get("FAKE_GPU"), "cuda:0   a fake")))
sets = dict(w.split("=", 1) for w in words if "=" in w)
cuda = sets["compute.device"] == "cuda"
if cuda and not gpu:
    sys.exit("mdrun: error: GPU 0 asked for (none was found)")
folder = pathlib.Path.cwd().name
off = float(os.environ.get("FAKE_CUDA", "0")) if cuda else 0.0
off += float(os.environ.get("FAKE_AGAIN", "0")) if folder.startswith("again") else 0.0
mean = {"potential_energy": {"mean": -5.0 + off}, "virial": {"mean": None}}
did = {"steps_per_second": 1e3, "ns_per_particle_step": 2.5}
pathlib.Path("summary.json").write_text(json.dumps({"averages": mean, "performance": did}))
given = pathlib.Path(__file__).parent / f"{folder.split('-')[0]}.h5"
pathlib.Path("run.h5").write_bytes(given.read_bytes() if given.exists() else b"")
"""
TEST_UNIT = r"""
import os, pathlib, re, sys, time
assert os.environ["SHADOW_DEVICE"] == "cuda"
version_2 = os.environ.get("FAKE_CATCH") != "3"
if ("--list-test-names-only" if version_2 else "--list-tests") in sys.argv:
    print("a force is right\na list, too\na box [is] a box")
    sys.exit(3 if version_2 else 0)
if "--list-test-names-only" in sys.argv:
    sys.exit("Unrecognised token: --list-test-names-only")
if "--input-file" in sys.argv:
    lines = pathlib.Path(sys.argv[sys.argv.index("--input-file") + 1]).read_text().splitlines()
    # A comma ends a name, unless behind a backslash.
    names = [re.sub(r"\\,", ",", line) for line in lines if not re.search(r"(?<!\\),", line)]
    if os.environ.get("FAKE_HANG") in names:
        time.sleep(100)
    if os.environ.get("FAKE_WRONG") in names:
        sys.exit("force.cpp:3: FAILED: 1 == 2")
if os.environ.get("FAKE_HANG") and os.environ["FAKE_HANG"] in sys.argv[1]:
    time.sleep(100)
if os.environ.get("FAKE_GPU", "yes") != "yes":
    sys.exit("GPU 0 asked for (none was found); use a CPU\\nassertions: 1 | 1 failed")
"""
#: Five cases: FAKE_FAILS with an error, FAKE_DIES ends, FAKE_STALLS does not, FAKE_BAD is wrong.
MEASURE = r"""
import os, signal, sys, time
if os.environ.get("FAKE_GPU", "yes") != "yes":
    print('{"failed": 0, "error": "GPU 0 asked for (none was found)"}')
    sys.exit(1)
say = lambda text: print(text, flush=True)
say('{"device": "a fake"}')
for k in range(int(sys.argv[2]), 5):
    say('{"begin": %d, "case": "case %d"}' % (k, k))
    if str(k) == os.environ.get("FAKE_FAILS"):
        say('{"failed": %d, "error": "an illegal address"}' % k)
        sys.exit(1)
    if str(k) == os.environ.get("FAKE_DIES"):
        os.kill(os.getpid(), signal.SIGSEGV)
    if str(k) == os.environ.get("FAKE_STALLS"):
        time.sleep(100)
    good = "false" if str(k) == os.environ.get("FAKE_BAD") else "true"
    say('{"n": %d, "us_per_step": 1.5, "good": %s}' % (k, good))
"""
#: Runs the program behind its own options.
TOOL = r"""
import os, sys
first = next(k for k, w in enumerate(sys.argv) if w.endswith("/mdrun"))
os.execv(sys.argv[first], sys.argv[first:])
"""


@pytest.fixture
def machine(tmp_path):
    """A folder of programs, and one of the tools of a machine with a GPU."""
    for name, text in {"mdrun": MDRUN, "tests/test_unit": TEST_UNIT, "measure_gpu": MEASURE,
                       "tools/compute-sanitizer": TOOL, "tools/ncu": TOOL,
                       "tools/nvidia-smi": ""}.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!{sys.executable} -IS\n{text}")
        file.chmod(0o755)
    # What mdrun writes on the CPU, on the GPU and there again.
    for name in ("cpu", "cuda", "again"):
        write_results(tmp_path / f"{name}.h5", np.full((2, 9, 3), 0.25), [4.0] * 3,
                      {"averages/rdf": np.ones((1, 20))})
    return tmp_path


def start(machine, *options, tools=True, **environment):
    path = f"{machine}/tools:/usr/bin:/bin" if tools else "/usr/bin:/bin"
    return subprocess.Popen(
        [sys.executable, CHECK, "--built", machine, "--out", machine / "out", *options], text=True,
        stdout=subprocess.PIPE, env=dict(os.environ, PATH=path, **environment))


def check(machine, *options, **environment):
    """Status, what was printed, and rows (step -> its line) of the results."""
    process = start(machine, *options, **environment)
    out, _ = process.communicate(timeout=100)
    lines = results(machine)
    return process.returncode, out, {line["step"]: line for line in lines if "step" in line}


def results(machine):
    return [json.loads(line) for line in (machine / "out/results.jsonl").read_text().splitlines()]


def planned():
    out = subprocess.run([sys.executable, CHECK, "--dry-run"], check=True, text=True,
                         stdout=subprocess.PIPE).stdout
    return [line.split()[0] for line in out.splitlines()]


def test_the_plan_has_the_cheap_and_telling_first_and_starts_nothing():
    names = planned()
    firsts = ["devices", "smoke-memory", "smoke-reduction", "smoke-gate", "smoke-scan",
              "smoke-graph", "smoke-steps", "memcheck-3d-launches", "synccheck-3d-steps",
              "cpu-3d-small-double", "agree-2d-large-mixed", "measure", "cost-bare-1", "unit-tests",
              "racecheck-3d-launches", "profile"]
    places = [names.index(name) for name in firsts]
    assert places == sorted(places)
    assert len(set(names)) == len(names)


def test_all_is_done_in_the_order_of_the_plan(machine):
    status, out, rows = check(machine)
    assert status == 0, out
    assert list(rows) == planned()
    assert {row["status"] for row in rows.values()} == {"ok"}
    assert [line["n"] for line in results(machine) if "us_per_step" in line] == [0, 1, 2, 3, 4]
    assert (machine / "out/report.txt").read_text() in out
    assert out.endswith("all was done and is right\n")
    assert sorted(f.name for f in (machine / "out").iterdir()) == [
        "logs.tar.gz", "report.txt", "results.jsonl"]


def test_without_a_gpu_each_step_says_so(machine):
    status, out, rows = check(machine, FAKE_GPU="no")
    assert status == 4 and list(rows) == planned()
    fine = {name for name, row in rows.items() if row["status"] == "ok"}
    assert fine == {"machine", "version"} | {name for name in rows if name.startswith("cpu-")}
    assert {rows[name]["status"] for name in rows.keys() - fine} == {"no GPU"}
    assert "none was found" in rows["smoke-memory"]["said"]


def test_a_gpu_that_cannot_be_used_is_none(machine):
    status, _, rows = check(machine, "--only", "smoke-gate", FAKE_GPU="old")
    assert status == 4
    assert {name: row["status"] for name, row in rows.items()} == {
        "devices": "no GPU", "smoke-gate": "no GPU"}
    assert "it is old" in rows["devices"]["said"]


def test_missing_tools_do_not_stop_it(machine):
    status, _, rows = check(machine, tools=False)
    assert status == 3
    assert {name for name, row in rows.items() if row["status"] != "ok"} == {
        name for name in planned() if "check-" in name or name in ("machine", "profile")}


def do(machine, monkeypatch, names, **environment):
    """Only these steps, in this process: rows and lines of the results."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    work = machine / "work"
    work.mkdir()
    session = Session(machine / "out", work, 60)
    for step in Check(session, work, machine, source).steps():
        if step.name in names:
            session.do(step)
    return {line["step"]: line for line in results(machine) if "step" in line}


@pytest.mark.parametrize("wrong, said", [
    ({"FAKE_FAILS": "2"}, "case 2: an illegal address; 4 results"),
    ({"FAKE_DIES": "4"}, "case 4: status -11: nothing was said; 4 results"),
    ({"FAKE_DIES": "0", "FAKE_FAILS": "3"}, "case 3: an illegal address; 3 results"),
    ({"FAKE_STALLS": "1"}, "case 1: more than 1 s; 4 results"),
    ({"FAKE_BAD": "3"}, "case 3: not right; 5 results"),
])
def test_measurements_go_on_behind_a_case_that_fails(machine, monkeypatch, wrong, said):
    monkeypatch.setattr(Measurement, "CASE", 1)
    row = do(machine, monkeypatch, ["measure"], **wrong)["measure"]
    assert row["status"] == "FAILED" and said in row["said"]


NAME = "3d-small-double"


@pytest.mark.parametrize("off, again, rdf, said", [
    ("0", "0", 1.0, None),
    ("1e-6", "0", 1.0, "CPU and GPU differ: mean of potential_energy by 2.0e-07 (1 of "),
    ("nan", "0", 1.0, "CPU and GPU differ: mean of potential_energy by inf"),
    ("0", "1e-15", 1.0, "two runs on the GPU differ: mean of potential_energy"),
    ("0", "0", 1.0 + 1e-8, "CPU and GPU differ: averages/rdf/value by 1.0e-08"),
    ("0", "0", np.inf, "CPU and GPU differ: averages/rdf/value by inf"),
])
def test_results_of_cpu_and_gpu_are_compared(machine, monkeypatch, off, again, rdf, said):
    for name in ("cuda", "again"):
        write_results(machine / f"{name}.h5", np.full((2, 9, 3), 0.25), [4.0] * 3,
                      {"averages/rdf": np.full((1, 20), rdf)})
    names = [f"{which}-{NAME}" for which in ("cpu", "cuda", "again", "agree")]
    row = do(machine, monkeypatch, names, FAKE_CUDA=off, FAKE_AGAIN=again)[f"agree-{NAME}"]
    assert row["status"] == ("FAILED" if said else "ok")
    assert (said or "values, the farthest") in row["said"]


def test_two_runs_on_the_gpu_have_the_same_bits(machine, monkeypatch):
    write_results(machine / "again.h5", np.full((2, 9, 3), 0.25), [4.0] * 3,
                  {"averages/rdf": np.full((1, 20), 1.0 + 1e-15)})
    names = [f"{which}-{NAME}" for which in ("cpu", "cuda", "again", "agree")]
    row = do(machine, monkeypatch, names)[f"agree-{NAME}"]
    assert row["said"] == "two runs on the GPU differ: averages/rdf/value"


def test_a_run_that_fails_is_compared_with_nothing(machine, monkeypatch):
    names = [f"{which}-{NAME}" for which in ("cpu", "cuda", "again", "agree")]
    rows = do(machine, monkeypatch, names, FAKE_GPU="no")
    assert [rows[name]["status"] for name in names] == ["ok", "FAILED", "FAILED", "FAILED"]
    assert "a run has failed" in rows[names[3]]["said"]


def test_what_is_wrong_does_not_stop_the_rest(machine):
    (machine / "cuda.h5").write_bytes(b"not a file of results")
    status, _, rows = check(machine, FAKE_AGAIN="1e-3", FAKE_FAILS="0")
    assert status == 1 and list(rows) == planned()
    assert {name for name, row in rows.items() if row["status"] != "ok"} == {
        name for name in planned() if name.startswith("agree-") or name == "measure"}


def test_what_hangs_is_ended_at_its_limit(machine, monkeypatch):
    monkeypatch.setattr("gpu_check.steps.SMOKE_SECONDS", 0.5)
    rows = do(machine, monkeypatch, ["smoke-gate", "smoke-scan", "smoke-graph"], FAKE_HANG="scan")
    assert [row["status"] for row in rows.values()] == ["ok", "too long", "ok"]


@pytest.mark.parametrize("catch", ["2", "3"])
@pytest.mark.parametrize("environment, status, said", [
    ({}, "ok", "3 tests"),
    ({"FAKE_WRONG": "a list, too"}, "FAILED", "share 1: force.cpp:3: FAILED: 1 == 2"),
    ({"FAKE_HANG": "a box [is] a box"}, "FAILED", "share 0: not done in time"),
])
def test_unit_tests_are_dealt_out_to_cores(machine, monkeypatch, catch, environment, status, said):
    monkeypatch.setattr("gpu_check.steps.TESTS_SECONDS", 2)
    monkeypatch.setattr("gpu_check.shares.CORES", 2)
    row = do(machine, monkeypatch, ["unit-tests"], FAKE_CATCH=catch, **environment)["unit-tests"]
    assert (row["status"], row["said"]) == (status, said)


def test_at_the_end_of_its_time_it_starts_nothing(machine):
    status, _, rows = check(machine, "--limit", "0")
    assert status == 3 and list(rows) == planned()
    assert {row["status"] for row in rows.values()} == {"no time"}


def wait_for(machine, process, found):
    end = time.monotonic() + 60
    while not any(map(found, results_so_far(machine))):
        assert time.monotonic() < end and process.poll() is None
        time.sleep(0.02)


def test_what_was_measured_is_there_when_it_is_killed(machine):
    process = start(machine, "--only", "measure", FAKE_STALLS="3")
    wait_for(machine, process, lambda line: line.get("begin") == 3)
    process.kill()
    process.communicate()
    assert [line["n"] for line in results(machine) if "n" in line] == [0, 1, 2]


def results_so_far(machine):
    file = machine / "out/results.jsonl"
    return [json.loads(line) for line in file.read_text().split("\n")[:-1]] if file.exists() else []


def test_ended_by_a_signal_it_still_reports(machine):
    process = start(machine, "--only", "smoke", FAKE_HANG="scan")
    wait_for(machine, process, lambda line: line.get("step") == "smoke-gate")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode != 0
    report = (machine / "out/report.txt").read_text()
    assert "smoke-gate" in report and report.endswith("not all was done\n")


def test_what_is_no_archive_is_refused(tmp_path):
    (tmp_path / "a.tar.xz").write_text("hello")
    result = subprocess.run([sys.executable, CHECK, "--packed", tmp_path / "a.tar.xz", "--out",
                             tmp_path], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert result.returncode == 1 and "cannot be unpacked" in result.stderr
    assert "not all was done" in result.stdout


def test_after_a_failed_build_it_stops(machine):
    (machine / "tools/cmake").write_text('#!/bin/sh\n[ "$1" != --build ] || exit 3\n')
    (machine / "tools/cmake").chmod(0o755)
    result = subprocess.run([sys.executable, CHECK, "--out", machine / "out"], text=True,
                            stdout=subprocess.PIPE,
                            env=dict(os.environ, PATH=f"{machine}/tools:/usr/bin:/bin"))
    assert result.returncode == 1
    assert [(line["step"], line["status"]) for line in results(machine) if "step" in line] == [
        ("configure", "ok"), ("build", "FAILED")]
