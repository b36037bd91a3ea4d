#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Drift of the conserved quantity of each bath, barostat and adaptive method, with steps of three lengths: the table in docs/validation.md.

    bench/conservation.py --mdrun build/mdrun              256 particles, a million steps each
    bench/conservation.py --table bench/results/FILE.json  print the table of an earlier run

The liquid of bench/bath_liquid.toml with a smooth truncation, double precision. Drift and fluctuation are those of the
summary; the power of the step is that of fluctuations between the two longer steps.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

from contestants import Shadow, bench
from run import circumstances, print_result
from tables import grid

LANGEVIN = "friction=1.0"
PRESSED = 'pressure=2.19'
NOSE = ("nose-hoover", "period=0.4")
#: name -> method, its keys, those of a barostat
METHODS = {"verlet": ("verlet", "", ""),
           **{name: (name, LANGEVIN, "") for name in ("baoab", "obabo", "aboba", "gjf", "baoa")},
           "andersen": ("andersen", "rate=1.0", ""), "bussi": ("bussi", "time=0.5", ""),
           "nose-hoover": (*NOSE, ""),
           **{name: (name, "mass=6.2", "") for name in ("nose-poincare", "nose-explicit", "nose-vertex", "nose-balls")},
           # A density that is flatter above the mean total energy, -892.5, with a width of two
           # standard deviations.
           "nose-density": ("nose-density", "mass=6.2,threshold=-892.5,width=50.0,least_slope=0.88", ""),
           **{name: (name, 'objective="kinetic-energy",power=1.0', "") for name in ("adaptive-verlet", "step-density", "energy-scaled")},
           "poincare": ("poincare", 'objective="potential-energy",power=1.0', ""),
           "blanes-processed-6": ("blanes-processed-6", "", ""),
           "dpd": ("dpd", "friction=4.5,radius=1.5", ""), "lowe-andersen": ("lowe-andersen", "rate=1.0,radius=1.5", ""),
           "baoab, cell-rescaling": ("baoab", LANGEVIN, f"{PRESSED},time=1.0,compressibility=0.1,every=10"),
           "baoab, monte-carlo": ("baoab", LANGEVIN, f'type="monte-carlo",{PRESSED},amplitude=0.02,every=10'),
           "nose-hoover, mtk": (*NOSE, f'type="mtk",{PRESSED},period=5.0'),
           "nose-poincare, nose-poincare-andersen": ("nose-poincare", "mass=6.2",
                                                     f'type="nose-poincare-andersen",{PRESSED},period=5.0')}
STEPS = (0.002, 0.004, 0.008)
#: Factors of the step length.
FINER = {"nose-balls": 0.25}
#: One step corresponds to ten of the others.
DEAR = ("dpd", "lowe-andersen", "blanes-processed-6")


def run(options, folder, name, dt):
    method, keys, barostat = METHODS[name]
    bath = f"temperature=1.0,{keys}," if keys and not keys.startswith("objective") else f"{keys}," if keys else ""
    settings = [f'stage.1.integrator={{method="{method}",{bath}dt={dt}}}', 'force.0.truncation="smooth-c2"', "force.0.inner=2.0",
                f"stage.1.steps={options.steps // 10 if name in DEAR else options.steps}", "stage.1.equilibration=0",
                'stage.1.observe=[{type="thermo",every=50}]', 'compute.precision="double"', "compute.threads=1", "compute.device=cpu"]
    if barostat:
        settings.append(f"stage.1.barostat={{{barostat}}}")
    command = [options.mdrun.resolve(), bench / "bath_liquid.toml", "--quiet", "--progress=none", "--summary", "summary.json",
               *(part for setting in [*settings, f'output.prefix="{folder}/out"'] for part in ("--set", setting))]
    subprocess.run(command, cwd=folder, check=True, stderr=subprocess.DEVNULL)
    stage = json.loads((folder / "summary.json").read_text())["stages"][-1]
    kept, averages = stage["conserved"], stage["averages"]
    scale = stage["degrees_of_freedom"] * averages["temperature"]["mean"]
    return {"dt": dt, "steps": stage["steps"], "drift": kept["drift"] / scale, "error": kept["drift_error"] / scale,
            "fluctuation": kept["fluctuation"], "temperature": averages["temperature"]["mean"],
            "passed": stage["verdict"]["conserved"]["passed"]}


def measure(options):
    result = {**circumstances([Shadow(options.mdrun.resolve(), "double")], 1), "methods": {}}
    with tempfile.TemporaryDirectory() as scratch:
        for name in options.method or METHODS:
            rows = result["methods"].setdefault(name, [])
            for dt in (FINER.get(name, 1.0) * dt for dt in STEPS):
                try:
                    rows.append(run(options, pathlib.Path(scratch), name, dt))
                except subprocess.CalledProcessError:
                    rows.append({"dt": dt, "ended": True})
                print(f"{name}: {rows[-1]}", file=sys.stderr, flush=True)
    output = options.output or bench / "results" / f"{result['date'][:10]}-conservation.json"
    output.write_text(json.dumps(result) + "\n")
    return result


def table(result):
    lines = []
    for name, rows in result["methods"].items():
        cells = ["ended" if "ended" in r else f"{r['drift']:.1e} +- {r['error']:.0e}" for r in rows]
        widths = [r.get("fluctuation", math.nan) for r in rows]
        lines.append([name, *cells, *(f"{w:.2e}" for w in widths), f"{math.log2(widths[2] / widths[1]):.1f}"])
    # Steps of FINER are shorter, as their rows show.
    return grid(["method", *(f"dt = {dt}" for dt in STEPS), *(f"fluctuation, {dt}" for dt in STEPS), "power"], lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mdrun", type=pathlib.Path, default=bench.parent / "build" / "mdrun")
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--method", action="append", choices=METHODS, help="one or several; default: all")
    parser.add_argument("--output", type=pathlib.Path, help="default: results/DATE-conservation.json")
    parser.add_argument("--table", type=pathlib.Path, help="print the table of this result")
    return print_result(parser.parse_args(), measure, table)


if __name__ == "__main__":
    sys.exit(main())
