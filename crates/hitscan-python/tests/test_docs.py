"""Examples of the documentation run."""

from __future__ import annotations

import doctest
import importlib.metadata
import inspect
import pkgutil
import re

import hitscan
import pytest
from conftest import ROOT

MODULES = ["hitscan", *(f"hitscan.{module.name}" for module in pkgutil.iter_modules(hitscan.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name, tmp_path, monkeypatch):
    # Some write files.
    monkeypatch.chdir(tmp_path)
    if name == "hitscan._hitscan":
        return
    module = pytest.importorskip(name)
    found = doctest.testmod(module)
    assert found.failed == 0
    assert inspect.getdoc(module)


def blocks(name: str) -> list[str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        (name, number)
        for name in ("README.md", "crates/hitscan-python/README.md", "docs/python.md")
        for number in range(len(blocks(name)))
    ],
)
def test_blocks_of_code(name, number, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = compile(blocks(name)[number], f"{name}, block {number}", "exec")
    exec(code, {"__name__": "__main__"})  # noqa: S102


def test_there_is_code_in_each():
    assert all(blocks(name) for name in ("README.md", "crates/hitscan-python/README.md", "docs/python.md"))


PUBLIC = [name for name in hitscan.__all__ if not name.startswith("__")]


@pytest.mark.parametrize("name", PUBLIC)
def test_public_things_say_what_they_do(name):
    thing = getattr(hitscan, name)
    assert inspect.getdoc(thing), name
    members = vars(thing).items() if inspect.isclass(thing) else []
    for member, value in members:
        if not member.startswith("_") and (callable(value) or isinstance(value, (property, classmethod))):
            assert inspect.getdoc(value), f"{name}.{member}"


QUESTIONS = [name for name in dir(hitscan._queries.Queries) if not name.startswith("_")]


def test_the_signatures_of_both_targets_are_the_same():
    assert len(QUESTIONS) == 14
    for name in QUESTIONS:
        assert getattr(hitscan.Mesh, name) is getattr(hitscan.Scene, name)


def test_each_question_has_all_sections():
    for name in QUESTIONS:
        value = getattr(hitscan._queries.Queries, name)
        text = inspect.getdoc(value)
        for section in ("Parameters", "Raises", "Examples"):
            assert re.search(rf"^{section}\n-+$", text, re.MULTILINE), f"{name}: {section}"
        assert re.search(r"^(Returns|Yields)\n-+$", text, re.MULTILINE), name
        for parameter in list(inspect.signature(value).parameters)[1:]:
            assert re.search(rf"^(\w+, )*{parameter}(, \w+)*( :|$)", text, re.MULTILINE), f"{name}: {parameter}"


def test_the_version():
    assert hitscan.__version__ == importlib.metadata.version("hitscan")
