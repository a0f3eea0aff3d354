"""Rays in collections of Dask, or in files: `hitscan.batch.cast_table` or `cast_parquet` for each of their pieces.

Needs ``pip install hitscan[dask]``. Workers open the scene themselves, by its path, once each; those of one machine
share the memory of a ``.hitscan`` file. A worker that is lost costs the pieces that it was at.
"""

from __future__ import annotations

import errno
import math
import os
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

try:
    import dask.array
    import dask.dataframe
    import pandas
    from dask.delayed import delayed
except ImportError:
    # What it is that is missing, Python says above this.
    raise ImportError("hitscan.dask needs Dask with its data frames: pip install hitscan[dask]")

from hitscan import _parquet
from hitscan._arrays import Array
from hitscan._asked import Facing, Invalid
from hitscan._paths import given
from hitscan._plan import LIMITS, Answer, Options, Plan
from hitscan._scene_cache import open_scene, path_of
from hitscan._tables import table_of
from hitscan.batch import cast_parquet as cast_file
from hitscan.batch import cast_table, columns_of_rays, names_of
from hitscan.errors import HitscanError

__all__ = ["cast", "cast_parquet"]

C = TypeVar("C")


def cast(
    rays: C,
    scene_path: str | os.PathLike[str],
    query: str = "closest",
    *,
    columns: Sequence[str] | None = None,
    keep: Sequence[str] = (),
    mask: int = 0xFFFF_FFFF,
    facing: Facing = "both",
    invalid: Invalid = "raise",
    threads: int | None = 1,
    mmap: bool = True,
) -> C:
    """Asks every ray of a data frame or an array of Dask, when that is computed.

    Parameters
    ----------
    rays : dask.dataframe.DataFrame or dask.array.Array
        A frame with the columns ``ox oy oz dx dy dz`` and perhaps ``t_min t_max``; or an array of shape (..., 6), or
        (..., 8) with the limits.
    scene_path : str or path
        The scene, where every worker sees it: see `hitscan.batch.open_scene`. A relative path is taken from the folder
        of this process. A ``.hitscan`` file is mapped, and trusted.
    query, columns, mask, facing, invalid, threads, mmap : optional
        As in `hitscan.batch.cast_table`. An array has one answer a ray: ``"closest"``, ``"occluded"`` or ``"count"``.
    keep : sequence of str, optional
        Columns of the frame that the answer has too.

    Returns
    -------
    dask.dataframe.DataFrame or dask.array.Array
        Of a frame, a frame in the same order and with the same partitions, divisions and index; where a ray has any
        number of rows, they have the index of their ray (and there is no column ``ray``). Of an array, one of the
        leading shape and chunks: structures with the columns as fields for ``"closest"``, bool for ``"occluded"`` and
        int64 for ``"count"``.

    Raises
    ------
    ValueError, TypeError
        Now: columns that are not there, a query or a collection of no known kind.
    FileNotFoundError, HitscanError
        When it is computed: a scene that a worker does not see, with the worker's host; a file of another size than
        here; a ray that is none, with its row in its piece.

    Examples
    --------
    >>> import dask.array, numpy as np
    >>> from hitscan.dask import cast
    >>> rays = dask.array.from_array(np.array([[0.0, 0, 2, 0, 0, -1], [0, 9, 2, 0, 0, -1]]), chunks=(1, 6))
    >>> cast(rays, "builtin:sphere:1k")["prim"].compute() >= 0
    array([ True, False])
    """
    path = _everywhere(scene_path)
    options = Options.of(query, mask, facing, invalid, threads)
    if isinstance(rays, dask.dataframe.DataFrame):
        cast_frame: C = _cast_frame(rays, path, query, columns, keep, options, mmap)
        return cast_frame
    if isinstance(rays, dask.array.Array):
        if keep:
            raise ValueError("keep is for columns of a frame; expected none for an array")
        cast_array: C = _cast_array(rays, path, Plan.of(query, columns), options, mmap)
        return cast_array
    raise TypeError(
        f"rays is a {type(rays).__name__}; expected a DataFrame or an Array of Dask "
        "(other tables: hitscan.batch.cast_table)"
    )


def cast_parquet(
    rays: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    scene_path: str | os.PathLike[str],
    hits: str | os.PathLike[str],
    query: str = "closest",
    *,
    columns: Sequence[str] | None = None,
    keep: Sequence[str] = (),
    mask: int = 0xFFFF_FFFF,
    facing: Facing = "both",
    invalid: Invalid = "raise",
    threads: int | None = 1,
    mmap: bool = True,
    compression: str = "zstd",
    compute: bool = True,
) -> Any:
    """Asks every ray of Parquet files, a task each, and writes a file of answers for each of them.

    Workers read and write the files themselves, as Arrow, without data frames between: as fast as the same processes
    without Dask. `cast` is for rays that are a collection already, or to be worked on before or behind.

    Parameters
    ----------
    rays : path, or sequence of paths
        Files with the columns that `hitscan.batch.cast_table` reads, or one folder of them: all that it has that end
        in ``.parquet``, sorted by name. Workers see them under the same paths.
    scene_path : str or path
        The scene, likewise: see `hitscan.batch.open_scene`. A ``.hitscan`` file is mapped, and trusted.
    hits : str or path
        The folder of the answers, which is made where it is not there. A file of answers has the name of its rays,
        replaces one of that name, and is there when it is whole.
    query, columns, keep, mask, facing, invalid, threads, mmap : optional
        As in `hitscan.batch.cast_table`. The column ``ray`` is a row in the file of the rays.
    compression : str, optional
        As in `hitscan.batch.cast_parquet`.
    compute : bool, optional
        Whether to do it now. If not, what is returned does it once it is computed.

    Returns
    -------
    list of str, or dask.delayed.Delayed
        The files of answers, in the order of the rays.

    Raises
    ------
    ValueError, TypeError
        Now: columns that are not there, a query or a compression of no known kind, no files, two of one name, answers
        in the place of their rays.
    FileNotFoundError, HitscanError, OSError
        When it is computed: files that a worker does not see, with the worker's host; a scene of another size than
        here; a row that makes no ray, with its number and the file; a file that cannot be written.

    Examples
    --------
    >>> import pyarrow, pyarrow.parquet
    >>> from hitscan.dask import cast_parquet
    >>> names, rays = ["ox", "oy", "oz", "dx", "dy", "dz"], [[0, 0], [0, 9], [2, 2], [0, 0], [0, 0], [-1, -1]]
    >>> pyarrow.parquet.write_table(pyarrow.table(rays, names), "rays.parquet")
    >>> [answers] = cast_parquet(["rays.parquet"], "builtin:sphere:1k", "hits", "count")
    >>> pyarrow.parquet.read_table(answers)["count"].to_pylist()
    [2, 0]
    """
    path, folder = _everywhere(scene_path), os.path.abspath(given("hits", hits))
    options, plan = Options.of(query, mask, facing, invalid, threads), Plan.of(query, columns)
    kept, sources = names_of(keep), _files(rays)
    targets = [os.path.join(folder, os.path.basename(source)) for source in sources]
    _check_targets(sources, targets)
    _parquet.check_compression(compression)
    if os.path.exists(sources[0]):
        with _parquet.opened(sources[0]) as file:
            columns_of_rays(file.schema_arrow.names, plan, kept)
    how = {"compression": compression, **_how(query, plan, kept, options, mmap)}
    os.makedirs(folder, exist_ok=True)
    size = _size_here(path)
    # Not named by their arguments: what is in the files may have changed.
    one = delayed(_file, pure=False)
    files = delayed([one(*names, path, size, how) for names in zip(sources, targets, strict=True)])
    return files.compute() if compute else files


def _how(query: str, plan: Plan, kept: list[str], options: Options, mmap: bool) -> dict[str, Any]:
    """What each piece is asked with."""
    return {"query": query, "columns": plan.columns, "keep": kept, "mmap": mmap, **options._asdict()}


def _file(source: str, target: str, path: str, size: tuple[int, int] | None, how: dict[str, Any]) -> str:
    _check_size(path, size)
    cast_file(path, source, target, **how)
    return target


def _files(rays: Any) -> list[str]:
    """The paths of files of rays, for any folder that a worker works in."""
    if not isinstance(rays, (str, os.PathLike)):
        if not isinstance(rays, Iterable):
            raise TypeError(f"rays is {rays!r}; expected a folder, or paths of files")
        files = [os.path.abspath(given("rays", one)) for one in rays]
        if not files:
            raise ValueError("rays has no paths; expected one file or more")
        return files
    name = os.path.abspath(given("rays", rays))
    if not os.path.isdir(name):
        if not os.path.exists(name):
            raise FileNotFoundError(errno.ENOENT, "no such folder or file of rays", name)
        return [name]
    files = sorted(os.path.join(name, one) for one in os.listdir(name) if _is_of_rays(one))
    if not files:
        raise ValueError(f"rays: {name} has no files that end in .parquet; expected one or more")
    return files


def _is_of_rays(name: str) -> bool:
    return name.endswith(".parquet") and not name.startswith((".", "_"))


def _check_targets(sources: list[str], targets: list[str]) -> None:
    """Each of its own, and none in the place of rays."""
    of_rays, rays_of = set(sources), dict[str, str]()
    for source, target in zip(sources, targets, strict=True):
        if target in of_rays:
            raise ValueError(f"hits: {os.path.dirname(target)} is a folder of rays; expected another")
        other = rays_of.setdefault(target, source)
        if other is not source:
            raise ValueError(f"rays: {other} and {source} have one name; their answers would, too")


def _everywhere(scene_path: object) -> str:
    """The path of a scene for any folder that a worker works in."""
    path = path_of(scene_path)
    return path if path.startswith("builtin:") else os.path.abspath(path)


def _cast_frame(
    rays: Any,
    path: str,
    query: str,
    columns: Sequence[str] | None,
    keep: Sequence[str],
    options: Options,
    mmap: bool,
) -> Any:
    plan = Plan.of(query, columns)
    names = list(rays.columns)
    if plan.is_list:
        # Rows are counted within a partition: such numbers would mislead.
        if columns is not None and "ray" in plan.columns:
            raise ValueError("columns: a frame of Dask has no 'ray'; the index of a row is that of its ray")
        plan = plan._replace(columns=tuple(name for name in plan.columns if name != "ray"))
    wanted, kept = columns_of_rays(names, plan, keep)
    empty = {name: np.empty(0, plan.dtype(name)) for name in plan.columns}
    meta = table_of(rays._meta).answer(plan, Answer(empty, None, None), kept)
    return rays[wanted].map_partitions(
        _partition,
        path,
        _size_here(path),
        _how(query, plan, kept, options, mmap),
        meta=meta,
        enforce_metadata=False,
    )


def _partition(
    rays: pandas.DataFrame, path: str, size: tuple[int, int] | None, how: dict[str, Any]
) -> pandas.DataFrame:
    _check_size(path, size)
    return cast_table(path, rays, **how)


def _cast_array(rays: Any, path: str, plan: Plan, options: Options, mmap: bool) -> Any:
    if plan.is_list:
        raise ValueError(f"query is {plan.question!r}, with any number of rows a ray; expected a data frame")
    if rays.ndim == 0 or rays.shape[-1] not in (6, 8):
        raise ValueError(f"rays has the shape {rays.shape}; expected (..., 6), or (..., 8) with t_min and t_max")
    if len(rays.chunks[-1]) > 1:
        rays = rays.rechunk({rays.ndim - 1: -1})
    kind = _kind(plan)
    return rays.map_blocks(
        _block,
        path,
        _size_here(path),
        plan,
        options,
        mmap,
        dtype=kind,
        drop_axis=rays.ndim - 1,
        meta=np.empty((0,) * (rays.ndim - 1), kind),
    )


def _kind(plan: Plan) -> np.dtype[Any]:
    """The type of the answer for one ray."""
    if plan.question == "closest":
        return np.dtype([(name, plan.dtype(name)) for name in plan.columns])
    return plan.dtype(plan.columns[0])


def _block(rays: Array, path: str, size: tuple[int, int] | None, plan: Plan, options: Options, mmap: bool) -> Array:
    _check_size(path, size)
    shape = rays.shape[:-1]
    flat = rays.reshape(math.prod(shape), rays.shape[-1])
    limits = {name: flat[:, 6 + number] for number, name in enumerate(LIMITS)} if flat.shape[1] == 8 else {}
    scene = open_scene(path, mmap=mmap, threads=options.threads)
    found = plan.ask(scene, flat[:, :6], limits, options).columns
    if plan.question != "closest":
        return found[plan.columns[0]].reshape(shape)
    answer = np.empty(len(flat), _kind(plan))
    for name, column in found.items():
        answer[name] = column
    return answer.reshape(shape)


def _size_here(path: str) -> tuple[int, int] | None:
    """The scene's file as this process sees it, by which Dask names results."""
    try:
        state = os.stat(path)
    except OSError:
        return None
    return state.st_size, state.st_mtime_ns


def _check_size(path: str, here: tuple[int, int] | None) -> None:
    """Copies of a file may have any time, but one size."""
    there = _size_here(path)
    if here is not None and there is not None and here[0] != there[0]:
        raise HitscanError(
            f"{path}: has {there[0]} bytes; expected the {here[0]} that it had where the task was made", "scene_path"
        )
