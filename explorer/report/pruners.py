"""The methods of pruning that a report can name and a script repeat, beside α and steps by hand."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pruner:
    """A method: what a report calls it, the function of the package, and what a script gives it before its options."""

    words: str
    function: str
    given: str

    @property
    def needs_validation(self) -> bool:
        """Whether it decides by validation rows."""
        return "valid" in self.given


PRUNERS = {
    "reduced_error": Pruner("reduced error, on the validation rows", "reduced_error_prune", "tree, valid"),
    "pessimistic": Pruner("C4.5’s pessimistic estimates", "pessimistic_prune", "tree, train=train"),
    "mdl": Pruner("description length", "mdl_prune", "tree, train"),
}
