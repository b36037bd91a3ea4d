# SPDX-License-Identifier: BSD-3-Clause
"""Published experiments: each runs a program, compares numbers with known ones, and draws
curves."""
import dataclasses
import pathlib
import subprocess
from collections.abc import Callable

from .results import ResultsError


@dataclasses.dataclass
class Finding:
    """A known number and the result, which may differ by `within`."""
    quantity: str
    known: float
    found: float
    within: float

    def agrees(self):
        return abs(self.found - self.known) <= self.within


class Outcome:
    """`charts`: pairs of a heading and a Chart."""

    def __init__(self):
        self.findings, self.charts = [], []

    def compare(self, quantity, known, found, within):
        self.findings.append(Finding(quantity, float(known), float(found), float(within)))

    def agreeing(self):
        return sum(f.agrees() for f in self.findings)


@dataclasses.dataclass
class Experiment:
    """`run(programs, folder)` returns an Outcome; files are written into the folder."""
    name: str
    summary: str
    run: Callable


@dataclasses.dataclass
class Programs:
    """Paths of the programs and of inputs/seeds."""
    mdrun: pathlib.Path
    models: pathlib.Path
    inputs: pathlib.Path

    def run_input(self, name, prefix, *settings, status=0):
        """The results of inputs/seeds/DOCUMENT/SECTION_NAME.toml with `settings`, which must end with `status`."""
        command = [self.mdrun, next(self.inputs.glob(f"*/*_{name}.toml")), "--progress=none", "--quiet",
                   "--set", f'output.prefix="{prefix}"', "--set", "output.overwrite=true"]
        for setting in settings:
            command += ["--set", setting]
        run(command, (status,))
        return f"{prefix}.h5"


def run(command, statuses=(0,)):
    """The output of a program; throws ResultsError if it cannot be run or its status is not in
    `statuses`."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise ResultsError(f"{command[0]} cannot be run ({error.strerror}); build it, or give "
                           "its path (mdreproduce --help)") from error
    if done.returncode not in statuses:
        said = done.stderr.strip().splitlines()
        raise ResultsError(f"{pathlib.Path(command[0]).name} ended with status {done.returncode} "
                           f"({said[-1] if said else 'no output'}); run it by hand: "
                           f"{' '.join(map(str, command))}")
    return done.stdout
