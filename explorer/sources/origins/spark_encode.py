"""The function that codes a table's rows on Spark's workers, which need numpy and pyarrow but not this package."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ColumnCoding:
    """How a column is coded.

    Cells stand for themselves, or for `numbers` [cells + 1] by their position in `cells`: values of text, or codes of
    categories, that of a missing cell last. Of numbers with `edges`, the fine code and the bin are written as well.
    """

    name: str
    cells: pa.Array | None = None
    numbers: Floats = field(default_factory=lambda: np.empty(0))
    edges: Floats | None = None
    bin_starts: Ints = field(default_factory=lambda: np.zeros(1, np.int64))
    type: str = "double"

    @property
    def schema(self) -> str:
        """The columns that are written."""
        if self.edges is None:
            return f"{self.name} {self.type}"
        position = self.name[1:]
        return f"b{position} smallint, f{position} int, x{position} double"


def encoder(codings: list[ColumnCoding]) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A function for `mapInArrow`: column i of a batch by coding i.

    It is made here, so that it travels to the workers by value with plain arrays.
    """
    plain = [(r.name, r.cells, r.numbers, r.edges, r.bin_starts, r.type) for r in codings]

    def encode(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import numpy
        import pyarrow
        from pyarrow import compute

        def looked_up(batch: pyarrow.Array, cells: pyarrow.Array, numbers: Floats) -> Floats:
            batch = batch.cast(cells.type)
            position = compute.index_in(batch, value_set=cells)
            if position.null_count > batch.null_count:
                raise ValueError("a column has got a new value while it was read")
            return numbers[position.fill_null(len(cells)).to_numpy(zero_copy_only=False)]

        for batch in batches:
            coded = {}
            for cells_of_batch, (name, cells, numbers, edges, bin_starts, kind) in zip(
                batch.columns, plain, strict=True
            ):
                if cells is None:
                    x = cells_of_batch.cast(pyarrow.float64()).to_numpy(zero_copy_only=False) + 0.0  # −0.0 becomes 0.0
                else:
                    x = looked_up(cells_of_batch, cells, numbers)
                if edges is None:
                    coded[name] = pyarrow.array(x, mask=numpy.isnan(x)).cast({"int": "int32"}.get(kind, kind))
                    continue
                missing = numpy.isnan(x)
                codes = numpy.searchsorted(edges, x)  # how many edges lie below x
                bins = numpy.searchsorted(bin_starts, codes, side="right") - 1
                codes[missing], bins[missing] = len(edges) + 1, len(bin_starts)
                coded["b" + name[1:]] = pyarrow.array(bins.astype(numpy.int16))
                coded["f" + name[1:]] = pyarrow.array(codes.astype(numpy.int32))
                coded[name] = pyarrow.array(x, mask=missing)
            yield pyarrow.RecordBatch.from_pydict(coded)

    return encode
