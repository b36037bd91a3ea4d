# SPDX-License-Identifier: BSD-3-Clause
"""A checkpoint and the results that belong to it: others are refused, and those that a kill left unfinished are
finished."""

import shutil

import h5py
import pytest
from harness import contents, mdrun
from runs import BAOAB, ONE_STEP, VERLET, Folder, one_stage, refuse_difference, staged

#: Four particles; the file of a start, which an input names and does not hold.
FILED = """\
seed = 3
[system]
dimension = 3
file = "start.xyz"
box = { lengths = [7.0, 7.0, 7.0] }
velocity = { temperature = 1.0 }
"""
BOTH = {"results": "out.h5", "checkpoint": "out.checkpoint.h5"}


def exchange(one, other, what):
    """`one` has its own files but for one, which is of `other`."""
    shutil.copy(other.path / BOTH[what], one.path / BOTH[what])


def refused(folder, *more):
    """What is said; nothing is written."""
    before = contents(folder.path)
    result = mdrun(*folder.arguments(*more), cwd=folder.path)
    assert result.status == 2, result.err
    assert contents(folder.path) == before
    return result.message()


@pytest.mark.parametrize("how", ["--resume", "--continue"])
@pytest.mark.parametrize("steps", [20, 40], ids=["finished", "more steps"])
@pytest.mark.parametrize("change, says", [
    ("seed=8", "`seed` was 8 and is 7 now"), ("integrator.dt=0.003", "dt"), ("force.0.epsilon=1.01", "epsilon"),
    ("compute.precision=double", "precision")])
def test_results_of_another_run_are_refused(change, says, steps, how, tmp_path):
    text = one_stage(VERLET, 20)
    folder, other = Folder(tmp_path / "run", text), Folder(tmp_path / "other", text, change)
    folder.run()
    other.run()
    exchange(folder, other, "results")
    message = refused(folder, how, "--set", f"run.steps={steps}")
    assert "out.h5: these results are of another run than out.checkpoint.h5" in message and says in message


def test_results_of_another_start_are_refused(tmp_path):
    """An input that is the same to the letter, and the file that it names is not."""
    folders = [Folder(tmp_path / name, one_stage(VERLET, 20, system=FILED)) for name in ("run", "other")]
    for folder, x in zip(folders, (1.0, 1.25)):
        (folder.path / "start.xyz").write_text(
            f"4\nProperties=species:S:1:pos:R:3\nA {x} 1 1\nA 3 3 1\nA 3 1 3\nA 1 3 3\n")
        folder.run()
    exchange(*folders, "results")
    assert "it began elsewhere" in refused(folders[0], "--resume", "--set", "run.steps=40")


def test_results_of_an_earlier_state_are_refused(tmp_path):
    """They would have a gap."""
    folder = Folder(tmp_path / "run", one_stage(VERLET, 20))
    folder.run()
    shutil.copy(folder.path / "out.h5", tmp_path / "early.h5")
    folder.run("--resume", "--set", "run.steps=40")
    shutil.copy(tmp_path / "early.h5", folder.path / "out.h5")
    message = refused(folder, "--resume", "--set", "run.steps=60")
    assert "older than out.checkpoint.h5 (they are of step 20, the checkpoint is of step 40)" in message


def test_a_kill_between_results_and_checkpoint_goes_on(tmp_path):
    """Results are written first: they are of a later step, and may know stages that the checkpoint does not."""
    before, after = staged(("a", VERLET, 20), ("b", VERLET, 20)), staged(("a", VERLET, 40), ("c", BAOAB, 20))
    whole, killed, later = (Folder(tmp_path / name, after) for name in ("whole", "killed", "later"))
    whole.run()
    (killed.path / "in.toml").write_text(before)
    first = mdrun(*killed.arguments("--quiet", "--set", f"stage.0.{ONE_STEP}"), cwd=killed.path)
    assert first.status == 75
    for name in BOTH.values():
        shutil.copy(killed.path / name, later.path / name)
    later.run("--resume")
    exchange(killed, later, "results")
    (killed.path / "in.toml").write_text(after)
    killed.run("--continue")
    refuse_difference(whole, killed)


def test_files_that_do_not_say_it_go_on(tmp_path):
    """As of versions before."""
    text = one_stage(VERLET, 40)
    whole, old = Folder(tmp_path / "whole", text), Folder(tmp_path / "old", text)
    whole.run()
    old.run("--set", "run.steps=20")
    with h5py.File(old.path / "out.h5", "r+") as file:
        for name in ("past", "start", "checkpoint_step"):
            del file["parameters"][name]
    old.run("--resume")
    refuse_difference(whole, old)


def ended(folder):
    with h5py.File(folder.path / "out.h5") as file:
        return list(file["parameters/stage/last_step"][:])


@pytest.mark.parametrize("what", ["last checkpoint", "stopped before", "working file"])
def test_results_that_a_kill_left_unfinished_are_finished(what, tmp_path):
    """The checkpoint is of the last step, and the end of the last stage is not yet in the results."""
    text = staged(("warm", BAOAB, 20), ("sample", VERLET, 20))
    text = text.replace("[[stage.observe]]", '[[stage.observe]]\ntype = "rdf"\nevery = 4\nbins = 20\n[[stage.observe]]')
    whole, killed = Folder(tmp_path / "whole", text), Folder(tmp_path / "killed", text)
    whole.run()
    part = killed.path / "out.h5.part"
    if what == "stopped before":  # of a stage that was longer then
        killed.run("--set", "stage.1.steps=19")
        result = mdrun(*killed.arguments("--resume", "--set", "stage.1.steps=21", "--set",
                                         f"stage.1.{ONE_STEP}"), cwd=killed.path)
        assert result.status == 75 and ended(killed) == [20], result.err
    else:
        killed.run()
        if what == "last checkpoint":
            with h5py.File(killed.path / "out.h5", "r+") as file:
                stage = file["parameters/stage"]
                last = stage["last_step"][:-1]
                del stage["last_step"]
                stage["last_step"] = last
        shutil.copy(killed.path / "out.h5", part)
    result = killed.run("--continue")
    assert "the run is finished at step 40" in result.err and "the results are finished now" in result.err
    assert ended(killed) == ended(whole) == [20, 40]
    assert not part.exists()
    refuse_difference(whole, killed)
    before = contents(killed.path)
    assert "nothing is left to do" in killed.run("--continue").err
    after = contents(killed.path)
    assert all(after[name] == before[name] for name in BOTH.values())


def test_results_of_a_finished_run_have_the_input_of_its_resumption(tmp_path):
    folder = Folder(tmp_path / "a", staged(("warm", BAOAB, 20), ("sample", VERLET, 20)))
    folder.run()
    change = ("--set", "stage.1.equilibration=10")
    assert "the results are finished now" in folder.run("--resume", *change).err
    with h5py.File(folder.path / "out.h5") as file:
        assert "equilibration = 10\n" in file["parameters/input"].asstr()[()]
    assert "nothing is left to do" in folder.run("--resume", *change).err


@pytest.mark.parametrize("column, before, after, says", [
    ("mass", "1.0", "2.0", "species A has 2 times the mass it had"), ("charge", "0.5", "0.45", "species A has the charge 0.45, and had 0.5"),
    ("species", "A", "B", None)])
def test_a_start_with_other_particles_is_refused(column, before, after, says, tmp_path):
    """The rest of the run would have another Hamiltonian; and with the file as it was it continues."""
    columns = {"species": "A", "mass": "1.0", "charge": "0.5"}

    def write(folder, **changed):
        row = {**columns, **changed}
        text = "4\nProperties=species:S:1:pos:R:3:mass:R:1:charge:R:1\n"
        for k, place in enumerate(("1 1 1", "3 3 1", "3 1 3", "1 3 3")):
            kind = row["species"] if k == 0 or column != "species" else "A"
            text += f"{kind} {place} {row['mass']} {row['charge']}\n"
        (folder.path / "start.xyz").write_text(text)

    folder = Folder(tmp_path / "a", one_stage(VERLET, 20, system=FILED))
    write(folder)
    folder.run()
    write(folder, **{column: after})
    message = refused(folder, "--resume", "--set", "run.steps=40")
    assert "this is the checkpoint of another run" in message and (says or "") in message
    write(folder)
    folder.run("--resume", "--set", "run.steps=40")
