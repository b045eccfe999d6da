// Makes the place inert in which it stands, the rail or a page, as long as it stands there.

/** Called by Streamlit on mounting. @param {Component<null>} component */
export default function freeze({ parentElement }) {
  const place = /** @type {HTMLElement} */ (parentElement.host.closest(".st-key-rail, .st-key-page"));
  place.inert = true;
  return () => void (place.inert = false);
}
