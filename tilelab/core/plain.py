"""Plain values: what JSON can hold, what a parameter can be, and arrays of any type."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from numpy.typing import NDArray

Value: TypeAlias = bool | int | float | str | None
"""A parameter's value; words of a choice are text."""
Values: TypeAlias = Mapping[str, Value]
"""Values of parameters by their names."""
Json: TypeAlias = "Value | Sequence[Json] | Mapping[str, Json]"
JsonObject: TypeAlias = Mapping[str, Json]

AnyArray: TypeAlias = NDArray[Any]
"""An array whose type only its owner knows; a file may bring any."""
Arrays: TypeAlias = dict[str, AnyArray]
Described: TypeAlias = "Json | AnyArray | Sequence[Described] | Mapping[str, Described]"
"""A part of a puzzle's description: JSON with arrays in it."""
Description: TypeAlias = Mapping[str, Described]
