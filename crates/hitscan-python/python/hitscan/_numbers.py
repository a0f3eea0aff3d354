"""Arguments that are one whole number: errors name them."""

from __future__ import annotations

import operator

__all__ = ["budget", "thread_count", "whole"]

#: As many as the compiled half starts.
MOST_THREADS = 1024


def whole(name: str, value: object) -> int:
    """A whole number, of whatever kind."""
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} is {value!r}; expected a whole number") from None


def thread_count(threads: int | None) -> int | None:
    """How many threads, checked where they are asked for, which may be long before they are needed."""
    if threads is None:
        return None
    number = whole("threads", threads)
    if not 1 <= number <= MOST_THREADS:
        shown = number if abs(number) < 1 << 63 else f"{number:.3e}"
        raise ValueError(f"threads is {shown}; expected 1 to {MOST_THREADS}, or None for all")
    return number


def budget(memory: int | None) -> int | None:
    """Bytes, at most as many as there can be."""
    if memory is None:
        return None
    number = whole("memory", memory)
    if number < 0:
        raise ValueError(f"memory is {number}; expected bytes, 0 or more")
    return min(number, (1 << 64) - 1)
