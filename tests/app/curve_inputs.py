# SPDX-License-Identifier: BSD-3-Clause
"""A mixture whose pair force is a formula, a table or a compiled potential."""

import h5py
import numpy as np
from runs import Folder

MIXTURE = """\
seed = 5
[system]
dimension = 3
box = { density = 0.9 }
lattice = { type = "fcc", repeat = [5, 5, 5] }
velocity = { temperature = 1.0 }
[[species]]
name = "A"
fraction = 0.6
charge = 0.8
[[species]]
name = "B"
fraction = 0.4
charge = -1.2
FORCE
[integrator]
METHOD
[run]
steps = 40
[[observe]]
type = "thermo"
every = 10
[[observe]]
type = "configurational"
every = 10
[[observe]]
type = "energy-terms"
every = 10
[output]
prefix = "out"
trajectory = { every = 20, fields = ["position", "velocity", "potential_energy", "stress"] }
checkpoint = { every = 20 }
[compute]
precision = "double"
"""
VERLET = 'method = "verlet"\ndt = 0.002'
PAIRS = {("A", "A"): (1.0, 1.0), ("A", "B"): (1.3, 0.95), ("B", "B"): (0.6, 0.9)}


def force(kind, of_pair, more=""):
    pairs = ",\n  ".join(f'{{ species = ["{a}", "{b}"], {of_pair(*numbers)} }}' for (a, b), numbers in PAIRS.items())
    return f'[[force]]\ntype = "{kind}"\npairs = [{pairs}]\n{more}'


YUKAWA = '[[force]]\ntype = "yukawa"\na = 2.0\nkappa = 1.0\ntail = true\ncutoff = CUTOFF\n'


def lennard_jones(more):
    return force("lennard-jones", lambda e, s: f"epsilon = {e}, sigma = {s}", more)


FORMULA = "4*epsilon*((sigma/r)^12 - (sigma/r)^6)"


def formula(more):
    return force("formula", lambda e, s: f"parameters = {{ epsilon = {e}, sigma = {s} }}", f'u = "{FORMULA}"\n' + more)


def mie(more):
    return force("mie", lambda e, s: f"epsilon = {e}, sigma = {s}, n = 12, m = 6", more)


def table(more):
    return force("table", lambda e, s: f'file = "{e}.dat"', more)


def write_rows(folder, first=0.6, last=2.6, step=0.002, forces=False):
    for epsilon, sigma in PAIRS.values():
        r = np.arange(first, last, step)
        p = (sigma / r) ** 6
        columns = [r, 4 * epsilon * (p * p - p)]
        if forces:
            columns.append(24 * epsilon * (2 * p * p - p) / r)
        np.savetxt(folder.path / f"{epsilon}.dat", np.transpose(columns), header="r u f"[: 2 * len(columns)])


def made(tmp_path, text, name, method=VERLET, edits=()):
    text = MIXTURE.replace("FORCE", text).replace("METHOD", method)
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    folder = Folder(tmp_path / name, text)
    write_rows(folder)
    return folder


def series(folder):
    with h5py.File(folder.path / "out.h5") as file:
        return {name: data["value"][()] for name, data in file["observables"].items() if "value" in data}
