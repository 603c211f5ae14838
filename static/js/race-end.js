/**
 * The end of a round: the box that tells both in words why it ended, and the line that keeps it in sight while the next
 * round is made ready.
 * @module
 */

/** @import {RaceView} from "./types.js" */
import { match, outcome, reason } from "./race-say.js";

export class End {
  #box;
  #replay;
  #told = 0;

  /** @param {HTMLDialogElement} box @param {string} replay address of the replay of round 0 */
  constructor(box, replay) {
    this.#box = box;
    this.#replay = replay;
  }

  /** @param {RaceView} view */
  show(view) {
    if (view.phase !== "over") return this.#box.open && this.#box.close();
    if (this.#told === view.round) return;
    this.#told = view.round;
    this.#write(view);
    this.#box.show();
  }

  /** @param {RaceView} view */
  #write(view) {
    /** @type {Record<string, string>} */
    const texts = { outcome: outcome(view), reason: reason(view), match: match(view), last: sentence(view) };
    for (const [key, text] of Object.entries(texts)) {
      for (const element of document.querySelectorAll(`[data-end="${key}"]`)) element.textContent = text;
    }
    for (const link of document.querySelectorAll("[data-end='replay']")) {
      /** @type {HTMLAnchorElement} */ (link).href = this.#replay.replace("/0/", `/${view.round}/`);
    }
    const next = view.decided ? gettext("Rematch") : gettext("Next round");
    for (const label of document.querySelectorAll("[data-end='next']")) label.textContent = next;
    for (const line of document.querySelectorAll(".last-round")) /** @type {HTMLElement} */ (line).hidden = false;
  }
}

/** All of it, to be said. @param {RaceView} view */
export const sentence = (view) => [`${outcome(view)}.`, reason(view), match(view)].filter(Boolean).join(" ");
