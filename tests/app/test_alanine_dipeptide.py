# SPDX-License-Identifier: BSD-3-Clause
"""Alanine dipeptide as it is shipped: energies and forces of LAMMPS term by term, energy and temperature of short runs."""

import json
import pathlib
import shutil
import subprocess

import h5py
import numpy as np
import pytest
from runs import Folder

LAMMPS = shutil.which("lmp") or shutil.which("lammps")
INPUTS = pathlib.Path(__file__).parents[2] / "inputs"
DATA = (INPUTS / "alanine_dipeptide.data").read_text()
SHIPPED = (INPUTS / "alanine_dipeptide.toml").read_text()
#: System and forces of the input.
MODEL = SHIPPED[:SHIPPED.index("[[stage]]")]
SINGLE = MODEL.replace("velocity  = { temperature = 300.0 }\n", "") + """\
[integrator]
method = "verlet"
dt = 0.5
[run]
steps = 0
[[observe]]
type = "energy-terms"
every = 1
[output]
prefix = "out"
trajectory = { every = 1, fields = ["position", "force"] }
[compute]
precision = "double"
"""
#: Epsilon and r_min of pairs, and of those three bonds apart (MacKerell et al. 1998).
TYPES = {"CT3": (0.08, 4.12, 0.01, 3.8), "CT3N": (0.08, 4.12, 0.01, 3.8), "CT1": (0.02, 4.55, 0.01, 3.8),
         "C": (0.11, 4.0, 0.11, 4.0), "O": (0.12, 3.4, 0.12, 2.8), "NH1": (0.2, 3.7, 0.2, 3.1),
         "H": (0.046, 0.449, 0.046, 0.449), "HA": (0.022, 2.64, 0.022, 2.64), "HB": (0.022, 2.64, 0.022, 2.64)}


def section(name):
    """Rows of a section, as words without comments."""
    lines = DATA.splitlines()
    begin = next(k for k, line in enumerate(lines) if line.split("#")[0].strip() == name) + 2
    rows = []
    for line in lines[begin:]:
        if not line.strip():
            break
        rows.append(line.split("#")[0].split())
    return rows


def bonds():
    return np.array([[int(word) for word in row[2:]] for row in section("Bonds")])


def shaken(data, size):
    """Each coordinate moved by up to `size`."""
    rng = np.random.default_rng(1)
    for row in section("Atoms"):
        x = [f"{float(word):.6f}" for word in row[4:7]]
        moved = [f"{float(word) + rng.uniform(-size, size):.6f}" for word in row[4:7]]
        assert data.count(" ".join(x)) == 1
        data = data.replace(" ".join(x), " ".join(moved))
    return data


def with_weights(data):
    """Pairs three bonds apart as LAMMPS has them: by the weight of one dihedral each, which has no force of its own. No
    ring is so small that two ways lead from one end to the other."""
    neighbours = {}
    for a, b in bonds():
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    paths = [(a, b, c, d) for b, c in bonds() for a in neighbours[b] if a != c for d in neighbours[c] if d != b]
    assert len({frozenset((p[0], p[3])) for p in paths}) == len(paths) == 41
    terms, types = len(section("Dihedrals")), len(section("Dihedral Coeffs"))
    last = " ".join(section("Dihedral Coeffs")[-1])
    rows = "".join(f"{terms + k} {types + 1} {' '.join(map(str, path))}\n" for k, path in enumerate(paths, 1))
    for old, new in ((f"{terms} dihedrals", f"{terms + len(paths)} dihedrals"),
                     (f"{types} dihedral types", f"{types + 1} dihedral types"),
                     (f"\n{last}  #", f"\n{types + 1} 0 1 0 1.0\n{last}  #"),
                     ("\nImpropers\n", f"{rows}\nImpropers\n")):
        assert data.count(old) == 1, old
        data = data.replace(old, new)
    return data.replace(f"\n\n{rows}", f"\n{rows}")


def lammps(path, data):
    """Energies by the names of LAMMPS, and forces."""
    (path / "lammps.data").write_text(with_weights(data))
    pairs = "".join(f"pair_coeff {k} {k} {e} {r / 2**(1 / 6)!r} {e14} {r14 / 2**(1 / 6)!r}\n" for k, (e, r, e14, r14) in
                    enumerate([TYPES[name] for name in names()], 1))
    terms = ["evdwl", "ecoul", "ebond", "eangle", "edihed", "eimp"]
    # Pairs are far within the range where the potential is smoothed.
    (path / "in.lmp").write_text(f"""\
units real
atom_style full
boundary f f f
bond_style harmonic
angle_style charmm
dihedral_style charmm
improper_style harmonic
pair_style lj/charmm/coul/charmm 50.0 60.0
special_bonds charmm
read_data lammps.data
{pairs}pair_modify mix arithmetic
dump all all custom 1 forces id fx fy fz
dump_modify all sort id format float %.17g
thermo_style custom step {' '.join(terms)}
run 0
""" + "".join(f"variable {t} equal {t}\nprint '{t}: $(v_{t}:%.17g)'\n" for t in terms))
    done = subprocess.run([LAMMPS, "-in", "in.lmp", "-log", "none"], cwd=path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    found = {t: float(done.stdout.split(f"\n{t}: ")[-1].split()[0]) for t in terms}
    return found, np.loadtxt(path / "forces", skiprows=9)[:, 1:]


def names():
    lines = DATA[DATA.index("Masses"):DATA.index("Bond Coeffs")].splitlines()[2:]
    return [line.split("#")[1].strip() for line in lines if line]


@pytest.mark.skipif(not LAMMPS, reason="LAMMPS is not here (lmp)")
@pytest.mark.parametrize("shake", [0.0, 0.1])
def test_energies_and_forces_are_those_of_lammps(shake, tmp_path):
    """LAMMPS takes 332.06371 for the constant of Coulomb, 1e-8 less than ours: 1e-6 kcal/mol in 100 of charges."""
    data = shaken(DATA, shake) if shake else DATA
    folder = Folder(tmp_path / "run", SINGLE)
    (folder.path / "alanine_dipeptide.data").write_text(data)
    folder.run()
    theirs, forces = lammps(folder.path, data)
    with h5py.File(folder.path / "out.h5") as file:
        ours = {name.removeprefix("potential_energy_"): file[f"observables/{name}/value"][0] for name in file["observables"]}
        force = file["particles/all/force/value"][0]
    for term, parts in {"evdwl": ["lennard-jones", "lennard-jones_14"], "ecoul": ["coulomb", "coulomb_14"],
                        "ebond": ["harmonic-bond"], "eangle": ["harmonic-angle", "urey-bradley"],
                        "edihed": ["periodic-dihedral"], "eimp": ["harmonic-improper"]}.items():
        scale = max(abs(ours[part]) for part in parts)
        assert sum(ours[part] for part in parts) == pytest.approx(theirs[term], abs=5e-8 * scale), term
    assert np.abs(force - forces).max() < 1e-6 + 1e-7 * np.abs(forces).max()


def dihedral(x, i, j, k, l):
    first, middle, last = x[j] - x[i], x[k] - x[j], x[l] - x[k]
    left, right = np.cross(first, middle), np.cross(middle, last)
    return np.degrees(np.arctan2(np.linalg.norm(middle) * (first @ right), left @ right))


def test_it_starts_in_a_minimum(tmp_path):
    """Coordinates have six digits: forces are up to 1000 kcal/mol/A^2 times 1e-6."""
    folder = Folder(tmp_path / "run", SINGLE)
    (folder.path / "alanine_dipeptide.data").write_text(DATA)
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        force, x = (file[f"particles/all/{name}/value"][0] for name in ("force", "position"))
    assert np.abs(force).max() < 3e-3
    # The internal hydrogen bond of seven members, with the side chain of an L amino acid.
    phi, psi = dihedral(x, 4, 6, 8, 14), dihedral(x, 6, 8, 14, 16)
    assert (phi, psi) == (pytest.approx(-81.3, abs=0.1), pytest.approx(70.6, abs=0.1))
    assert np.linalg.det(x[[6, 14, 10]] - x[8]) > 2.0
    assert 1.9 < np.linalg.norm(x[5] - x[17]) < 2.2


def run(path, integrator, steps, more=""):
    text = MODEL + f"[integrator]\n{integrator}\n[run]\nsteps = {steps}\n{more}" + """\
[[observe]]
type = "thermo"
every = 4
[output]
prefix = "out"
[compute]
precision = "double"
"""
    folder = Folder(path, text)
    (folder.path / "alanine_dipeptide.data").write_text(DATA)
    folder.run()
    return folder


def test_energy_is_conserved(tmp_path):
    """Without a drift; what it swings by is of second order in the step."""
    swings = []
    for name, step in (("long", 0.5), ("short", 0.25)):
        folder = run(tmp_path / name, f'method = "verlet"\ndt = {step}', int(2000 / step))
        with h5py.File(folder.path / "out.h5") as file:
            energy = file["observables/total_energy/value"][...]
        half = len(energy) // 2
        swings.append(energy.std())
        assert abs(energy[:half].mean() - energy[half:].mean()) < energy.std()
    assert swings[0] < 0.15  # of some 20 kcal/mol of kinetic energy
    assert 3.0 < swings[0] / swings[1] < 5.0


def test_temperature_of_a_bath(tmp_path):
    """BAOAB has too little of kinetic energy in a mode of frequency w by the factor 1 - (w dt)^2 / 4: 2 % in the dozen
    of X-H bonds out of 66 modes, below 0.6 % in all."""
    folder = run(tmp_path / "run", 'method = "baoab"\ndt = 0.5\ntemperature = 300.0\nfriction = 0.02', 100_000,
                 "equilibration = 2000\n")
    found = json.loads((folder.path / "summary.json").read_text())["averages"]["temperature"]
    assert found["error"] < 3.0
    assert abs(found["mean"] - 300.0) < 4.0 * found["error"] + 1.8
