"""A project holds every choice and the trees kept by name, opens anywhere the same, and is refused when damaged."""

import dataclasses
import hashlib
import json
import random
import zlib
from base64 import urlsafe_b64encode

import pytest

import explorer as ex
from explorer.errors import InputError
from explorer.recipe.recipe import CART
from pages.settings.kept import trees
from pages.settings.query_reader import QueryReader
from pages.settings.settings import OF_TREE, Settings, begun_anew, changed, made_of, with_kept
from pages.uploads import in_link, project
from pages.uploads.project import Project
from tests.pages.app import fine, opened, picked, summary, table, texts, uploaded, views, went

CARS = "weight,gears,fuel,slow\n" + "".join(
    f"{w},{g},{f},{'yes' if w > 1500 and g < 5 else 'no'}\n"
    for w in range(900, 2100, 100)
    for g, f in ((4, "petrol"), (5, "diesel"))
)
DIGITS = hashlib.sha256(CARS.encode()).hexdigest()


def kept_as(name, settings, leaves=3):
    scores = (("training", 0.1 + 0.2), ("validation", 2 / 3))
    return trees.KeptTree(name, leaves, "accuracy", scores, trees.frozen(made_of(settings)))


def some_project(rows=""):
    settings = Settings(upload=DIGITS, target="slow", seed=7, share=60, split="two", features=("weight", "gears"))
    others = changed(settings, target="fuel", alpha=0.1 + 0.2)
    kept = (kept_as("first", settings), kept_as("第二棵", others, leaves=12))
    return Project(dataclasses.replace(settings, kept=kept), "my cars.csv", rows)


def rows_in_letters():
    return in_link.packed("my cars.csv", CARS.encode())


@pytest.mark.parametrize("rows", ["", rows_in_letters()])
def test_what_was_saved_is_what_opens(rows):
    saved = some_project(rows)
    text = project.to_text(saved)
    assert project.is_project("x.json", text.encode())
    assert project.from_text(text.encode()) == saved
    assert project.to_text(project.from_text(text.encode())) == text


def test_a_project_has_no_rows_unless_asked_even_if_the_link_had():
    settings = dataclasses.replace(some_project().settings, rows=rows_in_letters())
    text = project.to_text(Project(settings, "my cars.csv"))
    assert rows_in_letters() not in text
    assert project.from_text(text.encode()).settings.rows == ""


def test_a_kept_tree_brings_back_what_makes_it_and_nothing_else():
    before = some_project().settings
    later = changed(before, target="weight", grow=dataclasses.replace(before.grow, name="ID3"), palette="greys")
    later = dataclasses.replace(later, test_set_uses=("noted",))
    back = with_kept(later, before.kept[0])
    assert {field: getattr(back, field) for field in OF_TREE} == {field: getattr(before, field) for field in OF_TREE}
    assert (back.palette, back.test_set_uses, back.kept) == (later.palette, ("noted",), later.kept)


@pytest.mark.parametrize(
    ("change", "stay"),
    [
        ({"upload": "", "sample": "iris"}, False),
        ({"sheet": "2"}, False),
        ({"target": "fuel"}, True),
        ({"seed": 1}, True),
    ],
)
def test_another_table_has_kept_trees_of_its_own(change, stay):
    settings = some_project().settings
    assert changed(settings, **change).kept == (settings.kept if stay else ())
    assert begun_anew(settings).kept == settings.kept, "starting over takes nothing away that was kept"


def test_kept_trees_travel_in_a_link():
    settings = some_project().settings
    query = settings.to_query()
    assert Settings.from_query(QueryReader(query)).kept == settings.kept
    reader = QueryReader(query | {"kept": [query["kept"][0][:-3]]})
    assert Settings.from_query(reader).kept == ()
    assert len(reader.problems) == 1


def test_kept_trees_are_as_many_as_a_link_holds():
    settings, kept = Settings(), ()
    for number in range(trees.MOST_TREES):
        kept = trees.with_tree(kept, kept_as(f"tree {number}", settings))
    with pytest.raises(InputError, match="Remove one"):
        trees.with_tree(kept, kept_as("one more", settings))
    assert trees.with_tree(kept, kept_as("tree 3", settings))[-1].name == "tree 3", "in place of one of its name"
    noise = "".join(random.Random(0).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=2 * trees.MOST_LETTERS))
    with pytest.raises(InputError, match="Remove one"):
        trees.with_tree((), kept_as("long", Settings(features=(noise,))))


IMPOSSIBLE = [
    *[("name", value) for value in (None, "", "x" * 500, 3)],
    *[("leaves", value) for value in (None, -3, 0, 2.5, "2")],
    *[("metric", value) for value in ("speed", None)],
    *[("scores", value) for value in (None, [0.5], {"training": float("nan")}, {"training": "1"}, {"other": 1.0})],
    *[("settings", value) for value in (None, [], {"seed": ["1", 2]}, {"seed": "1"}, {"seed": ["-1"]}, {"x": ["1"]})],
]
"""What no kept tree has, although the sum may be right."""


def damaged(text, rng):
    """The bytes of a project with one accident: cut, bytes changed, repeated or lost, a value put elsewhere."""
    content = bytearray(text)
    match rng.randrange(7):
        case 0:
            return bytes(content[: rng.randrange(len(content))])
        case 1:
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        case 2:
            at, length = rng.randrange(len(content)), rng.randrange(1, 40)
            del content[at : at + length]
        case 3:
            at, length = rng.randrange(len(content)), rng.randrange(1, 40)
            content[at:at] = content[at : at + length]
        case 4:
            at = rng.randrange(len(content))
            content[at : at + 8] = rng.randbytes(8)
        case 5:
            plain = json.loads(text)
            field = rng.choice(list(plain))
            plain[field] = rng.choice([None, -1, 1e308, [], {}, "", [[["a"]]], {"seed": 3}, True, "\ud800"])
            return json.dumps(plain).encode()
        case 6:
            plain = json.loads(text)
            field, value = rng.choice(IMPOSSIBLE)
            plain["trees"][0][field] = value
            return json.dumps(signed(plain)).encode()
    return bytes(content)


def signed(plain):
    """Values of a project with the sum that belongs to them."""
    rest = {field: value for field, value in plain.items() if field != "sha256"}
    return rest | {"sha256": project._check(rest)}


def values(content):
    try:
        return json.loads(content)
    except ValueError:
        return None


def test_300_damaged_projects_are_refused_in_words():
    rng, text, refused = random.Random(30), project.to_text(some_project(rows_in_letters())).encode(), 0
    while refused < 300:
        content = damaged(text, rng)
        if values(content) == json.loads(text):  # only a space changed
            continue
        with pytest.raises(InputError) as refusal:
            project.from_text(content)
        assert 20 < len(str(refusal.value)) < 400
        refused += 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 2}, "later version"),
        ({"version": True}, "later version"),
        ({"format": "other"}, "holds no project"),
        ({"more": 1}, "changed since"),
        ({"settings": {"seed": ["x"]}}, "seed = “x”"),
        ({"settings": {"colour": ["red"]}}, "colour = “red”"),
        ({"settings": {"seed": "3"}}, "changed by hand"),
        ({"settings": {"file": ["ab"]}}, "changed since"),
        ({"settings": {"metric": ["speed"]}}, "metric = “speed”"),
        ({"file": "\ud800"}, "holds no project"),
        ({"trees": [{"name": "a"}]}, "changed by hand"),
    ],
)
def test_what_no_version_wrote_is_refused_by_name_although_its_sum_is_right(change, said):
    plain = json.loads(project.to_text(some_project()))
    with pytest.raises(InputError, match=said):
        project.from_text(json.dumps(signed(plain | change)).encode())


def test_rows_in_a_project_and_kept_trees_are_unpacked_within_bounds():
    press = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    bomb = urlsafe_b64encode(press.compress(b"a\0" + bytes(1 << 24)) + press.flush()).decode().rstrip("=")
    with pytest.raises(InputError, match="cannot be read"):
        in_link.unpacked(bomb, 1 << 20)
    assert trees.from_letters(bomb) is None
    deep = json.loads(project.to_text(some_project()))
    for content in (b"[" * 100_000, json.dumps(deep).replace('"trees": [', '"trees": ' + "[" * 50_000).encode()):
        with pytest.raises(InputError):
            project.from_text(content)


@pytest.fixture(scope="module")
def saver():
    """A session with a file of its own, CART grown on it and kept, then C4.5."""
    app = fine(picked(went(uploaded(opened(), "my cars.csv", CARS.encode()), "Grow"), "grow", "CART"))
    app.session_state["menu"] = True
    app = kept(fine(app.run()), "small")
    return fine(picked(app, "grow", "C4.5"))


def kept(app, name):
    app.text_input("project.name").set_value(name)
    return fine(app.button("project.keep").click().run())


def saved(app, has_rows):
    own = app.session_state["upload"]
    rows = in_link.packed(own.name, CARS.encode()) if has_rows else ""
    return project.to_text(Project(app.session_state["settings"], own.name, rows)).encode()


def shown(app):
    return summary(app), [json.dumps(data.get("state")) for data in views(app).values()]


def test_a_project_with_its_rows_opens_the_same_in_another_session_and_its_trees_come_back(saver):
    app = uploaded(opened(), "cars.project.json", saved(saver, has_rows=True))
    assert table(fine(went(app, "Grow"))) == "my cars.csv"
    assert shown(app) == shown(saver)
    assert saved(app, True) == saved(saver, True), "to the last number"
    assert "CART" not in summary(app)
    app.session_state["menu"] = True
    app = fine(fine(app.run()).button("project.open.0").click().run())
    assert "CART" in summary(app)
    (before,) = app.session_state["settings"].kept
    again = kept(app, "small")
    assert again.session_state["settings"].kept == (before,), "grown again, it has the scores it was kept with"
    frame, target = app.session_state["upload"].table.frame, "slow"
    tree = ex.grow(ex.Dataset.from_frame(frame, target), CART)
    assert before.leaves == tree.n_leaves


def test_a_project_without_rows_asks_for_its_file_by_name_whatever_is_open(saver):
    content = saved(saver, has_rows=False)
    for app in (opened(), uploaded(opened(), "other.csv", b"a,b\n1,x\n2,y\n1,x\n2,y\n")):
        app = fine(uploaded(app, "cars.project.json", content))
        assert "File: **my cars.csv**" in texts(app.markdown)
        assert app.query_params["file"] == DIGITS[:16]
        app = fine(went(uploaded(app, "my cars.csv", CARS.encode()), "Grow"))
        assert shown(app) == shown(saver)
        assert len(app.session_state["settings"].kept) == 1


def test_a_project_of_a_sample_opens_at_once_and_a_damaged_one_changes_nothing():
    settings = Settings(sample="golf", split="two", seed=5)
    content = project.to_text(Project(settings)).encode()
    app = fine(uploaded(opened(), "t.project.json", content))
    assert app.session_state["settings"].to_query() == settings.to_query()
    app = uploaded(app, "t.project.json", content[:-30])
    assert "'t.project.json' was not opened" in texts(app.error)
    assert app.session_state["settings"].seed == 5
