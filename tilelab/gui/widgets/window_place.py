"""Keep windows within the available area of their screen, including frame and title bar."""

from functools import partial

from PySide6.QtCore import QEvent, QMargins, QObject, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QWindowStateChangeEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFrame,
    QLayout,
    QScrollArea,
    QSplitter,
    QWidget,
)

from tilelab.gui.widgets.manual_link import bind_manual_key
from tilelab.gui.widgets.parts import Margins, Part, column_layout
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import scaled
from tilelab.gui.widgets.wheel import pass_wheel

_USUAL_FRAME = QMargins(6, 38, 6, 6)  # usual frame of a window, used until a real one is known
_MARGINS = 2 * 24  # pixels left and right of what is scrolled in a dialog, at most
_NO_SCREENS = ("offscreen", "minimal")
_FULL = Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen
ANSWER = "window_manager_answer"
"""Name of the timer that runs while the window manager's answer is awaited."""
ANSWER_MILLISECONDS = 200
"""Milliseconds without a move after which the window manager is assumed to be done."""


def keep_on_screen(window: QWidget) -> None:
    """Fit a window to its screen whenever it is shown; its contents must be able to shrink."""
    window.installEventFilter(_Fitting(window))


class Dialog(QDialog):
    """A dialog that stays on its screen, and whose F1 opens its place in the manual."""

    def __init__(
        self,
        parent: QWidget | None,
        title: str,
        name: str = "",
        place: str = "",
        size: tuple[int, int] | None = None,
        kind: Qt.WindowType = Qt.WindowType.Dialog,
    ) -> None:
        """name: of the object. place: '' for that of the parent. size: at the usual text size."""
        super().__init__(parent, kind)
        self.setObjectName(name)
        self.setWindowTitle(title)
        if size is not None:
            self.resize(*map(scaled, size))
        keep_on_screen(self)
        bind_manual_key(self, place)

    def lay_out(self, margins: Margins, spacing: int, content: QLayout, *below: Part) -> None:
        """Lay out parts that are scrolled in too little room, above others that stay in view."""
        scrolled_part = QWidget(self)  # with a parent already, so that the Tab key keeps its order
        scrolled_part.setLayout(content)
        content.setContentsMargins(0, 0, 0, 0)
        area = scrolled(scrolled_part, self, UprightScrollArea)
        column_layout(self, margins, spacing, (area, 1), *below)


class KeptLayout:
    """A window's place, and the sizes of its parts by their names, kept in the settings."""

    def __init__(self, settings: Settings, key: str, window: QWidget, **parts: QSplitter) -> None:
        self._settings, self._key, self._window, self._parts = settings, key, window, parts
        window.restoreGeometry(settings.bytes(f"{key}/geometry"))
        for name, part in parts.items():
            part.restoreState(settings.bytes(f"{key}/{name}"))
        keep_on_screen(window)

    def keep(self) -> None:
        """Store them for the next window of the same key."""
        self._settings.set_bytes(f"{self._key}/geometry", self._window.saveGeometry())
        for name, part in self._parts.items():
            self._settings.set_bytes(f"{self._key}/{name}", part.saveState())


def fitted(wanted: QRect, free: QRect) -> QRect:
    """Shrink and move a rectangle as little as possible to fit into another one."""
    made = QRect(wanted)
    made.setSize(wanted.size().boundedTo(free.size()))
    made.moveLeft(min(max(made.left(), free.left()), free.right() - made.width() + 1))
    made.moveTop(min(max(made.top(), free.top()), free.bottom() - made.height() + 1))
    return made


def free_for(window: QWidget) -> QRect | None:
    """Return the available area of the window's screen; None for an invisible screen."""
    if QGuiApplication.platformName() in _NO_SCREENS:
        return None
    middle = window.geometry().center()
    moved = window.testAttribute(Qt.WidgetAttribute.WA_Moved)
    screen = QGuiApplication.screenAt(middle) if moved else None
    return (screen or window.screen()).availableGeometry()


class UprightScrollArea(QScrollArea):
    """A scroll area that is as wide as its content, also after a change of the text size.

    It is never wider than the screen, where the content is scrolled sideways, too.
    """

    def minimumSizeHint(self) -> QSize:
        least, content = super().minimumSizeHint(), self.widget()
        if content is None:
            return least
        width = content.minimumSizeHint().width() + self._bar_width
        free = free_for(self.window())
        if free is not None:
            inside = free.marginsRemoved(_frame_of(self.window()))
            width = min(width, inside.width() - _MARGINS)
        return QSize(width, least.height())

    def sizeHint(self) -> QSize:
        content = self.widget()
        if content is None:
            return super().sizeHint()
        return content.sizeHint() + QSize(self._bar_width, 0)

    @property
    def _bar_width(self) -> int:
        return self.verticalScrollBar().sizeHint().width()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)


def scrolled(
    content: QWidget, parent: QWidget | None = None, kind: type[QScrollArea] = QScrollArea
) -> QScrollArea:
    """Put a widget into a scroll area for when there is too little room."""
    area = kind(parent, widgetResizable=True)
    area.setWidget(content)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


class _Fitting(QObject):
    """An event filter that fits a window before it appears, and after it was full-screen.

    It does so, too, when the texts have another size.

    The window manager reports its place later than Qt reports the end of full-screen; moving it in
    between would make them disagree on its place.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._answer = QTimer(self, singleShot=True, interval=ANSWER_MILLISECONDS)
        self._answer.setObjectName(ANSWER)
        self._styled = QTimer(self, singleShot=True, interval=0)  # so all parts have their sizes
        for timer in (self._answer, self._styled):
            timer.timeout.connect(partial(fit, window))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            if not event.spontaneous() and isinstance(watched, QWidget):
                fit(watched)
                pass_wheel(watched)
        elif isinstance(event, QWindowStateChangeEvent):
            if event.oldState() & _FULL:
                self._answer.start()
        elif event.type() == QEvent.Type.StyleChange:
            if isinstance(watched, QWidget) and watched.isVisible():
                self._styled.start()
        elif event.type() in (QEvent.Type.Move, QEvent.Type.Resize) and self._answer.isActive():
            self._answer.start()
        return False


def fit(window: QWidget) -> None:
    """Shrink a window to the available area and move it inside.

    One whose texts need more lines in that width is made higher before.
    """
    free = free_for(window)
    if free is None or window.windowState() & _FULL:
        return
    frame = _frame_of(window)
    wanted = window.geometry()
    parent = window.parentWidget()
    was_moved = window.testAttribute(Qt.WidgetAttribute.WA_Moved)
    if not was_moved and parent is not None:
        wanted.moveCenter(parent.window().frameGeometry().center())
    layout = window.layout()
    if layout is not None and layout.hasHeightForWidth():
        width = min(wanted.width(), free.marginsRemoved(frame).width())
        wanted.setHeight(max(wanted.height(), layout.totalMinimumHeightForWidth(width)))
    inside = fitted(wanted.marginsAdded(frame), free).marginsRemoved(frame)
    if was_moved or parent is not None:
        window.setGeometry(inside)
    else:
        # The window manager places a window that was never moved.
        window.resize(inside.size())


def _frame_of(window: QWidget) -> QMargins:
    """Return the widest frame of the existing windows, or else the usual one."""
    frames = [
        other.windowHandle().frameMargins()
        for other in {window, *QApplication.topLevelWidgets()}
        if other.isWindow() and other.windowHandle() is not None and other.isVisible()
    ]
    known = [frame for frame in frames if not frame.isNull()]
    if not known:
        return _USUAL_FRAME
    return QMargins(
        max(frame.left() for frame in known),
        max(frame.top() for frame in known),
        max(frame.right() for frame in known),
        max(frame.bottom() for frame in known),
    )
