"""A file read by another process: how it is started, watched, stopped, and what it hands over."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from explorer.data.formats.apart.process import TOO_LARGE, WRONG_FILE
from explorer.data.reading import Reading
from explorer.data.source import BLOCK_BYTES, Source
from explorer.errors import InputError
from explorer.messages import message

PROGRAM = Path(__file__).with_name("process.py")
SECONDS = 300
"""The processor time that a file may take."""
_POLL = 0.2
_PROGRAM_BYTES = 2 << 30
"""The addresses that Python, numpy and Arrow take without any table."""


def refuse_without(package: str, program: str, reading: Reading) -> None:
    """Raise `InputError` where the package that reads a program's files is missing."""
    if find_spec(package) is None:
        raise InputError(
            message(
                "'{file}' is a file of {program}, which needs the package {package}: run '{command}', or save the "
                "table as CSV.",
                file=reading.name,
                program=program,
                package=package,
                command=f"pip install {package}",
            )
        )


def read_apart(
    source: Source, reading: Reading, program: str, asked: dict[str, Any]
) -> tuple[pa.Table, dict[str, Any]]:
    """The table that another process reads, and what it says of it; `InputError` for a damaged file.

    `program` is whose file it is, in words; `asked` names the reader and what it is to read.
    """
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors, _file(source, reading) as file:
        command = [sys.executable, "-P", str(PROGRAM), json.dumps(asked | _limits(reading))]
        with subprocess.Popen(command, stdin=file, stdout=output, stderr=errors) as process:
            try:
                _wait(process, reading)
            finally:
                process.kill()
        if process.returncode == TOO_LARGE:
            reading.budget.check(reading.name, unpacked=reading.budget.bytes + 1)
        errors.seek(0)
        words = errors.read(1 << 10).decode("utf-8", "replace") if process.returncode == WRONG_FILE else ""
        output.seek(0)
        try:
            if process.returncode:
                raise ValueError(words or message("its reader stopped"))
            with pa.ipc.open_stream(output) as stream:
                table = stream.read_all()
        except (ValueError, pa.ArrowException) as error:
            raise InputError(
                message(
                    "'{file}' is a damaged file of {program} ({error}): save it again, or as CSV.",
                    file=reading.name,
                    program=program,
                    error=error,
                )
            ) from error
    facts = json.loads((table.schema.metadata or {}).get(b"facts", b"{}"))
    return table.replace_schema_metadata(), facts


def _limits(reading: Reading) -> dict[str, int]:
    budget = reading.budget
    extent = {name: getattr(budget, name) for name in ("rows", "columns", "cells", "bytes")}
    return extent | {"seconds": SECONDS, "memory": 4 * budget.bytes + _PROGRAM_BYTES}


def _file(source: Source, reading: Reading) -> IO[bytes]:
    """The file itself, or a private one without a name that holds its bytes."""
    if source.path is not None:
        reading.budget.check(reading.name, unpacked=source.size or 0)
        return source.path.open("rb")
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    with reading.stage(0, 0.3), reading.open(source) as packed:
        while block := packed.read(BLOCK_BYTES):
            file.write(block)
    file.flush()
    file.seek(0)
    return file


def _wait(process: subprocess.Popen[bytes], reading: Reading) -> None:
    """Wait until the process ends, or the reader stops it."""
    for _ in range(int(2 * SECONDS / _POLL)):
        reading.at(0.5)
        try:
            process.wait(_POLL)
        except subprocess.TimeoutExpired:
            continue
        return
