"""From pixels to rays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hitscan import _hitscan
from hitscan._arrays import ArrayLike, number, real_type
from hitscan._numbers import whole
from hitscan.shapes import _three

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Camera", "CameraRays"]

F64 = npt.NDArray[np.float64]


class CameraRays(NamedTuple):
    """The rays of a picture: ``scene.closest(*camera.rays(640, 480))``."""

    origins: F64
    """Where all of them begin: float64, shape (3,)."""
    directions: F64 | npt.NDArray[np.float32]
    """One for each pixel: float64 or float32, shape (height, width, 3), with a forward component of 1."""


class Camera:
    """A pinhole camera: where it stands, where it looks, how wide.

    Parameters
    ----------
    eye : sequence of three numbers
        Where it stands.
    forward : sequence of three numbers
        Where it looks, of any length.
    up : sequence of three numbers, optional
        What is upwards in the picture.
    fov : float, optional
        The vertical field of view, in degrees.

    Raises
    ------
    HitscanError
        Numbers that make no camera.

    Examples
    --------
    >>> import hitscan
    >>> camera = hitscan.Camera((0, 0, 5), (0, 0, -1), fov=90)
    >>> scene = hitscan.load("builtin:sphere:1k")
    >>> picture = scene.closest(*camera.rays(64, 48))
    >>> picture.t.shape
    (48, 64)
    """

    __slots__ = ("eye", "forward", "right", "tan_half_fov", "up")

    #: Where it stands.
    eye: F64
    #: Unit vector of the line of sight.
    forward: F64
    #: Unit vector to the right of the picture.
    right: F64
    #: Unit vector to the top of the picture.
    up: F64
    #: Tangent of half the vertical field of view.
    tan_half_fov: float

    def __init__(
        self,
        eye: Sequence[float] | ArrayLike,
        forward: Sequence[float] | ArrayLike,
        up: Sequence[float] | ArrayLike = (0.0, 1.0, 0.0),
        fov: float = 60.0,
    ) -> None:
        axes = (_three("eye", eye), _three("forward", forward), _three("up", up))
        self._set(*_hitscan.camera(*axes, number("fov", fov)))

    def _set(
        self,
        eye: Sequence[float],
        forward: Sequence[float],
        right: Sequence[float],
        up: Sequence[float],
        tan_half_fov: float,
    ) -> None:
        self.eye, self.forward, self.right, self.up = (np.array(v, np.float64) for v in (eye, forward, right, up))
        self.tan_half_fov = tan_half_fov

    @classmethod
    def _of(
        cls,
        eye: Sequence[float],
        forward: Sequence[float],
        right: Sequence[float],
        up: Sequence[float],
        tan_half_fov: float,
    ) -> Self:
        camera = cls.__new__(cls)
        camera._set(eye, forward, right, up, tan_half_fov)
        return camera

    @classmethod
    def look_at(
        cls,
        eye: Sequence[float] | ArrayLike,
        target: Sequence[float] | ArrayLike,
        up: Sequence[float] | ArrayLike = (0.0, 1.0, 0.0),
        fov: float = 60.0,
    ) -> Self:
        """A camera that looks at a point.

        Parameters
        ----------
        eye, target : sequence of three numbers
            Where it stands, and what is in the middle of the picture.
        up : sequence of three numbers, optional
            What is upwards in the picture.
        fov : float, optional
            The vertical field of view, in degrees.

        Returns
        -------
        Camera

        Raises
        ------
        HitscanError
            Numbers that make no camera.

        Examples
        --------
        >>> import hitscan
        >>> hitscan.Camera.look_at((0, 0, 5), (0, 0, 0)).forward.tolist()
        [0.0, 0.0, -1.0]
        """
        start, end = _three("eye", eye), _three("target", target)
        forward = (end[0] - start[0], end[1] - start[1], end[2] - start[2])
        return cls(start, forward, up, fov)

    def rays(self, width: int, height: int, *, dtype: type[np.float32 | np.float64] = np.float64) -> CameraRays:
        """A ray through the centre of each pixel, row by row from the top left.

        Parameters
        ----------
        width, height : int
            Pixels of the picture.
        dtype : {numpy.float64, numpy.float32}, optional
            The type of the directions; float32 halves their memory.

        Returns
        -------
        CameraRays
            One origin, and directions of shape (height, width, 3). ``t`` along them is the depth along the line of
            sight.

        Raises
        ------
        ValueError, TypeError
            A picture without pixels, a type of another kind.

        Examples
        --------
        >>> import hitscan
        >>> hitscan.Camera((0, 0, 5), (0, 0, -1)).rays(3, 1).directions[0, 1].tolist()
        [0.0, 0.0, -1.0]
        """
        across, down = whole("width", width), whole("height", height)
        if across < 1 or down < 1:
            raise ValueError(f"the picture has {across} x {down} pixels; expected 1 or more of both")
        x = (2.0 * (np.arange(across) + 0.5) - across) / down * self.tan_half_fov
        y = (down - 2.0 * (np.arange(down) + 0.5)) / down * self.tan_half_fov
        directions: Any = np.empty((down, across, 3), real_type(dtype))
        for axis in range(3):
            row = self.forward[axis] + self.right[axis] * x
            directions[..., axis] = row + (self.up[axis] * y)[:, np.newaxis]
        return CameraRays(self.eye.copy(), directions)

    def __reduce__(self) -> tuple[Any, ...]:
        # Old protocols of pickles do not know slots by themselves. The last one is what a class of somebody's own adds.
        axes = (self.eye, self.forward, self.right, self.up)
        return type(self)._of, (*axes, self.tan_half_fov), getattr(self, "__dict__", None)

    def __repr__(self) -> str:
        degrees = 2.0 * np.degrees(np.arctan(self.tan_half_fov))
        return f"Camera(eye={self.eye.tolist()}, forward={self.forward.tolist()}, fov={degrees:.5g})"
