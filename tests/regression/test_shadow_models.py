# SPDX-License-Identifier: BSD-3-Clause
"""Published experiments on model systems (shadow-models) give the numbers that are known of them."""
import csv
import os
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(os.environ.get("SHADOW_SOURCE_DIR", pathlib.Path(__file__).parents[2])) / "tools"))
from shadow_results import model_experiments  # noqa: E402

PROGRAM = os.environ.get("SHADOW_MODELS", "")
pytestmark = pytest.mark.skipif(not os.path.exists(PROGRAM), reason="shadow-models is not built")


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


@pytest.fixture(scope="module")
def names():
    done = run()
    assert done.returncode == 0
    return [line.split()[0] for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "new" / "folder"
    return run("--all", "--output", folder), folder


def test_all_numbers_are_as_known(everything, names):
    done, _ = everything
    assert done.returncode == 0, done.stdout
    assert "DIFFERS" not in done.stdout
    for name in names:
        assert f"\n{name}: " in "\n" + done.stdout


def test_findings_and_curves_are_written(everything, names):
    _, folder = everything
    numbers = 0
    for name in names:
        with open(folder / f"{name}_findings.csv") as file:
            rows = list(csv.DictReader(file))
        assert rows
        for row in rows:
            assert abs(float(row["found"]) - float(row["known"])) <= float(row["within"])
        numbers += len(rows)
    assert numbers > 500
    for path in folder.iterdir():
        if path.stem.endswith("_findings"):
            continue
        with open(path) as file:
            head, *rows = csv.reader(file)
        assert len(rows) > 100
        for row in rows:
            assert len([float(value) for value in row]) == len(head)


def test_every_figure_can_be_drawn(everything, names):
    assert set(model_experiments.FIGURES) <= set(names)
    for figure in sum(model_experiments.FIGURES.values(), []):
        lines = model_experiments.draw(figure, everything[1]).render().count('<path class="line')
        assert lines == (len(figure.lines) or 2)


def test_some_by_name_and_the_same_bits_each_time():
    first, second = run("stiff-ring", "two_fast_modes"), run("stiff_ring", "two_fast_modes")
    assert first.returncode == 0
    assert first.stdout == second.stdout
    assert first.stdout.index("stiff_ring: ") < first.stdout.index("two_fast_modes: ")


@pytest.mark.parametrize("arguments, says", [
    (["stif_ring"], 'did you mean "stiff_ring"?'),
    (["zzz"], "without arguments lists all"),
    (["--all", "stiff_ring"], "--all with names"),
    (["--output", "folder"], "nothing to write"),
    (["--frobnicate"], "unknown option"),
    (["--al"], "did you mean --all?"),
    (["stiff_ring", "--output"], "--output"),
    (["stiff_ring", "-o", "/proc/none"], "another --output")])
def test_refused(arguments, says):
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("shadow-models: error: ")
    assert says in done.stderr
    assert "(" in done.stderr and "; " in done.stderr


def test_version_and_help():
    assert run("--version").stdout.startswith("shadow-models ")
    done = run("--help")
    assert done.returncode == 0
    for word in ("NAME", "--all", "--output"):
        assert word in done.stdout
