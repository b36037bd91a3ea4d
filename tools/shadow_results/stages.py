# SPDX-License-Identifier: BSD-3-Clause
"""Which rows belong to which stage of a run, and the progress of the run."""
import dataclasses
import tomllib

import numpy as np

from .results import ResultsError, as_text, frames, groups, parameter, particles


@dataclasses.dataclass
class Stage:
    """A part of a run with one method: the rows with first < step <= last, and in the first stage
    the row of the first step (the first row of a later stage belongs to the one before). `last` is
    None while it is unknown."""
    name: str
    method: str
    first: int
    last: int | None
    limit: int | None  # last step at the latest; the stage ends earlier if its errors or forces are small enough
    minimises: bool
    equilibration: int | None  # steps to discard according to the input; None: to be detected

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
    """The last step of all data in the file; None if nothing was measured."""
    steps = [g["step"][-1] for _, g in groups(file) if "step" in g and len(g["step"])]
    if frames(file):
        steps.append(particles(file)["position/step"][-1])
    return int(max(steps)) if steps else None


def known_steps(file, which):
    """`first_step` of the stages so far, or `last_step` of completed ones, if the file has them."""
    path = f"parameters/stage/{which}"
    return [int(step) for step in file[path][...]] if path in file else []


def refuse_failed(file, number=None):
    """Throws ResultsError if the run failed in the stage of this number, or in any; completed
    stages are valid."""
    why = parameter(file, "failed")
    if why and (number is None or number >= len(known_steps(file, "last_step"))):
        raise ResultsError(f"{file.filename} is of a run that failed ({why.split(' (')[0]}, and rows "
                           "near the failure sample no ensemble); give one that ended well, or run it again as its log advises")


def max_steps(table):
    """The maximum number of steps of a stage; None if its table does not give it."""
    until = table.get("until", [])
    limits = [u["max_steps"] for u in ([until] if isinstance(until, dict) else until)
              if "max_steps" in u]
    return table.get("steps", limits[0] if limits else None)


def stages(file):
    """The stages in the input, as far as the file gives them; one stage if the file has no
    input."""
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
    """The stages up to the last one with rows; at least the first."""
    steps = [g["step"][...] for _, g in groups(file) if "step" in g]
    found = stages(file)
    while len(found) > 1 and not any(found[-1].rows(step).any() for step in steps):
        found.pop()
    return found


def running(file):
    """The number of the current or last stage."""
    firsts = known_steps(file, "first_step")
    return len(firsts or begun(file)) - 1


def count(file):
    """The number of stages in the input."""
    return len(read_input(file).get("stage", [None]))


def total_steps(file):
    """Steps until the end of the last stage; None while it is unknown."""
    found = stages(file)
    return found[-1].last if len(found) == count(file) else None


def complete(file):
    """Are all stages complete?"""
    if known_steps(file, "first_step"):
        return len(known_steps(file, "last_step")) == count(file)
    step, total = last_step(file), total_steps(file)
    return step is not None and total is not None and step >= total


@dataclasses.dataclass
class Facts:
    """The ensemble of a stage ("NVE, ...", "NVT, ..." or "" for a minimisation), temperature
    of its bath (0: none), degrees of freedom."""
    ensemble: str
    temperature: float
    degrees_of_freedom: float


def facts(file, number):
    """The facts of a stage; throws ResultsError if the file lacks them."""
    group = file.get("parameters/stage", {})
    names = ("ensemble", "bath_temperature", "degrees_of_freedom")
    values = [np.atleast_1d(group[name][()]) for name in names if name in group]
    if len(values) < len(names) or number >= min(map(len, values)):
        raise ResultsError(f"{file.filename} does not give the ensemble of stage {number} (it is of "
                           "an older version, or the run did not reach it); run it again")
    ensemble, temperature, freedom = (value[number] for value in values)
    return Facts(as_text(ensemble), float(temperature), float(freedom))


def frames_of(file, stage):
    """Numbers of the frames of a stage."""
    return np.flatnonzero(stage.rows(particles(file)["position/step"][...])).tolist() if frames(file) else []


def chosen_stage(file, name, known=None):
    """Number and stage for a name or number, of those that have begun or of `known` ones; for "" the last."""
    known = known or begun(file)
    if not name:
        return len(known) - 1, known[-1]
    for number, stage in enumerate(known):
        if name in (stage.name, str(number)):
            return number, stage
    raise ResultsError(f"--stage {name}: not in {file.filename} (it has "
                       f"{', '.join(s.name or str(k) for k, s in enumerate(known))}); choose one")
