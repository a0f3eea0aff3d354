"""Questions about more rays than fit in memory."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from hitscan._arrays import Array, ArrayLike, floats, real_type, scalars, without_mask
from hitscan._asked import ALL, Facing, Invalid, filter_of, how_of
from hitscan._numbers import whole
from hitscan._progress import bar
from hitscan._ray_queries import DEFAULT, RayQueries
from hitscan.errors import HitscanError
from hitscan.results import Hits, chosen

__all__ = ["ChunkQueries"]


class ChunkQueries(RayQueries):
    """Questions about rays that come piece by piece."""

    __slots__ = ()

    def closest_chunks(
        self,
        rays: ArrayLike | Iterable[Any],
        *,
        size: int = 1 << 20,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = math.inf,
        mask: int = ALL,
        facing: Facing = "both",
        columns: Sequence[str] | None = None,
        dtype: npt.DTypeLike | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> Iterator[Hits]:
        """The first hit of each ray, some rays at a time: for more rays than fit in memory.

        Parameters
        ----------
        rays : array_like, shape (n, 6), or iterable
            One array, which is taken in pieces: of NumPy, also one that is mapped from a file; a list of rows of numbers;
            a data frame or a table with six columns; or anything else that has a shape and is cut by slices, such as a
            data set of HDF5 or Zarr or an array of Dask, which is read piece by piece. Or an iterable of what `closest`
            takes: arrays of shape (..., 6), pairs of origins and directions, or tuples of six arrays.
        size : int, optional
            Rays of a piece of an array. Pieces of an iterable are asked as they are.
        t_min, t_max : array_like, optional
            As in `closest`: one number, or one a ray of an array of rays, which is cut along with them. For an iterable,
            whose length nobody knows, one number.
        mask, facing, columns, dtype, threads, progress, invalid
            As in `closest`. The row that an error names is that in the array, or in the piece of an iterable.

        Yields
        ------
        Hits
            Of each piece, in arrays of its own.

        Raises
        ------
        HitscanError, ValueError, TypeError
            As in `closest`.

        Examples
        --------
        >>> import hitscan, numpy as np
        >>> mesh = hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> rays = np.tile([0.2, 0.2, 1.0, 0.0, 0.0, -1.0], (5, 1))
        >>> [len(hits) for hits in mesh.closest_chunks(rays, size=2)]
        [2, 2, 1]
        """
        step = whole("size", size)
        if step < 1:
            raise ValueError(f"size is {step}; expected 1 or more")
        total = None
        pieces: Iterable[Any]
        if isinstance(rays, tuple):
            what = "rays is a tuple, which could be one piece or several"
            raise TypeError(f"{what}; expected an array, or a list of pieces")
        if isinstance(rays, list) and rays and _is_row(rays[0]):
            rays = floats("rays", rays)
        if hasattr(rays, "shape"):
            array, total = _rows_of(rays)
            pieces = (array[start : start + step] for start in range(0, total, step))
        elif isinstance(rays, Iterable):
            pieces = rays
        else:
            raise TypeError(f"rays is a {type(rays).__name__}; expected an array or an iterable of arrays")
        # Now, and not when the first piece is asked for.
        limits = {"t_min": _limit("t_min", t_min, total), "t_max": _limit("t_max", t_max, total)}
        filter_of(mask, facing)
        how_of(threads, None, invalid)
        names, real = chosen(columns, Hits._COLUMNS, DEFAULT), real_type(dtype)
        return self._closest_chunks(
            pieces,
            total,
            progress,
            limits,
            {
                "mask": mask,
                "facing": facing,
                "columns": names,
                "dtype": real,
                "threads": threads,
                "invalid": invalid,
            },
        )

    def _closest_chunks(
        self,
        pieces: Iterable[Any],
        total: int | None,
        progress: bool,
        limits: dict[str, float | Array],
        options: dict[str, Any],
    ) -> Iterator[Hits]:
        done = 0
        with bar(progress, total, "rays") as tell:
            for piece in pieces:
                rays: Any = piece if isinstance(piece, tuple) and len(piece) == 2 else (piece,)
                for name, limit in limits.items():
                    options[name] = limit if isinstance(limit, float) else limit[done : done + len(piece)]
                try:
                    hits = self.closest(*rays, **options)
                except HitscanError as error:
                    if total is None or error.row is None:
                        raise
                    # That of the whole array.
                    why = str(error).removeprefix(f"rays row {error.row}: ")
                    row = done + error.row
                    raise HitscanError(f"rays row {row}: {why}", error.argument, row) from None
                done += len(hits)
                if tell is not None:
                    tell(done, 0)
                yield hits


def _is_row(piece: object) -> bool:
    """Whether this is a row of numbers, as lists in a list are, and no piece."""
    return isinstance(piece, (list, tuple)) and bool(piece) and all(map(np.isscalar, piece))


def _rows_of(rays: Any) -> tuple[Any, int]:
    """What is cut by slices of rows, and how many rows it has. What is not in memory stays where it is."""
    shape = tuple(rays.shape)
    if len(shape) != 2 or shape[1] != 6:
        raise ValueError(f"rays has the shape {shape}; expected (n, 6)")
    try:
        total = operator.index(shape[0])
    except TypeError:
        what = f"rays is a {type(rays).__name__} that does not know how many rows it has"
        raise ValueError(f"{what}; expected one that does, or an iterable of pieces") from None
    # A data frame has rows by their numbers there.
    return getattr(rays, "iloc", rays), total


def _limit(name: str, value: ArrayLike, total: int | None) -> float | Array:
    """A number for all rays, or an array of one a ray of so many, as it is; None where nobody knows how many."""
    array = without_mask(name, value)
    if array.ndim and total is None:
        what = f"{name} has the shape {array.shape}, and rays is an iterable of unknown length"
        raise ValueError(f"{what}; expected one number, or rays in one array")
    if array.ndim == 0 or array.shape == (1,):
        # Of one number, a number is made.
        return cast(float, scalars(name, value, (1,))[0])
    if array.shape != (total,):
        raise ValueError(f"{name} has the shape {array.shape}; expected one number, or ({total},) as rays has rows")
    # By its first number, the type: an array that is mapped from a file is read piece by piece.
    floats(name, array[:1])
    return array
