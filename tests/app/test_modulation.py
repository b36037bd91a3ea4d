# SPDX-License-Identifier: BSD-3-Clause
"""Fields that change in time: what a run says of itself, and what it refuses."""
import json
import re

import h5py
import numpy
import pytest
from harness import BASE, edited, mdrun
from runs import BAOAB, FORCE, LIQUID, NOSE, VERLET, Folder, one_stage, staged

FIELD = '[[force]]\ntype = "uniform-field"\nstrength = [1.0, 0.0, 0.0]\n'
WAVE = FIELD + "modulation = { period = 0.9, phase = 0.5 }\n"
LANGEVIN = 'method = "nose-hoover-langevin"\ndt = 0.004\ntemperature = 1.0\nperiod = 0.4\nfriction = 0.5'
HOOVER = 'method = "nose-hoover"\ndt = 0.004\ntemperature = 1.0\nperiod = 0.4'
SWITCH = FIELD.replace("uniform-field", "cosine-field").replace(
    "strength = [1.0, 0.0, 0.0]", "amplitude = 2.0\nperiods = [1, 0, 0]") + "modulation = {{ points = {} }}\n"


def summary(folder):
    return json.loads((folder.path / "summary.json").read_text())["stages"]


@pytest.mark.parametrize("method", [VERLET, HOOVER],
                         ids=["verlet", "nose-hoover"])
def test_the_energy_changes_and_the_run_is_sound(tmp_path, method):
    folder = Folder(tmp_path / "run", one_stage(method, 1000, force=FORCE + WAVE), "compute.precision=double")
    folder.run()
    stage = summary(folder)[0]
    assert stage["verdict"]["conserved"]["passed"], stage["verdict"]
    with h5py.File(folder.path / "out.h5") as file:
        total, conserved = (file[f"observables/{name}_energy/value"][:] for name in ("total", "conserved"))
    assert numpy.ptp(total) > 10.0
    assert numpy.ptp(conserved) < 0.03 * numpy.ptp(total)
    assert not stage["fluctuations"]


def test_a_field_moves_what_was_at_rest(tmp_path):
    """No energy but that of the field, whose work is no explosion."""
    start = LIQUID.replace("temperature = 1.0", "temperature = 0.0")
    trap = SWITCH.format("[[0.0, 0.0], [0.5, 1.0]]").replace("amplitude = 2.0", "amplitude = 20.0")
    folder = Folder(tmp_path / "run", one_stage(VERLET, 400, system=start, force=trap), "compute.precision=double")
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        total, conserved = (file[f"observables/{name}_energy/value"][:] for name in ("total", "conserved"))
    assert numpy.ptp(total) > 100.0
    assert numpy.ptp(conserved) < 0.01 * numpy.ptp(total)


def test_the_log_names_what_is_conserved(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(VERLET, 100, force=FORCE + WAVE))
    result = folder.run()
    assert "total energy minus work of fields" in result.out + result.err


@pytest.mark.parametrize("modulation, says", [("", "all particles fall for ever"),
                                              ("modulation = { period = 0.9 }\n", "it accelerates all particles together")])
def test_motion_of_the_whole_that_counts_as_heat_is_warned_of(modulation, says, tmp_path):
    result = Folder(tmp_path / "run", one_stage(VERLET, 10, force=FORCE + FIELD + modulation)).run()
    assert f"uniform-field along x, which is periodic ({says}" in result.err, result.err


@pytest.mark.parametrize("method, counts", [(HOOVER, True), (VERLET, True), (LANGEVIN, True), (BAOAB.replace("friction = 1.0", "friction = 4.0"), False)],
                         ids=["nose-hoover", "verlet", "nose-hoover-langevin", "baoab"])
def test_motion_that_a_pulse_leaves_behind_is_no_heat(method, counts, tmp_path):
    """Of each of 500 particles a momentum of 0.6: 0.36 of 3 kT without a bath, which a bath without friction keeps too."""
    pulse = FIELD.replace("1.0, 0.0, 0.0", "6.0, 0.0, 0.0") + "modulation = { points = [[0.1, 0.0], [0.1001, 1.0], [0.2, 1.0], [0.2001, 0.0]] }\n"
    folder = Folder(tmp_path / "run", staged(("pulse", VERLET, 100), ("sample", method, 2500), force=FORCE + pulse))
    folder.run()
    stage = summary(folder)[1]
    finding = stage["verdict"]["temperature"]
    assert finding["passed"] != counts, stage["verdict"]
    if counts:
        assert re.match(r"1[0-9] % of the temperature is motion of the centre of mass and not heat \(0.067 % would be", finding["message"]), finding
        assert not stage["averages"]["temperature"]["trusted"]


def test_an_ensemble_once_the_field_is_steady(tmp_path):
    """The first stage switches it on, the second samples: heat capacities there alone."""
    points = SWITCH.format("[[0.0, 0.0], [1.0, 1.0]]")
    folder = Folder(tmp_path / "run", staged(("on", BAOAB, 250), ("sample", BAOAB, 2000), force=FORCE + points))
    folder.run()
    on, sample = summary(folder)
    assert not on["fluctuations"]
    assert sample["fluctuations"]


@pytest.mark.parametrize("forces, freedom", [
    (WAVE, 1498),
    (WAVE + WAVE.replace("1.0", "-1.0"), 1498),
    (FIELD + FIELD.replace("1.0", "-1.0"), 1497),
])
def test_fields_cancel_only_if_they_do_at_all_times(forces, freedom, tmp_path):
    """Degrees of freedom of 500 particles; whether two waves are the same is not looked at."""
    integrator = '[integrator]\nmethod = "verlet"'
    (tmp_path / "in.toml").write_text(edited((integrator, forces + integrator), base=BASE))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 0, result.err
    assert f"{freedom} degrees of freedom" in result.out + result.err


@pytest.mark.parametrize("method, period, told", [
    (VERLET, 0.9, False), (VERLET, 0.02, False), (VERLET, 0.01, True), (VERLET, 2e-4, True), (BAOAB, 0.01, True),
    ('method = "respa"\ndt = 0.04\ninner = 10', 0.02, False), ('method = "respa"\ndt = 0.04\ninner = 10', 0.008, True)])
def test_a_wave_that_is_faster_than_the_steps(method, period, told, tmp_path):
    """Of which kicks have the mean, sin(x)/x with x = pi times the fraction of a period between them."""
    wave = FIELD + f'level = "fast"\nmodulation = {{ period = {period} }}\n'
    (tmp_path / "in.toml").write_text(one_stage(method, 10, force=FORCE + wave))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 0, result.err
    lines = [line for line in result.err.splitlines() if "the modulation of uniform-field changes within a step" in line]
    assert len(lines) == told, result.err
    between = 0.004
    left = abs(numpy.sinc(between / period))
    assert all(f"its mean over {between}, in which {left:.2g} of it is left" in line for line in lines), lines


@pytest.mark.parametrize("text, words", [
    (one_stage(NOSE, 100, force=FORCE + WAVE), ["nose-poincare with a field with modulation", "baoab"]),
    (one_stage('method = "chin-4"\ndt = 0.002', 100, force=FORCE + WAVE), ["chin-4 with a field with modulation", "blanes-moan-4"]),
    (one_stage(VERLET, 100, force=FORCE + WAVE).replace(
        "steps = 100", 'until = { quantity = "pressure", error = 0.1, max_steps = 100 }'),
     ["until with a field that always changes"]),
    (one_stage(VERLET, 100, force=FORCE + FIELD + "modulation = 2.0\n"), ["modulation"]),
    (one_stage(VERLET, 100, force=FORCE + FIELD + "modulation = {}\n"), ["modulation"]),
    (one_stage(VERLET, 100, force=FORCE + FIELD + "modulation = { points = [[1.0, 1.0], [0.0, 1.0]] }\n"), ["times must increase"]),
    (one_stage(VERLET, 100, force=FORCE + FIELD + "modulation = { period = 0.0 }\n"), ["period"]),
    (one_stage(VERLET, 100, force=FORCE + "modulation = { period = 1.0 }\n"), ["modulation"]),
])
def test_what_cannot_be_is_refused(text, words, tmp_path):
    (tmp_path / "in.toml").write_text(text)
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2, result.err
    for word in words:
        assert word in result.err, result.err
