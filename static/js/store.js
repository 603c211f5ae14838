/**
 * The newest view of the table, the one request under way and the one gesture that waits for its answer.
 * Draws nothing and sends nothing by itself.
 * @module
 */

/** @import {Message, Refusal, Request, View} from "./types.js" */
import { foresee } from "./moves.js";

/** @typedef {(view: View) => string} Gesture what a person wants, made into an entry once the table is known */

/** @typedef {{version: number, entry: string, listed: boolean}} Asked */

/**
 * @typedef {object} Outlet
 * @property {(request: Request) => boolean} send
 * @property {(view: View, sure: boolean) => void} show `sure` is false while the server has not answered
 * @property {(refusal: Refusal) => void} refused
 * @property {(waiting: boolean) => void} waiting whether moves are under way; called after each change
 */

export class Store {
  /** @type {View | null} */ #view = null;
  /** @type {Asked | null} the request that awaits its answer */ #pending = null;
  /** @type {Asked | null} the last request, which a rival's table may have answered before its refusal came */ #asked = null;
  /** @type {Gesture | null} */ #held = null;
  #outlet;

  /** @param {Outlet} outlet */
  constructor(outlet) {
    this.#outlet = outlet;
  }

  get version() {
    return this.#view?.version ?? -1;
  }

  /** Play what a gesture means, now or after the answer that is awaited. @param {Gesture} gesture */
  act(gesture) {
    if (!this.#view) return;
    if (this.#pending) {
      this.#held ??= gesture;
      return this.#outlet.waiting(true);
    }
    const entry = gesture(this.#view);
    if (!entry) return;
    this.#pending = this.#asked = { version: this.#view.version, entry, listed: this.#view.moves.includes(entry) };
    this.resend();
    this.#show();
    this.#outlet.waiting(true);
  }

  /** Say again what was not answered: the server counts it once. */
  resend() {
    if (this.#pending) this.#outlet.send({ type: "do", version: this.#pending.version, entry: this.#pending.entry });
  }

  /** @param {Message} message */
  receive(message) {
    if (message.type === "table") this.#take(message);
    else if (message.type === "refused") this.#refuse(message);
  }

  /** @param {View} view */
  #take(view) {
    if (view.version < this.version) return;
    this.#view = view;
    if (this.#pending && view.version > this.#pending.version) this.#pending = null;
    this.#show();
    this.#release();
  }

  /** The newest table follows a refusal, so that what was drawn too early is taken back then. @param {Refusal} refusal */
  #refuse(refusal) {
    const asked = this.#asked;
    // Refused before it was read, a request comes back without its entry.
    const ours = !refusal.entry || (refusal.version === asked?.version && refusal.entry === asked.entry);
    if (!asked || !ours) return;
    if (asked.listed) this.#held = null; // it was meant for a table that did not come about
    this.#pending = this.#asked = null;
    this.#outlet.refused(refusal);
  }

  #show() {
    const view = /** @type {View} */ (this.#view);
    const foreseen = this.#pending && foresee(view, this.#pending.entry);
    this.#outlet.show(foreseen ?? view, !this.#pending);
  }

  #release() {
    if (this.#pending) return;
    const gesture = this.#held;
    this.#held = null;
    if (gesture) this.act(gesture);
    this.#outlet.waiting(this.#pending !== null);
  }
}
