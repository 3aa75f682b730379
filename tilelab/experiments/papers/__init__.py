"""The papers' tables, made again: printed figures beside ours.

A new table is one new file in the folder ``papers`` of its puzzle, or a few lines in that of its
paper::

    register_table(
        PaperTable(
            key="naz-table-1",
            title="Words by agents and steps, 100 iterations",
            source="Naz et al. 2016, Table I",
            plans=plans,          # small: bool -> {name: Plan}
            compare=comparison,   # {name: Kept} -> Comparison
            seconds=70,           # of processor time, all of it
        )
    )

``plans`` says which sweeps bring its figures, by a short name each (also that of its folder);
``small`` asks for so few runs that a test can wait for them. ``compare`` gets their results and
says what is printed and what came out: :func:`sampled` makes a row of what repeats and chance have
brought, :func:`exact` of what every run would bring again, :func:`bare` of what can only be shown.
Printed figures stand in ``resources/papers/*.csv`` and are read by :func:`printed`. What a table
computes without a run it computes in ``compare``, in seconds; it may have no plan at all.

:mod:`~tilelab.experiments.papers.base` lists the tables,
:mod:`~tilelab.experiments.papers.making` makes one,
:mod:`~tilelab.experiments.papers.making` writes down what it has come to.
"""
