# SPDX-License-Identifier: BSD-3-Clause
"""The units that results carry: every observable's, in reduced and in real units."""

import h5py
import pytest
from runs import ARRAYS, CHAIN_FORCES, CHAINS, FORCE, Folder, one_stage

OBSERVE = ARRAYS + """\
[[observe]]
type = "thermo"
every = 5
[[observe]]
type = "steinhardt"
radius = 1.5
every = 10
""" + "".join(f'[[observe]]\ntype = "{name}"\nevery = 5\n' for name in (
    "stress", "heat-flux", "angular-momentum", "directional-temperature", "energy-terms", "shadow-energy"))
MOLECULAR = "".join(f'[[observe]]\ntype = "{name}"\nevery = 5\n{keys}\n' for name, keys in (
    ("bonded-distribution", "range = [0.5, 1.5]"), ("bonded-distribution", 'of = "angles"'), ("molecule-size", ""), ("molecular-pressure", "")))
#: In a plane, and in a shear.
PLANE = {"bond-order": ("radius = 1.5\nglobal = true", {"bond_order_6": "", "global_psi_6": ""}),
         "bond-correlation": ("radius = 1.5", {"bond_correlation_6": "", "bond_correlation_6/r": "sigma"}),
         "positional-correlation": ("radius = 1.5", {"positional_correlation_6": "", "positional_correlation_6/x": "sigma"})}
SHEARED = {"shear-flow": ("", {"shear_stress": "epsilon/sigma^3", "shear_viscosity": "sqrt(epsilon m)/sigma^2",
                               "normal_stress_difference_1": "epsilon/sigma^3"})}

TIME = "(48.88821 fs)"  # Angstrom sqrt(u mol/kcal)

#: name, or axis as NAME/AXIS: reduced units, real units
UNITS = {
    "potential_energy": ("epsilon", "kcal mol-1"),
    "kinetic_energy": ("epsilon", "kcal mol-1"),
    "conserved_energy": ("epsilon", "kcal mol-1"),
    "temperature": ("epsilon/k_B", "K"),
    "pressure": ("epsilon/sigma^3", "atm"),
    "momentum": ("sqrt(m epsilon)", f"u Angstrom/{TIME}"),
    "pressure_xy": ("epsilon/sigma^3", "atm"),
    "heat_flux_x": ("epsilon sqrt(epsilon/m)/sigma^3", f"kcal mol-1/(Angstrom^2 {TIME})"),
    "angular_momentum": ("sigma sqrt(m epsilon)", f"u Angstrom^2/{TIME}"),
    "temperature_x": ("epsilon/k_B", "K"),
    "potential_energy_lennard-jones": ("epsilon", "kcal mol-1"),
    "shadow_energy": ("epsilon", "kcal mol-1"),
    "rdf": ("", ""),
    "rdf/r": ("sigma", "Angstrom"),
    "structure_factor/k": ("1/sigma", "1/Angstrom"),
    "intermediate_scattering": ("", ""),
    "intermediate_scattering/lag": ("sigma sqrt(m/epsilon)", "48.88821 fs"),
    "density_map": ("1/sigma^3", "1/Angstrom^3"),
    "pair_density": ("1/sigma^3", "1/Angstrom^3"),
    "radial_density/r": ("sigma", "Angstrom"),
    "cluster_sizes": ("", ""),
    "density_profile": ("1/sigma^3", "1/Angstrom^3"),
    "velocity_distribution": ("sqrt(m/epsilon)", f"{TIME}/Angstrom"),
    "velocity_distribution/v": ("sqrt(epsilon/m)", f"Angstrom/{TIME}"),
    "kinetic_energy_distribution": ("1/epsilon", "1/(kcal mol-1)"),
    "kinetic_energy_distribution/kinetic_energy": ("epsilon", "kcal mol-1"),
    "msd": ("sigma^2", "Angstrom^2"),
    "non_gaussian": ("", ""),
    "diffusion": ("sigma sqrt(epsilon/m)", f"Angstrom^2/{TIME}"),
    "vacf": ("epsilon/m", f"Angstrom^2/{TIME}^2"),
    "diffusion_green_kubo": ("sigma sqrt(epsilon/m)", f"Angstrom^2/{TIME}"),
    "viscosity_green_kubo": ("sqrt(epsilon m)/sigma^2", f"atm {TIME}"),
    "thermal_conductivity_green_kubo": ("k_B sqrt(epsilon/m)/sigma^2",
                                        f"kcal mol-1/(Angstrom {TIME} K)"),
    "time_correlation_hypervirial_velocity_excess": ("epsilon", "kcal mol-1"),
    "time_correlation_hypervirial_velocity_excess/lag": ("sigma sqrt(m/epsilon)", "48.88821 fs"),
    "distribution_squared_force": ("sigma^2/epsilon^2", "Angstrom^2/(kcal mol-1)^2"),
    "distribution_squared_force/squared_force": ("epsilon^2/sigma^2", "(kcal mol-1)^2/Angstrom^2"),
    "distribution_squared_force_outside": ("", ""),
    "steinhardt_6": ("", ""),
    "coordination": ("", ""),
}

#: Argon instead of the reduced liquid.
ARGON = [("density = 0.8 ", "density = 0.0203 "), ("temperature = 1.0", "temperature = 120.0"),
         ("epsilon = 1.0", "epsilon = 0.238"), ("sigma = 1.0", "sigma = 3.405"),
         ("cutoff = 2.5", "cutoff = 8.5"), ("dimension = 3", 'dimension = 3\nunits = "akma"'),
         ("dt = 0.004", "dt = 0.2"), ("longest = 8.0", "longest = 2.5"),
         ("[4.0]", "[1.2]"), ("[6.0]", "[1.8]"), ("radius = 1.5", "radius = 5.0"),
         ("[[force]]", '[[species]]\nname = "Ar"\nmass = 39.948\n[[force]]')]


def unit_of(file, name):
    """Of a quantity, or of an axis of one."""
    group, _, axis = name.partition("/")
    place = "observables" if group in file["observables"] else "averages"
    return file[f"{place}/{group}/{axis or 'value'}"].attrs["unit"]


@pytest.mark.parametrize("system, column", [("lj", 0), ("akma", 1)])
def test_each_quantity_has_its_unit(system, column, tmp_path):
    text = one_stage('method = "verlet"\ndt = 0.004', 300, OBSERVE)
    for old, new in ARGON if system == "akma" else []:
        assert old in text, old
        text = text.replace(old, new, 1)
    folder = Folder(tmp_path / "run", text)
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        for name, units in UNITS.items():
            assert unit_of(file, name) == units[column], name
        time = file["observables/temperature/time"].attrs["unit"]
    assert time == UNITS["intermediate_scattering/lag"][column]
    averages = folder.averages()["averages"]
    assert averages["pressure"]["unit"] == UNITS["pressure"][column]


@pytest.mark.parametrize("observed, system, shear", [
    (PLANE, 'dimension = 2\nbox = { density = 0.8 }\nlattice = { type = "square", repeat = [16, 16] }', ""),
    (SHEARED, 'dimension = 3\nbox = { density = 0.8 }\nlattice = { type = "fcc", repeat = [5, 5, 5] }', "[shear]\nrate = 0.1\n")])
def test_those_of_a_plane_and_of_a_shear_have_theirs(observed, system, shear, tmp_path):
    observe = "".join(f'[[observe]]\ntype = "{name}"\nevery = 5\n{keys}\n' for name, (keys, _) in observed.items())
    bath = 'method = "bussi"\ndt = 0.004\ntemperature = 1.0\ntime = 0.5'
    folder = Folder(tmp_path / "run", one_stage(bath, 100, observe, f"[system]\n{system}\nvelocity = {{ temperature = 1.0 }}\n") + shear)
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        for _, units in observed.values():
            for name, unit in units.items():
                assert unit_of(file, name) == unit, name


def test_molecules_have_theirs(tmp_path):
    folder = Folder(tmp_path / "run", one_stage('method = "verlet"\ndt = 0.004', 50, MOLECULAR, CHAINS,
                                                FORCE + CHAIN_FORCES))
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        for name, unit in (("averages/bond_length_distribution/value", "1/sigma"),
                           ("averages/bond_length_distribution/r", "sigma"),
                           ("averages/angle_distribution/value", "1/degree"),
                           ("averages/angle_distribution/theta", "degree"),
                           ("observables/end_to_end_distance/value", "sigma"),
                           ("observables/radius_of_gyration_squared/value", "sigma^2"),
                           ("observables/molecular_pressure/value", "epsilon/sigma^3")):
            assert file[name].attrs["unit"] == unit, name


def test_fluctuations_have_theirs(tmp_path):
    folder = Folder(tmp_path / "run", one_stage('method = "verlet"\ndt = 0.004', 400))
    folder.run()
    found = folder.averages()["stages"][0]["fluctuations"]
    assert found["heat_capacity"]["unit"] == "k_B"
    assert found["thermal_pressure_coefficient"]["unit"] == "k_B/sigma^3"
