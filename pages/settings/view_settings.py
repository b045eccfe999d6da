"""How trees are shown, and where the timeline of growing stands: records within the settings and the address."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass

from pages.settings.query_reader import QueryReader
from pages.settings.query_record import OPTIONAL_WHOLE, Format, QueryRecord, choice, in_query, parsed, switch

LAYOUTS = ("down", "right", "icicle", "text", "graphviz")
"""Ways of drawing a tree; without one the view chooses."""
ORDERS = ("depth_first", "breadth_first", "best_first")
"""Orders in which the nodes of a tree are split, step by step."""
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.ASCII)
_FEW = 200
"""Nodes split by the reader that an address holds, at most."""

Pairs = tuple[tuple[str, str], ...]


def _read_pairs(reader: QueryReader, key: str, default: Pairs) -> Pairs:
    """Pairs written name=text; an equals sign in a name is written %3D."""
    pairs = [pair.partition("=")[::2] for pair in reader.texts(key)]
    if all(name and text.strip() for name, text in pairs):
        return tuple((name.replace("%3D", "=").replace("%25", "%"), text) for name, text in pairs)
    reader.refuse(key, None)
    return default


def _read_colours(reader: QueryReader, key: str, default: Pairs) -> Pairs:
    pairs = _read_pairs(reader, key, default)
    if all(_COLOUR.fullmatch(colour) for _, colour in pairs):
        return pairs
    reader.refuse(key, None)
    return default


def _parse_nodes(text: str) -> tuple[int, ...] | None:
    """Node ids joined by a minus sign."""
    if not text:
        return ()
    if re.fullmatch(rf"\d{{1,9}}(-\d{{1,9}}){{0,{_FEW}}}", text, re.ASCII):
        return tuple(map(int, text.split("-")))
    return None


def _write_pairs(key: str, pairs: Pairs) -> dict[str, list[str]]:
    return {key: ["=".join((name.replace("%", "%25").replace("=", "%3D"), text)) for name, text in pairs]}


LABELS = Format(_read_pairs, _write_pairs)
COLOURS = Format(_read_colours, _write_pairs)
GHOSTS = ("yes", "no")


@dataclass(frozen=True)
class ViewSettings(QueryRecord):
    """How trees look on all pages.

    `layout` "" and `ghosts` "" (whether pruned branches are shown) leave the choice to the view. `class_labels` and
    `class_colours` are the reader's own, by the class's name in the file. `presenter` is the mode for a projector.
    While `frozen`, only what is shown changes, and no setting.
    """

    layout: str = in_query("", "layout", choice(("", *LAYOUTS)))
    ghosts: str = in_query("", "ghosts", choice(("", *GHOSTS)))
    presenter: bool = in_query(False, "presenter", switch())
    class_labels: Pairs = in_query((), "label", LABELS)
    class_colours: Pairs = in_query((), "colour", COLOURS)
    frozen: bool = in_query(False, "frozen", switch())

    @property
    def shows_ghosts(self) -> bool | None:
        """Whether pruned branches are shown; None leaves it to the view."""
        return None if self.ghosts == "" else self.ghosts == "yes"

    def with_other_classes(self) -> ViewSettings:
        """The same for other classes: their labels and colours are cleared."""
        return dataclasses.replace(self, class_labels=(), class_colours=())


@dataclass(frozen=True)
class TimelineSettings(QueryRecord):
    """Where the timeline of growing stands: `step` None is the whole tree.

    `order` is the order of the steps; the nodes `first` come before all others, in this order, as the reader split
    them. With `asks` the reader guesses each split before it is shown.
    """

    step: int | None = in_query(None, "step", OPTIONAL_WHOLE)
    order: str = in_query("depth_first", "order_of_growing", choice(ORDERS))
    first: tuple[int, ...] = in_query((), "split_first", parsed(_parse_nodes, lambda nodes: "-".join(map(str, nodes))))
    asks: bool = in_query(False, "ask_first", switch())

    def with_other_table(self) -> TimelineSettings:
        """The same for another table: it is not guessed until the reader asks for it."""
        return TimelineSettings(order=self.order)

    def with_other_tree(self) -> TimelineSettings:
        """The same for another tree: it is shown whole, in the same order."""
        return TimelineSettings(order=self.order, asks=self.asks)
