"""`hitscan.compat` keeps Open3D's contract, as Open3D 0.20 was measured to have it."""

from __future__ import annotations

import inspect
from types import SimpleNamespace

import hitscan
import numpy as np
import pytest
from hitscan.compat import RaycastingScene, Tensor

INVALID = 0xFFFF_FFFF
SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)
HALVES = np.array([[0, 1, 2], [0, 2, 3]], np.uint32)
CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float32)
SIDES = np.array(
    [
        *([0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5]),
        *([0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6]),
        *([0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]),
    ],
    np.uint32,
)
RAYS = np.array(
    [
        [0.25, 0.5, 1, 0, 0, -2],
        [0.5, 0.5, 1, 0, 0, -2],
        [5, 5, 1, 0, 0, -1],
        [0.5, 0.25, 0, 0, 0, -1],
        [0.5, 0.25, 1, 0, 0, 0],
        [np.nan, 0, 1, 0, 0, -1],
    ],
    np.float32,
)


@pytest.fixture
def panes():
    """Two squares, one below the other."""
    scene = RaycastingScene()
    assert scene.add_triangles(SQUARE, HALVES) == 0
    assert scene.add_triangles(SQUARE - np.float32([0, 0, 1]), HALVES) == 1
    return scene


@pytest.fixture
def cube():
    scene = RaycastingScene()
    scene.add_triangles(CUBE, SIDES)
    return scene


def test_names_are_open3d_s():
    theirs = {
        "__init__": ["nthreads", "device"],
        "cast_rays": ["rays", "nthreads"],
        "test_occlusions": ["rays", "tnear", "tfar", "nthreads"],
        "count_intersections": ["rays", "nthreads"],
        "list_intersections": ["rays", "nthreads"],
        "compute_closest_points": ["query_points", "nthreads"],
        "compute_distance": ["query_points", "nthreads"],
        "compute_signed_distance": ["query_points", "nthreads", "nsamples"],
        "compute_occupancy": ["query_points", "nthreads", "nsamples"],
    }
    scene = RaycastingScene(nthreads=1)
    for name, names in theirs.items():
        assert list(inspect.signature(getattr(scene, name)).parameters) == names
    assert RaycastingScene.INVALID_ID == scene.INVALID_ID == INVALID


def test_cast_rays(panes):
    answer = panes.cast_rays(RAYS)
    assert list(answer) == ["t_hit", "geometry_ids", "primitive_ids", "primitive_uvs", "primitive_normals"]
    assert [one.dtype for one in answer.values()] == [np.float32, np.uint32, np.uint32, np.float32, np.float32]
    assert answer["t_hit"].tolist() == [0.5, 0.5, np.inf, 0.0, np.inf, np.inf]
    assert answer["geometry_ids"].tolist() == [0, 0, INVALID, 0, INVALID, INVALID]
    assert answer["primitive_ids"][[0, 2, 3, 4, 5]].tolist() == [1, INVALID, 0, INVALID, INVALID]
    assert answer["primitive_uvs"][[0, 2, 3]].tolist() == [[0.25, 0.25], [0, 0], [0.25, 0.25]]
    assert answer["primitive_normals"].tolist() == [[0, 0, 1], [0, 0, 1], [0, 0, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0]]


def test_answers_have_the_methods_of_tensors(panes):
    answer = panes.cast_rays(RAYS)
    assert all(type(one) is Tensor for one in answer.values())
    plain = answer["t_hit"].cpu().numpy()
    assert type(plain) is np.ndarray and np.shares_memory(plain, answer["t_hit"])
    hit = answer["t_hit"].isfinite()
    assert hit.tolist() == [True, True, False, True, False, False] and type(hit) is Tensor
    assert answer["t_hit"].isinf().tolist() == (~hit).tolist() and not answer["t_hit"].isnan().any()
    # As scripts have it: where hits are.
    places = RAYS[hit][:, :3] + RAYS[hit][:, 3:] * answer["t_hit"][hit].reshape((-1, 1))
    assert places.tolist() == [[0.25, 0.5, 0], [0.5, 0.5, 0], [0.5, 0.25, 0]]


def test_tensors_compare_and_convert_as_open3d_s(panes):
    t = panes.cast_rays(RAYS)["t_hit"]
    near = t.isfinite().logical_and(t > 0.25)
    other = SimpleNamespace(numpy=lambda: np.array([0.5, 0.6, np.inf, 1e-9, 0, 0]))
    assert near.tolist() == [True, True, False, False, False, False]
    assert near.logical_or(t == 0).tolist() == [True, True, False, True, False, False]
    assert near.logical_not().tolist() == (~near).tolist()
    assert t.isclose(other).tolist() == [True, False, True, True, False, False]
    assert t.isclose(other, 0.0, 0.2).tolist() == [True, True, True, True, False, False]
    assert (-t).abs().tolist() == t.tolist()
    copied = t.clone()
    assert copied.tolist() == t.tolist() and not np.shares_memory(copied, t)
    found = (near, near.logical_or(near), near.logical_not(), t.isclose(other), t.abs(), copied, t.to(np.float64))
    assert all(type(one) is Tensor for one in found)
    # What is left of many numbers is a tensor, too.
    assert all(type(one.numpy()) is np.ndarray for one in (t.min(), t.sum(), near.any(), t.reshape((2, 3)).max(0)))


class Dtype:
    """Open3D's class of types has this name, and tells theirs so."""

    def __str__(self):
        return "Int64"


def test_tensors_go_to_other_types_and_to_a_cpu(panes):
    t = panes.cast_rays(RAYS)["t_hit"][:2]
    assert [t.to(kind).dtype.name for kind in (np.float64, "int32", Dtype(), bool)] == ["float64", "int32", "int64", "bool"]
    for same in (t.to(np.float32), t.to("CPU:0")):
        assert np.shares_memory(same, t) and type(same) is Tensor
    for copied in (t.to(np.float32, copy=True), t.to("CPU:0", True)):
        assert not np.shares_memory(copied, t) and copied.tolist() == t.tolist() and type(copied) is Tensor
    with pytest.raises(TypeError, match="^kind is 'CUDA:0'; expected a type of numbers, or a CPU$"):
        t.to("CUDA:0")


@pytest.mark.parametrize("shape", [(4,), (2, 2), (4, 1, 1), (1, 2, 2, 1)])
def test_any_leading_shape(panes, shape):
    rays = RAYS[:4].reshape(*shape, 6)
    answer = panes.cast_rays(rays)
    assert answer["t_hit"].shape == answer["primitive_ids"].shape == shape
    assert answer["primitive_uvs"].shape == (*shape, 2) and answer["primitive_normals"].shape == (*shape, 3)
    assert panes.test_occlusions(rays).shape == panes.count_intersections(rays).shape == shape
    points = rays[..., :3]
    assert panes.compute_closest_points(points)["points"].shape == (*shape, 3)
    for ask in (panes.compute_distance, panes.compute_signed_distance, panes.compute_occupancy):
        assert ask(points).shape == shape and ask(points).dtype == np.float32


def test_no_rays(panes):
    none = np.zeros((0, 6), np.float32)
    assert panes.cast_rays(none)["primitive_uvs"].shape == (0, 2)
    assert panes.test_occlusions(none).shape == panes.count_intersections(none).shape == (0,)
    lists = panes.list_intersections(none)
    assert lists["ray_splits"].tolist() == [0] and lists["primitive_uvs"].shape == (0, 2)
    assert panes.compute_closest_points(none[:, :3])["points"].shape == (0, 3)


def test_occlusions_in_an_interval(panes):
    assert panes.test_occlusions(RAYS).tolist() == [True, True, False, True, False, False]
    assert panes.test_occlusions(RAYS, tnear=0.0, tfar=0.25).tolist() == [False, False, False, True, False, False]
    assert panes.test_occlusions(RAYS, 0.75, 1.0).tolist() == [True, True, False, True, False, False]
    assert not panes.test_occlusions(RAYS, tnear=1.5).any()
    assert not panes.test_occlusions(RAYS, tnear=1.0, tfar=0.5).any()


def test_counts_take_a_crossing_of_an_edge_once(panes):
    count = panes.count_intersections(RAYS)
    assert count.tolist() == [2, 2, 0, 2, 0, 0] and count.dtype == np.int32


def test_lists_are_sorted_by_ray_and_t(panes):
    lists = panes.list_intersections(RAYS[:4].reshape(2, 2, 6))
    assert list(lists) == ["ray_splits", "ray_ids", "t_hit", "geometry_ids", "primitive_ids", "primitive_uvs"]
    assert [one.dtype for one in lists.values()] == [
        np.uint32, np.uint32, np.float32, np.uint32, np.uint32, np.float32
    ]  # fmt: skip
    assert lists["ray_splits"].tolist() == [0, 2, 4, 4, 6]
    assert lists["ray_ids"].tolist() == [0, 0, 1, 1, 3, 3]
    assert lists["t_hit"].tolist() == [0.5, 1.0, 0.5, 1.0, 0.0, 1.0]
    assert lists["geometry_ids"].tolist() == [0, 1] * 3
    assert lists["primitive_uvs"].shape == (6, 2)


def test_meshes_may_be_added_later(panes):
    assert panes.count_intersections(RAYS)[0] == 2
    assert panes.add_triangles(SQUARE - np.float32([0, 0, 2]), HALVES) == 2
    assert panes.count_intersections(RAYS)[0] == 3


def test_an_empty_scene_is_missed_and_infinitely_far():
    for scene in (RaycastingScene(), RaycastingScene(nthreads=1)):
        answer = scene.cast_rays(RAYS)
        assert np.isinf(answer["t_hit"]).all() and (answer["geometry_ids"] == INVALID).all()
        assert scene.compute_distance([[0, 0, 1]]).tolist() == [np.inf]
        assert scene.compute_occupancy([[0, 0, 1]]).tolist() == [0]
        assert scene.add_triangles(SQUARE[:0], HALVES[:0]) == 0
        assert scene.count_intersections(RAYS).tolist() == [0] * 6


def test_distances(cube):
    points = np.array([[0.5, 0.5, 0.5], [0.5, 0.5, 0.125], [2, 0.5, 0.5], [-1, -1, -1], [np.nan, 0, 0]], np.float32)
    far = np.float32(np.sqrt(3))
    assert cube.compute_distance(points)[:4].tolist() == [0.5, 0.125, 1.0, far]
    assert cube.compute_signed_distance(points)[:4].tolist() == [-0.5, -0.125, 1.0, far]
    surface = cube.compute_signed_distance(np.array([[x, y, z] for x in (0, 0.5, 1) for y in (0, 0.25, 1) for z in (0, 1)]))
    assert (surface == 0).all() and not np.signbit(surface).any()
    assert np.isnan(cube.compute_distance(points)[4]) and np.isnan(cube.compute_signed_distance(points)[4])
    assert cube.compute_occupancy(points).tolist() == [1, 1, 0, 0, 0]


def test_closest_points(cube):
    nearest = cube.compute_closest_points(np.array([[0.25, 0.5, 0.125], [3, 0.5, 0.25], [np.nan, 0, 0]], np.float32))
    assert list(nearest) == ["points", "geometry_ids", "primitive_ids", "primitive_uvs", "primitive_normals"]
    assert nearest["points"].tolist() == [[0.25, 0.5, 0.0], [1.0, 0.5, 0.25], [0, 0, 0]]
    assert nearest["geometry_ids"].tolist() == [0, 0, INVALID]
    assert nearest["primitive_normals"].tolist() == [[0, 0, -1], [1, 0, 0], [0, 0, 0]]
    assert nearest["primitive_ids"][2] == INVALID
    for row in range(2):
        a, b, c = CUBE[SIDES[nearest["primitive_ids"][row]]]
        u, v = nearest["primitive_uvs"][row]
        assert ((1 - u - v) * a + u * b + v * c).tolist() == pytest.approx(nearest["points"][row].tolist())


def test_normals_of_the_right_mesh(panes, cube):
    panes.add_triangles(CUBE + np.float32([5, 0, 0]), SIDES[:, ::-1])
    nearest = panes.compute_closest_points([[0.5, 0.25, 0.25], [5.5, 0.5, 1.5]])
    assert nearest["geometry_ids"].tolist() == [0, 2]
    assert nearest["primitive_normals"].tolist() == [[0, 0, 1], [0, 0, -1]]


def test_normals_without_area_are_zero():
    scene = RaycastingScene()
    scene.add_triangles([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]])
    assert scene.compute_closest_points([[1, 1, 0]])["primitive_normals"].tolist() == [[0, 0, 0]]


def test_inside_is_the_parity_of_all_meshes_together(cube):
    # As Open3D has it: a cube within a cube is a hole.
    cube.add_triangles(CUBE * np.float32(0.5) + np.float32(0.25), SIDES)
    points = [[0.5, 0.5, 0.5], [0.125, 0.125, 0.125], [2, 2, 2]]
    assert cube.compute_occupancy(points).tolist() == [0, 1, 0]
    assert cube.compute_signed_distance(points).tolist()[:2] == [0.25, -0.125]


@pytest.mark.parametrize("samples", [1, 3, 5, 11])
def test_samples_agree_on_closed_meshes(cube, samples):
    points = np.random.default_rng(1).uniform(-0.5, 1.5, (500, 3))
    inside = ((points > 0) & (points < 1)).all(axis=1)
    assert np.array_equal(cube.compute_occupancy(points, nsamples=samples), inside.astype(np.float32))
    assert np.array_equal(cube.compute_signed_distance(points, nsamples=samples) < 0, inside)


@pytest.mark.parametrize("samples", [0, 2, -1])
def test_samples_are_odd(cube, samples):
    for ask in (cube.compute_occupancy, cube.compute_signed_distance):
        with pytest.raises(ValueError, match=rf"^nsamples is {samples}; expected an odd number of at least 1$"):
            ask([[0, 0, 0]], nsamples=samples)


def test_samples_vote_where_a_mesh_is_open(cube):
    scene = RaycastingScene()
    scene.add_triangles(CUBE, SIDES[:-1])
    points = np.random.default_rng(2).uniform(0.05, 0.95, (2000, 3))
    one, many = (scene.compute_occupancy(points, nsamples=n).mean() for n in (1, 31))
    assert one < many and many > 0.95


def test_other_people_s_arrays(panes):
    held = SimpleNamespace(numpy=lambda: RAYS)
    expected = panes.cast_rays(RAYS)["t_hit"]
    assert np.array_equal(panes.cast_rays(held)["t_hit"], expected)
    assert np.array_equal(panes.cast_rays(RAYS.astype(np.float64))["t_hit"], expected)
    assert np.array_equal(panes.cast_rays(np.asfortranarray(RAYS))["t_hit"], expected)
    assert np.array_equal(panes.cast_rays(RAYS.tolist())["t_hit"], expected)


@pytest.mark.parametrize(
    "mesh",
    [
        SimpleNamespace(vertex={"positions": SQUARE}, triangle={"indices": HALVES}),
        SimpleNamespace(vertices=SQUARE.astype(np.float64), triangles=HALVES.astype(np.int32)),
        SimpleNamespace(vertices=SQUARE.astype(np.float64), faces=HALVES.astype(np.int64)),
        hitscan.Mesh(SQUARE, HALVES),
    ],
)
def test_meshes_of_others(mesh):
    scene = RaycastingScene()
    assert [scene.add_triangles(mesh), scene.add_triangles(mesh=mesh)] == [0, 1]
    assert scene.count_intersections(RAYS).tolist() == [2, 2, 0, 2, 0, 0]


def test_one_mesh_answers_as_it_does_among_others():
    random = np.random.default_rng(4)
    rays = random.uniform(-1, 2, (2000, 6)).astype(np.float32)
    alone, among = RaycastingScene(), RaycastingScene()
    for scene in (alone, among):
        scene.add_triangles(CUBE, SIDES)
    among.add_triangles(CUBE[:0], SIDES[:0])
    for name, given in (("cast_rays", rays), ("list_intersections", rays), ("compute_closest_points", rays[:, :3])):
        one, other = getattr(alone, name)(given), getattr(among, name)(given)
        assert all(np.array_equal(one[key], other[key]) for key in one), name


def test_float64_corners_keep_their_digits():
    offset = np.array([500000.1, 4649776.2, 120.3])
    scene = RaycastingScene()
    scene.add_triangles(CUBE + offset, SIDES)
    points = np.array([[0.25, 0.5, 0.0625], [0.5, 0.25, 0.9375]]) + offset
    assert scene.compute_signed_distance(points).tolist() == pytest.approx([-0.0625, -0.0625], abs=1e-6)
    down = np.column_stack([points + [0, 0, 5], np.tile([0.0, 0.0, -1.0], (2, 1))])
    assert scene.cast_rays(down)["t_hit"].tolist() == pytest.approx([4.0625, 4.9375], abs=1e-6)


def test_corners_that_are_not_finite_take_their_triangles_along():
    corners = np.vstack([SQUARE, np.float32([[np.nan, 0, 0]])])
    for kind in (np.float32, np.float64):
        scene = RaycastingScene()
        scene.add_triangles(corners.astype(kind), np.vstack([[[0, 1, 4]], HALVES]))
        assert scene.cast_rays([[0.75, 0.25, 1, 0, 0, -1]])["primitive_ids"].tolist() == [1]


@pytest.mark.parametrize("threads", [0, 1, 2])
def test_threads_agree(panes, threads):
    for name in ("cast_rays", "list_intersections"):
        own, other = getattr(panes, name)(RAYS, nthreads=threads), getattr(panes, name)(RAYS)
        assert all(np.array_equal(own[key], other[key]) for key in own)


def test_errors_have_the_names_of_open3d(panes):
    scene = RaycastingScene()
    for triangles in ([[0, 1, 9]], [[0.0, 1.0, 2.0]], [[0, 1]]):
        with pytest.raises((ValueError, TypeError), match="^triangle_indices "):
            scene.add_triangles(np.eye(3), triangles)
    with pytest.raises(hitscan.HitscanError) as caught:
        scene.add_triangles(np.eye(3), [[0, 1, 2], [0, 1, 9]])
    assert (caught.value.argument, caught.value.row) == ("triangle_indices", 1)
    for question in (panes.cast_rays, panes.test_occlusions, panes.count_intersections, panes.list_intersections):
        with pytest.raises(ValueError, match=r"^rays has the shape \(2, 3\); expected \(..., 6\)"):
            question(np.zeros((2, 3)))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda s: s.test_occlusions(RAYS, tnear="a"), TypeError, "tnear has the dtype <U1"),
        (lambda s: s.test_occlusions(RAYS, tfar=None), TypeError, "tfar has the dtype object"),
        (lambda s: s.test_occlusions(RAYS, tfar=[1, 2]), ValueError, r"tfar has the shape \(2,\); expected one that goes"),
        (lambda s: s.test_occlusions(RAYS, tfar=10**400), ValueError, "tfar is a whole number that float64 does not"),
        (lambda s: s.compute_closest_points([1, 2]), ValueError, r"query_points has the shape \(2,\); expected"),
        (lambda s: s.compute_closest_points("a"), TypeError, "query_points has the dtype <U1"),
        (lambda s: s.cast_rays(RAYS, nthreads=5000), ValueError, "nthreads is 5000; expected 0 for all, or 1 to 1024"),
        (lambda s: s.cast_rays(RAYS, nthreads=1.5), TypeError, "nthreads is 1.5; expected a whole number"),
        (lambda s: RaycastingScene(nthreads=1 << 70), ValueError, "nthreads is 1.181e.21; expected 0 for all"),
        (lambda s: s.compute_occupancy([0, 0, 0], nsamples=1.5), TypeError, "nsamples is 1.5; expected a whole number"),
        (lambda s: s.add_triangles(SQUARE, [[0, 1, 2], [0]]), (ValueError, TypeError), "triangle_indices"),
        (lambda s: s.add_triangles(SQUARE, mesh=hitscan.Mesh(SQUARE, HALVES)), TypeError, "add_triangles takes a mesh or"),
    ],
)
def test_errors_name_what_the_caller_passed(panes, call, error, message):
    with pytest.raises(error, match=f"^{message}"):
        call(panes)


@pytest.mark.parametrize(
    ("offset", "size", "dtype"), [(1e300, 0.0, float), (1e31, 1.0, float), (2e30, 1e29, float), (2e30, 1.0, np.float32)]
)
def test_corners_that_are_too_far_away_are_named(offset, size, dtype):
    # The first one stands there, and the next one is nobody's.
    corners = np.array([[0, 0, 0], [0, 1e35, 0], [size, offset, 0], [0, offset, size], [size, offset, size]], dtype)
    scene = RaycastingScene()
    with pytest.raises(hitscan.HitscanError, match=r"^vertex_positions row 2: y is \S+; a mesh needs .* 2\^100") as caught:
        scene.add_triangles(corners, [[2, 3, 4], [1, 1, 1]])
    assert (caught.value.argument, caught.value.row) == ("vertex_positions", 2)
    # Nothing of it is kept.
    assert scene.add_triangles(SQUARE, HALVES) == 0 and scene.cast_rays(RAYS)["t_hit"].isfinite().any()


def test_a_tuple_of_points_is_points_for_every_question(panes):
    points = (np.array([0.2, 0.1, 3.0]), np.array([0.3, 0.1, 2.0]), np.array([0.4, 0.1, 1.0]))
    nearest = panes.compute_closest_points(points)
    np.testing.assert_array_equal(nearest["points"], panes.compute_closest_points(np.array(points))["points"])


def test_a_tuple_of_rays_is_rays_for_every_question(panes):
    for count in (2, 6):
        rows = np.tile(RAYS[:2], (3, 1))[:count]
        for name in ("cast_rays", "list_intersections", "test_occlusions", "count_intersections"):
            found, expected = getattr(panes, name)(tuple(rows)), getattr(panes, name)(rows)
            if isinstance(found, Tensor):
                found, expected = {"": found}, {"": expected}
            assert all(np.array_equal(found[key], expected[key]) for key in expected), (name, count)


def test_one_question_has_tensors_too(panes, cube):
    answers = {
        **panes.cast_rays(RAYS[0]),
        **panes.compute_closest_points([0.5, 0.5, 0.25]),
        "occluded": panes.test_occlusions(RAYS[0]),
        "count": panes.count_intersections(RAYS[0]),
        "distance": cube.compute_distance([0.5, 0.5, 0.25]),
        "signed": cube.compute_signed_distance([0.5, 0.5, 0.25]),
        "inside": cube.compute_occupancy([0.5, 0.5, 0.25]),
    }
    for name, answer in answers.items():
        assert type(answer) is Tensor and type(answer.numpy()) is np.ndarray, name
    assert [answers[name].shape for name in ("t_hit", "distance", "signed", "inside")] == [()] * 4
    assert answers["signed"].item() == -0.25


def test_points_and_rays_that_are_too_far_away(cube):
    points = [[0.5, 0.5, 1e31], [0.5, 0.5, -(2.0**100)]]
    assert np.isnan(cube.compute_distance(points)).tolist() == [True, False]
    assert np.isnan(cube.compute_signed_distance(points)).tolist() == [True, False]
    assert cube.compute_occupancy(points).tolist() == [0, 0]
    assert cube.compute_closest_points(points)["geometry_ids"].tolist() == [INVALID, 0]
    rays = [[*point, 0, 0, 1 if point[2] < 0 else -1] for point in points]
    assert cube.cast_rays(rays)["t_hit"].isfinite().tolist() == [False, True]


def test_what_cannot_be_taken(panes):
    with pytest.raises(ValueError, match=r"expected \(\.\.\., 6\)"):
        panes.cast_rays(RAYS[:, :5])
    with pytest.raises(ValueError, match=r"^query_points has the shape \(6, 6\); expected \(\.\.\., 3\)$"):
        panes.compute_distance(RAYS)
    with pytest.raises(TypeError):
        panes.cast_rays(RAYS.astype(complex))
    with pytest.raises(ValueError, match=r"^nthreads is -1; expected 0 for all, or 1 to 1024$"):
        panes.cast_rays(RAYS, nthreads=-1)
    with pytest.raises(ValueError, match="names vertex 9"):
        panes.add_triangles(SQUARE, [[0, 1, 9]])
    with pytest.raises(ValueError, match=r"^vertex_positions has the shape \(4, 2\); expected \(n, 3\)$"):
        panes.add_triangles(SQUARE[:, :2], HALVES)
    with pytest.raises(TypeError, match="whole numbers"):
        panes.add_triangles(SQUARE, HALVES.astype(np.float32))
    with pytest.raises(TypeError, match=r"^mesh is a dict; "):
        panes.add_triangles({})
    with pytest.raises(TypeError, match="both"):
        panes.add_triangles(SQUARE, HALVES, mesh=hitscan.Mesh(SQUARE, HALVES))
    with pytest.raises(ValueError, match=r"^device is CUDA:0; expected a CPU$"):
        RaycastingScene(device="CUDA:0")
    assert panes.add_triangles(SQUARE, HALVES) == 2


def test_pinhole_by_matrices():
    inner = np.array([[100, 3, 32], [0, 90, 24], [0, 0, 1.0]])
    c, s = np.cos(0.3), np.sin(0.3)
    outer = np.array([[c, -s, 0, 1], [s, c, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]])
    rays = RaycastingScene.create_rays_pinhole(inner, outer, 64, 48)
    assert rays.shape == (48, 64, 6) and rays.dtype == np.float32
    origin, way = rays[7, 11, :3].astype(float), rays[7, 11, 3:].astype(float)
    # All of a ray is seen at its pixel's centre, and its first unit is one deep.
    for t in (1.0, 2.5):
        at = outer[:3, :3] @ (origin + t * way) + outer[:3, 3]
        assert at[2] == pytest.approx(t, abs=1e-5)
        assert ((inner @ at)[:2] / at[2]).tolist() == pytest.approx([11.5, 7.5], abs=1e-3)
    named = RaycastingScene.create_rays_pinhole(
        intrinsic_matrix=inner, extrinsic_matrix=outer, width_px=64, height_px=48
    )
    assert np.array_equal(rays, named)


def test_pinhole_by_angle():
    # The corners of a picture that Open3D 0.20.0 made.
    rays = RaycastingScene.create_rays_pinhole(90, [0, 0, 0], [2, 3, 4], [0, 1, 0], 64, 48)
    assert rays.shape == (48, 64, 6) and rays.dtype == np.float32
    corners = rays[[0, 0, 47, 24], [0, 63, 63, 32]]
    assert (corners[:, :3] == [2, 3, 4]).all()
    expected = [
        [0.6920205950737, -1.166951298713684, -0.8170880675315857],
        [-1.068882942199707, -1.166951298713684, 0.06336373090744019],
        [-1.4348020553588867, 0.052779316902160645, -0.668474555015564],
        [-0.3892589211463928, -0.544110119342804, -0.7435790300369263],
    ]
    assert np.abs(corners[:, 3:] - expected).max() < 1e-6


def test_pinhole_of_bad_arguments():
    make = RaycastingScene.create_rays_pinhole
    with pytest.raises(TypeError, match="fov_deg"):
        make(np.eye(3), np.eye(4), 3)
    with pytest.raises(TypeError, match="fov_deg"):
        make(intrinsic_matrix=np.eye(3), extrinsic_matrix=np.eye(4), width=3, height_px=2)
    with pytest.raises(ValueError, match=r"^intrinsic_matrix has the shape \(4, 4\); expected \(3, 3\)$"):
        make(np.eye(4), np.eye(4), 3, 2)
    with pytest.raises(ValueError, match="no inverse"):
        make(np.zeros((3, 3)), np.eye(4), 3, 2)
    with pytest.raises(ValueError, match="with an up"):
        make(90, [0, 0, 0], [0, 1, 0], [0, 2, 0], 3, 2)
    with pytest.raises(ValueError, match="fov_deg is 180"):
        make(180, [0, 0, 0], [0, 0, 1], [0, 1, 0], 3, 2)
    with pytest.raises(ValueError, match="width_px is -3"):
        make(np.eye(3), np.eye(4), -3, 2)
    assert make(np.eye(3), np.eye(4), 0, 2).shape == (2, 0, 6)
    for bad in (np.nan, np.inf):
        inner, outer = np.eye(3), np.eye(4)
        inner[0, 1] = outer[0, 3] = bad
        with pytest.raises(ValueError, match=f"^intrinsic_matrix has {bad}; expected finite numbers$"):
            make(inner, np.eye(4), 3, 2)
        with pytest.raises(ValueError, match=f"^extrinsic_matrix has {bad}; expected finite numbers$"):
            make(np.eye(3), outer, 3, 2)
        with pytest.raises(ValueError, match=f"^eye has {bad}; expected finite numbers$"):
            make(90, [0, 0, 0], [0, bad, 0], [0, 0, 1], 3, 2)
    with pytest.raises(ValueError, match="^intrinsic_matrix has an inverse that float64 does not hold"):
        make(np.eye(3) * 1e-310, np.eye(4), 3, 2)
    with pytest.raises(TypeError, match="^fov_deg has the dtype <U4"):
        make("wide", [0, 0, 0], [0, 0, 1], [0, 1, 0], 3, 2)
    with pytest.raises(TypeError, match="^height_px is 2.5; expected a whole number"):
        make(90, [0, 0, 0], [0, 0, 1], [0, 1, 0], 3, 2.5)


def test_against_open3d_itself():
    open3d = pytest.importorskip("open3d")
    random = np.random.default_rng(3)
    theirs, own = open3d.t.geometry.RaycastingScene(), RaycastingScene()
    for mesh in (open3d.t.geometry.TriangleMesh.create_torus(2, 0.5), open3d.t.geometry.TriangleMesh.create_sphere()):
        assert theirs.add_triangles(mesh) == own.add_triangles(mesh)
    rays = random.uniform(-3, 3, (5, 4000, 6)).astype(np.float32)
    a, b = theirs.cast_rays(rays), own.cast_rays(rays)
    assert a.keys() == b.keys()
    same = a["primitive_ids"].numpy() == b["primitive_ids"]
    assert same.mean() > 0.9999
    for key in a:
        one, other = a[key].numpy(), b[key].numpy()
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
        assert np.allclose(one[same], other[same], atol=1e-3)
    assert np.mean(theirs.count_intersections(rays).numpy() == own.count_intersections(rays)) > 0.9999
    assert np.mean(theirs.test_occlusions(rays).numpy() == own.test_occlusions(rays)) > 0.9999
    a, b = theirs.list_intersections(rays), own.list_intersections(rays)
    assert a.keys() == b.keys() and [a[key].numpy().dtype for key in b] == [one.dtype for one in b.values()]
    points = random.uniform(-3, 3, (5, 1000, 3)).astype(np.float32)
    assert np.allclose(theirs.compute_distance(points).numpy(), own.compute_distance(points), atol=1e-5)
    # The torus of Open3D and the sphere are closed; what differs lies on them.
    assert np.mean(theirs.compute_occupancy(points).numpy() == own.compute_occupancy(points)) > 0.999
    a, b = theirs.compute_closest_points(points), own.compute_closest_points(points)
    assert a.keys() == b.keys()
    assert np.allclose(a["points"].numpy(), b["points"], atol=2e-3)
    for arguments in (
        (np.array([[100, 3, 32], [0, 90, 24], [0, 0, 1.0]]), np.eye(4), 64, 48),
        (70.0, [0.1, 0.2, 0.3], [2.0, 3.0, 4.0], [0.1, 1.0, 0.2], 33, 48),
    ):
        other = RaycastingScene.create_rays_pinhole(*arguments)
        assert np.allclose(theirs.create_rays_pinhole(*arguments).numpy(), other, atol=1e-6)
