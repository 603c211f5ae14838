/**
 * The strips of the two sides, and whatever else on the page names them: who is there, how far each has come, who is
 * ready, how the match stands. What runs by the clock is in race-deadlines.js.
 * @module
 */

/** @import {RaceView, Side} from "./types.js" */
import { nameOf, own, ownNumber, rivalName } from "./race-view.js";

/** @type {Record<Side["presence"], string>} */
const PRESENCES = {
  away: gettext("not here"),
  here: gettext("here"),
  closed: gettext("closed the page"),
  lost: gettext("connection lost"),
  ghost: gettext("ghost"),
};

export class Sides {
  #page;

  /** @param {HTMLElement} page */
  constructor(page) {
    this.#page = page;
  }

  /** @param {RaceView} view */
  show(view) {
    this.#page.dataset.phase = view.phase;
    for (const element of this.#page.querySelectorAll("[data-when]")) {
      const when = /** @type {HTMLElement} */ (element).dataset.when?.split(" ") ?? [];
      /** @type {HTMLElement} */ (element).hidden = !when.includes(view.phase);
    }
    for (const button of this.#page.querySelectorAll("button[data-entry]:disabled")) {
      /** @type {HTMLButtonElement} */ (button).disabled = false; // a press was not heard before
    }
    const first = ownNumber(view);
    this.#strip("own", view, first);
    this.#strip("rival", view, 3 - first);
    this.#figures(view);
  }

  /** @param {RaceView} view */
  #figures(view) {
    const { score: one } = own(view);
    const { score: other } = view.sides[2 - ownNumber(view)];
    const names = `${nameOf(view, ownNumber(view))} – ${rivalName(view)}`;
    const title = view.phase === "open" ? interpolate(gettext("Race %(code)s"), view, true) : names;
    this.#fill(this.#page, { title, score: `${one} : ${other}`, watchers: view.watchers });
    this.#only("score", view.best_of > 1);
    this.#only("watchers", view.watchers > 0);
    document.title = `${title} · Lilypad`;
  }

  /** @param {"own" | "rival"} place @param {RaceView} view @param {number} number of the side */
  #strip(place, view, number) {
    const side = view.sides[number - 1];
    const name = nameOf(view, number);
    const isMissing = !side.taken && !view.ghost;
    for (const element of this.#page.querySelectorAll(`[data-side="${place}"]`)) {
      this.#fill(element, {
        name,
        home: side.home,
        beds: interpolate(ngettext("%(beds)s card left in the beds", "%(beds)s cards left in the beds", side.beds), side, true),
        presence: isMissing || view.seat === number ? "" : PRESENCES[side.presence],
        ready: side.ready ? gettext("ready") : gettext("not ready yet"),
        stuck: side.stuck ? gettext("stuck") : "",
        commitment: side.commitment,
      });
      element.classList.toggle("is-ready", side.ready);
      element.classList.toggle("is-gone", !isMissing && ["away", "closed", "lost"].includes(side.presence));
      const bar = element.querySelector("progress");
      if (bar) bar.value = bar.max - side.beds;
      const use = element.querySelector("[data-icon] use");
      use?.setAttribute("href", `${use.getAttribute("href")?.split("#")[0]}#${side.presence}`);
    }
  }

  /** @param {Element} root @param {Record<string, string | number>} figures */
  #fill(root, figures) {
    for (const [key, value] of Object.entries(figures)) {
      for (const element of root.querySelectorAll(`[data-fill="${key}"]`)) {
        if (element.textContent !== String(value)) element.textContent = String(value);
      }
    }
  }

  /** @param {string} key @param {boolean} shown */
  #only(key, shown) {
    for (const element of this.#page.querySelectorAll(`[data-only="${key}"]`)) /** @type {HTMLElement} */ (element).hidden = !shown;
  }
}
