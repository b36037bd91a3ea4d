# SPDX-License-Identifier: BSD-3-Clause
"""mdreproduce: which experiments are run, what the page says of them. That their numbers are right is
for tests/regression."""
import pytest
from conftest import load
from shadow_results.reproduction import Experiment, Finding, Outcome

mdreproduce = load("mdreproduce")

#: Stands for shadow-models: two experiments, of the second a number differs.
FAKE = """#!/bin/sh
if [ $# = 0 ]; then
    echo "stiff_ring  a ring (a book)"
    echo "another     <another> (a book)"
    exit 0
fi
[ "$1" != broken ] || exit 3
mkdir -p "$3"
echo quantity,known,found,within > "$3/$1_findings.csv"
if [ "$1" = stiff_ring ]; then
    echo '"an angle, in radians",1.5,1.5001,1e-3' >> "$3/$1_findings.csv"
    { echo time,full,constrained,averaged; echo 0,1,1,1; echo 1,2,3,2; } > "$3/stiff_ring.csv"
else
    echo '"a < b",2,nan,0.5' >> "$3/$1_findings.csv"
    exit 1
fi
"""


@pytest.fixture
def fake(tmp_path):
    program = tmp_path / "models.sh"
    program.write_text(FAKE)
    program.chmod(0o755)
    return program


def reproduce(capsys, program, *arguments):
    """Status and what is said; mdrun is not needed, and is not there."""
    status = mdreproduce.main([*map(str, arguments), "--mdrun", "no-mdrun", "--shadow-models", str(program)])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_a_page_of_what_agrees(capsys, fake, tmp_path):
    page = tmp_path / "page.html"
    status, out, _ = reproduce(capsys, fake, "stiff-ring", "--output", page)
    assert status == 0
    assert "stiff_ring: 1 of 1 numbers agree" in out
    text = page.read_text()
    assert "1 of 1 numbers agree" in text
    assert "an angle, in radians" in text
    assert text.count("<svg class=") == 1 and "Exercise 10.6" in text
    assert "differs" not in text
    assert "another" not in text


def test_what_differs_is_told(capsys, fake, tmp_path):
    page = tmp_path / "page.html"
    status, out, _ = reproduce(capsys, fake, "another", "stiff_ring", "-o", page)
    assert status == 1
    assert out.index("stiff_ring") < out.index("another: 0 of 1")
    text = page.read_text()
    assert "1 of 2 numbers agree" in text
    assert text.count("differs by more than 0.5") == 1
    assert "a &lt; b" in text and "&lt;another&gt;" in text


def test_list(capsys, fake):
    status, out, _ = reproduce(capsys, fake, "--list")
    assert status == 0
    names = [line.split()[0] for line in out.splitlines()]
    assert names[-2:] == ["stiff_ring", "another"]
    assert "kepler" in names


@pytest.mark.parametrize("arguments, says", [
    (["nothing"], "no such experiment"),
    (["kepler"], "no-mdrun cannot be run"),
    (["stiff_ring", "--output", "none/page.html"], "there is no folder none")])
def test_refused(capsys, fake, tmp_path, monkeypatch, arguments, says):
    monkeypatch.chdir(tmp_path)
    status, out, err = reproduce(capsys, fake, *arguments)
    assert status == 2
    assert says in err
    assert err.startswith("mdreproduce: ") and "(" in err and "; " in err
    assert not list(tmp_path.glob("*.html"))


def test_a_program_that_fails(capsys, tmp_path, fake):
    fake.write_text(FAKE.replace('"another     <', '"broken     <'))
    status, _, err = reproduce(capsys, fake, "broken", "--output", tmp_path / "page.html")
    assert status == 2
    assert "models.sh ended with status 3" in err
    status, _, err = reproduce(capsys, tmp_path / "nowhere", "--list")
    assert status == 2
    assert "nowhere cannot be run" in err


def test_findings():
    assert Finding("x", 1.0, 1.05, 0.1).agrees()
    assert not Finding("x", 1.0, 1.2, 0.1).agrees()
    assert not Finding("x", 1.0, float("nan"), 0.1).agrees()
    outcome = Outcome()
    outcome.compare("x", 1, 2, 0)
    outcome.compare("y", 1, 1, 0)
    assert outcome.agreeing() == 1
    assert Experiment("x", "y", None).name == "x"
