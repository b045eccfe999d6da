"""Models in XML and in printed lines as plain values, which are written after the damage."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

import explorer as ex
from tests.folders import ROOT

J48 = """\
J48 pruned tree
------------------

a <= 2.5: x (4.0/1.0)
a > 2.5
|   kind = u: y (2.0)
|   kind = v: z (1.0)
|   kind = w: x (3.0/1.0)
"""


def pmml(name: str) -> str:
    """A file written by hand as an element: tag, attributes, elements in it, text."""

    def plain(element: ElementTree.Element) -> list[Any]:
        tag = element.tag.split("}")[-1]
        return [tag, dict(element.attrib), [plain(each) for each in element], (element.text or "").strip()]

    return json.dumps(plain(ElementTree.parse(ROOT / f"tests/reference/pmml_by_hand/{name}.pmml").getroot()))


def opened_pmml(text: str) -> ex.Tree | ex.Ensemble:
    """What is read of the file behind the values, or behind the text where they are none."""
    return ex.open_model(_xml(_plain(text)).encode("utf-8", "replace"))


def _xml(element: Any, depth: int = 0) -> str:
    """An element as text; anything else as the text of its value."""
    if not (isinstance(element, list) and len(element) == 4 and isinstance(element[1], dict)) or depth > 400:
        return escape(str(element))
    tag, attributes, inner, text = element
    told = "".join(f" {name}={quoteattr(str(value))}" for name, value in attributes.items())
    within = "".join(_xml(each, depth + 1) for each in inner) if isinstance(inner, list) else ""
    return f"<{tag}{told}>{escape(str(text))}{within}</{tag}>"


def weka() -> str:
    """What J48 prints, line by line."""
    return json.dumps(J48.split("\n"))


def opened_weka(text: str) -> ex.Tree | ex.Ensemble:
    """What is read of the lines, or of the text where they are none."""
    lines = _plain(text)
    told = "\n".join(map(str, lines)) if isinstance(lines, list) else str(lines)
    return ex.open_model(told.encode("utf-8", "replace"))


def _plain(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
