# SPDX-License-Identifier: BSD-3-Clause
"""Averages of a run with errors, and the drift of the conserved quantity, stage by stage."""
import dataclasses
import json
import math

import numpy as np

from .results import ResultsError, frames, parameter, read_series, scalars, units_of
from .stages import chosen_stage, facts, known_steps, read_input, stages
from .statistics import (ENOUGH_SAMPLES, SLOW, Drift, Start, drift, equilibration, find_start, linearised,
                         settled_estimate)

CONSERVED = "conserved_energy"
STEP_LENGTH = "step_length"  # with adaptive steps
BOOST_ENERGY = "boost_energy"
FEW_SUPPORT = 30.0  # independent samples in the square of an error: with fewer, errors are too small


@dataclasses.dataclass
class Average:
    """The average of a scalar over a stage, without the discarded rows, those before time
    `settled`."""
    name: str
    unit: str
    mean: float
    error: float
    error_autocorrelation: float
    inefficiency: float
    independent_samples: float
    discarded: float  # fraction of the rows
    begin: float      # times
    settled: float
    memory: float     # correlation time of averages of the stage, in rows
    warning: str


@dataclasses.dataclass
class Conserved:
    """The conserved quantity of a stage; `relative`: drift in kT per degree of freedom and unit of
    time, if the file has temperature and kinetic energy."""
    time: np.ndarray
    value: np.ndarray
    unit: str
    time_unit: str
    drift: Drift
    relative: float | None


def stage_series(file, name, stage):
    """A series cut to a stage; None if it has no row there."""
    series = read_series(file, name)
    rows = stage.rows(series.step)
    if not rows.any():
        return None
    return dataclasses.replace(series, step=series.step[rows], time=series.time[rows],
                               value=series.value[rows])


def interval(step):
    """Steps between two rows."""
    return float(step[-1] - step[0]) / (len(step) - 1) if len(step) > 1 else 1.0


def discarded(series, stage):
    """Rows that the input discards; None: not given."""
    if stage.equilibration is None:
        return None
    return int(np.sum(series.step < stage.first + stage.equilibration))


def boosts(file, stage):
    """Energies of the boost of the stage, if it has one: a start far from equilibrium may have all
    the weight, which other quantities do not show."""
    found = stage_series(file, BOOST_ENERGY, stage) if BOOST_ENERGY in scalars(file) else None
    return [found.value[:, 0]] if found is not None else []


def log_weights(file, series, stage):
    """Logarithms of the weights of the rows of a series: of the lengths of adaptive steps, or the
    exponents of the Boltzmann factors of a boost; None if all weights are equal."""
    for name in (STEP_LENGTH, BOOST_ENERGY):
        found = stage_series(file, name, stage) if name in scalars(file) else None
        if found is None or not np.array_equal(found.step, series.step):
            continue
        if name == STEP_LENGTH:
            return np.log(np.maximum(found.value[:, 0], np.finfo(float).tiny))
        temperature = facts(file, number_of(file, stage)).temperature
        return found.value[:, 0] / (units_of(file).boltzmann * temperature)
    return None


def relative(logs):
    """Weights relative to the largest."""
    return np.exp(logs - logs.max())


def row_weights(file, series, stage):
    """The weights relative to the largest; None if all are equal."""
    logs = log_weights(file, series, stage)
    return None if logs is None else relative(logs)


def few_weights(file, stage, discard=None):
    """Why averages with a boost are unreliable, by the criterion of mdrun: few rows have most of
    the weight; or ""."""
    boost = stage_series(file, BOOST_ENERGY, stage) if BOOST_ENERGY in scalars(file) else None
    if boost is None or len(boost.step) < 2:
        return ""
    series, start = settled(file, boost, stage, discarded(boost, stage) if discard is None else discard)
    rows = start.discard
    weights = relative(log_weights(file, boost, stage)[rows:]) if rows < len(boost.step) else np.zeros(1)
    part = weights.sum()**2 / max(len(weights) * (weights @ weights), np.finfo(float).tiny)
    e = settled_estimate(series, start)
    support = e.independent_samples * part**3 if e.error > 0.0 else 1.0
    if np.ptp(boost.value) == 0.0 or support >= FEW_SUPPORT:
        return ""
    return (f"few rows have most of the weight (they are worth {part:.2g} of all): the error is probably too "
            "small")


def weight_warning(file, name=""):
    """A warning about frames of the stage of this name or number, or of all stages, with a boost; or ""."""
    if BOOST_ENERGY not in scalars(file) or not frames(file):
        return ""
    every = stages(file)
    chosen = [chosen_stage(file, name, every)[1]] if name else every
    rows = [(s, stage_series(file, BOOST_ENERGY, s)) for s in chosen]
    # The row between two stages belongs to both.
    weighted = [s.label() for s, boost in rows if boost is not None and len(boost.step) > 1]
    return (f"warning: frames of stage {', '.join(map(str, weighted))} are not those of the forces alone (each "
            f"has the weight exp({BOOST_ENERGY} / kT) of its step)" if weighted else "")


def refuse_weights(file, series, stage, why):
    """Throws ResultsError if the rows of a series have weights."""
    if row_weights(file, series, stage) is not None:
        raise ResultsError(f"rows of stage {stage.label()} have weights ({why}); choose another with --stage, or "
                           "take averages by mdmerge or mdreport")


def changes_until(file, number):
    """Step and time after which the stage's bath, barostat, shear and fields no longer change."""
    tables = read_input(file)
    stages_of_input = tables.get("stage", [tables])
    own = stages_of_input[number] if number < len(stages_of_input) else {}
    step, time = 0.0, -math.inf
    for table, key in (("integrator", "temperature"), ("integrator", "time"), ("integrator", "friction"), ("integrator", "rate"),
                       ("barostat", "pressure"), ("barostat", "rates"), ("shear", "rate")):
        given = own.get(table, {}).get(key)
        for ramp in given.values() if isinstance(given, dict) else [given]:
            if not (isinstance(ramp, list) and isinstance(ramp[0], list)):
                continue
            values = [row[1:] for row in ramp]
            moving = [k for k in range(1, len(ramp)) if values[k] != values[k - 1]]
            step = max(step, float(ramp[moving[-1]][0]) if moving else 0.0)
    for force in tables.get("force", []):
        points = force.get("modulation", {}).get("points")
        if "modulation" in force:
            time = max(time, points[-1][0] if points else math.inf)
    return step, time


def steady_rows(file, series, stage):
    """Which rows of a series are after those that the input discards, and after all changes of
    parameters."""
    step, time = changes_until(file, number_of(file, stage))
    return (series.step >= stage.first + max(stage.equilibration or 0, step)) & (series.time >= time)


def number_of(file, stage):
    return [s.first for s in stages(file)].index(stage.first)


def settled(file, series, stage, discard):
    """A function of the number n of discarded rows, the values of a series whose plain mean from row
    n on is the weighted one; and its start: as many rows as given, else those that detection finds
    and, if it includes their end, the rows in which parameters change."""
    values, logs = series.value[:, 0], log_weights(file, series, stage)

    def series_from(first):
        if logs is None:
            return values
        rest = min(first, len(values) - 1)
        return np.concatenate([values[:rest], linearised(values[rest:], relative(logs[rest:]))])

    if discard is not None:
        return series_from, Start(discard, discard)
    weights = None if logs is None else relative(logs)
    start = find_start(values, weights)
    step, time = changes_until(file, number_of(file, stage))
    ramp = int(np.sum((series.step < stage.first + step) | (series.time < time)))
    least = ramp if ramp < len(values) - 1 else 0
    if weights is not None:
        least = max([least] + [equilibration(x, weights) for x in boosts(file, stage)])
    return series_from, Start(max(start.discard, least), max(start.arrival, least))


def estimate_of(file, series, stage, memory=0.0):
    """The estimate of a mean; rows may have weights."""
    return settled_estimate(*settled(file, series, stage, discarded(series, stage)), memory)


def slow_motion(file, stage):
    """Correlation times, in steps, of quantities that show the slow motion of a system."""
    found = {}
    for name in set(SLOW) & set(scalars(file)):
        series = stage_series(file, name, stage)
        if series is not None:
            e = estimate_of(file, series, stage)
            if e.samples > 1 and e.error > 0:
                found[name] = e.inefficiency * interval(series.step)
    return found


def slow_warning(slow, steps):
    """Why an error that looks reliable is not, or ""."""
    for name in SLOW:
        if name in slow and steps / slow[name] < ENOUGH_SAMPLES:
            return (f"{name} has only {steps / slow[name]:.0f} independent samples in the same time: "
                    "this error is probably too small")
    return ""


def average(file, series, stage, slow):
    every = interval(series.step)
    memory = 2.0 * max(slow.values(), default=0.0) / every
    e = estimate_of(file, series, stage, memory)
    warning = e.warning() or few_weights(file, stage) or (slow_warning(slow, e.samples * every) if e.error > 0 else "")
    settled = series.time[min(e.discarded, len(series.time) - 1)]
    return Average(series.name, series.unit, e.mean, e.error, e.error_autocorrelation,
                   e.inefficiency, e.independent_samples, e.discarded / len(series.time),
                   float(series.time[0]), float(settled), memory, warning)


def averages(file, stage):
    """Averages of every scalar with rows in the stage, by name; none of a minimisation."""
    if stage.minimises:
        return {}
    found, slow = {}, slow_motion(file, stage)
    for name in scalars(file):
        series = stage_series(file, name, stage)
        if series is not None:
            found[name] = average(file, series, stage, slow)
    return found


def conserved(file, stage):
    """The conserved quantity of a stage; None if there is none or it has too few rows."""
    if stage.minimises or CONSERVED not in scalars(file):
        return None
    series = stage_series(file, CONSERVED, stage)
    if series is None or len(series.time) < 3:
        return None
    line = drift(series.time, series.value[:, 0])
    relative = None
    if "kinetic_energy" in scalars(file):
        kinetic = stage_series(file, "kinetic_energy", stage)
        if kinetic is not None and kinetic.value.mean() > 0:  # 2 K = kT for each degree of freedom
            relative = line.slope / (2 * float(kinetic.value.mean()))
    return Conserved(series.time, series.value[:, 0], series.unit, series.time_unit, line, relative)


def read_summary(path):
    """The JSON summary of mdrun; "-" is standard input. Throws ResultsError if the file is not
    one."""
    try:
        with open(0 if path == "-" else path, encoding="utf-8") as file:
            summary = json.load(file)
    except OSError as error:
        raise ResultsError(f"{path} cannot be read ({error.strerror}); give what mdrun --summary "
                           "wrote") from error
    except ValueError as error:
        raise ResultsError(f"{path} is not a summary ({error}); give the file of mdrun "
                           "--summary") from error
    if not isinstance(summary, dict) or "performance" not in summary:
        raise ResultsError(f"{path} is not a summary (it has no \"performance\"); give the file of "
                           "mdrun --summary")
    return summary


def digest(text):
    """The 64-bit hash FNV-1a, as in the engine."""
    value = 0xCBF29CE484222325
    for byte in text:
        value = (value ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return f"{value:016x}"


def refuse_foreign(file, summary, name):
    """Throws ResultsError if the summary belongs to another run than the file, or to an earlier
    part of the run."""
    text = file["parameters/input"][()] if "parameters/input" in file else b""
    here = {"input_digest": digest(text), "seed": parameter(file, "seed", None),
            "device": parameter(file, "device", None), "version": parameter(file, "version", None)}
    words = {"input_digest": "input"}
    other = [words.get(key, key) for key, value in here.items()
             if value is not None and key in summary and summary[key] != value]
    firsts, lasts = known_steps(file, "first_step"), known_steps(file, "last_step")
    steps = [stage.get("steps") for stage in summary.get("stages", [])]
    if firsts and None not in steps and (len(steps) != len(firsts) or any(
            done != last - first for done, first, last in zip(steps, firsts, lasts))):
        other.append("steps")
    if other:
        raise ResultsError(f"{name} is not the summary of {file.filename} (another "
                           f"{', '.join(other)}); give the one that mdrun wrote with these results")


def number(value, missing=math.inf):
    """A number of the summary, in which null stands for numbers that are not finite."""
    return missing if value is None else float(value)


def from_summary(found, numbers):
    """The averages of a stage with the numbers of the summary, which also has the first row of a
    later stage. Averages that the summary lacks, or for which it does not give the discarded rows,
    are unchanged."""
    renewed = dict(found)
    for name, a in numbers.get("averages", {}).items():
        if name not in found or "discarded" not in a:
            continue
        discarded, old = a["discarded"], found[name]
        renewed[name] = dataclasses.replace(
            old, mean=number(a["mean"]), error=number(a["error"]),
            error_autocorrelation=number(a["error_autocorrelation"]),
            inefficiency=number(a["inefficiency"]),
            independent_samples=number(a["independent_samples"]),
            discarded=number(discarded["fraction"], 0.0),
            settled=old.begin + number(discarded["time"], 0.0), warning=a.get("warning", ""))
    return renewed
