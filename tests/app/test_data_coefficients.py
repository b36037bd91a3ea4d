# SPDX-License-Identifier: BSD-3-Clause
"""Bonded forces by the coefficients of a LAMMPS data file: every style against its formula and against LAMMPS, restarts,
and what is refused."""

import pathlib
import re
import shutil
import subprocess
import sys

import h5py
import numpy as np
import pytest
from harness import mdrun
from molecule_inputs import angle, dihedral, distance
from runs import Folder

TOOLS = pathlib.Path(__file__).parents[2] / "tools"
LAMMPS = shutil.which("lmp") or shutil.which("lammps")
DEGREE = np.pi / 180.0
#: Six atoms in a bent chain, away from the special angles.
PLACES = np.array([[0.0, 0.1, 0.0], [1.1, 0.0, 0.1], [1.6, 1.0, -0.1], [2.7, 1.2, 0.4], [3.1, 2.1, -0.2], [4.0, 1.6, 0.6]])
TERMS = {"Bond": [(0, 1), (1, 2), (2, 3)], "Angle": [(0, 1, 2), (1, 2, 3), (2, 3, 4)],
         "Dihedral": [(0, 1, 2, 3), (1, 2, 3, 4), (2, 3, 4, 5)], "Improper": [(1, 0, 2, 3), (2, 1, 3, 4), (3, 2, 4, 5)]}


def powers(a, phi):
    return sum(x * np.cos(phi)**n for n, x in enumerate(a))


#: Kind, style, the numbers of two types, the energy of a term as LAMMPS' manual has it, and whether it needs a package
#: that few builds have.
STYLES = [
    ("Bond", "harmonic", ["45.5 1.05", "30.25 0.98"], lambda x, t, k, r0: k * (distance(x, *t) - r0)**2, False),
    ("Bond", "morse", ["25.0 1.7 1.0", "20.0 2.1 1.1"],
     lambda x, t, d, a, r0: d * (1 - np.exp(-a * (distance(x, *t) - r0)))**2, False),
    ("Angle", "harmonic", ["12.5 109.5", "20.0 120.0"],
     lambda x, t, k, theta: k * (angle(x, *t) - theta * DEGREE)**2, False),
    ("Angle", "charmm", ["12.5 109.5 7.5 1.9", "20.0 120.0 0.0 0.0"],
     lambda x, t, k, theta, kub, rub: k * (angle(x, *t) - theta * DEGREE)**2 + kub * (distance(x, t[0], t[2]) - rub)**2,
     False),
    ("Angle", "cosine", ["12.5", "20.0"], lambda x, t, k: k * (1 + np.cos(angle(x, *t))), False),
    ("Dihedral", "harmonic", ["1.5 1 3", "0.7 -1 2"], lambda x, t, k, d, n: k * (1 + d * np.cos(n * dihedral(x, *t))),
     False),
    ("Dihedral", "charmm", ["1.5 3 0 0.0", "0.7 2 180 0.0"],
     lambda x, t, k, n, d, w: k * (1 + np.cos(n * dihedral(x, *t) - d * DEGREE)), False),
    ("Dihedral", "fourier", ["2 1.5 3 0 0.4 1 35.0", "1 0.7 2 180"],
     lambda x, t, m, *a: sum(k * (1 + np.cos(n * dihedral(x, *t) - d * DEGREE)) for k, n, d in zip(a[::3], a[1::3], a[2::3])),
     True),
    ("Dihedral", "multi/harmonic", ["1.5 0.7 -0.4 0.3 0.2", "0.1 -0.2 0.3 -0.4 0.5"],
     lambda x, t, *a: powers(a, dihedral(x, *t)), False),
    ("Dihedral", "nharmonic", ["6 1.5 0.7 -0.4 0.3 0.2 -0.6", "2 0.1 -0.2"],
     lambda x, t, n, *a: powers(a, dihedral(x, *t)), True),
    ("Dihedral", "opls", ["1.3 -0.8 0.4 0.25", "0.0 0.5 1.0 -0.3"],
     lambda x, t, *k: sum(0.5 * c * (1 - (-1)**n * np.cos(n * dihedral(x, *t))) for n, c in enumerate(k, 1)), False),
    ("Improper", "harmonic", ["12.5 0.0", "3.5 180.0"],
     lambda x, t, k, chi: k * (np.abs(dihedral(x, *t)) - chi * DEGREE)**2, False),
]
NAMES = [f"{kind.lower()} {style}" for kind, style, *_ in STYLES]


def style_of(kind, style):
    return next(row for row in STYLES if row[:2] == (kind, style))


#: One of each kind.
SEVERAL = [style_of("Bond", "morse"), style_of("Angle", "charmm"), style_of("Dihedral", "opls"),
           style_of("Improper", "harmonic")]


def data_file(sections, unused=0, title="six in a chain"):
    """Of kinds and what stands below their titles: (style behind the title, lines of types); the second term of each
    kind is of the second type."""
    text = [title, "", "6 atoms", "1 atom types"]
    for kind, (style, lines) in sections.items():
        text += [f"{len(TERMS[kind])} {kind.lower()}s", f"{2 + unused} {kind.lower()} types"]
    text += [*(f"-20 20 {d}lo {d}hi" for d in "xyz"), "", "Masses", "", "1 1.0", ""]
    for kind, (style, lines) in sections.items():
        text += [f"{kind} Coeffs{'  # ' * bool(style)}{style}", "", *(f"{k} {line}" for k, line in enumerate(lines, 1)), ""]
    text += ["Atoms  # molecular", ""]
    text += [f"{k} 1 1 " + " ".join(map(repr, x)) for k, x in enumerate(PLACES.tolist(), 1)]
    for kind in sections:
        text += ["", f"{kind}s", ""]
        text += [" ".join(map(str, [k, 2 if k == 2 else 1, *(a + 1 for a in term)])) for k, term in enumerate(TERMS[kind], 1)]
    return "\n".join(text) + "\n"


INPUT = """\
[system]
dimension = 3
units = "real"
file = "start.data"
exclude = 3
[[force]]
type = "data-coefficients"
[integrator]
method = "verlet"
dt = 0.1
[run]
steps = 0
[[observe]]
type = "thermo"
every = 1
[[observe]]
type = "energy-terms"
every = 1
[compute]
precision = "double"
[output]
prefix = "out"
overwrite = true
trajectory = { every = 1, fields = ["position", "force"] }
"""
ONE_BOND = {"Bond": ("harmonic", ["45.5 1.05", "30.25 0.98"])}
ANGLES = {"Angle": ("harmonic", ["12.5 109.5", "20.0 120.0"])}


def folder_of(tmp_path, data, text=INPUT, name="run"):
    folder = Folder(tmp_path / name, text)
    (folder.path / "start.data").write_text(data)
    return folder


def measured(folder):
    with h5py.File(folder.path / "out.h5") as file:
        return file["observables/potential_energy/value"][0], file["particles/all/force/value"][0]


def energy_of(kind, lines, formula, x):
    numbers = [[float(word) for word in line.split()] for line in lines]
    return sum(formula(x, term, *numbers[1 if k == 1 else 0]) for k, term in enumerate(TERMS[kind]))


@pytest.mark.parametrize("kind, style, lines, formula, rare", STYLES, ids=NAMES)
def test_a_style_is_its_formula(kind, style, lines, formula, rare, tmp_path):
    folder = folder_of(tmp_path, data_file({kind: (style, lines)}))
    folder.run()
    energy, force = measured(folder)
    assert energy == pytest.approx(energy_of(kind, lines, formula, PLACES), rel=1e-12)
    # Central differences with a step h: h^2 of the third derivative and rounding over h, some 1e-8 each here.
    step = 1e-5
    for i in range(6):
        for d in range(3):
            ends = []
            for sign in (1, -1):
                x = PLACES.copy()
                x[i, d] += sign * step
                ends.append(energy_of(kind, lines, formula, x))
            assert force[i, d] == pytest.approx((ends[1] - ends[0]) / (2 * step), abs=1e-6)


@pytest.mark.skipif(not LAMMPS, reason="LAMMPS is not here (lmp)")
@pytest.mark.parametrize("kind, style, lines, formula, rare", STYLES, ids=NAMES)
def test_a_style_is_that_of_lammps(kind, style, lines, formula, rare, tmp_path):
    folder = folder_of(tmp_path, data_file({kind: (style, lines)}))
    (folder.path / "in.lmp").write_text(
        "units real\natom_style molecular\npair_style zero 5.0\nspecial_bonds lj/coul 1 1 1\n"
        f"{kind.lower()}_style {style}\nread_data start.data\npair_coeff * *\n"
        "dump all all custom 1 forces id fx fy fz\ndump_modify all sort id format float %.17g\n"
        "thermo_modify format float %.17g\nrun 0\nvariable u equal pe\nprint 'energy: $(v_u:%.17g)'\n")
    done = subprocess.run([LAMMPS, "-in", "in.lmp", "-log", "none"], cwd=folder.path, capture_output=True, text=True)
    if rare and "Unrecognized" in done.stdout + done.stderr:
        pytest.skip("this LAMMPS lacks the package of the style")
    assert done.returncode == 0, done.stdout + done.stderr
    theirs = float(done.stdout.split("energy: ")[1].split()[0])
    forces = np.loadtxt(folder.path / "forces", skiprows=9)[:, 1:]
    folder.run()
    energy, force = measured(folder)
    # Both in double, by other formulas for the angles.
    assert energy == pytest.approx(theirs, rel=1e-10)
    assert np.abs(force - forces).max() < 1e-9 * np.abs(forces).max()


@pytest.mark.skipif(not LAMMPS, reason="LAMMPS is not here (lmp)")
def test_a_file_of_write_data_is_read(tmp_path):
    sections = {row[0]: row for row in SEVERAL}
    folder = folder_of(tmp_path, data_file({kind: (style, lines) for kind, style, lines, *_ in sections.values()}))
    folder.run()
    energy = measured(folder)[0]
    (folder.path / "in.lmp").write_text(
        "units real\natom_style molecular\npair_style zero 5.0\n"
        + "".join(f"{kind.lower()}_style {style}\n" for kind, style, *_ in sections.values())
        + "read_data start.data\npair_coeff * *\nwrite_data start.data\n")
    subprocess.run([LAMMPS, "-in", "in.lmp", "-log", "none"], cwd=folder.path, check=True, stdout=subprocess.DEVNULL)
    assert "write_data" in (folder.path / "start.data").read_text()
    folder.run()
    assert measured(folder)[0] == pytest.approx(energy, rel=1e-12)


ALL = {"Bond": ("harmonic", ["45.5 1.05", "30.25 0.98"]), "Angle": ("charmm", ["12.5 109.5 7.5 1.9", "20.0 120.0 0.0 0.0"]),
       "Dihedral": ("fourier", ["2 1.5 3 0 0.4 1 35.0", "1 0.7 2 180"]), "Improper": ("harmonic", ["12.5 0.0", "3.5 180.0"])}
BY_HAND = "".join(f'[[force]]\ntype = "{form}"\nof = "{of}"\n{keys}\n' for form, of, keys in [
    ("harmonic-bond", 1, "k = 91.0\nr0 = 1.05"), ("harmonic-bond", 2, "k = 60.5\nr0 = 0.98"),
    ("harmonic-angle", 1, "k = 25.0\ntheta0 = 109.5"), ("harmonic-angle", 2, "k = 40.0\ntheta0 = 120.0"),
    ("urey-bradley", 1, "k = 15.0\nr0 = 1.9"),
    ("periodic-dihedral", 1, "k = 1.5\nn = 3\nphase = 0.0"), ("periodic-dihedral", 1, "k = 0.4\nn = 1\nphase = 35.0"),
    ("periodic-dihedral", 2, "k = 0.7\nn = 2\nphase = 180.0"),
    ("harmonic-improper", 1, "k = 25.0\nphi0 = 0.0"), ("harmonic-improper", 2, "k = 7.0\nphi0 = 180.0")])
COEFFICIENTS = '[[force]]\ntype = "data-coefficients"\n'
MOVING = INPUT.replace("steps = 0", "steps = 40").replace("every = 1", "every = 10")


def terms_of(folder):
    with h5py.File(folder.path / "out.h5") as file:
        return {name: file[f"observables/{name}/value"][...] for name in file["observables"]}


def test_they_are_the_same_as_tables(tmp_path):
    """All four kinds; the series of energies have the same names and values."""
    first = folder_of(tmp_path, data_file(ALL), MOVING)
    first.run()
    second = folder_of(tmp_path, data_file(ALL), MOVING.replace(COEFFICIENTS, BY_HAND), "by_hand")
    assert "Bond Coeffs are not read" in second.run().err
    a, b = terms_of(first), terms_of(second)
    assert a.keys() == b.keys()
    for name in a:
        assert a[name] == pytest.approx(b[name], rel=1e-11, abs=1e-11), name


def test_some_kinds_by_hand(tmp_path):
    hand = BY_HAND[BY_HAND.index('[[force]]\ntype = "harmonic-angle"'):]
    first = folder_of(tmp_path, data_file(ALL), INPUT)
    first.run()
    second = folder_of(tmp_path, data_file(ALL), INPUT.replace(COEFFICIENTS, COEFFICIENTS + 'of = ["bonds"]\n' + hand), "some")
    said = second.run().err
    assert "Bond Coeffs are not read" not in said and "Angle Coeffs are not read" in said
    assert measured(second)[0] == pytest.approx(measured(first)[0], rel=1e-12)


def test_labels_name_types(tmp_path):
    data = data_file(ONE_BOND).replace("Bond Coeffs", "Bond Type Labels\n\n1 CC\n2 CO\n\nBond Coeffs")
    data = data.replace("\n1 45.5", "\nCC 45.5")
    first, second = folder_of(tmp_path, data_file(ONE_BOND)), folder_of(tmp_path, data, name="labels")
    for folder in (first, second):
        folder.run()
    assert measured(first)[0] == measured(second)[0]


def test_a_run_goes_on_with_the_same_bits(tmp_path):
    whole = folder_of(tmp_path, data_file(ALL), MOVING)
    whole.run()
    parts = folder_of(tmp_path, data_file(ALL), MOVING, "parts")
    parts.run("--set", "run.steps=20")
    parts.run("--resume")
    assert whole.datasets() == parts.datasets()


@pytest.mark.parametrize("file", ["out.h5", "out.checkpoint.h5"])
def test_results_hand_their_coefficients_over(file, tmp_path):
    first = folder_of(tmp_path, data_file(ALL), MOVING)
    first.run()
    text = INPUT.replace("start.data", f"../run/{file}").replace("exclude = 3\n", "")
    second = Folder(tmp_path / "next", text)
    second.run()
    with h5py.File(first.path / "out.h5") as results:
        last = results["observables/potential_energy/value"][-1]
        topology = results["parameters/topology"]
        assert list(topology["bonds_coefficients_types"].asstr()) == ["1", "2"]
        assert list(topology["bonds_coefficients_styles"].asstr()) == ["harmonic"] * 2
        assert topology["bonds_coefficients_counts"][...].tolist() == [2, 2]
        assert topology["bonds_coefficients"][...].tolist() == [45.5, 1.05, 30.25, 0.98]
    assert measured(second)[0] == pytest.approx(last, rel=1e-9)
    third = Folder(tmp_path / "third", text.replace(f"../run/{file}", "../next/out.h5"))
    third.run()
    assert measured(third)[0] == measured(second)[0]


def test_other_coefficients_are_not_gone_on_with(tmp_path):
    folder = folder_of(tmp_path, data_file(ALL), MOVING)
    folder.run("--set", "run.steps=20")
    for old, new in (("30.25", "30.5"), ("# harmonic\n\n1 45.5 1.05\n2 30.25 0.98", "# morse\n\n1 4 4.5 1.05\n2 3 3.5 1.0")):
        (folder.path / "start.data").write_text(data_file(ALL).replace(old, new))
        said = mdrun(*folder.arguments("--resume"), cwd=folder.path).message()
        assert "had other coefficients" in said and "bond type" in said
    (folder.path / "start.data").write_text(data_file(ALL))
    folder.run("--resume")


def test_levels(tmp_path):
    text = MOVING.replace(COEFFICIENTS, COEFFICIENTS + 'level = "fast"\n').replace(
        'method = "verlet"\ndt = 0.1', 'method = "respa"\ndt = 0.1\ninner = 2')
    assert "inner" in text
    folder_of(tmp_path, data_file(ALL), text).run()


def test_types_without_use_are_told(tmp_path):
    data = data_file({"Bond": ("harmonic", ["45.5 1.05", "30.25 0.98", "1.0 1.0"])}, unused=1)
    said = folder_of(tmp_path, data).run().err
    line = data[:data.index("3 1.0 1.0")].count("\n") + 1
    assert f'start.data:{line}: coefficients of bond type "3" are not used' in said


def bond(style, *lines):
    return data_file({"Bond": (style, lines)})


def many(style, *lines):
    return data_file({"Dihedral": (style, lines)})


BAD = [
    ("no style", bond("", "1 1", "1 1"), ("Bond Coeffs without a style", "Bond Coeffs  # harmonic", "start.data:15")),
    ("hybrid", bond("hybrid", "harmonic 1 1", "morse 1 1 1"), ("of style hybrid", "leave bonds out of `of`", "start.data:15")),
    ("unknown style", bond("no-such", "1 1 1 1", "1 1 1 1"), ('"no-such"', "known are harmonic, morse", "start.data:15")),
    ("one number", bond("harmonic", "1 1", "1"), ("1 number in", 'bond type "2"', "K, r0", "start.data:18")),
    ("too many numbers", bond("harmonic", "1 1 1", "1 1"), ("3 numbers in", 'bond type "1"', "start.data:17")),
    ("not a number", bond("harmonic", "1 far", "1 1"), ('"far" is not a number', "start.data:17")),
    ("not finite", bond("harmonic", "1 nan", "1 1"), ('"nan" is not finite', "start.data:17")),
    ("infinite", bond("harmonic", "1 1", "inf 1"), ('"inf" is not finite', "start.data:18")),
    ("negative", bond("harmonic", "1 1", "-2 1"), ("k = -4 in", "not below zero", 'type "2"', "start.data:18")),
    ("a type twice", bond("harmonic", "1 1", "1 1").replace("\n2 1 1\n", "\n1 1 1\n"),
     ('coefficients of bond type "1" twice', "start.data:17 too", "start.data:18")),
    ("a type too many", bond("harmonic", "1 1", "1 1").replace("\n2 1 1\n", "\n3 1 1\n"), ("there is no bond type 3", "start.data:18")),
    ("a type too few", bond("harmonic", "1 1"), ('coefficients of bond type "2" are missing', "start.data")),
    ("a second section", bond("harmonic", "1 1", "1 1").replace("Atoms", "Bond Coeffs # harmonic\n\n1 1 1\n2 1 1\n\nAtoms"),
     ("a second section Bond Coeffs", "start.data:20")),
    ("no section", bond("harmonic", "1 1", "1 1").replace("Bond Coeffs  # harmonic\n\n1 1 1\n2 1 1\n", ""),
     ("no Bond Coeffs in the file of the start", "in.toml:7")),
    ("a weight", many("charmm", "1 3 0 1.0", "1 3 0 0"), ("weight 1 in", "scale_14", "pairs_14", "start.data:17")),
    ("a sign", many("harmonic", "1 1 3", "1 2 3"), ("d = 2 in", "give 1 or -1", "start.data:18")),
    ("a broken multiple", many("harmonic", "1 1 3", "1 1 2.5"), ("n = 2.5 in", "whole number", "start.data:18")),
    ("fourier too short", many("fourier", "2 1 3 0", "1 1 3 0"), ("4 numbers in", "m times", "start.data:17")),
    ("fourier of a part", many("fourier", "1 1 3 0", "1.5 1 3 0"), ("4 numbers in", "start.data:18")),
    ("fourier of none", many("fourier", "0", "1 1 3 0"), ("1 number in", "start.data:17")),
    ("too many powers", many("nharmonic", "7 1 2 3 4 5 6 7", "1 1"), ("n = 7 in", "6 terms or less", "start.data:17")),
    ("an improper at an angle", data_file({"Improper": ("harmonic", ["1 0", "1 35"])}),
     ("chi0 = 35 in", "harmonic-improper", "start.data:18")),
    ("units", bond("harmonic", "1 1", "1 1").replace("six in a chain", "six in a chain, units = metal"),
     ("coefficients in units lammps-metal", "real")),
]


def refused(tmp_path, data, text=INPUT):
    folder = folder_of(tmp_path, data, text)
    result = mdrun(*folder.arguments("--check"), cwd=folder.path)
    assert result.status == 2, result.err
    return result.message()


@pytest.mark.parametrize("name, data, says", BAD, ids=[case[0] for case in BAD])
def test_bad_data(name, data, says, tmp_path):
    said = refused(tmp_path, data)
    for part in says:
        assert part in said, said


@pytest.mark.parametrize("old, new, says", [
    (COEFFICIENTS, COEFFICIENTS + 'of = ["bond"]\n', ('"bond" in `of`', "in.toml:8")),
    (COEFFICIENTS, COEFFICIENTS + 'of = ["bonds", "bonds"]\n', ("bonds twice in `of`", "in.toml:8")),
    (COEFFICIENTS, COEFFICIENTS + 'of = ["angles"]\n', ("there are no angles", "in.toml:8")),
    (COEFFICIENTS, COEFFICIENTS + "of = []\n", ("an empty `of`", "in.toml:8")),
    (COEFFICIENTS, COEFFICIENTS + "k = 3.0\n", ('"k"', "in.toml:8")),
    (COEFFICIENTS, COEFFICIENTS * 2, ("data-coefficients together with data-coefficients", "in.toml:9")),
    (COEFFICIENTS, COEFFICIENTS + '[[force]]\ntype = "morse-bond"\ndepth = 1.0\na = 1.0\nr0 = 1.0\n',
     ("morse-bond together with data-coefficients", "both act on bonds", "in.toml:9")),
    ("dimension = 3", "dimension = 3\nbox = { lengths = [2.0, 20.0, 20.0] }", ("harmonic-bond of particles 1 and 2",)),
], ids=["word", "twice", "no such terms", "none", "key", "two tables", "by hand", "half of the box"])
def test_bad_tables(old, new, says, tmp_path):
    said = refused(tmp_path, data_file(ONE_BOND), INPUT.replace(old, new))
    for part in says:
        assert part in said, said


def test_nothing_is_bonded(tmp_path):
    text = INPUT.replace("exclude = 3\n", "").replace(
        'file = "start.data"', 'box = { density = 0.1 }\nlattice = { type = "sc", repeat = [5, 5, 5] }')
    assert "data-coefficients where nothing is bonded" in refused(tmp_path, "", text)


def test_molecules_of_the_input_have_no_coefficients(tmp_path):
    table = '[[molecule]]\ncount = 1\natoms = ["A", "A"]\nplaces = [[0, 0, 0], [1, 0, 0]]\nbonds = [{ atoms = [0, 1] }]\nexclude = 1\n'
    text = INPUT.replace("exclude = 3\n", "").replace(
        'file = "start.data"', 'lattice = { type = "sc", repeat = [1, 1, 1], constant = 9.0 }')
    said = refused(tmp_path, "", text.replace(COEFFICIENTS, table + COEFFICIENTS))
    assert "no Bond Coeffs in the file of the start" in said


def test_tools_read_such_results(tmp_path):
    """Runs with other coefficients are not of one state."""
    folders = [folder_of(tmp_path, data_file(ALL).replace("30.25", k), MOVING, name)
               for name, k in (("a", "30.25"), ("b", "30.25"), ("c", "30.5"))]
    states = []
    for folder in folders:
        folder.run()
        code = ("import sys, h5py; sys.path.insert(0, sys.argv[1]); from shadow_results.states import bonded_as; "
                "print(bonded_as(h5py.File('out.h5')))")
        states.append(subprocess.run([sys.executable, "-c", code, TOOLS], cwd=folder.path, capture_output=True, text=True,
                                     check=True).stdout)
    assert "'bonds': 3" in states[0] and states[0] == states[1] != states[2]


@pytest.mark.parametrize("labels", [False, True])
def test_an_exported_data_file_has_them(labels, tmp_path):
    data = data_file(ALL)
    if labels:
        data = data.replace("Bond Coeffs", "Bond Type Labels\n\n1 CC\n2 CO\n\nBond Coeffs")
    folder = folder_of(tmp_path, data, INPUT)
    folder.run()
    energy = measured(folder)[0]
    subprocess.run([sys.executable, TOOLS / "mdexport", "out.h5", "--to", "lammps-data", "-o", "start.data",
                    "--overwrite"], cwd=folder.path, check=True)
    text = (folder.path / "start.data").read_text()
    assert "Dihedral Coeffs # fourier\n\n1 2 1.5 3 0 0.4 1 35\n2 1 0.7 2 180\n" in text
    folder.run()
    assert measured(folder)[0] == pytest.approx(energy, rel=1e-9)


@pytest.mark.skipif(not LAMMPS, reason="LAMMPS is not here (lmp)")
def test_lammps_takes_an_exported_data_file(tmp_path):
    sections = {kind: (style, lines) for kind, style, lines, *_ in SEVERAL}
    folder = folder_of(tmp_path, data_file(sections), INPUT)
    folder.run()
    subprocess.run([sys.executable, TOOLS / "mdexport", "out.h5", "--to", "lammps-data", "-o", "out.data"],
                   cwd=folder.path, check=True)
    (folder.path / "in.lmp").write_text(
        "units real\natom_style molecular\npair_style zero 5.0\n"
        + "".join(f"{kind.lower()}_style {style}\n" for kind, (style, _) in sections.items())
        + "read_data out.data\npair_coeff * *\nthermo_modify format float %.12g\nthermo_style custom step pe\nrun 0\n")
    said = subprocess.run([LAMMPS, "-in", "in.lmp", "-log", "none"], cwd=folder.path, check=True, capture_output=True,
                          text=True).stdout
    energy = float(re.search(r"^\s*0\s+(\S+)\s*$", said, re.M)[1])
    assert energy == pytest.approx(measured(folder)[0], rel=1e-9)


def test_damaged_results(tmp_path):
    first = folder_of(tmp_path, data_file(ALL), INPUT)
    first.run()
    text = INPUT.replace("start.data", "out.h5").replace("exclude = 3\n", "")
    (first.path / "next.toml").write_text(text.replace('prefix = "out"', 'prefix = "next"'))
    path = "parameters/topology/bonds_coefficients"
    for name, value, says in (("", np.nan, "nan in the harmonic coefficients of bond type"),
                              ("_counts", 900, "are not all there")):
        with h5py.File(first.path / "out.h5", "a") as file:
            file[path + name][0] = value
        said = mdrun("next.toml", "--check", cwd=first.path).message()
        assert says in said


def test_every_style_of_the_documents_is_compared():
    """The table of docs/molecules.md, which names all that are read, against STYLES."""
    section, documented = "", set()
    page = (pathlib.Path(__file__).parents[2] / "docs/molecules.md").read_text()
    for line in page[page.index("| section | style |"):].splitlines()[2:]:
        if not line.startswith("|"):
            break
        cells = [cell.strip().strip("`") for cell in line.split("|")]
        section = cells[1].removesuffix(" Coeffs") or section
        documented.add((section, cells[2]))
    assert documented == {(kind, style) for kind, style, *_ in STYLES}
