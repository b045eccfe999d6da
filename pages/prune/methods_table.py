"""Methods side by side: what each pruning method makes of the reader's tree, and its steps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pandas as pd
import streamlit as st

from explorer.evaluation.evaluation import score_by
from explorer.formatting import METRIC_NAMES, leaves
from explorer.messages import message, paragraph
from pages.layout import bar, shell, summary_line
from pages.prune import step_player
from pages.results import evaluation, provenance, pruned_tree, pruning, pruning_steps, trees
from pages.results.class_colours import palette
from pages.results.of_tree.grown_on import grown_on
from pages.results.pruning import PrunedResult
from pages.settings import labels, session
from pages.settings.settings import Settings
from pages.text import escape_markdown, metric_text, milliseconds, number, numbers_in_markdown, score_text
from pages.widgets import page_frame
from pages.widgets.tree_picker import pick_row


def shown_method(settings: Settings) -> str:
    """The method whose tree is on the stage: the one chosen, or no pruning where it is not possible."""
    return settings.method if settings.method in pruning.results(settings)[0] else "unpruned"


def show_bar(settings: Settings) -> None:
    """Share, and the downloads of the method's tree."""
    method = shown_method(settings)
    slider = partial(provenance.method_slider, settings, method) if method != "unpruned" else None
    bar.show(settings, lambda: provenance.of_method(settings, method), slider)


def side_by_side(settings: Settings) -> None:
    """The tree of the selected method with its steps on the stage; the table of methods in the inspector."""
    results, reasons = pruning.results(settings)
    shown, metric = shown_method(settings), trees.metric(settings)
    summary_line.show(settings, results[shown].tree, more=[f"**{labels.METHODS[shown]}**"])
    stage, inspector = shell.workbench(wide=True)
    sequence = pruning_steps.step_sequence(settings, shown)
    with stage:
        step = step_player.show(f"methods.{shown}", sequence, palette(settings))
    with inspector:
        if settings.method not in results:
            name = labels.METHODS[settings.method]
            page_frame.show_notice("info", message("{method} is not possible here; the tree is unpruned.", method=name))
        _kept_tree(settings)
        frame = pd.DataFrame([_row(method, result, metric) for method, result in results.items()])
        if trees.parts(settings).valid is None:
            frame = frame.drop(columns="validation")
        pick_row(frame, list(results), shown, "method", labels.METHODS)
        step_player.show_formula(f"methods.{shown}", sequence, step)
        if sequence.remark:
            st.caption(sequence.remark)
        _remarks(settings, reasons, metric)
        _times(settings)
        if sequence.decisions:
            with st.expander(message("All decisions, with the node numbers of the grown tree")):
                st.dataframe(pd.DataFrame({message("decision"): sequence.decisions}), key="methods.decisions")


def _kept_tree(settings: Settings) -> None:
    """The size that was chosen by α or by hand: the methods here leave it as it is."""
    kept = pruned_tree.pruned(settings)
    if kept.is_pruned.any():
        shown = {"leaves": leaves(kept.n_leaves), "page": labels.PRUNING["slide"]}
        st.caption(message("Other pages keep the tree chosen under “{page}”, with {leaves}.", **shown))


def _times(settings: Settings) -> None:
    """Pre- beside post-pruning, measured once the reader opens it."""
    if trees.parts(settings).valid is None:
        return
    title = message("Pre- and post-pruning: time to grow and to predict")
    with st.expander(title, key="methods.times", on_change="rerun") as opened:
        if opened.open:
            with page_frame.errors_shown():
                _show_times(settings)


def _show_times(settings: Settings) -> None:
    """The trees with their leaves, their scores and the times of one run on this machine."""
    names = {"unpruned": labels.METHODS["unpruned"], "pre": message("Pre-pruned"), "post": message("Post-pruned")}
    times = pruning.times(settings)
    lines = [
        ("", *map(names.__getitem__, times)),
        (message("leaves"), *(f"{each.tree.n_leaves:,}" for each in times.values())),
        (message("validation"), *(score_text(each.score, each.tree.is_regression) for each in times.values())),
        (message("grow"), *(milliseconds(each.grow) for each in times.values())),
        (message("predict"), *(milliseconds(each.predict) for each in times.values())),
    ]
    st.markdown(numbers_in_markdown(lines))
    st.caption(
        message(
            "Times of this machine, the shortest of runs taken in turn: to grow the tree, pruning included, and to "
            "predict all validation rows. Pre-pruning stops where a split does not help at once, and may underfit. "
            "Post-pruning (reduced error) grows the whole tree first."
        )
    )


def _row(method: str, result: PrunedResult, metric: str) -> dict[str, object]:
    return {
        "method": labels.METHODS[method],
        "leaves": result.tree.n_leaves,
        "validation": metric_text(result.validation, metric),
        "training": metric_text(result.training, metric),
        **({} if result.cost is None else {"expected cost": number(result.cost, 3)}),
    }


def _remarks(settings: Settings, reasons: Mapping[str, str], metric: str) -> None:
    """What the scores are and what they are worth, and which methods are left out."""
    subsets, tree = trees.parts(settings), trees.grown(settings).tree
    on_train = metric_text(score_by(tree, grown_on(subsets.train, tree.recipe), metric).baseline, metric)
    lines = [
        message(
            "Metric: {metric}. Baseline on the training rows: {value}.", metric=METRIC_NAMES[metric], value=on_train
        )
    ]
    if subsets.valid is not None:
        on_valid = metric_text(score_by(tree, subsets.valid, metric).baseline, metric)
        lines.append(message("Baseline on the validation rows: {value}.", value=on_valid))
    costs = evaluation.costs(settings)
    if costs:
        cost = number(costs[-1].baseline, 3)
        lines.append(
            message("Cost per {rows} row of the cheapest constant prediction: {cost}.", rows=costs[-1].name, cost=cost)
        )
    if "cost_complexity" not in reasons:
        lines.append(message("α is chosen by {rows}.", rows=pruning.selected_on(settings)))
    if subsets.valid is not None:
        lines.append(message("A tree chosen by its validation score is expected to score lower on new rows."))
    st.caption(paragraph(lines))
    for method, reason in reasons.items():
        st.caption(f"**{labels.METHODS[method]}**: {escape_markdown(reason)}")
    if subsets.valid is None:
        st.button(message("Use 30 % of the rows for validation"), key="set_aside", on_click=_set_aside)


def _set_aside() -> None:
    session.attempt(trees.check, split="two", share=70)
