"""What a reader has chosen on the Rules page: part of the settings and the address."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pages.parts.address import AddressReader

KINDS = {"tree": "The tree’s own rules", "pruned": "Rules pruned one by one"}
SORTS = {"order": "As they are asked", "support": "Most rows first", "confidence": "Most confident first"}
ESTIMATES = {"valid": "On validation rows", "pessimistic": "Pessimistic, on the training rows"}


@dataclass(frozen=True)
class Ruling:
    """The list looked at, its order and filters, and how rules are pruned.

    `of_class` is the code of an answer, None for all; rules need `least_rows` and a confidence of `least_percent`.
    `estimate` "" takes the validation rows where there are some; `step` is the round of pruning that is shown.
    """

    kind: str = "tree"
    sort: str = "order"
    of_class: int | None = None
    least_rows: int = 0
    least_percent: int = 0
    search: str = ""
    estimate: str = ""
    only_if_better: bool = False
    step: int = 0

    def with_other_tree(self) -> Ruling:
        """The same once the rules are others: the film begins again."""
        return dataclasses.replace(self, step=0)

    def with_other_table(self) -> Ruling:
        """The same for another target: what was filtered by is let go too."""
        return dataclasses.replace(self, step=0, of_class=None, search="")

    def to_address(self) -> dict[str, list[str]]:
        """What is not the default, as query parameters."""
        texts = {
            "r.list": "" if self.kind == "tree" else self.kind,
            "r.sort": "" if self.sort == "order" else self.sort,
            "r.class": "" if self.of_class is None else str(self.of_class),
            "r.rows": str(self.least_rows or ""),
            "r.percent": str(self.least_percent or ""),
            "r.search": self.search,
            "r.estimate": self.estimate,
            "r.better": "yes" if self.only_if_better else "",
            "r.step": str(self.step or ""),
        }
        return {key: [text] for key, text in texts.items() if text}

    @classmethod
    def from_address(cls, reader: AddressReader) -> Ruling:
        """What query parameters ask for."""
        return cls(
            kind=reader.choice("r.list", "tree", KINDS),
            sort=reader.choice("r.sort", "order", SORTS),
            of_class=next(iter(reader.numbers("r.class", 1)), None),
            least_rows=reader.whole("r.rows", 0, 0, 2**31 - 1),
            least_percent=reader.whole("r.percent", 0, 0, 100),
            search=reader.last("r.search", ""),
            estimate=reader.choice("r.estimate", "", ESTIMATES),
            only_if_better=reader.choice("r.better", "no", {"yes": True}) == "yes",
            step=reader.whole("r.step", 0, 0, 2**31 - 1),
        )
