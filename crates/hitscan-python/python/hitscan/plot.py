"""Answers as pictures, on axes of matplotlib.

Needs ``pip install hitscan[plot]``. Every function draws on the axes that it is given, or on new ones, and returns
them; none shows a window. What missed is grey.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

try:
    from matplotlib import pyplot
    from matplotlib.colors import BoundaryNorm, Colormap
    from matplotlib.ticker import MaxNLocator
except ImportError:
    # What it is that is missing, Python says above this.
    raise ImportError("hitscan.plot needs matplotlib: pip install hitscan[plot]")

from hitscan._arrays import Array, ArrayLike
from hitscan._asked import Up, axis_of
from hitscan.results import HitLists, Hits

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MISS", "crossings", "depth", "normals", "points"]

#: The colour of what missed.
MISS = "#d9d9d9"
_GREY = (0xD9 / 255.0,) * 3
#: Most numbers of crossings with a colour each.
_STEPS = 12


def depth(
    hits: Hits | ArrayLike,
    *,
    ax: Axes | None = None,
    unit: str = "m",
    label: str = "depth",
    cmap: str | Colormap = "viridis_r",
    limits: tuple[float, float] | None = None,
    extent: Sequence[float] | None = None,
    colorbar: bool = True,
) -> Axes:
    """How far each pixel is: near is bright, far is dark.

    Parameters
    ----------
    hits : Hits or array_like, shape (rows, columns)
        A picture's hits, of which ``t`` is drawn: along a camera's rays that is the depth along its line of sight,
        along unit directions the distance. Or any numbers; what is not finite is a miss.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.
    unit, label : str, optional
        What the colour bar says.
    cmap : str or Colormap, optional
        Colours; perceptually uniform by default.
    limits : pair of floats, optional
        The numbers at the ends of the colours. By default the least and the largest.
    extent : four floats, optional
        Left, right, bottom and top of the picture, such as angles; pixels, unlabelled, by default.
    colorbar : bool, optional
        Whether to draw a bar that says what colours mean.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        What is no picture.

    Examples
    --------
    >>> import hitscan, hitscan.plot
    >>> scene = hitscan.load("builtin:sphere:1k")
    >>> ax = hitscan.plot.depth(scene.closest(*scene.cameras["default"].rays(64, 48)))
    >>> len(ax.images)
    1
    """
    values = _picture(hits.t if isinstance(hits, Hits) else hits)
    ax = _axes(ax)
    low, high = (None, None) if limits is None else limits
    shown = _image(ax, np.ma.masked_invalid(values), extent, cmap=_with_misses(cmap), vmin=low, vmax=high)
    if colorbar:
        _bar(ax, shown, f"{label} ({unit})" if unit else label)
    return ax


def normals(hits: Hits | ArrayLike, *, ax: Axes | None = None, extent: Sequence[float] | None = None) -> Axes:
    """Which way surfaces face: red, green and blue are x, y and z from -1 to 1.

    Parameters
    ----------
    hits : Hits or array_like, shape (rows, columns) or (rows, columns, 3)
        A picture's hits, of which ``normal`` is drawn, turned towards the rays where there is ``facing``; or normals.
    ax, extent : optional
        As in `depth`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        What is no picture.
    """
    if isinstance(hits, Hits):
        given = np.asarray(hits.normal)
        if "facing" in hits:
            given = given * np.where(hits.facing < 0, -1.0, 1.0)[..., np.newaxis]
    else:
        given = np.asarray(hits, np.float64)
    if given.ndim != 3 or given.shape[-1] != 3:
        raise ValueError(f"the normals have the shape {given.shape}; expected (rows, columns, 3)")
    missed = np.asarray(~np.isfinite(given).all(axis=-1))
    colours = np.clip(np.where(missed[..., np.newaxis], 0.0, given) * 0.5 + 0.5, 0.0, 1.0)
    colours[missed] = _GREY
    ax = _axes(ax)
    _image(ax, colours, extent)
    return ax


def crossings(
    counts: HitLists | ArrayLike,
    *,
    ax: Axes | None = None,
    label: str = "surfaces crossed",
    cmap: str | Colormap = "viridis",
    extent: Sequence[float] | None = None,
    colorbar: bool = True,
) -> Axes:
    """How many surfaces each ray crosses: a colour for each number, grey for none.

    Parameters
    ----------
    counts : array_like of int, shape (rows, columns), or HitLists
        From `Scene.count`; or hits, of which the number is drawn.
    ax, label, cmap, extent, colorbar : optional
        As in `depth`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        What is no picture.
    """
    values = np.nan_to_num(_picture(counts.count if isinstance(counts, HitLists) else counts))
    most = max(1, int(values.max(initial=0)))
    ax = _axes(ax)
    colours = _with_misses(cmap)
    has_steps = most <= min(_STEPS, colours.N)
    how: dict[str, Any] = {"vmin": 0.5, "vmax": most + 0.5}
    if has_steps:
        how = {"norm": BoundaryNorm(np.arange(0.5, most + 1), colours.N)}
    shown = _image(ax, np.ma.masked_less(values, 1), extent, cmap=colours, **how)
    if colorbar:
        bar = _bar(ax, shown, label)
        if has_steps:
            bar.set_ticks(list(range(1, most + 1)), labels=[str(number) for number in range(1, most + 1)])
            bar.ax.minorticks_off()
        else:
            bar.locator = MaxNLocator(integer=True)
            bar.update_ticks()
    return ax


def points(
    hits: Hits | HitLists | ArrayLike,
    *,
    ax: Axes | None = None,
    up: Up = "+y",
    color: ArrayLike | str | None = None,
    unit: str = "m",
    label: str | None = None,
    cmap: str | Colormap = "viridis",
    size: float = 1.0,
    colorbar: bool = True,
) -> Axes:
    """Where rays hit: a map as seen from above, or a cloud on axes of three dimensions.

    Parameters
    ----------
    hits : Hits, HitLists or array_like, shape (..., 3)
        Hits, of which ``position`` is drawn; or places. What is not finite is left out.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default. On axes of ``projection="3d"`` up is up.
    up : {"+x", "-x", "+y", "-y", "+z", "-z"}, optional
        Which way is up, towards the eye.
    color : array_like or str, optional
        A number for each place, in the shape of the hits, which the colour bar says; or one colour. By default the
        height along `up`.
    unit, label : str, optional
        What axes and colour bar say; the label is that of the colour bar.
    cmap, colorbar : optional
        As in `depth`.
    size : float, optional
        Width of the points, in typographic points.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        Shapes that do not fit.
    """
    places = np.asarray(hits.position if isinstance(hits, (Hits, HitLists)) else hits, np.float64)
    if places.ndim == 0 or places.shape[-1] != 3:
        raise ValueError(f"hits has the shape {places.shape}; expected (..., 3)")
    axis, sign = axis_of(up)
    flat = places.reshape(-1, 3)
    seen = np.asarray(np.isfinite(flat).all(axis=1))
    flat = flat[seen]
    in_units = f" ({unit})" if unit else ""
    if color is None:
        colours: Any = flat[:, axis] * sign
        label = f"height{in_units}" if label is None else label
    elif isinstance(color, str):
        colours, colorbar = color, False
    else:
        given = np.asarray(color)
        if given.shape != places.shape[:-1]:
            raise ValueError(f"color has the shape {given.shape}; expected {places.shape[:-1]}")
        colours = given.reshape(-1)[seen]
    dots: dict[str, Any] = {"c": colours, "s": size * size, "linewidths": 0}
    if not isinstance(colours, str):
        dots["cmap"] = cmap
    ax = _axes(ax)
    # To the right, and to the top: with up they make a right-handed frame.
    right, top, flip = {0: (1, 2, sign), 1: (0, 2, -sign), 2: (0, 1, sign)}[axis]
    if getattr(ax, "name", "") == "3d":
        shown = _cloud(ax, flat, (right, top, axis), (1.0, flip, sign), dots, in_units)
    else:
        shown = ax.scatter(flat[:, right], flat[:, top], **dots)
        ax.set_aspect("equal")
        if flip < 0 and not ax.yaxis_inverted():
            ax.invert_yaxis()
        ax.set_xlabel(f"{'xyz'[right]}{in_units}")
        ax.set_ylabel(f"{'xyz'[top]}{in_units}")
    if colorbar:
        _bar(ax, shown, label or "")
    return ax


def _cloud(
    ax: Any,
    flat: Array,
    order: tuple[int, int, int],
    signs: tuple[float, float, float],
    dots: dict[str, Any],
    unit: str,
) -> Any:
    """Points on axes of three dimensions, whose third is up."""
    shown = ax.scatter(*(flat[:, axis] for axis in order), **{**dots, "depthshade": False})
    ax.set_aspect("equal")
    # Up is often the short one.
    ax.zaxis.set_major_locator(MaxNLocator(3))
    for name, axis, sign in zip("xyz", order, signs, strict=True):
        # Not back again, where points are drawn beside others.
        if sign < 0 and not getattr(ax, f"{name}axis_inverted")():
            getattr(ax, f"invert_{name}axis")()
        getattr(ax, f"set_{name}label")(f"{'xyz'[axis]}{unit}")
    return shown


def _picture(values: ArrayLike) -> Array:
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(np.float64), np.nan)
    array = np.asarray(values)
    if array.ndim != 2:
        raise ValueError(f"the picture has the shape {array.shape}; expected (rows, columns)")
    return array


def _axes(ax: Axes | None) -> Axes:
    return pyplot.subplots(layout="constrained")[1] if ax is None else ax


def _with_misses(cmap: str | Colormap) -> Colormap:
    return pyplot.get_cmap(cmap).with_extremes(bad=MISS)


def _image(ax: Axes, values: Any, extent: Sequence[float] | None, **how: Any) -> Any:
    edges = None if extent is None else tuple(float(edge) for edge in extent)
    shown = ax.imshow(values, extent=edges, interpolation="nearest", aspect="equal", **how)  # type: ignore[arg-type]
    if extent is None:
        ax.set_xticks([])
        ax.set_yticks([])
    return shown


def _bar(ax: Any, shown: Any, label: str) -> Any:
    """A colour bar as high as its picture."""
    if getattr(ax, "name", "") == "3d":
        return ax.figure.colorbar(shown, ax=ax, label=label, shrink=0.6, pad=0.12)
    room = ax.inset_axes((1.02, 0.0, 0.03, 1.0))
    return ax.figure.colorbar(shown, cax=room, label=label)
