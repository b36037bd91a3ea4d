# SPDX-License-Identifier: BSD-3-Clause
"""The run whose averages the tests of analysis make once more from its frames."""

import itertools
import json

import h5py
import numpy

from runs import Folder, one_stage

INTEGRATOR = 'method = "verlet"\ndt = 0.004'
EVERY, STEPS, WINDOW, ORIGINS = 2, 240, 8, 2
LONGEST, SHELLS = 4.0, 6

MIXTURE = """\
seed = 5
[system]
dimension = {dimension}
box = {{ density = {density} }}
lattice = {{ {lattice} }}
velocity = {{ temperature = 1.5 }}
[[species]]
name = "A"
fraction = 0.7
[[species]]
name = "B"
fraction = 0.3
mass = 2.0
"""
SYSTEMS = {
    3: MIXTURE.format(dimension=3, density=0.7, lattice='type = "fcc", repeat = [3, 3, 4], jitter = 0.05'),
    2: MIXTURE.format(dimension=2, density=0.6, lattice='type = "square", repeat = [14, 10], jitter = 0.05'),
}
FORCE = """\
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.0
truncation = "shift"
"""
PLANE_OBSERVE = f"""\
[[observe]]
type = "bond-correlation"
every = {EVERY}
radius = 1.6
largest = 5.0
bins = 12
[[observe]]
type = "bond-order"
every = {EVERY}
folds = [6]
radius = 1.6
global = true
[[observe]]
type = "positional-correlation"
every = {EVERY}
radius = 1.6
largest = 5.0
width = 0.8
bins = 10
"""
OBSERVE = f"""\
[[observe]]
type = "directional-temperature"
every = {EVERY}
[[observe]]
type = "configurational"
every = {EVERY}
[[observe]]
type = "heat-flux"
every = {EVERY}
[[observe]]
type = "rdf"
every = {EVERY}
bins = 30
[[observe]]
type = "pair-density"
every = {EVERY}
radius = 2.5
bins = 10
[[observe]]
type = "radial-density"
every = {EVERY}
radius = 2.5
bins = 5
[[observe]]
type = "clusters"
every = {EVERY}
radius = 1.1
sizes = 30
per_particle = true
[[observe]]
type = "structure-factor"
every = {EVERY}
longest = {LONGEST}
shells = {SHELLS}
vectors = 1000
[[observe]]
type = "intermediate-scattering"
every = {EVERY}
wavenumbers = [2.0, 5.0]
vectors = 1000
window = 12
spacing = 5
[[observe]]
type = "density-profile"
every = {EVERY}
direction = "y"
bins = 9
[[observe]]
type = "density-map"
every = {EVERY}
directions = ["y", "x"]
bins = [5, 4]
[[observe]]
type = "velocity-distribution"
every = {EVERY}
largest = 2.0
bins = 11
[[observe]]
type = "kinetic-energy-distribution"
every = {EVERY}
largest = 4.0
bins = 13
[[observe]]
type = "msd"
every = {EVERY}
window = {WINDOW}
origins = {ORIGINS}
longest = 60
wavenumbers = [1.0, 6.5]
[[observe]]
type = "vacf"
every = {EVERY}
window = {WINDOW}
origins = {ORIGINS}
longest = 60
"""


def trapezoids(y, dx):
    """The integral of equidistant values."""
    return dx * (numpy.sum(y) - (y[0] + y[-1]) / 2)


def box_lengths(frames):
    edges = frames["box/edges"]
    edges = edges["value"][0] if isinstance(edges, h5py.Group) else edges[:]
    return numpy.diagonal(edges) if edges.ndim == 2 else edges


class Trajectory:
    """Frames of a run and its averaged arrays."""

    def __init__(self, path):
        self.summary = json.loads(path.with_name("summary.json").read_text())
        with h5py.File(path) as file:
            frames = file["particles/all"]
            self.position = frames["position/value"][:]
            self.velocity = frames["velocity/value"][:]
            self.species = frames["species"][:]
            self.length = box_lengths(frames)
            self.cluster = frames["cluster/value"][:]
            self.unwrapped = self.position + frames["image/value"][:] * self.length
            self.interval = file["averages/msd/time"][0] / STEPS * EVERY
            self.series = {name: item["value"][:] for name, item in file["observables"].items()}
            self.arrays = {name: {part: item[part][0] if part in ("value", "error") else item[part][:]
                                  for part in item}
                           for name, item in file["averages"].items()}

    def of(self, suffix):
        """Which particles a curve is about."""
        return numpy.ones(len(self.species), bool) if not suffix else self.species == "AB".index(suffix[1])


def analysed(dimension, folder):
    observe = OBSERVE + (PLANE_OBSERVE if dimension == 2 else "")
    text = one_stage(INTEGRATOR, STEPS, observe, SYSTEMS[dimension], FORCE).replace(
        "trajectory = { every = 100 }",
        f'trajectory = {{ every = {EVERY}, fields = ["position", "velocity", "image"] }}')
    run = Folder(folder, text, "compute.precision=double")
    run.run()
    return Trajectory(run.path / "out.h5")


def all_wave_vectors(length, longest):
    """Of k and -k one, in lexicographic order."""
    unit = 2 * numpy.pi / length
    most = (longest / unit).astype(int)
    return [unit * n for n in itertools.product(*(range(-m, m + 1) for m in most))
            if n > (0,) * len(n) and numpy.linalg.norm(unit * n) <= longest]


def wave_vectors(length):
    """Of each shell that has any, in the order in which they have their turns."""
    shells = [[] for _ in range(SHELLS)]
    for k in all_wave_vectors(length, LONGEST):
        shells[int(numpy.ceil(numpy.linalg.norm(k) / LONGEST * SHELLS)) - 1].append(k)
    return [numpy.array(shell) for shell in shells if shell]
