# SPDX-License-Identifier: BSD-3-Clause
"""What --certify says of a step before a run."""

import re

import numpy as np
import pytest
from harness import DEVICE, mdrun, sets
from runs import LIQUID, THERMO, Folder, one_stage, staged

pytestmark = pytest.mark.skipif(DEVICE == "cuda", reason="trials of thousands of steps, on a CPU")
VERLET = 'method = "verlet"\ndt = {}'


def certify(path, text, *arguments, status=0):
    folder = Folder(path, text, "compute.precision=double")
    result = mdrun("in.toml", *sets(*folder.sets), "--certify", *arguments, cwd=folder.path)
    assert result.status == status, result.err
    # It leaves nothing behind.
    assert sorted(file.name for file in folder.path.iterdir()) == ["in.toml"]
    return result.out if status == 0 else result.err


def number(pattern, text):
    found = re.search(pattern, text)
    assert found, text
    return float(found[1])


@pytest.mark.parametrize("velocity, temperature", [("", 1.2), ("velocity = { temperature = 3.0 }", 3.0)])
def test_velocities_are_those_that_the_stage_draws(velocity, temperature, tmp_path):
    small = LIQUID.replace("[5, 5, 5]", "[3, 3, 3]").replace("temperature = 1.0", "temperature = 1.2")
    stages = staged(("relax", 'method = "minimize"', 100), ("sample", VERLET.format(0.004), 5000), system=small)
    text = stages.replace('name = "sample"', f'name = "sample"\n{velocity}')
    assert text != stages or not velocity
    out = certify(tmp_path / "run", text)
    # A minimum is left behind: of the kinetic energy about half is there later.
    reached = number(r"at T = (\S+)", out)
    assert 0.35 * temperature < reached < 0.75 * temperature, out


def test_a_second_stage_draws_its_velocities_too(tmp_path):
    small = LIQUID.replace("[5, 5, 5]", "[3, 3, 3]")
    stages = staged(("cold", VERLET.format(0.004), 5000), ("hot", VERLET.format(0.004), 5000), system=small)
    out = certify(tmp_path / "run", stages.replace('name = "hot"', 'name = "hot"\nvelocity = { temperature = 4.0 }'))
    cold, hot = (float(found) for found in re.findall(r"at T = (\S+)", out))
    assert hot > 2.0 * cold, out


def test_a_step_that_is_stable(tmp_path):
    """Few particles, so that a trial has all its steps on a machine that is busy."""
    text = certify(tmp_path / "run", one_stage(VERLET.format(0.005), 20000, system=LIQUID.replace("[5, 5, 5]", "[3, 3, 3]")))
    assert text.startswith("verlet with dt = 0.005: "), text
    assert 3.5 < number(r"fluctuates by \S+ kT per square root of its degrees of freedom, (\S+) times", text) < 4.5
    assert "(4 at order 2, as it should be)" in text
    assert "by the shadow energy; over 20000 steps" in text
    assert re.search(r"temperature: that of velocities at full steps is \S+ % below that of positions; 0.1 % needs dt = ", text), text
    assert "averages: by both, the step moves temperature by" in text


TRAPPED = """\
[system]
dimension = 3
box = { periodic = false }
lattice = { type = "fcc", repeat = [3, 3, 3], constant = 1.6 }
velocity = { temperature = 1.0 }
[[force]]
type = "harmonic-trap"
stiffness = [4.0, 4.0, 4.0]
"""


def test_the_gap_of_temperatures_is_that_of_an_oscillator(tmp_path):
    """Particles in traps: (w dt)^2 / 4 between velocities and places, 1 % with w dt = 0.2."""
    out = certify(tmp_path / "run", one_stage(VERLET.format(0.1), 1000, system=TRAPPED, force=""), "--accuracy", "1e-4")
    assert 0.9 < number(r"temperature: that of velocities at full steps is (\S+) % below", out) < 1.1, out
    assert 0.009 < number(r"0\.01 % needs dt = (\S+)", out) < 0.011, out


@pytest.mark.parametrize("method", ["triple-jump", "yoshida-6", "mclachlan-8"])
def test_no_gap_of_temperatures_is_told_of_high_orders(method, tmp_path):
    """What is left of their shadow energy at the order of the method is not that of Verlet's two terms."""
    out = certify(tmp_path / "run", one_stage(VERLET.format(0.1).replace("verlet", method), 300, system=TRAPPED, force=""))
    assert "stable: " in out and "temperature: that" not in out, out


def test_steps_that_are_too_long(tmp_path):
    """For an oscillator w dt = 1.6, where 2 is too much; and a liquid."""
    one = TRAPPED.replace('"fcc", repeat = [3, 3, 3]', '"sc", repeat = [1, 1, 1]')
    text = certify(tmp_path / "long", one_stage(VERLET.format(0.8), 20000, system=one, force=""))
    assert "(not 4 as at order 2: the step is longer than its order holds for); take a smaller dt" in text, text
    folder = Folder(tmp_path / "longer", one_stage(VERLET.format(0.05), 20000), "compute.precision=double")
    result = mdrun("in.toml", *sets(*folder.sets), "--certify", cwd=folder.path)
    assert result.status == 3 and "not stable; the trial ended with" in result.out, result.out


def test_stages_are_tried_one_after_the_other(tmp_path):
    text = staged(("relax", 'method = "minimize"', 30), ("heat", 'method = "baoab"\ndt = 0.004\ntemperature = 1.0\nfriction = 1.0', 500),
                  ("sample", VERLET.format(0.004), 5000))
    out = certify(tmp_path / "run", text)
    assert [line.split(":")[0] for line in out.splitlines() if " with dt = " in line] == ["heat", "sample"], out
    assert out.startswith("relax: minimize: done"), out
    assert "total energy minus bath heat fluctuates by" in out and "by the shadow energy; over 5000 steps" in out, out


def test_stages_begin_where_the_one_before_ended(tmp_path):
    """Places at random overlap until they are relaxed."""
    random = LIQUID.replace("density = 0.8", "density = 0.4").replace(
        '{ type = "fcc", repeat = [5, 5, 5] }', '{ type = "random", count = 300, min_distance = 0.5 }')
    text = staged(("relax", 'method = "minimize"', 200), ("sample", VERLET.format(0.004), 5000), system=random)
    out = certify(tmp_path / "run", text)
    assert out.startswith("relax: minimize: done") and "\nsample: verlet with dt = 0.004: " in out, out


@pytest.mark.parametrize("method", ['method = "blanes-moan-4"\ndt = 0.01', 'method = "splitting"\nword = "V1.351207191959657634 V* |"\ndt = 0.01',
                                    'method = "nose-poincare"\ndt = 0.004\ntemperature = 1.0\nmass = 5.0'])
def test_methods_of_higher_order_and_nose_baths_have_a_shadow_energy(method, tmp_path):
    out = certify(tmp_path / "run", one_stage(method, 5000))
    assert "\nstable: " in out and "by the shadow energy; over 5000 steps" in out and "nan" not in out, out


@pytest.mark.parametrize("method", ['method = "chin-4"\ndt = 0.01', 'method = "nose-hoover"\ndt = 0.004\ntemperature = 1.0\nperiod = 0.3',
                                    'method = "berendsen"\ndt = 0.004\ntemperature = 1.0\ntime = 1.0'])
def test_methods_without_a_shadow_energy(method, tmp_path):
    out = certify(tmp_path / "run", one_stage(method, 5000))
    assert "\nstable: " in out and "\ndrift: " in out and "shadow" not in out and "nan" not in out, out


def test_a_ramp_is_no_effect_of_the_step(tmp_path):
    out = certify(tmp_path / "run", one_stage('method = "baoab"\ndt = 0.004\nfriction = 1.0\ntemperature = [[0, 1.5], [8000, 0.5]]', 10_000))
    assert "averages: none, while the bath changes" in out, out


def test_what_noise_adds_up_is_no_drift(tmp_path):
    """Errors of six drifts of a Langevin method are as large as their scatter."""
    found = []
    for seed in range(6):
        out = certify(tmp_path / str(seed), one_stage('method = "baoab"\ndt = 0.01\nfriction = 1.0\ntemperature = 1.0', 5000,
                                                      system=LIQUID.replace("seed = 7", f"seed = {seed}").replace("[5, 5, 5]", "[3, 3, 3]")))
        value, digits, error, power = re.search(r"drift: (-?[\d.]+?)\((\d+)\)()(e-?\d+)? kT", out).groups()
        decimals = len(value.split(".")[1]) if "." in value else 0
        scale = float("1" + (power or ""))
        found.append((float(value) * scale, float(digits) * 10.0**-decimals * scale))
    drift, error = np.array(found).T
    assert 0.4 < drift.std(ddof=1) / np.sqrt((error**2).mean()) < 2.0, found


@pytest.mark.parametrize("arguments, says", [
    (["--check"], "--certify with --check"),
    (["--resume"], "--certify with --resume"),
    (["--continue"], "--certify with --continue"),
    (["--summary", "s.json"], "--certify with --summary"),
    (["--accuracy", "0"], "--accuracy 0 is out of range"),
    (["--accuracy", "2"], "--accuracy 2 is out of range"),
    (["--set", "integrator.dt=-1"], "dt"),
    (["--set", "integrator.speed=1"], 'unknown key "speed"'),
])
def test_what_is_refused(arguments, says, tmp_path):
    assert says in certify(tmp_path / "run", one_stage(VERLET.format(0.005), 100), *arguments, status=2)


def test_accuracy_alone_is_refused(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(VERLET.format(0.005), 100, THERMO))
    result = mdrun("in.toml", "--accuracy", "1e-3", cwd=folder.path)
    assert result.status == 2 and "--accuracy" in result.err


@pytest.mark.parametrize("kind", ['time = 0.5\ncompressibility = 0.1', 'type = "monte-carlo"\namplitude = 0.02'])
def test_a_barostat_is_tried_in_its_own_box(kind, tmp_path):
    """It grows to twice its volume, in which the start of the input would have overlaps, and both steps are in it."""
    small = LIQUID.replace("[5, 5, 5]", "[4, 4, 4]").replace("density = 0.8", "density = 0.75")
    text = one_stage('method = "baoab"\ndt = 0.004\ntemperature = 1.3\nfriction = 2.0', 5000, system=small)
    out = certify(tmp_path / "run", text.replace("[run]", f"[barostat]\npressure = 0.4\n{kind}\n[run]"))
    moved, volume = re.search(r"temperature by (\S+?)\(\S+ of (\S+),", out).groups()
    assert abs(float(moved)) < 0.1 and 1.1 < float(volume) < 1.5, out
