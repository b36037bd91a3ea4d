# SPDX-License-Identifier: BSD-3-Clause
"""What is measured of molecules against NumPy, from the frames of the same run."""

import h5py
import numpy as np
import pytest
from analysis_run import EVERY, ORIGINS, WINDOW
from molecule_inputs import check
from runs import BAOAB, CHAIN_FORCES, CHAINS, FORCE, LIQUID, THERMO, Folder, averaging_all, one_stage
from test_correlations import lags, origins

OBSERVE = f"""\
[[observe]]
type = "molecule-size"
every = {EVERY}
[[observe]]
type = "thermo"
every = {EVERY}
[[observe]]
type = "molecular-pressure"
every = {EVERY}
[[observe]]
type = "stress"
every = {EVERY}
[[observe]]
type = "bonded-distribution"
every = {EVERY}
range = [0.9, 1.2]
bins = 6
[[observe]]
type = "bonded-distribution"
every = {EVERY}
of = "angles"
bins = 9
[[observe]]
type = "bonded-distribution"
every = {EVERY}
of = "dihedrals"
bins = 12
[[observe]]
type = "msd"
every = {EVERY}
of = "molecules"
window = {WINDOW}
origins = {ORIGINS}
longest = 60
"""
#: And some particles that are in no chain.
SYSTEM = CHAINS.replace("count = 32", "count = 31").replace("exclude = 1\n", """\
dihedrals = [{ atoms = [0, 1, 2, 3] }]
exclude = 1
[[molecule]]
count = 16
atoms = ["A"]
""")
FORCES = FORCE + CHAIN_FORCES + """\
[[force]]
type = "periodic-dihedral"
k = 0.5
n = 3
phase = 0.0
"""

WAVE = """\
[[force]]
type = "cosine-field"
amplitude = 1.0
periods = [1, 0, 0]
"""


class Run:
    """Chains (frames, chains, atoms, directions), whole by their bonds at the start and then by how far
    each atom moved."""

    def __init__(self, folder):
        with h5py.File(folder.path / "out.h5") as file:
            frames = file["particles/all"]
            x, image = frames["position/value"][...], frames["image/value"][...]
            edges = frames["box/edges"]
            edges = edges["value"][0] if isinstance(edges, h5py.Group) else edges[...]
            length = np.diagonal(edges) if edges.ndim == 2 else edges
            self.velocity, self.force = (frames[f"{name}/value"][:, :31 * 16].reshape(-1, 31, 16, 3)
                                         for name in ("velocity", "force"))
            self.volume = np.prod(length)
            self.arrays = {name: {part: data[...] for part, data in item.items()}
                           for name, item in file["averages"].items()}
            self.series = {name: item["value"][...] for name, item in file["observables"].items()}
        chains = x[0, :31 * 16].reshape(31, 16, 3)
        steps = np.diff(chains, axis=1)
        whole = chains[:, :1] + np.cumsum(np.concatenate(
            [np.zeros((31, 1, 3)), steps - length * np.round(steps / length)], axis=1), axis=1)
        moved = (x + image * length) - (x[0] + image[0] * length)
        self.chain = whole + moved[:, :31 * 16].reshape(-1, 31, 16, 3)
        assert np.abs(np.diff(x, axis=0)).max() > 0.5 * length.max()  # some have gone through a face


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    text = averaging_all(one_stage('method = "verlet"\ndt = 0.004', 400, OBSERVE, SYSTEM, FORCES))
    folder = Folder(tmp_path_factory.mktemp("molecules") / "run", text.replace(
        "{ every = 100 }", f'{{ every = {EVERY}, fields = ["position", "image", "velocity", "force"] }}'))
    folder.run()
    return Run(folder)


def test_sizes(run):
    ends = np.linalg.norm(run.chain[:, :, -1] - run.chain[:, :, 0], axis=-1)
    centre = run.chain.mean(axis=2, keepdims=True)
    gyration = np.sqrt(((run.chain - centre)**2).sum(axis=-1).mean(axis=-1))
    for name, size in (("end_to_end_distance", ends), ("radius_of_gyration", gyration)):
        np.testing.assert_allclose(run.series[name], size.mean(axis=1), rtol=1e-10)
        np.testing.assert_allclose(run.series[f"{name}_squared"], (size**2).mean(axis=1), rtol=1e-10)


def test_molecular_pressure(run):
    """All masses are one, and particles that are in no chain have no inside."""
    inside = [(y - y.mean(axis=2, keepdims=True)) for y in (run.chain, run.velocity)]
    expected = run.series["pressure"] - (
        (inside[0] * run.force).sum(axis=(1, 2, 3)) + (inside[1]**2).sum(axis=(1, 2, 3))) / (3 * run.volume)
    assert np.abs(expected - run.series["pressure"]).max() > 1.0
    # Sums of 10^3 terms, some 10 each; forces in the file may be in single precision.
    np.testing.assert_allclose(run.series["molecular_pressure"], expected, atol=1e-5)
    work = np.einsum("tmna,tmnb->tab", inside[0], run.force)
    tensor = (0.5 * (work + work.transpose(0, 2, 1)) + np.einsum(
        "tmna,tmnb->tab", inside[1], inside[1])) / run.volume
    for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
        name = "pressure_" + "xyz"[a] + "xyz"[b]
        assert np.abs(tensor[:, a, b]).max() > 0.1
        np.testing.assert_allclose(run.series[f"molecular_{name}"],
                                   run.series[name] - tensor[:, a, b], atol=1e-5)


def test_both_pressures_agree_in_equilibrium(tmp_path):
    system = CHAINS.replace("count = 32", "count = 256").replace("repeat = 16", "repeat = 2").replace(
        "angles = [{ atoms = [0, 1, 2] }]\n", "")
    forces = FORCE + CHAIN_FORCES[:CHAIN_FORCES.rindex("[[force]]")]
    folder = Folder(tmp_path / "run", one_stage(
        BAOAB, 8000, THERMO + THERMO.replace("thermo", "molecular-pressure"), system, forces))
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        atomic, molecular = (file[f"observables/{name}/value"][401:]
                             for name in ("pressure", "molecular_pressure"))
    # Blocks of one time unit, in which bonds vibrate four times and the bath forgets them.
    blocks = (atomic - molecular).reshape(24, -1).mean(axis=1)
    error = blocks.std(ddof=1) / np.sqrt(len(blocks))
    kinetic = 256 * 0.7 / 512  # of the motion inside, which the forces inside must make up for
    assert abs(blocks.mean()) < 4 * error and error < 0.1 * kinetic
    # They are alike in their means alone.
    assert np.std(atomic - molecular) > 0.1


def test_distributions(run):
    bonds = np.diff(run.chain, axis=2)
    length = np.linalg.norm(bonds, axis=-1)
    cosine = -(bonds[:, :, 1:] * bonds[:, :, :-1]).sum(axis=-1) / length[:, :, 1:] / length[:, :, :-1]
    left, right = np.cross(bonds[:, :, :-2], bonds[:, :, 1:-1]), np.cross(bonds[:, :, 1:-1], bonds[:, :, 2:])
    phi = np.arctan2(length[:, :, 1:-1] * (bonds[:, :, :-2] * right).sum(axis=-1), (left * right).sum(axis=-1))
    for name, values, low, high, bins in (
            ("bond_length_distribution", length, 0.9, 1.2, 6),
            ("angle_distribution", np.degrees(np.arccos(cosine)), 0.0, 180.0, 9),
            ("dihedral_distribution", np.degrees(phi), -180.0, 180.0, 12)):
        expected = np.histogram(values, bins, (low, high))[0] / values.size * bins / (high - low)
        # A value at the edge of a bin may be on either side of it.
        np.testing.assert_allclose(run.arrays[name]["value"][0], expected,
                                   atol=1.5 / values.size * bins / (high - low))


def test_displacements_of_centres(run):
    """Total momentum is zero, so that the centre of all stays where it is."""
    x = run.chain.mean(axis=2)
    square = [np.mean([((x[s + (q << level)] - x[s])**2).sum(axis=-1).mean()
                       for s in origins(level, q, len(x))]) for level, q in lags()]
    np.testing.assert_allclose(run.arrays["molecule_msd"]["value"][0], square, rtol=1e-8)


@pytest.mark.parametrize("observe, system, forces, says", [
    ('type = "molecule-size"', LIQUID, FORCE, "where nothing is bonded"),
    ('type = "msd"\nof = "molecules"', LIQUID, FORCE, "where nothing is bonded"),
    ('type = "msd"\natoms = 3', LIQUID, FORCE, "`atoms` of particles"),
    ('type = "bonded-distribution"\nrange = [0, 1]', LIQUID, FORCE, "bonds where there are none"),
    ('type = "bonded-distribution"', SYSTEM, FORCES, "without a range"),
    ('type = "molecule-size"\natoms = 5', SYSTEM, FORCES, "bonds connect none so large"),
    ('type = "molecular-pressure"', LIQUID, FORCE, "where nothing is bonded"),
    ('type = "molecular-pressure"', SYSTEM, FORCES + WAVE, "fields have no part"),
    ('type = "molecular-pressure"', SYSTEM.replace("{ density = 0.7 }", "{ density = 0.7, periodic = false }"),
     FORCES, "in an open box"),
])
def test_refused(observe, system, forces, says, tmp_path):
    result = check(tmp_path, one_stage('method = "verlet"\ndt = 0.004', 40_000,
                                       f"[[observe]]\n{observe}\n", system, forces))
    assert result.status == 2 and says in result.err
