"""Built-in tables; `samples.json` says what each shows, its source and its licence, in every language."""

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from explorer.data.read import read_table
from explorer.data.table import Table
from explorer.errors import InputError
from explorer.messages import Worded, Words, current_catalogue, listing, message

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A built-in table.

    `story` is an inviting line, `kinds` gives the types of ambiguous columns, `features` None leaves the
    choice to `Dataset.from_frame`, which leaves out `left_out` (ids and constants). `rows` and `columns` are counts.
    `labels` name classes that the file has as digits.
    """

    key: str
    title: Worded = Worded()
    story: Worded = Worded()
    target: str
    source: Worded = Worded()
    licence: Worded = Worded()
    rows: int
    columns: int
    features: tuple[str, ...] | None = None
    left_out: tuple[str, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    group: str
    """One of "textbook", "real" (collected data) and "generated"."""

    @property
    def is_regression(self) -> bool:
        """Whether the target is numeric."""
        return self.kinds.get(self.target) == "numeric"

    @property
    def path(self) -> Path:
        """Where the CSV file lies."""
        return _FOLDER / f"{self.key}.csv"


def load_sample(key: str) -> Table:
    """Read a built-in table; `InputError` for an unknown key.

    >>> load_sample("play_tennis").frame.shape
    (14, 6)
    """
    if key not in SAMPLES:
        close = difflib.get_close_matches(key, SAMPLES, n=1)
        if close:
            raise InputError(
                message(
                    "There is no sample '{name}': did you mean '{close}'? The samples are {names}.",
                    name=key,
                    close=close[0],
                    names=listing(SAMPLES),
                )
            )
        raise InputError(
            message("There is no sample '{name}': choose one of {names}.", name=key, names=listing(SAMPLES))
        )
    return read_table(SAMPLES[key].path)


def _words(texts: str | Mapping[str, str]) -> Words:
    """A text as the file has it: the same in every language, or by language."""
    if isinstance(texts, str):
        return texts

    def in_force() -> str:
        catalogue = current_catalogue()
        return texts.get(catalogue.language) or catalogue.template(texts["en"])

    return in_force


def _sample(record: Mapping[str, Any], licences: Mapping[str, Mapping[str, str]]) -> Sample:
    """A sample as the file describes it."""
    worded = {name: _words(record[name]) for name in ("title", "story", "source")}
    listed = {name: tuple(record[name]) for name in ("features", "left_out") if name in record}
    maps = {name: MappingProxyType(record.get(name, {})) for name in ("kinds", "labels")}
    return Sample(**{**record, **worded, **listed, **maps, "licence": _words(licences[record["licence"]])})


_FILE = json.loads((_FOLDER / "samples.json").read_text("utf-8"))
SAMPLES: Mapping[str, Sample] = MappingProxyType(
    {record["key"]: _sample(record, _FILE["licences"]) for record in _FILE["samples"]}
)
"""Every sample by its key, in the order a gallery shows them; play_tennis comes first."""
