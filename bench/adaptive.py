#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive against fixed steps, at equal accuracy, for impacts of many particles in 3D: docs/integrators.md.

    bench/adaptive.py --mdrun build/mdrun                       all systems, some minutes on one core
    bench/adaptive.py --system droplets                         one of them
    bench/adaptive.py --table bench/results/FILE.json           print the table of an earlier run

hot spot: 4000 Lennard-Jones particles at density 0.8 and T = 0.7, of which those within 3 of the centre have 150 times the
temperature. droplets: inputs/droplet_collision.toml. column: 1024 elastic balls of diameter 1, 4 by 4 by 64, fall from a height of 18 onto a wall.
The error is the largest change of the total energy at 100 equidistant times, relative to the
kinetic energy that the impact converts; evaluations are those of the steps, seconds are those of
one core with 10 outputs. Step lengths differ by factors of sqrt(2); numbers for a given error are
interpolated between two of them by a power law. All in double precision.
"""
import argparse
import json
import math
import pathlib
import random
import re
import sys
import tempfile

import h5py
import numpy as np

from contestants import BenchError, Shadow, bench, watch
from run import circumstances, print_result
from tables import grid

OUTPUTS, FEW = 100, 10
PAIRS = '[[force]]\ntype = "lennard-jones"\nepsilon = 1.0\nsigma = 1.0\ncutoff = 2.5\ninner = 2.0\ntruncation = "smooth-c2"\n'
LIQUID = f"""\
seed = 3
[system]
dimension = 3
box = {{ density = 0.8 }}
lattice = {{ type = "fcc", repeat = [10, 10, 10] }}
velocity = {{ temperature = 0.7 }}
{PAIRS}[integrator]
method = "baoab"
dt = 0.004
temperature = 0.7
friction = 1.0
[run]
steps = 2000
[output]
prefix = "start"
trajectory = {{ every = 2000, fields = ["position", "velocity"] }}
"""
BALLS = """\
[[force]]
type = "harmonic-contact"
stiffness = 1e5
diameter = 1.0
[[force]]
type = "wall-harmonic"
stiffness = 1e5
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
[[force]]
type = "uniform-field"
strength = [0.0, 0.0, -1.0]
"""
CONTACTS = """\
[[step_sum]]
type = "formula"
u = "K/(1 + exp((r - 1)/w))"
parameters = { K = 1e5, w = 0.004 }
cutoff = 1.05
"""
INPUT = """\
seed = 3
[system]
dimension = 3
BOX
file = "start.xyz"
FORCES
[integrator]
method = "verlet"
dt = 0.001
[run]
steps = 1
[[observe]]
type = "thermo"
every = 1
[output]
prefix = "out"
overwrite = true
[compute]
precision = "double"
"""


def write_frame(path, box, places, velocities):
    """`box`: lengths, 0 in open directions."""
    sides = " ".join("T" if length else "F" for length in box)
    lattice = f'Lattice="{box[0] or 1} 0 0 0 {box[1] or 1} 0 0 0 {box[2] or 1}" ' if any(box) else ""
    rows = "".join("A " + " ".join(f"{number:.15g}" for number in (*x, *v)) + "\n" for x, v in zip(places, velocities))
    path.write_text(f'{len(places)}\n{lattice}pbc="{sides}" Properties=species:S:1:pos:R:3:vel:R:3\n{rows}')


def hot_spot(mdrun, folder):
    (folder / "liquid.toml").write_text(LIQUID)
    watch([mdrun, "liquid.toml", "--quiet", "--progress=none"], 1, folder)
    with h5py.File(folder / "start.h5") as file:
        particles = file["particles/all"]
        places, velocities = particles["position/value"][-1], particles["velocity/value"][-1]
        length = np.ravel(particles["box/edges"][...] if isinstance(particles["box/edges"], h5py.Dataset) else particles["box/edges/value"][-1])[0]
    hot = np.linalg.norm(places - places.mean(axis=0), axis=1) < 3.0
    velocities[hot] *= math.sqrt(150.0)
    write_frame(folder / "start.xyz", (length, length, length), places, velocities)
    (folder / "in.toml").write_text(INPUT.replace("BOX\n", "").replace("FORCES", PAIRS))
    return 0.5 * np.sum(velocities[hot]**2)


def droplets(mdrun, folder):
    (folder / "start.xyz").write_text((bench.parent / "inputs/droplets.xyz").read_text())
    forces = PAIRS.replace("2.5", "3.0").replace("2.0", "2.5")
    (folder / "in.toml").write_text(INPUT.replace("BOX", "box = { periodic = false }").replace("FORCES", forces))
    return 0.5 * 402 * 16.0


def column(mdrun, folder):
    chance = random.Random(5)
    places = [[1.1 * i + 0.05 * chance.random(), 1.1 * j + 0.05 * chance.random(), 18.5 + 1.05 * k] for k in range(64) for i in range(4) for j in range(4)]
    write_frame(folder / "start.xyz", (4.4, 4.4, 0.0), places, np.zeros((1024, 3)))
    (folder / "in.toml").write_text(INPUT.replace("BOX\n", "").replace("FORCES", BALLS + CONTACTS))
    return 1024 * 18.0


def methods(kinetic, first):
    """name -> keys, first step"""
    return {"verlet": ("", first[0]), "step-density, K": (f'objective="kinetic-energy",{kinetic}', first[1]),
            "energy-scaled, K": (f'objective="kinetic-energy",{kinetic}', first[1]),
            "adaptive-verlet, K": (f'objective="kinetic-energy",{kinetic}', first[1]),
            "adaptive-verlet, a": (first[3], first[2])}


#: Start, time, and methods: keys and the longest step at factor 1.
SYSTEMS = {
    "hot spot": (hot_spot, 1.0, methods("power=1.0", (0.004, 0.003, 0.003, "reference=300.0,longest=0.01"))),
    "droplets": (droplets, 25.0, methods("power=1.0", (0.008, 0.004, 0.004, "reference=100.0,longest=0.016"))),
    "column": (column, 9.0, {
        "verlet": ("", 0.0014),
        "adaptive-verlet, a": ("reference=1000.0,longest=0.004", 0.00035),
        "adaptive-verlet, contacts": ('objective="pair-sum",offset=1e6,reference=1e8', 0.00035),
        "step-density, contacts": ('objective="pair-sum",offset=1e6,reference=1e8', 0.00035)})}


def measured(mdrun, folder, name, keys, dt, length, scale, outputs=OUTPUTS):
    method, even = name.split(",")[0], length / outputs
    every = math.ceil(even / (100.0 * dt)) # the longest interval
    table = f'{{method="{method}",dt={dt},interval={even / every!r},{keys}}}'
    steps = outputs * every
    if method == "verlet":
        every = math.ceil(even / dt)
        table, steps = f'{{method="verlet",dt={even / every!r}}}', outputs * every
    command = [mdrun, "in.toml", "--progress=none", "--set", f"integrator={table}", "--set", f"run.steps={steps}",
               "--set", f"observe.0.every={every}", "--set", "compute.threads=1"]
    if "contacts" not in name and "[[step_sum]]" in (folder / "in.toml").read_text():
        (folder / "bare.toml").write_text((folder / "in.toml").read_text().replace(CONTACTS, ""))
        command[1] = "bare.toml"
    try:
        said, usage = watch(command, 1, folder)
    except BenchError as error:
        if "explodes" not in str(error) and "no length" not in str(error):
            raise
        return {"dt": dt, "evaluations": None, "error": None}
    found = re.search(r"steps of \S+, (\d+) of them,", said)
    with h5py.File(folder / "out.h5") as file:
        energy = np.ravel(file["observables/total_energy/value"][...])
    change = (energy - energy[0]) / scale
    return {"dt": dt, "evaluations": int(found[1]) if found else steps, "error": float(np.abs(change).max()),
            "end": float(change[-10:].mean()), "seconds": usage.ru_utime}


def measure(options):
    shadow = Shadow(options.mdrun.resolve(), "double")
    result = {**circumstances([shadow], 1), "systems": {}}
    for system in options.system:
        make, length, chosen = SYSTEMS[system]
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            scale = make(shadow.mdrun, folder)
            rows = {}
            for name, (keys, first) in chosen.items():
                rows[name] = []
                for k in range(options.steps):
                    run = (shadow.mdrun, folder, name, keys, first / 2**(k / 2), length, scale)
                    rows[name].append(measured(*run))
                    if rows[name][-1]["error"]:
                        rows[name][-1]["seconds"] = measured(*run, FEW).get("seconds")
                print(system, name, *(f"{row['evaluations']}:{row['error']}" for row in rows[name]), file=sys.stderr, flush=True)
            result["systems"][system] = rows
    output = options.output or bench / "results" / f"{result['date'][:10]}-adaptive.json"
    output.write_text(json.dumps(result) + "\n")
    return result


def at_error(rows, level, what):
    """Interpolated between the two steps around an error by a power law; nothing beyond the
    ends."""
    rows = sorted((row for row in rows if row["error"]), key=lambda row: row["evaluations"])
    for a, b in zip(rows, rows[1:]):
        if a["error"] >= level > b["error"] and a.get(what) and b.get(what):
            part = math.log(a["error"] / level) / math.log(a["error"] / b["error"])
            return a[what] * (b[what] / a[what])**part
    return None


LEVELS = (1e-2, 1e-3, 1e-4)


def table(result):
    lines = []
    for system, methods_of in result["systems"].items():
        for name, rows in methods_of.items():
            line = [system, f"`{name.replace(',', '`,', 1)}" if "," in name else f"`{name}`"]
            for level in LEVELS:
                for what, form in (("evaluations", "{:.0f}"), ("seconds", "{:.2f}")):
                    found = at_error(rows, level, what)
                    line.append(form.format(found) if found else "-")
            last = min(rows, key=lambda row: row["dt"])
            lines.append([*line, f"{last['end']:.1e} of {last['error']:.1e}" if last["error"] else "explodes"])
    return grid(["system", "method", *(f"{what}, {level:.0e}" for level in LEVELS for what in ("evaluations", "seconds")), "at the end, finest step"], lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mdrun", type=pathlib.Path, default=pathlib.Path("build/mdrun"))
    parser.add_argument("--system", nargs="+", choices=SYSTEMS, default=list(SYSTEMS))
    parser.add_argument("--steps", type=int, default=8, help="step lengths of each method")
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path)
    return print_result(parser.parse_args(), measure, table)


if __name__ == "__main__":
    sys.exit(main())
