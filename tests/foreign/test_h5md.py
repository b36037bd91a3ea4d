# SPDX-License-Identifier: BSD-3-Clause
"""Result files as other programs see them: h5py and, where it is installed, MDAnalysis."""
import os
import pathlib
import subprocess
import sys

import pytest

np = pytest.importorskip("numpy")
h5py = pytest.importorskip("h5py")

FRAMES, N = 7, 50


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    sample = os.environ.get("SHADOW_H5MD_SAMPLE")
    if not sample:
        pytest.skip("SHADOW_H5MD_SAMPLE does not name the program that writes the files")
    path = tmp_path_factory.mktemp("h5md")
    subprocess.run([sample, path], check=True)
    return path


def positions(dim):
    """Unwrapped, as h5md_sample.cpp computes them: frame, particle, direction."""
    f, i, d = np.ogrid[0:FRAMES, 0:N, 0:dim]
    return 0.125 * i + f + 0.25 * d


@pytest.mark.parametrize("name,dim", [("akma", 3), ("lj", 3), ("flat", 2), ("line", 1)])
def test_h5py(folder, name, dim):
    with h5py.File(folder / f"{name}.h5") as file:
        assert list(file["h5md"].attrs["version"]) == [1, 1]
        assert file["h5md/creator"].attrs["name"] == "Shadow"
        assert file["h5md/creator"].attrs["version"] == "0.1.0"
        assert file["h5md/author"].attrs["name"]
        assert file["parameters/input"].asstr()[()] == f"dimension = {dim}\n# Å\n"
        assert file["parameters/seed"][()] == 42
        particles = file["particles/all"]
        box = particles["box"]
        assert box.attrs["dimension"] == dim
        assert list(box.attrs["boundary"]) == ["periodic"] * dim
        edges = box["edges/value"][:]
        assert edges.shape == (FRAMES, dim, dim)
        edges = np.diagonal(edges, axis1=1, axis2=2)
        origin = box.attrs["origin"]
        wrapped, image = particles["position/value"][:], particles["image/value"][:]
        assert np.all(wrapped >= origin) and np.all(wrapped < origin + edges[0])
        assert np.array_equal(wrapped + image * edges[:, None, :], positions(dim))
        for element in ("position", "velocity", "image", "psi_6", "box/edges"):
            assert list(particles[element]["step"]) == [10 * f for f in range(FRAMES)]
            assert np.allclose(particles[element]["time"], 0.05 * np.arange(FRAMES), rtol=1e-15)
            # H5MD 1.1 wants the step of elements that are sampled together to be one object.
            assert particles[element]["step"] == particles["position/step"]
        mass = particles["mass"][:]
        assert list(mass[:2]) == [1, 4]
        i, d = np.ogrid[0:N, 0:dim]
        assert np.array_equal(particles["velocity/value"][2], (i - d) / mass[:, None])
        assert list(particles["id"]) == list(range(N))
        assert list(particles["species"]) == [k % 2 for k in range(N)]
        assert particles["psi_6/value"].shape == (FRAMES, N, 2)
        energy = file["observables/potential_energy"]
        assert list(energy["value"]) == [-1.5 * f for f in range(FRAMES)]
        assert list(energy["step"]) == [10 * f for f in range(FRAMES)]
        assert energy["value"].attrs["unit"] == ("kcal mol-1" if name == "akma" else "epsilon")
        assert file["observables/momentum/value"].shape == (FRAMES, dim)
        assert particles["position/value"].attrs["quantity"] == "length"
        assert ("unit" in particles["position/value"].attrs) == (name == "akma")


def test_mdanalysis(folder):
    mda = pytest.importorskip("MDAnalysis")
    for name, convert in (("akma", True), ("lj", False), ("open", False)):
        universe = mda.Universe.empty(N, trajectory=True)
        if not convert:  # docs/formats.md tells of this
            with pytest.raises(ValueError, match="readable units"):
                universe.load_new(str(folder / f"{name}.h5"), format="H5MD")
        universe.load_new(str(folder / f"{name}.h5"), format="H5MD", convert_units=convert)
        assert universe.trajectory.n_frames == FRAMES
        for f, frame in enumerate(universe.trajectory):
            expected = positions(3)[f]
            if name == "open":
                assert frame.dimensions is None
            else:
                assert np.allclose(frame.dimensions, [20, 30, 40, 90, 90, 90])
                expected = expected % np.array([20, 30, 40])
            # MDAnalysis keeps 32-bit numbers; these ones are exact in them.
            assert np.array_equal(universe.atoms.positions, expected)
            assert frame.data["potential_energy"] == -1.5 * f
            assert frame.data["step"] == 10 * f
            # 1 AKMA time unit is 0.04888821 ps.
            unit = 0.04888821 if convert else 1.0
            assert frame.time == pytest.approx(0.05 * f * unit, rel=1e-5)
            assert universe.atoms.velocities[2, 0] == pytest.approx(2.0 / unit, rel=1e-5)


#: Fewer rows of an average than frames, and more rows of a series.
RUN = """\
[system]
dimension = 3
box = { density = 0.6 }
lattice = { type = "fcc", repeat = [3, 3, 3] }
velocity = { temperature = 1.0 }
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.0
[integrator]
method = "verlet"
dt = 0.004
[run]
steps = 120
[[observe]]
type = "thermo"
every = 10
[[observe]]
type = "rdf"
every = 40
[[observe]]
type = "msd"
every = 5
longest = 40
[output]
prefix = "run"
trajectory = { every = 20, fields = ["position", "velocity"] }
[compute]
device = "cpu"
threads = 1
"""


def test_mdanalysis_reads_runs_with_averages(tmp_path):
    mda = pytest.importorskip("MDAnalysis")
    mdrun = os.environ.get("SHADOW_MDRUN")
    if not mdrun:
        pytest.skip("mdrun is not built (SHADOW_MDRUN is empty)")
    (tmp_path / "run.toml").write_text(RUN)
    subprocess.run([mdrun, "run.toml", "--quiet"], cwd=tmp_path, check=True)
    with h5py.File(tmp_path / "run.h5") as file:
        assert list(file["averages/msd/step"]) == [120] and len(file["averages/rdf/r"]) > 0
        expected = file["particles/all/position/value"][:]
    universe = mda.Universe.empty(expected.shape[1], trajectory=True)
    universe.load_new(str(tmp_path / "run.h5"), format="H5MD", convert_units=False)
    read = np.array([universe.atoms.positions for _ in universe.trajectory])
    assert np.array_equal(read, expected.astype(np.float32)) and len(read) == 7


if __name__ == "__main__":
    sys.exit(pytest.main([str(pathlib.Path(__file__))] + sys.argv[1:]))
