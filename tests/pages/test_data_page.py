"""The Data page: cards of samples, the table of columns and its errors, the split, and trees of scikit-learn."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import explorer as ex
from explorer.data.samples import SAMPLES
from explorer.drawing.tree_icon import tree_shape
from pages.data.sample_shapes import SHAPES
from pages.results import trees
from pages.settings.settings import Settings
from tests.pages.app import SAMPLE_FILES, fine, opened, summary, texts, uploaded, views, went

CAR = SAMPLE_FILES.joinpath("car.csv").read_bytes()


def cards(app):
    """The keys of the cards that are shown, in order."""
    return [button.key.removeprefix("open.") for button in app.button if str(button.key).startswith("open.")]


def columns_table(app):
    """The table of columns, by column."""
    return next(frame.value for frame in app.dataframe if "role" in frame.value).set_index("column")


def at(app, place):
    """The errors shown within a container of the page."""
    return texts(app.main.get_by_key(place).error)


@pytest.mark.parametrize("key", SAMPLES)
def test_the_picture_of_a_card_is_the_shape_of_the_first_tree(key):
    assert SHAPES[key] == tree_shape(trees.grown(Settings(sample=key)).tree)


def test_every_sample_has_a_card_with_its_size_and_its_story():
    app = fine(opened())
    assert cards(app) == list(SAMPLES)
    label = app.button("open.car").label.replace("\\", "").replace("\u2060", "")
    assert label == "**Which car to buy?** *1,728 × 7* · " + SAMPLES["car"].story


def test_the_card_of_the_table_in_use_is_marked():
    app = fine(opened().button("open.iris").click().run())
    marked = [button.key for button in app.button if button.key and button.proto.type == "primary"]
    assert [key for key in marked if key.startswith("open.")] == ["open.iris"]


@pytest.mark.parametrize(
    ("kind", "within", "without"),
    [
        ("textbook", {"play_tennis", "watermelon_3_0"}, {"titanic", "seed004_random"}),
        ("real", {"titanic", "auto_mpg", "credit_g"}, {"play_tennis", "seed004_random"}),
        ("regression", {"lihang_8_2_regression", "auto_mpg", "outlier8"}, {"play_tennis", "titanic"}),
    ],
)
def test_samples_are_filtered(kind, within, without):
    app = fine(opened().pills("sample.filter").set_value(kind).run())
    shown = set(cards(app))
    assert within <= shown
    assert not without & shown


def test_samples_are_searched_in_all_that_is_said_of_them():
    app = fine(opened().text_input("sample.search").set_value("UCI flowers").run())
    assert cards(app) == ["iris"]
    app = fine(app.text_input("sample.search").set_value("no such table").run())
    assert cards(app) == []
    assert "No sample matches." in texts(app.caption)


def test_the_card_of_the_sample_in_use_is_first_when_one_comes_and_stays_while_others_are_opened():
    app = fine(opened(data="credit_g"))
    assert cards(app)[0] == "credit_g"
    app = fine(app.button("open.iris").click().run())
    assert cards(app)[0] == "credit_g", "no card moves under the pointer"
    assert cards(fine(went(fine(went(app, "Grow")), "Data")))[0] == "iris"


def test_a_file_has_a_card_too_and_stays_when_a_sample_is_opened():
    app = fine(uploaded(opened(), "my *car*.csv", CAR))
    assert cards(app)[0] == "file"
    assert "*car*" not in app.button("open.file").label
    app = fine(app.button("open.golf").click().run())
    assert "Golf" in texts(app.subheader)
    app = fine(app.button("open.file").click().run())
    assert "my *car*.csv" in texts(app.subheader)


def test_a_column_has_its_role_type_distribution_and_counts():
    table = columns_table(fine(opened(data="titanic")))
    frame = pd.read_csv(SAMPLE_FILES / "titanic.csv")
    assert list(table.index) == list(frame.columns)
    assert table["role"]["survived"] == "target"
    assert table["role"]["name"] == "not used"
    assert (table["type"]["sex"], table["type"]["age"]) == ("categorical", "numeric")
    assert list(table["distribution"]["sex"]) == frame["sex"].value_counts().tolist()
    assert sum(table["distribution"]["age"]) == frame["age"].notna().sum()
    assert dict(table["missing"]) == frame.isna().sum().to_dict()
    assert table["distinct"]["embarked"] == 3


def test_an_error_about_a_column_stands_at_the_table_of_columns():
    content = b"x,one,y\n" + b"".join(b"%d,same,%s\n" % (i, b"ab"[i % 2 : i % 2 + 1]) for i in range(8))
    app = uploaded(opened(), "one.csv", content)
    app = app.selectbox("target").select("one").run()
    assert "'one'" in at(app, "columns")
    assert texts(app.error) == at(app, "columns"), "and nowhere else"
    assert columns_table(app)["role"].to_dict() == {"x": "feature", "one": "not used", "y": "target"}


def test_a_box_that_still_names_a_column_of_the_table_before_changes_nothing():
    lines = b"".join(b"%d,%s\n" % (i, b"ab"[i % 2 : i % 2 + 1]) for i in range(8))
    app = uploaded(opened(), "xy.csv", b"x,y\n" + lines)
    box = app.selectbox("target")
    box.options = [*box.options, "PlayTennis"]
    app = fine(box.set_value("PlayTennis").run())
    assert not app.error
    assert columns_table(app)["role"].to_dict() == {"x": "feature", "y": "target"}


def test_the_sets_are_named_with_their_rows_and_a_test_set_is_not_used_yet():
    app = fine(opened(data="titanic"))
    assert "Training set: 624 rows. Validation set: 267 rows." in texts(app.caption)
    app = fine(app.selectbox("choose.split").select("three").run())
    assert "Test set, not used yet: 134 rows." in texts(app.caption)
    assert app.number_input("count.valid_share").value == 15
    app = fine(opened())
    assert "Training set: 14 rows." in texts(app.caption)


def test_the_button_leads_to_the_grow_page():
    app = opened(data="golf")
    app = fine(app.button("grow_the_tree").click().run())
    assert "grow" in views(app)


def test_a_large_file_begins_with_a_least_leaf_size():
    app = fine(uploaded(opened(), "car.csv", CAR))
    text = texts(went(app, "Grow").markdown)
    assert "CART, min. samples per leaf 6" in text  # 0.5 % of the 1,210 training rows


def test_the_link_of_a_file_asks_for_the_file():
    assert "This view needs an uploaded file." in texts(opened(file="0123456789abcdef").info)


def test_names_from_a_file_are_never_markup():
    name = "**b** $x$ :red[r] <i>"
    frame = pd.DataFrame({name: ["u", "v"] * 6, "y": ["*p*", "_q_"] * 6})
    app = fine(uploaded(opened(), f"{name}.csv", frame.to_csv(index=False).encode()))
    shown = [element.value for kind in (app.markdown, app.caption, app.subheader) for element in kind]
    shown += [button.label for button in app.button]
    assert not [text for text in shown if name in text]
    assert not [html.value for html in app.get("html") if "red[r]" in str(html.value)]


def sklearn_json(fitted):
    """What the three lines write, without a file."""
    lines = ex.sklearn_snippet().splitlines()
    names = {"clf": fitted}
    exec("\n".join(lines[:2]), names)
    return json.dumps(names["fields"], default=lambda array: array.tolist()).encode()


IRIS = load_iris(return_X_y=True, as_frame=True)


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_a_scikit_learn_tree_opens_with_its_downloads_and_closes_again(kind):
    app = opened(data="titanic")
    assert ex.sklearn_snippet().strip() in [code.value for code in app.code]
    fitted = kind(max_depth=3, random_state=0).fit(*IRIS)
    app = fine(uploaded(app, "tree.json", sklearn_json(fitted)))
    assert list(views(app)) == ["opened_tree"]
    assert f"{fitted.get_n_leaves()} leaves, depth 3 · no score on this table" in summary(app)
    assert "', which is no feature of these rows" in texts(app.info)
    app.session_state["opened.tab"] = "File"
    app = fine(app.run())
    assert len(app.get("download_button")) > 0
    app = fine(app.button("opened.close").click().run())
    assert list(views(app)) == ["grow"]


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"[1, 2", b"\xff\xfe", b"[" * 100_000),
        *(b'{"children_left": [1, -1], "children_right": 3}', b"tree\nversion=v4\n", b'{"learner": {}, "version": 1}'),
    ],
)
def test_a_hostile_file_is_refused_and_nothing_is_lost(content):
    app = fine(uploaded(opened(), "car.csv", CAR))
    app = uploaded(app, "**bad**.json", content)
    assert not app.exception
    assert len(app.error) == 1
    assert "car.csv" in texts(app.subheader)


def test_the_data_page_still_shows_the_table_while_a_tree_from_a_file_is_open():
    app = uploaded(opened(data="golf"), "t.json", sklearn_json(DecisionTreeClassifier().fit(*IRIS)))
    assert "Golf" in texts(fine(went(app, "Data")).subheader)
    assert list(views(fine(went(app, "Grow")))) == ["opened_tree"]


def test_many_columns_that_tell_the_target_make_one_warning_and_a_note_each_in_the_table():
    names = [f"{'long' * 70}{number}" for number in range(40)]
    frame = pd.DataFrame({name: ["no", "yes"] * 30 for name in names}).assign(y=[0, 1] * 30)
    app = fine(uploaded(opened(), "wide.csv", frame.to_csv(index=False).encode()))
    assert len(app.warning) == 0
    (warning,) = [each.value for each in app.markdown if "40 columns determine the target in every row" in each.value]
    assert len(warning) < 600
    assert [button.label for button in app.button if str(button.key).startswith("leak.")] == ["Leave them out"]
    notes = columns_table(app)["note"]
    assert all("determines the target in every row: is it known before the target?" in notes[name] for name in names)
    assert "same values as 'long" in notes[names[1]]


def test_notes_of_columns_are_brief_enough_for_their_column_and_whole_below_the_table():
    rows = range(60)
    frame = pd.DataFrame(
        {
            "told": ["p" if row < 30 else "q" for row in rows],
            "nearly": ["p" if row < 29 else "q" for row in rows],
            "codes": [str(2**60 + 2 * row % 14) for row in rows],
            "city": [f"city {row % 45}" for row in rows],
            "id": [f"row {row}" for row in rows],
            "gaps": ["x" if row % 2 else "" for row in rows],
            "y": ["no" if row < 30 else "yes" for row in rows],
        }
    )
    app = fine(uploaded(opened(feature="id"), "notes.csv", frame.to_csv(index=False).encode()))
    notes = columns_table(app)["note"]
    assert notes["told"] == "determines the target in every row: is it known before the target?"
    assert notes["gaps"] == "constant: one value, and missing cells"
    assert max(map(len, notes)) <= 78, "580 pixels"
    assert "alone determines the target 'y' in every row" in texts(app.markdown)


@pytest.mark.parametrize("n_letters", [3, 22, 90])
def test_names_of_columns_have_room_that_the_notes_give(n_letters):
    table = f"{'n' * n_letters},outcome\n" + "1.5,0\n2.5,1\n4.5,1\n3.5,0\n"
    app = fine(uploaded(opened(), "names.csv", table.encode()))
    columns = json.loads(next(frame for frame in app.dataframe if "role" in frame.value).proto.columns)
    assert not columns["column"].get("pinned"), "a pinned column is drawn pale"
    assert columns["column"]["width"] >= min(8 * n_letters, 340)
    assert columns["column"]["width"] + columns["note"]["width"] == 750


def test_the_page_names_the_pair_and_leaves_one_out():
    price = np.random.default_rng(7).integers(50, 900, 200) * 100
    frame = pd.DataFrame({"price": price, "euro": price * 0.92, "size": price % 7, "outcome": np.arange(200) // 3 % 2})
    app = fine(uploaded(opened(), "prices.csv", frame.to_csv(index=False).encode()))
    said = [each.value for each in app.markdown if "in the order of" in each.value]
    assert len(said) == 1
    assert "'euro' puts the rows in the order of 'price'" in said[0]
    (button,) = [button for button in app.button if str(button.key).startswith("leak.")]
    app = fine(button.click().run())
    assert app.session_state["settings"].features == ("price", "size")
    assert not any("in the order of" in each.value for each in app.markdown)
