# SPDX-License-Identifier: BSD-3-Clause
"""The harness of bench/: what peers print is understood, a wrong energy costs the time, and the
documents show what the results say."""
import argparse
import json
import sys

import numpy as np
import pytest
from conftest import source

sys.path.insert(0, str(source / "bench"))
import charged_contestants  # noqa: E402
import charges  # noqa: E402
import contestants  # noqa: E402
import drift  # noqa: E402
import integrators  # noqa: E402
import plot  # noqa: E402
import run  # noqa: E402
import tables  # noqa: E402
from lattice import lattice  # noqa: E402

lammps_output = """\
Per MPI rank memory allocation (min/avg/max) = 4.8 | 4.8 | 4.8 Mbytes
Step Temp E_pair Press
       0         1.44 -6.773368053 -5.019707259
     100 0.7545316101 -5.749170385 0.1953912351
Loop time of 0.425 on 2 procs for 100 steps with 4000 atoms
"""
gromacs_version = """\
                 :-) GROMACS - gmx, 2022.5 (-:

GROMACS version:    2022.5
Precision:          mixed
SIMD instructions:  AVX_512
C++ compiler:       /usr/bin/c++ GNU 12.2.0
C++ compiler flags: -march=skylake-avx512 -O3
"""
gromacs_log = """\
There are: 4000 Atoms
           Step           Time
              0        0.00000

   Energies (kJ/mol)
        LJ (SR)   Coulomb (SR)      Potential    Kinetic En.   Total Energy
   -2.70933e+04    1.50000e+01   -2.70935e+04    8.63784e+03   -1.84557e+04
    Temperature Pressure (bar)
    1.73192e+02   -8.33541e+01

step 1: resetting all time and cycle counters
           Step           Time
            300        1.50000

   Energies (kJ/mol)
        LJ (SR)   Coulomb (SR)      Potential    Kinetic En.   Total Energy
   -2.29449e+04    0.00000e+00   -2.29449e+04    4.46199e+03   -1.84829e+04

               Core t (s)   Wall t (s)        (%)
       Time:        0.612        0.310      197.4
"""
library_output = """\
UserWarning: something else is said before
{"particles": 4000, "steps": 40, "seconds": 0.8, "energy": -6.77337}
"""


def without(text, line):
    assert line in text
    return "".join(kept for kept in text.splitlines(True) if line not in kept)


def test_lammps_is_understood():
    seconds, steps, particles, energy = contestants.Lammps.read(lammps_output)
    assert (seconds, steps, particles) == (0.425, 100, 4000)
    assert energy == pytest.approx(-6.773368053 * 4000, rel=1e-12)


def test_gromacs_is_understood():
    assert contestants.Gromacs.read_start(gromacs_log) == (4000, -27093.5)
    assert contestants.Gromacs.read_loop(gromacs_log) == (0.31, 300)
    assert contestants.Gromacs.read_version(gromacs_version) == {
        "version": "2022.5", "precision": "mixed", "simd": "AVX_512", "compiler": "c++ GNU 12.2.0"}


def test_libraries_are_understood():
    seconds, steps, particles, energy = contestants.Library.read(library_output)
    assert (seconds, steps, particles) == (0.8, 40, 4000)
    assert energy == pytest.approx(-27093.48, rel=1e-12)


@pytest.mark.parametrize("read, text", [
    (contestants.Lammps.read, without(lammps_output, "Loop time")),
    (contestants.Lammps.read, without(lammps_output, "Step Temp")),
    (contestants.Gromacs.read_start, without(gromacs_log, "LJ (SR)")),
    (contestants.Gromacs.read_start, without(gromacs_log, "There are")),
    (contestants.Gromacs.read_loop, without(gromacs_log, "resetting all time")),
    (contestants.Gromacs.read_loop, without(gromacs_log, "Time: ")),
    (contestants.Gromacs.read_version, ""),
    (contestants.Library.read, ""),
    (contestants.Library.read, '{"particles": 4000}'),
    (contestants.Library.read, "Segmentation fault"),
])
def test_other_output_is_refused(read, text):
    with pytest.raises(contestants.BenchError):
        read(text)


def test_lattices_are_those_of_the_cases():
    places, edges = lattice({"cells": 3})
    assert len(places) == 108
    assert 108 / edges.prod() == pytest.approx(0.8442, rel=1e-12)
    places, edges = lattice({"nx": 4, "ny": 2})
    assert len(places) == 16 and 16 / edges.prod() == pytest.approx(0.8, rel=1e-12)
    # The six neighbours in a triangular lattice are equally far.
    assert sum((places[1] - places[0])**2) == pytest.approx(edges[0]**2 / 16, rel=1e-12)


def test_gromacs_plays_where_its_list_fits_twice():
    def can(**system):
        return contestants.Gromacs.can(contestants.Gromacs.__new__(contestants.Gromacs),
                                       {"peer": {"deck": "melt_3d", **system}})
    assert can(cells=4) and not can(cells=3)
    assert can(cells=7, cutoff=5.0) and not can(cells=6, cutoff=5.0)
    assert not contestants.Gromacs.can(None, {"peer": {"deck": "liquid_2d", "nx": 99, "ny": 99}})


class Played:
    """A contestant that shows given energies and times, one a round."""

    tolerance = 1e-6

    def __init__(self, name, energies, times=(50.0, 70.0, 60.0), deck="melt_3d"):
        self.name, self.energies, self.times, self.deck = name, list(energies), list(times), deck

    def can(self, case):
        return case["peer"]["deck"] == self.deck

    def run(self, case, cores, folder):
        assert folder.is_dir()
        return contestants.Sample(self.times.pop(0), 8.0, self.energies.pop(0), case["steps"])


def melt(**more):
    return {"name": "melt", "group": "main", "particles": 4000, "steps": 10,
            "peer": {"deck": "melt_3d"}, **more}


def test_a_wrong_energy_costs_the_time():
    right, late = Played("right", 3 * [-6.0]), Played("late", [-6.0, -6.0, -6.00001])
    wrong, elsewhere = Played("wrong", [-5.9]), Played("elsewhere", [], deck="liquid_2d")
    rows, refused = run.measure(melt(energy=-6.0000001), 1, [right, late, wrong, elsewhere], 3)
    assert [r["contestant"] for r in rows] == ["right"]
    assert [rows[0][k] for k in ("ns_per_particle_step", "least", "most")] == [60.0, 50.0, 70.0]
    assert [r["contestant"] for r in refused] == ["wrong", "late"]
    assert "not the same system" in refused[0]["why"]


def test_an_unknown_energy_is_that_of_the_first():
    first, second = Played("first", 3 * [-6.0]), Played("second", 3 * [-6.1])
    rows, refused = run.measure(melt(), 1, [first, second], 3)
    assert [r["contestant"] for r in rows] == ["first"]
    assert [r["contestant"] for r in refused] == ["second"]


def test_a_peer_that_is_absent_is_left_out_or_refused(tmp_path, capsys):
    (tmp_path / "mdrun").write_text("")
    here = {"mdrun": tmp_path / "mdrun", "precision": ["mixed"], "lmp": None, "suffix": ["opt"],
            "gmx": [], "python": [str(tmp_path / "python")]}
    found = run.find(argparse.Namespace(**here, peer=None))
    assert [c.name for c in found] == ["Shadow mixed"]
    said = capsys.readouterr().err.splitlines()
    assert [line.split()[2] for line in said] == ["lammps", "gromacs", "openmm", "jax-md"]
    for name in ("lammps", "gromacs", "openmm", "jax-md"):
        with pytest.raises(contestants.BenchError, match=f"no {name} here"):
            run.find(argparse.Namespace(**here, peer=[name]))
    assert len(run.find(argparse.Namespace(**here, peer=[]))) == 1
    with pytest.raises(contestants.BenchError, match="no mdrun"):
        run.find(argparse.Namespace(**{**here, "mdrun": tmp_path / "other"}, peer=[]))


def results(**times):
    """What run.py writes, for one case on one core."""
    sample = [Played(name.replace("_", " "), 3 * [-6.0], t) for name, t in times.items()]
    rows, _ = run.measure(melt(), 1, sample, 3)
    return {"date": "2026-01-02T03:04:05", "commit": "abc", "compiler": "c++ 1", "rows": rows,
            "machine": {"cpu": "a processor", "cores": 2, "system": "a system"}}


@pytest.fixture
def folder(tmp_path):
    """A repository with documents whose tables are empty, and a result."""
    (tmp_path / "bench").mkdir()
    for name in tables.documents:
        (tmp_path / name).write_text("before\n\n<!-- throughput: main of r.json -->\n"
                                     "<!-- end of throughput -->\n\nafter\n")
    (tmp_path / "r.json").write_text(json.dumps(results(
        Shadow_mixed=(20, 40, 30), LAMMPS_x=(100, 160, 135), GROMACS_y=(50, 60, 70))))
    return tmp_path


def test_tables_of_documents_come_from_the_result(folder):
    assert len(tables.write_documents(folder=folder)) == 2
    text = (folder / "README.md").read_text()
    assert text.startswith("before\n") and text.endswith("after\n")
    # Ratios within rounds are 5, 4, 4.5 to LAMMPS and 2.5, 1.5, 2.33 to the fastest.
    assert "| melt | 1 | 30 | 135 | 60 | 4.5 | 2.3 |" in text
    assert tables.write_documents(folder=folder) == []


def test_another_result_takes_the_place(folder):
    tables.write_documents(folder=folder)
    (folder / "new.json").write_text(json.dumps(results(Shadow_mixed=(3, 3, 3))))
    tables.write_documents("new.json", folder)
    text = (folder / "README.md").read_text()
    assert "main of new.json" in text and "| melt | 1 | 3 |" in text and "LAMMPS x" not in text
    other = json.loads((folder / "r.json").read_text())
    other["rows"][0]["group"] = "size"
    del other["rows"][1:]
    (folder / "size.json").write_text(json.dumps(other))
    assert tables.write_documents("size.json", folder) == []


def test_documents_without_marks_are_refused(folder):
    (folder / "README.md").write_text("nothing here")
    with pytest.raises(tables.TableError, match="no mark"):
        tables.write_documents(folder=folder)
    with pytest.raises(tables.TableError, match="no table 'speed'"):
        tables.rewrite("<!-- speed: main of r.json -->\n<!-- end of speed -->", folder=folder)


@pytest.mark.parametrize("name", tables.documents)
def test_the_committed_documents_show_the_committed_results(name):
    text = (source / name).read_text()
    assert tables.rewrite(text, folder=source) == text, "renew it with bench/run.py --readme"


def test_every_engine_has_its_line(folder):
    text = tables.every_row(json.loads((folder / "r.json").read_text()))
    assert "| melt | 1 | GROMACS y | 60.0 (50.0 to 70.0) | 2.00 | 8 |" in text


def test_all_contestants_are_drawn(folder, monkeypatch):
    rows = plot.read([folder / "r.json"])
    lines = plot.select(rows, 1, ["melt"])
    assert lines == {"Shadow mixed": [(4000, 30)], "LAMMPS x": [(4000, 135)],
                     "GROMACS y": [(4000, 60)]}
    monkeypatch.setattr(sys, "argv", ["plot.py", str(folder / "r.json"), "--output",
                                      str(folder / "p.png")])
    plot.main()
    assert (folder / "p.png").stat().st_size > 1000


def test_drift_is_that_of_the_total_energy_by_time_and_degree_of_freedom():
    # 32 particles, 93 degrees of freedom at kT = 0.7; energy passes to and fro, and 0.02 a unit of
    # time is lost.
    options = argparse.Namespace(dt=0.01, every=10)
    step = np.arange(0, 10001, 10)
    exchanged = np.sin(0.37 * step)
    kinetic = 0.5 * 93 * 0.7 + exchanged - exchanged.mean()
    potential = -150 - exchanged - 0.02 * 0.01 * step
    row = drift.row_of("engine", np.stack([step, potential, kinetic], axis=1), 32, options)
    assert row["temperature"] == pytest.approx(0.7)
    assert row["slope"] == pytest.approx(-0.02)
    assert row["error"] < 1e-10
    assert row["relative"] == pytest.approx(-0.02 / (93 * 0.7))
    assert row["start"] == pytest.approx([-150 / 32, kinetic[0] / 32])
    assert "engine | 32 | 10000" in drift.table({"rows": [row]})


def test_lammps_runs_what_it_has_a_deck_for():
    peer = contestants.Lammps("lmp", "opt")
    assert peer.can({"peer": {"deck": "kob_andersen", "truncation": "force_shift"}})
    assert not peer.can({"peer": {"deck": "kob_andersen_smooth"}})


def test_ends_of_lennard_jones_beside_charges_reach_each_program(tmp_path, monkeypatch):
    commands = []
    monkeypatch.setattr(charged_contestants, "run_shadow",
                        lambda mdrun, folder, *settings: commands.append(settings))
    monkeypatch.setattr(charged_contestants, "execute",
                        lambda command, *_: commands.append(command) or ["", 0])
    choice = {**charged_contestants.truncated["dsf"], "truncation": "force-shift"}
    charged_contestants.ShadowCharges("mdrun", "mixed").simulate(choice, 9, tmp_path)
    assert "force.0.truncation=force-shift" in commands[-1]
    peer = charged_contestants.LammpsCharges("lmp", "opt")
    peer.simulate(choice, 9, tmp_path)
    assert "force_shift" in commands[-1]
    assert peer.can("dsf", "none") and not peer.can("dsf", "smooth-c1")


def test_processor_time_of_charges_is_that_of_the_steps_of_a_peer(tmp_path, monkeypatch):
    lammps = lammps_output.replace("on 2 procs", "on 1 procs") + (
        "80.0% CPU use with 1 MPI tasks x no OpenMP threads\n")
    peer = charged_contestants.LammpsCharges("lmp", "opt")
    monkeypatch.setattr(peer, "simulate", lambda *_: lammps)
    assert peer.time({}, 100, tmp_path) == pytest.approx((1062.5 * 0.8, 1062.5))
    with pytest.raises(contestants.BenchError, match="use of the core"):
        peer.read_use(without(lammps, "CPU use"))

    monkeypatch.setattr(contestants, "output_of", lambda _: gromacs_version)
    peer = charged_contestants.GromacsCharges("gmx")
    peer.particles = 4000
    spent = {5: 1.25, 305: 1.862}
    monkeypatch.setattr(peer, "simulate", lambda _, steps, *__: (gromacs_log, spent[steps]))
    assert peer.time({}, 300, tmp_path) == pytest.approx((510.0, 0.31e9 / (300 * 4000)))


class Charges:
    """A contestant with a fine and a coarse choice, both of an error that is given."""
    name, energy_rounding = "engine", 0.0

    def __init__(self, errors, energy=-31.0):
        self.errors, self.energy, self.asked = errors, energy, []

    def families(self, accuracy, system):
        return [[{"order": 4}, {"order": 5}]]

    def start(self, choice, folder):
        self.asked.append(choice["order"])
        forces = np.zeros((10, 3))
        forces[:, 1] = self.errors[choice["order"]] * charged_contestants.scale
        return forces, self.energy


def task_of(method, accuracy):
    task = object.__new__(charges.Task)
    task.method, task.accuracy, task.system = method, accuracy, None
    task.bar = accuracy or charges.agreement
    task.energy_bar = accuracy or charges.energies_agree
    task.right, task.energy = np.zeros((10, 3)), -31.0
    return task


def test_a_choice_of_another_size_is_kept_only_where_it_is_good_enough(tmp_path):
    task = task_of("pme", 1e-3)
    engine = Charges({4: 9e-4, 5: 1e-5})
    assert task.choose(engine, tmp_path, {"order": 5, "error": 2e-5})["order"] == 5
    assert engine.asked == [5]
    engine = Charges({4: 2e-3, 5: 1e-5})
    assert task.choose(engine, tmp_path, {"order": 4, "error": 9e-4}) == {
        "order": 5, "error": pytest.approx(1e-5)}
    with pytest.raises(contestants.BenchError, match="no choice"):
        task.choose(Charges({4: 2e-3, 5: 1.1e-3}), tmp_path)


def test_another_energy_of_charges_costs_the_time(tmp_path):
    task = task_of("dsf", None)
    task.check_energy(Charges({4: 0}, -31.0003), {"order": 4}, tmp_path)  # 1e-5 of 36
    with pytest.raises(contestants.BenchError, match="not the same system"):
        task.check_energy(Charges({4: 0}, -31.0004), {"order": 4}, tmp_path)


def test_the_picture_of_the_documents_is_that_of_all_methods(tmp_path):
    page = source / "docs" / "integrators.png"
    assert integrators.options_of([]).plot == page and page.is_file()
    for part in (["--method", "verlet"], ["--system", "kepler"], ["--cells", "10"], ["--word"], ["--table", "a.json"]):
        assert integrators.options_of(part).plot is None
    result = {"methods": {"verlet": {"order": 2}}, "systems": {"kepler": {"verlet": [{"evaluations": 40, "steps": 40, "error": 1e-3}]}}}
    before = page.read_bytes()
    assert integrators.draw(result, integrators.options_of(["--method", "verlet"])) is result
    assert page.read_bytes() == before
    there = tmp_path / "one.png"
    integrators.draw(result, integrators.options_of(["--method", "verlet", "--plot", str(there)]))
    assert there.stat().st_size > 0
