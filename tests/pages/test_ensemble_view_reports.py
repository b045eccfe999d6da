"""What the view of an ensemble reports, as a page takes it."""

from types import SimpleNamespace
from typing import Any

import pytest

from pages.widgets.ensembles import view
from pages.widgets.ensembles.view import Shown


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    state: dict[str, Any] = {"ensemble": {}}
    monkeypatch.setattr(view, "st", SimpleNamespace(session_state=state))
    return state


def taken(session: dict[str, Any], **changes: Any) -> list[Shown]:
    """What a page gets of a report."""
    got: list[Shown] = []
    report = {"number": 7, "stage": 3, "member": -1, "row": 104, "tab": "members", **changes}
    session["ensemble"] = {"event": report}
    view._take("ensemble", got.append)
    return got


def test_the_whole_state_arrives_and_its_number_is_answered(session: dict[str, Any]) -> None:
    assert taken(session) == [Shown(3, -1, 104, "members")]
    assert session["ensemble.echo"] == 7


def test_a_picture_that_is_not_known_is_the_first(session: dict[str, Any]) -> None:
    assert taken(session, tab="../etc") == [Shown(3, -1, 104, "")]


def test_without_a_report_nothing_happens(session: dict[str, Any]) -> None:
    got: list[Shown] = []
    view._take("ensemble", got.append)
    assert got == []


def test_a_part_that_is_not_known_is_refused() -> None:
    with pytest.raises(ValueError, match="scores, row, margins, facts"):
        view.part("ensemble", "curve", "key")  # type: ignore[arg-type]
