"""A link opens the tab that its sender had open, on every page with tabs, in whatever language its reader has."""

import pytest

from explorer.messages import languages, spoken_in
from tests.oracles.examples import slow
from tests.pages.app import address_of, fine, opened, tab, went

ROWS = [
    ("Data", "table.tabs", {}, "columns rows target values"),
    ("Grow", "node.tab", {}, "candidates formula thresholds rows split stability"),
    ("Prune", "prune.tab", {}, "scores sequence weakest why rows"),
    ("Evaluate", "evaluate.tab", {}, "scores errors curves leaves importance learning"),
    ("Rules", "rules.tab", {"r.list": "pruned"}, "list rows rounds tree"),
    ("Predict", "predict.tab", {}, "row path changes file"),
    ("Compare", "compare.tab", {}, "scores predictions cross_validation regions settings splits"),
    ("Compare", "shortest.tab", {"comparison": "shortest"}, "search why trees"),
    ("Compare", "targets.tab", {"comparison": "targets", "target2": "wind"}, "candidates leaves scores"),
    ("Ensembles", "en.tab", {}, "scores row round members importance"),
]
"""Page, row of tabs, what its address has, and the words of its tabs, which links of earlier days have."""
TABS = [
    (page, key, query, position, word)
    for page, key, query, words in ROWS
    for position, word in enumerate(words.split())
    if position > 0
]
QUICK = ("cross_validation", "why", "target", "file")


@pytest.mark.parametrize(
    ("page", "key", "query", "position", "word"),
    [each if each[-1] in QUICK else slow(*each) for each in TABS],
    ids=str,
)
def test_a_link_opens_the_tab_that_its_sender_had_open(page, key, query, position, word):
    sender = fine(opened(page, **query))
    name = [each.label for each in sender.tabs][position]
    assert "tab" not in sender.query_params, "the first one opens by itself"
    sender = fine(tab(sender, key, name))
    assert address_of(sender)["tab"] == [word]
    receiver = fine(opened(page, **address_of(sender)))
    assert receiver.session_state[key] == name
    assert address_of(receiver) == address_of(sender)
    with spoken_in(languages.catalogue_of("zh")):
        chinese = fine(opened(page, **address_of(sender) | {"lang": ["zh"]}))
        assert chinese.session_state[key] == chinese.tabs[position].label != name
    assert not chinese.warning


def test_no_row_of_tabs_is_left_out():
    for page, _, query, words in ROWS:
        assert len(fine(opened(page, **query)).tabs) == len(words.split()), page


@pytest.mark.parametrize("word", ["sequence", "<b>", ""])
def test_a_tab_that_the_page_has_not_is_ignored(word):
    app = fine(opened("Compare", tab=word))
    assert app.session_state["compare.tab"] == "Scores"
    assert "tab" not in app.query_params
    assert not app.warning


def test_another_page_begins_with_its_own_tab_and_a_visit_finds_the_one_left():
    app = fine(opened("Compare", tab="cross_validation"))
    app.query_params.clear()  # as a browser does
    app = fine(went(app, "Prune"))
    assert "tab" not in app.query_params
    app.query_params.clear()
    app = fine(went(app, "Compare"))
    assert app.session_state["compare.tab"] == "Cross-validation"
    assert app.query_params["tab"] == "cross_validation"


def test_the_first_tab_is_named_where_the_address_would_open_another_one():
    app = fine(tab(fine(opened("Evaluate", **{"e.cell": "0-1"})), "evaluate.tab", "Scores"))
    assert app.query_params["tab"] == "scores"
    assert fine(opened("Evaluate", **address_of(app))).session_state["evaluate.tab"] == "Scores"
