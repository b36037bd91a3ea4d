# SPDX-License-Identifier: BSD-3-Clause
"""Charges that all act on each other, some of them far away, in mixed precision."""

import h5py
import numpy as np
from harness import mdrun
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


def started(path, places, text=INPUT, velocity=None):
    folder = Folder(path, text)
    columns = places if velocity is None else np.hstack([places, velocity])
    rows = "".join("A " + " ".join(f"{x:.17g}" for x in row) + "\n" for row in columns)
    head = "" if velocity is None else "Properties=species:S:1:pos:R:3:velo:R:3"
    (folder.path / "start.xyz").write_text(f"{len(places)}\n{head}\n{rows}")
    return folder


def evaluated(path, places):
    """The forces of a run at its start, how far they are from those of a sum in double over their RMS, and what it says."""
    folder = started(path, places)
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


CORE = INPUT.replace('type = "coulomb"', 'type = "inverse-power"\nepsilon = 1.0\nsigma = 1.0\nexponent = 12\ncutoff = inf')
LATTICE = np.stack(np.meshgrid(*3 * [np.arange(5.0)], indexing="ij"), -1).reshape(-1, 3) * 1.1


def test_a_start_fails_by_the_distance_and_not_by_the_step(tmp_path):
    places = LATTICE.copy()
    places[::2, 0] += 1e9
    message = mdrun("in.toml", cwd=started(tmp_path / "run", places, CORE).path).message()
    assert "groups of particles that are far apart" in message and "dt" not in message, message


def test_groups_that_come_far_apart_are_told_at_the_end(tmp_path):
    """Also of stages; a group that stays together is told of nothing."""
    velocity = np.zeros_like(LATTICE)
    velocity[::2, 0] = 1e7
    text = CORE.replace("steps = 2\n", "steps = 10\n").replace("every = 2", "every = 10")
    for v, told in ((velocity, True), (0.0 * velocity, False)):
        said = mdrun("in.toml", cwd=started(tmp_path / str(told), LATTICE, text, v).path)
        assert said.status == 0, said.err
        assert ("at the end of the stage there is an infinite cut-off between groups" in said.err) == told, said.err


def test_a_run_that_fails_by_the_distance_says_so(tmp_path):
    """Coordinates are good to half a lattice constant."""
    places = LATTICE.copy()
    places[::2, 0] += 9e6
    text = CORE.replace("periodic = false }", "periodic = false }\nvelocity = { temperature = 1.0 }").replace(
        "dt = 0.001", "dt = 0.005").replace("steps = 2\n", "steps = 1000\n[[observe]]\ntype = \"thermo\"\nevery = 10\n")
    result = mdrun("in.toml", cwd=started(tmp_path / "run", places, text).path)
    assert result.status == 3, result.err
    assert "the energy explodes" in result.message() and "first set compute.precision" in result.message(), result.message()
