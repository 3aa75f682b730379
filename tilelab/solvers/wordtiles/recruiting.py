"""What the agents of a colony have decided after a slide, in a sentence."""

from collections import Counter
from collections.abc import Sequence

from tilelab.core.wording import counted, number

_MOST_NAMED = 6
"""Agents in a sentence; of more only the number is said."""


def recruiting_sentence(
    slide: int, n_slides: int, follows: Sequence[int], values: Sequence[float]
) -> str:
    """Say who follows whom; agents have numbers from 1.

    follows: whom each agent follows, itself where it is loyal. values: of their boards before.
    """
    begins = f"Slide {slide:,} of {n_slides:,}:"
    leavers = [agent for agent, chosen in enumerate(follows) if chosen != agent]
    if not leavers:
        return f"{begins} all agents go on from their own boards."
    leaders = Counter(follows[agent] for agent in leavers)
    if len(leavers) > _MOST_NAMED:
        (leader, n_followers), *_ = leaders.most_common(1)
        return (
            f"{begins} {counted(len(leavers), 'agent')} leave their boards; most, {n_followers:,}, "
            f"follow {_named(leader, values)}."
        )
    parts = []
    for leader in leaders:
        names = [str(agent + 1) for agent in leavers if follows[agent] == leader]
        parts.append(f"{_listed(names)} {_named(leader, values)}")
    return f"{begins} {'; '.join(parts)}."


def _named(agent: int, values: Sequence[float]) -> str:
    return f"agent {agent + 1:,}, {number(values[agent])}"


def _listed(names: Sequence[str]) -> str:
    """Say that these agents follow; whom is said next."""
    if len(names) == 1:
        return f"agent {names[0]} leaves its board and follows"
    return f"agents {', '.join(names[:-1])} and {names[-1]} leave their boards and follow"
