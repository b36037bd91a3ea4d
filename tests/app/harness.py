# SPDX-License-Identifier: BSD-3-Clause
"""Runs mdrun in a folder of its own and looks at all that it says and leaves behind."""

import os
import pathlib
import re
import subprocess

MDRUN = os.environ.get("SHADOW_MDRUN", "")
#: Where runs are that do not ask for a device: "cuda" in a build with an emulated GPU.
DEVICE = os.environ.get("SHADOW_DEVICE", "cpu")
#: The keys that choose it; an emulated GPU takes seconds for its self-test.
ON_DEVICE = [f"compute.device={DEVICE}", *(["compute.self_test=off"] if DEVICE == "cuda" else [])]

#: 500 particles in a periodic cube of edge 8.55; 20 steps.
BASE = """\
title = "a small liquid"
seed = 7

[system]
dimension = 3
units = "lj"
box = { density = 0.8 }
lattice = { type = "fcc", repeat = [5, 5, 5] }
velocity = { temperature = 1.0 }

[[species]]
name = "A"
mass = 1.0

[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
truncation = "shift"

[integrator]
method = "verlet"
dt = 0.004

[run]
steps = 20

[[observe]]
type = "thermo"
every = 5

[output]
prefix = "out"
trajectory = { every = 10 }
checkpoint = { every = 10 }

[compute]
device = "cpu"
threads = 1
"""

#: `<problem> (<why it is one>); <what to do>`, with a place in front where there is one.
MESSAGE = re.compile(
    r"mdrun: error: (?:(?P<where>\S+:\d+:\d+|--set [^:]+): )?"
    r"(?P<problem>[^\n]+?) \((?P<why>[^\n]+)\); (?P<advice>[^\n]+)"
)


class Result:
    def __init__(self, process):
        self.status = process.returncode
        self.out = process.stdout.decode("utf-8")
        self.err = process.stderr.decode("utf-8")

    def errors(self):
        """All error messages, the last words, taken apart; each must keep the grammar."""
        lines = [line for line in self.err.splitlines() if line.startswith("mdrun: error: ")]
        assert lines and self.err.splitlines()[-len(lines):] == lines, self.err
        matches = [MESSAGE.fullmatch(line) for line in lines]
        assert all(matches), f"not in the grammar: {lines}"
        return matches

    def error(self):
        """The one error message, taken apart; it must keep the grammar."""
        lines = [line for line in self.err.splitlines() if line.startswith("mdrun: error: ")]
        assert len(lines) == 1, f"one message expected, got:\n{self.err}"
        assert self.err.splitlines()[-1] == lines[0], f"the error is not the last word:\n{self.err}"
        match = MESSAGE.fullmatch(lines[0])
        assert match, f"not in the grammar: {lines[0]}"
        return match

    def message(self):
        return self.error().group(0)


def mdrun(*arguments, cwd, timeout=600, env=None, program=None, stdin=subprocess.DEVNULL):
    process = subprocess.run(
        [program or MDRUN, *map(str, arguments)],
        cwd=cwd,
        timeout=timeout,
        env={**os.environ, **(env or {})},
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    return Result(process)


def sets(*keys):
    """The arguments that set `KEY=VALUE`."""
    return [part for key in keys for part in ("--set", key)]


def edited(*edits, base=BASE):
    """`base` with each (old, new) replaced once; an old text that is not there is a mistake."""
    text = base
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def place(text, marker):
    """Line and column, from 1, of the first `marker`."""
    begin = text.index(marker)
    line = text.count("\n", 0, begin) + 1
    return line, begin - (text.rfind("\n", 0, begin) + 1) + 1


def contents(folder):
    """Every file of a folder with its bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in pathlib.Path(folder).rglob("*")
        if not path.is_fifo()
    }
