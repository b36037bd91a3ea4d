# SPDX-License-Identifier: BSD-3-Clause
"""Mollified impulses of molecules against NumPy, and what is refused."""

import json
import re

import h5py
import numpy as np
import pytest
from bent_molecules import ANGLES, BENT, BONDS, MASS, PLACES, fast_force, last_state, length, slow_force, write_start
from harness import mdrun
from runs import CHAINS, STIFF_CHAIN_FORCES, THERMO, Folder, one_stage, refuse_thread_differences

INPUT = BENT.replace("METHOD", """method = "mollified-impulse"
dt = 0.06
inner = 6
mollifier = "MOLLIFIER\"""")
REST = 150.0

#: Whose second derivative is the window 1 + cos(pi t) up to 1, and 0 beyond, at -1/6 to 7/6.
TWICE = np.array([0.5 * t * t - np.cos(np.pi * t) / np.pi**2 if t < 1.0 else t - 0.5 + 1.0 / np.pi**2 for t in np.arange(-1, 8) / 6.0])
#: Of q(k dt) and q(-k dt) together, for 6 steps between two kicks: integrals of windows times hats.
WEIGHTS = {
    "short-average": np.array([1.0, 2.0, 2.0, 1.0, 0.0, 0.0, 0.0]) / 6.0,
    "long-average": np.array([1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 1.0]) / 12.0,
    "linear-average": np.array([17.0 / 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 1.0 / 6.0]) / 18.0,
    "cosine-average": np.diff(TWICE, 2) * np.array([3.0, 6.0, 6.0, 6.0, 6.0, 6.0, 6.0]),
}


def average(q, dt, weight):
    """Of the motion from rest."""
    before, now, total = q, q, weight[0] * q
    for k, w in enumerate(weight[1:]):
        push = dt * dt * fast_force(now) / MASS
        before, now = now, now + 0.5 * push if k == 0 else 2.0 * now - before + push
        total = total + w * now
    return total


def constraints(q):
    """Squares of bonds and cosines of angles less those at rest, and gradients of half of the former."""
    g, gradient = [], []
    for i, j in BONDS:
        d = q[i] - q[j]
        g.append(0.5 * ((d * d).sum() - 1.0))
        gradient.append(np.zeros_like(q))
        gradient[-1][[i, j]] = d, -d
    for i, j, k in ANGLES:
        a, b = q[i] - q[j], q[k] - q[j]
        ra, rb = length(a), length(b)
        cosine = (a * b).sum() / (ra * rb)
        g.append(cosine - np.cos(np.radians(REST)))
        fa, fb = b / (ra * rb) - cosine * a / ra**2, a / (ra * rb) - cosine * b / rb**2
        gradient.append(np.zeros_like(q))
        gradient[-1][[i, j, k]] = fa, -fa - fb, fb
    return np.array(g), np.array(gradient).reshape(len(g), -1)


def rest(q, dt, weight):
    """Along gradients at the start, by Newton's method."""
    by_mass = (constraints(q)[1] / np.repeat(MASS.ravel(), 3)).T
    place = q.ravel()
    for _ in range(12):
        g, gradient = constraints(place.reshape(q.shape))
        place = place - by_mass @ np.linalg.solve(gradient @ by_mass, g)
    return place.reshape(q.shape)


def mollified_force(q, dt, weight, average):
    """Transposed derivative of the average, by complex steps, times the force there."""
    there = slow_force(average(q, dt, weight))
    force = np.zeros(q.size)
    for k in range(q.size):
        moved = q.astype(complex).ravel()
        moved[k] += 1e-30j
        force[k] = ((average(moved.reshape(q.shape), dt, weight).imag / 1e-30) * there).sum()
    return force.reshape(q.shape)


def by_the_book(q, v, dt, inner, weight, steps, average=average, fast_force=fast_force):
    h = dt / inner
    for _ in range(steps):
        v = v + 0.5 * dt * mollified_force(q, h, weight, average) / MASS
        for _ in range(inner):
            v = v + 0.5 * h * fast_force(q) / MASS
            q = q + h * v
            v = v + 0.5 * h * fast_force(q) / MASS
        v = v + 0.5 * dt * mollified_force(q, h, weight, average) / MASS
    return q, v


def test_each_average_has_its_weights_here(tmp_path):
    assert set(re.findall(r'"([a-z]+-average)"', mdrun("--describe", "mollified-impulse", cwd=tmp_path).out)) == set(WEIGHTS)


@pytest.mark.parametrize("mollifier", WEIGHTS)
def test_molecules_move_by_mollified_impulses(mollifier, tmp_path):
    assert WEIGHTS[mollifier].sum() == pytest.approx(1.0)
    velocity = 0.3 * np.sin(np.arange(21.0)).reshape(7, 3)
    folder = Folder(tmp_path / "run", INPUT.replace("MOLLIFIER", mollifier))
    write_start(folder.path, velocity)
    folder.run()
    x, v = last_state(folder.path)
    xs, vs = by_the_book(PLACES, velocity, 0.06, 6, WEIGHTS[mollifier], 30)
    assert np.abs(vs - velocity).max() > 0.3
    assert np.abs(x - xs).max() < 1e-9
    assert np.abs(v - vs).max() < 1e-9


def energies(path, dt):
    method = f'method = "mollified-impulse"\ndt = {dt}\ninner = 4'
    text = one_stage(method, round(0.12 / dt), THERMO.replace("5", "1"), CHAINS, STIFF_CHAIN_FORCES)
    folder = Folder(path, text, "compute.precision=double")
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        return file["observables/total_energy/value"][...]


def test_the_energy_is_that_of_small_steps_to_second_order(tmp_path):
    """Periods of bonds are 0.07."""
    error = []
    for dt in (0.008, 0.004, 0.002):
        energy = energies(tmp_path / str(dt), dt)
        error.append(np.abs(energy - energy[0]).max())
    assert 3.5 < error[0] / error[1] < 4.6 and 3.7 < error[1] / error[2] < 4.3, error


@pytest.mark.parametrize("bath, of_the_bath", [("nose-poincare", "mass = 500.0"), ("nose-hoover", "period = 0.6")])
def test_a_bath_conserves_its_energy_with_slow_kicks(tmp_path, bath, of_the_bath):
    """Stiff bonds in inner steps: the energy with the bath's is that of steps as short as these."""
    swing = {}
    for name, dt, inner in ((f"{bath}-respa", 0.008, "inner = 4"), (bath, 0.008, ""), (bath, 0.002, "")):
        method = f'method = "{name}"\ndt = {dt}\ntemperature = 1.0\n{of_the_bath}\n{inner}'
        text = one_stage(method, round(1.6 / dt), THERMO, CHAINS, STIFF_CHAIN_FORCES)
        folder = Folder(tmp_path / f"{name}{dt}", text, "compute.precision=double")
        folder.run()
        with h5py.File(folder.path / "out.h5") as file:
            swing[name, dt] = np.ptp(file["observables/conserved_energy/value"][...])
    assert swing[f"{bath}-respa", 0.008] < 0.25 * swing[bath, 0.008]
    assert swing[f"{bath}-respa", 0.008] < 4.0 * swing[bath, 0.002]


def test_molecules_move_by_impulses_at_rest(tmp_path):
    velocity = 0.3 * np.sin(np.arange(21.0)).reshape(7, 3)
    text = INPUT.replace("MOLLIFIER", "equilibrium").replace('"cosine-angle"\nk = 20.0', f'"harmonic-angle"\nk = 20.0\ntheta0 = {REST}')
    folder = Folder(tmp_path / "run", text.replace("steps = 30", "steps = 20"))
    write_start(folder.path, velocity)
    folder.run()
    x, v = last_state(folder.path)
    xs, vs = by_the_book(PLACES, velocity, 0.06, 6, None, 20, rest, lambda q: fast_force(
        q, lambda cosine: -20.0 * (np.arccos(cosine) - np.radians(REST)) / np.sqrt(1.0 - cosine**2)))
    assert np.abs(x - xs).max() < 1e-9
    assert np.abs(v - vs).max() < 1e-9


@pytest.mark.parametrize("precision", ["double", "mixed"])
def test_the_bits_of_mollified_chains_do_not_depend_on_threads(precision, tmp_path):
    text = one_stage('method = "mollified-impulse"\ndt = 0.008\ninner = 4', 100, THERMO, CHAINS, STIFF_CHAIN_FORCES)
    refuse_thread_differences(tmp_path, text, f"compute.precision={precision}")


@pytest.mark.parametrize("change, says", [
    (('level = "fast"', 'level = "slow"'), ('mollified-impulse without a bonded force of level "fast"', 'give level = "fast"')),
    (('cutoff = inf', 'cutoff = inf\nlevel = "fast"'), ('mollified-impulse with lennard-jones of level "fast"', 'give it the level "slow"')),
    (('"MOLLIFIER"', '"equilibrium"'), ('equilibrium with cosine-angle of level "fast"', "take long-average")),
    (('"MOLLIFIER"', '"middle"'), ("mollifier", '"short-average"')),
    (('"mollified-impulse"', '"respa"'), ('unknown key "mollifier"',)),
    (('inner = 6', 'inner = 0'), ("inner",)),
    (('inner = 6', 'inner = 2.5'), ("inner",)),
    (('inner = 6', 'inner = [2, 3]'), ("inner has 2 numbers",)),
])
def test_methods_that_cannot_mollify(change, says, tmp_path):
    text = INPUT.replace(*change).replace("MOLLIFIER", "long-average")
    (tmp_path / "in.toml").write_text(text)
    write_start(tmp_path, np.zeros((7, 3)))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2
    assert all(part in result.err for part in says), result.err


def test_more_bonds_and_angles_than_coordinates(tmp_path):
    """A ring of three has three coordinates."""
    text = INPUT.replace("MOLLIFIER", "equilibrium").replace('"cosine-angle"\nk = 20.0', '"harmonic-angle"\nk = 20.0\ntheta0 = 60.0')
    (tmp_path / "in.toml").write_text(text.replace("{ atoms = [0, 2] }]", "{ atoms = [0, 2] }, { atoms = [1, 2] }]"))
    write_start(tmp_path, np.zeros((7, 3)))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and "equilibrium of 4 bonds and angles of atoms 0 to 2 (which have 3 coordinates" in result.err, result.err


def test_molecules_that_do_not_get_to_their_rest(tmp_path):
    """Chains along a lattice, straight and folded, with angles of 40 degrees at rest."""
    forces = STIFF_CHAIN_FORCES.replace('"cosine-angle"\nk = 2.0', '"harmonic-angle"\nk = 0.001\ntheta0 = 40.0')
    method = 'method = "mollified-impulse"\ndt = 0.004\ninner = 4\nmollifier = "equilibrium"'
    folder = Folder(tmp_path / "run", one_stage(method, 20, THERMO, CHAINS, forces))
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert result.status == 3, result.err
    assert "there may be no way to the rest of bonds and angles that equilibrium needs" in result.err, result.err


@pytest.mark.parametrize("mollifier", [*WEIGHTS, "equilibrium"])
def test_what_is_conserved_has_slow_forces_at_averages(mollifier, tmp_path):
    """In second order, and hardly moves where the total energy swings."""
    swing = []
    for dt in (0.02, 0.01):
        text = INPUT.replace("MOLLIFIER", mollifier).replace("dt = 0.06", f"dt = {dt}").replace("steps = 30", f"steps = {round(0.6 / dt)}")
        if mollifier == "equilibrium":
            text = text.replace('"cosine-angle"\nk = 20.0', f'"harmonic-angle"\nk = 20.0\ntheta0 = {REST}')
        folder = Folder(tmp_path / str(dt), text + "[[observe]]\ntype = \"thermo\"\nevery = 1\n")
        write_start(folder.path, 0.3 * np.sin(np.arange(21.0)).reshape(7, 3))
        folder.run()
        with h5py.File(folder.path / "out.h5") as file:
            series = {name: file[f"observables/{name}/value"][...] for name in ("conserved_energy", "total_energy")}
        swing.append([np.ptp(series[name]) for name in ("conserved_energy", "total_energy")])
    assert 3.0 < swing[0][0] / swing[1][0] < 5.0, swing
    if mollifier == "equilibrium":
        assert swing[0][0] < 0.2 * swing[0][1], swing


def short_stage(name, method):
    return f"""[[stage]]
name = "{name}"
steps = 12
integrator = {{ {method} }}
[[stage.observe]]
type = "thermo"
every = 4
"""


def test_other_stages_conserve_what_they_do(tmp_path):
    """A minimisation and Verlet behind mollified impulses have the total energy."""
    stages = "".join(short_stage(name, method) for name, method in (("molly", 'method = "mollified-impulse", dt = 0.008, inner = 4'), ("relax", 'method = "minimize"'),
                         ("again", 'method = "mollified-impulse", dt = 0.008, inner = 4'), ("end", 'method = "verlet", dt = 0.001')))
    folder = Folder(tmp_path / "run", CHAINS + STIFF_CHAIN_FORCES + stages + '[output]\nprefix = "out"\n', "compute.precision=double")
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        series = [file[f"observables/{name}/value"][...] for name in ("conserved_energy", "total_energy")]
        step = file["observables/total_energy/step"][...]
    same = np.abs(series[0] - series[1]) < 1e-9 * np.abs(series[1])
    assert not same[(step > 0) & (step < 12)].any() and same[(step > 12) & (step < 24)].all(), (step, series)
    assert not same[(step > 24) & (step < 36)].any() and same[step > 36].all(), (step, series)


def test_a_stage_behind_mollified_impulses_is_resumed_with_its_own_energy(tmp_path):
    """The first stage alone, then both: as in one go."""
    stages = [short_stage("molly", 'method = "mollified-impulse", dt = 0.008, inner = 4'),
              short_stage("end", 'method = "implicit-explicit", dt = 0.001')]
    first = CHAINS + STIFF_CHAIN_FORCES + stages[0]
    output = '[output]\nprefix = "out"\n'
    folders = [Folder(tmp_path / name, text + output, "compute.precision=double")
               for name, text in (("whole", first + stages[1]), ("pieces", first))]
    for folder in folders:
        folder.run()
    (folders[1].path / "in.toml").write_text(first + stages[1] + output)
    folders[1].run("--resume")
    conserved = []
    for folder in folders:
        with h5py.File(folder.path / "out.h5") as file:
            conserved.append(file["observables/conserved_energy/value"][...])
    np.testing.assert_array_equal(*conserved)


def test_a_pressure_without_the_balance_of_bonds_is_not_trusted(tmp_path):
    """With steps of half a period bonds swing far to the side of where slow forces are balanced; with short ones they do not."""
    trusted = []
    for dt, inner in ((0.016, 16), (0.002, 2)):
        text = one_stage(f'method = "baoab-respa"\ndt = {dt}\ninner = {inner}\ntemperature = 1.0\nfriction = 1.0', 200,
                         THERMO, CHAINS, STIFF_CHAIN_FORCES)
        folder = Folder(tmp_path / str(dt), text)
        folder.run()
        averages = json.loads((folder.path / "summary.json").read_text())["stages"][0]["averages"]
        trusted.append("bonds, which balance" in averages["pressure"]["warning"])
        assert "bonds, which balance" not in averages["temperature"]["warning"]
    assert trusted == [True, False]
