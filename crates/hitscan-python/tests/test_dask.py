"""Dask: the bits and the order of one process, on workers that share a scene's memory and may be lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import dask.array
import dask.dataframe
import hitscan
import numpy as np
import pandas
import pytest
from distributed import Client, LocalCluster, as_completed
from hitscan import _parquet
from hitscan.batch import cast_table
from hitscan.dask import cast, cast_parquet

# What Dask itself warns of, in processes and in this one.
pytestmark = pytest.mark.filterwarnings("default")

BALL = "builtin:sphere:1k"
RAY = ["ox", "oy", "oz", "dx", "dy", "dz"]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("scene") / "hair.hitscan"
    hitscan.load("builtin:hairball:100k").save(path)
    return path


def some_rays(count: int = 4000) -> pandas.DataFrame:
    random = np.random.default_rng(1)
    frame = pandas.DataFrame({name: random.normal(size=count).astype(np.float32) for name in RAY})
    return frame.assign(id=np.arange(count)[::-1].copy(), name=[f"ray {row}" for row in range(count)])


@pytest.mark.parametrize("query", ["closest", "occluded", "count", "all", "first:2", "intervals"])
def test_frames_have_the_bits_and_the_order_of_one_process(client: Client, saved: Path, query: str) -> None:
    rays = some_rays()
    frame = dask.dataframe.from_pandas(rays, npartitions=7)
    answer = cast(frame, saved, query, keep=["id", "name"])
    assert answer.divisions == frame.divisions
    got = answer.compute()
    right = cast_table(saved, rays, query, keep=["id", "name"])
    if "ray" in right:
        right = right.drop(columns="ray")
    assert len(got) > 1000
    pandas.testing.assert_frame_equal(got, right.astype({"name": got["name"].dtype}), check_exact=True)
    pandas.testing.assert_frame_equal(answer._meta, got.iloc[:0], check_index_type=False)


def test_parquet_to_parquet(client: Client, saved: Path, tmp_path: Path) -> None:
    from pyarrow import parquet

    rays = some_rays()
    (tmp_path / "rays").mkdir()
    for part in range(4):
        rays.iloc[part * 1000 : (part + 1) * 1000].to_parquet(tmp_path / "rays" / f"{part}.parquet", index=False)
    frame = dask.dataframe.read_parquet(tmp_path / "rays")
    cast(frame, saved, keep=["id"]).to_parquet(tmp_path / "hits", write_index=False)
    pieces = [parquet.read_table(tmp_path / "hits" / f"part.{part}.parquet") for part in range(4)]
    misses = sum((piece["prim"].to_numpy() < 0).sum() for piece in pieces)
    nulls = {name: sum(piece[name].null_count for piece in pieces) for name in pieces[0].column_names}
    assert 0 < misses == nulls["x"] == nulls["nz"] and nulls["t"] == nulls["instance"] == nulls["facing"] == 0
    got = pandas.concat([piece.to_pandas() for piece in pieces], ignore_index=True)
    right = cast_table(saved, rays, keep=["id"]).reset_index(drop=True)
    pandas.testing.assert_frame_equal(got, right, check_exact=True)


def write_rays(folder: Path, rays: pandas.DataFrame, files: int) -> list[Path]:
    folder.mkdir()
    paths = [folder / f"rays-{part:03}.parquet" for part in range(files)]
    for part, path in enumerate(paths):
        rays.iloc[len(rays) * part // files : len(rays) * (part + 1) // files].to_parquet(path, index=False)
    return paths


def read_all(paths: Sequence[Path | str]) -> Any:
    from pyarrow import concat_tables, parquet

    return concat_tables(parquet.read_table(path).replace_schema_metadata() for path in paths)


@pytest.mark.parametrize("query", ["closest", "occluded", "count", "all", "first:2", "intervals"])
def test_files_have_the_bits_and_the_order_of_one_process(
    client: Client, saved: Path, tmp_path: Path, query: str
) -> None:
    rays = some_rays()
    sources = write_rays(tmp_path / "rays", rays, 5)
    answers = cast_parquet(tmp_path / "rays", saved, tmp_path / "hits", query, keep=["id", "name"])
    assert answers == [str(tmp_path / "hits" / source.name) for source in sources]
    right = cast_table(saved, read_all(sources), query, keep=["id", "name"])
    got = read_all(answers)
    assert got.schema == right.schema and got.num_rows == right.num_rows > 1000
    for name in right.column_names:
        if name == "ray":
            # A row of its own file.
            first = [number * len(rays) // 5 for number in range(5)]
            pieces = [read_all([answer])["ray"].to_numpy() + at for answer, at in zip(answers, first, strict=True)]
            np.testing.assert_array_equal(np.concatenate(pieces), right["ray"].to_numpy())
        else:
            assert got[name].combine_chunks().equals(right[name].combine_chunks()), name
    assert sorted(os.listdir(tmp_path / "hits")) == [source.name for source in sources]


def test_files_that_are_named_and_computed_later(client: Client, saved: Path, tmp_path: Path) -> None:
    sources = write_rays(tmp_path / "rays", some_rays(), 3)
    (tmp_path / "rays" / "_metadata").write_bytes(b"no rays")
    later = cast_parquet(sources[::-1], saved, tmp_path / "hits", "count", keep=["id"], compute=False)
    assert os.listdir(tmp_path / "hits") == []
    answers = later.compute()
    assert [Path(answer).name for answer in answers] == [source.name for source in sources[::-1]]
    again = cast_parquet(tmp_path / "rays", saved, tmp_path / "hits", "count", keep=["id"], compression="none")
    assert again == answers[::-1] and read_all(again).equals(read_all(answers[::-1]))
    [one] = cast_parquet(sources[1], saved, tmp_path / "one", "count", keep="id")
    assert read_all([one]).equals(read_all([answers[1]]))


def test_a_lost_worker_leaves_no_part_of_a_file(client: Client, saved: Path, tmp_path: Path) -> None:
    rays = some_rays(80_000)
    sources = write_rays(tmp_path / "rays", rays, 80)
    later = cast_parquet(tmp_path / "rays", saved, tmp_path / "hits", keep=["id"], compute=False)
    client.wait_for_workers(2, timeout=30)
    lost = next(iter(client.run(os.getpid).values()))
    answers = client.compute(later)
    while len(list((tmp_path / "hits").glob("*.parquet"))) < 3:
        time.sleep(0.001)
    os.kill(lost, getattr(signal, "SIGKILL", signal.SIGTERM))
    assert not answers.done()
    got = read_all(answers.result())
    assert got.equals(cast_table(saved, read_all(sources), keep=["id"]))
    assert sorted(os.listdir(tmp_path / "hits")) == [source.name for source in sources]
    client.wait_for_workers(2, timeout=30)


def test_one_file_and_what_a_killed_process_left(saved: Path, tmp_path: Path) -> None:
    from hitscan.batch import cast_parquet as cast_file

    [source] = write_rays(tmp_path / "rays", some_rays(), 1)
    with pytest.raises(ValueError, match="is the file of the rays; expected another"):
        cast_file(saved, source, tmp_path / "rays" / ".." / "rays" / source.name)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    ended, alive, number = _parquet.writer(gone.pid), _parquet.writer(os.getpid()), "0123456789abcdef" * 2
    old, elsewhere = (f".hits[1].parquet.{number[:16]}.{process}.{number}.part" for process in (7, 8))
    left = [f".hits[1].parquet.{ended}.{number}.part", old]
    others = [
        elsewhere,
        f".hits[1].parquet.{alive}.{number}.part",
        f".hits[1].parquet.v2.{ended}.{number}.part",
        f".hits1.parquet.{ended}.{number}.part",
        f".hits[1].parquet.{ended}.mine.part",
    ]
    for part in (*left, *others):
        (tmp_path / part).write_bytes(b"half")
    os.utime(tmp_path / old, (0, 0))
    assert cast_file(saved, source, tmp_path / "hits[1].parquet", "count") == 4000
    assert sorted(os.listdir(tmp_path)) == sorted([*others, "hits[1].parquet", "rays"])


def test_a_scene_s_errors_are_not_those_of_the_rays(tmp_path: Path) -> None:
    from hitscan.batch import cast_parquet as cast_file

    [source] = write_rays(tmp_path / "rays", some_rays(), 1)
    (tmp_path / "scene.hitscan").write_bytes(b"nothing of that kind" * 100)
    with pytest.raises(hitscan.HitscanError) as caught:
        cast_file(tmp_path / "scene.hitscan", source, tmp_path / "hits.parquet")
    assert caught.value.argument == "path" and "scene.hitscan" in str(caught.value) and source.name not in str(caught.value)
    nulls = some_rays()
    nulls.loc[3, "oy"] = None
    [source] = write_rays(tmp_path / "nulls", nulls, 1)
    with pytest.raises(hitscan.HitscanError, match=rf"{source.name}: table\['oy'\] row 3: is null"):
        cast_file("builtin:sphere:1k", source, tmp_path / "hits.parquet")


def test_files_that_cannot_be(client: Client, saved: Path, tmp_path: Path) -> None:
    sources = write_rays(tmp_path / "rays", some_rays(), 2)
    hits = tmp_path / "hits"
    with pytest.raises(FileNotFoundError, match="no such file on the host '.+'; every process that casts"):
        cast_parquet([sources[0], tmp_path / "gone.parquet"], saved, hits)
    (tmp_path / "text.parquet").write_text("ox,oy,oz")
    with pytest.raises(hitscan.HitscanError, match=r"text\.parquet: expected a file of Parquet: "):
        cast_parquet([tmp_path / "text.parquet"], saved, hits)
    bad = some_rays()
    bad.loc[7, "dx"] = np.nan
    [source] = write_rays(tmp_path / "bad", bad, 1)
    with pytest.raises(hitscan.HitscanError, match=r"bad.rays-000\.parquet: .*row 7") as caught:
        cast_parquet(source, saved, hits)
    assert caught.value.row == 7
    assert cast_parquet(source, saved, hits, "count", invalid="miss") == [str(hits / "rays-000.parquet")]
    # A folder in the place of a file.
    (tmp_path / "taken" / "rays-000.parquet").mkdir(parents=True)
    with pytest.raises(OSError):
        cast_parquet(sources[0], saved, tmp_path / "taken")
    assert os.listdir(tmp_path / "taken") == ["rays-000.parquet"]


def test_what_is_wrong_with_files_is_told_at_once(tmp_path: Path) -> None:
    sources = write_rays(tmp_path / "rays", some_rays(), 2)
    (tmp_path / "empty").mkdir()
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / sources[0].name
    other.write_bytes(sources[0].read_bytes())
    hits = tmp_path / "hits"
    calls: list[tuple[Any, type[Exception], str]] = [
        (lambda: cast_parquet(3, BALL, hits), TypeError, "rays is 3; expected a folder, or paths of files"),
        (lambda: cast_parquet([b"a"], BALL, hits), TypeError, "rays is b'a'; expected a str or a path"),
        (lambda: cast_parquet([], BALL, hits), ValueError, "rays has no paths"),
        (lambda: cast_parquet(tmp_path / "empty", BALL, hits), ValueError, r"no files that end in \.parquet"),
        (lambda: cast_parquet(tmp_path / "gone", BALL, hits), FileNotFoundError, "no such folder or file of rays"),
        (lambda: cast_parquet(sources, BALL, tmp_path / "rays"), ValueError, "is a folder of rays; expected another"),
        (lambda: cast_parquet([sources[0], other], BALL, hits), ValueError, "have one name"),
        (lambda: cast_parquet(sources, BALL, 7), TypeError, "hits is 7; expected a str or a path"),
        (lambda: cast_parquet(sources, BALL, hits, "any"), ValueError, "query is 'any'"),
        (lambda: cast_parquet(sources, BALL, hits, keep=["time"]), ValueError, "keep: the table has no column 'time'"),
        (lambda: cast_parquet(sources, BALL, hits, keep=3), TypeError, "keep is 3; expected names"),
        (lambda: cast_parquet(sources, BALL, hits, columns=["time"]), ValueError, "'time'"),
        (lambda: cast_parquet(sources, BALL, hits, threads=0), ValueError, "threads is 0"),
        (lambda: cast_parquet(sources, BALL, hits, compression="foo"), ValueError, "compression is 'foo'; expected"),
        (lambda: cast_parquet(sources, hitscan.load(BALL), hits), TypeError, "the scene is a Scene; expected a path"),
    ]
    for call, kind, message in calls:
        with pytest.raises(kind, match=message):
            call()
    assert not hits.exists()


def test_arrays_keep_their_leading_shape_and_chunks(client: Client, saved: Path) -> None:
    rays = some_rays()[RAY].to_numpy(np.float64)
    pieces = dask.array.from_array(rays.reshape(40, 100, 6), chunks=(13, 50, 4))
    hits = hitscan.Scene.open(saved).closest(rays)
    answer = cast(pieces, saved)
    assert answer.shape == (40, 100) and answer.chunks == pieces.chunks[:2]
    got = answer.compute()
    assert got.dtype == answer.dtype
    for name, column in hits._table().items():
        np.testing.assert_array_equal(got[name].ravel(), column)
    assert np.array_equal(cast(pieces, saved, "count").compute().ravel(), hitscan.Scene.open(saved).count(rays))
    assert np.array_equal(cast(pieces, saved, "occluded").compute().ravel(), hits.hit)


def test_limits_of_arrays(client: Client) -> None:
    rays = np.array([[0, 0, 2, 0, 0, -1, 0, 9], [0, 0, 2, 0, 0, -1, 2, 9], [0, 0, 2, 0, 0, -1, 0, 0.5]])
    t = cast(dask.array.from_array(rays, chunks=(2, 8)), BALL, columns=["t"])["t"].compute()
    assert 0.9 < t[0] < 1.1 and 2.9 < t[1] < 3.1 and t[2] == np.inf


def test_a_lost_worker_costs_nothing_but_time(client: Client, saved: Path) -> None:
    rays = some_rays()
    frame = dask.dataframe.from_pandas(rays, npartitions=40)

    def slowly(piece: pandas.DataFrame) -> pandas.DataFrame:
        time.sleep(0.05)
        return piece

    answer = cast(frame.map_partitions(slowly, meta=frame._meta), saved, keep=["id"])
    pieces = client.compute(answer.to_delayed())
    done = as_completed(pieces)
    for _ in range(4):
        next(done)
    lost = next(iter(client.run(os.getpid).values()))
    assert sum(piece.done() for piece in pieces) < 30
    os.kill(lost, getattr(signal, "SIGKILL", signal.SIGTERM))
    got = pandas.concat(client.gather(pieces))
    pandas.testing.assert_frame_equal(got, cast_table(saved, rays, keep=["id"]), check_exact=True)
    # Another one has taken its place.
    client.wait_for_workers(2, timeout=30)
    assert lost not in client.run(os.getpid).values()


def test_each_worker_opens_a_scene_once(client: Client, saved: Path) -> None:
    from hitscan.batch import cache_clear, cache_info

    client.wait_for_workers(2, timeout=30)
    client.run(cache_clear)
    frame = dask.dataframe.from_pandas(some_rays(), npartitions=24)
    cast(frame, saved, "count", keep=["id"]).compute()
    infos = client.run(cache_info).values()
    assert sum(info.hits + info.opened for info in infos) == 24
    assert [info.opened for info in infos] == [1, 1]


def memory_of(path: str) -> dict[str, int]:
    """What this process holds of a file, in kB."""
    found: dict[str, int] = {}
    is_it = False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        first, *rest = line.split()
        if not first.endswith(":"):
            is_it = line.endswith(path)
        elif is_it and rest and rest[-1] == "kB":
            found[first[:-1]] = found.get(first[:-1], 0) + int(rest[0])
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what processes share")
def test_workers_share_the_memory_of_a_scene(client: Client, saved: Path) -> None:
    client.wait_for_workers(2, timeout=30)
    client.run(cast_table, str(saved), some_rays())
    held = list(client.run(memory_of, str(saved)).values())
    assert len(held) == 2
    for one in held:
        # What was touched is there, none of it is a copy, and both have it, but for pages that only one touched.
        assert one["Rss"] > 1000 and one["Anonymous"] == one["Private_Dirty"] == 0
        assert one["Private_Clean"] < one["Rss"] / 20 and one["Pss"] < one["Rss"] * 0.55


def test_a_file_that_workers_do_not_see(client: Client, tmp_path: Path) -> None:
    frame = dask.dataframe.from_pandas(some_rays(), npartitions=2)
    answer = cast(frame, tmp_path / "gone.hitscan")
    with pytest.raises(FileNotFoundError, match="no such file on the host '.+'; every process that casts"):
        answer.compute()


def test_a_file_of_another_size(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "ball.hitscan"
    hitscan.load(BALL).save(path)
    answer = cast(dask.dataframe.from_pandas(some_rays(), npartitions=2), path)
    hitscan.load("builtin:sphere:2k").save(path)
    with pytest.raises(hitscan.HitscanError, match="bytes; expected the .+ that it had where the task was made"):
        answer.compute()


def test_the_graph_has_no_scene(saved: Path) -> None:
    import pickle

    frame = dask.dataframe.from_pandas(some_rays(10), npartitions=1)
    # The frame's own data is some kilobytes, the scene's megabytes.
    assert saved.stat().st_size > 2**20 > 16 * len(pickle.dumps(cast(frame, saved)))


def test_results_have_the_name_of_the_file_they_are_of(tmp_path: Path) -> None:
    path = tmp_path / "ball.hitscan"
    frame = dask.dataframe.from_pandas(some_rays(10), npartitions=1)
    names = set()
    for size in (1, 2):
        hitscan.load(f"builtin:sphere:{size}k").save(path)
        names |= {cast(frame, path)._name, cast(frame, path)._name}
    assert len(names) == 2


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda frame, array: cast(3, BALL), TypeError, "rays is a int; expected a DataFrame or an Array of Dask"),
        (lambda frame, array: cast(frame.compute(), BALL), TypeError, "other tables: hitscan.batch.cast_table"),
        (lambda frame, array: cast(frame[["ox"]], BALL), ValueError, "rays: the table has no column 'oy'; it has ox"),
        (lambda frame, array: cast(frame, BALL, "any"), ValueError, "query is 'any'"),
        (lambda frame, array: cast(frame, BALL, "all", columns=["ray"]), ValueError, "a frame of Dask has no 'ray'"),
        (lambda frame, array: cast(frame, BALL, keep=["time"]), ValueError, "keep: the table has no column 'time'"),
        (lambda frame, array: cast(frame, BALL, facing="up"), ValueError, "facing is 'up'"),
        (lambda frame, array: cast(frame, BALL, "intervals", facing="back"), ValueError, "need both sides"),
        (lambda frame, array: cast(frame, BALL, invalid="skip"), ValueError, "invalid is 'skip'"),
        (lambda frame, array: cast(frame, BALL, threads=0), ValueError, "threads is 0; expected 1 to 1024"),
        (lambda frame, array: cast(array, BALL, threads=2.5), TypeError, "threads is 2.5; expected a whole number"),
        (lambda frame, array: cast(frame, BALL, mask=1 << 32), ValueError, "mask is 4294967296"),
        (lambda frame, array: cast(frame, b"a.glb"), TypeError, "path is b'a.glb'; expected a str"),
        (lambda frame, array: cast(array, BALL, "all"), ValueError, "any number of rows a ray; expected a data frame"),
        (lambda frame, array: cast(array, BALL, keep=["id"]), ValueError, "keep is for columns of a frame"),
        (
            lambda frame, array: cast(array[:, :5], BALL),
            ValueError,
            r"rays has the shape \(10, 5\); expected \(..., 6\)",
        ),
        (lambda frame, array: cast(frame, hitscan.load(BALL)), TypeError, "the scene is a Scene; expected a path"),
    ],
)
def test_bad_arguments_are_told_at_once(call: Any, kind: type[Exception], message: str) -> None:
    frame = dask.dataframe.from_pandas(some_rays(10), npartitions=1)
    array = dask.array.from_array(some_rays(10)[RAY].to_numpy())
    with pytest.raises(kind, match=message):
        call(frame, array)
