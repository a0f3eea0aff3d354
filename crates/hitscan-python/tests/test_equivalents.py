"""The tables and the code of docs/python-equivalents.md."""

from __future__ import annotations

import re

import hitscan
import hitscan.trimesh
import numpy as np
import pytest
from conftest import ROOT
from test_docs import blocks

NAME = "docs/python-equivalents.md"
trimesh = pytest.importorskip("trimesh")


@pytest.fixture
def as_it_was():
    """trimesh with the engine that it had."""
    before = trimesh.ray.ray_pyembree, trimesh.ray.has_embree
    yield
    trimesh.ray.ray_pyembree, trimesh.ray.has_embree = before


@pytest.mark.parametrize("number", range(2))
def test_blocks_of_code(number, as_it_was):
    code = blocks(NAME)
    assert len(code) == 2
    exec(compile(code[number], f"{NAME}, block {number}", "exec"), {"__name__": "__main__"})  # noqa: S102


def test_trimesh_s_calls_in_hitscan_s_own():
    mesh = trimesh.creation.icosphere(3)
    mesh.ray = hitscan.trimesh.RayMeshIntersector(mesh)
    solid = hitscan.Mesh(mesh.vertices, mesh.faces)
    random = np.random.default_rng(1)
    o = random.uniform(-2, 2, (500, 3))
    d = random.uniform(-0.5, 0.5, (500, 3)) - o
    hits, lists = solid.closest(o, d), solid.all_hits(o, d)
    assert np.array_equal(mesh.ray.intersects_first(o, d), hits.prim)
    assert np.array_equal(mesh.ray.intersects_any(o, d), solid.occluded(o, d))
    locations, index_ray, index_tri = mesh.ray.intersects_location(o, d)
    order = np.argsort(index_ray, kind="stable")
    assert np.array_equal(index_ray[order], lists.ray) and np.array_equal(index_tri[order], lists.prim)
    assert np.allclose(locations[order], lists.position, atol=1e-5)
    assert np.allclose(mesh.ray.intersects_location(o, d, multiple_hits=False)[0], hits.position[hits.hit], atol=1e-5)
    first = solid.first_n(o, d, n=1)
    assert np.array_equal(np.sort(mesh.ray.intersects_id(o, d, max_hits=1)[0]), np.sort(first.prim))
    assert np.array_equal(mesh.contains(o), solid.contains(o))
    pytest.importorskip("rtree")
    nearest, distance, _ = trimesh.proximity.closest_point(mesh, o)
    assert np.allclose(nearest, solid.closest_point(o).position, atol=1e-4)
    assert np.allclose(distance, solid.closest_point(o).distance, atol=1e-5)
    assert np.allclose(trimesh.proximity.signed_distance(mesh, o), -solid.signed_distance(o), atol=1e-5)
    middles, normals = mesh.triangles_center, mesh.face_normals
    thickness = trimesh.proximity.thickness(mesh, middles, method="ray", normals=normals)
    pieces = solid.intervals(middles, -normals)
    assert np.allclose(thickness, [piece.thickness.max() for piece in pieces], atol=1e-5)


def test_open3d_s_calls_in_hitscan_s_own():
    from hitscan.compat import RaycastingScene

    mesh = trimesh.creation.icosphere(3)
    other, world = RaycastingScene(), hitscan.World()
    other.add_triangles(mesh)
    world.insert(hitscan.Mesh(mesh.vertices, mesh.faces))
    scene = world.commit()
    rays = np.random.default_rng(2).uniform(-2, 2, (20, 30, 6)).astype(np.float32)
    hits, answer = scene.closest(rays), other.cast_rays(rays)
    assert np.array_equal(hits.t.astype(np.float32), answer["t_hit"])
    assert np.array_equal(hits.prim.astype(np.uint32), answer["primitive_ids"])
    assert np.array_equal(scene.occluded(rays, t_min=0.1, t_max=1), other.test_occlusions(rays, 0.1, 1))
    assert np.array_equal(scene.count(rays), other.count_intersections(rays))
    lists, listed = scene.all_hits(rays), other.list_intersections(rays)
    assert np.array_equal(lists.offsets, listed["ray_splits"]) and np.array_equal(lists.ray, listed["ray_ids"])
    points = rays[..., :3]
    assert np.array_equal(scene.signed_distance(points).astype(np.float32), other.compute_signed_distance(points))
    assert np.array_equal(scene.contains(points), other.compute_occupancy(points) == 1)
    # The same pinhole: turned by half a turn, and by the width instead of the height.
    eye, center, up = np.array([2.0, 3.0, 4.0]), np.array([0.1, 0.2, 0.3]), np.array([0.1, 1.0, 0.2])
    theirs = RaycastingScene.create_rays_pinhole(70, center, eye, up, 48, 48)[::-1, ::-1, 3:]
    own = hitscan.Camera.look_at(eye, center, up, 70).rays(48, 48).directions
    apart = theirs / np.linalg.norm(theirs, axis=-1, keepdims=True)
    apart = apart - own / np.linalg.norm(own, axis=-1, keepdims=True)
    assert np.abs(apart).max() < 1e-6


def test_every_name_of_the_tables_is_there():
    text = (ROOT / NAME).read_text(encoding="utf-8")
    for name in re.findall(r"`(?:solid|scene)\.(\w+)", text):
        assert hasattr(hitscan.Scene, name) or name in ("add_triangles", "cast_rays"), name
