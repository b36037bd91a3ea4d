#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Drift of the total energy of Shadow against that of LAMMPS, from one start, in one run.

    bench/drift.py --mdrun build/mdrun --cells 5 --steps 1000000
    bench/drift.py --table bench/results/FILE.json     print the table of an earlier run

A Lennard-Jones liquid near its triple point, the force shifted to zero at the cut-off of 2.5, at
constant energy (bench/peers/lammps_drift.in, bench/liquid_nve.toml). LAMMPS melts it, and all read
the same file; LAMMPS checks its list at every step. The energies of both are sampled in the same
way and analysed by the estimator of mdrun's summary. Energies at step 0 must agree.
"""
import argparse
import json
import pathlib
import shutil
import sys
import tempfile

import h5py
import numpy as np

from contestants import BenchError, Lammps, Shadow, bench, execute
from run import circumstances, print_result

sys.path.insert(0, str(bench.parent / "tools"))
from shadow_results.statistics import drift  # noqa: E402
from tables import grid  # noqa: E402


def run_lammps(lmp, options, folder):
    """Rows of step, potential and kinetic energy; writes start.data."""
    command = [lmp, "-in", bench / "peers/lammps_drift.in", "-log", "none", "-screen", "none"]
    for name in ("cells", "dt", "steps", "every"):
        command += ["-v", name, str(getattr(options, name))]
    execute(command, 1, folder)
    return np.loadtxt(folder / "energies.txt")


def run_shadow(contestant, options, folder):
    shutil.copy(bench / "liquid_nve.toml", folder / "input.toml")
    command = [contestant.mdrun, "input.toml", "--progress=none", "--quiet"]
    for setting in (f"integrator.dt={options.dt}", f"run.steps={options.steps}",
                    f"observe.0.every={options.every}", "compute.device=cpu", "compute.threads=1",
                    f"compute.precision={contestant.precision}"):
        command += ["--set", setting]
    execute(command, 1, folder)
    with h5py.File(folder / "results.h5") as file:
        columns = [file["observables/potential_energy/step"][...]]
        for name in ("potential_energy", "kinetic_energy"):
            columns.append(file[f"observables/{name}/value"][...].reshape(len(columns[0])))
    return np.stack(columns, axis=1)


def row_of(name, rows, particles, options):
    """Drift of the total energy, and in kT per degree of freedom and unit of time."""
    kt = 2 * rows[:, 2].mean() / (3 * particles - 3)
    found = drift(rows[:, 0] * options.dt, rows[:, 1] + rows[:, 2])
    scale = kt * (3 * particles - 3)
    return {"contestant": name, "particles": particles, "steps": int(rows[-1, 0]),
            "dt": options.dt, "every": options.every, "temperature": kt, "slope": found.slope,
            "error": found.error, "fluctuation": found.fluctuation,
            "relative": found.slope / scale, "relative_error": found.error / scale,
            "start": [rows[0, 1] / particles, rows[0, 2] / particles]}


def measure(options):
    shadows = [Shadow(options.mdrun.resolve(), p) for p in options.precision]
    lammps = Lammps(options.lmp, "opt")
    lammps.name = "LAMMPS"  # this pair style has no accelerated form
    result = circumstances([lammps, *shadows], 1)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        particles = 4 * options.cells**3
        rows = [row_of(lammps.name, run_lammps(options.lmp, options, folder), particles, options)]
        print(f"{lammps.name} done", file=sys.stderr)
        for shadow in shadows:
            rows.append(row_of(shadow.name, run_shadow(shadow, options, folder), particles,
                               options))
            print(f"{shadow.name} done", file=sys.stderr)
    for row in rows[1:]:
        if not np.allclose(row["start"], rows[0]["start"], rtol=1e-5):
            raise BenchError(f"{row['contestant']}: energies at step 0 {row['start']} "
                             f"({rows[0]['start']} expected); this is not the same system")
    result["rows"] = rows
    output = options.output or bench / "results" / f"{result['date'][:10]}-drift.json"
    output.write_text(json.dumps(result, indent=1) + "\n")
    return result


def table(result):
    lines = [[r["contestant"], r["particles"], r["steps"], r["dt"],
              f"{r['slope']:.1e} +- {r['error']:.1e}", f"{r['fluctuation']:.1e}",
              f"{r['relative']:.1e} +- {r['relative_error']:.1e}"] for r in result["rows"]]
    return grid(["engine", "particles", "steps", "dt", "drift per time", "fluctuation",
                 "kT per degree of freedom and time"], lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mdrun", type=pathlib.Path, default=bench.parent / "build" / "mdrun")
    parser.add_argument("--lmp", default=shutil.which("lmp"))
    parser.add_argument("--precision", nargs="+", default=["double", "mixed"])
    parser.add_argument("--cells", type=int, default=5, help="N = 4 cells^3")
    parser.add_argument("--dt", type=float, default=0.004)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--every", type=int, default=100, help="steps between samples")
    parser.add_argument("--output", type=pathlib.Path, help="default: results/DATE-drift.json")
    parser.add_argument("--table", type=pathlib.Path, help="print the table of this result")
    return print_result(parser.parse_args(), measure, table)


if __name__ == "__main__":
    sys.exit(main())
