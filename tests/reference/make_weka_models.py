"""Print trees of Weka's J48 and REPTree, and keep the texts beside Weka's own predictions.

Run it from the top folder; continuous integration only reads the result. weka.jar is in the Python package
python-weka-wrapper3 (below python/weka/lib, beside the other archives that it needs), Java in Debian:

    python3.11 tests/reference/make_weka_models.py FOLDER-OF-THE-ARCHIVES
"""

from __future__ import annotations

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd

N, ROWS = 200, 260
LEVELS = {
    "kind": list("dbcaz"),
    "my col": ["u v", "w", "x (2)"],
    "class": ["low", "middle", "very high"],
    "two": ["no", "yes (1)"],
}
J48, REP = "weka.classifiers.trees.J48", "weka.classifiers.trees.REPTree"
CASES = {
    "J48": (J48, "class", []),
    "J48, unpruned": (J48, "class", ["-U", "-M", "1"]),
    "J48, binary": (J48, "two", ["-B", "-M", "3"]),
    "J48, two classes": (J48, "two", ["-C", "0.4"]),
    "J48, single leaf": (J48, "two", ["-M", "150"]),
    "REPTree": (REP, "class", ["-S", "3"]),
    "REPTree, two classes": (REP, "two", ["-P"]),
    "REPTree, numbers": (REP, "score", []),
    "REPTree, single leaf": (REP, "two", ["-L", "0"]),
}


def table():
    """200 rows: whole and half numbers, so that REPTree's two decimals keep every threshold, and names with gaps."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"width": (rng.normal(size=N) * 10).round() / 2, "length": (rng.normal(size=N) * 100).round()})
    frame["kind"] = rng.choice(list("dbca"), N, p=[0.4, 0.3, 0.2, 0.1])
    frame["my col"] = rng.choice(LEVELS["my col"], N)
    score = (
        frame["width"] / 3 - frame["length"].abs() / 60 + 3 * frame["kind"].isin(list("ab")) + rng.normal(size=N) / 2
    )
    frame["class"] = np.array(LEVELS["class"])[np.digitize(score, [-0.8, 1.5])]
    frame["two"] = np.array(LEVELS["two"])[(score + (frame["my col"] == "w") > 0.5).astype(int)]
    frame["score"] = score.round(3)
    for column in ("width", "kind", "my col"):
        frame.loc[rng.random(N) < 0.1, column] = None
    return frame


def rows_to_predict(frame):
    """260 rows: those of the table, more cells missing, the level that no row has, and values at thresholds."""
    rng = np.random.default_rng(5)
    rows = frame.iloc[rng.integers(0, N, ROWS)].reset_index(drop=True)
    for column in ("width", "length", "kind", "my col"):
        rows.loc[rng.random(ROWS) < 0.2, column] = None
    rows.loc[rng.random(ROWS) < 0.1, "kind"] = "z"
    return rows


def arff(frame, target, path):
    columns = ["width", "length", "kind", "my col", target]

    def cell(column, value):
        if pd.isna(value):
            return "?"
        return f"'{value}'" if column in LEVELS else repr(float(value))

    head = [
        f"@attribute '{c}' " + ("{" + ",".join(f"'{v}'" for v in LEVELS[c]) + "}" if c in LEVELS else "numeric")
        for c in columns
    ]
    lines = [",".join(cell(c, row[c]) for c in columns) for _, row in frame.iterrows()]
    path.write_text("\n".join(["@relation table", *head, "@data", *lines, ""]), "utf-8")


def case_of(java, name, scheme, target, options):
    frame = table()
    rows = rows_to_predict(frame)
    with tempfile.TemporaryDirectory() as folder:
        train, test, model, out = (pathlib.Path(folder) / each for each in ("a.arff", "b.arff", "m.model", "out.arff"))
        arff(frame, target, train)
        arff(rows, target, test)
        command = [*java, scheme, "-t", str(train), "-no-cv", "-d", str(model), *options]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        wanted = ["-classification", *(["-distribution"] if target != "score" else [])]
        add = ["weka.filters.supervised.attribute.AddClassification", "-serialized", str(model), *wanted]
        subprocess.run(
            [*java, *add, "-c", "last", "-i", str(test), "-o", str(out), "-decimal", "12"],
            check=True,
            capture_output=True,
        )
        data = out.read_text("utf-8").split("@data\n")[1].strip().splitlines()
    answers = [line[5:] for line in csv.reader(data, quotechar="'")]
    cells = {c: [None if pd.isna(v) else v for v in rows[c].tolist()] for c in ("width", "length", "kind", "my col")}
    return {"name": name, "target": target, "rows": cells, "answers": answers, "content": text}


if __name__ == "__main__":
    archives = ":".join(map(str, sorted(pathlib.Path(sys.argv[1]).glob("*.jar"))))
    java = ["java", "-cp", archives]
    version = subprocess.run([*java, "weka.core.Version"], capture_output=True, text=True, check=True).stdout.split()[0]
    cases = [case_of(java, name, *given) for name, given in CASES.items()]
    path = pathlib.Path(__file__).parent / "foreign" / f"weka-{version}.json"
    path.write_text("[" + ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases) + "]\n", "utf-8")
