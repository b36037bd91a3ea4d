# SPDX-License-Identifier: BSD-3-Clause
"""Tilted boxes: one infinite crystal in a rectangular and in a tilted cell is the same system, with every force, method,
barostat and observable; what files say of tilts; refusals."""

import itertools
import json

import h5py
import numpy as np
import pytest
from harness import DEVICE, mdrun
from runs import FORCE, LIQUID, OUTPUT, THERMO, Folder, one_stage, refuse_difference, refuse_thread_differences
from tilted import Crystal, cell, refuse_other_results, run_in

ROUNDING = 1e-6 if DEVICE == "cuda" else 1e-11

START = '[system]\ndimension = 3\nfile = "FILE"\n'
DOUBLE = '[compute]\nprecision = "double"\n'
VERLET = 'method = "verlet"\ndt = 0.003\n'
NOSE_HOOVER = 'method = "nose-hoover"\ndt = 0.003\ntemperature = 1.0\nperiod = 0.5\n'


def observed(every, *rows):
    return "".join(f'[[observe]]\nevery = {every}\ntype = ' + row.replace("; ", "\n") + "\n" for row in rows)


def text_of(method, observe=THERMO, force=FORCE, steps=60, system=START):
    return one_stage(method, steps, observe, system, force).replace("[run]\n", "[run]\nequilibration = 0\n") + DOUBLE


PLACES = observed(5, '"thermo"', '"stress"', '"rdf"; bins = 40; radius = 2.8', '"pair-density"; bins = 30; radius = 2.8',
                  '"configurational"', '"energy-terms"', '"clusters"; radius = 1.3', '"shadow-energy"')
TIMES = observed(2, '"msd"; window = 8', '"vacf"; window = 8')


#: Cells, in units of edges of a small crystal: one edge leans, in each way; two; and all that can.
CELLS = [(2, {"xy": 1}), (2, {"yx": 1}), *((3, {a + b: 1}) for a, b in itertools.permutations("xyz", 2)),
         (3, {"xz": 1, "yz": 1}), (3, {"xy": 1, "xz": -1}), (3, {"zx": 1, "yx": -1, "zy": 1}), (3, {"xy": 1, "xz": 1, "yz": 1}),
         (3, {"xy": -1, "xz": 1, "yz": -1})]


@pytest.mark.parametrize("dimension, tilts", CELLS, ids=[",".join(tilts) + "-" * (k > 11) for k, (_, tilts) in enumerate(CELLS)])
def test_one_crystal_in_two_cells(dimension, tilts, tmp_path):
    crystal = Crystal(dimension, 5 if dimension == 3 else 9)
    edges = cell(**tilts)
    text = text_of(VERLET, PLACES + TIMES).replace("dimension = 3", f"dimension = {dimension}")
    straight = run_in(tmp_path / "straight", text, crystal.extended_xyz(np.diag(np.diag(edges))))
    tilted = run_in(tmp_path / "tilted", text, crystal.extended_xyz(edges))
    refuse_other_results(straight, tilted, ROUNDING)
    with h5py.File(tilted.path / "out.h5") as file:
        box = file["particles/all/box/edges/value"][-1]
    assert np.allclose(box, crystal.length * edges[:dimension, :dimension], rtol=1e-14)


MOLECULES = START + "exclude = 1\n"
BONDED = """\
[[force]]
LEVEL
type = "harmonic-bond"
k = 100.0
r0 = 1.1
[[force]]
LEVEL
type = "cosine-angle"
k = 2.0
"""
ONE_LEVEL = FORCE.replace("2.5", "2.3") + BONDED.replace("LEVEL\n", "")
TWO_LEVELS = FORCE.replace("2.5", "2.3") + 'level = "slow"\n' + BONDED.replace("LEVEL", 'level = "fast"')
PRESSED = NOSE_HOOVER + '[barostat]\npressure = 0.1\ntype = '
METHODS = {
    "fourth order by gradients": ('method = "chin-4"\ndt = 0.003', ONE_LEVEL),
    "adaptive": ('method = "adaptive-verlet"\ndt = 0.003', ONE_LEVEL),
    "levels": ('method = "respa"\ndt = 0.006\ninner = 3', TWO_LEVELS),
    "mollified": ('method = "mollified-impulse"\ndt = 0.006\ninner = 3', TWO_LEVELS),
    "averaged": ('method = "reversible-averaging"\ndt = 0.006\ninner = 3\nlight_mass = 1.5', TWO_LEVELS),
    "implicit": ('method = "implicit-explicit"\ndt = 0.006', TWO_LEVELS),
    "Nosé-Poincaré": ('method = "nose-poincare"\ndt = 0.003\ntemperature = 1.0\nmass = 5.0', ONE_LEVEL),
    "a box with a mass": (PRESSED + '"mtk"\nperiod = 0.5\naxes = ["x", "y", "z"]', ONE_LEVEL),
    "its coordinates": ('method = "nose-poincare"\ndt = 0.003\ntemperature = 1.0\nmass = 5.0\n'
                        '[barostat]\npressure = 0.1\ntype = "nose-poincare-andersen"\nperiod = 0.5', ONE_LEVEL),
    "cell rescaling": (PRESSED + '"cell-rescaling"\ntime = 0.5\ncompressibility = 0.2\nevery = 5', ONE_LEVEL),
    "volume moves": (PRESSED + '"monte-carlo"\namplitude = 0.02\nevery = 5', ONE_LEVEL),
    "deformed": (VERLET + '[barostat]\ntype = "deform"\nrates = [0.3, -0.2, 0.1]\nevery = 1', ONE_LEVEL),
}
LEANING = {"one": {"xy": 1}, "all": {"xy": 1, "xz": -1, "yz": 1}}


@pytest.mark.parametrize("tilts", LEANING.values(), ids=LEANING)
@pytest.mark.parametrize("method, force", METHODS.values(), ids=METHODS)
def test_molecules_by_every_kind_of_method(method, force, tilts, tmp_path):
    """Trimers whose bonds go through faces, from a LAMMPS data file."""
    crystal, edges = Crystal(jitter=0.05), cell(**tilts)
    text = text_of(method, observed(5, '"thermo"', '"stress"'), force, 30, MOLECULES)
    straight = run_in(tmp_path / "straight", text, crystal.lammps_data(np.diag(np.diag(edges))))
    tilted = run_in(tmp_path / "tilted", text, crystal.lammps_data(edges))
    refuse_other_results(straight, tilted, ROUNDING)


NOISE = {
    "baoab": "friction = 1.0", "andersen": "rate = 5.0", "bussi": "time = 0.1", "dpd": "friction = 4.5\nradius = 1.5",
    "lowe-andersen": "rate = 20.0\nradius = 1.5",
}


@pytest.mark.parametrize("method, keys", NOISE.items(), ids=NOISE)
def test_noise_does_not_know_which_edges_a_lattice_has(method, keys, tmp_path):
    """Edges (L, 0) and (L/2, H), or (L/2, H) and (0, 2 H): the same particles with the same ids and images."""
    random = np.random.default_rng(2)
    sites = np.array(list(itertools.product(range(9), range(5), range(5))))
    place = 1.15 * (sites + 0.5) + 0.08 * random.uniform(-1, 1, sites.shape)
    velocity = random.normal(size=sites.shape)
    rows = "\n".join("A " + " ".join(map(repr, map(float, row))) for row in np.concatenate([place, velocity], axis=1))
    length, height = 1.15 * 9, 1.15 * 5
    text = text_of(f'method = "{method}"\ndt = 0.004\ntemperature = 1.0\n{keys}', observed(5, '"thermo"', '"stress"'),
                   FORCE.replace("2.5", "2.3"), 50)
    found = []
    for k, edges in enumerate(([length, 0, 0, length / 2, height, 0, 0, 0, height], [length / 2, height, 0, 0, 2 * height, 0, 0, 0, height])):
        lattice = " ".join(map(repr, map(float, edges)))
        start = f'{len(place)}\nLattice="{lattice}" Properties=species:S:1:pos:R:3:velo:R:3\n{rows}\n'
        found.append(run_in(tmp_path / str(k), text, start))
    refuse_other_results(*found, 1e-4 if DEVICE == "cuda" else 1e-9)


@pytest.mark.parametrize("tilts", LEANING.values(), ids=LEANING)
def test_what_is_observed_of_molecules(tilts, tmp_path):
    crystal, edges = Crystal(jitter=0.05), cell(**tilts)
    text = text_of(VERLET, observed(5, '"molecular-pressure"', '"molecule-size"', '"bonded-distribution"; of = "bonds"; range = [0.5, 1.8]') + observed(2, '"msd"; window = 8; of = "molecules"'), ONE_LEVEL, 30, MOLECULES)
    straight = run_in(tmp_path / "straight", text, crystal.lammps_data(np.diag(np.diag(edges))))
    tilted = run_in(tmp_path / "tilted", text, crystal.lammps_data(edges))
    refuse_other_results(straight, tilted, ROUNDING)


@pytest.mark.parametrize("tilts", LEANING.values(), ids=LEANING)
@pytest.mark.parametrize("charges, rounding", [('coulomb-dsf"\nalpha = 0.2\ncutoff = 2.2', ROUNDING),
                                               ('coulomb-ewald"\naccuracy = 1e-4\ncutoff = 2.2', max(ROUNDING, 1e-9)),
                                               ('coulomb-pme"\naccuracy = 1e-6\ncutoff = 2.2', 1e-6)],
                         ids=["damped", "Ewald", "mesh"])
@pytest.mark.parametrize("pressed", [False, True], ids=["", "pressed"])
def test_charges(charges, rounding, tilts, pressed, tmp_path):
    force = FORCE.replace("2.5", "2.0") + f'[[force]]\ntype = "{charges}\n'
    species = START + '[[species]]\nname = "A"\ncharge = 1.0\n[[species]]\nname = "B"\ncharge = -1.0\n'
    method = PRESSED.replace("0.1", "1.0") + '"mtk"\nperiod = 0.5' if pressed else VERLET
    crystal, edges = Crystal(sites=4), cell(**tilts)
    text = text_of(method, observed(5, '"thermo"', '"stress"'), force, 30, species)
    one, other = (run_in(tmp_path / name, text, crystal.extended_xyz(rows, "AB"))
                  for name, rows in (("straight", np.diag(np.diag(edges))), ("tilted", edges)))
    refuse_other_results(one, other, rounding)


LATTICE = """\
seed = 3
[system]
dimension = 3
box = { density = 0.7, tilt = { xy = 2.1, xz = -1.3, yz = 0.8 } }
lattice = { type = "sc", repeat = [6, 5, 7], jitter = 0.1 }
velocity = { temperature = 1.0 }
"""
PLANE = LATTICE.replace("dimension = 3", "dimension = 2").replace(", xz = -1.3, yz = 0.8", "").replace(
    '"sc", repeat = [6, 5, 7]', '"square", repeat = [14, 9]')


@pytest.mark.parametrize("system", [PLANE, LATTICE], ids=["2d", "3d"])
def test_wave_vectors_are_those_of_the_cell(system, tmp_path):
    """S(k) and F(k, 0) at one wave vector of each length, by sums over the particles of the frames."""
    text = text_of(VERLET, observed(5, '"structure-factor"; longest = 5.0; shells = 10; vectors = 1') +
                   observed(1, '"intermediate-scattering"; wavenumbers = [1.5, 3.0]; vectors = 1; window = 4'), steps=20,
                   system=system).replace("every = 100", "every = 1")
    folder = Folder(tmp_path / "run", text)
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        place, box = file["particles/all/position/value"][:], file["particles/all/box/edges/value"][0]
        k, factor = (file[f"averages/structure_factor/{name}"][:] for name in ("k", "value"))
        k_in_time, in_time = (file[f"averages/intermediate_scattering/{name}"][:] for name in ("k", "value"))
    dimension = len(box)
    n = np.array([row for row in itertools.product(range(-15, 16), repeat=dimension) if tuple(row) > (0,) * dimension])
    wave = 2 * np.pi * n @ np.linalg.inv(box).T
    length = np.linalg.norm(wave, axis=1)

    def structure(k, frames):
        at = np.argmin(np.abs(length - k))
        assert np.isclose(length[at], k, rtol=1e-12)
        return (np.abs(np.exp(1j * frames @ wave[at]).sum(axis=1))**2).mean() / place.shape[1]

    assert len(k) > 7
    assert np.allclose(factor[-1], [structure(each, place[::5]) for each in k], rtol=1e-9)
    assert np.allclose(in_time[-1, :, 0], [structure(each, place) for each in k_in_time], rtol=1e-9)


RESTARTED = {"in a box with a mass": PRESSED + '"mtk"\nperiod = 0.5\naxes = ["xy", "z"]', "with noise": 'method = "baoab"\n'
             "dt = 0.003\ntemperature = 1.0\nfriction = 1.0"}


@pytest.mark.parametrize("method", RESTARTED.values(), ids=RESTARTED)
def test_a_run_in_pieces_and_on_any_number_of_threads(method, tmp_path):
    text = text_of(method, THERMO, steps=80, system=LATTICE).replace(DOUBLE, "") + "checkpoint = { every = 20 }\n"
    one, other = (Folder(tmp_path / name, text) for name in ("through", "in-pieces"))
    one.run()
    other.run_in_pieces()
    refuse_difference(one, other)
    if DEVICE != "cuda":
        refuse_thread_differences(tmp_path, text)


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_a_lattice_leans_with_its_box(tmp_path):
    """A square one by 60 degrees is triangular, compressed across: all particles have the same neighbours, at these distances."""
    system = PLANE.replace("0.7", "1.0").replace("2.1", "4.5").replace("9], jitter = 0.1", "9]").replace("1.0 }\n", "0.0 }\n")
    folder = Folder(tmp_path / "run", text_of(VERLET, observed(1, '"pair-density"; radius = 1.5; bins = 30'), steps=4, system=system))
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        density = file["averages/pair_density/value"][-1]
    edges = np.linspace(0.0, 1.5, 31)
    number = density * np.pi * np.diff(edges**2)
    for distance, neighbours in ((1.0, 2), (np.hypot(1.0, 0.5), 4), (np.hypot(1.0, 1.5), 0)):
        around = (edges[1:] > distance - 1e-6) & (edges[:-1] < distance + 1e-6)
        assert np.isclose(number[around].sum(), neighbours, atol=1e-9), distance


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_files_say_the_same_of_a_tilted_box(tmp_path):
    """A LAMMPS data file and extended XYZ of one system, its tilts beyond half a length, particles outside of the box."""
    crystal = Crystal(jitter=0.05)
    edges = cell(xy=1, xz=1, yz=1)
    data = crystal.lammps_data(edges)
    place, velocity, box = crystal.in_cell(edges)
    place = place + np.array([0.3, 0.45, 0.9])
    box = np.array([box[0], box[1] + 2 * box[0], box[2] - 3 * box[1] + box[0]])
    rows = [f"A {' '.join(map(repr, map(float, row)))}" for row in np.concatenate([place, velocity], axis=1)]
    other = "\n".join([f"{len(rows)}", f'Lattice="{" ".join(map(repr, map(float, box.ravel())))}" '
                       'Properties=species:S:1:pos:R:3:velo:R:3 pbc="T T T"', *rows]) + "\n"
    text = text_of(VERLET, THERMO, steps=10).replace(OUTPUT, OUTPUT.replace("every = 100", "every = 1"))
    data = data[:data.index("\nBonds")].replace("\n2 2.0\n", "\n2 1.0\n")
    data = "\n".join(line for line in data.splitlines() if "bond" not in line and "angle" not in line) + "\n"
    one, two = run_in(tmp_path / "data", text, data), run_in(tmp_path / "xyz", text, other)
    for name in ("potential_energy", "pressure"):
        with h5py.File(one.path / "out.h5") as a, h5py.File(two.path / "out.h5") as b:
            assert np.allclose(a[f"observables/{name}/value"][:], b[f"observables/{name}/value"][:], rtol=1e-10)
            tilted = b["particles/all/box/edges/value"][0]
            assert np.all(np.abs(tilted - np.diag(np.diag(tilted))) <= 0.5 * np.diag(tilted) + 1e-9)


DIMERS = """\
[[molecule]]
count = 216
atoms = ["A", "A"]
places = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
bonds = [{ atoms = [0, 1] }]
exclude = 1
"""
CHAINS = """\
[[molecule]]
count = 27
atoms = ["A"]
repeat = 8
bonds = [{ atoms = [0, 1] }]
exclude = 1
"""


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
@pytest.mark.parametrize("molecule, length", [(DIMERS, 1.0), (CHAINS, None)], ids=["dimers", "chains"])
@pytest.mark.parametrize("tilt", ["xy = 3.0", "zx = -2.0, zy = 1.5, xy = 2.5"])
def test_molecules_of_a_leaning_lattice_are_whole(molecule, length, tilt, tmp_path):
    """Positions and images times edges; a bond through a face is no longer than others."""
    system = (f"seed = 3\n[system]\ndimension = 3\nbox = {{ density = 0.1, tilt = {{ {tilt} }} }}\n"
              'lattice = { type = "sc", repeat = [6, 6, 6] }\nvelocity = { temperature = 0.1 }\n' + molecule)
    force = '[[force]]\ntype = "harmonic-bond"\nk = 100.0\nr0 = 1.0\n'
    text = text_of(VERLET, observed(5, '"thermo"'), force, 20, system).replace(
        "trajectory = { every = 100 }", 'trajectory = { every = 20, fields = ["position", "image"] }')
    folder = Folder(tmp_path / "run", text)
    folder.run()
    with h5py.File(folder.path / "out.h5") as file:
        box, place, image = (file[f"particles/all/{name}/value"][:] for name in ("box/edges", "position", "image"))
        energy = file["observables/potential_energy/value"][0]
    true = place + np.einsum("fnd,fde->fne", image.astype(float), box)
    atoms = 2 if length else 8
    bonds = np.linalg.norm(np.diff(true.reshape(len(true), -1, atoms, 3), axis=2), axis=3)
    if length:
        assert np.allclose(bonds[0], length, atol=1e-12) and energy < 1e-20
    else:
        assert bonds.max() < 1.5 * np.linalg.norm(box[0], axis=1).max() / 6
        assert np.isclose(energy, 50 * ((bonds[0] - 1)**2).sum(), rtol=1e-9)


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_a_lattice_between_walls_leans_in_their_plane(tmp_path):
    system = LATTICE.replace("density = 0.7, tilt = { xy = 2.1, xz = -1.3, yz = 0.8 }",
                             "periodic = [true, true, false], tilt = { xy = 2.0 }").replace(
                                 "jitter = 0.1", "constant = 1.2, jitter = 0.1")
    Folder(tmp_path / "run", text_of(VERLET, system=system, steps=20)).run()


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_a_droplet_is_where_its_particles_are(tmp_path):
    """Densities around the centre of mass, wherever the droplet lies in the cell."""
    crystal = Crystal(sites=4, constant=1.1)
    box = np.array([[14.0, 0, 0], [5.0, 14.0, 0], [-3.0, 6.0, 14.0]])
    found = []
    for k, corner in enumerate(([0.5, 0.5, 0.5], [0.5, 0.0, 0.5], [0.1, 0.95, 0.02])):
        place = crystal.place - crystal.place.mean(axis=0) + np.array(corner) @ box
        rows = "\n".join(f"A {' '.join(map(repr, map(float, row)))}" for row in place)
        start = (f'{len(place)}\nLattice="{" ".join(map(repr, map(float, box.ravel())))}" Properties=species:S:1:pos:R:3\n{rows}\n')
        text = text_of(VERLET, observed(1, '"radial-density"; radius = 4.0; bins = 8'), steps=1)
        folder = run_in(tmp_path / str(k), text, start)
        with h5py.File(folder.path / "out.h5") as file:
            found.append(file["averages/radial_density/value"][0])
    assert found[0].max() > 0.5
    for other in found[1:]:
        assert np.allclose(other, found[0], rtol=1e-6, atol=1e-9)


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_a_tilt_in_place_of_that_of_a_file_is_told(tmp_path):
    crystal = Crystal(sites=4, constant=1.3)
    start = crystal.extended_xyz(cell(xy=1))
    text = text_of(VERLET, steps=5)
    for tilt, told in (("{ xy = 0.5 }", True), ("{}", True), ("{ xy = 5.2 }", False)):
        folder = Folder(tmp_path / f"{len(tilt)}{told}", text.replace('file = "FILE"', f'file = "start.xyz"\nbox = {{ tilt = {tilt} }}'))
        (folder.path / "start.xyz").write_text(start)
        assert ("where the file has xy = " in folder.run().err) == told
    # What is off the diagonal by rounding leans nowhere.
    lines = start.splitlines()
    lines[1] = 'Lattice="10.4 0 4e-16 0 5.2 1e-16 0 6e-16 5.2" Properties=species:S:1:pos:R:3:velo:R:3'
    folder = run_in(tmp_path / "rounded", text, "\n".join(lines) + "\n")
    assert "tilted by" not in (folder.path / "out.log").read_text()


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
def test_the_log_and_the_summary_tell_of_the_tilt(tmp_path):
    folder = Folder(tmp_path / "run", text_of(VERLET, steps=5, system=LATTICE.replace("xy = 2.1", "xy = 22.1")))
    folder.run()
    tilt = json.loads((folder.path / "summary.json").read_text())["system"]["box"]["tilt"]
    assert set(tilt) == {"xy", "xz", "yz"} and abs(tilt["xy"]) < 4.0 and tilt["yz"] == 0.8
    assert (folder.path / "out.log").read_text().count("tilted by xy") == 2


def start_of(tilt, more=""):
    return LATTICE.replace("tilt = { xy = 2.1, xz = -1.3, yz = 0.8 }", f"tilt = {tilt}{more}")


FIELD = '[[force]]\ntype = "cosine-field"\namplitude = 1.0\nperiods = [1, 0, 0]\n'
REFUSED = [
    ("in a circle", text_of(VERLET, system=start_of("{ xy = 1.0, yx = 1.0 }")), "a cycle of tilts"),
    ("not finite", text_of(VERLET, system=start_of("{ xy = inf }")), "must be finite"),
    ("of a plane", text_of(VERLET, system=PLANE.replace("xy = 2.1", "xz = 2.1")), "a tilt xz (the system has 2 dimensions)"),
    ("unknown", text_of(VERLET, system=start_of("{ xx = 1.0 }")), 'unknown key "xx"'),
    ("open", text_of(VERLET, system=start_of("{ xz = 1.0 }", ", periodic = [true, true, false]")), "the box is open along z"),
    ("random places", text_of(VERLET, system=start_of("{ xy = 1.0 }").replace('"sc", repeat = [6, 5, 7], jitter = 0.1',
                                                                            '"random", count = 200, min_distance = 0.8')),
     "a tilt together with random positions"),
    ("a field", text_of(VERLET, force=FORCE + FIELD, system=LATTICE), "a tilted box together with cosine-field"),
    ("a profile", text_of(VERLET, observed(5, '"density-profile"; direction = "x"; bins = 10'), system=LATTICE), "density-profile in a tilted box"),
    ("a mesh of waves", text_of(VERLET, observed(5, '"structure-factor"; longest = 5.0; method = "fft"'), system=LATTICE),
     "fft in a tilted box"),
    ("exact reversal", text_of(VERLET, system=LATTICE) + "reversible = true\n", "reversible = true in a tilted box"),
    ("shear of many tilts", text_of(VERLET + "[shear]\nrate = 0.1\n", system=LATTICE), "with more than one tilt"),
    ("shear elsewhere", text_of(VERLET + '[shear]\nrate = 0.1\nflow = "z"\n', system=start_of("{ xy = 1.0 }")),
     "another direction than that of the tilt"),
]


@pytest.mark.skipif(DEVICE == "cuda", reason="nothing of the device")
@pytest.mark.parametrize("text, said", [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_a_tilted_box_does_not_go_with(text, said, tmp_path):
    (tmp_path / "in.toml").write_text(text.replace(OUTPUT, "") + OUTPUT)
    result = mdrun("in.toml", "--check", cwd=tmp_path)
    assert result.status == 2 and said in result.err, result.err
    assert result.err.count("mdrun: error") == 1, result.err
