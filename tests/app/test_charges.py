# SPDX-License-Identifier: BSD-3-Clause
"""Periodic charges: published energies, how terms and shares add up, restarts, what is refused."""

import json
import pathlib

import h5py
import numpy as np
import pytest
from harness import DEVICE, contents, mdrun
from runs import BAOAB, Folder, refuse_difference

#: Energies in kelvin, lengths in Angstrom, charges such that k = 1 (167100.9566 K Angstrom / e^2).
WATER = """\
[system]
dimension = 3
box = { lengths = [20.0, 20.0, 20.0] }
file = "water.xyz"
[[molecule]]
count = 100
atoms = ["O", "H", "H"]
bonds = [{ atoms = [0, 1] }, { atoms = [0, 2] }]
exclude = 2
[[force]]
type = "harmonic-bond"
k = 1e-12
r0 = 1.0
[[force]]
type = "lennard-jones"
cutoff = 10.0
tail = true
pairs = [{ species = ["O", "O"], epsilon = 78.19743111, sigma = 3.16555789 },
    { species = ["O", "H"], epsilon = 0.0, sigma = 1.0 }, { species = ["H", "H"], epsilon = 0.0, sigma = 1.0 }]
[[force]]
type = "coulomb-ewald"
cutoff = 10.0
alpha = 0.28
k_max = 1.617
truncation = "none"
[integrator]
method = "verlet"
dt = 1e-6
[run]
steps = 0
[[observe]]
type = "thermo"
[[observe]]
type = "energy-terms"
[compute]
precision = "double"
[output]
prefix = "out"
"""

#: Its sum of charges.
EWALD = 'type = "coulomb-ewald"\ncutoff = 10.0\nalpha = 0.28\nk_max = 1.617\ntruncation = "none"'

SALT = """\
seed = 3
[system]
dimension = 3
box = { density = 0.5 }
lattice = { type = "rock-salt", repeat = [4, 4, 4], species = ["A", "B"], jitter = 0.1 }
velocity = { temperature = 2.0 }
[[species]]
name = "A"
charge = 3.0
[[species]]
name = "B"
charge = -3.0
mass = 2.0
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
truncation = "shift"
[[force]]
type = "coulomb-pme"
[integrator]
METHOD
[run]
steps = 60
[[observe]]
type = "thermo"
every = 10
[[observe]]
type = "energy-terms"
every = 10
[output]
prefix = "out"
trajectory = { every = 20, fields = ["position", "velocity", "potential_energy", "stress"] }
"""
VERLET = 'method = "verlet"\ndt = 0.002'


def salt(tmp_path, *edits, name="run"):
    text = SALT.replace("METHOD", VERLET)
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return Folder(tmp_path / name, text)


def water(tmp_path, *edits, name="run"):
    text = WATER
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    folder = Folder(tmp_path / name, text)
    source = pathlib.Path(__file__).with_name("spce_water.xyz")
    (folder.path / "water.xyz").write_text(source.read_text())
    return folder


def terms_of(folder):
    with h5py.File(folder.path / "out.h5") as file:
        prefix = "potential_energy_"
        return {name.removeprefix(prefix): data["value"][0]
                for name, data in file["observables"].items() if name.startswith(prefix)}


def test_water_has_the_energies_of_nist(tmp_path):
    """NIST Standard Reference Simulation Website, SPC/E water, sample configuration 1: alpha = 5.6/L, wave
    vectors n^2 < 27, six digits. A charge by itself is among the pairs: -alpha/sqrt(pi) sum q^2."""
    folder = water(tmp_path)
    folder.run()
    terms = terms_of(folder)
    dispersion, tail, real, fourier, own, inside = 99538.7, -823.715, -558889.0, 6270.09, -2844690.0, 2809990.0
    assert terms["lennard-jones"] == pytest.approx(dispersion + tail, rel=5e-6)
    assert terms["coulomb-ewald_pairs"] == pytest.approx(real + own, abs=0.5 + 5.0)
    assert terms["coulomb-ewald_fourier"] == pytest.approx(fourier, abs=0.005)
    assert terms["coulomb_excluded"] == pytest.approx(inside, abs=5.0)
    charges = np.array([float(row.split()[4]) for row in (folder.path / "water.xyz").read_text().splitlines()[2:]])
    self_energy = -0.28 / np.sqrt(np.pi) * np.sum(charges**2)
    assert self_energy == pytest.approx(own, abs=5.0)
    assert terms["coulomb-ewald_pairs"] - self_energy == pytest.approx(real, abs=0.5)
    # Self energy and molecules nearly cancel: k, as it was computed with, is good to 3e-7 of each.
    total = sum(terms.values()) - terms["harmonic-bond"]
    assert total == pytest.approx(-488604.0, abs=1.0)


def test_a_mesh_gives_water_the_same_energy(tmp_path):
    """Of any split, with pairs within molecules left out: Ewald's sum, converged, against a mesh."""
    converged = [("alpha = 0.28\nk_max = 1.617\ntruncation = \"none\"", "accuracy = 1e-10")]
    folder = water(tmp_path, *converged)
    folder.run()
    exact = terms_of(folder)
    mesh = water(tmp_path, *converged, ('"coulomb-ewald"', '"coulomb-pme"'), ("1e-10", "1e-7"),
                 ("cutoff = 10.0\naccuracy", "cutoff = 8.0\naccuracy"), name="mesh")
    mesh.run()
    found = terms_of(mesh)
    assert sum(found.values()) == pytest.approx(sum(exact.values()), rel=1e-7)


@pytest.mark.parametrize("kind", ["coulomb-pme", "coulomb-ewald"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_terms_and_shares_add_up(kind, dimension, tmp_path):
    edits = [('type = "coulomb-pme"', f'type = "{kind}"\naccuracy = 1e-5')]
    if dimension == 2:
        edits += [("dimension = 3", "dimension = 2"), ("[4, 4, 4]", "[6, 6]"), ("rock-salt", "checkerboard")]
    else:
        edits += [("[4, 4, 4]", "[2, 2, 2]")]
    folder = salt(tmp_path, *edits)
    folder.run("--set", 'compute.precision="double"')
    with h5py.File(folder.path / "out.h5") as file:
        series = {name: data["value"][...] for name, data in file["observables"].items()}
        shares = file["particles/all/potential_energy/value"][...].sum(axis=1)
        stress = file["particles/all/stress/value"][...].sum(axis=1)
    terms = sum(data for name, data in series.items() if name.startswith("potential_energy_"))
    assert terms == pytest.approx(series["potential_energy"], rel=1e-10)
    assert shares == pytest.approx(series["potential_energy"][::2], rel=1e-10)
    assert np.abs(series["momentum"]).max() < 1e-9
    volume = (144 if dimension == 2 else 64) / 0.5
    trace = stress[:, :dimension].sum(axis=1)
    assert -trace == pytest.approx(dimension * series["pressure"][::2] * volume, rel=1e-9)


def test_energy_is_conserved(tmp_path):
    """Mixed as well as double: Verlet's error falls with the square of the step, and is all there is."""
    found = {}
    for precision in ("mixed", "double"):
        for dt in (0.002, 0.001):
            folder = salt(tmp_path, ("dt = 0.002", f"dt = {dt}"), ("steps = 60", f"steps = {round(0.4 / dt)}"),
                          name=f"{precision}-{dt}")
            folder.run("--set", f'compute.precision="{precision}"')
            with h5py.File(folder.path / "out.h5") as file:
                energy = file["observables/total_energy/value"][...] / 512
            found[precision, dt] = np.std(energy - energy[0])
    assert found["double", 0.001] < 0.4 * found["double", 0.002]
    assert found["mixed", 0.001] < 0.4 * found["mixed", 0.002] + 2e-5


@pytest.mark.parametrize("method", [VERLET, BAOAB])
def test_a_resumed_run_and_another_number_of_threads_have_the_same_bits(method, tmp_path):
    whole = salt(tmp_path, (VERLET, method), name="whole")
    whole.run("--set", "compute.threads=1")
    cut = salt(tmp_path, (VERLET, method), name="cut")
    cut.run("--set", "compute.threads=2", "--set", "run.steps=20")
    cut.run("--resume", "--set", "run.steps=60")
    refuse_difference(whole, cut)


PME = 'type = "coulomb-pme"'
REFUSED = {
    "an open box": ([("box = { density = 0.5 }", "box = { periodic = false }"),
                     ("jitter = 0.1", "jitter = 0.1, constant = 2.5")], "in an open box (its sum is over periodic images)"),
    "a layer in a periodic box": ([(PME, PME + "\nheight = 3.0")], "periodic box"),
    "a net charge": ([("charge = -3.0", "charge = -2.0")], "total charge of 256"),
    "no charges": ([("charge = 3.0", "charge = 0.0"), ("charge = -3.0", "charge = 0.0")], "without charges"),
    "a long cut-off": ([(PME, PME + "\ncutoff = 6.0")], "longer than half the shortest periodic length"),
    "a cut-off below zero": ([(PME, PME + "\ncutoff = -1.0")], "cutoff"),
    "accuracy of zero": ([(PME, PME + "\naccuracy = 0.0")], "accuracy"),
    "accuracy of one": ([(PME, PME + "\naccuracy = 1.0")], "1e-12 to 0.1"),
    "an odd mesh": ([(PME, PME + "\nmesh = [32, 32, 33]")], "33 points"),
    "a mesh of a large prime factor": ([(PME, PME + "\nmesh = [32, 32, 34]")], "34 points"),
    "a mesh of a plane": ([(PME, PME + "\nmesh = [32, 32]")], "2 numbers of points in 3 dimensions"),
    "a mesh of no points": ([(PME, PME + "\nmesh = [0, 32, 32]")], "0 points"),
    "an order of splines": ([(PME, PME + "\norder = 9")], "orders 4 to 8"),
    "an unknown key": ([(PME, PME + "\nacuracy = 1e-3")], "accuracy"),
    "a mesh of a sum": ([(PME, 'type = "coulomb-ewald"\nmesh = [32, 32, 32]')], "mesh"),
    "charges twice": ([(PME, PME + '\n[[force]]\ntype = "coulomb-dsf"\nalpha = 0.3\ncutoff = 2.5')], "count twice"),
    "a mesh beyond memory": ([(PME, PME + "\ncutoff = 0.01")], "points"),
    "a mesh beyond all numbers": ([(PME, PME + "\nalpha = 1e9")], "points"),
    "too many wave vectors": ([(PME, 'type = "coulomb-ewald"\nk_max = 1e4')], "wave vectors"),
    "a mesh beyond memory by hand": ([(PME, PME + "\nmesh = [2048, 2048, 2048]")], "2048 x 2048 x 2048"),
    "one dimension": ([("dimension = 3", "dimension = 1"), ("[4, 4, 4]", "[64]"), ("rock-salt", "chain"),
                       (', species = ["A", "B"]', ""), ('name = "A"', 'name = "A"\nfraction = 0.5'),
                       ('name = "B"', 'name = "B"\nfraction = 0.5')], "in one dimension"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_summed_is_refused(case, tmp_path):
    edits, says = REFUSED[case]
    folder = salt(tmp_path, *edits)
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert result.status == 2, result.err
    assert says in result.message()
    assert not (folder.path / "out.h5").exists()


def test_a_choice_that_is_not_good_enough_is_told(tmp_path):
    folder = salt(tmp_path, (PME, PME + "\nmesh = [10, 10, 10]"), ("steps = 60", "steps = 1"))
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert result.status == 0
    assert "beyond accuracy = 0.0001" in result.err


def test_what_transforms_the_mesh_is_told_and_may_change(tmp_path):
    """A run with FFTW goes on where that is missing."""
    folder = salt(tmp_path, (PME, PME + '\ntransforms = "fftw"'), ("steps = 60", "steps = 20"))
    first = mdrun(*folder.arguments(), cwd=folder.path)
    if first.status == 2 and "FFTW, which is not there" in first.message():
        pytest.skip("no FFTW")
    assert first.status == 0, first.err
    told = lambda: json.loads((folder.path / "summary.json").read_text())["charges"].get("transforms")
    if DEVICE == "cpu":
        assert "FFTW transforms" in first.err and told() == "FFTW"
    folder.run("--resume", "--set", "force.1.transforms=own", "--set", "run.steps=40")
    if DEVICE == "cpu":
        assert told() == "own"
    before = contents(folder.path)
    changed = mdrun(*folder.arguments("--resume", "--set", "force.1.accuracy=1e-3"), cwd=folder.path)
    assert changed.status == 2 and "accuracy" in changed.message()
    assert contents(folder.path) == before


def start_line(folder):
    result = mdrun(*folder.arguments("--check"), cwd=folder.path)
    assert result.status == 0, result.err
    return next(line for line in result.out.splitlines() if "periodic charges" in line)


def test_a_mesh_by_hand_has_an_order_that_is_good_enough(tmp_path):
    line = start_line(salt(tmp_path, (PME, PME + "\nmesh = [48, 48, 48]")))
    pairs, mesh = (float(line.split(word)[0].split()[-1]) for word in (" by pairs", " by the rest"))
    assert mesh < 1e-4 and pairs < 1e-4, line


def test_the_summary_says_what_was_chosen_and_its_error(tmp_path):
    folder = salt(tmp_path, ("steps = 60", "steps = 1"))
    line = start_line(folder).split("periodic charges: ")[1]
    result = mdrun(*folder.arguments(), cwd=folder.path)
    told = next(line for line in result.out.splitlines() if line.startswith("Charges"))
    assert told == f"Charges      coulomb-pme, accuracy 0.0001: {line}"
    charges = json.loads((folder.path / "summary.json").read_text())["charges"]
    assert charges["method"] == "coulomb-pme" and charges["accuracy"] == 1e-4
    assert f"cutoff {charges['cutoff']:.6g} " in line and f"alpha {charges['alpha']:.6g} " in line
    transforms = "" if DEVICE == "cuda" else ", own transforms"
    assert (f"mesh {' x '.join(map(str, charges['mesh']))} of splines of order {charges['order']}{transforms};") in line
    assert f"at the start {charges['measured_error']:.2g} in all" in line


def test_single_precision_is_part_of_the_error(tmp_path):
    folder = salt(tmp_path, (PME, PME + "\naccuracy = 1e-8"), ("steps = 60", "steps = 0"))
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert "in mixed precision (pairs in single precision are good to 5e-07)" in result.err
    charges = json.loads((folder.path / "summary.json").read_text())["charges"]
    assert charges["estimated_error"]["rounding"] == 5e-7
    exact = folder_forces(folder, "coulomb-ewald", "double")
    rough = folder_forces(folder, "coulomb-pme", "mixed")
    off = np.sqrt(np.mean(np.sum((rough - exact) ** 2, axis=1))) / charges["force_scale"]
    assert 1e-7 < off < 1e-6  # 5e-7 is told


def folder_forces(folder, kind, precision):
    mdrun(*folder.arguments("--set", f'compute.precision="{precision}"', "--set", f'force.1.type="{kind}"',
                            "--set", 'output.trajectory.fields=["position", "force"]', "--set", "output.overwrite=true"),
          cwd=folder.path)
    with h5py.File(folder.path / "out.h5") as file:
        return file["particles/all/force/value"][0]


def test_opposite_charges_without_a_core_are_told(tmp_path):
    bare = salt(tmp_path, ("steps = 60", "steps = 0"), name="bare")
    text = (bare.path / "in.toml").read_text()
    start = text.index("[[force]]")
    (bare.path / "in.toml").write_text(text[:start] + text[text.index("[[force]]", start + 1):])
    says = "opposite charges and no force that keeps them apart"
    assert says in mdrun(*bare.arguments(), cwd=bare.path).err
    assert says not in mdrun(*salt(tmp_path, ("steps = 60", "steps = 0")).arguments(), cwd=tmp_path / "run").err


ION_PAIR = """\
[system]
dimension = 3
lattice = { type = "sc", repeat = [1, 1, COUNT], constant = 8.0 }
[[species]]
name = "A"
charge = 1.0
[[species]]
name = "B"
charge = -1.0
[[molecule]]
count = COUNT
atoms = ["A", "B"]
places = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
bonds = [{ atoms = [0, 1] }]
exclude = 1
[[force]]
type = "coulomb-dsf"
alpha = 0.3
cutoff = 3.0
[[force]]
type = "harmonic-bond"
k = 10.0
r0 = 1.0
[integrator]
method = "verlet"
dt = 0.001
[run]
steps = 0
[output]
prefix = "out"
"""


@pytest.mark.parametrize("count", [1, 2])
def test_charges_that_are_excluded_from_each_other_do_not_meet(count, tmp_path):
    folder = Folder(tmp_path / "run", ION_PAIR.replace("COUNT", str(count)))
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert result.status == 0, result.err
    assert ("opposite charges and no force" in result.err) == (count == 2)


REACTION_FIELD = (PME, 'type = "reaction-field"\nepsilon_rf = 20.0\ncutoff = 2.5')


def test_a_reaction_field_says_what_its_energy_lacks_and_of_a_total_charge(tmp_path):
    folder = salt(tmp_path, REACTION_FIELD, ("steps = 60", "steps = 0"))
    result = mdrun(*folder.arguments(), cwd=folder.path)
    c_rf = 3.0 / (2.05 * 2.5)
    assert (f"reaction field: c_rf = {c_rf:.6g} 1/sigma; energies lack the -k c_rf q^2/2 of each charge, "
            f"{-0.5 * 9.0 * c_rf:.6g} epsilon per particle") in (folder.path / "out.log").read_text()
    assert "total charge of" not in result.err
    charged = salt(tmp_path, REACTION_FIELD, ("steps = 60", "steps = 0"), ("charge = -3.0", "charge = -2.0"), name="charged")
    assert "a total charge of 256 q (a reaction field" in mdrun(*charged.arguments(), cwd=charged.path).err


def test_a_short_pair_force_does_not_make_a_fine_mesh(tmp_path):
    wca = salt(tmp_path, ("lennard-jones", "wca"), ('cutoff = 2.5\ntruncation = "shift"\n', ""),
               ("density = 0.5", "density = 0.05"))
    cutoff = float(start_line(wca).split("cutoff ")[1].split()[0])
    assert cutoff > 3.0


def test_each_charge_has_its_part_of_the_background(tmp_path):
    """k q_i / 2 times the potential at each ion does not depend on the split."""
    found = []
    for name, more in (("one", "alpha = 1.6"), ("two", "alpha = 2.2")):
        folder = salt(tmp_path, (PME, PME + f"\nbackground = true\naccuracy = 1e-6\ncutoff = 2.5\n{more}"),
                      ("charge = -3.0", "charge = 1.0"), ("steps = 60", "steps = 0"), name=name)
        folder.run("--set", 'compute.precision="double"')
        with h5py.File(folder.path / "out.h5") as file:
            found.append(file["particles/all/potential_energy/value"][0])
    assert np.abs(found[0] - found[1]).max() < 1e-4 * np.abs(found[0]).max()


def test_charges_that_stand_unevenly_are_told(tmp_path):
    """A drop of water, of which the mesh is an average over the whole box."""
    text = WATER[:WATER.index("[[force]]")].replace("[20.0, 20.0, 20.0]", "[40.0, 40.0, 40.0]").replace("count = 100", "count = 125").replace(
        'file = "water.xyz"', 'lattice = { type = "sc", repeat = [5, 5, 5], constant = 3.1 }').replace(
        "bonds =", "places = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [-0.333, 0.943, 0.0]]\nbonds =")
    text += "".join(f'[[species]]\nname = "{name}"\ncharge = {charge}\n' for name, charge in (("O", -0.8476), ("H", 0.4238)))
    text += WATER[WATER.index("[[force]]"):].replace(
        EWALD, 'type = "coulomb-pme"\naccuracy = 1e-4')
    folder = Folder(tmp_path / "drop", text)
    result = mdrun(*folder.arguments("--check"), cwd=folder.path)
    assert result.status == 0, result.err
    told = [line for line in result.err.splitlines() if "warning: forces of periodic charges are good to" in line]
    assert len(told) == 1 and "accuracy = 0.0001 is for charges that stand evenly" in told[0], result.err + result.out
    dense = salt(tmp_path, name="dense")
    assert "forces of periodic charges are good" not in mdrun(*dense.arguments("--check"), cwd=dense.path).err


@pytest.mark.parametrize("kind, more", [("reaction-field", "epsilon_rf = 78.0"), ("coulomb-dsf", "alpha = 0.2"),
                                        ("coulomb-wolf", "alpha = 0.2"), ("coulomb-pme", "accuracy = 1e-3")])
def test_excluded_pairs_beyond_the_cut_off_are_told(kind, more, tmp_path):
    """Hydrogens of SPC/E water are 1.63 from each other."""
    text = WATER.replace(EWALD, f'type = "{kind}"\n{more}\ncutoff = CUT')
    said = "100 excluded or scaled pairs of charges are beyond their cut-off"
    for cutoff in (1.5, 3.0):
        folder = Folder(tmp_path / str(cutoff), text.replace("CUT", str(cutoff if kind != "coulomb-pme" else 9.0)))
        (folder.path / "water.xyz").write_text((pathlib.Path(__file__).parent / "spce_water.xyz").read_text())
        result = mdrun(*folder.arguments("--check"), cwd=folder.path)
        assert result.status == 0, result.err
        assert (said in result.err) == (cutoff < 2.0 and kind != "coulomb-pme"), result.err
