# SPDX-License-Identifier: BSD-3-Clause
"""Neighbours of particles and their bond order, from one frame."""
import itertools

import numpy as np

from .results import ResultsError


def with_images(position, radius, edges):
    """Positions, then those of images up to `radius` away from all of them, and the particle of
    each."""
    length, low, high = np.diag(edges), position.min(axis=0) - radius, position.max(axis=0) + radius
    places, particle = [position], [np.arange(len(position))]
    for images in itertools.product(*(range(-2, 3) if a > 0 else (0,) for a in length)):
        if any(images):
            seen = position + np.array(images) @ edges
            near = np.flatnonzero(np.all((seen > low) & (seen < high), axis=1))
            places.append(seen[near])
            particle.append(near)
    return np.concatenate(places), np.concatenate(particle)


def neighbour_vectors(position, radius, length, tilt=None):
    """All pairs closer than `radius`, from both sides: i, j and the vectors x_j - x_i. Uses cells,
    so the time is proportional to the number of particles; a periodic length must exceed 2 radius.
    `tilt`: off-diagonal components of the edges of the box."""
    position = np.asarray(position, dtype=float)
    periodic = length > 0
    if np.any(length[periodic] < 2 * radius):
        raise ResultsError(f"radius {radius:g} in a periodic box of {length[periodic].min():g} (it "
                           "would reach its own image); give a smaller --radius")
    if tilt is not None and np.any(tilt):
        places, particle = with_images(position, radius, np.diag(length) + tilt)
        i, j, d = neighbour_vectors(places, radius, np.zeros(len(length)))
        own = i < len(position)
        return i[own], particle[j[own]], d[own]
    low = np.where(periodic, 0.0, position.min(axis=0))
    extent = np.where(periodic, length, np.ptp(position, axis=0) + radius)
    cells = np.clip(extent / radius, 1, 1e6).astype(int)  # their product fits 64 bits
    wrapped = np.where(periodic, position % np.where(periodic, length, 1.0), position - low)
    cell = np.clip((wrapped / extent * cells).astype(int), 0, cells - 1)
    flat = np.ravel_multi_index(cell.T, cells)
    order = np.argsort(flat, kind="stable")
    occupied = flat[order]
    found = []
    # A cell that is a neighbour on both sides is counted once.
    steps = [(0,) if n == 1 else (0, 1) if n == 2 and p else (-1, 0, 1)
             for n, p in zip(cells, periodic)]
    for step in itertools.product(*steps):
        other = cell + step
        inside = np.all(periodic | ((other >= 0) & (other < cells)), axis=1)
        i = np.flatnonzero(inside)
        target = np.ravel_multi_index((other[i] % cells).T, cells)
        first = np.searchsorted(occupied, target)
        count = np.searchsorted(occupied, target, side="right") - first
        start = np.repeat(first - np.cumsum(count) + count, count)
        j = order[start + np.arange(count.sum())]
        i = np.repeat(i, count)
        d = position[j] - position[i]
        d -= np.where(periodic, length * np.round(d / np.where(periodic, length, 1.0)), 0.0)
        near = (i != j) & (np.einsum("ij,ij->i", d, d) < radius**2)
        found.append((i[near], j[near], d[near]))
    return tuple(np.concatenate(part) for part in zip(*found))


def typical_distance(frame):
    """Median distance to the nearest neighbour."""
    # In an open box single particles may have gone far.
    low, high = np.percentile(frame.position, [5, 95], axis=0)
    size = np.where(frame.length > 0, frame.length, (high - low).clip(min=1e-12))
    radius = 1.5 * (np.prod(size) / len(frame.position)) ** (1 / frame.dimension)
    shortest = frame.length[frame.length > 0].min(initial=np.inf)
    i, _, d = neighbour_vectors(frame.position, min(radius, 0.499 * shortest), frame.length,
                                frame.tilt)
    if len(i) == 0:
        return radius / 1.5
    least = np.full(len(frame.position), np.inf)
    np.minimum.at(least, i, np.linalg.norm(d, axis=1))
    return float(np.median(least[np.isfinite(least)]))


def bond_order(frame, fold, radius=None):
    """psi_m of each particle: the mean of exp(i m theta) over its bonds shorter than `radius`
    (default 1.3 typical distances); 0 without bonds. Read from the file if it is there."""
    stored = frame.field.get(f"psi_{fold}")
    if stored is not None and radius is None:
        return stored[:, 0] + 1j * stored[:, 1] if stored.ndim == 2 else stored.astype(complex)
    i, _, d = neighbour_vectors(frame.position, radius or 1.3 * typical_distance(frame),
                                frame.length, frame.tilt)
    n = len(frame.position)
    phase = np.exp(1j * fold * np.arctan2(d[:, 1], d[:, 0]))
    total = np.bincount(i, phase.real, n) + 1j * np.bincount(i, phase.imag, n)
    return total / np.maximum(1, np.bincount(i, minlength=n))
