"""Every puzzle keeps the contract that plug-ins are held to."""

from tests.solvers.test_contract import INSTANCES
from tilelab import catalog
from tilelab.testing.puzzles import PuzzleContract

_CHOSEN = {
    "boggle": ("square", "row", "asked"),
    "sliding": ("easy", "narrow"),
    "wordtiles": ("narrow",),
}


class TestEveryPuzzle(PuzzleContract):
    instances = tuple(INSTANCES[key][name] for key, names in _CHOSEN.items() for name in names)


def test_every_puzzle_is_held_to_it():
    assert set(_CHOSEN) == set(catalog.puzzles())
