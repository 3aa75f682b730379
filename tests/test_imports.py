"""No circle of imports, not even one for types only: each file can be read after those it needs."""

import grimp


def circles(imports):
    """The circles among modules, given the modules that each imports, be it through others."""
    with_each = (
        {module} | {other for other in needed if module in imports[other]}
        for module, needed in imports.items()
    )
    return {frozenset(circle) for circle in with_each if len(circle) > 1}


def test_a_circle_is_found_and_what_hangs_on_it_is_not():
    imports = {"page": {"part", "page", "core"}, "part": {"page", "part", "core"}, "core": set()}
    assert circles({**imports, "window": {"page", "part", "core"}}) == {frozenset({"page", "part"})}


def test_no_module_is_needed_by_what_it_needs():
    graph = grimp.build_graph("tilelab", exclude_type_checking_imports=False, cache_dir=None)
    imports = {module: graph.find_upstream_modules(module) for module in graph.modules}
    assert circles(imports) == set()
