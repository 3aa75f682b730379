"""Making puzzles: ``tilelab.load``."""

from collections.abc import Mapping

from tilelab import catalog
from tilelab.core.errors import UsageError
from tilelab.core.flags import Flag
from tilelab.core.parameters import describe
from tilelab.core.puzzle import Puzzle
from tilelab.core.text.unknown_names import meant
from tilelab.experiments.plan import Scalar, as_flag, check_puzzle_value, named
from tilelab.library.values import fresh_seed, plain_values


def load(puzzle: str, /, **values: object) -> Puzzle:
    """Make a puzzle; raises TileLabError.

    puzzle: its word, such as "boggle". values: what the flags of ``tilelab run`` say, by their
    names with ``_`` for ``-``. Where they name no board and the puzzle needs one, a random one is
    drawn.
    """
    puzzles = load_all(puzzle, **values)
    if len(puzzles) > 1:
        raise UsageError(
            f"{len(puzzles)} boards are named; number=1 takes the first, and load_all takes all"
        )
    return puzzles[0]


def load_all(puzzle: str, /, **values: object) -> tuple[Puzzle, ...]:
    """Make all puzzles that some values name, such as Korf's hundred; raises TileLabError."""
    puzzle_class, flags = catalog.puzzle(puzzle), _flags(puzzle)
    given = checked_values(puzzle, values)
    with named(""):
        as_flags = {name: as_flag(name, value, flags, None) for name, value in given.items()}
        puzzles = tuple(catalog.instances(puzzle_class, as_flags, fresh_seed()))
    if not puzzles:
        raise UsageError(f"{puzzle}: there is no board in what is named")
    return puzzles


def checked_values(puzzle: str, values: Mapping[str, object]) -> dict[str, Scalar]:
    """Return the values that name boards, plain and without None; nothing is read or made.

    Raises UsageError for a name that the puzzle does not know, and for a parameter's wrong value.
    """
    model = catalog.puzzle(puzzle).spec.params
    names = [*(flag.name for flag in _flags(puzzle)), *(spec.name for spec in describe(model))]
    plain = plain_values(values)
    given = {name: value for name, value in plain.items() if value is not None}
    for name, value in given.items():
        if name not in names:
            raise UsageError(
                f"{name} is not a keyword of {puzzle}{meant(name, names)}; the keywords are "
                f"{', '.join(names)}"
            )
        check_puzzle_value("", name, value, model, names)
    return given


def _flags(puzzle: str) -> tuple[Flag, ...]:
    return catalog.instance_flags(catalog.puzzle(puzzle))
