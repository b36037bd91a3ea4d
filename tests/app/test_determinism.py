# SPDX-License-Identifier: BSD-3-Clause
"""Same input, same bits: whatever the threads, the checkpoints and the display. Instruction sets sum
in another order and agree to rounding."""

import h5py
import numpy as np
import pytest
from harness import mdrun
from runs import BAOAB, LIQUID, THERMO, VERLET, Folder, one_stage, refuse_difference

PRECISIONS = ["double", "mixed"]

#: Two species of different mass.
MIXTURE = LIQUID + """\
[[species]]
name = "A"
fraction = 0.8
[[species]]
name = "B"
fraction = 0.2
mass = 2.0
"""


def instruction_sets(folder):
    line = mdrun("--devices", cwd=folder).out.splitlines()[0]
    return line.split("instruction sets ")[1].split(", ")


@pytest.fixture(scope="module", params=PRECISIONS)
def reference(request, tmp_path_factory):
    """Steps of a liquid with a bath: input, overrides, and the folder of the run."""
    text = one_stage(BAOAB, 150, system=MIXTURE)
    sets = [f"compute.precision={request.param}"]
    folder = Folder(tmp_path_factory.mktemp("reference") / "run", text, *sets)
    folder.run()
    return text, sets, folder


@pytest.mark.parametrize("change", [
    [],
    ["output.checkpoint={every=3}"],
    ["output.checkpoint={every=37}"],
], ids=["again", "checkpoint 3", "checkpoint 37"])
def test_the_bits_do_not_depend_on(change, reference, tmp_path):
    text, sets, first = reference
    second = Folder(tmp_path / "run", text, *sets, *change)
    second.run()
    refuse_difference(first, second)


def test_the_bits_do_not_depend_on_the_display(tmp_path):
    # Each look at the progress collects the rows so far; a bar moves five times a second.
    text = one_stage(BAOAB, 8000, system=MIXTURE).replace("every = 100", "every = 2000")
    none, bar = Folder(tmp_path / "none", text), Folder(tmp_path / "bar", text)
    none.run("--progress", "none")
    assert "of 8000" in bar.run("--progress", "bar").err, "the run is too short for this test"
    refuse_difference(none, bar)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_the_bits_do_not_depend_on_threads(precision, tmp_path):
    # Loops over particles are shared out in parts of 1024: 4000 are enough for three threads.
    text = one_stage(BAOAB, 40, system=MIXTURE.replace("5, 5, 5", "10, 10, 10")).replace(
        "every = 100", "every = 20")
    folders = []
    for threads in (1, 2, 3):
        folders.append(Folder(tmp_path / str(threads), text, f"compute.precision={precision}",
                              f"compute.threads={threads}"))
        folders[-1].run()
        refuse_difference(folders[0], folders[-1])


#: Largest relative difference of the potential energy at the start and after 20 steps, and of
#: positions (absolute) after 20 steps. Sums of some 50 forces in another order differ by some
#: units in the last place of the arithmetic of pairs: 1e-16 in double precision, 6e-8 otherwise.
#: 20 steps of 0.004 do not let chaos grow yet. Each bound leaves a factor of 10 or more.
CLOSE = {"double": (1e-13, 1e-13, 1e-13), "mixed": (1e-6, 1e-6, 1e-6)}


@pytest.mark.parametrize("precision", PRECISIONS)
def test_instruction_sets_agree_to_rounding(precision, tmp_path):
    text = one_stage(VERLET, 20, THERMO.replace("5", "1"), MIXTURE).replace("every = 100",
                                                                            "every = 20")
    # Off the lattice, where all forces would cancel.
    text = text.replace("[5, 5, 5]", "[5, 5, 5], jitter = 0.05")
    found = {}
    for name in instruction_sets(tmp_path):
        folder = Folder(tmp_path / name, text, f"compute.precision={precision}",
                        f"compute.instruction_set={name}")
        folder.run()
        with h5py.File(folder.path / "out.h5", "r") as file:
            found[name] = (file["observables/potential_energy/value"][:],
                           file["particles/all/position/value"][-1].astype(float),
                           file["particles/all/image/value"][-1])
            edges = np.diag(file["particles/all/box/edges/value"][-1])
    first, *others = found
    for name in others:
        energy = np.abs(found[name][0] / found[first][0] - 1.0)
        apart = found[name][1] - found[first][1] + (found[name][2] - found[first][2]) * edges
        measured = (energy[0], energy[-1], np.abs(apart).max())
        print(f"{precision}: {name} and {first}: potential energy {measured[0]:.1e} at the start, "
              f"{measured[1]:.1e} after 20 steps; positions {measured[2]:.1e}")
        assert all(m <= bound for m, bound in zip(measured, CLOSE[precision])), measured


#: Molecules with all that acts between their atoms: charges on a mesh, a table, bonds, angles and
#: dihedrals, pairs that are excluded or scaled. Loops are shared out in parts of 1024.
MOLECULES = """\
seed = 4
[system]
dimension = 3
box = { lengths = [32.0, 32.0, 32.0] }
lattice = { type = "sc", repeat = [10, 10, 10], constant = 3.2 }
velocity = { temperature = 1.0 }
[[species]]
name = "A"
charge = 0.3
[[species]]
name = "B"
charge = -0.3
mass = 2.0
[[molecule]]
count = 1000
atoms = ["A", "B", "A", "B"]
places = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.4, 0.9, 0.0], [2.2, 1.0, 0.6]]
bonds = [{ atoms = [0, 1] }, { atoms = [1, 2] }, { atoms = [2, 3] }]
angles = [{ atoms = [0, 1, 2] }, { atoms = [1, 2, 3] }]
dihedrals = [{ atoms = [0, 1, 2, 3] }]
exclude = 3
scale_14 = { lj = 0.5, coulomb = 0.8 }
[[force]]
type = "harmonic-bond"
k = 100.0
r0 = 1.0
[[force]]
type = "harmonic-angle"
k = 10.0
theta0 = 115.0
[[force]]
type = "periodic-dihedral"
k = 1.0
n = 3
phase = 0.0
[[force]]
type = "table"
file = "u.dat"
cutoff = 2.5
truncation = "shift"
[[force]]
type = "coulomb-pme"
accuracy = 1e-3
[integrator]
METHOD
[run]
steps = STEPS
[[observe]]
type = "energy-terms"
every = 5
[output]
prefix = "out"
trajectory = { every = 10, fields = ["position", "velocity", "force", "stress"] }
checkpoint = { every = 10 }
"""


def molecules(path, *sets):
    text = MOLECULES.replace("METHOD", BAOAB.replace("0.004", "0.002")).replace("STEPS", "20")
    folder = Folder(path, text, *sets)
    r = np.arange(0.02, 2.6, 0.005)
    np.savetxt(folder.path / "u.dat", np.transpose([r, 5.0 * np.exp(-r * r)]))
    return folder


@pytest.mark.parametrize("precision", PRECISIONS)
def test_the_bits_of_molecules_depend_on_neither_threads_nor_a_restart(precision, tmp_path):
    one = molecules(tmp_path / "one", f"compute.precision={precision}", "compute.threads=1")
    one.run()
    for threads in (2, 3):
        other = molecules(tmp_path / str(threads), f"compute.precision={precision}", f"compute.threads={threads}")
        other.run()
        refuse_difference(one, other)
    cut = molecules(tmp_path / "cut", f"compute.precision={precision}", "compute.threads=3")
    cut.run("--set", "run.steps=10")
    cut.run("--resume")
    refuse_difference(one, cut)
