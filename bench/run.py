#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Throughput of mdrun beside LAMMPS, in one run on one machine.

    bench/run.py --mdrun build/mdrun                      the main cases of cases.toml
    bench/run.py --group size state small                 the others
    bench/run.py --case melt-32k --cores 1 --rounds 5     a single one
    bench/run.py --table bench/results/FILE.json          print the table of an earlier run

Contestants take turns, round after round, so that a machine that slows down slows all of them. A
time counts only after both have shown the same potential energy at step 0. Reported: the median
over the rounds, its spread (least and most), and the peak memory of the process.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import tomllib

import h5py

bench = pathlib.Path(__file__).resolve().parent


class BenchError(Exception):
    pass


def execute(command, cores, cwd):
    """Runs on the first `cores` cores; output and peak memory (MiB, of the largest process)."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, cwd=cwd, stdout=output, stderr=subprocess.STDOUT,
                                   preexec_fn=lambda: os.sched_setaffinity(0, range(cores)),
                                   env={**os.environ, "OMP_NUM_THREADS": "1"})
        _, status, usage = os.wait4(process.pid, 0)
        output.seek(0)
        text = output.read()
    if status != 0:
        raise BenchError(f"{' '.join(map(str, command))}: exit status "
                         f"{os.waitstatus_to_exitcode(status)}\n{text[-2000:]}")
    return text, usage.ru_maxrss / 1024


def write_start(case, folder):
    """start.data of a case with `cells`: fcc at density 1.2, every fifth particle of species 2."""
    if "cells" not in case:
        return
    n, edge = case["cells"], (4 / 1.2) ** (1 / 3)
    basis = [(0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0)]
    places = [(x + a, y + b, z + c) for x in range(n) for y in range(n) for z in range(n)
              for a, b, c in basis]
    with open(folder / "start.data", "w") as file:
        file.write(f"fcc\n\n{len(places)} atoms\n2 atom types\n\n")
        for axis in "xyz":
            file.write(f"0 {n * edge!r} {axis}lo {axis}hi\n")
        file.write("\nMasses\n\n1 1.0\n2 1.0\n\nAtoms # atomic\n\n")
        for k, (x, y, z) in enumerate(places):
            file.write(f"{k + 1} {2 if k % 5 == 4 else 1} {x * edge!r} {y * edge!r} {z * edge!r}\n")


class Shadow:
    """mdrun in one precision. A result: nanoseconds per particle-step, MiB, energy at step 0."""

    def __init__(self, mdrun, precision):
        self.mdrun, self.precision = mdrun, precision
        self.name = f"Shadow {precision}"
        self.tolerance = 1e-6 if precision == "double" else 1e-5

    def run(self, case, cores, folder):
        shutil.copy(bench / case["input"], folder / "input.toml")
        write_start(case, folder)
        settings = case["set"] + [f"run.steps={case['steps']}", "observe.0.every=1000000",
                                  'output.prefix="results"', "compute.device=cpu",
                                  f"compute.threads={cores}",
                                  f"compute.precision={self.precision}"]
        command = [self.mdrun, "input.toml", "--progress=none", "--summary", "summary.json"]
        for setting in settings:
            command += ["--set", setting]
        _, memory = execute(command, cores, folder)
        with open(folder / "summary.json") as file:
            performance = json.load(file)["performance"]
        with h5py.File(folder / "results.h5") as file:
            energy = file["observables/potential_energy/value"][0] / case["particles"]
        return performance["ns_per_particle_step"], memory, energy


class Lammps:
    """LAMMPS with one of its accelerators, one MPI process for a core."""

    packages = {"opt": [], "omp": ["-pk", "omp", "1"], "intel": ["-pk", "intel", "0", "mode", "mixed"]}

    def __init__(self, lmp, suffix):
        self.lmp, self.suffix, self.name = lmp, suffix, f"LAMMPS -sf {suffix}"
        self.tolerance = 1e-5 if suffix == "intel" else 1e-6

    def run(self, case, cores, folder):
        peer = dict(case["peer"])
        deck = bench / "peers" / peer.pop("deck")
        write_start(case, folder)
        command = [self.lmp, *self.packages[self.suffix], "-sf", self.suffix, "-in", deck, "-log",
                   "none"]
        for key, value in {**peer, "steps": case["steps"]}.items():
            command += ["-v", key, str(value)]
        if cores > 1:
            command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-np", str(cores),
                       *command]
        text, memory = execute(command, cores, folder)
        loop = re.search(r"Loop time of (\S+) on \d+ procs for (\d+) steps with (\d+) atoms", text)
        first = re.search(r"Step\s+Temp\s+E_pair\s+Press\s*\n\s*0\s+\S+\s+(\S+)", text)
        if not loop or not first or int(loop[3]) != case["particles"]:
            raise BenchError(f"{self.name}: output not understood\n{text[-2000:]}")
        seconds = float(loop[1])
        return 1e9 * seconds / (int(loop[2]) * int(loop[3])), memory * cores, float(first[1])


def first_line(command):
    try:
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return text.strip().splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "unknown"


def read_fields(path, *names):
    with open(path) as file:
        found = dict(re.findall(r"^([^:\t]+?)\s*:\s*(.*)$", file.read(), re.M))
    return [found.get(name, "unknown") for name in names]


def circumstances(options):
    """Whatever a number may depend on."""
    with open("/etc/os-release") as file:
        system = re.search(r'PRETTY_NAME="(.*)"', file.read())[1]
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "machine": {"cpu": read_fields("/proc/cpuinfo", "model name")[0], "cores": os.cpu_count(),
                    "memory": read_fields("/proc/meminfo", "MemTotal")[0], "system": system,
                    "kernel": platform.release()},
        "commit": first_line(["git", "-C", bench, "describe", "--always", "--dirty",
                              "--abbrev=12"]),
        "shadow": first_line([options.mdrun, "--version"]),
        "compiler": first_line(["c++", "--version"]),
        "lammps": first_line([options.lmp, "-h"]) if options.lmp else None,
        "load_before": os.getloadavg()[0],
        "rounds": options.rounds,
    }


def check_energy(case, contestant, energy):
    """Against what is known, or what the first contestant showed."""
    expected = case.setdefault("energy", energy)
    if abs(energy - expected) > contestant.tolerance * abs(expected):
        raise BenchError(f"{case['name']}, {contestant.name}: potential energy {energy:.10f} per "
                         f"particle at step 0 ({expected} expected); this is not the same system")


def measure(case, cores, contestants, rounds):
    """Rows of the result for one case on so many cores."""
    samples = {c.name: [] for c in contestants}
    for n in range(rounds):
        for contestant in contestants:
            with tempfile.TemporaryDirectory() as folder:
                sample = contestant.run(case, cores, pathlib.Path(folder))
            check_energy(case, contestant, sample[2])
            samples[contestant.name].append(sample)
            print(f"{case['name']}, {cores} cores, round {n + 1}: {contestant.name} "
                  f"{sample[0]:.1f} ns", file=sys.stderr, flush=True)
    return [{"case": case["name"], "particles": case["particles"], "steps": case["steps"],
             "cores": cores, "contestant": name,
             "ns_per_particle_step": statistics.median(s[0] for s in rows),
             "least": min(s[0] for s in rows), "most": max(s[0] for s in rows),
             "all": [s[0] for s in rows], "peak_mib": max(s[1] for s in rows),
             "energy_at_step_0": rows[0][2]} for name, rows in samples.items()]


def table(result):
    """The rows as Markdown; `x LAMMPS`: how many times faster than the best of its variants."""
    lines = ["| case | cores | engine | ns per particle-step (least to most) | x LAMMPS | peak MiB |",
             "|---|---|---|---|---|---|"]
    peer = {}
    for r in result["rows"]:
        if r["contestant"].startswith("LAMMPS"):
            key = r["case"], r["cores"]
            peer[key] = min(peer.get(key, float("inf")), r["ns_per_particle_step"])
    for r in result["rows"]:
        against = peer.get((r["case"], r["cores"]))
        ratio = f"{against / r['ns_per_particle_step']:.2f}" if against else "-"
        lines.append(f"| {r['case']} | {r['cores']} | {r['contestant']} | "
                     f"{r['ns_per_particle_step']:.1f} ({r['least']:.1f} to {r['most']:.1f}) | "
                     f"{ratio} | {r['peak_mib']:.0f} |")
    return "\n".join(lines)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mdrun", type=pathlib.Path, default=bench.parent / "build" / "mdrun")
    parser.add_argument("--lmp", default=shutil.which("lmp"), help="LAMMPS (default: on the PATH)")
    parser.add_argument("--suffix", nargs="+", default=["opt"], choices=list(Lammps.packages),
                        help="accelerators of LAMMPS; Debian's binary has opt only")
    parser.add_argument("--case", action="append", help="a name in cases.toml")
    parser.add_argument("--group", nargs="+", default=["main"],
                        choices=["main", "size", "state", "small"], help="without --case")
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--precision", nargs="+", default=["double", "mixed", "single"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=pathlib.Path, help="default: results/DATE.json")
    parser.add_argument("--table", type=pathlib.Path, help="print the table of this result")
    return parser.parse_args()


def main():
    options = parse()
    if options.table:
        print(table(json.loads(options.table.read_text())))
        return 0
    cases = tomllib.loads((bench / "cases.toml").read_text())["case"]
    if unknown := set(options.case or ()) - {c["name"] for c in cases}:
        print(f"bench: no case {', '.join(sorted(unknown))} in cases.toml", file=sys.stderr)
        return 2
    cases = [c for c in cases
             if (c["name"] in options.case if options.case else c["group"] in options.group)]
    options.mdrun = options.mdrun.resolve()
    contestants = [Shadow(options.mdrun, p) for p in options.precision]
    if options.lmp:
        contestants += [Lammps(options.lmp, suffix) for suffix in options.suffix]
    else:
        print("bench: no LAMMPS here (apt install lammps); measuring Shadow alone",
              file=sys.stderr)
    result = circumstances(options)
    result["rows"] = []
    try:
        for case in cases:
            for cores in options.cores:
                result["rows"] += measure(case, cores, contestants, options.rounds)
    except (BenchError, OSError, KeyError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    output = options.output or bench / "results" / f"{result['date'][:10]}.json"
    output.parent.mkdir(exist_ok=True)
    output.write_text(json.dumps(result, indent=1) + "\n")
    print(table(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
