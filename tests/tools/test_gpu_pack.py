# SPDX-License-Identifier: BSD-3-Clause
"""tools/gpu-pack with small programs: what it takes along, and that they start elsewhere."""
import subprocess
import sys
import tarfile

import pytest
from conftest import source

PACK = source / "tools/gpu-pack"
PROGRAM = "#include <zlib.h>\nint main() { return zlibVersion()[0] == '\\0'; }\n"


def build(folder, *link):
    (folder / "tests").mkdir()
    (folder / "program.c").write_text(PROGRAM)
    for name in ("mdrun", "measure_gpu", "tests/test_unit"):
        subprocess.run(["cc", folder / "program.c", "-o", folder / name, "-lz", *link], check=True)


def pack(folder):
    return subprocess.run([sys.executable, PACK, "--built", folder, "--out", folder / "a.tar.xz"],
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_programs_take_their_libraries_along(tmp_path):
    build(tmp_path, "-Wl,--disable-new-dtags,-rpath,$ORIGIN/lib")
    result = pack(tmp_path)
    assert result.returncode == 0, result.stderr
    with tarfile.open(tmp_path / "a.tar.xz") as tar:
        names = tar.getnames()
        tar.extractall(tmp_path)
    there = tmp_path / "shadow-gpu"
    assert [n for n in names if "/lib/" in n] == ["shadow-gpu/lib/libz.so.1"]  # none of glibc's
    for name in ("bench/gpu/agree_2d.toml", "bench/melt_3d.toml", "inputs/lj_melt.toml",
                 "gpu-check", "gpu_check/steps.py"):
        assert (there / name).is_file()
    for name in ("mdrun", "measure_gpu", "test_unit"):
        found = subprocess.run(["ldd", there / name], check=True, text=True,
                               stdout=subprocess.PIPE).stdout
        assert f"libz.so.1 => {there}/lib/libz.so.1" in found
        subprocess.run([there / name], check=True)
    plan = subprocess.run([there / "gpu-check", "--dry-run"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    assert f" {there}/mdrun --devices" in plan


@pytest.mark.parametrize("link", [[], ["-Wl,--enable-new-dtags,-rpath,$ORIGIN/lib"]])
def test_programs_that_would_look_elsewhere_are_refused(tmp_path, link):
    build(tmp_path, *link)
    result = pack(tmp_path)
    assert result.returncode == 1
    assert result.stderr.startswith("gpu-pack: mdrun does not search its own folder for libraries")
