# SPDX-License-Identifier: BSD-3-Clause
"""Fluids in shear: the work and the heat of a steady state, restarts, frames of a box whose images slide, and refusals."""

import json

import h5py
import numpy as np
import pytest
from harness import DEVICE, mdrun
from runs import FORCE, LIQUID, MIXTURE, THERMO, Folder, one_stage, refuse_difference, refuse_thread_differences, staged

SHEAR = "\n[shear]\nrate = {}\n"
NOSE_HOOVER = 'method = "nose-hoover"\ndt = 0.004\ntemperature = 1.0\nperiod = 0.5\nchain = 1'
BAOAB = 'method = "baoab"\ndt = 0.004\ntemperature = 1.0\nfriction = 2.0'
FLOW = '[[observe]]\ntype = "shear-flow"\nevery = 5\n[[observe]]\ntype = "stress"\nevery = 5\n'


def stages_of(folder):
    return json.loads((folder.path / "summary.json").read_text())["stages"]


def series(folder, name):
    with h5py.File(folder.path / "out.h5") as file:
        return file[f"observables/{name}/value"][:]


@pytest.mark.parametrize("integrator", [NOSE_HOOVER, BAOAB], ids=["nose-hoover", "baoab"])
def test_a_steady_state(integrator, tmp_path):
    """The conserved quantity, energy less heat and work, says that both were counted: the work is rate V <shear stress>,
    some thousand here."""
    steps = 200 if DEVICE == "cuda" else 2000
    text = one_stage(integrator + SHEAR.format(0.4), steps, THERMO + FLOW, LIQUID + MIXTURE)
    folder = Folder(tmp_path / "run", text, "run.equilibration=100")
    folder.run()
    stage = stages_of(folder)[-1]
    assert "in shear at a rate of 0.4 along x by y, with a bath" in stage["ensemble"]
    assert stage["verdict"]["conserved"]["passed"], stage["verdict"]
    stress, viscosity = series(folder, "shear_stress"), series(folder, "shear_viscosity")
    assert np.allclose(stress, -series(folder, "pressure_xy"), rtol=1e-12)
    assert np.allclose(viscosity, stress / 0.4, rtol=1e-12)
    assert np.allclose(series(folder, "normal_stress_difference_1"),
                       series(folder, "pressure_yy") - series(folder, "pressure_xx"), atol=1e-9)
    work = 0.4 * stage["time"] * 500 / 0.8 * stress.mean()
    conserved = series(folder, "conserved_energy")
    assert np.ptp(conserved) < 0.02 * work + 0.5
    if DEVICE != "cuda":
        assert 1.2 < viscosity[40:].mean() < 3.0


def test_a_run_in_pieces_and_on_any_number_of_threads(tmp_path):
    text = one_stage(BAOAB + SHEAR.format(4.0), 80, THERMO + FLOW) + 'checkpoint = { every = 20 }\n'
    one, other = (Folder(tmp_path / name, text) for name in ("through", "in-pieces"))
    one.run()
    other.run_in_pieces()
    refuse_difference(one, other)
    if DEVICE != "cuda":
        refuse_thread_differences(tmp_path, text)


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_frames_have_the_box_and_images_of_their_time(tmp_path):
    """Unwrapped, particles fly on in the laboratory: an ideal gas goes straight."""
    system = LIQUID.replace("density = 0.8", "density = 0.1")
    text = one_stage('method = "verlet"\ndt = 0.01' + SHEAR.format(0.7), 400, THERMO, system, "").replace(
        "trajectory = { every = 100 }", 'trajectory = { every = 50, fields = ["position", "velocity", "image"] }')
    folder = Folder(tmp_path / "run", text)
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        frames = file["particles/all"]
        edges, position = frames["box/edges/value"][:], frames["position/value"][:]
        image, velocity = frames["image/value"][:], frames["velocity/value"][:]
        time = frames["position/time"][:]
    length = edges[0, 0, 0]
    turns = (edges[:, 1, 0] - 0.7 * length * time) / length
    assert np.allclose(turns, np.round(turns), atol=1e-9) and np.ptp(turns) >= 2
    assert np.all(np.abs(edges[:, 1, 0]) <= 0.5 * length * (1 + 1e-12))
    assert np.all((position >= 0) & (position < length))
    # What the reduced tilt leaves out are whole turns, which are in the images along the flow.
    place = position + np.einsum("fnd,fde->fne", image.astype(float), edges)
    laboratory = velocity.copy()
    laboratory[:, :, 0] += 0.7 * (place[:, :, 1] - 0.5 * length)
    assert np.max(np.abs(laboratory - laboratory[0])) < 1e-9
    flown = place[0] + laboratory[0] * (time - time[0])[:, None, None]
    assert np.max(np.abs(place - flown)) < 1e-8
    assert np.max(np.abs(image[-1])) > 1


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_stress_relaxes_where_the_shear_stops(tmp_path):
    text = staged(("flow", NOSE_HOOVER, 600), ("stop", NOSE_HOOVER, 600))
    for k, rate in enumerate((1.0, 0.0)):
        name = ("flow", "stop")[k]
        text = text.replace(f'name = "{name}"\n', f'name = "{name}"\nshear = {{ rate = {rate} }}\n')
    text = text.replace('[[stage.observe]]\ntype = "thermo"', FLOW.replace("[[observe]]", "[[stage.observe]]") +
                        '[[stage.observe]]\ntype = "thermo"')
    folder = Folder(tmp_path / "run", text)
    folder.run()
    flow, stop = stages_of(folder)
    assert "shear_viscosity" in flow["averages"] and "shear_viscosity" not in stop["averages"]
    assert flow["averages"]["shear_stress"]["mean"] > 1.0
    assert abs(stop["averages"]["shear_stress"]["mean"]) < 0.3
    assert "NVT" in stop["ensemble"]


RAMP = SHEAR.format("[[0, 0.0], [100, 1.5], [200, 1.5], [300, 0.0]]")


@pytest.mark.parametrize("integrator", [NOSE_HOOVER, BAOAB], ids=["nose-hoover", "baoab"])
def test_a_rate_that_changes(integrator, tmp_path):
    """The rate of each row, images that slide by its integral, stress that comes and goes, and the work of each step."""
    text = one_stage(integrator + RAMP, 600, THERMO + FLOW, LIQUID + MIXTURE, FORCE)
    folder = Folder(tmp_path / "run", text, "run.equilibration=0", "compute.precision=double")
    folder.run()
    rate, stress = series(folder, "shear_rate"), series(folder, "shear_stress")
    at = np.interp(np.arange(0, 601, 5), [0, 100, 200, 300], [0.0, 1.5, 1.5, 0.0])
    assert np.allclose(rate, at, rtol=1e-14, atol=0.0)
    with h5py.File(folder.path / "out.h5") as file:
        assert "observables/shear_viscosity" not in file
        assert "sigma" in file["observables/shear_rate/value"].attrs["unit"]
        box = file["particles/all/box/edges"]
        edges, steps = box["value"][:], box["step"][:]
    length = edges[0, 0, 0]
    # A step has the rate of its middle, so that the sum is the integral of the table.
    strain = np.interp(steps, np.arange(601), np.concatenate([[0.0], np.cumsum(0.004 * np.interp(
        np.arange(600) + 0.5, [0, 100, 200, 300], [0.0, 1.5, 1.5, 0.0]))]))
    turns = edges[:, 1, 0] / length - strain
    assert len(steps) > 5 and np.allclose(turns, np.round(turns), atol=1e-10), turns
    assert stress[20:40].mean() > 1.5 and abs(stress[80:].mean()) < 0.4, stress
    conserved = series(folder, "conserved_energy")
    # Energy less work and heat is kept to the order of dt^2: 0.0009 of the work, as at a constant rate, a quarter of that
    # with half the step.
    work = 500 / 0.8 * np.sum(rate * stress) * 5 * 0.004
    assert work > 1000.0 and np.ptp(conserved) < 0.002 * work, (np.ptp(conserved), work)
    assert "NVT" in stages_of(folder)[-1]["ensemble"]


def test_no_ensemble_while_a_rate_changes(tmp_path):
    """Heat capacities belong to what comes behind."""
    for equilibration, there in ((0, False), (300, True)):
        folder = Folder(tmp_path / f"from_{equilibration}", one_stage(BAOAB + RAMP, 500, THERMO, LIQUID, FORCE),
                        f"run.equilibration={equilibration}")
        folder.run()
        assert ("heat_capacity" in (folder.path / "summary.json").read_text()) == there


def test_a_changing_rate_goes_on_bitwise_on_any_threads(tmp_path):
    text = staged(("before", BAOAB, 3), ("ramp", NOSE_HOOVER, 12)).replace(
        'name = "before"\n', 'name = "before"\nshear = { rate = 2.0 }\n').replace(
            'name = "ramp"\n', 'name = "ramp"\nshear = { rate = [[2, 2.0], [9, -3.0]] }\n')
    whole, pieces = Folder(tmp_path / "whole", text), Folder(tmp_path / "pieces", text)
    whole.run()
    pieces.run_in_pieces()
    refuse_difference(whole, pieces)
    if DEVICE != "cuda":
        refuse_thread_differences(tmp_path, text)


REFUSED = [
    ("a jump on the way", SHEAR.format("[[0, 0.0], [5, -30.0], [10, 1.0]]"), "a shear of 0.12 in one step"),
    ("an empty table", SHEAR.format("[]"), "rate is no table of steps and values (it is empty)"),
    ("steps that go back", SHEAR.format("[[5, 0.1], [5, 0.2]]"), "step 5 comes after step 5"),
    ("no step", SHEAR.format("[[0.5, 0.1]]"), "step 0.5 is not a number of steps"),
    ("three numbers", SHEAR.format("[[0, 0.1, 0.2]]"), "a row has 3 numbers"),
    ("rate", SHEAR.replace("{}", "\"fast\""), "a number"),
    ("no rate", "\n[shear]\n", "rate"),
    ("infinite", SHEAR.format("inf"), "rate"),
    ("one direction", SHEAR.format(0.1) + 'gradient = "x"\n', "two directions"),
    ("no direction", SHEAR.format(0.1) + 'flow = "w"\n', "\"x\""),
    ("a jump", SHEAR.format(1e15), "layers would jump"),
    ("a key", SHEAR.format(0.1) + "speed = 1.0\n", "speed"),
]


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
@pytest.mark.parametrize("name, table, said", REFUSED, ids=[row[0] for row in REFUSED])
def test_bad_keys_are_refused(name, table, said, tmp_path):
    refuse(one_stage(NOSE_HOOVER + table, 20), tmp_path, said)


CHARGED = LIQUID.replace("0.8", "0.35").replace(
    '"fcc", repeat = [5, 5, 5]', '"rock-salt", repeat = [3, 3, 3], species = ["A", "B"], jitter = 0.02') + "".join(
        f'[[species]]\nname = "{name}"\ncharge = {charge}\n' for name, charge in (("A", 1.0), ("B", -1.0)))
BESIDE = [
    ("a thermostat with friction", one_stage(NOSE_HOOVER.replace('"nose-hoover"', '"nose-hoover-langevin"').replace("chain = 1", "friction = 2.0") +
                                             SHEAR.format(0.1), 20), "friction on its thermostat"),
    ("a chain", one_stage(NOSE_HOOVER.replace("chain = 1", "chain = 3") + SHEAR.format(0.1), 20), "chain = 1"),
    ("nose-poincare", one_stage('method = "nose-poincare"\ndt = 0.004\ntemperature = 1.0\nmass = 5.0' +
                                SHEAR.format(0.1), 20), "momenta are not those of the motion"),
    ("dpd", one_stage('method = "dpd"\ndt = 0.004\ntemperature = 1.0\nfriction = 4.5\nradius = 1.0' +
                      SHEAR.format(0.1), 20), "baths of single particles"),
    ("brownian", one_stage('method = "brownian"\ndt = 0.0001\ntemperature = 1.0\nfriction = 4.5' +
                           SHEAR.format(0.1), 20), "no momenta"),
    ("adaptive", one_stage('method = "adaptive-verlet"\ndt = 0.004' + SHEAR.format(0.1), 20), "steps follow"),
    ("minimize", one_stage('method = "minimize"' + SHEAR.format(0.1), 20), "needs time"),
    ("a barostat", one_stage(BAOAB + SHEAR.format(0.1) +
                             "[barostat]\npressure = 1.0\ntime = 1.0\ncompressibility = 0.1\nevery = 2\n", 20), "a barostat"),
    ("msd", one_stage(BAOAB + SHEAR.format(0.1), 200,
                      THERMO + '[[observe]]\ntype = "msd"\nevery = 4\nlongest = 8\n'), "msd with shear"),
    ("charges", one_stage(BAOAB + SHEAR.format(0.1), 20, THERMO, CHARGED,
                          '[[force]]\ntype = "coulomb-pme"\naccuracy = 1e-3\ncutoff = 3.0\n'), "waves"),
    ("gravity", one_stage(BAOAB + SHEAR.format(0.1), 20, THERMO, LIQUID,
                          FORCE + '[[force]]\ntype = "uniform-field"\nstrength = [0.0, 1.0, 0.0]\n'), "field"),
    ("reversible", one_stage('method = "verlet"\ndt = 0.004' + SHEAR.format(0.1), 20) +
     "[compute]\nreversible = true\n", "reversible"),
    ("a stage after it", staged(("flow", NOSE_HOOVER, 20), ("rest", NOSE_HOOVER, 20)).replace(
        'name = "flow"\n', 'name = "flow"\nshear = { rate = 0.1 }\n'), "shear = { rate = 0 }"),
    ("another direction", staged(("flow", NOSE_HOOVER, 20), ("other", NOSE_HOOVER, 20)).replace(
        'name = "flow"\n', 'name = "flow"\nshear = { rate = 0.1 }\n').replace(
            'name = "other"\n', 'name = "other"\nshear = { rate = 0.1, flow = "z" }\n'), "different directions"),
    ("no shear", one_stage(NOSE_HOOVER, 20, THERMO + FLOW), "shear-flow without shear"),
]


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
@pytest.mark.parametrize("name, text, said", BESIDE, ids=[row[0] for row in BESIDE])
def test_what_cannot_be_sheared_is_refused(name, text, said, tmp_path):
    refuse(text, tmp_path, said)


def refuse(text, tmp_path, said):
    (tmp_path / "in.toml").write_text(text)
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and said in result.err, result.err
    # One fault, one message.
    assert result.err.count("mdrun: error") == 1, result.err


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_a_fault_elsewhere_is_none_of_the_shear(tmp_path):
    text = one_stage(NOSE_HOOVER + SHEAR.format(0.1), 20).replace("density = 0.8", "density = -0.8")
    refuse(staged(("flow", NOSE_HOOVER, 20)).replace('name = "flow"\n', 'name = "flow"\nshear = { rate = 0.1 }\n').replace(
        "density = 0.8", "density = -0.8"), tmp_path, "density")
    refuse(text, tmp_path, "density")


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_a_stage_in_shear_is_not_certified(tmp_path):
    (tmp_path / "in.toml").write_text(one_stage(NOSE_HOOVER + SHEAR.format(0.1), 20))
    result = mdrun("in.toml", "--certify", cwd=tmp_path)
    assert result.status == 0 and "is not tried" in result.out, (result.out, result.err)


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
@pytest.mark.parametrize("gradient", ["y", "z"])
def test_a_box_that_has_been_sheared_is_a_start(gradient, tmp_path):
    """Of the last frame, or the checkpoint: the same energy, and places unwrapped as they were."""
    text = one_stage(NOSE_HOOVER + SHEAR.format(3.0) + f'gradient = "{gradient}"', 140).replace(
        "trajectory = { every = 100 }", 'trajectory = { every = 140, fields = ["position", "velocity", "image"] }')
    folder = Folder(tmp_path / "run", text, "compute.precision=double")
    folder.run()
    energy = series(folder, "potential_energy")[-1]

    def last(name):
        with h5py.File(folder.path / name) as file:
            frames = file["particles/all"]
            box, position, image = (frames[f"{key}/value"][:] for key in ("box/edges", "position", "image"))
        return box[0 if name == "next.h5" else -1], position[0 if name == "next.h5" else -1], image[0 if name == "next.h5" else -1]

    before = last("out.h5")
    assert before[0]["xyz".index(gradient), 0] != 0.0
    for start in ("out.h5", "out.checkpoint.h5"):
        again = f'[system]\ndimension = 3\nfile = "{start}"\n' + text[text.index(FORCE):].replace("steps = 140", "steps = 20")
        (folder.path / "next.toml").write_text(again.replace('"out"', '"next"').replace("every = 140", "every = 10"))
        result = mdrun("next.toml", "--set", "compute.precision=double", "--set", "output.overwrite=true", cwd=folder.path)
        assert result.status == 0, result.err
        with h5py.File(folder.path / "next.h5") as file:
            assert np.isclose(file["observables/potential_energy/value"][0], energy, rtol=1e-12)
        now = last("next.h5")
        assert np.allclose(now[0], before[0], rtol=0, atol=1e-12)
        unwrapped = [position + np.einsum("nd,de->ne", image.astype(float), box) for box, position, image in (before, now)]
        assert np.allclose(*unwrapped, rtol=0, atol=1e-9)


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_heat_that_nothing_takes_is_warned_of(tmp_path):
    (tmp_path / "in.toml").write_text(one_stage('method = "verlet"\ndt = 0.004' + SHEAR.format(0.5), 20))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 0 and "the temperature rises without bound" in result.err, result.err


def test_a_sheared_checkpoint_says_what_has_changed(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(NOSE_HOOVER + SHEAR.format(0.5), 60))
    folder.run()
    text = (folder.path / "in.toml").read_text().replace("rate = 0.5", "rate = 0.6").replace("steps = 60", "steps = 90")
    (folder.path / "in.toml").write_text(text)
    result = mdrun(*folder.arguments("--resume"), cwd=folder.path)
    assert result.status == 2 and "shear.rate" in result.err, result.err
