"""The encoding of a text, found from its bytes without keeping them."""

from __future__ import annotations

import codecs
import io
import itertools
import re
from typing import TextIO, cast

from charset_normalizer import from_bytes

from explorer.data.reading import Reading, ReadingOptions
from explorer.data.source import BLOCK_BYTES, Source, read_fully
from explorer.data.text.recut import RecutText
from explorer.errors import InputError
from explorer.messages import Words, message, worded

_BYTE_ORDER_MARKS: tuple[tuple[bytes, str, Words], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig", lambda: message("UTF-8 with a byte order mark")),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_LABELS = {"gb18030": "GB18030", "cp1252": "Windows-1252", "latin_1": "Latin-1"}
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1e\x7f]")
_NON_ASCII_LINE = re.compile(rb"[^\n]*[\x80-\xff][^\n]*\n?")
_ESCAPED = re.compile(r'\\([\\"])')
_FEW = 1000
"""One control sign in this many bytes is a slip; more are no text."""


def open_text(source: Source, encoding: str, reading: Reading) -> TextIO:
    """Open a text at its first sign, line ends as written; reading it reports progress."""
    text = io.TextIOWrapper(reading.open(source), encoding, newline="")
    if reading.recut is not None:
        return cast(TextIO, RecutText(text, reading.recut))
    return cast(TextIO, _Unescaped(text)) if reading.escapes_quotes else text


class _Unescaped(io.TextIOBase):
    """A text in which quotation marks after a backslash are doubled instead."""

    def __init__(self, text: TextIO) -> None:
        self._text = text

    def read(self, size: int | None = -1, /) -> str:
        """Read on; a backslash at the end of a part is read with what follows it."""
        part = self._text.read(-1 if size is None else size)
        while part.endswith("\\") and (more := self._text.read(1)):
            part += more
        return _doubled(part)

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """Read a line."""
        return _doubled(self._text.readline())

    def close(self) -> None:
        """Close the text beneath too."""
        self._text.close()
        super().close()


def _doubled(text: str) -> str:
    return _ESCAPED.sub(lambda match: '""' if match.group(1) == '"' else match.group(), text) if "\\" in text else text


def encoding_of(source: Source, reading: Reading) -> tuple[str, Words]:
    """Return Python's name of the encoding, and how to call it before a reader.

    One set by hand is taken. Else a byte order mark decides; then UTF-16 without a mark; then plain UTF-8; then
    GB18030 against Latin-1. `reading.read_as` notes it.
    Raises `InputError` where the bytes are no text, naming line and byte where one of them is wrong.
    """
    encoding, label = _encoding_of(source, reading)
    reading.read_as = ReadingOptions(encoding=encoding)
    return encoding, label


def _encoding_of(source: Source, reading: Reading) -> tuple[str, Words]:
    if reading.options.encoding is not None:
        return _wanted_encoding(source, reading.options.encoding, reading)
    for mark, encoding, label in _BYTE_ORDER_MARKS:
        if source.head.startswith(mark):
            _check_decodes(source, encoding, label, reading)
            return encoding, label
    utf16 = _utf16_without_mark(source.head[:4096])
    if utf16:
        label = _unmarked_utf16
        _check_decodes(source, utf16, "UTF-16", reading)
        return utf16, label
    _refuse_control(source, reading.name)
    if _is_utf8(source, reading):
        return "utf-8", "UTF-8"
    encoding = _legacy_encoding(reading.content(source), reading.name)
    return encoding, _LABELS[encoding]


def _wanted_encoding(source: Source, wanted: str, reading: Reading) -> tuple[str, Words]:
    """The encoding that is set by hand; `InputError` where a byte does not fit it."""
    encoding = "utf-8-sig" if codecs.lookup(wanted).name == "utf-8" else wanted
    try:
        with open_text(source, encoding, reading) as text:
            while text.read(BLOCK_BYTES):
                pass
    except UnicodeError as error:
        raise InputError(
            message(
                "'{file}' cannot be read as {encoding} ({error}): choose another encoding.",
                file=reading.name,
                encoding=wanted,
                error=error,
            )
        ) from error
    return encoding, wanted


def _unmarked_utf16() -> str:
    return message("UTF-16 without a byte order mark")


def no_text(name: str) -> InputError:
    """The error for bytes that are no text."""
    return InputError(
        message(
            "'{file}' is not a text file: load a table as text, Excel, OpenDocument, Parquet, Feather, JSON, ARFF, "
            "SQLite, DuckDB, dBase, SPSS, Stata, SAS or R.",
            file=name,
        )
    )


def _check_decodes(source: Source, encoding: str, label: Words, reading: Reading) -> None:
    """Raise `InputError` where a text is not what its first bytes promise."""
    text = open_text(source, encoding, reading)
    try:
        with text:
            while text.read(BLOCK_BYTES):
                pass
    except UnicodeError as error:
        raise InputError(
            message(
                "'{file}' starts like {encoding} but is damaged ({error}): save it again as UTF-8.",
                file=reading.name,
                encoding=worded(label),
                error=error,
            )
        ) from error


def _utf16_without_mark(head: bytes) -> str:
    """Return the byte order of UTF-16 text, or "": its ASCII signs have their zero bytes all on one side."""
    head = head[: len(head) // 2 * 2]
    first, second = head[0::2].count(0), head[1::2].count(0)
    for encoding, zeros, others in (("utf-16-le", second, first), ("utf-16-be", first, second)):
        if zeros > len(head) / 40 and not others:
            text = head.decode(encoding, "ignore")
            return encoding if "\n" in text or "\r" in text else ""
    return ""


def _refuse_control(source: Source, name: str) -> None:
    """Raise `InputError` for control signs in the head: a stray one by its place, many as no text."""
    found = _CONTROL.search(source.head)
    if found is None:
        return
    count = len(_CONTROL.findall(source.head))
    if count > max(1, len(source.head) // _FEW):
        if not source.head.strip(b"\x00"):
            raise InputError(message("'{file}' holds nothing but zero bytes: copy or download it again.", file=name))
        raise no_text(name)
    raise _stray_byte(source, found.start(), found.group()[0], name)


def _stray_byte(source: Source, offset: int, byte: int, name: str) -> InputError:
    """The error for one byte that no text holds."""
    return InputError(
        message(
            "Line {line} of '{file}' has a control character (0x{byte:02x}, byte {position:,} of the file): remove it.",
            line=line_at(source, offset),
            file=name,
            position=offset + 1,
            byte=byte,
        )
    )


def line_at(source: Source, offset: int) -> int:
    """Return the number of the line in which a byte lies."""
    with source.open() as stream:
        before = read_fully(stream, offset)
    return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")


def _is_utf8(source: Source, reading: Reading) -> bool:
    """Return whether a text is UTF-8; `InputError` for a zero byte anywhere."""
    decode = codecs.getincrementaldecoder("utf-8")().decode
    position, pending, has_spaces = 0, False, False
    with reading.open(source) as stream:
        while block := stream.read(BLOCK_BYTES):
            zero = block.find(0)
            if zero >= 0:
                raise _stray_byte(source, position + zero, 0, reading.name)
            position += len(block)
            has_spaces = has_spaces or b" " in block
            try:
                if pending or not block.isascii():
                    decode(block)
                    pending = block[-1] > 0x7F
            except UnicodeDecodeError:
                return False
    reading.has_spaces = has_spaces
    try:
        decode(b"", True)
    except UnicodeDecodeError:
        return False
    return True


def _decodes(raw: bytes, encoding: str) -> bool:
    try:
        raw.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _legacy_encoding(raw: bytes, name: str) -> str:
    """Return "gb18030", "cp1252" or "latin_1" for text that is not UTF-8."""
    lines = [match.group() for match in itertools.islice(_NON_ASCII_LINE.finditer(raw), 300)]
    sample = b"".join(line[:2000] for line in lines)
    _refuse_damaged_utf8(raw, sample, name)
    single = "latin_1" if not re.search(rb"[\x80-\x9f]", raw) else "cp1252"
    possible = [encoding for encoding in ("gb18030", single) if _decodes(raw, encoding)]
    if not possible:
        raise InputError(message("'{file}' is in an encoding that was not recognised: save it as UTF-8.", file=name))
    if len(possible) == 1:
        return possible[0]
    best = from_bytes(sample, cp_isolation=["gb18030", "cp1252", "latin_1"]).best()
    return "gb18030" if best is not None and best.encoding == "gb18030" else single


def _refuse_damaged_utf8(raw: bytes, sample: bytes, name: str) -> None:
    """Raise `InputError` with the line of the first bad byte where nearly all of the text is UTF-8."""
    shown = sample.decode("utf-8", "replace")
    bad = shown.count("\ufffd")
    good = sum(not sign.isascii() for sign in shown) - bad
    if good <= bad:
        return
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            message(
                "Line {line} of '{file}' has a byte (0x{byte:02x}) that is not UTF-8, as the rest of the file is: "
                "correct the line or save the file again as UTF-8.",
                line=line_at(Source.of_bytes(raw), error.start),
                file=name,
                byte=raw[error.start],
            )
        ) from error
