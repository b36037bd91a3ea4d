# SPDX-License-Identifier: BSD-3-Clause
"""Every observable that mdrun lists is refused where it makes no sense, goes on after a restart, and has units, in the tests of these."""

import re

import bad_stages
import pytest
from harness import mdrun
from runs import ARRAYS
from test_restart import MOLECULES, PLANE_ARRAYS
from test_units import MOLECULAR, OBSERVE, PLANE, SHEARED

#: They average no arrays.
SERIES_ALONE = {"thermo", "shadow-energy", "energy-terms", "stress", "shear-flow", "heat-flux", "angular-momentum", "directional-temperature",
                "bond-order", "steinhardt", "molecule-size", "molecular-pressure"}


def types(text):
    return set(re.findall(r'^\[\[observe\]\]\ntype = "([^"]*)"', text, re.MULTILINE))


TESTED = {
    "OBSERVABLES or ANALYSES of bad_stages.py": types("\n".join(case.text for case in bad_stages.OBSERVABLES + bad_stages.ANALYSES)),
    "ARRAYS of runs.py, or those of a plane or of molecules of test_restart.py": types(ARRAYS + PLANE_ARRAYS + MOLECULES) | SERIES_ALONE,
    "UNITS of test_units.py": types(OBSERVE + MOLECULAR) | set(PLANE) | set(SHEARED)}


@pytest.mark.parametrize("place", TESTED)
def test_no_observable_is_missing(place, tmp_path):
    known = set(re.findall(r"^  (\S+)", mdrun("--list", "observe", cwd=tmp_path).out, re.MULTILINE))
    assert len(known) > 30
    assert not known - TESTED[place], f"not in {place}"
    assert not TESTED[place] - known, "no observables"
