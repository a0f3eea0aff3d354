"""What stands where: instances, collected, moved and then committed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from hitscan import _hitscan
from hitscan._arrays import ArrayLike, floats
from hitscan._asked import filter_of
from hitscan._numbers import thread_count, whole
from hitscan.mesh import Mesh
from hitscan.scene import Scene
from hitscan.shapes import Shape

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["InstanceId", "World"]

Rows = tuple[tuple[float, float, float, float], tuple[float, float, float, float], tuple[float, float, float, float]]


class InstanceId(int):
    """The name of an instance: the number that hits report as ``instance``, and how many instances had it before.

    It is an `int`, so ``hits.instance == name`` says which rays hit it. Numbers of removed instances are given out
    again; a name is not, and a `World` refuses that of an instance which was removed. Two names are equal if they are of
    one instance.

    Attributes
    ----------
    generation : int
        How many instances had the number before.
    """

    generation: int

    def __new__(cls, number: int, generation: int = 0) -> Self:
        name = super().__new__(cls, number)
        name.generation = generation
        return name

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (int(self), self.generation)

    def __eq__(self, other: object) -> bool:
        # Of two names, one may be that of an instance that had the number before.
        if isinstance(other, InstanceId) and self.generation != other.generation:
            return False
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        # That of `int` would look at the number alone.
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    __hash__ = int.__hash__

    def __str__(self) -> str:
        return str(int(self))

    def __repr__(self) -> str:
        again = f", generation={self.generation}" if self.generation else ""
        return f"InstanceId({int(self)}{again})"


def _rows(transform: ArrayLike | None) -> Rows:
    """A placement as three rows of four."""
    array = np.eye(4) if transform is None else floats("transform", transform)
    if array.shape not in ((3, 4), (4, 4)):
        raise ValueError(f"transform has the shape {array.shape}; expected (3, 4) or (4, 4)")
    if array.shape == (4, 4) and array[3].tolist() != [0.0, 0.0, 0.0, 1.0]:
        raise ValueError(f"transform has the last row {array[3].tolist()}; expected [0, 0, 0, 1]")
    a, b, c = (tuple(row) for row in array[:3].tolist())
    return a, b, c


def _geometry(value: object) -> _hitscan.Mesh | _hitscan.Shape:
    """What can stand in a world."""
    if not isinstance(value, (Mesh, Shape)):
        raise TypeError(f"geometry is a {type(value).__name__}; expected a Mesh or a shape")
    return value._core


def _name(instance: int) -> tuple[int, int | None]:
    if isinstance(instance, InstanceId):
        return int(instance), instance.generation
    if isinstance(instance, (bool, float, str)) or not hasattr(instance, "__index__"):
        raise TypeError(f"instance is a {type(instance).__name__}; expected an InstanceId")
    number = instance.__index__()
    if not 0 <= number < 1 << 32:
        raise ValueError(f"instance is {number}; expected one of this world")
    return number, None


class World:
    """Instances of meshes and shapes, collected and then committed.

    A world is the part that changes; `commit` gives a `Scene`, which does not, and which any thread may ask while the
    next one is prepared.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> can = world.insert(hitscan.Sphere([0, 0, 0], 0.5))
    >>> now = world.commit()
    >>> world.set_transform(can, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, -4]])
    >>> following = world.commit()
    >>> [scene.closest_one((0, 0, 9), (0, 0, -1)).t for scene in (now, following)]
    [8.5, 12.5]
    """

    __slots__ = ("__weakref__", "_core")

    def __init__(self) -> None:
        self._core = _hitscan.World()

    def insert(
        self,
        geometry: Mesh | Shape,
        transform: ArrayLike | None = None,
        *,
        mask: int = 0xFFFF_FFFF,
        material: int = 0,
    ) -> InstanceId:
        """Adds a mesh or a shape.

        Parameters
        ----------
        geometry : Mesh or Shape
            What stands there; instances of one mesh share it.
        transform : array_like, shape (3, 4) or (4, 4), optional
            From its own frame to world space: a matrix that has an inverse, and what it moves by in the last column.
            float64, so a mesh around its own origin keeps its precision wherever it stands.
        mask : int, optional
            32 bits; it is hit by questions whose mask shares one.
        material : int, optional
            What hits on a shape report; those on triangles report the mesh's.

        Returns
        -------
        InstanceId
            Its name: an `int`, that which hits report as ``instance``.

        Raises
        ------
        HitscanError
            A transform without an inverse, or with numbers that are not finite.
        ValueError, TypeError
            What is no mesh, no shape or no matrix.

        Examples
        --------
        >>> import hitscan
        >>> mesh = hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> world = hitscan.World()
        >>> near = world.insert(mesh)
        >>> far = world.insert(mesh, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, -6.4e6]])
        >>> hits = world.commit().all_hits([0.2, 0.2, 1], [0, 0, -1])
        >>> hits.instance.tolist() == [near, far], hits.t.tolist()
        (True, [1.0, 6400001.0])
        """
        number = whole("material", material)
        if not 0 <= number < 1 << 31:
            raise ValueError(f"material is {number}; expected 0 to 2^31 - 1")
        bits, _ = filter_of(mask, "both")
        return InstanceId(*self._core.insert(_geometry(geometry), _rows(transform), bits, number))

    def remove(self, instance: int) -> None:
        """Takes an instance out; its number is given out again.

        Parameters
        ----------
        instance : InstanceId or int
            Its name, or the number of one that is there.

        Raises
        ------
        HitscanError
            One that is not there.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> world.remove(world.insert(hitscan.Sphere([0, 0, 0], 1)))
        >>> len(world)
        0
        """
        self._core.remove(_name(instance))

    def set_transform(self, instance: int, transform: ArrayLike | None) -> None:
        """Moves an instance.

        Parameters
        ----------
        instance : InstanceId or int
            Its name, or the number of one that is there.
        transform : array_like, shape (3, 4) or (4, 4)
            As in `insert`; None puts it where its own coordinates do.

        Raises
        ------
        HitscanError, ValueError, TypeError
            As in `insert`, and an instance that is not there.
        """
        self._core.set_transform(_name(instance), _rows(transform))

    def set_mask(self, instance: int, mask: int) -> None:
        """Changes which questions an instance is hit by.

        Parameters
        ----------
        instance : InstanceId or int
            Its name, or the number of one that is there.
        mask : int
            32 bits.

        Raises
        ------
        HitscanError
            One that is not there.
        """
        self._core.set_mask(_name(instance), filter_of(mask, "both")[0])

    def set_geometry(self, instance: int, geometry: Mesh | Shape) -> None:
        """Puts another mesh or shape in an instance's place.

        Parameters
        ----------
        instance : InstanceId or int
            Its name, or the number of one that is there.
        geometry : Mesh or Shape
            What stands there from now on.

        Raises
        ------
        HitscanError
            One that is not there.
        """
        self._core.set_geometry(_name(instance), _geometry(geometry))

    def commit(self, *, threads: int | None = None) -> Scene:
        """The world as it is now, ready to be asked.

        Parameters
        ----------
        threads : int, optional
            By default as many as there are processors.

        Returns
        -------
        Scene
        """
        return Scene._of(self._core.commit(thread_count(threads)))

    def __copy__(self) -> Self:
        """A world of its own, with the same instances under the same names."""
        other = type(self)()
        other._core = self._core.copy()
        return other

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        # Meshes and shapes never change.
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a World does not pickle; commit it, save the Scene and send that")

    def __iter__(self) -> Iterator[InstanceId]:
        return iter([InstanceId(*name) for name in self._core.instances()])

    def __contains__(self, instance: object) -> bool:
        """Whether an instance is there: by its name; or any with a number, by that."""
        if isinstance(instance, InstanceId):
            return (int(instance), instance.generation) in self._core.instances()
        return any(number == instance for number, _ in self._core.instances())

    def __len__(self) -> int:
        return len(self._core)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        count = len(self)
        return f"World({count} instance{'' if count == 1 else 's'})"
