"""The size of a result in bytes, by its parts: what several results have in common is counted once.

A part is a buffer (the memory behind an array, a column or a text) under the identity of its owner. Small objects are
estimated, and of a long list only some entries are measured.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Mapping
from functools import partial
from itertools import islice
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

LONG, MEASURED = 4_000, 1_000
"""A list of more entries than the first number is estimated by so many of them, evenly spaced."""
_SMALL = 512
"""Bytes up to which a text is counted with its owner, not as a part of its own."""
_WITHOUT_SIZE = (type(None), bool, type, ModuleType, BuiltinFunctionType)
_NUMBER = 28
"""Bytes of a number that is an object."""

Parts = dict[Hashable, float]


def parts_of(value: object) -> Parts:
    """The bytes of a value's parts by their identity; they add up to its size.

    >>> whole = np.zeros(1000)
    >>> sum(parts_of([whole, whole[:10], whole.reshape(10, 100)]).values()) // 1000
    8.0
    """
    parts: Parts = {}
    seen: set[int] = set()
    waiting: list[tuple[object, float]] = [(value, 1.0)]
    small = 0.0
    while waiting:
        item, weight = waiting.pop()
        if isinstance(item, _WITHOUT_SIZE) or id(item) in seen:
            continue
        if isinstance(item, int | float | complex):
            small += weight * _NUMBER
            continue
        seen.add(id(item))
        buffers, inner = _taken_apart(item)
        for identity, size in buffers:
            parts[identity] = max(parts.get(identity, 0.0), size * weight)
        small += weight * (_overhead(item) if not buffers else 0)
        waiting += [(entry, weight * share) for entry, share in inner]
    parts[id(value), "small"] = small
    return parts


def _taken_apart(item: object) -> tuple[list[tuple[Hashable, float]], Iterable[tuple[object, float]]]:
    """The buffers of one object, and the objects it holds, each with the number of entries that it stands for."""
    if isinstance(item, np.ndarray):
        owner = _owner(item)
        return [(id(owner), float(owner.nbytes))], _some(item.ravel().tolist()) if item.dtype == object else ()
    if isinstance(item, bytes | bytearray | str):
        size = sys.getsizeof(item)
        return ([(id(item), float(size))] if size > _SMALL else []), ()
    if isinstance(item, pd.DataFrame):
        return [], [(column.array, 1.0) for _, column in item.items()]
    if isinstance(item, pd.Series | pd.Index):
        return [], () if isinstance(item, pd.RangeIndex) else [(item.array, 1.0)]
    if isinstance(item, pd.api.extensions.ExtensionArray):
        return _column_buffers(item)
    if isinstance(item, Mapping):
        return [], [*_some(item.keys()), *_some(item.values())]
    if isinstance(item, list | tuple | set | frozenset):
        return [], _some(item)
    return [], [(entry, 1.0) for entry in _attributes(item)]


def _owner(array: NDArray[Any]) -> NDArray[Any]:
    """The array that owns the memory of a view."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _column_buffers(column: Any) -> tuple[list[tuple[Hashable, float]], Iterable[tuple[object, float]]]:
    """A column of a frame: numpy's memory, Arrow's buffers, or as many bytes as pandas says it has."""
    if isinstance(column, pd.arrays.NumpyExtensionArray):
        return [], [(column.to_numpy(copy=False), 1.0)]
    if hasattr(column, "_pa_array"):
        buffers = [buffer for chunk in column.__arrow_array__().chunks for buffer in chunk.buffers() if buffer]
        return [(("arrow", buffer.address), float(buffer.size)) for buffer in buffers], ()
    return [(id(column), float(column.nbytes))], ()


def _some(entries: Iterable[object]) -> list[tuple[object, float]]:
    """All entries of a short collection, some of a long one."""
    count = len(entries)  # type: ignore[arg-type]
    step = count // MEASURED if count > LONG else 1
    chosen = list(islice(entries, 0, None, step))
    return [(entry, count / len(chosen)) for entry in chosen]


def _attributes(item: object) -> list[object]:
    """What an object, a function or a partial call holds."""
    if isinstance(item, partial):
        return [item.func, item.args, item.keywords]
    if isinstance(item, FunctionType):
        return [cell.cell_contents for cell in item.__closure__ or () if _is_filled(cell)]
    slots = [name for kind in type(item).__mro__ for name in _slots(kind)]
    return [*vars(item).values()] if hasattr(item, "__dict__") else [getattr(item, name, None) for name in slots]


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _slots(kind: type) -> tuple[str, ...]:
    slots = getattr(kind, "__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _overhead(item: object) -> int:
    """The bytes of an object without what it holds; pandas would count that too."""
    if isinstance(item, pd.DataFrame | pd.Series | pd.Index):
        return 200
    try:
        return sys.getsizeof(item)
    except TypeError:
        return 64
