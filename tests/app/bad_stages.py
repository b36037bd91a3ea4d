# SPDX-License-Identifier: BSD-3-Clause
"""Inputs that are wrong in their levels, stages or observables: cases of test_bad_input."""

from bad_inputs import BOX, CUTOFF, DT, LATTICE, SPECIES, STEPS, Case, edit
from harness import BASE, edited

LEVELS = [
    edit("a field of frames twice", ("every = 10 }", 'every = 10, fields = ["force", "force"] }'), says=('"force" twice',),
         at="fields"),
    edit("levels of no name", ("[system]", "levels = []\n[system]"), says=("0 levels",), at="levels"),
    edit("nine levels", ("[system]", f"levels = {list('abcdefghi')}\n[system]"), says=("9 levels", "1 to 8"), at="levels"),
    edit("a level twice", ("[system]", 'levels = ["a", "b", "a"]\n[system]'), says=('"a" twice',), at="levels"),
    edit("a level with a blank", ("[system]", 'levels = ["a b"]\n[system]'), says=('level "a b"',), at="levels"),
    edit("an unknown level", (CUTOFF, CUTOFF + '\nlevel = "fats"'), says=('"fats"', "fast"), at="level ="),
    edit("a split within a level", (CUTOFF, CUTOFF + '\nlevel = "fast"\nsplit = { inner = 1.2, outer = 1.6 }'),
         says=("kicks more often",), at="split"),
    edit("one number for three levels", ("[system]", 'levels = ["a", "b", "c"]\n[system]'),
         ('method = "verlet"', 'method = "respa"\ninner = 4'), says=("inner has 1 number", "give 2"), at="inner = 4"),
    edit("two numbers for two levels", ('method = "verlet"', 'method = "respa"\ninner = [4, 2]'),
         says=("inner has 2 numbers", "give 1"), at="inner = [4, 2]"),
    edit("a word with a level too high", ('method = "verlet"', 'method = "splitting"\nword = "B[3]½ A1 |"'),
         says=("1 to 2",), at="word"),
    edit("a word without a level", ("[system]", 'levels = ["a", "b", "c"]\n[system]'),
         ('method = "verlet"', 'method = "splitting"\nword = "B[1]½ B[3]½ A1 |"'),
         says=("B[1] to B[3]",), at="word"),
]

def until(name, value, **more):
    return edit(f"until {name}", (STEPS, f"until = {value}"), **more)


UNTIL = [
    until("of a misspelt quantity", '{ quantity = "presure", error = 0.1, max_steps = 10 }',
          says=('"presure"', 'did you mean "pressure"?'), at="quantity"),
    until("of a vector", '{ quantity = "momentum", error = 0.1, max_steps = 10 }',
          says=('"momentum"',), at="quantity"),
    *[edit(f"until of {name}", (STEPS, f'until = {{ quantity = "{name}", error = 0.1, max_steps = 1000 }}'),
           ('[[observe]]\n', '[[observe]]\ntype = "shadow-energy"\nevery = 5\n[[observe]]\n'),
           says=(f"until of {name}", "conserved", "another quantity"), at="quantity")
      for name in ("conserved_energy", "shadow_energy")],
    until("without an error", '{ quantity = "pressure", max_steps = 10 }',
          says=("error", "missing")),
    until("with an error of zero", '{ quantity = "pressure", error = 0.0, max_steps = 10 }',
          says=("error is 0",), at="error = 0.0"),
    until("without max_steps", '{ quantity = "pressure", error = 0.1 }',
          says=("max_steps", "missing")),
    until("with no steps", '{ quantity = "pressure", error = 0.1, max_steps = 0 }',
          says=("max_steps is 0",), at="max_steps"),
    until("with a misspelt key", '{ quantity = "pressure", eror = 0.1, max_steps = 10 }',
          says=("error", "missing")),
    until("of nothing", "[]", says=("without a quantity",), at="until"),
    until("a number", "20", says=("until",), at="20"),
    until("beside steps", '{ quantity = "pressure", error = 0.1, max_steps = 10 }\nsteps = 5',
          says=("steps together with until",), at="steps = 5"),
    until("of two lengths", '[{ quantity = "pressure", error = 0.1, max_steps = 10 }, '
          '{ quantity = "temperature", error = 0.1, max_steps = 11 }]',
          says=("max_steps is 11", "10"), at="max_steps = 11"),
    until("of a quantity twice", '[{ quantity = "pressure", error = 0.1, max_steps = 10 }, '
          '{ quantity = "pressure", error = 0.2 }]', says=("pressure twice",)),
    edit("until without observables", (STEPS, 'until = { quantity = "pressure", error = 0.1, '
                                              'max_steps = 10 }'),
         ('[[observe]]\ntype = "thermo"\nevery = 5\n', ""), says=("without observables",),
         at="quantity"),
    edit("until of a minimisation", (STEPS, 'until = { quantity = "pressure", error = 0.1, '
                                            'max_steps = 10 }'),
         ('"verlet"', '"minimize"'), says=("minimisation",), at="until"),
    edit("equilibration misspelt", (STEPS, STEPS + '\nequilibration = "autp"'),
         says=('did you mean "auto"?',), at="equilibration"),
    edit("equilibration negative", (STEPS, STEPS + "\nequilibration = -5"), says=("-5",),
         at="equilibration"),
    edit("equilibration a float", (STEPS, STEPS + "\nequilibration = 0.5"), says=("integer",),
         at="0.5"),
]

WALL_TIME = [
    edit(f"wall_time = {value}", (STEPS, f"{STEPS}\nwall_time = {value}"), says=("wall_time", why),
         at=value if value == "3600" else "wall_time")
    for value, why in [("3600", "text"), ('"3600"', "unit"), ('"-1 h"', "above zero"),
                       ('"0 s"', "above zero"), ('"soon"', "unit")]
]

RAMPS = [
    edit(f"temperature = {value}",
         (DT, f"{DT}\nfriction = 1.0\ntemperature = {value}"), ('"verlet"', '"baoab"'),
         says=("temperature", why), at=at)
    for value, why, at in [("[]", "it is empty", "temperature = []"),
                           ("[[0, 1.0], [0, 2.0]]", "step 0 comes after step 0", "temperature = [["),
                           ("[[0.5, 1.0]]", "step 0.5", "temperature = [["),
                           ("[[0, 1.0, 2.0]]", "3 numbers", "temperature = [["),
                           ("[[0, -1.0]]", "out of range", "temperature = [["),
                           ("[0, 1.0]", "array", "0, 1.0]")]
]

OPEN_LIQUID = edited((BOX, "box = { periodic = false }"), (LATTICE, LATTICE.replace("}", ", constant = 1.71 }")))
PLANE_LIQUID = edited(("dimension = 3", "dimension = 2"),
               (LATTICE, 'lattice = { type = "square", repeat = [20, 20] }'))


def observing(name, kind, keys, says, at="type", base=BASE, second=False, **more):
    """An observable that makes no sense, before the one of `base`; `at` is a key of it. Where only
    that has no place beside this, the message is about that, the `second`."""
    table = f'[[observe]]\ntype = "{kind}"\n{keys}\n'
    text = edited(("[[observe]]\n", table + "[[observe]]\n"), base=base)
    first = text.count("\n", 0, text.index(table)) + 2
    line = {"type": first + second * table.count("\n"), "": 0}.get(at, first + 1)
    return Case(f"{kind} {name}", text, says, line=line, **more)


OBSERVABLES = [
    observing("in an open box", "configurational", "", ("open box", "periodic"), base=OPEN_LIQUID),
    observing("in an open box", "rdf", "", ("open box",), base=OPEN_LIQUID),
    observing("in an open box", "structure-factor", "longest = 5.0", ("open box",), base=OPEN_LIQUID),
    observing("by a mesh in an open box", "structure-factor", 'method = "fft"\nlongest = 5.0',
              ("open box",), base=OPEN_LIQUID),
    observing("in an open box", "intermediate-scattering", "wavenumbers = [2.0]", ("open box",),
              base=OPEN_LIQUID),
    observing("in an open plane", "bond-correlation", "radius = 1.4", ("open box",),
              base=PLANE_LIQUID.replace(BOX, "box = { periodic = false }")
                        .replace("repeat = [20, 20]", "repeat = [20, 20], constant = 1.1")),
    observing("in space", "bond-correlation", "radius = 1.4", ("3 dimensions", "steinhardt")),
    observing("in space", "bond-order", "radius = 1.4", ("3 dimensions", "steinhardt")),
    observing("in a plane", "steinhardt", "radius = 1.4", ("2 dimensions", "bond-order"), base=PLANE_LIQUID),
    observing("beyond half the box", "bond-correlation", "radius = 1.4\nlargest = 12.0",
              ("largest 12", "half the shortest"), base=PLANE_LIQUID, at=""),
    observing("with half a fold", "bond-correlation", "fold = 0\nradius = 1.4", ("fold 0",),
              base=PLANE_LIQUID, at="fold"),
    observing("beyond half the box", "rdf", "radius = 5.0", ("radius 5", "half"), at="radius"),
    observing("below the first wave vector", "structure-factor", "longest = 0.5",
              ("no wave vector",), at="longest"),
    observing("by an unknown method", "structure-factor", 'method = "ft"\nlongest = 5.0',
              ('"ft"', '"fft"'), at="method"),
    observing("without accuracy", "structure-factor",
              'accuracy = 0.5\nmethod = "fft"\nlongest = 5.0', ("accuracy 0.5",), at="accuracy"),
    observing("of too large a mesh", "structure-factor",
              'longest = 300.0\nmethod = "fft"', ("points", "direct"), at="longest"),
    observing("with vectors of another method", "structure-factor",
              'vectors = 5\nmethod = "fft"\nlongest = 5.0', ('"vectors"',), at="vectors"),
    observing("with too few measurements for a lag", "msd", "every = 2",
              ("window 16", "10 measurements", "more steps"), at=""),
    observing("in an open box", "stress", "", ("open box", "periodic"), base=OPEN_LIQUID),
    observing("in an open box", "viscosity", "window = 4\nevery = 1", ("open box", "periodic"),
              base=OPEN_LIQUID),
    observing("at long intervals unasked", "viscosity", "window = 4", ("without every",)),
    observing("with too few measurements for a lag", "viscosity", "window = 30\nevery = 1",
              ("window 30", "measurements"), at="window"),
    observing("in an open box", "heat-flux", "", ("open box", "periodic"), base=OPEN_LIQUID),
    observing("at long intervals unasked", "thermal-conductivity", "window = 4", ("without every",)),
    observing("of a mixture", "thermal-conductivity", "window = 4\nevery = 1",
              ("2 species", "heat-flux"), base=edited((SPECIES, SPECIES + "fraction = 0.5\n" + SPECIES.replace("A", "B") +
                          "fraction = 0.5\n"))),
    observing("in a minimisation", "viscosity", "window = 4\nevery = 1", ("minimisation",),
              base=edited(('"verlet"', '"minimize"'))),
    observing("with too few measurements for a lag", "vacf", "window = 30\nevery = 1",
              ("window 30", "20 measurements"), at="window"),
    observing("with too few measurements for a lag", "intermediate-scattering",
              "window = 50\nevery = 1\nwavenumbers = [3.0]", ("window 50", "20 measurements"),
              at="window"),
    observing("of lags beyond the stage", "msd", "longest = 400\nevery = 1", ("400", "20"),
              at="longest"),
    observing("of particles that do not move in time", "msd", "every = 1", ("minimisation",),
              base=edited(('"verlet"', '"minimize"'))),
    *[observing("of particles without inertia", kind, keys, ("brownian", "no velocities", "baoab"),
                base=edited(('"verlet"', '"brownian"\ntemperature = 1.0\nfriction = 50.0')))
      for kind, keys in (("heat-flux", ""), ("angular-momentum", ""), ("directional-temperature", ""),
                         ("velocity-distribution", "largest = 5.0"), ("kinetic-energy-distribution", "largest = 5.0"), ("thermal-conductivity", "window = 4\nevery = 1"),
                         ("viscosity", "window = 4\nevery = 1"), ("vacf", "window = 4\nevery = 1"))],
    observing("along z in a plane", "density-profile", 'direction = "z"', ("direction z",),
              at="direction", base=PLANE_LIQUID),
    observing("with a range in a periodic box", "density-profile",
              'range = [-1.0, 1.0]\ndirection = "x"', ("range along x", "open directions"), at="range"),
    observing("twice", "thermo", "every = 5", ("twice",), second=True),
    *[observing("of nothing", kind, "largest = 0.0", ("largest",), at="largest")
      for kind in ("velocity-distribution", "kinetic-energy-distribution")],
    *[observing("in no bins", kind, "bins = 0", ("0 bins",), at="bins") for kind in ("pair-density", "radial-density")],
    observing("along one direction", "density-map", 'directions = ["x", "x"]', ("two directions",), at="directions"),
    observing("beyond half the box", "clusters", "radius = 5.0", ("radius 5", "half"), at="radius"),
    observing("in space", "positional-correlation", "radius = 1.4", ("3 dimensions", "steinhardt")),
    observing("of an odd order", "shadow-energy", "order = 5", ("order 5", "even"), at="order"),
    observing("at rest", "shear-flow", "", ("without shear", "stress")),
    observing("where nothing is bonded", "bonded-distribution", "range = [0.5, 1.5]", ("of bonds where there are none", "[[molecule]]"), at=""),
    *[observing("where nothing is bonded", kind, "", ("molecules", "nothing is bonded", "[[molecule]]"))
      for kind in ("molecule-size", "molecular-pressure")],
    *[observing("every 0 steps", kind, "every = 0", ("every is 0",), at="every")
      for kind in ("energy-terms", "directional-temperature")],
]

def analysing(name, kind, keys, says, at="of", before="", **more):
    """An analysis of rows that makes no sense, behind the observables of `BASE`, which `before` precedes; `at` is a key."""
    table = f'[[observe]]\ntype = "{kind}"\n{keys}\n'
    text = edited(("[output]", table + "[output]"), ("[[observe]]\n", before + "[[observe]]\n"), base=more.pop("base", BASE))
    begin = text.index(table)
    line = text.count("\n", 0, text.index(f"\n{at} = ", begin) if at else begin) + (2 if at else 1)
    return Case(f"{kind} {name}", text, says, line=line, **more)


RATE = '[[observe]]\ntype = "stress"\nevery = 4\n'
ANALYSES = [
    *[case for kind, keys in (("time-correlation", "window = 2"), ("distribution", "range = [0, 1]")) for case in (
        analysing("of a misspelt quantity", kind, f'of = ["presure"]\n{keys}', ('"presure"', 'did you mean "pressure"?')),
        analysing("of what is not measured", kind, f'of = ["clusters"]\n{keys}', ('"clusters"', '"pressure"', '"kinetic_energy"')),
        analysing("of a vector", kind, f'of = ["momentum"]\n{keys}', ("momentum, which has 3 numbers",)),
        analysing("of nothing", kind, f"of = []\n{keys}", ("0 quantities",)),
        analysing("of an array", kind, f'of = ["distribution_pressure"]\n{keys}', ('"distribution_pressure"',)),
        analysing("of a text", kind, f'of = "pressure"\n{keys}', ("array",)),
        analysing("of a number", kind, f"of = [1]\n{keys}", ("text",)),
        analysing("of an empty name", kind, f'of = [""]\n{keys}', ('""',)),
        analysing("of a long name", kind, f'of = ["{"x" * 5000}"]\n{keys}', ('xxx...',)),
        analysing("at other steps", kind, f'of = ["pressure"]\nevery = 10\n{keys}', ("every 10 steps", "measured every 5"), at="every"),
        analysing("of a thermo that was not asked for", kind, f'of = ["pressure"]\n{keys}', ("measures no numbers", "thermo"),
                  base=edited(('[[observe]]\ntype = "thermo"\nevery = 5\n', '[[observe]]\ntype = "rdf"\nevery = 5\n'))),
    )],
    analysing("of a quantity twice", "time-correlation", 'of = ["pressure", "pressure"]\nwindow = 2', ("pressure twice",)),
    analysing("of three", "time-correlation", 'of = ["pressure", "temperature", "kinetic_energy"]', ("3 quantities", "one or two")),
    analysing("of two", "distribution", 'of = ["pressure", "temperature"]\nrange = [0, 1]', ("2 quantities",)),
    analysing("of rows at other steps", "time-correlation", 'of = ["pressure", "pressure_xy"]\nwindow = 2',
              ("pressure every 5", "pressure_xy every 4", "same"), before=RATE),
    *[analysing(f"of {window} lags", "time-correlation", f'of = ["pressure"]\nwindow = {window}', (f"window {window}",), at="window")
      for window in (0, 1, -3, 10001, 10**15)],
    analysing("with too few rows", "time-correlation", 'of = ["pressure"]\nwindow = 5', ("window 5", "4 measurements"), at="window"),
    *[analysing(f"of lags up to {longest}", "time-correlation", f'of = ["pressure"]\nwindow = 2\nlongest = {longest}',
                (f"longest lag of {longest}",), at="longest") for longest in (0, -1, 21, 2**62)],
    analysing("of averages in an odd window", "time-correlation", 'of = ["pressure"]\nwindow = 3\nlongest = 20', ("window 3", "even"),
              at="window"),
    analysing("in a minimisation", "time-correlation", 'of = ["pressure"]\nwindow = 2', ("minimisation",), at="type",
              base=edited(('"verlet"', '"minimize"'))),
    *[analysing(f"in {value}", "distribution", f'of = ["pressure"]\nrange = {value}', ("range",), at="range")
      for value in ("[]", "[1.0]", "[1.0, 1.0]", "[2.0, 1.0]", "[0, 1, 2]", "[-1.7e308, 1.7e308]", "[1e300, 1.0000000000000002e300]",
                    "[0.0, inf]", "[nan, 1.0]", '["a", "b"]', "[0.0, 1e-323]")],
    *[analysing(f"in {bins} bins", "distribution", f'of = ["pressure"]\nrange = [0.0, 1.0]\nbins = {bins}', ("bins",), at="bins")
      for bins in (0, -1, 100001, 2**62)],
    analysing("without a range", "distribution", 'of = ["pressure"]', ("range", "missing"), at=""),
    analysing("twice", "distribution", 'of = ["pressure"]\nrange = [0, 1]', ("twice",), at="type",
              before='[[observe]]\ntype = "distribution"\nof = ["pressure"]\nrange = [0, 2]\n'),
]

STAGES = edited(("[integrator]", '[[stage]]\nname = "one"\nsteps = 5\n[stage.integrator]'),
                ("[run]\nsteps = 20\n", ""), ("[[observe]]", "[[stage.observe]]"))

STAGED = [
    Case("misspelt key of a stage", edited(("steps = 5", "stesp = 5"), base=STAGES), ("stesp",),
         at="stesp"),
    Case("misspelt key of its integrator", edited((DT, "dr = 0.004"), base=STAGES), ("dr",), at="dr ="),
    Case("misspelt key of its observable", edited(("every = 5", "evry = 5"), base=STAGES),
         ('"every"',), at="evry"),
    Case("a stage without a name", edited(('name = "one"\n', ""), base=STAGES), ("name", "missing")),
    Case("fields of frames of a stage",
         edited(("steps = 5", 'steps = 5\ntrajectory = { every = 5, fields = ["position"] }'),
                base=STAGES), ("fields",), at="fields"),
    Case("frames of a stage every -1 steps",
         edited(("steps = 5", "steps = 5\ntrajectory = { every = -1 }"), base=STAGES),
         ("every is -1", "0 for no frames"), at="every = -1"),
    Case("steps in [run] beside stages", STAGES + "[run]\nsteps = 5\n", ('"steps" together with',),
         line=STAGES.count("\n") + 2),
    Case("a misspelt wall time beside stages", STAGES + '[run]\nwal_time = "1 h"\n',
         ('"wall_time"',), at="wal_time"),
    Case("two stages of one name",
         edited(("[output]", '[[stage]]\nname = "one"\nsteps = 1\n[stage.integrator]\n'
                 'method = "verlet"\ndt = 0.001\n[output]'), base=STAGES), ('"one"',)),
]

PRESSURE = "[barostat]\npressure = 1.0\ntime = 1.0\ncompressibility = 0.1\nevery = 5\n\n[run]"
BATH = ('"verlet"\ndt = 0.004', '"baoab"\ndt = 0.004\ntemperature = 1.0\nfriction = 1.0')


def barostat(name, *more, table=PRESSURE, bath=BATH, **case):
    return edit(f"a barostat {name}", ("[run]", table), bath, *more, **case)


BATHS = [
    edit("bussi in an open box", (BATH[0], '"bussi"\ndt = 0.004\ntemperature = 1.0\ntime = 0.5'),
         (BOX, "box = { periodic = false }"), (LATTICE, LATTICE.replace("}", ", constant = 1.71 }")),
         says=("bussi where angular momentum", "nose-hoover"), at="method"),
    edit("nose-hoover-langevin in an open box",
         (BATH[0], '"nose-hoover-langevin"\ndt = 0.004\ntemperature = 1.0\nperiod = 0.5\nfriction = 1.0'),
         (BOX, "box = { periodic = false }"), (LATTICE, LATTICE.replace("}", ", constant = 1.71 }")),
         says=("nose-hoover-langevin where angular momentum",), at="method"),
    *[edit(f"nose-hoover-langevin with {name}", (BATH[0], f'"nose-hoover-langevin"\ndt = 0.004\ntemperature = 1.0\n{keys}'), says=says, at=at)
      for name, keys, says, at in [
          ("no friction", "period = 0.5", ("friction", "missing"), ""),
          ("a friction of zero", "period = 0.5\nfriction = 0.0", ("friction = 0", "above zero"), "friction"),
          ("a chain", "period = 0.5\nfriction = 1.0\nchain = 2", ("chain",), "chain = 2")]],
    edit("bussi in no time", (BATH[0], '"bussi"\ndt = 0.004\ntemperature = 1.0\ntime = 0.0'),
         says=("time = 0", "above zero"), at="time = 0.0"),
    edit("berendsen in an open box", (BATH[0], '"berendsen"\ndt = 0.004\ntemperature = 1.0\ntime = 0.5'),
         (BOX, "box = { periodic = false }"), (LATTICE, LATTICE.replace("}", ", constant = 1.71 }")),
         says=("berendsen where angular momentum",), at="method"),
    edit("berendsen in less than a step", (BATH[0], '"berendsen"\ndt = 0.004\ntemperature = 1.0\ntime = 0.001'),
         says=("time = 0.001", "less than a step"), at="time = 0.001"),
    edit("andersen without collisions", (BATH[0], '"andersen"\ndt = 0.004\ntemperature = 1.0\nrate = 0.0'),
         says=("rate = 0", "above zero"), at="rate = 0.0"),
    edit("andersen with friction", (BATH[0], '"andersen"\ndt = 0.004\ntemperature = 1.0\nrate = 1.0\nfriction = 1.0'),
         says=("friction",), at="friction = 1.0"),
    *[edit(f"dpd with {name}", (BATH[0], f'"dpd"\ndt = 0.004\ntemperature = 1.0\n{keys}'), says=says, at=at)
      for name, keys, says, at in [
          ("a negative friction", "friction = -4.5\nradius = 1.0", ("friction = -4.5", "above zero"), "friction"),
          ("no radius", "friction = 4.5", ("radius", "missing"), ""),
          ("a radius of zero", "friction = 4.5\nradius = 0.0", ("radius = 0", "above zero"), "radius = 0.0"),
          ("a radius beyond half the box", "friction = 4.5\nradius = 4.5", ("half the shortest box length",), "radius"),
          ("a rate", "friction = 4.5\nradius = 1.0\nrate = 1.0", ("rate",), "rate = 1.0")]],
    edit("lowe-andersen with friction", (BATH[0], '"lowe-andersen"\ndt = 0.004\ntemperature = 1.0\nradius = 1.0\nfriction = 1.0'),
         says=("rate", "missing"), errors=2),
    edit("two baths in a word", (BATH[0], '"splitting"\nword = "B½ A½ Q½ O1 Q½ A½ B½"\ndt = 0.004\ntemperature = 1.0\n'
                                          'friction = 1.0\nradius = 1.0'), says=("Q or L together with another bath",), at="word"),
    barostat("beside berendsen", bath=(BATH[0], '"berendsen"\ndt = 0.004\ntemperature = 1.0\ntime = 0.5'),
             says=("together with berendsen", "no ensemble"), at="pressure"),
    edit("a barostat beside verlet", ("[run]", PRESSURE), says=("together with verlet", "temperature"), at="pressure"),
    barostat("beside damping", bath=(BATH[0], BATH[1].replace("temperature = 1.0", "temperature = 0.0")),
             says=("at zero temperature",), at="pressure"),
    barostat("beside nose-explicit", bath=(BATH[0], '"nose-explicit"\ndt = 0.004\ntemperature = 1.0\nmass = 5.0'),
             says=("together with nose-explicit",), at="pressure"),
    barostat("beside nose-separated", bath=(BATH[0], '"nose-separated"\ndt = 0.004\ntemperature = 1.0\nmass = 5.0'),
             says=("together with nose-separated",), at="pressure"),
    barostat("beside nose-poincare", bath=(BATH[0], '"nose-poincare"\ndt = 0.004\ntemperature = 1.0\nmass = 5.0'),
             says=("together with nose-poincare",), at="pressure"),
    barostat("beside a ramp to nothing", bath=(BATH[0], BATH[1].replace("= 1.0\nf", "= [[0, 1.0], [10, 0.0]]\nf")),
             says=("at zero temperature",), at="pressure"),
    barostat("beside minimize", bath=('"verlet"', '"minimize"'), says=("minimize",), at="pressure"),
    barostat("in an open box", (BOX, "box = { periodic = false }"), (LATTICE, LATTICE.replace("}", ", constant = 1.71 }")),
             says=("open box", "volume"), at="pressure"),
    barostat("beside rdf", ("[[observe]]\n", '[[observe]]\ntype = "rdf"\n[[observe]]\n'), says=("rdf with a barostat",),
             at='type = "rdf"'),
    barostat("with a field", ("[[force]]", '[[force]]\ntype = "cosine-field"\namplitude = 1.0\nperiods = [1, 0, 0]\n'
             "[[force]]"), says=("cosine-field", "follow"), at="pressure"),
    barostat("beside a background", ("mass = 1.0", "mass = 1.0\ncharge = 0.1"),
             ("[[force]]", '[[force]]\ntype = "coulomb-pme"\naccuracy = 1e-3\nbackground = true\n[[force]]'),
             says=("background of charge", "neutral"), at="pressure"),
    barostat("beside a jump", ('truncation = "shift"', 'truncation = "none"'), says=("jumps", 'truncation = "shift"'),
             at="pressure"),
    barostat("without a pressure", table=PRESSURE.replace("pressure = 1.0\n", ""), says=("pressure", "missing")),
    barostat("of an infinite pressure", table=PRESSURE.replace("pressure = 1.0", "pressure = inf"), says=("pressure is inf",),
             at="inf"),
    barostat("without time", table=PRESSURE.replace("time = 1.0", "time = 0.0"), says=("time",), at="time = 0.0"),
    barostat("for what cannot be compressed", table=PRESSURE.replace("0.1", "-0.1"), says=("compressibility",), at="compressibility"),
    barostat("every 0 steps", table=PRESSURE.replace("every = 5", "every = 0"), says=("every is 0",), at="every = 0"),
    barostat("every 20 of 20 steps", table=PRESSURE.replace("every = 5", "every = 20"), says=("20 of 20 steps",),
             at="every = 20"),
    barostat("of moves that are too large", table=PRESSURE.replace("time = 1.0\ncompressibility = 0.1",
             'type = "monte-carlo"\namplitude = 2.0'), says=("amplitude is 2", "0.02"), at="amplitude = 2.0"),
    barostat("misspelt", table=PRESSURE.replace("pressure", "presure"), says=("presure",)),
]
