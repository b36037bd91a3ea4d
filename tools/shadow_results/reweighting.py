# SPDX-License-Identifier: BSD-3-Clause
"""Averages at states that were not simulated, from samples of other states.

Samples of several states are one sample of their mixture (Ferrenberg and Swendsen 1989; without bins:
the multistate Bennett acceptance ratio, Shirts and Chodera 2008). A row counts as 1/g independent
samples, where g is the inefficiency of its run. Errors follow from the influence of each row on a
result, also through the free energies. This is a series (the influence function of an M-estimator),
and the error of its mean within each run is found as for any series, so that correlation in time is
included. For independent rows the errors are those of Shirts and Chodera.
"""
import dataclasses
import math

import numpy as np

from .statistics import estimate

FEWEST_OVERLAP = 0.03   # smallest overlap of neighbouring states (Klimovich, Shirts and Mobley 2015)
SHARE = 0.1             # share of the squared error above which a warning about a run is passed on
#: Limits of Target.support. For means of oscillators (tests/tools/test_mdreweight.py) errors are
#: correct above the first, and may be too small by a half at the second. A free energy needs a
#: tenth of both, a variance ten times as much.
FEW_SUPPORT, FEWEST_SUPPORT = 30.0, 3.0
ALMOST_ALL = 0.85       # of the samples have weight: nothing is missing
ROUNDING = 1e-10        # of a free energy
ROUGH = "the tail of the weights is hardly sampled: its error is probably too small"
UNKNOWN = "no answer (configurations with weight here were hardly sampled); simulate longer, or nearer to this state"


class NoOverlap(ValueError):
    """States that no chain of overlapping states connects; `groups` are their numbers."""

    def __init__(self, groups):
        super().__init__("states do not overlap")
        self.groups = groups


@dataclasses.dataclass
class Rows:
    """Rows of one run, in the order of time, at the state of this number; errors use blocks of at
    least `least` rows."""
    state: int
    count: int
    inefficiency: float = 1.0
    least: float = 0.0


@dataclasses.dataclass
class Result:
    """`known`: False if the weights carry almost no information about the result."""
    value: float
    error: float
    warning: str = ""
    known: bool = True


def log_sum_exp(terms):
    """ln of the sum of exp(terms) over the first axis."""
    largest = terms.max(axis=0)
    return largest + np.log(np.exp(terms - largest).sum(axis=0))


class Mixture:
    """`reduced`: u (states, rows) of all rows at each sampled state, runs one after the other."""

    def __init__(self, reduced, runs):
        self.reduced, self.runs = np.asarray(reduced, dtype=float), runs
        counts = [run.count for run in runs]
        self.bounds = np.concatenate([[0], np.cumsum(counts)])
        self.inefficiency = np.repeat([run.inefficiency for run in runs], counts)
        self.multiplicity = 1.0 / self.inefficiency
        self.size = np.zeros(len(self.reduced))
        for run in runs:
            self.size[run.state] += run.count / run.inefficiency
        self.free_energy = self.start()
        self.solve()
        self.refuse_gaps()

    def start(self):
        """A first estimate from the mean differences of u between neighbouring states."""
        state = np.repeat([run.state for run in self.runs], [run.count for run in self.runs])
        found = np.zeros(len(self.reduced))
        for k in range(1, len(found)):
            step = self.reduced[k] - self.reduced[k - 1]
            found[k] = found[k - 1] + 0.5 * (step[state == k].mean() + step[state == k - 1].mean())
        return found

    def evaluate(self, free_energy):
        """The function that the free energies minimise, and ln of the density of the mixture."""
        log_density = log_sum_exp(np.log(self.size)[:, None] + free_energy[:, None] - self.reduced)
        return float(self.multiplicity @ log_density - self.size @ free_energy), log_density

    def solve(self):
        """Newton's method for a convex function; if none of its steps lowers it, a self-consistent
        iteration."""
        value, self.log_density = self.evaluate(self.free_energy)
        for _ in range(200):
            self.share = np.exp(np.log(self.size)[:, None] + self.free_energy[:, None] - self.reduced -
                                self.log_density)
            expected = self.share @ self.multiplicity
            weighted = self.share * self.multiplicity
            self.inverse = np.linalg.pinv(np.diag(expected) - weighted @ self.share.T, rcond=1e-10,
                                          hermitian=True)
            if np.all(np.abs(expected - self.size) <= 1e-10 * self.size.sum()):
                return
            newton = self.inverse @ (self.size - expected)
            iterate = np.log(self.size / np.maximum(expected, 1e-300))
            for step in (newton, newton / 4, newton / 64, iterate):
                trial = self.free_energy + step - step[0]
                less, log_density = self.evaluate(trial)
                if less <= value + 1e-13 * (abs(value) + self.size.sum()):  # rounding
                    break
            self.free_energy, value, self.log_density = trial, less, log_density
        self.refuse_gaps()
        raise ArithmeticError("the free energies did not converge")

    def overlap(self):
        """O_ij: the probability that a sample of state i is assigned to state j."""
        return (self.share * self.multiplicity) @ self.share.T / self.size[:, None]

    def refuse_gaps(self):
        overlap = self.overlap()
        linked = np.maximum(overlap, overlap.T) >= FEWEST_OVERLAP
        groups, left = [], set(range(len(linked)))
        while left:
            group, new = set(), {min(left)}
            while new:
                group |= new
                new = {j for i in new for j in np.flatnonzero(linked[i])} - group
            groups.append(sorted(int(k) for k in group))
            left -= group
        if len(groups) > 1:
            raise NoOverlap(groups)

    def at(self, reduced):
        """The target state at which the rows have these u."""
        return Target(self, np.asarray(reduced, dtype=float))

    def own(self, number, values):
        """The mean of one run alone, as the influence of each row."""
        moves = np.zeros(self.bounds[-1])
        rows = slice(self.bounds[number], self.bounds[number + 1])
        moves[rows] = (values[rows] - values[rows].mean()) / self.runs[number].count
        return float(values[rows].mean()), moves

    def error(self, moves):
        """The error of a result from the influence of each row, and why it is unreliable, or ""."""
        squares, warnings = [], []
        for run, first, last in zip(self.runs, self.bounds, self.bounds[1:]):
            e = estimate(moves[first:last], 0, run.least)
            squares.append((run.count * max(e.error, e.error_autocorrelation))**2)
            warnings.append(e.warning())
        total = sum(squares)
        said = [w for w, square in zip(warnings, squares) if w and not square < SHARE * total]
        return math.sqrt(total), said[0] if said and total > 0.0 else ""


class Target:
    """A state with the weights of the rows, which add up to one."""

    def __init__(self, mixture, reduced):
        self.mixture = mixture
        exponent = -reduced - mixture.log_density + np.log(mixture.multiplicity)
        log_sum = float(log_sum_exp(exponent))
        self.weight = np.exp(exponent - log_sum)
        self.reduced_free_energy = -log_sum
        #: Kish's (1965) number of rows, and of independent samples.
        self.effective = 1.0 / float(self.weight @ self.weight)
        self.independent = 1.0 / float(self.weight**2 @ mixture.inefficiency)
        self.support = self.find_support(reduced)

    def find_support(self, reduced):
        """The number of independent samples that determine the square of an error, n <w^2>^2 /
        <w^4>, computed as for Gaussian ln w: n (n_eff / n)^4; infinite if nearly all of n have
        weight. It cannot be computed from the sample, which lacks the tail when it matters
        (Chatterjee and Diaconis 2018). Both n and n_eff are those of all states together, or of the
        best one: there ln(n / n_eff) is the variance of ln w, or the sum of the relative entropies
        of both states, whichever is larger."""
        m = self.mixture
        share = np.maximum(m.share @ self.weight, 1e-300)
        n = math.exp(float(share @ np.log(m.size / share)))
        parts = [(n, self.independent / n)]
        for size, own, belongs in zip(m.size, m.reduced, m.share):
            weight, log_weight = belongs * m.multiplicity / size, own - reduced
            mean = float(weight @ log_weight)
            variance = float(weight @ (log_weight - mean)**2)
            entropies = float(self.weight @ log_weight) - mean
            parts.append((size, math.exp(-max(variance, entropies))))
        return max(math.inf if part >= ALMOST_ALL else n * part**4 for n, part in parts)

    def judged(self, value, moves, order):
        """A result with its reliability; `order`: 0 for a free energy, 1 for a mean, 2 for a
        variance."""
        needed = 10.0**(order - 1)
        if self.support < FEWEST_SUPPORT * needed:  # the remaining weights may show no error
            return Result(value, math.inf, UNKNOWN, False)
        error, warning = self.mixture.error(moves)
        if order == 0 and error < ROUNDING:  # for a state relative to itself
            return Result(0.0, 0.0)
        if error > 0.0 and self.support < FEW_SUPPORT * needed:
            return Result(value, error, ROUGH)
        return Result(value, error, warning)

    def moves(self, distance):
        """The influence of each row on a mean; `distance`: values minus the mean."""
        m = self.mixture
        through = m.inverse @ (m.share @ (self.weight * distance))
        return self.weight * distance + m.multiplicity * (through @ m.share)

    def mean(self, values):
        values = np.asarray(values, dtype=float)
        if np.ptp(values) == 0.0:  # whatever the weights
            return Result(float(values[0]), 0.0)
        mean = float(self.weight @ values)
        return self.judged(mean, self.moves(values - mean), 1)

    def variance(self, values):
        """The variance, corrected for the bias from the error of the mean."""
        mean = self.mean(values)
        square = (np.asarray(values, dtype=float) - mean.value)**2
        biased = float(self.weight @ square)
        bias = mean.error**2 if math.isfinite(mean.error) else 0.0
        return self.judged(biased + bias, self.moves(square - biased), 2)

    def free_energy(self, reference=0):
        """-ln of the configuration integral over that of a sampled state."""
        m = self.mixture
        through = m.inverse @ (m.share @ self.weight)
        own = m.inverse[reference]
        moves = -self.weight + m.multiplicity * ((own - through) @ m.share)
        return self.judged(self.reduced_free_energy - float(m.free_energy[reference]), moves, 0)

    def distance_from_run(self, number, values):
        """The distance of the mean from that of one run alone, at the state of the run."""
        values = np.asarray(values, dtype=float)
        mean = float(self.weight @ values)
        own, own_moves = self.mixture.own(number, values)
        return self.judged(mean - own, self.moves(values - mean) - own_moves, 1)
