"""One decision of C4.5's pessimistic pruning, with or without subtree raising, and the sentence that reports it."""

from dataclasses import dataclass

from explorer.formatting import counted

SLACK = 0.1
"""Errors by which a simpler tree may be worse (a constant of C4.5)."""

LEAF, RAISED, KEPT = "leaf", "raised", "kept"


@dataclass(frozen=True)
class PessimisticStep:
    """The decision at one node: the expected errors with a leaf, with its subtree, with the largest branch raised.

    `upper_as_leaf` is rows × upper error rate, `upper_below` the sum of that over the `leaves_below`, `upper_raised`
    the same for the largest branch `branch` with all rows of the node (both None where raising was not tried).
    `decision` is "leaf", "raised" or "kept".
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

    @property
    def pruned(self) -> bool:
        """Whether the node was made a leaf or replaced by its branch."""
        return self.decision != KEPT

    @property
    def text(self) -> str:
        """One sentence with the numbers."""
        wrong = f"{counted(self.errors, 'error')} in {counted(self.rows, 'row')}"
        leaf = f"a leaf has {wrong}, at worst {self.upper_as_leaf:.4g}"
        below = f"its {self.leaves_below:,} leaves together at worst {self.upper_below:.4g} + {SLACK:g}"
        raised = f", its largest branch in its place {self.upper_raised:.4g}" if self.upper_raised is not None else ""
        verdict = {LEAF: "pruned to a leaf", RAISED: f"replaced by node {self.branch}"}.get(self.decision, "kept")
        return f"Node {self.node}: {leaf}, {below}{raised}: {verdict}."
