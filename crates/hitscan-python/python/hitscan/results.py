"""Answers: arrays under names.

Columns are what the command writes under the same names. ``t`` counts in units of the ray's direction; places and
distances are in units of the world; numbers of instances, triangles and materials count from 0.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, SupportsIndex, TypeVar, overload

import numpy as np
import numpy.typing as npt

from hitscan._arrays import Array, Shape, real_type

if TYPE_CHECKING:
    import pandas as _pandas
    import pyarrow as _pyarrow
    from typing_extensions import Self

__all__ = ["ClosestPoints", "HeightHits", "HitLists", "Hits", "IntervalLists"]

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]
I32 = npt.NDArray[np.int32]
I8 = npt.NDArray[np.int8]
Bools = npt.NDArray[np.bool_]
A = TypeVar("A", bound=Array)
R = TypeVar("R", bound="_Rows")

#: Columns: the type of their numbers, and how many a row has. What is float64 may be float32 instead.
KINDS: dict[str, tuple[type[np.generic], int]] = {
    "t": (np.float64, 1),
    "distance": (np.float64, 1),
    "position": (np.float64, 3),
    "normal": (np.float64, 3),
    "u": (np.float64, 1),
    "v": (np.float64, 1),
    "instance": (np.int32, 1),
    "prim": (np.int64, 1),
    "material": (np.int32, 1),
    "facing": (np.int8, 1),
    "enter": (np.float64, 1),
    "exit": (np.float64, 1),
    "thickness": (np.float64, 1),
}

#: What the three numbers of a vector are called in tables.
AXES = {"position": ("x", "y", "z"), "normal": ("nx", "ny", "nz")}


class Column(Generic[A]):
    """A column as an attribute of an answer, where it was asked for."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, answer: None, owner: type) -> Self: ...
    @overload
    def __get__(self, answer: _Columns, owner: type) -> A: ...
    def __get__(self, answer: _Columns | None, owner: type) -> Self | Array:
        if answer is None:
            return self
        try:
            return answer._arrays[self._name]
        except KeyError:
            there = ", ".join(answer._arrays)
            what = f"the column {self._name!r} was not asked for"
            raise AttributeError(f"{what}; those that were are {there}") from None

    def __set__(self, answer: _Columns, value: A) -> None:
        # The same array is what `hits.t += 1` hands back.
        if value is not answer._arrays.get(self._name):
            what = f"the column {self._name!r} is not replaced by another array"
            raise AttributeError(f"{what}; write into it, as in hits.{self._name}[...] = values")


class _Columns:
    """Arrays under names, and as attributes."""

    _COLUMNS: ClassVar[tuple[str, ...]]
    _arrays: dict[str, Array]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that are there."""
        return tuple(self._arrays)

    def keys(self) -> tuple[str, ...]:
        """The names of the columns, so that ``dict(...)`` makes a dictionary of arrays."""
        return self.columns

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._arrays

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__()} - ({*self._COLUMNS} - {*self._arrays}))

    def __array__(self, *_: object, **__: object) -> object:
        # Else NumPy takes it for a list of what it iterates over.
        what = f"{type(self).__name__} has an array for each column"
        raise TypeError(f"{what}; expected one of them by its name: {', '.join(self._arrays)}")

    def _column(self, name: str) -> Array:
        try:
            return self._arrays[name]
        except KeyError:
            raise KeyError(f"{name!r}; there are {', '.join(self._arrays)}") from None

    def _table(self) -> dict[str, Array]:
        """Columns of one number a row."""
        table: dict[str, Array] = {}
        for name, array in self._arrays.items():
            if name in AXES:
                flat = array.reshape(-1, 3)
                table.update({axis: flat[:, number] for number, axis in enumerate(AXES[name])})
            else:
                table[name] = array.reshape(-1)
        return table

    def to_pandas(self) -> _pandas.DataFrame:
        """The columns as a data frame of pandas, one row each; vectors as ``x y z`` and ``nx ny nz``.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        ImportError
            Where pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas needs pandas, which is not installed: pip install pandas") from None
        return pandas.DataFrame(self._table())

    def to_arrow(self) -> _pyarrow.Table:
        """The columns as a table of Arrow, one row each; vectors as ``x y z`` and ``nx ny nz``.

        Misses have the numbers that they have here, NaN and -1 among them; `hitscan.batch.cast_table` has nulls there.

        Returns
        -------
        pyarrow.Table

        Raises
        ------
        ImportError
            Where pyarrow is not installed.
        """
        try:
            import pyarrow
        except ImportError:
            raise ImportError("to_arrow needs pyarrow, which is not installed: pip install pyarrow") from None
        return pyarrow.table({name: np.ascontiguousarray(column) for name, column in self._table().items()})


class _OfHits(_Columns):
    """What is told of a hit."""

    _COLUMNS: ClassVar[tuple[str, ...]] = (
        "t", "distance", "position", "normal", "u", "v", "instance", "prim", "material", "facing"
    )  # fmt: skip

    t = Column[F64]()
    distance = Column[F64]()
    position = Column[F64]()
    normal = Column[F64]()
    u = Column[F64]()
    v = Column[F64]()
    instance = Column[I32]()
    prim = Column[I64]()
    material = Column[I32]()
    facing = Column[I8]()


class _Rows(_Columns):
    """One row for each question, in the shape of the questions."""

    #: The column that is infinite for a miss; in others without a number for one it is NaN.
    _ENDLESS: ClassVar[str]

    def __init__(self, arrays: Mapping[str, Array], shape: Shape, invalid: int = 0) -> None:
        self._arrays = dict(arrays)
        self.shape = shape
        self.invalid = invalid

    def __len__(self) -> int:
        return int(np.prod(self.shape, dtype=np.intp))

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __getitem__(self, name: str) -> Array:
        if not isinstance(name, str):
            what = f"{type(self).__name__} is indexed by the names of its columns, not by a {type(name).__name__}"
            raise TypeError(f"{what}; index a column, as in hits['t'][0]")
        return self._column(name)

    @property
    def hit(self) -> Bools:
        """Whether anything was found: what each ray hit, or the nearest point to each point."""
        for name, misses in (("prim", -1), ("instance", -1), ("material", -1), ("facing", 0)):
            if name in self._arrays:
                return np.asarray(self._arrays[name] != misses)
        for name, array in self._arrays.items():
            if name == self._ENDLESS:
                return np.asarray(array < np.inf)
            return np.asarray(~np.isnan(array[..., 0] if name in AXES else array))
        raise ValueError("no column was asked for, so nothing says what was hit")

    def _what(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        bad = f", {self.invalid} invalid" if self.invalid else ""
        return f"{type(self).__name__}(shape={self.shape}, {self._what()}{bad}, columns {' '.join(self._arrays)})"


def _span(values: Array) -> str:
    """The least and the largest of some numbers."""
    return f"from {values.min():.5g} to {values.max():.5g}"


class Hits(_OfHits, _Rows):
    """The first hit of each ray, in arrays of the rays' leading shape.

    A ray that misses has ``t = inf``, ``prim = instance = material = -1``, ``facing = 0`` and NaN elsewhere. A column
    that was not asked for raises `AttributeError`, and so does one that is set: ``hits.t[...] = values`` writes into it.
    What is float64 is float32 where ``dtype`` or ``out`` asked for that; ``t`` of a hit is finite then, too.

    Attributes
    ----------
    shape : tuple of int
        The leading shape of the rays.
    invalid : int
        How many rays were no rays, where ``invalid="miss"`` counts them as misses.
    hit : ndarray of bool
        Whether each ray hit anything.
    t : ndarray of float64
        The hit lies at ``origin + t * direction``.
    distance : ndarray of float64
        ``t`` times the length of the direction, in world units.
    position : ndarray of float64, shape (..., 3)
        The hit, on the triangle.
    normal : ndarray of float64, shape (..., 3)
        Unit normal by counter-clockwise winding, never flipped towards the ray.
    u, v : ndarray of float64
        Weights of the triangle's corners B and C.
    instance : ndarray of int32
        Number of the instance; 0 where a mesh was asked.
    prim : ndarray of int64
        Row of the mesh's ``faces``.
    material : ndarray of int32
        Material of the triangle.
    facing : ndarray of int8
        1 where the ray met the front, -1 the back.

    Examples
    --------
    >>> import hitscan
    >>> mesh = hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> hits = mesh.closest([[0.2, 0.2, 1], [5, 5, 1]], [0, 0, -1])
    >>> hits
    Hits(shape=(2,), 1 of 2 hit, t from 1 to 1, columns t position normal u v instance prim facing)
    >>> hits.hit.tolist(), hits["prim"].tolist()
    ([True, False], [0, -1])
    """

    _ENDLESS = "t"

    def _what(self) -> str:
        if not self._arrays:
            return "nothing asked"
        hit = self.hit
        count = int(hit.sum())
        span = f", t {_span(self.t[hit])}" if count and "t" in self._arrays else ""
        return f"{count} of {hit.size} hit{span}"


class HeightHits(Hits):
    """The ground at each place: `Hits`, and how high it is.

    Attributes
    ----------
    height : ndarray of float64
        Coordinate of the ground along the axis that is up; NaN where there is none.
    """

    _COLUMNS = (*Hits._COLUMNS, "height")

    height = Column[F64]()


class ClosestPoints(_Rows):
    """The nearest point of any surface to each point.

    Where there is none, ``distance = inf``, ``prim = instance = -1``, and NaN elsewhere. A column that was not asked for
    raises `AttributeError`. What is float64 is float32 where ``dtype`` or ``out`` asked for that.

    Attributes
    ----------
    shape : tuple of int
        The leading shape of the points.
    invalid : int
        How many points were none, where ``invalid="miss"`` counts them as misses.
    hit : ndarray of bool
        Whether there is a nearest point, within the ``max_distance`` that was asked for.
    distance : ndarray of float64
        How far it is, at least 0.
    position : ndarray of float64, shape (..., 3)
        Where it is.
    instance : ndarray of int32
        Number of the instance; 0 where a mesh was asked.
    prim : ndarray of int64
        Row of the mesh's ``faces``.
    u, v : ndarray of float64
        Weights of the triangle's corners B and C.
    """

    _COLUMNS = ("distance", "position", "instance", "prim", "u", "v")
    _ENDLESS = "distance"

    distance = Column[F64]()
    position = Column[F64]()
    instance = Column[I32]()
    prim = Column[I64]()
    u = Column[F64]()
    v = Column[F64]()

    def _what(self) -> str:
        if "distance" not in self._arrays or not len(self):
            return f"{len(self)} points"
        near = self.distance[np.isfinite(self.distance)]
        return f"distance {_span(near)}" if near.size else "nothing near"


class _Lists(_Columns):
    """Any number of rows for each question, one after the other, sorted by question."""

    offsets: I64

    def __init__(self, arrays: Mapping[str, Array], offsets: I64, shape: Shape, invalid: int = 0) -> None:
        self._arrays = dict(arrays)
        self.offsets = offsets
        self.shape = shape
        self.invalid = invalid

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name == "ray" or name in self._arrays)

    @property
    def count(self) -> I64:
        """How many rows each question has, in the questions' shape."""
        return np.diff(self.offsets).reshape(self.shape)

    @property
    def ray(self) -> I64:
        """The number of the ray of each row, counted over all leading axes."""
        return np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.offsets))

    @overload
    def __getitem__(self, index: str) -> Array: ...
    @overload
    def __getitem__(self, index: SupportsIndex | slice | tuple[SupportsIndex, ...]) -> Self: ...
    def __getitem__(self, index: str | SupportsIndex | slice | tuple[SupportsIndex, ...]) -> Array | Self:
        if isinstance(index, str):
            return self.ray if index == "ray" else self._column(index)
        if isinstance(index, slice):
            return self._some(np.arange(len(self))[index])
        if isinstance(index, tuple):
            if len(index) != len(self.shape):
                raise IndexError(f"{len(index)} indices for lists of the shape {self.shape}")
            number = 0
            for one, size in zip(index, self.shape, strict=True):
                number = number * size + self._number(one, size)
        else:
            number = self._number(index, len(self))
        start, end = self.offsets[number], self.offsets[number + 1]
        rows = {name: array[start:end] for name, array in self._arrays.items()}
        return type(self)(rows, np.array([0, end - start]), ())

    def _number(self, index: object, size: int) -> int:
        """The number of one of so many lists, counted from 0, of one that may be counted from the end."""
        try:
            number = operator.index(index)  # type: ignore[arg-type]
        except TypeError:
            what = f"{type(self).__name__} is indexed by the numbers of lists, by slices or by the names of its columns"
            raise TypeError(f"{what}, not by a {type(index).__name__}") from None
        if not -size <= number < size:
            raise IndexError(f"there is no list {number}; the lists have the shape {self.shape}")
        return number % size

    def _some(self, numbers: I64) -> Self:
        """The lists of some questions, one after the other."""
        counts = np.diff(self.offsets)[numbers]
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        rows = np.repeat(self.offsets[numbers] - offsets[:-1], counts) + np.arange(offsets[-1])
        return type(self)({name: array[rows] for name, array in self._arrays.items()}, offsets, (len(numbers),))

    def __iter__(self) -> Iterator[Self]:
        return (self[number] for number in range(len(self)))

    def _table(self) -> dict[str, Array]:
        return {"ray": self.ray, **super()._table()}

    def __repr__(self) -> str:
        rows, rays = int(self.offsets[-1]), len(self)
        bad = f", {self.invalid} invalid" if self.invalid else ""
        names = " ".join(self._arrays)
        return f"{type(self).__name__}(shape={self.shape}, {rows} for {rays}{bad}, columns {names})"


class HitLists(_OfHits, _Lists):
    """Hits of rays, any number each: all arrays are sorted by ray, then by ``t``.

    ``lists[i]`` has the hits of ray ``i``, ``lists[i:j]`` the lists of some rays, ``lists["t"]`` the hits of all rays. The hits of ray ``i`` are the rows
    ``offsets[i]:offsets[i + 1]``, where rays are counted over all leading axes.

    Attributes
    ----------
    shape : tuple of int
        The leading shape of the rays.
    offsets : ndarray of int64, shape (rays + 1,)
        Where the rows of each ray begin, and the end of the last.
    count : ndarray of int64
        How many hits each ray has.
    ray : ndarray of int64
        The ray of each row.
    invalid : int
        How many rays were no rays, where ``invalid="miss"`` counts them as misses.
    t, distance, position, normal, u, v, instance, prim, material, facing : ndarray
        As in `Hits`, one row a hit.

    Examples
    --------
    >>> import hitscan
    >>> panes = hitscan.Mesh(
    ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, -1], [1, 0, -1], [0, 1, -1]], [[0, 1, 2], [3, 4, 5]]
    ... )
    >>> lists = panes.all_hits([[0.2, 0.2, 1], [5, 5, 1]], [0, 0, -1], columns=("t", "prim"))
    >>> lists
    HitLists(shape=(2,), 2 for 2, columns t prim)
    >>> lists.offsets.tolist(), lists[0].t.tolist(), lists.ray.tolist()
    ([0, 2, 2], [1.0, 2.0], [0, 0])
    """



class IntervalLists(_Lists):
    """Pieces of rays that lie in solids, any number each: sorted by ray, then by ``enter``.

    ``lists[i]`` has those of ray ``i``, as in `HitLists`. What is float64 is float32 where ``dtype`` asked for that.

    Attributes
    ----------
    shape : tuple of int
        The leading shape of the rays.
    offsets : ndarray of int64, shape (rays + 1,)
        Where the rows of each ray begin, and the end of the last.
    enter, exit : ndarray of float64
        Where the ray goes in and comes out, in units of its direction.
    thickness : ndarray of float64
        How far it goes through, in world units; 0 for a surface without a solid behind it.
    instance : ndarray of int32
        Number of the instance; 0 where a mesh was asked.
    material : ndarray of int32
        Material of the solid.
    """

    _COLUMNS = ("enter", "exit", "thickness", "instance", "material")

    enter = Column[F64]()
    exit = Column[F64]()
    thickness = Column[F64]()
    instance = Column[I32]()
    material = Column[I32]()


def chosen(columns: Sequence[str] | None, known: Sequence[str], default: Sequence[str]) -> tuple[str, ...]:
    """The columns that are asked for, checked."""
    if columns is None:
        return tuple(default)
    if isinstance(columns, str):
        columns = (columns,)
    if not isinstance(columns, Iterable):
        raise TypeError(f"columns is {columns!r}; expected names")
    names = tuple(columns)
    for name in names:
        if name not in known:
            raise ValueError(f"columns: there is no {name!r}; there are {', '.join(known)}")
    return tuple(dict.fromkeys(names))


def columns_of(out: object) -> dict[str, Array]:
    """The arrays that a caller gives to be written."""
    if not isinstance(out, (Mapping, _Rows)):
        raise TypeError(f"out is a {type(out).__name__}; expected a dict of arrays, or an answer of an earlier call")
    return {name: out[name] for name in out}


def room(
    out: Mapping[str, Array] | _Rows | None,
    columns: Sequence[str] | None,
    known: Sequence[str],
    default: Sequence[str],
    shape: Shape,
    dtype: npt.DTypeLike | None = None,
    exact: Sequence[str] = (),
) -> dict[str, Array]:
    """The arrays that answers go into: new ones, or those of the caller, checked, of which `exact` may not be float32."""
    real = real_type(dtype)
    if out is None:
        return {
            name: np.empty(_shape_of(name, shape), real if KINDS[name][0] is np.float64 else KINDS[name][0])
            for name in chosen(columns, known, default)
        }
    if dtype is not None:
        raise ValueError("dtype is for new arrays, and those of out have their own; expected one of the two")
    own = columns_of(out)
    if isinstance(out, _Rows):
        # The heights of `HeightHits` are no column of others.
        own = {name: array for name, array in own.items() if name in known}
    names = chosen(tuple(own) if columns is None else columns, known, default)
    arrays: dict[str, Array] = {}
    for name in names:
        if name not in own:
            raise ValueError(f"out has no {name!r}, which columns asks for")
        kind = KINDS[name][0]
        kinds = (kind, np.float32) if kind is np.float64 and name not in exact else (kind,)
        arrays[name] = one_room(f"out[{name!r}]", own[name], kinds, _shape_of(name, shape))
    return arrays


def _shape_of(name: str, shape: Shape) -> Shape:
    """That of a column, for questions of a shape."""
    return shape if KINDS[name][1] == 1 else (*shape, 3)


def one_room(name: str, array: object, kinds: tuple[type[np.generic], ...], shape: Shape) -> Array:
    """An array that an answer goes into, of one of these types, checked."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{name} is a {type(array).__name__}; expected an array")
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{name} has a mask, which answers do not change; expected an array without")
    if array.dtype not in kinds or not array.dtype.isnative:
        raise TypeError(f"{name} has the dtype {array.dtype}; expected {' or '.join(kind.__name__ for kind in kinds)}")
    if array.shape != shape:
        raise ValueError(f"{name} has the shape {array.shape}; expected {shape}")
    if not (array.flags.c_contiguous and array.flags.aligned):
        raise ValueError(f"{name} is not contiguous in C order, or not aligned; expected an array that is")
    if not array.flags.writeable:
        raise ValueError(f"{name} is read-only; expected an array that can be written")
    return array


def apart(name: str, array: Array, others: Mapping[str, object]) -> None:
    """Refuses an array that is written where one of the others lies: each of them an array, columns or something else."""
    for other, given in others.items():
        for part in given if isinstance(given, tuple) else (given,):
            if isinstance(part, np.ndarray) and np.may_share_memory(array, part):
                raise ValueError(f"{name} lies in the memory of {other}; expected an array of its own")


def answered(kind: type[R], out: object, arrays: dict[str, Array], shape: Shape, invalid: int) -> R:
    """The answer in arrays of the caller: their own answer of an earlier call, where it has these columns and no others."""
    if isinstance(out, _Rows):
        out.invalid = invalid
        if isinstance(out, kind) and out._arrays.keys() == arrays.keys():
            out.shape = shape
            return out
    return kind(arrays, shape, invalid)


def flat(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """The same memory without leading axes."""
    return {name: array.reshape(-1) if KINDS[name][1] == 1 else array.reshape(-1, 3) for name, array in arrays.items()}
