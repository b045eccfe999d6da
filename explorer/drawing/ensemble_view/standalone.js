// Starts the ensemble's view on a page of its own, in place of Streamlit and Python. It follows the view's script, whose
// `mountEnsembles` it calls, and reads the element "ensemble-data" (see html.py).

const { payloads, view, style } = JSON.parse(document.getElementById("ensemble-data").textContent);
const host = document.getElementById("ensemble").attachShadow({ mode: "open" });
const [LEAST_HEIGHT, MARGIN_BELOW] = [480, 28];
let [state, echo] = [view.state, 0];

mountEnsembles({ data: { style }, parentElement: document.createElement("div") });
for (const payload of payloads) {
  const data = Uint8Array.from(atob(payload), (sign) => sign.charCodeAt(0));
  globalThis.ensembleViewLoader.mount({ data, parentElement: document.createElement("div") });
}

/** Give the view its data; called again after every report of the view. */
function show() {
  const height = Math.max(LEAST_HEIGHT, innerHeight - document.querySelector("header").offsetHeight - MARGIN_BELOW);
  document.getElementById("ensemble").style.setProperty("--tv-height", `${height}px`);
  globalThis.ensembleViewLoader.mount({
    data: { ...view, state, echo },
    parentElement: host,
    setTriggerValue: (_, { number, ...now }) => {
      [state, echo] = [now, number];
      queueMicrotask(show);
    },
  });
}

show();
addEventListener("resize", show);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
