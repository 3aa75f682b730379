"""The same work as the kernels in plain Python, as a careful author would first write it."""

import itertools
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
