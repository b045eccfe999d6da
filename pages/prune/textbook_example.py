"""The example of Zhou's book (Machine Learning, section 4.3): watermelons, pruned before, while and after growing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer import explaining
from explorer.drawing.tree_view.payload import signature, tree_payload, variants_payload
from explorer.messages import current_catalogue, message
from explorer.tree import metrics
from pages.layout import shell, summary_line
from pages.prune import step_player
from pages.results import pruning_steps
from pages.results.cache import kept
from pages.results.class_colours import palette
from pages.results.lessons.melons import REDUCED_ERROR_OPTIONS, parts, pruned
from pages.results.pruning_steps import StepSequence
from pages.settings import labels, session
from pages.settings.settings import Settings, changed
from pages.text import score_text
from pages.widgets.tree_picker import pick_row

_PUBLISHED = {"unpruned": 3, "pre": 5, "zhou": 5}
"""Validation melons classified correctly, as the book has them."""


def button(settings: Settings) -> None:
    """Opens and leaves the example."""
    if settings.book:
        label, icon, shown = message("Back to my tree"), ":material/arrow_back:", ""
    else:
        label, icon, shown = message("Example: Zhou’s watermelons"), ":material/menu_book:", "zhou"
    st.button(label, icon=icon, key="book", on_click=_turn, args=(shown,), width="stretch")


def _turn(shown: str) -> None:
    session.keep(changed(session.read(), book=shown))


def show(settings: Settings) -> None:
    """The tree of the book that is selected on the stage; the table of its trees in the inspector."""
    train, valid = parts()
    summary_line.show_example(
        message("Example from Zhou, Machine Learning, section 4.3: ten melons to train, seven to validate")
    )
    stage, inspector = shell.workbench()
    name, steps = f"book.{settings.book}", steps_of(settings.book)
    with stage:
        step = step_player.show(name, steps, palette(settings))
    with inspector:
        st.markdown(
            message(
                "The book’s table, whatever table is open; your settings do not change. Pre-pruning rejects a split "
                "that does not help at once; post-pruning sees what lies below it. Both reach 5 of 7, and the "
                "post-pruned tree keeps more branches."
            )
        )
        frame = pd.DataFrame([_row(key, train, valid) for key in labels.BOOK])
        pick_row(frame, list(labels.BOOK), settings.book, "book", labels.BOOK)
        base, own = (score_text(metrics.baseline(train, part), False) for part in (valid, train))
        st.caption(
            message(
                "Accuracy. Majority baseline: training {own}, validation {base}, which is 3 of 7.", own=own, base=base
            )
        )
        step_player.show_formula(name, steps, step)


def _row(name: str, train: ex.Dataset, valid: ex.Dataset) -> dict[str, object]:
    tree = pruned(name)
    on_valid = metrics.score(tree, valid)
    return {
        "tree": labels.BOOK[name],
        "leaves": tree.n_leaves,
        "validation": message("{right} of {n}", right=round(on_valid * valid.n_rows), n=valid.n_rows),
        "in the book": message("{right} of {n}", right=_PUBLISHED[name], n=7) if name in _PUBLISHED else "–",
        "training": score_text(metrics.score(tree, train), False),
    }


def steps_of(name: str) -> StepSequence:
    """The steps that lead to one of the trees."""
    return _steps_of(name, current_catalogue().language)


@kept()
def _steps_of(name: str, language: str) -> StepSequence:
    """The same; its captions are in the language in force, which `language` names for the cache."""
    if name == "pre":
        return _growing_steps(pruned(name))
    tree = pruned("unpruned")
    steps = [] if name == "unpruned" else ex.reduced_error_steps(tree, parts()[1], *REDUCED_ERROR_OPTIONS[name])
    return pruning_steps.of_steps(
        tree, tree_payload(tree), steps, lambda step: explaining.reduced_error_formula(steps[step - 1])
    )


def _growing_steps(tree: ex.Tree) -> StepSequence:
    """A tree as it was pre-pruned: each split scored on the validation rows in turn."""
    assert tree.validation is not None
    is_split, pack = tree.feature >= 0, tree_payload(tree)
    is_pruned, captions = is_split.copy(), [message("Before the first split: 1 leaf.")]
    forms = [is_pruned.copy()]
    for node in np.flatnonzero(~np.isnan(tree.validation[:, 0])).tolist():
        is_pruned[node] = False
        forms.append(is_pruned.copy())
        before, after = (score_text(float(score), False) for score in tree.validation[node])
        shown = {"node": node, "before": before, "after": after}
        if is_split[node]:
            text = message(
                "Node {node}: validation accuracy {before} without a split, {after} with it: split.", **shown
            )
        else:
            text = message("Node {node}: validation accuracy {before} as a leaf, {after} split: leaf.", **shown)
        captions.append(text)
    content = variants_payload(tree, signature(pack), np.array(forms), captions)
    return StepSequence(tree, pack, content, len(captions) - 1, captions=tuple(captions))
