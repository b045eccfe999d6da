"""How the file is read: which sheet or table of it, which line holds the column names, and the signs of a text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

import explorer as ex
from explorer.data.reading import AS_FOUND, DECIMALS, THOUSANDS, ReadingOptions
from explorer.data.text.form import DELIMITERS, NO_DELIMITER
from explorer.data.text.recut import cuts_from, marked
from explorer.messages import WordedTable, message
from explorer.values import MISSING_MARKERS
from pages.settings.session import Upload
from pages.settings.settings import LARGEST_LINE
from pages.uploads import opening
from pages.widgets import page_frame
from pages.widgets.controls import feed

_WITHOUT_HEADER = (
    *(".parquet", ".feather", ".arrow", ".json", ".jsonl", ".ndjson", ".arff"),
    *(".sqlite", ".sqlite3", ".db", ".duckdb", ".sav", ".zsav", ".dta", ".sas7bdat", ".xpt", ".rds", ".rdata", ".rda"),
)
"""Files of these names say themselves what their columns are called."""
_SHEET, _LINE, _IS_ROW, _MISSING, _ABOUT = "file.sheet", "file.header", "file.is_row", "file.missing", "file.about"
_CUTS, _ALL = "file.cuts", "\0all"
_ENCODINGS = (
    *("utf-8", "utf-16", "cp1252", "latin-1", "cp1250", "cp1251", "cp1253", "cp1254", "cp437", "cp850", "mac-roman"),
    *("gb18030", "big5", "shift-jis", "euc-kr"),
)
_SIGNS = DELIMITERS | WordedTable(
    {
        " ": lambda: message("spaces"),
        "'": lambda: message("apostrophes"),
        ".": lambda: message("points"),
        "": lambda: message("none"),
        NO_DELIMITER: lambda: message("none"),
    }
)
_OF_TEXT: dict[str, tuple[Callable[[], str], tuple[str, ...]]] = {
    "separator": (lambda: message("Between cells"), (*DELIMITERS, " ")),
    "decimal": (lambda: message("Decimal sign"), DECIMALS),
    "thousands": (lambda: message("Between thousands"), THOUSANDS),
    "encoding": (lambda: message("Encoding"), _ENCODINGS),
}
"""What is chosen of a text: its label, and the signs to choose from."""
_FOUND = "found"
"""The choice of what is found; Streamlit takes None for no choice at all."""
_PREVIEW_BYTES, _PREVIEW_ROWS = 1 << 16, 4


def show(own: Upload) -> None:
    """The choice of a sheet where there are several, and of what else can be set by hand."""
    with st.container(key="how_read"):
        if len(own.table.sheets) > 1:
            st.selectbox(
                message("Sheet or table"),
                (*own.table.sheets, _ALL),
                key=feed(_SHEET, _ALL if own.reading.stacked else own.table.sheet),
                format_func=lambda sheet: message("All with the same columns") if sheet == _ALL else sheet,
                on_change=_sheet_chosen,
                args=(own,),
            )
        if own.table.read_as is not None or not own.name.lower().endswith(_WITHOUT_HEADER):
            with st.popover(message("Reading options"), key="header_line"):
                _set_by_hand(own)


@st.fragment
def _set_by_hand(own: Upload) -> None:
    """Header line, signs and missing marks, and the first rows as they would be read."""
    if st.session_state.get(_ABOUT) != own.key or _LINE not in st.session_state:
        _begin_with(own)
    for key in (_LINE, _IS_ROW, _MISSING, _CUTS, *(f"file.{name}" for name in _OF_TEXT)):
        feed(key, st.session_state[key])  # a popover shows only what the last run wrote, and may open after many
    names_columns = _names_its_columns(own)
    if not names_columns:
        _header_line()
    if own.table.read_as is not None:
        _signs(own.table.read_as)
    is_possible = _preview(own)
    if not names_columns:
        _missing_marks(own)
    if st.button(message("Read again"), key="file.again", disabled=not is_possible):
        line, options = _chosen(own)
        opening.read_again(own, own.sheet, line, options)
        st.rerun()
    is_set = own.header_line or own.reading != AS_FOUND
    if is_set and st.button(message("Find it automatically"), key="file.found"):
        opening.read_again(own, own.sheet)
        st.rerun()


def _names_its_columns(own: Upload) -> bool:
    """Whether the file says itself what its columns are called."""
    found = own.table.read_as
    return own.name.lower().endswith(_WITHOUT_HEADER) if found is None else found.separator is None


def _header_line() -> None:
    is_row = st.checkbox(message("The file has no line of column names"), key=_IS_ROW)
    st.number_input(
        message("Line of the first row") if is_row else message("Line of the file that holds the column names"),
        1,
        LARGEST_LINE,
        key=_LINE,
        help=message("Lines above it are skipped."),
    )


def _signs(found: ReadingOptions) -> None:
    """The signs of a text; of one that declares its columns, the encoding alone."""
    with st.container(key="file_signs", horizontal=True):
        for name, (label, signs) in _OF_TEXT.items():
            if getattr(found, name) is not None:
                sign = getattr(found, name).replace("_", "-")
                st.selectbox(
                    label(),
                    [_FOUND, *dict.fromkeys((*signs, sign))],
                    key=f"file.{name}",
                    format_func=partial(_sign_text, name, sign),
                )
    if found.separator is not None:
        st.text_input(
            message("Cut each line after these signs"),
            key=_CUTS,
            placeholder=", ".join(map(str, found.cuts or (4, 11))),
            help=message("For columns of fixed width. The numbers count the signs of a line from its begin."),
        )


def _missing_marks(own: Upload) -> None:
    st.multiselect(
        message("Marks that mean a missing cell"),
        sorted(MISSING_MARKERS - {""} | set(own.reading.missing or ())),
        key=_MISSING,
        accept_new_options=True,
        help=message(
            "A mark that is left out becomes a category of columns of text. An empty cell is always missing, and in "
            "columns of numbers the usual marks are."
        ),
    )


def _begin_with(own: Upload) -> None:
    """Show what is in force."""
    marks = MISSING_MARKERS - {""} if own.reading.missing is None else own.reading.missing
    st.session_state[_ABOUT], st.session_state[_LINE] = own.key, own.table.header_line
    st.session_state[_IS_ROW], st.session_state[_MISSING] = not own.reading.has_header, sorted(marks)
    st.session_state[_CUTS] = ", ".join(map(str, own.reading.cuts or ()))
    for name in _OF_TEXT:
        sign = getattr(own.reading, name)
        st.session_state[f"file.{name}"] = _FOUND if sign is None else sign


def _sign_text(name: str, found: str, sign: str) -> str:
    """What a choice is called: the sign that is found, or one by its name."""
    if sign == _FOUND:
        return message("{sign} (found)", sign=_sign_text(name, found, found))
    return sign if name == "encoding" else _SIGNS.get(sign, repr(sign))


def _chosen(own: Upload) -> tuple[int, ReadingOptions]:
    """The header line (0: found) and the options as the widgets have them; InputError for what contradicts itself."""
    line = st.session_state[_LINE]
    if line == own.table.header_line:
        line = own.header_line
    marks = tuple(sorted(st.session_state[_MISSING]))
    missing = None if set(marks) == MISSING_MARKERS - {""} else marks
    chosen = {name: st.session_state.get(f"file.{name}", _FOUND) for name in _OF_TEXT}
    of_text = {name: sign for name, sign in chosen.items() if sign != _FOUND}
    cuts = cuts_from(st.session_state[_CUTS]) or None
    return line, ReadingOptions(**of_text, has_header=not st.session_state[_IS_ROW], missing=missing, cuts=cuts,
                                 stacked=own.reading.stacked)  # fmt: skip


def _preview(own: Upload) -> bool:
    """The first rows as they would be read, where that differs from now; whether they can be."""
    try:
        line, options = _chosen(own)
        is_other = (line, options) != (own.header_line, own.reading)
        found = own.table.read_as
        cuts = options.cuts or (found.cuts if found else None)
        head = opening.first_lines(own, _PREVIEW_BYTES) if is_other or cuts else None
        if head is not None and cuts and found:
            lines = head.decode(str(options.encoding or found.encoding), "replace").splitlines()[:_PREVIEW_ROWS]
            st.code(marked(lines, cuts), language=None)
        if head is not None and is_other:
            table = ex.read_table(head, own.name, header_line=line or None, **options.given)
            st.dataframe(table.frame.head(_PREVIEW_ROWS), hide_index=True)
    except ex.InputError as error:
        page_frame.show_notice("error", str(error))
        return False
    return True


def _sheet_chosen(own: Upload) -> None:
    sheet = st.session_state[_SHEET]
    options = ReadingOptions(missing=own.reading.missing, stacked=sheet == _ALL)
    opening.read_again(own, "" if sheet == _ALL else sheet, options=options)
