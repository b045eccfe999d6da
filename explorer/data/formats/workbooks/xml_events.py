"""XML read as a stream of events, without entities, external files or a tree in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import BinaryIO
from xml.parsers import expat

from explorer.errors import InputError
from explorer.messages import message

_BLOCK = 1 << 16

Start = Callable[[str, Mapping[str, str]], None]


def parse_xml(
    stream: BinaryIO, name: str, start: Start, end: Callable[[str], None], text: Callable[[str], None]
) -> None:
    """Call the handlers for each element and text; names and attributes come without their prefix.

    Raises `InputError` for a document type declaration (by which a small file can grow without end) and expat's
    `ExpatError` for what is no XML.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def refuse(*_: object) -> None:
        raise InputError(
            message("'{file}' declares XML entities, which no table needs: save it again as .xlsx or CSV.", file=name)
        )

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = lambda tag, attributes: start(_local(tag), attributes)
    parser.EndElementHandler = lambda tag: end(_local(tag))
    parser.CharacterDataHandler = text
    while block := stream.read(_BLOCK):
        parser.Parse(block)
    parser.Parse(b"", True)


def _local(tag: str) -> str:
    return tag.rsplit(":", 1)[-1]


def attribute(attributes: Mapping[str, str], local: str) -> str:
    """Return an attribute by its name without prefix, or ""."""
    return next((value for name, value in attributes.items() if _local(name) == local), "")
