"""The sets of boards that ship with the program, as puzzles."""

import dataclasses

from tilelab.puzzles.sliding.flags import TileSet, tile_set
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle


class InstanceSet(TileSet):
    """A set whose boards become puzzles."""

    def puzzle(self, number):
        """Make a puzzle of a board; raises GridError when there is no such number."""
        return SlidingPuzzle.create(self.params_of(number), self.tiles(number))


def instance_set(key):
    """Return a set; an unknown key is a UsageError that names the known ones."""
    boards = tile_set(key)
    return InstanceSet(
        **{part.name: getattr(boards, part.name) for part in dataclasses.fields(boards)}
    )
