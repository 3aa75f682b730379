"""The algorithms of papers with their parameters."""

import functools

from pydantic import BaseModel, ConfigDict, TypeAdapter

from tilelab.core.files.resources import resource
from tilelab.core.plain import Value


class Preset(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    solver: str
    params: dict[str, Value]  # parameters that differ from the defaults


class Paper(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    paper: str
    presets: tuple[Preset, ...]


@functools.cache
def papers(puzzle_key: str) -> tuple[Paper, ...]:
    """Return the papers on a puzzle; none is no error."""
    file = resource("presets", f"{puzzle_key}.json")
    if not file.is_file():
        return ()
    return TypeAdapter(tuple[Paper, ...]).validate_json(file.read_text("utf-8"))
