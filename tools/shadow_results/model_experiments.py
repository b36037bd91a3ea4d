# SPDX-License-Identifier: BSD-3-Clause
"""Published experiments on model systems, run by shadow-models, and their figures."""
import csv
import dataclasses

import numpy as np

from .chart import Chart
from .reproduction import Experiment, Outcome, run


@dataclasses.dataclass
class Figure:
    """`lines`: labels of columns of FILE.csv, plotted over the first column. Without lines the file
    has eigenvalues, whose angles are plotted."""
    heading: str
    file: str
    xlabel: str
    ylabel: str
    lines: dict
    log: str = ""


RATIO, GROWTH, ERROR = "Δt/ε", "growth in a step", "largest relative error"

CHANGE = "change of the energy"

SPHERE = {"newmark": "Lie-Newmark", "rattle": "RATTLE", "runge_kutta": "RKMK4", "gauss": "RKMKGL4"}

FIGURES = {
    "oscillator_methods": [
        Figure("Figures 2.8 and 2.9", "oscillator_methods", "ωΔt", GROWTH,
               {"euler": "Euler", "verlet": "Verlet", "runge_kutta": "Runge-Kutta"}, "y")],
    "lj_wall": [
        Figure("Figures 2.3 to 2.6 and 4.1, from 1.5", "lj_wall", "time", CHANGE,
               {"euler": "Euler, 0.001", "runge_kutta": "Runge-Kutta, 0.01", "verlet": "Verlet, 0.01"}),
        Figure("Figure 2.4, growth of errors", "lj_wall", "time", "", {"a": "a", "b": "b"}, "y")],
    "morse_methods": [
        Figure("Exercise 2.8, step 0.1", "morse_methods", "time", CHANGE,
               {"euler": "Euler", "euler_a": "symplectic Euler", "verlet": "Verlet", "runge_kutta": "Runge-Kutta"}, "y")],
    "magnetic_charge": [
        Figure("Figure 4.6, Scovel's method, step 0.1", "magnetic_charge", "time", "relative " + CHANGE,
               {"energy": "energy"})],
    "reduced_kepler": [
        Figure("Figure 5.1", "reduced_kepler", "step", "largest change",
               {"energy": "energy", "modified": "modified energy"}, "xy")],
    "kepler_shadow": [
        Figure("Exercise 5.6", "kepler_shadow", "step", "largest change",
               {"energy": "energy", "shadow": "shadow energy"}, "xy")],
    "exponentially_small_drift": [
        Figure("Figure 5.4", "exponentially_small_drift", "step", CHANGE,
               {"from_20": "from -20", "most": "largest of 64 positions", "fit": "150 exp(-11.8 / Δt)"}, "y")],
    "adiabatic_invariant": [
        Figure("Figure 5.6", "adiabatic_invariant", "ε", "largest change of the action",
               {dt: f"Δt = {dt}" for dt in ("0.4", "0.2", "0.1", "0.05", "0.01")}, "y")],
    "fpu_splitting": [
        Figure("Exercise 4.5, energies of modes", "fpu_splitting", "time", "energy",
               {"first": "first", "second": "second", "third": "third"})],
    "repulsive_gas": [
        Figure("Figure 5.5", "repulsive_gas", "time", "average of the kinetic energy of a particle",
               {f"run_{k}": f"start {k}" for k in (1, 2, 3, 4)})],
    "chart_switching": [
        Figure("Exercise 7.1, step 0.1", "chart_switching", "time", "energy", {"energy": "midpoint in two charts"})],
    "sprung_top": [
        Figure("Figures 8.2 and 8.4, step 0.1", "sprung_top", "time", "height",
               {"rattle": "RATTLE", "exact": "exact turns", "axes": "axes 1, 2, 3"})],
    "lagrangian_top": [
        Figure("Figure 8.3, exact turns, step 0.1", "lagrangian_top", "time", "height", {"height": "height"}),
        Figure("Energy", "lagrangian_top", "time", CHANGE, {"energy": "exact turns"})],
    "free_body_orders": [
        Figure("Without a torque, step 0.4", "free_body_orders", "time", "change of the kinetic energy",
               {"rattle": "RATTLE", "axes": "axes 1, 2, 3"})],
    "sphere_on_spring": [
        Figure("Section 8.3.4, step 0.01", "sphere_on_spring", "time", "x of the centre", {"x": "x"}),
        Figure("Energy", "sphere_on_spring", "time", CHANGE, {"energy": "energy"})],
    "arenstorf_orbit": [
        Figure("Figure 6.1", "arenstorf_orbit", "x", "y", {"y": "mclachlan-8"})],
    "two_planets": [
        Figure("Wisdom and Holman's splitting, 40 steps a period", "two_planets", "periods", "relative " + CHANGE,
               {"energy": "energy"})],
    "solar_system": [
        Figure("Figure 6.3, four evaluations of forces a day", "solar_system", "days", "relative " + CHANGE,
               {"mclachlan_4": "mclachlan-4", "processed": "processed", "mclachlan_8": "mclachlan-8"})],
    "soft_impact_oscillator": [
        Figure("Figure 9.3, scaled trapezoidal rule, 4000 steps", "soft_impact_oscillator", "time", CHANGE,
               {"energy": "energy"})],
    "adaptive_kepler": [
        Figure("Factor of time over g, minus one; eccentricity 0.9", "adaptive_kepler", "time", "",
               {"mean": "eq. 9.19", "harmonic": "eq. 9.20"}),
        Figure("Steps", "adaptive_kepler", "time", "Δt", {"step": "eq. 9.20"}, "y")],
    "poincare_kepler": [
        Figure("Order 2, 200 steps a period", "poincare_kepler", "time", "change",
               {"energy": "energy", "transformed": "transformed energy"})],
    "switched_methods": [
        Figure("Exercise 9.5", "switched_methods", "step", "largest " + CHANGE,
               {"verlet": "verlet", "fourth": "triple-jump", "both": "both"}, "xy")],
    "differentiated_control": [
        Figure("Section 9.2.3, 200 steps a period", "differentiated_control", "time", CHANGE, {"energy": "energy"}),
        Figure("Control minus its target", "differentiated_control", "time", "", {"misfit": "ρ"})],
    "constrained_collision": [
        Figure("Exercise 9.4, α = 12", "constrained_collision", "time", CHANGE, {"energy": "energy"}),
        Figure("Steps", "constrained_collision", "time", "Δt", {"step": "eq. 9.20"}, "y")],
    "resonant_oscillator": [
        Figure("Figure 10.1", "resonant_oscillator", "ωΔt", GROWTH, {"w_10": "ω = 10", "w_50": "ω = 50"})],
    "mollified_oscillator": [
        Figure("Exercise 10.4, ω = 10", "mollified_oscillator", "ωΔt", GROWTH,
               {"impulses": "kicks", "mollified": "mollified kicks"})],
    "slow_fast_resonances": [
        Figure("Figure 10.2", "slow_fast_resonances", RATIO, GROWTH,
               {f"eps_1_{n}": f"ε = 1/{n}" for n in (10, 20, 40, 80)}),
        Figure("Figure 10.3, ε = 1/40", "slow_fast_resonances_eigenvalues", RATIO, "", {})],
    "slow_fast_nonlinear": [
        Figure("Figure 10.4", "slow_fast_nonlinear", RATIO, ERROR, {"energy": "energy", "action": "action"}, "y")],
    "slow_fast_reduced": [
        Figure("Figure 10.5", "slow_fast_reduced", "time", "q",
               {"q_full": "full", "q_reduced": "reduced", "q_free": "without the fast part"})],
    "reversible_averaging": [
        Figure("Figure 10.6 and variants, ε = 1/40", "reversible_averaging", RATIO, GROWTH,
               {"averaging": "averaging", "half_window": "half of the window", "at_rest": "q at rest"}),
        Figure("Figure 10.6, ε = 1/40", "reversible_averaging_eigenvalues", RATIO, "", {})],
    "reversible_averaging_nonlinear": [
        Figure("Figure 10.7, energy", "reversible_averaging_nonlinear", RATIO, ERROR,
               {"energy_moving": "RA-1", "energy_at_rest": "RA-0"}, "y"),
        Figure("Figure 10.7, action", "reversible_averaging_nonlinear", RATIO, ERROR,
               {"action_moving": "RA-1", "action_at_rest": "RA-0"}, "y")],
    "mollified_impulses": [
        Figure("Impulses, ε = 1/10", "mollified_impulses", RATIO, GROWTH,
               {"impulses": "impulses", "mollified": "mollified impulses"}),
        Figure("Figure 10.8, ε = 1/40", "mollified_impulses_eigenvalues", RATIO, "", {})],
    "stiff_ring": [
        Figure("Exercise 10.6, J = ε = 0.01", "stiff_ring", "time", "φ",
               {"full": "full", "constrained": "constrained", "averaged": "with J ω(φ)"})],
    "two_fast_modes": [
        Figure("Exercise 10.5", "two_fast_modes", "ω₁Δt", GROWTH, {"four": "ω₂ = 4 ω₁", "two": "ω₂ = 2 ω₁"})],
    "nose_oscillator": [
        Figure("Density of positions, kT = 1", "nose_oscillator", "q", "density",
               {"mass_1": "mass 1", "mass_10": "mass 10", "mass_0.1": "mass 0.1", "canonical": "canonical"})],
    "nose_double_well": [
        Figure("Density of positions, kT = 0.5", "nose_double_well", "q", "density",
               {"mass_1": "mass 1", "mass_0.1": "mass 0.1", "canonical": "canonical"})],
    "nose_weights": [
        Figure("Kinetic energy of each of 200 parts of a run", "nose_weights", "part", "kinetic energy",
               {f"g_{k}": f"g = {k}" for k in (3, 2, 1)})],
    "generalized_baths": [
        Figure("s of an oscillator with a vertex bath", "generalized_baths_vertex", "time", "s", {"s": "s"}, "y"),
        Figure("s of an oscillator with soft balls", "generalized_baths_balls", "time", "s", {"s": "s"}, "y")],
    "rescaled_double_well": [
        Figure("Section 11.5, kT = 0.02", "rescaled_double_well", "time", "q",
               {"plain": "H", "rescaled": "a ln(1 + H/a)"})],
    "dropped_pendulum": [
        Figure("Figure 2.8 of the thesis", "dropped_pendulum", "time", "energy",
               {"implicit_euler": "implicit Euler", "symplectic_euler": "symplectic Euler"})],
    "unbalanced_rotor": [
        Figure("Figure 1 of Paper I", "unbalanced_rotor", "time", "q₁",
               {"exact": "exact", "midpoint": "midpoint", "verlet": "Verlet", "extrapolated": "extrapolated Euler",
                "heun": "Heun"})],
    "two_walls": [
        Figure("Paper II, example 3.2, ε = 0.0311", "two_walls", "time", "Δt", {"step": "midpoint"}, "y"),
        Figure("Energy", "two_walls", "time", CHANGE, {"energy": "midpoint"})],
    "four_ball_billiard": [
        Figure("Paper II, example 3.3, ε = 0.025", "four_ball_billiard", "time", "Δt", {"step": "symplectic Euler"}, "y"),
        Figure("Energy", "four_ball_billiard", "time", CHANGE, {"energy": "symplectic Euler"})],
    "scaled_kepler": [
        Figure("Paper III, example 1", "scaled_kepler", "time", CHANGE,
               {"density": "density of steps", "energy_scaled": "scaled by energies"})],
    "scaled_drift": [
        Figure("Paper III, example 2", "scaled_drift", "steps", CHANGE,
               {"density": "density of steps", "energy_scaled": "scaled by energies"})],
    "doubled_system": [
        Figure("Paper III, example 3", "doubled_system", "steps", CHANGE, {"energy": "doubled system"})],
    "free_body": [
        Figure("Paper IV, figure 1", "free_body", "time", "angular momentum",
               {"x_1": "x₁", "x_2": "x₂", "x_3": "x₃"})],
    "damped_pendulum": [
        Figure("Figure 3, ε = 0.01, step 0.2", "damped_pendulum", "time", "energy",
               {"splitting": "algorithm 3.1", "heun": "Heun"})],
    "damped_elastic_pendulum": [
        Figure("Figure 6, ε = 0.1, step 0.2", "damped_elastic_pendulum", "time", "radius",
               {"splitting": "algorithm 3.1", "heun": "Heun"})],
    "lie_body": [
        Figure("Figure 4.1, h = 1/8", "lie_body", "time", CHANGE,
               {f"method_{k + 1}": name for k, name in enumerate((
                   "explicit Newmark", "trapezoidal Newmark", "explicit midpoint", "partitioned", "Crouch-Grossman",
                   "semi-explicit", "variational"))})],
    "spherical_pendulum": [
        Figure("Figure 7.1", "spherical_pendulum", "time", CHANGE, SPHERE)],
    "double_spherical_pendulum": [
        Figure("Figure 7.4", "double_spherical_pendulum", "time", CHANGE, SPHERE)],
    "dipole_array": [
        Figure("Figure 7.7", "dipole_array", "time", CHANGE, SPHERE)],
    "sphere_flow": [
        Figure("Figure 4, step 0.02", "sphere_flow", "time", "|x| minus one",
               {"euler": "Euler", "implicit_euler": "implicit Euler", "lie_euler": "Lie-Euler"})],
    "semi_explicit_stability": [
        Figure("Figure 2, edges", "semi_explicit_stability", "h²k", "largest stable hc",
               {"alpha_0": "α = 0", "alpha_0.25": "α = 1/4", "alpha_0.5": "α = 1/2"})],
    "semi_explicit_springs": [
        Figure("Figure 3", "semi_explicit_springs", "time", "q of the first particle",
               {"exact": "exact", "semi_explicit": "semi-explicit, β = 0.8", "theta_0.5": "θ = 1/2", "theta_0.8": "θ = 0.8"})],
    "semi_explicit_pendulum": [
        Figure("Figure 4", "semi_explicit_pendulum", "time", "error of q_x",
               {"semi_explicit": "semi-explicit, β = 0.6", "theta_0.5": "θ = 1/2", "theta_0.6": "θ = 0.6"}),
        Figure("Figure 5", "semi_explicit_pendulum", "time", "stretch of the rod",
               {"stretch_theta_0.5": "θ = 1/2", "stretch_semi_explicit": "semi-explicit, β = 0.6", "stretch_theta_0.6": "θ = 0.6"})],
}


def read_columns(path):
    with open(path, encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    return dict(zip(head, np.array(rows, dtype=float).T))


def draw(figure, folder):
    columns = read_columns(folder / f"{figure.file}.csv")
    x = next(iter(columns.values()))
    if figure.lines:
        chart = Chart(figure.xlabel, figure.ylabel, log=figure.log)
        for k, (name, label) in enumerate(figure.lines.items()):
            chart.line(x, columns[name], k, label)
        return chart
    # The eigenvalues of a pair have opposite angles: one of each pair is plotted.
    chart = Chart(figure.xlabel, "angles of eigenvalues, π")
    for k, number in enumerate((1, 3)):
        chart.line(x, np.abs(np.arctan2(columns[f"im_{number}"], columns[f"re_{number}"])) / np.pi, k)
    return chart


def experiments(program):
    """The experiments that shadow-models lists."""
    return [one_by_name(*line.split(maxsplit=1)) for line in run([program]).splitlines()]


def one_by_name(name, summary):
    def reproduce(programs, folder):
        # Status 1: a number differs, which the page shows.
        run([programs.models, name, "--output", folder], (0, 1))
        outcome = Outcome()
        with open(folder / f"{name}_findings.csv", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                outcome.compare(*row.values())
        outcome.charts = [(f.heading, draw(f, folder)) for f in FIGURES.get(name, [])]
        return outcome
    return Experiment(name, summary, reproduce)
