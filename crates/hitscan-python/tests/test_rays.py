"""Rays of sensors and pictures: their conventions, on numbers that can be told by heart, and their statistics."""

from __future__ import annotations

import math
from typing import Any

import hitscan
import numpy as np
import pytest
from hitscan.rays import first_returns, hemisphere, incidence, last_returns, lidar, orthographic

UPS = ("+x", "-x", "+y", "-y", "+z", "-z")


def unit(direction: Any) -> Any:
    return np.asarray(direction) / np.linalg.norm(direction)


@pytest.mark.parametrize("up", UPS)
def test_a_turn_goes_forward_left_back_right(up: Any) -> None:
    above = np.eye(3)["xyz".index(up[1])] * (1 if up[0] == "+" else -1)
    origins, directions = lidar((1, 2, 3), [0.0], 4, up=up)
    assert origins.tolist() == [1, 2, 3] and directions.shape == (1, 4, 3)
    forward, left, back, right = directions[0]
    assert np.allclose(forward, [1, 0, 0] if up[1] == "z" else [0, 0, -1])
    # Counter-clockwise as seen from above: from forward to left is a right-handed turn around up.
    assert np.allclose(np.cross(forward, left), above)
    assert np.allclose(back, -forward) and np.allclose(right, -left)


def test_channels_go_from_the_top_down_and_are_degrees_above_the_horizon() -> None:
    directions = lidar((0, 0, 0), 4, 8, fov=(-25, 5)).directions
    assert directions.shape == (4, 8, 3)
    assert np.allclose(np.degrees(np.arcsin(directions[..., 1])), np.array([5, -5, -15, -25])[:, None])
    assert np.allclose(np.linalg.norm(directions, axis=-1), 1, atol=1e-15)
    assert np.allclose(lidar((0, 0, 0), 1, 3, fov=(-10, 30)).directions[..., 1], math.sin(math.radians(10)))
    given = lidar((0, 0, 0), [-90, 0, 90], [0, 45]).directions
    assert np.allclose(given[:, 1], [[0, -1, 0], [-(0.5**0.5), 0, -(0.5**0.5)], [0, 1, 0]])


def test_forward_counts_as_it_lies_in_the_horizon() -> None:
    forward = lidar((0, 0, 0), [0], 1, forward=(3, 100, 4)).directions[0, 0]
    assert np.allclose(forward, [0.6, 0, 0.8])


def test_a_scanner_that_moves() -> None:
    track = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0]])
    world = hitscan.World()
    world.insert(hitscan.Plane([0, 1, 0], [0, -2, 0]))
    hits = world.commit().closest(*lidar(track, [-90, -30], 3))
    assert hits.t.shape == (2, 3)
    assert np.allclose(hits.position[0], [[0, -2, 0], [1, -2, 0], [2, -2, 0]])
    assert np.allclose(hits.t[1], 4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"channels": 0}, "channels is 0; expected 1 or more"),
        ({"channels": [0, 91]}, "channels row 1 is 91.0; expected elevations of -90 to 90"),
        ({"channels": [[0]]}, r"channels has the shape \(1, 1\)"),
        ({"channels": 2, "fov": (0, math.nan)}, r"fov is \(0.0, nan\); expected elevations of -90 to 90"),
        ({"channels": 2, "fov": (math.nan, 0)}, r"fov is \(nan, 0.0\); expected"),
        ({"fov": (0, 91)}, r"fov is \(0.0, 91.0\); expected"),
        ({"fov": (1,)}, r"fov has the shape \(1,\); expected two numbers"),
        ({"fov": 30}, r"fov has the shape \(\); expected two numbers"),
        ({"azimuths": []}, r"azimuths has the shape \(0,\)"),
        ({"azimuths": [0, math.inf]}, "azimuths has inf at 1; expected finite"),
        ({"eye": (0, 0)}, r"eye has the shape \(2,\); expected \(3,\) or \(1024, 3\)"),
        ({"forward": (0, 2, 0)}, r"forward is along \+y"),
        ({"up": "y"}, "up is 'y'; expected one of"),
    ],
)
def test_what_is_no_scanner(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        lidar(**{"eye": (0, 0, 0), **arguments})


def test_pixels_of_a_plan_are_as_large_as_it_says() -> None:
    origins, directions = orthographic((10, 20, 30), (0, 0, -5), (6, 4), (4, 3))
    assert origins.shape == (4, 3, 3) and directions.tolist() == [0, 0, -1]
    assert origins[0, 0].tolist() == [8, 21.5, 30] and origins[-1, -1].tolist() == [12, 18.5, 30]
    assert np.allclose(origins.mean(axis=(0, 1)), [10, 20, 30])


def test_a_plan_has_a_right_handed_frame() -> None:
    random = np.random.default_rng(1)
    for _ in range(50):
        forward, up = random.normal(size=(2, 3))
        origins, way = orthographic((0, 0, 0), forward, (2, 2), (2, 2), up=up)
        right, top = origins[0, 1] - origins[0, 0], origins[0, 0] - origins[1, 0]
        assert np.allclose(way, unit(forward)) and np.allclose(np.cross(right, top), -way)
        assert top @ up > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"up": (0, 0, 3)}, "up is along forward"),
        ({"forward": (0, 0, 0)}, "forward is zero"),
        ({"size": (0, 1)}, "size is 0.0 x 1.0"),
        ({"size": (1, math.inf)}, "expected finite lengths above 0"),
        ({"size": (1, 1, 1)}, r"size has the shape \(3,\); expected two numbers"),
        ({"shape": (0, 1)}, r"shape is \(0, 1\)"),
        ({"shape": (1, 1, 1)}, r"shape is \(1, 1, 1\); expected two whole numbers"),
        ({"shape": 5}, "shape is 5; expected two whole numbers"),
        ({"center": (0, 0, math.nan)}, "center has nan at 2"),
    ],
)
def test_what_is_no_plan(arguments: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = {"center": (0, 0, 0), "forward": (0, 0, -1), "size": (1, 1), "shape": (1, 1)}
    with pytest.raises(ValueError, match=message):
        orthographic(**{**good, **arguments})


NORMALS = [(0, 0, 1), (0, 0, -1), (0, 3, 0), (1e-200, 0, 0), (1e200, -1e200, 1e200), (1, 1e-9, -1)]


@pytest.mark.parametrize(("weight", "mean"), [("cosine", 2 / 3), ("uniform", 1 / 2)])
def test_hemispheres_are_spread_evenly(weight: Any, mean: float) -> None:
    directions = hemisphere(NORMALS, 4096, weight=weight)
    assert directions.shape == (6, 4096, 3)
    assert np.allclose(np.linalg.norm(directions, axis=-1), 1, atol=1e-14)
    scaled = np.array(NORMALS) / np.abs(NORMALS).max(axis=1)[:, None]
    n = scaled / np.linalg.norm(scaled, axis=1)[:, None]
    cosines = (directions * n[:, None]).sum(axis=-1)
    assert cosines.min() >= -1e-15
    assert np.allclose(cosines.mean(axis=1), mean, atol=2e-4)
    # As many in each of ten rings of equal weight, and no side preferred, far closer than chance would have it.
    place = cosines**2 if weight == "cosine" else cosines
    for row in place:
        assert np.ptp(np.histogram(row, 10, (0, 1))[0]) <= 2
    aside = directions - cosines[..., None] * n[:, None]
    assert np.abs(aside.mean(axis=1)).max() < 2e-3


def test_hemispheres_are_the_seeds_own() -> None:
    normals = np.tile([0.0, 1.0, 0.0], (2, 3, 1))
    first = hemisphere(normals, 16, seed=7)
    assert first.shape == (2, 3, 16, 3)
    assert np.array_equal(first, hemisphere(normals, 16, seed=7))
    assert not np.array_equal(first, hemisphere(normals, 16, seed=8))
    # Equal normals have other directions.
    assert not np.array_equal(first[0, 0], first[0, 1])
    assert hemisphere([0, 0, 1], 5).shape == (5, 3) and hemisphere(np.empty((0, 3)), 5).shape == (0, 5, 3)


def test_what_has_no_hemisphere() -> None:
    with pytest.raises(ValueError, match="normals row 1 has nan; expected finite"):
        hemisphere([[0, 0, 1], [0, math.nan, 0]], 4)
    with pytest.raises(ValueError, match="normals row 1 is zero"):
        hemisphere([[0, 0, 1], [0, 0, 0]], 4)
    with pytest.raises(ValueError, match="normals row 0 has nan; expected finite"):
        hemisphere([[0, 0, math.nan]], 4)
    with pytest.raises(ValueError, match="samples is 0"):
        hemisphere([0, 0, 1], 0)
    with pytest.raises(ValueError, match="weight is 'phong'"):
        hemisphere([0, 0, 1], 4, weight="phong")  # type: ignore[arg-type]


def test_incidence_is_the_angle_to_the_normal_from_either_side() -> None:
    degrees = np.array([0, 1e-7, 30, 45, 60, 90])
    directions = np.stack([np.sin(np.radians(degrees)), 0 * degrees, -np.cos(np.radians(degrees))], axis=1)
    for sign in (1, -1):
        assert np.allclose(incidence(7 * directions, [0, 0, sign]), degrees, rtol=1e-12, atol=1e-14)
    assert np.isnan(incidence([0, 0, -1], [math.nan] * 3))
    assert np.isnan(incidence([[0, 0, -1], [0, 0, 0]], [[0, 0, 0], [0, 0, 1]])).all()
    for size in (1e-200, 1e200):
        assert np.allclose(incidence([size, 0, -size], [0, 0, 1 / size]), 45)
    with pytest.raises(ValueError, match=r"normals has the shape \(2,\)"):
        incidence([0, 0, 1], [0, 1])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: incidence([[1, 0, 0]] * 2, [[0, 0, 1]] * 3), ValueError, r"directions and normals .* \(2,\), \(3,\)"),
        (lambda: incidence("abc", [0, 0, 1]), TypeError, "directions has the dtype <U3"),
        (lambda: incidence([0, 0, 1], [0, 0, None]), TypeError, "normals has the dtype object"),
        (lambda: lidar((0, 0, 0), fov="ab"), TypeError, "fov has the dtype <U2"),
        (lambda: lidar("abc"), TypeError, "eye has the dtype <U3"),
        (lambda: lidar((0, 0, 0), channels=["a"]), TypeError, "channels has the dtype <U1"),
        (lambda: orthographic((0, 0, 0), (0, 0, 1), (1, 1), (1.5, 1)), TypeError, "shape is 1.5; expected a whole"),
        (lambda: hemisphere((0, 0, 1), 1.5), TypeError, "samples is 1.5; expected a whole number"),
        (lambda: hemisphere((0, 0, 1), 4, seed=-1), ValueError, "seed is -1; expected a whole number of 0 or more"),
        (lambda: hemisphere((0, 0, 1), 4, seed=1.5), TypeError, "seed is 1.5; expected a whole number of 0 or more"),
        (lambda: lidar((0, 0, 0), 16.0), TypeError, "channels is 16.0; expected a whole number, or angles of shape"),
        (lambda: lidar((0, 0, 0), azimuths=np.float32(9)), TypeError, "azimuths is 9.0; expected a whole number, or"),
    ],
)
def test_arguments_are_named(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{message}"):
        call()


def test_first_and_last_returns() -> None:
    world = hitscan.World()
    for x in (0, -2, -4):
        world.insert(hitscan.Plane([1, 0, 0], [x, 0, 0]), material=abs(x))
    scene = world.commit()
    rays = np.array([[[5, 0, 0, -1, 0, 0], [5, 0, 0, 1, 0, 0]], [[-1, 0, 0, -1, 0, 0], [-3, 0, 0, -2, 0, 0]]])
    lists = scene.all_hits(rays, columns=hitscan.Hits._COLUMNS)
    first, last = first_returns(lists), last_returns(lists)
    right = scene.closest(rays, columns=hitscan.Hits._COLUMNS)
    for name in right:
        assert np.array_equal(first[name], right[name], equal_nan=right[name].dtype.kind == "f")
        assert first[name].dtype == right[name].dtype and last[name].shape == right[name].shape
    assert last.t.tolist() == [[9, math.inf], [3, 0.5]] and last.material.tolist() == [[4, -1], [4, 4]]
    assert last_returns(scene.first_n(rays, n=2)).t.tolist() == [[7, math.inf], [3, 0.5]]
    with pytest.raises(TypeError, match="lists is a Hits; expected HitLists"):
        first_returns(right)  # type: ignore[arg-type]


def test_returns_of_one_ray() -> None:
    lists = hitscan.load("builtin:sphere:1k").all_hits([0, 0, 3], [0, 0, -1])
    assert first_returns(lists).t.shape == () and last_returns(lists).t.round(1) == 4.0


def test_returns_of_nothing() -> None:
    lists = hitscan.load("builtin:sphere:1k").all_hits(np.empty((0, 6)))
    assert first_returns(lists).t.shape == (0,) and len(last_returns(lists)) == 0
