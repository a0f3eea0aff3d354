"""Scenes that this process has open, by path."""

from __future__ import annotations

import os
import threading
from typing import NamedTuple

from hitscan._paths import given, not_here
from hitscan._queries import Queries
from hitscan.scene import Scene, load

__all__ = ["CacheInfo", "cache_clear", "cache_info", "open_scene", "path_of"]

#: Most scenes that stay open; those that were asked last stay.
_MOST = 8


class CacheInfo(NamedTuple):
    """What became of the calls of `open_scene` in this process."""

    hits: int
    """How many found their scene open."""
    opened: int
    """How many opened one."""
    kept: int
    """How many scenes are open now."""


class _Key(NamedTuple):
    """A file as it was when it was opened."""

    path: str
    mmap: bool
    size: int
    time: int
    inode: int


#: Those that were asked for last are at the end.
_scenes: dict[_Key, Scene] = {}
_hits = _opened = 0
# A signal's handler may ask while its own thread has either: it would wait for ever for one that is had only once.
#: Of the scenes and the counts.
_lock = threading.RLock()
#: Of whoever opens a scene, which takes long: those that ask for an open one do not wait.
_opening = threading.RLock()


def _unlock() -> None:
    global _lock, _opening
    _lock, _opening = threading.RLock(), threading.RLock()


if hasattr(os, "register_at_fork"):
    # A fork while another thread opens a scene would leave the child with locks that nobody lets go of.
    os.register_at_fork(after_in_child=_unlock)


def open_scene(path: str | os.PathLike[str], *, mmap: bool = True, threads: int | None = 1) -> Scene:
    """The scene of a file, which stays open in this process: later calls give the same one.

    A file that changed since, by its size, the time of its last change or its place on the disk, is opened anew. Files
    that it names in its turn, such as a glTF's buffers, are not looked at: `cache_clear` forgets them. The eight scenes
    that were asked for last stay open. Any thread may call it, and a signal's handler: where it interrupts the opening
    of the scene that it asks for, it opens one of its own.

    Parameters
    ----------
    path : str or path
        A ``.hitscan`` file, which is mapped; any other file that `hitscan.load` reads, which then builds its trees in
        each process; or ``"builtin:NAME[:SIZE]"``.
    mmap : bool, optional
        Whether a ``.hitscan`` file is taken as memory, which processes of one machine share. **It is trusted**, as
        `Scene.open` says: have it written by this library, and replaced as a whole if at all. False reads all of it
        into this process and checks it.
    threads : int, optional
        Threads that build the trees of other files; None for one a processor.

    Returns
    -------
    Scene
        Not to be closed: others ask it too.

    Raises
    ------
    FileNotFoundError
        A file that this host does not see, with the host's name.
    OSError, HitscanError, MemoryError
        As in `hitscan.load` and `Scene.open`.

    Examples
    --------
    >>> from hitscan.batch import open_scene
    >>> open_scene("builtin:sphere:1k") is open_scene("builtin:sphere:1k")
    True
    """
    name = path_of(path)
    key = _key(name, mmap)
    scene = _found(key)
    if scene is not None:
        return scene
    with _opening:
        # Another thread may have opened it meanwhile.
        scene = _found(key)
        if scene is None:
            is_saved = key.size >= 0 and name.lower().endswith(".hitscan")
            scene = Scene.open(key.path, mmap=mmap, threads=threads) if is_saved else load(key.path, threads=threads)
            _keep(key, scene)
        return scene


def _found(key: _Key) -> Scene | None:
    """The scene that is open."""
    global _hits
    with _lock:
        scene = _scenes.pop(key, None)
        if scene is None or scene.closed:
            return None
        _scenes[key] = scene
        _hits += 1
        return scene


def _keep(key: _Key, scene: Scene) -> None:
    """Keeps a scene in place of those of the same path, and of the ones that were not asked for longest."""
    global _opened
    with _lock:
        _opened += 1
        for old in list(_scenes):
            if old[:2] == key[:2]:
                _scenes.pop(old, None)
        _scenes[key] = scene
        for old in list(_scenes)[:-_MOST]:
            _scenes.pop(old, None)


def path_of(scene: object) -> str:
    """The path that a caller gives for a scene."""
    if isinstance(scene, Queries):
        kind = type(scene).__name__
        raise TypeError(f"the scene is a {kind}; expected a path: save a scene, and give the file's path")
    return given("the scene's path", scene)


def cache_info() -> CacheInfo:
    """What became of the calls of `open_scene` in this process.

    Returns
    -------
    CacheInfo

    Examples
    --------
    >>> from hitscan.batch import cache_clear, cache_info, open_scene
    >>> cache_clear()
    >>> ball = open_scene("builtin:sphere:1k"), open_scene("builtin:sphere:1k")
    >>> cache_info()
    CacheInfo(hits=1, opened=1, kept=1)
    """
    with _lock:
        return CacheInfo(_hits, _opened, len(_scenes))


def cache_clear() -> None:
    """Lets go of all scenes that `open_scene` keeps in this process, and counts from 0 again."""
    global _hits, _opened
    with _lock:
        _scenes.clear()
        _hits = _opened = 0


def _key(name: str, mmap: bool) -> _Key:
    if name.startswith("builtin:"):
        return _Key(name, mmap, -1, -1, -1)
    try:
        state = os.stat(name)
    except FileNotFoundError:
        raise not_here(name) from None
    return _Key(os.path.abspath(name), mmap, state.st_size, state.st_mtime_ns, state.st_ino)
