/**
 * The server's clock as it can be known here. It is for showing only: no timer in a browser decides anything.
 * @module
 */

/** @import {RacePong, RaceView} from "./types.js" */

export class ServerClock {
  #offset = 0; // from this page's own clock, which no change of the device's time disturbs
  #roundTrip = Infinity; // of the pong that told the offset; the shorter, the surer

  /** What a pong brings back as `sent`. */
  stamp() {
    return performance.now();
  }

  /** The time on the server, in milliseconds. */
  now() {
    return performance.now() + this.#offset;
  }

  /** @param {RacePong} pong */
  hear({ sent, now }) {
    const arrived = performance.now();
    const roundTrip = arrived - sent;
    if (roundTrip > this.#roundTrip) return;
    this.#roundTrip = roundTrip;
    this.#offset = now + roundTrip / 2 - arrived;
  }

  /** Until a pong came, a view has to do, however long it took. @param {RaceView} view */
  guess({ now }) {
    if (this.#roundTrip === Infinity) this.#offset = now - performance.now();
  }

  /** A new connection may be to another server, or come after a sleep in which the page's clock stood still. */
  forget() {
    this.#roundTrip = Infinity;
  }
}
