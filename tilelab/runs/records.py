"""The best known value of each category: from the built-in list, and from the user's own runs."""

import functools
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.files.paths import path_from, path_text
from tilelab.core.files.resources import resource
from tilelab.core.flags import flag_words
from tilelab.core.parameters import ParameterSpec, Params, describe, kept_params, validate
from tilelab.core.plain import JsonObject, Value, Values
from tilelab.core.puzzle import Category, InstanceRecord, canonical
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import in_sentence, labelled
from tilelab.runs.history.record import BY_HAND, RunRecord
from tilelab.runs.history.schema import HistoryError
from tilelab.runs.history.store import History
from tilelab.runs.limits import Limits

OWN = marked("yours")  # the source of a value in the user's history
_MADE_OTHERWISE = ("start", "constraints")  # origins that flags with files give
_ELSEWHERE = ("rows", "cols", "fitness")  # parameters that have words of their own in a command


def command_words(
    puzzle: str, values: Values, solver: str, params: Values, seed: int, units: int | None
) -> list[str]:
    """Return the words of a command; values: the puzzle's. units: None if it ends by itself."""
    words = ["tilelab", "run", puzzle, *flag_words(values), "--solver", solver]
    words += [*flag_words(params), "--seed", str(seed)]
    return words if units is None else [*words, "--units", str(units)]


def command_of(record: RunRecord) -> list[str]:
    """Return the words of the command that makes a run on a lexicon again, up to its best.

    [] for games by hand, changed live parameters, and runs that began with a board or constraints.
    """
    is_plain = not record.journal and not any(record.origin.get(n) for n in _MADE_OTHERWISE)
    if record.solver == BY_HAND or not is_plain or record.best_unit is None:
        return []
    try:
        puzzle_model = catalog.puzzle(record.puzzle).spec.params
        solver_model = catalog.solver(record.puzzle, record.solver).spec.params
        values = _non_defaults(puzzle_model, record.puzzle_params)
        params = _non_defaults(solver_model, record.params)
        limits = validate(Limits, record.limits)
    except TileLabError:
        return []
    lexicon = record.origin.get("lexicon")
    if isinstance(file := record.origin.get("file"), str):
        lexicon = path_text(path_from(file))
    named: dict[str, Value] = {"lexicon": None if lexicon is None else str(lexicon), **values}
    # The user, or another limit such as a target, may have ended it before its limit in units.
    is_by_units = limits == Limits(units=limits.units, seconds=limits.seconds)
    units = limits.units if is_by_units and record.status != "interrupted" else None
    units = units or record.best_unit + 1
    return command_words(record.puzzle, named, record.solver, params, record.seed, units)


def _non_defaults(model: type[Params], values: JsonObject) -> dict[str, Value]:
    # A parameter may be missing from the stored ones while others have their defaults.
    defaults = model().model_dump(mode="json")
    kept = kept_params(model, values).model_dump(mode="json")
    return {
        name: value
        for name, value in kept.items()
        if name not in defaults or value != defaults[name]
    }


class BuiltinRecord(BaseModel):
    """A value, its board and its source; if reached here, solver … units make the run again."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    puzzle: str
    title: str  # title of the lexicon
    lexicon: str  # key of a built-in lexicon
    digest: str  # digest of the lexicon, so that it need not be read
    puzzle_params: dict[str, Value]  # the puzzle's parameters that are not the defaults
    value: float
    board: tuple[str, ...]
    by: str  # its author and date, or TileLab
    proven: bool = False  # whether it is proven that no board is worth more
    solver: str = ""
    params: dict[str, Value] = {}  # the solver's parameters that are not the defaults
    seed: int | None = None
    units: int | None = None  # number of units after which the run ends

    id: int = 0
    moves: str | None = None

    @property
    def instance(self) -> JsonObject:
        return {"lexicon": self.lexicon}

    @property
    def origin(self) -> JsonObject:
        return {"lexicon": self.lexicon, "file": None, "digest": self.digest}

    def as_run(self) -> RunRecord:
        """Return the record, without a solver for a published board; raises TileLabError."""
        puzzle = catalog.puzzle(self.puzzle)
        solver = catalog.solver(self.puzzle, self.solver).spec if self.solver else None
        return RunRecord(
            puzzle=self.puzzle,
            title=self.title,
            rows=len(self.board),
            cols=len(self.board[0]),
            solver=self.solver,
            solver_title="" if solver is None else solver.title,
            seed=self.seed or 0,
            status="limit",
            unit="" if solver is None else solver.unit,
            units=self.units or 0,
            seconds=0.0,
            value=self.value,
            value_text=puzzle.value_text(self.value),
            begun="",
            ended="",
            instance=self.instance,
            puzzle_params=validate(puzzle.spec.params, self.puzzle_params).model_dump(mode="json"),
            params={} if solver is None else validate(solver.params, self.params).model_dump(),
            limits={} if self.units is None else {"units": self.units},
            board=self.board,
            origin=self.origin,
        )

    @property
    def command(self) -> list[str]:
        if self.seed is None:
            return []
        values = {"lexicon": self.lexicon, **self.puzzle_params}
        return command_words(self.puzzle, values, self.solver, self.params, self.seed, self.units)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")
    records: tuple[BuiltinRecord, ...]


@functools.cache
def builtin_records() -> tuple[BuiltinRecord, ...]:
    text = resource("records").joinpath("records.toml").read_text("utf-8")
    return _File.model_validate(tomllib.loads(text)).records


@dataclass(frozen=True, eq=False)
class KnownValue:
    value: float
    value_text: str
    board: tuple[str, ...]
    by: str  # its author and date; OWN for a run of the history
    record: BuiltinRecord | RunRecord  # the record with the value
    is_proven: bool = False  # whether it is proven that no board is worth more


@dataclass(frozen=True, eq=False)
class BestKnown:
    category: Category
    title: str  # title of its lexicon
    builtin: KnownValue | None
    own: KnownValue | None

    @property
    def best(self) -> KnownValue:
        """The better of both; the built-in one if they are equal."""
        known = [reached for reached in (self.builtin, self.own) if reached is not None]
        return max(known, key=lambda reached: reached.value)


def category_of(puzzle: str, record: InstanceRecord) -> Category | None:
    """Return the category of a record; None where it has none, or can no longer be read."""
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
    """Return the best known values of all categories, or of one; the larger boards last.

    history: None for the built-in records only. but_run: the key of a run that is left out.
    """
    found = [_of_builtin(record) for record in builtin_records()]
    if history is not None:
        with_records = [key for key, cls in catalog.puzzles().items() if cls.spec.has_records]
        for puzzle in with_records if category is None else [category.puzzle]:
            found += map(_of_run, history.records(history.best_ids(puzzle, but_run)))
    known: dict[str, BestKnown] = {}
    for added in found:
        if added is None or (category is not None and added.category.key != category.key):
            continue
        before = known.setdefault(added.category.key, added)
        known[added.category.key] = replace(
            before,
            builtin=_better(before.builtin, added.builtin),
            own=_better(before.own, added.own),
        )
    return sorted(known.values(), key=_order)


def _better(one: KnownValue | None, other: KnownValue | None) -> KnownValue | None:
    known = [reached for reached in (one, other) if reached is not None]
    return max(known, key=lambda reached: reached.value, default=None)


def _of_builtin(record: BuiltinRecord) -> BestKnown | None:
    category = category_of(record.puzzle, record)
    if category is None:
        return None
    text = catalog.puzzle(record.puzzle).value_text(record.value)
    reached = KnownValue(record.value, text, record.board, record.by, record, record.proven)
    return BestKnown(category, record.title, reached, None)


def _of_run(record: RunRecord) -> BestKnown | None:
    category = category_of(record.puzzle, record)
    if category is None or record.value is None or record.sets_no_record:
        return None
    is_proven = bool(record.optimal) and record.moves is None
    reached = KnownValue(record.value, record.shown_value, record.board, OWN, record, is_proven)
    return BestKnown(category, record.title, None, reached)


def _order(known: BestKnown) -> tuple[object, ...]:
    facts = known.category.facts
    rows, cols = facts.get("rows"), facts.get("cols")
    n_cells = rows * cols if isinstance(rows, int) and isinstance(cols, int) else 0
    return known.category.puzzle, known.title, n_cells, known.category.key


def keep_record(record: RunRecord, path: Path | None = None) -> tuple[str, str]:
    """Add a run to the history; return a notice for the user and the verdict, both perhaps ''."""
    try:
        with History(path) as history:
            verdict_text = verdict(record, history)
            history.put(record)
            return history.notice, verdict_text
    except HistoryError as error:
        return tr("This run is not in the history: {error}", error=error), ""


def replace_record(record: RunRecord, before: int, history: History) -> tuple[int, str]:
    """Add a run in place of another one, by its number, if any; return its number and verdict."""
    verdict_text = verdict(record, history)
    number = history.put(record)
    if before:
        history.delete([before])
    return number, verdict_text


def verdict(record: RunRecord, history: History) -> str:
    """Compare the best of a run with what was known before it, in a sentence; '' if not notable."""
    category = category_of(record.puzzle, record)
    if category is None or record.value is None or record.sets_no_record:
        return ""
    known = best_known(history, category, but_run=record.key)
    return compare_with_known(known[0], record) if known else ""


def compare_with_known(known: BestKnown, record: RunRecord) -> str:
    """Compare the best of a run with known values, in a sentence; '' if not notable."""
    best = known.best
    assert record.value is not None
    before = f"{best.value_text} ({tr(best.by)})"
    if record.value > best.value:
        return tr(
            "New record: {value}. Before this run, the best was {before}.",
            value=record.value_text,
            before=before,
        )
    if record.value < best.value or best.by == OWN:
        return ""
    boards = record.board, best.board
    if known.category.turns:
        boards = canonical(record.board), canonical(best.board)
    if boards[0] == boards[1]:
        return tr("As good as the best known, {before}: the same board.", before=before)
    return tr("As good as the best known, {before}: another board.", before=before)


def size_text(category: Category) -> str:
    return f"{category.facts.get('rows', '?')}×{category.facts.get('cols', '?')}"


def counted_text(category: Category) -> str:
    """Return what the value sums up, such as ``summed length``."""
    spec = next((one for one in _specs(category) if one.name == "fitness"), None)
    return "" if spec is None else spec.value_title(category.facts.get("fitness"))


def rules_text(category: Category) -> str:
    """Return the rules that are not the defaults, and the tiles of a board of tiles; or ''."""
    parts = []
    for spec in _specs(category):
        value = category.facts.get(spec.name, spec.default)
        if spec.name in _ELSEWHERE or value == spec.default:
            continue
        title = in_sentence(spec.title)
        parts.append(title if value is True else labelled(title, spec.value_title(value)))
    if isinstance(tiles := category.facts.get("tiles"), str):
        parts.append(tr("tiles {tiles}", tiles=tiles))
    return ", ".join(parts)


def _specs(category: Category) -> tuple[ParameterSpec, ...]:
    return describe(catalog.puzzle(category.puzzle).spec.params)
