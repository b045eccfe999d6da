"""Splits that were nearly decided otherwise: a rival close behind, or one training row that decides the winner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from explorer.candidates.candidates import Candidate
from explorer.candidates.counts import Bools
from explorer.data.dataset import Dataset
from explorer.formatting import percent
from explorer.growing.decide import Decision, decide, decide_among
from explorer.growing.leave_one_out import rows_that_decide
from explorer.growing.node_search import row_search
from explorer.growing.training_rows import training_rows_of
from explorer.messages import message, paragraph, plural
from explorer.recipe.columns import columns_for
from explorer.recipe.split_score import GAIN, GAIN_RATIO, SCORES, mean_gain_of
from explorer.tree.tree import Tree

CLOSE = 0.01
"""A rival is close if its score is behind by less than this share of the winner's."""
SAME = 1e-9
"""Scores that differ by a smaller share are equal but for rounding."""
MOST_ROWS = 2_000
"""Training rows up to which each row is left out in turn: in larger tables a single row decides little."""
MOST_WORK = 2_000_000
"""Tests that leaving out rows may evaluate, at one node and in all nodes of a tree: about a second of work."""
_ROUNDING = 1e-6
"""By so much, as a share, kept scores may be off; where that could matter, the node is searched again."""
MOST_NODES = 500
"""The most nodes of a tree that `near_ties` looks at, the largest first."""


@dataclass(frozen=True)
class NearTie:
    """A node whose split was nearly another one.

    `winner` and `rival` are the best tests of the two best features, `margin` the distance of their scores and
    `relative_margin` its share of the winner's score (None where no other feature may compete).
    `flipping_rows` are the positions of the training rows without one of which another feature would win, ascending;
    `row_number` is the first one's number in the table, from 1, and `wins_without_row` the feature that would win
    without it (mostly, but not always, the rival). `rows_tested` says whether rows were left out at all.
    """

    node: int
    n_rows: int
    winner: Candidate
    rival: Candidate | None
    margin: float | None
    relative_margin: float | None
    flipping_rows: tuple[int, ...] = ()
    row_number: int | None = None
    wins_without_row: str | None = None
    rows_tested: bool = False

    @property
    def is_close(self) -> bool:
        """Whether the rival is behind by less than 1 % of the winner's score."""
        return self.relative_margin is not None and self.relative_margin < CLOSE

    @property
    def flipping_row(self) -> int | None:
        """Position of the first training row without which another feature would win, None if there is none."""
        return self.flipping_rows[0] if self.flipping_rows else None

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is a near tie: "margin", "row" or both."""
        return ("margin",) * self.is_close + ("row",) * bool(self.flipping_rows)


def near_tie(tree: Tree, train: Dataset, node: int, decision: Decision | None = None) -> NearTie | None:
    """The near tie at a node, None where its split is clear or was made by hand.

    A near tie is a split with a close rival (`CLOSE`), or one that the removal of a single row from the node would
    give to another feature; rows are only tested in training sets of at most `MOST_ROWS` rows, and where that takes no
    more than `MOST_WORK`. `decision` is that of the node, if it is known already.

    >>> from explorer import ID3, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> tie = near_tie(grow(data, ID3), data, 0)
    >>> tie.rival.feature, round(tie.relative_margin, 3), tie.flipping_rows
    ('Humidity', 0.385, (2, 5, 11))
    >>> near_tie_text(tie)
    'Without row 3, Humidity would win. 3 of the 14 rows decide the split in this way.'
    """
    return _examined(tree, train, node, decision, MOST_WORK)[0]


def near_ties(
    tree: Tree, train: Dataset, limit_nodes: int = MOST_NODES, progress: Callable[[int, int], None] | None = None
) -> dict[int, NearTie]:
    """The near ties among the kept internal nodes, by node.

    At most `limit_nodes` nodes are looked at, the largest first. Rows are left out in turn, from the largest node on,
    until that has taken `MOST_WORK` in all; after that only nodes that fit into what is left of it.
    `progress(nodes done, nodes in all)` is called before each and may raise `Stopped`. Where a tree has kept its
    candidates, only nodes are searched again whose rival may be close, or where rows are left out.
    """
    inner = np.flatnonzero(tree.is_inner)
    largest = inner[np.argsort(-tree.weight[inner], kind="stable")][:limit_nodes]
    ties, work_left = dict[int, NearTie](), MOST_WORK
    leading = _leading_features(tree, train) if train.n_rows > MOST_ROWS else None
    draws = tree.recipe.max_features is not None or tree.recipe.random_thresholds  # which depends on all features
    few_decide = leading is not None and not draws and SCORES[tree.recipe.score].compares == GAIN
    for done, node in enumerate(largest.tolist()):
        if progress is not None:
            progress(done, largest.size)
        decision = None
        if leading is not None:
            leaders = np.flatnonzero(leading[node]).tolist()
            if len(leaders) <= 1:
                continue
            if few_decide and not tree.node(node).is_forced:
                decision = decide_among(tree, train, node, leaders)
        tie, work = _examined(tree, train, node, decision, work_left)
        work_left -= work
        if tie is not None:
            ties[node] = tie
    return dict(sorted(ties.items()))


def _leading_features(tree: Tree, train: Dataset) -> Bools | None:
    """Which features may be the best or a close rival [n, F], by the candidates kept while growing; None without any.

    Where they do not tell at a node, all of its features.
    """
    kept, score = tree.evidence, SCORES[tree.recipe.score]
    if kept is None or score.compares not in (GAIN, GAIN_RATIO):
        return None
    scores, is_sure = kept.gain, np.ones(tree.n_nodes_grown, dtype=bool)
    if score.compares == GAIN_RATIO:
        columns = columns_for(training_rows_of(tree, train), tree.recipe)
        many = np.array([column.has_many_values for column in columns])
        means = np.array([mean_gain_of(*best, many) for best in zip(kept.gain, kept.split_info, strict=True)])
        from_mean = kept.gain - means[:, None]
        rounding = _ROUNDING * np.abs(means)[:, None]
        has_ratio, is_filtered = kept.split_info > _ROUNDING, tree.recipe.mean_gain_filter != "off"
        is_out = ~has_ratio | (is_filtered & ~(from_mean >= -rounding))
        is_sure = ~((kept.split_info > 0) & ~has_ratio | is_filtered & (np.abs(from_mean) <= rounding)).any(axis=1)
        scores = np.where(is_out, np.nan, kept.gain / np.where(has_ratio, kept.split_info, np.nan))
    scores = np.where(np.isnan(scores), -np.inf, scores)
    best = scores.max(axis=1, keepdims=True)
    return (scores >= (1.0 - CLOSE - _ROUNDING) * best) | (best <= 0) | ~is_sure[:, None]


def _examined(
    tree: Tree, train: Dataset, node: int, decision: Decision | None, most_work: int
) -> tuple[NearTie | None, int]:
    """The near tie at a node, and the work that it took."""
    decision = decide(tree, train, node) if decision is None else decision
    winner, margin = decision.chosen, decision.margin
    if decision.by_hand or winner is None:
        return None, 0
    relative_margin = None if margin is None else float(margin / abs(winner.score)) if winner.score else 0.0
    tie, work = NearTie(node, decision.n_rows, winner, decision.runner_up, margin, relative_margin), 0
    if train.n_rows <= MOST_ROWS:
        tie, work = _with_rows(tie, tree, train, most_work)
    return (tie if tie.reasons else None), work


def near_tie_text(tie: NearTie) -> str:
    """A near tie in one or two sentences."""
    sentences = []
    if tie.is_close and tie.rival is not None and tie.relative_margin is not None:
        name, behind = tie.rival.feature, percent(tie.relative_margin)
        sentences.append(
            message("Near tie: {rival} is behind by {share} of the score.", rival=name, share=behind)
            if tie.relative_margin > SAME
            else message("Near tie: {rival} has the same score.", rival=name)
        )
    if tie.flipping_rows:
        sentences.append(
            plural(
                len(tie.flipping_rows),
                "Without row {row:,}, {feature} would win.",
                "Without row {row:,}, {feature} would win. {n:,} of the {rows:,} rows decide the split in this way.",
                row=tie.row_number,
                feature=tie.wins_without_row,
                rows=tie.n_rows,
            )
        )
    return paragraph(sentences)


def _with_rows(tie: NearTie, tree: Tree, train: Dataset, most_work: int) -> tuple[NearTie, int]:
    """The near tie with the rows that decide it, and the work that it took."""
    n_rows = len(train.row_numbers)
    numbered = replace(train, row_numbers=np.arange(n_rows))  # positions in `train`, whatever growing left out
    search = row_search(tree, numbered, tie.node)
    assert search is not None, "a split node has rows"
    found = rows_that_decide(search, most_work)
    if not found.winners:
        return replace(tie, rows_tested=found.winners is not None), found.work
    positions = search.used.row_numbers[search.at_node.rows]
    deciding = {int(positions[row]): column for row, column in found.winners.items()}
    first = min(deciding)
    with_rows = replace(
        tie,
        rows_tested=True,
        flipping_rows=tuple(sorted(deciding)),
        row_number=int(train.row_numbers[first]) + 1,
        wins_without_row=tree.features[deciding[first]].name,
    )
    return with_rows, found.work
