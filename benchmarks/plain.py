"""The work of the kernels in plain Python, in the form that a careful author writes first."""

import heapq
import itertools
import math
import random
import time

from tilelab.letters.builtin import open_lexicon


def neighbours(rows, cols):
    """List the cells around each cell."""
    near = []
    for row, col in itertools.product(range(rows), range(cols)):
        around = itertools.product(range(row - 1, row + 2), range(col - 1, col + 2))
        near.append(
            [
                r * cols + c
                for r, c in around
                if 0 <= r < rows and 0 <= c < cols and (r, c) != (row, col)
            ]
        )
    return near


def prefix_tree(strings):
    """Return a tree of dicts; the key '' marks the end of a string."""
    root = {}
    for string in strings:
        node = root
        for letter in string:
            node = node.setdefault(letter, {})
        node[""] = string
    return root


def list_encoded(grid, tree, near):
    """List the strings that a board encodes, by a walk of the tree with sets of cells."""
    found = []
    places = {}
    for cell, letter in enumerate(grid):
        places.setdefault(letter, set()).add(cell)

    def walk(node, cells):
        for letter, child in node.items():
            if letter == "":
                found.append(child)
                continue
            here = cells & places.get(letter, set())
            if here:
                walk(child, {other for cell in here for other in near[cell]})

    walk(tree, set(range(len(grid))))
    return found


def walk_strings(grid, tree, near):
    """Return the strings of a board whose cells are used once each, path by path."""
    found, used = set(), set()

    def walk(cell, node):
        used.add(cell)
        if "" in node:
            found.add(node[""])
        for other in near[cell]:
            if other not in used and grid[other] in node:
                walk(other, node[grid[other]])
        used.remove(cell)

    for cell, letter in enumerate(grid):
        if letter in tree:
            walk(cell, tree[letter])
    return found


def usage(grid, strings, near):
    """Count the usage of each cell (Schafer 1999, step 5)."""
    counts = [0] * len(grid)
    for string in strings:
        sets = [{cell for cell, letter in enumerate(grid) if letter == string[0]}]
        for wanted in string[1:]:
            reach = {other for cell in sets[-1] for other in near[cell]}
            sets.append({cell for cell in reach if grid[cell] == wanted})
        for position in range(len(string) - 2, -1, -1):
            after = {other for cell in sets[position + 1] for other in near[cell]}
            sets[position] &= after
        for cells in sets:
            for cell in cells:
                counts[cell] += 1
    return counts


def generation(grids, tree, near, alphabet, rng=random, n_parents=15, mutation=20):
    """Breed one generation of Schafer's algorithm; returns (best score, next population)."""
    words = [list_encoded(grid, tree, near) for grid in grids]
    ranking = sorted(range(len(grids)), key=lambda index: -len(words[index]))[:n_parents]
    parents = [(grids[index], usage(grids[index], words[index], near)) for index in ranking]
    children = []
    for (one, one_usage), (two, two_usage) in itertools.combinations(parents, 2):
        child = []
        for cell in range(len(one)):
            if one_usage[cell] == two_usage[cell] == 0:
                child.append(rng.choice(alphabet))
            elif one_usage[cell] == two_usage[cell]:
                child.append(rng.choice((one[cell], two[cell])))
            else:
                child.append(one[cell] if one_usage[cell] > two_usage[cell] else two[cell])
        children.append(child)
    for _ in range(mutation):
        rng.choice(children)[rng.randrange(len(near))] = rng.choice(alphabet)
    return len(words[ranking[0]]), children


def slides(rows, cols):
    """List, for each cell of the blank, the cells whose tile can slide into it."""
    return [
        [
            cell + step
            for step, can in (
                (-cols, cell >= cols),
                (cols, cell < (rows - 1) * cols),
                (-1, cell % cols > 0),
                (1, cell % cols < cols - 1),
            )
            if can
        ]
        for cell in range(rows * cols)
    ]


def word_tile_value(board, cols, words):
    """Count the words in all rows and columns of a board, by a query for every piece of a line."""
    lines = ["".join(board[begin : begin + cols]) for begin in range(0, len(board), cols)]
    lines += ["".join(board[col::cols]) for col in range(cols)]
    return sum(
        len(
            {
                line[begin:end]
                for begin in range(len(line))
                for end in range(begin + 2, len(line) + 1)
            }
            & words
        )
        for line in lines
    )


def word_tile_bees(start, cols, words, near, rng, n_agents=16, n_steps=30):
    """Make one trip of the bee colony (Naz et al. 2016); return the number of boards scored."""
    agents = [(list(start), start.index("."), -1) for _ in range(n_agents)]
    best, archive = -1, []
    for step in range(1, n_steps + 1):
        values = []
        for agent, (board, blank, last) in enumerate(agents):
            after = rng.choice([cell for cell in near[blank] if cell != last])
            board[blank], board[after] = board[after], "."
            agents[agent] = (board, after, blank)
            value = word_tile_value(board, cols, words)
            values.append(value)
            if value > best:
                best, archive = value, [list(board)]
            elif value == best and board not in archive:
                archive.append(list(board))
        low, high = min(values), max(values)
        if low == high:
            continue
        shares = [(value - low) / (high - low) for value in values]
        loyal = [rng.random() < math.exp((share - 1) / step) for share in shares]
        wheel = [share if is_loyal else 0 for share, is_loyal in zip(shares, loyal, strict=True)]
        for agent in range(n_agents):
            if not loyal[agent]:
                board, blank, last = rng.choices(agents, wheel)[0]
                agents[agent] = (list(board), blank, last)
    return n_agents * n_steps


def rate(work, seconds):
    """Run ``work`` (it returns how much it did) for about ``seconds`` of CPU; return the rate."""
    done, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        done += work()
    return done / spent


KORF_1 = (14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3)
"""The first of Korf's hundred boards; its goal has the blank first."""
NEAR = slides(4, 4)
AWAY = [
    [abs(cell // 4 - tile // 4) + abs(cell % 4 - tile % 4) if tile else 0 for cell in range(16)]
    for tile in range(16)
]


def ida_star(seconds):
    """Run plain iterative deepening with the Manhattan distance; return boards a second."""
    tiles, generated = list(KORF_1), 0
    end = (began := time.process_time()) + seconds

    def down(blank, last, depth, estimate, threshold):
        nonlocal generated
        for after in NEAR[blank]:
            if after == last or (generated % 1000 == 0 and time.process_time() > end):
                continue
            tile = tiles[after]
            generated += 1
            value = estimate + AWAY[tile][blank] - AWAY[tile][after]
            if depth + 1 + value > threshold:
                continue
            tiles[blank], tiles[after] = tile, 0
            if value:
                down(after, blank, depth + 1, value, threshold)
            tiles[after], tiles[blank] = tile, 0

    estimate = sum(AWAY[tile][cell] for cell, tile in enumerate(tiles))
    threshold = estimate
    while time.process_time() < end:
        down(tiles.index(0), -1, 0, estimate, threshold)
        threshold += 2
    return generated / (time.process_time() - began)


def a_star(seconds):
    """Run A* with a heap and a dictionary; return boards expanded a second."""
    estimate = sum(AWAY[tile][cell] for cell, tile in enumerate(KORF_1))
    queue, lengths, closed = [(estimate, 0, KORF_1, estimate)], {KORF_1: 0}, set()

    def expand():
        _, length, board, estimate = heapq.heappop(queue)
        if board in closed:
            return 0
        closed.add(board)
        blank = board.index(0)
        for after in NEAR[blank]:
            tile, child = board[after], list(board)
            child[blank], child[after] = tile, 0
            child = tuple(child)
            if length + 1 < lengths.get(child, 10**9):
                lengths[child] = length + 1
                value = estimate + AWAY[tile][blank] - AWAY[tile][after]
                heapq.heappush(queue, (length + 1 + value, length + 1, child, value))
        return 1

    return rate(expand, seconds)


def generations(seconds):
    """Return generations a second of the genetic algorithm on 8×8 with the states of the USA."""
    lexicon, rng = open_lexicon("us-states"), random.Random(1)
    near, tree = neighbours(8, 8), prefix_tree(lexicon.strings)
    grids = [[rng.choice(lexicon.alphabet) for _ in range(64)] for _ in range(105)]

    def breed():
        nonlocal grids
        _, grids = generation(grids, tree, near, lexicon.alphabet, rng)
        return 1

    return rate(breed, seconds)


def bee_trips(seconds):
    """Return iterations a second of the bee colony on 4×4 word tiles, 40,000 words."""
    words, rng, near = set(open_lexicon("english-small").strings), random.Random(1), slides(4, 4)
    board = [*rng.choices("etaoinshrdlu", k=15), "."]

    def fly():
        word_tile_bees(board, 4, words, near, rng)
        return 1

    return rate(fly, seconds)
