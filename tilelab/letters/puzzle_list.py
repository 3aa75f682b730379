"""Word lists of the puzzle maker: lexicon files whose comments tell the purpose of each word.

Users type or paste words with any separators, bullets and numbers. Only if the text has lines,
commas, tabs or the like, blanks belong to a phrase: "Cat and Rat" is one word with its spelling.
"""

import enum
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tilelab.core.errors import LexiconError
from tilelab.core.files.paths import data_folder
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import one_line
from tilelab.core.text.wording import plain_number
from tilelab.letters.builtin import is_builtin
from tilelab.letters.lexicon import (
    MAX_LENGTH,
    MAX_WEIGHT,
    REPEATED,
    Accents,
    Lexicon,
    ReadingReport,
    clean,
    kept_spelling,
    parse_lexicon,
    weight_of,
)

MAX_CHARACTERS = 200_000  # maximum length of a typed text; a longer list is read from a file
_BULLETS = "•‣◦▪●·"
_NUMBER = r"\(?\d{1,4}[.)](?!\d)"
WORDS = "words"  # name of the note in a saved board that lists its words
# Separators of phrases; a full stop is none, because of "St. Helens".
_SEPARATORS = ",;|，、；"
_BETWEEN = re.compile(
    rf"[\r\n\v\f\x85\u2028\u2029{_SEPARATORS}]|(?:(?<=\s)|^)(?:[{_BULLETS}]|{_NUMBER})\s"
)
_FRONT = re.compile(rf"(?:[\s#>*{_BULLETS}–—-]|\[[ xX]?\]|{_NUMBER})+")
MAX_OWN_WORDS = 200  # largest number of words of a list that is taken for the user's own
_MAX_SHORT = 30  # symbols of a short word
_MAX_PHRASE = 2  # number of words of the longest phrase that most lines of a list may have
_QUOTES = " \t\"'“”„‟«»‹›"
_WEIGHT = re.compile(r"\d+(?:\.\d+)?")
_MARKED = re.compile(r"[][{}<>=]|\":")  # signs of data or of a page, which no word has


class Need(enum.StrEnum):
    NICE = "nice"
    MUST = "must"
    MUST_NOT = marked("must not")


@dataclass(frozen=True)
class ListedWord:
    spelling: str
    string: str
    need: Need = Need.NICE
    weight: float = 1.0  # 0..1e12; ignored if the word must not be in the puzzle


@dataclass(frozen=True)
class PuzzleList:
    title: str
    words: tuple[ListedWord, ...]
    notes: Mapping[str, str] = field(default_factory=dict)  # other requirements, each in one line

    def strings(self, need: Need) -> tuple[str, ...]:
        return tuple(word.string for word in self.words if word.need is need)

    @property
    def spellings(self) -> dict[str, str]:
        """Spellings by word, only of words that are written differently."""
        return {word.string: word.spelling for word in self.words if word.spelling != word.string}

    @property
    def has_weights(self) -> bool:
        return len({word.weight for word in self.words if word.need is not Need.MUST_NOT}) > 1

    def text(self) -> str:
        """Return the list as a file; :func:`parse_list` reads it again."""
        lines = [f"# title: {one_line(self.title)}"]
        lines += [f"# {name}: {one_line(value)}" for name, value in self.notes.items()]
        for word in self.words:
            weight = "" if word.weight == 1 else f"\t{plain_number(word.weight)}"
            if word.need is not Need.NICE:
                lines.append(f"# {word.need}: {word.spelling}")
            if word.need is not Need.MUST_NOT:
                lines.append(f"{word.spelling}{weight}")
        return "\n".join(lines) + "\n"

    def lexicon(self, name: str, accents: Accents = Accents.KEEP) -> Lexicon:
        """Return the words that may be in the puzzle as a lexicon; LexiconError if none may."""
        return parse_lexicon(self.text().encode(), name, accents=accents)


@dataclass(frozen=True)
class TypedWord:
    spelling: str
    string: str
    weight: float | None = None  # typed weight, or None


@dataclass(frozen=True)
class TypedWords:
    """The distinct words of a text in its order, and the dropped ones by reason."""

    words: tuple[TypedWord, ...]
    report: ReadingReport


def read_typed(text: str, accents: Accents = Accents.KEEP) -> TypedWords:
    """Read a typed text, a weight after a tab; raises LexiconError if it is too long."""
    if len(text) > MAX_CHARACTERS:
        raise LexiconError.tr(
            "the text has {n_characters} characters; at most {max_characters} are allowed "
            "here. Save a longer list as a file and load it",
            n_characters=figures(len(text), ","),
            max_characters=figures(MAX_CHARACTERS, ","),
        )
    words: dict[str, TypedWord] = {}
    report = ReadingReport()
    for number, piece, weight in _pieces(text):
        string = clean(piece, accents)
        if not string:
            report.drop(tr("without a letter or digit"), number, piece)
        elif len(string) > MAX_LENGTH:
            report.drop(
                tr("longer than {max_length} symbols", max_length=MAX_LENGTH), number, piece
            )
        elif string in words:
            report.drop(REPEATED, number, piece)
        else:
            words[string] = TypedWord(kept_spelling(piece, string) or string, string, weight)
    report.n_strings, report.n_symbols = len(words), len(set("".join(words)))
    return TypedWords(tuple(words.values()), report)


def separate_words(text: str) -> str:
    """Return a text as :func:`read_typed` finds its words, if most of its lines are not one word.

    Those have several short words between commas or the like, a number in front, the signs of data
    or of a page, or several words between blanks. Returns '' for other texts.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lists = [list(map(clean, re.split(f"[{_SEPARATORS}]", line))) for line in lines]
    n_lists = sum(len(words) > 1 and len(max(words, key=len)) <= _MAX_SHORT for words in lists)
    n_numbered = sum(re.match(rf"{_NUMBER}.*[^\W\d_]", line) is not None for line in lines)
    n_marked = sum(_MARKED.search(line) is not None for line in lines)
    if 2 * max(n_lists, n_numbered, n_marked) > len(lines):
        return text
    n_long = sum(len(list(filter(clean, line.split()))) > _MAX_PHRASE for line in lines)
    # Blanks separate words of one line only; one word a line is always read so.
    return "\n".join(text.split()) if 2 * n_long > len(lines) else ""


def _pieces(text: str) -> Iterator[tuple[int, str, float | None]]:
    """Yield the number, from 1, the text without bullets, and the weight of each piece."""
    text = text.strip()
    has_phrases = "\t" in text or _BETWEEN.search(text) is not None
    number = 0
    for part in _BETWEEN.split(text) if has_phrases else text.split():
        cells = [cell for cell in part.split("\t") if cell.strip()]
        place = 0
        while place < len(cells):
            following = cells[place + 1].strip() if place + 1 < len(cells) else ""
            weight = float(following) if _WEIGHT.fullmatch(following) else None
            if weight is not None and weight > MAX_WEIGHT:
                weight = None
            number += 1
            yield number, _bare(cells[place]), weight
            place += 1 if weight is None else 2


def _bare(piece: str) -> str:
    """Return a piece without bullet, number and quotation marks, unless nothing would be left."""
    front = _FRONT.match(piece)
    bare = piece[front.end() :] if front else piece
    return (bare if any(map(str.isalnum, bare)) else piece).strip(_QUOTES)


def listed(
    typed: TypedWords, needs: Mapping[str, tuple[Need, float | None]]
) -> tuple[ListedWord, ...]:
    """Return typed words with their needs and weights; needs: chosen ones, by word."""
    made = []
    for word in typed.words:
        need, weight = needs.get(word.string, (Need.NICE, None))
        if weight is None:
            weight = 1.0 if word.weight is None else min(word.weight, MAX_WEIGHT)
        made.append(ListedWord(word.spelling, word.string, need, weight))
    return tuple(made)


def noted_words(
    lexicon: Lexicon, required: Sequence[str] = (), forbidden: Sequence[str] = ()
) -> dict[str, str]:
    """Return the notes of a saved board with title and words of a short own list, or none.

    required: noted if they are some of the words. forbidden: noted unless they are too many.
    """
    if is_builtin(lexicon.name) or len(lexicon.strings) > MAX_OWN_WORDS:
        return {}

    def spell(string: str) -> str:
        written = lexicon.spelling(string)
        # One with a comma, or with an accent that was folded, would be read as other words.
        read = [word.string for word in read_typed(f"{written},").words]
        return written if read == [string] else string

    must, must_not = (", ".join(map(spell, words)) for words in (required, forbidden))
    is_named = lexicon.title not in ("", lexicon.name, Path(lexicon.name).stem)
    title = {"title": one_line(lexicon.title)} if is_named else {}
    notes = {**title, WORDS: ", ".join(map(spell, lexicon.strings))}
    if len(required) < len(lexicon.strings):
        notes[Need.MUST] = must
    if len(forbidden) <= MAX_OWN_WORDS:
        notes[Need.MUST_NOT] = must_not
    return {name: note for name, note in notes.items() if note}


def noted_list(notes: Mapping[str, str]) -> PuzzleList | None:
    """Return the words in the notes of a saved board; None if there are none.

    All of them must be on the board if as many were required.
    """
    words, must, must_not = (
        listed(read_typed(notes.get(name, "")), {}) for name in (WORDS, Need.MUST, Need.MUST_NOT)
    )
    required = {word.string for word in must}
    if notes.get("required") == str(len(words)):
        required = {word.string for word in words}
    banned = {word.string for word in must_not}
    allowed = [word for word in words if word.string not in banned]
    words = tuple(
        replace(word, need=Need.MUST) if word.string in required else word for word in allowed
    )
    words += tuple(replace(word, need=Need.MUST_NOT) for word in must_not if words)
    title = notes.get("title") or Path(notes.get("lexicon", "")).stem
    return PuzzleList(title, words) if words else None


def parse_list(text: str, accents: Accents = Accents.KEEP) -> PuzzleList:
    """Read a list; all other comments of the file become notes."""
    title, notes = "", {}
    needs: dict[str, Need] = {}
    words: dict[str, ListedWord] = {}
    weights: dict[str, float] = {}
    for line in text.splitlines():
        name, colon, value = (part.strip() for part in line.lstrip("# ").partition(":"))
        if not line.startswith("#"):
            written, _, tail = line.partition("\t")
            string = _add(words, written, accents)
            weight = 1.0 if (read := weight_of(tail)) is None else read
            # As in a lexicon, a repeated word keeps the largest weight.
            weights[string] = max(weights.get(string, 0.0), weight)
        elif name == "title":
            title = value
        elif name in (Need.MUST, Need.MUST_NOT):
            needs[_add(words, value.partition("\t")[0], accents)] = Need(name)
        elif colon:
            notes[name] = value
    chosen = (
        replace(word, need=needs.get(string, word.need), weight=weights.get(string, word.weight))
        for string, word in words.items()
    )
    return PuzzleList(title, tuple(chosen), notes)


def _add(words: dict[str, ListedWord], written: str, accents: Accents) -> str:
    """Add a word, unless it is there with its first spelling; return its string."""
    string = clean(written, accents)
    if string and len(string) <= MAX_LENGTH:
        words.setdefault(string, ListedWord(kept_spelling(written, string) or string, string))
    return string


def lists_folder() -> Path:
    """Return the folder of typed lists, in ``TILELAB_DATA_DIR`` or the user's data folder."""
    return data_folder() / "lists"


def is_typed_list(path: Path) -> bool:
    return lists_folder() in path.parents
