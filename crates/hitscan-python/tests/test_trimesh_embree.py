"""`hitscan.trimesh` against trimesh's own engine on Embree: the same answers, wherever that one has digits enough."""

from __future__ import annotations

import numpy as np
import pytest

trimesh = pytest.importorskip("trimesh")
pytest.importorskip("embreex")

import hitscan.trimesh as engine
from trimesh.ray import ray_pyembree

MESHES = {
    "ball": lambda: trimesh.creation.icosphere(4),
    "box": trimesh.creation.box,
    "ring": lambda: trimesh.creation.annulus(1, 2, 3),
    "torus": lambda: trimesh.creation.torus(2, 0.5),
    "far": lambda: trimesh.creation.icosphere(4).apply_translation([500000.1, 4649776.2, 120.3]),
    "large": lambda: trimesh.creation.capsule(1, 0.3).apply_scale(1e9),
}


@pytest.fixture(params=MESHES)
def both(request):
    """Both engines of a mesh, and rays towards it from in and around it."""
    mesh = MESHES[request.param]()
    random = np.random.default_rng(11)
    middle = mesh.bounds.mean(axis=0)
    origins = middle + random.uniform(-1, 1, (20000, 3)) * mesh.scale
    directions = middle + random.uniform(-0.5, 0.5, (20000, 3)) * mesh.extents - origins
    return engine.RayMeshIntersector(mesh), ray_pyembree.RayMeshIntersector(mesh), origins, directions


def in_order(index_ray, locations, origins):
    """Hits by ray, then by distance."""
    distance = np.linalg.norm(locations - origins[index_ray], axis=1)
    return np.lexsort((distance, index_ray))


def test_all_hits(both):
    own, theirs, origins, directions = both
    a = own.intersects_id(origins, directions, return_locations=True)
    b = theirs.intersects_id(origins, directions, return_locations=True)
    assert [(one.dtype, one.ndim) for one in a] == [(one.dtype, one.ndim) for one in b]
    counts = [np.bincount(hits[1], minlength=len(origins)) for hits in (a, b)]
    same = counts[0] == counts[1]
    assert same.mean() > 0.9999
    a, b = ([one[same[hits[1]]] for one in hits] for hits in (a, b))
    order = in_order(a[1], a[2], origins), in_order(b[1], b[2], origins)
    assert np.array_equal(a[1][order[0]], b[1][order[1]])
    is_same_face = a[0][order[0]] == b[0][order[1]]
    assert is_same_face.mean() > 0.9999
    apart = np.abs(a[2][order[0]] - b[2][order[1]])[is_same_face]
    # Both are float64 on the caller's triangles; rays along one are the worse.
    digits = np.finfo(np.float64).eps * np.abs(own.mesh.bounds).max()
    assert np.quantile(apart, 0.999) <= 1e-10 * own.mesh.scale + 64 * digits


def test_rounds_are_in_the_same_order():
    ball = trimesh.creation.icosphere(4)
    random = np.random.default_rng(12)
    origins = random.uniform(-2, 2, (5000, 3))
    directions = random.uniform(-0.5, 0.5, (5000, 3)) - origins
    a = engine.RayMeshIntersector(ball).intersects_id(origins, directions)
    b = ray_pyembree.RayMeshIntersector(ball).intersects_id(origins, directions)
    assert np.array_equal(a[0], b[0]) and np.array_equal(a[1], b[1])


def test_first_and_any(both):
    own, theirs, origins, directions = both
    if np.abs(own.mesh.bounds).max() > 1e5 * own.mesh.scale:
        pytest.skip("intersects_first of trimesh 5.2.0 rounds far origins to float32")
    assert np.mean(own.intersects_first(origins, directions) == theirs.intersects_first(origins, directions)) > 0.9999
    assert np.mean(own.intersects_any(origins, directions) == theirs.intersects_any(origins, directions)) > 0.9999


def test_inside_of_open_meshes():
    ball = trimesh.creation.icosphere(3)
    random = np.random.default_rng(5)
    mesh = trimesh.Trimesh(ball.vertices, ball.faces[random.random(len(ball.faces)) > 0.2], process=False)
    points = random.uniform(-1, 1, (2000, 3))
    with pytest.warns(engine.OpenMeshWarning):
        inside = engine.RayMeshIntersector(mesh).contains_points(points)
    assert np.mean(inside == ray_pyembree.RayMeshIntersector(mesh).contains_points(points)) > 0.999


def test_inside(both):
    own, theirs, *_ = both
    box = own.mesh.bounds
    points = box.mean(axis=0) + np.random.default_rng(13).uniform(-0.6, 0.6, (10000, 3)) * np.ptp(box, axis=0)
    inside = own.contains_points(points)
    assert 0.05 < inside.mean() < 0.95
    assert np.mean(inside == theirs.contains_points(points)) > 0.9999
