"""Pruning by the complexity parameter α or by other methods, with the tree and its scores."""

import streamlit as st

import explorer as ex
from pages.prune import choose_size, fixed_alpha, methods_table, pruning_controls
from pages.results import provenance, pruned_tree, tree_size
from pages.settings.settings import Settings
from pages.widgets import downloads, page_frame, test_set, tree_panels


def slide(settings: Settings, pruned: ex.Tree) -> None:
    """α on the reader's tree: the view, the reasons, cross-validation, and the test set."""
    picture, after = st.container(), st.container()
    with after:
        reasons = st.container()
        st.subheader("Cross-validation", anchor=False)
        folded = choose_size.cross_validation(settings)
        st.subheader("Test part", anchor=False)
        test_set.show(settings, pruned, tree_size.tree_words(settings, pruned))
    with picture:
        tree_panels.show_sequence(settings, folded)
        pruning_controls.show(settings)
    with reasons:
        choose_size.why(tree_size.sentences(settings, pruned, folded))


settings = page_frame.start("Prune", "Pruning takes back what a full-grown tree has only learnt by heart.")
with page_frame.errors_shown():
    if settings.pruning != "per_node" and not (settings.pruning == "methods" and settings.book):
        page_frame.context_line(settings)
    pruning_controls.view_picker(settings)
    if settings.pruning == "slide":
        st.markdown("Every leaf costs α. The higher the price, the more subtrees collapse into leaves.")
        pruned = pruned_tree.pruned(settings)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            pruning_controls.risk(settings)
            pruning_controls.metric(settings)
            downloads.palette(settings)
            downloads.downloads(
                settings, lambda: provenance.of_pruned(settings, pruned), lambda: provenance.alpha_slider(settings)
            )
        pruning_controls.risk_remark(settings)
        pruning_controls.metric_remark(settings)
        slide(settings, pruned)
    elif settings.pruning == "given":
        with st.container(horizontal=True, vertical_alignment="bottom"):
            pruning_controls.risk(settings)
        fixed_alpha.fixed_alpha(settings)
    elif settings.pruning == "methods":
        methods_table.side_by_side(settings)
    else:
        fixed_alpha.loss_per_node(settings)
