"""Questions about rays: what they hit, how much of it, and through what they go."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from hitscan import _hitscan
from hitscan._arrays import Array, ArrayLike, Vector, ray_arrays, real_type, without_mask
from hitscan._asked import ALL, Asked, Facing, Invalid, Points, filter_of, how_of
from hitscan._numbers import whole
from hitscan._progress import bar
from hitscan.results import I64, Bools, HitLists, Hits, IntervalLists, answered, chosen, flat, one_room, room

if TYPE_CHECKING:
    from hitscan._hitscan import Hit

__all__ = ["RayQueries"]

#: Columns of hits where nobody chooses.
DEFAULT = ("t", "position", "normal", "u", "v", "instance", "prim", "facing")
_INTERVALS = IntervalLists._COLUMNS


class RayQueries(Asked):
    """Questions about rays."""

    __slots__ = ()

    def closest(
        self,
        origins: Points,
        directions: Points | None = None,
        *,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = math.inf,
        mask: int = ALL,
        facing: Facing = "both",
        columns: Sequence[str] | None = None,
        out: Mapping[str, Array] | Hits | None = None,
        dtype: npt.DTypeLike | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> Hits:
        """The first hit of each ray.

        Parameters
        ----------
        origins : array_like, shape (..., 3), or tuple of arrays
            Where rays begin. Without `directions`: rays of six numbers, shape (..., 6).
        directions : array_like, shape (..., 3), or tuple of arrays, optional
            Where they go; broadcast against `origins`.
        t_min, t_max : array_like, optional
            The closed interval of ``t`` that counts, in units of the direction; one number or one a ray.
        mask : int, optional
            Only instances whose mask shares a bit with this one; a mesh that is asked itself shares one with all but 0.
        facing : {"both", "front", "back"}, optional
            Which sides of triangles count.
        columns : sequence of str, optional
            What is wanted: of ``t distance position normal u v instance prim material facing``. Fewer are faster, and
            ``t u v instance prim facing`` the fastest. By default all but ``distance`` and ``material``.
        out : dict of arrays or Hits, optional
            Arrays to write into, by columns: contiguous, of the rays' leading shape, and of the types that `Hits`
            lists, or float32 instead of float64. After an error they may hold answers for some of the rays. `Hits` of an
            earlier call are what is returned, unless `columns` asks for fewer than they have.
        dtype : {float64, float32}, optional
            The type of new arrays that are no whole numbers. Answers are found in float64; float32 are those rounded to the
            nearest, in half the memory. What is beyond its largest is infinite, but ``t`` of a hit: that is the largest,
            as infinite is a miss.
        threads : int, optional
            By default as many as there are processors.
        progress : bool, optional
            Whether to show a bar of tqdm.
        invalid : {"raise", "miss"}, optional
            Whether a ray that is none raises, or counts as a miss: see `Hits.invalid`.

        Returns
        -------
        Hits
            Arrays of the rays' leading shape.

        Raises
        ------
        HitscanError
            A ray that is none, with its row.
        ValueError, TypeError
            Shapes that do not fit, types that float64 does not hold.

        Examples
        --------
        >>> import hitscan
        >>> mesh = hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> hits = mesh.closest([[0.2, 0.2, 1], [5, 5, 1]], [0, 0, -2])
        >>> hits.t.tolist(), hits.position[0].tolist()
        ([0.5, inf], [0.2, 0.2, 0.0])
        """
        rays, shape = ray_arrays(origins, directions, t_min, t_max)
        arrays = room(out, columns, Hits._COLUMNS, DEFAULT, shape, dtype)
        with bar(progress, prod(shape), "rays") as tell:
            how = how_of(threads, tell, invalid)
            bad = _hitscan.closest(self._core, rays, filter_of(mask, facing), flat(arrays), how)
        return answered(Hits, out, arrays, shape, bad)

    def occluded(
        self,
        origins: Points,
        directions: Points | None = None,
        *,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = math.inf,
        mask: int = ALL,
        facing: Facing = "both",
        out: Bools | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> Bools:
        """Whether each ray hits anything: exactly where `closest` finds something, and faster.

        Parameters
        ----------
        origins, directions, t_min, t_max, mask, facing, threads, progress, invalid
            As in `closest`.
        out : ndarray of bool, optional
            An array to write into, of the rays' leading shape.

        Returns
        -------
        ndarray of bool
            Of the rays' leading shape.

        Raises
        ------
        HitscanError, ValueError, TypeError
            As in `closest`.

        Examples
        --------
        >>> import hitscan
        >>> mesh = hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> mesh.occluded([[0.2, 0.2, 1], [5, 5, 1]], [0, 0, -1]).tolist()
        [True, False]
        """
        rays, shape = ray_arrays(origins, directions, t_min, t_max)
        array = np.empty(shape, np.bool_) if out is None else one_room("out", out, (np.bool_,), shape)
        with bar(progress, prod(shape), "rays") as tell:
            how = how_of(threads, tell, invalid)
            _hitscan.occluded(self._core, rays, filter_of(mask, facing), array.reshape(-1), how)
        return array

    def count(
        self,
        origins: Points,
        directions: Points | None = None,
        *,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = math.inf,
        mask: int = ALL,
        facing: Facing = "both",
        out: I64 | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> I64:
        """How many hits each ray has. A crossing of a shared edge or corner is one.

        Parameters
        ----------
        origins, directions, t_min, t_max, mask, facing, threads, progress, invalid
            As in `closest`.
        out : ndarray of int64, optional
            An array to write into, of the rays' leading shape.

        Returns
        -------
        ndarray of int64
            Of the rays' leading shape.

        Raises
        ------
        HitscanError, ValueError, TypeError
            As in `closest`.

        Examples
        --------
        >>> import hitscan
        >>> mesh = hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 1, 2]])
        >>> mesh.count([[0.2, 0.2, 1], [5, 5, 1]], [0, 0, -1]).tolist()
        [2, 0]
        """
        rays, shape = ray_arrays(origins, directions, t_min, t_max)
        array = np.empty(shape, np.int64) if out is None else one_room("out", out, (np.int64,), shape)
        with bar(progress, prod(shape), "rays") as tell:
            how = how_of(threads, tell, invalid)
            _hitscan.count(self._core, rays, filter_of(mask, facing), array.reshape(-1), how)
        return array

    def all_hits(
        self,
        origins: Points,
        directions: Points | None = None,
        *,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = math.inf,
        mask: int = ALL,
        facing: Facing = "both",
        columns: Sequence[str] | None = None,
        dtype: npt.DTypeLike | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> HitLists:
        """Every hit of each ray, sorted by ray, then by ``t``, at equal ``t`` by instance and triangle.

        Parameters
        ----------
        origins, directions, t_min, t_max, mask, facing, columns, dtype, threads, progress, invalid
            As in `closest`.

        Returns
        -------
        HitLists
            Offsets, and arrays with one row a hit.

        Raises
        ------
        HitscanError, ValueError, TypeError
            As in `closest`.

        Examples
        --------
        >>> import hitscan
        >>> mesh = hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 1, 2]])
        >>> lists = mesh.all_hits([[5, 5, 1], [0.2, 0.2, 1]], [0, 0, -1])
        >>> lists.offsets.tolist(), lists.prim.tolist()
        ([0, 0, 2], [0, 1])
        """
        rays, shape = ray_arrays(origins, directions, t_min, t_max)
        names, real = list(chosen(columns, Hits._COLUMNS, DEFAULT)), real_type(dtype).itemsize
        with bar(progress, prod(shape), "rays") as tell:
            how = how_of(threads, tell, invalid)
            arrays, bad = _hitscan.all_hits(self._core, rays, filter_of(mask, facing), (names, real), how)
        return HitLists(arrays, arrays.pop("offsets"), shape, bad)

    def first_n(
        self,
        origins: Points,
        directions: Points | None = None,
        *,
        n: int,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = math.inf,
        mask: int = ALL,
        facing: Facing = "both",
        columns: Sequence[str] | None = None,
        dtype: npt.DTypeLike | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> HitLists:
        """The first `n` hits of each ray: the beginning of each of the lists of `all_hits`, and sooner.

        Parameters
        ----------
        n : int
            Most hits of a ray.
        origins, directions, t_min, t_max, mask, facing, columns, dtype, threads, progress, invalid
            As in `closest`.

        Returns
        -------
        HitLists
            Offsets, and arrays with one row a hit.

        Raises
        ------
        HitscanError, ValueError, TypeError
            As in `closest`.

        Examples
        --------
        >>> import hitscan
        >>> mesh = hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 1, 2]])
        >>> mesh.first_n([0.2, 0.2, 1], [0, 0, -1], n=1).prim.tolist()
        [0]
        """
        rays, shape = ray_arrays(origins, directions, t_min, t_max)
        most = whole("n", n)
        if most < 0:
            raise ValueError(f"n is {most}; expected 0 or more")
        most = min(most, sys.maxsize)
        names, real = list(chosen(columns, Hits._COLUMNS, DEFAULT)), real_type(dtype).itemsize
        with bar(progress, prod(shape), "rays") as tell:
            how = how_of(threads, tell, invalid)
            arrays, bad = _hitscan.first_n(self._core, rays, filter_of(mask, facing), most, (names, real), how)
        return HitLists(arrays, arrays.pop("offsets"), shape, bad)

    def intervals(
        self,
        origins: Points,
        directions: Points | None = None,
        *,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = math.inf,
        mask: int = ALL,
        columns: Sequence[str] | None = None,
        dtype: npt.DTypeLike | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> IntervalLists:
        """The pieces of each ray that lie in solids: entry, exit and thickness.

        A solid is what one material of one instance encloses. A ray that starts inside of one is inside from ``t_min``
        on. An entry without an exit, as of an open mesh, gives a piece without thickness.

        Parameters
        ----------
        origins, directions, t_min, t_max, mask, dtype, threads, progress, invalid
            As in `closest`.
        columns : sequence of str, optional
            What is wanted: of ``enter exit thickness instance material``.

        Returns
        -------
        IntervalLists
            Offsets, and arrays with one row a piece.

        Raises
        ------
        HitscanError, ValueError, TypeError
            As in `closest`.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.insert(hitscan.Box([0, 0, 0], [1, 1, 1]))
        >>> wounds = world.commit().intervals([-1, 0.5, 0.5], [2, 0, 0])
        >>> wounds.enter.tolist(), wounds.exit.tolist(), wounds.thickness.tolist()
        ([0.5], [1.0], [1.0])
        """
        rays, shape = ray_arrays(origins, directions, t_min, t_max)
        names, real = list(chosen(columns, _INTERVALS, _INTERVALS)), real_type(dtype).itemsize
        with bar(progress, prod(shape), "rays") as tell:
            how = how_of(threads, tell, invalid)
            arrays, bad = _hitscan.intervals(self._core, rays, filter_of(mask, "both"), (names, real), how)
        return IntervalLists(arrays, arrays.pop("offsets"), shape, bad)

    def closest_one(
        self,
        origin: Vector,
        direction: Vector,
        *,
        t_min: float = 0.0,
        t_max: float = math.inf,
        mask: int = ALL,
        facing: Facing = "both",
    ) -> Hit | None:
        """The first hit of one ray, without arrays: some microseconds.

        Parameters
        ----------
        origin, direction : sequence of three numbers
            The ray.
        t_min, t_max, mask, facing
            As in `closest`.

        Returns
        -------
        Hit or None
            None for a miss.

        Raises
        ------
        HitscanError
            What is no ray.
        ValueError, TypeError
            What is not three numbers.

        Examples
        --------
        >>> import hitscan
        >>> mesh = hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> mesh.closest_one((0.25, 0.25, 1), (0, 0, -1))
        Hit(t=1.0, position=(0.25, 0.25, 0.0), instance=0, prim=0, facing=1)
        >>> mesh.closest_one((5, 5, 1), (0, 0, -1)) is None
        True
        """
        try:
            return _hitscan.closest_one(self._core, origin, direction, t_min, t_max, mask, facing)
        except (ValueError, TypeError):
            _check_vectors(origin=origin, direction=direction)
            raise

    def occluded_one(
        self,
        origin: Vector,
        direction: Vector,
        *,
        t_min: float = 0.0,
        t_max: float = math.inf,
        mask: int = ALL,
        facing: Facing = "both",
    ) -> bool:
        """Whether one ray hits anything, without arrays: some microseconds.

        Parameters
        ----------
        origin, direction : sequence of three numbers
            The ray.
        t_min, t_max, mask, facing
            As in `closest`.

        Returns
        -------
        bool

        Raises
        ------
        HitscanError
            What is no ray.
        ValueError, TypeError
            What is not three numbers.

        Examples
        --------
        >>> import hitscan
        >>> mesh = hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> mesh.occluded_one((0.25, 0.25, 1), (0, 0, -1))
        True
        """
        try:
            return _hitscan.occluded_one(self._core, origin, direction, t_min, t_max, mask, facing)
        except (ValueError, TypeError):
            _check_vectors(origin=origin, direction=direction)
            raise


def _check_vectors(**given: object) -> None:
    """Refuses arrays that are no three numbers, once the compiled half has refused the ray: to look before takes too long."""
    for name, value in given.items():
        if isinstance(value, np.ndarray):
            shape = without_mask(name, value).shape
            if shape != (3,):
                raise ValueError(f"{name} has the shape {shape}; expected (3,)")
