"""The rail of the Predict page: the tree that predicts."""

from __future__ import annotations

import streamlit as st

from explorer.formatting import leaves
from explorer.messages import message
from pages.results import opened_tree, prediction, pruned_tree, tree_size, trees
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets.controls import feed


def show(settings: Settings) -> None:
    """The pruned tree or the full one, where they differ; and the way to the page that prunes."""
    opened = opened_tree.now()
    if opened is not None:
        st.caption(message("Predicted by {name}, as its file says.", name=escape_markdown(opened.name)))
        return
    full, pruned = trees.grown(settings).tree, pruned_tree.pruned(settings)
    if pruned.n_leaves == full.n_leaves:
        st.caption(message("Predicted by the full tree of {leaves}. Nothing is pruned.", leaves=leaves(full.n_leaves)))
    else:
        names = {False: message("Pruned tree"), True: message("Full tree")}
        st.radio(
            message("Predicted by"),
            list(names),
            key=feed("ask.tree", settings.predict.is_full),
            format_func=lambda is_full: names[is_full],
            on_change=lambda: prediction.take(session.read().predict.with_full_tree(st.session_state["ask.tree"])),
            help=message(
                "The pruned tree is the one chosen on the Prune page. The full tree is the one before pruning."
            ),
        )
        if settings.predict.is_full:
            st.caption(message("The full tree of {leaves}.", leaves=leaves(full.n_leaves)))
        else:
            words = escape_markdown(tree_size.tree_words(settings, pruned))
            st.caption(message("From the Prune page: {tree}. The full tree has {n:,}.", tree=words, n=full.n_leaves))
    st.page_link("pages/prune/page.py", label=message("Choose its size"), icon=":material/content_cut:")
