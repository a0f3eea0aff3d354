"""What every question is asked with: on what, of what, for whom it counts, and how it is run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from hitscan._arrays import ArrayLike
from hitscan._numbers import thread_count, whole

if TYPE_CHECKING:
    from hitscan import _hitscan
    from hitscan._progress import Tell

__all__ = ["ALL", "Asked", "Facing", "Invalid", "Points", "Rule", "Up", "axis_of", "filter_of", "how_of", "one_of", "rule_of"]

Facing: TypeAlias = Literal["both", "front", "back"]
Invalid: TypeAlias = Literal["raise", "miss"]
Rule: TypeAlias = Literal["parity", "winding"]
Up: TypeAlias = Literal["+x", "-x", "+y", "-y", "+z", "-z"]
#: An array of shape (..., 3), or a tuple of three arrays.
Points: TypeAlias = ArrayLike | tuple[Any, ...]

#: The mask that everything shares a bit with.
ALL = 0xFFFF_FFFF


class Asked:
    """What answers: a mesh or a scene of the compiled half."""

    __slots__ = ()

    _core: _hitscan.Mesh | _hitscan.Scene | None


def one_of(name: str, value: object, words: tuple[str, ...]) -> None:
    """Refuses a word that is none of these."""
    is_word = isinstance(value, str)
    if not is_word or value not in words:
        *first, last = map(repr, words)
        raise (ValueError if is_word else TypeError)(f"{name} is {value!r}; expected {', '.join(first)} or {last}")


def filter_of(mask: int, facing: str) -> tuple[int, str]:
    """What counts, as the compiled half takes it."""
    number = whole("mask", mask)
    if not 0 <= number <= ALL:
        raise ValueError(f"mask is {number}; expected 32 bits")
    one_of("facing", facing, ("both", "front", "back"))
    return number, facing


def how_of(threads: int | None, tell: Tell | None, invalid: str) -> tuple[int | None, Tell | None, str]:
    """How a batch is run, as the compiled half takes it."""
    one_of("invalid", invalid, ("raise", "miss"))
    return thread_count(threads), tell, invalid


def rule_of(rule: str) -> str:
    """What is inside, as the compiled half takes it."""
    one_of("rule", rule, ("parity", "winding"))
    return rule


def axis_of(up: str) -> tuple[int, float]:
    """The number of an axis, and its sign."""
    if not isinstance(up, str) or up not in ("+x", "-x", "+y", "-y", "+z", "-z"):
        raise ValueError(f"up is {up!r}; expected one of +x -x +y -y +z -z")
    return "xyz".index(up[1]), 1.0 if up[0] == "+" else -1.0
