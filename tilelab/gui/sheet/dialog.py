"""The dialog that prints or saves sheets: options at the left, pages at the right."""

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QKeySequence, QPainter, QPaintEvent, QPen, QShortcut
from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QSizePolicy, QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import file_stem, one_line
from tilelab.core.text.wording import counted, labelled
from tilelab.gui.sheet.booklet import Booklet, BookletList
from tilelab.gui.sheet.painter import laid_out, page_layout, paint_page, paint_pages, write_sheets
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.commands import FieldKeys
from tilelab.gui.widgets.file_dialog import ask_to_save
from tilelab.gui.widgets.parts import (
    STRETCH,
    Part,
    accepted,
    column_layout,
    column_of,
    named,
    push_button,
    row_of,
    small_button,
    text_label,
)
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import current_theme, keep_scaled, keep_themed, set_role
from tilelab.gui.widgets.window_place import Dialog, UprightScrollArea, scrolled
from tilelab.puzzles.boggle.maker.filling import Fill
from tilelab.runs.recipe import PrerequisiteProgress
from tilelab.sheets.page import Page
from tilelab.sheets.puzzle_sheets import Filler
from tilelab.sheets.sheet import PaperSize, Sheet, SheetOptions, SheetTargets, WordOrder
from tilelab.sheets.sheet_files import MadeSheets, SheetSource, carried_by, sheets_with, with_titles

KINDS = marked("PDF (*.pdf);;Pictures, PNG (*.png);;Pictures, SVG (*.svg)")
_ORDERS = {
    WordOrder.ALPHABETICAL: marked("Alphabetical"),
    WordOrder.LENGTH: marked("By length"),
    WordOrder.HIDDEN: marked("Hidden, blanks for letters"),
}
_PAPERS = {PaperSize.A4: "A4", PaperSize.LETTER: marked("Letter")}
_CHOICES = {
    "large": marked("Large print"),
    "name_line": marked("Line for name and date"),
    "two_on_page": marked("Two puzzles on a page"),
    "solution": marked("Print the solution, on its own page"),
}
_TWO_TIP = marked("Each puzzle has half a page, where it fits there")
_NO_SOLUTION = marked("No solution is known yet: start a solver first.")
_WIDTH = 250
_SIZE = (820, 720)
_MAX_REASONS = 3  # maximum number of files that cannot be read and are named
_AROUND = 14.0
_TITLES = {
    Fill.RANDOM: marked("Random letters"),
    Fill.NO_WORDS: marked("Letters that make no words"),
    Fill.MESSAGE: marked("A hidden message"),
}
_AS_THEY_ARE = marked("As they are")
TYPING_MILLISECONDS = 200


class Preview(QWidget):
    """A preview of a page, white like paper in all themes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page: Page | None = None
        named(self, "sheet_preview", tr("Page"))
        self.setMinimumSize(220, 300)
        keep_themed(self, self.update)

    def show_page(self, page: Page | None) -> None:
        self._page = page
        self.setAccessibleDescription("" if page is None else page.title)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(440, 600)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.fillRect(self.rect(), theme.ground)
        if self._page is not None:
            width, height = self.width() - 2 * _AROUND, self.height() - 2 * _AROUND
            scale = max(min(width / self._page.width, height / self._page.height), 0.01)
            size = self._page.width * scale, self._page.height * scale
            left, top = (self.width() - size[0]) / 2, (self.height() - size[1]) / 2
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.line, 1.0))
            painter.setBrush(QColor(Qt.GlobalColor.white))
            painter.drawRect(QRectF(left, top, *size))
            painter.translate(left, top)
            paint_page(painter, self._page, scale)
        painter.end()


def printers() -> list[str]:
    return list(QPrinterInfo.availablePrinterNames())


def print_pages(pages: Sequence[Page], options: SheetOptions, title: str, parent: QWidget) -> bool:
    """Ask for a printer and print; returns False if the user cancelled."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setFullPage(True)
    printer.setPageLayout(page_layout(options))
    printer.setDocName(one_line(title))
    dialog = QPrintDialog(printer, parent)
    dialog.setMinMax(1, len(pages))
    if not accepted(dialog):
        return False
    first, last = printer.fromPage() or 1, printer.toPage() or len(pages)
    return paint_pages(printer, pages[first - 1 : last])


class FillChoice(QWidget):
    """The choice of what fills unused cells, with a line for a message."""

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MILLISECONDS)
        self._typing.timeout.connect(self.changed)
        self.box = named(QComboBox(self), "sheet_fill", tr("Cells that no word uses"))
        self.box.addItem(tr(_AS_THEY_ARE), "")
        for fill, title in _TITLES.items():
            self.box.addItem(tr(title), fill.value)
        self.message = named(QLineEdit(self), "sheet_message", tr("Message"))
        self.message.setPlaceholderText(tr("Message, read row by row"))
        self.message.hide()
        self.said = text_label("muted", self, "", "sheet_filled", wraps=True)
        self.said.hide()
        self._label = QLabel(tr("Unused cells"), self)
        self._label.setBuddy(self.box)
        column_layout(self, 0, 8, self._label, self.box, self.message, self.said)
        self.box.currentIndexChanged.connect(self._chosen)
        self.message.textChanged.connect(self._typing.start)

    @property
    def filler(self) -> Filler | None:
        """Chosen filling; None to leave the cells unchanged, and while the message is missing."""
        value = self.box.currentData()
        # The text stays in its field while another filling is chosen.
        message = self.message.text() if self._is_message else ""
        is_missing = self._is_message and not message.strip()
        return Filler(Fill(value), message) if value and not is_missing else None

    def choose(self, how: str, message: str) -> None:
        """Choose a filling, and show its message."""
        with QSignalBlocker(self.message):
            self.message.setText(message)
        self.box.setCurrentIndex(max(self.box.findData(how), 0))

    @property
    def _is_message(self) -> bool:
        return bool(self.box.currentData() == Fill.MESSAGE)

    @property
    def is_ready(self) -> bool:
        """Return whether the choice is complete; asks for a missing message."""
        is_ready = not self._is_message or self.filler is not None
        if not is_ready:
            self._say(tr("Type the message for the unused cells."))
        return is_ready

    def show_number(self, n: int) -> None:
        """Say whether the choice is for one puzzle or for several."""
        self._label.setText(tr("Unused cells of all puzzles") if n > 1 else tr("Unused cells"))

    def show_filled(self, sheets: Sequence[Sheet]) -> None:
        said = [sheet.reported for sheet in sheets if sheet.reported]
        if self.filler is None or not said:
            self._say("")
        elif len(sheets) == 1:
            self._say(" ".join(said[0]))
        else:
            n_puzzles = counted(len(said), "puzzle")
            warnings = [
                labelled(sheet.title, " ".join(sheet.reported[1:]))
                for sheet in sheets
                if sheet.reported[1:]
            ]
            filled = tr("Unused cells are filled in {n_puzzles}.", n_puzzles=n_puzzles)
            self._say("\n".join([filled, *warnings]))

    def _say(self, text: str) -> None:
        self.said.setText(text)
        self.said.setVisible(bool(text))

    @Slot()
    def _chosen(self) -> None:
        self.message.setVisible(self._is_message)
        if self._is_message and self.message.isVisible():
            self.message.setFocus()
        self.changed.emit()


class SheetDialog(Dialog):
    """The dialog that shows sheets page by page with the chosen options."""

    done_with = Signal(str)  # emitted with a sentence when sheets were printed or saved
    left_with = Signal(object)  # emitted with the added puzzles when the dialog is closed

    def __init__(
        self,
        sheets: Sequence[Sheet],
        settings: Settings,
        parent: QWidget | None = None,
        carried: str = "",
        sources: Sequence[SheetSource] = (),
    ) -> None:
        """carried: the run that files of the first sheet carry; '' for its board.

        sources: origins of the sheets, from which others can be made; () for none.
        """
        super().__init__(parent, tr("Print"), "sheet_dialog", "sheets")
        self._sheets, self._settings = tuple(sheets), settings
        self._known = tuple(sources)  # sources of these sheets
        self._carried = carried
        self._own = sources[0] if sources else None  # source of the sheet that carries it
        self._new: tuple[SheetSource, ...] = ()  # those from before, until their sheets are made
        self._filling: tuple[str, str] | None = None  # that from before, until then
        self._n_before = 0  # number of them in front of the next board, if there is no own one
        self._is_kept = False  # whether the own puzzle stays in the booklet, as added ones do
        self.pages: tuple[Page, ...] = ()
        self.number = 0  # index of the current page, from 0
        self._making = TaskRunner(self, self._made, failed=self._failed)
        self.title = QLineEdit(self._sheets[0].title if len(self._sheets) == 1 else "", self)
        named(self.title, "sheet_title", tr("Title"))
        self._title_label = QLabel(tr("Title"), self)
        self._title_label.setBuddy(self.title)
        tip = tr("Type the title of all puzzles that have no own one")
        self.title_all = small_button(
            tr("Title of all"), "sheet_title_all", tip, self, self._name_all
        )
        self.words = self._box("sheet_words", tr("Words"), _ORDERS)
        self.paper = self._box("sheet_paper", tr("Paper size"), _PAPERS)
        self.filling = FillChoice(self)
        self.remark = text_label("warning", self, "", "sheet_remark", wraps=True)
        self.booklet = BookletList(sources, settings, self)
        self.added_before = text_label("muted", self, "", "sheet_before", wraps=True)
        tip = tr("Print only the other puzzles, now and next time")
        self.remove_before = small_button(
            tr("Remove them"), "sheet_remove_before", tip, self, self._remove_before
        )
        self.choices = {name: QCheckBox(tr(text), self) for name, text in _CHOICES.items()}
        self.choices["two_on_page"].setToolTip(tr(_TWO_TIP))
        self._too_long = text_label("muted", self, "", "sheet_too_long", wraps=True)
        self._no_solution = text_label(
            "muted", self, tr(_NO_SOLUTION), "sheet_no_solution", wraps=True
        )
        self._said = text_label("error", self, "", "sheet_error", wraps=True)
        self._said.hide()
        self._preview = Preview(self)
        self._where = text_label("muted", self)
        self._make_buttons()
        self._recall()
        self._lay_out()
        self._connect()
        self._show_title()

    @property
    def options(self) -> SheetOptions:
        chosen = {name: box.isChecked() for name, box in self.choices.items()}
        words, paper = self.words.currentData(), self.paper.currentData()
        return SheetOptions(WordOrder(words), PaperSize(paper), **chosen)

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """Sheets with the titles from the dialog."""
        title, own = self._shared_title, self.booklet.titles
        if len(self._sheets) == 1 and len(own) < 2:
            return (dataclasses.replace(self._sheets[0], title=title),)
        if len(own) != len(self._sheets):
            return with_titles(self._sheets, title)  # there is no list, or others are being made
        titled = (
            dataclasses.replace(sheet, title=one or title or sheet.title)
            for sheet, one in zip(self._sheets, own, strict=True)
        )
        return with_titles(tuple(titled), "")

    @property
    def _shared_title(self) -> str:
        """Title of the only puzzle, or of all that have no own one."""
        is_one = len(self._sheets) == 1 and len(self.booklet.sources) < 2
        return (self.title.text() if is_one else self.booklet.title).strip()

    @property
    def added(self) -> Booklet:
        """Puzzles in addition to the own one, and their titles."""
        own_titles = zip(self.booklet.sources, self.booklet.titles, strict=True)
        # None: it was added, too, or is part of a booklet that was saved.
        own = None if self._own in self.booklet.before or self._is_kept else self._own
        titles = {source: title for source, title in own_titles if source is not own}
        title = self.booklet.title if titles else ""
        sources = self.booklet.sources
        n_before = sources.index(self._own) if self._own in sources else self._n_before
        filler = self.filling.filler
        filling = self._filling if filler is None else (filler.how.value, filler.message)
        return Booklet(titles, title, self._own_title, n_before, filling)

    @property
    def _own_title(self) -> str | None:
        """Title that the user gave to the own puzzle; '' if it has none; None for its usual one."""
        if self._own not in self.booklet.sources:
            return None
        if len(self.booklet.sources) > 1:
            return self.booklet.titles[self.booklet.sources.index(self._own)] or None
        title = self.title.text().strip()
        return None if title == self._sheets[0].title else title

    def add_booklet(self, added: Booklet) -> None:
        """Add the puzzles of a previous dialog, with the filling and the own one's title there.

        If the dialog shows one of them, it has no own one. Puzzles that can no longer be read are
        named.
        """
        if added.own_title is not None:
            self.title.setText(added.own_title)
        if added.filling is not None and not added.titles:
            self.filling.choose(*added.filling)
        if added.titles:
            # A message that does not fit must not make a puzzle one that cannot be read.
            self._filling = added.filling
            sources, n_before = list(added.titles), added.n_before
            self.booklet.title, self.booklet.before = added.title, tuple(sources)
            if self._own in sources:
                n_before = sources.index(self._own)
                del sources[n_before]
                self._own, self._n_before = None, added.n_before
            self._new = tuple(sources)
            self.booklet.add(sources, added.titles, n_before)
        self.booklet.forget_steps()

    def save(self, path: Path) -> None:
        """Write the pages; the kind of file follows its ending."""
        kind = path.suffix.lower().removeprefix(".")
        kind = kind if kind in ("png", "svg") else "pdf"
        title = self._shared_title or self._sheets[0].title
        sources = tuple(self.booklet.sources) or (self._own,) * len(self._sheets)
        is_filled = self.filling.filler is not None
        carried = tuple(
            # A sheet whose cells are filled carries the board that is printed, not the run.
            self._carried
            if source is self._own
            and self._carried
            and not (sheet.message or (is_filled and sheet.can_fill))
            else carried_by(sheet)
            for source, sheet in zip(sources, self._sheets, strict=True)
        )
        targets = SheetTargets(title, **{kind: path}, carried=carried)
        try:
            written = write_sheets(self.sheets, self.options, targets)
        except TileLabError as error:
            self._say(str(error))
            return
        self._keep_own()
        self._settings.folder = written[0].resolve().parent
        others = tr(" and {n_more} more", n_more=len(written) - 1) if len(written) > 1 else ""
        said = tr("Saved {file}{others}", file=written[0], others=others)
        if len(carried) > 1 and any(carried):
            if kind == "pdf":
                said += ". " + tr("To open these puzzles here again, save each on a page as PNG.")
            elif self.options.two_on_page:
                said += ". " + tr("A page with two puzzles opens the first; solutions open each.")
        self.done_with.emit(said)
        # The dialog stays: the same sheet may be wanted in another form, too.
        self._say(said, "accent")

    @Slot()
    def ask_for_file(self) -> None:
        """Ask where to save the pages."""
        name = file_stem(self._shared_title or tr("Sheet")).lower()
        path = ask_to_save(
            self,
            tr("Save the sheet as PDF, PNG or SVG"),
            self._settings.folder / f"{name}.pdf",
            tr(KINDS),
        )
        if path is not None:
            self.save(path)

    @Slot()
    def print(self) -> None:
        """Ask for a printer, and print."""
        if print_pages(self.pages, self.options, self._shared_title, self):
            self._keep_own()
            self.done_with.emit(tr("The sheet was sent to the printer."))
            self.accept()

    def _keep_own(self) -> None:
        """Let a booklet that is saved or printed stay whole when another board is printed."""
        self._is_kept = self._own in self.booklet.sources and len(self.booklet.sources) > 1

    def turn_to(self, number: int) -> None:
        """Show a page by its index, from 0; it is limited to the first and last page."""
        self.number = min(max(number, 0), len(self.pages) - 1)
        self._preview.show_page(self.pages[self.number])
        self._where.setText(
            tr("Page {number} of {n_pages}", number=self.number + 1, n_pages=len(self.pages))
        )
        self._back.setEnabled(self.number > 0)
        self._forward.setEnabled(self.number < len(self.pages) - 1)

    def done(self, result: int) -> None:
        """Close, and remember the options."""
        self._making.close()
        self.left_with.emit(self.added)
        for box in (self.words, self.paper):
            self._settings.set_text(box.objectName(), str(box.currentData()))
        self._keep_choices()
        super().done(result)

    def _keep_choices(self) -> None:
        for name, choice in self.choices.items():
            if choice.isEnabled():
                self._settings.set_text(f"sheet_{name}", str(choice.isChecked()))

    def _recall(self) -> None:
        for box in (self.words, self.paper):
            place = box.findData(self._settings.text(box.objectName()))
            box.setCurrentIndex(max(place, 0))
        for name, choice in self.choices.items():
            choice.setObjectName(f"sheet_{name}")
            choice.setChecked(self._is_chosen(name))

    def _is_chosen(self, name: str) -> bool:
        """Return whether an option was chosen the last time that it could be."""
        known = {"True": True, "False": False}
        said = self._settings.text(f"sheet_{name}")
        return known.get(said, bool(getattr(SheetOptions(), name)))

    @Slot(str)
    def _take_title(self, text: str) -> None:
        """Take a typed title for the selected puzzle, or for all that have no own one."""
        self.booklet.give_title(self.booklet.row, text)
        self._show_pages()

    @Slot()
    def _name_all(self) -> None:
        self.booklet.list.setCurrentRow(-1)
        self.title.setFocus()

    @Slot()
    def _remove_before(self) -> None:
        """Remove the puzzles that a previous dialog added, and the title of all with them."""
        before = self._others_before
        others = [each for each in self.booklet.sources if each not in before]
        if not others and self._own is not None:
            others = [self._own]
        self.booklet.keep_only(others)

    @property
    def _others_before(self) -> list[SheetSource]:
        """Puzzles from before other than the own one, which may have been added, too."""
        return [one for one in self.booklet.before if one is not self._own]

    @Slot()
    def _show_before(self) -> None:
        before = self._others_before
        n_before = sum(source in before for source in self.booklet.sources)
        n_puzzles = counted(n_before, "puzzle")
        self.added_before.setText(
            tr(
                "No board is on the screen: this prints {n_puzzles} from before.",
                n_puzzles=n_puzzles,
            )
            if self._own is None
            else tr("This also prints {n_puzzles} from before.", n_puzzles=n_puzzles)
        )
        self.added_before.setVisible(n_before > 0)
        # Without a board on the screen, nothing would be left to print.
        self.remove_before.setVisible(n_before > 0 and self._own is not None)

    @Slot()
    def _show_title(self) -> None:
        """Show the title that the field sets: that of one puzzle or of all."""
        row, n = self.booklet.row, len(self.booklet.sources)
        text, shown = tr("Title"), self.booklet.title
        if n > 1 and row >= 0:
            text, shown = tr("Title of puzzle {number}", number=row + 1), self.booklet.titles[row]
        elif n > 1:
            text = tr("Title of all puzzles")
        elif n == 1 or len(self._sheets) == 1:
            shown = "".join(self.booklet.titles) or self._sheets[0].title
        self._title_label.setText(text)
        self.filling.show_number(n)
        self.title.setAccessibleName(text)
        self.title_all.setVisible(n > 1)
        self.title_all.setEnabled(row >= 0)
        with QSignalBlocker(self.title):
            self.title.setText(shown)
        self._show_pages()

    @Slot()
    def _show_selected(self) -> None:
        """Show the title and the first page of the selected puzzle."""
        self._show_title()
        row = self.booklet.row
        pages = (at for at, page in enumerate(self.pages) if row in (page.sheet, page.lower))
        self.turn_to(next(pages, self.number))

    @Slot()
    def _show_pages(self) -> None:
        sheets, said = self.sheets, ""
        self._show_remarks(sheets)
        self.pages = laid_out(sheets, self.options)
        if self._known and self._known == tuple(self.booklet.sources):
            self.booklet.show_titles([sheet.title for sheet in sheets])
        row = self.booklet.row
        is_one = 0 <= row < len(sheets)
        self.title.setPlaceholderText(sheets[row].title if is_one else tr("Each has its own"))
        large = {page.sheet for page in self.pages if page.is_large}
        title = sheets[min(large)].title if len(large) == 1 else ""
        if title:
            said = tr("“{title}” does not fit in half a page.", title=title)
        elif large:
            n_puzzles = counted(len(large), "puzzle")
            said = tr("Too large for half a page: {n_puzzles}.", n_puzzles=n_puzzles)
        self._too_long.setText(said)
        self._too_long.setVisible(bool(said))
        self.turn_to(self.number)

    @Slot()
    def _make_again(self) -> None:
        """Rebuild the sheets in the background for the chosen puzzles and filling."""
        # Only pages that are shown can be saved.
        self.save_button.setEnabled(False)
        self.print_button.setEnabled(False)
        self._say("")
        if self.filling.is_ready:
            sources = tuple(self.booklet.sources)
            self._making.start(sheets_with(self._known, sources, self.filling.filler))

    @Slot(object)
    def _made(self, made: MadeSheets | PrerequisiteProgress) -> None:
        if isinstance(made, PrerequisiteProgress):
            self._say(str(made), "muted")
            return
        made = self._without_double(made)
        filling, self._filling = self._filling, None
        sheets, reasons = made.sheets, list(made.failed.values())
        had_one, self._sheets = len(self._sheets) == 1, sheets
        is_other_list, self._known = made.sources != self._known, made.sources
        self._take_back(made.failed)
        if n_more := len(reasons[_MAX_REASONS:]):
            reasons[_MAX_REASONS - 1] += tr(" and {n_more} more", n_more=n_more)
        self._say("\n".join(reasons[:_MAX_REASONS]))
        self.filling.show_filled(self.sheets)  # with the titles that are shown
        self._allow()
        if had_one and len(sheets) == 1:
            self._show_pages()  # an empty title stays as it was typed
        elif is_other_list:
            self._show_selected()
        else:
            self._show_title()
        if filling is not None:
            self.filling.choose(*filling)

    def _without_double(self, made: MadeSheets) -> MadeSheets:
        """At first, let the same puzzle of a previous dialog be the own one, in its place."""
        sheets = dict(zip(made.sources, made.sheets, strict=True))
        # A list that undo brings back stays as it was.
        before, self._new = [one for one in self._new if one in sheets], ()
        if self._own is None or self._own not in sheets:
            return made
        own = sheets[self._own]
        same = next(
            (one for one in before if sheets[one].puzzle_on_paper == own.puzzle_on_paper), None
        )
        if same is not None:
            doubles, self._own = [self._own], same  # which is printed in its place
        else:
            # A new board of the same words takes the place of that of a saved booklet.
            doubles = [one for one in before if one.carried and sheets[one].has_words_of(own)]
        if not doubles:
            return made
        self.booklet.take_back(doubles)
        self._show_before()
        rest = {one: sheet for one, sheet in sheets.items() if one not in doubles}
        return made._replace(sources=tuple(rest), sheets=tuple(rest.values()))

    @Slot(str)
    def _failed(self, why: str) -> None:
        """Show the error; puzzles that cannot be read are removed."""
        self._say(why)
        self.filling.show_filled(())
        self._take_back([each for each in self.booklet.sources if each not in self._known])

    def _take_back(self, sources: Collection[SheetSource]) -> None:
        if sources:
            self.booklet.take_back(sources)
            self._allow()
            self._show_title()
            self._show_before()

    def _allow(self) -> None:
        self.save_button.setEnabled(True)
        self.print_button.setEnabled(bool(printers()))
        has_words = any(sheet.words for sheet in self._sheets)
        for part in (self.words, self._words_label):
            part.setVisible(has_words)
        can_fill = any(sheet.can_fill for sheet in self._sheets)
        self.filling.setVisible(bool(self.booklet.sources) and can_fill)
        self._allow_solution()

    def _show_remarks(self, sheets: Sequence[Sheet]) -> None:
        """Say what sheets lack, by the titles that are printed."""
        remarks = [
            sheet.remark if len(sheets) == 1 else labelled(sheet.title, sheet.remark)
            for sheet in sheets
            if sheet.remark
        ]
        self.remark.setText("\n".join(remarks))
        self.remark.setVisible(bool(remarks))
        unsolved = [sheet.title for sheet in sheets if not sheet.has_solution]
        self._no_solution.setVisible(bool(unsolved))
        self._no_solution.setText(
            tr("Without a known solution: {titles}", titles=", ".join(unsolved))
            if len(unsolved) < len(sheets)
            else tr(_NO_SOLUTION)
        )

    def _allow_solution(self) -> None:
        """Offer the solution if there is any; the choice outlasts a puzzle without one."""
        box = self.choices["solution"]
        is_known = any(sheet.has_solution for sheet in self._sheets)
        box.setToolTip("" if is_known else tr(_NO_SOLUTION))
        if is_known != box.isEnabled():
            self._keep_choices()
            box.setEnabled(is_known)
            box.setChecked(is_known and self._is_chosen("solution"))

    def _say(self, text: str, role: str = "error") -> None:
        set_role(self._said, role)
        self._said.setText(text)
        self._said.setVisible(bool(text))

    def _box(
        self, name: str, title: str, entries: Mapping[WordOrder, str] | Mapping[PaperSize, str]
    ) -> QComboBox:
        box = named(QComboBox(self), name, title)
        for key, text in entries.items():
            box.addItem(tr(text), str(key))
        return box

    def _make_buttons(self) -> None:
        tip = tr("Previous page (Page Up)")
        self._back = push_button("‹", "sheet_back", tip, self)
        self._back.clicked.connect(lambda: self.turn_to(self.number - 1))
        self._back.setAccessibleName(tr("Previous page"))
        tip = tr("Next page (Page Down)")
        self._forward = push_button("›", "sheet_forward", tip, self)
        self._forward.clicked.connect(lambda: self.turn_to(self.number + 1))
        self._forward.setAccessibleName(tr("Next page"))
        tip = tr("As PDF, PNG or SVG (Ctrl+S)")
        self.save_button = push_button(tr("Save…"), "sheet_save", tip, self, self.ask_for_file)
        tip = tr("Choose a printer")
        self.print_button = push_button(tr("Print…"), "sheet_print", tip, self, self.print)
        tip = tr("Close (Escape)")
        self._close = push_button(tr("Close"), "sheet_close", tip, self, self.reject)
        for button in (self._back, self._forward, self.print_button, self._close):
            button.setAutoDefault(False)
        self.save_button.setDefault(True)
        set_role(self.save_button, "primary")
        if not printers():
            self.print_button.setToolTip(tr("There is no printer. Save the sheet as PDF instead"))

    def _connect(self) -> None:
        self.title.textChanged.connect(self._take_title)
        for box in (self.words, self.paper):
            box.currentIndexChanged.connect(self._show_pages)
        for choice in self.choices.values():
            choice.toggled.connect(self._show_pages)
        self.filling.changed.connect(self._make_again)
        self.booklet.changed.connect(self._show_title)
        self.booklet.changed.connect(self._show_before)
        self.booklet.changed.connect(self._make_again)
        self.booklet.selected.connect(self._show_selected)
        for key, done in (
            ("PgUp", self._back.click),
            ("PgDown", self._forward.click),
            ("Ctrl+S", self.ask_for_file),
        ):
            QShortcut(QKeySequence(key), self, done)
        FieldKeys(self, set)
        QShortcut(QKeySequence.StandardKey.Undo, self, self.booklet.undo)
        QShortcut(QKeySequence.StandardKey.Redo, self, self.booklet.redo)

    def _lay_out(self) -> None:
        choosing = QWidget(self)
        keep_scaled(self.title, least_width=_WIDTH)
        naming = row_of(self._title_label, STRETCH, self.title_all)
        fields: list[Part] = [naming, self.title]
        for text, field in (
            (tr("Words"), self.words),
            (tr("Paper size"), self.paper),
        ):
            label = QLabel(text, choosing)
            label.setBuddy(field)
            if field is self.words:
                self._words_label = label
            fields += [label, field]
        notes = self.filling.said, self.remark, self._too_long, self._no_solution, self._said
        for note in (*notes, self.added_before):
            # A long one has more lines, and takes no width of the pages.
            policy = note.sizePolicy()
            policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
            note.setSizePolicy(policy)
        before = row_of((self.added_before, 1), self.remove_before)
        fields += [self.filling, self.remark, before, self.booklet]
        *choices, two, solution = self.choices.values()
        with_remarks = two, self._too_long, solution, self._no_solution
        column_layout(choosing, 0, 8, *fields, 8, *choices, *with_remarks, STRETCH)
        area = scrolled(choosing, self, UprightScrollArea)
        side = column_of((area, 1), self._said)
        turning = row_of(STRETCH, self._back, self._where, self._forward, STRETCH)
        paper = column_of((self._preview, 1), turning)
        both = row_of(side, (paper, 1), spacing=20)
        buttons = row_of(STRETCH, self._close, self.print_button, self.save_button)
        column_layout(self, 20, 16, (both, 1), buttons)
        self.booklet.setVisible(bool(self.booklet.sources))
        self._allow()
        self._show_before()
        self.resize(*_SIZE)
