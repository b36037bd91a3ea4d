# SPDX-License-Identifier: BSD-3-Clause
"""Pictures embedded in a page: a map as PNG, particles as numbers for its viewer."""
import base64
import copy
import struct
import zlib

import numpy as np

from .order import bond_order, typical_distance
from .results import ResultsError

MOST_IN_SPACE, MOST_IN_PLANE = 20_000, 40_000

# Every sixteenth of the colour map viridis (van der Walt and Smith, CC0).
VIRIDIS = np.array([int(c, 16) for c in (
    "440154 481a6c 472f7d 414487 39568c 31688e 2a788e 23888e 1f988b 22a884 35b779 54c568 7ad151 "
    "a5db36 d2e21b fde725").split()])
VIRIDIS = np.stack([VIRIDIS >> 16, VIRIDIS >> 8 & 255, VIRIDIS & 255], axis=1)


def viridis(value):
    """Colours (..., 3) of numbers from 0 to 1."""
    place = np.clip(np.nan_to_num(value), 0, 1) * (len(VIRIDIS) - 1)
    channels = [np.interp(place, np.arange(len(VIRIDIS)), c) for c in VIRIDIS.T]
    return np.stack(channels, axis=-1).round().astype(np.uint8)


def png(pixels):
    """A PNG file, as a data URL, of pixels (height, width, 3)."""
    height, width = pixels.shape[:2]
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)

    def chunk(kind, content):
        return (struct.pack(">I", len(content)) + kind + content
                + struct.pack(">I", zlib.crc32(kind + content)))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    content = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
               + chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)) + chunk(b"IEND", b""))
    return "data:image/png;base64," + base64.b64encode(content).decode()


def packed(values, low, high, kind):
    """Numbers from low to high as integers, in base64."""
    most = np.iinfo(kind).max
    share = (values - low) / np.where(high > low, high - low, 1.0)
    whole = np.clip(np.nan_to_num(share) * most, 0, most).round().astype(kind)
    return base64.b64encode(whole.tobytes()).decode()


def about_the_middle(frame, count):
    """The `count` particles nearest to the middle."""
    away = np.abs(frame.position - np.median(frame.position, axis=0)).max(axis=1)
    return np.sort(np.argsort(away)[:count])


def part_of(frame, chosen):
    """A frame with some of the particles, in an open box."""
    part = copy.copy(frame)
    part.position, part.species = frame.position[chosen], frame.species[chosen]
    part.field = {name: value[chosen] for name, value in frame.field.items()}
    part.length = np.zeros(frame.dimension)
    return part


def chosen_particles(frame):
    """Which particles are drawn, and a sentence if not all are. In 3D a random choice; in 2D, where
    holes would show, those near the middle."""
    n = len(frame.position)
    if frame.dimension == 3:
        if n <= MOST_IN_SPACE:
            return np.arange(n), ""
        kept = np.sort(np.random.default_rng(0).choice(n, MOST_IN_SPACE, replace=False))
        return kept, f"{len(kept)} of {n} particles are drawn, chosen at random"
    if n <= MOST_IN_PLANE:
        return np.arange(n), ""
    kept = about_the_middle(frame, MOST_IN_PLANE)
    return kept, f"{len(kept)} of {n} particles are drawn, those near the middle"


def local_order(frame, kept):
    """|psi_6| of the kept particles; for those near the middle from a larger part of the frame."""
    if len(kept) == len(frame.position):
        return np.abs(bond_order(frame, 6))
    wider = about_the_middle(frame, len(kept) * 11 // 10)
    return np.abs(bond_order(part_of(frame, wider), 6))[np.searchsorted(wider, kept)]


def colour_channels(frame, kept, names):
    """Quantities by which the kept particles can be coloured: label, numbers, limits; names of
    categories."""
    channels = []
    if frame.dimension == 2:
        try:
            channels.append(("|ψ₆|", local_order(frame, kept), 0.0, 1.0, None))
        except ResultsError:  # a box too small for bonds
            pass
    species = ("species", frame.species[kept].astype(float), 0.0, 255.0, names)
    if len(np.unique(frame.species)) > 1:
        channels.append(species)
    if "velocity" in frame.field:
        speed = np.linalg.norm(frame.field["velocity"][kept], axis=1)
        if np.ptp(speed) > 0:
            channels.append(("speed", speed, 0.0, float(np.percentile(speed, 99.5)), None))
    for name, value in frame.field.items():
        if value.ndim == 1 and np.ptp(value) > 0:
            channels.append((name.replace("_", " "), value[kept], float(value.min()),
                             float(value.max()), None))
    return channels or [species]


def in_sight(place, length, origin, size):
    """The region shown at first, (low, high): the box, or in open directions that of most
    particles, since single ones may have gone far."""
    low, high = np.percentile(place, [1, 99], axis=0)
    margin = 0.1 * (high - low) + 2 * size
    low, high = np.maximum(low - margin, place.min(axis=0)), np.minimum(high + margin,
                                                                       place.max(axis=0))
    return np.where(length > 0, origin, low), np.where(length > 0, origin + length, high)


def viewer(frame, names):
    """Numbers for the viewer of the page, and its caption. Throws ResultsError if there is nothing
    to show."""
    if len(frame.position) == 0 or not np.isfinite(frame.position).all():
        raise ResultsError("no picture (positions of the last frame are not finite); look for what "
                           "exploded in an earlier one")
    kept, note = chosen_particles(frame)
    size = 1.0
    if len(frame.position) > MOST_IN_SPACE:
        size = typical_distance(part_of(frame, about_the_middle(frame, MOST_IN_SPACE)))
        if frame.dimension == 3:  # the drawn particles fill the space of all
            size *= (len(frame.position) / len(kept)) ** (1 / 3)
    elif len(frame.position) > 1:
        size = typical_distance(frame)
    length = frame.length if len(kept) == len(frame.position) or frame.dimension == 3 \
        else np.zeros(frame.dimension)
    low, high = in_sight(frame.position[kept], length, frame.origin, size)
    # Positions are stored as 16-bit numbers, which very distant particles would make coarse.
    reach = 20 * (high - low + size)
    away = np.any((frame.position[kept] < low - reach) | (frame.position[kept] > high + reach),
                  axis=1)
    if away.any():
        kept = kept[~away]
        note = "; ".join(filter(None, [note, f"{away.sum()} far away are left out"]))
    place = frame.position[kept]
    least, most = place.min(axis=0), place.max(axis=0)
    channels = [{"label": label, "low": first, "high": last, "names": categories,
                 "value": packed(value, first, np.float64(last), np.uint8)}
                for label, value, first, last, categories in colour_channels(frame, kept, names)]
    return {"dimension": frame.dimension, "count": len(kept), "low": least.tolist(),
            "high": most.tolist(), "sight": [low.tolist(), high.tolist()],
            "periodic": (length > 0).tolist(), "diameter": size,
            "position": packed(place, least, most, np.dtype("<u2")), "channels": channels}, note
