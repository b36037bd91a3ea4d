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
