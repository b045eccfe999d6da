// Starts the tree view on a page of its own, in place of Streamlit and Python. It follows the view's script, whose
// `mountLibrary` it calls, and reads the element "tree-data" (see html.py).

const { payloads, view, rules, style } = JSON.parse(document.getElementById("tree-data").textContent);
const host = document.getElementById("tree").attachShadow({ mode: "open" });
const [LEAST_HEIGHT, MARGIN] = [460, 40];
let [state, echo] = [view.state, 0];

mountLibrary({ data: { style }, parentElement: document.createElement("div") });
for (const payload of payloads) {
  const data = Uint8Array.from(atob(payload), (sign) => sign.charCodeAt(0));
  globalThis.decisionTreeLoader.mount({ data, parentElement: document.createElement("div") });
}

/** Give the view its data, with the rule of the selected node; called again after every report of the view. */
function show() {
  const rule = { rule: rules[state.selected] ?? "", rule_of: state.selected };
  const height = Math.max(LEAST_HEIGHT, innerHeight - document.querySelector("header").offsetHeight - MARGIN);
  document.getElementById("tree").style.setProperty("--tv-height", `${height}px`);
  globalThis.decisionTreeLoader.mount({
    data: { ...view, ...rule, state, echo },
    parentElement: host,
    setTriggerValue: (_, { number, commands, ...now }) => {
      const { layout = null, ghosts = null, stability = null } = state;
      const picture = Object.fromEntries(commands.map(([, name, value]) => [name, value]));
      [state, echo] = [{ layout, ghosts, stability, ...now, ...picture }, number];
      queueMicrotask(show);
    },
  });
}

show();
addEventListener("resize", show);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
