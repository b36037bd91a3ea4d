# SPDX-License-Identifier: BSD-3-Clause
"""A run on a GPU checks itself: nothing of that shows in its bits, and faults that are planted into
the emulated GPU are found."""

import h5py
import pytest
from harness import DEVICE, mdrun
from runs import BAOAB, CHAINS, LIQUID, STIFF_CHAIN_FORCES, THERMO, VERLET, Folder, one_stage, refuse_difference

CLUSTER = """\
seed = 3
[system]
dimension = 2
box = { periodic = false }
lattice = { type = "triangular", repeat = [8, 5], constant = 1.1, jitter = 0.03 }
velocity = { temperature = 0.3 }
"""

emulated = pytest.mark.skipif(DEVICE != "cuda" or "emulated" not in mdrun("--devices", cwd=".").out,
                              reason="there is no emulated GPU")


def checked(path, text, *sets):
    """A folder whose runs check themselves, unless `sets` says otherwise."""
    folder = Folder(path, text, *sets)
    folder.sets = [f"compute.device={DEVICE}", "compute.threads=1", *sets]
    return folder


def run(path, text, *sets, fault=None, resume=False):
    folder = checked(path, text, *sets)
    return folder, mdrun(*folder.arguments(*(["--resume"] if resume else [])), cwd=folder.path,
                         env={"SHADOW_EMULATED_FAULT": fault} if fault else {})


@pytest.mark.parametrize("value", ["start", "off", "every 1 h"])
def test_it_is_read_on_every_device(value, tmp_path):
    folder = Folder(tmp_path / "run", one_stage(VERLET, 3, system=CLUSTER))
    folder.sets += [f"compute.self_test={value}", "compute.device=cpu"]
    folder.run()


@pytest.mark.parametrize("value", ["never", "every", "every 5", "every -1 h", "1 h", "5", "true"])
def test_other_values_are_refused(value, tmp_path):
    _, result = run(tmp_path / "run", one_stage(VERLET, 3, system=CLUSTER),
                    f"compute.self_test={value}")
    assert result.status == 2
    assert "self_test" in result.message()


SMALL_LIQUID = LIQUID.replace("[5, 5, 5]", "[4, 4, 4]")
MOLLIFIED = one_stage('method = "mollified-impulse"\ndt = 0.008\ninner = 4', 10, THERMO, CHAINS, STIFF_CHAIN_FORCES)


@pytest.mark.skipif(DEVICE != "cuda", reason="there is no GPU")
@pytest.mark.parametrize("text", [
    one_stage(VERLET, 40, system=CLUSTER), one_stage(BAOAB, 40, system=CLUSTER),
    one_stage(VERLET, 40, system=SMALL_LIQUID), one_stage(BAOAB, 40, system=SMALL_LIQUID), MOLLIFIED,
], ids=["open-verlet", "open-baoab", "periodic-verlet", "periodic-baoab", "mollified"])
def test_it_changes_no_bit(text, tmp_path):
    folders = []
    for name, value in [("off", "off"), ("start", "start"), ("often", "every 0.05 s")]:
        folder, result = run(tmp_path / name, text, f"compute.self_test={value}")
        assert result.status == 0, result.err
        assert "differ in bits" not in result.err
        folders.append(folder)
    for other in folders[1:]:
        refuse_difference(folders[0], other)


@emulated
@pytest.mark.parametrize("precision", ["double", "mixed"])
@pytest.mark.parametrize("fault, says", [
    ("force", "component y of the force on particle"),
    ("energy", "the energy of particle"),
    ("virial", "component 1 of the virial"),
])
def test_wrong_forces_end_the_run(fault, says, precision, tmp_path):
    text = one_stage(VERLET, 20, system=CLUSTER)
    folder, result = run(tmp_path / "run", text, f"compute.precision={precision}", fault=fault)
    assert result.status == 4
    message = result.message()
    for words in [says, "GPU 0, emulated by this processor, driver none", "lennard-jones", precision,
                  'device = "cpu"', "checkpoint"]:
        assert words in message
    with h5py.File(folder.path / "out.h5") as file:
        assert len(file["observables/potential_energy/step"]) == 0


@emulated
def test_wrong_virials_of_large_systems_are_found_in_a_part_of_them(tmp_path):
    large = CLUSTER.replace("[8, 5]", "[50, 46]")
    _, result = run(tmp_path / "run", one_stage(VERLET, 2, system=large), fault="virial")
    assert result.status == 4
    assert "component 1 of the virial" in result.message()


@emulated
@pytest.mark.parametrize("fault, says", [
    ("graph", "steps as graphs differ in bits from single launches"),
    ("steps", "many steps by one kernel differ in bits from single launches"),
])
def test_wrong_replays_are_given_up(fault, says, tmp_path):
    text = one_stage(VERLET, 100, system=SMALL_LIQUID)
    right, result = run(tmp_path / "right", text)
    assert result.status == 0, result.err
    assert "GPU: 0 graphs of many" not in result.err
    wrong, result = run(tmp_path / "wrong", text, fault=fault)
    assert result.status == 0, result.err
    assert says in result.err and "is elsewhere" in result.err
    assert result.err.count("differ in bits") == 1
    refuse_difference(right, wrong)
    spoilt, result = run(tmp_path / "spoilt", text, "compute.self_test=off", fault=fault)
    with pytest.raises(AssertionError):
        refuse_difference(right, spoilt)


@emulated
def test_a_resumed_run_is_checked_too(tmp_path):
    folder, result = run(tmp_path / "run", one_stage(VERLET, 10, system=CLUSTER))
    assert result.status == 0, result.err
    more = folder.arguments("--resume", "--set", "run.steps=20")
    result = mdrun(*more, cwd=folder.path, env={"SHADOW_EMULATED_FAULT": "force"})
    assert result.status == 4
    assert "the force on particle" in result.message() and "(step 10)" in result.message()


@emulated
def test_a_fault_that_comes_later_is_found(tmp_path, monkeypatch):
    comes = tmp_path / "comes"
    monkeypatch.setenv("SHADOW_EMULATED_FAULT", "force")
    monkeypatch.setenv("SHADOW_EMULATED_FAULT_FILE", str(comes))
    folder = checked(tmp_path / "run", one_stage(VERLET, 100_000_000, system=CLUSTER),
                     "compute.self_test=every 0.1 s")
    process = folder.start()
    comes.touch()
    assert process.wait(timeout=60) == 4
    assert b"the force on particle" in process.stderr.read()
