# SPDX-License-Identifier: BSD-3-Clause
"""Exact motions under harmonic forces between slow kicks: against NumPy and statistics, and what is refused."""

import json

import h5py
import numpy as np
import pytest
from harness import mdrun
from runs import Folder, refuse_difference

#: Soft particles in a trap: the trap is followed exactly, pairs kick.
TRAPPED = """\
[system]
dimension = 3
box = { periodic = false }
file = "start.xyz"
[[species]]
name = "A"
mass = 1.0
[[species]]
name = "B"
mass = 1.5
[[force]]
type = "harmonic-trap"
stiffness = [400.0, 400.0, 100.0]
coupling = "mass"
level = "fast"
[[force]]
type = "gaussian-core"
epsilon = 2.0
sigma = 1.0
accuracy = 1e-7
cutoff = 6.0
[integrator]
method = "exact-harmonic"
dt = 0.1
[run]
steps = 40
[compute]
precision = "double"
[[observe]]
type = "thermo"
every = 1
[output]
prefix = "out"
trajectory = { every = 1, fields = ["position", "velocity"] }
checkpoint = { every = 10 }
"""
MASS = np.array([1.0, 1.5] * 6)[:, None]
OMEGA = np.array([20.0, 20.0, 10.0])
#: A lattice that is shaken.
PLACES = 0.7 * np.stack(np.unravel_index(np.arange(12), (2, 2, 3)), axis=1) - [0.35, 0.35, 0.7] + 0.1 * np.sin(
    1.3 * np.arange(36.0)).reshape(12, 3)
VELOCITY = 3.0 * np.cos(2.1 * np.arange(36.0)).reshape(12, 3)


def write_start(path):
    (path / "start.xyz").write_text("12\nProperties=species:S:1:pos:R:3:velo:R:3\n" + "".join(
        f"{'A' if mass == 1.0 else 'B'} {' '.join(f'{x:.17g}' for x in [*place, *velocity])}\n"
        for mass, place, velocity in zip(MASS.ravel(), PLACES, VELOCITY)))


def repulsion(x):
    d = x[:, None] - x
    return (4.0 * np.exp(-(d * d).sum(axis=2))[:, :, None] * d).sum(axis=1)


def trapped(path, *keys, text=TRAPPED):
    folder = Folder(path, text, *keys)
    write_start(folder.path)
    return folder


def test_particles_turn_in_their_trap_and_are_kicked(tmp_path):
    """A step is a third of the fast period, three times what Verlet can do."""
    folder = trapped(tmp_path / "run")
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        particles = file["particles/all"]
        found = particles["position/value"][-1], particles["velocity/value"][-1]
        energy = file["observables/total_energy/value"][...]
    x, v, dt = PLACES, VELOCITY, 0.1
    c, s = np.cos(OMEGA * dt), np.sin(OMEGA * dt)
    for _ in range(40):
        v = v + 0.5 * dt * repulsion(x) / MASS
        x, v = c * x + s / OMEGA * v, c * v - s * OMEGA * x
        v = v + 0.5 * dt * repulsion(x) / MASS
    assert np.abs(x - PLACES).max() > 0.1
    assert np.abs(found[0] - x).max() < 1e-6
    assert np.abs(found[1] - v).max() < 1e-5
    pairs = sum(2.0 * np.exp(-((x[i] - x[j]) ** 2).sum()) for i in range(12) for j in range(i))
    assert energy[-1] == pytest.approx(0.5 * (MASS * (v**2 + (OMEGA * x) ** 2)).sum() + pairs, abs=1e-4)


def test_the_energy_is_that_of_small_steps_to_second_order(tmp_path):
    swing = []
    for dt in (0.02, 0.01, 0.005):
        folder = trapped(tmp_path / str(dt), f"integrator.dt={dt}", f"run.steps={round(1.0 / dt)}", "output.trajectory.every=1000",
                      "output.checkpoint.every=1000")
        folder.run()
        with h5py.File(folder.path / "out.h5") as file:
            energy = file["observables/conserved_energy/value"][...]
        swing.append(np.abs(energy - energy[0]).max())
    assert 3.3 < swing[0] / swing[1] < 4.8 and 3.6 < swing[1] / swing[2] < 4.4, swing


@pytest.mark.parametrize("method", ['"exact-harmonic"', '"baoab-exact-harmonic"\ntemperature = 5.0\nfriction = 0.7'])
def test_all_slow_levels_kick(method, tmp_path):
    """With pairs on the second of three levels all is as on the second of two."""
    runs = []
    for levels, level in (('["fast", "slow"]', "slow"), ('["fast", "middle", "slow"]', "middle"), ('["fast", "middle", "slow"]', "slow")):
        text = f"levels = {levels}\n" + TRAPPED.replace('"exact-harmonic"', method).replace("cutoff = 6.0", f'cutoff = 6.0\nlevel = "{level}"')
        folder = trapped(tmp_path / str(len(runs)), text=text)
        folder.run()
        with h5py.File(folder.path / "out.h5") as file:
            runs.append(file["particles/all/position/value"][-1])
    assert (runs[0] == runs[1]).all() and (runs[0] == runs[2]).all()


@pytest.mark.parametrize("method", ['"exact-harmonic"', '"baoab-exact-harmonic"\ntemperature = 5.0\nfriction = 0.7'])
def test_a_run_goes_on_with_the_same_bits(method, tmp_path):
    text = TRAPPED.replace('"exact-harmonic"', method)
    whole = trapped(tmp_path / "whole", text=text)
    whole.run()
    parts = trapped(tmp_path / "parts", "compute.threads=2", text=text)
    parts.run("--set", "run.steps=23")
    parts.run("--resume", "--set", "run.steps=40")
    refuse_difference(whole, parts)


#: Sixty-four ring polymers of 16 beads: an oscillator at k T = 1/4 by Feynman's path integral.
BEADS, BETA, RINGS = 16, 4.0, 64
RING = f"""\
[system]
dimension = 1
box = {{ periodic = false }}
file = "start.xyz"
velocity = {{ temperature = {1.0 / BETA} }}
[[species]]
name = "A"
mass = 1.0
[[molecule]]
count = {RINGS}
atoms = {["A"] * BEADS}
bonds = [{", ".join(f"{{ atoms = [{k}, {(k + 1) % BEADS}] }}" for k in range(BEADS))}]
exclude = 1
[[force]]
type = "harmonic-bond"
k = {BEADS / BETA**2}
r0 = 0.0
level = "fast"
[[force]]
type = "harmonic-trap"
stiffness = [{1.0 / BEADS}]
[integrator]
method = "baoab-exact-harmonic"
dt = 1.3
temperature = {1.0 / BETA}
friction = 0.3
[run]
steps = 20000
equilibration = 200
[compute]
precision = "double"
[[observe]]
type = "thermo"
every = 2
[output]
prefix = "out"
"""


def mean_square(spring, dt, friction=0.3, kT=1.0 / BETA, trap=1.0 / BEADS):
    """Of a normal mode, exactly: what a step does to the covariance of place and momentum leaves it as it is."""
    w = np.sqrt(spring)
    kick = np.array([[1.0, 0.0], [-0.5 * dt * trap, 1.0]])
    turn = np.array([[np.cos(0.5 * w * dt), np.sin(0.5 * w * dt) / w if w > 0.0 else 0.5 * dt],
                     [-w * np.sin(0.5 * w * dt), np.cos(0.5 * w * dt)]])
    kept = np.exp(-friction * dt)
    after = kick @ turn
    step = after @ np.diag([1.0, kept]) @ turn @ kick
    noise = after @ np.diag([0.0, (1.0 - kept**2) * kT]) @ after.T
    return np.linalg.solve(np.eye(4) - np.kron(step, step), noise.ravel())[0]


def test_a_path_integral_of_an_oscillator(tmp_path):
    """With a step a third longer than any that is stable for the springs by Verlet."""
    folder = Folder(tmp_path / "run", RING)
    noise = np.random.default_rng(1).normal(size=RINGS * BEADS)
    (folder.path / "start.xyz").write_text(f"{RINGS * BEADS}\nProperties=species:S:1:pos:R:3\n" + "".join(f"A {x} 0 0\n" for x in noise))
    folder.run()
    averages = json.loads((folder.path / "summary.json").read_text())["averages"]
    square = 4.0 * BEADS / BETA**2 * np.sin(np.pi * np.arange(BEADS) / BEADS) ** 2
    squares = np.array([mean_square(spring, 1.3) for spring in square])
    # Of short steps: those of the path integral.
    short = np.array([mean_square(spring, 1e-3) for spring in square])
    assert np.abs(short * BETA * (square + 1.0 / BEADS) - 1.0).max() < 1e-6
    trap, springs = (0.5 * RINGS * (part * squares).sum() for part in (1.0 / BEADS, square))
    for name, known in (("potential_energy_slow", trap), ("potential_energy_fast", springs)):
        mean, error = averages[name]["mean"], averages[name]["error"]
        assert error < 0.01 * known, (name, mean, error)
        assert abs(mean - known) < 4.0 * error, (name, mean, error, known)


@pytest.mark.parametrize("change, says", [
    (('level = "fast"\n', ""), ('exact-harmonic without a force of level "fast"', 'give level = "fast" to harmonic forces')),
    (("cutoff = 6.0", 'cutoff = 6.0\nlevel = "fast"'), ('exact-harmonic with gaussian-core of level "fast"', 'give it the level "slow"')),
    (('coupling = "mass"\n', 'coupling = "mass"\nmodulation = { period = 3.0 }\n'), ("exact-harmonic with harmonic-trap", "changes in time")),
    (('"exact-harmonic"\n', '"splitting"\nword = "S½ H1 A½ S½"\n'), ("the word counts parts of the motion twice", "use either H, or the others")),
    (('"exact-harmonic"\n', '"splitting"\nword = "S½ F½ H1 F½ S½"\n'), ("the word counts parts of the motion twice",)),
    (('"exact-harmonic"\n', '"splitting"\nword = "B½ H1 B½"\n'), ("the word counts forces twice",)),
    (('"exact-harmonic"\n', '"splitting"\nword = "S½ H½ S½"\n'), ("the word is not consistent",)),
])
def test_forces_and_words_that_are_refused(change, says, tmp_path):
    assert change[0] in TRAPPED
    (tmp_path / "in.toml").write_text(TRAPPED.replace(*change))
    write_start(tmp_path)
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2
    assert all(part in result.err for part in says), result.err


def test_bonds_with_a_length_at_rest_are_refused(tmp_path):
    (tmp_path / "in.toml").write_text(RING.replace("r0 = 0.0", "r0 = 0.5"))
    (tmp_path / "start.xyz").write_text(f"{RINGS * BEADS}\nProperties=species:S:1:pos:R:3\n" + "".join(
        f"A {0.1 * k} 0 0\n" for k in range(RINGS * BEADS)))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2
    assert "with harmonic-bond of level" in result.err and "r0 = 0" in result.err, result.err
