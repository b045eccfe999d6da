"""Legends, rules, reports and pictures speak the language in force, worded where they are shown."""

import re

import pytest

import explorer as ex
from explorer.drawing import palette
from explorer.drawing.figures import score_figures
from explorer.explaining import candidate_formulas
from explorer.messages import spoken_in
from tests.oracles.brackets import Bracketed
from tests.oracles.tables import sample_dataset


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
        assert (legend["A"], legend["D"]) == ("⟦the split on Outlook⟧", "⟦the rows of node 0 · No: 5⟦, ⟧Yes: 9⟧")

    def test_words_in_formulas_and_no_mathematics(self, tennis):
        data, tree = tennis
        ratio = candidate_formulas(tree.node(0), ex.decide(tree, data, 0).chosen)["gain ratio"]
        assert ratio.result.latex.startswith(r"\text{⟦gain ratio⟧}(A) = \frac{\operatorname{gain}(A)}")
        assert "⟦" not in ratio.formulas[0].latex

    def test_a_rule_and_a_prediction(self, tennis):
        data, tree = tennis
        listed = ex.rules(tree).to_text().splitlines()
        assert "⟦if ⟦Outlook = Rain and Wind = Weak⟧ then ⟦Yes (3 of 3, ⟦100 %⟧)⟧⟧" in listed
        assert listed[-1] == "⟦all other rows: ⟦Yes (no rows)⟧⟧"
        sentence = ex.row_path(tree, data, 3).sentence
        assert sentence.startswith(
            "⟦Prediction for PlayTennis: Yes, because ⟦Outlook = Rain and Wind = Weak⟧.⟧⟦ ⟧⟦All 3"
        )

    def test_the_text_of_a_tree(self, tennis):
        lines = ex.to_text(tennis[1]).splitlines()
        assert lines[:2] == [
            "⟦PlayTennis: ⟦Yes (9 of 14, ⟦64.3 %⟧)⟧⟧",
            "  ⟦Outlook = Sunny: ⟦No (3 of 5, ⟦60.0 %⟧)⟧⟧",
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
