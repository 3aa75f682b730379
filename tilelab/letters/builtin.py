"""Built-in lexicons, and functions to open a lexicon by name, path, flags or record."""

import functools
import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tilelab.core.errors import LexiconError, UsageError
from tilelab.core.files.paths import expanded, is_there, path_from, path_text
from tilelab.core.files.resources import resource
from tilelab.core.flags import Flag, path_of, word_of
from tilelab.core.plain import Json, JsonObject, Values
from tilelab.core.puzzle import InstanceRecord
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import encodable, one_line, shortened, shown_path
from tilelab.core.text.wording import meant, plain_number
from tilelab.letters.lexicon import Accents, Lexicon, parse_lexicon, read_lexicon

DEFAULT = "game-titles"
_MAX_RECORDED = 200_000  # characters of the words that a record keeps


@dataclass(frozen=True)
class BuiltinLexicon:
    key: str
    title: str
    file: str
    description: str


@functools.cache
def builtin_lexicons() -> tuple[BuiltinLexicon, ...]:
    """List the built-in lexicons without reading them."""
    catalog = json.loads(resource("lexicons").joinpath("catalog.json").read_text("utf-8"))
    return tuple(BuiltinLexicon(**entry) for entry in catalog)


def shown_title(title: str) -> str:
    """Return the title to show for a lexicon; titles of built-in lexicons are translated."""
    return tr(title) if any(entry.title == title for entry in builtin_lexicons()) else title


def is_builtin(name: str) -> bool:
    return any(entry.key == name for entry in builtin_lexicons())


@functools.lru_cache(maxsize=3)
def _parsed(entry: BuiltinLexicon, accents: Accents) -> Lexicon:
    """Read a lexicon; the last ones are cached.

    A sweep makes many puzzles with one, and a window that is made again has one for each page.
    """
    data = resource("lexicons").joinpath(entry.file).read_bytes()
    return parse_lexicon(data, entry.key, title=entry.title, accents=accents)


def open_lexicon(name: str | Path, accents: Accents = Accents.KEEP) -> Lexicon:
    """Open a built-in lexicon or a file; raises UsageError for neither, LexiconError."""
    for entry in builtin_lexicons():
        if entry.key == str(name):
            return _parsed(entry, accents)
    if not is_there(expanded(name)):
        known = [entry.key for entry in builtin_lexicons()]
        raise UsageError.tr(
            "{name} is neither a file nor a built-in lexicon{meant}; built in are: {known}",
            name=shown_path(name),
            meant=meant(str(name), known),
            known=", ".join(known),
        )
    return read_lexicon(name, accents)


LEXICON_FLAGS = (
    Flag(
        "lexicon",
        "FILE-or-NAME",
        f"A built-in lexicon, or a text file with one word per line [default: {DEFAULT}].",
        default=DEFAULT,
        known=lambda: {entry.key: entry for entry in builtin_lexicons()},
        takes_file=True,
    ),
    Flag(
        "accents",
        "WORD",
        marked("Whether é stays é or is read as e [keep, fold; default: keep]."),
        default=Accents.KEEP.value,
        known=lambda: Accents,
    ),
)


def lexicon_origin(lexicon: Lexicon) -> JsonObject:
    """Return what :func:`lexicon_from` needs; with the words if they came with a run file."""
    origin: dict[str, Json] = {
        "lexicon": lexicon.name,
        "file": None if lexicon.path is None else path_text(lexicon.path.absolute()),
        "digest": lexicon.digest,
        "n_strings": len(lexicon.strings),
    }
    if lexicon.path is None and not is_builtin(lexicon.name):
        text = _file_text(lexicon)
        if len(text) <= _MAX_RECORDED:
            origin["words"] = text
    return origin


def _file_text(lexicon: Lexicon) -> str:
    """Return the text of a file with the title, the words and their weights."""
    lines = [f"# title: {one_line(lexicon.title)}"]
    for string, weight in zip(lexicon.strings, lexicon.weights.tolist(), strict=True):
        written = lexicon.spelling(string)
        lines.append(written if weight == 1 else f"{written}\t{plain_number(weight)}")
    return "\n".join(lines)


def lexicon_of(record: InstanceRecord) -> Lexicon:
    """Read the lexicon of a run again; raises LexiconError if it is missing or has changed."""
    return lexicon_from(record.origin, tr("run {id}", id=record.id))


def lexicon_from(origin: JsonObject, run: str) -> Lexicon:
    """Read a lexicon again; raises LexiconError if it is missing or has changed.

    origin: of :func:`lexicon_origin`. run: its name for messages.
    """
    name = str(origin.get("lexicon", ""))
    is_ours = not origin.get("file") and is_builtin(name)
    words = "" if is_ours or origin.get("file") else encodable(str(origin.get("words") or ""))
    source = name if is_ours or words else str(origin.get("file") or "")
    if not source:
        raise LexiconError.tr(
            "the lexicon {lexicon} of {run} is not built in, and its file is not known",
            lexicon=shortened(name),
            run=run,
        )
    if not (is_ours or words or is_there(path_from(source))):
        raise LexiconError.tr(
            "the lexicon of {run}, {source}, no longer exists", run=run, source=shown_path(source)
        )
    opened = (
        partial(parse_lexicon, words.encode(), name) if words else partial(open_lexicon, source)
    )
    wanted = origin.get("digest")
    for accents in Accents:
        lexicon = opened(accents=accents)
        if wanted in (None, lexicon.digest):
            return lexicon
    n_strings, n_now = origin.get("n_strings", 0), len(opened().strings)
    now = tr("now it has other words")
    if n_now != n_strings:
        now = tr("now it has {n_now}", n_now=figures(n_now, ","))
    raise LexiconError.tr(
        "the lexicon {source} has changed: {run} had {n_strings} words, {now}",
        source=shown_path(source),
        run=run,
        n_strings=figures(n_strings, ","),
        now=now,
    )


def lexicon_from_flags(values: Values) -> Lexicon:
    """Open the lexicon that a command's flags name; raises TileLabError."""
    name = str(values["lexicon"])
    path_of("--lexicon", name)
    return open_lexicon(name, Accents(word_of(values, "accents", Accents)))


def lexicon_report(lexicon: Lexicon) -> tuple[str, ...]:
    """Return lines about the words that were read from a lexicon, and those dropped."""
    lines = (f"{lexicon.title}: {lexicon.report.summary()}",)
    return (*lines, *lexicon.report.details().split("\n")) if lexicon.report.n_dropped else lines


def lexicon_name(lexicon: Lexicon) -> str:
    """Return the value of the lexicon flag for a lexicon: its file, or else its name."""
    return lexicon.name if lexicon.path is None else path_text(lexicon.path.absolute())
