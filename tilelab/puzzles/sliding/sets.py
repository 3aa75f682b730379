"""The sets of boards that ship with the program."""

import csv
import functools
import json
from dataclasses import dataclass

from tilelab.core.errors import GridError
from tilelab.core.puzzle import BoardSet
from tilelab.core.resources import resource
from tilelab.core.unknown_names import unknown_name
from tilelab.puzzles.sliding.board import Goal, SlidingParams


@dataclass(frozen=True)
class Instance:
    """One board of a set."""

    number: int
    tiles: tuple[int, ...]
    optimal: int
    """Moves of a shortest path."""


@dataclass(frozen=True)
class TileSet(BoardSet):
    """A set of boards, not read yet."""

    key: str
    file: str
    rows: int
    cols: int
    goal: str

    @functools.cached_property
    def params(self) -> SlidingParams:
        """Shape and goal of all boards of the set."""
        return SlidingParams(rows=self.rows, cols=self.cols, goal=Goal(self.goal))

    def instances(self) -> tuple[Instance, ...]:
        """Read the boards."""
        file = resource("boards", self.file)
        lines = [line for line in file.read_text("utf-8").splitlines() if line[:1] != "#"]
        return tuple(
            Instance(
                int(row["number"]),
                tuple(int(tile) for tile in row["tiles"].split()),
                int(row["optimal"]),
            )
            for row in csv.DictReader(lines)
        )

    def tiles(self, number: int) -> tuple[int, ...]:
        """Return a board; raises GridError when there is no such number."""
        known = {instance.number: instance for instance in self.instances()}
        if number not in known:
            raise GridError(f"{self.title} has no board {number}; it has 1..{len(known)}")
        return known[number].tiles


@functools.cache
def tile_sets() -> dict[str, TileSet]:
    """List the sets by key, without reading their boards."""
    folder = resource("boards")
    entries = json.loads(folder.joinpath("catalog.json").read_text("utf-8"))
    return {entry["key"]: TileSet(**entry) for entry in entries}


def tile_set(key: str) -> TileSet:
    """Return a set; an unknown key is a UsageError that names the known ones."""
    sets = tile_sets()
    if key not in sets:
        raise unknown_name(key, "set of boards", sets)
    return sets[key]
