# SPDX-License-Identifier: BSD-3-Clause
"""Readable numbers."""
import math

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain(value, digits=6):
    """A number without trailing zeros; very large and small ones as powers of ten."""
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞" if value < 0 else "unknown"
    if value == 0 or 1e-4 <= abs(value) < 1e7:
        text = f"{value:.{digits}g}"
        if "e" in text:
            text = f"{value:.0f}"
    else:
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
        text = f"{mantissa}×10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    return text.replace("-", "−")


def with_error(mean, error):
    """A mean with as many digits as its error allows (two of the error), and the error."""
    if not (math.isfinite(mean) and math.isfinite(error)) or error <= 0:
        return plain(mean, 8), plain(error, 2)
    size = max(abs(mean), error)
    power = 0 if 1e-3 <= size < 1e7 else math.floor(math.log10(size))
    unit = 10.0**power
    decimals = max(0, 1 - math.floor(math.log10(error / unit)))
    if decimals > 12:
        return plain(mean, 12), plain(error, 2)
    tail = f"×10{str(power).translate(SUPERSCRIPTS)}" if power else ""
    return tuple(f"{v / unit:.{decimals}f}{tail}".replace("-", "−") for v in (mean, error))


def digits(mean, error):
    """The digits of a mean to print: two digits of its error."""
    if not 0.0 < error < math.inf or mean == 0.0:
        return 8
    return min(12, max(2, 2 + math.floor(math.log10(max(abs(mean), error))) -
                       math.floor(math.log10(error))))


def duration(seconds):
    """A duration such as 12 s, 3 min 20 s, 2 h 05 min."""
    seconds = int(round(seconds))
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60:02d} s"
    if seconds < 86400:
        return f"{seconds // 3600} h {seconds % 3600 // 60:02d} min"
    return f"{seconds // 86400} d {seconds % 86400 // 3600} h"
