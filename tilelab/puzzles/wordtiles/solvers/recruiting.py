"""What the agents of a colony have decided after a slide, in a sentence."""

from collections import Counter
from collections.abc import Sequence

from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import counted, number

_MOST_NAMED = 6
"""Agents in a sentence; of more only the number is said."""


def recruiting_sentence(
    slide: int, n_slides: int, follows: Sequence[int], values: Sequence[float]
) -> str:
    """Say who follows whom; agents have numbers from 1.

    follows: whom each agent follows, itself where it is loyal. values: of their boards before.
    """
    begins = tr("Slide {slide} of {n_slides}:").format(
        slide=figures(slide, ","), n_slides=figures(n_slides, ",")
    )
    leavers = [agent for agent, chosen in enumerate(follows) if chosen != agent]
    if not leavers:
        return tr("{begins} all agents go on from their own boards.").format(begins=begins)
    leaders = Counter(follows[agent] for agent in leavers)
    if len(leavers) > _MOST_NAMED:
        (leader, n_followers), *_ = leaders.most_common(1)
        return tr(
            "{begins} {counted} leave their boards; most, {n_followers}, follow {named}."
        ).format(
            begins=begins,
            counted=counted(len(leavers), "agent"),
            n_followers=figures(n_followers, ","),
            named=_named(leader, values),
        )
    parts = []
    for leader in leaders:
        names = [str(agent + 1) for agent in leavers if follows[agent] == leader]
        parts.append(f"{_listed(names)} {_named(leader, values)}")
    return f"{begins} {'; '.join(parts)}."


def _named(agent: int, values: Sequence[float]) -> str:
    return tr("agent {value}, {number}").format(
        value=figures(agent + 1, ","), number=number(values[agent])
    )


def _listed(names: Sequence[str]) -> str:
    """Say that these agents follow; whom is said next."""
    if len(names) == 1:
        return tr("agent {value} leaves its board and follows").format(value=names[0])
    return tr("agents {join} and {value} leave their boards and follow").format(
        join=", ".join(names[:-1]), value=names[-1]
    )
