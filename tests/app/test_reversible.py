# SPDX-License-Identifier: BSD-3-Clause
"""`reversible` in `[compute]`: symmetric methods come back to the same bits."""

import h5py
import numpy as np
import pytest
from harness import mdrun
from runs import (BAOAB, CHAIN_FORCES, CHAINS, FORCE, LIQUID, MIXTURE, SPLIT_FORCE, VERLET, Folder, refuse_difference,
                  refuse_thread_differences, staged, stop, wait_for)
from test_restart import CLUSTER, CLUSTER_FORCE, NOSE, PLANE

HALF = 150
SALT = """\
seed = 2
[system]
dimension = 3
box = { density = 0.4 }
lattice = { type = "rock-salt", repeat = [3, 3, 3] }
velocity = { temperature = 1.0 }
[[species]]
name = "A"
charge = 1.0
[[species]]
name = "B"
charge = -1.0
"""
SALT_FORCE = """\
[[force]]
type = "wca"
epsilon = 1.0
sigma = 1.0
[[force]]
type = "coulomb-pme"
accuracy = 1e-4
"""
ODD = VERLET.replace("0.004", "0.0037")


def forth_and_back(method, system=LIQUID, force=FORCE, steps=2 * HALF):
    """A bath, then `steps` and as many back."""
    text = staged(("warm", BAOAB, HALF), ("forth", method, steps), ("back", method, steps), system=system, force=force)
    text = text.replace("every = 100", f"every = {HALF}").replace("every = 5\n", "every = 7\n")
    head, back = text.rsplit("[stage.integrator]", 1)
    return head + "velocity = { reverse = true }\n[stage.integrator]" + back


def comes_back(folder, turn=3 * HALF):
    """Is the frame that is as long behind the turn, at that step, the one from before it, backwards?"""
    with h5py.File(folder.path / "out.h5") as file:
        group = file["particles/all"]
        steps = list(group["position/step"][:])
        there, end, again = (steps.index(step) for step in (turn - HALF, turn, turn + HALF))

        def frame(name, k):
            return group[f"{name}/value"][k]

        assert not np.array_equal(frame("position", there), frame("position", end))
        return (np.array_equal(frame("position", there), frame("position", again))
                and np.array_equal(frame("image", there), frame("image", again))
                and np.array_equal(frame("velocity", there), -frame("velocity", again)))


CASES = {
    "verlet": forth_and_back(ODD),
    "position-verlet": forth_and_back(ODD.replace('"verlet"', '"position-verlet"')),
    "order 4": forth_and_back('method = "blanes-moan-4"\ndt = 0.01'),
    "levels": forth_and_back('method = "respa"\ndt = 0.006\ninner = 3', force=SPLIT_FORCE),
    "mixture": forth_and_back(ODD, system=LIQUID + MIXTURE),
    "plane": forth_and_back(ODD, system=PLANE),
    "open cluster": forth_and_back(ODD, system=CLUSTER, force=CLUSTER_FORCE.replace("inf", "3.0")),
    "all pairs": forth_and_back(ODD, system=CLUSTER, force=CLUSTER_FORCE),
    "chains": forth_and_back('method = "verlet"\ndt = 0.002', system=CHAINS, force=FORCE + CHAIN_FORCES),
    "mesh": forth_and_back('method = "verlet"\ndt = 0.002', system=SALT, force=SALT_FORCE),
}


@pytest.mark.parametrize("precision", ["double", "mixed"])
@pytest.mark.parametrize("name", CASES)
def test_steps_are_undone_to_the_last_bit(name, precision, tmp_path):
    folder = Folder(tmp_path / "run", CASES[name], "compute.reversible=true", f"compute.precision={precision}")
    folder.run()
    assert comes_back(folder)


def test_without_it_they_are_not(tmp_path):
    folder = Folder(tmp_path / "run", CASES["verlet"])
    folder.run()
    assert not comes_back(folder)


def test_energy_is_conserved_as_without(tmp_path):
    energies = []
    for reversible in ("false", "true"):
        folder = Folder(tmp_path / reversible, staged(("sample", VERLET, 500)), f"compute.reversible={reversible}",
                        "compute.precision=double")
        folder.run()
        with h5py.File(folder.path / "out.h5") as file:
            energies.append(file["observables/total_energy/value"][:])
    plain, exact = energies
    assert abs(exact[0] / plain[0] - 1.0) < 1e-11
    assert np.ptp(exact[:20] - plain[:20]) < 1e-9 * abs(plain[0])
    assert np.ptp(exact) < 1.5 * np.ptp(plain)


def test_threads_change_no_bit(tmp_path):
    refuse_thread_differences(tmp_path, CASES["verlet"], "compute.reversible=true")


def test_a_run_that_was_stopped_comes_back(tmp_path):
    text = forth_and_back(ODD, steps=8 * HALF)
    whole = Folder(tmp_path / "whole", text, "compute.reversible=true")
    whole.run()
    assert comes_back(whole, turn=9 * HALF)
    parts = Folder(tmp_path / "parts", text, "compute.reversible=true", "output.checkpoint={every=100}")
    process = parts.start()
    wait_for(lambda: parts.checkpoint.exists() and parts.step_of_checkpoint() > HALF)
    assert stop(process, 15) != 0, "the run ended before the signal"
    parts.run("--resume")
    refuse_difference(whole, parts)


def refused(text, *sets, path):
    (path / "in.toml").write_text(text)
    result = mdrun("in.toml", *[x for s in ("compute.reversible=true", *sets) for x in ("--set", s)], cwd=path)
    assert result.status == 2
    return result.err


def test_what_does_not_go_back_is_refused(tmp_path):
    assert "it has noise" in refused(staged(("warm", BAOAB, 10)), path=tmp_path)
    assert "not symmetric" in refused(staged(("a", VERLET.replace('"verlet"', '"symplectic-euler-a"'), 10)), path=tmp_path)
    assert "more than drifts and kicks" in refused(staged(("a", NOSE, 10)), path=tmp_path)
    assert "skin together with reversible" in refused(staged(("a", VERLET, 10)), "compute.skin=0.3", path=tmp_path)
    shaken = FORCE + ('[[force]]\ntype = "uniform-field"\nstrength = [2.0, 0.0, 0.0]\n'
                      "modulation = { period = 0.7 }\n")
    assert "changes in time" in refused(staged(("a", VERLET, 10), force=shaken), path=tmp_path)
    pressed = staged(("press", BAOAB, 10), ("a", VERLET, 10)).replace(
        "[stage.integrator]", "barostat = { pressure = 1.0, time = 1.0, compressibility = 0.1 }\n[stage.integrator]", 1)
    assert "together with a barostat" in refused(pressed, path=tmp_path)


def test_a_velocity_is_drawn_or_reversed(tmp_path):
    text = forth_and_back(VERLET).replace("{ reverse = true }", "{ reverse = true, temperature = 1.0 }")
    assert "with neither a temperature nor reverse, or with both" in refused(text, path=tmp_path)


def test_what_flies_away_is_not_said_to_come_back(tmp_path):
    far = CLUSTER.replace("temperature = 0.0", "temperature = 1e8")
    (tmp_path / "in.toml").write_text(staged(("fly", VERLET, 2000), system=far, force=CLUSTER_FORCE))
    result = mdrun("in.toml", "--set", "compute.reversible=true", cwd=tmp_path)
    assert result.status != 0
    assert "too far or too fast for exact sums" in result.err
