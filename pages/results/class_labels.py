"""The reader's labels of classes, and class weights and costs under them.

Settings and web addresses name classes as the file does, so that weights and costs outlive a change of labels; the
package grows trees by the labels.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import explorer as ex
from explorer.data.values import Value
from pages.results.cache import kept
from pages.settings.page_settings import GrowSettings

_OF_CLASSES = ("class_weights", "costs")


def labelled(key: str, labels: tuple[tuple[str, str], ...], whole: ex.Dataset) -> ex.Dataset:
    """The table with its classes under their labels; a numeric target has none. Raises InputError."""
    if not labels or whole.is_regression:
        return whole
    return _labelled(f"{key} {whole.fingerprint}", labels, whole)


@kept()
def _labelled(key: str, labels: tuple[tuple[str, str], ...], _whole: ex.Dataset) -> ex.Dataset:
    return _whole.with_class_labels(dict(labels))


def under_labels(growing: GrowSettings, class_labels: tuple[tuple[Value, str], ...]) -> GrowSettings:
    """How a tree is grown, with its class weights and costs naming the labels.

    >>> weighted = GrowSettings("CART", (("class_weights", ((1, 2.0),)), ("max_depth", 3)))
    >>> under_labels(weighted, ((1, "survived"),)).changes
    (('class_weights', (('survived', 2.0),)), ('max_depth', 3))
    """
    names = dict(class_labels)
    changes = ((field, _renamed(value, names) if field in _OF_CLASSES else value) for field, value in growing.changes)
    return dataclasses.replace(growing, changes=tuple(changes)) if names else growing


def _renamed(pairs: Any, names: Mapping[Value, str]) -> Any:
    """Pairs, and the pairs within them, with other names."""
    if not isinstance(pairs, tuple):
        return pairs
    return tuple((names.get(name, name), _renamed(amount, names)) for name, amount in pairs)
