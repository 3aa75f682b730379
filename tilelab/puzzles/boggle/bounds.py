"""What a board must have at least to hold all strings of a lexicon."""

from collections import Counter
from itertools import pairwise

from tilelab.letters.lexicon import Lexicon
from tilelab.puzzles.boggle.scorer import BoardRules


def least_cells(lexicon: Lexicon, rules: BoardRules) -> int:
    """Return how many cells every board has that holds all strings; rows and cols do not count.

    Every letter needs a cell: as many as one string has of it, where each cell is used once a
    string, as in straight lines; two, where a string has it twice in a row and may not stay; else
    one. Where a letter of each string may be wrong, only the longest string says something, and
    only for cells used once.
    """
    longest = int(lexicon.lengths.max())
    if rules.slips:
        return longest if rules.uses_once else 1
    needed: Counter[str] = Counter()
    for string in map(lexicon.tiles, lexicon.strings):
        needed |= Counter(string) if rules.uses_once else _in_a_row(string, stay=rules.stay)
    return max(needed.total(), longest if rules.uses_once else 1)


def has_room(lexicon: Lexicon, rules: BoardRules) -> bool:
    """Return whether the board is as long as its longest string, in some direction of its lines."""
    longest = int(lexicon.lengths.max())
    return not rules.directions or any(
        (rules.rows >= longest or not down) and (rules.cols >= longest or not right)
        for down, right in rules.directions
    )


def _in_a_row(string: str, *, stay: bool) -> Counter[str]:
    """Count 2 for a letter that stands twice in a row and has to move on, else 1."""
    counts = Counter(set(string))
    if not stay:
        counts.update({one for one, after in pairwise(string) if one == after})
    return counts
