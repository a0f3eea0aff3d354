"""Open3D's words for rays: scripts written for its ``RaycastingScene`` move by changing an import.

``open3d.t.geometry.RaycastingScene`` becomes ``hitscan.compat.RaycastingScene``. It takes NumPy arrays, and whatever
has a method ``numpy()``, such as Open3D's own tensors; it gives NumPy arrays, which have that method too.

>>> import numpy as np
>>> from hitscan.compat import RaycastingScene
>>> scene = RaycastingScene()
>>> corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32)
>>> scene.add_triangles(corners, np.array([[0, 1, 2]], np.uint32))
0
>>> answer = scene.cast_rays(np.array([[0.25, 0.25, 1, 0, 0, -1], [5, 5, 1, 0, 0, -1]], np.float32))
>>> answer["t_hit"].numpy().tolist(), (answer["primitive_ids"] == RaycastingScene.INVALID_ID).tolist()
([1.0, inf], [False, True])

What is different from Open3D: a crossing of a shared edge or corner is one hit, always; rays and corners may be of
any type that float64 holds, and are taken with all their digits; an empty scene is infinitely far, not 1 away; zero
rays are no crash; a triangle with two corners at one position is near nothing; and what cannot be taken raises
`ValueError` or `TypeError`, not `RuntimeError`.
"""

from __future__ import annotations

import inspect
import math
from typing import TYPE_CHECKING, Any, ClassVar, overload

import numpy as np
import numpy.typing as npt

from hitscan._arrays import Floats, floats, number, scalars
from hitscan._foreign import plain, triangles_of
from hitscan._numbers import MOST_THREADS, whole
from hitscan._placed import F64, place, sound
from hitscan.errors import HitscanError
from hitscan.mesh import Mesh
from hitscan.world import World

if TYPE_CHECKING:
    from hitscan._arrays import ArrayLike
    from hitscan._queries import Queries

__all__ = ["RaycastingScene", "Tensor"]

#: What coordinates are at most.
_FARTHEST = 2.0**100


class Tensor(np.ndarray[Any, Any]):
    """A NumPy array with the methods by which scripts read a tensor of Open3D: for NumPy, and to tell hits from misses.

    Its single elements are NumPy's scalars.

    Examples
    --------
    >>> import numpy as np
    >>> from hitscan.compat import Tensor
    >>> array = np.array([1.0, np.inf]).view(Tensor)
    >>> type(array.numpy()).__name__, type(array.cpu()).__name__, array.isfinite().tolist()
    ('ndarray', 'Tensor', [True, False])
    >>> array.isfinite().logical_and(array < 2).to(np.int32).tolist()
    [1, 0]
    """

    def numpy(self) -> npt.NDArray[Any]:
        """The same memory as a plain array of NumPy."""
        return self.view(np.ndarray)

    def cpu(self) -> Tensor:
        """Itself, which is in main memory."""
        return self

    def isfinite(self) -> Tensor:
        """Where numbers are finite: ``t_hit`` of hits."""
        return np.isfinite(self).view(Tensor)

    def isinf(self) -> Tensor:
        """Where numbers are infinite: ``t_hit`` of misses."""
        return np.isinf(self).view(Tensor)

    def isnan(self) -> Tensor:
        """Where numbers are none: distances of points that are not finite, or too far away."""
        return np.isnan(self).view(Tensor)

    def isclose(self, other: Any, rtol: float = 1e-5, atol: float = 1e-8) -> Tensor:
        """Where numbers are those of another tensor, but for `atol` and `rtol` times the other."""
        return np.asarray(np.isclose(self, plain(other), rtol, atol)).view(Tensor)

    def abs(self) -> Tensor:
        """Numbers without their sign: of signed distances, the distances."""
        return np.abs(self).view(Tensor)

    def logical_and(self, other: Any) -> Tensor:
        """Where both are true."""
        return np.asarray(np.logical_and(self, plain(other))).view(Tensor)

    def logical_or(self, other: Any) -> Tensor:
        """Where one of both is true."""
        return np.asarray(np.logical_or(self, plain(other))).view(Tensor)

    def logical_not(self) -> Tensor:
        """Where it is not true."""
        return np.logical_not(self).view(Tensor)

    def clone(self) -> Tensor:
        """A copy, in memory of its own."""
        return self.copy()

    def to(self, kind: Any, copy: bool = False) -> Tensor:
        """With numbers of another type, of NumPy or Open3D; or on a device, which can only be a CPU.

        In the same memory where it is so already, unless it is to be a copy.
        """
        if "CPU" in str(kind).upper():
            return self.copy() if copy else self
        try:
            # Open3D's types have NumPy's names, with a capital.
            dtype = np.dtype(str(kind).lower() if type(kind).__name__ == "Dtype" else kind)
        except TypeError:
            raise TypeError(f"kind is {kind!r}; expected a type of numbers, or a CPU") from None
        return self.astype(dtype, copy=copy).view(Tensor)


class RaycastingScene:
    """A scene of triangle meshes, with the methods of ``open3d.t.geometry.RaycastingScene``.

    Parameters
    ----------
    nthreads : int, optional
        For building; 0 for as many as there are processors.
    device : optional
        Taken for the sake of scripts that pass Open3D's; only a CPU is had.

    Raises
    ------
    ValueError
        Another device than a CPU.

    Notes
    -----
    Arrays of answers have the leading shape of the rays or points. Numbers are float32, ids uint32, as
    Open3D has them. A ray that is none is a miss: ``t_hit`` is infinite, both ids are `INVALID_ID`, and the rest is 0.
    So is one with numbers that are not finite, an origin beyond 2^100, or a direction of zero or with a largest
    component outside 2^-200 to 2^200. A hit's ``t_hit`` is finite: what is beyond float32 is its largest number.
    A point that is not finite, or beyond 2^100, is near nothing and outside of all; its distance is NaN.

    Examples
    --------
    >>> import numpy as np
    >>> from hitscan.compat import RaycastingScene
    >>> scene = RaycastingScene()
    >>> corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32)
    >>> scene.add_triangles(corners, [[0, 1, 2]]), scene.add_triangles(corners - [0, 0, 1], [[0, 1, 2]])
    (0, 1)
    >>> scene.count_intersections([[0.25, 0.25, 1, 0, 0, -1]]).tolist()
    [2]
    """

    #: What ids are where there is no hit.
    INVALID_ID: ClassVar[int] = 0xFFFF_FFFF

    def __init__(self, nthreads: int = 0, device: object = None) -> None:
        if device is not None and "CPU" not in str(device).upper():
            raise ValueError(f"device is {device}; expected a CPU")
        self._threads = _threads(nthreads)
        self._world = World()
        self._meshes: list[Mesh] = []
        #: Of all triangles, mesh after mesh, and where each mesh begins.
        self._normals: tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]] | None = None
        self._is_moved = False
        self._committed: Queries | None = None

    @overload
    def add_triangles(self, vertex_positions: ArrayLike, triangle_indices: ArrayLike) -> int: ...
    @overload
    def add_triangles(self, vertex_positions: object, triangle_indices: None = None) -> int: ...
    @overload
    def add_triangles(self, *, mesh: object) -> int: ...
    def add_triangles(
        self, vertex_positions: Any = None, triangle_indices: Any = None, *, mesh: Any = None
    ) -> int:
        """Adds a mesh, by its arrays or as an object.

        Parameters
        ----------
        vertex_positions : array_like, shape (n, 3)
            Corners. float64 ones keep their digits wherever they are. A triangle with one that is not finite is never
            hit.
        triangle_indices : array_like of int, shape (m, 3)
            Rows of corners.
        mesh : object
            Alternatively, in place of the arrays: a mesh of ``open3d.t.geometry``, ``open3d.geometry`` or trimesh, or a
            `hitscan.Mesh`.

        Returns
        -------
        int
            The number that hits report as ``geometry_ids``: 0, 1, 2, ….

        Raises
        ------
        ValueError
            Shapes that do not fit, indices out of range.
        TypeError
            What is no mesh, and indices that are not whole numbers.

        Examples
        --------
        >>> import hitscan
        >>> from hitscan.compat import RaycastingScene
        >>> scene = RaycastingScene()
        >>> scene.add_triangles(hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
        0
        """
        if mesh is not None and not (vertex_positions is None and triangle_indices is None):
            raise TypeError("add_triangles takes a mesh or two arrays; it was given both")
        if triangle_indices is None:
            vertex_positions, triangle_indices = _arrays(vertex_positions if mesh is None else mesh)
        corners = floats("vertex_positions", plain(vertex_positions))
        if corners.ndim != 2 or corners.shape[1] != 3:
            raise ValueError(f"vertex_positions has the shape {corners.shape}; expected (n, 3)")
        triangles = plain(triangle_indices)
        try:
            placed = place(corners, triangles, threads=self._threads)
            middle = placed.middle
            transform = None if middle is None else np.column_stack([np.eye(3), middle])
            geometry = int(self._world.insert(placed.mesh, transform))
        except HitscanError as error:
            if error.argument in ("vertices", "transform"):
                raise _too_far(corners, triangles) from None
            raise _renamed(error, "faces", "triangle_indices") from None
        except (ValueError, TypeError) as error:
            raise _renamed(error, "faces", "triangle_indices") from None
        self._is_moved |= middle is not None
        self._meshes.append(placed.mesh)
        self._normals = self._committed = None
        return geometry

    def cast_rays(self, rays: ArrayLike, nthreads: int = 0) -> dict[str, Tensor]:
        """The first hit of each ray.

        Parameters
        ----------
        rays : array_like, shape (..., 6)
            Origins and directions, ``ox oy oz dx dy dz``. Directions have any length.
        nthreads : int, optional
            0 for as many as there are processors.

        Returns
        -------
        dict of Tensor
            ``t_hit`` float32 in units of the direction, ``geometry_ids`` and ``primitive_ids`` uint32,
            ``primitive_uvs`` float32 of shape (..., 2), ``primitive_normals`` float32 of shape (..., 3), which are
            unit normals by counter-clockwise winding.

        Raises
        ------
        ValueError, TypeError
            Rays of another shape, or of no numbers.

        Examples
        --------
        >>> from hitscan.compat import RaycastingScene
        >>> scene = RaycastingScene()
        >>> _ = scene.add_triangles([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> hit = scene.cast_rays([[0.25, 0.5, 1, 0, 0, -2]])
        >>> hit["t_hit"].tolist(), hit["primitive_uvs"].tolist(), hit["primitive_normals"].tolist()
        ([0.5], [[0.25, 0.5]], [[0.0, 0.0, 1.0]])
        """
        hits = self._scene().closest(
            _rays(rays),
            columns=("t", "instance", "prim", "u", "v"),
            dtype=np.float32,
            threads=_threads(nthreads),
            invalid="miss",
        )
        return {
            "t_hit": _tensor(hits.t),
            "geometry_ids": _ids(hits.instance),
            "primitive_ids": _ids(hits.prim),
            "primitive_uvs": _weights(hits.u, hits.v, hits.prim < 0),
            "primitive_normals": self._normals_of(hits.instance, hits.prim),
        }

    def test_occlusions(
        self, rays: ArrayLike, tnear: float = 0.0, tfar: float = math.inf, nthreads: int = 0
    ) -> Tensor:
        """Whether each ray hits anything.

        Parameters
        ----------
        rays : array_like, shape (..., 6)
            As in `cast_rays`.
        tnear, tfar : float, optional
            The closed interval of ``t`` that counts, in units of the direction.
        nthreads : int, optional
            0 for as many as there are processors.

        Returns
        -------
        Tensor of bool
            Of the rays' leading shape.

        Raises
        ------
        ValueError, TypeError
            Rays of another shape, or of no numbers.

        Examples
        --------
        >>> from hitscan.compat import RaycastingScene
        >>> scene = RaycastingScene()
        >>> _ = scene.add_triangles([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> rays = [[0.25, 0.5, 1, 0, 0, -2], [5, 5, 1, 0, 0, -2]]
        >>> scene.test_occlusions(rays).tolist(), scene.test_occlusions(rays, tfar=0.25).tolist()
        ([True, False], [False, False])
        """
        asked = _rays(rays)
        low, high = plain(tnear), plain(tfar)
        # What cannot be taken is named as it is called here.
        for name, limit in (("tnear", low), ("tfar", high)):
            scalars(name, limit, asked.shape[:-1])
        return _tensor(
            self._scene().occluded(asked, t_min=low, t_max=high, threads=_threads(nthreads), invalid="miss")
        )

    def count_intersections(self, rays: ArrayLike, nthreads: int = 0) -> Tensor:
        """How many hits each ray has. A crossing of a shared edge or corner is one.

        Parameters
        ----------
        rays : array_like, shape (..., 6)
            As in `cast_rays`.
        nthreads : int, optional
            0 for as many as there are processors.

        Returns
        -------
        Tensor of int32
            Of the rays' leading shape.

        Raises
        ------
        ValueError, TypeError
            Rays of another shape, or of no numbers.

        Examples
        --------
        >>> from hitscan.compat import RaycastingScene
        >>> scene = RaycastingScene()
        >>> _ = scene.add_triangles([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
        >>> scene.count_intersections([[0.5, 0.5, 1, 0, 0, -1]]).tolist()
        [1]
        """
        count = self._scene().count(_rays(rays), threads=_threads(nthreads), invalid="miss")
        return _tensor(count.astype(np.int32))

    def list_intersections(self, rays: ArrayLike, nthreads: int = 0) -> dict[str, Tensor]:
        """All hits of each ray, sorted by ray, then by ``t``.

        Parameters
        ----------
        rays : array_like, shape (..., 6)
            As in `cast_rays`.
        nthreads : int, optional
            0 for as many as there are processors.

        Returns
        -------
        dict of Tensor
            ``ray_splits`` uint32 of shape (rays + 1,): the hits of ray ``i`` are rows ``ray_splits[i]:ray_splits[i +
            1]`` of the others, which are ``ray_ids`` uint32, counted over all leading axes, ``t_hit`` float32,
            ``geometry_ids`` and ``primitive_ids`` uint32, and ``primitive_uvs`` float32 of shape (hits, 2).

        Raises
        ------
        ValueError, TypeError
            Rays of another shape, or of no numbers.
        OverflowError
            More hits than uint32 counts; ask fewer rays at a time.

        Examples
        --------
        >>> from hitscan.compat import RaycastingScene
        >>> scene = RaycastingScene()
        >>> _ = scene.add_triangles([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 1, 2]])
        >>> hits = scene.list_intersections([[5, 5, 1, 0, 0, -1], [0.25, 0.25, 1, 0, 0, -1]])
        >>> hits["ray_splits"].tolist(), hits["ray_ids"].tolist(), hits["t_hit"].tolist()
        ([0, 0, 2], [1, 1], [1.0, 1.0])
        """
        lists = self._scene().all_hits(
            _rays(rays),
            columns=("t", "instance", "prim", "u", "v"),
            dtype=np.float32,
            threads=_threads(nthreads),
            invalid="miss",
        )
        if max(int(lists.offsets[-1]), len(lists)) > self.INVALID_ID:
            raise OverflowError(f"rays have {lists.offsets[-1]} hits; expected at most 2^32 - 1")
        return {
            "ray_splits": _ids(lists.offsets),
            "ray_ids": _ids(lists.ray),
            "t_hit": _tensor(lists.t),
            "geometry_ids": _ids(lists.instance),
            "primitive_ids": _ids(lists.prim),
            "primitive_uvs": _weights(lists.u, lists.v),
        }

    def compute_closest_points(self, query_points: ArrayLike, nthreads: int = 0) -> dict[str, Tensor]:
        """The nearest point of any surface to each point.

        Parameters
        ----------
        query_points : array_like, shape (..., 3)
            Points.
        nthreads : int, optional
            0 for as many as there are processors.

        Returns
        -------
        dict of Tensor
            ``points`` float32 of shape (..., 3), ``geometry_ids`` and ``primitive_ids`` uint32, ``primitive_uvs``
            float32 of shape (..., 2), ``primitive_normals`` float32 of shape (..., 3).

        Raises
        ------
        ValueError, TypeError
            Points of another shape, or of no numbers.

        Examples
        --------
        >>> from hitscan.compat import RaycastingScene
        >>> scene = RaycastingScene()
        >>> _ = scene.add_triangles([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
        >>> nearest = scene.compute_closest_points([[1, 1, 3]])
        >>> nearest["points"].tolist(), nearest["primitive_normals"].tolist()
        ([[1.0, 1.0, 0.0]], [[0.0, 0.0, 1.0]])
        """
        nearest = self._scene().closest_point(
            _points(query_points),
            columns=("position", "instance", "prim", "u", "v"),
            dtype=np.float32,
            threads=_threads(nthreads),
            invalid="miss",
        )
        is_miss = nearest.prim < 0
        points = _tensor(nearest.position)
        points[is_miss] = 0.0
        return {
            "points": points,
            "geometry_ids": _ids(nearest.instance),
            "primitive_ids": _ids(nearest.prim),
            "primitive_uvs": _weights(nearest.u, nearest.v, is_miss),
            "primitive_normals": self._normals_of(nearest.instance, nearest.prim),
        }

    def compute_distance(self, query_points: ArrayLike, nthreads: int = 0) -> Tensor:
        """How far each point is from any surface.

        Parameters
        ----------
        query_points : array_like, shape (..., 3)
            Points.
        nthreads : int, optional
            0 for as many as there are processors.

        Returns
        -------
        Tensor of float32
            Of the points' leading shape; infinite where there is no surface, NaN for a point that is not finite or has a
            coordinate beyond 2^100.

        Raises
        ------
        ValueError, TypeError
            Points of another shape, or of no numbers.

        Examples
        --------
        >>> from hitscan.compat import RaycastingScene
        >>> scene = RaycastingScene()
        >>> _ = scene.add_triangles([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
        >>> scene.compute_distance([[1, 1, 3], [-3, 0, 4]]).tolist()
        [3.0, 5.0]
        """
        return _single(self._distance(_points(query_points), nthreads))

    def compute_signed_distance(self, query_points: ArrayLike, nthreads: int = 0, nsamples: int = 1) -> Tensor:
        """How far each point is from any surface, negative inside.

        Parameters
        ----------
        query_points : array_like, shape (..., 3)
            Points.
        nthreads : int, optional
            0 for as many as there are processors.
        nsamples : int, optional
            As in `compute_occupancy`.

        Returns
        -------
        Tensor of float32
            Of the points' leading shape, as in `compute_distance`.

        Raises
        ------
        ValueError, TypeError
            Points of another shape, or of no numbers, and an even number of samples.

        Examples
        --------
        >>> from hitscan.compat import RaycastingScene
        >>> scene = RaycastingScene()
        >>> corners = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]]
        >>> _ = scene.add_triangles(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
        >>> scene.compute_signed_distance([[0.5, 1, 1], [-0.5, 1, 1]]).tolist()
        [-0.5, 0.5]
        """
        points = _points(query_points)
        is_inside = self._is_inside(points, nthreads, nsamples)
        distance = self._distance(points, nthreads)
        # Never -0.
        return _single(np.asarray(np.where(is_inside, -distance, distance) + 0.0))

    def compute_occupancy(self, query_points: ArrayLike, nthreads: int = 0, nsamples: int = 1) -> Tensor:
        """Whether each point is inside: 1, or outside: 0, by the parity of a ray's hits on all meshes together.

        Where meshes are closed, every ray tells the same, for points that do not lie on a surface.

        Parameters
        ----------
        query_points : array_like, shape (..., 3)
            Points.
        nthreads : int, optional
            0 for as many as there are processors.
        nsamples : int, optional
            How many rays vote, an odd number; more than 1 are of use where meshes are open.

        Returns
        -------
        Tensor of float32
            Of the points' leading shape: 0 or 1.

        Raises
        ------
        ValueError, TypeError
            Points of another shape, or of no numbers, and an even number of samples.

        Examples
        --------
        >>> from hitscan.compat import RaycastingScene
        >>> scene = RaycastingScene()
        >>> corners = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]]
        >>> _ = scene.add_triangles(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
        >>> scene.compute_occupancy([[0.5, 1, 1], [-0.5, 1, 1]]).tolist()
        [1.0, 0.0]
        """
        return _single(self._is_inside(_points(query_points), nthreads, nsamples))

    @overload
    @staticmethod
    def create_rays_pinhole(
        intrinsic_matrix: ArrayLike, extrinsic_matrix: ArrayLike, width_px: int, height_px: int
    ) -> Tensor: ...
    @overload
    @staticmethod
    def create_rays_pinhole(
        fov_deg: float, center: ArrayLike, eye: ArrayLike, up: ArrayLike, width_px: int, height_px: int
    ) -> Tensor: ...
    @staticmethod
    def create_rays_pinhole(*args: Any, **kwargs: Any) -> Tensor:
        """Rays of a pinhole camera, one through the centre of each pixel.

        Parameters
        ----------
        intrinsic_matrix : array_like, shape (3, 3)
            The upper triangular matrix of the camera, in pixels.
        extrinsic_matrix : array_like, shape (4, 4)
            From the world to the camera, which looks along its z axis, with y down.
        fov_deg : float
            Instead of the matrices: the horizontal angle of view, in degrees.
        center, eye, up : array_like, shape (3,)
            With it, the point in the middle of the picture, the place of the camera, and the direction that rows run
            in, from the first to the last. As in Open3D: with what is up in the world, the picture stands on its head.
        width_px, height_px : int
            The picture's size.

        Returns
        -------
        Tensor of float32, shape (height_px, width_px, 6)
            Rays. Directions are 1 long along the axis of the camera.

        Raises
        ------
        ValueError
            Arrays of another shape, numbers that are not finite, a matrix without an inverse, a view that has no
            direction or no up.
        TypeError
            Arguments that belong to neither form.

        Examples
        --------
        >>> from hitscan.compat import RaycastingScene
        >>> rays = RaycastingScene.create_rays_pinhole(
        ...     fov_deg=90, center=[0, 0, 0], eye=[0, 0, 2], up=[0, 1, 0], width_px=4, height_px=2
        ... )
        >>> rays.shape, rays[0, 0].tolist()
        ((2, 4, 6), [0.0, 0.0, 2.0, 0.75, -0.25, -1.0])
        """
        for form in (_by_matrices, _by_angle):
            try:
                bound = inspect.signature(form).bind(*args, **kwargs)
            except TypeError:
                continue
            return _single(form(*bound.args))
        raise TypeError(
            "create_rays_pinhole takes (intrinsic_matrix, extrinsic_matrix, width_px, height_px) "
            "or (fov_deg, center, eye, up, width_px, height_px)"
        )

    def _scene(self) -> Queries:
        """All that was added until now, ready to be asked: a single mesh as it is, which is the faster."""
        if self._committed is None:
            is_mesh = len(self._meshes) == 1 and not self._is_moved
            self._committed = self._meshes[0] if is_mesh else self._world.commit(threads=self._threads)
        return self._committed

    def _normals_of(self, geometry: npt.NDArray[np.int32], prim: npt.NDArray[np.int64]) -> Tensor:
        """Unit normals of triangles; 0 for misses, and where a triangle has no area."""
        if self._normals is None:
            each = [_unit_normals(mesh) for mesh in self._meshes]
            first = np.cumsum([0, *map(len, each)])
            # What misses have is the last row: theirs.
            self._normals = np.vstack([*each, np.zeros((1, 3))]).astype(np.float32), first
        normals, first = self._normals
        return _tensor(normals.take(np.where(prim < 0, len(normals) - 1, first[geometry] + prim), axis=0))

    def _distance(self, points: Floats, nthreads: int) -> F64:
        nearest = self._scene().closest_point(
            points, columns=("distance",), threads=_threads(nthreads), invalid="miss"
        )
        # No comparison holds for NaN.
        return np.where((np.abs(points) <= _FARTHEST).all(axis=-1), nearest.distance, np.nan)

    def _is_inside(self, points: Floats, nthreads: int, nsamples: int) -> npt.NDArray[np.bool_]:
        samples = whole("nsamples", nsamples)
        if samples < 1 or samples % 2 == 0:
            raise ValueError(f"nsamples is {samples}; expected an odd number of at least 1")
        votes = np.zeros(points.shape[:-1], np.int64)
        for way in _ways(samples):
            votes += self._scene().count(points, way, threads=_threads(nthreads), invalid="miss") % 2
        return np.asarray(votes * 2 > samples)


def _ways(count: int) -> F64:
    """Directions all around, along no axis: a spiral over the sphere by the golden angle."""
    number = np.arange(count) + 0.5
    height = 1.0 - 1.7 * number / (count + 1.0)
    angle = number * (math.pi * (3.0 - math.sqrt(5.0)))
    radius = np.sqrt(1.0 - height * height)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), height], axis=1)


def _by_matrices(
    intrinsic_matrix: ArrayLike, extrinsic_matrix: ArrayLike, width_px: int, height_px: int
) -> F64:
    inner = _matrix("intrinsic_matrix", intrinsic_matrix, (3, 3))
    outer = _matrix("extrinsic_matrix", extrinsic_matrix, (4, 4))
    try:
        inverse = np.linalg.inv(inner)
    except np.linalg.LinAlgError:
        raise ValueError("intrinsic_matrix has no inverse") from None
    if not np.isfinite(inverse).all():
        raise ValueError("intrinsic_matrix has an inverse that float64 does not hold; expected one that it does")
    turn = outer[:3, :3].T
    return _pixels(-turn @ outer[:3, 3], turn @ inverse, width_px, height_px)


def _by_angle(
    fov_deg: float, center: ArrayLike, eye: ArrayLike, up: ArrayLike, width_px: int, height_px: int
) -> F64:
    middle, start, above = (
        _matrix(name, value, (3,)) for name, value in (("center", center), ("eye", eye), ("up", up))
    )
    angle = number("fov_deg", fov_deg)
    if not 0.0 < angle < 180.0:
        raise ValueError(f"fov_deg is {angle:g}; expected more than 0 and less than 180 degrees")
    forward = middle - start
    # Rows run along what is up, and columns to the left, as Open3D has it: the picture stands on its head.
    right = np.cross(above, forward)
    if not (np.isfinite(right).all() and right.any()):
        raise ValueError("center and eye are one point, or up is along the view; expected a view with an up")
    forward, right = forward / np.linalg.norm(forward), right / np.linalg.norm(right)
    width_px, height_px = whole("width_px", width_px), whole("height_px", height_px)
    step = 2.0 * math.tan(math.radians(angle) / 2.0) / max(width_px, 1)
    to_camera = np.array([[step, 0.0, -step * width_px / 2], [0.0, step, -step * height_px / 2], [0.0, 0.0, 1.0]])
    turn = np.stack([right, np.cross(forward, right), forward], axis=1)
    return _pixels(start, turn @ to_camera, width_px, height_px)


def _pixels(start: F64, to_world: F64, width_px: int, height_px: int) -> F64:
    """Rays from a point through the centres of pixels."""
    width, height = whole("width_px", width_px), whole("height_px", height_px)
    for name, size in (("width_px", width), ("height_px", height)):
        if size < 0:
            raise ValueError(f"{name} is {size}; expected 0 or more")
    rays = np.empty((height, width, 6))
    rays[..., :3] = start
    across, down = np.arange(width) + 0.5, np.arange(height)[:, None] + 0.5
    for axis in range(3):
        a, b, c = to_world[axis]
        rays[..., 3 + axis] = a * across + b * down + c
    return rays


def _matrix(name: str, value: ArrayLike, shape: tuple[int, ...]) -> F64:
    array = floats(name, plain(value)).astype(np.float64)
    if array.shape != shape:
        raise ValueError(f"{name} has the shape {array.shape}; expected {shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} has {array[~np.isfinite(array)][0]}; expected finite numbers")
    return array


def _threads(nthreads: int) -> int | None:
    count = whole("nthreads", nthreads)
    if not 0 <= count <= MOST_THREADS:
        shown = count if abs(count) < 1 << 63 else f"{count:.3e}"
        raise ValueError(f"nthreads is {shown}; expected 0 for all, or 1 to {MOST_THREADS}")
    return count or None


def _arrays(mesh: Any) -> tuple[Any, Any]:
    arrays = triangles_of(mesh)
    if arrays is None:
        what = f"mesh is a {type(mesh).__name__}"
        raise TypeError(f"{what}; expected a mesh of Open3D, trimesh or hitscan, or two arrays")
    return arrays


def _renamed(error: ValueError | TypeError, name: str, called: str) -> ValueError | TypeError:
    """The same error, of an argument by the name that it has here."""
    message = str(error)
    if not message.startswith((f"{name} ", f"{name}:")):
        return error
    message = called + message.removeprefix(name)
    if isinstance(error, HitscanError):
        return HitscanError(message, called, error.row)
    return type(error)(message)


def _too_far(corners: Floats, triangles: Any) -> HitscanError:
    """What is wrong with corners that are too large, or too far away: the first one, where the caller has it."""
    used, _ = sound(corners, triangles)
    row, axis = np.argwhere((np.abs(corners) > _FARTHEST) & used[:, None])[0].tolist()
    why = f"{'xyz'[axis]} is {corners[row, axis]:g}; a mesh needs coordinates of at most 2^100"
    return HitscanError(f"vertex_positions row {row}: {why}", "vertex_positions", row)


def _rays(rays: ArrayLike) -> Floats:
    return _rows("rays", rays, 6)


def _points(query_points: ArrayLike) -> Floats:
    return _rows("query_points", query_points, 3)


def _rows(name: str, value: ArrayLike, width: int) -> Floats:
    """An array of shape (..., width), of a tuple as of a list: as Open3D has it, and unlike hitscan's own questions."""
    array = floats(name, plain(value))
    if array.ndim == 0 or array.shape[-1] != width:
        raise ValueError(f"{name} has the shape {array.shape}; expected (..., {width})")
    return array


def _tensor(array: npt.NDArray[Any]) -> Tensor:
    return array.view(Tensor)


def _ids(numbers: npt.NDArray[Any]) -> Tensor:
    """As uint32; -1 becomes `INVALID_ID`."""
    return _tensor(numbers.astype(np.uint32))


def _single(numbers: npt.NDArray[Any]) -> Tensor:
    """As float32."""
    with np.errstate(over="ignore"):
        return _tensor(numbers.astype(np.float32))


def _weights(u: Floats, v: Floats, is_miss: npt.NDArray[np.bool_] | None = None) -> Tensor:
    """Both in one array of float32, and 0 for misses."""
    array = np.empty((*u.shape, 2), np.float32)
    for column, weight in enumerate((u, v)):
        array[..., column] = weight if is_miss is None else np.where(is_miss, 0.0, weight)
    return _tensor(array)


def _unit_normals(mesh: Mesh) -> F64:
    """Unit normals of a mesh's triangles; 0 where one has no area."""
    a, b, c = mesh.vertices.astype(np.float64)[mesh.faces].transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.asarray(np.divide(normals, length, out=np.zeros_like(normals), where=length > 0))
