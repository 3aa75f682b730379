"""The package's own tests: the contracts that ship with TileLab."""

from tilelab_lights.chasing import Chasing, ChasingParams
from tilelab_lights.puzzle import LightsParams, LightsPuzzle
from tilelab_lights.sampling import Sampling, SamplingParams

from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.testing.heuristics import HeuristicContract
from tilelab.testing.puzzles import PuzzleContract
from tilelab.testing.solvers import Case, SolverContract

LARGE = LightsPuzzle.create(LightsParams(rows=9, cols=9, lamps_seed=3))
SMALL = LightsPuzzle.create(LightsParams(rows=2, cols=3))
GRID = BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=3, cols=3))


class TestSolvers(SolverContract):
    cases = (
        Case("chasing", LARGE, Chasing, ChasingParams()),
        Case("chasing-small", SMALL, Chasing, ChasingParams()),
        Case("sampling", GRID, Sampling, SamplingParams()),
    )


class TestPuzzle(PuzzleContract):
    instances = (LARGE, SMALL)


class TestHeuristic(HeuristicContract):
    heuristics = ("gaschnig",)
