"""Where a file's rows part from the training rows: the PSI of the leaves by splits, in a table and on the tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.evaluation.drift import psi_by_chance
from explorer.formatting import percent
from explorer.messages import message, plural
from pages.results.cache import kept
from pages.text import chance, escape_markdown, number, readable
from pages.widgets import tables, tree_panels
from pages.widgets.predicted_file import column_drift
from pages.widgets.tree_view import Mark

_MOST_LINES, _ENOUGH = 8, 50
"""The most splits that the table lists, and rows of a file below which chance alone makes a large PSI."""

_KEY = "drift.splits"
_WIDTHS = {"node": 48, "branch": 108, "before": 68, "now": 68, "part": 68, "p": 94}
"""Pixels of the columns, together as wide as the panel of a window of 1280."""

_SOME, _LARGE = 0.1, 0.25
"""From where on a PSI is some change, and a large one."""


@dataclass(frozen=True, eq=False)
class DriftOfFile:
    """A tree, and where the rows of a file, so many, part from its training rows, `n_before`, also by `columns`."""

    tree: ex.Tree
    found: ex.Drift
    columns: list[ex.ColumnDrift]
    n_rows: int
    n_before: int

    @property
    def marks(self) -> list[Mark]:
        """A ring at every split where the rows part otherwise than by chance."""
        return [Mark(node, "ring", self._part_text(node)) for node in np.flatnonzero(self.found.is_marked).tolist()]

    def _part_text(self, node: int) -> str:
        return message("{share} of the drift enters here", share=percent(self.found.part[node] / self.found.psi))

    def show(self) -> None:
        """The PSI, the columns that differ, where most of it enters, and the splits with the largest parts of it."""
        st.markdown(message("**Drift**: do these rows go down the tree as the training rows do?"))
        st.metric(
            "PSI",
            number(self.found.psi),
            width="content",
            help=message(
                "The population stability index compares the leaves' shares of both tables: 0 if they are alike. Each "
                "split adds the part by which its branches divide the rows otherwise."
            ),
        )
        st.caption(self._size())
        if self.n_rows < _ENOUGH:
            few = message("On fewer than {n} rows the PSI says nothing: chance alone makes it large.", n=_ENOUGH)
            st.markdown(f":orange[:material/warning: {few}]")
        column_drift.show(self.tree, self.columns)
        st.caption(self._sentence())
        lines = self._lines()
        if lines:
            tables.numbers_table(
                pd.DataFrame(lines),
                [False] * len(lines),
                _KEY,
                on_row=lambda: tree_panels.take_of_line(_KEY, [int(line["node"]) for line in lines]),
                widths=_WIDTHS,
                right=["before", "now", "part", "p"],
                lines=2,
                by_cell=True,
            )
            st.caption(message("A click on a line selects its node in the tree."))

    def _size(self) -> str:
        """How large the PSI is by the usual reading."""
        chance_alone = number(psi_by_chance(self.tree.n_leaves, self.n_before, self.n_rows))
        if self.found.psi < _SOME:
            said = message("Little change: below 0.1 (Siddiqi 2006).")
        elif self.found.psi < _LARGE:
            said = message("Some change: from 0.1 to 0.25 (Siddiqi 2006).")
        else:
            said = message("Large change: from 0.25 on (Siddiqi 2006).")
        leaves = self.tree.n_leaves
        return (
            f"{said} {message('Over {leaves} leaves chance alone makes about {psi}.', leaves=leaves, psi=chance_alone)}"
        )

    def _sentence(self) -> str:
        found, first = self.found, self.found.first
        if first is None:
            return message("No split divides these rows otherwise than by chance (level 5 % for all splits together).")
        n_marked = int(np.count_nonzero(found.is_marked))
        where = message(
            "{share} of the leaves' PSI enters at node {node}: {split}.",
            share=percent(found.part[first] / found.psi),
            node=first,
            split=escape_markdown(readable(self._condition(first).text)),
        )
        ringed = plural(
            n_marked,
            "{n} split, ringed on the tree, divides these rows otherwise than by chance.",
            "{n} splits, ringed on the tree, divide these rows otherwise than by chance.",
        )
        return f"{where} {ringed}"

    def _condition(self, node: int) -> ex.Condition:
        condition = self.tree.node(node).condition
        assert condition is not None, "only splits have a part"
        return condition

    def _lines(self) -> list[dict[str, str | int]]:
        """The splits with the largest parts."""
        part = self.found.part
        return [self._line(node) for node in np.argsort(-part, kind="stable")[:_MOST_LINES].tolist() if part[node] > 0]

    def _line(self, node: int) -> dict[str, str | int]:
        """A split: the branch whose share of its rows changed most, that share before and now, its part and p."""
        found = self.found
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = found.shares[list(self.tree.children_of(node))] / found.shares[node]
        moved = int(np.argmax(np.nan_to_num(np.abs(shares[:, 1] - shares[:, 0]))))
        before, now = ("–" if np.isnan(share) else percent(share) for share in shares[moved])
        return {
            "node": node,
            "branch": self._condition(node).word(moved),
            "before": before,
            "now": now,
            "part": percent(found.part[node] / found.psi),
            "p": "–" if np.isnan(found.p_value[node]) else chance(float(found.p_value[node])).removeprefix("= "),
        }


@kept()
def of_rows(key: str, _tree: ex.Tree, _train: ex.Dataset, _rows: pd.DataFrame) -> DriftOfFile:
    """The drift of rows as a tree reads them; `key` names tree and rows."""
    columns = ex.column_drift(_train, _rows)
    return DriftOfFile(_tree, ex.drift(_tree, _train, _rows), columns, len(_rows), _train.n_rows)
