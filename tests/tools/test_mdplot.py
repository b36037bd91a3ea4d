# SPDX-License-Identifier: BSD-3-Clause
import itertools

import h5py
import numpy as np
import pytest
from conftest import describe_run, load, triangular, write_array, write_results
from hypothesis import given, settings, strategies as st
from shadow_results import order
from shadow_results.results import Frame, ResultsError

mdplot = load("mdplot")


def run(capsys, *arguments):
    status = mdplot.main([str(a) for a in arguments])
    return status, capsys.readouterr()


def colours_of(path):
    """Distinct colours of a picture: 1 means blank."""
    import matplotlib.image
    picture = matplotlib.image.imread(path)
    return len(np.unique((picture[..., :3] * 255).astype(np.uint8).reshape(-1, 3), axis=0))


def brute_force(position, radius, length):
    d = position[None, :, :] - position[:, None, :]
    scale = np.where(length > 0, length, 1.0)
    d -= np.where(length > 0, length * np.round(d / scale), 0.0)
    near = np.sum(d * d, axis=2) < radius**2
    np.fill_diagonal(near, False)
    return {(int(i), int(j)) for i, j in np.argwhere(near)}


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(2, 3),
       st.lists(st.booleans(), min_size=3, max_size=3), st.floats(0.2, 1.4))
def test_neighbours_are_those_of_all_pairs(seed, count, dimension, periodic, radius):
    random = np.random.default_rng(seed)
    length = np.array([3.0, 4.1, 2.9])[:dimension]
    position = random.uniform(-0.5, 1.5, (count, dimension)) * length
    length = np.where(periodic[:dimension], length, 0.0)
    i, j, d = order.neighbour_vectors(position, radius, length)
    found = list(zip(i.tolist(), j.tolist()))
    assert len(found) == len(set(found))
    assert set(found) == brute_force(position, radius, length)
    assert np.all(np.linalg.norm(d, axis=1) < radius)


def test_neighbours_through_images_of_a_tilted_box():
    random = np.random.default_rng(5)
    for edges in (np.array([[9.0, 0], [4.3, 7.0]]), np.array([[8.0, -3.9], [0, 9.0]]),
                  np.array([[6.0, 0, 0], [2.9, 7.0, 0], [-3.0, 3.4, 8.0]])):
        length, dimension = np.diag(edges), len(edges)
        position = random.uniform(0, 1, (60, dimension)) * length
        i, j, d = order.neighbour_vectors(position, 2.5, length, edges - np.diag(length))
        found = sorted((a, b, *np.round(x, 9)) for a, b, x in zip(i, j, d))
        expected = []
        for images in itertools.product(range(-3, 4), repeat=dimension):
            apart = position[None] + np.array(images) @ edges - position[:, None]
            expected += [(a, b, *np.round(apart[a, b], 9)) for a, b in zip(*np.nonzero(np.linalg.norm(apart, axis=2) < 2.5)) if a != b]
        assert found == sorted(expected)


def test_a_particle_far_away_takes_no_memory():
    place, _ = triangular(4)
    place = np.concatenate([place, [[1e9, -1e12]]])
    i, j, _ = order.neighbour_vectors(place, 1.1, np.zeros(2))
    assert set(zip(i.tolist(), j.tolist())) == brute_force(place, 1.1, np.zeros(2))


def test_a_radius_beyond_half_the_box_is_refused():
    with pytest.raises(ResultsError, match="its own image"):
        order.neighbour_vectors(np.zeros((2, 2)), 1.6, np.array([3.0, 9.0]))


def test_perfect_lattices_have_perfect_order(plane):
    with h5py.File(plane) as file:
        frame = Frame(file, -1)
    # cos and sin of six multiples of 60 degrees sum to 6 and 0 within rounding.
    assert np.allclose(order.bond_order(frame, 6), 1.0, atol=1e-12)
    assert np.allclose(order.bond_order(frame, 4), 0.0, atol=1e-12)
    assert order.typical_distance(frame) == pytest.approx(1.0, abs=1e-12)


def test_order_in_the_file_is_preferred(plane):
    with h5py.File(plane, "a") as file:
        value = np.zeros((2, 64, 2))
        value[..., 1] = 0.5
        file["particles/all/psi_6/value"] = value
        frame = Frame(file, 0)
    assert np.all(order.bond_order(frame, 6) == 0.5j)
    assert np.allclose(order.bond_order(frame, 6, radius=1.3), 1.0)


def test_running_mean_of_a_line_is_the_line():
    time = np.arange(10.0)
    t, v = mdplot.running_mean(time, 3 * time, 4)
    assert len(t) == 7
    assert np.allclose(v, 3 * t)


LONG = "time_correlation_of_the_potential_energy_slow_and_molecular_pressure_xy"


@pytest.mark.parametrize("draw, names", [("series", [LONG]), ("series", [LONG, "total_energy", LONG + "_again"]),
                                         ("curve", [LONG]), ("curve", [LONG, "map_" + LONG])])
def test_labels_stay_in_the_picture(plane, tmp_path, draw, names):
    with h5py.File(plane, "a") as file:
        del file["parameters/title"]
        file["parameters/title"] = "A title that says rather more than there is room for in a line " * 3
        for name in names:
            if draw == "series" and name not in file["observables"]:
                file.copy("observables/total_energy", f"observables/{name}")
                file[f"observables/{name}/value"].attrs["unit"] = "kcal mol-1/(Angstrom (48.88821 fs) K)"
    if draw == "curve":
        write_array(plane, LONG, {"lag": np.arange(20)}, [np.ones(20)], [np.full(20, 0.1)])
        write_array(plane, "map_" + LONG, {"x": np.arange(9), "y": np.arange(9)}, [np.ones((9, 9))], [np.full((9, 9), 0.1)])
    options = mdplot.parse([str(plane), draw, *names])
    with h5py.File(plane) as file:
        figure = options.draw(file, options)
    figure.canvas.draw()
    room = figure.bbox
    labels = [label for axes in figure.axes for label in (axes.xaxis.label, axes.yaxis.label)] + figure.texts
    assert any(label.get_text().startswith("time correlation") for label in labels)
    for label in labels:
        box = label.get_window_extent()
        assert room.x0 <= box.x0 and box.x1 <= room.x1 and room.y0 <= box.y0 and box.y1 <= room.y1, (label.get_text(), box)


def test_series_are_drawn(plane, tmp_path, capsys):
    status, said = run(capsys, plane, "series", "total_energy", "momentum", "--output",
                       tmp_path / "s.png")
    assert (status, said.out.strip()) == (0, str(tmp_path / "s.png"))
    assert colours_of(tmp_path / "s.png") > 10


@pytest.mark.parametrize("colour", ["order", "phase", "species", "speed"])
def test_plane_snapshots_are_drawn(plane, tmp_path, capsys, colour):
    status, _ = run(capsys, plane, "snapshot", "--frame", 0, -1, "--colour", colour, "--output",
                    tmp_path / "p.png")
    assert status == 0
    assert colours_of(tmp_path / "p.png") > 10


def test_open_systems_and_space_are_drawn(tmp_path, capsys):
    random = np.random.default_rng(1)
    flat = write_results(tmp_path / "open.h5", random.uniform(0, 9, (1, 50, 2)), None)
    assert run(capsys, flat, "snapshot")[0] == 0
    assert colours_of(tmp_path / "open.png") > 10
    space = write_results(tmp_path / "space.h5", random.uniform(0, 5, (1, 90, 3)), np.full(3, 5.0))
    assert run(capsys, space, "snapshot", "--pixels", 200)[0] == 0
    assert colours_of(tmp_path / "space.png") > 50


def test_a_sphere_in_front_hides_the_one_behind():
    place = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 5.0]])
    colour = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    picture = mdplot.render_spheres(place, 1.0, colour, 60)
    centre = picture[picture.shape[0] // 2, picture.shape[1] // 2]
    assert centre[2] > centre[0] + 0.5


def test_the_file_is_described(plane, capsys):
    status, said = run(capsys, plane)
    assert status == 0
    assert "total_energy: 100 rows" in said.out
    assert "2 frames of 64 particles in 2D" in said.out
    write_array(plane, "rdf", {"r": [1, 2, 3]}, np.ones((1, 3)), np.ones((1, 3)))
    assert "rdf: 3 r, of 1 stage\n" in run(capsys, plane)[1].out


@pytest.fixture
def arrays(plane):
    """Two stages of a mixture: a curve of all and of a pair of species, a family, a map."""
    text = 'title = "a test"\n' + "".join(
        f'[[stage]]\nname = "{name}"\nsteps = 500\n[stage.integrator]\nmethod = "verlet"\n'
        for name in ("melt", "sample"))
    describe_run(plane, text + '[[species]]\nname = "A"\n[[species]]\nname = "B"\n')
    r = np.linspace(0.05, 4.95, 50)
    g = np.stack([1 + np.exp(-r) * np.cos(6 * r), 1 + 0.5 * np.sin(r)])
    error = np.full_like(g, 0.05)
    error[:, :3] = np.inf
    both = {"stage": (0, 1), "step": (500, 1000)}
    write_array(plane, "rdf", {"r": r}, g, error, **both)
    write_array(plane, "rdf_A_B", {"r": r}, 2 * g, error, **both)
    lag = np.array([0, 1, 2, 4, 8, 16, 32, 64, 128.0])
    write_array(plane, "msd", {"lag": lag}, [lag**2], [0.1 * lag])
    curves = np.exp(-np.arange(1, 4)[:, None] * lag[None] / 50)
    write_array(plane, "self_scattering", {"k": [1, 2, 3], "lag": lag}, [curves], [0.02 + 0 * curves])
    cells = np.arange(20.0).reshape(4, 5)
    write_array(plane, "density_map", {"x": np.arange(4), "y": np.arange(5)}, [cells], [0 * cells])
    write_array(plane, "distribution_pressure_outside", {}, [0.01], [0.002])  # a number is no curve
    return plane


def panels(path, *arguments):
    """What `mdplot curve` draws, as the axes of its figure."""
    options = mdplot.parse([str(path), "curve", *arguments])
    with h5py.File(path) as file:
        return mdplot.draw_arrays(file, options).axes


def test_averaged_arrays_are_drawn_with_errors_and_units(arrays, tmp_path, capsys):
    status, said = run(capsys, arrays, "curve", "--output", tmp_path / "c.png")
    assert (status, said.out.strip()) == (0, str(tmp_path / "c.png"))
    assert colours_of(tmp_path / "c.png") > 50
    rdf, msd = panels(arrays, "rdf", "rdf_A_B", "msd")[:2]
    assert rdf.get_xlabel() == "r / σ" and rdf.get_ylabel() == "g(r)"
    assert [t.get_text() for t in rdf.get_legend().get_texts()] == ["all", "A–B"]
    bars = rdf.containers[0]
    assert bars.has_yerr
    lengths = [np.ptp(np.array(s)[:, 1]) for s in bars.lines[2][0].get_segments() if len(s)]
    assert lengths == pytest.approx([0.1] * 47)  # unknown errors have no bar
    assert (msd.get_xscale(), msd.get_yscale()) == ("log", "log")


def test_a_stage_can_be_chosen(arrays):
    def curve(*stage):
        return panels(arrays, "rdf", *stage)[0].containers[0].lines[0].get_ydata()

    melt = curve("--stage", "melt")
    assert np.array_equal(melt, curve("--stage", "0"))
    assert np.array_equal(curve(), curve("--stage", "sample"))
    assert not np.array_equal(melt, curve())


def test_arrays_with_two_axes_are_families_or_maps(arrays):
    family = panels(arrays, "self_scattering")[0]
    assert [t.get_text() for t in family.get_legend().get_texts()] == ["k = 1 σ", "k = 2 σ", "k = 3 σ"]
    assert family.get_xlabel() == "lag / σ"
    image = panels(arrays, "density_map")[0].collections[0]
    cells = np.arange(20.0).reshape(4, 5)  # rows are x, which is drawn across
    assert np.array_equal(np.ravel(image.get_array()), cells.T.ravel())


@pytest.mark.parametrize("arguments, why", [
    (["curve", "rfd"], "did you mean rdf?"),
    (["curve", "rdf", "--stage", "mlt"], "did you mean melt?"),
    (["curve", "msd", "--stage", "sample"], "in this stage"),
    (["curve", "--columns", "0"], "at least 1"),
    (["curve", "total_energy"], "series"),
    (["curve", "distribution_pressure_outside"], "0 axes"),
])
def test_curves_that_are_not_there_are_refused(arrays, capsys, arguments, why):
    status, said = run(capsys, arrays, *arguments)
    assert status == 2
    assert why in said.err and "Traceback" not in said.err


def test_a_file_without_arrays_says_so(plane, capsys):
    status, said = run(capsys, plane, "curve")
    assert status == 2 and "no averaged arrays" in said.err


@pytest.mark.parametrize("arguments, why", [
    (["series", "rdf"], "not a series over time"),
    (["snapshot", "--columns", "0"], "--columns 0 ("),
    (["snapshot", "--pixels", "-5"], "--pixels -5 ("),
    (["series", "total_enrgy"], "did you mean total_energy?"),
    (["series", "--from", "1000"], "nothing is left"),
    (["snapshot", "--frame", "7"], "numbered from 0"),
    (["snapshot", "--output", "no/such/folder/x.png"], "there is no folder"),
    (["snapshot", "--radius", "50"], "its own image"),
])
def test_wrong_wishes_are_refused(plane, capsys, arguments, why):
    write_array(plane, "rdf", {"r": [1, 2, 3]}, np.ones((1, 3)), np.ones((1, 3)))
    status, said = run(capsys, plane, *arguments)
    assert status == 2
    assert why in said.err and "Traceback" not in said.err


def test_files_that_are_no_results_are_refused(tmp_path, capsys):
    (tmp_path / "text.h5").write_text("not HDF5")
    h5py.File(tmp_path / "empty.h5", "w").close()
    for name in ("text.h5", "missing.h5", "empty.h5"):
        for what in ("series", "snapshot"):
            status, said = run(capsys, tmp_path / name, what)
            assert status == 2 and said.err.startswith("mdplot: ")


def test_triangular_lattice_of_the_fixture_has_density():
    place, edges = triangular(4)
    assert len(place) / np.prod(edges) == pytest.approx(2 / np.sqrt(3))
