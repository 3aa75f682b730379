"""The sets of boards that ship with the program."""

import csv
import functools
import json
from dataclasses import dataclass

from tilelab.core.errors import GridError
from tilelab.core.files.resources import resource
from tilelab.core.puzzle import BoardSet
from tilelab.core.text.language import tr
from tilelab.core.text.unknown_names import unknown_name
from tilelab.puzzles.sliding.board import Goal, SlidingParams


@dataclass(frozen=True)
class Instance:
    """One board of a set."""

    number: int
    tiles: tuple[int, ...]
    optimal: int
    """Moves of a shortest path."""
    goal: Goal


@dataclass(frozen=True)
class TileSet(BoardSet):
    """A set of boards, not read yet."""

    key: str
    file: str
    rows: int
    cols: int
    goal: str
    """Of the boards that the file names none for."""

    def instances(self) -> tuple[Instance, ...]:
        """Read the boards."""
        file = resource("boards", self.file)
        lines = [line for line in file.read_text("utf-8").splitlines() if line[:1] != "#"]
        return tuple(
            Instance(
                int(row["number"]),
                tuple(int(tile) for tile in row["tiles"].split()),
                int(row["optimal"]),
                Goal(row.get("goal", self.goal)),
            )
            for row in csv.DictReader(lines)
        )

    def instance(self, number: int) -> Instance:
        """Return a board; raises GridError when there is no such number."""
        known = {instance.number: instance for instance in self.instances()}
        if number not in known:
            raise GridError(
                tr("{title} has no board {number}; it has 1..{n_known}").format(
                    title=self.title, number=number, n_known=len(known)
                )
            )
        return known[number]

    def tiles(self, number: int) -> tuple[int, ...]:
        """Return the tiles of a board; raises GridError when there is no such number."""
        return self.instance(number).tiles

    def params_of(self, number: int) -> SlidingParams:
        """Return shape and goal of a board; raises GridError when there is no such number."""
        goal = self.instance(number).goal
        return SlidingParams(rows=self.rows, cols=self.cols, goal=goal)


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
        raise unknown_name(key, tr("set of boards"), sets)
    return sets[key]
