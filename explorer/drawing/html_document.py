"""The frame of a self-contained HTML page: it fetches nothing, and runs no script unless allowed."""

import html

from explorer.formatting import visible
from explorer.messages import current_catalogue

_PAGE = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; {allowed}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def document(title: str, style: str, body: str, allowed: str = "style-src 'unsafe-inline'") -> str:
    """The page; `title` is plain text, `style` CSS and `body` HTML. `allowed` is all that the browser may load or run.

    >>> page = document("a < b", "", "<p>Less.</p>")
    >>> "<title>a &lt; b</title>" in page, "default-src 'none'; style-src 'unsafe-inline'" in page
    (True, True)
    """
    language = escaped(current_catalogue().language)
    return _PAGE.format(language=language, title=escaped(title), style=style, body=body, allowed=allowed)


def escaped(text: object) -> str:
    """Text escaped for XML, as content or as an attribute's value: all of it is shown, nothing is interpreted.

    >>> escaped('<b>&"'), escaped("a\\x00b")
    ('&lt;b&gt;&amp;&quot;', 'a␀b')
    """
    return html.escape(visible(str(text)), quote=True)
