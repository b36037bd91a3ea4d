# SPDX-License-Identifier: BSD-3-Clause
"""Charges in a uniform magnetic field: orbits, diffusion, averages, restarts, threads, and what is refused."""

import json

import h5py
import numpy as np
import pytest
from harness import DEVICE, mdrun
from runs import BAOAB, FORCE, LIQUID, NOSE, THERMO, VERLET, Folder, one_stage, refuse_difference, refuse_thread_differences, staged

CHARGES = """\
[[species]]
name = "A"
fraction = 0.5
charge = 1.0
[[species]]
name = "B"
fraction = 0.5
mass = 2.0
charge = -0.5
"""
FIELD = "[0.5, 0.0, 1.5]"


def liquid(field=FIELD, charges=CHARGES):
    return LIQUID + f"magnetic_field = {field}\n" + charges


def free(particles, field, method, steps, output, dimension=2):
    """Without forces, from the origin: half of the particles are charged."""
    lines = "\n".join(f"{'AN'[k % 2]} 0.0 0.0 0.0" for k in range(particles))
    return (f'seed = 11\n[system]\ndimension = {dimension}\nbox = {{ periodic = false }}\nfile = "start.xyz"\n'
            f'velocity = {{ temperature = 1.0 }}\nmagnetic_field = {field}\n'
            '[[species]]\nname = "A"\nmass = 2.0\ncharge = 3.0\n[[species]]\nname = "N"\n'
            f'[integrator]\n{method}\n[run]\nsteps = {steps}\n[output]\nprefix = "out"\n{output}\n',
            f'{particles}\npbc="F F F" Properties=species:S:1:pos:R:3\n{lines}\n')


def run_free(path, *arguments, **more):
    text, start = free(*arguments, **more)
    folder = Folder(path, text, 'compute.precision="double"')
    (path / "start.xyz").write_text(start)
    folder.run()
    with h5py.File(path / "out.h5") as file:
        group = file["particles/all"]
        return (group["position/time"][:], group["position/value"][:], group["velocity/value"][:])


@pytest.mark.parametrize("dimension", [2, 3])
def test_orbits_are_circles(dimension, tmp_path):
    """Of a charge to the right in a field towards the eye, against the hands of a clock if it is negative."""
    time, x, v = run_free(tmp_path / "run", 2, "[0.0, 0.0, 0.8]", 'method = "verlet"\ndt = 0.7', 40,
                          'trajectory = { every = 1, fields = ["position", "velocity"] }', dimension=dimension)
    rate = 3.0 * 0.8 / 2.0
    v0 = v[0, 0, 0] + 1j * v[0, 0, 1]
    assert np.allclose(v[:, 0, 0] + 1j * v[:, 0, 1], v0 * np.exp(-1j * rate * time), atol=1e-12)
    assert np.allclose((x - x[0])[:, 0, 0] + 1j * (x - x[0])[:, 0, 1], v0 * (np.exp(-1j * rate * time) - 1.0) / (-1j * rate),
                       atol=1e-11)
    assert np.allclose((x - x[0])[:, 1], v[0, 1] * time[:, None], atol=1e-11)  # the neutral one
    if dimension == 3:
        assert np.allclose((x - x[0])[:, 0, 2], v[0, 0, 2] * time, atol=1e-11)


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_a_field_keeps_charges_from_diffusing(tmp_path):
    """D = kT friction / (m (friction^2 + rate^2)) across it."""
    time, x, _ = run_free(tmp_path / "run", 4000, "[0.0, 0.0, 0.8]", 'method = "baoab"\ndt = 0.1\ntemperature = 1.0\nfriction = 1.0',
                          600, 'trajectory = { every = 100 }')
    square = ((x[-1] - x[1])**2).mean(axis=1)
    lag = time[-1] - time[1]
    found = [square[k::2].mean() / (2.0 * lag) for k in (0, 1)]
    charged, neutral = 1.0 / 2.0 / (1.0 + 1.2**2), 1.0
    assert found[0] == pytest.approx(charged, rel=0.1) and found[1] == pytest.approx(neutral, rel=0.1)


BAROSTATS = {"none": (BAOAB, ""), "cell-rescaling": (BAOAB, "time = 1.0\ncompressibility = 0.1"),
             "monte-carlo": (BAOAB, 'type = "monte-carlo"\namplitude = 0.03'),
             "mtk": ('method = "nose-hoover"\ndt = 0.004\ntemperature = 1.0\nperiod = 0.4', 'type = "mtk"\nperiod = 3.0')}


@pytest.mark.parametrize("name", BAROSTATS if DEVICE != "cuda" else ["none"])
def test_averages_do_not_know_of_the_field(name, tmp_path):
    """Bohr and van Leeuwen: of charges in equilibrium, at constant volume and pressure."""
    found = []
    method, barostat = BAROSTATS[name]
    pressed = f"\n[barostat]\npressure = 1.0\n{barostat}" if barostat else ""
    for k, field in enumerate(("[0.0, 0.0, 0.0]", "[0.0, 0.0, 4.0]")):
        system = liquid(field).replace("5, 5, 5", "3, 3, 3").replace("seed = 7", f"seed = {k + 3}")
        text = one_stage(method + pressed, 20_000 if DEVICE != "cuda" else 2000, THERMO, system)
        folder = Folder(tmp_path / str(k), text.replace("2.5", "1.6").replace("0.8 }", "0.7 }", 1), "run.equilibration=500")
        folder.run()
        found.append(json.loads((folder.path / "summary.json").read_text())["averages"])
    for quantity in ("potential_energy", "pressure", "temperature", *(["volume"] if barostat else [])):
        a, b = (averages[quantity] for averages in found)
        assert abs(a["mean"] - b["mean"]) < 4.0 * np.hypot(a["error"], b["error"]), quantity


CHARGED = '[[force]]\ntype = "coulomb-dsf"\ncutoff = 2.5\nalpha = 0.3\n'
METHODS = {"verlet": VERLET, "baoab": BAOAB, "nose-hoover": 'method = "nose-hoover"\ndt = 0.004\ntemperature = 1.0\nperiod = 0.5',
           "chin-4": 'method = "chin-4"\ndt = 0.004', "following": 'method = "step-density"\ndt = 0.004\noffset = 10.0'}


@pytest.mark.parametrize("name", METHODS)
def test_a_run_in_pieces_and_on_any_number_of_threads(name, tmp_path):
    text = staged(("before", BAOAB, 4), ("in", METHODS[name], 14), system=liquid(), force=FORCE + CHARGED)
    whole, pieces = Folder(tmp_path / "whole", text), Folder(tmp_path / "pieces", text)
    whole.run()
    pieces.run_in_pieces()
    refuse_difference(whole, pieces)
    if DEVICE != "cuda":
        refuse_thread_differences(tmp_path, one_stage(METHODS[name], 30, system=liquid().replace("5, 5, 5", "8, 8, 8")))


def test_energies_stay_and_momenta_across_turn(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(VERLET, 400, THERMO, liquid()).replace("2.5", "1.8"), 'compute.precision="double"')
    said = folder.run().err
    with h5py.File(folder.path / "out.h5") as file:
        total = file["observables/total_energy/value"][:]
        momentum = file["observables/momentum/value"][:]
    assert np.ptp(total) < 2e-3 * abs(total[0])
    assert np.abs(momentum - momentum[0]).max() > 1.0
    summary = json.loads((folder.path / "summary.json").read_text())
    assert summary["stages"][-1]["degrees_of_freedom"] == 3 * 500, said


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
@pytest.mark.parametrize("field, told", [(FIELD, False), ("[0.0, 0.0, 0.0]", True)])
def test_charges_on_which_a_field_acts(field, told, tmp_path):
    """No force is a coulomb one."""
    (tmp_path / "in.toml").write_text(one_stage(VERLET, 5, "", liquid(field)))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 0, result.err
    assert ("charges on which nothing acts" in result.err) == told, result.err


ALIKE = CHARGES.replace("mass = 2.0\ncharge = -0.5", "mass = 2.0\ncharge = 2.0")


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_a_whole_that_turns_as_one_is_told(tmp_path):
    for charges, told in ((ALIKE, True), (CHARGES, False)):
        folder = Folder(tmp_path / str(told), one_stage(VERLET, 5, "", liquid(charges=charges)))
        assert ("the centre of mass turns in the magnetic field" in folder.run().err) == told


REFUSED = [
    ("two numbers", "[0.0, 1.0]", CHARGES, VERLET, "", "three components"),
    ("infinite", "[0.0, 0.0, inf]", CHARGES, VERLET, "", "must be finite"),
    ("no charges", FIELD, CHARGES.replace("charge = 1.0", "").replace("charge = -0.5", ""), VERLET, "", "without charges"),
    ("no momenta", FIELD, CHARGES, 'method = "brownian"\ndt = 1e-4\ntemperature = 1.0\nfriction = 50.0', "", "brownian in a magnetic field"),
    ("canonical momenta", FIELD, CHARGES, NOSE, "", "nose-poincare in a magnetic field"),
    ("steps by s", FIELD, CHARGES, 'method = "nose-separated"\ndt = 0.004\ntemperature = 1.0\nmass = 5.0', "", "in a magnetic field"),
    ("its shadow", FIELD, CHARGES, VERLET, '[[observe]]\ntype = "shadow-energy"\nevery = 5\n', "shadow-energy in a magnetic field"),
    ("of order 8", FIELD, CHARGES, VERLET, '[[observe]]\ntype = "shadow-energy"\nevery = 5\norder = 8\n', "shadow-energy in a magnetic field"),
    ("shear", FIELD, CHARGES, 'method = "nose-hoover"\ndt = 0.004\ntemperature = 1.0\nperiod = 0.5\n[shear]\nrate = 0.1', "", "shear in a magnetic field"),
    ("to the same bits", FIELD, CHARGES, VERLET, "[compute]\nreversible = true\n", "reversible = true in a magnetic field"),
]


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
@pytest.mark.parametrize("field, charges, method, more, why", [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_refusals(field, charges, method, more, why, tmp_path):
    (tmp_path / "in.toml").write_text(one_stage(method, 100, THERMO + more, liquid(field, charges)))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and why in result.err, result.err
    assert "(" in result.err and ";" in result.err


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
@pytest.mark.parametrize("dimension, field, why", [(1, "[0.0, 0.0, 1.0]", "on a line"), (2, "[1.0, 0.0, 1.0]", "within the plane")])
def test_fields_that_a_dimension_has_not(dimension, field, why, tmp_path):
    text, start = free(4, field, VERLET, 5, "", dimension)
    (tmp_path / "in.toml").write_text(text)
    (tmp_path / "start.xyz").write_text(start)
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and why in result.err, result.err
