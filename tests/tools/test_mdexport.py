# SPDX-License-Identifier: BSD-3-Clause
"""Frames in other formats, read back by a few lines of the tests; tests/foreign has other programs."""
import importlib
import subprocess

import exports
import h5py
import numpy as np
import pytest
from conftest import LIQUID, MDRUN, describe_run, write_results, write_series
from exports import MESSAGE, call, mdexport, read_xyz
from shadow_results.formats import FOLDERS, FORMATS
from shadow_results.results import ResultsError


@pytest.fixture
def space(tmp_path):
    return exports.space(tmp_path)


@pytest.fixture
def staged(tmp_path):
    return exports.staged(tmp_path)


def test_extended_xyz_has_every_number(space, tmp_path, capsys):
    assert call(capsys, space, "--to", "xyz", "--frames", "1:")[0] == 0
    frames = read_xyz(tmp_path / "a.xyz")
    assert len(frames) == 2
    with h5py.File(space) as file:
        group = file["particles/all"]
        for k, (keys, table) in enumerate(frames, 1):
            for name, column in (("position", "pos"), ("velocity", "velo"), ("image", "image"),
                                 ("psi", "psi")):
                assert np.array_equal(table[column], group[f"{name}/value"][k]), name
            assert np.array_equal(table["mass"][:, 0], group["mass"])
            assert [row[0] for row in table["species"]] == ["Na", "Cl"] * 10
            assert (keys["pbc"], keys["Step"]) == ("T F T", str(10 * k))
            lattice = np.array(keys["Lattice"].split(), float).reshape(3, 3)
            assert np.array_equal(np.diag(lattice)[[0, 2]], [5, 7]) and lattice[1, 1] > 4
            assert keys["Origin"].split()[0] == "-1.0"


def test_extended_xyz_has_charges_where_there_are_some(space, tmp_path, capsys):
    for charges in (np.zeros(20), np.where(np.arange(20) % 2, -1.0, 0.25)):
        with h5py.File(space, "a") as file:
            file.require_dataset("particles/all/charge", 20, float)[...] = charges
        status, said = call(capsys, space, "--to", "xyz", "-o", tmp_path / "c.xyz", "--overwrite")
        assert status == 0, said.err
        for _, table in read_xyz(tmp_path / "c.xyz"):
            assert ("charge" in table) == charges.any()
            assert "charge" not in table or np.array_equal(table["charge"][:, 0], charges)


def test_names_that_are_no_elements_are_types(plane, tmp_path, capsys):
    assert call(capsys, plane, "--to", "xyz", "-o", tmp_path / "p.xyz")[0] == 0
    keys, table = read_xyz(tmp_path / "p.xyz")[0]
    assert keys["Properties"].startswith("type:S:1:pos:R:3") and keys["pbc"] == "T T F"
    assert np.all(table["pos"][:, 2] == 0.0)


def test_lammps_dumps_have_every_number(space, tmp_path, capsys):
    with h5py.File(space, "a") as file:
        file["parameters/units"][()] = "akma"
    assert call(capsys, space, "--to", "lammps-dump")[0] == 0
    frames = (tmp_path / "a.lammpstrj").read_text().split("ITEM: TIMESTEP\n")[1:]
    assert len(frames) == 3
    lines = frames[2].splitlines()
    assert lines[:3:2] == ["20", "20"] and lines[3].endswith("BOUNDS pp ff pp")
    assert [float(x) for x in lines[4].split()] == [-1.0, 4.0]
    names = lines[7].split()[2:]
    assert names[-2:] == ["psi[1]", "psi[2]"]
    table = np.array([[float(x) for k, x in enumerate(row.split()) if names[k] != "element"]
                      for row in lines[8:]])
    names.remove("element")
    with h5py.File(space) as file:
        group = file["particles/all"]
        assert np.array_equal(table[:, names.index("x"):][:, :3], group["position/value"][2])
        assert np.array_equal(table[:, names.index("ix"):][:, :3], group["image/value"][2])
        # Angstrom/fs: the unit of time is 48.88821 fs.
        assert np.allclose(48.88821290839616 * table[:, names.index("vx"):][:, :3],
                           group["velocity/value"][2], rtol=1e-14)


def test_lammps_dumps_have_charges_where_there_are_some(space, tmp_path, capsys):
    for charges in (np.zeros(20), np.where(np.arange(20) % 2, -1.0, 0.25)):
        with h5py.File(space, "a") as file:
            file.require_dataset("particles/all/charge", 20, float)[...] = charges
        out = tmp_path / "c.dump"
        status, said = call(capsys, space, "--to", "lammps-dump", "-o", out, "--overwrite")
        assert status == 0, said.err
        head, *rows = out.read_text().split("ITEM: ATOMS ")[-1].splitlines()
        names = head.split()
        assert ("q" in names) == charges.any()
        assert "q" not in names or [float(row.split()[names.index("q")]) for row in rows] == charges.tolist()


def test_lammps_data_has_the_chosen_frame(space, tmp_path, capsys):
    assert call(capsys, space, "--to", "lammps-data", "--frames", "1")[0] == 0
    text = (tmp_path / "a.data").read_text()
    assert text.splitlines()[0].endswith(", units = lj")  # as LAMMPS' write_data says it
    assert "20 atoms" in text and "2 atom types" in text and "2 4.0 # Cl" in text
    atoms = np.array([line.split() for line in
                      text.split("Atoms # atomic\n\n")[1].split("\n\n")[0].splitlines()], float)
    with h5py.File(space) as file:
        assert np.array_equal(atoms[:, 2:5], file["particles/all/position/value"][1])
        assert np.array_equal(atoms[:, 5:], file["particles/all/image/value"][1])


def bond(path):
    """A ring of three and a pair, whose bonds have two types."""
    with h5py.File(path, "a") as file:
        group = file.create_group("parameters/topology")
        group["bonds"] = [[4, 5], [5, 6], [6, 4], [9, 2]]
        group["bonds_type"] = [0, 0, 0, 1]
        group["bonds_types"] = ["C C", "C_C"]
        group["angles"] = [[4, 5, 6]]
        group["angles_type"] = [0]
        group["angles_types"] = ["3"]


def test_lammps_data_has_bonds(space, tmp_path, capsys):
    bond(space)
    status, said = call(capsys, space, "--to", "lammps-data")
    assert status == 0 and "renamed: C C is C_C, C_C is C_C_" in said.out + said.err
    assert ("needs box = { periodic = [true, false, true] } in mdrun, boundary p f p in LAMMPS"
            in said.out + said.err)
    text = (tmp_path / "a.data").read_text()
    low, high = (float(x) for x in next(line for line in text.splitlines() if "ylo" in line).split()[:2])
    with h5py.File(space) as file:  # an open direction: nothing on the border
        y = file["particles/all/position/value"][-1][:, 1]
    # And no bond may be taken for one through a face.
    assert low < y.min() and y.max() < high and high - low > 2.0 * np.ptp(y)
    for line in ("4 bonds", "2 bond types", "1 angles", "3 angle types", "1 C_C", "2 C_C_"):
        assert f"\n{line}\n" in text
    assert "Angle Type Labels" not in text  # its name is its number
    atoms = [line.split() for line in
             text.split("Atoms # molecular\n\n")[1].split("\n\n")[0].splitlines()]
    molecule = np.array([int(row[1]) for row in atoms])
    assert len(set(molecule)) == 17
    assert molecule[4] == molecule[5] == molecule[6] and molecule[2] == molecule[9]
    assert [row[2] for row in atoms] == ["1", "2"] * 10
    assert text.split("\nBonds\n\n")[1].split("\n\n")[0].splitlines() == [
        "1 1 5 6", "2 1 6 7", "3 1 7 5", "4 2 10 3"]
    assert text.split("\nAngles\n\n")[1].splitlines() == ["1 3 5 6 7"]


def test_lammps_is_told_what_is_scaled(space, tmp_path, capsys):
    bond(space)
    for factors, says in (([0.5, 0.8333], "special_bonds lj 0 0 0.5 coul 0 0 0.8333"),
                          ([1.0, 1.0], "several factors")):
        with h5py.File(space, "a") as file:
            for name in ("scaled", "scaled_factors"):
                file["parameters/topology"].pop(name, None)
            file["parameters/topology/scaled"] = [[4, 9], [2, 5]]
            file["parameters/topology/scaled_factors"] = [[0.5, 0.8333], factors]
        (tmp_path / "a.data").unlink(missing_ok=True)
        said = call(capsys, space, "--to", "lammps-data")[1]
        assert says in said.out + said.err


def test_gsd_has_scaled_pairs_as_special_ones(space, tmp_path, capsys):
    hoomd = pytest.importorskip("gsd.hoomd")
    bond(space)
    with h5py.File(space, "a") as file:
        file["parameters/topology/scaled"] = [[4, 9], [2, 5], [0, 1]]
        file["parameters/topology/scaled_factors"] = [[0.5, 0.8], [0.25, 1.0], [0.5, 0.8]]
    assert call(capsys, space, "--to", "gsd")[0] == 0
    with hoomd.open(str(tmp_path / "a.gsd")) as file:
        pairs = file[0].pairs
        assert list(pairs.types) == ["lj 0.25 coulomb 1", "lj 0.5 coulomb 0.8"]
        assert pairs.typeid.tolist() == [0, 1, 1]
        assert pairs.group.tolist() == [[2, 5], [4, 9], [0, 1]]


@pytest.mark.skipif(not MDRUN, reason="mdrun is not built (SHADOW_MDRUN is empty)")
@pytest.mark.parametrize("units", ["lj", "akma", "real", "metal"])
def test_mdrun_reads_lammps_data_in_its_units_alone(units, run, tmp_path):
    """Velocities come back to the rounding of the units of time."""
    with h5py.File(run / "out.h5") as file, h5py.File(tmp_path / "a.h5", "w") as copy:
        for name in file:
            file.copy(name, copy)
        copy["parameters/units"][()] = units
        expected = [file[f"particles/final/{name}/value"][-1] for name in ("position", "velocity")]
    assert mdexport.main([str(tmp_path / "a.h5"), "--to", "lammps-data"]) == 0
    (tmp_path / "in.toml").write_text(LIQUID.replace(
        'dimension = 2\nbox = { density = 0.8 }\nlattice = { type = "triangular", repeat = [10, 6] }\n'
        'velocity = { temperature = 1.0 }', 'dimension = 2\nfile = "a.data"').replace(
            "steps = 3000", "steps = 0"))
    for other in ("lj", "akma", "real", "metal"):
        fits = (other == "lj") == (units == "lj")  # reduced units have no scale
        ended = subprocess.run([MDRUN, "in.toml", "--quiet", "--set", f"system.units={other}", "--set",
                                "integrator.dt=1e-6", "--set", "output.overwrite=true"], cwd=tmp_path,
                               capture_output=True, text=True)
        assert ended.returncode == (0 if fits else 2), ended.stderr
        if other == units:
            with h5py.File(tmp_path / "out.h5") as file:
                group = file["particles/final"]
                assert np.array_equal(group["position/value"][-1], expected[0])
                assert np.allclose(group["velocity/value"][-1], expected[1], rtol=0, atol=1e-14)
        elif not fits:
            assert "units" in ended.stderr


def test_a_view_has_the_rows_of_the_frames(space, tmp_path, capsys):
    """Frames at steps 0, 10 and 20; rows every 5 steps, and every 20."""
    write_series(space, "often", 5 * np.arange(5), 100 + 5 * np.arange(5))
    write_series(space, "rarely", [0, 20], [1.0, 2.0])
    status, said = call(capsys, space, "--to", "h5md")
    assert status == 0 and "not measured at every frame: rarely" in said.out
    with h5py.File(tmp_path / "a.view.h5") as view:
        assert list(view["observables"]) == ["often"]
        assert list(view["observables/often/value"]) == [100, 110, 120]
        assert view["observables/often/value"].attrs["unit"] == "epsilon"
        assert view["particles/all/position/value"].shape == (3, 20, 3)


@pytest.mark.parametrize("arguments, why", [
    (["--to", "xyz", "--frames", "3"], "a.h5 has 3 (numbered from 0"),
    (["--to", "xyz", "--frames", "a"], "no slice of frames"),
    (["--to", "xyz", "--frames", "9:"], "--frames leaves none"),
    (["--to", "xyz", "-o", "no/folder/x"], "there is no folder no/folder"),
    (["--to", "xyz", "-o", "b.xyz"], "b.xyz exists"),
    (["--to", "h5md", "-o", "a.h5", "--overwrite"], "would destroy what is read"),
])
def test_wrong_wishes_are_refused(space, monkeypatch, capsys, arguments, why):
    monkeypatch.chdir(space.parent)
    (space.parent / "b.xyz").touch()
    status, said = call(capsys, "a.h5", *arguments)
    assert status == 2 and MESSAGE.fullmatch(said.err) and why in said.err, said.err


@pytest.mark.parametrize("stop", [ResultsError("it is not to be (a test); go on"), OSError(28, "No space left"),
                                  KeyboardInterrupt()], ids=["refused", "full", "interrupted"])
@pytest.mark.parametrize("kind", FORMATS)
def test_nothing_is_left_of_what_is_not_whole(kind, stop, staged, monkeypatch, tmp_path, capsys):
    for needed in {"gsd": ["gsd.hoomd"], "alchemlyb": ["pandas", "pyarrow"]}.get(kind, []):
        pytest.importorskip(needed)
    module = importlib.import_module(f"shadow_results.formats.{FORMATS[kind][0]}")
    write, there = module.write, []

    def write_and_stop(export):
        write(export)
        there.extend(p for p in tmp_path.iterdir() if p != staged)
        raise stop

    old = tmp_path / "old"
    old.mkdir() if kind in FOLDERS else old.write_text("as it was")
    (tmp_path / "link").symlink_to("old")
    with monkeypatch.context() as patch:
        patch.setattr(module, "write", write_and_stop)
        for name in ("new", "old"):
            wanted = 130 if isinstance(stop, KeyboardInterrupt) else 2
            assert call(capsys, staged, "--to", kind, "-o", tmp_path / name, "--overwrite")[0] == wanted
    assert len(there) == 6  # old, link and what is written, both times
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.h5", "link", "old"]
    assert not list(old.iterdir()) if kind in FOLDERS else old.read_text() == "as it was"
    assert call(capsys, staged, "--to", kind, "-o", tmp_path / "link", "--overwrite")[0] == 0
    assert (tmp_path / "link").is_symlink()
    assert list(old.iterdir()) if kind in FOLDERS else old.read_bytes() != b"as it was"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.h5", "link", "old"]


def test_a_missing_package_is_named(space, monkeypatch, capsys):
    monkeypatch.setitem(__import__("sys").modules, "gsd", None)
    status, said = call(capsys, space, "--to", "gsd")
    assert status == 2 and MESSAGE.fullmatch(said.err) and "gsd is missing" in said.err


@pytest.fixture
def sheared(tmp_path):
    """Makes a result whose images along `row` have slid along `column`, by pairs of these."""
    def make(tilts):
        random = np.random.default_rng(3)
        path = describe_run(write_results(tmp_path / "s.h5", random.uniform(0, 5, (2, 20, 3)), np.array([5.0, 6.0, 7.0])))
        with h5py.File(path, "a") as file:
            edges = file["particles/all/box/edges/value"]
            values = edges[...]
            for (row, column), tilt in tilts.items():
                values[:, row, column] = tilt
            edges[...] = values
        return path
    return make


def test_boxes_in_shear_are_tilted(sheared, tmp_path, capsys):
    space = sheared({(1, 0): -0.75, (2, 0): 0.5})
    edges = np.array([[5.0, 0.0, 0.0], [-0.75, 6.0, 0.0], [0.5, 0.0, 7.0]])
    out = tmp_path / "out.xyz"
    call(capsys, space, "--to", "xyz", "--output", out)
    lattice = out.read_text().split('Lattice="')[-1].split('"')[0]
    assert np.allclose(np.array(lattice.split(), float).reshape(3, 3), edges)
    out = tmp_path / "out.dump"
    call(capsys, space, "--to", "lammps-dump", "--output", out)
    rows = out.read_text().split("ITEM: BOX BOUNDS xy xz yz pp pp pp\n")[-1].splitlines()[:3]
    assert np.allclose([[float(x) for x in row.split()] for row in rows],
                       [[-0.75, 5.5, -0.75], [0.0, 6.0, 0.5], [0.0, 7.0, 0.0]])
    # Places between the edges.
    table = out.read_text().split("ITEM: ATOMS ")[-1].splitlines()
    at = table[0].split().index("x")
    place = np.array([[float(x) for x in row.split()[at:at + 3]] for row in table[1:]])
    part = place @ np.linalg.inv(edges)
    assert len(part) == 20 and np.all((part >= -1e-12) & (part < 1 + 1e-12))
    out = tmp_path / "out.data"
    call(capsys, space, "--to", "lammps-data", "--output", out)
    assert "\n-0.75 0.5 0.0 xy xz yz\n" in out.read_text()


@pytest.mark.parametrize("kind, program", [("lammps-dump", "LAMMPS"), ("lammps-data", "LAMMPS"), ("gsd", "HOOMD-blue")])
def test_a_tilt_that_a_program_has_no_words_for_is_refused(kind, program, sheared, tmp_path, capsys):
    if kind == "gsd":
        pytest.importorskip("gsd.hoomd")
    status, said = call(capsys, sheared({(0, 1): 0.3}), "--to", kind)
    assert status == 2 and MESSAGE.fullmatch(said.err) and f"is not a cell of {program}" in said.err, said.err
    assert [p.name for p in tmp_path.iterdir()] == ["s.h5"]


def test_gsd_has_tilt_factors(sheared, tmp_path, capsys):
    hoomd = pytest.importorskip("gsd.hoomd")
    space = sheared({(1, 0): -0.75})
    out = tmp_path / "out.gsd"
    call(capsys, space, "--to", "gsd", "--output", out)
    with hoomd.open(str(out)) as file:
        box = file[-1].configuration.box
    assert np.isclose(box[3] * box[1], -0.75) and box[4] == 0.0
