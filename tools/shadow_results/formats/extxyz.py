# SPDX-License-Identifier: BSD-3-Clause
"""Extended XYZ: a line of keys and a table for each frame, in the units of the run."""
import numpy as np

from ..results import parameter
from ..topology import topology
from . import cell, columns, edges, padded

ELEMENTS = set("""H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge
As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho
Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu""".split())

#: Names in other programs.
NAMES = {"velocity": "velo", "force": "forces"}


def write(export):
    with open(export.path, "w", encoding="utf-8") as out:
        for frame in export.read():
            write_frame(out, export, frame)
    left_out = "; bonds are left out" if topology(export.file) else ""
    return f"{len(export.frames)} frames{left_out}"


def write_frame(out, export, frame):
    names = export.species(frame)
    # ASE reads `species` as elements and refuses others.
    what = "species" if set(names) <= ELEMENTS else "type"
    origin, length, periodic = cell(frame)
    properties, table = [f"{what}:S:1", "pos:R:3"], [padded(frame.position)]
    fields = columns(frame)
    if frame.charge is not None and np.any(frame.charge):
        fields.append(("charge", np.asarray(frame.charge, float).reshape(-1, 1)))
    for name, value in fields:
        kind = "I" if value.dtype.kind in "iu" else "R"
        properties.append(f"{NAMES.get(name, name)}:{kind}:{value.shape[1]}")
        table.append(value)
    keys = [f'Properties={":".join(properties)}',
            'pbc="' + " ".join("T" if p else "F" for p in periodic) + '"',
            f"Step={frame.step}", f"Time={frame.time!r}",
            f'units={parameter(export.file, "units", "lj")}']
    if periodic.any():
        lattice = " ".join(repr(float(x)) for x in edges(frame, length).ravel())
        keys.insert(0, f'Lattice="{lattice}" '
                       f'Origin="{" ".join(repr(float(x)) for x in origin)}"')
    out.write(f"{len(frame.position)}\n{' '.join(keys)}\n")
    species = [names[int(k)] for k in frame.species]
    for name, rows in zip(species, zip(*table)):
        out.write(f"{name} {' '.join(' '.join(map(repr, row.tolist())) for row in rows)}\n")
