"""Reading a lesson: Markdown with a header and blocks in TOML; every error is one sentence.

A line of three backticks and a word, ``run`` or ``question``, begins a block; a line of three
backticks ends it. A packed lesson is a ZIP file of such a text and its pictures.
"""

import io
import lzma
import re
import tomllib
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NoReturn, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.files.paths import data_folder, is_there, read_at_most
from tilelab.core.files.resources import resource
from tilelab.core.plain import parse_toml
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import quoted, shortened
from tilelab.core.text.wording import counted, meant
from tilelab.core.views import ViewKind
from tilelab.lessons import ENDING, PACKED, is_lesson
from tilelab.lessons.lesson import (
    BOARD,
    Block,
    Header,
    Illustration,
    Lesson,
    LessonRun,
    Paragraphs,
    Question,
    RunBlock,
    Table,
)
from tilelab.library.loading import validate_values

MAX_BYTES = 200_000  # largest size of a lesson's file, in bytes
EDGE, FENCE = "+++", "```"
PICTURE_ENDINGS = (".svg", ".png")
# Bounded, because a line of brackets alone would take the square of its length.
_PICTURE = re.compile(r"!\[(?P<words>[^\]]{0,1000})\]\((?P<file>[^)]{0,1000})\)")
_BLOCKS = {"run": RunBlock, "question": Question}
_PLAIN = ("", "text")  # fences of text that is shown unchanged
_SCALAR = marked("a number, a text, true or false")
# What zipfile raises for damage, such as ValueError for a place before the file.
_ZIP_ERRORS = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(EOFError, ValueError, RuntimeError, OSError),
)
T = TypeVar("T", bound=Table)
MAX_PACKED = 20_000_000  # largest size of a packed lesson, in bytes, also once it is unpacked


class LessonError(TileLabError):
    """A lesson cannot be read; the sentence names the line, and what is allowed."""


@dataclass(frozen=True)
class _Lines:
    """Some lines of a file, and their position in it."""

    file: str
    first: int  # the number of the first of them, from 1
    lines: Sequence[str]

    def place(self, offset: int = 0) -> str:
        return tr("{file}, line {line}", file=self.file, line=self.first + offset)

    def fail(self, text: str, offset: int = 0) -> NoReturn:
        raise LessonError(f"{self.place(offset)}: {text}")

    def part(self, begin: int, end: int) -> "_Lines":
        return _Lines(self.file, self.first + begin, self.lines[begin:end])

    def offset_of(self, *keys: str) -> int:
        """Return the line of a table's key, if it can be found; 0 is the first line."""
        found = 0
        for key in keys:
            begins = re.compile(rf"\s*(\[\s*)?[\"']?{re.escape(key)}[\"']?\s*[\]=]")
            after = (n for n in range(found, len(self.lines)) if begins.match(self.lines[n]))
            found = next(after, found)
        return found


def read_lesson(file: Path, *, is_own: bool = False) -> Lesson:
    """Read a lesson, which may be packed; raises LessonError with its first error."""
    text, folder = (file, file.parent) if not _is_packed(file) else _unpack(file)
    lines = _Lines(text.name, 1, _read_text(text).splitlines())
    header, after = _header(lines)
    blocks = tuple(_blocks(lines.part(after, len(lines.lines)), folder))
    return Lesson(file.stem, header, blocks, folder, file, is_own)


def pack_lesson(lesson: Lesson) -> bytes:
    """Return a packed lesson: its text and its pictures, of both themes, as a ZIP file."""
    if _is_packed(lesson.source):
        return lesson.source.read_bytes()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(lesson.source, lesson.source.name)
        for name in sorted(lesson.picture_files):
            archive.writestr(name, lesson.folder.joinpath(name).read_bytes())
    return packed.getvalue()


def _is_packed(file: Path) -> bool:
    return file.suffix.lower() == PACKED


def _unpack(file: Path) -> tuple[Traversable, Traversable]:
    """Return the text of a packed lesson, and the folder of its pictures, in memory."""
    data = read_at_most(file, MAX_PACKED + 1, LessonError)
    try:
        # Everything is read once here, so that damage is found before the lesson is shown.
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if max(len(data), sum(part.file_size for part in archive.infolist())) > MAX_PACKED:
                raise _too_large(file.name, MAX_PACKED)
            if damaged := archive.testzip():
                raise LessonError.tr("{name} is damaged: {part}", name=file.name, part=damaged)
            texts = [name for name in archive.namelist() if name.endswith(ENDING)]
    except _ZIP_ERRORS as error:
        why = shortened(str(error) or type(error).__name__)
        raise LessonError.tr(
            "{name} is not a packed lesson: {reason}", name=file.name, reason=why
        ) from None
    if len(texts) != 1:
        raise LessonError.tr(
            "{name} has {n_texts}; a packed lesson has one, which ends with {ending}",
            name=file.name,
            n_texts=counted(len(texts), "text"),
            ending=ENDING,
        )
    folder = zipfile.Path(io.BytesIO(data))
    return folder / texts[0], folder


def _too_large(name: str, max_bytes: int) -> LessonError:
    return LessonError.tr(
        "{name} is larger than a lesson can be ({max_bytes} bytes)",
        name=name,
        max_bytes=figures(max_bytes, ","),
    )


def _read_text(file: Traversable) -> str:
    data = (
        read_at_most(file, MAX_BYTES + 1, LessonError)
        if isinstance(file, Path)
        else file.read_bytes()
    )
    if len(data) > MAX_BYTES:
        raise _too_large(file.name, MAX_BYTES)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise LessonError(
            tr("{name}, line {line}: this is not UTF-8 text", name=file.name, line=line)
        ) from None


def _header(lines: _Lines) -> tuple[Header, int]:
    """Return the header, and the number of its lines."""
    if not lines.lines or lines.lines[0].strip() != EDGE:
        lines.fail(
            tr(
                "a lesson begins with its header, between a line {edge} and a line {edge}",
                edge=EDGE,
            )
        )
    end = next((n for n, line in enumerate(lines.lines) if n and line.strip() == EDGE), 0)
    if not end:
        lines.fail(tr("the header has no end; a line {edge} ends it", edge=EDGE))
    return _table(Header, lines.part(1, end)), end + 1


def _blocks(lines: _Lines, folder: Traversable) -> Iterator[Block]:
    begin = here = 0
    while here < len(lines.lines):
        line = lines.lines[here].strip()
        after = here + 1
        made: Block | None = None
        if _is_fence(line):
            after = _find_block_end(lines, here)
            made = _make_block(line.removeprefix(FENCE).strip(), lines.part(here, after - 1))
        elif found := _PICTURE.fullmatch(line):
            made = _picture(found["file"].strip(), found["words"].strip(), lines, here, folder)
        elif _PICTURE.search(line):
            lines.fail(tr("a picture must be on a line of its own"), here)
        if made is not None:
            yield from _prose(lines.lines[begin:here])
            yield made
            begin = after
        here = after
    yield from _prose(lines.lines[begin:])


def _prose(lines: Sequence[str]) -> Iterator[Paragraphs]:
    text = "\n".join(lines).strip()
    if text:
        yield Paragraphs(text)


def _find_block_end(lines: _Lines, begin: int) -> int:
    """Return the number of lines up to the end of the block that begins in a line."""
    fences = (n for n in range(begin + 1, len(lines.lines)) if _is_fence(lines.lines[n]))
    end = next(fences, None)
    if end is None or lines.lines[end].strip() != FENCE:
        lines.fail(tr("this block has no end; a line {fence} ends it", fence=FENCE), begin)
    return end + 1


def _is_fence(line: str) -> bool:
    return line.strip().startswith(FENCE)


def _make_block(word: str, lines: _Lines) -> Block | None:
    """Make a block of the lines from its first one on; None for one that is plain text."""
    if word in _PLAIN:
        return None
    if word not in _BLOCKS:
        lines.fail(
            tr(
                "{word} is not a kind of block{meant}; the kinds are {known}",
                word=quoted(word),
                meant=meant(word, _BLOCKS),
                known=", ".join(_BLOCKS),
            )
        )
    inner = lines.part(1, len(lines.lines))
    if word == "question":
        return _table(Question, inner)
    block = _table(RunBlock, inner)
    _check_run(block, inner)
    return LessonRun(block, lines.place())


def _check_run(block: RunBlock, lines: _Lines) -> None:
    """Fail for values that the puzzle or the solver does not know; nothing is loaded for that."""
    keys: tuple[str, ...] = ("puzzle",)
    try:
        catalog.puzzle(block.puzzle)
        keys = ("solver",)
        spec = catalog.solver(block.puzzle, block.solver_key).spec
        keys = ("params",)
        block.solver_params()
        keys = ("compare",)
        if block.compare is not None:
            catalog.solver(block.puzzle, block.compare)
        keys = ("board",)
        validate_values(block.puzzle, dict(block.board))
    except TileLabError as error:
        # Sentences about a value begin with its name.
        name = str(error).split(maxsplit=1)[0].rstrip(":")
        is_named = name in {**block.board, **block.params}
        lines.fail(str(error), lines.offset_of(*keys, *([name] if is_named else [])))
    known = ("moves", "value", *spec.metrics)
    for name in block.figures:
        if name not in known:
            lines.fail(
                tr(
                    "{name} is not a figure of {solver}{meant}; they are {known}",
                    name=quoted(name),
                    solver=spec.key,
                    meant=meant(name, known),
                    known=", ".join(known),
                ),
                lines.offset_of("figures", name),
            )
    if block.exercise is not None and ViewKind.TREE not in spec.views:
        lines.fail(
            tr("exercise: {solver} has no exercise on paper", solver=spec.key),
            lines.offset_of("exercise"),
        )
    if block.pseudocode and spec.pseudocode is None:
        lines.fail(
            tr("pseudocode: {solver} has none", solver=spec.key), lines.offset_of("pseudocode")
        )
    if block.asks and not spec.has_questions:
        lines.fail(
            tr("asks: {solver} has no step that can be guessed", solver=spec.key),
            lines.offset_of("asks"),
        )
    views = [BOARD, *(kind for kind in spec.views if kind.is_drawn)]
    if block.view not in views:
        lines.fail(
            tr(
                "view: {view} is not a view of {solver}{meant}; it has {known}",
                view=quoted(block.view),
                solver=spec.key,
                meant=meant(block.view, views),
                known=", ".join(views),
            ),
            lines.offset_of("view"),
        )


def _picture(file: str, words: str, lines: _Lines, here: int, folder: Traversable) -> Illustration:
    if not words:
        lines.fail(tr("a picture needs a description in its brackets"), here)
    if Path(file).name != file or not file.lower().endswith(PICTURE_ENDINGS):
        lines.fail(
            tr(
                "{file} is not a picture in the folder of the lesson; its name ends with {endings}",
                file=quoted(file),
                endings=tr(" or ").join(PICTURE_ENDINGS),
            ),
            here,
        )
    picture = folder.joinpath(file)
    if not (is_there(picture) if isinstance(picture, Path) else picture.is_file()):
        lines.fail(tr("there is no picture {file} next to the lesson", file=shortened(file)), here)
    return Illustration(file, words)


def _table(kind: type[T], lines: _Lines) -> T:
    try:
        values = parse_toml("\n".join(lines.lines))
    except tomllib.TOMLDecodeError as error:
        found = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)", str(error))
        text = str(error) if found is None else str(error)[: found.start()]
        line = int(found[1]) if found is not None and found[1] else max(len(lines.lines), 1)
        lines.fail(
            tr("{name} is not TOML: {reason}", name=tr(kind.name), reason=shortened(text)), line - 1
        )
    except TileLabError as error:
        lines.fail(tr("{name} is not TOML: {reason}", name=tr(kind.name), reason=error))
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        # A misspelled key is also missing; the misspelling is more informative.
        first = min(error.errors(), key=lambda each: each["type"] != "extra_forbidden")
        keys = [str(part) for part in first["loc"] if isinstance(part, str)]
        sentence = _sentence(kind, keys, first)
        # An error about several keys begins with the wrong one.
        lines.fail(sentence, lines.offset_of(*(keys or [sentence.partition(":")[0]])))


def _sentence(kind: type[Table], keys: Sequence[str], error: ErrorDetails) -> str:
    """Return a sentence with the wrong value and what is allowed."""
    if not keys:
        return str(error["ctx"]["error"])
    if error["type"] == "extra_forbidden":
        known = kind.model_fields
        return tr(
            "{key} is not a key of {name}{meant}; the keys are {known}",
            key=quoted(keys[0]),
            name=tr(kind.name),
            meant=meant(keys[0], known),
            known=", ".join(known),
        )
    description = kind.model_fields[keys[0]].description if len(keys) == 1 else _SCALAR
    assert description is not None
    allowed = tr(description)
    if error["type"] == "missing":
        return tr(
            "{name} has no {key}; it is {allowed}", name=tr(kind.name), key=keys[0], allowed=allowed
        )
    return tr(
        "{key}: {value} is not {allowed}",
        key=".".join(keys),
        value=quoted(error["input"]),
        allowed=allowed,
    )


@dataclass(frozen=True)
class Lessons:
    """All lessons that can be read, and the errors of the others."""

    lessons: tuple[Lesson, ...]  # lessons: those of the program first, each part by its order
    errors: tuple[str, ...]  # a sentence for each file that is no lesson


def own_folder() -> Path:
    """Return the folder of the user's own lessons, in ``TILELAB_DATA_DIR`` or the user's data."""
    return data_folder() / "lessons"


def read_lessons() -> Lessons:
    """Read all lessons; a file that is none adds a sentence."""
    lessons, errors = [], []
    for folder, is_own in ((Path(str(resource("lessons"))), False), (own_folder(), True)):
        for file in sorted(filter(is_lesson, folder.glob("*"))):
            try:
                lessons.append(read_lesson(file, is_own=is_own))
            except LessonError as error:
                errors.append(str(error))
    lessons.sort(key=lambda lesson: (lesson.is_own, lesson.header.order, lesson.key))
    return Lessons(tuple(lessons), tuple(errors))
