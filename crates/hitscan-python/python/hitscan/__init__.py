"""What does this ray hit? Exact, watertight, fast ray queries over triangle worlds.

A `Mesh` is asked in its own frame; a `World` holds instances of meshes and shapes, and gives a `Scene` that is asked in
world space; `load` reads a scene from a file. Rays are NumPy arrays of any leading shape, which answers keep:

>>> import numpy as np
>>> import hitscan
>>> mesh = hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
>>> hits = mesh.closest([[0.2, 0.2, 1], [5, 5, 1]], [0, 0, -1])
>>> hits.t.tolist(), hits.prim.tolist()
([1.0, inf], [0, -1])

The answer depends on the scene and the ray and on nothing else, bit for bit: not on the tree, the instruction set, the
number of threads, nor on single or batch form. Closed meshes do not leak, and a crossing of a shared edge is one hit.
"""

from __future__ import annotations

from hitscan._hitscan import Hit, __version__
from hitscan.camera import Camera, CameraRays
from hitscan.errors import HitscanError
from hitscan.mesh import Counts, Mesh, OpenEdge
from hitscan.results import ClosestPoints, HeightHits, HitLists, Hits, IntervalLists
from hitscan.scene import Scene, load
from hitscan.shapes import Box, Capsule, ConvexHull, Heightfield, Plane, Shape, Sphere
from hitscan.world import InstanceId, World

__all__ = [
    "Box",
    "Camera",
    "CameraRays",
    "Capsule",
    "ClosestPoints",
    "ConvexHull",
    "Counts",
    "HeightHits",
    "Heightfield",
    "Hit",
    "HitLists",
    "Hits",
    "HitscanError",
    "InstanceId",
    "IntervalLists",
    "Mesh",
    "OpenEdge",
    "Plane",
    "Scene",
    "Shape",
    "Sphere",
    "World",
    "__version__",
    "load",
]
