"""The table of hostile files: `python -m tests.data.hostile_files` makes each, reads it and prints what came out.

`--every 10` takes every tenth file, `--every 10 --others` all but these, `--json` prints a line for each as JSON.

Each file is read in this process, whose memory may grow by `MEMORY` only: start it as a process of its own.
"""

import argparse
import json
import math
import resource
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

import explorer as ex
from tests.data.hostile import containers, declared, old_files, records, statistics, texts, workbooks
from tests.data.hostile.case import Case

CASES: list[Case] = [
    *texts.CASES,
    *workbooks.CASES,
    *containers.CASES,
    *records.CASES,
    *declared.CASES,
    *old_files.CASES,
    *statistics.CASES,
]
MEMORY = 1 << 30
"""By how much reading may make the process grow, in bytes of addresses (more than are ever used)."""


def difference(case: Case) -> str:
    """Read one file; returns "" where all is as expected, or what came out instead."""
    try:
        table = ex.read_table(case.raw, name=case.name, sheet=case.sheet, budget=case.budget)
    except ex.InputError as error:
        return "" if case.said and case.said in str(error) else f"refused: {str(error)[:300]}"
    except BaseException as error:  # noqa: BLE001 - whatever comes is the finding
        return f"{type(error).__name__}: {str(error)[:300]}"
    if case.said:
        return f"read as {table.frame.shape}"
    if table.frame.shape != case.shape:
        return f"shape {table.frame.shape}, columns {list(table.frame)[:4]}"
    if case.noted and not any(case.noted in note for note in table.notes):
        return f"notes {table.notes}"
    return cell_difference(table, case)


def cell_difference(table: ex.Table, case: Case) -> str:
    """Compare the one named cell."""
    if case.cell is None:
        return "no cell to compare"
    row, column, expected = case.cell
    if column not in table.frame:
        return f"columns {list(table.frame)[:4]}"
    value = table.frame[column].iloc[row]
    return "" if is_same(value, expected) else f"cell {value!r}"[:200]


def is_same(value: Any, expected: Any) -> bool:
    """Whether a cell is the expected one; None stands for a missing cell."""
    if expected is None:
        return bool(pd.isna(value))
    if isinstance(expected, int | float):
        return isinstance(value, int | float | np.number) and (value == expected or math.isclose(value, expected))
    return bool(value == expected)


def chosen(every: int, others: bool = False) -> list[Case]:
    """Each Nth file, or all the others."""
    return [case for number, case in enumerate(CASES) if (number % every > 0) == others]


def results(cases: list[Case]) -> Iterator[dict[str, Any]]:
    """Each file's name, size, how the result differs, and what it took."""
    ex.read_table(b"a,b\n1,2\n")
    for case in cases:
        raw = case.raw  # made outside the limit
        made = Case(**{**case.__dict__, "content": raw})
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        before, start = limit_memory(), time.process_time()
        found = difference(made)
        seconds = time.process_time() - start
        resource.setrlimit(resource.RLIMIT_AS, before)
        peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak) >> 10
        yield {"name": case.name, "bytes": len(raw), "found": found, "seconds": seconds, "peak": peak}


def limit_memory() -> tuple[int, int]:
    """Let this process grow by `MEMORY` more; returns the limits before."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm", encoding="ascii") as facts:  # noqa: PTH123 - not a file on disk
        pages = int(facts.read().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, before[1]))
    return before


def main() -> None:
    """Print a line per file: as JSON for the test, as a table for a reader."""
    parser = argparse.ArgumentParser(prog="python -m tests.data.hostile_files", description=__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth file")
    parser.add_argument("--others", action="store_true", help="all files but these")
    parser.add_argument("--json", action="store_true", help="for programs")
    options, wrong = parser.parse_args(), 0
    cases = chosen(options.every, options.others)
    for result in results(cases):
        wrong += bool(result["found"])
        if options.json:
            print(json.dumps(result))
        else:
            verdict = result["found"] or "as expected"
            cost = f"{result['bytes']:>12,} B {result['seconds']:6.2f} s +{result['peak']} MB"
            print(f"{result['name']:24} {cost}  {verdict}")
    if not options.json:
        print(f"{len(cases)} files, {len(cases) - wrong} as expected")


if __name__ == "__main__":
    main()
