# SPDX-License-Identifier: BSD-3-Clause
import re
import shutil
import subprocess

import pytest
from conftest import load, source

new_potential = load("new_potential")

PROGRAM = """
#include <cmath>
#include "kernels/potentials/formulas.hpp"
int main() {
    const double numbers[] = {3.0, 5.0};
    const auto u = shadow::SoftCore<double>::from(numbers, 9.0)(4.0);
    return shadow::Potentials::size == SIZE && u.u == 1.5 && u.f_over_r == -1.5 ? 0 : 1;
}
"""


@pytest.fixture
def tree(tmp_path):
    shutil.copytree(source / "kernels", tmp_path / "kernels")
    return tmp_path


def test_a_new_potential_compiles_and_is_in_the_list(tree, capsys):
    old = (tree / "kernels/potentials/list.hpp").read_text()
    size = re.search(r"using Potentials =\s+PotentialList<([^>]*)>", old).group(1).count(",") + 1
    new_potential.main(["soft-core", "stiffness:energy/length^2", "width:length"], tree)
    assert "tests/support/pair_cases.cpp" in capsys.readouterr().out
    (tree / "try.cpp").write_text(PROGRAM.replace("SIZE", str(size + 1)))
    # At r = 2: u = 3/2 (1 - 2)^2 = 1.5 and -u'/r = 3 (1 - 2) / 2 = -1.5, exact in binary.
    subprocess.run(["c++", "-std=c++20", "-I", tree, tree / "try.cpp", "-o", tree / "try"],
                   check=True)
    subprocess.run([tree / "try"], check=True)


@pytest.mark.parametrize("arguments", [
    [], ["soft-core"], ["Soft", "a:energy"], ["soft", "A:energy"], ["soft", "a", "b", "c", "d", "e"],
    ["morse", "a:energy"], ["lennard-jones", "a:energy"]])
def test_wrong_wishes_are_refused_and_change_nothing(tree, arguments):
    before = {p: p.read_bytes() for p in tree.rglob("*.hpp")}
    with pytest.raises(new_potential.Refused):
        new_potential.main(arguments, tree)
    assert before == {p: p.read_bytes() for p in tree.rglob("*.hpp")}
