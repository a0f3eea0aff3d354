"""Makes Jupyter notebooks of the examples: their cells begin with ``# %%``, those of text with ``# %% [markdown]``.

    python examples/notebooks.py FOLDER

Needs ``pip install nbformat``; a notebook also runs where the scripts do not lie, with ``hitscan[plot]``.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import nbformat

EXAMPLES = ("lidar", "viewshed", "wall_thickness", "wounds", "picking")


def notebook(script: str) -> nbformat.NotebookNode:
    """The notebook of a script."""
    cells = []
    parts = re.findall(r"^# %%( \[markdown\])?\n(.*?)(?=^# %%|\Z)", script, re.MULTILINE | re.DOTALL)
    for number, (kind, text) in enumerate(parts):
        if kind:
            prose = re.sub(r"^# ?", "", text, flags=re.MULTILINE).strip()
            cell = nbformat.v4.new_markdown_cell(prose)
        else:
            cell = nbformat.v4.new_code_cell(text.strip())
        # By place: the same script makes the same file.
        cell["id"] = f"cell-{number}"
        cells.append(cell)
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit("usage: python examples/notebooks.py FOLDER")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in EXAMPLES:
        script = Path(__file__).with_name(f"{name}.py").read_text(encoding="utf-8")
        nbformat.write(notebook(script), folder / f"{name}.ipynb")
        print(folder / f"{name}.ipynb")


if __name__ == "__main__":
    main()
