# SPDX-License-Identifier: BSD-3-Clause
"""Systems of units by name, as in src/system/units.cpp."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Units:
    """`inertia`: one unit of mass in energy time^2 / length^2. `femtoseconds`: of one unit of time,
    0 for reduced units. `lammps`: the style of LAMMPS with these lengths, energies and masses;
    `kilojoules`: of one energy, in kJ/mol; `pressures`: in 3D, of one energy / length^3."""
    boltzmann: float = 1.0
    inertia: float = 1.0
    femtoseconds: float = 0.0
    lammps: str = "lj"
    lammps_femtoseconds: float = 0.0
    kilojoules: float = 1.0
    pressures: float = 1.0


SYSTEMS = {
    "lj": Units(),
    "akma": Units(0.0019872042586408316, 1.0, 48.88821290839616, "real", 1.0, 4.184, 68568.42296625092),
    "real": Units(0.0019872042586408316, 1e7 / 4184.0, 1.0, "real", 1.0, 4.184, 68568.42296625092),
    "metal": Units(8.617333262145179e-05, 10.0 / 96485.33212331002, 1000.0, "metal", 1000.0,
                   96.48533212331002, 1602176.634),
}


def named(name):
    """The units of this name; reduced ones if a file gives none."""
    return SYSTEMS.get(name, SYSTEMS["lj"])
