# SPDX-License-Identifier: BSD-3-Clause
"""The melt of lammps_melt_3d.in in OpenMM, platform CPU: openmm_melt_3d.py '{"cells": 20, ...}'

With nm, kJ/mol and u for sigma, epsilon and the mass, its ps is the unit of time, and T = 1.44 is
1.44 / 0.0083144626 K. Prints energy, steps, seconds of the loop. NonbondedForce is its hand-made
loop, several times as fast as a CustomNonbondedForce with the same formula.
"""
import json
import sys
import time

import openmm
from lattice import lattice

kelvin = 1 / 0.00831446261815324


def melt(case):
    """A context with the particles at rest on their lattice, and how many they are."""
    position, edges = lattice(case)
    system = openmm.System()
    system.setDefaultPeriodicBoxVectors((edges[0], 0, 0), (0, edges[1], 0), (0, 0, edges[2]))
    force = openmm.NonbondedForce()
    force.setNonbondedMethod(openmm.NonbondedForce.CutoffPeriodic)
    force.setCutoffDistance(case.get("cutoff", 2.5))
    force.setUseDispersionCorrection(False)
    for _ in position:
        system.addParticle(1.0)
        force.addParticle(0.0, 1.0, 1.0)
    system.addForce(force)
    context = openmm.Context(system, openmm.VerletIntegrator(0.005),
                             openmm.Platform.getPlatformByName("CPU"),
                             {"Threads": str(case["threads"])})
    context.setPositions(position)
    return context, len(position)


def main():
    case = json.loads(sys.argv[1])
    context, particles = melt(case)
    context.setVelocitiesToTemperature(1.44 * kelvin, 87287)
    first = context.getState(getEnergy=True, getForces=True)
    start = time.perf_counter()
    context.getIntegrator().step(case["steps"])
    context.getState(getEnergy=True)
    seconds = time.perf_counter() - start
    print(json.dumps({"particles": particles, "steps": case["steps"], "seconds": seconds,
                      "energy": first.getPotentialEnergy()._value / particles}))


if __name__ == "__main__":
    main()
