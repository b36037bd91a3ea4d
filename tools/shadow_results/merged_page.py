# SPDX-License-Identifier: BSD-3-Clause
"""The report of averages over runs (a file of mdmerge) as one self-contained HTML page."""
import numpy as np

from . import figures, sections
from .markup import escape, section, table, unit_text
from .page import document
from .pooled import agreement_words, merge_scalars, steps_warning, warning
from .results import as_text, parameter, title
from .sources import Source
from .text import plain, with_error


class MergedReport:
    """The contents of the page, with what sections.arrays_section() needs of a Report."""
    species, averages = [], []

    def __init__(self, file):
        self.file = file
        source = Source(file)
        self.scalars = merge_scalars([source], source.scalars(), None)

    def stage_name(self, _):
        return "all runs"


def header(report):
    runs = [as_text(name) for name in np.atleast_1d(report.file["parameters/merged/file"][...])]
    different, steps = (parameter(report.file, f"merged/{name}") for name in ("different", "steps"))
    notes = [f"runs of different states are merged: {different}"] * bool(different) + \
        [steps_warning(steps)] * bool(steps)
    items = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return (f"<h1>{escape(title(report.file))}</h1>"
            f'<p class="lead">averages over {len(runs)} run{"s" if len(runs) > 1 else ""}</p>'
            f'<p class="soft">{escape(", ".join(runs))}</p>' + (f'<ul class="notes">{items}</ul>' if notes else ""))


def scalars_section(report):
    rows = []
    for name, r in report.scalars.items():
        mean, error = with_error(r["mean"], r["error"])
        rows.append((escape(figures.heading(name)) + unit_text(r["unit"]), mean, error,
                     plain(r["independent_samples"], 4), *agreement_words(r),
                     f'<span class="warning">{escape(warning(r))}</span>'))
    head = ("average", "#mean", "#error", "#independent", "#chi²/freedom", "#P", "")
    note = ("chi²: of the runs about their common mean, in their errors; P: probability of this chi² or more for "
            "runs that agree.")
    return section("Averages", table(head, rows) + f'<p class="soft">{note}</p>' if rows else "")


def render(report):
    """The page as text."""
    return document(report.file, header(report) + scalars_section(report) + sections.arrays_section(report))
