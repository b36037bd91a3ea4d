# SPDX-License-Identifier: BSD-3-Clause
"""Potential energies that are made flatter: averages by weights, barriers that are crossed, restarts, and refusals."""

import json

import h5py
import numpy as np
import pytest
from harness import DEVICE, mdrun
from runs import ARRAYS, BAOAB, NOSE, THERMO, VERLET, Folder, one_stage, refuse_difference, refuse_thread_differences

#: Two wells, one of them deeper by 1, and 10 between them, for a particle on a ring of length 1.
WELLS = """\
seed = 3
[system]
dimension = 1
box = { lengths = [1.0] }
file = "start.xyz"
[[force]]
type = "cosine-field"
amplitude = 5.0
periods = [2]
[[force]]
type = "cosine-field"
amplitude = 0.5
periods = [1]
phase = 1.5707963267948966
[integrator]
METHOD
dt = 0.01
temperature = 1.0
BOOST
[run]
steps = STEPS
[[observe]]
type = "thermo"
every = 5
[output]
prefix = "out"
[compute]
precision = "double"
"""
BOOST = "[boost]\nthreshold = {}\nwidth = {}\n"
#: A density of the total energy, in which averages are weighted as beside a boost.
DENSITY = ('method = "nose-density"\ndt = 0.004\ntemperature = 1.0\nmass = 10.0\n'
           'threshold = {}\nwidth = {}\nleast_slope = 0.7\nside = "{}"')


def in_wells(folder, method, boost, steps):
    """The summary of a run that begins in the upper well."""
    folder = Folder(folder, WELLS.replace("METHOD", method).replace("BOOST", boost).replace("STEPS", str(steps)))
    (folder.path / "start.xyz").write_text(
        '1\nLattice="1 0 0 0 1 0 0 0 1" Properties=species:S:1:pos:R:3\nA 0.75 0 0\n')
    folder.run("--quiet")
    return folder, json.loads((folder.path / "summary.json").read_text())["stages"][-1]


def exact():
    """<U> and C_V by quadrature."""
    x = np.arange(10_000) / 10_000
    u = 5.0 * np.cos(4 * np.pi * x) - 0.5 * np.sin(2 * np.pi * x)
    w = np.exp(-u)
    mean = (w @ u) / w.sum()
    return mean, (w @ (u - mean) ** 2) / w.sum() + 0.5


@pytest.mark.skipif(DEVICE == "cuda", reason="long runs of one particle")
@pytest.mark.parametrize("method", ['method = "baoab"\nfriction = 2.0', 'method = "obabo"\nfriction = 2.0',
                                    'method = "andersen"\nrate = 2.0', 'method = "nose-hoover"\nperiod = 1.0\nchain = 4'],
                         ids=["baoab", "obabo", "andersen", "nose-hoover"])
def test_averages_are_those_of_the_forces_as_they_are(method, tmp_path):
    folder, stage = in_wells(tmp_path / "run", method, BOOST.format(5.0, 1.0), 200_000)
    assert stage["verdict"]["equilibrium"]["passed"] and stage["verdict"]["samples"]["passed"], stage["verdict"]
    energy, capacity = stage["averages"]["potential_energy"], stage["fluctuations"]["heat_capacity"]
    mean, known_capacity = exact()
    assert 0.0 < energy["error"] < 0.03 and 0.0 < capacity["error"] < 0.3
    assert abs(energy["mean"] - mean) < 4.0 * energy["error"]
    assert abs(capacity["value"] - known_capacity) < 4.0 * capacity["error"]
    with h5py.File(folder.path / "out.h5") as file:
        potential, boost = (file[f"observables/{name}_energy/value"][:] for name in ("potential", "boost"))
    y = potential - 5.0
    assert np.allclose(boost, np.where(y < 0, y / np.sqrt(1.0 + y**2) - y, 0.0), atol=1e-10)
    weights = np.exp(boost - boost.max())
    plain = (weights @ potential) / weights.sum()
    assert abs(plain - energy["mean"]) < 0.2 * energy["error"] + 1e-12 or energy["discarded"]["fraction"] > 0.0


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_a_barrier_that_is_never_crossed_without(tmp_path):
    """Of ten kT, in a time of 500: the particle stays in the upper well, whose energies are near -4."""
    method = 'method = "baoab"\nfriction = 2.0'
    _, without = in_wells(tmp_path / "without", method, "", 50_000)
    _, boosted = in_wells(tmp_path / "boosted", method, BOOST.format(5.0, 1.0), 50_000)
    known, _ = exact()
    found = [(s["averages"]["potential_energy"]["mean"] - known) / s["averages"]["potential_energy"]["error"]
             for s in (without, boosted)]
    assert abs(found[0]) > 10.0 and abs(found[1]) < 4.0


def liquid(boost, steps=600, method=BAOAB, more=""):
    return one_stage(method + "\n" + boost, steps, THERMO + more)


@pytest.mark.skipif(DEVICE == "cuda", reason="long runs of few particles")
@pytest.mark.parametrize("side", ["above", "below", "both"])
def test_a_density_of_the_total_energy_and_canonical_averages_by_weights(side, tmp_path):
    """Of 64 particles, against a Nosé bath without."""
    def averages(name, method, of):
        text = liquid("", 120_000, method).replace("repeat = [5, 5, 5]", "repeat = [2, 4, 2]").replace(
            'truncation = "force-shift"', 'truncation = "smooth-c2"\ninner = 1.5').replace("2.5", "1.7").replace(
            "density = 0.8", "density = 0.6").replace("every = 5", "every = 10")
        folder = Folder(tmp_path / name, text, "run.equilibration=5000")
        folder.run("--quiet")
        stage = json.loads((folder.path / "summary.json").read_text())["stages"][-1]
        with h5py.File(folder.path / "out.h5") as file:
            return stage["averages"], stage["fluctuations"]["heat_capacity"], \
                {n: file[f"observables/{n}/value"][500:] for n in of}
    plain, capacity, _ = averages("plain", NOSE, ())
    mean = plain["total_energy"]["mean"]
    flat, found, rows = averages("flat", DENSITY.format(mean, 10.0, side), ("total_energy", "boost_energy"))
    for name in ("potential_energy", "pressure", "temperature"):
        error = np.hypot(plain[name]["error"], flat[name]["error"])
        assert abs(flat[name]["mean"] - plain[name]["mean"]) < 4.0 * error, name
    assert abs(found["value"] - capacity["value"]) < 4.0 * np.hypot(found["error"], capacity["error"])
    # Rows themselves are those of a hotter bath.
    moved = rows["total_energy"].mean() - mean
    assert moved > 4.0 * flat["total_energy"]["error"]
    y = (rows["total_energy"] - mean) / 10.0
    acts = {"above": y > 0.0, "below": y < 0.0, "both": y == y}[side]
    slope = np.where(acts, 0.7 + 0.3 * (1.0 + y**2)**-1.5, 1.0)
    added = np.where(acts, 3.0 * (y / np.sqrt(1.0 + y**2) - y), 0.0)
    assert np.allclose(rows["boost_energy"], added - np.log(slope), atol=1e-3)


@pytest.mark.parametrize("method, boost", [(BAOAB, BOOST), (NOSE, BOOST), (DENSITY.format(-1500.0, 100.0, "both"), "")],
                         ids=["baoab", "nose-poincare", "nose-density"])
def test_a_run_in_pieces_and_on_any_number_of_threads(method, boost, tmp_path):
    text = liquid(boost.format(-2400.0, 200.0), 80, method) + 'checkpoint = { every = 20 }\n'
    one, other = (Folder(tmp_path / name, text) for name in ("through", "in-pieces"))
    one.run()
    other.run_in_pieces()
    refuse_difference(one, other)
    if DEVICE != "cuda":
        refuse_thread_differences(tmp_path, text)


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_few_rows_with_most_of_the_weight_are_told(tmp_path):
    folder = Folder(tmp_path / "run", liquid(BOOST.format(-1800.0, 20.0), 2000), "run.equilibration=200")
    result = folder.run()
    stage = json.loads((folder.path / "summary.json").read_text())["stages"][-1]
    assert not stage["verdict"]["samples"]["passed"] and "few rows" in stage["verdict"]["samples"]["message"]
    for part in ("temperature", "fluctuations", "equilibrium"):
        assert stage["verdict"][part]["passed"], part  # what they said would be of few rows
    assert "with the boost rows are worth" in (folder.path / "out.log").read_text() + result.err


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_a_stage_that_measures_nothing_and_a_boost_that_does_nothing(tmp_path):
    text = liquid(BOOST.format(-2400.0, 200.0), 60).replace(THERMO, "")
    Folder(tmp_path / "bare", text).run()
    for name, boost in (("idle", BOOST.format(-9000.0, 200.0)), ("wide", BOOST.format(-1800.0, 1e9))):
        result = mdrun(*Folder(tmp_path / name, liquid(boost, 60)).arguments(), cwd=tmp_path / name)
        assert result.status == 0 and "the boost had no effect" in result.err, result.err


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_a_trial_says_where_rows_have_no_weight(tmp_path):
    (tmp_path / "in.toml").write_text(liquid(BOOST.format(-1800.0, 20.0), 5000))
    result = mdrun("--certify", "in.toml", cwd=tmp_path)
    assert result.status in (0, 1) and "averages: none can be trusted with the boost" in result.out, result.out


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_a_start_far_from_equilibrium_has_no_weight(tmp_path):
    """The energy of the lattice is far below all others, and its weight that of all together."""
    text = liquid(BOOST.format(-2500.0, 200.0) + "least_slope = 0.8\n", 3000)
    folder = Folder(tmp_path / "run", text)
    folder.run()
    stage = json.loads((folder.path / "summary.json").read_text())["stages"][-1]
    kinetic = stage["averages"]["kinetic_energy"]
    assert kinetic["discarded"]["fraction"] > 0.0 and kinetic["error"] > 0.5
    with h5py.File(folder.path / "out.h5") as file:
        boost = file["observables/boost_energy/value"][:]
    assert boost[0] > boost[100:].max() + 5.0


REFUSED = [
    ("no threshold", "[boost]\nwidth = 1.0\n", BAOAB, "", "threshold"),
    ("no width", "[boost]\nthreshold = 1.0\n", BAOAB, "", "width"),
    ("width zero", BOOST.format(1.0, 0.0), BAOAB, "", "width"),
    ("infinite", BOOST.format("inf", 1.0), BAOAB, "", "threshold"),
    ("side", BOOST.format(1.0, 1.0) + 'side = "left"\n', BAOAB, "", "below"),
    ("slope one", BOOST.format(1.0, 1.0) + "least_slope = 1.0\n", BAOAB, "", "least_slope"),
    ("flat above", BOOST.format(1.0, 1.0) + 'side = "both"\nleast_slope = 0.0\n', BAOAB, "", "prevent overlaps"),
    ("no slope above", BOOST.format(1.0, 1.0) + 'side = "above"\n', BAOAB, "", "least_slope"),
    ("no bath", BOOST.format(1.0, 1.0), VERLET, "", "no bath keeps"),
    ("cold", BOOST.format(1.0, 1.0), BAOAB.replace("temperature = 1.0", "temperature = 0.0"), "", "give one above zero"),
    ("ramp", BOOST.format(1.0, 1.0), BAOAB.replace("temperature = 1.0", "temperature = [[0, 2.0], [50, 1.0]]"), "",
     "its temperature changes"),
    ("berendsen", BOOST.format(1.0, 1.0), 'method = "berendsen"\ndt = 0.004\ntemperature = 1.0\ntime = 1.0', "",
     "samples no ensemble"),
    ("levels", BOOST.format(1.0, 1.0), BAOAB.replace("baoab", "baoab-respa") + "\ninner = 2", "", "forces of one level"),
    ("barostat", BOOST.format(1.0, 1.0) + "[barostat]\npressure = 1.0\ntime = 1.0\ncompressibility = 0.1\n", BAOAB, "",
     "a barostat"),
    ("shear", BOOST.format(1.0, 1.0) + "[shear]\nrate = 0.1\n", BAOAB, "", "shear"),
    ("in time", BOOST.format(1.0, 1.0), BAOAB, '[[observe]]\ntype = "msd"\nevery = 5\nmax_lag = 20\n', "with the boost"),
    ("arrays", BOOST.format(1.0, 1.0), BAOAB, '[[observe]]\ntype = "rdf"\nevery = 5\nbins = 20\nr_max = 2.0\n',
     "with the boost"),
    ("correlations of rows", BOOST.format(1.0, 1.0), BAOAB, '[[observe]]\ntype = "time-correlation"\nof = ["pressure"]\nwindow = 4\n',
     "time-correlation with the boost (particles move as under other forces)"),
    ("distributions of rows", BOOST.format(1.0, 1.0), BAOAB, '[[observe]]\ntype = "distribution"\nof = ["pressure"]\nrange = [0, 1]\n',
     "distribution with the boost (its rows have weights"),
    ("on both energies", BOOST.format(1.0, 1.0), DENSITY.format(1.0, 1.0, "both"), "", "weights of its own"),
    ("density in time", "", DENSITY.format(1.0, 1.0, "both"), '[[observe]]\ntype = "msd"\nevery = 5\nmax_lag = 20\n',
     "with nose-density"),
    ("density and a barostat", "[barostat]\npressure = 1.0\ntime = 1.0\ncompressibility = 0.1\n",
     DENSITY.format(1.0, 1.0, "both"), "", "with nose-density"),
    ("density and shear", "[shear]\nrate = 0.1\n", DENSITY.format(1.0, 1.0, "both"), "", "nose-density"),
    ("density and its shadow", "", DENSITY.format(1.0, 1.0, "both"), '[[observe]]\ntype = "shadow-energy"\nevery = 5\n',
     "shadow"),
    ("shadow energy", BOOST.format(1.0, 1.0), BAOAB, '[[observe]]\ntype = "shadow-energy"\nevery = 5\n', "shadow"),
]


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
@pytest.mark.parametrize("boost, method, more, why", [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_refusals(boost, method, more, why, tmp_path):
    (tmp_path / "in.toml").write_text(liquid(boost, 100, method, more))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and why in result.err, result.err
    assert "(" in result.err and ";" in result.err
