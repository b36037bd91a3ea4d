# SPDX-License-Identifier: BSD-3-Clause
"""Published experiments that are inputs of mdrun, in inputs/seeds."""
import h5py
import numpy as np

from .chart import Chart
from .reproduction import Experiment, Outcome

BOOK = "Leimkuhler and Reich 2004"


def error_chart(time, error):
    """Errors of the first oscillations; more would be a black area."""
    chart = Chart("time", "error of the energy")
    chart.line(time[time < 30], error[time < 30])
    return chart


# ---- the chain of Fermi, Pasta and Ulam -------------------------------------------------------

def chain_energy(file):
    """The energy of one half of the ring."""
    return 0.5 * file["observables/total_energy/value"][:]


def chain_modes(file):
    """Times, energies of the first three modes, and the deviation of the halves of the ring from
    mirror images. The second half is the chain between the walls."""
    group = file["particles/all"]
    place, velocity = group["position/value"][:, :, 0], group["velocity/value"][:, :, 0]
    moved = place - (np.arange(64) + 0.5)
    moved -= 64.0 * np.round(moved / 64.0)
    asymmetry = np.abs(moved[:, 33:] + moved[:, 31:0:-1]).max()
    modes = []
    for k in (1, 2, 3):
        shape = np.sqrt(2 / 32) * np.sin(np.pi * k * np.arange(32) / 32)
        omega = 2 * np.sin(np.pi * k / 64)
        modes.append(0.5 * ((velocity[:, 32:] @ shape) ** 2 + (omega * (moved[:, 32:] @ shape)) ** 2))
    return group["position/time"][:], modes, asymmetry


def fpu_chain(programs, folder):
    outcome = Outcome()
    for dt, steps, known in ((0.2, 64_030, 7.34e-5), (0.1, 128_060, 3.62e-5), (0.05, 256_100, 1.80e-5)):
        with h5py.File(programs.run_input(
                "fpu_chain", folder / f"euler_{dt}", "integrator.method=symplectic-euler-b", f"integrator.dt={dt}",
                f"run.steps={steps}", "observe.0.every=2", "output.trajectory.every=100000")) as file:
            energy = chain_energy(file)
        outcome.compare(f"energy, step {dt}", 4.81527e-3, energy[0], 0.5e-8)
        # Half a unit of the last digit, and the change between two samples: about 1e-3 of the
        # amplitude.
        outcome.compare(f"symplectic-euler-b, step {dt}: error of the energy", known,
                        np.abs(energy - energy[0]).max(), 0.005e-5 + 2e-3 * known)
    with h5py.File(programs.run_input("fpu_chain", folder / "modes")) as file:
        energy = chain_energy(file)
        time, modes, asymmetry = chain_modes(file)
    # Half a unit of the last digit, and the time between two frames: a third of a period of the
    # first mode.
    outcome.compare("smallest energy of the first mode", 1.906e-3, modes[0].min(), 0.002e-3)
    outcome.compare("largest of the second", 2.67e-3, modes[1].max(), 0.01e-3)
    outcome.compare("largest of the third", 5.3e-4, modes[2].max(), 0.05e-4)
    outcome.compare("mclachlan-4: error of the energy", 0.0, np.abs(energy - energy[0]).max(), 1e-10)
    outcome.compare("the halves of the ring are mirror images", 0.0, asymmetry, 1e-8)
    chart = Chart("time", "energy of a mode")
    for k, mode in enumerate(modes):
        chart.line(time, mode, k, f"mode {k + 1}")
    outcome.charts.append(("Energies of modes", chart))
    return outcome


# ---- resonances of large steps ----------------------------------------------------------------

def slow_fast_pair(programs, folder):
    """Growth in a step; a growing run is expected to explode (status 3)."""
    outcome = Outcome()
    chart = Chart("step", "energy", log="y")
    runs = (("respa", 5.43, 1500, 0, 1.0, 5e-5), ("respa", 5.486, 250, 3, 1.0257, 5e-4),
            ("mollified-impulse", 5.46, 1500, 0, 1.0, 5e-5), ("mollified-impulse", 5.486, 3000, 3, 1.0018, 5e-4))
    for number, (method, ratio, steps, status, known, within) in enumerate(runs):
        with h5py.File(programs.run_input(
                "slow_fast_pair", folder / f"run_{number}", f"integrator.method={method}", f"integrator.dt={0.1 * ratio}",
                f"run.steps={steps}", status=status)) as file:
            energy = file["observables/total_energy/value"][:]
        # The energy oscillates over some steps: the largest of 25 is taken.
        most = np.log([part.max() for part in np.array_split(energy, len(energy) // 25)])[1:]
        slope = np.polyfit(25.0 * np.arange(len(most)), most, 1)[0]
        outcome.compare(f"{method}, step {ratio} eps: growth", known, np.exp(0.5 * slope), within)
        chart.line(25.0 * np.arange(1, len(most) + 1), np.exp(most), number, f"{method}, {ratio}")
    outcome.charts.append(("Largest energy in 25 steps", chart))
    return outcome


def perturbed_oscillator(programs, folder):
    """Growth in a step; without growth the energy oscillates."""
    outcome = Outcome()
    chart = Chart("step", "energy", log="y")
    runs = ((2.3, 1.0), (2.9997, 1.16098), (4.7, 1.0), (6.0047, 1.34393), (7.85, 1.0), (9.0191, 1.54732))
    for number, (angle, known) in enumerate(runs):
        grows = known > 1.0
        with h5py.File(programs.run_input(
                "perturbed_oscillator", folder / f"run_{number}", f"integrator.dt={0.1 * angle}",
                f"run.steps={30 if grows else 3000}", status=3 if grows else 0)) as file:
            energy = file["observables/total_energy/value"][:]
        # The slower growing part has decayed after some steps.
        found = (np.exp(0.5 * np.log(energy[24] / energy[12]) / 12) if grows else
                 (energy[1500:].max() / energy[:1500].max()) ** (0.5 / 1500))
        outcome.compare(f"omega dt = {angle}: growth", known, found, 1e-4 if grows else 1e-5)
        chart.line(np.arange(30), energy[:30], number, f"{angle}")
    outcome.charts.append(("Energy", chart))
    return outcome


# ---- one body ---------------------------------------------------------------------------------

def kepler(programs, folder):
    outcome = Outcome()
    known = {"verlet": (1.27e-2, 0.005e-2), "triple-jump": (6.25e-5, 0.005e-5), "mclachlan-4": (2.13e-6, 0.005e-6),
             "blanes-moan-4": (3.54e-7, 0.005e-7), "blanes-moan-4-drift": (6.16e-9, 0.006e-9),
             "yoshida-6": (2.62e-8, 0.005e-8), "kahan-li-6": (3.47e-9, 0.005e-9), "blanes-moan-6": (1.64e-10, 0.005e-10),
             # Random rounding errors of 1e-16 in each of 31 flows of 160 steps, carried along the
             # orbit.
             "mclachlan-8": (7.4e-13, 1e-13)}
    for method, (distance, within) in known.items():
        with h5py.File(programs.run_input("kepler", folder / method, f"integrator.method={method}")) as file:
            place = file["particles/all/position/value"][-1, :, :2]
        outcome.compare(f"{method}: distance from the start", distance,
                        np.linalg.norm(place[0] - place[1] - [0.7, 0.0]), within)
    return outcome


def energy_error(programs, folder, name, time, method, dt):
    """Times and errors of the energy."""
    with h5py.File(programs.run_input(name, folder / f"{method}_{dt}", f"integrator.method={method}",
                                      f"integrator.dt={dt}", f"run.steps={round(time / dt)}")) as file:
        series = file["observables/total_energy"]
        return series["time"][:], np.abs(series["value"][:] - series["value"][0])


def lj_oscillator(programs, folder):
    outcome = Outcome()
    for dt, known, within in ((0.01, 2.29e-3, 0.005e-3), (0.02, 9.4e-3, 0.05e-3)):
        time, error = energy_error(programs, folder, "lj_oscillator", 5000.0, "verlet", dt)
        outcome.compare(f"step {dt}: error of the energy", known, error.max(), within)
        half = len(error) // 2
        outcome.compare(f"step {dt}: second half over first", 1.0, error[half:].max() / error[:half].max(), 1e-3)
    outcome.charts.append(("Verlet, step 0.02", error_chart(time, error)))
    return outcome


def morse_oscillator(programs, folder):
    outcome = Outcome()
    for method, dt, known, within in (
            ("verlet", 0.1, 4.15e-3, 0.005e-3), ("verlet", 0.05, 1.03e-3, 0.005e-3),
            ("symplectic-euler-a", 0.1, 5.81e-2, 0.006e-2), ("symplectic-euler-b", 0.1, 5.81e-2, 0.006e-2),
            ("symplectic-euler-a", 0.05, 2.79e-2, 0.005e-2), ("symplectic-euler-b", 0.05, 2.79e-2, 0.005e-2)):
        time, error = energy_error(programs, folder, "morse_oscillator", 200.0, method, dt)
        outcome.compare(f"{method}, step {dt}: error of the energy", known, error.max(), within)
    outcome.charts.append((f"{method}, step {dt}", error_chart(time, error)))
    return outcome


EXPERIMENTS = [
    Experiment("fpu_chain", f"the chain of Fermi, Pasta and Ulam ({BOOK}, section 4.5)", fpu_chain),
    Experiment("perturbed_oscillator", f"a fast oscillator that is followed exactly, with slow kicks ({BOOK}, figure 10.1)",
               perturbed_oscillator),
    Experiment("slow_fast_pair", f"resonances of impulses with a fast oscillator ({BOOK}, figure 10.8)", slow_fast_pair),
    Experiment("kepler", "Kepler's problem by every method (independent programs)", kepler),
    Experiment("lj_oscillator", f"a Lennard-Jones oscillator by Verlet's method ({BOOK}, section 4.2)", lj_oscillator),
    Experiment("morse_oscillator", f"a Morse oscillator ({BOOK}, exercise 2.8)", morse_oscillator),
]
