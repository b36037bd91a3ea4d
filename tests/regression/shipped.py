# SPDX-License-Identifier: BSD-3-Clause
"""Runs of the inputs that are shipped."""
import os
import pathlib
import subprocess

import pytest

MDRUN = os.environ.get("SHADOW_MDRUN")
INPUTS = pathlib.Path(os.environ.get("SHADOW_SOURCE_DIR", pathlib.Path(__file__).parents[2])) / "inputs"
needs_mdrun = pytest.mark.skipif(not MDRUN, reason="mdrun is not built (SHADOW_MDRUN is empty)")


def run_input(name, prefix, *settings, status=0):
    """The result file of inputs/NAME.toml with `settings`, which must end with `status`."""
    command = [MDRUN, INPUTS / f"{name}.toml", "--progress=none", "--quiet", "--set", f'output.prefix="{prefix}"']
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return f"{prefix}.h5"
