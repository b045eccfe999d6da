"""A view in the browser as one HTML page that stands alone: it opens without a server and fetches nothing.

All data go into the page as bytes in base64 or as JSON in which no tag can begin or end.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from explorer.drawing.html_document import document, escaped
from explorer.drawing.joined_modules import ViewFiles
from explorer.drawing.palette import DARK, LIGHT, Theme, mix

_STARTER = Path(__file__).with_name("standalone.js")
_BODY = """<header>
<h1>{title}</h1>
<p>{about}</p>
</header>
<div id="view"></div>
<noscript>{noscript}</noscript>
<script type="application/json" id="view-data">{data}</script>
<script type="module">{script}</script>"""
_STYLE = """body {
  margin: 0 auto;
  background: var(--st-background-color);
  color: var(--st-text-color);
  font-family: var(--st-font);
}
h1 {
  overflow-wrap: anywhere;
}
header p {
  color: var(--quiet);
}"""


def view_page(
    files: ViewFiles,
    payloads: Iterable[bytes],
    view: Mapping[str, Any],
    *,
    title: str,
    about: str,
    noscript: str,
    style: str,
    heights: Mapping[str, int],
    rules: Mapping[int, str] | None = None,
) -> str:
    """The page of a view with its payloads; `view` is what the app would send it, `rules` are those of nodes.

    The view is as high as the window, less what is `below` it, but at least the `least` of the heights, in pixels.
    """
    script = f"\n{files.script}\n{_STARTER.read_text('utf-8')}\n".replace("export default function", "function")
    content = {
        "style": files.style,
        "payloads": [base64.b64encode(payload).decode("ascii") for payload in payloads],
        "view": {"view": "page", **view, "messages": files.translations()},
        "rules": rules,
        "loader": files.library,
        "heights": heights,
    }
    body = _BODY.format(
        title=escaped(title),
        about=escaped(about),
        noscript=escaped(noscript),
        data=json.dumps(content, ensure_ascii=True).replace("<", "\\u003c"),
        script=script,
    )
    return document(title, f"{_page_variables()}\n{_STYLE}\n{style}", body, script)


def _page_variables() -> str:
    """The CSS variables of both themes; the reader's choice of light or dark decides."""
    return f"{_variables(LIGHT)}\n@media (prefers-color-scheme: dark) {{\n{_variables(DARK)}\n}}"


def _variables(ground: Theme) -> str:
    """A theme as the CSS variables that the view's style sheets use."""
    panel, line = mix(ground.background, ground.text, 0.04), mix(ground.background, ground.text, 0.2)
    return f""":root {{
  color-scheme: {ground.name};
  --st-background-color: {ground.background};
  --st-secondary-background-color: {panel};
  --st-text-color: {ground.text};
  --st-border-color: {line};
  --st-primary-color: {ground.accent};
  --st-base-radius: 0.5rem;
  --st-font: system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif;
  --quiet: {ground.quiet};
}}"""
