# SPDX-License-Identifier: BSD-3-Clause
"""The steps on a machine with a GPU, in their order."""
import json
import re

from gpu_check.agreement import CLOSE, agree
from gpu_check.measurement import Measurement
from gpu_check.session import Step, Wrong
from gpu_check.shares import Shares

ON_GPU = {"SHADOW_DEVICE": "cuda"}  # environment of the tests
SMOKE_SECONDS = 30
TESTS_SECONDS = 150
SMOKE = ["memory", "reduction", "gate", "scan", "graph", "steps"]
#: Runs on which CPU and GPU must agree: name, input of bench/gpu/, settings.
AGREEMENTS = (
    ("3d-small", "3d", ["system.lattice.repeat=[5, 5, 5]"]),
    ("3d-large", "3d", ["system.lattice.repeat=[12, 12, 12]"]),
    ("2d-small", "2d", ["system.lattice.repeat=[16, 16]"]),
    ("2d-large", "2d", ["system.lattice.repeat=[64, 64]"]),
    ("shear", "shear", []),
    ("salt", "salt", []),
    ("chains", "chains", []),
    ("water-respa", "water", []),
    ("water-mollified", "water", ["integrator.method=mollified-impulse",
                                  "integrator.mollifier=long-average"]))


class Check:
    """The steps. `programs`: folder of mdrun and measure_gpu; `source`: folder of bench/."""

    def __init__(self, session, work, programs, source):
        self.session, self.work, self.bench = session, work, source / "bench"
        self.mdrun, self.measure_gpu = programs / "mdrun", programs / "measure_gpu"
        inner = programs / "tests/test_unit"
        self.test_unit = inner if inner.exists() else programs / "test_unit"

    def steps(self):
        for part in (self.machine, self.smoke, self.memory, self.agreement, self.times, self.cost,
                     self.tests, self.races, self.profile):
            yield from part()

    def run(self, name, limit, file, device, sets, env=None, tool=()):
        """mdrun in a folder of its own."""
        folder = self.work / name
        sets = [f"compute.device={device}", "output.prefix=run", "output.overwrite=true", *sets]
        command = [*tool, self.mdrun, "run.toml", "--quiet", "--summary", "summary.json"]
        command += [word for pair in sets for word in ("--set", pair)]

        def speed():
            did = json.loads((folder / "summary.json").read_text())["performance"]
            self.session.write(run=name, **did)
            (folder / "done").touch()
            return (f"{did['steps_per_second']:.4g} steps/s, "
                    f"{did['ns_per_particle_step']:.4g} ns per particle and step")

        return Step(name, limit, command, env=env, input=self.bench / file,
                    after=None if tool else speed, on_gpu=device == "cuda")

    def machine(self):
        yield Step("machine", 20, ["nvidia-smi", "-q"], after=self.driver)
        yield Step("version", 20, [self.mdrun, "--version"], on_gpu=False)
        yield Step("devices", 30, [self.mdrun, "--devices"], after=self.found)

    def driver(self):
        text = (self.work / "machine.log").read_text()
        return "; ".join(re.findall(r"^(?:Driver|CUDA) Version +: .*", text, re.M))

    def found(self):
        text = (self.work / "devices.log").read_text()
        gpus = "; ".join(re.findall(r"^cuda(?::\d+)? +(.*)", text, re.M))
        first = re.search(r"^cuda:0 +(.*)", text, re.M)
        self.session.gpu = bool(first) and "cannot be used" not in first[1]
        if not self.session.gpu:
            raise Wrong(gpus)
        return gpus

    def smoke(self):
        for tag in SMOKE:
            yield Step(f"smoke-{tag}", SMOKE_SECONDS,
                       [self.test_unit, f"[smoke][{tag}]", "-d", "yes"], env=ON_GPU)

    def sanitizer(self, tool, case, by, limit):
        words = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "9"]
        return self.run(f"{tool}-{case}-{by}", limit, f"gpu/agree_{case}.toml", "cuda",
                        ["run.steps=80"], {"SHADOW_REPLAY": by}, words)

    def memory(self):
        for tool, by in (("memcheck", "launches"), ("memcheck", "steps"), ("synccheck", "steps")):
            yield self.sanitizer(tool, "3d", by, 60)

    def agreement(self):
        for what, file, sets in AGREEMENTS:
            for precision, bound in CLOSE.items():
                name = f"{what}-{precision}"
                for which in ("cpu", "cuda", "again"):
                    yield self.run(f"{which}-{name}", 40, f"gpu/agree_{file}.toml",
                                   "cpu" if which == "cpu" else "cuda",
                                   [*sets, f"compute.precision={precision}"])
                yield Step(f"agree-{name}", 10, says="compares the three runs",
                           act=lambda _, n=name, b=bound: agree(self.work, n, b))

    def times(self):
        measurement = Measurement(self.session, self.measure_gpu)
        yield Step("measure", 150, [self.measure_gpu, 150], act=measurement.take_place)
        for file, repeat, steps in (("melt_3d", "[8, 8, 8]", 20_000),
                                    ("melt_3d", "[20, 20, 20]", 20_000),
                                    ("melt_3d", "[63, 63, 63]", 1000),
                                    ("liquid_2d", "[700, 700]", 1000)):
            size = repeat.strip("[]").split(",")[0]
            yield self.run(f"speed-{file}-{size}", 20, f"{file}.toml", "cuda",
                           [f"run.steps={steps}", f"observe.0.every={steps}",
                            f"system.lattice.repeat={repeat}"])

    def cost(self):
        for turn in (1, 2):
            for what, sets in (("bare", ["observe=[]"]), ("observed", [])):
                yield self.run(f"cost-{what}-{turn}", 25, "observed_melt.toml", "cuda",
                               ["run.steps=4000", *sets])

    def tests(self):
        yield Step("unit-tests", TESTS_SECONDS, [self.test_unit], env=ON_GPU,
                   act=Shares(self.session).take_place)

    def races(self):
        for case in ("3d", "2d"):
            for by in ("launches", "steps"):
                yield self.sanitizer("racecheck", case, by, 40)
        yield self.sanitizer("initcheck", "3d", "launches", 40)

    def profile(self):
        ncu = ["ncu", "--clock-control", "none", "--set", "basic", "-s", "20", "-c", "6",
               "-k", "regex:sum_pair_forces|stage_clusters"]
        yield self.run("profile", 60, "melt_3d.toml", "cuda",
                       ["run.steps=40", "observe.0.every=40",
                        "system.lattice.repeat=[63, 63, 63]"], {"SHADOW_REPLAY": "launches"}, ncu)
