"""What is said of a name that nothing has: what was probably meant, and what there is."""

import difflib
from collections.abc import Collection, Iterable

from tilelab.core.errors import UsageError
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import MOST_QUOTED, quoted


def unknown_name(name: str, what: str, known: Iterable[str]) -> UsageError:
    """Return the error for a name that is not one of the known; what: such as 'solver'."""
    names = list(known)
    there_is = ", ".join(names) or tr("none yet")
    return UsageError(
        tr(
            "{name} is not a {what}{meant}; there is {there_is}",
            name=quoted(name),
            what=what,
            meant=meant(name, names),
            there_is=there_is,
        )
    )


def require_known(keys: Iterable[str], known: Collection[str]) -> None:
    """Raise UsageError for the first key of a file that is not one of the known ones."""
    for key in keys:
        if key not in known:
            raise UsageError(
                tr(
                    "{key} is not a known key{meant}; the keys are {known}",
                    key=quoted(key),
                    meant=meant(key, known),
                    known=", ".join(known),
                )
            )


def meant(name: str, known: Iterable[str]) -> str:
    """Return ' (did you mean …?)' with the nearest of the known names; '' when none is near."""
    by_lower = {each.lower(): each for each in known}
    # Longer names than can be quoted are near to none, and comparing them takes long.
    near = difflib.get_close_matches(name[:MOST_QUOTED].lower(), by_lower, n=1)
    return tr(" (did you mean {name}?)", name=by_lower[near[0]]) if near else ""
