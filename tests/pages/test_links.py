"""A link opens the same view whatever its sender had open: every page, and every scene, with a file of one's own."""

import hashlib
import json
import re
import zlib
from base64 import urlsafe_b64encode
from urllib.parse import parse_qs, urlsplit

import pytest

from explorer.drawing.drawn_table.presets import PRESETS
from pages.evaluate import feature_importance
from pages.learn.path import SCENES
from pages.results import jobs
from pages.results.cache import results
from pages.results.many_trees import several_targets
from pages.settings.labels import STARTED
from pages.settings.learn_settings import OWN
from pages.settings.settings import MOST_ROWS_TEXT
from pages.uploads import in_link
from tests.folders import ROOT
from tests.oracles.examples import slow
from tests.pages.app import NAMES, all_jobs_ended, fine, opened, picked, summary, table, texts, uploaded, views, went

CARS = "weight,gears,fuel,slow\n" + "".join(
    f"{w},{g},{f},{'yes' if w > 1500 and g < 5 else 'no'}\n"
    for w in range(900, 2100, 100)
    for g, f in ((4, "petrol"), (5, "diesel"))
)
"""A file of the sender's: 24 rows, a tree of two splits."""
ASKED = "Upload the same file"


@pytest.fixture(scope="module")
def sender():
    """A session with a file of its own open, grown by CART."""
    app = uploaded(opened(), "my cars.csv", CARS.encode())
    return fine(picked(went(app, "Grow"), "grow", "CART"))


def link_of(app):
    """What the panel of the link offers to copy, as a query."""
    app.session_state["share"] = True
    address = next(code.value for code in fine(app.run()).code if "data=" in code.value or "file=" in code.value)
    return parse_qs(urlsplit(address).query, keep_blank_values=True)


def with_rows(app, is_put=True):
    """The page with the rows put into the link."""
    link_of(app)
    return fine(app.checkbox("share.rows").set_value(is_put).run())


def shown(app):
    """What a reader sees: the line above the tree, the trees with the nodes selected, the texts of the page."""
    trees = {name: (data.get("state"), data.get("rule")) for name, data in views(app).items()}
    said = texts([*app.markdown, *app.caption, *app.subheader])
    return summary(app), json.dumps(trees), re.sub(r"[Kk]ept (on|in)[^.]*\.", "", said)


WORK = {
    "cross_validate": ("Prune", {}, {}),
    "stability.run": ("Grow", {}, {"node.tab": "Stability"}),
    "paired": ("Compare", {"b.recipe": "CART"}, {"compare.tab": "Cross-validation"}),
    "held_out.run": ("Evaluate", {"data": "iris", "split": "all", "e.rows": "held_out"}, {}),
    "learning.run": ("Evaluate", {}, {"evaluate.tab": "Learning curve"}),
    "shuffled.run": ("Evaluate", {"data": "titanic", "split": "two"}, {"evaluate.tab": "Importance"}),
    "without.run": ("Evaluate", {"max_depth": "1"}, {"evaluate.tab": "Importance"}),
    "others.run": (
        "Evaluate",
        {"data": "credit_g", "recipe": "CART", "max_depth": "1", "monotone": '[["age",-1]]'},
        {"evaluate.tab": "Importance"},
    ),
    "several_targets.run": ("Compare", {"data": "auto_mpg", "target2": "weight", "comparison": "targets"}, {}),
    "optimal.run": ("Compare", {"data": "titanic", "comparison": "optimal", "optimal.depth": "2"}, {}),
}
"""Where each button for long work is: the page, its address, and the tab that is open."""


def test_a_link_knows_all_work_that_a_button_starts():
    sources = [path.read_text("utf-8") for path in ROOT.joinpath("pages").rglob("*.py")]
    names = {name for source in sources for name in re.findall(r'job_button\.(?:run|on_folds)\(\s*"(\w+)"', source)}
    assert len(names) > 4
    assert {f"{name}.run" for name in names} <= set(STARTED)


@pytest.mark.parametrize("name", [name if name == "cross_validate" else slow(name) for name in STARTED])
def test_what_a_click_has_started_is_started_by_the_link(name, monkeypatch):
    monkeypatch.setattr(feature_importance, "QUICK", 100)
    monkeypatch.setattr(several_targets, "MOST_CELLS_AT_ONCE", 0)
    page, query, tabs = WORK[name]

    def reader(**query):
        """Another reader, whose session has no job."""
        all_jobs_ended()
        results().clear()
        pool = jobs.Pool(1)
        monkeypatch.setattr(jobs, "pool", lambda: pool)
        app = opened(page, **{"folds": "5", **query})
        for tab, label in tabs.items():
            app.session_state[tab] = label
        return fine(app.run())

    def is_started(app):
        return name not in {button.key for button in app.button} or app.button(name).disabled

    app = reader(**query)
    assert not is_started(app)
    link = link_of(fine(app.button(name).click().run()))
    assert link["run"] == [name]
    assert not is_started(reader(**query)), "nothing begins without the link"
    assert is_started(reader(**{key: texts[0] if len(texts) == 1 else texts for key, texts in link.items()}))


def test_a_link_to_work_that_is_known_already_shows_its_result_in_the_tree_at_once(monkeypatch):
    monkeypatch.setattr(jobs, "session", lambda: "sender")
    sender = opened("Prune", data="iris", folds="5", fold_seed="31")
    alone = views(sender)["prune"]["sequence"]
    fine(sender.button("cross_validate").click().run())
    all_jobs_ended()
    shows = views(fine(sender.run()))["prune"]["sequence"]
    assert shows != alone
    link = link_of(sender)
    monkeypatch.setattr(jobs, "session", lambda: "reader")
    reader = opened("Prune", **{name: texts[0] for name, texts in link.items()})
    assert views(reader)["prune"]["sequence"] == shows


@pytest.mark.parametrize(
    ("page", "name", "query", "tab"),
    [
        ("Prune", "cross_validate", {"tab": "weakest", "presenter": "yes"}, {}),
        ("Grow", "stability.run", {}, {"node.tab": "Stability"}),
    ],
)
def test_work_shown_on_the_tree_is_started_by_the_link_though_another_tab_is_open(page, name, query, tab, monkeypatch):
    sender = opened(page, data="iris", folds="5", fold_seed="37")
    for key, label in tab.items():
        sender.session_state[key] = label
    link = link_of(fine(fine(sender.run()).button(name).click().run()))
    all_jobs_ended()
    shown = views(fine(sender.run()))[page.lower()]["sequence" if page == "Prune" else "stability"]
    results().clear()
    pool = jobs.Pool(1)
    monkeypatch.setattr(jobs, "pool", lambda: pool)
    address = {key: texts[0] for key, texts in link.items() if key != "tab"}
    reader = opened(page, **address, **(query or {"tab": "formula"}))
    assert name not in {button.key for button in reader.button}, "its tab is closed"
    all_jobs_ended()
    assert views(fine(reader.run()))[page.lower()]["sequence" if page == "Prune" else "stability"] == shown


@pytest.mark.parametrize("page", [name for name in NAMES if name != "Learn"])
def test_the_rows_in_the_link_of_a_page_open_the_same_view(sender, page):
    app = with_rows(went(sender, page))
    query = link_of(app)
    app.session_state["share"] = False
    again = fine(opened(page, **query))
    assert ASKED not in texts(again.info)
    assert "my cars.csv" in texts([*again.markdown, *again.subheader]) + table(again)
    assert shown(again) == shown(fine(app.run()))
    assert link_of(again) == query, "who got the link can pass it on"


SHORT = [scene for scene in SCENES if scene.on_short_path][:2]


@pytest.fixture(scope="module")
def reader():
    """A session with the sender's file whose links are without the rows."""
    return with_rows(went(uploaded(opened(), "my cars.csv", CARS.encode()), "Grow"), False)


@pytest.mark.parametrize("name", [*(s.name if s in SHORT else slow(s.name) for s in SCENES), OWN])
def test_the_link_of_a_scene_asks_for_a_file_only_if_the_scene_shows_it(reader, name):
    app = fine(went(reader, "Learn").button(f"learn.open.{name}").click().run())
    query = link_of(app)
    assert ("file" in query) is (name == OWN)
    app.session_state["share"] = False
    again = fine(opened("Learn", **query))
    assert (ASKED in texts(again.info)) is (name == OWN)
    if name != OWN:
        assert shown(again)[1:] == shown(fine(app.run()))[1:]
        assert ("Your file" in texts(again.markdown)) is False


@pytest.mark.parametrize("section", ["exercises", "glossary", "draw", "path"])
def test_the_link_of_a_section_asks_for_no_file(sender, section):
    app = fine(went(sender, "Learn").button(f"learn.open.{section}").click().run())
    query = link_of(app)
    assert "file" not in query
    assert ASKED not in texts(fine(opened("Learn", **query)).info)


def test_an_address_with_a_file_shows_its_scene_and_asks_on_the_page_that_needs_the_file():
    scene = SHORT[0].name
    query = {"file": "0123456789abcdef", "learn": "scene", "scene": scene, "recipe": "C4.5"}
    app = fine(opened("Learn", **query))
    assert ASKED not in texts(app.info)
    assert app.query_params["scene"] == scene
    assert {key: app.query_params[key] for key in query} == query, "a reload finds the file again"
    for page in ("Grow", "Prune"):
        app = fine(went(app, page))
        assert ASKED in texts(app.info)
        assert "Play tennis" not in summary(app) + table(app), "no other table in its place"
        assert app.query_params["file"] == query["file"]


def test_the_link_without_rows_names_the_file_that_it_asks_for_until_it_is_there(sender):
    query = link_of(with_rows(went(sender, "Grow"), False))
    assert query["file_name"] == ["my cars.csv"]
    app = fine(opened("Grow", **query))
    assert "File: **my cars.csv**" in texts(app.markdown)
    assert app.query_params["file_name"] == "my cars.csv", "a reload says it again"
    app = fine(uploaded(app, "another name.csv", CARS.encode()))
    assert (table(app), "file_name" in app.query_params) == ("another name.csv", False)
    assert "file_name" not in link_of(with_rows(went(sender, "Grow"))), "the rows have the name with them"


def test_what_the_link_says_of_its_file_is_shown_and_its_settings_wait_for_it():
    digits = hashlib.sha256(CARS.encode()).hexdigest()[:16]
    query = {"file": digits, "recipe": "CART", "target": "origin*", "feature": ["weight", "year"], "sheet": "1999"}
    app = fine(opened("Grow", **query))
    known = texts(app.markdown)
    for fact in ("Target: **origin***", "features: weight, year", "Sheet: 1999", "Algorithm: CART", f"`{digits}`"):
        assert fact in known
    app = fine(app.button("awaited.without").click().run())
    assert ASKED not in texts(app.info)
    assert table(app) == "Play tennis?"
    assert app.query_params["file"] == digits
    app = fine(opened("Grow", file=digits, recipe="CART"))
    app = fine(went(app.button("awaited.without").click().run(), "Data"))
    app = fine(uploaded(app, "c.csv", CARS.encode()))
    assert "is the file of this view" in texts(app.info)
    assert app.session_state["settings"].grow.name == "CART"


def test_a_frozen_scene_stays_frozen_and_a_page_that_waits_for_its_file_does_not():
    frozen = {"file": hashlib.sha256(CARS.encode()).hexdigest()[:16], "frozen": "yes", "recipe": "CART"}
    assert fine(opened("Learn", **frozen)).session_state["settings"].view.frozen
    app = opened("Data", **frozen)
    assert not app.session_state["settings"].view.frozen
    app = fine(uploaded(app, "my cars.csv", CARS.encode()))
    assert "is the file of this view" in texts(app.info)
    assert app.session_state["settings"].view.frozen
    assert app.session_state["settings"].grow.name == "CART"


@pytest.mark.parametrize("preset", [preset.name for preset in PRESETS])
def test_a_drawn_table_opens_as_that_table(preset):
    """Also on the pages it was taken to: nobody has it as a file."""
    drawn = next(p for p in PRESETS if p.name == preset).drawn()
    app = opened("Learn", learn="draw", points=drawn.text(), points_of=drawn.target)
    app = fine(app.button("drawn.use").click().run())
    app = fine(went(app, "Grow"))
    query = link_of(app)
    again = fine(opened("Grow", **query))
    assert ASKED not in texts(again.info)
    assert summary(again) == summary(app) != ""
    assert "drawn table" in summary(again)


def test_the_rows_are_only_in_the_link_if_the_sender_chooses_so():
    app = fine(uploaded(opened(), "my cars.csv", CARS.encode()))
    assert "rows" not in link_of(app)
    assert "rows" not in app.query_params
    assert "Your file is not part of the link" in texts(app.markdown)
    app = with_rows(app)
    assert in_link.unpacked(link_of(app)["rows"][0]) == ("my cars.csv", CARS.encode())
    assert "the rows leave this server" in texts(app.markdown)
    app = fine(app.checkbox("share.rows").set_value(False).run())
    assert "rows" not in link_of(app)
    app = fine(with_rows(app).button("open.golf").click().run())
    assert "rows" not in app.query_params, "another table"


def test_a_file_too_large_for_a_link_is_not_offered():
    digits = "".join(hashlib.sha256(bytes([i])).hexdigest() + "\n" for i in range(256))  # 32 bytes a line, no less
    app = fine(
        uploaded(opened(), "large.csv", ("x,y\n" + digits.replace("\n", ",a\n").replace(",a", ",b", 9)).encode())
    )
    assert "Your file is not part of the link" in texts(app.markdown) or link_of(app)
    assert not [box for box in app.checkbox if box.key == "share.rows"]


def deflated(plain):
    press = zlib.compressobj(9, zlib.DEFLATED, -15)
    return urlsafe_b64encode(press.compress(plain) + press.flush()).decode().rstrip("=")


HOSTILE = {
    "no letters of base 64": "A",
    "no deflate": "abcd",
    "cut": deflated(b"a.csv\0" + CARS.encode())[:-8],
    "a bomb": deflated(b"a.csv\0" + bytes(4_000_000)),
    "no name": deflated(b"\0a,b\n1,2\n"),
    "no content": deflated(b"a.csv\0"),
    "no end of the name": deflated(b"a,b\n1,2\n"),
    "a name that is no text": deflated(b"\xff\xfe.csv\0a,b\n1,2\n"),
    "a long name": deflated(300 * b"n" + b"\0a,b\n1,2\n"),
    "more after the end": deflated(b"a.csv\0a,b\n1,2\n") + "AAAA",
}


@pytest.mark.parametrize("case", HOSTILE)
def test_rows_that_cannot_be_read_are_refused_and_the_file_is_asked_for(case):
    assert len(HOSTILE[case]) <= MOST_ROWS_TEXT
    app = opened("Grow", file="0123456789abcdef", rows=HOSTILE[case])
    assert not app.exception
    assert "The rows in this link cannot be read" in texts(app.error)
    assert ASKED in texts(app.info)


@pytest.mark.parametrize("rows", ["a b", "<b>", "é", "A" * (MOST_ROWS_TEXT + 1)])
def test_a_text_that_is_no_rows_is_named(rows):
    app = opened("Grow", file="0123456789abcdef", rows=rows)
    assert not app.exception
    assert "rows" in texts(app.warning)


def test_rows_of_another_file_than_the_link_names_are_said_to_be_so():
    app = opened("Grow", file="0123456789abcdef", rows=in_link.packed("other.csv", CARS.encode()))
    assert not app.exception
    assert "not the file of this view" in texts(app.warning)


def test_text_in_the_rows_stays_text():
    name, cell = "<img src=x onerror=alert(1)> **b**.csv", "<script>alert(1)</script>[a](javascript:b)"
    content = f"x,y\n1,{cell}\n2,b\n3,{cell}\n4,b\n".encode()
    digits = hashlib.sha256(content).hexdigest()[:16]
    app = fine(opened("Grow", file=digits, rows=in_link.packed(name, content)))
    assert "**b**" in table(app)
    assert not [e for e in app.get("html") if "<script>" in e.proto.body or "<img" in e.proto.body]
