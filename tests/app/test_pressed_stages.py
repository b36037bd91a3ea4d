# SPDX-License-Identifier: BSD-3-Clause
"""Stages after one with a barostat: they are those of a run that begins in the box which it leaves; and arrays
of stages whose axes differ."""

import json

import h5py
import numpy as np
import pytest
from harness import mdrun
from runs import BAOAB, FORCE, LIQUID, Folder, staged
from test_barostat import CHARGES, IONS, RDF

#: From a gas-like start to a liquid, and then observed with all that there is.
PRESSED = ('[[stage]]\nname = "press"\nsteps = {}\nbarostat = {{ pressure = 3.0, time = 0.5, compressibility = 0.1, every = 5 }}\n'
           '[stage.integrator]\n' + BAOAB + "\n[[stage.observe]]\ntype = \"thermo\"\nevery = 5\n")


def pressed(steps, *more, system=LIQUID.replace("0.8", "0.55"), force=FORCE):
    """A stage at P = 3, and others after it."""
    return system + force + PRESSED.format(steps) + staged(*more, system="", force="").replace(
        "[output]", RDF + "[output]")


@pytest.mark.parametrize("kind", ["pairs", "tail", "ions"])
def test_stages_after_it_are_those_of_a_run_that_begins_there(kind, tmp_path):
    """Energies, pressures and g(r) of the second stage, against a run that starts from the final
    configuration of the first; the same momenta, other noise and rounding: at constant energy."""
    force = {"pairs": FORCE, "tail": FORCE.replace('"force-shift"', '"none"\ntail = true'), "ions": CHARGES}[kind]
    system = IONS if kind == "ions" else LIQUID.replace("0.8", "0.55")
    verlet = 'method = "verlet"\ndt = 0.002'
    whole = Folder(tmp_path / "whole", pressed(600, ("sample", verlet, 100), system=system, force=force),
                   "compute.precision=double")
    first = Folder(tmp_path / "first", system + force + PRESSED.format(600) + '[output]\nprefix = "out"\n',
                   "compute.precision=double")
    whole.run()
    first.run()
    species = "".join(part for part in system.partition("[[species]]")[1:])
    second = Folder(tmp_path / "second", f'[system]\ndimension = 3\nfile = "{first.path}/out.h5"\n{species}{force}'
                    + staged(("sample", verlet, 100), system="", force="").replace("[output]", RDF + "[output]"),
                    "compute.precision=double")
    second.run()

    def found(folder, name):
        with h5py.File(folder.path / "out.h5") as file:
            return file[f"observables/{name}/value"][-21:]

    for name in ("potential_energy", "kinetic_energy", "pressure"):
        a, b = found(whole, name), found(second, name)
        # The mesh of charges is good to 1e-4, and momenta lose that of the whole.
        assert np.allclose(a, b, rtol=2e-3, atol=2e-2 * np.std(found(whole, name)) + 1e-6), (name, a[:3], b[:3])
    def arrays(folder):
        with h5py.File(folder.path / "out.h5") as file:
            names = []
            file["averages"].visititems(
                lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) and name.endswith("value") else None)
            return {name: file["averages"][name][-1] for name in names}

    (name, g), (_, other) = next(iter(arrays(whole).items())), next(iter(arrays(second).items()))
    assert "rdf" in name or "radial" in name, name
    assert np.allclose(g, other, atol=0.2) and abs(np.mean(g[-10:]) - np.mean(other[-10:])) < 0.01


def test_fluctuations_of_a_stage_are_those_of_its_volume(tmp_path):
    """A stage before the barostat: its derivatives do not know of the last box."""
    def thermal(folder):
        return json.loads((folder.path / "summary.json").read_text())["stages"][0]["fluctuations"]

    alone = Folder(tmp_path / "alone", staged(("warm", BAOAB, 2000)))
    both = Folder(tmp_path / "both", staged(("warm", BAOAB, 2000)).replace("[output]", PRESSED.format(1500) + "[output]"))
    alone.run()
    both.run()
    assert thermal(alone) == thermal(both) and thermal(alone)


def test_what_does_not_fit_into_the_box_that_is_left_ends_the_run(tmp_path):
    """A radius of half the box at the start; the stage is changed, and the run goes on."""
    text = pressed(1000, ("sample", 'method = "verlet"\ndt = 0.004', 50)).replace("bins = 40", "bins = 40\nradius = 4.8")
    folder = Folder(tmp_path / "run", text)
    result = mdrun(*folder.arguments(), cwd=folder.path)
    assert result.status == 3 and "in the box after the barostat" in result.err and "--resume" in result.err
    (folder.path / "in.toml").write_text(text.replace("radius = 4.8", "radius = 3.0"))
    folder.run("--resume")
    assert folder.step_of_checkpoint() == 1050


@pytest.mark.parametrize("pressure", [False, True], ids=["other radius", "other box"])
def test_arrays_whose_axes_differ_from_stage_to_stage_have_their_own(pressure, tmp_path):
    """The first peak of g(r) is where it is, and shells of wave vectors may be others in another box."""
    observe = '[[stage.observe]]\ntype = "rdf"\nevery = 5\nbins = 60\n[[stage.observe]]\ntype = "structure-factor"\nevery = 10\nlongest = 7.0\n'
    verlet = 'method = "verlet"\ndt = 0.004'
    if pressure:
        text = pressed(1500, ("sample", verlet, 300)).replace(RDF, observe)
        text = text.replace('[[stage]]\nname = "press"', '[[stage]]\nname = "first"\nsteps = 300\n[stage.integrator]\n' + BAOAB
                            + "\n" + observe + '[[stage]]\nname = "press"')
        last = 2
    else:
        text = staged(("first", BAOAB, 300), ("sample", verlet, 300)).replace(
            '[[stage]]\nname = "sample"', observe + '[[stage]]\nname = "sample"').replace(
                "[output]", observe.replace("bins = 60", "bins = 60\nradius = 2.5") + "[output]")
        last = 1
    folder = Folder(tmp_path / "run", text)
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        box = file["particles/final/box/edges/value"][-1, 0, 0] if pressure else (500 / 0.8) ** (1 / 3)
        groups = {name: (group["r"][:], group["value"][:], list(group["stage"][:]))
                  for name, group in file["averages"].items() if name.startswith("rdf")}
        assert set(groups) == {"rdf", f"rdf_stage_{last}"}
        for r, g, stages in groups.values():
            assert len(stages) == len(g) == 1
            assert 1.0 < r[g[0].argmax()] < 1.25
        r, g, stages = groups[f"rdf_stage_{last}"]
        assert stages == [last] and abs(r[-1] - (0.5 * box if pressure else 2.5)) < 0.02 * box
        assert ("structure_factor" + f"_stage_{last}" in file["averages"]) == pressure
