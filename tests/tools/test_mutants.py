# SPDX-License-Identifier: BSD-3-Clause
"""The table of planted faults fits the sources, and planting does what it says."""

import importlib.util
import os
import pathlib

ROOT = pathlib.Path(os.environ["SHADOW_SOURCE_DIR"])
spec = importlib.util.spec_from_file_location("mutants", ROOT / "tests/mutants/run.py")
mutants = importlib.util.module_from_spec(spec)
spec.loader.exec_module(mutants)


def row(old, new, name="a", number=7):
    return {"name": name, "file": "a.hpp", "old": old, "new": new, "number": number}


def test_every_row_stands_once_in_its_file():
    assert mutants.misfits(mutants.rows(), ROOT) == []


def test_a_row_that_does_not_fit_is_told(tmp_path):
    (tmp_path / "a.hpp").write_text("x = 1; y = 1;\n")
    told = mutants.misfits([row("1", "2"), row("z", "w"), row("x", "x", "b")], tmp_path)
    assert told == ["a: twice", "a: its text is 2 times in a.hpp", "a: its text is 0 times in a.hpp",
                    "b: changes nothing"]


def test_rows_that_share_their_text_are_told(tmp_path):
    (tmp_path / "a.hpp").write_text("return 1 + x * y;\n")
    told = mutants.misfits([row("x * y", "x"), row("return 1 + x * y;", "return 0;", "b", 8)], tmp_path)
    assert told == ["b: another row changes its text"]


def test_expressions_and_statements_are_planted_beside_the_old_ones(tmp_path):
    (tmp_path / "a.hpp").write_text("// licence\n#pragma once\nint f() { g(); return 1 + 2; }\n")
    assert mutants.source_text(tmp_path / "a.hpp", [row("1 + 2", "1 - 2", number=1), row("g();", ";", number=2)]) == (
        '// licence\n#pragma once\n#include "tests/mutants/mutant.hpp"\n'
        "int f() { if (shadow_mutant == 2) { ; } else { g(); } "
        "return (shadow_mutant == 1 ? (1 - 2) : (1 + 2)); }\n")


def test_a_row_by_itself_takes_the_place_of_the_old_text(tmp_path):
    (tmp_path / "a.hpp").write_text("// licence\n#pragma once\nconstexpr int a = 2;\n")
    assert mutants.source_text(tmp_path / "a.hpp", [{**row("a = 2", "a = 3"), "alone": True}]) == \
        "// licence\n#pragma once\nconstexpr int a = 3;\n"
