# SPDX-License-Identifier: BSD-3-Clause
"""Charges that all act on each other, some of them far away, in mixed precision."""

import h5py
import numpy as np
from runs import Folder

INPUT = """\
[system]
dimension = 3
file = "start.xyz"
box = { lengths = [50.0, 50.0, 50.0], periodic = false }
[[species]]
name = "A"
charge = 1.0
[[force]]
type = "coulomb"
[integrator]
method = "verlet"
dt = 0.001
[run]
steps = 2
[output]
prefix = "out"
trajectory = { every = 2, fields = ["position", "force"] }
"""


def evaluated(path, places):
    """The forces of a run at its start, how far they are from those of a sum in double over their RMS, and what it says."""
    folder = Folder(path, INPUT)
    rows = "".join(f"A {x:.17g} {y:.17g} {z:.17g}\n" for x, y, z in places)
    (folder.path / "start.xyz").write_text(f"{len(places)}\n\n{rows}")
    said = folder.run().err
    with h5py.File(folder.path / "out.h5") as file:
        force = file["particles/all/force/value"][0]
        x = file["particles/all/position/value"][0]
    apart = x[:, None] - x[None]
    r2 = (apart**2).sum(-1) + np.eye(len(x))
    exact = (apart / r2[..., None]**1.5).sum(1)
    return np.abs(force - exact).max() / np.sqrt((exact**2).sum(1).mean()), said


def test_one_that_is_far_away_has_no_say(tmp_path):
    places = np.random.default_rng(3).uniform(0.0, 8.0, (200, 3))
    places[20] = [1e5, -1e5, 3e4]
    error, said = evaluated(tmp_path / "run", places)
    assert error < 5e-5 and "warning: an infinite" not in said


def test_groups_that_are_far_apart_are_told(tmp_path):
    places = np.random.default_rng(3).uniform(0.0, 8.0, (200, 3))
    places[::2, 0] += 1e5
    _, said = evaluated(tmp_path / "run", places)
    assert "an infinite cut-off between groups of particles that are far apart" in said
