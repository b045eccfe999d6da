"""Beside the two trees: the order of the search and its counts, why ID3 failed, and all trees as small pictures."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.growing.shortest_tree import ORDERS, count_text
from explorer.messages import message, plural
from pages.compare.shortest_tree import first_difference, search, small_trees
from pages.results import trees
from pages.results.fit_to_target import fit_target
from pages.settings import session
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import Settings, changed
from pages.text import escape_markdown
from pages.widgets import open_tabs
from pages.widgets.controls import feed

SAMPLE = "xor_six_rows"
"""The smallest table on which ID3 is not shortest."""
_LISTED = 8
"""Nodes of ID3 whose candidates are listed one by one."""


def show(settings: Settings, found: ex.ShortestTree) -> None:
    """Tab by tab; only the open one is worked out."""
    has_failed = search.walk(settings, found).difference is not None and found.shapes
    tabs = {
        "search": (message("Search"), partial(_search, settings, found)),
        "why": (message("Why ID3 failed") if has_failed else message("ID3's choice"), partial(_why, settings, found)),
        "trees": (message("All trees"), partial(small_trees.show, settings, found)),
    }
    open_tabs.show(tabs, "shortest.tab")


def _why(settings: Settings, found: ex.ShortestTree) -> None:
    """What ID3 chose in the node where the trees part."""
    first_difference.show_why(search.walk(settings, found), found.greedy, search.tree_shown(settings, found))


def _search(settings: Settings, found: ex.ShortestTree) -> None:
    """The order, the answer, the trees looked at level by level, and where to go from here."""
    orders = {"depth": message("Least depth"), "tests": message("Fewest tests")}
    st.segmented_control(
        message("Shortest by"),
        list(ORDERS),
        key=feed("shortest.by", settings.compare.shortest_by),
        format_func=orders.__getitem__,
        required=True,
        on_change=_order_changed,
        help=message("Two different questions: the flattest consistent tree can have more tests than a deeper one."),
    )
    st.markdown(escape_markdown(found.text))
    st.table(_counts(found))
    st.markdown(_candidates(found))
    with st.container(horizontal=True):
        if found.shapes:
            _open_button()
        sample_button(settings)


def _counts(found: ex.ShortestTree) -> pd.DataFrame:
    """All trees, the consistent ones, and the tests of the smallest of these, by depth."""
    levels = range(len(found.trees_by_depth))
    return pd.DataFrame(
        {
            message("Trees"): [count_text(count) for count in found.trees_by_depth],
            message("Consistent"): [count_text(count) for count in found.consistent_by_depth],
            message("Fewest tests"): ["–" if n is None else f"{n:,}" for n in found.fewest_by_depth],
        },
        index=pd.Index([f"≤ {level}" for level in levels], name=message("Depth")),
    )


def _candidates(found: ex.ShortestTree) -> str:
    """The work of ID3 beside that of the search."""
    nodes = [count for level in found.greedy_candidates for count in level]
    work = candidates_text(nodes)
    answered = count_text(found.trees_by_depth[found.searched_to])
    return message(
        "ID3 compares {work} and never goes back. The exact search covers {trees} trees.", work=work, trees=answered
    )


def candidates_text(nodes: list[int]) -> str:
    """How many candidates ID3 compares, node by node where these are few.

    >>> candidates_text([4, 3, 3]), candidates_text([7] * 20)
    ('4 + 3 + 3 = 10 candidates', '140 candidates')
    """
    total = plural(sum(nodes), "{n:,} candidate", "{n:,} candidates")
    if not 1 < len(nodes) <= _LISTED:
        return total
    return message("{sum} = {total}", sum=" + ".join(map(str, nodes)), total=total)


def _order_changed() -> None:
    session.keep_part("compare", shortest_by=st.session_state["shortest.by"], shortest_position=0)


def _open_button() -> None:
    if st.button(
        message("Open on the Grow page"),
        icon=":material/account_tree:",
        key="shortest.open",
        help=message("ID3 with the splits of the shortest tree, chosen by hand: every node with all its candidates."),
    ):
        _take_tree()  # in this run, so that the browser's Back finds no address between the pages
        st.switch_page("pages/grow/page.py")


def _take_tree() -> None:
    """The splits of the tree shown become the reader's own choices on the Grow page."""
    settings = session.read()
    found = search.result(settings)
    if found is None:
        return
    how = search.recipe(settings)
    own = trees.explicit(settings) if trees.recipe(settings).name == how.name else GrowSettings(how.name)
    session.keep(changed(settings, grow=own, choices=search.tree_shown(settings, found).choices))


def sample_button(settings: Settings) -> None:
    """The table on which ID3 fails, unless it is there already."""
    if settings.sample != SAMPLE or settings.upload:
        st.button(
            message("The 6-row table where ID3 is not shortest"),
            icon=":material/table_chart:",
            key="shortest.sample",
            on_click=_open_sample,
        )


def _open_sample() -> None:
    if session.open_table(trees.parts, sample=SAMPLE, upload=""):
        fit_target()
