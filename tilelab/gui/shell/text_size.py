"""The size of all texts: chosen in the menu or by keys, from 100 to 200 %, and remembered."""

from PySide6.QtWidgets import QApplication

from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import apply_theme, chosen_theme

PERCENTS = (100, 125, 150, 175, 200)
_NAME = "text_size"


def chosen(settings: Settings) -> int:
    """Return the size that was chosen, in per cent of the usual one."""
    text = settings.text(_NAME)
    return next((percent for percent in PERCENTS if str(percent) == text), PERCENTS[0])


def choose(settings: Settings, percent: int) -> None:
    """Remember a size."""
    settings.set_text(_NAME, str(percent))


def turned(percent: int, steps: int) -> int:
    """Return the size some steps up or down, where there is one; 0 steps: the usual size."""
    place = PERCENTS.index(percent) + steps if steps else 0
    return PERCENTS[min(max(place, 0), len(PERCENTS) - 1)]


def apply(settings: Settings) -> None:
    """Show texts in the size that was chosen."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, chosen_theme(), chosen(settings) / 100)
