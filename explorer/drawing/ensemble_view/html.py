"""The picture of an ensemble as one HTML page that stands alone: it opens without a server and fetches nothing."""

from __future__ import annotations

from explorer.drawing import ensemble_view
from explorer.drawing.ensemble_view.payload import picture_payload, row_payload
from explorer.drawing.ensemble_view.records import EnsemblePicture, RowPicture
from explorer.drawing.tree_view.payload import signature
from explorer.drawing.view_page import view_page
from explorer.messages import message, plural

_STYLE = """body {
  padding: 0 1.25rem;
}
header {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: 0 1rem;
  padding: 0.625rem 0;
}
h1 {
  margin: 0;
  font-size: 1.25rem;
}
header p {
  margin: 0;
  font-size: 0.9rem;
}"""


def to_html(
    picture: EnsemblePicture, title: str, row: RowPicture | None = None, palette: str = "safe", stage: int = 0
) -> str:
    """The picture as one HTML page in the reader's light or dark theme; it can be kept, sent and opened offline.

    `row` is the row whose prediction is explained; the page knows no other. It begins at `stage`. `palette` names the
    colours of the classes.
    """
    packed = [picture_payload(picture)] + ([] if row is None else [row_payload(row)])
    view = {
        "picture": signature(packed[0]),
        "row": None if row is None else signature(packed[1]),
        "state": {"stage": stage, "member": -1, "row": -1 if row is None else row.row, "tab": ""},
        "themes": ensemble_view.colour_themes(len(picture.classes), palette),
        "parts_beside": True,
    }
    return view_page(
        ensemble_view.FILES,
        packed,
        view,
        title=title,
        about=_about(picture),
        noscript=message("This page draws its ensemble with JavaScript. Turn JavaScript on to see it."),
        style=_STYLE,
        heights={"least": 480, "below": 28},
    )


def _about(picture: EnsemblePicture) -> str:
    return plural(picture.n_stages, "{n:,} stage, moved by the slider", "{n:,} stages, moved by the slider")
