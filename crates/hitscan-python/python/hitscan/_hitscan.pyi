"""The compiled half of hitscan."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

from hitscan._arrays import Vector
from hitscan._asked import Up

_Floats: TypeAlias = npt.NDArray[np.float32] | npt.NDArray[np.float64]
_Given: TypeAlias = _Floats | tuple[_Floats, ...]
_Limit: TypeAlias = float | _Floats
#: Origins, directions, t_min, t_max; how many rays there are, and with how many in a row a row of each goes.
_Rays: TypeAlias = tuple[_Given, _Given | None, _Limit, _Limit, tuple[int, tuple[int, int, int, int]]]
_Target: TypeAlias = Mesh | Scene | None
_Tell: TypeAlias = Callable[[int, int], None]
#: Threads, whom to tell how far it is, and what becomes of bad rows.
_How: TypeAlias = tuple[int | None, _Tell | None, str]
#: Mask and facing.
_Filter: TypeAlias = tuple[int, str]
#: Names of columns, and how many bytes their numbers have that are no whole ones.
_Wanted: TypeAlias = tuple[Sequence[str], int]
_Arrays: TypeAlias = dict[str, npt.NDArray[Any]]
_Three: TypeAlias = list[float]
_Name: TypeAlias = tuple[int, int | None]
_Placement: TypeAlias = Sequence[Sequence[float]]

__all__ = [
    "Hit",
    "Mesh",
    "Scene",
    "Shape",
    "World",
    "__version__",
    "all_hits",
    "camera",
    "closest",
    "closest_one",
    "closest_point",
    "contains",
    "count",
    "first_n",
    "heights",
    "intervals",
    "load",
    "occluded",
    "occluded_one",
    "sight",
    "signed_distance",
    "winding_number",
]

__version__: str

@final
class Hit:
    """The first hit of one ray.

    Attributes
    ----------
    t : float
        The hit lies at ``origin + t * direction``.
    distance : float
        ``t`` times the length of the direction, in world units.
    position : tuple of three floats
        The hit, on the triangle.
    normal : tuple of three floats
        Unit normal by counter-clockwise winding, never flipped towards the ray.
    u, v : float
        Weights of the triangle's corners B and C.
    instance : int
        Number of the instance; 0 where a mesh was asked.
    prim : int
        Row of the mesh's ``faces``.
    material : int
        Material of the triangle.
    facing : int
        1 where the ray met the front, -1 the back.
    """

    def __new__(
        cls,
        t: float,
        distance: float,
        position: tuple[float, float, float],
        normal: tuple[float, float, float],
        u: float,
        v: float,
        instance: int,
        prim: int,
        material: int,
        facing: int,
    ) -> Hit: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    @property
    def t(self) -> float: ...
    @property
    def distance(self) -> float: ...
    @property
    def position(self) -> tuple[float, float, float]: ...
    @property
    def normal(self) -> tuple[float, float, float]: ...
    @property
    def u(self) -> float: ...
    @property
    def v(self) -> float: ...
    @property
    def instance(self) -> int: ...
    @property
    def prim(self) -> int: ...
    @property
    def material(self) -> int: ...
    @property
    def facing(self) -> int: ...

@final
class Mesh:
    def __new__(
        cls,
        vertices: _Given,
        faces: npt.NDArray[np.int64],
        materials: npt.NDArray[np.uint32] | None,
        preset: str,
        memory: int | None,
        threads: int | None,
        progress: _Tell | None,
    ) -> Mesh: ...
    @property
    def vertices(self) -> npt.NDArray[np.float32]: ...
    @property
    def faces(self) -> npt.NDArray[np.int64]: ...
    @property
    def materials(self) -> npt.NDArray[np.uint32] | None: ...
    def __len__(self) -> int: ...
    @property
    def counts(self) -> tuple[int, int, int]: ...
    @property
    def bounds(self) -> list[_Three] | None: ...
    def open_edge(self, threads: int | None) -> tuple[int, _Three, _Three] | None: ...

@final
class Scene:
    @staticmethod
    def open(path: str, mmap: bool, threads: int | None) -> Scene: ...
    def save(self, path: str, up: str | None) -> None: ...
    def __len__(self) -> int: ...
    @property
    def triangles(self) -> int: ...
    @property
    def bounds(self) -> list[_Three] | None: ...
    @property
    def instances(self) -> list[int]: ...
    @property
    def nodes(self) -> list[tuple[str, int, str]]: ...
    @property
    def materials(self) -> list[str]: ...
    @property
    def cameras(self) -> list[tuple[str, _Three, _Three, _Three, _Three, float]]: ...
    @property
    def up(self) -> Up | None: ...

@final
class Shape:
    @staticmethod
    def sphere(center: Vector, radius: float) -> Shape: ...
    @staticmethod
    def box(low: Vector, high: Vector) -> Shape: ...
    @staticmethod
    def capsule(a: Vector, b: Vector, radius: float) -> Shape: ...
    @staticmethod
    def plane(normal: Vector, point: Vector) -> Shape: ...
    @staticmethod
    def hull(points: _Given) -> Shape: ...
    @staticmethod
    def heightfield(
        samples: npt.NDArray[np.float32], spacing: Sequence[float], origin: Sequence[float], up: int
    ) -> Shape: ...

@final
class World:
    def __new__(cls) -> World: ...
    def insert(self, of: Mesh | Shape, placement: _Placement, mask: int, material: int) -> tuple[int, int]: ...
    def remove(self, name: _Name) -> None: ...
    def set_transform(self, name: _Name, placement: _Placement) -> None: ...
    def set_mask(self, name: _Name, mask: int) -> None: ...
    def set_geometry(self, name: _Name, of: Mesh | Shape) -> None: ...
    def commit(self, threads: int | None) -> Scene: ...
    def copy(self) -> World: ...
    def __len__(self) -> int: ...
    def instances(self) -> list[tuple[int, int]]: ...

def load(
    path: str,
    cell: float | None,
    relief: Sequence[float] | None,
    preset_name: str,
    memory: int | None,
    threads: int | None,
    progress: _Tell | None,
) -> Scene: ...
def camera(eye: Vector, forward: Vector, up: Vector, fov: float) -> tuple[_Three, _Three, _Three, _Three, float]: ...
def closest(target: _Target, asked: _Rays, filter: _Filter, out: _Arrays, how: _How) -> int: ...
def occluded(target: _Target, asked: _Rays, filter: _Filter, out: npt.NDArray[np.bool_], how: _How) -> int: ...
def count(target: _Target, asked: _Rays, filter: _Filter, out: npt.NDArray[np.int64], how: _How) -> int: ...
def all_hits(target: _Target, rays: _Rays, filter: _Filter, columns: _Wanted, how: _How) -> tuple[_Arrays, int]: ...
def first_n(
    target: _Target, rays: _Rays, filter: _Filter, n: int, columns: _Wanted, how: _How
) -> tuple[_Arrays, int]: ...
def intervals(target: _Target, rays: _Rays, filter: _Filter, columns: _Wanted, how: _How) -> tuple[_Arrays, int]: ...
def heights(
    target: _Target, places: tuple[_Given, int, float, _Limit | None, int], filter: _Filter, out: _Arrays, how: _How
) -> int: ...
def sight(
    target: _Target,
    points: tuple[_Given, _Given, int, tuple[int, int]],
    filter: _Filter,
    out: npt.NDArray[np.bool_],
    how: _How,
) -> int: ...
def contains(target: _Target, given: _Given, asked: tuple[int, str], out: npt.NDArray[np.bool_], how: _How) -> int: ...
def closest_point(target: _Target, given: _Given, asked: tuple[float, int], out: _Arrays, how: _How) -> int: ...
def signed_distance(
    target: _Target, given: _Given, asked: tuple[int, str], out: npt.NDArray[np.float64], how: _How
) -> int: ...
def winding_number(mesh: Mesh, given: _Given, out: npt.NDArray[np.float64], how: _How) -> int: ...
def closest_one(
    target: _Target,
    origin: Vector,
    direction: Vector,
    t_min: float,
    t_max: float,
    mask: int,
    facing: str,
) -> Hit | None: ...
def occluded_one(
    target: _Target,
    origin: Vector,
    direction: Vector,
    t_min: float,
    t_max: float,
    mask: int,
    facing: str,
) -> bool: ...
