"""A second program that checks the log of a proof: plain Python, with its own code.

It counts the classes and their boards, scores each board that a log names, and examines some
classes again. The method for a class is that of the kernels without its shortcuts: paths as numbers
in a dictionary, a tree of tuples, and a search that fixes one cell after another.
"""

import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

_BITS = 5  # bits of a path for each cell
_MASK = (1 << _BITS) - 1
Spelling: TypeAlias = dict[str, "Spelling"]
"""A trie: the next nodes by letter; the word itself is below the empty text."""


class CheckError(Exception):
    """Something in a log that is wrong; its text says what."""


class LoggedClass(NamedTuple):
    """One closed class of a log."""

    number: int
    bound: int
    boards: Mapping[str, int]
    """The boards that remained, row after row, with their values."""


@dataclass(frozen=True)
class ProofClaim:
    """What a log says that it proves: it names all boards with at least a value."""

    shape: tuple[int, int]
    near: Sequence[Sequence[int]]
    """Neighbours of each cell, row-major."""
    groups: Sequence[Sequence[str]]
    """Groups of letters of each cell, row-major."""
    order: Sequence[int]
    """Cells in the order in which they are fixed."""
    at_least: int


class PlainNode(NamedTuple):
    """A node of the orderly tree."""

    bound: int
    points: int
    children: Mapping[int, Mapping[int, "PlainNode"]]
    """Children by place of the cell in the order, then by letter."""


def check(
    claim: ProofClaim,
    words: Mapping[str, int],
    logged: Sequence[LoggedClass],
    n_samples: int,
    seed: int,
    show: Callable[[int, int], None] = lambda _n_scored, _n_examined: None,
) -> None:
    """Raise CheckError unless a log proves its claim.

    words: value of each word, in letters of the board. n_samples: number of classes to examine
    again, chosen by ``seed``. show: is called with the numbers of boards that have been scored and
    of classes that have been examined.
    """
    _require_all(claim, [one.number for one in logged])
    trie, letters = spelling_of(words), set().union(*words)
    for cell, groups in enumerate(claim.groups):
        if sorted("".join(groups)) != sorted(letters):
            raise CheckError(f"the groups of cell {cell} are not a partition of the letters")
    n_scored = 0
    for one in logged:
        show(n_scored, 0)
        n_scored += len(one.boards)
        if one.bound < claim.at_least and one.boards:
            raise CheckError(f"class {one.number} has boards above its bound")
        for board, value in one.boards.items():
            if score(board, claim.near, trie, words) != value:
                raise CheckError(f"the board {board} of class {one.number} has another value")
    sample = random.Random(seed).sample(list(logged), min(n_samples, len(logged)))
    for n_examined, one in enumerate(sample):
        show(n_scored, n_examined)
        bound, boards = examine(claim, words, trie, class_groups(claim, one.number))
        if bound != one.bound:
            raise CheckError(f"class {one.number} has the bound {bound}, not {one.bound}")
        if boards != set(one.boards):
            raise CheckError(f"class {one.number} has other boards that remain")


def class_groups(claim: ProofClaim, number: int) -> list[str]:
    """Return the group of each cell, row-major; the first cell is the lowest digit of a number."""
    chosen = []
    for groups in claim.groups:
        number, digit = divmod(number, len(groups))
        chosen.append(groups[digit])
    return chosen


def _require_all(claim: ProofClaim, numbers: Sequence[int]) -> None:
    """Raise CheckError unless each class or an image of it is logged, and none of them twice."""
    if len(set(numbers)) < len(numbers):
        raise CheckError("a class is logged twice")
    done, images = set(numbers), _images(claim.shape)
    for image in images:
        if any(claim.groups[cell] != claim.groups[other] for cell, other in enumerate(image)):
            raise CheckError("cells that are images of each other have different groups")
    weights = [1, *itertools.accumulate((len(g) for g in claim.groups), int.__mul__)]
    for number in range(weights[-1]):
        digits = [
            number // weight % len(groups)
            for weight, groups in zip(weights, claim.groups, strict=False)
        ]
        if not any(
            sum(digits[cell] * weight for cell, weight in zip(image, weights, strict=False)) in done
            for image in images
        ):
            raise CheckError(f"class {number} and its images are not in the log")


def _images(shape: tuple[int, int]) -> list[list[int]]:
    """Return the rotations and reflections of a board, as the source of each cell."""
    rows, cols = shape
    board = [[row * cols + col for col in range(cols)] for row in range(rows)]
    images = []
    for _ in range(4):
        board = [list(row) for row in zip(*board[::-1], strict=True)]
        if (len(board), len(board[0])) == shape:
            images += [board, [row[::-1] for row in board]]
    return [list(itertools.chain.from_iterable(image)) for image in images]


def spelling_of(words: Iterable[str]) -> Spelling:
    """Return the trie of some words."""
    trie: Spelling = {}
    for word in words:
        node = trie
        for letter in word:
            node = node.setdefault(letter, {})
        node[""] = {word: {}}
    return trie


def _spell(
    allowed: Sequence[str], near: Sequence[Sequence[int]], trie: Spelling
) -> Iterator[tuple[str, list[int]]]:
    """Yield each word with the cells of each way to spell it; a word uses a cell once.

    allowed: letters of each cell.
    """
    path: list[int] = []

    def follow(cells: Iterable[int], node: Spelling) -> Iterator[tuple[str, list[int]]]:
        for cell in cells:
            if cell in path:
                continue
            for letter, after in node.items():
                if letter and letter in allowed[cell]:
                    path.append(cell)
                    if "" in after:
                        yield next(iter(after[""])), path
                    yield from follow(near[cell], after)
                    path.pop()

    return follow(range(len(allowed)), trie)


def score(
    board: str, near: Sequence[Sequence[int]], trie: Spelling, words: Mapping[str, int]
) -> int:
    """Return the value of a board: each word on it counts once."""
    return sum(words[word] for word in {word for word, _ in _spell(board, near, trie)})


def examine(
    claim: ProofClaim, words: Mapping[str, int], trie: Spelling, groups: Sequence[str]
) -> tuple[int, set[str]]:
    """Return the bound of a class, and the boards whose own bound is at least the claim's value."""
    shifts = {cell: _BITS * (len(groups) - 1 - k) for k, cell in enumerate(claim.order)}
    paths: dict[int, int] = {}
    seen = set()
    for word, cells in _spell(groups, claim.near, trie):
        path = 0
        for cell, letter in zip(cells, word, strict=True):
            path |= (groups[cell].index(letter) + 1) << shifts[cell]
        if len(set(word)) < len(word):
            # Other orders of the same cells and letters are no other path.
            if (path, word) in seen:
                continue
            seen.add((path, word))
        if words[word]:
            paths[path] = paths.get(path, 0) + words[word]
    tree = _tree(sorted(paths), paths, 0, len(paths), 0, len(groups))
    sizes = [len(groups[cell]) for cell in claim.order]
    gains = [[0] * size for size in sizes]
    _add_gains([tree], gains)
    found = set()
    for letters in _fix([tree], tree.points, gains, claim.at_least, ()):
        board = dict(zip(claim.order, letters, strict=True))
        found.add("".join(groups[cell][board[cell]] for cell in range(len(groups))))
    return tree.bound, found


def _tree(
    keys: list[int], paths: Mapping[int, int], begin: int, end: int, first: int, n_cells: int
) -> PlainNode:
    """Return the node of sorted paths that are the same before a place of the order."""
    points = 0
    children: dict[int, dict[int, PlainNode]] = {}
    at = begin
    while at < end:
        place = first
        while place < n_cells and not keys[at] >> (_BITS * (n_cells - 1 - place)) & _MASK:
            place += 1
        if place == n_cells:
            points += paths[keys[at]]
            at += 1
            continue
        shift = _BITS * (n_cells - 1 - place)
        prefix, begin = keys[at] >> shift, at
        while at < end and keys[at] >> shift == prefix:
            at += 1
        child = _tree(keys, paths, begin, at, place + 1, n_cells)
        children.setdefault(place, {})[(prefix & _MASK) - 1] = child
    highest = (max(child.bound for child in some.values()) for some in children.values())
    return PlainNode(points + sum(highest), points, children)


def _add_gains(nodes: Iterable[PlainNode], gains: list[list[int]]) -> None:
    """Add the bounds of the children of nodes to the gains, by place and letter."""
    for node in nodes:
        for place, children in node.children.items():
            for letter, child in children.items():
                gains[place][letter] += child.bound


def _fix(
    nodes: list[PlainNode],
    points: int,
    gains: list[list[int]],
    at_least: int,
    chosen: tuple[int, ...],
) -> Iterator[tuple[int, ...]]:
    """Yield the letters, in the order of cells, of each board with a bound of ``at_least``.

    nodes: those that the chosen letters lead to. points: their sum.
    """
    place = len(chosen)
    if place == len(gains):
        yield chosen
        return
    others = points + sum(map(max, gains[place + 1 :]))
    for letter, gain in enumerate(gains[place]):
        if others + gain < at_least:
            continue
        found = (node.children.get(place, {}).get(letter) for node in nodes)
        new = [node for node in found if node is not None]
        after = [row.copy() for row in gains]
        _add_gains(new, after)
        more = points + sum(node.points for node in new)
        yield from _fix([*nodes, *new], more, after, at_least, (*chosen, letter))
