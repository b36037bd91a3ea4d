# SPDX-License-Identifier: BSD-3-Clause
"""Formulas and rows that are refused, how accurate their tables are, and where these begin."""

import re

import h5py
import numpy as np
import pytest
from curve_inputs import lennard_jones, made, mie, table, write_rows
from harness import mdrun

LJ = "4*(r^-12 - r^-6)"
FORMULA_FORCE = '[[force]]\ntype = "formula"\nu = "U"\ncutoff = 2.5\n'


@pytest.mark.parametrize("u, says", [
    ("4*(sigam/r)^12", ["sigam", "give its number in parameters"]),
    ("4*(1/r^12", ["muParser"]),
    ("pow(r, 2)", ['unknown function "pow"', "correct the formula"]),
    ("1e400/r", ['"1e400" in the formula (neither a number nor a name)']),
    (";2/r", ["neither a number nor a name"]),
    ("1/(r - 1.4)", ["no table approximates", "pole", "r = 1.4"]),
    ("1/(r - 1.5)", ["no table approximates (u is not finite at r = 1.5)"]),
    ("r < 1 ? 1 : 0", ["no table approximates", "jump"]),
    ("sqrt(r - 3)", ["no number", "r = 2.5"]),
    ("2", ["without r"]),
    ("r = 1", ["right side"]),
])
def test_formulas_that_are_refused(tmp_path, u, says):
    folder = made(tmp_path, FORMULA_FORCE.replace("U", u), "run")
    message = mdrun("in.toml", "--check", cwd=folder.path).message()
    for part in says:
        assert part in message


ENDED_FORCES = ["", 'truncation = "shift"\n', 'truncation = "force-shift"\n', 'truncation = "smooth-c2"\ninner = 2.0\n',
                'split = { inner = 1.3, outer = 1.7 }\n', 'split = { inner = 0.5, outer = 0.9 }\n']


@pytest.mark.parametrize("end", ENDED_FORCES)
@pytest.mark.parametrize("u, says", [
    ("r < 1 ? 1e20 : 0", "near r = "),
    ("r < 1 ? 1e25 : 0", "from 0 to 1e+25 near r = 1:"),
    ("r < 1 ? 1e300 : 0", "near r = 1:"),
    ("r < 1 ? 1/0 : 0", "from 0 to inf near r = 1:"),
    ("max(0, 1.1 - r)*1e30", "near r = 1.1:"),
    ("r < 1e-3 ? 1/r : 0", "near r = 0.00"),
    ("r < 1 ? 1e25 : 2 - r", "near r = 1:"),
    (f"{LJ} + (r < 1 ? 1e25 : 0)", "near r = 1:"),
])
def test_a_core_is_never_left_out(tmp_path, u, says, end):
    folder = made(tmp_path, FORMULA_FORCE.replace("U", u) + end, "run")
    for precision in ("double", "mixed"):
        result = mdrun("in.toml", "--check", "--set", f'compute.precision="{precision}"', cwd=folder.path)
        assert result.status == 2
        assert "no table approximates" in result.message() and says in result.message()


@pytest.mark.parametrize("text, told", [
    (FORMULA_FORCE.replace("U", "0"), "in.toml:17:1: a formula that is zero everywhere"),
    (FORMULA_FORCE.replace("U", "0*r + 2"), ""),
    (FORMULA_FORCE.replace("U", "0*r + 2") + 'truncation = "shift"\n', "a formula that is zero everywhere"),
    ('[[force]]\ntype = "table"\nfile = "zero.dat"\ncutoff = 2.5\n', "in.toml:17:1: a table that is zero everywhere"),
    ('[[force]]\ntype = "yukawa"\na = 0.0\nkappa = 1.0\ncutoff = 2.5\n', "a potential that is zero everywhere"),
    (FORMULA_FORCE.replace("U", "0") + 'pairs = [{ species = ["A", "B"], u = "r^-12" }]\n', ""),
    (FORMULA_FORCE.replace("U", "r < 1.2 ? (1.2 - r)^4 : 0"), ""),
    (FORMULA_FORCE.replace("U", "r < 1.2 ? (1.2 - r)^4 : 0") + "split = { inner = 1.3, outer = 1.7 }\n", ""),
])
def test_what_is_zero_everywhere_is_told(tmp_path, text, told):
    folder = made(tmp_path, text, "run")
    r = np.arange(0.0, 2.6, 0.01)
    np.savetxt(folder.path / "zero.dat", np.transpose([r, 0 * r]))
    result = mdrun("in.toml", "--check", cwd=folder.path)
    assert result.status == 0, result.err
    assert ("zero everywhere" in result.err) == bool(told) and told in result.err


@pytest.mark.parametrize("text, says", [
    (FORMULA_FORCE.replace("U", "1/r^3").replace("2.5", "inf"), ["infinite"]),
    (FORMULA_FORCE.replace("U", "1/r^3") + "tail = true\n", ["tail", "infinite"]),
    (FORMULA_FORCE.replace("U", "1/r^3") + "parameters = { r = 1.0 }\n", ["meaning of its own"]),
    (FORMULA_FORCE.replace("U", "1/r^3") + "parameters = { _pi = 1.0 }\n", ["meaning of its own"]),
    (FORMULA_FORCE.replace("U", "1/r^3") + 'parameters = { "1e4" = 1.0 }\n', ['a parameter "1e4"', "choose another name"]),
    (FORMULA_FORCE.replace("U", "1/r^3") + "parameters = { sigma = 1.0 }\n", ["sigma", "does not have"]),
    (FORMULA_FORCE.replace("U", "1/r^3") + "accuracy = 0.5\n", ["accuracy"]),
    (FORMULA_FORCE.replace("U", "1/r^3") + "mixing = \"geometric\"\n", ["mixing"]),
    ('[[force]]\ntype = "table"\nfile = "none.dat"\ncutoff = 2.5\n', ["none.dat", "cannot be opened"]),
    ('[[force]]\ntype = "table"\nfile = "1.0.dat"\ncutoff = 2.7\n', ["rows up to r = 2.59"]),
    ('[[force]]\ntype = "table"\nfile = "1.0.dat"\ncutoff = 0.5\n', ["rows from r = 0.6 on only (the cutoff is 0.5"]),
    ('[[force]]\ntype = "table"\nfile = "1.0.dat"\ncutoff = 0.6\n', ["rows from r = 0.6 on only (the cutoff is 0.6"]),
    ('[[force]]\ntype = "table"\nfile = "1.0.dat"\ncutoff = 0.62\n', ["rows from r = 0.6 on only (the cutoff is 0.62"]),
    ('[[force]]\ntype = "table"\nfile = "1.0.dat"\ncutoff = 2.5\npairs = [{ species = ["A", "B"], cutoff = 0.5 }]\n', ["the cutoff is 0.5"]),
    (lennard_jones("cutoff = 2.5\n") + '[[force]]\ntype = "table"\nfile = "1.0.dat"\ncutoff = 0.5\n'.replace("force", "step_sum"), ["the cutoff is 0.5"]),
    ('[[force]]\ntype = "table"\nfile = "1.0.dat"\ncutoff = 2.5\ntruncation = "smooth-c1"\ninner = 0.59\n', ["inner = 0.59 is closer than the table begins, at r = 0.6"]),
    ('[[force]]\ntype = "table"\nfile = "1.0.dat"\ncutoff = 2.5\ntruncation = "smooth-c2"\npairs = [{ species = ["A", "B"], inner = 0.5 }]\ninner = 2.0\n',
     ["inner = 0.5 is closer"]),
    ('[[force]]\ntype = "table"\nfile = "1.0.dat"\ncutoff = 2.5\nsplit = { inner = 0.5, outer = 0.9 }\n', ["inner = 0.5 is closer than the table begins"]),
    ('[[force]]\ntype = "table"\nfile = "1.0.dat"\ncutoff = 2.5\ncheck_sum = "12"\n', ["check_sum"]),
    (mie("cutoff = 2.5\n").replace("n = 12", "n = 6"), ["mie with n = m", "give an m below n"]),
    ('[[force]]\ntype = "yukawa"\na = 1.0\nkappa = -1.0\ncutoff = 2.5\n', ["kappa", "above zero"]),
])
def test_tables_that_are_refused(tmp_path, text, says):
    folder = made(tmp_path, text, "run")
    message = mdrun("in.toml", "--check", cwd=folder.path).message()
    for part in says:
        assert part in message


def test_a_table_may_begin_just_below_the_cutoff(tmp_path):
    folder = made(tmp_path, '[[force]]\ntype = "table"\nfile = "1.0.dat"\ncutoff = 0.64\n', "run")
    result = mdrun("in.toml", "--check", cwd=folder.path)
    assert result.status == 0, result.err


@pytest.mark.parametrize("u", ["1e30/r", "1/r^200", "-1/r^12"])
def test_a_formula_may_begin_at_its_cutoff(u, tmp_path):
    """Or is refused, with a reason: its table has at least the segments at the cut-off."""
    folder = made(tmp_path, FORMULA_FORCE.replace("U", u).replace("2.5", "0.3"), "run")
    result = mdrun("in.toml", "--check", cwd=folder.path)
    assert result.status in (0, 2), result.err


def test_a_pair_closer_than_the_rows_is_refused_at_the_start(tmp_path):
    folder = made(tmp_path, table("cutoff = 2.5\n"), "run")
    write_rows(folder, first=1.3)
    message = mdrun("in.toml", cwd=folder.path).message()
    assert "overlap at the start" in message
    assert "table is infinite closer than its table begins, at r = 1.3" in message and "1.0.dat" in message


@pytest.mark.parametrize("precision", ["double", "mixed"])
@pytest.mark.parametrize("every", [1, 10, 1000])
def test_a_pair_closer_than_the_rows_ends_the_run(tmp_path, every, precision):
    """It is named, and where the table begins: within a hundredth of the first row."""
    folder = made(tmp_path, table("cutoff = 2.5\n"), "run", edits=[("every = 10\n", f"every = {every}\n")])
    write_rows(folder, first=1.1)
    # On a GPU its place is lost.
    result = mdrun("in.toml", "--set", "compute.device=cpu", "--set", f'compute.precision="{precision}"', cwd=folder.path)
    assert result.status == 3
    message = result.message()
    assert "closer than its table begins, at r = 1.1" in message
    assert "its rows in 0.6.dat, 1.0.dat, 1.3.dat begin at r = 1.1:" in message and "add rows at smaller r" in message
    assert float(re.search(r"at distance ([\d.]+)", message)[1]) < 1.112


def test_the_log_tells_how_good_a_table_is(tmp_path):
    folder = made(tmp_path, FORMULA_FORCE.replace("U", "exp(-r^2)"), "run")
    result = mdrun("in.toml", "--check", cwd=folder.path)
    assert result.status == 0
    assert "its force is that of the formula to" in result.out + result.err


def test_closer_than_the_rows_the_fast_part_ends_the_run(tmp_path):
    folder = made(tmp_path, table("cutoff = 2.5\nsplit = { inner = 1.3, outer = 1.7 }\n"), "run")
    result = mdrun("in.toml", "--check", cwd=folder.path)
    fast, slow = re.findall("tabulated from .* where closer pairs (.*);.*;", result.out + result.err)
    assert (fast, slow) == ("end the run", "have none of it")


def test_a_table_that_misses_its_accuracy_is_told(tmp_path):
    said = mdrun("in.toml", "--check", cwd=made(tmp_path, FORMULA_FORCE.replace("U", "sin(200*r)/r"), "wiggles").path)
    assert said.status == 0 and "the target is accuracy = 1e-06" in said.err
    said = mdrun("in.toml", "--check", cwd=made(tmp_path, FORMULA_FORCE.replace("U", "sin(2*r)/r"), "waves").path)
    assert said.status == 0 and "the target is" not in said.err


TWO = """\
[system]
dimension = 3
file = "two.xyz"
[[force]]
type = "formula"
u = "1000*exp(-r/0.2) - 1/r^6"
cutoff = 2.5
[[force]]
type = "inverse-power"
epsilon = 1.0
sigma = 1.0
exponent = 12
cutoff = 2.5
[integrator]
method = "verlet"
dt = 0.0001
[run]
steps = 2
[[observe]]
type = "energy-terms"
every = 1
[[observe]]
type = "thermo"
every = 1
[output]
prefix = "out"
[compute]
precision = "double"
"""


def test_a_part_of_a_sum_has_an_energy_behind_its_barrier(tmp_path):
    """The barrier is at 0.58; what keeps particles apart is the other force."""
    r = 0.5
    (tmp_path / "two.xyz").write_text(f"2\n\nA 0 0 0\nA {r} 0 0\n")
    (tmp_path / "in.toml").write_text(TWO)
    result = mdrun("in.toml", cwd=tmp_path)
    assert result.status == 0, result.err
    with h5py.File(tmp_path / "out.h5") as file:
        at = lambda name: file[f"observables/{name}/value"][0]
        assert at("potential_energy_formula") == pytest.approx(1000 * np.exp(-r / 0.2) - r**-6, rel=1e-6)
        assert at("potential_energy_inverse-power") == pytest.approx(r**-12, rel=1e-6)
        assert at("potential_energy") == pytest.approx(at("potential_energy_formula") + at("potential_energy_inverse-power"), rel=1e-6)


def test_a_barrier_is_named_where_a_pair_is_behind_it(tmp_path):
    """Of a force alone, or of two that are no sum as their cut-offs differ."""
    (tmp_path / "two.xyz").write_text("2\n\nA 0 0 0\nA 0.5 0 0\n")
    (tmp_path / "in.toml").write_text(TWO.replace("exponent = 12\ncutoff = 2.5", "exponent = 12\ncutoff = 2.0"))
    message = mdrun("in.toml", cwd=tmp_path).message()
    assert re.search(r"formula is infinite closer than its table begins, at r = 0.5[78]\d*, at a barrier 2\d\.\d high", message), message


def test_a_barrier_is_no_kink(tmp_path):
    """There the force is zero, but not what it is made of; the outer half, with which errors are compared, has 1/r^6 alone."""
    (tmp_path / "two.xyz").write_text("2\n\nA 0 0 0\nA 2.0 0 0\n")
    (tmp_path / "in.toml").write_text(TWO.replace("1000*exp(-r/0.2) - 1/r^6", "1000*exp(-r/0.22) - 10.4/r^6").replace("= 2.5", "= 9.0"))
    said = mdrun("in.toml", "--check", cwd=tmp_path)
    assert said.status == 0 and "there it begins, at a barrier" in said.err and "kink" not in said.err, said.err
