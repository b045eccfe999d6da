"""What the view in the browser reports, as a page takes it: the state every time, each command once, no unknown one."""

from types import SimpleNamespace
from typing import Any

import pytest

from pages.widgets import tree_view
from pages.widgets.tree_view import Shown


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    state: dict[str, Any] = {}
    monkeypatch.setattr(tree_view, "st", SimpleNamespace(session_state=state))
    return state


def taken(session: dict[str, Any], number: int, commands: list[list[Any]]) -> list[Any]:
    """What a page gets of a report of that number."""
    got: list[Any] = []
    report = {"number": number, "selected": 3, "position": 2, "hand": [["collapse", 5]], "commands": commands}
    session["prune"] = {"event": report}
    tree_view._take("prune", got.append, lambda name, value: got.append((name, value)))
    return got


STATE = Shown(3, 2, (("collapse", 5),))


def test_state_and_commands_arrive_in_this_order(session: dict[str, Any]) -> None:
    assert taken(session, 1, []) == [STATE]
    assert taken(session, 3, [[2, "layout", "tidy"], [3, "ghosts", False]]) == [
        STATE,
        ("layout", "tidy"),
        ("ghosts", False),
    ]
    assert session["prune.echo"] == 3


def test_a_command_that_is_sent_again_is_carried_out_once(session: dict[str, Any]) -> None:
    assert taken(session, 1, [[1, "split", 4]]) == [STATE, ("split", 4)]
    assert taken(session, 2, [[1, "split", 4], [2, "split", 6]]) == [STATE, ("split", 6)]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(
            ("layout", 1),
            ("ghosts", "yes"),
            ("ghosts", 1),
            ("order", None),
            ("ask", 0),
            ("split", True),
            ("split", 1.5),
        ),
        *(("split", "1"), ("rm", "x"), (None, "x"), (7, 7), (["layout"], "tidy")),
    ],
)
def test_what_is_no_command_is_dropped(session: dict[str, Any], name: Any, value: Any) -> None:
    assert taken(session, 1, [[1, name, value]]) == [STATE]


def test_a_page_without_commands_takes_the_state_alone(session: dict[str, Any]) -> None:
    got: list[Any] = []
    session["grow"] = {"event": {"number": 1, "selected": 0, "position": 0, "hand": [], "commands": [[1, "ask", True]]}}
    tree_view._take("grow", got.append, None)
    assert got == [Shown()]


def test_a_part_that_no_view_has_is_an_error() -> None:
    with pytest.raises(ValueError, match="scores, sequence, weakest"):
        tree_view.part("prune", "curve", "prune.part.curve")  # type: ignore[arg-type]
