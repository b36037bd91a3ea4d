# SPDX-License-Identifier: BSD-3-Clause
import subprocess

import pytest
from harness import MDRUN


def pytest_collection_modifyitems(items):
    if not MDRUN:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="mdrun is not built (SHADOW_MDRUN is empty)"))


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 8 MiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk],
                             stderr=subprocess.DEVNULL)
    if mounted.returncode != 0:
        pytest.skip("cannot mount a tmpfs (needs root)")
    yield disk
    subprocess.run(["umount", disk], check=True)
