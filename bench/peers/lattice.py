# SPDX-License-Identifier: BSD-3-Clause
"""Where the particles of a case start, for peers that have no lattices of their own."""
import numpy as np

bases = {
    "fcc": [(0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0)],
    "sc": [(0, 0, 0)],
    "triangular": [(0, 0), (0.5, 0.5)],
}


def lattice(system):
    """Positions (N, dimension) and edges of the box (dimension), in sigma.

    `system` is what a case of cases.toml has as `peer`: `cells` an edge in space, `nx` and `ny` in
    the plane, and where they differ from the usual state `lattice` and `density`.
    """
    if "nx" in system:
        name, repeat = "triangular", np.array([system["nx"], system["ny"]])
        shape, density = np.array([1.0, 3**0.5]), system.get("density", 0.8)
    else:
        name, repeat = system.get("lattice", "fcc"), np.full(3, system["cells"])
        shape, density = np.ones(3), system.get("density", 0.8442)
    basis = np.array(bases[name], dtype=float)
    cell = shape * (len(basis) / (density * shape.prod())) ** (1 / len(shape))
    corners = np.stack(np.meshgrid(*map(np.arange, repeat), indexing="ij"), axis=-1)
    places = corners.reshape(-1, 1, len(shape)) + basis
    return places.reshape(-1, len(shape)) * cell, repeat * cell
