# SPDX-License-Identifier: BSD-3-Clause
"""Published experiments (inputs/seeds) give the numbers that are known of them."""
import sys

import pytest
from shipped import INPUTS, MDRUN, needs_mdrun

sys.path.insert(0, str(INPUTS.parent / "tools"))
from shadow_results.reproduction import Programs  # noqa: E402
from shadow_results.seed_experiments import EXPERIMENTS  # noqa: E402

pytestmark = needs_mdrun


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda e: e.name)
def test_numbers_are_as_known(tmp_path, experiment):
    outcome = experiment.run(Programs(MDRUN, None, INPUTS / "seeds"), tmp_path)
    assert len(outcome.findings) >= 4
    for finding in outcome.findings:
        assert finding.agrees(), finding


def test_every_input_is_an_experiment():
    inputs = [path.stem.partition("_")[2] for path in (INPUTS / "seeds").glob("*/*.toml")]
    assert sorted(inputs) == sorted(e.name for e in EXPERIMENTS)
