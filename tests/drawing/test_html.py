"""The page that stands alone: what is in it, and that nothing from a table can break out of it."""

import base64
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import explorer as ex
from explorer.drawing import tree_view
from explorer.drawing.tree_view.payload import signature, step_sequence_payload, tree_payload, variants_payload
from explorer.drawing.tree_view.stability_layer import Layer, stability_payload
from tests.oracles import used_trees
from tests.oracles.golden_walk import dataset_of

TREE = ex.grow(dataset_of("play_tennis"), ex.ID3)


class Elements(HTMLParser):
    """The tags of a page, and the text of its data."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.data = ""
        self._is_data = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self._is_data = dict(attrs).get("id") == "view-data"

    def handle_endtag(self, tag):
        self._is_data = False

    def handle_data(self, data):
        if self._is_data:
            self.data += data


def test_the_page_holds_the_tree_and_its_rules():
    content = json.loads(Elements(ex.to_html(TREE)).data)
    pack = tree_payload(TREE)
    assert [base64.b64decode(one) for one in content["payloads"]] == [pack]
    assert content["view"]["tree"] == signature(pack)
    assert content["rules"]["5"] == "Node 5: Outlook = Sunny and Humidity = Normal"


def test_the_page_fetches_nothing():
    page = ex.to_html(TREE)
    assert "default-src 'none'" in page
    addresses = set(re.findall(r"(?:https?:)?//[a-z][\w.]+\.[a-z]{2,}[^\s\"'`]*", page))
    assert addresses <= {"http://www.w3.org/2000/svg", "//www.w3.org/2000/svg"}


def test_the_page_keeps_how_stable_nodes_are():
    layer = Layer(4, np.full(TREE.n_nodes_grown, 3), np.full(TREE.n_nodes_grown, 0.75), {})
    content = json.loads(Elements(ex.to_html(TREE, stability=layer)).data)
    pack = stability_payload(layer, content["view"]["tree"])
    assert base64.b64decode(content["payloads"][-1]) == pack
    assert content["view"]["stability"] == signature(pack)
    plain = json.loads(Elements(ex.to_html(TREE)).data)
    assert plain["view"]["stability"] is None
    assert len(plain["payloads"]) == 1


def test_what_is_pruned_is_shown_pruned():
    content = json.loads(Elements(ex.to_html(TREE.with_pruned(np.arange(TREE.n_nodes_grown) == 1))).data)
    assert content["view"]["state"]["hand"] == [["collapse", 1]]


def view_with(sequence, **more):
    return json.loads(Elements(ex.to_html(TREE, sequence, **more)).data)["view"]


def test_a_slider_begins_at_its_position_with_the_steps_by_hand():
    sequence = ex.to_slider(ex.cost_complexity_path(TREE), dataset_of("play_tennis"))
    view = view_with(sequence, position=1, hand=[("restore", 0), ("collapse", 2)])
    assert view["state"] == {"selected": 0, "position": 1, "hand": [["restore", 0], ["collapse", 2]]}
    assert view["by_hand"] is True
    assert "<p>5 leaves, depth 2 before pruning, training set: 14 rows</p>" in ex.to_html(TREE, sequence, position=1)


def test_the_steps_of_a_method_leave_no_room_for_manual_changes():
    film = step_sequence_payload(
        TREE, signature(tree_payload(TREE)), np.where(TREE.feature >= 0, 1, 0), ["a", "b"], [-1, 0]
    )
    view = view_with(film, position=1)
    assert view["by_hand"] is False
    assert view["state"]["position"] == 1


def test_a_raised_tree_begins_as_its_steps_have_it():
    """Its leaves are pruned in the payload: pruning them by hand as well would keep them pruned at the first step."""
    cut = TREE.with_pruned(np.arange(TREE.n_nodes_grown) == 1)
    album = variants_payload(
        cut, signature(tree_payload(cut)), np.array([TREE.is_pruned, cut.is_pruned]), ["all", "cut"]
    )
    content = json.loads(Elements(page := ex.to_html(cut, album, position=1)).data)
    assert content["view"]["state"]["hand"] == []
    assert "5 leaves, depth 2 before pruning" in page


@pytest.mark.parametrize("name", [*used_trees.NASTY, "</script><script>alert(1)</script>", "<!-- <script>", "&lt;"])
def test_names_stay_within_the_data(name):
    tree, _ = used_trees.nasty_tree(name)
    tags = Elements(ex.to_html(tree)).tags
    assert tags == Elements(ex.to_html(TREE)).tags


def test_nothing_in_the_script_ends_it_within_the_page():
    page = Elements(ex.to_html(TREE))
    assert page.tags.count("script") == 2
    assert "</script" not in tree_view.FILES.script.lower()
    assert "<!--" not in tree_view.FILES.script
