"""``python -m benchmarks compare``: results of word tiles' solvers; see docs/word-tiles.md."""

import statistics

from benchmarks.effort import WHOLE
from tilelab.kernels.clock import processor_seconds
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.puzzles.wordtiles.solvers.beam import WordTileBeam, WordTileBeamParams
from tilelab.puzzles.wordtiles.solvers.bees import Bees, BeesParams
from tilelab.puzzles.wordtiles.solvers.breadth_first import WordTileBreadthFirst
from tilelab.puzzles.wordtiles.solvers.local_searches import (
    WordTileAnnealing,
    WordTileAnnealingParams,
    WordTileHillClimbing,
    WordTileHillClimbingParams,
    WordTileTabu,
    WordTileTabuParams,
    WordTileWalk,
    WordTileWalkParams,
)
from tilelab.puzzles.wordtiles.text import RandomLetters


def boards(n_boards):
    """Make seeded 4×4 boards with letters as in English."""
    lexicon = open_lexicon("english-large")
    return [
        WordTilesPuzzle.create(
            lexicon, WordTilesParams(random_letters=RandomLetters.ENGLISH, letters_seed=seed)
        )
        for seed in range(1, n_boards + 1)
    ]


COMPARED = {
    "beam": (WordTileBeam, WordTileBeamParams()),
    "bees": (Bees, BeesParams(iterations=None)),
    "annealing": (WordTileAnnealing, WordTileAnnealingParams()),
    "annealing, rearrange": (WordTileAnnealing, WordTileAnnealingParams(rearrange=True)),
    "hill climbing": (WordTileHillClimbing, WordTileHillClimbingParams()),
    "tabu": (WordTileTabu, WordTileTabuParams()),
    "random walk": (WordTileWalk, WordTileWalkParams()),
    "annealing, walks of 1": (WordTileAnnealing, WordTileAnnealingParams(walk=1)),
    "annealing, walks of 4": (WordTileAnnealing, WordTileAnnealingParams(walk=4)),
    "annealing, walks of 12": (WordTileAnnealing, WordTileAnnealingParams(walk=12)),
    "beam of width 3": (WordTileBeam, WordTileBeamParams(width=3)),
    "beam of width 1,000": (WordTileBeam, WordTileBeamParams(width=1000)),
    "breadth first": (WordTileBreadthFirst, WordTileBreadthFirst.spec.params()),
}


def _n_scored(solver, row):
    """Return how many boards a solver has scored in the unit of a trace row, or since it began."""
    metrics = dict(zip(solver.spec.metrics, row, strict=True))
    if "generated" in metrics:
        return metrics["generated"], True
    if "scored" in metrics:
        return metrics["scored"], False
    if isinstance(solver, Bees):
        return solver.params.agents * solver.params.steps, False
    return getattr(solver.params, "slides_per_iteration", None) or solver.block, False


def _best_after(cls, params, puzzle, n_boards, seconds):
    """Run until ``n_boards`` boards are scored, or ``seconds`` of processor time have passed."""
    solver, best, done = cls.create(puzzle, params, 1), None, 0
    began = processor_seconds()
    while done < n_boards and processor_seconds() - began < seconds:
        progress = solver.advance(1)
        best = progress.best or best
        if progress.units == 0:
            break
        n_scored, is_total = _n_scored(solver, progress.trace[-1])
        done = n_scored if is_total else done + n_scored
    return best.value, done


def compare(effort=WHOLE):
    """Print the mean best value of every solver on seeded boards, seed 1."""
    puzzles, n_boards, seconds = boards(effort.of(20, 1)), effort.of(48_000, 500), effort.seconds
    print(
        f"| solver | {n_boards:,} boards | {seconds:g} s | boards in that time |\n|---|---|---|---|"
    )
    for name, (cls, params) in COMPARED.items():
        _best_after(cls, params, puzzles[0], 1, seconds)
        equal = [_best_after(cls, params, puzzle, n_boards, 1e9)[0] for puzzle in puzzles]
        timed = [_best_after(cls, params, puzzle, 1e18, seconds) for puzzle in puzzles]
        values, scored = zip(*timed, strict=True)
        print(
            f"| {name} | {statistics.mean(equal):.1f} | {statistics.mean(values):.1f} "
            f"| {statistics.mean(scored):,.0f} |",
            flush=True,
        )
    return True


if __name__ == "__main__":
    compare()
