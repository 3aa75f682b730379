"""Run files that chance has damaged: TileLabError or a sound run, and nothing else."""

import json
import random
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzzing import cases
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
from tilelab.core.errors import TileLabError
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.runs.actions import State
from tilelab.runs.files.store import read_run, save_run
from tilelab.runs.session import Limits, Session


@pytest.fixture(scope="module")
def grid_file(tmp_path_factory):
    return grid_run(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def slide_file(tmp_path_factory):
    return slide_run(tmp_path_factory.mktemp("runs"))


def _opens_or_refuses(data, tmp_path):
    """Read what chance has made; anything but a TileLabError comes through."""
    file = tmp_path / "fuzz.tilelab"
    file.write_bytes(data)
    try:
        return read_run(file)
    except TileLabError:
        return None


@cases(60)
@given(place=st.floats(0, 1, exclude_max=True), bits=st.integers(1, 255), n=st.integers(1, 4))
def test_flipped_bytes(place, bits, n, grid_file, tmp_path):
    data = bytearray(grid_file.read_bytes())
    for number in range(n):
        data[int((place + number * 0.381) % 1 * len(data))] ^= bits
    _opens_or_refuses(bytes(data), tmp_path)


@cases(60)
@given(begin=st.floats(0, 1), end=st.floats(0, 1))
def test_cuts(begin, end, slide_file, tmp_path):
    data = slide_file.read_bytes()
    first, last = sorted((int(begin * len(data)), int(end * len(data))))
    if first < last:
        assert _opens_or_refuses(data[:first] + data[last:], tmp_path) is None
    if last < len(data):
        assert _opens_or_refuses(data[:last], tmp_path) is None


@cases(60)
@given(data=st.data())
def test_swapped_members(data, grid_file, slide_file, tmp_path):
    members, others = members_of(grid_file), members_of(slide_file)
    one = data.draw(st.sampled_from(sorted(members)))
    source = data.draw(st.sampled_from([members, others]))
    other = data.draw(st.sampled_from(sorted(source)))
    changed = {**members, one: source[other]}
    same = changed[one] == members[one]
    assert (_opens_or_refuses(zipped(changed), tmp_path) is not None) == same


@cases(60)
@given(
    data=st.data(),
    text=st.text("{}()[]'\"\\,: \n\t#0L", max_size=12),
    length=st.none() | st.integers(0, 70) | st.just(65535),
)
def test_crafted_array_headers(data, text, length, grid_file, tmp_path):
    members = members_of(grid_file)
    name = data.draw(st.sampled_from([name for name in sorted(members) if name.endswith(".npy")]))
    array = members[name]
    begin = data.draw(st.integers(10, 10 + struct.unpack("<H", array[8:10])[0]))
    end = data.draw(st.integers(begin, begin + 3))
    header = array[10:begin] + text.encode() + array[end : 10 + struct.unpack("<H", array[8:10])[0]]
    changed = {**members, name: with_array_header(array, header, length)}
    _opens_or_refuses(zipped(changed), tmp_path)


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


@cases(60)
@given(data=st.data(), value=_VALUES)
def test_headers_with_anything_in_them(data, value, grid_file, slide_file, tmp_path):
    members = members_of(data.draw(st.sampled_from([grid_file, slide_file])))
    header = json.loads(members["header.json"])
    place = data.draw(st.sampled_from(sorted(set(_places(header)), key=str)))
    put(*place, value)(header, {})
    changed = {**members, "header.json": json.dumps(header).encode()}
    _opens_or_refuses(zipped(changed), tmp_path)


@pytest.fixture(scope="module")
def state_files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    puzzle = SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [8, 6, 7, 2, 5, 4, 3, 0, 1])
    return [
        save_run(advanced(puzzle, key, {"expansions_per_update": 7}, 9), folder / f"{key}.tilelab")
        for key in ("a-star", "beam", "depth-first")
    ]


@pytest.mark.exhaustive
@cases(60)
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
        session.restore(run)
        session.set_limits(Limits(units=12))
        session.resume()
        while session.state is State.RUNNING:
            session.run_slice()


def test_random_noise_behind_a_zip_s_first_bytes(tmp_path):
    noise = random.Random(5)
    for size in (1, 30, 100, 4000):
        _opens_or_refuses(b"PK\x03\x04" + noise.randbytes(size), tmp_path)
