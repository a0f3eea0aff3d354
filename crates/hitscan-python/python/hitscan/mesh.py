"""Triangles with the tree that answers for them."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from hitscan import _hitscan
from hitscan._arrays import ArrayLike, as_points, rows, without_mask
from hitscan._asked import Invalid, Points, how_of, one_of
from hitscan._foreign import triangles_of
from hitscan._numbers import budget, thread_count
from hitscan._progress import bar
from hitscan._queries import Queries
from hitscan.errors import HitscanError
from hitscan.results import F64, one_room

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Counts", "Mesh", "OpenEdge", "Preset"]

Preset: TypeAlias = Literal["fast", "balanced", "best", "compact"]


class Counts(NamedTuple):
    """How many triangles a mesh has, and how many of them are degenerate."""

    triangles: int
    """All triangles, as given."""
    repeated_corner: int
    """Those with two corners at one position: never hit, and never the nearest to a point."""
    zero_area: int
    """Those of zero area with three distinct corners: hit, and near, by the same rule as others."""


class OpenEdge(NamedTuple):
    """An edge of a mesh that an odd number of triangles use."""

    prim: int
    """The lowest triangle that has it."""
    start: tuple[float, float, float]
    """One end."""
    end: tuple[float, float, float]
    """The other."""


class HasFaces(Protocol):
    """A mesh as trimesh has it, and this package."""

    @property
    def vertices(self) -> ArrayLike: ...
    @property
    def faces(self) -> ArrayLike: ...


class HasTriangles(Protocol):
    """A mesh as Open3D has it."""

    @property
    def vertices(self) -> ArrayLike: ...
    @property
    def triangles(self) -> ArrayLike: ...


class Mesh(Queries):
    """Triangles, checked, with the tree that answers for them. It never changes.

    Parameters
    ----------
    vertices : array_like, shape (n, 3), or a mesh
        Corners, finite and of at most 2^100. They are kept as float32, and float64 is rounded to it: a mesh far from
        the origin keeps its digits if it is made around the origin and placed by a transform, which is float64: see
        `World.insert`. Or, without `faces`, a mesh of trimesh or Open3D, whose vertices and triangles are taken; of a
        `Mesh`, materials too.
    faces : array_like of int, shape (m, 3)
        Rows of `vertices`, counter-clockwise as seen from the front. At most 2^25.
    materials : array_like of int, shape (m,), optional
        A number for each triangle, which hits report; 0 by default.
    preset : {"fast", "balanced", "best", "compact"}, optional
        A sooner build, a better tree, or a smaller one: "compact" keeps a mesh in less than half the memory, for slower
        rays. Answers do not depend on it.
    memory : int, optional
        Most bytes that the build may take at once.
    threads : int, optional
        By default as many as there are processors.
    progress : bool, optional
        Whether to show a bar of tqdm.

    Raises
    ------
    HitscanError
        Coordinates that are not finite, indices or materials out of range, too many triangles; with the first bad row.
    ValueError, TypeError
        Shapes that do not fit, faces that are not whole numbers.
    MemoryError
        Where the build would take more than `memory`.

    Notes
    -----
    Meshes pickle by their arrays, and the tree is built anew; a class of your own keeps its kind and its attributes, but its
    ``__init__`` is not called.

    Examples
    --------
    >>> import hitscan
    >>> mesh = hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> mesh
    Mesh(3 vertices, 1 triangle)
    >>> mesh.closest_one((0.25, 0.25, 1), (0, 0, -1)).t
    1.0
    """

    __slots__ = ("__weakref__", "_core", "_preset")

    _core: _hitscan.Mesh

    @overload
    def __init__(
        self,
        vertices: ArrayLike,
        faces: ArrayLike,
        *,
        materials: ArrayLike | None = ...,
        preset: Preset = ...,
        memory: int | None = ...,
        threads: int | None = ...,
        progress: bool = ...,
    ) -> None: ...
    @overload
    def __init__(
        self,
        vertices: HasFaces | HasTriangles,
        faces: None = None,
        *,
        materials: ArrayLike | None = ...,
        preset: Preset = ...,
        memory: int | None = ...,
        threads: int | None = ...,
        progress: bool = ...,
    ) -> None: ...
    def __init__(
        self,
        vertices: Any,
        faces: Any = None,
        *,
        materials: ArrayLike | None = None,
        preset: Preset = "balanced",
        memory: int | None = None,
        threads: int | None = None,
        progress: bool = False,
    ) -> None:
        if faces is None:
            if materials is None and isinstance(vertices, Mesh):
                materials = vertices.materials
            vertices, faces = _arrays(vertices)
        corners = rows("vertices", vertices)
        triangles = _integers("faces", faces, np.int64)
        if triangles.size == 0 and triangles.ndim < 2:
            triangles = triangles.reshape(0, 3)
        if triangles.ndim != 2 or triangles.shape[1] != 3:
            raise ValueError(f"faces has the shape {triangles.shape}; expected (m, 3)")
        numbers = None
        if materials is not None:
            wide = _integers("materials", materials, np.int64)
            if wide.shape != (len(triangles),):
                raise ValueError(f"materials has the shape {wide.shape}; expected ({len(triangles)},)")
            bad = (wide < 0) | (wide > np.iinfo(np.int32).max)
            if bad.any():
                row = int(bad.argmax())
                raise HitscanError(f"materials row {row}: is {wide[row]}; expected 0 to 2^31 - 1", "materials", row)
            numbers = wide.astype(np.uint32)
        self._preset = preset_of(preset)
        with bar(progress, None, "steps") as tell:
            how = (self._preset, budget(memory), thread_count(threads), tell)
            self._core = _hitscan.Mesh(corners, triangles, numbers, *how)

    @property
    def vertices(self) -> npt.NDArray[np.float32]:
        """A copy of the corners, as they are kept: float32, shape (n, 3)."""
        return self._core.vertices

    @property
    def faces(self) -> npt.NDArray[np.int64]:
        """A copy of the triangles: int64, shape (m, 3)."""
        return self._core.faces

    @property
    def materials(self) -> npt.NDArray[np.uint32] | None:
        """A copy of the materials: uint32, shape (m,); None where there are none."""
        return self._core.materials

    @property
    def counts(self) -> Counts:
        """How many triangles there are, and how many of them are degenerate."""
        return Counts(*self._core.counts)

    @property
    def bounds(self) -> npt.NDArray[np.float64] | None:
        """The lowest and the highest corner of all that can be hit, shape (2, 3); None where there is nothing."""
        bounds = self._core.bounds
        return None if bounds is None else np.array(bounds, np.float64)

    def open_edge(self, *, threads: int | None = None) -> OpenEdge | None:
        """The first edge that an odd number of triangles use; None of a closed mesh.

        The first call sorts all edges; later ones know.

        Parameters
        ----------
        threads : int, optional
            By default as many as there are processors.

        Returns
        -------
        OpenEdge or None

        Examples
        --------
        >>> import hitscan
        >>> hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]).open_edge()
        OpenEdge(prim=0, start=(0.0, 0.0, 0.0), end=(1.0, 0.0, 0.0))
        """
        edge = self._core.open_edge(thread_count(threads))
        if edge is None:
            return None
        prim, (ax, ay, az), (bx, by, bz) = edge
        return OpenEdge(prim, (ax, ay, az), (bx, by, bz))

    def winding_number(
        self,
        points: Points,
        *,
        out: F64 | None = None,
        threads: int | None = None,
        progress: bool = False,
        invalid: Invalid = "raise",
    ) -> F64:
        """How often the surface goes around each point: the generalised winding number, also of an open mesh.

        For a closed mesh whose windings agree a whole number, exactly: 1 inside, 0 outside, -1 inside of one that is inside
        out. Holes make it something between, off by rounding alone, at some nanoseconds for each edge of a hole.
        ``contains(points, rule="winding")`` asks whether its size is at least one half. The first call sorts all edges.

        Parameters
        ----------
        points : array_like, shape (..., 3), or tuple of three arrays
            Points, in the frame of the mesh. Exactly on a triangle the number says nothing.
        out : ndarray of float64, optional
            An array to write into, of the points' leading shape.
        threads, progress, invalid
            As in `contains`; a point that is none gets NaN.

        Returns
        -------
        ndarray of float64
            Of the points' leading shape.

        Raises
        ------
        HitscanError
            A point that is none, with its row.
        ValueError, TypeError
            Shapes that do not fit, types that float64 does not hold.

        Examples
        --------
        >>> import hitscan
        >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> tetrahedron = hitscan.Mesh(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
        >>> tetrahedron.winding_number([[0.2, 0.2, 0.2], [0.5, 0.5, 0.5]]).tolist()
        [1.0, 0.0]
        >>> floor = hitscan.Mesh(corners, [[0, 2, 1]])  # half of what is seen from just above it
        >>> floor.winding_number([0.2, 0.2, 1e-9]).round(6).item()
        0.5
        """
        given, shape = as_points("points", points)
        array = np.empty(shape, np.float64) if out is None else one_room("out", out, (np.float64,), shape)
        with bar(progress, prod(shape), "points") as tell:
            _hitscan.winding_number(self._core, given, array.reshape(-1), how_of(threads, tell, invalid))
        return array

    def __len__(self) -> int:
        return self._core.counts[0]

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        triangles = len(self)
        return f"Mesh({len(self._core)} vertices, {triangles} triangle{'' if triangles == 1 else 's'})"

    def __reduce__(self) -> tuple[Any, ...]:
        # The last one is what a class of somebody's own adds.
        made = (self.vertices, self.faces, self.materials, self._preset, type(self))
        return _again, made, getattr(self, "__dict__", None)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        return self


def preset_of(preset: Preset) -> Preset:
    """How good a tree is to be, as the compiled half takes it."""
    one_of("preset", preset, ("fast", "balanced", "best", "compact"))
    return preset


def _again(vertices: Any, faces: Any, materials: Any, preset: Preset, kind: type[Mesh] = Mesh) -> Mesh:
    """A mesh from what was pickled."""
    mesh = kind.__new__(kind)
    # That of another class may ask for something else.
    Mesh.__init__(mesh, vertices, faces, materials=materials, preset=preset)
    return mesh


def _arrays(mesh: object) -> tuple[Any, Any]:
    """The vertices and faces of a mesh that is given in place of both."""
    arrays = triangles_of(mesh)
    if arrays is None:
        what = f"faces is missing, and vertices is a {type(mesh).__name__}"
        raise TypeError(f"{what}; expected both, or a mesh of trimesh, Open3D or hitscan")
    return arrays


def _integers(name: str, value: object, kind: type[np.int64]) -> npt.NDArray[np.int64]:
    """An array of whole numbers as int64."""
    array = without_mask(name, value)
    if array.size == 0 and array.dtype.kind in "fO":
        array = array.astype(kind)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} has the dtype {array.dtype}; expected whole numbers")
    if array.dtype.kind == "u" and array.dtype.itemsize == 8 and array.size and array.max() > np.iinfo(kind).max:
        raise ValueError(f"{name} has numbers beyond 2^63 - 1")
    return np.require(array, kind, ["C", "A"])
