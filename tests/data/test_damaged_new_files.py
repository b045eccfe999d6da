"""Small files of many formats with seeded damage: a table or an `InputError`, and nothing else comes out."""

import contextlib
import gzip

import numpy as np
import pytest

import explorer as ex
from tests.data.hostile.case import SMALL
from tests.data.hostile.containers import zipped
from tests.data.hostile.old_files import TOOLS
from tests.fuzz.mutations import mutated_bytes, mutated_text

GOLF = "good, bad.\nsize: small, big.\nheat: continuous.\nday: ignore.\n", "small,1,2,good.\nbig,?,3,bad\n" * 5
TEXTS = {
    **{f"orange/{path.name}": path.read_bytes() for path in sorted((TOOLS / "orange").glob("*.tab"))},
    "t.names": GOLF[0].encode(),
    "t.data": GOLF[1].encode(),
    "t.svm": b"# from zero-based columns\n1 qid:1 1:0.5 3:2\n-1 qid:2 2:1\n" * 4,
    "blanks.txt": (TOOLS / "r" / "blanks.txt").read_bytes(),
    "fixed.txt": (TOOLS / "r" / "fixed.txt").read_bytes() * 2,
    "nested.json": b'{"meta": 1, "at": {"rows": [\n{"a": 1, "in": {"b": 2}},\n{"a": "x", "in": {"c": [3]}}\n]}}',
}
BYTES = {path.name: path.read_bytes() for path in sorted((TOOLS / "dbf").glob("*.dbf"))}
SEEDS = range(10)


def whole(name: str, content: bytes) -> bytes:
    """The file that is read: rows and names of C4.5 go together in a zip archive."""
    if name not in ("t.names", "t.data"):
        return content
    members = {"t.names": GOLF[0].encode(), "t.data": GOLF[1].encode(), name: content}
    return zipped(members)


@pytest.mark.parametrize("name", [*TEXTS, *BYTES])
def test_damaged_files_are_read_or_refused(name):
    mutate, content = (mutated_text, TEXTS[name]) if name in TEXTS else (mutated_bytes, BYTES[name])
    assert len(ex.read_table(whole(name, content), name).frame) > 1
    for seed in SEEDS:
        damaged = whole(name, mutate(np.random.default_rng([7, seed]), content))
        for raw in (damaged, gzip.compress(damaged, 1, mtime=0)) if seed == 0 else (damaged,):
            with contextlib.suppress(ex.InputError):
                ex.read_table(raw, name.rpartition("/")[2], budget=SMALL, stacked=seed % 2 == 0)
