# SPDX-License-Identifier: BSD-3-Clause
"""Line charts as SVG, with the colours of the page (classes c0, c1, ...)."""
import html
import math

import numpy as np

from .text import SUPERSCRIPTS

WIDTH, HEIGHT = 520, 230
LEFT, RIGHT, TOP, BOTTOM = 62, 12, 22, 40
COLOURS = 8


def thin(x, y, limit=1000):
    """The minimum and the maximum of each of limit / 2 pieces, at their positions, so that no
    outlier is lost; short series are not changed."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if len(x) <= limit:
        return x, y
    edges = np.linspace(0, len(x), limit // 2 + 1).astype(int)
    kept = set()
    for begin, end in zip(edges[:-1], edges[1:]):
        piece = y[begin:end]
        if np.isfinite(piece).any():
            kept |= {begin + int(np.nanargmin(piece)), begin + int(np.nanargmax(piece))}
    kept = np.array(sorted(kept | {0, len(x) - 1}))
    return x[kept], y[kept]


def nice_step(span, count):
    """1, 2 or 5 times a power of ten, so that the span has about `count` steps."""
    raw = span / count
    power = 10.0**math.floor(math.log10(raw))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= raw * 0.999)


def ticks(low, high, count):
    step = nice_step(high - low, count)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)], step


def tick_labels(places, step):
    """Labels, and the note above the axis: their power of ten, and the offset from which they
    count."""
    largest = max(map(abs, places), default=0.0)
    offset = 0.0
    if largest > 1e4 * step:  # many equal digits: show the distance from one tick
        offset = places[len(places) // 2]
        places = [p - offset for p in places]
        largest = max(map(abs, places), default=0.0)
    power = math.floor(math.log10(largest) + 1e-9) if largest > 0 else 0
    power = power if power > 4 or power < -3 else 0
    digits = max(0, power - math.floor(math.log10(step) + 1e-9))
    labels = [f"{p / 10.0**power:.{digits}f}".replace("-", "−") for p in places]
    note = f"×10{str(power).translate(SUPERSCRIPTS)}" if power else ""
    if offset:
        decimals = max(0, -math.floor(math.log10(step) + 1e-9))
        note = f"{note} from {offset:.{decimals}f}".strip().replace("-", "−")
    return labels, note


class Scale:
    """From numbers to points of the picture."""

    def __init__(self, low, high, begin, end, log):
        self.log = log
        if log:
            low, high = math.log10(low), math.log10(high)
        if not high > low:
            size = abs(low) * 1e-3 or 1.0
            low, high = low - size, high + size
        self.low, self.high, self.begin, self.end = low, high, begin, end

    def __call__(self, value):
        value = np.asarray(value, dtype=float)
        if self.log:
            value = np.log10(np.where(value > 0, value, np.nan))
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)

    def ticks(self, count):
        """Positions, labels and the note of the axis."""
        if not self.log or self.high - self.low < 1:
            low, high = (10**self.low, 10**self.high) if self.log else (self.low, self.high)
            places, step = ticks(low, high, count)
            return places, *tick_labels(places, step)
        exponents = range(math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9) + 1)
        every = max(1, math.ceil(len(exponents) / count))
        exponents = [e for e in exponents if e % every == 0]
        labels = [f"10{str(e).translate(SUPERSCRIPTS)}" if e not in (0, 1) else str(10**e)
                  for e in exponents]
        return [10.0**e for e in exponents], labels, ""


def path(x, y):
    """An SVG path through points; a gap where one is not finite."""
    parts, gap = [], True
    for a, b in zip(x, y):
        if not (math.isfinite(a) and math.isfinite(b)):
            gap = True
            continue
        parts.append(f"{'M' if gap else 'L'}{a:.1f} {b:.1f}")
        gap = False
    return "".join(parts)


class Chart:
    """Curves and bands over one axis. Labels are plain text. `log` names the logarithmic axes."""

    def __init__(self, xlabel, ylabel, log="", title=""):
        self.xlabel, self.ylabel, self.log, self.title = xlabel, ylabel, log, title
        self.items, self.marks = [], []

    def line(self, x, y, colour=0, label="", faint=False, dashed=False, thick=False, within=True):
        """Adds a curve; `within`: it widens the vertical axis."""
        kind = "".join(f" {k}" for k, on in (("faint", faint), ("dashed", dashed),
                                             ("thick", thick)) if on)
        self.items.append(("line", *thin(x, y), None, f"c{colour % COLOURS}{kind}", label,
                           within))

    def band(self, x, low, high, colour=0):
        low, high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
        known = np.isfinite(low) & np.isfinite(high)
        if known.any():
            self.items.append(("band", np.asarray(x, dtype=float)[known], low[known], high[known],
                               f"c{colour % COLOURS}", "",
                               True))

    def span(self, begin, end, label=""):
        """Shades a part of the horizontal axis, such as discarded rows."""
        self.marks.append(("span", begin, end, label))

    def mark(self, place, label=""):
        """A vertical line."""
        self.marks.append(("mark", place, place, label))

    def level(self, place):
        """A horizontal line; it does not widen the axis."""
        self.marks.append(("level", place, place, ""))

    def limits(self, which):
        """Limits of all that is drawn; bands only near the curves, so that large errors do not
        dominate."""
        values = [np.asarray(i[1] if which == "x" else i[2], dtype=float)
                  for i in self.items if which == "x" or (i[0] == "line" and i[-1])]
        if which == "y":
            for kind, _, low, high, *_ in self.items:
                if kind == "band":
                    size = high - low
                    sane = size <= 4 * np.median(size)
                    values += [low[sane], high[sane]]
        all_values = np.concatenate(values) if values else np.zeros(0)
        all_values = all_values[np.isfinite(all_values)]
        if which in self.log:
            all_values = all_values[all_values > 0]
        if len(all_values) == 0:
            return 1.0, 10.0
        low, high = float(all_values.min()), float(all_values.max())
        if which == "y" and which not in self.log:
            margin = 0.05 * (high - low)
            low, high = low - margin, high + margin
        return low, high

    def axes(self, x, y):
        """Grid, labels and the notes of both axes."""
        out = []
        places, labels, note = x.ticks(6)
        for place, label in zip(places, labels):
            at = float(x(place))
            out.append(f'<path class="grid" d="M{at:.1f} {TOP}V{HEIGHT - BOTTOM}"/>'
                       f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 15}">{label}</text>')
        xlabel = self.xlabel + (f" ({note})" if note else "")
        out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 7}">'
                   f"{html.escape(xlabel)}</text>")
        places, labels, note = y.ticks(5)
        for place, label in zip(places, labels):
            at = float(y(place))
            out.append(f'<path class="grid" d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}"/>'
                       f'<text class="end" x="{LEFT - 5}" y="{at + 4:.1f}">{label}</text>')
        ylabel = self.ylabel + (f"  {note}" if note else "")
        out.append(f'<text class="start" x="4" y="13">{html.escape(ylabel)}</text>')
        return "".join(out)

    def draw_marks(self, x, y):
        out = []
        for kind, begin, end, label in self.marks:
            if kind == "level":
                at = float(y(begin))
                if TOP <= at <= HEIGHT - BOTTOM:
                    out.append(f'<path class="level" d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}"/>')
                continue
            a, b = (min(max(float(x(v)), LEFT), WIDTH - RIGHT) for v in (begin, end))
            tip = f"<title>{html.escape(label)}</title>" if label else ""
            if kind == "span":
                out.append(f'<rect class="span" x="{a:.1f}" y="{TOP}" width="{b - a:.1f}" '
                           f'height="{HEIGHT - TOP - BOTTOM}">{tip}</rect>')
            else:
                out.append(f'<path class="mark" d="M{a:.1f} {TOP}V{HEIGHT - BOTTOM}">{tip}</path>')
        return "".join(out)

    def render(self):
        x = Scale(*self.limits("x"), LEFT, WIDTH - RIGHT, "x" in self.log)
        y = Scale(*self.limits("y"), HEIGHT - BOTTOM, TOP, "y" in self.log)
        curves, legend = [], []
        for kind, xs, low, high, style, label, _ in self.items:
            if kind == "band":
                edge = np.concatenate([x(xs), x(xs)[::-1]]), np.concatenate([y(high), y(low)[::-1]])
                curves.append(f'<path class="band {style}" d="{path(*edge)}Z"/>')
                continue
            named = f' data-label="{html.escape(label)}"' if label else ""
            curves.append(f'<path class="line {style}"{named} d="{path(x(xs), y(low))}"/>')
            if label:
                legend.append(f'<span class="{style}">{html.escape(label)}</span>')
        scales = ",".join(f"{v:.12g}" for s in (x, y)
                          for v in (s.low, s.high, s.begin, s.end, s.log))
        name = html.escape(self.title or self.ylabel)
        clip = f'<svg x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" ' \
               f'height="{HEIGHT - TOP - BOTTOM}" viewBox="{LEFT} {TOP} {WIDTH - LEFT - RIGHT} ' \
               f'{HEIGHT - TOP - BOTTOM}">'
        key = f'<p class="legend">{"".join(legend)}</p>' if len(legend) > 1 else ""
        return (f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{name}" '
                f'data-scale="{scales}">{self.axes(x, y)}{clip}{self.draw_marks(x, y)}'
                f'{"".join(curves)}</svg></svg>{key}')
