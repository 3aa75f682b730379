"""Run files that are damaged, foreign or made to deceive: one sentence, and nothing has changed."""

import io
import json
import shutil
import struct
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.run_files import (
    advanced,
    forged,
    grid_run,
    members_of,
    put,
    slide_run,
    with_array_header,
    zipped,
)
from tilelab.core import memory
from tilelab.core.errors import RunFileError, TileLabError
from tilelab.runs.actions import State
from tilelab.runs.files import array_zip
from tilelab.runs.files.array_zip import read_zip, write_zip
from tilelab.runs.files.store import read_run
from tilelab.runs.session import Limits, Session
from tilelab.testing.solvers import same_snapshot

STORED = Path(__file__).parent.parent / "data"
ALL_LIMITS = Limits(
    units=9, evaluations=2_000, seconds=60.0, target=50.5, units_without_improvement=40
)


@pytest.fixture(scope="module")
def grid_file(tmp_path_factory):
    return grid_run(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def slide_file(tmp_path_factory):
    return slide_run(tmp_path_factory.mktemp("runs"))


def refused(data, tmp_path, session=None):
    """Read bytes as a run file; returns the sentence."""
    file = tmp_path / "bad.tilelab"
    file.write_bytes(data)
    with pytest.raises(RunFileError) as fault:
        read_run(file)
    sentence = str(fault.value)
    assert "\n" not in sentence
    assert len(sentence) < 500
    return sentence


def _fill(name, value, at=0):
    def change(header, arrays):
        arrays[name].reshape(-1)[at] = value

    return change


def _replace(name, array):
    def change(header, arrays):
        arrays[name] = np.array(array)

    return change


def _reshape(name, n_columns):
    def change(header, arrays):
        arrays[name] = np.zeros((len(arrays[name]), n_columns), arrays[name].dtype)

    return change


def _tomorrow(header, arrays):
    header["best"]["unit"] = arrays["bests.unit"][-1] = 10


def _too_good(header, arrays):
    header["best"]["value"] = arrays["bests.value"][-1] = 99.0


def _drop(name):
    return lambda header, arrays: arrays.pop(name)


GRID_FAULTS = {
    "another format": (put("format", "tilelab-grid"), "another program's"),
    "a newer version": (put("format_version", 99), "format version 99, of a newer program"),
    "no version": (put("format_version", "1"), "versions count from 1"),
    "version zero": (put("format_version", 0), "versions count from 1"),
    "before 1.0.0": (put("format_version", 2), "its format version 2 is no longer read"),
    "a part too many": (put("extra", 1), "wrong at extra"),
    "another puzzle": (put("puzzle", "key", "chess"), "'chess' is not a puzzle"),
    "another solver": (put("solver", "key", "oracle"), "'oracle' is not a solver"),
    "a solver of elsewhere": (put("solver", "key", "a-star"), "not a solver of boggle"),
    "a solver's version": (put("solver", "version", 77), "genetic version 77"),
    "a parameter outside": (put("solver", "params", "mutation", 101), "mutation: 101"),
    "a first parameter outside": (put("first_params", "mutation", 101), "mutation: 101"),
    "a first parameter of another run": (put("first_params", "parents", 5), "parents has changed"),
    "an open parameter unknown": (put("left_open", "speed", 1), "speed is not a parameter"),
    "a parameter unknown": (put("solver", "params", "speed", 1), "speed is not a parameter"),
    "a board too large": (put("puzzle", "description", "params", "rows", 99), "rows: 99"),
    "another board": (put("puzzle", "description", "params", "rows", 4), "12 cells"),
    "no lexicon": (put("puzzle", "description", "lexicon", None), "lexicon is missing"),
    "no strings": (put("puzzle", "description", "lexicon", "strings", 5), "one row of bytes"),
    "a start outside": (put("puzzle", "description", "start", [0] * 11 + [99]), "symbol 99"),
    "a start of words": (put("puzzle", "description", "start", ["a"]), "0..255"),
    "negative units": (put("units", -1), "wrong at units"),
    "half a unit": (put("units", 1.5), "wrong at units"),
    "units of another run": (put("units", 10), "its trace has 9 rows"),
    "true units": (put("units", True), "wrong at units"),
    "huge units": (put("units", 10**30), "wrong at units"),
    "negative seconds": (put("seconds", -0.5), "wrong at seconds"),
    "a negative seed": (put("seed", -1), "wrong at seed"),
    "a negative limit": (put("limits", "units", -4), "wrong at limits.units"),
    "an unknown state": (put("status", "dancing"), "wrong at status"),
    "a live change unknown": (put("journal", 0, "name", "parents"), "cannot be changed"),
    "a live change outside": (put("journal", 0, "value", 5000), "mutation: 5000"),
    "a live change too late": (put("journal", 0, "unit", 10), "out of order at iteration 10"),
    "a value of text": (put("best", "value", "7"), "wrong at best.value"),
    "a value too good": (put("best", "value", 99.0), "do not belong together"),
    "a board too good": (_too_good, "but 99.0 is stated"),
    "a key of words": (put("key", "mine"), "wrong at key"),
    "no best": (put("best", None), "do not belong together"),
    "a proof of nothing": (_fill("bests.optimal", 7), "neither proven optimal nor not"),
    "bests of NaN": (_fill("bests.seconds", np.nan), "times of the best boards"),
    "bests before the first": (_fill("bests.unit", -1), "not in the order"),
    "ways too long": (_fill("bests.n_moves", 10), "lengths they should have"),
    "moves too many": (_replace("bests.moves", np.zeros(3, np.uint8)), "lengths they should have"),
    "a time too few": (_replace("bests.seconds", np.zeros(2)), "one value each"),
    "a best of another unit": (put("best", "unit", 4), "do not belong together"),
    "a best of tomorrow": (_tomorrow, "in iteration 10 of 9"),
    "a scalar unknown": (
        put("solver", "scalars", "speed", 1),
        "its speed is nothing that the solver keeps",
    ),
    "a scalar of text": (put("solver", "scalars", "generation", "9"), "not a int"),
    "a scalar negative": (put("solver", "scalars", "generation", -9), "counts from 0 up"),
    "a trace of others": (put("trace", "names", ["speed"]), "has not the metrics"),
    "a trace too wide": (put("trace", "width", 3), "width 3"),
    "a trace too long": (put("trace", "n_buckets", 2**40), "wrong at trace.n_buckets"),
    "cells outside": (_fill("bests.cells", 200), "symbol 200"),
    "cells too many": (_reshape("bests.cells", 13), "13 cells"),
    "cells of floats": (_replace("bests.cells", np.zeros(12)), "no cells of the type uint8"),
    "cells missing": (_drop("bests.cells"), "no cells of the type uint8"),
    "a weight of NaN": (_fill("puzzle.lexicon.weights", np.nan), "a weight that is not a number"),
    "a weight below 0": (_fill("puzzle.lexicon.weights", -1.0), "a weight that is not a number"),
    "strings unsorted": (_fill("puzzle.lexicon.strings", ord("z")), "distinct and sorted"),
    "strings not UTF-8": (_fill("puzzle.lexicon.strings", 255), "not UTF-8"),
    "a string with a blank": (_fill("puzzle.lexicon.strings", 32), "the symbol ' '"),
    "a string too few": (_replace("puzzle.lexicon.weights", [1.0]), "one weight for each"),
    "a state too small": (
        _replace("solver.grids", np.zeros((2, 12), np.uint8)),
        "grids are (2, 12)",
    ),
    "a state of floats": (_replace("solver.grids", np.zeros((6, 12))), "array of float64"),
    "a state missing": (_drop("solver.grids"), "its arrays lack the solver's grids"),
    "a state too many": (
        _replace("solver.spare", [1]),
        "its spare is nothing that the solver keeps",
    ),
    "an array for nothing": (_replace("spare", [1]), "an unknown array spare"),
    "a trace of NaN": (_fill("trace.low", np.nan), "low holds NaN"),
    "a trace below 0": (_fill("trace.low_unit", -3), "low_unit is outside 0..8"),
    "a trace beyond": (_fill("trace.high_unit", 9), "high_unit is outside 0..8"),
    "a trace too short": (_replace("trace.low", np.zeros((4, 3))), "low does not have the shape"),
    "a trace of whole numbers": (_replace("trace.low", np.zeros((4, 9), np.int64)), "type int64"),
}


@pytest.mark.parametrize("case", GRID_FAULTS)
def test_a_file_that_says_wrong_things_is_refused(case, grid_file, tmp_path):
    change, words = GRID_FAULTS[case]
    assert words in refused(forged(grid_file, change), tmp_path)


SLIDE_FAULTS = {
    "a tile twice": (put("puzzle", "description", "start", [0] * 9), "the blank, 0, appears twice"),
    "unsolvable": (
        put("puzzle", "description", "start", [2, 1, 3, 4, 5, 6, 7, 8, 0]),
        "cannot reach its goal",
    ),
    "other moves": (_fill("bests.moves", ord("U")), "do not lead to the board"),
    "impossible moves": (_fill("bests.moves", ord("D")), "is not possible here"),
    "moves of noise": (_fill("bests.moves", 200), "is not possible here"),
    "an unreachable best": (
        _replace("bests.cells", np.array([[2, 1, 3, 4, 5, 6, 7, 8, 0]], np.uint8)),
        "cannot be reached",
    ),
    "a tile outside": (_fill("bests.cells", 77), "tile 77 is outside"),
}


@pytest.mark.parametrize("case", SLIDE_FAULTS)
def test_a_slide_that_cannot_be_is_refused(case, slide_file, tmp_path):
    change, words = SLIDE_FAULTS[case]
    assert words in refused(forged(slide_file, change), tmp_path)


def test_nothing_has_changed_after_a_fault(grid_file, slide_file, tmp_path):
    session = Session()
    session.restore(read_run(slide_file))
    state = {name: getattr(session, name) for name in vars(session)}
    checkpoint = read_run(grid_file)
    checkpoint.snapshot.arrays["grids"] = np.zeros((1, 1), np.uint8)
    with pytest.raises(TileLabError):
        session.restore(checkpoint)
    assert all(getattr(session, name) is value for name, value in state.items())


def test_foreign_files_are_refused(grid_file, tmp_path):
    members = members_of(grid_file)
    npz = io.BytesIO()
    np.savez(npz, a=np.zeros(3))
    for data, words in (
        (b"", "not a run file"),
        (b"PK\x03\x04", "its end is missing"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "not a run file"),
        (npz.getvalue(), "another program's zip"),
        (zipped({}), "not a run file"),
        (zipped({"word/document.xml": b"<w/>"}), "another program's zip"),
        (grid_file.read_bytes() + b"more", "missing, or something was added"),
        (zipped({**members, "../evil.npy": b""}), "'../evil.npy'"),
        (zipped({**members, "/etc/passwd": b""}), "'/etc/passwd'"),
        (zipped({**members, "a/b.npy": b""}), "'a/b.npy'"),
        (zipped({**members, "readme.txt": b""}), "'readme.txt'"),
        (zipped({**members, "extra.npy": b""}), "not those that its header names"),
        (zipped({**members, "bests.cells.npy": b""}), "damaged"),
        (zipped(members, compression=zipfile.ZIP_LZMA), "compressed by another method"),
        (zipped({f"a{n}.npy": b"" for n in range(1500)}), "more than 1000 parts"),
        (zipped({**members, "header.json": b"[]"}), "not a JSON object"),
        (zipped({**members, "header.json": b"{"}), "damaged"),
        (zipped({**members, "header.json": b"\xff"}), "damaged"),
        (zipped({**members, "header.json": b"[" * 200_000}), "nested too deeply"),
        (zipped({**members, "header.json": b'{"a": NaN}'}), "holds NaN"),
        (zipped({**members, "header.json": b'{"a": ' + b"9" * 9999 + b"}"}), "too many digits"),
    ):
        assert words in refused(data, tmp_path)


def test_two_parts_of_one_name_are_refused(grid_file, tmp_path):
    members = list(members_of(grid_file).items())
    with pytest.warns(UserWarning, match="Duplicate"):
        data = zipped([*members, members[1]])
    assert "two parts of the same name" in refused(data, tmp_path)


def test_pickles_are_never_opened(grid_file, tmp_path):
    members = members_of(grid_file)
    out = io.BytesIO()
    np.save(out, np.array([{"an": "object"}], object), allow_pickle=True)
    assert "not hold plain numbers" in refused(
        zipped({**members, "bests.cells.npy": out.getvalue()}), tmp_path
    )


ARRAY_HEADERS = {
    "one byte long": (b"{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\n", 1),
    "nothing at all": (b"", 0),
    "a bracket too many": (b"{'descr': '|u1', 'fortran_order': False, 'shape': ((3,), }\n", None),
    "a string without an end": (b"{'descr': '|u1\n", None),
    "an indent": (b"  {\n 'descr'\n", None),
    "bytes that are no text": (b"\xff\xfe", None),
    "no dictionary": (b"[1, 2]\n", None),
    "a dictionary of its own": (b"{'descr': '|u1'}\n", None),
    "a nest": (b"(" * 900 + b"\n", None),
    "a shape of words": (b"{'descr': '|u1', 'fortran_order': False, 'shape': 'abc', }\n", None),
    "a type of nothing": (b"{'descr': [], 'fortran_order': False, 'shape': (3,), }\n", None),
    "a type of itself": (b"{'descr': ('|u1', -1), 'fortran_order': 0, 'shape': (3,), }\n", None),
}


@pytest.mark.parametrize("case", ARRAY_HEADERS)
def test_crafted_array_headers_are_refused(case, grid_file, tmp_path):
    members = members_of(grid_file)
    name = "bests.cells.npy"
    members[name] = with_array_header(members[name], *ARRAY_HEADERS[case])
    assert "bad.tilelab cannot be opened: it" in refused(zipped(members), tmp_path)


def _peak(data, tmp_path):
    tracemalloc.start()
    try:
        sentence = refused(data, tmp_path)
        return sentence, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _npy(n_bytes):
    head = io.BytesIO()
    shape = {"descr": "|u1", "fortran_order": False, "shape": (n_bytes,)}
    np.lib.format.write_array_header_1_0(head, shape)
    return head.getvalue()


@pytest.mark.exhaustive
def test_bombs_are_refused_in_little_memory(grid_file, tmp_path):
    members = members_of(grid_file)
    deflated = {"compression": zipfile.ZIP_DEFLATED, "compresslevel": 1}
    header = json.loads(members["header.json"])
    header["arrays"]["solver.bomb"] = {"dtype": "|u1", "shape": [150 << 20], "sha256": ""}
    bomb = {
        **members,
        "header.json": json.dumps(header).encode(),
        "solver.bomb.npy": _npy(150 << 20) + bytes(150 << 20),
    }
    big_header = {**members, "header.json": b'{"a":"' + b" " * (100 << 20) + b'"}'}
    lying = members | {"bests.cells.npy": _npy(1 << 50) + bytes(12)}
    for file, words in (
        (zipped(bomb, **deflated), "unpacks to"),
        (zipped(big_header, **deflated), "its header has 104,857,608 bytes"),
        (zipped(lying), "not have its stated size"),
    ):
        sentence, peak = _peak(file, tmp_path)
        assert words in sentence
        assert peak < 8 << 20


def test_sizes_that_lie_are_refused_in_little_memory(grid_file, tmp_path):
    # The directory says that a stored part has 3 GB; the file has a few kilobytes.
    data = bytearray(grid_file.read_bytes())
    big = zipfile.ZipFile(grid_file).getinfo("bests.cells.npy")
    at = data.rindex(b"bests.cells.npy") - 46
    assert data[at : at + 4] == b"PK\x01\x02"
    struct.pack_into("<HxxxxxxxxLL", data, at + 10, 0, big.compress_size, 3 << 30)
    sentence, peak = _peak(bytes(data), tmp_path)
    assert "claims more bytes than the file has" in sentence
    assert peak < 8 << 20


def test_a_run_that_has_no_room_is_refused(grid_file, monkeypatch):
    monkeypatch.setattr(array_zip, "free_bytes", lambda: 1000)
    with pytest.raises(RunFileError, match="MB are free"):
        read_run(grid_file)
    assert memory.free_bytes() >= 64 << 20


def test_no_header_is_written_that_could_not_be_read():
    with pytest.raises(RunFileError, match="holds 250,003 values; at most 250,000 are allowed"):
        write_zip(io.BytesIO(), {"forbidden": [0] * 249_999}, {})


def test_large_arrays_are_stored_as_they_are(monkeypatch):
    monkeypatch.setattr(array_zip, "_MAX_PACKED_ONE", 1000)
    out = io.BytesIO()
    arrays = {"small": np.zeros(100, np.uint8), "large": np.zeros((50, 100), np.int32)}
    write_zip(out, {}, arrays)
    with zipfile.ZipFile(out) as archive:
        assert archive.getinfo("small.npy").compress_type == zipfile.ZIP_DEFLATED
        assert archive.getinfo("large.npy").compress_type == zipfile.ZIP_STORED
        assert np.array_equal(np.load(archive.open("large.npy")), arrays["large"])
    again = read_zip(out)[1]
    assert all(np.array_equal(again[name], arrays[name]) for name in arrays)


@pytest.mark.parametrize("which", ["grid_file", "slide_file"])
def test_the_untouched_file_opens(which, request):
    assert read_run(request.getfixturevalue(which)).units > 0


@pytest.mark.parametrize(("version", "limits"), [(3, Limits(units=90)), (4, ALL_LIMITS)])
def test_stored_files_of_every_format_open(version, limits, tmp_path):
    file = Path(shutil.copy(STORED / f"run-format-{version}.tilelab", tmp_path))
    run = read_run(file)
    session = Session()
    session.restore(run)
    assert (session.units, session.best.value, session.best.unit) == (9, 5.0, 5)
    assert len(session.key) == 32
    assert session.bests.at(5) is session.bests.newest
    assert 0 < session.best_seconds <= session.seconds
    assert session.puzzle.lexicon.name == "planets"
    assert session.evaluations == 9 * 105
    assert session.limits == limits
    unbroken = advanced(session.puzzle, "genetic", {}, 9)
    unbroken.set_live("mutation", 20)
    for one in (session, unbroken):
        one.set_limits(Limits(units=90))
        one.resume()
        while one.state is State.RUNNING:
            one.run_slice()
    assert same_snapshot(session.solver.snapshot(), unbroken.solver.snapshot())
    assert session.best.value > 5.0
