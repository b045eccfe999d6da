"""The elements of a PMML file: read as a stream, without what no tree needs, and with limits on their number."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator, Mapping
from xml.parsers.expat import ExpatError

from explorer.data.formats.workbooks.xml_events import parse_xml
from explorer.errors import InputError
from explorer.foreign.assembly import DEEPEST
from explorer.foreign.content import Content
from explorer.foreign.limits import refusing
from explorer.messages import message
from explorer.ranges import LARGEST_SUMMED

MOST_ELEMENTS = 6_000_000
UNREAD = {"Extension", "ModelExplanation", "ModelStats", "ModelVerification", "Partition", "Timestamp"}
"""Elements that no prediction needs, with all below them."""
_BEGINS = re.compile(rb"<(?:\w+:)?PMML[\s>]")
_ITEM = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')


def no_model(culprit: str) -> InputError:
    """The error of a file that holds no trees that can be read."""
    return InputError(
        message(
            "This is not a PMML file of trees that can be read: {culprit}. Write the model of trees alone, with "
            "missingValueStrategy defaultChild, lastPrediction, nullPrediction or none.",
            culprit=culprit,
        )
    )


refuse = refusing(no_model)


def is_pmml(content: Content) -> bool:
    """Whether this is XML with PMML as its outermost element, whatever comments stand before it."""
    return content.data[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and (
        _BEGINS.search(content.data[:65_536]) is not None
    )


class Element:
    """An element by its name without prefix, its attributes, the elements in it, and the text of an array."""

    __slots__ = ("attributes", "children", "tag", "text")

    def __init__(self, tag: str, attributes: Mapping[str, str]) -> None:
        """One without content yet."""
        self.tag, self.attributes, self.text = tag, attributes, ""
        self.children: list[Element] = []

    def all(self, *tags: str) -> Iterator[Element]:
        """The elements of these names directly in it."""
        return (child for child in self.children if child.tag in tags)

    def first(self, *tags: str) -> Element | None:
        """The first of them; None where there is none."""
        return next(self.all(*tags), None)

    def within(self, *path: str) -> list[Element]:
        """The elements at the end of a path of names, each the first but the last."""
        inner: Element | None = self
        for tag in path[:-1]:
            inner = inner.first(tag) if inner is not None else None
        return list(inner.all(path[-1])) if inner is not None else []

    def get(self, name: str, default: str = "") -> str:
        """An attribute."""
        return self.attributes.get(name, default)

    def need(self, name: str) -> str:
        """An attribute that has to be there."""
        found = self.attributes.get(name)
        if found is None:
            refuse(message("'{element}' has no '{name}'", element=self.tag, name=name))
        return found

    def number(self, name: str, default: float) -> float:
        """An attribute as a finite number."""
        told = self.attributes.get(name)
        return default if told is None else finite(told, name)

    def refuse_other(self, name: str, *readable: str) -> None:
        """InputError for an attribute with a value that cannot be read; the first readable one is its default."""
        if (found := self.get(name, readable[0])) not in readable:
            refuse(message("it has {name}='{value}'", name=name, value=found[:40]))


def finite(text: str, name: str) -> float:
    """A finite number within what can be summed."""
    try:
        number = float(text) if "_" not in text else math.nan
    except ValueError:
        number = math.nan
    if not abs(number) <= LARGEST_SUMMED:
        refuse(message("'{name}' is no finite number", name=name))
    return number


def array_of(element: Element) -> list[str]:
    """The texts of the array in an element: apart by blanks, in quotation marks where they hold some.

    A backslash stands for itself, but before a quotation mark: so engines read it.
    """
    found = element.first("Array")
    if found is None:
        refuse(message("'{element}' has no '{name}'", element=element.tag, name="Array"))
    texts = []
    for match in _ITEM.finditer(found.text):
        quoted, plain = match.group(1), match.group(2)
        texts.append(plain if quoted is None else quoted.replace('\\"', '"'))
    return texts


class _Elements:
    """The elements of the file as they come."""

    def __init__(self) -> None:
        self.root: Element | None = None
        self._open: list[Element] = []
        self._unread = self._count = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if self._unread or tag in UNREAD:
            self._unread += 1
            return
        self._count += 1
        if self._count > MOST_ELEMENTS or len(self._open) > 2 * DEEPEST:
            refuse(message("it has more than {most:,} elements, or they are too deep", most=MOST_ELEMENTS))
        element = Element(tag, attributes)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def end(self, tag: str) -> None:
        if self._unread:
            self._unread -= 1
        else:
            self._open.pop()

    def text(self, text: str) -> None:
        if not self._unread and self._open and self._open[-1].tag == "Array":
            self._open[-1].text += text


def document(content: Content) -> Element:
    """The outermost element of the file; InputError for what is no XML, and for entities."""
    elements = _Elements()
    try:
        parse_xml(io.BytesIO(content.data), content.name, elements.start, elements.end, elements.text)
    except InputError:
        raise
    except ExpatError as error:
        refuse(message("line {line} is no XML", line=error.lineno))
    except (ValueError, LookupError):  # an encoding that nobody knows
        refuse(message("the text is in an unknown encoding"))
    if elements.root is None or elements.root.tag != "PMML":
        refuse(message("the file is damaged"))
    return elements.root
