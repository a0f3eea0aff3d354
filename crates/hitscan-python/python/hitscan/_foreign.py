"""Meshes and arrays of other packages, by what they have in common."""

from __future__ import annotations

from typing import Any

__all__ = ["plain", "triangles_of"]


def plain(value: Any) -> Any:
    """What NumPy makes arrays of: tensors of Open3D and others hand one out."""
    return value.numpy() if hasattr(value, "numpy") else value


def triangles_of(mesh: Any) -> tuple[Any, Any] | None:
    """The corners and triangles of a mesh, whosever it is; None of what is none."""
    if hasattr(mesh, "vertex") and hasattr(mesh, "triangle"):
        return plain(mesh.vertex["positions"]), plain(mesh.triangle["indices"])
    for name in ("faces", "triangles"):
        if hasattr(mesh, "vertices") and hasattr(mesh, name):
            return plain(mesh.vertices), plain(getattr(mesh, name))
    return None
