"""What answers look like, and what they become."""

from __future__ import annotations

import ast
import copy
import inspect
import pathlib
import pickle
import re

import hitscan
import numpy as np
import pytest
from hitscan.results import Hits


@pytest.fixture(scope="module")
def hits(soup, mesh) -> Hits:
    return mesh.closest(soup.origins.reshape(50, 10, 3), soup.directions.reshape(50, 10, 3))


def test_hits_are_columns(hits):
    assert len(hits) == 500 and hits.shape == (50, 10) and hits.t.shape == (50, 10)
    assert tuple(hits) == hits.columns == hits.keys() and "t" in hits and "x" not in hits
    assert dict(hits)["prim"] is hits.prim is hits["prim"]
    assert hits.hit.dtype == bool and (hits.hit == np.isfinite(hits.t)).all()
    types = {name: hits[name].dtype.name for name in hits}
    assert types == {
        "t": "float64",
        "position": "float64",
        "normal": "float64",
        "u": "float64",
        "v": "float64",
        "instance": "int32",
        "prim": "int64",
        "facing": "int8",
    }
    with pytest.raises(
        AttributeError, match="the column 'material' was not asked for; those that were are t, position"
    ):
        _ = hits.material
    with pytest.raises(AttributeError, match="'Hits' object has no attribute 'colour'"):
        _ = hits.colour
    with pytest.raises(KeyError, match="'material'; there are t, "):
        hits["material"]
    assert "prim" in dir(hits) and "material" not in dir(hits)


def test_columns_are_written_into_and_not_replaced(mesh, soup):
    hits = mesh.closest(soup.origins, soup.directions, columns=("t", "prim"))
    nearest, lists = mesh.closest_point(soup.origins), mesh.all_hits(soup.origins, soup.directions)
    ground = mesh.heights(soup.origins[:, :2])
    for answer, name in ((hits, "t"), (nearest, "distance"), (lists, "u"), (ground, "height"), (ground, "t")):
        before = answer[name]
        message = rf"^the column '{name}' is not replaced by another array; write into it, as in hits.{name}\[...\] = values$"
        with pytest.raises(AttributeError, match=message):
            setattr(answer, name, before.copy())
        assert getattr(answer, name) is answer[name] is before
    with pytest.raises(AttributeError, match="^the column 'u' is not replaced"):
        hits.u = np.zeros(len(hits))
    expected = hits.t + 1
    hits.t += 1
    np.testing.assert_array_equal(hits["t"], expected)
    hits.t[...] = 7
    assert hits["t"].tolist() == [7] * len(hits)


class OwnHits(Hits):
    """With a note of its own."""


def test_classes_of_one_s_own_have_columns_too(hits):
    own = OwnHits(dict(hits), hits.shape)
    own.note = "roof"
    again = pickle.loads(pickle.dumps(own))
    assert type(again) is OwnHits and again.note == "roof"
    np.testing.assert_array_equal(again.t, hits.t)
    with pytest.raises(AttributeError, match="^the column 't' is not replaced"):
        again.t = hits.t


def test_an_answer_is_no_array(mesh, hits):
    lists = mesh.all_hits([[0, 0, 5]] * 2, [0, 0, -1], columns=("t", "prim"))
    for make in (np.asarray, np.array, lambda one: np.asarray(one, np.float64)):
        with pytest.raises(TypeError, match="^HitLists has an array for each column; expected one of them by .*: t, prim$"):
            make(lists)
        with pytest.raises(TypeError, match="^Hits has an array for each column; expected one of them by its name: t, "):
            make(hits)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("column", ["distance", "position", "instance", "prim", "u", "v"])
def test_each_column_knows_what_is_near(box, column, dtype):
    points = np.array([[[0.5, 0.5, 1.5], [0.5, 0.5, 9]], [[np.nan, 0, 0], [0, 0, 0]]])
    near = box.closest_point(points, max_distance=1, columns=[column], dtype=dtype, invalid="miss")
    assert near.hit.tolist() == [[True, False], [False, True]]


@pytest.mark.parametrize(
    "column", ["t", "position", "u", "normal", "prim", "instance", "material", "facing", "distance"]
)
def test_each_column_knows_what_hit(soup, mesh, hits, column):
    few = mesh.closest(soup.origins, soup.directions, columns=[column])
    assert (few.hit == hits.hit.reshape(-1)).all()


def test_repr(hits, mesh):
    pattern = r"Hits\(shape=\(50, 10\), \d+ of 500 hit, t from [\d.e-]+ to [\d.e+]+, columns t position .* facing\)"
    assert re.fullmatch(pattern, repr(hits))
    assert repr(mesh.closest([9, 9, 9], [0, 0, 1])).startswith("Hits(shape=(), 0 of 1 hit, columns t")
    lists = mesh.all_hits(np.zeros((2, 3)), [0, 0, 1], columns=("t",))
    assert repr(lists) == f"HitLists(shape=(2,), {len(lists.t)} for 2, columns t)"
    assert repr(mesh.closest_point([[0, 0, 0]])).startswith("ClosestPoints(shape=(1,), distance from 0")
    assert repr(mesh.closest_point(np.zeros((0, 3)))).startswith("ClosestPoints(shape=(0,), 0 points")
    assert repr(mesh) == "Mesh(600 vertices, 200 triangles)"
    assert (
        repr(hitscan.Camera((0, 0, 0), (0, 0, -2))) == "Camera(eye=[0.0, 0.0, 0.0], forward=[0.0, 0.0, -1.0], fov=60)"
    )


def test_lists(soup, mesh):
    lists = mesh.all_hits(soup.origins.reshape(50, 10, 3), soup.directions.reshape(50, 10, 3))
    assert len(lists) == 500 and lists.count.shape == (50, 10) and lists.count.sum() == len(lists.t)
    number = int(lists.count.argmax())
    one = lists[number]
    assert one.t.tolist() == lists.t[lists.ray == number].tolist() == lists[divmod(number, 10)].t.tolist()
    assert np.shares_memory(one.t, lists.t) and len(one) == 1 and one.shape == ()
    assert lists[-1].t.tolist() == lists[499].t.tolist()
    assert [len(each.t) for each in lists] == lists.count.reshape(-1).tolist()
    assert lists["ray"].tolist() == lists.ray.tolist() and lists["prim"] is lists.prim
    for bad, number in ((500, 500), (-501, -501), ((50, 0), 50), ((0, -11), -11), (10**30, 10**30)):
        with pytest.raises(IndexError, match=rf"^there is no list {number}; the lists have the shape \(50, 10\)$"):
            lists[bad]
    with pytest.raises(IndexError, match=r"^1 indices for lists of the shape \(50, 10\)$"):
        lists[9,]
    for bad, kind in ((1.5, "float"), (None, "NoneType"), ((0, 1.5), "float"), ([0], "list")):
        with pytest.raises(TypeError, match=f"^HitLists is indexed by the numbers of lists, .* not by a {kind}$"):
            lists[bad]


def test_lists_are_columns_too(mesh, soup):
    lists = mesh.all_hits(soup.origins, soup.directions, columns=("t", "prim"))
    assert "t" in lists and "u" not in lists and 0 not in lists
    assert "ray" in lists and "ray" not in lists.columns and lists.ray[:1] not in lists
    assert list(lists.keys()) == ["t", "prim"] and dict(lists)["prim"] is lists.prim


def test_answers_pickle(hits, mesh):
    again = pickle.loads(pickle.dumps(hits))
    np.testing.assert_array_equal(again.t, hits.t)
    assert repr(again) == repr(hits)
    lists = mesh.all_hits([0, 0, 5], [0, 0, -1])
    assert pickle.loads(pickle.dumps(lists)).t.tolist() == lists.t.tolist()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_cameras_and_answers_pickle_by_all_protocols(hits, mesh, protocol):
    own = OwnCamera.look_at((1, 2, 3), (0, 0, 0), fov=50)
    own.name = "roof"
    for camera in (hitscan.Camera((1, 2, 3), (0, 1, -1), fov=50), own):
        for again in (pickle.loads(pickle.dumps(camera, protocol)), copy.copy(camera), copy.deepcopy(camera)):
            assert type(again) is type(camera) and again.tan_half_fov == camera.tan_half_fov
            assert getattr(again, "name", None) == getattr(camera, "name", None)
            for name in ("eye", "forward", "right", "up"):
                np.testing.assert_array_equal(getattr(again, name), getattr(camera, name))
    lists = mesh.all_hits([0.2, 0.2, 1], [0, 0, -1])
    for one in (hits, lists, mesh, hitscan.Sphere([0, 0, 0], 1), hitscan.Box([0] * 3, [1] * 3)):
        assert repr(pickle.loads(pickle.dumps(one, protocol))) == repr(one)


class OwnCamera(hitscan.Camera):
    """With room for more than its slots."""


def test_pandas(hits, soup, mesh):
    pytest.importorskip("pandas")
    frame = hits.to_pandas()
    assert list(frame) == ["t", "x", "y", "z", "nx", "ny", "nz", "u", "v", "instance", "prim", "facing"]
    assert len(frame) == 500 and (frame["prim"] == hits.prim.reshape(-1)).all()
    np.testing.assert_array_equal(frame["y"], hits.position[..., 1].reshape(-1))
    lists = mesh.all_hits(soup.origins, soup.directions)
    assert list(lists.to_pandas())[:2] == ["ray", "t"] and len(lists.to_pandas()) == len(lists.t)
    assert list(mesh.closest_point([0, 0, 0]).to_pandas()) == ["distance", "x", "y", "z", "instance", "prim", "u", "v"]


def test_arrow(hits, soup, mesh):
    pytest.importorskip("pyarrow")
    table = hits.to_arrow()
    assert table.num_rows == 500 and table.column_names[:4] == ["t", "x", "y", "z"]
    np.testing.assert_array_equal(table["prim"].to_numpy(), hits.prim.reshape(-1))
    lists = mesh.intervals(soup.origins, soup.directions)
    assert lists.to_arrow().column_names == ["ray", "enter", "exit", "thickness", "instance", "material"]


def test_without_what_is_optional(hits, mesh, monkeypatch):
    for name in ("pandas", "pyarrow", "tqdm", "tqdm.auto"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    with pytest.raises(ImportError, match="pip install pandas"):
        hits.to_pandas()
    with pytest.raises(ImportError, match="pip install pyarrow"):
        hits.to_arrow()
    with pytest.raises(ImportError, match="pip install tqdm"):
        mesh.closest([0, 0, 5], [0, 0, -1], progress=True)


def test_one_hit(mesh, soup):
    hit = next(filter(None, map(mesh.closest_one, soup.origins.tolist(), soup.directions.tolist())))
    assert isinstance(hit, hitscan.Hit) and len(hit.position) == len(hit.normal) == 3
    assert repr(hit).startswith("Hit(t=")
    with pytest.raises(AttributeError):
        hit.t = 5.0


def test_a_hit_says_what_it_has():
    text = inspect.getdoc(hitscan.Hit)
    for name in ("t", "distance", "position", "normal", "u, v", "instance", "prim", "material", "facing"):
        assert re.search(rf"^{name} : ", text, re.MULTILINE), name
    # Editors read the stub.
    stub = (pathlib.Path(hitscan.__file__).parent / "_hitscan.pyi").read_text(encoding="utf-8")
    classes = [one for one in ast.parse(stub).body if isinstance(one, ast.ClassDef) and one.name == "Hit"]
    assert [ast.get_docstring(one) for one in classes] == [text]


class TestSomeLists:
    """Lists by slices and by places in a leading shape."""

    @pytest.fixture
    def lists(self, mesh, soup):
        return mesh.all_hits(soup.origins[:20].reshape(4, 5, 3), soup.directions[:20].reshape(4, 5, 3))

    @pytest.mark.parametrize("some", [slice(2, 9), slice(None, None, -3), slice(5, 5), slice(-3, None), slice(9, 2)])
    def test_slices(self, lists, some):
        part, numbers = lists[some], range(20)[some]
        assert len(part) == len(numbers) and part.shape == (len(numbers),)
        for one, number in zip(part, numbers, strict=True):
            for name in lists.columns:
                np.testing.assert_array_equal(one[name], lists[number][name])

    def test_places(self, lists):
        for place in ((-1, -1), (3, 4), (np.int64(-4), 0)):
            number = np.arange(20).reshape(4, 5)[place]
            np.testing.assert_array_equal(lists[place].t, lists[int(number)].t)
        for place in ((4, 0), (0, -6), (0,), (0, 0, 0)):
            with pytest.raises(IndexError):
                lists[place]


def test_a_hit_is_a_value(mesh, soup):
    """It pickles, copies, and equals another of the same numbers."""
    hits = [mesh.closest_one(*ray) for ray in zip(soup.origins, soup.directions, strict=True)]
    hits = [hit for hit in hits if hit is not None]
    again = pickle.loads(pickle.dumps(hits))
    assert again == hits == copy.deepcopy(hits) and len(hits) > 10
    assert set(again) == set(hits) and [hash(hit) for hit in again] == [hash(hit) for hit in hits]
    assert hits[0] != hits[1] and hits[0] != 5 and len(set(hits)) == len(hits)


def test_rows_of_chunks_are_those_of_the_array(mesh):
    rays = np.tile([0.2, 0.2, 1.0, 0.0, 0.0, -1.0], (5, 1))
    rays[3] = np.nan
    with pytest.raises(hitscan.HitscanError, match="^rays row 3: ox is NaN") as raised:
        list(mesh.closest_chunks(rays, size=2))
    assert (raised.value.argument, raised.value.row) == ("rays", 3)
    with pytest.raises(hitscan.HitscanError, match="^rays row 1: ox is NaN"):
        list(mesh.closest_chunks([rays[:2], rays[2:4]]))


def test_limits_are_cut_along_with_the_rays(mesh, soup):
    rays = np.hstack([soup.origins, soup.directions])
    random = np.random.default_rng(5)
    low, high = random.uniform(0, 0.5, len(rays)), random.uniform(0.5, 2, len(rays))
    whole = mesh.closest(rays, t_min=low, t_max=high)
    assert 0 < whole.hit.sum() < mesh.closest(rays).hit.sum()
    for size in (1, 7, len(rays)):
        for first, last in ((low, high), (low.tolist(), high.tolist())):
            chunks = list(mesh.closest_chunks(rays, size=size, t_min=first, t_max=last))
            np.testing.assert_array_equal(np.concatenate([hits.t for hits in chunks]), whole.t)
    for one in (0.75, np.float32(0.75), np.array(0.75), [0.75]):
        chunks = mesh.closest_chunks(rays, size=7, t_max=one)
        np.testing.assert_array_equal(np.concatenate([hits.t for hits in chunks]), mesh.closest(rays, t_max=0.75).t)
    high[13] = np.nan
    with pytest.raises(hitscan.HitscanError, match="^rays row 13: the range of t") as raised:
        list(mesh.closest_chunks(rays, size=7, t_max=high))
    assert raised.value.row == 13
    chunks = mesh.closest_chunks([rays[:7], (rays[7:, :3], rays[7:, 3:])], t_max=np.array(0.75))
    np.testing.assert_array_equal(np.concatenate([hits.t for hits in chunks]), mesh.closest(rays, t_max=0.75).t)


class OnDisk:
    """Rows as HDF5 and Zarr have them: with a shape, read by slices."""

    def __init__(self, rows):
        self.rows, self.shape, self.read = rows, rows.shape, []

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        assert isinstance(index, slice)
        self.read.append((index.start, index.stop))
        return self.rows[index]


class TestArraysInPieces:
    """Arrays of all kinds are cut into pieces of so many rows; iterables of pieces are asked as they are."""

    @pytest.fixture
    def rays(self, soup):
        return np.hstack([soup.origins, soup.directions])

    @pytest.fixture
    def check(self, mesh, rays):
        def check(given):
            limits = np.linspace(0.5, 2, len(rays))
            chunks = list(mesh.closest_chunks(given, size=200, t_max=limits))
            assert [hits.shape for hits in chunks] == [(200,), (200,), (100,)]
            np.testing.assert_array_equal(
                np.concatenate([hits.t for hits in chunks]), mesh.closest(rays, t_max=limits).t
            )

        return check

    def test_what_is_on_disk_is_read_by_pieces(self, mesh, rays, check):
        given = OnDisk(rays)
        check(given)
        # The last slice ends where rows do.
        assert given.read == [(0, 200), (200, 400), (400, 600)]
        next(mesh.closest_chunks(given, size=3))
        assert given.read[3:] == [(0, 3)]

    def test_lists_of_rows(self, rays, check):
        check(rays.tolist())
        check([tuple(row) for row in rays.tolist()])
        check([list(row) for row in rays])

    def test_frames_and_tables(self, rays, check):
        pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
        # By their places, whatever the index calls them.
        check(pandas.DataFrame(rays, index=np.linspace(100, -7.5, len(rays))))
        check(pyarrow.table({name: column for name, column in zip("abcdef", rays.T, strict=True)}))

    def test_arrays_of_dask(self, mesh, rays, check):
        array = pytest.importorskip("dask.array")
        frame = pytest.importorskip("dask.dataframe")
        pandas = pytest.importorskip("pandas")
        check(array.from_array(rays, chunks=(130, 6)))
        unknown = array.from_array(rays, chunks=(130, 6))
        unknown = unknown[unknown[:, 0] > 0]
        for one in (unknown, frame.from_pandas(pandas.DataFrame(rays), npartitions=3)):
            with pytest.raises(ValueError, match="^rays is a .* that does not know how many rows it has; expected one"):
                mesh.closest_chunks(one)

    def test_pieces_are_asked_as_they_are(self, mesh, rays):
        pieces = [rays[:300].reshape(3, 100, 6), rays[300:350].tolist(), rays[350], (rays[351:, :3], rays[351:, 3:])]
        for given in (pieces, iter(pieces)):
            chunks = list(mesh.closest_chunks(given, size=7))
            assert [hits.shape for hits in chunks] == [(3, 100), (50,), (), (149,)]
            found = np.concatenate([hits.t.reshape(-1) for hits in chunks])
            np.testing.assert_array_equal(found, mesh.closest(rays).t)
        assert list(mesh.closest_chunks([])) == []

    @pytest.mark.parametrize("shape", [(6,), (2, 5), (2, 2, 6)])
    def test_other_shapes(self, mesh, shape):
        for given in (np.zeros(shape), OnDisk(np.zeros(shape))):
            with pytest.raises(ValueError, match=rf"^rays has the shape {re.escape(str(shape))}; expected \(n, 6\)$"):
                mesh.closest_chunks(given)

    def test_sizes(self, mesh, rays):
        for given in (rays, rays.tolist(), [rays], iter([rays]), OnDisk(rays)):
            with pytest.raises(ValueError, match="^size is 0; expected 1 or more$"):
                mesh.closest_chunks(given, size=0)
            with pytest.raises(TypeError, match="^size is 2.5; expected a whole number$"):
                mesh.closest_chunks(given, size=2.5)

    def test_lists_that_are_no_rows(self, mesh):
        with pytest.raises(TypeError, match="^rays has the dtype <U1"):
            mesh.closest_chunks([list("abcdef")])
        with pytest.raises(ValueError, match=r"^rays has the shape \(2, 3\); expected \(n, 6\)$"):
            mesh.closest_chunks([[0, 0, 1], [0, 0, -1]])
        with pytest.raises(hitscan.HitscanError, match="^rays row 1: ox is NaN") as raised:
            list(mesh.closest_chunks([[0, 0, 5, 0, 0, -1], [np.nan, 0, 5, 0, 0, -1]], size=1))
        assert raised.value.row == 1
