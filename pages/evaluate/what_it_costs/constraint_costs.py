"""What limits, directions, costs, manual choices and columns of the tree cost: on demand, in the background.

Constraints on features, or else the choices made by hand, are asked about first and alone; the rest has its own button.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.evaluation.comparison.constraint_costs import CHOICE, COLUMN, Constraint, ConstraintCost, constraints_of
from explorer.formatting import number, shortened, visible
from explorer.messages import listing, message, paragraph, plural
from explorer.recipe.recipe import Recipe
from pages.evaluate.what_it_costs.cost_sentence import cost_text, sentence
from pages.layout.summary_line import not_decided
from pages.results import cross_validation, jobs, trees
from pages.settings.growing_options import BY_FIELD
from pages.settings.labels import direction_words
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import job_button, tables, tree_panels

_MOST_COLUMNS = 10
_MOST_SENTENCES = 3
_LONGEST = 40


def come_first(settings: Settings) -> bool:
    """Whether the reader has set what to ask the cost of: constraints on features, or splits by hand."""
    return bool(_asked(settings))


def _asked(settings: Settings) -> list[Constraint]:
    """The constraints to ask about first: those on features, or else choices by hand."""
    constraints = constraints_of(trees.recipe(settings), settings.choices)
    on_features = [constraint for constraint in constraints if constraint.field in ("monotone", "interactions")]
    return on_features or [constraint for constraint in constraints if constraint.field == CHOICE]


def show(settings: Settings, tree: ex.Tree) -> None:
    """A button, progress, and what each costs: those asked about first, then on demand the others."""
    asked, recipe = _asked(settings), trees.recipe(settings)
    others = [each for each in constraints_of(recipe, settings.choices) if each not in asked]
    columns = [tree.features[position].name for position in tree.tested_features()][:_MOST_COLUMNS]
    if len(asked) == 1:
        st.markdown(message("**What “{name}” costs**", name=_named(asked[0], recipe)))
    elif asked:
        st.markdown(message("**What each costs**"))
    else:
        st.markdown(message("**What each limit and column costs**"))
    undecided = not_decided(settings, tree.classes)
    if undecided:
        st.caption(f":material/info: {undecided}")
    if recipe.prepruning or settings.connected:
        st.markdown(message("Folds need the rows in memory, and no pre-pruning."))
        return
    if not asked:
        st.caption(
            message(
                "The tree is grown anew without each limit, direction, cost and choice of Grow, and without each "
                "column that it tests; trees of the folds show how the loss of held-out rows changes."
            )
        )
        found = _found(settings, "without", message("Grow without each"), others, columns)
    elif len(asked) == 1:
        found = _found(settings, "without", message("Grow without it"), asked, [])
    else:
        found = _found(settings, "without", message("Grow without each"), asked, [])
    if found is not None:
        _first(settings, found, bool(asked), recipe)
    if asked:
        found = _found(settings, "others", message("Grow without each other limit and column"), others, columns)
        if found is not None:
            _table(found, recipe, "others.table")


def _first(settings: Settings, found: ex.ConstraintCosts, is_asked: bool, recipe: Recipe) -> None:
    """What was found first: a few constraints that were asked about in sentences, others in a table."""
    if is_asked and len(found.costs) <= _MOST_SENTENCES:
        _sentences(found, recipe)
    else:
        _table(found, recipe, "without.table")
    st.caption(_notes(settings, found))


def _found(
    settings: Settings, name: str, label: str, constraints: Sequence[Constraint], columns: Sequence[str]
) -> ex.ConstraintCosts | None:
    """What these cost, with the button that has it worked out; the first ones have the controls of the folds."""
    train, recipe, choices = trees.parts(settings).train, trees.recipe(settings), settings.choices
    alpha, folds, seed = _alpha(settings), cross_validation.n_folds(settings), settings.fold_seed

    def work(progress: jobs.Progress) -> object:
        return ex.constraint_costs(train, recipe, choices, columns, alpha, folds, seed, progress, constraints)

    steps = message("Tree"), (1 + len(columns) + len(constraints)) * (folds + 1)
    key = f"without {name} {trees.grown_key(settings)} {columns} {alpha} {folds} {seed}"
    if name == "without":
        found = job_button.on_folds(name, label, steps, key, work, settings)
    else:
        found = job_button.run(name, label, steps, key, work)
    return found if isinstance(found, ex.ConstraintCosts) else None


def _alpha(settings: Settings) -> float | None:
    return settings.alpha if settings.risk == "impurity" else None


def _sentences(found: ex.ConstraintCosts, recipe: Recipe) -> None:
    """What each costs in words, with a button to the node of the first difference."""
    for position, cost in enumerate(found.costs):
        st.markdown(sentence(_named(cost.constraint, recipe), found.tree, cost, found.metric))
        if cost.first_difference is not None:
            node = cost.first_difference.node_a
            label = message("Show node {node} on the tree", node=node)
            st.button(
                label,
                key=f"without.node{position}",
                type="tertiary",
                icon=":material/my_location:",
                on_click=tree_panels.take_node,
                args=("grow", node),
            )


def _notes(settings: Settings, found: ex.ConstraintCosts) -> str:
    """How the loss was found."""
    loss, folds, alpha = cost_text(found.metric, found.loss), cross_validation.n_folds(settings), _alpha(settings)
    note = message(
        "On the rows that each of {folds} folds holds out, ± one standard error; as they are, the trees lose {loss}.",
        folds=folds,
        loss=loss,
    )
    return paragraph(
        [note, message("Every tree is pruned at α = {alpha}.", alpha=number(alpha))] if alpha is not None else [note]
    )


def _table(found: ex.ConstraintCosts, recipe: Recipe, key: str) -> None:
    """A line for each, the costliest first, below that of the tree as it is; a click selects the first difference."""
    costs = sorted(found.costs, key=lambda cost: cost.change[0])
    lines = [_line(message("as it is"), found.tree, cost_text(found.metric, found.loss, is_short=True), "")]
    lines += [
        _line(
            shortened(_plain_name(cost.constraint, recipe), _LONGEST),
            cost.tree,
            cost_text(found.metric, cost.change, is_short=True, has_sign=True),
            _place(cost),
        )
        for cost in costs
    ]
    nodes = [None, *(None if cost.first_difference is None else cost.first_difference.node_a for cost in costs)]
    tables.numbers_table(
        pd.DataFrame(lines),
        [False] * len(lines),
        key,
        on_row=lambda: tree_panels.take_of_line(key, nodes),
        by_cell=True,
    )
    st.caption(
        message(
            "Loss: {loss} on held-out rows, and its change ± one standard error; below 0 the tree without it is "
            "better. Same tests: the tree on all rows is the same without it, only trees of the folds differ. A click "
            "selects the node of the first difference.",
            loss=_LOSSES[found.metric](),
        )
    )
    if found.surrogates_lost:
        st.caption(_surrogates_text(found.surrogates_lost))


def _surrogates_text(counts: Mapping[str, int]) -> str:
    """What else is lost with each column: its surrogate splits, by the number of splits that have one."""
    each = [
        plural(
            n,
            "{column} at {n:,} split",
            "{column} at {n:,} splits",
            column=escape_markdown(shortened(visible(column), _LONGEST)),
        )
        for column, n in counts.items()
    ]
    return message(
        "Without a column the tree also loses its surrogate splits, by which rows go where the value of a split is "
        "missing: {columns}. The loss counts both.",
        columns=listing(each),
    )


_LOSSES = {
    "error": lambda: message("error rate in points"),
    "expected_cost": lambda: message("expected cost"),
    "mse": lambda: message("mean squared error"),
    "mae": lambda: message("mean absolute error"),
    "quantile_loss": lambda: message("quantile loss"),
}


def _line(name: str, tree: ex.Tree, loss: str, place: str) -> dict[str, object]:
    return {
        message("without"): name,
        message("leaves"): tree.n_leaves,
        message("loss"): loss,
        message("first differs"): place,
    }


def _place(cost: ConstraintCost) -> str:
    """The node of the tree as it is where the other first differs."""
    difference = cost.first_difference
    if difference is not None:
        return message("node {node}", node=difference.node_a)
    if cost.walk.leaves_otherwise or cost.walk.shared_otherwise:
        return message("other leaves")
    return message("same tests")


def _named(constraint: Constraint, recipe: Recipe) -> str:
    return escape_markdown(shortened(_plain_name(constraint, recipe), 2 * _LONGEST))


def _plain_name(constraint: Constraint, recipe: Recipe) -> str:
    """A constraint in words, a direction with its sign."""
    if constraint.field == "monotone":
        column = str(constraint.subject)
        return message(
            "monotone: {constraints}", constraints=direction_words(visible(column), recipe.monotone_signs[column])
        )
    return name_of(constraint)


def name_of(constraint: Constraint) -> str:
    """A constraint in words.

    >>> name_of(Constraint("max_depth")), name_of(Constraint("feature_costs", "age")), name_of(Constraint("choice", 1))
    ('Max. depth', 'Feature costs: age', 'choice 2')
    """
    if constraint.field == CHOICE:
        return message("choice {n}", n=int(constraint.subject or 0) + 1)
    subject = shortened(visible(str(constraint.subject)), _LONGEST)
    if constraint.field == COLUMN:
        return message("column {name}", name=subject)
    label = BY_FIELD[constraint.field].label
    return label if constraint.subject is None else f"{label}: {subject}"
