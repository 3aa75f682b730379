"""The view of a local search's proposed move, and a sentence about it."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tilelab.core.puzzle import Cells, Puzzle
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import shown
from tilelab.core.text.wording import counted, number
from tilelab.core.views import CodeLine, EntryState, Frontier, ProposedMove

_BLANK = marked("the blank")
MAX_MOVES = 10  # number of the last moves in a list
_ENOUGH = 1e-9  # if odds differ by more, the move was judged by another gain


class SearchStatus(NamedTuple):
    cells: Cells
    energy: float
    n_accepted: int
    n_forbidden: int = 0
    n_scored: int = 0  # boards scored since the beginning of the unit, as are the two numbers above
    n_restarts: int = 0
    best_value: float = -math.inf  # best value so far


class Proposal(NamedTuple):
    cells: Cells  # board after the move
    energy: float
    odds: float  # probability of acceptance, 0 to 1
    temperature: float = 0.0  # temperature; 0 if there is none, infinite if every move is accepted
    n_compared: int = 1
    n_forbidden: int = 0
    is_tabu: bool = False  # whether it is the best of the moves that a tabu list allows


class MoveWords(NamedTuple):
    energy: str  # noun for what the search maximises, such as 'search value' or 'value'
    move: str  # noun for the proposed move; '' if the changed cells describe it


def metropolis_odds(gain: float, temperature: float) -> float:
    """Return the probability that a move is accepted (Metropolis et al. 1953)."""
    if gain >= 0.0 or temperature == math.inf:
        return 1.0
    return math.exp(gain / temperature) if temperature > 0.0 else 0.0


def proposed_move(
    puzzle: Puzzle,
    words: MoveWords,
    before: SearchStatus,
    now: SearchStatus,
    proposal: Proposal,
    *,
    begins: bool = False,
    is_first: bool = False,
) -> ProposedMove:
    """Return the view of a move.

    begins: whether it is the first from a random board; is_first: whether it is the run's first.
    """
    accepted = now.n_accepted > before.n_accepted
    caption = _caption(puzzle, words, before, proposal, accepted=accepted)
    if begins:
        caption = tr("The search restarts on a random board. {caption}", caption=caption)
    if now.n_restarts > before.n_restarts:
        caption += tr(" The search continues from a random board.")
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
        lines=_lines(puzzle, before, now, proposal, begins=begins, is_first=is_first),
    )


def moves_made(moves: Sequence[ProposedMove]) -> Frontier | None:
    """Return a list of moves, newest first, with their proposed boards; None without a move."""
    if not moves:
        return None
    has_odds = any(move.temperature > 0.0 for move in moves)
    states = [EntryState.ACCEPTED if move.accepted else EntryState.REJECTED for move in moves]
    gains = [round(move.energy_after - move.energy_before, 9) for move in moves]
    rows = [(move.energy_after, gain, move.odds) for move, gain in zip(moves, gains, strict=True)]
    return Frontier.of(
        tr("Last moves"),
        ("E", "Δ", "p") if has_odds else ("E", "Δ"),
        np.stack([move.after for move in moves]),
        np.array(rows)[:, : 2 + has_odds],
        ties=np.arange(len(moves)),
        states=np.array(states, np.uint8),
    )


def _lines(
    puzzle: Puzzle,
    before: SearchStatus,
    now: SearchStatus,
    proposal: Proposal,
    *,
    begins: bool,
    is_first: bool,
) -> tuple[CodeLine, ...]:
    """Return the lines of the pseudocode that the move ran."""
    lines = [CodeLine("start", f"E = {number(before.energy)}")] if is_first else []
    restart = CodeLine("restart", tr("restart {number}", number=figures(now.n_restarts, ",")))
    if begins:
        lines.append(restart)
    n_changed = int(np.count_nonzero(before.cells != proposal.cells))
    change = _change(puzzle, before.cells, proposal.cells) if n_changed in (1, 2) else ""
    accepted = now.n_accepted > before.n_accepted
    if proposal.is_tabu:
        lines += _tabu_lines(change, before, proposal, accepted=accepted)
    elif proposal.temperature == math.inf:
        lines.append(CodeLine("move", change if n_changed else tr("no change")))
    else:
        lines += _metropolis_lines(change, before, proposal, accepted=accepted)
    if now.best_value > before.best_value:
        lines.append(CodeLine("best", f"v = {number(now.best_value)}"))
    if now.n_restarts > before.n_restarts:
        lines.append(restart)
    return tuple(lines)


def _metropolis_lines(
    change: str, before: SearchStatus, proposal: Proposal, *, accepted: bool
) -> list[CodeLine]:
    """Return the lines of annealing and hill climbing; change: the proposed change in words."""
    lines = []
    if proposal.temperature > 0.0:
        lines.append(CodeLine("cool", f"T = {_temperature(proposal.temperature)}"))
    if not accepted and np.array_equal(before.cells, proposal.cells):
        return [*lines, CodeLine("propose", tr("no change"))]
    lines += [CodeLine("propose", change), CodeLine("gain", _difference(before, proposal))]
    by_estimate = ""
    if _is_estimated(before, proposal):
        by_estimate = tr("by an estimate of Δ")
    if accepted and proposal.odds >= 1.0:
        lines.append(CodeLine("better", by_estimate))
    elif accepted:
        lines.append(CodeLine("worse", tr("probability {odds}", odds=_odds(proposal.odds))))
    elif proposal.temperature > 0.0:
        odds = _odds(1.0 - proposal.odds)
        lines.append(CodeLine("reject", tr("probability {odds}", odds=odds)))
    else:
        lines.append(CodeLine("reject", by_estimate))
    return lines


def _tabu_lines(
    change: str, before: SearchStatus, proposal: Proposal, *, accepted: bool
) -> list[CodeLine]:
    """Return the lines of tabu search; change: the change of the move in words."""
    lines = [CodeLine("compare", counted(proposal.n_compared, "move"))]
    if proposal.n_forbidden:
        lines.append(CodeLine("forbid", counted(proposal.n_forbidden, "move")))
    if not accepted:
        return [*lines, CodeLine("none")]
    is_forbidden = proposal.n_forbidden == proposal.n_compared
    return [
        *lines,
        CodeLine("none" if is_forbidden else "choose", f"E = {number(proposal.energy)}"),
        CodeLine("move", _difference(before, proposal)),
        CodeLine("tabu", change),
    ]


def _difference(before: SearchStatus, proposal: Proposal) -> str:
    """Write the gain of a move as a difference: ``Δ = 34 − 31 = 3``."""
    gain = round(proposal.energy - before.energy, 9)
    sign = "−" if gain < 0 else ""
    energies = f"{number(proposal.energy)} − {number(before.energy)}"
    return f"Δ = {energies} = {sign}{number(abs(gain))}"


def _odds(odds: float) -> str:
    return figures(odds, ".2f" if 0.01 <= odds <= 0.99 else ".2g")


def _caption(
    puzzle: Puzzle, words: MoveWords, before: SearchStatus, proposal: Proposal, *, accepted: bool
) -> str:
    gain = round(proposal.energy - before.energy, 9)
    change = _gain(words.energy, before.energy, gain)
    proposed = words.move or _change(puzzle, before.cells, proposal.cells)
    if proposal.n_compared > 1:
        text = _comparison(proposal, proposed, change, accepted)
    elif not proposed:
        text = tr("The move that was drawn changes nothing.")
    else:
        text = tr("Proposed {proposed}: {gain}", proposed=proposed, gain=change)
        text += f"{_rule(gain, proposal, accepted=accepted)}."
        if _is_estimated(before, proposal):
            text += tr(
                " The change by a move of several letters is only estimated before the move is "
                "made."
            )
    return text


def _is_estimated(before: SearchStatus, proposal: Proposal) -> bool:
    """Return whether the move was judged by another gain than its real one."""
    gain = round(proposal.energy - before.energy, 9)
    return abs(metropolis_odds(gain, proposal.temperature) - proposal.odds) > _ENOUGH


def _gain(title: str, before: float, gain: float) -> str:
    title = tr(title)
    if not gain:
        return tr("{title} stays {before}", title=tr(title), before=number(before))
    text = (
        tr("{title} {before} rises by {difference}")
        if gain > 0
        else tr("{title} {before} falls by {difference}")
    )
    return text.format(title=tr(title), before=number(before), difference=number(abs(gain)))


def _rule(gain: float, proposal: Proposal, *, accepted: bool) -> str:
    result = tr("accepted") if accepted else tr("rejected")
    if proposal.temperature == math.inf:
        return tr(": {result}, like every move", result=result)
    if proposal.temperature > 0.0 and proposal.odds < 1.0:
        return tr(
            "; at temperature {temperature} such a move is accepted with {percent}: {result}",
            temperature=_temperature(proposal.temperature),
            percent=_percent(proposal.odds),
            result=result,
        )
    if accepted and gain < 0:
        text = tr(": {result}, like every move that does not seem to lose")
    elif accepted:
        text = tr(": {result}, like every move that does not lose")
    elif gain >= 0:
        text = tr(": {result}, like every move that seems to lose")
    else:
        text = tr(": {result}, like every move that loses")
    return text.format(result=result)


def _comparison(proposal: Proposal, proposed: str, gain: str, accepted: bool) -> str:
    n_forbidden, forbidden = proposal.n_forbidden, ""
    if n_forbidden:
        forbidden = tr(", {n_forbidden} of them forbidden", n_forbidden=figures(n_forbidden, ","))
    compared = counted(proposal.n_compared, "move")
    if not accepted:
        return tr(
            "None of {compared} is made{forbidden}: the board does not change.",
            compared=compared,
            forbidden=forbidden,
        )
    return tr(
        "The best of {compared}{forbidden}: {proposed}; {gain}.",
        compared=compared,
        forbidden=forbidden,
        proposed=proposed or tr("no change"),
        gain=gain,
    )


def _percent(odds: float) -> str:
    if odds < 0.01:
        return tr("less than 1 %")
    return tr("more than 99 %") if odds > 0.99 else f"{figures(100 * odds, '.0f')} %"


def _temperature(temperature: float) -> str:
    return number(temperature) if temperature >= 0.1 else f"{figures(temperature, '.2g')}"


def _change(puzzle: Puzzle, before: Cells, after: Cells) -> str:
    """Describe the changed cells: a replaced letter, two exchanged letters, or a number."""
    cols = puzzle.shape[1]
    cells = np.flatnonzero(before != after).tolist()
    rows = [puzzle.rows_of(board) for board in (before, after)]
    where = [
        tr("row {row}, column {col}", row=cell // cols + 1, col=cell % cols + 1) for cell in cells
    ]
    symbols = (["".join(text)[cell] for cell in cells] for text in rows)
    names = {puzzle.spec.blank: tr(_BLANK)}
    old, new = ([names.get(one) or shown(one) for one in part] for part in symbols)
    if len(cells) > 2:
        return tr("other letters in {n_cells} cells", n_cells=len(cells))
    if len(cells) < 2 or old != new[::-1]:
        parts = [
            tr(
                "{new_symbol} for {old_symbol} in {place}",
                new_symbol=new[n],
                old_symbol=old[n],
                place=at,
            )
            for n, at in enumerate(where)
        ]
        return tr(" and ").join(parts)
    one, other = (np.array(divmod(cell, cols)) for cell in cells)
    if tr(_BLANK) in old and abs(one - other).sum() == 1:
        blank = old.index(tr(_BLANK))
        return tr("a slide of {tile} to {place}", tile=new[blank], place=where[blank])
    return tr(
        "a swap of {first_symbol} in {first_place} with {second_symbol} in {second_place}",
        first_symbol=old[0],
        first_place=where[0],
        second_symbol=old[1],
        second_place=where[1],
    )
