"""Questions about points: what they are in, what is nearest, and how far that is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from math import prod

import numpy as np
import numpy.typing as npt

from hitscan import _hitscan
from hitscan._arrays import Array, as_points, number
from hitscan._asked import ALL, Asked, Invalid, Points, Rule, filter_of, how_of, rule_of
from hitscan._progress import bar
from hitscan.results import F64, Bools, ClosestPoints, answered, flat, one_room, room

__all__ = ["PointQueries"]

_NEAREST = ClosestPoints._COLUMNS


class PointQueries(Asked):
    """Questions about points."""

    __slots__ = ()

    def contains(
        self,
        points: Points,
        *,
        rule: Rule = "parity",
        mask: int = ALL,
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
            ``"parity"`` counts crossings: exact and fast, and of no use for an open mesh. A mesh that is open refuses it
            for all points, a scene only for a point in the box around an instance of one. ``"winding"`` takes the
            winding number, also for models with holes and overlaps; where those leave a boundary, it looks at every
            edge of that. The first time, either sorts all edges of the mesh, or of all meshes of the scene.
        mask : int, optional
            Only instances whose mask shares a bit with this one; a mesh that is asked itself shares one with all but 0.
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
            An open mesh, for ``"parity"``, or in a scene a point in the box around an instance of one, with the row of the
            first; a point that is none, with its row.
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
        array = np.empty(shape, np.bool_) if out is None else one_room("out", out, (np.bool_,), shape)
        with bar(progress, prod(shape), "points") as tell:
            how = how_of(threads, tell, invalid)
            asked = (filter_of(mask, "both")[0], rule_of(rule))
            _hitscan.contains(self._core, given, asked, array.reshape(-1), how)
        return array

    def closest_point(
        self,
        points: Points,
        *,
        max_distance: float = math.inf,
        mask: int = ALL,
        columns: Sequence[str] | None = None,
        out: Mapping[str, Array] | ClosestPoints | None = None,
        dtype: npt.DTypeLike | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> ClosestPoints:
        """The nearest point of any surface to each point.

        Of equally near ones it is that of the lowest instance, then of the lowest triangle. A triangle with two corners
        at one position has no surface here, as it has none for rays: `Mesh.counts` says how many there are.

        Parameters
        ----------
        points : array_like, shape (..., 3), or tuple of three arrays
            Points, in the frame of the mesh, or in world space.
        max_distance : float, optional
            What is farther does not count; faster the smaller it is.
        mask : int, optional
            Only instances whose mask shares a bit with this one; a mesh that is asked itself shares one with all but 0.
        columns : sequence of str, optional
            What is wanted: of ``distance position instance prim u v``.
        out : dict of arrays or ClosestPoints, optional
            Arrays to write into, by columns, as in `closest`.
        dtype, threads, progress, invalid
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
        arrays = room(out, columns, _NEAREST, _NEAREST, shape, dtype)
        with bar(progress, prod(shape), "points") as tell:
            asked = (number("max_distance", max_distance), filter_of(mask, "both")[0])
            bad = _hitscan.closest_point(self._core, given, asked, flat(arrays), how_of(threads, tell, invalid))
        return answered(ClosestPoints, out, arrays, shape, bad)

    def signed_distance(
        self,
        points: Points,
        *,
        rule: Rule = "parity",
        mask: int = ALL,
        out: F64 | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> F64:
        """How far each point is from any surface: positive outside, negative inside.

        trimesh has it the other way around.

        The size is that of `closest_point`, also in what it leaves out, the sign that of `contains`. In a scene of
        things that overlap, the nearest surface may lie within another thing.

        Parameters
        ----------
        points, rule, mask, threads, progress, invalid
            As in `contains`, also where ``"parity"`` is refused; a point that is none gets NaN.
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
        array = np.empty(shape, np.float64) if out is None else one_room("out", out, (np.float64,), shape)
        with bar(progress, prod(shape), "points") as tell:
            asked = (filter_of(mask, "both")[0], rule_of(rule))
            _hitscan.signed_distance(self._core, given, asked, array.reshape(-1), how_of(threads, tell, invalid))
        return array
