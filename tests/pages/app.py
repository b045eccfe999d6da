"""The app under test without a browser: open it, go to a page, read what stands there."""

import json
import re
from html import unescape

import pandas as pd
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

import explorer as ex
from pages.results import cross_validation, jobs
from pages.results.cache import results
from tests.folders import ROOT
from tests.folders import SAMPLES_FOLDER as SAMPLE_FILES

__all__ = ["SAMPLE_FILES"]

NAMES = ("Data", "Grow", "Prune", "Evaluate", "Rules", "Predict", "Compare", "Ensembles", "Learn")
PAGES = {name: f"pages/{name.lower()}/page.py" for name in NAMES}


def opened(page="Data", **query):
    """A new session that begins on this page by its address, as by a link; the address / is the Data page's."""
    app = AppTest.from_file(ROOT / "app.py", default_timeout=120)
    for key, value in query.items():
        app.query_params[key] = value
    if page != "Data":
        app.switch_page(f"pages/_{page.lower()}.py")
    return app.run()


def went(app, page):
    """Follow the navigation; a browser clears the query parameters then."""
    return app.switch_page(PAGES[page]).run()


_EXPLAINED = re.compile(r'\[([^\]]*)\]\(learn\?\S+ "[^"]*"\)')
"""A word with its meaning and its place in the glossary, as in `pages/widgets/terms.py`."""


def texts(elements):
    shown = _EXPLAINED.sub(r"\1", " ".join(element.value for element in elements))
    return shown.replace("\\", "").replace("\u2060", "").replace("\xa0", " ")


def number_tables(app):
    """The lines of each table of numbers in HTML, the headings first."""
    bodies = [html.proto.body for html in app.get("html") if 'class="numbers"' in html.proto.body]
    lines = [re.findall(r"<tr.*?</tr>", body) for body in bodies]
    return [[[unescape(cell) for cell in re.findall(r">([^<]*)</t[hd]>", line)] for line in each] for each in lines]


FOLDS = ("more", "weights", "constraints", "interactions")


def unfold(app, *slots):
    """The page with all settings of its rail in sight: what is folded away is worked out once it is open."""
    for slot in slots or ("grow",):
        for fold in FOLDS:
            app.session_state[f"{slot}.{fold}"] = True
    return app.run()


def measured(app):
    """The page whose table of candidates has every measure."""
    app.session_state["candidates.every"] = True
    return app.run()


def score_of(app, name):
    """A score of the table of scores, by its name."""
    table = next(element.value for element in app.table)
    return (
        next(row.iloc[0] for index, row in table.iterrows() if name in str(index)).replace("*", "").replace("\xa0", " ")
    )


def heading(app):
    """The page's heading, which is there for screen readers only."""
    (title,) = [html.proto.body for html in app.get("html") if "<h1" in html.proto.body]
    return re.sub(r"<[^>]*>", "", title)


def summary(app):
    """The line above the tree, without its Markdown."""
    lines = [element.value for element in app.markdown if re.search(r"lea(f|ves), depth \d", element.value)]
    return re.sub(r"\*|:red\[|\\|\]$", "", f"{table(app)} · {lines[0]}").replace("\xa0", " ") if lines else ""


def table(app):
    """The name of the table in use, on a page that lets the reader open another one by it."""
    labels = [block.proto.popover.label for block in app.get("popover")]
    return next((label[2:-2].replace("\\", "") for label in labels if label.startswith("**")), "")


_SIZE = re.compile(r"(?P<Leaves>[\d,]+) lea(?:f|ves), depth (?P<Depth>\d+)")
_SCORE = re.compile(r"(?P<rows>[\w-]+) (?:accuracy|MSE) (?P<score>[\d.,]+(?: %)?)")


def metrics(app):
    """The numbers of the summary line by their names, and those in boxes of their own."""
    line, shown = summary(app), {metric.label: metric.value for metric in app.metric}
    size, score = _SIZE.search(line), _SCORE.search(line)
    shown |= size.groupdict() if size else {}
    return shown | ({score["rows"].capitalize(): score["score"]} if score else {})


def tab(app, key, name):
    """The page with another tab of a row of tabs open."""
    app.session_state[key] = name
    return app.run()


def address_of(app):
    """The parameters of the address, each with all its values."""
    query = {key: app.query_params[key] for key in app.query_params}
    return {key: value if isinstance(value, list) else [value] for key, value in query.items()}


def views(app):
    """What each tree view on the page was given, by name."""
    given = [json.loads(element.proto.json) for element in app.get("bidi_component") if element.proto.json]
    return {data["view"]: data for data in given if "view" in data}


def choice_lists(app):
    """The tables of which a line can be chosen; the attribute `order` names the columns that they are sorted by."""
    given = [json.loads(element.proto.json or "null") for element in app.get("bidi_component")]
    return [_choice_list(data) for data in given if isinstance(data, dict) and "lines" in data]


def _choice_list(data):
    lines = [[cell.replace("\xa0", " ").replace("\n", " ") for cell in line] for line in data["lines"]]
    table = pd.DataFrame(lines, columns=[column["text"] for column in data["head"]])
    table.attrs["remarks"] = {column["text"]: column["remarks"] for column in data["head"] if column["remarks"]}
    table.attrs["chosen"] = data["chosen"]
    table.attrs["pale"] = data["pale"]
    table.attrs["order"] = [column["text"] for column in data["head"] if column["isOrder"]]
    return table


def fine(app):
    assert not app.exception
    assert not app.error
    return app


def uploaded(app, name, content):
    return app.file_uploader[0].upload(name, content, "text/csv").run()


def picked(app, slot, name):
    """Pick an algorithm."""
    return app.segmented_control(f"{slot}.recipe").set_value(name).run()


def editor(app, first, second):
    """The table to type in with these first two columns."""
    editors = [frame for frame in app.dataframe if list(frame.value.columns[:2]) == [first, second]]
    assert len(editors) == 1
    return editors[0]


def typed(app, table, **lines):
    """Type amounts: the line's number (after an underscore), then column and amount."""
    edited = {line[1:]: change for line, change in lines.items()}
    states = app._tree.get_widget_states()
    change = {"edited_rows": edited, "added_rows": [], "deleted_rows": []}
    states.widgets.append(WidgetState(id=table.proto.id, string_value=json.dumps(change)))
    return app._run(states)


def cell_chosen(app, table, line, column):
    """Click on a cell of a table that takes cells."""
    states = app._tree.get_widget_states()
    selection = {"selection": {"rows": [], "columns": [], "cells": [[line, column]]}}
    states.widgets.append(WidgetState(id=table.proto.id, string_value=json.dumps(selection)))
    return app._run(states)


PATIENCE = 60


SESSION = "test session id"


def wait_for_folds(settings):
    """Wait until the settings' job has ended."""
    pool, key = jobs.pool(), cross_validation.folds_key(settings)
    with pool.changed:
        assert pool.changed.wait_for(lambda: not pool.look(SESSION, key).is_active, PATIENCE)


def all_jobs_ended():
    """Wait for jobs that a test has left: one that ends later would put its result among the next test's."""
    pool = jobs.pool()
    with pool.changed:
        assert pool.changed.wait_for(lambda: not any(job.is_active for job in pool._entries.values()), PATIENCE)


def nothing_kept(monkeypatch, module, limit):
    """For a fixture: every input counts as large, by a limit of 0, and nothing is kept from other tests."""
    results().clear()
    monkeypatch.setattr(module, limit, 0)
    yield
    all_jobs_ended()
    results().clear()


def in_place_of(monkeypatch, function, door):
    """For a fixture: the function of the package goes through a closed door, which is open in the end."""
    monkeypatch.setattr(ex, function, door)
    yield door
    door.open.set()
