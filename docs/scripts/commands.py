"""Write the tables of commands and preferences in window.md: ``python docs/scripts/commands.py``.

They are made from the tables of the program; a test says when they have to be written again.
"""

import os
import re
import tempfile
from pathlib import Path

PAGE = Path(__file__).parents[1] / "window.md"
PUZZLES = ("boggle", "sliding", "wordtiles")


def with_tables(text, window):
    """Return the page with its tables as the window has them, in English."""
    for rows in (command_rows(window), preference_rows()):
        lines = [f"| {' | '.join(row)} |\n" for row in rows]
        table = re.compile(re.escape(lines[0]) + r"(\|.*\n)*")
        assert table.search(text), lines[0]
        text = table.sub(lambda _, lines=lines: "".join(lines), text)
    return text


def command_rows(window):
    """The rows of all commands; those of one puzzle alone name it."""
    from tilelab import catalog

    found = {}
    for puzzle in PUZZLES:
        window.show_puzzle(puzzle)
        for action in window.commands:
            command = action.command
            # A text that follows the state of the page is the same command.
            texts = (text for text in (command.title, command.tip) if isinstance(text, str))
            said = command.menu, command.id, command.key, *texts
            found.setdefault(said, (command, []))[1].append(puzzle)
    yield from (("menu", "command", "key", "what it does"), ("---",) * 4)
    order = [*type(next(iter(window.commands.menus)))]
    for command, puzzles in sorted(found.values(), key=lambda each: _order(each[0], order)):
        titles = [catalog.puzzle(puzzle).spec.title for puzzle in puzzles]
        where = "" if puzzles == list(PUZZLES) else f"{' and '.join(titles)}: "
        title = f"[{command.shown_title}]({_link(command.place)})"
        yield command.menu_path, title, command.key, where + command.shown_tip


def preference_rows():
    """The rows of all preferences, with their defaults."""
    from tilelab.gui.widgets.settings import Preferences, choices

    yield from (("preference", "default", "what it does"), ("---",) * 3)
    for name, field in Preferences.model_fields.items():
        default = choices(name).get(field.default) or ("on" if field.default else "off")
        values = [title for title in choices(name).values() if title]
        listed = f"{'; '.join(values)}. " if values else ""
        yield f"**{field.title}**", default, f"{listed}{field.description}"


def _order(command, menus):
    menu = command.menu
    return (-1, 0) if menu is None else (menus.index(menu[0]), menu[1])


def _link(place):
    page, _, anchor = place.partition("#")
    return f"#{anchor}" if page == "window" else f"{page}.md" + (f"#{anchor}" if anchor else "")


def main():
    """Write the page."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(TILELAB_CONFIG_DIR=folder, TILELAB_DATA_DIR=folder, TILELAB_LANGUAGE="en")
        from tilelab.gui.shell.main_window import MainWindow
        from tilelab.gui.shell.qt_application import make_application
        from tilelab.gui.widgets.settings import Settings

        make_application([], "light")
        window = MainWindow(Settings(Path(folder) / "window.ini"))
        PAGE.write_text(with_tables(PAGE.read_text("utf-8"), window), "utf-8")
        window.shutdown.asks = False
        window.close()


if __name__ == "__main__":
    main()
