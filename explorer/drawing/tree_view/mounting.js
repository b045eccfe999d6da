// A library of views: what Streamlit (or a page that stands alone) mounts becomes payloads, views and places for parts.
//
// A component whose data are bytes is a payload: it goes into the cache, where views look it up by its sig, and nothing
// is shown. A component with {part, of} is a place for a part of the view named `of` (see panel/parts.js). Any other is
// a view, with a plain object as data.

import { addPlace, placeIn, removePlace } from "./panel/parts.js";
import { makeElement } from "./dom.js";
import { messagesKey, useMessages } from "./messages.js";

/** @typedef {Record<string, string>} Messages the reader's texts by the English ones */
/** @typedef {{ messages?: Messages | null }} ViewData */
/** @typedef {{ part: string, of: string }} PartData */
/** @typedef {{ sig: string, readMs?: number }} Payload */
/**
 * @template Data
 * @typedef View
 * @property {HTMLElement} root
 * @property {string} messagesKey
 * @property {(state: Record<string, unknown>) => void} report
 * @property {(data: Data) => void} update
 * @property {() => void} showPayloads
 * @property {() => void} placeParts
 * @property {() => void} destroy
 */
/**
 * @template {ViewData} Data @template {View<Data>} Shown @template {Payload} Opened
 * @typedef Kind
 * @property {string} loader name of a global: the loader's meeting point
 * @property {string} views name of a global: the views by name
 * @property {(bytes: Uint8Array) => Opened} open
 * @property {(parentElement: ShadowRoot, data: Data) => Shown} make
 * @property {string} partFrame a class
 */
/** @typedef {Component<Uint8Array> | Component<PartData> | Component<ViewData>} AnyComponent */
/**
 * @typedef Loader
 * @property {Map<ShadowRoot, AnyComponent>} waiting
 * @property {Map<ShadowRoot, (() => void) | undefined>} unmounts
 * @property {(component: AnyComponent) => (() => void) | undefined} [mount]
 */

const MOST_CACHED_PAYLOADS = 16;

/**
 * Gives {mount, payload: sig → payload, live: all views}.
 * @template {ViewData} Data @template {View<Data>} Shown @template {Payload} Opened
 * @param {Kind<Data, Shown, Opened>} kind
 */
export function makeLibrary(kind) {
  return new Library(kind);
}

/** @template {ViewData} Data @template {View<Data>} Shown @template {Payload} Opened */
class Library {
  /** @param {Kind<Data, Shown, Opened>} kind */
  constructor(kind) {
    this.kind = kind;
    /** @type {Map<string, Opened>} by sig, those used last at the end */
    this.payloads = new Map();
    /** @type {Set<Shown>} */
    this.live = new Set();
    /** @type {WeakMap<ShadowRoot, Shown>} */
    this.viewsByRoot = new WeakMap();
    /** @type {WeakMap<ShadowRoot, Uint8Array>} */
    this.receivedBytes = new WeakMap();
  }

  /**
   * Called by Streamlit when the library is mounted: mounts the components that wait, and all later ones.
   * @param {Pick<Component<{ style: string }>, "data" | "parentElement">} component
   */
  mount({ data, parentElement }) {
    hideElement(parentElement);
    const style = new CSSStyleSheet();
    style.replaceSync(data.style);
    const globals = /** @type {Record<string, Loader>} */ (/** @type {unknown} */ (globalThis));
    const loader = (globals[this.kind.loader] ??= { waiting: new Map(), unmounts: new Map() });
    loader.mount = (component) => this.mountComponent(component, style);
    for (const [root, component] of loader.waiting) loader.unmounts.set(root, this.mountComponent(component, style));
    loader.waiting.clear();
  }

  /**
   * Called by the loader on mounting, and again when the data or the theme change; returns the function for unmounting.
   * @param {AnyComponent} component @param {CSSStyleSheet} style @returns {(() => void) | undefined}
   */
  mountComponent(component, style) {
    const { data, parentElement } = component;
    if (data instanceof Uint8Array) {
      this.receivePayload(data, parentElement);
      return undefined;
    }
    if ("part" in data) return this.mountPart(data, parentElement, style);
    useMessages(data.messages);
    parentElement.adoptedStyleSheets = [style];
    const own = /** @type {Data} */ (data);
    const view = this.viewIn(parentElement, own);
    view.report = (state) => component.setTriggerValue("event", state);
    view.update(own);
    return () => view.destroy();
  }

  /** @param {ShadowRoot} parentElement @param {Data} data */
  viewIn(parentElement, data) {
    const known = this.viewsByRoot.get(parentElement);
    if (known?.messagesKey === messagesKey(data.messages)) return known;
    known?.destroy(); // many texts are written once: another language needs another view
    known?.root.remove();
    const view = this.kind.make(parentElement, data);
    this.viewsByRoot.set(parentElement, view);
    this.live.add(view);
    return view;
  }

  /**
   * A place for a part of a view; the view fills it, now or once it is there.
   * @param {PartData} data @param {ShadowRoot} parentElement @param {CSSStyleSheet} style
   */
  mountPart(data, parentElement, style) {
    parentElement.adoptedStyleSheets = [style];
    const known = placeIn(parentElement);
    const frame = known?.frame ?? makeElement("div", this.kind.partFrame);
    if (!known) parentElement.append(frame);
    addPlace(parentElement, data, frame);
    const views = () => /** @type {Record<string, Map<string, Shown> | undefined>} */ (/** @type {unknown} */ (globalThis))[this.kind.views];
    const showAgain = (/** @type {string} */ name) => views()?.get(name)?.placeParts();
    if (known && known.of !== data.of) showAgain(known.of);
    showAgain(data.of);
    return () => {
      removePlace(parentElement);
      frame.remove();
      showAgain(data.of);
    };
  }

  /** A payload of the cache, where it has arrived: one that a view uses stays. @param {string} sig @returns {Opened | undefined} */
  payload(sig) {
    const payload = this.payloads.get(sig);
    if (payload) this.keep(payload);
    return payload;
  }

  /** @param {Opened} payload */
  keep(payload) {
    this.payloads.delete(payload.sig);
    this.payloads.set(payload.sig, payload);
  }

  /**
   * Put a payload into the cache and show it in the views that wait for it.
   * @param {Uint8Array} bytes @param {ShadowRoot} parentElement
   */
  receivePayload(bytes, parentElement) {
    if (this.receivedBytes.get(parentElement) === bytes) return;
    this.receivedBytes.set(parentElement, bytes);
    hideElement(parentElement);
    const started = performance.now();
    const payload = this.kind.open(bytes);
    payload.readMs = performance.now() - started;
    this.keep(payload);
    for (const sig of this.payloads.keys()) if (this.payloads.size > MOST_CACHED_PAYLOADS) this.payloads.delete(sig);
    for (const view of this.live) view.showPayloads();
  }
}

/** Take an element that shows nothing out of the page's layout. @param {ShadowRoot} parentElement */
function hideElement(parentElement) {
  /** @type {HTMLElement | null | undefined} */
  const block = parentElement.host?.closest('[class*="st-key-"]');
  block?.style.setProperty("display", "none");
}
