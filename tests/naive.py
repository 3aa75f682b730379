"""Oracles: the same answers as the kernels, by the plainest Python that says what is meant."""

import itertools
import math
from typing import NamedTuple

import numpy as np


def neighbours(rows, cols, *, king=True, torus=False, stay=False):
    """List the cells that touch each cell, straight from the definition."""
    near = []
    for row, col in itertools.product(range(rows), range(cols)):
        mine = set()
        for other_row, other_col in itertools.product(range(rows), range(cols)):
            down, right = abs(row - other_row), abs(col - other_col)
            if torus:
                down, right = min(down, rows - down), min(right, cols - right)
            if (down, right) == (0, 0):
                touches = stay
            else:
                touches = max(down, right) == 1 and (king or down + right == 1)
            if touches:
                mine.add(other_row * cols + other_col)
        near.append(mine)
    return near


def encodings(letters, string, near, *, once=False, slips=0):
    """Yield every encoding of a string, as a tuple of cells."""

    def extend(path, slips_left):
        if len(path) == len(string):
            yield tuple(path)
            return
        for cell in near[path[-1]] if path else range(len(letters)):
            left = slips_left - (letters[cell] != string[len(path)])
            if left >= 0 and not (once and cell in path):
                yield from extend([*path, cell], left)

    yield from extend([], slips)


def lines(rows, cols, steps, holes=()):
    """List every straight line that goes from a cell as far as it can, one for each step."""
    found = []
    for row, col, (down, right) in itertools.product(range(rows), range(cols), steps):
        line = []
        for far in range(max(rows, cols)):
            at = row + far * down, col + far * right
            if at[0] not in range(rows) or at[1] not in range(cols):
                break
            if at[0] * cols + at[1] in holes:
                break
            line.append(at[0] * cols + at[1])
        found.append(tuple(line))
    return found


def lines_of(puzzle):
    """List the lines of a puzzle whose strings lie on straight lines in any direction, else []."""
    steps = [step for step in itertools.product((-1, 0, 1), repeat=2) if any(step)]
    is_straight = puzzle.params.adjacency == "straight"
    return lines(*puzzle.shape, steps, puzzle.constraints.holes) if is_straight else []


def encodings_on_lines(letters, string, lines, slips=0):
    """List every encoding of a string that lies on one of those lines, as tuples of cells."""
    return {
        line[: len(string)]
        for line in lines
        if len(line) >= len(string)
        and sum(letters[cell] != sign for cell, sign in zip(line, string, strict=False)) <= slips
    }


def is_encoded(letters, string, near, *, once=False, slips=0):
    """Return whether a string has an encoding."""
    return next(encodings(letters, string, near, once=once, slips=slips), None) is not None


def least_wrong_on_lines(letters, string, lines):
    """Return the least number of wrong letters of a string along one of those lines."""
    return min(
        (
            sum(letters[cell] != sign for cell, sign in zip(line, string, strict=False))
            for line in lines
            if len(line) >= len(string)
        ),
        default=math.inf,
    )


def grid_score(letters, strings, values, near, *, once=False, slips=0):
    """Add up the values of the strings encoded, in their order."""
    total = 0.0
    for string, value in zip(strings, values, strict=True):
        if is_encoded(letters, string, near, once=once, slips=slips):
            total += value
    return total


def neighbours_in(letters, puzzle):
    """List the cells that touch each cell of a letter grid, '#' in its holes, by its rules."""
    params = puzzle.params
    near = neighbours(
        *puzzle.shape,
        king=params.adjacency == "king",
        torus=params.torus,
        stay=params.stay and params.reuse == "any",
    )
    cells = {cell for cell, letter in enumerate(letters) if letter != "#"}
    return [mine & cells if cell in cells else set() for cell, mine in enumerate(near)]


def constrained_score(rows, puzzle):
    """The value of a letter grid, '#' in its holes, by asking for each string; see Constraints."""
    asked, params = puzzle.constraints, puzzle.params
    letters = "".join(rows)
    near = neighbours_in(letters, puzzle)
    cells = {cell for cell, letter in enumerate(letters) if letter != "#"}
    once = params.reuse == "once"

    lines = lines_of(puzzle)

    def stands(string, slips=0):
        if lines:
            return bool(encodings_on_lines(letters, string, lines, slips))
        # A hole is left out here by hand: with a slip it would pass for any letter.
        paths = encodings(letters, string, near, once=once, slips=slips)
        return any(cells.issuperset(path) for path in paths)

    own = dict(zip(puzzle.lexicon.strings, puzzle.values.tolist(), strict=True))
    power = 1
    while power <= sum(own.values()):
        power *= 10
    total = sum(value for string, value in own.items() if stands(string, params.slips))
    total += power * sum(stands(string, params.slips) for string in asked.required)
    return total - power * sum(map(stands, naive_bans(puzzle)))


def naive_bans(puzzle):
    """The strings that count against a grid: those that no board with the puzzle's own can avoid
    are left out."""
    asked, params = puzzle.constraints, puzzle.params
    own = set(puzzle.lexicon.strings)
    bans = set(asked.forbidden)
    if asked.nothing_else is not None:
        bans |= {
            other
            for other in asked.nothing_else.strings
            if len(other) >= 3
            and other not in own
            and not any(
                is_encoded(
                    string,
                    other,
                    neighbours(1, len(string), stay=params.stay and params.reuse == "any"),
                    once=params.reuse == "once" or params.adjacency == "straight",
                )
                for string in own
            )
        }
    symbols = set("".join(own))
    return sorted(ban for ban in bans if symbols.issuperset(ban))


def cell_usage(letters, strings, near, *, once=False, slips=0):
    """Count, over encoded strings and their letters, the cells that can play the letter."""
    usage = [0] * len(letters)
    for string in strings:
        players = {
            (position, cell)
            for path in encodings(letters, string, near, once=once, slips=slips)
            for position, cell in enumerate(path)
        }
        for _, cell in players:
            usage[cell] += 1
    return usage


def letter_of(word, thresholds):
    """Return the first symbol whose threshold is above a random word."""
    return next(symbol for symbol, end in enumerate(thresholds) if int(word) < int(end))


class Generation(NamedTuple):
    """A generation of Schafer's algorithm; the counts are None or 0 before any breeding."""

    grids: list
    scores: list
    parents: list | None = None  # scores of the parents, the fittest first
    n_crossed: int = 0  # cells that come from a parent
    n_drawn: int = 0  # cells drawn because no parent uses them
    n_mutated: int = 0  # different cells that the mutation has drawn


def generations(puzzle, seed, *, mutation=20, n_parents=15, near=None):
    """Run Schafer's algorithm in lists and loops, without end; yields each generation.

    The random words are drawn in the order and number that the solver documents.
    """
    alphabet, strings = puzzle.lexicon.alphabet, puzzle.lexicon.strings
    n_cells = puzzle.shape[0] * puzzle.shape[1]
    n_grids = math.comb(n_parents, 2)
    near = near or neighbours(*puzzle.shape)
    thresholds = [round((index + 1) / len(alphabet) * 2**32) for index in range(len(alphabet))]
    rng = np.random.Generator(np.random.PCG64(seed))

    def words(*shape):
        return rng.integers(0, 2**32, size=shape, dtype=np.uint32)

    def letter(word):
        return alphabet[letter_of(word, thresholds)]

    def scores_of(grids):
        return [grid_score(grid, strings, puzzle.values, near) for grid in grids]

    grids = [[letter(word) for word in row] for row in words(n_grids, n_cells)]
    now = Generation(grids, scores_of(grids))
    while True:
        yield now
        ranking = sorted(range(n_grids), key=lambda index: -now.scores[index])[:n_parents]
        parents = [now.grids[index] for index in ranking]
        usage = [cell_usage(parent, strings, near) for parent in parents]
        children, n_drawn = [], 0
        coins = words(n_grids, n_cells)
        for first, second in itertools.combinations(range(n_parents), 2):
            row = coins[len(children)]
            child = []
            for cell in range(n_cells):
                one, two = usage[first][cell], usage[second][cell]
                if one == two == 0:
                    n_drawn += 1
                    child.append(letter(row[cell]))
                elif one > two or (one == two and row[cell] >= 2**31):
                    child.append(parents[first][cell])
                else:
                    child.append(parents[second][cell])
            children.append(child)
        mutated = set()
        for grid, cell, symbol in words(mutation, 3):
            place = int(grid) * n_grids >> 32, int(cell) * n_cells >> 32
            children[place[0]][place[1]] = letter(symbol)
            mutated.add(place)
        now = Generation(
            children,
            scores_of(children),
            [now.scores[index] for index in ranking],
            n_grids * n_cells - n_drawn,
            n_drawn,
            len(mutated),
        )


def genetic(puzzle, seed, n_generations, **params):
    """Return (trace rows, best value, best letters) of some generations of Schafer's algorithm.

    params: of :func:`generations`.
    """
    trace, best_value, best_grid = [], -1.0, None
    for now in itertools.islice(generations(puzzle, seed, **params), n_generations):
        top = max(now.scores)
        if top > best_value:
            best_value, best_grid = top, list(now.grids[now.scores.index(top)])
        distinct = len({tuple(grid) for grid in now.grids})
        trace.append((top, sum(now.scores) / len(now.grids), best_value, distinct))
    return trace, best_value, "".join(best_grid)


def word_tile_lines(rows):
    """The lines of a word-tile board as text: rows, then columns."""
    return [*rows, *("".join(column) for column in zip(*rows, strict=True))]


def word_tile_score(rows, weights, *, once=False):
    """The value of a word-tile board: words of two letters up to a line, by asking for each."""
    dimension = max(len(rows), len(rows[0]))
    words = {word: weight for word, weight in weights.items() if 2 <= len(word) <= dimension}
    lines = word_tile_lines(rows)
    if once:
        return sum(weight for word, weight in words.items() if any(word in line for line in lines))
    return sum(weight for line in lines for word, weight in words.items() if word in line)


def slide(board, cols, letter):
    """A board of letters, '.' for the blank, after the blank has gone U, D, L or R; or None."""
    blank = board.index(".")
    row, col = divmod(blank, cols)
    row, col = row + (letter == "D") - (letter == "U"), col + (letter == "R") - (letter == "L")
    if not (0 <= row < len(board) // cols and 0 <= col < cols):
        return None
    other = row * cols + col
    cells = list(board)
    cells[blank], cells[other] = cells[other], "."
    return "".join(cells)


def slides_apart(start, target, cols):
    """Fewest slides from one board of letters to another, layer by layer; None for no path."""
    layer, met, n_slides = {start}, {start}, 0
    while layer:
        if target in layer:
            return n_slides
        layer = {slide(board, cols, letter) for board in layer for letter in "UDLR"} - met - {None}
        met |= layer
        n_slides += 1
    return None


def random_slide(word, board, last, cols):
    """The board and the letter of the move after a random slide, not straight back."""
    paths = [
        (after, letter)
        for letter in "UDLR"
        if (after := slide(board, cols, letter)) is not None
        and (last is None or letter != "DURL"["UDLR".index(last)])
    ]
    return paths[word * len(paths) >> 32]


def split_mix(word):
    """The state after a 64-bit word and the random word that comes of it (Steele et al. 2014)."""
    state = (word + 0x9E3779B97F4A7C15) % 2**64
    mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % 2**64
    return state, mixed ^ mixed >> 31


def slide_trips(board, cols, score, words, temperatures, trip):
    """The board and the best value after trips of slides, each kept by Metropolis's rule."""
    value = best = score(board)
    for begin in range(0, len(words), trip):
        here, last, met = board, None, []
        for word in words[begin : begin + trip]:
            here, last = random_slide(split_mix(word)[1] >> 32, here, last, cols)
            met.append((score(here), here))
        top = max(found for found, _ in met)
        best = max(best, top)
        temperature = temperatures[min(begin + trip, len(words)) - 1]
        chance = (split_mix(2**64 - 1 - word)[1] >> 11) / 2**53
        loss = value - top
        if loss <= 0 or (temperature > 0 and chance < math.exp(-loss / temperature)):
            board = next(place for found, place in reversed(met) if found == top)
            value = top
    return board, best


def recruit(step, loyalties, choices, agents, values):
    """The agents after loyalty and roulette, and how many are loyal."""
    low, high = min(values), max(values)
    normal = [(value - low) / (high - low) if high > low else 1.0 for value in values]
    loyal = [
        word / 2**32 < math.exp((one - 1.0) / step)
        for word, one in zip(loyalties, normal, strict=True)
    ]
    wheel = [index for index, one in enumerate(normal) if loyal[index] and one > 0]
    total = sum(normal[index] for index in wheel)
    after = list(agents)
    for index, word in enumerate(choices):
        if not loyal[index]:
            point, chosen = word / 2**32 * total, wheel[-1]
            for other in wheel:
                if point < normal[other]:
                    chosen = other
                    break
                point -= normal[other]
            after[index] = agents[chosen]
    return after, sum(loyal)


class BeeSlide(NamedTuple):
    values: list  # of the agents' boards after the slide, before recruitment
    n_loyal: int
    best: float  # best value so far
    archive: list


def bee_slides(puzzle, seed, *, n_agents, n_steps, start="archive", n_archived=1000):
    """Run the bee colony on text boards, without end; yields each slide.

    The random words are drawn in the order and number that the kernel documents.
    """
    rows, cols = puzzle.shape
    once = puzzle.params.counting == "board"
    rng = np.random.Generator(np.random.PCG64(seed))
    hive = "".join(puzzle.rows_of(puzzle.start))

    def words(*shape):
        return rng.integers(0, 2**32, size=shape, dtype=np.uint32).astype(object)

    def score(board):
        lines = [board[begin : begin + cols] for begin in range(0, rows * cols, cols)]
        return word_tile_score(lines, puzzle.values, once=once)

    best, archive = score(hive), [hive]
    agents = [(hive, None)] * n_agents
    while True:
        starts, dice = words(n_agents), words(n_steps, 3, n_agents)
        if start == "hive":
            agents = [(hive, None)] * n_agents
        elif start == "archive":
            agents = [(archive[word * len(archive) >> 32], None) for word in starts]
        for step, (slides, loyalties, choices) in enumerate(dice, 1):
            agents = [random_slide(word, *agents[i], cols) for i, word in enumerate(slides)]
            values = [score(board) for board, _ in agents]
            for (board, _), value in zip(agents, values, strict=True):
                if value > best:
                    best, archive = value, [board]
                elif value == best and board not in archive and len(archive) < n_archived:
                    archive.append(board)
            agents, n_loyal = recruit(step, loyalties, choices, agents, values)
            yield BeeSlide(values, n_loyal, best, archive)


def bees(puzzle, seed, iterations, *, n_agents, n_steps, **params):
    """Return (trace rows, the archive in its order) of a bee colony; params: of its slides."""
    trace, archive = [], []
    slides = bee_slides(puzzle, seed, n_agents=n_agents, n_steps=n_steps, **params)
    for _ in range(iterations):
        trip = list(itertools.islice(slides, n_steps))
        met, archive = [value for slide in trip for value in slide.values], trip[-1].archive
        n_loyal = sum(slide.n_loyal for slide in trip) / n_steps
        mean, best = sum(met) / len(met), trip[-1].best
        trace.append((max(met), mean, min(met), best, n_loyal, len(archive)))
    return trace, archive


def least_wrong(letters, string, near, fixed=()):
    """Return the least number of wrong letters of a string along any path.

    fixed: cells in which no letter may be wrong, since it cannot be mended there.
    """

    def cost(cell, symbol):
        if letters[cell] == symbol:
            return 0
        return math.inf if cell in fixed else 1

    costs = [cost(cell, string[0]) for cell in range(len(letters))]
    for symbol in string[1:]:
        costs = [
            min((costs[other] for other in near[cell]), default=math.inf) + cost(cell, symbol)
            for cell in range(len(letters))
        ]
    return min(costs)
