# SPDX-License-Identifier: BSD-3-Clause
"""What is left out at the start of a stage: of series, and of every averaged array."""

import h5py
import numpy
import pytest
from harness import BASE, edited, mdrun
from runs import ARRAYS, THERMO, VERLET, Folder, one_stage, staged

RDF = '[[observe]]\ntype = "rdf"\nevery = 10\n'


def liquid(steps, more="", observe=THERMO):
    return one_stage(VERLET, steps, observe).replace(f"steps = {steps}", f"steps = {steps}\n{more}")


def arrays(folder):
    """Value and error, samples and what was left out, of each array, in its last stage."""
    with h5py.File(folder.path / "out.h5") as file:
        return {name: [item[part][-1] for part in ("value", "error", "samples", "equilibration_steps")]
                for name, item in file["averages"].items()}


def test_arrays_leave_out_the_same_as_another_stage_would(tmp_path):
    # 93 is a multiple of no interval but that of vacf. Steps with and without energies round
    # differently, by 1e-16, which grows to 1e-12 at most within 1.2 units of time.
    one = Folder(tmp_path / "one", liquid(300, "equilibration = 93", ARRAYS), "compute.precision=double")
    one.run()
    text = staged(("start", VERLET, 93), ("rest", VERLET + "\n", 207)).replace(THERMO, "")
    head, tail = text.replace("[[stage.observe]]\ntype = \"thermo\"\nevery = 5\n", "").split("[output]")
    two = Folder(tmp_path / "two", head + ARRAYS.replace("[[observe]]", "[[stage.observe]]") + "[output]" + tail,
                 "compute.precision=double")
    two.run()
    found, expected = arrays(one), arrays(two)
    assert found.keys() == expected.keys() and len(found) > 10
    for name, (value, error, samples, left_out) in found.items():
        assert samples == expected[name][2] > 0 and left_out == 93, name
        numpy.testing.assert_allclose(value, expected[name][0], rtol=1e-9, atol=1e-11, err_msg=name)
        numpy.testing.assert_allclose(error, expected[name][1], rtol=1e-6, atol=1e-11, err_msg=name)


def test_series_begin_at_the_first_sample_behind_it(tmp_path):
    # Samples at 0, 7, 14 are left out, 21 is the first.
    folder = Folder(tmp_path / "run", liquid(200, "equilibration = 15", THERMO.replace("5", "7")))
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        series = file["observables/temperature/value"][:]
    average = folder.averages()["averages"]["temperature"]
    assert average["discarded"]["steps"] == 21
    assert average["mean"] == pytest.approx(series[3:].mean(), rel=1e-12)


@pytest.fixture(scope="module")
def melt(tmp_path_factory):
    folder = Folder(tmp_path_factory.mktemp("auto") / "run", liquid(400, "", THERMO.replace("5", "1") + RDF))
    folder.run()
    return folder


def test_arrays_begin_anew_when_the_crystal_has_melted(melt, tmp_path):
    samples, left_out = arrays(melt)["rdf"][2:]
    assert 128 < left_out < 300 and samples == 400 // 10 - (left_out - 1) // 10
    # The same by hand has the same bits.
    by_hand = Folder(tmp_path / "run", liquid(400, f"equilibration = {left_out}", THERMO.replace("5", "1") + RDF))
    by_hand.run()
    for found, expected in zip(arrays(melt)["rdf"], arrays(by_hand)["rdf"]):
        numpy.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("first", [100, 150, 300])
def test_a_resumed_run_leaves_out_the_same(melt, tmp_path, first):
    text = liquid(first, "", THERMO.replace("5", "1") + RDF)
    folder = Folder(tmp_path / "run", text)
    folder.run()
    folder.run("--resume", "--set", "run.steps=400")
    assert folder.datasets()["averages/rdf/value"] == melt.datasets()["averages/rdf/value"]
    assert arrays(folder)["rdf"][3] == arrays(melt)["rdf"][3]


RAMP = 'method = "baoab"\ndt = 0.004\nfriction = 5.0\ntemperature = [[0, 1.0], [300, 2.0]]'


def ramped(steps, every):
    return one_stage(RAMP, steps, THERMO.replace("5", every) + RDF)


def test_arrays_begin_where_the_bath_has_changed_for_the_last_time(tmp_path):
    """Behind it there are no 128 samples of thermo, after which one looks for equilibrium."""
    folder, by_hand = (Folder(tmp_path / name, ramped(600, "5"), *sets)
                       for name, *sets in (("auto",), ("hand", "run.equilibration=300")))
    folder.run()
    by_hand.run()
    assert arrays(folder)["rdf"][2:] == [31, 300]
    assert folder.averages()["averages"]["temperature"]["discarded"]["steps"] >= 300
    for found, expected in zip(arrays(folder)["rdf"], arrays(by_hand)["rdf"]):
        numpy.testing.assert_array_equal(found, expected)


def test_arrays_begin_anew_when_the_liquid_has_followed(tmp_path):
    """By its friction in 25 steps, of 128 and more behind the ramp, which is more than half of all."""
    folder = Folder(tmp_path / "run", ramped(590, "1"))
    folder.run()
    assert 428 <= arrays(folder)["rdf"][3] - 1 < 590


@pytest.mark.parametrize("first", [200, 299, 300, 310, 430])
def test_a_resumed_run_leaves_out_the_same_after_a_ramp(tmp_path, first):
    whole, folder = (Folder(tmp_path / name, ramped(700, "1")) for name in ("whole", "run"))
    whole.run()
    folder.run("--set", f"run.steps={first}")
    folder.run("--resume")
    assert arrays(folder)["rdf"][3] == arrays(whole)["rdf"][3]
    assert folder.datasets()["averages/rdf/value"] == whole.datasets()["averages/rdf/value"]


def test_of_a_bath_that_changes_to_the_end_arrays_keep_what_series_keep(tmp_path):
    folder = Folder(tmp_path / "run", ramped(300, "5"))
    folder.run()
    assert arrays(folder)["rdf"][2:] == [31, 0]


def test_what_was_averaged_cannot_be_left_out_later(tmp_path):
    folder = Folder(tmp_path / "run", liquid(100, "equilibration = 20", THERMO + RDF))
    folder.run()
    result = folder.run("--resume", "--set", "run.steps=200", "--set", "run.equilibration=50")
    assert "averaged from step 20 on, not 50" in result.err
    result = folder.run("--resume", "--set", "run.steps=300", "--set", "run.equilibration=240")
    assert "averaged from" not in result.err
    assert arrays(folder)["rdf"][2:] == [7, 240]


@pytest.mark.parametrize("steps, left_out, message", [
    (20, 20, "equilibration is 20 of 20 steps"), (20, 21, "equilibration is 21 of 20 steps"),
    (20, 11, "at most two samples are averaged")])
def test_an_equilibration_that_leaves_nothing_is_refused(tmp_path, steps, left_out, message):
    (tmp_path / "in.toml").write_text(edited(("steps = 20", f"steps = {steps}\nequilibration = {left_out}"),
                                             base=BASE))
    result = mdrun("in.toml", cwd=tmp_path)
    assert result.status == 2 and message in result.message()
    assert not (tmp_path / "out.h5").exists()
