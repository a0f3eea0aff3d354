"""`hitscan.trimesh.install`: what trimesh makes of it, and how it is undone."""

from __future__ import annotations

import copy
import subprocess
import sys

import numpy as np
import pytest

trimesh = pytest.importorskip("trimesh")

import hitscan.trimesh as engine


def state():
    return trimesh.ray.ray_pyembree, trimesh.ray.has_embree


def test_install_is_undone():
    before = state()
    installed = engine.install()
    try:
        assert state() == (engine, True)
        assert type(trimesh.creation.box().ray) is engine.RayMeshIntersector
    finally:
        installed.undo()
    assert state() == before
    assert type(trimesh.creation.box().ray) is not engine.RayMeshIntersector


def test_a_with_block_undoes_it_even_after_an_error():
    before = state()
    with pytest.raises(ZeroDivisionError), engine.install():
        assert state() == (engine, True)
        raise ZeroDivisionError
    assert state() == before


def test_blocks_nest():
    before = state()
    with engine.install():
        with engine.install():
            assert state() == (engine, True)
        assert state() == (engine, True)
    assert state() == before


def test_blocks_install_it_again():
    before = state()
    installed = engine.install()
    for _ in range(2):
        with installed:
            assert state() == (engine, True)
            with installed:
                assert state() == (engine, True)
            assert state() == (engine, True)
        assert state() == before
    with installed:
        installed.undo()
        assert state() == before
    assert state() == before


def test_what_does_not_nest_is_undone_too():
    before = state()
    first, second = engine.install(), engine.install()
    first.undo()
    assert state() == (engine, True)
    first.undo()
    assert state() == (engine, True)
    second.undo()
    assert state() == before


def test_meshes_keep_what_they_were_made_with():
    there = trimesh.creation.box()
    with engine.install():
        assert type(there.ray) is not engine.RayMeshIntersector
        assert type(there.copy().ray) is engine.RayMeshIntersector
        assert type(copy.deepcopy(there).ray) is engine.RayMeshIntersector
        made = trimesh.creation.box()
        native = trimesh.creation.box(use_embree=False)
    assert type(made.ray) is engine.RayMeshIntersector
    assert type(native.ray) is trimesh.ray.ray_triangle.RayMeshIntersector


def test_attach_takes_meshes_and_scenes():
    box = trimesh.creation.box()
    assert engine.attach(box) is box and type(box.ray) is engine.RayMeshIntersector
    cloud = trimesh.PointCloud([[0, 0, 0], [1, 0, 0]])
    scene = trimesh.Scene([trimesh.creation.box(), trimesh.creation.icosphere(1), cloud])
    assert engine.attach(scene) is scene
    kinds = [type(part.ray) for part in scene.geometry.values() if hasattr(part, "ray")]
    assert kinds == [engine.RayMeshIntersector] * 2
    with pytest.raises(TypeError, match=r"^geometry is a list; expected a mesh or a scene of trimesh$"):
        engine.attach([box])


@pytest.fixture
def counted(monkeypatch):
    """How often each method of the engine was called."""
    calls: dict[str, int] = {}
    for name in ("intersects_id", "contains_points"):
        real = getattr(engine.RayMeshIntersector, name)

        def spy(self, *args, _real=real, _name=name, **kwargs):
            calls[_name] = calls.get(_name, 0) + 1
            return _real(self, *args, **kwargs)

        monkeypatch.setattr(engine.RayMeshIntersector, name, spy)
    with engine.install():
        yield calls


def test_contains_uses_it(counted):
    assert trimesh.creation.box().contains([[0, 0, 0], [3, 0, 0]]).tolist() == [True, False]
    assert counted["contains_points"] == 1


def test_sampling_of_volumes_uses_it(counted):
    points = trimesh.sample.volume_mesh(trimesh.creation.icosphere(2), 500)
    assert len(points) > 100 and np.linalg.norm(points, axis=1).max() < 1
    assert counted["contains_points"] == 1


def test_proximity_uses_it(counted):
    pytest.importorskip("scipy")
    pytest.importorskip("rtree")
    box = trimesh.creation.box()
    # Nearest to an edge, where trimesh asks what is inside.
    signed = trimesh.proximity.signed_distance(box, [[0.9, 0.9, 0.0], [0.1, 0.0, 0.0], [0.0, 0.0, 3.0]])
    assert signed.tolist() == pytest.approx([-np.hypot(0.4, 0.4), 0.4, -2.5])
    assert counted["contains_points"] == 1
    assert trimesh.proximity.longest_ray(box, [[0.1, 0.2, 0.5]], [[0, 0, -1]]).tolist() == [1.0]
    thickness = trimesh.proximity.thickness(box, [[0.1, 0.2, 0.5]], method="ray", normals=np.array([[0, 0, 1.0]]))
    assert thickness.tolist() == [1.0]
    assert counted["intersects_id"] == 2


def test_voxels_use_it(counted):
    pytest.importorskip("scipy")
    grid = trimesh.creation.box().voxelized(0.25, method="ray")
    assert grid.filled_count > 0 and counted["intersects_id"] == 1


def test_without_trimesh_the_error_says_what_to_do():
    code = (
        "import sys; sys.modules['trimesh'] = None\n"
        "import hitscan.trimesh\n"
        "try: hitscan.trimesh.install()\n"
        "except ImportError as error: print(error)\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == (
        "hitscan.trimesh.install needs trimesh, which is not installed: pip install hitscan[trimesh]\n"
    )


def test_import_alone_does_not_import_trimesh():
    code = "import sys, hitscan.trimesh, hitscan.compat; print('trimesh' in sys.modules, 'open3d' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == "False False\n"
