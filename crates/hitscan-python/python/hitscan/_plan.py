"""What is asked of every ray of a table, and which columns the answer has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from hitscan._arrays import Array, Floats
from hitscan._asked import Facing, Invalid, filter_of, how_of
from hitscan.errors import HitscanError
from hitscan.results import AXES, KINDS
from hitscan.scene import Scene

__all__ = ["LIMITS", "RAY", "Answer", "Options", "Plan"]

#: Columns of a ray: where it begins, where it goes.
RAY = ("ox", "oy", "oz", "dx", "dy", "dz")
#: Columns that limit it, where they are there.
LIMITS = ("t_min", "t_max")

_HITS = ("t", "x", "y", "z", "distance", "u", "v", "instance", "prim", "facing", "nx", "ny", "nz")
_INTERVALS = ("enter", "exit", "thickness", "instance", "material")
#: By the question: the columns of its answer by default, and those that there are beside them.
_COLUMNS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "closest": (_HITS, ("material",)),
    "all": (("ray", *_HITS), ("material",)),
    "first": (("ray", *_HITS), ("material",)),
    "intervals": (("ray", *_INTERVALS), ()),
    "occluded": (("occluded",), ()),
    "count": (("count",), ()),
}
#: Where the numbers of a vector are in the arrays of `hitscan`.
_PARTS = {part: (whole, axis) for whole, parts in AXES.items() for axis, part in enumerate(parts)}
#: What a miss has a number for in Arrow and Parquet, as in the command's files; all else is null.
_NEVER_NULL = ("t", "prim")


class Options(NamedTuple):
    """How to ask."""

    mask: int = 0xFFFF_FFFF
    facing: Facing = "both"
    invalid: Invalid = "raise"
    threads: int | None = 1

    @classmethod
    def of(cls, query: str, mask: int, facing: Facing, invalid: Invalid, threads: int | None) -> Options:
        """Checks what can be checked before there are rays."""
        mask, _ = filter_of(mask, facing)
        if query == "intervals" and facing != "both":
            raise ValueError(f"facing is {facing!r}; intervals need both sides")
        threads, _, _ = how_of(threads, None, invalid)
        return cls(mask, facing, invalid, threads)


class Answer(NamedTuple):
    """Columns of one length."""

    columns: dict[str, Array]
    #: The rays of the rows, where a ray has any number of them.
    rays: Array | None
    #: Which rows are hits; None where all are.
    hit: Array | None


class Plan(NamedTuple):
    """A question and the columns of its answer, checked."""

    question: str
    #: Most hits of a ray, of ``first:N``.
    most: int
    columns: tuple[str, ...]

    @classmethod
    def of(cls, query: str, columns: Sequence[str] | None = None) -> Plan:
        """Reads ``query``, and chooses the columns."""
        if not isinstance(query, str):
            raise TypeError(f"query is a {type(query).__name__}; expected a str")
        first = re.fullmatch(r"first:([0-9]{1,9})", query)
        question = "first" if first else query
        if question not in _COLUMNS or (question == "first" and not first):
            raise ValueError(f"query is {query!r}; expected closest, occluded, count, all, first:N or intervals")
        default, more = _COLUMNS[question]
        if isinstance(columns, str):
            columns = (columns,)
        if columns is not None and not isinstance(columns, Iterable):
            raise TypeError(f"columns is {columns!r}; expected names")
        names = default if columns is None else tuple(columns)
        if not names:
            raise ValueError("columns is empty; expected one or more")
        for name in names:
            if name not in default and name not in more:
                known = ", ".join((*default, *more))
                raise ValueError(f"columns: {query} has no {name!r}; it has {known}")
        return cls(question, int(first[1]) if first else 0, tuple(dict.fromkeys(names)))

    @property
    def is_list(self) -> bool:
        """Whether a ray has any number of rows."""
        return self.question in ("all", "first", "intervals")

    def dtype(self, column: str) -> np.dtype[Any]:
        """The type of a column's numbers."""
        if column == "occluded":
            return np.dtype(np.bool_)
        if column in ("ray", "count"):
            return np.dtype(np.int64)
        return np.dtype(KINDS[_PARTS.get(column, (column, 0))[0]][0])

    def is_nullable(self, column: str) -> bool:
        """Whether a miss has nothing there in Arrow."""
        return self.question == "closest" and column not in _NEVER_NULL

    def ask(
        self,
        scene: Scene,
        rays: Floats | tuple[Array, ...],
        limits: dict[str, Any],
        options: Options,
    ) -> Answer:
        """The answer for rays in one array of shape (n, 6), or in six columns."""
        how: dict[str, Any] = {**limits, "mask": options.mask, "threads": options.threads, "invalid": options.invalid}
        if self.question == "occluded":
            return Answer({"occluded": scene.occluded(rays, facing=options.facing, **how)}, None, None)
        if self.question == "count":
            return Answer({"count": scene.count(rays, facing=options.facing, **how)}, None, None)
        wanted = dict.fromkeys(_PARTS.get(name, (name, 0))[0] for name in self.columns if name != "ray")
        if self.question == "closest":
            # What says which rows are hits, where none of the columns that are asked for is sure to.
            hits = scene.closest(rays, facing=options.facing, columns=(*wanted, "prim"), **how)
            return Answer(self._pick(hits), None, hits.prim >= 0)
        how["columns"] = tuple(wanted)
        if self.question == "intervals":
            lists: Any = scene.intervals(rays, **how)
        elif self.question == "all":
            lists = scene.all_hits(rays, facing=options.facing, **how)
        else:
            lists = scene.first_n(rays, n=self.most, facing=options.facing, **how)
        numbers = lists.ray
        return Answer(self._pick(lists, numbers), numbers, None)

    def _pick(self, found: Any, numbers: Array | None = None) -> dict[str, Array]:
        columns: dict[str, Array] = {}
        for name in self.columns:
            if name == "ray":
                assert numbers is not None
                columns[name] = numbers
                continue
            whole, axis = _PARTS.get(name, (name, 0))
            array = found[whole]
            columns[name] = np.ascontiguousarray(array[..., axis]) if array.ndim > 1 else array
        return columns


def null_row(name: str, row: int) -> HitscanError:
    """What is wrong where a table has no number."""
    return HitscanError(f"table[{name!r}] row {row}: is null; a ray needs finite numbers", "table", row)
