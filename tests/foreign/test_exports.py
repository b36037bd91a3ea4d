# SPDX-License-Identifier: BSD-3-Clause
"""Exports of a run as other programs read them, where they are installed: ASE, gsd, OVITO,
MDAnalysis."""
import json
import os
import pathlib
import subprocess
import sys

import pytest

np = pytest.importorskip("numpy")
h5py = pytest.importorskip("h5py")

SOURCE = pathlib.Path(os.environ.get("SHADOW_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
MDRUN = os.environ.get("SHADOW_MDRUN", "")

RUN = """\
[system]
dimension = {dimension}
box = {{ density = 0.6 }}
lattice = {{ {lattice}, jitter = 0.05 }}
velocity = {{ temperature = 1.0 }}
[[species]]
name = "Ar"
fraction = 0.5
[[species]]
name = "Kr"
fraction = 0.5
mass = 2.0
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.0
[integrator]
method = "verlet"
dt = 0.004
[run]
steps = 60
[[observe]]
type = "thermo"
every = 30
[output]
prefix = "run"
trajectory = {{ every = 20 }}
[compute]
device = "cpu"
threads = 1
"""


class Run:
    def __init__(self, folder, dimension, lattice, *edits):
        self.folder = folder
        text = RUN.format(dimension=dimension, lattice=lattice)
        for old, new in edits:
            assert old in text, old
            text = text.replace(old, new)
        (folder / "run.toml").write_text(text)
        subprocess.run([MDRUN, "run.toml", "--quiet"], cwd=folder, check=True)
        with h5py.File(folder / "run.h5") as file:
            group = file["particles/all"]
            self.position, self.velocity = (group[f"{name}/value"][:]
                                            for name in ("position", "velocity"))
            self.species, self.mass = group["species"][:], group["mass"][:]
            self.lengths = np.diag(group["box/edges/value"][0])
            self.step = group["position/step"][:]

    def export(self, kind, *options):
        output = self.folder / f"out.{kind}"
        subprocess.run([sys.executable, SOURCE / "tools/mdexport", self.folder / "run.h5", "--to", kind,
                        "-o", output, "--overwrite", *options], check=True, capture_output=True)
        return output


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    if not MDRUN:
        pytest.skip("mdrun is not built (SHADOW_MDRUN is empty)")
    return Run(tmp_path_factory.mktemp("space"), 3, 'type = "fcc", repeat = [3, 3, 3]')


@pytest.fixture(scope="module")
def plane(tmp_path_factory):
    if not MDRUN:
        pytest.skip("mdrun is not built (SHADOW_MDRUN is empty)")
    return Run(tmp_path_factory.mktemp("plane"), 2, 'type = "square", repeat = [8, 6]')


def test_ase_reads_extended_xyz(run):
    ase = pytest.importorskip("ase.io")
    frames = ase.read(run.export("xyz"), index=":", format="extxyz")
    assert len(frames) == len(run.step)
    for frame, position, velocity in zip(frames, run.position, run.velocity):
        assert np.array_equal(frame.positions, position)
        assert np.array_equal(frame.arrays["velo"], velocity)
        assert np.allclose(np.diag(frame.cell), run.lengths) and frame.pbc.all()
        assert frame.get_chemical_symbols() == [["Ar", "Kr"][k] for k in run.species]
        # As docs/formats.md tells it: ASE does not know these columns by itself.
        assert not frame.get_velocities().any()
        frame.set_masses(frame.arrays["mass"])
        frame.set_velocities(frame.arrays["velo"])
        kinetic = 0.5 * np.sum(run.mass * np.sum(velocity**2, axis=1))
        assert frame.get_kinetic_energy() == pytest.approx(kinetic, rel=1e-13)


def test_ase_has_the_velocities_of_akma_in_its_units(run, tmp_path):
    ase = pytest.importorskip("ase.io")
    from ase import units
    with h5py.File(run.folder / "run.h5") as file, h5py.File(tmp_path / "run.h5", "w") as copy:
        for name in file:
            file.copy(name, copy)
        copy["parameters/units"][()] = "akma"
    subprocess.run([sys.executable, SOURCE / "tools/mdexport", tmp_path / "run.h5", "--to", "xyz"],
                   check=True, capture_output=True)
    frame = ase.read(tmp_path / "run.xyz", index=-1, format="extxyz")
    frame.set_masses(frame.arrays["mass"])
    frame.set_velocities(frame.arrays["velo"] * (units.kcal / units.mol)**0.5)
    kinetic = 0.5 * np.sum(run.mass * np.sum(run.velocity[-1]**2, axis=1))  # kcal/mol
    assert frame.get_kinetic_energy() * units.mol / units.kcal == pytest.approx(kinetic, rel=1e-13)


def test_gsd_is_read_by_its_library(run, plane):
    hoomd = pytest.importorskip("gsd.hoomd")
    for one in (run, plane):
        dimension = len(one.lengths)
        with hoomd.open(str(one.export("gsd"))) as file:
            assert len(file) == len(one.step)
            for k, frame in enumerate(file):
                assert frame.configuration.step == one.step[k]
                assert frame.configuration.dimensions == dimension
                assert np.allclose(frame.configuration.box[:dimension], one.lengths)
                # 32-bit numbers; the box has its centre at the origin.
                inside = one.position[k] - one.lengths / 2
                assert np.allclose(frame.particles.position[:, :dimension], inside, atol=1e-5)
                assert np.allclose(frame.particles.velocity[:, :dimension], one.velocity[k], atol=1e-5)
                assert np.array_equal(frame.particles.typeid, one.species)
                assert np.allclose(frame.particles.mass, one.mass)
                assert list(frame.particles.types) == ["Ar", "Kr"]


@pytest.mark.parametrize("kind", ["xyz", "lammps-dump", "lammps-data", "gsd"])
def test_ovito_reads(kind, run, plane):
    io = pytest.importorskip("ovito.io")
    if kind == "gsd":
        pytest.importorskip("gsd.hoomd")
    for one in (run, plane):
        dimension = len(one.lengths)
        path = one.export(kind)
        formats = {"xyz": "xyz", "lammps-dump": "lammps/dump", "lammps-data": "lammps/data",
                   "gsd": "gsd/hoomd"}
        style = {"atom_style": "atomic"} if kind == "lammps-data" else {}
        pipeline = io.import_file(path, input_format=formats[kind], **style)
        frames = pipeline.num_frames
        assert frames == (1 if kind == "lammps-data" else len(one.step))
        data = pipeline.compute(frames - 1)
        order = np.argsort(data.particles["Particle Identifier"]) \
            if "Particle Identifier" in data.particles else slice(None)
        position = np.asarray(data.particles.positions)[order][:, :dimension]
        expected = one.position[-1] - (one.lengths / 2 if kind == "gsd" else 0)
        assert np.allclose(position, expected, atol=1e-5)
        assert np.allclose(np.diag(data.cell[:, :3])[:dimension], one.lengths)
        assert list(data.cell.pbc)[:dimension] == [True] * dimension
        if kind != "lammps-data":
            velocity = np.asarray(data.particles["Velocity"])[order][:, :dimension]
            assert np.allclose(velocity, one.velocity[-1], atol=1e-5)


def test_mdanalysis_reads_dumps_and_views(run):
    """The run has fewer rows of thermo than frames, which MDAnalysis cannot read; the view leaves
    them out."""
    mda = pytest.importorskip("MDAnalysis")
    universe = mda.Universe(str(run.export("lammps-dump")), format="LAMMPSDUMP",
                            topology_format="LAMMPSDUMP", convert_units=False)
    read = np.array([universe.atoms.positions for _ in universe.trajectory])
    assert np.allclose(read, run.position, atol=1e-5)
    universe = mda.Universe.empty(len(run.mass), trajectory=True)
    universe.load_new(str(run.export("h5md")), format="H5MD", convert_units=False)
    assert [frame.data["step"] for frame in universe.trajectory] == list(run.step)
    assert universe.trajectory.n_frames == 4


#: A liquid in a bath, with the energies that physical_validation and alchemlyb want.
BATH = (('method = "verlet"\ndt = 0.004', 'method = "baoab"\ndt = 0.004\nfriction = 5.0\n'
         "temperature = 1.2"), ("steps = 60", "steps = 4000"), ("every = 30", "every = 10"),
        ("every = 20", "every = 2000"))


@pytest.fixture(scope="module", params=["space", "plane"])
def bath(request, tmp_path_factory):
    if not MDRUN:
        pytest.skip("mdrun is not built (SHADOW_MDRUN is empty)")
    lattices = {"space": (3, 'type = "fcc", repeat = [3, 3, 3]'),
                "plane": (2, 'type = "square", repeat = [8, 6]')}
    return Run(tmp_path_factory.mktemp("bath"), *lattices[request.param], *BATH)


def test_physical_validation_finds_maxwell_and_boltzmann(bath):
    """With the number of degrees of freedom and the temperature of the file; with another
    temperature it does not."""
    data = pytest.importorskip("physical_validation.data")
    import physical_validation
    run = json.loads((bath.export("physical-validation") / "run.json").read_text())
    found = data.FlatfileParser().get_simulation_data(
        units=data.UnitData(**run["units"]), ensemble=data.EnsembleData(**run["ensemble"]),
        system=data.SystemData(**run["system"]), dt=run["dt"], **run["files"])
    assert found.ensemble.ensemble == "NVT" and found.dt == pytest.approx(0.04)
    assert np.array_equal(np.array(found.trajectory["velocity"])[:, :, :len(bath.lengths)], bath.velocity)

    def deviation():
        return max(physical_validation.kinetic_energy.distribution(
            found, verbosity=0, strict=False, screen=False))
    # In standard errors of mean and width; four is beyond chance.
    assert deviation() < 4.0
    run["ensemble"]["temperature"] = 1.5
    found.ensemble = data.EnsembleData(**run["ensemble"])
    assert deviation() > 4.0


def test_alchemlyb_reads_reduced_potentials(bath):
    parquet = pytest.importorskip("alchemlyb.parsing.parquet")
    u = parquet.extract_u_nk(bath.export("alchemlyb", "--temperatures", "1.0"), T=1.2)
    with h5py.File(bath.folder / "run.h5") as file:
        energy = file["observables/potential_energy/value"][:]
    assert list(u.columns) == [1.0, 1.2] and len(u) == len(energy)
    assert np.allclose(u[1.2], energy / 1.2) and np.allclose(u[1.0], energy)
    assert set(u.index.get_level_values("temperature")) == {1.2}
    assert u.attrs == {"temperature": 1.2, "energy_unit": "kT"}


if __name__ == "__main__":
    sys.exit(pytest.main([str(pathlib.Path(__file__))] + sys.argv[1:]))
