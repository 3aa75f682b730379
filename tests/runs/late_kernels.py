"""Which kernels a run first uses after it was warmed up: ``python -m ... [CASE …]`` prints JSON.

A kernel is compiled or loaded once a process, so each run has a process of its own: a fork of this
one, which has imported everything and has used no kernel yet.
"""

import importlib
import json
import os
import sys

import numba

from tests.asking import go, recipe
from tilelab import catalog
from tilelab.kernels.decorators import Kernel
from tilelab.kernels.sources import kernel_files
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.runs.actions import State
from tilelab.runs.presets import papers
from tilelab.runs.recipe import warm_up
from tilelab.runs.result import outcome
from tilelab.runs.session import Session

N_TICKS = 20
UNITS_PER_SLICE = 3
SOON = {"first_cycle": 1, "patience": 1, "memory": 64, "climbs": 1}
"""So that what comes late in a run comes soon here."""
REFUSED = {("exact", "classic with a slip")}
"""Which solver does not take which puzzle."""


def _boggle(lexicon, **params):
    return BogglePuzzle.create(open_lexicon(lexicon), BoggleParams(**params))


def _wordtiles(side):
    params = WordTilesParams(rows=side, cols=side)
    return WordTilesPuzzle.create(open_lexicon("english-small"), params, None)


def _sliding(side, n_slides=None):
    params = SlidingParams(rows=side, cols=side)
    goal = goal_board(side, side, params.goal)
    far = scrambled(goal, side, 1) if n_slides is None else scrambled(goal, side, 2, n_slides)
    return SlidingPuzzle.create(params, far)


PUZZLES = {
    "boggle": {
        "square": lambda: _boggle("planets", rows=4, cols=4),
        "large lexicon": lambda: _boggle("english-small", rows=8, cols=8),
        "classic": lambda: _boggle("planets", rows=3, cols=4, reuse="once"),
        "classic with a slip": lambda: _boggle("planets", rows=3, cols=4, reuse="once", slips=1),
    },
    "wordtiles": {"4×4": lambda: _wordtiles(4), "7×7": lambda: _wordtiles(7)},
    "sliding": {"far": lambda: _sliding(4), "near": lambda: _sliding(4, 30)},
}


def cases(puzzle_key):
    """Yield name, what makes the puzzle, solver and parameters: every solver, every preset."""
    for key, cls in catalog.solvers(puzzle_key).items():
        soon = {name: SOON[name] for name in SOON.keys() & cls.spec.params.model_fields.keys()}
        for name, make in PUZZLES[puzzle_key].items():
            if (key, name) not in REFUSED:
                yield f"{puzzle_key}: {key}, {name}", make, key, soon
    for preset in (preset for paper in papers(puzzle_key) for preset in paper.presets):
        if preset.params:
            yield (
                f"{puzzle_key}: {preset.title}",
                PUZZLES[puzzle_key]["near"],
                preset.solver,
                preset.params,
            )


def _kernels():
    for module in kernel_files():
        for name, kernel in vars(importlib.import_module(module)).items():
            if isinstance(kernel, Kernel) and kernel.__module__ == module:
                yield f"{module.removeprefix('tilelab.')}.{name}", kernel.compiled


KERNELS = dict(_kernels())


def _used():
    return {(name, str(kinds)) for name, kernel in KERNELS.items() for kinds in kernel.signatures}


def late(make, key, params):
    """Return the names of the kernels that a run uses and its warming up has not."""
    puzzle = make()
    warm_up(recipe(puzzle, key, params))
    before = _used()
    session = Session()
    session.load(puzzle)
    go(session, key, params, 0)
    for _ in range(N_TICKS):
        session.run_slice(UNITS_PER_SLICE)
    assert session.state is not State.FAILED, session.message
    outcome(session)
    return sorted({name for name, _ in _used() - before})


def _in_a_fork(*case):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, json.dumps(late(*case)).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as reported:
        answer = reported.read()
    os.waitpid(child, 0)
    return json.loads(answer or '["it has failed"]')


if __name__ == "__main__":
    # What numba makes ready when it is first used, it need not make ready in every fork.
    numba.njit(lambda number: number + 1)(1)
    assert not _used()
    chosen = sys.argv[1:]
    found = {
        name: _in_a_fork(*case)
        for puzzle_key in PUZZLES
        for name, *case in cases(puzzle_key)
        if not chosen or name in chosen
    }
    sys.stdout.write(json.dumps(found))
