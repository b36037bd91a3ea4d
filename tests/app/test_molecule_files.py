# SPDX-License-Identifier: BSD-3-Clause
"""Molecules in files: data files, results, exports, checkpoints, and what of them is refused."""

import pathlib
import subprocess
import sys

import h5py
import numpy as np
import pytest
from harness import mdrun
from molecule_inputs import (CHARGES, DATA, PLACES, SCALE, SCALED, VACUUM, check, energies,
                             scaled_energies, vacuum)
from runs import BAOAB, CHAIN_FORCES, CHAINS, FORCE, THERMO, Folder, one_stage


@pytest.mark.parametrize("scale", ["", SCALE], ids=["excluded", "scaled"])
def test_a_data_file_is_the_same_as_tables(scale, tmp_path):
    """Frames of both runs have the same bits."""
    first = vacuum(tmp_path, *[SCALED] * bool(scale))
    first.run()
    system, rest = VACUUM.split("[[molecule]]")[0], VACUUM[VACUUM.index("[[force]]"):]
    text = system.replace('"start.xyz"', '"start.data"\nexclude = 3\n' + scale) + rest
    folder = Folder(tmp_path / "data", text.replace('of = "dihedral"', 'of = "1"'))
    (folder.path / "start.data").write_text(DATA)
    said = folder.run().err
    assert "Dihedral Coeffs are not read" in said
    with h5py.File(first.path / "out.h5") as a, h5py.File(folder.path / "out.h5") as b:
        assert np.array_equal(a["particles/all/position/value"][...],
                              b["particles/all/position/value"][...])


def test_a_file_with_bonds_needs_exclude(tmp_path):
    text = VACUUM.split("[[molecule]]")[0].replace('"start.xyz"', '"start.data"')
    result = check(tmp_path, text + VACUUM[VACUUM.index("[[force]]"):])
    assert result.status == 2
    assert "without `exclude`" in result.err


def test_messages_name_atoms_as_the_data_file_does(tmp_path):
    """Its ids are counted from 1."""
    system = VACUUM.split("[[molecule]]")[0].replace('"start.xyz"', '"start.data"\nexclude = 3')
    rest = VACUUM[VACUUM.index("[[force]]"):]
    fene = rest.replace('"harmonic-bond"\nof = "bond"\nk = 80.0\nr0 = 1.1',
                        '"fene-bond"\nof = "bond"\nk = 30.0\nr_max = 1.12')
    assert "fene-bond of particles 3, 4 at the start" in check(tmp_path, system + fene).err
    tables = VACUUM[VACUUM.index("[[molecule]]"):].replace(
        '"C", "C", "C", "C", "C"', '"C0", "C1", "C2", "C4", "C3"')
    said = check(tmp_path, system.replace("exclude = 3\n", "") + tables).message()
    assert 'particle 4 of the file is of species "C3"' in said


def test_results_hand_over_their_bonds(tmp_path):
    """A run from the results of another has the forces of one that never stopped."""
    first = Folder(tmp_path / "first", one_stage(BAOAB, 100, THERMO, CHAINS, FORCE + CHAIN_FORCES))
    first.run()
    with h5py.File(first.path / "out.h5") as file:
        topology = file["parameters/topology"]
        bonds, excluded = topology["bonds"][...], topology["excluded"][...]
        assert bonds.shape == (32 * 15, 2) and np.array_equal(bonds, excluded)
        assert list(topology["bonds_types"].asstr()) == ["bond"]
        energy = file["observables/potential_energy/value"][-1]
    start = """\
[system]
dimension = 3
file = "../first/NAME"
"""
    tables = CHAINS[CHAINS.index("[[molecule]]"):]
    tool = pathlib.Path(__file__).parents[2] / "tools/mdexport"
    subprocess.run([sys.executable, tool, first.path / "out.h5", "--to", "lammps-data"], check=True)
    for name, more in (("out.data", ""), ("out.h5", ""), ("out.checkpoint.h5", ""), ("out.h5", tables)):
        named = start.replace("NAME", name) + ("exclude = 1\n" if name == "out.data" else "")
        text = one_stage(BAOAB, 0, THERMO, named + more, FORCE + CHAIN_FORCES)
        folder = Folder(tmp_path / f"next_{name}_{len(more)}", text)
        folder.run()
        with h5py.File(folder.path / "out.h5") as file:
            assert file["observables/potential_energy/value"][0] == pytest.approx(energy, rel=1e-6)


def test_results_hand_over_their_scaling(tmp_path):
    """Results and checkpoints have factors; exclusions of an input that leaves them out are refused."""
    first = vacuum(tmp_path, SCALED)
    first.run()
    with h5py.File(first.path / "out.h5") as file:
        topology = file["parameters/topology"]
        assert topology["scaled"][...].tolist() == [[0, 3], [1, 4]]
        assert topology["scaled_factors"][...].tolist() == [[0.5, 0.8333]] * 2
        last = file["particles/final/position/value"][-1]
    rest = VACUUM[VACUUM.index("[[force]]"):].replace("steps = 300", "steps = 0")
    system = VACUUM.split("[[molecule]]")[0]

    def next_run(name, more):
        folder = Folder(tmp_path / f"next_{len(list(tmp_path.iterdir()))}",
                        system.replace("start.xyz", f"../run/{name}") + more + rest)
        return folder, mdrun(*folder.arguments(), cwd=folder.path)

    for name in ("out.h5", "out.checkpoint.h5"):
        for more, factors in (("", (0.5, 0.8333)), ("exclude = 3\nscale_14 = { lj = 0.0, coulomb = 0.25 }\n",
                                                    (0.0, 0.25))):
            folder, result = next_run(name, more)
            assert result.status == 0, result.err
            with h5py.File(folder.path / "out.h5") as file:
                found = file["observables/potential_energy/value"][0]
            assert found == pytest.approx(sum(scaled_energies(last, *factors).values()), rel=1e-9)
        result = next_run(name, "exclude = 3\n")[1]
        assert result.status == 2
        for part in ("exclusions without the scaling of the file", "atoms 0, 3 have 0.5 of their pair forces"):
            assert part in result.message()
        assert "without `exclude`" in next_run(name, SCALE)[1].message()
    with h5py.File(first.path / "out.h5", "a") as file:
        file["parameters/topology/scaled_factors"][1, 0] = np.nan
    assert "the scaled pair 1 cannot be" in next_run("out.h5", "")[1].message()


def test_other_factors_are_not_gone_on_with(tmp_path):
    folder = vacuum(tmp_path, SCALED)
    folder.run("--set", "run.steps=20")
    text = (folder.path / "in.toml").read_text()
    (folder.path / "in.toml").write_text(text.replace("lj = 0.5", "lj = 0.4"))
    result = mdrun(*folder.arguments("--resume"), cwd=folder.path)
    assert result.status == 2 and "or by other factors" in result.message()


@pytest.mark.parametrize("name", ["bonds", "excluded"])
def test_results_with_bonds_of_particles_that_are_not_there(name, tmp_path):
    folder = Folder(tmp_path / "run", one_stage(BAOAB, 0, THERMO, CHAINS, FORCE + CHAIN_FORCES))
    folder.run()
    with h5py.File(folder.path / "out.h5", "a") as file:
        file[f"parameters/topology/{name}"][0, 1] = 512
    text = one_stage(BAOAB, 0, THERMO, '[system]\ndimension = 3\nfile = "out.h5"\n', FORCE + CHAIN_FORCES)
    (folder.path / "next.toml").write_text(text.replace('prefix = "out"', 'prefix = "next"'))
    said = mdrun("next.toml", "--check", cwd=folder.path).message()
    assert "particle 512 is bonded or excluded (there are 512, counted from 0)" in said


def wrapped(images):
    """The data file in a periodic box of length 10, with a face through the second bond."""
    x = PLACES[:, 0] - 1.3
    rows = [f"{k + 1} 1 {min(k, 6) + 1} {CHARGES[k]} {x[k] % 10.0} {y} {z}"
            + (f" {int(x[k] // 10.0)} 0 0\n" if images else "\n")
            for k, (_, y, z) in enumerate(PLACES.tolist())]
    before, after = DATA[:DATA.index("Atoms")], DATA[DATA.index("\nBonds\n"):]
    return before.replace("-50 50", "0 10") + "Atoms # full\n\n" + "".join(rows) + after


@pytest.mark.parametrize("box, images, says", [
    ("periodic = false", False, "is 10 long and this one open"),
    ("lengths = [10.0, 10.0, 10.0], periodic = false", False, "is 10 long and this one open"),
    ("lengths = [30.0, 10.0, 10.0]", True, "is 10 long and this one 30"),
    ("periodic = false", True, None)])
def test_bonds_through_a_face_are_not_torn(box, images, says, tmp_path):
    """Where the input opens the box of a file, images make molecules whole."""
    system = VACUUM.split("[[molecule]]")[0].replace("periodic = false", box).replace(
        '"start.xyz"', '"start.data"\nexclude = 3')
    folder = Folder(tmp_path / "run", system + VACUUM[VACUUM.index("[[force]]"):])
    (folder.path / "start.data").write_text(wrapped(images))
    if says:
        result = mdrun(*folder.arguments("--check"), cwd=folder.path)
        assert result.status == 2
        for part in ("a bond torn along x", says, "atoms 2 and 3 are 9.6 apart"):
            assert part in result.message()
        return
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        found = file["observables/potential_energy/value"][0]
        assert found == pytest.approx(sum(energies(PLACES).values()), rel=1e-9)


def test_a_renamed_bond_is_named(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(BAOAB, 20, THERMO, CHAINS, FORCE + CHAIN_FORCES))
    folder.run()
    text = (folder.path / "in.toml").read_text()
    (folder.path / "in.toml").write_text(text.replace("[0, 1] }", '[0, 1], type = "AA" }'))
    said = mdrun(*folder.arguments("--resume"), cwd=folder.path).message()
    assert 'the bond of atoms 0, 1 was of type "bond" and is of type "AA" now' in said


def test_a_changed_file_is_not_gone_on_with(tmp_path):
    text = VACUUM.split("[[molecule]]")[0].replace('"start.xyz"', '"start.data"\nexclude = 3').replace(
        "box = { periodic = false }\n", "").replace("cutoff = inf", "cutoff = 3.0")
    rest = VACUUM[VACUUM.index("[[force]]"):].replace("cutoff = inf", "cutoff = 3.0").replace(
        '[[force]]\ntype = "coulomb"\n', "")
    folder = Folder(tmp_path / "run", text + rest)
    (folder.path / "start.data").write_text(DATA)
    folder.run("--set", "run.steps=20")
    for old, new, why in (("-50 50 xlo", "-50 51 xlo", "another box"),
                          ("\n4 1 4 5\n", "\n4 1 3 5\n", "the bond of atoms 3, 5 was not there")):
        (folder.path / "start.data").write_text(DATA.replace(old, new))
        result = mdrun(*folder.arguments("--resume"), cwd=folder.path)
        assert result.status == 2 and why in result.err
    (folder.path / "start.data").write_text(DATA)
    folder.run("--resume")
