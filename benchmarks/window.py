"""The window under load: its event loop, STOP, its start, and the first compiling of kernels.

Each child process measures one thing and prints it as JSON: ``python -m benchmarks.window NAME``.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

from rich.console import Console
from rich.table import Table

N_WORDS = 60_000
TICK_MILLISECONDS = 5
N_STOPS = 20
LONGEST_SECONDS = 240
FOUR_BY_FOUR = ("bidirectional-a-star", "unidirectional-a-star", "iterative-deepening")
"""Searches that have no larger boards, or that a larger one tells nothing of."""


def measure(name, seconds, **environment):
    """Run one measurement in a process of its own; returns its figures."""
    # The runs measured here have no place in the person's history.
    with tempfile.TemporaryDirectory() as data:
        own = {"QT_QPA_PLATFORM": "offscreen", "TILELAB_DATA_DIR": data}
        began = time.time()
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.window", name, str(seconds), str(began)],
            env={**os.environ, **own, **environment},
            capture_output=True,
            timeout=LONGEST_SECONDS,
            check=True,
        )
    return json.loads(done.stdout)


def print_window(seconds):
    """Measure everything and print it; returns whether all is within what is wanted."""
    with tempfile.TemporaryDirectory() as folder:
        measure("start", seconds)
        start = measure("start", seconds)
        load = measure("load", seconds)
        tiles = measure("sliding", seconds)
        cold = measure("cold", seconds, TILELAB_CACHE_DIR=folder)
    table = Table("what", "here", "wanted", "beside", title="The window")
    rows = (
        ("from the start of the process to the first paint, warm", start["first_paint"], 1500, ""),
        (
            f"gap between ticks of the event loop, p99, {N_WORDS:,} words running",
            load["p99"],
            50,
            f"{load['idle_p99']:.0f} ms idle, longest {load['longest']:.0f} ms",
        ),
        (
            f"STOP to its answer, longest of {N_STOPS}",
            load["stop_longest"],
            100,
            f"median {load['stop_median']:.0f} ms",
        ),
        (
            "gap between ticks, p99, all searches of sliding tiles one after the other",
            tiles["p99"],
            50,
            f"longest {tiles['longest']:.0f} ms",
        ),
        (
            "STOP to its answer, longest of five for each search",
            tiles["stop_longest"],
            100,
            tiles["slowest"],
        ),
        (
            "gap between ticks while kernels are compiled, p99",
            cold["p99"],
            50,
            f"{cold['seconds']:.0f} s of compiling, longest {cold['longest']:.0f} ms, "
            f"said “{cold['said']}”",
        ),
    )
    for title, figure, wanted, beside in rows:
        late = "" if figure <= wanted else "  missed"
        table.add_row(title, f"{figure:,.0f} ms", f"≤ {wanted:,} ms{late}", beside)
    Console().print(table)
    return all(figure <= wanted for _, figure, wanted, _ in rows)


class Ticker:
    """Notes when the event loop gets round to a timer."""

    def __init__(self):
        from PySide6.QtCore import Qt, QTimer

        self.times = []
        self._timer = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=TICK_MILLISECONDS)
        self._timer.timeout.connect(lambda: self.times.append(time.perf_counter()))

    def watch(self, condition=lambda: False, seconds=float("inf")):
        """Run the event loop until a condition holds; returns the sorted gaps in milliseconds."""
        from PySide6.QtCore import QEventLoop, QTimer

        self.times = [time.perf_counter()]
        self._timer.start()
        loop, end = QEventLoop(), time.perf_counter() + min(seconds, LONGEST_SECONDS)
        check = QTimer(interval=1)
        check.timeout.connect(
            lambda: loop.quit() if condition() or time.perf_counter() > end else None
        )
        check.start()
        loop.exec()
        self._timer.stop()
        return sorted(
            1000 * (after - before)
            for before, after in zip(self.times, self.times[1:], strict=False)
        )


def p99(gaps):
    """Return the 99th percentile of sorted gaps."""
    return gaps[min(int(0.99 * len(gaps)), len(gaps) - 1)]


def open_window():
    """Make and show a window with settings of its own."""
    from pathlib import Path

    from tilelab.gui.application import make_application
    from tilelab.gui.main_window import MainWindow
    from tilelab.gui.settings import Settings

    app = make_application(sys.argv[:1], "light")
    folder = tempfile.TemporaryDirectory()
    window = MainWindow(Settings(Path(folder.name) / "window.ini"))
    window.show()
    return app, window, folder


def start(_seconds, began):
    """Time from the start of the process to the window's first paint."""
    app, window, _folder = open_window()
    from PySide6.QtCore import QEvent, QObject

    class FirstPaint(QObject):
        seconds = None

        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.Paint and self.seconds is None:
                self.seconds = time.time() - began
            return False

    watcher = FirstPaint()
    window.page.installEventFilter(watcher)
    while watcher.seconds is None:
        app.processEvents()
    window.close()
    return {"first_paint": 1000 * watcher.seconds}


def load(seconds, _began):
    """Gaps of the event loop, idle and during a run, and how long STOP takes."""
    from tilelab.gui.jobs import LetterRequest, Loaded
    from tilelab.runs.session import Action, State
    from tilelab.words.builtin import open_lexicon
    from tilelab.words.lexicon import parse_lexicon

    _app, window, _folder = open_window()
    ticker = Ticker()
    ticker.watch(lambda: not window.page.standing.pending)
    idle = ticker.watch(seconds=seconds)
    strings = open_lexicon("english-medium").strings[:N_WORDS]
    lexicon = parse_lexicon("\n".join(strings).encode(), "words")
    window.page._loaded(Loaded(LetterRequest("boggle", lexicon).build(), None))
    window.act(Action.GO)
    ticker.watch(lambda: window.page.standing.state is State.RUNNING)
    gaps = ticker.watch(seconds=max(4 * seconds, 8.0))
    stops = []
    for _ in range(N_STOPS):
        ticker.watch(seconds=0.1)
        asked = time.perf_counter()
        window.act(Action.STOP)
        ticker.watch(lambda: window.page.standing.state is State.PAUSED)
        stops.append(1000 * (time.perf_counter() - asked))
        window.act(Action.RESUME)
        ticker.watch(lambda: window.page.standing.state is State.RUNNING)
    window.close()
    return {
        "idle_p99": p99(idle),
        "p99": p99(gaps),
        "longest": gaps[-1],
        "stop_longest": max(stops),
        "stop_median": sorted(stops)[N_STOPS // 2],
    }


def sliding(seconds, _began):
    """The longest gap and STOP of every search on a board that it cannot finish in time."""
    import numpy as np

    from tilelab import catalog
    from tilelab.puzzles.sliding import SlidingParams, goal_board, scrambled
    from tilelab.runs.hand_play import Position
    from tilelab.runs.session import Action, State

    _app, window, _folder = open_window()
    window.show_puzzle("sliding")
    page, ticker = window.page, Ticker()
    ticker.watch(lambda: not page.standing.pending)
    gaps, stops = [], []
    for key in catalog.solvers("sliding"):
        side = 4 if key in FOUR_BY_FOUR else 6
        params = SlidingParams(rows=side, cols=side)
        cells = scrambled(goal_board(side, side, params.goal), side, 5)
        page.take_board(Position.of(params, np.array(cells), None, "Benchmark"))
        ticker.watch(lambda: not page.standing.pending)
        page.choose_solver(key)
        window.act(Action.GO)
        ticker.watch(lambda: page.standing.state is not State.READY and not page.standing.pending)
        for _ in range(5):
            gaps += ticker.watch(seconds=seconds / 5)
            if page.standing.state is not State.RUNNING:
                break
            asked = time.perf_counter()
            window.act(Action.STOP)
            ticker.watch(lambda: page.standing.state is not State.RUNNING)
            stops.append((1000 * (time.perf_counter() - asked), key))
            window.act(Action.RESUME)
            ticker.watch(lambda: page.standing.state is not State.PAUSED)
        window.act(Action.STOP)
        ticker.watch(lambda: page.standing.state is not State.RUNNING)
    window.close()
    gaps.sort()
    longest, slowest = max(stops)
    return {"p99": p99(gaps), "longest": gaps[-1], "stop_longest": longest, "slowest": slowest}


def cold(_seconds, _began):
    """Gaps of the event loop while every kernel is compiled for the first time."""
    _app, window, _folder = open_window()
    began = time.perf_counter()
    ticker = Ticker()
    said = window.page.status.text
    gaps = ticker.watch(lambda: not window.page.standing.pending)
    seconds = time.perf_counter() - began
    window.close()
    return {"p99": p99(gaps), "longest": gaps[-1], "seconds": seconds, "said": said}


if __name__ == "__main__":
    kind, duration, process_began = sys.argv[1:]
    figures = {"start": start, "load": load, "sliding": sliding, "cold": cold}[kind](
        float(duration), float(process_began)
    )
    sys.stdout.write(json.dumps(figures))
