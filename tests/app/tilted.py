# SPDX-License-Identifier: BSD-3-Clause
"""One infinite crystal in two cells: a rectangular one, and a tilted one with the same particles in it."""

import itertools

import h5py
import numpy as np
from runs import Folder


def cell(**tilts):
    """Edges, rows in units of those of a small crystal: twice as long where images lean along them, so that a tilt of one
    leads to another cell of the same crystal."""
    edges = np.eye(3)
    for tilt in tilts:
        edges["xyz".index(tilt[0]), "xyz".index(tilt[0])] = 2
    for tilt, by in tilts.items():
        edges["xyz".index(tilt[1]), "xyz".index(tilt[0])] = by
    return edges


class Crystal:
    """Particles around the sites of a lattice, in motion; trimers along z."""

    def __init__(self, dimension=3, sites=6, constant=1.15, jitter=0.1, seed=1):
        random = np.random.default_rng(seed)
        self.dimension = dimension
        self.sites = np.array(list(itertools.product(range(sites), repeat=dimension)))
        self.length = constant * sites
        self.place = constant * (self.sites + 0.5) + jitter * random.uniform(-1, 1, self.sites.shape)
        self.velocity = random.normal(size=self.sites.shape)
        self.velocity -= self.velocity.mean(axis=0)

    def in_cell(self, edges):
        """Places and velocities of all particles of a cell, and the lengths of its edges along the axes."""
        edges = edges[:self.dimension, :self.dimension]
        copies = list(itertools.product(*(range(int(n)) for n in np.diag(edges))))
        place = np.concatenate([self.place + self.length * np.array(copy) for copy in copies])
        return place, np.concatenate([self.velocity] * len(copies)), self.length * edges

    def extended_xyz(self, edges, species=("A",)):
        place, velocity, edges = self.in_cell(edges)
        kind = self.sites.sum(axis=1) % len(species)
        lattice = np.zeros((3, 3))
        lattice[:self.dimension, :self.dimension] = edges
        text = [f"{len(place)}", f'Lattice="{words(lattice.ravel())}" Properties=species:S:1:pos:R:3:velo:R:3 '
                f'pbc="T T {"T" if self.dimension == 3 else "F"}"']
        flat = np.zeros((len(place), 3 - self.dimension))
        for k, row in enumerate(np.concatenate([place, flat, velocity, flat], axis=1)):
            text.append(f"{species[kind[k % len(kind)]]} {words(row)}")
        return "\n".join(text) + "\n"

    def lammps_data(self, edges):
        """Trimers with bonds and angles, which cross faces of the cell."""
        place, velocity, edges = self.in_cell(edges)
        place = place + np.array([0.3, 0.45, 0.9])
        number = {tuple(site): k for k, site in enumerate(self.sites)}
        trimers = [[number[(x, y, z + k)] for k in range(3)] for x, y, z in self.sites if z % 3 == 0]
        copies = range(0, len(place), len(self.sites))
        bonds = [(t[k] + c + 1, t[k + 1] + c + 1) for c in copies for t in trimers for k in (0, 1)]
        angles = [tuple(k + c + 1 for k in t) for c in copies for t in trimers]
        text = ["trimers", "", f"{len(place)} atoms", f"{len(bonds)} bonds", f"{len(angles)} angles", "2 atom types",
                "1 bond types", "1 angle types", ""]
        text += [f"0 {edges[d, d]!r} {x}lo {x}hi" for d, x in enumerate("xyz")]
        text += [f"{words([edges[1, 0], edges[2, 0], edges[2, 1]])} xy xz yz", "", "Masses", "", "1 1.0", "2 2.0", ""]
        text += ["Atoms # molecular", ""]
        text += [f"{k + 1} 1 {1 + (k % 3 == 1)} {words(x)}" for k, x in enumerate(place)]
        text += ["", "Velocities", ""] + [f"{k + 1} {words(v)}" for k, v in enumerate(velocity)]
        text += ["", "Bonds", ""] + [f"{k + 1} 1 {words(b)}" for k, b in enumerate(bonds)]
        text += ["", "Angles", ""] + [f"{k + 1} 1 {words(a)}" for k, a in enumerate(angles)]
        return "\n".join(text) + "\n"


def words(numbers):
    return " ".join(repr(x.item() if hasattr(x, "item") else x) for x in numbers)


def run_in(path, text, start, *keys):
    """A run of `text`, whose `FILE` is a file with the text `start`; its folder."""
    name = "start.data" if start.startswith("trimers") else "start.xyz"
    folder = Folder(path, text.replace("FILE", name), *keys)
    (folder.path / name).write_text(start)
    folder.run()
    return folder


def series(folder):
    """All that was observed, by name."""
    found = {}
    with h5py.File(folder.path / "out.h5") as file:
        for group in ("observables", "averages"):
            if group in file:
                file[group].visititems(
                    lambda name, item, group=group: found.__setitem__(f"{group}/{name}", item[()])
                    if isinstance(item, h5py.Dataset) and item.dtype.kind == "f" and "error" not in name else None)
    return found


def refuse_other_results(one, other, rounding):
    """The same but for rounding, relative to the largest number of each series."""
    a, b = series(one), series(other)
    assert a.keys() == b.keys() and a
    for name, values in a.items():
        assert values.shape == b[name].shape, name
        scale = 1.0 + np.nanmax(np.abs(values), initial=0.0)
        off = np.nanmax(np.abs(values - b[name]), initial=0.0)
        assert off < rounding * scale, (name, off, scale)
