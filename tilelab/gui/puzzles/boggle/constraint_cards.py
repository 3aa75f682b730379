"""Cards and panels of letter boards that also show constraints."""

from collections.abc import Sequence

from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import one_line
from tilelab.core.text.wording import counted, labelled, number
from tilelab.gui.letters.lexicon_card import SourceCard
from tilelab.gui.letters.word_panel import WordPanel
from tilelab.gui.run.messages import Board, of_kind
from tilelab.letters.builtin import shown_title
from tilelab.letters.puzzle_list import MAX_OWN_WORDS
from tilelab.puzzles.boggle.constraints import Constraints, forbidden_inside
from tilelab.puzzles.boggle.paths import max_word_length
from tilelab.puzzles.boggle.puzzle import BogglePuzzle, GridReport


class ConstraintCard(SourceCard):
    """A card of the lexicon, the constraints, and the board that runs start from."""

    def show_constraints(self, constraints: Constraints) -> None:
        asked = (
            (len(constraints.required), tr("must be in")),
            (len(constraints.forbidden), tr("must not")),
        )
        parts = [f"{figures(count, ',')} {what}" for count, what in asked if count]
        if constraints.nothing_else is not None:
            parts.append(
                tr(
                    "nothing else from {name}",
                    name=one_line(shown_title(constraints.nothing_else.title)),
                )
            )
        for cells, what in ((constraints.locked, "locked cell"), (constraints.holes, "hole")):
            if cells:
                parts.append(counted(len(cells), what))
        self.show_requested(parts)


class ConstraintPanel(WordPanel):
    """A panel of a board's words, and of how far it satisfies the constraints."""

    def value_words(self, board: Board) -> tuple[str, str]:
        value, below = super().value_words(board)
        asked = of_kind(board.puzzle, BogglePuzzle).constraints
        fulfilled = _constraint_words(of_kind(board.report, GridReport), asked)
        return value, " · ".join(filter(None, (below, *fulfilled)))

    def remarks(self, board: Board) -> Sequence[str]:
        """Return lines about missing and forbidden words, and about what the value counts."""
        report, puzzle = of_kind(board.report, GridReport), of_kind(board.puzzle, BogglePuzzle)
        missing, forbidden = report.required_missing, report.forbidden_found
        lists = ((tr("Missing"), missing), (tr("Forbidden"), forbidden))
        spell = puzzle.lexicon.spelling
        lines = [labelled(what, ", ".join(map(spell, found))) for what, found in lists if found]
        if puzzle.constraints.nothing_else is not None:
            lines.append(tr("Words inside the puzzle's own words are allowed."))
        if puzzle.per_constraint:
            each = number(puzzle.per_constraint)
            lines.append(
                tr(
                    "Value: the fitness, {each} more for each required word on the board, and "
                    "{each} less for each forbidden one. The chart shows the fitness alone.",
                    each=each,
                )
            )
        return lines

    def no_room(self, board: Board) -> str:
        """Return sentences about missing words that no board can have, or ''."""
        puzzle, report = of_kind(board.puzzle, BogglePuzzle), of_kind(board.report, GridReport)
        max_length = max_word_length(puzzle.rules)
        missing = [report.strings[index] for index in report.missing_indices]
        is_own = len(report.strings) <= MAX_OWN_WORDS  # not a dictionary, of which any word will do
        blocked = ""
        if is_own:
            asked, spellings = puzzle.constraints.forbidden, puzzle.lexicon.spellings
            blocked = forbidden_inside(missing, asked, spellings)
        tiles = map(puzzle.lexicon.tiles, missing)
        n_long = 0 if max_length is None else sum(len(word) > max_length for word in tiles)
        if max_length is None or not n_long:
            return blocked
        text = _NO_LINE if puzzle.rules.directions else _NO_CELLS
        said = tr(text, words=counted(n_long, "word"), cells=counted(max_length, "cell"))
        return f"{said} {blocked}".rstrip()


_NO_LINE = marked("{words} cannot be on any board of this shape: its longest line has {cells}.")
_NO_CELLS = marked(
    "{words} cannot be on any board of this shape: it has {cells}, and a word uses each once."
)


def _constraint_words(report: GridReport, asked: Constraints) -> list[str]:
    """Return a line about required and forbidden words of a board, and the total value."""
    parts = []
    if asked.required:
        n_required, n_missing = len(asked.required), len(report.required_missing)
        parts.append(
            tr(
                "{n_found} of {n_required} required",
                n_found=figures(n_required - n_missing, ","),
                n_required=figures(n_required, ","),
            )
        )
    if asked.forbids:
        parts.append(
            tr(
                "{n_forbidden_found} forbidden",
                n_forbidden_found=figures(len(report.forbidden_found), ","),
            )
        )
    return [*parts, tr("value {value}", value=number(report.value))] if parts else []
