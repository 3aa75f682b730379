"""``tilelab tables``: make the large tables of the fifteen puzzle before they are needed."""

import click


def tables_command() -> click.Command:
    """Make the command."""
    build = click.Command(
        "build",
        callback=_build,
        params=[click.Argument(["partition"], metavar="5-5-5|6-6-3")],
        help="Make the pattern databases of a partition and keep them in the cache.",
    )
    return click.Group("tables", commands=[build], help="Make the tables of pattern databases.")


def _build(partition: str) -> int:
    import time

    from rich.console import Console

    from tilelab.heuristics import pattern_database as patterns

    console, began = Console(stderr=True), time.monotonic()
    with console.status(f"Making {partition}") as status:

        def tell(pattern: int, depth: int) -> bool:
            status.update(f"Making {partition}: pattern {pattern + 1} of 3, {depth} moves deep")
            return True

        tables = patterns.build(partition, tell)
    n_bytes = sum(table.nbytes for table in tables)
    click.echo(f"{partition}: {n_bytes / 2**20:.0f} MB in {time.monotonic() - began:.1f} s")
    return 0
