#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Cost of a step with a bath, a barostat or a constant-energy method relative to Verlet: docs/ensembles.md, docs/integrators.md.

    bench/baths.py --mdrun build/mdrun                     baths, 32,000 particles of the melt, mixed precision
    bench/baths.py --of energies --cells 40                methods of constant energy, 256,000
    bench/baths.py --table bench/results/FILE.json         print the table of an earlier run

bench/melt_3d.toml, shifted. A cost is the processor time of a run of --steps minus that of one of
40, relative to Verlet in the same round: the median, minimum and maximum of --rounds. Methods take
turns on one core. A composition of n stages runs n times fewer steps, each n / 3 times as long as
Verlet's.
"""
import argparse
import json
import pathlib
import statistics
import sys
import tempfile

from contestants import Shadow, bench, watch
from run import circumstances, print_result
from tables import grid

BATH = "temperature = 1.44\n"
CELL = '[barostat]\npressure = 5.0\ntime = 1.0\ncompressibility = 0.1\n'
MASS = "mass = 600.0\n"
MOVES = '[barostat]\ntype = "monte-carlo"\npressure = 5.0\namplitude = 0.002\n'
MTK = '[barostat]\ntype = "mtk"\npressure = 5.0\nperiod = 5.0\n'
LANGEVIN = {name: BATH + "friction = 1.0\n" for name in ("baoab", "gjf", "baoa", "aboba", "obabo")}
#: name -> keys besides method and dt
METHODS = {"verlet": "", **LANGEVIN, "andersen": BATH + "rate = 1.0\n", "nose-poincare": BATH + MASS,
           "dpd": BATH + "friction = 4.5\nradius = 1.5\n", "lowe-andersen": BATH + "rate = 1.0\nradius = 1.5\n",
           # Started from a lattice these need a slow bath, which costs the same.
           **dict.fromkeys(("nose-vertex", "nose-balls"), BATH + "mass = 1e7\n"),
           "nose-separated": BATH + MASS, "nose-explicit": BATH + MASS,
           "nose-density": BATH + MASS + "threshold = {total}\nwidth = {width}\nleast_slope = 0.95\n", "nose-explicit, chain": BATH + MASS + "chain = 3\n",
           "nose-hoover": BATH + "period = 0.3\n", "nose-hoover-langevin": BATH + "period = 0.3\nfriction = 20.0\n",
           "bussi": BATH + "time = 0.5\n", "berendsen": BATH + "time = 0.5\n",
           "baoab, cell-rescaling": LANGEVIN["baoab"] + CELL, "baoab, monte-carlo": LANGEVIN["baoab"] + MOVES,
           "nose-hoover, mtk": BATH + "period = 0.3\n" + MTK,
           "nose-hoover, shear": BATH + "period = 0.3\nchain = 1\n[shear]\nrate = 0.5\n",
           "nose-hoover, deform": BATH + 'period = 0.3\n[barostat]\ntype = "deform"\nrates = [0.01, 0.0, -0.01]\n',
           "baoab, boost": LANGEVIN["baoab"] + "[boost]\nthreshold = {threshold}\nwidth = {width}\nleast_slope = 0.75\n",
           "nose-poincare, nose-poincare-andersen": BATH + MASS + MTK.replace("mtk", "nose-poincare-andersen")}
#: Number of stages of a step.
STAGES = {"triple-jump": 3, "mclachlan-4": 5, "blanes-moan-4": 6, "blanes-moan-nystrom-4": 6, "blanes-processed-6": 7, "kahan-li-6": 9,
          "blanes-moan-6": 10, "blanes-moan-nystrom-6": 11, "mclachlan-8": 15}
KINETIC = 'objective = "kinetic-energy"\n'
SHADOW = '[[observe]]\ntype = "shadow-energy"\nevery = 100\n'
ENERGIES = {"verlet": "", **dict.fromkeys(STAGES, ""), "adaptive-verlet": KINETIC, "adaptive-verlet, a": "reference = 100.0\n", "step-density": KINETIC,
            "energy-scaled": KINETIC, "poincare": "", "verlet, shadow-energy": SHADOW,
            "verlet, shadow-energy of order 4": SHADOW + "order = 4\n", "verlet, shadow-energy of order 8": SHADOW + "order = 8\n"}


def seconds(options, folder, name, steps):
    head, tail = (bench / "melt_3d.toml").read_text().split("[integrator]\n")
    particles = 4 * options.cells**3
    stages = STAGES.get(name, 1)
    keys = (METHODS | ENERGIES)[name].replace("{threshold}", str(-4.7 * particles)).replace("{width}", str(0.06 * particles)).replace(
        "{total}", str(-2.54 * particles))
    method = f'[integrator]\nmethod = "{name.split(",")[0]}"\ndt = {0.005 * max(1.0, stages / 3.0)}\n{keys}'
    (folder / "in.toml").write_text(head + method + tail[tail.index("[run]"):])
    command = [options.mdrun.resolve(), "in.toml", "--progress=none", "--quiet"]
    for setting in (f"run.steps={steps}", 'force.0.truncation="shift"', f"system.lattice.repeat={[options.cells] * 3}",
                    f'compute.precision="{options.precision}"', "compute.threads=1", "compute.device=cpu"):
        command += ["--set", setting]
    return watch(command, 1, folder)[1].ru_utime


def measure(options):
    result = {**circumstances([Shadow(options.mdrun.resolve(), options.precision)], options.rounds),
              "particles": 4 * options.cells**3, "steps": options.steps,
              "costs": {name: [] for name in (ENERGIES if options.of == "energies" else METHODS)}}
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(options.rounds):
            for name, costs in result["costs"].items():
                stages = STAGES.get(name, 1)
                few, many = 40 // stages, options.steps // stages
                times = [seconds(options, pathlib.Path(scratch), name, n) for n in (few, many)]
                costs.append((times[1] - times[0]) / ((many - few) * stages))
                print(f"{name}: {1e3 * costs[-1]:.2f} ms", file=sys.stderr, flush=True)
    output = options.output or bench / "results" / f"{result['date'][:10]}-baths.json"
    output.write_text(json.dumps(result) + "\n")
    return result


def table(result):
    lines = []
    for name, costs in result["costs"].items():
        ratios = [own / verlet for own, verlet in zip(costs, result["costs"]["verlet"])]
        lines.append([name, *(f"{value:.3f}" for value in (statistics.median(ratios), min(ratios), max(ratios)))])
    return grid(["method", "over Verlet, a stage", "least", "largest"], lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mdrun", type=pathlib.Path, default=bench.parent / "build" / "mdrun")
    parser.add_argument("--of", choices=("baths", "energies"), default="baths")
    parser.add_argument("--precision", default="mixed")
    parser.add_argument("--cells", type=int, default=20, help="N = 4 cells^3")
    parser.add_argument("--steps", type=int, default=240)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=pathlib.Path, help="default: results/DATE-baths.json")
    parser.add_argument("--table", type=pathlib.Path, help="print the table of this result")
    return print_result(parser.parse_args(), measure, table)


if __name__ == "__main__":
    sys.exit(main())
