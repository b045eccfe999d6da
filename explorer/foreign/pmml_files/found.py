"""The tests that a PMML tree becomes, node after node, and how many steps may be taken to find them."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.foreign.limits import MOST_NODES
from explorer.foreign.pmml_files.document import refuse
from explorer.messages import message


@dataclass
class Found:
    """The tests found, node after node: `source` is the PMML node whose prediction a row that ends there gets.

    `stays` says whether rows end there by the file's word, `is_copy` whether a leaf stands for more than its own node.
    """

    children: list[list[int]] = field(default_factory=list)
    feature: list[int] = field(default_factory=list)
    threshold: list[float] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)
    unseen: list[int] = field(default_factory=list)
    source: list[int] = field(default_factory=list)
    stays: list[bool] = field(default_factory=list)
    is_copy: list[bool] = field(default_factory=list)
    pairs: list[tuple[int, int, int]] = field(default_factory=list)
    n_null: int = 0

    def add(self, source: int, is_copy: bool = False) -> int:
        """A new node without a test."""
        if len(self.source) >= MOST_NODES:
            n = len(self.source) + 1
            refuse(message("a tree has {n:,} nodes, and from 1 to {most:,} can be read", n=n, most=MOST_NODES))
        self.children.append([])
        self.feature.append(-1)
        self.threshold.append(float("nan"))
        self.missing.append(-1)
        self.unseen.append(-1)
        self.source.append(source)
        self.stays.append(False)
        self.is_copy.append(is_copy)
        return len(self.source) - 1

    def take_back(self) -> None:
        """Without the node added last, all of whose rows go on alike."""
        node = len(self.source) - 1
        for one in (self.children, self.feature, self.threshold, self.missing, self.unseen, self.source):
            one.pop()
        self.stays.pop()
        self.is_copy.pop()
        while self.pairs and self.pairs[-1][0] == node:
            self.pairs.pop()


class Steps:
    """The steps that are left: a file of few elements could ask for any number of them."""

    def __init__(self, left: int) -> None:
        """So many."""
        self.left = left

    def take(self) -> None:
        """One fewer."""
        self.left -= 1
        if self.left < 0:
            refuse(message("its nodes have too many branches, or tests that name too much"))
