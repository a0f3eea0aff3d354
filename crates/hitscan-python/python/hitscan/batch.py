"""Tables of rays in, tables of answers out: the same on one machine and on many.

`cast_table` is what Dask (`hitscan.dask`), Ray, Spark or DataFusion run for each piece of a table, and `cast_parquet`
for each file. The scene goes by path, never through a graph of tasks: each process opens it once, and processes of one
machine that open one ``.hitscan`` file share its memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar, overload

from hitscan import _parquet
from hitscan._arrays import Array, floats
from hitscan._asked import Facing, Invalid
from hitscan._paths import given
from hitscan._plan import LIMITS, RAY, Options, Plan
from hitscan._scene_cache import CacheInfo, cache_clear, cache_info, open_scene
from hitscan._tables import Table, table_of
from hitscan.errors import HitscanError

__all__ = ["CacheInfo", "cache_clear", "cache_info", "cast_parquet", "cast_table", "open_scene"]

T = TypeVar("T")


@overload
def cast_table(
    scene_path: str | os.PathLike[str],
    table: Mapping[str, Any],
    query: str = ...,
    *,
    columns: Sequence[str] | None = ...,
    keep: Sequence[str] = ...,
    mask: int = ...,
    facing: Facing = ...,
    invalid: Invalid = ...,
    threads: int | None = ...,
    mmap: bool = ...,
) -> dict[str, Array]: ...
@overload
def cast_table(
    scene_path: str | os.PathLike[str],
    table: T,
    query: str = ...,
    *,
    columns: Sequence[str] | None = ...,
    keep: Sequence[str] = ...,
    mask: int = ...,
    facing: Facing = ...,
    invalid: Invalid = ...,
    threads: int | None = ...,
    mmap: bool = ...,
) -> T: ...
def cast_table(
    scene_path: str | os.PathLike[str],
    table: Any,
    query: str = "closest",
    *,
    columns: Sequence[str] | None = None,
    keep: Sequence[str] = (),
    mask: int = 0xFFFF_FFFF,
    facing: Facing = "both",
    invalid: Invalid = "raise",
    threads: int | None = 1,
    mmap: bool = True,
) -> Any:
    """Asks every ray of a table; the answer is a table of the same kind.

    Parameters
    ----------
    scene_path : str or path
        The scene, which this process opens once: see `open_scene`. A ``.hitscan`` file is mapped, and trusted.
    table : pyarrow.Table, pyarrow.RecordBatch, pandas.DataFrame or dict of arrays
        Rays, a row each: the columns ``ox oy oz`` say where they begin and ``dx dy dz`` where they go, in any length;
        ``t_min`` and ``t_max`` limit them where they are there. Other columns are passed over.
    query : str, optional
        ``"closest"``, ``"occluded"`` or ``"count"``, with a row a ray, in order; or ``"all"``, ``"first:N"`` or
        ``"intervals"``, with a row a hit or a piece, sorted by ray, then by ``t``.
    columns : sequence of str, optional
        What is wanted; fewer are faster, and ``("t", "prim")`` is fastest. Hits have ``t x y z distance u v instance
        prim facing nx ny nz`` and, where asked for, ``material``; intervals ``enter exit thickness instance material``;
        the others ``occluded`` or ``count``. Where a ray has any number of rows, ``ray`` is its row in this table.
    keep : sequence of str, optional
        Columns of the table that the answer has too, before its own.
    mask, facing : optional
        As in `Scene.closest`.
    invalid : {"raise", "miss"}, optional
        Whether a row that makes no ray raises, or counts as a miss.
    threads : int, optional
        1 by default, since workers are processes; None for one a processor.
    mmap : bool, optional
        As in `open_scene`.

    Returns
    -------
    table of the same kind
        With the columns of `keep`, then `columns`: float64, but ``instance`` and ``material`` int32, ``prim``, ``ray``
        and ``count`` int64, ``facing`` int8 (1 front, -1 back), ``occluded`` bool. A miss has ``t = inf`` and ``prim =
        -1``; its other columns are null in Arrow, and elsewhere as in `Hits`. A data frame keeps its index.

    Raises
    ------
    FileNotFoundError
        A scene that this host does not see.
    HitscanError
        A row that makes no ray, with its number.
    ValueError, TypeError
        Columns that are not there or hold no numbers, a query or a table of no known kind.

    Examples
    --------
    >>> import numpy as np
    >>> from hitscan.batch import cast_table
    >>> rays = {"id": ["a", "b"], "ox": [0, 0], "oy": [0, 9], "oz": [2, 2], "dx": [0, 0], "dy": [0, 0], "dz": [-1, -1]}
    >>> answer = cast_table("builtin:sphere:1k", rays, columns=("t", "prim"), keep=["id"])
    >>> [(str(name), round(float(t), 2)) for name, t in zip(answer["id"], answer["t"])]
    [('a', 1.0), ('b', inf)]
    """
    plan = Plan.of(query, columns)
    rows = table_of(table)
    kept = check_keep(keep, plan, rows.names())
    options = Options.of(query, mask, facing, invalid, threads)
    rays, limits = rays_of(rows, invalid, kept)
    scene = open_scene(scene_path, mmap=mmap, threads=threads)
    found = plan.ask(scene, rays, limits, options)
    return rows.answer(plan, found, kept)


def cast_parquet(
    scene_path: str | os.PathLike[str],
    rays: str | os.PathLike[str],
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
) -> int:
    """Asks every ray of a Parquet file, and writes the answers to another, which is there when it is whole.

    The task for engines whose work is files: no more is carried around than names. Both files are in memory at once.

    Parameters
    ----------
    scene_path : str or path
        The scene, which this process opens once: see `open_scene`. A ``.hitscan`` file is mapped, and trusted.
    rays : str or path
        A file with the columns that `cast_table` reads.
    hits : str or path
        The file to write, in a folder that is there. One of that name is replaced.
    query, columns, keep, mask, facing, invalid, threads, mmap : optional
        As in `cast_table`.
    compression : str, optional
        Of the answers, as `pyarrow.parquet.write_table` names it: ``"none"`` for none.

    Returns
    -------
    int
        How many rows were written.

    Raises
    ------
    FileNotFoundError
        A scene or a file of rays that this host does not see.
    HitscanError
        A file that is none of Parquet; a row that makes no ray, with its number and the file.
    ValueError, TypeError, OSError
        As in `cast_table`; answers in the place of their rays; a compression of no known name; a file that cannot be
        written.
    ImportError
        Where pyarrow is not installed.

    Examples
    --------
    >>> import pyarrow, pyarrow.parquet
    >>> from hitscan.batch import cast_parquet
    >>> names, rays = ["ox", "oy", "oz", "dx", "dy", "dz"], [[0, 0], [0, 9], [2, 2], [0, 0], [0, 0], [-1, -1]]
    >>> pyarrow.parquet.write_table(pyarrow.table(rays, names), "rays.parquet")
    >>> cast_parquet("builtin:sphere:1k", "rays.parquet", "hits.parquet", "count")
    2
    >>> pyarrow.parquet.read_table("hits.parquet")["count"].to_pylist()
    [2, 0]
    """
    source, target = given("rays", rays), given("hits", hits)
    plan = Plan.of(query, columns)
    if os.path.abspath(source) == os.path.abspath(target):
        raise ValueError(f"hits: {target} is the file of the rays; expected another")
    _parquet.check_compression(compression)
    with _parquet.opened(source) as file:
        wanted, kept = columns_of_rays(file.schema_arrow.names, plan, keep)
        table = file.read(columns=wanted)
    try:
        answer = cast_table(
            scene_path,
            table,
            query,
            columns=plan.columns,
            keep=kept,
            mask=mask,
            facing=facing,
            invalid=invalid,
            threads=threads,
            mmap=mmap,
        )
    except HitscanError as error:
        # What is wrong with the scene has its own path with it.
        if error.argument not in ("rays", "table"):
            raise
        raise HitscanError(f"{source}: {error}", error.argument, error.row) from None
    _parquet.write(answer, target, compression)
    return int(answer.num_rows)


def columns_of_rays(names: Sequence[str], plan: Plan, keep: Sequence[str]) -> tuple[list[str], list[str]]:
    """Which of these columns are read, and which are kept; those of rays and those to keep have to be there."""
    check_names("rays", RAY, names)
    kept = check_keep(keep, plan, names)
    return [name for name in names if name in {*RAY, *LIMITS, *kept}], kept


def names_of(keep: Sequence[str]) -> list[str]:
    """The names that a caller gives for columns to keep."""
    if not isinstance(keep, Iterable):
        raise TypeError(f"keep is {keep!r}; expected names")
    return [keep] if isinstance(keep, str) else list(keep)


def check_keep(keep: Sequence[str], plan: Plan, names: Sequence[str]) -> list[str]:
    """The columns to keep, which have to be there, and to have other names than the answer's."""
    kept = names_of(keep)
    for name in kept:
        if name in plan.columns:
            raise ValueError(f"keep: the answer has a {name!r} of its own; leave it out of columns, or rename it")
    check_names("keep", kept, names)
    return list(dict.fromkeys(kept))


def check_names(argument: str, wanted: Sequence[str], names: Sequence[str]) -> None:
    """Columns have to be there, once each."""
    for name in wanted:
        if name not in names:
            raise ValueError(f"{argument}: the table has no column {name!r}; it has {', '.join(map(str, names))}")
        if list(names).count(name) > 1:
            raise ValueError(f"{argument}: the table has several columns {name!r}; expected one")


def rays_of(rows: Table, invalid: Invalid, kept: Sequence[str]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The six columns of rays, and those of their limits, as long as what is kept."""
    names = rows.names()
    check_names("table", RAY, names)
    limited = [name for name in LIMITS if name in names]
    check_names("table", limited, names)
    is_strict = invalid != "miss"
    columns = {name: floats(f"table[{name!r}]", rows.numbers(name, is_strict)) for name in (*RAY, *limited)}
    lengths = {name: rows.length(name) for name in (*columns, *kept)}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise ValueError(f"table has columns of several lengths: {found}; expected one")
    return tuple(columns[name] for name in RAY), {name: columns[name] for name in limited}
