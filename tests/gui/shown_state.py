"""All that the parts of a window show and know, so that two windows can be compared."""

import dataclasses
import enum
import re
from collections import Counter, deque
from pathlib import PurePath

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QGraphicsView,
    QListView,
    QScrollBar,
    QTabBar,
    QTextEdit,
    QWidget,
)

_SHOWN = (
    *("text", "toPlainText", "value", "minimum", "maximum", "isChecked", "currentIndex"),
    *("toolTip", "accessibleName", "accessibleDescription", "windowTitle"),
    *("placeholderText", "title", "isReadOnly"),
)
_TIMED = re.compile(
    r"/\S+/near-\d+|[\da-f]{32}|\d[\d,.]*\S? a second|"
    r"\d+(:\d\d)+|\d[\d,.]* (ms|s|min|h|µs)\b|[\d,.]+(?= s each)"
)
"""Times, rates, names and folders, which are not the same in two runs that are otherwise."""
_NONSENSE = re.compile(r"\bNone\b|\bnan\b|[{}]|[a-z] -\d")
_CHANCE = re.compile(
    r"n_\w*(requested|answered)|seconds|_key$|^key$|(started|begun)$|milliseconds|pixel|^_size|width|height|shape_of|_which"
)
"""Attributes that hold times, names of runs, and what follows from the size of the window."""
_HOLDS_SCROLL_BAR = re.compile("qt_scrollarea_[hv]container")
_OPAQUE = {"Settings", "History"}
_DEEPEST, _LONGEST = 4, 60


def state_of(window, *leave):
    """Return what each part of a window shows and knows, by its place in the window.

    leave: parts and attributes that are rightly different, by parts of their names.
    """
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    found = {}
    _collect(window, type(window).__name__, found)
    return {name: known for name, known in found.items() if not any(part in name for part in leave)}


def difference(state, other):
    """Say in lines what is not the same in two states."""
    pairs = (
        (name, state.get(name, "not there"), other.get(name, "not there"))
        for name in sorted(state.keys() | other.keys())
    )
    return "\n".join(f"{name}: {one!r}, but {two!r}" for name, one, two in pairs if one != two)


def nonsense(state):
    """Return the texts that no user should see: of a value that is none, or before the first."""
    shown = (text for name, text in state.items() if name.endswith(("text", "oolTip", "iption")))
    return [text for text in shown if isinstance(text, str) and _NONSENSE.search(text)]


def _collect(part, place, found, is_seen=True):
    """Note a part and those below it; of what is hidden, only what it knows."""
    is_widget = isinstance(part, QWidget)
    is_seen = is_seen and not (is_widget and part.isHidden())
    if isinstance(part, QScrollBar | QShortcut) or _HOLDS_SCROLL_BAR.fullmatch(part.objectName()):
        return  # of a size, not of a subject
    if is_widget:
        found[f"{place}.isHidden"] = part.isHidden()
    if is_widget and is_seen:
        _note_widget(part, place, found)
    if type(part).__module__.startswith("tilelab"):
        for name, value in vars(part).items():
            if type(value).__name__ != "SignalInstance" and not _CHANCE.search(name):
                found[f"{place}.{name}"] = _plain(value)
    if is_widget and isinstance(part, QAbstractItemView | QComboBox | QGraphicsView):
        return
    same = Counter()
    for child in part.children():
        is_own = type(child).__module__.startswith("tilelab")
        if isinstance(child, QWidget) or is_own:
            name = child.objectName() or type(child).__name__
            if not name.startswith("qt_") or isinstance(child, QWidget):
                same[name] += 1
                _collect(child, f"{place}/{name}{same[name]}", found, is_seen)


def _note_widget(part, place, found):
    found[f"{place}.enabled"] = part.isEnabledTo(part.parentWidget())
    for name in _SHOWN:
        read = getattr(part, name, None)
        if callable(read):
            value = read()
            if isinstance(value, str | int | float | bool):
                found[f"{place}.{name}"] = _timeless(value)
    found[f"{place}.role"] = part.property("role")
    if isinstance(part, QComboBox | QTabBar):
        texts = (
            [(part.itemText(place), part.itemData(place)) for place in range(part.count())]
            if isinstance(part, QComboBox)
            else [part.tabText(place) for place in range(part.count())]
        )
        found[f"{place}.items"] = _plain(texts)
    if isinstance(part, QAbstractItemView) and part.model() is not None:
        _note_items(part, place, found)
    if isinstance(part, QTextEdit):
        found[f"{place}.marks"] = len(part.extraSelections())
    if isinstance(part, QGraphicsView) and part.scene() is not None:
        curves = (one for one in part.scene().items() if isinstance(one, pg.PlotCurveItem))
        found[f"{place}.curves"] = sorted(
            (one.isVisible(), 0 if one.xData is None else len(one.xData)) for one in curves
        )


def _note_items(view, place, found):
    model, roles = view.model(), (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
    rows = min(model.rowCount(), _LONGEST)
    found[f"{place}.rows"] = model.rowCount()
    columns = 1 if isinstance(view, QListView) else model.columnCount()
    for row in range(rows):
        found[f"{place}.row {row}"] = [
            _timeless(str(model.index(row, column).data(role) or ""))
            for column in range(columns)
            for role in roles
        ]
    if view.selectionModel() is not None:
        chosen = {(one.row(), one.column()) for one in view.selectionModel().selectedIndexes()}
        found[f"{place}.chosen"] = sorted(chosen)[:_LONGEST]


def _timeless(value):
    return _TIMED.sub("#", value) if isinstance(value, str) else value


def _plain(value, depth=0):
    """Return a value as one that can be compared; of what is too deep, its kind."""
    if value is None or isinstance(value, bool | int | enum.Enum):
        return value
    if isinstance(value, PurePath):
        return value.name
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, str):
        return _timeless(value)
    if isinstance(value, np.ndarray):
        return (value.shape, value.tolist() if value.size <= _LONGEST else None)
    kind = type(value).__name__
    if depth == _DEEPEST or isinstance(value, QObject) or kind in _OPAQUE:
        return kind
    if isinstance(value, tuple | list | set | frozenset | deque):
        some = value if isinstance(value, tuple | list) else sorted(value, key=repr)
        return [len(value), *(_plain(one, depth + 1) for one in list(some)[:_LONGEST])]
    if isinstance(value, dict):
        return {
            str(_plain(name, _DEEPEST)): _plain(one, depth + 1)
            for name, one in list(value.items())[:_LONGEST]
            if not _CHANCE.search(str(name))
        }
    if type(value).__module__.startswith("tilelab"):
        named = (
            {field.name: None for field in dataclasses.fields(value)}
            if (dataclasses.is_dataclass(value))
            else getattr(value, "__dict__", {})
        )
        return kind, {
            name: _plain(getattr(value, name, None), depth + 1)
            for name in named
            if not _CHANCE.search(name)
        }
    return kind
