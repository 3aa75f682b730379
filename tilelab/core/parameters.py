"""Declaration of parameters: panel, flags, sweep axes and error texts are made from it.

A puzzle or solver declares a frozen pydantic model whose fields are made with :func:`parameter`.
"""

import enum
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, TypeAlias, TypeVar, Union, get_args, get_origin

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ValidationError,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema
from pydantic_core.core_schema import no_info_after_validator_function

from tilelab.core.errors import ParameterError
from tilelab.core.plain import Value, number_from, whole_from
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import quoted, shortened
from tilelab.core.text.wording import meant


class Params(BaseModel):
    """Base of every parameter model: frozen, no unknown names, no silent rounding."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", validate_default=True, allow_inf_nan=False
    )

    earlier: ClassVar[Mapping[str, Value]] = {}
    """Values of a parameter in runs before it was declared, if different from its default."""

    @model_validator(mode="before")
    @classmethod
    def _rename_former(cls, values: object) -> object:
        return current_names(cls, values) if isinstance(values, Mapping) else values


class Choice(enum.StrEnum):
    """Base of an enumeration for a parameter that is one of a few words."""


class OneOf:
    """Annotation of a text parameter whose allowed words may grow, for example by plug-ins.

    titles: returns the current words and their labels.
    """

    def __init__(self, titles: Callable[[], Mapping[str, str]]) -> None:
        self.titles = titles

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return no_info_after_validator_function(self._known, handler(source))

    def _known(self, word: str) -> str:
        if word not in self.titles():
            raise ValueError(word)
        return word


P = TypeVar("P", bound=Params)
T = TypeVar("T")
MORE = marked("More")
"""Section of the control panel for parameters that are rarely needed."""
NONE = "none"
"""Word for None in flags and plans."""


@dataclass(frozen=True)
class ParameterSpec:
    """One declared parameter, for the panel, the command line and the sweeps."""

    name: str
    """Name in the model; with hyphens it is the command-line flag."""
    title: str
    """Label in the window."""
    kind: str
    """'int', 'float', 'bool' or 'choice'."""
    default: Value
    low: float | None
    """Smallest allowed value, or None."""
    high: float | None
    """Largest allowed value, or None."""
    above: float | None
    """Exclusive lower bound, or None."""
    optional: bool
    """Whether None ("no limit") is allowed."""
    choices: tuple[str, ...]
    """The allowed words of a choice, in order; empty for other kinds."""
    choice_titles: tuple[str, ...]
    """Labels of the choices in the window, in the same order."""
    unit: str
    help: str
    source: str
    """Paper and section that the parameter comes from, or ''."""
    live: bool
    """Whether the parameter can be changed during a run."""
    forkable: bool
    """Whether a run can be forked with another value; every live parameter can."""
    group: str
    """Section of the control panel; '' is the main one."""
    automatic: bool
    """Whether 0, or None if allowed, leaves the choice to the solver."""
    former: str
    """Name in an earlier version, which run files, records and flags may still use, or ''."""
    rare: bool
    """Whether the parameter is rarely needed."""
    joined: bool
    """Whether the control panel shows the parameter in the line of the previous one."""

    @property
    def section(self) -> str:
        """Section of the control panel with this parameter; '' for the main one."""
        return MORE if self.rare else self.group

    def allowed(self) -> str:
        """Describe the allowed values in words."""
        if self.optional:
            return tr("{allowed}, or {none}", allowed=self.allowed_value(), none=NONE)
        return self.allowed_value()

    def allowed_value(self) -> str:
        """Describe the allowed values, other than None, in words."""
        if self.kind == "choice":
            return ", ".join(self.choices)
        if self.kind == "bool":
            return tr("true or false")
        whole = tr("a whole number") if self.kind == "int" else tr("a number")
        if self.low is not None and self.high is not None:
            return tr(
                "{kind} in {low}..{high}", kind=whole, low=_plain(self.low), high=_plain(self.high)
            )
        if self.above is not None:
            return tr("{kind} above {low}", kind=whole, low=_plain(self.above))
        if self.low is not None:
            return tr("{kind} from {low} up", kind=whole, low=_plain(self.low))
        return whole


FieldValue: TypeAlias = Any
"""Type of the right-hand side of a declared field, for a field of any type."""


def parameter(
    default: Value,
    title: str,
    *,
    help: str,
    low: float | None = None,
    high: float | None = None,
    above: float | None = None,
    unit: str = "",
    source: str = "",
    live: bool = False,
    forkable: bool = False,
    group: str = "",
    choice_titles: Mapping[str, str] | None = None,
    automatic: bool = False,
    former: str = "",
    rare: bool = False,
    joined: bool = False,
) -> FieldValue:
    """Declare one field of a :class:`Params` model.

    low, high: inclusive bounds. above: an exclusive lower bound, instead of low and high.
    live: the value can be changed between two units.
    forkable: a solver can be restored with another value. Nothing in its state then depends on the
    old value, no result requires the value to be the same from the first unit on, and a unit keeps
    its meaning.
    rare: the panel shows the parameter in the section *More*. joined: the panel shows it in the
    line of the previous parameter; use this if both are small numbers.
    """
    return Field(
        default=default,
        ge=low,
        le=high,
        gt=above,
        title=title,
        description=help,
        json_schema_extra={
            "unit": unit,
            "source": source,
            "live": live,
            "forkable": live or forkable,
            "group": group,
            "choice_titles": dict(choice_titles or {}),
            "automatic": automatic,
            "former": former,
            "rare": rare,
            "joined": joined,
        },
    )


def describe(model: type[Params]) -> tuple[ParameterSpec, ...]:
    """Return the parameters of a model in the order of their declaration."""
    known = _lasting_specs(model)
    return tuple(
        known.get(name) or _spec(name, field) for name, field in model.model_fields.items()
    )


@cache
def _lasting_specs(model: type[Params]) -> dict[str, ParameterSpec]:
    """Describe the parameters whose choices never change, unlike those of :class:`OneOf`."""
    return {
        name: _spec(name, field)
        for name, field in model.model_fields.items()
        if not any(isinstance(part, OneOf) for part in field.metadata)
    }


def validate(model: type[P], values: Mapping[str, object]) -> P:
    """Make a model from plain values; raises the first error as a :class:`ParameterError`.

    The word :data:`NONE` means None if that is allowed; flags and plans need such a word.
    """
    specs = {name: spec for spec in describe(model) for name in (spec.name, spec.former) if name}
    plain = {
        name: _read(specs[name], value) if name in specs and isinstance(value, str) else value
        for name, value in values.items()
    }
    # A file may have a hundred thousand unknown names; the message needs only one.
    for name in [name for name in plain if name not in specs][1:]:
        del plain[name]
    try:
        return model(**plain)
    except ValidationError as error:
        raise _first_error(model, error, values) from None


def kept_params(model: type[P], values: Mapping[str, object]) -> P:
    """Make a model from the stored values of a run, of this version or an earlier one."""
    return validate(model, {**model.earlier, **values})


def current_names(model: type[Params], values: Mapping[str, T]) -> dict[str, T]:
    """Return stored values by their current names.

    If a value has both its current and its former name, the later one counts.
    """
    return {current_name(model, name): value for name, value in values.items()}


def current_name(model: type[Params], name: str) -> str:
    """Return the current name for a current or former name."""
    return next((spec.name for spec in describe(model) if spec.former == name), name)


def with_former_names(model: type[Params], values: Mapping[str, T]) -> dict[str, T]:
    """Return values by both current and former names, for programs that read the latter."""
    former = {spec.name: spec.former for spec in describe(model) if spec.former}
    return {**values, **{former[name]: values[name] for name in former if name in values}}


def replaced(params: P, **changes: object) -> P:
    """Return the parameters with some values changed; these are validated."""
    return validate(type(params), {**params.model_dump(), **changes})


def live_value(params: P, name: str, value: object) -> P:
    """Return parameters with one live value changed; raises ParameterError for other names."""
    live = [spec.name for spec in describe(type(params)) if spec.live]
    name = current_name(type(params), name)
    if name not in live:
        allowed = ", ".join(live) or "none"
        raise ParameterError(
            name,
            tr(
                "{name} cannot be changed during a run; these can: {allowed}",
                name=shortened(name),
                allowed=allowed,
            ),
        )
    return replaced(params, **{name: value})


def _first_error(
    model: type[Params], error: ValidationError, given: Mapping[str, object]
) -> ParameterError:
    first = error.errors()[0]
    name = str(first["loc"][0]) if first["loc"] else ""
    specs = {spec.name: spec for spec in describe(model)}
    if name not in specs:
        if first["type"] == "extra_forbidden":
            return ParameterError(
                name,
                tr(
                    "{name} is not a parameter; the parameters are {known}",
                    name=shortened(name),
                    known=", ".join(specs),
                ),
            )
        return ParameterError(name, str(first.get("ctx", {}).get("error", first["msg"])))
    spec, value = specs[name], given.get(name, first.get("input"))
    if first["type"] in ("greater_than_equal", "less_than_equal") and spec.high is not None:
        bounds = f"{_plain(spec.low or 0)}..{_plain(spec.high)}"
        return ParameterError(
            name,
            tr(
                "{name}: {value} is outside {bounds}",
                name=name,
                value=shortened(str(value)),
                bounds=bounds,
            ),
        )
    return _refused(spec, value)


def _read(spec: ParameterSpec, text: str) -> Value:
    """Read a value from the text of a flag or a plan."""
    if text == NONE and spec.optional:
        return None
    try:
        return {"int": whole_from, "float": number_from}.get(spec.kind, str)(text)
    except ValueError:
        raise _refused(spec, text) from None


def _refused(spec: ParameterSpec, value: object) -> ParameterError:
    name, near, allowed = spec.name, meant(str(value), spec.choices), spec.allowed()
    if spec.kind == "choice":
        allowed = tr("one of {choices}", choices=allowed)
    return ParameterError(
        name,
        tr(
            "{name}: {value} is not {allowed}",
            name=name,
            value=quoted(value),
            allowed=f"{allowed}{near}",
        ),
    )


def _spec(name: str, field: FieldInfo) -> ParameterSpec:
    kind_type, optional = _unwrap(field.annotation)
    extra = field.json_schema_extra
    assert isinstance(extra, dict), f"{name} is not declared with parameter()"
    kind = kind_type.__name__
    choices: tuple[str, ...] = ()
    if issubclass(kind_type, Choice):
        kind, choices = "choice", tuple(choice.value for choice in kind_type)
    given = extra["choice_titles"]
    assert isinstance(given, dict)
    titles: Mapping[str, object] = given
    for words in (part for part in field.metadata if isinstance(part, OneOf)):
        titles = words.titles()
        kind, choices = "choice", tuple(titles)
    return ParameterSpec(
        name=name,
        title=field.title or name,
        kind=kind,
        default=field.default,
        low=_bound(field, "ge"),
        high=_bound(field, "le"),
        above=_bound(field, "gt"),
        optional=optional,
        choices=choices,
        choice_titles=tuple(str(titles.get(choice, choice)) for choice in choices),
        unit=str(extra["unit"]),
        help=field.description or "",
        source=str(extra["source"]),
        live=bool(extra["live"]),
        forkable=bool(extra["forkable"]),
        group=str(extra["group"]),
        automatic=bool(extra["automatic"]),
        former=str(extra["former"]),
        rare=bool(extra["rare"]),
        joined=bool(extra["joined"]),
    )


def _unwrap(annotation: object) -> tuple[type, bool]:
    optional = False
    if get_origin(annotation) in (Union, types.UnionType):
        (inner,) = (part for part in get_args(annotation) if part is not type(None))
        annotation, optional = inner, True
    assert isinstance(annotation, type)
    return annotation, optional


def _bound(field: FieldInfo, rule: str) -> float | None:
    return next((getattr(part, rule) for part in field.metadata if hasattr(part, rule)), None)


def _plain(number: float) -> str:
    return f"{number:g}" if number != int(number) else str(int(number))
