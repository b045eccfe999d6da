"""Which tables may be connected: what the server's owner names, never a path that a reader types.

`EXPLORER_TABLES` names folders, Parquet and CSV files and DuckDB files, separated as the folders of PATH are. Without
it no table can be connected. A link holds the name of a table below these, and a symbolic link is not followed.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import explorer as ex
from explorer.messages import message
from explorer.sources.origins.preview import tables_in

VARIABLE = "EXPLORER_TABLES"
MOST_TABLES, DEEPEST = 500, 4
"""So many tables are listed at most, from folders down to this depth."""
_FILES, _DATABASES = (".parquet", ".csv"), (".duckdb",)
_TABLE = " ▸ "
"""Between a DuckDB file and one of its tables."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Table:
    """A table that may be connected: its name for readers and links, where it is, and its name in a database."""

    name: str
    path: str
    table: str | None = None

    @property
    def files(self) -> list[Path]:
        """Its files, of which none is a symbolic link."""
        path = Path(self.path)
        files = sorted(path.parent.glob(path.name)) if "*" in path.name else [path]
        return [file for file in files if _is_plain(file)]

    def version(self) -> str:
        """A text that changes when the table does: names, sizes and times of its files."""
        with suppress(OSError):
            facts = [(file.name, file.stat()) for file in self.files]
            return repr([(name, stat.st_size, stat.st_mtime_ns, stat.st_ino) for name, stat in facts])
        return ""


def roots() -> list[Path]:
    """What the owner names, where it is there."""
    named = [Path(text) for text in os.environ.get(VARIABLE, "").split(os.pathsep) if text]
    for path in named:
        if not path.exists():
            _log.warning("%s names %s, which does not exist.", VARIABLE, path)
    return [path.resolve() for path in named if path.exists()]


def is_offered() -> bool:
    """Whether the owner names anything."""
    return bool(os.environ.get(VARIABLE, ""))


def tables() -> list[Table]:
    """All tables that may be connected, in the order of their names."""
    listed: list[Table] = []
    for root in roots():
        for table in _tables_of(root):
            if len(listed) == MOST_TABLES:
                _log.warning("%s: only the first %d tables are listed.", VARIABLE, MOST_TABLES)
                return listed
            listed.append(table)
    return listed


def find(name: str) -> Table:
    """The table of this name. Raises InputError where it is not, or no longer, among those that may be connected."""
    for table in tables():
        if table.name == name:
            return table
    if not is_offered():
        raise ex.InputError(message("The table '{name}' cannot be connected: this server offers none.", name=name))
    raise ex.InputError(
        message(
            "The table '{name}' is not among those that can be connected on this server: choose one of the list on the "
            "Data page.",
            name=name,
        )
    )


def _tables_of(root: Path) -> Iterator[Table]:
    if root.is_file():
        yield from _of_file(root, root.name)
        return
    for folder, folders, files in os.walk(root, followlinks=False):
        here = Path(folder)
        depth = len(here.relative_to(root).parts)
        folders[:] = sorted(folders) if depth < DEEPEST else []
        label = "/".join((root.name, *here.relative_to(root).parts))
        plain = [name for name in sorted(files) if _is_plain(here / name)]
        for ending in _FILES:
            yield from _pattern(here, label, ending, plain, files)
        for name in plain:
            yield from _of_file(here / name, f"{label}/{name}")


def _pattern(folder: Path, label: str, ending: str, plain: list[str], files: list[str]) -> Iterator[Table]:
    """All files of one ending as one table; none where a symbolic link would be among them."""
    matching = [name for name in files if name.endswith(ending)]
    if len(matching) > 1 and all(name in plain for name in matching):
        yield Table(f"{label}/*{ending}", str(folder / f"*{ending}"))


def _of_file(path: Path, name: str) -> Iterator[Table]:
    if path.name.lower().endswith(_FILES):
        yield Table(name, str(path))
    elif path.name.lower().endswith(_DATABASES):
        with suppress(ex.InputError):  # a file that another program is writing, or that is no database
            yield from (Table(f"{name}{_TABLE}{table}", str(path), table) for table in tables_in(str(path)))


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()
