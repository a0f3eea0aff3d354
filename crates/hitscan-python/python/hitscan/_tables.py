"""Tables of several kinds: their columns as arrays, and answers as the same kind."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from hitscan._arrays import Array
from hitscan._plan import Answer, Plan, null_row

__all__ = ["Table", "table_of"]


class Table(Protocol):
    """What `hitscan.batch.cast_table` needs of a table."""

    def names(self) -> list[str]:
        """The names of the columns."""

    def numbers(self, name: str, is_strict: bool) -> Array:
        """A column as an array; what is null is NaN, or an error if strict."""

    def length(self, name: str) -> int:
        """How many rows a column has."""

    def answer(self, plan: Plan, found: Answer, keep: Sequence[str]) -> Any:
        """The answer, beside what is kept, as a table of the same kind."""


def table_of(table: object) -> Table:
    """What reads a table."""
    if isinstance(table, Mapping):
        return _Arrays(table)
    # Whoever has a table of theirs has imported them.
    arrow, pandas = sys.modules.get("pyarrow"), sys.modules.get("pandas")
    if arrow is not None and isinstance(table, (arrow.Table, arrow.RecordBatch)):
        return _Arrow(table, arrow)
    if pandas is not None and isinstance(table, pandas.DataFrame):
        return _Frame(table, pandas)
    raise TypeError(
        f"table is a {type(table).__name__}; "
        "expected a pyarrow.Table or RecordBatch, a pandas.DataFrame or a dict of arrays"
    )


class _Arrays:
    """A dict of arrays."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._table = table

    def names(self) -> list[str]:
        return list(self._table)

    def numbers(self, name: str, is_strict: bool) -> Array:
        given = self._table[name]
        if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given):
            if is_strict:
                raise null_row(name, int(np.ma.getmaskarray(given).argmax()))
            given = np.ma.filled(given.astype(np.float64), np.nan)
        array = np.asarray(given)
        if array.ndim != 1:
            raise ValueError(f"table[{name!r}] has the shape {array.shape}; expected (n,)")
        return array

    def length(self, name: str) -> int:
        return int((*np.shape(self._table[name]), 0)[0])

    def answer(self, plan: Plan, found: Answer, keep: Sequence[str]) -> dict[str, Array]:
        kept = {name: np.asanyarray(self._table[name]) for name in keep}
        if found.rays is not None:
            kept = {name: column[found.rays] for name, column in kept.items()}
        return {**kept, **found.columns}


class _Frame:
    """A data frame of pandas; the answer has its index."""

    def __init__(self, table: Any, pandas: Any) -> None:
        self._table, self._pandas = table, pandas

    def names(self) -> list[str]:
        return list(self._table.columns)

    def numbers(self, name: str, is_strict: bool) -> Array:
        series = self._table[name]
        if isinstance(series.dtype, np.dtype):
            return np.asarray(series.to_numpy())
        types = self._pandas.api.types
        if not types.is_numeric_dtype(series.dtype) or types.is_bool_dtype(series.dtype):
            raise TypeError(f"table[{name!r}] has the dtype {series.dtype}; expected numbers")
        missing = series.isna().to_numpy()
        if is_strict and missing.any():
            raise null_row(name, int(missing.argmax()))
        return np.asarray(series.to_numpy(np.float64, na_value=np.nan))

    def length(self, name: str) -> int:
        return len(self._table)

    def answer(self, plan: Plan, found: Answer, keep: Sequence[str]) -> Any:
        kept = self._table[list(keep)]
        if found.rays is not None:
            kept = kept.take(found.rays)
        columns = {**{name: kept[name] for name in keep}, **found.columns}
        return self._pandas.DataFrame(columns, index=kept.index, copy=False)


class _Arrow:
    """A table of Arrow, or a batch of one."""

    def __init__(self, table: Any, arrow: Any) -> None:
        self._table, self._arrow = table, arrow

    def names(self) -> list[str]:
        return list(self._table.schema.names)

    def numbers(self, name: str, is_strict: bool) -> Array:
        column = self._table.column(name)
        types = self._arrow.types
        if not (types.is_floating(column.type) or types.is_integer(column.type)):
            raise TypeError(f"table[{name!r}] has the type {column.type}; expected numbers")
        if is_strict and column.null_count:
            raise null_row(name, column.is_null().index(True).as_py())
        if isinstance(column, self._arrow.ChunkedArray):
            column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
        # Without a copy where nothing is null.
        return np.asarray(column.to_numpy(zero_copy_only=False))

    def length(self, name: str) -> int:
        return int(self._table.num_rows)

    def answer(self, plan: Plan, found: Answer, keep: Sequence[str]) -> Any:
        arrow = self._arrow
        kept = [self._table.column(name) for name in keep]
        if found.rays is not None:
            rows = arrow.array(found.rays)
            kept = [column.take(rows) for column in kept]
        # One bit a row, which all columns share.
        bits = None
        if found.hit is not None and not found.hit.all():
            bits = arrow.py_buffer(np.packbits(found.hit, bitorder="little"))
        made = []
        for name, array in found.columns.items():
            kind = arrow.from_numpy_dtype(array.dtype)
            if array.dtype == np.bool_:
                made.append(arrow.array(array))
                continue
            valid = bits if plan.is_nullable(name) else None
            made.append(arrow.Array.from_buffers(kind, len(array), [valid, arrow.py_buffer(array)]))
        return type(self._table).from_arrays([*kept, *made], names=[*keep, *found.columns])
