# SPDX-License-Identifier: BSD-3-Clause
"""Every shipped input at reduced length, against what its own first lines promise."""
import subprocess

import h5py
import numpy as np
import pytest
from shipped import INPUTS, MDRUN, needs_mdrun, run_input

pytestmark = needs_mdrun


class Result:
    """The observables of a run as arrays, and its particles."""

    def __init__(self, path):
        with h5py.File(path) as file:
            for name, group in file["observables"].items():
                setattr(self, name.replace("-", "_"), group["value"][...])
            for name, group in file.get("averages", {}).items():
                setattr(self, name, group["value"][...])
                setattr(self, f"{name}_error", group["error"][...])
            self.step = file["observables/temperature/step"][...]
            self.time = file["observables/temperature/time"][...]
            self.order_time = (file["observables/bond_order_6/time"][...]
                               if "bond_order_6" in file["observables"] else None)
            self.species = file["particles/all/species"][...] if "particles/all" in file else None
            self.position = file["particles/all/position/value"][...] if "particles/all" in file else None


@pytest.fixture
def run(tmp_path):
    return lambda name, *settings: Result(run_input(name, tmp_path / name, *settings))


def test_every_input_is_tested_and_is_valid():
    names = {path.stem for path in INPUTS.glob("*.toml")}
    assert names == {"alanine_dipeptide", "planar_cluster", "droplet_collision", "lj_melt", "lj_liquid_2d", "lj_liquid", "kob_andersen",
                     "granular", "lj_shear", "lj_state_point", "lj_transport", "logarithmic_plasma", "molten_salt", "plasma_2d",
                     "polymer_melt", "slit", "water", "yukawa_colloids"}
    for name in names:
        text = (INPUTS / f"{name}.toml").read_text()
        assert "# Expect:" in text
        done = subprocess.run([MDRUN, INPUTS / f"{name}.toml", "--check"], capture_output=True)
        assert done.returncode == 0


def test_planar_cluster(run):
    # The windows of Leimkuhler and Reich's experiment as three seeds of a reference program span
    # them: the lattice at t = 0, order turned to triangular from t = 5 on.
    result = run("planar_cluster", "run.steps=1500")
    assert 2150 <= result.bond_order_4[0] <= 2165
    assert -725 <= result.bond_order_6[0] <= -715
    settled = result.order_time >= 5
    assert np.all(result.bond_order_4[settled] < 0)
    assert result.bond_order_6[settled].max() > 3000
    assert -392.90 <= result.total_energy[0] <= -392.65
    assert np.max(np.abs(result.total_energy - result.total_energy[0])) < 0.08
    assert np.max(np.abs(result.momentum)) < 1e-9


def test_droplet_collision(run):
    # The impact, which is over at t = 2; a time that steps of one length would need twice as many for.
    result = run("droplet_collision", "run.steps=1500", "observe.0.every=5")
    assert result.total_energy[0] == pytest.approx(806.794, abs=1e-3)
    assert np.max(np.abs(result.total_energy - result.total_energy[0])) < 0.45
    assert np.max(np.abs(result.momentum)) < 1e-9
    assert result.kinetic_energy[0] == pytest.approx(3216.0, abs=0.1)
    assert 1400 < result.kinetic_energy[-1] < 1650
    assert result.step_length[0] == pytest.approx(0.002, rel=1e-12)
    np.testing.assert_allclose(result.step_length, 0.002 * 3216.0 / result.kinetic_energy, rtol=0.02)
    assert result.time[-1] > 4.5


def test_lj_melt(run):
    # Step 0 is the lattice and T exactly 1.44: numbers without statistics. Step 100 as LAMMPS has
    # it (T = 0.7575, E_pair = -5.7585); another seed differs by T sqrt(2 / 3N) = 0.0035 at most a
    # few times.
    result = run("lj_melt", "run.steps=100", 'compute.precision="double"')
    n = 32000
    assert result.potential_energy[0] / n == pytest.approx(-6.7733680532, abs=1e-9)
    assert result.pressure[0] == pytest.approx(-5.0197072591, abs=1e-9)
    assert result.temperature[0] == pytest.approx(1.44, rel=1e-12)
    assert result.temperature[-1] == pytest.approx(0.7575, abs=0.015)
    assert result.potential_energy[-1] / n == pytest.approx(-5.7585, abs=0.03)


def test_alanine_dipeptide(run):
    # 50 ps: some 1000 independent temperatures, each with a spread of 52 K in 66 degrees of freedom.
    # The molecule stays about the minima at phi = -81 and -150, where psi is 70 and 160.
    result = run("alanine_dipeptide", "stage.0.steps=20_000", "stage.1.steps=100_000", "compute.threads=1")
    assert abs(result.temperature.mean() - 298.4) < 7.0
    phi = 5.0 * np.arange(-36, 36) + 2.5
    found, psi = result.dihedral_distribution_5[-1], result.dihedral_distribution_9[-1]
    assert found.sum() * 5.0 == pytest.approx(1.0, abs=1e-9)
    assert found[(phi > -180) & (phi < -40)].sum() * 5.0 > 0.8
    assert -100 < phi[found.argmax()] < -60
    assert psi[(phi > 20) & (phi < 180)].sum() * 5.0 > 0.8


def relative_range(energy, count, temperature):
    """Of the conserved energy, in kT per particle."""
    return np.ptp(energy) / (count * temperature)


def test_lj_liquid_2d(run):
    # 2 x 80 x 46 particles. The bath leaves T within a few sqrt(2 / 2N) = 1.2%, and partition
    # with the potential energy lets it go on wandering by as much.
    result = run("lj_liquid_2d", "stage.0.steps=1500", "stage.1.steps=1000")
    sampling = result.step > 1500
    assert result.temperature[sampling].mean() == pytest.approx(1.0, abs=0.06)
    assert relative_range(result.total_energy[sampling], 7360, 1.0) < 1e-3
    assert result.bond_order_6[-1] < 0.6 * 15 * 7360


def test_lj_liquid(run):
    # Thol's equation of state has U = -6.08 per particle for the full potential here; the shifted
    # force lifts it by about 1.5, so only the range is asked. T: sqrt(2 / 3N) = 1.3% at the end of
    # the bath, and the short melt is not quite over.
    result = run("lj_liquid", "stage.0.steps=1500", "stage.1.steps=1000")
    sampling = result.step > 1500
    assert result.temperature[sampling].mean() == pytest.approx(0.722, abs=0.04)
    assert -4.8 < result.potential_energy[sampling].mean() / 4000 < -4.4
    assert relative_range(result.total_energy[sampling], 4000, 0.722) < 1e-3


def test_lj_state_point(run):
    # Four errors of the pressure that is asked for; 2048 particles have an energy that is known ten
    # times better than asked here. A hundred independent samples take some 3000.
    result = run("lj_state_point", "stage.0.steps=4000", "stage.1.until.error=0.04")
    sampling = result.step > 4000
    assert 40_000 > sampling.sum() > 100  # ended by its error
    assert result.pressure[sampling].mean() == pytest.approx(0.5535, abs=0.16)
    assert result.potential_energy[sampling].mean() / 2048 == pytest.approx(-5.7947, abs=0.02)


def test_lj_transport(run):
    # A fifth of its length: the errors are then about 0.4 and 0.5, and known to a fifth.
    result = run("lj_transport", "stage.0.steps=3000", "stage.1.steps=60_000")
    ways = ((3.2, result.viscosity_green_kubo, result.viscosity_green_kubo_error, slice(100, None)),
            (3.2, result.viscosity_helfand, result.viscosity_helfand_error, slice(0, 2)),
            (6.9, result.thermal_conductivity_green_kubo,
             result.thermal_conductivity_green_kubo_error, slice(20, None)),
            (6.9, result.thermal_conductivity_helfand, result.thermal_conductivity_helfand_error,
             slice(0, 2)))
    for expected, value, error, late in ways:
        assert np.all(error[-1][late] < 0.4 * expected)
        assert np.all(np.abs(value[-1][late] - expected) < 4 * error[-1][late])
    early = result.viscosity_green_kubo[-1][16]  # t = 0.32, long before noise
    assert early == pytest.approx(2.5, abs=5 * result.viscosity_green_kubo_error[-1][16])


def test_kob_andersen(run):
    result = run("kob_andersen", "stage.0.steps=1500", "stage.1.steps=1000")
    assert np.bincount(result.species).tolist() == [3200, 800]
    sampling = result.step > 1500
    assert result.temperature[sampling].mean() == pytest.approx(1.0, abs=0.06)
    assert relative_range(result.total_energy[sampling], 4000, 1.0) < 1e-3


def test_slit(run):
    # 512 particles: T within a few sqrt(2 / 3N) = 3.6 % of the bath. Layers stand at the walls
    # and are twice as dense as the middle; the halves differ by noise, 5 % of a bin and more.
    result = run("slit", "stage.0.steps=2000", "stage.1.steps=4000")
    sampling = result.step > 2000
    assert result.temperature[sampling].mean() == pytest.approx(1.0, abs=0.15)
    assert relative_range(result.total_energy[sampling], 512, 1.0) < 2e-3
    assert np.abs(result.momentum[sampling][:, :2]).max() < 1e-3
    density = result.density_profile[-1]
    assert density.sum() * 0.1 * 8.8**2 == pytest.approx(512, abs=1e-6)
    middle = density[35:65].mean()
    for half in (density, density[::-1]):
        assert half[:5].max() == 0.0
        assert 2.0 * middle < half[5:15].max() < 6.0 * middle


def test_granular(run):
    result = run("granular", "run.steps=10_000")
    settled = result.time > 2
    temperature = result.temperature[settled].mean()
    filling = 0.4 * (1 - np.sqrt(np.pi * temperature / 2e4)) ** 2
    henderson = (1 + filling**2 / 8) / (1 - filling) ** 2
    density = 0.4 / (np.pi / 4)
    # A mean over 8 time units has an error below 1%; Henderson's equation is right to 0.1% here.
    assert result.pressure[settled].mean() / (density * temperature) == \
        pytest.approx(henderson, rel=0.03)
    assert relative_range(result.total_energy, 4000, 1.0) < 1e-3


def test_polymer_melt(run):
    # 9800 bonds of length b; <b^2> = 0.931 in equilibrium (LAMMPS: 0.9311), from above: 0.944 after the
    # 7 time units here, with a spread of 0.08 / sqrt(9800) in a frame.
    result = run("polymer_melt", "stage.0.steps=1000", "stage.1.steps=200", "output.trajectory={every=1200}")
    chain = result.position[-1].reshape(200, 50, 3)
    edges = np.array([20, 20, 25]) * 0.85 ** (-1 / 3)
    bond = np.diff(chain, axis=1)
    bond -= edges * np.round(bond / edges)
    squares = np.sum(bond**2, axis=-1)
    assert squares.mean() == pytest.approx(0.94, abs=0.01)
    assert squares.max() < 1.5**2
    # The energy of the springs is that of these bonds.
    energy = -0.5 * 30 * 1.5**2 * np.log(1 - squares / 1.5**2)
    assert result.potential_energy_fene_bond[-1] == pytest.approx(energy.sum(), rel=1e-6)
    # 30,000 degrees of freedom: a bath leaves sqrt(2 / 30000) = 0.8 %.
    assert result.temperature[-5:].mean() == pytest.approx(1.0, abs=0.04)


def test_molten_salt(run):
    # 1000 ions instead of 2744, which melt and cool within some thousand steps. Energy and pressure at 1300 K, as a
    # longer run and LAMMPS have them, change with T by 3.2 k_B and by the thermal pressure coefficient; both vary
    # by a few tenths of what is allowed from seed to seed.
    result = run("molten_salt", "system.lattice.repeat=[5, 5, 5]", "stage.0.steps=2000", "stage.1.steps=6000",
                 "stage.2.steps=14_000", "compute.threads=1")
    temperature = result.temperature.mean()
    assert abs(temperature - 1300.0) < 80.0
    energy = result.potential_energy.mean() / 1000 - 3.2 * 0.0019872 * (temperature - 1300.0)
    assert abs(energy + 86.1) < 0.25
    assert abs(result.pressure.mean() - 14.4 * (temperature - 1300.0) - 5300.0) < 400.0  # atm
    peak = result.rdf_Na_Cl[-1]
    assert abs(peak.max() - 4.6) < 0.25
    assert abs((peak.argmax() + 0.5) * 0.05 - 2.75) < 0.11
    energies = result.total_energy
    assert np.ptp(energies) < 5.0  # kcal/mol of -84,000
    assert np.abs(result.momentum).max() < 0.1  # of a thermal 280; mixed


def test_plasma_2d(run):
    # 256 electrons instead of 1024. U/N in some 50 independent samples of sqrt(0.88 / 256) = 0.06, where 0.88 is the
    # heat capacity; the pressure is U's, since 1/r in a plane has the virial U, but for the mesh.
    result = run("plasma_2d", "system.lattice.repeat=[16, 8]", "stage.0.steps=1000", "stage.1.steps=2000",
                 "stage.2.steps=10_000", "compute.threads=1")
    energy = result.potential_energy / 256
    assert abs(energy.mean() + 54.176) < 0.04
    assert abs(result.temperature.mean() - 1.0) < 0.05
    assert np.allclose(result.pressure, (result.temperature + energy / 2) / np.pi, rtol=0, atol=0.002)
    peak = result.rdf[-1]
    assert abs(peak.max() - 2.12) < 0.15
    assert abs((peak.argmax() + 0.5) * 0.05 - 1.78) < 0.11


def test_logarithmic_plasma(run):
    # Exact at Gamma = 2; the energy of 900 particles fluctuates by 8, every 12 measurements anew.
    result = run("logarithmic_plasma", "run.steps=8000", "run.equilibration=1000")
    n, area = 900, 900 * np.pi
    sampling = result.step > 1000
    assert result.potential_energy[sampling].mean() / n == pytest.approx(-0.144304, abs=0.004)
    # r.f is q^2 for each pair, at the accuracy of the forces.
    assert np.allclose(result.pressure, (result.kinetic_energy - n / 4) / area, rtol=0, atol=2e-5)
    r = 0.1 * (np.arange(40) + 0.5)
    assert np.all(np.abs(result.rdf[0] - (1 - np.exp(-r ** 2))) < 5 * result.rdf_error[0] + 0.003)


def test_yukawa_colloids(run):
    # 1458 particles instead of 2000. At constant energy T wanders, and U/N with it by the heat capacity of 0.94.
    result = run("yukawa_colloids", "system.lattice.repeat=[9, 9, 9]", "stage.0.steps=500", "stage.1.steps=1000",
                 "stage.2.steps=1000", "compute.threads=1")
    temperature = result.temperature.mean()
    assert abs(temperature - 1.0) < 0.06
    assert abs(result.potential_energy.mean() / 1458 - 0.94 * (temperature - 1.0) - 12.132) < 0.02
    assert abs(result.pressure.mean() - 0.45 * (temperature - 1.0) - 4.811) < 0.006
    assert np.ptp(result.total_energy) < 1.0  # of 20,000
    peak = result.rdf[-1]
    assert abs(peak.max() - 1.60) < 0.15  # bins of 3000 pairs
    assert abs((peak.argmax() + 0.5) * 0.03 - 1.635) < 0.08


def test_water(run):
    # 216 molecules instead of 512, equilibrated for 1.5 ps under more friction. Energy and temperature differ by 0.1 and
    # 3 K from seed to seed, pressure in longer runs by 500 atm; bonds and angles by 0.0005 and 0.3.
    result = run("water", "system.lattice.repeat=[6, 6, 6]", "molecule.0.count=216", "stage.0.steps=3000",
                 "stage.0.integrator.friction=1.0", "stage.1.steps=3000", "stage.1.integrator.friction=0.5",
                 "compute.threads=1")
    assert abs(result.temperature.mean() - 297.0) < 12.0
    assert abs(result.potential_energy.mean() / 216 + 10.2) < 0.35
    assert abs(result.pressure.mean()) < 2000.0
    length = 0.8 + 0.005 * (np.arange(100) + 0.5)
    bonds = result.bond_length_distribution[-1]
    assert bonds.sum() * 0.005 == pytest.approx(1.0, abs=1e-9)
    assert abs(bonds @ length * 0.005 - 1.031) < 0.002
    theta = 1.8 * (np.arange(100) + 0.5)
    assert abs(result.angle_distribution[-1] @ theta * 1.8 - 107.7) < 1.2
    peak = result.rdf_O_O[-1]
    assert abs(peak.max() - 3.15) < 0.4
    assert abs((peak.argmax() + 0.5) * 0.045 - 2.73) < 0.14


def test_lj_shear(run):
    result = run("lj_shear", "stage.0.steps=1500", "stage.0.integrator.temperature=[[0, 2.0], [500, 2.0], [1500, 0.722]]",
                 "stage.1.steps=4000", "stage.1.equilibration=1000", "stage.1.shear.rate=1.0")
    flow = result.shear_viscosity[200:]
    assert abs(flow.mean() - 2.11) < 0.08
    assert abs(result.temperature[-300:].mean() - 0.722) < 0.002
