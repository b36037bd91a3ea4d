# SPDX-License-Identifier: BSD-3-Clause
"""Runs of one system, each at a temperature and a pressure, and averages of all at others."""
import itertools
import math

import numpy as np

from .canonical import ENERGY, USUAL, CanonicalRun, correlated, has, refuse_other_systems
from .merging import DISAGREE, DOUBT, probability
from .results import ResultsError
from .reweighting import Mixture, NoOverlap

TEMPERATURE_OFF = 0.01  # of the bath's temperature, if it is also four errors
LARGEST = 1e100  # reduced potential, whose square is a number


def in_words(state, boost=()):
    """A state, (temperature,) or (temperature, pressure), and the boost, if it is not empty."""
    words = [f"{name} = {value:.6g}" for name, value in zip("TP", state)]
    if boost:
        words.append(f"{'density' if boost.of_total else 'boost'} {boost.side} {boost.threshold:.6g}")
    return ", ".join(words)


class Reweighting:
    """Runs of one system, the states they sampled and the requested ones."""

    def __init__(self, sources, options):
        runs = [CanonicalRun(source, options.equilibration) for source in sources]
        refuse_other_systems(runs)
        self.runs = sorted(runs, key=self.sampled_by)
        #: Do weights include momenta?
        self.momenta = any(run.of_total() for run in runs)
        #: Sampled states with the boosts of their runs.
        self.sampled = sorted(set(map(self.sampled_by, runs)))
        self.states = self.wanted(options)
        self.names = self.chosen(options.quantity)
        self.mixture = self.mix()
        self.remarks = [*filter(None, [correlated(self.runs), *map(self.temperature_warning, self.runs)])]
        self.disagreement = self.find_disagreement()

    @staticmethod
    def state_of(run):
        return (run.temperature,) if run.pressure is None else (run.temperature, run.pressure)

    @classmethod
    def sampled_by(cls, run):
        return cls.state_of(run), run.boost or ()

    def wanted(self, options):
        """Requested states in their order, by default those of the runs; all without a boost."""
        known = list(dict.fromkeys(state for state, _ in self.sampled))
        if options.pressure and len(known[0]) == 1:
            raise ResultsError("--pressure of runs at constant volume (without a barostat no pressure has "
                               "weights); leave it out, or give runs with a barostat")
        if not options.temperature and not options.pressure:
            return known
        axes = [options.temperature or sorted({s[0] for s in known})]
        if len(known[0]) > 1:
            axes.append(options.pressure or sorted({s[1] for s in known}))
        return list(dict.fromkeys(itertools.product(*axes)))

    def chosen(self, names):
        """The scalars of --quantity, by default the usual ones."""
        for run, name in itertools.product(self.runs, names):
            run.thin(name)
            if not has([run], name) and name == "pressure":
                raise ResultsError(f"pressure of {run.where} cannot be reweighted (the part of momenta is "
                                   "found from temperature and volume, which it does not have); leave it "
                                   "out")
            run.configurational(name, run.temperature, run.pressure)
        if names:
            return list(dict.fromkeys(names))
        return [n for n in USUAL if has(self.runs, n)]

    def reduced(self, state, boost=()):
        return self.reduced_with(self.momenta, state, boost)

    def reduced_with(self, momenta, state, boost=()):
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            found = np.concatenate([run.reduced(*state, *[None] * (2 - len(state)), boost or None, momenta)
                                    for run in self.runs])
        if not np.abs(found).max() < LARGEST:
            raise ResultsError(f"no weights at {in_words(state)} (energies are more than {LARGEST:g} kT there); give "
                               "a state nearer to those of the runs")
        return found

    def free_energy(self, target, state):
        """-ln of the configuration integral of a target at a state over that of the first sampled
        state."""
        found = target.free_energy()
        if self.momenta:
            found.value += 0.5 * self.runs[0].freedom * math.log(state[0] / self.sampled[0][0][0])
        return found

    def mix(self):
        rows = [run.rows(self.sampled.index(self.sampled_by(run))) for run in self.runs]
        try:
            return Mixture([self.reduced(*state) for state in self.sampled], rows)
        except NoOverlap as gap:
            ends = [f"those at {in_words(*self.sampled[group[0]])}" for group in gap.groups]
            raise ResultsError(f"runs do not overlap ({' and '.join(ends)} have no configurations in "
                               "common, so that their weights are unknown); give runs between, or only "
                               "those that overlap") from gap
        except ArithmeticError as error:
            raise ResultsError(f"no weights were found ({error}); give runs of more similar "
                               "states") from error

    def temperature_warning(self, run):
        """A warning if the kinetic temperature is not that of the bath, so that weights are wrong,
        or ""."""
        if "temperature" not in run.source.scalars():
            return ""
        number = self.runs.index(run)
        values = [r.temperatures() if r is run else np.zeros(len(r.step)) for r in self.runs]
        mean, moves = self.mixture.own(number, np.concatenate(values))
        error, _ = self.mixture.error(moves)
        if abs(mean - run.temperature) < max(TEMPERATURE_OFF * run.temperature, 4.0 * error):
            return ""
        return (f"warning: the temperature in {run.name} is {mean:.4g}, that of its bath "
                f"{run.temperature:.6g}: it is not in equilibrium, or its steps are too long")

    def find_disagreement(self):
        """A run whose mean energy disagrees with that of all runs together at its state, in words,
        or ""."""
        for number, run in enumerate(self.runs if len(self.runs) > 1 else []):
            u = self.reduced(*self.sampled_by(run))
            found = self.mixture.at(u).distance_from_run(number, u)
            alone, _ = self.mixture.error(self.mixture.own(number, u)[1])
            if not found.error > 1e-3 * alone:
                continue
            distance = abs(found.value / found.error)
            doubt = DOUBT if found.warning else 1.0
            if probability((distance / doubt)**2, 1) < DISAGREE / len(self.runs):
                return (f"warning: the mean energy of {run.name} is {distance:.1f} errors from that of all "
                        "runs together: one of them is not in equilibrium, or not of this system")
        return ""

    def answers(self):
        return [Answer(self, state) for state in self.states]


class Answer:
    """Averages at a state, by name."""

    def __init__(self, reweighting, state):
        self.state, run = state, reweighting.runs[0]
        boltzmann = run.units.boltzmann
        u = reweighting.reduced(state)
        self.target = reweighting.mixture.at(u)
        self.averages, self.units = {}, {}
        for name in reweighting.names:
            values = [r.configurational(name, *state, *[None] * (2 - len(state))) for r in reweighting.runs]
            self.averages[name] = self.target.mean(np.concatenate(values))
            self.units[name] = run.unit(name)
        heat = self.target.variance(reweighting.reduced_with(False, state))
        heat.value = boltzmann * (heat.value + 0.5 * run.freedom)
        heat.error *= boltzmann
        name = "heat_capacity" if len(state) == 1 else "isobaric_heat_capacity"
        self.averages[name] = heat
        self.units[name] = "k_B" if boltzmann == 1.0 else f"{run.unit(ENERGY)}/K"
        if [(state, ()) for state in reweighting.states] != reweighting.sampled[:1]:
            self.averages["reduced_free_energy"] = reweighting.free_energy(self.target, state)
            self.units["reduced_free_energy"] = "kT"

    def as_dictionary(self):
        return {**dict(zip(("temperature", "pressure"), self.state)),
                "effective_samples": self.target.effective,
                "independent_samples": self.target.independent,
                "averages": {name: {"mean": r.value if r.known else None,
                                    "error": r.error if r.known else None, "unit": self.units[name],
                                    "warning": r.warning} for name, r in self.averages.items()}}
