# SPDX-License-Identifier: BSD-3-Clause
"""Averaged arrays against the same quantities made by NumPy from the trajectory of the same run."""

import h5py
import numpy
import pytest

from analysis_run import (FORCE, INTEGRATOR, LONGEST, SHELLS, SYSTEMS, analysed, box_lengths,
                          wave_vectors)
from runs import Folder, one_stage


@pytest.fixture(scope="module", params=[2, 3])
def run(request, tmp_path_factory):
    return analysed(request.param, tmp_path_factory.mktemp("analysis") / "run")


def test_second_derivatives(run):
    """Of 4 (r^-12 - r^-6), shifted at 2: there the force drops to zero, which the pairs of a shell of
    0.08 within tell, by weights that are exact for linear functions."""
    d = len(run.length)
    for frame, x in enumerate(run.position):
        dx = x[:, None] - x[None]
        dx -= run.length * numpy.round(dx / run.length)
        one, two = numpy.triu_indices(len(x), 1)
        r = numpy.sqrt((dx ** 2).sum(axis=2))
        near = r[one, two][r[one, two] < 2.0]
        slope = -48 * near ** -13 + 24 * near ** -7
        bend = 624 * near ** -14 - 168 * near ** -8
        depth = (2.0 - near) / 0.08
        jump = numpy.where(depth < 1, (4 - 6 * depth) / 0.08, 0) * (48 * 2.0 ** -13 - 24 * 2.0 ** -7)
        laplacian = 2 * (bend + (d - 1) * slope / near + jump).sum()
        hypervirial = (near * (slope + near * bend) + 4 * jump).sum() / d ** 2
        with numpy.errstate(divide="ignore", invalid="ignore"):
            f = numpy.where((r > 0) & (r < 2), (48 * r ** -14 - 24 * r ** -8), 0)[..., None] * dx
        numpy.testing.assert_allclose(run.series["hypervirial"][frame], hypervirial, rtol=1e-9)
        numpy.testing.assert_allclose(run.series["laplacian"][frame], laplacian, rtol=1e-9)
        numpy.testing.assert_allclose(run.series["squared_force"][frame],
                                      (f.sum(axis=1) ** 2).sum(), rtol=1e-9)


def test_heat_flux(run):
    """Of 4 (r^-12 - r^-6), shifted at 2."""
    mass = 1.0 + run.species
    for frame, x in enumerate(run.position):
        v = run.velocity[frame] - (mass[:, None] * run.velocity[frame]).sum(axis=0) / mass.sum()
        dx = x[:, None] - x[None]
        dx -= run.length * numpy.round(dx / run.length)
        r = numpy.sqrt((dx ** 2).sum(axis=2))
        numpy.fill_diagonal(r, numpy.inf)
        u = numpy.where(r < 2, 4 * (r ** -12 - r ** -6 - 2.0 ** -12 + 2.0 ** -6), 0)
        f = numpy.where(r < 2, 48 * r ** -14 - 24 * r ** -8, 0)[..., None] * dx
        energy = 0.5 * mass * (v ** 2).sum(axis=1) + 0.5 * u.sum(axis=1)
        work = (f * (v[:, None] + v[None])).sum(axis=2)
        flux = (energy[:, None] * v).sum(axis=0) + 0.25 * (dx * work[..., None]).sum(axis=(0, 1))
        found = [run.series[f"heat_flux_{axis}"][frame] for axis in "xyz"[:len(run.length)]]
        numpy.testing.assert_allclose(found, flux / run.length.prod(), rtol=1e-9, atol=1e-12)


def test_bond_correlation(run):
    if len(run.length) == 3:
        assert "bond_correlation_6" not in run.arrays
        return
    found = run.arrays["bond_correlation_6"]
    pairs, products, means = numpy.zeros(12), numpy.zeros(12), []
    for x in run.position:
        dx = x[:, None] - x[None]
        dx -= run.length * numpy.round(dx / run.length)
        r = numpy.sqrt((dx ** 2).sum(axis=2))
        numpy.fill_diagonal(r, numpy.inf)
        near = r < 1.6
        bond = numpy.exp(6j * numpy.arctan2(dx[..., 1], dx[..., 0]))
        psi = (bond * near).sum(axis=1) / numpy.maximum(near.sum(axis=1), 1)
        product = (psi.conj()[:, None] * psi[None]).real
        count = numpy.histogram(r, 12, (0, 5))[0]
        total = numpy.histogram(r, 12, (0, 5), weights=product)[0]
        pairs, products = pairs + count, products + total
        means.append(total / numpy.maximum(count, 1))
    assert (pairs[:1] == 0).all() and (pairs[3:] > 0).all()
    # Products are rounded to 2^-31.
    numpy.testing.assert_allclose(found["value"], products / numpy.maximum(pairs, 1), atol=1e-9)
    naive = numpy.std(means, axis=0, ddof=1) / len(means) ** 0.5
    assert (found["error"][3:] >= 0.999 * naive[3:]).mean() > 0.6


def distances(run):
    """Of all particles from all others, in each frame, and the vectors."""
    for x in run.position:
        dx = x[None] - x[:, None]
        dx -= run.length * numpy.round(dx / run.length)
        r = numpy.sqrt((dx ** 2).sum(axis=2))
        numpy.fill_diagonal(r, numpy.inf)
        yield r, dx


def volumes(edges, d):
    return numpy.diff(edges ** d) * (numpy.pi if d == 2 else 4 / 3 * numpy.pi)


def test_global_order_and_correlation_along_the_lattice(run):
    if len(run.length) == 3:
        return
    n, edges, order, counts = len(run.species), numpy.linspace(0, 5, 11), [], []
    for r, dx in distances(run):
        near, angle = r < 1.6, numpy.arctan2(dx[..., 1], dx[..., 0])
        psi = (numpy.exp(6j * angle) * near).sum(axis=1) / numpy.maximum(near.sum(axis=1), 1)
        order.append(abs(psi.mean()))
        off = angle - numpy.angle(psi.mean()) / 6
        off -= numpy.pi / 3 * numpy.round(off / (numpy.pi / 3))
        r = numpy.where(r < 5, r, 0)  # the particle itself is at infinity
        on = (abs(r * numpy.sin(off)) < 0.4) & (r > 0)
        counts.append(numpy.histogram((r * numpy.cos(off))[on], edges)[0])
    numpy.testing.assert_allclose(run.series["global_psi_6"], order, rtol=1e-9)
    chi = run.summary["fluctuations"]["global_psi_6_susceptibility"]
    kept = order[round(run.summary["averages"]["global_psi_6"]["discarded"]["fraction"] * len(order)):]
    # What the correction for bias changes is far less than the error.
    assert abs(chi["value"] - n * numpy.var(kept)) < chi["error"] < chi["value"]
    x = (numpy.arange(200000) + 0.5) / 40000  # of a strip, half its width at x
    half = numpy.minimum(numpy.minimum(0.4, x * numpy.tan(numpy.pi / 6)), numpy.sqrt(25 - x ** 2))
    area = 12 * half.reshape(10, -1).mean(axis=1) * 0.5
    g = numpy.mean(counts, axis=0) * numpy.prod(run.length) / (n * (n - 1) * area)
    numpy.testing.assert_allclose(run.arrays["positional_correlation_6"]["value"], g, rtol=1e-6)


@pytest.mark.parametrize("suffix", ["", "_A_A", "_A_B", "_B_B"])
def test_densities_around_particles(run, suffix):
    one, other = (run.of(suffix[:2]), run.of(suffix[2:])) if suffix else (run.of(""), run.of(""))
    edges = numpy.linspace(0, 2.5, 11)
    counts = numpy.mean([numpy.histogram(r[one][:, other], edges)[0] for r, _ in distances(run)], axis=0)
    numpy.testing.assert_allclose(run.arrays[f"pair_density{suffix}"]["value"],
                                  counts / one.sum() / volumes(edges, len(run.length)), rtol=1e-9)


@pytest.mark.parametrize("suffix", ["", "_A", "_B"])
def test_density_around_the_centre(run, suffix):
    mass, edges = 1.0 + run.species[:, None], numpy.linspace(0, 2.5, 6)
    counts = numpy.zeros(5)
    for x in run.position:
        centre = numpy.angle((mass * numpy.exp(2j * numpy.pi * x / run.length)).sum(axis=0))
        dx = x - run.length * centre / (2 * numpy.pi)
        dx -= run.length * numpy.round(dx / run.length)
        r = numpy.sqrt((dx ** 2).sum(axis=1))
        counts += numpy.histogram(r[run.of(suffix)], edges)[0]
    numpy.testing.assert_allclose(run.arrays[f"radial_density{suffix}"]["value"],
                                  counts / len(run.position) / volumes(edges, len(run.length)), rtol=1e-9)


def test_clusters(run):
    n, sizes = len(run.species), numpy.zeros(30)
    for frame, (r, _) in enumerate(distances(run)):
        label = numpy.arange(n)
        while True:
            lower = numpy.minimum(label, numpy.where(r < 1.1, label[None], n).min(axis=1))
            if (lower == label).all():
                break
            label = lower
        assert (run.cluster[frame] == label).all()
        members = numpy.unique(label, return_counts=True)[1]
        assert run.series["clusters"][frame] == len(members)
        assert run.series["largest_cluster"][frame] == members.max()
        assert run.series["cluster_size"][frame] == pytest.approx((members ** 2).sum() / n, rel=1e-12)
        sizes += numpy.bincount(members, minlength=n + 1)[1:31]
    assert 1 < run.series["clusters"].mean() < n - 1
    numpy.testing.assert_allclose(run.arrays["cluster_sizes"]["value"], sizes / len(run.position),
                                  rtol=1e-9, atol=1e-12)


def test_temperature_by_direction(run):
    mass = 1.0 + run.species
    momentum = mass[:, None] * run.velocity
    square = (momentum * run.velocity).sum(axis=1) - momentum.sum(axis=1) ** 2 / mass.sum()
    for d, axis in enumerate("xyz"[:len(run.length)]):
        numpy.testing.assert_allclose(run.series[f"temperature_{axis}"],
                                      square[:, d] / (len(mass) - 1), rtol=1e-10)


@pytest.mark.parametrize("suffix", ["", "_A_A", "_A_B", "_B_B"])
def test_pair_distribution(run, suffix):
    rdf = run.arrays[f"rdf{suffix}"]
    bins = len(rdf["r"])
    width = rdf["r"][1] - rdf["r"][0]
    edges = width * numpy.arange(bins + 1)
    one, other = (run.of(suffix[:2]), run.of(suffix[2:])) if suffix else (run.of(""), run.of(""))
    same = suffix[:2] == suffix[2:]
    counts = numpy.zeros((len(run.position), bins))
    for frame, x in enumerate(run.position):
        dx = x[one][:, None] - x[other][None]
        dx -= run.length * numpy.round(dx / run.length)
        r = numpy.sqrt((dx ** 2).sum(axis=2))
        r = r[numpy.triu_indices(len(r), 1)] if same else r.ravel()
        counts[frame] = numpy.histogram(r, edges)[0]
    pairs = one.sum() * (one.sum() - 1) / 2 if same else one.sum() * other.sum()
    d = len(run.length)
    shells = numpy.diff(edges ** d) * (numpy.pi if d == 2 else 4 / 3 * numpy.pi)
    g = counts * numpy.prod(run.length) / (pairs * shells)
    numpy.testing.assert_allclose(rdf["value"], g.mean(axis=0), atol=1e-9)
    # Bin by bin the error is at least about that of independent measurements.
    naive = g.std(axis=0, ddof=1) / len(g) ** 0.5
    assert (rdf["error"] >= 0.999 * naive).mean() > 0.6


@pytest.mark.parametrize("suffix", ["", "_A_A", "_A_B", "_B_B"])
def test_structure_factor(run, suffix):
    found = run.arrays[f"structure_factor{suffix}"]
    one, other = (run.of(suffix[:2]), run.of(suffix[2:])) if suffix else (run.of(""), run.of(""))
    shells = wave_vectors(run.length)
    numpy.testing.assert_allclose(found["k"], [numpy.linalg.norm(k, axis=1).mean() for k in shells],
                                  rtol=1e-12)
    expected = numpy.zeros((len(run.position), len(shells)))
    for frame, x in enumerate(run.position):
        for s, k in enumerate(shells):
            phase = numpy.exp(1j * x @ k[frame % len(k)])
            expected[frame, s] = (phase[one].sum() * phase[other].sum().conj()).real / \
                (one.sum() * other.sum()) ** 0.5
    numpy.testing.assert_allclose(found["value"], expected.mean(axis=0), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("dimension", [2, 3])
def test_structure_factor_by_mesh(dimension, tmp_path):
    observe = ('[[observe]]\ntype = "structure-factor"\nmethod = "fft"\nevery = 5\n'
               f"longest = {LONGEST}\nshells = {SHELLS}\naccuracy = 1e-5\n")
    text = one_stage(INTEGRATOR, 20, observe, SYSTEMS[dimension], FORCE).replace("every = 100", "every = 5")
    folder = Folder(tmp_path / "run", text, "compute.precision=double")
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        frames = file["particles/all"]
        positions, b = frames["position/value"][:], frames["species"][:] == 1
        length = box_lengths(frames)
        found = {name: item["value"][0] for name, item in file["averages"].items()}
    shells = wave_vectors(length)
    for suffix, one, other in (("", b | ~b, b | ~b), ("_A_A", ~b, ~b), ("_A_B", ~b, b), ("_B_B", b, b)):
        expected = []
        for k in shells:
            phases = numpy.exp(1j * positions @ k.T)
            product = phases[:, one].sum(axis=1) * phases[:, other].sum(axis=1).conj()
            expected.append(product.real.mean() / (one.sum() * other.sum()) ** 0.5)
        numpy.testing.assert_allclose(found[f"structure_factor{suffix}"], expected, atol=5e-5)


@pytest.mark.parametrize("suffix", ["", "_A", "_B"])
def test_densities(run, suffix):
    inside = (run.position % run.length)[:, run.of(suffix)]
    profile = run.arrays[f"density_profile{suffix}"]
    counts = numpy.array([numpy.histogram(x[:, 1], 9, (0, run.length[1]))[0] for x in inside])
    volume = numpy.prod(run.length)
    numpy.testing.assert_allclose(profile["value"], counts.mean(axis=0) / (volume / 9), rtol=1e-9)
    numpy.testing.assert_allclose(profile["y"], (numpy.arange(9) + 0.5) * run.length[1] / 9)
    counts = numpy.array([numpy.histogram2d(x[:, 1], x[:, 0], (5, 4), (
        (0, run.length[1]), (0, run.length[0])))[0] for x in inside])
    numpy.testing.assert_allclose(run.arrays[f"density_map{suffix}"]["value"],
                                  counts.mean(axis=0) / (volume / 20), rtol=1e-9)


@pytest.mark.parametrize("suffix", ["", "_A", "_B"])
def test_velocity_distribution(run, suffix):
    v = run.velocity[:, run.of(suffix)].reshape(len(run.velocity), -1)
    counts = numpy.array([numpy.histogram(x, 11, (-2, 2))[0] for x in v])
    assert counts.sum() < v.size  # some are faster
    numpy.testing.assert_allclose(run.arrays[f"velocity_distribution{suffix}"]["value"],
                                  counts.mean(axis=0) / v.shape[1] / (4 / 11), rtol=1e-9)


@pytest.mark.parametrize("suffix", ["", "_A", "_B"])
def test_kinetic_energy_distribution(run, suffix):
    energy = 0.5 * (1.0 + run.species) * (run.velocity ** 2).sum(axis=2)
    counts = numpy.array([numpy.histogram(x, 13, (0, 4))[0] for x in energy[:, run.of(suffix)]])
    assert counts.sum() < energy[:, run.of(suffix)].size  # some have more
    numpy.testing.assert_allclose(run.arrays[f"kinetic_energy_distribution{suffix}"]["value"],
                                  counts.mean(axis=0) / run.of(suffix).sum() / (4 / 13), rtol=1e-9)
    d = run.velocity.shape[2]
    if not suffix:  # that of the centre of mass is not energy, and the mean is over a subspace
        mass = 1.0 + run.species
        u = run.velocity - (mass[:, None] * run.velocity).sum(axis=1, keepdims=True) / mass.sum()
        square = mass * (u ** 2).sum(axis=2)
        share = 1 - mass / mass.sum()
        f = d * share.sum()
        expected = (d + 2) * d * (share ** 2).sum() / (f * (f + 2))
        excess = (square ** 2).sum(axis=1) / square.sum(axis=1) ** 2 / expected - 1
        numpy.testing.assert_allclose(run.series["kinetic_energy_excess"], excess, atol=1e-9)
