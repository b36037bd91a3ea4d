# SPDX-License-Identifier: BSD-3-Clause
"""Masses that attract each other: orbits that are known, softened or not, and what is refused."""

import h5py
import numpy as np
import pytest
from harness import mdrun
from runs import Folder, one_stage

GRAVITY = """\
[[force]]
type = "gravity"
g = G
"""
OBSERVE = """\
[[observe]]
type = "thermo"
every = 20
"""
ORBIT = 'method = "METHOD"\ndt = DT'


def orbit(folder, position, velocity, masses, dt, steps, dimension, g=1.0, more="", precision="double",
          method="blanes-moan-4"):
    """Frames of positions (frame, body, direction) and total energies of a run."""
    names = [f"M{k}" for k in range(len(masses))]
    species = "".join(f'[[species]]\nname = "{name}"\nmass = {m!r}\n' for name, m in zip(names, masses))
    system = (f'[system]\ndimension = {dimension}\nfile = "start.xyz"\nbox = {{ periodic = false }}\n'
              f"{species}")
    text = one_stage(ORBIT.replace("METHOD", method).replace("DT", repr(dt)), steps, OBSERVE, system,
                     GRAVITY.replace("G", repr(g)) + more)
    run = Folder(folder, text, f"compute.precision={precision}", "output.trajectory.every=20")
    rows = [f"{name} {' '.join(repr(float(v)) for v in [*x, *u])}" for name, x, u in
            zip(names, np.pad(position, ((0, 0), (0, 3 - dimension))),
                np.pad(velocity, ((0, 0), (0, 3 - dimension))))]
    (run.path / "start.xyz").write_text(
        f"{len(rows)}\nProperties=species:S:1:pos:R:3:velo:R:3\n" + "\n".join(rows) + "\n")
    run.run()
    with h5py.File(run.path / "out.h5") as file:
        return (file["particles/all/position/value"][:],
                file["observables/total_energy/value"][:])


def kepler(eccentricity, masses, g):
    """Two bodies at the pericentre of an ellipse with axis a = 1 about their centre of mass, and
    their period: T^2 = 4 pi^2 a^3 / (g (m_1 + m_2))."""
    whole = sum(masses)
    shares = np.array([masses[1], -masses[0]])[:, None] / whole
    x = np.array([[1.0 - eccentricity, 0.0]])
    v = np.array([[0.0, (g * whole * (1 + eccentricity) / (1 - eccentricity)) ** 0.5]])
    return shares * x, shares * v, 2 * np.pi / (g * whole) ** 0.5


@pytest.mark.parametrize("dimension", [2, 3])
def test_two_bodies_are_on_keplers_ellipse(tmp_path, dimension):
    eccentricity, masses, g = 0.5, [3.0, 1.0], 0.7
    x, v, period = kepler(eccentricity, masses, g)
    x, v = (np.pad(a, ((0, 0), (0, dimension - 2))) for a in (x, v))
    steps = 4000
    frames, energy = orbit(tmp_path / "run", x, v, masses, period / steps, steps, dimension, g)
    assert energy[0] == pytest.approx(-g * masses[0] * masses[1] / 2, rel=1e-14)
    # A method of order 4; the same with half the step is 16 times better, and 1e-9 at 4000 steps.
    assert np.max(np.abs(energy / energy[0] - 1)) < 1e-8
    assert np.max(np.abs(frames[-1] - frames[0])) < 1e-7
    # r = a (1 - e^2) / (1 + e cos theta), at every frame.
    d = frames[:, 0] - frames[:, 1]
    r, theta = np.linalg.norm(d, axis=1), np.arctan2(d[:, 1], d[:, 0])
    assert np.allclose(r, (1 - eccentricity ** 2) / (1 + eccentricity * np.cos(theta)), rtol=1e-7)
    assert r.max() == pytest.approx(1 + eccentricity, rel=1e-5)


def test_three_bodies_dance_on_a_figure_eight(tmp_path):
    # C. Simo's numbers in A. Chenciner and R. Montgomery, Ann. Math. 152 (2000) 881: 8 digits, and
    # the orbit is stable.
    x1, v3 = np.array([0.97000436, -0.24308753]), np.array([-0.93240737, -0.86473146])
    x, v = np.array([x1, -x1, 0 * x1]), np.array([-v3 / 2, -v3 / 2, v3])
    period, steps = 6.32591398, 6000
    frames, energy = orbit(tmp_path / "run", x, v, [1.0] * 3, period / steps, steps, 2)
    assert np.max(np.abs(frames[-1] - x)) < 1e-6
    # After a third of the period each is where another was.
    third = frames[len(frames) // 3]
    assert np.max(np.abs(third - x[[2, 0, 1]])) < 1e-6 or np.max(np.abs(third - x[[1, 2, 0]])) < 1e-6
    assert np.max(np.abs(energy / energy[0] - 1)) < 1e-10
    pairs = [np.linalg.norm(x[a] - x[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    assert energy[0] == pytest.approx((v ** 2).sum() / 2 - sum(1 / r for r in pairs), rel=1e-14)


@pytest.mark.parametrize("precision,tolerance", [("double", 1e-13), ("mixed", 1e-6)])
@pytest.mark.parametrize("softening", [0.0, 0.4])
def test_energies_are_those_of_the_formula(tmp_path, precision, tolerance, softening):
    random = np.random.default_rng(3)
    n, g = 40, 1.7
    x, masses = random.uniform(-2, 2, (n, 3)), random.uniform(0.5, 3.0, n).tolist()
    frames, energy = orbit(tmp_path / "run", x, 0 * x, masses, 1e-6, 0, 3, g,
                           f"softening = {softening}\n", precision, "verlet")
    r = np.linalg.norm(x[:, None] - x[None], axis=2)[np.triu_indices(n, 1)]
    m = np.outer(masses, masses)[np.triu_indices(n, 1)]
    # In single precision each term is rounded to 24 bits.
    assert energy[0] == pytest.approx(-g * np.sum(m / np.sqrt(r ** 2 + softening ** 2)), rel=tolerance)


def test_softened_bodies_swing_through_each_other(tmp_path):
    # Near the centre of a Plummer sphere: omega^2 = g (m_1 + m_2) / s^3, and with the amplitude A
    # less by 9/8 (A/s)^2 (the potential's next term is -3/8 r^4 / s^5 over 1/2 r^2 / s^3).
    s, amplitude, steps = 1.3, 0.01, 2000
    period = 2 * np.pi / (2.0 / s ** 3) ** 0.5 * (1 + 9 / 16 * (amplitude / s) ** 2)
    x = np.array([[amplitude / 2, 0.0], [-amplitude / 2, 0.0]])
    frames, _ = orbit(tmp_path / "run", x, 0 * x, [1.0, 1.0], period / steps, steps, 2, 1.0,
                      f"softening = {s}\n")
    assert np.max(np.abs(frames[-1] - x)) < 1e-7 * amplitude
    middle = frames[len(frames) // 2]
    assert np.max(np.abs(middle + x)) < 1e-4 * amplitude


def test_what_gravity_cannot_do_is_refused(tmp_path):
    system = ('[system]\ndimension = 3\nbox = { density = 0.5 }\n'
              'lattice = { type = "sc", repeat = [3, 3, 3] }\n')
    text = one_stage('method = "verlet"\ndt = 0.001', 0, OBSERVE, system, GRAVITY.replace("G", "1.0"))
    (tmp_path / "in.toml").write_text(text)
    assert "gravity in a periodic box" in mdrun("in.toml", "--check", cwd=tmp_path).message()
    open_box = text.replace("{ density = 0.5 }", "{ periodic = false }").replace(
        "[3, 3, 3] }", "[3, 3, 3], constant = 1.0 }")
    (tmp_path / "in.toml").write_text(open_box.replace("g = 1.0", "g = 1.0\nsoftening = -1.0"))
    assert "softening = -1" in mdrun("in.toml", "--check", cwd=tmp_path).message()
    molecules = open_box.replace("[[force]]", '[[molecule]]\ncount = 9\natoms = ["A", "A", "A"]\n'
                                 "bonds = [{ atoms = [0, 1] }]\nexclude = 1\n"
                                 '[[force]]\ntype = "harmonic-bond"\nk = 1.0\nr0 = 1.0\n[[force]]', 1)
    (tmp_path / "in.toml").write_text(molecules)
    assert "gravity together with excluded pairs" in mdrun("in.toml", "--check", cwd=tmp_path).message()
