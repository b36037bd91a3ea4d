# SPDX-License-Identifier: BSD-3-Clause
"""The page that mdreport makes: what it says, that it stands alone, and how it looks."""
import base64
import html.parser
import json
import re

import h5py
import numpy as np
import pages
import pytest
from conftest import correlated, describe_run, write_array, write_results, write_series
from pages import mdreport, report, thermal
from shadow_results.statistics import estimate
from shadow_results.text import with_error

MESSAGE = re.compile(r"mdreport: [^\n]+ \([^\n]+\); [^\n]+\n")


def call(capsys, *arguments):
    status = mdreport.main([str(a) for a in arguments])
    return status, capsys.readouterr()


@pytest.fixture
def crystal(tmp_path):
    return pages.crystal(tmp_path)


class References(html.parser.HTMLParser):
    """What a page would fetch."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("src", "href", "srcset", "data", "action", "poster") \
                    and not value.startswith("data:"):
                self.found.append((tag, name, value))
            if tag in ("link", "iframe", "object", "base"):
                self.found.append((tag, name, value))


def test_the_page_says_what_was_run_and_what_came_out(crystal):
    page = report(crystal)
    for word in ("a test", "CPU, 3 threads", "mixed", "4711", "1.2.3", "abcdef", "verlet",
                 "1000 of 1000 steps, complete", "64 particles in 2D", "dt = 0.005"):
        assert word in page, word
    with h5py.File(crystal) as file:
        for name in ("temperature", "pressure", "conserved_energy"):
            e = estimate(file[f"observables/{name}/value"][...])
            for number in with_error(e.mean, e.error):
                assert number in page, (name, number)
    for heading in ("The run", "What is conserved", "Averages", "Time series",
                    "Velocities against Maxwell–Boltzmann"):
        assert f"<h2>{heading}</h2>" in page
    assert "Performance" not in page


def test_a_real_run_is_reported_with_the_numbers_of_its_summary(run):
    page = report(run / "out.h5", "--summary", run / "out.json")
    summary = json.loads((run / "out.json").read_text())
    assert f"{summary['system']['particles']} particles in 2D" in page
    assert "3000 of 3000 steps, complete" in page and "<h2>Performance</h2>" in page
    assert References(page).found == []
    told = summary["conserved"]
    assert with_error(told["drift"], told["drift_error"])[1] in page
    for name, a in summary["averages"].items():
        if "discarded" in a:
            for number in with_error(a["mean"], a["error"]):
                assert number in page, (name, number)


def test_the_page_stands_alone(crystal):
    write_array(crystal, "density_map", {"x": [0, 1, 2], "y": [0, 1]}, np.ones((1, 3, 2)),
                np.ones((1, 3, 2)))
    page = report(crystal)
    assert References(page).found == []
    for word in ("@import", "url(", "fetch(", "XMLHttpRequest", "http://", "https://", "import("):
        assert word not in page, word


def test_texts_of_the_run_cannot_become_markup(crystal):
    with h5py.File(crystal, "a") as file:
        for name in ("title", "device"):
            del file[f"parameters/{name}"]
            file[f"parameters/{name}"] = "<script>alert(1)</script> & more"
        file["parameters/species/name"] = ["</script><b>", "B"]
    page = report(crystal)
    assert "<script>alert" not in page and "</script><b>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more" in page


def test_the_summary_adds_performance_and_its_own_numbers(crystal, tmp_path):
    averages = {"temperature": {
        "mean": 1.23456, "error": 0.011, "error_autocorrelation": 0.012, "inefficiency": 3.0,
        "independent_samples": 333.0, "unit": "x", "warning": "beware",
        "discarded": {"steps": 10, "time": 0.05, "fraction": 0.01}}}
    summary = {"stages": [{"averages": averages, "fluctuations": {"heat_capacity": {
        "value": 87.654, "error": 1.2, "unit": "k_B", "formula": "NVE, from var K"}},
        "coefficients": {"diffusion": {"value": 0.03456, "error": 0.0012, "unit": "", "lag": 7.25}}}],
        "performance": {"wall_seconds": 75.0, "steps_per_second": 1234.5, "rebuilds": 17,
                        "ns_per_particle_step": 98.7,
                        "particle_steps_per_second": 4.567e6, "shares": {"forces": 0.875}}}
    (tmp_path / "s.json").write_text(json.dumps(summary))
    page = report(crystal, "--summary", tmp_path / "s.json")
    for word in ("1.235", "beware", "87.7", "NVE, from var K", "1 min 15 s", "98.7 ns", "87.5 %",
                 "1.0 %", "4.567", "0.0346", "7.25"):
        assert word in page, word


def test_the_verdict_stands_at_the_head_and_marks_averages(crystal, tmp_path):
    numbers = {"mean": 1.0, "error": 0.1, "error_autocorrelation": 0.1, "inefficiency": 1.0,
               "independent_samples": 10.0, "unit": "energy", "trusted": False,
               "discarded": {"steps": 0, "time": 0.0, "fraction": 0.0}}
    fine = {"judged": True, "passed": True, "message": ""}
    cold = {"judged": True, "passed": False, "message": "T is too low (it is <cold>); wait"}
    stage = {"averages": {"temperature": numbers},
             "verdict": {"judged": True, "passed": False, "conserved": fine, "temperature": cold}}
    done = {"wall_seconds": 1.0, "steps_per_second": 1.0, "rebuilds": 1,
            "ns_per_particle_step": 1.0, "shares": {}}
    (tmp_path / "s.json").write_text(json.dumps({"stages": [stage], "performance": done}))
    page = report(crystal, "--summary", tmp_path / "s.json")
    assert page.index("Verdict: failed") < page.index("Averages")
    assert page.count("temperature: T is too low (it is &lt;cold&gt;); wait") == 1
    assert re.search(r'<span class="warning">! </span>\s*[Tt]emperature', page)
    stage["verdict"].update(passed=True, temperature=fine)
    numbers["trusted"] = True
    (tmp_path / "s.json").write_text(json.dumps({"stages": [stage], "performance": done}))
    page = report(crystal, "--summary", tmp_path / "s.json")
    assert "Verdict: passed" in page and ">! <" not in page


def test_a_failure_stands_at_the_head(crystal):
    assert "The run failed" not in report(crystal)
    with h5py.File(crystal, "a") as file:
        file["parameters/failed"] = "the energy explodes (from 1 to <9>); use a smaller dt"
    page = report(crystal)
    assert page.count("The run failed: the energy explodes (from 1 to &lt;9&gt;); use a smaller dt") == 1
    assert page.index("The run failed") < page.index("Averages")


def test_the_summary_of_another_run_is_refused(run, tmp_path, capsys):
    told = json.loads((run / "out.json").read_text())
    others = {"input": {**told, "input_digest": "0123456789abcdef"}, "seed": {**told, "seed": 6},
              "device": {**told, "device": "cuda:0"}, "version": {**told, "version": "9.9.9"},
              "steps": {**told, "stages": [{**told["stages"][0], "steps": 2000}]}}
    for what, other in others.items():
        (tmp_path / "b.json").write_text(json.dumps(other))
        status, said = call(capsys, run / "out.h5", "--summary", tmp_path / "b.json", "-o",
                            tmp_path / "page.html")
        assert status == 2 and MESSAGE.fullmatch(said.err), said.err
        assert f"another {what})" in said.err and not (tmp_path / "page.html").exists()


def arrays_page(path):
    k, lag = np.linspace(1, 8, 12), np.concatenate([[0], np.geomspace(0.01, 100, 60)])
    r = np.linspace(0.05, 4, 80)
    write_array(path, "rdf", {"r": r}, [np.exp(-r), 1 - np.exp(-r)], [r * 0.01, r * np.inf], (0, 1),
                (500, 1000))
    write_array(path, "msd", {"lag": lag}, [4 * lag], [0.1 * lag])
    decay = np.exp(-np.outer(k, lag))[None]
    write_array(path, "intermediate_scattering", {"k": k, "lag": lag}, decay, 0.01 + 0 * decay)
    x, y = np.linspace(0.5, 9.5, 10), np.linspace(0.5, 4.5, 5)
    write_array(path, "density_map", {"x": x, "y": y}, np.add.outer(x, y)[None],
                np.zeros((1, 10, 5)))
    write_array(path, "diffusion", {}, [0.12345], [0.0021])
    write_array(path, "odd", {"a": [1, 2], "b": [1, 2], "c": [1, 2]}, np.ones((1, 2, 2, 2)),
                np.ones((1, 2, 2, 2)))
    return report(path)


def charts(page, name):
    return re.findall(rf'<svg class="chart[^>]*aria-label="{name}".*?</svg></svg>|'
                      rf'<svg class="chart map"[^>]*aria-label="{name}".*?</svg>', page, re.DOTALL)


def test_arrays_are_drawn_whatever_their_axes(crystal):
    page = arrays_page(crystal)
    rdf, = charts(page, "rdf")
    assert rdf.count('class="line') == 2 and 'class="band' not in rdf  # no error is known yet
    msd, = charts(page, "msd")
    assert 'data-scale="-2,2,' in msd and msd.count('class="band') == 1  # 0.01 to 100 in decades
    scattering, = charts(page, "intermediate_scattering")
    assert scattering.count('class="line') == 8 and "k = 8 " in page
    assert "8 of 12 values of k" in page
    density, = charts(page, "density_map")
    assert "data:image/png;base64," in density
    assert "3 axes: not drawn" in page
    assert "0.1235" in page and "0.0021" in page  # diffusion


def test_species_share_a_chart_and_velocities_meet_their_theory(crystal):
    with h5py.File(crystal, "a") as file:
        file["parameters/species/name"] = ["A", "B"]
        file["particles/all/mass"] = np.where(np.arange(64) % 2 == 0, 1.0, 4.0)
        kT = estimate(file["observables/temperature/value"][...]).mean
    v = np.linspace(-12, 12, 241)
    narrow, wide = (np.sqrt(m / (2 * np.pi * kT)) * np.exp(-m * v * v / (2 * kT)) for m in (4, 1))
    right = {"": (narrow + wide) / 2, "_A": wide, "_B": narrow}
    for rest, value in right.items():
        write_array(crystal, f"velocity_distribution{rest}", {"v": v}, [value], [0 * v])
        write_array(crystal, f"msd{rest}", {"lag": v + 13}, [v + 13], [0 * v])
        e = np.linspace(0.05, 20, 241)
        write_array(crystal, f"kinetic_energy_distribution{rest}", {"kinetic_energy": e},
                    [np.exp(-e / kT) / kT], [0 * e])
    write_array(crystal, "angle_distribution", {"theta": v + 60}, [wide], [0 * v])
    page = report(crystal)
    assert "dashed" not in charts(page, "angle_distribution")[0]
    for kind in ("velocity_distribution", "kinetic_energy_distribution"):
        chart, = charts(page, kind)
        assert chart.count('class="line') == 6 and chart.count("dashed") == 3
    assert charts(page, "velocity_distribution_A") == charts(page, "msd_B") == []
    apart = re.findall(r"distance from Maxwell–Boltzmann: all (\S+), A (\S+), B ([^<]+)", page)
    assert len(apart) == 2
    assert all(float(d.replace("−", "-").replace("×10⁻", "e-").translate(
        str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"))) < 1e-9 for group in apart for d in group)


def test_rows_outside_of_a_distribution_are_told(crystal):
    for name, outside in (("pressure", 0.875), ("temperature", 0.0)):
        write_array(crystal, f"distribution_{name}", {name: np.arange(5.0)}, [np.full(5, 0.2)], [np.full(5, 0.1)])
        write_array(crystal, f"distribution_{name}_outside", {}, [np.array(outside)], [np.array(0.01)])
    page = report(crystal)
    assert page.count("of the rows are outside") == 1 and "87.5 % of the rows are outside of its range" in page


def test_what_is_missing_is_said(tmp_path):
    path = tmp_path / "bare.h5"
    h5py.File(path, "w").close()
    write_series(path, "bond_order_6", np.arange(50), np.arange(50.0))
    page = report(path)
    for word in ("has no trajectory", "The file has no input", "No conserved energy",
                 "Not compared with Maxwell and Boltzmann"):
        assert word in page, word


@pytest.mark.parametrize("after, missing", [("", False), ("[[stage]]\nsteps = 500\nintegrator = { method = 'verlet' }\n", True)])
def test_a_minimisation_misses_no_conserved_energy(after, missing, tmp_path):
    text = "[[stage]]\nsteps = 500\nintegrator = { method = 'minimize' }\n" + after
    path = describe_run(write_results(tmp_path / "a.h5", np.random.default_rng(1).uniform(0, 9, (1, 40, 2)), None), text)
    with h5py.File(path, "a") as file:
        firsts = [0, 500] if after else [0]
        file["parameters/stage/first_step"], file["parameters/stage/last_step"] = firsts, [f + 500 for f in firsts]
    steps = np.arange(0, 1001 if after else 501, 10)
    write_series(path, "conserved_energy" if not after else "pressure", steps, -np.ones(len(steps)))
    page = report(path)
    assert ("What is conserved" in page) == ("No conserved energy was recorded" in page) == missing


def test_tampered_velocities_are_noticed(crystal):
    assert "not distributed as" not in report(crystal)
    with h5py.File(crystal, "a") as file:
        file["particles/all/velocity/value"][...] = 1.0
    assert "not distributed as" in report(crystal)


def test_long_series_make_small_pages(crystal):
    for k in range(12):
        value = correlated(2000, 5, k).repeat(100)
        value[123_456] = 99.0
        write_series(crystal, f"quantity_{k}", np.arange(200_000), value)
    page = report(crystal)
    assert len(page.encode()) < 3e6
    chart = charts(page, "quantity_3")[0]
    assert len(chart) < 60_000
    top = min(float(y) for y in re.findall(r"[ML][0-9.]+ ([0-9.]+)", chart))
    assert top < 35  # the one outlier stands at the upper edge, 22


def particles(page):
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', page).group(1))


def test_many_particles_are_sampled_and_that_is_said(tmp_path):
    page = report(pages.space(tmp_path))
    assert "20000 of 25000 particles are drawn" in page
    data = particles(page)
    assert data["count"] == 20_000 and data["dimension"] == 3
    assert len(page.encode()) < 1.5e6


def test_a_crystal_is_coloured_by_its_order(crystal):
    order = particles(report(crystal))["channels"][0]
    assert order["label"] == "|ψ₆|"
    assert set(base64.b64decode(order["value"])) == {255}


def test_an_exploded_run_is_reported(crystal):
    with h5py.File(crystal, "a") as file:
        file["particles/all/position/value"][-1, 3] = np.nan
        file["observables/pressure/value"][500:] = np.nan
    page = report(crystal)
    assert "positions of the last frame are not finite" in page and "unknown" in page


def test_what_has_evaporated_does_not_shrink_the_rest(tmp_path):
    place = np.random.default_rng(1).uniform(0, 10, (400, 2))
    place[0], place[1] = (60, 60), (1e6, 0)
    page = report(thermal(describe_run(write_results(tmp_path / "a.h5", place[None], None))))
    data = particles(page)
    assert data["count"] == 399 and "1 far away are left out" in page
    assert data["high"] == [60.0, 60.0] and max(data["sight"][1]) < 20


def test_files_that_are_no_results_are_refused(tmp_path, capsys):
    (tmp_path / "text.h5").write_text("not HDF5")
    h5py.File(tmp_path / "empty.h5", "w").close()
    no_rows = write_results(tmp_path / "no_rows.h5", np.zeros((0, 2, 2)), None,
                            {"pressure": np.zeros(0)})
    for path, why in ((tmp_path / "text.h5", "not HDF5"), (tmp_path / "missing.h5", "no such file"),
                      (tmp_path / "empty.h5", "neither observables nor particles"),
                      (no_rows, "before its first row")):
        status, said = call(capsys, path)
        assert status == 2 and MESSAGE.fullmatch(said.err) and why in said.err, said.err


def test_wrong_summaries_and_outputs_are_refused(crystal, tmp_path, capsys):
    (tmp_path / "text.json").write_text("{")
    (tmp_path / "other.json").write_text("{}")
    for options in (["--summary", tmp_path / "no.json"], ["--summary", tmp_path / "text.json"],
                    ["--summary", tmp_path / "other.json"], ["-o", tmp_path / "no/x.html"]):
        status, said = call(capsys, crystal, *options)
        assert status == 2 and MESSAGE.fullmatch(said.err), said.err
