# SPDX-License-Identifier: BSD-3-Clause
"""Viscosity and thermal conductivity against NumPy, from the pressure tensor and the heat flux of the
same run; the tensor of a fluid; the flux of a droplet, against how its energy moves."""
import h5py
import numpy
import pytest

from analysis_run import box_lengths, trapezoids
from runs import FORCE, Folder, averaging_all, one_stage

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
[[observe]]
type = "heat-flux"
every = {EVERY}
[[observe]]
type = "thermal-conductivity"
every = {EVERY}
window = {WINDOW}
origins = {ORIGINS}
longest = 160
"""
OBSERVE_TENSOR = OBSERVE[:OBSERVE.index('[[observe]]\ntype = "viscosity"')]
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
            self.series = {name: item["value"][:] for name, item in file["observables"].items()}
            self.arrays = {name: (item["lag"][:], item["value"][0], item["error"][0])
                           for name, item in file["averages"].items()}
            self.volume = numpy.prod(box_lengths(file["particles/all"]))
        get = self.series.__getitem__
        if "pressure_zz" in self.series:
            shear = [get("pressure_xy"), get("pressure_xz"), get("pressure_yz"),
                     (get("pressure_xx") - get("pressure_yy")) / 2,
                     (get("pressure_xx") + get("pressure_yy") - 2 * get("pressure_zz")) / numpy.sqrt(12)]
        else:
            shear = [get("pressure_xy"), (get("pressure_xx") - get("pressure_yy")) / 2]
        heat = [get(name) for name in sorted(self.series) if name.startswith("heat_flux_")]
        temperature = get("temperature").mean()
        self.coefficients = {
            "viscosity": Coefficient(self, "stress", "viscosity", shear, self.volume / temperature),
            "thermal-conductivity": Coefficient(self, "heat_flux", "thermal_conductivity", heat,
                                                self.volume / temperature ** 2)}


class Coefficient:
    """Arrays of a transport coefficient, and the flux whose correlations, times a factor, make it."""

    def __init__(self, run, flux_name, name, flux, factor):
        self.correlation = run.arrays[f"{flux_name}_autocorrelation"]
        self.integral, self.slope = (run.arrays[f"{name}_{way}"] for way in ("green_kubo", "helfand"))
        self.flux, self.factor = numpy.array(flux), factor

    def origins(self, level, q):
        frames = self.flux.shape[1]
        starts = {(slot * (WINDOW // ORIGINS) + n * WINDOW) << level
                  for slot in range(ORIGINS) for n in range(frames)}
        return [s for s in sorted(starts) if s + (q << level) < frames]


@pytest.fixture(scope="module", params=[2, 3])
def run(request, tmp_path_factory):
    folder = Folder(tmp_path_factory.mktemp("transport") / "run",
                    averaging_all(one_stage(f'method = "verlet"\ndt = {DT}', STEPS, OBSERVE,
                                            SYSTEMS[request.param])),
                    "compute.precision=double")
    folder.run()
    return Run(folder.path / "out.h5")


@pytest.fixture(params=["viscosity", "thermal-conductivity"])
def coefficient(request, run):
    return run.coefficients[request.param]


def test_trace_is_the_pressure(run):
    diagonal = [value for name, value in run.series.items() if name in ("pressure_xx", "pressure_yy", "pressure_zz")]
    numpy.testing.assert_allclose(numpy.mean(diagonal, axis=0), run.series["pressure"], rtol=1e-12)


def test_trace_is_the_pressure_with_tail_corrections(tmp_path):
    """The same on each diagonal component: a cubic crystal has no other difference between them."""
    force = FORCE.replace('"force-shift"', '"none"\ntail = true').replace("cutoff = 2.5", "cutoff = 1.6")
    system = SYSTEMS[3].replace(", jitter = 0.05", "").replace("1.5", "0.0")
    folder = Folder(tmp_path / "run", one_stage(f'method = "verlet"\ndt = {DT}', 0, OBSERVE_TENSOR, system, force),
                    "compute.precision=double")
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        series = {name: item["value"][0] for name, item in file["observables"].items()}
    # 2 pi / 3 density^2 integral of r^3 u' from the cut-off on, u of Lennard-Jones
    tail = 16 * numpy.pi / 3 * 0.7 ** 2 * (2 / 3 * 1.6 ** -9 - 1.6 ** -3)
    assert abs(tail) > 0.5
    for name in ("pressure_xx", "pressure_yy", "pressure_zz"):
        assert series[name] == pytest.approx(series["pressure"], rel=1e-12)


def test_autocorrelation(coefficient):
    lag, value, error = coefficient.correlation
    flux, unit = coefficient.flux, 1
    for k, time in enumerate(lag):
        if k >= 16 and (k - 16) % 8 == 0:  # the next level: averages of pairs
            flux = flux[:, : flux.shape[1] // 2 * 2].reshape(len(flux), -1, 2).mean(axis=2)
            unit *= 2
        n = round(time / (DT * EVERY)) // unit
        expected = (flux[:, : flux.shape[1] - n] * flux[:, n:]).mean()
        assert value[k] == pytest.approx(coefficient.factor * expected, rel=1e-9, abs=1e-10)
        assert error[k] > 0.0 and (numpy.isfinite(error[k]) or unit > 1)  # enough origins, or not yet
    assert lag[-1] >= 160 * DT


def test_green_kubo_integral(coefficient):
    lag, value, error = coefficient.integral
    assert len(lag) == WINDOW + 1 and value[0] == 0.0
    for q in range(1, WINDOW + 1):
        found = []
        for start in coefficient.origins(0, q):
            products = (coefficient.flux[:, start:start + 1] * coefficient.flux[:, start:start + q + 1]).mean(axis=0)
            found.append(trapezoids(products, DT * EVERY))
        assert lag[q] == pytest.approx(q * DT * EVERY)
        assert value[q] == pytest.approx(coefficient.factor * numpy.mean(found), rel=1e-9, abs=1e-12)
        assert error[q] > 0.0


def test_helfand_slope(coefficient):
    lag, value, error = coefficient.slope
    steps = 0.5 * (coefficient.flux[:, 1:] + coefficient.flux[:, :-1]) * DT * EVERY
    moment = numpy.concatenate([numpy.zeros((len(steps), 1)), steps.cumsum(axis=1)], axis=1)
    half = WINDOW // 2 + 1
    for level, time in enumerate(lag):
        assert time == pytest.approx((WINDOW << level) * DT * EVERY)
        squares = [[((moment[:, s + (q << level)] - moment[:, s]) ** 2).mean()
                    for s in coefficient.origins(level, WINDOW)] for q in (half, WINDOW)]
        slope = (numpy.mean(squares[1]) - numpy.mean(squares[0])) / (2 * ((WINDOW - half) << level) * DT * EVERY)
        assert value[level] == pytest.approx(coefficient.factor * slope, rel=1e-9)


@pytest.mark.parametrize("precision", ["double", "mixed"])
def test_energy_moves_with_the_flux_of_heat(tmp_path, precision):
    """Of a droplet far from all faces, d/dt sum e_i r_i is the flux times the volume. Steps are so short
    that energy is conserved, and r is the distance from the middle of the droplet."""
    sites = numpy.stack(numpy.meshgrid(*[numpy.arange(4)] * 3), axis=-1).reshape(-1, 3) * 1.1 + 8.0
    random = numpy.random.default_rng(7)
    sites += random.uniform(-0.06, 0.06, sites.shape)
    velocity = random.normal(size=sites.shape)
    velocity -= velocity.mean(axis=0)
    lines = [f"A {' '.join(map(repr, map(float, numpy.concatenate(row))))}" for row in zip(sites, velocity)]
    system = 'seed = 1\n[system]\ndimension = 3\nfile = "start.xyz"\nbox = { lengths = [20.0, 20.0, 20.0] }\n'
    observe = "".join(f'[[observe]]\ntype = "{name}"\nevery = 1\n' for name in ("heat-flux", "thermo"))
    text = one_stage('method = "verlet"\ndt = 0.0002', 20, observe, system).replace(
        "trajectory = { every = 100 }", 'trajectory = { every = 1, fields = ["position", "velocity"] }')
    folder = Folder(tmp_path / "run", text, f"compute.precision={precision}")
    (folder.path / "start.xyz").write_text(
        f"{len(lines)}\nProperties=species:S:1:pos:R:3:velo:R:3\n" + "\n".join(lines) + "\n")
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        x, v = (file[f"particles/all/{name}/value"][:] for name in ("position", "velocity"))
        flux = numpy.array([file[f"observables/heat_flux_{d}/value"][:] for d in "xyz"]).T
        total = file["observables/total_energy/value"][:]
    moment = []
    for frame, at in enumerate(x):
        r = numpy.linalg.norm(at[:, None] - at[None], axis=2)
        numpy.fill_diagonal(r, numpy.inf)
        curve = lambda s: 4 * (s ** -12.0 - s ** -6.0)
        slope = lambda s: -48 * s ** -13.0 + 24 * s ** -7.0
        u = numpy.where(r < 2.5, curve(r) - curve(2.5) - slope(2.5) * (r - 2.5), 0)
        energy = 0.5 * (v[frame] ** 2).sum(axis=1) + 0.5 * u.sum(axis=1)
        assert energy.sum() == pytest.approx(total[frame], rel=1e-6)
        moment.append((energy[:, None] * (at - x[0].mean(axis=0))).sum(axis=0))
    rate = (numpy.array(moment)[2:] - numpy.array(moment)[:-2]) / (2 * 0.0002)
    numpy.testing.assert_allclose(20.0 ** 3 * flux[1:-1], rate, atol=1e-4 * numpy.abs(rate).max())


@pytest.mark.parametrize("method, warned", [("verlet", False), ("baoab", True)])
def test_a_bath_with_noise_is_not_the_fluid(method, warned, tmp_path):
    bath = "" if method == "verlet" else "\ntemperature = 1.0\nfriction = 1.0"
    observe = "".join(f'[[observe]]\ntype = "{name}"\nevery = 1\nwindow = 4\nlongest = 8\n'
                      for name in ("msd", "vacf", "viscosity", "thermal-conductivity"))
    observe += '[[observe]]\ntype = "rdf"\nevery = 5\n'
    folder = Folder(tmp_path / "run", one_stage(f'method = "{method}"\ndt = 0.004{bath}', 10, observe))
    told = [line for line in folder.run().err.splitlines() if "at constant energy" in line]
    assert len(told) == (1 if warned else 0)
    assert all(f"warning: msd, vacf, viscosity and thermal-conductivity with {method} (friction and noise" in line for line in told)
