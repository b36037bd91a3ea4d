# SPDX-License-Identifier: BSD-3-Clause
"""Constant pressure in boxes whose lengths change apart from each other."""

import json

import h5py
import numpy as np
import pytest
from harness import DEVICE, mdrun
from runs import BAOAB, CHAINS, CHAIN_FORCES, FORCE, LIQUID, MIXTURE, THERMO, Folder, one_stage, refuse_difference
from test_barostat import BAROSTAT, CHAIN, CHAIN_OF_THERMOSTATS, CHARGES, IONS, MONTE_CARLO, MTK, mean, series

long = pytest.mark.skipif(DEVICE == "cuda", reason="long averages, on a CPU")


WCA = '[[force]]\ntype = "wca"\nepsilon = 1.0\nsigma = 1.0\n'


def lengths(folder):
    return np.stack([series(folder, f"length_{axis}") for axis in "xyz"], axis=1)


def axes(*groups):
    return "axes = [" + ", ".join(f'"{group}"' for group in groups) + "]\n"


@long
@pytest.mark.parametrize("group, still", [("z", [0, 1]), ("xy", [2])])
@pytest.mark.parametrize("barostat", [BAROSTAT.format(0.15, 4.0, 6.6, 4), MONTE_CARLO.format(0.15, 0.4, 4)],
                         ids=["cell-rescaling", "monte-carlo"])
def test_an_ideal_gas_between_lengths_that_stay(barostat, group, still, tmp_path):
    """p(V) ~ V^N exp(-PV/kT) as where all lengths change, since dV is the measure: <V> = (N + 1) kT / P."""
    system = LIQUID.replace("density = 0.8", "density = 0.2").replace("1.0 }", "1.5 }").replace(
        '"fcc", repeat = [5, 5, 5]', '"sc", repeat = [4, 4, 3]')
    text = one_stage('method = "baoab"\ndt = 0.01\ntemperature = 1.5\nfriction = 2.0' + barostat + axes(group),
                     400_000, THERMO.replace("every = 5", "every = 40"), system, "")
    folder = Folder(tmp_path / "run", text, "run.equilibration=1000")
    folder.run()
    volume, edges = series(folder, "volume")[100:], lengths(folder)
    n, kT, P = 48, 1.5, 0.15
    for found, expected, most in ((volume, (n + 1) * kT / P, 0.02), ((volume - volume.mean())**2, (n + 1) * (kT / P)**2, 0.15)):
        value, error = mean(found)
        assert abs(value - expected) < 4.5 * error and error < most * expected
    assert (edges[:, still] == edges[0, still]).all()
    assert np.allclose(edges.prod(axis=1)[100:], volume, rtol=1e-12)
    assert np.ptp(series(folder, "conserved_energy")) < 1e-9


@long
@pytest.mark.parametrize("plane", [False, True], ids=["3d", "2d"])
def test_a_gas_in_a_box_with_a_mass_does_not_know_which_lengths_move(plane, tmp_path):
    """p(V) ~ V^(N-1) exp(-PV/kT) Z, whatever moves: <V> and var V are the same, <V (P_k - P)> = -kT along the lengths that
    move, and the mean of P_k is P. Few particles, so that the 1 shows; they collide, as without that p_z L_z / p_x is conserved."""
    system = LIQUID.replace("density = 0.8", "density = 0.2").replace("1.0 }", "1.5 }").replace(
        '"fcc", repeat = [5, 5, 5]', '"square", repeat = [12, 8]' if plane else '"sc", repeat = [4, 4, 3]')
    if plane:
        system = system.replace("dimension = 3", "dimension = 2")
    kT, P, dimension = 1.5, 0.15, 2 if plane else 3
    every = THERMO.replace("every = 5", "every = 20")
    found = []
    for group in ("xyz"[:dimension], "y") if plane else ("xyz", "z", "xy"):
        text = one_stage(CHAIN.replace("0.01", "0.006") + MTK.format(P, 3.0) + axes(group), 400_000,
                         every + every.replace("thermo", "stress"), system, WCA)
        folder = Folder(tmp_path / group, text, "run.equilibration=4000")
        folder.run()
        volume = series(folder, "volume")[200:]
        along = np.mean([series(folder, f"pressure_{axis}{axis}")[200:] for axis in group], axis=0)
        for what, expected, most in ((along, P, 0.02), (volume * (along - P), -kT, 0.8)):
            value, error = mean(what)
            assert abs(value - expected) < 4.5 * error and error < most * abs(expected), (group, value, expected, error)
        found.append((mean(volume), mean((volume - volume.mean())**2)))
        # No map that is symplectic: it wanders, of an ideal gas by 0.006 kT per degree of freedom in a time of 12000.
        assert np.ptp(series(folder, "conserved_energy")) < 0.02 * kT * dimension * (96 if plane else 48)
        if len(group) == dimension:
            continue
        edges = np.stack([series(folder, f"length_{axis}") for axis in "xyz"[:dimension]], axis=1)
        still = [d for d in range(dimension) if "xyz"[d] not in group]
        assert (edges[:, still] == edges[0, still]).all()
        assert np.allclose(edges.prod(axis=1)[200:], volume, rtol=1e-12)
    for other in found[1:]:
        for (a, da), (b, db), most in zip(found[0], other, (0.02, 0.2)):
            assert abs(a - b) < 4.5 * np.hypot(da, db) and db < most * b, found


CRYSTAL = LIQUID.replace("1.0 }", "0.4 }").replace("density = 0.8", "density = 1.0").replace("[5, 5, 5]", "[4, 4, 4]")
STAGE = """\
[[stage]]
name = "NAME"
steps = STEPS
equilibration = 2000
integrator = { INTEGRATOR, dt = 0.004, temperature = 0.4 }
barostat = { pressure = PRESSURE, BAROSTAT, axes = AXES }
observe = [{ type = "thermo", every = 10 }, { type = "stress", every = 10 }]
"""


RESCALED = 'method = "baoab", friction = 1.0', "time = 0.5, compressibility = 0.02, every = 5"
MOVED = 'method = "baoab", friction = 1.0', 'type = "monte-carlo", amplitude = 0.005, every = 3'
HEAVY = 'method = "nose-hoover", period = 0.3', 'type = "mtk", period = 3.0'


def stage(name, steps, pressure, groups, way=RESCALED):
    return STAGE.replace("NAME", name).replace("STEPS", str(steps)).replace("PRESSURE", str(pressure)).replace(
        "AXES", groups).replace("INTEGRATOR", way[0]).replace("BAROSTAT", way[1])


@long
@pytest.mark.parametrize("way", [RESCALED, MOVED, HEAVY], ids=["cell-rescaling", "monte-carlo", "mtk"])
def test_a_squeezed_crystal_becomes_a_cube_again(way, tmp_path):
    """With the same pressure along each direction."""
    text = CRYSTAL + FORCE + stage("squeeze", 4000, 6.0, '["z"]') + stage("relax", 30_000, 1.0, '["x", "y", "z"]', way) + '[output]\nprefix = "out"\n'
    folder = Folder(tmp_path / "run", text)
    folder.run()
    edges, volume = lengths(folder), series(folder, "volume")
    assert edges[390, 2] / edges[390, 0] < 0.98 and (edges[:390, :2] == edges[0, :2]).all()
    edges, volume = edges[-2600:], volume[-2600:]
    for one, other in ((0, 1), (1, 2), (2, 0)):
        value, error = mean(edges[:, one] - edges[:, other])
        assert abs(value) < 5.0 * error and error < 0.012, (one, other, value, error)
    for axis in "xyz":
        value, error = mean(volume * (series(folder, f"pressure_{axis}{axis}")[-2600:] - 1.0))
        assert abs(value + 0.4) < 5.0 * error and error < 0.03 * volume.mean(), (axis, value, error)


@long
def test_the_density_of_a_liquid_does_not_depend_on_how_its_box_moves(tmp_path):
    density = []
    rescaled, heavy = BAOAB + BAROSTAT.format(1.0, 0.5, 0.15, 10), CHAIN_OF_THERMOSTATS + MTK.format(1.0, 3.0)
    moved = BAOAB + MONTE_CARLO.format(1.0, 0.06, 10)
    for way, groups in ((rescaled, ("xyz",)), (rescaled, ("xy",)), (rescaled, ("z",)), (moved, ("xyz",)), (moved, ("z",)), (heavy, ("xyz",)), (heavy, ("xy",)), (heavy, ("z",))):
        text = one_stage(way.replace("temperature = 1.0", "temperature = 1.5") + axes(*groups), 30_000, THERMO.replace("every = 5", "every = 10"),
                         LIQUID.replace("0.8", "0.63").replace("5, 5, 5", "4, 4, 4"))
        folder = Folder(tmp_path / f"run_{len(density)}", text, "run.equilibration=3000")
        folder.run()
        density.append(mean(series(folder, "density")[300:]))
    for value, error in density[1:]:
        assert abs(value - density[0][0]) < 4.5 * np.hypot(error, density[0][1]) and error < 0.01, density


@pytest.mark.parametrize("way", [BAOAB + BAROSTAT.format(3.0, 0.1, 0.2, 4), BAOAB + MONTE_CARLO.format(3.0, 0.01, 4),
                                 CHAIN_OF_THERMOSTATS + MTK.format(3.0, 2.0)],
                         ids=["cell-rescaling", "monte-carlo", "mtk"])
@pytest.mark.parametrize("system, force", [(LIQUID, FORCE), (IONS, CHARGES), (CHAINS, FORCE + CHAIN_FORCES), (LIQUID + MIXTURE, FORCE)],
                         ids=["liquid", "ions", "chains", "mixture"])
def test_a_run_goes_on_with_the_same_bits(system, force, way, tmp_path):
    """Also on a mesh, which is made anew for the box of the checkpoint."""
    text = one_stage(way + axes("x", "yz"), 60, THERMO, system, force) + "checkpoint = { every = 10 }\n"
    whole, parts = Folder(tmp_path / "whole", text), Folder(tmp_path / "parts", text, "compute.threads=2")
    whole.run()
    parts.run("--set", "run.steps=30")
    parts.run("--resume", "--set", "run.steps=60")
    refuse_difference(whole, parts)
    edges = lengths(whole)
    assert np.ptp(edges[:, 0]) > 0.0 and np.ptp(edges[:, 1] / edges[:, 0]) > 1e-6
    assert (edges[:, 1] / edges[0, 1] == edges[:, 2] / edges[0, 2]).all()


@pytest.mark.parametrize("precision", ["double", "mixed"])
def test_the_energy_of_a_box_with_a_mass_and_a_stage_after_it(precision, tmp_path):
    """Ions on a mesh pressed along z: what is conserved is the Martyna-Tobias-Klein energy, the stage after it has the box."""
    text = IONS + CHARGES + """\
[[stage]]
name = "press"
steps = 400
integrator = { method = "nose-hoover", dt = 0.002, temperature = 1.0, period = 0.3 }
barostat = { type = "mtk", pressure = [[0, 0.4], [200, 1.2]], period = 2.0, axes = ["z"] }
observe = [{ type = "thermo", every = 5 }, { type = "stress", every = 5 }]
[[stage]]
name = "sample"
steps = 100
integrator = { method = "verlet", dt = 0.002 }
observe = [{ type = "thermo", every = 5 }, { type = "rdf", every = 5 }]
[output]
prefix = "out"
"""
    folder = Folder(tmp_path / "run", text, f'compute.precision="{precision}"')
    folder.run()
    conserved, volume = series(folder, "conserved_energy"), series(folder, "volume")
    # 216 ions; the temperature is 1, and the error of order dt^2 some 1e-5 of that.
    assert np.ptp(conserved[:81]) < 1e-3 * 648 and np.ptp(conserved[81:]) < 1e-3 * 648
    assert abs(volume[-1] / volume[0] - 1.0) > 0.02
    with h5py.File(folder.path / "out.h5") as file:
        edges = file["particles/final/box/edges/value"][-1]
    assert edges[0, 0] == edges[1, 1] != edges[2, 2]
    assert abs(np.prod(np.diag(edges)) / volume[-1] - 1.0) < 1e-12


@pytest.mark.parametrize("groups, says", [
    (["xa"], 'such as ["xyz"]'), (["x", "yx"], "a length changes with one group alone"), ([], "axes without a direction"),
    ([""], "axes without a direction"), (["", "x"], "axes without a direction"), (["X"], "there is no such direction")])
@pytest.mark.parametrize("way", [BAOAB + BAROSTAT.format(1.0, 1.0, 0.1, 5), BAOAB + MONTE_CARLO.format(1.0, 0.02, 5),
                                 CHAIN_OF_THERMOSTATS + MTK.format(1.0, 2.0)],
                         ids=["cell-rescaling", "monte-carlo", "mtk"])
def test_groups_of_directions_that_are_refused(way, groups, says, tmp_path):
    text = one_stage(way + axes(*groups), 100)
    folder = Folder(tmp_path / "run", text)
    result = mdrun(*folder.arguments("--check"), cwd=folder.path)
    assert result.status == 2 and says in result.err, result.err


DEFORM = '\n[barostat]\ntype = "deform"\nrates = [{}, {}, {}]\nevery = {}\n'


def test_an_ideal_gas_in_a_box_that_is_deformed(tmp_path):
    """Momenta are relative to the flow: p L is constant along each direction, and the work is what temperatures tell."""
    system = LIQUID.replace("density = 0.8", "density = 0.1")
    text = one_stage('method = "verlet"\ndt = 0.01' + DEFORM.format(0.05, -0.03, 0.0, 5), 400,
                     THERMO + THERMO.replace("thermo", "directional-temperature"), system, "")
    folder = Folder(tmp_path / "run", text)
    folder.run()
    stage = json.loads((folder.path / "summary.json").read_text())["stages"][-1]
    assert stage["ensemble"].startswith("in a box that is deformed, without a bath")
    assert "no steady state" in json.dumps(stage["verdict"]), stage["verdict"]
    edges = lengths(folder)
    time = 0.01 * np.arange(0, 401, 5)  # changes come with steps 5, 10, ...
    assert np.allclose(edges, edges[0] * np.exp(np.outer(time, [0.05, -0.03, 0.0])), rtol=1e-12)
    for axis in range(3):
        temperature = series(folder, "temperature_" + "xyz"[axis])
        assert np.allclose(temperature * edges[:, axis]**2, temperature[0] * edges[0, axis]**2, rtol=1e-12)
    conserved = series(folder, "conserved_energy")
    assert np.ptp(conserved) < 1e-10 * abs(conserved[0])
    assert abs(series(folder, "total_energy")[-1] - conserved[0]) > 0.02 * abs(conserved[0])


@pytest.mark.parametrize("integrator", [CHAIN_OF_THERMOSTATS, BAOAB, 'method = "verlet"\ndt = 0.004'],
                         ids=["nose-hoover", "baoab", "verlet"])
def test_a_liquid_that_is_deformed(integrator, tmp_path):
    """Energy less work and heat is what steps keep; a run in pieces has the bits of one."""
    if DEVICE == "cuda" and integrator != CHAIN_OF_THERMOSTATS:
        pytest.skip("one of each kind on an emulated device")
    text = one_stage(integrator + DEFORM.format(-0.1, -0.1, 0.2, 4), 40, THERMO, LIQUID + MIXTURE)
    one = Folder(tmp_path / "through", text)
    one.run()
    if integrator == CHAIN_OF_THERMOSTATS:
        other = Folder(tmp_path / "in-pieces", text)
        other.run_in_pieces()
        refuse_difference(one, other)
    edges, conserved = lengths(one), series(one, "conserved_energy")
    assert abs(edges[-1, 2] / edges[0, 2] - np.exp(0.2 * 0.004 * 40)) < 1e-12
    assert np.ptp(conserved) < 0.5
    assert np.ptp(series(one, "total_energy")) > 4.0 * np.ptp(conserved)


def test_rates_of_a_deformation_follow_their_table(tmp_path):
    """Each change has the rates of its middle; behind the table a stage is at rest again, and averages begin."""
    points = [[3, 0.0, 0.0, 0.05], [23, 0.1, 0.0, -0.05], [43, 0.0, 0.0, 0.0]]
    text = one_stage('method = "verlet"\ndt = 0.004' + DEFORM.replace("[{}, {}, {}]", "{}").format(points, 4), 80)
    folder = Folder(tmp_path / "run", text)
    folder.run()
    edges, step = lengths(folder), np.arange(0, 81, 5)
    ends = np.arange(4, 81, 4)  # a change at each, over the four steps before
    rates = np.stack([np.interp(ends - 2.0, [row[0] for row in points], [row[1 + d] for row in points]) for d in range(3)], 1)
    strain = np.array([rates[ends <= s].sum(axis=0) for s in step]) * 4 * 0.004
    assert np.allclose(edges, edges[0] * np.exp(strain), rtol=1e-12)
    discarded = json.loads((folder.path / "summary.json").read_text())["stages"][-1]["averages"]["pressure"]["discarded"]
    assert discarded["steps"] >= 43


REFUSED_RATES = [
    (DEFORM.format(0.1, 0.0, 0.0, 20).replace(", 0.0, 0.0]", "]"), "1 rates in 3 dimensions"),
    (DEFORM.format(0.0, 0.0, 0.0, 20), "all 0"),
    (DEFORM.format("[0, 0.1]", "[5, 0.1]", "[9, 0.1]", 20), "give 4 numbers"),
    (DEFORM.format("[5, 0.1, 0, 0]", "[5, 0.1, 0, 0]", "[9, 0.1, 0, 0]", 20), "increasing steps of the stage"),
    (DEFORM.format("[0.5, 0.1, 0, 0]", "[5, 0.1, 0, 0]", "[9, 0.1, 0, 0]", 20), "increasing steps of the stage"),
    (DEFORM.format("inf", 0.0, 0.0, 20), "must be finite"),
    (DEFORM.format(1.0, 0.0, 0.0, 20), "particles would jump"),
    (DEFORM.format(0.1, 0.0, 0.0, 0), "every is 0"),
    (DEFORM.format(0.01, 0.0, 0.0, 20) + "pressure = 1.0\n", "pressure together with type = \"deform\""),
    (DEFORM.format(0.01, 0.0, 0.0, 20) + "amplitude = 0.1\n", "amplitude together with type = \"deform\""),
    (BAROSTAT.format(1.0, 1.0, 0.1, 20) + "rates = [0.1, 0.0, 0.0]\n", "rates together with type = \"cell-rescaling\""),
]


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
@pytest.mark.parametrize("table, said", REFUSED_RATES, ids=[row[1] for row in REFUSED_RATES])
def test_rates_that_are_refused(table, said, tmp_path):
    (tmp_path / "in.toml").write_text(one_stage(BAOAB + table, 100))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and said in result.err, result.err


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_a_deformation_ends_where_the_box_is_too_small(tmp_path):
    (tmp_path / "in.toml").write_text(one_stage(BAOAB + DEFORM.format(-1.2, 0.0, 0.0, 1), 400))
    result = mdrun("in.toml", "--quiet", cwd=tmp_path)
    assert result.status not in (0, 2) and "the box has shrunk" in result.err, (result.status, result.err)
