# SPDX-License-Identifier: BSD-3-Clause
"""Baths whose temperature or friction changes with the steps of a stage; frames by stage."""

import json

import h5py
import numpy as np
import pytest
from harness import DEVICE, mdrun
from runs import BAOAB, LIQUID, MIXTURE, ONE_STEP, SPLIT_FORCE, THERMO, Folder, one_stage, refuse_difference, refuse_thread_differences, staged
from test_restart import NOSE, VERLET

IDEAL_GAS = LIQUID.replace("5, 5, 5", "6, 6, 6")
POINTS = [[3, 1.5], [10, 0.5], [12, 2.0]]
#: So strong a friction that each step draws new momenta.
REDRAWN = 'method = "baoab"\ndt = 0.01\ntemperature = {}\nfriction = 5000.0'


def at(points, steps):
    return np.interp(steps, *np.transpose(points))


def velocities(folder):
    with h5py.File(folder.path / "out.h5") as file:
        return file["particles/all/velocity/value"][:]


def gas(path, temperature, *sets):
    """Seven steps of another method, then 15 with this bath; no forces."""
    text = staged(("before", VERLET, 7), ("ramp", REDRAWN.format(temperature), 15),
                  system=IDEAL_GAS, force="")
    return Folder(path, text, "output.trajectory.every=1", *sets)


def test_noise_follows_the_temperature(tmp_path):
    """The same noise at T(t) and at T = 1: the ratio is that of the steps' middles."""
    ramp, constant = gas(tmp_path / "ramp", POINTS), gas(tmp_path / "constant", 1.0)
    ramp.run()
    constant.run()
    ratio = velocities(ramp)[8:] / velocities(constant)[8:]
    expected = np.sqrt(at(POINTS, np.arange(15) + 0.5))
    # A square root, two products and a quotient: some units in the last place.
    assert np.allclose(ratio, expected[:, None, None], rtol=1e-14, atol=0.0)


def test_friction_follows_its_table(tmp_path):
    points = [[2, 5.0], [12, 55.0]]
    text = one_stage(f'method = "baoab"\ndt = 0.01\ntemperature = 0.0\nfriction = {points}', 15,
                     system=IDEAL_GAS, force="")
    folder = Folder(tmp_path / "run", text, "output.trajectory.every=1")
    folder.run()
    v = velocities(folder)
    expected = np.exp(-0.01 * np.cumsum(at(points, np.arange(15) + 0.5)))
    # exp and 15 products.
    assert np.allclose(v[1:] / v[0], expected[:, None, None], rtol=1e-14, atol=0.0)


def test_a_time_of_relaxation_follows_its_table(tmp_path):
    """Weak coupling of an ideal gas: what is lacking becomes less by dt over the time of each step's middle."""
    points = [[2, 0.1], [12, 1.0]]
    text = one_stage(f'method = "berendsen"\ndt = 0.01\ntemperature = 3.0\ntime = {points}', 15,
                     THERMO.replace("every = 5", "every = 1"), IDEAL_GAS, "")
    folder = Folder(tmp_path / "run", text)
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        lacking = 3.0 - np.ravel(file["observables/temperature/value"][:])
    assert np.allclose(lacking[1:] / lacking[:-1], 1.0 - 0.01 / at(points, np.arange(15) + 0.5), rtol=1e-11, atol=0.0)


@pytest.mark.parametrize("method", ["bussi", "berendsen"])
def test_a_changing_time_goes_on_bitwise(method, tmp_path):
    text = one_stage(f'method = "{method}"\ndt = 0.004\ntemperature = 1.0\ntime = [[2, 0.1], [16, 0.5]]', 20)
    whole, pieces = Folder(tmp_path / "whole", text), Folder(tmp_path / "pieces", text)
    whole.run()
    pieces.run_in_pieces()
    refuse_difference(whole, pieces)


@pytest.mark.parametrize("integrator", [
    'method = "baoab"\ndt = 0.004\nfriction = [[0, 0.5], [6, 2.0]]\n'
    'temperature = [[0, 1.5], [8, 0.7]]',
    NOSE.replace("temperature = 1.0", "temperature = [[0, 1.5], [8, 0.7]]")], ids=["baoab", "nose"])
def test_a_ramp_goes_on_bitwise(integrator, tmp_path):
    text = staged(("before", VERLET, 3), ("ramp", integrator, 10), ("after", VERLET, 1))
    whole, pieces = Folder(tmp_path / "whole", text), Folder(tmp_path / "pieces", text)
    whole.run()
    for step in range(1, 15):
        result = mdrun(*pieces.arguments("--continue", "--set", f"stage.1.{ONE_STEP}"),
                       cwd=pieces.path)
        if result.status == 0:
            break
    assert pieces.step_of_checkpoint() == 14 and step > 9
    refuse_difference(whole, pieces)


def test_the_temperature_of_a_langevin_gas(tmp_path):
    """dT/dt = -2 friction (T - T_bath), exactly for each step."""
    points = [[0, 1.0], [200, 3.0], [300, 3.0], [500, 0.5]]
    dt, friction, steps = 0.01, 4.0, 600
    text = one_stage(f'method = "baoab"\ndt = {dt}\nfriction = {friction}\ntemperature = {points}',
                     steps, THERMO, LIQUID.replace("5, 5, 5", "12, 12, 12"), "")
    folder = Folder(tmp_path / "run", text)
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        found = file["observables/temperature/value"][:]
        conserved = file["observables/conserved_energy/value"][:]
    expected, c2 = [found[0]], np.exp(-2.0 * friction * dt)
    for bath in at(points, np.arange(steps) + 0.5):
        expected.append(c2 * expected[-1] + (1.0 - c2) * bath)
    # 3N - 3 degrees of freedom by a relative sqrt(2 / 3N) = 0.98 %; five of these.
    assert np.allclose(found, expected[::5], rtol=0.05)
    # Without forces all energy comes from the bath; sums of 7000 terms.
    assert np.ptp(conserved) < 1e-9 * found[0] * 3 * 6912


def test_no_ensemble_while_the_temperature_changes(tmp_path):
    """Fluctuations mean something once the bath stays as it is."""
    for name, temperature, equilibration, there in (
            ("constant", "1.0", 0, True), ("ramp", "[[0, 1.0], [300, 2.0]]", 0, False),
            ("after", "[[0, 1.0], [300, 2.0]]", 300, True)):
        text = one_stage(f'method = "baoab"\ndt = 0.01\nfriction = 4.0\ntemperature = {temperature}',
                         500, THERMO, IDEAL_GAS, "")
        folder = Folder(tmp_path / name, text, f"run.equilibration={equilibration}")
        folder.run()
        assert ("heat_capacity" in (folder.path / "summary.json").read_text()) == there, name


@pytest.mark.parametrize("method", [NOSE, 'method = "nose-hoover"\ndt = 0.004\ntemperature = 1.0\nperiod = 0.4',
                                    'method = "nose-hoover-langevin"\ndt = 0.004\ntemperature = 1.0\nperiod = 0.4\nfriction = 4.0'],
                         ids=["nose-poincare", "nose-hoover", "nose-hoover-langevin"])
def test_a_thermostat_accounts_for_the_work(tmp_path, method):
    """Heated from 1 to 2: the conserved quantity is as good as at a constant temperature."""
    def run(name, temperature):
        text = one_stage(method.replace("temperature = 1.0", f"temperature = {temperature}"), 1000)
        folder = Folder(tmp_path / name, text, "compute.precision=double")
        folder.run()
        with h5py.File(folder.path / "out.h5") as file:
            return (file["observables/conserved_energy/value"][:],
                    file["observables/temperature/value"][:])

    constant, _ = run("constant", "1.0")
    heated, temperature = run("heated", "[[0, 1.0], [800, 2.0]]")
    # Forces grow with T: an error of the same order, where the work is some tens.
    assert np.ptp(heated) < 10.0 * np.ptp(constant)
    assert np.mean(temperature[-20:]) > 1.5


RESCALING = "pressure = {}\ntime = 0.5\ncompressibility = 0.2\nevery = 10"
MOVES = 'type = "monte-carlo"\npressure = {}\namplitude = 0.015\nevery = 10'
MTK = 'type = "mtk"\npressure = {}\nperiod = 2.0'
HOOVER = 'method = "nose-hoover"\ndt = 0.004\ntemperature = 1.0\nperiod = 0.4'
PRESSED = {"baoab": (BAOAB, RESCALING), "bussi": ('method = "bussi"\ndt = 0.004\ntemperature = 1.0\ntime = 0.2', RESCALING),
           "nose-hoover": (HOOVER, RESCALING),
           "nose-hoover-langevin": (HOOVER.replace("hoover", "hoover-langevin") + "\nfriction = 5.0", RESCALING), "monte-carlo": (BAOAB, MOVES), "mtk": (HOOVER, MTK),
           "nose-poincare-andersen": (NOSE, MTK.replace("mtk", "nose-poincare-andersen")),
           "mtk by axes": (HOOVER, MTK + '\naxes = ["z", "xy"]')}


def pressed(method, barostat, steps):
    return one_stage(method, steps, THERMO) + f"[barostat]\n{barostat}\n"


@pytest.mark.parametrize("name", PRESSED)
def test_temperature_and_pressure_change_together(name, tmp_path):
    """The state is then that of the last values, and what changed is accounted for."""
    method, barostat = PRESSED[name]
    ends = {}
    for case, kT, p in (("constant", "1.4", "4.0"), ("ramp", "[[0, 1.0], [2000, 1.4]]", "[[0, 1.0], [2000, 4.0]]")):
        text = pressed(method.replace("temperature = 1.0", f"temperature = {kT}"), barostat.format(p), 5000)
        folder = Folder(tmp_path / case, text, "compute.precision=double", "run.equilibration=3000")
        folder.run()
        with h5py.File(folder.path / "out.h5") as file:
            read = {name: file[f"observables/{name}/value"][:] for name in ("volume", "temperature", "pressure", "conserved_energy")}
        ends[case] = {name: (v[600:].mean(), v[600:].std()) for name, v in read.items()}
        ends[case]["energy"] = np.ptp(read["conserved_energy"][:400])
        ends[case]["half"] = read["volume"][180:220].mean()
    for quantity in ("volume", "temperature", "pressure"):
        (a, da), (b, _) = ends["constant"][quantity], ends["ramp"][quantity]
        # 400 samples, of which some 10 are independent for the slowest, the volume.
        assert abs(a - b) < 4.0 * da * np.sqrt(2 / 10), (quantity, ends)
    # By then 1.016(2) with friction, which slows it, and 1.03 to 1.05 of the others.
    assert ends["ramp"]["half"] > 1.008 * ends["ramp"]["volume"][0], ends
    # Its error is of the same order as at constant values, where p dV is some hundred.
    assert ends["ramp"]["energy"] < 10.0 * ends["constant"]["energy"], ends


@pytest.mark.parametrize("name", ["bussi", "monte-carlo", "mtk", "nose-poincare-andersen", "mtk by axes"])
def test_a_changing_pressure_goes_on_bitwise(name, tmp_path):
    method, barostat = PRESSED[name]
    text = pressed(method.replace("temperature = 1.0", "temperature = [[2, 1.0], [40, 1.4]]"),
                   barostat.format("[[0, 1.0], [35, 4.0]]").replace("every = 10", "every = 3"), 60)
    whole, pieces = Folder(tmp_path / "whole", text), Folder(tmp_path / "pieces", text)
    whole.run()
    pieces.run_in_pieces()
    refuse_difference(whole, pieces)


LATER = {name: (NOSE.replace("nose-poincare", kind).replace("temperature = 1.0", "temperature = [[0, 1.0], [300, 1.3]]"), more)
         for name, kind, more in (("nose-poincare", "nose-poincare", ""), ("nose-vertex", "nose-vertex", ""),
                                  ("nose-balls", "nose-balls", ""), ("nose-explicit", "nose-explicit", ""),
                                  ("nose-poincare-andersen", "nose-poincare",
                                   'barostat = { type = "nose-poincare-andersen", pressure = [[0, 2.0], [300, 5.0]], period = 2.0 }\n'))}


@pytest.mark.parametrize("name", LATER)
def test_tables_count_from_the_stage_in_later_ones(name, tmp_path):
    """What a Hamiltonian with a constant begins with belongs to the first values of the tables: else its energy changes by
    as much as these do, some hundred here."""
    method, barostat = LATER[name]
    text = staged(("before", BAOAB, 300), ("changing", method, 300)).replace('name = "changing"\n', f'name = "changing"\n{barostat}')
    folder = Folder(tmp_path / "run", text, "compute.precision=double")
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        series = file["observables/conserved_energy"]
        conserved = series["value"][:][series["step"][:] > 300]
    assert np.ptp(conserved) < 8.0, np.ptp(conserved)


TWO_BATHS = 'method = "baoab"\ndt = 0.004\ntemperature = [[2, 1.0], [16, 1.4]]\nfriction = { A = 1.0, B = [[0, 0.0], [12, 4.0]] }'


def test_friction_by_species_that_changes_goes_on_bitwise(tmp_path):
    text = one_stage(TWO_BATHS, 20, system=LIQUID + MIXTURE)
    whole, pieces = Folder(tmp_path / "whole", text), Folder(tmp_path / "pieces", text)
    whole.run()
    pieces.run_in_pieces()
    refuse_difference(whole, pieces)


#: Of each species a thermostat of its own.
OWN_BATHS = {"nose-hoover": 'method = "nose-hoover"\ndt = 0.004\nperiod = { B = 0.8, A = 0.4 }',
             "nose-hoover-respa": 'method = "nose-hoover-respa"\ndt = 0.004\ninner = 2\nperiod = { B = 0.8, A = 0.4 }',
             "bussi": 'method = "bussi"\ndt = 0.004\ntime = { A = 0.1, B = 0.3 }'}


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_averages_begin_where_a_field_stops_changing(tmp_path):
    """After 600 of 1000 steps, in the second stage; averages of arrays too."""
    switch = '[[force]]\ntype = "cosine-field"\namplitude = 0.5\nperiods = [2, 0, 0]\nmodulation = { points = [[0.0, 0.0], [2.8, 1.0]] }\n'
    rdf = '[[stage.observe]]\ntype = "rdf"\nevery = 5\nbins = 10\n'
    text = staged(("before", BAOAB, 100), ("during", BAOAB, 1000), force=switch) + rdf
    folder = Folder(tmp_path / "a", text)
    folder.run()
    stage = json.loads((folder.path / "summary.json").read_text())["stages"][-1]
    assert stage["averages"]["potential_energy"]["discarded"]["steps"] >= 600
    with h5py.File(folder.path / "out.h5") as file:
        assert file["averages/rdf/equilibration_steps"][-1] >= 595


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
@pytest.mark.parametrize("points, keys, says", [("[[0, 1.0], [400, 1.02]]", (), "a stage after it"), ("[[0, 1.0], [200, 1.02]]", ("run.equilibration=100",), "equilibration = 200"),
                                                ("[[0, 1.0], [200, 1.02]]", (), None)])
def test_averages_over_a_ramp_are_of_no_state(tmp_path, points, keys, says):
    folder = Folder(tmp_path / "a", one_stage(f'method = "bussi"\ndt = 0.004\ntemperature = {points}\ntime = 0.1', 400), *keys)
    folder.run()
    finding = json.loads((folder.path / "summary.json").read_text())["verdict"]["equilibrium"]
    assert ("of no one state" in finding["message"]) == (says is not None) and (says or "") in finding["message"], finding


@pytest.mark.parametrize("name", OWN_BATHS)
def test_thermostats_of_species_go_on_bitwise_on_any_threads(name, tmp_path):
    force = {"force": SPLIT_FORCE} if "respa" in name else {}
    text = one_stage(OWN_BATHS[name] + "\ntemperature = [[2, 1.0], [16, 1.4]]", 20, system=LIQUID + MIXTURE, **force)
    whole, pieces = Folder(tmp_path / "whole", text), Folder(tmp_path / "pieces", text)
    whole.run()
    pieces.run_in_pieces()
    refuse_difference(whole, pieces)
    refuse_thread_differences(tmp_path, text)


@pytest.mark.parametrize("method, more, says", [
    ("nose-hoover", "period = { A = 1.0, C = 1.0 }", 'unknown species "C" (the system has "A" or "B")'),
    ("nose-hoover", "period = { A = 1.0 }", 'period by species without that of "B" (each has its own); give it'),
    ("nose-hoover", "period = { A = 1.0, B = 0.0 }", "B = 0 is out of range"),
    ("bussi", "time = { B = 1.0 }", 'time by species without that of "A"'),
    ("nose-hoover", "period = { A = 1.0, B = 1.0 }\n[barostat]\npressure = 1.0\ntime = 1.0\ncompressibility = 0.1",
     "a barostat together with nose-hoover by species"),
    ("bussi", "time = { A = 1.0, B = 1.0 }\n[barostat]\ntype = \"deform\"\nrates = [0.01, 0.0, 0.0]",
     "a deformation together with bussi by species"),
    ("nose-hoover", "period = { A = 1.0, B = 1.0 }\nchain = 1\n[shear]\nrate = 0.1", "momenta of each species apart")])
def test_thermostats_of_species_refuse(method, more, says, tmp_path):
    text = one_stage(f'method = "{method}"\ndt = 0.004\ntemperature = 1.0\n{more}', 60, system=LIQUID + MIXTURE)
    (tmp_path / "in.toml").write_text(text)
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and says in result.err, result.err


def test_one_species_in_contact_with_a_bath_warms_the_other(tmp_path):
    """Momenta of both have the temperature of the bath, and heat is counted."""
    bath = 'method = "baoab"\ndt = 0.004\ntemperature = 1.5\nfriction = { A = 4.0, B = 0.0 }'
    text = one_stage(bath, 20_000, system=LIQUID.replace("5, 5, 5", "3, 3, 3") + MIXTURE)
    folder = Folder(tmp_path / "run", text, "run.equilibration=2000", "output.trajectory.every=20",
                    'output.trajectory.fields=["velocity"]')
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        species = file["particles/all/species"][()]
        energy = file["observables/conserved_energy/value"][:]
    v = velocities(folder)[100:]
    first = np.ravel(species)[: v.shape[1]] == np.ravel(species)[0]
    for chosen in (first, ~first):
        mass = 3.0 if chosen.sum() < 50 else 1.0
        kT = mass * (v[:, chosen] ** 2).mean(axis=(1, 2))
        blocks = kT[: len(kT) // 20 * 20].reshape(20, -1).mean(axis=1)
        # Of momenta of baoab 1e-3 are lacking.
        assert abs(blocks.mean() - 1.5) < 4.5 * blocks.std() / np.sqrt(19) + 0.003, (chosen.sum(), blocks.mean())
    assert np.ptp(energy) < 0.01 * 108 * 1.5


@pytest.mark.parametrize("friction, says", [
    ("{ A = 1.0, C = 1.0 }", 'unknown species "C" (the system has "A" or "B")'),
    ("{ A = 1.0 }", 'friction by species without that of "B"'),
    ("{ A = 1.0, B = [[0, 1.0], [0, 2.0]] }", "step 0 comes after step 0"),
    ("{ A = 0.0, B = 0.0 }", "friction by species without one that has any")])
def test_frictions_of_species(friction, says, tmp_path):
    text = one_stage(f'method = "baoab"\ndt = 0.004\ntemperature = 1.0\nfriction = {friction}', 60, system=LIQUID + MIXTURE)
    (tmp_path / "in.toml").write_text(text)
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and says in result.err, result.err


@pytest.mark.parametrize("pressure, says", [
    ("[]", "pressure is no table of steps and values (it is empty)"),
    ("[[0, 1.0], [0, 2.0]]", "step 0 comes after step 0"),
    ("[[0, 1.0, 2.0]]", "a row has 3 numbers"),
    ("[[-5, 1.0]]", "step -5 is not a number of steps")])
def test_tables_of_pressures(pressure, says, tmp_path):
    (tmp_path / "in.toml").write_text(pressed(BAOAB, RESCALING.format(pressure), 100))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and says in result.err, result.err


def test_frames_by_stage(tmp_path):
    text = staged(("none", VERLET, 10), ("few", VERLET, 10), ("many", VERLET, 10))
    more = ["stage.0.trajectory.every=0", "stage.2.trajectory.every=2"]
    folder = Folder(tmp_path / "run", text, *more, "output.trajectory.every=5")
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        assert list(file["particles/all/position/step"]) == [10, 15, 20, 22, 24, 26, 28, 30]


def test_frames_of_one_stage_only(tmp_path):
    text = staged(("none", VERLET, 10), ("some", VERLET, 10))
    text = text.replace("trajectory = { every = 100 }\n", "")
    folder = Folder(tmp_path / "run", text, "stage.1.trajectory.every=4")
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        assert list(file["particles/all/position/step"]) == [12, 16, 20]
        assert {"position", "velocity", "image"} <= set(file["particles/all"])


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_averages_begin_where_the_ramp_ends(tmp_path):
    """Unless the input says what to leave out: from 3 to 1 over half of the stage."""
    method = 'method = "bussi"\ndt = 0.004\ntemperature = [[0, 3.0], [1000, 1.0]]\ntime = 0.1'
    for name, more, mean in (("found", (), 1.0), ("said", ("run.equilibration=0",), 1.5)):
        folder = Folder(tmp_path / name, one_stage(method, 2000), *more)
        folder.run()
        stage = json.loads((folder.path / "summary.json").read_text())["stages"][-1]
        temperature = stage["averages"]["temperature"]
        assert abs(temperature["mean"] - mean) < 0.1, temperature
        assert (temperature["discarded"]["fraction"] >= 0.49) == (name == "found")


@pytest.mark.parametrize("name", OWN_BATHS)
def test_thermostats_of_species_say_that_the_whole_is_at_rest(name, tmp_path):
    bath = OWN_BATHS[name] + "\ntemperature = 1.0"
    for before, told in ((VERLET, True), (BAOAB, False)):
        text = staged(("before", before, 20), ("own", bath, 20), system=LIQUID + MIXTURE, force=SPLIT_FORCE)
        folder = Folder(tmp_path / str(told), text)
        result = mdrun(*folder.arguments(), cwd=folder.path)
        assert result.status == 0 and ("the centre of mass is at rest" in result.err) == told, result.err
