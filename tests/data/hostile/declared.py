"""Hostile files of C4.5, Orange and libsvm."""

from tests.data.hostile.case import SMALL, Case
from tests.data.hostile.containers import zipped

NAMES = b"good, bad.\nsize: small, big.\nheat: continuous.\n"


def c45(name: str, names: bytes, data: bytes, **expected: object) -> Case:
    return Case(name, lambda: zipped({"t.names": names, "t.data": data}), **expected)  # type: ignore[arg-type]


C45 = [
    c45("plain.c45.zip", NAMES, b"small, 1, good.\nbig, ?, bad", shape=(2, 3), cell=(1, "heat", None)),
    c45("no_rows.c45.zip", NAMES, b"| nothing\n", said="no rows"),
    c45("level.c45.zip", NAMES, b"huge, 1, good\n", said="has 'huge' in column 'size'"),
    c45("width.c45.zip", NAMES, b"small, 1\n", said="has 2 cells, but 3 columns"),
    c45("backslash.c45.zip", NAMES + b"end\\", b"small, 1, good\n", said="Line 4 of the .names file"),
    c45("colon.c45.zip", NAMES + b": : :", b"small, 1, good\n", said="Line 4 of the .names file"),
    c45("points.c45.zip", NAMES + b"." * 10**6, b"small, 1, good\n", said="Line 4 of the .names file"),
    c45("bars.c45.zip", NAMES + b"|" * 10**6, b"small, 1, good\n", shape=(1, 3), cell=(0, "class", "good")),
    c45("blanks.c45.zip", NAMES + b" " * 10**6 + b"x", b"small, 1, good\n", said="Line 4 of the .names file"),
    c45("slashes.c45.zip", NAMES, b"\\" * 10**6 + b",1,good\n", said="is not one of its levels"),
    c45("columns.c45.zip", b"a, b.\n" + b"x: continuous.\n" * 30_000, b"1\n", said="20,000 columns", budget=SMALL),
    c45("rows.c45.zip", NAMES, b"big,1,bad\n" * 200_000, said="100,000 rows", budget=SMALL),
    c45("formula.c45.zip", NAMES + b"z := " + b"(" * 10**6 + b".\n", b"big,1,bad\n", shape=(1, 3), cell=(0, "heat", 1)),
    c45("only_class.c45.zip", b"y.\ny: a, b.\nx: ignore.\n", b"a,1\n", said="none that a tree can use"),
    c45("zeros.c45.zip", NAMES, bytes(100), said="zero bytes"),
    c45("code.c45.zip", b"__import__('os').\nx: continuous.\n", b"1,a\n", said="is not one of its levels"),
    Case("alone.names", NAMES, said="load it together with its .data file"),
]

ORANGE = [
    Case("plain.tab", b"x\ty\nc\td\n\tclass\n1\ta\n?\tb\n", (2, 2), (1, "x", None), noted="Orange"),
    Case("prefix.tab", b"C#x\tcD#y\n1\ta\n", (1, 2), (0, "x", 1)),
    Case("no_rows.tab", b"x\ty\nc\td\n\tclass\n", said="no rows"),
    Case("text.tab", b"x\ty\nc\td\n\tclass\n1,5\ta\n", said="Line 4 of 'text.tab' has '1,5' in the numeric column 'x'"),
    Case("wide.tab", b"x\ty\nc\td\n\tclass\n1\ta\tb\n", said="Line 4 of 'wide.tab' has 3 cells, but 2 columns"),
    Case("ignored.tab", b"x\ty\nc\td\ni\ti\n1\ta\n", said="ignores all of its columns"),
    Case("quote.tab", b'x\ty\nc\td\n\t\n1\t"a\n' + b"z" * 200_000, said="cannot be cut into cells"),
    Case(
        "levels.tab", b"x\ty\nc\ta b\n\tclass\n1\t" + b"9" * 5000 + b"\n2\ta\n", (2, 2), (0, "y", None), noted="none of"
    ),
    Case("digits.tab", b"x\ty\nc\td\n\tclass\n1\t" + b"9" * 5000 + b"\n2\t8\n", (2, 2), (1, "y", "8")),
    Case("columns.tab", b"\t".join([b"C#x"] * 30_000) + b"\n1\n", said="20,000 columns", budget=SMALL),
    Case("rows.tab", b"C#x\tD#y\n" + b"1\ta\n" * 200_000, said="100,000 rows", budget=SMALL),
    Case("attribute.tab", b"x\ty\nc\td\na=__import__('os')\tclass\n1\ta\n", (1, 2), (0, "x", 1)),
    Case("year.tab", b"T#x\tD#y\n99999-01-01\ta\n", (1, 2), (0, "x", "99999-01-01")),
]

LIBSVM = [
    Case("plain.svm", b"1 1:2 3:4\n-1 2:nan\n", (2, 4), (1, "x2", None)),
    Case("far.svm", b"1 999999999:1\n", said="more than 100,000 columns"),
    Case("cells.svm", b"1 19000:1\n" * 200, said="2,000,000 cells", budget=SMALL),
    Case("rows.svm", b"1 1:1\n" * 200_000, said="100,000 rows", budget=SMALL),
    Case("long.svm", b"1" + b" 1:1" * 10**6 + b"\n", said="columns"),
    Case("order.svm", b"1 1:2\n1 2:1 1:1\n1 3:3\n", said="Line 2 of 'order.svm' is no row of libsvm"),
    Case("digits.svm", b"1 1:2\n1 " + b"9" * 5000 + b":1\n1 1:2\n", said="Line 2 of 'digits.svm' is no row of libsvm"),
    Case("label.svm", b"1e400 1:2\n2 1:3\n", (2, 2), (1, "label", 2)),
    Case("group.svm", b"1 qid:1 1:2\n1 qid:x 1:1\n1 1:2\n", said="Line 2 of 'group.svm' is no row of libsvm"),
    Case("large_group.svm", f"1 qid:{10**30} 1:2\n1 1:2\n".encode(), said="Line 1 of 'large_group.svm'"),
]

CASES = [*C45, *ORANGE, *LIBSVM]
