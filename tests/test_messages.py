"""Templates of messages: literal, with exactly the fields that they are given, so that they can be translated."""

import ast
import re
import string
from collections.abc import Iterator

import pytest

import explorer as ex
from explorer.drawing import palette
from explorer.drawing.figures import score_figures
from explorer.explaining import candidate_formulas
from explorer.messages import Catalogue, message, plural, spoken_in
from tests.folders import ROOT
from tests.oracles.tables import sample_dataset

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


class Bracketed(Catalogue):
    """A language in which every template stands between brackets: what has none was not translated."""

    def template(self, english):
        return f"⟦{english}⟧"


@pytest.fixture(scope="module")
def tennis():
    data = sample_dataset("play_tennis")
    return data, ex.grow(data, ex.C45)


@pytest.fixture
def in_brackets():
    with spoken_in(Bracketed()):
        yield


@pytest.mark.usefixtures("in_brackets")
class TestTextsAreTranslatedWhereTheyAreShown:
    def test_the_legend_of_a_gain(self, tennis):
        data, tree = tennis
        legend = dict(candidate_formulas(tree.node(0), ex.decide(tree, data, 0).chosen)["gain ratio"].legend)
        assert legend["gain(A)"].startswith("⟦information gain")
        assert "mutual information of PlayTennis and Outlook⟧" in legend["gain(A)"]
        assert legend["H(D|A)"].startswith("⟦conditional entropy")
        assert (legend["A"], legend["D"]) == ("⟦the split on Outlook⟧", "⟦the rows of node 0 · No: 5, Yes: 9⟧")

    def test_words_in_formulas_and_no_mathematics(self, tennis):
        data, tree = tennis
        ratio = candidate_formulas(tree.node(0), ex.decide(tree, data, 0).chosen)["gain ratio"]
        assert ratio.result.latex.startswith(r"\text{⟦gain ratio⟧}(A) = \frac{\operatorname{gain}(A)}")
        assert "⟦" not in ratio.formulas[0].latex

    def test_a_rule_and_a_prediction(self, tennis):
        data, tree = tennis
        listed = ex.rules(tree).to_text().splitlines()
        assert "⟦if ⟦Outlook = Rain and Wind = Weak⟧ then ⟦Yes (3 of 3, 100 %)⟧⟧" in listed
        assert listed[-1] == "⟦all other rows: ⟦Yes (9 of 14, 64.3 %)⟧⟧"
        sentence = ex.row_path(tree, data, 3).sentence
        assert sentence.startswith("⟦PlayTennis is predicted as Yes because ⟦Outlook = Rain and Wind = Weak⟧.⟧ ⟦All 3")

    def test_the_text_of_a_tree(self, tennis):
        lines = ex.to_text(tennis[1]).splitlines()
        assert lines[:2] == [
            "⟦PlayTennis: ⟦Yes (9 of 14, 64.3 %)⟧⟧",
            "  ⟦Outlook = Sunny: ⟦No (3 of 5, 60 %)⟧⟧",
        ]
        assert all(line.strip().startswith("⟦") for line in lines)

    def test_the_headings_and_tables_of_a_report(self, tennis):
        data, tree = tennis
        table = ex.load_sample("play_tennis")
        known = ex.Provenance(table, data, tree, (data,), sample="play_tennis")
        pattern = re.compile(r"<h[12]>(.*?)</h[12]>|<th>(.*?)</th>|<p>(.*?)</p>|<figcaption>(.*?)</figcaption>")
        found = ["".join(groups) for groups in pattern.findall(ex.to_report(known))]
        assert len(found) > 20
        assert [text for text in found if not text.startswith("⟦")] == []
        headings = [line for line in ex.to_report(known, "markdown").splitlines() if line.startswith("#")]
        assert all(re.match("#{1,2} ⟦", line) for line in headings)

    def test_the_titles_of_figures_and_the_tooltips_of_a_picture(self, tennis):
        figure = score_figures.residual_figure([1.0], [0.5], palette.LIGHT)
        assert figure.layout.xaxis.title.text == "⟦predicted⟧"
        picture = ex.to_svg(tennis[1])
        assert "<title>⟦Decision tree for PlayTennis⟧</title>" in picture
        assert "⟦split: Outlook⟧" in picture
