"""Sheets of files: runs, saved boards, plain letter grids, and word-search-generator's JSON.

A source of a sheet is a puzzle that is printed. It can make the sheet again with other letters in
unused cells.
"""

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tilelab.core.errors import (
    GridError,
    NotMadeError,
    NotTextError,
    ParameterError,
    TileLabError,
    UsageError,
)
from tilelab.core.files.grid_file import MAX_BYTES, GridFile, parse_grid, parse_notes
from tilelab.core.files.paths import expanded, is_there, read_text
from tilelab.core.flags import given, named_by_flag, text_of, whole_of, with_shape, word_of
from tilelab.core.parameters import P, validate
from tilelab.core.plain import Value, Values, parse_json
from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.randomness import MAX_SEED
from tilelab.core.text.language import figures, tr
from tilelab.core.text.shown_text import HOLE, folded, folded_row, quoted, shown, shown_path
from tilelab.core.text.wording import counted, labelled, require_known
from tilelab.letters.builtin import (
    LEXICON_FLAGS,
    builtin_lexicons,
    lexicon_from_flags,
    open_lexicon,
    shown_title,
)
from tilelab.letters.lexicon import Accents, Lexicon, clean, with_qu_tile
from tilelab.letters.puzzle_list import Need, noted_list
from tilelab.puzzles.boggle.constraints import Constraints, holes_in, locked_in
from tilelab.puzzles.boggle.maker.filling import Fill
from tilelab.puzzles.boggle.parameters import RULE_NAMES, noted_params
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.text import BLANKS as TILE_BLANKS
from tilelab.puzzles.sliding.text import holds_board, parse_board, parse_boards
from tilelab.puzzles.wordtiles.play import start_rows
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.puzzles.wordtiles.text import BLANKS
from tilelab.runs.files.carried import (
    CarriedFilling,
    CarriedRun,
    carried_text,
    is_run_file,
    open_run,
    open_text,
    read_filling,
    run_of_board,
)
from tilelab.runs.history.record import RunRecord
from tilelab.runs.history.store import puzzle_of
from tilelab.runs.recipe import PrerequisiteProgress, with_prerequisites
from tilelab.runs.session import Checkpoint
from tilelab.sheets.page import steps_of
from tilelab.sheets.puzzle_sheets import (
    Filler,
    before_filling,
    fill_sheet,
    filled_sheet,
    letter_sheet,
    run_of_letters,
    sheet_of,
    straight_words,
)
from tilelab.sheets.sheet import Sheet, SheetWord

MAX_SIDE = 100  # largest side of boards that other programs have made
_MAX_WORDS = 1_000  # maximum number of their words; the program writes a hundred at most
_PARTS = ("puzzle", "words", "key")
_KEY_PARTS = ("start_row", "start_col", "direction", "secret")
_NO_CELL = -1
_BETWEEN = "\n"
_DIRECTIONS = {
    "N": (-1, 0), "NE": (-1, 1), "E": (0, 1), "SE": (1, 1),
    "S": (1, 0), "SW": (1, -1), "W": (0, -1), "NW": (-1, -1),
}  # fmt: skip


def read_sheet(path: str | Path, values: Values, filler: Filler | None = None) -> Sheet:
    """Make the sheet of a file; raises TileLabError with one sentence on any error.

    values: those of the flags that choose a lexicon (None where none was given), and the rules of
    letter grids. filler: for their unused cells. A run may raise NotMadeError.
    """
    file = expanded(path)
    return (_of_run if is_run_file(file) else _of_text)(file, values, filler)


def _of_text(file: Path, values: Values, filler: Filler | None) -> Sheet:
    name = shown_path(file.name)
    try:
        text = read_text(file, MAX_BYTES)
    except NotTextError as error:
        raise GridError.tr(
            "{reason}; a sheet takes boards as text, runs, pictures and sheets that TileLab has "
            "saved, and word searches as JSON",
            reason=error,
        ) from None
    if text.lstrip().startswith("{"):
        try:
            return _word_search(text, name)
        except UsageError as error:  # of an unknown key
            raise GridError(f"{name}: {error}") from None
    if _holds_numbers(text):
        return _sliding(text, name)
    grid = parse_grid(text, name)
    if sum("".join(grid.rows).count(blank) for blank in BLANKS) == 1:
        return _word_tiles(grid, values, file)
    return _letters(grid, values, file, filler)


def _of_run(file: Path, values: Values, filler: Filler | None) -> Sheet:
    """Make the sheet of a run's best board; the run has its own words and rules."""
    name = shown_path(file.name)
    for flag in ("lexicon", *RULE_NAMES):
        if values.get(flag) is not None:
            raise UsageError.tr(
                "--{flag}: {name} has its own words and rules",
                flag=flag.replace("_", "-"),
                name=name,
            )
    return _of_opened(open_run(file), read_filling(file), name, filler)


def _of_opened(
    run: Checkpoint, filling: CarriedFilling | None, name: str, filler: Filler | None
) -> Sheet:
    message = ""  # one that has letters that no word has, so that the board before is carried
    if filling is not None and not filling.cells:
        message, filling = filling.message, None
    puzzle, best = run.recipe.puzzle, run.best
    if best is None:
        raise GridError.tr("{name}: the run has no board yet", name=name)
    if filler is not None and isinstance(puzzle, BogglePuzzle):
        before = before_filling(best.cells, filling)
        return fill_sheet(puzzle, before, filler)
    if message and isinstance(puzzle, BogglePuzzle):
        made = fill_sheet(puzzle, best.cells, Filler(Fill.MESSAGE, message))
        return dataclasses.replace(made, can_fill=False)  # as in filled_sheet
    if filling is not None and isinstance(puzzle, BogglePuzzle):
        made = filled_sheet(puzzle, best.cells, filling)
    else:
        made = sheet_of(puzzle, best)
    return dataclasses.replace(made, carried=CarriedRun(run.recipe, run.units, best, filling))


def _letters(grid: GridFile, values: Values, file: Path, filler: Filler | None) -> Sheet:
    name = shown_path(file.name)
    noted = with_shape(noted_params(grid.notes), grid.rows)
    params = _params(BoggleParams, noted, name, values)
    lexicon, words = _lexicon(values, grid, file), noted_list(grid.notes)
    must, must_not = (
        () if words is None else words.strings(need) for need in (Need.MUST, Need.MUST_NOT)
    )
    # Flags may name another lexicon, or other rules.
    counted_words = frozenset((with_qu_tile(lexicon) if params.qu_tile else lexicon).strings)
    required = tuple(string for string in must if string in counted_words)
    spellings = {} if words is None else words.spellings
    asked = Constraints(required, must_not, holes=holes_in(grid.rows), spellings=spellings)
    puzzle = BogglePuzzle.create(lexicon, params, None, asked)
    # Only the carried run has the start that locked cells belong to.
    asked = dataclasses.replace(puzzle.constraints, locked=locked_in(grid))
    puzzle = dataclasses.replace(puzzle, constraints=asked)
    rows = tuple(folded_row(row) for row in grid.rows)
    cells = puzzle.parse(grid.rows, foreign=True)
    if filler is not None:
        return fill_sheet(puzzle, cells, filler, rows)
    carried = run_of_letters(puzzle, cells)
    return dataclasses.replace(letter_sheet(puzzle, cells, rows), carried=carried)


def _params(model: type[P], noted: Values, name: str, values: Values | None = None) -> P:
    """Make parameters from those noted in a file, replaced by those of flags.

    A sentence about a parameter has the flag only if the value is from it.
    """
    flagged = given(model, values or {})
    try:
        return validate(model, {**noted, **flagged})
    except ParameterError as error:
        if error.name in flagged:
            raise named_by_flag(error) from None
        raise GridError(labelled(name, str(error))) from None


def _filler(values: Values) -> Filler | None:
    """Read the flags that fill unused cells; None without such flags."""
    message, other = text_of(values, "message"), text_of(values, "fill_without")
    how = None if values.get("fill") is None else Fill(word_of(values, "fill", Fill))
    if message is not None and how is not Fill.MESSAGE:
        raise UsageError.tr("--message needs --fill message")
    if how is None:
        return None
    if how is Fill.MESSAGE and message is None:
        raise UsageError.tr("--fill message: name the message with --message")
    accents = Accents(word_of(values, "accents", Accents))
    others = None if other is None else open_lexicon(other, accents)
    return Filler(how, message or "", others, whole_of(values, "fill_seed", MAX_SEED) or 0)


def _word_tiles(grid: GridFile, values: Values, file: Path) -> Sheet:
    name = shown_path(file.name)
    shape = {"rows": len(grid.rows), "cols": len(grid.rows[0])}
    lexicon = _lexicon(values, grid, file)
    moves = grid.notes.get("moves", "")
    # The saved board is the result of the slides.
    start = start_rows(grid.rows, moves)
    puzzle = WordTilesPuzzle.create(lexicon, _params(WordTilesParams, shape, name), start)
    end = puzzle.replay(moves)
    return _with_board(puzzle, Best(end, puzzle.score(end), 0, moves))


def _sliding(text: str, name: str) -> Sheet:
    boards, notes = parse_boards(text), parse_notes(text)
    if len(boards) > 1:
        n_boards = counted(len(boards), "board")
        raise GridError.tr("{name} has {n_boards}; a sheet has one", name=name, n_boards=n_boards)
    board = boards[0]
    shape = {"rows": board.rows, "cols": board.cols}
    goal_text = notes.get("goal", "")
    goal = list(parse_board(goal_text, board.rows, board.cols).tiles) if goal_text else None
    kind = next(
        (
            kind
            for kind in (Goal.BLANK_LAST, Goal.BLANK_FIRST)
            if goal is None or goal == goal_board(board.rows, board.cols, kind).tolist()
        ),
        Goal.BOARD,
    )
    params = _params(SlidingParams, {**shape, "goal": kind.value}, name)
    own_goal = goal if kind is Goal.BOARD else None
    puzzle = SlidingPuzzle.create(params, board.tiles, own_goal)
    moves = notes.get("moves")
    if moves is None:
        return _with_board(puzzle, Best(puzzle.start, puzzle.score(puzzle.start), 0))
    # The text of a saved board, in English or in the current language.
    proven = tuple(f"({word})" for word in ("shortest", tr("shortest")))
    optimal = notes.get("length", "").endswith(proven)
    end = puzzle.replay(moves)
    if puzzle.score(end):
        raise GridError.tr("its moves do not lead to the goal")
    return _with_board(puzzle, Best(end, 0.0, 0, moves, optimal))


def _with_board(puzzle: Puzzle, best: Best) -> Sheet:
    return dataclasses.replace(sheet_of(puzzle, best), carried=run_of_board(puzzle, best))


class UnknownWordsError(UsageError):
    """A board does not tell which words it is for, or their file is missing."""


def _lexicon(values: Values, grid: GridFile, file: Path) -> Lexicon:
    """Return the words that a flag names, or else those of a saved board.

    These are noted in the board, or in the file that it names, in the same folder.
    """
    if values.get("lexicon") is not None:
        return lexicon_from_flags(values)
    noted = grid.notes.get("lexicon", "")
    if noted in {entry.key for entry in builtin_lexicons()}:
        return lexicon_from_flags({**values, "lexicon": noted})
    if words := noted_list(grid.notes):
        return words.lexicon(noted)
    name = shown_path(file.name)
    if not noted:
        raise UnknownWordsError.tr("{name}: the words to find are not known", name=name)
    own = file.parent / Path(noted).name
    if not is_there(own):
        raise UnknownWordsError.tr(
            "{name}: the words to find are not known; their file, {noted}, is not in the same "
            "folder",
            name=name,
            noted=quoted(noted),
        )
    return open_lexicon(own, Accents(word_of(values, "accents", Accents)))


def _holds_numbers(text: str) -> bool:
    """Return whether a text is a board of numbered tiles, or its first row is one of them."""
    with contextlib.suppress(GridError):
        if holds_board(text):
            return True
    rows = (line.split() for line in text.splitlines() if line.strip() and line[0] != "#")
    tokens = next(rows, [])
    are_tiles = all(token in TILE_BLANKS or token.isdigit() for token in tokens)
    return are_tiles and any(token.isdigit() for token in tokens)


def _word_search(text: str, name: str) -> Sheet:
    """Read a file of word-search-generator 5: puzzle, words, and the beginning of each."""
    try:
        plain = parse_json(text)
    except TileLabError as error:
        raise GridError.tr("{name} is not JSON: {reason}", name=name, reason=error) from None
    parts = plain if isinstance(plain, dict) else {}
    rows, words, key = (parts.get(part) for part in ("puzzle", "words", "key"))
    if not (isinstance(rows, list) and isinstance(words, list) and isinstance(key, dict)):
        raise GridError.tr(
            "{name} is not a puzzle of word-search-generator, which has puzzle, words and key",
            name=name,
        )
    require_known(parts, _PARTS)
    signs, n_cols = _signs(rows, name)
    if len(words) > _MAX_WORDS:
        raise GridError.tr(
            "{name} has {n_words} words; at most {most_words} are allowed",
            name=name,
            n_words=figures(len(words), ","),
            most_words=figures(_MAX_WORDS, ","),
        )
    found = tuple(_place_word(signs, n_cols, words, key, name))
    steps = {step for word in found for step in steps_of(word.cells, n_cols)}
    return Sheet(
        title=tr("Word search"),
        puzzle=BogglePuzzle.spec.key,
        cols=n_cols,
        signs=tuple("" if sign in ("", HOLE) else shown(folded(sign)) for sign in signs),
        instruction=" ".join(
            (tr("Find {n_words}.", n_words=counted(len(found), "word")), straight_words(steps))
        ),
        words=found,
        holes=tuple(cell for cell, sign in enumerate(signs) if sign in ("", HOLE)),
    )


def _signs(rows: Sequence[object], name: str) -> tuple[tuple[str, ...], int]:
    signs: list[str] = []
    lengths = set()
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list) or any(
            not isinstance(sign, str) or len(sign) > 1 for sign in row
        ):
            raise GridError.tr(
                "{name}: row {number} of its puzzle is not a list of letters",
                name=name,
                number=number,
            )
        signs += row
        lengths.add(len(row))
    if len(lengths) != 1 or not 0 < max(*lengths, len(rows)) <= MAX_SIDE or not signs:
        raise GridError.tr(
            "{name}: its puzzle must have 1..{max_side} rows of the same length, 1..{max_side}",
            name=name,
            max_side=MAX_SIDE,
        )
    return tuple(signs), lengths.pop()


def _place_word(
    signs: Sequence[str], n_cols: int, words: Sequence[object], key: dict[str, object], name: str
) -> Iterator[SheetWord]:
    readings = _Readings([folded(sign) for sign in signs], n_cols)
    for word in words:
        if not isinstance(word, str) or not clean(word):
            raise GridError.tr("{name}: {word} is not a word", name=name, word=quoted(word))
        entry = key.get(word)
        facts = entry if isinstance(entry, dict) else {}
        require_known(facts, _KEY_PARTS)
        if facts.get("secret") is True:
            continue  # it has to be found without being listed
        direction = str(facts.get("direction"))
        cells = readings.find(folded_row(word), direction, _start(facts, n_cols))
        if cells is None:
            raise GridError.tr(
                "{name}: {word} is not where its key says", name=name, word=quoted(word)
            )
        yield SheetWord(clean(word), word.capitalize() if word.isupper() else word, cells)


def _start(facts: dict[str, object], n_cols: int) -> int:
    """Return the cell that a key names; of a cropped board another one may be right."""
    row, col = facts.get("start_row"), facts.get("start_col")
    return row * n_cols + col if isinstance(row, int) and isinstance(col, int) else -1


class _Readings:
    """All lines of a board in all directions as one text, for quick searches."""

    def __init__(self, letters: Sequence[str], n_cols: int) -> None:
        n_rows = len(letters) // n_cols
        self._cells: list[int] = []
        self._places: dict[tuple[str, int], int] = {}
        self._spans: dict[str, slice] = {}
        for direction, (down, right) in _DIRECTIONS.items():
            begin = len(self._cells)
            for first in range(len(letters)):
                row, col = divmod(first, n_cols)
                if 0 <= row - down < n_rows and 0 <= col - right < n_cols:
                    continue  # the line has begun before
                while 0 <= row < n_rows and 0 <= col < n_cols:
                    self._places[direction, row * n_cols + col] = len(self._cells)
                    self._cells.append(row * n_cols + col)
                    row, col = row + down, col + right
                self._cells.append(_NO_CELL)
            self._spans[direction] = slice(begin, len(self._cells))
        signs = [*(sign if len(sign) == 1 else _BETWEEN for sign in letters), _BETWEEN]
        self._text = "".join(signs[cell] for cell in self._cells)

    def find(self, string: str, direction: str, likely: int) -> tuple[int, ...] | None:
        """Return the cells that read a string, the likely ones if possible; None: not found.

        direction: a key of the directions; any other text means all of them.
        """
        directions = [direction] if direction in self._spans else list(self._spans)
        places = (self._places.get((one, likely)) for one in directions)
        span = slice(self._spans[directions[0]].start, self._spans[directions[-1]].stop)
        begin = next(
            (at for at in places if at is not None and self._text.startswith(string, at)),
            self._text.find(string, span.start, span.stop),
        )
        cells = tuple(self._cells[begin : begin + len(string)])
        return None if begin < 0 or _NO_CELL in cells else cells


def carried_by(sheet: Sheet) -> str:
    """Return the text that files of a sheet carry by themselves; '' for nothing."""
    return "" if sheet.carried is None else carried_text(sheet.carried)


def read_sheets(paths: Sequence[str | Path], values: Values, title: str = "") -> tuple[Sheet, ...]:
    """Make the sheets of a command's files; title: of all of them, or '' for their own.

    values: those of the command's flags. Sentences about filled cells begin with the file's name.
    """
    filler = _filler(values)
    try:
        sheets = [read_sheet(path, values, filler) for path in paths]
    except UnknownWordsError as error:
        raise UsageError.tr("{reason}; name them with --lexicon", reason=error) from None
    named = []
    for path, sheet in zip(paths, sheets, strict=True):
        name = shown_path(expanded(path).name)
        if filler is not None and not sheet.reported:
            raise UsageError.tr(
                "--fill: {name} is not a board of letters with unused cells", name=name
            )
        reported = tuple(labelled(name, line) for line in sheet.reported)
        named.append(dataclasses.replace(sheet, reported=reported))
    return with_titles(named, title)


def with_titles(sheets: Sequence[Sheet], title: str) -> tuple[Sheet, ...]:
    """Give sheets a title, or their own if it is ''; number those with the same title."""
    titles = [title or sheet.title for sheet in sheets]
    return tuple(
        dataclasses.replace(sheet, title=_numbered(titles, n)) for n, sheet in enumerate(sheets)
    )


def _numbered(titles: Sequence[str], n: int) -> str:
    title = titles[n]
    is_alone = titles.count(title) == 1
    return title if is_alone else f"{title} {titles[: n + 1].count(title)}".strip()


@dataclass(frozen=True, eq=False)
class SheetSource:
    """A source that makes the sheet of one puzzle any number of times."""

    name: str  # name in a list of puzzles
    make: Callable[[Filler | None], Sheet]
    """A function of what fills unused cells, None to leave them; raises TileLabError."""
    path: Path | None = None  # file that it is read from
    carried: str = ""  # what files of its sheet carry, from which it can be read again


def source_of(puzzle: Puzzle, best: Best) -> SheetSource:

    def make(filler: Filler | None) -> Sheet:
        if not isinstance(puzzle, BogglePuzzle):
            return _with_board(puzzle, best)
        made = sheet_of(puzzle, best)
        if filler is not None and made.can_fill:
            return fill_sheet(puzzle, best.cells, filler)
        return dataclasses.replace(made, carried=run_of_letters(puzzle, best.cells))

    return SheetSource(shown_title(puzzle.title), make)


def source_of_record(record: RunRecord) -> SheetSource:
    """Return the source of a run's best board; its lexicon is read when the sheet is made."""

    def make(filler: Filler | None) -> Sheet:
        puzzle = puzzle_of(record)
        best = Best(
            puzzle.parse(record.board), record.value or 0.0, 0, record.moves, record.optimal
        )
        return source_of(puzzle, best).make(filler)

    return SheetSource(tr("{title}, run {id}", title=shown_title(record.title), id=record.id), make)


def source_of_file(path: Path) -> SheetSource:
    """Return the source of a run, a saved board, or another program's word search."""
    return SheetSource(shown_path(path.name), partial(_of_file, path), path)


def source_of_text(text: str) -> SheetSource:
    """Return the source of a run that was written as text, as pictures carry it."""
    name = tr("Board")

    def make(filler: Filler | None) -> Sheet:
        run, filling = open_text(text, name)
        made = _of_opened(run, filling, name, None)
        can_fill = filler is not None and made.can_fill
        return _of_opened(run, filling, name, filler) if can_fill else made

    return SheetSource(name, make, carried=text)


def _of_file(path: Path, filler: Filler | None) -> Sheet:
    name = shown_path(path.name)
    try:
        return _read_and_fill(path, filler)
    except NotMadeError:
        raise  # the caller makes what the run needs
    except TileLabError as error:
        reason = str(error)
        raise GridError(reason if name in reason else labelled(name, reason)) from None


def _read_and_fill(path: Path, filler: Filler | None) -> Sheet:
    usual: dict[str, Value] = {flag.name: flag.default for flag in LEXICON_FLAGS}
    values: dict[str, Value] = {**usual, "lexicon": None}
    made = read_sheet(path, values)
    return made if filler is None or not made.can_fill else read_sheet(path, values, filler)


def sheets_of(sources: Sequence[SheetSource]) -> Iterator[tuple[Sheet, ...]]:
    """Yield the sheets of some puzzles, all at once; raises TileLabError."""
    yield tuple(source.make(None) for source in sources)


class MadeSheets(NamedTuple):
    sources: tuple[SheetSource, ...]
    sheets: tuple[Sheet, ...]
    failed: dict[SheetSource, str]  # the reasons of other sources that made none


def sheets_with(
    known: Sequence[SheetSource],
    sources: Sequence[SheetSource],
    filler: Filler | None = None,
) -> Iterator[MadeSheets | PrerequisiteProgress]:
    """Yield the sheets of some puzzles, without those that cannot be read.

    Yields the progress of what must be made first. known: sources that have made a sheet; raises
    TileLabError if one of them fails.
    """
    made: dict[SheetSource, Sheet] = {}
    failed: dict[SheetSource, str] = {}
    for source in sources:
        try:
            made[source] = yield from with_prerequisites(partial(source.make, filler))
        except TileLabError as error:
            if source in known:
                raise
            failed[source] = str(error)
    yield MadeSheets(tuple(made), tuple(made.values()), failed)
