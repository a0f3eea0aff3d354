"""Questions whose rays are made here: how high the ground is at a place, and whether one point sees another."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import prod
from typing import Literal

import numpy as np

from hitscan import _hitscan
from hitscan._arrays import Array, ArrayLike, Shape, as_points, broadcast, scalars, spread
from hitscan._asked import ALL, Asked, Facing, Invalid, Points, Up, axis_of, filter_of, how_of
from hitscan._progress import bar
from hitscan._ray_queries import DEFAULT
from hitscan.errors import HitscanError
from hitscan.results import Bools, HeightHits, Hits, answered, apart, chosen, columns_of, flat, one_room, room

__all__ = ["GroundQueries"]


class GroundQueries(Asked):
    """Questions about places and pairs of points."""

    __slots__ = ()

    def heights(
        self,
        places: Points,
        *,
        up: Up | None = None,
        below: ArrayLike | None = None,
        mask: int = ALL,
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
            Arrays to write into, by columns, ``height`` among them, as in `closest`; but ``position``, which heights are
            taken from, and ``height`` are float64. `HeightHits` of an earlier call are what is returned, as in `closest`.

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
        axis, sign = axis_of(self._up() if up is None else up)
        own = None
        height = None
        if out is not None:
            own = columns_of(out)
            height = own.pop("height", None)
            own.setdefault("position", np.empty((*shape, 3)))
            columns = tuple(own) if columns is None else columns
        wanted = chosen(columns, HeightHits._COLUMNS, DEFAULT)
        # Heights are there always, and are taken from positions.
        names = ("position", *(name for name in wanted if name != "height"))
        arrays = room(own, names, Hits._COLUMNS, (), shape, exact=("position",))
        limit, each = (None, 1) if below is None else scalars("below", below, shape)
        if height is None:
            height = np.empty(shape)
        else:
            height = one_room("out['height']", height, (np.float64,), shape)
            # Written here, after the compiled half, which holds the others against each other.
            others = {f"out[{name!r}]": array for name, array in arrays.items()}
            apart("out['height']", height, {"places": given, "below": limit, **others})
        with bar(progress, prod(shape), "places") as tell:
            asked = (given, axis, sign, limit, each)
            how = how_of(threads, tell, invalid)
            try:
                bad = _hitscan.heights(self._core, asked, filter_of(mask, facing), flat(arrays), how)
            except HitscanError as error:
                raise _of_place(error) from None
        # Never -0.
        np.add(arrays["position"][..., axis] * sign, 0.0, out=height)
        return answered(HeightHits, out, {"height": height, **arrays}, shape, bad)

    def sight(
        self,
        eyes: Points,
        targets: Points,
        *,
        pairs: Literal["zip", "all"] = "zip",
        mask: int = ALL,
        facing: Facing = "both",
        out: Bools | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> Bools:
        """Whether points see each other: whether nothing is between them, their own places included.

        Whether what an eye or a target lies on is in the way, rounding decides: let both stand above it.

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
            A point that is none, with its row.
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
            first, each_first, second, each_second = a.given, max(prod(b.shape), 1), b.given, 1
        else:
            shape = broadcast("eyes and targets", a.shape, b.shape)
            (first, each_first), (second, each_second) = spread(a, shape), spread(b, shape)
        given = (first, second, prod(shape), (each_first, each_second))
        array = np.empty(shape, np.bool_) if out is None else one_room("out", out, (np.bool_,), shape)
        with bar(progress, prod(shape), "pairs") as tell:
            how = how_of(threads, tell, invalid)
            _hitscan.sight(self._core, given, filter_of(mask, facing), array.reshape(-1), how)
        return array

    def _up(self) -> str:
        """Which way is up where nobody says."""
        return "+y"


def _of_place(error: HitscanError) -> HitscanError:
    """The same error in the words of a place, which is no ray yet: it has x, y or z of its own, and no origin."""
    if error.argument != "places":
        return error
    message = re.sub(": o([xyz] is .*; )(a ray needs|the ends of a ray need) ", r": \1a place needs ", str(error))
    return HitscanError(message, error.argument, error.row)
