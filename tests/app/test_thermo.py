# SPDX-License-Identifier: BSD-3-Clause
"""Thermo against NumPy, from the frames of the same run, of a liquid with fast and slow forces."""
import h5py
import numpy
import pytest

from analysis_run import box_lengths
from runs import SPLIT_FORCE, Folder, one_stage, staged


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    text = one_stage('method = "respa"\ndt = 0.004\ninner = 2', 20, force=SPLIT_FORCE).replace(
        "trajectory = { every = 100 }", 'trajectory = { every = 5, fields = ["position", "velocity"] }')
    folder = Folder(tmp_path_factory.mktemp("thermo") / "run", text, "compute.precision=double")
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        series = {name: item["value"][:] for name, item in file["observables"].items()}
        frames = {name: file[f"particles/all/{name}/value"][:] for name in ("position", "velocity")}
        return series, frames, box_lengths(file["particles/all"])


def potentials(x, length):
    """Energies and sums of r f: of the repulsion, which is fast, and of the rest."""
    dx = x[:, None] - x[None]
    dx -= length * numpy.round(dx / length)
    r = numpy.sqrt((dx ** 2).sum(axis=2))[numpy.triu_indices(len(x), 1)]
    u, f = (lambda s: 4 * (s ** -12 - s ** -6)), (lambda s: 48 * s ** -13 - 24 * s ** -7)
    near, within = r[r < 2 ** (1 / 6)], r[r < 2.5]
    fast = (u(near) + 1).sum(), (near * f(near)).sum()
    slow = (u(within) - u(2.5) + f(2.5) * (within - 2.5)).sum(), (within * (f(within) - f(2.5))).sum()
    return fast, slow


def test_energies_of_each_class_and_pressure(run):
    series, frames, length = run
    for k, x in enumerate(frames["position"]):
        (fast, fast_virial), (slow, slow_virial) = potentials(x, length)
        kinetic = 0.5 * (frames["velocity"][k] ** 2).sum()
        temperature = 2 * kinetic / (3 * len(x) - 3)
        pressure = (2 * kinetic + fast_virial + slow_virial) / (3 * length.prod())
        for name, expected in (("potential_energy_fast", fast), ("potential_energy_slow", slow),
                               ("potential_energy", fast + slow), ("kinetic_energy", kinetic),
                               ("total_energy", fast + slow + kinetic), ("temperature", temperature),
                               ("pressure", pressure)):
            assert series[name][k] == pytest.approx(expected, rel=1e-10), name


def test_what_a_bath_gave_is_forgotten_with_it(tmp_path):
    bath = 'method = "baoab"\ndt = 0.004\ntemperature = 2.0\nfriction = 5.0'
    folder = Folder(tmp_path / "run", staged(("heat", bath, 50), ("sample", 'method = "verlet"\ndt = 0.004', 20)))
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        total, conserved = (file[f"observables/{name}_energy/value"][:] for name in ("total", "conserved"))
        step = file["observables/total_energy/step"][:]
    # Rows of the second stage begin with step 50, which the first has, too.
    assert (conserved[step > 50] == pytest.approx(total[step > 50], rel=1e-12))
    assert abs(total[step == 45] - conserved[step == 45]) > 1.0
