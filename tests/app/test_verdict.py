# SPDX-License-Identifier: BSD-3-Clause
"""What a run says of itself at its end: the verdict on each stage, in the table and in the JSON."""

import json

import numpy as np
import pytest
from harness import BASE, ON_DEVICE, edited, mdrun, sets
from runs import CHAIN_FORCES, CHAINS, FORCE, THERMO, VERLET, one_stage

#: 500 particles that melt, without a jump at the cut-off.
SMOOTH = edited(('truncation = "shift"', 'truncation = "smooth-c2"\ninner = 2.0'),
                ("trajectory = { every = 10 }\n", ""), ("checkpoint = { every = 10 }\n", ""))
STAGES = """\
[[stage]]
name = "equilibrate"
steps = 2000
[stage.integrator]
method = "baoab"
dt = 0.005
temperature = 1.0
friction = 5.0
[[stage]]
name = "sample"
steps = 10_000
[stage.integrator]
"""


def run(folder, text):
    (folder / "in.toml").write_text(text)
    result = mdrun("in.toml", "--summary", "s.json", *sets(*ON_DEVICE), cwd=folder)
    assert result.status == 0, result.err
    return result, json.loads((folder / "s.json").read_text())


def one(method, steps, *more):
    return edited((VERLET, method), ("steps = 20", f"steps = {steps}"), *more, base=SMOOTH)


def staged(method):
    """Equilibrated, then sampled."""
    head, tail = edited(("repeat = [5, 5, 5]", "repeat = [4, 4, 4]"), ("[integrator]\n", STAGES), (VERLET, method), ("[run]\nsteps = 20\n", ""),
                        ("[[observe]]", "[[stage.observe]]"), base=SMOOTH).split("[[stage.observe]]")
    return head + "[[stage.observe]]" + tail


BAD = {
    "a step too large": (one('method = "verlet"\ndt = 0.025', 3000), "conserved", "total energy drifts by"),
    "a potential with a jump": (
        one(VERLET, 2000, ('truncation = "smooth-c2"\ninner = 2.0', 'truncation = "none"')),
        "conserved", "total energy "),
    "Nosé-Poincaré without velocities": (
        one('method = "nose-poincare"\ndt = 0.004\ntemperature = 1.0\nmass = 1000.0', 2000,
            ("temperature = 1.0 }", "temperature = 0.0 }")), "conserved", "fluctuates by"),
    "a bath that is too weak": (
        one('method = "baoab"\ndt = 0.005\ntemperature = 1.0\nfriction = 0.001', 2000),
        "temperature", "not equilibrated with the bath"),
    "a step too large for its bath": (
        one('method = "baoab"\ndt = 0.02\ntemperature = 1.0\nfriction = 1.0', 3000),
        "temperature", "the bath's 1 (-"),
    "a start that is averaged": (
        # It is told as a start that is averaged, or as no equilibrium for most of the run.
        one('method = "verlet"\ndt = 0.01', 1500, ("[run]", "[run]\nequilibration = 0")), "equilibrium", "equilibration"),
    "a short run": (one(VERLET, 100), "samples", "independent samples"),
}


def test_without_thermo_samples_are_rare(tmp_path):
    text = one(VERLET, 1000, ("repeat = [5, 5, 5]", "repeat = [3, 3, 3]"), ("cutoff = 2.5", "cutoff = 2.2"),
               ('type = "thermo"\nevery = 5', 'type = "energy-terms"\nevery = 5'))
    message = run(tmp_path, text)[1]["verdict"]["samples"]["message"]
    assert "without thermo they are 50 steps apart" in message and "or observe thermo" in message, message


def test_a_minimisation_has_no_averages(tmp_path):
    result, summary = run(tmp_path, one('method = "minimize"', 300))
    assert summary["averages"] == {} and "without averages" in result.out and "  average " not in result.out


@pytest.mark.parametrize("name", BAD)
def test_what_ends_well_and_misleads_fails(tmp_path, name):
    text, part, message = BAD[name]
    result, summary = run(tmp_path, text)
    verdict = summary["verdict"]
    assert verdict["judged"] and not verdict["passed"] and summary["stages"][0]["verdict"] == verdict
    assert not verdict[part]["passed"] and message in verdict[part]["message"], verdict
    assert result.out.count(verdict[part]["message"]) == 1
    assert result.out.index("verdict: FAILED") < result.out.index("average ")
    if part != "samples":
        assert not any(a["trusted"] for a in summary["averages"].values())
        assert "\n! pressure" in result.out
    assert not any(f["trusted"] for f in summary["fluctuations"].values())
    assert "\n! heat_capacity" in result.out


def test_a_bath_that_mixes_too_slowly_has_no_fluctuations(tmp_path):
    # Swings of 10 units of time beside collisions of 0.2: K keeps what the start gave it.
    result, summary = run(tmp_path, staged('method = "nose-poincare"\ndt = 0.004\ntemperature = 1.0\nmass = 4000.0'))
    verdict = summary["verdict"]
    assert not verdict["fluctuations"]["passed"] and "canonical ensemble" in verdict["fluctuations"]["message"]
    assert not summary["fluctuations"]["heat_capacity"]["trusted"] and "\n! heat_capacity" in result.out


#: Nothing acts between the particles: each keeps its share of a kinetic energy that a thermostat holds.
GAS = """\
seed = 2
[system]
dimension = 3
file = "start.xyz"
[integrator]
METHOD
[run]
steps = 4000
equilibration = 0
[[observe]]
type = "directional-temperature"
every = 4
[[observe]]
type = "thermo"
every = 4
"""


def write_gas(folder, width, shift, open_box):
    """Velocities of 200 particles of these widths, of which the whole has these."""
    places = np.array([[3 * (k % 6), 3 * (k // 6 % 6), 3 * (k // 36)] for k in range(200)])
    v = np.random.default_rng(3).normal(size=(200, 3)) * width
    v += np.array(shift) - v.mean(0)
    rows = "".join(f"A {' '.join(map(str, [*x, *u]))}\n" for x, u in zip(places, v))
    cell = "" if open_box else 'Lattice="18 0 0 0 18 0 0 0 18" '
    (folder / "start.xyz").write_text(f"200\n{cell}Properties=species:S:1:pos:R:3:velo:R:3\n" + rows)
    return f"centre = {places.mean(0).tolist()}\n"


@pytest.mark.parametrize("trap, passes", [([0.0, 0.0, 1.7], True), ([1e-6, 0.0, 1.7], False)])
def test_motion_of_the_whole_is_heat_only_where_it_is_not_conserved(tmp_path, trap, passes):
    """Along x, freely or in so weak a trap that it stays; the whole rests in the middle of the trap along z."""
    middle = write_gas(tmp_path, np.ones(3), [2.0, 0.0, 0.0], True)
    text = GAS.replace("METHOD", 'method = "verlet"\ndt = 0.05').replace('[[observe]]\ntype = "directional-temperature"\nevery = 4\n', "")
    result, summary = run(tmp_path, text.replace("[integrator]", f'[[force]]\ntype = "harmonic-trap"\nstiffness = {trap}\n{middle}[integrator]').replace("4000", "1000"))
    finding = summary["verdict"]["temperature"]
    assert finding["passed"] == passes and ("motion of the centre of mass" in finding["message"]) != passes, finding


#: Argon in units of which the mass is not that of energies and times; a force of 0.1 epsilon/sigma for 0.5 sigma sqrt(m/epsilon).
ARGON = """\
seed = 3
[system]
dimension = 3
units = "UNITS"
box = { density = 0.015 }
lattice = { type = "fcc", repeat = [3, 3, 3] }
velocity = { temperature = 120.0 }
[[species]]
name = "Ar"
mass = 39.948
[[force]]
type = "lennard-jones"
epsilon = EPSILON
sigma = 3.405
cutoff = 8.0
truncation = "force-shift"
[integrator]
METHOD
[run]
steps = 3000
[[observe]]
type = "thermo"
every = 10
"""


@pytest.mark.parametrize("units, epsilon, dt, time", [("real", 0.2381, 8.0, 2156.0), ("akma", 0.2381, 8.0 / 48.888, 2156.0 / 48.888), ("metal", 0.010326, 0.008, 2.156)])
def test_motion_of_the_whole_is_told_in_all_units(tmp_path, units, epsilon, dt, time):
    text = ARGON.replace("UNITS", units).replace("EPSILON", str(epsilon))
    thermal = f'method = "baoab"\ndt = {dt}\ntemperature = 120.0\nfriction = {2.0 / time}'
    push = (f'[[force]]\ntype = "uniform-field"\nstrength = [{3.0 * epsilon / 3.405}, 0.0, 0.0]\n'
            f'modulation = {{ points = [[0.0, 1.0], [{0.25 * time}, 1.0], [{0.26 * time}, 0.0]] }}\n[integrator]')
    for name, method, passes in (("bath", text.replace("METHOD", thermal), True),
                                 ("push", text.replace("METHOD", f'method = "verlet"\ndt = {dt}').replace("[integrator]", push), False)):
        (tmp_path / name).mkdir()
        finding = run(tmp_path / name, method)[1]["verdict"]["temperature"]
        assert finding["passed"] == passes and ("motion of the centre of mass" in finding["message"]) != passes, (name, finding)


@pytest.mark.parametrize("force", ["", '[[force]]\ntype = "harmonic-trap"\nstiffness = [0.1, 0.13, 1.7]\n'])
@pytest.mark.parametrize("method, passes", [('"nose-hoover"\ndt = 0.05\ntemperature = 1.0\nperiod = 2.0', False),
                                            ('"nose-poincare"\ndt = 0.05\ntemperature = 1.0\nmass = 60.0', False),
                                            ('"baoab"\ndt = 0.05\ntemperature = 1.0\nfriction = 1.0', True)])
def test_a_bath_that_mixes_no_directions_fails(tmp_path, method, passes, force):
    middle = write_gas(tmp_path, np.sqrt([0.25, 0.25, 2.5]), np.zeros(3), bool(force))
    force += middle if force else ""
    result, summary = run(tmp_path, GAS.replace("METHOD", "method = " + method).replace("[integrator]", force + "[integrator]"))
    finding = summary["verdict"]["temperature"]
    assert finding["passed"] == passes, summary["verdict"]
    if passes:
        return
    found = [summary["averages"][f"temperature_{axis}"] for axis in "xyz"]
    means = [average["mean"] for average in found]
    assert max(means) > 1.2 * min(means) and not any(average["trusted"] for average in found)
    assert "energy is not exchanged between directions" in finding["message"], finding
    assert summary["averages"]["temperature"]["mean"] == pytest.approx(1.0, abs=0.1)


#: Dilute chains with all bonds at rest at first: they swing together, and kinetic energy varies as with a bath.
DILUTE = CHAINS
for before, after in (("seed = 5", "seed = 1"), ("0.7", "0.02"), ("[8, 8, 8], jitter = 0.05", "[6, 5, 8]"), ("count = 32", "count = 60"),
                      ("repeat = 16", "repeat = 4")):
    DILUTE = DILUTE.replace(before, after)
DILUTE = one_stage(VERLET.replace("0.004", "0.001"), 2000, THERMO.replace("5", "10"), DILUTE, FORCE + CHAIN_FORCES.replace("1.1", "3.684"))
DILUTE = DILUTE.replace("steps = 2000\n", "steps = 2000\nequilibration = 920\n")


def test_a_derivative_that_may_be_any_number_fails(tmp_path):
    result, summary = run(tmp_path, DILUTE)
    finding = summary["verdict"]["fluctuations"]
    assert finding["judged"] and not finding["passed"] and not summary["verdict"]["passed"]
    assert all(summary["verdict"][part]["passed"] for part in ("conserved", "temperature", "equilibrium", "samples"))
    assert all(a["trusted"] for a in summary["averages"].values())
    assert "heat_capacity is not known" in finding["message"] and "1 - (f/2) var K / <K>^2" in finding["message"]
    for name in ("heat_capacity", "thermal_pressure_coefficient"):
        found = summary["fluctuations"][name]
        assert found["error"] is None and not found["trusted"] and "not known" in found["warning"]
        assert f"\n! {name}" in result.out


def test_what_is_no_number_is_not_trusted(tmp_path):
    """One particle at rest: nothing fluctuates, and its heat capacity is 0/0."""
    result, summary = run(tmp_path, """[system]
dimension = 3
box = { lengths = [6.0, 6.0, 6.0] }
lattice = { type = "random", count = 1, min_distance = 1.0 }
[[force]]
type = "morse"
depth = 1.0
a = 3.0
r0 = 1.0
cutoff = 2.5
[integrator]
method = "verlet"
dt = 0.002
[run]
steps = 2000
[[observe]]
type = "thermo"
every = 10
""")
    assert "nan" not in result.out and "heat_capacity is not known" in summary["verdict"]["fluctuations"]["message"]
    assert {"heat_capacity", "thermal_pressure_coefficient"} <= set(summary["fluctuations"])
    for found in summary["fluctuations"].values():
        assert found["value"] is None and not found["trusted"] and "gives no number" in found["warning"]
    assert "no number" in result.out


@pytest.mark.parametrize("method", [
    VERLET, 'method = "baoab"\ndt = 0.004\ntemperature = 1.0\nfriction = 5.0',
    'method = "nose-poincare"\ndt = 0.004\ntemperature = 1.0\nmass = 20.0'])
def test_a_good_run_passes(tmp_path, method):
    result, summary = run(tmp_path, staged(method))
    assert summary["verdict"]["passed"], summary["verdict"]
    assert "  verdict: passed\n" in result.out and "FAILED" not in result.out and "\n!" not in result.out
    assert all(a["trusted"] for a in summary["averages"].values())
    # Nothing is averaged in the first stage.
    first = summary["stages"][0]["verdict"]
    assert first["conserved"]["judged"]
    assert not any(first[part]["judged"] for part in ("temperature", "equilibrium", "samples"))


def test_the_drift_is_that_of_a_degree_of_freedom(tmp_path):
    summary = run(tmp_path, one(VERLET, 500))[1]
    kT = summary["averages"]["temperature"]["mean"]
    conserved = summary["conserved"]
    assert conserved["relative_drift"] == pytest.approx(conserved["drift"] / (1497 * kT), rel=1e-12)


def test_a_direction_that_hardly_changes_is_told(tmp_path):
    """Particles that never meet: each direction keeps its temperature."""
    apart = edited(("density = 0.8", "density = 1e-4"), ('type = "thermo"\nevery = 5', 'type = "thermo"\nevery = 5\n[[observe]]\ntype = "directional-temperature"\nevery = 5'),
                   ("steps = 20", "steps = 400"), base=SMOOTH)
    result, summary = run(tmp_path, apart)
    assert "hardly changes (nothing carries energy from one direction to another" in result.out
    assert summary["stages"][0]["verdict"]["temperature"]["passed"]


def test_few_samples_tell_nothing_of_fluctuations(tmp_path):
    """Of eight short runs in contact with a bath none is told that it samples no canonical ensemble."""
    text = one('method = "baoab"\ndt = 0.005\ntemperature = 1.2\nfriction = 2.0', 500, ("repeat = [5, 5, 5]", "repeat = [3, 3, 3]"),
               ("cutoff = 2.5", "cutoff = 2.0"), ("inner = 2.0", "inner = 1.6"))
    for seed in range(8):
        folder = tmp_path / str(seed)
        folder.mkdir()
        finding = run(folder, text.replace("seed = 7", f"seed = {seed}"))[1]["verdict"]["fluctuations"]
        assert finding["passed"], finding
