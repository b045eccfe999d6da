// Starts the tree view on a page of its own: what Streamlit and Python do for it in the app, done here. It stands behind
// the view's script, whose `openLibrary` it calls, and reads the element "tree-data" (see html.py).

const { packs, view, rules, style } = JSON.parse(document.getElementById("tree-data").textContent);
const place = document.getElementById("tree").attachShadow({ mode: "open" });
let [state, echo] = [view.state, 0];

openLibrary({ data: { style }, parentElement: document.createElement("div") });
for (const pack of packs) {
  const data = Uint8Array.from(atob(pack), (sign) => sign.charCodeAt(0));
  globalThis.decisionTreeDoor.enter({ data, parentElement: document.createElement("div") });
}

/** Give the view its data, with the rule of the node that is selected; called again with what the reader made of it. */
function show() {
  const rule = { rule: rules[state.selected] ?? "", rule_of: state.selected };
  const height = Math.max(380, innerHeight - document.querySelector("header").offsetHeight - (view.sequence ? 360 : 130));
  globalThis.decisionTreeDoor.enter({
    data: { ...view, ...rule, state, echo, height },
    parentElement: place,
    setTriggerValue: (_, { number, ...now }) => {
      [state, echo] = [now, number];
      queueMicrotask(show);
    },
  });
}

show();
addEventListener("resize", show);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
