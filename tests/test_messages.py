"""Templates of messages: literal, with exactly the fields that they are given, so that they can be translated."""

import ast
import string
from collections.abc import Iterator

import pytest

from explorer.messages import Catalogue, message, plural, spoken_in
from tests.folders import ROOT

FILES = sorted(path for folder in ("explorer", "pages") for path in (ROOT / folder).rglob("*.py"))


def calls(name: str) -> Iterator[tuple[str, ast.Call]]:
    """The calls of a function by its plain name, each with its place."""
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def fields_of(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_templates_are_literal_and_their_fields_are_those_given():
    wrong = []
    for where, call in calls("message"):
        if where.startswith("explorer/messages/"):
            continue
        given = {keyword.arg for keyword in call.keywords}
        if len(call.args) != 1 or not is_literal(call.args[0]):
            wrong.append(f"{where}: the template is no literal")
        elif None not in given and fields_of(call.args[0].value) != given:
            wrong.append(f"{where}: {call.args[0].value!r} has other fields than {sorted(given)}")
    assert wrong == []


def test_both_templates_of_a_plural_are_literal_and_use_no_other_field():
    wrong = []
    for where, call in calls("plural"):
        if where.startswith("explorer/messages/"):
            continue
        one_and_many, given = call.args[1:], {"n", *(keyword.arg for keyword in call.keywords)}
        if len(one_and_many) != 2 or not all(map(is_literal, one_and_many)):
            wrong.append(f"{where}: the templates are no literals")
        elif not all(fields_of(template.value) <= given for template in one_and_many):
            wrong.append(f"{where}: a field is not given")
    assert wrong == []


def test_a_language_is_spoken_in_its_block_only():
    german = Catalogue("de", {"{n:,} rows": "{n:,} Zeilen"})
    with spoken_in(german):
        assert plural(2, "{n:,} row", "{n:,} rows") == "2 Zeilen"
        assert message("Grow the tree") == "Grow the tree", "what is not translated stays English"
    assert plural(2, "{n:,} row", "{n:,} rows") == "2 rows"


def test_braces_in_a_name_stay_as_they_are():
    assert message("Column '{column}' is empty.", column="{0} {x}") == "Column '{0} {x}' is empty."


@pytest.mark.parametrize("template", ["{column} is empty.", "{0} is empty."])
def test_a_field_that_is_not_given_is_an_error(template):
    with pytest.raises((KeyError, IndexError)):
        message(template)
