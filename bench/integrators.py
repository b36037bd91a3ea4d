#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Error of deterministic splitting methods against evaluations of the forces: docs/integrators.png.

    bench/integrators.py --mdrun build/mdrun                      all methods, some minutes on one core, and their picture
    bench/integrators.py --system kepler                          one of the problems
    bench/integrators.py --method verlet chin-4 --word            some of the methods
    bench/integrators.py --method verlet --plot some.png          and draw these
    bench/integrators.py --table bench/results/FILE.json          print the tables of an earlier run
    bench/integrators.py --table bench/results/FILE.json --plot docs/integrators.png     and draw it

Methods are those of `mdrun --list integrator` whose words have only kicks, with or without
gradients, and drifts, and --word (NAME=WORD). For a method with a processor evaluations are those
between outputs, and stability limits those of its kernel. Liquid: 500 Lennard-Jones particles (or
--cells) at density 0.8 and T = 1, equilibrated once, with the potential truncated by smooth-c2 from
2.5 to 4.2; the error is the largest change of the energy over a time of 1, relative to the energy
at its start. Kepler: inputs/seeds/leimkuhler-reich/6.2_kepler.toml; the error is the distance from
the start after one period. Ends: the liquid by blanes-moan-6 with other truncations of the
potential, and in mixed precision. All others are in double precision. Steps are integer fractions
of the time, chosen so that all methods use about the same numbers of evaluations, increasing by
factors of sqrt(2); with too long a step a run ends with an error. The rows of a method end at
rounding errors.
"""
import argparse
import collections
import fractions
import functools
import itertools
import json
import math
import pathlib
import re
import sys
import tempfile

import h5py
import matplotlib
import numpy as np

from contestants import BenchError, Shadow, bench, output_of, watch
from run import circumstances, print_result
from tables import grid

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

#: Second order with two evaluations and the smallest error constant: Omelyan, Mryglod and Folk 2002, Comput. Phys. Commun. 146, 188.
OMELYAN = "omelyan-2=B0.1931833275037836 A½ B* A½ B0.1931833275037836"
LIQUID = """\
seed = 7
[system]
dimension = 3
START
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
END
[compute]
precision = "double"
self_test = "off"
[integrator]
METHOD
[run]
steps = 4000
[[observe]]
type = "thermo"
every = 1000
[output]
prefix = "PREFIX"
overwrite = true
"""
LATTICE = """\
box = { density = 0.8 }
lattice = { type = "fcc", repeat = CELLS }
velocity = { temperature = 1.0 }"""
BATH = 'method = "baoab"\ndt = 0.004\ntemperature = 1.0\nfriction = 1.0'
SMOOTH = 'cutoff = 4.2\ntruncation = "smooth-c2"\ninner = 2.5'
#: Truncation of the potential, precision.
ENDS = {"`shift`, 2.5": ('cutoff = 2.5\ntruncation = "shift"', "double"),
        "`force-shift`, 2.5": ('cutoff = 2.5\ntruncation = "force-shift"', "double"),
        "`smooth-c1`, 2 to 3": ('cutoff = 3.0\ntruncation = "smooth-c1"\ninner = 2.0', "double"),
        "`smooth-c2`, 2 to 3": ('cutoff = 3.0\ntruncation = "smooth-c2"\ninner = 2.0', "double"),
        "`smooth-c2`, 2.5 to 4.2": (SMOOTH, "double"), "the same, mixed precision": (SMOOTH, "mixed")}
END_STEPS = [25, 50, 100, 200]
LEVELS = [1e-3, 1e-6, 1e-9]
PICTURE = bench.parent / "docs" / "integrators.png"


def fraction_of(text):
    """Of ½, a decimal number, p/q; None for *."""
    if text == "*":
        return None
    return 0.5 if text == "½" else float(fractions.Fraction(text))


def flows_of(word):
    """(letter, fraction, gradient) of a word of A, B, G and V, neighbours of one letter joined."""
    items = [[letter, fraction_of(number), fraction_of(gradient or "0")]
             for letter, gradient, number in re.findall(r"([ABGV])(?:\[([-\d./]+)\])?([-\d./]+|½|\*)", word)]
    if word.endswith("|"):
        items += [list(item) for item in items[-2::-1]]
    for letters in ("A", "BG", "V"):
        given = sum(fraction for name, fraction, _ in items if name in letters and fraction is not None)
        rests = [item for item in items if item[0] in letters and item[1] is None]
        for item in rests:
            item[1] = (1.0 - given) / len(rests)
    joined = []
    for letter, fraction, gradient in items:
        parts = [("B", 0.5), ("A", 1.0), ("B", 0.5)] if letter == "V" else [(letter, 1.0)]
        for part, share in parts:
            share *= fraction
            if joined and joined[-1][0] == part and joined[-1][2] == gradient:
                share += joined.pop()[1]
            joined.append((part, share, gradient))
    return joined


def evaluations(flows):
    """Evaluations per step in a sequence: the last and the next first kick share a position if both
    are outermost; a gradient kick has two more."""
    kicks = sum({"A": 0, "B": 1, "G": 3}[letter] for letter, _, _ in flows)
    return kicks - (len(flows) > 1 and flows[0][0] == flows[-1][0] == "B")


def resonances(flows):
    """The first windows of dt omega in which an oscillator is unstable, half the trace of the step beyond 1: from, to, growth in a step."""
    found, inside = [], False
    for x in np.arange(1, 8000) / 1000.0:
        step = np.eye(2)
        for letter, fraction, gradient in flows:
            kick = -fraction * x * (1.0 - gradient * x * x)
            step = np.array([[1.0, fraction * x], [0.0, 1.0]] if letter == "A" else [[1.0, 0.0], [kick, 1.0]]) @ step
        half = abs(np.trace(step)) / 2.0
        if half > 1.0 + 1e-9:
            growth = half + math.sqrt(half * half - 1.0)
            if not inside:
                found.append([float(x), float(x), growth])
            found[-1] = [found[-1][0], float(x), max(found[-1][2], growth)]
        inside = half > 1.0 + 1e-9
    return found[:2]


def limits(windows):
    """As text: the start of the first window, and of the next one if the first is weak."""
    texts = [f"{begin - 0.001:.3f}" + (f" (to {end:.3f}, {growth:.3f} a step)" if growth < 1.02 else "") for begin, end, growth in windows]
    return ", ".join(texts if windows[0][2] < 1.02 else texts[:1])


@functools.cache
def without_bbba(word):
    """A product as a sum of those without BBBA: [B, [B, [A, B]]] = 0, since B is a function of
    positions and A is quadratic in momenta."""
    at = word.find("BBBA")
    if at < 0:
        return {word: 1}
    found = collections.Counter()
    for factor, middle in ((3, "BBAB"), (-3, "BABB"), (1, "ABBB")):
        for product, times in without_bbba(word[:at] + middle + word[at + 4:]).items():
            found[product] += factor * times
    return found


def times_exponential(series, generator, longest):
    """series * exp(generator), both sums of words, up to words of `longest` letters."""
    power, total, k = dict(series), dict(series), 0
    while power:
        k += 1
        longer = collections.defaultdict(float)
        for (word, value), (more, factor) in itertools.product(power.items(), generator.items()):
            if len(word + more) <= longest:
                longer[word + more] += value * factor / k
        for word, value in longer.items():
            total[word] = total.get(word, 0.0) + value
        power = longer
    return total


def order_of(flows):
    """The order up to which the series of the product of exp(fraction * letter) is that of exp(A +
    B), with [B, [A, B]] gradient / 2 in G."""
    longest = 9
    series, exact = {"": 1.0}, times_exponential({"": 1.0}, {"A": 1.0, "B": 1.0}, longest)
    for letter, fraction, gradient in flows:
        half = 0.5 * fraction * gradient
        generator = {"A": fraction} if letter == "A" else {"B": fraction, "BAB": 2.0 * half, "BBA": -half, "ABB": -half}
        series = times_exponential(series, {word: value for word, value in generator.items() if value}, longest)
    off = collections.defaultdict(float)
    for word in {*series, *exact}:
        for product, times in without_bbba(word).items():
            off[product] += times * (series.get(word, 0.0) - exact.get(word, 0.0))
    wrong = [len(word) for word, value in off.items() if abs(value) > 1e-12]
    return min(wrong, default=longest + 1) - 1


def methods(options):
    """name -> settings, flows"""
    found = {}
    for name in re.findall(r"^  (\S+)", output_of([options.mdrun, "--list", "integrator"]), re.M):
        text = " ".join(output_of([options.mdrun, "--describe", name]).split())
        word = re.search(r"equation (.*?)(?: between the processor .*?)? \((?:A drift|V \()", text)
        if options.method and name not in options.method:
            continue
        if word and re.fullmatch(r"[ABGV\d.½*/\[\]| -]+", word[1]):
            found[name] = [f'integrator.method="{name}"'], flows_of(word[1])
    for text in options.word:
        name, _, word = text.partition("=")
        found[name] = ['integrator.method="splitting"', f'integrator.word="{word}"'], flows_of(word)
    return found


def run(mdrun, folder, name, settings):
    """Processor time in seconds; None if the run explodes."""
    command = [mdrun, name, "--progress=none", "--quiet"]
    for setting in [*settings, "compute.threads=1", "compute.device=cpu"]:
        command += ["--set", setting]
    try:
        return watch(command, 1, folder)[1].ru_utime
    except BenchError as error:
        if not any(said in str(error) for said in ("explodes", "not finite", "distance")):
            raise
        return None


def liquid(mdrun, folder, settings, steps):
    """Error and seconds with `steps` steps in a time of 1."""
    settings = [*settings, f"integrator.dt={1.0 / steps!r}", f"run.steps={steps}", f"observe.0.every={max(1, steps // 100)}"]
    seconds = run(mdrun, folder, "liquid.toml", settings)
    if seconds is None:
        return None, 0.0
    with h5py.File(folder / "liquid.h5") as file:
        energy = file["observables/total_energy/value"][...].reshape(-1)
    return float(np.abs(energy - energy[0]).max() / abs(energy[0])), seconds


def ends(mdrun, folder):
    """end -> rows, as those of `ladder`."""
    found = {}
    for name, (end, precision) in ENDS.items():
        write_liquid(folder, end)
        settings = ['integrator.method="blanes-moan-6"', f'compute.precision="{precision}"']
        found[name] = [dict(zip(("steps", "error", "seconds"), (n, *liquid(mdrun, folder, settings, n)))) for n in END_STEPS]
    return found


def write_liquid(folder, end):
    """Writes liquid.toml, which continues from start.h5."""
    text = LIQUID.replace("START", 'file = "start.h5"').replace("METHOD", 'method = "verlet"\ndt = 0.004').replace("END", end)
    (folder / "liquid.toml").write_text(text.replace("PREFIX", "liquid"))


def kepler(mdrun, folder, settings, steps):
    """The same for one period in `steps` steps."""
    settings = [*settings, f"integrator.dt={2.0 * math.pi / steps!r}", f"run.steps={steps}", f"output.trajectory.every={steps}",
                f"observe.0.every={steps}", f'output.prefix="{folder}/kepler"', "output.overwrite=true", "compute.self_test=off"]
    seconds = run(mdrun, folder, bench.parent / "inputs/seeds/leimkuhler-reich/6.2_kepler.toml", settings)
    if seconds is None:
        return None, 0.0
    with h5py.File(folder / "kepler.h5") as file:
        place = file["particles/all/position/value"][-1, :, :2]
    return float(np.linalg.norm(place[0] - place[1] - [0.7, 0.0])), seconds


def ladder(problem, mdrun, folder, settings, flows, least, most, floor):
    """Rows of evaluations in the time, steps and error, down to `floor`."""
    cost, rows = evaluations(flows), []
    wanted = [least * 2 ** (k / 2) for k in range(int(2 * math.log2(most / least)) + 1)]
    for steps in dict.fromkeys(max(2, round(number / cost)) for number in wanted):
        error, seconds = problem(mdrun, folder, settings, steps)
        rows.append({"evaluations": cost * steps, "steps": steps, "error": error, "seconds": seconds})
        if error is not None and error < floor:
            break
    print(f"{settings[-1]}: {sum(row['seconds'] for row in rows):.1f} s", file=sys.stderr, flush=True)
    return rows


#: Problem, minimum and maximum number of evaluations, and the smallest error.
SYSTEMS = {"liquid": (liquid, 32, 2100, 1e-12), "kepler": (kepler, 40, 30_000, 2e-13)}


def measure(options):
    shadow = Shadow(options.mdrun.resolve(), "double")
    result = {**circumstances([shadow], 1), "particles": 4 * options.cells**3, "methods": {}, "systems": {}}
    chosen = methods(options)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for name, (_, flows) in chosen.items():
            result["methods"][name] = {"order": order_of(flows), "evaluations": evaluations(flows), "unstable": resonances(flows)}
        if options.system != ["kepler"]:
            start = LIQUID.replace("START", LATTICE.replace("CELLS", str([options.cells] * 3))).replace("END", SMOOTH).replace("METHOD", BATH).replace("PREFIX", "start")
            (folder / "start.toml").write_text(start)
            run(shadow.mdrun, folder, "start.toml", [])
        for system in (name for name in SYSTEMS if name in options.system):
            problem, *bounds = SYSTEMS[system]
            write_liquid(folder, SMOOTH)
            result["systems"][system] = {name: ladder(problem, shadow.mdrun, folder, *method, *bounds) for name, method in chosen.items()}
        if "ends" in options.system:
            result["ends"] = ends(shadow.mdrun, folder)
    output = options.output or bench / "results" / f"{result['date'][:10]}-integrators.json"
    output.write_text(json.dumps(result) + "\n")
    return result


def stable_rows(rows):
    """Rows from the largest step below which none explodes; in a liquid also with energies within a
    twentieth."""
    last = max((k for k, row in enumerate(rows) if row["error"] is None or row["error"] > 0.05), default=-1)
    return rows[last + 1:]


def needed(rows, level):
    """Evaluations for an error that stays below `level`: interpolated between two rows by a power
    law."""
    rows = stable_rows(rows)
    above = max((k for k, row in enumerate(rows) if row["error"] > level), default=-1)
    if above < 0:
        return f"{rows[0]['evaluations']} *"
    a = rows[above]
    if above + 1 == len(rows):
        return f"> {a['evaluations']}"
    b = rows[above + 1]
    share = math.log(a["error"] / level) / math.log(a["error"] / b["error"])
    return f"{a['evaluations'] * (b['evaluations'] / a['evaluations']) ** share:.0f}"


HEADER = ["method", "order", "evaluations a step", "stable until dt ω", "largest step", "error there", *(f"evaluations for {level:.0e}" for level in LEVELS)]


def table(result):
    parts = []
    for system, found in result["systems"].items():
        lines = []
        for name, rows in found.items():
            method, stable = result["methods"][name], stable_rows(rows)
            time = 1.0 if system == "liquid" else 2.0 * math.pi
            lines.append([f"`{name}`", method["order"], method["evaluations"], limits(method["unstable"]), f"{time / stable[0]['steps']:.3g}",
                          f"{stable[0]['error']:.1e}", *(needed(rows, level) for level in LEVELS)])
        seconds = sum(row["seconds"] for rows in found.values() for row in rows)
        parts.append(f"{system}, {seconds:.0f} s\n" + grid(HEADER, lines))
    if "ends" in result:
        lines = [[name, *("explodes" if row["error"] is None else f"{row['error']:.1e}" for row in rows)] for name, rows in result["ends"].items()]
        parts.append(grid(["end", *(f"dt = {1.0 / n:g}" for n in END_STEPS)], lines))
    return "\n\n".join(parts) + "\n\n* the largest step has a smaller error"


def together(result, others):
    """A result with the methods of other results of the same problems, which come first."""
    joined = {"particles": result.get("particles", 500), "methods": {}, "systems": {}}
    for one in [*others, result]:
        joined["methods"] |= one["methods"]
        for system, found in one["systems"].items():
            joined["systems"][system] = joined["systems"].get(system, {}) | found
    return joined


def draw(drawn, options):
    if not (options.plot and drawn["systems"]):
        return drawn
    result = together(drawn, [json.loads(path.read_text()) for path in options.beside])
    labels = {"liquid": (f"{result['particles']} Lennard-Jones particles, time 1", "largest relative error of the energy", "evaluations in a unit of time"),
              "kepler": ("Kepler's orbit, eccentricity 0.3", "distance from the start after one period", "evaluations in a period")}
    colours = {1: "tab:gray", 2: "tab:blue", 4: "tab:green", 6: "tab:orange", 8: "tab:red"}
    count = len(result["systems"])
    figure, all_axes = plt.subplots(1, count, figsize=(4.9 * count + 2.0, 4.6), layout="constrained", squeeze=False)
    for axes, (system, found) in zip(all_axes[0], result["systems"].items()):
        styles = {order: itertools.cycle(["o-", "s--", "^:", "D-.", "v-", "P--", "X:", "*-."]) for order in colours}
        for name, rows in found.items():
            order, rows = result["methods"][name]["order"], stable_rows(rows)
            axes.plot([row["evaluations"] for row in rows], [row["error"] for row in rows], next(styles[order]), color=colours[order],
                      markersize=3.5, linewidth=1.2, label=f"{name} ({order})")
        title, y, x = labels[system]
        axes.set(xscale="log", yscale="log", title=title, xlabel=x, ylabel=y)
        axes.grid(alpha=0.3)
    all_axes[0][-1].legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), title="method (order)", fontsize=8)
    figure.savefig(options.plot, dpi=85, pil_kwargs={"optimize": True})
    return drawn


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mdrun", type=pathlib.Path, default=bench.parent / "build" / "mdrun")
    parser.add_argument("--system", choices=[*SYSTEMS, "ends"], nargs="+", default=[*SYSTEMS, "ends"])
    parser.add_argument("--cells", type=int, default=5, help="the liquid has 4 cells^3 particles")
    parser.add_argument("--word", nargs="*", default=[OMELYAN], metavar="NAME=WORD", help="other words")
    parser.add_argument("--method", nargs="+", metavar="NAME", help="of those of mdrun these alone; default: all")
    parser.add_argument("--output", type=pathlib.Path, help="default: results/DATE-integrators.json")
    parser.add_argument("--plot", type=pathlib.Path, help=f"draw the methods here; default: {PICTURE.name} of the documents, in a run of all")
    parser.add_argument("--table", type=pathlib.Path, help="print the tables of this result; with --plot draw it")
    parser.add_argument("--beside", nargs="+", type=pathlib.Path, default=[], help="draw the methods of these results, too")
    options = parser.parse_args(arguments)
    whole = all(getattr(options, name) == parser.get_default(name) for name in ("system", "cells", "word", "method", "table"))
    options.plot = options.plot or (PICTURE if whole else None)
    return options


def main():
    options = options_of(sys.argv[1:])
    return print_result(options, measure, lambda result: table(draw(result, options)))


if __name__ == "__main__":
    sys.exit(main())
