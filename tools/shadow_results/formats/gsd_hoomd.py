# SPDX-License-Identifier: BSD-3-Clause
"""GSD in the schema of HOOMD-blue, written by its own library: the format is binary, and its
authors maintain a small package that depends only on NumPy."""
import numpy as np

from ..results import ResultsError
from ..topology import scaled_pairs, topology
from . import cell, edges, images, inside, padded, tilts


def library():
    try:
        import gsd.hoomd
    except ImportError as error:
        raise ResultsError("the package gsd is missing (GSD files are written with it); pip "
                           "install gsd, or export --to xyz") from error
    return gsd.hoomd


def write(export):
    hoomd = library()
    make = getattr(hoomd, "Frame", None) or hoomd.Snapshot
    with hoomd.open(export.path, "w" if hasattr(hoomd, "Frame") else "wb") as out:
        for frame in export.read():
            out.append(convert(make(), export, frame))
    return f"{len(export.frames)} frames"


def convert(snapshot, export, frame):
    """The box of HOOMD-blue has its centre at the origin."""
    origin, length, periodic = cell(frame)
    xy, xz, yz = tilts(frame, "HOOMD-blue")
    middle = origin + edges(frame, length).sum(axis=0) / 2
    snapshot.configuration.step = frame.step
    snapshot.configuration.dimensions = 2 if frame.dimension == 2 else 3
    snapshot.configuration.box = [*length, xy / length[1], xz / length[2], yz / length[2]]
    particles = snapshot.particles
    particles.N = len(frame.position)
    particles.types = export.species(frame)
    particles.typeid = np.asarray(frame.species, dtype=np.uint32)
    particles.mass = frame.mass
    place = inside(frame)[0] - np.where(np.arange(3) < frame.dimension, middle, 0.0)
    particles.position = place
    if frame.charge is not None:
        particles.charge = frame.charge
    if "velocity" in frame.field:
        particles.velocity = padded(frame.field["velocity"])
    if "image" in frame.field:
        particles.image = images(frame) * periodic
    for kind, terms in topology(export.file).items():
        part = getattr(snapshot, kind)
        part.N, part.types = len(terms.members), terms.types
        part.typeid, part.group = terms.type.astype(np.uint32), terms.members
    kinds = scaled_pairs(export.file)
    if kinds:  # "special pairs" of HOOMD-blue, which it computes by parameters of each type
        part = snapshot.pairs
        part.N, part.types = sum(len(kind.members) for kind in kinds), list(map(str, kinds))
        part.typeid = np.repeat(np.arange(len(kinds), dtype=np.uint32),
                                [len(kind.members) for kind in kinds])
        part.group = np.concatenate([kind.members for kind in kinds])
    snapshot.log["time"] = np.array([frame.time])
    for name, value in frame.field.items():
        if name not in ("velocity", "image"):
            snapshot.log[f"particles/{name}"] = np.asarray(value)
    return snapshot
