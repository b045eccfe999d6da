"""Models of R from the JSON text that our lines of R write: what all of them share (`snippets.R_SNIPPET`)."""

from __future__ import annotations

from explorer.data.codes.scale import Ordered
from explorer.errors import InputError
from explorer.foreign.limits import MOST_FEATURES, refusing
from explorer.messages import listing, message
from explorer.plain_fields import Fields
from explorer.recipe.columns import FeatureEncoding
from explorer.values import Value

NUMERIC, KINDS = ("numeric", "integer"), ("numeric", "integer", "logical", "factor", "character", "ordered")
"""The types of columns that are read, as R names them."""
MOST_LEVELS = 100_000


def no_model(culprit: str) -> InputError:
    """The error of a file that is no model of R."""
    return InputError(
        message(
            "This is no model of R: {culprit}. Write it anew with the lines of R that stand under “Open a model”.",
            culprit=culprit,
        )
    )


refuse = refusing(no_model)


def word_of(fields: Fields, name: str) -> str:
    """The only text of a field: R knows vectors only."""
    return Fields({name: fields.items(name, 1)[0]}, no_model).text(name)


def features_of(fields: Fields) -> tuple[tuple[FeatureEncoding, ...], tuple[str, ...]]:
    """The columns that a model with a formula was fitted on, and what R calls their types."""
    types = {name: word_of(fields.record("types"), name) for name in fields.record("types").content}
    columns = [(name, kind) for name, kind in list(types.items())[1:] if name not in ("(weights)", "(offset)")]
    if len(columns) > MOST_FEATURES:
        refuse(message("it has more than {most:,} features", most=MOST_FEATURES))
    features = []
    for name, kind in columns:
        if kind not in KINDS:
            raise InputError(
                message(
                    "Column '{column}' of the model is of R's type '{type}', which cannot be read. Readable: {types}.",
                    column=name[:40],
                    type=kind[:40],
                    types=listing(KINDS),
                )
            )
        levels = () if kind in (*NUMERIC, "logical") else levels_of(fields.record("levels"), name)
        if kind in NUMERIC:
            features.append(FeatureEncoding(name, "numeric", "threshold"))
        elif kind == "ordered" and len(levels) > 1:
            features.append(FeatureEncoding(name, "numeric", "threshold", scale=Ordered(levels)))
        else:
            labels: tuple[Value, ...] = (False, True) if kind == "logical" else levels
            features.append(FeatureEncoding(name, "categorical", "subset", labels))
    return tuple(features), tuple(kind for _, kind in columns)


def levels_of(fields: Fields, name: str) -> tuple[str, ...]:
    """The levels of a factor, without blanks around them, as cells of a table are read."""
    levels = [each.strip() if isinstance(each, str) else None for each in fields.items(name)]
    if None in levels or len(set(levels)) < len(levels) or len(levels) > MOST_LEVELS:
        refuse(message("the levels of '{column}' are not a list of different texts", column=name[:40]))
    return tuple(levels)  # type: ignore[arg-type]
