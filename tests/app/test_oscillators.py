# SPDX-License-Identifier: BSD-3-Clause
"""Harmonic oscillators under thermostats: one alone (docs/ensembles.md), and what the step does to many (docs/integrators.md)."""

import json

import h5py
import numpy as np
import pytest
from harness import DEVICE
from runs import Folder, averaging_all, one_stage, refuse_difference, refuse_thread_differences

#: Mass, spring and kT are 1; from the origin with momentum 1.
INPUT = """\
seed = 1
[system]
dimension = 1
box = { periodic = false }
file = "start.xyz"
[[force]]
type = "harmonic-trap"
stiffness = [1.0]
[integrator]
METHOD
dt = DT
temperature = 1.0
[run]
steps = STEPS
[[observe]]
type = "thermo"
every = 4
[compute]
precision = "double"
[output]
prefix = "out"
"""
START = '1\npbc="F F F" Properties=species:S:1:pos:R:3:velo:R:3\nA 0 0 0 1 0 0\n'
#: Of a bath with mass Q = 1: g = 1, so Q = 2 (period / 2 pi)^2.
PERIOD = np.sqrt(2.0) * np.pi


def moments(tmp_path, method, dt, time):
    """<q^2>, <p^2>, <q^4>/<q^2>^2, <p^4>/<p^2>^2, and what the verdict says of the fluctuations of p^2."""
    text = INPUT.replace("METHOD", method).replace("DT", str(dt)).replace("STEPS", str(round(time / dt)))
    folder = Folder(tmp_path / "run", averaging_all(text))
    (folder.path / "start.xyz").write_text(START)
    folder.run("--quiet")
    with h5py.File(folder.path / "out.h5") as file:
        q2, p2 = (2.0 * file[f"observables/{name}_energy/value"][:] for name in ("potential", "kinetic"))
    verdict = json.loads((folder.path / "summary.json").read_text())["stages"][0]["verdict"]
    kurtosis = [(x * x).mean() / x.mean() ** 2 for x in (q2, p2)]
    return q2.mean(), p2.mean(), *kurtosis, verdict["fluctuations"]["passed"]


@pytest.mark.skipif(DEVICE == "cuda", reason="a million steps, on a CPU")
@pytest.mark.parametrize("method, known, error", [
    # An independent program (splitting and generalised leapfrog agree), time 1e5 with steps of 0.01: these digits. A torus
    # is gone round at random times: 1/t of the swing, 1e-3 here; the step adds dt^2.
    ('method = "nose-poincare"\nmass = 1.0', (0.8255, 1.0, 1.834, 2.175), 2e-3),
    ('method = "nose-explicit"\nmass = 1.0', (0.8255, 1.0, 1.834, 2.175), 2e-3),
    ('method = "nose-poincare"\nmass = 10.0', (0.9801, 1.0, 1.794, 1.820), 4e-3),
    ('method = "nose-poincare"\nmass = 0.1', (3.699, 1.0, 1.839, 1.579), 2e-2), # a bath of period 1.4: a seventieth of it is a step
    # On the energy that is conserved both are the same motion.
    (f'method = "nose-hoover"\nperiod = {PERIOD}\nchain = 1', (0.8255, 1.0, 1.834, 2.175), 2e-3)])
def test_a_single_thermostat_leaves_an_oscillator_on_a_torus(tmp_path, method, known, error):
    *found, canonical = moments(tmp_path, method, 0.02, 10_000.0)
    assert np.abs(np.array(found) - known).max() < error, found
    assert not canonical


@pytest.mark.skipif(DEVICE == "cuda", reason="a million steps, on a CPU")
@pytest.mark.parametrize("method", [f'method = "nose-hoover"\nperiod = {PERIOD}\nchain = 3', 'method = "baoab"\nfriction = 1.0',
                                    'method = "bussi"\ntime = 1.0', 'method = "andersen"\nrate = 1.0',
                                    f'method = "nose-hoover-langevin"\nperiod = {PERIOD}\nfriction = 1.0'])
def test_a_chain_and_noise_are_canonical(tmp_path, method):
    """In units of kT: 1, 1, 3 and 3. q^2 has a variance of 2 and forgets in a time of some 2: an error of 0.03 after 10,000;
    the kurtosis one of 0.15. A torus has 1.8."""
    *found, canonical = moments(tmp_path, method, 0.05, 10_000.0)
    assert np.abs(np.array(found[:2]) - 1.0).max() < 0.12, found
    assert np.abs(np.array(found[2:]) - 3.0).max() < 0.6, found
    assert canonical


@pytest.mark.skipif(DEVICE == "cuda", reason="a million steps, on a CPU")
@pytest.mark.parametrize("name, dt, time", [("nose-vertex", 0.004, 8000.0), ("nose-balls", 0.001, 2500.0), ("nose-explicit", 0.01, 8000.0)])
def test_a_nose_bath_with_variables_of_its_own_is_canonical(name, dt, time, tmp_path):
    """What the same bath without them leaves on a torus, above: kurtoses of 2.2 and 1.8. Errors by blocks, after 10,000, are 0.04 of
    <q^2>, and 0.001 of <p^2>, which the bath holds; of a chain, which does so less, 0.006."""
    chain = "\nchain = 2" if name == "nose-explicit" else ""
    *found, canonical = moments(tmp_path, f'method = "{name}"\nmass = 1.0{chain}', dt, time)
    assert abs(found[0] - 1.0) < 0.25 and abs(found[1] - 1.0) < (0.03 if chain else 0.01), found
    assert np.abs(np.array(found[2:]) - 3.0).max() < 0.6, found
    assert canonical


@pytest.mark.parametrize("name", ["nose-vertex", "nose-balls", "nose-explicit", 'nose-explicit"\nchain = 3 #'])
def test_a_nose_bath_with_variables_of_its_own_goes_on_bitwise(name, tmp_path):
    text = one_stage(f'method = "{name}"\ndt = 0.004\ntemperature = [[3, 1.0], [20, 1.2]]\nmass = 500.0', 30)
    whole, pieces = Folder(tmp_path / "whole", text), Folder(tmp_path / "pieces", text)
    whole.run()
    pieces.run_in_pieces()
    refuse_difference(whole, pieces)


@pytest.mark.parametrize("chain", [1, 3])
def test_threads_leave_no_trace_under_explicit_nose(chain, tmp_path):
    text = one_stage(f'method = "nose-explicit"\ndt = 0.004\ntemperature = 1.0\nmass = 500.0\nchain = {chain}', 30)
    refuse_thread_differences(tmp_path, text)


def test_threads_leave_no_trace_under_a_thermostat_with_noise(tmp_path):
    refuse_thread_differences(tmp_path, one_stage(
        'method = "nose-hoover-langevin"\ndt = 0.004\ntemperature = [[3, 1.0], [20, 1.2]]\nperiod = 0.3\nfriction = 5.0', 30))


@pytest.mark.skipif(DEVICE == "cuda", reason="half a million steps, on a CPU")
def test_weak_coupling_feeds_an_oscillator(tmp_path):
    """The mean of p^2 is that asked for; q^2 was 29 after 10,000."""
    place, momentum = moments(tmp_path, 'method = "berendsen"\ntime = 1.0', 0.02, 2000.0)[:2]
    assert abs(momentum - 1.0) < 0.1 and place > 2.0, (place, momentum)


#: Particles that do not know of each other, each of three oscillators with period 2 pi, brought to kT = 1 by short steps.
MANY = """\
seed = 3
[system]
dimension = 3
box = { periodic = false }
lattice = { type = "sc", repeat = [10, 10, 10], constant = 0.2 }
velocity = { temperature = 1.0 }
[[force]]
type = "harmonic-trap"
stiffness = [1.0, 1.0, 1.0]
centre = [0.9, 0.9, 0.9]
[[stage]]
name = "mix"
steps = 400
integrator = { method = "baoab", dt = 0.1, temperature = 1.0, friction = 1.0 }
[[stage]]
name = "sample"
steps = 3000
equilibration = 100
integrator = { temperature = 1.0, METHOD }
[[stage.observe]]
type = "thermo"
every = 2
[compute]
precision = "double"
[output]
prefix = "out"
"""


@pytest.mark.skipif(DEVICE == "cuda", reason="statistics, on a CPU")
@pytest.mark.parametrize("method, dt, more, place, momentum", [
    # x = (dt omega)^2 / 4: of Verlet between baths <p^2> = (1 - x) <q^2>.
    ("baoab", 1.0, "friction = 1.0", 1, 3 / 4), ("gjf", 1.0, "friction = 1.0", 1, 3 / 4), ("baoa", 1.0, "friction = 1.0", 1, 1),
    ("aboba", 1.0, "friction = 1.0", 1, 4 / 3), ("obabo", 1.0, "friction = 1.0", 4 / 3, 1), ("andersen", 1.0, "rate = 1.0", 4 / 3, 1),
    ("brownian", 1.0, "friction = 2.0", 1, 1), ("bussi", 1.0, "time = 1.0", 4 / 3, 1), ("nose-hoover", 0.5, "period = 6.0", 16 / 15, 1)])
def test_what_a_step_does_to_averages_of_an_oscillator(tmp_path, method, dt, more, place, momentum):
    """3000 oscillators that forget in a time of 2: errors of 0.001; momenta under one factor for all have the mean of the bath."""
    folder = Folder(tmp_path / "run", MANY.replace("METHOD", f'method = "{method}", dt = {dt}, {more}'))
    folder.run("--quiet")
    averages = json.loads((folder.path / "summary.json").read_text())["stages"][1]["averages"]
    found = [averages[f"{name}_energy"]["mean"] / 1500.0 for name in ("potential", "kinetic")]
    assert np.abs(np.array(found) - [place, momentum]).max() < 0.006, found
