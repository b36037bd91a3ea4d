# SPDX-License-Identifier: BSD-3-Clause
"""External fields: what a run makes of them, against NumPy, and what it refuses."""

import h5py
import numpy as np
import pytest
from harness import BASE, edited, mdrun
from runs import CEILING, FLOOR, FORCE, SLIT, Folder

#: A liquid between two walls.
BETWEEN_WALLS = SLIT + FORCE + FLOOR + CEILING + """\
[integrator]
method = "verlet"
dt = 0.002
[run]
steps = 400
[[observe]]
type = "thermo"
every = 20
[[observe]]
type = "energy-terms"
every = 20
[[observe]]
type = "directional-temperature"
every = 20
[output]
prefix = "out"
trajectory = { every = 100, fields = ["position", "velocity", "force", "potential_energy"] }
"""

#: Two particles that nothing but fields holds.
FREE = """\
[system]
dimension = 2
box = { periodic = false }
file = "start.xyz"
[[species]]
name = "A"
mass = 2.0
charge = 0.5
[[species]]
name = "B"
[[force]]
FIELD
[integrator]
method = "verlet"
dt = 0.05
[run]
steps = 40
[[observe]]
type = "thermo"
every = 1
[output]
prefix = "out"
trajectory = { every = 1 }
"""
START = 'Properties=species:S:1:pos:R:2:vel:R:2'


def free(tmp_path, field):
    folder = Folder(tmp_path / "run", FREE.replace("FIELD", field))
    (folder.path / "start.xyz").write_text(f"2\n{START}\nA 0.5 1.0 0.3 -0.2\nB -1.0 2.0 0.0 0.7\n")
    return folder


def check(tmp_path, text):
    (tmp_path / "in.toml").write_text(text)
    return mdrun("in.toml", "--check", cwd=tmp_path)


def trajectory(folder):
    with h5py.File(folder.path / "out.h5") as file:
        everything = file["particles/all"]
        return everything["position/value"][...], everything["velocity/value"][...]


def verlet(x, v, mass, force, dt, steps):
    xs, vs = [x], [v]
    for _ in range(steps):
        v = v + 0.5 * dt * force(x) / mass
        x = x + dt * v
        v = v + 0.5 * dt * force(x) / mass
        xs.append(x)
        vs.append(v)
    return np.array(xs), np.array(vs)


MASS, CHARGE = np.array([[2.0], [1.0]]), np.array([[0.5], [0.0]])


@pytest.mark.parametrize("field, force", [
    ('type = "uniform-field"\nstrength = [0.1, -9.81]\ncoupling = "mass"',
     lambda x: MASS * np.array([[0.1, -9.81]])),
    ('type = "uniform-field"\nstrength = [0.4, 2.0]\ncoupling = "charge"',
     lambda x: CHARGE * np.array([[0.4, 2.0]])),
    ('type = "harmonic-trap"\nstiffness = [1.0, 3.0]\ncentre = [0.2, 0.5]',
     lambda x: -np.array([[1.0, 3.0]]) * (x - np.array([[0.2, 0.5]]))),
    ('type = "harmonic-trap"\nstiffness = [1.0, 3.0]\nspecies = ["B"]',
     lambda x: np.array([[0.0], [1.0]]) * -np.array([[1.0, 3.0]]) * x),
    ('type = "cosine-field"\namplitude = 1.5\nwave_vector = [0.7, -0.4]\nphase = 0.3',
     lambda x: 1.5 * np.sin(x @ np.array([[0.7], [-0.4]]) + 0.3) * np.array([[0.7, -0.4]])),
    ('type = "wall-harmonic"\nstiffness = 4.0\npoint = [0.0, 0.8]\nnormal = [0.0, 2.0]',
     lambda x: np.where(x < 0.8, 4.0 * (0.8 - x), 0.0) * np.array([[0.0, 1.0]])),
    ('type = "wall-93"\nepsilon = 1.5\nsigma = 0.9\npoint = [0.0, 0.0]\nnormal = [0.0, 1.0]',
     lambda x: 1.5 * (1.2 * 0.9**9 / x**10 - 3.0 * 0.9**3 / x**4) * np.array([[0.0, 1.0]])),
], ids=["gravity", "electric", "trap", "trap of a species", "wave", "soft wall", "wall"])
def test_trajectories_are_those_of_verlet(field, force, tmp_path):
    folder = free(tmp_path, field)
    folder.run()
    x, v = trajectory(folder)
    start = np.array([[0.5, 1.0], [-1.0, 2.0]]), np.array([[0.3, -0.2], [0.0, 0.7]])
    xs, vs = verlet(*start, MASS, force, 0.05, 40)
    # 40 steps of rounding errors, which an unstable motion could multiply by some hundred.
    assert np.abs(x - xs).max() < 1e-12
    assert np.abs(v - vs).max() < 1e-12


def test_a_liquid_between_walls(tmp_path):
    folder = Folder(tmp_path / "run", BETWEEN_WALLS)
    result = folder.run()
    assert "total momentum along x and y zero; 646 degrees of freedom" in result.err
    summary = folder.averages()
    with h5py.File(folder.path / "out.h5") as file:
        series = {name: group["value"][...] for name, group in file["observables"].items()}
        particles = {name: group["value"][...] for name, group in file["particles/all"].items()
                     if isinstance(group, h5py.Group) and "value" in group}
    terms = [series[name] for name in series if name.startswith("potential_energy_")]
    assert sorted(name for name in series if name.startswith("potential_energy_")) == [
        "potential_energy_lennard-jones", "potential_energy_wall-93", "potential_energy_wall-93_2"]
    assert np.abs(sum(terms) - series["potential_energy"]).max() < 1e-3  # pairs in mixed precision
    assert np.abs(particles["potential_energy"].sum(axis=1)
                  - series["potential_energy"][::5]).max() < 1e-3
    # Momentum along the walls stays zero; that across them does not.
    momentum = series["momentum"]
    assert np.abs(momentum[:, :2]).max() < 1e-3 < np.abs(momentum[1:, 2]).max()
    kinetic = series["kinetic_energy"] - 0.5 * (momentum[:, :2] ** 2).sum(axis=1) / 216
    assert np.allclose(series["temperature"], 2 * kinetic / 646, rtol=1e-9)
    # N - 1 degrees of freedom along x and y, N along z.
    mean = (215 * (series["temperature_x"] + series["temperature_y"])
            + 216 * series["temperature_z"]) / 646
    assert np.allclose(mean, series["temperature"], rtol=1e-9)
    assert summary["stages"][0]["degrees_of_freedom"] == 646
    assert series["temperature"][0] == pytest.approx(1.0, rel=1e-9)  # as drawn
    assert np.ptp(series["total_energy"]) < 0.02 * 216


@pytest.mark.parametrize("edits, words", [
    ([("point = [0.0, 0.0, -1.0]", "point = [0.0, 0.0, 1.0]")],
     ["in.toml:14:1", "particle 0", "beyond the wall-93", "turn its normal"]),
    ([("normal = [0.0, 0.0, 1.0]", "normal = [0.0, 0.0, 0.0]")], ["normal is zero"]),
    ([("normal = [0.0, 0.0, 1.0]", "normal = [0.1, 0.0, 1.0]")],
     ["along x, which is periodic", "system.box.periodic"]),
    ([("normal = [0.0, 0.0, 1.0]", "normal = [0.0, 1.0]")], ["normal of 2 numbers", "3 dimensions"]),
    ([("epsilon = 2.0", "epsilon = -2.0")], ["epsilon = -2", "above zero"]),
    ([("epsilon = 2.0", "epsilon = 2.0\ncoupling = \"mass\"")], ["coupling"]),
    ([("epsilon = 2.0", "epsilon = 2.0\ncutoff = 3.0")], ["cutoff"]),
    ([("epsilon = 2.0", "epsilon = 2.0\nspecies = [\"W\"]")], ["no species W"]),
    ([("epsilon = 2.0", "epsilon = 2.0\nspecies = []")], ["empty list of species"]),
    ([('type = "wall-93"', 'type = "wall93"')], ["wall93", "wall-93"]),
    ([('type = "energy-terms"', 'type = "configurational"')], ["configurational"]),
])
def test_walls_that_are_wrong_are_refused(edits, words, tmp_path):
    result = check(tmp_path, edited(*edits, base=BETWEEN_WALLS))
    assert result.status == 2, result.err
    text = " ".join(match.group(0) for match in result.errors())
    for word in words:
        assert word in text, text


FIELD = '[integrator]\nmethod = "verlet"'


@pytest.mark.parametrize("field, words", [
    ('type = "cosine-field"\namplitude = 1.0', ["without a wave", "periods"]),
    ('type = "cosine-field"\namplitude = 1.0\nperiods = [1.5, 0, 0]', ["not whole"]),
    ('type = "cosine-field"\namplitude = 1.0\nwave_vector = [1.0, 0.0, 0.0]', ["give periods"]),
    ('type = "cosine-field"\namplitude = nan\nperiods = [1, 0, 0]', ["amplitude"]),
    ('type = "uniform-field"', ["strength"]),
    ('type = "uniform-field"\nstrength = [0.0, 0.0, inf]', ["strength"]),
    ('type = "uniform-field"\nstrength = 1.0', ["strength"]),
    ('type = "uniform-field"\nstrength = [0.0, 0.0, 1.0]\ncoupling = "charge"', ["species without charge"]),
    ('type = "harmonic-trap"\nstiffness = [1.0, 0.0, 0.0]', ["along x, which is periodic"]),
    ('type = "harmonic-trap"\nstiffness = [-1.0, 0.0, 0.0]', ["not below zero"]),
    ('type = "harmonic-trap"\nstiffness = [0.0, 0.0, 0.0]', ["without a stiffness (it acts on nothing)"]),
])
def test_fields_that_are_wrong_are_refused(field, words, tmp_path):
    result = check(tmp_path, edited((FIELD, f"[[force]]\n{field}\n{FIELD}"), base=BASE))
    assert result.status == 2, result.err
    text = " ".join(match.group(0) for match in result.errors())
    for word in words:
        assert word in text, text


def test_conserved_momenta_are_those_of_all_fields_together(tmp_path):
    """Of 500 particles: one wave leaves two momenta, two crossed ones one."""
    wave = '[[force]]\ntype = "cosine-field"\namplitude = 0.1\nperiods = {}\n'
    for periods, freedom in ((["[1, 0, 0]"], 1498), (["[1, 0, 0]", "[0, 1, 0]"], 1499),
                             (["[1, 1, 1]", "[0, 2, 0]"], 1500)):
        text = "".join(wave.format(p) for p in periods)
        result = check(tmp_path, edited((FIELD, text + FIELD), base=BASE))
        assert result.status == 0, result.err
        assert f"{freedom} degrees of freedom" in result.out + result.err


def test_a_particle_in_a_trap_can_have_a_temperature(tmp_path):
    """Alone it has no momentum that would be removed."""
    text = """\
[system]
dimension = 3
box = { periodic = false }
lattice = { type = "sc", repeat = [1, 1, 1], constant = 1.0 }
velocity = { temperature = 1.5 }
[[force]]
type = "harmonic-trap"
stiffness = [1.0, 1.0, 1.0]
[integrator]
method = "verlet"
dt = 0.01
[run]
steps = 10
[[observe]]
type = "thermo"
every = 1
[output]
prefix = "out"
"""
    folder = Folder(tmp_path / "run", text)
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        assert file["observables/temperature/value"][0] == pytest.approx(1.5, rel=1e-12)
        assert file["observables/kinetic_energy/value"][0] == pytest.approx(2.25, rel=1e-12)


def test_the_same_field_twice_gets_a_word(tmp_path):
    field = '[[force]]\ntype = "uniform-field"\nstrength = [0.0, 0.0, 1.0]\n'
    result = check(tmp_path, edited((FIELD, field + field + FIELD), base=BASE))
    assert "force 3 (uniform-field) is the same as force 2" in result.err


IONS = """\
[system]
dimension = 2
box = { lengths = [12.0, 12.0] }
lattice = { type = "checkerboard", repeat = [4, 4], constant = 3.0 }
velocity = { temperature = 1.0 }
[[species]]
name = "P"
charge = 1.0
[[species]]
name = "M"
charge = -1.0
[[force]]
type = "wca"
epsilon = 1.0
sigma = 1.0
[[force]]
FIELD
[integrator]
method = "verlet"
dt = 0.002
[run]
steps = 50
[[observe]]
type = "thermo"
every = 10
[output]
prefix = "out"
"""
NO_COULOMB = "charges on which nothing acts"


def warnings(result):
    return [line for line in result.err.splitlines()
            if "warning" in line and NO_COULOMB not in line and "thermo" not in line]


@pytest.mark.parametrize("field, freedom, words", [
    ('type = "uniform-field"\nstrength = [0.5, 0.0]\ncoupling = "charge"', 126, []),
    ('type = "uniform-field"\nstrength = [0.5, 0.0]\n[[force]]\ntype = "uniform-field"\n'
     'strength = [-0.5, 0.0]', 126, ["uniform-field along x, which is periodic"] * 2),
    ('type = "uniform-field"\nstrength = [0.5, 0.0]', 127,
     ["uniform-field along x, which is periodic"]),
    ('type = "cosine-field"\namplitude = 0.5\nperiods = [1, 0]', 127, []),
    ('type = "cosine-field"\namplitude = 0.5\nperiods = [1, 1]', 128, ["across an oblique field"]),
    ('type = "cosine-field"\namplitude = 0.5\nperiods = [1, 1]\n[[force]]\n'
     'type = "cosine-field"\namplitude = 0.5\nperiods = [1, 2]', 128, []),
    *(('type = "uniform-field"\nstrength = [0.5, 0.0]\nspecies = ["P"]\nmodulation = { period = 1.0 }\n[[force]]\n'
       f'type = "uniform-field"\nstrength = [-0.5, 0.0]\nspecies = ["M"]\nmodulation = {{ period = {period} }}', 127, words)
      for period, words in ((1.0, ["uniform-field along x, which is periodic"] * 2 + ["along fields that change alike and cancel"]),
                            (1.1, ["uniform-field along x, which is periodic"] * 2))),
])
def test_what_fields_leave_is_counted_or_told(field, freedom, words, tmp_path):
    """Of 64 ions. What is conserved is zero, and the start is not called one at rest."""
    folder = Folder(tmp_path / "run", IONS.replace("FIELD", field))
    result = folder.run()
    assert f"{freedom} degrees of freedom" in result.err
    told = warnings(result)
    assert len(told) == len(words), told
    for line, word in zip(told, words):
        assert word in line
    with h5py.File(folder.path / "out.h5") as file:
        momentum = file["observables/momentum/value"][...]
    if freedom == 126:
        assert np.abs(momentum).max() < 1e-3


def test_equal_stiffnesses_are_told(tmp_path):
    trap = 'type = "harmonic-trap"\nstiffness = [1.0, 1.0]'
    text = IONS.replace("lengths = [12.0, 12.0]", "periodic = false")
    folder = Folder(tmp_path / "equal", text.replace("FIELD", trap))
    told = warnings(folder.run())
    assert len(told) == 1 and "angular momentum about the centre of the trap" in told[0]
    folder = Folder(tmp_path / "other", text.replace("FIELD", trap.replace("[1.0,", "[2.0,")))
    assert warnings(folder.run()) == []


@pytest.mark.parametrize("more, told", [
    ("", 0), ('coupling = "mass"', 0), ('coupling = "charge"', 1), ('coupling = "charge"\nspecies = ["P"]', 0)])
def test_a_trap_that_is_a_hill_for_some_charges(more, told, tmp_path):
    text = IONS.replace("lengths = [12.0, 12.0]", "periodic = false")
    result = check(tmp_path, text.replace("FIELD", f'type = "harmonic-trap"\nstiffness = [1.0, 2.0]\n{more}'))
    assert result.status == 0, result.err
    hills = [line for line in result.err.splitlines() if 'with coupling = "charge" on M, whose charge is negative' in line]
    assert len(hills) == told, result.err
    assert (NO_COULOMB in result.err) == ("charge" not in more)


@pytest.mark.parametrize("length", ["1e-300", "1.0", "1e300"])
def test_normals_have_any_length(length, tmp_path):
    wall = f'type = "wall-harmonic"\nstiffness = 1.0\npoint = [0.0, 5.0]\nnormal = [0.0, {length}]'
    text = IONS.replace("lengths = [12.0, 12.0]", "periodic = [true, false], lengths = [12.0, 12.0]")
    folder = Folder(tmp_path / "run", text.replace("FIELD", wall))
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        # Rows at 0, 1.5, 3 and 4.5 below the wall, eight particles in each.
        assert file["observables/potential_energy/value"][0] == pytest.approx(
            4.0 * (5.0**2 + 3.5**2 + 2.0**2 + 0.5**2), rel=1e-12)
