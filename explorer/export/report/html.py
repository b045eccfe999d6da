"""A report as one HTML page that fetches nothing, for reading and printing."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from explorer.drawing.html_document import document, escaped
from explorer.drawing.palette import DARK, LIGHT, Theme, mix
from explorer.export.report.blocks import Block, Grid, Listing, Paragraph, Picture, Points, Section

_LEGIBLE = 0.6
"""A picture is scaled down to fit the page to this factor at most; beyond, it can be scrolled."""
_WIDTH = re.compile(r'^<svg [^>]*width="([\d.]+)"')
_STYLE = """body {
  margin: 0 auto;
  padding: 1rem 1.5rem 3rem;
  max-width: 62rem;
  background: var(--ground);
  color: var(--ink);
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans CJK SC", sans-serif;
  line-height: 1.5;
}
h1 { margin: 1.5rem 0 0.5rem; font-size: 1.9rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 2.2rem 0 0.6rem; font-size: 1.25rem; }
p, li { overflow-wrap: anywhere; }
ul { padding-left: 1.2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3rem 1.2rem 0.3rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--quiet); font-weight: 600; }
td { max-width: 26rem; overflow-wrap: break-word; }
pre { padding: 0.8rem 1rem; border-radius: 0.5rem; background: var(--panel); overflow-x: auto; line-height: 1.45; }
code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.85rem; }
figure { margin: 0 0 1rem; padding: 0.5rem; border: 1px solid var(--line); border-radius: 0.5rem; background: #FFFFFF; }
figure svg { display: block; margin: 0 auto; min-width: var(--least); max-width: 100%; height: auto; }
@media print {
  body { max-width: none; padding: 0; }
  h2 { break-after: avoid; }
  pre { white-space: pre-wrap; }
  figure svg { min-width: 0; }
}"""


_LEAST = re.compile(r'<figure class="wide least-(\d+)">')


def page(title: str, sections: Sequence[Section]) -> str:
    """The document in the reader's light or dark theme."""
    parts = [f"<h1>{escaped(title)}</h1>"]
    for section in sections:
        parts += [f"<h2>{escaped(section.title)}</h2>"] if section.title else []
        parts += map(_written, section.blocks)
    style = "\n".join([_variables(LIGHT), f"@media screen and (prefers-color-scheme: dark) {{ {_variables(DARK)} }}"])
    body = "\n".join(parts)
    widths = [f".least-{least} {{ --least: {least}px; }}" for least in sorted(set(_LEAST.findall(body)))]
    return document(title, "\n".join([style, _STYLE, *widths]), body)


def _written(block: Block) -> str:
    match block:
        case Paragraph(text):
            return f"<p>{escaped(text)}</p>"
        case Points(texts):
            return f"<ul>{''.join(f'<li>{escaped(text)}</li>' for text in texts)}</ul>"
        case Grid(head, rows):
            lines = "".join(f"<tr>{_cells('td', row)}</tr>\n" for row in rows)
            return f'<div class="wide"><table><thead><tr>{_cells("th", head)}</tr></thead>\n{lines}</table></div>'
        case Listing(text):
            return f"<pre><code>{html.escape(text.rstrip())}</code></pre>"
        case Picture(svg):
            least = _LEGIBLE * float(_WIDTH.findall(svg)[0])
            return f'<figure class="wide least-{least:.0f}">{svg}</figure>'


def _cells(tag: str, cells: Sequence[str]) -> str:
    return "".join(f"<{tag}>{escaped(cell)}</{tag}>" for cell in cells)


def _variables(ground: Theme) -> str:
    """A theme as the variables that the style uses."""
    panel, line = mix(ground.background, ground.text, 0.05), mix(ground.background, ground.text, 0.18)
    return (
        f":root {{ color-scheme: {ground.name}; --ground: {ground.background}; --ink: {ground.text}; "
        f"--quiet: {ground.quiet}; --panel: {panel}; --line: {line}; }}"
    )
