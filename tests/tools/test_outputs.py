# SPDX-License-Identifier: BSD-3-Clause
"""No tool destroys what it reads, or the results of another run; devices stay devices."""
import os
import re
import signal
import subprocess
import sys
import threading
import time

import h5py
import numpy as np
import pytest
from conftest import describe_run, load, source, write_results, write_series
from shadow_results.outputs import refuse_output, status_of, whole
from shadow_results.results import ResultsError

TOOLS = {name: load(name) for name in ("mdexport", "mdmerge", "mdplot", "mdreport",
                                       "mdreweight")}
MESSAGE = re.compile(r"md\w+: [^\n]+ \([^\n]+\); [^\n]+\n")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two runs, a link of each kind to the first, a view of it, and a summary."""
    random = np.random.default_rng(3)
    for name in "AB":
        path = write_results(tmp_path / f"{name}.h5", random.uniform(0, 5, (2, 20, 3)),
                             np.full(3, 5.0))
        write_series(describe_run(path, seed=ord(name)), "pressure", np.arange(200),
                     random.normal(size=200))
    os.symlink("A.h5", tmp_path / "soft.h5")
    os.link(tmp_path / "A.h5", tmp_path / "hard.h5")
    with h5py.File(tmp_path / "view.h5", "w") as file:
        file["particles/all"] = h5py.ExternalLink("A.h5", "/particles/all")
    (tmp_path / "s.json").write_text('{"performance": {}}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.suffix in (".h5", ".json")}


OVER = ("A.h5", "./A.h5", "soft.h5", "hard.h5")


@pytest.mark.parametrize("command", [
    *(f"mdreport A.h5 -o {path}" for path in OVER),
    "mdreport A.h5 --summary s.json -o s.json",
    *(f"mdmerge A.h5 B.h5 --{option} {path}" for path in OVER for option in ("json", "h5")),
    "mdmerge B.h5 A.h5 --json soft.h5",
    *(f"mdreweight A.h5 B.h5 --json {path}" for path in OVER),
    "mdmerge A.h5 B.h5 -o soft.h5",
    *(f"mdexport A.h5 --to {kind} -o {path} --overwrite" for path in OVER for kind in (
        "xyz", "gsd", "lammps-dump", "lammps-data", "h5md", "physical-validation", "alchemlyb")),
    "mdexport soft.h5 --to xyz -o A.h5 --overwrite",
    "mdexport view.h5 --to xyz -o A.h5 --overwrite"])
def test_what_is_read_is_not_written(command, folder, capsys):
    before = contents(folder)
    tool, *arguments = command.split()
    assert TOOLS[tool].main(arguments) == 2
    said = capsys.readouterr()
    assert MESSAGE.fullmatch(said.err) and "would destroy what is read" in said.err, said.err
    assert contents(folder) == before


@pytest.mark.parametrize("command, why", [
    ("mdplot A.h5 series --output A.h5", "not a picture"),
    ("mdplot picture.png series --output linked.png", "would destroy what is read"),
    ("mdreport A.h5 -o B.h5", "B.h5 holds results"),
    ("mdmerge A.h5 B.h5 --json c.h5 --h5 ./c.h5", "both"),
    ("mdmerge A.h5 --h5 B.h5", "B.h5 holds results"),
    ("mdreweight A.h5 --json B.h5", "B.h5 holds results"),
    ("mdreweight A.h5 --mbar no/u.npz", "there is no folder no"),
    ("mdreweight A.h5 --mbar u.npz --mbar ./u.npz", "written twice"),
    ("mdmerge A.h5 B.h5 -o c.txt", "end it with .json or .h5"),
    ("mdmerge A.h5 B.h5 --json c.json -o d.json", "is written to c.json"),
    ("mdreweight A.h5 -o u.h5", "end it with .json or .npz or .parquet"),
    ("mdreweight A.h5 --mbar u.npz -o ./u.npz", "written twice"),
    ("mdreport A.h5 -o no/where.html", "there is no folder no"),
    ("mdmerge A.h5 B.h5 --json s.json/m.json", "s.json is no folder"),
    ("mdexport A.h5 --to xyz -o no/x", "there is no folder no"),
    ("mdexport A.h5 --to physical-validation -o no/x", "there is no folder no"),
    ("mdexport A.h5 --to xyz -o . --overwrite", "is a folder")])
def test_nothing_is_written_where_it_must_not(command, why, folder, capsys):
    os.rename("hard.h5", "picture.png")
    os.symlink("picture.png", "linked.png")
    before = contents(folder)
    tool, *arguments = command.split()
    assert TOOLS[tool].main(arguments) == 2
    said = capsys.readouterr()
    assert MESSAGE.fullmatch(said.err) and why in said.err, said.err
    assert contents(folder) == before


@pytest.mark.parametrize("command", [["mdreport", "run.checkpoint.h5"], ["mdexport", "run.checkpoint.h5", "--to", "xyz"]],
                         ids=["mdreport", "mdexport"])
def test_a_checkpoint_is_told_from_results(command, folder, capsys):
    with h5py.File(folder / "run.checkpoint.h5", "w") as file:
        file["particles"] = 3  # how many there are
        file.create_group("state")
    assert TOOLS[command[0]].main(command[1:]) == 2
    assert "it is a checkpoint" in capsys.readouterr().err


def test_merged_files_may_be_merged_anew(folder, capsys):
    for _ in range(2):
        assert TOOLS["mdmerge"].main(["A.h5", "B.h5", "--h5", "m.h5"]) == 0


@pytest.mark.parametrize("command, start", [
    ("mdreport A.h5 -o pipe", b"<!"), ("mdexport A.h5 --to xyz -o pipe", b"20\nLattice"),
    ("mdplot A.h5 series --output pipe", b"\x89PNG"),
    ("mdmerge A.h5 B.h5 --json pipe", b"{")])
def test_a_pipe_gets_what_is_written_and_stays(command, start, folder, capsys):
    os.mkfifo("pipe")
    got = []
    reader = threading.Thread(target=lambda: got.append(open("pipe", "rb").read()), daemon=True)
    reader.start()
    tool, *arguments = command.split()
    assert TOOLS[tool].main(arguments) == 0
    reader.join(timeout=60)
    assert got[0].startswith(start) and (folder / "pipe").is_fifo()
    assert not list(folder.glob("pipe?*"))


@pytest.mark.parametrize("command", [
    "mdmerge A.h5 B.h5 --h5 pipe", "mdexport A.h5 --to gsd -o pipe --overwrite",
    "mdexport A.h5 --to h5md -o pipe --overwrite"])
def test_a_pipe_that_cannot_be_written_is_refused(command, folder, capsys):
    os.mkfifo("pipe")
    tool, *arguments = command.split()
    assert TOOLS[tool].main(arguments) == 2
    assert "not a file on disk" in capsys.readouterr().err and (folder / "pipe").is_fifo()


@pytest.mark.parametrize("command", [
    ["mdmerge", "A.h5", "B.h5"], ["mdplot", "A.h5"], ["mdtop", "A.h5", "--once"]])
def test_a_reader_that_has_seen_enough_is_no_error(command, folder):
    program = os.path.join(os.path.dirname(load.__globals__["__file__"]), "../../tools", command[0])
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([sys.executable, program, *command[1:]], stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_standard_output_is_no_place_for_a_file(folder, capsys):
    assert TOOLS["mdreport"].main(["A.h5", "--output", "-"]) == 2
    assert MESSAGE.fullmatch(capsys.readouterr().err)
    assert not (folder / "-").exists()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize("command", [
    "mdreport A.h5 -o /dev/full", "mdexport A.h5 --to xyz -o /dev/full",
    "mdplot A.h5 series --output /dev/full", "mdmerge A.h5 B.h5 --json /dev/full"])
def test_a_full_disk_is_not_the_fault_of_what_is_read(command, folder, capsys):
    tool, *arguments = command.split()
    assert TOOLS[tool].main(arguments) == 2
    said = capsys.readouterr().err
    assert MESSAGE.fullmatch(said) and "cannot be written" in said and "No space" in said, said


def test_a_picture_has_the_name_that_is_said(folder, capsys):
    for name, made in (("noext", "noext.png"), ("dot.", "dot.png"), ("p.pdf", "p.pdf")):
        assert TOOLS["mdplot"].main(["A.h5", "series", "--output", name]) == 0
        assert capsys.readouterr().out == f"{made}\n" and (folder / made).stat().st_size > 0


@pytest.mark.parametrize("option", ["-o", "--output"])
@pytest.mark.parametrize("command", ["mdplot A.h5 series", "mdreport A.h5", "mdexport A.h5 --to xyz"])
def test_one_letter_says_where_to_write(command, option, folder, capsys):
    tool, *arguments = command.split()
    assert TOOLS[tool].main([*arguments, option, "there.png"]) == 0
    assert (folder / "there.png").stat().st_size > 0


def test_endings_say_what_is_written(folder, capsys):
    for out, long in (("m.json", "--json=n.json"), ("m.h5", "--h5=n.h5")):
        assert TOOLS["mdmerge"].main(["A.h5", "B.h5", "-o", out]) == 0
        assert TOOLS["mdmerge"].main(["A.h5", "B.h5", long]) == 0
    assert (folder / "m.json").read_bytes() == (folder / "n.json").read_bytes()
    with h5py.File(folder / "m.h5") as one, h5py.File(folder / "n.h5") as other:
        assert list(one["averages"]) == list(other["averages"]) == ["pressure"]


def test_a_folder_that_is_read_only_is_named(folder, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(ResultsError, match="read-only"):
        refuse_output("new.html", ["A.h5"], "--output")


def test_who_is_told_to_end_leaves_nothing_half_written(tmp_path):
    def main():
        with whole(tmp_path / "out.xyz") as name:
            with open(name, "w") as file:
                file.write("half")
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(10.0)

    before = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(SystemExit) as end:
            status_of(main)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert end.value.code == 143 and not list(tmp_path.iterdir())


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("command", ["mdmerge A.h5 B.h5", "mdcompare A.h5 A.h5",
                                     "mdtop --once A.h5", "mdplot A.h5", "mdexport A.h5 --to xyz -o out.xyz", "mdreport A.h5"])
@pytest.mark.parametrize("buffered", [True, False])
def test_a_failure_of_standard_output_is_no_fault_of_a_file(command, buffered, folder):
    tool, *arguments = command.split()
    environment = {**os.environ, **({} if buffered else {"PYTHONUNBUFFERED": "1"})}
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([sys.executable, source / "tools" / tool, *arguments], stdout=full, stderr=subprocess.PIPE,
                              text=True, env=environment, check=False)
    assert done.returncode == 4, done.stderr
    assert done.stderr == (f"{tool}: standard output cannot be written (No space left on device); redirect it to "
                           "another place\n")
