"""The questions, the same of a mesh and of a scene."""

from __future__ import annotations

from hitscan._chunks import ChunkQueries
from hitscan._ground_queries import GroundQueries
from hitscan._point_queries import PointQueries

__all__ = ["Queries"]


class Queries(ChunkQueries, PointQueries, GroundQueries):
    """The questions that a `Mesh` answers in its own frame, and a `Scene` in world space.

    Rays are arrays of shape (..., 3), origins and directions, which are broadcast against each other; or tuples of
    three arrays, one for each coordinate, of any one shape; or ``origins`` alone, of shape (..., 6) or as a tuple of
    six arrays. A tuple of three points is taken as columns too: pass a list of them, or ``np.stack``. float32 and float64
    are taken where they lie if they are contiguous, and copied once if not; whole numbers are taken as float64. An array
    must not be changed by another thread while it is asked about.

    Directions are never normalised: ``t`` counts in their units. A ray needs finite numbers, coordinates of at most
    2^100, a direction whose largest component lies between 2^-200 and 2^200, and ``t_min <= t_max``.

    Columns are float64, and exact to about float32, relative to the mesh's own size in its own frame: on a triangle of
    size 1, ``t`` along unit directions was wrong by up to 2e-6, ``u`` and ``v`` by 1e-6.

    Every question about arrays runs without the interpreter's lock, and can be interrupted by Ctrl-C. `closest_one` and
    `occluded_one` keep the lock: letting go of it takes longer than the answer.
    """

    __slots__ = ()
