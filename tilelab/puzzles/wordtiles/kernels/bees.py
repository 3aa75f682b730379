"""A trip of the bee colony on word tiles (Naz et al. 2016), or some slides of a trip.

The caller draws the random words from the run's one generator: a fixed number for the start of a
trip and for each slide. A run is therefore the same for any length of its slices.
"""

import numpy as np

from tilelab.kernels.arrays import copy_into
from tilelab.kernels.decorators import kernel
from tilelab.puzzles.wordtiles.kernels.scores import new_scratch, rescore, score_board

ARCHIVE, HIVE, STAY = 0, 1, 2
"""Boards on which a trip can start."""
BEST, TOTAL, WORST, LOYAL = 0, 1, 2, 3
N_SUMS = 4
_TWO_32 = 4294967296.0


@kernel
def below(word, n_choices):
    """Turn a random 32-bit word into a number in 0..n_choices - 1."""
    return np.int64((np.uint64(word) * np.uint64(n_choices)) >> np.uint64(32))


@kernel
def _slot_of(cells, boards, slots):
    """Return the slot of a board in a hash table, or the empty slot where it belongs (FNV-1a)."""
    value = np.uint64(0xCBF29CE484222325)
    for cell in range(cells.shape[0]):
        value = (value ^ np.uint64(cells[cell])) * np.uint64(0x100000001B3)
    value ^= value >> np.uint64(29)
    mask = np.uint64(slots.shape[0] - 1)
    slot = value & mask
    while slots[slot] >= 0:
        other, cell = slots[slot], 0
        while cell < cells.shape[0] and boards[other, cell] == cells[cell]:
            cell += 1
        if cell == cells.shape[0]:
            break
        slot = (slot + np.uint64(1)) & mask
    return np.int64(slot)


@kernel
def offer(cells, value, best, archive, slots, n_archived):
    """Offer a board to the archive of best boards; returns (best value, number of boards archived).

    A better board replaces all others. A different board of the same value is added if there is
    room.

    archive: uint8 (maximum number, cells). slots: int32 (2 ** k,), its hash table, -1 for an empty
    slot.
    """
    if value > best:
        slots[:] = -1
        n_archived = 0
    elif value < best or n_archived == archive.shape[0]:
        return best, n_archived
    slot = _slot_of(cells, archive, slots)
    if slots[slot] < 0:
        slots[slot] = n_archived
        for cell in range(cells.shape[0]):
            archive[n_archived, cell] = cells[cell]
        n_archived += 1
    return value, n_archived


@kernel
def fill_slots(n_archived, archive, slots):
    """Rebuild the hash table of the archived boards."""
    slots[:] = -1
    for index in range(n_archived):
        slots[_slot_of(archive[index], archive, slots)] = index


@kernel
def _begin(start, hive, hive_blank, starts, archive, n_archived, boards, blanks, lasts):
    """Put the agents on the boards where their trip starts; starts: uint32 (agents,), random."""
    for agent in range(boards.shape[0]):
        if start == STAY:
            continue
        if start == HIVE:
            copy_into(boards[agent], hive)
        else:
            copy_into(boards[agent], archive[below(starts[agent], n_archived)])
        lasts[agent] = -1
        blanks[agent] = hive_blank
        if start == ARCHIVE:
            cell = 0
            while boards[agent, cell] != 0:
                cell += 1
            blanks[agent] = cell


@kernel
def random_slide(word, cells, blank, last, target):
    """Make a random slide, never straight back; returns (next cell of the blank, the move).

    last: last move, or -1. target: int64 (cells, 4), next cell of the blank by move, or -1.
    """
    back = last ^ 1 if last >= 0 else -1
    n_moves = 0
    for move in range(4):
        if target[blank, move] >= 0 and move != back:
            n_moves += 1
    left = below(word, n_moves)
    for move in range(4):
        if target[blank, move] >= 0 and move != back:
            if left == 0:
                after = target[blank, move]
                cells[blank], cells[after] = cells[after], np.uint8(0)
                return after, move
            left -= 1
    return blank, last


@kernel
def _recruit(
    step, loyal_words, choice_words, values, boards, blanks, lasts, lines, choices
):  # fmt: skip
    """Choose the loyal agents, and let the others follow them; returns the number of loyal agents.

    O is an agent's value on a scale from 0, the lowest value, to 1, the highest. If all values are
    equal, it is 1 for all. Agents of the highest value are always loyal, so that at least one is.

    choices: see :func:`trip`.
    """
    chances, follows, left, left_values = choices
    n_agents = values.shape[0]
    lowest, highest = values[0], values[0]
    for agent in range(n_agents):
        lowest, highest = min(lowest, values[agent]), max(highest, values[agent])
        chances[agent], follows[agent] = 1.0, agent
    if lowest == highest:
        return n_agents
    width = highest - lowest
    n_loyal, total = 0, 0.0
    for agent in range(n_agents):
        normalised = (values[agent] - lowest) / width
        chance = np.exp((normalised - 1.0) / step)
        chances[agent] = chance
        if np.float64(loyal_words[agent]) / _TWO_32 < chance:
            n_loyal += 1
            total += normalised
        else:
            follows[agent] = -1
    for agent in range(n_agents):
        if follows[agent] == agent:
            continue
        point = np.float64(choice_words[agent]) / _TWO_32 * total
        chosen = -1
        for other in range(n_agents):
            if follows[other] == other:
                normalised = (values[other] - lowest) / width
                if normalised > 0.0:
                    chosen = other
                    if point < normalised:
                        break
                    point -= normalised
        copy_into(left[agent], boards[agent])
        left_values[agent], follows[agent] = values[agent], chosen
        copy_into(boards[agent], boards[chosen])
        copy_into(lines[agent], lines[chosen])
        blanks[agent], lasts[agent] = blanks[chosen], lasts[chosen]
        values[agent] = values[chosen]
    return n_loyal


@kernel
def trip(
    first, start, hive, hive_blank, starts, dice, target, words, best, archive, slots, n_archived,
    boards, blanks, lasts, values, sums, choices,
):  # fmt: skip
    """Do some slides of a trip of all agents; returns (best value, number of boards archived).

    After each slide, every agent's board is scored and offered to the archive. Each agent is then
    loyal with probability exp(-(1 - O) / step). The others choose a loyal agent by roulette on O
    and continue from its board.

    first: number of slides of the trip that are done; with 0, the trip begins.
    start: ARCHIVE, HIVE or STAY. hive: uint8 (cells,). hive_blank: its blank's cell.
    starts: uint32 (agents,), read only if the trip begins. dice: uint32 (slides, 3, agents). Both
    are random.
    target: see :func:`random_slide`. words: see :mod:`tilelab.puzzles.wordtiles.kernels.scores`.
    best, archive, slots, n_archived: see :func:`offer`.
    boards: uint8 (agents, cells). blanks, lasts: int64 (agents,). values: float64 (agents,). These
    are the state of the agents, and are updated.
    sums: float64 (N_SUMS,), set if the trip begins, then updated: best and worst value of the trip,
    sum of all values, and sum of the numbers of loyal agents.
    choices: the decisions after the last slide, overwritten. They are float64 (agents,), each
    agent's probability of being loyal, and int64 (agents,), the agent that each follows, itself if
    it is loyal. The boards, uint8 (agents, cells), and values, float64 (agents,), that followers
    have left are valid only for them.
    """
    n_agents = boards.shape[0]
    scratch = new_scratch(words)
    lines = np.empty((n_agents, words[5][0] + words[5][1]))
    if first == 0:
        _begin(start, hive, hive_blank, starts, archive, n_archived, boards, blanks, lasts)
        sums[BEST], sums[WORST], sums[TOTAL], sums[LOYAL] = -np.inf, np.inf, 0.0, 0.0
    # The lines of all boards are computed again, because they are not kept between calls.
    for agent in range(n_agents):
        values[agent] = score_board(boards[agent], words, scratch, lines[agent])
    highest, lowest, total, total_loyal = sums[BEST], sums[WORST], sums[TOTAL], 0
    for slide in range(dice.shape[0]):
        for agent in range(n_agents):
            blank = blanks[agent]
            after, move = random_slide(
                dice[slide, 0, agent], boards[agent], blank, lasts[agent], target
            )
            blanks[agent], lasts[agent] = after, move
            value = rescore(boards[agent], blank, after, words, scratch, lines[agent])
            values[agent] = value
            total += value
            highest, lowest = max(highest, value), min(lowest, value)
            if value >= best:
                best, n_archived = offer(boards[agent], value, best, archive, slots, n_archived)
        total_loyal += _recruit(
            first + slide + 1, dice[slide, 1], dice[slide, 2], values, boards, blanks, lasts,
            lines, choices,
        )  # fmt: skip
    sums[BEST], sums[WORST], sums[TOTAL] = highest, lowest, total
    sums[LOYAL] += total_loyal
    return best, n_archived
