"""The system's printers, which there may be none of."""

from collections.abc import Sequence

from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo
from PySide6.QtWidgets import QWidget

from tilelab.core.text.shown_text import one_line
from tilelab.gui.sheet.files import page_layout
from tilelab.gui.sheet.painter import paint_pages
from tilelab.gui.widgets.parts import accepted
from tilelab.sheets.page import Page
from tilelab.sheets.sheet import SheetOptions


def printers() -> list[str]:
    """List the printers of the system."""
    return list(QPrinterInfo.availablePrinterNames())


def print_pages(pages: Sequence[Page], options: SheetOptions, title: str, parent: QWidget) -> bool:
    """Ask for a printer and print; returns whether it was not called off."""
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
