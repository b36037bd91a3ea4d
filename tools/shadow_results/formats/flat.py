# SPDX-License-Identifier: BSD-3-Clause
"""A folder of flat files for physical_validation: each series of a stage with one number per line,
frames of positions and velocities, and run.json with the data of its objects:

    run = json.load(open("RUN.flat/run.json"))
    data = FlatfileParser().get_simulation_data(
        units=UnitData(**run["units"]), ensemble=EnsembleData(**run["ensemble"]),
        system=SystemData(**run["system"]), dt=run["dt"], **run["files"])
"""
import json
import pathlib

import numpy as np

from ..analysis import refuse_weights, stage_series, steady_rows
from ..results import Frame, ResultsError, as_text, particles, scalars, unit_of, units_of
from ..stages import chosen_stage, facts, frames_of, refuse_failed
from . import padded

#: series: argument of get_simulation_data
SERIES = {"kinetic_energy": "kinetic_ene_file", "potential_energy": "potential_ene_file",
          "total_energy": "total_ene_file", "pressure": "pressure_file",
          "temperature": "temperature_file", "conserved_energy": "const_of_mot_file"}

#: factors of one unit; a 2D pressure is not converted
BARS = {"bar": 1.0, "atm": 1.01325, "kcal mol-1/Angstrom^3": 69476.954570554}


def write(export):
    file, folder = export.file, pathlib.Path(export.path)
    number, stage = chosen_stage(file, export.options.stage)
    refuse_failed(file, number)
    found = facts(file, number)
    known = {n: stage_series(file, n, stage) for n in SERIES if n in scalars(file)}
    series = {n: s for n, s in known.items() if s is not None}
    if not {"kinetic_energy", "potential_energy"} <= set(series):
        raise ResultsError(f"no energies in {file.filename} (physical_validation compares them); "
                           'observe type = "thermo" in that stage')
    if found.ensemble.startswith("NPT"):
        raise ResultsError(f"stage {number} is at constant pressure (only ensembles of constant "
                           "volume are written for physical_validation); choose another by "
                           "--stage, or give it the series of energy and volume yourself")
    if found.ensemble[:3] not in ("NVE", "NVT"):
        raise ResultsError(f"stage {number} samples no ensemble ({found.ensemble or 'it minimises'}); choose "
                           "another with --stage")
    if particles(file) is None:
        raise ResultsError(f"no particles in {file.filename} (it ended before its first checkpoint; physical_validation "
                           "needs their masses and their box); run it to its end")
    refuse_weights(file, series["kinetic_energy"], stage, "physical_validation gives all the same weight")
    folder.mkdir()
    files = {}  # by names of files in the folder
    for name, one in series.items():
        keep = steady_rows(file, one, stage)
        files[SERIES[name]] = f"{name}.dat"
        np.savetxt(folder / f"{name}.dat", one.value[keep, 0], fmt="%.17g")
    chosen = frames_of(file, stage)
    for name in ("position", "velocity"):
        if chosen and f"particles/all/{name}" in file:
            files[f"{name}_file"] = f"{name}.dat"
            with open(folder / f"{name}.dat", "w", encoding="utf-8") as out:
                for k in chosen:
                    frame = Frame(file, k)
                    value = frame.position if name == "position" else frame.field[name]
                    np.savetxt(out, padded(value), fmt="%.17g")
                    out.write("\n")
    there = {key: str(pathlib.Path(export.output) / name) for key, name in files.items()}
    (folder / "run.json").write_text(json.dumps(describe(file, series, found, there), indent=2),
                                     encoding="utf-8")
    return f"{len(files)} files, {found.ensemble} at {found.temperature:g}" \
        if found.temperature > 0 else f"{len(files)} files, {found.ensemble}"


def describe(file, series, found, files):
    mass = file["particles"][next(iter(file["particles"]))]["mass"][...]
    natoms, volume = len(mass), box_volume(file)
    kinetic = series["kinetic_energy"]
    ensemble = {"ensemble": found.ensemble[:3], "natoms": natoms, "volume": volume}
    if found.temperature > 0:
        ensemble["temperature"] = found.temperature
    else:
        ensemble["energy"] = float(np.mean(series["total_energy"].value))
    return {"units": unit_data(file), "ensemble": ensemble,
            # It assumes three degrees of freedom for each particle.
            "system": {"natoms": natoms, "nconstraints": 0, "ndof_reduction_rot": 0,
                       "ndof_reduction_tra": 3 * natoms - found.degrees_of_freedom,
                       "mass": mass.tolist()},
            "dt": float(kinetic.time[1] - kinetic.time[0]) if len(kinetic.time) > 1 else 0.0,
            "files": files}


def box_volume(file):
    """The volume of a periodic box before a barostat changes it; None for a box with open
    directions."""
    for group in file["particles"].values():
        boundary = [as_text(b) for b in group["box"].attrs["boundary"]]
        if set(boundary) == {"periodic"}:
            edges = group["box/edges/value"][0]
            return float(np.prod(np.diag(edges)))
    return None


def unit_data(file):
    """Factors to kJ/mol, nm, K, bar and ps; 1 for reduced units."""
    units = units_of(file)
    if not units.femtoseconds:
        return {"kb": 1.0, **{f"{name}_conversion": 1.0 for name in (
            "energy", "length", "volume", "temperature", "pressure", "time")}}
    series = file["observables"]
    pressure = unit_of(series["pressure/value"]) if "pressure" in series else "bar"
    return {"kb": units.boltzmann, "energy_conversion": units.kilojoules,
            "energy_str": unit_of(series["potential_energy/value"]),
            "length_conversion": 0.1, "length_str": "A", "volume_conversion": 1e-3,
            "volume_str": "A^3", "temperature_conversion": 1.0, "temperature_str": "K",
            "pressure_conversion": BARS.get(pressure, 1.0), "pressure_str": pressure,
            "time_conversion": units.femtoseconds * 1e-3,
            "time_str": unit_of(series["potential_energy/time"])}
