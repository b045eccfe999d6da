"""The line above the picture: rows, method, members, and the score beside the single tree and the constant."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from explorer.ensembles.members import Ensemble
from explorer.messages import listing, message, paragraph, plural
from pages.ensembles import growing_members
from pages.layout import summary_line, table_switcher
from pages.results import connected_table, ensembles, trees
from pages.results.ensembles import Compared, OwnTree
from pages.settings.ensemble_settings import METHODS
from pages.settings.settings import Settings
from pages.text import escape_markdown, score_text
from pages.widgets.controls import quiet_button


def show(settings: Settings) -> None:
    """The line; an ensemble that does not beat the single tree says so."""
    made = ensembles.ensemble(settings)
    with st.container(key="summary"):
        table_switcher.show(settings)
        parts = [
            _rows(trees.parts(settings)),
            summary_line.divided_by(settings),
            _members(settings, made),
            *_scores(settings, made),
            connected_table.sample_text(settings),
        ]
        st.markdown(" · ".join(part.replace(" %", "\N{NO-BREAK SPACE}%") for part in parts if part))
        _notes(settings, made)


def _rows(parts: trees.Parts) -> str:
    """How many rows there are, in one line with all that follows: training + validation (+ test)."""
    counts = [rows.n_rows for rows in (parts.train, parts.valid, parts.test) if rows is not None]
    return (
        summary_line.rows_text(parts)
        if len(counts) == 1
        else message("{counts} rows", counts=" + ".join(f"{count:,}" for count in counts))
    )


def _members(settings: Settings, made: Ensemble) -> str:
    name = METHODS[ensembles.explicit(settings).method]
    count = len(made.members)
    trees_in_all = plural(count, "{n:,} tree", "{n:,} trees")
    if count == made.n_stages:
        return message("{method}, {trees}", method=name, trees=trees_in_all)
    return message("{method}, {trees} in {rounds:,} rounds", method=name, trees=trees_in_all, rounds=made.n_stages)


def _scores(settings: Settings, made: Ensemble) -> list[str]:
    """The score on the rows that are compared, the peers on the same rows, and the verdict."""
    rows = ensembles.row_set(settings, made)
    own, costs = ensembles.scores_by_stage(settings, made, rows)[-1], ensembles.costs(settings, made, rows)
    is_regression = made.is_regression
    left_out = ensembles.left_out_score(settings, made)
    if left_out is not None:
        own, rows = left_out, "folds"
    peers = ensembles.compared(settings, rows)
    shown = {"rows": row_names()[rows], "value": score_text(own, is_regression)}
    first = message("{rows} MSE {value}", **shown) if is_regression else message("{rows} accuracy {value}", **shown)
    yours = ensembles.own_tree(settings, made, rows)
    verdict = (
        verdict_text(own, peers, yours, rows, is_regression) if costs is None else cost_text(rows, costs[-1], costs[0])
    )
    return [first, peers_text(peers, yours, rows, is_regression), verdict]


def cost_text(rows: str, cost: float, baseline: float) -> str:
    """The expected cost, which costs are to make small, beside the cheapest constant; red where it is no smaller."""
    text = summary_line.cost_words(row_names()[rows], cost, baseline)
    return text if cost < baseline else f":red[{text}]"


def row_names() -> dict[str, str]:
    """What the sets of rows are called before a score."""
    return {
        "training": message("training"),
        "validation": message("validation"),
        "oob": message("out-of-bag"),
        "folds": message("cross-validated"),
    }


def peers_text(peers: Compared, yours: OwnTree | None, rows: str, is_regression: bool) -> str:
    """The single tree to beat and the constant, on the same rows; beside out-of-bag rows cross-validated.

    The single tree is the reader's own, with a CART tree that is better on these rows, or else a full CART tree and the
    same pruned. On training rows a full tree is always better, which says nothing, and costs decide by other numbers.
    """
    constant = score_text(peers.constant, is_regression)
    name = message("mean") if is_regression else message("majority")
    score = score_text(peers.tree if yours is None else yours.score, is_regression)
    if yours is not None:
        if yours.file:
            single = message("{file} {score}", file=escape_markdown(yours.file), score=score)
        elif yours.is_pruned:
            single = message("your tree (Prune) {score}", score=score)
        else:
            single = message("your tree (Grow) {score}", score=score)
        best = None if rows == "training" or peers.costs else _best_single(peers, yours, is_regression)
        return " · ".join([single, *([] if best is None else [_cart_text(best, is_regression)]), f"{name} {constant}"])
    if rows == "oob":
        single = message("cross-validated full CART tree {score}", score=score)
    elif rows == "training":
        single = message("full CART tree {score} on training rows", score=score)
    else:
        single = message("full CART tree {score}", score=score)
    if peers.pruned is not None:
        pruned = message("pruned {score}", score=score_text(peers.pruned, is_regression))
        single = message("{single}, {pruned}", single=single, pruned=pruned)
    return f"{single} · {name} {constant}"


class _Cart(NamedTuple):
    """A CART tree that is better than the reader's own."""

    score: float
    n_leaves: int
    is_pruned: bool


def _best_single(peers: Compared, yours: OwnTree | None, is_regression: bool) -> _Cart | None:
    """The best CART tree on the rows, the full one first of equals; None where the reader's own is as good."""
    sign = -1 if is_regression else 1
    best = _Cart(peers.tree, peers.n_leaves, False)
    if peers.pruned is not None and peers.n_leaves_pruned is not None and sign * peers.pruned > sign * peers.tree:
        best = _Cart(peers.pruned, peers.n_leaves_pruned, True)
    return best if yours is None or sign * best.score > sign * yours.score else None


def _cart_text(tree: _Cart, is_regression: bool) -> str:
    """Which CART tree it is, with its score; of the pruned one its size, which is often the surprise."""
    score = score_text(tree.score, is_regression)
    if not tree.is_pruned:
        return message("full CART tree {score}", score=score)
    return plural(
        tree.n_leaves,
        "pruned CART tree ({n:,} leaf) {score}",
        "pruned CART tree ({n:,} leaves) {score}",
        score=score,
    )


def verdict_text(own: float, peers: Compared, yours: OwnTree | None, rows: str, is_regression: bool) -> str:
    """Words where the ensemble is no better than the best single tree; a training score decides nothing.

    Red is kept for what a constant does as well: a few rows may be the whole difference of an ensemble and a tree.
    """
    if rows == "training":
        return ""
    sign = -1 if is_regression else 1
    if sign * own <= sign * peers.constant:
        if own != peers.constant:
            text = message("worse than the mean") if is_regression else message("worse than the majority")
        else:
            text = message("no better than the mean") if is_regression else message("no better than the majority")
        return f":red[{text}]"
    best = _best_single(peers, yours, is_regression)
    score = best.score if best is not None else yours.score if yours is not None else peers.tree
    if sign * own > sign * score:
        return ""
    equal, worse = _verdict_words(best, yours)
    return equal if own == score else worse


def _verdict_words(best: _Cart | None, yours: OwnTree | None) -> tuple[str, str]:
    """What is said of an ensemble as good as the best single tree, and of one that is worse."""
    if best is not None and best.is_pruned:
        return message("no better than the pruned CART tree"), message("worse than the pruned CART tree")
    if best is not None:
        return message("no better than the full CART tree"), message("worse than the full CART tree")
    if yours is not None and yours.file:
        return message("no better than the opened tree"), message("worse than the opened tree")
    return message("no better than your tree"), message("worse than your tree")


def _notes(settings: Settings, made: Ensemble) -> None:
    """Why there are fewer members than asked for, splits of the reader's, and a warning about size."""
    notes = []
    if made.ended is not None:
        notes.append(escape_markdown(made.ended.text))
    forced = settings.ensembles.forced
    if forced:
        notes.append(_forced_text(settings, [member + 1 for member, _ in forced]))
    nodes = ensembles.has_many_nodes(made)
    if nodes:
        notes.append(message("The trees have {n:,} nodes: moving through them may be slow.", n=nodes))
    if notes:
        with st.container(key="en_notes", horizontal=True, vertical_alignment="center"):
            st.caption(paragraph(notes), width="content")
            if ensembles.partly(settings) is not None:
                growing_members.show_again()
            if forced:
                quiet_button(message("Undo"), "en.unforce", "", _unforce)


def _forced_text(settings: Settings, members: list[int]) -> str:
    """What was changed by hand, in a plain sentence."""
    numbers = listing(map(str, members))
    if ensembles.explicit(settings).method in ("forest", "bagging", "extra_trees"):
        return plural(
            len(members),
            "Tree {trees} has a split of yours; all others are as before.",
            "Trees {trees} have splits of yours; all others are as before.",
            trees=numbers,
        )
    return plural(
        len(members),
        "Tree {trees} has a split of yours; all rounds after it were grown anew.",
        "Trees {trees} have splits of yours; all rounds after the first of them were grown anew.",
        trees=numbers,
    )


def _unforce() -> None:
    ensembles.keep(forced=(), member=None, node=0)
