# SPDX-License-Identifier: BSD-3-Clause
"""Constant pressure: what is sampled."""

import h5py
import numpy as np
import pytest
from harness import DEVICE, mdrun
from runs import BAOAB, FORCE, LIQUID, THERMO, Folder, one_stage

BAROSTAT = "\n[barostat]\npressure = {}\ntime = {}\ncompressibility = {}\nevery = {}\n"
#: Moves of ln V.
MONTE_CARLO = '\n[barostat]\ntype = "monte-carlo"\npressure = {}\namplitude = {}\nevery = {}\n'
#: A box with a mass.
MTK = '\n[barostat]\ntype = "mtk"\npressure = {}\nperiod = {}\n'
CHAIN_OF_THERMOSTATS = 'method = "nose-hoover"\ndt = 0.004\ntemperature = 1.0\nperiod = 0.3'
#: One whose volume is a coordinate.
ANDERSEN = MTK.replace("mtk", "nose-poincare-andersen")
NOSE_POINCARE = 'method = "nose-poincare"\ndt = 0.004\ntemperature = 1.0\nmass = 5.0'


def series(folder, name):
    with h5py.File(folder.path / "out.h5") as file:
        return file[f"observables/{name}/value"][:]


def mean(values):
    """The mean and its error from 40 blocks."""
    blocks = values[: len(values) // 40 * 40].reshape(40, -1).mean(axis=1)
    return blocks.mean(), blocks.std() / np.sqrt(39)


RDF = '[[stage.observe]]\ntype = "rdf"\nevery = 20\nbins = 40\n'


#: A salt whose charges are on a mesh.
IONS = LIQUID.replace("0.8", "0.35").replace('"fcc", repeat = [5, 5, 5]',
                                             '"rock-salt", repeat = [3, 3, 3], species = ["A", "B"], jitter = 0.02')
for name, charge in (("A", 1.0), ("B", -1.0)):
    IONS += f'[[species]]\nname = "{name}"\nmass = 1.0\ncharge = {charge}\n'
CHARGES = """\
[[force]]
type = "wca"
epsilon = 1.0
sigma = 1.0
[[force]]
type = "coulomb-pme"
accuracy = 1e-4
cutoff = 3.0
"""
#: Averages of some 10,000 steps; on a device whole runs are compared with those of a CPU.
long = pytest.mark.skipif(DEVICE == "cuda", reason="long averages, on a CPU")
BATH = 'method = "baoab"\ndt = 0.01\ntemperature = 1.5\nfriction = 2.0'
CHAIN = 'method = "nose-hoover"\ndt = 0.01\ntemperature = 1.5\nperiod = 0.5'


@long
@pytest.mark.parametrize("integrator, plane, missing", [(BATH, False, 0), (BATH, True, 0), (CHAIN, False, 1)],
                         ids=["baoab", "baoab-2d", "nose-hoover"])
@pytest.mark.parametrize("barostat", [BAROSTAT.format(0.15, 4.0, 6.6, 4), MONTE_CARLO.format(0.15, 0.4, 4)],
                         ids=["cell-rescaling", "monte-carlo"])
def test_the_volume_of_an_ideal_gas(barostat, integrator, plane, missing, tmp_path):
    """p(V) ~ V^N exp(-PV/kT): <V> = (N + 1) kT / P, var V = (N + 1) (kT / P)^2; and the momenta of
    the particles, or of one less where they are conserved, have the pressure. Few particles, so that
    the 1 shows."""
    system = LIQUID.replace("density = 0.8", "density = 0.1").replace("1.0 }", "1.5 }").replace(
        '"fcc", repeat = [5, 5, 5]', '"square", repeat = [12, 8]' if plane else '"sc", repeat = [4, 4, 3]')
    if plane:
        system = system.replace("dimension = 3", "dimension = 2")
    text = one_stage(integrator + barostat, 800_000, THERMO.replace("every = 5", "every = 40"), system, "")
    folder = Folder(tmp_path / "run", text, "run.equilibration=1000")
    folder.run()
    volume, pressure = series(folder, "volume")[100:], series(folder, "pressure")[100:]
    n, kT, P = 96 if plane else 48, 1.5, 0.15
    for found, expected, most in ((volume, (n + 1) * kT / P, 0.02),
                                  ((volume - volume.mean())**2, (n + 1) * (kT / P)**2, 0.1),
                                  (volume * (pressure - P), -(1 + missing) * kT, 0.4)):
        value, error = mean(found)
        assert abs(value - expected) < 4.5 * error and error < most * abs(expected)
    conserved = series(folder, "conserved_energy")
    # Steps of the volume are rounded to 1e-16 of an energy of 108; the chain has an error of dt^2.
    assert np.ptp(conserved) < (1e-9 if integrator == BATH else 0.1)
    assert np.allclose(series(folder, "density")[100:], n / volume, rtol=1e-14)


@long
@pytest.mark.parametrize("plane", [False, True], ids=["3d", "2d"])
def test_the_volume_of_an_ideal_gas_in_a_box_with_a_mass(plane, tmp_path):
    """p(V) ~ V^(N-1) exp(-PV/kT), since total momentum is conserved: <V> = N kT / P, var V = N (kT / P)^2, <P_int> = P and
    <V (P_int - P)> = -kT."""
    system = LIQUID.replace("density = 0.8", "density = 0.1").replace("1.0 }", "1.5 }").replace(
        '"fcc", repeat = [5, 5, 5]', '"square", repeat = [12, 8]' if plane else '"sc", repeat = [4, 4, 3]')
    if plane:
        system = system.replace("dimension = 3", "dimension = 2")
    text = one_stage(CHAIN.replace("0.01", "0.02") + MTK.format(0.15, 3.0), 600_000,
                     THERMO.replace("every = 5", "every = 40"), system, "")
    folder = Folder(tmp_path / "run", text, "run.equilibration=2000")
    folder.run()
    volume, pressure = series(folder, "volume")[100:], series(folder, "pressure")[100:]
    n, kT, P = 96 if plane else 48, 1.5, 0.15
    for found, expected, most in ((volume, n * kT / P, 0.02), ((volume - volume.mean())**2, n * (kT / P)**2, 0.1),
                                  (pressure, P, 0.02), (volume * (pressure - P), -kT, 0.4)):
        value, error = mean(found)
        assert abs(value - expected) < 4.5 * error and error < most * abs(expected), (value, expected, error)
    # No map that is symplectic: it wanders, here by 0.006 kT per degree of freedom in a time of 12000.
    assert np.ptp(series(folder, "conserved_energy")) < 0.02 * 1.5 * 3 * n


#: Soft spheres which collide, 48 of them.
SPHERES = LIQUID.replace("density = 0.8", "density = 0.1").replace("1.0 }", "1.5 }").replace(
    '"fcc", repeat = [5, 5, 5]', '"sc", repeat = [4, 4, 3]')
SPHERE_FORCE = '[[force]]\ntype = "wca"\nepsilon = 1.0\nsigma = 1.0\n'


@long
def test_a_gas_in_a_box_whose_volume_is_a_coordinate(tmp_path):
    """<P_int> = P and <V (P_int - P)> = -kT, and V as in a box by Martyna, Tobias and Klein: 575.1(4), of variance 4905(69)."""
    text = one_stage(NOSE_POINCARE.replace("= 1.0", "= 1.5").replace("5.0", "2.7") + ANDERSEN.format(0.15, 3.0), 800_000,
                     THERMO.replace("every = 5", "every = 40"), SPHERES, SPHERE_FORCE)
    folder = Folder(tmp_path / "run", text, "run.equilibration=2000", "compute.precision=double")
    folder.run()
    volume, pressure = series(folder, "volume")[100:], series(folder, "pressure")[100:]
    for found, expected, off, most in ((pressure, 0.15, 0.0, 0.02), (volume * (pressure - 0.15), -1.5, 0.0, 0.2),
                                       (volume, 575.1, 0.4, 0.01), ((volume - volume.mean())**2, 4905.0, 69.0, 0.1)):
        value, error = mean(found)
        assert abs(value - expected) < 4.5 * np.hypot(error, off) and error < most * abs(expected), (value, expected, error)
    # A symplectic map: no drift, but that of a potential whose third derivative jumps.
    assert np.ptp(series(folder, "conserved_energy")) < 0.005 * 1.5 * 3 * 48


@long
@pytest.mark.parametrize("integrator, tail", [(BAOAB, False), (CHAIN_OF_THERMOSTATS, False), (BAOAB, True)],
                         ids=["baoab", "nose-hoover", "tail"])
@pytest.mark.parametrize("barostat", [BAROSTAT.format(1.0, 0.5, 0.15, 10), MONTE_CARLO.format(1.0, 0.1, 10)],
                         ids=["cell-rescaling", "monte-carlo"])
def test_a_liquid_has_the_pressure_that_was_asked_for(barostat, integrator, tail, tmp_path):
    """The mean pressure of dynamics; where density falls a tail falls, too, which a constant one of
    this cut-off would show by 0.02."""
    force = FORCE.replace('"force-shift"', '"none"\ntail = true') if tail else FORCE
    text = one_stage(integrator.replace("1.0", "1.5", 1) + barostat, 30_000,
                     THERMO.replace("every = 5", "every = 10"),
                     LIQUID.replace("0.8", "0.63").replace("5, 5, 5", "3, 3, 3"), force)
    folder = Folder(tmp_path / "run", text, "run.equilibration=3000")
    folder.run()
    volume, pressure = series(folder, "volume")[300:], series(folder, "pressure")[300:]
    value, error = mean(volume * (pressure - 1.0))
    assert abs(value + 1.5) < 4.5 * error and error < 0.05 * volume.mean()
    assert 0.02 < volume.std() / volume.mean() < 0.09


@long
@pytest.mark.parametrize("plane, precision", [(False, "mixed"), (False, "double"), (True, "mixed")], ids=["mixed", "double", "2d"])
def test_a_liquid_has_the_volumes_of_cell_rescaling_by_moves(plane, precision, tmp_path):
    """Density and variance of V; in the plane too."""
    system = LIQUID.replace("0.8", "0.63").replace("5, 5, 5", "4, 4, 4").replace("1.0 }", "1.5 }")
    if plane:
        system = system.replace("dimension = 3", "dimension = 2").replace('"fcc", repeat = [4, 4, 4]', '"square", repeat = [16, 16]')
    found = []
    for barostat in (BAROSTAT.format(1.0, 0.3, 0.2, 5), MONTE_CARLO.format(1.0, 0.06, 5)):
        text = one_stage(BAOAB.replace("temperature = 1.0", "temperature = 1.5") + barostat, 40_000,
                         THERMO.replace("every = 5", "every = 10"), system)
        folder = Folder(tmp_path / f"run_{len(found)}", text, "run.equilibration=4000", f'compute.precision="{precision}"')
        folder.run()
        volume = series(folder, "volume")[400:]
        found.append((mean(volume), mean((volume - volume.mean())**2)))
        # Moves are no steps of a method, whose error of dt^2 this is: some 1e-5 of 256 kT.
        assert np.ptp(series(folder, "conserved_energy")) < 0.005 * 1.5 * 256
    for (a, da), (b, db), most in zip(*found, (0.01, 0.3)):
        assert abs(a - b) < 4.5 * np.hypot(da, db) and db < most * b, found


@long
def test_charges_have_the_pressure_that_was_asked_for(tmp_path):
    text = one_stage(BAOAB.replace("0.004", "0.008") + BAROSTAT.format(0.5, 1.0, 0.4, 10), 15_000,
                     THERMO.replace("every = 5", "every = 10"), IONS, CHARGES)
    folder = Folder(tmp_path / "run", text, "run.equilibration=2000")
    folder.run()
    volume, pressure = series(folder, "volume")[200:], series(folder, "pressure")[200:]
    value, error = mean(volume * (pressure - 0.5))
    assert abs(value + 1.0) < 4.5 * error and error < 0.01 * volume.mean()
    assert 0.01 < volume.std() / volume.mean() < 0.09
    assert abs(volume.mean() * 0.35 / 216 - 1.0) > 0.1
    text = text.replace("pressure = 0.5", "pressure = 0.01").replace("15000", "1000")
    grown = mdrun(*Folder(tmp_path / "grown", text).arguments(), cwd=tmp_path / "grown")
    assert "times as long as at the start (the mesh" in grown.err


#: Ideal trimers with bonds whose period is 19 steps, and all of whose momenta are colder than the bath by 0.8 %.
TRIMERS = LIQUID.replace("0.8", "0.3").replace('"fcc", repeat = [5, 5, 5]', '"sc", repeat = [4, 4, 4]') + """\
[[species]]
name = "O"
mass = 4.0
[[species]]
name = "H"
mass = 1.0
[[molecule]]
name = "w"
count = 64
atoms = ["O", "H", "H"]
places = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [-0.2, 0.45, 0.0]]
bonds = [{ atoms = [0, 1] }, { atoms = [0, 2] }]
angles = [{ atoms = [1, 0, 2] }]
exclude = 2
"""
TRIMER_FORCES = """\
[[force]]
type = "harmonic-bond"
k = 200.0
r0 = 0.5
[[force]]
type = "harmonic-angle"
k = 20.0
theta0 = 110.0
"""


@long
@pytest.mark.parametrize("barostat", [BAROSTAT.format(0.3, 0.3, 3.0, 2), MONTE_CARLO.format(0.3, 0.1, 2)],
                         ids=["cell-rescaling", "monte-carlo"])
def test_the_volume_does_not_know_how_warm_momenta_are(barostat, tmp_path):
    """p(V) ~ V^64 exp(-PV/kT), of as many molecules."""
    text = one_stage(BAOAB.replace("0.004", "0.02") + barostat, 200_000,
                     THERMO.replace("every = 5", "every = 10"), TRIMERS, TRIMER_FORCES)
    folder = Folder(tmp_path / "run", text, "run.equilibration=2000")
    folder.run()
    value, error = mean(series(folder, "temperature")[200:])
    assert value < 1.0 - 5.0 * error
    value, error = mean(series(folder, "volume")[200:])
    assert abs(value - 65.0 / 0.3) < 4.5 * error and error < 0.005 * value


@pytest.mark.skipif(DEVICE == "cpu", reason="there is no other device")
@pytest.mark.parametrize("system, force", [(LIQUID, FORCE), (IONS, CHARGES)], ids=["liquid", "ions"])
@pytest.mark.parametrize("barostat", [BAROSTAT.format(3.0, 0.2, 0.1, 3), MONTE_CARLO.format(3.0, 0.02, 3)],
                         ids=["cell-rescaling", "monte-carlo"])
def test_a_device_has_the_volumes_of_a_cpu(barostat, system, force, tmp_path):
    text = one_stage(BAOAB + barostat, 30, THERMO, system, force)
    volumes = []
    for device in ("cpu", DEVICE):
        folder = Folder(tmp_path / f"on_{len(volumes)}", text, f'compute.device="{device}"',
                        'compute.precision="double"')
        folder.run()
        volumes.append(series(folder, "volume"))
    assert len(set(volumes[0])) > 4
    assert np.allclose(*volumes, rtol=1e-7)
