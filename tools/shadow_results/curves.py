# SPDX-License-Identifier: BSD-3-Clause
"""Averaged arrays as mdplot draws them: curves with error bars, families of curves, maps."""
import math

import matplotlib.pyplot as plt
import numpy as np

from .figures import (TO_ONE, by_species, in_lines, is_map, kind_of, logarithmic, symbol,
                      unit_symbols, with_unit)
from .results import (Frame, ResultsError, frames, nearest, observables, read_arrays,
                      species_names)
from .stages import read_input, stages

MOST_BARS = 60      # most points of a curve with a bar each; longer curves have a band
MOST_CURVES = 8     # largest number in a family
MOST_LETTERS = 40   # of a label along a panel


def row_of(array, stage):
    """The row of a stage; the last one if it is None, or None if there is no such row."""
    rows = np.arange(len(array.stage)) if stage is None else np.flatnonzero(array.stage == stage)
    return int(rows[-1]) if len(rows) else None


def number_of(file, wanted):
    """The number of a stage from its name or number; None: the last."""
    if wanted is None:
        return None
    known = [s.label() for s in stages(file)]
    if wanted in known:
        return known.index(wanted)
    if wanted.isdigit() and int(wanted) < len(known):
        return int(wanted)
    raise ResultsError(f"--stage {wanted}: not in {file.filename} (its stages have other names); "
                       f"{nearest(wanted, known)}")


def species_of(file):
    """Names of species, from the input or the frames."""
    named = [s["name"] for s in read_input(file).get("species", []) if "name" in s]
    return named or (species_names(file, Frame(file, -1)) if frames(file) else [])


def choose(file, names, stage):
    """Groups of arrays that share a panel, each with rows of the stage."""
    arrays = {a.name: a for a in read_arrays(file) if row_of(a, stage) is not None}
    if not arrays:
        raise ResultsError(f"no averaged arrays in {file.filename} (nothing like g(r) was observed, "
                           'or not yet); add [[observe]] type = "rdf" or another to the input')
    for name in names:
        if name in observables(file):
            raise ResultsError(f"{name}: a series over time (it is not averaged); use mdplot "
                               f"RESULTS.h5 series {name}")
        if name not in arrays:
            raise ResultsError(f"{name}: not in {file.filename} (no array of this name was averaged "
                               f"in this stage); {nearest(name, list(arrays))}")
    # A single number is not a curve; it is drawn only on request.
    return by_species([arrays[n] for n in names] or [a for a in arrays.values() if a.axes], species_of(file))


def draw_curve(axes, x, value, error, colour, label):
    """Points with error bars, or for many points a line in a band; unknown errors are left out."""
    error = np.where(np.isfinite(error), error, np.nan)
    if len(x) <= MOST_BARS:
        axes.errorbar(x, value, error, color=colour, label=label, marker=".", markersize=4,
                      linewidth=0.9, elinewidth=0.9, capsize=1.5)
    else:
        axes.plot(x, value, color=colour, label=label, linewidth=1.1)
        axes.fill_between(x, value - error, value + error, color=colour, alpha=0.3, linewidth=0)


def draw_lines(axes, group, row):
    """Arrays over one axis: of all particles and of species."""
    for k, array in enumerate(group):
        rest = array.name[len(group[0].name) + 1:].replace("_", "–")
        at = row(array)
        draw_curve(axes, array.axes[0].values, array.value[at], array.error[at], f"C{k}",
                   (rest or "all") if len(group) > 1 else None)
    return array.axes[0]


def draw_family(axes, array, row):
    """An array over two axes: curves over `lag`, or over the longer axis, for some values of the
    other."""
    names = [a.name for a in array.axes]
    over = names.index("lag") if "lag" in names else int(np.argmax([len(a.values)
                                                                   for a in array.axes]))
    value, error = array.value[row], array.error[row]
    if over == 0:
        value, error = value.T, error.T
    axis, other = array.axes[over], array.axes[1 - over]
    count = len(other.values)
    for k, at in enumerate(np.unique(np.linspace(0, count - 1, min(count, MOST_CURVES)).round())):
        at = int(at)
        unit = unit_symbols(other.unit)
        draw_curve(axes, axis.values, value[at], error[at], f"C{k}",
                   f"{other.name} = {other.values[at]:.4g} {unit}".strip())
    return axis


def draw_map(figure, axes, array, row):
    """An array over two position axes."""
    across, up = array.axes
    image = axes.pcolormesh(across.values, up.values, array.value[row].T, shading="nearest")
    axes.set(aspect="equal", xlabel=with_unit(across.name, across.unit),
             ylabel=with_unit(up.name, up.unit))
    figure.colorbar(image, ax=axes, label=in_lines(with_unit(symbol(array), array.unit), MOST_LETTERS))


def draw_panel(figure, axes, group, stage):
    def row(array):
        return row_of(array, stage)

    first = group[0]
    if len(first.axes) == 2 and is_map(first):
        draw_map(figure, axes, first, row(first))
        return
    if len(first.axes) not in (1, 2):
        raise ResultsError(f"{first.name}: an array over {len(first.axes)} axes (a curve has one, "
                           "and a parameter); read it with h5py")
    axis = draw_lines(axes, group, row) if len(first.axes) == 1 else draw_family(axes, first,
                                                                                 row(first))
    kind, _ = kind_of(first.name)
    scale = logarithmic(axis, kind)
    positive = (first.value[row(first)] > 0).any()
    axes.set_xscale("log" if "x" in scale else "linear")
    axes.set_yscale("log" if "y" in scale and positive else "linear")
    if kind in TO_ONE:
        axes.axhline(1.0, color="0.6", linewidth=0.7, zorder=0)
    axes.set(xlabel=with_unit(axis.name, axis.unit),
             ylabel=in_lines(with_unit(symbol(first), first.unit), MOST_LETTERS))
    axes.margins(x=0.01)
    if axes.get_legend_handles_labels()[1]:
        axes.legend(fontsize="small")


def draw_curves(file, options):
    """A figure with a panel for each array; those of species share that of all particles."""
    stage = number_of(file, options.stage)
    panels = choose(file, options.names, stage)
    columns = min(len(panels), options.columns)
    rows = math.ceil(len(panels) / columns)
    figure, grid = plt.subplots(rows, columns, squeeze=False, layout="constrained",
                                figsize=(5.5 * columns + 0.5, 3.6 * rows + 0.4))
    for axes, group in zip(grid.flat, panels):
        draw_panel(figure, axes, group, stage)
    for axes in grid.flat[len(panels):]:
        axes.axis("off")
    return figure
