"""What is not installed is named, and only asked for by what needs it."""

from __future__ import annotations

import subprocess
import sys

import pytest


def without(packages: tuple[str, ...], code: str) -> str:
    """What a program says where packages are not installed."""
    hidden = f"import sys; sys.modules.update(dict.fromkeys({packages!r}))\n"
    done = subprocess.run(
        [sys.executable, "-c", hidden + code], check=False, capture_output=True, text=True, timeout=120
    )
    return done.stdout + done.stderr


DASK = "hitscan.dask needs Dask with its data frames: pip install hitscan[dask]"


@pytest.mark.parametrize(
    ("package", "code", "message"),
    [
        ("dask", "import hitscan.dask", DASK),
        ("dask.dataframe", "import hitscan.dask", DASK),
        ("pandas", "import hitscan.dask", DASK),
        ("matplotlib", "import hitscan.plot", "hitscan.plot needs matplotlib: pip install hitscan[plot]"),
    ],
)
def test_what_to_install(package: str, code: str, message: str) -> None:
    said = without((package,), code)
    assert said.splitlines()[-1] == f"ImportError: {message}"
    # And before it, what it is that is not there.
    cause, _, _ = said.partition("During handling of the above exception")
    assert package in cause.splitlines()[-3]


def test_batches_and_rays_need_numpy_alone() -> None:
    code = """
import hitscan.rays
from hitscan.batch import cast_table
rays = dict(zip(("ox", "oy", "oz", "dx", "dy", "dz"), ([0], [0], [2], [0], [0], [-1])))
print(cast_table("builtin:sphere:1k", rays, "count"))
print(hitscan.rays.lidar((0, 0, 0), 1, 4).directions.shape)
"""
    said = without(("pandas", "pyarrow", "dask", "matplotlib", "tqdm", "scipy", "trimesh"), code)
    assert said == "{'count': array([2])}\n(1, 4, 3)\n"
