"""What a user can set for all windows: one typed model, with titles, help and defaults.

The dialog, its reset and the table in the manual are made from it; :class:`Settings` keeps the
values under the names that they have had since version 1.0.0.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from tilelab.core.text.language import LANGUAGES, marked
from tilelab.gui.widgets.theme import TITLES

PERCENTS = (100, 125, 150, 175, 200)
"""Sizes of texts."""


class Preferences(BaseModel):
    """The preferences that are in force."""

    model_config = ConfigDict(frozen=True)

    theme: Literal["light", "dark", "contrast-light", "contrast-dark", "system"] = Field(
        default="system",
        title=marked("Theme"),
        description=marked("“Like the system” also follows its setting for high contrast."),
    )
    text_size: Literal[100, 125, 150, 175, 200] = Field(
        default=100,
        title=marked("Size of texts"),
        description=marked("Fields, rows and boards grow with the texts."),
    )
    language: Literal["", "en", "de", "fr", "es"] = Field(
        default="",
        title=marked("Language"),
        description=marked("The window is rebuilt with everything that it shows."),
    )
    remember_choices: bool = Field(
        default=True,
        title=marked("Begin with the last puzzle, lexicon, size and solver"),
        description=marked("Otherwise each start begins with the defaults."),
    )
    fold_accents: bool = Field(
        default=False,
        title=marked("Fold accents when loading"),
        description=marked("Read é as e; otherwise they are different letters"),
    )
    next_seed: bool = Field(
        default=True,
        title=marked("START AGAIN takes the next seed"),
        description=marked("Otherwise it makes the same run again."),
    )
    animate_slides: bool = Field(
        default=True,
        title=marked("Animate slides"),
        description=marked("Tiles slide to their places; otherwise they jump."),
    )
    arrows_move_blank: bool = Field(
        default=False,
        title=marked("Arrow keys move the blank"),
        description=marked("Otherwise they move the tile next to it, in the other direction."),
    )


class Stored(NamedTuple):
    """Where the settings keep a preference."""

    name: str
    is_inverted: bool = False
    """Whether the setting says no where the preference says yes."""


STORED = {name: Stored(name) for name in Preferences.model_fields} | {
    "remember_choices": Stored("forget_choices", is_inverted=True),
    "animate_slides": Stored("no_slide_animation", is_inverted=True),
}


def choices(name: str) -> Mapping[str | int, str]:
    """Return the values of a preference that is no yes or no, and what each is called in English.

    Languages are called by their own names, so that a user finds one who cannot read the others.
    """
    if name == "text_size":
        return {percent: f"{percent} %" for percent in PERCENTS}
    values = {"theme": TITLES, "language": {"": marked("Like the system"), **LANGUAGES}}
    return dict(values.get(name, {}).items())
