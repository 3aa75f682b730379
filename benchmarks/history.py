"""The history with 50,000 records: how long its first page and its filters take."""

import dataclasses
import tempfile
import time
from pathlib import Path

import numpy as np
from rich.table import Table

from benchmarks.effort import WHOLE
from benchmarks.table import show
from tilelab.runs.history.record import RunRecord
from tilelab.runs.history.store import _LINE, ORDERS, History, Query, _details, _search_text

N_RECORDS = 50_000
PAGE = 100
_SOLVERS = {
    "boggle": ("genetic", "annealing", "tabu", "hill-climbing"),
    "sliding": ("ida-star", "a-star", "beam"),
    "wordtiles": ("bees", "beam"),
}
N_TRIES = 5


def _record(rng, number):
    puzzle = tuple(_SOLVERS)[rng.integers(3)]
    solver = _SOLVERS[puzzle][rng.integers(len(_SOLVERS[puzzle]))]
    value = float(rng.integers(200))
    minute, hour, day = number % 60, number // 60 % 24, number // 1440
    moment = f"2026-{1 + day // 28:02}-{1 + day % 28:02}T{hour:02}:{minute:02}:00.000Z"
    units = np.arange(200.0)
    return RunRecord(
        puzzle=puzzle,
        title="Game titles" if puzzle == "boggle" else " ".join(map(str, rng.permutation(16))),
        rows=8,
        cols=8,
        solver=solver,
        solver_title=solver.replace("-", " ").capitalize(),
        seed=number,
        status="limit",
        unit="generation",
        units=int(rng.integers(10**6)),
        seconds=float(rng.random() * 1000),
        value=value,
        value_text=f"{value:.0f}",
        begun=moment,
        ended=moment,
        tags="night" if number % 100 == 0 else "",
        instance={"lexicon": "game-titles"},
        params={f"parameter_{n}": n for n in range(20)},
        cells=rng.integers(26, size=64).astype(np.uint8),
        board=("ABCDEFGH",) * 8,
        thumbnail=rng.bytes(2500),
        curves={name: (units, np.sort(rng.random(200))) for name in ("mean", "best_ever")},
    )


def fill(path, n_records=N_RECORDS):
    """Write made-up records of runs, in few transactions so that it does not take minutes."""
    rng = np.random.default_rng(5)
    with History(path) as history:
        connection = history._connection
        for begin in range(0, n_records, 5000):
            connection.execute("BEGIN")
            for number in range(begin, min(begin + 5000, n_records)):
                _put_open(history, _record(rng, number))
            connection.execute("COMMIT")


def _put_open(history, record):
    """Put a record within the transaction that is open."""
    line = {name: getattr(record, name) for name in _LINE if name != "id"}
    line["search"] = _search_text(line, record.params)
    number = history._insert("runs", line)
    history._insert("run_details", {"id": number, **_details(record)})


def _median(work):
    """Return the median of some attempts in milliseconds of the process's own time."""
    spent = []
    for _ in range(N_TRIES):
        began = time.process_time()
        work()
        spent.append(1000 * (time.process_time() - began))
    return sorted(spent)[len(spent) // 2]


def print_history(effort=WHOLE):
    """Measure and print."""
    n_records = effort.of(N_RECORDS, 1_000)
    table = Table("work", "ms", title=f"History with {n_records:,} records")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "history.sqlite"
        fill(path, n_records)

        def first_page():
            with History(path) as history:
                history.lines(history.ids()[:PAGE])
                history.solvers()

        works = [("open and first page", first_page)]
        history = History(path)

        def answer(query):
            return lambda: history.lines(history.ids(query)[:PAGE])

        choices = {
            "puzzle": Query(puzzle="boggle"),
            "puzzle and solver": Query(puzzle="boggle", solver="tabu"),
            "a word that many have": Query(search="game"),
            "a word that few have": Query(search="night"),
            "words that none has": Query(search="no such thing"),
            "word, puzzle, by best": Query(puzzle="sliding", search="beam", sort="best"),
        }
        works += [(f"filter: {name}", answer(query)) for name, query in choices.items()]
        for order in ORDERS:
            for down in (True, False):
                name = f"sort: {order}, {'down' if down else 'up'}"
                works.append((name, answer(Query(sort=order, descending=down))))
        page = history.ids()[:PAGE]
        works.append(("pictures of a page", lambda: history.thumbnails(page)))
        extra = dataclasses.replace(_record(np.random.default_rng(1), 1), key="one more")
        works.append(("write one record", lambda: history.put(extra)))
        for name, work in works:
            table.add_row(name, f"{_median(work):,.1f}")
        history.close()
        table.caption = f"{path.stat().st_size / 2**20:,.0f} MB on disk"
    show(table)
    return True
