/**
 * Waiting for anyone: two who came at the same moment each have a room and nobody in it. So the page asks again from time
 * to time whether somebody else waits. Who goes to whom is for the server to say.
 * @module
 */

/** @import {RaceView} from "./types.js" */

const FIRST = 1_500; // once the server knows that this host is here
const AGAIN = 15_000;

export class Waiting {
  /** @type {RaceView | null} */ #view = null;
  #form = /** @type {HTMLFormElement | null} */ (document.querySelector("#look-again"));
  #timer = 0;

  /** @param {RaceView} view */
  show(view) {
    this.#view = view;
    if (this.#form && view.phase === "open") this.#timer ||= setTimeout(() => this.#look(), FIRST);
  }

  async #look() {
    this.#timer = setTimeout(() => this.#look(), AGAIN);
    if (!this.#form || document.hidden || this.#view?.phase !== "open") return;
    const answer = await fetch(this.#form.action, { method: "POST", body: new FormData(this.#form) }).catch(() => null);
    if (answer?.ok && new URL(answer.url).pathname !== location.pathname) location.assign(answer.url);
  }
}
