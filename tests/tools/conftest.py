# SPDX-License-Identifier: BSD-3-Clause
"""The tools as modules, and a small result file as mdrun writes it."""
import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys

import h5py
import numpy as np
import pytest

source = pathlib.Path(os.environ.get("SHADOW_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
sys.path.insert(0, str(source / "tools"))  # as for a tool that is run
MDRUN = os.environ.get("SHADOW_MDRUN", "")


def load(name):
    loader = importlib.machinery.SourceFileLoader(name, str(source / "tools" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def triangular(n):
    """n x n points of the triangular lattice with constant 1 in its periodic box (n even)."""
    i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    place = np.stack([i + 0.5 * (j % 2), j * np.sqrt(3) / 2], axis=-1).reshape(-1, 2)
    return place, np.array([n, n * np.sqrt(3) / 2])


def write_results(path, positions, edges, values=None):
    """positions (frames, N, dim); edges None: open; values: {name: (rows, ...) array} of series, or
    of what stands at the path."""
    frames, count, dimension = positions.shape
    with h5py.File(path, "w") as file:
        file["parameters/title"] = "a test"
        everything = file.create_group("particles/all")
        everything["position/step"] = 10 * np.arange(frames)
        everything["position/time"] = 0.1 * np.arange(frames)
        everything["position/value"] = positions
        everything["velocity/step"] = everything["position/step"]
        everything["velocity/time"] = everything["position/time"]
        everything["velocity/value"] = np.sin(positions)
        everything["species"] = np.arange(count, dtype=np.int32) % 2
        box = everything.create_group("box")
        box.attrs["dimension"] = dimension
        box.attrs["boundary"] = ["none" if edges is None else "periodic"] * dimension
        box.attrs["origin"] = np.zeros(dimension)
        if edges is not None:
            box["edges/value"] = np.tile(np.diag(edges), (frames, 1, 1))
        for name, value in (values or {}).items():
            group = file.create_group(name if "/" in name else f"observables/{name}")
            group["step"] = np.arange(len(value))
            group["time"] = 0.5 * np.arange(len(value))
            group["value"] = value
            group["value"].attrs["unit"] = "energy"
    return path


#: An input in the form that mdrun resolves it to; 1000 steps of 0.005.
INPUT = """\
title = "a test"
[system]
dimension = 2
[integrator]
method = "verlet"
dt = 0.005
[run]
steps = 1000
"""


def describe_run(path, text=INPUT, **parameters):
    """Adds what a run says about itself."""
    known = {"input": text, "device": "CPU, 3 threads", "precision": "mixed", "seed": 4711,
             "version": "1.2.3", "commit": "abcdef", "units": "lj", **parameters}
    with h5py.File(path, "a") as file:
        for name, value in known.items():
            file[f"parameters/{name}"] = value
    return path


def write_series(path, name, step, value, dt=0.005, unit="epsilon"):
    with h5py.File(path, "a") as file:
        group = file.create_group(name if "/" in name else f"observables/{name}")
        group["step"] = np.asarray(step)
        group["time"] = dt * np.asarray(step)
        group["value"] = np.asarray(value, dtype=float)
        group["value"].attrs["unit"] = unit
    return path


def write_array(path, name, axes, value, error, stage=(0,), step=(1000,)):
    """value and error: (rows, then a direction for each of the axes); axes: {name: numbers}."""
    with h5py.File(path, "a") as file:
        group = file.create_group(f"averages/{name}")
        group["stage"], group["step"] = np.asarray(stage), np.asarray(step)
        group["time"], group["samples"] = 0.005 * np.asarray(step), np.full(len(stage), 77)
        group["value"], group["error"] = np.asarray(value, float), np.asarray(error, float)
        if axes:
            group["value"].attrs["axes"] = list(axes)
        for axis, numbers in axes.items():
            group[axis] = np.asarray(numbers, dtype=float)
            group[axis].attrs["unit"] = "sigma"
    return path


def correlated(count, time, seed, mean=0.0):
    """An AR(1) series of variance 1 whose correlation decays within `time` rows."""
    random = np.random.default_rng(seed).standard_normal(count)
    a = np.exp(-1.0 / time)
    value, x = np.empty(count), random[0]
    for k in range(count):
        x = a * x + np.sqrt(1 - a * a) * random[k]
        value[k] = x
    return mean + value


#: A small liquid in the plane.
LIQUID = """\
seed = 5
[system]
dimension = 2
box = { density = 0.8 }
lattice = { type = "triangular", repeat = [10, 6] }
velocity = { temperature = 1.0 }
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
truncation = "force-shift"
[integrator]
method = "verlet"
dt = 0.005
[run]
steps = 3000
[[observe]]
type = "thermo"
every = 2
[output]
prefix = "out"
trajectory = { every = 1000, fields = ["position", "velocity"] }
[compute]
device = "cpu"
threads = 1
"""


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """A folder with the results and the summary of a real run."""
    if not MDRUN:
        pytest.skip("mdrun is not built (SHADOW_MDRUN is empty)")
    folder = tmp_path_factory.mktemp("run")
    (folder / "in.toml").write_text(LIQUID)
    subprocess.run([MDRUN, "in.toml", "--quiet", "--summary", "out.json"], cwd=folder, check=True,
                   capture_output=True)
    return folder


@pytest.fixture
def plane(tmp_path):
    place, edges = triangular(8)
    energy = np.arange(100.0)
    momentum = np.stack([energy, -energy], axis=1)
    return write_results(tmp_path / "plane.h5", np.stack([place, place + 0.25]), edges,
                         {"total_energy": energy, "momentum": momentum})
