# SPDX-License-Identifier: BSD-3-Clause
"""A run that was stopped or lengthened ends with the bits of one that never stopped."""

import random
import signal

import h5py
import pytest
from harness import contents, mdrun
from runs import (ARRAYS, BAOAB, CHAIN_FORCES, CHAINS, FLOOR, FORCE, LIQUID, SLIT, SPLIT_FORCE, STIFF_CHAIN_FORCES, STOPS, THERMO,
                  VERLET, Folder, one_stage, refuse_difference, staged, stop, wait_for)

NOSE = 'method = "nose-poincare"\ndt = 0.002\ntemperature = 1.0\nmass = 500.0'
HOOVER = 'method = "nose-hoover"\ndt = 0.002\ntemperature = 1.0\nperiod = 0.4'
NOISY = HOOVER.replace("hoover", "hoover-langevin") + '\nfriction = 2.0'
BUSSI = 'method = "bussi"\ndt = 0.002\ntemperature = 1.0\ntime = 0.1'
ANDERSEN = 'method = "andersen"\ndt = 0.004\ntemperature = 1.0\nrate = 2.0'
DPD = 'method = "dpd"\ndt = 0.004\ntemperature = 1.0\nfriction = 4.0\nradius = 1.5'
LOWE = 'method = "lowe-andersen"\ndt = 0.004\ntemperature = 1.0\nrate = 2.0\nradius = 1.5'
MTK = '\n[barostat]\ntype = "mtk"\npressure = 1.0\nperiod = 2.0'
MINIMIZE = 'method = "minimize"\ndt = 0.01\nforce_tolerance = 1e-3'

CLUSTER = """\
seed = 3
[system]
dimension = 2
box = { periodic = false }
lattice = { type = "square", repeat = [12, 12], constant = 1.0, jitter = 0.01 }
velocity = { temperature = 0.0 }
"""
CLUSTER_FORCE = """\
[[force]]
type = "lennard-jones"
epsilon = 0.4
r_min = 1.0
cutoff = inf
"""
BOND_ORDER = """\
[[observe]]
type = "bond-order"
folds = [4, 6]
radius = 1.3
every = 20
per_particle = true
"""

FIELDS = FLOOR + """\
[[force]]
type = "uniform-field"
strength = [0.0, 0.0, -1.0]
[[force]]
type = "cosine-field"
amplitude = 0.5
periods = [1, 0, 0]
"""

PLANE = """\
seed = 3
[system]
dimension = 2
box = { density = 0.8 }
lattice = { type = "square", repeat = [16, 16] }
velocity = { temperature = 1.0 }
"""
PLANE_ARRAYS = """\
[[observe]]
type = "positional-correlation"
every = 8
radius = 1.5
[[observe]]
type = "directional-temperature"
every = 3
[[observe]]
type = "bond-correlation"
every = 7
radius = 1.5
bins = 20
[[observe]]
type = "structure-factor"
method = "fft"
every = 9
longest = 8.0
shells = 10
"""

MOLECULES = """\
[[observe]]
type = "molecule-size"
every = 5
[[observe]]
type = "bonded-distribution"
of = "angles"
every = 5
[[observe]]
type = "msd"
of = "molecules"
every = 5
window = 4
longest = 80
"""

#: A weak wave along x.
ALONG = """\
[[force]]
type = "cosine-field"
amplitude = 0.5
periods = [1, 0, 0]
level = "outside"
"""

#: It shakes what has mass 1.
SHAKEN = """\
[[force]]
type = "uniform-field"
strength = [2.0, 0.0, 0.0]
modulation = { period = 0.7, phase = 0.3 }
"""

#: Chains of light and heavy atoms.
ALTERNATING = CHAINS.replace('atoms = ["A"]\nrepeat = 16\nbonds = [{ atoms = [0, 1] }]\nangles = [{ atoms = [0, 1, 2] }]', """\
atoms = ["A", "B"]
repeat = 8
bonds = [{ atoms = [0, 1] }, { atoms = [1, 2] }]
angles = [{ atoms = [0, 1, 2] }, { atoms = [1, 2, 3] }]""") + """\
[[species]]
name = "A"
[[species]]
name = "B"
mass = 4.0
"""

#: name, input, overrides; each takes some tenths of a second
CASES = [
    ("verlet", one_stage(VERLET, 3000), []),
    ("verlet double", one_stage(VERLET, 2000), ["compute.precision=double"]),
    ("baoab", one_stage(BAOAB, 2500), []),
    ("baoab double", one_stage(BAOAB, 2500), ["compute.precision=double"]),
    ("nose-poincare", one_stage(NOSE, 1500), ["compute.precision=double"]),
    ("nose-poincare-respa", one_stage(NOSE.replace("poincare", "poincare-respa") + "\ninner = 2", 700, force=SPLIT_FORCE),
     ["compute.precision=double"]),
    ("nose-hoover", one_stage(HOOVER, 1500), []),
    ("nose-hoover-langevin", one_stage(NOISY, 1500), []),
    ("bussi", one_stage(BUSSI, 1500), []),
    ("bussi-respa", one_stage(BUSSI.replace("bussi", "bussi-respa") + "\ninner = 2", 700, force=SPLIT_FORCE), []),
    ("obabo-respa", one_stage(BAOAB.replace("baoab", "obabo-respa") + "\ninner = 2", 700, force=SPLIT_FORCE), []),
    ("gjf", one_stage(BAOAB.replace("baoab", "gjf"), 1500), []),
    ("andersen", one_stage(ANDERSEN, 1500), []),
    ("dpd", one_stage(DPD, 150), []),
    ("lowe-andersen", one_stage(LOWE, 300), []),
    ("brownian", one_stage('method = "brownian"\ndt = 0.001\ntemperature = 1.0\nfriction = 100.0', 1500), []),
    ("andersen, together", one_stage(ANDERSEN + "\ntogether = true", 1500), []),
    ("berendsen", one_stage(BUSSI.replace("bussi", "berendsen"), 1500), []),
    ("nose-hoover-respa", one_stage(HOOVER.replace("hoover", "hoover-respa") + "\ninner = 2", 700, force=SPLIT_FORCE),
     ["compute.precision=double"]),
    ("respa", one_stage('method = "respa"\ndt = 0.004\ninner = 3', 1000, force=SPLIT_FORCE), []),
    ("three levels", 'levels = ["near", "far", "outside"]\n' + one_stage(
        'method = "respa"\ndt = 0.006\ninner = [2, 3]', 1000,
        force=SPLIT_FORCE.replace('"slow"', '"far"').replace('"fast"', '"near"') + ALONG), []),
    ("gradient kicks", one_stage('method = "omelyan-6"\ndt = 0.01', 400), []),
    ("a field in time", one_stage('method = "blanes-moan-4"\ndt = 0.006', 600, force=FORCE + SHAKEN), []),
    ("a field in time and a bath", one_stage(BAOAB, 1000, force=FORCE + SHAKEN), []),
    ("position-verlet", one_stage(VERLET.replace("verlet", "position-verlet"), 3000), []),
    ("two stages", staged(("warm", BAOAB, 1250), ("sample", VERLET, 1250)), []),
    ("averaged arrays", staged(("warm", BAOAB, 1000), ("sample", VERLET, 1000)).replace(
        "[[stage.observe]]", (ARRAYS + "[[observe]]").replace("[[observe]]", "[[stage.observe]]")), []),
    ("averages in a plane", one_stage(VERLET, 2500, THERMO + PLANE_ARRAYS, PLANE), []),
    ("minimize", staged(("relax", MINIMIZE.replace("1e-3", "1e-12"), 1500), ("sample", VERLET, 100),
                        system=LIQUID.replace("5] }", "5], jitter = 0.05 }")), []),
    ("fields", one_stage(VERLET, 1500, THERMO, SLIT, FORCE + FIELDS), []),
    ("chains", one_stage(BAOAB, 1500, THERMO, CHAINS, FORCE + CHAIN_FORCES), []),
    ("implicit chains", one_stage('method = "implicit-explicit"\ndt = 0.008', 300, THERMO, CHAINS, STIFF_CHAIN_FORCES), []),
    ("semi-explicit chains", one_stage('method = "semi-explicit"\ndt = 0.008', 300, THERMO, CHAINS, STIFF_CHAIN_FORCES), []),
    ("light and heavy atoms", one_stage('method = "reversible-averaging"\ndt = 0.006\ninner = 4\nlight_mass = 1.5', 300, THERMO,
                                        ALTERNATING, STIFF_CHAIN_FORCES), []),
    ("mollified chains", one_stage(
        'method = "baoab-mollified"\ndt = 0.008\ninner = 4\ntemperature = 1.0\nfriction = 1.0', 700, THERMO, CHAINS, STIFF_CHAIN_FORCES), []),
    ("scaled chains", one_stage(VERLET, 1500, THERMO + MOLECULES, CHAINS.replace(
        "exclude = 1", "exclude = 3\nscale_14 = { lj = 0.5, coulomb = 0.0 }"), FORCE + CHAIN_FORCES), []),
    ("open cluster", one_stage(VERLET, 1500, THERMO + BOND_ORDER, CLUSTER, CLUSTER_FORCE), []),
    ("no thermo", one_stage(VERLET, 2500, BOND_ORDER,
                            CLUSTER.replace("12, 12", "8, 8"), CLUSTER_FORCE), []),
]


@pytest.mark.parametrize("name, text, sets", CASES, ids=[case[0] for case in CASES])
def test_stopped_runs_end_with_the_same_bits(name, text, sets, tmp_path):
    whole, pieces = Folder(tmp_path / "whole", text, *sets), Folder(tmp_path / "pieces", text, *sets)
    whole.run()
    last = whole.step_of_checkpoint()
    pieces.sets.append(f"output.checkpoint={{every={max(1, last // 20)}}}")
    random.seed(name)
    statuses = []
    for number, latest in ((signal.SIGTERM, 0.0), (signal.SIGINT, 0.3), (signal.SIGTERM, 0.6)):
        step = int(random.uniform(latest / 2, latest) * last)
        statuses.append(pieces.stop_at(step, number, *(["--resume"] if statuses else [])))
        assert statuses[-1] in (0, STOPS[number])
        assert pieces.step_of_checkpoint() >= step
    pieces.run("--resume")
    assert any(statuses), "no signal came before the end: the run is too short for this test"
    refuse_difference(whole, pieces)


def test_stages_meet_without_a_step_between(tmp_path):
    """Stages without steps, and a stop at the first moment of each."""
    text = staged(("zero", VERLET, 0), ("warm", BAOAB, 20), ("none", VERLET, 0), ("end", NOSE, 20))
    whole, pieces = Folder(tmp_path / "whole", text), Folder(tmp_path / "pieces", text)
    whole.run()
    for _ in range(20):
        process = pieces.start(*(["--resume"] if pieces.checkpoint.exists() else []))
        stop(process, signal.SIGTERM)
    pieces.run("--resume")
    refuse_difference(whole, pieces)


@pytest.mark.parametrize("checkpoint", ["", "output.checkpoint={every=50}"])
def test_a_finished_run_stays_as_it_is(checkpoint, tmp_path):
    folder = Folder(tmp_path / "run", staged(("relax", MINIMIZE, 5000), ("sample", VERLET, 100)),
                    *([checkpoint] if checkpoint else []))
    folder.run()
    files, averages = contents(folder.path), folder.averages()
    del files["summary.json"]
    result = folder.run("--resume")
    assert "finished at step" in result.err
    after = contents(folder.path)
    del after["summary.json"]
    assert after == files
    assert folder.averages() == averages


def test_a_converged_minimisation_is_finished(tmp_path):
    text = one_stage(MINIMIZE, 5000, system=LIQUID.replace("5] }", "5], jitter = 0.05 }"))
    folder = Folder(tmp_path / "run", text)
    assert "minimised in" in folder.run().err
    assert "finished at step" in folder.run("--resume").err


@pytest.mark.parametrize("observe", [THERMO, ""], ids=["thermo", "watched"])
@pytest.mark.parametrize("integrator", [VERLET, BAOAB, NOSE], ids=["verlet", "baoab", "nose"])
def test_more_steps_go_on(integrator, observe, tmp_path):
    text = one_stage(integrator, 700, observe)
    whole, more = Folder(tmp_path / "whole", text), Folder(tmp_path / "more", text)
    whole.run()
    for steps in (0, 107, 350, 700):
        more.run("--set", f"run.steps={steps}", *(["--resume"] if more.checkpoint.exists() else []))
    refuse_difference(whole, more)


def stage_steps(folder):
    with h5py.File(folder.path / "out.h5", "r") as file:
        return [list(file[path][:]) if path in file else []
                for path in ("parameters/stage/first_step", "parameters/stage/last_step")]


def test_the_file_says_where_stages_begin_and_end(tmp_path):
    system = LIQUID.replace("5] }", "5], jitter = 0.05 }")
    folder = Folder(tmp_path / "run", staged(("relax", MINIMIZE, 5000), ("warm", BAOAB, 20),
                                             ("sample", VERLET, 100_000_000), system=system))
    process = folder.start()
    wait_for(folder.checkpoint.exists)

    def last_has_begun():
        before = folder.checkpoint.stat().st_ino
        process.send_signal(signal.SIGUSR1)
        wait_for(lambda: folder.checkpoint.stat().st_ino != before)
        return len(stage_steps(folder)[0]) == 3
    wait_for(last_has_begun)
    assert stop(process, signal.SIGTERM) == 143
    first, last = stage_steps(folder)
    assert first[0] == 0 and first[1:] == last and len(last) == 2
    assert 0 < last[0] < 5000 and last[1] == last[0] + 20
    end = folder.step_of_checkpoint() + 50
    for steps in (end - last[1], end - last[1] + 30):
        folder.run("--resume", "--set", f"stage.2.steps={steps}")
        assert stage_steps(folder) == [first, [*last, last[1] + steps]]


def test_an_ended_stage_keeps_its_length(tmp_path):
    text = staged(("warm", BAOAB, 20), ("sample", VERLET, 20))
    folder = Folder(tmp_path / "run", text)
    folder.run()
    (folder.path / "in.toml").write_text(text.replace("steps = 20", "steps = 40", 1))
    before = contents(folder.path)
    result = mdrun(*folder.arguments("--resume"), cwd=folder.path)
    assert result.status == 2
    assert '"warm"' in result.message()
    assert contents(folder.path) == before


@pytest.mark.parametrize("change, says", [
    ("force.0.epsilon=1.01", "epsilon"), ("integrator.dt=0.003", "dt"), ("seed=8", "seed"),
    ("compute.precision=double", "precision"), ("observe.0.every=6", "every")])
def test_another_system_is_refused(change, says, tmp_path):
    folder = Folder(tmp_path / "run", one_stage(VERLET, 20))
    folder.run()
    before = contents(folder.path)
    result = mdrun(*folder.arguments("--resume", "--set", change), cwd=folder.path)
    assert result.status == 2
    assert says in result.message()
    assert contents(folder.path) == before


def test_resume_without_a_checkpoint_is_refused(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(VERLET, 20))
    result = mdrun(*folder.arguments("--resume"), cwd=folder.path)
    assert result.status == 2
    assert "checkpoint" in result.message()
    assert set(contents(folder.path)) == {"in.toml"}


def test_one_quantity_per_particle_in_all_stages(tmp_path):
    text = staged(("a", VERLET, 20), ("b", VERLET, 20), system=CLUSTER, force=CLUSTER_FORCE)
    text = text.replace("[output]", BOND_ORDER.replace("[[observe]]", "[[stage.observe]]")
                        + "[output]")
    folder = Folder(tmp_path / "run", text)
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert result.status == 2
    assert "per_particle" in result.message()
    assert set(contents(folder.path)) == {"in.toml"}
