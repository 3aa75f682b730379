"""Digests that detect damaged or altered rows in a sweep's file.

Each row has a digest; the file has one over the list of its rows and one over its other entries.
Nothing here is secret: damage and changes by hand are noticed, forgery is not.
"""

import bisect
import hashlib
import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, get_type_hints

from pydantic import ConfigDict, TypeAdapter, create_model

from tilelab.core.text.language import tr
from tilelab.core.text.wording import counted
from tilelab.experiments.job_run import Improvement, Row

# Entries of the table ``sweep``; SEAL is the digest over the others.
SEAL, ROWS, PLAN, N_RUNS = "digest", "rows", "plan", "number of runs"
_SEALED = {SEAL, ROWS}
_MAX_NAMED = 10  # number of runs that a sentence names


class StoredRun(NamedTuple):
    """A line of the table ``runs`` without its digest."""

    place: int
    tries: int
    error: str
    result: str | None
    improvements: str | None


def digest(*values: object) -> str:
    return hashlib.sha256(repr(values).encode("utf-8", "backslashreplace")).hexdigest()[:32]


def seal_of(about: Mapping[str, str]) -> str:
    return digest(sorted((name, text) for name, text in about.items() if name not in _SEALED))


class RowPlaces:
    """The places of rows, as few ranges: runs are done nearly in order."""

    def __init__(self, bounds: Iterable[int] = ()) -> None:
        """bounds: beginnings and ends in turn, upwards; raises ValueError for others."""
        self.bounds = list(bounds)
        if len(self.bounds) % 2 or sorted(set(self.bounds)) != self.bounds:
            raise ValueError("no ranges of rows")

    def __contains__(self, place: int) -> bool:
        return bisect.bisect_right(self.bounds, place) % 2 == 1

    def __iter__(self) -> Iterator[int]:
        for begin, end in zip(self.bounds[::2], self.bounds[1::2], strict=True):
            yield from range(begin, end)

    def add(self, place: int) -> None:
        if place in self:
            return
        for bound in (place, place + 1):  # a bound that occurs twice is none
            at = bisect.bisect_left(self.bounds, bound)
            if self.bounds[at : at + 1] == [bound]:
                del self.bounds[at]
            else:
                self.bounds.insert(at, bound)

    def text(self, seal: str) -> str:
        """Return them as the entry :data:`ROWS`."""
        return json.dumps([self.bounds, digest(seal, self.bounds)])

    @classmethod
    def of_text(cls, text: str, seal: str) -> "RowPlaces | None":
        """Inverse of :meth:`text`; None for what was damaged or altered."""
        try:
            bounds, kept = json.loads(text)
            return cls(bounds) if kept == digest(seal, bounds) else None
        except (RecursionError, TypeError, ValueError):
            return None


class Check:
    """A check that separates valid rows from others; ValueError if the entries are altered."""

    def __init__(self, about: Mapping[str, str], *, has_digests: bool) -> None:
        self.has_digests = has_digests
        self.unsound: set[int] = set()  # damaged, missing or altered rows, after all are checked
        self.doubt = ""  # a sentence about the whole, or ''
        self.plan = digest(about.get(PLAN))
        self.n_runs = _whole(about.get(N_RUNS))  # None if it is damaged
        self.places = RowPlaces()  # of the rows that were written, even if they are damaged now
        self._is_listed = False
        if not has_digests:
            self.doubt = tr(
                "These results were made by an earlier version without digests: altered or "
                "lost rows cannot be detected."
            )
        if about.get(SEAL) != (seal_of(about) if has_digests else None):
            raise ValueError(tr("the plan in it was altered"))
        if has_digests:
            listed = RowPlaces.of_text(about.get(ROWS, ""), self.plan)
            self._is_listed, self.places = listed is not None, listed or RowPlaces()
            if listed is None:
                self.doubt = tr("The list of what was kept is damaged: rows may be missing.")

    def sound(self, lines: Iterable[tuple[Any, ...]]) -> Iterator[StoredRun]:
        """Yield the valid rows of all lines; these contain a digest, too, and are in order."""
        found = RowPlaces()
        for *values, kept in lines:
            place = values[0]
            if type(place) is not int:
                raise ValueError(place)
            if place in found:
                continue
            if self._is_sound(values, kept):
                found.add(place)
                yield StoredRun(*values)
            else:
                self.unsound.add(place)
        self.unsound.update(place for place in self.places if place not in found)
        self.unsound -= {place for place in self.unsound if place in found}
        if not self._is_listed:
            self.places = found

    @property
    def unknown_rows(self) -> list[int]:
        """Places of invalid rows that were never written there, as far as is known."""
        return [place for place in self.unsound if place not in self.places]

    def digest_of(self, stored: StoredRun) -> str:
        return digest(self.plan, *stored)

    def _is_sound(self, values: list[Any], kept: object) -> bool:
        if not self.has_digests:
            return _is_well_formed(values, self.n_runs)
        is_known = not self._is_listed or values[0] in self.places
        return is_known and kept == digest(self.plan, *values)


_FIELDS: dict[str, Any] = {name: (kind, ...) for name, kind in get_type_hints(Row).items()}
_ROW = create_model("_ROW", __config__=ConfigDict(strict=True), **_FIELDS)
_IMPROVEMENTS = TypeAdapter(tuple[Improvement, ...])


def _is_well_formed(values: list[Any], n_runs: int | None) -> bool:
    """Return whether a row is usable: without a digest, nothing else can be checked."""
    place, tries, error, result, improvements = values
    if not (0 <= place < (n_runs or place + 1) and type(tries) is int and isinstance(error, str)):
        return False
    if result is None:
        return True
    try:
        row = _ROW.model_validate_json(str(result)).model_dump()
        found = _IMPROVEMENTS.validate_json(str(improvements or "[]"))
        numbers = [row["value"], row["moves"], row["units"], row["evaluations"], row["seconds"]]
        numbers += [number for each in found for number in each]
        for number in row["metrics"].values():
            float(number)
        return all(number is None or math.isfinite(number) for number in numbers)
    except (OverflowError, ValueError):
        return False


def _whole(text: str | None) -> int | None:
    value = None if text is None else json.loads(text)
    return value if type(value) is int and value > 0 else None


def doubts(unsound: Collection[int], doubt: str = "") -> tuple[str, ...]:
    """Return sentences on errors of rows. unsound: the places of those that do not count."""
    if not unsound:
        return (doubt,) if doubt else ()
    names = [f"{place + 1:,}" for place in sorted(unsound)[:_MAX_NAMED]]
    names += ["…"] if len(unsound) > len(names) else []
    named = tr(
        "{n_runs} damaged, missing or altered and left out (number {names}); resuming the sweep "
        "does again what is left out.",
        n_runs=counted(len(unsound), "run"),
        names=", ".join(names),
    )
    return (named, doubt) if doubt else (named,)
