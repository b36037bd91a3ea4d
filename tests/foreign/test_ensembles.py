# SPDX-License-Identifier: BSD-3-Clause
"""The ensembles of thermostats and barostats as physical_validation sees them (Merz and Shirts 2018, PLoS ONE 13,
e0202764): the distribution of the kinetic energy, and the ratio of the energy distributions of two runs at
neighbouring temperatures, which is exp((1/kT_1 - 1/kT_2) U) in the canonical ensemble and nowhere else; of volumes
at neighbouring pressures exp((P_2 - P_1) V/kT)."""
import os
import subprocess

import pytest

np = pytest.importorskip("numpy")
h5py = pytest.importorskip("h5py")
pv = pytest.importorskip("physical_validation")
MDRUN = os.environ.get("SHADOW_MDRUN")
pytestmark = pytest.mark.skipif(not MDRUN, reason="mdrun is not built (SHADOW_MDRUN is empty)")

N, DENSITY, DT = 108, 0.7, 0.003
#: Neighbouring temperatures: energies of the two differ by about their fluctuation.
TEMPERATURES = 1.2, 1.3
LIQUID = f"""\
seed = SEED
[system]
dimension = 3
box = {{ density = {DENSITY} }}
lattice = {{ type = "fcc", repeat = [3, 3, 3], jitter = 0.1 }}
velocity = {{ temperature = START }}
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.2
truncation = "force-shift"
[output]
prefix = "out"
[compute]
device = "cpu"
threads = 1
precision = "double"
"""
STAGE = """\
[[stage]]
name = "NAME"
steps = STEPS
[stage.integrator]
METHOD
[[stage.observe]]
type = "thermo"
every = 10
"""
WARM = f'method = "baoab"\ndt = {DT}\ntemperature = KT\nfriction = 5.0'
BAOAB = WARM.replace("5.0", "2.0")
#: The near part of the force on the fast level.
SPLIT = 'split = { inner = 1.2, outer = 1.6, level = "fast" }\n'
RESPA = f'method = "baoab-respa"\ndt = {2 * DT}\ninner = 2\ntemperature = KT\nfriction = 2.0'
#: The mass of a bath that swings with the particles' own times.
NOSE = f'method = "nose-poincare"\ndt = {DT}\ntemperature = KT\nmass = 5.0'


def run(path, method, kT, first, seed, barostat=""):
    """Series of the last stage of a run, which begins after Langevin dynamics, or at rest."""
    text = LIQUID.replace("SEED", str(seed)).replace("START", str(2 * kT) if first == "langevin" else "0.0")
    if "respa" in method:
        text = text.replace("[output]", SPLIT + "[output]")
    stages = ([("warm", WARM, 3000)] if first == "langevin" else [("warm", method, 8000)]) + [("sample", method, 24_000)]
    if barostat:
        stages.insert(1, ("swell", method, 6000))
    for name, integrator, steps in stages:
        text += STAGE.replace("NAME", name).replace("STEPS", str(steps)).replace("METHOD", integrator)
        if name != "warm" and barostat:
            text += f"[stage.barostat]\n{barostat}\n"
    path.mkdir()
    (path / "in.toml").write_text(text.replace("KT", str(kT)))
    done = subprocess.run([MDRUN, "in.toml", "--quiet"], cwd=path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with h5py.File(path / "out.h5") as file:
        steps = file["observables/kinetic_energy/step"][:]
        rows = steps > steps[-1] - 24_000
        found = {name: file[f"observables/{name}/value"][:][rows] for name in ("kinetic_energy", "potential_energy")}
        count = rows.sum()
        volume = file["observables/volume/value"][-count:] if barostat else np.full(count, N / DENSITY)
    return {**found, "total_energy": found["kinetic_energy"] + found["potential_energy"], "volume": volume}


#: In kJ/mol, by which it multiplies products of pressure and volume.
BAR_NM3 = 6.022140857e-2


def simulation(series, kT, conserved, pressure=None):
    """As physical_validation takes it, in units without constants; `conserved` degrees of freedom are missing."""
    ensemble = {"volume": N / DENSITY} if pressure is None else {"pressure": pressure}
    return pv.data.SimulationData(
        units=pv.data.UnitData(kb=1.0, energy_conversion=1.0, length_conversion=1.0, volume_conversion=1.0,
                               temperature_conversion=1.0, pressure_conversion=1.0 / BAR_NM3, time_conversion=1.0),
        dt=DT, system=pv.data.SystemData(natoms=N, nconstraints=0, ndof_reduction_tra=conserved, ndof_reduction_rot=0),
        ensemble=pv.data.EnsembleData("NVT" if pressure is None else "NPT", natoms=N, temperature=kT, **ensemble),
        observables=pv.data.ObservableData(**series))


def of_method(name, keys):
    return f'method = "{name}"\ndt = {DT}\ntemperature = KT\n{keys}'


HOOVER = of_method("nose-hoover", "period = 0.3")
BUSSI = of_method("bussi", "time = 0.3")


@pytest.mark.parametrize("method, first, conserved", [
    (BAOAB, "langevin", 0), (BAOAB.replace("baoab", "obabo"), "langevin", 0), (NOSE, "langevin", 3),
    (BAOAB, "rest", 0), (NOSE, "rest", 3), (BAOAB.replace("baoab", "gjf"), "langevin", 0),
    (BAOAB.replace("baoab", "baoa"), "langevin", 0), (of_method("andersen", "rate = 2.0"), "langevin", 0), (HOOVER, "langevin", 3),
    (BUSSI, "langevin", 3), (RESPA, "langevin", 0), (HOOVER.replace("hoover", "hoover-respa") + "\ninner = 2", "langevin", 3),
    (NOSE.replace("nose-poincare", "nose-vertex"), "langevin", 3), (NOSE.replace("nose-poincare", "nose-balls"), "langevin", 3),
    (NOSE.replace("nose-poincare", "nose-explicit") + "\nchain = 2", "langevin", 3),
    (NOSE.replace("nose-poincare", "nose-explicit"), "langevin", 3),
    (HOOVER.replace("hoover", "hoover-langevin") + "\nfriction = 10.0", "langevin", 3)],
    ids=["baoab", "obabo", "nose-poincare", "baoab from rest", "nose-poincare from rest", "gjf", "baoa", "andersen", "nose-hoover",
         "bussi", "baoab-respa", "nose-hoover-respa", "nose-vertex", "nose-balls", "nose-explicit with a chain", "nose-explicit", "nose-hoover-langevin"])
def test_canonical(method, first, conserved, tmp_path):
    found = [simulation(run(tmp_path / str(kT), method, kT, first, seed), kT, conserved)
             for seed, kT in enumerate(TEMPERATURES, 1)]
    for data in found:
        # Deviations of mean and width in standard errors. The step makes BAOAB's momenta colder by less than one.
        mean, width = pv.kinetic_energy.distribution(data, strict=False, verbosity=0, bootstrap_seed=1)
        assert abs(mean) < 4 and abs(width) < 4
    # The slope of the logarithm of the ratio, in standard errors from what it must be.
    (quantile,) = pv.ensemble.check(*found, total_energy=False, verbosity=0, bootstrap_seed=1)
    assert abs(quantile) < 4


#: Volumes at the two differ by about their fluctuation.
PRESSURES = 2.0, 2.5
RESCALING = "pressure = PRESSURE\ntime = 0.1\ncompressibility = 0.1\nevery = 5"
MOVES = 'type = "monte-carlo"\npressure = PRESSURE\namplitude = 0.06\nevery = 5'
MTK = 'type = "mtk"\npressure = PRESSURE\nperiod = 3.0'


@pytest.mark.parametrize("method, barostat, conserved", [
    (BAOAB, RESCALING, 0), (BUSSI, RESCALING, 3), (HOOVER, RESCALING, 3), (BAOAB, MOVES, 0), (HOOVER, MTK, 3), (HOOVER, MTK + '\naxes = ["z"]', 3),
    (NOSE, MTK.replace("mtk", "nose-poincare-andersen"), 3)],
    ids=["baoab", "bussi", "nose-hoover", "monte-carlo", "mtk", "mtk along z", "nose-poincare-andersen"])
def test_isobaric(method, barostat, conserved, tmp_path):
    found = [simulation(run(tmp_path / str(p), method, 1.2, "langevin", seed, barostat.replace("PRESSURE", str(p))), 1.2, conserved, p)
             for seed, p in enumerate(PRESSURES, 1)]
    for data in found:
        mean, width = pv.kinetic_energy.distribution(data, strict=False, verbosity=0, bootstrap_seed=1)
        assert abs(mean) < 4 and abs(width) < 4
    (quantile,) = pv.ensemble.check(*found, total_energy=False, verbosity=0, bootstrap_seed=1)
    assert abs(quantile) < 4
