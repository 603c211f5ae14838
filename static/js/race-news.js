/**
 * News of the rival: a line that is said, and shown for a while where there is something to see. The rival's count is
 * said at a rate that can be borne, and at once when the race is nearly lost. Own picks have a line of their own.
 * @module
 */

/** @import {RaceView} from "./types.js" */
import { own, rival } from "./race-view.js";
import { progress } from "./race-say.js";

const COUNT_EVERY = 10_000;
const SHOWN_FOR = 5_000;
const NEARLY_DONE = 5; // cards left in the beds

export class News {
  #line;
  #told = "";
  #toldAt = -Infinity;
  #timer = 0;
  #hiding = 0;
  /** @type {RaceView | null} */ #view = null;

  /** @param {HTMLElement} line */
  constructor(line) {
    this.#line = line;
  }

  get last() {
    return this.#line.textContent ?? "";
  }

  /** Show and say it. @param {string} sentence */
  tell(sentence) {
    if (!sentence) return;
    clearTimeout(this.#hiding);
    this.#line.classList.remove("unseen");
    this.#hiding = setTimeout(() => this.hide(), SHOWN_FOR);
    this.#line.textContent = sentence;
    this.#toldAt = performance.now();
    this.#wait(); // a count must not talk over it
  }

  /** Show it no longer; it was said. */
  hide() {
    this.#line.classList.add("unseen");
  }

  /** A new view: its counts will be told when it is their turn. @param {RaceView} view @param {RaceView | null} before */
  count(view, before) {
    this.#view = view;
    clearTimeout(this.#timer);
    if (view.phase !== "running") return;
    if (!before || before.phase !== "running") this.#told = progress(view); // nothing new in the count one starts from
    if (this.#isUrgent(view, before)) this.#tellCount();
    else this.#wait();
  }

  #wait() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tellCount(), Math.max(0, this.#toldAt + COUNT_EVERY - performance.now()));
  }

  #tellCount() {
    if (this.#view?.phase !== "running") return;
    const sentence = progress(this.#view);
    if (sentence === this.#told) return;
    this.#told = sentence;
    this.#toldAt = performance.now();
    this.#line.textContent = sentence; // counts are in sight anyway: no need to show the line
  }

  /** @param {RaceView} view @param {RaceView | null} before */
  #isUrgent(view, before) {
    if (!before) return false;
    const pairs = [[rival(before), rival(view)]];
    if (!view.seat) pairs.push([own(before), own(view)]);
    return pairs.some(([then, now]) => now.beds <= NEARLY_DONE && now.home !== then.home);
  }
}
