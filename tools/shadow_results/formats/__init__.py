# SPDX-License-Identifier: BSD-3-Clause
"""Results in the formats of other programs. Each module writes one format: `write(export)` returns
a description of what it wrote."""
import dataclasses
import importlib

import numpy as np

from ..outputs import whole
from ..results import Frame, ResultsError, frames, species_names
from ..stages import chosen_stage, frames_of, stages

#: name: (module, what it is, ending of the default output)
FORMATS = {
    "xyz": ("extxyz", "extended XYZ: ASE, OVITO, mdrun", ".xyz"),
    "gsd": ("gsd_hoomd", "GSD: HOOMD-blue, freud, OVITO; needs the package gsd", ".gsd"),
    "lammps-dump": ("lammps", "a text dump of LAMMPS: OVITO, VMD, MDAnalysis", ".lammpstrj"),
    "lammps-data": ("lammps", "a data file of LAMMPS, of one frame", ".data"),
    "h5md": ("view", "H5MD in which row i of each observable is that of frame i: MDAnalysis",
             ".view.h5"),
    "physical-validation": ("flat", "a folder of flat files of a stage for physical_validation",
                            ".flat"),
    "alchemlyb": ("reduced", "reduced potentials of a stage at several temperatures for alchemlyb, "
                  "parquet; needs pandas and pyarrow", ".parquet"),
}

#: Formats of frames; h5md links to all of them.
OF_FRAMES = ("xyz", "gsd", "lammps-dump", "lammps-data")
OF_A_STAGE = ("physical-validation", "alchemlyb")
#: Options of the command line, and the formats that use them.
USED_BY = {"frames": OF_FRAMES, "stage": OF_FRAMES + OF_A_STAGE, "temperatures": ("alchemlyb",)}

FOLDERS = ("physical-validation",)
#: These formats are written from start to end, so also into a device or a pipe.
STREAMS = ("xyz", "lammps-dump", "lammps-data")


@dataclasses.dataclass
class Export:
    """An export: frames are numbers; options are those of the command line. It is written at
    `path`, which becomes `output` when it is complete."""
    file: object
    kind: str
    output: str
    path: str
    frames: list
    options: object

    def read(self):
        """The frames, one after the other."""
        return (Frame(self.file, k) for k in self.frames)

    def one(self):
        """The last frame."""
        return Frame(self.file, self.frames[-1])

    def species(self, frame):
        """Names of species without blanks, which separate columns."""
        return ["_".join(name.split()) or "A" for name in species_names(self.file, frame)]


def refuse_unused(kind, options):
    """Throws ResultsError if an option is given that the format does not use."""
    for option, kinds in USED_BY.items():
        if getattr(options, option) and kind not in kinds:
            raise ResultsError(f"--{option} with --to {kind} (only for {', '.join(kinds)}); leave it out, or use "
                               f"{'one of these' if len(kinds) > 1 else 'that'}")


def frames_of_stage(file, name):
    """Numbers of the frames of the stage of this name or number, of all frames for "", and words for where they are."""
    if not name or not frames(file):
        return list(range(frames(file))), file.filename
    stage = chosen_stage(file, name, stages(file))[1]
    where = f"stage {stage.label()} of {file.filename}"
    found = frames_of(file, stage)
    if not found:
        raise ResultsError(f"{where} has no frames (none was written in it); choose another with --stage")
    return found, where


def chosen_frames(file, text, stage):
    """Numbers of frames from a slice such as "0:100:10", or one number; with a stage of its frames."""
    every, where = frames_of_stage(file, stage)
    count = len(every)
    parts = (text or ":").split(":")
    try:
        numbers = [int(part) if part else None for part in parts]
    except ValueError:
        numbers = []
    if not 1 <= len(numbers) <= 3 or (len(numbers) == 3 and numbers[2] == 0):
        raise ResultsError(f"--frames {text} (no slice of frames); give START:STOP:STEP as in "
                           "Python, or one number")
    if len(numbers) == 1:
        if numbers[0] is None or not -count <= numbers[0] < count:
            raise ResultsError(f"--frames {text}: {where} has {count} (numbered from 0; -1 "
                               "is the last); choose one of them")
        return [every[numbers[0]]]
    return every[slice(*numbers)]


def padded(vectors):
    """Vectors (N, dimension) in 3D."""
    return np.pad(vectors, ((0, 0), (0, 3 - vectors.shape[1])))


def cell(frame, thickness=1.0):
    """Origin and lengths in 3D, and which directions are periodic. An open direction has the extent
    of the particles; a missing one has length `thickness`, about 0."""
    origin, length = np.full(3, -thickness / 2), np.full(3, thickness)
    periodic = np.zeros(3, dtype=bool)
    d = frame.dimension
    low, high = frame.position.min(axis=0), frame.position.max(axis=0)
    periodic[:d] = frame.length > 0
    origin[:d] = np.where(periodic[:d], frame.origin, low)
    length[:d] = np.where(periodic[:d], frame.length, np.maximum(high - low, 1e-3 * thickness))
    return origin, length, periodic


def edges(frame, length):
    """Edges of the cell, as rows."""
    tilted = np.diag(np.asarray(length, dtype=float))
    tilted[:frame.dimension, :frame.dimension] += frame.tilt
    return tilted


def inside(frame):
    """Positions (N, 3) in the cell, and the numbers of edges by which they were shifted."""
    place, moved = padded(frame.position), np.zeros((len(frame.position), 3))
    if np.any(frame.tilt):
        origin, length, periodic = cell(frame)
        rows = edges(frame, length)
        moved = np.floor((place - origin) @ np.linalg.inv(rows)) * periodic
        place = place - moved @ rows
    return place, moved


def images(frame):
    """Images of the positions `inside` the cell."""
    return (padded(frame.field["image"]) + inside(frame)[1]).astype(np.int32)


def tilts(frame, program):
    """xy, xz and yz of a box whose first edge is along x and whose second edge is in the x-y
    plane."""
    across = np.zeros((3, 3))
    across[:frame.dimension, :frame.dimension] = frame.tilt
    if np.any(np.triu(across)):
        raise ResultsError(f"step {frame.step}: the box is not a cell of {program} (its edges are tilted against the order x, y, "
                           "z: there y tilts along x, and z along x and y); use --to xyz or h5md, or name the axes of "
                           "the system so that the edges tilt in this order")
    return across[1, 0], across[2, 0], across[2, 1]


def columns(frame, leave_out=()):
    """Fields of the frame other than the position as (name, numbers (N, width))."""
    count = len(frame.position)
    found = [("mass", np.asarray(frame.mass, float).reshape(count, 1))]
    for name, value in frame.field.items():
        if name not in leave_out:
            value = np.asarray(value).reshape(count, -1)
            vector = name in ("velocity", "image", "force")
            found.append((name, padded(value) if vector else value))
    return found


def write(file, kind, output, options):
    """Writes `file` in the format `kind`; returns what was written, in words."""
    module = importlib.import_module(f".{FORMATS[kind][0]}", __package__)
    export = Export(file, kind, output, output, [], options)
    if kind in OF_FRAMES:
        export.frames = chosen_frames(file, options.frames, options.stage)
        if not export.frames:
            raise ResultsError(f"no frames in {file.filename} (no trajectory was requested, or "
                               "--frames leaves none); add output.trajectory = { every = 1000 } to "
                               "the input")
    with whole(output) as export.path:
        return module.write(export)
