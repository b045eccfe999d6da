"""Trees in a process whose numba says that it is a version that is not known: its loops are compiled the public way."""

import json
import os
import subprocess
import sys

import explorer as ex
from explorer.jit import LINKS_PARTS
from tests.folders import ROOT
from tests.oracles.compiled_ahead import CASES, split

_PROGRAM = (
    "import numba; numba.__version__ = 'a version to come'; from tests.oracles import grown_publicly as trees;"
    "trees.write()"
)


def trees(cases: list[int]) -> list[dict]:
    """The trees of some of the cases, as they are saved."""
    known = [(split(name)[0], recipe) for name, recipe in (CASES[case] for case in cases)]
    return [json.loads(json.dumps(ex.grow(data, recipe).to_dict())) for data, recipe in known]


def write() -> None:
    """Write those of the cases that standard input names."""
    assert not LINKS_PARTS
    json.dump(trees(json.load(sys.stdin)), sys.stdout)


def grown_publicly(cases: list[int], folder: str) -> list[dict]:
    """The same from another process, which keeps what it compiles in a folder of its own, hardly optimised."""
    command, environment = [sys.executable, "-c", _PROGRAM], {"NUMBA_CACHE_DIR": folder, "NUMBA_OPT": "0"}
    run = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(run.stdout)
