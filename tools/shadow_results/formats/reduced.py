# SPDX-License-Identifier: BSD-3-Clause
"""Reduced potentials u = U / kT of the configurations of a stage at several temperatures, as the
parquet file that alchemlyb reads (extract_u_nk of its parser `parquet`). MBAR needs files of runs
at all these temperatures together; tools/mdreweight writes one file of several runs."""
import numpy as np

from ..analysis import refuse_weights, stage_series, steady_rows
from ..results import ResultsError, scalars, units_of
from ..stages import chosen_stage, facts, refuse_failed


def library():
    try:
        import pandas
        import pyarrow  # noqa: F401, pandas writes parquet with it
    except ImportError as error:
        raise ResultsError(f"the package {error.name} is missing (parquet is written with it); "
                           f"pip install {error.name}") from error
    return pandas


def table(pandas, time, sampled, states, reduced):
    """A table for rows at `time` that were sampled at the states `sampled`: u (states, rows) at
    `states`. A state is (temperature,) or (temperature, pressure)."""
    names = ("temperature", "pressure")[:len(states[0])]
    index = pandas.MultiIndex.from_arrays([time, *np.transpose(sampled)], names=["time", *names])
    # The name of a column with two numbers is a text, which alchemlyb parses.
    columns = [state[0] if len(state) == 1 else str(tuple(map(float, state))) for state in states]
    found = pandas.DataFrame(dict(zip(columns, reduced)), index=index)
    found.attrs = {"temperature": float(sampled[0][0]), "energy_unit": "kT"}
    return found


def write(export):
    pandas, file = library(), export.file
    number, stage = chosen_stage(file, export.options.stage)
    refuse_failed(file, number)
    found = facts(file, number)
    if not found.temperature > 0:
        raise ResultsError(f"stage {number} has no bath (reduced potentials are those of "
                           "temperatures); choose one at constant temperature with --stage")
    if found.ensemble.startswith("NPT"):
        raise ResultsError(f"stage {number} is at constant pressure (reduced potentials there have the "
                           "work P V, too); choose another with --stage, or write them by mdreweight "
                           "--mbar")
    energy = stage_series(file, "potential_energy", stage) \
        if "potential_energy" in scalars(file) else None
    if energy is None:
        raise ResultsError(f"no potential_energy in {file.filename} (reduced potentials are made of "
                           'it); observe type = "thermo" in that stage')
    refuse_weights(file, energy, stage, "alchemlyb gives all the same weight; with a boost mdreweight --mbar writes them")
    states = sorted({found.temperature, *(export.options.temperatures or [])})
    if not states[0] > 0:
        raise ResultsError(f"--temperatures {states[0]:g} (not above zero); give others")
    keep = steady_rows(file, energy, stage)
    boltzmann = units_of(file).boltzmann
    potential = energy.value[keep, 0]
    found = table(pandas, energy.time[keep], [(found.temperature,)] * len(potential),
                  [(state,) for state in states],
                  [potential / (boltzmann * state) for state in states])
    found.to_parquet(export.path)
    return f"{len(found)} configurations at {len(states)} temperatures"
