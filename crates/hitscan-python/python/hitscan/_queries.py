"""The questions, the same of a mesh and of a scene."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from hitscan import _hitscan
from hitscan._arrays import Array, ArrayLike, Floats, Shape, as_points, broadcast, ray_arrays, scalars, spread
from hitscan._numbers import thread_count, whole
from hitscan._progress import Tell, bar
from hitscan.errors import HitscanError
from hitscan.results import (
    F64,
    I64,
    Bools,
    ClosestPoints,
    HeightHits,
    HitLists,
    Hits,
    IntervalLists,
    chosen,
    columns_of,
    flat,
    one_room,
    room,
)

if TYPE_CHECKING:
    from hitscan._hitscan import Hit

__all__ = ["Facing", "Invalid", "Points", "Queries", "Rule", "Up"]

Facing: TypeAlias = Literal["both", "front", "back"]
Invalid: TypeAlias = Literal["raise", "miss"]
Rule: TypeAlias = Literal["parity", "winding"]
Up: TypeAlias = Literal["+x", "-x", "+y", "-y", "+z", "-z"]
#: An array of shape (..., 3), or a tuple of three arrays.
Points: TypeAlias = ArrayLike | tuple[Any, ...]

_ALL = 0xFFFF_FFFF
_DEFAULT = ("t", "position", "normal", "u", "v", "instance", "prim", "facing")
_NEAREST = ClosestPoints._COLUMNS
_INTERVALS = IntervalLists._COLUMNS


def _filter(mask: int, facing: str) -> tuple[int, str]:
    number = whole("mask", mask)
    if not 0 <= number <= _ALL:
        raise ValueError(f"mask is {number}; expected 32 bits")
    if not isinstance(facing, str):
        raise TypeError(f"facing is {facing!r}; expected 'both', 'front' or 'back'")
    return number, facing


def _how(threads: int | None, tell: Tell | None, invalid: str) -> tuple[int | None, Tell | None, str]:
    """How a batch is run, as the compiled half takes it."""
    if not isinstance(invalid, str):
        raise TypeError(f"invalid is {invalid!r}; expected 'raise' or 'miss'")
    return thread_count(threads), tell, invalid


def _size(shape: Shape) -> int:
    return math.prod(shape)


class Queries:
    """The questions that a `Mesh` answers in its own frame, and a `Scene` in world space.

    Rays are arrays of shape (..., 3), origins and directions, which are broadcast against each other; or tuples of
    three arrays, one for each coordinate, of any one shape; or ``origins`` alone, of shape (..., 6) or as a tuple of
    six arrays. A tuple of three points is taken as columns too: pass a list of them, or ``np.stack``. float32 and float64 are taken where they lie if they are contiguous, and copied once if not; whole
    numbers are taken as float64. An array must not be changed by another thread while it is asked about.

    Directions have any length and are never normalised: ``t`` counts in their units. A ray needs finite numbers,
    coordinates of at most 2^100, a direction that is not zero, and ``t_min <= t_max``.

    Every question runs without the interpreter's lock, and can be interrupted by Ctrl-C.
    """

    __slots__ = ()

    _core: _hitscan.Mesh | _hitscan.Scene | None

    def closest(
        self,
        origins: Points,
        directions: Points | None = None,
        *,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = math.inf,
        mask: int = _ALL,
        facing: Facing = "both",
        columns: Sequence[str] | None = None,
        out: Mapping[str, Array] | Hits | None = None,
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
            Only instances whose mask shares a bit with this one.
        facing : {"both", "front", "back"}, optional
            Which sides of triangles count.
        columns : sequence of str, optional
            What is wanted: of ``t distance position normal u v instance prim material facing``. Fewer are faster, and
            ``t u v instance prim facing`` the fastest. By default all but ``distance`` and ``material``.
        out : dict of arrays or Hits, optional
            Arrays to write into, by columns: contiguous, of the rays' leading shape, and of the types that `Hits`
            lists. After an error they may hold answers for some of the rays.
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
        arrays = room(out, columns, Hits._COLUMNS, _DEFAULT, shape)
        with bar(progress, _size(shape), "rays") as tell:
            how = _how(threads, tell, invalid)
            bad = _hitscan.closest(self._core, rays, _filter(mask, facing), flat(arrays), how)
        return Hits(arrays, shape, bad)

    def occluded(
        self,
        origins: Points,
        directions: Points | None = None,
        *,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = math.inf,
        mask: int = _ALL,
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
        array = np.empty(shape, np.bool_) if out is None else one_room("out", out, np.bool_, shape)
        with bar(progress, _size(shape), "rays") as tell:
            how = _how(threads, tell, invalid)
            _hitscan.occluded(self._core, rays, _filter(mask, facing), array.reshape(-1), how)
        return array

    def count(
        self,
        origins: Points,
        directions: Points | None = None,
        *,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = math.inf,
        mask: int = _ALL,
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
        array = np.empty(shape, np.int64) if out is None else one_room("out", out, np.int64, shape)
        with bar(progress, _size(shape), "rays") as tell:
            how = _how(threads, tell, invalid)
            _hitscan.count(self._core, rays, _filter(mask, facing), array.reshape(-1), how)
        return array

    def all_hits(
        self,
        origins: Points,
        directions: Points | None = None,
        *,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = math.inf,
        mask: int = _ALL,
        facing: Facing = "both",
        columns: Sequence[str] | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> HitLists:
        """Every hit of each ray, sorted by ray, then by ``t``, at equal ``t`` by instance and triangle.

        Parameters
        ----------
        origins, directions, t_min, t_max, mask, facing, columns, threads, progress, invalid
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
        names = list(chosen(columns, Hits._COLUMNS, _DEFAULT))
        with bar(progress, _size(shape), "rays") as tell:
            how = _how(threads, tell, invalid)
            arrays, bad = _hitscan.all_hits(self._core, rays, _filter(mask, facing), names, how)
        return HitLists(arrays, arrays.pop("offsets"), shape, bad)

    def first_n(
        self,
        origins: Points,
        directions: Points | None = None,
        *,
        n: int,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = math.inf,
        mask: int = _ALL,
        facing: Facing = "both",
        columns: Sequence[str] | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> HitLists:
        """The first `n` hits of each ray: the beginning of each of the lists of `all_hits`, and sooner.

        Parameters
        ----------
        n : int
            Most hits of a ray.
        origins, directions, t_min, t_max, mask, facing, columns, threads, progress, invalid
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
        names = list(chosen(columns, Hits._COLUMNS, _DEFAULT))
        with bar(progress, _size(shape), "rays") as tell:
            how = _how(threads, tell, invalid)
            arrays, bad = _hitscan.first_n(self._core, rays, _filter(mask, facing), most, names, how)
        return HitLists(arrays, arrays.pop("offsets"), shape, bad)

    def intervals(
        self,
        origins: Points,
        directions: Points | None = None,
        *,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = math.inf,
        mask: int = _ALL,
        columns: Sequence[str] | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> IntervalLists:
        """The pieces of each ray that lie in solids: entry, exit and thickness.

        A solid is what one material of one instance encloses. A ray that starts inside of one is inside from ``t_min``
        on. An entry without an exit, as of an open mesh, gives a piece without thickness.

        Parameters
        ----------
        origins, directions, t_min, t_max, mask, threads, progress, invalid
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
        names = list(chosen(columns, _INTERVALS, _INTERVALS))
        with bar(progress, _size(shape), "rays") as tell:
            how = _how(threads, tell, invalid)
            arrays, bad = _hitscan.intervals(self._core, rays, _filter(mask, "both"), names, how)
        return IntervalLists(arrays, arrays.pop("offsets"), shape, bad)

    def closest_one(
        self,
        origin: Sequence[float] | Floats,
        direction: Sequence[float] | Floats,
        *,
        t_min: float = 0.0,
        t_max: float = math.inf,
        mask: int = _ALL,
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
        return _hitscan.closest_one(self._core, origin, direction, t_min, t_max, mask, facing)

    def occluded_one(
        self,
        origin: Sequence[float] | Floats,
        direction: Sequence[float] | Floats,
        *,
        t_min: float = 0.0,
        t_max: float = math.inf,
        mask: int = _ALL,
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
        return _hitscan.occluded_one(self._core, origin, direction, t_min, t_max, mask, facing)

    def contains(
        self,
        points: Points,
        *,
        rule: Rule = "parity",
        mask: int = _ALL,
        out: Bools | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> Bools:
        """Whether each point lies inside of the mesh, or of anything in the scene; its surface counts as inside.

        Parameters
        ----------
        points : array_like, shape (..., 3), or tuple of three arrays
            Points, in the frame of the mesh, or in world space.
        rule : {"parity", "winding"}, optional
            ``"parity"`` counts crossings: exact and fast, and refused for an open mesh. ``"winding"`` takes the winding
            number, also for models with holes and overlaps; it looks at every triangle.
        mask : int, optional
            Only instances whose mask shares a bit with this one.
        out : ndarray of bool, optional
            An array to write into, of the points' leading shape.
        threads, progress, invalid
            As in `closest`; a point needs finite coordinates of at most 2^100, and is outside where it has none.

        Returns
        -------
        ndarray of bool
            Of the points' leading shape.

        Raises
        ------
        HitscanError
            An open mesh, for ``"parity"``; a point that is none, with its row.
        ValueError, TypeError
            Shapes that do not fit, types that float64 does not hold.

        Examples
        --------
        >>> import hitscan
        >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> tetrahedron = hitscan.Mesh(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
        >>> tetrahedron.contains([[0.1, 0.1, 0.1], [1, 1, 1]]).tolist()
        [True, False]
        """
        given, shape = as_points("points", points)
        array = np.empty(shape, np.bool_) if out is None else one_room("out", out, np.bool_, shape)
        with bar(progress, _size(shape), "points") as tell:
            how = _how(threads, tell, invalid)
            _hitscan.contains(self._core, given, (_filter(mask, "both")[0], rule), array.reshape(-1), how)
        return array

    def closest_point(
        self,
        points: Points,
        *,
        max_distance: float = math.inf,
        mask: int = _ALL,
        columns: Sequence[str] | None = None,
        out: Mapping[str, Array] | ClosestPoints | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> ClosestPoints:
        """The nearest point of any surface to each point.

        Of equally near ones it is that of the lowest instance, then of the lowest triangle.

        Parameters
        ----------
        points : array_like, shape (..., 3), or tuple of three arrays
            Points, in the frame of the mesh, or in world space.
        max_distance : float, optional
            What is farther does not count; faster the smaller it is.
        mask : int, optional
            Only instances whose mask shares a bit with this one.
        columns : sequence of str, optional
            What is wanted: of ``distance position instance prim u v``.
        out : dict of arrays or ClosestPoints, optional
            Arrays to write into, by columns, as in `closest`.
        threads, progress, invalid
            As in `closest`.

        Returns
        -------
        ClosestPoints
            Arrays of the points' leading shape.

        Raises
        ------
        HitscanError
            A point that is none, with its row.
        ValueError, TypeError
            Shapes that do not fit, types that float64 does not hold.

        Examples
        --------
        >>> import hitscan
        >>> mesh = hitscan.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
        >>> nearest = mesh.closest_point([[1, 1, 3], [-3, 0, 4]])
        >>> nearest.distance.tolist(), nearest.position[1].tolist()
        ([3.0, 5.0], [0.0, 0.0, 0.0])
        """
        given, shape = as_points("points", points)
        arrays = room(out, columns, _NEAREST, _NEAREST, shape)
        with bar(progress, _size(shape), "points") as tell:
            asked = (float(max_distance), _filter(mask, "both")[0])
            bad = _hitscan.closest_point(self._core, given, asked, flat(arrays), (threads, tell, invalid))
        return ClosestPoints(arrays, shape, bad)

    def signed_distance(
        self,
        points: Points,
        *,
        rule: Rule = "parity",
        mask: int = _ALL,
        out: F64 | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> F64:
        """How far each point is from any surface: positive outside, negative inside.

        trimesh has it the other way around.

        The size is that of `closest_point`, the sign that of `contains`. In a scene of things that overlap, the nearest
        surface may lie within another thing.

        Parameters
        ----------
        points, rule, mask, threads, progress, invalid
            As in `contains`; a point that is none gets NaN.
        out : ndarray of float64, optional
            An array to write into, of the points' leading shape.

        Returns
        -------
        ndarray of float64
            Of the points' leading shape; inf where there is no surface.

        Raises
        ------
        HitscanError, ValueError, TypeError
            As in `contains`.

        Examples
        --------
        >>> import hitscan
        >>> corners = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]]
        >>> tetrahedron = hitscan.Mesh(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
        >>> tetrahedron.signed_distance([[0.5, 1, 1], [-0.5, 1, 1]]).tolist()
        [-0.5, 0.5]
        """
        given, shape = as_points("points", points)
        array = np.empty(shape, np.float64) if out is None else one_room("out", out, np.float64, shape)
        with bar(progress, _size(shape), "points") as tell:
            asked = (_filter(mask, "both")[0], rule)
            _hitscan.signed_distance(self._core, given, asked, array.reshape(-1), (threads, tell, invalid))
        return array

    def heights(
        self,
        places: Points,
        *,
        up: Up | None = None,
        below: ArrayLike | None = None,
        mask: int = _ALL,
        facing: Facing = "both",
        columns: Sequence[str] | None = None,
        out: Mapping[str, Array] | Hits | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> HeightHits:
        """How high the ground is at each place, by rays straight down.

        Parameters
        ----------
        places : array_like, shape (..., 2), or tuple of two arrays
            Coordinates along the two axes that are not up, in the order of the alphabet: x and z where +y is up, x and
            y where +z is.
        up : {"+x", "-x", "+y", "-y", "+z", "-z"}, optional
            Which way is up. By default as the file of a scene says, else ``"+y"``.
        below : array_like, optional
            Heights to begin at, one for all or one a place: the answer is the first surface at it or below it. By
            default above all.
        mask, facing, threads, progress, invalid
            As in `closest`.
        columns : sequence of str, optional
            What is wanted beside ``position`` and ``height``; by default what `closest` gives.
        out : dict of arrays or HeightHits, optional
            Arrays to write into, by columns, ``height`` among them, as in `closest`.

        Returns
        -------
        HeightHits
            `Hits` with the column ``height``, along the axis that is up; NaN where there is no ground.

        Raises
        ------
        HitscanError
            A place that is none, with its row.
        ValueError, TypeError
            Shapes that do not fit, types that float64 does not hold.

        Examples
        --------
        >>> import hitscan
        >>> roof = hitscan.Mesh([[0, 3, 0], [4, 3, 0], [0, 3, 4]], [[0, 2, 1]])
        >>> roof.heights([[1, 1], [9, 9]]).height.tolist()
        [3.0, nan]
        """
        given, shape = as_points("places", places, 2)
        axis, sign = _axis(up or self._up())
        own = None
        height = None
        if out is not None:
            own = columns_of(out)
            height = own.pop("height", None)
            own.setdefault("position", np.empty((*shape, 3)))
            columns = tuple(own) if columns is None else columns
        arrays = room(own, ("position", *chosen(columns, Hits._COLUMNS, _DEFAULT)), Hits._COLUMNS, (), shape)
        height = np.empty(shape) if height is None else one_room("out['height']", height, np.float64, shape)
        limit = None
        if below is not None:
            limit = scalars("below", below, shape)
        with bar(progress, _size(shape), "places") as tell:
            asked = (given, axis, sign, limit)
            how = _how(threads, tell, invalid)
            bad = _hitscan.heights(self._core, asked, _filter(mask, facing), flat(arrays), how)
        # Never -0.
        np.add(arrays["position"][..., axis] * sign, 0.0, out=height)
        return HeightHits({"height": height, **arrays}, shape, bad)

    def sight(
        self,
        eyes: Points,
        targets: Points,
        *,
        pairs: Literal["zip", "all"] = "zip",
        mask: int = _ALL,
        facing: Facing = "both",
        out: Bools | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> Bools:
        """Whether points see each other: whether nothing is between them, their own places included.

        Parameters
        ----------
        eyes, targets : array_like, shape (..., 3), or tuple of three arrays
            Points. A point sees itself.
        pairs : {"zip", "all"}, optional
            ``"zip"`` pairs the first with the first and so on, broadcast against each other; ``"all"`` each eye with
            each target.
        mask, facing, threads, progress, invalid
            As in `closest`; a point that is none is not seen.
        out : ndarray of bool, optional
            An array to write into.

        Returns
        -------
        ndarray of bool
            Of the broadcast leading shape; for ``"all"`` the shape of `eyes`, then that of `targets`.

        Raises
        ------
        HitscanError
            A point that is none, with the row of its pair.
        ValueError, TypeError
            Shapes that do not fit, types that float64 does not hold.

        Examples
        --------
        >>> import hitscan
        >>> wall = hitscan.Mesh([[-9, 0, 0], [9, 0, 0], [0, 9, 0]], [[0, 1, 2]])
        >>> wall.sight([[0, 1, 1], [0, 1, -1]], [[0, 1, -2], [3, 1, -4]], pairs="all").tolist()
        [[False, False], [True, True]]
        """
        if pairs not in ("zip", "all"):
            raise ValueError(f"pairs is {pairs!r}; expected 'zip' or 'all'")
        a, b = as_points("eyes", eyes), as_points("targets", targets)
        if pairs == "all":
            shape: Shape = (*a.shape, *b.shape)
            given = (a.given, b.given, True)
        else:
            shape = broadcast("eyes and targets", a.shape, b.shape)
            given = (spread("eyes", a, shape, 3), spread("targets", b, shape, 3), False)
        array = np.empty(shape, np.bool_) if out is None else one_room("out", out, np.bool_, shape)
        with bar(progress, _size(shape), "pairs") as tell:
            how = _how(threads, tell, invalid)
            _hitscan.sight(self._core, given, _filter(mask, facing), array.reshape(-1), how)
        return array

    def closest_chunks(
        self,
        rays: ArrayLike | Iterable[Any],
        *,
        size: int = 1 << 20,
        t_min: float = 0.0,
        t_max: float = math.inf,
        mask: int = _ALL,
        facing: Facing = "both",
        columns: Sequence[str] | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> Iterator[Hits]:
        """The first hit of each ray, some rays at a time: for more rays than fit in memory.

        Parameters
        ----------
        rays : ndarray of shape (n, 6), or iterable
            One array, such as one that is mapped from a file, which is taken in pieces; or an iterable of what
            `closest` takes: arrays of shape (..., 6), pairs of origins and directions, or tuples of six arrays.
        size : int, optional
            Rays of a piece of an array.
        t_min, t_max, mask, facing, columns, threads, progress, invalid
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
        total = None
        pieces: Iterable[Any]
        if isinstance(rays, tuple):
            raise TypeError("rays is a tuple, which could be one piece or several; expected an array, or a list of pieces")
        if isinstance(rays, np.ndarray):
            if rays.ndim != 2 or rays.shape[1] != 6:
                raise ValueError(f"rays has the shape {rays.shape}; expected (n, 6)")
            step = whole("size", size)
            if step < 1:
                raise ValueError(f"size is {step}; expected 1 or more")
            array, total = rays, len(rays)
            pieces = (array[start : start + step] for start in range(0, total, step))
        elif isinstance(rays, Iterable):
            pieces = rays
        else:
            raise TypeError(f"rays is a {type(rays).__name__}; expected an array or an iterable of arrays")
        return self._closest_chunks(
            pieces,
            total,
            progress,
            {
                "t_min": t_min,
                "t_max": t_max,
                "mask": mask,
                "facing": facing,
                "columns": columns,
                "threads": threads,
                "invalid": invalid,
            },
        )

    def _closest_chunks(
        self, pieces: Iterable[Any], total: int | None, progress: bool, options: dict[str, Any]
    ) -> Iterator[Hits]:
        done = 0
        with bar(progress, total, "rays") as tell:
            for piece in pieces:
                is_pair = isinstance(piece, tuple) and len(piece) == 2
                try:
                    hits = self.closest(*piece, **options) if is_pair else self.closest(piece, **options)
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

    def _up(self) -> str:
        """Which way is up where nobody says."""
        return "+y"


def _axis(up: str) -> tuple[int, float]:
    if up not in ("+x", "-x", "+y", "-y", "+z", "-z"):
        raise ValueError(f"up is {up!r}; expected one of +x -x +y -y +z -z")
    return "xyz".index(up[1]), 1.0 if up[0] == "+" else -1.0
