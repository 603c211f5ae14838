/**
 * The race by keys and by ear: a key for each place, by where it is on the keyboard and not by its letter, and keys that
 * read out what lies there. They work while the board has focus; arrows are in keys.js.
 * @module
 */

/** @import {Position, RaceView} from "./types.js" */
import { sorted, spoken, words } from "./cards.js";
import { look } from "./look.js";
import { counts } from "./race-say.js";

const BEDS = [1, 2, 3, 4, 5, 6];

/** @type {[code: string, pile: string][]} */
const PLACES = [
  ...BEDS.map((number) => /** @type {[string, string]} */ ([`Digit${number}`, `bed${number}`])),
  ...[..."QWERTYUIASDFGHJK"].map((letter, index) => /** @type {[string, string]} */ ([`Key${letter}`, `bouquet${index + 1}`])),
];

/**
 * @typedef {object} Outlet
 * @property {(pile: string) => void} pick
 * @property {(sentence: string) => void} read
 * @property {() => Position | null} position
 * @property {() => RaceView | null} view
 * @property {() => string} time
 * @property {() => string} latest what just happened
 */

export class RaceKeys {
  #places = new Map(PLACES);
  /** @type {Map<string, () => string>} */ #readings;
  /** @type {Map<string, string>} what is printed on a key, where the browser knows */ #printed = new Map();
  #outlet;

  /** @param {HTMLElement} board @param {Outlet} outlet */
  constructor(board, outlet) {
    this.#outlet = outlet;
    this.#readings = new Map([
      ["KeyZ", () => this.#beds()],
      ["KeyX", () => this.#bouquet()],
      ["KeyC", () => this.#foundations()],
      ["KeyV", () => this.#standing()],
      ["KeyB", () => outlet.latest()],
    ]);
    board.addEventListener("keydown", (event) => this.#press(event));
    this.#learn();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || look("keys") === "off") return;
    const pile = this.#places.get(event.code);
    const reading = this.#readings.get(event.code);
    if (!pile && !reading) return;
    event.preventDefault();
    if (event.repeat) return;
    if (pile) this.#outlet.pick(pile);
    if (reading) this.#outlet.read(reading() || gettext("Nothing yet."));
  }

  async #learn() {
    const keyboard = /** @type {{keyboard?: {getLayoutMap: () => Promise<Map<string, string>>}}} */ (navigator).keyboard;
    if (keyboard) this.#printed = await keyboard.getLayoutMap().catch(() => new Map());
  }

  /** @param {string} code */
  #key(code) {
    return (this.#printed.get(code) ?? code.replace("Key", "")).toUpperCase();
  }

  /** @param {string} pile */
  #top(pile) {
    return this.#outlet.position()?.piles[pile]?.at(-1) ?? "";
  }

  #beds() {
    const parts = BEDS.map((number) => {
      const top = this.#top(`bed${number}`);
      return `${number}: ${top ? spoken(top) : gettext("empty")}`;
    });
    return interpolate(gettext("Beds. %(list)s."), { list: parts.join("; ") }, true);
  }

  /** Sorted, each card with its key. */
  #bouquet() {
    const cards = PLACES.filter(([, pile]) => pile.startsWith("bouquet")).map(([code, pile]) => /** @type {const} */ ([this.#top(pile), code]));
    const codes = new Map(cards.filter(([face]) => face));
    const list = sorted([...codes.keys()], (face) => {
      return interpolate(gettext("%(rank)s on %(key)s"), { ...words(face), key: this.#key(codes.get(face) ?? "") }, true);
    });
    return list ? interpolate(gettext("Bouquet. %(list)s."), { list }, true) : gettext("The bouquet is empty.");
  }

  #foundations() {
    const tops = [1, 2, 3, 4].map((number) => this.#top(`foundation${number}`)).filter(Boolean);
    if (!tops.length) return gettext("No card is home yet.");
    return interpolate(gettext("Foundations. %(list)s."), { list: tops.map(spoken).join("; ") }, true);
  }

  #standing() {
    const view = this.#outlet.view();
    return view ? `${counts(view)} ${this.#outlet.time()}` : "";
  }
}
