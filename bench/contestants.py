# SPDX-License-Identifier: BSD-3-Clause
"""The contestants of bench/run.py: Shadow, and the peers with their decks in bench/peers.

A contestant has a `name`, `about` (its version and how it was built), `tolerance` (relative, of the
potential energy at step 0), `can(case)`, and `run(case, cores, folder)`, which gives a Sample. The
folder is its own for all rounds of a case.

Peers in Debian: lammps, gromacs, python3-simtk with libopenmm-plugins. JAX-MD is on PyPI:
`python3 -m venv V && V/bin/pip install jax-md`, then `--python V/bin/python /usr/bin/python3`; each
library uses the first Python that has it.
"""
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

bench = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(bench / "peers"))
from lattice import lattice  # noqa: E402


class BenchError(Exception):
    pass


@dataclasses.dataclass
class Sample:
    nanoseconds: float  # per particle and step, of the loop
    memory: float  # MiB, peak
    energy: float  # potential, per particle, at step 0
    steps: int


def watch(command, cores, cwd, environment=None):
    """Runs a command on the first `cores` cores that this process may use; returns output and
    usage."""
    allowed = sorted(os.sched_getaffinity(0))[:cores]
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("OMP_")}
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, cwd=cwd, stdout=output, stderr=subprocess.STDOUT,
                                   preexec_fn=lambda: os.sched_setaffinity(0, allowed),
                                   env={**inherited, **(environment or {})})
        _, status, usage = os.wait4(process.pid, 0)
        output.seek(0)
        text = output.read()
    if status != 0:
        raise BenchError(f"{pathlib.Path(command[0]).name} ended with status "
                         f"{os.waitstatus_to_exitcode(status)}\n"
                         f"{' '.join(map(str, command))}\n{text[-2000:]}")
    return text, usage


def execute(command, cores, cwd, environment=None):
    """Output and peak memory (MiB, of the largest process)."""
    text, usage = watch(command, cores, cwd, environment)
    return text, usage.ru_maxrss / 1024


def output_of(command):
    """Output of a command; empty if it does not exist or fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def first_line(command):
    return (output_of(command).splitlines() or ["unknown"])[0]


def sample(case, seconds, steps, particles, energy, memory):
    """A Sample from the report of a peer; the energy is that of all particles."""
    if particles != case["particles"]:
        raise BenchError(f"{particles} particles, not the {case['particles']} of the case")
    return Sample(1e9 * seconds / (steps * particles), memory, energy / particles, steps)


def write_chains(case, folder):
    """Chains of `chain` beads along a path through a simple cubic lattice of density 0.85."""
    repeat = np.array(case["repeat"])
    edge = 0.85 ** (-1 / 3)
    sites = [()]
    for count in repeat:  # each row starts where the one before ended
        sites = [(*site, k) for n, site in enumerate(sites)
                 for k in (range(count) if n % 2 == 0 else reversed(range(count)))]
    bonds = [k for k in range(1, len(sites)) if k % case["chain"]]
    with open(folder / "start.data", "w") as file:
        file.write(f"chains\n\n{len(sites)} atoms\n{len(bonds)} bonds\n1 atom types\n1 bond types\n\n")
        for axis, length in zip("xyz", (repeat * edge).tolist()):
            file.write(f"0 {length!r} {axis}lo {axis}hi\n")
        file.write("\nMasses\n\n1 1.0\n\nAtoms # bond\n\n")
        for k, site in enumerate((np.array(sites) * edge).tolist()):
            file.write(f"{k + 1} {k // case['chain'] + 1} 1 {' '.join(map(repr, site))}\n")
        file.write("\nBonds\n\n")
        for n, k in enumerate(bonds):
            file.write(f"{n + 1} 1 {k} {k + 1}\n")


def write_start(case, folder):
    """start.data of a case with `chain`, or with `cells`: fcc at density 1.2, every fifth particle
    of species 2."""
    if "chain" in case:
        return write_chains(case, folder)
    if "cells" not in case:
        return
    places, edges = lattice({"cells": case["cells"], "density": 1.2})
    with open(folder / "start.data", "w") as file:
        file.write(f"fcc\n\n{len(places)} atoms\n2 atom types\n\n")
        for axis, edge in zip("xyz", edges.tolist()):
            file.write(f"0 {edge!r} {axis}lo {axis}hi\n")
        file.write("\nMasses\n\n1 1.0\n2 1.0\n\nAtoms # atomic\n\n")
        for k, (x, y, z) in enumerate(places.tolist()):
            file.write(f"{k + 1} {2 if k % 5 == 4 else 1} {x!r} {y!r} {z!r}\n")


class Shadow:
    """mdrun in one precision."""

    def __init__(self, mdrun, precision):
        self.mdrun, self.precision = mdrun, precision
        self.name = f"Shadow {precision}"
        self.about = {"version": first_line([mdrun, "--version"])}
        self.tolerance = 1e-6 if precision == "double" else 1e-5

    def can(self, case):
        return True

    def run(self, case, cores, folder):
        shutil.copy(bench / case["input"], folder / "input.toml")
        write_start(case, folder)
        settings = case["set"] + [f"run.steps={case['steps']}", "observe.0.every=1000000",
                                  'output.prefix="results"', "compute.device=cpu",
                                  f"compute.threads={cores}",
                                  f"compute.precision={self.precision}"]
        command = [self.mdrun, "input.toml", "--progress=none", "--summary", "summary.json"]
        for setting in settings:
            command += ["--set", setting]
        _, memory = execute(command, cores, folder)
        with open(folder / "summary.json") as file:
            performance = json.load(file)["performance"]
        with h5py.File(folder / "results.h5") as file:
            energy = file["observables/potential_energy/value"][0] / case["particles"]
        loop = 1 - performance["shares"]["checkpoint"]
        return Sample(loop * performance["ns_per_particle_step"], memory, energy, case["steps"])


class Lammps:
    """LAMMPS with one of its accelerators, one MPI process per core."""

    packages = {"opt": [], "omp": ["-pk", "omp", "1"], "intel": ["-pk", "intel", "0", "mode", "mixed"]}

    def __init__(self, lmp, suffix):
        self.lmp, self.suffix, self.name = lmp, suffix, f"LAMMPS -sf {suffix}"
        self.about = {"version": first_line([lmp, "-h"])}
        self.tolerance = 1e-5 if suffix == "intel" else 1e-6

    @staticmethod
    def deck_of(case):
        return bench / "peers" / f"lammps_{case['peer']['deck']}.in"

    def can(self, case):
        return self.deck_of(case).exists()

    @staticmethod
    def read(text):
        """Seconds of the loop, steps, particles, their potential energy at step 0."""
        loop = re.search(r"Loop time of (\S+) on \d+ procs for (\d+) steps with (\d+) atoms", text)
        first = re.search(r"Step\s+Temp\s+(?:E_pair|PotEng)\s+Press\s*\n\s*0\s+\S+\s+(\S+)", text)
        if not loop or not first:
            raise BenchError(f"LAMMPS: output not understood\n{text[-2000:]}")
        return float(loop[1]), int(loop[2]), int(loop[3]), float(first[1]) * int(loop[3])

    def run(self, case, cores, folder):
        peer = {key: value for key, value in case["peer"].items() if key != "deck"}
        write_start(case, folder)
        command = [self.lmp, *self.packages[self.suffix], "-sf", self.suffix, "-in",
                   self.deck_of(case), "-log", "none"]
        for key, value in {**peer, "steps": case["steps"]}.items():
            command += ["-v", key, str(value)]
        if cores > 1:
            command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-np", str(cores),
                       *command]
        text, memory = execute(command, cores, folder, {"OMP_NUM_THREADS": "1"})
        return sample(case, *self.read(text), memory * cores)


class Gromacs:
    r"""One build of GROMACS, with the ranks and threads that it chooses for the cores.

    Debian's is for SSE4.1. From its source (deb-src, libfftw3-dev; AVX2_256 where there is no
    AVX-512), once without and once with -DGMX_DOUBLE=ON:

        apt-get source gromacs
        cmake -S gromacs-2022.5 -B gmx-mixed -G Ninja -DCMAKE_BUILD_TYPE=Release \
            -DGMX_SIMD=AVX_512 -DGMX_OPENMP=ON -DGMX_GPU=OFF -DGMX_MPI=OFF \
            -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON -DGMX_FFT_LIBRARY=fftw3 -DGMX_HWLOC=OFF \
            -DGMXAPI=OFF -DGMX_USE_COLVARS=none -DGMX_INSTALL_NBLIB_API=OFF \
            -DGMX_INSTALL_LEGACY_API=OFF -DGMX_BUILD_UNITTESTS=OFF -DBUILD_TESTING=OFF \
            -DBUILD_SHARED_LIBS=OFF
        ninja -C gmx-mixed gmx
        bench/run.py --gmx gmx-mixed/bin/gmx gmx-double/bin/gmx_d
    """

    skin = 0.3
    tolerance = 1e-5  # its log has six digits

    def __init__(self, gmx):
        self.gmx, self.about = gmx, self.read_version(output_of([gmx, "--version"]))
        self.name = f"GROMACS {self.about['precision']} {self.about['simd']}"

    @staticmethod
    def read_version(text):
        fields = dict(re.findall(r"^([^:\n]+?):[ \t]+(.*?)\s*$", text, re.M))
        if "GROMACS version" not in fields:
            raise BenchError("GROMACS: its --version was not understood (it is not gmx, or failed)")
        return {"version": fields["GROMACS version"],
                "precision": fields.get("Precision", "unknown"),
                "simd": fields.get("SIMD instructions", "unknown"),
                "compiler": re.sub(r"^\S*/", "", fields.get("C++ compiler", "unknown"))}

    @staticmethod
    def read_start(log):
        """Particles, and their potential energy at step 0."""
        particles = re.search(r"There are: (\d+) Atoms", log)
        first = re.search(r"Step +Time\n +0 +0\.0+\n\n +Energies \(kJ/mol\)\n(.*)\n(.*)\n", log)
        # Columns of 15 characters, whose names have blanks.
        names = [first[1][k:k + 15].strip() for k in range(0, len(first[1]), 15)] if first else []
        if not particles or "Potential" not in names:
            raise BenchError(f"GROMACS: energies not understood\n{log[-2000:]}")
        return int(particles[1]), float(first[2].split()[names.index("Potential")])

    @staticmethod
    def read_loop(log):
        """Seconds and steps since the counters were reset, when step 0 was done."""
        wall = re.search(r"^ +Time: +\S+ +(\S+) ", log, re.M)
        last = re.findall(r"Step +Time\n +(\d+) ", log)
        if not wall or not last or "\nstep 1: resetting all time and cycle counters" not in log:
            raise BenchError(f"GROMACS: times not understood\n{log[-2000:]}")
        return float(wall[1]), int(last[-1])

    def fits(self, system, cells):
        """The box must be at least twice as long as the range of its list."""
        _, edges = lattice({**system, "cells": cells})
        return edges.min() > 2 * (system.get("cutoff", 2.5) + self.skin)

    def can(self, case):
        system = case["peer"]
        return system["deck"] == "melt_3d" and self.fits(system, system["cells"])

    def prepare(self, system, steps, folder, name):
        """name.tpr of `system` (`peer` of a case)."""
        places, edges = lattice(system)
        with open(folder / "start.gro", "w") as file:
            file.write(f"lattice\n{len(places)}\n")
            for k, place in enumerate(places.tolist(), 1):
                file.write("%5d%-5s%5s%5d%14.9f%14.9f%14.9f\n" % (k % 100000, "A", "A", k % 100000,
                                                                  *place))
            file.write("%.9f %.9f %.9f\n" % tuple(edges))
        (folder / "start.top").write_text(
            "[ defaults ]\n1 2\n[ atomtypes ]\nA 0 1.0 0.0 A 1.0 1.0\n[ moleculetype ]\nA 0\n"
            "[ atoms ]\n1 A 1 A A 1 0.0 1.0\n[ system ]\nmelt\n[ molecules ]\n"
            f"A {len(places)}\n")
        cutoff = system.get("cutoff", 2.5)
        deck = (bench / "peers/gromacs_melt_3d.mdp").read_text()
        (folder / "start.mdp").write_text(f"{deck}nsteps = {steps}\nrvdw = {cutoff}\n"
                                          f"rcoulomb = {cutoff}\nrlist = {cutoff + self.skin}\n")
        execute([self.gmx, "grompp", "-f", "start.mdp", "-c", "start.gro", "-p", "start.top", "-o",
                 f"{name}.tpr"], os.cpu_count(), folder)
        (folder / "start.gro").unlink()

    def command(self, name, cores, *options):
        return [self.gmx, "mdrun", "-s", f"{name}.tpr", "-g", f"{name}.log", "-nt", str(cores), "-nb",
                "cpu", "-pin", "off", "-noconfout", *options]

    def mdrun(self, folder, name, cores, *options):
        _, memory = execute(self.command(name, cores, *options), cores, folder)
        return (folder / f"{name}.log").read_text(), memory

    def energy(self, system, folder):
        """Per particle, of a piece of the lattice: in mixed precision the energies of all clusters
        are summed in single precision, with an error in the fifth digit for 32,000 particles, in
        the third for a million."""
        if not (folder / "piece.log").exists():
            cells = 6
            while not self.fits(system, cells):
                cells += 1
            self.prepare({**system, "cells": cells}, 0, folder, "piece")
            self.mdrun(folder, "piece", 1)
        particles, energy = self.read_start((folder / "piece.log").read_text())
        return energy / particles

    def run(self, case, cores, folder):
        if not (folder / "whole.tpr").exists():
            self.prepare(case["peer"], case["steps"], folder, "whole")
        log, memory = self.mdrun(folder, "whole", cores, "-resetstep", "1")
        particles, whole = self.read_start(log)
        energy = self.energy(case["peer"], folder)
        # N/4 clusters, each sum rounded to half a unit of the last of 24 bits; 1e-5 for the log.
        if abs(whole / particles - energy) > (1e-5 + particles / 4 * 2**-24) * abs(energy):
            raise BenchError(f"{self.name}: potential energy {whole / particles} per particle, "
                             f"of a piece of the same lattice {energy}")
        return sample(case, *self.read_loop(log), particles, energy * particles, memory)


class Library:
    """A peer that is a Python library: its deck is a program that times its own loop."""

    tolerance = 1e-5

    def __init__(self, pythons):
        """Uses the first of these Pythons that has the library."""
        found = {python: first_line([python, "-c", self.ask]) for python in pythons}
        self.python = next((p for p in pythons if found[p] != "unknown"), None)
        if not self.python:
            raise BenchError(f"{self.name}: no Python has it")
        self.about = {"version": found[self.python]}

    def can(self, case):
        return case["peer"]["deck"] in self.decks and case["particles"] <= self.largest

    def run(self, case, cores, folder):
        deck = bench / "peers" / self.decks[case["peer"]["deck"]]
        steps = max(1, round(case["steps"] * self.share))
        system = {**case["peer"], "steps": steps, "threads": cores}
        text, memory = execute([self.python, deck, json.dumps(system)], cores, folder)
        return sample(case, *self.read(text), memory)

    @staticmethod
    def read(text):
        """Reads the last line that a deck prints."""
        try:
            said = json.loads(text.strip().splitlines()[-1])
            return (said["seconds"], said["steps"], said["particles"],
                    said["energy"] * said["particles"])
        except (ValueError, IndexError, KeyError, TypeError) as error:
            raise BenchError(f"output not understood\n{text[-2000:]}") from error


class OpenMM(Library):
    name = "OpenMM"
    ask = "import openmm; print('OpenMM', openmm.__version__)"
    decks = {"melt_3d": "openmm_melt_3d.py"}
    share, largest = 1, 1_100_000  # particles are summed one by one


class JaxMd(Library):
    name = "JAX-MD"
    ask = ("import jax_md; from importlib.metadata import version as v; "
           "print('JAX-MD', v('jax-md'), 'JAX', v('jax'))")
    decks = {"melt_3d": "jax_md_fluid.py", "liquid_2d": "jax_md_fluid.py"}
    share, largest = 0.05, 100_000  # beyond, a round would take minutes
