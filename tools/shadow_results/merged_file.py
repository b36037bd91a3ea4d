# SPDX-License-Identifier: BSD-3-Clause
"""Averages over runs as files: HDF5, for mdreport and for further merging by mdmerge, and JSON."""
import json
import math

import h5py
import numpy as np


def write_h5(path, sources, different, steps, scalars_found, arrays):
    """Arrays as mdrun writes them, of one stage; means and errors of scalars under `averages`, with
    those of each run; `parameters/merged` names the runs."""
    with h5py.File(path, "w") as file:
        merged = file.create_group("parameters/merged")
        runs = [item for source in sources for item in source.identities()]
        text = h5py.string_dtype()
        merged.create_dataset("file", data=[name for name, _ in runs], dtype=text)
        merged.create_dataset("identity", data=[" ".join(sorted(d)) for _, d in runs], dtype=text)
        merged["state"] = json.dumps(sources[0].state())
        if different:
            merged["different"] = different
        if steps:
            merged["steps"] = steps
        for name, a in arrays.items():
            group = file.create_group(f"averages/{name}")
            group["stage"], group["step"], group["time"] = [0], [0], [0.0]
            group["samples"] = [sum(a.samples)]
            group.attrs["warning"] = a.warning()
            for part in ("value", "error"):
                group[part] = getattr(a, part)[np.newaxis]
                group[part].attrs["unit"] = a.unit
            if a.axes:
                group["value"].attrs["axes"] = [axis.name for axis in a.axes]
            for axis in a.axes:
                group[axis.name] = axis.values
                group[axis.name].attrs["unit"] = axis.unit
        for name, r in scalars_found.items():
            for part in ("mean", "error", "independent_samples"):
                file[f"averages/{name}/{part}"] = r[part]
            for part in ("mean", "error"):
                file[f"averages/{name}/{part}"].attrs["unit"] = r["unit"]
            for part in r["runs"][0]:
                file[f"averages/{name}/runs/{part}"] = [run[part] for run in r["runs"]]


def finite(value):
    """Replaces infinity, which JSON lacks, by None."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        return finite(value.tolist())
    if isinstance(value, list):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def array_as_dictionary(array):
    found = {"unit": array.unit, "axes": {a.name: a.values for a in array.axes},
             "value": array.value, "error": array.error, "samples": sum(array.samples),
             "reliable": array.reliable, "runs": [{"samples": n} for n in array.samples]}
    if array.agreement:
        found.update(chi2=array.agreement.chi2, freedom=array.agreement.freedom,
                     probability=array.agreement.probability)
    return found
