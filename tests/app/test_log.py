# SPDX-License-Identifier: BSD-3-Clause
"""What a run says while it goes on: the table of thermo, PREFIX.log, and the end of its summary."""

import json
import os
import re
import subprocess

import h5py
import numpy as np
import pytest
from harness import BASE, DEVICE, MDRUN, edited, mdrun
from runs import BAOAB, THERMO, VERLET, Folder, one_stage, refuse_difference, staged



def tables(text):
    """The tables in a log: column names and numbers of each."""
    found = []
    for line in text.splitlines():
        words = line.split()
        if words[:2] == ["step", "time"]:
            found.append((words, []))
        elif found and words and words[0].isdigit() and len(words) == len(found[-1][0]):
            found[-1][1].append([float(word) for word in words])
    return [(names, np.array(rows)) for names, rows in found]


def read(path, name):
    with h5py.File(path) as file:
        return file[f"observables/{name}/value"][:]


COLUMNS = {"T": "temperature", "U": "potential_energy", "K": "kinetic_energy", "E": "total_energy",
           "P": "pressure", "conserved": "conserved_energy"}


@pytest.mark.parametrize("per_particle", [False, True])
def test_the_table_has_the_numbers_of_the_file(per_particle, tmp_path):
    folder = Folder(tmp_path / "run", one_stage(VERLET, 100))
    said = folder.run("--set", f"output.log.per_particle={str(per_particle).lower()}").err
    (names, rows), = tables(said)
    assert names == ["step", "time", *COLUMNS, "drift"]
    assert list(rows[:, 0]) == list(range(0, 101, 5)) and rows[-1, 1] == 0.4
    for name, series in COLUMNS.items():
        value = read(folder.path / "out.h5", series)
        scale = 500 if per_particle and name in ("U", "K", "E", "conserved") else 1
        # Six digits are shown.
        assert np.allclose(rows[:, names.index(name)], value / scale, rtol=1e-5), name
    conserved = read(folder.path / "out.h5", "conserved_energy")
    drift = (conserved - conserved[0]) / (500 if per_particle else 1)
    assert np.allclose(rows[:, -1], drift, rtol=1e-2, atol=1e-12)
    log = (folder.path / "out.log").read_text()
    assert tables(log)[0][1].tolist() == rows.tolist()
    assert ("energies in epsilon per particle" in log) == per_particle
    for line in said.splitlines():
        assert line in log, line
    assert "Performance" in log and "Performance" not in said


def test_quiet_is_about_standard_error_alone(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(VERLET, 100))
    assert folder.run("--quiet").err == ""
    (_, rows), = tables((folder.path / "out.log").read_text())
    assert len(rows) == 21


def test_without_thermo_the_rows_of_the_watch_are_shown(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(VERLET, 100, observe=""))
    (names, rows), = tables(folder.run().err)
    assert list(rows[:, 0]) == [0, 50, 100] and "P" in names


def test_lines_are_as_rare_as_wished(tmp_path):
    folder = Folder(tmp_path / "run", staged(("a", BAOAB, 60), ("b", VERLET, 45)))
    first, second = tables(folder.run("--set", "output.log.every=20").err)
    assert list(first[1][:, 0]) == [0, 20, 40, 60]
    assert list(second[1][:, 0]) == [60, 80, 100, 105]


def test_a_resumed_run_adds_to_it_and_counts_the_drift_from_the_start(tmp_path):
    whole = Folder(tmp_path / "whole", one_stage(VERLET, 100))
    parts = Folder(tmp_path / "parts", one_stage(VERLET, 100))
    whole.run()
    parts.run("--set", "run.steps=50")
    parts.run("--resume")
    (_, expected), = tables((whole.path / "out.log").read_text())
    first, second = tables((parts.path / "out.log").read_text())
    assert first[1].tolist() == expected[:11].tolist()
    assert second[1].tolist() == expected[11:].tolist()
    refuse_difference(whole, parts)


def test_a_run_that_is_refused_writes_none(tmp_path):
    (tmp_path / "in.toml").write_text(edited(("cutoff = 2.5", "cutoff = 25.0")))
    assert mdrun("in.toml", cwd=tmp_path).status == 2
    (tmp_path / "in.toml").write_text(BASE)
    assert mdrun("in.toml", cwd=tmp_path).status == 0
    before = (tmp_path / "out.log").read_text()
    assert mdrun("in.toml", cwd=tmp_path).status == 2
    assert (tmp_path / "out.log").read_text() == before
    assert mdrun("in.toml", "--set", "output.overwrite=true", cwd=tmp_path).status == 0
    assert len(tables((tmp_path / "out.log").read_text())) == 1


def test_an_output_that_the_shell_sends_there_stands_once(tmp_path):
    (tmp_path / "in.toml").write_text(BASE)
    with open(tmp_path / "out.log", "w", encoding="utf-8") as log:
        subprocess.run([MDRUN, "in.toml"], cwd=tmp_path, stdout=log, stderr=log, check=True)
    text = (tmp_path / "out.log").read_text()
    assert len(tables(text)) == 1 and text.count("Performance") == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_log_that_cannot_be_written_is_told_once_and_ends_no_run(tmp_path):
    good, full = Folder(tmp_path / "good", one_stage(VERLET, 100)), Folder(tmp_path / "full", one_stage(VERLET, 100))
    (full.path / "out.log").symlink_to("/dev/full")
    good.run()
    said = full.run("--quiet").err
    assert re.fullmatch(r"mdrun: warning: \S*out.log can no longer be written \(No space left on device\); [^\n]+\n", said), said
    refuse_difference(good, full)


def test_failures_are_in_it(tmp_path):
    folder = Folder(tmp_path / "run", one_stage('method = "verlet"\ndt = 0.05', 2000))
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert result.status == 3
    assert result.err.splitlines()[-1] in (folder.path / "out.log").read_text()


@pytest.mark.parametrize("value, says", [
    ("{ every = 7 }", "a multiple of 5"), ("{ every = 0 }", "every"),
    ("{ per_particle = 1 }", "true or false"), ("{ eevry = 5 }", '"every"'), ("true", "table")])
def test_wrong_wishes_are_refused(value, says, tmp_path):
    (tmp_path / "in.toml").write_text(edited(('prefix = "out"', f'prefix = "out"\nlog = {value}')))
    result = mdrun("in.toml", cwd=tmp_path)
    assert result.status == 2 and says in result.message()
    assert not (tmp_path / "out.log").exists()


CORRELATIONS = THERMO + """\
[[observe]]
type = "msd"
every = 5
longest = 160
window = 16
[[observe]]
type = "vacf"
every = 5
window = 20
[[observe]]
type = "viscosity"
every = 2
window = 16
"""


def test_transport_coefficients_are_in_the_summary(tmp_path):
    """Numbers are those of the arrays at the lag that is named."""
    folder = Folder(tmp_path / "run", one_stage(VERLET, 2000, CORRELATIONS))
    result = folder.run()
    found = json.loads((folder.path / "summary.json").read_text())["stages"][0]["coefficients"]
    assert set(found) == {"diffusion", "diffusion_green_kubo", "viscosity_green_kubo",
                          "viscosity_helfand"}
    with h5py.File(folder.path / "out.h5") as file:
        for name, c in found.items():
            group = file[f"averages/{name}"]
            at = list(group["lag"][:]).index(c["lag"])
            assert group["value"][-1, at] == c["value"]
            assert group["error"][-1, at] <= c["error"]
            assert group["value"].attrs["unit"] == c["unit"]
            assert f"{name} [{c['unit']}]" in result.out


def test_the_time_of_small_systems_is_told_in_parts(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(VERLET, 400), "output.checkpoint={every=1000}")
    result = folder.run()
    performance = json.loads((folder.path / "summary.json").read_text())["performance"]
    shares = performance["shares"]
    assert sum(shares.values()) == pytest.approx(1.0, abs=1e-6)
    # On a GPU one kernel does all of many steps.
    parts = ("steps",) if DEVICE == "cuda" else ("forces", "lists", "integration")
    assert all(shares[name] > 0.0 for name in parts)
    assert ("steps" in shares) == (DEVICE == "cuda")
    assert performance["million_atom_steps_per_second"] == \
        pytest.approx(1e-6 * performance["particle_steps_per_second"])
    assert "Matom-steps/s" in result.out


@pytest.mark.parametrize("word, says", [("B½ A1 B½", "is of order 2, and reversible"), ("B1 A1", "is of order 1\n"),
                                        ("V1.351207191959657634 V* |", "is of order 4, and reversible")])
def test_the_order_of_a_word_is_told(word, says, tmp_path):
    (tmp_path / "in.toml").write_text(edited(('method = "verlet"', f'method = "splitting"\nword = "{word}"')))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 0 and f'the word "{word}" {says}' in result.out, result.out
