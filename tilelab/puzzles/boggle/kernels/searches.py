"""Searches that move from a grid to a neighbour: the Metropolis walk and tabu search."""

import numpy as np

from tilelab.kernels.decorators import tuple_kernel
from tilelab.kernels.random_words import below, fraction, next_word
from tilelab.puzzles.boggle.kernels.energy import accept, energy_change, refresh, refuse
from tilelab.puzzles.boggle.kernels.moves import (
    ACCEPTED,
    BEST_ENERGY,
    BLOCK_BEST,
    ENERGY,
    FORBIDDEN,
    VALUE,
    draw_move,
    make_move,
)


@tuple_kernel
def walk(words, temperatures, swap_share, write_share, strings, trie, bans, grid, scratch):
    """Do some moves and accept or refuse each by the Metropolis rule (Metropolis et al. 1953).

    words: uint64 (moves,), random. temperatures: float64 (moves,), in units of the energy. At 0,
    worse moves are refused; at infinity, all moves are accepted.
    swap_share, write_share: probabilities that a move swaps two cells, or writes a string.
    """
    refresh(strings, trie, grid, scratch)
    grid.numbers[BLOCK_BEST], grid.numbers[ACCEPTED] = grid.numbers[VALUE], 0.0
    for index in range(words.shape[0]):
        n_changes = draw_move(words[index], swap_share, write_share, strings, trie, grid, scratch)
        if n_changes == 0:
            continue
        make_move(n_changes, strings, grid, scratch)
        change = energy_change(n_changes, strings, trie, bans, grid, scratch)
        keep = change >= 0.0
        if not keep and temperatures[index] > 0.0:
            _, drawn = next_word(~words[index])
            keep = fraction(drawn) < np.exp(change / temperatures[index])
        if keep:
            accept(n_changes, strings, trie, bans, grid, scratch)
        else:
            refuse(n_changes, strings, trie, grid, scratch)


@tuple_kernel
def tabu_steps(
    words, first_step, tenure, swap_share, write_share, strings, trie, bans, grid, scratch, until
):
    """In each step, make the best of some moves, even if it is worse (Glover 1989).

    words: uint64 (steps, moves), random. A letter that has left a cell may not return for
    ``tenure`` to 2 * ``tenure`` steps, unless the energy is then the highest so far.
    first_step: number of the first step of this call. until: int64 (cells, symbols), changed in
    place: number of the first step in which a letter may return to a cell.
    """
    refresh(strings, trie, grid, scratch)
    grid.numbers[BLOCK_BEST], grid.numbers[ACCEPTED] = grid.numbers[VALUE], 0.0
    grid.numbers[FORBIDDEN] = 0.0
    for index in range(words.shape[0]):
        step = first_step + index
        best_change, chosen = -np.inf, -1
        # After all moves, the chosen one is drawn again from its word.
        for attempt in range(words.shape[1] + 1):
            is_chosen = attempt == words.shape[1]
            candidate = chosen if is_chosen else attempt
            if candidate < 0:
                continue
            word = words[index, candidate]
            n_changes = draw_move(word, swap_share, write_share, strings, trie, grid, scratch)
            if n_changes == 0:
                continue
            is_free = True
            for part in range(n_changes):
                letter = scratch.change_new[part]
                if letter < until.shape[1]:
                    is_free &= until[scratch.change_cell[part], letter] <= step
            make_move(n_changes, strings, grid, scratch)
            change = energy_change(n_changes, strings, trie, bans, grid, scratch)
            if is_chosen:
                _, drawn = next_word(~word)
                release = step + 1 + tenure + below(drawn, tenure + 1)
                for part in range(n_changes):
                    if scratch.change_old[part] < until.shape[1]:
                        until[scratch.change_cell[part], scratch.change_old[part]] = release
                accept(n_changes, strings, trie, bans, grid, scratch)
                continue
            refuse(n_changes, strings, trie, grid, scratch)
            is_free |= grid.numbers[ENERGY] + change > grid.numbers[BEST_ENERGY]
            grid.numbers[FORBIDDEN] += 0.0 if is_free else 1.0
            if is_free and change > best_change:
                best_change, chosen = change, candidate
