"""Every example of docs/library.md does what it says: a comment behind a value is that value."""

import ast
import contextlib
import io
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "library.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


class Checked(ast.NodeTransformer):
    """Hands each value that a comment stands behind to a function, with the comment."""

    def __init__(self, source):
        self.lines = source.splitlines()

    def visit(self, node):
        if not isinstance(node, ast.Expr):
            return self.generic_visit(node)
        _, sign, said = self.lines[node.end_lineno - 1][node.end_col_offset :].partition("  # ")
        if not sign:
            return node
        act = ast.Lambda(ast.arguments([], [], None, [], [], None, []), node.value)
        call = ast.Call(ast.Name("check", ast.Load()), [act, ast.Constant(said)], [])
        return ast.copy_location(ast.Expr(call), node)


def done(source, namespace):
    """Do an example; returns what it has come to and what it says, line by line."""
    found = []

    def check(act, said):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            value = act()
        found.append((repr(value) if value is not None else printed.getvalue().rstrip(), said))

    tree = ast.fix_missing_locations(Checked(source).visit(ast.parse(source)))
    exec(compile(tree, "example", "exec"), {**namespace, "check": check})
    return found


def test_a_wrong_comment_is_found():
    assert done("1 + 1  # 3\nprint('a')  # b\nx = 1  # not a value", {}) == [("2", "3"), ("a", "b")]


@pytest.mark.exhaustive
@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_does_what_it_says(example, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    found = done(example, {"__name__": "__main__"})
    assert found
    assert [value for value, _ in found] == [said for _, said in found]
