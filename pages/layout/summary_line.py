"""One line above the tree: which table, which rows, which algorithm, how large the tree is and how well it predicts."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import explorer as ex
from explorer.data.suggestions.by_hand import KEPT_ROWS
from explorer.data.suggestions.extra_rows import CASES
from explorer.formatting import leaves, percent
from explorer.messages import listing, message, plural
from explorer.tree.leaf_mixture import Decision
from pages.layout import repeated_id, table_switcher
from pages.results import connected_table, evaluation, opened_tree, trees
from pages.results.connected.opened import Rows
from pages.results.divided.division import dividing
from pages.results.evaluation import Score
from pages.results.of_table import open_suggestions
from pages.results.of_tree.grown_on import n_left_out
from pages.results.opened_tree import OpenedTree
from pages.settings import session
from pages.settings.labels import direction_words, sets_words
from pages.settings.settings import Settings
from pages.text import escape_markdown, number, score_text
from pages.uploads import models
from pages.widgets.controls import quiet_button

_NAMED = 2
"""So many monotone constraints are named in the line."""


def show(settings: Settings, tree: ex.Tree, more: Sequence[str] = (), offers_full: bool = False) -> None:
    """The line of a tree: the grown one, or one pruned from it; `more` are parts at its end, as Markdown.

    With `offers_full` it has the way to suggestions for the table that are open, and a first tree with limited leaves a
    button that grows it without the limit.
    """
    with st.container(key="summary"):
        opened = opened_tree.now()
        table_switcher.show(settings)
        parts = [rows_of(settings, tree if opened is None else None), _weighted_by(settings)]
        moved = f"*{_size(tree)} · {_score_text(settings, tree)}*"  # the shell shows the tree of a dragged slider there
        parts += (
            [algorithm_text(settings), _monotone(settings), _interactions(settings)]
            if opened is None
            else [_of_file(opened)]
        )
        parts += [moved, *more]
        parts.append(not_decided(settings, tree.classes) if tree.decision is None else "")
        st.markdown(" · ".join(part.replace(" %", "\N{NO-BREAK SPACE}%") for part in parts if part))
        if opened is None:
            of_open_ensemble()
            repeated_id.offer(settings)
        suggestions = open_suggestions.found(settings) if offers_full else ()
        if suggestions:
            label = open_suggestions.words(suggestions)
            st.page_link("pages/data/page.py", label=label, icon=":material/help:")
        if offers_full and not settings.view.frozen and trees.has_first_limit(settings):
            quiet_button(
                message("Grow fully"),
                "grow_fully",
                "",
                _grow_fully,
                about=message("Grow until every leaf is pure: min. samples per leaf 1."),
            )


def not_decided(settings: Settings, classes: Sequence[object]) -> str:
    """That trees of these classes predict the likelier one here, where a threshold or cutoffs decide on other pages."""
    if not settings.decide or len(settings.decide) != len(classes):
        return ""
    return message("threshold not applied here") if len(classes) == 2 else message("cutoffs not applied here")


def _of_file(opened: OpenedTree) -> str:
    """The file that the tree comes from, and the library that wrote it."""
    name = f"**{escape_markdown(opened.name)}**"
    return message("{name} ({library})", name=name, library=opened.source) if opened.source else name


def of_open_ensemble() -> None:
    """While an ensemble is open from a file: that the trees of this page are others, and the way to it."""
    opened = models.ensemble()
    if opened is None:
        return
    text = message(
        "{name} is open on the Ensembles page; what stands here is grown from the table.",
        name=escape_markdown(opened.name),
    )
    st.page_link("pages/ensembles/page.py", label=text, icon=":material/forest:")


def of_open_tree() -> None:
    """While a tree is open from a file: that the trees of this page are others, and the way to it."""
    opened = opened_tree.now()
    if opened is not None:
        text = message(
            "{name} is open on the Grow page; what stands here is grown from the table.",
            name=escape_markdown(opened.name),
        )
        st.page_link("pages/grow/page.py", label=text, icon=":material/account_tree:")


def show_example(text: str) -> None:
    """The line of an example with rows of its own."""
    with st.container(key="summary"):
        st.markdown(text)


def show_table(settings: Settings) -> None:
    """The line of a page that shows rows of the table in use but has no line of a tree: what opens another table."""
    with st.container(key="summary"):
        table_switcher.show(settings)
        st.markdown(rows_of(settings))


def rows_of(settings: Settings, tree: ex.Tree | None = None) -> str:
    """Which rows of the table in use are kept, how they are shared out, and what divides them.

    With a `tree`, how many of the training rows it was grown on, where rows with missing cells were left out.
    """
    shared_out = rows_text(trees.all_rows(settings), 0 if tree is None else n_left_out(tree))
    return " · ".join(filter(None, (_kept(settings), shared_out, divided_by(settings))))


def _kept(settings: Settings) -> str:
    """How many rows of the table a filter keeps; "" without one, and where a row has become several."""
    kinds = {repair.kind for repair in settings.repairs}
    if KEPT_ROWS.name not in kinds or CASES.name in kinds:
        return ""
    source = trees.source(settings)
    return message("{n:,} of {all:,} rows kept", n=source.n_rows, all=source.n_read)


def divided_by(settings: Settings) -> str:
    """What divides the rows of a table in memory; "" where they are divided at random."""
    columns = dividing(settings)
    if not columns:
        return ""
    column, times = escape_markdown(listing(columns)), trees.division(settings).times
    if times:
        return message("by {column} at {times}", column=column, times=escape_markdown(listing(times)))
    return message("by {column}", column=column)


def rows_text(parts: trees.Parts | Rows, n_left_out: int = 0) -> str:
    """How the rows are shared out; of the training rows, how many are left when so many are left out."""
    n_train = parts.train.n_rows
    used = f"{n_train - n_left_out:,}"
    train = message("{n} of {all:,}", n=used, all=n_train) if n_left_out else used
    if parts.valid is None and n_left_out:
        return message("{train} training rows", train=train)
    if parts.valid is None:
        return plural(n_train, "{n:,} training row", "{n:,} training rows")
    if parts.test is None:
        return message("{train} training + {valid:,} validation rows", train=train, valid=parts.valid.n_rows)
    return message(
        "{train} training + {valid:,} validation + {test:,} test rows",
        train=train,
        valid=parts.valid.n_rows,
        test=parts.test.n_rows,
    )


def algorithm_text(settings: Settings) -> str:
    """The algorithm, with the least leaf where it is the one that the first tree of the table is limited by."""
    recipe = trees.recipe(settings)
    if trees.has_first_limit(settings):
        named = {"algorithm": recipe.name, "n": recipe.min_rows_leaf}
        if trees.data(settings).weight_column is not None:
            return message("{algorithm}, min. weight per leaf {n:,}", **named)
        return message("{algorithm}, min. samples per leaf {n:,}", **named)
    return recipe.name


def _monotone(settings: Settings) -> str:
    """The features that the prediction may only rise or fall with; empty without any."""
    signs = trees.recipe(settings).monotone_signs
    if len(signs) > _NAMED:
        return plural(len(signs), "monotone in {n:,} feature", "monotone in {n:,} features")
    directions = listing([direction_words(name, sign) for name, sign in signs.items()])
    return message("monotone: {constraints}", constraints=escape_markdown(directions)) if signs else ""


def _interactions(settings: Settings) -> str:
    """The sets that paths keep to; empty without any."""
    sets = trees.recipe(settings).feature_sets
    return escape_markdown(sets_words(sets)) if sets else ""


def _weighted_by(settings: Settings) -> str:
    """The column with the weights of the rows; empty without one."""
    column = trees.data(settings).weight_column
    return "" if column is None else message("weighted by {column}", column=escape_markdown(column))


def _size(tree: ex.Tree) -> str:
    return message("{leaves}, depth {depth}", leaves=leaves(tree.n_leaves), depth=tree.max_depth)


def _score_text(settings: Settings, tree: ex.Tree) -> str:
    """The score, on held-out rows where there are some, beside the baseline; red where it is no better."""
    try:
        score = evaluation.held_out_score(settings, tree)
    except ex.InputError:
        if opened_tree.now() is None:
            raise
        return message("no score on this table")
    if score.rows == "training" and evaluation.leaves_one_out(settings):
        return message(
            "training {metric} {score}; a tree pruned by hand has no held-out score",
            metric=message("MSE") if tree.is_regression else message("accuracy"),
            score=score_text(score.value, tree.is_regression),
        )
    text = improvement_text(score, tree.is_regression)
    if score.is_better(tree.is_regression):
        return text
    if tree.decision is None:
        return f":red[{text}]"
    if isinstance(tree.decision, Decision):  # which has another aim than the accuracy
        return message("{score}, by the chosen threshold", score=text)
    return message("{score}, by the chosen cutoffs", score=text)


def improvement_text(score: Score, is_regression: bool) -> str:
    """A score beside its baseline, with the improvement in percentage points, or in per cent of the squared error."""
    shown = {
        "rows": score.name,
        "score": score_text(score.value, is_regression),
        "baseline": score_text(score.baseline, is_regression),
    }
    if is_regression:
        if score.is_worse(True):
            return message("{rows} MSE {score}, worse than the mean baseline ({baseline})", **shown)
        if not score.is_better(True):
            return message("{rows} MSE {score}, no better than the mean baseline ({baseline})", **shown)
        reduction = percent(score.reduction)
        return message(
            "{rows} MSE {score}, {reduction} below the mean baseline ({baseline})", reduction=reduction, **shown
        )
    if score.is_worse(False):
        return message("{rows} accuracy {score}, worse than the majority baseline ({baseline})", **shown)
    if not score.is_better(False):
        return message("{rows} accuracy {score}, no better than the majority baseline ({baseline})", **shown)
    return message(
        "{rows} accuracy {score}, {points} points over the majority ({baseline})",
        points=f"+{score.points:.1f}",
        **shown,
    )


def cost_text(settings: Settings) -> str:
    """The expected cost of the grown tree beside that of the cheapest constant prediction; empty without costs."""
    costs = evaluation.costs(settings)
    if not costs:
        return ""
    return cost_words(costs[-1].name, costs[-1].value, costs[-1].baseline)


def cost_words(rows: str, cost: float, baseline: float) -> str:
    """An expected cost on some rows, beside that of the cheapest constant prediction."""
    return message(
        "{rows} expected cost {cost}, cheapest constant prediction {baseline}",
        rows=rows,
        cost=number(cost, 3),
        baseline=number(baseline, 3),
    )


def _grow_fully() -> None:
    settings = session.read()
    growing = connected_table.grown_from_counts(settings, trees.explicit(settings).without("min_rows_leaf"))
    session.attempt(trees.check, grow=growing)
