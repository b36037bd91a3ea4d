# SPDX-License-Identifier: BSD-3-Clause
"""Which rows belong to which stage of a run, and how far the run is."""
import dataclasses
import tomllib

import numpy as np

from .results import ResultsError, as_text, frames, groups, parameter, particles


@dataclasses.dataclass
class Stage:
    """A part of a run with one method: the rows with first < step <= last, of the first stage also
    the row of the first step (a later stage leaves its first row to the one before). `last` is None
    while it is unknown."""
    name: str
    method: str
    first: int
    last: int | None
    limit: int | None  # it ends there, or before if its errors or forces are small enough
    minimises: bool
    equilibration: int | None  # steps that the input wants discarded; None: to be detected

    def rows(self, step):
        """Which rows of a series are of this stage."""
        after = step >= self.first if self.first == 0 else step > self.first
        return after & (step <= (self.last if self.last is not None else np.inf))

    def label(self):
        return self.name or "run"


def read_input(file):
    """The resolved input as a dictionary; empty if the file has none that can be read."""
    try:
        return tomllib.loads(parameter(file, "input"))
    except tomllib.TOMLDecodeError:
        return {}


def last_step(file):
    """Of everything in the file; None if nothing was measured."""
    steps = [g["step"][-1] for _, g in groups(file) if "step" in g and len(g["step"])]
    if frames(file):
        steps.append(particles(file)["position/step"][-1])
    return int(max(steps)) if steps else None


def known_steps(file, which):
    """`first_step` of the stages so far, or `last_step` of those that are over, if the run tells."""
    path = f"parameters/stage/{which}"
    return [int(step) for step in file[path][...]] if path in file else []


def refuse_failed(file, number=None):
    """Throws ResultsError where the run failed in the stage of this number, or in any; those that were
    over by then are what they were."""
    why = parameter(file, "failed")
    if why and (number is None or number >= len(known_steps(file, "last_step"))):
        raise ResultsError(f"{file.filename} is of a run that failed ({why.split(' (')[0]}, and rows "
                           "near that are of no ensemble); give one that ended well, or run it again as its log advises")


def max_steps(table):
    """How many a stage may take; None if its table does not say."""
    until = table.get("until", [])
    limits = [u["max_steps"] for u in ([until] if isinstance(until, dict) else until)
              if "max_steps" in u]
    return table.get("steps", limits[0] if limits else None)


def stages(file):
    """The stages that the input names, as far as the file tells; one for everything if the file has
    no input."""
    tables = read_input(file)
    described = tables.get("stage")
    if not described:
        described = [{**tables.get("run", {}), "integrator": tables.get("integrator", {})}]
    firsts, lasts = known_steps(file, "first_step"), known_steps(file, "last_step")
    found, first = [], 0
    for k, table in enumerate(described):
        method = table.get("integrator", {}).get("method", "")
        first = firsts[k] if k < len(firsts) else first
        steps = max_steps(table)
        limit = first + steps if steps is not None else None
        sure = not firsts or ("until" not in table and method != "minimize")
        last = lasts[k] if k < len(lasts) else limit if sure else None
        wanted = table.get("equilibration")
        found.append(Stage(table.get("name", ""), method, first, last, limit,
                           method == "minimize", wanted if isinstance(wanted, int) else None))
        if last is None:
            break
        first = last
    return found


def begun(file):
    """The stages up to the last that has rows; the first in any case."""
    steps = [g["step"][...] for _, g in groups(file) if "step" in g]
    found = stages(file)
    while len(found) > 1 and not any(found[-1].rows(step).any() for step in steps):
        found.pop()
    return found


def running(file):
    """The number of the stage that the run is in, or was last."""
    firsts = known_steps(file, "first_step")
    return len(firsts or begun(file)) - 1


def count(file):
    """How many stages the input has."""
    return len(read_input(file).get("stage", [None]))


def total_steps(file):
    """Steps until the end of the last stage; None while that is open."""
    found = stages(file)
    return found[-1].last if len(found) == count(file) else None


def complete(file):
    """Have all stages come to their end?"""
    if known_steps(file, "first_step"):
        return len(known_steps(file, "last_step")) == count(file)
    step, total = last_step(file), total_steps(file)
    return step is not None and total is not None and step >= total


@dataclasses.dataclass
class Facts:
    """What a stage samples: ensemble ("NVE, ...", "NVT, ..." or "" of a minimisation), temperature
    of its bath (0: none), degrees of freedom."""
    ensemble: str
    temperature: float
    degrees_of_freedom: float


def facts(file, number):
    """Throws ResultsError where the file does not tell."""
    group = file.get("parameters/stage", {})
    names = ("ensemble", "bath_temperature", "degrees_of_freedom")
    values = [np.atleast_1d(group[name][()]) for name in names if name in group]
    if len(values) < len(names) or number >= min(map(len, values)):
        raise ResultsError(f"{file.filename} does not tell the ensemble of stage {number} (it is of "
                           "an older version, or the run did not get there); run it again")
    ensemble, temperature, freedom = (value[number] for value in values)
    return Facts(as_text(ensemble), float(temperature), float(freedom))


def chosen_stage(file, name):
    """Number and stage of this name or number; the last that has begun where it is ""."""
    known = begun(file)
    if not name:
        return len(known) - 1, known[-1]
    for number, stage in enumerate(known):
        if name in (stage.name, str(number)):
            return number, stage
    raise ResultsError(f"--stage {name}: not in {file.filename} (it has "
                       f"{', '.join(s.name or str(k) for k, s in enumerate(known))}); choose one")
