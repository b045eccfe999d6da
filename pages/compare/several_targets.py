"""One tree for several targets: the tree on the stage, and beside it candidates, leaves, and a tree for each target."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.drawing.figures import target_figures
from explorer.drawing.tree_view import colour_themes
from explorer.explaining import reached_by
from explorer.formatting import leaves, percent, visible
from explorer.messages import message, plural
from pages.compare import mode
from pages.compare.side_by_side import keep_compare_changes
from pages.grow import growing_controls
from pages.layout import bar, growing, shell
from pages.results import trees
from pages.results.class_colours import palette
from pages.results.many_trees import several_targets as results
from pages.settings import session, url
from pages.settings.settings import Settings, changed
from pages.text import escape_markdown, number, score_text
from pages.widgets import job_button, open_tabs, page_frame, tables, tree_panels, tree_view
from pages.widgets.controls import feed

_MOST_LEAVES, _MOST_ABREAST = 60, 3
_WIDTH = 280
"""Pixels for the settings of the tree."""


def show(settings: Settings) -> None:
    """The targets in the line above, then the tree once it is grown."""
    growing.wait(settings)
    bar.show(settings)
    mode.show(settings, lambda: _line(settings))
    if not results.is_at_hand(settings):
        label = message("Grow one tree for all targets")
        job_button.run(
            "several_targets",
            label,
            (message("row"), results.sets(settings).train.n_rows),
            results.job_key(settings),
            results.work(settings),
        )
        return
    show_workbench()


@st.fragment
def show_workbench() -> None:
    """The tree and the inspector: a click runs only this again, and the web address follows it."""
    settings = session.read()
    url.write()
    stage, inspector = shell.workbench()
    with stage, page_frame.errors_shown():
        _show_tree(settings)
    with inspector, page_frame.errors_shown():
        _show_inspector(settings)


def _line(settings: Settings) -> None:
    """The further targets, the target in view, and whether decreases count as shares."""
    further = results.further_targets(settings)
    first = trees.data(settings).target.name
    st.multiselect(
        message("Targets beside {target}", target=escape_markdown(first)),
        results.candidates_for_targets(settings),
        key=feed("targets.more", list(further)),
        on_change=_keep_targets,
        placeholder=message("Further targets"),
        max_selections=9,
        label_visibility="collapsed",
        width=300,
    )
    st.toggle(
        message("As shares"),
        key=feed("targets.standardised", settings.compare.standardises),
        on_change=_keep_standardised,
        help=message(
            "Each target’s decrease counts as a share of its impurity at the root. Otherwise the target with the "
            "largest unit decides."
        ),
    )
    recipe = results.recipe(settings)
    popover = st.popover(_recipe_name(recipe), help=message("Settings of the tree"), key="targets.settings")
    with popover, st.container(width=_WIDTH):
        growing_controls.show(results.SLOT, settings)
    if results.is_at_hand(settings):
        grown = results.grown(settings)
        st.markdown(
            f"{leaves(grown.n_leaves)} · {grown.trees[0].rows_text(float(grown.trees[0].weight[0]))}", width="content"
        )


def _recipe_name(recipe: ex.Recipe) -> str:
    """The algorithm, with its depth where that is limited."""
    if recipe.max_depth is None:
        return escape_markdown(recipe.name)
    return message("{algorithm}, max. depth {depth}", algorithm=escape_markdown(recipe.name), depth=recipe.max_depth)


def _keep_targets() -> None:
    keep_compare_changes(more_targets=tuple(st.session_state["targets.more"]), shown_target="")
    _select(0)


def _keep_standardised() -> None:
    keep_compare_changes(standardises=st.session_state["targets.standardised"])
    _select(0)


def _select(node: int) -> None:
    session.keep(changed(session.read(), left_node=node))


def _selected(settings: Settings) -> int:
    """The selected node; the root where the tree does not have it."""
    return settings.left_node if settings.left_node < results.grown(settings).trees[0].n_nodes_grown else 0


def _show_tree(settings: Settings) -> None:
    """The tree with the statistics of the target in view."""
    grown, which = results.grown(settings), results.target_in_view(settings)
    tree = grown.trees[which]
    selected = _selected(settings)
    colours = palette(settings) if which == 0 else settings.palette
    tree_view.view(
        "several_targets",
        results.payload(settings),
        tree_view.Shown(selected),
        colour_themes(max(len(each.classes) for each in grown.trees), colours),
        lambda shown: _select(max(shown.selected, 0)),
        rule=tree_panels.rule(tree, selected),
        **tree_panels.looks(settings, tree),
    )


def _show_inspector(settings: Settings) -> None:
    """Whose statistics the tree shows; the node's candidates, the leaves, and one tree against several."""
    page_frame.show_sample(settings)
    _choose_target(settings)
    tabs = {
        "candidates": (message("Candidates"), partial(_show_candidates, settings)),
        "leaves": (message("Leaves"), partial(_show_leaves, settings)),
        "scores": (message("One tree or several"), partial(_show_scores, settings)),
    }
    open_tabs.show(tabs, "targets.tab")


def _choose_target(settings: Settings) -> None:
    """The target whose classes or means the tree shows, and why the tree is not grown by the algorithm of side A."""
    targets = results.grown(settings).targets
    st.segmented_control(
        message("The tree shows"),
        range(len(targets)),
        key=feed("targets.shown", results.target_in_view(settings)),
        format_func=lambda j: escape_markdown(visible(targets[j])),
        required=True,
        on_change=lambda: keep_compare_changes(shown_target=targets[st.session_state["targets.shown"]]),
    )
    if results.needs_classes(settings):
        name = escape_markdown(trees.recipe(settings, results.SLOT).name)
        st.caption(message("{algorithm} needs classes, so the tree is grown by CART.", algorithm=name))


def _show_candidates(settings: Settings) -> None:
    """The best split of every feature, with what each target adds to its decrease."""
    grown, node = results.grown(settings), _selected(settings)
    decision = results.decision(settings, node)
    tree = grown.trees[0]
    branch = message("all rows") if node == 0 else escape_markdown(visible(reached_by(tree, node)))
    st.markdown(f"**{message('Node {node}', node=node)} · {branch} · {tree.rows_text(float(tree.weight[node]))}**")
    if decision.stop_reason:
        st.markdown(message("Leaf: {reason}.", reason=decision.stop_reason))
    if not decision.candidates:
        return
    chosen = None if decision.chosen is None else decision.chosen.candidate.condition
    is_chosen = [one.candidate.condition == chosen for one in decision.candidates]
    splits = [one.candidate.condition.text for one in decision.candidates]
    shares = [one.shares for one in decision.candidates]
    figure = target_figures.stacked_decreases(splits, shares, grown.targets, page_frame.colours())
    if grown.is_standardised:
        figure.update_xaxes(tickformat=".0%")
    st.plotly_chart(figure, key="targets.decreases", config=page_frame.STILL)
    frame = _candidates_frame(grown, decision)
    fits = len(grown.targets) <= _MOST_ABREAST
    tables.numbers_table(frame, is_chosen, "targets.candidates", right=list(frame.columns[1:]), wraps=fits)
    if grown.is_standardised:
        st.caption(message("A share: the target’s decrease divided by its impurity at the root. The mean decides."))
    else:
        st.caption(message("The mean of the decreases decides, each in the unit of its target."))


def _candidates_frame(grown: ex.MultiOutputTree, decision: ex.JointDecision) -> pd.DataFrame:
    """One row per feature: its best split, the mean, and the decrease of each target."""
    lines = []
    for one in decision.candidates:
        size = percent if grown.is_standardised else number
        line = {"split": one.candidate.condition.text, "mean": size(one.gain)}
        amounts = one.shares if grown.is_standardised else one.decreases
        line |= {visible(target): size(amount) for target, amount in zip(grown.targets, amounts, strict=True)}
        lines.append(line)
    return pd.DataFrame(lines)


def _show_leaves(settings: Settings) -> None:
    """Every leaf with one small bar per target."""
    grown = results.grown(settings)
    listed = grown.trees[0].leaves()
    st.html(
        target_figures.leaf_bars(grown.trees, listed[:_MOST_LEAVES].tolist(), page_frame.colours(), _selected(settings))
    )
    if len(listed) > _MOST_LEAVES:
        st.caption(message("The first {shown} of {n:,} leaves.", shown=_MOST_LEAVES, n=len(listed)))


def _show_scores(settings: Settings) -> None:
    """Nodes and scores of one tree for all targets, and of a tree for each."""
    grown, listed = results.grown(settings), results.scores(settings)
    sets = results.sets(settings)
    where = message("Validation rows") if sets.valid else message("Training rows")
    alone = sum(one.leaves_alone for one in listed)
    st.markdown(
        message(
            "One tree: **{together}**. A tree for each target: **{alone}** together.",
            together=leaves(grown.n_leaves),
            alone=leaves(alone),
        )
    )
    lines = []
    for one in listed:
        measure = message("MSE") if one.is_regression else message("accuracy")
        lines.append(
            {
                message("target"): visible(one.target),
                message("score"): measure,
                message("one tree"): score_text(one.together, one.is_regression),
                message("own tree"): score_text(one.alone, one.is_regression),
                message("own leaves"): f"{one.leaves_alone:,}",
                message("baseline"): score_text(one.baseline, one.is_regression),
            }
        )
    st.dataframe(pd.DataFrame(lines), hide_index=True, key="targets.scores")
    st.caption(message("{rows}. Baseline: the majority class, or the mean.", rows=where))
    if sets.train.n_left_out:
        st.caption(
            plural(
                sets.train.n_left_out,
                "{n:,} row without a value of every target is left out.",
                "{n:,} rows without a value of every target are left out.",
            )
        )
