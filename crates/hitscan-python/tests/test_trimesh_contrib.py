"""What `contrib/trimesh` offers to trimesh itself: the diff applies to the installed release, and works."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

trimesh = pytest.importorskip("trimesh")

CONTRIB = Path(__file__).parents[1] / "contrib" / "trimesh"

pytestmark = [
    pytest.mark.skipif(
        trimesh.__version__ != "5.2.0",
        reason=f"registration.diff is for trimesh 5.2.0; this is {trimesh.__version__}",
    ),
    pytest.mark.skipif(shutil.which("git") is None, reason="git applies the diff, and is not here"),
]


@pytest.fixture
def patched(tmp_path):
    """A copy of the installed trimesh with the diff and the module in it."""
    shutil.copytree(Path(trimesh.__file__).parent, tmp_path / "trimesh", ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(["git", "apply", "--check", CONTRIB / "registration.diff"], cwd=tmp_path, check=True)
    subprocess.run(["git", "apply", CONTRIB / "registration.diff"], cwd=tmp_path, check=True)
    shutil.copy(CONTRIB / "ray_hitscan.py", tmp_path / "trimesh" / "ray")
    return tmp_path


def run(patched, code):
    path = os.pathsep.join([str(patched), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=patched,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_hitscan_is_chosen_where_embree_is_not(patched):
    code = (
        "import sys; sys.modules['embreex'] = None\n"
        "import trimesh\n"
        "box = trimesh.creation.box()\n"
        "print(trimesh.ray.has_embree, trimesh.ray.has_hitscan, type(box.ray).__module__)\n"
        "print(type(trimesh.creation.box(use_embree=False).ray).__module__)\n"
        "print(*box.contains([[0, 0, 0], [3, 0, 0]]))\n"
        "print(trimesh.__file__)\n"
    )
    *told, where = run(patched, code)
    assert told == ["False", "True", "hitscan.trimesh", "trimesh.ray.ray_triangle", "True", "False"]
    assert Path(where).is_relative_to(patched)


def test_without_hitscan_nothing_changes(patched):
    code = (
        "import sys; sys.modules['embreex'] = sys.modules['hitscan'] = None\n"
        "import trimesh\n"
        "print(trimesh.ray.has_hitscan, type(trimesh.creation.box().ray).__module__)\n"
    )
    assert run(patched, code) == ["False", "trimesh.ray.ray_triangle"]


def test_the_module_has_no_engine_of_its_own():
    import hitscan.trimesh

    names = runpy.run_path(str(CONTRIB / "ray_hitscan.py"))
    assert names["RayMeshIntersector"] is hitscan.trimesh.RayMeshIntersector
