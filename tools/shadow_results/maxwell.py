# SPDX-License-Identifier: BSD-3-Clause
"""Velocities of a frame against the Maxwell-Boltzmann distribution.

In units of its own thermal velocity, (kT / m)^1/2, each component is a normal variable and the
kinetic energy over kT a gamma variable of shape dimension / 2. The distance is that of Kolmogorov
and Smirnov, the largest difference of the cumulative distributions, and its chance that for
independent particles (Stephens 1970, J. R. Stat. Soc. B 32, 115). kT is taken from the frame, which
slightly improves the agreement, so a small chance is a clear sign.
"""
import dataclasses
import math

import numpy as np

MOST_VALUES = 200_000  # the largest number of particles used; of more, every n-th is taken
SUSPICIOUS = 1e-3

error_function = np.vectorize(math.erf, otypes=[float])


def normal_cdf(u):
    return 0.5 * (1 + error_function(np.asarray(u) / math.sqrt(2)))


def normal_density(u):
    return np.exp(-0.5 * np.asarray(u)**2) / math.sqrt(2 * math.pi)


def energy_cdf(x, dimension):
    """Cumulative distribution of the kinetic energy over kT."""
    x = np.asarray(x, dtype=float)
    if dimension == 2:
        return 1 - np.exp(-x)
    lower = error_function(np.sqrt(x))
    return lower if dimension == 1 else lower - 2 * np.sqrt(x / math.pi) * np.exp(-x)


def energy_density(x, dimension):
    x = np.asarray(x, dtype=float)
    return x**(dimension / 2 - 1) * np.exp(-x) / math.gamma(dimension / 2)


def distance(values, cdf):
    """The largest difference between the cumulative distribution of values and `cdf`."""
    theory = cdf(np.sort(values))
    n = len(theory)
    rank = np.arange(n + 1) / n
    return float(max(np.max(rank[1:] - theory), np.max(theory - rank[:-1])))


def chance(d, n):
    """The probability that n independent values are at this distance or farther."""
    x = d * (math.sqrt(n) + 0.12 + 0.11 / math.sqrt(n))
    if x < 0.2:
        return 1.0
    series = 2 * sum((-1)**(k - 1) * math.exp(-2 * k * k * x * x) for k in range(1, 101))
    return min(1.0, max(0.0, series))


@dataclasses.dataclass
class Comparison:
    """One quantity: the sample, the theory and the distance between them."""
    name: str
    values: np.ndarray
    density: object
    distance: float
    chance: float

    def agrees(self):
        return self.chance >= SUSPICIOUS

    def histogram(self):
        """Centres of bins, densities of the sample and their standard errors."""
        n = len(self.values)
        bins = int(np.clip(2 * n**(1 / 3), 8, 80))
        low, high = self.values.min(), self.values.max()
        if low >= 0:
            low = 0.0
        count, edges = np.histogram(self.values, bins=bins, range=(low, high))
        width = edges[1] - edges[0]
        middle = 0.5 * (edges[1:] + edges[:-1])
        return middle, count / (n * width), np.sqrt(count) / (n * width)


def compare(frame):
    """Comparisons of the kinetic energy and of each direction of the velocities of a frame, and kT,
    an energy. Nothing if there are no velocities, fewer than two particles, or no motion."""
    velocity = frame.field.get("velocity")
    if velocity is None or len(velocity) < 2:
        return [], 0.0
    every = -(-len(velocity) // MOST_VALUES)
    scaled = np.asarray(velocity[::every], dtype=float) * np.sqrt(frame.inertia[::every])[:, None]
    kT = float(np.mean(scaled**2))
    if not (kT > 0 and math.isfinite(kT)):
        return [], 0.0
    u = scaled / math.sqrt(kT)
    dimension = u.shape[1]
    parts = [("kinetic energy", 0.5 * np.sum(u * u, axis=1),
              lambda x: energy_cdf(x, dimension), lambda x: energy_density(x, dimension))]
    parts += [(f"velocity along {'xyz'[d]}", u[:, d], normal_cdf, normal_density)
              for d in range(dimension)]
    found = []
    for name, values, cdf, density in parts:
        d = distance(values, cdf)
        found.append(Comparison(name, values, density, d, chance(d, len(values))))
    return found, kT


def curve(velocity, populations, kT):
    """Density of one component of the velocity; populations: (mass, share of the particles)."""
    found = np.zeros(len(velocity))
    for mass, share in populations:
        width = math.sqrt(kT / mass)
        found += share / width * normal_density(velocity / width)
    return found


def temperatures(frame):
    """kT, an energy, of each direction and of each species, with its standard error: name, value,
    error."""
    energy = frame.inertia[:, None] * np.asarray(frame.field["velocity"], dtype=float)**2
    rows = [(f"along {'xyz'[d]}", energy[:, d]) for d in range(energy.shape[1])]
    kinds = np.unique(frame.species)
    if len(kinds) > 1:
        rows += [(int(k), energy[frame.species == k].ravel()) for k in kinds]
    return [(name, float(e.mean()), float(e.mean() * math.sqrt(2 / len(e)))) for name, e in rows]
