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


def run(folder, name, seed, *stages, start=1.4, output=""):
    if not MDRUN:
        pytest.skip("mdrun is not built (SHADOW_MDRUN is empty)")
    (folder / "start.xyz").write_text(f'1\npbc="F F F" Properties=species:S:1:pos:R:3\nA {start} 0 0\n')
    text = WELLS.format(seed=seed, name=name, stages="".join(stages))
    (folder / f"{name}.toml").write_text(text.replace("[compute]", output + "[compute]"))
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



def test_a_start_whose_weight_is_far_below_all_others(tmp_path, capsys):
    """By exp(-900), so that numbers relative to it hold none of the others."""
    file = run(tmp_path, "far", 3, stage(boost='boost = { threshold = 4.0, width = 1.0, least_slope = 0.5, side = "both" }'),
               start=60.0)
    own = json.loads((tmp_path / "far.json").read_text())["stages"][0]
    energy = own["averages"]["potential_energy"]
    assert own["verdict"]["samples"]["passed"] and energy["error"] < 0.05, own["verdict"]
    assert abs(energy["mean"] - exact()) < 4.0 * energy["error"]
    status, said = call(mdmerge, capsys, file, "--json", tmp_path / "m.json")
    row = json.loads((tmp_path / "m.json").read_text())
    row = row.get("averages", row)["potential_energy"]
    assert status == 0 and abs(row["mean"] - exact()) < 4.0 * row["error"], said
    assert not row["warning"]


@pytest.mark.parametrize("threshold, width", [(60.0, 0.5), (2000.0, 1.0)])
def test_few_rows_with_all_the_weight_are_told_by_all(threshold, width, tmp_path, capsys):
    """A particle that roams where it would not be without a boost."""
    boost = f"boost = {{ threshold = {threshold}, width = {width} }}"
    file = run(tmp_path, "few", 4, stage(steps=40_000, boost=boost))
    own = json.loads((tmp_path / "few.json").read_text())["stages"][0]
    assert not own["verdict"]["passed"] and not own["verdict"]["samples"]["passed"]
    assert "few rows have most of the weight" in own["verdict"]["samples"]["message"]
    for part in ("temperature", "fluctuations", "equilibrium"):
        assert own["verdict"][part]["passed"], part  # their messages would mislead
    assert not own["averages"]["potential_energy"]["trusted"]
    _, said = call(mdmerge, capsys, file)
    assert said.out.count("few rows of a run have most of the weight") >= 3, said
    averages = load("mdreport").averages if hasattr(load("mdreport"), "averages") else None
    if averages:
        with h5py.File(file) as h:
            found = averages(h, load("mdreport").stages(h)[0])["potential_energy"]
            assert "few rows have most of the weight" in found.warning


def test_rows_of_a_ramp_are_not_exported_as_those_of_its_end(tmp_path, capsys):
    ramp = stage("ramp", 20_000, boost="").replace("temperature = 1.0", "temperature = [[0, 3.0], [15_000, 1.0]]")
    file = run(tmp_path, "ramp", 6, ramp)
    status, said = call(mdexport, capsys, file, "--to", "physical-validation", "--output", tmp_path / "flat")
    assert status == 0, said
    assert len(np.loadtxt(tmp_path / "flat/kinetic_energy.dat")) == 1001


def test_frames_beside_a_boost_have_weights(tmp_path, capsys):
    trajectory = "trajectory = { every = 1000 }\n"
    file = run(tmp_path, "frames", 7, stage("one", 5000, boost=""), stage("two", 5000), output=trajectory)
    status, said = call(mdexport, capsys, file, "--to", "xyz")
    assert status == 0 and "frames of stage two are" in said.err, said
    plain = run(tmp_path, "plain", 7, stage("one", 5000, boost=""), output=trajectory)
    status, said = call(mdexport, capsys, plain, "--to", "xyz")
    assert status == 0 and not said.err, said


def test_what_depends_on_the_start_of_a_run_does_not_disagree(tmp_path, capsys):
    """s of a Nosé bath, whose mean is a matter of the energy of the start."""
    nose = 'method = "nose-explicit", mass = 50.0, chain = 2'
    files = [run(tmp_path, f"n{k}", k, stage(method=nose, boost="").replace("dt = 0.05", "dt = 0.01"), start=1.4 + 0.4 * k)
             for k in range(2)]
    found = []
    for file in files:
        with h5py.File(file) as h:
            found.append(h["observables/nose_s/value"][:].mean())
    assert abs(found[1] / found[0] - 1.0) > 0.05
    status, said = call(mdmerge, capsys, *files)
    line = next(k for k, text in enumerate(said.out.splitlines()) if text.startswith("nose_s"))
    assert "disagree" not in said.out.splitlines()[line + 1], said.out
