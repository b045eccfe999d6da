"""The registry of the vocabulary, and what its functions are given: the table, recipe and node of the step."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import explorer as ex
from explorer.explaining import Derivation
from pages.learn.vocabulary import chinese_words, melon_words
from pages.results.lessons import trees
from pages.settings.growing_options import RECIPES

Word = Callable[..., Any]
WORDS: dict[str, Word] = {}
"""Every function that a scene can call, by its name."""
_NAMED: Mapping[str, Callable[[str], str]] = {
    "loan_lihang": chinese_words.with_meaning,
    "mammals": chinese_words.with_meaning,
    "watermelon_2_0": melon_words.with_meaning,
    "watermelon_3_0": melon_words.with_meaning,
}
"""What the Chinese names of these tables are called."""


def word(function: Word) -> Word:
    """Add a function to the vocabulary; its first parameter is the `Here` of the call."""
    add(**{function.__name__: function})
    return function


def add(**functions: Word) -> None:
    """Add functions of one expression, by their names."""
    for name, function in functions.items():
        assert name not in WORDS, f"two functions are called {name}"
        WORDS[name] = function


class Derived(float):
    """A number that knows how it comes about."""

    derivation: Derivation | None

    def __new__(cls, value: float, derivation: Derivation | None = None) -> Derived:
        """The number with its derivation."""
        made = super().__new__(cls, value)
        made.derivation = derivation
        return made


@dataclass(frozen=True)
class Here:
    """What a call is about, and the texts of its picture; `names` are choices and texts that a call may name."""

    table: str = ""
    recipe: str = ""
    changes: tuple[tuple[str, Any], ...] = ()
    features: tuple[str, ...] | None = None
    node: int = 0
    cell: tuple[str, int, str] | None = None
    """A column, a row from 0 and another number there."""
    says: str = ""
    heading: str = ""
    state: str = ""
    names: Mapping[str, Any] = field(default_factory=dict)

    @property
    def data(self) -> ex.Dataset:
        """The rows of the table."""
        if self.cell:
            return trees.with_cell(self.table, self.cell[0], self.cell[1], float(self.cell[2]))
        return trees.rows(self.table, self.features)

    @property
    def tree(self) -> ex.Tree:
        """The tree grown on all of them."""
        if self.cell:
            return ex.grow(self.data, RECIPES[self.recipe].replace(**dict(self.changes)))
        return trees.grown(self.table, self.recipe, self.changes, self.features)

    @property
    def decision(self) -> ex.Decision:
        """The candidate splits of the node."""
        if self.cell:
            return ex.decide(self.tree, self.data, self.node)
        return trees.decision(self.table, self.recipe, self.node, self.changes, self.features)

    def named(self, name: str) -> str:
        """A name of the table, with its meaning where it is Chinese."""
        return _NAMED.get(self.table, str)(name)


_PLACE = ("table", "recipe", "features", "node", "cell")
_RECIPE = {each.name for each in fields(ex.Recipe)}


def placed(here: Here, given: Mapping[str, Any], own: Word | None = None) -> tuple[Here, dict[str, Any]]:
    """Arguments that name a table, a recipe or one of its fields change what a call is about; the rest is left."""
    parameters = inspect.signature(own).parameters if own else {}
    rest, changes, place = {}, dict(here.changes), {}
    for name, value in given.items():
        if name in parameters or name not in (*_PLACE, *_RECIPE):
            rest[name] = value
        elif name in _PLACE:
            place[name] = value
        else:
            changes[name] = value
    return replace(here, **place, changes=tuple(changes.items())), rest
