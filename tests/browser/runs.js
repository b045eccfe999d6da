// Whether the server has done what the page has asked for. Streamlit's own state says that a script runs only once the
// server has begun: until then a page that has just been clicked looks as if nothing were to come.
(() => {
  const [RERUN, NEW_RUN, RUN_ENDED, ENDED_FOR_ANOTHER] = [11, 4, 6, 2]; // of BackMsg, ForwardMsg and its status
  const LONGEST = 15_000; // milliseconds, then Streamlit's state decides: nothing says that a fragment is gone, for one
  let [isAsked, runs, since] = [false, false, 0];

  // The fields of a message of protocol buffers with their numbers, or the number of bytes of those that have a length.
  function* fields(bytes) {
    let at = 0;
    const number = () => {
      let [value, scale] = [0, 1];
      do {
        value += (bytes[at] & 127) * scale;
        scale *= 128;
      } while (bytes[at++] & 128);
      return value;
    };
    while (at < bytes.length) {
      const [key, value] = [number(), number()];
      yield [Math.floor(key / 8), value];
      at += key % 8 === 2 ? value : 0;
    }
  }

  globalThis.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => this.#heard(new Uint8Array(data)));
      this.addEventListener("close", () => ([isAsked, runs] = [false, false]));
    }

    send(data) {
      if ([...fields(data)].some(([field]) => field === RERUN)) [isAsked, since] = [true, performance.now()];
      super.send(data);
    }

    #heard(bytes) {
      for (const [field, value] of fields(bytes)) {
        if (field === NEW_RUN) [isAsked, runs, since] = [false, true, performance.now()];
        if (field === RUN_ENDED) runs = value === ENDED_FOR_ANOTHER;
      }
    }
  };
  globalThis.isServerDone = () => !(isAsked || runs) || performance.now() - since > LONGEST;
})();
