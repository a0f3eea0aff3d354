"""What a world holds beside meshes: shapes that are known exactly, and terrain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from hitscan import _hitscan
from hitscan._arrays import ArrayLike, floats, number, rows

__all__ = ["Box", "Capsule", "ConvexHull", "Heightfield", "Plane", "Shape", "Sphere"]


class Shape:
    """Something that a `World` holds; made as one of its kinds, and never changed.

    The surface of a solid is crossed twice: in through its front, out through its back. ``prim`` is the number of a
    box's or a hull's face, and 0 on other shapes; ``u`` and ``v`` are 0.
    """

    __slots__ = ("__weakref__", "_core", "_made")

    _core: _hitscan.Shape
    _made: tuple[Any, ...]

    def __init__(self) -> None:
        raise TypeError("a Shape is made as one of its kinds, such as Sphere or Box")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._made

    def __repr__(self) -> str:
        made = ", ".join(f"array{one.shape}" if isinstance(one, np.ndarray) else repr(one) for one in self._made)
        return f"{type(self).__name__}({made})"


def _three(name: str, value: object) -> tuple[float, float, float]:
    array = floats(name, value)
    if array.shape != (3,):
        raise ValueError(f"{name} has the shape {array.shape}; expected (3,)")
    x, y, z = array.tolist()
    return x, y, z


def _two(name: str, value: object) -> tuple[float, float]:
    array = floats(name, value)
    if array.shape != (2,):
        raise ValueError(f"{name} has the shape {array.shape}; expected (2,)")
    x, y = array.tolist()
    return x, y


class Sphere(Shape):
    """A ball.

    Parameters
    ----------
    center : sequence of three numbers
        Its middle.
    radius : float
        Above 0.

    Raises
    ------
    HitscanError
        What makes no ball.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> ball = world.insert(hitscan.Sphere([0, 0, 0], 2.0))
    >>> world.commit().closest_one((0, 0, 9), (0, 0, -1)).t
    7.0
    """

    __slots__ = ()

    def __init__(self, center: Sequence[float] | ArrayLike, radius: float) -> None:
        self._made = (_three("center", center), number("radius", radius))
        self._core = _hitscan.Shape.sphere(*self._made)


class Box(Shape):
    """A box along the axes.

    Parameters
    ----------
    low, high : sequence of three numbers
        Its lowest and its highest corner.

    Raises
    ------
    HitscanError
        What makes no box.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> crate = world.insert(hitscan.Box([-1, -1, -1], [1, 1, 1]))
    >>> world.commit().contains([[0, 0, 0], [2, 0, 0]]).tolist()
    [True, False]
    """

    __slots__ = ()

    def __init__(self, low: Sequence[float] | ArrayLike, high: Sequence[float] | ArrayLike) -> None:
        self._made = (_three("low", low), _three("high", high))
        self._core = _hitscan.Shape.box(*self._made)


class Capsule(Shape):
    """A ball that was drawn out from one point to another.

    Parameters
    ----------
    a, b : sequence of three numbers
        The two points.
    radius : float
        Above 0.

    Raises
    ------
    HitscanError
        What makes no capsule.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> player = world.insert(hitscan.Capsule([0, 0.5, 0], [0, 1.5, 0], 0.5))
    >>> world.commit().closest_one((0, 9, 0), (0, -1, 0)).t
    7.0
    """

    __slots__ = ()

    def __init__(self, a: Sequence[float] | ArrayLike, b: Sequence[float] | ArrayLike, radius: float) -> None:
        self._made = (_three("a", a), _three("b", b), number("radius", radius))
        self._core = _hitscan.Shape.capsule(*self._made)


class Plane(Shape):
    """An endless plane: a surface, not the solid behind it.

    Parameters
    ----------
    normal : sequence of three numbers
        Towards its front, of any length.
    point : sequence of three numbers
        A point of it.

    Raises
    ------
    HitscanError
        What makes no plane.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> ground = world.insert(hitscan.Plane([0, 1, 0], [0, 0, 0]))
    >>> world.commit().heights([[3, 4]]).height.tolist()
    [0.0]
    """

    __slots__ = ()

    def __init__(self, normal: Sequence[float] | ArrayLike, point: Sequence[float] | ArrayLike) -> None:
        self._made = (_three("normal", normal), _three("point", point))
        self._core = _hitscan.Shape.plane(*self._made)


class ConvexHull(Shape):
    """The convex hull of points.

    Parameters
    ----------
    points : array_like, shape (n, 3)
        At least four that are not in one plane.

    Raises
    ------
    HitscanError
        What makes no hull.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> rock = world.insert(hitscan.ConvexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]))
    >>> world.commit().contains([0.1, 0.1, 0.1]).item()
    True
    """

    __slots__ = ()

    def __init__(self, points: ArrayLike) -> None:
        # A copy: a shape pickles by what it was made of, which the caller may change.
        array = rows("points", points).copy()
        self._made = (array,)
        self._core = _hitscan.Shape.hull(array)


class Heightfield(Shape):
    """Terrain: heights on a grid, in a fortieth of the memory of its mesh.

    Columns run along +x, rows along +z where +y is up and along +y where +z is. ``prim`` is ``2 * cell`` or ``2 * cell
    + 1``, where cells are counted row by row.

    Parameters
    ----------
    samples : array_like, shape (rows, columns)
        Heights, kept as float32; NaN where there is none, and then all cells around it are holes.
    spacing : float or pair of floats, optional
        The distance between columns, and that between rows.
    origin : pair of floats, optional
        Where the first column and the first row stand.
    up : {"+y", "+z"}, optional
        The axis along which heights grow.

    Raises
    ------
    HitscanError
        What makes no terrain.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> ridge = world.insert(hitscan.Heightfield([[0, 2, 0], [0, 2, 0]], spacing=10))
    >>> world.commit().heights([5, 5]).height.item()
    1.0
    """

    __slots__ = ()

    def __init__(
        self,
        samples: ArrayLike,
        spacing: float | Sequence[float] | ArrayLike = 1.0,
        origin: Sequence[float] | ArrayLike = (0.0, 0.0),
        up: Literal["+y", "+z"] = "+y",
    ) -> None:
        with np.errstate(over="ignore"):  # infinite heights are refused by their place
            # A copy, as in `ConvexHull`.
            array = floats("samples", samples).astype(np.float32, order="C")
        if array.ndim != 2:
            raise ValueError(f"samples has the shape {array.shape}; expected (rows, columns)")
        steps = floats("spacing", spacing)
        across, down = (float(steps),) * 2 if steps.shape == () else _two("spacing", steps)
        if up not in ("+y", "+z"):
            raise ValueError(f"up is {up!r}; expected '+y' or '+z'")
        self._made = (array, (across, down), _two("origin", origin), up)
        self._core = _hitscan.Shape.heightfield(array, *self._made[1:3], 1 if up == "+y" else 2)
