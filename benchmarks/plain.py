"""The same work as the kernels in plain Python, as a careful author would first write it."""

import itertools
import math
import random


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


def encoded(grid, tree, near):
    """List the strings that a grid encodes, by a walk of the tree with sets of cells."""
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


def walked(grid, tree, near):
    """Return the strings of a grid whose cells are used once each, path by path."""
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
    words = [encoded(grid, tree, near) for grid in grids]
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
    """Count the words in all rows and columns of a board, by asking for every piece of a line."""
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
    """Make one trip of the bee colony (Naz et al. 2016); returns how many boards were scored."""
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
