"""The language in which texts are shown: gettext's catalogues, and the figures of a language.

A text that is shown is written ``tr("Saved {name}", name=name)``: English is the key, so
that what is missing from a catalogue is shown in English. A constant is written
``marked("Saved")`` where it is defined, and ``tr(CONSTANT)`` where it is shown, because it is
there before the language is known. What is stored (run files, history, JSON) stays English.

Two languages are made up, to find faults: ``xl`` is longer and has brackets, so that texts that
are cut off or were forgotten are seen; ``xr`` is read from right to left.
"""

import gettext
import locale
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Protocol

from tilelab.core.files.resources import resource

DOMAIN = "tilelab"
ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch", "fr": "Français", "es": "Español"}
"""The key of a language -> what it calls itself."""
LONGER, MIRRORED = "xl", "xr"
PSEUDO = (LONGER, MIRRORED)
VARIABLE = "TILELAB_LANGUAGE"
"""The environment variable that chooses a language before anything else does."""
_KEPT = re.compile(r"(\{[^{}]*\}|<[^<>]+>|&\w+;|&|\*\.\w+|%\w|\n|\t)")
"""What has to stay in a text as it is: placeholders, markup, mnemonics, file patterns."""
_ACCENTED = str.maketrans("aeiouyAEIOUYcn", "àéîöûýÀÉÎÖÛÝçñ")
_MIRROR = "\u202e", "\u202c"
"""Right-to-left override and its end."""


class Catalogue(Protocol):
    """What gettext's classes offer of a language."""

    def gettext(self, message: str, /) -> str:
        """Return a text in the language."""
        ...

    def ngettext(self, msgid1: str, msgid2: str, n: int, /) -> str:
        """Return the form of a text for a number of things."""
        ...


class _Pseudo:
    """A language that is made up of English."""

    def __init__(self, key: str) -> None:
        self._key = key

    def gettext(self, message: str) -> str:
        if not message:
            return message
        parts = _KEPT.split(message)
        if self._key == MIRRORED:
            first, last = _MIRROR
            return "".join(
                part if not part.strip() or _KEPT.fullmatch(part) else f"{first}{part}{last}"
                for part in parts
            )
        text = "".join(
            part if _KEPT.fullmatch(part) else part.translate(_ACCENTED) for part in parts
        )
        # In words, so that lines can be broken there, too.
        more = "~" * max(len(message) * 2 // 5 - 2, 0)
        return f"[{text}{' '.join(re.findall('.{1,8}', more))}]"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@dataclass(frozen=True)
class _Language:
    key: str
    catalogue: Catalogue
    group: str = ","
    """Between thousands."""
    point: str = "."
    """Before the decimals."""


_ENGLISH = _Language(ENGLISH, gettext.NullTranslations())
_shown = _ENGLISH
"""Only ever replaced as a whole, so that threads need no lock to read it."""


def use(key: str) -> None:
    """Show texts in a language from now on; one that is not there is English."""
    global _shown  # noqa: PLW0603 - one language is shown in a process
    _shown = _made(key)


def language() -> str:
    """Return the key of the language in which texts are shown."""
    return _shown.key


def is_mirrored() -> bool:
    """Whether it is read from right to left."""
    return _shown.key == MIRRORED


def tr(text: str, /, **values: object) -> str:
    """Return a text in the language that is shown; the text itself where it is not translated.

    values: what is put in the place of each name in braces. A text without values stays as it is.
    """
    shown = _shown.catalogue.gettext(text) if text else text
    return shown.format(**values) if values else shown


def translated_again(text: str, before: str, texts: Sequence[str]) -> str:
    """Return a text in the language that is shown, which was made in another one.

    before: the key of that language. texts: what it may have been made of, in English; its values
    may have been made of these, too. All other texts stay as they are.
    """
    for each in texts:
        made = re.escape(_made(before).catalogue.gettext(each))
        found = re.fullmatch(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", made), text)
        if found is not None:
            values = found.groupdict().items()
            return tr(each, **{n: translated_again(v, before, texts) for n, v in values})
    return text


def tr_count(one: str, many: str, count: int) -> str:
    """Return the form of a text for a number of things; it has other numbers than two forms."""
    return _shown.catalogue.ngettext(one, many, count)


def marked(text: str) -> str:
    """Return a constant as it is; the catalogues have it, and ``tr`` translates it when shown."""
    return text


def figures(value: object, form: str) -> str:
    """Write a number as ``format`` does, with the signs of the language: ``1.234,5``."""
    text = format(value, form)
    if _shown.group == "," and _shown.point == ".":
        return text
    signs = {",": _shown.group, ".": _shown.point}
    return "".join(signs.get(sign, sign) for sign in text)


def moment_text(moment: datetime) -> str:
    """Write a day and a time as the language does: ``2026-03-01 09:30``, ``01.03.2026 09:30``."""
    key, time = _shown.key, f"{moment:%H:%M}"
    if key == ENGLISH or key in PSEUDO:
        return f"{moment:%Y-%m-%d} {time}"
    from babel.dates import format_skeleton  # for other languages only

    return f"{format_skeleton('yMMdd', moment, locale=key)} {time}"


def of_system() -> str:
    """Return the language that the environment asks for; English where there is none of it."""
    asked = [os.environ.get(VARIABLE, "")]
    asked += os.environ.get("LANGUAGE", "").split(":")
    asked += [os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    asked.append(locale.getlocale()[0] or "")
    for each in asked:
        key = each.replace("-", "_").split("_")[0].split(".")[0].lower()
        if key in LANGUAGES or key in PSEUDO:
            return key
        if each:
            break  # Chosen, and not there: what stands behind it was not asked for.
    return ENGLISH


def is_asked_for() -> bool:
    """Whether the environment variable chooses the language."""
    return bool(os.environ.get(VARIABLE))


@cache
def _made(key: str) -> _Language:
    if key in PSEUDO:
        return _Language(key, _Pseudo(key))
    if key == ENGLISH or key not in LANGUAGES:
        return _ENGLISH
    from babel.numbers import get_decimal_symbol, get_group_symbol  # for other languages only

    file = resource("locale").joinpath(key, "LC_MESSAGES", f"{DOMAIN}.mo")
    with file.open("rb") as stream:
        catalogue = gettext.GNUTranslations(stream)
    return _Language(key, catalogue, get_group_symbol(key), get_decimal_symbol(key))
