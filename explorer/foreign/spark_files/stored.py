"""What Spark keeps of one stage: its metadata as JSON, and tables in Parquet, both read within the budgets."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

import pyarrow as pa
import pyarrow.parquet as pq

from explorer.errors import InputError
from explorer.foreign.content import LARGEST_FILE
from explorer.foreign.limits import MOST_NODES_IN_ALL, MOST_PAIRS, refusing
from explorer.foreign.spark_files.parquet_pages import unfolded
from explorer.json_text import parsed
from explorer.messages import message
from explorer.plain_fields import Fields

BATCH_ROWS = 1 << 13
_BROKEN = (
    *(pa.ArrowException, OSError, ValueError, OverflowError, LookupError, NotImplementedError, MemoryError),
    *(struct.error, TypeError),
)


def no_model(culprit: str) -> InputError:
    """The error of files that Spark has not written."""
    return InputError(
        message(
            "This is not a model of Spark ML that can be read: {culprit}. Save the fitted pipeline anew with "
            "model.write().save('folder').",
            culprit=culprit,
        )
    )


refuse = refusing(no_model)


@dataclass(frozen=True, eq=False)
class Stage:
    """A stage in the files below a folder: `at` is "" or ends with a slash."""

    files: Mapping[str, bytes]
    at: str = ""

    @cached_property
    def metadata(self) -> Fields:
        """What Spark writes of every stage; InputError where it is missing or damaged."""
        text = b"".join(self._parts("metadata")).decode("utf-8", "replace")
        return Fields(parsed(text, lambda: no_model(message("the text is not JSON"))), no_model)

    @property
    def kind(self) -> str:
        """The name of its class, without the package."""
        return self.metadata.text("class").rsplit(".", 1)[-1][:80]

    @property
    def uid(self) -> str:
        """Its name among the stages of a pipeline."""
        return self.metadata.text("uid")

    def parameters(self) -> Fields:
        """Parameters by name, those that were set before those that were not."""
        told = [
            self.metadata.record(name).content for name in ("defaultParamMap", "paramMap") if self.metadata.has(name)
        ]
        return Fields({name: value for each in told for name, value in each.items()}, no_model)

    def table(self, folder: str) -> pa.Table:
        """The rows of all parts of a table; InputError where they are damaged or too many."""
        tables = []
        rows = size = 0
        for data in self._parts(folder):
            try:
                batches = list(_batches(data))
                rows, size = rows + sum(map(len, batches)), size + sum(batch.nbytes for batch in batches)
                tables += [pa.Table.from_batches(batches)] if batches else []
            except _BROKEN as error:
                if isinstance(error, InputError):
                    raise
                refuse(message("a file of numbers is damaged"))
            if rows > MOST_NODES_IN_ALL or size > LARGEST_FILE:
                refuse(message("it has no trees, or more than {most:,} nodes", most=MOST_NODES_IN_ALL))
        try:
            return pa.concat_tables(tables).unify_dictionaries().combine_chunks()
        except _BROKEN:  # no part, or parts that differ
            refuse(message("a file of numbers is missing"))

    def _parts(self, folder: str) -> list[bytes]:
        """The files of a folder, in order, without those that only check or mark it."""
        start = f"{self.at}{folder}/"
        names = [name for name in sorted(self.files) if name.startswith(f"{start}part-")]
        return [self.files[name] for name in names if PurePosixPath(name).parent == PurePosixPath(start)]


def _batches(data: bytes) -> Iterator[pa.RecordBatch]:
    """The rows of one file. Texts stay the codes that Parquet has for them, which cannot unfold."""
    n_values, unpacked = unfolded(data)
    if n_values > MOST_PAIRS or unpacked > LARGEST_FILE:
        refuse(message("it has no trees, or more than {most:,} nodes", most=MOST_NODES_IN_ALL))
    schema = pq.ParquetFile(io.BytesIO(data), pre_buffer=False).schema
    columns = [schema.column(place) for place in range(len(schema))]
    texts = [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]
    coded = pq.ParquetFile(io.BytesIO(data), read_dictionary=texts, pre_buffer=False)
    for batch in coded.iter_batches(batch_size=BATCH_ROWS, use_threads=False):
        batch.validate(full=True)
        yield batch
