# SPDX-License-Identifier: BSD-3-Clause
"""What is wrong with an input is found before anything is written: exit status 2, one message that
keeps the grammar, at the place of the fault, and a folder left as it was."""

import os

import pytest
from bad_inputs import (CONFLICTS, FILES, MISSING, MISSPELT, NAMES, ONE, OPEN, OVERRIDES, SYNTAX, TYPES,
                        VALUES, XYZ, from_file)
from bad_stages import (ANALYSES, BATHS, LEVELS, OBSERVABLES, OPEN_LIQUID, PLANE_LIQUID, RAMPS, STAGED, STAGES, UNTIL,
                        WALL_TIME)
from harness import BASE, contents, edited, mdrun, place

ALL = [
    pytest.param(case, id=f"{group}: {case.name}")
    for group, cases in {
        "syntax": SYNTAX,
        "misspelt": MISSPELT,
        "type": TYPES,
        "value": VALUES,
        "name": NAMES,
        "missing": MISSING,
        "conflict": CONFLICTS,
        "until": UNTIL, "levels": LEVELS,
        "wall time": WALL_TIME,
        "ramp": RAMPS,
        "baths": BATHS,
        "observable": OBSERVABLES,
        "analysis": ANALYSES,
        "stage": STAGED,
        "set": OVERRIDES,
        "file": FILES,
    }.items()
    for case in cases
]


def require_place(case, where):
    """The message must point at the line, or line and column, that the case names."""
    if not (case.at or case.line):
        return
    assert where, "no place is named"
    name, line, column = where.rsplit(":", 2)
    assert name == "in.toml"
    if case.at:
        assert (int(line), int(column)) == place(case.text, case.at)
    else:
        assert int(line) == case.line


MEMORY = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(MEMORY > 170 * 2**30, reason="so many particles might start here")
@pytest.mark.parametrize("lattice", ['type = "random", count = 2_147_483_647, min_distance = 0.1',
                                     'type = "sc", repeat = [1290, 1290, 1290]'])
def test_more_particles_than_memory_holds(lattice, tmp_path):
    """They are refused before memory is asked for."""
    (tmp_path / "in.toml").write_text(edited(('type = "fcc", repeat = [5, 5, 5]', lattice)))
    found = mdrun("in.toml", cwd=tmp_path).error()
    assert "GiB of memory" in found["why"] and found["where"].startswith("in.toml:8:")


@pytest.mark.parametrize("case", ALL)
def test_refused(case, tmp_path):
    data = case.text if isinstance(case.text, bytes) else case.text.encode()
    (tmp_path / "in.toml").write_bytes(data)
    for name, content in case.files.items():
        (tmp_path / name).write_bytes(content)
    before = contents(tmp_path)
    sets = [word for item in case.set for word in ("--set", item)]
    result = mdrun("in.toml", *sets, cwd=tmp_path)
    print(result.err)
    error = result.errors()[0]
    assert len(result.errors()) == case.errors, result.err
    assert result.status == 2
    assert result.out == ""
    for part in case.says:
        assert part in error.group(0)
    require_place(case, error.group("where"))
    assert contents(tmp_path) == before, "something was written"
    # --check refuses the same in the same words.
    check = mdrun("in.toml", "--check", *sets, cwd=tmp_path)
    assert check.status == 2
    assert [e.group(0) for e in check.errors()] == [e.group(0) for e in result.errors()]


def test_the_base_of_all_cases_runs(tmp_path):
    (tmp_path / "in.toml").write_text(BASE)
    result = mdrun("in.toml", "--quiet", cwd=tmp_path)
    assert (result.status, result.err) == (0, "")
    (tmp_path / "stages.toml").write_text(STAGES)
    result = mdrun("stages.toml", "--set", "output.prefix=two", cwd=tmp_path)
    assert result.status == 0, result.err
    for name, text in (("open", OPEN_LIQUID), ("plane", PLANE_LIQUID)):
        (tmp_path / "other.toml").write_text(text)
        result = mdrun("other.toml", "--set", f"output.prefix={name}", cwd=tmp_path)
        assert result.status == 0, result.err
    one = edited(ONE, OPEN, ("[1, 1, 1] }", "[1, 1, 1], constant = 1.0 }"),
                 ("temperature = 1.0", "temperature = 0"))
    (tmp_path / "one.toml").write_text(one)
    result = mdrun("one.toml", "--set", "output.prefix=one", cwd=tmp_path)
    assert result.status == 0, result.err
    text, files = from_file(XYZ)
    (tmp_path / "file.toml").write_text(text)
    (tmp_path / "start.xyz").write_bytes(files["start.xyz"])
    result = mdrun("file.toml", "--set", "output.prefix=three", cwd=tmp_path)
    assert result.status == 0, result.err
