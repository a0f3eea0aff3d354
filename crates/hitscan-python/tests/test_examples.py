"""Examples run, as scripts and as notebooks, and make pictures that show something."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import numpy as np
import pytest
from conftest import ROOT
from matplotlib import image
from test_docs import blocks

EXAMPLES = ROOT / "crates" / "hitscan-python" / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem != "notebooks")
#: What each says.
SAYS = {
    "lidar": r"beams cross \d{6,} surfaces",
    "picking": r"\(412, 250\): statue, triangle \d+, 10.71 m away",
    "viewshed": r"in view: 42% of the land, 41 ha, up to 1057 m away",
    "wall_thickness": r"closed\nthinnest: 2\.3\d mm",
    "wounds": r"vest: through 15.0 mm, 1546 J left",
}


def notebooks() -> Any:
    spec = importlib.util.spec_from_file_location("notebooks", EXAMPLES / "notebooks.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(folder: Path, *command: str) -> str:
    """What a script says, run in a folder."""
    engines = {"PYSPARK_PYTHON": sys.executable, "RAY_AUTH_MODE": "disabled"}
    done = subprocess.run(
        [sys.executable, *command],
        check=False,
        cwd=folder,
        env={**os.environ, "MPLBACKEND": "Agg", **engines},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def check_picture(path: Path) -> None:
    """A picture with contrast, and many colours."""
    picture = image.imread(path)[..., :3]
    assert picture.shape[0] > 400 and picture.shape[1] > 700
    assert picture.std() > 0.05
    assert len(np.unique((picture[::4, ::4] * 255).astype(np.uint8).reshape(-1, 3), axis=0)) > 100


@pytest.mark.parametrize("name", NAMES)
def test_scripts(name: str, tmp_path: Path) -> None:
    said = run(tmp_path, "-W", "error", str(EXAMPLES / f"{name}.py"))
    assert re.search(SAYS[name], said), said
    assert [path.name for path in tmp_path.iterdir()] == [f"{name}.png"]
    check_picture(tmp_path / f"{name}.png")


def test_the_kitchen_is_found(tmp_path: Path) -> None:
    scenes = ROOT.parent / "shared" / "scenes"
    if not (scenes / "kitchen.glb").exists():
        pytest.skip(f"{scenes}/kitchen.glb is not there")
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "scenes").symlink_to(scenes)
    folder = tmp_path / "deeper"
    folder.mkdir()
    assert "Scene(299 instances, 1443517 triangles)" in run(folder, str(EXAMPLES / "lidar.py"))
    check_picture(folder / "lidar.png")


# What Jupyter's own packages warn of.
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", NAMES)
def test_notebooks(name: str, tmp_path: Path) -> None:
    made = notebooks().notebook((EXAMPLES / f"{name}.py").read_text(encoding="utf-8"))
    nbformat.validate(made)
    assert made.cells[0].cell_type == "markdown" and made.cells[0].source.startswith("# ")
    ran = nbclient.NotebookClient(made, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in ran.cells if cell.cell_type == "code" for output in cell.outputs]
    said = "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")
    assert re.search(SAYS[name], said), said
    # The figure stands in the notebook, too.
    assert any("image/png" in output.get("data", {}) for output in outputs)
    check_picture(tmp_path / f"{name}.png")


def test_notebooks_are_made_of_all_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = notebooks()
    assert sorted(module.EXAMPLES) == NAMES == sorted(SAYS)
    monkeypatch.setattr(sys, "argv", ["notebooks.py", str(tmp_path)])
    module.main()
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert sorted(first) == [f"{name}.ipynb" for name in NAMES]
    module.main()
    assert first == {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    # Nothing of a script is lost.
    for name in NAMES:
        script = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
        cells = nbformat.reads(first[f"{name}.ipynb"].decode(), 4).cells
        code = [line for cell in cells if cell.cell_type == "code" for line in cell.source.splitlines() if line]
        for line in code:
            assert line in script
        lines = [line for line in script.splitlines() if line and not line.startswith("#")]
        assert [line for line in code if not line.startswith("#")] == lines


BATCH = "docs/python-batch.md"


def run_block(number: int, folder: Path) -> None:
    """In a process of its own: engines start theirs."""
    path = folder / f"block{number}.py"
    path.write_text(blocks(BATCH)[number], encoding="utf-8")
    run(folder, path.name)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the first block makes."""
    folder = tmp_path_factory.mktemp("batch")
    run_block(0, folder)
    return folder


@pytest.mark.parametrize("number", range(1, len(blocks(BATCH))))
def test_blocks_of_the_documentation_of_batches(number: int, files: Path) -> None:
    for engine in re.findall(r"^(?:import|from) (ray|datafusion|pyspark)\b", blocks(BATCH)[number], re.MULTILINE):
        if importlib.util.find_spec(engine) is None:
            pytest.skip(f"{engine} is not installed")
    run_block(number, files)
