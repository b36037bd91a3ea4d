# SPDX-License-Identifier: BSD-3-Clause
"""A small H5MD file next to the results: the particles are a link to those of the results, and each
observable has the rows measured at the steps of the frames. MDAnalysis looks up row i of every
observable for frame i, whatever its step."""
import os
import pathlib

import h5py
import numpy as np

from ..results import ResultsError, frames, observables


def write(export):
    file, path = export.file, pathlib.Path(export.path)
    if "particles/all" not in file or not frames(file):
        raise ResultsError(f"no frames in {file.filename} (no trajectory was requested); add "
                           "output.trajectory = { every = 1000 } to the input")
    step = file["particles/all/position/step"][...]
    left_out = []
    with h5py.File(path, "w") as view:
        if "h5md" in file:
            file.copy("h5md", view)
        target = os.path.relpath(pathlib.Path(file.filename).resolve(), path.resolve().parent)
        view["particles/all"] = h5py.ExternalLink(target, "/particles/all")
        if "parameters" in file:
            view["parameters"] = h5py.ExternalLink(target, "/parameters")
        for name in observables(file):
            group = file["observables"][name]
            at = np.flatnonzero(np.isin(group["step"][...], step))
            if len(at) != len(step):
                left_out.append(name)
                continue
            for part in ("step", "time", "value"):
                made = view.create_dataset(f"observables/{name}/{part}", data=group[part][...][at])
                made.attrs.update(group[part].attrs)
    note = f"; not measured at every frame: {', '.join(left_out)}" if left_out else ""
    return f"a view of {len(step)} frames in {target}{note}"
