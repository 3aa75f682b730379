"""The runs of a plan: their order, their seeds, and what is wrong with a plan beside its form."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.experiments.plans import STATES, jobs, runs, small
from tilelab.core.errors import TileLabError, UsageError
from tilelab.experiments.job_run import Row
from tilelab.experiments.jobs import command_of
from tilelab.experiments.plan import LimitsTable, TuneTable

SLIDING = {"kind": "sliding", "rows": 3, "cols": 3}


def test_runs_stand_in_the_order_of_settings_instances_and_repeats():
    plan = small(
        puzzle={"kind": "sliding", "rows": 3, "axes": {"cols": [3, 4]}},
        instances={"random": 2},
        solvers=[
            {"solver": "a-star", "axes": {"heuristic": ["manhattan", "misplaced"]}},
            {"solver": "greedy"},
        ],
        repeats=2,
    )
    made = jobs(plan)
    assert [job.place for job in made] == list(range(2 * 2 * 2 * 2 + 2 * 2 * 2))
    order = [(job.solver, job.varied.get("heuristic"), job.varied["cols"]) for job in made[::4]]
    assert order == [
        ("a-star", "manhattan", 3),
        ("a-star", "manhattan", 4),
        ("a-star", "misplaced", 3),
        ("a-star", "misplaced", 4),
        ("greedy", None, 3),
        ("greedy", None, 4),
    ]
    places = [(job.instance, job.repeat) for job in made[:4]]
    assert places == [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_every_setting_has_the_same_instances_and_seeds():
    plan = small(
        puzzle=SLIDING,
        instances={"random": 3},
        solvers=[{"solver": "a-star"}, {"solver": "greedy"}],
    )
    made = jobs(plan)
    first, second = made[:6], made[6:]
    for one, other in zip(first, second, strict=True):
        assert (one.seed, one.values) == (other.seed, other.values)
    assert len({job.seed for job in first}) == 6
    assert len({job.values["scramble_seed"] for job in first}) == 3
    assert all(0 <= job.seed < 2**53 for job in made)


def test_runs_that_are_not_paired_have_seeds_of_their_own():
    made = jobs(small(paired=False))
    assert len({job.seed for job in made}) == 4


def test_a_seed_follows_from_the_master_seed_and_its_place_alone():
    few, many = jobs(small()), jobs(small(repeats=4))
    assert [job.seed for job in few[:2]] == [job.seed for job in many[:2]]
    assert {job.seed for job in few}.isdisjoint(job.seed for job in jobs(small(seed=6)))
    # Written down once: a plan of today makes these runs for ever.
    assert [job.seed for job in few] == [
        8246618379396575,
        3864637329328062,
        8246618379396575,
        3864637329328062,
    ]


def test_instances_of_a_set_and_some_of_them_only():
    korf = {"kind": "sliding", "instances": "korf100"}
    solvers = [{"solver": "ida-star"}]
    every = jobs(small(puzzle=korf, solvers=solvers, repeats=1))
    assert [(job.instance, job.number) for job in every] == [(n + 1, n) for n in range(100)]
    some = jobs(small(puzzle=korf, solvers=solvers, repeats=1, instances={"numbers": [79, 12]}))
    assert [job.instance for job in some] == [12, 79]
    assert [job.seed for job in some] == [every[11].seed, every[78].seed]


def test_a_file_of_boards_is_looked_for_beside_the_plan(tmp_path):
    (tmp_path / "boards.txt").write_text("1 2 3 4 5 6 7 0 8\n1 2 3 4 5 6 0 7 8\n", "utf-8")
    plan = small(
        puzzle={**SLIDING, "boards": "boards.txt"}, solvers=[{"solver": "a-star"}], repeats=1
    )
    made = jobs(plan, tmp_path)
    assert [job.instance for job in made] == [1, 2]
    assert made[0].values["boards"] == str(tmp_path / "boards.txt")


def test_random_boards_may_have_seeds_that_are_given():
    word_tiles = {"kind": "wordtiles", "lexicon": "us-states"}
    plan = small(
        puzzle=word_tiles,
        instances={"random": 3, "seed": 1},
        solvers=[{"solver": "bees", "axes": {"agents": {"from": 2, "to": 4, "step": 2}}}],
        repeats=1,
    )
    made = jobs(plan)
    assert [job.values["letters_seed"] for job in made] == [1, 2, 3, 1, 2, 3]


def test_memory_is_a_parameter_of_the_solvers_that_have_one():
    plan = small(
        puzzle=SLIDING,
        instances={"random": 1},
        solvers=[{"solver": "a-star"}, {"solver": "a-star", "params": {"memory": 30}}],
        limits={"memory": 20},
        repeats=1,
    )
    assert [job.params["memory"] for job in jobs(plan)] == [20, 30]
    assert jobs(small(limits={"memory": 20}))[0].params == {"mutation": 5}


def test_kernels_are_asked_for_once_a_kind():
    assert len(list(runs(small()).kernel_samples())) == 1
    plan = small(
        puzzle={"kind": "sliding", "rows": 3, "axes": {"cols": [3, 4]}},
        instances={"random": 2},
        solvers=[{"solver": "a-star", "axes": {"heuristic": ["manhattan", "misplaced"]}}],
    )
    assert len(list(runs(plan).kernel_samples())) == 4


def test_a_puzzle_from_outside_has_plans_like_the_others(lamps):
    plan = {
        "puzzle": {"kind": "lamps", "axes": {"lamps": ["000", "0000"]}},
        "solvers": [{"solver": "zapping", "axes": {"zaps": [1, 2]}}],
    }
    made = jobs(plan)
    assert [job.varied for job in made] == [
        {"lamps": "000", "zaps": 1},
        {"lamps": "0000", "zaps": 1},
        {"lamps": "000", "zaps": 2},
        {"lamps": "0000", "zaps": 2},
    ]
    with pytest.raises(UsageError, match=r"puzzle\.lights is not a key of \[puzzle\]"):
        jobs({**plan, "puzzle": {"kind": "lamps", "lights": "000"}})


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"puzzle": {"kind": "bogle"}}, "puzzle.kind: 'bogle' is not a puzzle (did you mean"),
        ({"puzzle": {**STATES, "rows": 99}}, "puzzle.rows: 99 is outside 1..16"),
        ({"puzzle": {**STATES, "rows": "4"}}, "puzzle.rows: '4' is not a whole number in 1..16"),
        ({"puzzle": {**STATES, "rows": True}}, "puzzle.rows: True is not a whole number in 1..16"),
        ({"puzzle": {**STATES, "fitness": 3}}, "puzzle.fitness: 3 is not count, weight, length"),
        (
            {"puzzle": {**STATES, "fitness": "lenght"}},
            "puzzle.fitness: 'lenght' is not one of count, weight, length, points (did you mean",
        ),
        (
            {"puzzle": {**STATES, "row": 4}},
            "puzzle.row is not a key of [puzzle] (did you mean rows?); the keys are kind, axes, "
            "lexicon, accents, start,",
        ),
        (
            {"puzzle": {**STATES, "axes": {"rows": [4, 5]}}},
            "puzzle.rows: it has both a value, 4, and an axis",
        ),
        (
            {"puzzle": {"kind": "boggle", "axes": {"slips": [0, 2]}}},
            "puzzle.axes.slips: 2 is outside 0..1",
        ),
        ({"puzzle": {"kind": "boggle", "lexicon": "nowhere"}}, "nowhere is neither a file nor"),
        (
            {"solvers": [{"solver": "gentic"}]},
            "solvers[1].solver: 'gentic' is not a solver of boggle (did you mean genetic?)",
        ),
        (
            {"solvers": [{"solver": "genetic", "axes": {"mutation": [5, 500]}}]},
            "solvers[1].axes.mutation: 500 is outside 0..100",
        ),
        (
            {"solvers": [{"solver": "genetic", "params": {"mutation": 0.5}}]},
            "solvers[1].params.mutation: 0.5 is not a whole number in 0..100",
        ),
        (
            {"solvers": [{"solver": "genetic", "params": {"mutatoin": 5}}]},
            "solvers[1].params.mutatoin is not a key of [solvers[1].params] (did you mean mutation",
        ),
        (
            {
                "solvers": [
                    {"solver": "genetic", "params": {"parents": 5}, "axes": {"parents": [6]}}
                ]
            },
            "solvers[1].params.parents: it has both a value, 5, and an axis",
        ),
        ({"instances": {"random": 5}}, "instances.random: 5 boards cannot be drawn"),
        ({"instances": {"seed": 5}}, "instances.seed: 5 goes with instances.random"),
        ({"instances": {"numbers": [2]}}, "instances.numbers: 2 is not a whole number in 1..1"),
        (
            {"repeats": 1_000_000},
            "the plan makes 2,000,000 runs or more; at most 1,000,000 are allowed",
        ),
        (
            {
                "solvers": [
                    {
                        "solver": "annealing",
                        "axes": {
                            "initial_temperature": {"from": 1, "to": 90_000},
                            "first_cycle": {"from": 1, "to": 90_000},
                        },
                    }
                ]
            },
            "the plan makes 16,200,000,000 runs or more; at most 1,000,000 are allowed",
        ),
        (
            {
                "solvers": [
                    {"solver": "genetic", "axes": {"mutation": [5, 60]}},
                    {"solver": "genetic", "params": {"mutation": 60}},
                ]
            },
            "solvers[2]: the plan already has the setting genetic mutation=60",
        ),
        (
            {"solvers": [{"solver": "genetic"}, {"solver": "genetic"}]},
            "solvers[2]: the plan already has the setting genetic",
        ),
        (
            {"puzzle": SLIDING, "solvers": [{"solver": "a-star"}]},
            "no board is given; name one with puzzle.board, puzzle.boards, puzzle.instances",
        ),
        (
            {
                "puzzle": {**SLIDING, "board": "1 2 3 4 5 6 8 7 0"},
                "solvers": [{"solver": "a-star"}],
            },
            "puzzle: the board 1 2 3 4 5 6 8 7 0 cannot reach its goal",
        ),
    ],
)
def test_an_error_names_its_key_the_value_and_what_is_allowed(more, said):
    with pytest.raises(TileLabError) as raised:
        runs(small(**more))
    assert said in str(raised.value)


def test_the_plan_of_the_documentation_makes_the_runs_that_it_says():
    page = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text("utf-8")
    text, *_ = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    made = runs(tomllib.loads(text))
    assert len(made) == 15
    assert "makes 15 runs" in page
    columns = [
        name
        for line in page.splitlines()
        if line.startswith("| `")
        for name in re.findall("`([a-z_]+)`", line.split("|")[1])
    ]
    assert set(Row.__annotations__) <= set(columns)
    assert {*LimitsTable.model_fields, *TuneTable.model_fields} <= set(columns)


def test_the_word_none_lifts_a_limit_of_a_solver():
    plan = small(
        puzzle={"kind": "wordtiles"},
        solvers=[{"solver": "bees", "axes": {"iterations": ["none", 10]}}],
        repeats=1,
    )
    lifted, limited = jobs(plan)
    assert (lifted.params, limited.params) == ({"iterations": "none"}, {"iterations": 10})
    assert command_of(lifted, 6)[-6:] == [
        "--iterations",
        "none",
        "--seed",
        str(lifted.seed),
        "--limit",
        "6",
    ]
