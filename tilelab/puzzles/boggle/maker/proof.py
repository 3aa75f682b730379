"""The proof that a list of boards is complete: no other board has at least a given value.

The boards are divided into classes: each cell has one group of letters (Vanderkam 2025, "A
Computational Proof of the Highest-Scoring Boggle Board"). Each class is examined by itself, in a
shuffled order, so that the share of closed classes estimates the time that is left. A closed class
is a line of a log. A proof that was stopped continues from its log, and
:mod:`tilelab.puzzles.boggle.maker.proof_check` checks it.
"""

import itertools
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TypeVar

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from tilelab.core.errors import GridError, TileLabError
from tilelab.core.files.paths import is_there, open_ordinary
from tilelab.core.plain import JsonObject
from tilelab.core.randomness import generator
from tilelab.core.text.language import figures
from tilelab.core.text.shown_text import shown_path
from tilelab.letters.builtin import lexicon_origin
from tilelab.puzzles.boggle.kernels import class_proof as kernel
from tilelab.puzzles.boggle.maker.proof_check import LoggedClass, ProofClaim, class_groups
from tilelab.puzzles.boggle.paths import images_of, neighbours
from tilelab.puzzles.boggle.puzzle import BogglePuzzle, Reuse

MAX_CELLS = 12  # a path has five bits for each cell
_MAX_VALUE = 100
_MAX_TOTAL = 2**31 - 1  # of a class: sums have 32 bits
_BEGINNING = b'{"proof":'  # of each log
_SMALL_BOARD = 9  # maximum number of cells of a board with two groups in each cell
_TWO_GROUPS = ("aeiosuy", "")
_THREE_GROUPS = ("aeijou", "bcdfgmpqvwxz", "hklnrsty")
"""Groups of hybrid-boggle; letters that are missing join the last one."""
_SWITCH = 1.6
"""Bound, as a multiple of the requested value, from which a class is searched depth first."""
_SECONDS = 0.1  # maximum time between two looks at whether to stop
Kind = TypeVar("Kind", bound=np.generic)


def require_provable(puzzle: BogglePuzzle) -> None:
    """Raise GridError for boards and rules of which nothing can be proven."""
    rules, values = puzzle.rules, _values(puzzle)
    n_cells = rules.rows * rules.cols
    if n_cells > MAX_CELLS:
        raise GridError.tr(
            "a proof takes boards of up to {max_cells} cells; this one has {n_cells}",
            max_cells=MAX_CELLS,
            n_cells=n_cells,
        )
    if puzzle.params.reuse is not Reuse.ONCE or rules.directions or rules.slips:
        raise GridError.tr("a proof takes bent words that use a cell once, without slips")
    if puzzle.constraints:
        raise GridError.tr("a proof takes no constraints; leave them out")
    is_whole = bool((values == np.floor(values)).all()) and float(values.max()) <= _MAX_VALUE
    if not is_whole or len(np.unique(values)) > 1 << kernel.VALUE_BITS:
        raise GridError.tr(
            "a proof takes up to {count} different values of words, whole numbers up to {highest}",
            count=1 << kernel.VALUE_BITS,
            highest=_MAX_VALUE,
        )
    if max(len(group) for groups in cell_groups(puzzle) for group in groups) >= kernel.PLACES:
        raise GridError.tr("a proof takes groups of up to {count} letters", count=kernel.PLACES - 1)


def _values(puzzle: BogglePuzzle) -> NDArray[np.float64]:
    """Return the value of each word, 0 for a word with more letters than the board has cells."""
    rows, cols = puzzle.shape
    return np.where(puzzle.lexicon.lengths <= rows * cols, puzzle.worths, 0.0)


def cell_groups(puzzle: BogglePuzzle) -> list[tuple[str, ...]]:
    """Return the groups of letters of each cell, row-major."""
    rows, cols = puzzle.shape
    cells, alphabet = range(rows * cols), puzzle.lexicon.alphabet
    corners = {0, cols - 1, (rows - 1) * cols, rows * cols - 1}
    has_two = [rows * cols <= _SMALL_BOARD or cell in corners for cell in cells]
    return [_grouped(alphabet, _TWO_GROUPS if two else _THREE_GROUPS) for two in has_two]


def _grouped(alphabet: str, groups: Sequence[str]) -> tuple[str, ...]:
    """Divide an alphabet into groups; letters in none of them join the last one."""
    others = "".join(letter for letter in alphabet if letter not in "".join(groups))
    found = ("".join(filter(alphabet.__contains__, group)) for group in groups[:-1])
    last = "".join(filter(alphabet.__contains__, groups[-1])) + others
    return tuple(group for group in (*found, last) if group)


def fixing_order(puzzle: BogglePuzzle) -> list[int]:
    """Return the cells in the order of fixing: most neighbours first, then from the middle."""
    (rows, cols), near = puzzle.shape, neighbours(puzzle.rules)

    def key(cell: int) -> tuple[float, ...]:
        row, col = divmod(cell, cols)
        distance = (2 * row - rows + 1) ** 2 + (2 * col - cols + 1) ** 2
        return -len(near[cell]), distance, col, row

    return sorted(range(rows * cols), key=key)


def claim_of(puzzle: BogglePuzzle, at_least: int) -> ProofClaim:
    """Return what a proof shows: its boards are all that have at least a value."""
    return ProofClaim(
        shape=puzzle.shape,
        near=neighbours(puzzle.rules),
        groups=cell_groups(puzzle),
        order=fixing_order(puzzle),
        at_least=at_least,
    )


def words_of(puzzle: BogglePuzzle) -> dict[str, int]:
    """Return the value of each word, in letters of the board."""
    lexicon, values = puzzle.lexicon, _values(puzzle).astype(np.int64).tolist()
    return {lexicon.tiles(word): value for word, value in zip(lexicon.strings, values, strict=True)}


def classes_of(claim: ProofClaim) -> list[int]:
    """Return the classes in the order of examination, one of those that are images of another."""
    sizes = np.array([len(groups) for groups in claim.groups])
    weights = np.concatenate([[1], np.cumprod(sizes)])
    numbers = np.arange(weights[-1])
    digits = numbers[:, np.newaxis] // weights[:-1] % sizes
    images = [digits[:, image] @ weights[:-1] for image in images_of(claim.shape)]
    first = numbers[np.min(images, axis=0) == numbers]
    shuffled: list[int] = generator(0).permutation(first).tolist()
    return shuffled


class ClassProver:
    """The kernels' arrays for the classes of one thread; they grow when a class needs it."""

    def __init__(self, puzzle: BogglePuzzle, claim: ProofClaim) -> None:
        self._puzzle, self._claim = puzzle, claim
        self._words = _proof_words(puzzle, claim)
        self._room = {"paths": 1 << 20, "nodes": 1 << 20, "links": 1 << 15}
        """Number of elements of the arrays of the three stages."""
        self._stop = np.zeros(1, np.bool_)
        self._make_arrays()

    def _make_arrays(self) -> None:
        n_paths, n_nodes, n_links = self._room.values()
        n_cells, n_levels = len(self._claim.order), self._puzzle.trie.max_level + 3
        self._paths = kernel.PathRoom(
            keys=np.zeros(n_paths, np.uint64),
            prefix=np.zeros(n_paths // 4, np.uint64),
            state=np.zeros(n_paths // 4, np.uint32),
            begin=np.zeros(n_levels, np.int64),
            seen=np.zeros(n_paths // 4, np.uint64),
            seen_by=np.zeros(n_paths // 4, np.int32),
        )
        self._tree = kernel.ProofTree(
            **{name: np.zeros(n_nodes, np.int32) for name in ("points", "bound", "begin", "end")},
            place=np.zeros(2 * n_nodes, np.uint16),
            gain=np.zeros(2 * n_nodes, np.int32),
            node=np.zeros(2 * n_nodes, np.int32),
            size=np.zeros(2, np.int64),
        )
        levels = n_cells + 1
        self._depth = kernel.DepthRoom(
            **{
                name: np.zeros(levels, np.int64)
                for name in ("letter", "root", "rest", "total", "above")
            },
            tops=np.zeros((levels, 2), np.int64),
            link_begin=np.zeros((n_cells, n_links), np.int32),
            link_end=np.zeros((n_cells, n_links), np.int32),
            n_links=np.zeros((levels, n_cells), np.int64),
            gain=np.zeros((levels, n_cells, kernel.PLACES), np.int32),
            highest=np.zeros((levels, n_cells), np.int32),
            boards=np.zeros((n_links, n_cells), np.uint8),
            counts=np.zeros(n_cells + 2, np.int64),
            stop=self._stop,
        )

    def stop(self) -> None:
        """Let the class that is being examined end soon, without a result."""
        self._stop[0] = True

    def rehearse(self) -> None:
        """Examine a class of one board, and score it, to compile the kernels."""
        self._search(self._letters([groups[0][0] for groups in self._claim.groups]))
        n_cells = len(self._claim.order)
        self._puzzle.scorer.score(np.zeros((1, n_cells), np.uint8), np.empty(1))

    def examine(self, number: int) -> LoggedClass | None:
        """Find the boards of a class whose own bound is high enough; None if it was stopped."""
        groups = class_groups(self._claim, number)
        letters = self._letters(groups)
        while True:
            too_small, n_boards = self._search(letters)
            if n_boards == kernel.STOPPED:
                return None
            if not too_small:
                break
            for name in too_small:
                self._room[name] *= 2
            self._make_arrays()
        return LoggedClass(number, int(self._depth.counts[0]), self._boards(groups, n_boards))

    def _search(self, letters: kernel.ClassLetters) -> tuple[tuple[str, ...], int]:
        """Return the names of the stages with too little room, and the number of boards."""
        claim, tree, depth = self._claim, self._tree, self._depth
        n_cells = len(claim.order)
        n_keys = kernel.list_paths(self._words, letters, self._paths)
        if n_keys == kernel.NO_ROOM:
            return ("paths",), 0
        values = self._words.values
        if n_keys * int(values.max()) > _MAX_TOTAL:
            raise TileLabError.tr(
                "the paths of a class have a total value above {highest}, the maximum of a proof",
                highest=figures(_MAX_TOTAL, ","),
            )
        keys = self._paths.keys[:n_keys]
        keys.sort()
        pending = np.zeros((n_cells * n_cells * kernel.PLACES, 3), np.int32)
        opened = np.zeros((n_cells + 1, 3), np.int64)
        if kernel.grow_tree(keys, n_keys, values, n_cells, tree, pending, opened) == kernel.NO_ROOM:
            return ("nodes",), 0
        switch = int(_SWITCH * claim.at_least)
        n_boards = kernel.search_class(letters.n_letters, tree, depth, claim.at_least, switch)
        return ("nodes", "links") if n_boards == kernel.NO_ROOM else (), n_boards

    def _letters(self, groups: Sequence[str]) -> kernel.ClassLetters:
        """Return the arrays of a class; groups: of each cell, row-major."""
        alphabet, order = self._puzzle.lexicon.alphabet, self._claim.order
        cells = np.zeros(len(alphabet), np.uint64)
        keys = np.zeros((len(alphabet), len(order)), np.uint64)
        for place, cell in enumerate(order):
            for index, letter in enumerate(groups[cell]):
                code = alphabet.index(letter)
                cells[code] |= np.uint64(1 << place)
                keys[code, place] = kernel.cell_bits(place, index, len(order))
        return kernel.ClassLetters(cells, keys, np.array([len(groups[cell]) for cell in order]))

    def _boards(self, groups: Sequence[str], n_boards: int) -> dict[str, int]:
        """Score the boards that remain."""
        puzzle, order = self._puzzle, self._claim.order
        boards = np.empty((n_boards, len(order)), np.uint8)
        for place, cell in enumerate(order):
            codes = [puzzle.lexicon.alphabet.index(letter) for letter in groups[cell]]
            boards[:, cell] = np.array(codes, np.uint8)[self._depth.boards[:n_boards, place]]
        scores = np.empty(n_boards)
        puzzle.scorer.score(boards, scores)
        texts = ("".join(puzzle.lexicon.alphabet[code] for code in board) for board in boards)
        return dict(zip(texts, map(int, scores.tolist()), strict=True))


def _proof_words(puzzle: BogglePuzzle, claim: ProofClaim) -> kernel.ProofWords:
    """Return the arrays of a lexicon and a board."""
    trie, values = puzzle.trie, _values(puzzle)
    table = np.unique(values)
    unused = np.zeros((1 << kernel.VALUE_BITS) - len(table))
    node_values = trie.node_values(values)
    worth = np.where(node_values > 0, np.searchsorted(table, node_values), -1)
    place = {cell: at for at, cell in enumerate(claim.order)}
    near = [sum(1 << place[other] for other in claim.near[cell]) for cell in claim.order]
    return kernel.ProofWords(
        symbol=trie.symbol,
        depth=trie.depth,
        skip=trie.skip,
        worth=worth.astype(np.int8),
        is_repeating=_is_repeating(trie.symbol.tolist(), trie.depth.tolist()),
        values=np.concatenate([table, unused]).astype(np.int32),
        near=np.array(near, np.uint64),
    )


def _is_repeating(symbols: Iterable[int], depths: Iterable[int]) -> NDArray[np.bool_]:
    """Return whether a symbol occurs twice above each node of a trie in preorder."""
    sets, repeats, found = {-1: 0}, {-1: False}, []
    for symbol, depth in zip(symbols, depths, strict=True):
        above = sets[depth - 1]
        sets[depth] = above | 1 << symbol
        repeats[depth] = repeats[depth - 1] or bool(above >> symbol & 1)
        found.append(repeats[depth])
    return np.array(found, np.bool_)


class ClassProof:
    """A proof with its log; the classes of the log are closed already."""

    def __init__(self, puzzle: BogglePuzzle, at_least: int, path: Path, n_threads: int) -> None:
        """Prepare a proof, or read its log; raises TileLabError for rules or a log that differ."""
        require_provable(puzzle)
        self.claim = claim_of(puzzle, at_least)
        self.classes = classes_of(self.claim)
        self._path, self._header = path, header_of(puzzle, self.claim)
        self.closed: set[int] = set()
        self._found: dict[str, int] = {}
        self._images = [image.tolist() for image in images_of(puzzle.shape)]
        if not is_there(path):
            path.touch()
        self._lock = _lock_log(path)
        logged, self._n_bytes = read_log(path, self._header)
        for one in logged:
            self._close(one)
        self._provers = [ClassProver(puzzle, self.claim) for _ in range(n_threads)]
        self.n_before = len(self.closed)
        """Number of classes that were closed before."""
        self._began = time.monotonic()

    @property
    def is_done(self) -> bool:
        return self.closed.issuperset(self.classes)

    @property
    def seconds(self) -> float:
        """Seconds since the proof was begun or resumed."""
        return time.monotonic() - self._began

    @property
    def seconds_left(self) -> float | None:
        """Estimate of the time that is left, or None before any class is closed."""
        n_closed = len(self.closed) - self.n_before
        if not n_closed:
            return None
        return self.seconds * (len(self.classes) - len(self.closed)) / n_closed

    @property
    def n_boards(self) -> int:
        """Number of boards found; of several images, one counts."""
        return len(self._found)

    @property
    def boards(self) -> list[tuple[str, int]]:
        """Boards with at least the value of the claim, the best first; one of several images."""
        return sorted(self._found.items(), key=lambda item: (-item[1], item[0]))

    def rehearse(self) -> None:
        """Compile the kernels before the run, whose time then is that of the proof."""
        self._provers[0].rehearse()

    def _close(self, one: LoggedClass) -> None:
        self.closed.add(one.number)
        for board, value in one.boards.items():
            if value >= self.claim.at_least:
                images = ("".join(board[cell] for cell in image) for image in self._images)
                self._found[min(images)] = value

    def run(self, is_stopped: Callable[[], bool], show: Callable[[], None]) -> None:
        """Close all classes, or return soon after ``is_stopped`` returns True.

        show: is called several times a second. Afterwards another program may use the log.
        """
        self._began = time.monotonic()
        waiting: Iterator[int] = itertools.filterfalse(self.closed.__contains__, self.classes)
        running: dict[Future[LoggedClass | None], ClassProver] = {}
        n_threads = len(self._provers)
        with self._lock, self._path.open("ab") as log, ThreadPoolExecutor(n_threads) as threads:
            log.truncate(self._n_bytes)
            if not self._n_bytes:
                log.write(_line(self._header))
            for prover, number in zip(self._provers, waiting, strict=False):
                running[threads.submit(prover.examine, number)] = prover
            while running:
                if is_stopped():
                    waiting = iter(())
                    for prover in self._provers:
                        prover.stop()
                done, _ = wait(running, _SECONDS, FIRST_COMPLETED)
                for future in done:
                    prover, one = running.pop(future), future.result()
                    if one is None:
                        continue
                    self._close(one)
                    log.write(_line(_plain(one)))
                    log.flush()
                    for number in itertools.islice(waiting, 1):
                        running[threads.submit(prover.examine, number)] = prover
                show()


def _plain(one: LoggedClass) -> JsonObject:
    return {"class": one.number, "bound": one.bound, "boards": one.boards}


def _line(value: JsonObject) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def header_of(puzzle: BogglePuzzle, claim: ProofClaim) -> JsonObject:
    """Return the first line of a log: what it claims, and of which words."""
    origin = lexicon_origin(puzzle.given or puzzle.lexicon)
    return {
        "proof": 1,
        "lexicon": origin["lexicon"],
        "digest": origin["digest"],
        "params": puzzle.params.model_dump(mode="json"),
        "at_least": claim.at_least,
        "groups": [list(groups) for groups in claim.groups],
        "order": list(claim.order),
    }


def _lock_log(path: Path) -> AbstractContextManager[object]:
    """Reserve a log until the exit; raises TileLabError if another program has reserved it."""
    lock = FileLock(f"{path}.lock", timeout=0, thread_local=False, fallback_to_soft=False)
    try:
        return lock.acquire()
    except Timeout:
        raise TileLabError.tr(
            "Another program is using {folder}", folder=shown_path(path)
        ) from None
    except (NotImplementedError, OSError):  # a file system without locks
        return nullcontext()


def read_log(path: Path, header: JsonObject) -> tuple[list[LoggedClass], int]:
    """Read the closed classes of a log; returns them and the number of bytes of whole lines.

    A last line without an end is left out, because the program may have been killed while it was
    written. Raises TileLabError for a file with another header, and for lines of another kind.
    """
    expected = _line(header)
    logged: list[LoggedClass] = []
    with open_ordinary(path) as file:
        first = file.readline(len(expected))
        if first != expected:
            if expected.startswith(first):
                return [], 0
            if not first.startswith(_BEGINNING):
                raise _no_line(1, path)
            raise TileLabError.tr(
                "{file} is the log of another proof, with other words, rules or value",
                file=shown_path(path),
            )
        n_bytes = len(first)
        for number, line in enumerate(file, 2):
            if not line.endswith(b"\n"):
                break
            try:
                value = json.loads(line)
                boards = {str(board): int(score) for board, score in value["boards"].items()}
                logged.append(LoggedClass(int(value["class"]), int(value["bound"]), boards))
            except (ValueError, KeyError, TypeError, AttributeError):
                raise _no_line(number, path) from None
            n_bytes += len(line)
    return logged, n_bytes


def _no_line(number: int, path: Path) -> TileLabError:
    return TileLabError.tr(
        "line {line} of {file} is not one of a proof's log", line=number, file=shown_path(path)
    )
