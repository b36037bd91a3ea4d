# SPDX-License-Identifier: BSD-3-Clause
"""Contestants of bench/charges.py and bench/charged_drift.py: the same melt of ions in each program.

A choice is a treatment of charges: `method` is `pme`, `dsf` or `reaction-field`, the rest are its
settings in the program. A contestant has `can(method)`, `prepare(system, folder)`, `families(...)`,
lists of choices from coarse to fine, `start(choice, folder)`, forces and the potential energy per
ion at step 0, `time(choice, steps, folder)`, and `energies(...)` along a run.
"""
import json
import math
import os
import pathlib
import re
import shutil
import subprocess

import h5py
import numpy as np

from contestants import BenchError, Gromacs, Lammps, Shadow, bench, execute, watch

charge, density = 6.0, 0.6
scale = charge**2 * density ** (2 / 3)
coulomb = 138.935458  # of GROMACS, kJ nm / (mol e^2)
ends = ["none", "shift", "force-shift", "smooth-c1", "smooth-c2"]  # of Lennard-Jones in the same system
truncated = {"dsf": {"method": "dsf", "cutoff": 3.0, "alpha": 0.5},
             "reaction-field": {"method": "reaction-field", "cutoff": 3.0}}
steps_apart = 5  # of set-up and steps in processor time


def processor(usage):
    return usage.ru_utime + usage.ru_stime


def run_shadow(mdrun, folder, *settings):
    """Seconds of processor time, for set-up and steps together."""
    _, usage = watch([mdrun, "input.toml", "--progress=none", "--quiet", "--summary", "summary.json",
                      *[word for s in (*settings, "compute.threads=1", "compute.device=cpu")
                        for word in ("--set", s)]], 1, folder)
    return processor(usage)


def write_start(system, folder):
    places, velocities, species, edge = system
    with open(folder / "start.data", "w") as file:
        file.write(f"ions\n\n{len(places)} atoms\n2 atom types\n\n")
        for axis in "xyz":
            file.write(f"0 {edge!r} {axis}lo {axis}hi\n")
        file.write("\nMasses\n\n1 1.0\n2 1.0\n\nAtoms # charge\n\n")
        for k, (s, x) in enumerate(zip(species, places.tolist()), 1):
            file.write(f"{k} {s} {charge if s == 1 else -charge} {x[0]!r} {x[1]!r} {x[2]!r}\n")
        file.write("\nVelocities\n\n")
        for k, v in enumerate(velocities.tolist(), 1):
            file.write(f"{k} {v[0]!r} {v[1]!r} {v[2]!r}\n")


class ShadowCharges(Shadow):
    energy_rounding = 0.0  # relative, for each particle

    tables = {"pme": 'type = "coulomb-pme"\naccuracy = {accuracy}\n',
              "dsf": 'type = "coulomb-dsf"\nalpha = {alpha}\ncutoff = {cutoff}\n',
              "reaction-field": 'type = "reaction-field"\nepsilon_rf = inf\ncutoff = {cutoff}\n'}

    def can(self, method, truncation="shift"):
        return True

    def prepare(self, system, folder):
        self.particles = len(system[0])
        write_start(system, folder)

    def families(self, accuracy, system):
        return [[{"method": "pme", "accuracy": accuracy}]]

    def simulate(self, choice, steps, folder, *settings):
        table = self.tables[choice["method"]].format(**choice)
        deck = (bench / "charged_liquid.toml").read_text()
        (folder / "input.toml").write_text(f"{deck}\n[[force]]\n{table}")
        end = choice.get("truncation", "shift")
        ends = [f"force.0.truncation={end}"] + ["force.0.inner=2.5"] * end.startswith("smooth")
        return run_shadow(self.mdrun, folder, f"compute.precision={self.precision}",
                          f"run.steps={steps}", *ends, *settings)

    def start(self, choice, folder):
        self.simulate(choice, 0, folder)
        with h5py.File(folder / "results.h5") as file:
            return (file["particles/all/force/value"][0],
                    float(file["observables/potential_energy/value"][0]) / self.particles)

    def time(self, choice, steps, folder):
        """ns per particle-step: of processor time, that of set-up taken off; of the clock."""
        before = self.simulate(choice, steps_apart, folder)
        spent = self.simulate(choice, steps_apart + steps, folder) - before
        performance = json.loads((folder / "summary.json").read_text())["performance"]
        return (1e9 * spent / (steps * self.particles),
                (1 - performance["shares"]["checkpoint"]) * performance["ns_per_particle_step"])

    def energies(self, choice, steps, dt, every, folder):
        """Rows of step, potential and kinetic energy."""
        self.simulate(choice, steps, folder, f"integrator.dt={dt}", f"observe.0.every={every}",
                      f"output.trajectory.every={steps}")
        with h5py.File(folder / "results.h5") as file:
            columns = [file["observables/potential_energy/step"][...]]
            for name in ("potential_energy", "kinetic_energy"):
                columns.append(file[f"observables/{name}/value"][...].reshape(len(columns[0])))
        return np.stack(columns, axis=1)


class LammpsCharges(Lammps):
    energy_rounding = 0.0

    def can(self, method, truncation="shift"):
        return method in ("pme", "dsf") and not truncation.startswith("smooth")

    def prepare(self, system, folder):
        write_start(system, folder)

    def families(self, accuracy, system):
        return [[{"method": "pme", "cutoff": cutoff, "order": order, "accuracy": accuracy * 2**-k}
                 for k in np.arange(-7.0, 4.0, 0.5)]
                for cutoff in (3.0, 4.0, 5.0) for order in (5, 7)
                if cutoff + 0.3 < system[3] / 2]

    def simulate(self, choice, steps, folder, **variables):
        command = [self.lmp, "-sf", self.suffix, "-in", bench / "peers" / "lammps_charges.in", "-log",
                   "none"]
        for key, value in {**choice, "steps": steps, **variables}.items():
            command += ["-v", key, str(value).replace("-s", "_s")]  # its `if` takes no hyphen
        return execute(command, 1, folder, {"OMP_NUM_THREADS": "1"})[0]

    def start(self, choice, folder):
        _, _, particles, energy = self.read(self.simulate(choice, 0, folder))
        return np.loadtxt(folder / "forces.txt", skiprows=9)[:, 1:4], energy / particles

    def time(self, choice, steps, folder):
        """ns per particle-step: processor time during its loop, and wall time."""
        text = self.simulate(choice, steps, folder)
        seconds, done, particles, _ = self.read(text)
        wall = 1e9 * seconds / (done * particles)
        return wall * self.read_use(text), wall

    @staticmethod
    def read_use(text):
        """The fraction of the loop time in which it had the core."""
        use = re.search(r"^([\d.]+)% CPU use with 1 MPI tasks", text, re.M)
        if not use:
            raise BenchError(f"LAMMPS: use of the core not understood\n{text[-2000:]}")
        return float(use[1]) / 100

    def energies(self, choice, steps, dt, every, folder):
        self.simulate(choice, steps, folder, dt=dt, every=every)
        return np.loadtxt(folder / "energies.txt")


def screening(cutoff, accuracy, particles, edge):
    """ewald-rtol for which pairs have half of the squared error (Kolafa and Perram 1992)."""
    squares = particles * charge**2

    def error(alpha):
        return (2 * squares * math.exp(-((alpha * cutoff) ** 2)) /
                math.sqrt(particles * cutoff * edge**3) / scale)
    low, high = 0.1 / cutoff, 20 / cutoff
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if error(middle) > accuracy / math.sqrt(2) else (low, middle)
    return high, math.erfc(high * cutoff)


class GromacsCharges(Gromacs):
    energy_rounding = 2**-24 / 4  # mixed precision: clusters of four are summed in single

    def can(self, method, truncation="shift"):
        return method in ("pme", "reaction-field") and truncation == "shift"

    def prepare(self, system, folder):
        os.environ["GMX_MAXBACKUP"] = "-1"
        places, velocities, species, edge = system
        self.particles = len(places)
        names = {1: "A", 2: "B"}
        with open(folder / "start.gro", "w") as file:
            file.write(f"ions\n{len(places)}\n")
            for k, (s, x, v) in enumerate(zip(species, places.tolist(), velocities.tolist()), 1):
                file.write("%5d%-5s%5s%5d" % (k % 100000, names[s], names[s], k % 100000))
                file.write("%14.9f%14.9f%14.9f%14.10f%14.10f%14.10f\n" % (*x, *v))
            file.write("%.9f %.9f %.9f\n" % (edge, edge, edge))
        q = charge / math.sqrt(coulomb)
        kinds = "".join(f"[ moleculetype ]\n{n} 0\n[ atoms ]\n1 {n} 1 {n} {n} 1 {z!r} 1.0\n"
                        for n, z in (("A", q), ("B", -q)))
        runs = np.split(species, np.nonzero(np.diff(species))[0] + 1)
        (folder / "start.top").write_text(
            "[ defaults ]\n1 2\n[ atomtypes ]\nA 0 1.0 0.0 A 1.0 1.0\nB 0 1.0 0.0 A 1.0 1.0\n"
            f"{kinds}[ system ]\nions\n[ molecules ]\n" +
            "".join(f"{names[run[0]]} {len(run)}\n" for run in runs))

    def families(self, accuracy, system):
        found = []
        for cutoff in (3.0, 3.5, 4.0, 5.0):
            if cutoff + self.skin > system[3] / 2:
                continue
            alpha, rtol = screening(cutoff, accuracy, len(system[0]), system[3])
            found += [[{"method": "pme", "cutoff": cutoff, "order": order, "rtol": rtol,
                        "spacing": 1.0 / alpha * 0.9**k} for k in range(14)] for order in (4, 5)]
        return found

    def simulate(self, choice, steps, folder, *options, dt=0.002, every=1_000_000):
        deck = (bench / "peers" / "gromacs_charges.mdp").read_text()
        rows = {"nsteps": steps, "dt": dt, "nstcalcenergy": every, "nstenergy": every,
                "rcoulomb": choice["cutoff"], "rlist": choice["cutoff"] + self.skin}
        if choice["method"] == "pme":
            rows |= {"coulombtype": "PME", "ewald-rtol": choice["rtol"], "pme-order": choice["order"],
                     "fourier-spacing": choice["spacing"], "nstfout": 1_000_000}
        else:
            rows |= {"coulombtype": "reaction-field", "epsilon-rf": 0, "nstfout": 1_000_000}
        (folder / "start.mdp").write_text(deck + "".join(f"{k} = {v}\n" for k, v in rows.items()))
        execute([self.gmx, "grompp", "-f", "start.mdp", "-c", "start.gro", "-p", "start.top", "-o",
                 "run.tpr", "-maxwarn", "3"], 1, folder)
        _, usage = watch(self.command("run", 1, "-notunepme", *options), 1, folder)
        return (folder / "run.log").read_text(), processor(usage)

    def start(self, choice, folder):
        import MDAnalysis.lib.formats.libmdaxdr as xdr
        log, _ = self.simulate(choice, 0, folder, "-o", "run.trr")
        particles, energy = self.read_start(log)
        energy /= particles
        if choice["method"] == "reaction-field":  # each charge has its own term there
            energy += 0.75 * charge**2 / choice["cutoff"]
        with xdr.TRRFile(str(folder / "run.trr")) as file:
            return np.array(file.read().f, dtype=float), energy

    def time(self, choice, steps, folder):
        """ns per particle-step: processor time without set-up, and wall time. (The core time in its
        log is wall time.)"""
        _, before = self.simulate(choice, steps_apart, folder, "-resetstep", "1")
        log, spent = self.simulate(choice, steps_apart + steps, folder, "-resetstep", "1")
        seconds, done = self.read_loop(log)
        return (1e9 * (spent - before) / (steps * self.particles),
                1e9 * seconds / (done * self.particles))

    def energies(self, choice, steps, dt, every, folder):
        self.simulate(choice, steps, folder, "-e", "run.edr", dt=dt, every=every)
        subprocess.run([self.gmx, "energy", "-f", "run.edr", "-o", "run.xvg", "-dp", "-xvg", "none"],
                       input="Potential\nKinetic-En.\n\n", text=True, cwd=folder, check=True,
                       capture_output=True)
        rows = np.loadtxt(folder / "run.xvg")
        return np.column_stack([np.rint(rows[:, 0] / dt), rows[:, 1:3]])


def found_at(program):
    """The absolute path of a program, as all programs run in their own folders."""
    return os.path.abspath(shutil.which(program) or program)


def find(options):
    found = [ShadowCharges(options.mdrun, p) for p in options.precision]
    if "lammps" in options.peer and options.lmp:
        found.append(LammpsCharges(options.lmp, "opt"))
    if "gromacs" in options.peer and options.gmx:
        found.append(GromacsCharges(options.gmx))
    return found


def add_contestants(parser):
    parser.add_argument("--mdrun", type=lambda p: pathlib.Path(p).resolve(),
                        default=bench.parent / "build" / "mdrun")
    parser.add_argument("--peer", nargs="*", default=["lammps", "gromacs"],
                        choices=["lammps", "gromacs"], help="default: those that are found")
    parser.add_argument("--lmp", default=shutil.which("lmp"))
    parser.add_argument("--gmx", default=shutil.which("gmx"), type=found_at)
    parser.add_argument("--precision", nargs="*", default=["mixed", "double"])
