"""Methods side by side: what each pruning method makes of the reader's tree, and its steps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from explorer.evaluation.evaluation import score_by
from explorer.formatting import METRIC_NAMES
from explorer.pruning.methods import PRUNING_METHODS, MethodOption
from pages.prune import pruning_controls, step_player, textbook_example
from pages.results import evaluation, provenance, pruning, pruning_steps, trees
from pages.results.class_colours import palette
from pages.results.pruning import PrunedResult
from pages.settings import labels, session
from pages.settings.settings import Settings
from pages.text import escape_markdown, metric_text, milliseconds, number
from pages.widgets import c45_controls, downloads, page_frame
from pages.widgets.controls import feed, keep_value
from pages.widgets.tree_picker import pick_row

_WIDTH = 225
_STORY = "Each method has a reason of its own to make a node a leaf. Pick one to see its tree, and step through it."


def side_by_side(settings: Settings) -> None:
    """Options, the table of methods, and the tree of the selected method; or the example from the book."""
    textbook_example.button(settings)
    if settings.book:
        textbook_example.show(settings)
        return
    st.markdown(_STORY)
    _options(settings)
    pruning_controls.metric_remark(settings)
    results, reasons = pruning.results(settings)
    if settings.method not in results:
        text = f"{labels.METHODS[settings.method]} is not possible here, so the unpruned tree is shown."
        page_frame.show_notice("info", text)
    shown = settings.method if settings.method in results else "unpruned"
    metric = trees.metric(settings)
    st.space("small")
    frame = pd.DataFrame([_row(method, cut, metric) for method, cut in results.items()])
    pick_row(frame, list(results), shown, "method", labels.METHODS)
    _remarks(settings, reasons, metric)
    _show(settings, shown)


def _row(method: str, result: PrunedResult, metric: str) -> dict[str, object]:
    return {
        "method": labels.METHODS[method],
        "leaves": result.tree.n_leaves,
        "depth": result.tree.max_depth,
        "training": metric_text(result.training, metric),
        "validation": metric_text(result.validation, metric),
        **({} if result.cost is None else {"cost per row": number(result.cost, 3)}),
        "time": "–" if method == "unpruned" else milliseconds(result.seconds),
    }


def _remarks(settings: Settings, reasons: Mapping[str, str], metric: str) -> None:
    """What the scores are and what they are worth, and which methods are left out."""
    subsets, tree = trees.parts(settings), trees.grown(settings).tree
    bases = [f"training {metric_text(score_by(tree, subsets.train, metric).baseline, metric)}"]
    if subsets.valid is not None:
        bases.append(f"validation {metric_text(score_by(tree, subsets.valid, metric).baseline, metric)}")
    lines = [f"Scores: {METRIC_NAMES[metric]}. Baselines: {', '.join(bases)}."]
    costs = evaluation.costs(settings)
    if costs:
        least = number(costs[-1].baseline, 3)
        lines.append(f"Cost per row of {costs[-1].rows.lower()}; always the answer that costs least: {least}.")
    if "cost_complexity" not in reasons:
        lines.append(f"α is chosen by {pruning.selected_on(settings)}.")
    if subsets.valid is not None:
        lines.append("What was chosen on the validation rows looks better there than on new rows.")
    st.caption(" ".join(lines))
    for method, reason in reasons.items():
        st.caption(f"**{labels.METHODS[method]}**: {escape_markdown(reason)}")
    if subsets.valid is None:
        st.button("Set 30 % of the rows aside for validation", key="set_aside", on_click=_set_aside)


def _set_aside() -> None:
    session.attempt(trees.grown, split="two", share=70)


def _show(settings: Settings, method: str) -> None:
    """The tree of one method with its steps."""
    sequence = pruning_steps.step_sequence(settings, method)
    st.subheader(labels.METHODS[method], anchor=False)
    if sequence.remark:
        st.caption(sequence.remark)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        downloads.palette(settings)
        has_steps = method != "unpruned"
        downloads.downloads(
            settings,
            lambda: provenance.of_method(settings, method),
            partial(provenance.method_slider, settings, method) if has_steps else None,
        )
    step_player.show(f"methods.{method}", sequence, palette(settings))
    if sequence.decisions:
        with st.expander("The decisions, with the numbers of the grown tree’s nodes"):
            st.dataframe(pd.DataFrame({"decision": sequence.decisions}), key="methods.told")


def _options(settings: Settings) -> None:
    """One control per option of a method; those of methods that are not possible here are left out."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pruning_controls.metric(settings)
        if trees.parts(settings).valid is not None:
            for option in PRUNING_METHODS["reduced_error"].options:
                _choice(option, settings)
        if not trees.data(settings).is_regression:
            _pessimism(settings)


def _pessimism(settings: Settings) -> None:
    chance = "The chance that a leaf is even worse than assumed: a smaller one prunes more. C4.5 has 0.25."
    c45_controls.confidence(settings, "Pessimistic: confidence", "methods", chance, _WIDTH)
    c45_controls.limit(settings, "Pessimistic: limit", "methods", _WIDTH)
    problem = pruning.no_raising(settings)
    if problem:
        st.caption(f"No raising here: {escape_markdown(problem)}.")
        return
    with st.container(width=_WIDTH):
        st.toggle(
            "Raise subtrees",
            help="Also try the largest branch in its parent’s place, with all rows of the parent. "
            f"Tried for up to {pruning.MOST_RAISED:,} training rows, where it takes about a second.",
            **_bound("raising", settings.raising),
        )


def _choice(option: MethodOption, settings: Settings) -> None:
    labels_of = option.values or {}
    st.selectbox(
        option.label,
        list(labels_of),
        format_func=lambda value: labels_of[value],
        help=option.help_text,
        width=_WIDTH,
        **_bound(option.name, getattr(settings, option.name)),
    )


def _bound(field: str, value: object) -> dict[str, Any]:
    """What binds a widget to a field of the settings."""
    key = f"methods.{field}"
    return {"key": feed(key, value), "on_change": keep_value, "args": (field, key)}
