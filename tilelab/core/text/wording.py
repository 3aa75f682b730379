"""Texts for numbers, durations, metrics and unknown names."""

import difflib
import re
from collections.abc import Collection, Iterable

from tilelab.core.errors import UsageError
from tilelab.core.text.language import figures, language, marked, tr, tr_count
from tilelab.core.text.shown_text import MAX_QUOTED, quoted

_BEST = "best_of_"
# Names of the best of a unit in run files, from earlier names of the units.
_BEST_OF = ("best_of_block", "best_of_step")
_METRICS = {
    "ruled_out": marked("boards ruled out in %"),
    "current": marked("current value"),
    "megabytes": marked("memory in MB"),
    "nearest": marked("lowest h"),
    "accepted": marked("accepted moves in %"),
    "forbidden": marked("tabu moves in %"),
    "generated": marked("boards generated"),
    "expanded": marked("boards expanded"),
    "frontier": marked("queue or path"),
    "loyal": marked("loyal agents"),
    "archive_size": "archive",
    "distinct": marked("different boards"),
}

# Nouns that are counted; the catalogues have the singular and the plural of each.
NOUNS = (
    *("agent", "board", "cell", "class", "conflicting pair", "day", "different letter"),
    *("direction", "evaluation", "expansion", "forbidden word", "further line", "further pair"),
    *(
        "generated board",
        "generation",
        "hole",
        "island",
        "iteration",
        "layer",
        "letter",
        "line",
        "locked cell",
        "move",
    ),
    *("mutation", "new board", "other board", "other letter", "other pair", "other run"),
    *("other word", "person"),
    *("picture", "place", "point", "puzzle", "question", "record", "required word", "row", "run"),
    *("seed", "setting", "slide", "step", "symbol", "text", "thread", "trial", "unit"),
    *("unused cell", "update", "value", "word", "worker"),
)
_COUNT = "{count}"
_NUMBER = re.compile(
    r"(-?(?:0|[1-9][0-9]*|[1-9][0-9]{0,2}([.,’'\s])[0-9]{3}(?:\2[0-9]{3})*))"
    r"(?:(?!\2)[.,]([0-9]{2}))?"
)
_CAPITAL_NOUNS = ("de",)  # languages whose nouns have a capital in the middle of a sentence


def plain_number(value: float) -> int | float:
    """Return a whole number as int, so that it is shown without a fraction."""
    return int(value) if float(value).is_integer() else float(value)


def number(value: float) -> str:
    """Format a number with thousands separators; a whole number has no fraction."""
    plain = plain_number(value)
    return figures(plain, "," if isinstance(plain, int) else ",.2f")


def number_again(text: str) -> str:
    """Format the text of :func:`number` in any language for the current one; others stay.

    It is read safely: three digits follow each sign between thousands, which are all alike, and two
    the other one before decimals.
    """
    found = _NUMBER.fullmatch(text)
    if found is None:
        return text
    whole, _, decimals = found.groups("0")
    return number(float(f"{re.sub('[^-0-9]', '', whole)}.{decimals}"))


def value_word(value: object) -> str:
    """Format the value of a parameter: ``1,000``, ``on``, ``none``, or a choice's word."""
    if isinstance(value, bool):
        return tr("on") if value else tr("off")
    if isinstance(value, int | float):
        return figures(plain_number(value), ",")
    return tr("none") if value is None else str(value)


def boards_expanded(count: int) -> str:
    """Return the progress of a search: ``1,614 boards expanded``."""
    shown = tr_count("{count} board expanded", "{count} boards expanded", count)
    return shown.replace(_COUNT, figures(count, ","))


def counted(count: int, noun: str) -> str:
    """Format a count and its noun: ``1 word``, ``33 words``, ``2 classes``.

    noun: one of :data:`NOUNS`; any other noun, such as a plug-in's, stays English.
    """
    one, many = forms(noun)
    return tr_count(one, many, count).replace(_COUNT, figures(count, ","))


def shown_by_hints(count: int, noun: str) -> str:
    """Return how much of a game hints have shown: ``2 moves shown by hints``, or ''."""
    return tr("{n_hints} shown by hints", n_hints=counted(count, noun)) if count else ""


def forms(noun: str) -> tuple[str, str]:
    """Return the catalogues' keys for a noun: the singular and the plural form."""
    return f"{_COUNT} {noun}", f"{_COUNT} {_plural(noun)}"


def plural(noun: str) -> str:
    return tr(_plural(noun))


def _plural(noun: str) -> str:
    return f"{noun}es" if noun.endswith("s") else f"{noun}s"


def labelled(label: str, text: str) -> str:
    """Return a label and its text, with the colon of the language: French has a space before it."""
    return tr("{label}: {text}", label=label, text=text)


def capital(text: str) -> str:
    """Make the first letter of a text a capital; other capitals stay, such as German nouns."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Begin a text with a capital, unless its first word is a name such as words.txt."""
    first = text.partition(" ")[0].replace("’", "")  # as in "l’exécution"
    return capital(text) if first.isalpha() else text


def in_sentence(title: str) -> str:
    """Translate a title for the middle of a sentence: ``mutation rate``, ``Mutationsrate``."""
    shown = tr(title)
    return shown if language() in _CAPITAL_NOUNS else shown[:1].lower() + shown[1:]


def without_source(title: str) -> str:
    """Return a translated title without the words in brackets at its end."""
    return title.partition(" (")[0]


def worth(value: float, title: str) -> str:
    """Format a value and what it counts: ``1 word``, ``24 words``, ``12.50 weight``."""
    noun = title.removesuffix("s")
    if noun in NOUNS and float(value).is_integer():
        return counted(int(value), noun)
    return f"{number(value)} {tr(noun) if value == 1 else tr(title)}"


# Texts about a unit; the catalogues have each for each unit, as other languages need articles.
UNIT_PHRASES = ("best of {unit}", "Finish the {unit}", "the current {unit} is finished first")


def of_unit(phrase: str, unit: str) -> str:
    """Return one of :data:`UNIT_PHRASES` for a unit; a plug-in's unit stays English."""
    return tr(phrase.format(unit=unit))


# Statuses of a run as they are stored; tr translates them.
STATUSES = (
    *(marked("running"), marked("paused"), marked("solved"), marked("exhausted")),
    *(marked("limit"), marked("failed"), marked("interrupted"), marked("waiting")),
    marked("given up"),
)


def unit_of_best(name: str) -> str:
    """Return the unit of a metric that is the best of each unit, or ''."""
    if not name.startswith(_BEST):
        return ""
    return "iteration" if name in _BEST_OF else name.removeprefix(_BEST).replace("_", " ")


def metric_title(name: str) -> str:
    unit = unit_of_best(name)
    return of_unit("best of {unit}", unit) if unit else tr(metric_words(name))


def metric_words(name: str) -> str:
    """Return the English title of a metric, which is its key in the catalogues."""
    return _METRICS.get(name, name.replace("_", " "))


def memory(megabytes: float) -> str:
    """Format an amount of memory: ``1,024.0 MB``, ``18 KB``."""
    if megabytes >= 0.1:
        return tr("{number} MB", number=figures(megabytes, ",.1f"))
    return tr("{number} KB", number=figures(1024 * megabytes, ".0f"))


def rate(per_second: float) -> str:
    if per_second >= 100:
        return figures(per_second, ",.0f")
    return figures(per_second, ".1f" if per_second >= 1 else ".2f")


def clock(seconds: float) -> str:
    """Format a time as a clock: ``00:01:40``; from one day on, days come first."""
    days, rest = divmod(int(seconds), 86_400)
    hours, rest = divmod(rest, 3_600)
    minutes, left = divmod(rest, 60)
    text = f"{hours:02}:{minutes:02}:{left:02}"
    return f"{counted(days, 'day')} {text}" if days else text


def duration(seconds: float) -> str:
    """Format a measured time: ``310 µs``, ``0.42 s``, ``12.4 s``; from one minute on as a clock."""
    if seconds >= 60:
        return clock(seconds)
    for limit, size, unit in ((1e-3, 1e-6, "µs"), (0.1, 1e-3, "ms")):
        if 0 < seconds < limit:
            count = seconds / size
            return f"{figures(count, f'.{2 if count < 10 else 1 if count < 100 else 0}f')} {unit}"
    return f"{figures(seconds, '.1f' if seconds >= 10 else '.2f')} s"


def about(seconds: float) -> str:
    """Format an approximate duration: ``12 s``, ``5 min``, ``3 h``, ``9 days``."""
    for limit, size, unit in ((120, 1, "s"), (7_200, 60, "min"), (172_800, 3_600, "h")):
        if seconds < limit:
            return f"{round(seconds / size)} {unit}"
    return counted(round(seconds / 86_400), "day")


def unknown_name(name: str, what: str, known: Iterable[str]) -> UsageError:
    """Return the error for an unknown name; what: kind of name, such as 'solver'."""
    names = list(known)
    there_is = ", ".join(names) or tr("none yet")
    return UsageError.tr(
        "{name} is not a {kind}{meant}; available: {known}",
        name=quoted(name),
        kind=tr(what),
        meant=meant(name, names),
        known=there_is,
    )


def require_known(keys: Iterable[str], known: Collection[str]) -> None:
    """Raise UsageError for the first unknown key of a file."""
    for key in keys:
        if key not in known:
            raise UsageError.tr(
                "{key} is not a known key{meant}; the keys are {known}",
                key=quoted(key),
                meant=meant(key, known),
                known=", ".join(known),
            )


def meant(name: str, known: Iterable[str]) -> str:
    """Return ' (did you mean …?)' with the closest known name, or '' if none is close."""
    by_lower = {each.lower(): each for each in known}
    # Names that are too long to quote are close to none, and comparing them is slow.
    near = difflib.get_close_matches(name[:MAX_QUOTED].lower(), by_lower, n=1)
    return tr(" (did you mean {name}?)", name=by_lower[near[0]]) if near else ""
