# SPDX-License-Identifier: BSD-3-Clause
"""Whether velocities are Maxwell and Boltzmann's is said in the summary: they are in equilibrium, and
are not when they are tampered with."""
import json

import h5py
import numpy
import pytest

from runs import MIXTURE, SHORT_FORCE, Folder, one_stage

OBSERVE = """\
[[observe]]
type = "velocity-distribution"
every = 5
largest = 5.0
"""
LIQUID = """\
seed = 3
[system]
dimension = 3
box = { density = 0.7 }
lattice = { type = "fcc", repeat = [4, 4, 4] }
velocity = { temperature = 1.6 }
""" + MIXTURE
GAS = """\
[system]
dimension = 3
box = { lengths = [30.0, 30.0, 30.0] }
file = "start.xyz"
"""
SAYS = "in equilibrium it is 0; so far from it by chance"


def warned(folder):
    """The averages whose mean is not that of equilibrium."""
    folder.run()
    averages = json.loads((folder.path / "summary.json").read_text())["averages"]
    assert "velocity_excess" in averages
    return {name for name, average in averages.items() if SAYS in average.get("warning", "")}


def gas(path, velocity, species):
    """Particles without forces, whose velocities stay as they are."""
    n = len(velocity)
    position = numpy.random.default_rng(1).uniform(0, 30, (n, 3))
    rows = [" ".join([name, *map(repr, map(float, x)), *map(repr, map(float, v))])
            for name, x, v in zip(species, position, velocity)]
    folder = Folder(path / "gas", one_stage('method = "verlet"\ndt = 0.01', 200, OBSERVE, GAS, ""))
    (folder.path / "start.xyz").write_text(
        f'{n}\nLattice="30 0 0 0 30 0 0 0 30" Properties=species:S:1:pos:R:3:velo:R:3 pbc="T T T"\n' + "\n".join(rows) + "\n")
    return folder


@pytest.mark.parametrize("method", ['method = "verlet"\ndt = 0.004',
                                    'method = "baoab"\ndt = 0.004\ntemperature = 1.0\nfriction = 2.0'])
def test_equilibrium_passes(method, tmp_path):
    assert warned(Folder(tmp_path / "run", one_stage(method, 4000, OBSERVE, LIQUID, SHORT_FORCE))) == set()


def test_velocities_without_collisions(tmp_path):
    random = numpy.random.default_rng(7)
    n, names = 600, ["A", "B"] * 300
    assert warned(gas(tmp_path, random.normal(size=(n, 3)), names)) == set()


def test_uniform_velocities_are_noticed(tmp_path):
    random = numpy.random.default_rng(8)
    velocity = random.uniform(-1, 1, (600, 3))
    assert warned(gas(tmp_path, velocity, ["A"] * 600)) == {"velocity_excess"}


def test_a_hotter_species_is_noticed(tmp_path):
    velocity = numpy.random.default_rng(9).normal(size=(600, 3))
    velocity[::2] *= 1.4
    assert warned(gas(tmp_path, velocity, ["A", "B"] * 300)) >= {"temperature_excess_A", "temperature_excess_B"}


def test_distributions_are_of_physical_velocities_under_a_bath_of_nose(tmp_path):
    # Canonical momenta are s times those, and s moves away from 1 while the bath cools its start.
    method = 'method = "nose-poincare"\ndt = 0.003\ntemperature = 0.8\nmass = 5.0'
    observe = """\
[[observe]]
type = "velocity-distribution"
every = 60
largest = 6.0
bins = 30
[[observe]]
type = "kinetic-energy-distribution"
every = 60
largest = 12.0
bins = 30
"""
    text = one_stage(method, 60, observe, LIQUID, SHORT_FORCE).replace(
        "trajectory = { every = 100 }", 'trajectory = { every = 60, fields = ["velocity"] }').replace(
        "[run]\n", "[run]\nequilibration = 0\n")
    folder = Folder(tmp_path / "run", text, "compute.precision=double")
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        velocity = file["particles/all/velocity/value"][:]
        mass = numpy.where(numpy.ravel(file["particles/all/species"][()]) == 0, 1.0, 3.0)
        found = {name: file[f"averages/{name}_distribution/value"][-1] for name in ("velocity", "kinetic_energy")}
    energy = 0.5 * mass * (velocity ** 2).sum(axis=2)
    for name, values, bounds in (("velocity", velocity, (-6, 6)), ("kinetic_energy", energy, (0, 12))):
        count = numpy.histogram(values, 30, bounds)[0]
        expected = count / values.size / ((bounds[1] - bounds[0]) / 30)
        # A value at the border of a bin may fall on its other side.
        assert numpy.abs(found[name] - expected).sum() < 1e-2 * expected.sum(), name


@pytest.mark.parametrize("method, T, freedom", [('method = "verlet"\ndt = 0.004', 1.6, 3 * 256 - 3),
                                                ('method = "baoab"\ndt = 0.004\ntemperature = 1.0\nfriction = 2.0', 1.6 * 765 / 768, 3 * 256)])
def test_the_temperature_of_the_start_is_that_of_what_the_method_moves(method, T, freedom, tmp_path):
    """Drawn without motion of the whole, which verlet conserves and baoab does not."""
    folder = Folder(tmp_path / "run", one_stage(method, 10, "[[observe]]\ntype = \"thermo\"\nevery = 10\n", LIQUID, SHORT_FORCE))
    assert f"start: T = {T:.6g} epsilon/k_B of {freedom} degrees of freedom" in folder.run().err
    with h5py.File(folder.path / "out.h5") as file:
        assert file["observables/temperature/value"][0] == pytest.approx(T, rel=1e-12)
