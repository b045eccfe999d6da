"""Files given to an uploader: taken over, how far reading them is, and how long they are kept."""

from __future__ import annotations

import datetime
import time
import zoneinfo
from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from explorer.ensembles.open_model import FORMATS
from explorer.messages import listing, message, paragraph
from pages.settings import session
from pages.settings.session import Upload
from pages.text import escape_markdown
from pages.uploads import browser, opening, project_file, reading, several
from pages.uploads.limits import MEGABYTE, Limits

_EVERY = 0.4
"""Seconds between two looks at a file that is being read."""


def limits() -> Limits:
    """How much may be uploaded, and how long it is kept."""
    kept = browser.store()
    return kept.limits if kept else Limits.from_environment()


def file_uploader(
    label: str,
    types: Sequence[str] | None,
    name: str,
    on_file: Callable[[str, bytes], None],
    largest_mb: int | None = None,
    help: str | None = None,
    on_several: Callable[[list[tuple[str, bytes]]], None] | None = None,
) -> None:
    """An uploader of a file of these types, empty again after every file, so that it holds no copy of it.

    None stands for any type: of others Streamlit says "files are not allowed" alone, while our readers say why. Each
    file's name and content are given to `on_file`; `name` tells uploaders apart. Several at once are taken only with
    `on_several`.
    """
    key = f"{name}.{st.session_state.get(_round(name), 0)}"
    st.file_uploader(
        label,
        type=types,
        key=key,
        on_change=_given,
        args=(
            key,
            name,
            on_file,
            on_several,
        ),  # its own key: the browser may show this one for longer than it is the latest
        accept_multiple_files=on_several is not None,
        max_upload_size=largest_mb,
        help=help,
        disabled=session.read().view.frozen,
    )


def _given(
    key: str,
    name: str,
    on_file: Callable[[str, bytes], None],
    on_several: Callable[[list[tuple[str, bytes]]], None] | None,
) -> None:
    given, last = st.session_state[key], f"{name}.last"
    files = given if isinstance(given, list) else [given] if given is not None else []
    ids = [file.file_id for file in files]
    if not files or st.session_state.get(last) == ids:  # a busy server may be told of a file twice
        return
    st.session_state[last] = ids
    st.session_state[_round(name)] = st.session_state.get(_round(name), 0) + 1
    if len(files) > 1 and on_several is not None:
        on_several([(file.name, file.getvalue()) for file in files])
    else:
        on_file(files[0].name, files[0].getvalue())


def _round(name: str) -> str:
    """Where it is counted how many files were given."""
    return f"{name}.round"


def table_uploader(label: str, name: str, purpose: str) -> None:
    """An uploader of tables, each of which is read for this purpose; `name` tells uploaders apart.

    Several files at once are taken where a table is asked for.
    """
    file_uploader(
        label,
        None,
        name,
        partial(project_file.give, purpose),
        largest_mb=limits().file_mb,
        help=paragraph([formats_text(), _models_text()] if purpose == reading.TABLE else [formats_text()]),
        on_several=partial(several.give, purpose) if purpose == reading.TABLE else None,
    )


def show_reading(purpose: str) -> None:
    """How far the file for this purpose is read, and a button that stops it; a page that waits for it ends here."""
    current = reading.current(purpose)
    if current is None:
        return
    _progress(purpose)
    if current.is_restored and purpose == reading.TABLE:
        st.stop()


@st.fragment(run_every=_EVERY)
def _progress(purpose: str) -> None:
    current = reading.current(purpose)
    job = reading.job(current) if current else None
    if current is None or job is None or not job.is_active:
        st.rerun()
    with st.container(key=f"reading_{purpose}", horizontal=True, vertical_alignment="center"):
        share = min(job.done / job.total, 1.0) if job.total else 0.0
        st.progress(share, text=_how_far(current.name, job.state, share))
        st.button(
            message("Stop"),
            icon=":material/stop:",
            key=f"reading.stop.{purpose}",
            on_click=reading.request_stop,
            args=(current,),
        )


def _how_far(name: str, state: str, share: float) -> str:
    file = escape_markdown(name)
    if state == "queued":
        return message("“{file}” waits for other work to end", file=file)
    return message("Reading “{file}”: {percent} %", file=file, percent=int(100 * share))


def formats_text() -> str:
    """What may be uploaded, and where it is kept."""
    return message(
        "CSV or TSV, text between blanks or of fixed width, Excel (.xlsx, .xls), OpenDocument (.ods), Parquet, "
        "Feather, JSON, ARFF, KEEL, C4.5 (.names with .data, in a zip), Orange (.tab), libsvm, SQLite, DuckDB, "
        "dBase (.dbf), SPSS, Stata, SAS or R (.rds, .RData); also packed with gzip, or several in a zip. The file "
        "is kept on this server’s disk for {hours:g} hours after its last use, under a key that only your browser "
        "holds, and can be forgotten at any time.",
        hours=limits().keep_hours,
    )


def _models_text() -> str:
    """Which models may be given where a table is asked for."""
    libraries = listing(dict.fromkeys(known.name.partition(" (")[0] for known in FORMATS))
    return message("Models too, of {libraries} or saved here: for this session, in memory.", libraries=libraries)


def kept_text(own: Upload) -> str:
    """Where a file is kept, and until when."""
    kept = opening.kept_file(own)
    if kept is None:
        return message("Your file is in this server’s memory only, until you close or reload this page.")
    until = clock_time(opening.kept_until(kept))
    if not browser.has_cookie():
        return message(
            "Your file is on this server’s disk until {until}. Your browser keeps no cookies, so it cannot be opened "
            "again after a reload.",
            until=until,
        )
    return message(
        "Your file is kept on this server’s disk until {until}, for this browser only.",
        until=until,
    )


def clock_time(moment: float) -> str:
    """A time of day in the reader's own zone; with the date unless it is today."""
    zone = _zone(st.context.timezone)
    then, now = datetime.datetime.fromtimestamp(moment, zone), datetime.datetime.fromtimestamp(time.time(), zone)
    clock = f"{then:%H:%M}" if zone is not datetime.UTC else f"{then:%H:%M} UTC"
    if then.date() == now.date():
        return clock
    if then.date() - now.date() == datetime.timedelta(days=1):
        return message("{time} tomorrow", time=clock)
    return message("{time} on {date}", time=clock, date=f"{then:%Y-%m-%d}")


def _zone(name: str | None) -> datetime.tzinfo:
    """The zone of this name; UTC where the browser names none that is known here."""
    try:
        return zoneinfo.ZoneInfo(name) if isinstance(name, str) else datetime.UTC
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return datetime.UTC


def size_text(size: int) -> str:
    """A number of bytes in megabytes, or in kilobytes below one.

    >>> size_text(1_500_000), size_text(900)
    ('1.4 MB', '1 KB')
    """
    return f"{size / MEGABYTE:,.1f} MB" if size >= MEGABYTE else f"{-(-size // 1024):,} KB"
