# SPDX-License-Identifier: BSD-3-Clause
"""Checkpoints of older versions, which have variables of the ensemble without names: they go on, or are refused."""

import struct
import zlib

import h5py
import numpy as np
import pytest
from harness import contents, mdrun
from runs import Folder, one_stage, refuse_difference
from test_restart import HOOVER, MTK, NOSE


def rewrite(checkpoint, change, number):
    """A checkpoint whose `state` has been changed, in the format of a number."""
    checkpoint.write_bytes(checkpoint.read_bytes()[:-24])
    with h5py.File(checkpoint, "r+") as file:
        change(file["state"])
    data = checkpoint.read_bytes()
    checkpoint.write_bytes(data + b"SHADOWCK" + struct.pack("<QII", len(data), zlib.crc32(data), number))


#: The variables of an ensemble in checkpoints of format 1, without names, and in the first of format 2; of rows how many.
OLD_VARIABLES = """
one s pi drift_scale kinetic potential energy_0 failed work mollified unmollified level_energy_0:7 chain_kinetic
chain_first chain_last chain_position:8 chain_velocity:8 strain volume virial normal uniform squares box_volume
box_drift box_energy box_work box_tried box_accepted momentum_factor bath_heat box_least box_chain_position:8
box_chain_velocity:8 box_velocity:3 box_strain:3 box_friction:3 kinetic_along:3 virial_along:3 elapsed step_factor
step_weight step_density step_rate step_reference step_shortest step_longest motion_kinetic motion_power motion_speed
motion_acceleration motion_largest box_momentum box_mass shear_work bath_size bath_position:9 bath_momentum:9 boost
boosted_kick boost_reference kick_scale action species_kinetic:8 species_held:8 species_first:8 species_last:8
species_position:64 species_velocity:64 step_sum slope_power slope_square step_count
"""


def old_variables(state):
    """Name, and numbers; garbage in what each step writes before it reads it, which is not kept any more."""
    found, at = {}, 0
    for name, length in zip(state["scalar_names"].asstr()[:], state["scalar_lengths"][:], strict=True):
        found[name] = state["scalars"][at:at + length]
        at += length
    lengths = {name: int(length or 1) for name, _, length in (word.partition(":") for word in OLD_VARIABLES.split())}
    assert sum(lengths.values()) == 287
    numbers = {name: found.pop(name, np.full(length, 1e9)) for name, length in lengths.items()}
    assert all(numbers[name].size == length for name, length in lengths.items())
    assert all(name.startswith("descent_") for name in found)
    return numbers, np.concatenate([*found.values(), np.full(9 - sum(map(len, found.values())), 1e9)])


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("integrator", [NOSE, HOOVER, HOOVER + MTK], ids=["nose", "hoover", "mtk"])
def test_checkpoints_of_older_versions_go_on(integrator, number, tmp_path):
    text = one_stage(integrator, 400)
    whole, old = Folder(tmp_path / "whole", text), Folder(tmp_path / "old", text)
    whole.run()
    old.run("--set", "run.steps=107")

    def as_before(state):
        numbers, descent = old_variables(state)
        if number == 2:
            numbers["descent"] = descent
        del state["scalar_names"], state["scalar_lengths"], state["scalars"]
        state["scalars"] = np.concatenate(list(numbers.values()))
        if number == 2:
            state["scalar_names"] = np.array(list(numbers)).astype(h5py.string_dtype())
            state["scalar_lengths"] = np.array([each.size for each in numbers.values()], dtype=np.int32)
    rewrite(old.checkpoint, as_before, number)
    old.run("--resume")
    refuse_difference(whole, old)


def test_a_box_with_a_mass_of_before_its_directions_is_refused(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(HOOVER + MTK, 20))
    folder.run()

    def as_before(state):
        numbers, _ = old_variables(state)
        del state["scalar_names"], state["scalar_lengths"], state["scalars"]
        state["scalars"] = np.concatenate(list(numbers.values()))[:70]  # which ends with two chains
    rewrite(folder.checkpoint, as_before, 1)
    result = mdrun(*folder.arguments("--resume", "--set", "run.steps=40"), cwd=folder.path)
    assert result.status == 2
    assert "this checkpoint of mtk is of an older version (it keeps other numbers of the box)" in result.message()


def test_checkpoints_with_other_variables_are_refused(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(NOSE, 20))
    folder.run()

    def change(state):
        names = state["scalar_names"].asstr()[:]
        assert len(set(names)) == len(names) and state["scalars"].size == state["scalar_lengths"][:].sum()
        names[list(names).index("pi")] = "momentum_of_s"
        del state["scalar_names"]
        state["scalar_names"] = names.astype(h5py.string_dtype())
    rewrite(folder.checkpoint, change, 2)
    before = contents(folder.path)
    result = mdrun(*folder.arguments("--resume", "--set", "run.steps=40"), cwd=folder.path)
    assert result.status == 2 and contents(folder.path) == before
    assert 'out.checkpoint.h5: /state: unknown variables "momentum_of_s"' in result.message()
    assert "continue with that version, or start from a frame of its results" in result.message()
