"""Answers are those of every triangle asked one by one, on every bit, and those of the command."""

from __future__ import annotations

import json
import subprocess

import hitscan
import numpy as np
import pytest
from brute import crossings
from conftest import SCENES, Soup, cube


@pytest.fixture(scope="module")
def truth(soup: Soup) -> list[list[tuple[float, int, float, float, int]]]:
    rays = zip(soup.origins, soup.directions, strict=True)
    return [crossings(soup.vertices, soup.faces, origin, direction) for origin, direction in rays]


def test_closest_is_the_first_of_all_triangles(soup, mesh, truth):
    hits = mesh.closest(soup.origins, soup.directions)
    assert hits.hit.sum() > 300
    for row, found in enumerate(truth):
        if found:
            t, prim, u, v, facing = found[0]
            assert (hits.t[row], hits.prim[row], hits.u[row], hits.v[row]) == (t, prim, u, v)
            assert (hits.facing[row], hits.instance[row]) == (facing, 0)
        else:
            assert (hits.t[row], hits.prim[row], hits.instance[row]) == (np.inf, -1, -1)
            assert hits.facing[row] == 0
            assert np.isnan([hits.u[row], hits.v[row], *hits.position[row], *hits.normal[row]]).all()


def test_all_hits_are_all_triangles(soup, mesh, truth):
    lists = mesh.all_hits(soup.origins, soup.directions)
    assert lists.offsets.tolist() == np.cumsum([0, *map(len, truth)]).tolist()
    flat = [hit for found in truth for hit in found]
    assert lists.t.tolist() == [hit[0] for hit in flat]
    assert lists.prim.tolist() == [hit[1] for hit in flat]
    assert lists.u.tolist() == [hit[2] for hit in flat]
    assert lists.v.tolist() == [hit[3] for hit in flat]
    assert lists.facing.tolist() == [hit[4] for hit in flat]
    assert lists.ray.tolist() == [row for row, found in enumerate(truth) for _ in found]
    assert len(flat) > 1000


def test_the_questions_agree(soup, mesh, truth):
    rays = (soup.origins, soup.directions)
    assert mesh.occluded(*rays).tolist() == [bool(found) for found in truth]
    assert mesh.count(*rays).tolist() == [len(found) for found in truth]
    first = mesh.first_n(*rays, n=2)
    assert np.diff(first.offsets).tolist() == [min(2, len(found)) for found in truth]
    assert first.t.tolist() == [hit[0] for found in truth for hit in found[:2]]
    for row, (origin, direction) in enumerate(zip(*rays, strict=True)):
        one = mesh.closest_one(origin, direction)
        assert (one is not None) == bool(truth[row]) == mesh.occluded_one(origin, direction)
        if one is not None:
            assert (one.t, one.prim, one.u, one.v, one.facing) == truth[row][0]


def test_positions_and_normals_are_those_of_the_triangle(soup, mesh):
    columns = ("t", "distance", "position", "normal", "u", "v", "prim", "material")
    hits = mesh.closest(soup.origins, soup.directions, columns=columns)
    rows = np.flatnonzero(hits.hit)
    a, b, c = soup.vertices[soup.faces[hits.prim[rows]]].astype(np.float64).transpose(1, 0, 2)
    u, v = hits.u[rows, None], hits.v[rows, None]
    assert (hits.position[rows] == ((1.0 - u) - v) * a + u * b + v * c).all()
    normal = np.cross(b - a, c - a)
    np.testing.assert_allclose(
        hits.normal[rows], normal / np.linalg.norm(normal, axis=1, keepdims=True), rtol=0, atol=1e-12
    )
    length = np.linalg.norm(soup.directions[rows], axis=1)
    np.testing.assert_allclose(hits.distance[rows], hits.t[rows] * length, rtol=1e-15)
    assert (hits.material[rows] == 0).all() and (hits.material[~hits.hit] == -1).all()


def test_records_and_whole_hits_agree(soup, mesh):
    few = mesh.closest(soup.origins, soup.directions, columns=("t", "u", "v", "instance", "prim", "facing"))
    whole = mesh.closest(soup.origins, soup.directions)
    for name in few:
        np.testing.assert_array_equal(few[name], whole[name])
    few = mesh.all_hits(soup.origins, soup.directions, columns=("t", "u", "v", "instance", "prim", "facing"))
    whole = mesh.all_hits(soup.origins, soup.directions)
    for name in ("offsets", *few.columns):
        np.testing.assert_array_equal(getattr(few, name), getattr(whole, name))


def test_limits(soup, mesh, truth):
    limits = np.linspace(0.2, 1.4, len(soup.origins))
    near = mesh.closest(soup.origins, soup.directions, t_min=0.3, t_max=np.maximum(limits, 0.3))
    for row, (origin, direction) in enumerate(zip(soup.origins, soup.directions, strict=True)):
        found = crossings(soup.vertices, soup.faces, origin, direction, 0.3, max(limits[row], 0.3))
        assert near.t[row] == (found[0][0] if found else np.inf)
    behind = mesh.count(soup.origins, soup.directions, t_min=-np.inf)
    assert behind.sum() > sum(map(len, truth))


@pytest.mark.parametrize(("facing", "sign"), [("front", 1), ("back", -1)])
def test_facing(soup, mesh, truth, facing, sign):
    lists = mesh.all_hits(soup.origins, soup.directions, facing=facing)
    assert lists.t.tolist() == [hit[0] for found in truth for hit in found if hit[4] == sign]


def test_a_shared_edge_is_crossed_once(box):
    diagonals = np.array([[0.5, 0.5, 2.0], [0.25, 0.25, 2.0], [0.0, 0.0, 2.0], [1.0, 1.0, 2.0]])
    assert set(box.count(diagonals, [0, 0, -1]).tolist()) <= {0, 2}
    assert box.count(diagonals[:2], [0, 0, -1]).tolist() == [2, 2]


def test_intervals(box):
    wounds = box.intervals([[-1, 0.5, 0.25], [5, 5, 5], [0.5, 0.5, 0.25]], [[2, 0, 0], [1, 0, 0], [1, 0, 0]])
    assert wounds.offsets.tolist() == [0, 1, 1, 2]
    assert wounds.enter.tolist() == [0.5, 0.0] and wounds.exit.tolist() == [1.0, 0.5]
    assert wounds.thickness.tolist() == [1.0, 0.5]
    assert wounds.instance.tolist() == [0, 0] and wounds.material.tolist() == [0, 0]
    assert box.intervals([5, 5, 5], [1, 0, 0], columns="thickness").thickness.shape == (0,)


def test_points(box):
    vertices, faces = cube()
    rng = np.random.default_rng(3)
    points = rng.uniform(-0.5, 1.5, (500, 3))
    inside = ((points >= 0) & (points <= 1)).all(axis=1)
    for rule in ("parity", "winding"):
        assert (box.contains(points, rule=rule) == inside).all()
    outside = np.maximum(np.maximum(-points, points - 1), 0)
    depth = np.minimum(points, 1 - points).min(axis=1)
    expected = np.where(inside, -depth, np.linalg.norm(outside, axis=1))
    np.testing.assert_allclose(box.signed_distance(points), expected, rtol=0, atol=1e-15)
    nearest = box.closest_point(points)
    np.testing.assert_allclose(nearest.distance, np.abs(expected), rtol=0, atol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(nearest.position - points, axis=1), nearest.distance, atol=1e-15)
    corners = vertices[faces[nearest.prim]]
    weights = np.stack([(1.0 - nearest.u) - nearest.v, nearest.u, nearest.v], axis=1)
    np.testing.assert_allclose((weights[..., None] * corners).sum(axis=1), nearest.position, atol=1e-15)
    near = box.closest_point([[0.5, 0.5, 3.0], [0.5, 0.5, 1.25]], max_distance=0.5)
    assert near.distance.tolist() == [np.inf, 0.25] and near.prim[0] == -1 and np.isnan(near.position[0]).all()


def solid_angles(corners, points):
    """By Van Oosterom and Strackee, summed over triangles: the winding number by another formula than the library's."""
    a, b, c = (corners[None, :, i] - points[:, None] for i in range(3))
    la, lb, lc = (np.linalg.norm(v, axis=2) for v in (a, b, c))
    inner = [(p * q).sum(axis=2) for p, q in ((a, b), (b, c), (c, a))]
    volume = (np.cross(a, b) * c).sum(axis=2)
    return np.arctan2(volume, la * lb * lc + inner[0] * lc + inner[1] * la + inner[2] * lb).sum(axis=1) / (2 * np.pi)


def test_winding_numbers(box):
    vertices, faces = cube()
    points = np.random.default_rng(7).uniform(-0.5, 1.5, (40, 25, 3))
    inside = ((points >= 0) & (points <= 1)).all(axis=2)
    found = box.winding_number(points)
    assert found.dtype == np.float64 and (found == inside).all()
    for lost in range(len(faces)):
        kept = np.delete(faces, [lost, (lost + 5) % len(faces)], axis=0)
        open_box = hitscan.Mesh(vertices, kept)
        out = np.empty(points.shape[:2])
        assert open_box.winding_number(points, out=out, threads=2) is out
        expected = solid_angles(vertices[kept].astype(float), points.reshape(-1, 3)).reshape(out.shape)
        np.testing.assert_allclose(out, expected, rtol=0, atol=1e-12)
        assert (out == open_box.winding_number(points, threads=1)).all()
        assert (open_box.contains(points, rule="winding") == (np.abs(out) >= 0.5)).all()
        assert open_box.winding_number(points[0, 0]).item() == out[0, 0]


def test_points_of_a_scene(box):
    world = hitscan.World()
    world.insert(box, mask=1)
    world.insert(hitscan.Sphere([5, 0, 0], 1.0), mask=2)
    scene = world.commit()
    points = [[0.5, 0.5, 0.5], [5, 0.5, 0], [9, 9, 9]]
    assert scene.contains(points).tolist() == [True, True, False]
    assert scene.contains(points, mask=2).tolist() == [False, True, False]
    assert scene.signed_distance(points)[:2].tolist() == [-0.5, -0.5]
    assert scene.closest_point(points).instance.tolist() == [0, 1, 1]


@pytest.mark.parametrize("mask", [0, 1, 1 << 31])
def test_a_mask_is_for_a_mesh_what_it_is_for_a_scene_of_it(box, mesh, mask):
    points = np.random.default_rng(6).uniform(-0.5, 1.5, (200, 3))
    for one, rule in ((box, "parity"), (mesh, "winding"), *([(mesh, "parity")] if mask == 0 else [])):
        world = hitscan.World()
        world.insert(one)
        scene = world.commit()
        for some in (points, points[:3]):
            for name in ("contains", "signed_distance"):
                found, expected = (getattr(each, name)(some, rule=rule, mask=mask) for each in (one, scene))
                np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14)
            nearest, expected = (each.closest_point(some, mask=mask) for each in (one, scene))
            for column in expected:
                np.testing.assert_allclose(nearest[column], expected[column], rtol=0, atol=1e-14)
            rays = np.hstack([some, 0.5 - some])
            np.testing.assert_array_equal(one.count(rays, mask=mask), scene.count(rays, mask=mask))
    assert box.contains([[0.5, 0.5, 0.5]], mask=mask).tolist() == [mask != 0]


def test_an_open_mesh_has_no_parity(mesh):
    with pytest.raises(hitscan.HitscanError, match=r"rule: .*the mesh is open at the edge .*winding number"):
        mesh.contains([[0, 0, 0]])
    assert mesh.contains([[90, 0, 0]], rule="winding").tolist() == [False]
    world = hitscan.World()
    world.insert(mesh)
    with pytest.raises(hitscan.HitscanError, match=r"instance 0 .*open at the edge"):
        world.commit().contains(np.zeros((2000, 3)))
    assert mesh.open_edge().prim == 0


def test_heights():
    world = hitscan.World()
    world.insert(hitscan.Plane([0, 1, 0], [0, 0, 0]))
    world.insert(hitscan.Box([0, 3, 0], [1, 4, 1]))
    scene = world.commit()
    places = np.array([[[0.5, 0.5], [2, 2]]])
    assert scene.heights(places).height.tolist() == [[4.0, 0.0]]
    assert scene.heights(places, below=3.5).height.tolist() == [[3.0, 0.0]]
    assert scene.heights(places, below=[[2.0, -1.0]]).height.tolist()[0][0] == 0.0
    assert np.isnan(scene.heights(places, below=[[2.0, -1.0]]).height[0, 1])
    ground = scene.heights(places, columns=("instance",))
    assert ground.instance.tolist() == [[1, 0]] and ground.columns == ("height", "position", "instance")
    assert scene.heights([[3.5, 0.5]], up="+x").height.tolist() == [1.0]
    with pytest.raises(ValueError, match="up is 'y'"):
        scene.heights(places, up="y")


def test_sight(box):
    world = hitscan.World()
    world.insert(box)
    scene = world.commit()
    eyes, targets = [[-1, 0.5, 0.25], [0.5, 0.5, 3]], [[2, 0.5, 0.25], [0.5, 0.5, 4], [-1, 0.5, 0.25]]
    assert scene.sight(eyes, targets[:2]).tolist() == [False, True]
    assert scene.sight(eyes, targets, pairs="all").tolist() == [[False, True, True], [True, True, True]]
    assert scene.sight(eyes[0], targets).tolist() == [False, True, True]
    # Exactly up to the surface.
    assert scene.sight([-1, 0.5, 0.25], [0, 0.5, 0.25]).item() is False


def test_sight_of_points_that_are_nearer_than_any_direction_is_long():
    pane = hitscan.Mesh([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]])
    near = np.array([2.0**-199, 2.0**-202, 1e-300, 5e-324])
    eyes, targets = (np.outer(side * near, [0, 0, 1]) for side in (1, -1))
    assert not pane.sight(eyes, targets).any()
    assert pane.sight(eyes + [9, 0, 0], targets + [9, 0, 0]).all()  # beside it
    assert pane.sight(eyes, eyes).all()


def test_camera():
    camera = hitscan.Camera.look_at((3, 2, 5), (0, 0, 0), fov=50)
    origins, directions = camera.rays(33, 17)
    assert origins.shape == (3,) and directions.shape == (17, 33, 3)
    np.testing.assert_allclose(directions[8, 16], camera.forward, atol=1e-15)
    np.testing.assert_allclose(directions @ camera.forward, 1.0, atol=1e-14)
    top = directions[0, 16] @ camera.up
    assert top == pytest.approx(camera.tan_half_fov * 16 / 17)
    assert camera.rays(4, 4, dtype=np.float32).directions.dtype == np.float32
    with pytest.raises(hitscan.HitscanError, match="camera: the field of view is 180"):
        hitscan.Camera((0, 0, 0), (0, 0, -1), fov=180)
    with pytest.raises(ValueError, match="0 x 4 pixels"):
        camera.rays(0, 4)


def from_csv(text: str) -> dict[str, np.ndarray]:
    names, *rows = text.splitlines()
    cells = [[cell or "nan" for cell in row.split(",")] for row in rows]
    return {name: np.array([row[i] for row in cells]) for i, name in enumerate(names.split(","))}


@pytest.mark.parametrize("name", ["builtin:range", "builtin:terrain:20k", "kitchen.glb", "fandisk.obj"])
def test_the_command_says_the_same(command, name, tmp_path):
    if not name.startswith("builtin:"):
        name = str(SCENES / name)
        if not (SCENES / name).exists():
            pytest.skip(f"{name} is not there")
    scene = hitscan.load(name)
    low, high = scene.bounds
    rng = np.random.default_rng(5)
    rays = rng.uniform(low, high, (3000, 2, 3))
    rays = np.concatenate([rays[:, 0], rays[:, 1] - rays[:, 0]], axis=1)
    file = tmp_path / "rays.csv"
    lines = [",".join(map(repr, row)) for row in rays.tolist()]
    file.write_text("\n".join(["ox,oy,oz,dx,dy,dz", *lines]) + "\n")

    def cast(mode: str) -> dict[str, np.ndarray]:
        call = [command, "cast", name, "--rays", str(file), "--mode", mode, "-q"]
        return from_csv(subprocess.run(call, capture_output=True, text=True, check=True).stdout)

    table = cast("closest")
    columns = ("t", "distance", "position", "normal", "u", "v", "instance", "prim", "material", "facing")
    hits = scene.closest(rays, columns=columns)
    assert hits.hit.sum() > 100
    for column in ("t", "distance", "u", "v"):
        np.testing.assert_array_equal(hits[column], table[column].astype(float))
    for column, axes in (("position", "x y z"), ("normal", "nx ny nz")):
        for number, axis in enumerate(axes.split()):
            np.testing.assert_array_equal(hits[column][:, number], table[axis].astype(float))
    np.testing.assert_array_equal(hits.prim, table["prim"].astype(int))
    np.testing.assert_array_equal(hits.instance[hits.hit], table["instance"][hits.hit].astype(int))
    assert (scene.occluded(rays) == (cast("occluded")["occluded"] == "true")).all()
    every = cast("all")
    lists = scene.all_hits(rays)
    np.testing.assert_array_equal(lists.ray, every["ray"].astype(int))
    np.testing.assert_array_equal(lists.t, every["t"].astype(float))
    np.testing.assert_array_equal(lists.prim, every["prim"].astype(int))


def test_the_command_makes_the_same_camera(command):
    scene = hitscan.load("builtin:range")
    camera = hitscan.Camera.look_at((0, 1.7, 9), (0, 1, 0), fov=60)
    options = ["--eye", "0,1.7,9", "--look", "0,1,0", "--fov", "60", "--size", "64x48", "--json"]
    call = [command, "pick", "builtin:range", "--at", "10.5,40.5", *options]
    answer = json.loads(subprocess.run(call, capture_output=True, text=True, check=True).stdout)
    origins, directions = camera.rays(64, 48)
    assert directions[40, 10].tolist() == answer["ray"]["dir"]
    assert scene.closest(origins, directions).t[40, 10] == answer["hits"][0]["t"]
