"""The window under load: its event loop, STOP, its start, and the first compiling of kernels.

Each child process measures one thing and prints it as JSON: ``python -m benchmarks.window NAME``.
Each wait has a limit, and no window asks a question about its run.
"""

import contextlib
import importlib
import json
import statistics
import sys
import tempfile
import time

from rich.table import Table

from benchmarks.child import measure_in_child
from benchmarks.effort import own_folder
from benchmarks.table import show

N_WORDS = 60_000
TICK_MILLISECONDS = 5
N_STOPS = 20
N_STARTS = 5
"""Number of first paints, and of the imports measured next to them; the median of both counts."""
MAX_IMPORTS = 3
MAX_SECONDS = 300
"""Time limit of a single measurement, even where it has to compile on a busy machine."""
FOUR_BY_FOUR = ("bidirectional-a-star", "unidirectional-a-star", "iterative-deepening")
"""Searches that have no larger boards, or for which a larger one shows nothing."""


def measure(name, seconds, **environment):
    """Run one measurement in a process of its own; return its figures, or raise click's error."""
    began = time.time()
    return measure_in_child(
        "window", name, seconds, began, QT_QPA_PLATFORM="offscreen", **environment
    )


def print_window(effort):
    """Measure everything and print it; return whether the first paint is soon enough."""
    seconds = effort.seconds
    # The runs measured here do not belong in the user's history.
    with (
        own_folder("TILELAB_DATA_DIR"),
        own_folder("TILELAB_CONFIG_DIR"),
        # The short form shares the existing bytecode.
        effort.of(own_folder("PYTHONPYCACHEPREFIX"), contextlib.nullcontext()),
        tempfile.TemporaryDirectory() as empty,
    ):
        measure("start", seconds)
        starts = [measure("start", seconds) for _ in range(effort.of(N_STARTS, 1))]
        imports = [measure("imports", seconds)["processor"] for _ in starts]
        load = measure("load", seconds)
        tiles = measure("sliding", seconds)
        # The short form compiles nothing.
        cold = measure("cold", seconds, **effort.of({"TILELAB_CACHE_DIR": empty}, {}))
    start = statistics.median(start["first_paint"] for start in starts)
    processor = statistics.median(start["processor"] for start in starts)
    table = Table("what", "here", "beside", title="The window")
    rows = (
        ("from the start of the process to the first paint, warm", start, ""),
        (
            f"gap between ticks of the event loop, p99, {N_WORDS:,} words running",
            load["p99"],
            f"{load['idle_p99']:.0f} ms idle, longest {load['longest']:.0f} ms",
        ),
        (
            f"STOP to its answer, longest of {N_STOPS}",
            load["stop_longest"],
            f"median {load['stop_median']:.0f} ms",
        ),
        (
            "gap between ticks, p99, all searches of sliding tiles one after the other",
            tiles["p99"],
            f"longest {tiles['longest']:.0f} ms",
        ),
        (
            "STOP to its answer, longest of five for each search",
            tiles["stop_longest"],
            tiles["slowest"],
        ),
        (
            "gap between ticks while kernels are compiled, p99",
            cold["p99"],
            f"{cold['seconds']:.0f} s of compiling, longest {cold['longest']:.0f} ms, "
            f"said “{cold['said']}”",
        ),
    )
    for title, figure, beside in rows:
        table.add_row(title, f"{figure:,.0f} ms", beside)
    two = statistics.median(imports)
    is_late = processor > MAX_IMPORTS * two
    table.add_row(
        "first paint, in times of importing QtWidgets and numpy alone, processor",
        f"{processor / two:.1f} ×{f'  missed: ≤ {MAX_IMPORTS} × wanted' if is_late else ''}",
        f"{processor:.0f} ms, {two:.0f} ms",
    )
    show(table)
    return not is_late


class Ticker:
    """A timer that notes when the event loop serves it."""

    def __init__(self):
        from PySide6.QtCore import Qt, QTimer

        self.times = []
        self._timer = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=TICK_MILLISECONDS)
        self._timer.timeout.connect(lambda: self.times.append(time.perf_counter()))

    def until(self, what, condition):
        """Run the event loop until a condition holds; return the sorted gaps in milliseconds.

        Raises TimeoutError, which names the condition.
        """
        gaps = self.watch(MAX_SECONDS, condition)
        if not condition():
            raise TimeoutError(f"not {what} after {MAX_SECONDS} seconds")
        return gaps

    def watch(self, seconds, condition=lambda: False):
        """Run the event loop for some seconds, or until a condition holds; return the gaps."""
        from PySide6.QtCore import QEventLoop, QTimer

        self.times = [time.perf_counter()]
        self._timer.start()
        loop, end = QEventLoop(), time.perf_counter() + seconds
        check = QTimer(interval=1)
        check.timeout.connect(
            lambda: loop.quit() if condition() or time.perf_counter() > end else None
        )
        check.start()
        loop.exec()
        self._timer.stop()
        self.times.append(time.perf_counter())
        return sorted(
            1000 * (after - before)
            for before, after in zip(self.times, self.times[1:], strict=False)
        )


def p99(gaps):
    """Return the 99th percentile of sorted gaps."""
    return gaps[min(int(0.99 * len(gaps)), len(gaps) - 1)]


def open_window():
    """Make and show a window with settings of its own; it closes without a question."""
    from pathlib import Path

    from tilelab.__main__ import lighten_start

    lighten_start()
    from tilelab.gui.shell.app import import_before_qt

    import_before_qt()
    from tilelab.gui.shell.main_window import MainWindow
    from tilelab.gui.shell.qt_application import make_application
    from tilelab.gui.widgets.settings import Settings

    app = make_application(sys.argv[:1], "light")
    folder = tempfile.TemporaryDirectory()
    window = MainWindow(Settings(Path(folder.name) / "window.ini"))
    window.shutdown.asks = False
    window.show()
    return app, window, folder


def _until_ready(ticker, window):
    return ticker.until("ready", lambda: not window.page.run.status.pending)


def _until_in(ticker, window, *states):
    """Wait until the run is in one of some states."""

    def is_there():
        status = window.page.run.status
        return status.state in states and not status.pending

    ticker.until(" or ".join(states), is_there)


def start(_seconds, began):
    """Measure the time, and the processor's, from the start to the window's first paint.

    The processor's is without the imports of this file itself.
    """
    processor = time.process_time()
    _app, window, _folder = open_window()
    from PySide6.QtCore import QEvent, QObject

    class FirstPaint(QObject):
        seconds = None

        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.Paint and self.seconds is None:
                self.seconds = time.time() - began
                self.processor = time.process_time() - processor
            return False

    watcher = FirstPaint()
    window.page.installEventFilter(watcher)
    Ticker().until("painted", lambda: watcher.seconds is not None)
    window.close()
    return {"first_paint": 1000 * watcher.seconds, "processor": 1000 * watcher.processor}


def imports(_seconds, _began):
    """Measure the processor time of importing what every window needs."""
    began = time.process_time()
    importlib.import_module("PySide6.QtWidgets")
    importlib.import_module("numpy")
    return {"processor": 1000 * (time.process_time() - began)}


def load(seconds, _began):
    """Measure gaps of the event loop, idle and during a run, and the duration of STOP."""
    from tilelab.gui.puzzles.boggle.face import Origin
    from tilelab.gui.run.messages import LetterRequest, LoadContext
    from tilelab.letters.builtin import open_lexicon
    from tilelab.letters.lexicon import parse_lexicon
    from tilelab.runs.actions import Action, State

    _app, window, _folder = open_window()
    ticker = Ticker()
    _until_ready(ticker, window)
    idle = ticker.watch(seconds)
    strings = open_lexicon("english-medium").strings[:N_WORDS]
    lexicon = parse_lexicon("\n".join(strings).encode(), "words")
    window.page.control.ask_puzzle(LetterRequest("boggle", lexicon), LoadContext(Origin("")))
    _until_ready(ticker, window)
    window.act(Action.GO)
    _until_in(ticker, window, State.RUNNING)
    gaps = ticker.watch(8 * seconds)
    stops = []
    for _ in range(N_STOPS):
        ticker.watch(min(0.1, seconds))
        requested = time.perf_counter()
        window.act(Action.STOP)
        _until_in(ticker, window, State.PAUSED)
        stops.append(1000 * (time.perf_counter() - requested))
        window.act(Action.RESUME)
        _until_in(ticker, window, State.RUNNING)
    window.close()
    return {
        "idle_p99": p99(idle),
        "p99": p99(gaps),
        "longest": gaps[-1],
        "stop_longest": max(stops),
        "stop_median": sorted(stops)[N_STOPS // 2],
    }


def sliding(seconds, _began):
    """Measure the longest gap and STOP of every search on a board that it cannot finish in time."""
    import numpy as np

    from tilelab import catalog
    from tilelab.puzzles.sliding.board import SlidingParams, goal_board, scrambled
    from tilelab.puzzles.sliding.play import Position
    from tilelab.runs.actions import Action, State

    at_rest = (State.PAUSED, State.FINISHED, State.FAILED)
    _app, window, _folder = open_window()
    window.show_puzzle("sliding")
    page, ticker = window.page, Ticker()
    _until_ready(ticker, window)
    gaps, stops = [], []
    for key in catalog.solvers("sliding"):
        side = 4 if key in FOUR_BY_FOUR else 6
        params = SlidingParams(rows=side, cols=side)
        cells = scrambled(goal_board(side, side, params.goal), side, 5)
        page.face.take_board(Position.of(params, np.array(cells), None, "Benchmark"))
        _until_ready(ticker, window)
        page.choose_solver(key)
        window.act(Action.GO)
        _until_in(ticker, window, State.RUNNING, *at_rest)
        for _ in range(5):
            gaps += ticker.watch(seconds / 5)
            if page.run.status.state is not State.RUNNING:
                break
            requested = time.perf_counter()
            window.act(Action.STOP)
            _until_in(ticker, window, *at_rest)
            stops.append((1000 * (time.perf_counter() - requested), key))
            window.act(Action.RESUME)
            _until_in(ticker, window, State.RUNNING, State.FINISHED, State.FAILED)
        window.act(Action.STOP)
        _until_in(ticker, window, *at_rest)
    window.close()
    gaps.sort()
    longest, slowest = max(stops)
    return {"p99": p99(gaps), "longest": gaps[-1], "stop_longest": longest, "slowest": slowest}


def cold(_seconds, _began):
    """Measure gaps of the event loop while every kernel is compiled for the first time."""
    _app, window, _folder = open_window()
    began = time.perf_counter()
    ticker = Ticker()
    said = window.page.status.text
    gaps = _until_ready(ticker, window)
    seconds = time.perf_counter() - began
    window.close()
    return {"p99": p99(gaps), "longest": gaps[-1], "seconds": seconds, "said": said}


if __name__ == "__main__":
    kind, duration, process_began = sys.argv[1:]
    kinds = {"start": start, "imports": imports, "load": load, "sliding": sliding, "cold": cold}
    figures = kinds[kind](float(duration), float(process_began))
    sys.stdout.write(json.dumps(figures))
