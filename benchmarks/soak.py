"""Memory over a long run: ``python -m benchmarks soak``, or ``benchmarks.soak [--minutes 10]``.

The window with chart and history open follows the fastest run: the smallest population on the
smallest board, without end. Every half minute it is stopped and resumed, which writes it into the
history. Memory is that of the process alone (USS). The exit status is 1 when the last minute has 10
MB or more beyond the first; a minute's figure is the median of its last samples.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import groupby

import psutil
from rich.table import Table

from benchmarks.table import show

MAX_MEGABYTES = 10.0
SAMPLE_SECONDS = 5.0
LAST_SAMPLES = 5
STOP_SECONDS = 30.0
LEXICON, SIDE, PARENTS = "planets", 2, 3


def print_soak(minutes):
    """Follow a run for some minutes and print its memory; return whether it is constant."""
    samples = []
    with tempfile.TemporaryDirectory() as folder:
        own = {
            "TILELAB_DATA_DIR": folder,
            "TILELAB_CONFIG_DIR": folder,
            "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
        }
        command = [sys.executable, "-m", "benchmarks.soak", "--child", "--minutes", str(minutes)]
        with subprocess.Popen(
            command, env={**os.environ, **own}, stdout=subprocess.PIPE, text=True
        ) as child:
            assert child.stdout is not None
            for line in child.stdout:
                samples.append(json.loads(line))
                sys.stderr.write(f"\r{samples[-1]['seconds']:,.0f} s")
    if child.returncode or not samples:
        sys.exit(f"the window ended with status {child.returncode}")
    table = Table("minute", "memory", "generations", "generations a second", title="The soak")
    medians, before = [], (0, 0.0)
    for minute, group in groupby(samples, lambda sample: int(sample["seconds"] // 60)):
        group = list(group)
        medians.append(statistics.median(sample["megabytes"] for sample in group[-LAST_SAMPLES:]))
        units, seconds = group[-1]["units"], group[-1]["seconds"]
        speed = (units - before[0]) / max(seconds - before[1], 1e-9)
        before = (units, seconds)
        table.add_row(str(minute + 1), f"{medians[-1]:,.1f} MB", f"{units:,}", f"{speed:,.0f}")
    growth = medians[-1] - medians[0]
    stays = growth < MAX_MEGABYTES
    show(table)
    print(
        f"from the first minute to the last: {growth:+.1f} MB, wanted < {MAX_MEGABYTES:.0f} MB"
        + ("" if stays else "  missed")
    )
    return stays


def measure(effort):
    """Measure the soak as a part of the benchmarks; return whether memory is constant."""
    return print_soak(effort.of(10.0, 0.15))


def follow(minutes):
    """Open the window, run, and print samples as lines of JSON; end the process."""
    from benchmarks.window import Ticker, open_window
    from tilelab.gui.puzzles.boggle.face import Origin
    from tilelab.gui.run.messages import LetterRequest, LoadContext
    from tilelab.runs.actions import Action, State

    _app, window, _folder = open_window()
    page, ticker = window.page, Ticker()
    ticker.until("ready", lambda: not page.run.status.pending)
    request = LetterRequest("boggle", LEXICON, {"rows": SIDE, "cols": SIDE})
    page.control.ask_puzzle(request, LoadContext(Origin("")))
    ticker.until("loaded", lambda: not page.run.status.pending)
    page.panel.controls["parents"].set_value(PARENTS)
    window.history.bring()
    window.act(Action.GO)
    ticker.until("running", lambda: page.run.status.state is State.RUNNING)
    process, began, n_stops = psutil.Process(), time.perf_counter(), 0
    while (seconds := time.perf_counter() - began) < 60 * minutes:
        sample = {
            "seconds": seconds,
            "megabytes": process.memory_full_info().uss / 2**20,
            "units": page.run.status.units,
        }
        sys.stdout.write(json.dumps(sample) + "\n")
        sys.stdout.flush()
        ticker.watch(min(SAMPLE_SECONDS, 60 * minutes))
        if seconds > (n_stops + 1) * STOP_SECONDS:
            n_stops += 1
            window.act(Action.STOP)
            ticker.until("stopped", lambda: page.run.status.state is State.PAUSED)
            window.act(Action.RESUME)
            ticker.until("running", lambda: page.run.status.state is State.RUNNING)
    # Neither a question about the run nor its end is needed.
    os._exit(0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        follow(options.minutes)
    sys.exit(0 if print_soak(options.minutes) else 1)
