"""The flags that choose a lexicon, what they name, and what is reported of it."""

from tilelab.core.flags import Flag, path_of, word_of
from tilelab.core.plain import Values
from tilelab.core.text.language import marked
from tilelab.letters.builtin import DEFAULT, builtin_lexicons, open_lexicon
from tilelab.letters.lexicon import Accents, Lexicon

LEXICON_FLAGS = (
    Flag(
        "lexicon",
        "FILE-or-NAME",
        f"A built-in lexicon, or a text file with one string a line [default: {DEFAULT}].",
        default=DEFAULT,
        known=lambda: [entry.key for entry in builtin_lexicons()],
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


def opened_lexicon(values: Values) -> Lexicon:
    """Open the lexicon that a command's values name; raises TileLabError."""
    name = str(values["lexicon"])
    path_of("--lexicon", name)
    return open_lexicon(name, Accents(word_of(values, "accents", Accents)))


def lexicon_report(lexicon: Lexicon) -> tuple[str, ...]:
    """Say what was read of a lexicon, and what was dropped."""
    lines = (f"{lexicon.title}: {lexicon.report.summary()}",)
    return (*lines, *lexicon.report.details().split("\n")) if lexicon.report.n_dropped else lines
