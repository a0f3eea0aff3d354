"""The package's own exception."""

from __future__ import annotations

from typing import Any

__all__ = ["HitscanError"]


class HitscanError(ValueError):
    """Input that makes no mesh, no ray, no scene.

    Files that are not there or not readable are `OSError`, arguments of the wrong type `TypeError`.

    Attributes
    ----------
    argument : str or None
        The name of the argument, or of what it holds: ``"vertices"``, ``"rays"``.
    row : int or None
        Its first bad row, counted from 0 over all leading axes.

    Examples
    --------
    >>> import hitscan
    >>> try:
    ...     hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 7]])
    ... except hitscan.HitscanError as error:
    ...     print(error, error.argument, error.row)
    faces row 0: names vertex 7; the mesh has 3 (0 to 2) faces 0
    """

    def __init__(self, message: str = "", argument: str | None = None, row: int | None = None) -> None:
        super().__init__(message)
        self.argument = argument
        self.row = row

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.argument, self.row)
