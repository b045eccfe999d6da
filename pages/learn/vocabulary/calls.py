"""Calls in the file of a scene: names, numbers, texts and calls of the vocabulary, and nothing else of Python."""

from __future__ import annotations

import ast
import difflib
from functools import lru_cache
from typing import Any

from pages.learn.scenes.markdown import SceneError
from pages.learn.vocabulary.words import WORDS, Here, placed


@lru_cache(maxsize=4_096)
def _parsed(text: str, where: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise SceneError(f"{where}: '{text}' is no call: write a name such as leaves, or gain(Outlook).") from None


def evaluate(text: str, here: Here, where: str) -> Any:
    """What a call gives. A bare name calls the function of this name; as an argument it is a text.

    >>> evaluate("leaves", Here("play_tennis", "ID3"), "")
    5
    >>> round(evaluate("gain(Outlook)", Here("play_tennis", "ID3"), ""), 3)
    0.247
    """
    node = _parsed(text, where)
    if isinstance(node, ast.Name) and node.id not in here.names:
        return _call(node.id, [], {}, here, where)
    return _value(node, here, where)


def _value(node: ast.expr, here: Here, where: str) -> Any:
    match node:
        case ast.Constant():
            return node.value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.Name():
            return here.names.get(node.id, node.id)
        case ast.Tuple() | ast.List():
            return tuple(_value(each, here, where) for each in node.elts)
        case ast.Call(func=ast.Name(id=name)):
            given = [_value(each, here, where) for each in node.args]
            by_name = {each.arg or "": _value(each.value, here, where) for each in node.keywords}
            return _call(name, given, by_name, here, where)
    raise SceneError(f"{where}: '{ast.unparse(node)}' is not allowed: use names, numbers, texts in quotes and calls.")


def _call(name: str, given: list[Any], by_name: dict[str, Any], here: Here, where: str) -> Any:
    function = WORDS.get(name)
    if function is None:
        near = difflib.get_close_matches(name, WORDS, n=1)
        remedy = f"did you mean '{near[0]}'?" if near else f"choose one of {', '.join(sorted(WORDS))}."
        raise SceneError(f"{where}: there is no '{name}': {remedy}")
    there, rest = placed(here, by_name, function)
    try:
        return function(there, *given, **rest)
    except (KeyError, TypeError, IndexError, ValueError) as error:
        if isinstance(error, SceneError):
            raise
        shown = ", ".join([*map(repr, given), *(f"{key}={value!r}" for key, value in by_name.items())])
        raise SceneError(
            f"{where}: {name}({shown}) does not work ({type(error).__name__}: {error}). "
            f"Check its names against the table '{there.table}'."
        ) from error
