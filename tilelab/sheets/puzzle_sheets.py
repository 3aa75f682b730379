"""Sheets made from the best board of any puzzle."""

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.core.errors import GridError, TileLabError
from tilelab.core.puzzle import Best, Cells, Puzzle
from tilelab.core.randomness import generator
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import shown
from tilelab.core.text.wording import counted
from tilelab.letters.builtin import shown_title
from tilelab.letters.lexicon import Lexicon
from tilelab.puzzles.boggle.letter_board import FOREIGN
from tilelab.puzzles.boggle.maker.filling import (
    Fill,
    can_fill,
    filled,
    forbidden_in,
    solution_paths,
)
from tilelab.puzzles.boggle.parameters import STEPS
from tilelab.puzzles.boggle.puzzle import BogglePuzzle, Reuse
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.wordtiles.puzzle import Counting, WordTilesPuzzle
from tilelab.puzzles.wordtiles.text import BLANK
from tilelab.runs.files.carried import CarriedFilling, CarriedRun, run_of_board
from tilelab.sheets.sheet import Sheet, SheetWord, Slide
from tilelab.slides.moves import TILE_DIRECTIONS

_BLANK_STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
_STEPS = {
    "king": marked("From letter to letter, a word goes to a neighbouring cell, also diagonally."),
    "rook": marked("From letter to letter a word goes up, down, left or right."),
}
_LINES = {
    (False, False): marked("Each word is on a straight line: across or down, not backwards."),
    (False, True): marked("Each word is on a straight line: across or down, also backwards."),
    (True, False): marked(
        "Each word is on a straight line: across, down or diagonally, not backwards."
    ),
    (True, True): marked(
        "Each word is on a straight line: across, down or diagonally, also backwards."
    ),
}
"""Sentence about straight words, by whether any is diagonal, and whether any is backwards."""


def sheet_of(puzzle: Puzzle, best: Best, title: str = "") -> Sheet:
    """Make the sheet of a puzzle and its best board; raises TileLabError where there is none.

    For word tiles the slides may have to be found first, which takes up to some seconds.
    """
    if isinstance(puzzle, BogglePuzzle):
        made = letter_sheet(puzzle, best.cells)
    elif isinstance(puzzle, SlidingPuzzle):
        made = _sliding_sheet(puzzle, best)
    elif isinstance(puzzle, WordTilesPuzzle):
        made = _word_tile_sheet(puzzle, puzzle.with_path(best))
    else:
        raise TileLabError.tr("There are no sheets of {title}.", title=tr(puzzle.spec.title))
    return dataclasses.replace(made, title=title) if title else made


def letter_sheet(
    puzzle: BogglePuzzle,
    cells: Cells,
    rows: Sequence[str] | None = None,
    paths: Mapping[str, tuple[int, ...]] | None = None,
) -> Sheet:
    """Make the sheet of a letter grid.

    rows: the letters to print, where cells are FOREIGN because no string has them. paths: those of
    the solution, if they are known already.
    """
    report = puzzle.report(cells)
    texts = puzzle.texts(report.rows if rows is None else rows)
    symbols = [text for row in texts for text in row]
    holes = puzzle.constraints.holes
    paths = solution_paths(puzzle, cells) if paths is None else paths
    words = tuple(
        SheetWord(string, puzzle.lexicon.spelling(string), path) for string, path in paths.items()
    )
    forbidden = forbidden_in(puzzle, report.rows if rows is None else rows)
    return Sheet(
        title=_title_of(puzzle.lexicon),
        puzzle=puzzle.spec.key,
        cols=puzzle.params.cols,
        signs=tuple(
            "" if cell in holes or (rows is None and code == FOREIGN) else shown(symbol)
            for cell, (symbol, code) in enumerate(zip(symbols, cells.tolist(), strict=True))
        ),
        instruction=_how_words_go(puzzle, len(words)),
        words=words,
        holes=holes,
        can_fill=can_fill(puzzle, cells),
        remark=_remark_on(tuple(map(puzzle.lexicon.spelling, forbidden))),
    )


def _remark_on(forbidden: Sequence[str]) -> str:
    """Return a sentence about the words that are on a board, but must not be there, or ''."""
    if not forbidden:
        return ""
    words = ", ".join(forbidden)
    return tr("The board has words that must not be on it: {words}.", words=words)


@dataclass(frozen=True)
class Filler:
    """What the unused cells of a letter grid are filled with."""

    how: Fill
    message: str = ""  # for Fill.MESSAGE
    others: Lexicon | None = None  # further words that the letters should not make
    seed: int = 0


def fill_sheet(
    puzzle: BogglePuzzle, cells: Cells, filler: Filler, rows: Sequence[str] | None = None
) -> Sheet:
    """Make the sheet of a letter grid with other letters where no word needs them.

    It carries the letters that are printed, or the board before, where some letter of the filling
    is in no word of the puzzle. rows: as for :func:`letter_sheet`. Raises GridError for a message
    that has no room, or that is missing.
    """
    rng, message = generator(filler.seed), filler.message.strip()
    filling = filled(
        puzzle, cells, filler.how, rng, message=message, others=filler.others, rows=rows
    )
    made = letter_sheet(puzzle, cells, filling.rows, filling.paths)
    reported = [str(filling), *filter(None, [filling.warning])]
    message = message if filler.how is Fill.MESSAGE else ""
    carried = run_of_letters(puzzle, puzzle.parse(filling.rows, foreign=True))
    kept = CarriedFilling(filling.cells, message) if filling.cells else None
    if carried is None:
        carried, kept = run_of_letters(puzzle, cells), CarriedFilling((), message)
        if message:
            reported.append(
                tr(
                    "Some letters of the message are in no word: if you open the saved sheet, its "
                    "board is without the message."
                )
            )
    return dataclasses.replace(
        _with_message(made, message),
        reported=tuple(reported),
        carried=None if carried is None else dataclasses.replace(carried, filling=kept),
    )


def _with_message(made: Sheet, message: str) -> Sheet:
    """Return a sheet that hides a message, which its task mentions; '' for none."""
    if not message:
        return made
    hint = tr("The letters that no word uses hide a message, row by row.")
    return dataclasses.replace(made, instruction=f"{made.instruction} {hint}", message=message)


def filled_sheet(puzzle: BogglePuzzle, cells: Cells, filling: CarriedFilling) -> Sheet:
    """Make the sheet of a letter grid as it was printed, with its message and paths.

    A message stays when other puzzles of a booklet are filled.
    """
    before = before_filling(cells, filling)
    paths = solution_paths(puzzle, before, hides_message=bool(filling.message))
    made = _with_message(letter_sheet(puzzle, cells, paths=paths), filling.message)
    return dataclasses.replace(made, can_fill=made.can_fill and not filling.message)


def before_filling(cells: Cells, filling: CarriedFilling | None) -> Cells:
    """Return a board without the letters that were filled in."""
    before = cells.copy()
    before[list(() if filling is None else filling.cells)] = FOREIGN
    return before


def run_of_letters(puzzle: BogglePuzzle, cells: Cells) -> CarriedRun | None:
    """Return a board as its puzzle's start; None where no string has one of its letters."""
    try:
        started = puzzle.starting_with(cells)
    except GridError:
        return None
    return run_of_board(started, Best(cells, started.score(cells), 0))


def _title_of(lexicon: Lexicon) -> str:
    """Return a lexicon's title; of a file without one, its name without the suffix."""
    is_untitled = lexicon.title == lexicon.name
    return Path(lexicon.name).stem if is_untitled else shown_title(lexicon.title)


def straight_words(steps: Collection[tuple[int, int]]) -> str:
    """Return the sentence about words on straight lines; steps: (down, right) of each direction."""
    is_diagonal = any(down and right for down, right in steps)
    goes_back = any(right < 0 or (right == 0 and down < 0) for down, right in steps)
    return tr(_LINES[is_diagonal, goes_back])


def _how_words_go(puzzle: BogglePuzzle, n_words: int) -> str:
    params = puzzle.params
    adjacency = params.adjacency.value
    sentences = [tr("Find {n_words}.", n_words=counted(n_words, "word"))]
    if adjacency not in _STEPS:
        sentences.append(straight_words(STEPS[params.directions]))
    else:
        sentences.append(tr(_STEPS[adjacency]))
        if params.reuse is Reuse.ONCE:
            sentences.append(tr("A word uses a cell only once."))
        elif not params.stay:
            sentences.append(tr("A word may return to a cell, but not use it twice in a row."))
        if params.torus:
            sentences.append(tr("Opposite edges are joined."))
    if params.slips:
        sentences.append(tr("One letter of a word may be wrong."))
    return " ".join(filter(None, sentences))


def tile_signs(cells: Cells) -> tuple[str, ...]:
    """Return the texts of numbered tiles; '' for the blank."""
    return tuple(str(tile) if tile else "" for tile in cells.tolist())


def start_sheet(puzzle: Puzzle) -> Sheet | None:
    """Make the sheet of a start and its goal, without a solution; None without a goal."""
    if not isinstance(puzzle, SlidingPuzzle):
        return None
    return _sliding_sheet(puzzle, Best(puzzle.goal, 0.0, 0))


def _sliding_sheet(puzzle: SlidingPuzzle, best: Best) -> Sheet:
    start = tile_signs(puzzle.start)
    return Sheet(
        title=tr(puzzle.spec.title),
        puzzle=puzzle.spec.key,
        cols=puzzle.params.cols,
        signs=start,
        instruction=tr(
            "Slide the tiles into the blank, one at a time, until they are in the order of the "
            "goal."
        ),
        goal=tile_signs(puzzle.goal),
        goal_is_given=True,
        slides=_slides(start, puzzle.params.cols, best.moves),
        proof=_proof(best),
    )


def _word_tile_sheet(puzzle: WordTilesPuzzle, best: Best) -> Sheet:
    def signs(cells: Cells) -> tuple[str, ...]:
        text = "".join(puzzle.rows_of(cells))
        return tuple("" if symbol == BLANK else shown(symbol) for symbol in text)

    cols, start = puzzle.params.cols, signs(puzzle.start)
    made = Sheet(
        title=_title_of(puzzle.lexicon),
        puzzle=puzzle.spec.key,
        cols=cols,
        signs=start,
        instruction=tr(
            "Slide the tiles into the blank, one at a time, until rows and columns have as many "
            "words as possible."
        ),
    )
    if puzzle.score(best.cells) <= puzzle.score(puzzle.start):
        # No board is known that slides should lead to.
        return dataclasses.replace(made, remark=_why_no_words(puzzle))
    places = puzzle.found(best.cells)
    return dataclasses.replace(
        made,
        instruction=_how_tiles_end(puzzle, [place.word for place in places]),
        words=tuple(
            SheetWord(place.word, puzzle.lexicon.spelling(place.word), place.cells(cols))
            for place in places
        ),
        goal=signs(best.cells),
        slides=_slides(start, cols, best.moves),
        proof=_proof(best),
    )


def _why_no_words(puzzle: WordTilesPuzzle) -> str:
    if puzzle.possible:
        return tr(
            "The sheet names no words: no board with more words than this one is known. A run may "
            "find one."
        )
    return tr(
        "The sheet names no words: none can be made of these letters. Draw other letters, or load "
        "other words."
    )


def _how_tiles_end(puzzle: WordTilesPuzzle, words: Sequence[str]) -> str:
    """Return the task; words: those of the board to be reached, one for each place."""
    n_words, n_places = len(set(words)), len(words)
    if n_places == n_words or puzzle.params.counting is Counting.BOARD:
        return tr(
            "Slide the tiles into the blank, one at a time, until {n_words} can be read in "
            "rows and columns.",
            n_words=counted(n_words, "word"),
        )
    return tr(
        "Slide the tiles into the blank, one at a time, until {n_words} can be read in "
        "rows and columns, in {n_places}.",
        n_words=counted(n_words, "word"),
        n_places=counted(n_places, "place"),
    )


def _proof(best: Best) -> str:
    if best.n_moves is None:
        return ""
    proof = tr("the minimum") if best.optimal else tr("not proven to be the fewest")
    return f"{counted(best.n_moves, 'slide')}, {proof}"


def _slides(start: Sequence[str], cols: int, moves: str | None) -> tuple[Slide, ...] | None:
    """Return the tile that each move of the blank slides."""
    if moves is None:
        return None
    signs, blank, slides = list(start), start.index(""), []
    for move in moves:
        down, right = _BLANK_STEPS[move]
        tile = blank + down * cols + right
        slides.append(Slide(signs[tile], TILE_DIRECTIONS[move]))
        signs[blank], signs[tile] = signs[tile], signs[blank]
        blank = tile
    return tuple(slides)
