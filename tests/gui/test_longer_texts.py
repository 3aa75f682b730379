"""Windows in a language whose texts are longer by two fifths: nothing is cut off."""

import pytest

from tests.gui.all_windows import dialogs, pages, windows_beside
from tests.gui.clipped import clipped_texts
from tilelab.core import language
from tilelab.gui.widgets.settings import Settings

SIZES = ((1280, 800), (1024, 700))


@pytest.fixture
def longer(another_driver, tmp_path, monkeypatch):
    monkeypatch.setenv(language.VARIABLE, language.LONGER)
    language.use(language.LONGER)
    yield another_driver(Settings(tmp_path / "window.ini"))
    language.use(language.ENGLISH)


def _faults(shown):
    for name, window in shown:
        for size in SIZES:
            window.resize(*size)
            for fault in clipped_texts(window):
                yield f"{name}, {size[0]}: {fault}"


def test_no_page_cuts_a_text(longer):
    faults = list(_faults(pages(longer)))
    assert not faults, "\n".join(faults)


def test_no_window_beside_cuts_a_text(longer):
    faults = list(_faults(windows_beside(longer)))
    assert not faults, "\n".join(faults)


def test_no_dialog_cuts_a_text(longer, tmp_path):
    faults = [
        f"{name}: {fault}"
        for name, dialog in dialogs(longer, tmp_path)
        for fault in clipped_texts(dialog)
    ]
    assert not faults, "\n".join(faults)
