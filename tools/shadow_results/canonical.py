# SPDX-License-Identifier: BSD-3-Clause
"""Samples of runs at constant temperature for reweighting: energies, volumes and other scalars of
the rows in equilibrium, without the part of momenta, whose averages are known."""
import math

import numpy as np

from .analysis import (BOOST_ENERGY, STEP_LENGTH, changes_until, discarded, interval, row_weights,
                       stage_series)
from .results import Frame, ResultsError, frames, nearest, particles, units_of
from .reweighting import Rows
from .sources import refuse_same_rows, refuse_same_runs
from .stages import facts, read_input
from .states import barostat_of, boost_of, differences
from .statistics import SLOW, equilibration, estimate

ENERGY, TOTAL, VOLUME = "potential_energy", "total_energy", "volume"
#: Scalars that also depend on momenta, in ways that are not separated.
MOMENTA = ("temperature", "conserved_energy", "shadow_energy", "kinetic_energy_excess",
           "velocity_excess", "molecular_pressure", "stress", "heat_flux", "nose_", "momentum")
#: Averaged by default.
USUAL = (ENERGY, "pressure", VOLUME, "density", "enthalpy")
CORRELATED = 5.0  # standard deviations for a correlation between two runs


class CanonicalRun:
    """A stage of a run: temperature of its bath, pressure of its barostat (None: constant volume), its
    boost (None: it has none), and scalars of the rows `step` in equilibrium. `rows`: how many to
    discard; None: from the input, else detected."""

    def __init__(self, source, rows=None):
        if source.is_merged:
            raise ResultsError(f"{source.name} holds averages over runs (reweighting needs the rows); "
                               "give the runs themselves")
        self.source, self.file, self.name = source, source.file, source.name
        found = facts(self.file, source.stage_number)
        self.ensemble, self.temperature = found.ensemble, found.temperature
        self.freedom, self.units = found.degrees_of_freedom, units_of(self.file)
        self.pressure = barostat_of(self.file, source.stage_number).get("pressure")
        self.boost = boost_of(self.file, source.stage_number)
        self.where = f"stage {source.stage.label()} of {self.name}"
        if self.ensemble[:3] not in ("NVT", "NPT") or not self.temperature > 0.0:
            raise ResultsError(f"{self.where} has no bath that samples a temperature (it is "
                               f"{self.ensemble.split(',')[0] or 'no ensemble'}; weights are those of "
                               "Boltzmann); choose a stage at constant temperature with --stage")
        if self.ensemble.startswith("NPT") and self.pressure is None:
            raise ResultsError(f"{self.name} does not give the pressure of its barostat (weights have "
                               "the work P V); run it again")
        energy = self.series(ENERGY)
        if STEP_LENGTH in self.source.scalars() and row_weights(self.file, energy, source.stage) is not None \
                and not self.boost:
            raise ResultsError(f"{self.where} has steps with lengths of their own (its rows do not have equal weights, "
                               "which reweighting needs); use a method with equal steps, "
                               "such as nose-poincare")
        self.step, self.time = energy.step, energy.time
        self.keep(energy, self.settled(energy, rows))
        self.independent, self.slow = self.correlation()

    def series(self, name):
        """The series `name` of the stage; an error if there is none."""
        if name not in self.source.scalars():
            raise ResultsError(f"{name}: not in {self.where} (no scalar of this name was recorded); "
                               f"{nearest(name, self.source.scalars())}"
                               + (', or observe type = "thermo"' if name == ENERGY else ""))
        return stage_series(self.file, name, self.source.stage)

    def settled(self, energy, rows):
        """Rows of the energy to discard."""
        stage = self.source.stage
        step, time = changes_until(self.file, self.source.stage_number)
        changing = int(np.sum((energy.step < stage.first + step) | (energy.time < time)))
        if rows is None:
            rows = discarded(energy, stage)
        if rows is None:
            names = (*SLOW, VOLUME, *([BOOST_ENERGY] if self.boost else []))
            rest = [self.series(n) for n in names if n in self.source.scalars()]
            first = max(self.settled_step(s, min(changing, len(s.step) - 1)) for s in rest)
            rows = int(np.sum(energy.step < first))
        if len(energy.step) - max(rows, changing) < 2:
            why = (f"its bath or a field changes for {changing} of them" if changing > rows else
                   f"{rows} at its start are discarded")
            raise ResultsError(f"{self.where} has {len(energy.step)} rows, too few ({why}); run longer"
                               + ("" if changing > rows else ", or discard fewer"))
        return max(rows, changing)

    def settled_step(self, series, changing):
        """The first step of a series in equilibrium, after `changing` rows."""
        values, weights = series.value[:, 0], row_weights(self.file, series, self.source.stage)
        weights = None if weights is None else weights[changing:]
        values = values[-(len(series.step) - changing):]
        return series.step[changing + min(equilibration(values, weights), len(values) - 1)]

    def keep(self, energy, rows):
        self.discarded = rows
        self.step, self.time = energy.step[rows:], energy.time[rows:]

    def values(self, name):
        """Values of a scalar at the rows."""
        series = self.series(name)
        at = np.searchsorted(series.step, self.step)
        at = np.minimum(at, len(series.step) - 1)
        if not np.array_equal(series.step[at], self.step):
            raise ResultsError(f"{name} has no value at some rows of {self.where} (it was measured at "
                               "other steps); use the same every for all that is averaged, or "
                               "leave it out")
        found = series.value[at, 0]
        if not np.isfinite(found).all():
            raise ResultsError(f"{name} of {self.where} is not finite in some rows (the run failed); "
                               "give a run without failure")
        return found

    def thin(self, name):
        """Drops rows at which `name` was not measured."""
        chosen = np.isin(self.step, self.series(name).step)
        if chosen.sum() < 2:
            raise ResultsError(f"{name} and {ENERGY} have {chosen.sum()} steps in common in {self.where} "
                               "(both are needed at one time); use the same every for both")
        self.step, self.time = self.step[chosen], self.time[chosen]

    def inefficiencies(self, names):
        """Statistical inefficiencies, in steps, of scalars measured at all rows."""
        found = [estimate(self.values(n), 0) for n in names if n in self.source.scalars() and
                 np.isin(self.step, self.series(n).step).all()]
        return [e.inefficiency * interval(self.step) for e in found]

    def correlation(self):
        """Steps between independent configurations, and the correlation time in steps."""
        total = (TOTAL,) if self.of_total() else ()
        return max(self.inefficiencies((ENERGY, VOLUME, *total))), \
            max(self.inefficiencies((*SLOW, VOLUME, *total)))

    def rows(self, state):
        """The rows as those of the state of this number."""
        every = interval(self.step)
        return Rows(state, len(self.step), self.inefficiency(), 2.0 * self.slow / every)

    def inefficiency(self):
        """Statistical inefficiency: rows per independent sample."""
        return max(1.0, self.independent / interval(self.step))

    def of_total(self):
        """Did the run sample a density of the total energy, in which momenta are not separate?"""
        return self.boost is not None and self.boost.of_total

    def temperatures(self):
        """Temperatures of the rows, whose mean is that of the bath; with a density from its slope
        at the rows."""
        found = self.values("temperature")
        if not self.of_total():
            return found
        return found * self.boost.slope(self.values(TOTAL), self.units.boltzmann * self.temperature)

    def dimension(self):
        return read_input(self.file).get("system", {}).get("dimension") or Frame(self.file, -1).dimension

    def volume(self):
        """The volume of each row, or one number; None if the box is open or not in the file."""
        if self.pressure is not None:
            return self.values(VOLUME)
        if not frames(self.file):
            return None
        last = self.source.stage.last
        inside = np.flatnonzero(particles(self.file)["position/step"][...] <=
                                (np.inf if last is None else last))
        length = Frame(self.file, int(inside[-1]) if len(inside) else -1).length
        return float(np.prod(length)) if np.all(length > 0.0) else None

    def work_factor(self):
        """The energy of one unit of pressure times volume."""
        return 1.0 / self.units.pressures if self.dimension() == 3 else 1.0

    def reduced(self, temperature, pressure, boost=None, momenta=False):
        """u = (U + P V) / kT of each row; at constant volume without the second term; `momenta`:
        with the kinetic energy. A boost is applied to U, or to the whole energy."""
        work = pressure * self.work_factor() * self.values(VOLUME) if pressure is not None else 0.0
        kT = self.units.boltzmann * temperature
        energy = self.values(TOTAL if momenta else ENERGY)
        if boost:
            energy = energy + boost.energy(self.values(TOTAL if boost.of_total else ENERGY), kT)
        return (energy + work) / kT

    def unit(self, name):
        return self.source.unit(name)

    def configurational(self, name, temperature, pressure):
        """The rows of a scalar, with the contribution of momenta replaced by its mean at a
        temperature."""
        kinetic = 0.5 * self.freedom * self.units.boltzmann * temperature
        if name == "kinetic_energy":
            return np.full(len(self.step), kinetic)
        if name == "total_energy":
            return self.values(ENERGY) + kinetic
        if name == "enthalpy":
            return self.values(ENERGY) + kinetic + pressure * self.work_factor() * self.values(VOLUME)
        if name == "pressure":
            per_volume = self.freedom * self.units.boltzmann / (self.dimension() * self.work_factor()
                                                                * self.volume())
            return self.values(name) + per_volume * (temperature - self.values("temperature"))
        if name.startswith(MOMENTA):
            raise ResultsError(f"{name} is not reweighted (it depends on momenta, and weights are those "
                               "of configurations); leave it out")
        return self.values(name)


def has(runs, name):
    """Do all runs have the scalar, in a form that can be reweighted?"""
    if not all(name in run.source.scalars() for run in runs):
        return False
    return name != "pressure" or all("temperature" in run.source.scalars() and
                                     run.volume() is not None for run in runs)


def refuse_other_systems(runs):
    """Throws ResultsError unless all runs are of one system, each once, and differ in temperature
    and pressure only."""
    refuse_same_runs([run.source for run in runs])
    refuse_same_rows([run.source for run in runs], [ENERGY])
    first = runs[0].source.state()
    for run in runs[1:]:
        state = run.source.state()
        wanted = set(first) - {"bath_temperature", "pressure"}
        found = differences({name: first[name] for name in wanted}, state)
        if found:
            raise ResultsError(f"{runs[0].name} and {run.name} are of different systems "
                               f"({', '.join(found)}; only temperature and pressure may differ); give "
                               "runs of one system")


def correlated(runs):
    """Two runs whose energies are correlated, in words; "" if there are none. Runs with one seed
    have the same noise, which a stiff system follows."""
    for k, run in enumerate(runs):
        for other in runs[:k]:
            common, here, there = np.intersect1d(run.step, other.step, return_indices=True)
            a, b = run.values(ENERGY)[here], other.values(ENERGY)[there]
            if len(common) < 16 or not (np.ptp(a) > 0.0 and np.ptp(b) > 0.0):
                continue
            inefficiency = math.sqrt(run.inefficiency() * other.inefficiency())
            if abs(np.corrcoef(a, b)[0, 1]) * math.sqrt(len(common) / inefficiency) > CORRELATED:
                return (f"warning: the energies of {other.name} and {run.name} move together: errors are "
                        "too small; give each run a seed of its own")
    return ""
