# SPDX-License-Identifier: BSD-3-Clause
"""Dumps and data files of LAMMPS, in its units of the same name as the run's; `akma` in `real`,
which has a different unit of time."""
import numpy as np

from ..results import units_of
from ..topology import coefficients, molecules, scaled_pairs, topology
from . import cell, images, inside, padded, tilts


def write(export):
    with open(export.path, "w", encoding="utf-8") as out:
        if export.kind == "lammps-data":
            frame = export.one()
            write_data(out, export, frame)
            bonded = topology(export.file)
            return (f"frame {export.frames[-1]}, atom_style {style(frame, bonded)}"
                    f"{renamed(bonded)}{special(export.file)}{opened(frame)}")
        for frame in export.read():
            write_dump(out, export, frame)
    return f"{len(export.frames)} frames"


def velocities(export, frame):
    own = units_of(export.file)
    scale = own.lammps_femtoseconds / own.femtoseconds if own.femtoseconds else 1.0
    return padded(frame.field["velocity"]) * scale


def text(numbers):
    return " ".join(map(repr, numbers.tolist()))


def write_dump(out, export, frame):
    origin, length, periodic = cell(frame)
    if frame.dimension < 3:  # LAMMPS needs missing directions to be periodic
        periodic[frame.dimension:] = True
    count = len(frame.position)
    # No ITEM: UNITS, which some readers do not skip.
    out.write(f"ITEM: TIMESTEP\n{frame.step}\nITEM: NUMBER OF ATOMS\n{count}\n"
              f"ITEM: BOX BOUNDS {'xy xz yz ' if np.any(frame.tilt) else ''}"
              f"{' '.join('pp' if p else 'ff' for p in periodic)}\n")
    xy, xz, yz = map(float, tilts(frame, "LAMMPS"))
    # For a tilted box its bounds.
    below = [min(0.0, xy, xz, xy + xz), min(0.0, yz), 0.0]
    above = [max(0.0, xy, xz, xy + xz), max(0.0, yz), 0.0]
    for low, size, less, more, tilt in zip(origin.tolist(), length.tolist(), below, above, (xy, xz, yz)):
        out.write(f"{low + less!r} {low + size + more!r}{f' {tilt!r}' if np.any(frame.tilt) else ''}\n")
    names = ["id", "type", "element", "mass", "x", "y", "z"]
    table = [inside(frame)[0]]
    if charged(frame):
        names.append("q")
        table.append(frame.charge[:, None])
    if "image" in frame.field:
        names += ["ix", "iy", "iz"]
        table.append(images(frame))
    if "velocity" in frame.field:
        names += ["vx", "vy", "vz"]
        table.append(velocities(export, frame))
    for name, value in frame.field.items():
        if name in ("image", "velocity"):
            continue
        value = np.asarray(value, dtype=float).reshape(count, -1)
        if name == "force":
            names += ["fx", "fy", "fz"]
            table.append(padded(value))
        else:
            width = value.shape[1]
            names += [name] if width == 1 else [f"{name}[{k + 1}]" for k in range(width)]
            table.append(value)
    out.write(f"ITEM: ATOMS {' '.join(names)}\n")
    species = export.species(frame)
    for k, rows in enumerate(zip(*table)):
        kind = int(frame.species[k])
        out.write(f"{k + 1} {kind + 1} {species[kind]} {float(frame.mass[k])!r} "
                  f"{' '.join(text(row) for row in rows)}\n")


def charged(frame):
    return frame.charge is not None and np.any(frame.charge)


def style(frame, bonded):
    if bonded:
        return "full" if charged(frame) else "molecular"
    return "charge" if charged(frame) else "atomic"


def numbers(terms):
    """Numbers of the types: their names if these are numbers, else counted from 1."""
    if all(name.isdigit() and int(name) > 0 and name == str(int(name)) for name in terms.types):
        return [int(name) for name in terms.types]
    return list(range(1, len(terms.types) + 1))


def labels(terms):
    """Type labels of LAMMPS have no blanks and do not begin like a number; none if names are
    numbers."""
    if numbers(terms) == [int(name) if name.isdigit() else 0 for name in terms.types]:
        return []
    found = []
    for name in terms.types:
        name = "_".join(name.split())
        name = name if name and not (name[0].isdigit() or name[0] in "#*") else f"t{name}"
        while name in found:
            name += "_"
        found.append(name)
    return found


def renamed(bonded):
    """A note on types whose names LAMMPS does not allow."""
    changes = [f"{old} is {new}" for terms in bonded.values()
               for old, new in zip(terms.types, labels(terms)) if old != new]
    return f"; types are renamed: {', '.join(changes)}" if changes else ""


def write_coefficients(out, kind, terms, found):
    """The coefficients of a kind whose forces came from a data file; the title gives the style."""
    rows = [(number, found.numbers[name]) for number, name in sorted(zip(numbers(terms), terms.types))
            if name in found.numbers]
    out.write(f"\n{kind[:-1].capitalize()} Coeffs # {found.style}\n\n")
    for number, row in rows:
        # LAMMPS reads multiplicities as integers.
        words = [repr(int(x)) if x == int(x) else repr(x) for x in row.tolist()]
        out.write(f"{number} {' '.join(words)}\n")


def special(file):
    """A note on settings that data files do not contain."""
    kinds = scaled_pairs(file)
    if len(kinds) > 1:
        return "; pairs three bonds apart are scaled by several factors, which LAMMPS cannot"
    return "".join(f"; needs special_bonds lj 0 0 {kind.lj!r} coul 0 0 {kind.coulomb!r}" for kind in kinds)


def opened(frame):
    """A note on open directions, which data files do not contain either."""
    periodic = cell(frame)[2][:frame.dimension]
    if all(periodic):
        return ""
    boundary = [*("p" if p else "f" for p in periodic), *"p" * (3 - frame.dimension)]
    return (f"; needs box = {{ periodic = [{', '.join('true' if p else 'false' for p in periodic)}] }} in "
            f"mdrun, boundary {' '.join(boundary)} in LAMMPS")


def write_data(out, export, frame):
    origin, length, periodic = cell(frame)
    bonded = topology(export.file)
    # Readers assume a periodic box: no particle may be on its faces, and no bond longer than half
    # of it.
    margin = np.where(periodic, 0.0, (0.6 if bonded else 1e-3) * length)
    origin, length = origin - margin, length + 2.0 * margin
    species, count = export.species(frame), len(frame.position)
    # The words of LAMMPS' write_data, from which readers recognise the units.
    out.write(f"LAMMPS data file via Shadow, timestep = {frame.step}, units = {units_of(export.file).lammps}\n\n"
              f"{count} atoms\n"
              f"{len(species)} atom types\n")
    for kind, terms in bonded.items():
        out.write(f"{len(terms.members)} {kind}\n{max(numbers(terms))} {kind[:-1]} types\n")
    out.write("\n")
    for low, size, axis in zip(origin.tolist(), length.tolist(), "xyz"):
        out.write(f"{low!r} {low + size!r} {axis}lo {axis}hi\n")
    if np.any(frame.tilt):
        out.write(f"{' '.join(repr(float(tilt)) for tilt in tilts(frame, 'LAMMPS'))} xy xz yz\n")
    # LAMMPS needs labels before any section of types.
    for kind, terms in bonded.items():
        if labels(terms):
            out.write(f"\n{kind[:-1].capitalize()} Type Labels\n\n")
        for k, name in enumerate(labels(terms)):
            out.write(f"{k + 1} {name}\n")
    out.write("\nMasses\n\n")
    for k, name in enumerate(species):
        mass = frame.mass[frame.species == k]
        out.write(f"{k + 1} {float(mass[0]) if len(mass) else 1.0!r} # {name}\n")
    for kind, found in coefficients(export.file).items():
        if kind in bonded:
            write_coefficients(out, kind, bonded[kind], found)
    named = style(frame, bonded)
    out.write(f"\nAtoms # {named}\n\n")
    place = inside(frame)[0]
    image = images(frame) if "image" in frame.field else None
    molecule = molecules(count, bonded) + 1 if bonded else None
    for k in range(count):
        charge = f"{float(frame.charge[k])!r} " if charged(frame) else ""
        of = f"{molecule[k]} " if bonded else ""
        turns = f" {text(image[k])}" if image is not None else ""
        out.write(f"{k + 1} {of}{int(frame.species[k]) + 1} {charge}{text(place[k])}{turns}\n")
    if "velocity" in frame.field:
        out.write("\nVelocities\n\n")
        for k, v in enumerate(velocities(export, frame)):
            out.write(f"{k + 1} {text(v)}\n")
    for kind, terms in bonded.items():
        out.write(f"\n{kind.capitalize()}\n\n")
        for k, (kind_of, members) in enumerate(zip(terms.type.tolist(), terms.members.tolist())):
            out.write(f"{k + 1} {numbers(terms)[kind_of]} {' '.join(str(m + 1) for m in members)}\n")
