# SPDX-License-Identifier: BSD-3-Clause
"""The report of a run as one self-contained HTML page."""
import json
import math
import pathlib

import numpy as np

from . import analysis, maxwell, sections
from .figures import unit_symbols
from .markup import card, escape, section, table
from .picture import viewer
from .results import (Frame, ResultsError, frames, parameter, species_names, title,
                      units_of)
from .stages import begun, complete, last_step, total_steps
from .text import plain, with_error

here = pathlib.Path(__file__).parent
SIGNIFICANT = 3.0  # standard errors


class Report:
    """The contents of the page, read once. `summary`: that of mdrun --summary, or None."""

    def __init__(self, file, summary=None):
        self.file, self.summary = file, summary
        self.last = last_step(file)
        if self.last is None:
            raise ResultsError(f"{file.filename} is empty (the run ended, or was read, before "
                               "its first row); run longer")
        self.stages = begun(file)
        self.total, self.complete = total_steps(file), complete(file)
        self.frame = Frame(file, -1) if frames(file) else None
        self.species = species_names(file, self.frame) if self.frame else []
        self.boltzmann = units_of(file).boltzmann
        self.averages = [analysis.averages(file, s) for s in self.stages]
        self.conserved = [analysis.conserved(file, s) for s in self.stages]
        for k, numbers in enumerate((summary or {}).get("stages", [])):
            if k < len(self.averages):
                self.averages[k] = analysis.from_summary(self.averages[k], numbers)
        self.distributions, self.kT = maxwell.compare(self.frame) if self.frame else ([], 0.0)

    def populations(self, name):
        """Mass of each kind of particle, in energy time^2/length^2, and its fraction, for all
        particles (name "") or one species; nothing if the file does not give it."""
        if self.frame is None or (name and name not in self.species):
            return []
        chosen = self.frame.species == self.species.index(name) if name else slice(None)
        mass, count = np.unique(self.frame.inertia[chosen], return_counts=True)
        return [(m, n / count.sum()) for m, n in zip(mass, count)]

    def stage_name(self, number):
        number = int(number)
        return self.stages[number].label() if number < len(self.stages) else f"stage {number}"

    def verdict(self, k):
        """The verdict on stage k in the summary; nothing if it has none."""
        told = (self.summary or {}).get("stages", [])
        found = told[k].get("verdict", {}) if k < len(told) else {}
        return found if found.get("judged") else {}

    def verdicts(self):
        """Failed checks with advice, and whether all stages pass; None if none was judged."""
        all_passed, failed = None, []
        for k, stage in enumerate(self.stages):
            verdict = self.verdict(k)
            if not verdict:
                continue
            all_passed = verdict["passed"] and all_passed is not False
            failed += [f"{stage.label()}, {part}: {finding['message']}"
                       for part, finding in verdict.items()
                       if isinstance(finding, dict) and not finding["passed"]]
        return all_passed, failed

    def notes(self):
        """Warnings besides the verdict."""
        found = []
        for k, (stage, line) in enumerate(zip(self.stages, self.conserved)):
            if line and not self.verdict(k) and math.isfinite(line.drift.error):
                size = abs(line.drift.slope)
                if size > SIGNIFICANT * line.drift.error and (line.relative is None
                                                              or abs(line.relative) > 1e-5):
                    found.append(f"{stage.label()}: the conserved quantity drifts, by "
                                 f"{size / line.drift.error:.1f} standard errors")
        doubtful = [a.name.replace("_", " ") for a in self.averages[-1].values() if a.warning]
        last = len(self.stages) - 1
        if doubtful and not self.verdict(last):
            found.append(f"{self.stages[-1].label()}: not to be trusted yet: "
                         f"{', '.join(doubtful)} (see the table)")
        odd = [c.name for c in self.distributions if not c.agrees()]
        if odd:
            found.append(f"not distributed as Maxwell and Boltzmann: {', '.join(odd)}")
        return found


def header(report):
    file, frame = report.file, report.frame
    stage = report.stages[-1]
    words = []
    if frame is not None:
        words.append(f"{len(frame.position)} particles in {frame.dimension}D")
    words.append(" → ".join(s.method for s in report.stages if s.method))
    if report.total is None:
        words.append(f"{report.last} steps")
    else:
        words.append(f"{report.total} of {report.total} steps, complete" if report.complete else
                     f"{report.last} of {report.total} steps, not complete")
    cards = []
    for line in report.conserved[-1:]:
        if line:
            value, error = with_error(line.drift.slope, line.drift.error)
            below = f"± {error} {escape(unit_symbols(line.unit))} per unit of time"
            if line.relative is not None:
                below += f"<br>{plain(line.relative, 2)} kT per degree of freedom"
            cards.append(card("drift of conserved energy", value, below))
    for name in ("temperature", "pressure", "potential_energy", "total_energy"):
        average = report.averages[-1].get(name)
        if average:
            value, error = with_error(average.mean, average.error)
            cards.append(card(name.replace("_", " "), value,
                              f"± {error} {escape(unit_symbols(average.unit))}"))
    where = f" in stage {escape(stage.name)}" if stage.name else ""
    notes = "".join(f"<li>{escape(n)}</li>" for n in report.notes())
    shown = (f'<div class="cards">{"".join(cards)}</div>'
             f'<p class="soft">Means{where}, ± one standard error.</p>') if cards else ""
    failure = parameter(file, "failed")
    stopped = f'<p class="verdict">The run failed: {escape(failure)}</p>' if failure else ""
    passed, failed = report.verdicts()
    verdict = "" if passed is None else f'<p class="verdict">Verdict: {"passed" if passed else "failed"}</p>'
    if failed:
        verdict += f'<ul class="notes">{"".join(f"<li>{escape(f)}</li>" for f in failed)}</ul>'
    return (f"<h1>{escape(title(file))}</h1>"
            f'<p class="lead">{escape("; ".join(w for w in words if w))}</p>{stopped}{verdict}{shown}'
            + (f'<ul class="notes">{notes}</ul>' if notes else ""))


def snapshot(report):
    """A viewer of the particles of the last frame."""
    if report.frame is None:
        return ('<p class="soft">No picture: the file has no trajectory; add output.trajectory = '
                "{ every = 1000 } to the input.</p>")
    frame = report.frame
    try:
        data, note = viewer(frame, species_names(report.file, frame))
    except ResultsError as error:
        return f'<p class="soft">{escape(str(error).capitalize())}.</p>'
    caption = f"t = {plain(frame.time, 6)}, step {frame.step}" + (f"; {note}" if note else "")
    numbers = json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    return (f'<div class="viewer"><canvas aria-label="particles"></canvas><div class="bar"></div>'
            f'<script type="application/json">{numbers}</script><p class="soft">{escape(caption)}'
            "</p></div><noscript>The particles are drawn by JavaScript.</noscript>")


def run_section(report):
    file, frame = report.file, report.frame
    rows = [("file", pathlib.Path(file.filename).name)]
    for name in ("device", "precision", "seed", "version", "commit", "units", "tune"):
        value = parameter(file, name)
        if value != "":
            rows.append(({"tune": "tuned"}.get(name, name), value))
    if frame is not None:
        sides = " × ".join(plain(x, 6) if x > 0 else "open" for x in frame.length)
        rows.append(("box", sides))
        if np.all(frame.length > 0):
            rows.append(("density", plain(len(frame.position) / np.prod(frame.length), 5)))
        names = species_names(file, frame)
        count = np.bincount(np.asarray(frame.species, dtype=int))
        if np.count_nonzero(count) > 1:
            rows.append(("species", ", ".join(f"{count[k]} {names[k]}" for k in range(len(count)))))
    for k, stage in enumerate(report.stages):
        if stage.method:
            end = stage.last if stage.last is not None else report.last
            rows.append((f"stage {k + 1}" if len(report.stages) > 1 else "method",
                         f"{stage.name + ': ' if stage.name else ''}{stage.method}, "
                         f"{min(end, report.last) - stage.first} steps"))
    text = parameter(file, "input")
    folded = (f"<details><summary>The resolved input</summary><pre>{escape(text.strip())}</pre>"
              "</details>") if text else '<p class="soft">The file has no input.</p>'
    cells = [(f'<span class="soft">{escape(a)}</span>', escape(b)) for a, b in rows]
    return section("The run", f'<div class="grid run"><div>{table(("", ""), cells)}{folded}</div>'
                   f"<div>{snapshot(report)}</div></div>")


def document(file, body):
    """A page as text."""
    style = (here / "report.css").read_text(encoding="utf-8")
    script = (here / "report.js").read_text(encoding="utf-8")
    by = f"Shadow {parameter(file, 'version')}".strip()
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>{escape(title(file))}</title><style>{style}</style></head>\n"
            f"<body>{body}<footer>{escape(by)}; made by mdreport from "
            f"{escape(pathlib.Path(file.filename).name)}.</footer>\n"
            f"<script>{script}</script></body></html>\n")


def render(report):
    """The page of a run as text."""
    parts = (header, run_section, sections.conserved_section, sections.averages_section,
             sections.series_section, sections.arrays_section, sections.distributions_section,
             sections.performance_section)
    return document(report.file, "".join(part(report) for part in parts))
