#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Drift of the energy of flexible water with large steps: Verlet, RESPA and mollified impulses.

    bench/large_steps.py --mdrun build/mdrun --steps 0.05 0.08 0.1
    bench/large_steps.py --table bench/results/FILE.json    print the table of an earlier run

The water of inputs/water.toml, brought to its temperature once; every run then goes on from there at
constant energy for the same time, by Verlet with --reference, and with each of --steps by the methods that
follow bonds and angles with --inner-step. Drift is that of bench/drift.py. Costs are processor time over that of Verlet.
A run that ends with an error is one that exploded.
"""
import argparse
import json
import pathlib
import sys
import tempfile

import h5py
import numpy as np

from contestants import BenchError, bench, watch
from drift import row_of
from run import print_result
from tables import grid

METHODS = {"respa": 'method = "respa"', **{
    f"mollified {name}": f'method = "mollified-impulse"\nmollifier = "{name}-average"' for name in ("short", "long", "linear")}}


def forces_by_level(water):
    """The input up to its stages, bonds and angles on the fast level."""
    text = water[:water.index("[[stage]]")]
    for bonded in ("harmonic-bond", "harmonic-angle"):
        text = text.replace(f'type = "{bonded}"', f'type = "{bonded}"\nlevel = "fast"')
    return text


def stage(method, steps, every, prefix):
    return (f"[integrator]\n{method}\n[run]\nsteps = {steps}\n[[observe]]\ntype = \"thermo\"\nevery = {every}\n"
            f"[output]\nprefix = \"{prefix}\"\noverwrite = true\n")


def from_file(text):
    """As before, from the last state of eq.h5."""
    lines = [line for line in text.splitlines() if not line.startswith(("lattice", "box", "velocity"))]
    head, molecule, rest = "\n".join(lines).partition("[[molecule]]")
    return head.replace("[system]", '[system]\nfile = "eq.h5"') + rest[rest.index("[[force]]"):]


def energies(options, text, folder, name):
    """Rows of step, potential and kinetic energy, and seconds of the processor; None, 0 where it explodes."""
    (folder / f"{name}.toml").write_text(text)
    try:
        _, usage = watch([options.mdrun.resolve(), f"{name}.toml", "--progress=none", "--quiet", "--set", "compute.threads=1",
                 "--set", f"compute.precision={options.precision}"], 1, folder)
    except BenchError as error:
        if "explodes" not in str(error) and "nan" not in str(error):
            raise
        return None, 0.0
    with h5py.File(folder / f"{name}.h5") as file:
        columns = [file["observables/potential_energy/step"][...]]
        columns += [file[f"observables/{n}/value"][...].reshape(-1) for n in ("potential_energy", "kinetic_energy")]
    return np.stack(columns, axis=1), usage.ru_utime


def run(options, text, folder, name, method, dt):
    every = max(1, round(options.every / dt))
    rows, seconds = energies(options, text + stage(method, round(options.time / dt), every, "run"), folder, "run")
    if rows is None:
        return {"method": name, "dt": dt, "exploded": True}
    circumstances = argparse.Namespace(dt=dt, every=every)
    return {"method": name, **row_of(name, rows, options.atoms, circumstances), "potential": rows[:, 1].mean() / options.atoms,
            "seconds": seconds}


def measure(options):
    water = forces_by_level((bench.parent / "inputs/water.toml").read_text())
    result = {"atoms": options.atoms, "time": options.time, "precision": options.precision, "rows": []}
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        warm = 'method = "baoab"\ndt = 0.01\ntemperature = 298.0\nfriction = 0.5'
        energies(options, water + stage(warm, options.warm, 1000, "eq"), folder, "eq")
        text = from_file(water)
        runs = [("verlet", 'method = "verlet"', dt) for dt in options.reference]
        runs += [(name, f"{method}\ninner = {max(1, round(dt / options.inner_step))}", dt)
                 for dt in options.steps for name, method in METHODS.items()]
        for name, method, dt in runs:
            result["rows"].append(run(options, text, folder, name, f"{method}\ndt = {dt}", dt))
            print(result["rows"][-1], file=sys.stderr, flush=True)
    if options.output:
        options.output.write_text(json.dumps(result, indent=1) + "\n")
    return result


def table(result):
    first = result["rows"][0]
    lines = [[r["method"], r["dt"], "explodes", "", "", "", ""] if "exploded" in r else
             [r["method"], r["dt"], f"{r['relative']:.1e} +- {r['relative_error']:.1e}", f"{r['fluctuation'] / result['atoms']:.1e}",
              f"{r['temperature'] / first['temperature']:.4f}", f"{r['potential'] - first['potential']:.4f}",
              f"{first['seconds'] / r['seconds']:.2f}"] for r in result["rows"]]
    return grid(["method", "dt", "kT per degree of freedom and time", "fluctuation per atom", "temperature over Verlet's",
                 "potential less Verlet's", "times faster"], lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mdrun", type=pathlib.Path, default=bench.parent / "build" / "mdrun")
    parser.add_argument("--precision", default="mixed")
    parser.add_argument("--steps", type=float, nargs="+", default=[0.04, 0.06, 0.07, 0.08, 0.09])
    parser.add_argument("--reference", type=float, nargs="+", default=[0.01], help="steps of Verlet")
    parser.add_argument("--inner-step", type=float, default=0.01)
    parser.add_argument("--time", type=float, default=200.0)
    parser.add_argument("--every", type=float, default=2.0, help="time between samples")
    parser.add_argument("--warm", type=int, default=10_000, help="steps before, of a Langevin bath")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path, help="print the table of this result")
    options = parser.parse_args()
    options.atoms = 3 * 512
    return print_result(options, measure, table)


if __name__ == "__main__":
    sys.exit(main())
