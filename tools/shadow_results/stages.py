# SPDX-License-Identifier: BSD-3-Clause
"""Which rows belong to which stage of a run, and how far the run is."""
import dataclasses
import math
import tomllib

import numpy as np

from .results import frames, groups, parameter, read_arrays


@dataclasses.dataclass
class Stage:
    """A part of a run with one method: the rows with first < step <= last, of the first stage also
    the row of the first step (a later stage leaves its first row to the one before). `last` is None
    while nobody knows."""
    name: str
    method: str
    first: int
    last: int | None
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
        steps.append(file["particles/all/position/step"][-1])
    return int(max(steps)) if steps else None


def observed_end(file, number, first, following):
    """The last step of a stage that may stop early, if the file tells: by an array's row of the
    stage while a later one exists, or by time, which stands still in a minimisation."""
    for array in read_arrays(file):
        stages = list(array.stage)
        if number in stages and stages[-1] > number:
            return int(file["observables"][array.name]["step"][stages.index(number)])
    dt = following.get("integrator", {}).get("dt") if following else None
    for _, group in groups(file):
        if not dt or "time" not in group or len(group["time"]) == 0:
            continue
        step, time = group["step"][...], group["time"][...]
        after = step > first
        moving = after & (time > time[~after][-1] + 0.5 * dt if np.any(~after) else after)
        if np.any(moving):
            k = int(np.argmax(moving))
            return int(step[k] - round((time[k] - time[k - 1 if k else 0]) / dt))
    return None


def stages(file):
    """The stages that the input names, as far as the file tells; one for everything if the file has
    no input."""
    tables = read_input(file)
    described = tables.get("stage")
    if not described:
        described = [{**tables.get("run", {}), "integrator": tables.get("integrator", {})}]
    found, first = [], 0
    for k, table in enumerate(described):
        method = table.get("integrator", {}).get("method", "")
        steps = table.get("steps")
        minimises = method == "minimize"
        last = first + steps if steps is not None else None
        if minimises or last is None:
            following = described[k + 1] if k + 1 < len(described) else None
            seen = observed_end(file, k, first, following if minimises else None)
            last = seen if seen is not None else last
        wanted = table.get("equilibration")
        found.append(Stage(table.get("name", ""), method, first, last, minimises,
                           wanted if isinstance(wanted, int) else None))
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


def total_steps(file):
    """Steps that the input asks for; None if it leaves that open."""
    last = stages(file)[-1].last
    return last if last is None or math.isfinite(last) else None
