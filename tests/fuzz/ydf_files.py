"""A model of YDF as plain values, whose messages of Protocol Buffers are written after the damage."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from typing import Any

import explorer as ex

NODES = "nodes-00000-of-00001"


def ydf() -> str:
    """A forest of two trees on a number and a category: messages are lists of (field, value)."""

    def node(rows: int, *test: list[Any]) -> list[Any]:
        answer = [[1, 1 + rows % 2], [2, [[1, {"doubles": [0.0, rows - 1.0, 1.0]}], [2, {"double": float(rows)}]]]]
        return [[1, answer], *([[3, list(test)]] if test else []), [4, rows]]

    number = [[1, 0], [2, 0], [3, [[2, [[1, 2.5]]]]]]
    kind = [[1, 1], [2, 1], [3, [[5, [[1, "\x0a"]]]]]]
    tree = [node(9, *number), node(4), node(5, *kind), node(3), node(2)]
    labels = [[7, [[1, label], [2, [[1, place]]]]] for place, label in enumerate(["<OOD>", "u", "v", "w"])]
    classes = [[7, [[1, label], [2, [[1, place]]]]] for place, label in enumerate(["<OOD>", "no", "yes"])]
    columns = [[[1, 1], [2, "a"]], [[1, 4], [2, "kind"], [6, labels]], [[1, 4], [2, "y"], [6, classes]]]
    files = {
        "data_spec.pb": [[1, column] for column in columns],
        "header.pb": [[1, "RANDOM_FOREST"], [2, 1], [3, 2], [5, 0], [5, 1]],
        "random_forest_header.pb": [[1, 1], [2, 2], [3, 0]],
        NODES: tree + tree,
    }
    return json.dumps(files)


def opened_ydf(text: str) -> ex.Tree | ex.Ensemble:
    """The model behind the text."""
    try:
        files = json.loads(text)
    except (ValueError, RecursionError):
        files = None
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items() if isinstance(files, dict) else ():
            path = name.encode("utf-8", "replace").decode()
            archive.writestr(path, _blobs(content) if name == NODES else _wire(content, 0))
    return ex.open_model(stream.getvalue())


def _blobs(content: Any) -> bytes:
    """Messages behind each other, each after its length."""
    blobs = [_wire(each, 0) for each in content] if isinstance(content, list) else []
    return b"BS\1\0\0\0\0\0" + b"".join(struct.pack("<I", len(blob)) + blob for blob in blobs)


def _wire(content: Any, depth: int) -> bytes:
    """A message; what is none is left out."""
    found = b""
    for pair in content if isinstance(content, list) and depth < 50 else ():
        if not isinstance(pair, list) or len(pair) != 2 or type(pair[0]) is not int or not 0 < pair[0] < 2**20:
            continue
        number, value = pair
        if isinstance(value, int):
            found += _varint(number << 3) + _varint(value % 2**64)
        elif isinstance(value, float):
            found += _varint(number << 3 | 5) + struct.pack(
                "<f", value if abs(value) < 3e38 or value != value else 1e38
            )
        elif isinstance(value, dict) and isinstance(value.get("double"), float):
            found += _varint(number << 3 | 1) + struct.pack("<d", value["double"])
        else:
            part = _bytes(value, depth)
            found += _varint(number << 3 | 2) + _varint(len(part)) + part
    return found


def _bytes(value: Any, depth: int) -> bytes:
    if isinstance(value, str):
        return value.encode("utf-8", "replace")
    if isinstance(value, dict):
        numbers = value.get("doubles")
        told = numbers if isinstance(numbers, list) else []
        return b"".join(struct.pack("<d", each) for each in told if isinstance(each, float))
    return _wire(value, depth + 1)


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])
