# SPDX-License-Identifier: BSD-3-Clause
"""The bonded terms in results: `parameters/topology`."""
import dataclasses

import numpy as np

#: The number of particles of each kind of term.
MEMBERS = {"bonds": 2, "angles": 3, "dihedrals": 4, "impropers": 4}


@dataclasses.dataclass
class Terms:
    """Bonds, or angles ...: `members` (terms, particles), `type` an index of `types`."""
    members: np.ndarray
    type: np.ndarray
    types: list


def topology(file):
    """Bonded terms by kind; empty if there are none."""
    group = file.get("parameters/topology")
    if group is None:
        return {}
    return {kind: Terms(group[kind][...], group[f"{kind}_type"][...],
                        list(group[f"{kind}_types"].asstr()[...]))
            for kind in MEMBERS if kind in group}


@dataclasses.dataclass
class Coefficients:
    """Coefficients of types of bonds, or angles ..., as in a LAMMPS data file: `numbers` by the
    names of types."""
    style: str
    numbers: dict


def coefficients(file):
    """Coefficients by kind; empty if none came from a data file."""
    group = file.get("parameters/topology")
    found = {}
    for kind in MEMBERS:
        name = f"{kind}_coefficients"
        if group is None or name not in group:
            continue
        ends = np.cumsum(group[f"{name}_counts"][...])
        rows = np.split(group[name][...], ends[:-1])
        found[kind] = Coefficients(group[f"{name}_styles"].asstr()[0],
                                   dict(zip(group[f"{name}_types"].asstr()[...], rows)))
    return found


@dataclasses.dataclass
class ScaledPairs:
    """Pairs three bonds apart, `members` (pairs, 2), that have `lj` times their pair forces and
    `coulomb` times those of charges."""
    members: np.ndarray
    lj: float
    coulomb: float

    def __str__(self):
        return f"lj {self.lj:.10g} coulomb {self.coulomb:.10g}"


def scaled_pairs(file):
    """Scaled pairs by their factors; empty if there are none."""
    group = file.get("parameters/topology")
    if group is None or "scaled" not in group:
        return []
    members, factors = group["scaled"][...], group["scaled_factors"][...]
    kinds, of = np.unique(factors, axis=0, return_inverse=True)
    return [ScaledPairs(members[of.ravel() == k], *map(float, kind)) for k, kind in enumerate(kinds)]


def molecules(count, bonded):
    """The molecule of each of `count` particles, numbered from 0 by their first particles;
    particles connected by any term form a molecule."""
    root = list(range(count))

    def find(i):
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        return i

    for terms in bonded.values():
        for members in terms.members.tolist():
            first = find(members[0])
            for other in members[1:]:
                last = find(other)
                first, last = min(first, last), max(first, last)
                root[last] = first
    return np.unique([find(i) for i in range(count)], return_inverse=True)[1]
