"""The language of the shown texts: gettext's catalogues, and the number format of a language.

CONTRIBUTING.md says how to write a text. The pseudo-language ``xl``, which helps to find mistakes,
has longer texts in brackets.
"""

import gettext
import locale
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from tilelab.core.files.resources import resource

DOMAIN = "tilelab"
ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch", "fr": "Français", "es": "Español"}
LONGER = "xl"
VARIABLE = "TILELAB_LANGUAGE"  # environment variable for the language, before any other setting
# Parts of a text that stay as they are: placeholders, markup, mnemonics, file patterns.
_KEPT = re.compile(r"(\{[^{}]*\}|<[^<>]+>|&\w+;|&|\*\.\w+|%\w|\n|\t)")
_ACCENTED = str.maketrans("aeiouyAEIOUYcn", "àéîöûýÀÉÎÖÛÝçñ")
_NO_BREAK = "\u00a0"  # space before the percent sign
_WHOLE_THOUSANDS = {"es"}  # languages that write 1000, but 10.000
_FOUR_DIGITS = re.compile(r"^(\D*\d),(\d{3})(?![\d,])")


class _LongerTexts(gettext.NullTranslations):
    def gettext(self, message: str) -> str:
        if not message:
            return ""
        text = "".join(
            part if _KEPT.fullmatch(part) else part.translate(_ACCENTED)
            for part in _KEPT.split(message)
        )
        # In short words, so that lines can be broken between them.
        more = "~" * max(len(message) * 2 // 5 - 2, 0)
        return f"[{text}{' '.join(re.findall('.{1,8}', more))}]"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@dataclass(frozen=True)
class _Language:
    key: str
    catalogue: gettext.NullTranslations
    group: str = ","  # sign between thousands
    point: str = "."  # sign before the decimals


_ENGLISH = _Language(ENGLISH, gettext.NullTranslations())
_shown = _ENGLISH  # replaced as a whole, so that reading it needs no lock


def use(key: str) -> None:
    """Show texts in a language from now on; an unknown language means English."""
    global _shown  # noqa: PLW0603 - one language is shown in a process
    _shown = _made(key)


def language() -> str:
    return _shown.key


def tr(text: str, /, **values: object) -> str:
    """Translate a text into the current language; without a translation it stays English.

    values: values for the placeholders. Without values, braces in the text stay as they are.
    """
    shown = _shown.catalogue.gettext(text) if text else text
    return shown.format(**values) if values else shown


def translated_again(text: str, before: str, texts: Sequence[str]) -> str:
    """Translate a text of another language, ``before``, into the current one.

    texts: English texts that the text and its values may be translations of; others stay.
    """
    for each in texts:
        made = re.escape(_made(before).catalogue.gettext(each))
        found = re.fullmatch(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", made), text)
        if found is not None:
            values = found.groupdict().items()
            return tr(each, **{n: translated_again(v, before, texts) for n, v in values})
    return text


def tr_count(one: str, many: str, count: int) -> str:
    """Translate a text in the form for a count; a language may have more than two forms."""
    return _shown.catalogue.ngettext(one, many, count)


def marked(text: str) -> str:
    """Mark a constant for the catalogues and return it unchanged; ``tr`` translates it later."""
    return text


def figures(value: object, form: str) -> str:
    """Format a number as ``format`` does, with the signs of the language: ``1.234,5``, ``50 %``."""
    text = format(value, form)
    if _shown.key in _WHOLE_THOUSANDS:
        text = _FOUR_DIGITS.sub(r"\1\2", text)
    signs = {",": _shown.group, ".": _shown.point, "%": f"{_NO_BREAK}%"}
    return "".join(signs.get(sign, sign) for sign in text)


def number_signs() -> tuple[str, str]:
    """Return the language's sign between thousands and its sign before the decimals."""
    return _shown.group, _shown.point


def moment_text(moment: datetime) -> str:
    """Format a date and time for the language: ``2026-03-01 09:30``, ``01.03.2026 09:30``."""
    key, time = _shown.key, f"{moment:%H:%M}"
    if key in (ENGLISH, LONGER):
        return f"{moment:%Y-%m-%d} {time}"
    from babel.dates import format_skeleton  # for other languages only

    return f"{format_skeleton('yMMdd', moment, locale=key)} {time}"


def of_system() -> str:
    """Return the language that the environment requests; English if it is not available."""
    asked = [os.environ.get(VARIABLE, "")]
    asked += os.environ.get("LANGUAGE", "").split(":")
    asked += [os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    asked.append(locale.getlocale()[0] or "")
    for each in asked:
        key = each.replace("-", "_").split("_")[0].split(".")[0].lower()
        if key in LANGUAGES or key == LONGER:
            return key
        if each:
            break  # Chosen but not available: the settings after it do not count.
    return ENGLISH


def is_requested() -> bool:
    return bool(os.environ.get(VARIABLE))


@cache
def _made(key: str) -> _Language:
    if key == LONGER:
        return _Language(key, _LongerTexts())
    if key == ENGLISH or key not in LANGUAGES:
        return _ENGLISH
    from babel.numbers import get_decimal_symbol, get_group_symbol  # for other languages only

    file = resource("locale").joinpath(key, "LC_MESSAGES", f"{DOMAIN}.mo")
    with file.open("rb") as stream:
        catalogue = gettext.GNUTranslations(stream)
    return _Language(key, catalogue, get_group_symbol(key), get_decimal_symbol(key))
