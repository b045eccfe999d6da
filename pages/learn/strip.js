// The strip below the picture of a scene: its steps, back and next, playing by itself, and the keys of the whole page.
//
// data: {scene, titles (of the steps), said ("Step 1 of 5" …), position, open (options of the question that is not answered
// yet, else 0), next (the button after the last step; "" where nothing follows), presenter, echo (number of the last report
// that Python has processed), words}. Reports: {number, go: step}, {number, answer: option} (−1: show it), {number, next: true}.

/**
 * @typedef {{ scene: string, titles: string[], said: string[], position: number, open: number, next: string, presenter: boolean,
 *   echo: number, words: { back: string, next: string, play: string, pause: string, steps: string } }} StripData
 */

const [EACH, ASKED] = [8000, 20000]; // milliseconds of a step while playing, and of a question before its answer is shown
const AGAIN = 4000; // milliseconds after which a report is sent again that an idle Python has not processed
const MOVES = new Map([["ArrowLeft", -1], ["ArrowRight", 1], ["PageUp", -1], ["PageDown", 1], ["Home", -Infinity], ["End", Infinity]]);
const TYPED = "input:not([type=range], [type=radio], [type=checkbox], [type=button]), textarea, select, [contenteditable=true]";
const ARROWED = "input, [role=tree], [role=grid], [role=tablist], [role=slider], [role=radiogroup], [role=listbox], [role=menu], [data-own-keys]";
const PRESSED = "button, a, summary, input, [role=button], [role=tree]";
const OPEN_IN_RAIL = '.st-key-learn_rail [kind="primary"]';
const RAIL_DRAWN = 300; // milliseconds until the rail has marked the scene that is opened
/** @type {StripData} */
const NONE = { scene: "", titles: [], said: [], position: 0, open: 0, next: "", presenter: false, echo: 0, words: { back: "", next: "", play: "", pause: "", steps: "" } };
/** @type {WeakMap<ShadowRoot, Strip>} */
const strips = new WeakMap();

/**
 * Called by Streamlit on mounting, and again when the data or the theme change.
 * @param {Component<StripData>} component
 */
export default function mountStrip(component) {
  const { parentElement } = component;
  const strip = strips.get(parentElement) ?? new Strip(parentElement);
  strips.set(parentElement, strip);
  strip.update(component);
  return () => {
    strips.get(parentElement)?.destroy();
    strips.delete(parentElement);
  };
}

/** Scroll the rail to the scene that is open: on a low screen its last scenes are below the fold. */
function showInRail() {
  document.querySelector(OPEN_IN_RAIL)?.scrollIntoView({ block: "nearest" });
}

class Strip {
  /** @param {ShadowRoot} parentElement */
  constructor(parentElement) {
    this.data = NONE;
    this.position = this.sent = this.timer = this.repeat = 0;
    this.isPlaying = this.wasPlaying = this.isAtButton = this.isLeaving = false;
    /** @type {(fields: object) => void} */
    this.report = () => {};
    this.back = button("back", "‹", () => this.move(-1));
    this.play = button("play", "▶", () => this.setPlaying(!this.isPlaying));
    this.next = button("next", "›", () => this.onward());
    this.dots = element("ol", "dots");
    this.said = element("span", "said");
    this.said.setAttribute("aria-live", "polite");
    this.time = element("div", "time");
    this.root = element("div", "strip");
    this.root.append(this.back, this.play, this.dots, this.said, this.next, this.time);
    parentElement.append(this.root);
    this.listeners = new AbortController();
    const options = { capture: true, signal: this.listeners.signal };
    document.addEventListener("keydown", (event) => this.onKey(event), options);
    document.addEventListener("pointerdown", (event) => this.onPointer(event), options);
  }

  /** @param {Component<StripData>} component */
  update(component) {
    this.report = (fields) => component.setTriggerValue("event", { number: this.sent, ...fields });
    if (component.data.echo >= this.sent) clearInterval(this.repeat);
    const { data } = component;
    const isOther = data.scene !== this.data.scene;
    if (!isOther && data.echo < this.sent) return;
    this.data = data;
    this.position = data.position;
    Object.assign(this.root.dataset, { settled: `${data.scene} ${data.position}`, open: String(data.open) });
    if (isOther) this.build();
    if (isOther) setTimeout(showInRail, RAIL_DRAWN);
    if (isOther && this.isPlaying) this.setPlaying(false);
    this.show();
    this.schedule();
  }

  build() {
    const { titles, words } = this.data;
    this.dots.replaceChildren(...titles.map((title, step) => {
      const dot = button("dot", "", () => this.go(step));
      name(dot, `${step + 1}. ${title}`);
      const item = element("li", "");
      item.append(dot);
      return item;
    }));
    name(this.back, words.back);
    this.isAtButton = this.isLeaving = false;
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", words.steps);
  }

  show() {
    const { titles, said, next, words, presenter } = this.data;
    const isLast = this.position === titles.length - 1;
    this.root.classList.toggle("presenter", presenter);
    this.back.disabled = this.position === 0;
    this.next.disabled = isLast && !next;
    this.next.classList.toggle("onward", isLast && Boolean(next));
    this.next.textContent = isLast && next ? next : "›";
    name(this.next, isLast && next ? next : words.next);
    this.play.disabled = isLast && !this.data.open;
    this.play.textContent = this.isPlaying ? "❚❚" : "▶";
    name(this.play, this.isPlaying ? words.pause : words.play);
    this.said.textContent = said[this.position];
    Array.from(this.dots.children).forEach((item, step) => {
      const [dot] = item.children;
      dot.classList.toggle("done", step < this.position);
      if (step === this.position) dot.setAttribute("aria-current", "step");
      else dot.removeAttribute("aria-current");
    });
  }

  /** @param {object} fields */
  send(fields) {
    this.sent = Math.max(Date.now(), this.sent + 1);
    this.report(fields);
    clearInterval(this.repeat);
    this.repeat = window.setInterval(() => isIdle() && this.report(fields), AGAIN);
  }

  /**
   * Go to a step: shown at once in the strip, and reported.
   * @param {number} step
   */
  go(step) {
    this.isAtButton = false;
    const wanted = Math.max(0, Math.min(step, this.data.titles.length - 1));
    if (wanted === this.position) return;
    this.position = wanted;
    this.data = { ...this.data, open: 0 }; // known again once Python has answered
    this.show();
    this.send({ go: wanted });
  }

  /**
   * One step on or back; after the last one the button of what follows gets the focus, and then is pressed.
   * @param {number} by
   */
  move(by) {
    const isEnd = by === 1 && this.position === this.data.titles.length - 1 && this.data.next;
    if (!isEnd) this.go(by === -Infinity ? 0 : by === Infinity ? this.data.titles.length - 1 : this.position + by);
    else if (this.isAtButton) this.onward();
    else {
      this.isAtButton = true;
      this.next.focus();
    }
  }

  onward() {
    if (this.position < this.data.titles.length - 1) this.go(this.position + 1);
    else if (this.data.next && !this.isLeaving) {
      this.isLeaving = true;
      this.send({ next: true });
    }
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.root.isConnected) return;
    const path = event.composedPath().flatMap((each) => (each instanceof Element ? [each] : []));
    const isWithin = (/** @type {string} */ selector) => path.some((each) => each.matches(selector));
    if (!isWithin(".strip .play")) this.setPlaying(false);
    if (isWithin(TYPED) || !this.take(event.key, isWithin)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Do what a key stands for; false where it belongs to what has the focus.
   * @param {string} key @param {(selector: string) => boolean} isWithin
   */
  take(key, isWithin) {
    if (/^[1-9]$/.test(key) && Number(key) <= this.data.open) {
      this.send({ answer: Number(key) - 1 });
      return true;
    }
    if (key === " " && !isWithin(PRESSED)) {
      this.setPlaying(!this.wasPlaying);
      return true;
    }
    const by = MOVES.get(key);
    if (by === undefined || (key.startsWith("Page") && !this.data.presenter)) return false;
    if (isWithin(ARROWED) && !(this.data.presenter && isWithin("[role=tree]"))) return false;
    this.move(by);
    return true;
  }

  /** @param {PointerEvent} event */
  onPointer(event) {
    if (!event.composedPath().includes(this.play)) this.setPlaying(false);
  }

  /** @param {boolean} isPlaying */
  setPlaying(isPlaying) {
    this.wasPlaying = this.isPlaying;
    if (this.isPlaying === isPlaying) return;
    this.isPlaying = isPlaying;
    this.show();
    this.schedule();
  }

  /** While playing: wait as long as the step deserves, then go on. */
  schedule() {
    clearTimeout(this.timer);
    this.time.replaceChildren();
    if (!this.isPlaying) return;
    const wait = this.data.open ? ASKED : EACH;
    const bar = element("div", "bar");
    bar.style.animationDuration = `${wait}ms`;
    this.time.append(bar);
    this.timer = window.setTimeout(() => this.playOn(), wait);
  }

  playOn() {
    if (this.data.open) this.send({ answer: -1 });
    else if (this.position < this.data.titles.length - 1) this.go(this.position + 1);
    else this.setPlaying(false);
  }

  destroy() {
    clearTimeout(this.timer);
    clearInterval(this.repeat);
    this.listeners.abort();
    this.root.remove();
  }
}

/** Whether no script of the page runs: a report would end it before it has shown anything. */
function isIdle() {
  return document.querySelector('[data-testid="stApp"]')?.getAttribute("data-test-script-state") === "notRunning";
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {string} className
 */
function element(tag, className) {
  const made = document.createElement(tag);
  made.className = className;
  return made;
}

/** @param {string} className @param {string} sign @param {() => void} onClick */
function button(className, sign, onClick) {
  const made = element("button", className);
  made.type = "button";
  made.textContent = sign;
  made.addEventListener("click", onClick);
  return made;
}

/** @param {HTMLElement} control @param {string} text */
function name(control, text) {
  control.title = text;
  control.setAttribute("aria-label", text);
}
