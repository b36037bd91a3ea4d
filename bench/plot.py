#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plots a result of bench/run.py: throughput, and its fraction of the floor of pair arithmetic.

    bench/plot.py bench/results/FILE.json ... --output throughput.png
    bench/plot.py bench/results/FILE.json --floor 3.2 --cases melt

Lines are contestants, points the cases whose names begin with one of --cases, on --cores cores. The
floor is the time of the pairs within the cut-off alone (--pairs a particle, each once), at --floor
nanoseconds per 16 of them (bench/README.md says where the number comes from).
"""
import argparse
import collections
import json
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def read(paths):
    """All rows; for repeated measurements that of the last file."""
    rows = {}
    for path in paths:
        for row in json.loads(path.read_text())["rows"]:
            rows[row["contestant"], row["cores"], row["case"]] = row
    return rows.values()


def select(rows, cores, prefixes):
    """contestant -> [(particles, ns per particle-step)]"""
    chosen = collections.defaultdict(dict)
    for row in rows:
        if row["cores"] == cores and row["case"].startswith(tuple(prefixes)):
            chosen[row["contestant"]][row["particles"]] = row["ns_per_particle_step"]
    ours_first = sorted(chosen, key=lambda name: (not name.startswith("Shadow"), name))
    return {name: sorted(chosen[name].items()) for name in ours_first}


def draw(lines, options):
    floor = options.floor * options.pairs / 16
    figure, (left, right) = plt.subplots(1, 2, figsize=(13, 4.2), layout="constrained")
    for contestant, points in lines.items():
        sizes = [n for n, _ in points]
        style = "o-" if contestant.startswith("Shadow") else "s--"
        left.plot(sizes, [1e3 / ns for _, ns in points], style)
        right.plot(sizes, [floor / ns for _, ns in points], style, label=contestant)
    left.set(xscale="log", xlabel="particles", ylabel="million particle-steps per second", ylim=0)
    right.set(xscale="log", xlabel="particles", ylim=0,
              ylabel=f"fraction of the floor ({floor:.1f} ns per particle-step)")
    right.legend(loc="upper left", bbox_to_anchor=(1.02, 1))
    figure.suptitle(f"{', '.join(options.cases)}: {options.cores} core"
                    f"{'s' if options.cores > 1 else ''}")
    figure.savefig(options.output, dpi=130)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=pathlib.Path, nargs="+")
    parser.add_argument("--cases", nargs="+", default=["melt", "small"],
                        help="beginnings of names of cases (default: the 3D melt)")
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--floor", type=float, default=3.2, help="ns per 16 pairs (default: 3.2)")
    parser.add_argument("--pairs", type=float, default=27.6,
                        help="pairs within the cut-off per particle (default: 27.6, of the melt)")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("throughput.png"))
    options = parser.parse_args()
    try:
        lines = select(read(options.results), options.cores, options.cases)
    except (OSError, ValueError, KeyError) as error:
        parser.exit(1, f"plot: {error} (not a result of bench/run.py); give one\n")
    if not lines:
        parser.exit(1, f"plot: no case {' or '.join(options.cases)} on {options.cores} cores "
                       "(the results have others); choose with --cases and --cores\n")
    draw(lines, options)


if __name__ == "__main__":
    main()
