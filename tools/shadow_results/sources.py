# SPDX-License-Identifier: BSD-3-Clause
"""A file to be merged with others: of one run, or of runs merged before."""
import hashlib
import os

import h5py
import numpy as np

from .analysis import BOOST_ENERGY, STEP_LENGTH, few_weights, settled, stage_series
from .merging import last_rows
from .results import ResultsError, as_text, parameter, read_arrays, scalars, unit_of
from .stages import chosen_stage, read_input, refuse_failed, stages
from .states import differences, state
from .statistics import ENOUGH_SAMPLES, SLOW, Start, find_start, settled_estimate

FIRST_ROWS = 16  # that identify a run
LENGTHS = {"length_x", "length_y", "length_z", "volume", "density"}


def one_run(series, start, interval, slow=0.0):
    """The estimate of a mean from one run; `slow`: see Source.slowest(); series and start: see
    settled_estimate()."""
    e = settled_estimate(series, start, 2.0 * slow / interval)
    values = series(start.discard)
    if e.samples < 2:
        raise ResultsError(f"nothing is left after {start.discard} discarded rows (the run has "
                           f"{len(values)}); discard fewer")
    return {"mean": e.mean, "error": e.error, "error_autocorrelation": e.error_autocorrelation,
            "samples": e.samples, "discarded": e.discarded, "steps": e.samples * interval,
            "independent_samples": e.independent_samples, "deviation": float(np.std(values)),
            "reliable": e.plateau and min(e.independent_samples, e.samples) >= ENOUGH_SAMPLES and
            e.samples * interval >= ENOUGH_SAMPLES * slow}


def of_values(values, discard):
    """Values without weights, for settled_estimate()."""
    return lambda _: values, find_start(values) if discard is None else Start(discard, discard)


def prescribed(file):
    """Names of series that the input gives, which are the same in all runs of it."""
    tables = read_input(file)
    deforms = any(table.get("barostat", {}).get("type") == "deform" for table in tables.get("stage", [tables]))
    return {"shear_rate"} | (LENGTHS if deforms else set())


class Source:
    """Its rows are those of the last stage that has any, or of `stage`, or from `first_step` on."""

    def __init__(self, file, first_step=None, stage=""):
        self.file, self.name = file, file.filename
        self.first_step = first_step
        self.is_merged = "parameters/merged" in file
        self.stage_number, self.stage = chosen_stage(file, stage)
        refuse_failed(file, self.stage_number if first_step is None else None)
        if first_step is None and not self.is_merged and self.stage.minimises:
            raise ResultsError(f"stage {self.stage.label()} of {self.name} is a minimisation (a path has no averages); "
                               "choose another with --stage")
        self._slow = None

    def scalars(self):
        if not self.is_merged:
            return [n for n in scalars(self.file) if self.first_step is not None or
                    self.stage.rows(self.file["observables"][n]["step"][...]).any()]
        return [n for n, g in self.file["averages"].items()
                if isinstance(g, h5py.Group) and "runs" in g]

    def unit(self, name):
        return unit_of(self.file[f"averages/{name}/mean" if self.is_merged else
                                 f"observables/{name}/value"])

    def rows(self, name):
        """Values of a run, and steps between two of them."""
        group = self.file["observables"][name]
        step, value = np.asarray(group["step"]), np.asarray(group["value"], dtype=float)
        chosen = self.stage.rows(step) if self.first_step is None else step >= self.first_step
        value, step = value[chosen], step[chosen]
        if len(value) < 2:
            where = (f"of stage {self.stage.label()}" if self.first_step is None else
                     f"from step {self.first_step} on")
            raise ResultsError(f"{name}: {len(value)} rows in {self.name} {where} (an average needs "
                               "more); run longer, or lower --from")
        return value, float(step[-1] - step[0]) / (len(step) - 1)

    def settled(self, name, discard):
        """The rows and their start, for settled_estimate(), and steps between two of them."""
        values, interval = self.rows(name)
        if "time" not in self.file[f"observables/{name}"]:  # of another program, without stages
            return *of_values(values, discard), interval
        if self.first_step is None:
            return *settled(self.file, stage_series(self.file, name, self.stage), self.stage, discard), interval
        for weights in (STEP_LENGTH, BOOST_ENERGY):
            if weights in scalars(self.file) and \
                    np.any(np.asarray(self.file[f"observables/{weights}/step"]) > self.first_step):
                raise ResultsError(f"--from with {self.name}, whose rows have weights ({weights}; those of several "
                                   "stages have none in common); leave it out")
        return *of_values(values, discard), interval

    def slowest(self, discard):
        """The longest correlation time, in steps, of quantities that show the slow motion of a
        system."""
        if self._slow is None:
            self._slow = 0.0
            for name in set(SLOW) & set(self.scalars()):
                series, start, interval = self.settled(name, discard)
                e = settled_estimate(series, start)
                if e.samples > 1 and e.error > 0.0:
                    self._slow = max(self._slow, e.inefficiency * interval)
        return self._slow

    def runs(self, name, discard):
        """The estimate from each run in the file, as in one_run()."""
        if not self.is_merged:
            series, start, interval = self.settled(name, discard)
            run = one_run(series, start, interval, self.slowest(discard))
            run["few_weights"] = self.first_step is None and bool(few_weights(self.file, self.stage, discard))
            run["reliable"] = run["reliable"] and not run["few_weights"]
            return [run]
        group = self.file[f"averages/{name}/runs"]
        columns = {key: group[key][...].tolist() for key in group}
        return [dict(zip(columns, row)) for row in zip(*columns.values())]

    def arrays(self):
        return last_rows(self.file)

    # ---- identity of runs -----------------------------------------------------------------------

    def state(self):
        return self.state_of(self.stage_number)[1]

    def sampled(self):
        """(where, state) of every averaged stage."""
        every = stages(self.file)
        numbers = [self.stage_number]
        if self.first_step is not None:
            numbers = [k for k, stage in enumerate(every[:self.stage_number + 1])
                       if stage.last is None or stage.last > self.first_step] or numbers
        return [self.state_of(k) for k in numbers]

    def state_of(self, number):
        """(where, state) of a stage."""
        every = stages(self.file)
        label = every[number].label() if number < len(every) else number
        return (self.name if len(every) == 1 else f"{self.name}, stage {label}",
                state(self.file, number))

    def array_states(self):
        """(where, state) of each array, by name."""
        return {a.name: self.state_of(int(a.stage[-1])) for a in read_arrays(self.file)}

    def identities(self):
        """(file name, digests) of each run: digests of the seed and the first rows of each scalar that is
        measured, which do not change when a run continues; of its arrays if there is no scalar."""
        if self.is_merged:
            group = self.file["parameters/merged"]
            return [(as_text(name), set(as_text(text).split())) for name, text in
                    zip(group["file"][...], group["identity"][...])]
        seed = str(parameter(self.file, "seed", "")).encode()
        parts = []
        for name in sorted(set(scalars(self.file)) - prescribed(self.file)):
            group = self.file["observables"][name]
            step, value = group["step"][:FIRST_ROWS], group["value"][:FIRST_ROWS]
            if np.ptp(value) > 0.0:
                parts.append((name, step.astype(np.int64).tobytes() + value.astype(float).tobytes()))
        if not parts:
            parts = [(a.name, a.value[-1].tobytes()) for a in read_arrays(self.file)]
        return [(os.path.basename(self.name), {
            hashlib.sha256(name.encode() + b"\0" + seed + b"\0" + data).hexdigest()[:32]
            for name, data in parts})]


def refuse_same_runs(sources):
    """Throws ResultsError if two files hold one run."""
    known = [source.identities() for source in sources]
    for k, later in enumerate(known):
        for j, earlier in enumerate(known[:k]):
            for run, digests in later:
                if any(digests & others for _, others in earlier):
                    raise ResultsError(
                        f"{sources[j].name} and {sources[k].name} hold the same run, {run} (counted "
                        "twice it makes errors too small); give each run once, with a seed of its "
                        "own")


def refuse_same_rows(sources, names):
    """The same for runs whose seeds or first rows differ: all that they measured is equal in all rows that both
    have."""
    rows = [(s, {n: s.rows(n)[0] for n in names if n not in prescribed(s.file)}) for s in sources if not s.is_merged]
    for k, (source, series) in enumerate(rows):
        for other, earlier in rows[:k]:
            pairs = [(v[:len(earlier[n])], earlier[n][:len(v)]) for n, v in series.items() if n in earlier]
            varying = [(a, b) for a, b in pairs if np.ptp(a) > 0.0 or np.ptp(b) > 0.0]
            if varying and all(np.array_equal(a, b) for a, b in varying):
                raise ResultsError(f"{other.name} and {source.name} hold the same rows (one run counted twice makes "
                                   "errors too small); give each run once, with a seed of its own")


def refuse_other_units(sources, names):
    for source in sources[1:]:
        for name in names:
            here, first = source.unit(name) or "none", sources[0].unit(name) or "none"
            if here != first:
                raise ResultsError(f"{name} has the unit {here} in {source.name} and {first} in "
                                   f"{sources[0].name} (they cannot be averaged); give runs in "
                                   "one system of units")


def different_states(sources, compare=differences, stored="different", what="states"):
    """How the averaged states, or `what` of them, differ, in words; "" if they do not. `compare`: two states;
    `stored`: the name of these words in merged files."""
    for source in sources:
        mixed = parameter(source.file, f"merged/{stored}")
        if mixed:
            return f"{source.name} was merged from different {what}: {mixed}"
    sampled = [one for source in sources for one in source.sampled()]
    arrays = [source.array_states() for source in sources]
    groups = [sampled] + [[one[name] for one in arrays if name in one] for name in arrays[0]]
    for (where, first), *others in groups:
        for other, state_of_other in others:
            found = compare(first, state_of_other)
            if found:
                return f"{where} and {other}: {', '.join(found)}"
    return ""
