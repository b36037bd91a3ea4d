# SPDX-License-Identifier: BSD-3-Clause
"""Structure measured by a run against freud (Ramasubramani et al. 2020, Comput. Phys. Commun. 254, 107275), from the
frames of the same run. freud keeps positions in single precision, 6e-8 of the box."""
import os
import subprocess

import pytest

np = pytest.importorskip("numpy")
h5py = pytest.importorskip("h5py")
freud = pytest.importorskip("freud")
MDRUN = os.environ.get("SHADOW_MDRUN")
pytestmark = pytest.mark.skipif(not MDRUN, reason="mdrun is not built (SHADOW_MDRUN is empty)")

EVERY = 20
COMMON = f"""\
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
truncation = "force-shift"
[integrator]
method = "verlet"
dt = 0.004
[run]
steps = 200
[output]
prefix = "out"
trajectory = {{ every = {EVERY}, fields = ["position"] }}
[compute]
device = "cpu"
threads = 1
precision = "double"
"""
SPACE = """\
[system]
dimension = 3
box = { density = 0.8 }
lattice = { type = "fcc", repeat = [5, 5, 5] }
velocity = { temperature = 2.0 }
[[observe]]
type = "rdf"
every = EVERY
radius = 3.0
bins = 60
[[observe]]
type = "steinhardt"
every = EVERY
radius = 1.5
per_particle = true
"""
PLANE = """\
[system]
dimension = 2
box = { density = 0.8 }
lattice = { type = "triangular", repeat = [12, 7] }
velocity = { temperature = 1.0 }
[[observe]]
type = "bond-order"
every = EVERY
folds = [6]
radius = 1.5
per_particle = true
"""


def frames(path, text):
    """freud's box, positions of each frame in it, and the file."""
    (path / "in.toml").write_text((text + COMMON).replace("EVERY", str(EVERY)))
    done = subprocess.run([MDRUN, "in.toml", "--quiet"], cwd=path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    file = h5py.File(path / "out.h5")
    particles = file["particles/all"]
    edges = particles["box/edges"]
    edges = edges["value"][0] if isinstance(edges, h5py.Group) else edges[:]
    lengths = np.diagonal(edges) if edges.ndim == 2 else edges
    x = particles["position/value"][:]
    flat = np.zeros((*x.shape[:2], 3 - x.shape[2]))
    box = freud.box.Box(*lengths, is2D=len(lengths) == 2)
    return box, [box.wrap(frame) for frame in np.concatenate([x, flat], axis=2)], file


def test_liquid_in_space(tmp_path):
    box, all_frames, file = frames(tmp_path, SPACE)
    rdf = freud.density.RDF(bins=60, r_max=3.0, normalization_mode="finite_size")
    for k, x in enumerate(all_frames):
        rdf.compute((box, x), reset=False)
        neighbours = freud.locality.AABBQuery(box, x).query(x, {"r_max": 1.5, "exclude_ii": True}).toNeighborList()
        for l in (4, 6):
            q = freud.order.Steinhardt(l=l).compute((box, x), neighbors=neighbours).particle_order
            np.testing.assert_allclose(file[f"particles/all/q_{l}/value"][k].ravel(), q, atol=1e-5)
            assert file[f"observables/steinhardt_{l}/value"][k] == pytest.approx(q.mean(), abs=1e-6)
        assert file["observables/coordination/value"][k] == pytest.approx(len(neighbours[:]) / len(x), abs=0.01)
    found = file["averages/rdf/value"][-1]
    assert found.max() > 2.0
    # A pair at an edge may be in the other bin: some of thousands.
    np.testing.assert_allclose(found, rdf.rdf, atol=5e-3)


def test_crystal_in_the_plane(tmp_path):
    box, all_frames, file = frames(tmp_path, PLANE)
    for k, x in enumerate(all_frames):
        neighbours = freud.locality.AABBQuery(box, x).query(x, {"r_max": 1.5, "exclude_ii": True}).toNeighborList()
        psi = freud.order.Hexatic(k=6).compute((box, x), neighbors=neighbours).particle_order
        own = file["particles/all/psi_6/value"][k]
        np.testing.assert_allclose(own[:, 0] + 1j * own[:, 1], psi, atol=1e-5)
