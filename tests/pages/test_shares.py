"""A share is written one way on every page: with one decimal, and its sign a space after it."""

import re

import pytest

from tests.pages.app import NAMES, fine, opened, views

TITANIC = {"data": "titanic", "max_depth": "3", "en.members": "3"}
TOUCHING = re.compile(r"\d%")
ADDRESS = re.compile(r"\]\([^ )]*")
"""Where a link of Markdown leads, with signs such as %CF."""
MEASURED = re.compile(r"(\d+(?:\.\d+)?) %")
CHOSEN = {"70", "30", "25", "75", "95"}
"""Shares that are settings: of training and validation rows, C4.5's confidence factor and its certainty, an interval's
level."""


def said(app):
    """All that a page says: texts, tables, its own HTML without styles, and what its views are given."""
    kinds = (app.markdown, app.caption, app.subheader, app.success, app.info, app.warning)
    yield from (element.value for kind in kinds for element in kind)
    yield from (f"{metric.label}: {metric.value}" for metric in app.metric)
    yield from (str(cell) for table in app.dataframe for name in table.value for cell in table.value[name])
    for html in app.get("html"):
        body = re.sub(r'(?s)<style>.*?</style>|style="[^"]*"', "", html.proto.body)
        yield from (re.sub(r"<[^>]*>", " ", body), *re.findall(r'title="([^"]*)"', body))
    yield from (str(view.get("sentence", "")) for view in views(app).values())


@pytest.mark.parametrize("page", NAMES)
def test_every_share_of_a_page_has_one_decimal_and_a_space_before_its_sign(page):
    for text in (ADDRESS.sub("](", text) for text in said(fine(opened(page, **TITANIC)))):
        assert not TOUCHING.search(text), text
        for share in MEASURED.findall(text.replace("\N{NO-BREAK SPACE}", " ")):
            assert re.fullmatch(r"\d+\.\d", share) or share in {"0", "100", *CHOSEN}, text
