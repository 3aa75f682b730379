"""The fields of a plan's form: the key of each value, and its text in one line.

A field holds a single value, a list (``5, 20, 60``) or a range (``0 to 100 step 10``).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tilelab import catalog
from tilelab.core.flags import Flag
from tilelab.core.parameters import ParameterSpec, describe
from tilelab.core.plain import Value, number_from, typed_text
from tilelab.core.text.language import tr
from tilelab.core.text.wording import capital, plain_number, plural
from tilelab.experiments.plan import LimitsTable, Scalar
from tilelab.gui.lab.experiments.draft import Change, Key

_NUMBER = r"[+-]?[\d.]+(?:e[+-]?\d+)?"
_RANGE = re.compile(
    rf"({_NUMBER})\s*(?:to|\.\.|…|–)\s*({_NUMBER})(?:\s*(?:step|by)\s*({_NUMBER}))?", re.IGNORECASE
)
_WORDS = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}


@dataclass(frozen=True)
class Field:
    """A field of the form."""

    key: Key
    title: str
    kind: str  # kind of value: 'int', 'float', 'bool', 'choice' or 'text'
    default: str  # text of the default, which holds while the field is empty
    help: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    """Titles of the values that can be listed."""
    axis: Key | None = None
    """Key of several values; the key itself if that takes a list; None for a single value only."""
    takes_file: bool = False  # whether the value may be the path of a file

    @property
    def separator(self) -> str:
        """Separator of several values; boards may contain commas."""
        return "|" if self.kind == "text" else ","

    @property
    def separation(self) -> str:
        """Sentence about the separator."""
        if self.separator == "|":
            return tr("To compare several values, separate them with bars: |")
        return tr("To compare several values, separate them with commas.")


def head_fields() -> list[Field]:
    """Return the fields of a whole plan."""
    return [
        Field(
            ("title",),
            tr("Title"),
            "title",
            tr("Experiment"),
            tr("Name of the plan and of its results"),
        )
    ]


def run_fields() -> list[Field]:
    """Return the fields of repeats."""
    return [
        Field(("repeats",), tr("Repeats"), "int", "1", tr("Runs of each setting on each instance")),
        Field(
            ("first_repeat",),
            tr("First repeat"),
            "int",
            "1",
            tr("The first repeat, to continue where another plan ended"),
        ),
        Field(
            ("seed",), tr("Master seed"), "int", "1", tr("The seed of every run follows from it")
        ),
    ]


def limit_fields(kind: str, solvers: Sequence[str]) -> list[Field]:
    """Return the fields of limits; the units have their name if it is the same for all solvers."""
    known = catalog.solvers(kind)
    units = {known[key].spec.unit for key in solvers if key in known}
    titles = {"units": capital(plural(*units))} if len(units) == 1 else {}
    return [
        Field(
            ("limits", spec.name),
            titles.get(spec.name, tr(spec.title)),
            spec.kind,
            tr("no limit"),
            tr(spec.help),
        )
        for spec in describe(LimitsTable)
    ]


def instance_fields() -> list[Field]:
    """Return the fields of instances, for puzzles that do not name a single board."""
    numbers: Key = ("instances", "numbers")
    return [
        Field(
            ("instances", "random"),
            tr("Random boards"),
            "int",
            tr("no boards"),
            tr("Number of random boards, one for each seed"),
        ),
        Field(
            ("instances", "seed"),
            tr("First seed"),
            "int",
            tr("automatic"),
            tr("Of the random boards"),
        ),
        Field(
            numbers,
            tr("Numbers"),
            "int",
            tr("all"),
            tr("Numbers of the boards to use, from 1"),
            axis=numbers,
        ),
    ]


def puzzle_fields(kind: str) -> list[Field]:
    """Return the fields of a puzzle: its flags and its parameters."""
    puzzle = catalog.puzzle(kind)
    return [
        *(_of_flag(flag) for flag in catalog.instance_flags(puzzle)),
        *(_of_spec(spec, ("puzzle",), ("puzzle", "axes")) for spec in describe(puzzle.spec.params)),
    ]


def names_board(kind: str, names: Iterable[str]) -> bool:
    """Return whether some values of a puzzle, by their names, choose its boards."""
    return not catalog.puzzle(kind).seeded(dict.fromkeys(names, ""), 0)


def solver_fields(kind: str, place: int, solver: str) -> list[Field]:
    """Return the fields of a solver's parameters; place: index in the plan, from 0."""
    table: Key = ("solvers", place)
    return [
        _of_spec(spec, (*table, "params"), (*table, "axes"))
        for spec in describe(catalog.solver(kind, solver).spec.params)
    ]


def value_of(values: Mapping[str, object], field: Field) -> object:
    """Return a plan's value for a field; None if it has none."""
    value = _at(values, field.key)
    return _at(values, field.axis) if value is None and field.axis is not None else value


def changes_of(field: Field, text: str) -> list[Change]:
    """Return the changes of a plan when a field has a text."""
    value = read(field, text)
    has_many = isinstance(value, list | dict)
    changes: list[Change] = [(field.key, None if has_many and field.axis else value)]
    if field.axis is not None and field.axis != field.key:
        changes.append((field.axis, value if has_many else None))
    elif field.axis is not None:
        # A single number becomes a list.
        changes = [(field.key, value if has_many or value is None else [value])]
    return changes


def words_in(field: Field, text: str) -> list[str]:
    """Return the words of the values of a text."""
    values = read(field, text)
    if values is None or isinstance(values, Mapping):
        return []
    return [_word(each) for each in (values if isinstance(values, list) else [values])]


def toggle_word(field: Field, text: str, word: str) -> str:
    """Return the text of a field with a value added at its end, or removed if it is there."""
    words = words_in(field, text)
    return written(
        field, [each for each in words if each != word] if word in words else [*words, word]
    )


def written(field: Field, value: object) -> str:
    """Write a value in one line, with the titles of values that can be listed; '' for None."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        step = tr(" step {step}", step=value["step"]) if "step" in value else ""
        return tr(
            "{low} to {high}{step}", low=value.get("from", ""), high=value.get("to", ""), step=step
        )
    if isinstance(value, list):
        glue = " | " if field.separator == "|" else ", "
        return glue.join(written(field, each) for each in value)
    word = _word(value)
    return field.words.get(word, word)


def read(field: Field, text: str) -> object:
    """Read a field, the inverse of :func:`written`; an invalid value stays a text.

    A value of the list can be typed by its title, too.
    """
    text = text.strip()
    for word, title in field.words.items():
        if field.separator in title:  # else it would be two values
            text = re.sub(re.escape(title), word, text, flags=re.IGNORECASE)
    if not text:
        return None
    if field.kind == "title":
        return text
    if field.axis is None:
        # A single number may have thousands separators.
        return _scalar(field, typed_text(text) if field.kind in ("int", "float") else text)
    found = _RANGE.fullmatch(text) if field.kind in ("int", "float") else None
    if found:
        names = ("from", "to", "step")
        return {
            name: _scalar(field, part)
            for name, part in zip(names, found.groups(), strict=True)
            if part is not None
        }
    parts = [part.strip() for part in text.split(field.separator)]
    values = [_scalar(field, part) for part in parts if part]
    return values[0] if len(parts) == 1 and values else values


def _scalar(field: Field, text: str) -> Scalar:
    if text not in field.words:
        typed = text.casefold()
        titled = (word for word, title in field.words.items() if title.casefold() == typed)
        text = next(titled, text)
    if field.kind == "bool":
        return _WORDS.get(text.lower(), text)
    if field.kind == "choice":
        return text
    try:
        number = number_from(text)
    except ValueError:
        return text
    # A name that only looks like a number stays a text.
    is_name = field.kind == "text" and (isinstance(number, float) or str(number) != text)
    return text if is_name else plain_number(number) if field.kind == "int" else number


def _word(value: object) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def _at(values: object, key: Sequence[str | int]) -> object:
    for part in key:
        if isinstance(values, Mapping) and part in values:
            values = values[str(part)]
        elif isinstance(values, list) and isinstance(part, int) and part < len(values):
            values = values[part]
        else:
            return None
    return values


def _of_flag(flag: Flag) -> Field:
    titles, default = _titles(flag.known()), flag.default or ""
    return Field(
        ("puzzle", flag.name),
        tr(flag.title or flag.name.replace("_", " ").capitalize()),
        "text",
        titles.get(default, default) or tr("none"),
        tr(flag.help),
        titles,
        ("puzzle", "axes", flag.name),
        flag.takes_file,
    )


def _titles(known: Iterable[str]) -> dict[str, str]:
    """Return the words of a flag with their titles, which are the words themselves without any."""
    things: Mapping[str, object] = known if isinstance(known, Mapping) else {}
    return {word: tr(str(getattr(things.get(word), "title", word))) for word in known}


def _of_spec(spec: ParameterSpec, table: Key, axes: Key) -> Field:
    words = dict(zip(spec.choices, map(tr, spec.choice_titles), strict=True))
    if spec.kind == "bool":
        words = {"on": tr("on"), "off": tr("off")}
    allowed = "" if words else " " + tr("Allowed: {allowed}.", allowed=spec.allowed())
    default = _default(spec.default, spec.automatic)
    return Field(
        (*table, spec.name),
        tr(spec.title),
        spec.kind,
        words.get(default, default),
        f"{tr(spec.help)}{allowed}",
        words,
        (*axes, spec.name),
    )


def _default(value: Value, is_automatic: bool) -> str:
    if is_automatic and not value:
        return tr("automatic")
    return tr("none") if value is None else _word(value)
