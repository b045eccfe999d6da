"""A counting engine of plain numpy on a small table in memory, as simple as can be: what real engines are held against.

`array_source(frame, target, ...)` is a source whose table is that frame; `same_data` is the Dataset with the same order
of classes and categories, for growing in memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from explorer.data.codes.feature import Feature
from explorer.data.dataset import Dataset
from explorer.sources.counting import ColumnLayout, EndGroups, Layout, NodeTarget, RowBlock
from explorer.sources.routing import Routing
from explorer.sources.source import Source, Tuning, WorkingTable, Workspace
from explorer.sources.splits import KeySplit, parts_in_order
from tests.oracles.splits import part_of_key


def sorted_kinds(frame: pd.DataFrame, target: str) -> dict[str, list]:
    """The categories of every text column in sorted order, as a source has them."""
    texts = [name for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])]
    return {name: sorted(frame[name].dropna().unique().tolist()) for name in texts}


def same_data(frame: pd.DataFrame, target: str, weights: str | None = None) -> Dataset:
    features = [name for name in frame.columns if name not in (target, weights)]
    kinds = sorted_kinds(frame, target)
    return Dataset.from_frame(frame, target, features=features, kinds=kinds, weights=weights)


def middle_of(data: Dataset) -> float:
    """What is taken off a numeric target: its mean, where every value is between half of it and twice of it, else 0."""
    mean = float(np.average(data.y, weights=data.weights))
    sizes = data.y if mean > 0.0 else -data.y
    return mean if sizes.min() >= abs(mean) / 2.0 and sizes.max() <= abs(mean) * 2.0 else 0.0


def layout_of(data: Dataset, tuning: Tuning) -> Layout:
    """Edges after every few distinct values, so that bins and fine codes hold several of them."""
    columns = []
    for feature, codes in zip(data.features, data.codes, strict=True):
        n_missing = int((codes == feature.n_values).sum())
        if feature.kind != "numeric":
            columns.append(ColumnLayout(feature, n_missing, n_distinct=feature.n_values))
            continue
        n_codes = max(min(tuning.bins * tuning.codes_per_bin, feature.n_values), 1)
        ends = np.linspace(0, feature.n_values, n_codes + 1).astype(int)[1:-1]  # how many values lie below each edge
        starts = np.unique(np.linspace(0, n_codes, min(tuning.bins, n_codes) + 1).astype(int)[:-1])
        sizes = np.diff([0, *ends, feature.n_values])
        last = np.array([*ends, feature.n_values]) - 1
        only = np.where(sizes == 1, np.append(feature.values, np.nan)[last], np.nan)
        edges = feature.values[ends - 1] if len(ends) else np.empty(0)
        plain = Feature(feature.name, "numeric")
        columns.append(ColumnLayout(plain, n_missing, edges, starts.astype(np.int64), only, feature.n_values))
    middle = middle_of(data) if data.is_regression else 0.0
    return Layout(data.target, tuple(columns), data.n_rows, middle, data.weights is not None)


@dataclass(eq=False)
class ArrayEngine:
    data: Dataset
    layout: Layout
    part_of_row: np.ndarray
    calls: list[str] = field(default_factory=list)

    def cells(self, column: int) -> np.ndarray:
        feature, codes = self.data.features[column], self.data.codes[column]
        if feature.kind != "numeric":
            return codes
        return np.append(feature.values, np.nan)[codes]

    def is_missing(self, column: int) -> np.ndarray:
        return self.data.codes[column] == self.data.features[column].n_values

    def node_of_row(self, routing: Routing) -> np.ndarray:
        node = np.zeros(self.data.n_rows, dtype=int)
        if routing.part is not None:
            node[self.part_of_row != routing.part] = -1
        for column in routing.complete:
            node[self.is_missing(column)] = -1
        for test in routing.tests:
            cells, missing = self.cells(test.column), self.is_missing(test.column)
            for row in np.flatnonzero(node == test.node):
                if missing[row]:
                    branch = test.missing_branch
                elif not np.isnan(test.threshold):
                    branch = 0 if cells[row] <= test.threshold else 1
                elif self.data.features[test.column].kind == "numeric":
                    branch = test.branch_of_code[np.searchsorted(test.edges, cells[row])]
                else:
                    branch = test.branch_of_code[cells[row]]
                if branch >= 0:
                    node[row] = test.children[branch]
        return node

    def contributions(self) -> np.ndarray:
        """What each row adds to the counts of its cell, [n, K]."""
        weights = self.data.weight_of_rows()
        if self.data.is_regression:
            deviation = self.data.y - self.layout.centre
            return np.stack([weights, weights * deviation, weights * deviation**2], axis=1)
        return weights[:, None] * np.eye(len(self.data.classes))[self.data.y]

    def summed(self, codes: np.ndarray, rows: np.ndarray, n_codes: int) -> np.ndarray:
        table = np.zeros((n_codes, self.contributions().shape[1]))
        np.add.at(table, codes[rows], self.contributions()[rows])
        return table

    def codes_by(self, column: int, edges) -> tuple[np.ndarray, int]:
        layout = self.layout.columns[column]
        if not layout.is_numeric:
            return self.cells(column).astype(int), layout.n_codes
        codes = np.searchsorted(np.asarray(edges), self.cells(column))  # nan lies above all edges
        return np.where(self.is_missing(column), len(edges) + 1, codes), len(edges) + 1

    def targets(self, routing, nodes):
        self.calls.append("targets")
        at, found = self.node_of_row(routing), {}
        for node in nodes:
            rows = np.flatnonzero(at == node)
            if len(rows):
                y = self.data.y[rows]
                counts = self.contributions()[rows].sum(axis=0)
                found[node] = NodeTarget(counts, len(rows), float(y.min()), float(y.max()))
        return found

    def bins(self, routing, nodes, codings):
        self.calls.append("bins")
        at, found = self.node_of_row(routing), {}
        for node in nodes:
            rows = np.flatnonzero(at == node)
            for position, coding in enumerate(codings):
                layout = self.layout.columns[coding.column]
                edges = coding.edges
                if edges is None and layout.is_numeric:
                    edges = layout.edges[layout.bin_starts[1:] - 1]
                codes, n_codes = self.codes_by(coding.column, edges)
                if len(rows):
                    found[node, position] = self.summed(codes, rows, n_codes + 1)
        return found

    def fine(self, routing, wanted):
        self.calls.append("fine")
        at, found = self.node_of_row(routing), {}
        for (node, column), bins in wanted.items():
            layout = self.layout.columns[column]
            codes, n_codes = self.codes_by(column, layout.edges)
            bin_of = np.searchsorted(layout.bin_starts, np.arange(n_codes + 1), side="right") - 1
            inside = (at == node) & ~self.is_missing(column) & np.isin(bin_of[codes], bins)
            rows = np.flatnonzero(inside)
            present = np.unique(codes[rows])
            found[node, column] = present, self.summed(codes, rows, n_codes + 1)[present]
        return found

    def values(self, routing, wanted):
        self.calls.append("values")
        at, found = self.node_of_row(routing), {}
        for (node, column), fine_codes in wanted.items():
            codes, _ = self.codes_by(column, self.layout.columns[column].edges)
            rows = np.flatnonzero((at == node) & ~self.is_missing(column) & np.isin(codes, fine_codes))
            numbers, position = np.unique(self.cells(column)[rows], return_inverse=True)
            table = np.zeros((len(numbers), self.contributions().shape[1]))
            np.add.at(table, position, self.contributions()[rows])
            found[node, column] = numbers, table
        return found

    def rows(self, routing, nodes):
        self.calls.append("rows")
        at = self.node_of_row(routing)
        taken = {node: np.flatnonzero(at == node) for node in nodes}
        return {node: self.block(rows) for node, rows in taken.items()}

    def sample(self, routing, n, seed):
        reached = np.flatnonzero(self.node_of_row(routing) >= 0)
        drawn = np.random.default_rng(seed).permutation(reached)[:n]
        return self.block(np.sort(drawn))

    def block(self, rows):
        columns = tuple(self.cells(column)[rows] for column in range(len(self.data.features)))
        return RowBlock(columns, self.data.y[rows], None if self.data.weights is None else self.data.weights[rows])

    def ends(self, routing):
        at = self.node_of_row(routing)
        nodes = np.unique(at[at >= 0])
        groups = [np.flatnonzero(at == node) for node in nodes]
        width = self.contributions().shape[1]
        counts = np.array([self.contributions()[rows].sum(axis=0) for rows in groups]).reshape(-1, width)
        first = np.array([rows[0] for rows in groups], dtype=int)
        return EndGroups(nodes, counts, np.array([len(rows) for rows in groups], dtype=int), self.block(first).columns)

    def close(self):
        pass


@dataclass(eq=False)
class ArrayOrigin:
    frame: pd.DataFrame
    name: str = "a frame"
    part_of_row: np.ndarray | None = None

    def prepare(self, selection, tuning, progress=None):
        split = selection.split
        frame = self.frame if split is None else self.frame.drop(columns=split.column)
        data = same_data(frame, selection.target, selection.weights)
        parts, values = self.parts(split)
        layout = replace(layout_of(data, tuning), parts=values)
        return WorkingTable(layout, ArrayEngine(data, layout, parts[data.row_numbers]))

    def parts(self, split):
        """The part of every row of the frame, and the values of the column that divides it."""
        if split is None:
            return (np.zeros(len(self.frame), int) if self.part_of_row is None else self.part_of_row), ()
        column = self.frame[split.column]
        if isinstance(split, KeySplit):
            return np.array([part_of_key(key, split.shares, split.seed) for key in column]), ()
        values = parts_in_order(split, column.unique().tolist())
        return np.array([values.index(value) for value in column]), values

    def fingerprint(self):
        return "unchanged"

    def close(self):
        pass


def array_source(frame: pd.DataFrame, target: str, weights: str | None = None, parts=None, **tuning: int) -> Source:
    from explorer.sources.source import Selection

    settings = replace(Tuning(), **tuning)
    return Source(Workspace(ArrayOrigin(frame, part_of_row=parts), Selection(target, weights=weights), settings))
