"""Searches on word tiles that move from a board to a neighbour, by a slide or by a swap.

All boards that they visit can be reached from the first board by slides. The caller draws a random
64-bit word for each move. These arguments are common:

* target: int64 (cells, 4), next cell of the blank by move, or -1. words: the tuple described in
  :mod:`tilelab.puzzles.wordtiles.kernels.scores`.
* cells: uint8 (cells,), the current board. best_cells: uint8 (cells,), the best board found.
  numbers: float64 (N_NUMBERS,), values and counts. They are updated.
"""

import numpy as np

from tilelab.kernels.arrays import copy_into
from tilelab.kernels.decorators import kernel
from tilelab.kernels.random_words import below, fraction, next_word
from tilelab.puzzles.wordtiles.kernels.scores import new_scratch, rescore, score_board

VALUE, BEST_VALUE, BLOCK_BEST, ACCEPTED, FORBIDDEN, SCORED = range(6)
"""Places in ``numbers``: the current value, the best ever and the best of the last call; moves that
the call has accepted, and that its tabu list has forbidden; boards that it has scored."""
N_NUMBERS = 6


@kernel
def store_value(value, cells, best_cells, numbers):
    """Store the value of the current board, and the board if it is the best."""
    numbers[VALUE] = value
    numbers[BLOCK_BEST] = max(numbers[BLOCK_BEST], value)
    if value > numbers[BEST_VALUE]:
        numbers[BEST_VALUE] = value
        copy_into(best_cells, cells)


@kernel
def begin(cells, words, scratch, lines, best_cells, numbers):
    """Score the board from which a call continues; lines: see :func:`score_board`."""
    numbers[BLOCK_BEST], numbers[ACCEPTED] = -np.inf, 0.0
    numbers[FORBIDDEN], numbers[SCORED] = 0.0, 0.0
    store_value(score_board(cells, words, scratch, lines), cells, best_cells, numbers)


@kernel
def blank_of(cells):
    """Return the blank's cell."""
    cell = 0
    while cells[cell] != 0:
        cell += 1
    return cell


@kernel
def keeps(word, change, temperature):
    """Return whether the Metropolis rule accepts a change; word: the move's random word."""
    if change >= 0.0:
        return True
    if temperature <= 0.0:
        return False
    _, drawn = next_word(~word)
    return fraction(drawn) < np.exp(change / temperature)


@kernel
def drawn_slide(word, blank, last, target):
    """Choose a random slide, not straight back; last: last move, or -1."""
    back = last ^ 1 if last >= 0 else -1
    n_moves = 0
    for move in range(4):
        if target[blank, move] >= 0 and move != back:
            n_moves += 1
    _, drawn = next_word(word)
    left = below(drawn, n_moves)
    chosen = -1
    for move in range(4):
        if target[blank, move] >= 0 and move != back:
            if left == 0:
                chosen = move
            left -= 1
    return chosen


@kernel
def shuffle(word, cols, cells):
    """Put the tiles into random cells such that slides lead there; word: a random word."""
    start = blank_of(cells)
    is_odd = False
    for place in range(cells.shape[0] - 1, 0, -1):
        word, drawn = next_word(word)
        other = below(drawn, place + 1)
        if other != place:
            cells[place], cells[other] = cells[other], cells[place]
            is_odd = not is_odd
    blank = blank_of(cells)
    distance = abs(start // cols - blank // cols) + abs(start % cols - blank % cols)
    if is_odd != (distance % 2 == 1):
        one = 0 if blank > 1 else 2
        cells[one], cells[one + 1] = cells[one + 1], cells[one]


@kernel
def slide_walk(
    dice, temperatures, trip, patience, n_idle, target, words, cells, best_cells, numbers
):
    """Move from board to board by short sequences of random slides, never straight back.

    A slide changes two or three lines, so that nearly every slide reduces the value. A move is
    therefore a sequence of slides, and its result is the best board of the sequence, or the last of
    the best. The Metropolis rule accepts it, or the next sequence starts from the same board.

    dice: uint64 (slides,), random. temperatures: float64 (slides,), in units of the value. At 0,
    moves that reduce the value are refused; at infinity, all moves are accepted. trip: number of
    slides in a sequence. patience: number of slides without improvement before a restart with tiles
    in random cells. n_idle: number of slides without improvement so far.
    Returns (slides without improvement, number of restarts).
    """
    scratch = new_scratch(words)
    lines = np.empty(words[5][0] + words[5][1])
    begin(cells, words, scratch, lines, best_cells, numbers)
    home, home_lines, home_blank = cells.copy(), lines.copy(), blank_of(cells)
    top, top_lines, top_blank = cells.copy(), lines.copy(), home_blank
    home_value, top_value = numbers[VALUE], -np.inf
    blank, last, n_done, n_shuffles = home_blank, -1, 0, 0
    for index in range(dice.shape[0]):
        move = drawn_slide(dice[index], blank, last, target)
        after = target[blank, move]
        cells[blank], cells[after] = cells[after], np.uint8(0)
        value = rescore(cells, blank, after, words, scratch, lines)
        blank, last = after, move
        store_value(value, cells, best_cells, numbers)
        if value >= top_value:
            copy_into(top, cells)
            copy_into(top_lines, lines)
            top_blank, top_value = blank, value
        n_done += 1
        if n_done < trip and index + 1 < dice.shape[0]:
            continue
        n_idle = 0 if top_value > home_value else n_idle + n_done
        if keeps(dice[index], top_value - home_value, temperatures[index]):
            copy_into(home, top)
            copy_into(home_lines, top_lines)
            home_blank, home_value = top_blank, top_value
            numbers[ACCEPTED] += n_done
        if n_idle >= patience:
            shuffle(dice[index], words[5][1], home)
            home_value = score_board(home, words, scratch, home_lines)
            store_value(home_value, home, best_cells, numbers)
            numbers[SCORED] += 1.0
            home_blank = blank_of(home)
            n_idle, n_shuffles = 0, n_shuffles + 1
        copy_into(cells, home)
        copy_into(lines, home_lines)
        blank = home_blank
        last, n_done, top_value = -1, 0, -np.inf
    numbers[VALUE] = home_value
    numbers[SCORED] += dice.shape[0]
    return n_idle, n_shuffles


@kernel
def draw_swap(word, any_swap, cols, cells, chosen):
    """Choose cells whose tiles are exchanged; returns their number, 0 for no move.

    If some letters are equal (``any_swap``), slides can reach the board after every swap. Otherwise
    they cannot reach it after a swap of two tiles, so that three tiles are exchanged in a cycle.
    The blank is exchanged with tiles at an odd distance. chosen: int64 (3,), overwritten.
    """
    n_cells = cells.shape[0]
    for place in range(3):
        word, drawn = next_word(word)
        chosen[place] = below(drawn, n_cells)
    one, other, third = chosen
    if cells[one] == cells[other]:
        return 0
    if any_swap:
        return 2
    if cells[one] == 0 or cells[other] == 0:
        distance = abs(one // cols - other // cols) + abs(one % cols - other % cols)
        return 2 if distance % 2 == 1 else 0
    return 0 if third in (one, other) or cells[third] == 0 else 3


@kernel
def turn(n_chosen, chosen, cells):
    """Move the tile of each chosen cell into the next one, and that of the last into the first."""
    last = cells[chosen[n_chosen - 1]]
    for place in range(n_chosen - 1, 0, -1):
        cells[chosen[place]] = cells[chosen[place - 1]]
    cells[chosen[0]] = last


@kernel
def swap_walk(dice, temperatures, any_swap, words, cells, best_cells, numbers):
    """Try a swap for each random word, and accept or refuse it by the Metropolis rule.

    dice, temperatures: see :func:`slide_walk`, for swaps. any_swap: see :func:`draw_swap`.
    """
    cols = words[5][1]
    scratch, chosen = new_scratch(words), np.empty(3, np.int64)
    lines = np.empty(words[5][0] + cols)
    begin(cells, words, scratch, lines, best_cells, numbers)
    before = lines.copy()
    for index in range(dice.shape[0]):
        n_chosen = draw_swap(dice[index], any_swap, cols, cells, chosen)
        if n_chosen == 0:
            continue
        turn(n_chosen, chosen, cells)
        value = rescore(cells, chosen[0], chosen[1], words, scratch, lines)
        if n_chosen == 3:
            value = rescore(cells, chosen[2], chosen[2], words, scratch, lines)
        numbers[SCORED] += 1.0
        if keeps(dice[index], value - numbers[VALUE], temperatures[index]):
            copy_into(before, lines)
            numbers[ACCEPTED] += 1.0
            store_value(value, cells, best_cells, numbers)
        else:
            for _ in range(n_chosen - 1):
                turn(n_chosen, chosen, cells)
            copy_into(lines, before)


@kernel
def tabu_slides(dice, first_step, tenure, until, target, words, cells, best_cells, numbers):
    """In each step, make the best slide, even if it reduces the value (Glover 1989).

    A letter that has left a cell may not return for ``tenure`` to 2 * ``tenure`` steps, unless the
    value is then the highest so far. If all slides are forbidden, the one that is allowed first is
    made. Ties are broken at random.

    dice: uint64 (steps,), random. first_step: number of the first step of this call.
    until: int64 (cells, letters + 1), changed in place: number of the first step in which a letter
    may return to a cell.
    """
    scratch = new_scratch(words)
    lines = np.empty(words[5][0] + words[5][1])
    begin(cells, words, scratch, lines, best_cells, numbers)
    before, chosen_lines = lines.copy(), lines.copy()
    blank = blank_of(cells)
    for index in range(dice.shape[0]):
        step = first_step + index
        word = dice[index]
        chosen, chosen_value, chosen_wait, n_equal = -1, 0.0, np.int64(0), 0
        for move in range(4):
            after = target[blank, move]
            if after < 0:
                continue
            tile = cells[after]
            cells[blank], cells[after] = tile, np.uint8(0)
            value = rescore(cells, blank, after, words, scratch, lines)
            cells[after], cells[blank] = tile, np.uint8(0)
            numbers[SCORED] += 1.0
            wait = max(until[blank, tile] - step, np.int64(0))
            if wait > 0 and value > numbers[BEST_VALUE]:
                wait = np.int64(0)
            numbers[FORBIDDEN] += 1.0 if wait > 0 else 0.0
            is_better = chosen < 0 or wait < chosen_wait
            is_equal = False
            if chosen >= 0 and wait == chosen_wait:
                is_better, is_equal = value > chosen_value, value == chosen_value
            if is_equal:
                n_equal += 1
                word, drawn = next_word(word)
                is_better = below(drawn, n_equal) == 0
            elif is_better:
                n_equal = 1
            if is_better:
                chosen, chosen_value, chosen_wait = move, value, wait
                copy_into(chosen_lines, lines)
            copy_into(lines, before)
        after = target[blank, chosen]
        word, drawn = next_word(~word)
        until[after, cells[after]] = step + 1 + tenure + below(drawn, tenure + 1)
        cells[blank], cells[after] = cells[after], np.uint8(0)
        blank = after
        copy_into(lines, chosen_lines)
        copy_into(before, chosen_lines)
        numbers[ACCEPTED] += 1.0
        store_value(chosen_value, cells, best_cells, numbers)
