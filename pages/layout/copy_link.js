// A button that copies a text. data: {text, words: [label, copied, failed]}. Browsers give their clipboard only to pages from a safe address; on others, as in a
// classroom's own network, the text is selected in a hidden field and copied by the older command.

const STYLE = `button {
  padding: 0.4rem 0.9rem;
  border: 1px solid var(--st-primary-color);
  border-radius: var(--st-button-radius, 0.5rem);
  background: var(--st-primary-color);
  color: #FFFFFF;
  font: inherit;
  cursor: pointer;
}
button:focus-visible { outline: 2px solid var(--st-text-color); outline-offset: 2px; }`;

/** @param {string} text */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.body.appendChild(document.createElement("textarea"));
    field.value = text;
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

/** @param {Component<{ text: string, words: string[] }>} component */
export default function ({ data, parentElement }) {
  const button = document.createElement("button");
  button.type = "button";
  const [label, done, failed] = data.words;
  button.textContent = label;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    button.textContent = (await copied(data.text)) ? done : failed;
    setTimeout(() => (button.textContent = label), 2500);
  });
  const style = document.createElement("style");
  style.textContent = STYLE;
  parentElement.replaceChildren(style, button);
}
