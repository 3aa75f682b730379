"""Lexicons: the words that count, read from a text file with one word per line.

A tab and a number after a word are its weight. Blank lines and ``#`` comments are skipped, but
``# title: …`` names the lexicon. All other dropped lines are reported with the reason.
"""

import dataclasses
import functools
import gzip
import hashlib
import re
import unicodedata
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import LexiconError
from tilelab.core.files.paths import expanded, read_at_most
from tilelab.core.plain import float_from
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import encodable, one_line, shortened
from tilelab.core.text.wording import counted

MAX_BYTES = 64 * 2**20  # largest lexicon file, before and after decompression
MAX_SYMBOLS = 64
MAX_LENGTH = 255  # maximum length of a word, in symbols
MAX_LINE = 10_000  # in characters; cleaning a line takes many times its size
MAX_SPELLING = 300  # maximum length of a stored spelling, in characters
MAX_WEIGHT = 1e12  # maximum weight of a word; sums of larger weights would not be exact
EXAMPLES = 3  # number of dropped lines that a short report names for each reason
MAX_KEPT = 1_000  # maximum number of dropped lines that are stored for each reason
REPEATED = marked("repeated")  # reason for dropping a word that the lexicon already has

_FIRST_PIECE = 64  # bytes that are unpacked first: little more than an empty member
_DOCUMENTS = b"%PDF-", b"{\\rtf"  # how files begin that may have only letters, but no words
_NOT_ZERO = re.compile(rb"[^\0]")
_Q_ALONE = re.compile(r"q(?!u)")
_PLAIN = re.compile(r"[a-z0-9]+\Z")
_ANY_LINE_END = re.compile(r"\r\n|\r|\n")
_TITLE = re.compile(r"^#\s*title:[^\S\r\n]*(\S[^\r\n]*)", re.MULTILINE)


class OtherEncodingError(LexiconError):
    """A file of words is not UTF-8 text."""


class Accents(StrEnum):
    """Treatment of accented letters."""

    KEEP = marked("keep")
    FOLD = marked("fold")


@dataclass
class ReadingReport:
    """What was read from a lexicon file, and the dropped lines by reason."""

    n_strings: int = 0
    n_symbols: int = 0
    dropped: dict[str, int] = field(default_factory=dict)  # number of dropped lines by reason
    # The first dropped lines by reason: line number and text; at most :data:`MAX_KEPT`.
    examples: dict[str, list[tuple[int, str]]] = field(default_factory=dict)

    @property
    def n_dropped(self) -> int:
        """Number of dropped lines for all reasons, without blank lines and comments."""
        return sum(self.dropped.values())

    def drop(self, reason: str, line: int, text: str) -> None:
        self.dropped[reason] = self.dropped.get(reason, 0) + 1
        examples = self.examples.setdefault(reason, [])
        if len(examples) < MAX_KEPT:
            examples.append((line, text[:40]))

    def summary(self) -> str:
        """Return a summary in one line, such as ``172 words · 26 symbols``."""
        parts = [counted(self.n_strings, "word"), counted(self.n_symbols, "symbol")]
        if self.dropped:
            reasons = ", ".join(
                f"{figures(count, ',')} {tr(reason)}" for reason, count in self.dropped.items()
            )
            parts.append(
                tr(
                    "{n_dropped} dropped: {reasons}",
                    n_dropped=counted(self.n_dropped, "line"),
                    reasons=reasons,
                )
            )
        return " · ".join(parts)

    def details(self) -> str:
        """Return examples of the dropped lines, one line per reason; '' if none was dropped."""
        lines = []
        for reason, examples in self.examples.items():
            shown = ", ".join(
                tr("line {line} {text!r}", line=line, text=text)
                for line, text in examples[:EXAMPLES]
            )
            more = ", …" if self.dropped[reason] > EXAMPLES else ""
            lines.append(f"{tr(reason)}: {shown}{more}")
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Distinct words over at most 64 symbols, sorted by code point."""

    name: str  # key of a built-in lexicon, or the file's name
    title: str
    strings: tuple[str, ...] = field(repr=False)
    weights: NDArray[np.float64] = field(repr=False)  # (strings,), weight of each word, from 0 up
    report: ReadingReport
    path: Path | None = None  # file of the lexicon; None for a built-in one
    # Original spellings by word, only of words that were written differently.
    spellings: Mapping[str, str] = field(default_factory=dict, repr=False)
    qu_tile: bool = False  # whether "qu" is one symbol, which boards write as q; see with_qu_tile

    accents: Accents = Accents.KEEP  # treatment of accented letters when the file was read

    def spelling(self, string: str) -> str:
        return self.spellings.get(string, string)

    def tiles(self, string: str) -> str:
        """Return the symbols that spell a word on a board; '' if it cannot be spelt."""
        if not self.qu_tile:
            return string
        return "" if _Q_ALONE.search(string) else string.replace("qu", "q")

    def spelt(self, tiles: str) -> str:
        """Inverse of :meth:`tiles`."""
        return tiles.replace("q", "qu") if self.qu_tile else tiles

    @functools.cached_property
    def _tiles(self) -> tuple[str, ...]:
        # The order stays, because every q loses its u.
        return tuple(map(self.tiles, self.strings)) if self.qu_tile else self.strings

    @functools.cached_property
    def alphabet(self) -> str:
        """The distinct symbols, sorted by code point; other arrays use their indices."""
        return "".join(sorted(set("".join(self._tiles))))

    @functools.cached_property
    def n_letters(self) -> NDArray[np.int64]:
        """(strings,), number of letters of each word; a "qu" has two."""
        return np.fromiter(map(len, self.strings), np.int64, len(self.strings))

    @functools.cached_property
    def lengths(self) -> NDArray[np.int64]:
        """(strings,), length of each word in symbols."""
        return np.fromiter(map(len, self._tiles), np.int64, len(self.strings))

    @functools.cached_property
    def offsets(self) -> NDArray[np.int64]:
        """(strings + 1,), index of the beginning of each word in :attr:`codes`."""
        return np.concatenate([[0], np.cumsum(self.lengths)])

    @functools.cached_property
    def codes(self) -> NDArray[np.uint8]:
        """(symbols of all strings,), symbol indices, one word after another."""
        points = np.frombuffer("".join(self._tiles).encode("utf-32-le"), np.uint32)
        alphabet = np.frombuffer(self.alphabet.encode("utf-32-le"), np.uint32)
        return np.searchsorted(alphabet, points).astype(np.uint8)

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 of words and weights; equal lexicons have equal digests."""
        whole = hashlib.sha256("\n".join(self.strings).encode())
        whole.update(self.weights.astype("<f8").tobytes())
        return whole.hexdigest()

    @functools.cached_property
    def frequencies(self) -> NDArray[np.float64]:
        """(symbols,), share of each symbol among all letters of the words."""
        counts = np.bincount(self.codes, minlength=len(self.alphabet)).astype(np.float64)
        shares: NDArray[np.float64] = counts / counts.sum()
        return shares


def with_qu_tile(lexicon: Lexicon) -> Lexicon:
    """Return a lexicon whose "qu" is one tile, without words with another q; LexiconError."""
    kept = [place for place, string in enumerate(lexicon.strings) if not _Q_ALONE.search(string)]
    if not kept:
        raise LexiconError.tr(
            "every word of {title} has a q without a u after it", title=lexicon.title
        )
    strings = tuple(lexicon.strings[place] for place in kept)
    return dataclasses.replace(
        lexicon, strings=strings, weights=lexicon.weights[kept], qu_tile=True
    )


def clean(text: str, accents: Accents = Accents.KEEP) -> str:
    """Case-fold a text and keep its letters and digits (and their marks); idempotent."""
    if _PLAIN.match(text):
        return text
    form: Literal["NFC", "NFKD"] = "NFKD" if accents is Accents.FOLD else "NFC"
    previous = None
    while text != previous:  # folding can produce a capital or a mark again
        previous = text
        text = unicodedata.normalize(form, unicodedata.normalize(form, text).casefold())
        text = "".join(symbol for symbol in text if _counts(symbol, accents))
    return text


class _PlainLetters(dict[int, str]):
    """Letters without their accents by code, each folded on first use."""

    def __missing__(self, code: int) -> str:
        self[code] = plain = clean(chr(code), Accents.FOLD)
        return plain


_PLAIN_LETTERS = _PlainLetters()


def alphabetical(string: str) -> tuple[str, str]:
    """Return the key that sorts words for a reader: "étoile" comes before "galaxy"."""
    return string if string.isascii() else string.translate(_PLAIN_LETTERS), string


def reading_order(strings: Sequence[str]) -> NDArray[np.intp]:
    """Return the indices of words for a reader: longest first, then alphabetically.

    strings: sorted by their codes, as those of a lexicon.
    """
    order = np.arange(len(strings))
    if not "".join(strings).isascii():  # else they are in this order already
        keys = [alphabetical(string)[0] for string in strings]
        order = np.array(sorted(range(len(keys)), key=keys.__getitem__))
    lengths = np.fromiter(map(len, strings), np.int64, len(strings))
    return order[np.argsort(-lengths[order], kind="stable")]


def kept_spelling(written: str, string: str) -> str:
    """Return the original spelling of a word in one line; '' if it need not be stored."""
    text = unicodedata.normalize("NFC", " ".join(written.split()))
    fits = text != string and len(text) <= MAX_SPELLING and one_line(text) == text
    return text if fits else ""


def read_lexicon(path: str | Path, accents: Accents = Accents.KEEP) -> Lexicon:
    """Read a lexicon file, gzip or not; raises LexiconError with one sentence on any error."""
    source = expanded(path)
    data = read_at_most(source, MAX_BYTES + 1, LexiconError)
    lexicon = parse_lexicon(data, encodable(source.name), accents=accents)
    return dataclasses.replace(lexicon, path=source)


def parse_lexicon(
    data: bytes, name: str, *, title: str | None = None, accents: Accents = Accents.KEEP
) -> Lexicon:
    """Make a lexicon from a file's bytes; raises LexiconError with one sentence on any error."""
    given, name = name, shortened(name)
    text = lexicon_text(data, name)
    report = ReadingReport()
    weights, spellings = _weights_of(text, accents, report)
    strings = tuple(sorted(weights))
    symbols = sorted(set("".join(strings)))
    report.n_strings, report.n_symbols = len(strings), len(symbols)
    if not strings:
        dropped = f" ({report.summary()})" if report.dropped else ""
        raise LexiconError.tr(
            "{name} has no word with a letter or digit{dropped}", name=name, dropped=dropped
        )
    if len(symbols) > MAX_SYMBOLS:
        raise LexiconError.tr(
            "{name} has {n_symbols} different symbols; at most {max_symbols} are allowed: "
            "{symbols}",
            name=name,
            n_symbols=len(symbols),
            max_symbols=MAX_SYMBOLS,
            symbols=shortened("".join(symbols)),
        )
    values = np.array([weights[string] for string in strings])
    named = _TITLE.search(text)
    title = title or (shortened(named[1].strip()) if named else given)
    return Lexicon(given, title, strings, values, report, spellings=spellings, accents=accents)


def lexicon_text(data: bytes, name: str) -> str:
    """Return the text of a file of words, gzip or not; raises LexiconError for any other file."""
    return _decode(_unpack(data, name), name)


def _unpack(data: bytes, name: str) -> bytes:
    """Return the bytes of the text, unpacked if they are gzip; both sizes are limited."""
    if len(data) <= MAX_BYTES and data[:2] == b"\x1f\x8b":
        try:
            data = _members(data, name)
        except (zlib.error, gzip.BadGzipFile) as error:
            raise LexiconError.tr(
                "{name} is a damaged gzip file: {error}", name=name, error=error
            ) from error
    if len(data) > MAX_BYTES:
        raise LexiconError.tr(
            "{name} is larger than {max_megabytes} MB, the maximum for a lexicon",
            name=name,
            max_megabytes=MAX_BYTES // 2**20,
        )
    return data


def _members(data: bytes, name: str) -> bytes:
    """Unpack all members of a gzip file, perhaps very many; stop when the result is too large."""
    parts: list[bytes] = []
    size, at, view = 0, 0, memoryview(data)
    while at < len(data) and size <= MAX_BYTES:
        unpacker = zlib.decompressobj(wbits=31)
        # The unpacker copies all input after a member's end. To bound this cost, the pieces are not
        # much larger than the member.
        piece = _FIRST_PIECE
        while at < len(data) and size <= MAX_BYTES and not unpacker.eof:
            parts.append(unpacker.decompress(view[at : at + piece], MAX_BYTES + 1 - size))
            size += len(parts[-1])
            at = min(at + piece, len(data)) - len(unpacker.unused_data)
            piece *= 2
        if size <= MAX_BYTES and not unpacker.eof:
            raise LexiconError.tr("{name} is a gzip file that ends too early", name=name)
        # Zeros may follow the last member, to fill a block of a tape.
        rest = _NOT_ZERO.search(data, at)
        at = rest.start() if rest else len(data)
    return b"".join(parts)


def _decode(data: bytes, name: str) -> str:
    if b"\0" in data or data.startswith(_DOCUMENTS):
        raise LexiconError.tr(
            "{name} is not a text file; lists of words and boards are text files", name=name
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = len(_ANY_LINE_END.findall(data[: error.start].decode("latin-1"))) + 1
        raise OtherEncodingError.tr(
            "{name}, line {line}, is not UTF-8 text; save the file as UTF-8", name=name, line=line
        ) from error


def _weights_of(
    text: str, accents: Accents, report: ReadingReport
) -> tuple[dict[str, float], dict[str, str]]:
    """Return weights and spellings; duplicates keep the largest weight and the first spelling."""
    weights: dict[str, float] = {}
    spellings: dict[str, str] = {}
    for number, line in _lines(text):
        if len(line) > MAX_LINE:
            report.drop(
                tr("longer than {max_line} characters", max_line=figures(MAX_LINE, ",")),
                number,
                line,
            )
            continue
        raw, tab, tail = line.partition("\t")
        string = clean(raw, accents)
        weight = weight_of(tail) if tab and tail.strip() else 1.0
        if not string:
            report.drop(tr("without a letter or digit"), number, line)
        elif len(string) > MAX_LENGTH:
            report.drop(tr("longer than {max_length} symbols", max_length=MAX_LENGTH), number, line)
        elif weight is None:
            report.drop(
                tr(
                    "with a weight that is not a number in 0..{max_weight}",
                    max_weight=figures(MAX_WEIGHT, ",.0f"),
                ),
                number,
                line,
            )
        elif string in weights:
            weights[string] = max(weights[string], weight)
            report.drop(REPEATED, number, line)
        else:
            weights[string] = weight
            if raw != string and (spelling := kept_spelling(raw, string)):
                spellings[string] = spelling
    return weights, spellings


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines that are neither blank nor comments."""
    for number, line in enumerate(_ANY_LINE_END.split(text), 1):
        if line and not line.startswith("#") and not line.isspace():
            yield number, line


def weight_of(text: str) -> float | None:
    try:
        number = float_from(text)
    except ValueError:
        return None
    return number if 0 <= number <= MAX_WEIGHT else None


def _counts(symbol: str, accents: Accents) -> bool:
    """Return whether a symbol is a letter, a digit, or a mark of one of them."""
    return symbol.isalnum() or (accents is Accents.KEEP and unicodedata.category(symbol)[0] == "M")
