# SPDX-License-Identifier: BSD-3-Clause
"""The data of a results file of mdrun (H5MD 1.1): scalars over time, arrays, particles."""
import dataclasses
import difflib

import h5py
import numpy as np

from . import units


class ResultsError(Exception):
    """A problem of the file or of an option, in the form of all messages."""


def nearest(word, words):
    near = difflib.get_close_matches(word, words, n=1)
    return f"did you mean {near[0]}?" if near else "it has " + (", ".join(words) or "none")


def as_text(value):
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def unit_of(dataset):
    return as_text(dataset.attrs.get("unit", ""))


def parameter(file, name, default=""):
    """A text or number among the parameters of the run."""
    path = f"parameters/{name}"
    if path not in file or not isinstance(file[path], h5py.Dataset):
        return default
    value = file[path][()]
    return as_text(value) if isinstance(value, (bytes, str)) else value


def units_of(file):
    """The system of units of the run."""
    return units.named(parameter(file, "units"))


def title(file):
    return parameter(file, "title") or file.filename


def open_results(path):
    """The file, opened for reading. Throws ResultsError unless it has results."""
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        why = ("there is no such file" if isinstance(error, FileNotFoundError)
               else "it may not be read" if isinstance(error, PermissionError)
               else "not HDF5, or damaged")
        raise ResultsError(f"{path} cannot be read ({why}); give an H5MD file of mdrun") from error
    if "state" in file and "h5md" not in file:
        file.close()
        raise ResultsError(f"{path} has no results (it is a checkpoint); give the H5MD file of "
                           "mdrun next to it")
    if not any(place in file for place in ("observables", "averages", "particles")):
        file.close()
        raise ResultsError(f"{path} has no results (neither observables nor particles); give an "
                           "H5MD file of mdrun")
    return file


# ---- observables ----------------------------------------------------------------------------

def groups(file):
    """Names and groups of all observables, over time or as averages with axes."""
    return [(n, g) for place in ("observables", "averages") for n, g in file.get(place, {}).items()
            if isinstance(g, h5py.Group) and "value" in g]


def is_array(group):
    """Is it averaged over a stage, with axes and errors, not a series over time?"""
    return "error" in group and "stage" in group


def observables(file):
    """Names of the scalar and vector series, in order."""
    return [n for n, g in groups(file) if not is_array(g) and g["value"].ndim <= 2]


def scalars(file):
    """Names of the scalar series that have rows."""
    return [n for n, g in groups(file)
            if not is_array(g) and g["value"].ndim == 1 and len(g["value"])]


@dataclasses.dataclass
class Series:
    """A quantity over time: step and time (rows), value (rows, width)."""
    name: str
    step: np.ndarray
    time: np.ndarray
    value: np.ndarray
    unit: str
    time_unit: str


def read_series(file, name):
    """Throws ResultsError if there is no series of this name, or no row in it."""
    if name not in observables(file):
        raise ResultsError(f"{name}: not in {file.filename} (no observable of this name was "
                           f"recorded); {nearest(name, observables(file))}")
    group = file["observables"][name]
    value = group["value"][...]
    if len(value) == 0:
        raise ResultsError(f"{name}: no rows in {file.filename} (the run ended before the first); "
                           "run longer")
    return Series(name, group["step"][...], group["time"][...],
                  np.asarray(value, dtype=float).reshape(len(value), -1), unit_of(group["value"]),
                  unit_of(group["time"]))


@dataclasses.dataclass
class Axis:
    name: str
    values: np.ndarray
    unit: str


@dataclasses.dataclass
class ArrayResult:
    """A result with axes, averaged over each stage: stage and samples (rows), value and its
    standard error (rows, then a direction for each axis); errors are infinite where unknown."""
    name: str
    unit: str
    axes: list
    stage: np.ndarray
    samples: np.ndarray
    value: np.ndarray
    error: np.ndarray
    time: np.ndarray  # step at which each stage ended, or was when the file was written
    warning: str = ""  # of mdmerge


def read_arrays(file):
    """All arrays that have rows."""
    found = []
    for name, group in groups(file):
        if not is_array(group) or len(group["value"]) == 0:
            continue
        value = group["value"]
        names = [as_text(a) for a in np.atleast_1d(value.attrs.get("axes", []))]
        axes = [Axis(a, np.asarray(group[a][...], dtype=float), unit_of(group[a])) for a in names]
        found.append(ArrayResult(name, unit_of(value), axes, group["stage"][...],
                                 group["samples"][...], np.asarray(value[...], dtype=float),
                                 np.asarray(group["error"][...], dtype=float),
                                 group["time"][...], as_text(group.attrs.get("warning", ""))))
    return found


# ---- particles ------------------------------------------------------------------------------

def particles(file):
    """The group with frames: the trajectory, or if there is none the last configurations."""
    for name in ("all", "final"):
        group = file.get(f"particles/{name}")
        if group is not None and "position" in group:
            return group
    return None


def frames(file):
    """The number of frames of the file."""
    group = particles(file)
    return len(group["position/step"]) if group is not None else 0


class Frame:
    """Particles at one time: position (N, dim) in the box, box lengths (0 where open) and tilt (in a
    shear the image along direction a is tilt[a, b] further along b), species,
    mass, inertia (that mass as energy time^2 / length^2), time and step, and the other fields of
    the trajectory."""

    def __init__(self, file, index):
        group = particles(file)
        if group is None:
            raise ResultsError(f"no positions in {file.filename} (no trajectory was requested); "
                               "add output.trajectory = { every = 1000 } to the input")
        count = frames(file)
        if not -count <= index < count:
            raise ResultsError(f"frame {index}: {file.filename} has {count} (numbered from 0; -1 "
                               "is the last); choose one of them")
        index %= count
        self.position = np.asarray(group["position/value"][index], dtype=float)
        self.dimension = self.position.shape[1]
        self.time = float(group["position/time"][index])
        self.step = int(group["position/step"][index])
        n = len(self.position)
        self.species = group["species"][...] if "species" in group else np.zeros(n)
        self.mass = group["mass"][...] if "mass" in group else np.ones(n)
        self.inertia = self.mass * units_of(file).inertia
        self.charge = group["charge"][...] if "charge" in group else None
        self.length = np.zeros(self.dimension)
        self.tilt = np.zeros((self.dimension, self.dimension))
        box = group["box"]
        if "edges" in box:
            edges = box["edges/value"][index] if "value" in box["edges"] else box["edges"][...]
            self.length = np.array(edges if np.ndim(edges) == 1 else np.diag(edges), dtype=float)
            if np.ndim(edges) == 2:
                self.tilt = np.array(edges, dtype=float) - np.diag(np.diag(edges))
            boundary = [as_text(b) for b in box.attrs["boundary"]]
            self.length[[b != "periodic" for b in boundary]] = 0.0
        self.origin = np.asarray(box.attrs.get("origin", np.zeros(self.dimension)), dtype=float)
        self.field = {n: np.asarray(g["value"][index]) for n, g in group.items()
                      if isinstance(g, h5py.Group) and "value" in g
                      and n not in ("position", "box")}


def species_names(file, frame):
    """A name for each number of `frame.species`."""
    path = "parameters/species/name"
    names = [as_text(n) for n in np.atleast_1d(file[path][()])] if path in file else []
    count = int(np.max(frame.species, initial=0)) + 1
    return names + [str(k) for k in range(len(names), count)]
