"""Cells as a database hands them over → codes, batch by batch: categories, numbers, and numbers written as text."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import compute

from explorer.data.cells import ALL_TEXTS, alike, clean_value, positions_of
from explorer.data.codes.feature import Feature
from explorer.errors import ColumnError, SourceChangedError
from explorer.messages import listing, message
from explorer.sources.counting import ColumnLayout
from explorer.sources.encoding.encode_batch import NumberCoder
from explorer.values import Value, as_number

MOST_CATEGORIES = 65_535
"""Codes of categories, with one for missing cells, are 16-bit numbers."""
MOST_IN_A_BYTE = 255


@dataclass(eq=False)
class CategoryCoder:
    """Codes of a categorical column. `cells` are all its different cells, `code_of_cell` [cells] their codes.

    `n_known` rows of the table have a category; `n_missing` counts the other rows that were encoded.
    """

    feature: Feature
    cells: pa.Array
    code_of_cell: NDArray[np.int64]
    n_known: int
    n_missing: int = 0

    @property
    def _type(self) -> type:
        return np.uint8 if self.feature.n_values <= MOST_IN_A_BYTE else np.uint16

    def codes(self, batch: pa.Array) -> NDArray[np.uint8] | NDArray[np.uint16]:
        """The codes of some cells, one past the last for missing ones. Raises SourceChangedError for a new cell."""
        position = compute.index_in(batch, value_set=self.cells)
        if position.null_count > batch.null_count:
            raise SourceChangedError(
                message(
                    "Column '{column}' has got a new value while it was read: connect the table again.",
                    column=self.feature.name,
                )
            )
        where = position.fill_null(len(self.cells)).to_numpy(zero_copy_only=False)
        codes: NDArray[np.uint16] = np.append(self.code_of_cell, self.feature.n_values).astype(self._type)[where]
        return codes

    def encode(self, batch: pa.Array) -> dict[str, pa.Array]:
        """The column's part of the working table."""
        codes = self.codes(batch)
        self.n_missing += int(np.count_nonzero(codes == self.feature.n_values))
        return {"c": pa.array(codes)}

    def layout(self) -> ColumnLayout:
        """What is known after all batches."""
        return ColumnLayout(self.feature, self.n_missing, n_distinct=self.feature.n_values)


@dataclass(eq=False)
class NumericCoder:
    """Bins, fine codes and numbers of a numeric column, which may be written as text or as dates."""

    name: str
    coder: NumberCoder
    is_date: bool = False

    def encode(self, batch: pa.Array) -> dict[str, pa.Array]:
        """The column's part of the working table. Raises ColumnError for an infinite number or text."""
        numbers = numbers_of(batch, self.name)
        codes, bins, infinite = self.coder.encode(numbers)
        if infinite >= 0:
            raise ColumnError(infinite_text(self.name), self.name)
        return {"b": pa.array(bins), "f": pa.array(codes), "x": pa.array(numbers, mask=np.isnan(numbers))}

    def layout(self) -> ColumnLayout:
        """What is known after all batches."""
        coder, feature = self.coder, Feature(self.name, "numeric")
        found = coder.n_missing, coder.edges, coder.bin_starts, coder.only_value, coder.n_distinct
        return ColumnLayout(feature, *found, self.is_date)


def infinite_text(name: str) -> str:
    """The sentence for ±infinity."""
    return message("Column '{column}' has an infinite number: correct it or leave the cell empty.", column=name)


def numbers_of(batch: pa.Array, name: str) -> NDArray[np.float64]:
    """Cells as numbers [n], nan where they are missing; ColumnError for text that is none."""
    if pa.types.is_floating(batch.type):
        numbers: NDArray[np.float64] = batch.cast(pa.float64()).to_numpy(zero_copy_only=False).copy()
        return numbers
    encoded = batch.dictionary_encode()
    values = [clean_value(cell) for cell in encoded.dictionary.to_pylist()]
    numbers = np.array([np.nan if value is None else as_number(value) for value in values] + [np.nan])
    for value, number in zip(values, numbers, strict=False):
        if value is not None and np.isnan(number):
            raise ColumnError(
                message(
                    "Column '{column}' has a value that is not a number: '{example}'. Correct it, or make the column "
                    "categorical.",
                    column=name,
                    example=str(value)[:40],
                ),
                name,
            )
    codes = encoded.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)
    return numbers[codes]


def clean_cells(cells: pa.ChunkedArray, given: Container[Value | None] = ALL_TEXTS) -> list[Value | None]:
    """Cells as categories, None for missing ones."""
    return [clean_value(cell, given) for cell in plain_cells(cells)]


def plain_cells(cells: pa.Array) -> list[object]:
    """Cells as Python values; dates with a time of day as pandas has them, whose text is theirs."""
    if pa.types.is_timestamp(cells.type):
        return list(pd.Series(cells.to_pandas()))
    found: list[object] = cells.to_pylist()
    return found


def category_coder(
    name: str,
    cells: pa.ChunkedArray,
    n_rows: NDArray[np.int64],
    given: Sequence[Value] | None,
    levels: Sequence[Value] = (),
    texts: Container[Value | None] = ALL_TEXTS,
) -> CategoryCoder:
    """A coder for all different cells of a column, missing ones among them, each in so many rows.

    Categories are in sorted order, in that of `levels`, or as `given`; marks are categories if they are among `texts`.
    Raises InputError for too many, and for one that is not given.
    """
    n_rows, cells = n_rows[cells.is_valid().to_numpy()], cells.drop_null().combine_chunks()
    cleaned = clean_cells(cells, texts if given is None else given)
    present = [value for value in cleaned if value is not None]
    _, same_type = alike(np.zeros(0, dtype=np.int32), present)
    as_text = bool(same_type) and isinstance(same_type[0], str)
    place = {str(level): number for number, level in enumerate(levels)}
    categories = sorted({str(value) if as_text else value for value in present}, key=_order)
    categories.sort(key=lambda value: place.get(str(value), len(place)))
    if given is not None:
        categories = _given_categories(name, categories, given)
    if len(categories) > MOST_CATEGORIES:
        raise ColumnError(too_many_text(name, len(categories)), name)
    position = positions_of(categories)
    codes = [len(categories) if value is None else position(value) for value in cleaned]
    feature = Feature(name, "categorical", categories=tuple(categories))
    code_of_cell = np.array(codes, dtype=np.int64)
    return CategoryCoder(feature, cells, code_of_cell, int(n_rows[code_of_cell < len(categories)].sum()))


def _order(value: Value) -> tuple[str, Value]:
    return ("text" if isinstance(value, str) else "number", value)


def _given_categories(name: str, present: Sequence[Value], given: Sequence[Value]) -> list[Value]:
    """The categories in the order given, which may list values that no row has."""
    listed = list(dict.fromkeys(value for cell in given if (value := clean_value(cell, given)) is not None))
    _, wanted = alike(np.arange(len(listed), dtype=np.int32), listed)
    position = positions_of(wanted)
    unknown = [value for value in present if position(value) is None]
    if unknown:
        named = listing(f"'{value}'" for value in unknown[:5])
        text = message(
            "Column '{column}' has {values}, not in the order given for it: add the value or correct it.",
            column=name,
            values=named,
        )
        raise ColumnError(text, name)
    return wanted


def too_many_text(name: str, count: int) -> str:
    """The sentence for a column with more categories than codes."""
    return message(
        "Column '{column}' has about {count:,} categories, more than the {most:,} that a connected table can have: "
        "make it numeric if they are quantities, group its values, or leave it out of the features.",
        column=name,
        count=count,
        most=MOST_CATEGORIES,
    )


def missing_cells(coder: CategoryCoder) -> list[object]:
    """The cells that count as missing, NULL apart."""
    at = np.flatnonzero(coder.code_of_cell == coder.feature.n_values)
    return [coder.cells[int(i)].as_py() for i in at]
