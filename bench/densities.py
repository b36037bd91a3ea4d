#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The density of the Lennard-Jones fluid at pressures of its equation of state, by each barostat: docs/validation.md.

    bench/densities.py --mdrun build/mdrun                 three state points, 1372 particles
    bench/densities.py --table bench/results/FILE.json     print the table of an earlier run

Cut-off 4 with a mean-field tail, mixed precision, from a density 3 % off. Equations of state: Thol
et al. 2016 (J. Phys. Chem. Ref. Data 45, 023101), Kolafa and Nezbeda 1994 (Fluid Phase Equilib.
100, 1).
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from contestants import Shadow, bench
from run import circumstances, print_result
from tables import grid

#: temperature, density -> pressures of both equations of state, and dP/d(density) between states nearby
STATES = {(0.85, 0.86): (1.2643, 1.2676, 21.0), (1.5, 0.8): (3.2797, 3.2781, 22.0), (2.0, 0.5): (1.0752, 1.0739, 5.1)}
MASS = "mass={mass}"
METHODS = {"baoab, cell-rescaling": ("baoab", "friction=1.0", "time=1.0,compressibility=0.1,every=10"),
           "bussi, monte-carlo": ("bussi", "time=0.5", 'type="monte-carlo",amplitude=0.01,every=10'),
           "nose-hoover, mtk": ("nose-hoover", "period=0.4", 'type="mtk",period=5.0'),
           "nose-poincare, nose-poincare-andersen": ("nose-poincare", MASS, 'type="nose-poincare-andersen",period=5.0')}
INPUT = """\
seed = 7
[system]
dimension = 3
box = {{ density = {start} }}
lattice = {{ type = "fcc", repeat = [7, 7, 7] }}
velocity = {{ temperature = {temperature} }}
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 4.0
truncation = "none"
tail = true
[[stage]]
name = "melt"
steps = 6000
integrator = {{ method = "baoab", dt = 0.004, friction = 1.0, temperature = [[0, 3.0], [2000, 3.0], [3000, {temperature}]] }}
[[stage]]
name = "sample"
steps = {steps}
integrator = {{ method = "{method}", dt = 0.004, temperature = {temperature}, {keys} }}
barostat = {{ pressure = {pressure}, {barostat} }}
[[stage.observe]]
type = "thermo"
every = 10
[output]
prefix = "out"
overwrite = true
[compute]
threads = 1
device = "cpu"
"""


def run(options, folder, state, name):
    temperature, density = state
    method, keys, barostat = METHODS[name]
    text = INPUT.format(start=0.97 * density, temperature=temperature, steps=options.steps, method=method,
                        keys=keys.format(mass=2.0 * 3 * 1372 * temperature * (0.4 / 6.2832)**2), barostat=barostat,
                        pressure=sum(STATES[state][:2]) / 2)
    (folder / "in.toml").write_text(text)
    subprocess.run([options.mdrun.resolve(), "in.toml", "--quiet", "--progress=none", "--summary", "summary.json"],
                   cwd=folder, check=True, stderr=subprocess.DEVNULL)
    stage = json.loads((folder / "summary.json").read_text())["stages"][-1]
    found = {name: (entry["mean"], entry["error"]) for name, entry in stage["averages"].items()}
    return {**{name: found[name] for name in ("density", "pressure", "temperature")},
            "energy": tuple(x / 1372 for x in found["potential_energy"]),
            "passed": all(part["passed"] for part in stage["verdict"].values() if isinstance(part, dict) and part.get("judged", True))}


def measure(options):
    result = {**circumstances([Shadow(options.mdrun.resolve(), "mixed")], 1), "steps": options.steps, "rows": []}
    with tempfile.TemporaryDirectory() as scratch:
        for state in STATES:
            for name in options.method or METHODS:
                result["rows"].append([*state, name, run(options, pathlib.Path(scratch), state, name)])
                print(result["rows"][-1], file=sys.stderr, flush=True)
    output = options.output or bench / "results" / f"{result['date'][:10]}-densities.json"
    output.write_text(json.dumps(result) + "\n")
    return result


def table(result):
    lines = []
    for temperature, density, name, row in result["rows"]:
        thol, kolafa, slope = STATES[temperature, density]
        apart = 0.5 * abs(thol - kolafa) / slope
        lines.append([temperature, f"{density} +- {apart:.4f}", name, *(f"{row[q][0]:.5f} +- {row[q][1]:.5f}" for q in ("density", "energy", "temperature"))])
    return grid(["T", "density of both equations", "method", "density", "U/N", "temperature"], lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mdrun", type=pathlib.Path, default=bench.parent / "build" / "mdrun")
    parser.add_argument("--steps", type=int, default=60_000)
    parser.add_argument("--method", action="append", choices=METHODS, help="one or several; default: all")
    parser.add_argument("--output", type=pathlib.Path, help="default: results/DATE-densities.json")
    parser.add_argument("--table", type=pathlib.Path, help="print the table of this result")
    return print_result(parser.parse_args(), measure, table)


if __name__ == "__main__":
    sys.exit(main())
