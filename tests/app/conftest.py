# SPDX-License-Identifier: BSD-3-Clause
import pytest
from harness import MDRUN


def pytest_collection_modifyitems(items):
    if not MDRUN:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="mdrun is not built (SHADOW_MDRUN is empty)"))
