"""Worlds, scenes, and the files that hold them."""

from __future__ import annotations

import copy
import gc
import os
import pathlib
import pickle
import struct
import subprocess
import sys
import weakref
import zlib
from types import SimpleNamespace

import hitscan
import numpy as np
import pytest
from conftest import SCENES, cube
from hitscan import HitscanError
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.fixture
def saved(ball, tmp_path) -> pathlib.Path:
    path = tmp_path / "ball.hitscan"
    ball.save(path)
    return path


def rays(count: int = 2000, seed: int = 9) -> np.ndarray:
    rng = np.random.default_rng(seed)
    origins = rng.uniform(-3, 3, (count, 3))
    return np.concatenate([origins, rng.uniform(-1, 1, (count, 3)) - origins], axis=1)


def test_a_world_that_changes(box):
    world = hitscan.World()
    first, second = world.insert(box), world.insert(box, np.eye(4))
    assert (first, second, len(world), list(world)) == (0, 1, 2, [first, second])
    moved = [[1, 0, 0, 10], [0, 1, 0, 0], [0, 0, 1, 0]]
    world.set_transform(second, moved)
    before = world.commit()
    world.remove(first)
    third = world.insert(hitscan.Sphere([0.5, 0.5, 0.5], 0.25), moved, material=7)
    assert (third, third.generation, repr(third)) == (0, 1, "InstanceId(0, generation=1)")
    after = world.commit()
    ray = ([10.5, 0.5, -5], [0, 0, 1])
    assert before.all_hits(*ray).instance.tolist() == [1, 1]
    # Faces of the box are crossed on a diagonal of theirs, once each.
    hits = after.all_hits(*ray, columns=("instance", "material", "facing"))
    assert hits.instance.tolist() == [1, 0, 0, 1] and hits.material.tolist() == [0, 7, 7, 0]
    assert (hits.instance == third).tolist() == [False, True, True, False]
    with pytest.raises(HitscanError, match=r"instance: 0 \(generation 0\) is not there"):
        world.remove(first)
    world.remove(0)
    with pytest.raises(HitscanError, match="instance: 0 is not there"):
        world.set_mask(0, 1)
    world.set_mask(second, 0)
    assert not world.commit().occluded(*ray)
    world.set_mask(second, 4)
    assert world.commit().occluded(*ray, mask=6) and not world.commit().occluded(*ray, mask=3)
    world.set_geometry(second, hitscan.Box([0, 0, 0], [1, 1, 2]))
    assert world.commit().intervals(*ray).thickness.tolist() == [2.0]
    world.set_transform(second, None)
    assert world.commit().bounds[1] == pytest.approx([1.0, 1.0, 2.0], abs=1e-4)
    assert repr(world) == "World(1 instance)"
    assert pickle.loads(pickle.dumps(third)).generation == 1


def test_transforms():
    vertices, faces = cube()
    mesh, world = hitscan.Mesh(vertices, faces), hitscan.World()
    rng = np.random.default_rng(4)
    matrix = rng.normal(size=(3, 3))
    world.insert(mesh, np.column_stack([matrix, [1e6, -2e6, 3e6]]))
    scene = world.commit()
    inside = (rng.uniform(0, 1, (100, 3)) @ matrix.T) + [1e6, -2e6, 3e6]
    assert scene.contains(inside).all()
    eye = np.array([1e6 + 9, -2e6 + 9, 3e6 + 9])
    hits = scene.closest(eye, inside - eye)
    # A mirror image is met from behind, by the winding of its corners.
    assert hits.hit.all() and (hits.facing == np.sign(np.linalg.det(matrix))).all()
    local = np.linalg.solve(matrix, (hits.position - [1e6, -2e6, 3e6]).T).T
    assert np.abs(local - 0.5).max(axis=1) == pytest.approx(0.5, abs=1e-6)


def test_shapes():
    made = [
        hitscan.Sphere([0, 0, 0], 1.0),
        hitscan.Box([0, 0, 0], np.ones(3)),
        hitscan.Capsule([0, 0, 0], [0, 1, 0], 0.5),
        hitscan.Plane([0, 0, 1], [0, 0, 0]),
        hitscan.ConvexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        hitscan.Heightfield(np.zeros((3, 4)), spacing=(2, 3), origin=(-1, -1), up="+z"),
    ]
    for shape in made:
        world = hitscan.World()
        world.insert(pickle.loads(pickle.dumps(shape)))
        hit = world.commit().closest_one((0.2, 0.2, 9), (0, 0, -1))
        assert hit is not None and repr(shape).startswith(type(shape).__name__)
    terrain = made[-1]
    world = hitscan.World()
    world.insert(terrain)
    scene = world.commit()
    assert scene.bounds[1][:2] == pytest.approx([5, 5], abs=1e-3)
    assert scene.heights([[4.9, 4.9], [5.1, 0]], up="+z").height.tolist()[0] == 0.0


def test_a_mesh_knows_its_arrays(soup, mesh):
    np.testing.assert_array_equal(mesh.vertices, soup.vertices)
    np.testing.assert_array_equal(mesh.faces, soup.faces)
    assert mesh.materials is None and len(mesh) == 200 and bool(hitscan.Mesh(np.zeros((0, 3)), []))
    assert mesh.counts == (200, 0, 0)
    np.testing.assert_array_equal(mesh.bounds, [soup.vertices.min(axis=0), soup.vertices.max(axis=0)])
    empty = hitscan.Mesh(np.zeros((0, 3)), [])
    assert empty.bounds is None and not empty.closest_one((0, 0, 0), (0, 0, 1))
    assert empty.signed_distance([0, 0, 0]).item() == np.inf and not empty.contains([0, 0, 0])
    flat = hitscan.Mesh([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2], [0, 0, 1]])
    assert flat.counts == (2, 1, 1)


def test_materials(soup):
    numbers = np.arange(200) % 7
    mesh = hitscan.Mesh(soup.vertices, soup.faces, materials=numbers, preset="best")
    hits = mesh.closest(soup.origins, soup.directions, columns=("material", "prim"))
    np.testing.assert_array_equal(hits.material[hits.hit], numbers[hits.prim[hits.hit]])
    again = pickle.loads(pickle.dumps(mesh))
    np.testing.assert_array_equal(again.materials, numbers)
    assert again._preset == "best"


def test_meshes_pickle_and_copy(soup, mesh):
    again = pickle.loads(pickle.dumps(mesh))
    np.testing.assert_array_equal(
        again.closest(soup.origins, soup.directions).t, mesh.closest(soup.origins, soup.directions).t
    )
    assert copy.copy(mesh) is copy.deepcopy(mesh) is mesh


class OwnMesh(hitscan.Mesh):
    """With a name, and another way to be made."""

    def __init__(self, name, *arrays, **options):
        super().__init__(*arrays, **options)
        self.name = name


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_meshes_of_one_s_own_class_pickle(soup, protocol):
    materials = np.arange(len(soup.faces))
    mesh = OwnMesh("roof", soup.vertices, soup.faces, materials=materials, preset="fast")
    again = pickle.loads(pickle.dumps(mesh, protocol))
    assert type(again) is OwnMesh and vars(again) == {"name": "roof"} and again._preset == "fast"
    assert again.materials.tolist() == materials.tolist()
    np.testing.assert_array_equal(
        again.closest(soup.origins, soup.directions).t, mesh.closest(soup.origins, soup.directions).t
    )
    assert copy.copy(mesh) is copy.deepcopy(mesh) is mesh


def test_weak_references(box):
    world = hitscan.World()
    sphere = hitscan.Sphere([0, 0, 0], 1)
    world.insert(sphere)
    scene = world.commit()
    kept = weakref.WeakKeyDictionary({mesh: "mesh" for mesh in (box, scene, sphere)})
    assert len(kept) == 3 and weakref.ref(world)() is world
    del scene
    gc.collect()
    assert len(kept) == 2


def test_meshes_of_others(soup, mesh):
    expected = mesh.closest(soup.origins, soup.directions).t
    rows = soup.faces.astype(np.int32)
    for other in (
        SimpleNamespace(vertices=soup.vertices, faces=rows),
        SimpleNamespace(vertices=soup.vertices.astype(np.float64), triangles=rows),
        SimpleNamespace(vertex={"positions": soup.vertices}, triangle={"indices": rows}),
        mesh,
    ):
        own = hitscan.Mesh(other, preset="fast")
        np.testing.assert_array_equal(own.closest(soup.origins, soup.directions).t, expected)
        assert own.materials is None
    numbers = np.arange(len(rows))
    painted = hitscan.Mesh(mesh, materials=numbers)
    assert hitscan.Mesh(painted).materials.tolist() == painted.materials.tolist() == numbers.tolist()
    assert hitscan.Mesh(painted, materials=numbers[::-1]).materials[0] == numbers[-1]
    with pytest.raises(TypeError, match="^faces is missing, and vertices is a SimpleNamespace; expected both, or a mesh"):
        hitscan.Mesh(SimpleNamespace(vertices=soup.vertices))
    with pytest.raises(TypeError, match="^vertices has masked numbers; expected an array without$"):
        hitscan.Mesh(SimpleNamespace(vertices=np.ma.masked_less(soup.vertices, 0), faces=rows))


def test_a_mesh_of_trimesh():
    trimesh = pytest.importorskip("trimesh")
    box = trimesh.creation.box()
    assert hitscan.Mesh(box).counts == (12, 0, 0) and hitscan.Mesh(box).contains([0, 0, 0])


def test_planes_have_no_bounds():
    world = hitscan.World()
    assert world.commit().bounds is None
    world.insert(hitscan.Plane([0, 1, 0], [0, -1, 0]))
    assert world.commit().bounds is None
    world.insert(hitscan.Sphere([0, 0, 0], 1))
    scene = world.commit()
    assert scene.bounds == pytest.approx(np.array([[-1.0] * 3, [1.0] * 3]), abs=1e-4)
    assert scene.closest([9, 9, 9], [0, -1, 0]).position.tolist() == [9, -1, 9]


def test_triangles_with_a_repeated_corner_are_not_there():
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 9], [1, 0, 9], [2, 0, 9]]
    mesh = hitscan.Mesh(corners, [[3, 4, 3], [0, 1, 2], [3, 4, 5]])
    assert mesh.counts == (3, 1, 1)
    near = mesh.closest_point([[0, 0, 8], [0.25, 0.25, 1]])
    # The one of zero area is.
    assert near.prim.tolist() == [2, 1] and near.distance.tolist() == [1, 1]
    alone = hitscan.Mesh(corners, [[3, 4, 3]])
    assert not alone.closest_point([0, 0, 9]).hit and alone.signed_distance([0, 0, 9], rule="winding") == np.inf


def test_files_are_read(tmp_path):
    path = tmp_path / "ramp.obj"
    path.write_text("o slope\nv 0 0 0\nv 0 0 4\nv 4 4 0\nusemtl grass\nf 1 2 3\n")
    for name in (path, str(path)):
        scene = hitscan.load(name)
        assert (scene.triangles, len(scene), scene.up) == (1, 1, "+y")
    assert scene.heights([1, 1]).height.item() == 1.0
    assert hitscan.load(path, up="-y").heights([1, 1]).height.item() == -1.0
    assert scene.meshes == ["slope"] and scene.instances.tolist() == [0]
    assert "grass" in scene.materials


def test_a_scene_refuses_parity_only_near_what_is_open():
    vertices, faces = cube()
    closed, opened = hitscan.Mesh(vertices, faces), hitscan.Mesh(vertices, faces[1:])
    world = hitscan.World()
    world.insert(closed)
    world.insert(opened, [[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0]])
    scene = world.commit()
    for question in ("contains", "signed_distance"):
        away = getattr(scene, question)([[0.5, 0.5, 0.5], [3.0, 0.5, 0.5]])
        assert away.tolist() == ([True, False] if question == "contains" else [-0.5, 2.0])
        with pytest.raises(HitscanError, match="instance 1 .* the mesh is open"):
            getattr(scene, question)([[0.5, 0.5, 0.5], [5.5, 0.5, 0.5]])
        with pytest.raises(HitscanError, match="the mesh is open"):
            getattr(opened, question)([9.0, 9.0, 9.0])
        # Of many, the first one, also behind points that are none.
        points = np.full((5000, 3), 3.0)
        points[700] = points[4000] = 5.5, 0.5, 0.5
        points[[0, 690]] = np.nan
        for threads in (1, 2):
            with pytest.raises(HitscanError, match="^points row 700: instance 1 .* the mesh is open") as caught:
                getattr(scene, question)(points, threads=threads, invalid="miss")
            assert (caught.value.argument, caught.value.row) == ("points", 700)


def test_what_is_built_in():
    scene = hitscan.load("builtin:range", preset="fast", threads=1)
    assert len(scene.names) == len(scene) == len(scene.meshes) and "statue" in scene.names
    with pytest.raises(HitscanError, match="builtin:nothing"):
        hitscan.load("builtin:nothing")


def test_cameras_of_a_file():
    path = SCENES / "kitchen.glb"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    scene = hitscan.load(path)
    for camera in scene.cameras.values():
        assert scene.closest(*camera.rays(32, 24)).hit.any()


@pytest.mark.parametrize(
    ("name", "content", "error", "message"),
    [
        ("none.glb", None, FileNotFoundError, "none.glb"),
        ("none.hitscan", None, FileNotFoundError, "none.hitscan"),
        ("part.obj", b"v 0 0 0\nf 1 2 9\n", HitscanError, "part.obj:2: face names vertex 2"),
        ("part.xyz", b"0 0 0", HitscanError, "no reader for .xyz"),
        ("part.obj", b"", HitscanError, "the file is empty"),
        ("part.obj", b"v 0 0 0\n", HitscanError, "no triangles"),
        ("part.hitscan", b"solid cube", HitscanError, "does not begin as a saved scene does"),
    ],
)
def test_files_that_are_wrong(tmp_path, name, content, error, message):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(error, match=message):
        hitscan.load(path)


def a_png(values: np.ndarray) -> bytes:
    """A grey picture of 8 bits."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    rows, columns = values.shape
    lines = b"".join(b"\0" + row.tobytes() for row in values.astype(np.uint8))
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def a_geotiff(values: np.ndarray, cell: float | None) -> bytes:
    """Samples of float32 in one strip, and where they stand if they do."""
    rows, columns = values.shape
    samples = values.astype("<f4").tobytes()
    shorts = {256: columns, 257: rows, 258: 32, 259: 1, 262: 1, 277: 1, 278: rows, 339: 3}
    doubles = {} if cell is None else {33550: (cell, cell, 0.0), 33922: (0.0, 0.0, 0.0, 100.0, 200.0, 0.0)}
    at = 8 + 2 + 12 * (len(shorts) + 2 + len(doubles)) + 4
    entries = [struct.pack("<HHIHxx", tag, 3, 1, value) for tag, value in shorts.items()]
    entries += [struct.pack("<HHII", tag, 4, 1, value) for tag, value in ((273, at), (279, len(samples)))]
    places = b""
    for tag, numbers in doubles.items():
        entries.append(struct.pack("<HHII", tag, 12, len(numbers), at + len(samples) + len(places)))
        places += struct.pack(f"<{len(numbers)}d", *numbers)
    directory = struct.pack("<H", len(entries)) + b"".join(sorted(entries, key=lambda one: one[0] | one[1] << 8))
    return struct.pack("<2sHI", b"II", 42, 8) + directory + bytes(4) + samples + places


def test_heightmaps_and_what_they_need(tmp_path):
    values = np.arange(12).reshape(3, 4)
    picture, bare, placed, model = (tmp_path / name for name in ("--cell.png", "bare.tif", "placed.tif", "part.fbx"))
    picture.write_bytes(a_png(values))
    bare.write_bytes(a_geotiff(values, None))
    placed.write_bytes(a_geotiff(values, 30.0))
    model.write_bytes(b"Kaydara FBX Binary  \0")
    # In Python's words, not in those of the command; a file keeps its name.
    cell, relief = "cell=METRES is the distance between", r"relief=\(LO, HI\) are the heights of black and of white"
    for path, options, message in (
        (picture, {}, f"--cell.png: a PNG has .*; {cell} pixels, {relief}$"),
        (picture, {"cell": 30.0}, f"the relief is not given; {relief}$"),
        (picture, {"relief": (0, 255)}, f"the size of a cell is not given; {cell} pixels$"),
        (bare, {}, f"no georeference; {cell} samples$"),
        (bare, {"cell": 30.0, "relief": (0, 255)}, "the samples are heights themselves; leave out relief=$"),
        (placed, {"cell": 30.0}, "the file has its own; leave out cell=$"),
        (model, {}, "FBX is not built in; convert the file to glTF$"),
    ):
        with pytest.raises(HitscanError, match=message) as caught:
            hitscan.load(path, **options)
        assert caught.value.argument == "path" and str(caught.value).startswith(str(path))
    loaded = hitscan.load(picture, cell=np.float32(30), relief=[0, 255])
    assert loaded.triangles == 12 and loaded.bounds[:, 1].tolist() == pytest.approx([0, 11], abs=1e-3)
    assert hitscan.load(bare, cell=30).bounds[:, 2].tolist() == pytest.approx([0, 11], abs=1e-3)
    assert hitscan.load(placed).triangles == 12


def test_more_files_that_are_wrong(tmp_path, saved):
    (tmp_path / "folder.obj").mkdir()
    with pytest.raises(IsADirectoryError):
        hitscan.load(tmp_path / "folder.obj")
    with pytest.raises(HitscanError, match="the size of a cell is given"):
        hitscan.load("builtin:sphere", cell=2.0)
    with pytest.raises(MemoryError, match="the limit is 1000"):
        hitscan.load("builtin:sphere:20k", memory=1000)
    with pytest.raises(FileNotFoundError) as caught:
        hitscan.Scene.open(tmp_path / "none.hitscan")
    assert caught.value.filename == str(tmp_path / "none.hitscan") and caught.value.errno == 2
    with pytest.raises(TypeError):
        hitscan.load(5)
    with pytest.raises(TypeError):
        hitscan.load(b"ball.obj")
    with pytest.raises(ValueError, match="null"):
        hitscan.load("ball\0.obj")
    with pytest.raises(ValueError, match=r"relief has the shape \(3,\); expected two heights"):
        hitscan.load(saved, relief=(1, 2, 3))
    if os.name == "posix" and os.geteuid() != 0:
        saved.chmod(0)
        with pytest.raises(PermissionError):
            hitscan.Scene.open(saved)


@pytest.mark.skipif(os.name != "posix", reason="Windows has words of its own")
def test_files_fail_as_open_fails(tmp_path, saved):
    """By the number, the words and the name that Python's own `open` has for it."""
    folder, ball = tmp_path / "folder", hitscan.load("builtin:sphere:1k")
    folder.mkdir()
    for call, path, mode in (
        (hitscan.load, tmp_path / "none.obj", "r"),
        (hitscan.load, tmp_path / "none.hitscan", "r"),
        (hitscan.load, folder, "r"),
        (hitscan.load, f"{saved}/", "r"),
        (hitscan.load, saved / "part.obj", "r"),
        (hitscan.Scene.open, tmp_path / "none.hitscan", "r"),
        (hitscan.Scene.open, folder, "r"),
        (lambda path: hitscan.Scene.open(path, mmap=True), folder, "r"),
        (ball.save, tmp_path / "none" / "ball.hitscan", "w"),
        (ball.save, saved / "ball.hitscan", "w"),
        (ball.save, folder, "w"),
    ):
        with pytest.raises(OSError) as expected, open(path, mode):
            pass
        with pytest.raises(type(expected.value)) as caught:
            call(path)
        known = (caught.value.errno, caught.value.strerror, caught.value.filename)
        assert known == (expected.value.errno, expected.value.strerror, str(path))
        assert str(caught.value) == f"[Errno {known[0]}] {known[1]}: {str(path)!r}"


@pytest.mark.parametrize("up", ["+x", "-x", "+y", "-y", "+z", "-z"])
def test_what_is_up_is_saved(tmp_path, up):
    model, path = tmp_path / "ramp.obj", tmp_path / "ramp.hitscan"
    model.write_text("o slope\nv 0 0 0\nv 0 0 4\nv 4 4 0\nf 1 2 3\n")
    scene = hitscan.load(model, up=up)
    scene.save(path)
    places = [[1, 1], [2, 1], [1, 2]]
    for again in (hitscan.load(path), hitscan.Scene.open(path), hitscan.Scene.open(path, mmap=True)):
        assert again.up == up and again.meshes == ["slope"]
        np.testing.assert_array_equal(again.heights(places).height, scene.heights(places).height)
        again.save(path)
    # Who loads it has the last word.
    hitscan.load(path, up="-z").save(path)
    assert hitscan.Scene.open(path).up == "-z"


def test_what_is_up_of_a_scene_without_names(tmp_path, box):
    world, path = hitscan.World(), tmp_path / "box.hitscan"
    world.insert(box)
    world.commit().save(path)
    assert hitscan.Scene.open(path).up is None
    hitscan.load(path, up="-x").save(path)
    again = hitscan.Scene.open(path)
    assert again.up == "-x" and again.names == []


def test_a_map_stays_one_when_it_is_saved(saved, tmp_path):
    scene = hitscan.Scene.open(saved, mmap=True)
    scene.save(tmp_path / "copy.hitscan")
    assert scene.__reduce__()[1][1] is True
    scene = hitscan.Scene.open(saved)
    scene.save(tmp_path / "copy.hitscan")
    assert scene.__reduce__()[1][1] is False


def test_names_of_instances(box):
    world = hitscan.World()
    first = world.insert(box)
    world.remove(first)
    second = world.insert(box)
    assert int(first) == int(second) == second == 0 and first != second and second not in [first]
    assert first not in world and second in world and 0 in world and 1 not in world and "a" not in world
    assert list(world) == [second] and {first, second, 0} == {first, second}
    assert world.commit().closest([0.2, 0.2, 5], [0, 0, -1]).instance == second
    assert (f"{second} {second:02d}", str(second), repr(second)) == ("0 00", "0", "InstanceId(0, generation=1)")
    assert pickle.loads(pickle.dumps(second)) == second


def test_numbers_of_numpy(box):
    samples = np.arange(9.0).reshape(3, 3)
    expected = repr(hitscan.Heightfield(samples, 2, (1, 2)))
    for kind in (np.float32, np.float64, np.int64, np.int8, np.float16):
        for spacing, origin in ((kind(2), np.array([1, 2], kind)), ([kind(2)] * 2, (kind(1), kind(2)))):
            assert repr(hitscan.Heightfield(samples, spacing, origin)) == expected
        assert repr(hitscan.Sphere(np.zeros(3, kind), kind(2))) == "Sphere((0.0, 0.0, 0.0), 2.0)"
        assert hitscan.Camera((0, 0, 5), (0, 0, -1), fov=kind(90)).tan_half_fov == pytest.approx(1)
        assert box.closest_point([3, 0, 0], max_distance=kind(1)).distance == np.inf


@pytest.mark.parametrize("mmap", [False, True])
def test_saved_scenes(ball, saved, mmap):
    expected = ball.closest(rays())
    with hitscan.Scene.open(saved, mmap=mmap) as scene:
        np.testing.assert_array_equal(scene.closest(rays()).t, expected.t)
        assert scene.names == ball.names and scene.up == ball.up and scene.materials == ball.materials
        assert repr(scene) == repr(ball)
        again = saved.with_name("again.hitscan")
        scene.save(again)
        assert again.read_bytes() == saved.read_bytes()
    assert hitscan.load(saved).names == ball.names


def test_shapes_are_saved(tmp_path):
    world = hitscan.World()
    world.insert(hitscan.Sphere([0, 0, 0], 1))
    scene = world.commit()
    scene.save(tmp_path / "ball.hitscan")
    for again in (hitscan.Scene.open(tmp_path / "ball.hitscan"), hitscan.load(tmp_path / "ball.hitscan")):
        assert again.closest_one((0, 0, 9), (0, 0, -1)).t == 8.0 and again.names == [] and again.up is None
    with pytest.raises(MemoryError, match="the file takes"):
        hitscan.load(tmp_path / "ball.hitscan", memory=10)
    with pytest.raises(HitscanError, match="only heightmaps"):
        hitscan.load(tmp_path / "ball.hitscan", cell=1.0)


def test_a_closed_scene(saved):
    scene = hitscan.Scene.open(saved)
    assert not scene.closed
    scene.close()
    scene.close()
    assert scene.closed and repr(scene) == "Scene(closed)"
    for call in (
        lambda: scene.closest(rays()),
        lambda: scene.closest_one((0, 0, 9), (0, 0, -1)),
        lambda: scene.occluded_one((0, 0, 9), (0, 0, -1)),
        lambda: scene.contains([0, 0, 0]),
        lambda: scene.heights([0, 0]),
        lambda: scene.save("x.hitscan"),
        lambda: len(scene),
        lambda: scene.bounds,
        lambda: scene.names,
        lambda: scene.cameras,
        lambda: pickle.dumps(scene),
        lambda: copy.copy(scene),
        lambda: scene.__enter__(),
    ):
        with pytest.raises(ValueError, match="the scene is closed"):
            call()


def test_scenes_pickle_by_path(ball, saved):
    expected = ball.closest(rays()).t
    for scene in (hitscan.Scene.open(saved), hitscan.Scene.open(saved, mmap=True), hitscan.load(saved, up="+z"), ball):
        text = pickle.dumps(scene)
        assert len(text) < 1000
        again = pickle.loads(text)
        np.testing.assert_array_equal(again.closest(rays()).t, expected)
        assert again.up == scene.up
        assert copy.deepcopy(scene).triangles == copy.copy(scene).triangles == scene.triangles
    with pytest.raises(TypeError, match="this Scene is in no file, .*save it first"):
        pickle.dumps(hitscan.load("builtin:sphere"))
    saved.unlink()
    with pytest.raises(FileNotFoundError):
        pickle.loads(text)


class OwnScene(hitscan.Scene):
    """With room for more than its slots."""


def test_scenes_of_one_s_own_class_pickle_and_copy(saved):
    scene = OwnScene.open(saved, mmap=True)
    scene.name = "ball"
    for again in (pickle.loads(pickle.dumps(scene)), copy.copy(scene), copy.deepcopy(scene)):
        assert type(again) is OwnScene and again.name == "ball" and again.triangles == scene.triangles


def test_a_changed_file_does_not_answer(ball, saved):
    text = pickle.dumps(hitscan.Scene.open(saved))
    hitscan.load("builtin:sphere:1k").save(saved)
    with pytest.raises(HitscanError, match="changed since the scene was pickled"):
        pickle.loads(text)


def test_a_map_outlives_its_name(ball, saved):
    scene = hitscan.Scene.open(saved, mmap=True)
    if os.name == "posix":
        saved.unlink()
    np.testing.assert_array_equal(scene.closest(rays()).t, ball.closest(rays()).t)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_maps_share_their_pages(tmp_path):
    path = tmp_path / "large.hitscan"
    hitscan.load("builtin:terrain:300k").save(path)
    code = f"""
import hitscan, numpy as np, sys
scene = hitscan.Scene.open({str(path)!r}, mmap=True)
low, high = scene.bounds
rng = np.random.default_rng(0)
places = rng.uniform(low[[0, 2]], high[[0, 2]], (200_000, 2))
assert scene.heights(places).hit.mean() > 0.9
print(flush=True)
sys.stdin.readline()
"""
    asked = [
        subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    try:
        for process in asked:
            assert process.stdout.readline() == "\n"
        for process in asked:
            maps = pathlib.Path(f"/proc/{process.pid}/smaps").read_text().split(str(path))[1:]
            count = {name: 0 for name in ("Rss", "Pss", "Private_Dirty")}
            for part in maps:
                for line in part.splitlines()[1:]:
                    name, _, value = line.partition(":")
                    if name in count:
                        count[name] += int(value.split()[0])
                    if name == "VmFlags":
                        break
            assert count["Rss"] > 1000 and count["Private_Dirty"] == 0
            assert count["Pss"] < 0.6 * count["Rss"]
    finally:
        for process in asked:
            process.communicate("\n", timeout=60)


@settings(max_examples=300, deadline=None)
@given(
    content=st.binary(max_size=300),
    name=st.sampled_from(["a.hitscan", "a.glb", "a.gltf", "a.obj", "a.stl", "a.ply", "a.off", "a.png", "a.tif"]),
)
def test_any_bytes_as_a_file(tmp_path_factory, content, name):
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(content)
    for read in (hitscan.load, hitscan.Scene.open):
        try:
            read(path)
        except (HitscanError, OSError, MemoryError):
            pass


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_damaged_files(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "damaged.hitscan"
    if not hasattr(test_damaged_files, "whole"):
        hitscan.load("builtin:sphere:80").save(path)
        test_damaged_files.whole = path.read_bytes()
    content = bytearray(test_damaged_files.whole)
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=4)):
        content[place] ^= data.draw(st.integers(1, 255))
    del content[data.draw(st.integers(len(content) // 2, len(content))) :]
    path.write_bytes(content)
    try:
        scene = hitscan.Scene.open(path)
    except HitscanError:
        return
    scene.closest(rays(20))


def test_shapes_keep_arrays_of_their_own():
    """What the caller writes afterwards changes neither a shape nor what it pickles as."""
    samples, points = np.zeros((3, 3), np.float32), np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    ridge, rock = hitscan.Heightfield(samples), hitscan.ConvexHull(points)
    samples[:] = 7
    points *= 9
    for shape, bounds in ((ridge, [2, 0, 2]), (rock, [1, 1, 1])):
        for same in (shape, copy.deepcopy(shape), pickle.loads(pickle.dumps(shape))):
            world = hitscan.World()
            world.insert(same)
            assert world.commit().bounds[1] == pytest.approx(bounds, abs=1e-3)


def test_copies_of_a_world_are_their_own():
    world, ball = hitscan.World(), hitscan.Sphere([0, 0, 0], 1.0)
    first = world.insert(ball)
    for other in (copy.copy(world), copy.deepcopy(world)):
        assert list(other) == [first]
        other.insert(ball)
        other.set_transform(first, [[1, 0, 0, 9], [0, 1, 0, 0], [0, 0, 1, 0]])
        assert len(world) == 1 and len(other) == 2
    assert world.commit().bounds[1][0] < 2
    with pytest.raises(TypeError, match="a World does not pickle; commit it, save the Scene"):
        pickle.dumps(world)


def test_scenes_end():
    """Nothing keeps a scene alive."""
    import weakref

    class Watched(hitscan.Mesh):
        """One that can be watched."""

    mesh = Watched(*cube())
    gone = weakref.ref(mesh)
    mesh.closest([0, 0, 5], [0, 0, -1])
    del mesh
    gc.collect()
    assert gone() is None
