"""Bring the catalogues of the languages up to date with the texts of the code.

``extract`` writes the template, ``update`` adds new texts to each language, ``compile`` makes what
the program reads. Without a word all three are done.
"""

import io
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from tilelab import catalog
from tilelab.core.parameters import Params, describe
from tilelab.core.text.language import DOMAIN, ENGLISH, LANGUAGES
from tilelab.core.text.wording import NOUNS, UNIT_PHRASES, forms, metric_words
from tilelab.experiments.papers import tables
from tilelab.gui.lab.race.chart import AXES
from tilelab.letters.builtin import LEXICON_FLAGS, builtin_lexicons
from tilelab.letters.puzzle_list import Need
from tilelab.puzzles.boggle.masks import MASKS
from tilelab.runs.presets import papers

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "resources" / "locale"
PLANS = ROOT / "resources" / "plans"
TEMPLATE = FOLDER / f"{DOMAIN}.pot"
_KEYWORDS = {"tr": None, "marked": None, "tr_count": (1, 2)}
_WIDTH = 100
_BEGUN = datetime(2026, 11, 23, tzinfo=UTC)
_WHO = "The TileLab developers"
_WORDS_OF_SOURCE = re.compile(r"(?<![A-Za-z])[a-z]{3,}|Table")
"""What must be translated in the source of a parameter; names and years stay."""
CODES = tuple(key for key in LANGUAGES if key != ENGLISH)


def template() -> Catalog:
    """Return all texts of the code, with their places, and those with a count."""
    found = Catalog(project="TileLab", charset="utf-8", fuzzy=False)
    texts = extract_from_dir(
        str(ROOT / "tilelab"), [("**.py", "python")], {"**.py": {"encoding": "utf-8"}}, _KEYWORDS
    )
    for name, _, message, comments, context in sorted(texts, key=lambda text: (text[0], text[1])):
        found.add(message, locations=[(f"tilelab/{name}", 0)], auto_comments=comments)
        assert context is None
    for noun in NOUNS:
        one, many = forms(noun)
        found.add((one, many), locations=[("tilelab/core/text/wording.py", 0)])
        for word in (noun, many.removeprefix("{count} ")):
            found.add(word, locations=[("tilelab/core/text/wording.py", 0)])
    for text, where in find_declared():
        found.add(text, locations=[(where, 0)])
    return found


def find_declared() -> Iterator[tuple[str, str]]:
    """Yield the texts that puzzles, solvers and parameters declare, with their places."""
    for puzzle_key, puzzle in catalog.puzzles().items():
        yield from _of(puzzle, puzzle.spec.params, puzzle.spec.title)
        for flag in (*puzzle.flags(), *LEXICON_FLAGS):
            name = flag.name.replace("_", " ").capitalize()
            yield from ((text, "tilelab/core/flags.py") for text in (name, flag.help))
        for paper in papers(puzzle_key):
            where = f"resources/presets/{puzzle_key}.json"
            yield from ((preset.title, where) for preset in paper.presets)
        for each in puzzle.board_sets().values():
            yield from ((text, "tilelab/catalog.py") for text in (each.title, each.description))
        for solver in catalog.solvers(puzzle_key).values():
            spec = solver.spec
            phrases = [phrase.format(unit=spec.unit) for phrase in UNIT_PHRASES]
            phrases += [
                metric_words(name) for name in spec.metrics if not name.startswith("best_of_")
            ]
            texts = spec.title, spec.purpose, spec.unit, spec.smallest_step
            yield from _of(solver, spec.params, *texts, *phrases)
    for words, where in (
        (MASKS, "tilelab/puzzles/boggle/masks.py"),
        (map(str, Need), "tilelab/letters/puzzle_list.py"),
        (AXES, "tilelab/gui/lab/race/chart.py"),
    ):
        yield from ((word, where) for word in words)
    for entry in builtin_lexicons():
        yield from ((text, "resources/lexicons") for text in (entry.title, entry.description))
    yield from ((table.title, "tilelab/experiments/papers.py") for table in tables())
    for file in sorted(PLANS.glob("*.toml")):
        question, *_ = file.read_text("utf-8").splitlines()
        title = str(tomllib.loads(file.read_text("utf-8"))["title"])
        yield from ((text, f"resources/plans/{file.name}") for text in (question[2:], title))


def _of(declaring: type, params: type[Params], *texts: str) -> Iterator[tuple[str, str]]:
    where = f"{declaring.__module__.replace('.', '/')}.py"
    for each in describe(params):
        texts += (each.title, each.help, each.unit, each.group, *each.choice_titles)
        texts += (each.source,) if _WORDS_OF_SOURCE.search(each.source) else ()
    yield from ((text, where) for text in texts if text)


def format_catalogue(catalog: Catalog, *, is_template: bool = False) -> bytes:
    """Return a catalogue as the text of its file, without what changes from day to day."""
    stream = io.BytesIO()
    write_po(stream, catalog, width=_WIDTH, omit_header=is_template, include_lineno=False)
    return stream.getvalue()


def compile_catalogue(code: str) -> bytes:
    """Return the program's form of a language; texts without translation are left out."""
    catalog, stream = read(code), io.BytesIO()
    for message in [message for message in catalog if message.id and not is_done(message)]:
        catalog.delete(message.id)
    write_mo(stream, catalog)
    return stream.getvalue()


def is_done(message: Message) -> bool:
    """Return whether a text is translated, in all of its forms."""
    return all(message.string) if isinstance(message.string, tuple) else bool(message.string)


def read(code: str) -> Catalog:
    """Return the catalogue of a language; an empty one where there is none yet."""
    path = file_of(code)
    if path.exists():
        with path.open("rb") as stream:
            found = read_po(stream, locale=code)
    else:
        found = Catalog(locale=code, fuzzy=False)
    # Nothing that changes from day to day: a catalogue without new texts is not changed.
    found.creation_date = found.revision_date = _BEGUN
    found.project, found.version, found.msgid_bugs_address = "TileLab", "1", ""
    found.last_translator, found.language_team = _WHO, LANGUAGES[code]
    found.header_comment = f"# {LANGUAGES[code]}: the texts of TileLab, under its licence."
    return found


def file_of(code: str, ending: str = "po") -> Path:
    """Return where a catalogue is kept."""
    return FOLDER / code / "LC_MESSAGES" / f"{DOMAIN}.{ending}"


def extract() -> None:
    """Write the template."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    TEMPLATE.write_bytes(format_catalogue(template(), is_template=True))


def update() -> None:
    """Add new texts to each language; remove those that no longer exist."""
    texts = template()
    for code in CODES:
        kept = read(code)
        kept.update(texts, no_fuzzy_matching=True)
        kept.obsolete.clear()
        kept.creation_date = _BEGUN
        file_of(code).parent.mkdir(parents=True, exist_ok=True)
        file_of(code).write_bytes(format_catalogue(kept))


def compile_all() -> None:
    """Compile the catalogues of all languages."""
    for code in CODES:
        file_of(code, "mo").write_bytes(compile_catalogue(code))


STEPS = {"extract": extract, "update": update, "compile": compile_all}


def main(words: Sequence[str]) -> int:
    """Do the steps named, or all; return the exit status."""
    unknown = [word for word in words if word not in STEPS]
    if unknown:
        print(f"{unknown[0]!r} is not a step; there is {', '.join(STEPS)}", file=sys.stderr)
        return 2
    for name, step in STEPS.items():
        if not words or name in words:
            step()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
