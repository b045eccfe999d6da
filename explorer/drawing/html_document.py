"""The frame of an HTML page that stands alone: it fetches nothing, and runs nothing unless it is allowed to."""

import html

from explorer.formatting import visible

_PAGE = """<!DOCTYPE html>
<html lang="en">
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
    return _PAGE.format(title=escaped(title), style=style, body=body, allowed=allowed)


def escaped(text: object) -> str:
    """Text for XML, as content and as an attribute's value: everything in it is shown, nothing is interpreted.

    >>> escaped('<b>&"'), escaped("a\\x00b")
    ('&lt;b&gt;&amp;&quot;', 'a␀b')
    """
    return html.escape(visible(str(text)), quote=True)
