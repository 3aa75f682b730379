"""``python -m benchmarks.bees``: what the bee colony's figures depend on, in about two minutes.

None of them depends on the machine: docs/word-tiles.md has them under "The published sweep" and
"The path to the best board".
"""

import statistics

from benchmarks.effort import WHOLE
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.puzzles.wordtiles.solvers.bees import Bees, BeesParams, TripStart
from tilelab.puzzles.wordtiles.text import RandomLetters
from tilelab.slides.path import path_between

N_BOARDS = 30
SETTING = BeesParams(agents=16, steps=30, iterations=100)


def bests(lexicon, letters, n_boards, params=SETTING):
    """Run the bees on boards 1 to n, with seeds 0 to n - 1; yield (puzzle, best)."""
    for seed in range(n_boards):
        puzzle = WordTilesPuzzle.create(
            open_lexicon(lexicon), WordTilesParams(random_letters=letters, letters_seed=seed + 1)
        )
        solver, best = Bees.create(puzzle, params, seed), None
        for _ in range(params.iterations):
            best = solver.advance(1).best or best
        yield puzzle, best


def lexicons(n_boards=N_BOARDS):
    """Print the mean best value with each lexicon."""
    print(f"| lexicon, {n_boards} boards | letters | mean best |\n|---|---|---|")
    for lexicon, letters in (
        ("english-small", RandomLetters.ENGLISH),
        ("english-medium", RandomLetters.ENGLISH),
        ("english-large", RandomLetters.ENGLISH),
        ("english-small", RandomLetters.UNIFORM),
    ):
        mean = statistics.mean(best.value for _, best in bests(lexicon, letters, n_boards))
        print(f"| {lexicon} | {letters} | {mean:.1f} |", flush=True)


def starts(n_boards=20):
    """Print the mean best value with each start of a trip."""
    print(f"\n| start of a trip, {n_boards} boards | mean best |\n|---|---|")
    for start in TripStart:
        params = SETTING.model_copy(update={"start": start})
        found = bests("english-large", RandomLetters.LEXICON, n_boards, params)
        print(f"| {start} | {statistics.mean(best.value for _, best in found):.1f} |", flush=True)


def paths(n_boards=N_BOARDS):
    """Print the lengths of the paths to the best boards, and how many are proven shortest."""
    found = [
        path_between(puzzle.start, best.cells, puzzle.shape[1])
        for puzzle, best in bests("english-large", RandomLetters.ENGLISH, n_boards)
    ]
    mean = statistics.mean(len(path.moves) for path in found)
    proven = sum(path.optimal for path in found)
    print(f"\npaths to the best boards: {mean:.1f} slides, {proven} of {n_boards} proven shortest")


def measure(effort):
    """Print all tables."""
    lexicons(effort.of(N_BOARDS, 1))
    starts(effort.of(20, 1))
    paths(effort.of(N_BOARDS, 1))
    return True


if __name__ == "__main__":
    measure(WHOLE)
