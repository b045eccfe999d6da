"""One decision of C4.5's pessimistic pruning, with or without subtree raising, and the sentence that reports it."""

from dataclasses import dataclass

from explorer.formatting import leaves, weighed
from explorer.messages import message, plural

SLACK = 0.1
"""Errors by which a simpler tree may be worse (a constant of C4.5)."""

LEAF, RAISED, KEPT = "leaf", "raised", "kept"


@dataclass(frozen=True)
class PessimisticStep:
    """The decision at one node: the expected errors with a leaf, with its subtree, with the largest branch raised.

    `upper_as_leaf` is rows × upper error rate, `upper_below` the sum of that over the `leaves_below`, `upper_raised`
    the same for the largest branch `branch` with all rows of the node (both None where raising was not tried).
    `decision` is "leaf", "raised" or "kept". Without `counts_rows`, rows and errors are weights.
    """

    node: int
    rows: float
    errors: float
    upper_as_leaf: float
    upper_below: float
    leaves_below: int
    decision: str
    branch: int | None = None
    upper_raised: float | None = None
    counts_rows: bool = True

    @property
    def pruned(self) -> bool:
        """Whether the node was made a leaf or replaced by its branch."""
        return self.decision != KEPT

    @property
    def text(self) -> str:
        """One sentence with the numbers."""
        if self.upper_raised is not None:
            return message(
                "Node {node}: as a leaf, {errors} in {rows} and {upper:.4g} expected errors; with its {leaves}, "
                "{below:.4g} + {slack:g} expected errors; with its largest branch in its place, {raised:.4g}: "
                "{verdict}.",
                raised=self.upper_raised,
                **self._fields,
            )
        return message(
            "Node {node}: as a leaf, {errors} in {rows} and {upper:.4g} expected errors; with its {leaves}, "
            "{below:.4g} + {slack:g} expected errors: {verdict}.",
            **self._fields,
        )

    @property
    def _wrong(self) -> str:
        if self.counts_rows:
            return plural(self.errors, "{n:g} error", "{n:g} errors")
        return message("misclassified {weight}", weight=weighed(self.errors))

    @property
    def _fields(self) -> dict[str, object]:
        """What both sentences name."""
        verdicts = {LEAF: message("pruned to a leaf"), RAISED: message("replaced by node {node}", node=self.branch)}
        return {
            "node": self.node,
            "errors": self._wrong,
            "rows": plural(self.rows, "{n:g} row", "{n:g} rows") if self.counts_rows else weighed(self.rows),
            "upper": self.upper_as_leaf,
            "leaves": leaves(self.leaves_below),
            "below": self.upper_below,
            "slack": SLACK,
            "verdict": verdicts.get(self.decision) or message("kept"),
        }
