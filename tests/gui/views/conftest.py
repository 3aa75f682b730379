"""A board and its views, without a page around them."""

import pytest
from PySide6.QtWidgets import QWidget

from tilelab.gui.views.view_stack import ViewStack


@pytest.fixture
def stack(qtbot):
    made = ViewStack(QWidget())
    qtbot.addWidget(made)
    return made
