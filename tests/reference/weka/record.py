"""Record J48's trees on nominal tables without missing cells in `tests/reference/golden/j48.json`.

Run `python -m tests.reference.weka.record weka.jar` (Debian: package weka, /usr/share/java/weka.jar, with Java).
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd

import explorer as ex

GOLDEN = Path(__file__).parents[1] / "golden" / "j48.json"
OPTIONS = ("-U -M 1", "-C 0.25 -S -M 1", "-C 0.25 -M 1")
TARGETS = {"car": "class", "credit_g": "class", "vote": "party"}


def nominal_complete(name: str) -> pd.DataFrame:
    """The columns of words of a built-in table, the target last, and its rows without a missing cell."""
    frame, target = ex.load_sample(name).frame, TARGETS[name]
    words = [c for c in frame.columns if c != target and not pd.api.types.is_numeric_dtype(frame[c])]
    return frame[[*words, target]].dropna().astype(str).reset_index(drop=True)


def arff(frame: pd.DataFrame) -> str:
    """The table in Weka's format: attributes a0, a1, …, values v0, v1, … in the order of first appearance."""
    codes = frame.apply(lambda column: pd.factorize(column)[0])
    levels = [", ".join(f"v{i}" for i in range(int(column.max()) + 1)) for _, column in codes.items()]
    head = [f"@attribute a{i} {{{values}}}" for i, values in enumerate(levels)]
    rows = [",".join(f"v{code}" for code in row) for row in codes.to_numpy()]
    return "\n".join(["@relation table", *head, "@data", *rows, ""])


def main() -> None:
    """Run J48 on every table with every set of options."""
    recorded: dict[str, object] = {
        "command": "java -cp weka.jar weka.classifiers.trees.J48 -t TABLE.arff -no-cv OPTIONS"
    }
    jar = sys.argv[1]
    version = subprocess.run(["java", "-cp", jar, "weka.core.Version"], capture_output=True, text=True, check=True)
    recorded["version"] = version.stdout.splitlines()[0]
    for name in TARGETS:
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "table.arff"
            table.write_text(arff(nominal_complete(name)), "utf-8")
            recorded[name] = {options: run(jar, table, options) for options in OPTIONS}
    GOLDEN.write_text(json.dumps(recorded, indent=1), "utf-8")


def run(jar: str, table: Path, options: str) -> list[str]:
    """The lines of the printed tree."""
    command = ["java", "-cp", jar, "weka.classifiers.trees.J48", "-t", str(table), "-no-cv", *options.split()]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return text.split("------------------\n", 1)[1].split("Number of Leaves")[0].strip().splitlines()


if __name__ == "__main__":
    main()
