"""The best known value of each category: from the built-in list, and from the user's own runs."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.puzzle import Category, InstanceRecord, canonical
from tilelab.core.text.language import marked, tr
from tilelab.runs.history.record import RunRecord
from tilelab.runs.history.schema import HistoryError
from tilelab.runs.history.store import History
from tilelab.runs.records.builtin import BuiltinRecord, builtin_records

OWN = marked("yours")
"""Who has reached what stands in the user's history."""


@dataclass(frozen=True, eq=False)
class Reached:
    """A value that somebody has reached, and the board."""

    value: float
    value_text: str
    board: tuple[str, ...]
    by: str
    """Who, and when it was published; :data:`OWN` for a run of the history."""
    record: BuiltinRecord | RunRecord
    """What it was reached by."""
    is_proven: bool = False
    """Whether it is proven that no board is worth more."""


@dataclass(frozen=True, eq=False)
class BestKnown:
    """A category, and what is known of it."""

    category: Category
    title: str
    """Of its lexicon."""
    builtin: Reached | None
    own: Reached | None

    @property
    def best(self) -> Reached:
        """The better of both; the built-in one where they are equal."""
        known = [reached for reached in (self.builtin, self.own) if reached is not None]
        return max(known, key=lambda reached: reached.value)


def category_of(puzzle: str, record: InstanceRecord) -> Category | None:
    """Return the category of a record; None where it has none, or cannot be read any more."""
    puzzle_class = catalog.puzzles().get(puzzle)
    if puzzle_class is None or not puzzle_class.spec.has_records:
        return None
    try:
        return puzzle_class.category(record)
    except TileLabError:
        return None


def best_known(
    history: History | None, category: Category | None = None, *, but_run: str = ""
) -> list[BestKnown]:
    """List what is known of all categories, or of one; the larger boards last.

    history: None for the built-in records only. but_run: the key of a run of the history that is
    left out.
    """
    keys = [category.puzzle] if category is not None else _with_records()
    known: dict[str, BestKnown] = {}
    for builtin in builtin_records():
        _add(known, _of_builtin(builtin), category)
    if history is not None:
        for key in keys:
            for record in history.records(history.best_ids(key, but_run)):
                _add(known, _of_run(record), category)
    return sorted(known.values(), key=_order)


def _with_records() -> list[str]:
    return [key for key, cls in catalog.puzzles().items() if cls.spec.has_records]


def _add(known: dict[str, BestKnown], added: BestKnown | None, wanted: Category | None) -> None:
    if added is None or (wanted is not None and added.category.key != wanted.key):
        return
    key = added.category.key
    before = known.get(key)
    if before is None:
        known[key] = added
        return
    known[key] = BestKnown(
        before.category,
        before.title,
        _better([before.builtin, added.builtin]),
        _better([before.own, added.own]),
    )


def _better(reached: Iterable[Reached | None]) -> Reached | None:
    known = [one for one in reached if one is not None]
    return max(known, key=lambda one: one.value, default=None)


def _of_builtin(record: BuiltinRecord) -> BestKnown | None:
    category = category_of(record.puzzle, record)
    if category is None:
        return None
    text = catalog.puzzle(record.puzzle).value_text(record.value)
    reached = Reached(record.value, text, record.board, record.by, record, record.proven)
    return BestKnown(category, record.title, reached, None)


def _of_run(record: RunRecord) -> BestKnown | None:
    category = category_of(record.puzzle, record)
    if category is None or record.value is None:
        return None
    is_proven = bool(record.optimal) and record.moves is None
    reached = Reached(record.value, record.value_text, record.board, OWN, record, is_proven)
    return BestKnown(category, record.title, None, reached)


def _order(known: BestKnown) -> tuple[object, ...]:
    facts = known.category.facts
    rows, cols = facts.get("rows"), facts.get("cols")
    n_cells = rows * cols if isinstance(rows, int) and isinstance(cols, int) else 0
    return known.category.puzzle, known.title, n_cells, known.category.key


def kept(record: RunRecord, path: Path | None = None) -> tuple[str, str]:
    """Add one run to the history; returns what the user should know of that, and the verdict.

    The verdict says how its best stands beside what was known before it. Both may be ''.
    """
    try:
        with History(path) as history:
            said = verdict(record, history)
            history.put(record)
            return history.notice, said
    except HistoryError as error:
        return tr("This run is not in the history: {error}").format(error=error), ""


def verdict(record: RunRecord, history: History) -> str:
    """Say how the best of a run stands beside what was known before it; '' for nothing to say."""
    category = category_of(record.puzzle, record)
    if category is None or record.value is None:
        return ""
    known = best_known(history, category, but_run=record.key)
    return compared(known[0], record) if known else ""


def compared(known: BestKnown, record: RunRecord) -> str:
    """Say how the best of a run stands beside what was known; '' where there is nothing to say."""
    best = known.best
    assert record.value is not None
    before = f"{best.value_text} ({tr(best.by)})"
    if record.value > best.value:
        return tr("A new record: {value_text}. The best known was {before}.").format(
            value_text=record.value_text, before=before
        )
    if record.value < best.value or best.by == OWN:
        return ""
    is_same = same_board(known.category, record.board, best.board)
    if is_same:
        return tr("As good as the best known, {before}: the same board.").format(before=before)
    return tr("As good as the best known, {before}: another board.").format(before=before)


def same_board(category: Category, one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether two boards of a category are the same, turned or mirrored where that is so."""
    return canonical(one) == canonical(other) if category.turns else one == other
