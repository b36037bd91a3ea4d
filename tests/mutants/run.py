#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plants the faults of mutants.toml, one at a time, and prints which test finds each.

    tests/mutants/run.py --work DIR               build in DIR (once), then run all mutants
    tests/mutants/run.py --work DIR NAME...       build and run some of them
    tests/mutants/run.py --check                  does every row still fit the sources?

All faults are compiled into one copy of the sources, each behind a comparison with the environment
variable SHADOW_MUTANT, so that one build serves all of them; those in code of the emulated GPU into
a second one. A row has

    name      of the fault
    file      where it is
    old, new  text that stands there once, and what takes its place: an expression, or statements,
              which end in ; or }
    near      tests that are run first: a pattern of names of unit, statistics, models or physics tests, or a
              file in tests/app
    device    "cuda": only the emulated GPU runs this code
    alone     true: a constant, a declaration or an operator, which cannot be chosen while a program
              runs; planted by itself in a build of its own
    survives  why no test can find it

Tests are run nearest first, then unit, statistics, models, physics and app, until one fails. DIR/results.json has what
was found so far; rows that are in it are not run again unless they are named. Hours on two cores."""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = pathlib.Path(__file__).with_name("mutants.toml")
#: Seconds for the tests of one kind; what takes longer hangs, which is found too.
LIMIT = 1500
STATEMENT = re.compile(r"(if|else|for|while|return|switch|case)\b")
SUITES = ["unit", "statistics", "models", "physics"]
PRESETS = {"cpu": "release", "cuda": "emulated"}


def rows():
    table = tomllib.loads(TABLE.read_text())["mutant"]
    for number, row in enumerate(table, start=1):
        row["number"] = number
    return table


def planted(row):
    """The text which is the one or the other, as SHADOW_MUTANT says."""
    chosen, old, new = f"shadow_mutant == {row['number']}", row["old"].strip(), row["new"].strip()
    if old.endswith((";", "}")):
        return f"if ({chosen}) {{ {new} }} else {{ {old} }}"
    return f"({chosen} ? ({new}) : ({old}))"


def misfits(table, root):
    """What is wrong with the rows, as lines of text."""
    wrong = [f"{row['name']}: twice" for k, row in enumerate(table)
             if row["name"] in [other["name"] for other in table[:k]]]
    for row in table:
        path = root / row["file"]
        count = path.read_text().count(row["old"].strip()) if path.exists() else 0
        if count != 1:
            wrong.append(f"{row['name']}: its text is {count} times in {row['file']}")
        near = row.get("near", "")
        if near.endswith(".py") and not (root / "tests/app" / near).exists():
            wrong.append(f"{row['name']}: there is no tests/app/{near}")
        if not row.get("alone") and STATEMENT.match(row["old"].strip()) and not row["old"].strip().endswith((";", "}")):
            wrong.append(f"{row['name']}: neither an expression nor whole statements")
        if any(text.count(a) != text.count(b) for text in (row["old"], row["new"]) for a, b in ("()", "[]", "{}")):
            wrong.append(f"{row['name']}: half of a bracket")
        if row["old"].strip() == row["new"].strip():
            wrong.append(f"{row['name']}: changes nothing")
    return wrong or overlaps(table, root)


def overlaps(table, root):
    """Rows whose text is no longer there when those before them are planted."""
    texts, wrong = {}, []
    for row in table:
        text = texts.setdefault(row["file"], (root / row["file"]).read_text())
        if row["old"].strip() not in text:
            wrong.append(f"{row['name']}: another row changes its text")
        if not row.get("alone"):
            texts[row["file"]] = text.replace(row["old"].strip(), planted(row))
    return wrong


def source_text(name, table):
    """Of a file, with the rows of the table that are in it."""
    text = (ROOT / name).read_text()
    for row in table:
        text = text.replace(row["old"].strip(), row["new"].strip() if row.get("alone") else planted(row))
    if all(row.get("alone") for row in table):
        return text
    first, rest = text.split("\n", 1)
    if "#pragma once" in rest:
        rest = rest.replace("#pragma once", '#pragma once\n#include "tests/mutants/mutant.hpp"', 1)
    else:
        rest = '#include "tests/mutants/mutant.hpp"\n' + rest
    return f"{first}\n{rest}"


def plant(table, source):
    """Copies the project to `source`, with all rows of the table; files that are there already stay."""
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    for name in (os.fsdecode(f) for f in files.split(b"\0") if f):
        here = [row for row in table if row["file"] == name]
        content = source_text(name, here).encode() if here else (ROOT / name).read_bytes()
        to = source / name
        if not to.exists() or to.read_bytes() != content:
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(content)
            shutil.copymode(ROOT / name, to)


def build(table, work):
    """Plants rows, those in code of the emulated GPU for that, and builds what tests need."""
    plant(table, work / "source")
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    for device in sorted({row.get("device", "cpu") for row in table}):
        folder = folder_of(work, device)
        # One instruction set stands for all: their sources are the same.
        subprocess.run(["cmake", "--preset", PRESETS[device], "-DSHADOW_INSTRUCTION_SETS=avx2",
                        *launcher, "-B", folder], cwd=work / "source", check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", folder, "--target", "mdrun",
                        *(f"test_{suite}" for suite in SUITES)], check=True, stdout=subprocess.DEVNULL)


def folder_of(work, device):
    return work / f"build-{device}"


def tests(row, folder, source):
    """Commands, nearest first, with names; of the copy, so that the tests may change meanwhile."""
    programs = {suite: folder / f"tests/test_{suite}" for suite in SUITES}
    pytest = ["/usr/bin/python3", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    app = source / "tests/app"
    near = row.get("near", "")
    if near.endswith(".py"):
        yield near, [*pytest, str(app / near)]
    elif near:
        for suite, program in programs.items():
            yield f"{suite}: {near}", [program, near, "--abort"]
    for suite, program in programs.items():
        if suite == "unit" or row.get("device") != "cuda":
            yield suite, [program, "--abort"]
    if row.get("device") == "cuda":
        return
    for file in sorted(app.glob("test_*.py")):
        yield file.name, [*pytest, str(file)]


def finder(row, work):
    """The first test that fails, or "" if all pass."""
    folder = folder_of(work, row.get("device", "cpu"))
    environment = dict(os.environ, SHADOW_MUTANT=str(row["number"]), SHADOW_SOURCE_DIR=str(work / "source"),
                       SHADOW_MDRUN=str(folder / "mdrun"), PYTHONDONTWRITEBYTECODE="1",
                       SHADOW_DEVICE=row.get("device", "cpu"), OMP_NUM_THREADS="2")
    for name, command in tests(row, folder, work / "source"):
        try:
            done = subprocess.run(command, env=environment, cwd=work, timeout=LIMIT,
                                  capture_output=True, text=True, errors="replace")
        except subprocess.TimeoutExpired:
            return f"{name} (hangs)"
        # 5 of pytest: nothing to run; Catch2 says so by its message.
        if done.returncode not in (0, 5) and "No test cases matched" not in done.stdout + done.stderr:
            return name
    return ""


def run(table, work, jobs):
    path = work / "results.json"
    found = json.loads(path.read_text()) if path.exists() else {}

    def one(row):
        if row.get("alone"):
            build([row], work)
        found[row["name"]] = finder(row, work)
        path.write_text(json.dumps(found, indent=1))
        print(f"{row['name']:45} {found[row['name']] or 'LIVES'}", flush=True)

    together = [row for row in table if not row.get("alone")]
    if together:
        build(together, work)
        if "none" not in found:
            one({"name": "none", "number": 0})
        if found["none"]:
            sys.exit(f"without any fault {found['none']} fails; mend that first")
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(one, together))
    for row in table:
        if row.get("alone"):
            one(row)
    return found


def report(table, found):
    alive = [row for row in table if not found.get(row["name"])]
    print(f"{len(table) - len(alive)} of {len(table)} found")
    for row in alive:
        print(f"  lives: {row['name']}: {row.get('survives', 'NOT EXPLAINED')}")
    return all("survives" in row for row in alive) and len(alive) <= 0.05 * len(table)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("build-mutants"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    table = rows()
    wrong = misfits(table, ROOT)
    if wrong:
        sys.exit("\n".join(wrong))
    if options.check:
        print(f"{len(table)} rows fit")
        return
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    chosen = [row for row in table if not options.names or row["name"] in options.names]
    if options.names and (work / "results.json").exists():
        known = json.loads((work / "results.json").read_text())
        kept = {name: by for name, by in known.items() if name not in options.names}
        (work / "results.json").write_text(json.dumps(kept))
    elif (work / "results.json").exists():
        known = json.loads((work / "results.json").read_text())
        chosen = [row for row in chosen if row["name"] not in known]
    found = run(chosen, work, options.jobs)
    if not report([row for row in table if row["name"] in found], found):
        sys.exit(1)


if __name__ == "__main__":
    main()
