"""The answer for one ray, with what Python's `help` says of it."""

from __future__ import annotations

from hitscan._hitscan import Hit

__all__ = ["Hit"]

# The class is compiled, and editors read the same in its stub.
Hit.__doc__ = """The first hit of one ray.

Attributes
----------
t : float
    The hit lies at ``origin + t * direction``.
distance : float
    ``t`` times the length of the direction, in world units.
position : tuple of three floats
    The hit, on the triangle.
normal : tuple of three floats
    Unit normal by counter-clockwise winding, never flipped towards the ray.
u, v : float
    Weights of the triangle's corners B and C.
instance : int
    Number of the instance; 0 where a mesh was asked.
prim : int
    Row of the mesh's ``faces``.
material : int
    Material of the triangle.
facing : int
    1 where the ray met the front, -1 the back.
"""
