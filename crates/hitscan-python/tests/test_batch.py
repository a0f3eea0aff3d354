"""Tables of rays: kinds in and out, columns, nulls, the cache of scenes, and what is refused."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import hitscan
import numpy as np
import pandas
import pyarrow
import pytest
from hitscan.batch import cache_clear, cache_info, cast_parquet, cast_table, open_scene
from pyarrow import parquet

BALL = "builtin:sphere:1k"
RAY = ("ox", "oy", "oz", "dx", "dy", "dz")


def some_rays(count: int = 500, seed: int = 1) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    rays: dict[str, Any] = {name: random.normal(size=count).astype(np.float32) for name in RAY}
    return {"id": np.arange(count) * 10, "name": np.array([f"ray {row}" for row in range(count)]), **rays}


def six(rays: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(rays[name] for name in RAY)


def as_kind(kind: str, rays: dict[str, Any]) -> Any:
    return {
        "dict": lambda: rays,
        "table": lambda: pyarrow.table(rays),
        # Rows in several chunks, as readers of files make them.
        "chunks": lambda: pyarrow.concat_tables([pyarrow.table(rays).slice(0, 7), pyarrow.table(rays).slice(7)]),
        "batch": lambda: pyarrow.RecordBatch.from_pydict(rays),
        "pandas": lambda: pandas.DataFrame(rays, index=rays["id"] + 5),
    }[kind]()


def columns_of(answer: Any) -> dict[str, list[Any]]:
    if isinstance(answer, dict):
        return {name: column.tolist() for name, column in answer.items()}
    return dict(answer.to_pydict() if hasattr(answer, "to_pydict") else answer.to_dict("list"))


KINDS = ("dict", "table", "chunks", "batch", "pandas")


@pytest.mark.parametrize("kind", KINDS)
def test_closest_is_what_the_scene_says_in_order(kind: str) -> None:
    rays = some_rays()
    table = as_kind(kind, rays)
    answer = cast_table(BALL, table, keep=["id", "name"])
    assert type(answer) is type(table)
    got = columns_of(answer)
    hits = hitscan.load(BALL).closest(six(rays), columns=hitscan.Hits._COLUMNS)
    expected = {"id": rays["id"], "name": rays["name"], **hits._table()}
    assert " ".join(got) == "id name t x y z distance u v instance prim facing nx ny nz"
    assert 50 < hits.hit.sum() < 450
    for name, column in got.items():
        for row, (value, right) in enumerate(zip(column, expected[name].tolist(), strict=True)):
            if value is None:
                assert not hits.hit[row] and name not in ("t", "prim") and "id" != name != "name"
            elif isinstance(right, float) and math.isnan(right):
                assert math.isnan(value) and not isinstance(answer, (pyarrow.Table, pyarrow.RecordBatch))
            else:
                assert value == right, (name, row)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("query", ["all", "first:2", "intervals"])
def test_lists_have_rows_that_know_their_ray(kind: str, query: str) -> None:
    rays = some_rays()
    got = columns_of(cast_table(BALL, as_kind(kind, rays), query, keep=["id"]))
    scene = hitscan.load(BALL)
    lists: Any
    if query == "intervals":
        lists = scene.intervals(six(rays))
    else:
        lists = scene.all_hits(six(rays)) if query == "all" else scene.first_n(six(rays), n=2)
    assert got["ray"] == lists.ray.tolist() and len(got["ray"]) > 50
    assert got["id"] == (lists.ray * 10).tolist()
    for name, right in lists._table().items():
        assert got[name] == right.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_one_number_a_ray(kind: str) -> None:
    rays = some_rays()
    scene = hitscan.load(BALL)
    got = columns_of(cast_table(BALL, as_kind(kind, rays), "occluded"))
    assert got == {"occluded": scene.occluded(six(rays)).tolist()}
    got = columns_of(cast_table(BALL, as_kind(kind, rays), "count"))
    assert got == {"count": scene.count(six(rays)).tolist()}


def test_a_frame_keeps_its_index() -> None:
    frame = as_kind("pandas", some_rays())
    assert cast_table(BALL, frame).index.equals(frame.index)
    lists = cast_table(BALL, frame, "all")
    assert lists.index.equals(frame.index[lists["ray"]])


def test_types_of_columns() -> None:
    answer = cast_table(BALL, pyarrow.table(some_rays()), columns=["t", "prim", "instance", "facing", "material", "nx"])
    assert [str(kind) for kind in answer.schema.types] == ["double", "int64", "int32", "int8", "int32", "double"]
    answer.validate(full=True)
    assert answer["t"].null_count == answer["prim"].null_count == 0
    assert answer["nx"].null_count == answer["facing"].null_count > 0
    everything = pyarrow.table(some_rays()).slice(0, 0)
    for query in ("closest", "occluded", "count", "all", "first:3", "intervals"):
        empty = cast_table(BALL, everything, query)
        assert empty.num_rows == 0 and empty.schema == cast_table(BALL, pyarrow.table(some_rays()), query).schema


def test_limits_are_columns() -> None:
    rays = {name: np.array([number] * 3) for name, number in zip(RAY, (0, 0, 2, 0, 0, -1), strict=True)}
    limited = {**rays, "t_min": np.array([0.0, 2.0, 0.0]), "t_max": np.array([9.0, 9.0, 0.5])}
    t = cast_table(BALL, limited, columns=["t"])["t"]
    assert 0.9 < t[0] < 1.1 and 2.9 < t[1] < 3.1 and t[2] == math.inf
    assert np.array_equal(t, cast_table(BALL, pyarrow.table(limited), columns=["t"])["t"].to_numpy())


def test_masks_and_sides(tmp_path: Path) -> None:
    world = hitscan.World()
    world.insert(hitscan.Sphere([0, 0, 0], 1), mask=1)
    world.insert(hitscan.Sphere([0, 0, -5], 1), mask=2)
    world.commit().save(tmp_path / "two.hitscan")
    rays = {name: np.array([number]) for name, number in zip(RAY, (0, 0, 3, 0, 0, -1), strict=True)}
    back: dict[str, Any] = {"facing": "back"}
    for options, right in (({}, 2.0), ({"mask": 2}, 7.0), (back, 4.0), ({"mask": 2, **back}, 9.0)):
        assert cast_table(tmp_path / "two.hitscan", rays, columns=["t"], **options)["t"].tolist() == [right]


def test_bad_rays_raise_or_miss() -> None:
    rays = some_rays()
    rays["dx"] = np.where(rays["id"] == 70, np.nan, rays["dx"])
    with pytest.raises(hitscan.HitscanError, match="row 7") as caught:
        cast_table(BALL, rays)
    assert caught.value.row == 7
    assert cast_table(BALL, rays, invalid="miss")["prim"][7] == -1


@pytest.mark.parametrize("kind", ["arrow", "pandas"])
def test_what_is_null_is_no_number(kind: str) -> None:
    rays: Any = pyarrow.table(some_rays())
    null = pyarrow.array([None if row == 9 else 1.0 for row in range(500)])
    rays = rays.set_column(rays.schema.get_field_index("oz"), "oz", null)
    if kind == "pandas":
        rays = rays.to_pandas(types_mapper=pandas.ArrowDtype)
    with pytest.raises(hitscan.HitscanError, match=re.escape("table['oz'] row 9: is null")) as caught:
        cast_table(BALL, rays)
    assert (caught.value.argument, caught.value.row) == ("table", 9)
    assert cast_table(BALL, rays, invalid="miss")["prim"][9] in (-1, pyarrow.scalar(-1, pyarrow.int64()))


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"table": 3}, TypeError, "table is a int; expected a pyarrow.Table"),
        ({"table": {"ox": [1.0]}}, ValueError, "the table has no column 'oy'; it has ox"),
        ({"query": "nearest"}, ValueError, "query is 'nearest'; expected closest, occluded"),
        ({"query": "first"}, ValueError, "query is 'first'; expected"),
        ({"query": "first:-1"}, ValueError, "query is 'first:-1'; expected"),
        ({"query": 3}, TypeError, "query is a int"),
        ({"columns": ["t", "w"]}, ValueError, "columns: closest has no 'w'; it has t, x"),
        ({"columns": ["ray"]}, ValueError, "columns: closest has no 'ray'"),
        ({"query": "occluded", "columns": ["t"]}, ValueError, "columns: occluded has no 't'; it has occluded"),
        ({"keep": ["time"]}, ValueError, "keep: the table has no column 'time'"),
        ({"keep": ["t"]}, ValueError, "keep: the answer has a 't' of its own"),
        ({"facing": "up"}, ValueError, "facing"),
        ({"query": "intervals", "facing": "back"}, ValueError, "intervals need both sides"),
        ({"invalid": "skip"}, ValueError, "invalid"),
        (
            {"scene_path": "no/such.hitscan"},
            FileNotFoundError,
            "no such file on the host '.+'; every process that casts",
        ),
        ({"scene_path": b"a.glb"}, TypeError, "the scene's path is b'a.glb'; expected a str or a path"),
        ({"scene_path": 3}, TypeError, "the scene's path is 3; expected a str or a path"),
        ({"columns": []}, ValueError, "columns is empty; expected one or more"),
        ({"columns": 5}, TypeError, "columns is 5; expected names"),
        ({"columns": [["t"]]}, ValueError, "columns: closest has no .'t'.; it has t, x"),
        ({"keep": 5}, TypeError, "keep is 5; expected names"),
        ({"keep": [["t"]]}, ValueError, "keep: the table has no column .'t'."),
        # A digit that is not of ASCII.
        ({"query": "first:\u0663"}, ValueError, "query is 'first:.'; expected closest"),
        ({"mask": -1}, ValueError, "mask is -1"),
        ({"threads": 0}, ValueError, "threads"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        cast_table(**{"scene_path": BALL, "table": some_rays(), **arguments})


@pytest.mark.parametrize(
    ("compression", "kind", "message"),
    [
        ("foo", ValueError, "compression is 'foo'; expected one that pyarrow writes: Unsupported compression: foo"),
        ("lzo", ValueError, "compression is 'lzo'; expected one that pyarrow writes: .*LZO"),
        (5, TypeError, "compression is 5; expected a name, such as 'zstd' or 'none'"),
    ],
)
def test_a_compression_that_is_none_is_refused_before_anything_is_read(
    compression: Any, kind: type[Exception], message: str, tmp_path: Path
) -> None:
    with pytest.raises(kind, match=f"^{message}"):
        cast_parquet(BALL, tmp_path / "none.parquet", tmp_path / "hits.parquet", compression=compression)
    assert list(tmp_path.iterdir()) == []


def test_bad_columns() -> None:
    rays = some_rays()
    with pytest.raises(TypeError, match=re.escape("table['dx'] has the type string; expected numbers")):
        cast_table(BALL, pyarrow.table({**rays, "dx": rays["name"]}))
    with pytest.raises(TypeError, match=re.escape("table['dx'] has the dtype str; expected numbers")):
        cast_table(BALL, pandas.DataFrame({**rays, "dx": rays["name"]}))
    with pytest.raises(ValueError, match="several lengths: ox 500, oy 499"):
        cast_table(BALL, {**rays, "oy": rays["oy"][1:]})
    with pytest.raises(ValueError, match="several lengths: .*, name 499"):
        cast_table(BALL, {**rays, "name": rays["name"][1:]}, keep="name")
    with pytest.raises(ValueError, match=re.escape("table['oy'] has the shape (500, 1); expected (n,)")):
        cast_table(BALL, {**rays, "oy": rays["oy"][:, None]})
    twice = pyarrow.Table.from_arrays([pyarrow.array([1.0])] * 7, names=[*RAY, "ox"])
    with pytest.raises(ValueError, match="several columns 'ox'; expected one"):
        cast_table(BALL, twice)


@pytest.mark.parametrize(
    "column", [[None] * 500, [True] * 500, [1j] * 500, np.zeros(500, "datetime64[s]"), pandas.array([True] * 500)]
)
def test_what_is_no_number_is_named(column: Any) -> None:
    rays = some_rays()
    with pytest.raises(TypeError, match=re.escape("table['oz'] has the dtype ")):
        cast_table(BALL, {**rays, "oz": column})
    with pytest.raises(TypeError, match=re.escape("table['oz'] has the dtype ")):
        cast_table(BALL, pandas.DataFrame({**rays, "oz": column}))


def test_what_is_masked_is_null() -> None:
    rays = some_rays()
    masked = {**rays, "oz": np.ma.masked_array(rays["oz"], mask=rays["id"] == 30)}
    with pytest.raises(hitscan.HitscanError, match=re.escape("table['oz'] row 3: is null")):
        cast_table(BALL, masked)
    assert cast_table(BALL, masked, invalid="miss")["prim"][3] == -1
    kept = cast_table(BALL, {**rays, "note": np.ma.masked_array(rays["id"], mask=rays["id"] == 30)}, keep=["note"])
    assert np.ma.getmaskarray(kept["note"]).tolist() == (rays["id"] == 30).tolist()


@pytest.mark.parametrize("kind", [np.float16, np.int8, np.uint64, ">f4", "<f8"])
def test_numbers_of_all_kinds(kind: Any) -> None:
    rays = {name: np.array([number, number], kind) for name, number in zip(RAY, (0, 0, 2, 0, 0, 1), strict=True)}
    assert cast_table(BALL, rays, "count")["count"].tolist() == [0, 0]
    rays["oz"] = rays["oz"][::-1] * 0
    assert cast_table(BALL, rays, "count")["count"].tolist() == [1, 1]


def test_a_scene_goes_by_path() -> None:
    with pytest.raises(TypeError, match="the scene is a Scene; expected a path: save"):
        cast_table(hitscan.load(BALL), some_rays())  # type: ignore[arg-type]


def test_a_scene_is_opened_once(tmp_path: Path) -> None:
    path = tmp_path / "ball.hitscan"
    hitscan.load(BALL).save(path)
    cache_clear()
    for _ in range(5):
        cast_table(path, some_rays(), "count")
    assert cache_info() == (4, 1, 1)
    # Another name for the same file is the same scene; a private copy of it is not.
    assert open_scene(os.path.relpath(path)) is open_scene(str(path))
    assert open_scene(path, mmap=False) is not open_scene(path)
    assert cache_info().kept == 2


def test_a_file_that_changed_is_opened_anew(tmp_path: Path) -> None:
    path = tmp_path / "ball.hitscan"
    rays = {name: np.array([number]) for name, number in zip(RAY, (0, 0, 5, 0, 0, -1), strict=True)}
    cache_clear()
    found = []
    for radius in (1, 2):
        world = hitscan.World()
        world.insert(hitscan.Sphere([0, 0, 0], radius))
        world.commit().save(path)
        os.utime(path, ns=(0, radius * 10**9))
        found.append(cast_table(path, rays)["t"].item())
    assert found == [4.0, 3.0] and cache_info() == (0, 2, 1)
    # Of the same size and time, but another file.
    world = hitscan.World()
    world.insert(hitscan.Sphere([0, 0, 0], 3))
    world.commit().save(tmp_path / "next.hitscan")
    os.utime(tmp_path / "next.hitscan", ns=(0, 2 * 10**9))
    os.replace(tmp_path / "next.hitscan", path)
    assert cast_table(path, rays)["t"].item() == 2.0


def test_few_scenes_stay_open() -> None:
    cache_clear()
    for size in range(1, 13):
        open_scene(f"builtin:sphere:{size}k")
    assert cache_info().kept == 8
    open_scene("builtin:sphere:12k")
    open_scene("builtin:sphere:1k")
    assert cache_info() == (1, 13, 8)
    cache_clear()
    assert cache_info() == (0, 0, 0)


def test_threads_open_one_scene(tmp_path: Path) -> None:
    path = tmp_path / "ball.hitscan"
    hitscan.load(BALL).save(path)
    cache_clear()
    start = threading.Barrier(8)
    scenes = []

    def open_it() -> None:
        start.wait()
        scenes.append(open_scene(path))

    threads = [threading.Thread(target=open_it) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(id, scenes))) == 1 and cache_info() == (7, 1, 1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_while_a_scene_is_opened_does_not_hang() -> None:
    from hitscan import _scene_cache

    with _scene_cache._lock:
        child = os.fork()
        if child == 0:
            os._exit(0 if cast_table(BALL, some_rays(), "count")["count"].any() else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_a_handler_that_asks_for_scenes_while_one_is_opened() -> None:
    code = """
    import faulthandler, signal
    from hitscan import _scene_cache
    from hitscan.batch import cache_info, open_scene

    def handler(*_):
        asked.append([open_scene("builtin:sphere:1k"), open_scene("builtin:sphere:2k"), cache_info()])

    def load(path, threads, first=[True]):
        if first.pop() if first else False:
            signal.raise_signal(signal.SIGALRM)
        return loaded(path, threads=threads)

    asked, loaded, _scene_cache.load = [], _scene_cache.load, load
    signal.signal(signal.SIGALRM, handler)
    faulthandler.dump_traceback_later(60, exit=True)
    scene = open_scene("builtin:sphere:1k")
    assert len(asked) == 1 and asked[0][2] == (0, 2, 2)
    assert open_scene("builtin:sphere:1k") is scene and open_scene("builtin:sphere:2k") is asked[0][1]
    assert cache_info() == (2, 3, 2)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], timeout=100, check=True)


def test_what_is_open_is_had_while_another_scene_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    from hitscan import _scene_cache

    cache_clear()
    scene, load = open_scene(BALL), _scene_cache.load
    begun, end = threading.Event(), threading.Event()

    def slowly(path: str, threads: int | None) -> hitscan.Scene:
        begun.set()
        assert end.wait(60)
        return load(path, threads=threads)

    monkeypatch.setattr(_scene_cache, "load", slowly)
    with ThreadPoolExecutor(2) as pool:
        try:
            other = pool.submit(open_scene, "builtin:sphere:2k")
            assert begun.wait(60)
            assert pool.submit(open_scene, BALL).result(timeout=60) is scene
            assert cache_info() == (1, 1, 1) and not other.done()
        finally:
            end.set()
        assert other.result() is open_scene("builtin:sphere:2k")


@pytest.mark.parametrize("query", ["closest", "all", "first:2", "occluded", "intervals"])
def test_answers_are_those_of_the_command(query: str, command: str, tmp_path: Path) -> None:
    rays = pyarrow.table(some_rays())
    parquet.write_table(rays, tmp_path / "rays.parquet")
    asked = [command, "cast", BALL, "--rays", "rays.parquet", "--mode", query, "--keep", "id", "-o", "hits.parquet"]
    subprocess.run(asked, cwd=tmp_path, check=True)
    right = parquet.read_table(tmp_path / "hits.parquet")
    found = cast_table(BALL, rays, query, keep=["id"])
    shared = [name for name in found.column_names if name in right.column_names and name != "facing"]
    assert len(shared) == {"closest": 13, "all": 14, "first:2": 14, "occluded": 2, "intervals": 7}[query]
    for name in shared:
        assert found[name].equals(right[name].cast(found[name].type)), name
    if "facing" in found.column_names:
        sides = [{1: "front", -1: "back", None: None}[side] for side in found["facing"].to_pylist()]
        assert sides == right["facing"].to_pylist()
