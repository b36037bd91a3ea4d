# SPDX-License-Identifier: BSD-3-Clause
"""Means of scalars over runs, and whether the runs agree."""
import math

import numpy as np

from .analysis import CONSERVED
from .merging import DISAGREE, disagree, probability, too_few
from .sources import refuse_other_units, refuse_same_rows

OF_THE_RUN = {CONSERVED, "nose_s", "boost_energy"}  # which depend on its start
ALIKE = 0.2  # fluctuation of a conserved energy, relative to that of its parts


def merged(runs):
    """The pooled mean, its error, and chi^2 of the runs about their common mean."""
    steps = np.array([run["steps"] for run in runs])
    mean = np.array([run["mean"] for run in runs])
    error = np.array([max(run["error"], run["error_autocorrelation"]) for run in runs])
    share = steps / steps.sum()
    result = {"mean": float(share @ mean), "error": float(np.sqrt(np.sum((share * error)**2))),
              "independent_samples": float(sum(run["independent_samples"] for run in runs)),
              "reliable": all(run["reliable"] for run in runs), "runs": runs}
    if np.all(error > 0.0):
        weight = error**-2
        chi2 = float(np.sum(weight * (mean - weight @ mean / weight.sum())**2))
        result.update(chi2=chi2, freedom=len(runs) - 1,
                      probability=probability(chi2, len(runs) - 1))
    elif not np.any(error > 0.0) and np.ptp(mean) > 0.0:  # different constants
        result.update(chi2=math.inf, freedom=len(runs) - 1, probability=0.0)
    return result


def runs_disagree(result):
    if "constant" in result:
        return result["constant"]["matters"]
    return "chi2" in result and disagree(result["chi2"], result["freedom"], result["reliable"])


def warning(result):
    """What is wrong with an average, or ""."""
    if runs_disagree(result):
        return ("the runs have different energies, each conserves its own: their averages are of "
                "different states; start all runs at one energy, or sample with a bath"
                if "constant" in result else "runs disagree by more than their errors")
    if any(run.get("few_weights") for run in result["runs"]):
        return "few rows of a run have most of the weight of its boost: the error is probably too small"
    if not result["reliable"]:
        return too_few("probability" in result and "constant" not in result and
                       result["probability"] < DISAGREE, "its error is")
    return ""


def steps_warning(words):
    """The warning for runs whose steps differ, from how they do."""
    return (f"the steps of the runs differ ({words}; their means differ by errors of the steps, which are not in "
            "the errors here); merge runs of one method and dt")


def agreement_words(result):
    """chi^2 over its degrees of freedom and P in words; "-" where runs are not compared."""
    if "chi2" not in result or "constant" in result:
        return "-", "-"
    return f"{result['chi2']:.3g}/{result['freedom']}", f"{result['probability']:.3f}"


def judge_energies(found):
    """The conserved quantity is a constant of each run and not an average, and s of a Nosé bath and
    the weights of a boost depend on its start: they tell nothing about agreement unless no bath
    changes the energy. Then a difference matters if it is larger than the error of the averages
    that it shifts."""
    for name in OF_THE_RUN & set(found):
        found[name]["constant"] = {"matters": False}
    if not {"total_energy", "kinetic_energy"} <= set(found):
        return
    energy, kinetic = found["total_energy"], found["kinetic_energy"]
    if any(total["deviation"] > ALIKE * part["deviation"]
           for total, part in zip(energy["runs"], kinetic["runs"])):
        return
    means = [run["mean"] for run in energy["runs"]]
    energy["constant"] = {"matters": bool(np.ptp(means) > kinetic["error"])}


def merge_scalars(sources, names, discard):
    results = {}
    refuse_other_units(sources, names)
    refuse_same_rows(sources, names)
    for name in names:
        results[name] = merged([run for s in sources for run in s.runs(name, discard)])
        results[name]["unit"] = sources[0].unit(name)
    judge_energies(results)
    return results
