"""
Ray queries using the hitscan package, which answers by
the API of our native raytracer.
"""

# `pip install hitscan` installs from wheels
from hitscan.trimesh import RayMeshIntersector

__all__ = ["RayMeshIntersector"]
