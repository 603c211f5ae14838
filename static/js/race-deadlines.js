/**
 * Whatever runs by the clock: the race's time, 3-2-1, the lock after a wrong pick, time called, and when a round may be
 * claimed. It shows what the server will do; the server does it.
 * @module
 */

/** @import {RaceView} from "./types.js" */
/** @import {ServerClock} from "./race-clock.js" */
import { digits } from "./clock.js";
import { nameOf, own, rival } from "./race-view.js";
import { timeCalled } from "./race-say.js";

const TICK = 100;
const GO_SHOWN = 900;
const LONGEST_LOCK = 1_000;

/**
 * @typedef {object} Outlet
 * @property {(left: number) => void} beat seconds to the start, 0 at the start itself
 */

export class Deadlines {
  /** @type {RaceView | null} */ #view = null;
  #beat = -1;
  #locked = 0;
  #page;
  #clock;
  #outlet;

  /**
   * @param {HTMLElement} page
   * @param {ServerClock} clock
   * @param {Outlet} outlet
   */
  constructor(page, clock, outlet) {
    this.#page = page;
    this.#clock = clock;
    this.#outlet = outlet;
    setInterval(() => this.#tick(), TICK);
  }

  /** @param {RaceView} view */
  show(view) {
    this.#view = view;
    this.#tick();
  }

  /** Is the own table locked after a wrong pick? */
  get isLocked() {
    return this.#view !== null && this.#lockLeft(this.#view) > 0;
  }

  #tick() {
    const view = this.#view;
    if (!view) return;
    const now = this.#clock.now();
    this.#time(view, now);
    this.#count(view, now);
    this.#lock(view);
    this.#call(view, now);
    this.#claim(view, now);
  }

  /** @param {RaceView} view @param {number} now */
  #time({ go_at, ended_at }, now) {
    const seconds = go_at === null ? 0 : Math.max(0, Math.floor(((ended_at ?? now) - go_at) / 1000));
    this.#write("time", digits(seconds));
  }

  /** @param {RaceView} view @param {number} now */
  #count({ phase, go_at }, now) {
    const until = go_at !== null && ["countdown", "running"].includes(phase) ? go_at - now : -Infinity;
    const left = until < -GO_SHOWN ? -1 : Math.max(0, Math.ceil(until / 1000));
    const overlay = this.#find("#countdown");
    hide(overlay, left < 0);
    if (left === this.#beat) return;
    this.#beat = left;
    if (left < 0) return;
    overlay.textContent = left ? String(left) : gettext("Go!");
    this.#outlet.beat(left);
  }

  /** @param {RaceView} view */
  #lockLeft(view) {
    const until = view.phase === "running" && view.seat ? (own(view).locked_until ?? 0) : 0;
    return Math.min(LONGEST_LOCK, until - this.#clock.now());
  }

  /** @param {RaceView} view */
  #lock(view) {
    const left = this.#lockLeft(view);
    const until = own(view).locked_until ?? 0;
    const felt = this.#find(".felt.own");
    if (left > 0 && until !== this.#locked) felt.style.setProperty("--lock", `${left}ms`);
    this.#locked = until;
    felt.classList.toggle("locked", left > 0);
    const board = this.#find("#board");
    put(board, "aria-disabled", left > 0 ? "true" : null);
  }

  /** @param {RaceView} view @param {number} now */
  #call(view, now) {
    const side = [1, 2].find((number) => view.sides[number - 1].out_at !== null) ?? 0;
    const notice = this.#find("#notice");
    hide(notice, !side || view.phase !== "running");
    if (!notice.hidden) {
      const left = seconds((view.sides[side - 1].out_at ?? 0) - now);
      this.#write("call-left", String(left), notice);
      this.#write("call", timeCalled(view, side), notice);
    }
    const { call_from, out_at } = rival(view);
    this.#enable("call", view.phase === "running" && call_from !== null && now >= call_from && out_at === null);
  }

  /** @param {RaceView} view @param {number} now */
  #claim(view, now) {
    const button = this.#page.querySelector('[data-entry="claim"]');
    if (!(button instanceof HTMLElement)) return;
    const { claim_from } = rival(view);
    const left = seconds((claim_from ?? 0) - now);
    hide(button, claim_from === null || view.phase !== "running");
    this.#enable("claim", left <= 0);
    const sentence = left > 0 ? gettext("Claim in %(left)s s") : gettext("Claim the round");
    this.#write("claim", interpolate(sentence, { left, name: nameOf(view, 3 - view.seat) }, true), button);
  }

  /** @param {string} entry @param {boolean} can */
  #enable(entry, can) {
    const button = this.#page.querySelector(`[data-entry="${entry}"]`);
    if (button) put(button, "aria-disabled", String(!can));
  }

  /** @param {string} key @param {string} text @param {Element} root */
  #write(key, text, root = this.#page) {
    for (const element of root.querySelectorAll(`[data-fill="${key}"]`)) {
      if (element.textContent !== text) element.textContent = text;
    }
  }

  /** @param {string} selector */
  #find(selector) {
    return /** @type {HTMLElement} */ (this.#page.querySelector(selector));
  }
}

/** @param {number} milliseconds */
const seconds = (milliseconds) => Math.max(0, Math.ceil(milliseconds / 1000));

// Ten times a second nothing has changed, and even the same value written again would have the browser restyle the page.

/** @param {Element} element @param {string} name @param {string | null} value */
function put(element, name, value) {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** @param {HTMLElement} element @param {boolean} hidden */
function hide(element, hidden) {
  if (element.hidden !== hidden) element.hidden = hidden;
}
