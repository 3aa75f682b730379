"""Where a lexicon was read, for the history, and reading it there again."""

from tilelab.core.errors import LexiconError
from tilelab.core.files.path_text import path_from, path_text
from tilelab.core.files.paths import is_there
from tilelab.core.plain import JsonObject
from tilelab.core.puzzle import InstanceRecord
from tilelab.core.text.language import figures, tr
from tilelab.core.text.shown_text import shortened, shown_path
from tilelab.letters.builtin import is_builtin, open_lexicon
from tilelab.letters.lexicon import Accents, Lexicon


def lexicon_origin(lexicon: Lexicon) -> JsonObject:
    """Return a lexicon's name, file, digest and number of strings."""
    return {
        "lexicon": lexicon.name,
        "file": None if lexicon.path is None else path_text(lexicon.path.absolute()),
        "digest": lexicon.digest,
        "n_strings": len(lexicon.strings),
    }


def lexicon_of(record: InstanceRecord) -> Lexicon:
    """Read the lexicon of a run again; raises LexiconError when it is not there as it was."""
    return lexicon_from(
        record.origin, tr("run {id}").format(id=record.id), str(record.instance.get("lexicon", ""))
    )


def lexicon_from(origin: JsonObject, run: str, former_name: str = "") -> Lexicon:
    """Read a lexicon again; raises LexiconError when it is not there as it was.

    origin: what :func:`lexicon_origin` said, or {}. run: whose it was, for people.
    former_name: its name where the origin has none.
    """
    name = str(origin.get("lexicon") or former_name)
    is_ours = not origin.get("file") and is_builtin(name)
    source = name if is_ours else str(origin.get("file") or "")
    if not source:
        raise LexiconError(
            tr("the lexicon {shortened} of {run} is not built in, and its file not known").format(
                shortened=shortened(name), run=run
            )
        )
    if not is_ours and not is_there(path_from(source)):
        raise LexiconError(
            tr("the lexicon of {run}, {source}, is no longer there").format(
                run=run, source=shown_path(source)
            )
        )
    wanted = origin.get("digest")
    for accents in Accents:
        lexicon = open_lexicon(source, accents)
        if wanted in (None, lexicon.digest):
            return lexicon
    n_strings, n_now = origin.get("n_strings", 0), len(open_lexicon(source).strings)
    now = (
        tr("it has {n_now} now").format(n_now=figures(n_now, ","))
        if n_now != n_strings
        else tr("it has others now")
    )
    raise LexiconError(
        tr("the lexicon {source} is not as it was: {run} had {n_strings} strings, {now}").format(
            source=shown_path(source), run=run, n_strings=figures(n_strings, ","), now=now
        )
    )
