"""A branch for each of many values makes more nodes than there are rows: growing ends before memory does."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.errors import TreeTooLargeError
from explorer.growing.engine import scheduler
from explorer.memory import UNKNOWN, available_bytes
from explorer.messages import chinese, spoken_in
from explorer.recipe.many_branches import possible_cells
from explorer.threads import using_threads

N, VALUES = 2_500, 500


@pytest.fixture(scope="module")
def untidy():
    """Two text columns of 500 values, in one of them every tenth cell missing; the larger has no missing cell."""
    random = np.random.default_rng(0)
    town = pd.Series(random.permutation(N) % VALUES).map("town {}".format)
    town[random.permutation(N) < N // 10] = None
    job = pd.Series(random.permutation(N) % (VALUES + 100)).map("job {}".format)
    frame = pd.DataFrame({"town": town, "job": job, "age": random.random(N), "y": random.choice(["no", "yes"], N)})
    return ex.Dataset.from_frame(frame, "y", features=["town", "job", "age"])


@pytest.mark.parametrize(("recipe", "column"), [(ex.C45, "town"), (ex.C45.replace(missing="most_common"), "job")])
def test_the_error_names_the_fact_the_column_and_the_remedy(untidy, recipe, column):
    n_nodes = ex.grow(untidy, recipe).n_nodes_grown
    assert ex.grow(untidy, recipe, most_nodes=n_nodes).n_nodes_grown == n_nodes
    with pytest.raises(TreeTooLargeError) as caught:
        ex.grow(untidy, recipe, most_nodes=n_nodes - 1)
    error = caught.value
    assert error.column == column
    assert f"more than {n_nodes - 1:,} nodes" in str(error)
    assert f"Column '{column}' has a branch for each of" in str(error)
    assert "limit the depth" in str(error)
    assert ("goes down all of them" in str(error)) == (column == "town")
    with spoken_in(chinese()):
        assert f"列“{column}”" in str(error.again())


@pytest.mark.parametrize("recipe", [ex.C45, ex.C45.replace(missing="most_common")])
def test_a_subtree_ends_long_before_it_is_finished(untidy, recipe, monkeypatch):
    """The loops themselves end: what they have grown until then takes no more than twice the room."""
    seen, grow_subtree = [], scheduler.grow_subtree

    def counted(*args):
        tables = grow_subtree(*args)
        seen.append(len(tables[0]))
        return tables

    monkeypatch.setattr(scheduler, "grow_subtree", counted)
    with using_threads(1):
        assert ex.grow(untidy, recipe).n_nodes_grown == max(seen) > 4_000
        seen.clear()
        with pytest.raises(TreeTooLargeError):
            ex.grow(untidy, recipe, most_nodes=1_000)
    assert max(seen) <= 2_000


def test_without_a_bound_the_free_memory_is_one(untidy, monkeypatch):
    monkeypatch.setattr(scheduler, "available_bytes", lambda: 2 * 400 * 100)
    with pytest.raises(TreeTooLargeError, match="more than 100 nodes"):
        ex.grow(untidy, ex.C45)
    assert ex.grow(untidy, ex.CART).n_nodes_grown > 100, "two branches a node need no bound"


@pytest.mark.parametrize("threads", [1, 2])
def test_copies_of_rows_need_room_too(untidy, threads):
    """A single split may copy rows so often that the copies alone have no room: 250 rows into 500 branches."""
    towns = ex.Dataset.from_frame(untidy.frame, "y", features=["town"])
    assert ex.grow(towns, ex.C45).n_nodes_grown == 501
    with using_threads(threads), pytest.raises(TreeTooLargeError):
        ex.grow(towns, ex.C45, most_nodes=600)


def test_possible_cells_are_rows_by_features_by_copies_and_a_node_for_each_branch(untidy):
    missing = np.mean(untidy.codes[0] == 500)
    copies = 1 + missing * 499
    assert possible_cells(untidy, ex.C45) == pytest.approx(N * (3 * copies + 600))
    assert possible_cells(untidy, ex.C45.replace(max_depth=0)) == N * (3 + 600)
    assert possible_cells(untidy, ex.CART) == N * 3


def test_free_memory_is_that_of_the_machine_or_of_the_container(tmp_path):
    machine, group = tmp_path / "meminfo", tmp_path / "group"
    assert available_bytes(machine, group) <= UNKNOWN
    machine.write_text("MemTotal: 9000 kB\nMemAvailable:    5000 kB\n")
    assert available_bytes(machine, group) == 5_000 * 1024
    group.mkdir()
    for name, text in (("max", "max"), ("current", "1000000"), ("stat", "anon 600000\ninactive_file 400000\nx 1")):
        (group / f"memory.{name}").write_text(text)
    assert available_bytes(machine, group) == 5_000 * 1024
    (group / "memory.max").write_text("3000000")
    assert available_bytes(machine, group) == 3_000_000 - 1_000_000 + 400_000
