"""The app under test without a browser: open it, go to a page, read what stands there."""

import json

from streamlit.testing.v1 import AppTest

from pages.results import cross_validation, jobs
from tests.folders import ROOT
from tests.folders import SAMPLES_FOLDER as SAMPLE_FILES

__all__ = ["SAMPLE_FILES"]

NAMES = ("Data", "Grow", "Prune", "Evaluate", "Rules", "Predict", "Compare")
PAGES = {name: f"pages/{name.lower()}/page.py" for name in NAMES}


def opened(page="Data", **query):
    """The app on one of its pages, as if opened by that address."""
    app = AppTest.from_file(ROOT / "app.py", default_timeout=120)
    for key, value in query.items():
        app.query_params[key] = value
    app.run()
    return went(app, page) if page != "Data" else app


def went(app, page):
    """Follow the navigation; a browser clears the query parameters then."""
    return app.switch_page(PAGES[page]).run()


def texts(elements):
    return " ".join(element.value for element in elements).replace("\\", "").replace("\u2060", "")


def metrics(app):
    return {metric.label: metric.value for metric in app.metric}


def views(app):
    """What each tree view on the page was given, by name."""
    given = [json.loads(element.proto.json) for element in app.get("bidi_component") if element.proto.json]
    return {data["view"]: data for data in given if "view" in data}


def fine(app):
    assert not app.exception
    assert not app.error
    return app


def uploaded(app, name, content):
    return app.file_uploader[0].upload(name, content, "text/csv").run()


def picked(app, slot, name):
    """Pick an algorithm."""
    return app.segmented_control(f"{slot}.recipe").set_value(name).run()


PATIENCE = 60


SESSION = "test session id"


def wait_for_folds(settings):
    """Wait until the settings' job has ended."""
    pool, key = jobs.pool(), cross_validation.folds_key(settings)
    with pool.changed:
        assert pool.changed.wait_for(lambda: not pool.look(SESSION, key).is_active, PATIENCE)
