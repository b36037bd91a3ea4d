#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Drift of the energy and averages with large steps: Verlet, RESPA, mollified impulses, implicit bonds, reversible averaging.

    bench/large_steps.py --mdrun build/mdrun --steps 0.04 0.06 0.08          flexible water
    bench/large_steps.py --molecules 13 13 12 --steps 0.04 0.06              2028 molecules of it
    bench/large_steps.py --system melt --inner-step 0.004 --reference 0.004 --steps 0.008 0.012    chains with stiff bonds
    bench/large_steps.py --system polyampholyte --inner-step 0.004 --reference 0.004 --steps 0.008    the same with charges
    bench/large_steps.py --system liquid --inner-step 0.004 --steps 0.008 0.012    a force split by distance
    bench/large_steps.py --table bench/results/FILE.json                     print the table of an earlier run
    bench/large_steps.py --plot large-steps.png --table bench/results/FILE.json bench/results/FILE2.json     and draw it

Water is that of inputs/water.toml, with --inner-step for bonds and angles; the liquid is of
Lennard-Jones particles near its triple point (3D) or at T = 1 (2D), with --inner-step for the near
part of `--split`. Each system is equilibrated once; every run continues from there at constant
energy for the same time, by Verlet with --reference, whose forces are not split, and with each of
--steps by the other methods. Drift is that of bench/drift.py. Costs are processor time relative to
the first Verlet. Temperatures of modes are those of centres of molecules, of bonds along their
length, and of all momenta; D is that of centres of molecules. A run that ends with an error has
exploded.
"""
import argparse
import dataclasses
import json
import pathlib
import sys
import tempfile

import h5py
import matplotlib
import numpy as np

from contestants import BenchError, bench, watch
from drift import row_of
from tables import grid

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

#: Methods with `inner` have several short steps in one; the others evaluate all forces once a step.
METHODS = {"respa": 'method = "respa"\ninner = INNER', **{
    f"mollified {name}": f'method = "mollified-impulse"\nmollifier = "{name}"\ninner = INNER'
    for name in ("short-average", "long-average", "linear-average", "cosine-average", "equilibrium")},
    "implicit-explicit": 'method = "implicit-explicit"', "semi-explicit": 'method = "semi-explicit"'}
#: For light hydrogens.
AVERAGING = {"reversible-averaging": 'method = "reversible-averaging"\ninner = INNER\nlight_mass = 2.0'}

LIQUID = """\
[system]
dimension = DIM
box = { density = DENSITY }
lattice = { type = "LATTICE", repeat = REPEAT }
velocity = { temperature = 1.0 }
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
truncation = "force-shift"
"""


MELT = """\
[system]
dimension = 3
box = { density = 0.85 }
lattice = { type = "sc", repeat = [10, 10, 20], jitter = 0.02 }
velocity = { temperature = 1.0 }
[[molecule]]
count = 100
atoms = ["A"]
repeat = 20
bonds = [{ atoms = [0, 1] }]
exclude = 1
[[force]]
type = "wca"
epsilon = 1.0
sigma = 1.0
[[force]]
type = "harmonic-bond"
k = 4000.0
r0 = 1.0
"""

#: The same chains with charges of alternating sign, whose distance at unit temperature is that of bonds.
CHARGES = """\
[[species]]
name = "P"
charge = 1.0
[[species]]
name = "N"
charge = -1.0
"""


@dataclasses.dataclass
class Case:
    atoms: int
    plain: str  #: an input up to its method, without levels
    levelled: str
    temperature: float
    methods: dict
    molecule: int = 0  #: atoms; 0: there are none
    bonds: tuple = ()  #: bonds of a molecule


def water(options):
    """Bonds and angles on the fast level."""
    across = options.molecules
    text = (bench.parent / "inputs/water.toml").read_text().replace("repeat = [8, 8, 8]", f"repeat = {across}")
    text = text.replace("count   = 512", f"count = {np.prod(across)}")
    plain = text[:text.index("[[stage]]")]
    levelled = plain
    for bonded in ("harmonic-bond", "harmonic-angle"):
        levelled = levelled.replace(f'type = "{bonded}"', f'type = "{bonded}"\nlevel = "fast"')
    return Case(3 * int(np.prod(across)), plain, levelled, 298.0, {**METHODS, **AVERAGING}, 3, ((0, 1), (0, 2)))


def melt(_):
    """Bonds, with a period of 0.07, on the fast level."""
    return Case(2000, MELT, MELT + 'level = "fast"\n', 1.0, METHODS, 20, tuple((k, k + 1) for k in range(19)))


def polyampholyte(options):
    """Chains of that melt with charges: slow forces are expensive."""
    text = MELT.replace('atoms = ["A"]\nrepeat = 20\nbonds = [{ atoms = [0, 1] }]',
                        'atoms = ["P", "N"]\nrepeat = 10\nbonds = [{ atoms = [0, 1] }, { atoms = [1, 2] }]')
    text = text.replace("[[molecule]]", CHARGES + "[[molecule]]")
    text = text.replace("[[force]]", '[[force]]\ntype = "coulomb-pme"\naccuracy = 1e-4\n[[force]]', 1)
    return dataclasses.replace(melt(options), plain=text, levelled=text + 'level = "fast"\n')


def liquid(options):
    three = options.dimension == 3
    text = LIQUID
    for key, value in (("DIM", options.dimension), ("DENSITY", 0.8442 if three else 0.7), ("LATTICE", "fcc" if three else "triangular"),
                       ("REPEAT", [10] * 3 if three else [64, 32])):
        text = text.replace(key, str(value))
    inner, outer = options.split
    split = f'split = {{ inner = {inner}, outer = {outer}, level = "fast" }}\n'
    return Case(4000 if three else 4096, text, text + split, 1.0, {"respa": METHODS["respa"]})


def stage(method, steps, every, prefix):
    return (f"[integrator]\n{method}\n[run]\nsteps = {steps}\n[[observe]]\ntype = \"thermo\"\nevery = {every}\n"
            f"[output]\nprefix = \"{prefix}\"\noverwrite = true\n"
            f"trajectory = {{ every = {every}, fields = [\"position\", \"velocity\", \"image\"] }}\n")


def from_file(text):
    """The input, started from the last state of eq.h5."""
    lines = [line for line in text.splitlines() if not line.startswith(("lattice", "box", "velocity"))]
    head = "\n".join(lines) + "\n"
    if "[[molecule]]" in head:
        head = head[:head.index("[[molecule]]")] + head[head.index("[[force]]"):]
    return head.replace("[system]", '[system]\nfile = "eq.h5"')


def mean(samples):
    """The mean with the error of independent samples."""
    return [float(np.mean(samples)), float(np.std(samples, ddof=1) / np.sqrt(len(samples)))]


def modes(case, path, dt):
    """Temperatures of all momenta, of centres of molecules and of bonds along their length, as
    energies, and D of centres."""
    with h5py.File(path) as file:
        particles = file["particles/all"]
        box = particles["box/edges"]
        lengths = np.diag(box["value"][0]) if "value" in box else np.asarray(box[...]).ravel()[:3]
        x = particles["position/value"][...] + lengths * particles["image/value"][...]
        v = particles["velocity/value"][...]
        mass = np.asarray(particles["mass/value"] if "value" in particles["mass"] else particles["mass"]).ravel()
        time = particles["position/step"][...] * dt
    m = mass[:len(v[0])]
    found = {"kT": mean((m * (v**2).sum(axis=2)).sum(axis=1) / (3 * len(m) - 3))}
    if case.molecule == 0:
        return found
    parts = m.reshape(-1, case.molecule)
    whole = parts[0].sum()

    def centres(a):
        return (m[:, None] * a).reshape(len(a), -1, case.molecule, 3).sum(axis=2) / whole

    u, c = centres(v), centres(x)
    found["kT_centres"] = mean(whole * (u**2).sum(axis=2).sum(axis=1) / (3 * len(parts) - 3))
    along = []
    for i, j in case.bonds:
        d = (x[:, j::case.molecule] - x[:, i::case.molecule])
        d /= np.sqrt((d**2).sum(axis=2, keepdims=True))
        w = ((v[:, j::case.molecule] - v[:, i::case.molecule]) * d).sum(axis=2)
        along.append(w**2 * m[i] * m[j] / (m[i] + m[j]))
    found["kT_bonds"] = mean(np.mean(along, axis=(0, 2)))
    lag = len(time) // 4
    squares = ((c[lag:] - c[:-lag])**2).sum(axis=2).mean(axis=0) / (6 * (time[lag] - time[0]))
    found["diffusion"] = mean(squares)
    return found


def energies(options, text, folder, name):
    """Rows of step, potential and kinetic energy, and processor time in seconds; None, 0 if the run
    explodes."""
    (folder / f"{name}.toml").write_text(text)
    try:
        _, usage = watch([options.mdrun.resolve(), f"{name}.toml", "--progress=none", "--quiet", "--set", "compute.threads=1",
                 "--set", f"compute.precision={options.precision}"], 1, folder)
    except BenchError as error:
        if not any(said in str(error) for said in ("explodes", "not finite")):
            raise
        return None, 0.0
    with h5py.File(folder / f"{name}.h5") as file:
        columns = [file["observables/potential_energy/step"][...]]
        columns += [file[f"observables/{n}/value"][...].reshape(-1) for n in ("potential_energy", "kinetic_energy")]
    return np.stack(columns, axis=1), usage.ru_utime


def run(options, case, text, folder, name, method, dt):
    every = max(1, round(options.every / dt))
    rows, seconds = energies(options, text + stage(method, round(options.time / dt), every, "run"), folder, "run")
    if rows is None:
        return {"method": name, "dt": dt, "exploded": True}
    circumstances = argparse.Namespace(dt=dt, every=every)
    return {"method": name, **row_of(name, rows, case.atoms, circumstances), "potential": rows[:, 1].mean() / case.atoms,
            "seconds": seconds, **modes(case, folder / "run.h5", dt)}


def measure(options):
    case = {"water": water, "melt": melt, "polyampholyte": polyampholyte, "liquid": liquid}[options.system](options)
    result = {"system": options.system, "dimension": options.dimension, "split": options.split, "atoms": case.atoms,
              "time": options.time, "precision": options.precision, "rows": []}
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        warm = f'method = "baoab"\ndt = {options.inner_step}\ntemperature = {case.temperature}\nfriction = 0.5'
        energies(options, case.plain + stage(warm, options.warm, 1000, "eq"), folder, "eq")
        plain, levelled = from_file(case.plain), from_file(case.levelled)
        runs = [("verlet", plain, 'method = "verlet"', dt) for dt in options.reference]
        chosen = {name: method for name, method in case.methods.items() if not options.methods or name in options.methods}
        runs += [(name, levelled, method.replace("INNER", str(max(1, round(dt / options.inner_step)))), dt)
                 for dt in options.steps for name, method in chosen.items()]
        for name, text, method, dt in runs:
            result["rows"].append(run(options, case, text, folder, name, f"{method}\ndt = {dt}", dt))
            print(result["rows"][-1], file=sys.stderr, flush=True)
    if options.output:
        options.output.write_text(json.dumps(result, indent=1) + "\n")
    return result


def over(row, first, name):
    """A mean relative to that of the first Verlet, with its error."""
    if name not in row:
        return ""
    (a, da), (b, db) = row[name], first[name]
    return f"{a / b:.3f} +- {a / b * np.hypot(da / a, db / b):.3f}"


def table(results):
    lines = []
    for result in results:
        first = result["rows"][0]
        for r in result["rows"]:
            start = [r["method"], r["dt"]]
            lines.append([*start, "explodes", *[""] * 8] if "exploded" in r else
                         [*start, f"{r['relative']:.1e} +- {r['relative_error']:.1e}", f"{r['fluctuation'] / result['atoms']:.1e}",
                          f"{r['temperature'] / first['temperature']:.4f}", f"{r['potential'] - first['potential']:.4f}",
                          *[over(r, first, name) for name in ("kT", "kT_centres", "kT_bonds", "diffusion")],
                          f"{first['seconds'] / r['seconds']:.2f}"])
    return grid(["method", "dt", "kT per degree of freedom and time", "fluctuation per atom", "temperature over Verlet's",
                 "potential less Verlet's", "T over Verlet's", "of centres", "of bonds", "D", "times faster"], lines)


def draw(results, path):
    """Plots the deviation and the drift of the energy against slow evaluations, for each result."""
    figure, axes = plt.subplots(2, len(results), figsize=(5.5 * len(results), 8), squeeze=False, layout="constrained")
    names = list(dict.fromkeys(r["method"] for result in results for r in result["rows"]))
    for column, result in zip(axes.T, results):
        for k, name in enumerate(names):
            rows = [r for r in result["rows"] if r["method"] == name and "exploded" not in r]
            look = {"color": f"C{k}", "marker": "o" if k < 5 else "s"}
            per_time = [1.0 / r["dt"] for r in rows]
            column[0].plot(per_time, [r["fluctuation"] / result["atoms"] for r in rows], label=name, **look)
            # The bound that is known: the drift, or its error.
            column[1].plot(per_time, [max(abs(r["relative"]), r["relative_error"]) for r in rows], **look)
        column[0].set(title=result["system"], ylabel="rms of the energy per atom", xscale="log", yscale="log")
        column[1].set(xlabel="evaluations of slow forces in a unit of time", xscale="log", yscale="log",
                      ylabel="|drift| or its error, kT per degree of freedom and time")
    axes[0, -1].legend(*axes[0, 0].get_legend_handles_labels(), loc="upper left", bbox_to_anchor=(1.02, 1))
    figure.savefig(path, dpi=90)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mdrun", type=pathlib.Path, default=bench.parent / "build" / "mdrun")
    parser.add_argument("--precision", default="mixed")
    parser.add_argument("--methods", nargs="+", help="these only, in addition to Verlet")
    parser.add_argument("--steps", type=float, nargs="+", default=[0.04, 0.06, 0.07, 0.08, 0.09])
    parser.add_argument("--reference", type=float, nargs="+", default=[0.01], help="steps of Verlet")
    parser.add_argument("--inner-step", type=float, default=0.01)
    parser.add_argument("--time", type=float, default=200.0)
    parser.add_argument("--every", type=float, default=2.0, help="time between samples")
    parser.add_argument("--warm", type=int, default=10_000, help="steps before, of a Langevin bath")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path, nargs="+", help="print the table of these results")
    parser.add_argument("--plot", type=pathlib.Path, help="draw them")
    parser.add_argument("--system", choices=["water", "melt", "polyampholyte", "liquid"], default="water")
    parser.add_argument("--molecules", type=int, nargs=3, default=[8, 8, 8], help="of water, along the box")
    parser.add_argument("--dimension", type=int, choices=[2, 3], default=3, help="of the liquid")
    parser.add_argument("--split", type=float, nargs=2, default=[1.2, 1.6], help="of the liquid: inner and outer")
    options = parser.parse_args()
    try:
        results = [json.loads(path.read_text()) for path in options.table] if options.table else [measure(options)]
    except BenchError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(table(results))
    if options.plot:
        draw(results, options.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
