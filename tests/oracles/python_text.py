"""What the rules ask about Python files: each is parsed once for all of them, as their syntax is a million nodes."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

WORDED = {"message", "plural", "InputError", "Stopped", "ExplorerError"}
TRANSLATED = {"listing", "listing_with_more", "clauses", "message", "plural", "paragraph", "worded"}
MACHINE_TEXT = re.compile(
    r"\b(SELECT|FROM|WHERE|ATTACH|PRAGMA|INSERT|CREATE|VALUES|CASE|NOT IN)\b|[\w-]\s*:\s*\0\s*;|\{\"|\"\s*:\s*\0"
    r"|\.(csv|json|svg|png|html|py|sql|dot|zip|parquet|xlsx|txt|md)$"
)
"""SQL, a style of CSS, JSON, or the end of a file's name, with a zero where a value is put in."""


class Contents(NamedTuple):
    """What is kept of a file."""

    docstring: str
    imports: tuple[tuple[str, str], ...]
    """Module and name of every import, also inside functions and for type checkers only."""
    worded: tuple[tuple[str, ast.Call], ...]
    """The calls, by their plain names, of what makes or takes a text for readers, each with its name."""
    machine_texts: tuple[tuple[int, str], ...]
    """Line and text of each text for programs into which a function puts words of the reader's language."""


@cache
def contents(path: Path) -> Contents:
    """What a file holds."""
    return contents_of(path.read_text("utf-8"))


def contents_of(text: str) -> Contents:
    """What a program holds."""
    module = ast.parse(text)
    imports: list[tuple[str, str]] = []
    worded = []
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom):
            imports += ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            imports += ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WORDED:
            worded.append((node.func.id, node))
    found = (each for function in _functions(module) for each in _machine_texts(function))
    return Contents(ast.get_docstring(module) or "", tuple(imports), tuple(worded), tuple(found))


def _functions(node: ast.AST) -> Iterator[ast.AST]:
    """The functions that stand in no other function."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield child
        else:
            yield from _functions(child)


def _is_translated(node: ast.AST, names: set[str]) -> bool:
    """Whether an expression is a text in the reader's language, or one of the names that hold such texts."""
    called = node.func if isinstance(node, ast.Call) else None
    name = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
    return name in TRANSLATED or (isinstance(node, ast.Name) and node.id in names)


def _machine_texts(function: ast.AST) -> Iterator[tuple[int, str]]:
    nodes = [node for node in ast.walk(function) if isinstance(node, ast.Assign | ast.JoinedStr | ast.BinOp)]
    assigned = [node for node in nodes if isinstance(node, ast.Assign) and _is_translated(node.value, set())]
    names = {target.id for node in assigned for target in node.targets if isinstance(target, ast.Name)}
    for node in nodes:
        parts: list[ast.AST] = []
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.FormattedValue) else part for part in node.values]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            parts = [node.left, node.right]
        if any(_is_translated(part, names) for part in parts):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "\0" for part in parts)
            if MACHINE_TEXT.search(text):
                yield node.lineno, text
