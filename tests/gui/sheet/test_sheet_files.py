"""Sheets as files: text that can be read back, fonts that are in them, pictures of whole pages."""

import io
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest
from PIL import Image

from tests import made_sheets, programs
from tilelab.gui.sheet.painter import laid_out, page_png, page_svg, pdf_bytes, text_width
from tilelab.gui.shell.qt_application import make_application
from tilelab.sheets.page import Ruler
from tilelab.sheets.puzzle_sheets import sheet_of
from tilelab.sheets.sheet import PaperSize, SheetOptions

needs_poppler = pytest.mark.skipif(
    shutil.which("pdftotext") is None, reason="poppler-utils are not installed"
)


@pytest.fixture(autouse=True)
def fonts(qapp):
    make_application([], "light")


def printed(*command):
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


@needs_poppler
def test_the_text_of_a_pdf_reads_as_the_sheet(tmp_path):
    options = SheetOptions(paper=PaperSize.LETTER)
    sheets = [sheet_of(*made_sheets.letters()), sheet_of(*made_sheets.tiles())]
    file = tmp_path / "sheet.pdf"
    file.write_bytes(pdf_bytes(laid_out(sheets, options), options, "A sheet"))
    text = " ".join(printed("pdftotext", "-layout", file, "-").split())
    for part in ("Two words, and more", "C A T D N A E R R A T A N D", "4 words", "DNA", "Date"):
        assert part in text
    assert "4. 8 up" in text or "4. 6 up" in text
    facts = printed("pdfinfo", file)
    assert "612 x 792" in facts
    assert re.search(r"Pages:\s+4", facts)
    fonts = printed("pdffonts", file).splitlines()[2:]
    assert fonts
    assert all(line.startswith("Inter") and "yes" in line for line in fonts)


def test_the_fonts_letters_fit_the_pages():
    options = SheetOptions(large=True)
    pages = laid_out([made_sheets.many_words(200)], options)
    ruler = Ruler(text_width)
    for page in pages:
        for mark in page.marks:
            left, _top, right, bottom = made_sheets.extent(mark, ruler)
            assert left > 0
            assert right < page.width
            assert bottom < page.height


def test_pictures_show_a_whole_page_in_its_size():
    """Noticed: a picture of an A4 page that is 157 mm wide as SVG and 328 mm as PNG."""
    (page,) = laid_out([sheet_of(*made_sheets.letters())], SheetOptions(solution=False))
    picture = Image.open(io.BytesIO(page_png(page)))
    assert picture.size == (1240, 1754)
    ink = picture.convert("L").point(lambda grey: 255 if grey < 128 else 0).getbbox()
    assert ink is not None
    assert ink[0] > 90
    assert ink[2] < picture.size[0] - 90
    root = ElementTree.fromstring(page_svg(page))
    assert root.get("viewBox") == "0 0 595 842"
    a4 = pytest.approx([210, 297], abs=0.2)
    assert [float(root.get(side).removesuffix("mm")) for side in ("width", "height")] == a4
    dots = zip(picture.size, picture.info["dpi"], strict=True)
    assert [25.4 * n / per_inch for n, per_inch in dots] == a4
    assert not root.findall(".//{http://www.w3.org/2000/svg}text")


@pytest.mark.exhaustive
def test_the_command_draws_without_a_display(tmp_path):
    file = tmp_path / "grid.txt"
    file.write_text("CAT\nDOG\n", encoding="utf-8")
    words = tmp_path / "words.txt"
    words.write_text("cat\n", encoding="utf-8")
    pdf, png = tmp_path / "sheet.pdf", tmp_path / "sheet.png"
    command = ["sheet", file, "--lexicon", words, "--pdf", pdf, "--png", png]
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    done = programs.run(*command, env=environment)
    assert done.stderr == ""
    assert done.returncode == 0
    pictures = [tmp_path / "sheet-1.png", tmp_path / "sheet-2.png"]
    assert done.stdout.split() == [str(pdf), *map(str, pictures)]
    assert pdf.read_bytes().startswith(b"%PDF-")
    for picture in pictures:
        with Image.open(picture) as drawn:
            assert drawn.size == (1240, 1754)
