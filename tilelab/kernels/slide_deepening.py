"""Depth-first search below a threshold on boards of up to 4×4, with everything kept step by step.

Korf 1985, "Depth-first iterative-deepening". The path is a stack of rows, one a depth, so that the
search can pause after any generated board and go on from its arrays alone.
"""

import numpy as np

from tilelab.kernels.compiler import kernel

DEPTH, THRESHOLD, NEXT_THRESHOLD, GENERATED, EXPANDED, ITERATION, BEST = 0, 1, 2, 3, 4, 5, 6
N_SCALARS = 7
BLANK, LAST, TURN, SUM, ROW_PATTERN, COL_PATTERN = 0, 1, 2, 3, 4, 5
N_COLUMNS = 6
FAR = 1_000_000
RUNNING, SOLVED = 0, 1


@kernel
def deepen(
    budget, uses, moves, changes, conflicts, row_walk, col_walk, boards, path, best, scalars
):
    """Generate ``budget`` more boards, or stop at the goal; returns RUNNING or SOLVED.

    uses: (conflicts?, walking distance?, Manhattan distance?), bools; the estimate is the larger
    of the walking distance and of Manhattan distance with conflicts.
    moves, changes: MoveTables, ChangeTables. conflicts: uint8 (4096,), twice a line's removals.
    row_walk, col_walk: (distance, steps, goal line of each tile) of the walking distance.
    boards: uint64 (depths, 3): board, codes of the rows, codes of the columns.
    path: int64 (depths, N_COLUMNS). best: uint64 (1,), the board nearest the goal.
    scalars: int64 (N_SCALARS,); scalars[DEPTH] is the length of the way when solved.
    """
    target, order, n_moves = moves
    distance, row_code, col_code = changes
    uses_conflicts, uses_walking, uses_manhattan = uses
    row_distance, row_steps, row_group = row_walk
    col_distance, col_steps, col_group = col_walk
    cols = np.int64(0)
    while target[cols, 3] >= 0:
        cols += 1
    cols += 1
    depth, threshold, next_threshold = scalars[DEPTH], scalars[THRESHOLD], scalars[NEXT_THRESHOLD]
    generated, expanded = scalars[GENERATED], scalars[EXPANDED]
    end = generated + budget
    line_mask = np.uint64(4095)
    status = RUNNING
    while generated < end:
        blank, turn = path[depth, BLANK], path[depth, TURN]
        last = path[depth, LAST]
        if turn >= n_moves[blank, last]:
            if depth == 0:
                threshold, next_threshold = next_threshold, FAR
                path[0, TURN] = 0
                scalars[ITERATION] += 1
                expanded += 1
            else:
                depth -= 1
            continue
        path[depth, TURN] = turn + 1
        move = order[blank, last, turn]
        after = target[blank, move]
        shift = np.uint64(4 * after)
        tile_bits = (boards[depth, 0] >> shift) & np.uint64(15)
        tile = np.int64(tile_bits)
        generated += 1
        total = path[depth, SUM]
        rows_after, cols_after = boards[depth, 1], boards[depth, 2]
        row_pattern, col_pattern = path[depth, ROW_PATTERN], path[depth, COL_PATTERN]
        estimate = np.int64(0)
        if uses_manhattan:
            total += distance[tile, blank, move]
            if uses_conflicts:
                if move < 2:
                    one = np.uint64(12 * (blank // cols))
                    two = np.uint64(12 * (after // cols))
                    before = np.int64(conflicts[(rows_after >> one) & line_mask])
                    before += np.int64(conflicts[(rows_after >> two) & line_mask])
                    rows_after ^= row_code[tile, blank, move]
                    cols_after ^= col_code[tile, blank, move]
                    total += np.int64(conflicts[(rows_after >> one) & line_mask])
                    total += np.int64(conflicts[(rows_after >> two) & line_mask]) - before
                else:
                    one = np.uint64(12 * (blank % cols))
                    two = np.uint64(12 * (after % cols))
                    before = np.int64(conflicts[(cols_after >> one) & line_mask])
                    before += np.int64(conflicts[(cols_after >> two) & line_mask])
                    rows_after ^= row_code[tile, blank, move]
                    cols_after ^= col_code[tile, blank, move]
                    total += np.int64(conflicts[(cols_after >> one) & line_mask])
                    total += np.int64(conflicts[(cols_after >> two) & line_mask]) - before
            estimate = total
        if uses_walking and depth + 1 + estimate <= threshold:
            if move < 2:
                row_pattern = np.int64(row_steps[row_pattern, move, row_group[tile]])
            else:
                col_pattern = np.int64(col_steps[col_pattern, move - 2, col_group[tile]])
            walked = np.int64(row_distance[row_pattern]) + np.int64(col_distance[col_pattern])
            estimate = max(estimate, walked)
        if depth + 1 + estimate > threshold:
            next_threshold = min(next_threshold, depth + 1 + estimate)
            continue
        board = boards[depth, 0] ^ (tile_bits << shift) ^ (tile_bits << np.uint64(4 * blank))
        depth += 1
        boards[depth, 0] = board
        boards[depth, 1] = rows_after
        boards[depth, 2] = cols_after
        path[depth, BLANK] = after
        path[depth, LAST] = move
        path[depth, TURN] = 0
        path[depth, SUM] = total
        path[depth, ROW_PATTERN] = row_pattern
        path[depth, COL_PATTERN] = col_pattern
        if estimate < scalars[BEST]:
            scalars[BEST] = estimate
            best[0] = board
        if estimate == 0:
            status = SOLVED
            break
        expanded += 1
    scalars[DEPTH], scalars[THRESHOLD], scalars[NEXT_THRESHOLD] = depth, threshold, next_threshold
    scalars[GENERATED], scalars[EXPANDED] = generated, expanded
    return status
