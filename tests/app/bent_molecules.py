# SPDX-License-Identifier: BSD-3-Clause
"""Two molecules of three atoms, and their forces by NumPy."""

import h5py
import numpy as np

#: Two bent molecules and a particle that is not bonded.
BENT = """\
[system]
dimension = 3
box = { periodic = false }
file = "start.xyz"
[[species]]
name = "A"
mass = 2.0
[[species]]
name = "B"
mass = 1.0
[[molecule]]
count = 2
atoms = ["A", "B", "B"]
bonds = [{ atoms = [0, 1] }, { atoms = [0, 2] }]
angles = [{ atoms = [1, 0, 2] }]
exclude = 2
[[molecule]]
count = 1
atoms = ["B"]
[[force]]
type = "lennard-jones"
epsilon = 0.7
sigma = 1.2
cutoff = inf
[[force]]
type = "harmonic-bond"
k = 400.0
r0 = 1.0
level = "fast"
[[force]]
type = "cosine-angle"
k = 20.0
level = "fast"
[integrator]
METHOD
[run]
steps = 30
[compute]
precision = "double"
[output]
prefix = "out"
trajectory = { every = 1, fields = ["position", "velocity"] }
"""
MASS = np.array([2.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0])[:, None]
PLACES = np.array([[0.0, 0.0, 0.0], [1.05, 0.0, 0.0], [-0.9, 0.3, 0.1], [0.1, 1.6, 0.2], [1.1, 1.7, -0.1],
                   [-0.8, 1.9, 0.3], [0.4, 0.5, 1.5]])
BONDS = [(0, 1), (0, 2), (3, 4), (3, 5)]
ANGLES = [(1, 0, 2), (4, 3, 5)]
PAIRS = [(i, j) for i in range(7) for j in range(i) if i // 3 != j // 3]


def length(d):
    return np.sqrt((d * d).sum())  # of complex numbers too, as a polynomial of them


def fast_force(q, slope=lambda cosine: 20.0):
    """`slope`: of the energy of an angle by its cosine."""
    f = np.zeros_like(q)
    for i, j in BONDS:
        d = q[i] - q[j]
        r = length(d)
        pull = 400.0 * (r - 1.0) / r * d
        f[i] -= pull
        f[j] += pull
    for i, j, k in ANGLES:
        a, b = q[i] - q[j], q[k] - q[j]
        ra, rb = length(a), length(b)
        cosine = (a * b).sum() / (ra * rb)
        pull = -slope(cosine)
        fa, fb = pull * (b / (ra * rb) - cosine * a / ra**2), pull * (a / (ra * rb) - cosine * b / rb**2)
        f[i] += fa
        f[k] += fb
        f[j] -= fa + fb
    return f


def slow_force(q):
    f = np.zeros_like(q)
    for i, j in PAIRS:
        d = q[i] - q[j]
        x = (1.2 / length(d)) ** 6
        push = 24.0 * 0.7 * (2.0 * x * x - x) / (d @ d) * d
        f[i] += push
        f[j] -= push
    return f


def write_start(path, velocity, places=PLACES):
    rows = [" ".join(repr(float(c)) for c in [*x, *v]) for x, v in zip(places, velocity)]
    (path / "start.xyz").write_text("7\nProperties=species:S:1:pos:R:3:velo:R:3\n" + "".join(
        f"{'A' if mass == 2.0 else 'B'} {row}\n" for mass, row in zip(MASS.ravel(), rows)))


def last_state(path):
    """Places and velocities."""
    with h5py.File(path / "out.h5") as file:
        return [file[f"particles/all/{name}/value"][-1] for name in ("position", "velocity")]
