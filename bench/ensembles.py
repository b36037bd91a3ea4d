#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Samples of every method at constant temperature for one Lennard-Jones fluid: the table in docs/validation.md.

    bench/ensembles.py --mdrun build/mdrun                 four state points, some 4000 particles
    bench/ensembles.py --table bench/results/FILE.json     print the table of an earlier run

Cut-off 2.5 with force-shift. Errors of energies, pressures and C_V are those of mdrun; that of the
variance of the kinetic energy is from 40 blocks. Distances of T and of that variance are from
theory, of the others from the error-weighted mean of all methods, in units of the combined error.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

from contestants import Shadow, bench
from run import circumstances, print_result
from tables import grid

#: name -> dimension, density, temperature
STATES = {"dense liquid": (3, 0.85, 1.2), "liquid": (3, 0.7, 1.0), "supercritical": (3, 0.35, 1.6), "plane": (2, 0.7, 1.0)}
LANGEVIN = "friction = 3.0"
#: name -> keys besides method, dt and temperature; a mass is for 4000 particles of any state
METHODS = {**dict.fromkeys(("baoab", "obabo", "aboba", "gjf", "baoa"), LANGEVIN), "andersen": "rate = 3.0",
           "bussi": "time = 0.2", "nose-hoover": "period = 0.4", "nose-hoover-langevin": "period = 0.4\nfriction = 15.0", "nose-poincare": "mass = {mass}",
           "nose-vertex": "mass = {mass}", "nose-balls": "mass = {mass}", "nose-explicit": "mass = {mass}\nchain = 2", "nose-separated": "mass = {mass}",
           "nose-density": "mass = {mass}\nthreshold = {threshold}\nwidth = {width}\nleast_slope = 0.97",
           "dpd": "friction = 4.5\nradius = 1.5", "lowe-andersen": "rate = 2.0\nradius = 1.2"}
#: approximate potential energies of a particle in these states
ENERGIES = {"dense liquid": -4.0805, "liquid": -3.6247, "supercritical": -1.6861, "plane": -1.5799}
#: factors by which steps are shorter and more: spheres collide
SHORTER = {"nose-balls": 2}
QUANTITIES = ("temperature", "kinetic_variance", "energy", "pressure", "heat_capacity")

INPUT = """\
seed = {seed}
[system]
dimension = {dimension}
box = {{ density = {density} }}
lattice = {lattice}
velocity = {{ temperature = {temperature} }}
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
truncation = "force-shift"
[[stage]]
name = "equilibrate"
steps = 6000
integrator = {{ method = "baoab", dt = 0.004, friction = 1.0, temperature = [[0, {hot}], [2000, {hot}], [3000, {temperature}]] }}
[[stage]]
name = "sample"
steps = {steps}
equilibration = {left_out}
[stage.integrator]
method = "{method}"
dt = {dt}
temperature = {temperature}
{keys}
[[stage.observe]]
type = "thermo"
every = 5
[output]
prefix = "out"
[compute]
threads = 1
precision = "{precision}"
"""


def run(options, folder, state, method, seed):
    dimension, density, temperature = STATES[state]
    lattice = ('{ type = "fcc", repeat = [10, 10, 10] }' if dimension == 3 else
               '{ type = "triangular", repeat = [46, 43] }')
    particles = 4000 if dimension == 3 else 2 * 46 * 43
    shorter = SHORTER.get(method, 1)
    steps = shorter * options.steps
    # A period of 0.4: 2 g kT (period / 2 pi)^2.
    mass = 2.0 * dimension * particles * temperature * (0.4 / (2.0 * np.pi))**2
    # A density that is flatter above the mean total energy, over about two standard deviations.
    threshold = particles * (ENERGIES[state] + 0.5 * dimension * temperature)
    width = 3.0 * np.sqrt(particles) * temperature
    text = INPUT.format(seed=seed, dimension=dimension, density=density, lattice=lattice, temperature=temperature,
                        hot=2.0 * temperature, steps=steps, left_out=steps // 20, method=method,
                        dt=options.dt / shorter, keys=METHODS[method].format(mass=mass, threshold=threshold, width=width), precision=options.precision)
    (folder / "in.toml").write_text(text)
    subprocess.run([options.mdrun.resolve(), "in.toml", "--quiet", "--progress=none", "--set", "output.overwrite=true",
                    "--summary", "summary.json"], cwd=folder, check=True, stderr=subprocess.DEVNULL)
    stage = json.loads((folder / "summary.json").read_text())["stages"][-1]
    mean = {name: (entry["mean"], entry["error"]) for name, entry in stage["averages"].items()}
    freedom = stage["degrees_of_freedom"]
    with h5py.File(folder / "out.h5") as file:
        kinetic = file["observables/kinetic_energy"]
        # The last stage without its start.
        from_step = 6000 + steps // 20
        chosen = kinetic["step"][:] > from_step
        values, weights = kinetic["value"][:][chosen], np.ones(chosen.sum())
        if "boost_energy" in file["observables"]:
            boost = file["observables/boost_energy/value"][-len(values):] / temperature
            weights = np.exp(boost - boost.max())
    squares = (values - 0.5 * freedom * temperature)**2 / (0.5 * freedom * temperature**2)
    mean_square = weights @ squares / weights.sum()  # the plain mean of the squares below
    squares = mean_square + weights / weights.mean() * (squares - mean_square)
    blocks = squares[:len(squares) // 40 * 40].reshape(40, -1).mean(axis=1)
    capacity = stage["fluctuations"]["heat_capacity"]
    return {"temperature": mean["temperature"],
            "kinetic_variance": (blocks.mean(), blocks.std() / np.sqrt(39)),
            "energy": tuple(x / particles for x in mean["potential_energy"]),
            "pressure": mean["pressure"],
            "heat_capacity": (capacity["value"] / particles, capacity["error"] / particles),
            "passed": all(part["passed"] for part in stage["verdict"].values() if isinstance(part, dict) and part.get("judged", True))}


def measure(options):
    result = {**circumstances([Shadow(options.mdrun.resolve(), options.precision)], 1), "steps": options.steps,
              "dt": options.dt, "precision": options.precision, "states": {}}
    with tempfile.TemporaryDirectory() as scratch:
        for state in options.state or STATES:
            rows = result["states"].setdefault(state, {})
            for seed, method in enumerate(METHODS, start=11):
                rows[method] = run(options, pathlib.Path(scratch), state, method, seed)
                print(f"{state}, {method}: {rows[method]}", file=sys.stderr, flush=True)
    output = options.output or bench / "results" / f"{result['date'][:10]}-ensembles.json"
    output.write_text(json.dumps(result) + "\n")
    return result


def distances(rows, state):
    """Distances by method and quantity, from theory or from the mean of all methods."""
    theory = {"temperature": STATES[state][2], "kinetic_variance": 1.0}
    all_distances = {}
    for quantity in QUANTITIES:
        value = np.array([row[quantity][0] for row in rows.values()])
        error = np.array([row[quantity][1] for row in rows.values()])
        weight = error**-2
        whole, variance = np.sum(weight * value) / weight.sum(), 1.0 / weight.sum()
        for k, method in enumerate(rows):
            # A row contributes to the mean: var(x - mean) = error^2 - variance.
            apart, spread = ((value[k] - theory[quantity], error[k]) if quantity in theory else
                             (value[k] - whole, np.sqrt(max(error[k]**2 - variance, 0.0))))
            all_distances[method, quantity] = apart / spread
    return all_distances


def brief(value, error):
    digits = max(0, int(np.ceil(1 - np.log10(error))))
    return f"{value:.{digits}f}({error * 10**digits:.0f})"


def table(result):
    lines, far = [], []
    for state, rows in result["states"].items():
        apart = distances(rows, state)
        for method, row in rows.items():
            lines.append([state, f"`{method}`", *(f"{brief(*row[q])} {apart[method, q]:+.1f}" for q in QUANTITIES)])
        far += list(apart.values())
    within = ", ".join(f"{np.mean(np.abs(far) > n):.3f} beyond {n}" for n in (1, 2, 3))
    head = ["state", "method", "T", "var K over theory", "U/N", "P", "C_V/N"]
    return f"{grid(head, lines)}\n\nOf {len(far)} distances {within} (0.317, 0.046, 0.003 by chance)."


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mdrun", type=pathlib.Path, default=bench.parent / "build" / "mdrun")
    parser.add_argument("--precision", default="mixed")
    parser.add_argument("--steps", type=int, default=60_000)
    parser.add_argument("--dt", type=float, default=0.003)
    parser.add_argument("--state", action="append", choices=STATES, help="one or several; default: all")
    parser.add_argument("--output", type=pathlib.Path, help="default: results/DATE-ensembles.json")
    parser.add_argument("--table", type=pathlib.Path, help="print the table of this result")
    return print_result(parser.parse_args(), measure, table)


if __name__ == "__main__":
    sys.exit(main())
