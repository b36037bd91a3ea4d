#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Throughput of mdrun and its peers, in one run on one machine.

    bench/run.py --mdrun build/mdrun                      the main cases of cases.toml
    bench/run.py --group size state small                 the others
    bench/run.py --case melt-32k --cores 1 --rounds 5     a single one
    bench/run.py --peer gromacs --gmx gmx OTHER/gmx_d     with these peers (none: --peer)
    bench/run.py --table bench/results/FILE.json          print the table of an earlier run
    bench/run.py --readme [bench/results/FILE.json]       renew the tables of the documents

Contestants take turns, round after round, so that a machine that slows down slows all of them. A
time counts only if the potential energy at step 0 is right; a program that fails is left out of
that case, and the result says so. Reported: the median over the rounds, its spread (minimum and
maximum), and the peak memory of the process.
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
import sys
import tempfile
import tomllib

import tables
from contestants import BenchError, Gromacs, JaxMd, Lammps, OpenMM, Shadow, bench, first_line


def read_fields(path, *names):
    with open(path) as file:
        found = dict(re.findall(r"^([^:\t]+?)\s*:\s*(.*)$", file.read(), re.M))
    return [found.get(name, "unknown") for name in names]


def print_result(options, measure, table):
    """The table of an earlier result (`options.table`), or of a new one; the exit status."""
    try:
        print(table(json.loads(options.table.read_text()) if options.table else measure(options)))
    except (BenchError, OSError, ValueError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    return 0


def circumstances(contestants, rounds):
    """Everything that a number may depend on."""
    with open("/etc/os-release") as file:
        system = re.search(r'PRETTY_NAME="(.*)"', file.read())[1]
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "machine": {"cpu": read_fields("/proc/cpuinfo", "model name")[0], "cores": os.cpu_count(),
                    "memory": read_fields("/proc/meminfo", "MemTotal")[0], "system": system,
                    "kernel": platform.release()},
        "commit": first_line(["git", "-C", bench, "describe", "--always", "--dirty",
                              "--abbrev=12"]),
        "compiler": first_line(["c++", "--version"]),
        "contestants": {c.name: c.about for c in contestants},
        "load_before": os.getloadavg()[0],
        "rounds": rounds,
        "rows": [],
        "refused": [],
    }


def check_energy(case, contestant, energy):
    """Checks an energy against the known one, or that of the first contestant."""
    expected = case.setdefault("energy", energy)
    if abs(energy - expected) > contestant.tolerance * abs(expected):
        raise BenchError(f"{case['name']}, {contestant.name}: potential energy {energy:.10f} per "
                         f"particle at step 0 ({expected} expected); this is not the same system")


def measure(case, cores, contestants, rounds):
    """Rows of the result for one case on `cores` cores, and which programs were rejected and
    why."""
    playing = [c for c in contestants if c.can(case)]
    samples, refused = {c.name: [] for c in playing}, []
    with tempfile.TemporaryDirectory() as scratch:
        for n in range(rounds):
            for contestant in list(playing):
                folder = pathlib.Path(scratch, contestant.name.replace(" ", "_"))
                folder.mkdir(exist_ok=True)
                try:
                    sample = contestant.run(case, cores, folder)
                    check_energy(case, contestant, sample.energy)
                except (BenchError, OSError) as error:
                    print(f"bench: {case['name']}: {error}", file=sys.stderr)
                    playing.remove(contestant)
                    del samples[contestant.name]
                    refused.append({"case": case["name"], "cores": cores,
                                    "contestant": contestant.name,
                                    "why": str(error).splitlines()[0]})
                    continue
                samples[contestant.name].append(sample)
                print(f"{case['name']}, {cores} cores, round {n + 1}: {contestant.name} "
                      f"{sample.nanoseconds:.1f} ns", file=sys.stderr, flush=True)
    return [row_of(case, cores, name, rows) for name, rows in samples.items()], refused


def row_of(case, cores, name, samples):
    times = [s.nanoseconds for s in samples]
    return {"case": case["name"], "group": case["group"], "particles": case["particles"],
            "steps": samples[0].steps, "cores": cores, "contestant": name,
            "ns_per_particle_step": statistics.median(times), "least": min(times),
            "most": max(times), "all": times, "peak_mib": max(s.memory for s in samples),
            "energy_at_step_0": samples[0].energy}


def find(options):
    """The contestants; a missing peer is named once."""
    makers = {
        "lammps": lambda: [Lammps(options.lmp, s) for s in options.suffix] if options.lmp else [],
        "gromacs": lambda: [Gromacs(gmx) for gmx in options.gmx],
        "openmm": lambda: [OpenMM(options.python)],
        "jax-md": lambda: [JaxMd(options.python)],
    }
    if not options.mdrun.is_file():
        raise BenchError(f"no mdrun at {options.mdrun}; build it, or say where it is with --mdrun")
    found = [Shadow(options.mdrun.resolve(), p) for p in options.precision]
    for name in makers if options.peer is None else options.peer:
        try:
            peers = makers[name]()
        except BenchError:
            peers = []
        found += peers
        if not peers and options.peer is None:
            print(f"bench: no {name} here; going on without (bench/README.md)", file=sys.stderr)
        elif not peers:
            raise BenchError(f"no {name} here (--peer asks for it); install it or say where it is "
                             "with --lmp, --gmx or --python")
    return found


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mdrun", type=pathlib.Path, default=bench.parent / "build" / "mdrun")
    parser.add_argument("--peer", nargs="*", choices=["lammps", "gromacs", "openmm", "jax-md"],
                        help="default: all that are found")
    parser.add_argument("--lmp", default=shutil.which("lmp"), help="LAMMPS (default: on the PATH)")
    parser.add_argument("--suffix", nargs="+", default=["opt"], choices=list(Lammps.packages),
                        help="accelerators of LAMMPS; Debian's binary has opt only")
    parser.add_argument("--gmx", nargs="+",
                        help="builds of GROMACS (default: gmx and gmx_d on the PATH)",
                        default=[g for g in map(shutil.which, ("gmx", "gmx_d")) if g])
    parser.add_argument("--python", nargs="+", default=[sys.executable],
                        help="Pythons that have OpenMM, JAX-MD (default: this one)")
    parser.add_argument("--case", action="append", help="a name in cases.toml")
    parser.add_argument("--group", nargs="+", default=["main"],
                        choices=["main", "size", "state", "small"], help="without --case")
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--precision", nargs="+", default=["double", "mixed"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=pathlib.Path, help="default: results/DATE.json")
    parser.add_argument("--table", type=pathlib.Path, help="print the table of this result")
    parser.add_argument("--readme", nargs="?", const="", metavar="FILE",
                        help="renew the tables of README.md and bench/README.md, from the results "
                             "that they name or from this one")
    return parser.parse_args()


def choose(options):
    cases = tomllib.loads((bench / "cases.toml").read_text())["case"]
    if unknown := set(options.case or ()) - {c["name"] for c in cases}:
        raise BenchError(f"no case {', '.join(sorted(unknown))} in cases.toml")
    return [c for c in cases
            if (c["name"] in options.case if options.case else c["group"] in options.group)]


def renew(source):
    if source:
        source = pathlib.Path(source).resolve().relative_to(tables.root).as_posix()
    for path in tables.write_documents(source or None):
        print(f"bench: {path.relative_to(tables.root)} renewed", file=sys.stderr)


def run(options):
    cases, contestants = choose(options), find(options)
    result = circumstances(contestants, options.rounds)
    output = options.output or bench / "results" / f"{result['date'][:10]}.json"
    output.parent.mkdir(exist_ok=True)
    for case in cases:
        for cores in options.cores:
            rows, refused = measure(case, cores, contestants, options.rounds)
            result["rows"] += rows
            result["refused"] += refused
            output.write_text(json.dumps(result, indent=1) + "\n")
    print(tables.every_row(result))
    return 1 if result["refused"] else 0


def main():
    options = parse()
    try:
        if options.table:
            print(tables.every_row(json.loads(options.table.read_text())))
        elif options.readme is not None:
            renew(options.readme)
        else:
            return run(options)
    except (BenchError, tables.TableError, OSError, ValueError, KeyError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
