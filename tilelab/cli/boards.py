"""Which boards of sliding tiles a command is about: typed in, from a file, a set, or a seed."""

from collections.abc import Iterator, Mapping
from typing import Any

import click

from tilelab import catalog
from tilelab.cli.flags import checked, path_of
from tilelab.core.errors import TileLabError
from tilelab.core.randomness import MAX_SEED
from tilelab.core.shown_text import quoted, shortened
from tilelab.core.text_file import read_text
from tilelab.puzzles.sliding.instances import instance_set, instance_sets
from tilelab.puzzles.sliding.puzzle import Goal, SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.text import Tiles, parse_board, parse_boards

_MOST_DIGITS = 40
"""Of a number, leading zeros included."""
MAX_BYTES = 16_000_000
"""Of a file of boards."""
SOURCES = ("board", "boards", "instances", "scramble_seed")


def board_flags() -> list[click.Parameter]:
    """The flags that choose boards."""
    return [
        click.Option(["--board"], metavar="TILES", help="A board, 0 or _ for the blank."),
        click.Option(["--boards"], metavar="FILE", help="Boards from a text or CSV file."),
        click.Option(
            ["--instances"], metavar="SET", help=f"A built-in set: {', '.join(instance_sets())}."
        ),
        click.Option(["--number"], metavar="N", help="Only this board of a set or file, from 1."),
        click.Option(["--goal-board"], metavar="TILES", help="The goal, instead of --goal."),
        click.Option(
            ["--scramble-seed"], metavar="N", help="A random solvable board from this seed."
        ),
        click.Option(
            ["--scramble-slides"],
            metavar="N",
            help="With --scramble-seed: so many random slides from the goal.",
        ),
    ]


def chosen_puzzles(puzzle_key: str, values: Mapping[str, Any]) -> Iterator[Any]:
    """Make the puzzles that a command is about, one after the other."""
    given = [name for name in SOURCES if values.get(name) is not None]
    if len(given) != 1:
        flags = ", ".join(_flag(name) for name in SOURCES)
        what = "none" if not given else " and ".join(_flag(name) for name in given)
        raise TileLabError(f"one of {flags} says which board; {what} was given")
    source = given[0]
    if source == "instances":
        yield from _of_set(values)
    elif source == "scramble_seed":
        yield _scrambled(puzzle_key, values)
    elif source == "board":
        shape = _number(values, "rows"), _number(values, "cols")
        yield _puzzle(puzzle_key, parse_board(values["board"], *shape), values)
    else:
        shape = _number(values, "rows"), _number(values, "cols")
        text = read_text(path_of("--boards", values["boards"]), MAX_BYTES)
        boards = parse_boards(text, *shape)
        for number in _numbers(values, len(boards)):
            yield _puzzle(puzzle_key, boards[number - 1], values)


def _of_set(values: Mapping[str, Any]) -> Iterator[Any]:
    boards = instance_set(values["instances"])
    for name in ("rows", "cols", "goal", "goal_board"):
        if values.get(name) is not None:
            raise TileLabError(f"{_flag(name)} cannot be chosen: {boards.title} have their own")
    for number in _numbers(values, len(boards.instances())):
        yield boards.puzzle(number)


def _scrambled(puzzle_key: str, values: Mapping[str, Any]) -> Any:
    params = checked(SlidingParams, values)
    goal = goal_board(params.rows, params.cols, params.goal)
    seed = _number(values, "scramble_seed", MAX_SEED) or 0
    slides = _number(values, "scramble_slides")
    start = scrambled(goal, params.cols, seed, slides)
    return catalog.puzzle(puzzle_key).create(params, start)


def _puzzle(puzzle_key: str, board: Tiles, values: Mapping[str, Any]) -> Any:
    shaped = {**values, "rows": board.rows, "cols": board.cols}
    goal = values.get("goal_board")
    tiles = None
    if goal is not None:
        if values.get("goal") not in (None, Goal.BOARD.value):
            raise TileLabError(
                f"--goal {shortened(values['goal'])} and --goal-board contradict each other"
            )
        given = parse_board(goal, board.rows, board.cols)
        if (given.rows, given.cols) != (board.rows, board.cols):
            raise TileLabError(
                f"the goal is {given.rows}×{given.cols}, the board {board.rows}×{board.cols}"
            )
        tiles, shaped["goal"] = given.tiles, Goal.BOARD.value
    params = checked(SlidingParams, shaped)
    return catalog.puzzle(puzzle_key).create(params, board.tiles, tiles)


def _numbers(values: Mapping[str, Any], n_boards: int) -> list[int]:
    number = _number(values, "number")
    if number is None:
        return list(range(1, n_boards + 1))
    if not 1 <= number <= n_boards:
        raise TileLabError(f"--number: {number} is outside 1..{n_boards}")
    return [number]


def _number(values: Mapping[str, Any], name: str, high: int = 10**9) -> int | None:
    text = values.get(name)
    if text is None:
        return None
    is_number = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    if not (is_number and int(text) <= high):
        raise TileLabError(f"{_flag(name)}: {quoted(text)} is not a whole number in 0..{high}")
    return int(text)


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")
