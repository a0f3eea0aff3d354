"""What checkers of types say of programs that run, and of ones that do not."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT

pytest.importorskip("mypy")

PROGRAM = """
from types import SimpleNamespace
from typing import Any

import hitscan
import hitscan.trimesh
import numpy as np
import numpy.typing as npt
from hitscan.batch import cast_table

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]

class Box:
    vertices: F64
    faces: npt.NDArray[np.int32]

class Ball:
    vertices: F64
    triangles: list[list[int]]

mesh = hitscan.Mesh([[0, 0, 0]], np.zeros((0, 3), np.int32), preset="best")
hitscan.Mesh(mesh, threads=1)
hitscan.Mesh(Box(), preset="best")
hitscan.Mesh(Ball())
hitscan.Mesh(np.zeros((3, 3)))  # call-overload

hits = mesh.closest([0, 0, 1], [0, 0, -1])
t: F64 = hits.t
prim: I64 = hits.prim
wrong: I64 = hits.t  # assignment
hits.t *= 2
hits.bogus  # attr-defined
hits.height  # attr-defined
height: F64 = mesh.heights([0, 0]).height
near: npt.NDArray[np.bool_] = mesh.closest_point([0, 0, 0]).hit

mesh.closest_one(np.zeros(3, np.int64), np.ones(3, np.float32))
mesh.occluded_one([np.int64(1), np.float32(2), 3], (0, 0, 1.5))
mesh.closest_one("abc", (0, 0, 1))  # arg-type

lists = mesh.all_hits([[0, 0, 1]], [0, 0, -1])
some: hitscan.HitLists = lists[np.int64(0)]
some = lists[np.int64(0),]
some = lists[1:]
column: npt.NDArray[Any] = lists["t"]

answer: dict[str, npt.NDArray[Any]] = cast_table("ball.glb", {"ox": [1.0]})
frame: SimpleNamespace = cast_table("ball.glb", SimpleNamespace())

ray = hitscan.trimesh.RayMeshIntersector(mesh)
o = d = np.zeros((1, 3))
flag = bool(o.any())
two: tuple[I64, I64] = ray.intersects_id(o, d)
two = ray.intersects_id(o, d, True, 3, False)
three: tuple[I64, I64, F64] = ray.intersects_id(o, d, return_locations=True)
three = ray.intersects_id(o, d, True, 3, True)
either: tuple[I64, I64] | tuple[I64, I64, F64] = ray.intersects_id(o, d, return_locations=flag)
either = ray.intersects_id(o, d, True, 3, flag)
"""


def test_a_program(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    # Without where this Python looks for modules, which mypy takes for one's own.
    paths = {"PYTHONPATH": "", "MYPYPATH": str(ROOT / "crates" / "hitscan-python" / "python")}
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir=cache", "program.py"],
        cwd=tmp_path,
        env={**os.environ, **paths},
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    found = re.findall(r"^program\.py:(\d+): error: .*\[([a-z-]+)\]$", done.stdout, re.MULTILINE)
    lines = enumerate(PROGRAM.splitlines(), 1)
    expected = [(str(number), line.partition("  # ")[2]) for number, line in lines if "  # " in line]
    assert found == expected, done.stdout + done.stderr
