"""The text of a scene: a Markdown file of lines `key: value` under headings, each text followed by its Chinese.

[CONTRIBUTING](../../../CONTRIBUTING.md) shows a scene and lists the keys. This module knows nothing of their meaning.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

TEXTS = (
    "title",
    "asks",
    "text",
    "says",
    "before says",
    "heading",
    "before heading",
    "number",
    "question",
    "because",
    "source",
)
"""Keys of what readers see."""
_FREE = ("say", "label", "option")
"""Keys of texts that have a name of their own: `say pure: …`."""
VALUES = (
    *(
        "minutes",
        "table",
        "recipe",
        "with",
        "node",
        "cell",
        "features",
        "page",
        "short path",
        "value",
        "digits",
        "numbers",
    ),
    *("picture", "before", "options", "right", "candidates", "choice"),
)
"""Keys of what the package works out."""
_LINE = re.compile(r"([a-z]+(?: [A-Za-z_0-9. ]+)?): ?(.*)")
_OPTION = re.compile(r"- \[([ x])\] (.+)")


class SceneError(ValueError):
    """What is wrong in the file of a scene, where, and what to do."""


@dataclass
class Text:
    """A text of a scene in English and Chinese, its fields in braces; one in backticks is the same in all languages."""

    where: str
    english: str
    chinese: str = ""

    @property
    def is_literal(self) -> bool:
        """Whether it stands in backticks: a name, a number or a formula."""
        return self.english.startswith("`") and self.english.endswith("`")

    def check(self) -> None:
        """SceneError unless the Chinese is there and has the fields of the English."""
        if self.is_literal == bool(self.chinese):
            what = "in backticks needs no Chinese: delete" if self.chinese else "has no Chinese: write"
            raise SceneError(f"{self.where}: '{self.english}' {what} the line 'zh: …' below it.")
        if self.chinese and fields(self.english) != fields(self.chinese):
            missing, more = fields(self.english) - fields(self.chinese), fields(self.chinese) - fields(self.english)
            raise SceneError(
                f"{self.where}: the Chinese of '{self.english}' has other fields: add {sorted(missing)}, "
                f"remove {sorted(more)}."
            )


def fields(template: str) -> Counter[str]:
    """The fields of a template, with their formats."""
    parsed = string.Formatter().parse(template)
    return Counter(f"{name}:{form}" for _, name, form, _ in parsed if name is not None)


@dataclass
class Part:
    """What stands under one heading: texts and values by their keys, and the options of its question."""

    name: str
    where: str
    texts: dict[str, Text] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    lines: dict[str, str] = field(default_factory=dict)
    options: list[tuple[bool, Text]] = field(default_factory=list)

    def all_texts(self) -> Iterator[Text]:
        """Its texts in the order of the file."""
        yield from self.texts.values()
        yield from (text for _, text in self.options)

    def named(self, prefix: str) -> Mapping[str, Text]:
        """The texts whose keys begin with a word, by the rest of the key: `say pure` by "pure"."""
        return {key.split(" ", 1)[1]: text for key, text in self.texts.items() if key.startswith(f"{prefix} ")}


@dataclass(frozen=True)
class SceneText:
    """A scene as it is written: what holds for all of it, and its steps."""

    head: Part
    steps: tuple[Part, ...]

    def texts(self) -> Iterator[Text]:
        """Every text of the scene."""
        for part in (self.head, *self.steps):
            yield from part.all_texts()


def read(text: str, file: str) -> SceneText:
    """A scene from the text of its file; SceneError names the line that is wrong.

    >>> scene = read("# Two\\nzh: 二\\n\\n## one\\ntitle: `1`\\nvalue: leaves\\n", "two.md")
    >>> scene.head.texts["title"].chinese, scene.steps[0].values
    ('二', {'value': 'leaves'})
    """
    parts: list[Part] = []
    last: Text | None = None
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{file}, line {number}"
        if not line.strip():
            continue
        if line.startswith("# ") and not parts:
            last = Text(where, line[2:])
            parts.append(Part("", where, {"title": last}))
        elif line.startswith("## ") and parts:
            last = None
            parts.append(Part(line[3:], where))
            if line[3:] in [part.name for part in parts[1:-1]]:
                raise SceneError(f"{where}: there is a step '{line[3:]}' above: give this one another name.")
        elif not parts:
            raise SceneError(f"{where}: a scene begins with its title: write '# …'.")
        elif line.startswith("zh: "):
            if last is None or last.chinese:
                raise SceneError(f"{where}: no text stands above this Chinese: write it below its English line.")
            last.chinese = line[4:]
        else:
            last = _take(parts[-1], line, where)
    if len(parts) < 2:
        raise SceneError(f"{file}: a scene has steps: write '## name' and below it 'title: …'.")
    scene = SceneText(parts[0], tuple(parts[1:]))
    for each in scene.texts():
        each.check()
    return scene


def _take(part: Part, line: str, where: str) -> Text | None:
    """Add one line to a part; the text that it holds, if it holds one."""
    option = _OPTION.fullmatch(line)
    if option:
        part.options.append((option[1] == "x", Text(where, option[2])))
        return part.options[-1][1]
    found = _LINE.fullmatch(line)
    key = found[1] if found else ""
    if found is None or (key not in (*TEXTS, *VALUES) and key.split(" ")[0] not in (*_FREE, "choice")):
        keys = ", ".join((*TEXTS, *VALUES))
        raise SceneError(f"{where}: '{line[:40]}' is none of the lines of a scene: begin it with one of {keys}, zh.")
    if key in part.texts or key in part.values:
        raise SceneError(f"{where}: '{key}' stands twice in this part: delete one of the lines.")
    part.lines[key] = where
    if key in TEXTS or key.split(" ")[0] in _FREE:
        if not found[2]:
            part.values[key] = ""  # none, where the scene has one for all steps
            return None
        part.texts[key] = Text(where, found[2])
        return part.texts[key]
    part.values[key] = found[2]
    return None
