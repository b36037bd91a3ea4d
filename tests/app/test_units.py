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
[[observe]]
type = "density-profile"
direction = "x"
every = 5
"""

TIME = "(48.88821 fs)"  # Angstrom sqrt(u mol/kcal)

#: name, or axis as NAME/AXIS: reduced units, real units
UNITS = {
    "potential_energy": ("epsilon", "kcal mol-1"),
    "kinetic_energy": ("epsilon", "kcal mol-1"),
    "conserved_energy": ("epsilon", "kcal mol-1"),
    "temperature": ("epsilon/k_B", "K"),
    "pressure": ("epsilon/sigma^3", "atm"),
    "momentum": ("sqrt(m epsilon)", f"u Angstrom/{TIME}"),
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
            group, _, axis = name.partition("/")
            place = "observables" if group in file["observables"] else "averages"
            dataset = file[f"{place}/{group}/{axis or 'value'}"]
            assert dataset.attrs["unit"] == units[column], name
        time = file["observables/temperature/time"].attrs["unit"]
    assert time == UNITS["intermediate_scattering/lag"][column]
    averages = folder.averages()["averages"]
    assert averages["pressure"]["unit"] == UNITS["pressure"][column]


def test_molecules_have_theirs(tmp_path):
    terms = '[[observe]]\ntype = "bonded-distribution"\nevery = 5\nrange = [0.5, 1.5]\n'
    observe = terms + terms.replace("range = [0.5, 1.5]", 'of = "angles"') + """\
[[observe]]
type = "molecule-size"
every = 5
[[observe]]
type = "molecular-pressure"
every = 5
"""
    folder = Folder(tmp_path / "run", one_stage('method = "verlet"\ndt = 0.004', 50, observe, CHAINS,
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
