"""Arrays of every kind of memory: the same answers, and no copy where none is needed."""

from __future__ import annotations

import functools
from typing import ClassVar

import hitscan
import numpy as np
import pytest
from hitscan import _arrays


@pytest.fixture(scope="module")
def rays(soup) -> np.ndarray:
    return np.concatenate([soup.origins, soup.directions], axis=1)


@pytest.fixture(scope="module")
def expected(mesh, rays) -> np.ndarray:
    return mesh.closest(rays).t


def fortran(a):
    return np.asfortranarray(a)


def strided(a):
    wide = np.zeros((2 * len(a), a.shape[1] + 2), a.dtype)
    wide[::2, 1:-1] = a
    return wide[::2, 1:-1]


def backwards(a):
    return np.ascontiguousarray(a[::-1, ::-1])[::-1, ::-1]


def swapped(a):
    return a.astype(a.dtype.newbyteorder())


def frozen(a):
    a = a.copy()
    a.flags.writeable = False
    return a


def unaligned(a):
    raw = np.zeros(a.nbytes + 1, np.uint8)
    view = raw[1:].view(a.dtype).reshape(a.shape)
    view[:] = a
    assert not view.flags.aligned
    return view


def listed(a):
    return a.tolist()


LAYOUTS = [fortran, strided, backwards, swapped, frozen, unaligned, listed]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(mesh, rays, expected, layout):
    for given in ((layout(rays),), (layout(rays[:, :3].copy()), layout(rays[:, 3:].copy()))):
        hits = mesh.closest(*given)
        np.testing.assert_array_equal(hits.t, expected)


def test_a_memory_map(mesh, rays, expected, tmp_path):
    np.save(tmp_path / "rays.npy", rays)
    for mode in ("r", "r+", "c"):
        mapped = np.load(tmp_path / "rays.npy", mmap_mode=mode)
        np.testing.assert_array_equal(mesh.closest(mapped).t, expected)
        del mapped


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8, np.int32, np.int64, np.uint64])
def test_types(mesh, dtype):
    origins = (
        np.array([[0, 0, 5], [0, 1, -5]]).astype(dtype) if dtype is not np.uint64 else np.array([[0, 0, 5]], dtype)
    )
    directions = np.array([0.125, 0.25, -1.0])
    hits = mesh.closest(origins, directions)
    np.testing.assert_array_equal(hits.t, mesh.closest(origins.astype(np.float64), directions).t)


def test_float32_is_taken_exactly(mesh, rays):
    narrow = rays.astype(np.float32)
    np.testing.assert_array_equal(mesh.closest(narrow).t, mesh.closest(narrow.astype(np.float64)).t)


def test_columns(mesh, rays, expected):
    six = tuple(np.ascontiguousarray(column) for column in rays.T)
    np.testing.assert_array_equal(mesh.closest(six).t, expected)
    np.testing.assert_array_equal(mesh.closest(six[:3], six[3:]).t, expected)
    np.testing.assert_array_equal(mesh.closest(tuple(rays.T)).t, expected)
    mixed = tuple(column.astype(np.float32) if i == 4 else column for i, column in enumerate(six))
    rounded = rays.copy()
    rounded[:, 4] = rounded[:, 4].astype(np.float32)
    np.testing.assert_array_equal(mesh.closest(mixed).t, mesh.closest(rounded).t)
    square = tuple(column.reshape(50, 10) for column in six)
    np.testing.assert_array_equal(mesh.closest(square).t, expected.reshape(50, 10))
    np.testing.assert_array_equal(mesh.closest(six[:3], [0, 0, -1]).t, mesh.closest(rays[:, :3], [0, 0, -1]).t)


def test_columns_of_arrow_and_pandas(mesh, rays, expected):
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    table = pyarrow.table({name: column for name, column in zip("abcdef", rays.T, strict=True)})
    np.testing.assert_array_equal(mesh.closest(tuple(table.columns)).t, expected)
    frame = pandas.DataFrame(rays, columns=list("abcdef"))
    np.testing.assert_array_equal(mesh.closest(tuple(frame[name] for name in frame)).t, expected)
    np.testing.assert_array_equal(mesh.closest(frame).t, expected)


def test_shapes_are_kept_and_broadcast(mesh, rays, expected):
    origins, directions = rays[:, :3], rays[:, 3:]
    cubic = mesh.closest(rays.reshape(5, 10, 10, 6))
    assert cubic.shape == (5, 10, 10) and cubic.position.shape == (5, 10, 10, 3)
    np.testing.assert_array_equal(cubic.t.reshape(-1), expected)
    one = mesh.closest(origins[0], directions)
    np.testing.assert_array_equal(one.t, mesh.closest(np.tile(origins[0], (500, 1)), directions).t)
    grid = mesh.closest(origins[:7, None], directions[None, :9])
    assert grid.shape == (7, 9)
    for row in range(7):
        np.testing.assert_array_equal(grid.t[row], mesh.closest(origins[row], directions[:9]).t)
    single = mesh.closest(origins[0], directions[0])
    assert single.shape == () and single.t.shape == () and float(single.t) == expected[0]
    limits = mesh.closest(origins.reshape(50, 10, 3), directions.reshape(50, 10, 3), t_max=np.arange(10) / 5)
    flat = mesh.closest(origins, directions, t_max=np.tile(np.arange(10) / 5, 50))
    np.testing.assert_array_equal(limits.t.reshape(-1), flat.t)


@pytest.mark.parametrize("shape", [(0,), (0, 5), (3, 0, 2)])
def test_no_rays(mesh, shape):
    empty = np.zeros((*shape, 3))
    assert mesh.closest(empty, empty).position.shape == (*shape, 3)
    assert mesh.closest(empty, [0, 0, 1]).t.shape == shape
    assert mesh.occluded(empty, [0, 0, 1]).shape == mesh.count(empty, [0, 0, 1]).shape == shape
    lists = mesh.all_hits(empty, [0, 0, 1])
    assert lists.offsets.tolist() == [0] and lists.position.shape == (0, 3) and lists.count.shape == shape
    assert mesh.intervals(empty, [0, 0, 1]).enter.shape == (0,)
    assert mesh.contains(empty, rule="winding").shape == mesh.closest_point(empty).distance.shape == shape
    assert mesh.sight(empty, empty, pairs="all").shape == (*shape, *shape)
    assert mesh.heights(np.zeros((*shape, 2))).height.shape == shape


def test_what_fits_is_not_copied(rays):
    for dtype in (np.float32, np.float64):
        array = rays.astype(dtype)
        given = _arrays.as_points("rays", array, 6).given
        assert isinstance(given, np.ndarray) and np.shares_memory(given, array)
        array.flags.writeable = False
        assert np.shares_memory(_arrays.as_points("rays", array, 6).given, array)
    start, way = np.zeros(3), rays[:, 3:].copy()
    (origins, directions, *_), shape = _arrays.ray_arrays(start, way, 0.0, np.inf)
    assert np.shares_memory(origins, start) and np.shares_memory(directions, way) and shape == (500,)
    assert not np.shares_memory(_arrays.as_points("rays", np.asfortranarray(rays), 6).given, rays)


def test_a_fortran_array_is_not_permuted(mesh):
    """As a list, an array in the order of Fortran would be another one, of the same length."""
    rays = np.asfortranarray(np.random.default_rng(2).uniform(-1, 1, (3, 3)))
    np.testing.assert_array_equal(mesh.closest(rays, [0, 0, 1]).t, mesh.closest(rays.tolist(), [0, 0, 1]).t)
    with pytest.raises((TypeError, ValueError)):
        hitscan._hitscan.closest(mesh._core, (rays, rays, 0.0, 1.0), (1, "both"), {}, (None, None, "raise"))


def test_vertices_in_all_layouts(soup, mesh, expected, rays):
    for layout in LAYOUTS:
        again = hitscan.Mesh(layout(soup.vertices.astype(np.float64)), layout(soup.faces))
        np.testing.assert_array_equal(again.closest(rays).t, expected)
    again = hitscan.Mesh(soup.vertices, soup.faces.astype(np.uint16))
    np.testing.assert_array_equal(again.closest(rays).t, expected)


def test_a_tuple_of_vertices_is_rows():
    """As a list is, and as faces are: columns are for rays and points that are asked about."""
    corners = (np.array([0.0, 0, 0]), np.array([1.0, 0, 0]), np.array([0.0, 1, 0]))
    np.testing.assert_array_equal(hitscan.Mesh(corners, (np.array([0, 1, 2]),)).vertices, np.stack(corners))
    world = hitscan.World()
    world.insert(hitscan.ConvexHull((np.array([9.0, 0, 0]), *corners[1:], np.array([0, 0, 1.0]))))
    assert world.commit().bounds[1] == pytest.approx([9, 1, 1], abs=1e-3)


def test_masks_are_refused(mesh, rays):
    hidden = np.ma.array([[0, 1, 2]], mask=[[True, False, False]])
    for materials, faces in ((None, hidden), (np.ma.array([1], mask=[True]), [[0, 1, 2]])):
        with pytest.raises(TypeError, match=r"(faces|materials) has masked numbers"):
            hitscan.Mesh(np.eye(3), faces, materials=materials)
    np.testing.assert_array_equal(hitscan.Mesh(np.eye(3), np.ma.array([[0, 1, 2]])).faces, [[0, 1, 2]])
    with pytest.raises(TypeError, match=r"out\['t'\] has a mask"):
        mesh.closest(rays, out={"t": np.ma.masked_all(len(rays))})


def test_masks_within_lists_are_refused(mesh):
    hidden, plain = np.ma.array([0.1, 0.1, 5], mask=[True, False, False]), np.ma.array([0.1, 0.1, 5])
    for origins in ([hidden], [[0.0, 0, 0], hidden], [[(0.0, 0, 0)], [hidden]], [[0.1, np.ma.masked, 5]]):
        with pytest.raises(TypeError, match="^origins has masked numbers; expected an array without$"):
            mesh.closest(origins, [0, 0, -1])
    with pytest.raises(TypeError, match="^t_max has masked numbers"):
        mesh.closest([[0.1, 0.1, 5]], [0, 0, -1], t_max=[np.ma.array(1.0, mask=True)])
    with pytest.raises(TypeError, match="^vertices has masked numbers"):
        hitscan.Mesh([hidden, plain, plain], [[0, 1, 2]])
    with pytest.raises(TypeError, match="^faces has masked numbers"):
        hitscan.Mesh(np.eye(3), [np.ma.array([0, 1, 2], mask=[True, False, False])])
    np.testing.assert_array_equal(mesh.closest([plain], [0, 0, -1]).t, mesh.closest([[0.1, 0.1, 5]], [0, 0, -1]).t)


class TestOneMemory:
    """Arrays that lie in the same memory though none is a view of the other."""

    def test_two_outputs(self, mesh):
        buffer = bytearray(20 * 8)
        t, prim = np.frombuffer(buffer), np.frombuffer(buffer, np.int64)
        with pytest.raises(ValueError, match=r"out\['prim'\] lies in the memory of out\['t'\]"):
            mesh.closest(np.ones((20, 3)), [0, 0, 1], out={"t": t, "prim": prim})
        halves = {"t": np.frombuffer(buffer, count=10), "prim": np.frombuffer(buffer, np.int64, offset=80)}
        np.testing.assert_array_equal(mesh.closest(np.ones((10, 3)), [0, 0, 1], out=halves).t, halves["t"])

    def test_an_output_and_inputs(self, mesh):
        buffer = bytearray(20 * 24)
        rays, out = np.frombuffer(buffer).reshape(20, 3), np.frombuffer(buffer, count=20)
        bools, counts = np.frombuffer(buffer, np.bool_, count=20), np.frombuffer(buffer, np.int64, count=20)
        way, limits = np.array([0.0, 0, 1]), np.frombuffer(buffer, count=20)
        for name, call in {
            "origins": lambda: mesh.closest(rays, way, out={"t": out}),
            "directions": lambda: mesh.closest(np.ones((20, 3)), rays, out={"t": out}),
            "t_max": lambda: mesh.closest(np.ones((20, 3)), way, t_max=limits, out={"t": out}),
        }.items():
            with pytest.raises(ValueError, match=rf"out\['t'\] lies in the memory of {name}"):
                call()
        for call in (
            lambda: mesh.occluded(rays, way, out=bools),
            lambda: mesh.count(rays, way, out=counts),
            lambda: mesh.sight(rays, way, out=bools),
            lambda: mesh.contains(rays, rule="winding", out=bools),
            lambda: mesh.signed_distance(rays, rule="winding", out=out),
            lambda: mesh.winding_number(rays, out=out),
            lambda: mesh.closest_point(rays, out={"distance": out}),
            lambda: mesh.heights(rays[:, :2].copy(), below=out, out={"t": np.frombuffer(buffer, count=20)}),
        ):
            with pytest.raises(ValueError, match="lies in the memory of"):
                call()


    def test_heights(self, mesh):
        # The heights themselves are written by the package, and not by its compiled half.
        memory = np.zeros((5, 3))
        flat = memory.reshape(-1)
        places, below = np.full((5, 2), 0.2), np.full(5, 9.0)
        for name, call in {
            r"out\['position'\]": lambda: mesh.heights(places, out={"height": flat[:5], "position": memory}),
            r"out\['t'\]": lambda: mesh.heights(places, out={"height": flat[:5], "t": flat[:5]}),
            "places": lambda: mesh.heights(places, out={"height": places.reshape(-1)[:5]}),
            "below": lambda: mesh.heights(places, below=below, out={"height": below}),
        }.items():
            with pytest.raises(ValueError, match=rf"out\['height'\] lies in the memory of {name}; expected"):
                call()
        assert not memory.any() and (places == 0.2).all() and (below == 9).all()
        apart = {"height": flat[:5], "t": flat[5:10]}
        np.testing.assert_array_equal(mesh.heights(places, out=apart).height, mesh.heights(places).height)

    def test_views_of_one_array(self, mesh):
        rays = np.ones((20, 6))
        column = rays.reshape(-1)[:20]
        with pytest.raises(ValueError, match=r"out\['t'\] lies in the memory of origins; expected"):
            mesh.closest(rays, out={"t": column})
        with pytest.raises(ValueError, match=r"out\['v'\] lies in the memory of out\['t'\]; expected"):
            mesh.closest(np.ones((20, 6)), out={"t": column, "v": column})


class TestOuterProducts:
    """Arrays that go with each other along different axes are repeated where they are."""

    @pytest.fixture
    def ends(self):
        rng = np.random.default_rng(3)
        return rng.uniform(-3, 3, (7, 3)), rng.uniform(-1, 1, (11, 3))

    @pytest.mark.parametrize(
        ("first", "second"),
        [
            ((7, 1), (1, 11)),
            ((7, 1), (11,)),
            ((1, 7), (11, 1)),
            ((7, 1, 1), (1, 11)),
            ((1, 7, 1), (11, 1, 1)),
            ((7, 1, 1), (1, 1, 11)),
        ],
    )
    def test_rays(self, mesh, ends, first, second):
        a, b = ends[0].reshape(*first, 3), ends[1].reshape(*second, 3)
        whole = [np.ascontiguousarray(one) for one in np.broadcast_arrays(a, b)]
        t_max = np.linspace(0.5, 2, 7).reshape(first)
        limits = np.ascontiguousarray(np.broadcast_to(t_max, whole[0].shape[:-1]))
        for one in (a, a.astype(np.float32), tuple(a.transpose(-1, *range(a.ndim - 1)))):
            full = np.stack(one, axis=-1) if isinstance(one, tuple) else one
            full = np.ascontiguousarray(np.broadcast_to(full, whole[0].shape))
            expected = mesh.closest(full, whole[1], t_max=limits)
            found = mesh.closest(one, b, t_max=t_max)
            assert found.shape == expected.shape
            for name in expected:
                np.testing.assert_array_equal(found[name], expected[name])
            np.testing.assert_array_equal(mesh.all_hits(one, b).t, mesh.all_hits(full, whole[1]).t)
        np.testing.assert_array_equal(mesh.sight(a, b), mesh.sight(*whole))

    def test_more_than_one_axis_between(self, mesh):
        rng = np.random.default_rng(4)
        a, b = rng.uniform(-3, 3, (4, 1, 5, 1, 3)), rng.uniform(-1, 1, (1, 3, 1, 2, 3))
        whole = [np.ascontiguousarray(one) for one in np.broadcast_arrays(a, b)]
        np.testing.assert_array_equal(mesh.closest(a, b).t, mesh.closest(*whole).t)

    def test_heights_to_begin_at(self, mesh):
        places, below = np.random.default_rng(5).uniform(-1, 1, (6, 9, 2)), np.linspace(-1, 1, 6)[:, None]
        expected = mesh.heights(places, below=np.repeat(below, 9, axis=1))
        np.testing.assert_array_equal(mesh.heights(places, below=below).height, expected.height)

    def test_rows_of_errors(self, mesh, ends):
        a, b = ends
        b[3, 1] = np.nan
        with pytest.raises(hitscan.HitscanError, match="rays row 3: dy is NaN") as caught:
            mesh.closest(a[:, None], b)
        assert caught.value.row == 3
        with pytest.raises(hitscan.HitscanError, match="targets row 3: y is NaN"):
            mesh.sight(a, b, pairs="all")
        assert mesh.closest(a[:, None], b, invalid="miss").invalid == 7

    @pytest.mark.parametrize("shapes", [((0, 1), (1, 5)), ((5, 1), (1, 0)), ((0, 1), (1, 0)), ((1, 0), (5, 1))])
    def test_none(self, mesh, shapes):
        a, b = (np.ones((*shape, 3)) for shape in shapes)
        assert mesh.closest(a, b).t.size == 0 and mesh.sight(a, b).size == 0
        assert mesh.sight(a, b, pairs="all").shape == (*shapes[0], *shapes[1])

    def test_more_than_there_is_memory_for(self, mesh):
        many = np.ones((1 << 22, 3), np.float32)
        with pytest.raises(MemoryError, match=f"{1 << 44} lists need more memory than there is"):
            mesh.all_hits(many[:, None], many)


class TestOut:
    """Answers into arrays of the caller."""

    def test_heights(self, box):
        places = np.random.default_rng(0).uniform(-0.5, 1.5, (5, 4, 2))
        expected = box.heights(places)
        earlier = box.heights(places + 1)
        assert box.heights(places, out=earlier, columns=earlier.columns).height is earlier.height
        assert box.heights(places, columns=("height", "t")).columns == ("height", "position", "t")
        for out in ({"height": np.empty((5, 4)), "prim": np.empty((5, 4), np.int64)}, box.heights(places + 1)):
            hits = box.heights(places, out=out)
            for name in out:
                assert hits[name] is out[name]
                np.testing.assert_array_equal(hits[name], expected[name])
        assert "height" not in box.closest(np.ones((5, 4, 3)), [0, 0, 1], out=expected)
        with pytest.raises(ValueError, match=r"out\['height'\] has the shape"):
            box.heights(places, out={"height": np.empty(5)})

    def test_all_columns(self, mesh, rays):
        fresh = mesh.closest(rays)
        out = {name: np.full_like(fresh[name], 77) for name in fresh}
        hits = mesh.closest(rays, out=out)
        for name in fresh:
            assert hits[name] is out[name]
            np.testing.assert_array_equal(out[name], fresh[name])
        again = mesh.closest(rays[::-1], out=hits)
        assert again.t is hits.t
        np.testing.assert_array_equal(again.t, fresh.t[::-1])

    def test_an_earlier_answer_is_what_is_returned(self, mesh, box, rays):
        bad = rays.copy()
        bad[[3, 5]] = np.nan
        hits = mesh.closest(bad, invalid="miss")
        assert mesh.closest(rays, out=hits) is hits and hits.invalid == 0
        np.testing.assert_array_equal(hits.t, mesh.closest(rays).t)
        assert mesh.closest(bad, out=hits, invalid="miss") is hits and hits.invalid == 2
        # Of fewer columns, it would say what the others do not.
        few = mesh.closest(rays, columns=("t",), out=hits)
        assert few is not hits and few.columns == ("t",) and few.t is hits.t
        assert (few.invalid, hits.invalid) == (0, 0)
        near = box.closest_point(bad[:, :3], invalid="miss")
        assert near.invalid == 2 and box.closest_point(rays[:, :3], out=near) is near and near.invalid == 0
        ground = box.heights(bad[:, :2], invalid="miss")
        assert ground.invalid == 2 and box.heights(rays[:, :2], out=ground) is ground and ground.invalid == 0
        np.testing.assert_array_equal(ground.height, box.heights(rays[:, :2]).height)
        # Whose heights are of other rays.
        other = box.closest(rays, out=ground)
        assert type(other) is hitscan.Hits and other.t is ground.t and "height" not in other
        assert type(box.heights(rays[:, :2], out=hits)) is hitscan.HeightHits

    def test_some_columns(self, mesh, rays, expected):
        t = np.empty(500)
        hits = mesh.closest(rays, out={"t": t})
        assert hits.columns == ("t",)
        np.testing.assert_array_equal(t, expected)
        room = np.empty((2, 500))
        mesh.closest(rays, out={"t": room[1]})
        np.testing.assert_array_equal(room[1], expected)

    def test_plain_arrays(self, mesh, rays, expected):
        flags = np.ones((50, 10), bool)
        assert mesh.occluded(rays.reshape(50, 10, 6), out=flags) is flags
        np.testing.assert_array_equal(flags.reshape(-1), expected < np.inf)
        counts = np.empty(500, np.int64)
        assert mesh.count(rays, out=counts) is counts
        distances = np.empty(500)
        assert mesh.signed_distance(rays[:, :3], rule="winding", out=distances) is distances

    @pytest.mark.parametrize(
        ("array", "error", "message"),
        [
            (np.empty(499), ValueError, r"out\['t'\] has the shape \(499,\); expected \(500,\)"),
            (np.empty(500, np.float16), TypeError, r"out\['t'\] has the dtype float16; expected float64 or float32"),
            (np.empty(500, ">f8"), TypeError, r"out\['t'\] has the dtype >f8; expected float64"),
            (np.empty(1000)[::2], ValueError, r"out\['t'\] is not contiguous"),
            (frozen(np.empty(500)), ValueError, r"out\['t'\] is read-only"),
            ([0.0] * 500, TypeError, r"out\['t'\] is a list; expected an array"),
        ],
    )
    def test_what_does_not_fit(self, mesh, rays, array, error, message):
        with pytest.raises(error, match=message):
            mesh.closest(rays, out={"t": array})

    def test_columns_that_are_not_there(self, mesh, rays):
        with pytest.raises(ValueError, match="out has no 'prim'"):
            mesh.closest(rays, columns=("t", "prim"), out={"t": np.empty(500)})
        with pytest.raises(ValueError, match="there is no 'T'"):
            mesh.closest(rays, out={"T": np.empty(500)})
        with pytest.raises(ValueError, match="there is no 'normals'; there are t, distance"):
            mesh.closest(rays, columns=("normals",))

    def test_one_array_twice(self, mesh, rays):
        both = np.empty(500)
        with pytest.raises(ValueError, match=r"out\['u'\] lies in the memory of out\['t'\]"):
            mesh.closest(rays, out={"t": both, "u": both})
        inside = rays.copy()
        with pytest.raises(ValueError, match=r"out\['t'\] lies in the memory of origins"):
            mesh.closest(inside, out={"t": inside.reshape(-1)[:500]})


def assert_rounded(single, double):
    """Whether answers are others with numbers that are no whole ones rounded."""
    assert single.columns == double.columns and single.invalid == double.invalid
    for name in double.columns:
        one, other = single[name], double[name]
        if other.dtype == np.float64:
            assert one.dtype == np.float32, name
            with np.errstate(over="ignore"):
                other = other.astype(np.float32)
        assert one.dtype == other.dtype and one.shape == other.shape
        np.testing.assert_array_equal(one.view(f"V{one.itemsize}"), other.view(f"V{one.itemsize}"), err_msg=name)


class TestSingles:
    """Answers as float32: those in float64, rounded."""

    ALL: ClassVar[list[str]] = ["t", "distance", "position", "normal", "u", "v", "instance", "prim", "material", "facing"]

    @pytest.fixture(params=["mesh", "scene"])
    def target(self, request, mesh):
        if request.param == "mesh":
            return mesh
        world = hitscan.World()
        place = np.eye(4)
        place[:3, 3] = 0.1, 0.2, 0.3
        world.insert(mesh, place)
        world.insert(hitscan.Sphere((0, 0, 0), 0.3))
        return world.commit()

    # Whole hits, records, and so few that each is asked alone.
    @pytest.mark.parametrize("columns", [None, ALL, ("t", "u", "v", "prim", "instance", "facing"), ("normal",), "t"])
    @pytest.mark.parametrize("count", [500, 7, 0])
    def test_all_forms(self, target, rays, columns, count):
        some = rays[:count]
        for dtype in (np.float32, "f4", np.dtype(np.float32)):
            asked = {"columns": columns, "threads": 2}
            assert_rounded(target.closest(some, dtype=dtype, **asked), target.closest(some, **asked))
            one, other = target.all_hits(some, dtype=dtype, **asked), target.all_hits(some, **asked)
            assert_rounded(one, other)
            np.testing.assert_array_equal(one.offsets, other.offsets)
            assert_rounded(target.first_n(some, n=2, dtype=dtype, **asked), target.first_n(some, n=2, **asked))
        pieces = target.closest_chunks(rays, size=200, columns=columns, dtype=np.float32)
        for start, piece in zip((0, 200, 400), pieces, strict=True):
            assert_rounded(piece, target.closest(rays[start : start + 200], columns=columns))

    def test_pieces_and_points(self, box, rays):
        double, single = box.intervals(rays), box.intervals(rays, dtype=np.float32)
        assert len(double.thickness)
        assert_rounded(single, double)
        np.testing.assert_array_equal(single.offsets, double.offsets)
        for far in (np.inf, 0.1):
            asked = {"max_distance": far}
            assert_rounded(box.closest_point(rays[:, :3], dtype="f4", **asked), box.closest_point(rays[:, :3], **asked))

    def test_arrays_of_the_caller(self, mesh, rays):
        fresh = mesh.closest(rays, columns=self.ALL)
        out = {name: np.empty_like(mesh.closest(rays, columns=name, dtype=np.float32)[name]) for name in self.ALL}
        hits = mesh.closest(rays, out=out)
        assert all(hits[name] is out[name] for name in self.ALL)
        assert_rounded(hits, fresh)
        # One of each.
        mixed = mesh.closest(rays, out={"t": np.empty(500, np.float32), "u": np.empty(500)})
        np.testing.assert_array_equal(mixed.t, fresh.t.astype(np.float32))
        np.testing.assert_array_equal(mixed.u, fresh.u)
        nearest = mesh.closest_point(rays[:, :3], out={"distance": np.empty(500, np.float32)})
        np.testing.assert_array_equal(nearest.distance, mesh.closest_point(rays[:, :3]).distance.astype(np.float32))

    def test_what_is_beyond_the_largest(self, mesh, rays):
        tiny = rays * np.array([1, 1, 1, 1e-45, 1e-45, 1e-45])
        most = np.finfo(np.float32).max
        double = mesh.closest(tiny)
        assert 0 < double.hit.sum() < len(rays) and double.t[double.hit].min() > most
        for columns in ("t", ("t", "u", "v"), None):
            single = mesh.closest(tiny, dtype=np.float32, columns=columns)
            np.testing.assert_array_equal(single.t, np.where(double.hit, most, np.inf))
            np.testing.assert_array_equal(single.hit, double.hit)
            np.testing.assert_array_equal(mesh.closest(tiny, out={"t": single.t}).hit, double.hit)
        back = mesh.closest(tiny * [1, 1, 1, -1, -1, -1], t_min=-np.inf, t_max=0, columns="t", dtype=np.float32)
        assert set(back.t.tolist()) == {-most, np.inf}
        lists = mesh.all_hits(tiny, dtype=np.float32, columns="t")
        assert len(lists.t) and (lists.t == most).all()

    def test_tables(self, mesh, rays):
        hits = mesh.closest(rays, dtype=np.float32)
        assert str(hits.to_pandas()["t"].dtype) == "float32"
        assert str(hits.to_arrow().schema.field("nx").type) == "float"

    @pytest.mark.parametrize(
        ("dtype", "message"),
        [
            (np.float16, "dtype is float16; expected float64 or float32"),
            (">f4", "dtype is >f4; expected float64 or float32"),
            (np.int32, "dtype is int32"),
            ("abc", "dtype is 'abc'"),
            (object(), "dtype is <object"),
        ],
    )
    def test_other_types(self, mesh, rays, dtype, message):
        asks = (mesh.closest, mesh.all_hits, functools.partial(mesh.first_n, n=1), mesh.closest_chunks, mesh.intervals)
        for ask in asks:
            with pytest.raises(TypeError, match=message):
                ask(rays, dtype=dtype)

    def test_with_arrays_of_the_caller(self, mesh, rays):
        with pytest.raises(ValueError, match="dtype is for new arrays, and those of out have their own"):
            mesh.closest(rays, out={"t": np.empty(500)}, dtype=np.float64)

    def test_heights_are_taken_from_float64(self, box):
        for name, shape in (("position", (1, 3)), ("height", (1,))):
            with pytest.raises(TypeError, match=rf"out\['{name}'\] has the dtype float32; expected float64"):
                box.heights([[0.5, 0.5]], out={name: np.empty(shape, np.float32)})

    def test_other_columns_of_heights(self, box):
        places = [[0.5, 0.25], [9, 9]]
        names = [name for name in self.ALL if name != "position"]
        out = {name: box.closest(np.ones((2, 6)), columns=name, dtype=np.float32)[name] for name in names}
        ground = box.heights(places, out=out)
        assert all(ground[name] is out[name] for name in names)
        expected = box.heights(places, columns=self.ALL)
        for name in names:
            np.testing.assert_array_equal(ground[name], expected[name].astype(out[name].dtype))
        np.testing.assert_array_equal(ground.height, expected.height)
