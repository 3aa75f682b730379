"""One layer of a beam search on sliding tiles: all moves of the best boards, and the best results.

A layer is made in parts, so that steps are short even if it is as wide as memory allows. First
``expand_whole`` or ``expand_line`` expands some boards at a time. Then ``sort_children`` sorts the
results, and ``keep_children`` makes some boards of the next layer at a time.

If the goal is a whole board, boards are ranked by Manhattan distance, linear conflicts and
inversions. A slide along a column jumps over the tiles of nearly a row. Inversions in reading order
therefore cost moves that the distance does not include ("inversion distance", Takahashi 2001). If
the goal is one outer line, its tiles have the largest weight, the others a small one, and the blank
stays near.

With tables of blocks, which are 2×2 squares and 1×4 lines of the goal, the excess of each block
replaces the conflicts: the moves that its four tiles need beyond their distance (a pattern
database, Culberson & Schaeffer 1998). Blocks overlap, so that the sum is no bound. Tiles whose
goals are far from the blank's goal weigh more, which solves a large board from outside without a
stage for each line.
"""

import numpy as np

from tilelab.kernels.decorators import kernel, part, tuple_kernel
from tilelab.slides.kernels.line_conflicts import line_removals

BLANK, LAST, DISTANCE, CONFLICTS, REST, ROW_INVERSIONS, COL_INVERSIONS = 0, 1, 2, 3, 4, 5, 6
N_FACTS = 7
N_CHILDREN, LOWEST, HIGHEST, DONE, NEAREST, MIN_DISTANCE = 0, 1, 2, 3, 4, 5
N_MARKS = 6
"""State of the next layer: number of children, lowest and highest score, place of a board at the
goal or -1, place of the board with the shortest distance, and that distance."""
FAR = 2**31 - 1
_WHOLE_CONFLICT, _WHOLE_INVERSION = 4, 2
"""Weights found by trial on ten boards each of 5×5, 6×6 and 8×8; 2 and 0 give 8 % longer paths."""
_LINE_DISTANCE = 2


@kernel
def inversions(cells, places, cols, axis):
    """Count the pairs of tiles in the wrong order; axis: 0 reads by rows, 1 reads by columns."""
    n_cells = cells.shape[0]
    rows = n_cells // cols
    homes = np.empty(n_cells, np.int64)
    n_tiles, count = 0, 0
    for index in range(n_cells):
        tile = cells[index if axis == 0 else index % rows * cols + index // rows]
        if tile:
            home = places[tile]
            homes[n_tiles] = home if axis == 0 else home % cols * rows + home // cols
            for earlier in range(n_tiles):
                count += homes[earlier] > homes[n_tiles]
            n_tiles += 1
    return count


@kernel
def board_facts(cells, places, counts, cols, facts):
    """Compute the facts of a board; facts: int32 (N_FACTS,), overwritten.

    counts: bool (tiles,), whether a tile belongs to the goal. Inversions are of all tiles.
    """
    n_cells = cells.shape[0]
    rows = n_cells // cols
    counted_places = np.empty(places.shape[0], np.int64)
    for tile in range(places.shape[0]):
        counted_places[tile] = places[tile] if counts[tile] else -1
    homes, lengths = np.empty(max(rows, cols), np.int64), np.empty(max(rows, cols), np.int64)
    facts[:] = 0
    facts[LAST] = -1
    for cell in range(n_cells):
        tile = cells[cell]
        if tile == 0:
            facts[BLANK] = cell
            continue
        place = places[tile]
        distance = abs(cell // cols - place // cols) + abs(cell % cols - place % cols)
        facts[DISTANCE if counts[tile] else REST] += distance
    for axis in range(2):
        for line in range(rows if axis == 0 else cols):
            facts[CONFLICTS] += line_removals(
                cells, counted_places, cols, axis, line, homes, lengths
            )
    facts[ROW_INVERSIONS] = inversions(cells, places, cols, 0)
    facts[COL_INVERSIONS] = inversions(cells, places, cols, 1)


@kernel
def jumped(cells, place, places, cols, blank, after):
    """Return the change in the number of inversions when a tile slides.

    place: the tile's goal cell. The tile moves from ``after`` to ``blank`` along a row or column.
    """
    rows = cells.shape[0] // cols
    count = 0
    if abs(blank - after) == cols:
        for cell in range(min(blank, after) + 1, max(blank, after)):
            count += 1 if places[cells[cell]] < place else -1
        return count if after > blank else -count
    left, right, row = min(blank, after) % cols, max(blank, after) % cols, blank // cols
    home = place % cols * rows + place // cols
    for step in range(1, rows):
        here = row + step
        cell = here * cols + left if here < rows else (here - rows) * cols + right
        other = places[cells[cell]]
        count += 1 if other % cols * rows + other // cols < home else -1
    return count if after > blank else -count


@kernel
def changed_conflicts(cells, counted_places, cols, blank, after, homes, lengths):
    """Return the change in conflicts by a move; only the goal line of the moved tile can change."""
    place = counted_places[cells[after]]
    axis = 0 if abs(blank - after) == cols else 1
    home = place // cols if axis == 0 else place % cols
    one = blank // cols if axis == 0 else blank % cols
    two = after // cols if axis == 0 else after % cols
    if home != one and home != two:
        return 0
    change = -line_removals(cells, counted_places, cols, axis, home, homes, lengths)
    cells[blank], cells[after] = cells[after], np.uint8(0)
    change += line_removals(cells, counted_places, cols, axis, home, homes, lengths)
    cells[after], cells[blank] = cells[blank], np.uint8(0)
    return change


@kernel
def expand_whole(
    first, last, moves_left, target, places, cols, zobrist, layer, visited, room, marks
):
    """Add the children of some boards when the goal is a whole board.

    first, last: range of the boards; last is excluded. moves_left: children that certainly need
    more moves are left out.
    target: int64 (cells, 4), next cell of the blank by move, or -1. places: int64 (tiles,), goal
    cell of each tile.
    layer: (boards uint8 (width, cells), codes uint64 (width,), facts int32 (width, N_FACTS)).
    visited: uint64 (2 ** k,), codes of boards visited recently, the newest in each slot.
    room: (children int32 (4 * width, 2 + N_FACTS): parent, score, facts; their codes uint64).
    marks: int64 (N_MARKS,).
    """
    boards, codes, facts = layer
    children, child_codes = room
    rows = boards.shape[1] // cols
    mask = np.uint64(visited.shape[0] - 1)
    homes, lengths = np.empty(max(rows, cols), np.int64), np.empty(max(rows, cols), np.int64)
    scale = (rows - 1) * (cols - 1)
    n_children = marks[N_CHILDREN]
    for node in range(first, last):
        cells = boards[node]
        blank, last_move = np.int64(facts[node, BLANK]), facts[node, LAST]
        for move in range(4):
            after = target[blank, move]
            if after < 0 or (last_move >= 0 and (last_move ^ 1) == move):
                continue
            tile = np.int64(cells[after])
            code = codes[node] ^ zobrist[tile, after] ^ zobrist[tile, blank]
            code ^= zobrist[0, blank] ^ zobrist[0, after]
            slot = (code >> np.uint64(17)) & mask
            if visited[slot] == code:
                continue
            place = places[tile]
            distance = np.int64(facts[node, DISTANCE])
            distance += abs(blank // cols - place // cols) + abs(blank % cols - place % cols)
            distance -= abs(after // cols - place // cols) + abs(after % cols - place % cols)
            conflicts = facts[node, CONFLICTS] + changed_conflicts(
                cells, places, cols, blank, after, homes, lengths
            )
            if distance + 2 * conflicts > moves_left:
                continue
            visited[slot] = code
            row_inversions = np.int64(facts[node, ROW_INVERSIONS])
            col_inversions = np.int64(facts[node, COL_INVERSIONS])
            change = jumped(cells, place, places, cols, blank, after)
            if move < 2:
                row_inversions += change
            else:
                col_inversions += change
            score = distance + _WHOLE_CONFLICT * conflicts
            weighed = row_inversions * (rows - 1) + col_inversions * (cols - 1)
            score += _WHOLE_INVERSION * weighed // scale
            children[n_children, 0], children[n_children, 1] = node, score
            child = children[n_children, 2:]
            child[BLANK], child[LAST], child[DISTANCE] = after, move, distance
            child[CONFLICTS], child[REST] = conflicts, 0
            child[ROW_INVERSIONS], child[COL_INVERSIONS] = row_inversions, col_inversions
            child_codes[n_children] = code
            marks[LOWEST] = min(marks[LOWEST], score)
            marks[HIGHEST] = max(marks[HIGHEST], score)
            n_children += 1
    marks[N_CHILDREN] = n_children


@kernel
def excess_of(cells, places, blocks):
    """Return the sum of the excess of all blocks without the blank; blocks: see expand_blocks."""
    tables, goals, digits, of_cell, _ = blocks
    here = np.empty(cells.shape[0], np.int64)
    for cell in range(cells.shape[0]):
        here[places[cells[cell]]] = cell
    total = 0
    for goal in range(cells.shape[0]):
        for place in range(of_cell.shape[1]):
            block = of_cell[goal, place]
            if block >= 0 and goals[block, 0] == goal:
                index = 0
                for corner in range(4):
                    index += digits[block, corner, here[goals[block, corner]]]
                total += tables[index]
    return total


@part
def changed_excess(here, place, blank, tables, goals, digits, of_cell, corner_of):
    """Return the change in the excess when the tile with goal cell ``place`` slides into the blank.

    here: int64 (cells,), current cell of the tile of each goal cell.
    """
    change = 0
    for number in range(of_cell.shape[1]):
        block = of_cell[place, number]
        if block < 0:
            break
        index = digits[block, 0, here[goals[block, 0]]]
        index += digits[block, 1, here[goals[block, 1]]]
        index += digits[block, 2, here[goals[block, 2]]]
        index += digits[block, 3, here[goals[block, 3]]]
        corner = corner_of[place, number]
        index_after = index + digits[block, corner, blank] - digits[block, corner, here[place]]
        change += np.int64(tables[index_after]) - tables[index]
    return change


@part
def overtaken(cells, homes, tile, blank, after, rows, cols):
    """Return the change in the number of inversions, as ``jumped`` does.

    homes: int64 (tiles,), place of each tile in the goal, by rows for a slide along a column, and
    by columns for a slide along a row.
    """
    first, second, home, count = min(blank, after), max(blank, after), homes[tile], 0
    if second - first == cols:
        for cell in range(first + 1, second):
            count += 2 * np.int64(homes[cells[cell]] < home) - 1
    else:
        for cell in range(first + cols, rows * cols, cols):
            count += 2 * np.int64(homes[cells[cell]] < home) - 1
        for cell in range(second - cols, -1, -cols):
            count += 2 * np.int64(homes[cells[cell]] < home) - 1
    return count if after > blank else -count


@tuple_kernel
def expand_blocks(
    first, last, moves_left, target, places, cols, work, blocks, zobrist, layer, visited, room,
    marks,
):  # fmt: skip
    """Add the children of some boards when the goal is a whole board with tables of blocks.

    The arguments are as in ``expand_whole``; the excess is in the place of conflicts.
    blocks: tables uint8; goal cells of each block, int32 (blocks, 4); digits int32 (blocks, 4,
    cells), whose sum over the cells of a block's tiles is their place in the tables. Then the
    blocks of each goal cell without those of the blank's goal, int32 (cells, most blocks of a
    cell), where -1 pads, and the place of the cell among the goals of these blocks, likewise.
    work: int64 arrays. A working array (cells,); the goal cell of each tile by columns (tiles,);
    the weight of its distance (tiles,); its distance from each cell (tiles, cells); the weights of
    an inversion and of a move of the excess (2,).
    """
    boards, codes, facts = layer
    children, child_codes = room
    tables, goals, digits, of_cell, corner_of = blocks
    n_cells = boards.shape[1]
    rows = n_cells // cols
    mask = np.uint64(visited.shape[0] - 1)
    scale = max(rows - 1, 1) * max(cols - 1, 1)
    here, col_homes, weights, apart, other_weights = work
    inversion_weight, excess_weight = other_weights
    n_children = marks[N_CHILDREN]
    for node in range(first, last):
        cells = boards[node]
        weighted = 0
        for cell in range(n_cells):
            tile = cells[cell]
            here[places[tile]] = cell
            weighted += apart[tile, cell] * weights[tile]
        blank, last_move = np.int64(facts[node, BLANK]), facts[node, LAST]
        for move in range(4):
            after = target[blank, move]
            if after < 0 or (last_move >= 0 and (last_move ^ 1) == move):
                continue
            tile = np.int64(cells[after])
            code = codes[node] ^ zobrist[tile, after] ^ zobrist[tile, blank]
            code ^= zobrist[0, blank] ^ zobrist[0, after]
            slot = (code >> np.uint64(17)) & mask
            if visited[slot] == code:
                continue
            change = apart[tile, blank] - apart[tile, after]
            distance = facts[node, DISTANCE] + change
            if distance > moves_left:
                continue
            visited[slot] = code
            excess = facts[node, CONFLICTS] + changed_excess(
                here, places[tile], blank, tables, goals, digits, of_cell, corner_of
            )
            row_inversions = np.int64(facts[node, ROW_INVERSIONS])
            col_inversions = np.int64(facts[node, COL_INVERSIONS])
            if move < 2:
                row_inversions += overtaken(cells, places, tile, blank, after, rows, cols)
            else:
                col_inversions += overtaken(cells, col_homes, tile, blank, after, rows, cols)
            score = weighted + change * weights[tile] + excess_weight * excess
            weighed = row_inversions * (rows - 1) + col_inversions * (cols - 1)
            score += inversion_weight * weighed // scale
            children[n_children, 0], children[n_children, 1] = node, score
            child = children[n_children, 2:]
            child[BLANK], child[LAST], child[DISTANCE] = after, move, distance
            child[CONFLICTS], child[REST] = excess, 0
            child[ROW_INVERSIONS], child[COL_INVERSIONS] = row_inversions, col_inversions
            child_codes[n_children] = code
            marks[LOWEST] = min(marks[LOWEST], score)
            marks[HIGHEST] = max(marks[HIGHEST], score)
            n_children += 1
    marks[N_CHILDREN] = n_children


@kernel
def expand_line(
    first, last, moves_left, target, places, counted_places, cols, zobrist, layer, visited, room,
    marks,
):  # fmt: skip
    """Add the children of some boards when the goal is one line.

    The arguments are as in ``expand_whole``. counted_places: int64 (tiles,), goal cell of each tile
    that belongs to the line, -1 for all others.
    """
    boards, codes, facts = layer
    children, child_codes = room
    n_cells = boards.shape[1]
    rows = n_cells // cols
    mask = np.uint64(visited.shape[0] - 1)
    homes, lengths = np.empty(max(rows, cols), np.int64), np.empty(max(rows, cols), np.int64)
    work = np.empty(n_cells, np.int64)
    n_children = marks[N_CHILDREN]
    for node in range(first, last):
        cells = boards[node]
        n_work = 0
        for cell in range(n_cells):
            place = counted_places[cells[cell]]
            if place >= 0 and place != cell:
                work[n_work] = cell
                n_work += 1
        blank, last_move = np.int64(facts[node, BLANK]), facts[node, LAST]
        for move in range(4):
            after = target[blank, move]
            if after < 0 or (last_move >= 0 and (last_move ^ 1) == move):
                continue
            tile = np.int64(cells[after])
            code = codes[node] ^ zobrist[tile, after] ^ zobrist[tile, blank]
            code ^= zobrist[0, blank] ^ zobrist[0, after]
            slot = (code >> np.uint64(17)) & mask
            if visited[slot] == code:
                continue
            place = places[tile]
            change = abs(blank // cols - place // cols) + abs(blank % cols - place % cols)
            change -= abs(after // cols - place // cols) + abs(after % cols - place % cols)
            distance, rest = np.int64(facts[node, DISTANCE]), np.int64(facts[node, REST])
            conflicts = np.int64(facts[node, CONFLICTS])
            if counted_places[tile] >= 0:
                distance += change
                conflicts += changed_conflicts(
                    cells, counted_places, cols, blank, after, homes, lengths
                )
            else:
                rest += change
            if distance + rest + 2 * conflicts > moves_left:
                continue
            visited[slot] = code
            # The moved tile is still counted in its previous cell; this is accurate enough.
            nearest = n_cells if n_work else 0
            for index in range(n_work):
                cell = work[index]
                apart = abs(cell // cols - after // cols) + abs(cell % cols - after % cols)
                nearest = min(nearest, apart)
            score = _LINE_DISTANCE * (distance + 2 * conflicts) + rest + nearest
            children[n_children, 0], children[n_children, 1] = node, score
            child = children[n_children, 2:]
            child[BLANK], child[LAST], child[DISTANCE] = after, move, distance
            child[CONFLICTS], child[REST] = conflicts, rest
            child[ROW_INVERSIONS], child[COL_INVERSIONS] = 0, 0
            child_codes[n_children] = code
            marks[LOWEST] = min(marks[LOWEST], score)
            marks[HIGHEST] = max(marks[HIGHEST], score)
            n_children += 1
    marks[N_CHILDREN] = n_children


@kernel
def sort_children(children, marks, order):
    """Fill ``order``, int32 (k,), with the best children, best first; ties keep their order."""
    lowest = marks[LOWEST]
    ends = np.zeros(marks[HIGHEST] - lowest + 2, np.int64)
    for child in range(marks[N_CHILDREN]):
        ends[children[child, 1] - lowest + 1] += 1
    for score in range(1, ends.shape[0]):
        ends[score] += ends[score - 1]
    for child in range(marks[N_CHILDREN]):
        score = children[child, 1] - lowest
        place = ends[score]
        ends[score] = place + 1
        if place < order.shape[0]:
            order[place] = child


@kernel
def choose_children(children, marks, order):
    """Fill ``order``, int32 (k,), with the best children in the order of their generation.

    Parents are then read from one end of the memory to the other, which is faster than best first.
    """
    lowest, n_left = marks[LOWEST], order.shape[0]
    counts = np.zeros(marks[HIGHEST] - lowest + 1, np.int64)
    for child in range(marks[N_CHILDREN]):
        counts[children[child, 1] - lowest] += 1
    score = 0
    while score < counts.shape[0] and counts[score] <= n_left:
        n_left -= counts[score]
        score += 1
    place = 0
    for child in range(marks[N_CHILDREN]):
        above = children[child, 1] - lowest - score
        if above > 0 or (above == 0 and n_left == 0):
            continue
        n_left -= above == 0
        order[place] = child
        place += 1


@kernel
def keep_children(first, last, order, target, layer, room, next_layer, parents, moves, marks):
    """Make some boards of the next layer.

    first, last: range of their places; last is excluded. order: from ``sort_children``. layer, room
    and marks are as in ``expand_whole``, next_layer as ``layer``. parents: int32 (k,), parent of
    each board of the next layer. moves: int8 (k,), the move from the parent.
    """
    boards, _, facts = layer
    next_boards, next_codes, next_facts = next_layer
    children, child_codes = room
    for place in range(first, last):
        child = order[place]
        node, move = children[child, 0], children[child, 2 + LAST]
        blank, after = facts[node, BLANK], children[child, 2 + BLANK]
        for cell in range(boards.shape[1]):
            next_boards[place, cell] = boards[node, cell]
        next_boards[place, blank] = boards[node, after]
        next_boards[place, after] = 0
        next_codes[place] = child_codes[child]
        for fact in range(N_FACTS):
            next_facts[place, fact] = children[child, 2 + fact]
        parents[place], moves[place] = node, move
        if next_facts[place, DISTANCE] == 0 and marks[DONE] < 0:
            marks[DONE] = place
        distance = np.int64(next_facts[place, DISTANCE]) + next_facts[place, REST]
        if distance < marks[MIN_DISTANCE]:
            marks[MIN_DISTANCE], marks[NEAREST] = distance, place
