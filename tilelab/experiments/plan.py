"""The plan of a sweep: a TOML file with solvers, instances, repeats and limits."""

import contextlib
import itertools
import math
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    ValidationInfo,
)
from pydantic_core import ErrorDetails

from tilelab.core.errors import ParameterError, TileLabError, UsageError
from tilelab.core.files.paths import expanded, path_text, read_text
from tilelab.core.flags import Flag, is_written_out
from tilelab.core.parameters import (
    NONE,
    FieldValue,
    ParameterSpec,
    Params,
    current_name,
    describe,
    parameter,
    validate,
)
from tilelab.core.plain import Value, parse_toml
from tilelab.core.randomness import MAX_SEED
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import quoted, shortened, shown_path
from tilelab.core.text.wording import meant
from tilelab.runs.limits import Limits

MAX_BYTES = 1_000_000  # largest size of a plan's file, in bytes
MAX_VALUES = 100_000  # of a JSON text: an empty list takes 3 bytes, and up to 150 in memory
MAX_RANGE_VALUES = 1_000_000  # of all ranges of a plan: the same as that of runs
MAX_REPEATS = MAX_INSTANCES = 1_000_000
MIN_MEGABYTES = 16
MAX_TRIALS = 100_000
MAX_RUNGS = 6
Scalar = bool | int | float | str
_RANGE = ("from", "to", "step")
_A_SOLVER = marked("one table [[solvers]] at least")
_AXIS = marked("a list of values, or a range such as {from = 0, to = 100, step = 10}")


def _scalar(value: object) -> Scalar:
    if isinstance(value, bool | int | str) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise ValueError(tr("a number, a text, true or false"))


def _axis(value: object, info: ValidationInfo) -> tuple[Scalar, ...]:
    """Return the values of an axis: a list, or a range that ends with ``to`` at the latest."""
    if isinstance(value, Mapping):
        return tuple(_range(value, info.context or {"n_values": 0}))
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= MAX_VALUES:
        raise ValueError(tr(_AXIS))
    values = tuple(_scalar(each) for each in value)
    # 5 and 5.0 are the same, 1 and true are not.
    if len({(isinstance(each, bool), each) for each in values}) < len(values):
        raise ValueError(tr("a list without equal values"))
    return values


def _range(table: Mapping[str, object], ranges: dict[str, int]) -> Iterable[Scalar]:
    given = {"step": 1, **table}
    numbers = {
        name: each
        for name, each in given.items()
        if isinstance(each, int | float) and not isinstance(each, bool) and math.isfinite(each)
    }
    if sorted(numbers) != sorted(_RANGE) or len(numbers) < len(given):
        raise ValueError(tr(_AXIS))
    first, last, step = (numbers[name] for name in _RANGE)
    # Half a step of one millionth: 0, 0.1 … 1 ends with 1, whatever rounding does.
    n_steps = math.floor((last - first) / step + 1e-6) if step > 0 else -1
    if not 0 <= n_steps < MAX_VALUES:
        text = tr("a range upwards of {count} values at most", count=figures(MAX_VALUES, ","))
        raise ValueError(text)
    ranges["n_values"] += n_steps + 1
    if ranges["n_values"] > MAX_RANGE_VALUES:
        count = figures(MAX_RANGE_VALUES, ",")
        raise ValueError(tr("one of ranges that have {count} values together at most", count=count))
    is_whole = all(isinstance(each, int) for each in (first, step))
    values = (first + index * step for index in range(n_steps + 1))
    # 0.1 * 3 is 0.30000000000000004, which is never meant.
    return values if is_whole else (float(f"{value:.12g}") for value in values)


PlainScalar = Annotated[Scalar, PlainValidator(_scalar)]
Axis = Annotated[tuple[Scalar, ...], BeforeValidator(_axis)]


def _key(allowed: str, default: FieldValue = ..., **bounds: FieldValue) -> FieldValue:
    """Declare a key. allowed: completes a sentence on a wrong value; a text of the catalogues."""
    return Field(default=default, description=allowed, **bounds)


def _whole(low: int, high: int, default: int | None) -> FieldValue:
    allowed = marked("a whole number in {low}..{high}")
    return _key(allowed, default, ge=low, le=high, json_schema_extra={"low": low, "high": high})


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class PuzzleTable(_Table):
    """``[puzzle]``: its kind, and the values of its `tilelab run` flags, by name."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, PlainScalar]

    kind: str = _key(marked("the word of a puzzle"))
    axes: dict[str, Axis] = _key(marked("a table of axes"), {})

    @property
    def values(self) -> dict[str, Scalar]:
        return dict(self.__pydantic_extra__)


class InstancesTable(_Table):
    """``[instances]``: random ones, or some of those that the puzzle's table names."""

    random: int | None = _whole(1, MAX_INSTANCES, None)
    # Of the first; each further one has the next. None: they follow from the master seed.
    seed: int | None = _whole(0, MAX_SEED, None)
    numbers: Axis | None = _key(_AXIS, None)  # numbers of the instances that are used, from 1


class SolverTable(_Table):
    """``[[solvers]]``: a solver, its parameters, and the axes of those that vary."""

    solver: str = _key(marked("the word of a solver"))
    params: dict[str, PlainScalar] = _key(marked("a table of parameters"), {})
    axes: dict[str, Axis] = _key(marked("a table of axes"), {})


class LimitsTable(Limits):
    """``[limits]``: the limits of a run, and the memory limit of its solver."""

    model_config = ConfigDict(strict=True)

    memory: int | None = parameter(
        None,
        marked("Memory, MB"),
        low=MIN_MEGABYTES,
        help=marked("For solvers that keep many boards"),
    )


class TuneTable(_Table):
    """``[tune]``: how to search the axes of the one solver for their best values."""

    trials: int = _whole(1, MAX_TRIALS, 60)
    of: str = _key(marked("a figure of a run"), "value")  # the figure whose mean is optimized
    # None: costs become smaller, all else larger.
    direction: Literal["maximize", "minimize"] | None = _key(marked("maximize or minimize"), None)
    # Steps to the whole limits, each three times the previous one; 1: no trial ends early.
    rungs: int = _whole(1, MAX_RUNGS, 3)
    # Last instances, or further repeats of a single one, on which best and default are compared.
    held_out: int = _whole(2, MAX_REPEATS, 30)


def _tables(value: object) -> object:
    if not isinstance(value, list | tuple) or not value:
        raise ValueError(tr(_A_SOLVER))
    return tuple(value)


class Plan(_Table):
    title: str = _key(marked("a text"), "")
    seed: int = _whole(0, MAX_SEED, 1)  # master seed, from which that of each run follows
    repeats: int = _whole(1, MAX_REPEATS, 1)  # runs of each setting on each instance
    first_repeat: int | None = _whole(1, MAX_REPEATS, None)  # continues another plan; None: 1
    paired: bool = _key(marked("true or false"), True)  # whether all settings have the same seeds
    puzzle: PuzzleTable = _key(marked("a table"))
    instances: InstancesTable = _key(marked("a table"), InstancesTable())
    solvers: Annotated[tuple[SolverTable, ...], BeforeValidator(_tables)] = _key(_A_SOLVER)
    limits: LimitsTable = _key(marked("a table"), LimitsTable())
    # For `tilelab tune`; other commands ignore it.
    tune: TuneTable | None = _key(marked("a table"), None)


def read_plan(file: str | Path) -> Plan:
    """Read a plan; raises TileLabError, with key and value of the first error."""
    path = expanded(file)
    return parse_plan(read_text(path, MAX_BYTES), shown_path(path))


def parse_plan(text: str, name: str) -> Plan:
    """Make a plan of the text of its file; raises as :func:`read_plan`. name: for the errors."""
    return plan_of(parse_plan_toml(text, name))


def parse_plan_toml(text: str, name: str) -> dict[str, object]:
    """Read the values of a TOML text; raises TileLabError. name: for the error."""
    try:
        return parse_toml(text)
    except (tomllib.TOMLDecodeError, TileLabError) as error:
        raise TileLabError.tr("{name} is not TOML: {reason}", name=name, reason=error) from None


def plan_of(raw: Mapping[str, object]) -> Plan:
    """Make a plan of plain values; raises UsageError with key and value of the first error."""
    try:
        return Plan.model_validate(dict(raw), context={"n_values": 0})
    except ValidationError as error:
        raise _sentence(error.errors()[0]) from None


def validate_limits(values: Mapping[str, object]) -> Limits:
    """Make the limits of a run of plain values; raises UsageError with the first error."""
    try:
        return run_limits(LimitsTable.model_validate(dict(values)).model_dump(exclude_unset=True))
    except ValidationError as error:
        raise _sentence(error.errors()[0], "limits") from None


def run_limits(table: Mapping[str, object]) -> Limits:
    """Return the limits of a table that end a run, without the memory limit of the solver."""
    return Limits(**{name: value for name, value in table.items() if name != "memory"})


def combinations(
    fixed: Mapping[str, Scalar], axes: Mapping[str, Sequence[Scalar]]
) -> list[dict[str, Scalar]]:
    """Return all settings: the fixed values with one of each axis, the last changing first."""
    return [
        {**fixed, **dict(zip(axes, chosen, strict=True))}
        for chosen in itertools.product(*axes.values())
    ]


def unknown_key(key: str, known: Iterable[str]) -> UsageError:
    table, _, name = key.rpartition(".")
    keys = list(known)
    texts = {"key": shortened(key), "meant": meant(name, keys), "known": ", ".join(keys)}
    if table:
        return UsageError.tr(
            "{key} is not a key of [{table}]{meant}; the keys are {known}", table=table, **texts
        )
    return UsageError.tr("{key} is not a key of a plan{meant}; the keys are {known}", **texts)


def _sentence(error: ErrorDetails, *above: str) -> UsageError:
    """Return an error as a sentence with key, value and what is allowed."""
    table, key, allowed = _find_declaration((*above, *error["loc"]))
    if error["type"] == "extra_forbidden":
        return unknown_key(key, table.model_fields)
    if error["type"] == "missing":
        return UsageError.tr("{key} is missing; it is {allowed}", key=key, allowed=allowed)
    if error["type"] == "value_error":
        allowed = str(error["ctx"]["error"])
    return UsageError.tr(
        "{key}: {value} is not {allowed}", key=key, value=quoted(error["input"]), allowed=allowed
    )


def _find_declaration(place: Sequence[int | str]) -> tuple[type[BaseModel], str, str]:
    """Return the table of an error's place, its key in the file, and what is allowed."""
    table: type[BaseModel] = Plan
    tables: dict[str, type[BaseModel]] = {
        "puzzle": PuzzleTable,
        "instances": InstancesTable,
        "limits": LimitsTable,
        "tune": TuneTable,
    }
    key, allowed = "", tr("a table")
    for depth, part in enumerate(place):
        if isinstance(part, int):
            key, table, allowed = f"{key}[{part + 1}]", SolverTable, tr("a table")
            continue
        key = f"{key}.{part}" if key else part
        if part in table.model_fields:
            field = table.model_fields[part]
            allowed, bounds = field.description or "", field.json_schema_extra
            allowed = tr(allowed, **(bounds if isinstance(bounds, dict) else {}))
            if issubclass(table, Params):
                (spec,) = (spec for spec in describe(table) if spec.name == part)
                allowed = spec.allowed_value()
        if depth == 0:
            table = tables.get(part, table)
    return table, key, allowed


def check_puzzle_value(
    table: str, name: str, value: Scalar, model: type[Params], names: Sequence[str]
) -> None:
    """Raise UsageError for a value that a puzzle's table, if it has a name, cannot have."""
    spec = spec_of(model, name)
    if spec is not None:
        check_kind(f"{table}.{name}" if table else name, spec, value)
        with name_errors(table):
            validate(model, {name: value})
    elif name not in names:
        more = ["kind", "axes"] if table == "puzzle" else []
        raise unknown_key(f"{table}.{name}", [*more, *names])


def as_flag(name: str, value: Scalar, own: Sequence[Flag], folder: Path | None) -> Value:
    if isinstance(value, bool):
        return value
    text = str(value)
    flag = next((flag for flag in own if flag.name == name), None)
    if flag is None or not flag.takes_file or is_written_out(text):
        return text
    # The path of a file is relative to the folder of the plan.
    return text if text in flag.known() else path_text(expanded(text, folder).absolute())


def spec_of(model: type[Params], name: str) -> ParameterSpec | None:
    present = current_name(model, name)
    return next((spec for spec in describe(model) if spec.name == present), None)


def check_kind(key: str, spec: ParameterSpec, value: Scalar) -> None:
    """Raise for a text or a boolean in place of a number, which pydantic would accept."""
    is_bool, is_text = isinstance(value, bool), isinstance(value, str)
    if value == NONE and spec.optional:
        return
    if is_bool != (spec.kind == "bool") or is_text != (spec.kind == "choice"):
        raise UsageError.tr(
            "{key}: {value} is not {allowed}", key=key, value=quoted(value), allowed=spec.allowed()
        )


@contextlib.contextmanager
def name_errors(key: str, value: str | None = None) -> Iterator[None]:
    """Name an error by a key of the plan instead of a flag or a parameter; key: of the table."""
    before = f"{key}." if key else ""
    try:
        yield
    except TileLabError as error:
        text = str(error)
        if value is not None:
            raise UsageError(f"{key}: {text}") from None
        if isinstance(error, ParameterError) and error.name and text.startswith(error.name):
            raise UsageError(before + text) from None
        renamed = re.sub(
            r"--([a-z][a-z-]*)", lambda found: before + found[1].replace("-", "_"), text
        )
        if not key and renamed == text:
            raise
        kind = UsageError if isinstance(error, UsageError) else TileLabError
        raise kind(renamed if renamed != text or not key else f"{key}: {text}") from None
