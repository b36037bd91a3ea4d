# SPDX-License-Identifier: BSD-3-Clause
"""Pieces of HTML. Cells, values and notes are HTML already; headings are text."""
import html

from .figures import unit_symbols


def escape(text):
    return html.escape(str(text))


def unit_text(unit):
    return f' <span class="unit">{escape(unit_symbols(unit))}</span>' if unit else ""


def card(label, value, below=""):
    small = f"<small>{below}</small>" if below else ""
    return f"<div><b>{escape(label)}</b><span>{value}</span>{small}</div>"


def figure(heading, picture, note=""):
    caption = f"<figcaption>{note}</figcaption>" if note else ""
    return f"<figure><h3>{escape(heading)}</h3>{picture}{caption}</figure>"


def section(heading, content):
    return f"<section><h2>{escape(heading)}</h2>{content}</section>" if content else ""


def table(head, rows):
    """Cells are HTML; a column whose heading begins with # has numbers."""
    kinds = [' class="n"' if h.startswith("#") else "" for h in head]
    top = "".join(f"<th{k}>{escape(h.lstrip('#'))}</th>" for k, h in zip(kinds, head))
    body = "".join("<tr>" + "".join(f"<td{k}>{c}</td>" for k, c in zip(kinds, row)) + "</tr>"
                   for row in rows)
    head_html = f"<thead><tr>{top}</tr></thead>" if any(head) else ""
    return f'<div class="scroll"><table>{head_html}<tbody>{body}</tbody></table></div>'
