"""The picture of a step: drawn in the browser, or the workbench's tree view, or a table."""

from __future__ import annotations

import streamlit as st

from explorer.drawing.pictures.table_rows import TableRows
from explorer.drawing.tree_view import colour_themes
from explorer.drawing.tree_view.payload import growth_payload, signature, tree_payload
from explorer.explaining import rule_words
from pages.learn import moves
from pages.learn import picture as pictures
from pages.learn.scenes import own
from pages.learn.scenes.step import Scene, Step, TablePicture, TreePicture
from pages.results.class_colours import palette
from pages.results.lessons.trees import split_nodes
from pages.settings.settings import Settings
from pages.widgets import tree_view
from pages.widgets.tree_view import Mark, Shown

_MOST_LEAVES = 16
"""Up to so many leaves the nodes keep their places while the tree grows; of a larger tree what is grown is laid out."""


def show(settings: Settings, scene: Scene, step: Step) -> None:
    """What the step shows: until its question is answered, the picture before."""
    is_open = step.question is not None and moves.answer_to(scene.name, step.name) is None
    shown = step.before if is_open and step.before is not None else step.picture
    with st.container(key="lesson_picture"):
        if isinstance(shown, TreePicture):
            _tree(settings, shown, any(choice.name == own.NODE for choice in step.choices))
        else:
            drawn = _as_picture(shown) if isinstance(shown, TablePicture) else shown
            name = f"{scene.name}.{step.name}"
            pictures.show("learn.picture", name, drawn, palette(settings), settings.view.presenter)


def _tree(settings: Settings, shown: TreePicture, chooses_node: bool) -> None:
    """The tree, as far as it has grown; a node that the reader selects is taken where the step `chooses_node`.

    A tree that grows is always sent with its growth, whole or not, so that its nodes stay where they are.
    """
    tree = shown.tree
    pack, splits = tree_payload(tree), split_nodes(tree)
    grows = bool(splits) and not shown.pruned
    tree_view.view(
        "learn.tree",
        pack,
        Shown(
            shown.selected,
            (len(splits) if shown.position is None else shown.position) if grows else 0,
            tuple(("collapse", node) for node in shown.pruned),
        ),
        colour_themes(len(tree.classes), palette(settings)),
        lambda now: _select(now.selected) if chooses_node and now.selected != shown.selected else None,
        sequence=growth_payload(tree, signature(pack), splits) if grows else None,
        rule=rule_words(tree, shown.selected),
        is_bare=True,
        ghosts=tree.n_leaves <= _MOST_LEAVES,
        marks=[Mark(node, "ring", text) for node, text in shown.marks.items()],
        presenter=settings.view.presenter,
        layout=shown.layout,
    )


def _select(node: int) -> None:
    """Explain this node instead, from its first step."""
    moves.choose(own.NODE, str(max(node, 0)))
    moves.go_to(own.SCENE.name)


def _as_picture(shown: TablePicture) -> TableRows:
    return TableRows(says=shown.says, columns=shown.columns, rows=shown.rows, lit=shown.lit, struck=shown.struck)
