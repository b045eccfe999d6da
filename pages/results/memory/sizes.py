"""The size of a result in bytes, by its parts: what several results have in common is counted once.

A part is a buffer (the memory behind an array, a column or a text) under the identity of its owner. Small objects are
estimated, and of a long list only some entries are measured.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
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
_Buffers = Sequence[tuple[Hashable, float]]
_Taken = tuple[_Buffers, Iterable[object], float]
"""The buffers of an object, what it holds, and how many entries each of these stands for."""


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
        kind = type(item)
        if kind not in _KNOWN:
            _KNOWN[kind] = _taker(kind)
        take_apart = _KNOWN[kind]
        if take_apart is None or id(item) in seen:
            continue
        if take_apart is _number:
            small += weight * _NUMBER
            continue
        seen.add(id(item))
        buffers, inner, share = take_apart(item)
        for identity, size in buffers:
            parts[identity] = max(parts.get(identity, 0.0), size * weight)
        small += weight * (_overhead(item) if not buffers else 0)
        waiting += [(entry, weight * share) for entry in inner]
    parts[id(value), "small"] = small
    return parts


def _taker(kind: type) -> Callable[[Any], _Taken] | None:
    """What takes an object of a class apart; None where it has no size of its own."""
    if issubclass(kind, _WITHOUT_SIZE):
        return None
    for of_kind, take_apart in _TAKERS.items():
        if issubclass(kind, of_kind):
            return take_apart
    slots = [name for base in kind.__mro__ for name in _slots(base)]
    return lambda item: ((), vars(item).values() if hasattr(item, "__dict__") else _in_slots(item, slots), 1.0)


def _number(_: object) -> _Taken:
    return (), (), 1.0


def _array(array: NDArray[Any]) -> _Taken:
    owner = _owner(array)
    entries, share = _some(array.ravel().tolist()) if array.dtype == object else ([], 1.0)
    return [(id(owner), float(owner.nbytes))], entries, share


def _text(text: bytes | bytearray | str) -> _Taken:
    size = sys.getsizeof(text)
    return [(id(text), float(size))] if size > _SMALL else (), (), 1.0


def _frame(frame: pd.DataFrame) -> _Taken:
    return (), [column.array for _, column in frame.items()], 1.0


def _series(series: pd.Series | pd.Index) -> _Taken:
    return (), () if isinstance(series, pd.RangeIndex) else (series.array,), 1.0


def _mapping(mapping: Mapping[Any, Any]) -> _Taken:
    keys, share = _some(mapping.keys())
    return (), [*keys, *_some(mapping.values())[0]], share


def _collection(entries: Iterable[object]) -> _Taken:
    return (), *_some(entries)


def _partial(call: partial[Any]) -> _Taken:
    return (), (call.func, call.args, call.keywords), 1.0


def _function(function: FunctionType) -> _Taken:
    return (), [cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)], 1.0


def _owner(array: NDArray[Any]) -> NDArray[Any]:
    """The array that owns the memory of a view."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _column(column: Any) -> _Taken:
    """A column of a frame: numpy's memory, Arrow's buffers, or as many bytes as pandas says it has."""
    if isinstance(column, pd.arrays.NumpyExtensionArray):
        return (), (column.to_numpy(copy=False),), 1.0
    if hasattr(column, "_pa_array"):
        buffers = [buffer for chunk in column.__arrow_array__().chunks for buffer in chunk.buffers() if buffer]
        return [(("arrow", buffer.address), float(buffer.size)) for buffer in buffers], (), 1.0
    return [(id(column), float(column.nbytes))], (), 1.0


def _some(entries: Iterable[object]) -> tuple[list[object], float]:
    """All entries of a short collection, some of a long one; and how many each of them stands for."""
    count = len(entries)  # type: ignore[arg-type]
    if count <= LONG:
        return list(entries), 1.0
    chosen = list(islice(entries, 0, None, count // MEASURED))
    return chosen, count / len(chosen)


def _in_slots(item: object, slots: Sequence[str]) -> list[object]:
    return [getattr(item, name, None) for name in slots]


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _slots(kind: type) -> tuple[str, ...]:
    slots = getattr(kind, "__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


_KNOWN: dict[type, Callable[[Any], _Taken] | None] = {}
"""What takes the objects of each class apart that has come so far."""
_TAKERS: Mapping[Any, Callable[[Any], _Taken]] = {
    int | float | complex: _number,
    np.ndarray: _array,
    bytes | bytearray | str: _text,
    pd.DataFrame: _frame,
    pd.Series | pd.Index: _series,
    pd.api.extensions.ExtensionArray: _column,
    Mapping: _mapping,
    list | tuple | set | frozenset: _collection,
    partial: _partial,
    FunctionType: _function,
}
"""How objects are taken apart, by their class; of any other, what it holds is in its attributes."""


def _overhead(item: object) -> int:
    """The bytes of an object without what it holds; pandas would count that too."""
    if isinstance(item, pd.DataFrame | pd.Series | pd.Index):
        return 200
    try:
        return sys.getsizeof(item)
    except TypeError:
        return 64
