"""The dialog of all preferences, made from their model; changes take effect at once."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialogButtonBox, QGridLayout, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.widgets.parts import calling, close_button, named, text_label
from tilelab.gui.widgets.settings import Preferences, Settings, choices, language_title
from tilelab.gui.widgets.window_place import Dialog

_SIDES = (24, 24, 24, 16)
_BOX = 28  # pixels from the edge of a check box to its text


class PreferencesDialog(Dialog):
    """A dialog with a row for each preference: a list of its values, or a check box."""

    def __init__(
        self, window: QWidget, settings: Settings, effects: Mapping[str, Callable[..., object]]
    ) -> None:
        """effects: functions that apply and store a preference, by its name."""
        super().__init__(window, tr("Preferences"), "preferences_dialog", "window#preferences")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._settings, self._effects = settings, effects
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(4)
        self._fields = {name: self._field(name) for name in Preferences.model_fields}
        buttons = close_button(self)
        defaults = buttons.addButton(tr("Defaults"), QDialogButtonBox.ButtonRole.ResetRole)
        defaults.setObjectName("restore_defaults")
        defaults.clicked.connect(self._reset)
        self.lay_out(_SIDES, 16, self._grid, buttons)
        self._show_values()
        self.resize(self.sizeHint())

    def _field(self, name: str) -> QComboBox | QCheckBox:
        """Add the row of a preference."""
        field = Preferences.model_fields[name]
        assert field.title
        assert field.description
        title = language_title() if name == "language" else tr(field.title)
        description, row = tr(field.description), self._grid.rowCount()
        made: QComboBox | QCheckBox
        if values := choices(name):
            made = QComboBox()
            for value, text in values.items():
                made.addItem(tr(text), value)
            made.activated.connect(calling(self._chosen, name))
            self._grid.addWidget(text_label("", None, title), row, 0)
            self._grid.addWidget(made, row, 1)
        else:
            made = QCheckBox(title)
            made.clicked.connect(calling(self._chosen, name))
            self._grid.addWidget(made, row, 0, 1, 2)
        named(made, f"preference_{name}", title)
        made.setAccessibleDescription(description)
        said = text_label("small", None, description)
        if isinstance(made, QCheckBox):
            said.setContentsMargins(_BOX, 0, 0, 0)
        self._grid.addWidget(said, row + 1, 0, 1, 2)
        self._grid.setRowMinimumHeight(row + 2, 8)
        return made

    def _chosen(self, name: str) -> None:
        field = self._fields[name]
        value = field.currentData() if isinstance(field, QComboBox) else field.isChecked()
        self._put(name, value)

    def _put(self, name: str, value: str | int | bool) -> None:
        if value == getattr(self._settings.preferences, name):
            return
        if name == "language":
            self.accept()  # the window is rebuilt
        effect = self._effects.get(name, partial(self._settings.set_preference, name))
        effect(value)

    @Slot()
    def _reset(self) -> None:
        """Reset every preference to its default, the language last."""
        for name, field in sorted(
            Preferences.model_fields.items(), key=lambda each: each[0] == "language"
        ):
            self._put(name, field.default)
        self._show_values()

    def _show_values(self) -> None:
        for name, value in self._settings.preferences.model_dump().items():
            field = self._fields[name]
            if isinstance(field, QComboBox):
                field.setCurrentIndex(field.findData(value))
            else:
                field.setChecked(value)
