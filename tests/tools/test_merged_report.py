# SPDX-License-Identifier: BSD-3-Clause
"""The page that mdreport makes of a file of mdmerge: what mdmerge's table says."""
import re

import h5py
import numpy as np
import pytest
from conftest import correlated, describe_run, load, write_array, write_series
from pages import mdreport, report
from shadow_results.text import with_error

mdmerge = load("mdmerge")


def run(path, seed, arrays=False, mean=2.5):
    for k, name in enumerate(("pressure", "temperature", "conserved_energy")):
        write_series(path, name, np.arange(2000), correlated(2000, 2, 10 * seed + k, mean=mean if name == "pressure" else 0.0))
    if arrays:
        value = 1.0 + 0.1 * np.random.default_rng(seed).normal(size=20) + (mean - 2.5)
        write_array(path, "rdf", {"r": np.arange(20)}, [value], [np.full(20, 0.1)])
        write_array(path, "diffusion", {}, [np.array(0.3 + 0.01 * seed + mean)], [np.array(0.05)])
    return str(describe_run(path, seed=seed))


@pytest.mark.parametrize("arrays", [False, True])
def test_a_merged_file_is_shown_as_mdmerge_shows_it(arrays, tmp_path, capsys):
    files = [run(tmp_path / f"run{k}.h5", k, arrays) for k in range(3)]
    assert mdmerge.main([*files, "--h5", str(tmp_path / "m.h5")]) == 0
    rows = {line.split()[0]: line.split() for line in capsys.readouterr().out.splitlines() if line}
    page = report(tmp_path / "m.h5")
    assert "averages over 3 runs" in page and "run0.h5, run1.h5, run2.h5" in page
    for name in ("pressure", "temperature"):
        with h5py.File(tmp_path / "m.h5") as file:
            numbers = with_error(*(float(file[f"averages/{name}/{part}"][()]) for part in ("mean", "error")))
        cells = re.findall(r"<td[^>]*>(.*?)</td>", next(row for row in page.split("<tr>") if f">{name} <" in row))
        assert tuple(cells[1:3]) == numbers and cells[4:6] == rows[name][-2:], (cells, rows[name])
    assert page.count("<h2>Structure and dynamics</h2>") == arrays == page.count("<h3>rdf")
    for word in ("steps", "What is conserved", "No conserved", "No picture", "Maxwell", "warning\">w"):
        assert word not in page.split("</style>")[1].split("<script>")[0], word


def test_disagreement_is_shown(tmp_path, capsys):
    files = [run(tmp_path / f"{k}.h5", k, True, mean=2.5 + (k == 1)) for k in range(2)]
    assert mdmerge.main([*files, "--h5", str(tmp_path / "m.h5")]) == 1
    page = report(tmp_path / "m.h5")
    # Of the pressure, of g(r) and of the number.
    assert page.count("runs disagree by more than their errors") == 3


def test_merged_states_that_differ_are_shown(tmp_path, capsys):
    files = [run(tmp_path / f"{k}.h5", k) for k in range(2)]
    with h5py.File(files[1], "a") as file:
        file["parameters/units"][()] = "akma"
    assert mdmerge.main([*files, "--different", "--h5", str(tmp_path / "m.h5")]) == 0
    assert "runs of different states are merged: " in report(tmp_path / "m.h5")


def test_a_summary_is_not_of_a_merged_file(tmp_path, capsys):
    files = [run(tmp_path / f"{k}.h5", k) for k in range(2)]
    mdmerge.main([*files, "--h5", str(tmp_path / "m.h5")])
    (tmp_path / "s.json").write_text('{"performance": {}, "input_digest": "0"}')
    assert mdreport.main([str(tmp_path / "m.h5"), "--summary", str(tmp_path / "s.json")]) == 2
    assert "is not the summary of" in capsys.readouterr().err
