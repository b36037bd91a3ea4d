# SPDX-License-Identifier: BSD-3-Clause
"""What one stage hands to the next: momenta, energies, temperature, degrees of freedom, time; and a motion of
the whole, which a Langevin bath makes, a method that conserves it does not count as heat, and no correlation
in time takes for diffusion."""
import json
import re

import h5py
import numpy
import pytest

from analysis_run import box_lengths
from harness import mdrun
from runs import MIXTURE, SHORT_FORCE, Folder, one_stage, refuse_difference, staged

BAOAB = 'method = "baoab"\ndt = 0.004\ntemperature = 1.2\nfriction = 2.0'
VERLET = 'method = "verlet"\ndt = 0.005'
NOSE = 'method = "nose-poincare"\ndt = 0.002\ntemperature = 1.2\nmass = 100.0'
HOOVER = 'method = "nose-hoover"\ndt = 0.002\ntemperature = 1.2\nperiod = 0.4'
#: Steps that go nowhere, so that the first shows what a stage begins with: forces times dt, and noise of the size of
#: sqrt(dt), are small beside 1e-5.
STILL = {method: re.sub("dt = [0-9.]*", "dt = 1e-12", method) for method in (BAOAB, VERLET, NOSE, HOOVER)}
MINIMIZE = 'method = "minimize"\nforce_tolerance = 1e-3'
#: dimension, periodic directions, components of the angular momentum that such a box conserves
BOXES = {
    "line": (1, [True], 0), "open line": (1, [False], 0), "plane": (2, [True] * 2, 0),
    "strip": (2, [True, False], 0), "open plane": (2, [False] * 2, 1), "space": (3, [True] * 3, 0),
    "slab": (3, [True, True, False], 0), "wire": (3, [False, False, True], 1), "cluster": (3, [False] * 3, 3)}
LATTICES = {1: 'type = "random", count = 24, min_distance = 1.0', 2: 'type = "triangular", repeat = [6, 5]',
            3: 'type = "fcc", repeat = [4, 4, 4]'}
THERMO = '[[stage.observe]]\ntype = "thermo"\nevery = 1\n'


def system(box, velocity="velocity = { temperature = 1.2 }"):
    dimension, periodic, _ = BOXES[box]
    return (f"seed = 3\n[system]\ndimension = {dimension}\n"
            f"box = {{ density = {0.6 if dimension == 1 else 0.7}, periodic = {json.dumps(periodic)} }}\n"
            f"lattice = {{ {LATTICES[dimension]} }}\n{velocity}\n{MIXTURE}")


def stages(*each, system, force=SHORT_FORCE, observe=THERMO):
    """An input with stages (integrator, steps, further keys of the stage)."""
    text = system + force
    for k, (integrator, steps, more) in enumerate(each):
        text += f'[[stage]]\nname = "{k}"\nsteps = {steps}\n{more}\n[stage.integrator]\n{integrator}\n{observe}'
    return text + '[output]\nprefix = "out"\ntrajectory = { every = 1, fields = ["position", "velocity", "image"] }\n'


class Run:
    """What a run says and leaves: series, frames, the summary of each stage, the log."""

    def __init__(self, folder, *more):
        self.log = folder.run(*more).err
        self.stages = json.loads((folder.path / "summary.json").read_text())["stages"]
        with h5py.File(folder.path / "out.h5") as file:
            found = file["observables"]
            self.series = {name: item["value"][:] for name, item in found.items()}
            # Those of the last stage that has them; NAME_stage_1 where its axes are its own.
            self.arrays = {name.partition("_stage_")[0]: item["value"][-1] for name, item in
                           sorted(file.get("averages", {}).items(), key=lambda named: named[1]["stage"][-1])}
            self.step, self.time = (found["temperature"][name][:] for name in ("step", "time"))
            particles = file["particles/all"]
            self.x, self.v = (particles[f"{name}/value"][:] for name in ("position", "velocity"))
            assert list(particles["velocity/step"][:]) == list(self.step)
            self.mass = particles["mass"][:]
            self.length = box_lengths(particles) if "edges" in particles["box"] else None

    def around(self, stage):
        """The last row of the stage before, and that of the first step of a stage."""
        last = numpy.flatnonzero(self.step == sum(s["steps"] for s in self.stages[:stage]))
        assert len(last) == 1 and self.step[last[0] + 1] == self.step[last[0]] + 1
        return last[0], last[0] + 1

    def kinetic(self, v):
        return 0.5 * (self.mass[:, None] * v ** 2).sum()


def rigid(x, v, mass, turns):
    """Velocities that all particles have together: the nearest translation and rotations in planes `turns`,
    in the metric of the masses."""
    n, dimension = x.shape
    fields = [numpy.tile(row, (n, 1)) for row in numpy.eye(dimension)]
    for a, b in turns:
        field = numpy.zeros((n, dimension))
        field[:, a], field[:, b] = -(x - x.mean(axis=0))[:, b], (x - x.mean(axis=0))[:, a]
        fields.append(field)
    fields = numpy.array(fields)
    gram = numpy.einsum("i,kid,lid->kl", mass, fields, fields)
    weights = numpy.linalg.lstsq(gram, numpy.einsum("i,kid,id->k", mass, fields, v), rcond=None)[0]
    return numpy.einsum("k,kid->id", weights, fields)


def forces(x, length):
    """Of SHORT_FORCE, and the potential energy."""
    dx = x[:, None] - x[None]
    dx -= length * numpy.round(dx / length)
    r = numpy.sqrt((dx ** 2).sum(axis=2)) + numpy.where(numpy.eye(len(x)), numpy.inf, 0.0)
    slope = lambda s: 48 * s ** -13.0 - 24 * s ** -7.0  # -du/dr
    f = numpy.where(r < 2.0, slope(r) - slope(2.0), 0.0)
    return ((f / r)[:, :, None] * dx).sum(axis=1)


@pytest.mark.parametrize("method", [VERLET, NOSE, HOOVER], ids=["verlet", "nose-poincare", "nose-hoover"])
@pytest.mark.parametrize("box", BOXES)
def test_motion_of_the_whole_ends_where_it_is_conserved(box, method, tmp_path):
    dimension, periodic, components = BOXES[box]
    turns = [(a, b) for a, b in [(0, 1), (1, 2), (2, 0)][:3 if dimension == 3 else dimension - 1]
             if not periodic[a] and not periodic[b]]
    assert len(turns) == components
    run = Run(Folder(tmp_path / "run", stages((BAOAB, 100, ""), (STILL[method], 1, ""), (method, 50, ""),
                                              system=system(box)), "compute.precision=double"))
    last, first = run.around(1)
    n = len(run.mass)
    whole = rigid(run.x[last], run.v[last], run.mass, turns)
    removed = run.kinetic(whole)
    numpy.testing.assert_allclose(run.v[first], run.v[last] - whole, atol=1e-8)
    numpy.testing.assert_allclose(run.x[first], run.x[last], atol=1e-8)
    # What the bath gave is a random number of the size of kT / 2 for each component, and all of it is gone.
    assert removed > 1e-3
    assert run.series["kinetic_energy"][first] == pytest.approx(run.series["kinetic_energy"][last] - removed, rel=1e-8)
    bathed, free, longer = run.stages
    assert free["removed_energy"] == pytest.approx(removed, rel=1e-9)
    assert bathed["removed_energy"] == longer["removed_energy"] == 0.0
    assert "the motion of the whole is removed" in run.log
    # Degrees of freedom: all, and those that are left.
    assert bathed["degrees_of_freedom"] == dimension * n
    freedom = free["degrees_of_freedom"]
    assert freedom == dimension * n - dimension - components
    for rows, f in ((slice(0, first), dimension * n), (slice(first, None), freedom)):
        numpy.testing.assert_allclose(run.series["temperature"][rows], 2 * run.series["kinetic_energy"][rows] / f,
                                      rtol=1e-12)
    # And it stays so, to rounding in 50 kicks.
    for row in (first, first + 10, len(run.v) - 1):
        assert abs(rigid(run.x[row], run.v[row], run.mass, turns)).max() < 1e-11
    assert bathed["ensemble"] == "NVT, total momentum fluctuates"
    assert free["ensemble"] == (("NVE" if method == VERLET else "NVT") + ", total momentum zero"
                                + (", angular momentum zero" if turns else ""))
    assert longer["ensemble"] == free["ensemble"] and longer["degrees_of_freedom"] == freedom
    assert f"{free['ensemble']}; {freedom} degrees of freedom" in run.log


def test_nose_poincare_to_verlet(tmp_path):
    """With another step: velocities, temperature and time go on, and the motion is Verlet's."""
    box = "space"
    run = Run(Folder(tmp_path / "run", stages((BAOAB, 50, ""), (NOSE, 200, ""), (VERLET, 30, ""), system=system(box)),
                     "compute.precision=double"))
    last, _ = run.around(2)
    n = len(run.mass)
    assert all(run.stages[k]["degrees_of_freedom"] == 3 * n - 3 for k in (1, 2))
    numpy.testing.assert_allclose(run.series["temperature"][last:],
                                  [2 * run.kinetic(v) / (3 * n - 3) for v in run.v[last:]], rtol=1e-12)
    numpy.testing.assert_allclose(run.time[last:], 50 * 0.004 + 200 * 0.002 + 0.005 * numpy.arange(31), rtol=1e-14)
    assert [s["time"] for s in run.stages] == pytest.approx([0.2, 0.4, 0.15], rel=1e-12)
    # The motion goes on from the physical velocities; s is not 1 by now, or the drift of a wrong one would not show.
    x, v, dt = run.x[last], run.v[last], 0.005
    f = forces(x, run.length)
    for row in range(last + 1, len(run.x)):
        v = v + 0.5 * dt * f / run.mass[:, None]
        x = x + dt * v
        f = forces(x, run.length)
        v = v + 0.5 * dt * f / run.mass[:, None]
        apart = x - run.x[row]
        # Rounding grows by less than a factor of 100 within 30 steps.
        assert abs(apart - run.length * numpy.round(apart / run.length)).max() < 1e-11
        assert abs(v - run.v[row]).max() < 1e-11


def test_velocity_correlations_in_a_nose_bath_are_of_velocities(tmp_path):
    """Not of the momenta of its Hamiltonian, which are s times as large."""
    observe = THERMO + '[[stage.observe]]\ntype = "vacf"\nevery = 1\nwindow = 8\norigins = 1\nlongest = 8\n'
    text = stages((BAOAB, 20, ""), (NOSE, 400, "equilibration = 0"), system=system("space"), observe=observe)
    run = Run(Folder(tmp_path / "run", text, "compute.precision=double"))
    last, _ = run.around(1)
    v = run.v[last:]
    v[0] -= rigid(run.x[last], v[0], run.mass, [])
    for lag in (0, 1, 5, 8):
        pairs = [(k, k + lag) for k in range(0, len(v), 8) if k + lag < len(v)]
        expected = numpy.mean([(v[a] * v[b]).sum(axis=1).mean() for a, b in pairs])
        assert run.arrays["vacf"][lag] == pytest.approx(expected, rel=1e-10)


CORRELATIONS = """\
[[stage.observe]]
type = "thermo"
every = 1
[[stage.observe]]
type = "msd"
every = 2
window = 8
origins = 1
longest = 32
wavenumbers = [2.0]
[[stage.observe]]
type = "vacf"
every = 2
window = 8
origins = 1
longest = 16
[[stage.observe]]
type = "intermediate-scattering"
every = 2
wavenumbers = [1.5, 4.0]
window = 20
[[stage.observe]]
type = "velocity-distribution"
every = 2
largest = 4.0
bins = 7
[[stage.observe]]
type = "kinetic-energy-distribution"
every = 2
largest = 6.0
bins = 7
"""


def moving(path, boost, *each):
    """A mixture with a momentum of the whole, from a file."""
    n, length = 108, 5.4
    random = numpy.random.default_rng(4)
    cells = numpy.stack(numpy.meshgrid(*[numpy.arange(3)] * 3, indexing="ij"), -1).reshape(-1, 1, 3)
    corners = numpy.array([[0, 0, 0], [0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]])
    x = ((cells + corners).reshape(-1, 3) + 0.1) * length / 3 + random.uniform(-0.05, 0.05, (n, 3))
    mass = numpy.where(numpy.arange(n) % 3 == 0, 3.0, 1.0)
    v = random.normal(size=(n, 3)) * (1.2 / mass[:, None]) ** 0.5
    v += boost - (mass[:, None] * v).sum(axis=0) / mass.sum()
    text = stages(*each, observe=CORRELATIONS, system="seed = 1\n[system]\ndimension = 3\nfile = \"start.xyz\"\n"
                  f"box = {{ lengths = {[length] * 3} }}\n" + MIXTURE.replace("fraction = 0.7\n", "").replace("fraction = 0.3\n", ""))
    folder = Folder(path, text, "compute.precision=double")
    rows = [" ".join(["B" if m > 2 else "A", *(repr(float(number)) for number in (*a, *b))])
            for m, a, b in zip(mass, x, v)]
    (folder.path / "start.xyz").write_text(f"{n}\nProperties=species:S:1:pos:R:3:velo:R:3\n" + "\n".join(rows) + "\n")
    return Run(folder), 0.5 * mass.sum() * (numpy.array(boost) ** 2).sum()


def test_a_start_that_moves_as_a_whole(tmp_path):
    """At constant energy it keeps its momentum, and everything but that is as in the frame of the centre of mass."""
    still, _ = moving(tmp_path / "still", (0.0, 0.0, 0.0), (VERLET, 200, ""))
    run, energy = moving(tmp_path / "moving", (0.9, -2.1, 0.4), (VERLET, 200, ""))
    n = len(run.mass)
    assert float(re.search(r"start: T = (\S+)", run.log)[1]) == pytest.approx(still.series["temperature"][0], rel=1e-5)
    numpy.testing.assert_allclose(run.series["momentum"], numpy.tile(run.mass.sum() * numpy.array([0.9, -2.1, 0.4]),
                                                                     (201, 1)), rtol=1e-12)
    numpy.testing.assert_allclose(run.series["kinetic_energy"] - energy, still.series["kinetic_energy"], rtol=1e-9)
    # Rounding differs, and grows by less than 1e4 within t = 1; counts in bins may differ by a particle at an edge.
    for name in ("temperature", "pressure", "potential_energy", "velocity_excess", "kinetic_energy_excess"):
        numpy.testing.assert_allclose(run.series[name], still.series[name], rtol=1e-9, atol=1e-9, err_msg=name)
    assert {"msd", "diffusion", "non_gaussian", "self_scattering", "vacf", "diffusion_green_kubo",
            "intermediate_scattering", "velocity_distribution", "kinetic_energy_distribution",
            "msd_A", "vacf_B"} <= run.arrays.keys()
    for name, array in still.arrays.items():
        few = 2.0 / (101 * n) if name.startswith(("velocity_d", "kinetic_energy_d")) else 0.0
        numpy.testing.assert_allclose(run.arrays[name], array, rtol=1e-9, atol=1e-9 + few, err_msg=name)
    for name in ("heat_capacity", "thermal_pressure_coefficient"):
        assert run.stages[0]["fluctuations"][name]["value"] == pytest.approx(
            still.stages[0]["fluctuations"][name]["value"], rel=1e-6)
    assert run.stages[0]["ensemble"] == "NVE, total momentum conserved"
    assert still.stages[0]["ensemble"] == "NVE, total momentum zero"
    assert run.stages[0]["removed_energy"] == 0.0


def test_a_bath_does_not_take_a_moving_start_for_heat(tmp_path):
    run, energy = moving(tmp_path / "run", (0.9, -2.1, 0.4), (NOSE, 50, ""), (VERLET, 50, ""))
    assert run.stages[0]["removed_energy"] == pytest.approx(energy, rel=1e-12)
    assert run.stages[1]["removed_energy"] == 0.0
    assert [s["ensemble"] for s in run.stages] == ["NVT, total momentum zero", "NVE, total momentum zero"]
    numpy.testing.assert_allclose(run.series["momentum"], 0.0, atol=1e-11)
    numpy.testing.assert_allclose(run.series["temperature"], [2 * run.kinetic(v) / (3 * len(run.mass) - 3) for v in run.v],
                                  rtol=1e-12)


def test_a_start_that_rotates_is_told(tmp_path):
    """An open box conserves the rotation, and that of the file may be meant."""
    n = 7
    angle = 2 * numpy.pi * numpy.arange(n) / n
    x = numpy.stack([3 * numpy.cos(angle), 3 * numpy.sin(angle)], 1)
    v = numpy.stack([-numpy.sin(angle), numpy.cos(angle)], 1)
    text = one_stage(VERLET, 5, system='[system]\ndimension = 2\nfile = "start.xyz"\nbox = { periodic = false }\n',
                     force=SHORT_FORCE)
    folder = Folder(tmp_path / "run", text)
    (folder.path / "start.xyz").write_text(f"{n}\nProperties=species:S:1:pos:R:3:velo:R:3\n" + "\n".join(
        f"A {a[0]} {a[1]} 0 {b[0]} {b[1]} 0" for a, b in zip(x, v)) + "\n")
    log = folder.run().err
    assert "rotate as a whole, with 3.5 of the kinetic energy 3.5" in log
    assert "total momentum zero, angular momentum conserved" in log


def test_velocities_after_minimisations(tmp_path):
    """Those of the start, which a minimisation takes, are drawn after it; a stage may draw its own."""
    draw = "velocity = { temperature = 0.5 }"
    run = Run(Folder(tmp_path / "run", stages(
        (MINIMIZE, 64, ""), (MINIMIZE, 64, ""), (STILL[VERLET], 3, ""), (STILL[VERLET], 3, draw), (STILL[BAOAB], 3, draw),
        (STILL[NOSE], 3, draw), (MINIMIZE, 64, ""), (STILL[VERLET], 3, ""), system=system("cluster")), "compute.precision=double"))
    first = [run.around(k)[1] for k in range(1, 8)]
    n, v = len(run.mass), {k + 1: run.v[row] for k, row in enumerate(first)}
    assert abs(v[7]).max() < 1e-9
    for k, kT in ((2, 1.2), (3, 0.5), (4, 0.5), (5, 0.5)):
        assert 2 * run.kinetic(v[k]) == pytest.approx((3 * n - 6) * kT, rel=1e-6)
        whole = rigid(run.x[first[k - 1]], v[k], run.mass, [(0, 1), (1, 2), (2, 0)])
        assert abs(whole).max() < 1e-5
    scaled = [v[k] * (run.mass[:, None] / (1.2 if k == 2 else 0.5)) ** 0.5 for k in (2, 3, 4, 5)]
    # Independent draws: a mean of 3 n products has a deviation of 1 / sqrt(3 n); five of them.
    for a in range(4):
        for b in range(a):
            assert abs((scaled[a] * scaled[b]).mean()) < 5 / (3 * n) ** 0.5
    log = run.log.splitlines()
    assert sum("velocities are drawn at the temperature 1.2 of system.velocity" in line for line in log) == 1
    assert sum(line.endswith("velocities are drawn at the temperature 0.5") for line in log) == 3
    assert sum("warning" in line and "start at rest" in line for line in log) == 1
    assert run.stages[4]["degrees_of_freedom"] == 3 * n and run.stages[5]["degrees_of_freedom"] == 3 * n - 6


@pytest.mark.parametrize("velocity, method, says", [
    ("", VERLET, "warning"), ("", NOSE, "warning"), ("velocity = { temperature = 0.0 }", VERLET, "the particles start at rest"),
    ("", BAOAB, ""), ("velocity = { temperature = 0.1 }", VERLET, "")])
def test_a_start_at_rest_is_told(velocity, method, says, tmp_path):
    text = one_stage(method, 5, system=system("plane", velocity), force=SHORT_FORCE)
    lines = [line for line in Folder(tmp_path / "run", text).run().err.splitlines() if "at rest" in line]
    assert len(lines) == (1 if says else 0)
    assert all(says in line for line in lines)
    assert all(("warning" in line) == (says == "warning") for line in lines)


def test_velocities_of_a_file_are_lost_in_a_minimisation(tmp_path):
    run, _ = moving(tmp_path / "run", (0.0, 0.0, 0.0), (VERLET, 40, ""))
    assert "lost" not in run.log
    text = (tmp_path / "run" / "in.toml").read_text().replace(VERLET, MINIMIZE)
    text = text[:text.index("[[stage.observe]]")] + (
        f'[[stage]]\nname = "next"\nsteps = 1\n[stage.integrator]\n{BAOAB}\n' + text[text.index("[output]"):])
    folder = Folder(tmp_path / "lost", text)
    (folder.path / "start.xyz").write_text((tmp_path / "run" / "start.xyz").read_text())
    assert "the velocities of the file are lost" in folder.run().err


@pytest.mark.parametrize("first", [BAOAB, MINIMIZE], ids=["baoab", "minimize"])
@pytest.mark.parametrize("second", [VERLET, NOSE, HOOVER], ids=["verlet", "nose-poincare", "nose-hoover"])
def test_what_a_stage_took_over_survives_a_restart(first, second, tmp_path):
    for more in ("", "velocity = { temperature = 0.7 }"):
        text = stages((first, 40, ""), (second, 60, more), system=system("cluster")).replace("every = 1, f", "every = 7, f")
        name = "drawn" if more else "kept"
        # The skin, or it would depend on the steps that the first input asks for.
        whole, parts = (Folder(tmp_path / f"{part} {name}", text, "compute.skin=0.3") for part in ("whole", "parts"))
        whole.run()
        for steps in (0, 33, 60):
            parts.run("--set", f"stage.1.steps={steps}", *(["--resume"] if parts.checkpoint.exists() else []))
        refuse_difference(whole, parts)


@pytest.mark.parametrize("change, says", [
    (("velocity = { temperature = 0.7 }", "velocity = { temperature = -0.7 }"), "temperature -0.7"),
    (("velocity = { temperature = 0.7 }", "velocity = { }"), "neither"),
    (("velocity = { temperature = 0.7 }", "velocity = { temprature = 0.7 }"), "temprature"),
    (("velocity = { temperature = 0.7 }", "velocity = { temperature = 0.7, momentum = 1 }"), '"momentum"'),
    ((VERLET, MINIMIZE), "velocity in a minimisation")])
def test_velocities_that_cannot_be_drawn(change, says, tmp_path):
    text = stages((BAOAB, 5, ""), (VERLET, 5, "velocity = { temperature = 0.7 }"), system=system("plane"))
    assert change[0] in text
    folder = Folder(tmp_path / "run", text.replace(*change))
    result = mdrun("in.toml", cwd=folder.path)
    assert result.status == 2 and any(says in error.group(0) for error in result.errors())


def test_other_velocities_are_another_run(tmp_path):
    text = stages((BAOAB, 5, ""), (VERLET, 5, "velocity = { temperature = 0.7 }"), system=system("plane"))
    folder = Folder(tmp_path / "run", text)
    folder.run()
    result = mdrun(*folder.arguments("--resume", "--set", "stage.1.velocity.temperature=0.8"), cwd=folder.path)
    assert result.status == 2 and "velocity" in result.message()
