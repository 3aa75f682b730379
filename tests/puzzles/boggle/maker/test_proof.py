"""Proofs by classes: all boards are in them, logs continue, and the second program finds faults."""

import itertools
import json

import pytest

from tilelab.core.errors import GridError, TileLabError
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.maker.proof import (
    ClassProof,
    claim_of,
    classes_of,
    header_of,
    read_log,
    words_of,
)
from tilelab.puzzles.boggle.maker.proof_check import (
    CheckError,
    check,
    class_groups,
    score,
    spelling_of,
)
from tilelab.puzzles.boggle.paths import images_of
from tilelab.puzzles.boggle.puzzle import BogglePuzzle

WORDS = "sea\ntea\neat\ntest\nset\nseat\nteas\neats\ntate\nsass\n"
AT_LEAST = 12


def puzzle_of(text=WORDS, asked=None, **values):
    values = {"rows": 2, "cols": 3, "fitness": "length", "reuse": "once", **values}
    lexicon = parse_lexicon(text.encode(), "words")
    return BogglePuzzle.from_values(lexicon, values, None, asked or Constraints())


def proven(path, *, n_threads=1, n_closed=10**9):
    """Prove until the end or until some classes are closed."""
    proof = ClassProof(puzzle_of(), AT_LEAST, path, n_threads)
    proof.run(lambda: len(proof.closed) >= n_closed, lambda: None)
    return proof


def boards_of(puzzle):
    """Score all boards in plain Python; returns the first image of each good one."""
    words, near = words_of(puzzle), claim_of(puzzle, 1).near
    trie, images = spelling_of(words), images_of(puzzle.shape)
    found = {}
    for letters in itertools.product(puzzle.lexicon.alphabet, repeat=6):
        value = score("".join(letters), near, trie, words)
        if value >= AT_LEAST:
            found[min("".join(letters[cell] for cell in image) for image in images)] = value
    return found


@pytest.mark.parametrize("n_threads", [1, 2])
def test_the_boards_are_all_that_have_the_value(n_threads, tmp_path):
    """Noticed: a class that is left out; a board that is listed with its reflection."""
    proof = proven(tmp_path / "log", n_threads=n_threads)
    assert proof.is_done
    boards = boards_of(puzzle_of())
    assert len(boards) > 3
    assert dict(proof.boards) == boards
    values = [value for _, value in proof.boards]
    assert values == sorted(values, reverse=True)


def test_a_word_with_qu_needs_a_cell_less_than_it_has_letters(tmp_path):
    """Noticed: a long word that is left out as if it did not fit; images of a square."""
    puzzle = puzzle_of("queen\nquay\n", rows=2, cols=2, qu_tile=True)
    proof = ClassProof(puzzle, 5, tmp_path / "log", 1)
    proof.run(lambda: False, lambda: None)
    assert [sorted(board) for board, _ in proof.boards] == [list("eenq")] * 2


@pytest.mark.parametrize(("shape", "count"), [((3, 3), 102), ((3, 4), 27_135), ((4, 3), 27_135)])
def test_one_class_of_several_images_is_examined(shape, count):
    """Noticed: images that are examined twice; other groups of letters."""
    rows, cols = shape
    words = "abcdefghijklmnopqrstuvwxyz"
    puzzle = puzzle_of(f"{words[:13]}\n{words[13:]}\nab\n", rows=rows, cols=cols)
    classes = classes_of(claim_of(puzzle, 1))
    assert len(classes) == len(set(classes)) == count
    assert classes != sorted(classes)


def test_letters_of_other_languages_are_in_a_group():
    puzzle = puzzle_of("ñandú\nøl\nabc\n", rows=3, cols=4)
    for groups in claim_of(puzzle, 1).groups:
        assert sorted("".join(groups)) == sorted(puzzle.lexicon.alphabet)


def test_a_stopped_proof_continues_from_its_log(tmp_path):
    """Noticed: a class that is examined again; a torn line that spoils the log."""
    path = tmp_path / "log"
    whole = proven(tmp_path / "whole")
    first = proven(path, n_closed=3)
    assert 0 < len(first.closed) < len(first.classes)
    lines = path.read_bytes()
    assert len(lines.splitlines()) == 1 + len(first.closed)
    path.write_bytes(lines + b'{"class":7,"bo')
    second = proven(path)
    assert second.n_before == len(first.closed)
    assert sorted(path.read_text().splitlines()) == sorted(
        (tmp_path / "whole").read_text().splitlines()
    )
    assert second.boards == whole.boards
    assert proven(path).n_before == len(second.classes)


def test_a_header_that_was_not_written_whole_is_written_again(tmp_path):
    """Noticed: a line glued to the header; an empty file that is refused."""
    whole = proven(tmp_path / "whole")
    header = (tmp_path / "whole").read_bytes().splitlines()[0]
    for n_bytes in (0, 20, len(header)):
        path = tmp_path / f"log {n_bytes}"
        path.write_bytes(header[:n_bytes])
        proven(path, n_closed=3)
        assert proven(path).boards == whole.boards


def test_two_programs_do_not_write_one_log(tmp_path):
    """Noticed: lines that a second program cuts off, and classes that are logged twice."""
    proof = ClassProof(puzzle_of(), AT_LEAST, tmp_path / "log", 1)
    with pytest.raises(TileLabError, match="Another program is using"):
        ClassProof(puzzle_of(), AT_LEAST, tmp_path / "log", 1)
    proof.run(lambda: True, lambda: None)
    assert proven(tmp_path / "log").is_done


def test_a_line_of_no_class_closes_none(tmp_path):
    """Noticed: a proof that is complete because its log has as many lines as there are classes."""
    path = tmp_path / "log"
    proven(path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:-1], '{"class":-1,"bound":0,"boards":{}}\n']))
    assert not ClassProof(puzzle_of(), AT_LEAST, path, 1).is_done


@pytest.mark.parametrize("text", ["abc\nbca\n", "abc", '{"proof":1}\n'])
def test_a_file_that_is_not_the_log_of_the_proof_stays(text, tmp_path):
    """Noticed: a list of words or the log of other boards that is overwritten."""
    path = tmp_path / "words"
    path.write_text(text)
    with pytest.raises(TileLabError, match=r"is not one of a proof|is the log of another proof"):
        proven(path)
    assert path.read_text() == text


def checked(path, n_samples=100):
    puzzle = puzzle_of()
    claim = claim_of(puzzle, AT_LEAST)
    logged, _ = read_log(path, header_of(puzzle, claim))
    check(claim, words_of(puzzle), logged, n_samples, 1)


def test_the_second_program_accepts_what_is_proven(tmp_path):
    proven(tmp_path / "log")
    checked(tmp_path / "log")


def _no_boards(line):
    line["boards"] = {}


def _higher(line):
    board = next(iter(line["boards"]))
    line["boards"][board] += 1


def _lower_bound(line):
    line["bound"] -= 1


@pytest.mark.parametrize(
    ("change", "n_samples", "what"),
    [
        (None, 0, "are not in the log"),
        (_higher, 0, "has another value"),
        (_no_boards, 100, "other boards that remain"),
        (_lower_bound, 100, "has the bound"),
    ],
)
def test_the_second_program_finds_faults(change, n_samples, what, tmp_path):
    """Noticed: a check that reads the log but does not compute."""
    path = tmp_path / "log"
    proven(path)
    lines = path.read_text().splitlines()
    at = next(at for at, line in enumerate(lines) if at and json.loads(line)["boards"])
    if change is None:
        del lines[at]
    else:
        line = json.loads(lines[at])
        change(line)
        lines[at] = json.dumps(line)
    path.write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(CheckError, match=what):
        checked(path, n_samples)


def test_a_class_twice_is_no_second_class(tmp_path):
    path = tmp_path / "log"
    proven(path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:-1], lines[1]]))
    with pytest.raises(CheckError, match="logged twice"):
        checked(path, 0)


def test_a_number_of_a_class_names_its_groups():
    claim = claim_of(puzzle_of(), 1)
    sizes = [len(groups) for groups in claim.groups]
    numbers = range(2 ** len(sizes))
    found = {tuple(class_groups(claim, number)) for number in numbers}
    assert found == set(itertools.product(*claim.groups))


@pytest.mark.parametrize(
    ("values", "asked", "what"),
    [
        ({"rows": 4, "cols": 4}, None, "up to 12 cells; this one has 16"),
        ({"reuse": "any"}, None, "use a cell once"),
        ({"slips": 1}, None, "without slips"),
        ({"adjacency": "straight"}, None, "bent words"),
        ({}, Constraints(required=("sea",)), "no constraints"),
    ],
)
def test_what_cannot_be_proven_is_refused(values, asked, what, tmp_path):
    with pytest.raises(GridError, match=what):
        ClassProof(puzzle_of(asked=asked, **values), 5, tmp_path / "log", 1)


@pytest.mark.parametrize("weight", ["0.5", "101"])
def test_values_that_a_path_cannot_hold_are_refused(weight, tmp_path):
    with pytest.raises(GridError, match="whole numbers up to 100"):
        ClassProof(puzzle_of(f"ab\t{weight}\n", fitness="weight"), 1, tmp_path / "log", 1)
