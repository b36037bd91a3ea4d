# SPDX-License-Identifier: BSD-3-Clause
"""mdmerge takes runs of one state, each once, also those that were merged before."""
import json
import re
import types

import h5py
import numpy as np
import pytest
from conftest import describe_run, load, write_array, write_results, write_series
from pages import report
from shadow_results import states

mdmerge = load("mdmerge")

FORCE = '[[force]]\ntype = "lennard-jones"\nepsilon = 1.0\ncutoff = 2.5\nlevel = "slow"\n'


def one(path, seed, temperature=1.0, count=20, length=5.0, force=FORCE, units="lj", freedom=57.0,
        ensemble="NVT, total momentum zero", rows=400, start=0.0, tilt=0.0):
    """A run in a bath; `start` is the mean of an earlier stage of half the rows; `tilt` of z along y."""
    random = np.random.default_rng(seed)
    write_results(path, random.uniform(0, 5, (1, count, 3)), np.full(3, length))
    staged = start != 0.0
    text = force + ("[[stage]]\nname = 'melt'\nsteps = 200\n[[stage]]\nname = 'sample'\nsteps = 200\n"
                    if staged else "")
    describe_run(path, text, seed=seed, units=units)
    value = random.normal(size=rows)
    if staged:
        value[:rows // 2] += start
    write_series(path, "pressure", np.arange(rows), value)
    write_series(path, "potential_energy", np.arange(rows), random.normal(size=rows))
    write_array(path, "rdf", {"r": np.arange(20)}, [1 + 0.1 * random.normal(size=20)],
                [np.full(20, 0.1)], stage=[1 if staged else 0])
    with h5py.File(path, "a") as file:
        file["particles/all/box/edges/value"][:, 2, 1] = tilt
        stage = file.create_group("parameters/stage")
        stage["first_step"], stage["last_step"] = ([0, 199], [199, 399]) if staged else ([0], [399])
        temperatures = [2.0, temperature] if staged else [temperature]
        stage["bath_temperature"] = temperatures
        stage["ensemble"] = [ensemble] * len(temperatures)
        stage["degrees_of_freedom"] = [freedom] * len(temperatures)
        file["parameters/species/name"], file["parameters/species/mass"] = ["A", "B"], [1.0, 2.0]
    return str(path)


def call(capsys, *arguments):
    status = mdmerge.main([str(a) for a in arguments])
    return status, capsys.readouterr()


DIFFERENT = [
    ({"temperature": 1.3}, "bath temperature 1 and 1.3"),
    ({"count": 24}, "particles A: 10 B: 10 and A: 12 B: 12"),
    ({"length": 5.5}, "box 5 x 5 x 5 and 5.5 x 5.5 x 5.5"),
    ({"tilt": 1.0}, "tilts over lengths of the box none and yz: 0.2"),
    ({"force": FORCE + "[system]\nmagnetic_field = [0.0, 0.0, 2.0]\n"}, "magnetic field none and z: 2"),
    ({"units": "akma"}, "units lj and akma"),
    ({"freedom": 60.0}, "degrees of freedom 57 and 60"),
    ({"ensemble": "NVE, total momentum zero"}, "ensemble NVT, total momentum zero and NVE"),
    ({"force": FORCE.replace("2.5", "3.0")}, "cutoff of lennard-jones 2.5 and 3"),
    ({"force": FORCE.replace("cutoff = 2.5\n", "")}, "cutoff of lennard-jones 2.5 and missing"),
    ({"force": FORCE.replace("lennard-jones", "yukawa")}, "forces lennard-jones and yukawa")]


BAROSTAT = "[barostat]\npressure = {}\n"


def test_runs_at_one_pressure_are_of_one_state_whatever_their_boxes(tmp_path, capsys):
    def at(name, pressure, length):
        return one(tmp_path / name, len(name), force=FORCE + BAROSTAT.format(pressure), length=length,
                   ensemble="NPT, total momentum fluctuates")
    runs = at("a.h5", 1.0, 5.0), at("bb.h5", 1.0, 5.5), at("ccc.h5", 1.3, 5.0)
    status, said = call(capsys, *runs[:2], "--h5", tmp_path / "all.h5")
    assert status == 0, said.err
    status, said = call(capsys, runs[0], runs[2], "--h5", tmp_path / "other.h5")
    assert status != 0 and "pressure of the barostat 1 and 1.3" in said.err and "box" not in said.err


def test_lengths_that_a_barostat_leaves_are_of_the_state(tmp_path, capsys):
    def at(name, axes, length):
        return one(tmp_path / name, len(name), force=FORCE + BAROSTAT.format(1.0) + axes, length=length,
                   ensemble="NPT, total momentum fluctuates")
    along = 'axes = ["z"]\n'
    runs = at("a.h5", along, 5.0), at("bb.h5", along, 5.5), at("ccc.h5", "", 5.0)
    status, said = call(capsys, *runs[:2])
    assert status == 2 and "box 5 x 5 and 5.5 x 5.5" in said.err, said
    status, said = call(capsys, runs[0], runs[2])
    assert status == 2 and "axes of the barostat z and xyz" in said.err, said


def test_a_barostat_keeps_tilts_over_lengths_and_a_shear_changes_them(tmp_path, capsys):
    def at(name, text, length, tilt):
        return one(tmp_path / name, len(name), force=FORCE + text, length=length, tilt=tilt)
    barostat = BAROSTAT.format(1.0)
    runs = at("a.h5", barostat, 5.0, 1.0), at("bb.h5", barostat, 5.5, 1.1), at("ccc.h5", barostat, 5.5, 1.0)
    status, said = call(capsys, *runs[:2])
    assert status == 0, said.err
    status, said = call(capsys, runs[0], runs[2])
    assert status == 2 and "tilts over lengths of the box yz: 0.2 and yz: 0.18181818" in said.err, said
    shear = "[shear]\nrate = 0.1\n"
    status, said = call(capsys, at("dddd.h5", shear, 5.0, 1.0), at("eeeee.h5", shear, 5.0, -2.0))
    assert status == 0, said.err


def test_tilts_of_one_lattice_are_one(tmp_path, capsys):
    """Half of an edge to either side, or one edge more; of several tilts those along others change with them."""
    runs = [one(tmp_path / f"{'t' * k}.h5", k, tilt=tilt) for k, tilt in ((1, 2.5), (2, -2.5), (3, 7.5), (4, 2.5 + 5e-9))]
    assert call(capsys, *runs)[0] == 0
    frame = types.SimpleNamespace(length=np.array([4.0, 5.0, 6.0]), tilt=np.zeros((3, 3)))
    frame.tilt[1, 0], frame.tilt[2] = 1.0, (1.5, -2.5, 0.0)
    assert states.tilts(frame) == {"xy": 0.25, "yz": 0.5, "xz": -0.375}
    frame.length[0] = 0.0  # open
    assert states.tilts(frame) == {"yz": 0.5}


def test_what_depends_on_time_and_on_the_bath_is_said(tmp_path, capsys):
    def at(name, bath):
        path = one(tmp_path / name, len(name), force=f"{FORCE}[integrator]\n{bath}\n")
        random = np.random.default_rng(len(name))
        write_array(path, "msd", {"lag": np.arange(20)}, [1 + 0.1 * random.normal(size=20)], [np.full(20, 0.1)])
        return path
    langevin = at("a.h5", 'method = "baoab"\nfriction = 1.0\ndt = 0.004')
    status, said = call(capsys, langevin, at("bb.h5", 'method = "obabo"\nfriction = 1.0\ndt = 0.002'))
    assert status == 0 and "bath" not in said.out
    for name, bath, says in (("ccc.h5", "friction = 2.0", "friction: 1 and friction: 2"), ("dddd.h5", "time = 0.5", "friction: 1 and time: 0.5"),
                             ("eeeee.h5", "", "friction: 1 and none"),
                             ("ffffff.h5", 'method = "brownian"\nfriction = 1.0', "friction: 1 and method: brownian friction: 1")):
        status, said = call(capsys, langevin, at(name, bath), "--json", tmp_path / "m.json")
        assert status == 0 and said.out.count("how the bath acts") == 1 and says in said.out, said.out
        found = json.loads((tmp_path / "m.json").read_text())
        assert says in found["msd"]["warning"] and "bath" not in found["rdf"]["warning"]


STEPS = [('method = "baoab"\ndt = 0.002', "dt 0.004 and 0.002"), ('method = "obabo"\ndt = 0.004', "method baoab and obabo"),
         ('method = "baoab"\ndt = 0.004\ninner = 2', "inner none and 2")]


@pytest.mark.parametrize("steps, says", STEPS)
def test_steps_that_differ_are_said(steps, says, tmp_path, capsys):
    """Averages have errors of the step, which no run shows; a temperature or a friction changes none."""
    def at(name, integrator, **others):
        return one(tmp_path / name, len(name), force=f"{FORCE}[integrator]\n{integrator}\n", **others)
    first = 'method = "baoab"\ndt = 0.004'
    files = at("a.h5", first + "\nfriction = 1.0"), at("bb.h5", first + "\nfriction = 2.0"), at("ccc.h5", steps)
    assert "steps of the runs" not in call(capsys, *files[:2], "--h5", tmp_path / "m.h5")[1].out
    for given in (files, [tmp_path / "m.h5", files[2]]):
        status, said = call(capsys, *given, "--json", tmp_path / "n.json", "--h5", tmp_path / "n.h5")
        assert status == 0 and re.search(r"\nwarning: the steps of the runs differ \([^()\n]+ccc.h5: " + says +
                                         r"; [^()\n]+\); [^\n]+\n", said.out), said
        assert all(says in r["steps"] for r in json.loads((tmp_path / "n.json").read_text()).values())
    # And of what was merged with it.
    status, said = call(capsys, tmp_path / "n.h5", at("dddd.h5", first))
    assert status == 0 and says in said.out and "n.h5" in said.out
    assert says in report(tmp_path / "n.h5")


@pytest.mark.parametrize("change, says", DIFFERENT)
def test_runs_of_different_states_are_refused(change, says, tmp_path, capsys):
    files = one(tmp_path / "a.h5", 1), one(tmp_path / "b.h5", 2, **change)
    status, said = call(capsys, *files, "--json", tmp_path / "m.json")
    assert status == 2 and "(" in said.err and "--different" in said.err and says in said.err, said.err
    assert not (tmp_path / "m.json").exists()


def test_what_a_state_is_not_is_allowed_to_differ(tmp_path, capsys):
    """How a force is integrated, and a length or a tilt to the digits that files have."""
    files = (one(tmp_path / "a.h5", 1), one(tmp_path / "b.h5", 2, length=5.0 * (1 + 1e-9), tilt=1e-9),
             one(tmp_path / "c.h5", 3, force=FORCE.replace("slow", "fast") + "[system]\nmagnetic_field = [0.0, 0.0, 0.0]\n"))
    status, said = call(capsys, *files)
    assert status == 0 and "different" not in said.out


def test_runs_of_different_states_are_marked_where_they_are_wanted(tmp_path, capsys):
    files = [one(tmp_path / f"{k}.h5", k, temperature=1 + 0.3 * (k == 2)) for k in range(3)]
    status, said = call(capsys, *files[1:], "--different", "--json", tmp_path / "m.json", "--h5",
                        tmp_path / "m.h5")
    assert status == 0 and "warning: runs of different states are merged" in said.out
    found = json.loads((tmp_path / "m.json").read_text())
    assert all("bath temperature 1 and 1.3" in r["different"] for r in found.values())
    with h5py.File(tmp_path / "m.h5") as file:
        assert b"bath temperature" in file["parameters/merged/different"][()]
    status, said = call(capsys, tmp_path / "m.h5", files[0])
    assert status == 2 and "m.h5 was merged from different states" in said.err
    assert call(capsys, tmp_path / "m.h5", files[0], "--different")[0] == 0


def test_a_run_that_failed_is_refused_but_for_stages_that_were_over(tmp_path, capsys):
    files = [one(tmp_path / f"{k}.h5", k, start=50.0) for k in range(2)]
    with h5py.File(files[1], "a") as file:
        file["parameters/failed"] = "the energy explodes between steps 40 and 50 (kinetic from 1 to 9); use a smaller dt"
    assert call(capsys, *files)[0] == 0  # in a stage that has no rows
    for lasts, arguments in (([199], []), ([199, 399], ["--from", 250])):
        with h5py.File(files[1], "a") as file:
            del file["parameters/stage/last_step"]
            file["parameters/stage/last_step"] = lasts
        status, said = call(capsys, *files, "--different", *arguments, "--json", tmp_path / "m.json")
        assert status == 2 and not (tmp_path / "m.json").exists(), said
        assert re.fullmatch(r"mdmerge: \S+1.h5 is of a run that failed \(the energy explodes between steps 40 and 50, [^()]+\); "
                            r"[^\n]+\n", said.err), said.err


def test_no_run_counts_twice(tmp_path, capsys):
    files = [one(tmp_path / f"{k}.h5", k) for k in range(4)]
    call(capsys, *files[:2], "--h5", tmp_path / "m.h5")
    call(capsys, *files[1:3], "--h5", tmp_path / "n.h5")
    for again in (files[0], files[1], tmp_path / "n.h5", tmp_path / "m.h5"):
        for order in ([tmp_path / "m.h5", again], [again, tmp_path / "m.h5"]):
            status, said = call(capsys, *order)
            assert status == 2 and "hold the same run" in said.err, said
    assert call(capsys, tmp_path / "m.h5", files[3])[0] == 0


def test_files_of_one_name_are_told_apart(tmp_path, capsys):
    files = []
    for k in range(3):
        (tmp_path / str(k)).mkdir()
        files.append(one(tmp_path / str(k) / "run.h5", k))
    assert call(capsys, *files, "--h5", tmp_path / "m.h5")[0] == 0
    for path in files:
        assert call(capsys, tmp_path / "m.h5", path)[0] == 2


def test_a_run_that_went_on_is_the_same(tmp_path, capsys):
    """The first rows of 400 are 200 of another length."""
    files = one(tmp_path / "a.h5", 1), one(tmp_path / "b.h5", 2)
    with h5py.File(files[0]) as a, h5py.File(files[1], "a") as b:
        del b["parameters/seed"]
        b["parameters/seed"] = a["parameters/seed"][()]
        for part in ("step", "time", "value"):
            del b[f"observables/pressure/{part}"]
            b[f"observables/pressure/{part}"] = a[f"observables/pressure/{part}"][:200]
        b["observables/pressure/value"].attrs["unit"] = "epsilon"
    status, said = call(capsys, *files)
    assert status == 2 and "hold the same run" in said.err


PRESCRIBED = [("[shear]\nrate = [[0, 0.0], [400, 0.5]]\n", ["shear_rate"]),
              ("[barostat]\ntype = 'deform'\nrates = [0.01, 0.0, -0.01]\n", ["length_x", "length_z", "volume", "density"])]


def prescribed(path, seed, text, names, written=4711, **others):
    """A run with series that its input prescribes; `written`: the seed that it records."""
    path = one(path, seed, force=FORCE + text, **others)
    with h5py.File(path, "a") as file:
        file["parameters/seed"][()] = written
    for name in names:
        write_series(path, name, np.arange(400), 1.0 + 0.001 * np.arange(400))
    return path


@pytest.mark.parametrize("text, names", PRESCRIBED)
def test_what_the_input_prescribes_does_not_make_runs_one(text, names, tmp_path, capsys):
    """Runs from one seed and from others; what they measure differs."""
    files = [prescribed(tmp_path / f"{k}.h5", k, text, names, 5 * (k == 2)) for k in range(4)]
    assert call(capsys, *files[:2], "--h5", tmp_path / "m.h5")[0] == 0
    status, said = call(capsys, tmp_path / "m.h5", *files[2:])
    assert status == 0, said.err
    # The run itself is one with them, with another seed, too.
    for written in (0, 7):
        again = prescribed(tmp_path / f"again{written}.h5", 1, text, names, written)
        status, said = call(capsys, *files[:3], again)
        assert status == 2 and "1.h5 and " in said.err and "hold the same r" in said.err, said


def test_one_equal_series_of_several_does_not_make_runs_one(tmp_path, capsys):
    """Counts of few values may be equal in all rows; runs with all series equal are one, as far as both go."""
    files = [one(tmp_path / f"{k}.h5", k) for k in (1, 2)] + [one(tmp_path / "3.h5", 1)]
    for k, path in enumerate(files):
        write_series(path, "clusters", np.arange(400), np.arange(400) > 200)
        with h5py.File(path, "a") as file:
            file["parameters/seed"][()] = k
    assert call(capsys, *files[:2])[0] == 0
    for rows in (400, 300):
        with h5py.File(files[2], "a") as file:
            for name, group in file["observables"].items():
                for part in ("step", "time", "value"):
                    values = group[part][:rows]
                    attributes = dict(group[part].attrs)
                    del group[part]
                    group[part] = values
                    group[part].attrs.update(attributes)
        status, said = call(capsys, files[0], files[2])
        assert status == 2 and "hold the same rows (" in said.err, said


def test_scalars_are_merged_in_steps_as_at_once(tmp_path, capsys):
    files = [one(tmp_path / f"{k}.h5", k, rows=300 + 100 * k) for k in range(3)]
    call(capsys, *files, "--json", tmp_path / "once.json")
    call(capsys, *files[:2], "--h5", tmp_path / "m.h5")
    status, said = call(capsys, tmp_path / "m.h5", files[2], "--json", tmp_path / "steps.json")
    once, steps = (json.loads((tmp_path / f"{n}.json").read_text()) for n in ("once", "steps"))
    assert status == 0 and "left out" not in said.out
    assert {n: once[n] for n in ("pressure", "potential_energy")} == \
        {n: steps[n] for n in ("pressure", "potential_energy")}
    assert np.allclose(once["rdf"]["value"], steps["rdf"]["value"], rtol=1e-13)
    status, said = call(capsys, tmp_path / "m.h5", files[2], "--from", 10)
    assert status == 0 and "do not change merged scalars" in said.out


def test_what_is_left_out_is_said(tmp_path, capsys):
    files = [one(tmp_path / f"{k}.h5", k) for k in range(2)]
    write_series(files[1], "shadow_energy", np.arange(100), np.arange(100))
    assert "left out, as not all files have it: shadow_energy" in call(capsys, *files)[1].out


def test_averages_are_those_of_the_last_stage(tmp_path, capsys):
    """The stage before has rows at steps 0 to 199 with 50 more."""
    files = [one(tmp_path / f"{k}.h5", k, start=50.0) for k in range(2)]
    assert call(capsys, *files, "--equilibration", 0, "--json", tmp_path / "m.json")[0] == 0
    runs = json.loads((tmp_path / "m.json").read_text())["pressure"]["runs"]
    assert [r["samples"] for r in runs] == [200, 200]
    status, said = call(capsys, *files, "--from", 100)
    assert status == 2 and "stage melt and" in said.err and "temperature 2 and 1" in said.err
    assert call(capsys, *files, "--from", 250)[0] == 0
    # A run without the stage before is of the same state.
    assert call(capsys, files[0], one(tmp_path / "c.h5", 5))[0] == 0
    # Neither is an array of another stage.
    with h5py.File(files[1], "a") as file:
        file["averages/rdf/stage"][0] = 0
    status, said = call(capsys, *files)
    assert status == 2 and "temperature 1 and 2" in said.err
