# SPDX-License-Identifier: BSD-3-Clause
"""What results tell beside series: the last configuration, forces and energies of particles, what
each stage sampled, and the variables of a Nosé bath."""

import signal

import h5py
import numpy as np
import pytest
from runs import BAOAB, NOSE, VERLET, Folder, one_stage, refuse_difference, staged, stop, wait_for

NO_FRAMES = ("trajectory = { every = 100 }\n", "")


def final(path):
    with h5py.File(path) as file:
        group = file["particles/final"]
        return {name: group[f"{name}/value"][:] for name in ("position", "velocity", "image")} | \
            {"step": group["position/step"][:], "all": "all" in file["particles"]}


def test_each_stage_leaves_its_last_configuration(tmp_path):
    text = staged(("warm", BAOAB, 30), ("sample", VERLET, 25)).replace(*NO_FRAMES)
    folder = Folder(tmp_path / "run", text)
    folder.run()
    found = final(folder.path / "out.h5")
    assert list(found["step"]) == [30, 55] and not found["all"]
    with h5py.File(folder.path / "out.h5") as file:
        kinetic = file["observables/kinetic_energy/value"][-1]
    # Of the rows of thermo the last is of step 55, too.
    assert 0.5 * (found["velocity"][-1] ** 2).sum() == pytest.approx(kinetic, rel=1e-12)


def test_a_run_starts_from_the_last_configuration_of_another(tmp_path):
    """Not from the last frame, which is of step 40."""
    text = one_stage(NOSE, 50).replace("every = 100", "every = 40")
    first = Folder(tmp_path / "first", text, "compute.precision=double")
    first.run()
    start = text[text.index("[[force]]"):].replace(NOSE, VERLET)
    second = Folder(tmp_path / "second", '[system]\ndimension = 3\nfile = "../first/out.h5"\n' + start,
                    "compute.precision=double", "run.steps=0")
    second.run()
    energies = []
    for folder, row in ((first, -1), (second, 0)):
        with h5py.File(folder.path / "out.h5") as file:
            energies.append([file[f"observables/{name}_energy/value"][row]
                             for name in ("potential", "kinetic")])
    # Positions are wrapped again: rounding.
    assert energies[0] == pytest.approx(energies[1], rel=1e-10)


def test_stopped_runs_leave_the_same(tmp_path):
    text = staged(("warm", BAOAB, 400), ("sample", VERLET, 300))
    whole, parts = Folder(tmp_path / "whole", text), Folder(tmp_path / "parts", text)
    whole.run()
    process = parts.start()
    wait_for(parts.checkpoint.exists)
    stop(process, signal.SIGTERM)
    parts.run("--resume")
    refuse_difference(whole, parts)
    assert list(final(parts.path / "out.h5")["step"]) == [400, 700]


def test_forces_and_energies_of_particles(tmp_path):
    text = one_stage(VERLET, 40).replace(
        "every = 100 }", 'every = 20, fields = ["position", "force", "potential_energy"] }').replace(
        "repeat = [5, 5, 5]", "repeat = [4, 4, 4]")
    folder = Folder(tmp_path / "run", text, "compute.precision=double")
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        frames = file["particles/all"]
        length = np.diag(frames["box/edges/value"][0])
        total = file["observables/potential_energy/value"][::4]
        assert frames["force/value"].attrs["quantity"] == "energy/length"
        for k, x in enumerate(frames["position/value"][:]):
            d = x[:, None] - x[None]
            d -= length * np.round(d / length)
            r = np.sqrt((d ** 2).sum(axis=2))
            np.fill_diagonal(r, np.inf)
            near = np.where(r < 2.5, r, np.inf)
            # Lennard-Jones minus its force at 2.5 times the distance to there.
            end = 48 * 2.5 ** -13 - 24 * 2.5 ** -7
            f = np.where(r < 2.5, 48 * near ** -13 - 24 * near ** -7 - end, 0.0)
            u = np.where(r < 2.5, 4 * (near ** -12 - near ** -6) + (r - 2.5) * end
                         - 4 * (2.5 ** -12 - 2.5 ** -6), 0.0)
            force = (f / r)[:, :, None] * d
            assert np.allclose(frames["force/value"][k], force.sum(axis=1), rtol=1e-9, atol=1e-9)
            energy = frames["potential_energy/value"][k]
            assert np.allclose(energy, 0.5 * np.nansum(u, axis=1), rtol=1e-9, atol=1e-9)
            assert energy.sum() == pytest.approx(total[k], rel=1e-12)


def test_fields_do_not_change_a_run_that_is_resumed(tmp_path):
    text = one_stage(VERLET, 200).replace(
        "every = 100 }", 'every = 7, fields = ["position", "force", "potential_energy"] }')
    whole, parts = Folder(tmp_path / "whole", text), Folder(tmp_path / "parts", text)
    whole.run()
    parts.run("--set", "run.steps=100")
    parts.run("--resume")
    refuse_difference(whole, parts)


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_vectors_are_arrays_in_any_dimension_and_so_are_names(tmp_path, dimension):
    text = one_stage(VERLET, 10, system=f"""\
[system]
dimension = {dimension}
box = {{ density = 0.7 }}
lattice = {{ type = "{['chain', 'square', 'sc'][dimension - 1]}", repeat = {[8] * dimension} }}
""").replace("every = 100 }", 'every = 5, fields = ["position", "velocity", "force", "stress", "potential_energy"] }')
    folder = Folder(tmp_path / "run", text)
    folder.run()
    rows = (3, 8 ** dimension)
    with h5py.File(folder.path / "out.h5") as file:
        shape = {name: file[f"particles/all/{name}/value"].shape for name in
                 ("position", "velocity", "force", "stress", "potential_energy")}
        names = [file[f"parameters/{name}"] for name in ("species/name", "stage/name", "stage/method")]
        assert [name.shape for name in names] == [(1,)] * 3
        assert list(names[0].asstr()) == ["A"] and list(names[2].asstr()) == ["verlet"]
        assert file["parameters/units"].shape == ()
    assert shape["potential_energy"] == rows
    for name in ("position", "velocity", "force"):
        assert shape[name] == (*rows, dimension)
    assert shape["stress"] == (*rows, dimension * (dimension + 1) // 2)
    start = text[:text.index("box")] + f'file = "{folder.path}/out.h5"\n' + text[text.index("[[force]]"):]
    Folder(tmp_path / "again", start).run()


def test_stages_tell_what_they_sample(tmp_path):
    text = staged(("warm", BAOAB, 10), ("cool", NOSE, 10), ("sample", VERLET, 10))
    folder = Folder(tmp_path / "run", text)
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        stage = file["parameters/stage"]
        assert list(stage["name"].asstr()) == ["warm", "cool", "sample"]
        assert list(stage["method"].asstr()) == ["baoab", "nose-poincare", "verlet"]
        assert [text[:3] for text in stage["ensemble"].asstr()] == ["NVT", "NVT", "NVE"]
        assert list(stage["bath_temperature"]) == [1.0, 1.0, 0.0]
        assert list(stage["degrees_of_freedom"]) == [1500, 1497, 1497]
        assert stage["bath_temperature"].attrs["unit"] == "epsilon/k_B"


def test_the_variables_of_a_nose_bath_complete_the_conserved_energy(tmp_path):
    folder = Folder(tmp_path / "run", one_stage(NOSE, 100), "compute.precision=double")
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        total, conserved, s, pi = (file[f"observables/{name}/value"][:] for name in
                                   ("total_energy", "conserved_energy", "nose_s", "nose_pi"))
        assert file["observables/nose_pi/value"].attrs["unit"] == "sigma sqrt(epsilon m)"
    assert s[0] == 1.0 and pi[0] == 0.0 and np.ptp(s) > 1e-4
    assert np.allclose(conserved, total + pi ** 2 / 10 + 1497 * np.log(s), rtol=1e-12)
