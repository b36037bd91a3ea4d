# SPDX-License-Identifier: BSD-3-Clause
"""Rows with weights, beside a boost and of steps with lengths of their own, in every tool that averages."""
import json
import subprocess

import h5py
import numpy as np
import pytest
from conftest import MDRUN, load

mdmerge, mdreweight, mdexport = load("mdmerge"), load("mdreweight"), load("mdexport")

#: A particle in a trap with a barrier, U = 0.5 x^2 + 4 cos(2 x); mean energies by quadrature.
WELLS = """\
seed = {seed}
[system]
dimension = 1
box = {{ periodic = false }}
file = "start.xyz"
[[force]]
type = "harmonic-trap"
stiffness = [1.0]
[[force]]
type = "cosine-field"
amplitude = 4.0
wave_vector = [2.0]
{stages}
[output]
prefix = "{name}"
[compute]
device = "cpu"
threads = 1
precision = "double"
"""
STAGE = """\
[[stage]]
name = "{name}"
steps = {steps}
integrator = {{ {method}, dt = 0.05, temperature = 1.0 }}
{boost}
[[stage.observe]]
type = "thermo"
every = 5
"""
BAOAB, SEPARATED = 'method = "baoab", friction = 1.0', 'method = "nose-separated", mass = 1.0'
BOOST = 'boost = { threshold = 4.0, width = 1.0 }'


def exact():
    x = np.linspace(-8.0, 8.0, 20_001)
    u = 0.5 * x**2 + 4.0 * np.cos(2.0 * x)
    return float(np.exp(-u) @ u / np.exp(-u).sum())


def run(folder, name, seed, *stages):
    if not MDRUN:
        pytest.skip("mdrun is not built (SHADOW_MDRUN is empty)")
    (folder / "start.xyz").write_text('1\npbc="F F F" Properties=species:S:1:pos:R:3\nA 1.4 0 0\n')
    (folder / f"{name}.toml").write_text(WELLS.format(seed=seed, name=name, stages="".join(stages)))
    subprocess.run([MDRUN, f"{name}.toml", "--quiet", "--summary", f"{name}.json"], cwd=folder, check=True,
                   capture_output=True)
    return folder / f"{name}.h5"


def stage(name="sample", steps=100_000, method=BAOAB, boost=BOOST):
    return STAGE.format(name=name, steps=steps, method=method, boost=boost)


def call(tool, capsys, *arguments):
    try:
        status = tool.main([str(a) for a in arguments])
    except SystemExit as end:
        status = end.code
    return status, capsys.readouterr()


def test_merged_averages_are_those_of_the_forces_as_they_are(tmp_path, capsys):
    files = [run(tmp_path, f"b{k}", k, stage(boost=b)) for k, b in enumerate((BOOST, BOOST, ""))]
    status, said = call(mdmerge, capsys, *files, "--json", tmp_path / "m.json")
    assert status == 0, said
    found = json.loads((tmp_path / "m.json").read_text())
    energy = found["averages"]["potential_energy"] if "averages" in found else found["potential_energy"]
    assert abs(energy["mean"] - exact()) < 4.0 * energy["error"]
    for k, row in enumerate(energy["runs"]):  # as the runs themselves say
        own = json.loads((tmp_path / f"b{k}.json").read_text())["stages"][0]["averages"]["potential_energy"]
        assert abs(row["mean"] - own["mean"]) < 0.5 * own["error"]
    with h5py.File(files[0]) as file:
        plain = file["observables/potential_energy/value"][:].mean()
    assert abs(plain - exact()) > 20.0 * energy["error"]


def test_steps_with_lengths_of_their_own(tmp_path, capsys):
    files = [run(tmp_path, f"s{k}", k, stage("mix", 1000, boost=""), stage(method=SEPARATED, boost="")) for k in (1, 2)]
    status, said = call(mdmerge, capsys, *files, "--json", tmp_path / "m.json")
    assert status in (0, 1), said
    found = json.loads((tmp_path / "m.json").read_text())
    for name, row in ((n, r) for n in ("temperature", "potential_energy")
                      for r in (found.get("averages", found))[n]["runs"][:1]):
        own = json.loads((tmp_path / "s1.json").read_text())["stages"][1]["averages"][name]
        assert abs(row["mean"] - own["mean"]) < 0.5 * own["error"] + 1e-9
    status, said = call(mdreweight, capsys, files[0])
    assert status == 2 and "lengths of their own" in said.err
    status, said = call(mdmerge, capsys, *files, "--from", 0)
    assert status == 2 and "whose rows have weights" in said.err


def test_stages_around_a_boost(tmp_path, capsys):
    file = run(tmp_path, "three", 5, stage("one", boost=""), stage("two", 20_000), stage("three", boost=""))
    for name in ("one", "three"):
        status, said = call(mdreweight, capsys, file, "--stage", name, "--json", tmp_path / "r.json")
        assert status == 0, said
        assert json.loads((tmp_path / "r.json").read_text())["runs"][0]["discarded"] < 5000
    status, said = call(mdexport, capsys, file, "--to", "physical-validation", "--stage", "two", "--output", tmp_path / "flat")
    assert status == 2 and "have weights" in said.err, said
    assert not (tmp_path / "flat").exists()


def test_rows_in_which_the_bath_changes_are_left_out(tmp_path, capsys):
    ramp = stage("ramp", boost="").replace("temperature = 1.0", "temperature = [[0, 3.0], [50_000, 1.0]]")
    files = [run(tmp_path, f"r{k}", k, ramp) for k in (1, 2)]
    own = json.loads((tmp_path / "r1.json").read_text())["stages"][0]["averages"]["potential_energy"]
    assert own["discarded"]["fraction"] > 0.49 and abs(own["mean"] - exact()) < 5.0 * own["error"]
    status, said = call(mdmerge, capsys, *files, "--json", tmp_path / "m.json")
    assert status in (0, 1), said
    row = json.loads((tmp_path / "m.json").read_text())
    row = row.get("averages", row)["potential_energy"]["runs"][0]
    assert abs(row["mean"] - own["mean"]) < 0.5 * own["error"]

