# SPDX-License-Identifier: BSD-3-Clause
"""An input with several mistakes: all of them are told at once, in the order of the file, and nothing
that only follows from them."""

import pytest
from harness import BASE, contents, edited, mdrun, place


def errors_of(folder, text, *arguments):
    (folder / "in.toml").write_text(text)
    before = contents(folder)
    result = mdrun("in.toml", *arguments, cwd=folder)
    assert (result.status, result.out) == (2, "")
    assert contents(folder) == before
    return result.errors()


def expect(folder, text, markers):
    """One error at each marker, and no other."""
    found = [match["where"] for match in errors_of(folder, text)]
    assert found == ["in.toml:%d:%d" % place(text, marker) for marker in markers]


#: A mistake in every section but forces, which cannot be read without a system.
MISTAKES = {
    "seed = 7": "sed = 7",
    'units = "lj"': 'unitz = "lj"',
    "[5, 5, 5]": "[5, 0, 5]",
    "temperature = 1.0": "temperature = -1.0",
    "mass = 1.0": "mass = 0",
    "dt = 0.004": "dt = -0.004",
    "steps = 20": "steps = -20",
    "every = 5": "evry = 5",
    'prefix = "out"': 'prefix = ""',
    'device = "cpu"': 'divice = "cpu"',
    "threads = 1": "threads = -1",
}


def test_a_mistake_in_each_section(tmp_path):
    at = list(MISTAKES.values())
    at[2] = "repeat"
    expect(tmp_path, edited(*MISTAKES.items()), at)


def test_forces_stages_and_observables_are_read_each_by_itself(tmp_path):
    force = '[[force]]\ntype = "wca"\nepsilon = -1.0\nsigma = 1.0\n'
    observe = '[[observe]]\ntype = "rdf"\nradius = 50.0\n'
    text = edited(("[[force]]", force + "[[force]]"), ("cutoff = 2.5", "cutoff = 25.0"),
                  ("[[observe]]", observe + "[[observe]]"), ('"thermo"', '"termo"'),
                  ('"verlet"', '"verlett"'))
    expect(tmp_path, text, ["epsilon = -1.0", "cutoff = 25.0", 'method = "verlett"', "radius = 50.0",
                            'type = "termo"'])


STAGES = BASE[:BASE.index("[integrator]")] + """\
[[stage]]
name = "one"
integrator = { method = "minimize", longest_move = -1.0 }
[[stage]]
name = "two"
steps = 10
wall_time = "soon"
integrator = { method = "verlet", dt = 0.001, temperature = 1.0 }
observe = [{ type = "msd" }]
[[stage]]
name = "two"
steps = -1
integrator = { method = "baoab", dt = 0.001, temperature = 1.0 }
"""


def test_stages(tmp_path):
    said = [match.group(0) for match in errors_of(tmp_path, STAGES)]
    for part in ["steps is missing", "longest_move is -1", '"soon"', '"temperature"', "window 16",
                 "steps is -1", "second stage", "friction is missing"]:
        assert sum(part in message for message in said) == 1, (part, said)
    assert len(said) == 8


@pytest.mark.parametrize("old, new, parts", [
    # Steps that are unknown are not too few for a correlation; an unknown dt is no minimisation.
    ("steps = 20", "step = 20\n[[observe]]\ntype = \"msd\"", ["step"]),
    ("dt = 0.004", "dt = 0\n[[observe]]\ntype = \"vacf\"\nwindow = 4\nevery = 1", ["dt"]),
    # A quantity of an observable with an error is not a misspelt one.
    ("steps = 20", 'until = { quantity = "pressure", error = 0.1, max_steps = 10 }\n'
                   '[[observe]]\ntype = "rdf"\nradius = -1.0', ["radius"]),
    # Keys of what has no valid type are not unknown.
    ('"lennard-jones"', '"lenard-jones"', ["lenard"]),
    ('"thermo"\n', '"viscosty"\nwindow = 10\n', ["viscosty"]),
    # The inside of an unknown table is not looked at.
    ("[run]", "[runs]\nsteps = 1\nbanana = { a = 1 }\n[run]", ["runs"]),
    ("dimension = 3", "", ["dimension"]),
    ("dimension = 3", "dimension = 4", ["dimension"]),
    ('device = "cpu"', 'device = "gpu"', ["gpu"]),
    # Energies of forces that have an error are not none.
    ("cutoff = 2.5", "cutoff = -2.5", ["cutoff"]),
    # Levels that have an error do not make those of forces and methods wrong.
    ("seed = 7", 'levels = ["one", "two", "one"]', ['"one" twice']),
    ("seed = 7", "levels = []", ["0 levels"]),
    ("seed = 7", 'levels = "one"', ["levels"]),
])
def test_nothing_follows_from_one_mistake(tmp_path, old, new, parts):
    base = edited(('truncation = "shift"', 'truncation = "shift"\nlevel = "LEVEL"'),
                  ("[output]", '[[observe]]\ntype = "energy-terms"\n[output]'))
    base = base.replace("LEVEL", "two" if "levels" in new else "slow")
    said = [match.group(0) for match in errors_of(tmp_path, edited((old, new), base=base))]
    assert len(said) == len(parts), said
    for part, message in zip(parts, said):
        assert part in message


def test_overrides_come_behind_the_file(tmp_path):
    text = edited(("mass = 1.0", "mass = 0"))
    errors = errors_of(tmp_path, text, "--set", "integrator.dt=-1", "--set", "output.colour=red")
    assert [match["where"] for match in errors] == ["in.toml:13:1", "--set integrator.dt",
                                                    "--set output.colour"]
