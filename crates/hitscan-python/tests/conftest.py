"""Meshes and rays that all tests share."""

from __future__ import annotations

import os
import pathlib
import shutil
import sysconfig
from typing import NamedTuple

import hitscan
import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCENES = ROOT.parent / "shared" / "scenes"


class Soup(NamedTuple):
    """Triangles, and rays that are aimed at them."""

    vertices: np.ndarray
    faces: np.ndarray
    origins: np.ndarray
    directions: np.ndarray


def _soup(seed: int, triangles: int, rays: int) -> Soup:
    rng = np.random.default_rng(seed)
    middle = rng.uniform(-1, 1, (triangles, 1, 3))
    vertices = (middle + rng.normal(0, 0.3, (triangles, 3, 3))).reshape(-1, 3).astype(np.float32)
    faces = np.arange(3 * triangles).reshape(-1, 3)
    origins = rng.uniform(-3, 3, (rays, 3))
    # Some far away, for which the law moves the origin.
    origins[::7] *= 1e4
    return Soup(vertices, faces, origins, rng.uniform(-1, 1, (rays, 3)) - origins)


@pytest.fixture(scope="session")
def soup() -> Soup:
    return _soup(1, 200, 500)


@pytest.fixture(scope="session")
def mesh(soup: Soup) -> hitscan.Mesh:
    return hitscan.Mesh(soup.vertices, soup.faces)


@pytest.fixture(scope="session")
def ball() -> hitscan.Scene:
    return hitscan.load("builtin:sphere:20k")


def cube(size: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """A closed box from 0 to `size`, with its fronts outside."""
    vertices = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float64) * size
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = np.array([face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))])
    return vertices, faces


@pytest.fixture(scope="session")
def box() -> hitscan.Mesh:
    return hitscan.Mesh(*cube())


@pytest.fixture(scope="session")
def command() -> str:
    """The command, where it was built; tests that hold answers against it skip elsewhere."""
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    path = target / "release" / f"hitscan{sysconfig.get_config_var('EXE') or ''}"
    found = path if path.exists() else shutil.which("hitscan")
    if found is None:
        pytest.skip(f"{path} is not there: cargo build --release")
    return str(found)
