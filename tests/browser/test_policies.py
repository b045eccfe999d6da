"""Every treatment of missing values, costs, and pruning methods, on four tables: the tree in the view is the page's."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import awaited, chosen, leaves_shown, opened, settled, view_value
from tests.oracles.examples import slow

POLICIES = ["Most common value", "Every branch, in shares", "Surrogate", "A branch of its own", "Leave the row out"]
COSTS = "costs=" + quote('[["bad",[["good",5]]]]')
FEATURES = "feature_costs=" + quote('[["duration",3]]')


COLOURS = """(one) => {
    const found = new Uint32Array(one.getContext("2d").getImageData(0, 0, one.width, one.height).data.buffer);
    return new Set(found).size;
}"""


def drawn_leaves(page: Page, name: str) -> int:
    """Leaves of a view once it has drawn the tree that the page's summary line counts."""
    leaves = leaves_shown(page)
    awaited(page, f"globalThis.decisionTreeViews?.get('{name}')?.leafCount?.() === {leaves}")
    assert page.locator(".tv-canvas").first.evaluate(COLOURS) > 20
    return leaves


@pytest.mark.parametrize(
    "table",
    [
        slow("titanic&recipe=C4.5"),
        slow("vote&recipe=CART"),
        "auto_mpg",
    ],
)
def test_every_policy_for_missing_cells_grows_a_tree_that_is_drawn(page: Page, address: str, table: str) -> None:
    opened(page, address, f"grow?data={table}&max_depth=4")
    for policy in POLICIES if table == "auto_mpg" else [*POLICIES, "Most common in its class"]:
        chosen(page, "Missing values", policy)
        assert drawn_leaves(page, "grow") > 2
        if policy == "A branch of its own" and "vote" not in table:
            words = "Array.from({length: view.tree.n}, (_, t) => view.tree.branchText(t))"
            assert "missing" in view_value(page, "grow", words)
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(f"recipe=CART&{COSTS}", id="mistakes"),
        slow(f"recipe=CART&score=tan_schlimmer&{FEATURES}", id="Tan and Schlimmer"),
        slow(f"recipe=C4.5&score=nunez&{FEATURES}", id="Núñez"),
    ],
)
def test_costs_grow_a_tree_that_is_drawn(page: Page, address: str, options: str) -> None:
    opened(page, address, f"grow?data=credit_g&max_depth=4&{options}")
    assert drawn_leaves(page, "grow") > 2
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


@pytest.mark.parametrize(
    "table",
    [
        "titanic&recipe=CART",
        slow("vote&recipe=C4.5"),
        slow("credit_g&recipe=CART"),
        "auto_mpg",
    ],
)
def test_every_pruning_method_shows_fewer_leaves(page: Page, address: str, table: str) -> None:
    opened(page, address, f"prune?data={table}&pruning=methods&max_depth=5")
    grown = view_value(page, "methods.unpruned", "view.leafCount()")
    keys = {"Cost-complexity, best α": "cost_complexity", "Reduced error": "reduced_error"}
    if table != "auto_mpg":
        keys |= {"Pessimistic (C4.5)": "pessimistic", "MDL (description length)": "mdl"}
    for method, key in keys.items():
        chosen(page, "Tree shown", method)
        settled(page)
        left = view_value(page, f"methods.{key}", "view.leafCount()")
        assert 1 <= left < grown
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


@pytest.mark.slow
def test_a_step_sequence_is_played_from_the_grown_tree_to_the_pruned_one(page: Page, address: str) -> None:
    opened(page, address, "prune?data=credit_g&recipe=CART&pruning=methods&max_depth=5&method=mdl")
    left = view_value(page, "methods.mdl", "view.leafCount()")
    page.get_by_role("button", name="One step back").click()
    view = "globalThis.decisionTreeViews?.get('methods.mdl')"
    awaited(page, f"{view}.position() === {view}.sequence.size - 2")
    page.get_by_role("button", name="One step forward").click()
    awaited(page, f"{view}.position() === {view}.sequence.size - 1")
    page.get_by_role("button", name="Play the sequence").click()
    awaited(page, f"{view}.position() < 3 && {view}.leafCount() > {left}")
    awaited(page, f"{view}.position() === {view}.sequence.size - 1 && {view}.leafCount() === {left}")
