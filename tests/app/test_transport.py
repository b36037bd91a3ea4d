# SPDX-License-Identifier: BSD-3-Clause
"""Viscosity against NumPy, from the pressure tensor of the same run; the tensor of a fluid."""
import h5py
import numpy
import pytest

from runs import Folder, one_stage

EVERY, STEPS, WINDOW, ORIGINS, DT = 2, 800, 20, 4, 0.004
OBSERVE = f"""\
[[observe]]
type = "thermo"
every = {EVERY}
[[observe]]
type = "stress"
every = {EVERY}
[[observe]]
type = "viscosity"
every = {EVERY}
window = {WINDOW}
origins = {ORIGINS}
longest = 160
"""
SYSTEM = """\
seed = 5
[system]
dimension = {dimension}
box = {{ density = {density} }}
lattice = {{ {lattice}, jitter = 0.05 }}
velocity = {{ temperature = 1.5 }}
"""
SYSTEMS = {
    2: SYSTEM.format(dimension=2, density=0.6, lattice='type = "square", repeat = [14, 10]'),
    3: SYSTEM.format(dimension=3, density=0.7, lattice='type = "fcc", repeat = [4, 4, 4]'),
}


class Run:
    def __init__(self, path):
        with h5py.File(path) as file:
            all_of = file["observables"]
            self.series = {name: item["value"][:] for name, item in all_of.items() if "error" not in item}
            self.arrays = {name: (item["lag"][:], item["value"][0], item["error"][0])
                           for name, item in all_of.items() if "error" in item}
            edges = file["particles/all/box/edges"]
            edges = edges["value"][0] if isinstance(edges, h5py.Group) else edges[:]
            self.volume = numpy.prod(numpy.diagonal(edges) if edges.ndim == 2 else edges)
        get = self.series.__getitem__
        if "pressure_zz" in self.series:
            self.flux = numpy.array([get("pressure_xy"), get("pressure_xz"), get("pressure_yz"),
                                     (get("pressure_xx") - get("pressure_yy")) / 2,
                                     (get("pressure_xx") + get("pressure_yy") - 2 * get("pressure_zz"))
                                     / numpy.sqrt(12)])
        else:
            self.flux = numpy.array([get("pressure_xy"), (get("pressure_xx") - get("pressure_yy")) / 2])
        self.factor = self.volume / get("temperature").mean()

    def origins(self, level, q):
        frames = self.flux.shape[1]
        starts = {(slot * (WINDOW // ORIGINS) + n * WINDOW) << level
                  for slot in range(ORIGINS) for n in range(frames)}
        return [s for s in sorted(starts) if s + (q << level) < frames]


@pytest.fixture(scope="module", params=[2, 3])
def run(request, tmp_path_factory):
    folder = Folder(tmp_path_factory.mktemp("transport") / "run",
                    one_stage(f'method = "verlet"\ndt = {DT}', STEPS, OBSERVE, SYSTEMS[request.param]),
                    "compute.precision=double")
    folder.run()
    return Run(folder.path / "out.h5")


def test_trace_is_the_pressure(run):
    diagonal = [value for name, value in run.series.items() if name in ("pressure_xx", "pressure_yy", "pressure_zz")]
    numpy.testing.assert_allclose(numpy.mean(diagonal, axis=0), run.series["pressure"], rtol=1e-12)


def test_autocorrelation_of_stress(run):
    lag, value, error = run.arrays["stress_autocorrelation"]
    flux, unit = run.flux, 1
    for k, time in enumerate(lag):
        if k >= 16 and (k - 16) % 8 == 0:  # the next level: averages of pairs
            flux = flux[:, : flux.shape[1] // 2 * 2].reshape(len(flux), -1, 2).mean(axis=2)
            unit *= 2
        n = round(time / (DT * EVERY)) // unit
        expected = (flux[:, : flux.shape[1] - n] * flux[:, n:]).mean()
        assert value[k] == pytest.approx(run.factor * expected, rel=1e-9, abs=1e-10)
        assert error[k] > 0.0 and (numpy.isfinite(error[k]) or unit > 1)  # enough origins, or not yet
    assert lag[-1] >= 160 * DT


def test_green_kubo_integral(run):
    lag, value, error = run.arrays["viscosity_green_kubo"]
    assert len(lag) == WINDOW + 1 and value[0] == 0.0
    for q in range(1, WINDOW + 1):
        found = []
        for start in run.origins(0, q):
            products = (run.flux[:, start:start + 1] * run.flux[:, start:start + q + 1]).mean(axis=0)
            found.append(numpy.trapezoid(products, dx=DT * EVERY) if hasattr(numpy, "trapezoid")
                         else numpy.trapz(products, dx=DT * EVERY))
        assert lag[q] == pytest.approx(q * DT * EVERY)
        assert value[q] == pytest.approx(run.factor * numpy.mean(found), rel=1e-9, abs=1e-12)
        assert error[q] > 0.0


def test_helfand_slope(run):
    lag, value, error = run.arrays["viscosity_helfand"]
    steps = 0.5 * (run.flux[:, 1:] + run.flux[:, :-1]) * DT * EVERY
    moment = numpy.concatenate([numpy.zeros((len(steps), 1)), steps.cumsum(axis=1)], axis=1)
    half = WINDOW // 2 + 1
    for level, time in enumerate(lag):
        assert time == pytest.approx((WINDOW << level) * DT * EVERY)
        squares = [[((moment[:, s + (q << level)] - moment[:, s]) ** 2).mean()
                    for s in run.origins(level, WINDOW)] for q in (half, WINDOW)]
        slope = (numpy.mean(squares[1]) - numpy.mean(squares[0])) / (2 * ((WINDOW - half) << level) * DT * EVERY)
        assert value[level] == pytest.approx(run.factor * slope, rel=1e-9)
