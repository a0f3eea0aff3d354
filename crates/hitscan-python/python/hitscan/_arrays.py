"""Arrays as people have them, and as the compiled half takes them: contiguous, aligned, of this machine's floats.

What is so already passes as it is; all else is copied once.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import prod
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

__all__ = [
    "Array",
    "ArrayLike",
    "Floats",
    "Given",
    "Points",
    "Shape",
    "Vector",
    "as_points",
    "broadcast",
    "number",
    "ray_arrays",
    "real_type",
    "rows",
    "scalars",
    "spread",
    "without_mask",
]

Array: TypeAlias = npt.NDArray[Any]
ArrayLike: TypeAlias = npt.ArrayLike
Floats: TypeAlias = npt.NDArray[np.float32] | npt.NDArray[np.float64]
#: What the compiled half takes: rows, or a tuple of columns.
Given: TypeAlias = Floats | tuple[Floats, ...]
Shape: TypeAlias = tuple[int, ...]
_Number: TypeAlias = np.floating[Any] | np.integer[Any]
#: Three numbers, for one ray.
Vector: TypeAlias = Sequence[float | _Number] | npt.NDArray[_Number]

#: As many axes as an array of NumPy has at most, and so as deep as lists in lists may go.
_DEEPEST = 64
#: What lists have most.
_NUMBERS = {int, float}
_Masked = np.ma.MaskedArray
_DOUBLE, _SINGLE = np.dtype(np.float64), np.dtype(np.float32)


def real_type(dtype: object) -> np.dtype[Any]:
    """The type of new arrays of what is no whole number, checked; None is the usual one."""
    if dtype is None:
        return _DOUBLE
    try:
        real: np.dtype[Any] = np.dtype(dtype)  # type: ignore[call-overload]
    except TypeError:
        raise TypeError(f"dtype is {dtype!r}; expected float64 or float32") from None
    if real not in (np.float64, np.float32):
        raise TypeError(f"dtype is {real}; expected float64 or float32")
    return real


def _is_masked(value: object) -> bool:
    """Whether there are masked numbers in it: in an array, or in one that a list holds, however deep."""
    if isinstance(value, _Masked):
        return bool(np.ma.is_masked(value))
    if not isinstance(value, (list, tuple)):
        return False
    level: Sequence[Any] = value
    for _ in range(_DEEPEST):
        # By type: there are few of them, and many numbers.
        kinds = set(map(type, level))
        if kinds <= _NUMBERS:
            return False
        if any(issubclass(kind, _Masked) for kind in kinds) and any(
            np.ma.is_masked(one) for one in level if isinstance(one, _Masked)
        ):
            return True
        level = list(chain.from_iterable(one for one in level if isinstance(one, (list, tuple))))
    return False


def without_mask(name: str, value: object) -> Array:
    """An array of any type. What is masked has no number, and NumPy would give whatever lies there."""
    if _is_masked(value):
        raise TypeError(f"{name} has masked numbers; expected an array without")
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def floats(name: str, value: object) -> Floats:
    """An array of float32 or float64 as it is, and whole numbers and others that float64 holds as float64."""
    if type(value) is np.ndarray and (value.dtype is _DOUBLE or value.dtype is _SINGLE):
        # Nothing to do, which NumPy takes microseconds to find: most of what one ray in an array would cost.
        flags = value.flags
        if flags.c_contiguous and flags.aligned:
            return value
    array = without_mask(name, value)
    kind = array.dtype
    if kind.type in (np.float32, np.float64):
        return np.require(array, kind.newbyteorder("="), ["C", "A"])
    if array.size == 0 and array.dtype == object:
        raise ValueError(f"{name} is empty and without a shape; expected an array of numbers")
    if kind.kind not in "iuf" or not np.can_cast(kind, np.float64, "safe"):
        raise TypeError(f"{name} has the dtype {kind}; expected float32, float64 or whole numbers")
    return np.require(array, np.float64, ["C", "A"])


def number(name: str, value: object) -> float:
    """A number of any type that float64 holds, NumPy's among them."""
    if type(value) is float:
        return value
    array = floats(name, value)
    if array.shape != ():
        raise ValueError(f"{name} has the shape {array.shape}; expected a number")
    return float(array)


def is_columns(value: object) -> bool:
    """Whether this is a tuple of arrays, one for each coordinate, and not of numbers or of rows."""
    return (
        isinstance(value, tuple)
        and bool(value)
        and all(hasattr(column, "__array__") and np.ndim(cast(Any, column)) > 0 for column in value)
    )


def rows(name: str, value: object) -> Floats:
    """An array of shape (n, 3), of a tuple as of a list: three points are three rows."""
    array = floats(name, value)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"{name} has the shape {array.shape}; expected (n, 3)")
    return array


class Points(NamedTuple):
    """Points as the compiled half takes them, and their leading shape."""

    given: Given
    shape: Shape


def as_points(name: str, value: object, width: int = 3) -> Points:
    """An array of shape (..., width), or a tuple of as many columns of one shape."""
    if is_columns(value):
        columns = tuple(floats(name, column) for column in cast(Sequence[object], value))
        if len(columns) != width:
            raise ValueError(f"{name} has {len(columns)} columns; expected {width}")
        shapes = {column.shape for column in columns}
        if len(shapes) > 1:
            raise ValueError(f"{name} has columns of the shapes {sorted(shapes)}; expected one shape")
        return Points(columns, columns[0].shape)
    array = floats(name, value)
    if array.ndim == 0 or array.shape[-1] != width:
        raise ValueError(f"{name} has the shape {array.shape}; expected (..., {width})")
    return Points(array, array.shape[:-1])


def turns(own: Shape, shape: Shape) -> tuple[Shape, int]:
    """How an array of a shape of its own goes with questions of another: the shape to bring it to, and with how many
    questions in a row each of its rows goes then.

    Only between its first and its last axis that is not 1 is it repeated in memory; the compiled half does the rest.
    """
    own = (1,) * (len(shape) - len(own)) + own
    kept = [axis for axis, size in enumerate(own) if size != 1]
    if not kept:
        return own, 1
    first, end = kept[0], kept[-1] + 1
    return (*own[:first], *shape[first:end], *own[end:]), max(prod(shape[end:]), 1)


def repeated(array: Floats, shape: Shape) -> Floats:
    """An array in a larger shape."""
    return cast(Floats, np.require(np.broadcast_to(array, shape), requirements=["C", "A"]))


def spread(given: Points, shape: Shape) -> tuple[Given, int]:
    """The same for questions of a shape, and with how many of them in a row each row goes."""
    if given.shape in (shape, ()):
        return given.given, 1
    part, after = turns(given.shape, shape)
    if prod(part) == prod(given.shape):
        return given.given, after
    if isinstance(given.given, tuple):
        return tuple(repeated(column, part) for column in given.given), after
    return repeated(given.given, (*part, given.given.shape[-1])), after


def broadcast(names: str, *shapes: Shape) -> Shape:
    """The shape that all of these have together."""
    if shapes.count(shapes[0]) == len(shapes):
        return shapes[0]
    try:
        return np.broadcast_shapes(*shapes)
    except (ValueError, RuntimeError):  # the latter of more axes than it can have
        raise ValueError(
            f"{names} have the shapes {', '.join(map(str, shapes))}; expected ones that go together"
        ) from None


def scalars(name: str, value: object, shape: Shape) -> tuple[float | Floats, int]:
    """A number for all, or an array, and with how many questions in a row each of its numbers goes."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            return float(value), 1
        except OverflowError:
            raise ValueError(f"{name} is a whole number that float64 does not hold") from None
    array = floats(name, value)
    if array.size == 1 and array.ndim <= len(shape):
        return float(array.reshape(-1)[0]), 1
    try:
        np.broadcast_to(array, shape)
    except ValueError:
        raise ValueError(f"{name} has the shape {array.shape}; expected one that goes with {shape}") from None
    part, after = turns(array.shape, shape)
    return repeated(array, part), after


#: Origins, directions or None, t_min, t_max; and how many rays there are, and with how many in a row a row of each goes.
Rays: TypeAlias = tuple[Given, Given | None, float | Floats, float | Floats, tuple[int, tuple[int, int, int, int]]]


def ray_arrays(origins: object, directions: object, t_min: object, t_max: object) -> tuple[Rays, Shape]:
    """Rays as the compiled half takes them, and their leading shape."""
    if directions is None:
        both = as_points("origins (without directions)", origins, 6)
        shape = both.shape
        given: tuple[Given, Given | None] = (both.given, None)
        each = (1, 1)
    else:
        start, way = as_points("origins", origins), as_points("directions", directions)
        shape = broadcast("origins and directions", start.shape, way.shape)
        (a, each_a), (b, each_b) = spread(start, shape), spread(way, shape)
        given, each = (a, b), (each_a, each_b)
    (low, each_low), (high, each_high) = scalars("t_min", t_min, shape), scalars("t_max", t_max, shape)
    return (*given, low, high, (prod(shape), (*each, each_low, each_high))), shape
