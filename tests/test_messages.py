"""Templates of messages: literal, with exactly the fields that they are given, so that they can be translated."""

import ast
import re
import string
from collections.abc import Iterator

import pandas as pd
import pytest

import explorer as ex
from explorer.candidates.measures import MEASURE_NAMES
from explorer.formatting import METRIC_NAMES
from explorer.messages import Catalogue, chinese, message, plural, spoken_in
from explorer.recipe.impurity import IMPURITIES
from explorer.recipe.missing import POLICIES
from explorer.recipe.parameters import STOP_REASONS
from explorer.recipe.split_score import SCORES
from tests.folders import ROOT
from tests.oracles.brackets import Bracketed, is_bracketed
from tests.oracles.python_text import contents

FILES = sorted(path for folder in ("explorer", "pages") for path in (ROOT / folder).rglob("*.py"))


def calls(name: str) -> Iterator[tuple[str, ast.Call]]:
    """The calls of a function by its plain name, each with its place."""
    for path in FILES:
        for called, call in contents(path).worded:
            if called == name:
                yield f"{path.relative_to(ROOT)}:{call.lineno}", call


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


class AnyField:
    """Stands for a field whose value a sentence is not drawn for, whatever its format."""

    def __format__(self, spec: str) -> str:
        return "…"


NOUNS = "row|feature|column|cell|class|categor|value|node|lea|tree|target|fold|branch|round|step|rule|table|file|note"
ONE_OF_MANY = re.compile(rf"\b1 (?:(?!row)\w+ )?(?:{NOUNS})(?:s|es|ies|ves)\b(?! of)")
MANY_OF_ONE = re.compile(rf"(?<![\d.,])[025] (?:{NOUNS})(?:|y|f)\b")
RANGE = re.compile(r"from (\d+) to (\d+)")


def test_every_plural_reads_well_for_0_1_2_and_5():
    """In English one row is no rows and two are no row, no range is empty, and both languages have the sentence."""
    wrong, translated = [], chinese()
    for where, call in calls("plural"):
        if where.startswith("explorer/messages/"):
            continue
        one, many = (template.value for template in call.args[1:3])
        fields = {name: AnyField() for template in (one, many) for name in fields_of(template) - {"n"}}
        for n in (0, 1, 2, 5):
            text = plural(n, one, many, **fields)
            is_empty = any(int(low) > int(high) for low, high in RANGE.findall(text))
            if is_empty or (ONE_OF_MANY if n == 1 else MANY_OF_ONE).search(text):
                wrong.append(f"{where}: {text}")
            with spoken_in(translated):
                plural(n, one, many, **fields)
    assert wrong == []


def test_sentences_about_single_rows_and_features():
    """One row, one feature, and limits that no number meets."""
    data = ex.Dataset.from_frame(pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [0.5, 1.5, 4.0]}), "y")
    with pytest.raises(ex.InputError, match="needs two rows, but the table has 1 row: add"):
        ex.cross_validate_path(data.take([0]), ex.CART, folds=2)
    with pytest.raises(ex.InputError, match="whole number from 2 to 3"):
        ex.cross_validate_path(data, ex.CART, folds=1)
    with pytest.raises(ex.InputError, match="a table with 1 row: give"):
        data.take([0]).take([3])
    table = ex.read_table(data.frame, name="t")
    report = ex.to_report(ex.Provenance(table, data, ex.grow(data, ex.CART), parts=(data,)), "markdown")
    assert any(line.endswith("3 rows, 1 feature") for line in report.splitlines())


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


ERRORS = ("InputError", "Stopped", "ExplorerError")


def texts_given_to_errors() -> Iterator[tuple[str, ast.expr]]:
    """The first argument of every call of an error of the package, each with its place."""
    for name in ERRORS:
        for where, call in calls(name):
            if where.startswith("explorer/") and call.args:
                yield where, call.args[0]


def test_the_text_of_an_error_can_be_translated():
    given = list(texts_given_to_errors())
    assert len(given) > 100, "the errors of the package are found"
    assert [where for where, text in given if is_literal(text) or isinstance(text, ast.JoinedStr | ast.BinOp)] == []


@pytest.fixture
def brackets() -> Iterator[None]:
    with spoken_in(Bracketed("x-brackets")):
        yield


@pytest.fixture(scope="module")
def tennis() -> ex.Dataset:
    return ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")


@pytest.fixture(scope="module")
def plain(tennis: ex.Dataset) -> ex.Tree:
    """A tree that was grown before the language was chosen."""
    return ex.grow(tennis, ex.ID3)


@pytest.mark.parametrize("records", [IMPURITIES, SCORES, POLICIES, ex.PRUNING_METHODS])
def test_what_readers_choose_from_is_worded_when_it_is_read(records, brackets):
    for record in records.values():
        assert is_bracketed(record.label)


def test_options_and_measures_are_worded_when_they_are_read(brackets):
    for method in ex.PRUNING_METHODS.values():
        assert is_bracketed(method.phrase)
        for option in method.options:
            assert all(map(is_bracketed, (option.label, *(option.values or {}).values())))
    assert all(map(is_bracketed, MEASURE_NAMES.values()))
    assert is_bracketed(METRIC_NAMES["accuracy"])
    assert all(map(is_bracketed, list(STOP_REASONS)[1:]))


def test_an_error_speaks_the_language_in_force(brackets):
    with pytest.raises(ex.InputError, match=r"^⟦.*⟧$"):
        ex.read_table(b"", name="empty.csv")
    with pytest.raises(ex.InputError, match=r"^⟦.*⟧$"):
        ex.ID3.replace(score="luck")


def test_notes_that_were_made_earlier_speak_the_language_in_force():
    table = ex.read_table(b"id,x,y\n1,2,a\n2,?,b\n3,4,a\n4,5,b\n", name="t.csv")
    data = ex.Dataset.from_frame(table.frame, "y", features=["id", "x"])
    assert any("missing in 1 of 4 rows" in note.text for note in data.notes)
    with spoken_in(Bracketed("x-brackets")):
        assert table.notes
        assert data.notes
        assert all(map(is_bracketed, table.notes))
        assert all(is_bracketed(note.text) for note in data.notes)


def test_a_tree_that_was_grown_earlier_speaks_the_language_in_force(plain, tennis, brackets):
    reasons = {plain.node(leaf).stop_reason for leaf in plain.leaves()}
    assert all(map(is_bracketed, reasons))
    decision = ex.decide(plain, tennis, 1)
    assert all(map(is_bracketed, decision.absent.values()))


def test_a_decision_keeps_no_words(tennis):
    strict = ex.C45.replace(mean_gain_filter="greater", min_rows_leaf=5)
    decision = ex.decide(ex.grow(tennis, strict), tennis, 0)
    rejected = [candidate for candidate in decision.candidates if candidate.rejected]
    assert rejected
    with spoken_in(Bracketed("x-brackets")):
        assert all(is_bracketed(candidate.rejected) for candidate in rejected)


def test_a_saved_tree_holds_codes_whatever_the_language(tennis):
    plain = ex.grow(tennis, ex.ID3)
    choices = ex.Choices().lock(plain.place(1)).force((), "Wind")
    english = ex.grow(tennis, ex.ID3, choices=choices)
    with spoken_in(Bracketed("x-brackets")):
        other = ex.grow(tennis, ex.ID3, choices=choices)
        assert other.to_dict() == english.to_dict()
        assert all(map(is_bracketed, other.notes))
    assert (
        ex.Tree.from_dict(other.to_dict()).notes == english.notes == ("1 of 2 choices made by hand is not in force.",)
    )


def test_a_tree_saved_with_sentences_keeps_them(plain):
    saved = plain.to_dict() | {"notes": ["2 of 14 rows have a missing cell and were left out."]}
    assert ex.Tree.from_dict(saved).notes == ("2 of 14 rows have a missing cell and were left out.",)


@pytest.mark.parametrize("remark", [["no_such_code"], ["rows_with_missing_cells", 1], [], {"code": 1}, 7])
def test_a_saved_remark_without_words_is_refused(plain, remark):
    with pytest.raises(ex.InputError, match="damaged"):
        ex.Tree.from_dict(plain.to_dict() | {"notes": [remark]})


def test_paths_to_nodes_are_kept_in_english():
    frame = pd.DataFrame({"sky": ["sun", "sun", None, None, "rain", "rain"], "y": list("ppqqpp")})
    data = ex.Dataset.from_frame(frame, "y", features=["sky"])
    english = ex.grow(data, ex.CART.replace(missing="own_branch"))
    places = [english.place(node) for node in range(english.n_nodes_grown)]
    assert places[2].branch_texts == ("sky is missing",)
    with spoken_in(Bracketed("x-brackets")):
        assert [english.place(node) for node in range(english.n_nodes_grown)] == places


def test_the_first_difference_is_worded_when_it_is_read(plain, tennis):
    found = ex.first_difference(plain, ex.grow(tennis, ex.CART), tennis)
    assert found.sentence.startswith("Both split on Outlook")
    with spoken_in(Bracketed("x-brackets")):
        assert is_bracketed(found.sentence)
