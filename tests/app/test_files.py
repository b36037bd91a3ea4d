# SPDX-License-Identifier: BSD-3-Clause
"""No file of a run takes the place of another; what is no regular file is written into."""

import json
import os
import stat
import subprocess
import threading

import pytest
from harness import BASE, MDRUN, contents, edited, mdrun

START = ('lattice = { type = "fcc", repeat = [5, 5, 5] }', 'file = "start.xyz"')
XYZ = '2\nLattice="9 0 0 0 9 0 0 0 9" pbc="T T T"\nA 0 0 0\nA 1.5 0 0\n'
FROM_FILE = edited(("box = { density = 0.8 }\n", ""), START, base=BASE)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in.toml").write_text(FROM_FILE)
    (tmp_path / "start.xyz").write_text(XYZ)
    (tmp_path / "sub").mkdir()
    (tmp_path / "link.json").symlink_to("in.toml")
    (tmp_path / "hard.json").hardlink_to(tmp_path / "start.xyz")
    (tmp_path / "here").symlink_to(".")
    return tmp_path


@pytest.mark.parametrize("name, what", [
    ("out.h5", "the results"), ("out.checkpoint.h5", "the checkpoint"), ("out.log", "the log"),
    ("out.html", "the report"), ("out.h5.part", "a working file"), ("in.toml", "the input"),
    ("start.xyz", "the start"), ("sub/../in.toml", "the input"), ("link.json", "the input"),
    ("hard.json", "the start"), ("here/out.h5", "the results"), ("sub", "a folder"),
])
@pytest.mark.parametrize("more", [[], ["--check"], ["--continue"]], ids=["run", "check", "continue"])
def test_a_summary_does_not_take_the_place_of_a_file_of_the_run(folder, name, what, more):
    if name == "sub" and more == ["--check"]:
        return  # it has no summary
    before = contents(folder)
    result = mdrun("in.toml", "--set", "output.report=true", "--summary", name, *more, cwd=folder)
    assert result.status == 2
    assert what in result.message() and "--summary" in result.message()
    assert contents(folder) == before


def test_a_summary_that_is_written_first_beside_its_place(folder):
    (folder / "in.toml").rename(folder / "s.json.tmp")
    before = contents(folder)
    result = mdrun("s.json.tmp", "--summary", "s.json", cwd=folder)
    assert result.status == 2
    assert "s.json.tmp (the input" in result.message()
    assert contents(folder) == before


def test_a_summary_of_its_own_is_written(folder):
    (folder / "old.json").write_text("old")
    result = mdrun("in.toml", "--quiet", "--summary", "old.json", cwd=folder)
    assert (result.status, result.err) == (0, "")
    assert json.loads((folder / "old.json").read_text())["system"]["particles"] == 2


def test_a_summary_goes_into_a_pipe(folder):
    os.mkfifo(folder / "pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append((folder / "pipe").read_text()), daemon=True)
    reader.start()
    result = mdrun("in.toml", "--quiet", "--summary", "pipe", cwd=folder)
    reader.join(timeout=10)
    assert (result.status, result.err) == (0, "")
    assert stat.S_ISFIFO(os.lstat(folder / "pipe").st_mode)
    assert json.loads(read[0])["system"]["particles"] == 2


def test_a_summary_to_what_is_standard_output(folder):
    (folder / "stream").symlink_to("/proc/self/fd/1")
    result = mdrun("in.toml", "--summary", "stream", cwd=folder)
    assert result.status == 0, result.err
    assert json.loads(result.out)["system"]["particles"] == 2
    assert (folder / "stream").is_symlink()


def test_a_summary_to_what_is_standard_error(folder):
    (folder / "stream").symlink_to("/proc/self/fd/2")
    with open(folder / "err", "wb") as err:
        done = subprocess.run([MDRUN, "in.toml", "--progress=plain", "--summary", "stream"],
                              cwd=folder, stdout=subprocess.DEVNULL, stderr=err)
    assert done.returncode == 0
    said = (folder / "err").read_text()
    assert said.startswith("start: ")
    assert json.loads(said[said.index("{"):said.rindex("}") + 1])["system"]["particles"] == 2
    assert (folder / "stream").is_symlink()


@pytest.mark.parametrize("start", ["out.h5", "out.checkpoint.h5", "link.h5"])
def test_results_do_not_take_the_place_of_the_start(tmp_path, start):
    (tmp_path / "in.toml").write_text(BASE)
    assert mdrun("in.toml", "--quiet", cwd=tmp_path).status == 0
    (tmp_path / "link.h5").symlink_to("out.h5")
    text = edited(("box = { density = 0.8 }\n", ""), (START[0], f'file = "{start}"'),
                  ('prefix = "out"', 'prefix = "out"\noverwrite = true'),
                  ("velocity = { temperature = 1.0 }\n", ""))
    (tmp_path / "again.toml").write_text(text)
    before = contents(tmp_path)
    result = mdrun("again.toml", cwd=tmp_path)
    assert result.status == 2
    assert "the start" in result.message() and "output.prefix" in result.message()
    line = text.count("\n", 0, text.index("file = ")) + 1
    assert result.error()["where"].startswith(f"again.toml:{line}:")
    assert contents(tmp_path) == before
    other = mdrun("again.toml", "--quiet", "--set", "output.prefix=next", cwd=tmp_path)
    assert (other.status, other.err) == (0, "")


@pytest.mark.parametrize("name", ["out.log", "out.html"])
def test_results_do_not_take_the_place_of_the_input(tmp_path, name):
    (tmp_path / name).write_text(BASE)
    result = mdrun(name, "--set", "output.report=true", "--set", "output.overwrite=true", cwd=tmp_path)
    assert result.status == 2
    assert "is the input" in result.message()
    assert contents(tmp_path) == {name: BASE.encode()}
