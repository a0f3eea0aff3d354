"""Rays from Parquet to Parquet: Dask beside plain multiprocessing, with as many processes of one thread each.

Dask twice: by files (`hitscan.dask.cast_parquet`), and as a data frame that is read, cast and written. All read the
same files and write the same columns with one scene that all workers map. Workers are up before the clock starts, and
have imported what they need; that they open the scene is a part of the first round. Rounds alternate in their order;
a ratio is the median of the rounds'. Each answer has to be that of one process, on bits and in order, also the last
ones, in which a worker is killed on the way.

    python benches/dask_parquet.py              # 16 million rays: some minutes, 1 GB of disk
    python benches/dask_parquet.py --rays 400000 --rounds 1
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hitscan
import numpy as np
import pyarrow
from hitscan.batch import cast_table
from pyarrow import parquet

RAY = ("ox", "oy", "oz", "dx", "dy", "dz")
COLUMNS = ("t", "prim")


def write_rays(folder: Path, rays: int, files: int) -> list[Path]:
    """Random rays in and around the scene, about equally many in each file."""
    folder.mkdir()
    random = np.random.default_rng(1)
    ends = [rays * (part + 1) // files for part in range(files)]
    paths, start = [], 0
    for part, end in enumerate(ends):
        origins = random.uniform(-2, 2, (3, end - start)).astype(np.float32)
        directions = random.normal(size=(3, end - start)).astype(np.float32)
        columns = dict(zip(RAY, (*origins, *directions), strict=True))
        path = folder / f"rays-{part:05}.parquet"
        parquet.write_table(pyarrow.table({"id": np.arange(start, end), **columns}), path, compression="zstd")
        paths.append(path)
        start = end
    return paths


def one_file(job: tuple[str, Path, Path]) -> None:
    """What a process of the pool does."""
    scene, source, target = job
    rays = parquet.read_table(source)
    parquet.write_table(cast_table(scene, rays, columns=COLUMNS, keep=["id"]), target, compression="zstd")


def nothing(_: int) -> None:
    """What starts a process of the pool, which imports this file."""
    time.sleep(0.2)


def with_pool(pool: Any, scene: str, sources: list[Path], out: Path) -> None:
    out.mkdir()
    for _ in pool.imap_unordered(one_file, [(scene, source, out / source.name) for source in sources]):
        pass


def with_files(scene: str, sources: list[Path], out: Path) -> None:
    from hitscan.dask import cast_parquet

    cast_parquet(sources, scene, out, columns=COLUMNS, keep=["id"])


def with_frames(scene: str, sources: list[Path], out: Path) -> None:
    import dask.dataframe
    from hitscan.dask import cast

    rays = dask.dataframe.read_parquet([str(source) for source in sources])
    hits = cast(rays, scene, columns=COLUMNS, keep=["id"])
    names = "hits-{:05}.parquet".format
    hits.to_parquet(str(out), compression="zstd", write_index=False, name_function=names)


def timed(run: Callable[..., None], *arguments: Any) -> float:
    start = time.perf_counter()
    run(*arguments)
    return time.perf_counter() - start


def read(folder: Path) -> dict[str, np.ndarray[Any, Any]]:
    """The columns of all files, in order."""
    tables = [parquet.read_table(path, columns=["id", *COLUMNS]) for path in sorted(folder.glob("*.parquet"))]
    table = pyarrow.concat_tables(table.replace_schema_metadata() for table in tables)
    return {name: table[name].to_numpy() for name in table.column_names}


def check(folder: Path, right: dict[str, np.ndarray[Any, Any]]) -> None:
    """The bits of one process, in its order."""
    found = read(folder)
    for name, column in right.items():
        if found[name].tobytes() != column.tobytes():
            raise SystemExit(f"{folder}: {name} differs from what one process says")


def kill_one(client: Any, out: Path, files: int) -> None:
    """Ends a worker when a quarter of the answers are written, and before the last ones are."""
    process = next(iter(client.run(os.getpid).values()))

    def wait() -> None:
        while len(list(out.glob("*.parquet"))) < max(1, files // 4):
            time.sleep(0.001)
        written = len(list(out.glob("*.parquet")))
        os.kill(process, getattr(signal, "SIGKILL", signal.SIGTERM))
        print(f"killed process {process}, a worker, when {written} of {files} files were written")

    threading.Thread(target=wait, daemon=True).start()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rays", type=int, default=16_000_000, help="how many [default: 16000000]")
    parser.add_argument("--files", type=int, default=16, help="of Parquet that they are in [default: 16]")
    parser.add_argument("--workers", type=int, default=2, help="processes of one thread [default: 2]")
    parser.add_argument("--rounds", type=int, default=3, help="of both [default: 3]")
    parser.add_argument("--scene", default="builtin:sphere:82k", help="what is hit [default: builtin:sphere:82k]")
    options = parser.parse_args()

    from distributed import Client, LocalCluster

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scene = str(folder / "scene.hitscan")
        hitscan.load(options.scene).save(scene)
        sources = write_rays(folder / "rays", options.rays, options.files)
        (folder / "one").mkdir()
        alone = timed(lambda: [one_file((scene, source, folder / "one" / source.name)) for source in sources])
        right = read(folder / "one")
        hits = int((right["prim"] >= 0).sum())
        print(f"{options.rays} rays in {options.files} files, {hits} hits")
        print(f"one process: {options.rays / alone / 1e6:.2f} Mrays/s")

        start = time.perf_counter()
        with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
            pool.map(nothing, range(options.workers), chunksize=1)
            pool_up = time.perf_counter() - start
            start = time.perf_counter()
            with (
                LocalCluster(n_workers=options.workers, threads_per_worker=1, dashboard_address=None) as cluster,
                Client(cluster) as client,
            ):
                client.run(__import__, "hitscan.dask")
                print(f"workers up: multiprocessing {pool_up:.1f} s, Dask {time.perf_counter() - start:.1f} s")
                ways = {"files": with_files, "frames": with_frames}
                ratios: dict[str, list[float]] = {way: [] for way in ways}
                for number in range(options.rounds):
                    runs = {"pool": (with_pool, pool), **{way: (run,) for way, run in ways.items()}}
                    took = {}
                    for who in runs if number % 2 == 0 else reversed(runs):
                        out = folder / f"{who}-{number}"
                        took[who] = timed(*runs[who], scene, sources, out)
                        check(out, right)
                    rates = {who: options.rays / seconds / 1e6 for who, seconds in took.items()}
                    for way in ways:
                        ratios[way].append(rates[way] / rates["pool"])
                    said = ", ".join(f"{way} {rates[way]:.2f} ({ratios[way][-1]:.0%})" for way in ways)
                    print(f"round {number + 1}, Mrays/s: multiprocessing {rates['pool']:.2f}, Dask by {said}")
                for way, run in ways.items():
                    client.wait_for_workers(options.workers)
                    out = folder / f"killed-{way}"
                    out.mkdir()
                    kill_one(client, out, options.files)
                    seconds = timed(run, scene, sources, out)
                    check(out, right)
                    rate = options.rays / seconds / 1e6
                    print(f"by {way} with a worker killed on the way: {rate:.2f} Mrays/s, the same bits")
                for way, found in ratios.items():
                    print(f"Dask by {way} over multiprocessing: {statistics.median(found):.0%} (bar: 80%)")


if __name__ == "__main__":
    main()
