"""The sets of boards that ship with the program, as puzzles."""

import dataclasses
import functools

from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.sets import TileSet, tile_set, tile_sets


class InstanceSet(TileSet):
    """A set whose boards become puzzles."""

    def puzzle(self, number: int) -> SlidingPuzzle:
        """Make a puzzle of a board; raises GridError when there is no such number."""
        return SlidingPuzzle.create(self.params, self.tiles(number))


@functools.cache
def instance_sets() -> dict[str, InstanceSet]:
    """List the sets by key, without reading their boards."""
    return {key: _of_tiles(boards) for key, boards in tile_sets().items()}


def instance_set(key: str) -> InstanceSet:
    """Return a set; an unknown key is a UsageError that names the known ones."""
    return _of_tiles(tile_set(key))


def _of_tiles(boards: TileSet) -> InstanceSet:
    return InstanceSet(
        **{part.name: getattr(boards, part.name) for part in dataclasses.fields(boards)}
    )
