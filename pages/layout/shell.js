// What the workbench does in the browser: the rail stays as the reader left it, keys for presenting, and the history.
//
// data: {presenter, views, language, steps, done, back, address, theme, theme_button}: whether the presenter mode is on, the names of the page's tree
// views with a timeline, the first of which listens to the keys, and the language of the page's texts. P switches the mode;
// in it, and while a view asks first, space and arrows move the timeline. Digits answer a view's question in any mode, →
// goes on from a verdict, and F shows the first view in full screen.
//
// Ctrl+Z, and Ctrl+Y or Ctrl+Shift+Z, undo and redo a step of the reader, but where one types or draws. Each is named by a
// number and asked for until `done` has reached it, so that none is lost when Python is busy, is interrupted or `waits`.
//
// The history has an entry a page and a step, which is a change of a parameter of the address in `steps`. Streamlit
// adds an entry for every change, and on its way to another page one more, whose address is cleared: of any other
// change, the address takes the place of the one before. On Back, Streamlit asks Python for the page of the entry; the
// parameter `back` marks its address, so that Python takes its settings. Until the reader does something else, whatever
// Python answers takes the place of that entry: several Backs in a row meet answers to those before. `address` has the
// parameters of what a new session shows: written here, they are no entry.

const REMEMBERED = "decision-tree-explorer.rail";
const THEME = /^stActiveTheme-(.*)-(v\d+)$/; // Streamlit's key of the theme that was chosen on a page
const PAGES = '[data-testid="stTopNavLink"]';
const THEME_BUTTON = '[data-testid="stMainMenuButton"]';
const NARROW = 900;
const RAIL = '.stApp [aria-label="Sidebar"]';
const CLOSE = `${RAIL} [aria-label="Collapse sidebar"]`;
const OPEN = '[aria-label="Expand sidebar"]';
const PAGE_LINK = "header nav a";
const POPOVER = '[data-testid="stPopoverBody"]';
const [LOOK_AGAIN, MOST_LOOKS] = [100, 80]; // milliseconds, and how often
const TIMELINE_KEYS = new Set([" ", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End", "Escape"]);
const TEXTS = "textarea, select, [contenteditable=true], input:not([type=checkbox], [type=radio], [type=range], [type=button])";
const CLOSED_LIST = "input[role=combobox][aria-expanded=false]";
const DRAWING = ".dt-root"; // a table that one draws
const NUMBER = "input[type=number]";
const EMPTY_NUMBER = '[data-testid="stNumberInputClearButton"]';
const USES_ARROWS = "[role=tablist], [role=radiogroup], [role=grid], [role=listbox], [role=menu], select, input";

/** @typedef {{ presenter: boolean, views: string[], language: string, steps: string[], done: number, waits: boolean, back: string, address: string, theme: string, theme_button: string }} Shell */

/** @type {Component<Shell>} */
let current;
/** @type {Element | null} */
let rail = null;
let [isListening, isLeaving, isGoingBack] = [false, false, false];
/** @type {[number, string][]} */
let asked = []; // steps to undo and redo
let nAsks = 0; // no two are alike: Python knows by it what these keys have asked for
let drawnIn = ""; // the theme that Python was last asked for
/** @type {string | null} */
let awaited = null; // the address of a page that waits
/** @type {Element | null} */
let reached = null; // the field for a number to which the pointer has just come
const changes = new MutationObserver(followRail);

/** Called by Streamlit on mounting, and again when the data change. @param {Component<Shell>} component */
export default function mountShell(component) {
  current = component;
  asked = asked.filter(([number]) => number > component.data.done);
  if (asked.length && !component.data.waits) askForSteps();
  document.documentElement.lang = component.data.language;
  if (component.data.presenter) document.documentElement.style.removeProperty("font-size");
  document.querySelector(THEME_BUTTON)?.setAttribute("aria-label", component.data.theme_button); // all that Streamlit's menu is left with
  followTheme();
  changes.observe(/** @type {Element} */ (document.querySelector(".stApp > div")), { childList: true }); // the rail is a child of it
  followRail();
  reachFormulas(); // of those shown before this is mounted
  if (isListening) return;
  isListening = true;
  document.addEventListener("click", rememberRail, true);
  document.addEventListener("pointerdown", keepScrolled, true);
  document.addEventListener("pointerdown", leaveAfterPopover, true);
  document.addEventListener("pointerdown", reachNumber, true);
  document.addEventListener("click", chooseNumber, true); // before a field that is emptied loses its button
  document.addEventListener("click", waitForPopover, true);
  document.addEventListener("keydown", onKey, true);
  document.addEventListener("change", leftByMenu, true);
  document.addEventListener("animationstart", (event) => event.animationName === "formula-shown" && reachFormulas());
  document.fonts.addEventListener("loadingdone", reachFormulas); // in their own letters they may be wider
  matchMedia(`(width > ${NARROW}px)`).addEventListener("change", ({ matches }) => matches && restoreRail());
  addEventListener("decisiontreemoved", showMoved);
  addEventListener("pagehide", shareTheme);
  document.addEventListener("visibilitychange", shareTheme);
  for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, () => (isLeaving = isGoingBack = false), true);
  if (component.data.address) history.replaceState(history.state, "", `${location.pathname}?${component.data.address}`);
  globalThis.navigation?.addEventListener("navigate", keepSteps); // an older browser has none, and an entry for every change
  globalThis.navigation?.addEventListener("currententrychange", markBack); // before Streamlit looks at the address
}

/** @param {NavigateEvent} event */
function keepSteps(event) {
  if (event.navigationType !== "push" || !event.cancelable || !event.destination.sameDocument) return;
  const [from, to] = [new URL(location.href), new URL(event.destination.url)];
  isLeaving = !isGoingBack && from.pathname === to.pathname && (isLeaving || (from.search !== "" && to.search === ""));
  if (!isGoingBack && !isLeaving && (from.pathname !== to.pathname || from.hash !== to.hash || isStep(from, to))) return;
  event.preventDefault();
  if (isLeaving) return; // the entry keeps the address that the reader leaves
  history.replaceState(history.state, "", to);
}

/**
 * Whether a step lies between two addresses of a page; of one that was just opened, the parameters are not yet written.
 * @param {URL} from @param {URL} to
 */
function isStep(from, to) {
  const differs = (/** @type {string} */ key) => `${from.searchParams.getAll(key)}` !== `${to.searchParams.getAll(key)}`;
  const isChosenByPage = (/** @type {string} */ key) => key === "scene" && !from.searchParams.has(key); // the first one of the path
  return from.search !== "" && current.data.steps.some((key) => differs(key) && !isChosenByPage(key));
}

/** @param {NavigationCurrentEntryChangeEvent} event */
function markBack(event) {
  if (event.navigationType !== "traverse") return;
  isGoingBack = true;
  const address = new URL(location.href);
  address.searchParams.set(current.data.back, "1");
  history.replaceState(history.state, "", address);
}

/** After a change of the theme, which Python is told with the next action alone, ask for the pictures that are drawn in its colours. */
function followTheme() {
  const shown = getComputedStyle(/** @type {Element} */ (document.querySelector(".stApp"))).colorScheme;
  if (!["light", "dark"].includes(shown) || shown === drawnIn) return;
  if (drawnIn !== "" || shown !== current.data.theme) ask("theme", shown);
  drawnIn = shown;
}

/** Streamlit keeps a chosen theme for the page alone that was loaded first: let all pages have it. */
function shareTheme() {
  const [{ name }] = performance.getEntriesByType("navigation");
  const own = Object.keys(localStorage).find((key) => THEME.exec(key)?.[1] === new URL(name).pathname);
  if (!own) return;
  const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(PAGES)); // a narrow window has a part of them
  for (const path of [location.pathname, ...Array.from(links, ({ pathname }) => pathname)]) {
    localStorage.setItem(own.replace(THEME, `stActiveTheme-${path}-$2`), /** @type {string} */ (localStorage.getItem(own)));
  }
}

/** Restore a rail that was not there before: a slow page shows it later, and Data has none. */
function followRail() {
  const shown = document.querySelector(RAIL);
  if (shown && shown !== rail) restoreRail();
  rail = shown ?? rail;
}

/** Let the keyboard come to formulas that are wider than their place, and scroll them. Each is announced by an animation. */
function reachFormulas() {
  for (const formula of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".katex-display"))) {
    if (formula.scrollWidth > formula.clientWidth + 1) formula.tabIndex = 0;
    else formula.removeAttribute("tabindex");
  }
}

/**
 * Note how the reader leaves the rail; a narrow window, where it covers the page, has nothing to say about others.
 * @param {MouseEvent} event
 */
function rememberRail(event) {
  if (!event.isTrusted || innerWidth <= NARROW) return;
  if (around(event.target, CLOSE)) localStorage.setItem(REMEMBERED, "closed");
  if (around(event.target, OPEN)) localStorage.setItem(REMEMBERED, "open");
}

/** The nearest element around a target that a selector names. @param {EventTarget | null} target @param {string} selector */
function around(target, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}

/**
 * The summary line has the tree of the last run: while a slider is elsewhere, it shows that tree's size and score.
 * @param {Event} event
 */
function showMoved(event) {
  const { detail: text } = /** @type {CustomEvent<string>} */ (event);
  const shown = /** @type {HTMLElement | null} */ (document.querySelector(".st-key-summary em"));
  if (text === "") delete shown?.dataset.moved;
  else if (shown) shown.dataset.moved = text;
}

/**
 * A tab that is pressed may have less below it than the one before: the page stays as high as it is scrolled.
 * @param {PointerEvent} event
 */
function keepScrolled(event) {
  const page = around(event.target, '[role="tab"]') && around(event.target, ".st-key-page");
  if (!page) return;
  const last = /** @type {HTMLElement} */ (page.lastElementChild);
  last.style.minHeight = `${page.getBoundingClientRect().bottom - last.getBoundingClientRect().top}px`;
}

/**
 * A page that is chosen while a popover is open waits until that is closed: else the run that its end starts meets the page.
 * @param {PointerEvent} event
 */
function leaveAfterPopover(event) {
  const link = event.button === 0 ? around(event.target, PAGE_LINK) : null;
  if (!link || !document.querySelector(POPOVER)) return;
  awaited = link.getAttribute("href");
  setTimeout(() => leave(MOST_LOOKS), LOOK_AGAIN);
}

/** @param {PointerEvent} event */
function reachNumber(event) {
  const field = around(event.target, NUMBER);
  reached = field === document.activeElement ? null : field;
}

/**
 * The click that comes to a field for a number chooses all of it, as in a spreadsheet, but for a part that was dragged over.
 * Typing replaces it; and it goes into a field that was just emptied.
 * @param {MouseEvent} event
 */
function chooseNumber(event) {
  const emptied = around(event.target, EMPTY_NUMBER)?.parentElement?.querySelector(NUMBER);
  const field = /** @type {HTMLInputElement | null} */ (emptied ?? around(event.target, NUMBER));
  if (emptied) field?.focus();
  else if (field && field === reached && !String(getSelection())) field.select();
}

/** @param {MouseEvent} event */
function waitForPopover(event) {
  if (awaited === null || !event.isTrusted || !around(event.target, PAGE_LINK)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Go to the page that waits, as soon as nothing stands in its way. @param {number} looks */
function leave(looks) {
  const popover = document.querySelector(POPOVER);
  popover?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", code: "Escape", keyCode: 27, bubbles: true }));
  const isBusy = !document.querySelector('.stApp[data-test-script-state="notRunning"]');
  if ((popover || isBusy) && looks > 0) {
    setTimeout(() => leave(looks - 1), LOOK_AGAIN);
    return;
  }
  const address = awaited;
  awaited = null;
  clickOn(`${PAGE_LINK}[href="${address}"]`);
}

/** Close or open the rail as it was left; in a narrow window it starts closed, which Streamlit would keep for others. */
function restoreRail() {
  const wanted = localStorage.getItem(REMEMBERED);
  clickOn(innerWidth <= NARROW || wanted === "closed" ? CLOSE : OPEN);
}

/** @param {string} selector */
function clickOn(selector) {
  /** @type {HTMLElement | null} */ (document.querySelector(selector))?.click();
}

/** @param {HTMLElement} target */
function isTyping(target) {
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName) && /** @type {HTMLInputElement} */ (target).type !== "range";
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
  if (event.key === "Tab") reachFormulas();
  if (goesAlongSteps(event, target)) return;
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(target)) return;
  if (event.key === "p" || event.key === "P") present(!current.data.presenter);
  else if (!showsWhole(event) && !answersQuestion(event.key) && !(drivesTimeline(event) && TIMELINE_KEYS.has(event.key) && moveTimeline(event.key, target))) {
    if (!current.data.presenter || event.key !== "Escape") return;
    present(false);
  }
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Undo or redo, where the browser or a drawing does not do so itself: a list that is closed holds no text.
 * @param {KeyboardEvent} event @param {HTMLElement} target
 */
function goesAlongSteps(event, target) {
  const key = event.key.toLowerCase();
  const isAsked = (event.ctrlKey || event.metaKey) && !event.altKey && (key === "z" || (key === "y" && !event.shiftKey));
  const hasOwn = (target.matches(TEXTS) && !target.matches(CLOSED_LIST)) || isWithin(event, DRAWING);
  if (!isAsked || hasOwn) return false;
  const last = asked.at(-1)?.[0] ?? current.data.done;
  asked.push([last + 1, key === "y" || event.shiftKey ? "redo" : "undo"]);
  askForSteps();
  event.preventDefault();
  event.stopPropagation();
  return true;
}

function askForSteps() {
  nAsks += 1;
  ask("steps", { ask: nAsks, steps: asked });
}

/** @param {Event} event */
function leftByMenu({ target }) {
  if (around(target, ".st-key-presenter") && !(/** @type {HTMLInputElement} */ (target).checked)) leaveLargeLetters();
}

/** @param {boolean} isWanted */
function present(isWanted) {
  if (!isWanted) leaveLargeLetters();
  ask("presenter", isWanted);
}

/**
 * Ask Python for the whole page. Streamlit sends what is set in one turn of the browser as one request, for the part of
 * the page that came first: a node chosen just before would have that part run alone, without the style of the page.
 * @param {"presenter" | "steps" | "theme"} name @param {unknown} value
 */
function ask(name, value) {
  setTimeout(() => current.setTriggerValue(name, value));
}

/** A table takes the size of its letters from the page when it is mounted, which may be before the page's style changes. */
function leaveLargeLetters() {
  document.documentElement.style.fontSize = "100%";
}

/** A tree with the focus has the key for itself, and in a table one types it. @param {KeyboardEvent} event */
function showsWhole(event) {
  const [view] = views();
  if (event.key.toLowerCase() !== "f" || !view || isWithin(event, "[role=tree], [data-testid=stDataFrame]")) return false;
  view.toggleFullScreen();
  return true;
}

/** @param {Event} event @param {string} selector */
function isWithin(event, selector) {
  return event.composedPath().some((element) => element instanceof Element && element.matches(selector));
}

/** @param {string} key */
function answersQuestion(key) {
  return /^[1-9]$/.test(key) && views().some((view) => view.answerKey(key));
}

function views() {
  return current.data.views.flatMap((name) => globalThis.decisionTreeViews?.get(name) ?? []);
}

/**
 * Whether the keys of the timeline are its own: in the presenter mode, and while it asks, but where a control uses them.
 * @param {KeyboardEvent} event
 */
function drivesTimeline(event) {
  if (current.data.presenter) return true;
  if (!views().some((view) => view.asksFirst()) || isWithin(event, USES_ARROWS)) return false;
  const isNext = event.key === "ArrowRight" && views().some((view) => view.offersNext());
  return isNext || !isWithin(event, "[role=tree]");
}

/**
 * Give the key to the page's timeline; a focused button keeps its space.
 * @param {string} key @param {HTMLElement} target
 */
function moveTimeline(key, target) {
  if (key === " " && target.closest?.("button, a, summary, [role=button]")) return false;
  for (const name of current.data.views) {
    const view = globalThis.decisionTreeViews?.get(name) ?? globalThis.ensembleViews?.get(name);
    if (view?.timelineKey(key)) return true;
  }
  return false;
}
