# SPDX-License-Identifier: BSD-3-Clause
"""Results for the tests of mdexport, and what it writes of them."""
import re
import shlex

import h5py
import numpy as np
from conftest import describe_run, load, write_results, write_series

mdexport = load("mdexport")
MESSAGE = re.compile(r"mdexport: [^\n]+ \([^\n]+\); [^\n]+\n")


def call(capsys, *arguments):
    status = mdexport.main([str(a) for a in arguments])
    return status, capsys.readouterr()


def space(folder):
    """Three frames of 20 particles of two species in a box that is open along y."""
    random = np.random.default_rng(2)
    path = write_results(folder / "a.h5", random.uniform(0, 5, (3, 20, 3)), np.array([5.0, 6.0, 7.0]))
    with h5py.File(path, "a") as file:
        file["particles/all/box"].attrs["boundary"] = ["periodic", "none", "periodic"]
        file["particles/all/box"].attrs["origin"] = [-1.0, 0.0, 2.0]
        file["particles/all/mass"] = np.where(np.arange(20) % 2, 4.0, 1.5)
        file["particles/all/image/value"] = random.integers(-2, 3, (3, 20, 3))
        file["particles/all/psi/value"] = random.normal(size=(3, 20, 2))
        file["parameters/species/name"] = ["Na", "Cl"]
    return describe_run(path)


def staged(folder):
    """Frames at steps 0, 10 and 20; a stage at constant energy until step 10, then one in a bath."""
    path = space(folder)
    with h5py.File(path, "a") as file:
        del file["parameters/input"]
        file["parameters/input"] = ("[[stage]]\nname = 'a'\nsteps = 10\nintegrator = { method = 'x' }\n"
                                    "[[stage]]\nname = 'b'\nsteps = 10\nequilibration = 5\n"
                                    "integrator = { method = 'y' }\n")
        stage = file.create_group("parameters/stage")
        stage["first_step"], stage["last_step"] = [0, 10], [10, 20]
        stage["ensemble"], stage["bath_temperature"] = ["NVE, total momentum zero", "NVT"], [0.0, 1.5]
        stage["degrees_of_freedom"] = [57.0, 60.0]
    for k, name in enumerate(("kinetic_energy", "potential_energy", "total_energy")):
        write_series(path, name, np.arange(21), 100 * k + np.arange(21))
    return path


def read_xyz(path):
    """Frames as (keys, {column: numbers})."""
    found, lines = [], iter(path.read_text().splitlines())
    for line in lines:
        keys = dict(word.split("=", 1) for word in shlex.split(next(lines)))
        rows = [next(lines).split() for _ in range(int(line))]
        at, table = 0, {}
        for name, kind, width in zip(*[iter(keys["Properties"].split(":"))] * 3):
            part = [row[at:at + int(width)] for row in rows]
            table[name] = part if kind == "S" else np.array(part, dtype=float)
            at += int(width)
        assert all(len(row) == at for row in rows)
        found.append((keys, table))
    return found
