"""A file that gives its rows weights opens with them as row weights, not as target or feature."""

from tests.pages.app import fine, opened, uploaded

HEAD = "@relation t\n@attribute x numeric\n@attribute y {no,yes}\n@data\n"
ROWS = "".join(f"{i % 7},{'yes' if i % 3 else 'no'},{{{1 + i % 2}}}\n" for i in range(30))


def test_weights_of_an_arff_file_have_the_role_weight():
    app = fine(uploaded(opened(), "weighted.arff", (HEAD + ROWS).encode()))
    chosen = {name: app.query_params[name] for name in ("target", "weight") if name in app.query_params}
    assert chosen == {"target": "y", "weight": "weight"}
