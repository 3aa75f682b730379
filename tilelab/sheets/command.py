"""``tilelab sheet``: puzzles on paper, or in plain values for other programs."""

import dataclasses

import click

from tilelab.cli.completion import completes_files
from tilelab.cli.flags import FILE, Output, WritingCommand, flags, option, own_flags, switch
from tilelab.cli.progress import report_preparation
from tilelab.cli.terminal import print_json, say
from tilelab.core.errors import UsageError
from tilelab.core.files.paths import path_text
from tilelab.core.flags import Flag, path_of, word_of
from tilelab.core.plain import Value
from tilelab.core.text.language import marked, tr
from tilelab.letters.builtin import LEXICON_FLAGS, builtin_lexicons
from tilelab.puzzles.boggle.maker.filling import Fill
from tilelab.puzzles.boggle.puzzle import BoggleParams
from tilelab.runs.files.kinds import PDF, PNG, SVG
from tilelab.sheets.sheet import (
    DrawSheets,
    PaperSize,
    SheetOptions,
    SheetTargets,
    WordOrder,
    plain_sheet,
)
from tilelab.sheets.sheet_files import carried_by, read_sheets

_KINDS = ("pdf", "png", "svg")


def sheet_command(draw: DrawSheets | None) -> click.Command:
    """Make the command; draw: draws the files, None where nothing can."""

    def sheet(
        files: tuple[str, ...], title: str, words: str, paper: str, as_json: bool, **values: Value
    ) -> int:
        options = SheetOptions(
            words=WordOrder(word_of({"words": words}, "words", WordOrder)),
            paper=PaperSize(word_of({"paper": paper}, "paper", PaperSize)),
            large=bool(values.pop("large")),
            name_line=bool(values.pop("name_line")),
            two_on_page=bool(values.pop("two_on_page")),
            solution=bool(values.pop("solution")),
        )
        requested = {kind: values.pop(kind) for kind in _KINDS}
        paths = {
            kind: None if name is None else path_of(f"--{kind}", str(name))
            for kind, name in requested.items()
        }
        targets = SheetTargets(title, paths["pdf"], paths["png"], paths["svg"])
        if not (targets or as_json):
            raise UsageError.tr("Name an output: --pdf, --png, --svg or --json")
        paths_read = [path_of("FILE", name) for name in files]
        with report_preparation() as prepare:
            sheets = prepare(lambda: read_sheets(paths_read, values, title))
        for made in sheets:
            for line in filter(None, (*made.reported, made.remark)):
                say(line, err=True)
        if targets and draw is None:
            raise UsageError.tr("This installation cannot draw; use --json")
        if targets and draw is not None:
            named = dataclasses.replace(
                targets, title=title or sheets[0].title, carried=tuple(map(carried_by, sheets))
            )
            for written in draw(sheets, options, named):
                say(path_text(written), err=as_json)
        if as_json:
            print_json({"sheets": [plain_sheet(made) for made in sheets]})
        return 0

    return WritingCommand(
        "sheet",
        example="best.txt --pdf puzzle.pdf",
        callback=sheet,
        params=[
            click.Argument(
                ["files"],
                type=FILE,
                metavar="FILE...",
                nargs=-1,
                required=True,
                shell_complete=completes_files,
            ),
            option("--title", "TEXT", tr("The heading of the sheet."), default=""),
            option(
                "--words",
                "WORD",
                tr(
                    "How words are listed: alphabetical, by length, or hidden, with blanks for "
                    "their letters [default: alphabetical]."
                ),
                default=WordOrder.ALPHABETICAL.value,
                known=lambda: WordOrder,
            ),
            option(
                "--paper",
                "SIZE",
                tr("A4 or Letter [default: A4]."),
                default=PaperSize.A4.value,
                known=lambda: PaperSize,
            ),
            switch("--large", tr("Larger letters and words.")),
            switch("--two-on-page", tr("Half a page for each puzzle that fits there.")),
            click.Option(
                ["--name-line/--no-name-line"],
                default=True,
                help=tr("A line for name and date [default: yes]."),
            ),
            click.Option(
                ["--solution/--no-solution"],
                default=True,
                help=tr("The solution, on separate pages at the end [default: yes]."),
            ),
            *(
                Output(flag, "FILE", kind, help_text, numbered=kind is not PDF)
                for flag, kind, help_text in (
                    ("--pdf", PDF, tr("Write one PDF file.")),
                    ("--png", PNG, tr("Write a PNG picture of each page.")),
                    ("--svg", SVG, tr("Write an SVG picture of each page.")),
                )
            ),
            switch("--json as_json", tr("Print one JSON object.")),
            *own_flags(_FILL_FLAGS),
            *own_flags(_LEXICON_FLAGS),
            *flags([BoggleParams]),
        ],
        help=tr(
            "Print puzzles on paper: saved boards and runs, plain rows of letters, or the JSON of "
            "word-search-generator. Several files make one booklet. See docs/sheets.md."
        ),
    )


_FILL_FLAGS = [
    Flag(
        "fill",
        "WORD",
        marked(
            "Fill cells of a letter board that no word uses: random, no-words (letters that "
            "make no other word, as far as possible) or message."
        ),
        known=lambda: list(Fill),
    ),
    Flag("message", "TEXT", marked("The message in the unused cells, row by row.")),
    Flag("fill_seed", "N", marked("The same seed fills the cells in the same way."), default="0"),
    Flag(
        "fill_without",
        "FILE-or-NAME",
        marked("Filled cells make no word of three letters or more of this lexicon, either."),
        known=lambda: [entry.key for entry in builtin_lexicons()],
        takes_file=True,
    ),
]
_LEXICON_FLAGS = [
    dataclasses.replace(
        flag,
        default=None,
        help="The words to look for: a built-in lexicon, or a text file with one word a line "
        "[default: the built-in one that a saved board names].",
    )
    if flag.name == "lexicon"
    else flag
    for flag in LEXICON_FLAGS
]
