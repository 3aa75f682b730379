"""One side of a comparison: a process that imports one release and measures its commands.

``python -P side.py`` reads a request (a line of JSON) at a time and answers with one. The release
is the first on ``PYTHONPATH``. Module paths differ from release to release. So only common parts
are used: the words of the command line, and in the window the texts on its buttons.
"""

import contextlib
import importlib.util
import io
import json
import os
import sys
import time
from pathlib import Path

TICK_MILLISECONDS = 5
SETTLE_SECONDS, WATCH_SECONDS = 1.5, 3.0
"""Times of a run in the window: from its first result until it is watched, and of watching."""
MAX_SECONDS = 300.0
"""Time for the window to offer a button, in seconds: a cold start compiles first."""


def answer(request):
    """Do what a request names; return a dictionary: ``seconds`` and counts, or ``fault``."""
    if request["pin"] is not None:
        os.sched_setaffinity(0, {request["pin"]})
    before = 0.0 if request["is_fresh"] else _processor_seconds()
    status, out, err = _run_command(request["words"])
    seconds = _processor_seconds() - before
    if status:
        lines = [line for line in err.splitlines() if line.strip()]
        return {"fault": lines[-1].strip("│ ") if lines else f"status {status}"}
    return {"seconds": seconds, **_counts(out)}


def _processor_seconds():
    """Return the CPU seconds of this process since it began, ended children included."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def _run_command(words):
    """Run the command line; return (status, standard output, standard error)."""
    from tilelab.__main__ import main

    out, err, status = io.StringIO(), io.StringIO(), 0
    sys.argv = ["tilelab", *words]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            status = end.code
    return status, out.getvalue(), err.getvalue()


def _counts(out):
    """Add up the numbers of all runs that are printed as JSON."""
    counts = {"runs": 0}
    for line in out.splitlines():
        if not line.startswith("{"):
            continue
        printed = json.loads(line)
        counts["runs"] += 1
        for name, value in {"units": printed.get("units"), **printed.get("metrics", {})}.items():
            if isinstance(value, int | float):
                counts[name] = counts.get(name, 0) + value
    return counts


class _Window:
    """A window that is watched from outside; it ends the process with the requested figure."""

    def __init__(self, figure, reply):
        self._figure, self._reply = figure, reply
        self._frames, self._ticks = [], []
        self._has_painted, self._woke = False, 0.0

    def end(self, **result):
        self._reply(result)
        # The current run is not needed, nor does the window wait for it.
        os._exit(0)

    def open(self):
        """Open the window as ``tilelab`` without words does; never returns."""
        sys.addaudithook(self._on_import)
        status, _, err = _run_command([])
        self.end(fault=f"the window ended with status {status}: {err.strip()}")

    def _on_import(self, event, details):
        """Run before the event loop once Qt is loaded; importing it here would change the start."""
        is_own = event == "import" and details[0].startswith("tilelab.")
        if not is_own or "PySide6.QtWidgets" not in sys.modules or self._woke:
            return
        self._woke = time.thread_time()  # now it is known, and the hook is not needed any more
        from PySide6.QtWidgets import QApplication

        execute = QApplication.exec

        def begin(*_):
            self._begin(QApplication.instance())
            return execute()

        QApplication.exec = begin

    def _begin(self, app):
        from PySide6.QtCore import QAbstractEventDispatcher, QEvent, QObject, Qt, QTimer

        window = self

        class Painting(QObject):
            def eventFilter(self, watched, event):
                if event.type() == QEvent.Type.Paint:
                    window.painted()
                return False

        self._app, self._filter = app, Painting()
        app.installEventFilter(self._filter)
        QAbstractEventDispatcher.instance().aboutToBlock.connect(self._note_turn)
        self._timer = QTimer(
            timerType=Qt.TimerType.PreciseTimer,
            interval=TICK_MILLISECONDS,
            timeout=lambda: self._ticks.append(time.perf_counter()),
        )
        self._later = QTimer.singleShot

    def painted(self):
        """Note that something has been painted; the first time it is the window itself."""
        if self._figure == "first-paint":
            self.end(seconds=_processor_seconds())
        if not self._has_painted and not self._ticks:
            self._ticks.append(time.perf_counter())
            self._when_ready("GO", self._go, time.monotonic() + MAX_SECONDS)
        self._has_painted = True

    def _when_ready(self, text, act, end):
        """Pass a button to a function as soon as it can be clicked."""
        from PySide6.QtWidgets import QAbstractButton

        for button in self._app.allWidgets():
            is_it = isinstance(button, QAbstractButton) and button.text() == text
            if is_it and button.isVisible() and button.isEnabled():
                act(button)
                return
        if time.monotonic() > end:
            self.end(fault=f"no button {text} can be clicked")
        self._later(20, lambda: self._when_ready(text, act, end))

    def _go(self, button):
        button.click()
        # There is something to save as soon as the run has a result.
        self._when_ready("SAVE", self._open_view, time.monotonic() + MAX_SECONDS)

    def _open_view(self, _button):
        if self._figure == "view":
            end = time.monotonic() + SETTLE_SECONDS
            self._when_ready("Population", self._settle, end)
        else:
            self._settle()

    def _settle(self, view=None):
        if view is not None:
            view.click()
        self._later(int(1000 * SETTLE_SECONDS), self._watch)

    def _watch(self):
        self._frames.clear()
        self._ticks = [time.perf_counter()]
        if self._figure == "gap":
            self._timer.start()
        self._later(int(1000 * WATCH_SECONDS), self._finish)

    def _finish(self):
        if self._figure == "gap":
            pairs = zip(self._ticks, self._ticks[1:], strict=False)
            values = sorted(after - before for before, after in pairs)
            self.end(seconds=values[int(0.99 * (len(values) - 1))])
        if not self._frames:
            self.end(fault="nothing is painted while a run is going")
        # All of them together: painting less often allows more time for a frame.
        self.end(seconds=sum(self._frames) / WATCH_SECONDS)

    def _note_turn(self):
        """Note the processor time of a turn of the event loop, if it has painted."""
        now = time.thread_time()
        if self._has_painted:
            self._frames.append(now - self._woke)
        self._woke, self._has_painted = now, False


def main():
    # Output of a command is no answer.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def reply(result):
        answers.write(json.dumps(result) + "\n")
        answers.flush()

    for line in sys.stdin:
        request = json.loads(line)
        found = importlib.util.find_spec("tilelab").origin
        if not Path(found).is_relative_to(request["tree"]):
            reply({"fault": f"Python finds {found}, not {request['tree']}"})
            continue
        if request["words"][:1] == ["window"]:
            _Window(request["words"][1], reply).open()
        try:
            reply(answer(request))
        except Exception as error:  # noqa: BLE001
            reply({"fault": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    main()
