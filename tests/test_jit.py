"""The cache of compiled loops: what a change of one module makes stale."""

import json
import os
import subprocess
import sys
from typing import NamedTuple

import numba
import numpy as np
import pytest
from llvmlite.binding import Linkage
from numpy.typing import NDArray

from explorer import as_written, jit_parts
from explorer.growing.scans.buffers import Categories
from explorer.growing.scans.values import count_values
from explorer.jit import compiled_sources, drop_old_drafts, inner, keep_stamps, kernel, stamps_of, stamps_on_disk
from explorer.jit_parts import FEW, CacheFiles
from explorer.recipe.feature_draw import path_hash
from tests.benchmarks.same_trees import digests
from tests.folders import ROOT
from tests.oracles.grown_publicly import grown_publicly, trees

SOURCES = {
    "explorer.a": "from explorer.b import f",
    "explorer.b": "    from explorer.c import g",
    "explorer.c": "def g(): pass",
    "explorer.apart": "from explorer.c.d import h\nimport explorer",
}


def stale_after(name: str, text: str) -> set[str]:
    before, after = stamps_of(SOURCES), stamps_of({**SOURCES, name: text})
    return {module for module in before if before[module] != after[module]}


def test_a_change_reaches_what_imports_the_module_however_far():
    assert stale_after("explorer.c", "def g(): return 1") == {"explorer.a", "explorer.b", "explorer.c"}


def test_a_change_leaves_what_does_not_import_the_module():
    assert stale_after("explorer.a", "") == {"explorer.a"}
    assert stale_after("explorer.apart", "x = 1") == {"explorer.apart"}


def test_modules_that_import_each_other_are_stale_together():
    circle = {"explorer.a": "from explorer.b import f", "explorer.b": "from explorer.a import f"}
    before, after = stamps_of(circle), stamps_of({**circle, "explorer.a": "from explorer.b import f\n"})
    assert all(before[name] != after[name] for name in circle)


def test_modules_whose_constants_loops_use_are_watched_too():
    assert {"explorer.growing.scans.buffers", "explorer.recipe.columns"} <= compiled_sources().keys()


@pytest.mark.parametrize("damage", ["", '{"explorer.a": "12', "[1]"])
def test_a_program_starts_where_another_was_ended_while_it_wrote_the_fingerprints(tmp_path, damage):
    file = tmp_path / "cache" / "kernels.json"
    keep_stamps(file, {"explorer.a": "12"})
    assert stamps_on_disk(file) == {"explorer.a": "12"}
    assert [path.name for path in file.parent.iterdir()] == ["kernels.json"]
    file.write_text(damage, "utf-8")
    assert stamps_on_disk(file) == {}


def test_code_on_disk_is_found_under_its_key_alone(tmp_path):
    first, second = (CacheFiles(str(tmp_path), "loop", stamp) for stamp in ("today", "tomorrow"))
    first.save(("int64",), b"whole numbers")
    first.save(("float64",), b"floats")
    assert (first.load(("int64",)), first.load(("float64",))) == (b"whole numbers", b"floats")
    assert (first.load(("bool",)), second.load(("int64",))) == (None, None)


def test_a_damaged_file_counts_as_absent(tmp_path):
    kept = CacheFiles(str(tmp_path), "loop", "today")
    kept.save("key", b"code")
    file = next(tmp_path.iterdir())
    another_class = b"cexplorer.jit_parts\nGone\n."
    for damage in (b"", b"not a pickle", b"I12x\n.", b"h\x07.", b"cno.such.module\nClass\n.", another_class, b"I1\n."):
        file.write_bytes(damage)
        assert kept.load("key") is None
    file.unlink()
    file.mkdir()  # cannot be read
    assert kept.load("key") is None


def test_half_written_code_is_deleted_when_no_process_writes_it_any_more(tmp_path):
    cache = tmp_path / "package" / "__pycache__"
    cache.mkdir(parents=True)
    finished, fresh, old = (cache / f"loop.f-1.abc.nbc{end}" for end in ("", ".0123456789ab", ".ba9876543210"))
    for path in (finished, fresh, old):
        path.touch()
    for path in (finished, old):
        os.utime(path, (0, 0))
    drop_old_drafts(tmp_path)
    assert set(cache.iterdir()) == {finished, fresh}


class Record(NamedTuple):
    ints: NDArray[np.int32]
    floats: NDArray[np.float64]


@inner
def weighted(table, first):
    total = 0.0
    for i in range(first, table.floats.shape[0]):
        total += table.ints[0, 0] * table.floats[i, 0]
    return total


@kernel
def sums_of_three(table, other):
    kept = table
    if other.size == 0:
        raise ValueError("nothing")
    table = Record(2 * kept.ints, other)
    return weighted(kept, 0), weighted(table, 1), weighted(Record(10 * kept.ints, kept.floats), 2)


def a_table(*numbers: float) -> Record:
    """A record of two arrays."""
    return Record(np.array([[3]], np.int32), np.array(numbers).reshape(-1, 1))


def test_a_part_reads_the_record_that_it_was_given():
    table, other = a_table(1.0, 2.0, 4.0), np.array([[8.0], [16.0]])
    assert sums_of_three(table, other) == (21.0, 96.0, 120.0)


def test_an_error_comes_out_of_compiled_code():
    with pytest.raises(ValueError, match="nothing"):
        sums_of_three(a_table(1.0), np.empty((0, 1)))


def test_only_entries_become_machine_code():
    sums_of_three(a_table(1.0), np.ones((1, 1)))  # from disk, if it was compiled before: then without its part
    weighted.compile((numba.typeof(a_table(1.0)), numba.int64))
    parts, entries = weighted.overloads.values(), sums_of_three.overloads.values()
    assert {code.library.get_pointer_to_function(code.fndesc.llvm_func_name) for code in parts} == {0}
    assert all(code.library.get_pointer_to_function(code.fndesc.llvm_func_name) for code in entries)


@inner
def shared(number, by):
    return number / by


@kernel
def hashed(numbers, by):
    total = np.uint64(0)
    for number in numbers:
        total = total * np.uint64(0x9E3779B97F4A7C15) + number
    return total, shared(1.0, by)


def test_few_numbers_do_not_wait_for_compiled_code():
    few, many = np.arange(9, dtype=np.uint64), np.arange(FEW, dtype=np.uint64)
    with as_written.run_as_written():
        written, is_compiled = hashed(few, 0.0), [bool(hashed.overloads)]
        hashed(many, 0.0)
        is_compiled.append(bool(hashed.overloads))
    assert is_compiled == [False, True]
    assert written == hashed(few, 0.0) == (written[0], np.inf)


def test_python_runs_the_text_of_a_part_that_is_compiled_too():
    shared.compile((numba.float64, numba.float64))
    assert shared(np.float64(3.0), np.float64(2.0)) == 1.5


def test_a_number_that_is_written_in_a_call_is_any_number():
    given, _ = shared.get_call_template((numba.float64, numba.types.literal(2)), {})[2:]
    assert given == (numba.float64, numba.int64)
    assert (numba.float64, numba.int64) in shared.overloads
    assert (numba.float64, numba.types.literal(2)) not in shared.overloads


def test_an_entry_and_its_part_keep_what_they_need_of_python_apart():
    table = a_table(1.0)
    sums_of_three(table, np.ones((1, 1)))
    types = numba.typeof(table), numba.typeof(np.ones((1, 1)))
    sums_of_three.part.compile(types)
    part, entry = sums_of_three.part.overloads[types], sums_of_three.overloads[types]
    assert part.fndesc.env_name != entry.fndesc.env_name


@kernel
def doubled(number):
    return 2 * number


def test_what_runs_as_written_while_other_code_is_loaded_is_not_loaded():
    with as_written.run_as_written():
        assert as_written.runs_as_written()
        with as_written.loading():
            assert not as_written.runs_as_written()
            with as_written.run_as_written():
                assert as_written.runs_as_written()
            assert not as_written.runs_as_written()
        assert as_written.runs_as_written()
    assert not as_written.runs_as_written()


def test_what_takes_long_as_written_is_compiled(monkeypatch):
    monkeypatch.setattr(jit_parts, "LONG", 0.0)
    with as_written.run_as_written():
        assert doubled(21) == 42
    assert doubled.overloads


def test_all_a_page_works_out_of_a_tree_is_the_same_as_written():
    program = [sys.executable, "-W", "error", "-m", "tests.oracles.as_written"]
    assert subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=True).stdout == "compiled: 0\n"


def test_an_entry_offers_nothing_but_itself_so_that_records_are_handed_on_by_what_is_read():
    sums_of_three(a_table(1.0), np.ones((1, 1)))
    for code in sums_of_three.overloads.values():
        functions = [f for f in code.library._get_module_for_linking().functions if not f.is_declaration]
        offered = {function.name for function in functions if function.linkage != Linkage.internal}
        assert offered == {code.fndesc.llvm_func_name, code.fndesc.llvm_cpython_wrapper_name}


def test_a_version_of_numba_that_is_not_known_compiles_in_its_own_way(tmp_path):
    program = (
        "import numba; numba.__version__ = 'a version to come'; import numpy as np;"
        "from explorer.recipe.split_score import first_best, has_ratio;"
        "print(first_best(np.array([0.5, 2.0, 2.0]), 1.0), has_ratio.part is has_ratio)"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", program]
    found = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert found.stdout == "1 True\n"


@pytest.mark.slow
def test_trees_are_the_same_in_the_public_way(tmp_path):
    cases = [3]  # a complete table
    assert grown_publicly(cases, str(tmp_path)) == trees(cases)


@pytest.mark.slow
def test_compiled_text_grows_the_trees_of_the_definition_where_python_runs_it():
    """More than 200 small tables, by every policy for missing cells: numba compiles nothing here."""
    files = [f"tests/growing/test_{name}.py" for name in ("policy_combinations", "missing", "newton")]
    options = ["-n", "0", "-q", "-p", "no:cacheprovider", "--hypothesis-profile=full", "-k", "kernels_grow"]
    quiet = ["-W", "ignore::RuntimeWarning"]  # of overflows and divisions, which compiled code is silent about
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *quiet, *files],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout


def test_text_of_the_loops_and_their_code_grow_the_same_trees_bit_for_bit():
    """Tables of up to 600 rows, where counts of bytes would not fit into a byte any more."""
    program = (
        "import sys; from tests.benchmarks.same_trees import print_digests; print_digests(map(int, sys.argv[1:]));"
        "from explorer.recipe.feature_draw import path_hash; print(path_hash((5,) * 40))"
    )
    numbers = list(range(301, 325))
    run = subprocess.run(
        [sys.executable, "-W", "ignore::RuntimeWarning", "-c", program, *map(str, numbers)],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    *grown, hashed = [json.loads(line) for line in run.stdout.splitlines()]
    assert grown == [digests(number) for number in numbers]
    assert hashed == path_hash((5,) * 40), "negative on the way"


def test_the_last_code_of_a_byte_is_counted_by_text_and_code():
    codes, classes = np.array([255, 3] * 10, np.uint8), np.array([0, 1] * 10, np.uint8)
    for loop in (count_values, count_values.py_func):
        found = Categories(*(np.zeros(4, np.int64), np.zeros(4), np.zeros(4), np.zeros((4, 2))), *np.zeros((3, 4)))
        assert loop(codes, np.arange(20), classes, None, 0, 20, np.zeros((256, 3), np.int64), found) == 2
        np.testing.assert_array_equal(found.codes[:2], [3, 255])
        np.testing.assert_array_equal(found.stats[:2], [[0, 10], [10, 0]])
