"""Two run files of every solver, the second some units after the first; running this makes them.

They are made once and stay: what 1.0.0 has written must go on in later programs, bit for bit,
and so must the files of later solvers.
"""

from pathlib import Path

from tests.asking import go
from tilelab import catalog
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.runs.actions import State
from tilelab.runs.files.store import save_run
from tilelab.runs.session import Limits, Session

FOLDER = Path(__file__).parent / "data" / "runs"
SOLVERS = [(puzzle, key) for puzzle in catalog.puzzles() for key in catalog.solvers(puzzle)]
_FIRST, _LAST, _SEED = 9, 80, 7
_PARAMS = {
    "agents": 5,
    "archive": 20,
    "expansions_per_update": 7,
    "slides_per_iteration": 7,
    "first_burst": 40,
    "burst": 15,
    "first_cycle": 3,
    "climbs": 4,
    "heuristic": "manhattan",
    "iterations": 30,
    "memory": 64,
    "parents": 5,
    "patience": 120,
    "steps": 4,
    "tables": "none",
    "width": 6,
}
"""Small, so that the files are, and so that cycles, climbs and some runs come to their ends."""


def files(puzzle_key: str, key: str) -> tuple[Path, Path]:
    """Return the file of the earlier moment and that of the later one."""
    return (
        FOLDER / f"{puzzle_key}-{key}-1.tilelab",
        FOLDER / f"{puzzle_key}-{key}-2.tilelab",
    )


def run_to(session: Session, units: int) -> None:
    """Run on to so many units, or to the run's own end before them."""
    session.set_limits(Limits(units=units))
    if session.state is State.PAUSED or session.limit_reached == "units":
        session.resume()
    while session.state is State.RUNNING:
        session.run_slice()


def _puzzle(key):
    if key == "boggle":
        return BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=3, cols=4))
    if key == "sliding":
        return SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [1, 2, 3, 0, 7, 8, 4, 5, 6])
    params = WordTilesParams(rows=3, cols=4)
    return WordTilesPuzzle.create(open_lexicon("elements"), params, ("tin.", "gold", "lead"))


def _make(puzzle_key, key):
    fields = catalog.solver(puzzle_key, key).spec.params.model_fields
    params = {name: _PARAMS[name] for name in _PARAMS.keys() & fields.keys()}
    session = Session()
    session.load(_puzzle(puzzle_key))
    go(session, key, params, _SEED)
    for file, units in zip(files(puzzle_key, key), (_FIRST, _LAST), strict=True):
        run_to(session, units)
        save_run(session, file)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for solver in SOLVERS:
        if not files(*solver)[0].exists():
            _make(*solver)
