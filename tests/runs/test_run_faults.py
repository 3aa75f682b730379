"""Run files that are damaged, foreign or made to deceive: one sentence, and nothing has changed."""

import io
import json
import random
import shutil
import struct
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conformance import same_snapshot
from tilelab.core import memory
from tilelab.core.errors import RunFileError, TileLabError
from tilelab.puzzles.boggle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding import SlidingParams, SlidingPuzzle
from tilelab.runs import array_zip
from tilelab.runs.array_zip import read_zip, write_zip
from tilelab.runs.run_header import header_of
from tilelab.runs.session import Limits, Session, State
from tilelab.runs.store import read_run, save_run
from tilelab.words.builtin import open_lexicon

STORED = Path(__file__).parent.parent / "data"
FUZZ = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def _session(puzzle, solver, params, limit):
    session = Session()
    session.load(puzzle)
    session.go(solver, params, 3, Limits(limit=limit))
    while session.state is State.RUNNING:
        session.tick()
    return session


@pytest.fixture(scope="module")
def grid_file(tmp_path_factory):
    puzzle = BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=3, cols=4))
    session = _session(puzzle, "genetic", {"parents": 4}, 9)
    session.set_live("mutation", 20)
    return save_run(session, tmp_path_factory.mktemp("runs") / "grid.tilelab")


@pytest.fixture(scope="module")
def slide_file(tmp_path_factory):
    puzzle = SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [1, 2, 3, 4, 5, 6, 0, 7, 8])
    session = _session(puzzle, "a-star", {"block": 7}, 9)
    assert session.best.moves == "RR"
    return save_run(session, tmp_path_factory.mktemp("runs") / "slide.tilelab")


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


def forged(file, change):
    """Change header and arrays of a file as its writer could have done it; returns bytes."""
    with file.open("rb") as stream:
        header, arrays = read_zip(stream)
    arrays = {name: array.copy() for name, array in arrays.items()}
    change(header, arrays)
    out = io.BytesIO()
    write_zip(out, header, arrays)
    return out.getvalue()


def members_of(file):
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(members, **settings):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", **settings) as archive:
        for name, data in members.items() if isinstance(members, dict) else members:
            archive.writestr(name, data)
    return out.getvalue()


def _put(*path):
    """Change one place of the header: keys, then the new value."""

    def change(header, arrays):
        *keys, last, value = path
        for key in keys:
            header = header[key]
        header[last] = value

    return change


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
    "another format": (_put("format", "tilelab-grid"), "another program's"),
    "a newer version": (_put("format_version", 99), "format version 99, of a newer program"),
    "no version": (_put("format_version", "1"), "versions count from 1"),
    "version zero": (_put("format_version", 0), "versions count from 1"),
    "a part too many": (_put("extra", 1), "wrong at extra"),
    "another puzzle": (_put("puzzle", "key", "chess"), "'chess' is not a puzzle"),
    "another solver": (_put("solver", "key", "oracle"), "'oracle' is not a solver"),
    "a solver of elsewhere": (_put("solver", "key", "a-star"), "not a solver of boggle"),
    "a solver's version": (_put("solver", "version", 77), "genetic version 77"),
    "a parameter outside": (_put("solver", "params", "mutation", 101), "mutation: 101"),
    "a parameter unknown": (_put("solver", "params", "speed", 1), "speed is not a parameter"),
    "a board too large": (_put("puzzle", "description", "params", "rows", 99), "rows: 99"),
    "another board": (_put("puzzle", "description", "params", "rows", 4), "12 cells"),
    "no lexicon": (_put("puzzle", "description", "lexicon", None), "lexicon is missing"),
    "no strings": (_put("puzzle", "description", "lexicon", "strings", 5), "one row of bytes"),
    "a start outside": (_put("puzzle", "description", "start", [0] * 11 + [99]), "symbol 99"),
    "a start of words": (_put("puzzle", "description", "start", ["a"]), "0..255"),
    "negative units": (_put("units", -1), "wrong at units"),
    "half a unit": (_put("units", 1.5), "wrong at units"),
    "units of another run": (_put("units", 10), "its trace has 9 rows"),
    "true units": (_put("units", True), "wrong at units"),
    "huge units": (_put("units", 10**30), "wrong at units"),
    "negative seconds": (_put("seconds", -0.5), "wrong at seconds"),
    "a negative seed": (_put("seed", -1), "wrong at seed"),
    "a negative limit": (_put("limits", "limit", -4), "wrong at limits.limit"),
    "an unknown state": (_put("status", "dancing"), "wrong at status"),
    "a knob unknown": (_put("journal", 0, "name", "parents"), "cannot be turned"),
    "a knob outside": (_put("journal", 0, "value", 5000), "mutation: 5000"),
    "a knob too late": (_put("journal", 0, "unit", 10), "out of order at unit 10"),
    "a value of text": (_put("best", "value", "7"), "wrong at best.value"),
    "a value too good": (_put("best", "value", 99.0), "do not belong together"),
    "a board too good": (_too_good, "said to be worth 99.0"),
    "a key of words": (_put("key", "mine"), "wrong at key"),
    "no best": (_put("best", None), "do not belong together"),
    "a proof of nothing": (_fill("bests.optimal", 7), "neither proven optimal nor not"),
    "bests of NaN": (_fill("bests.seconds", np.nan), "times of the best boards"),
    "bests before the first": (_fill("bests.unit", -1), "do not ascend"),
    "ways too long": (_fill("bests.n_moves", 10), "lengths they should have"),
    "moves too many": (_replace("bests.moves", np.zeros(3, np.uint8)), "lengths they should have"),
    "a time too few": (_replace("bests.seconds", np.zeros(2)), "one value each"),
    "a best of another unit": (_put("best", "unit", 4), "do not belong together"),
    "a best of tomorrow": (_tomorrow, "in unit 10 of 9"),
    "a scalar unknown": (
        _put("solver", "scalars", "speed", 1),
        "its speed is nothing that the solver keeps",
    ),
    "a scalar of text": (_put("solver", "scalars", "generation", "9"), "not a int"),
    "a scalar negative": (_put("solver", "scalars", "generation", -9), "counts from 0 up"),
    "a trace of others": (_put("trace", "names", ["speed"]), "has not the metrics"),
    "a trace too wide": (_put("trace", "width", 3), "width 3"),
    "a trace too long": (_put("trace", "n_buckets", 2**40), "wrong at trace.n_buckets"),
    "cells outside": (_fill("bests.cells", 200), "symbol 200"),
    "cells too many": (_reshape("bests.cells", 13), "13 cells"),
    "cells of floats": (_replace("bests.cells", np.zeros(12)), "no cells of the type uint8"),
    "cells missing": (_drop("bests.cells"), "no cells of the type uint8"),
    "a weight of NaN": (_fill("puzzle.lexicon.weights", np.nan), "a weight that is no number"),
    "a weight below 0": (_fill("puzzle.lexicon.weights", -1.0), "a weight that is no number"),
    "strings unsorted": (_fill("puzzle.lexicon.strings", ord("z")), "distinct and sorted"),
    "strings not UTF-8": (_fill("puzzle.lexicon.strings", 255), "not UTF-8"),
    "a string with a blank": (_fill("puzzle.lexicon.strings", 32), "the symbol ' '"),
    "a string too few": (_replace("puzzle.lexicon.weights", [1.0]), "one weight for each"),
    "a state too small": (_replace("solver.grids", np.zeros((2, 12), np.uint8)), "population"),
    "a state of floats": (_replace("solver.grids", np.zeros((6, 12))), "array of float64"),
    "a state missing": (_drop("solver.grids"), "its arrays lack the solver's grids"),
    "a state too many": (
        _replace("solver.spare", [1]),
        "its spare is nothing that the solver keeps",
    ),
    "an array for nothing": (_replace("spare", [1]), "spare that nothing needs"),
    "a trace of NaN": (_fill("trace.low", np.nan), "low holds NaN"),
    "a trace below 0": (_fill("trace.low_unit", -3), "low_unit is outside 0..8"),
    "a trace beyond": (_fill("trace.high_unit", 9), "high_unit is outside 0..8"),
    "a trace too short": (_replace("trace.low", np.zeros((4, 3))), "low_unit is outside"),
    "a trace of whole numbers": (_replace("trace.low", np.zeros((4, 9), np.int64)), "type int64"),
}


@pytest.mark.parametrize("case", GRID_FAULTS)
def test_a_file_that_says_wrong_things_is_refused(case, grid_file, tmp_path):
    change, words = GRID_FAULTS[case]
    assert words in refused(forged(grid_file, change), tmp_path)


SLIDE_FAULTS = {
    "a tile twice": (_put("puzzle", "description", "start", [0] * 9), "tile 0 appears twice"),
    "unsolvable": (
        _put("puzzle", "description", "start", [2, 1, 3, 4, 5, 6, 7, 8, 0]),
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
    session.restore(read_run(slide_file).checkpoint)
    state = {name: getattr(session, name) for name in vars(session)}
    checkpoint = read_run(grid_file).checkpoint
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
        (b"PK\x03\x04", "cut off"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "not a run file"),
        (npz.getvalue(), "another program's zip"),
        (zipped({}), "not a run file"),
        (zipped({"word/document.xml": b"<w/>"}), "another program's zip"),
        (grid_file.read_bytes() + b"more", "cut off, or something was added"),
        (zipped({**members, "../evil.npy": b""}), "'../evil.npy'"),
        (zipped({**members, "/etc/passwd": b""}), "'/etc/passwd'"),
        (zipped({**members, "a/b.npy": b""}), "'a/b.npy'"),
        (zipped({**members, "readme.txt": b""}), "'readme.txt'"),
        (zipped({**members, "extra.npy": b""}), "not those that its header names"),
        (zipped({**members, "bests.cells.npy": b""}), "damaged"),
        (zipped(members, compression=zipfile.ZIP_LZMA), "packed in a foreign way"),
        (zipped({f"a{n}.npy": b"" for n in range(1500)}), "more than 1000 parts"),
        (zipped({**members, "header.json": b"[]"}), "not a JSON object"),
        (zipped({**members, "header.json": b"{"}), "damaged"),
        (zipped({**members, "header.json": b"\xff"}), "damaged"),
        (zipped({**members, "header.json": b"[" * 200_000}), "nested too deeply"),
        (zipped({**members, "header.json": b'{"a": NaN}'}), "holds NaN"),
        (zipped({**members, "header.json": b'{"a": ' + b"9" * 9999 + b"}"}), "damaged"),
    ):
        assert words in refused(data, tmp_path)


def test_two_parts_of_one_name_are_refused(grid_file, tmp_path):
    members = list(members_of(grid_file).items())
    with pytest.warns(UserWarning, match="Duplicate"):
        data = zipped([*members, members[1]])
    assert "two parts of one name" in refused(data, tmp_path)


def test_pickles_are_never_opened(grid_file, tmp_path):
    members = members_of(grid_file)
    out = io.BytesIO()
    np.save(out, np.array([{"an": "object"}], object), allow_pickle=True)
    assert "not one of plain numbers" in refused(
        zipped({**members, "bests.cells.npy": out.getvalue()}), tmp_path
    )


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
        (zipped(lying), "not as large as it says"),
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


def _opens_or_refuses(data, tmp_path):
    """Read what chance has made; anything but a TileLabError comes through."""
    file = tmp_path / "fuzz.tilelab"
    file.write_bytes(data)
    try:
        return read_run(file)
    except TileLabError:
        return None


@FUZZ
@given(place=st.floats(0, 1, exclude_max=True), bits=st.integers(1, 255), n=st.integers(1, 4))
def test_flipped_bytes(place, bits, n, grid_file, tmp_path):
    data = bytearray(grid_file.read_bytes())
    for number in range(n):
        data[int((place + number * 0.381) % 1 * len(data))] ^= bits
    _opens_or_refuses(bytes(data), tmp_path)


@FUZZ
@given(begin=st.floats(0, 1), end=st.floats(0, 1))
def test_cuts(begin, end, slide_file, tmp_path):
    data = slide_file.read_bytes()
    first, last = sorted((int(begin * len(data)), int(end * len(data))))
    if first < last:
        assert _opens_or_refuses(data[:first] + data[last:], tmp_path) is None
    if last < len(data):
        assert _opens_or_refuses(data[:last], tmp_path) is None


@FUZZ
@given(data=st.data())
def test_swapped_members(data, grid_file, slide_file, tmp_path):
    members, others = members_of(grid_file), members_of(slide_file)
    one = data.draw(st.sampled_from(sorted(members)))
    source = data.draw(st.sampled_from([members, others]))
    other = data.draw(st.sampled_from(sorted(source)))
    changed = {**members, one: source[other]}
    same = changed[one] == members[one]
    assert (_opens_or_refuses(zipped(changed), tmp_path) is not None) == same


_VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), st.text(max_size=5),
    st.lists(st.integers(-3, 300), max_size=3), st.dictionaries(st.text(max_size=3), st.none()),
)  # fmt: skip


def _places(value, path=()):
    if path:
        yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in parts:
        yield (*path, key)
        if isinstance(part, dict | list):
            yield from _places(part, (*path, key))


@FUZZ
@given(data=st.data(), value=_VALUES)
def test_headers_with_anything_in_them(data, value, grid_file, slide_file, tmp_path):
    members = members_of(data.draw(st.sampled_from([grid_file, slide_file])))
    header = json.loads(members["header.json"])
    place = data.draw(st.sampled_from(sorted(set(_places(header)), key=str)))
    _put(*place, value)(header, {})
    changed = {**members, "header.json": json.dumps(header).encode()}
    _opens_or_refuses(zipped(changed), tmp_path)


@pytest.fixture(scope="module")
def state_files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    puzzle = SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [8, 6, 7, 2, 5, 4, 3, 0, 1])
    return [
        save_run(_session(puzzle, key, {"block": 7}, 9), folder / f"{key}.tilelab")
        for key in ("a-star", "beam", "depth-first")
    ]


@FUZZ
@given(data=st.data(), seed=st.integers(0, 2**32), share=st.sampled_from([0.01, 0.3, 1.0]))
def test_states_with_any_numbers_in_them(data, seed, share, grid_file, state_files, tmp_path):
    def change(header, arrays):
        names = [name for name in sorted(arrays) if name.startswith("solver.")]
        array = arrays[data.draw(st.sampled_from(names))]
        rng = np.random.default_rng(seed)
        noise = np.frombuffer(rng.bytes(array.nbytes), array.dtype).reshape(array.shape)
        array[...] = np.where(rng.random(array.shape) < share, noise, array)

    file = data.draw(st.sampled_from([grid_file, *state_files]))
    run = _opens_or_refuses(forged(file, change), tmp_path)
    if run is not None:
        session = Session()
        session.restore(run.checkpoint)
        session.set_limits(Limits(limit=12))
        session.resume()
        while session.state is State.RUNNING:
            session.tick()


@pytest.mark.parametrize("which", ["grid_file", "slide_file"])
def test_the_untouched_file_opens(which, request):
    assert read_run(request.getfixturevalue(which)).checkpoint.units > 0


@pytest.mark.parametrize("version", [1, 2])
def test_stored_files_of_every_format_open(version, tmp_path):
    file = Path(shutil.copy(STORED / f"run-format-{version}.tilelab", tmp_path))
    run = read_run(file)
    session = Session()
    session.restore(run.checkpoint)
    assert (session.units, session.best.value, session.best.unit) == (9, 5.0, 5)
    assert len(session.key) == 32
    assert session.bests.at(5) is session.bests.newest
    assert 0 < session.best_seconds <= session.seconds
    assert session.puzzle.lexicon.name == "planets"
    unbroken = _session(session.puzzle, "genetic", {}, 9)
    unbroken.set_live("mutation", 20)
    for one in (session, unbroken):
        one.set_limits(Limits(limit=90))
        one.resume()
        while one.state is State.RUNNING:
            one.tick()
    assert same_snapshot(session.solver.snapshot(), unbroken.solver.snapshot())
    assert session.best.value > 5.0


def test_older_formats_are_brought_up_step_by_step(grid_file):
    with grid_file.open("rb") as stream:
        header, arrays = read_zip(stream)
    expected = header_of(json.loads(json.dumps(header)), dict(arrays))[0]

    def second(raw, parts):
        raw["seconds"] = raw.pop("time") / 1000
        return raw, parts

    def third(raw, parts):
        return raw, {name.removeprefix("old-"): part for name, part in parts.items()}

    old = {**header, "time": header["seconds"] * 1000, "format_version": 1}
    del old["seconds"]
    parts = {f"old-{name}": part for name, part in arrays.items()}
    steps = {1: second, 2: third}
    raw, given_arrays = header_of(old, parts, version=3, migrations=steps)
    assert given_arrays.keys() == arrays.keys()
    assert raw.format_version == 3
    assert raw.seconds == pytest.approx(expected.seconds)
    with pytest.raises(RunFileError, match="format version 1 is no longer read"):
        header_of({**header, "format_version": 1}, parts, version=3, migrations={2: third})


def test_random_noise_behind_a_zip_s_first_bytes(tmp_path):
    noise = random.Random(5)
    for size in (1, 30, 100, 4000):
        _opens_or_refuses(b"PK\x03\x04" + noise.randbytes(size), tmp_path)
