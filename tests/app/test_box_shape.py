# SPDX-License-Identifier: BSD-3-Clause
"""Constant pressure in boxes whose lengths change apart from each other."""

import numpy as np
import pytest
from harness import DEVICE, mdrun
from runs import BAOAB, FORCE, LIQUID, THERMO, Folder, one_stage, refuse_difference
from test_barostat import BAROSTAT, CHARGES, IONS, mean, series

long = pytest.mark.skipif(DEVICE == "cuda", reason="long averages, on a CPU")


def lengths(folder):
    return np.stack([series(folder, f"length_{axis}") for axis in "xyz"], axis=1)


def axes(*groups):
    return "axes = [" + ", ".join(f'"{group}"' for group in groups) + "]\n"


@long
@pytest.mark.parametrize("group, still", [("z", [0, 1]), ("xy", [2])])
def test_an_ideal_gas_between_lengths_that_stay(group, still, tmp_path):
    """p(V) ~ V^N exp(-PV/kT) as where all lengths change, since dV is the measure: <V> = (N + 1) kT / P."""
    system = LIQUID.replace("density = 0.8", "density = 0.2").replace("1.0 }", "1.5 }").replace(
        '"fcc", repeat = [5, 5, 5]', '"sc", repeat = [4, 4, 3]')
    text = one_stage('method = "baoab"\ndt = 0.01\ntemperature = 1.5\nfriction = 2.0' + BAROSTAT.format(0.15, 4.0, 6.6, 4) + axes(group),
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


CRYSTAL = LIQUID.replace("1.0 }", "0.4 }").replace("density = 0.8", "density = 1.0").replace("[5, 5, 5]", "[4, 4, 4]")
STAGE = """\
[[stage]]
name = "NAME"
steps = STEPS
equilibration = 2000
integrator = { method = "baoab", dt = 0.004, temperature = 0.4, friction = 1.0 }
barostat = { pressure = PRESSURE, time = 0.5, compressibility = 0.02, every = 5, axes = AXES }
observe = [{ type = "thermo", every = 10 }, { type = "stress", every = 10 }]
"""


def stage(name, steps, pressure, groups):
    return STAGE.replace("NAME", name).replace("STEPS", str(steps)).replace("PRESSURE", str(pressure)).replace("AXES", groups)


@long
def test_a_squeezed_crystal_becomes_a_cube_again(tmp_path):
    """With the same pressure along each direction."""
    text = CRYSTAL + FORCE + stage("squeeze", 4000, 6.0, '["z"]') + stage("relax", 30_000, 1.0, '["x", "y", "z"]') + '[output]\nprefix = "out"\n'
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
    for groups in (("xyz",), ("xy",), ("z",)):
        text = one_stage(BAOAB.replace("temperature = 1.0", "temperature = 1.5") + BAROSTAT.format(1.0, 0.5, 0.15, 10) + axes(*groups),
                         30_000, THERMO.replace("every = 5", "every = 10"),
                         LIQUID.replace("0.8", "0.63").replace("5, 5, 5", "4, 4, 4"))
        folder = Folder(tmp_path / "-".join(groups), text, "run.equilibration=3000")
        folder.run()
        density.append(mean(series(folder, "density")[300:]))
    for value, error in density[1:]:
        assert abs(value - density[0][0]) < 4.5 * np.hypot(error, density[0][1]) and error < 0.01, density


@pytest.mark.parametrize("system, force", [(LIQUID, FORCE), (IONS, CHARGES)], ids=["liquid", "ions"])
def test_a_run_goes_on_with_the_same_bits(system, force, tmp_path):
    """Also on a mesh, which is made anew for the box of the checkpoint."""
    text = one_stage(BAOAB + BAROSTAT.format(3.0, 0.1, 0.2, 4) + axes("x", "yz"), 60, THERMO, system, force) + "checkpoint = { every = 10 }\n"
    whole, parts = Folder(tmp_path / "whole", text), Folder(tmp_path / "parts", text, "compute.threads=2")
    whole.run()
    parts.run("--set", "run.steps=30")
    parts.run("--resume", "--set", "run.steps=60")
    refuse_difference(whole, parts)
    edges = lengths(whole)
    assert np.ptp(edges[:, 0]) > 0.0 and (edges[:, 1] / edges[0, 1] == edges[:, 2] / edges[0, 2]).all()


@pytest.mark.parametrize("groups, says", [
    (["xa"], 'such as ["xyz"]'), (["x", "yx"], "a length changes with one group alone"), ([], "axes without a direction"),
    ([""], "axes without a direction"), (["", "x"], "axes without a direction"), (["X"], "there is no such direction")])
def test_groups_of_directions_that_are_refused(groups, says, tmp_path):
    text = one_stage(BAOAB + BAROSTAT.format(1.0, 1.0, 0.1, 5) + axes(*groups), 100)
    folder = Folder(tmp_path / "run", text)
    result = mdrun(*folder.arguments("--check"), cwd=folder.path)
    assert result.status == 2 and says in result.err, result.err
