"""Meshes that keep the precision of their float64 corners, wherever they stand."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hitscan._arrays import ArrayLike, Floats
from hitscan.mesh import Mesh

__all__ = ["Placed", "place"]

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]


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
    that is not finite is never hit, and keeps its row.
    """
    finite = np.asarray(np.isfinite(vertices).all(axis=1))
    if not finite.all():
        vertices = np.where(finite[:, None], vertices, vertices.dtype.type(0))
        rows = np.asarray(faces)
        if rows.size and rows.dtype.kind in "iu" and 0 <= rows.min() and rows.max() < len(vertices):
            # One corner three times is no triangle. What is no row of a corner is left for the mesh to name.
            is_whole = np.asarray(finite[rows].all(axis=-1, keepdims=True))
            faces = np.where(is_whole, rows, rows[..., :1])
    middle = None
    if vertices.dtype == np.float64 and finite.any():
        low, high = vertices[finite].min(axis=0), vertices[finite].max(axis=0)
        if np.abs((low, high)).max() > 2.0 * (high - low).max():
            middle = low * 0.5 + high * 0.5
            vertices = vertices - middle
            if not finite.all():
                vertices[~finite] = 0.0
    return Placed(Mesh(vertices, faces, threads=threads), middle)
