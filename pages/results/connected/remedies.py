"""What to change in a recipe that a connected table refuses, since its rows are counted and not read."""

from __future__ import annotations

import explorer as ex
from explorer.messages import listing, message
from pages.settings.growing_options import BY_FIELD, Value

_REMEDIES: dict[str, Value] = {
    "missing": "most_common",
    "threshold_at": "midpoint",
    "release8_penalty": False,
    "mdl_stop": False,
    "prepruning": False,
    "random_thresholds": False,
    "score": "decrease",
}
"""By the field of a recipe that an error names: a value that grows from counts."""


def remedy(recipe: ex.Recipe, problem: str) -> dict[str, Value]:
    """The fields to change, with their new values; none where the problem is another one.

    >>> remedy(ex.CART, "Recipe field 'missing' is 'surrogate', which a connected table cannot grow by.")
    {'missing': 'most_common'}
    >>> remedy(ex.C45.replace(threshold_at="c45"), "Recipe field 'missing' is 'fractional', which needs rows.")
    {'missing': 'most_common', 'threshold_at': 'midpoint'}
    """
    field = next((name for name in _REMEDIES if f"'{name}'" in problem), None)
    if field is None:
        return {}
    fields = [field]
    if field == "missing" and recipe.threshold_at == "c45":
        fields.append("threshold_at")  # between the two values around it, C4.5's threshold needs their rows
    return {name: _REMEDIES[name] for name in fields}


def counted(recipe: ex.Recipe, beside: ex.Recipe = ex.CART) -> ex.Recipe:
    """A recipe that the reader has not chosen, with values that grow from counts; no larger than the one `beside` it.

    >>> counted(ex.C45).missing, counted(ex.C45).threshold_at
    ('most_common', 'midpoint')
    >>> other = counted(ex.C45, ex.CART.replace(max_depth=4, min_rows_leaf=500))
    >>> other.max_depth, other.min_rows_leaf
    (4, 500)
    """
    return recipe.replace(
        missing="most_common",
        threshold_at="midpoint",
        release8_penalty=False,
        max_depth=beside.max_depth if recipe.max_depth is None else recipe.max_depth,
        min_rows_leaf=max(recipe.min_rows_leaf, beside.min_rows_leaf),
    )


def text(changes: dict[str, Value]) -> str:
    """The options with their new values, as a button names them."""
    return listing(
        message("{option}: {value}", option=BY_FIELD[field].label, value=_value_text(field, value))
        for field, value in changes.items()
    )


def _value_text(field: str, value: Value) -> str:
    return message("off") if value is False else BY_FIELD[field].choices[value]
