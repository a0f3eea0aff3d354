"""What a batch takes: its arrays, and a tenth."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


def peak_of(work: str) -> tuple[float, float]:
    """By how much the most memory of a process grows with some work, and the bytes of its answer, in MB."""
    code = f"""
import gc, hitscan, numpy as np
scene = hitscan.load("builtin:sphere:1k")
rng = np.random.default_rng(0)
origin = np.array([0.0, 0.0, 3.0])
directions = (rng.uniform(-1, 1, (3_000_000, 3)) - origin).astype(np.float32)
def status(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith(name))
few = directions[:1000]
def work(directions):
    return {work}
work(few)
gc.collect()
before = status("VmRSS")
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")
answer = work(directions)
arrays = [answer] if isinstance(answer, np.ndarray) else list(answer._arrays.values())
if hasattr(answer, "offsets"):
    arrays.append(answer.offsets)
print(status("VmHWM") - before, sum(array.nbytes for array in arrays) / 2**20)
"""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=300, check=True
    )
    grown, held = done.stdout.split()
    return float(grown), float(held)


@pytest.mark.parametrize(
    "work",
    [
        "scene.closest(origin, directions)",
        "scene.closest(origin, directions, columns=('t', 'prim'))",
        "scene.occluded(origin, directions)",
        "scene.all_hits(origin, directions)",
        "scene.intervals(origin, directions)",
        "scene.closest_point(directions)",
        "scene.occluded(directions[:3000, None], directions[:3000])",
        "scene.closest(directions[:1500, None], -directions[:1500], columns=('prim',))",
        "scene.occluded(directions[:2000, None], directions[None, :2000], t_max=directions[:2000, None, 2] + 9)",
        "scene.sight(directions[:3000, None], directions[:3000])",
        "scene.sight(directions[:3000], directions[:3000], pairs='all')",
    ],
)
def test_peak(work):
    grown, held = peak_of(work)
    # Some MB for the threads' own memory.
    assert grown < 1.1 * held + 8, f"{grown:.1f} MB for {held:.1f} MB of answers"
