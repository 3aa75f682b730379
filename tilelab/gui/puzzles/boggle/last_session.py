"""The letter board that the previous session left: its words, constraints and board."""

import contextlib
from dataclasses import replace

from pydantic import TypeAdapter

from tilelab.core.errors import LexiconError, TileLabError
from tilelab.core.files.grid_file import GridFile
from tilelab.core.text.language import tr
from tilelab.gui.letters.load_menu import Origin
from tilelab.gui.puzzles.boggle.next_start import START_NAMES
from tilelab.gui.puzzles.boggle.puzzle_plan import with_own_list
from tilelab.gui.run.choices import (
    KeptBoard,
    keep_list,
    last_board,
    last_constraints,
    last_list,
    last_puzzle,
)
from tilelab.gui.widgets.settings import Settings
from tilelab.letters.builtin import DEFAULT
from tilelab.puzzles.boggle.constraints import NOTHING_ELSE, UNCONSTRAINED, constraints_from
from tilelab.puzzles.boggle.parameters import BoggleParams
from tilelab.puzzles.boggle.puzzle import BogglePuzzle

_OWN_SIZE, _SIDES = "boggle/own_size", TypeAdapter(list[int])


def puzzle_of_last_session(settings: Settings) -> tuple[BogglePuzzle, Origin, str]:
    """Return the first puzzle, its origin, and a sentence about what could not be read, or ''."""
    puzzle, note = last_puzzle(settings, BogglePuzzle, DEFAULT)
    puzzle, allowed = _with_last_constraints(settings, with_own_list(puzzle))
    puzzle, origin = _with_last_board(settings, puzzle)
    with contextlib.suppress(ValueError):  # no size, or one that no board has
        rows, cols = last_list(settings, _OWN_SIZE, _SIDES)
        own = BoggleParams(rows=rows, cols=cols)
        origin = replace(origin, own_size=(own.rows, own.cols))
    return puzzle, origin, f"{note} {allowed}".strip()


def keep_own_size(settings: Settings, size: tuple[int, int] | None) -> None:
    """Store the size that the user chose before the program chose one, if it did."""
    keep_list(settings, _OWN_SIZE, _SIDES, [*size] if size else [])


def _with_last_constraints(settings: Settings, puzzle: BogglePuzzle) -> tuple[BogglePuzzle, str]:
    """Return a puzzle with the constraints of the previous session, if it had the same words.

    Returns also a sentence about a lexicon that can no longer be read, or ''.
    """
    lexicon, note = puzzle.given or puzzle.lexicon, ""
    kept, asked = last_constraints(settings, puzzle.spec.key, lexicon), UNCONSTRAINED
    with contextlib.suppress(TileLabError):
        try:
            asked = constraints_from(kept, "")
        except LexiconError:
            without = {name: part for name, part in kept.items() if name != NOTHING_ELSE}
            asked = constraints_from(without, "")
            note = tr(
                "Other words are allowed again: their lexicon {name} is missing or has changed.",
                name=kept[NOTHING_ELSE].get("lexicon", ""),
            )
        if asked:
            puzzle = BogglePuzzle.from_values(lexicon, puzzle.params.model_dump(), None, asked)
    return puzzle, note


def _with_last_board(settings: Settings, puzzle: BogglePuzzle) -> tuple[BogglePuzzle, Origin]:
    """Return a puzzle that begins with the board of the previous session, if there is one."""

    def with_board(kept: KeptBoard) -> tuple[BogglePuzzle, Origin]:
        size = {"rows": len(kept.rows), "cols": len(kept.rows[0])}
        params = {**puzzle.params.model_dump(), **kept.params, **size}
        asked = replace(puzzle.constraints, locked=kept.locked, holes=())
        lexicon = puzzle.given or puzzle.lexicon
        made = BogglePuzzle.from_values(lexicon, params, kept.rows, asked)
        return made, Origin(kept.name, None, GridFile(kept.rows))

    board = last_board(settings, puzzle.spec.key, START_NAMES, with_board)
    return board or (puzzle, Origin(""))
