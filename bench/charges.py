#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Throughput with periodic charges at the same measured error of forces, beside LAMMPS and GROMACS.

    bench/charges.py --mdrun build/mdrun --tiles 2 3 --accuracy 1e-3 1e-4
    bench/charges.py --peer --tiles 1 2 3 4 6         Shadow alone: how the cost grows
    bench/charges.py --table bench/results/FILE.json  print the table of an earlier run

A melt of 4096 ions is copied tiles^3 times; all start from these places and velocities. The error is
the root mean square difference to the forces of Shadow in double at accuracy 1e-8, over
k <q^2> density^(2/3). Shadow takes `accuracy` as it is. Each peer takes the fastest of some cut-offs
and orders, with what else it has as coarse as leaves an error not above that accuracy. Then all take
turns, round after round, on one core.
"""
import argparse
import json
import math
import os
import pathlib
import shutil
import statistics
import sys
import tempfile

import h5py
import numpy as np

from contestants import BenchError, Gromacs, Lammps, Shadow, bench, execute
from run import circumstances
from tables import grid

charge, density, steps_to_choose = 6.0, 0.6, 20
scale = charge**2 * density ** (2 / 3)
coulomb = 138.935458  # of GROMACS, kJ nm / (mol e^2)


def run_shadow(mdrun, folder, *settings):
    execute([mdrun, "input.toml", "--progress=none", "--quiet", "--summary", "summary.json",
             *[word for s in (*settings, "compute.threads=1", "compute.device=cpu")
               for word in ("--set", s)]], 1, folder)


def melt(mdrun, folder):
    """Places, velocities, charges and the edge of 4096 ions."""
    shutil.copy(bench / "charged_melt.toml", folder / "input.toml")
    execute([mdrun, "input.toml", "--progress=none", "--quiet"], 2, folder)
    execute([bench.parent / "tools" / "mdexport", "melt.h5", "--to", "lammps-data", "-o", "melt.data"],
            1, folder)
    return read_data(folder / "melt.data")


def read_data(path):
    text = path.read_text()
    rows = {}
    for title in ("Atoms", "Velocities"):
        after = text[text.index(f"\n{title}"):].split("\n\n", 2)[1]
        table = np.array([line.split()[:6] for line in after.splitlines()], dtype=float)
        rows[title] = table[np.argsort(table[:, 0])]
    edge = next(float(line.split()[1]) for line in text.splitlines() if line.endswith("xlo xhi"))
    atoms = rows["Atoms"]  # id, type, charge, x, y, z
    return atoms[:, 3:6], rows["Velocities"][:, 1:4], atoms[:, 1].astype(int), edge


def tile(start, tiles):
    places, velocities, species, edge = start
    shifts = edge * np.array(list(np.ndindex(tiles, tiles, tiles)))
    return ((places[None] + shifts[:, None]).reshape(-1, 3), np.tile(velocities, (len(shifts), 1)),
            np.tile(species, len(shifts)), edge * tiles)


def write_start(system, folder):
    places, velocities, species, edge = system
    with open(folder / "start.data", "w") as file:
        file.write(f"ions\n\n{len(places)} atoms\n2 atom types\n\n")
        for axis in "xyz":
            file.write(f"0 {edge!r} {axis}lo {axis}hi\n")
        file.write("\nMasses\n\n1 1.0\n2 1.0\n\nAtoms # charge\n\n")
        for k, (s, x) in enumerate(zip(species, places.tolist()), 1):
            file.write(f"{k} {s} {charge if s == 1 else -charge} {x[0]!r} {x[1]!r} {x[2]!r}\n")
        file.write("\nVelocities\n\n")
        for k, v in enumerate(velocities.tolist(), 1):
            file.write(f"{k} {v[0]!r} {v[1]!r} {v[2]!r}\n")


def rms(forces, right):
    return float(np.sqrt(np.mean(np.sum((forces - right) ** 2, axis=1))) / scale)


class ShadowCharges(Shadow):
    def prepare(self, system, folder):
        shutil.copy(bench / "charged_liquid.toml", folder / "input.toml")
        write_start(system, folder)

    def settings(self, accuracy):
        return [f"force.1.accuracy={accuracy}", f"compute.precision={self.precision}"]

    def forces(self, folder, accuracy):
        run_shadow(self.mdrun, folder, *self.settings(accuracy), "run.steps=0")
        with h5py.File(folder / "results.h5") as file:
            return file["particles/all/force/value"][0]

    def choose(self, system, accuracy, right, folder):
        return {"error": rms(self.forces(folder, accuracy), right), "accuracy": accuracy}

    def time(self, system, choice, steps, folder):
        run_shadow(self.mdrun, folder, *self.settings(choice["accuracy"]), f"run.steps={steps}")
        performance = json.loads((folder / "summary.json").read_text())["performance"]
        return (1 - performance["shares"]["checkpoint"]) * performance["ns_per_particle_step"]


def coarsest(tries, measure, accuracy):
    """Of choices from coarse to fine the first that is good enough, with its error."""
    for choice in tries:
        error = measure(choice)
        if error <= accuracy:
            return {**choice, "error": error}
    return None


def fastest(choices, time, name):
    if not choices:
        raise BenchError(f"{name}: no choice of parameters reaches the accuracy")
    return min(choices, key=time)


class LammpsCharges(Lammps):
    def prepare(self, system, folder):
        write_start(system, folder)

    def simulate(self, choice, steps, folder):
        command = [self.lmp, "-sf", self.suffix, "-in", bench / "peers" / "lammps_charges.in", "-log",
                   "none", "-v", "steps", str(steps)]
        for key in ("cutoff", "accuracy", "order"):
            command += ["-v", key, str(choice[key])]
        return execute(command, 1, folder, {"OMP_NUM_THREADS": "1"})[0]

    def forces(self, choice, folder):
        self.simulate(choice, 0, folder)
        return np.loadtxt(folder / "forces.txt", skiprows=9)[:, 1:4]

    def choose(self, system, accuracy, right, folder):
        found = []
        for cutoff in (3.0, 4.0, 5.0):
            for order in (5, 7):
                tries = [{"cutoff": cutoff, "order": order, "accuracy": accuracy * 2**-k}
                         for k in np.arange(-7.0, 4.0, 0.5)]
                found.append(coarsest(tries, lambda c: rms(self.forces(c, folder), right), accuracy))
        return fastest([c for c in found if c],
                       lambda c: self.time(system, c, steps_to_choose, folder), self.name)

    def time(self, system, choice, steps, folder):
        seconds, done, particles, _ = self.read(self.simulate(choice, steps, folder))
        return 1e9 * seconds / (done * particles)


def screening(cutoff, accuracy, particles, edge):
    """ewald-rtol that leaves pairs half of the squared error (Kolafa and Perram 1992)."""
    squares = particles * charge**2

    def error(alpha):
        return (2 * squares * math.exp(-((alpha * cutoff) ** 2)) /
                math.sqrt(particles * cutoff * edge**3) / scale)
    low, high = 0.1 / cutoff, 20 / cutoff
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if error(middle) > accuracy / math.sqrt(2) else (low, middle)
    return high, math.erfc(high * cutoff)


class GromacsCharges(Gromacs):
    def prepare(self, system, folder):
        os.environ["GMX_MAXBACKUP"] = "-1"
        places, velocities, species, edge = system
        names = {1: "A", 2: "B"}
        with open(folder / "start.gro", "w") as file:
            file.write(f"ions\n{len(places)}\n")
            for k, (s, x, v) in enumerate(zip(species, places.tolist(), velocities.tolist()), 1):
                file.write("%5d%-5s%5s%5d" % (k % 100000, names[s], names[s], k % 100000))
                file.write("%14.9f%14.9f%14.9f%14.10f%14.10f%14.10f\n" % (*x, *v))
            file.write("%.9f %.9f %.9f\n" % (edge, edge, edge))
        q = charge / math.sqrt(coulomb)
        kinds = "".join(f"[ moleculetype ]\n{n} 0\n[ atoms ]\n1 {n} 1 {n} {n} 1 {z!r} 1.0\n"
                        for n, z in (("A", q), ("B", -q)))
        runs = np.split(species, np.nonzero(np.diff(species))[0] + 1)
        (folder / "start.top").write_text(
            "[ defaults ]\n1 2\n[ atomtypes ]\nA 0 1.0 0.0 A 1.0 1.0\nB 0 1.0 0.0 A 1.0 1.0\n"
            f"{kinds}[ system ]\nions\n[ molecules ]\n" +
            "".join(f"{names[run[0]]} {len(run)}\n" for run in runs))

    def simulate(self, choice, steps, folder, *options):
        deck = (bench / "peers" / "gromacs_charges.mdp").read_text()
        (folder / "start.mdp").write_text(
            f"{deck}nsteps = {steps}\nrcoulomb = {choice['cutoff']}\nrlist = "
            f"{choice['cutoff'] + 0.3}\newald-rtol = {choice['rtol']}\npme-order = "
            f"{choice['order']}\nfourier-spacing = {choice['spacing']}\nnstfout = 1000000\n")
        execute([self.gmx, "grompp", "-f", "start.mdp", "-c", "start.gro", "-p", "start.top", "-o",
                 "run.tpr", "-maxwarn", "3"], 1, folder)
        return self.mdrun(folder, "run", 1, "-notunepme", *options)[0]

    def forces(self, choice, folder):
        import MDAnalysis.lib.formats.libmdaxdr as xdr
        self.simulate(choice, 0, folder, "-o", "run.trr")
        with xdr.TRRFile(str(folder / "run.trr")) as file:
            return np.array(file.read().f, dtype=float)

    def choose(self, system, accuracy, right, folder):
        particles, edge = len(system[0]), system[3]
        found = []
        for cutoff in (3.0, 3.5, 4.0, 5.0):
            alpha, rtol = screening(cutoff, accuracy, particles, edge)
            for order in (4, 5):
                tries = [{"cutoff": cutoff, "order": order, "rtol": rtol, "spacing": 1.0 / alpha * 0.9**k}
                         for k in range(14)]
                found.append(coarsest(tries, lambda c: rms(self.forces(c, folder), right), accuracy))
        return fastest([c for c in found if c],
                       lambda c: self.time(system, c, steps_to_choose, folder), self.name)

    def time(self, system, choice, steps, folder):
        seconds, done = self.read_loop(self.simulate(choice, steps, folder, "-resetstep", "1"))
        return 1e9 * seconds / (done * len(system[0]))


def measure(options, start, tiles, accuracy, contestants, scratch):
    """Rows of the result for one size and accuracy."""
    system = tile(start, tiles)
    particles = len(system[0])
    steps = options.steps or max(40, round(6e6 / particles))
    folders = {}
    for c in contestants:
        folders[c.name] = pathlib.Path(tempfile.mkdtemp(dir=scratch))
        c.prepare(system, folders[c.name])
    reference = ShadowCharges(options.mdrun, "double")
    folder = pathlib.Path(tempfile.mkdtemp(dir=scratch))
    reference.prepare(system, folder)
    right = reference.forces(folder, 1e-8)
    choices, times = {}, {c.name: [] for c in contestants}
    for c in contestants:
        choices[c.name] = c.choose(system, accuracy, right, folders[c.name])
        print(f"{particles} ions, {accuracy}: {c.name} {choices[c.name]}", file=sys.stderr, flush=True)
    for _ in range(options.rounds):
        for c in contestants:
            times[c.name].append(c.time(system, choices[c.name], steps, folders[c.name]))
    return [{"contestant": name, "particles": particles, "accuracy": accuracy, "steps": steps,
             "choice": choices[name], "ns_per_particle_step": statistics.median(all_times),
             "all": all_times} for name, all_times in times.items()]


def table(result):
    lines = []
    for r in result["rows"]:
        first = next(x for x in result["rows"] if (x["particles"], x["accuracy"]) ==
                     (r["particles"], r["accuracy"]))
        slower = statistics.median(b / a for a, b in zip(first["all"], r["all"]))
        choice = ", ".join(f"{k} {v:.3g}" for k, v in r["choice"].items() if k != "error")
        lines.append([r["particles"], r["accuracy"], r["contestant"], f"{r['choice']['error']:.1e}",
                      choice, f"{r['ns_per_particle_step']:.0f} ({min(r['all']):.0f} to "
                      f"{max(r['all']):.0f})", f"{slower:.2f}"])
    return grid(["ions", "accuracy", "engine", "error", "chosen", "ns per particle-step",
                 "over the first"], lines)


def find(options):
    found = [ShadowCharges(options.mdrun, p) for p in options.precision]
    if "lammps" in options.peer and options.lmp:
        found.append(LammpsCharges(options.lmp, "opt"))
    if "gromacs" in options.peer and options.gmx:
        found.append(GromacsCharges(options.gmx))
    return found


def run(options):
    contestants = find(options)
    result = circumstances(contestants, options.rounds)
    output = options.output or bench / "results" / f"{result['date'][:10]}-charges.json"
    with tempfile.TemporaryDirectory() as scratch:
        start = melt(options.mdrun, pathlib.Path(scratch))
        for tiles in options.tiles:
            for accuracy in options.accuracy:
                result["rows"] += measure(options, start, tiles, accuracy, contestants, scratch)
                output.write_text(json.dumps(result, indent=1) + "\n")
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mdrun", type=lambda p: pathlib.Path(p).resolve(),
                        default=bench.parent / "build" / "mdrun")
    parser.add_argument("--peer", nargs="*", default=["lammps", "gromacs"],
                        choices=["lammps", "gromacs"], help="default: those that are found")
    parser.add_argument("--lmp", default=shutil.which("lmp"))
    parser.add_argument("--gmx", default=shutil.which("gmx"))
    parser.add_argument("--precision", nargs="+", default=["mixed", "double"])
    parser.add_argument("--tiles", type=int, nargs="+", default=[2], help="N = 4096 tiles^3")
    parser.add_argument("--accuracy", type=float, nargs="+", default=[1e-3, 1e-4])
    parser.add_argument("--steps", type=int, help="default: 6 million particle-steps")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", type=pathlib.Path, help="default: results/DATE-charges.json")
    parser.add_argument("--table", type=pathlib.Path, help="print the table of this result")
    options = parser.parse_args()
    try:
        print(table(json.loads(options.table.read_text()) if options.table else run(options)))
    except (BenchError, OSError, ValueError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
