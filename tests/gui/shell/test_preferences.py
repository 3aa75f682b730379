"""The dialog of preferences: each takes effect at once, and is kept as version 1.0.0 kept it."""

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QScrollArea
from shiboken6 import isValid

from tilelab.core.text import language
from tilelab.gui.widgets.settings import Preferences, Settings
from tilelab.gui.widgets.theme import apply_theme, chosen_theme, text_scale

pytestmark = pytest.mark.usefixtures("without_style_sheet")

OF_1_0_0 = """[General]
theme=contrast-dark
text_size=150
language=de
forget_choices=true
fold_accents=true
no_slide_animation=true
arrows_move_blank=true
"""
CHANGED = Preferences(
    theme="contrast-dark", text_size=150, language="de", remember_choices=False, fold_accents=True,
    animate_slides=False, arrows_move_blank=True,
)  # fmt: skip


@pytest.fixture(autouse=True)
def usual_look():
    yield
    apply_theme(QApplication.instance(), "light", 1.0)


@pytest.fixture
def dialog(driver):
    driver.window.commands["preferences"].trigger()
    dialog = driver.window.findChild(QDialog, "preferences_dialog")
    yield dialog
    if isValid(dialog):
        dialog.close()


def choose(dialog, name, value):
    """Choose a value as the user does."""
    field = dialog._fields[name]
    if isinstance(value, bool):
        assert field.isChecked() != value
        field.click()
    else:
        field.setCurrentIndex(field.findData(value))
        field.activated.emit(field.currentIndex())


def test_settings_of_1_0_0_are_read_and_written(tmp_path):
    file = tmp_path / "window.ini"
    file.write_text(OF_1_0_0, "utf-8")
    assert Settings(file).preferences == CHANGED
    written = Settings(tmp_path / "new.ini")
    for name, value in CHANGED.model_dump(exclude={"next_seed"}).items():  # it is newer
        written.set_preference(name, value)
    written.write()
    lines = (tmp_path / "new.ini").read_text("utf-8").split()
    assert sorted(lines) == sorted(OF_1_0_0.split())


@pytest.mark.parametrize("line", ["theme=purple", "text_size=110", "language=xx", "theme=1, 2"])
def test_what_is_no_value_is_the_default(tmp_path, line):
    file = tmp_path / "window.ini"
    file.write_text(f"[General]\n{line}\n", "utf-8")
    assert Settings(file).preferences == Preferences()


@pytest.mark.exhaustive
def test_theme_and_size_are_shown_at_once(driver, dialog):
    choose(dialog, "theme", "dark")
    assert chosen_theme() == "dark"
    choose(dialog, "text_size", 125)
    assert text_scale() == 1.25
    assert driver.window.settings.preferences == Preferences(theme="dark", text_size=125)


def test_light_or_dark_keeps_the_contrast(driver, dialog):
    choose(dialog, "theme", "contrast-light")
    seen = []
    for _ in range(2):
        driver.window.commands["theme"].trigger()
        seen.append((chosen_theme(), driver.window.settings.preferences.theme))
    assert seen == [("contrast-dark",) * 2, ("contrast-light",) * 2]


def test_what_is_ticked_is_remembered_and_defaults_put_all_back(driver, dialog):
    settings = driver.window.settings
    settings.set_preference("theme", "light")
    ticked = ("remember_choices", "fold_accents", "next_seed", "animate_slides")
    for name in (*ticked, "arrows_move_blank"):
        value = not getattr(Preferences(), name)
        choose(dialog, name, value)
        assert getattr(settings.preferences, name) is value
    dialog.findChild(QPushButton, "restore_defaults").click()
    assert settings.preferences == Preferences()
    assert dialog._fields["animate_slides"].isChecked()


@pytest.mark.exhaustive
def test_another_language_closes_the_dialog_and_makes_the_window_again(driver, dialog, monkeypatch):
    exits = []
    monkeypatch.setattr(QApplication, "exit", exits.append)
    values = [dialog._fields["language"].itemText(place) for place in range(5)]
    assert values == ["Like the system", *language.LANGUAGES.values()]
    choose(dialog, "language", "fr")
    assert len(exits) == 1
    assert not isValid(dialog) or not dialog.isVisible()
    assert driver.window.settings.preferences.language == "fr"


def test_the_dialog_grows_with_its_text(dialog, qtbot):
    """Noticed: the size of texts, which one would like to take back, behind the right edge."""
    choose(dialog, "text_size", 150)
    bar = dialog.findChild(QScrollArea).horizontalScrollBar()
    qtbot.waitUntil(lambda: text_scale() == 1.5 and not bar.isVisible())
