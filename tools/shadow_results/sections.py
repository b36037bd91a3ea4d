# SPDX-License-Identifier: BSD-3-Clause
"""The sections of a report with numbers and curves, each made from a Report (page.py)."""
import dataclasses

import numpy as np

from . import analysis, figures, maxwell
from .markup import card, escape, figure, section, table, unit_text
from .results import observables, read_arrays, read_series, species_names
from .text import duration, plain, with_error


def conserved_section(report):
    rows, pictures = [], []
    for stage, line in zip(report.stages, report.conserved):
        if not line:
            continue
        value, error = with_error(line.drift.slope, line.drift.error)
        relative = plain(line.relative, 2) if line.relative is not None else "unknown"
        rows.append((escape(stage.label()), value, error, relative,
                     plain(line.drift.fluctuation, 3)))
        pictures.append(figure(f"{stage.label()} ({stage.method})",
                               figures.drift_chart(line.time, line.value, line.drift, line.unit,
                                                   line.time_unit)))
    if all(stage.minimises for stage in report.stages):
        return ""
    if not rows:
        return section("What is conserved", '<p class="soft">No conserved energy was recorded; add '
                       '[[observe]] type = "thermo" to the input.</p>')
    unit = figures.unit_symbols(next(c.unit for c in report.conserved if c))
    head = ("stage", f"#drift per time [{unit}]", "#error", "#in kT per degree of freedom",
            f"#fluctuation [{unit}]")
    return section("What is conserved",
                   table(head, rows) + f'<div class="grid">{"".join(pictures[::-1])}</div>')


def series_figures(report, chosen):
    """Figures of all series over these stages."""
    pictures = []
    for name in observables(report.file):
        if len(report.file["observables"][name]["value"]) == 0:
            continue
        series = read_series(report.file, name)
        rows = np.any([report.stages[k].rows(series.step) for k in chosen], axis=0)
        if not rows.any():
            continue
        series = dataclasses.replace(series, step=series.step[rows], time=series.time[rows],
                                     value=series.value[rows])
        averages = [report.averages[k][name] for k in chosen if name in report.averages[k]]
        discarded = [(a.begin, a.settled) for a in averages if a.settled > a.begin]
        picture = figures.series_chart(series, [report.stages[k] for k in chosen], discarded)
        pictures.append(figure(figures.heading(name), picture))
    return f'<div class="grid">{"".join(pictures)}</div>' if pictures else ""


def series_section(report):
    every = range(len(report.stages))
    moving = [k for k in every if not report.stages[k].minimises]
    content = series_figures(report, every[-1:])
    if not content:
        return ""
    if len(moving) > 1:
        content += (f"<details><summary>All stages</summary>{series_figures(report, moving)}"
                    "</details>")
    name = report.stages[-1].name
    note = ((f"Stage {name}. " if name else "")
            + "Thin: all rows (of many the minimum and maximum of each piece); bold: running mean; "
              "shaded: discarded, because the rest is worth more without.")
    return section("Time series", f'<p class="soft">{escape(note)}</p>{content}')


def average_rows(averages, told):
    """Rows of the table of averages; `told`: their entries in the summary."""
    rows = []
    for a in averages.values():
        mean, error = with_error(a.mean, a.error)
        other = with_error(a.mean, a.error_autocorrelation)[1]
        rows.append((mark(told.get(a.name, {})) + escape(figures.heading(a.name)) + unit_text(a.unit),
                     mean, error, other,
                     plain(a.inefficiency, 3), plain(a.independent_samples, 4),
                     f"{100 * a.discarded:.1f} %",
                     f'<span class="warning">{escape(a.warning)}</span>'))
    return rows


def mark(told):
    """A mark for values that the summary reports as unreliable."""
    return "" if told.get("trusted", True) else '<span class="warning">! </span>'


def stage_summary(report, k):
    told = (report.summary or {}).get("stages", [])
    return told[k] if k < len(told) else {}


def averages_section(report):
    head = ("quantity", "#mean", "#error", "#by time", "#inefficiency", "#independent",
            "#discarded", "")
    parts = []
    for k in reversed(range(len(report.stages))):
        if not report.averages[k]:
            continue
        content = table(head, average_rows(report.averages[k],
                                           stage_summary(report, k).get("averages", {})))
        content += fluctuations(report, k)
        name = report.stages[k].label()
        if not parts:
            parts.append((f"<h3>{escape(name)}</h3>" if len(report.stages) > 1 else "") + content)
        else:
            parts.append(f"<details><summary>{escape(name)}</summary>{content}</details>")
    note = ("error: standard error by blocking; by time: the same by the integrated "
            "autocorrelation time; inefficiency: rows that count as one; independent: rows over "
            "inefficiency; !: unreliable by a failed verdict.")
    return section("Averages", "".join(parts) + f'<p class="soft">{note}</p>' if parts else "")


def fluctuations(report, k):
    """Fluctuations of stage k from the summary."""
    found = stage_summary(report, k).get("fluctuations", {})
    rows = []
    for name, f in found.items():
        value, error = with_error(analysis.number(f["value"]), analysis.number(f["error"]))
        rows.append((mark(f) + escape(figures.heading(name)) + unit_text(f.get("unit", "")),
                     value, error, escape(f.get("formula", "")),
                     f'<span class="warning">{escape(f.get("warning", ""))}</span>'))
    text = table(("from fluctuations", "#value", "#error", "formula", ""), rows) if rows else ""
    return text + coefficients(stage_summary(report, k).get("coefficients", {}))


def coefficients(found):
    """Transport coefficients of a stage, as the summary reads them."""
    rows = []
    for name, c in found.items():
        value, error = with_error(analysis.number(c["value"]), analysis.number(c["error"]))
        rows.append((escape(figures.heading(name)) + unit_text(c["unit"]), value, error,
                     plain(analysis.number(c["lag"]), 4),
                     f'<span class="warning">{escape(c.get("warning", ""))}</span>'))
    return table(("transport", "#value", "#error", "#at lag", ""), rows) if rows else ""


VELOCITY_DISTRIBUTIONS = ("velocity_distribution", "kinetic_energy_distribution")


def velocity_theory(report, arrays):
    """The curve of Maxwell and Boltzmann at the mean temperature of the stage, for each measured
    distribution of velocities or kinetic energies."""
    found = {}
    for array in arrays:
        kind, rest = figures.kind_of(array.name)
        stage = int(array.stage[-1])
        if kind not in VELOCITY_DISTRIBUTIONS or stage >= len(report.averages):
            continue
        temperature = report.averages[stage].get("temperature")
        populations = report.populations(rest)
        if not temperature or temperature.mean <= 0 or not populations:
            continue
        axis, kT = array.axes[0].values, report.boltzmann * temperature.mean
        found[array.name] = (maxwell.curve(axis, populations, kT) if kind == "velocity_distribution"
                             else maxwell.energy_density(axis / kT, report.frame.dimension) / kT)
    return found


def distances(group, theory):
    """The largest distances of cumulative distributions from theory, for the caption."""
    parts = []
    for array in group:
        if array.name in theory and len(array.axes[0].values) > 1:
            width = array.axes[0].values[1] - array.axes[0].values[0]
            apart = np.cumsum(array.value[-1] - theory[array.name]) * width
            parts.append(f"{array.name.removeprefix(group[0].name).strip('_') or 'all'} "
                         f"{plain(float(np.max(np.abs(apart))), 2)}")
    return f"distance from Maxwell–Boltzmann: {', '.join(parts)}" if parts else ""


def outside(array, arrays):
    """Of a distribution the part of its rows that is in none of its bins, for the caption."""
    beyond = next((other for other in arrays if other.name == f"{array.name}_outside"), None)
    part = 0.0 if beyond is None else float(beyond.value[-1])
    return f"{100 * part:.3g} % of the rows are outside of its range" if part > 0.0 else ""


def doubt(group):
    """What mdmerge found wrong with arrays."""
    found = "; ".join(sorted({array.warning for array in group if array.warning}))
    return f'<span class="warning">{escape(found)}</span>' if found else ""


def arrays_section(report):
    pictures, numbers = [], []
    arrays = read_arrays(report.file)
    theory = velocity_theory(report, arrays)
    for group in figures.by_species(arrays, report.species):
        array = group[0]
        if not array.axes:
            for row, stage in enumerate(array.stage):
                value, error = with_error(float(array.value[row]), float(array.error[row]))
                numbers.append((escape(figures.heading(array.name)) + unit_text(array.unit),
                                escape(report.stage_name(stage)), value, error,
                                str(array.samples[row]), doubt([array])))
            continue
        if len(group) > 1 or array.name in theory:
            picture, note = figures.curves_of_species(group, theory), distances(group, theory)
        else:
            picture, note = figures.array_figure(array, report.stage_name)
        stage = report.stage_name(array.stage[-1])
        note = "; ".join(n for n in (f"{stage}: {array.samples[-1]} samples", outside(array, arrays), note) if n)
        pictures.append(figure(figures.heading(array.name), picture,
                               f"{escape(note)} {doubt(group)}".strip()))
    head = ("quantity", "stage", "#value", "#error", "#samples", "")
    content = table(head, numbers) if numbers else ""
    if pictures:
        content += '<p class="soft">Bands: one standard error.</p>' \
                   f'<div class="grid">{"".join(pictures)}</div>'
    return section("Structure and dynamics", content)


def distributions_section(report):
    if not report.distributions:
        why = ("the trajectory has no velocities; ask for fields = [\"position\", \"velocity\"]"
               if report.frame is None or "velocity" not in report.frame.field
               else "fewer than two particles move in the last frame")
        return section("Velocities", f'<p class="soft">Not compared with Maxwell and Boltzmann: '
                       f"{escape(why)}.</p>")
    rows, pictures = [], []
    for c in report.distributions:
        verdict = ('<span class="good">agrees</span>' if c.agrees()
                   else '<span class="bad">differs</span>')
        rows.append((escape(c.name), plain(c.distance, 3), plain(c.chance, 2), verdict))
        pictures.append(figure(c.name, figures.histogram_chart(c)))
    names = species_names(report.file, report.frame)
    parts = [(escape(n if isinstance(n, str) else f"of species {names[n]}"), *with_error(v, e))
             for n, v, e in maxwell.temperatures(report.frame)]
    intro = (f"The last frame (step {report.frame.step}), {len(report.frame.position)} particles, "
             f"with kT = {plain(report.kT, 5)} from their own kinetic energy. Distance: of "
             "Kolmogorov and Smirnov; chance: probability of this distance or more for independent particles.")
    return section("Velocities against Maxwell–Boltzmann", f'<p class="soft">{escape(intro)}</p>'
                   + table(("", "#distance", "#chance", ""), rows)
                   + f'<div class="grid">{"".join(pictures)}</div>'
                   + table(("kT", "#mean", "#error"), parts))


def performance_section(report):
    if report.summary is None:
        return ""
    p = report.summary["performance"]
    cards = [card("wall time", duration(analysis.number(p["wall_seconds"]))),
             card("steps per second", plain(analysis.number(p["steps_per_second"]), 4)),
             card("Matom-steps per second",
                  plain(1e-6 * analysis.number(p.get("particle_steps_per_second")), 4)),
             card("per particle and step",
                  f"{plain(analysis.number(p['ns_per_particle_step']), 3)} ns"),
             card("lists made", str(p["rebuilds"]))]
    shares = sorted(p.get("shares", {}).items(), key=lambda item: -item[1])
    rows = [(escape(name), f"{100 * share:.1f} %",
             f'<svg width="200" height="10"><rect width="{200 * share:.1f}" height="10" '
             'fill="var(--k0)"/></svg>') for name, share in shares if share >= 0.001]
    return section("Performance", f'<div class="cards">{"".join(cards)}</div>'
                   + table(("part", "#share of the time", ""), rows))
