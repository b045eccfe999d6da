"""Damage to the bytes of a file: what an editor, a bad download or an attacker does to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

TOKENS: Sequence[bytes] = (
    b"\x00",
    b"\r",
    b"\n",
    b"\r\n",
    b'"',
    b"'",
    b",",
    b";",
    b"\t",
    b"|",
    b"#",
    b"sep=;\n",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\\N",
    b"\xe2\x80\xae",
    b"\xe2\x80\x8b",
    b"\xed\xa0\x80",
    b"1e999",
    b"-1e-320",
    b"9" * 400,
    b"=1+1",
    b"NA",
    b"{",
    b"]",
    b"@data\n",
    b'<row r="1000000000">',
    b'<c r="XFD1048576"><v>1</v></c>',
    b"]]>",
    b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
    b"&b;",
    b"\x1f\x8b",
    b"PK\x03\x04",
    b"PAR1",
    b"ARROW1",
    b"x" * 5000,
    b"," * 3000,
    b"\n" * 3000,
    b"\xff" * 8,
)
Mutation = Callable[[np.random.Generator, bytes], bytes]


def _position(rng: np.random.Generator, content: bytes) -> int:
    return int(rng.integers(0, len(content) + 1))


def _slice(rng: np.random.Generator, content: bytes) -> tuple[int, int]:
    start = _position(rng, content)
    return start, min(len(content), start + int(2.0 ** rng.uniform(0, 9)))


def _insert(rng: np.random.Generator, content: bytes) -> bytes:
    at = _position(rng, content)
    return content[:at] + TOKENS[int(rng.integers(0, len(TOKENS)))] + content[at:]


def _flip(rng: np.random.Generator, content: bytes) -> bytes:
    changed = bytearray(content)
    for at in rng.integers(0, max(len(content), 1), int(rng.integers(1, 9)) if content else 0):
        changed[int(at)] = int(rng.integers(0, 256))
    return bytes(changed)


def _delete(rng: np.random.Generator, content: bytes) -> bytes:
    start, end = _slice(rng, content)
    return content[:start] + content[end:]


def _repeat(rng: np.random.Generator, content: bytes) -> bytes:
    start, end = _slice(rng, content)
    return content[:end] + content[start:end] * int(rng.integers(1, 40)) + content[end:]


def _zeros(rng: np.random.Generator, content: bytes) -> bytes:
    start, end = _slice(rng, content)
    return content[:start] + bytes(end - start) + content[end:]


def _cut(rng: np.random.Generator, content: bytes) -> bytes:
    return content[: _position(rng, content)]


def _number(rng: np.random.Generator, content: bytes) -> bytes:
    """Four bytes become a large or a negative number, as lengths and offsets of binary formats are."""
    at = _position(rng, content)
    number = int(rng.choice([0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 0x80000000, 1 << 20]))
    return content[:at] + number.to_bytes(4, "little") + content[at + 4 :]


def _swap_lines(rng: np.random.Generator, content: bytes) -> bytes:
    lines = content.split(b"\n")
    first, second = rng.integers(0, len(lines), 2)
    lines[int(first)], lines[int(second)] = lines[int(second)], lines[int(first)]
    return b"\n".join(lines)


def _other_line_ends(rng: np.random.Generator, content: bytes) -> bytes:
    return content.replace(b"\n", (b"\r", b"\r\n", b"\n\n", b"\n\r")[int(rng.integers(0, 4))])


_OF_TEXT: Sequence[Mutation] = (
    _insert,
    _insert,
    _insert,
    _flip,
    _delete,
    _repeat,
    _cut,
    _zeros,
    _swap_lines,
    _other_line_ends,
)
_OF_BYTES: Sequence[Mutation] = (_flip, _flip, _number, _number, _insert, _delete, _repeat, _cut, _zeros)


def mutated_text(rng: np.random.Generator, content: bytes) -> bytes:
    """The text after up to three mutations."""
    return _mutated(rng, content, _OF_TEXT)


def mutated_bytes(rng: np.random.Generator, content: bytes) -> bytes:
    """The bytes of a binary format after up to three mutations."""
    return _mutated(rng, content, _OF_BYTES)


def _mutated(rng: np.random.Generator, content: bytes, mutations: Sequence[Mutation]) -> bytes:
    for _ in range(int(rng.integers(1, 4))):
        content = mutations[int(rng.integers(0, len(mutations)))](rng, content)
    return content


class Damage:
    """Damages a file once: its content before it is packed, or all its bytes; nearly half of the files stay whole."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._place = str(rng.choice(["none", "content", "file"], p=[0.45, 0.4, 0.15]))

    def __call__(self, content: bytes, mutate: Mutation, is_main: bool = True) -> bytes:
        """The content of a file, or of one that is packed in it; `is_main` is the one with the cells."""
        if self._place != "content" or self._rng.random() > (0.9 if is_main else 0.1):
            return content
        return mutate(self._rng, content)

    def to_file(self, content: bytes) -> bytes:
        """The bytes of the whole file."""
        return mutated_bytes(self._rng, content) if self._place == "file" else content
