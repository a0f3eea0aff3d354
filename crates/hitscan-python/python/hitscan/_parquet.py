"""One Parquet file of rays in, one of answers out, whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import socket
import time
import uuid
from typing import Any

from hitscan._paths import not_here
from hitscan.errors import HitscanError

__all__ = ["check_compression", "opened", "write", "writer"]

#: So many seconds after its last change nobody writes a file any more, where its process cannot be asked for.
_OLD = 86_400.0


def opened(path: str) -> Any:
    """A file of Parquet, to be closed."""
    parquet = _parquet()
    from pyarrow import ArrowInvalid

    try:
        return parquet.ParquetFile(path)
    except FileNotFoundError:
        raise not_here(path) from None
    except ArrowInvalid as error:
        raise HitscanError(f"{path}: expected a file of Parquet: {error}", "rays") from None


def check_compression(compression: str) -> None:
    """Refuses a name that pyarrow does not write by, before there are answers to write."""
    parquet = _parquet()
    import pyarrow

    if not isinstance(compression, str):
        raise TypeError(f"compression is {compression!r}; expected a name, such as 'zstd' or 'none'")
    try:
        parquet.write_table(pyarrow.table({"t": [0.0]}), io.BytesIO(), compression=compression)
    except (pyarrow.ArrowException, OSError) as error:
        raise ValueError(f"compression is {compression!r}; expected one that pyarrow writes: {error}") from None


def write(table: Any, path: str, compression: str) -> None:
    """A table of Arrow under a name that nobody sees before the file is whole."""
    parquet = _parquet()
    folder, name = os.path.split(path)
    part = os.path.join(folder, f".{name}.{writer(os.getpid())}.{uuid.uuid4().hex}.part")
    try:
        parquet.write_table(table, part, compression=compression)
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
    _clear(folder, name)


def writer(process: int) -> str:
    """A process in the names of files: its machine, as the process sees that, and its number there."""
    try:
        # Containers may have one name, but each numbers its own processes.
        space = os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        space = 0
    machine = hashlib.blake2b(os.fsencode(f"{socket.gethostname()} {space}"), digest_size=8)
    return f"{machine.hexdigest()}.{process}"


def _clear(folder: str, name: str) -> None:
    """Removes what processes that are gone had begun under a name; what others still write stays."""
    pattern = re.compile(rf"\.{re.escape(name)}\.([0-9a-f]{{16}}\.([0-9]+))\.[0-9a-f]{{32}}\.part")
    with contextlib.suppress(OSError), os.scandir(folder or os.curdir) as entries:
        for entry in entries:
            found = pattern.fullmatch(entry.name)
            with contextlib.suppress(OSError):
                if found and _is_left(entry.stat().st_mtime, found[1], int(found[2])):
                    os.unlink(entry.path)


def _is_left(changed: float, who: str, process: int) -> bool:
    """Whether nobody writes a file any more: its process has ended, or it is of another machine, and old."""
    if os.name != "posix" or who != writer(process):
        return time.time() - changed > _OLD
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:
        return False
    return False


def _parquet() -> Any:
    try:
        from pyarrow import parquet
    except ImportError:
        raise ImportError("files of Parquet need pyarrow, which is not installed: pip install pyarrow") from None
    return parquet
