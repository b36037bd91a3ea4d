# SPDX-License-Identifier: BSD-3-Clause
"""Inputs that are wrong in their system, forces, method, files or words: cases of test_bad_input."""

import dataclasses

from harness import BASE, edited


@dataclasses.dataclass
class Case:
    name: str
    text: object  #: the input, str or bytes
    says: tuple  #: parts of the message
    at: str = ""  #: marker in the text at which the message points
    line: int = 0  #: or only the line of it
    set: tuple = ()
    files: dict = dataclasses.field(default_factory=dict)
    errors: int = 1  #: of which the first is meant


def edit(name, *edits, says, at="", **more):
    return Case(name, edited(*edits), says, at=at, **more)


DT = "dt = 0.004"
STEPS = "steps = 20"
CUTOFF = "cutoff = 2.5"
LENNARD_JONES = 'type = "lennard-jones"\nepsilon = 1.0\nsigma = 1.0\n'
LATTICE = 'lattice = { type = "fcc", repeat = [5, 5, 5] }'
BOX = "box = { density = 0.8 }"
SPECIES = '[[species]]\nname = "A"\nmass = 1.0\n'
COMPUTE = 'device = "cpu"'

SYNTAX = [
    Case("empty", "", ("missing",), line=1, errors=2),
    Case("truncated in a string", BASE[: BASE.index("lennard") + 4], ("not valid TOML",)),
    Case("truncated in a table", BASE[: BASE.index("density")], ("not valid TOML",)),
    Case("truncated before the end", BASE[: BASE.index("[integrator]")], ("missing",), errors=2),
    Case("HDF5 instead of TOML", b"\x89HDF\r\n\x1a\n" + bytes(64), ("UTF-8",), line=1),
    Case("noise", bytes(range(128, 256)) * 20, ("UTF-8",), line=1),
    Case("zeros", bytes(4096), ("control character",), line=1),
    Case("UTF-16", BASE.encode("utf-16"), ("control character",), line=1),
    edit("no value", (DT, "dt ="), says=("not valid TOML",), line=24),
    edit("a key twice", (DT, DT + "\ndt = 0.1"), says=("redefine", "keep one"), line=25),
    edit("a table twice", ("[run]", "[integrator]"), says=("keep one",), line=26),
    edit("a bare word", ('"verlet"', "verlet"), says=("not valid TOML",), line=23),
    Case("too deep", "a = " + "[" * 5000, ("not valid TOML",), line=1),
    Case("a dotted ladder", "a." * 50000 + "a = 1", ("parts",), line=1),
]

MISSPELT = [
    edit("top", ("seed =", "sede ="), says=('"sede"', '"seed"'), at="sede"),
    edit("table", ("[output]", "[ouptut]"), says=('"ouptut"', '"output"'), at="ouptut"),
    edit("system", ("units =", "unit ="), says=('"unit"', '"units"'), at="unit ="),
    edit("box", ("density", "densty"), says=('"density"',), at="densty"),
    edit("lattice", ("repeat", "repaet"), says=("repaet",), at="repaet"),
    edit("velocity", ("{ temperature", "{ temperture"), says=('"temperature"',), at="temperture"),
    edit("species", ("mass =", "mas ="), says=('"mass"',), at="mas ="),
    edit("force", ("epsilon", "epsilom"), says=("epsilom",), at="epsilom"),
    edit("integrator", (DT, "dtt = 0.004"), says=("dtt",), at="dtt"),
    edit("run", (STEPS, "step = 20"), says=("step",), at="step ="),
    edit("observe", ("every = 5", "evry = 5"), says=('"every"',), at="evry"),
    edit("trajectory", ("{ every = 10 }", "{ evrey = 10 }"), says=('"every"',), at="evrey"),
    edit("compute", ("threads", "treads"), says=('"threads"',), at="treads"),
    edit("foreign", ("[run]", "[run]\nbanana = 1"), says=('"banana"', '"steps"'), at="banana"),
    edit("foreign table", ("[run]", "[thermostat]\n[run]"), says=('"thermostat"',), at="thermostat"),
]

TYPES = [
    edit("steps a float", (STEPS, "steps = 1e5"), says=("integer", "100_000"), at="1e5"),
    edit("steps a text", (STEPS, 'steps = "20"'), says=("integer", "remove the quotes"), at='"20"'),
    edit("steps negative", (STEPS, "steps = -1"), says=("-1",), line=27),
    edit("dt a text", (DT, 'dt = "fast"'), says=("a number", '"fast"'), at='"fast"'),
    edit("dt an array", (DT, "dt = [0.1]"), says=("a number", "an array"), at="[0.1]"),
    edit("seed a float", ("seed = 7", "seed = 7.5"), says=("integer",), at="7.5"),
    edit("seed negative", ("seed = 7", "seed = -7"), says=("-7",), line=2),
    edit("title a number", ('"a small liquid"', "5"), says=("text",), line=1),
    edit("system a value", ("[system]", "system = 3\n[sistem]"), says=("table",), line=4,
         errors=2),
    edit("force a table", ("[[force]]", "[force]"), says=("[[force]]",), line=15),
    edit("integrator an array", ("[integrator]", "[[integrator]]"), says=("[integrator]",), line=22),
    edit("periodic a number", (BOX, "box = { density = 0.8, periodic = 1 }"), says=("true or false",),
         at="1 }"),
    edit("overwrite a text", ('prefix = "out"', 'prefix = "out"\noverwrite = "yes"'),
         says=("true or false",), at='"yes"'),
]

VALUES = [
    edit("dt zero", (DT, "dt = 0"), says=("dt", "0"), line=24),
    edit("dt negative", (DT, "dt = -0.004"), says=("-0.004",), line=24),
    edit("dt nan", (DT, "dt = nan"), says=("nan",), line=24),
    edit("dt inf", (DT, "dt = inf"), says=("inf",), line=24),
    edit("cutoff zero", (CUTOFF, "cutoff = 0.0"), says=("cutoff",), line=19),
    edit("cutoff negative", (CUTOFF, "cutoff = -2.5"), says=("-2.5",), line=19),
    edit("cutoff nan", (CUTOFF, "cutoff = nan"), says=("nan",), line=19),
    edit("epsilon nan", ("epsilon = 1.0", "epsilon = nan"), says=("nan",), line=17),
    edit("sigma zero", ("sigma = 1.0", "sigma = 0"), says=("sigma",), line=18),
    edit("cutoff beyond half the box", (CUTOFF, "cutoff = 4.5"), says=("half",), line=19),
    edit("cutoff infinite in a periodic box", (CUTOFF, "cutoff = inf"), says=("cutoff",)),
    edit("density negative", ("density = 0.8", "density = -0.8"), says=("-0.8",), line=7),
    edit("temperature negative", ("temperature = 1.0", "temperature = -1.0"), says=("-1",), line=9),
    edit("temperature beyond all numbers", ("temperature = 1.0", "temperature = 1e300"),
         says=("1e+300", "overflow"), line=9),
    edit("bath beyond all numbers", (DT, f"{DT}\nfriction = 1.0\ntemperature = 1e300"),
         ('"verlet"', '"baoab"'), says=("1e+300", "overflow"), at="temperature = 1e300"),
    edit("no cells", ("[5, 5, 5]", "[5, 0, 5]"), says=("repeat",), line=8),
    edit("too many particles", ("[5, 5, 5]", "[5000, 5000, 5000]"), says=("particles",), line=8),
    edit("two repeats in three dimensions", ("[5, 5, 5]", "[5, 5]"), says=("3 dimensions",), line=8),
    edit("box length zero", (BOX, "box = { lengths = [0, 9, 9] }"), says=("box length 0",), line=7),
    edit("box length infinite", (BOX, "box = { lengths = [9, 9, inf] }"), says=("inf",), line=7),
    edit("box smaller than the lattice", (BOX, "box = { lengths = [4, 4, 4] }"),
         ("[5, 5, 5]", "[5, 5, 5], constant = 1.7"), says=("lattice",), line=7),
    edit("dimension four", ("dimension = 3", "dimension = 4"), says=("4",), line=5),
    edit("dimension zero", ("dimension = 3", "dimension = 0"), says=("0",), line=5),
    edit("mass beyond all numbers", ("mass = 1.0", "mass = 1e300"), says=("mass 1e+300", "overflow"), line=13),
    edit("mass zero", ("mass = 1.0", "mass = 0"), says=("mass",), line=13),
    edit("threads negative", ("threads = 1", "threads = -1"), says=("-1",)),
    edit("every zero", ("every = 5", "every = 0"), says=("every",), line=31),
    edit("trajectory every zero", ("trajectory = { every = 10 }", "trajectory = { every = 0 }"),
         says=("every",), line=35),
    edit("checkpoint in parsecs", ("checkpoint = { every = 10 }",
         'checkpoint = { every = "5 parsecs" }'), says=("5 parsecs", "5 min"), line=36),
    edit("a hard core of nothing", (LENNARD_JONES, 'type = "formula"\nu = "r < 1 ? 1e25 : 0"\n'),
         says=("no table approximates (u goes from 0 to 1e+25 near r = 1:",), line=17),
    edit("a pole", (LENNARD_JONES, 'type = "formula"\nu = "1/(r - 1.5)"\n'),
         says=("no table approximates (u is not finite at r = 1.5)",), line=17),
    edit("a parameter that is a number", (LENNARD_JONES, 'type = "formula"\nu = "a/r"\nparameters = { "1e4" = 1.0 }\n'),
         says=('a parameter "1e4"', "choose another name"), line=18),
    edit("no prefix", ('prefix = "out"', 'prefix = ""'), says=("prefix",), line=34),
]

NAMES = [
    edit("method", ('"verlet"', '"verlett"'), says=("verlett", '"verlet"'), line=23),
    edit("force", ('"lennard-jones"', '"lenard-jones"'), says=('"lennard-jones"',), line=16),
    edit("observable", ('"thermo"', '"termo"'), says=('"thermo"',), line=30),
    edit("truncation", ('"shift"', '"shfit"'), says=('"shift"',), line=20),
    edit("units", ('"lj"', '"si"'), says=('"lj"', '"akma"', '"real"', '"metal"'), line=6),
    edit("lattice", ('"fcc"', '"fcd"'), says=('"fcc"',), line=8),
    edit("lattice of another dimension", ('"fcc"', '"square"'), says=('"fcc"',), line=8),
    edit("precision", ("threads = 1", 'precision = "half"'), says=('"mixed"', '"double"'), line=40),
    edit("tune", ("threads = 1", 'tune = "ful"'), says=('"full"', '"quick"', '"off"'), line=40),
    edit("tune is no switch", ("threads = 1", "tune = true"), says=("tune",), line=40),
    edit("device", (COMPUTE, 'device = "gpu"'), says=("gpu", "cuda")),
    edit("device number", (COMPUTE, 'device = "cuda:one"'), says=("cuda:one",)),
    edit("trajectory field", ("{ every = 10 }", '{ every = 10, fields = ["positon"] }'),
         says=("positon",), line=35),
]

MISSING = [
    edit("dt", (DT, ""), says=("dt", "missing"), line=22),
    edit("method", ('method = "verlet"', ""), says=("method", "missing"), line=22),
    edit("force type", ('type = "lennard-jones"', ""), says=("type", "missing"), line=15),
    edit("epsilon", ("epsilon = 1.0", ""), says=("epsilon", "missing"), line=15),
    edit("cutoff", (CUTOFF, ""), says=("cutoff", "missing"), line=15),
    edit("steps", (STEPS, ""), says=("steps", "missing"), line=26),
    edit("dimension", ("dimension = 3", ""), says=("dimension", "missing"), line=4),
    edit("particles", (LATTICE, ""), says=("particles",), line=4),
    edit("lattice constant", (BOX, ""), says=("constant", "missing"), line=8),
    edit("observable type", ('type = "thermo"', ""), says=("type", "missing"), line=29),
]

CONFLICTS = [
    edit("lattice and file", (LATTICE, LATTICE + '\nfile = "start.xyz"'), says=("lattice",),
         files={"start.xyz": b"1\n\nA 0 0 0\n"}),
    edit("density and lengths", (BOX, "box = { density = 0.8, lengths = [9, 9, 9] }"),
         says=("density",), line=7),
    edit("density and constant", ("[5, 5, 5]", "[5, 5, 5], constant = 1.0"), says=("constant",),
         line=8),
    edit("a species twice", (SPECIES, 2 * (SPECIES + "fraction = 0.5\n")), says=('"A"',), line=16),
    edit("fractions that do not add up", (SPECIES, SPECIES + "fraction = 0.7\n"), says=("fraction",)),
    edit("a species with a slash", ('name = "A"', 'name = "A/B"'), says=('species "A/B"',), line=12),
    edit("a species with NUL", ('name = "A"', 'name = "A\\u0000B"'), says=("control character",),
         line=12),
    edit("a file with such a species", (LATTICE, 'file = "start.xyz"'), (BOX, ""), (SPECIES, ""),
         says=('species "A/B"',), line=8,
         files={"start.xyz": b'1\nLattice="9 0 0 0 9 0 0 0 9"\nA/B 0 0 0\n'}),
    edit("a mixture with an unknown species",
         (CUTOFF, CUTOFF + '\npairs = [ { species = ["A", "Z"], epsilon = 1.0, sigma = 1.0 } ]'),
         says=("Z",), line=20),
    edit("a stage beside an integrator", ("[run]", '[[stage]]\nname = "a"\nsteps = 1\n[run]'),
         says=("stage",)),
]

CHARGED = (SPECIES, SPECIES + "charge = 0.5\nfraction = 0.5\n" + SPECIES.replace("A", "B") +
           "charge = -0.5\nfraction = 0.5\n")
DSF = '[[force]]\ntype = "coulomb-dsf"\nalpha = 0.3\ncutoff = 2.5\n'
for name, second in [("the same", DSF), ("another", DSF.replace("0.3", "0.2")),
                     ("of another level", DSF + 'level = "fast"\n')]:
    both = edited(CHARGED, ("[integrator]", DSF + second + "[integrator]"))
    CONFLICTS.append(Case(f"a second electrostatic force, {name}", both,
                          ("coulomb-dsf together with coulomb-dsf", "count twice"),
                          line=both.count("\n", 0, both.rindex('type = "coulomb-dsf"')) + 1))

ONE = (LATTICE, 'lattice = { type = "sc", repeat = [1, 1, 1] }')
OPEN = (BOX, "box = { periodic = false }")
CONFLICTS += [
    edit("a temperature for one particle", ONE, OPEN, ("[1, 1, 1] }", "[1, 1, 1], constant = 1.0 }"),
         says=("1 particle",), line=9),
    edit("one particle in a box smaller than the cutoff", ONE, ("temperature = 1.0", "temperature = 0"),
         says=("half",), line=19),
    edit("no particle", (LATTICE, 'lattice = { type = "random", count = 0, min_distance = 1.0 }'),
         says=("0 particles",), line=8),
    edit("no room", (LATTICE, 'lattice = { type = "random", count = 500, min_distance = 3.0 }'),
         says=("no room",), line=8),
    edit("a step too large for the start", ("[5, 5, 5] }", "[5, 5, 5], jitter = 0.1 }"),
         (DT, "dt = 0.5"), says=("dt = 0.5 is too large for the start", "use a dt below")),
    edit("a step beyond all numbers", ("[5, 5, 5] }", "[5, 5, 5], jitter = 0.1 }"),
         (DT, "dt = 1e300"), says=("dt = 1e+300 is too large for the start", "use a dt below 0.0")),
    edit("a skin that no list needs", ("[compute]", "[compute]\nskin = 25.1"),
         says=("compute.skin = 25.1", "over 10 times the longest cut-off 2.5", "use one about 0.3")),
    edit("a lattice that overlaps itself", ("density = 0.8", "density = 0.8"),
         ("[5, 5, 5] }", "[5, 5, 5], jitter = 0.9 }"), says=("overlap", "minimize")),
]

OVERRIDES = [
    Case("no value", BASE, ("--set",), set=("integrator.dt",)),
    Case("empty value", BASE, ("--set",), set=("integrator.dt=",)),
    Case("no key", BASE, ("--set",), set=("=3",)),
    Case("an index out of range", BASE, ("--set",), set=("force[3].cutoff=2",)),
    Case("an index into a table", BASE, ("--set",), set=("integrator[0].dt=2",)),
    Case("a key below a value", BASE, ("--set",), set=("seed.a=2",)),
    Case("a wrong type", BASE, ("--set integrator.dt", "number"), set=("integrator.dt=fast",)),
    Case("a wrong value", BASE, ("--set integrator.dt",), set=("integrator.dt=-1",)),
    Case("an integer of too many bits", BASE, ("--set seed", "integers have 64 bits", "9223372036854775807"),
         set=("seed=18446744073709551616",)),
    Case("an unknown key", BASE, ("--set integrator.dtt", '"dt"'), set=("integrator.dtt=1",)),
    Case("an unknown table", BASE, ("--set runn",), set=("runn.steps=1",)),
    Case("an open bracket", BASE, ("--set",), set=("system.lattice.repeat=[5,5",)),
]


def from_file(data, name="start.xyz", **edits):
    box = edits.get("box", "box = { lengths = [9.0, 9.0, 9.0] }")
    text = edited((LATTICE, f'file = "{name}"'), (BOX, box))
    return text, {name: data} if data is not None else {}


def file_case(name, data, says, file="start.xyz", **more):
    text, files = from_file(data, file, **more)
    return Case(name, text, says, files=files)


XYZ = b"2\n\nA 0.0 0.0 0.0\nA 1.5 0.0 0.0\n"
FILES = [
    file_case("missing", None, ("start.xyz",)),
    file_case("empty", b"", ("start.xyz",)),
    file_case("no particles", b"0\n\n", ("start.xyz",)),
    file_case("nan", XYZ.replace(b"1.5", b"nan"), ("start.xyz",)),
    file_case("infinite", XYZ.replace(b"1.5", b"inf"), ("start.xyz",)),
    file_case("truncated", XYZ[:20], ("start.xyz",)),
    file_case("a word for a number", XYZ.replace(b"1.5", b"far"), ("start.xyz",)),
    file_case("binary", bytes(range(256)), ("start.xyz",)),
    file_case("a huge count", b"99999999999\n\nA 0 0 0\n", ("start.xyz",)),
    file_case("not HDF5", b"hello", ("start.h5",), file="start.h5"),
    file_case("truncated HDF5", b"\x89HDF\r\n\x1a\n" + bytes(40), ("start.h5",), file="start.h5"),
    file_case("two particles in one place", XYZ.replace(b"1.5", b"0.0"), ("overlap",)),
    file_case("two particles almost in one place", XYZ.replace(b"1.5", b"1e-7"), ("overlap",)),
]
SMOOTH = XYZ.replace(b"1.5", b"0.0")
for end in ('truncation = "smooth-c1"\ninner = 2.0', 'truncation = "smooth-c2"\ninner = 2.0',
            'truncation = "shift"\nsplit = { inner = 1.2, outer = 1.6 }'):
    text, files = from_file(SMOOTH)
    FILES.append(Case(f"two particles in one place, {end[:22]}", edited(('truncation = "shift"', end), base=text),
                      ("overlap",), files=files))
