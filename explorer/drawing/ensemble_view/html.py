"""The picture of an ensemble as one HTML page that stands alone: it opens without a server and fetches nothing."""

from __future__ import annotations

import base64
import json
from pathlib import Path

from explorer.drawing import ensemble_view
from explorer.drawing.ensemble_view.payload import picture_payload, row_payload
from explorer.drawing.ensemble_view.records import EnsemblePicture, RowPicture
from explorer.drawing.html_document import document, escaped
from explorer.drawing.tree_view.html import page_variables
from explorer.drawing.tree_view.payload import signature
from explorer.messages import message, plural

_STARTER = Path(__file__).with_name("standalone.js")
_BODY = """<header>
<h1>{title}</h1>
<p>{about}</p>
</header>
<div id="ensemble"></div>
<noscript>{noscript}</noscript>
<script type="application/json" id="ensemble-data">{data}</script>
<script type="module">{script}</script>"""
_STYLE = """body {
  margin: 0 auto;
  padding: 0 1.25rem;
  background: var(--st-background-color);
  color: var(--st-text-color);
  font-family: var(--st-font);
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
  overflow-wrap: anywhere;
}
header p {
  margin: 0;
  color: var(--quiet);
  font-size: 0.9rem;
}"""


def to_html(
    picture: EnsemblePicture, title: str, row: RowPicture | None = None, palette: str = "safe", stage: int = 0
) -> str:
    """The picture as one HTML page in the reader's light or dark theme; it can be kept, sent and opened offline.

    `row` is the row whose prediction is explained; the page knows no other. It begins at `stage`. `palette` names the
    colours of the classes.
    """
    script = f"\n{ensemble_view.script()}\n{_STARTER.read_text('utf-8')}\n".replace(
        "export default function", "function"
    )
    packed = [picture_payload(picture)] + ([] if row is None else [row_payload(row)])
    view = {
        "view": "page",
        "picture": signature(packed[0]),
        "row": None if row is None else signature(packed[1]),
        "state": {"stage": stage, "member": -1, "row": -1 if row is None else row.row, "tab": ""},
        "themes": ensemble_view.colour_themes(len(picture.classes), palette),
        "parts_beside": True,
        "messages": ensemble_view.translations(),
    }
    content = {
        "style": ensemble_view.style(),
        "payloads": [base64.b64encode(part).decode("ascii") for part in packed],
        "view": view,
    }
    body = _BODY.format(
        title=escaped(title),
        about=escaped(_about(picture)),
        noscript=escaped(message("This page draws its ensemble with JavaScript. Turn JavaScript on to see it.")),
        data=json.dumps(content, ensure_ascii=True).replace("<", "\\u003c"),
        script=script,
    )
    return document(title, f"{page_variables()}\n{_STYLE}", body, script)


def _about(picture: EnsemblePicture) -> str:
    return plural(picture.n_stages, "{n:,} round, moved by the slider", "{n:,} rounds, moved by the slider")
