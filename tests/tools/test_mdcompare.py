# SPDX-License-Identifier: BSD-3-Clause
import shutil

import h5py
import numpy as np
import pytest
from conftest import load

mdcompare = load("mdcompare")


@pytest.fixture
def pair(plane, tmp_path):
    copy = tmp_path / "copy.h5"
    shutil.copy(plane, copy)
    return plane, copy


def compare(pair, *options):
    return mdcompare.main([str(p) for p in pair] + list(options))


def change(path, dataset, at, value):
    with h5py.File(path, "a") as file:
        file[dataset][at] = value


def test_a_copy_agrees(pair):
    assert compare(pair) == 0


def test_one_bit_is_seen_and_tolerated_on_request(pair, capsys):
    change(pair[1], "observables/total_energy/value", 7, np.nextafter(7.0, 8.0))
    assert compare(pair) == 1
    assert "observables/total_energy/value: 1 of 100 differ, first in row 7 (step 7)" in \
        capsys.readouterr().out
    assert compare(pair, "--relative", "1e-15") == 0


def test_the_sign_of_zero_is_a_bit(pair):
    change(pair[1], "observables/total_energy/value", 0, -0.0)
    assert compare(pair) == 1
    assert compare(pair, "--absolute", "1e-300") == 0


def test_a_frame_out_of_tolerance_is_seen(pair):
    change(pair[1], "particles/all/position/value", (1, 3, 0), 1e3)
    assert compare(pair, "--relative", "0.1") == 1


def test_missing_rows_and_data_are_seen(pair, capsys):
    with h5py.File(pair[1], "a") as file:
        del file["observables/momentum"]
        del file["observables/total_energy/value"]
        file["observables/total_energy/value"] = np.arange(99.0)
    assert compare(pair, "--relative", "1") == 1
    out = capsys.readouterr().out
    assert "only in" in out and "float64[100] and float64[99]" in out


def test_what_the_runs_say_about_themselves_may_differ(pair):
    with h5py.File(pair[1], "a") as file:
        file["parameters/device"] = "another"
    assert compare(pair) == 0


def test_what_cannot_be_compared_is_refused(pair, tmp_path, capsys):
    assert compare((pair[0], tmp_path / "missing.h5")) == 2
    h5py.File(tmp_path / "empty.h5", "w").close()
    assert compare((pair[0], tmp_path / "empty.h5")) == 2
    assert "Traceback" not in capsys.readouterr().err
