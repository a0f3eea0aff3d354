"""One Parquet file of rays in, one of answers out, whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import glob
import os
import socket
import uuid
from typing import Any

from hitscan.errors import HitscanError

__all__ = ["file_of", "names_in", "read", "write"]


def file_of(argument: str, path: object) -> str:
    """The path that a caller gives for a file of rays or of answers."""
    if not isinstance(path, (str, os.PathLike)) or not isinstance(name := os.fspath(path), str):
        raise TypeError(f"{argument} is {path!r}; expected the path of a file, a str or a path")
    return name


def names_in(path: str) -> list[str]:
    """The names of a file's columns."""
    with _opened(path) as file:
        return list(file.schema_arrow.names)


def read(path: str, columns: list[str]) -> Any:
    """These columns of a file, as a table of Arrow."""
    with _opened(path) as file:
        return file.read(columns=columns)


def write(table: Any, path: str, compression: str) -> None:
    """A table of Arrow under a name that nobody sees before the file is whole."""
    parquet = _parquet()
    folder, name = os.path.split(path)
    part = os.path.join(folder, f".{name}.{uuid.uuid4().hex}.part")
    try:
        parquet.write_table(table, part, compression=compression)
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
    # What a process that was killed had begun.
    for left in glob.glob(os.path.join(glob.escape(folder), f".{glob.escape(name)}.*.part")):
        with contextlib.suppress(OSError):
            os.unlink(left)


def _parquet() -> Any:
    try:
        from pyarrow import parquet
    except ImportError:
        raise ImportError("files of Parquet need pyarrow, which is not installed: pip install pyarrow") from None
    return parquet


def _opened(path: str) -> Any:
    parquet = _parquet()
    from pyarrow import ArrowInvalid

    try:
        return parquet.ParquetFile(path)
    except FileNotFoundError:
        what = f"no such file on the host {socket.gethostname()!r}; every process that casts has to see it"
        raise FileNotFoundError(errno.ENOENT, what, path) from None
    except ArrowInvalid as error:
        raise HitscanError(f"{path}: expected a file of Parquet: {error}", "rays") from None
