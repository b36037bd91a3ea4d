# SPDX-License-Identifier: BSD-3-Clause
"""The page of mdreproduce: a section for each experiment, with its pictures and numbers."""
import pathlib

from .markup import escape, figure, section, table
from .text import plain

here = pathlib.Path(__file__).parent


def within(finding):
    """The tolerance; a number that differs is marked."""
    text = plain(finding.within, 2)
    return text if finding.agrees() else f'<b class="bad">differs by more than {text}</b>'


def experiment_section(experiment, outcome):
    pictures = "".join(figure(heading, chart.render()) for heading, chart in outcome.charts)
    rows = [(escape(f.quantity), plain(f.known, 7), plain(f.found, 7), within(f)) for f in outcome.findings]
    return section(experiment.name, f'<p class="lead">{escape(experiment.summary)}</p>'
                   + (f'<div class="grid">{pictures}</div>' if pictures else "")
                   + table(("quantity", "#known", "#found", "#within"), rows))


def render(outcomes):
    """The page as text, of pairs of an experiment and its outcome."""
    style = (here / "report.css").read_text(encoding="utf-8")
    agree = sum(outcome.agreeing() for _, outcome in outcomes)
    numbers = sum(len(outcome.findings) for _, outcome in outcomes)
    kind = "good" if agree == numbers else "bad"
    body = "".join(experiment_section(*pair) for pair in outcomes)
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>Published experiments</title><style>{style}</style></head>\n"
            "<body><h1>Published experiments</h1>"
            f'<p class="verdict {kind}">{agree} of {numbers} numbers agree</p>'
            f"{body}</body></html>\n")
