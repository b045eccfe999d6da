"""The frame of a self-contained HTML page: it fetches nothing, and runs no script unless allowed."""

import base64
import hashlib
import html

from explorer.formatting import visible
from explorer.messages import current_catalogue

_PAGE = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'">
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


_LINE = "\n"


def document(title: str, style: str, body: str, script: str = "") -> str:
    """The page; `title` is plain text, `style` CSS and `body` HTML, in which `script` stands, if there is one.

    The policy of the page names style and script by their hashes: the browser runs no other, and loads nothing. Style
    attributes and handlers in attributes are ignored.

    >>> page = document("a < b", "", "<p>Less.</p>")
    >>> "<title>a &lt; b</title>" in page, "default-src 'none'; style-src 'sha256-" in page
    (True, True)
    """
    language = escaped(current_catalogue().language)
    allowed = f"style-src {_hash(f'{_LINE}{style}{_LINE}')}"
    if script:
        allowed += f"; script-src {_hash(script)}"
    return _PAGE.format(language=language, title=escaped(title), style=style, body=body, allowed=allowed)


def _hash(content: str) -> str:
    """What a content security policy calls the text between two tags."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode('utf-8')).digest()).decode('ascii')}'"


def escaped(text: object) -> str:
    """Text escaped for XML, as content or as an attribute's value: all of it is shown, nothing is interpreted.

    >>> escaped('<b>&"'), escaped("a\\x00b")
    ('&lt;b&gt;&amp;&quot;', 'a␀b')
    """
    return html.escape(visible(str(text)), quote=True)
