# SPDX-License-Identifier: BSD-3-Clause
"""States that runs sampled, from their files: runs of different states have different averages."""
import json
import math
import typing
import zlib

import numpy as np

from .results import Frame, ResultsError, as_text, frames, parameter, species_names
from .stages import facts, read_input

#: Keys of a force for its integration, which do not change it.
METHOD_KEYS = {"class", "level", "split"}
#: Keys of an integrator with a bath: how the bath acts, on which no equilibrium average depends.
BATH_KEYS = ("friction", "time", "period", "mass", "rate", "radius")
#: Methods whose equations of motion differ from those of other methods with the same keys.
OWN_MOTION = ("brownian", "berendsen", "nose-vertex", "nose-balls", "nose-density")
#: Keys of an integrator on which the errors of its steps depend.
STEP_LABELS = {key: key for key in ("method", "dt", "inner", "order", "word", "mollifier")}
SAME = 1e-6  # for lengths that another program may have rounded

LABELS = {"units": "units", "particles": "particles", "mass": "masses", "charge": "charges",
          "box": "box", "tilt": "tilts over lengths of the box", "magnetic_field": "magnetic field", "bonded": "bonds", "forces": "forces", "ensemble": "ensemble",
          "bath_temperature": "bath temperature", "pressure": "pressure of the barostat",
          "axes": "axes of the barostat",
          "degrees_of_freedom": "degrees of freedom"}


def state(file, stage):
    """The state of the stage of this number, by the names of LABELS, its `bath` and `steps`; entries
    that the file lacks are missing."""
    stored = parameter(file, "merged/state")
    if stored:
        return json.loads(stored)
    found = {}
    if parameter(file, "units"):
        found["units"] = parameter(file, "units")
    if frames(file):
        found.update(composition(file))
    if bonded_as(file):
        found["bonded"] = bonded_as(file)
    tables = read_input(file)
    if tables:
        field = zip("xyz", tables.get("system", {}).get("magnetic_field", []))
        found["magnetic_field"] = {axis: part for axis, part in field if part} or "none"
        method = table_of(tables, stage).get("integrator", {})
        own = {"method": method["method"]} if method.get("method") in OWN_MOTION else {}
        found["bath"] = {**own, **{key: method[key] for key in BATH_KEYS if key in method}}
        if "dt" in method:
            found["steps"] = {key: method.get(key, "none") for key in STEP_LABELS}
    forces = [{k: v for k, v in force.items() if k not in METHOD_KEYS} for force in tables.get("force", [])]
    if forces:
        found["forces"] = forces
    try:
        known = facts(file, stage)
    except ResultsError:
        return found
    barostat = barostat_of(file, stage)
    if "pressure" in barostat:  # the varying lengths are sampled
        axes = barostat.get("axes", ["xyz"])
        box = [length for length, axis in zip(found.pop("box", []), "xyz") if axis not in "".join(axes)]
        found.update({"pressure": barostat["pressure"], "axes": axes}, **({"box": box} if box else {}))
    return {**found, "ensemble": known.ensemble or "none (a minimisation)",
            "bath_temperature": known.temperature,
            "degrees_of_freedom": known.degrees_of_freedom}


def table_of(tables, stage):
    """The table of the input for the stage of this number; empty if there is none."""
    stages = tables.get("stage", [tables])
    return stages[stage] if stage < len(stages) else {}


def barostat_of(file, stage):
    """The barostat of the stage of this number, with the final value of a changing pressure; empty
    if the box is constant."""
    table = dict(table_of(read_input(file), stage).get("barostat", {}))
    if isinstance(table.get("pressure"), list):
        table["pressure"] = table["pressure"][-1][-1]
    return table


class Boost(typing.NamedTuple):
    """A transformation that flattens energies: a boost of the potential energy, or a density of the
    total energy."""
    threshold: float
    width: float
    side: str
    least_slope: float
    of_total: bool = False

    def energy(self, given, kT):
        """The addition to energies: for potential energies that of the boost; for total energies
        the difference of the density from Boltzmann's at kT."""
        z = (given - self.threshold) / self.width
        acts = {"below": z < 0.0, "above": z > 0.0, "both": True}[self.side]
        rest = 1.0 - self.least_slope
        added = np.where(acts, rest * self.width * (z / np.sqrt(1.0 + z**2) - z), 0.0)
        slope = np.where(acts, self.least_slope + rest * (1.0 + z**2)**-1.5, 1.0)
        return added - kT * np.log(slope) if self.of_total else added

    def slope(self, given, kT):
        """Derivative of the transformed energies with respect to the energies."""
        step = 1e-4 * self.width
        ends = [self.energy(given + side * step, kT) for side in (-1.0, 1.0)]
        return 1.0 + (ends[1] - ends[0]) / (2.0 * step)


def boost_of(file, stage):
    """The boost of the stage of this number; None if it has none."""
    own = table_of(read_input(file), stage)
    method = own.get("integrator", {})
    of_total = method.get("method") == "nose-density"
    found = method if of_total else own.get("boost")
    return Boost(found["threshold"], found["width"], found.get("side", "above" if of_total else "below"),
                 found.get("least_slope", 0.0), of_total) if found else None


def bonded_as(file):
    """The number of bonded terms of each kind, and a digest of them; empty if there are none."""
    group = file.get("parameters/topology")
    if group is None:
        return {}
    found = {name: len(group[name]) for name in group
             if group[name].ndim == 2 and group[name].dtype.kind in "iu"}
    content = b"".join(np.ascontiguousarray(group[name][...],
                                            "<f8" if group[name].dtype.kind == "f" else "<i8").tobytes()
                       for name in sorted(group) if group[name].dtype.kind in "iuf")
    return {**found, "checksum": zlib.crc32(content)}


def composition(file):
    """Particles, masses and charges of each species, and lengths of the box (0: open) and its tilts."""
    frame = Frame(file, -1)
    names = species_names(file, frame)
    numbers = np.bincount(np.asarray(frame.species, dtype=int), minlength=len(names))
    found = {"particles": {n: int(c) for n, c in zip(names, numbers)}, "box": frame.length.tolist()}
    tables = read_input(file)
    if not any("shear" in table for table in tables.get("stage", [tables])):  # if it depends on time
        found["tilt"] = tilts(frame) or "none"
    for name in ("mass", "charge"):
        path = f"parameters/species/{name}"
        if path in file:
            found[name] = dict(zip(names, np.atleast_1d(file[path][()]).tolist()))
    return found


def tilts(frame):
    """Nonzero tilts over the lengths of the box along them, which no barostat changes. Edges that span the same
    lattice have the same: tilts are reduced to above -1/2 and up to 1/2."""
    edges, found = np.diag(frame.length) + frame.tilt, {}
    for edge, along in ((edge, along) for edge in range(len(edges)) for along in reversed(range(edge))):
        length = frame.length[along]
        if length > 0.0:
            edges[edge] -= math.ceil(edges[edge, along] / length - 0.5 - SAME) * edges[along]
            if abs(edges[edge, along]) > SAME * length:
                found["xyz"[along] + "xyz"[edge]] = float(edges[edge, along] / length)
    return found


def same(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b or math.isclose(a, b, rel_tol=SAME)
    return a == b


def in_words(value):
    if isinstance(value, dict):
        return " ".join(f"{name}: {in_words(item)}" for name, item in value.items())
    if isinstance(value, list):
        return " x ".join(map(in_words, value))
    return f"{value:.10g}" if isinstance(value, float) else as_text(value)


def differing_forces(a, b):
    """The types if these differ, else the first key that differs."""
    types = [[str(force.get("type", "?")) for force in forces] for forces in (a, b)]
    if types[0] != types[1]:
        return f"forces {', '.join(types[0])} and {', '.join(types[1])}"
    for one, other in zip(a, b):
        for key in {**one, **other}:
            if not same(one.get(key), other.get(key)):
                return (f"{key} of {one.get('type', 'a force')} {in_words(one.get(key, 'missing'))} "
                        f"and {in_words(other.get(key, 'missing'))}")
    return "forces"


def different_baths(states):
    """How baths act differently, in words; "" if they do not."""
    known = [state["bath"] for state in states if "bath" in state]
    other = next((bath for bath in known if not same(bath, known[0])), None)
    return "" if other is None else " and ".join(in_words(bath) or "none" for bath in (known[0], other))


def different_steps(a, b):
    """How the errors of steps of two states differ, in words."""
    return differences(a.get("steps", {}), b.get("steps", {}), STEP_LABELS)


def differences(a, b, labels=LABELS):
    """Differences in words, only of entries that both have."""
    found = []
    for name, label in labels.items():
        if name in a and name in b and not same(a[name], b[name]):
            found.append(differing_forces(a[name], b[name]) if name == "forces" else
                         f"{label} {in_words(a[name])} and {in_words(b[name])}")
    return found
