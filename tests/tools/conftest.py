# SPDX-License-Identifier: BSD-3-Clause
"""The tools as modules, and a small result file as mdrun writes it."""
import importlib.machinery
import importlib.util
import os
import pathlib

import h5py
import numpy as np
import pytest

source = pathlib.Path(os.environ.get("SHADOW_SOURCE_DIR", pathlib.Path(__file__).parents[2]))


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
    """positions (frames, N, dim); edges None: open; values: {name: (rows, ...) array}."""
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
            group = file.create_group(f"observables/{name}")
            group["step"] = np.arange(len(value))
            group["time"] = 0.5 * np.arange(len(value))
            group["value"] = value
            group["value"].attrs["unit"] = "energy"
    return path


@pytest.fixture
def plane(tmp_path):
    place, edges = triangular(8)
    energy = np.arange(100.0)
    momentum = np.stack([energy, -energy], axis=1)
    return write_results(tmp_path / "plane.h5", np.stack([place, place + 0.25]), edges,
                         {"total_energy": energy, "momentum": momentum})
