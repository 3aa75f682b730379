"""Which boards of sliding tiles a command is about: typed in, from a file, a set, or a seed."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tilelab.core.errors import UsageError
from tilelab.core.files.ordinary_file import read_text
from tilelab.core.flags import Flag, checked, flag_of, path_of, text_of, typed, whole_of
from tilelab.core.plain import Values
from tilelab.core.puzzle import Cells
from tilelab.core.randomness import MAX_SEED
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import shortened
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.sets import tile_set, tile_sets
from tilelab.puzzles.sliding.text import Tiles, parse_board, parse_boards

MAX_BYTES = 16_000_000
"""Of a file of boards."""
SOURCES = ("board", "boards", "instances", "scramble_seed")
_BELONGING = {
    "number": ("boards", "instances"),
    "goal_board": ("board", "boards", "instances"),
    "scramble_slides": ("scramble_seed",),
}
"""Flags that say more of a board -> what must have said which board."""


class ChosenBoard(NamedTuple):
    """What makes a puzzle."""

    params: SlidingParams
    start: Sequence[int] | Cells
    goal: Sequence[int] | None
    """Only with Goal.BOARD."""


def board_flags() -> tuple[Flag, ...]:
    """Return the flags that choose boards."""
    return (
        Flag("board", "TILES", tr("A board, 0 or _ for the blank.")),
        Flag("boards", "FILE", tr("Boards from a text or CSV file."), takes_file=True),
        Flag(
            "instances",
            "SET",
            tr("A built-in set: {join}.").format(join=", ".join(tile_sets())),
            known=tile_sets,
        ),
        Flag("number", "N", tr("Only this board of a set or file, from 1.")),
        Flag("goal_board", "TILES", tr("The goal, instead of --goal.")),
        Flag(
            "scramble_seed",
            "N",
            tr("A random solvable board from this seed; without any board one is drawn."),
        ),
        Flag("scramble_slides", "N", tr("A random board so many random slides from the goal.")),
    )


def drawn(values: Values, seed: int) -> Values:
    """Return the flag that chooses a board from a seed where none is given that chooses one."""
    return {} if _sources(values) else {"scramble_seed": seed}


def chosen_boards(values: Values) -> Iterator[ChosenBoard]:
    """Return the boards that a command is about, one after the other."""
    given = _sources(values)
    if len(given) != 1:
        flags = ", ".join(flag_of(name) for name in SOURCES)
        what = tr(" and ").join(flag_of(name) for name in given)
        text = tr("one of {flags} says which board; none was given")
        if given:
            text = tr("one of {flags} says which board; {what} were given")
        raise UsageError(text.format(flags=flags, what=what))
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
            raise UsageError(
                tr("{flag_of} goes with {flags}; none of them was given").format(
                    flag_of=flag_of(name), flags=flags
                )
            )


def _shape(values: Values) -> tuple[int | None, int | None]:
    return whole_of(values, "rows"), whole_of(values, "cols")


def _of_set(key: str, values: Values) -> Iterator[ChosenBoard]:
    boards = tile_set(key)
    for name in ("rows", "cols", "goal", "goal_board"):
        if values.get(name) is not None:
            raise UsageError(
                tr("{flag_of} cannot be chosen: {title} have their own").format(
                    flag_of=flag_of(name), title=boards.title
                )
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
            raise UsageError(
                tr("--goal {shortened} and --goal-board contradict each other").format(
                    shortened=shortened(kind)
                )
            )
        with typed(values, "goal_board"):
            given = parse_board(goal, board.rows, board.cols)
        if (given.rows, given.cols) != (board.rows, board.cols):
            raise UsageError(
                tr("the goal is {rows}×{cols}, the board {rows_2}×{cols_2}").format(
                    rows=given.rows, cols=given.cols, rows_2=board.rows, cols_2=board.cols
                )
            )
        tiles, shaped["goal"] = given.tiles, Goal.BOARD.value
    return ChosenBoard(checked(SlidingParams, shaped), board.tiles, tiles)


def _numbers(values: Values, n_boards: int) -> list[int]:
    number = whole_of(values, "number")
    if number is None:
        return list(range(1, n_boards + 1))
    if not 1 <= number <= n_boards:
        raise UsageError(
            tr("--number: {number} is outside 1..{n_boards}").format(
                number=number, n_boards=n_boards
            )
        )
    return [number]
