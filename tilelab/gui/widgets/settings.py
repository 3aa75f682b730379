"""The settings of the window: place, theme, open sections, files, folder, last choices.

The preferences of all windows are a typed model with titles, help and defaults. The dialog, its
reset and the table in the manual are made from it; :class:`Settings` stores the values under the
same names since version 1.0.0.
"""

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

import platformdirs
from pydantic import BaseModel, ConfigDict, Field
from PySide6.QtCore import QByteArray, QSettings

from tilelab.core.files.paths import is_folder, path_from, path_text
from tilelab.core.text.language import LANGUAGES, marked, tr
from tilelab.gui.widgets.theme import TITLES
from tilelab.runs.files.atomic import private_file, private_folder

PERCENTS = (100, 125, 150, 175, 200)  # sizes of texts in percent


class Preferences(BaseModel):
    """Preferences in force."""

    model_config = ConfigDict(frozen=True)

    theme: Literal["light", "dark", "contrast-light", "contrast-dark", "system"] = Field(
        default="system",
        title=marked("Theme"),
        description=marked("“Like the system” also follows its setting for high contrast."),
    )
    text_size: Literal[100, 125, 150, 175, 200] = Field(
        default=100,
        title=marked("Text size"),
        description=marked("Fields, rows and boards grow with the text."),
    )
    language: Literal["", "en", "de", "fr", "es"] = Field(
        default="",
        title=marked("Language"),
        description=marked("The window changes at once and keeps everything that it shows."),
    )
    remember_choices: bool = Field(
        default=True,
        title=marked(
            "Begin with the last puzzle, lexicon, size, rules, start board, solver and speed"
        ),
        description=marked("Otherwise each start begins with the defaults."),
    )
    fold_accents: bool = Field(
        default=False,
        title=marked("Fold accents when loading"),
        description=marked("Read é as e; otherwise they are different letters."),
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


class StoredPreference(NamedTuple):
    """Name and form of a preference in the settings file."""

    name: str
    is_inverted: bool = False  # whether the stored value is the inverse of the preference


STORED = {name: StoredPreference(name) for name in Preferences.model_fields} | {
    "remember_choices": StoredPreference("forget_choices", is_inverted=True),
    "animate_slides": StoredPreference("no_slide_animation", is_inverted=True),
}


def choices(name: str) -> Mapping[str | int, str]:
    """Return the values of a preference that is not a flag, and their English titles.

    Languages have their own names, so that users find theirs.
    """
    if name == "text_size":
        return {percent: f"{percent} %" for percent in PERCENTS}
    values = {"theme": TITLES, "language": {"": marked("Like the system"), **LANGUAGES}}
    return dict(values.get(name, {}).items())


def language_title() -> str:
    """Return the title of the choice, also for users who cannot read the language that is shown."""
    title = tr("Language")
    return title if title == "Language" else f"{title} (Language)"


MAX_RECENT = 8
_LIST_SEPARATOR = "\n"


def default_file() -> Path:
    """Return the settings file: in ``TILELAB_CONFIG_DIR``, or in the user's own folder."""
    folder = os.environ.get("TILELAB_CONFIG_DIR") or platformdirs.user_config_dir("tilelab")
    return Path(folder) / "window.ini"


class Settings:
    """Named values in an INI file; unreadable values count as not set."""

    def __init__(self, file: Path | None = None) -> None:
        path = default_file() if file is None else file
        self._file = path
        self._close_to_others()
        self._values = QSettings(str(path), QSettings.Format.IniFormat)
        self._preferences: Preferences | None = None
        """Preferences in force; None if they must be read again."""

    def bytes(self, name: str) -> QByteArray:
        """Return a geometry or splitter state; empty if not set."""
        value = self._values.value(name)
        return value if isinstance(value, QByteArray) else QByteArray()

    def set_bytes(self, name: str, value: QByteArray) -> None:
        self._values.setValue(name, value)

    def flag(self, name: str) -> bool:
        """Return a flag; False if not set."""
        return str(self._values.value(name, "")).lower() == "true"

    def set_flag(self, name: str, value: bool) -> None:
        self.set_text(name, "true" if value else "false")

    def text(self, name: str) -> str:
        """Return a text; '' if not set."""
        value = self._values.value(name, "")
        return value if isinstance(value, str) else ""

    def set_text(self, name: str, value: str) -> None:
        self._values.setValue(name, value)
        self._preferences = None

    def lines(self, name: str) -> list[str]:
        return [line for line in self.text(name).split(_LIST_SEPARATOR) if line]

    def set_lines(self, name: str, lines: list[str]) -> None:
        self._values.setValue(name, _LIST_SEPARATOR.join(lines))

    @property
    def preferences(self) -> Preferences:
        """All preferences; those not set or unreadable are at their defaults."""
        if self._preferences is None:
            self._preferences = self._read_preferences()
        return self._preferences

    def _read_preferences(self) -> Preferences:
        values: dict[str, object] = {}
        for name, stored in STORED.items():
            if choices(name):
                text = self.text(stored.name)
                default = Preferences.model_fields[name].default
                values[name] = next((one for one in choices(name) if str(one) == text), default)
            elif self.text(stored.name):
                values[name] = self.flag(stored.name) != stored.is_inverted
        return Preferences.model_validate(values)

    def set_preference(self, name: str, value: str | int | bool) -> None:
        stored = STORED[name]
        if isinstance(value, bool):
            self.set_flag(stored.name, value != stored.is_inverted)
        else:
            self.set_text(stored.name, str(value))

    @property
    def folder(self) -> Path:
        """Return the folder that was used last, or the home folder."""
        path = path_from(self.text("folder") or str(Path.home()))
        return path if is_folder(path) else Path.home()

    @folder.setter
    def folder(self, path: Path) -> None:
        # Qt's dialogs cannot show a folder whose name is not valid text; use its nearest parent.
        shown = next(one for one in (path, *path.parents) if path_text(one) == str(one))
        self._values.setValue("folder", str(shown))

    def folder_or(self, usual: Path) -> Path:
        """Return the folder that was used last, or if there is none, the usual one if it exists."""
        return usual if not self.text("folder") and is_folder(usual) else self.folder

    def recent(self, kind: str = "recent") -> list[Path]:
        """Return the files of a kind that were loaded last, newest first."""
        return [path_from(line) for line in self.lines(kind)[:MAX_RECENT]]

    def add_recent(self, path: Path, kind: str = "recent") -> None:
        """Put a file first among the recent ones of its kind, unless its name has a line break."""
        whole = path.expanduser().resolve()
        if _LIST_SEPARATOR in str(whole):
            return
        others = [other for other in self.recent(kind) if other != whole]
        self.set_lines(kind, [path_text(other) for other in [whole, *others][:MAX_RECENT]])

    def drop_recent(self, path: Path, kind: str = "recent") -> None:
        """Forget a file that no longer exists."""
        self.set_lines(kind, [path_text(other) for other in self.recent(kind) if other != path])

    def clear_recent(self) -> None:
        """Forget all recent files of all kinds."""
        for kind in ("recent", "boards", "runs", "lists", "homes"):
            self.set_lines(kind, [])

    def write(self) -> None:
        """Write everything to disk; a folder that cannot be written is not an error."""
        self._values.sync()
        self._close_to_others()

    def _close_to_others(self) -> None:
        """Hide names of files and folders from other users of the machine."""
        with contextlib.suppress(OSError):
            private_folder(self._file.parent)
            private_file(self._file)
