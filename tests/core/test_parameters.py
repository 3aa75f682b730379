"""Parameters: declared once, described fully, refused in one sentence."""

import pytest

from tilelab.core.errors import ParameterError
from tilelab.core.parameters import Choice, Params, describe, live_value, parameter, validate


class Colour(Choice):
    RED = "red"
    BLUE = "blue"


class Example(Params):
    agents: int = parameter(16, "Agents", low=2, high=64, help="How many.", live=True)
    share: float = parameter(0.5, "Share", low=0.0, high=1.0, help="How much.")
    colour: Colour = parameter(
        Colour.RED, "Colour", help="Which.", choice_titles={"red": "rot", "blue": "blau"}
    )
    wrap: bool = parameter(False, "Wrap", help="Whether.", group="Rules")
    limit: int | None = parameter(None, "Limit", low=1, help="At most.")
    seconds: float | None = parameter(None, "Seconds", above=0.0, help="At most.")


def test_description_says_everything():
    agents, share, colour, wrap, limit, seconds = describe(Example)
    assert (agents.kind, agents.low, agents.high, agents.default) == ("int", 2, 64, 16)
    assert (agents.live, agents.group) == (True, "")
    assert share.kind == "float"
    assert (colour.choices, colour.choice_titles) == (("red", "blue"), ("rot", "blau"))
    assert (wrap.kind, wrap.group) == ("bool", "Rules")
    assert (limit.kind, limit.optional, limit.default) == ("int", True, None)
    assert (seconds.low, seconds.above, seconds.allowed()) == (
        None,
        0.0,
        "a number above 0, or none",
    )


@pytest.mark.parametrize(
    ("values", "name", "text"),
    [
        ({"agents": 99}, "agents", "agents: 99 is outside 2..64"),
        ({"agents": 1}, "agents", "agents: 1 is outside 2..64"),
        ({"agents": "many"}, "agents", "agents: 'many' is not a whole number in 2..64"),
        ({"agents": 2.5}, "agents", "agents: 2.5 is not a whole number in 2..64"),
        ({"colour": "green"}, "colour", "colour: 'green' is not one of red, blue"),
        ({"limit": 0}, "limit", "limit: 0 is not a whole number from 1 up, or none"),
        ({"seconds": 0}, "seconds", "seconds: 0 is not a number above 0, or none"),
        ({"seconds": -1.5}, "seconds", "seconds: -1.5 is not a number above 0, or none"),
        ({"seconds": float("nan")}, "seconds", "seconds: nan is not a number above 0, or none"),
        ({"seconds": float("inf")}, "seconds", "seconds: inf is not a number above 0, or none"),
        ({"seconds": "1e999"}, "seconds", "seconds: '1e999' is not a number above 0, or none"),
        ({"seconds": "1_0"}, "seconds", "seconds: '1_0' is not a number above 0, or none"),
        ({"agents": "1_0"}, "agents", "agents: '1_0' is not a whole number in 2..64"),
        ({"share": float("nan")}, "share", "share: nan is not a number in 0..1"),
        (
            {"agent": 3},
            "agent",
            "agent is not a parameter; the parameters are agents, share, colour, wrap, limit, "
            "seconds",
        ),
    ],
)
def test_a_fault_is_one_sentence_with_the_value(values, name, text):
    with pytest.raises(ParameterError) as raised:
        validate(Example, values)
    assert (str(raised.value), raised.value.name) == (text, name)


def test_live_values_are_checked_like_new_ones():
    assert live_value(Example(), "agents", 3).agents == 3
    with pytest.raises(ParameterError, match=r"agents: 65 is outside 2\.\.64"):
        live_value(Example(), "agents", 65)
    with pytest.raises(
        ParameterError, match="share cannot be changed during a run; these can: agents"
    ):
        live_value(Example(), "share", 0.1)


def test_the_word_none_lifts_a_limit_and_nothing_else():
    assert validate(Example, {"limit": "none"}).limit is None
    assert describe(Example)[4].allowed() == "a whole number from 1 up, or none"
    with pytest.raises(ParameterError, match=r"^agents: 'none' is not a whole number in 2..64$"):
        validate(Example, {"agents": "none"})
