"""Read, encode, split and grow a large CSV as the app does after an upload, and print times and memory as ratios.

The table has 20 columns of which the last is the target; 1,000,000 rows make 109 MB. A process of its own reads it with
`pandas.read_csv` and then, as the server, with the functions that the pages call. Times are divided by that of
`read_csv`, memory above the idle process by the size of the file.

Run `python -m tests.benchmarks.large_upload [--rows N] [--json FILE]`.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

ROWS, COLUMNS = 1_000_000, 20
MOST_TIME, MOST_MEMORY = 8.0, 8.0
"""Times of `pandas.read_csv` that the first tree may take; sizes of the file that the server may grow by."""


def write_table(file: Path, rows: int, seed: int = 0) -> None:
    """Nineteen numbers of two decimals, and two classes that depend on some of them."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(rows, COLUMNS - 1)).round(2)
    noisy = numbers[:, 0] + 0.8 * numbers[:, 1] * numbers[:, 2] + np.sin(2 * numbers[:, 3]) + rng.normal(size=rows)
    frame = pd.DataFrame(numbers, columns=[f"x{i}" for i in range(COLUMNS - 1)])
    frame.assign(target=np.where(noisy > 0, "yes", "no")).to_csv(file, index=False)


class Memory:
    """The resident memory of this process in bytes, and its peak while the block runs, looked at every 5 ms."""

    def __init__(self) -> None:
        self.before = self.peak = self.now()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Memory":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    @staticmethod
    def now() -> int:
        """The resident memory now."""
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4096

    def _watch(self) -> None:
        while not self._end.wait(0.005):
            self.peak = max(self.peak, self.now())


def timed(steps: dict[str, float], name: str, step: Callable[[], object]) -> object:
    """Run a step and note its seconds."""
    start = time.perf_counter()
    result = step()
    steps[name] = time.perf_counter() - start
    return result


def grow_first_tree(file: Path) -> dict[str, object]:
    """What the server does with an upload until its first tree is there; run in a process of its own."""
    import explorer as ex
    from pages.results import trees

    ex.warm_up()
    content = file.read_bytes()
    steps: dict[str, float] = {}
    with Memory() as memory:
        memory.before -= len(content)  # the upload is part of what the server needs
        start = time.perf_counter()
        timed(steps, "hash", lambda: hashlib.sha256(content).hexdigest())
        table = timed(steps, "read", lambda: ex.read_table(content, name=file.name))
        data = timed(steps, "encode", lambda: ex.Dataset.from_frame(table.frame, table.frame.columns[-1]))
        timed(steps, "notes", lambda: data.notes)
        timed(steps, "fingerprint", lambda: data.fingerprint)
        train, _ = timed(steps, "split", lambda: data.split(0.7, seed=0))
        timed(steps, "fingerprint of the training set", lambda: train.fingerprint)
        recipe = trees.first_recipe(train.weight_of_rows())
        tree = timed(steps, "grow", lambda: ex.grow(train, recipe))
        steps["in all"] = time.perf_counter() - start
    return {"steps": steps, "bytes": memory.peak - memory.before, "leaves": tree.n_leaves}


def read_with_pandas(file: Path) -> dict[str, object]:
    """The same file by pandas alone; run in a process of its own."""
    pd.read_csv(file, nrows=1000)
    with Memory() as memory:
        start = time.perf_counter()
        frame = pd.read_csv(file)
        seconds = time.perf_counter() - start
    assert len(frame.columns) == COLUMNS
    return {"seconds": seconds, "bytes": memory.peak - memory.before}


def in_own_process(what: str, file: Path) -> dict[str, object]:
    """The figures of one of the two functions above."""
    command = [sys.executable, "-m", "tests.benchmarks.large_upload", what, str(file)]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return json.loads(lines[-1])


def main() -> int:
    """Measure and print; the exit code is 1 where a table of the usual size passes a limit."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.large_upload", description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.csv"
        write_table(file, options.rows)
        size = file.stat().st_size
        peer = in_own_process("--pandas", file)
        ours = in_own_process("--ours", file)
    seconds, steps = peer["seconds"], ours["steps"]
    print(f"{options.rows:,} rows × {COLUMNS} columns, {size / 1e6:.0f} MB; pandas.read_csv: {seconds:.2f} s")
    for name, taken in steps.items():
        print(f"  {name:<34} {taken:>7.2f} s {taken / seconds:>6.2f}×")
    time_ratio, memory_ratio = steps["in all"] / seconds, ours["bytes"] / size
    print(f"first tree ({ours['leaves']} leaves): {time_ratio:.2f}× pandas.read_csv (at most {MOST_TIME:g}×)")
    print(f"peak memory: {ours['bytes'] / 1e6:.0f} MB = {memory_ratio:.2f}× the file (at most {MOST_MEMORY:g}×)")
    if options.json is not None:
        options.json.write_text(json.dumps({"size": size, "peer": peer, "ours": ours}, indent=1), "utf-8")
    return int(options.rows == ROWS and (time_ratio > MOST_TIME or memory_ratio > MOST_MEMORY))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--pandas"]:
        print(json.dumps(read_with_pandas(Path(sys.argv[2]))))
    elif sys.argv[1:2] == ["--ours"]:
        print(json.dumps(grow_first_tree(Path(sys.argv[2]))))
    else:
        sys.exit(main())
