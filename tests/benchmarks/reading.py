"""What reading costs: `python -m tests.benchmarks.reading` compares a large CSV with pandas, and reads small bombs.

Each file is read in a process of its own with 6 GB of addresses, so that a version without limits ends there.
"""

import gzip
import io
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

import explorer as ex
from tests.data.hostile.workbooks import row, workbook

ROWS, COLUMNS = 1_000_000, 20
ADDRESSES, SECONDS = 6 << 30, 60


def large_csv(path: Path, rows: int = ROWS) -> None:
    """14 columns of numbers, 3 of whole numbers, 3 of words: 107 MB."""
    rng = np.random.default_rng(0)
    words = np.array(["a", "bb", "ccc"])
    columns = {f"x{i}": rng.normal(size=rows).round(3) for i in range(14)}
    columns |= {f"n{i}": rng.integers(0, 100, rows) for i in range(3)}
    columns |= {f"w{i}": words[rng.integers(0, 3, rows)] for i in range(3)}
    pd.DataFrame(columns).to_csv(path, index=False)


def parquet_bomb() -> bytes:
    """One value 300 million times."""
    out = io.BytesIO()
    column = pa.DictionaryArray.from_arrays(pa.array(np.zeros(30_000_000, dtype=np.int32)), [1.5])
    with pq.ParquetWriter(out, pa.schema({"a": column.type})) as writer:
        for _ in range(10):
            writer.write_table(pa.table({"a": column}))
    return out.getvalue()


def gzip_bomb() -> bytes:
    """10 GB of rows in some MB."""
    return gzip.compress(b"a,b\n") + gzip.compress(b"1,2\n" * 25_000_000, 9) * 100


def wide(names: bytes, columns: int) -> bytes:
    return b",".join([names] * columns) + b"\n" + b",".join([b"1"] * columns) + b"\n"


def numbered(columns: int) -> bytes:
    return b",".join(b"name %d" % i for i in range(columns)) + b"\n" + b",".join([b"1"] * columns) + b"\n"


BOMBS: dict[str, Callable[[], bytes]] = {
    "1 row 1,000,000,000.xlsx": lambda: workbook('<row r="1000000000"><c><v>1</v></c></row>'),
    "1 cell XFD1048576.xlsx": lambda: workbook(row('<c r="XFD1048576"><v>7</v></c>', 1_048_576)),
    "2 10 GB of rows.csv.gz": gzip_bomb,
    "2 300 million rows.parquet": parquet_bomb,
    "2 100 MB of commas.csv": lambda: b"," * 100_000_000,
    "2 100 MB of short rows.csv": lambda: (b"," * 99 + b"\n") * 1_000_000,
    "3 header of 1 MB.csv": lambda: numbered(90_000),
    "3 90,000 without a name.csv": lambda: wide(b"", 90_000),
    "4 10,000 of one name.csv": lambda: wide(b"x", 10_000),
    "4 20,000 of one name.csv": lambda: wide(b"x", 20_000),
    "4 200,001 of one name.csv": lambda: wide(b"x", 200_001),
    "5 CR only.csv": lambda: b"a,b\r1,2\r3,4\r",
    "5 zero bytes.csv": lambda: b"\x00" * 1000,
    "5 one NUL.csv": lambda: b"a,b\n1\x00,2\n3,4\n",
    "6 sep=;.csv": lambda: b"sep=;\na;b\n1;2\n",
    "6 comments.csv": lambda: b"# by me\n# 2024\na,b\n1,2\n3,4\n",
    "7 9 MB.csv": lambda: b"a,b\n" + b"1,word\n" * 1_300_000,
}


def read(raw: bytes, name: str, results: "multiprocessing.Queue[str]") -> None:
    """Read one file within the limits; report what came out."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    written: list[str] = []
    sys.addaudithook(lambda event, given: written.append(str(given[0])) if is_write(event, given) else None)
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    try:
        table = ex.read_table(raw, name=name)
        said = f"{table.frame.shape}, last name '{table.frame.columns[-1]}', {len(table.notes)} notes"
    except (ex.InputError, MemoryError) as error:
        said = f"{type(error).__name__}: {str(error)[:110]}"
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10
    files = f", wrote {written}" if written else ""
    results.put(f"{time.process_time() - start:6.2f} s {peak:>6,} MB  {said}{files}")


def is_write(event: str, given: tuple[object, ...]) -> bool:
    """Whether an audit event opens a file for writing."""
    return event == "open" and isinstance(given[2], int) and bool(given[2] & (os.O_WRONLY | os.O_RDWR))


def in_own_process(name: str, raw: bytes) -> str:
    """Read a file in a process of its own, which is ended after a minute."""
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    process = context.Process(target=read, args=(raw, name, results))
    process.start()
    process.join(SECONDS)
    if process.is_alive():
        process.kill()
        return f"not done after {SECONDS} s"
    return results.get(timeout=5) if process.exitcode == 0 else f"the process died ({process.exitcode})"


def best_of(times: int, work: Callable[[], object]) -> tuple[float, float]:
    """Return the least seconds and processor seconds of several runs."""
    found = []
    for _ in range(times):
        start, cpu = time.perf_counter(), time.process_time()
        work()
        found.append((time.perf_counter() - start, time.process_time() - cpu))
    return min(wall for wall, _ in found), min(cpu for _, cpu in found)


def compare_with_pandas() -> None:
    """Read the large CSV with pandas and with the explorer."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.csv"
        large_csv(path)
        ours, theirs = best_of(3, lambda: ex.read_table(path)), best_of(3, lambda: pd.read_csv(path))
        print(f"{path.stat().st_size / 1e6:.0f} MB, {ROWS:,} x {COLUMNS}:")
        print(f"read_table {ours[0]:.2f} s (processor {ours[1]:.2f})")
        print(f"pandas.read_csv {theirs[0]:.2f} s (processor {theirs[1]:.2f})")
        print(f"ratio {ours[1] / theirs[1]:.2f} in processor time")
        calls = [time.perf_counter()]
        try:
            ex.read_table(path, progress=lambda done, total: calls.append(time.perf_counter()))
        except TypeError:
            print("no progress")
            return
        gaps = np.diff(calls)
        print(f"progress: {len(gaps)} calls, the first after {gaps[0]:.3f} s, longest silence {gaps.max():.2f} s")


def main() -> None:
    """Print both tables."""
    ex.read_table(b"a,b\n1,2\n")
    for name, make in BOMBS.items():
        print(f"{name:28} {in_own_process(name[2:], make())}", flush=True)
    compare_with_pandas()


if __name__ == "__main__":
    main()
