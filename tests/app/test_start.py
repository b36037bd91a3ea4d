# SPDX-License-Identifier: BSD-3-Clause
"""What a start is, as mdrun tells it: counts, temperature, energy, units of files, file sizes."""

import json
import re

import h5py
import numpy as np
import pytest
from harness import BASE, edited, mdrun

#: Two atoms of argon that move apart along x at 1e-3 Angstrom/fs each.
DATA = """\
LAMMPS data file via write_data, version 2 Aug 2023, timestep = 0{units}

2 atoms
1 atom types
0 40 xlo xhi
0 40 ylo yhi
0 40 zlo zhi

Masses

1 39.948

Atoms # atomic

1 1 10 10 10
2 1 20 10 10

Velocities

1 -{v} 0 0
2 {v} 0 0
"""

INPUT = """\
[system]
dimension = 3
units = "akma"
file = "start{suffix}"
{more}
[integrator]
method = "verlet"
dt = 0.02
[run]
steps = 1
[output]
prefix = "out"
trajectory = {{ every = 1 }}
"""

#: m v^2 / 2 of each, over k_B 3/2: 39.948 u (1e-3 Angstrom/fs)^2 is 39.948e-6 * 48.88821^2 kcal/mol
#: (a unit of time is 48.88821 fs), and k_B = 0.0019872 kcal/mol/K; three degrees of freedom.
TEMPERATURE = 2 * 39.948 * (1e-3 * 48.88821290839616) ** 2 / (3 * 0.0019872042586408316)
VELOCITY = 1e-3 * 48.88821290839616


def write(folder, v, units="", more="", suffix=".data", text=DATA):
    (folder / ("start" + suffix)).write_text(text.format(v=v, units=units))
    (folder / "in.toml").write_text(INPUT.format(more=more, suffix=suffix))


def temperature(text):
    return float(re.search(r"^# start: T = (\S+)", text, re.MULTILINE).group(1))


@pytest.mark.parametrize("name, said, v", [
    ("lammps-real", "", 1e-3),
    ("lammps-metal", "", 1.0),
    ("ase", "", 1e-3 * 10.180505710759414),
    ("akma", "", VELOCITY),
    ("", ", units = real", 1e-3),
    ("", ", units = metal", 1.0),
])
def test_velocities_are_converted_from_the_units_of_a_file(tmp_path, name, said, v):
    write(tmp_path, v, said, f'file_units = "{name}"' if name else "")
    checked = mdrun("in.toml", "--check", cwd=tmp_path)
    assert (checked.status, checked.err) == (0, "")
    assert temperature(checked.out) == pytest.approx(TEMPERATURE, rel=1e-5)  # six digits
    assert mdrun("in.toml", "--quiet", cwd=tmp_path).status == 0
    with h5py.File(tmp_path / "out.h5") as file:
        velocity = file["particles/all/velocity/value"][0]
    np.testing.assert_allclose(velocity[:, 0], [-VELOCITY, VELOCITY], rtol=1e-9)  # of CODATA 2018


def test_momenta_as_ase_writes_them(tmp_path):
    p = 39.948 * 1e-3 * 10.180505710759414
    text = ('2\nLattice="40 0 0 0 40 0 0 0 40" Properties=species:S:1:pos:R:3:momenta:R:3 '
            'pbc="T T T"\nAr 10 10 10 -{v} 0 0\nAr 20 10 10 {v} 0 0\n')
    more = 'file_units = "ase"\n[[species]]\nname = "Ar"\nmass = 39.948\n'
    write(tmp_path, p, more=more, suffix=".xyz", text=text)
    assert temperature(mdrun("in.toml", "--check", cwd=tmp_path).out) == pytest.approx(
        TEMPERATURE, rel=1e-5)
    write(tmp_path, p, more='file_units = "ase"', suffix=".xyz", text=text)
    refused = mdrun("in.toml", "--check", cwd=tmp_path)
    assert refused.status == 2
    assert "mass of Ar" in refused.message()


def test_velocities_in_other_units_give_a_warning(tmp_path):
    write(tmp_path, 4e-3)
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 0
    assert '"lammps-real" it is ' in result.err


@pytest.mark.parametrize("said, more, why", [
    (", units = metal", 'file_units = "lammps-real"', "file_units"),
    (", units = si", "", "units"),
    (", units = lj", "", "reduced units"),
    ("", 'file_units = "real"', '"lammps-real"'),
])
def test_units_that_do_not_fit(tmp_path, said, more, why):
    write(tmp_path, 1e-3, said, more)
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2
    assert why in result.message()


SOLID = """\
[system]
dimension = 3
file = "start.xyz"
{more}
[integrator]
method = "verlet"
dt = 0.001
[run]
steps = 0
[output]
prefix = "out"
"""
#: Four particles of mass 1 with (1, 0, 0), (0, 1, 0), ... in a cube of edge 5.65.
CUBE = ('4\nLattice="5.65 0 0 0 5.65 0 0 0 5.65" pbc="T T T" units=lj '
        'Properties=species:S:1:pos:R:3:velo:R:3:mass:R:1\n'
        'A 0 0 0 1 0 0 1\nA 2 0 0 -1 0 0 1\nA 0 2 0 0 1 0 1\nA 0 0 2 0 -1 0 1\n')


@pytest.mark.parametrize("more, warnings, notes", [
    ("", [], []),
    ("box = { lengths = [5.65, 5.6500001, 5.65] }", [], []),
    ("box = { lengths = [7.0, 5.65, 5.0] }",
     ["box length 7 along x, where the file has 5.65 (positions are not scaled, so that particles at "
      "the border have a gap", "box length 5 along z, where the file has 5.65"], []),
    ("box = { periodic = false }", [], []),
    ('[[species]]\nname = "A"\nmass = 1.0', [], []),
    ('[[species]]\nname = "A"\nmass = 4.0',
     ["mass 4 of A, where the file has 1 (velocities are those of the file, so that the kinetic energy "
      "of these particles is 4 times"], []),
    ('velocity = { temperature = 1.0 }\n[[species]]\nname = "A"\nmass = 4.0', [],
     ["mass 4 of A, where the file has 1"]),
])
def test_what_the_input_changes_of_a_file_is_said(tmp_path, more, warnings, notes):
    (tmp_path / "start.xyz").write_text(CUBE)
    (tmp_path / "in.toml").write_text(SOLID.format(more=more))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 0, result.err
    told = [line for line in result.err.splitlines() if line.startswith("mdrun: warning: ")]
    assert len(told) == len(warnings), result.err
    for text, line in zip(warnings, told):
        assert text in line and "; remove " in line
    for text in notes:
        assert text in result.err


@pytest.mark.parametrize("box, gaps", [
    ("lengths = [6.5, 3.9, 5.2]", []),
    ("lengths = [6.5000001, 3.9, 5.2]", []),
    ("lengths = [7.0, 3.9, 6.0]", ["box length 7 along x, where the lattice is 6.5 long (particles at the border have a gap",
                                   "box length 6 along z, where the lattice is 5.2 long"]),
    ("lengths = [7.0, 3.9, 6.0], periodic = [false, true, true]", ["box length 6 along z"]),
    ("periodic = true", []),
])
def test_a_lattice_that_is_shorter_than_its_box(tmp_path, box, gaps):
    lattice = 'lattice = { type = "sc", repeat = [5, 3, 4], constant = 1.3 }'
    (tmp_path / "in.toml").write_text(SOLID.format(more=f"box = {{ {box} }}").replace('file = "start.xyz"', lattice))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 0, result.err
    told = [line for line in result.err.splitlines() if line.startswith("mdrun: warning: ")]
    assert len(told) == len(gaps) and all(gap in line for gap, line in zip(gaps, told)), result.err


def test_a_mass_under_momenta_of_a_file(tmp_path):
    (tmp_path / "start.xyz").write_text(CUBE.replace("velo:", "momenta:"))
    (tmp_path / "in.toml").write_text(SOLID.format(more='[[species]]\nname = "A"\nmass = 4.0'))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert "momenta are those of the file, so that the kinetic energy of these particles is 0.25" in result.err
    assert temperature(result.out) == pytest.approx(4 * 0.5 / 4 * 2 / 9, rel=1e-5)


@pytest.mark.parametrize("units, other", [("lj", "akma"), ("akma", "lj")])
def test_the_units_of_extended_xyz_are_those_of_the_input(tmp_path, units, other):
    (tmp_path / "start.xyz").write_text(CUBE.replace("units=lj", f"units={units}"))
    for run, status in ((units, 0), (other, 2)):
        (tmp_path / "in.toml").write_text(SOLID.format(more=f'units = "{run}"'))
        result = mdrun("in.toml", "--check", cwd=tmp_path)
        assert result.status == status, result.err
    assert f"the file is in units {units}" in result.message()


MIXTURE = ('[[species]]\nname = "A"\nmass = 1.0\n', """\
[[species]]
name = "A"
mass = 1.0
fraction = 0.8
[[species]]
name = "B"
mass = 2.0
charge = 1.0
fraction = 0.2
""")


def test_what_the_start_is_stands_in_the_log_in_check_and_in_the_summary(tmp_path):
    (tmp_path / "in.toml").write_text(edited(MIXTURE))
    checked = mdrun("in.toml", "--check", cwd=tmp_path)
    run = mdrun("in.toml", "--summary", "s.json", "--progress=none", cwd=tmp_path)
    assert (checked.status, run.status) == (0, 0)
    for said in [
        "start: 500 particles: 400 A (mass 1, charge 0), 100 B (mass 2, charge 1)",
        "start: box 8.5498797 x 8.5498797 x 8.5498797 sigma, density 0.8 1/sigma^3",
        "start: T = 1 epsilon/k_B of 1497 degrees of freedom, U/N = ",
        "start: total charge 100 q",
        "trajectory 87.9 KiB in 3 frames",  # 500 times 60 bytes each
    ]:
        assert said in checked.out
        assert said in run.err
    for result in (checked, run):
        assert "warning: charges on which nothing acts" in result.err
    summary = json.loads((tmp_path / "s.json").read_text())
    assert summary["system"]["species"] == [
        {"name": "A", "particles": 400, "mass": 1, "charge": 0},
        {"name": "B", "particles": 100, "mass": 2, "charge": 1}]
    assert "500 particles (A 400, B 100)" in run.out
    with h5py.File(tmp_path / "out.h5") as file:
        energy = file["observables/potential_energy/value"][0] / 500
    said = float(re.search(r"U/N = (\S+)", checked.out).group(1))
    assert said == pytest.approx(energy, rel=1e-5)  # six digits


def test_a_fraction_of_no_particle_is_refused(tmp_path):
    (tmp_path / "in.toml").write_text(
        edited(MIXTURE, ("fraction = 0.8", "fraction = 0.9995"), ("fraction = 0.2", "fraction = 0.0005")))
    result = mdrun("in.toml", cwd=tmp_path)
    assert result.status == 2
    assert "fraction 0.0005 of 500 particles is none" in result.message()
    assert result.error()["where"] == "in.toml:19:1"


@pytest.mark.parametrize("image", [False, True])
def test_a_box_that_the_input_opens(tmp_path, image):
    """A pair across a face: where it stands without images, and torn, with a word, with them."""
    if image:
        file = "pair.data"
        box = "".join(f"0 20 {d}lo {d}hi\n" for d in "xyz")
        (tmp_path / file).write_text(f"a pair\n\n2 atoms\n1 atom types\n{box}\nMasses\n\n1 1.0 # A\n\n"
                                     "Atoms # atomic\n\n1 1 0.3 19.8 0.5 0 -1 0\n2 1 0.3 1.0 0.5 0 0 0\n")
    else:
        file = "pair.xyz"
        (tmp_path / file).write_text('2\nLattice="20 0 0 0 20 0 0 0 20" Properties=species:S:1:pos:R:3\n'
                                     "A 0.3 -0.2 0.5\nA 0.3 1.0 0.5\n")
    (tmp_path / "in.toml").write_text('''[system]
dimension = 3
file = "FILE"
box = { periodic = false }
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
[[force]]
type = "harmonic-trap"
stiffness = [1.0, 1.0, 1.0]
[integrator]
method = "verlet"
dt = 0.001
[run]
steps = 1
[[observe]]
type = "energy-terms"
every = 1
[output]
prefix = "out"
'''.replace("FILE", file))
    result = mdrun("in.toml", cwd=tmp_path)
    assert result.status == 0, result.err
    assert ("1 particles have left the periodic box of the file along y" in result.err) == image
    with h5py.File(tmp_path / "out.h5") as file:
        pair, trap = (file[f"observables/potential_energy_{name}/value"][0] for name in ("lennard-jones", "harmonic-trap"))
    y = 19.8 if image else -0.2
    assert trap == pytest.approx(0.5 * (2 * (0.09 + 0.25) + y * y + 1.0), rel=1e-9)
    assert pair == pytest.approx(0.0 if image else 4 * (1.2 ** -12 - 1.2 ** -6), rel=1e-5, abs=1e-12)


def test_particles_that_do_not_meet_may_move_past_each_other_in_a_step(tmp_path):
    """Without a force between them; with one it is refused."""
    text = """\
[system]
dimension = 3
box = { periodic = false }
lattice = { type = "sc", repeat = [3, 3, 3], constant = 0.5 }
[[force]]
type = "harmonic-trap"
stiffness = [4.0, 4.0, 4.0]
[integrator]
method = "verlet"
dt = 0.5
[run]
steps = 20
[output]
prefix = "out"
"""
    (tmp_path / "in.toml").write_text(text)
    assert mdrun("in.toml", cwd=tmp_path).status == 0
    (tmp_path / "pairs.toml").write_text(text + '[[force]]\ntype = "gaussian-core"\nepsilon = 1e-6\nsigma = 1.0\ncutoff = 4.0\n')
    result = mdrun("pairs.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and "dt = 0.5 is too large for the start" in result.err, result.err


@pytest.mark.parametrize("comment, periodic", [
    ("water box, no lattice", False), ("units pbc properties origin", False),
    ('Lattice = "9 0 0 0 9 0 0 0 9" note= pbc="T T T" box', True)])
def test_a_comment_of_an_xyz_file_may_be_prose(comment, periodic, tmp_path):
    (tmp_path / "start.xyz").write_text(f"2\n{comment}\nA 0 0 0\nA 1.2 0 0\n")
    (tmp_path / "in.toml").write_text("""[system]
dimension = 3
file = "start.xyz"
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
[integrator]
method = "verlet"
dt = 0.002
[run]
steps = 10
""")
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 0, result.err
    assert ("open" in result.out) != periodic, result.out
