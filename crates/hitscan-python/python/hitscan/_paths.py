"""Paths that callers give."""

from __future__ import annotations

import errno
import os
import socket

__all__ = ["given", "not_here"]


def given(what: str, path: object) -> str:
    """A path as a string."""
    if not isinstance(path, (str, os.PathLike)) or not isinstance(name := os.fspath(path), str):
        raise TypeError(f"{what} is {path!r}; expected a str or a path")
    if "\0" in name:
        raise ValueError(f"{what} is {name!r}; expected one without null characters")
    return name


def not_here(path: str) -> FileNotFoundError:
    """What to raise for a file that other processes may see, and this one does not."""
    what = f"no such file on the host {socket.gethostname()!r}; every process that casts has to see it"
    return FileNotFoundError(errno.ENOENT, what, path)
