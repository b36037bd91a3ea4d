# SPDX-License-Identifier: BSD-3-Clause
"""Runs that are stopped, killed and resumed, and what they leave behind."""

import json
import pathlib
import signal
import subprocess
import time

import h5py
import numpy as np
from harness import MDRUN, ON_DEVICE, mdrun, sets

LIQUID = """\
seed = 7
[system]
dimension = 3
box = { density = 0.8 }
lattice = { type = "fcc", repeat = [5, 5, 5] }
velocity = { temperature = 1.0 }
"""

FORCE = """\
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
truncation = "force-shift"
"""

SHORT_FORCE = FORCE.replace("2.5", "2.0")

#: A cube of particles with room for walls across z, at -1 and 6.6.
SLIT = """\
seed = 7
[system]
dimension = 3
box = { lengths = [6.6, 6.6, 12.0], periodic = [true, true, false] }
lattice = { type = "sc", repeat = [6, 6, 6], constant = 1.1 }
velocity = { temperature = 1.0 }
"""

WALL = """\
[[force]]
type = "wall-93"
epsilon = 2.0
sigma = 1.0
point = [0.0, 0.0, Z]
normal = [0.0, 0.0, NORMAL]
"""
FLOOR = WALL.replace("Z", "-1.0").replace("NORMAL", "1.0")
CEILING = WALL.replace("Z", "6.6").replace("NORMAL", "-1.0")

MIXTURE = """\
[[species]]
name = "A"
fraction = 0.7
[[species]]
name = "B"
fraction = 0.3
mass = 3.0
"""

#: A Lennard-Jones attraction as the slow, a soft repulsion as the fast force.
SPLIT_FORCE = FORCE + """\
level = "slow"
[[force]]
type = "wca"
epsilon = 1.0
sigma = 1.0
level = "fast"
"""

#: Stiff chains, some beads of which have no pair force on each other.
CHAINS = """\
seed = 5
[system]
dimension = 3
box = { density = 0.7 }
lattice = { type = "sc", repeat = [8, 8, 8], jitter = 0.05 }
velocity = { temperature = 1.0 }
[[molecule]]
count = 32
atoms = ["A"]
repeat = 16
bonds = [{ atoms = [0, 1] }]
angles = [{ atoms = [0, 1, 2] }]
exclude = 1
"""
CHAIN_FORCES = """\
[[force]]
type = "harmonic-bond"
k = 400.0
r0 = 1.1
[[force]]
type = "cosine-angle"
k = 2.0
"""

#: Stiffer bonds, whose level is the fast one.
STIFF_CHAIN_FORCES = FORCE + CHAIN_FORCES.replace("[[force]]", '[[force]]\nlevel = "fast"').replace("400.0", "4000.0")

#: Methods for a Lennard-Jones liquid.
VERLET = 'method = "verlet"\ndt = 0.004'
BAOAB = 'method = "baoab"\ndt = 0.004\ntemperature = 1.0\nfriction = 1.0'
NOSE = 'method = "nose-poincare"\ndt = 0.004\ntemperature = 1.0\nmass = 5.0'

THERMO = """\
[[observe]]
type = "thermo"
every = 5
"""

#: Everything that is averaged over a run, in space.
ARRAYS = """\
[[observe]]
type = "configurational"
every = 5
[[observe]]
type = "rdf"
every = 10
bins = 20
[[observe]]
type = "pair-density"
every = 10
bins = 20
[[observe]]
type = "radial-density"
every = 11
bins = 12
[[observe]]
type = "clusters"
every = 8
radius = 1.0
[[observe]]
type = "structure-factor"
every = 7
longest = 8.0
shells = 10
[[observe]]
type = "intermediate-scattering"
every = 6
wavenumbers = [4.0]
window = 20
[[observe]]
type = "density-map"
every = 9
bins = [6, 7]
[[observe]]
type = "density-profile"
direction = "x"
every = 5
[[observe]]
type = "velocity-distribution"
every = 5
largest = 5.0
[[observe]]
type = "kinetic-energy-distribution"
every = 5
largest = 8.0
[[observe]]
type = "msd"
every = 4
longest = 200
wavenumbers = [6.0]
[[observe]]
type = "vacf"
every = 3
origins = 4
longest = 100
[[observe]]
type = "viscosity"
every = 2
window = 10
[[observe]]
type = "thermal-conductivity"
every = 2
window = 10
[[observe]]
type = "time-correlation"
of = ["hypervirial", "velocity_excess"]
window = 10
longest = 200
[[observe]]
type = "distribution"
of = ["squared_force"]
range = [0.0, 1e6]
bins = 20
"""

OUTPUT = """\
[output]
prefix = "out"
trajectory = { every = 100 }
"""


def one_stage(integrator, steps, observe=THERMO, system=LIQUID, force=FORCE):
    """An input with one stage; `integrator` as it stands in its table."""
    return f"{system}{force}[integrator]\n{integrator}\n[run]\nsteps = {steps}\n{observe}{OUTPUT}"


def averaging_all(text):
    """The same, with the start of the stage in all averages."""
    return text.replace("[run]\n", "[run]\nequilibration = 0\n")


def staged(*stages, system=LIQUID, force=FORCE):
    """An input with stages (name, integrator, steps), each with its thermo."""
    text = system + force
    for name, integrator, steps in stages:
        text += f'[[stage]]\nname = "{name}"\nsteps = {steps}\n[stage.integrator]\n{integrator}\n'
        text += THERMO.replace("[[observe]]", "[[stage.observe]]")
    return text + OUTPUT


class Folder:
    """A folder with `in.toml`, in which runs write `out.h5` and `summary.json`."""

    def __init__(self, path, text, *keys):
        self.path = pathlib.Path(path)
        self.path.mkdir()
        (self.path / "in.toml").write_text(text)
        self.sets = [*ON_DEVICE, "compute.threads=1", *keys]

    def arguments(self, *more):
        return ["in.toml", *sets(*self.sets), "--summary", "summary.json", *more]

    def run(self, *more):
        result = mdrun(*self.arguments(*more), cwd=self.path)
        assert result.status == 0, result.err
        return result

    def run_in_pieces(self):
        """One step in each process, whose wall time is over before it begins, until all is done."""
        for step in range(1, 101):
            result = mdrun(*self.arguments("--continue", "--set", f"run.{ONE_STEP}"), cwd=self.path)
            assert result.status in (0, 75), result.err
            assert self.step_of_checkpoint() == step
            if result.status == 0:
                return
        raise AssertionError("100 steps are not all")

    def start(self, *more):
        """A run on its way: the results are open, so the signal handlers stand."""
        process = subprocess.Popen([MDRUN, *self.arguments("--quiet", *more)], cwd=self.path,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        wait_for(lambda: (self.path / "out.h5.part").exists() or process.poll() is not None)
        return process

    def stop_at(self, step, number, *more):
        """A run that gets a signal when its checkpoint is of this step or of a later one, unless it ends before; returns the status."""
        process = self.start(*more)
        wait_for(lambda: process.poll() is not None or self.step_of_checkpoint() >= step, 60.0)
        return stop(process, number)

    @property
    def checkpoint(self):
        return self.path / "out.checkpoint.h5"

    def step_of_checkpoint(self):
        """Of all stages together; below 0: there is no checkpoint."""
        if not self.checkpoint.exists():
            return -1
        with h5py.File(self.checkpoint, "r") as file:
            steps = []
            file.visititems(lambda name, item: steps.append(int(np.ravel(item[()])[0]))
                            if name.split("/")[-1] == "step" else None)
        assert len(steps) == 1, steps
        return steps[0]

    def datasets(self):
        """All results, with every bit."""
        found = {}
        with h5py.File(self.path / "out.h5", "r") as file:
            for group in ("observables", "averages", "particles"):
                if group in file:
                    file[group].visititems(
                        lambda name, item, group=group: found.__setitem__(
                            f"{group}/{name}", (item.dtype.str, item.shape, item[()].tobytes()))
                        if isinstance(item, h5py.Dataset) else None)
        return found

    def steps(self, observable):
        with h5py.File(self.path / "out.h5", "r") as file:
            return list(file[f"observables/{observable}/step"][:])

    def averages(self):
        """What the summary says of the physics."""
        summary = json.loads((self.path / "summary.json").read_text())
        return {key: summary.get(key) for key in ("system", "averages", "conserved", "stages")}


def wait_for(condition, seconds=30.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.0005)


def stop(process, number):
    """Sends a signal, unless the run has ended; returns the status."""
    process.send_signal(number)
    try:
        error = process.communicate(timeout=60)[1].decode()
    except subprocess.TimeoutExpired:
        process.kill()  # nothing goes on for ever
        raise
    assert process.returncode in (0, 128 + number, -number), error
    return process.returncode


def refuse_thread_differences(path, text, *keys):
    """A run on one thread, on two and on three."""
    one = Folder(path / "one", text, *keys, "compute.threads=1")
    one.run()
    for threads in (2, 3):
        other = Folder(path / str(threads), text, *keys, f"compute.threads={threads}")
        other.run()
        refuse_difference(one, other)


def refuse_difference(one, other):
    """Two folders hold the same results, bit by bit."""
    left, right = one.datasets(), other.datasets()
    assert left.keys() == right.keys()
    assert any(name.startswith("particles") for name in left)
    different = [name for name in left if left[name] != right[name]]
    assert not different, different
    assert one.averages() == other.averages()


#: A wall time that is over before the first step, after which a process stops.
ONE_STEP = 'wall_time="1e-6 s"'

STOPS = {signal.SIGTERM: 143, signal.SIGINT: 130}
