"""The ray engine of `trimesh <https://trimesh.org>`_: the same calls, answered by hitscan.

``install()`` makes every mesh of trimesh that is made from then on use it, so that ``mesh.ray``, ``mesh.contains``,
``trimesh.sample``, ``trimesh.proximity`` and voxels do; ``attach(mesh)`` gives it to one that is there already.

>>> import trimesh
>>> import hitscan.trimesh
>>> with hitscan.trimesh.install():
...     box = trimesh.creation.box()
>>> box.ray.intersects_first([[0.1, 0.2, 5.0]], [[0.0, 0.0, -1.0]]).tolist()
[4]
>>> box.contains([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]).tolist()
[True, False]

What is different from trimesh's own engines: a crossing of a shared edge or corner is one hit, always, and a ray
exactly along the outline of a closed mesh has two hits or none; layers that coincide are a hit each; rays run on all
cores; and a mesh without triangles is missed, where they raise. docs/python-equivalents.md has the whole list.
"""

from __future__ import annotations

import importlib
import operator
import sys
import warnings
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, overload

import numpy as np
import numpy.typing as npt

from hitscan._placed import F64, I64, Placed, place
from hitscan.mesh import Mesh

if TYPE_CHECKING:
    from typing_extensions import Self

    from hitscan._arrays import ArrayLike, Floats
    from hitscan.results import HitLists

__all__ = ["Installed", "OpenMeshWarning", "RayMeshIntersector", "attach", "install"]

Bools = npt.NDArray[np.bool_]
M = TypeVar("M")

#: Directions that parity is counted along, and against: the one that trimesh takes, and one where trimesh draws lots.
_WAYS = np.array([[0.4395064455, 0.617598629942, 0.652231566745], [-0.7071, 0.1913, 0.6807]])
#: Hits whose places are found at a time: as many as stay in a core's cache.
_PIECE = 1 << 13


class OpenMeshWarning(UserWarning):
    """Inside and outside were asked of a mesh that does not enclose anything."""


class _Built:
    """What a mesh of trimesh is asked as, for as long as it is the same."""

    __slots__ = ("corners", "key", "placed", "shell")

    def __init__(self, key: int, placed: Placed) -> None:
        self.key = key
        self.placed = placed
        #: Rows of a corner and the two edges from it, of the caller's own triangles.
        self.corners: F64 | None = None
        #: For what is inside: faces that have corners at the same places, in whatever order, once; and their rows.
        self.shell: tuple[Placed, I64] | None = None

    def once(self, vertices: F64, faces: I64, threads: int | None) -> tuple[Placed, I64]:
        """The mesh in which each face of the caller's is there once, and the row of each."""
        if self.shell is None:
            mesh = self.placed.mesh
            # By place and not by number, as the edges of an open mesh are found: vertices need not be merged.
            rows = np.unique(_firsts(np.sort(_firsts(vertices)[faces], axis=1)))
            if len(rows) < len(faces):
                mesh = Mesh(mesh.vertices, mesh.faces[rows], threads=threads)
            self.shell = (Placed(mesh, self.placed.middle), rows)
        return self.shell


class RayMeshIntersector:
    """Ray queries on a mesh of trimesh, by the contract of ``trimesh.ray.ray_pyembree.RayMeshIntersector``.

    The tree is built by the first question, and again by the first one after the mesh has changed. It is neither
    copied nor pickled.

    Parameters
    ----------
    geometry : trimesh.Trimesh
        The mesh; any object with ``vertices``, ``faces`` and a hash of what they hold will do.
    scale_to_box : bool, optional
        Taken and kept, as trimesh passes it on; answers do not depend on where the mesh stands, nor on its scale, for
        sizes from 1e-36 to 1e30.
    threads : int, optional
        For each question; by default as many as there are processors.

    Notes
    -----
    Rays are arrays of shape (n, 3), or what NumPy makes one of. Directions need not be of length 1. A ray
    that is none, for numbers that are not finite or a direction of zero, is a miss. A hit at ``t = 0`` counts: where
    the origin lies on a triangle exactly, as on a face along the axes, and the ray runs along an axis. The way of others
    is rounded, so half of them meet what they start on; and an origin that was computed to lie on a triangle lies before
    or behind it by a rounding, as it does for Embree. To be sure of it, ask from a little before it.

    Examples
    --------
    >>> import trimesh
    >>> import hitscan.trimesh
    >>> box = trimesh.creation.box()
    >>> box.ray = hitscan.trimesh.RayMeshIntersector(box)
    >>> box.ray.intersects_any([[0.1, 0.2, 5.0], [3.0, 0.2, 5.0]], [[0, 0, -1], [0, 0, -1]]).tolist()
    [True, False]
    """

    def __init__(self, geometry: Any, scale_to_box: bool = True, *, threads: int | None = None) -> None:
        self.mesh = geometry
        self._scale_to_box = scale_to_box
        self._threads = threads
        self._built: _Built | None = None

    def _ready(self) -> _Built:
        """The mesh as it is now, with its tree."""
        key = self.mesh.__hash__()
        built = self._built
        if built is None or built.key != key:
            built = _Built(key, place(_vertices(self.mesh), _faces(self.mesh), threads=self._threads))
            self._built = built
        return built

    def intersects_location(
        self, ray_origins: ArrayLike, ray_directions: ArrayLike, multiple_hits: bool = True
    ) -> tuple[F64, I64, I64]:
        """Where rays hit the mesh.

        Parameters
        ----------
        ray_origins, ray_directions : array_like, shape (n, 3)
            Rays.
        multiple_hits : bool, optional
            Whether all hits are wanted, at most 100 a ray, or the first of each ray.

        Returns
        -------
        locations : ndarray of float64, shape (m, 3)
            Places of the hits, on the triangles that `index_tri` names.
        index_ray : ndarray of int64, shape (m,)
            Rows of the rays.
        index_tri : ndarray of int64, shape (m,)
            Rows of ``mesh.faces``.

        Raises
        ------
        ValueError
            Arrays that are not of one shape (n, 3), and what is no number.

        Examples
        --------
        >>> import trimesh
        >>> import hitscan.trimesh
        >>> ray = hitscan.trimesh.RayMeshIntersector(trimesh.creation.box())
        >>> locations, index_ray, index_tri = ray.intersects_location([[0.125, 0.25, 5.0]], [[0.0, 0.0, -1.0]])
        >>> locations.tolist(), index_ray.tolist(), index_tri.tolist()
        ([[0.125, 0.25, 0.5], [0.125, 0.25, -0.5]], [0, 0], [4, 8])
        """
        index_tri, index_ray, locations = self.intersects_id(
            ray_origins, ray_directions, multiple_hits=multiple_hits, return_locations=True
        )
        return locations, index_ray, index_tri

    @overload
    def intersects_id(
        self,
        ray_origins: ArrayLike,
        ray_directions: ArrayLike,
        multiple_hits: bool = ...,
        max_hits: int = ...,
        return_locations: Literal[False] = ...,
    ) -> tuple[I64, I64]: ...
    @overload
    def intersects_id(
        self,
        ray_origins: ArrayLike,
        ray_directions: ArrayLike,
        multiple_hits: bool = ...,
        max_hits: int = ...,
        *,
        return_locations: Literal[True],
    ) -> tuple[I64, I64, F64]: ...
    @overload
    def intersects_id(
        self,
        ray_origins: ArrayLike,
        ray_directions: ArrayLike,
        multiple_hits: bool,
        max_hits: int,
        return_locations: Literal[True],
    ) -> tuple[I64, I64, F64]: ...
    @overload
    def intersects_id(
        self,
        ray_origins: ArrayLike,
        ray_directions: ArrayLike,
        multiple_hits: bool = ...,
        max_hits: int = ...,
        return_locations: bool = ...,
    ) -> tuple[I64, I64] | tuple[I64, I64, F64]: ...
    def intersects_id(
        self,
        ray_origins: ArrayLike,
        ray_directions: ArrayLike,
        multiple_hits: bool = True,
        max_hits: int = 100,
        return_locations: bool = False,
    ) -> tuple[I64, I64] | tuple[I64, I64, F64]:
        """Which triangles rays hit.

        Hits come in rounds: the first one of each ray that has any, then the second ones, and so on, each round in
        the order of the rays.

        Parameters
        ----------
        ray_origins, ray_directions : array_like, shape (n, 3)
            Rays.
        multiple_hits : bool, optional
            Whether all hits are wanted, or the first of each ray.
        max_hits : int, optional
            Most hits of a ray.
        return_locations : bool, optional
            Whether places are wanted too.

        Returns
        -------
        index_tri : ndarray of int64, shape (m,)
            Rows of ``mesh.faces``.
        index_ray : ndarray of int64, shape (m,)
            Rows of the rays.
        locations : ndarray of float64, shape (m, 3)
            Places of the hits, if they are wanted. They are on the triangles.

        Raises
        ------
        ValueError
            Arrays that are not of one shape (n, 3), and what is no number.

        Examples
        --------
        >>> import trimesh
        >>> import hitscan.trimesh
        >>> ray = hitscan.trimesh.RayMeshIntersector(trimesh.creation.box())
        >>> index_tri, index_ray = ray.intersects_id([[0.1, 0.2, 5], [0.2, 0.1, 5]], [[0, 0, -1], [0, 0, -1]])
        >>> index_tri.tolist(), index_ray.tolist()
        ([4, 6, 8, 8], [0, 1, 0, 1])
        """
        origins, directions = _rays(ray_origins, ray_directions)
        most = max(operator.index(max_hits), 0)
        columns = ("prim", "u", "v") if return_locations else ("prim",)
        built = self._ready()
        mesh, local = built.placed.mesh, built.placed.local(origins)
        weights: tuple[F64, F64] | None
        if multiple_hits or not most:
            lists = mesh.first_n(
                local, directions, n=most, columns=columns, threads=self._threads, invalid="miss"
            )
            rows, index_ray = _by_round(lists)
            index_tri = lists.prim[rows]
            weights = (lists.u[rows], lists.v[rows]) if return_locations else None
        else:
            hits = mesh.closest(local, directions, columns=columns, threads=self._threads, invalid="miss")
            index_ray = np.flatnonzero(hits.prim >= 0)
            index_tri = hits.prim[index_ray]
            weights = (hits.u[index_ray], hits.v[index_ray]) if return_locations else None
        if weights is None:
            return index_tri, index_ray
        if built.corners is None:
            built.corners = _corners(self.mesh)
        return index_tri, index_ray, _locations(built.corners, origins, directions, index_tri, index_ray, *weights)

    def intersects_first(self, ray_origins: ArrayLike, ray_directions: ArrayLike) -> I64:
        """The first triangle that each ray hits.

        Parameters
        ----------
        ray_origins, ray_directions : array_like, shape (n, 3)
            Rays.

        Returns
        -------
        ndarray of int64, shape (n,)
            Rows of ``mesh.faces``; -1 for a miss.

        Raises
        ------
        ValueError
            Arrays that are not of one shape (n, 3), and what is no number.

        Examples
        --------
        >>> import trimesh
        >>> import hitscan.trimesh
        >>> ray = hitscan.trimesh.RayMeshIntersector(trimesh.creation.box())
        >>> ray.intersects_first([[0.1, 0.2, 5.0], [3.0, 0.2, 5.0]], [[0, 0, -1], [0, 0, -1]]).tolist()
        [4, -1]
        """
        origins, directions = _rays(ray_origins, ray_directions)
        placed = self._ready().placed
        return placed.mesh.closest(
            placed.local(origins), directions, columns=("prim",), threads=self._threads, invalid="miss"
        ).prim

    def intersects_any(self, ray_origins: ArrayLike, ray_directions: ArrayLike) -> Bools:
        """Whether rays hit the mesh.

        Parameters
        ----------
        ray_origins, ray_directions : array_like, shape (n, 3)
            Rays.

        Returns
        -------
        ndarray of bool, shape (n,)

        Raises
        ------
        ValueError
            Arrays that are not of one shape (n, 3), and what is no number.

        Examples
        --------
        >>> import trimesh
        >>> import hitscan.trimesh
        >>> ray = hitscan.trimesh.RayMeshIntersector(trimesh.creation.box())
        >>> ray.intersects_any([[0.1, 0.2, 5.0], [3.0, 0.2, 5.0]], [[0, 0, -1], [0, 0, -1]]).tolist()
        [True, False]
        """
        origins, directions = _rays(ray_origins, ray_directions)
        placed = self._ready().placed
        return placed.mesh.occluded(placed.local(origins), directions, threads=self._threads, invalid="miss")

    def contains_points(self, points: ArrayLike) -> Bools:
        """Whether points are inside of the mesh.

        The surface of a closed mesh counts as inside, and faces whose corners lie at the same three places count once,
        also where their vertices are not merged. Of an open mesh, the crossings along and against a direction are
        counted by trimesh's rule, along the same direction; a point within the box around the mesh is inside where both
        are odd. Where only one is, and neither is 0, another direction decides in the same way, the same at each call;
        trimesh draws one.

        Parameters
        ----------
        points : array_like, shape (n, 3)
            Points; one that is not finite is outside.

        Returns
        -------
        ndarray of bool, shape (n,)

        Raises
        ------
        ValueError
            Points that are no array of shape (n, 3), and what is no number.

        Warns
        -----
        OpenMeshWarning
            Where the mesh is open.

        Examples
        --------
        >>> import trimesh
        >>> import hitscan.trimesh
        >>> ray = hitscan.trimesh.RayMeshIntersector(trimesh.creation.box())
        >>> ray.contains_points([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]).tolist()
        [True, False]
        """
        given = _rows("points", points)
        vertices, faces = _vertices(self.mesh), _faces(self.mesh)
        placed, rows = self._ready().once(vertices, faces, self._threads)
        local = placed.local(given)
        edge = placed.mesh.open_edge(threads=self._threads)
        if edge is None:
            return placed.mesh.contains(local, threads=self._threads, invalid="miss")
        warnings.warn(
            f"the mesh is open, at an edge of face {rows[edge.prim]}; inside is a guess by the parity of crossings",
            OpenMeshWarning,
            stacklevel=2,
        )
        corners = vertices[faces]
        corners = corners[np.isfinite(corners).all(axis=(1, 2))].reshape(-1, 3)
        low, high = corners.min(axis=0, initial=np.inf), corners.max(axis=0, initial=-np.inf)
        is_near = (given > low).all(axis=1) & (given < high).all(axis=1)
        return _parity(placed, local, is_near, self._threads)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_built": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def __copy__(self) -> Self:
        return type(self)(self.mesh, self._scale_to_box, threads=self._threads)

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        # As trimesh's engines: the mesh is not theirs to copy.
        return self.__copy__()

    def __repr__(self) -> str:
        return f"{type(self).__module__}.{type(self).__name__}({self.mesh!r})"


class Installed:
    """What `install` has put into trimesh, and takes out again."""

    #: Those that are not undone, in their order.
    _active: ClassVar[list[Installed]] = []

    def __init__(self, package: Any) -> None:
        self._package = package
        #: How many ``with`` blocks it is the head of.
        self._blocks = 0
        self._install()

    def _install(self) -> None:
        package = self._package
        self._before = (package.ray_pyembree, package.has_embree)
        package.ray_pyembree, package.has_embree = sys.modules[__name__], True
        Installed._active.append(self)

    def undo(self) -> None:
        """Gives trimesh the engine back that it had, once all that installed this one have undone it.

        Meshes made meanwhile keep theirs.
        """
        active = Installed._active
        if self not in active:
            return
        after = active.index(self)
        del active[after]
        if after < len(active):
            active[after]._before = self._before
        else:
            self._package.ray_pyembree, self._package.has_embree = self._before

    def __enter__(self) -> Self:
        # Undone by an earlier block, or by hand.
        if self not in Installed._active:
            self._install()
        self._blocks += 1
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._blocks -= 1
        if not self._blocks:
            self.undo()


def install() -> Installed:
    """Makes hitscan the ray engine of all meshes of trimesh that are made from now on.

    A mesh gets its engine when it is made, and so does a copy of one; those that are there already keep theirs: see
    `attach`. A mesh that is made with ``use_embree=False`` gets trimesh's own. Copies that are made after it was undone
    have trimesh's engine, while a mesh from a pickle keeps the one that it had.

    Returns
    -------
    Installed
        Undoes it by ``undo()``, or at the end of a ``with`` block; a later block installs it again.

    Raises
    ------
    ImportError
        Where trimesh is not installed.

    Examples
    --------
    >>> import trimesh
    >>> import hitscan.trimesh
    >>> with hitscan.trimesh.install():
    ...     box = trimesh.creation.box()
    >>> type(box.ray).__module__, type(trimesh.creation.box().ray).__module__ == "hitscan.trimesh"
    ('hitscan.trimesh', False)
    """
    try:
        package: Any = importlib.import_module("trimesh.ray")
    except ImportError:
        raise ImportError(
            "hitscan.trimesh.install needs trimesh, which is not installed: pip install hitscan[trimesh]"
        ) from None
    return Installed(package)


def attach(geometry: M) -> M:
    """Makes hitscan the ray engine of a mesh that is there already, or of all meshes of a scene.

    Copies of the mesh are made by trimesh, with the engine that it gives to new meshes: ``copy``, ``deepcopy`` and
    ``submesh`` do not have this one unless `install` is in force. A mesh from a pickle has.

    Parameters
    ----------
    geometry : trimesh.Trimesh or trimesh.Scene
        What gets it.

    Returns
    -------
    trimesh.Trimesh or trimesh.Scene
        The same object.

    Raises
    ------
    TypeError
        What is neither.

    Examples
    --------
    >>> import trimesh
    >>> import hitscan.trimesh
    >>> box = hitscan.trimesh.attach(trimesh.creation.box())
    >>> box.ray.intersects_any([[0.1, 0.2, 5.0]], [[0, 0, -1]]).tolist()
    [True]
    """
    parts: Any = getattr(geometry, "geometry", None)
    for part in [geometry] if parts is None else parts.values():
        if hasattr(part, "faces") and hasattr(part, "ray"):
            part.ray = RayMeshIntersector(part)
        elif parts is None:
            raise TypeError(f"geometry is a {type(part).__name__}; expected a mesh or a scene of trimesh")
    return geometry


def _vertices(mesh: Any) -> F64:
    """The corners; none where trimesh has an array without a shape."""
    return np.asarray(mesh.vertices, np.float64).reshape(-1, 3)


def _faces(mesh: Any) -> I64:
    return np.asarray(mesh.faces, np.int64).reshape(-1, 3)


def _firsts(rows: npt.NDArray[Any]) -> I64:
    """Of each row, the first one that is equal to it."""
    order = np.lexsort(rows.T)
    ranked = rows[order]
    is_new = np.ones(len(rows), np.bool_)
    is_new[1:] = (ranked[1:] != ranked[:-1]).any(axis=1)
    firsts = np.empty(len(rows), np.int64)
    # The sort is stable: of equal rows, the first one leads.
    firsts[order] = order[is_new][np.cumsum(is_new) - 1]
    return firsts


def _rows(name: str, value: ArrayLike) -> Floats:
    """An array of shape (n, 3), float32 and float64 as they are."""
    array = np.asarray(value)
    if array.dtype.type not in (np.float32, np.float64):
        array = array.astype(np.float64)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"{name} has the shape {array.shape}; expected (n, 3)")
    return array


def _rays(ray_origins: ArrayLike, ray_directions: ArrayLike) -> tuple[Floats, Floats]:
    origins, directions = _rows("ray_origins", ray_origins), _rows("ray_directions", ray_directions)
    if origins.shape != directions.shape:
        raise ValueError(
            f"ray_origins has the shape {origins.shape}, ray_directions {directions.shape}; expected the same"
        )
    return origins, directions


def _by_round(lists: HitLists) -> tuple[I64, I64]:
    """Rows of hits, and their rays: the first hit of each ray, then the second ones, and so on."""
    count = np.diff(lists.offsets)
    live = np.flatnonzero(count)
    first, count = lists.offsets[:-1][live], count[live]
    rows, rays = [first], [live]
    depth = 1
    while True:
        more = count > depth
        live, first, count = live[more], first[more], count[more]
        if not live.size:
            return np.concatenate(rows), np.concatenate(rays)
        rows.append(first + depth)
        rays.append(live)
        depth += 1


def _corners(mesh: Any) -> F64:
    """Of each triangle, a corner and the two edges from it: shape (m, 9)."""
    triangles = _vertices(mesh)[_faces(mesh)]
    triangles[:, 1:] -= triangles[:, :1]
    return triangles.reshape(-1, 9)


def _locations(
    corners: F64, origins: Floats, directions: Floats, prim: I64, ray: I64, u: F64, v: F64
) -> F64:
    """Where rays meet triangles, in float64, on the triangles.

    Möller and Trumbore 1997 on the caller's own corners, moved to the triangle where float64 has the ray beside what
    float32 found. Along a triangle that is seen edge-on, that may be anywhere; then `u` and `v` are nearer to the
    ray.
    """
    places = np.empty((len(prim), 3))
    with np.errstate(all="ignore"):
        for start in range(0, len(prim), _PIECE):
            rows = slice(start, start + _PIECE)
            ax, ay, az, ex, ey, ez, fx, fy, fz = np.ascontiguousarray(corners.take(prim[rows], axis=0).T)
            ox, oy, oz = np.ascontiguousarray(origins.take(ray[rows], axis=0).T, np.float64)
            dx, dy, dz = np.ascontiguousarray(directions.take(ray[rows], axis=0).T, np.float64)
            px, py, pz = dy * fz - dz * fy, dz * fx - dx * fz, dx * fy - dy * fx
            sx, sy, sz = ox - ax, oy - ay, oz - az
            qx, qy, qz = sy * ez - sz * ey, sz * ex - sx * ez, sx * ey - sy * ex
            scale = 1.0 / (ex * px + ey * py + ez * pz)
            wide = (sx * px + sy * py + sz * pz) * scale
            high = (dx * qx + dy * qy + dz * qz) * scale
            wide = wide.clip(0.0, 1.0)
            high = high.clip(0.0, 1.0 - wide)
            apart = []
            for one, other in ((wide, high), (u[rows], v[rows])):
                # The square of how far the place is from the ray, in units of the direction.
                wx, wy, wz = one * ex + other * fx - sx, one * ey + other * fy - sy, one * ez + other * fz - sz
                cx, cy, cz = wy * dz - wz * dy, wz * dx - wx * dz, wx * dy - wy * dx
                apart.append(cx * cx + cy * cy + cz * cz)
            is_near = apart[0] <= apart[1]
            wide, high = np.where(is_near, wide, u[rows]), np.where(is_near, high, v[rows])
            out = places[rows]
            out[:, 0] = ax + (wide * ex + high * fx)
            out[:, 1] = ay + (wide * ey + high * fy)
            out[:, 2] = az + (wide * ez + high * fz)
    return places


def _parity(placed: Placed, points: Floats, is_near: Bools, threads: int | None) -> Bools:
    """Inside of an open mesh, as far as crossings tell: `trimesh.ray.ray_util.contains_points`."""
    inside = np.zeros(len(points), np.bool_)
    asked = np.flatnonzero(is_near)
    for way in _WAYS:
        count = [
            placed.mesh.count(points[asked], sign * way, threads=threads, invalid="miss") for sign in (1.0, -1.0)
        ]
        odd = [one % 2 == 1 for one in count]
        inside[asked] = odd[0] & odd[1]
        # What sees nothing one way is outside; of the rest, one way is wrong.
        asked = asked[(odd[0] != odd[1]) & (count[0] > 0) & (count[1] > 0)]
    return inside
