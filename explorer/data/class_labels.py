"""Names for the classes of a target: "died" and "survived" for 0 and 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from explorer.data.cells import clean_value
from explorer.errors import InputError
from explorer.messages import listing, message
from explorer.values import Value

ClassLabels = tuple[tuple[Value, str], ...]
"""The renamed classes: (value in the table, label) in class order."""


def renamed_classes(
    target: str, classes: Sequence[Value], labels: Mapping[Value, str], earlier: ClassLabels = ()
) -> tuple[tuple[Value, ...], ClassLabels]:
    """The classes under their labels, and all labels by the values in the table; `earlier` are the labels so far.

    A class is named in its own type or as text. Raises InputError for a class that the target does not have, a label
    that is empty or a sign for missing cells, and a label that two classes would share.

    >>> renamed_classes("survived", (0, 1), {"0": "died", 1: "survived"})
    (('died', 'survived'), ((0, 'died'), (1, 'survived')))
    """
    position = {str(name): i for i, name in enumerate(classes)}
    renamed = list(classes)
    for name, given in labels.items():
        if str(name) not in position:
            raise InputError(
                message(
                    "The target '{target}' has no class '{name}': it has {classes}.",
                    target=target,
                    name=name,
                    classes=listing(map(str, classes[:8])),
                )
            )
        renamed[position[str(name)]] = _checked(given, name)
    _refuse_repeated(renamed)
    value_of = {label: value for value, label in earlier}
    values = [value_of.get(name, name) if isinstance(name, str) else name for name in classes]
    pairs = ((value, label) for value, label in zip(values, renamed, strict=True))
    return tuple(renamed), tuple((value, str(label)) for value, label in pairs if value != label)


def _checked(label: object, name: Value) -> str:
    """The label without spaces around it; InputError where nothing is left."""
    text = label.strip() if isinstance(label, str) else ""
    if not text or clean_value(text) is None:
        raise InputError(message("The label of class '{name}' is empty: give it a text.", name=name))
    return text


def _refuse_repeated(names: Sequence[Value]) -> None:
    texts = [str(name) for name in names]
    repeated = next((text for i, text in enumerate(texts) if text in texts[:i]), None)
    if repeated is not None:
        raise InputError(
            message("Two classes would have the label '{label}': give each class its own.", label=repeated)
        )
