"""One layer of a beam search on sliding tiles: all moves of the best boards, and the best of those.

Tiles of the stage at hand count fully, with their linear conflicts; the others count a little, so
that they come nearer on the way.
"""

import numpy as np

from tilelab.kernels.compiler import kernel
from tilelab.kernels.slide_distance import line_removals

STAGE, CONFLICTS, REST, BLANK, LAST = 0, 1, 2, 3, 4
N_FACTS = 5


@kernel
def way_to_work(cells, places, counts, cols, blank):
    """How far the blank is from the nearest counted tile that is not at home; 0 when all are."""
    nearest = cells.shape[0]
    for cell in range(cells.shape[0]):
        tile = cells[cell]
        if tile and counts[tile] and places[tile] != cell:
            way = abs(cell // cols - blank // cols) + abs(cell % cols - blank % cols)
            nearest = min(nearest, way)
    return 0 if nearest == cells.shape[0] else nearest


@kernel
def board_facts(cells, places, counts, counted_places, cols, facts):
    """Fill int64 (N_FACTS,): the stage's distance and conflicts, the rest's distance, the blank."""
    n_cells = cells.shape[0]
    rows = n_cells // cols
    homes, longest = np.empty(max(rows, cols), np.int64), np.empty(max(rows, cols), np.int64)
    facts[:] = 0
    facts[LAST] = -1
    for cell in range(n_cells):
        tile = cells[cell]
        if tile == 0:
            facts[BLANK] = cell
            continue
        place = places[tile]
        way = abs(cell // cols - place // cols) + abs(cell % cols - place % cols)
        facts[STAGE if counts[tile] else REST] += way
    for axis in range(2):
        for line in range(rows if axis == 0 else cols):
            facts[CONFLICTS] += line_removals(
                cells, counted_places, cols, axis, line, homes, longest
            )


@kernel
def next_layer(
    n_now, width, weights, target, places, counts, counted_places, cols, zobrist, boards, codes,
    facts, met, room, next_boards, next_codes, next_facts, parents, moves,
):  # fmt: skip
    """Make the next layer; returns (its number of boards, the place of a board that is done or -1).

    n_now: boards in this layer. width: at most so many in the next.
    weights: int64 (3,), of the stage, of the rest, of the blank's way to the stage's tiles.
    target: int64 (cells, 4), the blank's next cell by move, or -1; a cell that must not change is
    nobody's target.
    counts: bool (tiles,), the tiles of the stage. counted_places: places, -1 for all other tiles.
    boards: uint8 (width, cells), codes: uint64 (width,), facts: int32 (width, N_FACTS); next_…
    likewise. met: uint64 (2 ** k,), codes met lately, the newest at each place.
    room: int32 (4 * width, 5): parent, move, stage, conflicts, rest of every child.
    parents: int32 (width,), moves: int8 (width,): how each board of the next layer was come by.
    """
    n_cells = boards.shape[1]
    mask = np.uint64(met.shape[0] - 1)
    longest_line = max(n_cells // cols, cols)
    homes, longest = np.empty(longest_line, np.int64), np.empty(longest_line, np.int64)
    child_codes = np.empty(4 * width, np.uint64)
    scores = np.empty(4 * width, np.int64)
    n_children, lowest, highest = 0, np.int64(2**62), np.int64(0)
    for node in range(n_now):
        cells = boards[node]
        blank, last = np.int64(facts[node, BLANK]), facts[node, LAST]
        for move in range(4):
            after = target[blank, move]
            if after < 0 or (last >= 0 and (last ^ 1) == move):
                continue
            tile = np.int64(cells[after])
            code = codes[node] ^ zobrist[tile, after] ^ zobrist[tile, blank]
            code ^= zobrist[0, blank] ^ zobrist[0, after]
            slot = (code >> np.uint64(17)) & mask
            if met[slot] == code:
                continue
            met[slot] = code
            place = places[tile]
            change = abs(blank // cols - place // cols) + abs(blank % cols - place % cols)
            change -= abs(after // cols - place // cols) + abs(after % cols - place % cols)
            stage, rest = np.int64(facts[node, STAGE]), np.int64(facts[node, REST])
            conflicts = np.int64(facts[node, CONFLICTS])
            if counts[tile]:
                stage += change
                axis = 0 if move < 2 else 1
                one = blank // cols if axis == 0 else blank % cols
                two = after // cols if axis == 0 else after % cols
                for line in (one, two):
                    conflicts -= line_removals(
                        cells, counted_places, cols, axis, line, homes, longest
                    )
                cells[blank], cells[after] = cells[after], np.uint8(0)
                for line in (one, two):
                    conflicts += line_removals(
                        cells, counted_places, cols, axis, line, homes, longest
                    )
                cells[after], cells[blank] = cells[blank], np.uint8(0)
            else:
                rest += change
            score = weights[0] * (stage + 2 * conflicts) + weights[1] * rest
            if weights[2]:
                # The cell that the blank comes from holds the moved tile now; that is near enough.
                score += weights[2] * way_to_work(cells, places, counts, cols, after)
            room[n_children, 0], room[n_children, 1] = node, move
            room[n_children, 2], room[n_children, 3] = stage, conflicts
            room[n_children, 4] = rest
            child_codes[n_children], scores[n_children] = code, score
            lowest, highest = min(lowest, score), max(highest, score)
            n_children += 1
    if n_children == 0:
        return 0, -1
    ends = np.zeros(highest - lowest + 2, np.int64)
    for child in range(n_children):
        ends[scores[child] - lowest + 1] += 1
    for score in range(1, ends.shape[0]):
        ends[score] += ends[score - 1]
    n_next, done = min(n_children, width), -1
    for child in range(n_children):
        # A counting sort: the best first, equals in the order in which they were met.
        place = ends[scores[child] - lowest]
        ends[scores[child] - lowest] += 1
        if place >= width:
            continue
        node, move = room[child, 0], room[child, 1]
        blank = np.int64(facts[node, BLANK])
        after = target[blank, move]
        for cell in range(n_cells):
            next_boards[place, cell] = boards[node, cell]
        next_boards[place, blank] = boards[node, after]
        next_boards[place, after] = 0
        next_codes[place] = child_codes[child]
        next_facts[place, STAGE], next_facts[place, CONFLICTS] = room[child, 2], room[child, 3]
        next_facts[place, REST] = room[child, 4]
        next_facts[place, BLANK], next_facts[place, LAST] = after, move
        parents[place], moves[place] = node, move
        if room[child, 2] == 0 and (done < 0 or place < done):
            done = place
    return n_next, done
