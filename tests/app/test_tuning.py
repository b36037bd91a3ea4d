# SPDX-License-Identifier: BSD-3-Clause
"""`[compute] tune`: what is chosen, that a trial leaves no trace in the results, and that a choice
holds for the whole run."""

import json
import signal

import h5py
import pytest
from harness import BASE, edited, mdrun
from runs import BAOAB, FORCE, LIQUID, VERLET, Folder, one_stage, refuse_difference, staged, stop, wait_for

NOSE = 'method = "nose-poincare"\ndt = 0.002\ntemperature = 1.0\nmass = 500.0'
MINIMIZE = 'method = "minimize"\ndt = 0.01\nforce_tolerance = 1e-3'
SMALL = LIQUID.replace("5, 5, 5", "3, 3, 3")  # 108 particles
STEPS = 50_000  # enough for a trial of five skins and two numbers of threads


def rarely(text):
    return text.replace("every = 5\n", "every = 100\n").replace("every = 100 }", "every = 10_000 }")


def tuned(folder):
    return json.loads((folder.path / "summary.json").read_text())["performance"]["tune"]


def run_of(path, text, *sets):
    folder = Folder(path, rarely(text), *sets)
    folder.run()
    return folder


def test_the_same_input_gives_the_same_choice(tmp_path):
    first = run_of(tmp_path / "first", one_stage(VERLET, 100))
    again = run_of(tmp_path / "again", one_stage(VERLET, 100))
    assert tuned(first) == tuned(again)
    assert tuned(first)["skin"]["by"] == "rule"
    assert tuned(first)["threads"] == {"value": 1, "by": "input", "trials": []}
    refuse_difference(first, again)


def test_the_rule_is_the_default_and_can_be_given_by_hand(tmp_path):
    rule = run_of(tmp_path / "rule", one_stage(VERLET, 100))
    skin = tuned(rule)["skin"]["value"]
    hand = run_of(tmp_path / "hand", one_stage(VERLET, 100), "compute.tune=off",
                  f"compute.skin={skin!r}")
    assert tuned(hand)["skin"] == {"value": skin, "by": "input", "trials": []}
    refuse_difference(rule, hand)
    plain = run_of(tmp_path / "plain", one_stage(VERLET, 100), "compute.tune=off")
    assert tuned(plain)["skin"]["value"] == pytest.approx(0.12 * 2.5)


@pytest.mark.parametrize("text", [
    one_stage(VERLET, 30_000, system=SMALL),
    one_stage(NOSE, 30_000, system=SMALL),
    staged(("relax", MINIMIZE, 50), ("warm", BAOAB, 30_000), ("sample", VERLET, 100),
           system=SMALL.replace("3] }", "3], jitter = 0.05 }")),
], ids=["verlet", "nose-poincare", "after a minimisation"])
@pytest.mark.parametrize("precision", ["double", "mixed"])
def test_a_trial_leaves_the_state_untouched(text, precision, tmp_path):
    """Threads are tried, the skin is given: the bits are those of a run without a trial."""
    same = [f"compute.precision={precision}", "compute.skin=0.4"]
    off = run_of(tmp_path / "off", text, *same)
    full = run_of(tmp_path / "full", text, *same, "compute.threads=0", "compute.tune=full")
    if tuned(full)["threads"]["trials"] == []:
        pytest.skip("one core: there is nothing to try")
    assert tuned(full)["threads"]["by"] == "trial"
    refuse_difference(off, full)


def test_what_a_trial_chose_can_be_given_by_hand(tmp_path):
    text = one_stage(BAOAB, STEPS, system=SMALL)
    full = run_of(tmp_path / "full", text, "compute.tune=full")
    choice = tuned(full)["skin"]
    assert choice["by"] == "trial"
    assert len(choice["trials"]) == 5
    assert all(trial["ns_per_particle_step"] > 0 for trial in choice["trials"])
    assert choice["value"] in [trial["value"] for trial in choice["trials"]]
    with h5py.File(full.path / "out.h5") as file:
        assert "trial" in file["parameters/tune"][()].decode()
    hand = run_of(tmp_path / "hand", text, f"compute.skin={choice['value']!r}")
    refuse_difference(full, hand)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_choice_survives_a_stop(number, tmp_path):
    sets = ["compute.tune=full", "output.checkpoint={every=1000}"]
    folder = Folder(tmp_path / "run", rarely(one_stage(VERLET, STEPS, system=SMALL)), *sets)
    process = folder.start()
    wait_for(lambda: folder.checkpoint.exists() and checkpoint_is_tuned(folder))
    assert stop(process, number) != 0, "the run ended before the signal"
    with h5py.File(folder.checkpoint) as file:
        stored = file["numbers/tune/skin"][:]
    result = folder.run("--resume")
    assert "trial" in result.err
    choice = tuned(folder)["skin"]
    assert [choice["value"], *(x for t in choice["trials"] for x in t.values())] == list(stored)
    hand = run_of(tmp_path / "hand", one_stage(VERLET, STEPS, system=SMALL),
                  f"compute.skin={choice['value']!r}")
    refuse_difference(folder, hand)


def test_a_trial_that_is_stopped_begins_anew(tmp_path):
    """The first checkpoint is written before the trial."""
    text = rarely(one_stage(VERLET, 2_000_000, system=SMALL))
    for attempt in range(10):
        folder = Folder(tmp_path / str(attempt), text, "compute.tune=full")
        process = folder.start()
        wait_for(folder.checkpoint.exists)
        assert stop(process, signal.SIGTERM) == 143
        if folder.step_of_checkpoint() == 0:
            break
    else:
        pytest.fail("no signal came in time")
    assert not checkpoint_is_tuned(folder)
    folder.sets.append(f"run.steps={STEPS}")
    folder.run("--resume")
    assert tuned(folder)["skin"]["by"] == "trial"
    hand = run_of(tmp_path / "hand", text, f"run.steps={STEPS}",
                  f"compute.skin={tuned(folder)['skin']['value']!r}")
    refuse_difference(folder, hand)


def checkpoint_is_tuned(folder):
    with h5py.File(folder.checkpoint) as file:
        return file["integers/tuned"][0] == 1


def test_a_stop_before_the_choice_leaves_it_open(tmp_path):
    """A minimisation comes first; what is resumed in it tries afterwards, once."""
    text = rarely(staged(("relax", MINIMIZE.replace("1e-3", "1e-12"), 20_000),
                         ("sample", VERLET, STEPS),
                         system=SMALL.replace("3] }", "3], jitter = 0.05 }")))
    folder = Folder(tmp_path / "run", text, "compute.tune=full")
    process = folder.start()
    wait_for(folder.checkpoint.exists)
    if stop(process, signal.SIGTERM) != 0:
        assert not checkpoint_is_tuned(folder)
    folder.run("--resume")
    assert tuned(folder)["skin"]["by"] == "trial"
    assert checkpoint_is_tuned(folder)


def test_a_resumed_run_keeps_its_skin_whatever_tune_says(tmp_path):
    text = one_stage(VERLET, 200)
    whole = run_of(tmp_path / "whole", text, "compute.skin=0.5")
    parts = run_of(tmp_path / "parts", text.replace("steps = 200", "steps = 100"),
                   "compute.skin=0.5")
    parts.sets = ["compute.device=cpu", "compute.threads=1", "run.steps=200", "compute.tune=full"]
    parts.run("--resume")
    assert tuned(parts)["skin"] == {"value": 0.5, "by": "checkpoint", "trials": []}
    refuse_difference(whole, parts)
    parts.sets[2:] = ["run.steps=300", "compute.skin=0.3"]
    parts.run("--resume")
    assert tuned(parts)["skin"] == {"value": 0.3, "by": "input", "trials": []}


def test_a_short_run_is_not_tried(tmp_path):
    short = run_of(tmp_path / "short", one_stage(VERLET, 200), "compute.tune=full")
    assert tuned(short)["skin"]["by"] == "rule; the run is too short for a trial"
    refuse_difference(short, run_of(tmp_path / "quick", one_stage(VERLET, 200)))


@pytest.mark.parametrize("mode", ["off", "quick", "full"])
@pytest.mark.parametrize("text", [
    one_stage(VERLET, 30_000, force="",
              system="[system]\ndimension = 2\nbox = { periodic = false }\n"
                     'lattice = { type = "square", repeat = [1, 1], constant = 1.0 }\n'),
    one_stage(VERLET, 200, force=FORCE.replace("2.5", "inf").replace("force-shift", "none"),
              system=SMALL.replace("density = 0.8", "density = 0.8, periodic = false")),
    one_stage(MINIMIZE, 200, system=SMALL.replace("3] }", "3], jitter = 0.05 }")),
    one_stage(VERLET, 0),
], ids=["one particle, no force", "no finite cut-off", "minimisation alone", "no steps"])
def test_runs_with_nothing_to_try(mode, text, tmp_path):
    folder = run_of(tmp_path / "run", text, f"compute.tune={mode}")
    assert not any(setting["trials"] for setting in tuned(folder).values())


def test_check_says_what_is_chosen(tmp_path):
    (tmp_path / "in.toml").write_text(edited(("threads = 1", 'tune = "full"')))
    out = mdrun("in.toml", "--check", cwd=tmp_path).out
    assert 'tune = "full"' in out
    assert "# tune: threads 1 (rule), skin " in out
    assert "to be tried at the start" in out
    (tmp_path / "in.toml").write_text(BASE)
    out = mdrun("in.toml", "--check", cwd=tmp_path).out
    assert 'tune = "quick"' in out
    assert "# tune: threads 1 (input), skin " in out
    assert "to be tried" not in out
