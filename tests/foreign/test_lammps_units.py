# SPDX-License-Identifier: BSD-3-Clause
"""Argon and flexible water in `real` and `metal` beside LAMMPS in its units of these names, from one data file:
energies, temperature and pressure at the start and after 20 steps."""

import itertools
import os
import shutil
import subprocess

import h5py
import numpy as np
import pytest

MDRUN = os.environ.get("SHADOW_MDRUN", "")
LAMMPS = shutil.which("lmp") or shutil.which("lammps")
pytestmark = [pytest.mark.skipif(not MDRUN, reason="mdrun is not built (SHADOW_MDRUN is empty)"),
              pytest.mark.skipif(not LAMMPS, reason="LAMMPS is not here (lmp)")]

EV = 96.48533212331002 / 4.184  # kcal/mol
#: Energy in kcal/mol, time in fs, k_B as LAMMPS has it (src/update.cpp), over ours.
UNITS = {"real": (1.0, 1.0, 0.0019872067 / 0.0019872042586408316),
         "metal": (EV, 1000.0, 8.617343e-5 / 8.617333262145179e-05)}

#: O, H and H about the oxygen, in Angstrom.
WATER = np.array([[0.0, 0.0, 0.0], [0.79, 0.6, 0.05], [-0.78, 0.62, 0.0]])
CHARGES = [-0.82, 0.41, 0.41]


def argon(rng):
    places = np.array(list(itertools.product(range(5), repeat=3))) * 3.9 + rng.uniform(-0.2, 0.2, (125, 3))
    return places, np.ones(125, int), 19.5, 39.948 * np.ones(125)


def water(rng):
    centres = np.array(list(itertools.product(range(4), repeat=3))) * 3.2
    turns = [np.linalg.qr(rng.normal(size=(3, 3)))[0] for _ in centres]
    places = np.concatenate([c + WATER @ t for c, t in zip(centres, turns)])
    return places, np.tile([1, 2, 2], 64), 12.8, np.tile([15.9994, 1.008, 1.008], 64)


def data_file(path, system, units, rng):
    """In one of the units, with velocities of some 120 K or 300 K."""
    places, kinds, edge, mass = (argon if system == "argon" else water)(rng)
    thermal = np.sqrt((120 if system == "argon" else 300) * 0.0019872 / mass / 2390.057)  # Angstrom/fs
    velocity = rng.normal(size=places.shape) * thermal[:, None]
    velocity -= (mass @ velocity) / mass.sum()
    velocity *= UNITS[units][1]
    wet = system == "water"
    count = len(places)
    lines = [f"of LAMMPS, units = {units}", "", f"{count} atoms", f"{2 if wet else 1} atom types"]
    if wet:
        lines += ["128 bonds", "1 bond types", "64 angles", "1 angle types"]
    lines += ["", *(f"0 {edge} {d}lo {d}hi" for d in "xyz"), "", "Masses", ""]
    lines += ["1 15.9994 # O", "2 1.008 # H"] if wet else ["1 39.948 # Ar"]
    lines += ["", "Atoms # full" if wet else "Atoms # atomic", ""]
    for k, x in enumerate(places):
        more = f"{k // 3 + 1} {kinds[k]} {CHARGES[k % 3]}" if wet else str(kinds[k])
        lines.append(f"{k + 1} {more} " + " ".join(repr(float(c)) for c in x))
    lines += ["", "Velocities", ""] + [f"{k + 1} " + " ".join(repr(float(c)) for c in v)
                                       for k, v in enumerate(velocity)]
    if wet:
        lines += ["", "Bonds", ""]
        lines += [f"{2 * m + b + 1} 1 {3 * m + 1} {3 * m + 2 + b}" for m in range(64) for b in range(2)]
        lines += ["", "Angles", ""] + [f"{m + 1} 1 {3 * m + 2} {3 * m + 1} {3 * m + 3}" for m in range(64)]
    path.write_text("\n".join(lines) + "\n")


#: Energies in kcal/mol are divided by the unit, times in fs likewise.
OURS = {"argon": """\
[[force]]
type = "lennard-jones"
epsilon = {argon}
sigma = 3.405
cutoff = 8.5
""", "water": """\
[[force]]
type = "lennard-jones"
cutoff = 6.0
pairs = [{{ species = ["O", "O"], epsilon = {oxygen}, sigma = 3.166 }},
    {{ species = ["O", "H"], epsilon = 0.0, sigma = 1.0 }}, {{ species = ["H", "H"], epsilon = 0.0, sigma = 1.0 }}]
[[force]]
type = "coulomb-ewald"
cutoff = 6.0
accuracy = 1e-9
truncation = "none"
[[force]]
type = "harmonic-bond"
k = {bond}
r0 = 1.0
[[force]]
type = "harmonic-angle"
k = {angle}
theta0 = 109.47
"""}
INPUT = """\
[system]
dimension = 3
units = "{units}"
file = "start.data"
{exclude}
[integrator]
method = "verlet"
dt = {dt}
[run]
steps = 20
[[observe]]
type = "thermo"
every = 20
[compute]
precision = "double"
device = "cpu"
[output]
prefix = "out"
"""
THEIRS = {"argon": """\
pair_style lj/cut 8.5
read_data start.data
pair_coeff 1 1 {argon} 3.405
""", "water": """\
pair_style lj/cut/coul/long 6.0
pair_modify table 0
bond_style harmonic
angle_style harmonic
read_data start.data
pair_coeff 1 1 {oxygen} 3.166
pair_coeff 1 2 0.0 1.0
pair_coeff 2 2 0.0 1.0
bond_coeff 1 {half_bond} 1.0
angle_coeff 1 {half_angle} 109.47
special_bonds lj/coul 0 0 1
kspace_style ewald 1e-9
"""}
SCRIPT = """\
units {units}
atom_style {style}
{forces}
neigh_modify delay 0 every 1 check yes
timestep {dt}
thermo 20
thermo_style custom step temp pe ke press evdwl ecoul elong ebond eangle
thermo_modify format float %.15g
fix 1 all nve
run 20
"""


def numbers(units):
    energy, time, _ = UNITS[units]
    values = {"argon": 0.238, "oxygen": 0.1553, "bond": 1108.27, "angle": 91.54, "half_bond": 554.135,
              "half_angle": 45.77}
    return {**{k: repr(v / energy) for k, v in values.items()}, "dt": repr(0.5 / time), "units": units}


@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize("system", OURS)
def test_lammps_finds_the_same(system, units, tmp_path):
    rng = np.random.default_rng(5)
    data_file(tmp_path / "start.data", system, units, rng)
    known = numbers(units)
    wet = system == "water"
    (tmp_path / "in.toml").write_text(INPUT.format(exclude="exclude = 2" if wet else "", **known) +
                                      OURS[system].format(**known))
    ours = subprocess.run([MDRUN, "in.toml", "--quiet"], cwd=tmp_path, capture_output=True, text=True)
    assert ours.returncode == 0, ours.stderr
    (tmp_path / "in.lammps").write_text(SCRIPT.format(style="full" if wet else "atomic",
                                                      forces=THEIRS[system].format(**known), **known))
    theirs = subprocess.run([LAMMPS, "-in", "in.lammps", "-log", "none"], cwd=tmp_path, capture_output=True, text=True)
    assert theirs.returncode == 0, theirs.stdout + theirs.stderr
    lines = theirs.stdout.splitlines()
    first = next(k for k, line in enumerate(lines) if line.split()[:2] == ["Step", "Temp"])
    rows = np.array([[float(x) for x in lines[first + k].split()] for k in (1, 2)])
    with h5py.File(tmp_path / "out.h5") as file:
        series = [file[f"observables/{name}/value"][...] for name in
                  ("temperature", "potential_energy", "kinetic_energy", "pressure")]
        assert file["observables/pressure/value"].attrs["unit"] == {"real": "atm", "metal": "bar"}[units]
    boltzmann = UNITS[units][2]
    for k in range(2):
        temperature, potential, kinetic, pressure = rows[k, 1:5]
        # LAMMPS has erfc to 1e-7; its parts partly cancel.
        parts = np.abs(rows[k, 5:]).sum()
        assert series[0][k] == pytest.approx(temperature * boltzmann, rel=1e-6)
        assert series[1][k] == pytest.approx(potential, rel=0, abs=1e-6 * parts)
        assert series[2][k] == pytest.approx(kinetic, rel=1e-6)
        volume = (12.8 if wet else 19.5)**3 / (68568.415 if units == "real" else 1602176.5)
        assert series[3][k] == pytest.approx(pressure, rel=1e-6, abs=1e-6 * (kinetic + parts) / volume)
