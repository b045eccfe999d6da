"""What to do with the rows of leaves, typed beside them: kept in the settings, and said wherever the tree predicts."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import explorer as ex
from explorer.messages import message
from explorer.tree.base_tree import MOST_LETTERS, is_action
from pages.settings import session
from pages.settings.settings import changed
from pages.widgets.controls import feed


def field(tree: ex.Tree, nodes: Sequence[int], key: str) -> None:
    """A text for all these nodes; it begins with the one that they have in common."""
    texts = {str(tree.node_actions[node]) for node in nodes}
    st.text_input(
        message("Action for this leaf") if len(nodes) == 1 else message("Action for these leaves"),
        key=feed(f"action.{key}", texts.pop() if len(texts) == 1 else ""),
        max_chars=MOST_LETTERS,
        on_change=_take,
        args=(tuple(nodes), f"action.{key}"),
        help=message("What to do with such rows. Rules, predictions, the saved tree and the exports say it."),
    )


def _take(nodes: Sequence[int], key: str) -> None:
    settings, text = session.read(), str(st.session_state[key] or "").strip()
    actions = {node: each for node, each in settings.actions if node not in nodes}
    if is_action(text):
        actions |= dict.fromkeys(nodes, text)
    session.keep(changed(settings, actions=tuple(sorted(actions.items()))))
