# SPDX-License-Identifier: BSD-3-Clause
"""Systems that are solved on paper: a gas without forces and a crystal of normal modes, whose motion and
averages must come out."""
import h5py
import numpy
import pytest

from runs import Folder, averaging_all, one_stage

DT, EVERY, WINDOW, STEPS = 0.004, 5, 16, 800
OBSERVE = f"""\
[[observe]]
type = "thermo"
every = {EVERY}
[[observe]]
type = "msd"
every = {EVERY}
window = {WINDOW}
origins = 1
longest = {WINDOW * EVERY}
wavenumbers = [WAVENUMBER]
[[observe]]
type = "vacf"
every = {EVERY}
window = {WINDOW}
origins = 1
longest = {WINDOW * EVERY}
"""


def write_start(path, position, velocity):
    rows = zip(numpy.pad(position, ((0, 0), (0, 3 - position.shape[1]))),
               numpy.pad(velocity, ((0, 0), (0, 3 - velocity.shape[1]))))
    lines = [f"A {' '.join(repr(float(x)) for x in numpy.concatenate(row))}" for row in rows]
    path.write_text(f"{len(lines)}\nProperties=species:S:1:pos:R:3:velo:R:3\n" + "\n".join(lines) + "\n")


def results(tmp_path, position, velocity, lengths, wavenumber, force, more=""):
    """Series and averaged arrays of a run from there."""
    system = (f'seed = 1\n[system]\ndimension = {position.shape[1]}\nfile = "start.xyz"\n'
              f"box = {{ lengths = {[float(x) for x in lengths]} }}\n")
    text = one_stage(f'method = "verlet"\ndt = {DT}', STEPS,
                     OBSERVE.replace("WAVENUMBER", str(wavenumber)) + more, system, force)
    folder = Folder(tmp_path / "run", averaging_all(text), "compute.precision=double")
    write_start(folder.path / "start.xyz", position, velocity)
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        return ({name: item["value"][:] for name, item in file["observables"].items()},
                {name: (item["value"][0], item["error"][0])
                 for name, item in file["averages"].items()})


def test_gas_without_forces(tmp_path):
    n, length, kT, k = 2000, 12.0, 1.3, 1.5
    random = numpy.random.default_rng(5)
    position = random.uniform(0, length, (n, 3))
    velocity = random.normal(scale=kT ** 0.5, size=(n, 3))
    velocity -= velocity.mean(axis=0)
    velocity *= (3 * (n - 1) * kT / (velocity ** 2).sum()) ** 0.5
    more = f"""\
[[observe]]
type = "rdf"
every = {STEPS // 8}
bins = 12
[[observe]]
type = "structure-factor"
every = {EVERY}
longest = 4.0
shells = 8
[[observe]]
type = "velocity-distribution"
every = {EVERY}
largest = 4.0
bins = 16
"""
    series, arrays = results(tmp_path, position, velocity, [length] * 3, k, "", more)
    numpy.testing.assert_allclose(series["temperature"], kT, rtol=1e-12)
    numpy.testing.assert_allclose(series["pressure"], (n - 1) / length ** 3 * kT, rtol=1e-12)
    assert (series["potential_energy"] == 0).all()
    square = (velocity ** 2).sum(axis=1)
    t = DT * EVERY * numpy.arange(1, WINDOW + 1)
    numpy.testing.assert_allclose(arrays["msd"][0], square.mean() * t ** 2, rtol=1e-9)
    numpy.testing.assert_allclose(arrays["vacf"][0], square.mean(), rtol=1e-12)
    numpy.testing.assert_allclose(arrays["diffusion_green_kubo"][0],
                                  square.mean() / 3 * numpy.append(0, t), rtol=1e-12)
    # Maxwell's velocities: Gaussian in each displacement, but for their number.
    gauss = numpy.exp(-0.5 * k * k * kT * t * t)
    scatter = numpy.sqrt((1 - gauss ** 2) ** 2 / 2 / (3 * n))
    assert (numpy.abs(arrays["self_scattering"][0][0] - gauss) < 4 * scatter + 1e-9).all()
    assert (numpy.abs(arrays["non_gaussian"][0]) < 4 * (8 / 15 / n) ** 0.5).all()
    edges = numpy.linspace(-4, 4, 17)
    inside = numpy.histogram(velocity, edges)[0] / (3 * n) / 0.5
    numpy.testing.assert_allclose(arrays["velocity_distribution"][0], inside, rtol=1e-12)
    # No two know of each other.
    for name in ("rdf", "structure_factor"):
        value, error = arrays[name]
        assert numpy.isfinite(error[2:]).all() and (numpy.abs(value - 1)[2:] < 5 * error[2:]).all()


CRYSTAL_FORCE = """\
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
truncation = "force-shift"
"""


def triangular(columns, rows, spacing):
    """Sites of a triangular lattice and the box, of two rows a cell."""
    cell = numpy.array([spacing, spacing * 3 ** 0.5])
    corner = numpy.array([(x, y) for x in range(columns) for y in range(rows)])
    sites = numpy.concatenate([corner, corner + 0.5]) + 0.25
    return sites * cell, cell * (columns, rows)


def dynamical_matrix(x, lengths):
    """Second derivatives of the energy, [particle, direction, particle, direction]."""
    n, d = x.shape
    dx = x[:, None] - x[None]
    dx -= lengths * numpy.round(dx / lengths)
    r = numpy.sqrt((dx ** 2).sum(axis=2))
    numpy.fill_diagonal(r, numpy.inf)
    slope = lambda s: -48 * s ** -13.0 + 24 * s ** -7.0
    first = numpy.where(r < 2.5, slope(r) - slope(2.5), 0) / r
    second = numpy.where(r < 2.5, 624 * r ** -14.0 - 168 * r ** -8.0, 0)
    along = dx / r[..., None]
    pair = (second - first)[..., None, None] * along[..., :, None] * along[..., None, :] \
        + first[..., None, None] * numpy.eye(d)
    matrix = -pair.transpose(0, 2, 1, 3)
    for i in range(n):
        matrix[i, :, i, :] = pair[i].sum(axis=0)
    return matrix.reshape(n * d, n * d)


def test_crystal_of_normal_modes(tmp_path):
    """Each mode of frequency w moves like sin(W t) under Verlet, sin(W dt / 2) = w dt / 2; velocities are
    so small that all else is a millionth."""
    x, lengths = triangular(8, 5, 1.11)
    n = len(x)
    velocity = numpy.random.default_rng(3).normal(size=x.shape)
    velocity = 1e-6 * (velocity - velocity.mean(axis=0))
    square, modes = numpy.linalg.eigh(dynamical_matrix(x, lengths))
    assert square[2] > 1.0 and abs(square[:2]).max() < 1e-9  # stable, and free to move as a whole
    frequency = 2 / DT * numpy.arcsin(0.5 * DT * numpy.sqrt(numpy.maximum(square[2:], 0)))
    modes = modes[:, 2:]
    amplitude = modes.T @ velocity.ravel()
    t = DT * EVERY * numpy.arange(STEPS // EVERY + 1)[:, None]
    u = (amplitude * DT / numpy.sin(frequency * DT) * numpy.sin(frequency * t)) @ modes.T
    v = (amplitude * numpy.cos(frequency * t)) @ modes.T
    series, arrays = results(tmp_path, x, velocity, lengths, 2.0, CRYSTAL_FORCE)
    numpy.testing.assert_allclose(series["kinetic_energy"], 0.5 * (v ** 2).sum(axis=1), rtol=1e-4)

    origins = range(0, STEPS // EVERY + 1, WINDOW)
    for q in range(1, WINDOW + 1):
        pairs = [(s, s + q) for s in origins if s + q < len(u)]
        msd = numpy.mean([((u[b] - u[a]) ** 2).sum() / n for a, b in pairs])
        vacf = numpy.mean([(v[b] * v[a]).sum() / n for a, b in pairs])
        assert arrays["msd"][0][q - 1] == pytest.approx(msd, rel=1e-4)
        assert arrays["vacf"][0][q] == pytest.approx(vacf, rel=1e-4, abs=1e-4 * 2e-12)
