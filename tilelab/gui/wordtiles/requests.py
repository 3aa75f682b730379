"""What the page of word tiles lets its threads do: read another lexicon, look for the path."""

from collections.abc import Iterator
from dataclasses import dataclass

from tilelab.core.puzzle import Puzzle
from tilelab.core.solver import Best
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.puzzles.wordtiles.text import BLANKS
from tilelab.runs.outcome import with_path
from tilelab.words.builtin import open_lexicon
from tilelab.words.lexicon import Accents


@dataclass(frozen=True)
class LexiconRequest:
    """Another lexicon; the board in play stays when all its letters are known there."""

    name: str
    """Of a built-in lexicon, or a path."""
    params: WordTilesParams
    rows: tuple[str, ...]
    accents: Accents

    def build(self) -> WordTilesPuzzle:
        """Read the lexicon and make the puzzle; raises TileLabError."""
        lexicon = open_lexicon(self.name, self.accents)
        fits = set("".join(self.rows)) - set(BLANKS) <= set(lexicon.alphabet)
        return WordTilesPuzzle.create(lexicon, self.params, self.rows if fits else None)


def path_to(puzzle: Puzzle, best: Best) -> Iterator[tuple[Best, Best]]:
    """Find the path to a best board, as a job of one step."""
    yield best, with_path(puzzle, best)
