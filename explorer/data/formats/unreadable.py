"""Files that hold no table this package can read, by their first bytes, and what to do with each."""

from __future__ import annotations

import re
from collections.abc import Callable

from explorer.data.source import Source
from explorer.errors import InputError
from explorer.messages import message


def _document(kind: Callable[[], str]) -> Callable[[str], str]:
    return lambda file: message(
        "'{file}' is {kind}, not a table: open it in the program that made it and save the table as CSV, .xlsx or "
        "Parquet.",
        file=file,
        kind=kind(),
    )


def _archive(kind: Callable[[], str]) -> Callable[[str], str]:
    return lambda file: message(
        "'{file}' is {kind}, not a table: unpack it and load the table inside.", file=file, kind=kind()
    )


def _picture(kind: Callable[[], str]) -> Callable[[str], str]:
    return lambda file: message(
        "'{file}' is {kind}, not a table: load the table itself, not a picture of it.", file=file, kind=kind()
    )


def _data(kind: Callable[[], str]) -> Callable[[str], str]:
    return lambda file: message(
        "'{file}' is {kind}, which is not read here: save the table as Parquet or CSV.", file=file, kind=kind()
    )


_MAGIC: tuple[tuple[bytes, Callable[[str], str]], ...] = (
    (b"%PDF", _document(lambda: message("a PDF document"))),
    (b"{\\rtf", _document(lambda: message("a rich text document"))),
    (b"BZh", _archive(lambda: message("a bzip2 archive"))),
    (b"\xfd7zXZ", _archive(lambda: message("an xz archive"))),
    (b"7z\xbc\xaf", _archive(lambda: message("a 7z archive"))),
    (b"Rar!", _archive(lambda: message("a RAR archive"))),
    (b"\x28\xb5\x2f\xfd", _archive(lambda: message("a Zstandard archive"))),
    (b"\x89HDF", _data(lambda: message("an HDF5 file"))),
    (b"\x93NUMPY", _data(lambda: message("a NumPy file"))),
    (b"FEA1", _data(lambda: message("a Feather file of the old version 1"))),
    (b"PARE", _data(lambda: message("an encrypted Parquet file"))),
    (b"ORC", _data(lambda: message("an ORC file"))),
    (b"Obj\x01", _data(lambda: message("an Avro file"))),
    (b"RDX", _data(lambda: message("a file of R"))),
    (b"RDA", _data(lambda: message("a file of R as text"))),
    (b"\x89PNG", _picture(lambda: message("a PNG picture"))),
    (b"\xff\xd8\xff", _picture(lambda: message("a JPEG picture"))),
    (b"GIF8", _picture(lambda: message("a GIF picture"))),
)
_R_AS_TEXT = re.compile(rb"A\n[23]\n\d{6}\n\d{6}\n")
_PICKLE = tuple(b"\x80" + bytes([version]) for version in (2, 3, 4, 5))
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def refuse_unreadable(source: Source, name: str) -> None:
    """Raise `InputError` for a file that begins like something other than a table."""
    head = source.head
    for magic, text_for in _MAGIC:
        if head.startswith(magic):
            raise InputError(text_for(name))
    if _R_AS_TEXT.match(head):
        raise InputError(_data(lambda: message("a file of R as text"))(name))
    if head.startswith(_PICKLE):
        raise InputError(
            message(
                "'{file}' is a pickle, which could run code and is never opened: save a table as Parquet or CSV, and a "
                "model by the lines under “Open a model” on the Data page.",
                file=name,
            )
        )
    if head.startswith(_OLD_OFFICE):
        raise InputError(_old_office_message(source, name))
    if head[:256].lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith((b"<!doctype html", b"<html")):
        raise InputError(
            message("'{file}' is a web page, not a table: download the data file that the page links to.", file=name)
        )
    if head.startswith(b"<?xml"):
        raise InputError(message("'{file}' is an XML file, not a table: save the table as CSV or .xlsx.", file=name))


def _old_office_message(source: Source, name: str) -> str:
    """Return the error text for an OLE file: an encrypted workbook, or no workbook."""
    if "EncryptedPackage".encode("utf-16-le") in source.head:
        return message("'{file}' is protected by a password: save a copy without the password.", file=name)
    return message(
        "'{file}' is a document of the old Office without a workbook: save its table as .xlsx or CSV.", file=name
    )
