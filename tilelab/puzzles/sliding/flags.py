"""Flags that choose boards of sliding tiles: typed, from a file, a set, or a seed.

The sets ship with the program.
"""

import csv
import functools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tilelab.core.errors import GridError, UsageError
from tilelab.core.files.paths import read_text
from tilelab.core.files.resources import resource
from tilelab.core.flags import Flag, checked, flag_of, path_of, text_of, typed, whole_of
from tilelab.core.plain import Values
from tilelab.core.puzzle import BoardSet, Cells
from tilelab.core.randomness import MAX_SEED
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import shortened
from tilelab.core.text.wording import unknown_name
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.text import Tiles, parse_board, parse_boards

MAX_BYTES = 16_000_000  # maximum size of a file of boards, in bytes
SOURCES = ("board", "boards", "instances", "scramble_seed")
_BELONGING = {
    "number": ("boards", "instances"),
    "goal_board": ("board", "boards", "instances"),
    "scramble_slides": ("scramble_seed",),
}
"""Flags that other flags require, by flag."""


class ChosenBoard(NamedTuple):
    """Arguments for making a puzzle."""

    params: SlidingParams
    start: Sequence[int] | Cells
    goal: Sequence[int] | None  # tiles of the goal, only with Goal.BOARD


@dataclass(frozen=True)
class Instance:
    """One board of a set."""

    number: int
    tiles: tuple[int, ...]
    optimal: int | None  # number of moves in a shortest path; None where it is not known
    found: int | None  # number of moves in the path that the set's source found, where it has one
    goal: Goal

    @property
    def length_text(self) -> str:
        """Write the shortest length, or its upper bound: ``57``, ``≤ 128``."""
        return f"≤ {self.found}" if self.optimal is None else str(self.optimal)


@dataclass(frozen=True)
class TileSet(BoardSet):
    """A set of boards, which are read when they are needed."""

    key: str
    file: str
    rows: int
    cols: int
    goal: str  # goal of the boards for which the file names none

    @property
    def n_boards(self) -> int:
        """Count the boards without reading them."""
        return len(_lines(self)) - 1

    def instances(self) -> tuple[Instance, ...]:
        """Return the boards, which are read once."""
        return tuple(_boards_by_number(self).values())

    def instance(self, number: int) -> Instance:
        """Return a board; raises GridError for an unknown number."""
        known = _boards_by_number(self)
        if number not in known:
            raise GridError.tr(
                "{title} has no board {number}; it has 1..{n_known}",
                title=self.title,
                number=number,
                n_known=len(known),
            )
        return known[number]

    def tiles(self, number: int) -> tuple[int, ...]:
        """Return the tiles of a board; raises GridError for an unknown number."""
        return self.instance(number).tiles

    def params_of(self, number: int) -> SlidingParams:
        """Return shape and goal of a board; raises GridError for an unknown number."""
        goal = self.instance(number).goal
        return SlidingParams(rows=self.rows, cols=self.cols, goal=goal)


@functools.cache
def _boards_by_number(boards: TileSet) -> dict[int, Instance]:
    return {
        int(row["number"]): Instance(
            int(row["number"]),
            tuple(int(tile) for tile in row["tiles"].split()),
            _length(row["optimal"]),
            _length(row.get("found", "")),
            Goal(row.get("goal", boards.goal)),
        )
        for row in csv.DictReader(_lines(boards))
    }


def _lines(boards: TileSet) -> list[str]:
    """Return the heading and the rows of a set's file."""
    text = resource("boards", boards.file).read_text("utf-8")
    return [line for line in text.splitlines() if line[:1] != "#"]


def _length(text: str) -> int | None:
    return int(text) if text else None


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


def board_flags() -> tuple[Flag, ...]:
    return (
        Flag("board", "TILES", tr("A board, 0 or _ for the blank.")),
        Flag(
            "boards",
            "FILE",
            tr("Boards from a text or CSV file."),
            takes_file=True,
            title=marked("File of boards"),
        ),
        Flag(
            "instances",
            "SET",
            tr("A built-in set: {sets}.", sets=", ".join(tile_sets())),
            known=tile_sets,
            title=marked("Set of boards"),
        ),
        Flag(
            "number",
            "N",
            tr("Only this board of a set or file, from 1."),
            title=marked("Board number"),
        ),
        goal_flag(),
        Flag(
            "scramble_seed",
            "N",
            tr("A random solvable board from this seed; the default without any board."),
        ),
        Flag("scramble_slides", "N", tr("A random board, this many random slides from the goal.")),
    )


def goal_flag() -> Flag:
    text = tr("The goal as a board, instead of one of the named goals.")
    return Flag("goal_board", "TILES", text)


def drawn(values: Values, seed: int) -> Values:
    """Return the flag for a board from a seed, if no given flag chooses a board."""
    return {} if _sources(values) else {"scramble_seed": seed}


def chosen_boards(values: Values) -> Iterator[ChosenBoard]:
    """Yield the boards of a command."""
    given = _sources(values)
    if len(given) != 1:
        flags = ", ".join(flag_of(name) for name in SOURCES)
        named = tr(" and ").join(flag_of(name) for name in given)
        text = tr("no board is given; name one with {flags}")
        if given:
            text = tr("only one of {flags} can name the board; {given} were given")
        raise UsageError(text.format(flags=flags, given=named))
    source, text = given[0], str(values[given[0]])
    _refuse_unrelated(source, values)
    if source == "instances":
        yield from _of_set(text, values)
    elif source == "scramble_seed":
        yield _scrambled(values)
    elif source == "board":
        yield _board(parse_board(text, *_shape(values)), values)
    else:
        boards = parse_boards(read_text(path_of("--boards", text), MAX_BYTES), *_shape(values))
        for number in _numbers(values, len(boards)):
            yield _board(boards[number - 1], values)


def _sources(values: Values) -> list[str]:
    return [name for name in SOURCES if values.get(name) is not None]


def _refuse_unrelated(source: str, values: Values) -> None:
    for name, sources in _BELONGING.items():
        if values.get(name) is not None and source not in sources:
            flags = tr(" or ").join(flag_of(each) for each in sources)
            raise UsageError.tr(
                "{flag} goes with {flags}; none of them was given", flag=flag_of(name), flags=flags
            )


def _shape(values: Values) -> tuple[int | None, int | None]:
    return whole_of(values, "rows"), whole_of(values, "cols")


def _of_set(key: str, values: Values) -> Iterator[ChosenBoard]:
    boards = tile_set(key)
    for name in ("rows", "cols", "goal", "goal_board"):
        if values.get(name) is not None:
            raise UsageError.tr(
                "{flag} cannot be chosen: {title} have their own",
                flag=flag_of(name),
                title=boards.title,
            )
    for number in _numbers(values, len(boards.instances())):
        yield ChosenBoard(boards.params_of(number), boards.tiles(number), None)


def _scrambled(values: Values) -> ChosenBoard:
    params = checked(SlidingParams, values)
    goal = goal_board(params.rows, params.cols, params.goal)
    seed = whole_of(values, "scramble_seed", MAX_SEED) or 0
    slides = whole_of(values, "scramble_slides")
    return ChosenBoard(params, scrambled(goal, params.cols, seed, slides), None)


def _board(board: Tiles, values: Values) -> ChosenBoard:
    shaped = {**values, "rows": board.rows, "cols": board.cols}
    goal, tiles = text_of(values, "goal_board"), None
    if goal is not None:
        kind = text_of(values, "goal")
        if kind not in (None, Goal.BOARD.value):
            raise UsageError.tr(
                "--goal {goal} and --goal-board contradict each other", goal=shortened(kind)
            )
        with typed(values, "goal_board"):
            given = parse_board(goal, board.rows, board.cols)
        if (given.rows, given.cols) != (board.rows, board.cols):
            raise UsageError.tr(
                "the goal is {goal_rows}×{goal_cols}, the board {board_rows}×{board_cols}",
                goal_rows=given.rows,
                goal_cols=given.cols,
                board_rows=board.rows,
                board_cols=board.cols,
            )
        tiles, shaped["goal"] = given.tiles, Goal.BOARD.value
    return ChosenBoard(checked(SlidingParams, shaped), board.tiles, tiles)


def _numbers(values: Values, n_boards: int) -> list[int]:
    number = whole_of(values, "number")
    if number is None:
        return list(range(1, n_boards + 1))
    if not 1 <= number <= n_boards:
        raise UsageError.tr(
            "--number: {number} is outside 1..{n_boards}", number=number, n_boards=n_boards
        )
    return [number]
