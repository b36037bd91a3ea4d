# SPDX-License-Identifier: BSD-3-Clause
"""Correlations in time against the same made by NumPy from the trajectory of the same run."""

import numpy
import pytest

from analysis_run import EVERY, ORIGINS, WINDOW, all_wave_vectors, analysed, trapezoids


@pytest.fixture(scope="module", params=[2, 3])
def run(request, tmp_path_factory):
    return analysed(request.param, tmp_path_factory.mktemp("analysis") / "run")


def lags():
    """(level, number of intervals of the level) of each lag."""
    found, level = [(0, q) for q in range(1, WINDOW + 1)], 0
    while WINDOW << level < 60 // EVERY:
        level += 1
        found += [(level, q) for q in range(WINDOW // 2 + 1, WINDOW + 1)]
    return found


def origins(level, q, frames):
    """First frames of all pairs that a lag is averaged over."""
    starts = {(slot * (WINDOW // ORIGINS) + n * WINDOW) << level
              for slot in range(ORIGINS) for n in range(frames)}
    return [s for s in sorted(starts) if s + (q << level) < frames]


def averaged(run, kept, of_pair):
    return numpy.array([numpy.mean([of_pair(kept[s], kept[s + (q << level)])
                                    for s in origins(level, q, len(kept))], axis=0)
                        for level, q in lags()])


@pytest.mark.parametrize("suffix", ["", "_A", "_B"])
def test_displacements(run, suffix):
    x = run.unwrapped[:, run.of(suffix)]
    d = x.shape[2]
    square = averaged(run, x, lambda a, b: ((b - a) ** 2).sum(axis=1).mean())
    fourth = averaged(run, x, lambda a, b: (((b - a) ** 2).sum(axis=1) ** 2).mean())
    msd = run.arrays[f"msd{suffix}"]
    numpy.testing.assert_allclose(msd["lag"], [(q << level) * run.interval for level, q in lags()],
                                  rtol=1e-13)
    numpy.testing.assert_allclose(msd["value"], square, rtol=1e-10)
    gaussian = d / (d + 2) * fourth / square ** 2 - 1
    numpy.testing.assert_allclose(run.arrays[f"non_gaussian{suffix}"]["value"], gaussian, atol=1e-9)
    for row, k in enumerate([1.0, 6.5]):
        scattering = averaged(run, x, lambda a, b, k=k: numpy.cos(k * (b - a)).mean())
        numpy.testing.assert_allclose(run.arrays[f"self_scattering{suffix}"]["value"][row],
                                      scattering, atol=1e-10)
    # The slope over the second half of a window, of origins that lived through all of it.
    for level, value in enumerate(run.arrays[f"diffusion{suffix}"]["value"]):
        half = WINDOW // 2
        ends = [x[[s, s + ((half + 1) << level), s + (WINDOW << level)]]
                for s in origins(level, WINDOW, len(x))]
        slopes = [(((c - a) ** 2).sum(axis=1) - ((b - a) ** 2).sum(axis=1)).mean() /
                  (2 * d * ((half - 1) << level) * run.interval) for a, b, c in ends]
        numpy.testing.assert_allclose(value, numpy.mean(slopes), rtol=1e-9)


@pytest.mark.parametrize("suffix", ["", "_A", "_B"])
def test_velocities(run, suffix):
    v = run.velocity[:, run.of(suffix)]
    vacf = run.arrays[f"vacf{suffix}"]
    expected = averaged(run, v, lambda a, b: (a * b).sum(axis=1).mean())
    numpy.testing.assert_allclose(vacf["value"][1:], expected, atol=1e-11)
    first = [(v[s] ** 2).sum(axis=1).mean() for s in origins(0, 0, len(v))]
    numpy.testing.assert_allclose(vacf["value"][0], numpy.mean(first), rtol=1e-12)
    integral = run.arrays[f"diffusion_green_kubo{suffix}"]["value"]
    for q in range(WINDOW + 1):
        parts = [trapezoids([(v[s] * v[s + k]).sum(axis=1).mean() for k in range(q + 1)],
                            run.interval) / v.shape[2] for s in origins(0, q, len(v))]
        numpy.testing.assert_allclose(integral[q], numpy.mean(parts), atol=1e-11)


def test_intermediate_scattering(run):
    found = run.arrays["intermediate_scattering"]
    half = numpy.pi / run.length.max()
    n = run.position.shape[1]
    numpy.testing.assert_allclose(found["lag"], run.interval * numpy.arange(12), rtol=1e-12)
    for row, k in enumerate([2.0, 5.0]):
        vectors = numpy.array([q for q in all_wave_vectors(run.length, k + half)
                               if numpy.linalg.norm(q) > k - half])
        assert abs(numpy.linalg.norm(vectors, axis=1).mean() - found["k"][row]) < 1e-12
        assert abs(found["k"][row] - k) < half
        rho = numpy.exp(1j * run.position @ vectors.T).sum(axis=1)
        for lag in range(12):
            products = [(rho[s] * rho[s + lag].conj()).real.mean() / n
                        for s in range(0, len(rho) - lag, 5)]
            numpy.testing.assert_allclose(found["value"][row][lag], numpy.mean(products), rtol=1e-9,
                                          atol=1e-11)
