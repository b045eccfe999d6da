"""Scenes from Markdown files: their texts in the reader's language, their numbers and pictures from the vocabulary."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from explorer.messages import ENGLISH, current_catalogue
from explorer.messages.spacing import filled
from pages.learn.scenes.markdown import Part, SceneError, SceneText, Text, read
from pages.learn.scenes.step import Choice, Chosen, Competition, Number, Question, Scene, Step
from pages.learn.vocabulary import load
from pages.learn.vocabulary.calls import evaluate
from pages.learn.vocabulary.words import Here, placed


def scene_from(path: Path) -> Scene:
    """The scene of a file; SceneError names what is wrong in it."""
    load()
    written = read(path.read_text("utf-8"), path.name)
    head = written.head
    value = head.values
    for key in ("asks", "minutes", "table", "recipe"):
        if key not in value and key not in head.texts:
            raise SceneError(f"{head.where}: the scene has no '{key}': add a line '{key}: …' below its title.")
    return Scene(
        name=path.stem,
        title=lambda: said(head.texts["title"], Here()),
        asks=lambda: said(head.texts["asks"], Here()),
        minutes=int(value["minutes"]),
        steps=_steps_of(written),
        on_short_path=value.get("short path") == "yes",
        own_page=value.get("page", "grow"),
        sample=value["table"],
        recipe=value["recipe"],
        folder=path.parent.name,
    )


def _steps_of(scene: SceneText) -> Callable[[Chosen], tuple[Step, ...]]:
    def steps(chosen: Chosen) -> tuple[Step, ...]:
        return tuple(_StepText(part, scene, chosen).step() for part in scene.steps)

    return steps


def said(text: Text, here: Here) -> str:
    """A text in the reader's language, its fields filled in."""
    if text.is_literal:
        template = text.english[1:-1]
    else:
        catalogue = current_catalogue()
        is_chinese = catalogue.language.startswith("zh")
        template = text.chinese if is_chinese else catalogue.template(text.english)
    parts: list[str] = []
    values: dict[str, object] = {}
    for literal, name, form, _ in string.Formatter().parse(template):
        parts.append(literal.replace("{", "{{").replace("}", "}}"))
        if name is not None:
            values[f"field{len(values)}"] = formatted(evaluate(name, here, text.where), form or "")
            parts.append(f"{{field{len(values) - 1}}}")
    joined = "".join(parts)
    return filled(joined, values) if current_catalogue().language != ENGLISH.language else joined.format(**values)


def formatted(value: Any, form: str = "") -> str:
    """A value as a text: a float with three decimals unless the format says otherwise."""
    return format(value, form or (".3f" if isinstance(value, float) else ""))


class _StepText:
    """One step in the making: its lines, and what its calls are about."""

    def __init__(self, part: Part, scene: SceneText, chosen: Chosen) -> None:
        self.part, self.scene = part, scene
        self.choices = {each: _options_of(each, part, scene) for each in _choice_names(scene)}
        names: dict[str, Any] = {
            name: chosen[name] if chosen.get(name) in options else default
            for name, (options, default) in self.choices.items()
        }
        words = {name: {k: said(t, Here()) for k, t in options.items()} for name, (options, _) in self.choices.items()}
        names |= {f"{name}_words": words[name][value] for name, value in names.items()}
        names |= {f"{name}_options": tuple(each.values()) for name, each in words.items()}
        here = Here(names=names)
        for source in (scene.head, part):
            here = self._placed(here, source)
        texts = {**scene.head.named("say"), **part.named("say")}
        self.here = replace(here, names=names | {key: said(text, here) for key, text in texts.items()})

    def _placed(self, here: Here, source: Part) -> Here:
        values, where = source.values, source.lines
        given: dict[str, Any] = {
            key: here.names.get(values[key], values[key]) for key in ("table", "recipe") if key in values
        }
        if "features" in values:
            given["features"] = tuple(values["features"].split(", "))
        if "with" in values:
            given |= evaluate(f"settings({values['with']})", here, where["with"])
        there, _ = placed(replace(here, changes=()) if given else here, given)
        for key in ("cell", "node"):
            if key in values:
                there, _ = placed(there, {key: evaluate(values[key], there, where[key])})
        return there

    def _text(self, key: str, here: Here | None = None) -> str:
        text = self.part.texts.get(key)
        if text is None and key not in self.part.values and key in ("source", "says", "heading"):
            text = self.scene.head.texts.get(key)
        return said(text, here or self.here) if text else ""

    def _value(self, key: str, here: Here | None = None) -> Any:
        return evaluate(self.part.values[key], here or self.here, self.part.lines[key])

    def _picture(self, key: str) -> Any:
        if key not in self.part.values:
            return None
        is_before = key == "before"
        state = ("asked" if is_before else "answered") if "before" in self.part.values else ""
        says = self._text("before says" if is_before and "before says" in self.part.texts else "says")
        heading = self._text("before heading" if is_before and "before heading" in self.part.texts else "heading")
        return self._value(key, replace(self.here, says=says, heading=heading, state=state))

    def step(self) -> Step:
        """The step, in the reader's language."""
        part = self.part
        for key in ("title", "text", "picture", "number", "value"):
            if key not in part.texts and key not in part.values:
                raise SceneError(f"{part.where}: the step '{part.name}' has no '{key}': add a line '{key}: …'.")
        return Step(
            name=part.name,
            title=self._text("title"),
            text=self._text("text"),
            picture=self._picture("picture"),
            number=self._number(),
            question=self._question(),
            before=self._picture("before"),
            choices=self._own_choices(),
            competition=Competition(self.here.decision, self.here.tree) if "candidates" in part.values else None,
            numbers=self._numbers(),
            source=self._text("source"),
        )

    def _number(self) -> Number:
        value = self._value("value")
        default = 3 if isinstance(value, float) else 0
        digits = int(self.part.values.get("digits", default))
        return Number(self._text("number"), float(value), digits, getattr(value, "derivation", None))

    def _numbers(self) -> Mapping[str, float]:
        found: dict[str, float] = {}
        where = self.part.lines.get("numbers", "")
        for each in filter(None, map(str.strip, self.part.values.get("numbers", "").split(";"))):
            name, _, call = each.partition(" = ")
            value = evaluate(call or name, self.here, where)
            pairs = value if isinstance(value, Mapping) else {said(Text(where, f"`{name}`"), self.here): value}
            found |= {key: float(number) for key, number in pairs.items()}
        return found

    def _question(self) -> Question | None:
        part = self.part
        if "question" not in part.texts:
            return None
        if part.options:
            options = tuple(said(text, self.here) for _, text in part.options)
            right = tuple(at for at, (is_right, _) in enumerate(part.options) if is_right)
            raw: tuple[str, ...] = options
        else:
            raw = tuple(map(formatted, self._value("options")))
            options, right = tuple(map(self.here.named, raw)), ()
        if "right" in part.values:
            named = part.values["right"]
            answers = named if named in raw else self._value("right")
            answers = answers if isinstance(answers, tuple) else (answers,)
            found = tuple(at for at, each in enumerate(raw) if each in tuple(map(formatted, answers)))
            if right not in ((), found):
                raise SceneError(f"{part.lines['right']}: the option marked by [x] is not {named}: mark that one.")
            right = found
        if not right:
            raise SceneError(f"{part.where}: no option of '{part.name}' is right: mark one by '- [x] …'.")
        return Question(self._text("question"), options, right, self._text("because"))

    def _own_choices(self) -> tuple[Choice, ...]:
        names = [key.split(" ")[1] for key in self.part.values if key.startswith("choice ")]
        found = []
        for name in names:
            options, default = self.choices[name]
            label = self.scene.head.texts.get(f"label {name}") or self.part.texts[f"label {name}"]
            words = {key: said(text, self.here) for key, text in options.items()}
            found.append(Choice(name, said(label, self.here), words, default, self._waits(name)))
        return tuple(found)

    def _waits(self, choice: str) -> bool:
        """Whether the picture needs a choice, but not the one before the question is answered."""
        needs = re.compile(rf"\b{re.escape(choice)}\b").search
        before = self.part.values.get("before")
        return before is not None and not needs(before) and needs(self.part.values["picture"]) is not None


def _choice_names(scene: SceneText) -> dict[str, None]:
    keys = [key for part in scene.steps for key in part.values if key.startswith("choice ")]
    return dict.fromkeys(key.split(" ")[1] for key in keys)


def _options_of(name: str, part: Part, scene: SceneText) -> tuple[dict[str, Text], str]:
    """The values of a choice with their words, and the one that holds by default: the first, or the one in brackets."""
    owner = next(each for each in (part, *scene.steps) if f"choice {name}" in each.values)
    where = owner.lines[f"choice {name}"]
    values = owner.values[f"choice {name}"].split(", ")
    default = next((each[1:-1] for each in values if each.startswith("[")), values[0])
    texts = {**scene.head.named("option"), **owner.named("option")}
    plain = [each.strip("[]") for each in values]
    return {each: texts.get(each, Text(where, f"`{each}`")) for each in plain}, default
