// The question of "Ask me first" below the strip, where the page around is not seen: its answers, then whether one was right.

import { makeElement, putText, setShown } from "../dom.js";
import { visibleText } from "../format.js";
import { say } from "../messages.js";

const MOST_DIGITS = 9;

/** hooks: {onCommand(name, value), onNext()}. */
export function makeQuestion(hooks) {
  return new Question(hooks);
}

class Question {
  constructor(hooks) {
    this.hooks = hooks;
    this.options = [];
    this.verdict = makeElement("strong", "tv-verdict");
    this.answers = makeElement("span", "tv-answers");
    this.next = makeElement("button", "tv-push", { type: "button" }, [say("Next step")]);
    this.next.addEventListener("click", () => hooks.onNext());
    this.element = makeElement("div", "tv-question", { hidden: "" }, [this.answers, this.verdict, this.next]);
  }

  /** `ask` as the view has it, or null; its answers and its verdict are those of one step, `of`. */
  set(ask, position, isLast) {
    const isHere = Boolean(ask?.on) && ask.of === position;
    const options = isHere ? ask.options : [];
    if (options.join("\n") !== this.options.join("\n")) this.show(options);
    putText(this.verdict, isHere ? ask.verdict : "");
    setShown(this.next, isHere && ask.verdict !== "" && !isLast);
    setShown(this.element, isHere && (options.length > 0 || ask.verdict !== ""));
  }

  show(options) {
    this.options = options;
    this.answers.replaceChildren(...options.map((name, at) => this.answer(name, at)));
  }

  answer(name, at) {
    const text = at < MOST_DIGITS ? `${at + 1} ${visibleText(name)}` : visibleText(name);
    const button = makeElement("button", "tv-push", { type: "button" }, [text]);
    button.addEventListener("click", () => this.hooks.onCommand("guess", name));
    return button;
  }

  /** Give the answer of a digit; returns whether there is one. */
  key(key) {
    const name = /^[1-9]$/.test(key) ? this.options[Number(key) - 1] : undefined;
    if (name === undefined) return false;
    this.show([]); // known again once Python has answered
    this.hooks.onCommand("guess", name);
    return true;
  }
}
