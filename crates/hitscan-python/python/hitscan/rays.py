"""Rays of sensors and pictures, and what is made of their answers.

All functions give or take NumPy arrays and know no scene. Angles are in degrees; directions have the length 1, so that
``t`` is a distance in units of the world.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from hitscan._arrays import Array, ArrayLike, broadcast, floats
from hitscan._asked import Up, axis_of
from hitscan._numbers import whole
from hitscan.results import HitLists, Hits

__all__ = ["Rays", "first_returns", "hemisphere", "incidence", "last_returns", "lidar", "orthographic"]

F64 = npt.NDArray[np.float64]

_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


class Rays(NamedTuple):
    """Rays that questions take as they are: ``scene.closest(*rays)``."""

    origins: F64
    """Where they begin: float64, of a shape that broadcasts against that of the directions."""
    directions: F64
    """Where they go: float64, shape (..., 3)."""


def lidar(
    eye: ArrayLike,
    channels: int | ArrayLike = 16,
    azimuths: int | ArrayLike = 1024,
    *,
    fov: Sequence[float] = (-15.0, 15.0),
    up: Up = "+y",
    forward: ArrayLike | None = None,
) -> Rays:
    """The rays of a spinning scanner: a row for each channel, a column for each azimuth.

    Parameters
    ----------
    eye : array_like, shape (3,) or (azimuths, 3)
        Where it stands; or where it is at each azimuth, if it moves as it turns.
    channels : int or array_like, shape (rows,), optional
        How many elevations there are, evenly from the upper to the lower end of `fov`; or the elevations: degrees above
        the horizon.
    azimuths : int or array_like, shape (columns,), optional
        How many directions there are in a full turn, evenly from 0; or the azimuths: degrees from `forward`,
        counter-clockwise as seen from above.
    fov : pair of floats, optional
        The lowest and the highest elevation, where `channels` is a number. A single channel lies in the middle.
    up : {"+x", "-x", "+y", "-y", "+z", "-z"}, optional
        Which way is up.
    forward : array_like, shape (3,), optional
        The direction of the azimuth 0; what it has along `up` does not count. By default -z, as cameras look, or +x
        where an axis of z is up, as robots drive.

    Returns
    -------
    Rays
        Origins of the shape of `eye`, and unit directions of shape (rows, columns, 3).

    Raises
    ------
    ValueError
        Numbers that are not finite, shapes that do not fit, a `forward` along `up`.

    Examples
    --------
    >>> from hitscan.rays import lidar
    >>> rays = lidar((0, 1.8, 0), channels=[0, -30], azimuths=4)
    >>> rays.directions.shape
    (2, 4, 3)
    >>> rays.directions[0].round(3).tolist()  # forward, left, back, right
    [[0.0, 0.0, -1.0], [-1.0, 0.0, -0.0], [-0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    >>> rays.directions[1, 0].round(3).tolist()
    [0.0, -0.5, -0.866]
    """
    if _is_count(channels):
        low, high = _pair("fov", fov)
        if not max(abs(low), abs(high)) <= 90.0 or math.isnan(high):
            raise ValueError(f"fov is {(low, high)}; expected elevations of -90 to 90 degrees")
        count = _count("channels", channels)
        elevations = np.linspace(high, low, count) if count > 1 else np.array([(low + high) / 2.0])
    else:
        elevations = _angles("channels", channels)
    if _is_count(azimuths):
        around = _count("azimuths", azimuths)
        turn = np.arange(around) * (360.0 / around)
    else:
        turn = _angles("azimuths", azimuths)
    if elevations.size and not (np.all(np.abs(elevations) <= 90.0)):
        row = int(np.argmax(~(np.abs(elevations) <= 90.0)))
        raise ValueError(f"channels row {row} is {elevations[row]}; expected elevations of -90 to 90 degrees")
    place = _numbers("eye", eye)
    if place.shape not in ((3,), (len(turn), 3)):
        raise ValueError(f"eye has the shape {place.shape}; expected (3,) or ({len(turn)}, 3)")
    ahead, left, above = _frame(up, forward)
    height, rise = np.deg2rad(elevations)[:, np.newaxis, np.newaxis], np.deg2rad(turn)[:, np.newaxis]
    level = np.cos(rise) * ahead + np.sin(rise) * left
    return Rays(place, np.cos(height) * level + np.sin(height) * above)


def orthographic(
    center: ArrayLike,
    forward: ArrayLike,
    size: Sequence[float],
    shape: Sequence[int],
    *,
    up: ArrayLike = (0.0, 1.0, 0.0),
) -> Rays:
    """Parallel rays through a grid of pixels: a plan, a section, a height map, the light of the sun.

    Parameters
    ----------
    center : array_like, shape (3,)
        The middle of the rectangle that rays begin on.
    forward : array_like, shape (3,)
        Where they go, of any length.
    size : pair of floats
        Width and height of the rectangle, in units of the world.
    shape : pair of ints
        Rows and columns of pixels. A ray goes through the centre of each.
    up : array_like, shape (3,), optional
        What is upwards in the picture; not along `forward`.

    Returns
    -------
    Rays
        Origins of shape (rows, columns, 3), row by row from the top left, and one unit direction for all, of shape
        (3,).

    Raises
    ------
    ValueError
        Numbers that are not finite, an `up` along `forward`, an empty grid.

    Examples
    --------
    >>> from hitscan.rays import orthographic
    >>> rays = orthographic((0, 10, 0), (0, -1, 0), size=(4, 2), shape=(1, 2), up=(0, 0, -1))
    >>> rays.origins.tolist(), rays.directions.tolist()
    ([[[-1.0, 10.0, 0.0], [1.0, 10.0, 0.0]]], [0.0, -1.0, 0.0])
    """
    middle, way, top = (_vector(*named) for named in (("center", center), ("forward", forward), ("up", up)))
    width, height = _pair("size", size)
    if not (0.0 < width < math.inf and 0.0 < height < math.inf):
        raise ValueError(f"size is {width} x {height}; expected finite lengths above 0")
    if np.ndim(shape) != 1 or len(shape) != 2:
        raise ValueError(f"shape is {shape!r}; expected two whole numbers")
    rows, columns = (whole("shape", side) for side in shape)
    if rows < 1 or columns < 1:
        raise ValueError(f"shape is {(rows, columns)}; expected 1 or more rows and columns")
    ahead = _unit("forward", way)
    right = np.cross(ahead, _unit("up", top))
    if math.sqrt(right @ right) < 1e-9:
        raise ValueError("up is along forward; expected another direction")
    right = _unit("up", right)
    above = np.cross(right, ahead)
    x = (np.arange(columns) + 0.5) / columns - 0.5
    y = 0.5 - (np.arange(rows) + 0.5) / rows
    origins = middle + (x * width)[:, np.newaxis] * right + (y * height)[:, np.newaxis, np.newaxis] * above
    return Rays(origins, ahead + 0.0)


def hemisphere(
    normals: ArrayLike, samples: int, *, weight: Literal["cosine", "uniform"] = "cosine", seed: int = 0
) -> F64:
    """Directions over surfaces, spread evenly: for ambient light, sky view and solar exposure.

    Each normal has the same even lattice, turned and shifted by random numbers of its own.

    Parameters
    ----------
    normals : array_like, shape (..., 3)
        The middles of the hemispheres, of any length.
    samples : int
        Directions of each.
    weight : {"cosine", "uniform"}, optional
        Whether their density goes by the cosine of the angle to the normal, so that the mean over them is that of
        diffuse light; or is the same everywhere.
    seed : int, optional
        Of the random numbers; the same seed gives the same directions.

    Returns
    -------
    ndarray of float64
        Unit directions, shape (..., samples, 3).

    Raises
    ------
    ValueError
        A normal that is zero or not finite, with its row; a negative seed.

    Examples
    --------
    How much of the sky is seen from beside a wall:

    >>> import hitscan, numpy as np
    >>> from hitscan.rays import hemisphere
    >>> world = hitscan.World()
    >>> wall = world.insert(hitscan.Plane([1, 0, 0], [-1, 0, 0]))
    >>> sky = hemisphere([0, 1, 0], 1000)
    >>> round(1 - float(world.commit().occluded([0, 0, 0], sky).mean()), 1)
    0.5
    """
    given = _numbers("normals", normals)
    if given.ndim == 0 or given.shape[-1] != 3:
        raise ValueError(f"normals has the shape {given.shape}; expected (..., 3)")
    if weight not in ("cosine", "uniform"):
        raise ValueError(f"weight is {weight!r}; expected 'cosine' or 'uniform'")
    count = _count("samples", samples)
    flat = given.reshape(-1, 3)
    # Scaled first, so that no square over- or underflows.
    largest = np.abs(flat).max(axis=1, initial=0.0)
    if not largest.all():
        raise ValueError(f"normals row {int(np.argmin(largest))} is zero; expected a direction")
    scaled = flat / largest[:, np.newaxis]
    n = scaled / np.sqrt((scaled * scaled).sum(axis=1))[:, np.newaxis]
    shifts = _generator(seed).random((len(n), 2))
    number = np.arange(count)
    # A lattice of Fibonacci: equal steps in one coordinate, steps of the golden ratio in the other.
    z = ((number + shifts[:, :1]) / count) % 1.0
    angle = 2.0 * np.pi * ((number * _GOLDEN + shifts[:, 1:]) % 1.0)
    if weight == "cosine":
        z = np.sqrt(z)
    radius = np.sqrt(np.maximum(0.0, 1.0 - z * z))
    a, b = _tangents(n)
    directions = (
        (radius * np.cos(angle))[..., np.newaxis] * a[:, np.newaxis]
        + (radius * np.sin(angle))[..., np.newaxis] * b[:, np.newaxis]
        + z[..., np.newaxis] * n[:, np.newaxis]
    )
    return np.asarray(directions.reshape(*given.shape[:-1], count, 3))


def incidence(directions: ArrayLike, normals: ArrayLike) -> F64:
    """The angles between rays and surfaces' normals, whichever side they come from.

    Parameters
    ----------
    directions : array_like, shape (..., 3)
        Of the rays, in any length.
    normals : array_like, shape (..., 3)
        Of what they hit, as in `Hits.normal`; broadcast against `directions`.

    Returns
    -------
    ndarray of float64
        Degrees, of the leading shape: 0 where a ray comes head-on, 90 where it grazes; NaN where it misses, or where one
        of the two is zero.

    Raises
    ------
    ValueError
        Shapes that do not go together.

    Examples
    --------
    >>> from hitscan.rays import incidence
    >>> incidence([[0, 0, -3], [1, 0, -1]], [0, 0, 1]).round(3).tolist()
    [0.0, 45.0]
    """
    a, b = (np.asarray(floats(*named), np.float64) for named in (("directions", directions), ("normals", normals)))
    for name, array in (("directions", a), ("normals", b)):
        if array.ndim == 0 or array.shape[-1] != 3:
            raise ValueError(f"{name} has the shape {array.shape}; expected (..., 3)")
    broadcast("directions and normals", a.shape[:-1], b.shape[:-1])
    # In any length, so of about 1 here; without one there is no angle.
    with np.errstate(invalid="ignore", divide="ignore"):
        a = a / np.abs(a).max(axis=-1, keepdims=True)
        b = b / np.abs(b).max(axis=-1, keepdims=True)
    # Both legs of the triangle: exact for small angles too.
    across = np.cross(a, b)
    along = np.abs((a * b).sum(axis=-1))
    return np.asarray(np.degrees(np.arctan2(np.sqrt((across * across).sum(axis=-1)), along)))


def first_returns(lists: HitLists) -> Hits:
    """The first hit of each ray, of all of its hits.

    Parameters
    ----------
    lists : HitLists
        From `Scene.all_hits` or `Scene.first_n`.

    Returns
    -------
    Hits
        In the rays' leading shape, with the columns of `lists`.

    Examples
    --------
    >>> import hitscan
    >>> from hitscan.rays import first_returns, last_returns
    >>> lists = hitscan.load("builtin:sphere:1k").all_hits([[0, 0, 3], [9, 0, 3]], [0, 0, -1], columns=("t", "facing"))
    >>> first_returns(lists).t.round(1).tolist(), last_returns(lists).t.round(1).tolist()
    ([2.0, inf], [4.0, inf])
    """
    return _returns(lists, is_last=False)


def last_returns(lists: HitLists) -> Hits:
    """The last hit of each ray, of all of its hits; of `Scene.first_n`, the last of those.

    Parameters
    ----------
    lists : HitLists
        From `Scene.all_hits` or `Scene.first_n`.

    Returns
    -------
    Hits
        In the rays' leading shape, with the columns of `lists`.
    """
    return _returns(lists, is_last=True)


def _returns(lists: HitLists, is_last: bool) -> Hits:
    if not isinstance(lists, HitLists):
        raise TypeError(f"lists is a {type(lists).__name__}; expected HitLists, of all_hits or first_n")
    starts, ends = lists.offsets[:-1], lists.offsets[1:]
    hit = ends > starts
    rows = ends - 1 if is_last else starts
    arrays: dict[str, Array] = {}
    for name in lists.columns:
        column = lists[name]
        found = np.full((len(hit), *column.shape[1:]), _MISS.get(name, np.nan), column.dtype)
        found[hit] = column[rows[hit]]
        arrays[name] = found.reshape((*lists.shape, *column.shape[1:]))
    return Hits(arrays, lists.shape, lists.invalid)


#: What a miss has; elsewhere NaN.
_MISS = {"t": np.inf, "prim": -1, "instance": -1, "material": -1, "facing": 0}


def _is_count(value: object) -> bool:
    return hasattr(value, "__index__") and np.ndim(value) == 0  # type: ignore[arg-type]


def _count(name: str, value: Any) -> int:
    count = whole(name, value)
    if count < 1:
        raise ValueError(f"{name} is {count}; expected 1 or more")
    return count


def _numbers(name: str, value: ArrayLike) -> F64:
    array = np.asarray(floats(name, value), np.float64)
    if not np.all(np.isfinite(array)):
        index = int(np.argmax(~np.isfinite(array).reshape(-1)))
        bad = array.reshape(-1)[index]
        if array.ndim < 2:
            raise ValueError(f"{name} has {bad} at {index}; expected finite numbers")
        raise ValueError(f"{name} row {index // array.shape[-1]} has {bad}; expected finite numbers")
    return array


def _pair(name: str, value: ArrayLike) -> tuple[float, float]:
    pair = floats(name, value)
    if pair.shape != (2,):
        raise ValueError(f"{name} has the shape {pair.shape}; expected two numbers")
    return float(pair[0]), float(pair[1])


def _angles(name: str, value: ArrayLike) -> F64:
    angles = _numbers(name, value)
    if angles.ndim == 0:
        raise TypeError(f"{name} is {angles.item()}; expected a whole number, or angles of shape (n,)")
    if angles.ndim != 1 or angles.size == 0:
        raise ValueError(f"{name} has the shape {angles.shape}; expected a count, or angles of shape (n,)")
    return angles


def _generator(seed: Any) -> np.random.Generator:
    """The source of random numbers that NumPy makes of a seed."""
    try:
        return np.random.default_rng(seed)
    except (ValueError, TypeError) as error:
        raise type(error)(f"seed is {seed!r}; expected a whole number of 0 or more") from None


def _vector(name: str, value: ArrayLike) -> F64:
    vector = _numbers(name, value)
    if vector.shape != (3,):
        raise ValueError(f"{name} has the shape {vector.shape}; expected (3,)")
    return vector


def _unit(name: str, vector: F64) -> F64:
    largest = np.abs(vector).max()
    if largest == 0.0:
        raise ValueError(f"{name} is zero; expected a direction")
    scaled = vector / largest
    return np.asarray(scaled / math.sqrt(scaled @ scaled))


def _frame(up: str, forward: ArrayLike | None) -> tuple[F64, F64, F64]:
    """Forward, left and up, at right angles."""
    axis, sign = axis_of(up)
    above = np.zeros(3)
    above[axis] = sign
    if forward is None:
        ahead = np.array([1.0, 0.0, 0.0]) if axis == 2 else np.array([0.0, 0.0, -1.0])
    else:
        ahead = _vector("forward", forward).copy()
        ahead[axis] = 0.0
        if not ahead.any():
            raise ValueError(f"forward is along {up}, which is up, or zero; expected a direction beside it")
        ahead = _unit("forward", ahead)
    return ahead, np.cross(above, ahead), above


def _tangents(n: F64) -> tuple[F64, F64]:
    """Two directions at right angles to each of some unit vectors and to each other (Duff et al. 2017)."""
    x, y, z = n.T
    sign = np.copysign(1.0, z)
    a = -1.0 / (sign + z)
    b = x * y * a
    first = np.stack([1.0 + sign * x * x * a, sign * b, -sign * x], axis=1)
    return first, np.stack([b, sign + y * y * a, -y], axis=1)
