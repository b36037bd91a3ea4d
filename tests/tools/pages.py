# SPDX-License-Identifier: BSD-3-Clause
"""Pages of mdreport for the tests, and runs to make them of."""
import h5py
import numpy as np
from conftest import correlated, describe_run, load, triangular, write_results, write_series

mdreport = load("mdreport")


def report(path, *options):
    """The page, as text."""
    page = path.with_suffix(".html")
    assert mdreport.main([str(path), "-o", str(page), *map(str, options)]) == 0
    return page.read_text(encoding="utf-8")


def thermal(path, rows=1001):
    """Adds a thermo of correlated series to a result file."""
    step = np.arange(rows)
    units = {"temperature": "epsilon/k_B", "pressure": "epsilon/sigma^2",
             "kinetic_energy": "epsilon"}
    for seed, (name, unit) in enumerate(units.items()):
        write_series(path, name, step, 5 + 0.1 * correlated(rows, 4, seed), unit=unit)
    return write_series(path, "conserved_energy", step, -300 + 1e-3 * correlated(rows, 2, 9))


def crystal(folder):
    """A crystal of 8 x 8 in the plane, with Maxwellian velocities."""
    place, edges = triangular(8)
    path = write_results(folder / "plane.h5", np.stack([place, place]), edges)
    with h5py.File(path, "a") as file:
        file["particles/all/velocity/value"][...] = \
            np.random.default_rng(5).standard_normal((2, 64, 2))
    return thermal(describe_run(path))


def space(folder):
    """25,000 particles at random in a cube."""
    random = np.random.default_rng(6)
    path = write_results(folder / "space.h5", random.uniform(0, 30, (1, 25_000, 3)),
                         np.full(3, 30.0))
    return thermal(describe_run(path))
