"""The tree view on a bare page, mounted as Streamlit mounts it: what it reports is kept, and nothing answers."""

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

from playwright.sync_api import Page

from explorer.drawing import tree_view
from explorer.drawing.palette import LIGHT
from explorer.drawing.tree_view.payload import signature

PAGE = """<!doctype html><style>
body {{ margin: 8px; --st-background-color: #fff; --st-secondary-background-color: #f3f4f6; --st-text-color: {text};
  --st-border-color: #d0d3da; --st-primary-color: {accent}; --st-font: system-ui; --tv-height: 460px;
  --st-base-radius: 8px; font-family: system-ui; }}
</style>
<div style="display: flex; gap: 8px; align-items: flex-start">
<div id="stage" style="width: 640px"></div><div id="side" style="width: 380px"></div></div>
<script type="module">
{script}
mountLibrary({{ data: {{ style: {style} }}, parentElement: document.createElement("div") }});
const mounted = new Map();
globalThis.bare = {{
  reports: [],
  payload(text) {{
    const data = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    decisionTreeLoader.mount({{ data, parentElement: document.createElement("div") }});
  }},
  mount(id, where, data) {{
    if (!mounted.has(id)) {{
      const host = document.createElement("div");
      document.getElementById(where).append(host);
      mounted.set(id, {{ host, root: host.attachShadow({{ mode: "open" }}) }});
    }}
    const place = mounted.get(id);
    const setTriggerValue = (_, report) => bare.reports.push(structuredClone(report));
    place.unmount = decisionTreeLoader.mount({{ data, parentElement: place.root, setTriggerValue }});
  }},
  unmount(id) {{
    const {{ host, unmount }} = mounted.get(id);
    unmount();
    host.remove();
    mounted.delete(id);
  }},
  host: (id) => mounted.get(id).host,
}};
</script>"""


class BareView:
    """A page with the library and the payloads of one view."""

    def __init__(self, page: Page, payloads: Sequence[bytes], n_classes: int = 2) -> None:
        self.page = page
        self.themes = tree_view.colour_themes(n_classes, "safe")
        self.sigs = [signature(content) for content in payloads]
        script = tree_view.FILES.script.replace("export default function", "function")
        style = json.dumps(tree_view.FILES.style)
        page.set_content(PAGE.format(script=script, style=style, text=LIGHT.text, accent=LIGHT.accent))
        page.wait_for_function("globalThis.bare")
        for content in payloads:
            page.evaluate("(text) => bare.payload(text)", base64.b64encode(content).decode())

    def mount(self, state: Mapping[str, Any], name: str = "tree", **data: Any) -> None:
        """Mount the view, or give it new data; the first payload is its tree, the second its sequence."""
        whole = {
            "view": name,
            "tree": self.sigs[0],
            "sequence": self.sigs[1] if len(self.sigs) > 1 else None,
            "echo": 0,
            "state": {"selected": 0, "position": 0, "hand": [], **state},
            "rule": "",
            "rule_of": 0,
            "themes": self.themes,
            "range": None,
            "link": None,
            "row_path": [],
            "by_hand": True,
            "takes_layout": True,
            "messages": {},
            **data,
        }
        self.page.evaluate("([id, data]) => bare.mount(id, 'stage', data)", [name, whole])
        self.frames()

    def mount_part(self, part: str, name: str = "tree") -> None:
        self.page.evaluate("([part, of]) => bare.mount(part, 'side', { part, of })", [part, name])
        self.frames()

    def unmount(self, id_: str) -> None:
        self.page.evaluate("(id) => bare.unmount(id)", id_)
        self.frames()

    def frames(self) -> None:
        """Let the view draw what it was told."""
        self.page.evaluate(
            "() => new Promise((act) => requestAnimationFrame(() => requestAnimationFrame(() => act())))"
        )

    def reports(self) -> list[dict[str, Any]]:
        """What the view has reported since the last call."""
        found: list[dict[str, Any]] = self.page.evaluate("bare.reports.splice(0)")
        return found

    def value(self, expression: str, name: str = "tree") -> Any:
        """What an expression gives of `view`."""
        return self.page.evaluate(f"(() => {{ const view = decisionTreeViews.get('{name}'); return {expression}; }})()")
