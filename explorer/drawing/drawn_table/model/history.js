// Undo and redo: the states before the present one, and those that were undone.

const MOST_STATES = 100;

export class History {
  constructor(state) {
    [this.past, this.present, this.future] = [[], state, []];
  }

  /** A new state; what was undone before is lost. With `merges` it takes the place of the present one. */
  push(state, merges = false) {
    if (!merges) this.past = [...this.past, this.present].slice(-MOST_STATES);
    [this.present, this.future] = [state, []];
  }

  undo() {
    if (!this.past.length) return false;
    this.future.push(this.present);
    this.present = this.past.pop();
    return true;
  }

  redo() {
    if (!this.future.length) return false;
    this.past.push(this.present);
    this.present = this.future.pop();
    return true;
  }
}
