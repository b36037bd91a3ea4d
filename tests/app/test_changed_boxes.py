# SPDX-License-Identifier: BSD-3-Clause
"""Constant pressure: restarts, what the files say of a box that changes, and what is refused."""

import h5py
import numpy as np
import pytest
from harness import mdrun
from runs import BAOAB, CHAINS, CHAIN_FORCES, FORCE, LIQUID, THERMO, Folder, one_stage, refuse_difference, refuse_thread_differences, staged
from test_barostat import (ANDERSEN, BAROSTAT, CHAIN_OF_THERMOSTATS, CHARGES, IONS, MONTE_CARLO, MTK, NOSE_POINCARE, RDF, long, mean,
                           series)

SIZES = THERMO.replace("thermo", "molecule-size")


@pytest.mark.parametrize("system, force, integrator", [
    (LIQUID, FORCE, BAOAB), (LIQUID, FORCE, CHAIN_OF_THERMOSTATS),
    (CHAINS, FORCE + CHAIN_FORCES, BAOAB), (IONS, CHARGES, BAOAB), (IONS, CHARGES, MTK), (IONS, CHARGES, ANDERSEN),
    (LIQUID, FORCE, MONTE_CARLO), (IONS, CHARGES, MONTE_CARLO)],
                         ids=["baoab", "nose-hoover", "chains", "ions", "mtk", "nose-poincare-andersen", "monte-carlo",
                              "ions monte-carlo"])
@pytest.mark.parametrize("goes_on", [False, True], ids=["", "and after"])
def test_a_restart_in_a_changed_box_is_bitwise(system, force, integrator, goes_on, tmp_path):
    """Also in stages after it: at constant volume, and at another pressure."""
    heavy = {MTK: "mtk", ANDERSEN: "nose-poincare-andersen"}.get(integrator)
    by_moves = integrator is MONTE_CARLO
    integrator = {MTK: CHAIN_OF_THERMOSTATS, ANDERSEN: NOSE_POINCARE, MONTE_CARLO: BAOAB}.get(integrator, integrator)
    after = [("sample", 'method = "verlet"\ndt = 0.002', 12), ("again", BAOAB + "\n", 13)] if goes_on else []
    text = staged(("before", BAOAB, 4), ("pressure", integrator + "\n", 31), *after, system=system, force=force)
    table = "barostat = { pressure = 3.0, time = 0.2, compressibility = 0.1, every = 2 }\n"
    if by_moves:
        table = 'barostat = { type = "monte-carlo", pressure = 3.0, amplitude = 0.01, every = 2 }\n'
    first = f'barostat = {{ type = "{heavy}", pressure = 3.0, period = 2.0 }}\n' if heavy else table
    text = text.replace('name = "pressure"\n', 'name = "pressure"\n' + first).replace(
        'name = "again"\n', 'name = "again"\n' + table.replace("3.0", "2.0"))
    if goes_on:
        text = text.replace('[[stage]]\nname = "again"', RDF.replace("20", "2") + '[[stage]]\nname = "again"')
    if system is CHAINS:
        text = text.replace("[output]", SIZES.replace("[[observe]]", "[[stage.observe]]") + "[output]")
    sets = ["output.trajectory.every=5"]
    whole, pieces = Folder(tmp_path / "whole", text, *sets), Folder(tmp_path / "pieces", text, *sets)
    whole.run()
    pieces.run_in_pieces()
    assert pieces.step_of_checkpoint() == (60 if goes_on else 35)
    refuse_difference(whole, pieces)
    with h5py.File(whole.path / "out.h5") as file:
        edges = file["particles/all/box/edges/value"][:, 0, 0]
        final = file["particles/final/box/edges/value"][-1, 0, 0]
        position = file["particles/all/position/value"][:]
    assert len(set(edges[1:])) > 4 and final == edges[-1] != edges[0]
    assert (position >= 0.0).all() and (position < edges[:, None, None]).all()


def test_a_restart_at_any_step_in_a_changed_box_is_bitwise(tmp_path):
    """Lists of before are made anew in the box that they were made in."""
    text = one_stage(CHAIN_OF_THERMOSTATS + MTK.format(3.0, 2.0), 12, THERMO.replace("every = 5", "every = 1"), LIQUID, FORCE)
    whole, pieces = Folder(tmp_path / "whole", text), Folder(tmp_path / "pieces", text)
    whole.run()
    pieces.run_in_pieces()
    refuse_difference(whole, pieces)


def test_what_is_measured_follows_the_box(tmp_path):
    """Chains in the box of their frame, whole by the nearest images of their bonds; and H = E + P V."""
    text = one_stage(BAOAB + BAROSTAT.format(3.0, 0.2, 0.1, 2), 60, THERMO + SIZES, CHAINS, FORCE + CHAIN_FORCES)
    folder = Folder(tmp_path / "run", text, 'output.trajectory={ every = 5, fields = ["position"] }')
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        edges = file["particles/all/box/edges/value"][:, 0, 0]
        bonds = np.diff(file["particles/all/position/value"][:].reshape(-1, 32, 16, 3), axis=2)
        assert file["observables/enthalpy/value"].attrs["unit"] == "epsilon"
    volume = series(folder, "volume")
    np.testing.assert_allclose(volume, edges**3, rtol=1e-14)
    assert np.ptp(volume) > 0.01 * volume[0]
    length = edges[:, None, None, None]
    assert (np.abs(bonds) > 0.5 * length).any()  # some are through a face
    bonds -= length * np.round(bonds / length)
    chain = np.concatenate([np.zeros((len(edges), 32, 1, 3)), np.cumsum(bonds, axis=2)], axis=2)
    ends = np.linalg.norm(chain[:, :, -1], axis=-1)
    gyration = np.sqrt(chain.var(axis=2).sum(axis=-1))
    for name, size in (("end_to_end_distance", ends), ("radius_of_gyration", gyration)):
        np.testing.assert_allclose(series(folder, name), size.mean(axis=1), rtol=1e-10)
        np.testing.assert_allclose(series(folder, f"{name}_squared"), (size**2).mean(axis=1), rtol=1e-10)
    np.testing.assert_allclose(series(folder, "enthalpy"), series(folder, "total_energy") + 3.0 * volume, rtol=1e-13)


def test_a_run_begins_with_the_final_configuration(tmp_path):
    text = one_stage(BAOAB + BAROSTAT.format(3.0, 0.2, 0.1, 2), 50, THERMO, LIQUID, FORCE)
    first = Folder(tmp_path / "first", text)
    first.run()
    with h5py.File(first.path / "out.h5") as file:
        edge = file["particles/final/box/edges/value"][-1, 0, 0]
        energy = file["observables/potential_energy/value"][-1]
    again = one_stage(BAOAB, 0, THERMO, f'[system]\ndimension = 3\nfile = "{first.path / "out.h5"}"\n', FORCE)
    second = Folder(tmp_path / "second", again)
    second.run()
    with h5py.File(second.path / "out.h5") as file:
        assert file["particles/final/box/edges/value"][-1, 0, 0] == edge
        # Other lists: sums of some thousand terms in single precision.
        assert abs(file["observables/potential_energy/value"][0] / energy - 1.0) < 1e-6


@long
def test_the_pressure_of_the_input_is_in_atmospheres(tmp_path):
    """An ideal gas: <V> = (N + 1) kT / P."""
    gas = """\
seed = 3
[system]
dimension = 3
units = "real"
box = { density = 0.0024 }
lattice = { type = "sc", repeat = [4, 4, 3] }
velocity = { temperature = 300.0 }
[[species]]
name = "Ar"
mass = 39.948
"""
    bath = 'method = "baoab"\ndt = 20.0\ntemperature = 300.0\nfriction = 0.002'
    text = one_stage(bath + BAROSTAT.format(100.0, 4000.0, 0.01, 4), 200_000,
                     THERMO.replace("every = 5", "every = 20"), gas, "")
    folder = Folder(tmp_path / "run", text, "run.equilibration=2000")
    folder.run()
    value, error = mean(series(folder, "volume")[200:])
    expected = 49 * 1.380649e-23 * 300.0 / (100.0 * 101325.0) * 1e30  # cubic Angstrom
    assert abs(value - expected) < 4.5 * error and error < 0.02 * expected
    value, error = mean(series(folder, "pressure")[200:])
    assert abs(value - 100.0) < 4.5 * error and error < 2.0
    atmosphere = 101325.0 * 1e-30 * 6.02214076e23 / 4184.0  # kcal/mol in a cubic Angstrom
    work = series(folder, "enthalpy") - series(folder, "total_energy")
    np.testing.assert_allclose(work, 100.0 * atmosphere * series(folder, "volume"), rtol=1e-9)
    assert folder.averages()["averages"]["enthalpy"]["unit"] == "kcal mol-1"


@long
def test_a_volume_that_hardly_moves_is_not_believed(tmp_path):
    text = one_stage(BAOAB + BAROSTAT.format(10.0, 1.0, 1e-9, 5), 20_000, THERMO, LIQUID, FORCE)
    folder = Folder(tmp_path / "run", text, "run.equilibration=500")
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert result.status == 0
    assert "the mean of the pressure is" in result.out and "FAILED" in result.out
    text = text.replace("1e-09", "1000.0")
    result = mdrun(*Folder(tmp_path / "wild", text, "run.equilibration=500").arguments(), cwd=tmp_path / "wild")
    assert "steps of the volume were accepted (its moves are too long" in result.err


@pytest.mark.parametrize("amplitude, says", [(0.3, "are too long, so the volume hardly changes); give the barostat a smaller amplitude"),
                                             (1e-4, "are short, so the volume changes slowly); give the barostat a larger amplitude"),
                                             (0.015, "steps of the volume were accepted")])
def test_how_many_moves_are_accepted_is_told(amplitude, says, tmp_path):
    text = one_stage(BAOAB + MONTE_CARLO.format(3.0, amplitude, 1), 60, THERMO, LIQUID, FORCE)
    result = mdrun(*Folder(tmp_path / "run", text).arguments(), cwd=tmp_path / "run")
    assert result.status == 0 and says in result.err + result.out, (result.out, result.err)
    assert ("amplitude" in result.err) == (amplitude != 0.015), result.err


def test_moves_on_any_number_of_threads(tmp_path):
    refuse_thread_differences(tmp_path, one_stage(BAOAB + MONTE_CARLO.format(3.0, 0.02, 2), 20, THERMO, LIQUID, FORCE))


@pytest.mark.parametrize("integrator, barostat, why", [
    (BAOAB, MTK.format(1.0, 2.0), "of type mtk, whose equations are those of nose-hoover"),
    (CHAIN_OF_THERMOSTATS.replace("nose-hoover", "nose-hoover-respa") + "\ninner = 2", MTK.format(1.0, 2.0), "of type mtk"),
    (CHAIN_OF_THERMOSTATS, MTK.format(1.0, 2.0) + "time = 1.0\n",
     'time together with type = "mtk" (it is a key of another type of barostat); write type = "cell-rescaling"'),
    (CHAIN_OF_THERMOSTATS, MTK.format(1.0, -2.0), "period"),
    (CHAIN_OF_THERMOSTATS, ANDERSEN.format(1.0, 2.0), "of type nose-poincare-andersen, whose Hamiltonian is that of nose-poincare"),
    (NOSE_POINCARE, MTK.format(1.0, 2.0), 'its Hamiltonian has a box of its own kind); write type = "nose-poincare-andersen"'),
    (NOSE_POINCARE, BAROSTAT.format(1.0, 0.2, 0.1, 2), 'write type = "nose-poincare-andersen"'),
    (NOSE_POINCARE.replace("poincare", "poincare-respa") + "\ninner = 2", ANDERSEN.format(1.0, 2.0), "with forces of one level"),
    (CHAIN_OF_THERMOSTATS + "\norder = 4", MTK.format(1.0, 2.0), "nose-hoover of order 4"),
    (NOSE_POINCARE + "\norder = 6", ANDERSEN.format(1.0, 2.0), "nose-poincare of order 6"),
    (NOSE_POINCARE, ANDERSEN.format(1.0, 2.0) + 'axes = ["z"]\n', 'axes together with type = "nose-poincare-andersen"'),
    (NOSE_POINCARE, ANDERSEN.format(1.0, 2.0) + "every = 2\n", 'every together with type = "nose-poincare-andersen"'),
    (CHAIN_OF_THERMOSTATS, MTK.format(1.0, 2.0).replace("mtk", "mkt"), "did you mean"),
    (CHAIN_OF_THERMOSTATS, BAROSTAT.format(1.0, 0.2, 0.1, 2) + "period = 2.0\n",
     'period together with type = "cell-rescaling" (it is a key of another type of barostat); write type = "mtk"'),
    (CHAIN_OF_THERMOSTATS, "\n[barostat]\npressure = 1.0\nperiod = 2.0\n", 'write type = "mtk"'),
    (BAOAB, MONTE_CARLO.format(1.0, 0.0, 2), "amplitude is 0 (it must be above zero)"), (BAOAB, MONTE_CARLO.format(1.0, -0.1, 2), "amplitude is -0.1"),
    (BAOAB, MONTE_CARLO.format(1.0, 0.6, 2), "amplitude is 0.6 (the most by which a move"),
    (BAOAB, MONTE_CARLO.format(1.0, 0.1, 0), "every is 0"), (BAOAB, MONTE_CARLO.format(1.0, 0.1, 40), "every is 40 of 40 steps"),
    (BAOAB, MONTE_CARLO.format(1.0, 0.1, 2).replace("amplitude = 0.1\n", ""), "amplitude"),
    (BAOAB, MONTE_CARLO.format(1.0, 0.1, 2) + "time = 1.0\n", 'time together with type = "monte-carlo"'),
    (BAOAB, MONTE_CARLO.format(1.0, 0.1, 2) + "compressibility = 1.0\n", 'compressibility together with type = "monte-carlo"'),
    (BAOAB, MONTE_CARLO.format(1.0, 0.1, 2) + "period = 1.0\n", 'period together with type = "monte-carlo"'),
    (BAOAB, MONTE_CARLO.format(1.0, 0.1, 2) + "rates = [0.1, 0.0, 0.0]\n", 'rates together with type = "monte-carlo"'),
    (BAOAB, BAROSTAT.format(1.0, 0.2, 0.1, 2) + "amplitude = 0.1\n",
     'amplitude together with type = "cell-rescaling" (it is a key of another type of barostat); write type = "monte-carlo"'),
    (CHAIN_OF_THERMOSTATS, MTK.format(1.0, 2.0) + "amplitude = 0.1\n", 'amplitude together with type = "mtk"'),
    (NOSE_POINCARE, MONTE_CARLO.format(1.0, 0.1, 2), "its Hamiltonian has a box of its own kind"),
    ('method = "verlet"\ndt = 0.004', MONTE_CARLO.format(1.0, 0.1, 2), "its noise has the temperature that a thermostat keeps"),
    ('method = "berendsen"\ndt = 0.004\ntemperature = 1.0\ntime = 0.5', MONTE_CARLO.format(1.0, 0.1, 2), "it samples no ensemble")])
def test_what_barostats_refuse(integrator, barostat, why, tmp_path):
    force = FORCE if "respa" not in integrator else FORCE + FORCE.replace("lennard-jones", "wca").split("cutoff")[0] + 'level = "fast"\n'
    (tmp_path / "in.toml").write_text(one_stage(integrator + barostat, 40, THERMO, LIQUID, force))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and why in result.err, result.err


@pytest.mark.parametrize("way, pressure", [(CHAIN_OF_THERMOSTATS + MTK, -1.0), (NOSE_POINCARE + ANDERSEN, -30.0)],
                         ids=["mtk", "nose-poincare-andersen"])
def test_a_box_that_runs_away_is_told(way, pressure, tmp_path):
    text = one_stage(way.format(pressure, 2.0), 20_000, THERMO, LIQUID, FORCE)
    folder = Folder(tmp_path / "run", text)
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert result.status == 3 and "would grow to more than 10 times its lengths" in result.err, result.err
    assert "last good checkpoint" in result.err
    short = mdrun(*Folder(tmp_path / "short", text.replace("period = 2.0", "period = 0.3")).arguments("--check"), cwd=tmp_path / "short")
    assert "period = 0.3 of the barostat is 75 steps" in short.err


@pytest.mark.parametrize("barostat", ["", MTK.format(1.0, 2.0)], ids=["", "mtk"])
def test_one_particle_has_nothing_that_a_thermostat_could_hold(barostat, tmp_path):
    one = LIQUID.replace('"fcc", repeat = [5, 5, 5]', '"sc", repeat = [1, 1, 1], constant = 9.0').replace(
        "density = 0.8", "lengths = [9.0, 9.0, 9.0]").replace("velocity = { temperature = 1.0 }\n", "")
    (tmp_path / "in.toml").write_text(one_stage(CHAIN_OF_THERMOSTATS + barostat, 400, THERMO, one, FORCE))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and "without a degree of freedom" in result.err, result.err


@pytest.mark.parametrize("way, energy", [(CHAIN_OF_THERMOSTATS + MTK, "Martyna-Tobias-Klein"),
                                         (NOSE_POINCARE + ANDERSEN, "Nosé-Poincaré-Andersen")], ids=["mtk", "nose-poincare-andersen"])
def test_a_liquid_in_a_box_with_a_mass(way, energy, tmp_path):
    """The pressure asked for, in agreement with itself, and an energy that is conserved."""
    text = one_stage(way.format(1.0, 2.0), 4000, THERMO.replace("every = 5", "every = 10"),
                     LIQUID.replace("0.8", "0.7").replace("5, 5, 5", "4, 4, 4"), FORCE)
    folder = Folder(tmp_path / "run", text, "run.equilibration=1000")
    result = folder.run()
    assert "steps of the volume were accepted" not in result.err and f"conserved: {energy} energy" in result.out
    volume, pressure = series(folder, "volume")[100:], series(folder, "pressure")[100:]
    value, error = mean(pressure)
    assert abs(value - 1.0) < 4.5 * error and error < 0.05, (value, error)
    assert 0.003 < volume.std() / volume.mean() < 0.05
    # Of 256 particles, 762 degrees of freedom.
    assert np.std(series(folder, "conserved_energy")[100:]) < 1e-3 * 762


def test_a_box_that_shrinks_too_far_is_a_start_for_another_run(tmp_path):
    dilute = LIQUID.replace("density = 0.8", "density = 0.1")
    text = one_stage(BAOAB + BAROSTAT.format(5.0, 0.2, 0.5, 2), 20_000, THERMO, dilute, FORCE)
    folder = Folder(tmp_path / "run", text)
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert result.status == 3 and "0.7 of its lengths" in result.err and "system.file" in result.err
    step = folder.step_of_checkpoint()
    assert step > 100
    checkpoint = next(folder.path.glob("*.checkpoint.h5"))
    again = one_stage(BAOAB + BAROSTAT.format(5.0, 0.2, 0.5, 2), 20, THERMO,
                      f'[system]\ndimension = 3\nfile = "{checkpoint}"\n', FORCE)
    second = Folder(tmp_path / "second", again)
    second.run()
    assert series(second, "volume")[0] < 0.4 * 5000.0


def test_a_box_that_can_hardly_shrink_is_told(tmp_path):
    text = one_stage(BAOAB + BAROSTAT.format(1.0, 0.2, 0.1, 2), 20, THERMO, LIQUID.replace("5, 5, 5", "3, 3, 3"), FORCE)
    folder = Folder(tmp_path / "run", text)
    assert "shorter than 0.975 of what it is (the longest cut-off, 2.5" in folder.run().err


def test_bonds_and_velocities_are_observed(tmp_path):
    observe = THERMO + ('[[observe]]\ntype = "bonded-distribution"\nevery = 5\nrange = [0.5, 1.5]\n'
                        '[[observe]]\ntype = "velocity-distribution"\nevery = 5\nlargest = 6.0\n')
    text = one_stage(BAOAB + BAROSTAT.format(30.0, 0.02, 0.1, 2), 400, observe, CHAINS, FORCE + CHAIN_FORCES)
    folder = Folder(tmp_path / "run", text)
    folder.run()
    volume = series(folder, "volume")
    assert volume[-1] < 0.97 * volume[0]
    with h5py.File(folder.path / "out.h5") as file:
        group = file["averages/bond_length_distribution"]
        value, r = group["value"][:].ravel(), group["r"][:]
        assert "velocity_distribution" in file["averages"]
    assert abs(value.sum() * (r[1] - r[0]) - 1.0) < 1e-12  # bonds across faces, too
    assert 1.0 < np.average(r, weights=value) < 1.1
