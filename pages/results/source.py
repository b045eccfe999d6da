"""The table in use: the reader's own or a sample, repaired as the settings say, its classes under their labels."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import explorer as ex
from explorer.data.codes.likely_target import likely_targets
from explorer.data.samples import SAMPLES, load_sample
from explorer.values import Value
from pages.results.cache import kept
from pages.results.connected import opened
from pages.results.connected.opened import Connected
from pages.settings import session
from pages.settings.memo import remembered
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import Settings


@dataclass(frozen=True)
class Source:
    """The table in use: what it is called, a text that stands for its content, and its defaults.

    Of a `connected` table, `table` is a sample of the rows. `n_read` is how many rows one in memory had before repairs.
    `labels` are the sample's own names for the classes of its target.
    """

    key: str
    name: str
    table: ex.Table
    target: str
    features: tuple[str, ...] | None
    kinds: tuple[tuple[str, str], ...]
    connected: Connected | None = None
    n_read: int = 0
    labels: tuple[tuple[str, str], ...] = ()

    @property
    def n_rows(self) -> int:
        """How many rows the whole table has."""
        return self.connected.preview.n_rows if self.connected else len(self.table.frame)


_source_of_job: ContextVar[Source | None] = ContextVar("source of a job", default=None)


@contextmanager
def on_table(given: Source) -> Iterator[None]:
    """Within the block this is the table in use: a job knows nothing of the session's upload."""
    token = _source_of_job.set(given)
    try:
        yield
    finally:
        _source_of_job.reset(token)


@remembered
def source(settings: Settings) -> Source:
    """The reader's table if the settings name it, else the sample."""
    of_job = _source_of_job.get()
    if of_job is not None:
        return of_job
    if settings.connected:
        return of_connected(opened.look(settings.connected), settings)
    own = session.upload()
    if settings.upload and own is not None:
        return of_upload(own, settings)
    sample = SAMPLES[settings.sample]
    whole = _sample_table(settings.sample)
    key, table = repaired(f"sample:{settings.sample}", whole, settings.repairs)
    features = sample.features
    kinds = tuple(sample.kinds.items())
    if settings.target not in ("", sample.target):
        features = None
    target = settings.target or sample.target
    labels = tuple(sample.labels.items()) if target == sample.target else ()
    return Source(key, sample.title, table, target, features, kinds, n_read=len(whole.frame), labels=labels)


def of_upload(own: session.Upload, settings: Settings) -> Source:
    """A file of the reader's as the table in use."""
    key, table = repaired(own.key, own.table, settings.repairs)
    target = settings.target or likely_targets(table.frame, (settings.weight,), table.described, table.name)[0]
    return Source(key, own.name, table, target, None, (), n_read=len(own.table.frame))


def of_connected(connected: Connected, settings: Settings) -> Source:
    """A connected table as the table in use, of which a sample is in memory."""
    table = ex.Table(connected.preview.frame, (), connected.table.name)
    return Source(
        connected.key,
        connected.table.name,
        table,
        settings.target or likely_targets(table.frame, (settings.weight,), table.described, table.name)[0],
        None,
        (),
        connected,
    )


def repaired(key: str, table: ex.Table, repairs: tuple[ex.Repair, ...]) -> tuple[str, ex.Table]:
    """The table of this key with repairs applied in order, and a text for it."""
    if not repairs:
        return key, table
    return f"{key} {repairs!r}", _repaired(key, repairs, table)


@kept()
def _repaired(key: str, repairs: tuple[ex.Repair, ...], _table: ex.Table) -> ex.Table:
    return ex.apply_repairs(_table, repairs)


@kept()
def _sample_table(key: str) -> ex.Table:
    return load_sample(key)


_OF_CLASSES = ("class_weights", "costs")


def labelled(key: str, labels: tuple[tuple[str, str], ...], whole: ex.Dataset) -> ex.Dataset:
    """The table with its classes under their labels; a numeric target has none. Raises InputError."""
    if not labels or whole.is_regression:
        return whole
    return _labelled(f"{key} {whole.fingerprint}", labels, whole)


@kept()
def _labelled(key: str, labels: tuple[tuple[str, str], ...], _whole: ex.Dataset) -> ex.Dataset:
    return _whole.with_class_labels(dict(labels))


def under_labels(growing: GrowSettings, class_labels: tuple[tuple[Value, str], ...]) -> GrowSettings:
    """How a tree is grown, with its class weights and costs naming the labels.

    >>> weighted = GrowSettings("CART", (("class_weights", ((1, 2.0),)), ("max_depth", 3)))
    >>> under_labels(weighted, ((1, "survived"),)).changes
    (('class_weights', (('survived', 2.0),)), ('max_depth', 3))
    """
    names = dict(class_labels)
    changes = ((field, _renamed(value, names) if field in _OF_CLASSES else value) for field, value in growing.changes)
    return dataclasses.replace(growing, changes=tuple(changes)) if names else growing


def _renamed(pairs: Any, names: Mapping[Value, str]) -> Any:
    """Pairs, and the pairs within them, with other names."""
    if not isinstance(pairs, tuple):
        return pairs
    return tuple((names.get(name, name), _renamed(amount, names)) for name, amount in pairs)
