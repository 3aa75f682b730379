"""What pictures carry of the run that made them: puzzle, solver, seed and best, as one text.

``tilelab-run:1:DIGEST:DATA;``: DATA is deflated JSON in base 64, DIGEST the beginning of its
SHA-256. The file contains the text unchanged, so that no parser of its format is needed.
"""

import base64
import hashlib
import io
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import FailFast, Field, ValidationInfo, field_validator

from tilelab import catalog
from tilelab.core.errors import RunFileError
from tilelab.core.files.paths import expanded, read_at_most
from tilelab.core.plain import Described, Json, parse_json
from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.randomness import MAX_SEED
from tilelab.core.text.language import marked
from tilelab.letters.builtin import is_builtin, open_lexicon
from tilelab.letters.packed_lexicon import pack_lexicon
from tilelab.runs.bests import Bests
from tilelab.runs.files.header import (
    Count,
    Finite,
    Name,
    Part,
    PlainValues,
    PuzzlePart,
    run_file_errors,
    validate_part,
)
from tilelab.runs.files.store import SUFFIX, read_run, require_true
from tilelab.runs.recipe import Recipe
from tilelab.runs.session import Checkpoint, Session

SUFFIXES = (".png", ".svg", ".pdf")  # suffixes of files that can carry a run
RUN_PATTERNS = " ".join(f"*{suffix}" for suffix in (SUFFIX, *SUFFIXES))
"""Patterns of files that hold or carry a run."""
MAX_BYTES = 64 * 2**20  # largest file that is searched, in bytes
MAX_TEXT = 16 * 2**20  # longest text that is carried
# Largest description, unpacked; long texts may expand MAX_RATIO times, lexicons do eight.
MAX_UNPACKED = 8 * 2**20
MAX_RATIO = 10
_MARK = "tilelab-run"
_FOUND = re.compile(rb"tilelab-run:(\d{1,6}):([0-9a-f]{16}):([A-Za-z0-9+/]*={0,2});")
_ARRAYS = {"uint8": "|u1", "float64": "<f8"}
_XMP = """<?xpacket begin="\N{ZERO WIDTH NO-BREAK SPACE}" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:tilelab="urn:tilelab">
<tilelab:run>{text}</tilelab:run>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>"""


@dataclass(frozen=True)
class CarriedFilling:
    """What a printed board has in cells that no word uses; a solution without them stays true."""

    cells: tuple[int, ...]  # the cells that were filled; () if the board carried is that before
    message: str  # the message that they hide, or that is filled in again; '' for none


@dataclass(frozen=True, eq=False)
class CarriedRun:
    recipe: Recipe
    units: int  # units that the run had done
    best: Best
    filling: CarriedFilling | None = None  # that of the best; None where no cells were filled


class _SolverPart(Part):
    key: Name
    params: PlainValues


class _BestPart(Part):
    cells: Annotated[list[Annotated[int, Field(ge=0, le=255)]], Field(max_length=65536), FailFast()]
    value: Finite
    unit: Count
    moves: Annotated[str, Field(max_length=1 << 22)] | None
    optimal: bool | None


class _FillingPart(Part):
    cells: Annotated[list[Count], Field(max_length=65536), FailFast()]
    message: Annotated[str, Field(max_length=65536)]


class _CarriedPart(Part):
    format: Literal["tilelab-picture"]
    puzzle: PuzzlePart
    solver: _SolverPart
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)]
    units: Count
    best: _BestPart
    filling: _FillingPart | None = None  # only where cells were filled

    @field_validator("filling")
    @classmethod
    def _is_on_board(cls, filling: _FillingPart | None, info: ValidationInfo) -> object:
        best = info.data.get("best")  # None where that is wrong itself
        n_cells = 0 if best is None else len(best.cells)
        if filling is not None and any(cell >= n_cells for cell in filling.cells):
            raise ValueError("a cell is not on the board")
        return filling


def is_run_file(path: Path) -> bool:
    """Return whether a file, by its name, holds or may carry a run."""
    return path.suffix.lower() in (SUFFIX, *SUFFIXES)


def is_picture(path: Path) -> bool:
    """Return whether a file, by its name, is a picture, which may carry a run."""
    return path.suffix.lower() in SUFFIXES


def open_run(path: Path) -> Checkpoint:
    """Read the run that a file holds or carries; raises RunFileError, or NotMadeError."""
    return read_carried(path) if is_picture(path) else read_run(path)


def is_carried(text: str) -> bool:
    """Return whether a text is a run as :func:`carried_text` writes it."""
    return text.startswith(f"{_MARK}:")


def run_of_board(puzzle: Puzzle, best: Best) -> CarriedRun:
    """Return a board without a known run as a run that ended at once, with seed 0."""
    solver = catalog.default_solver(puzzle.spec.key)
    params = catalog.solver_params(puzzle.spec.key, solver, {})
    return CarriedRun(Recipe(puzzle, solver, params), 0, best)


def opened(run: CarriedRun) -> Checkpoint:
    """Return a run that begins again, before its first unit, with its best."""
    session = Session()
    session.begin(run.recipe)
    session.stop()
    bests = Bests()
    bests.append(run.best, 0.0)
    session.bests = bests
    return session.snapshot()


def is_start(opened: Checkpoint) -> bool:
    """Return whether the board that a read picture carries is the start of its puzzle."""
    start, best = opened.recipe.puzzle.start, opened.best
    return best is not None and start is not None and np.array_equal(best.cells, start)


def has_run(opened: Checkpoint) -> bool:
    """Return whether a read picture carries a run, or else only a board."""
    recipe, best = opened.recipe, opened.best
    assert best is not None
    alone = run_of_board(recipe.puzzle, best).recipe
    if (recipe.solver, recipe.seed) != (alone.solver, alone.seed):
        return True
    # A solver replaces values such as "automatic" by those that they mean for the board.
    return recipe.params != alone.create_solver().params


def carried_text(run: CarriedRun) -> str:
    """Write a run as text; '' where its lexicon makes that too long."""
    recipe, best, filling = run.recipe, run.best, run.filling
    plain: dict[str, Json] = {
        "format": "tilelab-picture",
        "puzzle": {"key": recipe.puzzle.spec.key, "description": _plain(recipe.puzzle.describe())},
        "solver": {"key": recipe.solver, "params": recipe.plain_params},
        "seed": recipe.seed,
        "units": run.units,
        "best": {
            "cells": best.cells.tolist(),
            "value": float(best.value),
            "unit": best.unit,
            "moves": best.moves,
            "optimal": best.optimal,
        },
    }
    if filling is not None:
        plain["filling"] = {"cells": list(filling.cells), "message": filling.message}
    data = json.dumps(plain, separators=(",", ":"), ensure_ascii=False).encode()
    text = base64.b64encode(zlib.compress(data, 9)).decode()
    is_short = len(data) <= _max_unpacked(len(text)) and len(text) <= MAX_TEXT
    return f"{_MARK}:1:{_digest(text.encode())}:{text};" if is_short else ""


def read_carried(path: str | Path) -> Checkpoint:
    """Read a picture's run, before its first unit, with its best; RunFileError, NotMadeError."""
    source = expanded(path)
    part = _read(source)
    with run_file_errors(source):
        return _checkpoint(part)


def read_filling(path: Path) -> CarriedFilling | None:
    """Read how cells of a picture's board were filled; None if none was. Raises RunFileError."""
    if not is_picture(path):
        return None
    return _filling(_read(path))


def open_text(text: str, name: str) -> tuple[Checkpoint, CarriedFilling | None]:
    """Read a run that was written as text, and how its cells were filled, as from a picture.

    name: of the run, for RunFileError.
    """
    with run_file_errors(Path(name)):
        part = _part(text.encode())
        return _checkpoint(part), _filling(part)


def _filling(read: _CarriedPart) -> CarriedFilling | None:
    part = read.filling
    return None if part is None else CarriedFilling(tuple(part.cells), part.message)


def _read(source: Path) -> _CarriedPart:
    data = read_at_most(source, MAX_BYTES + 1, RunFileError)
    with run_file_errors(source):
        return _part(data)


def _part(data: bytes) -> _CarriedPart:
    wrong = marked("what it carries is wrong at {place}: {error}")
    return validate_part(_CarriedPart, parse_json(_unpack(data)), wrong)


def _unpack(data: bytes) -> bytes:
    """Return the JSON that a file carries; its size is bounded."""
    if len(data) > MAX_BYTES:
        raise RunFileError.tr(
            "it is larger than {max_megabytes} MB", max_megabytes=MAX_BYTES // 2**20
        )
    if not data:
        raise RunFileError.tr("it is empty")
    found = _FOUND.findall(data)
    if not found:
        raise RunFileError.tr(
            "it carries no puzzle. Pictures and sheets that TileLab has saved do, "
            "but a PDF of several puzzles does not"
        )
    if len(found) > 1:
        raise RunFileError.tr("it carries more than one puzzle")
    version, digest, text = found[0]
    if version != b"1":
        raise RunFileError.tr("it has version {version}, of a newer program", version=int(version))
    if len(text) > MAX_TEXT or _digest(text).encode() != digest:
        raise RunFileError.tr("the puzzle that it carries is damaged")
    unpacker = zlib.decompressobj()
    most = _max_unpacked(len(text))
    unpacked = unpacker.decompress(base64.b64decode(text, validate=True), most + 1)
    if len(unpacked) > most or not unpacker.eof:
        raise RunFileError.tr("the puzzle that it carries is too large, or ends too early")
    return unpacked


def _max_unpacked(n_text: int) -> int:
    return max(MAX_UNPACKED, MAX_RATIO * n_text)


def _checkpoint(part: _CarriedPart) -> Checkpoint:
    puzzle_class = catalog.puzzle(part.puzzle.key)
    puzzle = puzzle_class.from_description(
        {name: _restore(one) for name, one in part.puzzle.description.items()}
    )
    given = part.best
    cells = np.array(given.cells, np.uint8)
    cells.flags.writeable = False
    # The run is before its first unit.
    best = Best(cells, given.value, 0, given.moves, given.optimal)
    require_true(puzzle, best)
    params = catalog.solver_params(part.puzzle.key, part.solver.key, part.solver.params)
    return opened(CarriedRun(Recipe(puzzle, part.solver.key, params, part.seed), 0, best))


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:16]


def _plain(value: Described) -> Json:
    """Return arrays as texts, and a built-in lexicon as its name."""
    if isinstance(value, np.ndarray):
        kind = str(value.dtype)
        data = value.astype(_ARRAYS[kind]).tobytes()
        return {"array": kind, "data": base64.b64encode(data).decode()}
    if isinstance(value, Mapping):
        plain = {key: _plain(part) for key, part in value.items()}
        name = value.get("name")
        if {"strings", "weights"} <= value.keys() and plain == _builtin(name):
            return {"builtin": str(name), "digest": _lexicon_digest(plain)}
        return plain
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(part) for part in value]
    return value


def _restore(value: Json) -> Described:
    if not isinstance(value, Mapping):
        return value
    if value.keys() == {"array", "data"}:
        kind = _ARRAYS.get(str(value["array"]))
        if kind is None:
            raise RunFileError.tr("it has an array of an unknown kind")
        data = base64.b64decode(str(value["data"]), validate=True)
        return np.frombuffer(data, kind).astype(kind[1:])
    if value.keys() == {"builtin", "digest"}:
        plain = _builtin(value["builtin"])
        if plain is None or _lexicon_digest(plain) != value["digest"]:
            raise RunFileError.tr(
                "its lexicon {lexicon} is not built into this program as it was",
                lexicon=str(value["builtin"])[:60],
            )
        return {key: _restore(part) for key, part in plain.items()}
    return {key: _restore(part) for key, part in value.items()}


def _builtin(name: object) -> dict[str, Json] | None:
    if not is_builtin(str(name)):
        return None
    return {key: _plain(part) for key, part in pack_lexicon(open_lexicon(str(name))).items()}


def _lexicon_digest(plain: Mapping[str, Json]) -> str:
    return _digest(json.dumps(plain, sort_keys=True).encode())


def png_with(picture: bytes, text: str) -> bytes:
    # Late: the window's first paint loads only what it shows.
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    facts = PngInfo()
    facts.add_text("tilelab", text)
    made = io.BytesIO()
    with Image.open(io.BytesIO(picture), formats=["PNG"]) as image:
        image.save(made, "PNG", pnginfo=facts, dpi=image.info.get("dpi"))
    return made.getvalue()


def svg_with(picture: bytes, text: str) -> bytes:
    begin, end, rest = picture.rpartition(b"</svg>")
    return begin + f"<metadata>{text}</metadata>\n".encode() + end + rest


def picture_with(picture: bytes, suffix: str, text: str) -> bytes:
    """Return a picture that carries a text; suffix: .png or .svg. '' is not carried."""
    carrying = {".png": png_with, ".svg": svg_with}.get(suffix)
    return carrying(picture, text) if carrying is not None and text else picture


def xmp_with(text: str) -> bytes:
    """Return the metadata of a PDF file; it contains the text unchanged."""
    return _XMP.format(text=text).encode()
