"""Pictures of answers: what is on the axes, in which colours, and that nothing else happens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import matplotlib

matplotlib.use("Agg")

import hitscan
import numpy as np
import pytest
from hitscan import plot
from matplotlib import colors, pyplot

GREY = colors.to_rgba(plot.MISS)


@pytest.fixture(autouse=True)
def nothing_is_left_open() -> Iterator[None]:
    yield
    pyplot.close("all")


def a_picture() -> hitscan.Hits:
    scene = hitscan.load("builtin:sphere:1k")
    return scene.closest(*scene.cameras["default"].rays(40, 30))


def colours(ax: Any) -> Any:
    """What an image shows, as colours of pixels."""
    image = ax.images[0]
    array = image.get_array()
    return array if array.ndim == 3 else image.cmap(image.norm(array))


def test_depth_is_t_and_misses_are_grey() -> None:
    hits = a_picture()
    ax = plot.depth(hits, unit="km", label="range")
    shown = ax.images[0].get_array()
    assert np.array_equal(shown.mask, ~hits.hit) and np.array_equal(shown.data[hits.hit], hits.t[hits.hit])
    assert np.allclose(colours(ax)[~hits.hit], GREY) and 100 < hits.hit.sum() < 1000
    t = hits.t[hits.hit]
    near, far = (colours(ax)[hits.t == end][0, :3].sum() for end in (t.min(), t.max()))
    assert near > far
    (bar,) = ax.child_axes
    assert bar.get_ylabel() == "range (km)"
    assert ax.get_aspect() == 1.0 and ax.get_xticks().size == 0


def test_axes_are_those_that_are_given() -> None:
    _figure, (one, two) = pyplot.subplots(1, 2)
    assert plot.depth(a_picture().t, ax=one, colorbar=False, limits=(0, 9), extent=(0, 4, 0, 3)) is one
    assert one.images[0].get_clim() == (0, 9) and not one.child_axes and one.get_xticks().size
    assert plot.normals(a_picture(), ax=two) is two and len(pyplot.get_fignums()) == 1
    assert plot.normals(a_picture()) is not two and len(pyplot.get_fignums()) == 2


def test_normals_are_colours_turned_towards_the_rays() -> None:
    world = hitscan.World()
    world.insert(hitscan.Plane([0, 0, 1], [0, 0, 0]))
    scene = world.commit()
    rays = np.array([[[0, 0, 5, 0, 0, -1], [0, 0, -5, 0, 0, 1], [0, 0, 5, 0, 0, 1]]], np.float64)
    hits = scene.closest(rays)
    assert hits.facing.tolist() == [[1, -1, 0]]
    front, back, miss = colours(plot.normals(hits))[0]
    assert front.tolist() == [0.5, 0.5, 1.0] and back.tolist() == [0.5, 0.5, 0.0] and np.allclose(miss, GREY[:3])
    assert colours(plot.normals(hits.normal))[0, 1].tolist() == [0.5, 0.5, 1.0]


def test_crossings_have_a_colour_for_each_number() -> None:
    ax = plot.crossings([[0, 1, 2], [3, 3, 0]])
    shown = colours(ax)
    assert np.allclose(shown[0, 0], GREY) and np.allclose(shown[1, 2], GREY)
    assert len({tuple(colour) for colour in shown.reshape(-1, 4)}) == 4
    assert [text.get_text() for text in ax.child_axes[0].get_yticklabels()] == ["1", "2", "3"]
    many = plot.crossings(np.arange(40).reshape(5, 8))
    assert len({tuple(colour) for colour in colours(many).reshape(-1, 4)}) == 40
    assert all(float(tick).is_integer() for tick in many.child_axes[0].get_yticks())
    nothing = plot.crossings(np.zeros((2, 2), int))
    assert np.allclose(colours(nothing), GREY)


def test_crossings_of_lists() -> None:
    scene = hitscan.load("builtin:sphere:1k")
    lists = scene.all_hits(*scene.cameras["default"].rays(40, 30), columns=("t",))
    assert np.array_equal(plot.crossings(lists).images[0].get_array().filled(0), lists.count)


@pytest.mark.parametrize(
    ("up", "right", "top", "inverted"),
    [
        ("+y", 0, 2, True),
        ("-y", 0, 2, False),
        ("+z", 0, 1, False),
        ("-z", 0, 1, True),
        ("+x", 1, 2, False),
        ("-x", 1, 2, True),
    ],
)
def test_points_are_seen_from_above(up: Any, right: int, top: int, inverted: bool) -> None:
    places = np.array([[1.0, 2.0, 3.0], [np.nan] * 3, [4.0, 5.0, 7.0]])
    ax = plot.points(places, up=up)
    (dots,) = ax.collections
    assert dots.get_offsets().tolist() == places[[0, 2]][:, [right, top]].tolist()
    axis, sign = "xyz".index(up[1]), 1 if up[0] == "+" else -1
    assert dots.get_array().tolist() == (places[[0, 2], axis] * sign).tolist()
    assert (ax.get_xlabel(), ax.get_ylabel()) == (f"{'xyz'[right]} (m)", f"{'xyz'[top]} (m)")
    assert ax.yaxis_inverted() == inverted and ax.get_aspect() == 1.0
    # To the right, to the top and towards the eye are a right-handed frame.
    frame = np.eye(3)
    assert np.array_equal(np.cross(frame[right], frame[top] * (-1 if inverted else 1)), frame[axis] * sign)


def test_points_have_the_colours_that_they_are_given() -> None:
    hits = a_picture()
    ax = plot.points(hits, color=hits.t, label="range (m)")
    (dots,) = ax.collections
    assert dots.get_array().tolist() == hits.t[hits.hit].tolist() and ax.child_axes[0].get_ylabel() == "range (m)"
    plain = plot.points(hits, color="black")
    assert not plain.child_axes and colors.to_hex(plain.collections[0].get_facecolor()[0]) == "#000000"
    again = plot.points(hits, ax=ax)
    assert again is ax and ax.yaxis_inverted()


def test_a_cloud_has_up_for_its_third_axis() -> None:
    ax: Any = pyplot.figure().add_subplot(projection="3d")
    plot.points(np.array([[1.0, 2.0, 3.0], [4.0, 6.0, 8.0]]), ax=ax)
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_zlabel()) == ("x (m)", "z (m)", "y (m)")
    assert ax.yaxis_inverted() and not ax.zaxis_inverted()
    ax.figure.canvas.draw()
    plot.points(np.array([[2.0, 2.0, 2.0]]), ax=ax)
    assert ax.yaxis_inverted() and not ax.zaxis_inverted()


def test_what_is_masked_is_not_drawn() -> None:
    masked = np.ma.array([[1.0, 2.0]], mask=[[False, True]])
    assert np.allclose(colours(plot.depth(masked))[0, 1], GREY)
    assert np.allclose(colours(plot.crossings(masked))[0, 1], GREY)
    plot.crossings(np.arange(13).reshape(1, 13), cmap="tab10")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: plot.depth(np.zeros(3)), r"the picture has the shape \(3,\); expected \(rows, columns\)"),
        (lambda: plot.crossings(np.zeros((1, 2, 3), int)), r"the picture has the shape \(1, 2, 3\)"),
        (lambda: plot.normals(np.zeros((4, 3))), r"the normals have the shape \(4, 3\)"),
        (lambda: plot.points(np.zeros((4, 2))), r"hits has the shape \(4, 2\); expected \(..., 3\)"),
        (lambda: plot.points(np.zeros((4, 3)), color=np.zeros(3)), r"color has the shape \(3,\); expected \(4,\)"),
        (lambda: plot.points(np.zeros((4, 3)), up="z"), "up is 'z'"),
    ],
)
def test_what_is_no_picture(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyplot, "show", lambda *_: pytest.fail("a window"))
    hits = a_picture()
    for ax in (plot.depth(hits), plot.normals(hits), plot.crossings(hits.hit.astype(int)), plot.points(hits)):
        ax.figure.canvas.draw()
