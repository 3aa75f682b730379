"""Looks at the window through AT-SPI as a screen reader does, and presses its buttons so.

Runs in the system's Python, which alone has the bindings (python3-gi, gir1.2-atspi-2.0). Writes
one JSON object with what it has found.
"""

import contextlib
import json
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

MAX_SECONDS = 60.0
FOCUSABLE, SHOWING = Atspi.StateType.FOCUSABLE, Atspi.StateType.SHOWING


def until(look):
    """Wait until something is found, while events arrive; returns it."""
    end = time.monotonic() + MAX_SECONDS
    context = GLib.MainContext.default()
    while time.monotonic() < end:
        while context.pending():
            context.iteration(False)
        # Whatever is walked may go meanwhile.
        with contextlib.suppress(GLib.GError):
            if found := look():
                return found
        time.sleep(0.05)
    raise SystemExit(f"nothing found: {look.__name__}")


def below(node):
    """All nodes of a tree; one that has gone meanwhile is left out."""
    yield node
    for place in range(node.get_child_count()):
        child = node.get_child_at_index(place)
        if child is not None:
            yield from below(child)


def shown_below(window):
    """All nodes of a window that are shown."""
    return [node for node in below(window) if node.get_state_set().contains(SHOWING)]


def named(window, role, name, among=shown_below):
    """The node of a role and name that is shown, or is among others, or None."""
    return next(
        (
            node
            for node in among(window)
            if node.get_role_name() == role and node.get_name() == name
        ),
        None,
    )


def label_of(node):
    """What a node is called by its label; '' where it has none."""
    for relation in node.get_relation_set():
        if relation.get_relation_type() == Atspi.RelationType.LABELLED_BY:
            return relation.get_target(0).get_name()
    return ""


def press(window, name):
    """Press a button by its own action."""
    button = until(lambda: named(window, "push button", name))
    actions = button.get_action_iface()
    assert actions.do_action(0), name


def opened(window, name, words):
    """Open a list by its command in the menu, until an item has some words.

    Returns the description of the list, and its items.
    """
    command = until(lambda: named(window, "menu item", name, below))
    command.get_action_iface().do_action(0)
    opened = until(lambda: named(window, "list", name))

    def items():
        places = range(opened.get_child_count())
        found = [opened.get_child_at_index(place).get_name() for place in places]
        return found if any(words in item for item in found) else None

    return until(lambda: (found := items()) and (opened.get_description(), found))


def main_window():
    """The window of the program, when it is on the bus."""
    desktop = Atspi.get_desktop(0)
    for place in range(desktop.get_child_count()):
        program = desktop.get_child_at_index(place)
        if program is not None and program.get_name() == "TileLab" and program.get_child_count():
            return program.get_child_at_index(0)
    return None


def main():
    """Walk the window, make a run, and read its board."""
    Atspi.init()
    spoken = []
    listener = Atspi.EventListener.new(lambda event: spoken.append(event.any_data))
    listener.register("object:announcement")
    window = until(main_window)
    until(lambda: named(window, "push button", "Go"))
    nodes = until(lambda: shown_below(window))
    found = {
        "title": window.get_name(),
        "n_nodes": len(nodes),
        "buttons": [node.get_name() for node in nodes if node.get_role_name() == "push button"],
        "selectors": {
            label_of(node): node.get_name() for node in nodes if node.get_role_name() == "combo box"
        },
        "nameless": [
            node.get_role_name()
            for node in nodes
            if node.get_state_set().contains(FOCUSABLE) and not (node.get_name() or label_of(node))
        ],
    }
    press(window, "Go")
    board = until(lambda: named(window, "list", "Board"))
    until(lambda: board.get_child_count() > 0)
    found["cells"] = [
        board.get_child_at_index(place).get_name() for place in range(board.get_child_count())
    ]
    until(lambda: any("New:" in str(text) for text in spoken))
    press(window, "Stop")
    status = until(lambda: named(window, "filler", "Status"))
    until(lambda: status.get_description().startswith("Paused"))
    found["status"] = status.get_description()
    until(lambda: any(str(text).startswith("Paused") for text in spoken))
    found["lists"] = {
        name: opened(window, name, words)
        for name, words in (("Pseudocode", "; this line ran."), ("What comes next", " v "))
    }
    found["spoken"] = [str(text) for text in spoken]
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
