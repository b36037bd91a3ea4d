# SPDX-License-Identifier: BSD-3-Clause
"""A run whose energy explodes ends with status 3, names the steps between which it began, and leaves a
checkpoint from before; one that merely heats itself, as it must, does not."""

import re

import h5py
import numpy
import pytest
from harness import BASE, ON_DEVICE, edited, mdrun, sets
from runs import SPLIT_FORCE, VERLET, Folder, one_stage, staged

SMOOTH = edited(('truncation = "shift"', 'truncation = "smooth-c2"\ninner = 2.0'),
                ("steps = 20", "steps = 400"), ("trajectory = { every = 10 }\n", ""))
THERMO = '[[observe]]\ntype = "thermo"\nevery = 5\n'
BATH = "\ntemperature = 1.0\nfriction = 1.0"
METHODS = {
    "verlet": 'method = "verlet"\ndt = 0.04',
    "baoab": 'method = "baoab"\ndt = 0.04' + BATH,
    "mclachlan-8": 'method = "mclachlan-8"\ndt = 0.06',
    "nose-poincare": 'method = "nose-poincare"\ndt = 0.04\ntemperature = 1.0\nmass = 10.0',
    "splitting": 'method = "splitting"\nword = "A½ B1 A½"\ndt = 0.04',
}


#: Of particles in a file.
COLLISION = """[system]
dimension = 3
file = "start.xyz"
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = {cutoff}
{more}"""


def run(folder, text):
    (folder / "in.toml").write_text(text)
    return mdrun("in.toml", *sets(*ON_DEVICE), cwd=folder)


def check_exploded(folder, result, every, first=0):
    """Returns the steps between which it began."""
    assert result.status == 3, (result.out, result.err)
    message = result.message()
    step = int(re.search(r"last good checkpoint is \S+ \(step (\d+)\)", message)[1])
    # Two particles may come to one place before energies are looked at.
    infinite = re.search(r"step (\d+): the force on particle \d+ is not finite \(\d+ of 500 particles have no place", message)
    begin, end = (step, int(infinite[1])) if infinite else map(
        int, re.search(r"explodes between steps (\d+) and (\d+) \(", message).groups())
    assert first <= begin < end <= begin + every
    assert step < end
    with h5py.File(folder / "out.checkpoint.h5") as file:
        momenta = []
        file.visititems(lambda name, item: momenta.append(item[()]) if name.endswith("momentum") else None)
    assert numpy.abs(momenta).max() < 10  # of 1500 thermal ones none is beyond 5
    return begin, end


@pytest.mark.parametrize("every", [5, 1000])
@pytest.mark.parametrize("method", METHODS)
def test_every_method_and_interval(tmp_path, method, every):
    text = edited((VERLET, METHODS[method]), ("every = 5", f"every = {every}"), base=SMOOTH)
    check_exploded(tmp_path, run(tmp_path, text), every)


@pytest.mark.parametrize("precision", ["double", "mixed"])
def test_nothing_is_observed(tmp_path, precision):
    text = edited((VERLET, METHODS["verlet"]), (THERMO, ""),
                  ("[compute]", f'[compute]\nprecision = "{precision}"'), base=SMOOTH)
    check_exploded(tmp_path, run(tmp_path, text), 50)


@pytest.mark.parametrize("method, dt, period, says", [
    ("mtk", 0.04, None, "force on particle"), ("mtk", 0.004, 0.12, "energy explodes"), ("mtk", 0.004, 0.1, "box would grow"),
    ("nose-poincare-andersen", 0.004, 0.15, "energy explodes")])
def test_a_period_of_the_box_is_named_where_there_is_one(method, dt, period, says, tmp_path):
    barostat = f'[barostat]\ntype = "{method}"\npressure = 1.0\nperiod = {period}\n' if period else ""
    method = f'method = "nose-hoover"\ndt = {dt}\ntemperature = 1.0\nperiod = 0.5\n'
    if "andersen" in barostat:
        method = method.replace("hoover", "poincare").replace("period = 0.5", "mass = 9.0")
    result = run(tmp_path, edited((VERLET, method + barostat), base=SMOOTH))
    assert result.status == 3 and says in result.message(), result.message()
    assert ("a longer period" in result.message()) == bool(period), result.message()


@pytest.mark.parametrize("levels", [False, True])
def test_a_force_that_is_not_finite_names_its_step_and_its_partner(levels, tmp_path):
    # In the third step they meet at 2e-4, where the force is beyond the range of float; they have not moved on since.
    # On a CPU the flows that come next run in one pass with the force.
    (tmp_path / "start.xyz").write_text(
        '2\nLattice="20 0 0 0 20 0 0 0 20" Properties=species:S:1:pos:R:3:velo:R:3\n'
        "A -1.8001 0 0 100 0 0\nA 1.8001 0 0 -100 0 0\n")
    method = 'method = "respa"\ndt = 0.006\ninner = 2' if levels else 'method = "verlet"\ndt = 0.006'
    level = 'level = "slow"\n' if levels else ""
    result = run(tmp_path, COLLISION.format(cutoff=1.1, more=f"{level}[integrator]\n{method}\n[run]\nsteps = 20\n"))
    assert result.status == 3, result.err
    assert "step 3: the force on particle 0 is not finite (its nearest partner is particle 1 at distance 0.0002)" \
        in result.message(), result.message()


def test_what_explodes_only_after_a_while(tmp_path):
    # Before, 2400 steps look as they should.
    text = edited((VERLET, 'method = "verlet"\ndt = 0.03'), ("steps = 400", "steps = 4000"), base=SMOOTH)
    check_exploded(tmp_path, run(tmp_path, text), 5, first=1000)


def failed(folder):
    """What the results say of a failure; None where they say nothing."""
    with h5py.File(folder / "out.h5") as file:
        return file["parameters/failed"].asstr()[()] if "parameters/failed" in file else None


def test_results_say_that_the_run_failed_until_it_goes_on_well(tmp_path):
    text = edited((VERLET, METHODS["verlet"]), base=SMOOTH)
    result = run(tmp_path, text)
    begin, end = check_exploded(tmp_path, result, 5)
    assert failed(tmp_path).startswith(f"the energy explodes between steps {begin} and {end} (")
    assert failed(tmp_path) in result.message() and "smaller dt" in failed(tmp_path)
    # It fails again, so that they still say it; and not where it ends with the last good step.
    again = mdrun("in.toml", "--resume", cwd=tmp_path)
    assert again.status == 3 and failed(tmp_path) in again.message()
    step = int(re.search(r"\(step (\d+)\)", result.message())[1])
    assert mdrun("in.toml", "--resume", *sets(f"run.steps={max(step, 1)}"), cwd=tmp_path).status == 0
    assert failed(tmp_path) is None


def test_respa_in_resonance(tmp_path):
    text = one_stage('method = "respa"\ndt = 0.05\ninner = 10', 400, force=SPLIT_FORCE)
    check_exploded(tmp_path, run(tmp_path, text), 5)


def test_a_core_beyond_the_cutoff(tmp_path):
    text = edited(("cutoff = 2.5", "cutoff = 0.5"), ("inner = 2.0", "inner = 0.4"), base=SMOOTH)
    check_exploded(tmp_path, run(tmp_path, text), 5)


def test_between_the_last_look_and_the_end(tmp_path):
    # Step 10 of dt = 0.04 has 1e20 times the energy; it is found at the end only, and not resumed.
    text = edited((VERLET, METHODS["verlet"]), ("every = 5", "every = 1000"),
                  ("steps = 400", "steps = 15"), ("checkpoint = { every = 10 }\n", ""), base=SMOOTH)
    assert check_exploded(tmp_path, run(tmp_path, text), 1000) == (0, 15)


TRAP = """[system]
dimension = 2
box = { periodic = false }
lattice = { type = "square", repeat = [6, 6], constant = 1.0, jitter = 0.1 }
velocity = { temperature = TEMPERATURE }
FORCE
[integrator]
method = "verlet"
dt = DT
[run]
steps = 1000
"""
# Two springs, omega = 2 together.
SPRINGS = 2 * '[[force]]\ntype = "harmonic-trap"\nstiffness = [2.0, 2.0]\ncentre = [-5.0, 0.0]\n'


@pytest.mark.parametrize("dt, does, says", [
    (0.99, "swings", "dt = 0.99 (verlet with a dt less than 10 % longer is unstable for the fastest vibration by harmonic-trap (period 3.142, of "
     "species A): from 1 on); use a dt below 0.91"),
    (0.8, "swings", "dt = 0.8 of verlet is 1/3.93 of the fastest vibration by harmonic-trap (period 3.142, of species A); unstable for it: from 1 on; "
     "use a smaller dt"),
    (1.01, "explodes", "dt = 1.01 (verlet is unstable for the fastest vibration by harmonic-trap (period 3.142, of species A): from 1 on); use a dt below 0.91"),
])
def test_a_step_too_long_for_springs_is_told(tmp_path, dt, does, says):
    """From rest all swing in phase, and so does what Verlet takes for the energy: by 1/(1 - (omega dt)^2/4)."""
    result = run(tmp_path, TRAP.replace("FORCE", SPRINGS).replace("DT", str(dt)).replace("TEMPERATURE", "0.0"))
    assert result.status == 3, result.err
    message = result.message()
    assert re.search(rf"the energy {does} between steps \d+ and \d+ \(.*; at step 1000 the largest force is that on particle \d+\); ", message), message
    assert says in message, message


def test_a_field_that_grows_too_stiff_is_told(tmp_path):
    """omega = 1 at first, and 20 in the end; from rest at the centre nothing happens before."""
    trap = ('[[force]]\ntype = "harmonic-trap"\nstiffness = [1.0, 1.0]\ncentre = [-5.0, 0.0]\n'
            'modulation = { points = [[0.0, 1.0], [5.0, 1.0], [6.0, 400.0]] }\n')
    result = run(tmp_path, TRAP.replace("FORCE", trap).replace("DT", "0.12").replace("TEMPERATURE", "1.0"))
    assert result.status == 3 and "the energy explodes" in result.message(), result.message()
    assert "verlet is unstable for the fastest vibration by harmonic-trap at the largest factor of its modulation (period 0.3142, of species A): from 0.1 on); use a dt below 0.091" \
        in result.message(), result.message()


def test_a_pair_is_blamed_only_for_what_began_with_it(tmp_path):
    """Two particles meet within a step; seen at its end, or later, when rows arrive."""
    for every, steps in ((1, 2), (1, 40), (40, 40)):
        folder = tmp_path / f"{every}-{steps}"
        folder.mkdir()
        (folder / "start.xyz").write_text("".join(
            ["18\n", 'Lattice="30 0 0 0 30 0 0 0 30" Properties=species:S:1:pos:R:3:velo:R:3\n', "A -1.31 0 0 60 0 0\n", "A 1.31 0 0 -60 0 0\n",
             *(f"A {-12 + 3 * (k % 4)} {6 + 1.5 * (k // 4)} 0 0 0 0\n" for k in range(16))]))
        result = run(folder, COLLISION.format(cutoff=2.5, more=f"""[integrator]
method = "verlet"
dt = 0.01
[run]
steps = {steps}
[[observe]]
type = "thermo"
every = {every}
"""))
        assert result.status == 3, (result.out, result.err)
        message = result.message()
        if steps == 2:
            assert re.search(r"between steps 1 and 2 .*; at step 2 particles (0 and 1|1 and 0) are at distance", message), message
        else:
            assert re.search(r"between steps (0 and 40|1 and 2) .*; when it is seen, at step 40, the largest force is that on particle \d+, at distance "
                             r"\S+ from \d+: it may have begun elsewhere\); use a smaller dt, or equilibrate", message), message


def test_a_stage_before_the_last(tmp_path):
    folder = Folder(tmp_path / "run", staged(("a", VERLET, 30), ("b", "method = \"verlet\"\ndt = 0.1", 13), ("c", VERLET, 100)))
    result = mdrun(*folder.arguments(), cwd=folder.path)
    check_exploded(folder.path, result, 13, first=30)


def test_a_crystal_at_rest_may_heat_itself(tmp_path):
    # A square lattice is not where these forces want it: all kinetic energy comes from there.
    text = edited(("temperature = 1.0 }", "temperature = 0.0 }"),
                  ('type = "fcc", repeat = [5, 5, 5]', 'type = "sc", repeat = [8, 8, 8], jitter = 0.01'),
                  ("every = 5", "every = 1000"), ("steps = 400", "steps = 300"), base=SMOOTH)
    result = run(tmp_path, text)
    assert result.status == 0, result.err


def test_a_look_between_two_rows_leaves_no_trace(tmp_path):
    # At rest only all energies tell that nothing explodes; a checkpoint asks for them each 10 steps.
    cold = edited(("temperature = 1.0 }", "temperature = 0.0 }"), ("lattice = { ", "lattice = { jitter = 0.01, "),
                  ("every = 5", "every = 1000"), ("steps = 400", "steps = 100"), base=SMOOTH)
    bits = []
    for name, text in (("rarely", edited(("{ every = 10 }", "{ every = 1000 }"), base=cold)), ("often", cold)):
        (tmp_path / name).mkdir()
        assert run(tmp_path / name, text).status == 0
        with h5py.File(tmp_path / name / "out.checkpoint.h5") as file:
            momenta = []
            file.visititems(lambda n, i: momenta.append(i[()].tobytes()) if n.endswith("momentum") else None)
            bits.append(momenta)
    assert bits[0] == bits[1]
