#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Drift of the energy with large steps: Verlet, RESPA and mollified impulses.

    bench/large_steps.py --mdrun build/mdrun --steps 0.04 0.06 0.08          flexible water
    bench/large_steps.py --system melt --inner-step 0.004 --reference 0.004 --steps 0.008 0.012    chains with stiff bonds
    bench/large_steps.py --system liquid --inner-step 0.004 --steps 0.008 0.012    a force split by distance
    bench/large_steps.py --table bench/results/FILE.json                     print the table of an earlier run

Water is that of inputs/water.toml, followed with --inner-step in bonds and angles; the liquid one of Lennard-Jones
particles near its triple point (3D) or at T = 1 (2D), followed so in what `--split` calls near. Each is brought to its temperature
once; every run then goes on from there at constant energy for the same time, by Verlet with --reference, whose
forces are not split, and with each of --steps by the others. Drift is that of bench/drift.py. Costs are processor time
over that of the first Verlet. A run that ends with an error is one that exploded.
"""
import argparse
import dataclasses
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
    f"mollified {name}": f'method = "mollified-impulse"\nmollifier = "{name}"'
    for name in ("short-average", "long-average", "linear-average", "equilibrium")}}

LIQUID = """\
[system]
dimension = DIM
box = { density = DENSITY }
lattice = { type = "LATTICE", repeat = REPEAT }
velocity = { temperature = 1.0 }
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
truncation = "force-shift"
"""


MELT = """\
[system]
dimension = 3
box = { density = 0.85 }
lattice = { type = "sc", repeat = [10, 10, 20], jitter = 0.02 }
velocity = { temperature = 1.0 }
[[molecule]]
count = 100
atoms = ["A"]
repeat = 20
bonds = [{ atoms = [0, 1] }]
exclude = 1
[[force]]
type = "wca"
epsilon = 1.0
sigma = 1.0
[[force]]
type = "harmonic-bond"
k = 4000.0
r0 = 1.0
"""


@dataclasses.dataclass
class Case:
    atoms: int
    plain: str  #: an input up to its method, without levels
    levelled: str
    temperature: float
    methods: dict


def water(_):
    """Bonds and angles on the fast level."""
    text = (bench.parent / "inputs/water.toml").read_text()
    plain = text[:text.index("[[stage]]")]
    levelled = plain
    for bonded in ("harmonic-bond", "harmonic-angle"):
        levelled = levelled.replace(f'type = "{bonded}"', f'type = "{bonded}"\nlevel = "fast"')
    return Case(3 * 512, plain, levelled, 298.0, METHODS)


def melt(_):
    """Bonds, of a period of 0.07, on the fast level."""
    return Case(2000, MELT, MELT + 'level = "fast"\n', 1.0, METHODS)


def liquid(options):
    three = options.dimension == 3
    text = LIQUID
    for key, value in (("DIM", options.dimension), ("DENSITY", 0.8442 if three else 0.7), ("LATTICE", "fcc" if three else "triangular"),
                       ("REPEAT", [10] * 3 if three else [64, 32])):
        text = text.replace(key, str(value))
    inner, outer = options.split
    split = f'split = {{ inner = {inner}, outer = {outer}, level = "fast" }}\n'
    return Case(4000 if three else 4096, text, text + split, 1.0, {"respa": METHODS["respa"]})


def stage(method, steps, every, prefix):
    return (f"[integrator]\n{method}\n[run]\nsteps = {steps}\n[[observe]]\ntype = \"thermo\"\nevery = {every}\n"
            f"[output]\nprefix = \"{prefix}\"\noverwrite = true\n")


def from_file(text):
    """As before, from the last state of eq.h5."""
    lines = [line for line in text.splitlines() if not line.startswith(("lattice", "box", "velocity"))]
    head = "\n".join(lines) + "\n"
    if "[[molecule]]" in head:
        head = head[:head.index("[[molecule]]")] + head[head.index("[[force]]"):]
    return head.replace("[system]", '[system]\nfile = "eq.h5"')


def energies(options, text, folder, name):
    """Rows of step, potential and kinetic energy, and seconds of the processor; None, 0 where it explodes."""
    (folder / f"{name}.toml").write_text(text)
    try:
        _, usage = watch([options.mdrun.resolve(), f"{name}.toml", "--progress=none", "--quiet", "--set", "compute.threads=1",
                 "--set", f"compute.precision={options.precision}"], 1, folder)
    except BenchError as error:
        if not any(said in str(error) for said in ("explodes", "not finite")):
            raise
        return None, 0.0
    with h5py.File(folder / f"{name}.h5") as file:
        columns = [file["observables/potential_energy/step"][...]]
        columns += [file[f"observables/{n}/value"][...].reshape(-1) for n in ("potential_energy", "kinetic_energy")]
    return np.stack(columns, axis=1), usage.ru_utime


def run(options, case, text, folder, name, method, dt):
    every = max(1, round(options.every / dt))
    rows, seconds = energies(options, text + stage(method, round(options.time / dt), every, "run"), folder, "run")
    if rows is None:
        return {"method": name, "dt": dt, "exploded": True}
    circumstances = argparse.Namespace(dt=dt, every=every)
    return {"method": name, **row_of(name, rows, case.atoms, circumstances), "potential": rows[:, 1].mean() / case.atoms,
            "seconds": seconds}


def measure(options):
    case = {"water": water, "melt": melt, "liquid": liquid}[options.system](options)
    result = {"system": options.system, "dimension": options.dimension, "split": options.split, "atoms": case.atoms,
              "time": options.time, "precision": options.precision, "rows": []}
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        warm = f'method = "baoab"\ndt = {options.inner_step}\ntemperature = {case.temperature}\nfriction = 0.5'
        energies(options, case.plain + stage(warm, options.warm, 1000, "eq"), folder, "eq")
        plain, levelled = from_file(case.plain), from_file(case.levelled)
        runs = [("verlet", plain, 'method = "verlet"', dt) for dt in options.reference]
        runs += [(name, levelled, f"{method}\ninner = {max(1, round(dt / options.inner_step))}", dt)
                 for dt in options.steps for name, method in case.methods.items()]
        for name, text, method, dt in runs:
            result["rows"].append(run(options, case, text, folder, name, f"{method}\ndt = {dt}", dt))
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
    parser.add_argument("--system", choices=["water", "melt", "liquid"], default="water")
    parser.add_argument("--dimension", type=int, choices=[2, 3], default=3, help="of the liquid")
    parser.add_argument("--split", type=float, nargs=2, default=[1.2, 1.6], help="of the liquid: inner and outer")
    return print_result(parser.parse_args(), measure, table)


if __name__ == "__main__":
    sys.exit(main())
