"""Reads the binary payload of the tree view back into a header and arrays."""

import json
import struct

import numpy as np


def unpacked(content):
    """Header and arrays of a pack."""
    length = struct.unpack_from("<I", content)[0]
    header, types = (
        json.loads(content[4 : 4 + length]),
        {"u8": "u1", "u16": "<u2", "i32": "<i4", "f32": "<f4", "f64": "<f8"},
    )
    arrays = {
        name: np.frombuffer(content, types[kind], count, 4 + length + offset)
        for name, (kind, offset, count) in header["arrays"].items()
    }
    return header, arrays
