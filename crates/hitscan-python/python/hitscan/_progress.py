"""A bar for those who wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeAlias

__all__ = ["Tell", "bar"]

#: Called with what is done, and of how much where that is known, else 0.
Tell: TypeAlias = Callable[[int, int], None]

_NO_BAR = nullcontext()


def bar(progress: bool, total: int | None, unit: str) -> AbstractContextManager[Tell | None]:
    """What tells a bar of tqdm how far something is; None without one."""
    return _shown(total, unit) if progress else _NO_BAR


@contextmanager
def _shown(total: int | None, unit: str) -> Iterator[Tell]:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ImportError("progress=True shows a bar of tqdm, which is not installed: pip install tqdm") from None
    with tqdm(total=total, unit=unit, unit_scale=True) as shown:

        def tell(done: int, of: int) -> None:
            if total is None and of:
                shown.total = of
            shown.update(done - shown.n)

        yield tell
