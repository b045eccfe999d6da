"""What a scene is made of: steps, each with a picture, two sentences, one number to check, and often a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import explorer as ex
from explorer.drawing.pictures.picture import Picture
from explorer.explaining import Derivation
from explorer.messages import Worded


@dataclass(frozen=True)
class TreePicture:
    """A tree in the tree view of the workbench.

    `position` shows it as far as it has grown after so many splits (depth first; None: whole). `pruned` has the nodes
    shown as leaves instead of subtrees; `marks` are nodes ringed, with what that means. `layout` is that of the view,
    None where the view may choose.
    """

    tree: ex.Tree
    says: str
    selected: int = 0
    position: int | None = None
    pruned: tuple[int, ...] = ()
    marks: Mapping[int, str] = field(default_factory=dict)
    layout: str | None = None


@dataclass(frozen=True)
class TablePicture:
    """The rows of a small table: column names and cells as texts; `lit` rows are tinted, `struck` rows are paled."""

    says: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lit: tuple[int, ...] = ()
    struck: tuple[int, ...] = ()


AnyPicture = Picture | TreePicture | TablePicture


@dataclass(frozen=True)
class Number:
    """The one number to check: what it is (plain text), its value with so many decimals, and its derivation."""

    name: str
    value: float
    digits: int = 3
    derivation: Derivation | None = None


@dataclass(frozen=True)
class Question:
    """A question of plain texts; `right` are positions of options, `because` is shown with the answer."""

    text: str
    options: tuple[str, ...]
    right: tuple[int, ...]
    because: str


@dataclass(frozen=True)
class Choice:
    """What the reader can change in a step: one of several values, by the words for them; the link keeps it."""

    name: str
    label: str
    options: Mapping[str, str]
    default: str
    waits: bool = False
    """Whether it chooses only what is seen once the question is answered."""


@dataclass(frozen=True)
class Competition:
    """The candidate splits of a node, as the table of the workbench shows them."""

    decision: ex.Decision
    tree: ex.Tree


@dataclass(frozen=True)
class Step:
    """One idea. `name` is unique in its scene; `text` is two sentences of Markdown, names of users escaped.

    `before` is the picture until the question is answered (the same picture where there is none). `numbers` are all
    numbers that the step shows, by a name of their own: the list against which the textbooks are checked. `source` is
    the book or paper.
    """

    name: str
    title: str
    text: str
    picture: AnyPicture
    number: Number
    question: Question | None = None
    before: AnyPicture | None = None
    choices: tuple[Choice, ...] = ()
    competition: Competition | None = None
    numbers: Mapping[str, float] = field(default_factory=dict)
    source: str = ""


Chosen = Mapping[str, str]
"""What the reader changed in a scene, by the names of its choices; the rest is as by default."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A scene: its name in links, its title and the question it answers, its minutes, and its steps.

    `own_page` is the page that "Try it on your data" opens; `sample` and `recipe` are what "Open in the workbench"
    shows there. `folder` has its file.
    """

    name: str
    title: Worded = Worded()
    asks: Worded = Worded()
    minutes: int
    steps: Callable[[Chosen], tuple[Step, ...]]
    on_short_path: bool = False
    own_page: str = "grow"
    sample: str = ""
    recipe: str = ""
    folder: str = ""
