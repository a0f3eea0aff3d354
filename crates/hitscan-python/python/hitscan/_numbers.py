"""Arguments that are one whole number: errors name them."""

from __future__ import annotations

import operator

__all__ = ["budget", "thread_count", "whole"]


def whole(name: str, value: object) -> int:
    """A whole number, of whatever kind."""
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} is {value!r}; expected a whole number") from None


def thread_count(threads: int | None) -> int | None:
    """How many threads, as a number that the compiled half can look at: it knows how many are too many."""
    if threads is None:
        return None
    number = whole("threads", threads)
    if not -(1 << 63) <= number < 1 << 63:
        raise ValueError(f"threads is {number:.3e}; expected 1 to 1024, or None for all")
    return number


def budget(memory: int | None) -> int | None:
    """Bytes, at most as many as there can be."""
    if memory is None:
        return None
    number = whole("memory", memory)
    if number < 0:
        raise ValueError(f"memory is {number}; expected bytes, 0 or more")
    return min(number, (1 << 64) - 1)
