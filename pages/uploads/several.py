"""Several files given at once: a project before its table, a model after it, and tables as members of one file."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Sequence
from pathlib import PurePosixPath

from explorer.data.notes import listed_names
from explorer.messages import message
from pages.settings import session
from pages.uploads import models, project, project_file

File = tuple[str, bytes]
"""The name and the content of a file."""


def give(purpose: str, files: Sequence[File]) -> None:
    """Open a project first, then the file that a view waits for, or else all tables as one file, and a model last."""
    projects = [file for file in files if project.is_project(*file)]
    for file in projects[:1]:
        project_file.give(purpose, *file)
    fitted = [file for file in files if file not in projects and models.is_model(file[1])]
    tables = [file for file in files if file not in projects and file not in fitted]
    held = session.awaiting_file()
    awaited = [file for file in tables if held is not None and _digest(file).startswith(held.upload)][:1]
    left = [*projects[1:], *fitted[1:], *(file for file in tables if awaited and file not in awaited)]
    if left:
        session.notify("warning", message("Not opened: {names}.", names=listed_names([name for name, _ in left])))
    opened = awaited or tables
    if len(opened) == 1:
        project_file.give(purpose, *opened[0])
    elif opened:
        session.notify(
            "info",
            message(
                "{n:,} files were given at once and are kept as one: {names}. Under “Sheet or table” choose one of "
                "them, or all with the same columns, one below the other.",
                n=len(opened),
                names=listed_names([name for name, _ in opened]),
            ),
        )
        project_file.give(purpose, *packed(opened))
    for file in fitted[:1]:
        project_file.give(purpose, *file)


def packed(files: Sequence[File]) -> File:
    """The files as members of one, in order of their names, so that it is the same however they were given.

    >>> name, content = packed([("b.csv", b"2"), ("a.csv", b"1"), ("a.csv", b"3")])
    >>> name, zipfile.ZipFile(io.BytesIO(content)).namelist()
    ('a.csv +2.zip', ['a.csv', 'a (2).csv', 'b.csv'])
    """
    whole, names = io.BytesIO(), list[str]()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        for name, content in sorted(files):
            names.append(_free(name, names))
            archive.writestr(zipfile.ZipInfo(names[-1]), content)  # of a fixed date: the same files, the same bytes
    return f"{names[0]} +{len(names) - 1}.zip", whole.getvalue()


def _free(name: str, taken: Sequence[str]) -> str:
    path, number, free = PurePosixPath(name), 2, name
    while free in taken:
        free, number = f"{path.stem} ({number}){path.suffix}", number + 1
    return free


def _digest(file: File) -> str:
    return hashlib.sha256(file[1]).hexdigest()
