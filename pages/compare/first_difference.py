"""The first difference of two trees in one line above them, and what else there is to say about it."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.messages import message, plural
from pages.compare import difference_sentence, pruned_alike, side_by_side
from pages.compare import sides as sides_row
from pages.results import opened_tree
from pages.results.comparing import compared, comparison
from pages.settings.page_settings import PAIRS
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import same_splits
from pages.widgets.controls import feed, quiet_button

_REMARKS_SHOWN = 30


def show(settings: Settings) -> None:
    """The pair compared, where there are three sides; its first difference; a button that selects that node."""
    pair = comparison.compared_pair(settings)
    with st.container(key="difference", horizontal=True, vertical_alignment="center", gap="small"):
        pruned_alike.show(settings)
        if settings.compare.has_third:
            _pick_pair(settings)
        if pair is None:
            return
        walk = comparison.walk(settings, pair)
        st.markdown(_text(settings, pair, walk))
        if walk.difference is not None:
            quiet_button(
                message("Show that node"),
                "show_difference",
                "my_location",
                side_by_side.show_difference,
                about=message("Selects the node of the first difference in both trees."),
            )
        sides_row.offer_third(settings)
    _show_of_file(settings)


def _show_of_file(settings: Settings) -> None:
    """Where a tree that is open from a file first parts from side A, as far as that is grown on columns as it reads."""
    opened, slot = opened_tree.now(), settings.compare.slots[0]
    if opened is None or opened_tree.suited(settings, opened.tree) != settings or comparison.problem(settings, slot):
        return
    name = comparison.names(settings)[slot]
    title = message("**{file} beside {side}.**", file=escape_markdown(opened.name), side=escape_markdown(name))
    try:
        walk = opened_tree.walk(settings, opened, slot, name)
    except ex.InputError as error:
        st.markdown(f"{title} {escape_markdown(str(error))}")
        return
    found = walk.difference
    if found is None:
        st.markdown(f"{title} {same_splits.text(walk)}")
        return
    where = message("Node {node}: {rule}", node=found.node_a, rule=escape_markdown(found.sentence))
    st.markdown(f"{title} {message('**First difference.** {sentence}', sentence=where)}")


def _pick_pair(settings: Settings) -> None:
    """Which two of three sides are compared."""
    st.segmented_control(
        message("Pair compared"),
        list(PAIRS),
        key=feed("pair", settings.compare.pair),
        format_func=lambda pair: message("{first} and {second}", first=pair[0], second=pair[1]),
        required=True,
        on_change=_pair_changed,
        label_visibility="collapsed",
        width="content",
    )


def _pair_changed() -> None:
    side_by_side.keep_compare_changes(pair=st.session_state["pair"], cell=None, row=None, has_chosen_node=False)


def _text(settings: Settings, pair: tuple[str, str], walk: comparison.Walk) -> str:
    if walk.difference is not None:
        text = difference_sentence.sentence(*sides(settings, pair, walk.difference))
        return message("**First difference.** {sentence}", sentence=text)
    return same_splits.text(walk)


def sides(
    settings: Settings, pair: tuple[str, str], difference: ex.FirstDifference
) -> tuple[difference_sentence.Side, difference_sentence.Side]:
    """Both trees at the first difference."""
    names = comparison.names(settings)
    first, second = (compared.tree(settings, slot) for slot in pair)
    return (
        difference_sentence.Side(names[pair[0]], first.node(difference.node_a), difference.decision_a),
        difference_sentence.Side(names[pair[1]], second.node(difference.node_b), difference.decision_b),
    )


def show_reason(settings: Settings, pair: tuple[str, str]) -> None:
    """Why the trees differ there, and where splits that send the same rows the same way have another form."""
    walk = comparison.walk(settings, pair)
    if walk.difference is not None:
        st.markdown(message("**Why the trees differ.** {reason}", reason=escape_markdown(walk.difference.sentence)))
        if walk.alike:
            st.caption(
                plural(
                    len(walk.alike),
                    "{n:,} split before it is the same in both trees.",
                    "{n:,} splits before it are the same in both trees.",
                )
            )
    if walk.remarks:
        with st.expander(
            plural(
                len(walk.remarks), "{n:,} split with the same rows differs in form", "{n:,} splits differ in form only"
            )
        ):
            _show_remarks(walk.remarks)


def _show_remarks(remarks: tuple[str, ...]) -> None:
    for remark in remarks[:_REMARKS_SHOWN]:
        st.markdown(escape_markdown(remark))
    if len(remarks) > _REMARKS_SHOWN:
        st.caption(message("The first {shown:,} of {count:,} are shown.", shown=_REMARKS_SHOWN, count=len(remarks)))
