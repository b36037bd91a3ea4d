# SPDX-License-Identifier: BSD-3-Clause
"""The report page that mdrun makes at the end of a run, and what it says when it cannot."""

import os
import pathlib
import shutil

import pytest
from harness import MDRUN, contents, edited, mdrun

SOURCE = pathlib.Path(os.environ.get("SHADOW_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
REPORT = edited(("checkpoint = { every = 10 }", "checkpoint = { every = 10 }\nreport = true"))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in.toml").write_text(REPORT)
    return tmp_path


def copy_of_mdrun(folder):
    """Without its tools; stands for an installation, whose parts are put beside it."""
    folder.mkdir(parents=True)
    return shutil.copy(MDRUN, folder / "mdrun")


def warning(result):
    lines = [line for line in result.err.splitlines() if line.startswith("mdrun: warning: ")]
    assert len(lines) == 1, result.err
    return lines[0]


def test_a_run_ends_with_its_page(folder):
    result = mdrun("in.toml", cwd=folder)
    assert result.status == 0, result.err
    assert "the report is out.html" in result.err
    page = (folder / "out.html").read_text()
    assert "a small liquid" in page and "conserved" in page
    assert "Performance" in page  # which only the summary knows


def test_quiet_runs_make_it_too(folder):
    result = mdrun("in.toml", "--quiet", cwd=folder)
    assert (result.status, result.out, result.err) == (0, "", "")
    assert (folder / "out.html").exists()


def test_without_a_wish_there_is_none(folder):
    assert mdrun("in.toml", "--quiet", "--set", "output.report=false", cwd=folder).status == 0
    assert not (folder / "out.html").exists()


def test_a_page_is_not_destroyed_unasked(folder):
    (folder / "out.html").write_text("precious")
    before = contents(folder)
    result = mdrun("in.toml", cwd=folder)
    assert result.status == 2
    assert "out.html" in result.message() and "overwrite" in result.message()
    assert contents(folder) == before
    assert mdrun("in.toml", "--quiet", "--set", "output.overwrite=true", cwd=folder).status == 0
    assert "precious" not in (folder / "out.html").read_text()


def test_a_resumed_run_renews_it(folder):
    assert mdrun("in.toml", "--quiet", cwd=folder).status == 0
    before = (folder / "out.html").read_text()
    result = mdrun("in.toml", "--quiet", "--resume", "--set", "run.steps=40", cwd=folder)
    assert result.status == 0, result.err
    assert (folder / "out.html").read_text() != before


def test_an_installed_tree(folder):
    bin, share = folder / "prefix/bin", folder / "prefix/share/shadow"
    program = copy_of_mdrun(bin)
    shutil.copy(SOURCE / "tools/mdreport", bin)
    shutil.copytree(SOURCE / "tools/shadow_results", share / "shadow_results")
    result = mdrun("in.toml", "--quiet", cwd=folder, program=program, env={"PATH": ""})
    assert (result.status, result.err) == (0, "")
    assert "a small liquid" in (folder / "out.html").read_text()


def test_without_its_tools_the_results_stay(folder):
    result = mdrun("in.toml", cwd=folder, program=copy_of_mdrun(folder / "bin"),
                   env={"PATH": str(folder)})
    assert result.status == 0
    said = warning(result)
    assert "mdreport cannot be started" in said and "mdrun report out.h5" in said
    assert (folder / "out.h5").exists() and not (folder / "out.html").exists()
    assert "Performance" in result.out


def test_a_missing_python_package_is_named(folder):
    (folder / "h5py.py").write_text("raise ModuleNotFoundError('none', name='h5py')\n")
    result = mdrun("in.toml", cwd=folder, env={"PYTHONPATH": str(folder)})
    assert result.status == 0
    said = warning(result)
    assert "h5py is missing" in said and "apt install" in said and "mdrun report out.h5" in said
    assert (folder / "out.h5").exists()


@pytest.mark.parametrize("script, says", [
    ("echo above; echo 'mdreport: out.h5 (it burns); put it out' >&2; exit 2", "it burns"),
    ("exit 3", "exit status 3"), ("kill -9 $$", "signal 9")])
def test_a_tool_that_fails(folder, script, says):
    program = copy_of_mdrun(folder / "bin")
    tool = folder / "bin/mdreport"
    tool.write_text("#!/bin/sh\n" + script + "\n")
    tool.chmod(0o755)
    result = mdrun("in.toml", cwd=folder, program=program)
    assert result.status == 0
    assert says in warning(result) and "above" not in warning(result)


def test_mdrun_report_makes_the_page_of_any_results(folder):
    assert mdrun("in.toml", "--quiet", "--set", "output.report=false", cwd=folder).status == 0
    result = mdrun("report", "out.h5", "-o", "page.html", cwd=folder)
    assert (result.status, result.out) == (0, "page.html\n")
    assert "a small liquid" in (folder / "page.html").read_text()
    result = mdrun("report", "none.h5", cwd=folder)
    assert result.status == 2 and "none.h5" in result.err
    result = mdrun("report", "out.h5", cwd=folder, program=copy_of_mdrun(folder / "bin"),
                   env={"PATH": str(folder)})
    assert result.status == 4
    assert "mdreport cannot be started" in result.message()


def test_the_summary_may_come_through_standard_input(folder):
    assert mdrun("in.toml", "--quiet", "--summary", "s.json", cwd=folder).status == 0
    (folder / "out.html").unlink()
    with open(folder / "s.json", "rb") as summary:
        assert mdrun("report", "out.h5", "--summary", "-", cwd=folder, stdin=summary).status == 0
    assert "Performance" in (folder / "out.html").read_text()
