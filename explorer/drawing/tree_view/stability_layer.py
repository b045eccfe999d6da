"""How stable each node of a tree is, as bytes that the view draws over the tree: shares, and spreads of thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.drawing.tree_view.payload import Array, payload_bytes

SPREAD = ("least", "largest", "lower_quartile", "median", "upper_quartile")
"""The numbers of a threshold's spread, in this order."""


@dataclass(frozen=True, eq=False)
class Layer:
    """What resamples say of each node: how many split alike there, of `n_resamples`, and their thresholds.

    `counts` and `shares` [n] are of the grown nodes, shares nan where no row leads to a node; `spreads` has the least
    and largest threshold and the three quartiles of nodes that have one.
    """

    n_resamples: int
    counts: NDArray[np.intp]
    shares: NDArray[np.float64]
    spreads: Mapping[int, tuple[float, ...]]


def stability_payload(layer: Layer, tree_sig: str) -> bytes:
    """The layer for the tree with this signature; see `model/payload.js`.

    >>> from explorer.drawing.tree_view.payload import header_of
    >>> layer = Layer(4, np.array([4, 3, 1]), np.array([1.0, 0.75, 0.25]), {0: (1.0, 3.0, 1.5, 2.0, 2.5)})
    >>> header_of(stability_payload(layer, "abc"))["resamples"]
    4
    """
    nodes = sorted(layer.spreads)
    numbers = np.array([layer.spreads[node] for node in nodes], dtype=np.float64).reshape(-1, len(SPREAD))
    arrays: dict[str, Array | None] = {
        "count": layer.counts,
        "share": layer.shares,
        "spread_node": np.array(nodes, dtype=np.int32),
        **dict(zip(SPREAD, numbers.T, strict=True)),
    }
    return payload_bytes({"kind": "stability", "tree": tree_sig, "resamples": layer.n_resamples}, arrays)
