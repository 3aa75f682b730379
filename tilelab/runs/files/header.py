"""The header of a run file, and the versions of the format that are read."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, FailFast, Field, JsonValue, ValidationError

from tilelab.core.errors import NotMadeError, RunFileError, errors_as, reason
from tilelab.core.randomness import MAX_SEED
from tilelab.core.solver import Status
from tilelab.core.text.language import marked
from tilelab.core.text.shown_text import shown_path
from tilelab.runs.files.array_zip import RawHeader
from tilelab.runs.limits import Limits

FORMAT = "tilelab-run"
FORMAT_VERSION = 4
# That of 1.0.0: it has fewer limits, of which the units have a former name, and is read as it is.
_FIRST_VERSION = 3
Count = Annotated[int, Field(ge=0, lt=2**63)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Name = Annotated[str, Field(max_length=200)]
Plain = bool | int | Finite | str | None
PlainValues = Annotated[dict[str, Plain], Field(max_length=1000)]


class Part(BaseModel):
    """A part of what is read from a file: strict, and without further fields."""

    # Strict: 1 is no True, "1" is no number, and 1.5 is no count.
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


P = TypeVar("P", bound=Part)


class PuzzlePart(Part):
    """The key of a puzzle and its description; arrays in it are written ``{"array": name}``."""

    key: Name
    description: dict[str, JsonValue]


class SolverPart(Part):
    key: Name
    version: Count
    params: PlainValues
    scalars: PlainValues


class LimitsPart(Limits):
    model_config = ConfigDict(strict=True)


class ChangePart(Part):
    unit: Count
    name: Name
    value: Plain


class BestPart(Part):
    """The best board found, for callers that read only the header; arrays contain all bests."""

    value: Finite
    unit: Count
    optimal: bool | None


class TracePart(Part):
    names: Annotated[list[Name], FailFast()]
    n_units: Count
    n_buckets: Annotated[int, Field(ge=2, le=1 << 20)]
    width: Annotated[int, Field(ge=1, lt=2**62)]


class RunHeader(Part):
    format: Name
    format_version: int
    program_version: Name
    key: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
    puzzle: PuzzlePart
    solver: SolverPart
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)]
    units: Count
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    evaluations: Count | None
    limits: LimitsPart
    status: Annotated[Status, Field(strict=False)]
    limit_reached: Name
    journal: Annotated[list[ChangePart], FailFast()]
    first_params: PlainValues | None = None  # of the first unit; None: those of the snapshot
    left_open: PlainValues = {}  # chosen values of the parameters that the solver settled
    best: BestPart | None
    trace: TracePart


def header_of(raw: RawHeader) -> RunHeader:
    """Validate the header of a version that is read; raises RunFileError."""
    if raw.get("format") != FORMAT:
        raise RunFileError.tr("it is another program's file: its header does not say tilelab-run")
    given = raw.get("format_version")
    if type(given) is not int or given < 1:
        raise RunFileError.tr(
            "its format version is {given!r}; versions count from 1", given=str(given)[:40]
        )
    if given > FORMAT_VERSION:
        raise RunFileError.tr(
            "it has format version {given}, of a newer program; this one reads up to {version}",
            given=given,
            version=FORMAT_VERSION,
        )
    if given < _FIRST_VERSION:
        raise RunFileError.tr("its format version {given} is no longer read", given=given)
    return validate_part(RunHeader, raw, marked("its header is wrong at {place}: {error}"))


def validate_part(kind: type[P], raw: object, text: str) -> P:
    """Make a part of plain values; raises RunFileError with a text about the first error."""
    try:
        return kind.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part)[:40] for part in first["loc"][:6])
        raise RunFileError.tr(text, place=place, error=first["msg"]) from None


def run_file_errors(file: Path) -> AbstractContextManager[None]:
    """Raise RunFileError for all that reading a file raises, except NotMadeError."""

    def report(error: Exception) -> Exception:
        if isinstance(error, NotMadeError):
            return error
        if isinstance(error, OSError):
            return RunFileError.tr(
                "{file} cannot be read: {reason}", file=shown_path(file), reason=reason(error)
            )
        return RunFileError.tr(
            "{name} cannot be opened: {reason}", name=shown_path(file.name), reason=reason(error)
        )

    return errors_as(report)
