"""Pruning: give every leaf a price α, and watch the tree and its scores."""

import streamlit as st

import explorer as ex
from pages.parts import (
    choosing,
    exports,
    methods,
    page,
    price,
    procedures,
    provenance,
    reasons,
    sliders,
    trees,
    weakest,
)
from pages.parts.state import Settings


def slide(settings: Settings, pruned: ex.Tree) -> None:
    """α on the reader's tree: the view, the reasons, cross-validation, and the sealed test part."""
    picture, after = st.container(), st.container()
    with after:
        said = st.container()
        st.subheader("Cross-validation", anchor=False)
        folded = choosing.cross_validation(settings)
        st.subheader("Test part", anchor=False)
        choosing.sealed_test(settings, pruned, reasons.tree_words(settings, pruned))
    with picture:
        trees.show_sequence(settings, folded)
        weakest.show(settings)
    with said:
        choosing.why(reasons.sentences(settings, pruned, folded))


settings = page.start("Prune", "Pruning takes back what a full-grown tree has only learnt by heart.")
with page.errors_shown():
    if settings.pruning != "per_node" and not (settings.pruning == "methods" and settings.book):
        page.context_line(settings)
    price.way(settings)
    if settings.pruning == "slide":
        st.markdown("Every leaf costs α. The higher the price, the more subtrees collapse into leaves.")
        pruned = trees.pruned(settings)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            price.risk(settings)
            price.metric(settings)
            exports.palette(settings)
            exports.downloads(
                settings, lambda: provenance.of_pruned(settings, pruned), lambda: sliders.alpha_slider(settings)
            )
        price.risk_remark(settings)
        price.metric_remark(settings)
        slide(settings, pruned)
    elif settings.pruning == "given":
        with st.container(horizontal=True, vertical_alignment="bottom"):
            price.risk(settings)
        procedures.given_alpha(settings)
    elif settings.pruning == "methods":
        methods.side_by_side(settings)
    else:
        procedures.loss_per_node(settings)
