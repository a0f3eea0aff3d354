"""What answers: a world at one moment, or a file."""

from __future__ import annotations

import os
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hitscan import _hitscan
from hitscan._arrays import floats, number
from hitscan._asked import Up, axis_of
from hitscan._numbers import budget, thread_count
from hitscan._paths import given
from hitscan._progress import bar
from hitscan._queries import Queries
from hitscan.camera import Camera
from hitscan.errors import HitscanError
from hitscan.mesh import Preset, preset_of

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Scene", "load"]


class Scene(Queries):
    """Instances of meshes and shapes, which never change, in world space; any thread may ask it.

    `World.commit` makes one, `load` reads one from a file of any format, and `Scene.open` one that was saved with its
    trees.

    Notes
    -----
    A scene that was opened from a ``.hitscan`` file, or saved to one, pickles by the file's path, which costs nothing
    and works between processes that see the file; a class of your own keeps its kind and its attributes. When the
    pickle is loaded, the file needs to be the same, by its size and the time of its last change; else it raises
    `HitscanError`. Other scenes do not pickle: save them first.

    Examples
    --------
    >>> import hitscan
    >>> scene = hitscan.load("builtin:sphere:1k")
    >>> scene
    Scene(1 instance, 980 triangles)
    >>> scene.closest_one((0, 0, 9), (0, 0, -1)).t < 9
    True
    """

    __slots__ = ("__weakref__", "_core", "_file", "_up_axis")

    #: None once it is closed, which the compiled half says then.
    _core: _hitscan.Scene | None
    #: The file that has it: path, whether it is mapped, size and time of the last change.
    _file: tuple[str, bool, int, int] | None
    _up_axis: Up | None

    def __init__(self) -> None:
        raise TypeError("a Scene is made by World.commit, load or Scene.open")

    @classmethod
    def _of(cls, core: _hitscan.Scene, file: tuple[str, bool, int, int] | None = None, up: Up | None = None) -> Self:
        scene = cls.__new__(cls)
        scene._core, scene._file, scene._up_axis = core, file, up
        return scene

    def _check(self) -> _hitscan.Scene:
        """What answers, if it is not closed."""
        if self._core is None:
            raise ValueError("the scene is closed; open it again to ask it")
        return self._core

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, mmap: bool = False, threads: int | None = None) -> Self:
        """Opens a saved scene, with its trees: no build.

        Parameters
        ----------
        path : str or path
            A ``.hitscan`` file.
        mmap : bool, optional
            Takes the file as memory, at once and without reading it; processes that map one file share its pages. **The
            file is trusted:** nobody may change or cut it while the scene is open, and it has to be one that this
            library wrote; otherwise the process may crash. By default the file is read into private memory, and all of
            it is checked.
        threads : int, optional
            By default as many as there are processors.

        Returns
        -------
        Scene

        Raises
        ------
        OSError
            A file that is not there or cannot be read: `FileNotFoundError`, `PermissionError`.
        HitscanError
            A file that is no saved scene, or a damaged one.

        Examples
        --------
        >>> import hitscan, tempfile, pathlib
        >>> folder = tempfile.TemporaryDirectory()
        >>> path = pathlib.Path(folder.name, "ball.hitscan")
        >>> hitscan.load("builtin:sphere:1k").save(path)
        >>> with hitscan.Scene.open(path, mmap=True) as scene:
        ...     print(scene)
        Scene(1 instance, 980 triangles)
        >>> folder.cleanup()
        """
        name = given("path", path)
        file = _state(name, mmap)
        return cls._of(_hitscan.Scene.open(name, mmap, thread_count(threads)), file)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the scene to a ``.hitscan`` file, trees, names and all; complete or not at all.

        Which way is up is kept too where it was given to `load`; other programs than this package go by what the model's
        own file said.

        Parameters
        ----------
        path : str or path
            Where to; a file that is there is replaced.

        Raises
        ------
        OSError
            What cannot be written.
        """
        name = given("path", path)
        self._check().save(name, self._up_axis)
        self._file = _state(name, self._file is not None and self._file[1])

    def close(self) -> None:
        """Lets go of the scene and its file. Questions under way are answered; later ones raise `ValueError`."""
        self._core = None

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._core is None

    def __enter__(self) -> Self:
        self._check()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def triangles(self) -> int:
        """How many triangles there are, summed over instances of meshes."""
        return self._check().triangles

    @property
    def instances(self) -> npt.NDArray[np.int32]:
        """The numbers of the instances, in order, as hits report them: int32."""
        return np.array(self._check().instances, np.int32)

    @property
    def bounds(self) -> npt.NDArray[np.float64] | None:
        """The lowest and the highest corner of a box that holds every hit but those on planes, which go on for ever, shape
        (2, 3); None where there is nothing, or nothing but planes."""
        bounds = self._check().bounds
        return None if bounds is None else np.array(bounds, np.float64)

    @property
    def names(self) -> list[str]:
        """The file's names of the instances, by number; empty where a program made the scene."""
        return [name for name, _, _ in self._check().nodes]

    @property
    def meshes(self) -> list[str]:
        """The file's names of the instances' meshes, by number of the instance; empty where a program made the
        scene."""
        return [mesh for _, _, mesh in self._check().nodes]

    @property
    def materials(self) -> list[str]:
        """The file's names of materials, by number; empty where a program made the scene."""
        return self._check().materials

    @property
    def cameras(self) -> dict[str, Camera]:
        """The file's cameras, by name."""
        return {camera[0]: Camera._of(*camera[1:]) for camera in self._check().cameras}

    @property
    def up(self) -> Up | None:
        """Which way is up, where the file says, or who loaded it; None where nobody does."""
        core = self._check()
        return core.up if self._up_axis is None else self._up_axis

    def _up(self) -> str:
        return self.up or "+y"

    def __len__(self) -> int:
        return len(self._check())

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        if self._core is None:
            return "Scene(closed)"
        count, triangles = len(self), self.triangles
        return (
            f"Scene({count} instance{'' if count == 1 else 's'}, {triangles} triangle{'' if triangles == 1 else 's'})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        self._check()
        if self._file is None:
            raise TypeError("this Scene is in no file, and pickles by its path; save it first")
        # The last one is what a class of somebody's own adds.
        return _again, (*self._file, self._up_axis, type(self)), getattr(self, "__dict__", None)

    def __copy__(self) -> Self:
        other = type(self)._of(self._check(), self._file, self._up_axis)
        if hasattr(self, "__dict__"):
            other.__dict__.update(self.__dict__)
        return other

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        return self.__copy__()


def _state(path: str, mmap: bool) -> tuple[str, bool, int, int]:
    """A file as it is now."""
    state = os.stat(path)
    return os.path.abspath(path), mmap, state.st_size, state.st_mtime_ns


def _again(path: str, mmap: bool, size: int, time: int, up: Up | None, kind: type[Scene] = Scene) -> Scene:
    """The scene of a file that has not changed since."""
    if _state(path, mmap)[2:] != (size, time):
        raise HitscanError(f"{path}: changed since the scene was pickled; expected the same file", "path")
    scene = kind.open(path, mmap=mmap)
    scene._up_axis = up
    return scene


def load(
    path: str | os.PathLike[str],
    *,
    cell: float | None = None,
    relief: tuple[float, float] | None = None,
    up: Up | None = None,
    preset: Preset = "balanced",
    memory: int | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> Scene:
    """Reads a scene from a file.

    Parameters
    ----------
    path : str or path
        A glTF, GLB, OBJ, STL, PLY or OFF file, a heightmap as PNG or GeoTIFF, a saved ``.hitscan`` file, or
        ``"builtin:NAME[:SIZE]"``.
    cell : float, optional
        Of a heightmap, the distance between samples in metres, where the file does not say it.
    relief : pair of floats, optional
        Of a heightmap, the heights in metres of 0 and of the largest value that a pixel can have.
    up : {"+x", "-x", "+y", "-y", "+z", "-z"}, optional
        Which way `Scene.heights` takes for up. By default as the file says. Coordinates stay as they are. `Scene.save`
        keeps it.
    preset : {"fast", "balanced", "best", "compact"}, optional
        A sooner build, better trees, or smaller ones: "compact" keeps meshes in less than half the memory, for slower rays.
        Answers do not depend on it.
    memory : int, optional
        Most bytes that the file and what is made of it may take.
    threads : int, optional
        By default as many as there are processors.
    progress : bool, optional
        Whether to show a bar of tqdm.

    Returns
    -------
    Scene

    Raises
    ------
    OSError
        A file that is not there or cannot be read: `FileNotFoundError`, `PermissionError`.
    HitscanError
        A file that is damaged, of no known format, or without a triangle; options that do not concern it.
    MemoryError
        Where it would take more than `memory`.

    Examples
    --------
    >>> import hitscan
    >>> scene = hitscan.load("builtin:range")
    >>> hit = scene.closest_one((0, 1.7, 9), (0, 0, -1))
    >>> scene.names[hit.instance]
    'house walls'
    """
    if up is not None:
        axis_of(up)
    name = given("path", path)
    size = None if cell is None else number("cell", cell)
    low_high = None
    if relief is not None:
        ends = floats("relief", relief)
        if ends.shape != (2,):
            raise ValueError(f"relief has the shape {ends.shape}; expected two heights")
        low_high = (float(ends[0]), float(ends[1]))
    try:
        name.encode()
    except UnicodeEncodeError:
        raise ValueError(f"path is {name!r}; expected one that is UTF-8") from None
    with bar(progress, None, "triangles") as tell:
        core = _hitscan.load(
            name, size, low_high, preset_of(preset), budget(memory), thread_count(threads), tell
        )
    is_saved = not name.startswith("builtin:") and name.lower().endswith(".hitscan")
    return Scene._of(core, _state(name, False) if is_saved else None, up)
