"""Runs begun, saved and opened in a window, as the user does it."""

from types import SimpleNamespace

import numpy as np

from tilelab.core.solver import Best
from tilelab.gui.run.messages import RunStarted, RunUpdate
from tilelab.runs.actions import Action, State
from tilelab.runs.bests import Found
from tilelab.testing.solvers import same_snapshot

RUNS = {
    "boggle": ("genetic", {"rows": 4, "cols": 5, "mutation": 35, "seed": 3}),
    # Of the readings one that goes on for more than the last limit.
    "sliding": (
        "bidirectional-a-star",
        {"seed": 1, "heuristic": "hybrid", "ties": "fifo", "burst_counts": "generated"},
    ),
    "wordtiles": ("bees", {"agents": 7, "seed": 9}),
}
LIMITS = (20, 45)


def set_up(driver, key):
    solver, values = RUNS[key]
    driver.choose(key, solver)
    driver.set(**values)


def begun(driver, key="boggle", limit=LIMITS[0]):
    """Let a run reach its limit."""
    set_up(driver, key)
    driver.run(units=limit)


def going(driver, key="boggle"):
    """Begin a run without an end."""
    set_up(driver, key)
    driver.set(units=None, seconds=None)
    driver.go()


def gone_on(driver, limit=LIMITS[1]):
    """Raise the limit of a run that has reached it, and resume."""
    driver.set(units=limit)
    driver.until(lambda: driver.button(Action.RESUME).isEnabled())
    driver.click(Action.RESUME)
    driver.until(lambda: driver.page.run.status.units > LIMITS[0])
    driver.state(State.FINISHED)


def saved(driver, path):
    with driver.qtbot.waitSignal(driver.page.run_files.saved) as reported:
        driver.page.run_files.save(path)
    assert reported.args[0] == path
    return path


def opened(driver, path):
    driver.window.open_run_file(path)
    driver.until(lambda: not driver.window.page.notice.text.startswith("Opening"))
    driver.settled()
    return driver


def assert_same_run(one, other):
    """Two checkpoints that differ in nothing but how long the runs took."""
    assert (one.key, one.units, one.status, one.recipe.seed) == (
        *(other.key, other.units, other.status, other.recipe.seed),
    )
    assert one.recipe.changes == other.recipe.changes
    assert same_snapshot(one.snapshot, other.snapshot)
    bests, others = one.bests.to_plain(), other.bests.to_plain()
    for name in bests.keys() - {"seconds"}:
        assert np.array_equal(bests[name], others[name])
    mine, others = one.trace.to_plain(), other.trace.to_plain()
    assert all(np.array_equal(mine[name], others[name], equal_nan=name == "last") for name in mine)


def metrics_of(session):
    return dict(zip(session.solver.spec.metrics, session.last_row, strict=True))


def shown(driver):
    """Everything that a fault must leave as it is."""
    page = driver.window.page
    return (
        *(page.puzzle_key, page.choices.solver_key, page.face.title, driver.window.windowTitle()),
        *(
            page.run.status,
            page.run.best,
            len(page.run.bests),
            page.run.started,
            page.board_title.text(),
            page.board_detail.accessibleName(),
        ),
        *(page.chart.trace, page.chart.trace.n_units, page.status.text),
        *(page.panel.values("puzzle"), page.panel.values("solver"), page.panel.limits()),
        *(page.panel.seed_field.seed(), page.face.board.accessibleName()),
    )


def begin_bare(run, solver):
    """Let a model follow a run of a solver on no board in particular."""
    puzzle = SimpleNamespace(
        best_words=lambda best: f"best {best.value:,.0f}", report=lambda cells: None
    )
    recipe = SimpleNamespace(puzzle=puzzle, seed=7)
    run.begin(RunStarted("", recipe, solver, {}, {}))


def find_bare(run, value, unit):
    """Let such a run find a best board of a value."""
    best = Found(Best(np.zeros(4, np.uint8), value, unit), 0.0)
    update = RunUpdate(run.status, np.empty((0, 0)), (best,))
    run.take(update)
    run.show_newest(update)


def look_at_bare(run, unit, value=None, found_at=0):
    """Show an earlier moment of such a run, and its best if there was one."""
    run.look_at(unit)
    best = Best(np.zeros(4, np.uint8), value, found_at)
    run.show_past(None if value is None else Found(best, 0.0))
