"""Threads, signals, processes: answers that depend on none of them, and nothing that hangs."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import hitscan
import numpy as np
import pytest

pytestmark = pytest.mark.timeout(120)


def rays(count: int, seed: int = 11) -> np.ndarray:
    rng = np.random.default_rng(seed)
    origins = rng.uniform(-3, 3, (count, 3))
    return np.concatenate([origins, rng.uniform(-1, 1, (count, 3)) - origins], axis=1)


@pytest.mark.parametrize("count", range(1, 20))
def test_few_are_the_first_of_many(ball, count):
    """A few rays are asked one by one, where they are asked."""
    given = rays(64)
    many, lists, first = ball.closest(given), ball.all_hits(given), ball.first_n(given, n=1)
    few = ball.closest(given[:count])
    for name in few:
        np.testing.assert_array_equal(few[name], many[name][:count])
    np.testing.assert_array_equal(ball.closest(given[:count], columns=("prim",)).prim, many.prim[:count])
    np.testing.assert_array_equal(ball.occluded(given[:count]), many.hit[:count])
    np.testing.assert_array_equal(ball.count(given[:count]), lists.count[:count])
    for whole, part in ((lists, ball.all_hits(given[:count])), (first, ball.first_n(given[:count], n=1))):
        np.testing.assert_array_equal(part.offsets, whole.offsets[: count + 1])
        for name in part.columns:
            np.testing.assert_array_equal(part[name], whole[name][: part.offsets[-1]])
    np.testing.assert_array_equal(
        ball.all_hits(given[:count], columns=("t",)).t, lists.t[: lists.offsets[count]]
    )


@pytest.mark.parametrize("count", [1, 63, 64, 65, 1000, 5000, 100_000])
def test_threads_say_the_same(ball, count):
    given = rays(count)
    one, lists = ball.closest(given, threads=1), ball.all_hits(given, threads=1)
    inside = ball.contains(given[:, :3], threads=1)
    for threads in (2, 3, 7, None):
        many = ball.closest(given, threads=threads)
        for name in one:
            np.testing.assert_array_equal(many[name], one[name])
        again = ball.all_hits(given, threads=threads)
        for name in ("offsets", *lists.columns):
            np.testing.assert_array_equal(getattr(again, name), getattr(lists, name))
        np.testing.assert_array_equal(ball.occluded(given, threads=threads), one.hit)
        np.testing.assert_array_equal(ball.contains(given[:, :3], threads=threads), inside)


def test_a_batch_is_its_rays(ball):
    given = rays(300)
    hits = ball.closest(given)
    for row, ray in enumerate(given):
        one = ball.closest_one(ray[:3], ray[3:])
        assert (one is None) == (not hits.hit[row])
        if one is not None:
            assert (one.t, one.position, one.normal) == (
                hits.t[row],
                tuple(hits.position[row]),
                tuple(hits.normal[row]),
            )


def test_callers_at_once(ball):
    given = [rays(20_000, seed) for seed in range(8)]
    expected = [ball.closest(each, threads=1).t for each in given]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            answers = pool.map(lambda each: ball.closest(each, threads=2).t, given)
            for answer, each in zip(answers, expected, strict=True):
                np.testing.assert_array_equal(answer, each)


def progress_beside(work) -> int:
    """How often another thread of Python comes to its turn while `work` runs."""
    turns, done = 0, threading.Event()

    def count() -> None:
        nonlocal turns
        while not done.is_set():
            turns += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        work()
    finally:
        done.set()
        thread.join()
    return turns


def test_others_run_beside_a_query_and_a_build(ball):
    given = rays(1_000_000)
    start = time.perf_counter()
    turns = progress_beside(lambda: ball.closest(given, threads=1))
    took = time.perf_counter() - start
    assert turns > min(10, took / 0.05)
    vertices = np.random.default_rng(0).uniform(-1, 1, (600_000, 3))
    faces = np.arange(600_000).reshape(-1, 3)
    start = time.perf_counter()
    turns = progress_beside(lambda: hitscan.Mesh(vertices, faces))
    took = time.perf_counter() - start
    assert turns > min(10, took / 0.05)


def test_a_world_is_shared_by_threads():
    """Instances go in and out while others commit and ask."""
    world, ball = hitscan.World(), hitscan.Sphere([0, 0, 0], 1.0)
    world.insert(ball)

    def change(number: int) -> None:
        for step in range(50):
            name = world.insert(ball, [[1, 0, 0, number * 10 + 20], [0, 1, 0, step], [0, 0, 1, 0]])
            assert world.commit(threads=2).closest_one((0, 0, 9), (0, 0, -1)).t == 8.0
            world.remove(name)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(change, range(6)))
    assert len(world) == 1


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize("question", ["closest", "occluded", "all_hits", "contains", "build", "chunks"])
def test_ctrl_c_ends_a_long_batch(question):
    code = f"""
    import hitscan, numpy as np, os, signal, threading, time
    scene = hitscan.load("builtin:sphere:1k")
    rng = np.random.default_rng(0)
    many = np.broadcast_to(rng.uniform(-1, 1, (1, 6)), (30_000_000, 6))
    small = rng.uniform(-1, 1, (1000, 6))
    vertices, faces = rng.uniform(-1, 1, (6_000_000, 3)), np.arange(6_000_000).reshape(-1, 3)
    origin, directions = np.zeros(3), rng.uniform(-1, 1, (20_000_000, 3)).astype(np.float32)
    def forever():
        while True: yield small
    works = dict(
        closest=lambda: scene.closest(origin, directions, columns=("t",), threads=1),
        occluded=lambda: scene.occluded(origin, directions, threads=1),
        all_hits=lambda: scene.all_hits(origin, directions, columns=("t",), threads=1),
        contains=lambda: scene.contains(directions, rule="winding"),
        build=lambda: hitscan.Mesh(vertices, faces, preset="best"),
        chunks=lambda: [None for _ in scene.closest_chunks(forever())],
    )
    works["warm"] = scene.closest(small)
    sent = []
    def send():
        time.sleep(0.3)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=send).start()
    try:
        works[{question!r}]()
    except KeyboardInterrupt:
        print("interrupted after", time.perf_counter() - sent[0])
    else:
        print("done too soon")
    assert scene.closest(small).hit.any()
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=100, check=True
    )
    assert done.stdout.startswith("interrupted after"), done.stdout + done.stderr
    assert float(done.stdout.split()[-1]) < 1.0


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_a_handler_that_raises_nothing_ends_nothing(ball):
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(time.perf_counter()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
        hits = ball.closest(rays(500_000), threads=1, columns=("t",))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(seen) > 1 and hits.hit.any()


def asked_in_a_child(queue, scene, given) -> None:
    hits = scene.closest(given)
    built = hitscan.Mesh(np.eye(3), [[0, 1, 2]], threads=2)
    world = hitscan.World()
    world.insert(built)
    world.commit()
    queue.put((hits.t, scene.contains(given[:, :3]).sum(), built.counts.triangles))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_children_of_a_fork_ask(ball):
    """Its threads are not there in a child: it starts others, and does not wait for these."""
    given = rays(20_000)
    expected, inside = ball.closest(given).t, ball.contains(given[:, :3]).sum()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    children = [context.Process(target=asked_in_a_child, args=(queue, ball, given)) for _ in range(3)]
    for child in children:
        child.start()
    for _ in children:
        t, count, triangles = queue.get(timeout=60)
        np.testing.assert_array_equal(t, expected)
        assert (count, triangles) == (inside, 1)
    for child in children:
        child.join(timeout=60)
        assert child.exitcode == 0
    np.testing.assert_array_equal(ball.closest(given).t, expected)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_while_others_ask(ball):
    given, stop = rays(5000), threading.Event()

    def ask() -> None:
        while not stop.is_set():
            ball.closest(given)

    askers = [threading.Thread(target=ask) for _ in range(3)]
    for asker in askers:
        asker.start()
    try:
        for _ in range(20):
            child = os.fork()
            if child == 0:
                os._exit(0 if ball.closest(given).hit.any() else 1)
            deadline = time.monotonic() + 60
            while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
                assert time.monotonic() < deadline, "the child hangs"
                time.sleep(0.005)
            assert os.waitstatus_to_exitcode(ended[1]) == 0
    finally:
        stop.set()
        for asker in askers:
            asker.join()


def asked_by_path(scene) -> float:
    return float(scene.closest_one((0, 0, 9), (0, 0, -1)).t)


def test_other_processes_ask(ball, tmp_path):
    path = tmp_path / "ball.hitscan"
    ball.save(path)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        answers = pool.map(asked_by_path, [hitscan.Scene.open(path, mmap=True)] * 4)
    assert answers == [asked_by_path(ball)] * 4


class TestProgress:
    """Bars of tqdm."""

    def test_batches(self, ball, capsys):
        pytest.importorskip("tqdm")
        given = rays(300_000)
        ball.closest(given, progress=True, threads=1)
        ball.contains(given[:1000, :3], progress=True)
        shown = capsys.readouterr().err
        ball.occluded(given[:5], progress=True)
        assert "5.00/5.00" in capsys.readouterr().err
        assert "300k/300k" in shown and "rays/s" in shown and "points/s" in shown

    def test_builds_and_files(self, soup, capsys):
        pytest.importorskip("tqdm")
        hitscan.Mesh(soup.vertices, soup.faces, progress=True)
        hitscan.load("builtin:sphere:1k", progress=True)
        assert "steps" in capsys.readouterr().err

    def test_nothing_is_shown_otherwise(self, ball, capsys):
        ball.closest(rays(1000))
        assert capsys.readouterr() == ("", "")

    def test_what_tells_may_raise(self, ball):
        def tell(done: int, total: int) -> None:
            raise RuntimeError("enough")

        given = rays(500_000)
        asked = (given, None, 0.0, np.inf, (len(given), (1, 1, 1, 1)))
        with pytest.raises(RuntimeError, match="enough"):
            hitscan._hitscan.closest(ball._core, asked, (1, "both"), {"t": np.empty(500_000)}, (1, tell, "raise"))


    def test_what_is_under_way_is_named(self, ball):
        given, t = rays(1000), np.ones(1000)
        told = []

        def tell(done: int, total: int) -> None:
            told.append(done)
            with pytest.raises(ValueError, match="^t_max: an array is in use"):
                ball.occluded(given, t_max=t)
            with pytest.raises(ValueError, match="^points: an array is in use"):
                ball.closest_point(t[:999].reshape(-1, 3))
            with pytest.raises(ValueError, match=r"^out\['t'\]: the array is in use"):
                ball.closest(given, out={"t": t})

        asked = (given, None, 0.0, np.inf, (len(given), (1, 1, 1, 1)))
        hitscan._hitscan.closest(ball._core, asked, (1, "both"), {"t": t}, (1, tell, "raise"))
        assert told


class TestChunks:
    """More rays than fit."""

    def test_an_array_in_pieces(self, ball, tmp_path):
        given = rays(10_000)
        np.save(tmp_path / "rays.npy", given)
        expected = ball.closest(given)
        for source in (given, np.load(tmp_path / "rays.npy", mmap_mode="r")):
            chunks = list(ball.closest_chunks(source, size=3000, threads=2))
            assert [len(chunk) for chunk in chunks] == [3000, 3000, 3000, 1000]
            np.testing.assert_array_equal(np.concatenate([chunk.t for chunk in chunks]), expected.t)

    def test_an_iterable(self, ball):
        given = rays(100)
        pieces = [given, given[:, :3].copy(), (given[:, :3], given[:, 3:]), tuple(given.T), given.reshape(10, 10, 6)]
        del pieces[1]
        for chunk in ball.closest_chunks(iter(pieces), columns=("t",)):
            np.testing.assert_array_equal(chunk.t.reshape(-1), ball.closest(given).t)

    def test_it_asks_for_a_piece_at_a_time(self, ball):
        taken = []

        def pieces():
            for number in range(5):
                taken.append(number)
                yield rays(10)

        chunks = ball.closest_chunks(pieces())
        assert taken == []
        next(chunks)
        next(chunks)
        assert taken == [0, 1]


#: What a child of a fork does as its parent did.
EVERYTHING = """
import hitscan, numpy as np, os, pickle, signal, sys
rng = np.random.default_rng(0)
ball = hitscan.load("builtin:sphere:20k")
corners, faces = rng.random((3000, 3)), rng.integers(0, 3000, (200_000, 3))
ray, point = ([0, 0, 5.0], [0, 0, -1.0]), [0.1, 0.1, 0.1]

def scene():
    world = hitscan.World()
    world.insert(hitscan.Mesh(corners, faces))
    return world.commit()

def is_refused(question, *arguments, **options):
    try:
        question(*arguments, **options)
    except ValueError:
        return
    raise AssertionError("not refused")

acts = {
    "heightfield": lambda: hitscan.Heightfield(rng.random((300, 300))),
    "pickle": lambda: pickle.loads(pickle.dumps(hitscan.Heightfield(rng.random((300, 300))))),
    "hull": lambda: hitscan.ConvexHull(rng.normal(size=(5000, 3))),
    "contains": lambda: is_refused(scene().contains, point),
    "many contains": lambda: is_refused(scene().contains, np.tile(point, (1000, 1))),
    "signed_distance": lambda: is_refused(scene().signed_distance, point),
    "mesh contains": lambda: is_refused(hitscan.Mesh(corners, faces).contains, point),
    "winding": lambda: scene().contains(point, rule="winding"),
    "winding number": lambda: hitscan.Mesh(corners, faces[1:]).winding_number(point),
    "winding numbers": lambda: hitscan.Mesh(corners, faces[1:]).winding_number(np.tile(point, (1000, 1))),
    "load": lambda: hitscan.load("builtin:sphere:20k"),
    "few": lambda: [getattr(ball, name)(*ray) for name in ("closest", "occluded", "count", "all_hits", "intervals")],
    "others": lambda: [
        ball.first_n(*ray, n=1), ball.heights([0, 0]), ball.sight([0, 0, 5.0], [0, 0, -5.0]),
        ball.closest_point(point), ball.signed_distance(point), ball.closest_one(*ray), ball.occluded_one(*ray),
    ],
}
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="looks at /proc")
def test_all_in_threads_that_a_child_can_replace():
    """After each call there are the threads of this package and no others: none of a pool that hangs after a fork."""
    code = EVERYTHING + """
for name, act in acts.items():
    before = set(os.listdir("/proc/self/task"))
    act()
    names = {open(f"/proc/self/task/{task}/comm").read().strip() for task in set(os.listdir("/proc/self/task")) - before}
    assert names <= {"hitscan"}, (name, names)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        act()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, name
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], timeout=200, check=True)


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_a_handler_that_asks_the_world_that_is_committed():
    """It is refused rather than waited for: the commit cannot end before the handler has."""
    code = """
    import faulthandler, hitscan, os, signal, threading
    world, ball = hitscan.World(), hitscan.Sphere([0, 0, 0], 1)
    for number in range(60_000):
        world.insert(ball, [[1, 0, 0, number % 300], [0, 1, 0, number // 300], [0, 0, 1, 0]])
    told, busy = [], "the world is being committed"
    def handler(*_):
        try:
            told.append(len(world))
        except RuntimeError as error:
            told.append(str(error))
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
    faulthandler.dump_traceback_later(60, exit=True)
    for number in range(50):
        world.set_transform(0, [[1, 0, 0, -number], [0, 1, 0, 0], [0, 0, 1, 0]])
        scene = world.commit(threads=1)
        if busy in told:
            break
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert busy in told and set(told) <= {60_000, busy}, set(told)
    assert len(world) == len(list(world)) == 60_000 and scene.closest_one((0, 5, 9), (0, 0, -1)).t == 8.0
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], timeout=100, check=True)


def test_others_wait_for_a_commit():
    """A thread that asks a world while another commits it gets its answer after that."""
    world, ball = hitscan.World(), hitscan.Sphere([0, 0, 0], 1)
    for number in range(60_000):
        world.insert(ball, [[1, 0, 0, number % 300], [0, 1, 0, number // 300], [0, 0, 1, 0]])
    with ThreadPoolExecutor(4) as pool:
        commits = [pool.submit(world.commit) for _ in range(2)]
        counts = [pool.submit(len, world) for _ in range(20)]
        assert {count.result() for count in counts} == {60_000}
        assert {len(commit.result()) for commit in commits} == {60_000}


def test_others_run_beside_the_making_of_shapes():
    samples = np.random.default_rng(0).random((2500, 2500), np.float32)
    points = np.random.default_rng(0).normal(size=(500_000, 3))
    for make in (lambda: hitscan.Heightfield(samples), lambda: hitscan.ConvexHull(points)):
        start = time.perf_counter()
        longest = longest_wait_beside(make)
        took = time.perf_counter() - start
        assert took < 0.05 or longest < 0.7 * took


def longest_wait_beside(work) -> float:
    """For how long another thread of Python does not come to its turn while `work` runs."""
    times, done, begun = [], threading.Event(), threading.Event()

    def count() -> None:
        while not done.is_set():
            times.append(time.perf_counter())
            begun.set()
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    begun.wait()
    try:
        work()
    finally:
        done.set()
        thread.join()
    return float(np.diff(times).max())


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="looks at /proc")
def test_idle_threads_are_few():
    """Who asks once for many, or in many threads at once, does not keep them."""
    code = """
    import hitscan, numpy as np, os, threading, time
    ball = hitscan.load("builtin:sphere:1k")
    origins = np.random.default_rng(0).normal(size=(20_000, 3))
    most = 1 + 4 * max(os.process_cpu_count() if hasattr(os, "process_cpu_count") else os.cpu_count(), 1)
    def settle():
        end = time.monotonic() + 30
        while len(os.listdir("/proc/self/task")) > most and time.monotonic() < end:
            time.sleep(0.01)
        return len(os.listdir("/proc/self/task"))
    expected = ball.occluded(origins, [0, 0, 1], threads=1)
    assert (ball.occluded(origins, [0, 0, 1], threads=200) == expected).all()
    assert settle() <= most, settle()
    for size in range(2, 12):
        hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], threads=size)
    assert settle() <= most, settle()
    asking = [threading.Thread(target=ball.occluded, args=(origins, [0, 0, 1])) for _ in range(40)]
    for thread in asking: thread.start()
    for thread in asking: thread.join()
    assert settle() <= most, settle()
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], timeout=100, check=True)


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="looks at /proc")
def test_a_few_are_answered_where_they_are_asked():
    """No thread is started for 64 rays, nor for points once it is known that a mesh is closed."""
    code = """
    import hitscan, numpy as np, os, pickle, signal
    origins = np.random.default_rng(0).normal(size=(64, 3))
    box = hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    world = hitscan.World()
    world.insert(box)
    scene = world.commit()
    expected = [target.contains(origins, threads=1).tolist() for target in (box, scene)]
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        for target, inside in zip((box, scene), expected):
            for name in ("closest", "occluded", "count", "all_hits", "intervals"):
                getattr(target, name)(origins, [0, 0, 1])
            assert target.contains(origins).tolist() == inside
        assert len(os.listdir("/proc/self/task")) == 1, os.listdir("/proc/self/task")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    """
    subprocess.run([sys.executable, "-W", "ignore", "-c", textwrap.dedent(code)], timeout=100, check=True)


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_ends_the_first_look_at_meshes():
    """Whether meshes are closed is found out one after the other, and no more of them once Ctrl-C was pressed."""
    code = """
    import hitscan, numpy as np, os, signal, threading, time
    rng = np.random.default_rng(0)
    corners, faces = rng.random((3000, 3)), rng.integers(0, 3000, (40_000, 3))
    def scene():
        world = hitscan.World()
        for _ in range(30):
            world.insert(hitscan.Mesh(corners, faces, preset="fast"))
        return world.commit()
    def ask(scene):
        start = time.perf_counter()
        try:
            scene.contains([0.5, 0.5, 0.5])
        except (ValueError, KeyboardInterrupt) as error:
            return type(error), time.perf_counter() - start
    first, second = scene(), scene()
    refused, whole = ask(first)
    def send():
        time.sleep(whole / 10)
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=send).start()
    interrupted, part = ask(second)
    assert issubclass(refused, ValueError) and interrupted is KeyboardInterrupt, (refused, interrupted)
    assert part < 0.6 * whole, (part, whole)
    print("interrupted after", part, "of", whole)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], timeout=100, check=True)
