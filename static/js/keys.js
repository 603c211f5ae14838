/**
 * The table by keyboard: one Tab stop, arrows between piles and inside them, and single keys while the table has focus.
 * Enter and Space need no code here: they click the button that has focus.
 * @module
 */

/** @import {Hand} from "./hand.js" */
/** @import {Pile} from "./pile.js" */
/** @import {Table} from "./table.js" */
import { look } from "./look.js";

/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @type {Record<string, number>} places in a row, counted from either end */
const ENDS = { Home: 0, End: -1 };

/** @typedef {Record<string, () => void>} Shortcuts what a letter or a digit does */

export class Keys {
  /** @type {HTMLElement | null} the one element of the table that Tab reaches */ #stop = null;
  /** @type {Pile | undefined} the pile where the keyboard last was */ #pile;
  #table;
  #hand;
  #shortcuts;

  /**
   * @param {Table} table
   * @param {Hand} hand
   * @param {Shortcuts} shortcuts
   */
  constructor(table, hand, shortcuts) {
    this.#table = table;
    this.#hand = hand;
    this.#shortcuts = shortcuts;
    table.element.addEventListener("keydown", (event) => this.#press(event));
    table.element.addEventListener("focusin", (event) => this.#stopAt(/** @type {HTMLElement} */ (event.target)));
  }

  /** The pile where the keyboard is, or was last. */
  get pile() {
    return this.#pile;
  }

  /** Go to the table, as Tab would. */
  enter() {
    this.#stop?.focus({ preventScroll: true });
  }

  /** To the next card that can be taken, or to the next place where what is held can go: two keys are enough to play. */
  next() {
    const piles = [...this.#table.piles.values()];
    const lit = piles.filter(({ element }) => element.classList.contains("lit"));
    const live = piles.flatMap((pile) => pile.stops()).filter(({ classList }) => classList.contains("live"));
    const stops = lit.length ? lit.flatMap((pile) => pile.stops().slice(-1)) : live;
    const after = stops.find((stop) => Number(this.#stop?.compareDocumentPosition(stop)) & Node.DOCUMENT_POSITION_FOLLOWING);
    (after ?? stops[0])?.focus({ preventScroll: true });
  }

  /** A new view was drawn: Tab must still reach the table, at the pile where it did. */
  refresh() {
    if (this.#stop?.isConnected && !this.#stop.inert && !this.#stop.hidden) return;
    const stop = (this.#pile ?? this.#table.piles.values().next().value)?.stops().at(-1);
    if (stop) this.#stopAt(stop);
  }

  /** @param {HTMLElement} element */
  #stopAt(element) {
    if (this.#stop) this.#stop.tabIndex = -1;
    element.tabIndex = 0;
    this.#stop = element;
    this.#pile = this.#table.pileAt(element);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.altKey || event.metaKey || (event.ctrlKey && !(event.key in ENDS))) return;
    if (event.key in ENDS) this.#toEnd(ENDS[event.key], event.ctrlKey);
    else if (event.key in WAYS) this.#go(WAYS[event.key]);
    else if (event.key === "Escape") this.#hand.putBack();
    else if (event.key === "+" || event.key === "-") this.#hand.resize(event.key === "+" ? 1 : -1);
    else if (event.key === "Enter" || event.key === " ") {
      if (!event.repeat) return; // the button is clicked; held down it is still one press
    } else if (!this.#letter(event)) return;
    event.preventDefault();
  }

  /** By the letter itself, or by where it is on keyboards that have no Latin ones. @param {KeyboardEvent} event */
  #letter({ key, code, repeat }) {
    if (look("keys") === "off") return false;
    const letter = /^[a-z0-9]$/i.test(key) ? key.toLowerCase() : code.replace("Key", "").toLowerCase();
    const act = this.#shortcuts[letter];
    if (act && !repeat) act();
    return act !== undefined;
  }

  /** To the next card of the same pile, else to the nearest pile that way. @param {[number, number]} way */
  #go([x, y]) {
    const pile = this.#pile;
    if (!pile) return;
    const stops = pile.stops();
    const here = stops.indexOf(/** @type {HTMLButtonElement} */ (this.#stop));
    const inside = y === 0 ? undefined : stops[here + y];
    const next = here >= 0 && inside ? inside : this.#beyond(pile, x, y)?.stops().at(-1);
    next?.focus({ preventScroll: true });
  }

  /** To the first or last pile of the row, or of the whole table. @param {number} index @param {boolean} ofTable */
  #toEnd(index, ofTable) {
    const piles = [...this.#table.piles.values()];
    const pile = ofTable ? piles.at(index) : this.#row(piles).at(index);
    pile?.stops().at(-1)?.focus({ preventScroll: true });
  }

  /** The piles level with the one where the keyboard is, in the order in which the arrows reach them. @param {Pile[]} piles */
  #row(piles) {
    const here = this.#pile;
    if (!here) return [];
    const { y } = middle(here);
    const level = piles.filter((pile) => Math.abs(middle(pile).y - y) < here.element.clientWidth / 2);
    return level.sort((one, other) => middle(one).x - middle(other).x);
  }

  /** @param {Pile} from @param {number} x @param {number} y */
  #beyond(from, x, y) {
    const start = middle(from);
    const others = [...this.#table.piles.values()].filter((pile) => pile !== from).map((pile) => {
      const there = middle(pile);
      const along = (there.x - start.x) * x + (there.y - start.y) * y;
      const aside = Math.abs((there.x - start.x) * y) + Math.abs((there.y - start.y) * x);
      return { pile, along, cost: along + 3 * aside };
    });
    const ahead = others.filter(({ along }) => along > 4);
    ahead.sort((one, other) => one.cost - other.cost);
    return ahead[0]?.pile;
  }
}

/** The middle of a pile's place, whatever lies there. @param {Pile} pile */
function middle(pile) {
  const { left, top, width } = pile.element.getBoundingClientRect();
  return { x: left + width / 2, y: top + (width * 7) / 10 };
}
