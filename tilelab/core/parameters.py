"""Declaration of parameters: panel, flags, sweep axes and error texts are made from it.

A puzzle or solver declares a frozen pydantic model whose fields are made with :func:`parameter`.
"""

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import NoneType
from typing import Any, ClassVar, TypeAlias, TypeVar, get_args

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
from tilelab.core.text.wording import in_sentence, meant, value_word


class Params(BaseModel):
    """Base of every parameter model: frozen, no unknown names, no silent rounding."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", validate_default=True, allow_inf_nan=False
    )

    earlier: ClassVar[Mapping[str, Value]] = {}  # values before a parameter was declared

    @model_validator(mode="before")
    @classmethod
    def _rename_former(cls, values: object) -> object:
        return current_names(cls, values) if isinstance(values, Mapping) else values


class Choice(enum.StrEnum):
    """Base of an enumeration for a parameter that is one of a few words."""


class OneOf:
    """Annotation of a text parameter; titles: returns the current words and their labels."""

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
MORE = marked("More")  # section of the control panel for parameters that are rarely needed
NONE = "none"  # word for None in flags and plans


@dataclass(frozen=True)
class ParameterSpec:
    """One declared parameter, for the panel, the command line and the sweeps."""

    name: str  # name in the model; with hyphens it is the command-line flag
    title: str
    kind: str  # 'int', 'float', 'bool' or 'choice'
    default: Value
    low: float | None  # smallest allowed value, or None
    high: float | None  # largest allowed value, or None
    above: float | None  # exclusive lower bound, or None
    optional: bool  # whether None ("no limit") is allowed
    choices: tuple[str, ...]  # the allowed words of a choice, in order; empty for other kinds
    choice_titles: tuple[str, ...]  # labels of the choices in the window, in the same order
    help: str
    unit: str = ""
    source: str = ""  # paper and section that the parameter comes from, or ''
    live: bool = False  # whether the parameter can be changed during a run
    forkable: bool = False  # whether a run can be forked with another value, as each live one can
    sizes_unit: bool = False  # whether it sets how many boards a unit of a search has
    group: str = ""  # section of the control panel; '' is the main one
    automatic: bool = False  # whether 0, or None if allowed, leaves the choice to the solver
    former: str = ""  # name in an earlier version, which files and flags may still use, or ''
    rare: bool = False  # whether the panel shows the parameter in the section *More*
    joined: bool = False  # whether the panel shows it in the line of the previous parameter

    @property
    def section(self) -> str:
        """Section of the control panel with this parameter; '' for the main one."""
        return MORE if self.rare else self.group

    def value_title(self, value: object) -> str:
        """Return a value as the window shows it: a choice by its label."""
        titles = dict(zip(self.choices, self.choice_titles, strict=True))
        return tr(titles[str(value)]) if str(value) in titles else value_word(value)

    def allowed(self) -> str:
        if self.optional:
            return tr("{allowed}, or {none}", allowed=self.allowed_value(), none=NONE)
        return self.allowed_value()

    def allowed_value(self) -> str:
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


FieldValue: TypeAlias = Any  # right-hand side of a declared field, for a field of any type


def parameter(
    default: Value,
    title: str,
    *,
    help: str,
    low: float | None = None,
    high: float | None = None,
    above: float | None = None,
    choice_titles: Mapping[str, str] | None = None,
    **more: str | bool,
) -> FieldValue:
    """Declare one field of a :class:`Params` model; more: fields of :class:`ParameterSpec`.

    low, high: inclusive bounds. above: an exclusive lower bound, instead of low and high.
    live: the value can be changed between two units.
    forkable: a solver can be restored with another value. Neither its state nor its results depend
    on the old value, and a unit keeps its meaning.
    """
    extra: FieldValue = {"choice_titles": dict(choice_titles or {}), **more}
    return Field(
        default=default,
        ge=low,
        le=high,
        gt=above,
        title=title,
        description=help,
        json_schema_extra=extra,
    )


def rows_parameter(default: int, low: int, high: int) -> FieldValue:
    """Declare the parameter for the rows of a board."""
    help_text = marked("Rows of the board.")
    return parameter(default, marked("Rows"), low=low, high=high, help=help_text)


def cols_parameter(default: int, low: int, high: int) -> FieldValue:
    """Declare the parameter for the columns of a board, shown next to its rows."""
    help_text = marked("Columns of the board.")
    return parameter(default, marked("Columns"), low=low, high=high, help=help_text, joined=True)


def describe(model: type[Params]) -> tuple[ParameterSpec, ...]:
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


def value_titles(specs: Mapping[str, ParameterSpec], name: str, value: object) -> tuple[str, str]:
    """Return the titles of a parameter, for a sentence, and of its value.

    A parameter that is not among the specs has its name.
    """
    if name not in specs:
        return name.replace("_", " "), value_word(value)
    return in_sentence(specs[name].title), specs[name].value_title(value)


def current_names(model: type[Params], values: Mapping[str, T]) -> dict[str, T]:
    """Return stored values by their current names; of two for one name, the later counts."""
    return {current_name(model, name): value for name, value in values.items()}


def current_name(model: type[Params], name: str) -> str:
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
        allowed = ", ".join(live) or tr("no parameter")
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
            return ParameterError.tr(
                "{name} is not a parameter; the parameters are {known}",
                name=shortened(name),
                known=", ".join(specs),
            )
        return ParameterError(name, str(first.get("ctx", {}).get("error", first["msg"])))
    spec, value = specs[name], given.get(name, first.get("input"))
    if first["type"] in ("greater_than_equal", "less_than_equal") and spec.high is not None:
        bounds = f"{_plain(spec.low or 0)}..{_plain(spec.high)}"
        return ParameterError.tr(
            "{name}: {value} is outside {bounds}",
            name=name,
            value=shortened(str(value)),
            bounds=bounds,
        )
    return _refused(spec, value)


def _read(spec: ParameterSpec, text: str) -> Value:
    if text == NONE and spec.optional:
        return None
    try:
        return {"int": whole_from, "float": number_from}.get(spec.kind, str)(text)
    except ValueError:
        raise _refused(spec, text) from None


def _refused(spec: ParameterSpec, value: object) -> ParameterError:
    name, near = spec.name, meant(str(value), spec.choices)
    texts = {"name": name, "value": quoted(value), "allowed": f"{spec.allowed()}{near}"}
    if spec.kind == "choice":
        return ParameterError(name, tr("{name}: {value} is not one of {allowed}", **texts))
    return ParameterError(name, tr("{name}: {value} is not {allowed}", **texts))


def _spec(name: str, field: FieldInfo) -> ParameterSpec:
    kinds = get_args(field.annotation) or (field.annotation,)  # with that of None, if it is allowed
    (kind_type,) = (kind for kind in kinds if kind is not NoneType)
    assert isinstance(kind_type, type)
    extra: FieldValue = field.json_schema_extra
    assert isinstance(extra, dict), f"{name} is not declared with parameter()"
    titles, more = extra["choice_titles"], {**extra}
    del more["choice_titles"]
    more["forkable"] = more.get("forkable", False) or more.get("live", False)
    kind = kind_type.__name__
    choices: tuple[str, ...] = ()
    if issubclass(kind_type, Choice):
        kind, choices = "choice", tuple(choice.value for choice in kind_type)
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
        optional=len(kinds) > 1,
        choices=choices,
        choice_titles=tuple(str(titles.get(choice, choice)) for choice in choices),
        help=field.description or "",
        **more,
    )


def _bound(field: FieldInfo, rule: str) -> float | None:
    return next((getattr(part, rule) for part in field.metadata if hasattr(part, rule)), None)


def _plain(number: float) -> str:
    return f"{number:g}" if number != int(number) else str(int(number))
