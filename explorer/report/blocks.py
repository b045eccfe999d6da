"""What a report is made of, before it is Markdown or HTML: texts are plain, and each writer makes them safe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Paragraph:
    """One or more sentences."""

    text: str


@dataclass(frozen=True)
class Points:
    """A list of remarks."""

    texts: Sequence[str]


@dataclass(frozen=True)
class Grid:
    """A table: a name per column, and rows of cells."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Listing:
    """Text whose spaces and line breaks count, in a language or none."""

    text: str
    language: str = ""


@dataclass(frozen=True)
class Picture:
    """An SVG document, already safe, and what it shows."""

    svg: str
    caption: str


Block = Paragraph | Points | Grid | Listing | Picture


@dataclass(frozen=True)
class Section:
    """A heading, if it has one, and what stands under it."""

    title: str
    blocks: Sequence[Block]
