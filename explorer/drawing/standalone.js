// Starts a view on a page of its own, in place of Streamlit and Python. It follows the view's script, whose
// `mountLibrary` it calls, and reads the element "view-data" (see view_page.py).

const { payloads, view, rules, style, loader, heights } = JSON.parse(document.getElementById("view-data").textContent);
const place = document.getElementById("view");
const host = place.attachShadow({ mode: "open" });
const mount = (component) => globalThis[loader].mount(component);
let [state, echo] = [view.state, 0];

mountLibrary({ data: { style }, parentElement: document.createElement("div") });
for (const payload of payloads) {
  const data = Uint8Array.from(atob(payload), (sign) => sign.charCodeAt(0));
  mount({ data, parentElement: document.createElement("div") });
}

/** Give the view its data, with the rule of the selected node; called again after every report of the view. */
function show() {
  const rule = rules ? { rule: rules[state.selected] ?? "", rule_of: state.selected } : {};
  const height = Math.max(heights.least, innerHeight - document.querySelector("header").offsetHeight - heights.below);
  place.style.setProperty("--tv-height", `${height}px`);
  mount({
    data: { ...view, ...rule, state, echo },
    parentElement: host,
    setTriggerValue: (_, { number, commands = [], ...now }) => {
      const chosen = Object.fromEntries(commands.map(([, name, value]) => [name, value]));
      [state, echo] = [{ ...state, ...now, ...chosen }, number];
      queueMicrotask(show);
    },
  });
}

show();
addEventListener("resize", show);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
