"""Input that is wrong: an exception of the fitting kind, which names the argument and the first bad row; no crash."""

from __future__ import annotations

import os
import pickle

import hitscan
import hypothesis.extra.numpy as arrays
import numpy as np
import pytest
from hitscan import HitscanError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

TRIANGLE = ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])


@pytest.mark.parametrize(
    ("vertices", "faces", "error", "message"),
    [
        ([[0, 0, 0], [1, np.nan, 0]], [], HitscanError, "vertices row 1: y is NaN; a mesh needs finite"),
        ([[0, 0, 0], [1, 0, -np.inf]], [], HitscanError, "vertices row 1: z is -inf"),
        ([[0, 1e300, 0]], [], HitscanError, r"vertices row 0: y is 1e300; .* at most 2\^100"),
        (TRIANGLE[0], [[0, 1, 2], [0, 1, 3]], HitscanError, r"faces row 1: names vertex 3; the mesh has 3 \(0 to 2\)"),
        (TRIANGLE[0], [[0, 1, -1]], HitscanError, "faces row 0: names vertex -1"),
        (TRIANGLE[0], [[0, 1, 2**40]], HitscanError, "faces row 0: names vertex 1099511627776"),
        ([], [[0, 1, 2]], ValueError, r"vertices has the shape \(0,\)"),
        (np.zeros((0, 3)), [[0, 1, 2]], HitscanError, "faces row 0: names vertex 0; the mesh has none"),
        (TRIANGLE[0], [[0.0, 1.0, 2.0]], TypeError, "faces has the dtype float64; expected whole numbers"),
        (TRIANGLE[0], [[True, False, True]], TypeError, "faces has the dtype bool"),
        (TRIANGLE[0], [[0, 1, 2, 3]], ValueError, r"faces has the shape \(1, 4\); expected \(m, 3\)"),
        (TRIANGLE[0], [0, 1, 2], ValueError, r"faces has the shape \(3,\)"),
        (TRIANGLE[0], np.array([[2**64 - 1, 0, 0]], np.uint64), ValueError, "faces has numbers beyond"),
        ([[0, 0]], [], ValueError, r"vertices has the shape \(1, 2\); expected \(n, 3\)"),
        ([[[0, 0, 0]]], [], ValueError, r"vertices has the shape \(1, 1, 3\); expected \(n, 3\)"),
        ("vertices", [], TypeError, "vertices has the dtype <U8"),
        ([["a", "b", "c"]], [], TypeError, "vertices has the dtype <U1"),
        (TRIANGLE[0], None, TypeError, "^faces is missing, and vertices is a list; expected both, or a mesh of"),
        ([[1j, 0, 0]], [], TypeError, "vertices has the dtype complex128"),
        ([[None, 0, 0]], [], TypeError, "vertices has the dtype object"),
        ([[True, False, True]], [], TypeError, "vertices has the dtype bool"),
        # NumPy 1 makes an array of lists of it.
        ([[0, 0, 0], [1, 2]], [], (ValueError, TypeError), "vertices(: .*inhomogeneous| has the dtype object)"),
    ],
)
def test_meshes(vertices, faces, error, message):
    with pytest.raises(error, match=message):
        hitscan.Mesh(vertices, faces)


def test_what_an_error_knows():
    with pytest.raises(HitscanError) as caught:
        hitscan.Mesh(TRIANGLE[0], [[0, 1, 2], [0, 1, 3]])
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.argument, error.row, str(error)) == ("faces", 1, str(caught.value))
    assert isinstance(error, ValueError)


@pytest.mark.parametrize(
    ("ray", "message"),
    [
        ([0, 0, np.nan, 0, 0, 1], "oz is NaN; a ray needs finite numbers"),
        ([0, 0, 0, 0, np.inf, 1], "dy is inf"),
        ([1e31, 0, 0, 0, 0, 1], "ox is 1e31; the ends of a ray need coordinates of at most"),
        ([0, 0, 0, 0, 0, 0], "the direction is zero"),
        ([0, 0, 0, 0, 0, 1e-300], "the direction's largest component is 1e-300"),
    ],
)
def test_rays(mesh, ray, message):
    many = np.tile([0.0, 0.0, 5.0, 0.0, 0.0, -1.0], (5000, 1))
    many[4321] = many[4500] = ray
    for question in (mesh.closest, mesh.occluded, mesh.count, mesh.all_hits, mesh.intervals):
        with pytest.raises(HitscanError, match=f"rays row 4321: {message}") as caught:
            question(many)
        assert caught.value.row == 4321
    with pytest.raises(HitscanError, match=f"ray: {message}"):
        mesh.closest_one(ray[:3], ray[3:])
    good = np.delete(many, [4321, 4500], axis=0)
    sound = mesh.closest(many, invalid="miss")
    assert sound.invalid == 2 and "2 invalid" in repr(sound)
    assert sound.t[4321] == np.inf and sound.prim[4500] == -1
    np.testing.assert_array_equal(np.delete(sound.t, [4321, 4500]), mesh.closest(good).t)
    counts = mesh.count(many, invalid="miss")
    assert counts[4321] == 0
    np.testing.assert_array_equal(np.delete(counts, [4321, 4500]), mesh.count(good))
    lists, without = mesh.all_hits(many, invalid="miss"), mesh.all_hits(good)
    np.testing.assert_array_equal(lists.t, without.t)
    assert lists.invalid == 2 and lists.count[4321] == 0
    assert not mesh.occluded(many, invalid="miss")[4321]
    few = mesh.closest(many, invalid="miss", columns=("t",))
    np.testing.assert_array_equal(few.t, sound.t)
    assert mesh.closest(np.tile(ray, (3000, 1)), invalid="miss").invalid == 3000


def test_the_first_of_many_bad_rows_is_named(mesh):
    rays = np.tile([0.0, 0.0, 5.0, 0.0, 0.0, -1.0], (200_000, 1))
    rays[77_777:, 3:] = 0
    for _ in range(10):
        with pytest.raises(HitscanError, match="rays row 77777: the direction is zero"):
            mesh.occluded(rays)


def test_points(box):
    points = np.zeros((3, 4, 3))
    points[2, 1, 1] = np.nan
    for question in (box.contains, box.closest_point, box.signed_distance, box.winding_number):
        with pytest.raises(HitscanError, match="points row 9: y is NaN; a point needs finite numbers"):
            question(points)
    assert box.contains(points, invalid="miss")[2].tolist() == [True, False, True, True]
    assert box.closest_point(points, invalid="miss").invalid == 1
    below = box.heights([[0.5, 0.5]] * 3, below=[9, np.nan, 9], invalid="miss")
    assert below.invalid == 1 and below.hit.tolist() == [True, False, True]
    assert np.isnan(box.signed_distance(points, invalid="miss")[2, 1])
    around = box.winding_number(points, invalid="miss")
    assert np.isnan(around[2, 1]) and np.isnan(around).sum() == 1
    for argument, call in {
        "eyes": lambda: box.sight(points, [0, 0, 0]),
        "targets": lambda: box.sight(points[0], points, pairs="all"),
    }.items():
        with pytest.raises(HitscanError, match=f"{argument} row 9: y is NaN; a point needs finite numbers") as caught:
            call()
        assert (caught.value.argument, caught.value.row) == (argument, 9)
    # In the words of places, which have no origin.
    for place, up, message in (
        ([0, np.inf], "+y", "z is inf; a place needs finite numbers"),
        ([0.2, np.nan], "+z", "y is NaN; a place needs finite numbers"),
        ([1e31, 0], "-x", r"y is 1e31; a place needs coordinates of at most 2\^100"),
    ):
        with pytest.raises(HitscanError, match=f"^places row 1: {message}$") as caught:
            box.heights([[0, 0], place], up=up)
        assert (caught.value.argument, caught.value.row) == ("places", 1)
    for below, message in ((np.inf, "row 0: is inf"), ([9, np.nan], "row 1: is NaN"), ([9, 1e31], "row 1: is 1e31")):
        with pytest.raises(HitscanError, match=f"below {message}; expected a finite height of at most") as caught:
            box.heights([[0.5, 0.5]] * 2, below=below)
        assert caught.value.argument == "below"
    # Its own rows, where each goes with several places or all of them are gone through again.
    places = np.full((4, 3, 2), 0.5)
    for below, row in ((np.array([9, 9, np.nan]), 2), (np.array([[9], [9], [9], [np.nan]]), 3)):
        with pytest.raises(HitscanError, match=f"^below row {row}: is NaN") as caught:
            box.heights(places, below=below)
        assert (caught.value.argument, caught.value.row) == ("below", row)


@pytest.mark.parametrize(
    ("call", "argument", "row"),
    [
        (lambda: hitscan.Mesh(TRIANGLE[0], TRIANGLE[1] * 3, materials=[0, 0, -1]), "materials", 2),
        (lambda: hitscan.Mesh(TRIANGLE[0], TRIANGLE[1] * 3, materials=[0, 2**31, -1]), "materials", 1),
        (lambda: hitscan.ConvexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [np.nan, 0, 0]]), "points", 3),
        (lambda: hitscan.Sphere([0, 0, 0], -1), "radius", None),
        (lambda: hitscan.Sphere([0, 0, np.inf], 1), "center", None),
        (lambda: hitscan.Capsule([0, 0, 0], [0, 1, 0], np.nan), "radius", None),
        (lambda: hitscan.Capsule([0, np.inf, 0], [0, 1, 0], 1), "a", None),
        (lambda: hitscan.Capsule([0, 0, 0], [0, np.inf, 0], 1), "b", None),
        (lambda: hitscan.Box([0, 0, np.nan], [0, 1, 0]), "low", None),
        (lambda: hitscan.Box([0, 0, 0], [0, 1, np.nan]), "high", None),
        (lambda: hitscan.Plane([0, 0, 0], [0, 0, 0]), "normal", None),
        (lambda: hitscan.Plane([0, 0, 1], [0, 0, np.nan]), "point", None),
        (lambda: hitscan.Heightfield(np.zeros((3, 3)), spacing=-1), "spacing", None),
        (lambda: hitscan.Heightfield(np.zeros((3, 3)), spacing=1e40), "spacing", None),
        (lambda: hitscan.Heightfield(np.zeros((3, 3)), origin=(np.nan, 0)), "origin", None),
        (lambda: hitscan.Heightfield([[0, 0], [0, 0], [np.inf, 0]]), "samples", 2),
    ],
)
def test_what_is_to_blame(call, argument, row):
    with pytest.raises(HitscanError, match=f"^{argument}{'' if row is None else f' row {row}'}: ") as caught:
        call()
    assert (caught.value.argument, caught.value.row) == (argument, row)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda m: m.closest([0, 0, 0]), ValueError, r"origins \(without directions\) has the shape \(3,\)"),
        (lambda m: m.closest([0, 0], [0, 0, 1]), ValueError, r"origins has the shape \(2,\); expected \(..., 3\)"),
        (lambda m: m.closest([0, 0, 0], 5), ValueError, r"directions has the shape \(\); expected"),
        (
            lambda m: m.closest(np.zeros((2, 3)), np.ones((3, 3))),
            ValueError,
            r"origins and directions have the shapes \(2,\), \(3,\)",
        ),
        (
            lambda m: m.closest(np.ma.masked_less(np.arange(6.0).reshape(2, 3), 1), [0, 0, 1]),
            TypeError,
            "origins has masked numbers",
        ),
        (lambda m: m.closest(None, [0, 0, 1]), TypeError, "origins has the dtype object"),
        (lambda m: m.closest([], [0, 0, 1]), ValueError, r"origins has the shape \(0,\)"),
        (lambda m: m.closest((np.zeros(2), np.zeros(2)), [0, 0, 1]), ValueError, "origins has 2 columns; expected 3"),
        (
            lambda m: m.closest((np.zeros(2), np.zeros(2), np.zeros(3)), [0, 0, 1]),
            ValueError,
            "origins has columns of the shapes",
        ),
        (
            lambda m: m.closest(np.zeros((2, 3), np.longdouble), [0, 0, 1]),
            TypeError,
            "origins has the dtype (float128|longdouble)",
        ),
        (lambda m: m.closest(np.zeros((2, 3), "M8[s]"), [0, 0, 1]), TypeError, "origins has the dtype datetime64"),
        (lambda m: m.closest(np.zeros((2, 3)), [0, 0, 1], t_max=[1, 2, 3]), ValueError, r"t_max has the shape \(3,\)"),
        (lambda m: m.closest(np.zeros((2, 3)), [0, 0, 1], t_max="far"), TypeError, "t_max has the dtype <U3"),
        (
            lambda m: m.closest(np.zeros((2, 3)), [0, 0, 1], t_min=[0, 2], t_max=1),
            HitscanError,
            r"rays row 1: the range of t is \[2, 1\]",
        ),
        (lambda m: m.closest(np.zeros((2, 3)), [0, 0, 1], t_min=np.nan), HitscanError, "rays row 0: the range of t"),
        (lambda m: m.closest([0, 0, 0], [0, 0, 1], facing="up"), ValueError, "facing is .up.; expected 'both'"),
        (lambda m: m.closest([0, 0, 0], [0, 0, 1], mask=-1), ValueError, "mask is -1; expected 32 bits"),
        (lambda m: m.closest([0, 0, 0], [0, 0, 1], mask=1 << 32), ValueError, "mask is 4294967296"),
        (lambda m: m.closest([0, 0, 0], [0, 0, 1], mask=1.5), TypeError, "mask is 1.5; expected a whole number"),
        (lambda m: m.closest([0, 0, 0], [0, 0, 1], threads=0), ValueError, "threads is 0; expected 1 to 1024"),
        (lambda m: m.closest([0, 0, 0], [0, 0, 1], threads=-3), ValueError, "threads is -3"),
        (lambda m: m.closest([0, 0, 0], [0, 0, 1], threads=2.5), TypeError, "threads is 2.5; expected a whole number"),
        (lambda m: m.closest_point([0, 0, 0], threads=2.5), TypeError, "threads is 2.5; expected a whole number"),
        (lambda m: m.closest_point([0, 0, 0], invalid=None), TypeError, "invalid is None; expected 'raise' or 'miss'"),
        (lambda m: m.signed_distance([0, 0, 0], threads=2.5), TypeError, "threads is 2.5; expected a whole number"),
        (lambda m: m.closest([0, 0, 0], [0, 0, 1], threads=10**30), ValueError, "threads is 1.000e"),
        (lambda m: m.closest([0, 0, 0], [0, 0, 1], invalid=None), TypeError, "invalid is None; expected 'raise'"),
        (lambda m: m.closest([0, 0, 0], [0, 0, 1], facing=None), TypeError, "facing is None; expected 'both'"),
        (lambda m: m.closest([0, 0, 0], [0, 0, 1], t_max=10**400), ValueError, "t_max is a whole number that float64"),
        (lambda m: m.closest([0, 0, 0], [0, 0, 1], columns=5), TypeError, "columns is 5; expected names"),
        (lambda m: m.closest([0, 0, 0], [0, 0, 1], out=np.zeros(20)), TypeError, "out is a ndarray; expected a dict"),
        (lambda m: m.closest([0, 0, 0], [0, 0, 1], out=5), TypeError, "out is a int"),
        (lambda m: m.closest([0, 0, 0], [0, 0, 1], columns=()).hit, ValueError, "no column was asked for"),
        (lambda m: m.closest(np.zeros((*[1] * 62, 3)), np.ones((2, 3))).t, (ValueError, HitscanError), None),
        (lambda m: m.closest_one((0, 0), (0, 0, 1)), ValueError, "origin: .*; expected three numbers"),
        (lambda m: m.closest_one((0, 0, 0), "abc"), TypeError, "direction: .*; expected three numbers"),
        (lambda m: m.closest_one(np.zeros(3, complex), (0, 0, 1)), TypeError, "origin has complex numbers"),
        (lambda m: m.closest_one(np.zeros((3, 3)), (0, 0, 1)), ValueError, r"^origin has the shape \(3, 3\); expected \(3,\)"),
        (lambda m: m.occluded_one((0, 0, 0), np.zeros(2)), ValueError, r"^direction has the shape \(2,\); expected \(3,\)"),
        (lambda m: m.closest_one((0, 0, 0), (0, 0, 1), mask=-1), ValueError, "mask is -1; expected 32 bits"),
        (lambda m: m.occluded_one((0, 0, 0), (0, 0, 1), mask=1 << 32), ValueError, "mask is 4294967296; expected 32"),
        (lambda m: m.occluded_one((0, 0, 0), (0, 0, 1), t_max=10**400), ValueError, "t_max: .*; expected a number"),
        (lambda m: m.closest_chunks(tuple(np.ones((6, 2)))), TypeError, "rays is a tuple"),
        (lambda m: m.open_edge(threads=1.5), TypeError, "threads is 1.5; expected a whole number"),
        (lambda m: hitscan.World().commit(threads="2"), TypeError, "threads is '2'; expected a whole number"),
        (lambda m: hitscan.Mesh(*TRIANGLE, memory=-1), ValueError, "memory is -1; expected bytes"),
        (lambda m: hitscan.Mesh(*TRIANGLE, memory=1.5), TypeError, "memory is 1.5; expected a whole number"),
        (lambda m: hitscan.load(os.fsdecode(b"/tmp/\xff.obj")), ValueError, "path is .*; expected one that is UTF-8"),
        (
            lambda m: m.closest([0, 0, 0], [0, 0, 1], invalid="skip"),
            ValueError,
            "invalid is .skip.; expected 'raise' or 'miss'",
        ),
        (lambda m: m.first_n([0, 0, 0], [0, 0, 1], n=-1), ValueError, "n is -1"),
        (lambda m: m.first_n([0, 0, 0], [0, 0, 1], n=1.5), TypeError, None),
        (lambda m: m.contains([0, 0, 0], rule="sign"), ValueError, "rule is .sign.; expected 'parity' or 'winding'"),
        (lambda m: m.closest_point([0, 0, 0], max_distance=-1), ValueError, "max_distance is -1"),
        (lambda m: m.closest_point([0, 0, 0], max_distance=np.nan), ValueError, "max_distance is NaN"),
        (lambda m: m.sight([0, 0, 0], [0, 0, 1], pairs="each"), ValueError, "pairs is 'each'"),
        (lambda m: m.heights([0, 0, 0]), ValueError, r"places has the shape \(3,\); expected \(..., 2\)"),
        (lambda m: m.heights([0, 0], below=np.nan), HitscanError, "below row 0: is NaN"),
        (lambda m: m.heights([0, 0], up=""), ValueError, "up is ''; expected one of"),
        (lambda m: m.heights([0, 0], up=np.zeros(2)), ValueError, "up is array"),
        (lambda m: m.closest_one([0, 0], [0, 0, 1]), ValueError, None),
        (lambda m: m.closest_one("abc", [0, 0, 1]), TypeError, None),
        (lambda m: m.closest_one(None, [0, 0, 1]), TypeError, None),
        (lambda m: m.closest_one([0, 0, 0], [0, 0, 1], facing="up"), ValueError, "facing"),
        (lambda m: m.closest_one([0, 0, 0], [0, 0, 1], facing=5), TypeError, "^facing is 5; expected 'both', 'front' or"),
        (lambda m: m.occluded_one([0, 0, 0], [0, 0, 1], facing=None), TypeError, "^facing is None; expected 'both'"),
        (lambda m: m.occluded_one([0, 0, 0], [0, 0, 1], facing="\ud800"), ValueError, "^facing is .*; expected 'both'"),
        (lambda m: hitscan.load("builtin:sphere", cell="a"), TypeError, "^cell has the dtype <U1; expected"),
        (lambda m: hitscan.load("builtin:sphere", relief="ab"), TypeError, "^relief has the dtype <U2; expected"),
        (lambda m: hitscan.load("builtin:sphere", relief=5), ValueError, r"^relief has the shape \(\); expected two"),
        (lambda m: hitscan.load(None), TypeError, "^path is None; expected a str or a path$"),
        (lambda m: hitscan.load(b"ball.obj"), TypeError, "^path is b'ball.obj'; expected a str or a path$"),
        (lambda m: m.closest_chunks(np.zeros((2, 3))), ValueError, r"rays has the shape \(2, 3\); expected \(n, 6\)"),
        (lambda m: m.closest_chunks(5), TypeError, "rays is a int"),
        (lambda m: m.closest_chunks(np.zeros((2, 6)), size=0), ValueError, "size is 0"),
        (
            lambda m: m.closest_chunks(np.zeros((2, 6)), t_max=[1, 2, 3]),
            ValueError,
            r"t_max has the shape \(3,\); expected one number, or \(2,\) as rays has rows",
        ),
        (
            lambda m: m.closest_chunks([np.zeros((2, 6))], t_min=[1, 2]),
            ValueError,
            r"t_min has the shape \(2,\), and rays is an iterable of unknown length; expected one number",
        ),
        (lambda m: m.closest_chunks(np.zeros((2, 6)), t_max=["a", "b"]), TypeError, "t_max has the dtype <U1"),
        (lambda m: m.closest_chunks(iter([]), t_min=None), TypeError, "t_min has the dtype object"),
        (lambda m: hitscan.Mesh(*TRIANGLE, preset="good"), ValueError, "preset is .good.; expected 'fast'"),
        (
            lambda m: hitscan.Mesh(*TRIANGLE, materials=[1, 2]),
            ValueError,
            r"materials has the shape \(2,\); expected \(1,\)",
        ),
        (lambda m: hitscan.Mesh(*TRIANGLE, materials=[-1]), HitscanError, r"materials row 0: is -1; expected 0 to 2\^31"),
        (lambda m: hitscan.Mesh(*TRIANGLE, preset=None), TypeError, "preset is None; expected 'fast', 'balanced', 'best' or"),
        (lambda m: hitscan.load("builtin:sphere", preset=None), TypeError, "preset is None"),
        (lambda m: m.contains([0, 0, 0], rule=None), TypeError, "rule is None; expected 'parity' or 'winding'"),
        (lambda m: m.signed_distance([0, 0, 0], rule=None), TypeError, "rule is None"),
        (lambda m: m.closest_point([0, 0, 0], max_distance=None), TypeError, "max_distance has the dtype object"),
        (lambda m: m.closest_point([0, 0, 0], max_distance=[1, 2]), ValueError, r"max_distance has the shape \(2,\)"),
        (lambda m: hitscan.Camera([0, 0, 0], [0, 0, 1], fov=None), TypeError, "fov has the dtype object"),
        (lambda m: hitscan.Camera([0, 0, 0], [0, 0, 1]).rays(2.5, 2), TypeError, "width is 2.5; expected a whole"),
        (lambda m: hitscan.Camera([0, 0, 0], [0, 0, 1]).rays(2, 2, dtype=int), TypeError, "dtype is int64; expected"),
        (lambda m: hitscan.Camera([0, 0, 0], [0, 0, 1]).rays(2, 2, dtype="f2"), TypeError, "dtype is float16; expect"),
        (lambda m: hitscan.Camera([0, 0, 0], [0, 0, 1]).rays(2, 2, dtype="no"), TypeError, "dtype is 'no'; expected"),
        (lambda m: hitscan.World().insert(m, material=None), TypeError, "material is None; expected a whole number"),
        (lambda m: hitscan.World().insert(m, material=-1), ValueError, "material is -1"),
        (lambda m: hitscan.Sphere([0, 0, 0], None), TypeError, "radius has the dtype object"),
        (lambda m: hitscan.Heightfield(np.zeros((3, 3)), [1]), ValueError, r"spacing has the shape \(1,\); expected"),
        (lambda m: hitscan.Heightfield(np.zeros((3, 3)), "ab"), TypeError, "spacing has the dtype"),
        (lambda m: hitscan.Heightfield(np.zeros((3, 3)), 1, [0]), ValueError, r"origin has the shape \(1,\); expected"),
        (lambda m: hitscan.Heightfield(np.zeros((3, 3)), 1, 0.0), ValueError, r"origin has the shape \(\); expected"),
        (lambda m: hitscan.Shape(), TypeError, "a Shape is made as one of its kinds"),
        (lambda m: hitscan.World().insert(hitscan.Shape), TypeError, "geometry is a type"),
        (lambda m: m.closest([0, 0, 0], [0, 0, 1])[0], TypeError, "Hits is indexed by the names of its columns"),
        (
            lambda m: m.closest([[0, 0, 0]], [0, 0, 1])[np.array([True])],
            TypeError,
            "Hits is indexed by the names of its columns, not by a ndarray",
        ),
        (lambda m: m.closest_chunks(np.zeros((2, 6)), facing="up"), ValueError, "facing is 'up'; expected 'both'"),
        (lambda m: m.closest_chunks(np.zeros((2, 6)), threads=0), ValueError, "threads is 0"),
        (lambda m: m.closest_chunks(np.zeros((2, 6)), invalid="no"), ValueError, "invalid is 'no'"),
        (lambda m: m.closest_chunks(np.zeros((2, 6)), columns="no"), ValueError, "columns: there is no 'no'"),
        (lambda m: hitscan.Mesh(*TRIANGLE, memory=10), MemoryError, "needs up to"),
        (lambda m: hitscan.World().insert("mesh"), TypeError, "geometry is a str"),
        (lambda m: hitscan.World().insert(m, np.eye(3)), ValueError, r"transform has the shape \(3, 3\)"),
        (lambda m: hitscan.World().insert(m, np.zeros((3, 4))), HitscanError, "transform: the matrix is singular"),
        (lambda m: hitscan.World().insert(m, np.ones((4, 4))), ValueError, "transform has the last row"),
        (lambda m: hitscan.World().insert(m, mask=-1), ValueError, "mask is -1"),
        (lambda m: hitscan.World().remove(0), HitscanError, "instance: 0 is not there"),
        (lambda m: hitscan.World().remove("a"), TypeError, "instance is a str"),
        (lambda m: hitscan.Box([1, 0, 0], [0, 1, 1]), HitscanError, "low: x goes from 1.0 to 0.0"),
        (lambda m: hitscan.ConvexHull([[0, 0, 0]] * 4), HitscanError, "points: "),
        (lambda m: hitscan.Heightfield([[1.0]]), HitscanError, "samples: 1 x 1 samples"),
        (lambda m: hitscan.Scene(), TypeError, "a Scene is made by World.commit"),
    ],
)
def test_arguments(mesh, call, error, message):
    with pytest.raises(error, match=message):
        call(mesh)


@pytest.mark.filterwarnings("ignore:Warning. converting a masked element to nan:UserWarning")
def test_masked_numbers_of_one_ray_are_named(mesh):
    masked = np.ma.masked_array([0.0, 0.0, 5.0], [True, False, False])
    for ask in (mesh.closest_one, mesh.occluded_one):
        with pytest.raises(TypeError, match="^origin has masked numbers; expected an array without$"):
            ask(masked, (0, 0, -1))
        with pytest.raises(TypeError, match="^direction has masked numbers; expected an array without$"):
            ask((0, 0, 5), masked)
        # Arrays that are sound are not to blame.
        with pytest.raises(HitscanError, match="^ray: ox is NaN"):
            ask(np.full(3, np.nan), np.ones(3))


ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.binary(max_size=5),
    st.lists(st.one_of(st.floats(), st.integers(), st.text(max_size=2), st.lists(st.floats(), max_size=4)), max_size=7),
    arrays.arrays(
        dtype=arrays.scalar_dtypes() | arrays.byte_string_dtypes() | arrays.array_dtypes(),
        shape=arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=7),
    ),
    st.tuples(*[arrays.arrays(np.float64, 3)] * 3),
    st.dictionaries(st.text(max_size=2), st.floats(), max_size=2),
)
REFUSED = (ValueError, TypeError, OverflowError, MemoryError)
FUZZ = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@FUZZ
@given(origins=ANYTHING, directions=ANYTHING, t_max=ANYTHING)
def test_anything_as_rays(mesh, origins, directions, t_max):
    for question in (mesh.closest, mesh.occluded, mesh.all_hits, mesh.intervals):
        try:
            answer = question(origins, directions, t_max=t_max, invalid="miss")
        except REFUSED:
            continue
        assert answer is not None
    try:
        mesh.closest_one(origins, directions, t_max=t_max)
    except REFUSED:
        pass


@FUZZ
@given(value=ANYTHING)
def test_anything_as_one_argument(mesh, box, value):
    ray = ([0, 0, 5], [0, 0, -1])
    for call in (
        lambda: hitscan.Mesh(value, [[0, 1, 2]]),
        lambda: hitscan.Mesh(TRIANGLE[0], value),
        lambda: hitscan.Mesh(*TRIANGLE, materials=value),
        lambda: mesh.closest(*ray, mask=value),
        lambda: mesh.closest(*ray, facing=value),
        lambda: mesh.closest(*ray, columns=value),
        lambda: mesh.closest(*ray, out={"t": value}),
        lambda: mesh.closest(*ray, invalid=value),
        lambda: mesh.first_n(*ray, n=value) if not isinstance(value, int) or value < 100 else None,
        lambda: mesh.closest(*ray, threads=value) if not isinstance(value, int) or value < 5 else None,
        lambda: box.contains(value, invalid="miss"),
        lambda: box.closest_point(value, invalid="miss"),
        lambda: box.heights(value, invalid="miss"),
        lambda: box.heights([0, 0], below=value),
        lambda: box.sight(value, [0, 0, 0], invalid="miss"),
        lambda: hitscan.World().insert(box, value),
        lambda: hitscan.World().remove(value),
        lambda: hitscan.Sphere(value, 1.0),
        lambda: hitscan.Heightfield(value),
        lambda: hitscan.ConvexHull(value),
        lambda: hitscan.Camera(value, (0, 0, 1)),
    ):
        try:
            call()
        except REFUSED:
            pass


@FUZZ
@given(
    vertices=arrays.arrays(np.float32, st.tuples(st.integers(0, 8), st.just(3)), elements=st.floats(width=32)),
    faces=arrays.arrays(np.int64, st.tuples(st.integers(0, 8), st.just(3)), elements=st.integers(-1, 8)),
    rays=arrays.arrays(np.float64, st.tuples(st.integers(0, 5), st.just(6)), elements=st.floats()),
)
def test_any_mesh_and_rays(vertices, faces, rays):
    try:
        mesh = hitscan.Mesh(vertices, faces)
    except HitscanError as error:
        assert error.argument in ("vertices", "faces") and error.row is not None
        return
    hits = mesh.closest(rays, invalid="miss")
    assert (hits.hit == mesh.occluded(rays, invalid="miss")).all()
    assert (hits.hit == (mesh.count(rays, invalid="miss") > 0)).all()
