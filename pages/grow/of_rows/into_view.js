// Scrolls the picture of a node's rows into view when one has just been chosen.
//
// data: the kind of picture that was chosen, "" where none was.

const SETTLED = 3000; // milliseconds in which a picture gets its height

/** Called by Streamlit on mounting, and again when the data change. @param {Component<string>} component */
export default function showPicture({ data, parentElement }) {
  const picture = /** @type {HTMLElement} */ (parentElement.host.closest(".st-key-look"));
  if (!data) return;
  const grown = new ResizeObserver(() => picture.scrollIntoView({ block: "start" }));
  grown.observe(picture);
  setTimeout(() => grown.disconnect(), SETTLED);
}
