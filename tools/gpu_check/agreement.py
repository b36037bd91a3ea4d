# SPDX-License-Identifier: BSD-3-Clause
"""Compares results of the CPU and the GPU."""
import json
import re

from gpu_check.session import Wrong

#: Tolerances relative to the sum of magnitudes, each counted as at least 1. Rounding errors (1e-16,
#: or 6e-8 of the largest terms of a force) grow by less than 1e4 in 200 steps; in mixed precision a
#: few histogram counts change their bin.
CLOSE = {"double": 1e-10, "mixed": 1e-3}
#: With many particles only a sample are origins, chosen by their order in memory, which differs on
#: a GPU: the scatter for 8192 particles is 2e-3, and 3e-2 where a strip has few pairs.
SAMPLED = {"averages/bond_correlation_6/value": 0.02, "averages/pair_density/value": 0.02,
           "averages/positional_correlation_6/value": 0.1}


def agree(work, name, bound):
    """Checks that results of CPU and GPU agree within `bound`, and that two runs on the GPU are
    equal."""
    folders = [work / f"{which}-{name}" for which in ("cpu", "cuda", "again")]
    if not all((folder / "done").exists() for folder in folders):
        raise Wrong("nothing to compare: a run has failed")
    cpu, cuda, again = (values_of(folder) for folder in folders)
    if cpu.keys() != cuda.keys():
        raise Wrong(f"only one of them has {', '.join(sorted(cpu.keys() ^ cuda.keys())[:5])}")
    other = [key for key in cuda if repr(cuda[key]) != repr(again.get(key))]  # NaN is NaN
    if other or (folders[1] / "run.h5").read_bytes() != (folders[2] / "run.h5").read_bytes():
        raise Wrong(f"two runs on the GPU differ: {', '.join(other[:5]) or 'run.h5'}")
    worst = sorted(((difference(cpu[key], cuda[key]), key) for key in cpu), reverse=True)
    far = [f"{key} by {d:.1e}" for d, key in worst if not d <= max(bound, SAMPLED.get(key, 0.0))]
    if far:
        raise Wrong(f"CPU and GPU differ: {', '.join(far[:5])} ({len(far)} of {len(worst)})")
    return f"{len(worst)} values, the farthest {worst[0][1]} by {worst[0][0]:.1e}"


def values_of(folder):
    """Means of the summary, and arrays of the results file if h5py is installed: name -> list of
    float."""
    averages = json.loads((folder / "summary.json").read_text())["averages"]
    values = {f"mean of {name}": [entry["mean"]] for name, entry in averages.items()}
    try:
        import h5py
    except ImportError:
        return values

    def take(name, found):
        if isinstance(found, h5py.Dataset) and re.match(r"(observables|averages|particles)/.*value$", name):
            values[name] = [float(x) for x in found[()].ravel()]

    with h5py.File(folder / "run.h5", "r") as file:
        file.visititems(take)
    return values


def difference(a, b):
    if len(a) != len(b) or [x is None or x != x for x in a] != [x is None or x != x for x in b]:
        return float("inf")
    pairs = [(x, y) for x, y in zip(a, b) if x is not None and x == x]
    return sum(abs(x - y) for x, y in pairs) / max(1.0, sum(max(1.0, abs(x)) for x, _ in pairs))
