"""Write docs/reference.html: every public name of `explorer` with its docstring. Run it from the top folder."""

from pathlib import Path

import pdoc.doc
import pdoc.render

import explorer


def page() -> str:
    """The reference as one page that needs no network."""
    for name in explorer.__all__:
        getattr(explorer, name)  # names are imported when they are first used
    module = pdoc.doc.Module(explorer)
    return pdoc.render.html_module(module, all_modules={"explorer": module})


if __name__ == "__main__":
    Path(__file__).with_suffix(".html").write_text(page(), "utf-8")
