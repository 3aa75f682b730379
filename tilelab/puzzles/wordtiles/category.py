"""Which runs on word tiles are compared by their best."""

import numpy as np

from tilelab.core.category import Category
from tilelab.core.plain import Json, JsonObject
from tilelab.core.puzzle import InstanceRecord
from tilelab.puzzles.wordtiles.text import BLANK
from tilelab.slides.moves import is_solvable

_DRAWN = ("random_letters", "letters_seed")
"""Where the tiles come from says nothing of what they can spell."""


def category_of(record: InstanceRecord, params: JsonObject) -> Category | None:
    """Return the category of a run: lexicon, size, tiles and what counts.

    params: of the puzzle, all of them. None of runs whose lexicon or best board is not known.
    """
    digest, tiles = record.origin.get("digest"), "".join(record.board)
    if not isinstance(digest, str) or BLANK not in tiles:
        return None
    facts: dict[str, Json] = {name: params[name] for name in params if name not in _DRAWN}
    letters = "".join(sorted(tiles))  # the blank is the first
    facts |= {"lexicon": digest, "tiles": letters}
    if len(set(tiles)) == len(tiles):
        # Where all tiles differ, slides reach half of the boards.
        cells = np.array([letters.index(tile) for tile in tiles], np.uint8)
        facts["half"] = is_solvable(cells, np.sort(cells), len(record.board[0]))
    return Category("wordtiles", facts, turns=False)
