"""One entry of a race as it is being edited: its solver and its parameters."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tilelab import catalog
from tilelab.core.parameters import describe
from tilelab.core.plain import Value
from tilelab.core.solver import SolverSpec
from tilelab.core.text.language import tr
from tilelab.core.text.wording import value_word
from tilelab.gui.lab.race.chart import Racer
from tilelab.runs.races.race import MOST_ENTRIES, EntryStatus, table_csv

HEURISTIC = "heuristic"
"""The parameter that is named in an entry's title."""


@dataclass(eq=False)
class Draft:
    """An entry that can still be changed."""

    solver: str
    slot: int
    """Which of the curves' colours it has; it keeps it while others come and go."""
    values: dict[str, Value] = field(default_factory=dict)
    """Those that differ from the defaults, and perhaps others."""
    entry: int | None = None
    """Its number in the race that is there; None when it is not in it."""


def another(puzzle_key: str, drafts: Sequence[Draft]) -> Draft:
    """Return an entry with the first solver and the first colour that are not there yet."""
    keys = list(catalog.solvers(puzzle_key))
    solvers, slots = {draft.solver for draft in drafts}, {draft.slot for draft in drafts}
    slot = next(slot for slot in range(MOST_ENTRIES) if slot not in slots)
    return Draft(next((key for key in keys if key not in solvers), keys[0]), slot)


def status_of(draft: Draft, statuses: Sequence[EntryStatus]) -> EntryStatus | None:
    """Return how an entry stands; None when it is not in the race, or nothing is known yet."""
    entry = draft.entry
    return statuses[entry] if entry is not None and entry < len(statuses) else None


def racers(
    puzzle_key: str, drafts: Sequence[Draft], statuses: Sequence[EntryStatus]
) -> list[Racer]:
    """Return what table and chart show of each entry."""
    titles = draft_titles(puzzle_key, drafts)
    units = [catalog.solver(puzzle_key, draft.solver).spec.unit for draft in drafts]
    return [
        Racer(place + 1, titles[place], draft.slot, units[place], status_of(draft, statuses))
        for place, draft in enumerate(drafts)
    ]


def table_of(racers: Sequence[Racer]) -> str:
    """Return the table as a CSV file holds it; who has not raced is left out."""
    raced = [(racer.title, racer.status) for racer in racers if racer.status is not None]
    return table_csv([title for title, _ in raced], [status for _, status in raced])


def draft_titles(puzzle_key: str, drafts: Sequence[Draft]) -> list[str]:
    """Name the entries; what differs from the defaults is added where a solver is there twice."""
    solvers = [catalog.solver(puzzle_key, draft.solver).spec for draft in drafts]
    titles = []
    for spec, draft in zip(solvers, drafts, strict=True):
        changed = [
            f"{known.title.lower()} {value_word(draft.values[known.name])}"
            for known in describe(spec.params)
            if known.name != HEURISTIC
            and draft.values.get(known.name, known.default) != known.default
        ]
        twice = sum(other.key == spec.key for other in solvers) > 1
        title = _with_heuristic(spec, draft)
        titles.append(", ".join([title, *changed]) if twice else title)
    return titles


def _with_heuristic(spec: SolverSpec, draft: Draft) -> str:
    """Name the heuristic of a solver, unless the solver's own title does."""
    known = next((known for known in describe(spec.params) if known.name == HEURISTIC), None)
    if known is None:
        return tr(spec.title)
    value = draft.values.get(HEURISTIC, known.default)
    if value == known.default and " with " in spec.title:
        return tr(spec.title)
    titles = dict(zip(known.choices, known.choice_titles, strict=True))
    return f"{tr(spec.title)} ({tr(titles[str(value)])})"
