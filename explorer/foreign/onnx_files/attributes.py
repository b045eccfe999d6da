"""The attributes of an operator as arrays; nothing in them is trusted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.foreign.limits import MOST_NODES_IN_ALL, refusing
from explorer.messages import message
from explorer.values import Value

Array = NDArray[Any]


def no_model(culprit: str) -> InputError:
    """The error of a file that holds no tree ensemble that can be read."""
    return InputError(
        message(
            "This is not an ONNX file of trees that can be read: {culprit}. Convert the model of trees alone, without "
            "steps before or after it.",
            culprit=culprit,
        )
    )


refuse = refusing(no_model)


def values_of(tensor: Any) -> Array:
    """The numbers or texts of a tensor that lies in the file."""
    from onnx import TensorProto, numpy_helper

    if tensor.data_location == TensorProto.EXTERNAL:
        refuse(message("its numbers are in another file"))
    try:
        found: Array = numpy_helper.to_array(tensor).ravel()
    except (TypeError, ValueError, KeyError, RuntimeError, OverflowError):
        refuse(message("its numbers are damaged"))
    return found


class Attributes:
    """The attributes of one operator, by name; a list that is not there is empty."""

    def __init__(self, node: Any) -> None:
        """Those of a node of the graph."""
        self._found = {each.name: each for each in node.attribute}

    def wholes(self, name: str, count: int | None = None, least: int = 0, most: int = 2**31 - 1) -> Array:
        """Whole numbers within the limits, [count]."""
        found = self._found[name].ints if name in self._found else ()
        _check_length(len(found), count)
        numbers = np.fromiter(found, dtype=np.int64, count=len(found))
        if numbers.size and not (least <= numbers.min() and numbers.max() <= most):
            refuse(message("'{name}' is no whole number", name=name))
        return numbers

    def numbers(self, name: str, count: int | None = None) -> Array:
        """Numbers, listed in 32 bits or as a tensor under this name or with "_as_tensor" behind it, [count]."""
        listed = self._found[name].floats if name in self._found else ()
        numbers = np.fromiter(listed, dtype=np.float64, count=len(listed))
        for one in (f"{name}_as_tensor", name):
            if not numbers.size and one in self._found and self._found[one].HasField("t"):
                numbers = values_of(self._found[one].t)
                break
        if numbers.dtype.kind not in "fiu":
            refuse(message("'{name}' is no finite number", name=name))
        _check_length(len(numbers), count)
        return numbers.astype(np.float64)

    def texts(self, name: str) -> list[str]:
        """Texts."""
        found = self._found[name].strings if name in self._found else ()
        _check_length(len(found), None)
        return [each.decode("utf-8", "replace") for each in found]

    def text(self, name: str, default: str) -> str:
        """One text."""
        return self._found[name].s.decode("utf-8", "replace") if name in self._found else default

    def whole(self, name: str, default: int) -> int:
        """One whole number."""
        return int(self._found[name].i) if name in self._found else default

    def labels(self, name: str) -> tuple[Value, ...]:
        """Names or whole numbers, such as classes; empty where there are none."""
        texts = self.texts(f"{name}_strings")
        return tuple(texts or self.wholes(f"{name}_int64s", None, -(2**63), 2**63 - 1).tolist())


def _check_length(found: int, expected: int | None) -> None:
    if found > 50 * MOST_NODES_IN_ALL:
        refuse(message("it has no trees, or more than {most:,} nodes", most=MOST_NODES_IN_ALL))
    if expected is not None and found != expected:
        refuse(message("its lists are not equally long"))
