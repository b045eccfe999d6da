"""One module per format of a file; `registry.py` tells the formats apart by their first bytes and names the reader."""

from explorer.data.formats.registry import read_any

__all__ = ["read_any"]
