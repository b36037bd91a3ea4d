# SPDX-License-Identifier: BSD-3-Clause
"""Exports of one stage of a run: its series, and its frames."""
import json

import exports
import h5py
import numpy as np
import pytest
from conftest import write_series
from exports import MESSAGE, call, read_xyz


@pytest.fixture
def staged(tmp_path):
    return exports.staged(tmp_path)


def test_flat_files_are_those_of_a_stage(staged, tmp_path, capsys):
    assert call(capsys, staged, "--to", "physical-validation")[0] == 0
    run = json.loads((tmp_path / "a.flat/run.json").read_text())
    assert run["ensemble"] == {"ensemble": "NVT", "natoms": 20, "volume": None, "temperature": 1.5}
    assert run["system"]["ndof_reduction_tra"] == 0 and run["system"]["mass"][:2] == [1.5, 4.0]
    assert run["dt"] == pytest.approx(0.005) and run["units"]["kb"] == 1.0
    # Without 5 steps for equilibration, and without the row that belongs to the stage before.
    assert np.array_equal(np.loadtxt(run["files"]["potential_ene_file"]), np.arange(115, 121))
    with h5py.File(staged) as file:
        assert np.array_equal(np.loadtxt(run["files"]["position_file"]),
                              file["particles/all/position/value"][2])
    assert call(capsys, staged, "--to", "physical-validation", "--stage", "a", "-o",
                tmp_path / "e")[0] == 0
    run = json.loads((tmp_path / "e/run.json").read_text())
    assert run["ensemble"]["energy"] == 205.0 and run["ensemble"]["ensemble"] == "NVE"
    assert run["system"]["ndof_reduction_tra"] == 3
    assert np.loadtxt(run["files"]["position_file"]).shape == (40, 3)


@pytest.mark.parametrize("kind", ["physical-validation", "alchemlyb"])
def test_a_stage_in_which_the_run_failed_is_refused(staged, tmp_path, capsys, kind):
    if kind == "alchemlyb":
        pytest.importorskip("pyarrow")
    with h5py.File(staged, "a") as file:
        file["parameters/failed"] = "the energy explodes between steps 12 and 13 (it does); use a smaller dt"
        del file["parameters/stage/last_step"]
        file["parameters/stage/last_step"] = [10]
    status, said = call(capsys, staged, "--to", kind)
    assert status == 2 and MESSAGE.fullmatch(said.err) and "explodes between steps 12 and 13, " in said.err, said.err
    # The stage before was over; and frames are what they are.
    assert kind == "alchemlyb" or call(capsys, staged, "--to", kind, "--stage", "a", "-o", tmp_path / "e")[0] == 0
    assert call(capsys, staged, "--to", "xyz")[0] == 0


def test_a_run_without_particles_is_not_written_for_physical_validation(staged, capsys):
    with h5py.File(staged, "a") as file:
        del file["particles"]
    status, said = call(capsys, staged, "--to", "physical-validation")
    assert status == 2 and MESSAGE.fullmatch(said.err) and "no particles in " in said.err, said.err


@pytest.mark.parametrize("arguments, why", [
    (["--to", "physical-validation", "--stage", "c"], "it has a, b"),
    (["--to", "alchemlyb", "--stage", "0"], "has no bath"),
    (["--to", "xyz", "--stage", "c"], "it has a, b"),
    (["--to", "lammps-data", "--stage", "2"], "it has a, b"),
    (["--to", "xyz", "--stage", "b", "--frames", "1"], "stage b of "),
])
def test_wrong_stages_are_refused(staged, capsys, arguments, why):
    if "alchemlyb" in arguments:
        pytest.importorskip("pyarrow")
    status, said = call(capsys, staged, *arguments)
    assert status == 2 and MESSAGE.fullmatch(said.err) and why in said.err, said.err


@pytest.mark.parametrize("stage, chosen, steps", [
    ("a", "", [0, 10]), ("b", "", [20]), ("0", "", [0, 10]), ("", "", [0, 10, 20]), ("a", "-1", [10]), ("a", "1:", [10]),
    ("b", "0", [20])])
def test_frames_are_those_of_the_stage(stage, chosen, steps, staged, tmp_path, capsys):
    """The one between two stages, at step 10, is of the first; --frames counts those of the stage."""
    options = ["--stage", stage, "--frames", chosen, "--overwrite"]
    assert call(capsys, staged, "--to", "xyz", *options)[0] == 0
    assert [int(keys["Step"]) for keys, _ in read_xyz(tmp_path / "a.xyz")] == steps
    assert call(capsys, staged, "--to", "lammps-dump", *options)[0] == 0
    dump = (tmp_path / "a.lammpstrj").read_text()
    assert [int(part.split()[0]) for part in dump.split("ITEM: TIMESTEP\n")[1:]] == steps
    assert call(capsys, staged, "--to", "lammps-data", *options)[0] == 0
    assert f"timestep = {steps[-1]}," in (tmp_path / "a.data").read_text().splitlines()[0]


def test_gsd_has_the_frames_of_the_stage(staged, tmp_path, capsys):
    hoomd = pytest.importorskip("gsd.hoomd")
    assert call(capsys, staged, "--to", "gsd", "--stage", "a")[0] == 0
    with hoomd.open(str(tmp_path / "a.gsd")) as file:
        assert [frame.configuration.step for frame in file] == [0, 10]


def test_a_stage_of_frames_alone_is_known(staged, tmp_path, capsys):
    with h5py.File(staged, "a") as file:
        del file["observables"]
    assert call(capsys, staged, "--to", "xyz", "--stage", "b")[0] == 0
    assert [keys["Step"] for keys, _ in read_xyz(tmp_path / "a.xyz")] == ["20"]


def test_a_stage_without_frames_is_refused(staged, tmp_path, capsys):
    """The last frame, at step 20, is the only one after step 10."""
    with h5py.File(staged, "a") as file:
        file["particles/all/position/step"][2] = 9
    for kind in ("xyz", "lammps-data"):
        status, said = call(capsys, staged, "--to", kind, "--stage", "b")
        assert status == 2 and MESSAGE.fullmatch(said.err) and "a.h5 has no frames (" in said.err, said.err
    assert [path.name for path in tmp_path.iterdir()] == ["a.h5"]


def test_weights_are_those_of_the_frames_that_are_written(staged, capsys):
    write_series(staged, "boost_energy", np.arange(10, 21), np.ones(11))
    for stage, warned in (("", True), ("a", False), ("b", True)):
        status, said = call(capsys, staged, "--to", "xyz", "--stage", stage, "--overwrite")
        assert status == 0 and ("frames of stage b are not" in said.err) == warned, said.err


@pytest.mark.parametrize("option, kinds", [
    (["--frames", "1"], ["h5md", "physical-validation", "alchemlyb"]), (["--stage", "a"], ["h5md"]),
    (["--temperatures", "1.5"], ["xyz", "gsd", "lammps-dump", "lammps-data", "h5md", "physical-validation"])])
def test_options_that_a_format_does_not_use_are_refused(option, kinds, staged, tmp_path, capsys):
    for kind in kinds:
        status, said = call(capsys, staged, "--to", kind, *option)
        assert status == 2 and MESSAGE.fullmatch(said.err) and f"{option[0]} with --to {kind} (only " in said.err, said.err
    assert [path.name for path in tmp_path.iterdir()] == ["a.h5"]
