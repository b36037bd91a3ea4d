# SPDX-License-Identifier: BSD-3-Clause
"""Merges averages of independent runs, and tests whether the runs agree."""
import dataclasses
import math

import numpy as np

from .results import ResultsError, read_arrays
from .statistics import ENOUGH_SAMPLES


def probability(chi2, freedom):
    """The probability of a chi^2 at least this large (Wilson and Hilferty 1931; accurate to 1 %
    above P = 0.001)."""
    if freedom <= 0:
        return 1.0
    width = 2.0 / (9.0 * freedom)
    z = ((chi2 / freedom)**(1.0 / 3.0) - (1.0 - width)) / math.sqrt(width)
    return 0.5 * math.erfc(z / math.sqrt(2.0))


DISAGREE = 1e-3  # P of runs that disagree
DOUBT = 5.0      # an error from too few samples may be too small by this factor


def disagree(chi2, freedom, reliable):
    """Do the runs certainly disagree, even if the errors are uncertain?"""
    return probability(chi2 if reliable else chi2 / DOUBT**2, freedom) < DISAGREE


def too_few(differ, error):
    """The warning if a run has too few samples; `differ`: runs differ by more than their errors."""
    if differ:
        return ("runs differ by more than their errors; too few independent samples in a run: "
                "it cannot be decided whether the runs or the errors are wrong; run longer")
    return f"too few independent samples in a run: {error} probably too small"


@dataclasses.dataclass
class Agreement:
    """chi^2 of the runs about their common mean, and its degrees of freedom."""
    chi2: float
    freedom: float

    @property
    def probability(self):
        return probability(self.chi2, self.freedom)


@dataclasses.dataclass
class MergedArray:
    """One array of all runs: value and standard error have the shape of its axes."""
    name: str
    unit: str
    axes: list
    value: np.ndarray
    error: np.ndarray
    samples: list  # of each run
    agreement: Agreement | None
    reliable: bool  # whether every run has enough samples for its errors
    baths: str = ""  # how the baths differ, if the array depends on time

    def runs_disagree(self):
        return self.agreement is not None and disagree(self.agreement.chi2, self.agreement.freedom,
                                                       self.reliable)

    def warning(self):
        """What is wrong with it, or ""."""
        if self.baths:
            return f"it depends on how the bath acts, and the baths of the runs differ: {self.baths}"
        if self.runs_disagree():
            return "runs disagree by more than their errors"
        if not self.reliable:
            return too_few(self.agreement is not None and self.agreement.probability < DISAGREE, "its errors are")
        return ""


def squares(value, error):
    """Along the first axis (runs): distances from the common mean in standard errors, whose squares
    add up to chi^2."""
    weight = error**-2
    return (value - (weight * value).sum(axis=0) / weight.sum(axis=0)) / error


def independent_share(distance):
    """The fraction of the bins that is independent: correlated neighbours along the last axis count
    as one. `distance`: (series, bins). The sum of squares of a Gaussian series with correlations
    rho_k varies as that of n / (1 + 2 sum rho_k^2) independent numbers."""
    bins = distance.shape[-1]
    power = float((distance**2).sum()) / distance.size
    if bins < 2 or power == 0.0:
        return 1.0
    total = 1.0
    for k in range(1, bins):
        pairs = distance[:, :-k] * distance[:, k:]
        rho = float(pairs.mean()) / power
        if rho < 2.0 / math.sqrt(pairs.size):  # only noise from here on
            break
        total += 2.0 * min(rho, 1.0)**2 * (1.0 - k / bins)
    return max(1.0 / total, 1.0 / bins)


def agreement(value, error, usable):
    """The agreement of arrays (runs, bins...) in the bins that are usable in all runs; None if
    there is none."""
    runs, bins = len(value), value.shape[-1] if value.ndim > 1 else 1
    value, error = value.reshape(runs, -1, bins), error.reshape(runs, -1, bins)
    usable = usable.reshape(-1, bins)
    if not usable.any():
        return None
    distance = np.zeros(value.shape)
    distance[:, usable] = squares(value[:, usable], error[:, usable])
    # A bin that is not usable is not counted, and separates its neighbours.
    share = independent_share(distance.reshape(-1, bins))
    chi2 = float((distance**2).sum())
    return Agreement(chi2 * share, (runs - 1) * int(usable.sum()) * share)


def usable_bins(rows):
    """Bins in which every run has a value with a reliable error: the run must contain enough
    windows of a lag."""
    array = rows[0].array
    usable = np.ones(array.value.shape[1:], dtype=bool)
    for row in rows:
        usable &= np.isfinite(row.value) & np.isfinite(row.error) & (row.error > 0)
        if array.axes and array.axes[-1].name == "lag" and row.time > 0:
            usable &= array.axes[-1].values * ENOUGH_SAMPLES <= row.time
    return usable


@dataclasses.dataclass
class Row:
    """An array of one run, from its last stage, of duration `time`."""
    file: str
    array: object
    time: float

    def __post_init__(self):
        self.value, self.error = self.array.value[-1], self.array.error[-1]
        self.samples = int(self.array.samples[-1])


def last_rows(file):
    """The rows of the last stage, by name."""
    rows = {}
    for array in read_arrays(file):
        times = np.concatenate([[0.0], array.time])
        rows[array.name] = Row(file.filename, array, float(times[-1] - times[-2]))
    return rows


def refuse_different(rows):
    """Throws ResultsError unless all rows are the same function, from different runs."""
    first = rows[0]
    for k, row in enumerate(rows):
        for other in rows[:k]:
            if np.array_equal(row.value, other.value, equal_nan=True) and \
                    len(np.unique(row.value[np.isfinite(row.value)])) > 1:
                raise ResultsError(f"{other.file} and {row.file} hold the same {row.array.name} "
                                   "(one run counted twice makes errors too small); give each run "
                                   "once, with a seed of its own")
        same = len(row.array.axes) == len(first.array.axes) and all(
            a.name == b.name and np.array_equal(a.values, b.values)
            for a, b in zip(row.array.axes, first.array.axes))
        if not same or row.array.unit != first.array.unit:
            raise ResultsError(f"{row.array.name} has other axes or units in {row.file} than in "
                               f"{first.file} (bin by bin they cannot be merged); give runs of "
                               "one input")


def merge_arrays(rows):
    """The mean over all samples of all runs: each run is weighted by its samples in each bin where
    it has a value; the error follows from the runs' errors. For an array that is not a mean, such
    as a ratio of means, it is the mean of the runs' results."""
    refuse_different(rows)
    value, error = np.array([r.value for r in rows]), np.array([r.error for r in rows])
    empty = (value == 0.0) & np.isinf(error)  # bins of a distribution in which a run has no row
    error = np.where(empty & ~empty.all(axis=0), 0.0, error)
    samples = np.array([float(r.samples) for r in rows])
    weight = np.where(np.isfinite(value), samples.reshape(-1, *[1] * (value.ndim - 1)), 0.0)
    total = weight.sum(axis=0)
    known = total > 0
    share = weight / np.where(known, total, 1.0)
    mean = np.where(known, (share * np.where(share > 0, value, 0.0)).sum(axis=0), np.nan)
    spread = np.sqrt(((share * np.where(share > 0, error, 0.0))**2).sum(axis=0))
    array = rows[0].array
    return MergedArray(array.name, array.unit, array.axes, mean, np.where(known, spread, np.inf),
                       [r.samples for r in rows], agreement(value, error, usable_bins(rows)),
                       min(samples) >= ENOUGH_SAMPLES)
