"""A person's game as a record of the history, beside the runs of the algorithms."""

from tilelab.core.parameters import Params
from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.solver import SolverSpec, Status
from tilelab.core.text.language import marked, tr
from tilelab.runs.actions import State
from tilelab.runs.figures import UNKNOWN
from tilelab.runs.history.record import RunRecord, now, record_of

BY_HAND = "by-hand"
"""What stands for the solver in a record of a game."""
NO_RERUN = marked("A game by hand cannot be run again; open its board to play it.")


def spec_by_hand(puzzle_key: str, unit: str) -> SolverSpec:
    """Describe a person as the list of runs sees one; unit: what they do one by one."""
    return SolverSpec(
        key=BY_HAND,
        title=tr("By hand"),
        source="",
        puzzles=(puzzle_key,),
        params=Params,
        unit=unit,
        metrics=(),
        version=1,
        uses_seed=False,
    )


def record_by_hand(
    puzzle: Puzzle,
    best: Best,
    *,
    key: str,
    begun: str,
    unit: str,
    units: int,
    seconds: float,
    is_solved: bool,
    note: str = "",
) -> RunRecord:
    """Make the record of a game; one with the same key takes the place of the one before.

    begun: UTC, as :func:`tilelab.runs.history.record.now` writes it. unit, units: what was done one
    by one, and how often. seconds: playing time.
    """
    return record_of(
        puzzle,
        spec_by_hand(puzzle.spec.key, unit),
        {},
        best=best,
        units=units,
        seconds=seconds,
        figures=UNKNOWN,
        seed=0,
        status=(Status.SOLVED if is_solved else State.PAUSED).value,
        begun=begun,
        ended=now(),
        best_seconds=seconds,
        key=key,
        note=note,
    )
