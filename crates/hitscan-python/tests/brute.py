"""Every triangle, one ray at a time: the library's recipe once more, in NumPy, without trees.

Rays exactly through edges are judged as if moved by an infinitely small step; free borders, which the law treats apart,
are left to the tests of the library.
"""

from __future__ import annotations

import numpy as np


def crossings(
    vertices: np.ndarray,
    faces: np.ndarray,
    origin: np.ndarray,
    direction: np.ndarray,
    t_min: float = 0.0,
    t_max: float = np.inf,
) -> list[tuple[float, int, float, float, int]]:
    """All crossings of one ray, as (t, prim, u, v, facing), in order."""
    corners = np.asarray(vertices, np.float32)
    p, q = (np.asarray(v, np.float64) for v in (origin, direction))
    reach, t0 = float(np.abs(corners).max()), 0.0

    def dot(a: np.ndarray, b: np.ndarray) -> float:
        return float((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2])

    if np.abs(p).max() > 4.0 * reach:
        t0 = -dot(p, q) / dot(q, q) - 2.0 * reach / float(np.abs(q).max())
    start, way = (p + t0 * q).astype(np.float32), q.astype(np.float32)
    kz = int(np.argmax(np.abs(way)))
    kx, ky = (kz + 1) % 3, (kz + 2) % 3
    if way[kz] < 0:
        kx, ky = ky, kx
    sx, sy = way[kx] / way[kz], way[ky] / way[kz]
    a = corners[faces] - start  # (n, 3 corners, 3 axes), float32
    x = (a[..., kx] - sx * a[..., kz]).astype(np.float64)
    y = (a[..., ky] - sy * a[..., kz]).astype(np.float64)
    z = a[..., kz].astype(np.float64)

    def edge(i: int, j: int) -> tuple[np.ndarray, np.ndarray]:
        """The value of an edge, and its sign; of a value of zero that of the moved ray."""
        value = x[:, i] * y[:, j] - y[:, i] * x[:, j]
        moved = np.where(y[:, i] != y[:, j], y[:, i] - y[:, j], x[:, j] - x[:, i])
        return value, np.sign(np.where(value != 0, value, moved))

    # Opposite to corners A, B and C.
    (u, su), (v, sv), (w, sw) = edge(2, 1), edge(0, 2), edge(1, 0)
    det = (u + v) + w
    distinct = np.array([len({tuple(corner) for corner in face}) == 3 for face in corners[faces].tolist()])
    accepted = (su == sv) & (sv == sw) & (su != 0) & (det != 0) & distinct
    with np.errstate(divide="ignore", invalid="ignore"):
        t = t0 + (((u * z[:, 0] + v * z[:, 1]) + w * z[:, 2]) / (det * float(way[kz])) + 0.0)
        b, c = v / det, w / det
    accepted &= (t >= t_min) & (t <= t_max)
    found = [(float(t[i]), int(i), float(b[i]), float(c[i]), 1 if det[i] > 0 else -1) for i in np.flatnonzero(accepted)]
    return sorted(found)
