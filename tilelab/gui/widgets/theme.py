"""Colours, sizes and style of the window, all from resources/themes."""

import dataclasses
import functools
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from string import Template
from typing import TypedDict

from PySide6.QtCore import QByteArray, QDir, QObject, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QWidget

from tilelab.core.files.resources import resource
from tilelab.core.text.language import marked

FAMILY = "Inter"
TITLES = {
    "light": marked("Light"),
    "dark": marked("Dark"),
    "contrast-light": marked("High contrast, light"),
    "contrast-dark": marked("High contrast, dark"),
    "system": marked("Like the system"),
}
"""Titles of the themes that users can choose; 'system' follows the desktop's setting."""
NAMES = tuple(TITLES)
_CHOSEN, _IN_FORCE = "tilelab_theme_chosen", "tilelab_theme_in_force"
_SCALE = "tilelab_text_scale"
MIN_CONTRAST = 4.5  # of texts, as in WCAG 2.2
_ROUND = 14  # width of round controls in the style sheet without their borders
_ROOM = re.compile(r"\b([3-9]|\d\d)px")  # lengths in the style sheet, apart from line widths


@dataclass(frozen=True)
class Theme:
    """The colours of one theme. ``on_…`` is the colour of texts on that colour."""

    name: str  # name: 'light', 'dark', 'contrast-light' or 'contrast-dark'
    ground: QColor
    card: QColor
    line: QColor
    outline: QColor  # edge of a control that must be visible, such as a check box
    text: QColor
    muted: QColor
    faint: QColor  # colour of disabled text
    field: QColor
    grid: QColor
    pressed: QColor  # background of a pressed button, and of a selected item in a disabled list
    accent: QColor
    accent_strong: QColor
    on_accent: QColor
    stop: QColor
    stop_strong: QColor
    on_stop: QColor
    selection: QColor
    on_selection: QColor
    wash: QColor  # background of a selected row
    handle: QColor
    tile_face: QColor
    tile_edge: QColor
    tile_heat: QColor
    tile_heat_edge: QColor
    tile_ink: QColor
    path: QColor  # line of a word over the tiles, under their letters
    corner_top_left: QColor
    """Colour of the tile in this corner; numbered tiles mix the four by their goal cells."""
    corner_top_right: QColor
    corner_bottom_left: QColor
    corner_bottom_right: QColor

    @property
    def is_dark(self) -> bool:
        """Whether texts are lighter than their background."""
        return self.name in ("dark", "contrast-dark")

    @property
    def has_high_contrast(self) -> bool:
        """Whether texts have a contrast of 7 to 1, and lines one of 4.5 to 1."""
        return self.name.startswith("contrast-")


class Tokens(TypedDict):
    """Tokens of the style: sizes and radii in pixels, font weights, and colours by name."""

    sizes: dict[str, int]
    weights: dict[str, int]
    radii: dict[str, int]
    curves: list[str]
    contrast_curves: dict[str, list[str]]  # curve colours by the theme's name
    themes: dict[str, dict[str, str]]


@functools.cache
def tokens() -> Tokens:
    """Read the file of sizes, weights, radii and colours."""
    text = resource("themes", "tokens.json").read_text(encoding="utf-8")
    whole: Tokens = json.loads(text)
    return whole


@functools.cache
def load_theme(name: str) -> Theme:
    """Return the theme with a name."""
    colours = tokens()["themes"][name]
    return Theme(name=name, **{token: QColor(code) for token, code in colours.items()})


def curve_colours(theme: Theme | None = None) -> tuple[QColor, ...]:
    """Return the colours for curves of several solvers, by default of the current theme.

    They are Okabe and Ito's without black. High-contrast themes have their own, which differ more
    for colour-blind users.
    """
    name = (theme or current_theme()).name
    return tuple(QColor(code) for code in tokens()["contrast_curves"].get(name, tokens()["curves"]))


def text_scale() -> float:
    """Return the scale of texts, from 1 up."""
    return float(_app_property(_SCALE, "1"))


def scaled(pixels: float) -> int:
    """Return the pixels that this many pixels take at the current size of texts."""
    return round(pixels * text_scale())


def text_pixels(size: str = "body") -> int:
    """Return the size of a text in pixels; size: small, body, title, large or display."""
    return scaled(tokens()["sizes"][size])


def text_font(size: str = "body", *, strong: bool = False) -> QFont:
    """Make the program's font; size: as for :func:`text_pixels`. Figures are tabular."""
    return pixel_font(text_pixels(size), strong=strong)


def pixel_font(pixels: int, *, strong: bool = False) -> QFont:
    """Make the program's font at a size that a drawing needs, such as a tile's letter."""
    font = QFont(FAMILY)
    font.setPixelSize(max(pixels, 1))
    font.setWeight(QFont.Weight(tokens()["weights"]["strong" if strong else "regular"]))
    font.setFeature(QFont.Tag("tnum"), 1)
    # Contextual alternates show the file 4x7 as 4×7.
    font.setFeature(QFont.Tag("calt"), 0)
    return font


def mix(start: QColor, end: QColor, fraction: float) -> QColor:
    """Blend two colours; 0 is ``start``, 1 is ``end``."""
    return QColor(
        round(start.red() + (end.red() - start.red()) * fraction),
        round(start.green() + (end.green() - start.green()) * fraction),
        round(start.blue() + (end.blue() - start.blue()) * fraction),
    )


def tinted(theme: Theme, colour: QColor, fraction: float) -> QColor:
    """Mix a share of a colour into a tile's face, or less if its letter would be illegible."""
    least = 7.0 if theme.has_high_contrast else MIN_CONTRAST
    mixed = (mix(theme.tile_face, colour, fraction * tenths / 10) for tenths in range(10, 0, -1))
    enough = (face for face in mixed if contrast(theme.tile_ink, face) >= least)
    return next(enough, theme.tile_face)


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast ratio of two opaque colours, 1..21 (WCAG 2.2, "contrast ratio")."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def legible(colour: QColor, ground: QColor, otherwise: QColor) -> QColor:
    """Return a colour if texts in it can be read on a ground, or else the other one."""
    return colour if contrast(colour, ground) >= MIN_CONTRAST else otherwise


def current_theme() -> Theme:
    """Return the current theme; light if none was applied."""
    return load_theme(_app_property(_IN_FORCE, "light"))


def chosen_theme() -> str:
    """Return the name last requested, including 'system'."""
    return _app_property(_CHOSEN, "system")


def apply_theme(app: QApplication, name: str, scale: float | None = None) -> Theme:
    """Apply a theme, at any time. name: one of :data:`NAMES`.

    scale: scale of texts, from 1 up; None keeps it. Every widget then receives PaletteChange and
    StyleChange, in which :func:`current_theme` is already the new one; widgets that draw themselves
    redraw there.
    """
    if name not in NAMES:
        raise ValueError(f"theme: {name} is not one of {', '.join(NAMES)}")
    app.setProperty(_CHOSEN, name)
    if app.findChild(_SystemFollower) is None:
        follower = _SystemFollower(app)
        app.styleHints().colorSchemeChanged.connect(follower.follow)
        app.styleHints().accessibility().contrastPreferenceChanged.connect(follower.follow)
    theme = load_theme(_system_name(app) if name == "system" else name)
    scale = text_scale() if scale is None else scale
    if (app.property(_IN_FORCE), text_scale()) != (theme.name, scale):
        QDir.setSearchPaths("tilelab", [str(resource("icons"))])
        app.setProperty(_IN_FORCE, theme.name)
        app.setProperty(_SCALE, scale)
        # Replacing a style sheet styles each widget once for every parent.
        app.setStyleSheet("")
        app.setFont(text_font())
        app.setPalette(palette(theme))
        app.setStyleSheet(style_sheet(theme))
        _looks().changed.emit()
    return theme


def set_role(widget: QWidget, role: str) -> None:
    """Give a widget its role in the style sheet, such as 'primary', 'stop' or ''."""
    set_style_property(widget, "role", role)


def set_style_property(widget: QWidget, name: str, value: object) -> None:
    """Change a dynamic property that the style sheet reads, and restyle the widget."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    # A widget without a style gets it when first shown or measured.
    if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        widget.update()


def keep_themed(widget: QWidget, apply_theme: Callable[[], None]) -> None:
    """Call ``apply_theme`` now and after every change of theme, for example to remake icons."""
    _looks().changed.connect(_ThemeFollower(widget, apply_theme).follow)
    apply_theme()


_SETTERS: dict[str, Callable[[QWidget, int], None]] = {
    "width": QWidget.setFixedWidth,
    "height": QWidget.setFixedHeight,
    "least_width": QWidget.setMinimumWidth,
    "most_width": QWidget.setMaximumWidth,
    "least_height": QWidget.setMinimumHeight,
    "most_height": QWidget.setMaximumHeight,
}


def keep_scaled(widget: QWidget, **pixels: int) -> None:
    """Give a widget sizes that grow with its texts: ``width=84`` is fixed, ``least_width=84`` not.

    The names are those of :data:`_SETTERS`.
    """

    def set_sizes() -> None:
        for name, size in pixels.items():
            _SETTERS[name](widget, scaled(size))

    keep_themed(widget, set_sizes)


def icon(name: str, token: str = "text") -> QIcon:
    """Make an icon of resources/icons (moon, sun, refresh, search, close) in a token's colour."""
    theme = current_theme()
    return _drawn(name, getattr(theme, token).name(), theme.faint.name())


@functools.cache
def _drawn(name: str, colour: str, disabled_colour: str) -> QIcon:
    """Draw an icon, cached for all widgets that show it."""
    source = resource("icons", f"{name}.svg").read_text(encoding="utf-8")
    made = QIcon()
    for mode, shown in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, disabled_colour)):
        renderer = QSvgRenderer(QByteArray(source.replace("currentColor", shown).encode()))
        for n_pixels in (16, 32):
            pixmap = QPixmap(QSize(n_pixels, n_pixels))
            pixmap.fill(Qt.GlobalColor.transparent)
            with QPainter(pixmap) as painter:
                renderer.render(painter, QRectF(0, 0, n_pixels, n_pixels))
            made.addPixmap(pixmap, mode)
    return made


def palette(theme: Theme) -> QPalette:
    """Make Fusion's palette, used where the style sheet has no rule."""
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    made = QPalette()
    for part, colour in (
        (role.Window, theme.ground),
        (role.WindowText, theme.text),
        (role.Base, theme.field),
        (role.AlternateBase, theme.card),
        (role.Text, theme.text),
        (role.PlaceholderText, theme.muted),
        (role.Button, theme.field),
        (role.ButtonText, theme.text),
        (role.BrightText, theme.on_stop),
        (role.ToolTipBase, theme.text),
        (role.ToolTipText, theme.card),
        (role.Highlight, theme.selection),
        (role.HighlightedText, theme.on_selection),
        (role.Accent, theme.accent),
        (role.Link, theme.selection),
        (role.LinkVisited, theme.selection),
        (role.Light, theme.card),
        (role.Midlight, theme.grid),
        (role.Mid, theme.line),
        (role.Dark, theme.outline),
        (role.Shadow, theme.outline),
    ):
        made.setColor(part, colour)
    for part in (role.WindowText, role.Text, role.ButtonText, role.PlaceholderText):
        made.setColor(group.Disabled, part, theme.faint)
    made.setColor(group.Disabled, role.Highlight, theme.pressed)
    made.setColor(group.Disabled, role.HighlightedText, theme.text)
    return made


def style_sheet(theme: Theme) -> str:
    """Return the style sheet with all tokens replaced."""
    names = ("style.qss", "contrast.qss")[: 2 if theme.has_high_contrast else 1]
    text = "".join(resource("themes", name).read_text(encoding="utf-8") for name in names)
    # Room around texts grows with them, line widths do not.
    text = _ROOM.sub(lambda found: f"{scaled(int(found[1]))}px", text)
    colours = {
        field.name: getattr(theme, field.name).name()
        for field in dataclasses.fields(theme)
        if field.name != "name"
    }
    return Template(text).substitute(
        colours,
        **{size: text_pixels(size) for size in tokens()["sizes"]},
        **tokens()["weights"],
        **{f"radius_{key}": value for key, value in tokens()["radii"].items()},
        radius_round=scaled(_ROUND) // 2 + 1,
        name=theme.name,
        scroll=mix(theme.card, theme.outline, 0.55).name(),
        focus_on_colour=theme.text.name(),
    )


class _Looks(QObject):
    """Announces a change of theme or text size; an event filter would see every event."""

    changed = Signal()


_looks = functools.cache(_Looks)


class _ThemeFollower(QObject):
    """Calls a function after each change of theme, for as long as its parent exists."""

    def __init__(self, parent: QWidget, apply_theme: Callable[[], None]) -> None:
        super().__init__(parent)
        self._apply_theme = apply_theme

    @Slot()
    def follow(self) -> None:
        self._apply_theme()


class _SystemFollower(QObject):
    """Applies changes of the desktop's colour scheme or contrast to the window."""

    @Slot()
    def follow(self) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication) and app.property(_CHOSEN) == "system":
            apply_theme(app, "system")


def _app_property(name: str, otherwise: str) -> str:
    app = QApplication.instance()
    value = None if app is None else app.property(name)
    return str(value) if value else otherwise


def _system_name(app: QApplication) -> str:
    hints = app.styleHints()
    name = "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"
    wants_contrast = (
        hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast
    )
    return f"contrast-{name}" if wants_contrast else name


def _luminance(colour: QColor) -> float:
    channels = (colour.redF(), colour.greenF(), colour.blueF())
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
