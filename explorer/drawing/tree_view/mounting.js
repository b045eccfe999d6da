// A library of views: what Streamlit (or a page that stands alone) mounts becomes payloads, views and places for parts.
//
// A component whose data are bytes is a payload: it goes into the cache, where views look it up by its sig, and nothing
// is shown. A component with {part, of} is a place for a part of the view named `of` (see panel/parts.js). Any other is
// a view, with a plain object as data.

import { addPlace, placeIn, removePlace } from "./panel/parts.js";
import { makeElement } from "./dom.js";
import { messagesKey, useMessages } from "./messages.js";

const MOST_CACHED_PAYLOADS = 16;

/**
 * kind: {loader, views (names of globals: the loader's meeting point, and the views by name), open(bytes),
 * make(parentElement, data), partFrame (class)}. A view has {root, messagesKey, report, update(data), showPayloads(),
 * placeParts(), destroy()}. Gives {mount, payloads: sig → payload, live: all views}.
 */
export function makeLibrary(kind) {
  return new Library(kind);
}

class Library {
  constructor(kind) {
    this.kind = kind;
    this.payloads = new Map();
    this.live = new Set();
    this.viewsByRoot = new WeakMap();
    this.receivedBytes = new WeakMap();
  }

  /** Called by Streamlit when the library is mounted: mounts the components that wait, and all later ones. */
  mount({ data, parentElement }) {
    hideElement(parentElement);
    const style = new CSSStyleSheet();
    style.replaceSync(data.style);
    const loader = (globalThis[this.kind.loader] ??= { waiting: new Map(), unmounts: new Map() });
    loader.mount = (component) => this.mountComponent(component, style);
    for (const [root, component] of loader.waiting) loader.unmounts.set(root, loader.mount(component));
    loader.waiting.clear();
  }

  /** Called by the loader on mounting, and again when the data or the theme change; returns the function for unmounting. */
  mountComponent(component, style) {
    const { data, parentElement } = component;
    if (data instanceof Uint8Array) return this.receivePayload(data, parentElement);
    if (data.part) return this.mountPart(data, parentElement, style);
    useMessages(data.messages);
    parentElement.adoptedStyleSheets = [style];
    const view = this.viewIn(parentElement, data);
    view.report = (state) => component.setTriggerValue("event", state);
    view.update(data);
    return () => view.destroy();
  }

  viewIn(parentElement, data) {
    let view = this.viewsByRoot.get(parentElement);
    if (view && view.messagesKey !== messagesKey(data.messages)) {
      view.destroy(); // many texts are written once: another language needs another view
      view.root.remove();
      view = null;
    }
    if (view) return view;
    view = this.kind.make(parentElement, data);
    this.viewsByRoot.set(parentElement, view);
    this.live.add(view);
    return view;
  }

  /** A place for a part of a view; the view fills it, now or once it is there. */
  mountPart(data, parentElement, style) {
    parentElement.adoptedStyleSheets = [style];
    const known = placeIn(parentElement);
    const frame = known?.frame ?? makeElement("div", this.kind.partFrame);
    if (!known) parentElement.append(frame);
    addPlace(parentElement, data, frame);
    const showAgain = (name) => globalThis[this.kind.views]?.get(name)?.placeParts();
    if (known && known.of !== data.of) showAgain(known.of);
    showAgain(data.of);
    return () => {
      removePlace(parentElement);
      frame.remove();
      showAgain(data.of);
    };
  }

  /** Put a payload into the cache and show it in the views that wait for it. */
  receivePayload(bytes, parentElement) {
    if (this.receivedBytes.get(parentElement) === bytes) return;
    this.receivedBytes.set(parentElement, bytes);
    hideElement(parentElement);
    const started = performance.now();
    const payload = this.kind.open(bytes);
    payload.readMs = performance.now() - started;
    this.payloads.delete(payload.sig);
    this.payloads.set(payload.sig, payload);
    for (const sig of this.payloads.keys()) if (this.payloads.size > MOST_CACHED_PAYLOADS) this.payloads.delete(sig);
    for (const view of this.live) view.showPayloads();
  }
}

/** Take an element that shows nothing out of the page's layout. */
function hideElement(parentElement) {
  parentElement.host?.closest('[class*="st-key-"]')?.style.setProperty("display", "none");
}
