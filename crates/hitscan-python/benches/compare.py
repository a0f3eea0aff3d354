"""hitscan beside embreex through trimesh, and beside Open3D: one process, the same arrays.

    pip install hitscan -r requirements-bench.txt
    python benches/compare.py            # the bars: a million rays of each kind; nothing else may run
    python benches/compare.py --quick    # whether it works

Prints Markdown. A ratio is how often hitscan does the work in the peer's time: both run once in each round, in turns
as to who is first, and the table has the median of the rounds' ratios and their range. Answers are compared before
anything is timed; where too few of them agree, the script fails.
"""

from __future__ import annotations

import argparse
import datetime
import gc
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import embreex
import hitscan
import hitscan.trimesh
import numpy as np
import open3d
import trimesh
from hitscan.compat import RaycastingScene
from trimesh.ray import ray_pyembree

SHARED = Path(__file__).resolve().parents[3].parent / "shared" / "scenes"
#: Share of answers that have to agree. What does not lies at edges, where float32 decides.
ALIKE = 0.999


class Rays(NamedTuple):
    """Rays, as each library takes them without a copy."""

    name: str
    origins: np.ndarray
    directions: np.ndarray
    six: np.ndarray
    tensor: Any


class Case(NamedTuple):
    """Two ways to the same answers."""

    what: str
    peer: str
    ask_peer: Callable[[], Any]
    ask: Callable[[], Any]
    #: Share of answers that agree, of one run each; None where that is told by another case.
    agree: Callable[[Any, Any], float] | None
    #: Least ratio that is wanted; None where the issue names none.
    bar: float | None
    #: Questions in one run.
    count: int
    #: Share of answers that has to agree.
    least: float = ALIKE


def ball(subdivisions: int) -> trimesh.Trimesh:
    """A sphere with noise."""
    mesh = trimesh.creation.icosphere(subdivisions=subdivisions)
    noise = np.random.default_rng(1).normal(0, 0.01, (len(mesh.vertices), 1))
    return trimesh.Trimesh(mesh.vertices * (1 + noise), mesh.faces, process=False)


def kitchen() -> trimesh.Trimesh:
    """An interior: long thin and tiny triangles side by side."""
    mesh = trimesh.load(SHARED / "kitchen.glb", force="mesh")
    return trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)


def rays(name: str, origins: np.ndarray, directions: np.ndarray) -> Rays:
    # Rounded, so that all libraries are asked the same.
    six = np.concatenate([origins, directions], axis=1).astype(np.float32)
    return Rays(
        name,
        six[:, :3].astype(np.float64),
        six[:, 3:].astype(np.float64),
        six,
        open3d.core.Tensor.from_numpy(six),
    )


def ray_sets(mesh: trimesh.Trimesh, count: int, view: hitscan.Camera) -> list[Rays]:
    """Rays anywhere, rays at the mesh, and a picture."""
    random = np.random.default_rng(2)
    low, high = mesh.bounds
    middle, half = (low + high) / 2, (high - low) / 2
    origins = middle + random.uniform(-2, 2, (count, 3)) * half
    side = round(count**0.5)
    picture = view.rays(side, side)
    directions = np.ascontiguousarray(picture.directions.reshape(-1, 3))
    return [
        rays("random", origins, random.normal(size=(count, 3))),
        rays("aimed", origins, middle + random.uniform(-1, 1, (count, 3)) * half - origins),
        rays("pinhole", np.broadcast_to(picture.origins, directions.shape), directions),
    ]


def same(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.mean(np.asarray(one) == np.asarray(other)))


def cases(mesh: trimesh.Trimesh, kind: Rays, threads: int) -> list[Case]:
    """What is compared with rays of a kind."""
    solid = hitscan.Mesh(mesh.vertices, mesh.faces)
    embree = ray_pyembree.RayMeshIntersector(mesh)
    own = {one: hitscan.trimesh.RayMeshIntersector(mesh, threads=one) for one in (1, threads)}
    theirs, compat = open3d.t.geometry.RaycastingScene(), RaycastingScene()
    corners, faces = mesh.vertices.astype(np.float32), mesh.faces.astype(np.uint32)
    theirs.add_triangles(open3d.core.Tensor(corners), open3d.core.Tensor(faces))
    compat.add_triangles(corners, faces)
    count = len(kind.six)
    found = ("t", "instance", "prim", "u", "v", "normal")
    listed = ("t", "instance", "prim", "u", "v")
    # Beside Open3D, whose answers are float32.
    single = np.float32
    o, d, six, tensor = kind.origins, kind.directions, kind.six, kind.tensor

    def prims(answer: Any, hits: Any) -> float:
        return same(answer["primitive_ids"].numpy(), hits.prim.astype(np.uint32))

    def counts(answer: Any, lists: Any) -> float:
        return same(np.diff(answer["ray_splits"].numpy().astype(np.int64)), np.diff(lists.offsets))

    def layers(answer: Any, again: Any) -> float:
        # trimesh steps past a hit by a millionth of the mesh's size, and so loses layers that are nearer to each other.
        lists = solid.all_hits(o, d, columns=("distance",), invalid="miss")
        is_near = (np.diff(lists.distance) < 2e-6 * mesh.scale) & (np.diff(lists.ray) == 0)
        is_clear = np.bincount(lists.ray[1:][is_near], minlength=count) == 0
        return same(*(np.bincount(one[1], minlength=count)[is_clear] for one in (answer, again)))

    many = f"{threads} threads"
    first, located = "trimesh `intersects_first`", "trimesh `intersects_location`"
    return [
        Case(
            "closest, 1 thread", first,
            lambda: embree.intersects_first(o, d),
            lambda: solid.closest(o, d, columns=("prim",), threads=1, invalid="miss").prim,
            same, 1.3, count,
        ),
        Case(
            "closest, 1 thread", "Open3D `cast_rays`, 1",
            lambda: theirs.cast_rays(tensor, nthreads=1),
            lambda: solid.closest(six, columns=found, dtype=single, threads=1, invalid="miss"),
            prims, 1.3, count,
        ),
        Case(
            "closest in float64, 1 thread", "Open3D `cast_rays`, 1",
            lambda: theirs.cast_rays(tensor, nthreads=1),
            lambda: solid.closest(six, columns=found, threads=1, invalid="miss"),
            None, None, count,
        ),
        Case(
            f"closest, {many}", f"Open3D `cast_rays`, {threads}",
            lambda: theirs.cast_rays(tensor, nthreads=threads),
            lambda: solid.closest(six, columns=found, dtype=single, threads=threads, invalid="miss"),
            None, None, count,
        ),
        Case(
            f"closest, {many}", "hitscan, 1 thread",
            lambda: solid.closest(six, columns=found, dtype=single, threads=1, invalid="miss"),
            lambda: solid.closest(six, columns=found, dtype=single, threads=threads, invalid="miss"),
            None, 1.9 if threads == 2 else None, count,
        ),
        Case(
            "all hits, 1 thread", "Open3D `list_intersections`, 1",
            lambda: theirs.list_intersections(tensor, nthreads=1),
            lambda: solid.all_hits(six, columns=listed, dtype=single, threads=1, invalid="miss"),
            # Open3D lists some crossings of edges twice.
            counts, 3.0, count, 0.99,
        ),
        Case(
            f"all hits, {many}", f"Open3D `list_intersections`, {threads}",
            lambda: theirs.list_intersections(tensor, nthreads=threads),
            lambda: solid.all_hits(six, columns=listed, dtype=single, threads=threads, invalid="miss"),
            None, 3.0, count,
        ),
        Case(
            "all hits, 1 thread", located,
            lambda: embree.intersects_location(o, d),
            lambda: solid.all_hits(o, d, columns=listed, threads=1, invalid="miss"),
            None, 6.0, count,
        ),
        Case(
            f"all hits, {many}", located,
            lambda: embree.intersects_location(o, d),
            lambda: solid.all_hits(o, d, columns=listed, threads=threads, invalid="miss"),
            None, 6.0, count,
        ),
        Case(
            "`hitscan.trimesh`, all hits with places, 1 thread", located,
            lambda: embree.intersects_location(o, d),
            lambda: own[1].intersects_location(o, d),
            layers, None, count,
        ),
        Case(
            f"`hitscan.trimesh`, all hits with places, {many}", located,
            lambda: embree.intersects_location(o, d),
            lambda: own[threads].intersects_location(o, d),
            None, None, count,
        ),
        Case(
            "occluded, 1 thread", "Open3D `test_occlusions`, 1",
            lambda: theirs.test_occlusions(tensor, nthreads=1).numpy(),
            lambda: solid.occluded(six, threads=1, invalid="miss"),
            same, 1.3, count,
        ),
        Case(
            "occluded, 1 thread", "trimesh `intersects_any`",
            lambda: embree.intersects_any(o, d),
            lambda: solid.occluded(o, d, threads=1, invalid="miss"),
            same, 1.3, count,
        ),
        Case(
            "`hitscan.compat`, `cast_rays`, 1 thread", "Open3D `cast_rays`, 1",
            lambda: theirs.cast_rays(tensor, nthreads=1),
            lambda: compat.cast_rays(six, nthreads=1),
            None, None, count,
        ),
    ]  # fmt: skip


def inside(mesh: trimesh.Trimesh, count: int, threads: int) -> list[Case]:
    """Points in a closed mesh."""
    low, high = mesh.bounds
    points = np.random.default_rng(3).uniform(low, high, (count, 3))
    solid = hitscan.Mesh(mesh.vertices, mesh.faces)
    embree, own = ray_pyembree.RayMeshIntersector(mesh), hitscan.trimesh.RayMeshIntersector(mesh)
    return [
        Case(
            "contains, 1 thread", "trimesh `contains`",
            lambda: embree.contains_points(points),
            lambda: solid.contains(points, threads=1),
            same, 5.0, count,
        ),
        Case(
            f"contains, {threads} threads", "trimesh `contains`",
            lambda: embree.contains_points(points),
            lambda: solid.contains(points, threads=threads),
            None, 5.0, count,
        ),
        Case(
            "`hitscan.trimesh`, contains", "trimesh `contains`",
            lambda: embree.contains_points(points),
            lambda: own.contains_points(points),
            same, 5.0, count,
        ),
    ]  # fmt: skip


def nearest(mesh: trimesh.Trimesh, count: int, threads: int) -> list[Case]:
    """The nearest points of a mesh: to points anywhere in its box, and to points near its corners."""
    random = np.random.default_rng(5)
    low, high = mesh.bounds
    corners, faces = mesh.vertices.astype(np.float32), mesh.faces.astype(np.uint32)
    solid, theirs = hitscan.Mesh(corners, mesh.faces), open3d.t.geometry.RaycastingScene()
    theirs.add_triangles(open3d.core.Tensor(corners), open3d.core.Tensor(faces))
    rows = random.integers(len(corners), size=count)
    offsets = random.uniform(-0.01, 0.01, (count, 3)) * np.linalg.norm(high - low)
    places = {"anywhere": random.uniform(low, high, (count, 3)), "near": corners[rows] + offsets}

    cases = []
    for where, points in places.items():
        # Rounded, so that both are asked the same.
        rounded = points.astype(np.float32)
        tensor = open3d.core.Tensor.from_numpy(rounded)

        def as_far(answer: Any, found: Any, rounded: np.ndarray = rounded) -> float:
            distances = np.linalg.norm(answer["points"].numpy() - rounded, axis=1)
            return same(np.isclose(distances, found.distance, rtol=1e-4, atol=1e-6 * mesh.scale), True)

        for many in (1, threads):
            named = f"{many} thread{'s' if many > 1 else ''}"
            cases.append(
                Case(
                    f"nearest points, {where}, {named}", f"Open3D `compute_closest_points`, {many}",
                    lambda tensor=tensor, many=many: theirs.compute_closest_points(tensor, nthreads=many),
                    lambda rounded=rounded, many=many: solid.closest_point(rounded, threads=many),
                    as_far if many == 1 else None, None, count,
                )
            )  # fmt: skip
    return cases


def single(mesh: trimesh.Trimesh, calls: int) -> list[Case]:
    """One ray at a time."""
    solid = hitscan.Mesh(mesh.vertices, mesh.faces)
    embree, own = ray_pyembree.RayMeshIntersector(mesh), hitscan.trimesh.RayMeshIntersector(mesh)
    random = np.random.default_rng(4)
    middle, half = mesh.bounds.mean(axis=0), np.ptp(mesh.bounds, axis=0) / 2
    origins = middle + random.uniform(-2, 2, (calls, 3)) * half
    directions = middle + random.uniform(-0.5, 0.5, (calls, 3)) * half - origins
    pairs = list(zip(map(tuple, origins.tolist()), map(tuple, directions.tolist()), strict=True))
    rows = [(origins[row : row + 1], directions[row : row + 1]) for row in range(calls)]

    def scalar() -> np.ndarray:
        hits = [solid.closest_one(o, d) for o, d in pairs]
        return np.array([-1 if hit is None else hit.prim for hit in hits])

    def batches(engine: Any) -> Callable[[], np.ndarray]:
        return lambda: np.array([engine.intersects_first(o, d)[0] for o, d in rows])

    peer = "trimesh `intersects_first`"
    return [
        Case("one ray, `closest_one`", peer, batches(embree), scalar, same, None, calls),
        Case("one ray, `hitscan.trimesh`", peer, batches(embree), batches(own), same, None, calls),
    ]


def timed(ask: Callable[[], Any]) -> float:
    start = time.perf_counter()
    ask()
    return time.perf_counter() - start


def measure(scene: str, kind: str, case: Case, rounds: int) -> bool:
    """Prints a row of the table. Whether the answers agree."""
    alike = None if case.agree is None else case.agree(case.ask_peer(), case.ask())
    times: list[tuple[float, float]] = []
    # One more round, which warms up what the answers' comparison did not.
    for number in range(rounds + 1):
        gc.collect()
        if number % 2:
            own = timed(case.ask)
            times.append((timed(case.ask_peer), own))
        else:
            peer = timed(case.ask_peer)
            times.append((peer, timed(case.ask)))
    times = times[1:]
    ratios = [peer / own for peer, own in times]
    median = statistics.median(ratios)
    each = [statistics.median(column) / case.count for column in zip(*times, strict=True)]
    rates = " | ".join(f"{1e6 * one:.2f} µs" if "one ray" in case.what else f"{1e-6 / one:.2f}" for one in each)
    met = "" if case.bar is None else f"{case.bar} {'met' if median >= case.bar else '**missed**'}"
    if case.what == "one ray, `closest_one`":
        met = f"3 µs {'met' if each[1] <= 3e-6 else '**missed**'}"
    told = "" if alike is None else f"{100 * alike:.3f} %"
    span = f"{median:.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
    print(f"| {scene} | {kind} | {case.what} | {case.peer} | {rates} | {span} | {met} | {told} |", flush=True)
    return alike is None or alike >= case.least


def machine() -> str:
    """The processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few rays and rounds: whether it works")
    parser.add_argument("--rays", type=int, help="rays of each kind (default 1,000,000)")
    parser.add_argument("--rounds", type=int, help="how often each is timed (default 7)")
    parser.add_argument("--threads", type=int, default=2, help="of what has more than one (default 2)")
    parser.add_argument("--scenes", nargs="+", choices=["ball", "kitchen"], help="by default those that are here")
    options = parser.parse_args()
    count = options.rays or (20_000 if options.quick else 1_000_000)
    rounds = options.rounds or (2 if options.quick else 7)
    is_here = (SHARED / "kitchen.glb").exists()
    names = options.scenes or (["ball", "kitchen"] if is_here and not options.quick else ["ball"])
    if not is_here:
        print(f"{SHARED / 'kitchen.glb'} is not here: without the kitchen", file=sys.stderr)
        names = [name for name in names if name != "kitchen"]

    print(
        f"{datetime.date.today()}, {machine()}, {os.cpu_count()} processors; CPython {platform.python_version()}, "
        f"NumPy {np.__version__}, hitscan {hitscan.__version__}, trimesh {trimesh.__version__} "
        f"on embreex {embreex.__version__}, Open3D {open3d.__version__}; "
        f"{count:,} rays, {rounds} rounds. Rates in millions a second.\n"
    )
    heads = ["scene", "rays", "hitscan", "peer", "peer's rate", "hitscan's rate"]
    heads += ["ratio, median (range)", "bar", "same answers"]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    is_alike = True
    for name in names:
        if name == "ball":
            mesh = ball(4 if options.quick else 6)
            view = hitscan.Camera.look_at((0, 0.4, 2.4), (0, 0, 0), fov=60)
        else:
            mesh = kitchen()
            numbers = [float(one) for one in (SHARED / "kitchen.cam").read_text().split()]
            view = hitscan.Camera(numbers[0:3], numbers[3:6], numbers[6:9], numbers[9])
        for kind in ray_sets(mesh, count, view):
            for case in cases(mesh, kind, options.threads):
                is_alike &= measure(name, kind.name, case, rounds)
        if name == "ball":
            for case in inside(mesh, max(count // 10, 1000), options.threads):
                is_alike &= measure(name, "points", case, rounds)
        for case in nearest(mesh, max(count // 10, 1000), options.threads):
            is_alike &= measure(name, "points", case, rounds)
        for case in single(mesh, max(count // 100, 1000)):
            is_alike &= measure(name, "aimed", case, rounds)
    if not is_alike:
        print("\nToo few of some answers agree: see the last column.", file=sys.stderr)
    return 0 if is_alike else 1


if __name__ == "__main__":
    sys.exit(main())
