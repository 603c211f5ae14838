/**
 * One place on the table: draws the cards of its pile, each with its spoken name, and counts those that are not seen.
 * Where cards come from and whether they may move is decided elsewhere.
 * @module
 */

/** @import {Face} from "./types.js" */
import { draw, spoken } from "./cards.js";
import { group } from "./moves.js";

// In a squared pile only the top is seen; the card below it is there for when the top is lifted.
const SQUARED_DEPTH = 2;
// Cards that arrive together are drawn one by one, so that each can be seen to come, but not a whole stock of them.
const MOST_ARRIVING = 13;

/** @typedef {{index: number, face: Face, element: HTMLButtonElement}} Drawn */

export class Pile {
  /** @type {Face[]} */ faces = [];
  /** @type {Drawn[]} */ drawn = [];

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.name = element.dataset.pile ?? "";
    this.group = group(this.name);
    this.label = element.getAttribute("aria-label") ?? this.name;
    this.fanned = element.closest(".fanned") !== null;
    this.place = /** @type {HTMLButtonElement} */ (element.querySelector(".place"));
    this.tally = element.querySelector(".tally");
  }

  /** The top card, if there is one. */
  get top() {
    return this.drawn.at(-1);
  }

  /**
   * Draw these faces, keeping the elements of cards that stay.
   * @param {Face[]} faces
   * @param {boolean} arriving whether anybody is to see those that are new come
   */
  lay(faces, arriving) {
    const kept = sameBelow(this.faces, faces);
    const gained = arriving ? Math.min(faces.length - kept, MOST_ARRIVING) : 0;
    const from = this.fanned ? 0 : Math.max(0, faces.length - Math.max(SQUARED_DEPTH, gained + 1));
    const old = new Map(this.drawn.map((card) => [card.index, card]));
    const next = faces.slice(from).map((face, offset) => {
      const card = old.get(from + offset);
      return card?.face === face ? card : { index: from + offset, face, element: button(face, from + offset) };
    });
    const staying = new Set(next);
    for (const card of this.drawn) if (!staying.has(card)) card.element.remove();
    this.faces = faces;
    this.drawn = next;
    this.#place();
    this.#name();
  }

  /** The elements of so many cards from the top. @param {number} count */
  cards(count) {
    return count > 0 ? this.drawn.slice(-count).map((card) => card.element) : [];
  }

  /** How many cards lie from this element to the top, itself included; 0 if it is not one of ours. @param {Element | null} element */
  countFrom(element) {
    const card = this.drawn.find((card) => card.element === element);
    return card ? this.faces.length - card.index : 0;
  }

  /** What a finger or the arrow keys can rest on here, bottom to top. */
  stops() {
    if (!this.drawn.length) return [this.place];
    const seen = this.fanned ? this.drawn : this.drawn.slice(-1);
    return seen.map((card) => card.element);
  }

  /** Give focus back to the card that had it, or to the top if it is gone. @param {Element | null} before null: to the top */
  focus(before) {
    const stops = this.stops();
    const stop = stops.find((stop) => stop === before) ?? stops.at(-1);
    stop?.focus({ preventScroll: true });
  }

  #place() {
    /** @type {Element | null} */ let above = null;
    for (const { element } of this.drawn.toReversed()) {
      if (element.nextElementSibling !== above || !element.isConnected) this.element.insertBefore(element, above);
      above = element;
    }
    this.element.style.setProperty("--n", String(this.faces.length));
    this.place.hidden = this.faces.length > 0;
    if (this.tally) this.tally.textContent = this.faces.length ? String(this.faces.length) : "";
  }

  #name() {
    const total = this.faces.length;
    const stops = new Set(/** @type {Element[]} */ (this.stops()));
    for (const { element, face, index } of this.drawn) {
      element.inert = !stops.has(element);
      element.setAttribute("aria-label", nameOf(face, index + 1, total, this.label));
    }
  }
}

/** How many cards at the bottom two piles have in common. @param {Face[]} one @param {Face[]} other */
export function sameBelow(one, other) {
  let same = 0;
  while (same < one.length && same < other.length && one[same] === other[same]) same++;
  return same;
}

/** @param {Face} face @param {number} index */
function button(face, index) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "card";
  element.tabIndex = -1;
  element.style.setProperty("--i", String(index));
  element.append(draw(face));
  return element;
}

/**
 * @param {Face} face
 * @param {number} number
 * @param {number} total
 * @param {string} pile
 */
function nameOf(face, number, total, pile) {
  const values = { card: spoken(face), number, total, pile };
  if (total === 1) return interpolate(gettext("%(card)s, %(pile)s"), values, true);
  if (number < total) return interpolate(gettext("%(card)s, %(pile)s, card %(number)s of %(total)s"), values, true);
  return interpolate(
    ngettext("%(card)s, top of %(pile)s, %(total)s card", "%(card)s, top of %(pile)s, %(total)s cards", total),
    values,
    true,
  );
}
