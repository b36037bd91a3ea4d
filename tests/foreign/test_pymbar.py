# SPDX-License-Identifier: BSD-3-Clause
"""Reweighting beside pymbar (Shirts and Chodera 2008), and reduced potentials as it and alchemlyb take
them. Samples are those of harmonic oscillators, U ~ Gamma(30, T)."""
import importlib.machinery
import importlib.util
import os
import pathlib
import sys

import pytest

np = pytest.importorskip("numpy")
h5py = pytest.importorskip("h5py")
pymbar = pytest.importorskip("pymbar")

SOURCE = pathlib.Path(os.environ.get("SHADOW_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
sys.path.insert(0, str(SOURCE / "tools"))
TEMPERATURES, TARGETS = (1.0, 1.2, 1.5), (1.1, 1.35)


def samples(temperature, seed, rows=1000):
    return temperature * np.random.default_rng(seed).gamma(30.0, size=rows)


def run_file(path, temperature, seed):
    """A run in a bath, as mdrun writes it."""
    u = samples(temperature, seed)
    with h5py.File(path, "w") as file:
        for name, value in (("potential_energy", u), ("temperature", np.full(len(u), temperature))):
            group = file.create_group(f"observables/{name}")
            group["step"], group["time"] = np.arange(len(u)), 0.01 * np.arange(len(u))
            group["value"] = value
        file["parameters/seed"], file["parameters/units"] = seed, "lj"
        stage = file.create_group("parameters/stage")
        stage["first_step"], stage["last_step"] = [0], [len(u)]
        stage["ensemble"], stage["bath_temperature"] = ["NVT, total momentum fluctuates"], [temperature]
        stage["degrees_of_freedom"] = [60.0]
    return str(path)


def call(*arguments):
    loader = importlib.machinery.SourceFileLoader("mdreweight", str(SOURCE / "tools/mdreweight"))
    tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("mdreweight", loader))
    loader.exec_module(tool)
    assert tool.main([str(a) for a in arguments]) == 0


def test_weights_and_errors_are_those_of_pymbar():
    """Of independent samples errors differ by what blocks and autocorrelation times leave to chance."""
    from shadow_results.reweighting import Mixture, Rows
    u = np.concatenate([samples(t, k) for k, t in enumerate(TEMPERATURES)])
    ours = Mixture([u / t for t in TEMPERATURES], [Rows(k, 1000) for k in range(3)])
    states = (*TEMPERATURES, *TARGETS)
    theirs = pymbar.MBAR(np.array([u / t for t in states]), [1000, 1000, 1000, 0, 0])
    free = theirs.compute_free_energy_differences()
    means = theirs.compute_expectations(u)
    effective = theirs.compute_effective_sample_number()
    assert np.allclose(ours.overlap(), theirs.compute_overlap()["matrix"][:3, :3], atol=1e-6)
    for k, t in enumerate(states):
        at = ours.at(u / t)
        energy, difference = at.mean(u), at.free_energy()
        assert energy.value == pytest.approx(means["mu"][k], rel=1e-7)
        assert energy.error == pytest.approx(means["sigma"][k], rel=0.2)
        assert at.effective == pytest.approx(effective[k], rel=1e-5)
        assert difference.value == pytest.approx(free["Delta_f"][0, k], abs=1e-6)
        if k:
            assert difference.error == pytest.approx(free["dDelta_f"][0, k], rel=0.2)


def test_pymbar_takes_reduced_potentials(tmp_path):
    files = [run_file(tmp_path / f"{k}.h5", t, k) for k, t in enumerate(TEMPERATURES)]
    call(*files, "--temperature", *TARGETS, "--equilibration", 0, "--mbar", tmp_path / "u.npz")
    with np.load(tmp_path / "u.npz") as found:
        free = pymbar.MBAR(found["u_kn"], found["N_k"]).compute_free_energy_differences()
        assert found["temperature"].tolist() == [*TEMPERATURES, *TARGETS]
    # -ln Z of Z ~ T^30, within four errors.
    exact = -30.0 * np.log([*TEMPERATURES, *TARGETS])
    assert np.all(np.abs(free["Delta_f"][0] - exact) <= 4.0 * free["dDelta_f"][0] + 1e-12)


def test_alchemlyb_takes_reduced_potentials(tmp_path):
    parquet = pytest.importorskip("alchemlyb.parsing.parquet")
    from alchemlyb.estimators import MBAR
    files = [run_file(tmp_path / f"{k}.h5", t, k) for k, t in enumerate(TEMPERATURES)]
    call(*files, "--equilibration", 0, "--mbar", tmp_path / "u.parquet")
    u = parquet.extract_u_nk(str(tmp_path / "u.parquet"), T=1.0)
    assert list(u.columns) == list(TEMPERATURES) and u.index.names == ["time", "temperature"]
    fit = MBAR().fit(u)
    found = fit.delta_f_.loc[1.0, 1.5]
    assert abs(found + 30.0 * np.log(1.5)) < 4.0 * fit.d_delta_f_.loc[1.0, 1.5]


def test_states_with_a_pressure_are_columns_of_two_numbers(tmp_path):
    pandas, parquet = (pytest.importorskip(n) for n in ("pandas", "alchemlyb.parsing.parquet"))
    from shadow_results.formats.reduced import table
    states = [(1.0, 2.0), (1.5, 2.0)]
    made = table(pandas, [0.0, 1.0], states, states, np.array([[1.0, 2.0], [3.0, 4.0]]))
    made.to_parquet(tmp_path / "u.parquet")
    u = parquet.extract_u_nk(str(tmp_path / "u.parquet"), T=1.0)
    assert list(u.columns) == states and u.index.names == ["time", "temperature", "pressure"]
    assert u[(1.5, 2.0)].tolist() == [3.0, 4.0] and u.attrs["energy_unit"] == "kT"


if __name__ == "__main__":
    sys.exit(pytest.main([str(pathlib.Path(__file__))] + sys.argv[1:]))
