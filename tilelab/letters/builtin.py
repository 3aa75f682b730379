"""The lexicons that ship with the program, and opening one by name or path."""

import functools
import json
from dataclasses import dataclass
from pathlib import Path

from tilelab.core.errors import UsageError
from tilelab.core.files.paths import expanded, is_there
from tilelab.core.files.resources import resource
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import shown_path
from tilelab.core.text.unknown_names import meant
from tilelab.letters.lexicon import Accents, Lexicon, parse_lexicon, read_lexicon

DEFAULT = "game-titles"


@dataclass(frozen=True)
class BuiltinLexicon:
    """One built-in lexicon, not read yet."""

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
    """Return the title of a lexicon as it is shown: that of a built-in one is translated."""
    return tr(title) if any(entry.title == title for entry in builtin_lexicons()) else title


def is_builtin(name: str) -> bool:
    """Return whether a name is the key of a built-in lexicon."""
    return any(entry.key == name for entry in builtin_lexicons())


@functools.lru_cache(maxsize=1)
def _parsed(entry: BuiltinLexicon, accents: Accents) -> Lexicon:
    """Read a lexicon; the last one is kept, for a sweep makes many puzzles of the same."""
    data = resource("lexicons").joinpath(entry.file).read_bytes()
    return parse_lexicon(data, entry.key, title=entry.title, accents=accents)


def open_lexicon(name: str | Path, accents: Accents = Accents.KEEP) -> Lexicon:
    """Open a built-in lexicon by its key, or a file by its path.

    Raises UsageError when it is neither, LexiconError when it cannot be read.
    """
    for entry in builtin_lexicons():
        if entry.key == str(name):
            return _parsed(entry, accents)
    if not is_there(expanded(name)):
        known = [entry.key for entry in builtin_lexicons()]
        raise UsageError(
            tr("{name} is neither a file nor a built-in lexicon{meant}; these are: {join}").format(
                name=shown_path(name), meant=meant(str(name), known), join=", ".join(known)
            )
        )
    return read_lexicon(name, accents)
