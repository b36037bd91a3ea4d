# SPDX-License-Identifier: BSD-3-Clause
"""A configuration of inputs/water.toml in LAMMPS, by way of a data file that mdexport writes: energies term by term
and the pressure."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

np = pytest.importorskip("numpy")
h5py = pytest.importorskip("h5py")

MDRUN = os.environ.get("SHADOW_MDRUN", "")
LAMMPS = shutil.which("lmp") or shutil.which("lammps")
SOURCE = pathlib.Path(os.environ.get("SHADOW_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
pytestmark = [pytest.mark.skipif(not MDRUN, reason="mdrun is not built (SHADOW_MDRUN is empty)"),
              pytest.mark.skipif(not LAMMPS, reason="LAMMPS is not here (lmp)")]

SCRIPT = """\
units real
atom_style full
bond_style harmonic
angle_style harmonic
special_bonds lj/coul 0 0 1
pair_style lj/cut/coul/long 9.0
pair_modify table 0 shift no tail yes
read_data start.data
pair_coeff 1 1 0.1554253 3.165492
pair_coeff 1 2 0.0 1.0
pair_coeff 2 2 0.0 1.0
bond_coeff 1 529.581 1.012
angle_coeff 1 37.95 113.24
kspace_style ewald 1e-8
thermo_style custom ke evdwl ecoul elong ebond eangle press
thermo_modify format float %.15g
run 0
"""


def lammps(folder):
    (folder / "in.lammps").write_text(SCRIPT)
    done = subprocess.run([LAMMPS, "-in", "in.lammps", "-log", "none"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    row = next(k for k, line in enumerate(lines) if line.split()[:2] == ["KinEng", "E_vdwl"])
    return dict(zip(lines[row].split(), map(float, lines[row + 1].split())))


def shadow(folder, *settings):
    """400 steps from the lattice, the last of them in a data file."""
    command = [MDRUN, SOURCE / "inputs/water.toml", "--progress=none", "--quiet"]
    for setting in (f'output.prefix="{folder}/out"', "output.trajectory={every=400}", "stage.0.steps=380",
                    "stage.1.steps=20", 'stage.1.observe.4={type="energy-terms",every=20}', "compute.device=cpu",
                    *settings):
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    subprocess.run([sys.executable, SOURCE / "tools/mdexport", folder / "out.h5", "--to", "lammps-data", "-o",
                    folder / "start.data"], check=True, capture_output=True)
    # LAMMPS before 2022 does not know labels of types.
    data = (folder / "start.data").read_text()
    (folder / "start.data").write_text(re.sub(r"(Bond|Angle) Type Labels\n\n1 \w+\n\n", "", data))
    with h5py.File(folder / "out.h5") as file:
        return {name.removeprefix("potential_energy_"): item["value"][-1]
                for name, item in file["observables"].items()}


#: Allowed of energies and pressures of charges, over the sum of their parts, which cancel to a twentieth: in mixed
#: precision at 1e-4, as the input is; in double at 1e-7, where the erfc of LAMMPS (1.5e-7) is what remains. Energies of
#: bonds and the like: positions in the data file have all digits.
CASES = {"as it is": ((), 5e-6, 2e-5, 1e-6),
         "converged": (("force.1.accuracy=1e-7", 'compute.precision="double"'), 5e-7, 5e-7, 1e-10)}


@pytest.mark.parametrize("case", CASES)
def test_energies_and_pressure(case, tmp_path):
    settings, of_energy, of_pressure, of_others = CASES[case]
    ours = shadow(tmp_path, *settings)
    theirs = lammps(tmp_path)
    for name, term in (("lennard-jones", "E_vdwl"), ("harmonic-bond", "E_bond"), ("harmonic-angle", "E_angle")):
        assert ours[name] == pytest.approx(theirs[term], rel=of_others), name
    # LAMMPS has factors of velocities and pressures of its own, to 1e-7 (docs/units.md).
    assert ours["kinetic_energy"] == pytest.approx(theirs["KinEng"], rel=1e-6)
    electric = [value for name, value in ours.items() if name.startswith("coulomb")]
    parts = sum(map(abs, electric))
    assert sum(electric) == pytest.approx(theirs["E_coul"] + theirs["E_long"], rel=0, abs=of_energy * parts)
    volume = 512 / 0.033829 / 68568.4  # in kcal/mol per atmosphere
    assert ours["pressure"] == pytest.approx(theirs["Press"], rel=1e-6, abs=of_pressure * parts / (3 * volume))
