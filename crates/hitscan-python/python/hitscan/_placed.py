"""Meshes that keep the precision of their float64 corners, wherever they stand."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hitscan._arrays import ArrayLike, Floats, without_mask
from hitscan.mesh import Mesh

__all__ = ["Placed", "place", "sound"]

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Placed(NamedTuple):
    """A mesh around its own middle, and where that is; None where it is the origin."""

    mesh: Mesh
    middle: F64 | None

    def local(self, points: Floats) -> Floats:
        """Points in the frame of the mesh. What equals a corner's coordinate still does."""
        return points if self.middle is None else points - self.middle


def place(vertices: Floats, faces: ArrayLike, *, threads: int | None = None) -> Placed:
    """A mesh, moved to its own middle where float32 would cost its float64 digits.

    It is left where it is if that costs at most two bits, so that rays go in as they are. A triangle with a corner
    that is not finite is never hit, and keeps its row. Vertices that no triangle uses, or only such a one or a degenerate
    one, say neither where the mesh is nor how large.
    """
    used, faces = sound(vertices, faces)
    if not used.all():
        vertices = np.where(used[:, None], vertices, vertices.dtype.type(0))
    middle = None
    if vertices.dtype == np.float64 and used.any():
        low, high = vertices[used].min(axis=0), vertices[used].max(axis=0)
        if np.abs((low, high)).max() > 2.0 * (high - low).max():
            middle = low * 0.5 + high * 0.5
            vertices = vertices - middle
            vertices[~used] = 0.0
    return Placed(Mesh(vertices, faces, threads=threads), middle)


def sound(vertices: Floats, faces: ArrayLike) -> tuple[Bools, ArrayLike]:
    """Which vertices say where a mesh is, and its faces, of which those with a corner that is not finite are no triangles.

    What is no row of a corner is left for the mesh to name.
    """
    finite = np.asarray(np.isfinite(vertices).all(axis=1))
    rows = without_mask("faces", faces)
    if not (
        rows.ndim == 2 and rows.size and rows.dtype.kind in "iu" and 0 <= rows.min() and rows.max() < len(vertices)
    ):
        return finite, faces
    is_whole = np.asarray(finite[rows].all(axis=1))
    if not is_whole.all():
        # One corner three times is no triangle.
        faces = np.where(is_whole[:, None], rows, rows[:, :1])
    is_solid = is_whole & (rows != np.roll(rows, 1, axis=1)).all(axis=1)
    used = np.zeros(len(vertices), np.bool_)
    used[rows[is_solid]] = True
    return used, faces
