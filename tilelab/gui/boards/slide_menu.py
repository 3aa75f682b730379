"""The choices in the window's menu that all boards share that slide."""

from functools import partial

from PySide6.QtWidgets import QMenu

from tilelab.gui.boards.tile_play import ANIMATION_OFF, ARROWS_MOVE_BLANK
from tilelab.gui.widgets.settings import Settings


def add_slide_choices(menu: QMenu, settings: Settings) -> None:
    """Offer what the user can choose about slides."""
    for title, name, inverted in (
        ("Animate slides", ANIMATION_OFF, True),
        ("Arrow keys move the blank", ARROWS_MOVE_BLANK, False),
    ):
        action = menu.addAction(title)
        action.setCheckable(True)
        action.setChecked(settings.flag(name) != inverted)
        action.toggled.connect(partial(_set_flag, settings, name, inverted))


def _set_flag(settings: Settings, name: str, inverted: bool, value: bool) -> None:
    settings.set_flag(name, value != inverted)
