# SPDX-License-Identifier: BSD-3-Clause
"""The command line: what it prints, what it refuses, and its exit statuses."""

import json
import os
import re
import subprocess

import pytest
from harness import BASE, MDRUN, Result, contents, edited, mdrun


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in.toml").write_text(BASE)
    return tmp_path


@pytest.mark.parametrize(
    "arguments, says",
    [
        ([], "no input"),
        (["in.toml", "other.toml"], "one word too many"),
        (["in.toml", "--chek"], "--check"),
        (["in.toml", "--frobnicate"], "unknown option"),
        (["in.toml", "--set"], "--set"),
        (["in.toml", "--summary"], "--summary"),
        (["in.toml", "--progress=loud"], '"plain"'),
        (["in.toml", "--check", "--resume"], "--resume"),
        (["in.toml", "--check", "--continue"], "--continue"),
        (["in.toml", "--resume", "--continue"], "--continue"),
        (["none.toml"], "no such file"),
        (["."], "folder"),
        (["--list", "forces"], '"force"'),
        (["--describe", "lenard-jones"], '"lennard-jones"'),
        (["--describe", "verlett"], '"verlet"'),
        (["--describe", "zzz"], "--list"),
    ],
)
def test_refused(folder, arguments, says):
    before = contents(folder)
    result = mdrun(*arguments, cwd=folder)
    assert result.status == 2
    assert says in result.message()
    assert result.out == ""
    assert contents(folder) == before


def test_version_and_help(folder):
    result = mdrun("--version", cwd=folder)
    assert result.status == 0
    assert re.match(r"mdrun \d+\.\d+\.\d+", result.out)
    result = mdrun("--help", cwd=folder)
    assert result.status == 0
    assert "--set KEY=VALUE " in result.out and "--set KEY=VALUE ..." not in result.out
    for option in ["--set", "--resume", "--continue", "--check", "--list", "--describe", "--devices", "--summary"]:
        assert option in result.out


def test_list_and_describe(folder):
    everything = mdrun("--list", cwd=folder)
    assert mdrun("--list", "all", cwd=folder).out == everything.out
    assert (everything.status, everything.err) == (0, "")
    assert mdrun("--list", "all", cwd=folder).out == everything.out
    assert "  minimize " in mdrun("--list", "integrator", cwd=folder).out
    names = {"table": "system.box", "force": "lennard-jones", "integrator": "verlet",
             "observe": "thermo"}
    for kind, name in names.items():
        assert f"  {name} " in everything.out
        one = mdrun("--list", kind, cwd=folder)
        assert one.status == 0
        assert one.out in everything.out
        described = mdrun("--describe", name, cwd=folder)
        assert described.status == 0
        assert f"{name} ({kind})" in described.out
    assert mdrun("--describe", "box", cwd=folder).out == mdrun("--describe", "system.box", cwd=folder).out
    assert mdrun("--describe", "box", "--markdown", cwd=folder).out.startswith("### system.box\n")
    assert mdrun("--markdown", cwd=folder).status == 2
    # Whatever is listed can be described.
    listed = re.findall(r"^  (\S+)  ", everything.out, re.MULTILINE)
    assert len(listed) > 10
    described = mdrun("--describe", "all", cwd=folder).out
    for name in listed:
        assert re.search(rf"^{re.escape(name)} \(", described, re.MULTILINE), name


def test_devices(folder):
    result = mdrun("--devices", cwd=folder)
    assert (result.status, result.err) == (0, "")
    assert re.search(r"^cpu .*threads.*(sse|avx)", result.out, re.MULTILINE)
    assert re.search(r"^auto +takes ", result.out, re.MULTILINE)


@pytest.mark.parametrize("arguments", [["--list"], ["in.toml", "--check"], ["in.toml"],
                                       ["in.toml", "--quiet", "--summary", "-"]], ids=" ".join)
def test_full_standard_output(folder, arguments):
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    with open("/dev/full", "wb") as full:
        process = subprocess.run([MDRUN, *arguments], stdout=full, stderr=subprocess.PIPE, cwd=folder)
    assert process.returncode == 4
    assert b"standard output" in process.stderr


def test_check_prints_the_resolved_input_and_writes_nothing(folder):
    before = contents(folder)
    result = mdrun("in.toml", "--check", "--set", "integrator.dt=0.002", cwd=folder)
    assert result.status == 0, result.err
    assert "dt = 0.002" in result.out
    assert 'precision = "mixed"' in result.out  # a default
    assert "memory" in result.out
    assert contents(folder) == before


def test_what_check_prints_is_an_input_itself(folder):
    resolved = mdrun("in.toml", "--check", cwd=folder).out
    (folder / "again.toml").write_text(resolved)
    again = mdrun("again.toml", "--check", cwd=folder)
    assert again.status == 0, again.err
    assert again.out == resolved


def test_the_longest_lag_that_check_prints_is_one(folder):
    """The default is that of any stage, also of one that is shorter."""
    text = (folder / "in.toml").read_text() + '[[observe]]\ntype = "msd"\nevery = 1\n'
    (folder / "in.toml").write_text(text)
    resolved = mdrun("in.toml", "--check", cwd=folder).out
    assert "longest = 256" in resolved and "steps = 20" in resolved
    (folder / "again.toml").write_text(resolved)
    again = mdrun("again.toml", "--check", cwd=folder)
    assert (again.status, again.out) == (0, resolved), again.err
    longer = mdrun("again.toml", "--check", "--set", "observe.1.longest=257", cwd=folder)
    assert "longest lag of 257" in longer.message()


def test_quiet_says_nothing(folder):
    result = mdrun("in.toml", "--quiet", cwd=folder)
    assert (result.status, result.out, result.err) == (0, "", "")
    assert (folder / "out.h5").exists()


def test_summary(folder):
    result = mdrun("in.toml", "--summary", "s.json", "--progress=none", cwd=folder)
    assert result.status == 0, result.err
    summary = json.loads((folder / "s.json").read_text())
    assert summary["system"]["particles"] == 500
    assert summary["system"]["dimension"] == 3
    assert summary["system"]["degrees_of_freedom"] == 3 * 500 - 3
    assert summary["system"]["box"]["periodic"] == [True] * 3
    average = summary["averages"]["temperature"]
    assert {"mean", "error", "inefficiency", "independent_samples"} <= set(average)
    assert 0.0 < average["mean"] < 2.0
    assert {"name", "drift", "drift_error", "fluctuation"} <= set(summary["conserved"])
    performance = summary["performance"]
    for key in ["wall_seconds", "steps_per_second", "particle_steps_per_second",
                "ns_per_particle_step"]:
        assert performance[key] > 0
    assert abs(sum(performance["shares"].values()) - 1.0) < 1e-6
    assert summary["precision"] == "mixed"
    assert summary["seed"] == 7
    assert "500 particles" in result.out


def test_summary_that_cannot_be_written_is_refused_at_once(folder):
    (folder / "file").write_text("x")
    before = contents(folder)
    result = mdrun("in.toml", "--summary", "file/s.json", cwd=folder)
    assert result.status == 2
    assert "--summary" in result.message() and "prefix" not in result.message()
    assert contents(folder) == before


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_summary_to_standard_output(folder, quiet):
    result = mdrun("in.toml", "--summary", "-", *quiet, cwd=folder)
    assert result.status == 0, result.err
    assert json.loads(result.out)["system"]["particles"] == 500
    assert not (folder / "-").exists()


@pytest.mark.parametrize("pipe", [False, True], ids=["a file", "a pipe"])
def test_an_input_from_standard_input(folder, pipe):
    def run(text):
        if pipe:
            command = ["sh", "-c", 'cat | "$0" /dev/stdin --quiet', MDRUN]
            process = subprocess.run(command, cwd=folder, input=text.encode(), capture_output=True)
            return Result(process)
        (folder / "other").write_text(text)
        with open(folder / "other", "rb") as file:
            return mdrun("/dev/stdin", "--quiet", cwd=folder, stdin=file)

    result = run(edited(('prefix = "out"\n', "")))
    assert result.status == 2
    assert "output.prefix" in result.message()
    assert not (folder / "out.h5").exists()
    result = run(BASE)
    assert (result.status, result.err) == (0, "")
    assert (folder / "out.h5").exists()


def test_plain_progress_has_no_control_characters(folder):
    result = mdrun("in.toml", "--progress=plain", cwd=folder)
    assert result.status == 0
    assert not re.search(r"[\x00-\x08\x0b-\x1f]", result.err)


def test_paths_are_relative_to_the_input(tmp_path):
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs/in.toml").write_text(BASE)
    result = mdrun("inputs/in.toml", "--quiet", cwd=tmp_path)
    assert result.status == 0, result.err
    assert (tmp_path / "inputs/out.h5").exists()
    assert not (tmp_path / "out.h5").exists()


def test_the_same_input_gives_the_same_bytes_on_any_number_of_threads(tmp_path):
    h5py = pytest.importorskip("h5py")
    positions = []
    for threads in (1, 2, 3):
        (tmp_path / "in.toml").write_text(edited(("threads = 1", f"threads = {threads}")))
        result = mdrun("in.toml", "--quiet", "--set", f"output.prefix=t{threads}", cwd=tmp_path)
        assert result.status == 0, result.err
        with h5py.File(tmp_path / f"t{threads}.h5") as file:
            positions.append(file["particles/all/position/value"][-1].tobytes())
    assert positions[0] == positions[1] == positions[2]
