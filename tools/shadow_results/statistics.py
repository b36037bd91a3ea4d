# SPDX-License-Identifier: BSD-3-Clause
"""Errors of means of correlated series, equilibration at their start, and drifts.

The rules are those of the engine (src/statistics), so the numbers are those of its summary, apart
from rounding: a series is divided into at most 4096 blocks; the error is that of the smallest block
length B with B^3 > 2 n (error_B / error_1)^4 (Flyvbjerg and Petersen 1989; Lee, Conduit, Nemec,
López Ríos and Drummond 2011); a second error uses the integrated autocorrelation time (Wolff 2004);
the discarded start maximises the number of independent samples of the rest (Chodera 2016).
"""
import dataclasses
import math

import numpy as np

CAPACITY = 4096         # blocks of a series
COARSE = 512            # blocks in which equilibration is searched
DRIFT_CAPACITY = 256
SMALLEST = 1e-290       # smallest variance: parts of smaller ones underflow
ENOUGH_SAMPLES = 50.0
MIN_SETTLED = 150.0     # independent samples in the rest from which its own errors are right
FEWEST_BLOCKS = 8
SLOW = ("temperature", "potential_energy")  # quantities that show the slow motion of a system
TOO_FEW = "too few independent samples: the error is probably too small"


@dataclasses.dataclass
class Estimate:
    """The estimate of the mean of a series, without `discarded` rows at its start."""
    samples: int = 0
    discarded: int = 0
    mean: float = 0.0
    error: float = math.inf                 # by blocking
    error_autocorrelation: float = math.inf
    error_uncertainty: float = 0.0          # approximate relative uncertainty of the ratio of both errors
    inefficiency: float = 1.0               # rows per independent sample
    independent_samples: float = 0.0
    plateau: bool = False

    def warning(self):
        """Why the estimate is unreliable, or ""."""
        if self.samples < 2:
            return "too few samples for an error"
        enough = self.error == 0 or min(self.independent_samples, self.samples) >= ENOUGH_SAMPLES
        if not enough:
            return TOO_FEW
        if not self.plateau:
            return "its error still grows with the length of blocks: it is probably too small"
        if self.error > 0 and self.error_autocorrelation > 0:
            ratio = self.error_autocorrelation / self.error
            if abs(math.log(ratio)) >= 0.25 + 3 * self.error_uncertainty:
                return (f"the errors by blocking and by autocorrelation time differ by a factor of "
                        f"{max(ratio, 1 / ratio):.2g}: trust neither")
        if self.discarded > self.samples:
            share = 100 * self.discarded / (self.discarded + self.samples)
            return (f"not in equilibrium for the first {share:.0f}% of the samples: the rest may "
                    "not be, either")
        return ""


def block_length(count, capacity):
    """Block length, doubled whenever `capacity` blocks are full."""
    length = 1
    while count // length >= capacity:
        length *= 2
    return length


def block_means(values, length):
    full = len(values) // length
    return values[:full * length].reshape(full, length).mean(axis=1)


def blocking_level(squared, single, length, samples, least=0.0):
    """The number k of the block length `length` 2^k, not below `least`, at which squared errors no
    longer grow, and whether there is one; otherwise that of the largest error. Needs at least 8
    blocks."""
    largest = 0
    for k, error in enumerate(squared):
        block = length * 2.0**k
        if samples < FEWEST_BLOCKS * block:
            break
        if block >= least and block**3 > 2.0 * samples * (error / single)**2:
            return k, True
        if error > squared[largest]:
            largest = k
    return largest, False


def squared_error(values):
    """Squared error of the mean, as if values were independent."""
    return float(np.var(values)) / (len(values) - 1)


def squared_errors(values):
    """Squared errors at block lengths 1, 2, 4, ..."""
    errors = []
    while len(values) >= 2:
        errors.append(squared_error(values))
        values = block_means(values, 2)
    return errors


def autocorrelation_error(values, least=0.0):
    """Squared error of the mean from the integrated autocorrelation time, its relative uncertainty,
    and whether the window, not shorter than `least`, closed."""
    n = len(values)
    distance = values - values.mean()
    variance = float(distance @ distance) / n
    if not variance > 0:
        return 0.0, 0.0, True
    total, window, closed = variance, 0, False
    while not closed and window < n // 2:
        window += 1
        total += 2.0 * float(distance[:-window] @ distance[window:]) / (n - window)
        g = max(total / variance, 1 / 3)
        a = abs((g - 1) / (g + 1))
        decay = -1.5 / math.log(a) if a > 0 else 0.0
        beyond = math.exp(-window / decay) if decay > 0 else 0.0
        closed = window >= least and beyond - decay / math.sqrt(window * n) < 0
    width = 2.0 * window + 1
    inefficiency = max(total / variance, 1 / n)
    return variance * inefficiency / n * (1 + width / n), math.sqrt(2 * width / n), closed


@dataclasses.dataclass
class Start:
    """The rows at the start of a series to discard, and the number before its `arrival`, after
    which it may be in equilibrium."""
    discard: int
    arrival: int


def settled_estimate(series, start, least=0.0):
    """The estimate without the start. If fewer than 150 independent samples remain, those that
    fluctuate least may have been chosen by chance: errors are then at least those of all rows since
    `arrival`, scaled to the number that remains. series(n): the values, whose plain mean from row n
    on is the weighted one."""
    rest = estimate(series(start.discard), start.discard, least)
    if rest.discarded > start.arrival and rest.independent_samples < MIN_SETTLED:
        widen(rest, estimate(series(start.arrival), start.arrival, least))
    return rest


def widen(rest, whole):
    """Makes the errors of `rest` at least those of `whole` for as many rows."""
    if not rest.error > 0:
        return
    scale = math.sqrt(whole.samples / rest.samples)
    larger = max(rest.error, scale * whole.error)
    rest.error_autocorrelation = max(rest.error_autocorrelation, scale * whole.error_autocorrelation)
    rest.error_uncertainty = max(rest.error_uncertainty, whole.error_uncertainty)
    if larger > rest.error and math.isfinite(rest.error):
        rest.inefficiency *= (larger / rest.error)**2
    rest.error = larger
    rest.independent_samples = rest.samples / rest.inefficiency


def estimate(values, discard=None, least=0.0):
    """The estimate of the mean of a series (rows); `discard` rows are left out, rounded up to whole
    blocks, by default those of equilibration(). Blocks and windows are at least `least` rows
    long."""
    values = np.asarray(values, dtype=float)
    if discard is None:
        return settled_estimate(lambda _: values, find_start(values), least)
    length = block_length(len(values), CAPACITY)
    first = min(-(-discard // length), len(values) // length) * length
    rest = values[first:]
    n = len(rest)
    result = Estimate(samples=n, discarded=first, independent_samples=float(n))
    if n == 0:
        return result
    result.mean = float(rest.mean())
    if n < 2:
        return result
    variance = float(np.var(rest, ddof=1))
    # A constant has no error, however few its values; nor has a series whose deviations underflow
    # when squared.
    if np.ptp(rest) == 0 or variance < SMALLEST:
        result.error = result.error_autocorrelation = 0.0
        result.plateau = True
        return result
    blocks = block_means(rest, length)
    if len(blocks) < 2:
        return result
    errors = squared_errors(blocks)
    closed = len(blocks) * length
    level, result.plateau = blocking_level(errors, variance / closed, length, closed, least)
    squared, uncertainty, window_closed = autocorrelation_error(blocks, least / length)
    result.plateau = result.plateau and window_closed
    covered = closed / n
    result.error = math.sqrt(errors[level] * covered)
    result.error_autocorrelation = math.sqrt(squared * covered)
    left = len(blocks) >> level
    result.error_uncertainty = 0.5 * math.hypot(math.sqrt(2 / max(1, left - 1)), uncertainty)
    result.inefficiency = max(result.error**2 * n / variance, 1 / n)
    result.independent_samples = n / result.inefficiency
    return result


def linearised(mean, weight):
    """Block means as a series whose plain mean is the weighted one."""
    if not weight.sum() > 0:
        return np.full(len(mean), float(mean.mean()))
    total = float(mean @ weight) / weight.sum()
    return total + weight * len(weight) / weight.sum() * (mean - total)


def weighted_blocks(values, weight, starts):
    """Weights, means and sums of squares of the rows from each start to the next; zeros if no row
    has a weight."""
    sums = [np.add.reduceat(weight * values**power, starts) for power in range(3)]
    return sums[0], sums[1] / np.where(sums[0] > 0, sums[0], 1.0), sums[2]


def equilibration(values, weight=None):
    """The rows at the start to discard; see find_start()."""
    return find_start(values, weight).discard


def find_start(values, weight=None):
    """The start of a series: rows to discard, in whole blocks, fewer than nine tenths of at most 512 blocks;
    none of fewer than 16. Discarded are the rows before the series is first within three standard
    deviations of its later half (its arrival), and those whose removal maximises the number of independent
    samples of the rest, if the gain exceeds the standard error of the estimate. Rows may have
    weights."""
    values = np.asarray(values, dtype=float)
    length = block_length(len(values), CAPACITY)
    while -(-len(values) // length) >= COARSE:
        length *= 2
    starts = np.arange(0, len(values), length)
    if len(starts) < 16 or np.ptp(values) == 0:
        return Start(0, 0)
    weight = np.ones(len(values)) if weight is None else np.asarray(weight, dtype=float)
    mass, mean, square = weighted_blocks(values - values.mean(), weight, starts)
    # Moments of the rest after each block.
    left, total, squares = (np.cumsum(x[::-1])[::-1] for x in (mass, mass * mean, square))
    left = np.where(left > 0, left, 1.0)
    centre = total / left
    variance = np.maximum(squares / left - centre**2, 0.0)
    half = len(starts) // 2
    near = np.abs(mean - centre[half]) <= 3 * math.sqrt(variance[half])
    first = min(int(np.argmax(near)) if near.any() else len(starts), (len(starts) + 1) // 2)
    best, most, start = first, 0.0, first
    while 10 * start < 9 * len(starts):
        rest = linearised(mean[start:], mass[start:])
        squared, uncertainty, _ = autocorrelation_error(rest)
        squared = max(squared, squared_error(rest))
        worth = variance[start] / squared if squared > 0 else len(values) - starts[start]
        if start == first:
            most = worth * (1 + uncertainty)
        elif worth > most:
            most, best = worth, start
        start += max(1, start // 16)
    return Start(int(best * length), int(first * length))


@dataclasses.dataclass
class Drift:
    """The straight line through a series."""
    slope: float = 0.0
    error: float = math.inf
    fluctuation: float = 0.0  # root mean square distance from the line
    at_mean: tuple = (0.0, 0.0)  # mean time and value, a point of the line


def slope_squared_error(time, value):
    """Squared error of the slope, as if residuals were independent."""
    t, v = time - time.mean(), value - value.mean()
    tt = float(t @ t)
    if not tt > 0:
        return math.inf
    residual = v - float(t @ v) / tt * t
    return float(residual @ residual) / ((len(t) - 2) * tt)


def drift(time, value):
    """A least-squares line through all rows; its error is that of at most 256 block averages,
    blocked further until their residuals are independent."""
    result = Drift(at_mean=(float(time.mean()), float(value.mean())))
    t, v = time - time.mean(), value - value.mean()
    tt = float(t @ t)
    if not tt > 0:
        return result
    result.slope = float(t @ v) / tt
    result.fluctuation = math.sqrt(max(0.0, float(v @ v) - result.slope * float(t @ v)) / len(v))
    length = block_length(len(v), DRIFT_CAPACITY)
    t, v = block_means(t, length), block_means(v, length)
    blocks, errors = len(t), []
    while len(t) >= 3:
        errors.append(slope_squared_error(t, v))
        t, v = block_means(t, 2), block_means(v, 2)
    if not errors:
        return result
    level = blocking_level(errors, errors[0], 1.0, blocks)[0] if errors[0] > 0 else 0
    result.error = math.sqrt(errors[level])
    return result
