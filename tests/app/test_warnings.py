# SPDX-License-Identifier: BSD-3-Clause
"""Forces and methods that are allowed and do hardly what was meant: a run says so, and only then."""

import pytest
from harness import BASE, edited, mdrun

LJ = BASE[BASE.index("[[force]]"):BASE.index("[integrator]")]
WCA = '[[force]]\ntype = "wca"\nepsilon = 1.0\nsigma = 0.9\n'
SPLIT = LJ + "split = { inner = 1.2, outer = 1.6 }\n"
FAST, SLOW = 'level = "fast"\n', 'level = "slow"\n'
RESPA = ('method = "verlet"\n', 'method = "respa"\ninner = 2\n')
WORD = ('method = "verlet"\n', 'method = "splitting"\nword = "S½ (F½ A1 F½)^n S½"\ninner = 2\n')


def warnings(folder, forces, *edits):
    (folder / "in.toml").write_text(edited((LJ, forces), *edits))
    result = mdrun("in.toml", "--check", cwd=folder)
    assert result.status == 0, result.err
    return [line for line in result.err.splitlines() if line.startswith("mdrun: warning: ")]


@pytest.mark.parametrize("forces, said", [
    (LJ, ""),
    (LJ + WCA, ""),
    (LJ + LJ.replace("sigma = 1.0", "sigma = 1.1"), ""),
    (LJ + LJ.replace('truncation = "shift"\n', ""), ""),
    (LJ + LJ.replace("cutoff = 2.5", "cutoff = 2.4"), ""),
    (LJ + LJ, "force 2 (lennard-jones) is the same as force 1"),
    (WCA + LJ + WCA, "force 3 (wca) is the same as force 1"),
    (LJ + FAST + LJ, "force 2 (lennard-jones) is the same as force 1"),
    (SPLIT + SPLIT, "force 2 (lennard-jones) is the same as force 1"),
    (SPLIT + SPLIT.replace("1.6", "1.7"), ""),
])
def test_a_force_that_is_there_twice(tmp_path, forces, said):
    told = warnings(tmp_path, forces)
    assert len(told) == bool(said)
    assert all(said in line for line in told)


@pytest.mark.parametrize("forces, method, said", [
    (LJ + WCA, RESPA, 'respa without a force of level "fast" (level = "slow" for all of them: lennard-jones, wca;'),
    (LJ + WCA, WORD, 'splitting without a force of level "fast"'),
    (LJ + FAST + WCA + FAST, RESPA, 'respa without a force of level "slow" (level = "fast" for all of them'),
    (LJ + SLOW + WCA + FAST, RESPA, ""),
    (SPLIT, RESPA, ""),
    (LJ, ("x", "x"), ""),
    (LJ + FAST, ("x", "x"), ""),
    ("", RESPA, ""),
])
def test_kicks_without_forces(tmp_path, forces, method, said):
    told = warnings(tmp_path, forces, method)
    assert len(told) == bool(said)
    assert all(said in line for line in told)


@pytest.mark.parametrize("levels, said", [
    (("c", "b", "a"), ""),
    (("b", "b", "a"), 'respa without a force of level "c" (level = "a" or "b" for all of them'),
    (("b", "b", "b"), 'respa without a force of level "a" and "c" (level = "b" for all of them'),
])
def test_levels_without_forces(tmp_path, levels, said):
    forces = [LJ, LJ.replace("sigma = 1.0", "sigma = 1.1"), WCA]
    told = warnings(tmp_path, "".join(f'{force}level = "{level}"\n' for force, level in zip(forces, levels)),
                    ("[system]", 'levels = ["a", "b", "c"]\n[system]'),
                    ('method = "verlet"\n', 'method = "respa"\ninner = [2, 2]\n'))
    assert len(told) == bool(said)
    assert all(said in line for line in told)


CHARGED = ('mass = 1.0\n', 'mass = 1.0\ncharge = 1.0\n')


@pytest.mark.parametrize("forces, said", [
    (LJ.replace("cutoff = 2.5", "cutoff = 0.9"), "cutoff = 0.9 of A-A is below sigma = 1"),
    (LJ.replace("cutoff = 2.5", "cutoff = 1.12"), ""),
    (LJ + '[[force]]\ntype = "coulomb-dsf"\nalpha = 5.0\ncutoff = 2.5\n', "alpha = 5 with a cutoff of 2.5"),
    (LJ + '[[force]]\ntype = "coulomb-wolf"\nalpha = 5.0\ncutoff = 2.5\n', "alpha = 5 with a cutoff of 2.5"),
    (LJ + '[[force]]\ntype = "coulomb-dsf"\nalpha = 1.5\ncutoff = 2.5\n', ""),
])
def test_forces_that_are_cut_or_damped_away(tmp_path, forces, said):
    told = [line for line in warnings(tmp_path, forces, *[CHARGED] * ("coulomb" in forces)) if "total charge" not in line]
    assert len(told) == bool(said), told
    assert all(said in line for line in told)


def of_type(force, more):
    return f'[[force]]\ntype = {force}\ncutoff = 2.5\n{more}\n'


@pytest.mark.parametrize("force, end, inner, said", [
    ('"lennard-jones"\nepsilon = 1.0\nsigma = 1.0', "smooth-c1", 1.0, "u is between -0.99"),  # of 64 distances
    ('"lennard-jones"\nepsilon = 1.0\nsigma = 1.0', "smooth-c1", 1.0, "its smooth end between -5.33 and 0"),
    ('"lennard-jones"\nepsilon = 1.0\nsigma = 1.0', "smooth-c2", 1.0, "inner = 1 of A-A makes smooth-c2 another potential"),
    ('"lennard-jones"\nepsilon = 1.0\nsigma = 1.0', "smooth-c2", 1.1, "inner = 1.1 of A-A"),
    ('"lennard-jones"\nepsilon = 1.0\nsigma = 1.0', "smooth-c1", 1.3, ""),
    ('"lennard-jones"\nepsilon = 1.0\nsigma = 1.0', "smooth-c2", 1.5, ""),
    ('"mie"\nepsilon = 1.0\nsigma = 1.0\nn = 10\nm = 6', "smooth-c2", 1.0, "inner = 1 of A-A makes smooth-c2"),
    ('"mie"\nepsilon = 1.0\nsigma = 1.0\nn = 10\nm = 6', "smooth-c2", 1.6, ""),
    ('"inverse-power"\nepsilon = 1.0\nsigma = 1.0\nexponent = 12', "smooth-c1", 1.0, "its smooth end between -"),
    *[('"inverse-power"\nepsilon = 1.0\nsigma = 1.0\nexponent = 12', f"smooth-c{k}", inner, "") for k in (1, 2) for inner in (1.7, 2.0)],
    *[('"yukawa"\na = 10.0\nkappa = 1.5', f"smooth-c{k}", inner, "") for k in (1, 2) for inner in (1.5, 2.0)],
    *[('"gaussian-core"\nepsilon = 2.0\nsigma = 1.0', f"smooth-c{k}", 2.0, "") for k in (1, 2)],
])
def test_smooth_ends_that_make_another_potential(tmp_path, force, end, inner, said):
    told = [line for line in warnings(tmp_path, of_type(force, f'truncation = "{end}"\ninner = {inner}')) if "target is" not in line]
    assert len(told) == bool(said), told
    assert all(said in line for line in told), told


@pytest.mark.parametrize("end", ["none", "shift", "force-shift"])
@pytest.mark.parametrize("inner", ["inner = 2.0", 'pairs = [{ species = ["A", "A"], inner = 2.0 }]'])
def test_inner_of_an_end_that_has_none(tmp_path, end, inner):
    text = edited((LJ, LJ.replace('"shift"', f'"{end}"') + inner + "\n"))
    (tmp_path / "in.toml").write_text(text)
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2
    assert f'inner with truncation = "{end}" (only smooth-c1 and smooth-c2 begin there)' in result.message()


@pytest.mark.parametrize("precision", ["mixed", "double"])
def test_a_minimisation_that_does_not_arrive(tmp_path, precision):
    (tmp_path / "in.toml").write_text(edited(('method = "verlet"\ndt = 0.004', 'method = "minimize"\nforce_tolerance = 1e-12'),
                                             ("[5, 5, 5] }", "[5, 5, 5], jitter = 0.1 }"), ("velocity = { temperature = 1.0 }\n", "")))
    result = mdrun("in.toml", "--set", f'compute.precision="{precision}"', cwd=tmp_path)
    assert result.status == 0, result.err
    told = [line for line in result.err.splitlines() if "the minimisation stopped after 20 steps" in line]
    assert len(told) == 1 and "a larger force_tolerance" in told[0], result.err
    assert ("precision" in told[0]) == (precision == "mixed")


# Dumbbells of two atoms of mass 1: w^2 = 2 k, here (20 pi)^2, so that the period is 0.1.
DUMBBELLS = """\
[system]
dimension = 3
lattice = { type = "sc", repeat = [3, 3, 3], constant = 4.0 }
velocity = { temperature = 0.5 }
[[molecule]]
count = 27
atoms = ["A", "A"]
places = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
bonds = [{ atoms = [0, 1] }]
exclude = 1
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
truncation = "shift"
[[force]]
type = "harmonic-bond"
k = 1973.92
r0 = 1.0
level = "fast"
[integrator]
METHOD
[run]
steps = 10
"""


@pytest.mark.parametrize("method, note, said", [
    ('method = "verlet"\ndt = 0.01', "of verlet is 1/10 of the fastest vibration by bonded forces "
     "(period 0.1, of atoms 0 and 1); unstable for it: from 0.03183 on", ""),
    ('method = "verlet"\ndt = 0.03', "1/3.33 of the fastest", "dt = 0.03 (verlet with a dt less than 10 % longer is unstable for the "
     "fastest vibration by bonded forces (period 0.1, of atoms 0 and 1): from 0.03183 on); use a dt below 0.029"),
    ('method = "verlet"\ndt = 0.04', "1/2.5 of the fastest", "dt = 0.04 (verlet is unstable for the fastest vibration"),
    ('method = "respa"\ndt = 0.04\ninner = 10', "unstable for it: 0.049", ""),
    ('method = "respa"\ndt = 0.047\ninner = 10', "unstable for it: 0.049", "dt = 0.047 (respa with a dt less than 10 % longer is unstable"),
    ('method = "respa"\ndt = 0.053\ninner = 10', "unstable for it: 0.049", "dt = 0.053 (respa with a dt less than 10 % shorter is unstable"),
    ('method = "respa"\ndt = 0.08\ninner = 20', "unstable for it: 0.049", ""),
    ('method = "respa"\ndt = 0.08\ninner = 2', "unstable for it: ", "dt = 0.08 (respa is unstable"),
    ('method = "nose-poincare"\ndt = 0.01\ntemperature = 0.5\nmass = 1.0', "of nose-poincare is 1/10 of the fastest", ""),
    ('method = "nose-poincare"\ndt = 0.031\ntemperature = 0.5\nmass = 1.0', "unstable for it: from 0.03183 on", "dt = 0.031 (nose-poincare with a dt less"),
    ('method = "mollified-impulse"\ndt = 0.05\ninner = 10', "of mollified-impulse is 1/2 of the fastest", ""),
    ('method = "brownian"\ndt = 1e-3\ntemperature = 0.5\nfriction = 100.0', "1/25.3 of the relaxation of the fastest vibration by bonded forces "
     "(period 0.1, of atoms 0 and 1); unstable for it: from 0.05066 on", ""),
    ('method = "brownian"\ndt = 0.06\ntemperature = 0.5\nfriction = 100.0', "2.37 relaxations of the fastest", "use a dt below 0.046"),
    ('method = "verlet"\ndt = 40.0', "dt = 40 of verlet is 400 periods of the fastest vibration by bonded forces (period 0.1, of atoms 0 and 1); "
     "unstable for it: from 0.03183 on", "use a dt below 0.029"),
])
def test_a_step_beside_the_fastest_vibration_of_molecules(tmp_path, method, note, said):
    (tmp_path / "in.toml").write_text(DUMBBELLS.replace("METHOD", method))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 0, result.err
    told = [line for line in result.err.splitlines() if "warning: dt" in line or "warning: stage" in line]
    assert len(told) == bool(said) and all(said in line for line in told), told
    notes = [line for line in (result.out + result.err).splitlines() if "# start: dt" in line]
    assert len(notes) == bool(note) and all(note in line for line in notes), notes


# Two particles, of which the lighter one is told of: w^2 = k, here (20 pi)^2.
HELD = """\
[system]
dimension = 2
box = { periodic = false }
lattice = { type = "square", repeat = [2, 1], constant = 1.0 }
[[species]]
name = "A"
mass = 2.0
fraction = 0.5
[[species]]
name = "B"
fraction = 0.5
[[force]]
type = FIELD
[integrator]
method = "verlet"
dt = DT
[run]
steps = 10
"""


@pytest.mark.parametrize("field, dt, note, said", [
    ('"harmonic-trap"\nstiffness = [0.0, 3947.84]', 0.01, "1/10 of the fastest vibration by harmonic-trap (period 0.1, of species B); "
     "unstable for it: from 0.03183 on", ""),
    ('"harmonic-trap"\nstiffness = [0.0, 3947.84]', 0.04, "1/2.5 of the fastest", "dt = 0.04 (verlet is unstable for the fastest vibration by "
     "harmonic-trap (period 0.1, of species B): from 0.03183 on); use a dt below 0.029"),
    ('"harmonic-trap"\nstiffness = [0.0, 3947.84]\nspecies = ["A"]', 0.04, "1/3.54 of the fastest vibration by harmonic-trap (period 0.1414, of species A)", ""),
    ('"wall-harmonic"\nstiffness = 3947.84\npoint = [0.0, -5.0]\nnormal = [1.0, 2.0]', 0.04, "vibration by wall-harmonic (period 0.1, of species B)",
     "use a dt below 0.029"),
    # Two traps, of 0.6 and 0.4 of it: each alone would be stable.
    ('"harmonic-trap"\nstiffness = [0.0, 2368.7]\n[[force]]\ntype = "harmonic-trap"\nstiffness = [0.0, 1579.14]', 0.035,
     "vibration by harmonic-trap (period 0.1, of species B)", "use a dt below 0.029"),
    ('"harmonic-trap"\nstiffness = [2368.7, 0.0]\n[[force]]\ntype = "harmonic-trap"\nstiffness = [0.0, 1579.14]', 0.035,
     "vibration by harmonic-trap (period 0.1291, of species B)", ""),
    # Two walls that face each other.
    ('"wall-harmonic"\nstiffness = 3947.84\npoint = [0.0, -5.0]\nnormal = [0.0, 1.0]\n[[force]]\ntype = "wall-harmonic"\nstiffness = 3947.84\n'
     'point = [0.0, 9.0]\nnormal = [0.0, -1.0]', 0.028, "vibration by wall-harmonic (period 0.1, of species B)", ""),
    ('"wall-93"\nepsilon = 1e4\nsigma = 1.0\npoint = [0.0, -5.0]\nnormal = [0.0, 1.0]', 0.04, "", ""),
])
def test_a_step_beside_a_stiff_field(tmp_path, field, dt, note, said):
    (tmp_path / "in.toml").write_text(HELD.replace("FIELD", field).replace("DT", str(dt)))
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 0, result.err
    told = [line for line in result.err.splitlines() if "warning: dt" in line]
    assert len(told) == bool(said) and all(said in line for line in told), told
    notes = [line for line in (result.out + result.err).splitlines() if "# start: dt" in line]
    assert len(notes) == bool(note) and all(note in line for line in notes), notes


def steps_said(tmp_path, text, *options):
    """Warnings of steps, and lines of the log about them."""
    (tmp_path / "in.toml").write_text(text)
    result = mdrun("in.toml", *options, cwd=tmp_path)
    lines = (result.out + result.err).splitlines()
    return ([line for line in lines if "warning: dt" in line or "warning: stage" in line],
            [line for line in lines if "vibration by bonded forces" in line and "warning" not in line])


def test_a_step_beside_a_slower_vibration(tmp_path):
    """Two kinds of dumbbells; impulses of a step of half the period of the heavier, 0.13."""
    text = DUMBBELLS.replace("METHOD", 'method = "respa"\ndt = 0.0645\ninner = 20').replace("count = 27", "count = 20").replace(
        "[[force]]", """[[molecule]]
count = 7
atoms = ["B", "B"]
places = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
bonds = [{ atoms = [0, 1] }]
exclude = 1
[[species]]
name = "A"
[[species]]
name = "B"
mass = 1.69
[[force]]""", 1)
    told, notes = steps_said(tmp_path, text, "--check")
    assert len(notes) == 1 and "(period 0.1, of atoms 0 and 1)" in notes[0]
    assert len(told) == 1 and "unstable for a vibration by bonded forces (period 0.13, of atoms 40 and 41): 0.064" in told[0], told
    told, _ = steps_said(tmp_path, text.replace("0.0645", "0.058"), "--check")
    assert not told


def test_a_step_of_molecules_that_are_minimised_first(tmp_path):
    """What is said is of the molecules that the minimisation leaves."""
    text = DUMBBELLS.replace("k = 1973.92", "k = 493.48").replace("[1.0, 0.0, 0.0]", "[1.2, 0.0, 0.0]").replace(
        "[integrator]\nMETHOD\n[run]\nsteps = 10\n", """[[stage]]
name = "relax"
steps = 50
integrator = { method = "minimize" }
[[stage]]
name = "soft"
steps = 2
integrator = { method = "verlet", dt = 0.02 }
[[stage]]
name = "hard"
steps = 2
integrator = { method = "verlet", dt = 0.06 }
""")
    told, notes = steps_said(tmp_path, text, "--check")
    assert not told and not notes
    told, notes = steps_said(tmp_path, text)
    assert len(notes) == 2 and "stage soft: dt = 0.02 of verlet is 1/10 of" in notes[0] and "(period 0.2," in notes[0], notes
    assert len(told) == 1 and "stage hard: dt = 0.06 (verlet with a dt less than 10 % longer is unstable" in told[0], told


@pytest.mark.parametrize("method, said", [
    ('method = "verlet"\ndt = 0.01', ""),
    ('method = "respa"\ndt = 0.004\ninner = 2', ""),
    # Periods are 0.1: (w T / 2) cot(w T / 2) of a fifth.
    ('method = "respa"\ndt = 0.02\ninner = 20', "pressure and energies of bonds under respa (at full steps, where slow forces kick, the fastest "
     "vibration balances 0.87 of them on average, not 1); take molecular-pressure, or a smaller dt"),
    ('method = "mollified-impulse"\ndt = 0.02\ninner = 20', "balances 0.65 of them"),
    ('method = "mollified-impulse"\ndt = 0.02\ninner = 20\nmollifier = "equilibrium"', "balances 0 of them"),
    ('method = "baoab-respa"\ndt = 0.02\ninner = 20\ntemperature = 1.0\nfriction = 1.0', "balances 0.87 of them"),
    ('method = "nose-poincare-respa"\ndt = 0.02\ninner = 20\ntemperature = 1.0\nmass = 1.0', "balances 0.87 of them"),
])
def test_pressures_at_whole_steps(tmp_path, method, said):
    (tmp_path / "in.toml").write_text(DUMBBELLS.replace("METHOD", method))
    told = [line for line in mdrun("in.toml", "--check", cwd=tmp_path).err.splitlines() if "pressure" in line]
    assert len(told) == bool(said) and all(said in line for line in told), told


def test_pressures_of_molecules_in_a_stiffer_field(tmp_path):
    """A wave in whose wells the period is 0.05: bonds stay those whose pressure is spoken of."""
    wave = '[[force]]\ntype = "cosine-field"\namplitude = 6400.0\nperiods = [3, 0, 0]\nlevel = "fast"\n[integrator]'
    (tmp_path / "in.toml").write_text(DUMBBELLS.replace("METHOD", 'method = "respa"\ndt = 0.02\ninner = 20').replace("[integrator]", wave))
    said = mdrun("in.toml", "--check", cwd=tmp_path)
    assert "of the fastest vibration by cosine-field (period 0.05, of species A)" in said.out + said.err
    assert "vibration balances 0.87 of them" in said.err


def test_no_vibration_but_that_of_the_bond(tmp_path):
    """A turn of a bond at its length is none, whatever rounding makes of it."""
    text = DUMBBELLS.replace("METHOD", 'method = "verlet"\ndt = 0.005').replace("count = 27", "count = 9")
    for key, value in (("dimension = 3", "dimension = 2"), ('"sc", repeat = [3, 3, 3]', '"square", repeat = [3, 3]'),
                       ("0.0, 0.0, 0.0", "0.0, 0.0"), ("1.0, 0.0, 0.0", "0.6, 0.8")):
        text = text.replace(key, value)
    told, notes = steps_said(tmp_path, text, "--check")
    assert not told and len(notes) == 1 and "(period 0.1," in notes[0], (told, notes)


def test_the_first_drift_is_that_of_inner_steps(tmp_path):
    """A stretched bond, which the short steps follow."""
    stretched = DUMBBELLS.replace("[1.0, 0.0, 0.0]", "[1.3, 0.0, 0.0]")
    for method, status in (('method = "verlet"\ndt = 0.06', 2), ('method = "respa"\ndt = 0.06\ninner = 20', 0)):
        (tmp_path / "in.toml").write_text(stretched.replace("METHOD", method))
        result = mdrun("in.toml", "--check", cwd=tmp_path)
        assert result.status == status, result.err


@pytest.mark.parametrize("bath, said", [
    ('"nose-poincare"\nmass = 5.0', ""),
    ('"nose-poincare"\nmass = 1e-3', "of the period of the bath variable, 2 pi sqrt(Q / 2 f kT) = 0.0158"),
    ('"nose-hoover"\nperiod = 0.2', ""),
    ('"nose-hoover-langevin"\nperiod = 0.02\nfriction = 1.0', "dt = 0.005 is 0.25 of the period of the bath variable, 0.02"),
    ('"nose-hoover"\nperiod = 0.02', "dt = 0.005 is 0.25 of the period of the bath variable, 0.02 (it needs a tenth); use a longer period")])
def test_a_bath_faster_than_its_step(tmp_path, bath, said):
    method = f'method = {bath}\ndt = 0.005\ntemperature = 0.5'
    (tmp_path / "in.toml").write_text(DUMBBELLS.replace("METHOD", method))
    told = [line for line in mdrun("in.toml", "--check", cwd=tmp_path).err.splitlines() if "bath variable" in line]
    assert len(told) == bool(said) and all(said in line for line in told), told


@pytest.mark.parametrize("kind, end, said", [
    ("time = 1.0\ncompressibility = 0.1", 'truncation = "none"\ntail = true', True),
    ('type = "monte-carlo"\namplitude = 0.02', 'truncation = "none"\ntail = true', True),
    ("time = 1.0\ncompressibility = 0.1", 'truncation = "force-shift"', False),
    ('type = "mtk"\nperiod = 5.0', 'truncation = "none"\ntail = true', False)])
def test_volumes_by_energies_that_jump(tmp_path, kind, end, said):
    bath = 'method = "nose-hoover"\nperiod = 0.5\ntemperature = 1.0\n'
    found = warnings(tmp_path, LJ.replace('truncation = "shift"', end), ('method = "verlet"\n', bath), ("steps = 20", "steps = 2000"), ("[run]", f"[barostat]\npressure = 1.0\n{kind}\n[run]"))
    assert any("jumps at its cut-off" in line for line in found) == said, found


def test_a_transport_coefficient_of_few_windows(tmp_path):
    text = edited(("steps = 20", "steps = STEPS"), ('type = "thermo"\nevery = 5', 'type = "viscosity"\nevery = 5\nwindow = 12'))
    for steps, few in ((600, True), (3600, False)):
        folder = tmp_path / str(steps)
        folder.mkdir()
        (folder / "in.toml").write_text(text.replace("STEPS", str(steps)))
        result = mdrun("in.toml", "--summary", "s.json", cwd=folder)
        assert result.status == 0 and ("too few windows" in result.out) == few, result.out
