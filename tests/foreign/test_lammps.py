# SPDX-License-Identifier: BSD-3-Clause
"""Molecules from one data file in mdrun and in LAMMPS, where that is installed: energies term by term,
forces and pressure tensor."""
import itertools
import os
import shutil
import subprocess

import pytest

np = pytest.importorskip("numpy")
h5py = pytest.importorskip("h5py")

MDRUN = os.environ.get("SHADOW_MDRUN", "")
LAMMPS = shutil.which("lmp")
pytestmark = pytest.mark.skipif(not (MDRUN and LAMMPS), reason="mdrun or lmp is missing")

#: Butane with all atoms: carbons, then the hydrogens of each.
CARBONS = np.array([[0.0, 0.0, 0.0], [1.53, 0.1, 0.0], [2.05, 1.5, 0.1], [3.6, 1.6, 0.3]])
HYDROGENS = [(0, (-1, -0.7, 0.5)), (0, (-0.3, 1, 0.3)), (0, (-0.4, -0.2, -1)), (1, (0.3, -0.6, 0.9)),
             (1, (0.4, -0.5, -0.9)), (2, (-0.4, 0.6, 0.9)), (2, (-0.3, 0.6, -0.9)), (3, (0.4, 1, 0.4)),
             (3, (0.5, -0.5, 0.8)), (3, (0.4, -0.4, -0.9))]
TYPES = [1, 2, 2, 1] + [3] * 10
CHARGE = {1: -0.18, 2: -0.12, 3: 0.06}
MASS = {1: 12.011, 2: 12.011, 3: 1.008}
DISPERSION = {1: (0.1094, 3.39967), 2: (0.09, 3.55), 3: (0.0157, 2.64953)}
LENGTH = 24.0

#: By the elements of their atoms; stiffnesses are those of Shadow, with the half in the energy.
BONDS = {"CC": (310.0, 1.526), "CH": (340.0, 1.09)}
ANGLES = {"CCC": (40.0, 109.5, 11.16, 2.561), "CCH": (50.0, 109.5, 22.53, 2.179),
          "HCH": (35.0, 109.5, 5.4, 1.802)}
DIHEDRALS = {"CCCC": (0.18, 3, 0), "CCCH": (0.16, 2, 180), "HCCH": (0.15, 3, 0)}


def terms():
    """Bonds, angles and dihedrals of one molecule: (atoms, type counted from 1)."""
    bonds = [(0, 1), (1, 2), (2, 3)] + [(c, 4 + k) for k, (c, _) in enumerate(HYDROGENS)]
    partners = [sorted({b for bond in bonds for b in bond if a in bond and b != a}) for a in range(14)]
    angles = [(i, j, k) for j in range(14) for i, k in itertools.combinations(partners[j], 2)]
    dihedrals = [(i, j, k, m) for j, k in bonds for i in partners[j] for m in partners[k]
                 if i != k and m != j]

    def typed(members, known):
        name = "".join("C" if a < 4 else "H" for a in members)
        return members, list(known).index(min(name, name[::-1])) + 1

    return [[typed(t, known) for t in of] for of, known in
            ((bonds, BONDS), (angles, ANGLES), (dihedrals, DIHEDRALS))]


def data_file(tilts):
    """Eight molecules, turned, distorted and through faces of the box."""
    xy, xz, yz = tilts
    edges = np.array([[LENGTH, 0.0, 0.0], [xy, LENGTH, 0.0], [xz, yz, LENGTH]])
    random = np.random.default_rng(3)
    one = np.concatenate([CARBONS, [CARBONS[c] + 1.09 * np.array(v) / np.linalg.norm(v)
                                    for c, v in HYDROGENS]])
    atoms, lists = [], [[], [], []]
    for m, cell in enumerate(itertools.product(range(2), repeat=3)):
        turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
        x = (one - one.mean(axis=0)) @ turn + random.normal(scale=0.04, size=one.shape)
        x += 12.0 * np.array(cell) + 2.0
        for k, (place, kind) in enumerate(zip(x, TYPES)):
            image = np.floor(place @ np.linalg.inv(edges)).astype(int)
            inside = " ".join(repr(float(c)) for c in place - image @ edges)
            atoms.append(f"{14 * m + k + 1} {m + 1} {kind} {CHARGE[kind]} {inside} {' '.join(map(str, image))}")
        for of, rows in zip(terms(), lists):
            rows += [f"{len(rows) + n + 1} {t} {' '.join(str(14 * m + a + 1) for a in members)}"
                     for n, (members, t) in enumerate(of)]
    names = ("bonds", "angles", "dihedrals")
    head = ["butane, units = real", "", f"{len(atoms)} atoms", "3 atom types"]
    for name, rows, known in zip(names, lists, (BONDS, ANGLES, DIHEDRALS)):
        head += [f"{len(rows)} {name}", f"{len(known)} {name[:-1]} types"]
    head += [f"0 {LENGTH} {d}lo {d}hi" for d in "xyz"] + [f"{xy} {xz} {yz} xy xz yz"] * any(tilts)
    body = [("Masses", [f"{k} {m}" for k, m in MASS.items()]), ("Atoms # full", atoms)]
    body += [(name.capitalize(), rows) for name, rows in zip(names, lists)]
    return "\n".join(head) + "\n\n" + "\n".join(f"{name}\n\n" + "\n".join(rows) + "\n" for name, rows in body)


def lammps(folder, pair_style, shift, kspace):
    script = f"""\
units real
atom_style full
bond_style harmonic
angle_style charmm
dihedral_style charmm
special_bonds lj 0 0 0.5 coul 0 0 0.8333
pair_style {pair_style}
pair_modify shift {shift} mix arithmetic
read_data butane.data
{kspace}
"""
    for k, (epsilon, sigma) in DISPERSION.items():
        script += f"pair_coeff {k} {k} {epsilon} {sigma}\n"
    for k, (stiffness, r0) in enumerate(BONDS.values(), 1):
        script += f"bond_coeff {k} {stiffness / 2} {r0}\n"
    for k, (stiffness, theta0, spring, r0) in enumerate(ANGLES.values(), 1):
        script += f"angle_coeff {k} {stiffness / 2} {theta0} {spring / 2} {r0}\n"
    for k, (barrier, n, phase) in enumerate(DIHEDRALS.values(), 1):
        script += f"dihedral_coeff {k} {barrier} {n} {phase} 0.0\n"
    script += """\
thermo_style custom evdwl ecoul elong ebond eangle edihed pxx pyy pzz pxy pxz pyz
thermo_modify format float %.15g
dump all all custom 1 forces.dump id fx fy fz
dump_modify all sort id format float %.15g
run 0
"""
    (folder / "in.lammps").write_text(script)
    subprocess.run([LAMMPS, "-in", "in.lammps", "-screen", "none"], cwd=folder, check=True)
    lines = (folder / "log.lammps").read_text().splitlines()
    row = next(k for k, line in enumerate(lines) if line.split()[:1] == ["E_vdwl"])
    found = dict(zip(lines[row].split(), map(float, lines[row + 1].split())))
    return found, np.loadtxt(folder / "forces.dump", skiprows=9)[:, 1:]


def shadow(folder, truncation, charges):
    kinds = ", ".join(f'{{ species = ["{k}", "{k}"], epsilon = {e}, sigma = {s} }}'
                      for k, (e, s) in DISPERSION.items())
    text = f"""\
[system]
dimension = 3
units = "akma"
file = "butane.data"
exclude = 3
scale_14 = {{ lj = 0.5, coulomb = 0.8333 }}
[[force]]
type = "lennard-jones"
cutoff = 10.0
truncation = "{truncation}"
mixing = "lorentz-berthelot"
pairs = [{kinds}]
[[force]]
{charges}
[integrator]
method = "verlet"
dt = 0.01
[run]
steps = 0
[[observe]]
type = "energy-terms"
[[observe]]
type = "stress"
[compute]
precision = "double"
[output]
prefix = "out"
trajectory = {{ every = 1, fields = ["position", "force"] }}
"""
    for k, (stiffness, r0) in enumerate(BONDS.values(), 1):
        text += f'[[force]]\ntype = "harmonic-bond"\nof = "{k}"\nk = {stiffness}\nr0 = {r0}\n'
    for k, (stiffness, theta0, spring, r0) in enumerate(ANGLES.values(), 1):
        text += f'[[force]]\ntype = "harmonic-angle"\nof = "{k}"\nk = {stiffness}\ntheta0 = {theta0}\n'
        text += f'[[force]]\ntype = "urey-bradley"\nof = "{k}"\nk = {spring}\nr0 = {r0}\n'
    for k, (barrier, n, phase) in enumerate(DIHEDRALS.values(), 1):
        text += f'[[force]]\ntype = "periodic-dihedral"\nof = "{k}"\nk = {barrier}\nn = {n}\nphase = {phase}.0\n'
    (folder / "in.toml").write_text(text)
    subprocess.run([MDRUN, "in.toml", "--quiet"], cwd=folder, check=True)
    with h5py.File(folder / "out.h5") as file:
        series = {name: item["value"][0] for name, item in file["observables"].items()}
        return series, file["particles/all/force/value"][0]


LONG = ("lj/cut/coul/long 10.0 10.0", "kspace_style ewald 1e-10")
CASES = {
    "ewald": (LONG, "none", 'type = "coulomb-ewald"\naccuracy = 1e-9\ncutoff = 10.0'),
    "pme": (LONG, "shift", 'type = "coulomb-pme"\naccuracy = 1e-8\ncutoff = 11.0'),
    "dsf": (("lj/cut/coul/dsf 0.2 10.0", ""), "none", 'type = "coulomb-dsf"\nalpha = 0.2\ncutoff = 10.0'),
}


@pytest.mark.parametrize("tilts", [(0.0, 0.0, 0.0), (7.0, 0.0, 0.0), (0.0, -5.0, 11.0), (11.9, -8.0, 6.0)])
@pytest.mark.parametrize("case", CASES)
def test_terms_forces_and_pressure(case, tilts, tmp_path):
    (pair_style, kspace), end, charges = CASES[case]
    if case != "dsf":
        charges += '\ntruncation = "none"'
    (tmp_path / "butane.data").write_text(data_file(tilts))
    theirs, their_force = lammps(tmp_path, pair_style, "yes" if end == "shift" else "no", kspace)
    ours, force = shadow(tmp_path, end, charges)
    energy = {name.removeprefix("potential_energy_"): value for name, value in ours.items()
              if name.startswith("potential_energy_")}
    electric = {name: value for name, value in energy.items() if name.startswith("coulomb")}
    for term, value in (("E_vdwl", energy["lennard-jones"] + energy["lennard-jones_14"]),
                        ("E_bond", energy["harmonic-bond"]),
                        ("E_angle", energy["harmonic-angle"] + energy["urey-bradley"]),
                        ("E_dihed", energy["periodic-dihedral"])):
        assert value == pytest.approx(theirs[term], rel=1e-10), term
    # LAMMPS has erfc to 1.5e-7 (a polynomial); parts of the sum cancel.
    assert "coulomb_14" in electric
    size = sum(map(abs, electric.values()))
    assert sum(electric.values()) == pytest.approx(theirs["E_coul"] + theirs["E_long"], abs=1e-6 * size)
    assert np.sqrt(np.mean((force - their_force)**2) / np.mean(force**2)) < 1e-7
    theirs_over_ours = 68568.415 / 68568.42296625092  # atmospheres per kcal/mol/Angstrom^3
    names = ("xx", "yy", "zz", "xy", "xz", "yz")
    for name in names:
        found = ours[f"pressure_{name}"] * theirs_over_ours
        assert found == pytest.approx(theirs[f"P{name}"], abs=1e-6 * max(abs(theirs[f"P{n}"]) for n in names))
