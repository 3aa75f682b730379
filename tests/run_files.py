"""Run files of small runs, and paths to spoil them."""

import base64
import hashlib
import io
import json
import struct
import zipfile
import zlib

from tests.asking import go
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.runs.actions import State
from tilelab.runs.files.array_zip import read_zip, write_zip
from tilelab.runs.files.store import save_run
from tilelab.runs.session import Limits, Session


def advanced(puzzle, solver, params, limit):
    """A session that has run up to a limit of units."""
    session = Session()
    session.load(puzzle)
    go(session, solver, params, 3, Limits(units=limit))
    while session.state is State.RUNNING:
        session.run_slice()
    return session


def grid_run(folder):
    """Write a run on a letter grid with a live parameter changed; returns the file."""
    puzzle = BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=3, cols=4))
    session = advanced(puzzle, "genetic", {"parents": 4}, 9)
    session.set_live("mutation", 20)
    return save_run(session, folder / "grid.tilelab")


def slide_run(folder):
    """Write a run on sliding tiles that has met the goal; returns the file."""
    puzzle = SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [1, 2, 3, 4, 5, 6, 0, 7, 8])
    session = advanced(puzzle, "a-star", {"expansions_per_update": 7}, 9)
    assert session.best.moves == "RR"
    return save_run(session, folder / "slide.tilelab")


def forged(file, change):
    """Change header and arrays of a file as its writer could have done it; returns bytes."""
    with file.open("rb") as stream:
        header, arrays = read_zip(stream)
    arrays = {name: array.copy() for name, array in arrays.items()}
    change(header, arrays)
    out = io.BytesIO()
    write_zip(out, header, arrays)
    return out.getvalue()


def without_times(file):
    """The bytes of a run file without what differs between equal runs: their keys and times."""

    def forget(header, arrays):
        header["key"], header["seconds"] = "0" * 32, 0.0
        arrays["bests.seconds"][:] = 0.0

    return forged(file, forget)


def members_of(file):
    """The bytes of a zip's members by name."""
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(members, **settings):
    """Zip members, a dictionary or pairs; returns bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", **settings) as archive:
        for name, data in members.items() if isinstance(members, dict) else members:
            archive.writestr(name, data)
    return out.getvalue()


def with_array_header(data, text, n_bytes=None):
    """Give an array another header; n_bytes: how long it says that it is."""
    begin = 10 + struct.unpack("<H", data[8:10])[0]
    size = struct.pack("<H", len(text) if n_bytes is None else n_bytes)
    return data[:8] + size + text + data[begin:]


def put(*path):
    """Change one place of the header: keys, then the new value."""

    def change(header, arrays):
        *keys, last, value = path
        for key in keys:
            header = header[key]
        header[last] = value

    return change


def signed(plain):
    """Return a carried text whose digest is right, whatever it holds."""
    data = plain if isinstance(plain, bytes) else json.dumps(plain).encode()
    text = base64.b64encode(zlib.compress(data))
    return f"tilelab-run:1:{hashlib.sha256(text).hexdigest()[:16]}:{text.decode()};"


def unsigned(text):
    """Return what a carried text says."""
    data = text.rpartition(":")[2].removesuffix(";")
    return json.loads(zlib.decompress(base64.b64decode(data)))
