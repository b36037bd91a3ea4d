# SPDX-License-Identifier: BSD-3-Clause
"""The shadow energy of runs: far better conserved than the energy, whatever the forces; and where there is none."""

import json

import h5py
import numpy as np
import pytest
from harness import DEVICE, mdrun
from runs import (BAOAB, CHAINS, FORCE, LIQUID, MIXTURE, NOSE, SPLIT_FORCE, STIFF_CHAIN_FORCES, THERMO, VERLET, Folder,
                  one_stage, refuse_difference, staged)
from test_barostat import CHARGES, IONS, long

SMOOTH = FORCE.replace('"force-shift"', '"smooth-c2"\ninner = 2.0')
SHADOW = THERMO + '[[observe]]\ntype = "shadow-energy"\nevery = 5\n'
FLAT = LIQUID.replace("dimension = 3", "dimension = 2").replace('"fcc", repeat = [5, 5, 5]', '"triangular", repeat = [16, 10]')
RESPA = 'method = "respa"\ndt = 0.006\ninner = 3'
#: Name: system, forces, method, and how much less the shadow energy may fluctuate than the energy.
RUNS = {
    "pairs": (LIQUID, SMOOTH, VERLET, 0.05),
    "plane": (FLAT, SMOOTH, VERLET, 0.05),
    "mixture": (LIQUID + MIXTURE, SMOOTH, VERLET, 0.05),
    "position-verlet": (LIQUID, SMOOTH, VERLET.replace("verlet", "position-verlet"), 0.05),
    "symplectic-euler": (LIQUID, SMOOTH, 'method = "symplectic-euler-a"\ndt = 0.002', 0.02),
    "two levels": (LIQUID, SPLIT_FORCE.replace('"force-shift"', '"smooth-c2"\ninner = 2.0'), RESPA, 0.1),
    "chains": (CHAINS, STIFF_CHAIN_FORCES, RESPA.replace("0.006", "0.004"), 0.1),
    "ions": (IONS, CHARGES, VERLET, 0.2),
}


def series(folder, name):
    with h5py.File(folder.path / "out.h5", "r") as file:
        return file[f"observables/{name}/value"][:]


@pytest.mark.parametrize("precision", ["double", "mixed"] if DEVICE == "cpu" else ["mixed"])
@pytest.mark.parametrize("name", RUNS)
def test_it_is_conserved_where_the_energy_swings(name, precision, tmp_path):
    system, force, method, less = RUNS[name]
    folder = Folder(tmp_path / "run", one_stage(method, 300, SHADOW, system, force), f'compute.precision="{precision}"')
    result = folder.run()
    energy, shadow = series(folder, "total_energy"), series(folder, "shadow_energy")
    assert len(energy) == len(shadow) == 61
    # The start is a lattice: its first steps swing most.
    assert np.std(shadow[10:]) < less * np.std(energy[10:]), (np.std(shadow[10:]), np.std(energy[10:]))
    assert abs(np.mean(shadow - energy)) < 10 * np.std(energy), (np.mean(shadow), np.mean(energy))
    assert "conserved: shadow energy; drift" in result.out
    summary = json.loads((folder.path / "summary.json").read_text())
    assert summary["stages"][0]["shadow"]["fluctuation"] < summary["stages"][0]["conserved"]["fluctuation"]


def of_order(order, observe=SHADOW):
    return observe.replace('"shadow-energy"', f'"shadow-energy"\norder = {order}')


#: Beside those above methods without drifts and kicks of the second order alone.
PATHS = {
    **RUNS,
    "triple-jump": (LIQUID, SMOOTH, VERLET.replace("verlet", "triple-jump"), 0.5),
    "word": (LIQUID, SMOOTH, 'method = "splitting"\nword = "A0.3 B½ A* B½ A0.3"\ndt = 0.004', 0.2),
}


@pytest.mark.parametrize("precision", ["double", "mixed"] if DEVICE == "cpu" else ["mixed"])
@pytest.mark.parametrize("name", PATHS)
def test_the_last_steps_tell_it_as_well(name, precision, tmp_path):
    system, force, method, less = PATHS[name]
    observe = of_order(8)
    folder = Folder(tmp_path / "run", one_stage(method, 300, observe, system, force), f'compute.precision="{precision}"')
    result = folder.run()
    energy, shadow = series(folder, "total_energy"), series(folder, "shadow_energy")
    assert folder.steps("shadow_energy") == list(range(5, 301, 5))
    assert np.std(shadow[9:]) < less * np.std(energy[10:]), (np.std(shadow[9:]), np.std(energy[10:]))
    assert abs(np.mean(shadow - energy[1:])) < 10 * np.std(energy), (np.mean(shadow), np.mean(energy))
    assert "conserved: shadow energy; drift" in result.out


def test_a_higher_order_leaves_what_is_no_matter_of_the_step(tmp_path):
    """Of smooth forces next to nothing, of forces that jump at the cut-off as much as before."""
    swings = {}
    for name, force in (("smooth", SMOOTH), ("jumps", FORCE.replace("force-shift", "shift"))):
        for order in (4, 8):
            folder = Folder(tmp_path / f"{name}{order}", one_stage(VERLET, 300, of_order(order), LIQUID, force),
                            'compute.precision="double"')
            folder.run()
            swings[name, order] = np.std(series(folder, "shadow_energy")[10:])
    assert swings["smooth", 8] < 0.05 * swings["smooth", 4], swings
    assert swings["jumps", 8] > 0.5 * swings["jumps", 4], swings
    assert swings["jumps", 8] > 50 * swings["smooth", 8], swings


@long
def test_half_the_step_leaves_a_sixteenth(tmp_path):
    """Of what the shadow energy swings by, and a quarter of what the energy does; from a liquid."""
    start = Folder(tmp_path / "start", one_stage(BAOAB, 2000, THERMO, FLAT, SMOOTH))
    start.run()
    system = f'[system]\ndimension = 2\nfile = "{start.path}/out.h5"\n'
    found = []
    for dt, steps, every in ((0.008, 500, 1), (0.004, 1000, 2)):
        observe = SHADOW.replace("every = 5", f"every = {every}")
        folder = Folder(tmp_path / f"{dt}", one_stage(f'method = "verlet"\ndt = {dt}', steps, observe, system, SMOOTH),
                        'compute.precision="double"')
        folder.run()
        found.append([np.std(series(folder, name)) for name in ("total_energy", "shadow_energy")])
    energy, shadow = np.log2(found[0]) - np.log2(found[1])
    # Two trajectories part after some time, and their swings differ by some per cent.
    assert abs(energy - 2.0) < 0.2 and abs(shadow - 4.0) < 0.4, (energy, shadow, found)


@long
def test_its_drift_is_known_far_better_than_that_of_the_energy(tmp_path):
    """The error of a drift is that of the swings about it."""
    folder = Folder(tmp_path / "run", one_stage(VERLET, 4000, SHADOW, FLAT, FORCE), 'compute.precision="double"')
    folder.run()
    stage = json.loads((folder.path / "summary.json").read_text())["stages"][0]
    shadow, energy = stage["shadow"], stage["conserved"]
    assert shadow["drift_error"] < 0.05 * energy["drift_error"]
    assert abs(shadow["drift"]) < 0.15 * energy["drift_error"]  # of eight seeds at most 0.07


def test_it_goes_on_with_the_same_bits_and_disturbs_nothing(tmp_path):
    text = one_stage(VERLET, 60, SHADOW, LIQUID + MIXTURE, SMOOTH)
    whole, pieces = Folder(tmp_path / "whole", text), Folder(tmp_path / "pieces", text)
    whole.run()
    pieces.run("--set", "run.steps=35")
    pieces.run("--resume")
    refuse_difference(whole, pieces)
    plain = Folder(tmp_path / "plain", one_stage(VERLET, 60, THERMO, LIQUID + MIXTURE, SMOOTH))
    plain.run()
    with_it, without = whole.datasets(), plain.datasets()
    assert all(with_it[name] == value for name, value in without.items())


@pytest.mark.parametrize("every", [1, 10])
def test_the_steps_before_a_row_are_in_the_checkpoint(every, tmp_path):
    """It is written at 37, in the middle of these, and at 45, where none are needed for rows far apart."""
    text = one_stage(VERLET, 60, of_order(12, SHADOW.replace("every = 5", f"every = {every}")), LIQUID + MIXTURE, SMOOTH)
    whole, pieces = Folder(tmp_path / "whole", text), Folder(tmp_path / "pieces", text)
    whole.run()
    pieces.run("--set", "run.steps=37")
    for steps in (45, 60):
        pieces.run("--resume", "--set", f"run.steps={steps}")
    refuse_difference(whole, pieces)


def test_each_stage_has_that_of_its_step(tmp_path):
    text = staged(("coarse", VERLET.replace("0.004", "0.008"), 100), ("fine", VERLET, 100)).replace(
        "[[stage.observe]]", '[[stage.observe]]\ntype = "shadow-energy"\nevery = 5\n[[stage.observe]]')
    folder = Folder(tmp_path / "run", text, 'compute.precision="double"')
    folder.run()
    energy, shadow = series(folder, "total_energy"), series(folder, "shadow_energy")
    distance = np.abs(shadow - energy)
    assert np.mean(distance[25:]) < 0.5 * np.mean(distance[5:20])


REFUSED_ORDERS = {
    "odd": (VERLET, 5, "of order 5"),
    "two": (VERLET, 2, "of order 2"),
    "many": (VERLET, 26, "of order 26"),
    "own": (VERLET.replace("verlet", "triple-jump"), 4, "of a method of order 4"),
    "gradient": ('method = "splitting"\nword = "G[0.3]½ A1 G[0.3]½"\ndt = 0.004', 8, "gradient kicks"),
    "bath": (BAOAB, 8, "of a method with a bath"),
}


def test_a_bath_has_one(tmp_path):
    """Of Nosé-Poincaré; the energy swings a hundred times as far. Restarts find the same."""
    text = one_stage(NOSE, 80, of_order(8), LIQUID, SMOOTH) + "checkpoint = { every = 20 }\n"
    one, other = (Folder(tmp_path / name, text) for name in ("through", "in-pieces"))
    one.run()
    other.run_in_pieces()
    refuse_difference(one, other)
    stage = json.loads((one.path / "summary.json").read_text())["stages"][-1]
    assert stage["shadow"]["fluctuation"] < 0.01 * stage["conserved"]["fluctuation"]
    ramp = text.replace("temperature = 1.0\nmass", "temperature = [[0, 1.0], [100, 1.2]]\nmass")
    (tmp_path / "in.toml").write_text(ramp)
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and "whose temperature changes" in result.err, result.err


@pytest.mark.parametrize("name", REFUSED_ORDERS)
def test_orders_that_there_are_none_of(name, tmp_path):
    method, order, why = REFUSED_ORDERS[name]
    (tmp_path / "in.toml").write_text(one_stage(method, 10, of_order(order), LIQUID, FORCE))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and why in result.err, result.err


REFUSED = {
    "bath": (BAOAB, FORCE, "of a method with a bath"),
    "nose": (NOSE, FORCE, "give order, for example 8"),
    "order": (VERLET.replace("verlet", "triple-jump"), FORCE, "of an order above two"),
    "averages": ('method = "mollified-impulse"\ndt = 0.004\ninner = 3', STIFF_CHAIN_FORCES, "kicks at averages"),
    "time": (VERLET, FORCE + '[[force]]\ntype = "uniform-field"\nstrength = [0.1, 0.0, 0.0]\n'
             'modulation = { period = 1.0 }\n', "modulation"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_where_there_is_none(name, tmp_path):
    method, force, why = REFUSED[name]
    system = CHAINS if name == "averages" else LIQUID
    (tmp_path / "in.toml").write_text(one_stage(method, 10, SHADOW, system, force))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and "shadow-energy" in result.err and why in result.err, result.err


def test_what_looks_at_forces_after_it_finds_those_of_the_step(tmp_path):
    """Ewald's sum keeps its modes from the evaluation of forces to the shares of particles."""
    observe = SHADOW + '[[observe]]\ntype = "energy-terms"\nevery = 5\n'
    text = one_stage(VERLET, 20, observe, IONS, CHARGES.replace("coulomb-pme", "coulomb-ewald"))
    assert "coulomb-ewald" in text
    folder = Folder(tmp_path / "run", text, 'compute.precision="double"')
    folder.run()
    with h5py.File(folder.path / "out.h5", "r") as file:
        names = [name for name in file["observables"] if name.startswith("potential_energy_")]
        terms = sum(file[f"observables/{name}/value"][:] for name in names)
    assert len(names) > 1 and np.allclose(terms, series(folder, "potential_energy"), rtol=1e-9), names
