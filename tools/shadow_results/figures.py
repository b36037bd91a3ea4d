# SPDX-License-Identifier: BSD-3-Clause
"""The figures of a run: its series, and its arrays with any axes."""
import math
import re
import textwrap

import numpy as np

from .chart import BOTTOM, COLOURS, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Chart, Scale
from .picture import png, viridis
from .text import SUPERSCRIPTS

#: Labels of quantities with established names; the rest of a name is a pair of species.
SYMBOLS = {"rdf": "g(r)", "structure_factor": "S(k)", "msd": "⟨Δr²⟩", "vacf": "⟨v(0)·v(t)⟩",
           "non_gaussian": "α₂", "density_profile": "ρ", "density_map": "ρ",
           "pair_density": "ρ(r)", "radial_density": "ρ(r)", "cluster_sizes": "n(s)",
           "intermediate_scattering": "F(k, t)", "self_scattering": "Fₛ(k, t)",
           "velocity_distribution": "P(v)", "kinetic_energy_distribution": "P(K)",
           "diffusion": "D", "diffusion_green_kubo": "D"}
LOGARITHMIC = ("msd",)       # a power law in time
TO_ONE = ("rdf", "structure_factor")  # if nothing is ordered


def kind_of(name):
    """The longest known name that begins this one, and the rest, for example species. An array of a
    stage with its own axes is named NAME_stage_NUMBER."""
    name = re.sub(r"_stage_\d+$", "", name)
    for known in sorted(SYMBOLS, key=len, reverse=True):
        if name == known or name.startswith(known + "_"):
            return known, name[len(known) + 1:]
    return name, ""


def unit_symbols(unit):
    """Greek letters, tau for the time of Lennard-Jones units, roots and raised powers."""
    for text, symbol in (("sigma sqrt(m/epsilon)", "τ"), ("epsilon", "ε"), ("sigma", "σ"),
                         ("sqrt(", "√(")):
        unit = unit.replace(text, symbol)
    unit = re.sub(r"^1/(\w+)(?:\^(\d))?$", lambda m: f"{m[1]}^-{m[2] or 1}", unit)
    return re.sub(r"\^(-?[0-9]+)", lambda power: power[1].translate(SUPERSCRIPTS), unit)


def with_unit(label, unit):
    return f"{label} / {unit_symbols(unit)}" if unit else label


def in_lines(label, most):
    """Lines of at most so many letters, where no word is longer: a label is not to run off its picture."""
    return "\n".join(textwrap.wrap(label, most, break_long_words=False, break_on_hyphens=False))


def heading(name):
    return name.replace("_", " ")


def running_mean(value, window):
    """The mean over `window` rows around each row, fewer at the ends."""
    total = np.concatenate([[0.0], np.cumsum(value - value.mean())])
    n, half = len(value), window // 2
    low = np.maximum(np.arange(n) - half, 0)
    high = np.minimum(np.arange(n) + half + 1, n)
    return (total[high] - total[low]) / (high - low) + value.mean()


def series_chart(series, stages, discarded):
    """All rows, thinned, with their running mean; discarded rows, (begin, end) in time, are shaded,
    and a line marks the start of each later stage."""
    chart = Chart(with_unit("time", series.time_unit), unit_symbols(series.unit),
                  title=series.name)
    width = series.value.shape[1]
    for k, column in enumerate(series.value.T):
        chart.line(series.time, column, k, faint=True)
    window = max(1, len(series.time) // 50)
    for k, column in enumerate(series.value.T):
        label = "xyz"[k] if width in (2, 3) else "mean over " + f"{window} rows"
        if window > 1 or width > 1:
            chart.line(series.time, running_mean(column, window), k, label, thick=True)
    for begin, end in discarded:
        chart.span(begin, end, "discarded: not in equilibrium")
    for stage in stages[1:]:
        later = series.step > stage.first
        if later.any() and not later.all():
            chart.mark(series.time[np.argmax(later)], f"stage {stage.label()}")
    return chart.render()


def drift_chart(time, value, drift, unit, time_unit):
    """The conserved quantity and the line fitted to it."""
    chart = Chart(with_unit("time", time_unit), with_unit("distance from the mean", unit), title="conserved energy")
    middle = value.mean()
    chart.line(time, value - middle, 0, "conserved energy", faint=len(time) > 200)
    ends = np.array([time[0], time[-1]])
    fit = drift.slope * (ends - drift.at_mean[0])
    if math.isfinite(drift.error):
        many = np.linspace(*ends, 50)
        line = drift.slope * (many - drift.at_mean[0])
        size = drift.error * np.abs(many - drift.at_mean[0])
        chart.band(many, line - size, line + size, 1)
    chart.line(ends, fit, 1, "drift and its standard error", thick=True)
    return chart.render()


def logarithmic(axis, kind):
    """Which axes of a chart over this axis are logarithmic: "x" if positive numbers span decades in
    growing steps, "xy" for power laws."""
    positive = axis.values[axis.values > 0]
    if len(positive) < 4 or positive[-1] < 30 * positive[0]:
        return ""
    if kind in LOGARITHMIC:
        return "xy"
    steps = np.diff(positive)
    return "x" if steps[-1] > 5 * steps[0] else ""


def curves(array, stage_names):
    """An array with one axis: the last stage with its error band, earlier stages faint."""
    kind, _ = kind_of(array.name)
    axis = array.axes[0]
    chart = Chart(with_unit(axis.name, axis.unit), with_unit(symbol(array), array.unit),
                  logarithmic(axis, kind), array.name)
    if kind in TO_ONE:
        chart.level(1.0)
    for row in range(len(array.value)):
        last = row == len(array.value) - 1
        colour = 0 if last else row + 1
        value, error = array.value[row], array.error[row]
        if last:
            chart.band(axis.values, value - error, value + error, colour)
        chart.line(axis.values, value, colour, stage_names(array.stage[row]), faint=not last,
                   within=last)
    return chart.render()


def by_species(arrays, species):
    """Arrays with one axis in groups: that of all particles with those of species or pairs of
    species over the same axis; all others alone."""
    rests = set(species) | {f"{a}_{b}" for a in species for b in species}
    found = []
    for array in arrays:
        for group in found:
            first = group[0]
            if (array.name.startswith(first.name + "_") and len(array.axes) == 1
                    and array.name[len(first.name) + 1:] in rests
                    and np.array_equal(array.axes[0].values, first.axes[0].values)):
                group.append(array)
                break
        else:
            found.append([array])
    return found


def curves_of_species(group, theory):
    """The last stage of arrays over one axis, for all particles and for species. `theory`: dashed
    curves by the name of an array."""
    kind, _ = kind_of(group[0].name)
    axis = group[0].axes[0]
    chart = Chart(with_unit(axis.name, axis.unit), with_unit(symbol(group[0]), group[0].unit),
                  logarithmic(axis, kind), group[0].name)
    if kind in TO_ONE:
        chart.level(1.0)
    for k, array in enumerate(group):
        value, error = array.value[-1], array.error[-1]
        rest = array.name[len(group[0].name) + 1:].replace("_", "–")
        chart.band(axis.values, value - error, value + error, k)
        chart.line(axis.values, value, k, rest or ("all" if len(group) > 1 else "measured"))
        if array.name in theory:
            chart.line(axis.values, theory[array.name], k + 1 if len(group) == 1 else k,
                       "Maxwell–Boltzmann" if k == 0 else "", dashed=True)
    return chart.render()


def symbol(array):
    kind, rest = kind_of(array.name)
    if kind not in SYMBOLS:
        return heading(array.name)
    return SYMBOLS[kind] + (f" {rest.replace('_', '–')}" if rest else "")


def is_map(array):
    """Is it a map, with two axes of one kind, both positions?"""
    return {a.name for a in array.axes} <= {"x", "y", "z"}


def family(array):
    """The last stage of an array with two axes, as curves over the longer axis or over `lag`."""
    kind, _ = kind_of(array.name)
    names = [a.name for a in array.axes]
    over = names.index("lag") if "lag" in names else int(np.argmax([len(a.values)
                                                                   for a in array.axes]))
    axis, parameter = array.axes[over], array.axes[1 - over]
    value, error = array.value[-1], array.error[-1]
    if over == 0:
        value, error = value.T, error.T
    chart = Chart(with_unit(axis.name, axis.unit), with_unit(symbol(array), array.unit),
                  logarithmic(axis, kind), array.name)
    count = len(parameter.values)
    shown = np.unique(np.linspace(0, count - 1, min(count, COLOURS)).round().astype(int))
    for k, row in enumerate(shown):
        chart.band(axis.values, value[row] - error[row], value[row] + error[row], k)
        label = f"{parameter.name} = {parameter.values[row]:.4g} {unit_symbols(parameter.unit)}"
        chart.line(axis.values, value[row], k, label.strip())
    note = "" if len(shown) == count else f"{len(shown)} of {count} values of {parameter.name}"
    return chart.render(), note


def colour_map(array):
    """The last stage of an array over two position axes."""
    across, up = array.axes
    value = array.value[-1].T  # rows: up
    finite = value[np.isfinite(value)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    pixels = viridis((value[::-1] - low) / ((high - low) or 1.0))
    sides = [np.ptp(a.values) * len(a.values) / max(1, len(a.values) - 1) or 1.0
             for a in (across, up)]
    frame = Chart(with_unit(across.name, across.unit), with_unit(up.name, up.unit))
    height = HEIGHT * 1.5 - TOP - BOTTOM
    wide = min(WIDTH - LEFT - RIGHT - 80, height * sides[0] / sides[1])
    tall = wide * sides[1] / sides[0]
    ends = [(a.values[0], a.values[-1]) for a in (across, up)]
    half = [s / len(a.values) / 2 for s, a in zip(sides, (across, up))]
    x = Scale(ends[0][0] - half[0], ends[0][1] + half[0], LEFT, LEFT + wide, False)
    y = Scale(ends[1][0] - half[1], ends[1][1] + half[1], TOP + tall, TOP, False)
    out = [f'<image x="{LEFT}" y="{TOP}" width="{wide:.1f}" height="{tall:.1f}" '
           f'preserveAspectRatio="none" href="{png(pixels)}"/>']
    for at, label in zip(*x.ticks(5)[:2]):
        out.append(f'<text x="{float(x(at)):.1f}" y="{TOP + tall + 15:.1f}">{label}</text>')
    for at, label in zip(*y.ticks(5)[:2]):
        out.append(f'<text class="end" x="{LEFT - 5}" y="{float(y(at)) + 4:.1f}">{label}</text>')
    bar = LEFT + wide + 16
    ramp = png(viridis(np.linspace(1, 0, 64))[:, None, :])
    out.append(f'<image x="{bar:.1f}" y="{TOP}" width="12" height="{tall:.1f}" '
               f'preserveAspectRatio="none" href="{ramp}"/>'
               f'<text class="start" x="{bar + 16:.1f}" y="{TOP + 10}">{high:.4g}</text>'
               f'<text class="start" x="{bar + 16:.1f}" y="{TOP + tall:.1f}">{low:.4g}</text>'
               f'<text class="start" x="4" y="13">{frame.ylabel}</text>'
               f'<text x="{LEFT + wide / 2:.1f}" y="{TOP + tall + 32:.1f}">{frame.xlabel}</text>')
    return (f'<svg class="chart map" viewBox="0 0 {WIDTH} {TOP + tall + BOTTOM:.0f}" role="img" '
            f'aria-label="{array.name}">{"".join(out)}</svg>')


def array_figure(array, stage_names):
    """The figure of an array and a note, or "" and why there is none."""
    if len(array.axes) == 1:
        return curves(array, stage_names), ""
    if len(array.axes) == 2:
        return (colour_map(array), "") if is_map(array) else family(array)
    return "", f"{len(array.axes)} axes: not drawn"


def histogram_chart(comparison):
    """A distribution and its theory."""
    label = "E / kT" if "energy" in comparison.name else "v √(m / kT)"
    middle, density, error = comparison.histogram()
    smooth = np.linspace(middle[0], middle[-1], 150)
    chart = Chart(label, "density", title=comparison.name)
    chart.band(middle, density - error, density + error, 0)
    chart.line(middle, density, 0, "this frame")
    chart.line(smooth, comparison.density(smooth), 1, "Maxwell–Boltzmann", dashed=True)
    return chart.render()
