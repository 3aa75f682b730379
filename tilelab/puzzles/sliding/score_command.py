"""``tilelab score sliding``: the distance of a board from its goal, by every heuristic."""

import click

from tilelab import catalog
from tilelab.cli.flags import flags, option, own_flags, switch
from tilelab.cli.groups import ProgramCommand
from tilelab.cli.terminal import print_json, say
from tilelab.core.flags import whole
from tilelab.core.plain import Value
from tilelab.core.solver import Best, Progress, Solver, Status
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import counted
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.flags import goal_flag
from tilelab.puzzles.sliding.heuristics.evaluation import Evaluation
from tilelab.puzzles.sliding.heuristics.hybrid import DIVISOR, with_divisor
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.runs.recipe import complete

_SLICE = 10  # number of updates of the search in a slice
_TITLES = {
    "manhattan": marked("Manhattan distance (MD)"),
    "linear_conflict": marked("linear conflict (admissible)"),
    "linear_conflict_hasan": marked("linear conflict (LC of Hasan et al. 2023)"),
    "walking_distance": marked("walking distance (WD)"),
    "hybrid": marked("hybrid heuristic (HH)"),
    "hybrid_unrounded": marked("HH, not rounded"),
    "exact": marked("exact distance"),
}


def score_sliding_command() -> click.Command:
    def score(board: str, as_json: bool, exact: bool, divisor: str, **values: Value) -> int:
        puzzle = next(SlidingPuzzle.from_flags({**values, "board": board}))
        facts = estimates(puzzle, whole("--divisor", divisor, 1, 100))
        if exact:
            facts["exact"] = distance(puzzle)
        if as_json:
            params = puzzle.params.model_dump(mode="json")
            print_json({"puzzle": "sliding", "params": params, "board": board, **facts})
        else:
            for name, value in facts.items():
                say(
                    f"{tr(_TITLES[name])}: {figures(value, '.4g')}"
                    if name != "exact"
                    else _exact(int(value))
                )
        return 0

    return ProgramCommand(
        "sliding",
        example='--rows 3 --cols 3 --exact "8 1 3 4 0 2 7 6 5"',
        callback=score,
        params=[
            click.Argument(["board"], metavar="BOARD"),
            *flags([SlidingParams]),
            *own_flags([goal_flag()]),
            option(
                "--divisor",
                "N",
                tr(
                    "By which HH divides the Manhattan distance [default: {divisor}].",
                    divisor=DIVISOR,
                ),
                default=str(DIVISOR),
            ),
            switch("--exact", tr("Also search for the exact distance.")),
            switch("--json as_json", tr("Print one JSON object.")),
        ],
        help=tr(
            "Estimate how far a board is from its goal. BOARD is its tiles, with 0 or _ for "
            "the blank. Conflicts are moves beyond the Manhattan distance."
        ),
    )


def estimates(puzzle: SlidingPuzzle, divisor: int) -> dict[str, float]:
    """Return the estimates of a board by name; raises TileLabError if one does not fit."""

    def of(key: str) -> float:
        spec = with_divisor(catalog.heuristic(key), divisor)
        evaluation = Evaluation.towards(spec, puzzle.goal, puzzle.params.cols)
        return evaluation.of(puzzle.start) / spec.scale

    manhattan = of("manhattan")
    return {
        "manhattan": manhattan,
        "linear_conflict": of("linear-conflict") - manhattan,
        "linear_conflict_hasan": of("linear-conflict-hasan") - manhattan,
        "walking_distance": of("walking-distance"),
        "hybrid": of("hybrid"),
        "hybrid_unrounded": of("hybrid-unrounded"),
    }


def distance(puzzle: SlidingPuzzle) -> int:
    """Return the length of a shortest path, by IDA* with the best available tables."""
    solver_class = catalog.solver("sliding", "ida-star")
    solver: Solver = complete(lambda: solver_class.create(puzzle, solver_class.spec.params(), 0))
    best: Best | None = None
    while True:
        progress: Progress = solver.advance(_SLICE)
        best = progress.best or best
        if progress.status is not Status.RUNNING:
            break
    assert best is not None
    assert best.moves is not None
    return len(best.moves)


def _exact(moves: int) -> str:
    return f"{tr(_TITLES['exact'])}: {counted(moves, 'move')}"
