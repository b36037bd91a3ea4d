# SPDX-License-Identifier: BSD-3-Clause
"""What may change when a run goes on: not its past. And a checkpoint as the start of another run."""

import h5py
import numpy as np
import pytest
from harness import contents, mdrun
from runs import LIQUID, ONE_STEP, THERMO, Folder, one_stage, refuse_difference, staged
from test_restart import BAOAB, NOSE, VERLET

RDF = '[[stage.observe]]\ntype = "rdf"\nevery = 10\nbins = 20\n'
TWO = staged(("warm", BAOAB, 30), ("sample", VERLET, 30))


def with_rdf(text):
    return text.replace("[output]", RDF + "[output]")


def test_stages_are_appended(tmp_path):
    whole, more = Folder(tmp_path / "whole", TWO), Folder(tmp_path / "more",
                                                          staged(("warm", BAOAB, 30)))
    whole.run()
    more.run()
    (more.path / "in.toml").write_text(TWO)
    assert "finished" not in more.run("--resume").err
    refuse_difference(whole, more)


def test_stages_are_appended_to_a_run_without_stages(tmp_path):
    whole, more = Folder(tmp_path / "whole", TWO), Folder(tmp_path / "more", one_stage(BAOAB, 30))
    whole.run()
    more.run()
    (more.path / "in.toml").write_text(TWO)
    more.run("--continue")
    refuse_difference(whole, more)


def test_an_observable_is_added_to_a_stage_that_has_not_begun(tmp_path):
    text = with_rdf(TWO)
    whole, more = Folder(tmp_path / "whole", text), Folder(tmp_path / "more", TWO)
    whole.run()
    stopped = mdrun(*more.arguments("--set", f"run.{ONE_STEP}"), cwd=more.path)
    assert stopped.status == 75 and more.step_of_checkpoint() == 1
    (more.path / "in.toml").write_text(text)
    more.run("--resume")
    refuse_difference(whole, more)
    assert "averages/rdf/value" in more.datasets()


def test_the_order_of_keys_is_no_change(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(VERLET, 20))
    folder.run()
    text = (folder.path / "in.toml").read_text()
    (folder.path / "in.toml").write_text(
        text.replace("epsilon = 1.0\nsigma = 1.0\n", "sigma = 1.0\nepsilon = 1.0\n"))
    assert "finished" in folder.run("--resume").err


@pytest.mark.parametrize("change, says", [
    ("force.0.epsilon=1.01", "`force[0].epsilon` was 1.0 and is 1.01 now"),
    ("system.lattice.repeat=[4,5,5]", "`system.lattice.repeat` was [5, 5, 5]"),
    ("system.velocity.temperature=2.0", "`system.velocity.temperature`"),
    ("seed=8", "`seed` was 7 and is 8 now"),
    ("stage.0.integrator.dt=0.003", "in stage 0, which has begun, `integrator.dt`"),
    ("stage.1.observe.0.every=6", "in stage 1, which has begun, `observe[0].every` was 5"),
    ("stage.0.name=hot", "`name` was warm and is hot now"),
    ("force.1={type=\"wca\",epsilon=1.0,sigma=1.0}", "`force[1]."),
], ids=["force", "lattice", "velocity", "seed", "dt", "observe", "name", "another force"])
def test_the_past_cannot_change(change, says, tmp_path):
    folder = Folder(tmp_path / "run", TWO)
    folder.run()
    before = contents(folder.path)
    result = mdrun(*folder.arguments("--resume", "--set", change), cwd=folder.path)
    assert result.status == 2
    assert says in result.message()
    assert contents(folder.path) == before


def test_an_observable_of_a_stage_that_has_begun_stays(tmp_path):
    folder = Folder(tmp_path / "run", TWO)
    folder.run()
    (folder.path / "in.toml").write_text(with_rdf(TWO))
    result = mdrun(*folder.arguments("--resume"), cwd=folder.path)
    assert result.status == 2
    assert "`observe[1].bins` is 20 now and was not there" in result.message()


def final_frame(folder):
    with h5py.File(folder.path / "out.h5") as file:
        group = file["particles/all"]
        return {name: group[name]["value"][-1] for name in ("position", "velocity", "image")}


@pytest.mark.parametrize("integrator", [VERLET, NOSE], ids=["verlet", "nose"])
def test_a_checkpoint_is_the_start_of_another_run(integrator, tmp_path):
    """As the last frame is, also where the momenta of the method are not the physical ones."""
    first = Folder(tmp_path / "first", one_stage(integrator, 100))
    first.run()
    system = '[system]\ndimension = 3\nfile = "../first/out.checkpoint.h5"\n'
    assert LIQUID.endswith("}\n")
    second = Folder(tmp_path / "second", one_stage(VERLET, 0, THERMO, system))
    result = second.run()
    assert "checkpoint of step 100" in result.err
    end, start = final_frame(first), final_frame(second)
    assert (end["image"] == start["image"]).all() and (end["position"] == start["position"]).all()
    assert (end["velocity"] == start["velocity"]).all()  # p / s, of a mass of 1
    with h5py.File(first.path / "out.h5") as a, h5py.File(second.path / "out.h5") as b:
        assert (a["particles/all/box/edges/value"][-1] == b["particles/all/box/edges/value"][0]).all()
        for name in ("potential_energy", "kinetic_energy"):
            one, other = (file[f"observables/{name}/value"] for file in (a, b))
            # The same positions, in lists of another order: sums of 500 terms in mixed precision.
            assert abs(one[-1] - other[0]) < 1e-5 * abs(one[-1])
        assert b["observables/potential_energy/step"][0] == 0


@pytest.mark.parametrize("file", ["out.checkpoint.h5", "out.h5"])
def test_files_of_a_run_keep_its_units(tmp_path, file):
    first = Folder(tmp_path / "first", one_stage(VERLET, 5))
    first.run()
    system = f'[system]\ndimension = 3\nunits = "akma"\nfile = "../first/{file}"\n'
    second = Folder(tmp_path / "second", one_stage(VERLET, 0, THERMO, system))
    result = mdrun(*second.arguments(), cwd=second.path)
    assert result.status == 2
    assert "units lj" in result.message()


def test_a_damaged_checkpoint_is_no_start(tmp_path):
    folder = Folder(tmp_path / "first", one_stage(VERLET, 20))
    folder.run()
    data = bytearray(folder.checkpoint.read_bytes())
    data[len(data) // 2] ^= 1
    (folder.path / "start.h5").write_bytes(data)
    system = '[system]\ndimension = 3\nfile = "start.h5"\n'
    (folder.path / "in.toml").write_text(one_stage(VERLET, 0, THERMO, system))
    result = mdrun(*folder.arguments("--set", "output.prefix=second"), cwd=folder.path)
    assert result.status == 2
    assert "start.h5" in result.message() and "CRC" in result.message()
