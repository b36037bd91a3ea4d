#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Drift of the total energy of periodic charges, Shadow against LAMMPS and GROMACS, from one start.

    bench/charged_drift.py --mdrun build/mdrun --accuracy 1e-4 --steps 1000000
    bench/charged_drift.py --table bench/results/FILE.json    print the table of an earlier run

The melt of bench/charges.py, 8 cells^3 ions, at constant energy. Peers use the cut-off, order and
mesh with which bench/charges.py would time them: the fastest without a larger error of forces.
LAMMPS checks its list at every step; the list of GROMACS reaches 0.3 beyond the cut-off and is
rebuilt every 10 steps, unchecked. The melt is hotter than that of bench/charges.py, which freezes
within a million steps: the discretisation error then changes and appears as a drift. Energies are
sampled in the same way and analysed by the estimator of bench/drift.py. --lammps-steps: fewer steps
for LAMMPS; its error bar accounts for that. Programs run one after the other.
"""
import argparse
import json
import pathlib
import sys
import tempfile

import charged_contestants as charged
from charges import Task, melt
from contestants import bench
from drift import row_of
from run import circumstances, print_result
from tables import grid


def measure(options):
    contestants = charged.find(options)
    result = circumstances(contestants, 1)
    output = options.output or bench / "results" / f"{result['date'][:10]}-charged-drift.json"
    with tempfile.TemporaryDirectory() as scratch:
        start = melt(options.mdrun, pathlib.Path(scratch), options.cells, options.temperature)
        task = Task(options.mdrun, "pme", options.accuracy, start,
                    pathlib.Path(tempfile.mkdtemp(dir=scratch)))
        for c in contestants:
            folder = pathlib.Path(tempfile.mkdtemp(dir=scratch))
            c.prepare(start, folder)
            found = task.choose(c, folder)
            choice = {k: v for k, v in found.items() if k != "error"}
            task.check_energy(c, choice, folder)
            print(f"{c.name}: {found}", file=sys.stderr, flush=True)
            steps = options.lammps_steps if c.name.startswith("LAMMPS") else options.steps
            rows = c.energies(choice, steps or options.steps, options.dt, options.every, folder)
            result["rows"].append({**row_of(c.name, rows, len(start[0]), options), "choice": choice,
                                   "error_of_forces": found["error"]})
            output.write_text(json.dumps(result, indent=1) + "\n")
            print(table(result), file=sys.stderr, flush=True)
    return result


def table(result):
    lines = [[r["contestant"], f"{r['error_of_forces']:.1e}", r["steps"],
              f"{r['slope'] / r['particles']:.1e} +- {r['error'] / r['particles']:.1e}",
              f"{r['fluctuation'] / r['particles']:.1e}",
              f"{r['relative']:.1e} +- {r['relative_error']:.1e}", f"{r['temperature']:.2f}"] for r in result["rows"]]
    return grid(["engine", "error of forces", "steps", "drift per ion and time",
                 "fluctuation per ion", "kT per degree of freedom and time", "temperature"], lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    charged.add_contestants(parser)
    parser.add_argument("--cells", type=int, default=4, help="N = 8 cells^3")
    parser.add_argument("--temperature", type=float, default=2.5,
                        help="of the melt: at 1.0 it freezes on the way")
    parser.add_argument("--accuracy", type=float, default=1e-4)
    parser.add_argument("--dt", type=float, default=0.002)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--lammps-steps", type=int, help="default: as the others")
    parser.add_argument("--every", type=int, default=100, help="steps between samples")
    parser.add_argument("--output", type=pathlib.Path,
                        help="default: results/DATE-charged-drift.json")
    parser.add_argument("--table", type=pathlib.Path, help="print the table of this result")
    return print_result(parser.parse_args(), measure, table)


if __name__ == "__main__":
    sys.exit(main())
