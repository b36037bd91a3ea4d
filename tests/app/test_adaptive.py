# SPDX-License-Identifier: BSD-3-Clause
"""Steps that follow the motion: time, averages over it, restarts, threads, and what is refused."""

import json

import h5py
import numpy as np
import pytest
from harness import mdrun
from runs import FORCE, LIQUID, MIXTURE, ONE_STEP, THERMO, VERLET, Folder, one_stage, refuse_difference, refuse_thread_differences, staged

#: Two particles of mass 2 on a line: the Lennard-Jones oscillator of Leimkuhler and Reich, section 4.2, thrown at its wall.
DUMBBELL = """\
[system]
dimension = 1
box = { periodic = false }
file = "pair.xyz"
[[species]]
name = "A"
mass = 2.0
"""
PAIR = """\
2
pbc="F F F" Properties=species:S:1:pos:R:3
A 0.0 0 0
A 2.0 0 0
"""
WELL = """\
[[force]]
type = "lennard-jones"
epsilon = 1.0
r_min = 1.0
cutoff = inf
"""
TRAP = """\
[[force]]
type = "harmonic-bond"
k = 1.0
r0 = 1.0
"""
METHODS = {
    "kinetic": 'method = "adaptive-verlet"\nobjective = "kinetic-energy"\noffset = 0.5',
    "potential": 'method = "adaptive-verlet"\nobjective = "potential-energy"\noffset = 1.5\nrule = "mean"',
    "arclength": 'method = "adaptive-verlet"\nobjective = "arclength"\nvelocity_time = 0.05\nreference = 0.3\nlongest = 0.02',
    "density": 'method = "step-density"\noffset = 0.5',
    "density-potential": 'method = "step-density"\nobjective = "potential-energy"\noffset = 1.5\nshortest = 0.0005',
    "scaled": 'method = "energy-scaled"\noffset = 1.5',
    "scaled-kinetic": 'method = "energy-scaled"\nobjective = "kinetic-energy"\noffset = 0.5',
    "poincare": 'method = "poincare"\noffset = 1.5',
    "sum": 'method = "adaptive-verlet"\nobjective = "pair-sum"\noffset = 0.2\npower = 0.7',
    "density-sum": 'method = "step-density"\nobjective = "pair-sum"\noffset = 0.2\npower = 0.7'}
#: What is large near the wall.
SUM = '[[step_sum]]\ntype = "gaussian-core"\nepsilon = 10.0\nsigma = 0.6\ncutoff = 4.0\n'
LIQUID_METHODS = {
    "adaptive": 'method = "adaptive-verlet"\ndt = 0.004\nlongest = 0.01',
    "energy": 'method = "adaptive-verlet"\nobjective = "potential-energy"\npower = 4.0\ndt = 0.004',
    "density": 'method = "step-density"\ndt = 0.004\npower = 2',
    "scaled": 'method = "energy-scaled"\ndt = 0.004\npower = 2',
    "poincare": 'method = "poincare"\ndt = 0.004\npower = 2',
    "sum": 'method = "step-density"\nobjective = "pair-sum"\ndt = 0.004\npower = 2',
    "nose": 'method = "nose-separated"\ndt = 0.004\ntemperature = [[2, 1.0], [9, 1.2]]\nmass = 5.0'}
LIQUID_SUM = '[[step_sum]]\ntype = "gaussian-core"\nepsilon = 1.0\nsigma = 0.6\ncutoff = 2.0\n'
#: Steps of the run that are as long as several of the method.
EVEN_METHODS = {name: method + "\ninterval = 0.02" for name, method in LIQUID_METHODS.items() if name != "nose"}
#: The same times by steps of one length, whose output is processed.
PROCESSED = 'method = "blanes-processed-6"\ndt = 0.01'


def rows(folder, name, what="value"):
    with h5py.File(folder.path / "out.h5") as file:
        return file[f"observables/{name}/{what}"][:]


def averages(folder):
    return json.loads((folder.path / "summary.json").read_text())["averages"]


def with_sum(force, method):
    """A sum over pairs, where steps follow one."""
    return force if "pair-sum" not in method else force + (SUM if force is WELL else LIQUID_SUM)


def dumbbell(path, method, steps, every=1):
    folder = Folder(path, one_stage(method, steps, f'[[observe]]\ntype = "thermo"\nevery = {every}\n', DUMBBELL, with_sum(WELL, method)).replace(
        "trajectory = { every = 100 }", ""), 'compute.precision="double"', "run.equilibration=0")
    (folder.path / "pair.xyz").write_text(PAIR)
    folder.run()
    return folder


def exact_mean(energy):
    """Of the potential energy over a period: dt = dq / |q'|, with q = r cos^2 + R sin^2 between the turning points."""
    def potential(q):
        return q**-12 - 2.0 * q**-6

    def turn(low, high):
        for _ in range(200):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if (potential(middle) - energy) * (potential(high) - energy) <= 0 else (low, middle)
        return 0.5 * (low + high)

    near, far = turn(0.5, 1.0), turn(1.0, 50.0)
    angle = (np.arange(200_000) + 0.5) * 0.5 * np.pi / 200_000
    q = near * np.cos(angle)**2 + far * np.sin(angle)**2
    time = 2.0 * (far - near) * np.sin(angle) * np.cos(angle) / np.sqrt(2.0 * (energy - potential(q)))
    return np.sum(potential(q) * time) / np.sum(time)


@pytest.mark.parametrize("name", METHODS)
def test_averages_are_those_over_time(name, tmp_path):
    """Of a long fall onto the repulsive wall: rows are close together there, and their mean without weights is another one."""
    folder = dumbbell(tmp_path / "run", METHODS[name] + "\ndt = 0.01", 60_000)
    potential, step, time = rows(folder, "potential_energy"), rows(folder, "step_length"), rows(folder, "potential_energy", "time")
    energy = potential[0]
    mean = averages(folder)["potential_energy"]["mean"]
    exact = exact_mean(energy)
    # Of whole periods: what is cut off at the end is a part of one.
    periods = np.sum(np.diff(np.sign(np.diff(potential))) > 0)
    assert periods > 50
    assert mean == pytest.approx(np.sum(step * potential) / np.sum(step), rel=1e-9)
    assert abs(mean - exact) < 1.5 * abs(exact) / periods + 0.01 * abs(exact)
    assert abs(potential.mean() - exact) > 0.1 * abs(exact)
    # Time goes on by steps, whose lengths are those of both ends.
    assert time[0] == 0.0
    assert np.diff(time) == pytest.approx(0.5 * (step[1:] + step[:-1]), rel=0.03 if name != "poincare" else 0.06)
    assert np.sum(step) == pytest.approx(time[-1], rel=1e-3)
    # And the energy does not drift.
    total = rows(folder, "total_energy") - energy
    halves = np.abs(total[:30_000]).max(), np.abs(total[30_000:]).max()
    assert halves[1] < 1.2 * halves[0] < 0.1


def test_a_harmonic_bond_has_half_of_its_energy_in_each_form(tmp_path):
    """Virial theorem, of one oscillation: with weights, whatever steps follow."""
    text = one_stage('method = "adaptive-verlet"\nobjective = "kinetic-energy"\noffset = 0.05\ndt = 0.01', 50_000,
                     '[[observe]]\ntype = "thermo"\nevery = 7\n', DUMBBELL + '[[molecule]]\natoms = ["A", "A"]\nbonds = [{ atoms = [0, 1] }]\ncount = 1\nexclude = 1\n', TRAP)
    folder = Folder(tmp_path / "run", text.replace("trajectory = { every = 100 }", ""), 'compute.precision="double"', "run.equilibration=0")
    (folder.path / "pair.xyz").write_text(PAIR)
    folder.run()
    means = averages(folder)
    assert means["potential_energy"]["mean"] == pytest.approx(0.25, rel=5e-3)
    assert means["kinetic_energy"]["mean"] == pytest.approx(0.25, rel=5e-3)
    assert abs(rows(folder, "potential_energy").mean() - 0.25) > 0.03


def in_pieces(path, method):
    """A run with a stage of this method between others, to which one that was stopped again and again is the same to the bit."""
    text = staged(("before", VERLET, 3), ("follow", method, 14), ("after", VERLET, 4), system=LIQUID + MIXTURE, force=with_sum(FORCE, method))
    whole, pieces = Folder(path / "whole", text), Folder(path / "pieces", text)
    whole.run()
    pieces.run_in_pieces()
    assert pieces.step_of_checkpoint() == 21
    refuse_difference(whole, pieces)
    return whole


@pytest.mark.parametrize("name", LIQUID_METHODS)
def test_a_run_goes_on_bitwise(name, tmp_path):
    """Also into and out of steps of one length, with the time of each row."""
    whole = in_pieces(tmp_path, LIQUID_METHODS[name])
    with h5py.File(whole.path / "out.h5") as file:
        time, step = (file[f"observables/temperature/{key}"][:] for key in ("time", "step"))
    assert np.all(np.diff(time) > 0) and time[-1] != pytest.approx(0.004 * step[-1], rel=1e-4)


@pytest.mark.parametrize("method", [*LIQUID_METHODS.values(), EVEN_METHODS["density"], PROCESSED], ids=[*LIQUID_METHODS, "even", "processed"])
def test_threads_leave_no_trace(method, tmp_path):
    refuse_thread_differences(tmp_path, one_stage(method, 40, system=LIQUID.replace("5, 5, 5", "8, 8, 8") + MIXTURE,
                                                  force=with_sum(FORCE, method)))


@pytest.mark.parametrize("name", LIQUID_METHODS)
def test_a_run_says_how_long_its_steps_were(name, tmp_path):
    folder = Folder(tmp_path / "run", one_stage(LIQUID_METHODS[name], 50, THERMO.replace("5", "1"),
                                                       force=with_sum(FORCE, LIQUID_METHODS[name])), 'compute.precision="double"')
    said = folder.run().err
    step = rows(folder, "step_length")
    assert "steps are from " in said
    shortest, longest = (float(word) for word in said.split("steps are from ")[1].split(" long")[0].split(" to "))
    assert 0.98 * step.min() <= shortest < longest <= 1.02 * step.max()
    assert rows(folder, "step_length", "time")[-1] == pytest.approx(np.sum(0.5 * (step[1:] + step[:-1])), rel=5e-3)


@pytest.mark.parametrize("keys, says", [
    ('objective = "temperature"', '"kinetic-energy"'),
    ("power = 0.0", "power"), ("power = -1.0", "power"), ("offset = 1.0", "offset for this objective"),
    ("velocity_time = 1.0", "velocity_time for this objective"), ('objective = "arclength"', "velocity_time"),
    ('objective = "arclength"\nvelocity_time = 0.0', "velocity_time"), ("reference = 0.0", "reference = 0 is out of range"),
    ("reference = -1.0", "reference = -1 is out of range"), ("shortest = -0.1", "shortest = -0.1 is out of range"),
    ("shortest = 0.2\nlongest = 0.1", "longest = 0.1 is not above shortest, 0.2"), ("longest = 0.0", "longest = 0 is not above"),
    ("longest = -inf", "longest"), ("power = nan", "power"), ('rule = "arithmetic"', '"harmonic"'),
    ('objective = "pair-sum"', "pair-sum without a [[step_sum]]"), ("interval = 0.0", "interval"), ("interval = inf", "interval"), ("interval = 0.5", "longer than 100 steps"),
    ("temperature = 1.0", "temperature"), ("dt = inf", "dt")])
def test_keys_that_are_refused(keys, says, tmp_path):
    method = 'method = "adaptive-verlet"' + ("" if "dt" in keys else "\ndt = 0.004")
    (tmp_path / "in.toml").write_text(one_stage(f"{method}\n{keys}", 10))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and says in result.err, result.err


@pytest.mark.parametrize("keys", ['objective = "largest-acceleration"', 'rule = "mean"', "velocity_time = 1.0"])
def test_a_density_follows_energies(keys, tmp_path):
    (tmp_path / "in.toml").write_text(one_stage(f'method = "step-density"\ndt = 0.004\n{keys}', 10))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and keys.split(" = ")[0] in result.err, result.err


@pytest.mark.parametrize("observe, says", [
    ('type = "msd"\nlongest = 20', "msd of step-density (its rows are not evenly spaced in time)"),
    ('type = "viscosity"\nwindow = 10', "its rows are not evenly spaced in time"),
    ('type = "rdf"\nbins = 20', "arrays are averaged without weights"),
    ('type = "thermo"\nevery = 2\n[[observe]]\ntype = "time-correlation"\nof = ["pressure"]\nwindow = 4',
     "time-correlation of step-density (its rows are not evenly spaced in time)"),
    ('type = "thermo"\nevery = 2\n[[observe]]\ntype = "distribution"\nof = ["pressure"]\nrange = [0, 1]',
     "distribution of step-density (its rows stand for times of different lengths")])
def test_observables_that_need_equal_steps(observe, says, tmp_path):
    (tmp_path / "in.toml").write_text(one_stage(LIQUID_METHODS["density"], 40, f"[[observe]]\n{observe}\nevery = 2\n"))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and says in result.err, result.err


def test_what_else_is_refused(tmp_path):
    text = one_stage(LIQUID_METHODS["adaptive"], 40)
    field = '[[force]]\ntype = "uniform-field"\nstrength = [0.1, 0.0, 0.0]\nmodulation = { type = "sine", period = 1.0 }\n'
    for wrong, says in ((text.replace("[run]", "[barostat]\npressure = 1.0\ntime = 1.0\ncompressibility = 0.1\n[run]"), "a barostat together with"),
                        (text.replace(FORCE, FORCE + field), "adaptive-verlet with a field with modulation")):
        (tmp_path / "in.toml").write_text(wrong)
        result = mdrun("in.toml", "--check", cwd=tmp_path)
        assert result.status == 2 and says in result.err, result.err
    (tmp_path / "in.toml").write_text(text)
    result = mdrun("in.toml", "--certify", cwd=tmp_path)
    assert result.status == 2 and "--certify of adaptive-verlet" in result.err, result.err


@pytest.mark.parametrize("keys, says", [
    ('objective = "kinetic-energy"', "no first step"),
    ('objective = "kinetic-energy"\nreference = 1.0', "no first step"),
    ('objective = "potential-energy"\noffset = 1e6\nreference = -1.0', "no first step")])
def test_a_start_that_gives_no_step(keys, says, tmp_path):
    text = one_stage(f'method = "adaptive-verlet"\ndt = 0.004\n{keys}', 10).replace("temperature = 1.0", "temperature = 0.0")
    folder = Folder(tmp_path / "run", text)
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert result.status == 3 and says in result.err, result.err


def test_steps_that_come_to_an_end_end_the_run(tmp_path):
    folder = Folder(tmp_path / "run", one_stage('method = "adaptive-verlet"\nlongest = 0.05\ndt = 0.01', 4000,
                                                system=DUMBBELL, force=WELL).replace("trajectory = { every = 100 }", ""), 'compute.precision="double"')
    (folder.path / "pair.xyz").write_text(PAIR)
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert result.status == 3 and "the length of a step has become zero" in result.err, result.err


def test_the_time_left_out_is_that_of_its_rows(tmp_path):
    """Steps of a crystal that melts, whose kinetic energy halves, become four times as long: not 0.4 of the time."""
    folder = Folder(tmp_path / "run", one_stage(LIQUID_METHODS["density"], 100), "run.equilibration=40")
    folder.run()
    step, time = rows(folder, "temperature", "step"), rows(folder, "temperature", "time")
    told = averages(folder)["temperature"]["discarded"]
    assert told["steps"] == 40
    # To half of a row at both ends; 0.4 of the time would be 0.52.
    assert told["time"] == pytest.approx(time[step == 40][0], abs=0.05 * time[-1])
    assert told["time"] < 0.35 * time[-1]


@pytest.mark.parametrize("name", EVEN_METHODS)
def test_even_outputs_go_on_bitwise(name, tmp_path):
    """Of stages between others, rows, frames and all; and their times are even to rounding."""
    whole = in_pieces(tmp_path, EVEN_METHODS[name])
    with h5py.File(whole.path / "out.h5") as file:
        time, step = (file[f"observables/temperature/{key}"][:] for key in ("time", "step"))
        assert "observables/step_length" not in file
    exact = 0.004 * np.minimum(step, 3) + 0.02 * np.clip(step - 3, 0, 14) + 0.004 * np.maximum(step - 17, 0)
    assert time == pytest.approx(exact, abs=1e-12)


def even_run(path, method, observe, steps=60, **keys):
    folder = Folder(path, one_stage(method, steps, observe, force=with_sum(FORCE, method), **keys), 'compute.precision="double"', "run.equilibration=0")
    folder.run()
    return folder


@pytest.mark.parametrize("name", EVEN_METHODS)
def test_output_at_even_times_is_that_of_the_motion(name, tmp_path):
    """Places and velocities of a crystal that melts, at times at which Verlet's steps have them too; and what needs even rows is allowed."""
    observe = THERMO.replace("5", "1") + '[[observe]]\ntype = "msd"\nevery = 1\nlongest = 10\n[[observe]]\ntype = "rdf"\nevery = 5\nbins = 20\n'
    method = EVEN_METHODS[name].replace("dt = 0.004", "dt = 0.001")
    even = even_run(tmp_path / "even", method, observe, 20)
    fine = even_run(tmp_path / "fine", 'method = "verlet"\ndt = 0.0005', THERMO.replace("5", "40"), 800)
    assert rows(even, "potential_energy", "time") == pytest.approx(rows(fine, "potential_energy", "time"), abs=1e-12)
    for quantity in ("potential_energy", "kinetic_energy", "pressure"):
        left, right = rows(even, quantity), rows(fine, quantity)
        # Errors of the order of dt^2 w^2, with w of 20 and more; 500 particles and a change by hundreds.
        assert np.abs(left - right).max() < 2e-3 * np.ptp(right), quantity
    with h5py.File(even.path / "out.h5") as file:
        names = []
        file.visit(names.append)
        assert any("rdf" in name for name in names) and any("msd" in name for name in names)
    means = averages(even)
    assert means["temperature"]["mean"] == pytest.approx(rows(even, "temperature").mean(), rel=1e-12)


def test_frames_are_at_even_times(tmp_path):
    """Also where no row is due; the end of the run is there, too."""
    text = one_stage(EVEN_METHODS["density"], 12, THERMO.replace("5", "4")).replace("every = 100", "every = 3")
    folder = Folder(tmp_path / "run", text, 'compute.precision="double"')
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        position = file["particles/all/position"]
        assert position["step"][:].tolist() == [0, 3, 6, 9, 12]
        assert position["time"][:] == pytest.approx([0.0, 0.06, 0.12, 0.18, 0.24], abs=1e-12)
    (stage,) = json.loads((folder.path / "summary.json").read_text())["stages"]
    assert stage["time"] == pytest.approx(0.24, abs=1e-12)


def test_a_processed_method_shows_what_it_has_processed(tmp_path):
    """Its energy keeps to order six, that of its kernel to order four, and looking at it does not change where it goes."""
    def error(method, dt, every=1):
        folder = even_run(tmp_path / f"{method}{dt}{every}", f'method = "{method}"\ndt = {dt}',
                          THERMO.replace("5", str(every)), round(0.4 / dt))
        total = rows(folder, "total_energy")
        return np.abs(total - total[0]).max(), rows(folder, "potential_energy")[-1]

    smooth = {}
    for dt in (0.02, 0.01):
        smooth[dt] = error("blanes-processed-6", dt)
    # A force-shifted potential has a jump in its second derivative: what is left of the order is seen against a method of order six of more steps.
    reference = error("blanes-moan-6", 0.005)
    assert smooth[0.01][0] < 0.2 * smooth[0.02][0]
    assert smooth[0.01][1] == pytest.approx(reference[1], rel=1e-5)
    assert error("blanes-processed-6", 0.02, 20)[1] == pytest.approx(smooth[0.02][1], rel=1e-9)


def test_a_processed_method_goes_on_bitwise(tmp_path):
    in_pieces(tmp_path, PROCESSED)


@pytest.mark.parametrize("extra, says", [
    ("[compute]\nreversible = true\n", "its output is not the state"),
    ("[shear]\nrate = 0.1\n", "its output is not the state"),
    ('[[force]]\ntype = "uniform-field"\nstrength = [0.1, 0.0, 0.0]\nmodulation = { period = 1.0 }\n', "its processor moves back and forth")])
def test_beside_a_processed_method(extra, says, tmp_path):
    (tmp_path / "in.toml").write_text(one_stage(PROCESSED, 10).replace("[run]", extra + "[run]"))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and says in result.err, result.err


@pytest.mark.parametrize("table, says", [
    ('type = "wca"\nepsilon = 1.0\nsigma = 1.0\nlevel = "fast"', "level of a step_sum"),
    ('type = "lennard-jones"\nepsilon = 1.0\nsigma = 1.0\ncutoff = 2.0\ntail = true', "tail of a step_sum"),
    ('type = "lennard-jones"\nepsilon = 1.0\nsigma = 1.0\ncutoff = 20.0', "cutoff"),
    ('type = "coulomb-pme"\naccuracy = 1e-4', "type"), ('type = "wca"\nepsilon = 1.0', "sigma"),
    ('type = "wca"\nepsilon = 1.0\nsigma = 1.0\nweight = 1.0', 'unknown key "weight"')])
def test_sums_that_are_refused(table, says, tmp_path):
    (tmp_path / "in.toml").write_text(one_stage(LIQUID_METHODS["sum"], 10, force=f"{FORCE}[[step_sum]]\n{table}\n"))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and says in result.err, result.err


def test_a_sum_that_nothing_follows(tmp_path):
    (tmp_path / "in.toml").write_text(one_stage(LIQUID_METHODS["density"], 10, force=FORCE + LIQUID_SUM))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and "a step_sum that no steps follow" in result.err, result.err


def test_a_sum_is_part_of_the_past(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(LIQUID_METHODS["sum"], 10, force=FORCE + LIQUID_SUM))
    folder.run()
    result = mdrun(*folder.arguments("--resume", "--set", "step_sum.0.sigma=0.7"), cwd=folder.path)
    assert result.status == 2 and "`step_sum[0].sigma` was 0.6 and is 0.7 now" in result.message()


def first_row(folder, start, precision="double"):
    """Of verlet from a file of another run: the energies of its start."""
    text = one_stage(VERLET, 1, THERMO.replace("5", "1"), system=f'[system]\ndimension = 3\nfile = "{folder.path / start}"\n')
    again = Folder(folder.path / f"from_{start}", text, f'compute.precision="{precision}"')
    again.run()
    with h5py.File(again.path / "out.h5") as file:
        return {name: file[f"observables/{name}/value"][0] for name in ("potential_energy", "total_energy")}


@pytest.mark.parametrize("method", [PROCESSED.replace("0.01", "0.02"), *EVEN_METHODS.values()], ids=["processed", *EVEN_METHODS])
def test_another_run_starts_where_this_one_was_seen(method, tmp_path):
    """From the results or the checkpoint, of a run that has ended or was stopped."""
    text = one_stage(method, 12, THERMO.replace("5", "1"), force=with_sum(FORCE, method))
    folder = Folder(tmp_path / "run", text, 'compute.precision="double"')
    folder.run()
    for start in ("out.h5", "out.checkpoint.h5"):
        last = {name: rows(folder, name)[-1] for name in ("potential_energy", "total_energy")}
        assert first_row(folder, start) == pytest.approx(last, rel=1e-11), start
    stopped = Folder(tmp_path / "stopped", text, 'compute.precision="double"')
    result = mdrun(*stopped.arguments("--set", f"run.{ONE_STEP}"), cwd=stopped.path)
    assert result.status == 75
    for start in ("out.h5", "out.checkpoint.h5"):
        last = {name: rows(stopped, name)[-1] for name in ("potential_energy", "total_energy")}
        assert first_row(stopped, start) == pytest.approx(last, rel=1e-11), start


@pytest.mark.parametrize("name", EVEN_METHODS)
def test_looking_more_often_changes_no_bit(name, tmp_path):
    method = EVEN_METHODS[name].replace("0.02", "0.01")
    often, rarely = (even_run(tmp_path / str(every), method, THERMO.replace("5", str(every)), 60) for every in (1, 20))
    assert rows(often, "kinetic_energy")[::20].tolist() == rows(rarely, "kinetic_energy").tolist()


def test_a_motion_that_explodes_within_an_interval(tmp_path):
    folder = Folder(tmp_path / "run", one_stage('method = "step-density"\ndt = 0.2\ninterval = 1.0', 10, THERMO.replace("5", "1")))
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert result.status == 3 and ("have not reached the end of an interval" in result.err or "explodes" in result.err), result.err


def test_a_start_with_small_forces_is_told(tmp_path):
    """Of a lattice, where they cancel."""
    for keys, steps in (("", 100), ("\ninterval = 0.02", 5)):
        folder = Folder(tmp_path / f"run{steps}", one_stage(f'method = "adaptive-verlet"\ndt = 0.004{keys}', steps))
        said = folder.run().err
        assert "times shorter than dt on average" in said and "give reference" in said, said
    folder = Folder(tmp_path / "good", one_stage('method = "adaptive-verlet"\ndt = 0.004\nreference = 100.0\nlongest = 0.01', 100))
    assert "shorter than dt" not in folder.run().err


@pytest.mark.parametrize("method", ["poincare", "energy-scaled"])
def test_an_energy_below_zero_is_told(method, tmp_path):
    for keys, told in (("", True), ("\noffset = 1e5", False)):
        folder = Folder(tmp_path / f"run{told}", one_stage(f'method = "{method}"\ndt = 0.004{keys}', 5))
        assert ("is below zero: they are short where it is deep" in folder.run().err) == told


def test_certify_tells_before_it_tries(tmp_path):
    text = staged(("before", VERLET, 4000), ("follow", LIQUID_METHODS["density"], 14))
    (tmp_path / "in.toml").write_text(text)
    result = mdrun("in.toml", "--certify", cwd=tmp_path)
    assert result.status == 2 and "--certify of step-density" in result.err and "before" not in result.out, result.out


def test_the_input_that_is_read_has_its_power(tmp_path):
    (tmp_path / "in.toml").write_text(one_stage('method = "adaptive-verlet"\ndt = 0.004', 10))
    assert "power = 0.5" in mdrun("in.toml", "--check", cwd=tmp_path).out
