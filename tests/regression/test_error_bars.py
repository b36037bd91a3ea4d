# SPDX-License-Identifier: BSD-3-Clause
"""200 independent runs of a liquid: their averages scatter as the errors that they report say, and
the diffusion coefficients from displacements and from velocities are one. Each is some 250
independent samples long; the errors of shorter runs are too small (docs/statistics.md)."""
import json
import os
import subprocess

import h5py
import numpy as np
import pytest

MDRUN = os.environ.get("SHADOW_MDRUN")
pytestmark = pytest.mark.skipif(not MDRUN, reason="mdrun is not built (SHADOW_MDRUN is empty)")

RUNS = 200
LIQUID = """\
seed = SEED
[system]
dimension = 3
box = { density = 0.8 }
lattice = { type = "fcc", repeat = [3, 3, 3] }
velocity = { temperature = 2.0 }
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 1.8
truncation = "force-shift"
[[stage]]
name = "equilibrate"
steps = 1500
integrator = { method = "baoab", dt = 0.005, temperature = 1.0, friction = 1.0 }
[[stage]]
name = "sample"
steps = 20_000
integrator = { method = "baoab", dt = 0.005, temperature = 1.0, friction = 3.0 }
observe = [{ type = "thermo", every = 10 },
           { type = "msd", every = 10, window = 16, longest = 640 },
           { type = "vacf", every = 2, window = 80, longest = 160 }]
[output]
prefix = "run"
overwrite = true
[compute]
device = "cpu"
threads = 1
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """name -> (value, error) of each run."""
    folder = tmp_path_factory.mktemp("error_bars")
    found = {}
    for seed in range(1, RUNS + 1):
        (folder / "run.toml").write_text(LIQUID.replace("SEED", str(seed)))
        done = subprocess.run([MDRUN, "run.toml", "--quiet", "--progress=none", "--summary",
                               "run.json"], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        summary = json.loads((folder / "run.json").read_text())
        for name in ("temperature", "potential_energy", "pressure"):
            average = summary["averages"][name]
            found.setdefault(name, []).append((average["mean"], average["error"]))
        capacity = summary["fluctuations"]["heat_capacity"]
        found.setdefault("heat_capacity", []).append((capacity["value"], capacity["error"]))
        with h5py.File(folder / "run.h5") as file:
            for name in ("diffusion", "diffusion_green_kubo"):
                group = file["averages"][name]
                found.setdefault(name, []).append((group["value"][-1], group["error"][-1]))
    return {name: np.array(pairs) for name, pairs in found.items()}


def spread_over_error(pairs):
    return pairs[:, 0].std(ddof=1) / np.sqrt(np.mean(pairs[:, 1]**2))


def test_averages_scatter_as_their_errors_say(runs):
    ratios = {name: spread_over_error(runs[name])
              for name in ("temperature", "potential_energy", "pressure", "heat_capacity")}
    # The slope of the mean square displacement in the second half of windows of 0.8, 1.6 and 3.2, and
    # the integral of the velocity autocorrelation to 0.2, 0.4 and 0.8.
    for level in range(3):
        ratios[f"diffusion {level}"] = spread_over_error(runs["diffusion"][:, :, level])
    for lag in (20, 40, 80):
        ratios[f"diffusion_green_kubo {lag}"] = \
            spread_over_error(runs["diffusion_green_kubo"][:, :, lag])
    print(ratios)
    # The scatter of 200 is known to 1 / sqrt(400) = 5%, the mean error to some per cent.
    assert {name: ratio for name, ratio in ratios.items() if abs(ratio - 1.0) > 0.17} == {}


def test_displacements_and_velocities_have_one_diffusion_coefficient(runs):
    # d msd / dt = 2 d times the integral of vacf up to t, so the slope between lags of 9 and 16
    # measurements, 0.45 and 0.8, is the mean of the integrals up to there (trapezoids).
    integrals = runs["diffusion_green_kubo"][:, 0, 45:81]
    by_velocity = (integrals[:, 1:] + integrals[:, :-1]).mean(axis=1) / 2
    difference = runs["diffusion"][:, 0, 0] - by_velocity
    print(runs["diffusion"][:, 0, 0].mean(), by_velocity.mean(), difference.std())
    assert abs(difference.mean()) < 4 * difference.std(ddof=1) / np.sqrt(RUNS)
    # Which is worth something: 1% of D.
    assert difference.std(ddof=1) / np.sqrt(RUNS) < 0.01 * by_velocity.mean()
