# SPDX-License-Identifier: BSD-3-Clause
"""The page of mdreport in headless Chromium, where that is installed."""
import re
import shutil
import subprocess

import numpy as np
import pages
import pytest
from matplotlib.image import imread

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
                None)
pytestmark = pytest.mark.skipif(not CHROMIUM, reason="chromium is not installed")

#: Drags the picture, and writes into the page whether it changed.
DRAG = """<script>
HTMLCanvasElement.prototype.setPointerCapture = () => {};
const canvas = document.querySelector("canvas"), old = canvas.toDataURL();
const send = (kind, x) => canvas.dispatchEvent(
  new PointerEvent(kind, { pointerId: 1, clientX: x, clientY: 300, bubbles: true }));
send("pointerdown", 200); send("pointermove", 280); send("pointerup", 280);
setInterval(() => { document.body.dataset.turned = canvas.toDataURL() !== old; }, 100);
const chart = document.querySelector("svg[data-scale]"), box = chart.getBoundingClientRect();
chart.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + box.width / 2,
  clientY: box.top + 50, bubbles: true }));
document.body.dataset.tip = document.getElementById("tip").textContent;
</script>"""


def browse(page, tmp_path, *options):
    process = subprocess.run(
        [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
         f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=8000",
         "--window-size=1100,1400", *options, page.as_uri()],
        capture_output=True, text=True, timeout=120)
    assert process.returncode == 0, process.stderr
    assert not re.search(r"Uncaught|CONSOLE.*[Ee]rror", process.stderr), process.stderr
    return process.stdout


@pytest.mark.parametrize("make, count", [(pages.crystal, 64), (pages.space, 20_000)])
def test_scripts_run(make, count, tmp_path):
    path = make(tmp_path)
    page = pages.report(path).replace("</body>", DRAG + "</body>")
    path.with_suffix(".html").write_text(page, encoding="utf-8")
    seen = browse(path.with_suffix(".html"), tmp_path, "--dump-dom")
    assert f'data-drawn="{count}"' in seen
    assert 'data-turned="true"' in seen
    assert re.search(r'data-tip="[-0-9.]+\n[^"]*conserved energy', seen)


def test_light_and_dark(tmp_path):
    path = pages.crystal(tmp_path)
    pages.report(path)
    light = {}
    for scheme, setting in (("light", 1), ("dark", 0)):
        browse(path.with_suffix(".html"), tmp_path, f"--screenshot={tmp_path / scheme}.png",
               f"--blink-settings=preferredColorScheme={setting}")
        picture = imread(tmp_path / f"{scheme}.png")[..., :3]
        light[scheme] = float(picture[5, 5].mean())
        assert len(np.unique((picture * 255).astype(int).reshape(-1, 3), axis=0)) > 100
    assert light["light"] > 0.9 and light["dark"] < 0.2
