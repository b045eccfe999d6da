"""A connected table on the pages: chosen from a list, grown from all its rows, rows shown on a labelled sample."""

from types import SimpleNamespace

import duckdb
import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.sources.level_report import LevelReport
from pages.layout import growing
from pages.results import connected_table, trees
from pages.results.cache import results
from pages.results.connected import allowed, opened
from pages.settings.settings import Settings
from tests.pages.app import all_jobs_ended, fine, summary, tab, texts, unfold, views, went
from tests.pages.app import opened as opened_app

PATIENCE, SESSION = 60, "test session id"
NAME = "shared/customers.parquet"
N_ROWS, N_SAMPLE = 4_000, 1_000


def customers(seed=0):
    draw = np.random.default_rng(seed)
    age, visits = draw.integers(18, 90, N_ROWS), draw.poisson(3, N_ROWS)
    region = draw.choice(["north", "south", "east"], N_ROWS)
    frame = pd.DataFrame({"customer": [f"c{i}" for i in range(N_ROWS)], "age": age, "visits": visits, "region": region})
    frame["income"] = draw.normal(30, 5, N_ROWS).round(2)
    frame.loc[::50, "income"] = np.nan
    leaves = (age > 50) ^ (draw.random(N_ROWS) < 0.1)
    return frame.assign(churn=np.where(leaves & (region != "north"), "yes", "no"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A table in a folder that is allowed; a sample has a quarter of its rows, and nothing is kept from other tests."""
    inside = tmp_path / "shared"
    inside.mkdir()
    customers().to_parquet(inside / "customers.parquet", index=False)
    monkeypatch.setenv(allowed.VARIABLE, str(inside))
    monkeypatch.setattr(opened, "SAMPLE_ROWS", N_SAMPLE)
    opened._preview.cache_clear()
    results().clear()
    yield inside
    all_jobs_ended()
    opened.registry.leave(SESSION)
    results().clear()


def ended(app):
    """Wait for the job of the tree and run the page as its timer would, until there is the tree or the reason."""
    for _ in range(5):
        if growing._JOB not in app.session_state:
            return app
        all_jobs_ended()
        app = app.run()
    return app


def grown(page="Grow", **query):
    return ended(opened_app(page, table=NAME, **query))


def label(n=N_SAMPLE):
    return f"On a sample of {n:,} of {N_ROWS:,} rows."


def test_no_table_can_be_connected_unless_the_owner_names_some(monkeypatch):
    monkeypatch.delenv(allowed.VARIABLE, raising=False)
    app = fine(opened_app("Data"))
    assert "Connect a table" not in str(app.main)
    app = opened_app("Data", table=NAME)
    assert "cannot be connected: this server offers none." in texts(app.warning)
    assert not app.exception


def test_the_data_page_shows_columns_of_all_rows_before_anything_is_encoded(folder):
    app = fine(opened_app("Data", table=NAME))
    frame = customers()
    (columns,) = [table.value for table in app.dataframe if "missing" in table.value.columns]
    assert columns.set_index("column")["missing"].to_dict() == frame.isna().sum().to_dict()
    assert columns.set_index("column").loc["region", "distinct"] == 3
    assert f"{N_ROWS:,} rows × 6 columns" in texts(app.caption)
    assert f"first rows are of a sample of {N_SAMPLE:,} rows" in texts(app.caption)
    assert app.query_params["table"] in (NAME, [NAME])
    assert not any(entry.is_ready for entry in opened.registry._entries.values())


def test_numbers_of_all_rows_and_notes_of_a_sample_say_so_in_their_heads(folder):
    app = fine(opened_app("Data", table=NAME))
    (heads,) = [table.proto.columns for table in app.dataframe if "missing" in table.value.columns]
    assert "Number of missing values in all rows" in heads
    assert f"Note on the sample of {N_SAMPLE:,} rows" in heads


def test_resetting_an_algorithm_keeps_a_policy_for_missing_values_that_can_be_counted(folder):
    app = fine(grown(split="all", recipe="CART", max_depth="2", missing="most_common"))
    assert "depth 2 " in summary(app)
    app = fine(ended(unfold(app).button("grow.reset").click().run()))
    grow = app.session_state["settings"].grow
    assert (grow.name, dict(grow.changes)) == ("CART", {"missing": "most_common"})
    assert "depth 2 " not in summary(app)
    source = ex.connect(str(folder / "customers.parquet"), target="churn")
    tree = ex.grow(source, ex.CART.replace(missing="most_common"))
    assert f"{tree.n_leaves} leaves, depth {tree.max_depth}" in summary(app)
    source.close()


def test_rows_of_a_node_are_written_in_groups_of_three_digits(folder):
    app = fine(grown(split="all"))
    assert f"{N_ROWS:,} rows · " in texts(app.markdown)


def test_small_nodes_that_wait_for_the_compiler_say_so(folder, monkeypatch):
    fine(grown(split="all"))
    monkeypatch.setattr(growing, "waits_for_loops", lambda: False)
    monkeypatch.setattr(growing, "is_compiling", lambda: True)
    settings = Settings(connected=NAME, split="all")
    job, newest = SimpleNamespace(state="running", done=50, total=100), connected_table.rows(settings).newest

    def words(report: LevelReport, is_later_start: bool) -> str:
        newest[:] = [report]
        monkeypatch.setattr(growing, "is_all_compiled", lambda: is_later_start)
        return growing._phase_text(job, settings, "grow")

    assert words(LevelReport(7), False) == "Compiling the program, once after its installation"
    assert words(LevelReport(7), True).startswith("Level 8: small nodes")
    assert words(LevelReport(7, nodes=3), False).endswith("3 nodes")


def test_another_target_is_taken_from_the_list(folder):
    app = fine(opened_app("Data", table=NAME))
    app = fine(app.selectbox("target").set_value("income").run())
    assert app.query_params["target"] in ("income", ["income"])


def test_the_tree_is_that_of_all_rows(folder):
    app = fine(grown(split="all"))
    source = ex.connect(str(folder / "customers.parquet"), target="churn")
    tree = ex.grow(source, ex.CART.replace(missing="most_common", min_rows_leaf=20))
    assert f"{N_ROWS:,} training rows" in summary(app)
    assert f"{tree.n_leaves} leaves, depth {tree.max_depth}" in summary(app)
    accuracy = ex.evaluate(tree, source).scores["accuracy"].value
    assert f"training accuracy {accuracy:.1%}".replace("%", " %") in summary(app)
    source.close()


def test_training_and_validation_sets_are_counted_by_a_hash_of_the_key(folder):
    app = fine(grown())
    train, valid = ex.connect(str(folder / "customers.parquet"), target="churn").split(0.7, key="customer")
    assert f"{train.n_rows:,} training + {valid.n_rows:,} validation rows" in summary(app)
    settings = Settings(connected=NAME)
    parts = trees.parts(settings)
    assert parts.train.n_rows + parts.valid.n_rows == pytest.approx(N_SAMPLE, abs=1)
    train.close()


def test_candidates_of_a_node_are_those_of_all_rows_and_rows_those_of_a_sample(folder):
    app = fine(grown(split="all"))
    settings = Settings(connected=NAME, split="all")
    decision = trees.decision(settings, 0)
    assert decision.n_rows == N_ROWS
    app = fine(tab(app, "node.tab", "Rows"))
    assert label() in texts(app.caption)
    app = fine(tab(app, "node.tab", "SQL"))
    assert any("GROUP BY" in code.value for code in app.code)


@pytest.mark.parametrize("page", ["Prune", "Evaluate", "Rules", "Predict", "Compare"])
def test_every_page_works_on_a_connected_table(folder, page):
    app = fine(grown(page, split="all"))
    assert views(app)


def test_the_pruning_curve_is_counted(folder):
    fine(grown("Prune"))
    settings = Settings(connected=NAME)
    curves, whole = trees.curves(settings), trees.all_rows(settings)
    expected = trees.path(settings).curve(whole.valid, "accuracy")
    assert curves.valid.tolist() == expected.tolist()
    assert curves.how == "validation"


def test_a_recipe_that_needs_rows_offers_another_with_one_click(folder):
    app = grown(recipe="CART")
    assert "'missing' is 'surrogate'" in texts(app.error)
    app = fine(ended(app.button("growing.remedy").click().run()))
    assert "CART" in summary(app)
    assert dict(trees.explicit(app.session_state["settings"]).changes)["missing"] == "most_common"


def test_a_split_by_hand_is_refused_and_loses_nothing(folder):
    app = fine(grown(split="all"))
    before = summary(app)
    app = tab(app, "node.tab", "Split")
    (button,) = [button for button in app.button if button.label == "Split here"]
    app = button.click().run()
    assert "grows without choices by hand" in texts(app.error)
    assert not app.exception
    assert summary(fine(went(app, "Grow"))) == before


def test_a_table_that_has_changed_is_said_and_connected_again_with_one_click(folder):
    app = fine(grown(split="all"))
    before = summary(app)
    customers(seed=1).head(3_000).to_parquet(folder / "customers.parquet", index=False)
    results().drop(next(key for key in results()._entries if "_decision" in str(key[0])))
    app = app.run()
    assert "has changed since it was connected" in texts(app.error)
    assert summary(app) == before
    app = fine(ended(app.button("connect.again").click().run()))
    assert "3,000 training rows" in summary(app)


def test_of_a_table_that_is_gone_the_tree_stays_and_other_tables_can_be_chosen(folder):
    app = fine(grown(split="all"))
    before = summary(app)
    (folder / "customers.parquet").unlink()
    results().drop(next(key for key in results()._entries if "_decision" in str(key[0])))
    app = app.run()
    assert "'customers.parquet' is gone" in texts(app.error)
    assert str(folder) not in texts(app.error)
    app = app.button("connect.again").click().run()
    assert not app.exception
    assert summary(app) == before
    assert "'customers.parquet' is gone" in texts(app.error)
    fine(went(app, "Data"))


def test_a_table_that_has_lost_its_target_opens_with_its_defaults_once_it_is_connected_again(folder):
    app = fine(grown(split="all", target="visits"))
    customers(seed=1).drop(columns="visits").to_parquet(folder / "customers.parquet", index=False)
    results().drop(next(key for key in results()._entries if "_decision" in str(key[0])))
    app = app.run()
    app = app.button("connect.again").click().run()
    assert "The table opens with its defaults." in texts(app.warning)
    assert NAME in summary(fine(ended(app)))


def test_classes_have_colours_but_no_labels_of_the_readers_own(folder):
    app = grown(split="all")
    app.session_state["menu"] = True
    app = fine(app.run())
    assert not [field for field in app.text_input if field.label.startswith("Label of")]
    assert "keep the names that they have there" in texts(app.caption)


def test_what_reads_every_row_says_what_to_do_instead(folder):
    app = ended(grown("Rules", **{"r.list": "pruned"}))
    assert not app.exception
    assert "take the tree’s rules, or prune the tree on the Prune page" in texts(app.error)
    app = fine(ended(grown("Prune", pruning="methods")))
    assert "MDL (description length)**: This method reads every training row" in texts(app.caption)


def test_the_sides_of_a_comparison_begin_no_larger_than_the_tree_of_the_reader(folder):
    app = fine(ended(grown("Compare", recipe="CART", max_depth="2", missing="most_common")))
    assert trees.recipe(app.session_state["settings"], "right").max_depth == 2


def test_a_pattern_and_a_table_of_a_database_connect_too(folder):
    frame = customers()
    (folder / "parts").mkdir()
    for part in range(2):
        frame.iloc[part::2].to_parquet(folder / "parts" / f"{part}.parquet", index=False)
    database = duckdb.connect(str(folder / "base.duckdb"))
    database.execute("CREATE TABLE people AS SELECT * FROM frame")
    database.close()
    lines = {
        summary(fine(ended(opened_app("Grow", table=name, split="all")))).partition(" · ")[2]
        for name in ("shared/parts/*.parquet", "shared/base.duckdb ▸ people", NAME)
    }
    assert len(lines) == 1


def test_growing_fully_and_other_algorithms_treat_missing_values_so_that_they_can_be_counted(folder):
    app = fine(ended(grown(split="all").button("grow_fully").click().run()))
    grow = app.session_state["settings"].grow
    assert (grow.name, dict(grow.changes)) == ("CART", {"missing": "most_common"})
    app = fine(ended(app.segmented_control("grow.recipe").set_value("C4.5").run()))
    assert "C4.5" in summary(app)
    source = ex.connect(str(folder / "customers.parquet"), target="churn")
    tree = ex.grow(source, ex.C45.replace(missing="most_common"))
    assert f"{tree.n_leaves} leaves, depth {tree.max_depth}" in summary(app)
    source.close()


def test_training_scores_leave_out_the_rows_that_the_tree_was_not_grown_on(folder):
    app = fine(grown(split="all", recipe="CART", max_depth="2", missing="drop"))
    used = customers().dropna().drop(columns="customer")
    data = ex.Dataset.from_frame(used, "churn")
    tree = ex.grow(data, ex.CART.replace(max_depth=2))
    right = np.mean(tree.predict(data) == used["churn"].to_numpy())
    largest = used["churn"].value_counts(normalize=True).max()
    line = summary(app)
    assert f"{len(used):,} of {N_ROWS:,} training rows" in line
    assert f"training accuracy {100 * right:.1f} %" in line
    assert f"({100 * largest:.1f} %)" in line
