// The questions to Python: at most one is under way, and of those that wait only the last is sent.

/** @typedef {Record<string, unknown>} Question */

const PATIENCE_MS = 4000;

export class Exchange {
  /**
   * `send(question)` gives a question to Python; `now()` is the time in milliseconds.
   * @param {(question: Question & { number: number }) => void} send
   */
  constructor(send, now = () => performance.now()) {
    this.send = send;
    this.now = now;
    this.number = Date.now() * 100;
    this.sentAt = 0;
    /** @type {number | null} */
    this.underWay = null;
    /** @type {Question | null} */
    this.waiting = null;
    /** @type {number[]} */
    this.roundTrips = [];
  }

  /**
   * Ask; where an answer is still awaited, the question waits. Without an answer for long, it is lost.
   * @param {Question} question
   */
  ask(question) {
    this.waiting = question;
    if (this.underWay === null || this.now() - this.sentAt > PATIENCE_MS) this.sendWaiting();
  }

  sendWaiting() {
    [this.underWay, this.sentAt] = [++this.number, this.now()];
    const question = this.waiting;
    this.waiting = null;
    this.send({ number: this.underWay, ...question });
  }

  /**
   * An answer to the question of this number has come; one that nobody waits for changes nothing.
   * @param {number} number
   */
  answered(number) {
    if (number !== this.underWay) return;
    this.roundTrips.push(this.now() - this.sentAt);
    this.underWay = null;
    if (this.waiting !== null) this.sendWaiting();
  }

  get isIdle() {
    return this.underWay === null;
  }
}
