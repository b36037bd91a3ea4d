#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Predictions of `mdrun --certify` for a long run against that run: the table in docs/validation.md.

    bench/certify.py --mdrun build/mdrun                      five systems, a million steps each
    bench/certify.py --table bench/results/FILE.json          print the table of an earlier run

Each system is equilibrated at its temperature; the certified stage has one method, and the trial
and the run start there. Drifts are in kT per degree of freedom and time; the last system has a step
beyond the stability limit of its bonds. Double precision.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from contestants import Shadow, bench
from run import circumstances, print_result
from tables import grid

LIQUID = """\
seed = 5
[system]
dimension = 3
box = { density = 0.8 }
lattice = { type = "fcc", repeat = [4, 4, 4] }
velocity = { temperature = 1.0 }
"""
PLANE = LIQUID.replace("dimension = 3", "dimension = 2").replace("0.8", "0.7").replace('"fcc", repeat = [4, 4, 4]', '"square", repeat = [16, 16]')
MIXTURE = '[[species]]\nname = "A"\nfraction = 0.8\n[[species]]\nname = "B"\nfraction = 0.2\n'
SALT = ('[[species]]\nname = "A"\nfraction = 0.5\ncharge = 1.0\n[[species]]\nname = "B"\nfraction = 0.5\ncharge = -1.0\n')
PAIRS = '[[force]]\ntype = "lennard-jones"\nepsilon = 1.0\nsigma = 1.0\ncutoff = 2.5\ninner = 2.0\ntruncation = "smooth-c2"\n'
KOB = PAIRS.replace('truncation', 'pairs = [{ species = ["A", "B"], epsilon = 1.5, sigma = 0.8 }, { species = ["B", "B"], epsilon = 0.5, sigma = 0.88 }]\ntruncation')
CHARGES = '[[force]]\ntype = "coulomb-dsf"\ncutoff = 3.0\nalpha = 0.5\n'
CHAINS = f"""\
seed = 5
[system]
dimension = 3
box = {{ density = 0.5 }}
lattice = {{ type = "insertion", distance = 0.85 }}
velocity = {{ temperature = 1.0 }}
[[molecule]]
count = 32
atoms = ["A", "A", "A", "A", "A", "A", "A", "A"]
exclude = 1
bonds = [{", ".join(f"{{ atoms = [{k}, {k + 1}] }}" for k in range(7))}]
grow = {{ length = 1.0, distance = 0.85 }}
"""
BONDS = '[[force]]\ntype = "harmonic-bond"\nk = 1000.0\nr0 = 1.0\n'
#: name -> system, forces, method, dt; bonds of mass 1 have the frequency (2 k)^1/2
SYSTEMS = {
    "liquid": (LIQUID, PAIRS, 'method="verlet"', 0.005),
    "liquid in the plane, a shifted potential": (PLANE, PAIRS.replace("smooth-c2", "shift").replace("inner = 2.0\n", ""), 'method="verlet"', 0.005),
    "mixture, order 4": (LIQUID + MIXTURE, KOB, 'method="blanes-moan-4"', 0.02),
    "salt, Nosé-Poincaré": (LIQUID.replace("0.8", "0.5") + SALT, PAIRS + CHARGES, 'method="nose-poincare",temperature=1.0,mass=6.2', 0.004),
    "chains, steps too long for bonds": (CHAINS, PAIRS + BONDS, 'method="verlet"', 0.047)}
REST = """\
[[stage]]
name = "mix"
steps = 20000
integrator = { method = "baoab", dt = 0.004, temperature = 1.0, friction = 1.0 }
[[stage]]
name = "sample"
steps = 1000000
equilibration = 0
integrator = { METHOD, dt = DT }
[[stage.observe]]
type = "thermo"
every = 50
[output]
prefix = "out"
overwrite = true
[compute]
precision = "double"
threads = 1
"""


def number(text):
    """1.2(3)e-5 -> value, error"""
    value, digits, power = re.fullmatch(r"(-?[\d.]+)\((\d+)\)(e[-+]?\d+)?", text).groups()
    places = len(value.partition(".")[2])
    return float(value + (power or "")), float(f"{digits}e{-places}") * float("1" + (power or ""))


def expected(out):
    """The drift that a trial predicts, and its error; nothing if it is unstable."""
    if "not stable" in out:
        return None
    return number(re.search(r"^ *drift: (\S+) kT", out, re.M)[1])


def measured(mdrun, folder, steps):
    command = [mdrun, "in.toml", "--quiet", "--progress=none", "--summary", "summary.json", "--set", f"stage.1.steps={steps}"]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ended.returncode:
        return {"status": ended.returncode, "said": ended.stderr.splitlines()[-1]}
    stage = json.loads((folder / "summary.json").read_text())["stages"][-1]
    kept, scale = stage["conserved"], stage["degrees_of_freedom"] * stage["averages"]["temperature"]["mean"]
    return {"drift": kept["drift"] / scale, "error": kept["drift_error"] / scale}


def measure(options):
    mdrun = options.mdrun.resolve()
    result = {**circumstances([Shadow(mdrun, "double")], 1), "systems": {}}
    for name, (system, forces, method, dt) in SYSTEMS.items():
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            (folder / "in.toml").write_text(system + forces + REST.replace("METHOD", method.replace("=", " = ")).replace("DT", str(dt)))
            certified = subprocess.run([mdrun, "in.toml", "--certify"], cwd=folder, capture_output=True, text=True, check=False)
            sample = certified.stdout[certified.stdout.rfind("sample:"):]
            print(name, sample or certified.stderr, file=sys.stderr, flush=True)
            result["systems"][name] = {"said": sample, "expected": expected(sample), "run": measured(mdrun, folder, options.steps)}
            print(result["systems"][name]["run"], file=sys.stderr, flush=True)
    output = options.output or bench / "results" / f"{result['date'][:10]}-certify.json"
    output.write_text(json.dumps(result) + "\n")
    return result


def table(result):
    lines = []
    for name, row in result["systems"].items():
        run, trial = row["run"], row["expected"]
        said = "not stable" if trial is None else f"{trial[0]:.1e} +- {trial[1]:.0e}"
        did = f"ends with status {run['status']}" if "status" in run else f"{run['drift']:.1e} +- {run['error']:.0e}"
        apart = "" if trial is None or "status" in run else f"{(run['drift'] - trial[0]) / (trial[1]**2 + run['error']**2)**0.5:.1f}"
        lines.append([name, said, did, apart])
    return grid(["system", "expected", "a million steps", "apart, errors"], lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mdrun", type=pathlib.Path, default=pathlib.Path("build/mdrun"))
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path)
    return print_result(parser.parse_args(), measure, table)


if __name__ == "__main__":
    sys.exit(main())
