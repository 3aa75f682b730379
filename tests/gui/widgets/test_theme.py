"""Colours, style sheet, fonts and icons of the window."""

import re
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QFontDatabase, QFontMetricsF, QPainterPath, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QSlider,
    QStyle,
    QStyleOptionButton,
    QStyleOptionSlider,
    QWidget,
)

import tilelab
from tests.gui.pixels import grabbed, is_colour
from tilelab.core.files.resources import resource
from tilelab.gui.shell.qt_application import load_fonts, make_application, window_icon
from tilelab.gui.widgets import theme as theme_module
from tilelab.gui.widgets.parts import column_layout, ok_cancel
from tilelab.gui.widgets.theme import (
    apply_theme,
    chosen_theme,
    contrast,
    current_theme,
    curve_colours,
    icon,
    load_theme,
    mix,
    palette,
    set_role,
    set_style_property,
    style_sheet,
    text_font,
    tinted,
    tokens,
)

# Light and dark. Muted text, and the heat of dark tiles, are darker or lighter than in the first
# sketch, where they had too little contrast.
DESIGN = {
    "ground": ("#F6F4EF", "#1B1D21"),
    "card": ("#FFFFFF", "#24272C"),
    "line": ("#E3DED3", "#363B42"),
    "text": ("#22252A", "#E9E6E0"),
    "muted": ("#5F636A", "#A3A9B1"),
    "accent": ("#1F7A6D", "#4DB6A4"),
    "stop": ("#B5482F", "#E07A5F"),
    "selection": ("#2F5D9B", "#7FA7DD"),
    "tile_face": ("#F5EAD3", "#3B372F"),
    "tile_edge": ("#DCCBA6", "#514A3D"),
    "tile_heat": ("#E0872E", "#A35F1A"),
    "field": ("#FBFAF7", "#1F2226"),
    "grid": ("#EEEAE1", "#2C3036"),
}

CONTRASTS = {"light": 4.5, "dark": 4.5, "contrast-light": 7.0, "contrast-dark": 7.0}
"""Of each theme, how much its texts must stand out."""
SIDES = ("left", "right")
TEXT_PAIRS = [
    *(("text", ground) for ground in ("ground", "card", "field", "grid", "wash", "pressed")),
    *(("muted", ground) for ground in ("ground", "card", "field", "grid", "wash")),
    *(("accent", ground) for ground in ("ground", "card")),
    *(("stop", ground) for ground in ("ground", "card")),
    ("on_accent", "accent"),
    ("on_accent", "accent_strong"),
    ("on_stop", "stop"),
    ("on_stop", "stop_strong"),
    ("on_selection", "selection"),
    ("card", "text"),
    ("tile_ink", "tile_face"),
    ("tile_ink", "tile_heat"),
    ("tile_ink", "path"),
]


@pytest.fixture
def app(qapp):
    yield make_application([], "light")
    apply_theme(qapp, "light")


def test_contrast_of_known_pairs():
    assert contrast(QColor("#000000"), QColor("#FFFFFF")) == pytest.approx(21.0)
    assert contrast(QColor("#777777"), QColor("#FFFFFF")) == pytest.approx(4.48, abs=0.005)
    assert contrast(QColor("#123456"), QColor("#123456")) == pytest.approx(1.0)


@pytest.mark.parametrize(("name", "least"), CONTRASTS.items())
def test_text_can_be_read(name, least):
    theme = load_theme(name)
    for text, ground in TEXT_PAIRS:
        assert contrast(getattr(theme, text), getattr(theme, ground)) >= least, (text, ground)


@pytest.mark.parametrize(("name", "least"), CONTRASTS.items())
def test_letters_can_be_read_at_any_heat_and_tint(name, least):
    theme = load_theme(name)
    faces = [mix(theme.tile_face, theme.tile_heat, percent / 100) for percent in range(101)]
    corners = [getattr(theme, f"corner_{y}_{x}") for y in ("top", "bottom") for x in SIDES]
    faces += [mix(one, other, 0.5) for one in corners for other in corners]
    faces += [tinted(theme, colour, 0.5) for colour in curve_colours(theme)]
    for face in faces:
        assert contrast(theme.tile_ink, face) >= least, face.name()


@pytest.mark.parametrize("name", CONTRASTS)
def test_controls_can_be_seen(name):
    theme = load_theme(name)
    for ground in (theme.ground, theme.card, theme.field):
        for token in ("outline", "selection", "accent"):
            assert contrast(getattr(theme, token), ground) >= 3.0 or ground is theme.ground
            assert contrast(getattr(theme, token), ground) >= 4.5 or not theme.has_high_contrast


@pytest.mark.parametrize("name", ["contrast-light", "contrast-dark"])
def test_lines_of_high_contrast_can_be_seen(name):
    theme = load_theme(name)
    lines = (theme.line, theme.faint, theme.stop, theme.tile_edge, *curve_colours(theme))
    for ground in (theme.ground, theme.card, theme.field):
        for line in lines:
            assert contrast(line, ground) >= 4.5, line.name()


def test_every_token_is_a_colour():
    for colours in tokens()["themes"].values():
        for token, code in colours.items():
            assert re.fullmatch("#[0-9A-F]{6}", code), token
    assert all(colour.isValid() for colour in curve_colours())
    assert set(tokens()["sizes"].values()) == {12, 13, 15, 21, 40}
    assert set(tokens()["weights"].values()) == {400, 600}


@pytest.mark.parametrize(("place", "name"), list(enumerate(["light", "dark"])))
def test_colours_are_those_of_the_design(place, name):
    theme = load_theme(name)
    assert theme.name == name
    for token, codes in DESIGN.items():
        assert getattr(theme, token) == QColor(codes[place]), token


def test_what_is_on_the_screen_has_the_colours_of_the_theme(app, qtbot):
    ground, card, button = QWidget(), QFrame(), QPushButton()
    set_style_property(card, "card", True)
    set_role(button, "primary")
    for widget in (ground, card, button):
        qtbot.addWidget(widget)
        widget.resize(80, 40)
    wanted = {"light": ("#f6f4ef", "#ffffff", "#1f7a6d"), "dark": ("#1b1d21", "#24272c", "#4db6a4")}
    for name in ("dark", "light"):
        apply_theme(app, name)
        shown = [widget.grab().toImage().pixelColor(40, 20) for widget in (ground, card, button)]
        assert tuple(colour.name() for colour in shown) == wanted[name]
        assert (
            app.palette().color(QPalette.ColorRole.WindowText).name()
            == ({"light": "#22252a", "dark": "#e9e6e0"}[name])
        )


@pytest.mark.parametrize("name", CONTRASTS)
def test_style_sheet_uses_only_tokens(name):
    sheet = style_sheet(load_theme(name))
    assert "$" not in sheet
    template = resource("themes", "style.qss").read_text()
    assert not re.findall("#[0-9A-Fa-f]{3,8}", template)
    for picture in re.findall(r"url\(tilelab:([^)]+)\)", sheet):
        assert resource("icons", picture).is_file(), picture


@pytest.mark.parametrize("name", CONTRASTS)
def test_icons_of_a_theme_have_its_colours(name):
    known = {code.lower() for code in tokens()["themes"][name].values()}
    for file in resource("icons", name).iterdir():
        used = {code.lower() for code in re.findall("#[0-9A-Fa-f]{6}", file.read_text())}
        assert used, file.name
        assert used <= known, file.name


def test_palette_has_disabled_text():
    theme = load_theme("dark")
    made = palette(theme)
    group, role = QPalette.ColorGroup, QPalette.ColorRole
    assert made.color(group.Active, role.Text) == theme.text
    assert made.color(group.Disabled, role.Text) == theme.faint


class _Changes(QObject):
    """Notes which theme is in force whenever a widget is notified of a change."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def eventFilter(self, watched, event):
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self.seen.append(current_theme().name)
        return False


def test_widgets_hear_of_a_new_theme_after_it_is_in_force(app, qtbot):
    widget, changes = QWidget(), _Changes()
    qtbot.addWidget(widget)
    widget.installEventFilter(changes)
    widget.ensurePolished()
    changes.seen.clear()
    apply_theme(app, "dark")
    assert changes.seen
    assert set(changes.seen) == {"dark"}
    assert current_theme() is load_theme("dark")
    assert app.palette().color(QPalette.ColorRole.Window) == load_theme("dark").ground


def test_a_widget_within_many_is_styled_no_more_often_than_one_alone(app, qtbot):
    alone, outermost = QWidget(), QWidget()
    innermost = outermost
    for _ in range(9):
        innermost = QWidget(innermost)
    few, many = _Changes(), _Changes()
    alone.installEventFilter(few)
    innermost.installEventFilter(many)
    for widget in (alone, outermost):
        qtbot.addWidget(widget)
        widget.show()
    for name in ("dark", "light"):
        few.seen.clear()
        many.seen.clear()
        apply_theme(app, name)
        assert len(many.seen) == len(few.seen) > 0


def test_system_theme_is_one_of_the_others(app):
    apply_theme(app, "system")
    assert chosen_theme() == "system"
    assert current_theme().name in CONTRASTS
    with pytest.raises(ValueError, match="theme: blue is not one of light, dark, contrast-light,"):
        apply_theme(app, "blue")


@pytest.mark.parametrize("scheme", ["Light", "Dark"])
@pytest.mark.parametrize("wish", ["NoPreference", "HighContrast"])
def test_the_contrast_of_the_system_is_followed(scheme, wish):
    hints = SimpleNamespace(
        colorScheme=lambda: Qt.ColorScheme[scheme],
        accessibility=lambda: SimpleNamespace(
            contrastPreference=lambda: Qt.ContrastPreference[wish]
        ),
    )
    name = theme_module._system_name(SimpleNamespace(styleHints=lambda: hints))
    assert name == ("contrast-" if wish == "HighContrast" else "") + scheme.lower()


def test_application_is_made_once(app):
    assert make_application([]) is app
    assert make_application([]) is QApplication.instance()
    assert app.applicationName() == "TileLab"
    assert app.applicationVersion() == tilelab.__version__
    assert app.style().name() in ("fusion", "")
    assert not window_icon().isNull()


def test_bundled_font_has_both_weights(app):
    assert "Inter" in load_fonts()
    assert {"Regular", "Semi Bold"} <= set(QFontDatabase.styles("Inter"))
    regular, strong = (QFontMetricsF(text_font("display", strong=strong)) for strong in (0, 1))
    assert strong.horizontalAdvance("TileLab") > regular.horizontalAdvance("TileLab")
    assert len({regular.horizontalAdvance(figure) for figure in "0123456789"}) == 1
    assert text_font("title", strong=True).pixelSize() == 15
    assert int(text_font("title", strong=True).weight()) == 600
    assert int(app.font().weight()) == 400


def test_each_letter_of_a_file_name_looks_as_it_is_typed(qapp, qtbot):
    """Noticed: the file 4x7 is shown as 4×7, which is not found when it is typed so."""
    make_application([], "light")
    line = QLineEdit()
    qtbot.addWidget(line)
    for font in (text_font(), line.font()):
        paths = [QPainterPath() for _ in range(2)]
        for path, text in zip(paths, ("4x7", "4×7"), strict=True):
            path.addText(0, 0, font, text)
        assert paths[0] != paths[1]


def test_a_role_colours_a_button(app, qtbot):
    button = QPushButton()
    qtbot.addWidget(button)
    button.resize(80, 32)
    quiet = button.grab().toImage().pixelColor(40, 16)
    set_role(button, "primary")
    assert button.grab().toImage().pixelColor(40, 16) == current_theme().accent
    set_role(button, "")
    assert button.grab().toImage().pixelColor(40, 16) == quiet


def test_icons_take_the_colour_of_the_theme(app):
    apply_theme(app, "dark")
    image = icon("sun", "accent").pixmap(16, 16).toImage()
    colours = {image.pixelColor(col, row).name() for col in range(16) for row in range(16)}
    assert load_theme("dark").accent.name() in colours


def test_what_a_dialog_is_for_is_done_in_its_lower_right_corner(qtbot):
    make_application([], "light")
    dialog = QDialog()
    qtbot.addWidget(dialog)
    buttons = ok_cancel(dialog)
    column_layout(dialog).addWidget(buttons)
    dialog.show()
    kinds = QDialogButtonBox.StandardButton
    ok, cancel = buttons.button(kinds.Ok), buttons.button(kinds.Cancel)
    assert ok.geometry().left() > cancel.geometry().right()
    assert ok.property("role") == "primary"


@pytest.mark.parametrize("scale", [1.0, 1.7, 2.7])
def test_round_controls_are_round_at_any_size_of_texts(app, qtbot, scale):
    """Noticed: square choices of a lesson, or a square handle, in a presentation."""
    apply_theme(app, "light", scale)
    chosen, other = QRadioButton(), QRadioButton()
    chosen.setChecked(True)
    slider = QSlider(Qt.Orientation.Horizontal)
    slider.setValue(50)
    parts = (
        (other, QStyle.SubElement.SE_RadioButtonIndicator),
        (chosen, QStyle.SubElement.SE_RadioButtonIndicator),
        (slider, None),
    )
    for part, element in parts:
        qtbot.addWidget(part)
        part.show()
        option = QStyleOptionSlider() if element is None else QStyleOptionButton()
        part.initStyleOption(option)
        if element is None:
            control, handle = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
            box = part.style().subControlRect(control, option, handle, part)
        else:
            box = part.style().subElementRect(element, option, part)
        picture = grabbed(part)[box.top() : box.bottom() + 1, box.left() : box.right() + 1]
        ground = is_colour(picture, "#F6F4EF")
        assert ground[0, 0], part
        assert not ground[0, box.width() // 2], part
    apply_theme(app, "light", 1.0)
