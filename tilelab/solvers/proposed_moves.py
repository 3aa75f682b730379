"""The move that a local search has proposed, as it is watched, and a sentence about it."""

import math
from typing import NamedTuple

import numpy as np

from tilelab.core.puzzle import Cells, Puzzle
from tilelab.core.symbols import shown
from tilelab.core.views import ProposedMove
from tilelab.core.wording import counted, number

_BLANK = "the blank"
_ENOUGH = 1e-9
"""Odds that differ by more are not those of the gain that is shown."""


class Standing(NamedTuple):
    """Where a search stands after some moves of a unit."""

    cells: Cells
    energy: float
    n_accepted: int
    n_forbidden: int = 0
    n_scored: int = 0
    """These three since the begin of the unit."""
    n_restarts: int = 0


class Proposal(NamedTuple):
    """A move that was proposed, made or not."""

    cells: Cells
    """After it."""
    energy: float
    odds: float
    """With which it is accepted, 0 to 1."""
    temperature: float = 0.0
    """0 where there is none; infinite where every move is kept."""
    n_compared: int = 1
    n_forbidden: int = 0


class Words(NamedTuple):
    """How moves are spoken of."""

    energy: str
    """What the search climbs."""
    move: str
    """What is proposed; '' where the cells that change say it."""


def metropolis_odds(gain: float, temperature: float) -> float:
    """Return with which probability a move is accepted (Metropolis et al. 1953)."""
    if gain >= 0.0 or temperature == math.inf:
        return 1.0
    return math.exp(gain / temperature) if temperature > 0.0 else 0.0


def proposed_move(
    puzzle: Puzzle,
    words: Words,
    before: Standing,
    now: Standing,
    proposal: Proposal,
    *,
    begins: bool = False,
) -> ProposedMove:
    """Return the view of a move; before, now: the search without it and with it.

    begins: whether it is the first one from a random board on.
    """
    accepted = now.n_accepted > before.n_accepted
    caption = _caption(puzzle, words, before, proposal, accepted=accepted)
    if begins:
        caption = f"The search begins again on a random board. {caption}"
    if now.n_restarts > before.n_restarts:
        caption += " The search goes on from a random board."
    return ProposedMove(
        caption,
        before.cells,
        proposal.cells,
        before.energy,
        proposal.energy,
        words.energy,
        accepted,
        proposal.odds,
        proposal.temperature if math.isfinite(proposal.temperature) else 0.0,
        proposal.n_compared,
        proposal.n_forbidden,
    )


def _caption(
    puzzle: Puzzle,
    words: Words,
    before: Standing,
    proposal: Proposal,
    *,
    accepted: bool,
) -> str:
    gain = round(proposal.energy - before.energy, 9)
    proposed = words.move or _change(puzzle, before.cells, proposal.cells)
    if proposal.n_compared > 1:
        text = _comparison(proposal, proposed, _gain(words.energy, before.energy, gain), accepted)
    elif not proposed:
        text = "The move that was drawn changes nothing."
    else:
        text = f"Proposed {proposed}: {_gain(words.energy, before.energy, gain)}"
        text += f"{_rule(gain, proposal, accepted=accepted)}."
        if abs(metropolis_odds(gain, proposal.temperature) - proposal.odds) > _ENOUGH:
            text += " What a move of several letters changes is only estimated before it is made."
    return text


def _gain(title: str, before: float, gain: float) -> str:
    if not gain:
        return f"{title} {number(before)} stays"
    return f"{title} {number(before)} {'rises' if gain > 0 else 'falls'} by {number(abs(gain))}"


def _rule(gain: float, proposal: Proposal, *, accepted: bool) -> str:
    """Say what became of a move and why."""
    became = "accepted" if accepted else "rejected"
    if proposal.temperature == math.inf:
        return f": {became}, as every move is"
    if proposal.temperature > 0.0 and proposal.odds < 1.0:
        return (
            f"; at temperature {_temperature(proposal.temperature)} such a move is accepted with "
            f"{_percent(proposal.odds)}: {became}"
        )
    if accepted:
        return f": {became}, as every move is that does not {'seem to ' if gain < 0 else ''}lose"
    return f": {became}, as every move is that {'seems to lose' if gain >= 0 else 'loses'}"


def _comparison(proposal: Proposal, proposed: str, gain: str, accepted: bool) -> str:
    forbidden = f", {proposal.n_forbidden:,} of them forbidden" if proposal.n_forbidden else ""
    compared = counted(proposal.n_compared, "move")
    if not accepted:
        return f"None of {compared} is made{forbidden}: the board stays."
    return f"The best of {compared}{forbidden}: {proposed or 'none'}; {gain}."


def _percent(odds: float) -> str:
    if odds < 0.01:
        return "less than 1 %"
    return "more than 99 %" if odds > 0.99 else f"{100 * odds:.0f} %"


def _temperature(temperature: float) -> str:
    return number(temperature) if temperature >= 0.1 else f"{temperature:.2g}"


def _change(puzzle: Puzzle, before: Cells, after: Cells) -> str:
    """Say which cells change: a letter for another, two that change places, or how many."""
    cols = puzzle.shape[1]
    cells = np.flatnonzero(before != after).tolist()
    rows = [puzzle.rows_of(board) for board in (before, after)]
    where = [f"row {cell // cols + 1}, column {cell % cols + 1}" for cell in cells]
    old, new = ([_name(puzzle, "".join(text)[cell]) for cell in cells] for text in rows)
    if len(cells) > 2:
        return f"other letters in {len(cells)} cells"
    if len(cells) < 2 or old != new[::-1]:
        parts = [f"{new[n]} for {old[n]} in {at}" for n, at in enumerate(where)]
        return " and ".join(parts)
    one, other = (np.array(divmod(cell, cols)) for cell in cells)
    if _BLANK in old and abs(one - other).sum() == 1:
        blank = old.index(_BLANK)
        return f"a slide of {new[blank]} to {where[blank]}"
    return f"a swap of {old[0]} in {where[0]} with {old[1]} in {where[1]}"


def _name(puzzle: Puzzle, symbol: str) -> str:
    return _BLANK if symbol == "." and puzzle.spec.key == "wordtiles" else shown(symbol)
