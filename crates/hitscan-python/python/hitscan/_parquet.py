"""One Parquet file of rays in, one of answers out, whole or not at all."""

from __future__ import annotations

import contextlib
import glob
import os
import uuid
from typing import Any

from hitscan._paths import not_here
from hitscan.errors import HitscanError

__all__ = ["opened", "write"]


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
