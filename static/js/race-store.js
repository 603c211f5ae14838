/**
 * The newest view of a race, the one request under way, and what waits for its answer: one pick, and words.
 * Nothing is drawn before the server has judged it: only the server knows whether a card fits.
 * @module
 */

/** @import {Face, RaceMessage, RaceRefusal, RaceRequest, RaceView} from "./types.js" */
import { isNewer, isPlaying, judged, own } from "./race-view.js";

// The server takes two picks within 60 ms for a machine's. Two thumbs can be as fast, so the second waits a little;
// and where the first was held up on the way, it waits from its answer on.
const HAND = 60;
const PACE = 90;

/** @typedef {{entry: string, face: Face}} Pick a pile, and the card that was meant */
/** @typedef {{round: number, version: number, entry: string, pick: Pick | null, judged: number}} Asked */

/**
 * @typedef {object} Outlet
 * @property {(request: RaceRequest) => boolean} send
 * @property {(view: RaceView, before: RaceView | null) => void} show
 * @property {(refusal: RaceRefusal) => void} refused
 * @property {(pile: string) => void} asking the pick that is under way, "" for none
 */

export class RaceStore {
  /** @type {RaceView | null} */ view = null;
  /** @type {Asked | null} */ #asked = null;
  /** @type {Pick | null} */ #held = null;
  /** @type {string[]} */ #words = [];
  #pickedAt = -Infinity;
  #answeredAt = -Infinity;
  #outlet;

  /** @param {Outlet} outlet */
  constructor(outlet) {
    this.#outlet = outlet;
  }

  get newest() {
    return { round: this.view?.round ?? 0, version: this.view?.version ?? -1 };
  }

  /** Pick the top card of a pile, or deal again; now, or after what is under way. @param {string} entry */
  pick(entry) {
    if (this.#asked?.pick?.entry !== entry) this.#held ??= { entry, face: this.#top(entry) };
    this.#next();
  }

  /** @param {string} word `ready`, `call`, … */
  say(word) {
    this.#words.push(word);
    this.#next();
  }

  /** Say again what was not answered: the server counts it once. */
  resend() {
    const { round, version, entry } = this.#asked ?? {};
    if (round !== undefined && version !== undefined && entry) this.#outlet.send({ type: "do", round, version, entry });
  }

  /** @param {RaceMessage} message */
  receive(message) {
    if (message.type === "race") this.#take(message);
    else if (message.type === "refused") this.#refuse(message);
  }

  /** @param {RaceView} view */
  #take(view) {
    const before = this.view;
    if (before && isNewer(before, view)) return;
    this.view = view;
    if (own(view).locked_until !== (before && own(before).locked_until)) this.#held = null; // a pick went wrong
    if (this.#asked && isAnswered(view, this.#asked)) {
      if (this.#asked.pick) this.#answeredAt = performance.now();
      this.#asked = null;
    }
    this.#outlet.show(view, before);
    this.#next();
  }

  /** @param {RaceRefusal} refusal */
  #refuse(refusal) {
    const asked = this.#asked;
    if (!asked || !isAnswer(refusal, asked)) return;
    this.#asked = null;
    this.#held = refusal.code === "stale" ? asked.pick : null; // something else of ours was faster: the card may lie there still
    if (!this.#held) this.#outlet.refused(refusal);
    this.#settle();
  }

  /** Ask for what waits, if nothing is under way. A card that came to the top meanwhile is not the one that was meant. */
  #next() {
    const view = this.view;
    if (!view || this.#asked) return;
    const word = this.#words.shift();
    if (word) return this.#ask(view, word, null);
    const early = Math.max(this.#pickedAt + PACE, this.#answeredAt + HAND) - performance.now();
    if (this.#held && early > 0) return void setTimeout(() => this.#next(), early);
    const held = this.#held;
    this.#held = null;
    if (held && isPlaying(view) && this.#top(held.entry) === held.face) this.#ask(view, held.entry, held);
    else this.#settle();
  }

  /** @param {RaceView} view @param {string} entry @param {Pick | null} pick */
  #ask(view, entry, pick) {
    if (pick) this.#pickedAt = performance.now();
    this.#asked = { ...this.newest, entry, pick, judged: judged(own(view)) };
    this.resend();
    this.#settle();
  }

  #settle() {
    this.#outlet.asking((this.#asked?.pick ?? this.#held)?.entry ?? "");
  }

  /** @param {string} pile */
  #top(pile) {
    return this.view ? (own(this.view).piles?.[pile]?.at(-1) ?? null) : null;
  }
}

/**
 * The rival's entries make versions too, so for a pick a newer version alone is no answer.
 * @param {RaceView} view
 * @param {Asked} asked
 */
function isAnswered(view, asked) {
  if (!asked.pick) return isNewer(view, asked);
  return view.round !== asked.round || view.phase !== "running" || judged(own(view)) > asked.judged;
}

/** Refused before it was read, a request comes back without its entry. @param {RaceRefusal} refusal @param {Asked} asked */
function isAnswer({ round, version, entry }, asked) {
  return !entry || (round === asked.round && version === asked.version && entry === asked.entry);
}
