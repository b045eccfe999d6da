// Undo and redo: the states before the present one, and those that were undone.

const MOST_STATES = 100;

/** @template State */
export class History {
  /** @param {State} state */
  constructor(state) {
    /** @type {State[]} */
    this.past = [];
    this.present = state;
    /** @type {State[]} */
    this.future = [];
  }

  /**
   * A new state; what was undone before is lost. With `merges` it takes the place of the present one.
   * @param {State} state
   */
  push(state, merges = false) {
    if (!merges) this.past = [...this.past, this.present].slice(-MOST_STATES);
    [this.present, this.future] = [state, []];
  }

  undo() {
    return this.step(this.past, this.future);
  }

  redo() {
    return this.step(this.future, this.past);
  }

  /** @param {State[]} from @param {State[]} to */
  step(from, to) {
    if (from.length === 0) return false;
    to.push(this.present);
    [this.present] = from.splice(-1);
    return true;
  }
}
