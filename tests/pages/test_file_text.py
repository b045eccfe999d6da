"""Text from a file is shown as text: no page hands it to Streamlit where Markdown is read."""

import pandas as pd
import pytest

from pages.text import spoken
from tests.pages.app import NAMES, fine, opened, uploaded, went

NAME = "**b** [x](y) $a$ :red[z]"
CLASSES = ("**p** $q$ :blue[r]", "_u_ `v` [w](x)")
LIVE = ("**b**", "[x](y)", "$a$", ":red[z", "**p**", "$q$", ":blue[r", "`v`", "[w](x)")
"""What Markdown makes bold, a link, a formula, a colour or code of."""
PLAIN = {
    "Selectbox.options",
    "Selectbox.raw_value",
    "MultiSelect.options",
    "TextInput.default",
    "Dataframe.columns",
    "Code.code_text",
    "PlotlyChart.spec",
}
"""What Streamlit shows as it is."""
TABS = {
    "Data": "table.tabs",
    "Grow": "node.tab",
    "Prune": "prune.tab",
    "Evaluate": "evaluate.tab",
    "Rules": "rules.tab",
    "Predict": "predict.tab",
    "Compare": "compare.tab",
    "Ensembles": "en.tab",
}


def texts_of(proto, path):
    """All texts of a message to the browser, with where they stand in it."""
    for field, value in proto.ListFields():
        values = value if field.is_repeated else [value]
        if field.type == field.TYPE_MESSAGE and not field.message_type.GetOptions().map_entry:
            for one in values:
                yield from texts_of(one, f"{path}.{field.name}")
        elif field.type == field.TYPE_STRING and field.name != "id":
            for one in values:
                yield f"{path}.{field.name}", one


def within(block):
    for element in block.children.values():
        yield element
        yield from within(element) if hasattr(element, "children") else ()


def live(app):
    """Texts in which Markdown of the file is alive."""
    elements = [element for root in app._tree.children.values() for element in within(root)]
    protos = [element.proto for element in elements if getattr(element, "proto", None) is not None]
    own = [proto for proto in protos if type(proto).__name__ not in ("BidiComponent", "Html")]
    found = [pair for proto in own for pair in texts_of(proto, type(proto).__name__)]
    assert found
    return [(path, text) for path, text in found if path not in PLAIN and any(sign in text for sign in LIVE)]


@pytest.fixture
def app():
    rows = range(40)
    columns = {NAME: [i % 7 + 0.5 for i in rows], f"c {NAME}": [f"k{i % 3}*m*" for i in rows]}
    frame = pd.DataFrame({**columns, "n": [i * 7 % 11 for i in rows], f"y {NAME}": [CLASSES[i % 7 > 3] for i in rows]})
    return fine(uploaded(opened(), f"{NAME}.csv", frame.to_csv(index=False).encode()))


def test_no_page_reads_text_of_a_file_as_markdown(app):
    app.session_state["menu"] = True
    for page in NAMES:
        app = fine(app.run() if page == "Data" else went(app, page))
        assert not live(app), page


@pytest.mark.slow
@pytest.mark.parametrize("page", TABS)
def test_no_tab_of_a_page_reads_text_of_a_file_as_markdown(app, page):
    app = fine(went(app, page))
    for name in [tab.label for tab in app.tabs]:
        app.session_state[TABS[page]] = name
        app = fine(app.run())
        assert not live(app), name


def test_a_spoken_label_has_no_live_markdown():
    assert not [sign for sign in LIVE if sign in spoken(f"{NAME} {CLASSES}")]
    assert spoken("sepal_width") == "sepal_width"
