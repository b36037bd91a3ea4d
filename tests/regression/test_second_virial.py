# SPDX-License-Identifier: BSD-3-Clause
"""Pressure of dilute Lennard-Jones gases in the plane and in space against their virial series, and
of a gas without forces, which is ideal."""
import json
import os
import subprocess

import h5py
import numpy as np
import pytest

MDRUN = os.environ.get("SHADOW_MDRUN")
pytestmark = pytest.mark.skipif(not MDRUN, reason="mdrun is not built (SHADOW_MDRUN is empty)")

CUTOFF = 3.0
DENSITY = 0.02
GAS = """\
seed = 7
[system]
dimension = DIMENSION
box = { density = 0.02 }
lattice = LATTICE
velocity = { temperature = KT }
FORCE
[[stage]]
name = "equilibrate"
steps = 2000
integrator = { method = "baoab", dt = 0.005, temperature = KT, friction = 1.0 }
[[stage]]
name = "sample"
steps = 16_000
integrator = { method = "baoab", dt = 0.005, temperature = KT, friction = 0.2 }
observe = [{ type = "thermo", every = 20 }]
[output]
prefix = "gas"
[compute]
device = "cpu"
threads = 1
"""
FORCE = """\
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 3.0
truncation = "shift"
"""
LATTICE = {2: '{ type = "square", repeat = [32, 32] }', 3: '{ type = "sc", repeat = [10, 10, 10] }'}


def mayer(r, kt, cutoff):
    """exp(-u / kT) - 1 of the potential cut off and shifted (inf: of the whole)."""
    x = np.maximum(r, 0.3)**-6.0
    x_c = cutoff**-6.0
    u = 4 * (x * x - x) - 4 * (x_c * x_c - x_c)
    return np.where(r < cutoff, np.expm1(-np.minimum(u / kt, 700)), 0)


def second(dimension, kt, cutoff):
    """B2 = - 1/2 integral of f over space (Hansen and McDonald 2013, section 3.9)."""
    # With r = e^s the integrand is smooth and falls at both ends: trapezoids converge at once.
    s = np.linspace(np.log(1e-6), np.log(min(cutoff, 3000.0)), 200_001)
    r = np.exp(s)
    shell = 2 * np.pi * r if dimension == 2 else 4 * np.pi * r**2
    y = mayer(r, kt, cutoff) * shell * r
    return -0.5 * (s[1] - s[0]) * (y.sum() - (y[0] + y[-1]) / 2)


def third(dimension, kt, cutoff):
    """B3 = -1/3 integral of f(1 2) f(1 3) f(2 3) (the same), by midpoints; to a few per cent."""
    step = 0.02
    r = np.arange(0.5 * step, cutoff, step)
    angle = np.arange(0.5, 240) * np.pi / 240
    ring = np.full_like(angle, 2.0) if dimension == 2 else 2 * np.pi * np.sin(angle)
    ring *= np.pi / 240
    shell = 2 * np.pi * r if dimension == 2 else 4 * np.pi * r**2
    f = mayer(r, kt, cutoff)
    total = 0.0
    for r_12, f_12, area in zip(r, f, shell):
        r_23 = np.sqrt(r_12**2 + r[:, None]**2 - 2 * r_12 * r[:, None] * np.cos(angle))
        inner = (mayer(r_23, kt, cutoff) * ring).sum(axis=1)
        total += area * f_12 * (f * r**(dimension - 1) * inner).sum() * step**2
    return -total / 3


def simulate(folder, dimension, kt, force):
    text = GAS
    for name, value in (("DIMENSION", dimension), ("LATTICE", LATTICE[dimension]), ("KT", kt),
                        ("FORCE", force)):
        text = text.replace(name, str(value))
    (folder / "gas.toml").write_text(text)
    done = subprocess.run([MDRUN, "gas.toml", "--quiet", "--progress=none", "--summary",
                           "gas.json"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with h5py.File(folder / "gas.h5") as file:
        pressure, temperature = (file[f"observables/{name}/value"][...]
                                 for name in ("pressure", "temperature"))
    return pressure, temperature, json.loads((folder / "gas.json").read_text())["averages"]


def test_series_has_the_published_coefficients():
    # Of the whole potential, from its series in gamma functions.
    for kt, in_space, in_the_plane in ((0.7, -9.864679087, -2.761222933),
                                       (1.5, -2.515123802, -0.06806694),
                                       (5.0, 0.5096574404, 0.9550614571)):
        assert second(3, kt, np.inf) == pytest.approx(in_space, abs=2e-8)
        assert second(2, kt, np.inf) == pytest.approx(in_the_plane, abs=2e-8)


@pytest.mark.parametrize("kt", [1.5, 5.0])
@pytest.mark.parametrize("dimension", [2, 3])
def test_dilute_gas(tmp_path, dimension, kt):
    pressure, temperature, _ = simulate(tmp_path, dimension, kt, FORCE)
    # Kinetic pressure of the moment off: what is left is due to forces, without its noise.
    rest = (pressure - DENSITY * temperature) / (DENSITY**2 * kt)
    blocks = rest[:len(rest) // 40 * 40].reshape(40, -1).mean(axis=1)
    error = blocks.std(ddof=1) / np.sqrt(40)
    expected = second(dimension, kt, CUTOFF) + DENSITY * third(dimension, kt, CUTOFF)
    print(f"{dimension}D, T = {kt}: {rest.mean():.4f} +- {error:.4f}, expected {expected:.4f}")
    # The fourth term is below DENSITY^2 B4 = 0.002. And the error is small enough to see B2.
    assert abs(rest.mean() - expected) < 4 * error + 0.002
    assert error < 0.1


@pytest.mark.parametrize("dimension", [2, 3])
def test_gas_without_forces(tmp_path, dimension):
    pressure, temperature, averages = simulate(tmp_path, dimension, 1.5, "")
    assert np.allclose(pressure, DENSITY * temperature, rtol=1e-13, atol=0)
    assert abs(averages["temperature"]["mean"] - 1.5) < 4 * averages["temperature"]["error"]
