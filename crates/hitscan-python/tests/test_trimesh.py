"""`hitscan.trimesh` keeps the contract of trimesh's engines: names, shapes, dtypes, order and what it takes."""

from __future__ import annotations

import copy
import inspect
import pickle
import warnings
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest

trimesh = pytest.importorskip("trimesh")

import hitscan.trimesh as engine

ORIGINS = [[0.125, 0.25, 5.0], [0.25, 0.125, 5.0], [9.0, 9.0, 9.0]]
DIRECTIONS = [[0.0, 0.0, -1.0], [0.0, 0.0, -2.0], [0.0, 0.0, -1.0]]


@pytest.fixture
def box():
    return trimesh.creation.box()


@pytest.fixture
def ray(box):
    return engine.RayMeshIntersector(box)


def rays_at(mesh, count, seed):
    """Rays towards a mesh, from in and around it."""
    random = np.random.default_rng(seed)
    middle = mesh.bounds.mean(axis=0)
    origins = middle + random.uniform(-1, 1, (count, 3)) * mesh.scale
    return origins, middle + random.uniform(-0.5, 0.5, (count, 3)) * mesh.extents - origins


def test_names_and_defaults_are_trimesh_s(ray):
    theirs = {
        "__init__": ["geometry", "scale_to_box"],
        "intersects_id": ["ray_origins", "ray_directions", "multiple_hits", "max_hits", "return_locations"],
        "intersects_location": ["ray_origins", "ray_directions", "multiple_hits"],
        "intersects_first": ["ray_origins", "ray_directions"],
        "intersects_any": ["ray_origins", "ray_directions"],
        "contains_points": ["points"],
    }
    for name, names in theirs.items():
        own = inspect.signature(getattr(ray, name)).parameters.values()
        assert [one.name for one in own if one.kind is not one.KEYWORD_ONLY] == names
    defaults = inspect.signature(ray.intersects_id).parameters
    assert [defaults[name].default for name in ("multiple_hits", "max_hits", "return_locations")] == [True, 100, False]


def test_all_hits_come_in_rounds(ray):
    index_tri, index_ray, locations = ray.intersects_id(ORIGINS, DIRECTIONS, return_locations=True)
    assert index_ray.tolist() == [0, 1, 0, 1]
    assert index_tri.tolist() == [4, 6, 8, 8]
    assert locations.tolist() == [[0.125, 0.25, 0.5], [0.25, 0.125, 0.5], [0.125, 0.25, -0.5], [0.25, 0.125, -0.5]]
    assert (index_tri.dtype, index_ray.dtype, locations.dtype) == (np.int64, np.int64, np.float64)
    again = ray.intersects_location(ORIGINS, DIRECTIONS)
    for one, other in zip(again, (locations, index_ray, index_tri), strict=True):
        assert np.array_equal(one, other)


def test_first_and_any(ray):
    first = ray.intersects_first(ORIGINS, DIRECTIONS)
    assert first.tolist() == [4, 6, -1] and first.dtype == np.int64
    assert ray.intersects_any(ORIGINS, DIRECTIONS).tolist() == [True, True, False]
    assert [one.tolist() for one in ray.intersects_id(ORIGINS, DIRECTIONS, multiple_hits=False)] == [[4, 6], [0, 1]]
    locations, index_ray, index_tri = ray.intersects_location(ORIGINS, DIRECTIONS, multiple_hits=False)
    assert locations.tolist() == [[0.125, 0.25, 0.5], [0.25, 0.125, 0.5]]
    assert index_ray.tolist() == [0, 1] and index_tri.tolist() == [4, 6]


@pytest.mark.parametrize("multiple", [True, False])
@pytest.mark.parametrize("most", [-1, 0, 1, 2, 3])
def test_at_most_so_many_hits(ray, most, multiple):
    index_tri, index_ray = ray.intersects_id(ORIGINS, DIRECTIONS, multiple_hits=multiple, max_hits=most)
    rounds = max(0, min(most, 2 if multiple else 1))
    assert index_ray.tolist() == [0, 1] * rounds and len(index_tri) == 2 * rounds


def test_more_than_100_layers_are_cut_at_100():
    layers = trimesh.util.concatenate([trimesh.creation.box().apply_translation([0, 0, 2 * i]) for i in range(80)])
    ray = engine.RayMeshIntersector(layers)
    assert len(ray.intersects_id([[0.1, 0.2, -5]], [[0, 0, 1]])[0]) == 100
    assert len(ray.intersects_id([[0.1, 0.2, -5]], [[0, 0, 1]], max_hits=1000)[0]) == 160
    # What is inside does not stop there.
    assert ray.contains_points([[0.1, 0.2, 158.0], [0.1, 0.2, 157.0]]).tolist() == [True, False]


def test_no_rays(ray):
    none = np.zeros((0, 3))
    assert [(one.shape, one.dtype) for one in ray.intersects_id(none, none, return_locations=True)] == [
        ((0,), np.int64),
        ((0,), np.int64),
        ((0, 3), np.float64),
    ]
    assert [one.shape for one in ray.intersects_location(none, none)] == [(0, 3), (0,), (0,)]
    assert [one.shape for one in ray.intersects_location(none, none, multiple_hits=False)] == [(0, 3), (0,), (0,)]
    assert ray.intersects_first(none, none).shape == ray.intersects_any(none, none).shape == (0,)
    assert ray.contains_points(none).shape == (0,) and ray.contains_points(none).dtype == np.bool_


def test_only_misses(ray):
    locations, index_ray, index_tri = ray.intersects_location([[5, 5, 5]], [[0, 0, 1]])
    assert locations.shape == (0, 3) and index_ray.shape == index_tri.shape == (0,)


@pytest.mark.parametrize(
    ("origins", "directions"),
    [
        ([0, 0, 5], [0, 0, -1]),
        ([], []),
        (ORIGINS, DIRECTIONS[:2]),
        (ORIGINS, DIRECTIONS[:1]),
        ([[0, 0]], [[0, 1]]),
        (np.zeros((2, 2, 3)), np.ones((2, 2, 3))),
        ([["a", "b", "c"]], [["0", "0", "1"]]),
    ],
)
def test_what_are_no_rays_is_a_value_error(ray, origins, directions):
    for ask in (ray.intersects_id, ray.intersects_location, ray.intersects_first, ray.intersects_any):
        with pytest.raises(ValueError):
            ask(origins, directions)


def test_errors_name_the_argument(ray):
    with pytest.raises(ValueError, match=r"^ray_directions has the shape \(3,\); expected \(n, 3\)$"):
        ray.intersects_first(ORIGINS, DIRECTIONS[0])
    told = r"^ray_origins has the shape \(3, 3\), ray_directions \(2, 3\); expected the same$"
    with pytest.raises(ValueError, match=told):
        ray.intersects_first(ORIGINS, DIRECTIONS[:2])
    with pytest.raises(ValueError, match=r"^points has the shape \(3,\); expected \(n, 3\)$"):
        ray.contains_points([0, 0, 0])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_rays_that_are_none_miss_and_disturb_no_others(ray, bad):
    origins = np.array([[0.1, bad, 5], [0.1, 0.2, 5], [0.1, 0.2, 5], [0.1, 0.2, 5]])
    directions = np.array([[0, 0, -1], [0, bad, -1], [0, 0, 0], [0, 0, -1.0]])
    assert ray.intersects_first(origins, directions).tolist() == [-1, -1, -1, 4]
    assert ray.intersects_any(origins, directions).tolist() == [False, False, False, True]
    assert ray.intersects_location(origins, directions)[1].tolist() == [3, 3]
    assert ray.contains_points([[0, 0, bad], [0, 0, 0]]).tolist() == [False, True]


def test_arrays_of_any_kind(ray):
    expected = ray.intersects_first(ORIGINS, DIRECTIONS)
    for kind in (np.float32, np.float16, ">f8", np.longdouble):
        origins, directions = np.array(ORIGINS, kind), np.array(DIRECTIONS, kind)
        assert np.array_equal(ray.intersects_first(origins, directions), expected)
        assert np.array_equal(ray.intersects_first(np.asfortranarray(origins), directions[:, ::1]), expected)
        assert len(ray.intersects_location(origins, directions)[0]) == 4
    wide = np.zeros((6, 6))
    wide[::2, ::2], wide[1::2, 1::2] = ORIGINS, DIRECTIONS
    assert np.array_equal(ray.intersects_first(wide[::2, ::2], wide[1::2, 1::2]), expected)


def test_arguments_are_left_as_they_are(ray):
    origins, directions = np.array(ORIGINS), np.array(DIRECTIONS)
    before = origins.copy(), directions.copy()
    ray.intersects_location(origins, directions)
    assert np.array_equal(origins, before[0]) and np.array_equal(directions, before[1])


def test_crossings_of_edges_and_corners_are_one_hit():
    box = trimesh.creation.box(extents=[2, 2, 2])
    ray = engine.RayMeshIntersector(box)
    # Through the diagonals of two faces, and out of the middle through all corners.
    assert len(ray.intersects_id([[0.0, 0.0, 5.0]], [[0.0, 0.0, -1.0]])[0]) == 2
    index_ray = ray.intersects_location(np.zeros((8, 3)), box.vertices)[1]
    assert index_ray.tolist() == list(range(8))


def test_along_the_outline_hits_come_in_pairs():
    box = trimesh.creation.box(extents=[2, 2, 2])
    ray = engine.RayMeshIntersector(box)
    places = [[x, y, 5] for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
    ways = np.tile([0, 0, -1], (8, 1))
    counts = np.bincount(ray.intersects_location(places, ways)[1], minlength=8)
    assert set(counts.tolist()) == {0, 2}
    assert np.array_equal(ray.intersects_any(places, ways), counts > 0)
    assert np.array_equal(ray.intersects_first(places, ways) >= 0, counts > 0)


def test_layers_that_coincide_are_a_hit_each():
    pane = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 1, 2], [0, 2, 1]], process=False)
    index_tri, index_ray = engine.RayMeshIntersector(pane).intersects_id([[0.2, 0.3, 1]], [[0, 0, -1]])
    assert index_tri.tolist() == [0, 1, 2] and index_ray.tolist() == [0, 0, 0]


def test_a_hit_at_the_origin_counts(box, ray):
    on_it = [[0.1, 0.2, 0.5], [0.1, 0.2, -0.5], [0.1, 0.2, 0.5]]
    ways = [[0, 0, 1], [0, 0, 1], [0, 0, -1]]
    assert ray.intersects_location(on_it, ways)[1].tolist() == [0, 1, 2, 1, 2]
    far = [500000.1, 4649776.2, 120.3]
    moved = engine.RayMeshIntersector(box.apply_translation(far))
    top = moved.mesh.bounds[1, 2]
    assert moved.intersects_any([[500000.2, 4649776.3, top]], [[0, 0, 1]]).all()


def test_boxes_of_any_size_are_crossed_twice_from_their_surface():
    for scale in (1e-9, 1e-4, 1.0, 1e4, 1e8, 1e12):
        box = trimesh.creation.box().subdivide().subdivide()
        box.apply_scale(scale)
        ray = engine.RayMeshIntersector(box, scale_to_box=False)
        assert len(ray.intersects_id([[0, 0, scale / 2]], [[0, 0, -1]])[0]) == 2, scale


@pytest.mark.parametrize("offset", [[0, 0, 0], [3, -2, 1], [500000.1, 4649776.2, 120.3], [1e9, -1e9, 1e9]])
def test_places_lie_on_the_caller_s_triangles_and_on_the_rays(offset):
    for mesh in (trimesh.creation.icosphere(3), trimesh.creation.torus(2, 0.5), trimesh.creation.annulus(1, 2, 3)):
        mesh.apply_translation(offset)
        ray = engine.RayMeshIntersector(mesh)
        origins, directions = rays_at(mesh, 4000, 1)
        locations, index_ray, index_tri = ray.intersects_location(origins, directions)
        assert len(locations) > 4000
        digits = np.finfo(np.float64).eps * np.abs(mesh.bounds).max()
        # In float64, in the plane of the triangle and within it.
        corners = mesh.triangles[index_tri]
        edges = corners[:, 1:] - corners[:, :1]
        normal = np.cross(edges[:, 0], edges[:, 1])
        size = np.linalg.norm(normal, axis=1)
        beside = np.abs(np.einsum("ij,ij->i", locations - corners[:, 0], normal)) / size
        assert beside.max() <= 8 * digits
        for corner in range(3):
            across = np.cross(
                corners[:, (corner + 1) % 3] - corners[:, corner], locations - corners[:, corner]
            )
            height = np.einsum("ij,ij->i", across, normal) / size
            assert height.min() >= -64 * digits * mesh.scale
        # And on the ray: by float64 where that has it within, else by what float32 is off.
        unit = directions[index_ray] / np.linalg.norm(directions[index_ray], axis=1, keepdims=True)
        away = np.linalg.norm(np.cross(locations - origins[index_ray], unit), axis=1)
        assert np.quantile(away, 0.99) <= 1e-12 * mesh.scale + 64 * digits
        assert away.max() <= 2.0**-19 * mesh.scale


def test_far_from_the_origin_nothing_changes():
    near = trimesh.creation.icosphere(3)
    far = near.copy().apply_translation([2.0**19, 2.0**22, 2.0**7])
    origins, directions = rays_at(near, 20000, 2)
    origins = np.round(origins, 3)
    moved = origins + [2.0**19, 2.0**22, 2.0**7]
    first = engine.RayMeshIntersector(near).intersects_first(origins, directions)
    again = engine.RayMeshIntersector(far).intersects_first(moved, directions)
    # Corners are rounded by the translation, so rays at an edge may find its other triangle.
    assert np.mean(first != again) < 1e-3


def test_vertices_of_no_triangle_say_nothing_of_where_a_mesh_is():
    far = trimesh.creation.icosphere(3).apply_translation([5e5, 5e6, 0.0])
    origins, directions = rays_at(far, 5000, 3)
    first = engine.RayMeshIntersector(far).intersects_first(origins, directions)
    for faces, vertex in [([], [0.0, 0.0, 0.0]), ([[642] * 3], [0.0, 0.0, 0.0]), ([], [1e31, 0.0, 0.0])]:
        vertices = np.vstack([far.vertices, [vertex]])
        mesh = trimesh.Trimesh(vertices, np.vstack([far.faces, np.reshape(faces, (-1, 3)).astype(int)]), process=False)
        assert len(mesh.vertices) == 643
        assert np.array_equal(engine.RayMeshIntersector(mesh).intersects_first(origins, directions), first)


def test_a_triangle_seen_edge_on_keeps_its_place_on_it():
    sliver = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [0, 1e-7, 0]], [[0, 1, 2]], process=False)
    ray = engine.RayMeshIntersector(sliver)
    random = np.random.default_rng(3)
    origins = np.column_stack([random.uniform(-1, 2, 2000), random.uniform(-1e-7, 2e-7, 2000), np.ones(2000)])
    targets = np.column_stack([random.uniform(0, 1, 2000), random.uniform(0, 1e-7, 2000), np.zeros(2000)])
    locations, _, _ = ray.intersects_location(origins, targets - origins)
    assert len(locations) > 500
    assert (locations[:, 2] == 0).all() and (locations >= 0).all()
    assert (locations[:, 0] + locations[:, 1] * 1e7 <= 1 + 1e-12).all()


def test_along_a_face_places_stay_on_the_ray():
    turn = trimesh.transformations.rotation_matrix(0.7, [0.3, 0.5, 0.8])
    box = trimesh.creation.box().apply_transform(turn)
    random = np.random.default_rng(8)
    faces = random.integers(0, 12, 20000)
    a, b = (np.einsum("ij,ijk->ik", random.dirichlet([1, 1, 1], 20000), box.triangles[faces]) for _ in range(2))
    origins, directions = a - 3 * (b - a), b - a
    locations, index_ray, index_tri = engine.RayMeshIntersector(box).intersects_location(origins, directions)
    assert len(locations) > 10000
    unit = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    away = np.linalg.norm(np.cross(locations - origins[index_ray], unit[index_ray]), axis=1)
    assert away.max() < 2.0**-19
    weights = trimesh.triangles.points_to_barycentric(box.triangles[index_tri], locations)
    assert weights.min() > -1e-12


def test_the_mesh_may_change(box, ray):
    origin, way = [[0.1, 0.2, 5.0]], [[0.0, 0.0, -1.0]]
    assert ray.intersects_location(origin, way)[0][0].tolist() == pytest.approx([0.1, 0.2, 0.5])
    built = ray._built
    ray.intersects_first(origin, way)
    assert ray._built is built
    box.vertices[:, 2] *= 2
    assert ray.intersects_location(origin, way)[0][0].tolist() == pytest.approx([0.1, 0.2, 1.0])
    box.apply_translation([10, 0, 0])
    assert not ray.intersects_any(origin, way)[0]
    box.update_faces(np.zeros(12, bool))
    assert not ray.intersects_any([[10.1, 0.2, 5.0]], way)[0]
    assert not ray.contains_points([[10.0, 0.0, 0.0]])[0]


def test_copies_and_pickles(box):
    box.ray = engine.RayMeshIntersector(box, scale_to_box=False, threads=1)
    first = box.ray.intersects_first(ORIGINS, DIRECTIONS)
    thawed = pickle.loads(pickle.dumps(box))
    assert type(thawed.ray) is engine.RayMeshIntersector and thawed.ray.mesh is thawed
    assert thawed.ray._built is None and thawed.ray._threads == 1 and not thawed.ray._scale_to_box
    assert np.array_equal(thawed.ray.intersects_first(ORIGINS, DIRECTIONS), first)
    for twin in (copy.copy(box.ray), copy.deepcopy(box.ray)):
        assert twin is not box.ray and twin.mesh is box and twin._threads == 1
        assert np.array_equal(twin.intersects_first(ORIGINS, DIRECTIONS), first)
    for mesh in (box.copy(), copy.deepcopy(box)):
        assert mesh.ray.mesh is mesh


@pytest.mark.parametrize(
    "mesh",
    [
        trimesh.Trimesh(),
        trimesh.Trimesh(vertices=[[0, 0, 0], [1, 0, 0], [0, 1, 0]], process=False),
        trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.zeros((0, 3), int), process=False),
        trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 0, 1], [2, 2, 2]], process=False),
    ],
)
def test_a_mesh_of_nothing_is_missed(mesh):
    ray = engine.RayMeshIntersector(mesh)
    assert ray.intersects_first(ORIGINS, DIRECTIONS).tolist() == [-1, -1, -1]
    assert not ray.intersects_any(ORIGINS, DIRECTIONS).any()
    assert ray.intersects_location(ORIGINS, DIRECTIONS)[0].shape == (0, 3)


def test_degenerate_triangles_keep_the_rows_of_others():
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0], [np.nan, 0, 0], [np.inf, 0, 1]])
    for shift in (0.0, 1e6):
        mesh = trimesh.Trimesh(corners + [shift, 0, 0], [[2, 2, 1], [0, 1, 4], [5, 1, 2], [0, 1, 2]], process=False)
        ray = engine.RayMeshIntersector(mesh)
        assert ray.intersects_id([[shift + 0.2, 0.2, 1]], [[0, 0, -1]])[0].tolist() == [3]


def test_faces_out_of_range_are_named():
    mesh = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 1, 7]], process=False)
    with pytest.raises(ValueError, match="faces row 1: names vertex 7"):
        engine.RayMeshIntersector(mesh).intersects_first([[0.2, 0.2, 1]], [[0, 0, -1]])


def test_inside_of_closed_meshes(box):
    random = np.random.default_rng(4)
    ball = engine.RayMeshIntersector(trimesh.creation.icosphere(4))
    points = random.uniform(-1.2, 1.2, (20000, 3))
    radius = np.linalg.norm(points, axis=1)
    inside = ball.contains_points(points)
    assert inside.dtype == np.bool_
    assert inside[radius < 0.997].all() and not inside[radius > 1].any()
    shell = trimesh.util.concatenate([box, trimesh.creation.box(extents=[0.1] * 3)])
    shell.faces[12:] = np.flip(shell.faces[12:], axis=1)
    assert engine.RayMeshIntersector(shell).contains_points([[0, 0, 0], [0.2, 0.2, 0.2]]).tolist() == [False, True]


@pytest.mark.parametrize("step", [1, -1])
def test_inside_of_doubled_faces(box, step):
    double = trimesh.Trimesh(box.vertices, np.vstack([box.faces, box.faces[:, ::step]]), process=False)
    ray = engine.RayMeshIntersector(double)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ray.contains_points([[0.1, 0.2, 0.3], [2.0, 0.0, 0.0]]).tolist() == [True, False]
    # The row of a face is the caller's.
    open_one = trimesh.Trimesh(box.vertices, np.vstack([box.faces[:1], box.faces[:-1]]), process=False)
    with pytest.warns(engine.OpenMeshWarning) as told:
        engine.RayMeshIntersector(open_one).contains_points([[0.1, 0.2, 0.3]])
    row = int(str(told[0].message).split("face ")[1].split(";")[0])
    assert set(open_one.faces[row]) & set(box.faces[-1])


@pytest.mark.parametrize("times", [2, 3])
def test_a_solid_that_is_there_twice_is_inside_once_with_vertices_of_its_own(times):
    solid = trimesh.creation.box((4, 4, 4))
    # A zero has a sign in the one and not in the other.
    solid.vertices[0] = [-2.0, 0.0, -2.0]
    twin = solid.copy()
    twin.vertices[0] = [-2.0, -0.0, -2.0]
    double = trimesh.util.concatenate([solid, twin, solid][:times])
    assert len(double.vertices) == 8 * times
    inside = engine.RayMeshIntersector(double).contains_points([[0, 0, 0], [1.5, 1.5, 1.5], [3, 0, 0]])
    assert inside.tolist() == [True, True, False]
    # Each corner of each triangle has a vertex of its own.
    loose = trimesh.Trimesh(double.triangles.reshape(-1, 3), np.arange(36 * times).reshape(-1, 3), process=False)
    assert engine.RayMeshIntersector(loose).contains_points([[0, 0, 0], [3, 0, 0]]).tolist() == [True, False]


def test_an_open_edge_is_named_by_its_row_among_faces_that_are_there_twice():
    box = trimesh.creation.box()
    loose = trimesh.Trimesh(box.triangles.reshape(-1, 3), np.arange(36).reshape(-1, 3), process=False)
    double = trimesh.util.concatenate([loose.submesh([[0]], append=True, repair=False), loose])
    double.update_faces(np.arange(13) < 12)
    with pytest.warns(engine.OpenMeshWarning, match="at an edge of face ") as caught:
        engine.RayMeshIntersector(double).contains_points([[0, 0, 0]])
    row = int(str(caught[0].message).split("face ")[1].split(";")[0])
    last = {tuple(corner) for corner in box.triangles[11]}
    assert row != 1 and len(last & {tuple(corner) for corner in double.triangles[row]}) == 2


def test_soup_that_is_closed_by_its_positions_is_closed(box):
    soup = trimesh.Trimesh(box.triangles.reshape(-1, 3), np.arange(36).reshape(-1, 3), process=False)
    assert not soup.is_watertight
    assert engine.RayMeshIntersector(soup).contains_points([[0, 0, 0], [1, 0, 0]]).tolist() == [True, False]


def test_open_meshes_answer_by_parity_and_warn(box):
    box.update_faces(np.arange(12) != 8)
    ray = engine.RayMeshIntersector(box)
    with pytest.warns(engine.OpenMeshWarning, match=r"^the mesh is open, at an edge of face \d+; "):
        inside = ray.contains_points([[0, 0, 0], [0.3, 0.1, 0.2], [3, 3, 3], [0.5, 0.5, 2.0]])
    assert inside.tolist() == [True, True, False, False]


@pytest.mark.parametrize("make", [trimesh.creation.icosphere, trimesh.creation.torus, trimesh.creation.annulus])
@pytest.mark.parametrize("part", [0.02, 0.2, 0.5])
def test_open_meshes_answer_by_the_rule_of_trimesh(monkeypatch, make, part):
    shape = {"r_min": 0.3, "r_max": 0.9, "height": 1.0} if make is trimesh.creation.annulus else {}
    if make is trimesh.creation.torus:
        shape = {"major_radius": 0.6, "minor_radius": 0.25}
    whole = make(**shape).subdivide()
    random = np.random.default_rng(5)
    mesh = trimesh.Trimesh(whole.vertices, whole.faces[random.random(len(whole.faces)) > part], process=False)
    points = random.uniform(-1, 1, (5000, 3))
    points[:100] = mesh.bounds.mean(axis=0) + np.ptp(mesh.bounds, axis=0) * random.uniform(0.4, 0.6, (100, 3))
    points[100:110, 0] = mesh.bounds[1, 0]
    # Where trimesh draws lots, it draws this.
    lot = SimpleNamespace(random=lambda count: engine._WAYS[1] + 0.5)
    monkeypatch.setattr(trimesh.util, "random_generator", lambda: lot)
    ray = engine.RayMeshIntersector(mesh)
    with pytest.warns(engine.OpenMeshWarning):
        inside = ray.contains_points(points)
    assert 0.02 < inside.mean() < 0.9
    np.testing.assert_array_equal(inside, trimesh.ray.ray_util.contains_points(ray, points))


def test_nothing_is_inside_of_an_open_mesh_without_a_whole_triangle():
    class Sheet:
        vertices: ClassVar = [[0, 0, 0], [1, 0, 0], [0, 1, np.nan]]
        faces: ClassVar = [[0, 1, 2]]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", engine.OpenMeshWarning)
        assert not engine.RayMeshIntersector(Sheet()).contains_points([[0.2, 0.2, 0.0]]).any()


def test_open_meshes_answer_nearly_always_right():
    ball = trimesh.creation.icosphere(3)
    ball.update_faces(np.arange(len(ball.faces)) % 40 != 0)
    points = np.random.default_rng(5).uniform(-1.2, 1.2, (20000, 3))
    radius = np.linalg.norm(points, axis=1)
    clear = (radius < 0.98) | (radius > 1.0)
    with pytest.warns(engine.OpenMeshWarning):
        inside = engine.RayMeshIntersector(ball).contains_points(points)
    assert np.mean(inside[clear] == (radius < 0.98)[clear]) > 0.97


def test_contains_warns_of_closed_meshes_never(box):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        engine.RayMeshIntersector(box).contains_points([[0, 0, 0]])


def test_threads_agree(ray):
    ball = trimesh.creation.icosphere(3)
    origins, directions = rays_at(ball, 5000, 6)
    one = engine.RayMeshIntersector(ball, threads=1).intersects_location(origins, directions)
    all_of_them = engine.RayMeshIntersector(ball).intersects_location(origins, directions)
    for a, b in zip(one, all_of_them, strict=True):
        assert np.array_equal(a, b)


def test_one_ray_is_as_many():
    ball = trimesh.creation.icosphere(3)
    ray = engine.RayMeshIntersector(ball)
    origins, directions = rays_at(ball, 200, 7)
    first = ray.intersects_first(origins, directions)
    for row in range(200):
        assert ray.intersects_first(origins[row : row + 1], directions[row : row + 1])[0] == first[row]


def test_the_engine_says_whose_it_is(ray):
    assert repr(ray).startswith("hitscan.trimesh.RayMeshIntersector(<trimesh.Trimesh(")
