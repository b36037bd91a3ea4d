#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Throughput with charges, periodic at the same measured force error or truncated, against peers.

    bench/charges.py --mdrun build/mdrun --tiles 2 3 --accuracy 1e-3 1e-4
    bench/charges.py --method dsf reaction-field      truncated at 3, against LAMMPS and GROMACS
    bench/charges.py --method dsf --truncation none shift force-shift    truncations of
    Lennard-Jones there bench/charges.py --peer --tiles 1 2 3 4 6         Shadow alone: how the cost
    grows bench/charges.py --table bench/results/FILE.json  print the table of an earlier run

A melt of 4096 ions is copied tiles^3 times; all programs start from these positions and velocities.
The error is the root mean square difference from the forces of Shadow in double precision (with a
mesh: at accuracy 1e-8), over k <q^2> density^(2/3). Shadow uses `accuracy` directly. Each peer uses
the fastest of some cut-offs and orders, with its other settings as coarse as an error not above
that accuracy permits; for a larger system it first tries its previous settings. Truncated charges
agree within 1e-4. A time is valid only if the energy at step 0 agrees, too. Then all programs take
turns, round after round, on one core.
"""
import argparse
import json
import pathlib
import statistics
import sys
import tempfile

import numpy as np

import charged_contestants as charged
from charged_contestants import ShadowCharges, charge, scale
from contestants import BenchError, bench, execute
from run import circumstances, print_result
from tables import grid

steps_to_choose = 50
agreement = 1e-4  # for truncated charges: positions in single precision, forces of 1.4 (GROMACS: 2e-5 to 5e-5)
energies_agree = 1e-5  # over <q^2>: the six digits of GROMACS, of 0.6 and 0.9


def melt(mdrun, folder, repeat=8, temperature=1.0):
    """Positions, velocities, species and the box edge of 8 repeat^3 ions."""
    (folder / "input.toml").write_text((bench / "charged_melt.toml").read_text())
    execute([mdrun, "input.toml", "--progress=none", "--quiet", "--set",
             f"system.lattice.repeat=[{repeat}, {repeat}, {repeat}]", "--set",
             f"stage.1.integrator.temperature={temperature}"], 2, folder)
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


def rms(forces, right):
    return float(np.sqrt(np.mean(np.sum((forces - right) ** 2, axis=1))) / scale)


def coarsest(tries, measure, accuracy):
    """The first of the choices, from coarse to fine, that is accurate enough, with its error."""
    for choice in tries:
        error = measure(choice)
        if error <= accuracy:
            return {**choice, "error": error}
    return None


def fastest(choices, time, name):
    if not choices:
        raise BenchError(f"{name}: no choice of parameters reaches the accuracy")
    return choices[0] if len(choices) == 1 else min(choices, key=time)


class Task:
    """One method at one accuracy, and the reference at step 0."""

    def __init__(self, mdrun, method, accuracy, system, folder, truncation="shift"):
        self.method, self.accuracy, self.system = method, accuracy, system
        self.truncation = truncation  # of Lennard-Jones with truncated charges
        self.bar, self.energy_bar = ((accuracy, accuracy) if method == "pme" else
                                     (agreement, energies_agree))
        reference = ShadowCharges(mdrun, "double")
        reference.prepare(system, folder)
        self.right, self.energy = reference.start(
            {"method": "pme", "accuracy": 1e-8} if method == "pme" else self.truncated(), folder)

    def truncated(self):
        return {**charged.truncated[self.method], "truncation": self.truncation}

    def families(self, contestant, known):
        """The choices; first those that were accurate enough for another size."""
        if self.method != "pme":
            return [[self.truncated()]]
        if known:
            return [[{k: v for k, v in known.items() if k != "error"}]]
        return contestant.families(self.accuracy, self.system)

    def choose(self, contestant, folder, known=None):
        def error(choice):
            return rms(contestant.start(choice, folder)[0], self.right)

        found = [coarsest(tries, error, self.bar) for tries in self.families(contestant, known)]
        found = [choice for choice in found if choice]
        if known and not found:
            return self.choose(contestant, folder)
        return fastest(found, lambda c: contestant.time(
            {k: v for k, v in c.items() if k != "error"}, steps_to_choose, folder)[0],
            contestant.name)

    def check_energy(self, contestant, choice, folder):
        _, energy = contestant.start(choice, folder)
        allowed = self.energy_bar + len(self.right) * contestant.energy_rounding
        if abs(energy - self.energy) > allowed * charge**2:
            raise BenchError(f"{contestant.name}: potential energy {energy:.8f} per ion at step 0 "
                             f"({self.energy:.8f} expected); this is not the same system")
        return energy


def measure(options, task, contestants, known, scratch):
    """Rows of the result for one size, method and accuracy; `known` choices are added to."""
    particles = len(task.right)
    steps = options.steps or max(40, round(6e6 / particles))
    folders, choices, energies = {}, {}, {}
    times = {c.name: [] for c in contestants}
    for c in contestants:
        folders[c.name] = pathlib.Path(tempfile.mkdtemp(dir=scratch))
        c.prepare(task.system, folders[c.name])
        found = task.choose(c, folders[c.name], known.get((c.name, task.accuracy)))
        known[c.name, task.accuracy] = found
        choices[c.name] = {k: v for k, v in found.items() if k != "error"}
        energies[c.name] = {"error": found["error"],
                            "energy_at_step_0": task.check_energy(c, choices[c.name], folders[c.name])}
        print(f"{particles} ions: {c.name} {choices[c.name]} {energies[c.name]}", file=sys.stderr,
              flush=True)
    for n in range(options.rounds):
        for c in contestants:
            times[c.name].append(c.time(choices[c.name], steps, folders[c.name]))
            print(f"{particles} ions, round {n + 1}: {c.name} {times[c.name][-1][0]:.1f} ns",
                  file=sys.stderr, flush=True)
    return [{"contestant": name, "particles": particles, "method": task.method,
             "truncation": task.truncation, "accuracy": task.accuracy, "steps": steps, "choice": choices[name], **energies[name],
             "ns_per_particle_step": statistics.median(t[0] for t in found),
             "all": [t[0] for t in found], "all_by_the_clock": [t[1] for t in found]}
            for name, found in times.items()]


def setting(row):
    return row["particles"], row.get("method"), row.get("truncation", "shift"), row["accuracy"]


def table(result):
    lines = []
    for r in result["rows"]:
        first = next(x for x in result["rows"] if setting(x) == setting(r))
        slower = statistics.median(b / a for a, b in zip(first["all"], r["all"]))
        choice = ", ".join(f"{k} {v:.3g}" for k, v in r["choice"].items() if not isinstance(v, str)
                           and k != "error")
        lines.append([r["particles"], r.get("method", "pme"), r.get("truncation", "shift"),
                      r["accuracy"] or "-", r["contestant"],
                      f"{r.get('error', r['choice'].get('error')):.1e}", choice,
                      f"{r['ns_per_particle_step']:.0f} ({min(r['all']):.0f} to "
                      f"{max(r['all']):.0f})", f"{slower:.2f}"])
    return grid(["ions", "method", "Lennard-Jones", "accuracy", "engine", "error", "chosen",
                 "ns per particle-step", "over the first"], lines)


def run(options):
    contestants = charged.find(options)
    result = circumstances(contestants, options.rounds)
    output = options.output or bench / "results" / f"{result['date'][:10]}-charges.json"
    with tempfile.TemporaryDirectory() as scratch:
        start = melt(options.mdrun, pathlib.Path(scratch))
        for method in options.method:
            known = {}
            settings = [(None, end) for end in options.truncation]
            if method == "pme":
                settings = [(accuracy, "shift") for accuracy in options.accuracy]
            for tiles in options.tiles:
                for accuracy, end in settings:
                    task = Task(options.mdrun, method, accuracy, tile(start, tiles),
                                pathlib.Path(tempfile.mkdtemp(dir=scratch)), end)
                    able = [c for c in contestants if c.can(method, end)]
                    result["rows"] += measure(options, task, able, known, scratch)
                    output.write_text(json.dumps(result, indent=1) + "\n")
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    charged.add_contestants(parser)
    parser.add_argument("--method", nargs="+", default=["pme"],
                        choices=["pme", *charged.truncated])
    parser.add_argument("--truncation", nargs="+", default=["shift"], choices=charged.ends,
                        help="of Lennard-Jones with truncated charges")
    parser.add_argument("--tiles", type=int, nargs="+", default=[2], help="N = 4096 tiles^3")
    parser.add_argument("--accuracy", type=float, nargs="+", default=[1e-3, 1e-4], help="of pme")
    parser.add_argument("--steps", type=int, help="default: 6 million particle-steps")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", type=pathlib.Path, help="default: results/DATE-charges.json")
    parser.add_argument("--table", type=pathlib.Path, help="print the table of this result")
    return print_result(parser.parse_args(), run, table)


if __name__ == "__main__":
    sys.exit(main())
